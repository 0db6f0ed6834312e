"""An army list: its price, its strength, its limits, and when it is beaten ("The Basic Game")."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Annotated, Any, Literal

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
    together,
)
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.tabletop.data_file import Problem, Refers, parts, read, suggest

MOST_POINTS = 10_000
MOST_PIECES = 9_999
LONGEST_NOTE = 200
MOST_GROUPS = 8
THE_REST = "The rest"
LONGEST_GROUP = 40
LimitId = Annotated[str, Refers("limit")]
Count = Annotated[int, msgspec.Meta(ge=0, le=MOST_PIECES)]


class ArmyGroup(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A named part of an army. Its ``units`` are included in the list's units."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_GROUP)]
    units: dict[UnitId, Count] = {}

    def with_count(self, unit: str, count: int, catalog: Catalog) -> ArmyGroup:
        units = in_order(self.units | {unit: count}, catalog)
        return msgspec.structs.replace(self, units=units)


class ArmyList(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The player's list, without free men. ``points`` is the budget before the force-quality bonus.
    ``overrides`` maps a limit's id to the reason for waiving it. ``groups`` divide ``units``; a
    unit may be in none. Share codes depend on the order of the fields."""

    format: Literal[1] = 1
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
    points: Annotated[int, msgspec.Meta(ge=1, le=MOST_POINTS)] = 200
    nation: NationId | None = None
    quality: QualityId | None = None
    units: dict[UnitId, Count] = {}
    works: dict[WorkId, Count] = {}
    rulings: dict[str, str] = {}
    overrides: dict[LimitId, Annotated[str, msgspec.Meta(max_length=200)]] = {}
    note: Annotated[str, msgspec.Meta(max_length=LONGEST_NOTE)] = ""
    groups: Annotated[tuple[ArmyGroup, ...], msgspec.Meta(max_length=MOST_GROUPS)] = msgspec.field(
        default=(), name="group"
    )

    @property
    def pieces(self) -> dict[str, int]:
        return self.units | self.works

    def count(self, piece: str) -> int:
        return self.units.get(piece, 0) or self.works.get(piece, 0)

    def changed(self, piece: str, count: int, catalog: Catalog) -> ArmyList:
        """The list with ``count`` of a unit or work (0 removes it), in catalog order. Groups that
        would hold too many lose them, the last group first."""
        field = "works" if piece in catalog.works else "units"
        counts = getattr(self, field) | {piece: max(0, min(count, MOST_PIECES))}
        over, groups = self.grouped(piece) - counts[piece], list[ArmyGroup]()
        for group in reversed(self.groups):
            here = group.units.get(piece, 0)
            gone = max(0, min(here, over))
            over -= gone
            groups.insert(0, group.with_count(piece, here - gone, catalog) if gone else group)
        ordered = in_order(counts, catalog)
        return msgspec.structs.replace(self, **{field: ordered, "groups": tuple(groups)})

    @property
    def divided(self) -> tuple[ArmyGroup, ...]:
        """The groups, and the units in none."""
        rest = {unit: n - self.grouped(unit) for unit, n in self.units.items()}
        return (*self.groups, ArmyGroup(name=THE_REST, units=rest))

    def grouped(self, unit: str) -> int:
        return sum(group.units.get(unit, 0) for group in self.groups)

    def regrouped(self, at: int, unit: str, count: int, catalog: Catalog) -> ArmyList:
        """The list with ``count`` of a unit in group number ``at``: first from those in no group,
        the rest is bought. Units that leave the group stay in the army."""
        count = max(0, min(count, MOST_PIECES))
        groups = list(self.groups)
        groups[at] = groups[at].with_count(unit, count, catalog)
        divided = msgspec.structs.replace(self, groups=tuple(groups))
        return divided.changed(unit, max(self.count(unit), divided.grouped(unit)), catalog)


class Army(msgspec.Struct, frozen=True):
    listed: ArmyList
    catalog: Catalog
    rulings: dict[str, str]

    @property
    def nation(self) -> Nation | None:
        return self.catalog.nations[self.listed.nation] if self.listed.nation else None

    @property
    def quality(self) -> Quality | None:
        return self.catalog.qualities[self.listed.quality] if self.listed.quality else None

    @property
    def terms(self) -> str:
        """``German, Regular``"""
        return ", ".join(part.name for part in (self.nation, self.quality) if part)

    @property
    def budget(self) -> int:
        """Includes the bonus for lesser troops."""
        bonus = self.quality.bonus_percent if self.quality else 0
        return self.listed.points * (100 + bonus) // 100

    def price(self, piece: str) -> int:
        if piece in self.catalog.works:
            return self.catalog.works[piece].price
        return price_of(self.catalog.units[piece], self.nation, self.rulings)

    def bought(self) -> Iterator[tuple[UnitType, int]]:
        for name, unit in self.catalog.units.items():
            if count := self.listed.units.get(name, 0):
                yield unit, count

    @property
    def spent(self) -> int:
        return sum(self.price(piece) * count for piece, count in self.listed.pieces.items())

    @property
    def free(self) -> dict[str, int]:
        return self.free_with(self.listed.units)

    def free_with(self, units: Counts) -> dict[str, int]:
        """Free men: Russians get a rifleman for every five bought (P34)."""
        gift = self.nation.free if self.nation else None
        count = units.get(gift.unit, 0) // gift.per if gift else 0
        return {gift.unit: count} if gift and count else {}

    def fielded(self) -> dict[str, int]:
        return together([{unit.id: count for unit, count in self.bought()}, self.free])

    def blocks(self) -> list[tuple[str, dict[str, int], dict[str, int]]]:
        """The name of each group with its bought and its free units; units in no group last, as
        ``THE_REST``. An undivided army is one such block."""
        blocks = [
            (group.name, units, self.free_with(units))
            for group in self.listed.divided
            if (units := in_order(group.units, self.catalog))
        ]
        for unit, count in self.free.items():
            left = count - sum(free.get(unit, 0) for _, _, free in blocks)
            last = next(free for _, units, free in reversed(blocks) if unit in units)
            last |= {unit: last.get(unit, 0) + left} if left else {}
        return blocks

    @property
    def pdg(self) -> int:
        """Potential dead guys: one for each figure and five for each model, without the units
        spared by the nation."""
        return sum(
            count * worth(self.catalog.units[unit], self.nation, self.catalog, self.rulings)
            for unit, count in self.fielded().items()
        )

    @property
    def break_at(self) -> int:
        """The smallest loss, in potential dead guys, that loses the game (P1, P2)."""
        return break_point(self.pdg, self.catalog, self.rulings)


def price_of(unit: UnitType, nation: Nation | None, rulings: Mapping[str, str]) -> int:
    discounts = nation.discounts if nation else ()
    return unit.price - sum(one.off for one in discounts if one.covers(unit, rulings))


def worth(
    unit: UnitType, nation: Nation | None, catalog: Catalog, rulings: Mapping[str, str]
) -> int:
    spared = any(one.covers(unit, rulings) for one in nation.spared) if nation else False
    return 0 if spared else catalog.worth(unit)


def break_point(pdg: int, catalog: Catalog, rulings: Mapping[str, str]) -> int:
    """Half of the strength, or (P2) just over half."""
    half = pdg * Fraction(catalog.basic_game.break_share)
    return -(-half // 1) if rulings["P2"] == "half" else half // 1 + 1


def muster(listed: ArmyList, catalog: Catalog, book: PlasticRulingBook) -> Army:
    return Army(listed, catalog, book.answered(listed.rulings))


def read_army(raw: Mapping[str, Any], catalog: Catalog, book: PlasticRulingBook, file: str) -> Army:
    listed = read(raw, ArmyList, file, lambda listed: _problems(listed, catalog, book))
    return muster(listed, catalog, book)


class FirstEvening(msgspec.Struct, frozen=True):
    """The small battle of newcomers: the army of both sides, and its last turn."""

    army: Army
    last_turn: int


def read_first_evening(
    raw: Mapping[str, Any], catalog: Catalog, book: PlasticRulingBook, file: str
) -> FirstEvening:
    """``last_turn`` beside the fields of an army; raises DataError."""
    last_turn = int(raw["last_turn"])
    listed = {name: value for name, value in raw.items() if name != "last_turn"}
    return FirstEvening(read_army(listed, catalog, book, file), last_turn)


def _problems(listed: ArmyList, catalog: Catalog, book: PlasticRulingBook) -> Iterator[Problem]:
    known: dict[str, Collection[str]] = {
        "unit": catalog.units,
        "work": catalog.works,
        "nation": catalog.nations,
        "force quality": catalog.qualities,
        "limit": [limit.id for limit in catalog.limits],
    }
    for key, part, to in parts(listed, ArmyList):
        if not to and not part.name.strip():
            what = "group" if key else "army"
            yield Problem(f"{key}.name".lstrip("."), f"is blank; give the {what} a name.")
        elif to in ("unit", "work") and part not in known[to] and part in catalog.pieces:
            yield Problem(key, f"belongs under [{'works' if to == 'unit' else 'units'}].")
        elif to and part not in known[to]:
            yield Problem(key, f"no {to} {part!r}; {suggest(part, known[to])}")
    for unit in dict.fromkeys(unit for group in listed.groups for unit in group.units):
        have, divided = listed.units.get(unit, 0), listed.grouped(unit)
        if divided > have:
            message = f"the groups hold {divided} {unit}, and under [units] there are {have}."
            yield Problem("group", message)
    yield from book.problems(listed.rulings)


# ------------------------------------------------------------------ figures in the box


def figures(army: Army) -> dict[str, int]:
    return in_order({**army.fielded(), **army.listed.works}, army.catalog)


def as_moulded(counts: Counts, variants: Iterable[UnitVariant]) -> dict[str, int]:
    """The counts, with each scenario variant replaced by its base unit."""
    like = {variant.id: variant.of for variant in variants}
    return together({like.get(piece, piece): count} for piece, count in counts.items())


def missing(needs: Counts, owned: Counts) -> dict[str, int]:
    """The pieces that are short."""
    short = {piece: count - owned.get(piece, 0) for piece, count in needs.items()}
    return {piece: count for piece, count in short.items() if count > 0}


def in_order(counts: Counts, catalog: Catalog) -> dict[str, int]:
    """In catalog order; unknown pieces are left out."""
    return {piece: counts[piece] for piece in catalog.pieces if counts.get(piece)}


def named(counts: Counts, catalog: Catalog) -> str:
    """``41 Rifle Guys, 1 Tank and 2 Sandbag Lines``."""
    known = catalog.pieces
    return listed([known[piece].named(n) for piece, n in in_order(counts, catalog).items()])
