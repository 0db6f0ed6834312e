"""The quick reference: two sides of one sheet. All numbers come from the rules.

Its sentences are in ``data/plastic/texts/quick_reference.toml``, in the format of the program's
reference but shorter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from skirmish import library, resources
from skirmish.games.plastic.reference import ChartTerms, Rule, chart, rank, read_reference, suits
from skirmish.games.plastic.rules.catalog import DIE, Catalog, Limit, Quality, UnitType
from skirmish.games.plastic.rules.firing_table import NONE, Firing
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.sheets import inks
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.blocks import Blank, Head, TitleBand, block
from skirmish.sheets.layout.boxes import LEAST, FormField
from skirmish.sheets.layout.drawing import Canvas, Drawing
from skirmish.sheets.layout.flow import Flowable, Gap, NewPage, Stack
from skirmish.sheets.layout.fonts import BODY, LABEL, TITLE
from skirmish.sheets.layout.pages import PdfDocument, SheetPart, as_pdf
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.tables import (
    LEAST_GAP,
    TableColumn,
    beside,
    natural,
    printed_table,
    spread,
)
from skirmish.sheets.layout.text import line_width, paragraph, write
from skirmish.sheets.paper import GUTTER, MM, NORMAL, Leaf
from skirmish.sheets.plastic import GAME
from skirmish.tabletop.measure import inches

_NAME = Style(styles.STRONG.face, 8.4, 10)
_CELL = Style(styles.BESIDE.face, 8.2, 9.8)
_KILL = Style(styles.TERM.face, 10.4, 10.6, "centre")
_REACH = Style(styles.TERM.face, 9.2, 10.6, "right")
_ODDS = Style(styles.TERM.face, 9, 10.4, "centre")
_RIGHT = _CELL._replace(align="right")
FRONT, BACK = "Turn and fire", "Checks, movement, armies"
WORDS = "plastic/texts/quick_reference.toml"
UNITS = 0.4
"""The share of the back that the list of units takes."""
_SENTENCE = Style(BODY, 8.8, 10.4)
_NUMBER = Style(TITLE, 20, 20)
_TITLE = Style(LABEL, 11, 11)
_WHO = Style(LABEL, 7, 7)


@as_pdf
def reference_pdf(
    page: Leaf,
    catalog: Catalog | None = None,
    book: PlasticRulingBook | None = None,
    *,
    revision: str | None = None,
) -> PdfDocument:
    """Turn, fire and modifiers on the front; checks, units, movement and armies on the back, with
    the numbers of ``catalog`` under the default rulings."""
    catalog, book = catalog or library.catalog(), book or library.rulings()
    chapters = dict(read_reference(resources.table(WORDS), catalog, book, WORDS).chapters())
    story: list[Flowable] = []
    tall = page.depth - LEAST_GAP
    for name in ("front", "back"):
        for size, air in EASES:
            side = QuickReference(catalog, book.answered({}), page.measure, air)
            style = Style(BODY, size, round(size * 1.18, 2))
            blocks = (side.front if name == "front" else side.back)(chapters, style)
            if natural(blocks, page.measure) <= tall:
                break
        story += [NewPage(BACK)] if story else []
        story += spread(blocks, page.measure, tall)
    part = SheetPart(page, story, FRONT, "Quick reference", GAME, revision=revision)
    subject = "Turn, fire, checks, units and armies"
    return PdfDocument(f"{GAME}: quick reference", subject, [part])


EASES = ((9.6, 1.2), (9.6, 0.8), (9.2, 0.6), (9.2, 0.3), (8.8, 0.2), (8.6, 0.0))
"""The type size, and the points above and below every line of a table, best first."""
Chapters = Mapping[str, list[Rule]]


class QuickReference:
    """The tables and both sides for a column of ``width``, from one catalog and one set of rulings;
    ``air``: additional points above and below each line of a table."""

    def __init__(
        self, catalog: Catalog, rulings: Mapping[str, str], width: float, air: float
    ) -> None:
        self.catalog, self.rulings, self.width, self.air = catalog, rulings, width, air
        self.terms = ChartTerms(catalog, rulings)
        self.units = [unit for unit in catalog.units.values() if unit.source != "scenario"]

    def front(self, chapters: Chapters, style: Style) -> list[Flowable]:
        width, fire = self.width, chapters["Fire"]
        shooting = Firing(self.catalog, self.rulings, None)
        firing = firing_table(shooting, self.units, width, 1.5 + self.air)
        signs = paragraph(legend(self.catalog), styles.SMALL)
        modifiers = self._table(
            (("Modifier", 22, _NAME), ("Who benefits", 0, _CELL), ("Against", 38, _CELL),
             ("With cards", 30, _CELL), (f"With a d{DIE}", 28, _CELL)),
            [(one.title, *one.text) for one in chapters["Modifiers"]], 1.6,
        )  # fmt: skip
        before = _rules("Before the draw", "who, when, at whom", fire[:4], style)
        after = _rules("After it", "hits and breakdown", fire[4:], style)
        return [
            _band("1", FRONT),
            block("The turn", "four phases, then the other side", PhaseRow(chapters["The turn"])),
            block("Firing table", "what each weapon needs", firing, Gap(2), signs),
            block("Modifiers", "what changes the draw", modifiers),
            block("Chances", "of a single draw", self._chances()),
            beside([before], [after], width),
        ]

    def back(self, chapters: Chapters, style: Style) -> list[Flowable]:
        left = (self.width - GUTTER) * UNITS
        right = self.width - GUTTER - left
        known = self.catalog.works.values()
        works = [("", work.name, str(work.price), "", "") for work in known
                 if work.source != "scenario"]  # fmt: skip
        guys, *models = [
            self._units(left, title, [
                (unit.letter.upper(), unit.short, str(unit.price), _move(unit), _seats(unit))
                for unit in self.units
                if unit.kind == kind
            ])
            for kind, title in (("guy", "Guys"), ("unarmored", "Unarmored models"),
                                ("armored", "Armored models"))
        ]  # fmt: skip
        checks = f"cards or d{DIE}; pinning, force quality and digging are optional"
        armies = [
            _rules("Movement", "", chapters["Movement"], style),
            block("Nationalities", "optional", self._nations(right)),
            block("Buying an army", "the basic game", self.limits(right)),
            _rules("Setting up", "", chapters["Setting up"], style),
        ]
        units = [
            block("Units", "letter, points, move, seats", guys),
            *models,
            self._units(left, "Works", works),
            _rules("Winning", "the basic game", chapters["Winning"], style),
        ]
        return [
            _band("2", BACK),
            block("Checks", checks, self._checks()),
            beside(units, armies, self.width, UNITS),
        ]

    # -------------------------------------------------------------- tables

    def _table(
        self,
        columns: Sequence[TableColumn],
        rows: Sequence[Sequence[str | Flowable]],
        air: float,
        width: float = 0,
    ) -> Flowable:
        """Lines with an empty first cell belong to the line before."""
        width = width or self.width
        return printed_table(width, columns, rows, air=air + self.air, grouped=True)

    def _chances(self) -> Flowable:
        needs, *rows = zip(*chart("chances", self.terms).rows, strict=True)
        names = ("In the open", "In cover or hull down, cards", f"In cover or hull down, d{DIE}")
        wide = (self.width / MM - 52) / len(needs)
        columns = [("Needs", 52, _NAME), *((run, wide, _ODDS) for run in needs)]
        return self._table(
            columns, [(name, *row) for name, row in zip(names, rows, strict=True)], 1.2
        )

    def _checks(self) -> Flowable:
        fire, dig = self.catalog.fire, self.catalog.entrench
        broken = str(fire.breakdown_rank)
        rows = [
            ("Breakdown", "On the draw of the shot", f"{rank(fire.breakdown_rank)} of spades",
             broken, "A miss; draw again. Not for rifles"),
            ("Weapon broken", "On the second draw", suits(fire.breakdown_suit), broken,
             "The model is lost; the guy becomes a rifleman"),
            *self._graded("Pinned", "Guys under machine-gun op fire", self._pinned),
            *self._graded("Command", "After a unit or group has moved", _over),
            ("Dug in", f"{dig.group_of} guys or more, instead of moving", suits(dig.group.suits),
             f"1-{dig.group.die_to}", "Sandbags or a foxhole for the group"),
            ("", "With an engineer, any number", suits(dig.engineers.suits),
             f"1-{dig.engineers.die_to}", "The same"),
        ]  # fmt: skip
        columns = (("Check", 25, _NAME), ("Who draws, and when", 0, _CELL),
                   ("With cards", 29, _CELL), (f"With a d{DIE}", 15, _CELL),
                   ("Effect", 57, _CELL))  # fmt: skip
        return self._table(columns, rows, 1.3)

    def _graded(
        self, name: str, when: str, graded: Callable[[Quality], tuple[str, str, str]]
    ) -> Iterable[tuple[str, ...]]:
        for number, quality in enumerate(self.catalog.qualities.values()):
            usual = quality.id == self.catalog.pin.without_quality and name == "Pinned"
            troops = f"{quality.name} troops" + (", or no force quality" if usual else "")
            yield ("" if number else name, troops if number else f"{when}: {troops}",
                   *graded(quality))  # fmt: skip

    def _pinned(self, quality: Quality) -> tuple[str, str, str]:
        die = f"{quality.pinned_from}-{DIE}"
        by_suit = self.rulings["P29"] == "suits"
        cards = suits(quality.pinned_suits) if by_suit else f"{rank(quality.pinned_from)} and up"
        return cards, die, "The group moves no farther this turn"

    def _units(self, width: float, title: str, rows: Sequence[Sequence[str]]) -> Flowable:
        many = title != "Works"
        places = (
            ("", 6, styles.TERM._replace(size=8.4, leading=9.8)),
            (title, 0, _NAME),
            ("Pts", 9, _RIGHT),
            ("Move" * many, 25, _RIGHT),
            ("Seats" * many, 12, _RIGHT),
        )
        return printed_table(width, places, rows, air=0.7 + self.air)

    def _nations(self, width: float) -> Flowable:
        people_with: dict[str, list[str]] = {}
        for people, trait in chart("nations", self.terms).rows:
            people_with.setdefault(f"{trait[0].upper()}{trait[1:]}.", []).append(people)
        rows = [(", ".join(people), trait) for trait, people in people_with.items()]
        return self._table((("", 22, _NAME), ("", 0, _CELL)), rows, 1, width)

    def limits(self, width: float, *, used: bool = False) -> Flowable:
        """The purchase limits with their totals; ``used``: with room to write beside."""
        table = chart("limits", self.terms)
        rows: list[tuple[str | Flowable, ...]] = [
            (title, " ".join([much, *self._more(limit)]), allowed)
            for limit, (title, much, allowed) in zip(self.catalog.limits, table.rows, strict=True)
        ]
        columns = [("Limit", 24, _NAME), ("How much", 0, _CELL)]
        columns.append((table.columns[2].title, 13, _RIGHT))
        if used:
            columns.append(("Used", 15, _RIGHT))
            own = [FormField(f"write-used-{limit.id}", f"Used of: {limit.title}")
                   for limit in self.catalog.limits]  # fmt: skip
            rows = [(*row, Blank("", one, LEAST)) for row, one in zip(rows, own, strict=True)]
        return self._table(columns, rows, 0.7, width)

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
) -> Flowable:
    arms = {unit.short: firing.catalog.weapons_of(unit, firing.rulings) for unit in units}

    def times(short: str, weapon: str) -> str:
        count = sum(arm.name == weapon for arm in arms[short])
        return short if count < 2 else f"{short} ({count} shots)"

    rows = []
    for gun in firing.table(units):
        name, reach, guys, armored, unarmored = gun.entry
        reach, _, further = reach.partition(", ")
        also = "; ".join(filter(None, (further, gun.also))) or NONE
        fired_by = ", ".join(times(short, name) for short in gun.fired_by.split(", "))
        rows.append((name, reach, guys, armored, unarmored, also, fired_by))
    kinds = ((kind, 15, _KILL) for kind in ("Guys", "Armored", "Unarmored"))
    places = (("Weapon", 23, _NAME), ("Range", 13, _REACH), *kinds,
              ("Also", 61.2, _CELL), ("Fired by", 0, _CELL))  # fmt: skip
    return printed_table(width, places, rows, air=air)


def legend(catalog: Catalog) -> str:
    """The legend of the firing table."""
    return (
        "A-5: ace to 5 kills. * only in contact, in phases 3 and 4. + may fire again after a kill, "
        f"at a new guy within {inches(catalog.fire.repeat_within)} of the first (of the last: MG)."
    )


def _over(quality: Quality) -> tuple[str, str, str]:
    ends = quality.movement_ends_from
    if ends is None:
        return NONE, NONE, "They never draw"
    return f"{rank(ends)} and up", f"{ends}-{DIE}", "Nobody else of the side moves this turn"


def _move(unit: UnitType) -> str:
    land = f"{unit.move}/" if unit.move else ""
    if unit.road_move:
        return f"{land}{inches(unit.road_move)} road"
    if unit.water_move:
        return f"{land}{inches(unit.water_move)} wet"
    return inches(unit.move) if unit.move else NONE


def _seats(unit: UnitType) -> str:
    return (f"{unit.seats}" + (" + gun" if unit.tows_cannon else "")) if unit.seats else NONE


def _rules(title: str, aside: str, rules: Sequence[Rule], style: Style) -> Flowable:
    lines: list[Flowable] = [Head(title, aside)]
    for one in rules:
        lines += [Gap(1.6), paragraph(" ".join(one.text), style, lead=f"{one.title}.")]
    return Stack(lines)


def _band(number: str, title: str) -> Flowable:
    last = "With the default rulings"
    return TitleBand("Side", number, "Quick Reference", title, GAME, last, least=TitleBand.FLAT)


class PhaseRow(Drawing):
    """The phases of a turn as arrows side by side; the mover acts in every second one."""

    HEAD = 8.4 * MM
    POINT = 2.6 * MM
    GAP = 0.4 * MM
    PAD = 1.8 * MM

    def __init__(self, phases: Sequence[Rule]) -> None:
        self.phases = tuple(phases)
        self.words = [paragraph(phase.text[0], _SENTENCE) for phase in phases]

    def _wide(self, width: float) -> tuple[float, float]:
        """The widths of a phase and of its sentence."""
        wide = (width - self.GAP * (len(self.phases) - 1)) / len(self.phases)
        return wide, wide - self.POINT - 2 * self.PAD

    def height_at(self, width: float) -> float:
        _, room = self._wide(width)
        return self.HEAD + max(words.height_at(room) for words in self.words) + 2.6 * MM

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        (wide, room), tall = self._wide(width), self.height_at(width)
        low, after = top - self.HEAD, line_width("4", _NUMBER) + 2 * MM
        for index, (phase, words) in enumerate(zip(self.phases, self.words, strict=True)):
            left, mover = x + index * (wide + self.GAP), index % 2 == 0
            right, inner = left + wide - self.POINT, left + self.PAD
            canvas.pen(inks.BLACK, NORMAL)
            canvas.rect(left, top - tall, wide - self.POINT, tall - self.HEAD, fill=0)
            solid = mover and not canvas.sparing
            canvas.pen(inks.BLACK, 1.4 if mover else NORMAL, inks.BAND if solid else inks.WHITE)
            tip = left + wide, top - self.HEAD / 2
            canvas.shape((left, top), (right, top), tip, (right, low), (left, low))
            ink = inks.WHITE if solid else inks.BLACK
            write(canvas, inner, low + 2.1 * MM, str(index + 1), _NUMBER._replace(ink=ink))
            who = _WHO._replace(ink=ink if solid else inks.ACCENT)
            whose = "MOVER" if mover else "ENEMY"
            write(canvas, inner + after, top - 3.2 * MM, whose, who, track=0.6)
            write(canvas, inner + after, low + 1.5 * MM, phase.title, _TITLE._replace(ink=ink))
            words.paint(canvas, inner, low - 0.8 * MM, room)
