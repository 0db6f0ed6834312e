"""Units, weapons, nations and qualities: the numbers of the rules. Lengths are inches, prices
points. A ``needs`` of 5 means that ranks ace to 5 kill. P62 and the like are rulings on gaps in the
rules; titles in quotation marks are those of sections of the rules."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Any, ClassVar, Literal

import msgspec

from skirmish.tabletop.chance import Draw, full_deck
from skirmish.tabletop.data_file import Problem, Refers

# Numbers of the files, which are checked as they are read.
Rank = Annotated[int, msgspec.Meta(ge=1, le=12)]
Inches = Annotated[int, msgspec.Meta(ge=0, le=240)]
Points = Annotated[int, msgspec.Meta(ge=0, le=999)]
# ``1/6``: a fraction as text, since a sixth of the points is no number that a float can hold.
Share = Annotated[str, msgspec.Meta(pattern=r"^\d+(/[1-9]\d*)?$")]
Whole = Annotated[int, msgspec.Meta(ge=0, le=9999)]
# Inches from an edge of the table.
Depth = Annotated[int, msgspec.Meta(ge=1, le=240)]
Suits = Annotated[str, msgspec.Meta(pattern="^[SHDC]{1,4}$")]
Kind = Literal["guy", "unarmored", "armored"]
UnitId = Annotated[str, Refers("unit")]
PieceId = Annotated[str, Refers("unit or work")]
NationId = Annotated[str, Refers("nation")]
WeaponId = Annotated[str, Refers("weapon")]
TargetTag = Annotated[str, Refers("target")]
QualityId = Annotated[str, Refers("force quality")]
WorkId = Annotated[str, Refers("work")]

DECK = full_deck(highest=12)
"""The 48 cards: "Kings removed" ("Equipment Needed")."""
DIE = 12
"""The faces of the die that may take its place, with the same ranks."""


class Kill(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A cell of the firing table."""

    needs: Rank
    """The ranks from the ace to this one kill."""
    touch: bool = False
    """Whether it kills only in contact."""
    repeat: bool = False
    """Whether a kill gives another shot."""
    exact: bool = False
    """Whether the man aimed at dies himself."""
    range: Inches | None = None
    """In inches, in place of that of the weapon."""


class Weapon(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A line of the firing table."""

    id: str = ""
    name: str
    range: Inches
    """In inches."""
    other_ids: tuple[str, ...] = msgspec.field(default=(), name="called")
    """The ids of ordinary weapons for which it stands: players may call an 88 a ``cannon``."""
    bullets: bool = False
    """Whether cover counts against it ("Cover")."""
    pins: bool = False
    """Whether its op fire pins ("Pinning")."""
    repeat_from: Literal["first", "last"] = "first"
    """The man from whom the 6 in of repeat fire are measured: the ``last`` one with machine guns
    ("Repeat Firing")."""
    in_contact_as: WeaponId | None = None
    """The weapon that is used in its place against guys in phases 3 and 4."""
    regular: WeaponId | None = None
    """The ordinary weapon that it is a better kind of: the cannon, for an 88 (P6, P7)."""
    guys: Kill | None = None
    unarmored: Kill | None = None
    armored: Kill | None = None
    special: dict[TargetTag, Rank] = {}
    """Numbers against targets with a tag."""
    rear: dict[TargetTag, Rank] = {}
    """Numbers from behind against targets with a tag."""

    def against(self, kind: Kind) -> Kill | None:
        """The cell for targets of this kind; None if the weapon may not fire at them."""
        if kind == "guy":
            return self.guys
        if kind == "unarmored":
            return self.unarmored
        return self.armored


class InsteadWeapons(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The weapons that a unit has in place of its own where a ruling has this answer, as a KV does
    (P62)."""

    ruling: str
    answer: str
    weapons: tuple[WeaponId, ...]


class CatalogPiece(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A unit or a work."""

    id: str = ""
    name: str

    def name_for(self, count: int) -> str:
        """``Tank`` for one, ``Tanks`` for others."""
        if count == 1:
            return self.name
        return plural(self.name)

    def named(self, count: int) -> str:
        """``1 Tank``, ``3 Tanks``"""
        return f"{count} {self.name_for(count)}"


class UnitType(CatalogPiece, frozen=True, kw_only=True):
    """A unit that fights: a guy or a model."""

    short: str
    """Its name in lists."""
    letter: Annotated[str, msgspec.Meta(pattern="^[a-z]$")]
    """The letter by which players call its row."""
    kind: Kind
    price: Points
    """What it costs, in points."""
    move: Inches = 0
    """How far it moves, in inches; 0: not at all."""
    road_move: Inches = 0
    """How far it moves along a road, in inches; 0 if a road makes no difference."""
    water_move: Inches = 0
    """How far it moves on water, in inches; 0: not at all."""
    weapons: tuple[WeaponId, ...] = ()
    """The ids of its weapons; one that is listed twice fires twice (P4, P5)."""
    seats: Annotated[int, msgspec.Meta(ge=0, le=99)] = 0
    """How many guys it carries."""
    tows_cannon: bool = False
    """Whether it tows a cannon, besides the guys that it carries."""
    passengers_fire: Annotated[int, msgspec.Meta(ge=0, le=9)] = 0
    """How many of those aboard may fire."""
    breakdown: Literal["tests", "as_rifle", "never"] = "tests"
    """Whether its weapon ``tests`` for a breakdown, or ``never`` does; ``as_rifle``: never, unless
    P53 says otherwise."""
    digs: Literal["group", "engineer"] = "group"
    """How it digs in: as a ``group`` of men, or as an ``engineer``, who needs no others."""
    tags: tuple[str, ...] = ()
    """The classes of units that rules speak of and that it belongs to, such as ``vehicle``."""
    # In the files, and in stored battles, this is called ``shelf``.
    source: Literal["rules", "notes", "scenario"] = msgspec.field(default="rules", name="shelf")
    """Where it is from: only units of the ``rules`` and of the designer's ``notes`` can be
    bought."""
    note: str = ""
    """What else players should know of it."""
    instead: InsteadWeapons | None = None
    """Its weapons where a ruling says so."""

    @property
    def moves(self) -> bool:
        """Whether it moves by itself, on land or water."""
        return bool(self.move or self.road_move or self.water_move)

    @property
    def is_guy(self) -> bool:
        """Whether it is a guy and no model."""
        return self.kind == "guy"


class Work(CatalogPiece, frozen=True, kw_only=True):
    """Sandbags, wire, foxholes: bought by the piece, and no unit."""

    # Units have a kind and a letter; in lists of both, so do works.
    kind: ClassVar[str] = "work"
    letter: ClassVar[str] = ""
    price: Points
    source: Literal["rules", "scenario"] = msgspec.field(default="rules", name="shelf")
    note: str = ""


class Condition(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Units that a rule applies to, possibly under one answer to a ruling only. Where the rule is a
    discount, they are ``off`` points cheaper."""

    units: tuple[UnitId, ...]
    off: Points = 0
    ruling: str | None = None
    answer: str | None = None

    def holds(self, rulings: Mapping[str, str]) -> bool:
        """Whether it applies under these answers."""
        return self.ruling is None or rulings[self.ruling] == self.answer

    def covers(self, unit: UnitType, rulings: Mapping[str, str]) -> bool:
        """Whether the rule applies to this unit under these answers."""
        return unit.id in self.units and self.holds(rulings)


class FreeUnits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """With every ``per`` of a ``unit`` that are bought comes another one that costs nothing
    ("Nationalities")."""

    unit: UnitId
    per: Annotated[int, msgspec.Meta(ge=1)]


class Nation(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A nation with its traits."""

    id: str = ""
    name: str
    people: str
    """For sentences: ``Germans``."""
    discounts: tuple[Condition, ...] = ()
    """Units that are cheaper to it."""
    spared: tuple[Condition, ...] = ()
    """Units that do not count in an army's strength."""
    free: FreeUnits | None = None
    digs_as_engineers: tuple[UnitId, ...] = ()
    """Units that dig in as engineers do ("Rifle Guys entrench as engineers")."""
    rifle_in_contact: Rank | None = None
    """The rank up to which rifles kill guys in close combat (P42)."""


class Quality(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A line of the table of "Troop Quality, Command and Control"."""

    id: str = ""
    name: str
    bonus_percent: Annotated[int, msgspec.Meta(ge=0, le=100)]
    """How many more points an army of such troops may spend, in percent."""
    movement_ends_from: Rank | None = None
    """The lowest rank that ends all movement; None: none does."""
    pinned_suits: Suits
    """The suits that pin, if cards pin by suit (P29)."""
    pinned_from: Rank
    """The lowest roll that pins; of cards the lowest rank, if they pin by rank (P29)."""


class FireNumbers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers that hold for all fire: at ``exact_within`` inches or less the man aimed at dies;
    the next man of repeat fire stands within ``repeat_within`` inches."""

    exact_within: Inches
    repeat_within: Inches
    breakdown_rank: Rank
    """The rank of the card or roll that requires a second draw."""
    breakdown_suit: Suits
    """The single suit of that card, and of the second card that breaks the weapon."""

    def requires_second_draw(self, draw: Draw) -> bool:
        """Whether a second draw is required: the queen of spades, or a 12 on the die
        ("Breakdowns")."""
        if draw.rank != self.breakdown_rank:
            return False
        if draw.is_card:
            return draw.suit == self.breakdown_suit
        # The faces of a die have no suit.
        return True

    def breaks(self, draw: Draw) -> bool:
        """Whether the second draw breaks the weapon: any spade, or another 12."""
        if draw.is_card:
            return draw.suit == self.breakdown_suit
        return draw.rank == self.breakdown_rank


class Digging(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The draws with which men dig in: a card of these ``suits``, or a roll up to ``die_to``."""

    suits: Suits
    die_to: Rank

    def succeeds(self, draw: Draw) -> bool:
        """Whether a card, or the number of a die, means that they have dug in."""
        if draw.suit is not None:
            return draw.suit in self.suits
        return draw.rank <= self.die_to


class Entrenching(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who digs in with which draws: a ``group`` of at least ``group_of`` men, and ``engineers`` in
    any number ("Entrenching")."""

    group_of: int
    group: Digging
    engineers: Digging


class Pinning(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whose line of the table of qualities pins troops that have no quality."""

    without_quality: QualityId


class UnitVariant(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A unit in one scenario: like ``of``, except for the given fields."""

    id: str
    of: str
    name: str | None = None
    short: str | None = None
    letter: Annotated[str, msgspec.Meta(pattern="^[a-z]$")] | None = None
    price: Points | None = None
    move: Inches | None = None
    road_move: Inches | None = None
    weapons: tuple[WeaponId, ...] | None = None
    ranges: dict[str, Inches] = {}
    """The ranges that differ from those of its weapons, by the id of the weapon."""
    note: str | None = None

    def own_weapon(self, weapon: Weapon, reach: int) -> Weapon:
        """A weapon that has another range with this unit: a weapon of its own, which the id of the
        ordinary one finds, too."""
        own_id = f"{self.id}.{weapon.id}"
        other_ids = (weapon.id, *weapon.other_ids)
        return msgspec.structs.replace(weapon, id=own_id, range=reach, other_ids=other_ids)

    def unit(self, base: UnitType, weapons: tuple[str, ...]) -> UnitType:
        """The unit: its base with these weapons (by their ids) and the fields that are given."""
        changes: dict[str, Any] = {}
        for field in ("name", "short", "letter", "price", "move", "road_move", "note"):
            given = getattr(self, field)
            if given is not None:
                changes[field] = given
        return msgspec.structs.replace(
            base, id=self.id, weapons=weapons, source="scenario", **changes
        )


class Deployment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How far from its own edge each side may set up, in inches: the ``first`` to set up, whose
    pillboxes may stand farther from it, and the ``second``."""

    first: Depth
    first_pillboxes: Depth
    second: Depth


class BasicGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The battle of two armies. Battles that were stored early have neither a ``deployment`` nor an
    ``exit_width``."""

    points: Whole
    last_turn: Whole
    break_share: Share
    """The share of an army's strength with whose loss it is beaten."""
    deployment: Deployment | None = None
    exit_width: dict[str, Whole] = {}
    """Through how many inches in the middle of the enemy's edge units may leave the table, by the
    answer to P32."""


class Strength(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What each counts toward the break point, in potential dead guys ("The Basic Game")."""

    guy: Whole
    model: Whole


class Limit(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A purchase limit: the most, or the least, that an army may have of some pieces. Of ``most``,
    ``most_per_100``, ``most_share`` and ``least_share`` exactly one is given."""

    id: str
    title: str
    measure: Literal["points", "pieces"] = msgspec.field(name="in")
    of: Literal["units", "each", "each_guy_type", "guys", "everything"] = "units"
    """What is counted: the ``units`` together, each of them by itself, each type of guy by itself,
    all guys together, or all pieces."""
    units: tuple[PieceId, ...] = ()
    halves: tuple[PieceId, ...] = ()
    """Those of which two count as one: small pillboxes."""
    also: tuple[Condition, ...] = ()
    """Units that count among the ``units`` under an answer to a ruling."""
    without: tuple[PieceId, ...] = msgspec.field(default=(), name="except")
    """The types of guys that a limit on ``each_guy_type`` does not hold for."""
    with_bonus: bool = False
    """Whether it is a limit of the points with the bonus for a lesser quality, whatever the answer
    to P47."""
    only_with_nations: bool = False
    """Whether it holds only where nationalities are played."""
    not_for: tuple[NationId, ...] = ()
    """Nations for which it does not hold."""
    most: Whole | None = None
    """The most pieces or points."""
    most_per_100: Whole | None = None
    """The most for each hundred points of the army."""
    most_share: Share | None = None
    """The most as a share of the army's points."""
    least_share: Share | None = None
    """The least as a share of the army's points."""
    # The names in braces are filled in by ``LimitGauge.message``.
    broken: str = "{have} {who}: the limit for {points} points is {allowed}."
    """What players read where an army breaks it."""

    @property
    def is_least(self) -> bool:
        """Whether it demands something of an army, where most limits forbid something."""
        return self.least_share is not None

    def bound(self, points: int, per_100: str) -> Fraction:
        """The most, or the least, that an army of so many points may have. Which points those are
        is P47; ``per_100`` is the answer to P79."""
        if self.most is not None:
            return Fraction(self.most)
        if self.most_per_100 is not None:
            return self._allowed_per_100(self.most_per_100, points, per_100)
        # Half a point cannot be spent: what is allowed is rounded down, what is demanded up.
        if self.least_share is not None:
            return Fraction(math.ceil(points * Fraction(self.least_share)))
        if self.most_share is not None:
            return Fraction(math.floor(points * Fraction(self.most_share)))
        raise ValueError(f"the limit {self.id} has no bound")

    def _allowed_per_100(self, most: int, points: int, per_100: str) -> Fraction:
        """How many pieces an army of so many points may have, if for 100 points they are
        ``most``."""
        hundreds = Fraction(points // 100)
        if per_100 == "pro_rata":
            hundreds = Fraction(points, 100)
        allowed = most * hundreds
        # Where pieces count a half, so may what is allowed: one small pillbox for 50 points.
        if self.halves:
            return Fraction(math.floor(allowed * 2), 2)
        return Fraction(math.floor(allowed))

    def problems(self, key: str) -> Iterator[Problem]:
        """What is wrong with it; ``key`` is its place in the file."""
        bounds = ("most", "most_per_100", "most_share", "least_share")
        bounds_set = [name for name in bounds if getattr(self, name) is not None]
        if len(bounds_set) != 1:
            yield Problem(key, f"needs exactly one of {', '.join(bounds)}; has {len(bounds_set)}.")


class Catalog(msgspec.Struct, frozen=True):
    """All numbers of the rules, in the order of the files. Each battle stores it in its opening, so
    that it goes on by the numbers with which it began."""

    weapons: dict[str, Weapon]
    units: dict[str, UnitType]
    works: dict[str, Work]
    nations: dict[str, Nation]
    qualities: dict[str, Quality]
    fire: FireNumbers
    pin: Pinning
    entrench: Entrenching
    basic_game: BasicGame
    strength: Strength
    limits: tuple[Limit, ...]

    @property
    def pieces(self) -> dict[str, UnitType | Work]:
        """Units, then works."""
        return {**self.units, **self.works}

    def weapons_of(self, unit: UnitType, rulings: Mapping[str, str]) -> tuple[Weapon, ...]:
        """The weapons of a unit under these rulings. A weapon that fires twice is there twice."""
        ids = unit.weapons
        if unit.instead and rulings[unit.instead.ruling] == unit.instead.answer:
            ids = unit.instead.weapons
        return tuple(self.weapons[id] for id in ids)

    def strength_of(self, unit: UnitType) -> int:
        """The strength of a unit, in potential dead guys ("The Basic Game")."""
        if unit.is_guy:
            return self.strength.guy
        return self.strength.model

    def with_variants(self, variants: Iterable[UnitVariant]) -> Catalog:
        """The catalog with these variants, which must be valid."""
        units, weapons = dict(self.units), dict(self.weapons)
        for variant in variants:
            base = self.units[variant.of]
            carried = base.weapons
            if variant.weapons is not None:
                carried = variant.weapons
            for weapon_id, reach in variant.ranges.items():
                own_weapon = variant.own_weapon(weapons[weapon_id], reach)
                weapons[own_weapon.id] = own_weapon
                carried = _with_own_weapon(carried, weapon_id, own_weapon.id)
            units[variant.id] = variant.unit(base, carried)
        return msgspec.structs.replace(self, units=units, weapons=weapons)


def _with_own_weapon(carried: Sequence[str], ordinary_id: str, own_id: str) -> tuple[str, ...]:
    """The ids of a unit's weapons, with that of its own weapon wherever the ordinary one stood."""
    weapon_ids = []
    for weapon_id in carried:
        if weapon_id == ordinary_id:
            weapon_ids.append(own_id)
        else:
            weapon_ids.append(weapon_id)
    return tuple(weapon_ids)


def a_unit(name: str, article: str = "a") -> str:
    """``an Elefant``, ``an MG Jeep``, ``an 88``; with ``A`` at the start of a sentence."""
    # As it is spoken: "an eighty-eight", "an em-gee".
    if name.startswith(("A", "E", "I", "O", "U", "8", "MG")):
        return f"{article}n {name}"
    return f"{article} {name}"


def plural(name: str) -> str:
    """``Rifle Guys``, ``Small Pillboxes``; craft, aircraft and wire stay as they are."""
    if name.endswith(("craft", "Craft", "Wire")):
        return name
    if name.endswith("x"):
        return f"{name}es"
    return f"{name}s"


Counts = Mapping[str, int]
"""How many of each unit and work, by its id."""


def total_counts(tables: Iterable[Counts]) -> dict[str, int]:
    """How many of each piece there are in all ``tables`` together."""
    total = Counter[str]()
    for table in tables:
        total.update(table)
    return dict(total)


def listed(names: Sequence[str]) -> str:
    """``a, b and c``; empty for no names."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"
