"""The quick reference: two sides of one sheet. The rules are asked for every number.

What it says in sentences stands in ``data/plastic/quick_reference.md``, written like the reference
of the program but shorter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from skirmish import library, resources
from skirmish.games.plastic.reference import Rule, chart, rank, suits
from skirmish.games.plastic.reference_reading import read_reference
from skirmish.games.plastic.rules.catalog import DIE, Catalog, Limit, Quality, UnitType
from skirmish.games.plastic.rules.firing_table import NONE, Firing
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.sheets.layout.blocks import Head, TitleBand
from skirmish.sheets.layout.flowables import Canvas, Drawing, Flowable, Gap, NewPage, Stack, depth
from skirmish.sheets.layout.fonts import BODY, LABEL, TITLE
from skirmish.sheets.layout.pages import Document, Part, as_pdf
from skirmish.sheets.layout.tables import LEAST_GAP, Place, Table, beside, spread
from skirmish.sheets.layout.text import (
    BESIDE,
    SMALL,
    STRONG,
    TERM,
    Style,
    line_width,
    paragraph,
    write,
)
from skirmish.sheets.paper import (
    ACCENT,
    BAND,
    BLACK,
    GUTTER,
    MM,
    NORMAL,
    WHITE,
    Leaf,
)
from skirmish.sheets.plastic import GAME
from skirmish.tabletop.measure import inches

_NAME = Style(STRONG.face, 8.4, 10)
_CELL = Style(BESIDE.face, 8.2, 9.8)
_KILL = Style(TERM.face, 10.4, 10.6, "centre")
_REACH = Style(TERM.face, 9.2, 10.6, "right")
_ODDS = Style(TERM.face, 9, 10.4, "centre")
_RIGHT = _CELL._replace(align="right")
FRONT, BACK = "Turn and fire", "Checks, movement, armies"
WORDS = "plastic/quick_reference.md"
UNITS = 0.4
"""The share of the back that the list of units takes."""
_SAYS = Style(BODY, 8.8, 10.4)
_NUMBER = Style(TITLE, 20, 20)
_TITLE = Style(LABEL, 11, 11)
_WHO = Style(LABEL, 7, 7)


class Tables:
    """All of them at once, from one catalog and every ruling answered."""

    def __init__(self, catalog: Catalog, rulings: Mapping[str, str], air: float) -> None:
        """``air``: how many points stand above and below each line, besides the least."""
        self.catalog, self.rulings, self._air = catalog, rulings, air
        self.units = [unit for unit in catalog.units.values() if unit.shelf != "scenario"]

    def firing(self, width: float) -> Flowable:
        shooting = Firing(self.catalog, self.rulings, None)
        return firing_table(shooting, self.units, width, 1.5 + self._air)

    def modifiers(self, paragraphs: Iterable[Rule], width: float) -> Flowable:
        """What saves a target, or finds it: each paragraph is a row, each block of it a cell."""
        rows = [(one.title, *one.text) for one in paragraphs]
        places = (
            Place("Modifier", 22, _NAME),
            Place("Who benefits", 0, _CELL),
            Place("Against", 38, _CELL),
            Place("With cards", 30, _CELL),
            Place(f"With a d{DIE}", 28, _CELL),
        )
        return Table(width, places, rows, air=1.6 + self._air)

    def chances(self, width: float) -> Flowable:
        needs, *rows = zip(*chart("chances", self.catalog, self.rulings).rows, strict=True)
        names = ("In the open", "In cover or hull down, cards", f"In cover or hull down, d{DIE}")
        wide = (width / MM - 52) / len(needs)
        places = [Place("Needs", 52, _NAME), *(Place(run, wide, _ODDS) for run in needs)]
        lines = [(name, *row) for name, row in zip(names, rows, strict=True)]
        return Table(width, places, lines, air=1.2 + self._air)

    def checks(self, width: float) -> Flowable:
        fire, dig = self.catalog.fire, self.catalog.entrench
        broken = f"{fire.breakdown_rank}"
        rows = [
            (
                "Breakdown",
                "On the draw of the shot",
                f"{rank(fire.breakdown_rank)} of spades",
                broken,
                "A miss; draw again. Not for rifles",
            ),
            (
                "Weapon broken",
                "On the second draw",
                suits(fire.breakdown_suit),
                broken,
                "The model is lost; the guy becomes a rifleman",
            ),
            *self._graded("Pinned", "Guys under machine-gun op fire", self._pinned),
            *self._graded("Command", "After a unit or group has moved", _over),
            (
                "Dug in",
                f"{dig.group_of} guys or more, instead of moving",
                suits(dig.group.suits),
                f"1-{dig.group.die_to}",
                "Sandbags or a foxhole for the group",
            ),
            (
                "",
                "With an engineer, any number",
                suits(dig.engineers.suits),
                f"1-{dig.engineers.die_to}",
                "The same",
            ),
        ]
        places = (
            Place("Check", 25, _NAME),
            Place("Who draws, and when", 0, _CELL),
            Place("With cards", 29, _CELL),
            Place(f"With a d{DIE}", 15, _CELL),
            Place("Effect", 57, _CELL),
        )
        return Table(width, places, rows, air=1.3 + self._air, grouped=True)

    def _graded(
        self, name: str, when: str, told: Callable[[Quality], tuple[str, str, str]]
    ) -> Iterable[tuple[str, ...]]:
        for quality in self.catalog.qualities.values():
            cards, die, does = told(quality)
            usual = quality.id == self.catalog.pin.without_quality and name == "Pinned"
            troops = f"{quality.name} troops" + (", or no force quality" if usual else "")
            first = quality is next(iter(self.catalog.qualities.values()))
            yield (
                (name, f"{when}: {troops}", cards, die, does)
                if first
                else (("", troops, cards, die, does))
            )

    def _pinned(self, quality: Quality) -> tuple[str, str, str]:
        die = f"{quality.pinned_from}-{DIE}"
        by_suit = self.rulings["P29"] == "suits"
        cards = suits(quality.pinned_suits) if by_suit else f"{rank(quality.pinned_from)} and up"
        return cards, die, "The group moves no farther this turn"

    def unit_list(self, width: float, kind: str) -> Flowable:
        rows = [
            (unit.letter.upper(), unit.short, str(unit.price), _move(unit), _seats(unit))
            for unit in self.units
            if unit.kind == kind
        ]
        heads = {"guy": "Guys", "unarmored": "Unarmored models", "armored": "Armored models"}
        places = (
            Place("", 6, TERM._replace(size=8.4, leading=9.8)),
            Place(heads[kind], 0, _NAME),
            Place("Pts", 9, _RIGHT),
            Place("Move", 25, _RIGHT),
            Place("Seats", 12, _RIGHT),
        )
        return Table(width, places, rows, air=0.7 + self._air)

    def works(self, width: float) -> Flowable:
        rows = [
            ("", work.name, str(work.price), "", "")
            for work in self.catalog.works.values()
            if work.shelf != "scenario"
        ]
        places = (
            Place("", 6, _CELL),
            Place("Works", 0, _NAME),
            Place("Pts", 9, _RIGHT),
            Place("", 25, _RIGHT),
            Place("", 12, _RIGHT),
        )
        return Table(width, places, rows, air=0.7 + self._air)

    def nations(self, width: float) -> Flowable:
        table = chart("nations", self.catalog, self.rulings)
        said: dict[str, list[str]] = {}
        for people, trait in table.rows:
            said.setdefault(f"{trait[0].upper()}{trait[1:]}.", []).append(people)
        rows = [(", ".join(people), trait) for trait, people in said.items()]
        return Table(width, (Place("", 22, _NAME), Place("", 0, _CELL)), rows, air=1 + self._air)

    def limits(self, width: float, *, used: bool = False) -> Flowable:
        """The purchase limits, and what they come to; ``used``: with room to write beside."""
        table = chart("limits", self.catalog, self.rulings)
        rows: list[tuple[str, ...]] = [
            (title, " ".join([much, *self._more(limit)]), allowed)
            for limit, (title, much, allowed) in zip(self.catalog.limits, table.rows, strict=True)
        ]
        places = [
            Place("Limit", 24, _NAME),
            Place("How much", 0, _CELL),
            Place(table.columns[2].title, 13, _RIGHT),
        ]
        if used:
            places.append(Place("Used", 15, _RIGHT))
            rows = [(*row, "." * 12) for row in rows]
        return Table(width, places, rows, air=0.7 + self._air)

    def _more(self, limit: Limit) -> Iterable[str]:
        known = self.catalog.units
        if limit.most == 0:
            yield f"of {', '.join(known[name].short for name in limit.units if name in known)}"
        if limit.not_for:
            people = [self.catalog.nations[name].people for name in limit.not_for]
            yield f"({', '.join(people)} excepted)"
        if limit.halves:
            yield f"({known[limit.halves[0]].short} counts half)"
        if limit.with_bonus:
            more = (
                f"{quality.name} {quality.bonus_percent}% more"
                for quality in self.catalog.qualities.values()
                if quality.bonus_percent
            )
            yield f"({', '.join(more)})"


def firing_table(
    firing: Firing, units: Sequence[UnitType], width: float, air: float = 1.2
) -> Table:
    """Every weapon of these units, who fires it, and what it needs."""
    arms = {unit.short: firing.catalog.weapons_of(unit, firing.rulings) for unit in units}

    def times(short: str, weapon: str) -> str:
        """A unit that fires the weapon; one that does so more than once says so."""
        count = sum(arm.name == weapon for arm in arms[short])
        return short if count < 2 else f"{short} ({count} shots)"

    rows = []
    for gun in firing.table(units):
        name, reach, guys, armored, unarmored = gun.entry
        reach, _, further = reach.partition(", ")
        also = "; ".join(filter(None, (further, gun.also))) or NONE
        fired_by = ", ".join(times(short, name) for short in gun.fired_by.split(", "))
        rows.append((name, reach, guys, armored, unarmored, also, fired_by))
    places = (
        Place("Weapon", 26, _NAME),
        Place("Range", 13, _REACH),
        Place("Guys", 16, _KILL),
        Place("Armored", 16, _KILL),
        Place("Unarmored", 16, _KILL),
        Place("Also", 52, _CELL),
        Place("Fired by", 0, _CELL),
    )
    return Table(width, places, rows, air=air)


def legend(catalog: Catalog) -> str:
    """What the signs of the firing table mean."""
    return (
        "A-5: ace to 5 kills. * only in contact, in phases 3 and 4. + may fire again after a kill, "
        f"at a guy within {inches(catalog.fire.repeat_within)} of the first man."
    )


def _over(quality: Quality) -> tuple[str, str, str]:
    ends = quality.movement_ends_from
    if ends is None:
        return NONE, NONE, "They never draw"
    return f"{rank(ends)} and up", f"{ends}-{DIE}", "Nobody else of the side moves this turn"


def _move(unit: UnitType) -> str:
    """On land, then by road or on water."""
    land = f"{unit.move}/" if unit.move else ""
    if unit.road_move:
        return f"{land}{inches(unit.road_move)} road"
    if unit.water_move:
        return f"{land}{inches(unit.water_move)} wet"
    return inches(unit.move) if unit.move else NONE


def _seats(unit: UnitType) -> str:
    return (f"{unit.seats}" + (" + gun" if unit.tows_cannon else "")) if unit.seats else NONE


@as_pdf
def reference_pdf(
    page: Leaf,
    catalog: Catalog | None = None,
    book: PlasticRulingBook | None = None,
    *,
    revision: str | None = None,
) -> Document:
    """Turn, fire and modifiers on the front; checks, units, movement and armies on the back, with
    the numbers of ``catalog`` under the default rulings."""
    catalog, book = catalog or library.catalog(), book or library.rulings()
    story: list[Flowable] = []
    said = dict(read_reference(resources.page(WORDS), catalog, book, WORDS).chapters())
    tall = page.depth - LEAST_GAP
    for name in ("front", "back"):
        for ease in EASES:
            side = _Sides(catalog, book, said, page.measure, ease)
            blocks = side.front() if name == "front" else side.back()
            if depth(blocks, page.measure) + LEAST_GAP * (len(blocks) - 1) <= tall:
                break
        story += [NewPage(BACK)] if story else []
        story += spread(blocks, page.measure, tall)
    part = Part(page, story, FRONT, "Quick reference", GAME, revision=revision)
    subject = "Turn, fire, checks, units and armies"
    return Document(f"{GAME}: quick reference", subject, [part])


class Ease(NamedTuple):
    """The size of the sentences, and the points above and below every line of a table."""

    size: float
    air: float


EASES = tuple(
    Ease(size, air)
    for size, air in ((9.6, 1.2), (9.6, 0.8), (9.2, 0.6), (9.2, 0.3), (8.8, 0.2), (8.6, 0.0))
)
"""As much as the paper has room for, best first."""


class _Sides:
    def __init__(
        self,
        catalog: Catalog,
        book: PlasticRulingBook,
        said: dict[str, list[Rule]],
        width: float,
        ease: Ease,
    ) -> None:
        self.catalog, self.said, self.width = catalog, said, width
        self.tables = Tables(catalog, book.answered({}), ease.air)
        self.style = Style(BODY, ease.size, round(ease.size * 1.18, 2))

    def front(self) -> list[Flowable]:
        width, tables = self.width, self.tables
        fire = self.said["Fire"]
        return [
            _band("1", FRONT),
            _headed("The turn", "four phases, then the other side", self._turn()),
            _headed(
                "Firing table",
                "what each weapon needs",
                Stack([tables.firing(width), Gap(2), paragraph(legend(self.catalog), SMALL)]),
            ),
            _headed(
                "Modifiers",
                "what changes the draw",
                tables.modifiers(self.said["Modifiers"], width),
            ),
            _headed("Chances", "of a single draw", tables.chances(width)),
            beside(
                [self._block("Before the draw", "who, when, at whom", fire[:4])],
                [self._block("After it", "hits and breakdown", fire[4:])],
                width,
            ),
        ]

    def back(self) -> list[Flowable]:
        width, tables = self.width, self.tables
        left = (width - GUTTER) * UNITS
        right = width - GUTTER - left
        guys, *others = [tables.unit_list(left, kind) for kind in ("guy", "unarmored", "armored")]
        return [
            _band("2", BACK),
            _headed(
                "Checks",
                f"cards or d{DIE}; pinning, force quality and digging are optional",
                tables.checks(width),
            ),
            beside(
                [
                    _headed("Units", "letter, points, move, seats", guys),
                    *others,
                    tables.works(left),
                    self._block("Winning", "the basic game", self.said["Winning"]),
                ],
                [
                    self._block("Movement", "", self.said["Movement"]),
                    _headed("Nationalities", "optional", tables.nations(right)),
                    _headed("Buying an army", "the basic game", tables.limits(right)),
                    self._block("Setting up", "", self.said["Setting up"]),
                ],
                width,
                UNITS,
            ),
        ]

    def _turn(self) -> Flowable:
        phases = [
            Phase("Mover" if number % 2 == 0 else "Enemy", one.title, one.text[0], number % 2 == 0)
            for number, one in enumerate(self.said["The turn"])
        ]
        return Turn(phases)

    def _block(self, title: str, aside: str, paragraphs: Sequence[Rule]) -> Flowable:
        lines: list[Flowable] = [Head(title, aside)]
        for one in paragraphs:
            lines += [Gap(1.6), paragraph(" ".join(one.text), self.style, lead=f"{one.title}.")]
        return Stack(lines)


def _headed(title: str, aside: str, piece: Flowable) -> Flowable:
    return Stack([Head(title, aside), Gap(0.6 * MM), piece])


def _band(number: str, title: str) -> Flowable:
    return TitleBand(
        "Side",
        number,
        "Quick Reference",
        first=title,
        second=GAME,
        last="With the default rulings",
        least=TitleBand.FLAT,
    )


class Phase(NamedTuple):
    who: str
    title: str
    says: str
    mover: bool


class Turn(Drawing):
    HEAD = 8.4 * MM
    POINT = 2.6 * MM
    GAP = 0.4 * MM
    PAD = 1.8 * MM

    def __init__(self, phases: Sequence[Phase]) -> None:
        self.phases = tuple(phases)
        self.words = [paragraph(phase.says, _SAYS) for phase in phases]

    def height_at(self, width: float) -> float:
        room = self._room(self._wide(width))
        return self.HEAD + max(words.height_at(room) for words in self.words) + 2.6 * MM

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        wide, tall = self._wide(width), self.height_at(width)
        for index, words in enumerate(self.words):
            left = x + index * (wide + self.GAP)
            canvas.pen(BLACK, NORMAL)
            canvas.rect(left, top - tall, wide - self.POINT, tall - self.HEAD, fill=0)
            self._head(canvas, left, top, wide, index)
            words.paint(canvas, left + self.PAD, top - self.HEAD - 0.8 * MM, self._room(wide))

    def _head(self, canvas: Canvas, x: float, top: float, wide: float, index: int) -> None:
        phase = self.phases[index]
        low = top - self.HEAD
        path = canvas.beginPath()
        path.moveTo(x, top)
        path.lineTo(x + wide - self.POINT, top)
        path.lineTo(x + wide, top - self.HEAD / 2)
        path.lineTo(x + wide - self.POINT, low)
        path.lineTo(x, low)
        path.close()
        solid = phase.mover and not canvas.sparing
        canvas.pen(BLACK, 1.4 if phase.mover else NORMAL, BAND if solid else WHITE)
        canvas.drawPath(path, fill=1, stroke=1)
        ink = WHITE if solid else BLACK
        write(canvas, x + self.PAD, low + 2.1 * MM, str(index + 1), _NUMBER._replace(ink=ink))
        after = x + self.PAD + line_width("4", _NUMBER) + 2 * MM
        who = _WHO._replace(ink=ink if solid else ACCENT)
        write(canvas, after, top - 3.2 * MM, phase.who.upper(), who, track=0.6)
        write(canvas, after, low + 1.5 * MM, phase.title, _TITLE._replace(ink=ink))

    def _room(self, wide: float) -> float:
        return wide - self.POINT - 2 * self.PAD

    def _wide(self, width: float) -> float:
        return (width - self.GAP * (len(self.phases) - 1)) / len(self.phases)
