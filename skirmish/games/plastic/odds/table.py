"""The odds table: every weapon against every kind of target. Targets with equal odds from all
weapons share a column; one with other odds from behind has two."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

import msgspec

from skirmish.games.plastic.odds.pack import (
    ALL_CARDS,
    OddsError,
    Pack,
    ShotOdds,
    VolleyOutcome,
    firer_of,
    fresh,
    of_die,
    one_shot,
)
from skirmish.games.plastic.odds.rounding import hundredths, percent, tenths
from skirmish.games.plastic.odds.volley import volley
from skirmish.games.plastic.rules.catalog import Catalog, UnitType, Weapon, listed
from skirmish.games.plastic.rules.firing_table import NONE, fired_by, tag_in_words
from skirmish.games.plastic.rules.shot import (
    CLOSE_PHASES,
    Aim,
    Circumstances,
    Shot,
    aim,
    ranks_that_hit,
    why_not,
)
from skirmish.tabletop.measure import NO_BREAK, inches
from skirmish.tabletop.page import Block, Facts, Heading, Page, Paragraph
from skirmish.tabletop.page import table as page_table
from skirmish.tabletop.refusal import Refusal

_KINDS = {"guy": "Guys", "unarmored": "Unarmored", "armored": "Armored"}
"""The kinds of targets in the order of the columns, and what a column of one is called."""
CHAIN = 10
"""Guys in a group that repeat fire is shown against."""
VOLLEYS = (1, 2, 3, 5, 8)
"""How many shooters the volleys have whose kills are shown."""
KILLS = (1, 2, 3, 5)
"""So many kills, or more, have their chances shown."""
_Signature: TypeAlias = "tuple[object, ...]"
"""What makes the odds of a weapon against a target: equal where the odds are."""


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
        """The chance that the very man aimed at dies at a ``near`` distance, where any hit kills
        him ("Removing Dead Guys"). 0 for a model, of which that is not asked; None for a forbidden
        shot."""
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
        """Repeat fire at ``CHAIN`` guys, by every weapon that has it."""
        for cover in (False, True):
            for line, cells in zip(self.lines, self.cells(cover), strict=True):
                # Repeat fire is at guys only, and they are the first column.
                at_guys = None
                if cells:
                    at_guys = cells[0].aim
                if at_guys is not None and at_guys.repeat:
                    shooter = firer_of(at_guys, die=self.pack.die)
                    yield Chain(line.weapon, cover, volley([shooter], [CHAIN], self.pack))

    def shots(self) -> Iterator[TableShot]:
        """Every shot from farther away."""
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
    # A sniper is hit as any other guy; alone, he has a table all the same.
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
            # Any of the column would do: they are in it because their odds are equal.
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
    """By what a table is worked out: the numbers, the answers to rulings, and the ``distance`` in
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
        for weapon, holders in fired_by(shooters, self.catalog, self.rulings):
            line = WeaponLine(weapon, tuple(holders))
            signatures = [self._signature(line, target, rear=False) for target in targets]
            # With the name: two weapons of equal odds are still two lines, unless players call them
            # the same.
            key: _Signature = (line.weapon.name, *signatures)
            before = lines_by_signature.get(key)
            if before:
                new_holders = [unit for unit in holders if unit not in before.fired_by]
                line = WeaponLine(weapon, (*before.fired_by, *new_holders))
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
            name = self._name(shown, wanted, {column.name for column in columns})
            columns.append(TargetColumn(name, shown))
            # Few have a weaker rear; for all others one column says it all.
            if front_signature != rear_signature:
                columns.append(TargetColumn(name, shown, behind=True))
        return tuple(columns)

    def _signature(self, line: WeaponLine, target: UnitType, *, rear: bool) -> _Signature:
        """What the odds of a weapon against a target come from: where it is equal, so are they, in
        cover and in contact too. In cover all saves show; the rest is the same in the open."""
        signature: list[object] = []
        for contact in (False, True):
            aimed = self.aim_or_refusal(line, target, rear=rear, cover=True, contact=contact)
            if isinstance(aimed, Refusal):
                signature.append(aimed.code)
            else:
                signature += [aimed.needs, aimed.saves, aimed.at_guy, aimed.exact, aimed.repeat]
        return tuple(signature)

    def aim_or_refusal(
        self, line: WeaponLine, target: UnitType, *, rear: bool, cover: bool, contact: bool
    ) -> Aim | Refusal:
        """What the shot needs, or why the rules forbid it."""
        phase, distance = 2, self.distance
        if contact:
            phase, distance = CLOSE_PHASES[0], 0
        circumstances = Circumstances(
            distance=distance, cover=cover, rear=rear, touching=contact, phase=phase
        )
        # All who fire the weapon do so with the same odds.
        shooter = line.fired_by[0]
        shot = Shot(shooter=shooter, weapon=line.weapon, target=target, at=circumstances)
        refusal = why_not(shot, self.catalog, self.rulings)
        return refusal or aim(shot, self.catalog, self.rulings)

    def _name(self, group: Sequence[UnitType], wanted: Set[str], taken: Collection[str]) -> str:
        """A name that fits no other unit shown: that of the only unit; a tag of only these units,
        or the first one that a weapon asks for; the kind; else the units' names."""
        first = group[0]
        if len(group) == 1:
            return first.short
        # Guys are never called by a tag: those of theirs ("fires aboard") name no kind of target.
        if not first.is_guy:
            tag = self._telling_tag(group, wanted)
            if tag:
                return tag_in_words(tag)
        kind = _KINDS[first.kind]
        # Unarmored targets may be in several columns, of which only one can have the name of the
        # kind.
        if kind in taken:
            return ", ".join(unit.short for unit in group)
        return kind

    def _telling_tag(self, group: Sequence[UnitType], wanted: Set[str]) -> str | None:
        """A tag that no unit outside the group has, and that all of these have or a weapon asks
        for."""
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


# ------------------------------------------------------------------ as people and programs read it


TOUCH = "*"
"""The sign of a shot that is only allowed in contact."""
STEPS = 5
"""How many shades the heat map has."""


def _sign(cell: OddsCell) -> str:
    """What stands in a cell: its percentage, or a sign for none."""
    if cell.odds is not None:
        return percent(cell.odds.hit)
    # Forbidden here, but not in contact: the star sends the reader to that table.
    if cell.refusal and cell.refusal.code == "touch_only":
        return TOUCH
    return NONE


def signs(table: OddsTable, cover: bool, contact: bool = False) -> list[list[str]]:
    """``67+`` if a kill gives another shot; other cells of such a column end with a space, so that
    the figures stand below one another."""
    lines = table.cells(cover, contact)
    columns_with_repeats: set[int] = set()
    for cells in lines:
        columns_with_repeats.update(index for index, cell in enumerate(cells) if cell.repeats)
    texts = []
    for cells in lines:
        texts_of_line = []
        for index, cell in enumerate(cells):
            text = _sign(cell)
            if cell.repeats:
                text += "+"
            elif index in columns_with_repeats:
                text += " "
            texts_of_line.append(text)
        texts.append(texts_of_line)
    return texts


def heat(cell: OddsCell) -> int:
    """The shade of a cell; -1 for a forbidden shot."""
    if cell.odds is None:
        return -1
    return shade_of(cell.odds.hit)


def shade_of(chance: Fraction) -> int:
    """0 for a chance below a fifth, 4 from four fifths up."""
    # A sure hit belongs to the highest step, not above it.
    return min(int(chance * STEPS), STEPS - 1)


def heads(column: TargetColumn) -> list[str]:
    """The words of its heading, each on a line of its own."""
    words = column.name.split()
    if column.behind:
        words.append("behind")
    return words


def drawn_from(pack: Pack) -> str:
    """``fresh deck``, ``45 cards left``, ``d12``."""
    if pack.die:
        return "d12"
    if pack.possible == ALL_CARDS:
        return "fresh deck"
    if pack.count == 1:
        return "1 card left"
    return f"{pack.count} cards left"


def title(line: WeaponLine, column: TargetColumn, cover: bool) -> str:
    """``Bazooka at Tanks, from behind, in the open``"""
    target = column.name
    if column.behind:
        target += ", from behind"
    return f"{line.weapon.name} at {target}, {_cover_in_words(cover)}"


def _cover_in_words(cover: bool) -> str:
    """``in cover``, ``in the open``"""
    if cover:
        return "in cover"
    return "in the open"


def sentences(table: OddsTable, cell: OddsCell) -> Iterator[str]:
    """What a cell means: its odds in words, or why the shot is forbidden."""
    odds = cell.odds
    if odds is None or cell.aim is None:
        if cell.refusal:
            yield cell.refusal.message
        else:
            yield ""
        return
    needs = ranks_that_hit(cell.aim.needs)
    yield f"Hits {odds.hits}/{odds.of} = {tenths(odds.hit)}; needs {needs}."
    for save, saved in (("cover", odds.by_cover), ("hull_down", odds.by_hull_down)):
        if save in cell.aim.saves:
            yield f"Saved by {save.replace('_', ' ')} {saved}/{odds.of}."
    if cell.exact_near and cell.exact_near == odds.exact:
        yield "Always kills the man aimed at."
    elif cell.exact_near:
        draws_near = cell.exact_near * odds.of
        yield (
            f"The man aimed at dies {odds.exact_hits}/{odds.of}, "
            f"within {inches(table.near)} {draws_near}/{odds.of}."
        )
    if cell.repeats:
        yield "After a kill it may fire again."


def volleys(table: OddsTable, cell: OddsCell) -> Page:
    """The kills of some such shots at a group of guys, or at one model; empty for a forbidden shot
    and where the odds of so many take too long."""
    if cell.aim is None:
        return Page("", ())
    size, whom = 1, "one such target"
    if cell.aim.at_guy:
        size, whom = CHAIN, f"{CHAIN} in reach"
    at_least = [kills for kills in KILLS if kills <= size]
    shooter = firer_of(cell.aim, die=table.pack.die)
    rows = []
    for shooters in VOLLEYS:
        try:
            outcome = volley([shooter] * shooters, [size], table.pack)
        except OddsError:
            return Page("", ())
        chances = [f"{percent(outcome.at_least(kills))}%" for kills in at_least]
        rows.append((str(shooters), hundredths(outcome.expected()), *chances))
    titles = ["Shooters", "Killed on average", *(f"{kills} or more" for kills in at_least)]
    if size == 1:
        titles = ["Shooters", "Killed on average", "Killed"]
    block = page_table(titles, rows, numbers=range(len(titles)))
    return Page("", (Heading(f"A volley at {whom}"), block))


def legend(table: OddsTable, *covers: bool) -> list[str]:
    """The sentences below a table that shows these halves."""
    return [
        f"Percentage of draws that hit in phases 1 and 2, at {inches(table.distance)} or more. "
        f"Within {inches(table.near)}, the chances are the same, and every hit kills the man aimed "
        f"at; from farther away he dies with a chance of {very_man(table, *covers)}.",
        f"+ may fire again after a kill.  {TOUCH} only in contact, in phases 3 and 4.  "
        f"{NONE} may not fire at this target.",
    ]


def very_man(table: OddsTable, *covers: bool) -> str:
    """The chances that the man aimed at dies: ``8% (Sniper 62%) in the open, 4% in cover``."""
    halves = [f"{_very_man_in(table, cover)} {_cover_in_words(cover)}" for cover in covers]
    return ", ".join(halves)


def _very_man_in(table: OddsTable, cover: bool) -> str:
    """How often the very man aimed at dies, by weapons where that differs: ``8% (Sniper rifle
    67%)``."""
    weapons_by_chance: dict[Fraction, list[str]] = {}
    for line, cells in zip(table.lines, table.cells(cover), strict=True):
        for cell in cells:
            if cell.odds is not None and cell.exact_near:
                weapons_by_chance.setdefault(cell.odds.exact, []).append(line.weapon.name)
                break
    if not weapons_by_chance:
        return "0%"
    usual = max(weapons_by_chance, key=lambda chance: len(weapons_by_chance[chance]))
    exceptions = []
    for chance, names in weapons_by_chance.items():
        if chance != usual:
            exceptions.append(f"{listed(names)} {percent(chance)}%")
    if not exceptions:
        return f"{percent(usual)}%"
    return f"{percent(usual)}% ({', '.join(exceptions)})"


def members(table: OddsTable) -> list[tuple[str, str]]:
    """The name of each column, and the units that it stands for."""
    names = []
    for column in table.columns:
        # The column from behind has the same units as the one before it.
        if not column.behind:
            names.append((column.name, ", ".join(unit.short for unit in column.targets)))
    return names


def records(table: OddsTable) -> Iterator[dict[str, Any]]:
    """Chances are exact fractions (``"2/3"``), None for a forbidden shot."""
    for line, column, cover, cell in table.shots():
        record: dict[str, Any] = {
            "weapon": line.weapon.id,
            "target": column.name,
            "behind": column.behind,
            "cover": cover,
            "from": _source(table.pack),
            "draws": table.pack.count,
            "needs": None,
            "hit": None,
            "saved_by_cover": None,
            "exact_figure": None,
            "exact_figure_near": None,
            "repeat": cell.repeats,
            "refusal": None,
            "why": None,
        }
        if cell.aim is not None:
            record["needs"] = cell.aim.needs
        if cell.odds is not None:
            record["hit"] = str(cell.odds.hit)
            record["saved_by_cover"] = str(cell.odds.saved_by_cover)
            record["exact_figure"] = str(cell.odds.exact)
            record["exact_figure_near"] = str(cell.exact_near)
        if cell.refusal is not None:
            record["refusal"] = cell.refusal.code
            record["why"] = cell.refusal.message.replace(NO_BREAK, " ")
        yield record


def _source(pack: Pack) -> str:
    """What is drawn from, as the records have it."""
    if pack.die:
        return "die"
    return "cards"


def table_data(table: OddsTable) -> dict[str, Any]:
    """What the records of a table refer to: distances in inches, its weapons, its columns."""
    weapons = {}
    for line in table.lines:
        weapons[line.weapon.id] = {
            "name": line.weapon.name,
            "fired_by": [unit.id for unit in line.fired_by],
        }
    targets = {}
    for column in table.columns:
        targets[column.name] = [unit.id for unit in column.targets]
    return {
        "from": _source(table.pack),
        "draws": table.pack.count,
        "distance": table.distance,
        "exact_within": table.near,
        "weapons": weapons,
        "targets": targets,
    }


def odds_page(table: OddsTable, *covers: bool) -> Page:
    """The halves in the open and in cover that are asked for, with their legend."""
    names = tuple(" ".join(heads(column)) for column in table.columns)
    blocks: list[Block] = []
    for cover in covers:
        rows = []
        for line, cells in zip(table.lines, signs(table, cover), strict=True):
            rows.append((line.weapon.name, *cells))
        where = _cover_in_words(cover).capitalize()
        blocks.append(Heading(f"{where}, {drawn_from(table.pack)}"))
        blocks.append(page_table(("", *names), rows, numbers=range(1, len(names) + 1)))
    for sentence in legend(table, *covers):
        blocks.append(Paragraph(sentence))
    blocks.append(Facts(tuple(members(table))))
    return Page("Odds", tuple(blocks))
