"""An army list: its price, its strength, its groups, when it is beaten ("The Basic Game"), and the
figures that it takes. P1 and the like are rulings on gaps in the rules."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Annotated, Literal, NamedTuple

import msgspec

from skirmish.games.plastic.rules.catalog import (
    Catalog,
    Counts,
    Nation,
    NationId,
    Quality,
    QualityId,
    UnitId,
    UnitType,
    UnitVariant,
    WorkId,
    listed,
    total_counts,
)
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.tabletop.data_file import Refers

# Limits of the program, not of the rules.
MOST_POINTS = 10_000
"""The largest budget of an army."""
MOST_PIECES = 9_999
"""The most of one unit or work."""
LONGEST_NOTE = 200
"""The most characters of the note of an army."""
LONGEST_GROUP = 40
"""The most characters of the name of a group."""
MOST_GROUPS = 8
"""The most groups into which players can divide an army."""

THE_REST = "The rest"
"""What the units in no group are called."""

LimitId = Annotated[str, Refers("limit")]
Count = Annotated[int, msgspec.Meta(ge=0, le=MOST_PIECES)]


class ArmyGroup(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A named part of an army. Its ``units`` are included in the list's units. In a battle it is a
    contingent. A "group" of the rules is another thing: units that touch."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_GROUP)]
    units: dict[UnitId, Count] = {}

    def with_count(self, unit: str, count: int, catalog: Catalog) -> ArmyGroup:
        """The group with ``count`` of a unit (0 removes it), in catalog order."""
        units = in_order(self.units | {unit: count}, catalog)
        return msgspec.structs.replace(self, units=units)


class ArmyList(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The player's list, without free men. Share codes depend on the order of the fields."""

    format: Literal[1] = 1
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
    points: Annotated[int, msgspec.Meta(ge=1, le=MOST_POINTS)] = 200
    """The budget before the force-quality bonus."""
    nation: NationId | None = None
    quality: QualityId | None = None
    units: dict[UnitId, Count] = {}
    works: dict[WorkId, Count] = {}
    rulings: dict[str, str] = {}
    overrides: dict[LimitId, Annotated[str, msgspec.Meta(max_length=200)]] = {}
    """The reason for waiving a limit, by the limit's id."""
    note: Annotated[str, msgspec.Meta(max_length=LONGEST_NOTE)] = ""
    groups: Annotated[tuple[ArmyGroup, ...], msgspec.Meta(max_length=MOST_GROUPS)] = msgspec.field(
        default=(), name="group"
    )
    """They divide the units; a unit may be in none. In army files the key is ``group``."""

    @property
    def pieces(self) -> dict[str, int]:
        """Units and works with their numbers."""
        return self.units | self.works

    def count(self, piece: str) -> int:
        """How many of a unit or work are bought."""
        return self.pieces.get(piece, 0)

    def changed(self, piece: str, count: int, catalog: Catalog) -> ArmyList:
        """The list with ``count`` of a unit or work (0 removes it), in catalog order. Groups that
        would hold too many lose them, the last group first."""
        allowed = max(0, min(count, MOST_PIECES))
        if piece in catalog.works:
            works = in_order({**self.works, piece: allowed}, catalog)
            return msgspec.structs.replace(self, works=works)
        units = in_order({**self.units, piece: allowed}, catalog)
        groups = self._groups_with_at_most(piece, allowed, catalog)
        return msgspec.structs.replace(self, units=units, groups=groups)

    def _groups_with_at_most(
        self, unit: str, allowed: int, catalog: Catalog
    ) -> tuple[ArmyGroup, ...]:
        """The groups with no more than are ``allowed`` of a unit in all of them together. The last
        groups lose theirs first."""
        too_many = self.grouped(unit) - allowed
        last_group_first: list[ArmyGroup] = []
        for group in reversed(self.groups):
            in_group = group.units.get(unit, 0)
            leaving = max(0, min(in_group, too_many))
            too_many -= leaving
            if leaving > 0:
                smaller_group = group.with_count(unit, in_group - leaving, catalog)
                last_group_first.append(smaller_group)
            else:
                last_group_first.append(group)
        return tuple(reversed(last_group_first))

    @property
    def divided(self) -> tuple[ArmyGroup, ...]:
        """The groups, and as a last one the units in none."""
        rest = {unit: count - self.grouped(unit) for unit, count in self.units.items()}
        return (*self.groups, ArmyGroup(name=THE_REST, units=rest))

    def grouped(self, unit: str) -> int:
        """How many of a unit are in groups."""
        return sum(group.units.get(unit, 0) for group in self.groups)

    def regrouped(self, number: int, unit: str, count: int, catalog: Catalog) -> ArmyList:
        """The list with ``count`` of a unit in the group with the index ``number``. They come from
        the units in no group; if there are too few of those, more are bought. Units that leave the
        group stay in the army."""
        groups = list(self.groups)
        in_group = max(0, min(count, MOST_PIECES))
        groups[number] = groups[number].with_count(unit, in_group, catalog)
        regrouped = msgspec.structs.replace(self, groups=tuple(groups))
        needed = max(self.count(unit), regrouped.grouped(unit))
        return regrouped.changed(unit, needed, catalog)


class BoughtUnits(NamedTuple):
    """How many of a unit are paid for."""

    unit: UnitType
    number: int


class FieldedGroup(NamedTuple):
    """A group of an army with its free men. Both dicts are counts by the id of the unit."""

    name: str
    units: dict[str, int]
    """The units that were bought."""
    free: dict[str, int]
    """The men who come free with them."""

    def with_free(self, unit: str, more: int) -> FieldedGroup:
        """The group with so many more free men."""
        in_group = self.free.get(unit, 0)
        return self._replace(free=self.free | {unit: in_group + more})


class Army(msgspec.Struct, frozen=True):
    """An army list with what its price and strength depend on: the catalog and the rulings."""

    army_list: ArmyList
    catalog: Catalog
    rulings: dict[str, str]

    @property
    def nation(self) -> Nation | None:
        """Its nation; None if none is chosen."""
        if self.army_list.nation is None:
            return None
        return self.catalog.nations[self.army_list.nation]

    @property
    def quality(self) -> Quality | None:
        """Its force quality; None without that option."""
        if self.army_list.quality is None:
            return None
        return self.catalog.qualities[self.army_list.quality]

    @property
    def terms(self) -> str:
        """Its nation and force quality, as far as it has them: ``German, Regular``."""
        names = []
        if self.nation is not None:
            names.append(self.nation.name)
        if self.quality is not None:
            names.append(self.quality.name)
        return ", ".join(names)

    @property
    def budget(self) -> int:
        """What the army may cost, in points. That includes the bonus for lesser troops, "+20%
        points to spend" ("Troop Quality, Command and Control"), rounded down."""
        percent = 100
        if self.quality:
            percent += self.quality.bonus_percent
        return self.army_list.points * percent // 100

    def price(self, piece: str) -> int:
        """The price of one unit or work to this nation, in points."""
        if piece in self.catalog.works:
            return self.catalog.works[piece].price
        return price_of(self.catalog.units[piece], self.nation, self.rulings)

    def bought(self) -> Iterator[BoughtUnits]:
        """The units that are paid for, in catalog order."""
        for id, unit in self.catalog.units.items():
            count = self.army_list.units.get(id, 0)
            if count > 0:
                yield BoughtUnits(unit, count)

    @property
    def spent(self) -> int:
        """The points that units and works cost."""
        return sum(self.price(piece) * count for piece, count in self.army_list.pieces.items())

    @property
    def free(self) -> dict[str, int]:
        """The free men of the whole army."""
        return self.free_with(self.army_list.units)

    def free_with(self, units: Counts) -> dict[str, int]:
        """The men that come free with these units: Russians get a rifleman for every five bought
        ("Nationalities"). Free men bring no others (P34)."""
        if self.nation is None or self.nation.free is None:
            return {}
        gift = self.nation.free
        count = units.get(gift.unit, 0) // gift.per
        if count == 0:
            return {}
        return {gift.unit: count}

    def fielded(self) -> dict[str, int]:
        """The units on the table, free men included."""
        bought = {unit.id: count for unit, count in self.bought()}
        return total_counts([bought, self.free])

    def blocks(self) -> list[FieldedGroup]:
        """The groups that have units, and last the units in no group, as ``THE_REST``. An undivided
        army is that one block."""
        blocks: list[FieldedGroup] = []
        for group in self.army_list.divided:
            units = in_order(group.units, self.catalog)
            if units:
                blocks.append(FieldedGroup(group.name, units, self.free_with(units)))
        for unit, count in self.free.items():
            # Five riflemen in two groups bring a free man to the army, but none to either group.
            # The last group that has such men gets those who are left over.
            left_over = count - sum(group.free.get(unit, 0) for group in blocks)
            if left_over > 0:
                with_such_men = [index for index, group in enumerate(blocks) if unit in group.units]
                last = with_such_men[-1]
                blocks[last] = blocks[last].with_free(unit, left_over)
        return blocks

    @property
    def strength(self) -> int:
        """The potential dead guys on the table: one for each guy and five for each model, but none
        for units that do not count for this nation."""
        strength = 0
        for id, count in self.fielded().items():
            unit = self.catalog.units[id]
            strength += count * strength_of(unit, self.nation, self.catalog, self.rulings)
        return strength

    @property
    def break_at(self) -> int:
        """The smallest loss, in potential dead guys, that loses the game (P1, P2)."""
        return break_point(self.strength, self.catalog, self.rulings)


def price_of(unit: UnitType, nation: Nation | None, rulings: Mapping[str, str]) -> int:
    """The price of a piece to a nation, in points. Some nations pay less for some units
    ("Nationalities"); what the text calls "all tanks" is P46, and "jeeps" P61."""
    price = unit.price
    if nation:
        for discount in nation.discounts:
            if discount.covers(unit, rulings):
                price -= discount.off
    return price


def strength_of(
    unit: UnitType, nation: Nation | None, catalog: Catalog, rulings: Mapping[str, str]
) -> int:
    """The strength of a unit of this nation, in potential dead guys. American and British jeeps and
    trucks have none: they "don't count for army break". A lower price changes no strength (P33)."""
    if nation and any(condition.covers(unit, rulings) for condition in nation.spared):
        return 0
    return catalog.strength_of(unit)


def break_point(strength: int, catalog: Catalog, rulings: Mapping[str, str]) -> int:
    """Half of the strength ("when 1/2 your guys die ... you lose"), or just over half (P2), in
    potential dead guys. The formula of the text counts, and not its worked example (P1)."""
    half = strength * Fraction(catalog.basic_game.break_share)
    # An odd strength has the same break point by both answers, since no loss is half a guy.
    if rulings["P2"] == "half":
        return math.ceil(half)
    return math.floor(half) + 1


def muster(army_list: ArmyList, catalog: Catalog, book: PlasticRulingBook) -> Army:
    """The army of a list, by its own answers to rulings and the default answers to all others.
    Raises ValueError (a sentence) for an answer that does not exist."""
    return Army(army_list, catalog, book.answered(army_list.rulings))


# ------------------------------------------------------------------ figures in the box


def figures(army: Army) -> dict[str, int]:
    """How many of each piece the army takes from the box: its units, free men and works, in catalog
    order."""
    return in_order({**army.fielded(), **army.army_list.works}, army.catalog)


def as_base_units(counts: Counts, variants: Iterable[UnitVariant]) -> dict[str, int]:
    """The counts, with each unit of a scenario counted as the ordinary one that it is a variant of:
    there are no figures of its own for it."""
    base_of = {variant.id: variant.of for variant in variants}
    return total_counts({base_of.get(piece, piece): count} for piece, count in counts.items())


def missing(needs: Counts, owned: Counts) -> dict[str, int]:
    """How many of each piece are needed beyond those that are owned."""
    lacking = {}
    for piece, count in needs.items():
        too_few = count - owned.get(piece, 0)
        if too_few > 0:
            lacking[piece] = too_few
    return lacking


def in_order(counts: Counts, catalog: Catalog) -> dict[str, int]:
    """The counts in the order of the catalog, without pieces of which there are none, or which it
    does not know."""
    return {piece: counts[piece] for piece in catalog.pieces if counts.get(piece)}


def counts_in_words(counts: Counts, catalog: Catalog) -> str:
    """``41 Rifle Guys, 1 Tank and 2 Sandbag Lines``"""
    pieces = catalog.pieces
    return listed([pieces[id].named(count) for id, count in in_order(counts, catalog).items()])
