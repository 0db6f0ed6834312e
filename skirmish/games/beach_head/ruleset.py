"""The numbers of Beach Head, and the set-up of a game.

A phase is data: its effect, dice and modifiers. The game plays it, the simulator runs it a million
times, the play sheet prints it; none of them contains a number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Annotated, Any, Literal, NamedTuple

import msgspec

from skirmish.games.beach_head.rulings import RulingsInForce
from skirmish.tabletop.chance import Draw, Source
from skirmish.tabletop.data_file import Strict, read

DefenceId = Literal["mines", "traps", "walls", "ditches", "bunkers", "wire", "trenches"]
TankId = Literal["gun", "crab", "bridge", "fascine"]
PhaseId = Literal[
    "tactical", "frogman", "lci", "lct", "lcs", "gun_tank", "defenders", "artillery", "shore_guns",
    "mines", "engineers", "flail", "petard", "bridge", "infantry", "support", "destroyer", "end",
]  # fmt: skip
SkipCode = Literal[
    "no_tank", "no_defence", "too_early", "nobody", "nothing_left", "no_cards", "not_here"
]
Variant = Literal["normandy", "omaha"]
DiceSpec = Annotated[
    str, msgspec.Meta(pattern=r"^[1-9]d6([+-][1-9])?$", description="a roll such as 2d6+2")
]
"""Six-sided dice as printed: ``1d6-3``."""
Face = Annotated[int, msgspec.Meta(ge=1, le=6)]
Count = Annotated[int, msgspec.Meta(ge=0)]
Positive = Annotated[int, msgspec.Meta(ge=1)]


class DiceSum(NamedTuple):
    """How many six-sided ``dice`` are rolled, and what is added to their sum."""

    dice: int
    plus: int


@lru_cache(maxsize=64)
def dice_of(spec: str) -> DiceSum:
    """The dice as printed.

    >>> dice_of("2d6+2")
    DiceSum(dice=2, plus=2)
    >>> dice_of("1d6-3")
    DiceSum(dice=1, plus=-3)
    """
    count, plus = spec.split("d6")
    if not plus:
        return DiceSum(int(count), 0)
    return DiceSum(int(count), int(plus))


class Modifiers(Strict, frozen=True, kw_only=True):
    """The printed modifiers of a roll, each with what it adds."""

    traps: int = 0
    """While tank traps remain."""
    craft_hit: int = 0
    """If landing craft were hit in the turn before."""
    half_bunkers: int = 0
    """Once half of the bunkers are gone."""
    no_bunkers: int = 0
    """Once all bunkers are gone."""
    per_dozen: int = 0
    """For each full dozen of squads ashore."""


class ResultRow(Strict, frozen=True, kw_only=True):
    """One row of a table. It has one effect at most; with none of them nothing happens."""

    rolls: tuple[int, int]
    """The least and the greatest total that leads to this row."""
    name: str = ""
    """The arm that comes to fire, ``Bombers``; empty if the rules name none."""
    kill: DiceSpec | None = None
    """The dice for how many squads are killed."""
    tank: Literal["any", "no_flail"] | None = None
    """The tanks of which one is lost: any, or those without a flail."""
    craft: bool = False
    """Whether a landing craft is hit."""
    remove: DiceSpec | None = None
    """The dice for how many points are removed from one of the ``targets``."""
    targets: tuple[DefenceId, ...] = msgspec.field(name="from", default=())


class PhaseStep(Strict, frozen=True, kw_only=True, omit_defaults=True):
    """A step of a phase: dice, and what they do."""

    does: Literal["remove", "squads", "tanks", "table", "nothing"]
    """Points are removed from a defence, squads or tanks land, or a row of a table says what
    happens. Nothing is done by ``NO_STEP`` only."""
    dice: DiceSpec
    modifiers: Modifiers = Modifiers()
    targets: tuple[DefenceId, ...] = msgspec.field(name="from", default=())
    """The defences from which points may be removed."""
    bars: tuple[DefenceId, ...] = msgspec.field(name="once", default=())
    """The defences that must all be gone before this step is possible."""
    craters: dict[DefenceId, DiceSpec] = msgspec.field(default_factory=dict)
    """The targets whose loss makes craters, with the dice for how many points of ditches."""
    type: DiceSpec = ""
    """The die for the type of each tank that lands; empty where none does."""
    row: tuple[ResultRow, ...] = ()
    """The rows of the table."""

    def row_index(self, total: int) -> int:
        """The index of the row for ``total``; a total off the table counts as its nearest row (B4,
        B5)."""
        for index, row in enumerate(self.row):
            _, last_roll = row.rolls
            if total <= last_roll:
                return index
        return len(self.row) - 1


NO_STEP = PhaseStep(does="nothing", dice="")
"""Stands for the step of a task that belongs to no step, such as filling the hand."""


class Phase(Strict, frozen=True, kw_only=True):
    """One of the eighteen phases of a turn. It is skipped without one of the tanks it ``needs``,
    without the defence in ``skipped_without``, and before ``from_turn``."""

    id: PhaseId
    name: str
    side: Literal["allied", "german"] = "allied"
    needs: tuple[TankId, ...] = ()
    skipped_without: DefenceId | None = None
    from_turn: Positive = 1
    step: tuple[PhaseStep, ...] = ()

    @property
    def late_step(self) -> PhaseStep:
        """The first step that is possible only once other defences are gone. Only for phases
        that have one."""
        return next(step for step in self.step if step.bars)


class Defence(Strict, frozen=True, kw_only=True):
    """A line of defence with its points at the start; the game is won when all that ``wins`` are
    gone."""

    id: DefenceId
    name: str
    points: Positive
    wins: bool = False


class Tank(Strict, frozen=True, kw_only=True):
    """A kind of tank."""

    id: TankId
    name: str
    names: str
    """The plural of its name."""
    about: str
    """A sentence about it, without the full stop."""
    faces: tuple[int, ...]
    """The faces of the die for its type."""
    flail: bool = False
    """Whether it has a flail, so that no mine hits it."""

    @property
    def noun(self) -> str:
        """Its name inside a sentence: ``gun tank``, ``AVRE bridge``."""
        begins_with_abbreviation = self.name[1:2].isupper()
        if begins_with_abbreviation:
            return self.name
        return self.name.lower()


class Card(Strict, frozen=True, kw_only=True):
    """What the cards of a rank do. Each has one of the three effects."""

    rank: int
    name: str
    sets: Face | None = None
    """The face to which it turns a die."""
    shifts: int = 0
    """What it adds to a roll."""
    does: Literal["reroll", "repeat", "draw"] | None = None
    """Whether it re-rolls dice, repeats the phase, or draws cards."""


class Hand(Strict, frozen=True, kw_only=True):
    """The hand of cards."""

    full: Positive
    """Up to how many cards it is filled."""
    keep: Count
    """How many cards may be kept at the end of a turn."""
    redraw: Count
    """How many cards may be exchanged, once a turn."""
    general: Positive
    """How many cards a General draws."""


class Omaha(Strict, frozen=True, kw_only=True):
    """How the variant of Omaha Beach differs."""

    without: tuple[DefenceId, ...]
    """The defences that it does not have."""
    lands: tuple[TankId, ...]
    """The kinds of tank that land there, that of ``gun_tank`` first."""

    @property
    def gun_tank(self) -> TankId:
        """The kind as which, by a ruling, all tanks land (B27)."""
        return self.lands[0]


class Ruleset(Strict, frozen=True, kw_only=True, dict=True):
    """The numbers of ``data/beach_head/game.toml``; a game embeds them in its opening. Lists have
    names in the singular, since each defence is one ``[[defence]]`` in the file. The class has a
    ``dict`` to store its cached property."""

    format: Literal[1]
    """The version of the form of the file."""
    dozen: Positive
    """How many squads count as a dozen for ``Modifiers.per_dozen``."""
    hand: Hand
    defence: tuple[Defence, ...]
    omaha: Omaha
    card: tuple[Card, ...]
    tank: tuple[Tank, ...]
    phase: tuple[Phase, ...]

    def defence_of(self, id: str) -> Defence:
        """The defence with this id."""
        return next(defence for defence in self.defence if defence.id == id)

    def tank_of(self, id: str) -> Tank:
        """The kind of tank with this id."""
        return next(tank for tank in self.tank if tank.id == id)

    def tank_by_face(self, total: int) -> Tank:
        """The type of a landing tank; cards may carry its die below 1 or above 6."""
        face = min(6, max(1, total))
        return next(tank for tank in self.tank if face in tank.faces)

    def card_of(self, card: Draw) -> Card:
        """The rule of a card, by its rank."""
        return next(rule for rule in self.card if rule.rank == card.rank)

    def listed(self, ids: Sequence[str], conjunction: str = "or") -> str:
        """Defences inside a sentence: ``mines, walls or barbed wire``."""
        *first_names, last_name = [self.defence_of(id).name.lower() for id in ids]
        if not first_names:
            return last_name
        return f"{', '.join(first_names)} {conjunction} {last_name}"

    @cached_property
    def _places(self) -> dict[str, int]:
        """The index of each phase in the turn, by its id."""
        return {phase.id: index for index, phase in enumerate(self.phase)}

    def place(self, phase_id: str) -> int:
        """The index of a phase in the turn."""
        return self._places[phase_id]


def signs(cards: Iterable[Draw]) -> str:
    """Cards by their ranks, ``A 7 10``: suits make no difference."""
    return " ".join(card.rank_sign for card in cards)


def read_ruleset(raw: Mapping[str, Any]) -> Ruleset:
    """The ruleset in the tables of its data file. Raises DataError."""
    return read(raw, Ruleset, "beach_head/game.toml")


class BeachSetup(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a game depends on; it never reads the data files again.

    ``rulings`` answers all of them; ``named`` is the name of these answers, a preset's if it has
    one. ``dice`` and ``cards`` are the program's (seeded) or the player's own; without ``cards``
    the game is played without a hand. In games of ``version`` 1 a value set on one of several dice
    took away a plus or minus that lay on it, and own dice always waited for a second key.
    ``revision`` is that of the data files whose numbers and rulings these are. Journals store
    ``ruleset`` and ``named`` under the names that they had in the first games.
    """

    ruleset: Ruleset = msgspec.field(name="manual")
    rulings: dict[str, str]
    variant: Variant = "normandy"
    dice: Source
    cards: Source | None = None
    named: str = msgspec.field(default="printed", name="reading")
    player: str = ""
    revision: str = ""
    version: int = 1  # journals of the first games name none

    @property
    def in_force(self) -> RulingsInForce:
        """What the answers to the rulings do in this game."""
        return RulingsInForce(self.rulings)

    @property
    def is_omaha(self) -> bool:
        """Whether the variant of Omaha Beach is played."""
        return self.variant == "omaha"

    @property
    def title(self) -> str:
        """The name of the game with its variant."""
        if self.is_omaha:
            return "Beach Head, Omaha"
        return "Beach Head"

    @property
    def left_out(self) -> tuple[DefenceId, ...]:
        """The defences that this beach does not have; they count as gone (B28)."""
        if self.is_omaha:
            return self.ruleset.omaha.without
        return ()

    @property
    def defences(self) -> tuple[Defence, ...]:
        """The defences of this beach."""
        left_out = self.left_out
        return tuple(defence for defence in self.ruleset.defence if defence.id not in left_out)

    def points(self) -> dict[DefenceId, int]:
        """The points of every defence at the start, 0 for those left out."""
        left_out = self.left_out
        points: dict[DefenceId, int] = {}
        for defence in self.ruleset.defence:
            if defence.id in left_out:
                points[defence.id] = 0
            else:
                points[defence.id] = defence.points
        return points

    @property
    def most_ditches(self) -> int | None:
        """The most ditches that craters can make: as many as at the start; None if there is no
        limit (B15)."""
        if self.in_force.ditches_are_limited:
            return self.points()["ditches"]
        return None

    def landed_as(self, kind: TankId) -> TankId | None:
        """The kind of tank that lands if ``kind`` is rolled, which may differ at Omaha (B27); None
        if no tank lands."""
        if not self.is_omaha or kind in self.ruleset.omaha.lands:
            return kind
        if self.all_tanks_are_guns:
            return self.ruleset.omaha.gun_tank
        return None

    @property
    def all_tanks_are_guns(self) -> bool:
        """Whether every tank lands as a gun tank, so that its type is not rolled for (B27)."""
        return self.is_omaha and self.in_force.all_tanks_land_as_guns_at_omaha
