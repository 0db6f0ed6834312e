"""The odds table: every weapon against every kind of target. Targets with equal odds from all
weapons share a column; one with other odds from behind has two."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from fractions import Fraction
from typing import NamedTuple, TypeAlias

import msgspec

from skirmish.games.plastic.odds.pack import (
    Pack,
    ShotOdds,
    VolleyOutcome,
    firer_of,
    fresh,
    of_die,
    one_shot,
)
from skirmish.games.plastic.odds.volley import volley
from skirmish.games.plastic.rules.catalog import Catalog, UnitType, Weapon
from skirmish.games.plastic.rules.firing_table import tag_in_words, weapons_with_holders
from skirmish.games.plastic.rules.shot import (
    CLOSE_PHASES,
    Aim,
    Circumstances,
    Shot,
    aim,
    why_not,
)
from skirmish.tabletop.refusal import Refusal

_KINDS = {"guy": "Guys", "unarmored": "Unarmored", "armored": "Armored"}
"""The kinds of targets in the order of the columns, and what a column of one is called."""
GUYS_IN_REACH = 10
"""How many guys can be hit by the volleys and the chains of repeat fire that are shown."""
_Signature: TypeAlias = "tuple[object, ...]"
"""What the odds of a weapon against a target come from. Equal signatures mean equal odds."""


class WeaponLine(msgspec.Struct, frozen=True):
    """A line of the table: the weapon, and the units that fire it with these odds."""

    weapon: Weapon
    fired_by: tuple[UnitType, ...]


class TargetColumn(msgspec.Struct, frozen=True):
    """Targets with equal odds; ``behind``: hit from behind."""

    name: str
    targets: tuple[UnitType, ...]
    behind: bool = False


class OddsCell(msgspec.Struct, frozen=True, kw_only=True):
    """A shot and its odds, or the reason it is forbidden: either ``refusal`` is set, or both others
    are."""

    refusal: Refusal | None = None
    aim: Aim | None = None
    odds: ShotOdds | None = None

    @property
    def exact_near(self) -> Fraction | None:
        """The chance that the very man aimed at dies within the exact range (``OddsTable.near``),
        where any hit kills him ("Removing Dead Guys"). 0 for a model, of which that is not asked;
        None for a forbidden shot."""
        if self.odds is None or self.aim is None:
            return None
        if not self.aim.at_guy:
            return Fraction(0)
        return self.odds.hit

    @property
    def repeats(self) -> bool:
        """Whether a kill gives another shot."""
        return self.aim is not None and self.aim.repeat is not None


class TableShot(NamedTuple):
    """A cell with the line and the column in which it stands, and whether the target is in
    cover."""

    line: WeaponLine
    column: TargetColumn
    cover: bool
    cell: OddsCell


class Chain(msgspec.Struct, frozen=True):
    """Repeat fire of one shooter: the kills until he misses or nobody stands."""

    weapon: Weapon
    cover: bool
    outcome: VolleyOutcome


class OddsTable(msgspec.Struct, frozen=True, kw_only=True):
    """The odds of weapons against targets."""

    pack: Pack
    distance: int
    """Inches, beyond the exact range."""
    near: int
    """Inches, within the exact range."""
    lines: tuple[WeaponLine, ...]
    columns: tuple[TargetColumn, ...]
    grids: dict[tuple[bool, bool], list[list[OddsCell]]]
    """The cells, by whether the target is in cover and whether it is in contact (phases 3 and
    4)."""

    def cells(self, cover: bool, contact: bool = False) -> list[list[OddsCell]]:
        """A list of cells for each line, with one for each column."""
        return self.grids[cover, contact]

    def chains(self) -> Iterator[Chain]:
        """Repeat fire at ``GUYS_IN_REACH`` guys, by every weapon that has it."""
        for cover in (False, True):
            for line, cells in zip(self.lines, self.cells(cover), strict=True):
                # A line has no cells where the table has no columns.
                if not cells:
                    continue
                # Repeat fire is at guys only, and they are the first column.
                at_guys = cells[0].aim
                if at_guys is not None and at_guys.repeat:
                    shooter = firer_of(at_guys, die=self.pack.die)
                    yield Chain(line.weapon, cover, volley([shooter], [GUYS_IN_REACH], self.pack))

    def shots(self) -> Iterator[TableShot]:
        """Every shot that is not in contact, in the open and then in cover."""
        for cover in (False, True):
            for line, cells in zip(self.lines, self.cells(cover), strict=True):
                for column, cell in zip(self.columns, cells, strict=True):
                    yield TableShot(line, column, cover, cell)


def odds_table(
    catalog: Catalog,
    rulings: Mapping[str, str],
    pack: Pack,
    shooters: Iterable[UnitType] | None = None,
    targets: Iterable[UnitType] | None = None,
) -> OddsTable:
    """The odds of all weapons of the ``shooters`` against the ``targets``, by default all units,
    with these draws. Snipers have no column of their own."""
    all_units = tuple(catalog.units.values())
    shown_shooters = shown_targets = all_units
    if shooters is not None:
        shown_shooters = tuple(shooters)
    if targets is not None:
        shown_targets = tuple(targets)
    # A sniper is hit as any other guy, so he needs no column; only a table of nothing but snipers
    # keeps them.
    without_snipers = tuple(unit for unit in shown_targets if "sniper" not in unit.tags)
    if without_snipers:
        shown_targets = without_snipers
    # One inch more than exact fire reaches, where the owner chooses who dies; any such distance has
    # the same odds.
    terms = _TableTerms(catalog, rulings, catalog.fire.exact_within + 1)
    lines = terms.lines(shown_shooters, all_units)
    columns = terms.columns(lines, {unit.id for unit in shown_targets})
    grids: dict[tuple[bool, bool], list[list[OddsCell]]] = {}
    for contact in (False, True):
        for cover in (False, True):
            grids[cover, contact] = _grid(terms, pack, lines, columns, cover=cover, contact=contact)
    return OddsTable(
        pack=pack,
        distance=terms.distance,
        near=catalog.fire.exact_within,
        lines=lines,
        columns=columns,
        grids=grids,
    )


def _grid(
    terms: _TableTerms,
    pack: Pack,
    lines: Sequence[WeaponLine],
    columns: Sequence[TargetColumn],
    *,
    cover: bool,
    contact: bool,
) -> list[list[OddsCell]]:
    """The odds of each weapon against each column, a row for each weapon."""
    rows = []
    for line in lines:
        cells = []
        for column in columns:
            # Any target of the column would do: they share it because their odds are equal.
            aimed = terms.aim_or_refusal(
                line, column.targets[0], rear=column.behind, cover=cover, contact=contact
            )
            if isinstance(aimed, Refusal):
                cells.append(OddsCell(refusal=aimed))
            else:
                cells.append(OddsCell(aim=aimed, odds=one_shot(aimed, pack)))
        rows.append(cells)
    return rows


def default_tables(catalog: Catalog, rulings: Mapping[str, str]) -> tuple[OddsTable, OddsTable]:
    """The tables of all units: with a fresh deck, and with the die."""
    return odds_table(catalog, rulings, fresh(rulings)), odds_table(catalog, rulings, of_die())


class _TableTerms(NamedTuple):
    """What a table is worked out from: the numbers, the answers to rulings, and the ``distance`` in
    inches."""

    catalog: Catalog
    rulings: Mapping[str, str]
    distance: int

    def lines(
        self, shooters: tuple[UnitType, ...], targets: tuple[UnitType, ...]
    ) -> tuple[WeaponLine, ...]:
        """The lines of the table in the order of the rules; two of the same name and odds are one
        line."""
        lines_by_signature: dict[_Signature, WeaponLine] = {}
        for weapon, holders in weapons_with_holders(shooters, self.catalog, self.rulings):
            line = WeaponLine(weapon, tuple(holders))
            signatures = [self._signature(line, target, rear=False) for target in targets]
            # With the name: two weapons of equal odds are still two lines, unless players call them
            # the same.
            key: _Signature = (line.weapon.name, *signatures)
            same_line = lines_by_signature.get(key)
            if same_line is not None:
                new_holders = [unit for unit in holders if unit not in same_line.fired_by]
                line = WeaponLine(weapon, (*same_line.fired_by, *new_holders))
            lines_by_signature[key] = line
        return tuple(lines_by_signature.values())

    def columns(self, lines: tuple[WeaponLine, ...], wanted: Set[str]) -> tuple[TargetColumn, ...]:
        """The columns of the table, guys first; only those with a ``wanted`` unit (by its id)."""
        # The sort is stable, so that within a kind units stand as in the rules.
        kinds = list(_KINDS)
        targets = sorted(self.catalog.units.values(), key=lambda unit: kinds.index(unit.kind))
        groups: dict[tuple[_Signature, _Signature], list[UnitType]] = {}
        for target in targets:
            front = tuple(self._signature(line, target, rear=False) for line in lines)
            rear = tuple(self._signature(line, target, rear=True) for line in lines)
            groups.setdefault((front, rear), []).append(target)
        columns: list[TargetColumn] = []
        for (front_signature, rear_signature), group in groups.items():
            shown = tuple(unit for unit in group if unit.id in wanted)
            if not shown:
                continue
            names_so_far = {column.name for column in columns}
            name = self._name(shown, wanted, names_so_far)
            columns.append(TargetColumn(name, shown))
            # Few have a weaker rear; for all others one column says it all.
            if front_signature != rear_signature:
                columns.append(TargetColumn(name, shown, behind=True))
        return tuple(columns)

    def _signature(self, line: WeaponLine, target: UnitType, *, rear: bool) -> _Signature:
        """The signature of the shots of a weapon at a target: equal ones have equal odds in the
        open, in cover and in contact. It is made from shots at a target in cover: only these show
        what saves it, and all else is the same in the open."""
        signature: list[object] = []
        for contact in (False, True):
            aimed = self.aim_or_refusal(line, target, rear=rear, cover=True, contact=contact)
            if isinstance(aimed, Refusal):
                signature.append(aimed.code)
            else:
                signature += [aimed.needs, aimed.saves, aimed.at_guy, aimed.why_exact, aimed.repeat]
        return tuple(signature)

    def aim_or_refusal(
        self, line: WeaponLine, target: UnitType, *, rear: bool, cover: bool, contact: bool
    ) -> Aim | Refusal:
        """What the shot needs, or why the rules forbid it."""
        # Phase 1 has the same odds as phase 2, and so have both phases of close fire.
        phase, distance = 2, self.distance
        if contact:
            phase, distance = CLOSE_PHASES[0], 0
        circumstances = Circumstances(
            distance=distance, cover=cover, rear=rear, touching=contact, phase=phase
        )
        # All who fire the weapon do so with the same odds.
        shooter = line.fired_by[0]
        shot = Shot(shooter=shooter, weapon=line.weapon, target=target, circumstances=circumstances)
        refusal = why_not(shot, self.catalog, self.rulings)
        if refusal is not None:
            return refusal
        return aim(shot, self.catalog, self.rulings)

    def _name(
        self, group: Sequence[UnitType], wanted: Set[str], names_so_far: Collection[str]
    ) -> str:
        """A name that fits no other unit shown: that of the only unit; a tag of only these units,
        or the first one that a weapon asks for; the kind; else the units' names. ``names_so_far``:
        those of the columns before."""
        first = group[0]
        if len(group) == 1:
            return first.short
        # Guys are never called by a tag: those of theirs ("fires aboard") name no kind of target.
        if not first.is_guy:
            tag = self._tag_of_only(group, wanted)
            if tag:
                return tag_in_words(tag)
        kind = _KINDS[first.kind]
        # Unarmored targets may be in several columns, of which only one can have the name of the
        # kind.
        if kind in names_so_far:
            return ", ".join(unit.short for unit in group)
        return kind

    def _tag_of_only(self, group: Sequence[UnitType], wanted: Set[str]) -> str | None:
        """The first tag that no shown unit outside the group has, and that all of the group have or
        a weapon asks for."""
        tags_of_others: set[str] = set()
        for unit in self.catalog.units.values():
            if unit.id in wanted and unit not in group:
                tags_of_others.update(unit.tags)
        asked_by_weapons: set[str] = set()
        for weapon in self.catalog.weapons.values():
            asked_by_weapons.update(weapon.special, weapon.rear)
        for tag in group[0].tags:
            if tag in tags_of_others:
                continue
            if tag in asked_by_weapons or all(tag in unit.tags for unit in group):
                return tag
        return None
