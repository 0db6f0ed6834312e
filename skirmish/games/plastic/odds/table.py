"""The odds table: every weapon against every kind of target. Targets with equal odds from all
weapons share a column; one with other odds from behind has two."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

import msgspec

from skirmish.games.plastic.odds.pack import (
    ALL_CARDS,
    Pack,
    ShotOdds,
    VolleyOutcome,
    die,
    firer,
    fresh,
    one_shot,
)
from skirmish.games.plastic.odds.rounding import percent, tenths
from skirmish.games.plastic.odds.volley import volley
from skirmish.games.plastic.rules.catalog import Catalog, UnitType, Weapon, listed
from skirmish.games.plastic.rules.firing_table import NONE, fired_by, in_words
from skirmish.games.plastic.rules.shot import (
    CLOSE_PHASES,
    Aim,
    Circumstances,
    Shot,
    aim,
    run,
    why_not,
)
from skirmish.tabletop.measure import NO_BREAK, inches
from skirmish.tabletop.page import Block, Facts, Heading, Page, Paragraph
from skirmish.tabletop.page import table as page_table
from skirmish.tabletop.refusal import Refusal

_KINDS = {"guy": "Guys", "unarmored": "Unarmored", "armored": "Armored"}
CHAIN = 10
_Look: TypeAlias = "tuple[object, ...]"


class WeaponLine(msgspec.Struct, frozen=True):
    weapon: Weapon
    fired_by: tuple[UnitType, ...]


class TargetColumn(msgspec.Struct, frozen=True):
    name: str
    targets: tuple[UnitType, ...]
    behind: bool = False


class OddsCell(msgspec.Struct, frozen=True, kw_only=True):
    """A shot and its odds, or the reason it is forbidden."""

    refusal: Refusal | None = None
    aim: Aim | None = None
    odds: ShotOdds | None = None

    @property
    def near(self) -> Fraction | None:
        """The chance that the target dies at a ``near`` distance."""
        if self.odds is None or self.aim is None:
            return None
        return self.odds.hit if self.aim.at_guy else Fraction(0)

    @property
    def repeats(self) -> bool:
        """Whether a kill gives another shot."""
        return self.aim is not None and self.aim.repeat is not None


class Chain(msgspec.Struct, frozen=True):
    weapon: Weapon
    cover: bool
    outcome: VolleyOutcome


class OddsTable(msgspec.Struct, frozen=True, kw_only=True):
    """``distance`` (inches) is beyond the exact range, ``near`` within it. ``grids`` of cells: in
    cover or not, in contact (phases 3 and 4) or not."""

    pack: Pack
    distance: int
    near: int
    lines: tuple[WeaponLine, ...]
    columns: tuple[TargetColumn, ...]
    grids: dict[tuple[bool, bool], list[list[OddsCell]]]

    def cells(self, cover: bool, contact: bool = False) -> list[list[OddsCell]]:
        return self.grids[cover, contact]

    def chains(self) -> Iterator[Chain]:
        """Repeat fire at ``CHAIN`` guys, by every weapon that has it."""
        for cover in (False, True):
            for line, cells in zip(self.lines, self.cells(cover), strict=True):
                aimed = cells[0].aim if cells else None
                if aimed is not None and aimed.repeat:
                    one = firer(aimed, die=self.pack.die)
                    yield Chain(line.weapon, cover, volley([one], [CHAIN], self.pack))

    def shots(self) -> Iterator[tuple[WeaponLine, TargetColumn, bool, OddsCell]]:
        for cover in (False, True):
            for line, cells in zip(self.lines, self.cells(cover), strict=True):
                for column, cell in zip(self.columns, cells, strict=True):
                    yield line, column, cover, cell


def odds_table(
    catalog: Catalog,
    rulings: Mapping[str, str],
    pack: Pack,
    shooters: Iterable[UnitType] | None = None,
    targets: Iterable[UnitType] | None = None,
) -> OddsTable:
    """All units by default. Snipers have no column of their own."""
    every = tuple(catalog.units.values())
    terms = _TableTerms(catalog, rulings, catalog.fire.exact_within + 1)
    aimed_at = every if targets is None else tuple(targets)
    aimed_at = tuple(unit for unit in aimed_at if "sniper" not in unit.tags) or aimed_at
    lines = terms.lines(every if shooters is None else tuple(shooters), every)
    columns = terms.columns(lines, {unit.id for unit in aimed_at})

    def cell(line: WeaponLine, column: TargetColumn, cover: bool, contact: bool) -> OddsCell:
        aimed = terms.aimed(line, column.targets[0], column.behind, cover, contact)
        if isinstance(aimed, Refusal):
            return OddsCell(refusal=aimed)
        return OddsCell(aim=aimed, odds=one_shot(aimed, pack))

    return OddsTable(
        pack=pack,
        distance=terms.distance,
        near=catalog.fire.exact_within,
        lines=lines,
        columns=columns,
        grids={
            how: [[cell(line, column, *how) for column in columns] for line in lines]
            for how in ((False, False), (True, False), (False, True), (True, True))
        },
    )


def default_tables(catalog: Catalog, rulings: Mapping[str, str]) -> tuple[OddsTable, OddsTable]:
    """The tables of all units: with a fresh deck, and with the die."""
    return odds_table(catalog, rulings, fresh(rulings)), odds_table(catalog, rulings, die())


class _TableTerms(NamedTuple):
    catalog: Catalog
    rulings: Mapping[str, str]
    distance: int

    def lines(
        self, shooters: tuple[UnitType, ...], targets: tuple[UnitType, ...]
    ) -> tuple[WeaponLine, ...]:
        """In the order of the rules; two of the same name and odds are merged."""
        found: dict[_Look, WeaponLine] = {}
        for weapon, holders in fired_by(shooters, self.catalog, self.rulings):
            line = WeaponLine(weapon, tuple(holders))
            key = (line.weapon.name, *(self._look(line, one, False) for one in targets))
            if before := found.get(key):
                units = [*before.fired_by, *(one for one in holders if one not in before.fired_by)]
                line = WeaponLine(weapon, tuple(units))
            found[key] = line
        return tuple(found.values())

    def columns(self, lines: tuple[WeaponLine, ...], wanted: Set[str]) -> tuple[TargetColumn, ...]:
        """Guys first; only those with a ``wanted`` unit (ids)."""
        targets = self.catalog.units.values()
        groups: dict[_Look, list[UnitType]] = {}
        for target in sorted(targets, key=lambda target: [*_KINDS].index(target.kind)):
            looks = (
                tuple(self._look(line, target, rear) for line in lines) for rear in (False, True)
            )
            groups.setdefault(tuple(looks), []).append(target)
        found: list[TargetColumn] = []
        for (front, rear), group in groups.items():
            if there := tuple(unit for unit in group if unit.id in wanted):
                name = self._name(there, wanted, {column.name for column in found})
                found.append(TargetColumn(name, there))
                if front != rear:
                    found.append(TargetColumn(name, there, behind=True))
        return tuple(found)

    def _look(self, line: WeaponLine, target: UnitType, rear: bool) -> _Look:
        """The signature of a column: targets with equal ones have equal odds, in cover and in
        contact too."""
        found: list[object] = []
        for contact in (False, True):
            aimed = self.aimed(line, target, rear, True, contact)
            if isinstance(aimed, Refusal):
                found.append(aimed.code)
            else:
                found += [aimed.needs, aimed.saves, aimed.at_guy, aimed.exact, aimed.repeat]
        return tuple(found)

    def aimed(
        self, line: WeaponLine, target: UnitType, rear: bool, cover: bool, contact: bool
    ) -> Aim | Refusal:
        phase, distance = (CLOSE_PHASES[0], 0) if contact else (2, self.distance)
        at = Circumstances(distance=distance, cover=cover, rear=rear, touching=contact, phase=phase)
        shot = Shot(shooter=line.fired_by[0], weapon=line.weapon, target=target, at=at)
        refusal = why_not(shot, self.catalog, self.rulings)
        return refusal or aim(shot, self.catalog, self.rulings)

    def _name(self, group: Sequence[UnitType], wanted: Set[str], taken: Collection[str]) -> str:
        """A name that fits no other unit shown: that of the only unit; a tag of only these units,
        or the first one that a weapon asks for; the kind; else the units' names."""
        if len(group) == 1:
            return group[0].short
        others = {
            tag
            for unit in self.catalog.units.values()
            if unit.id in wanted and unit not in group
            for tag in unit.tags
        }
        own = [tag for tag in group[0].tags if tag not in others]
        asked = {tag for gun in self.catalog.weapons.values() for tag in (*gun.special, *gun.rear)}
        for tag in own if not group[0].is_guy else ():
            if tag in asked or all(tag in unit.tags for unit in group):
                return in_words(tag)
        kind = _KINDS[group[0].kind]
        return ", ".join(unit.short for unit in group) if kind in taken else kind


# ------------------------------------------------------------------ as people and programs read it


TOUCH = "*"
STEPS = 5


def _sign(cell: OddsCell) -> str:
    if cell.odds is not None:
        return percent(cell.odds.hit)
    return TOUCH if cell.refusal and cell.refusal.code == "touch_only" else NONE


def signs(table: OddsTable, cover: bool, contact: bool = False) -> list[list[str]]:
    """``67+`` if a kill gives another shot; other cells of such a column end with a space."""
    lines = table.cells(cover, contact)
    marked = [any(cells[at].repeats for cells in lines) for at in range(len(table.columns))]
    return [
        [
            _sign(one) + ("+" if one.repeats else " " * has)
            for one, has in zip(cells, marked, strict=True)
        ]
        for cells in lines
    ]


def heat(cell: OddsCell) -> int:
    """0 for a chance below a fifth, 4 from four fifths up; -1 for a forbidden shot."""
    return -1 if cell.odds is None else min(int(cell.odds.hit * STEPS), STEPS - 1)


def heads(column: TargetColumn) -> list[str]:
    return [*column.name.split(), *(["behind"] if column.behind else [])]


def drawn_from(pack: Pack) -> str:
    """``fresh deck``, ``45 cards left``, ``d12``."""
    if pack.die:
        return "d12"
    if pack.now == ALL_CARDS:
        return "fresh deck"
    return f"{pack.count} card{'' if pack.count == 1 else 's'} left"


def title(line: WeaponLine, column: TargetColumn, cover: bool) -> str:
    behind = ", from behind" if column.behind else ""
    return f"{line.weapon.name} at {column.name}{behind}, {'in cover' if cover else 'in the open'}"


def sentences(table: OddsTable, cell: OddsCell) -> Iterator[str]:
    odds = cell.odds
    if odds is None or cell.aim is None:
        yield cell.refusal.message if cell.refusal else ""
        return
    yield f"Hits {odds.hits}/{odds.of} = {tenths(odds.hit)}; needs {run(cell.aim.needs)}."
    for save, saved in (("cover", odds.by_cover), ("hull_down", odds.by_hull_down)):
        if save in cell.aim.saves:
            yield f"Saved by {save.replace('_', ' ')} {saved}/{odds.of}."
    if cell.near == odds.exact and cell.near:
        yield "Always kills the man aimed at."
    elif cell.near:
        near = cell.near * odds.of
        yield (
            f"The man aimed at dies {odds.exact_hits}/{odds.of}, "
            f"within {inches(table.near)} {near}/{odds.of}."
        )
    if cell.repeats:
        yield "After a kill it may fire again."


def legend(table: OddsTable, *covers: bool) -> list[str]:
    return [
        f"Percentage of draws that hit in phases 1 and 2, at {inches(table.distance)} or more. "
        f"Within {inches(table.near)}, the chances are the same, and every hit kills the man aimed "
        f"at; from farther away he dies with a chance of {very_man(table, *covers)}.",
        f"+ may fire again after a kill.  {TOUCH} only in contact, in phases 3 and 4.  "
        f"{NONE} may not fire at this target.",
    ]


def very_man(table: OddsTable, *covers: bool) -> str:
    return ", ".join(
        f"{_very_man_in(table, cover)} {'in cover' if cover else 'in the open'}" for cover in covers
    )


def _very_man_in(table: OddsTable, cover: bool) -> str:
    found: dict[Fraction, list[str]] = {}
    for line, cells in zip(table.lines, table.cells(cover), strict=True):
        for cell in cells:
            if cell.odds is not None and cell.near:
                found.setdefault(cell.odds.exact, []).append(line.weapon.name)
                break
    if not found:
        return "0%"
    usual = max(found, key=lambda chance: len(found[chance]))
    others = ", ".join(
        f"{listed(names)} {percent(chance)}%" for chance, names in found.items() if chance != usual
    )
    return f"{percent(usual)}%{f' ({others})' if others else ''}"


def members(table: OddsTable) -> list[tuple[str, str]]:
    return [
        (column.name, ", ".join(unit.short for unit in column.targets))
        for column in table.columns
        if not column.behind
    ]


def records(table: OddsTable) -> Iterator[dict[str, Any]]:
    """Chances are exact fractions (``"2/3"``), None for a forbidden shot."""
    for line, column, cover, cell in table.shots():
        odds = cell.odds
        yield {
            "weapon": line.weapon.id,
            "target": column.name,
            "behind": column.behind,
            "cover": cover,
            "from": "die" if table.pack.die else "cards",
            "draws": table.pack.count,
            "needs": cell.aim and cell.aim.needs,
            "hit": odds and str(odds.hit),
            "saved_by_cover": odds and str(odds.saved_by_cover),
            "exact_figure": odds and str(odds.exact),
            "exact_figure_near": odds and str(cell.near),
            "repeat": cell.repeats,
            "refusal": cell.refusal and cell.refusal.code,
            "why": cell.refusal and cell.refusal.message.replace(NO_BREAK, " "),
        }


def table_data(found: OddsTable) -> dict[str, Any]:
    return {
        "from": "die" if found.pack.die else "cards",
        "draws": found.pack.count,
        "distance": found.distance,
        "exact_within": found.near,
        "weapons": {
            line.weapon.id: {
                "name": line.weapon.name,
                "fired_by": [unit.id for unit in line.fired_by],
            }
            for line in found.lines
        },
        "targets": {column.name: [unit.id for unit in column.targets] for column in found.columns},
    }


def odds_page(table: OddsTable, *covers: bool) -> Page:
    names = tuple(" ".join(heads(column)) for column in table.columns)
    blocks: list[Block] = []
    for cover in covers:
        rows = [
            (line.weapon.name, *cells)
            for line, cells in zip(table.lines, signs(table, cover), strict=True)
        ]
        where = "In cover" if cover else "In the open"
        blocks.append(Heading(f"{where}, {drawn_from(table.pack)}"))
        blocks.append(page_table(("", *names), rows, numbers=range(1, len(names) + 1)))
    notes = (Paragraph(line) for line in legend(table, *covers))
    return Page("Odds", (*blocks, *notes, Facts(tuple(members(table)))))
