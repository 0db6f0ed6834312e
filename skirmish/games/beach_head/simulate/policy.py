"""Policies choose the targets in simulated games, in many games at once.

``Uniform`` chooses at random, a ``Plan`` follows preferences that are data. Any other object that
fits ``Policy`` will do. The simulator asks the policy wherever a step has more than one target.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

import msgspec

from skirmish.games.beach_head.ruleset import DefenceId, TankId

if TYPE_CHECKING:  # plans are read, and followed one game at a time, without NumPy
    from skirmish.games.beach_head.simulate.arrays import Beaches, Chance, Numbers, Truths

NO_LIMIT = 9_999
"""A limit greater than any count."""


class Situation(NamedTuple):
    """What a policy is asked: for which games, and between which targets."""

    beaches: Beaches
    turn: int
    phase: str
    targets: tuple[str, ...]
    """The possible targets, or the kinds of tank of which one is lost; a choice is an index into
    them."""
    points: Numbers | None = None
    """The result of the dice, where they come first (B40)."""

    def counted(self, quantity: str) -> Numbers | int:
        """A quantity of every game: ``turn``, ``points``, or a count of the beach (``squads``, or
        the id of a defence or of a kind of tank)."""
        if quantity == "turn":
            return self.turn
        if quantity == "points":
            # Before the roll any number of points may come, so that every ``least`` is met.
            if self.points is None:
                return NO_LIMIT
            return self.points
        return self.beaches[quantity]


class Policy(Protocol):
    """Chooses for many games at once."""

    @property
    def name(self) -> str:
        """Its name in the statistics."""

    def choose(self, situation: Situation, legal: list[Truths], chance: Chance) -> Numbers:
        """The target of every game, as an index into ``situation.targets``; -1 where none is
        legal. ``legal``: for each of the targets, the games in which it may be chosen."""

    def give(self, situation: Situation, ashore: list[Truths], chance: Chance) -> Numbers:
        """The kind of tank that every game loses (B13), as an index into ``situation.targets``; -1
        where there is none. ``ashore``: for each of the kinds, the games that have such a tank."""


class Uniform(msgspec.Struct, frozen=True):
    """Every legal choice is equally likely."""

    name: str = "uniform"

    def choose(self, situation: Situation, legal: list[Truths], chance: Chance) -> Numbers:
        """Any legal target, all with the same chance."""
        return chance.one_of(legal)

    def give(self, situation: Situation, ashore: list[Truths], chance: Chance) -> Numbers:
        """Any kind of tank that is ashore, all with the same chance."""
        return chance.one_of(ashore)


class When(msgspec.Struct, frozen=True):
    """The condition that a ``quantity`` (see ``Situation.counted``) is from ``least`` to
    ``most``."""

    quantity: str
    least: int = 0
    most: int = NO_LIMIT


class Prefer(msgspec.Struct, frozen=True):
    """A preference: aim at ``target`` if it stands and all conditions hold."""

    target: DefenceId
    when: tuple[When, ...] = ()


class Offer(NamedTuple):
    """A target that a plan considers, and the conditions under which it is chosen. ``option``: its
    index among the possible targets."""

    option: int
    conditions: tuple[When, ...]


class Plan(msgspec.Struct, frozen=True):
    """Preferences by phase. The first that applies is chosen; if none does, the first target in
    printed order. A phase without preferences of its own uses those under ``""``."""

    name: str
    preferences: dict[str, tuple[Prefer, ...]] = {}
    gives: tuple[TankId, ...] = ()
    """The kinds of tank to lose first, where the player chooses."""

    def preferences_in(self, phase: str) -> tuple[Prefer, ...]:
        """The preferences of a phase: its own, or those under ``""``."""
        if phase in self.preferences:
            return self.preferences[phase]
        return self.preferences.get("", ())

    def offers(self, phase: str, targets: Sequence[str]) -> list[Offer]:
        """The possible ``targets`` in the order in which the plan considers them: by preference,
        then as printed. A target may come several times, under other conditions."""
        offers = []
        for preference in self.preferences_in(phase):
            if preference.target in targets:
                offers.append(Offer(targets.index(preference.target), preference.when))
        for index in range(len(targets)):
            offers.append(Offer(index, conditions=()))
        return offers

    def choose(self, situation: Situation, legal: list[Truths], chance: Chance) -> Numbers:
        """The first legal target of the plan."""
        import numpy as np  # noqa: PLC0415

        games = len(legal[0])
        chosen = np.full(games, -1, np.int16)
        undecided = np.ones(games, bool)
        for offer in self.offers(situation.phase, situation.targets):
            # A plan never wastes points on what is gone, even where that is legal (B11).
            stands = situation.beaches[situation.targets[offer.option]] > 0
            take = undecided & legal[offer.option] & stands
            for condition in offer.conditions:
                count = situation.counted(condition.quantity)
                take = take & (count >= condition.least) & (count <= condition.most)
            chosen[take] = offer.option
            undecided &= ~take
        return chosen

    def give(self, situation: Situation, ashore: list[Truths], chance: Chance) -> Numbers:
        """The first kind of tank that is ashore: those in ``gives`` first, then the others."""
        import numpy as np  # noqa: PLC0415

        kinds_to_give: list[str] = [kind for kind in self.gives if kind in situation.targets]
        kinds_to_keep = [kind for kind in situation.targets if kind not in kinds_to_give]
        # From the last choice to the first: each kind replaces later choices where it is ashore.
        games = len(ashore[0])
        chosen = np.full(games, -1, np.int16)
        for kind in reversed([*kinds_to_give, *kinds_to_keep]):
            index = situation.targets.index(kind)
            chosen[ashore[index]] = index
        return chosen


# ------------------------------------------------------------------ the policies of the simulator

WEAK_BUNKERS = 30
"""The points of bunkers at which most arms turn to the walls: half of all, at which the defenders
weaken."""
LAST_BUNKERS = 10
"""The points of bunkers at which petards turn to the walls: later than all others, since petards
that fire at walls dig craters."""


def _fire_plan(few_bunkers: int) -> tuple[Prefer, ...]:
    """Fire at the bunkers until no more than ``few_bunkers`` points of them are left, then at the
    walls, then at the last bunkers."""
    return (
        Prefer("walls", (When("bunkers", most=few_bunkers),)),
        Prefer("bunkers"),
    )


# ``docs/beach-head.md`` says how many squads the plan saves. Trenches come first wherever they are
# a target, since clearing them wins.
BETTER = Plan(
    "better",
    {
        "lcs": _fire_plan(WEAK_BUNKERS),
        "engineers": (
            Prefer("trenches"),
            *_fire_plan(WEAK_BUNKERS),
            Prefer("ditches"),
            Prefer("wire"),
            Prefer("mines"),
            Prefer("traps"),
        ),
        "flail": (Prefer("wire"), Prefer("mines")),
        "petard": _fire_plan(LAST_BUNKERS),
        "support": _fire_plan(WEAK_BUNKERS),
        "destroyer": (Prefer("trenches"), *_fire_plan(WEAK_BUNKERS)),
    },
    # AVREs fire petards and bridge ditches; a gun tank only has its gun.
    gives=("gun", "bridge", "fascine"),
)
SIMULATED: dict[str, Policy] = {
    "uniform": Uniform(),
    "plan": Plan("plan"),
    "better": BETTER,
}
"""The policies by their names: a random target, the first in printed order, the best plan."""
