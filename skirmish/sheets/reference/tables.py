"""The tables of the quick reference. The rules are asked for every number."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from skirmish.games.plastic.reference import Rule
from skirmish.games.plastic.reference_charts import chart, rank, suits
from skirmish.games.plastic.rules.catalog import DIE, Catalog, Quality, UnitType
from skirmish.games.plastic.rules.firing_table import NONE, Firing
from skirmish.games.plastic.rules.limits import Limit
from skirmish.sheets.layout.flowables import Flowable
from skirmish.sheets.layout.tables import Place, Table
from skirmish.sheets.layout.text import BESIDE, STRONG, TERM, Style
from skirmish.sheets.paper import MM
from skirmish.tabletop.measure import inches

_NAME = Style(STRONG.face, 8.4, 10)
_CELL = Style(BESIDE.face, 8.2, 9.8)
_KILL = Style(TERM.face, 10.4, 10.6, "centre")
_REACH = Style(TERM.face, 9.2, 10.6, "right")
_ODDS = Style(TERM.face, 9, 10.4, "centre")
_RIGHT = _CELL._replace(align="right")


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
