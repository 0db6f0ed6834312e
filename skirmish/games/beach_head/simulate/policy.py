"""Policies: random, a plan, or any rule that can choose for many games at once.

The simulator asks a policy wherever there is more than one legal target: a plan, which is data, or
any other object with a ``name``, ``choose`` and ``give``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

import msgspec

from skirmish.games.beach_head.ruleset import DefenceId, TankId

if TYPE_CHECKING:  # plans are read, and followed one game at a time, without NumPy
    from skirmish.games.beach_head.simulate.arrays import Beaches, Chance, Numbers, Truths

MOST = 9_999
"""Greater than any count."""


class Situation(NamedTuple):
    """The information for a policy: the beaches of the games and the question."""

    beaches: Beaches
    turn: int
    phase: str
    targets: tuple[str, ...]
    """The possible targets, or kinds of tank to lose; a choice is an index into them."""
    points: Numbers | None = None
    """The result of the dice, where they come first (B40)."""

    def counted(self, quantity: str) -> Numbers | int:
        """``turn``, ``squads``, ``points`` or a defence or kind of tank by id, for every game."""
        if quantity == "turn":
            return self.turn
        if quantity != "points":
            return self.beaches[quantity]
        # Not rolled yet: any number of points may come, so that every ``least`` is met.
        if self.points is None:
            return MOST
        return self.points


class Policy(Protocol):
    """Chooses for many games at once."""

    @property
    def name(self) -> str:
        """What the statistics call it."""

    def choose(self, situation: Situation, legal: list[Truths], chance: Chance) -> Numbers:
        """The choice in every game: the index in ``situation.targets`` of one of the ``legal``
        targets; -1 if there is none."""

    def give(self, situation: Situation, there: list[Truths], chance: Chance) -> Numbers:
        """The kind of tank to lose in every game (B13): an index into ``there``; -1 if there is
        none."""


class Uniform(msgspec.Struct, frozen=True):
    """Every legal choice is equally likely."""

    name: str = "uniform"

    def choose(self, situation: Situation, legal: list[Truths], chance: Chance) -> Numbers:
        """Any legal target, all with the same chance."""
        return chance.one_of(legal)

    def give(self, situation: Situation, there: list[Truths], chance: Chance) -> Numbers:
        """Any kind of tank that is there, all with the same chance."""
        return chance.one_of(there)


class When(msgspec.Struct, frozen=True):
    """A condition: the ``quantity`` (see ``Situation.counted``) is from ``least`` to ``most``."""

    quantity: str
    least: int = 0
    most: int = MOST


class Prefer(msgspec.Struct, frozen=True):
    """Aim at ``target`` if it stands and all conditions hold."""

    target: DefenceId
    when: tuple[When, ...] = ()


class Offer(NamedTuple):
    """An option that a plan considers, as its index among those there are, and the conditions
    under which it is chosen."""

    option: int
    conditions: tuple[When, ...]


class Plan(msgspec.Struct, frozen=True):
    """Preferences by phase: the first that applies is chosen, then the targets as printed. A phase
    without preferences of its own uses those under ``""``."""

    name: str
    wishes: dict[str, tuple[Prefer, ...]] = {}
    gives: tuple[TankId, ...] = ()
    """The kinds of tank to lose first, where the player chooses."""

    def wishes_in(self, phase: str) -> tuple[Prefer, ...]:
        """The preferences of a phase."""
        return self.wishes.get(phase, self.wishes.get("", ()))

    def offers(self, phase: str, names: Sequence[str]) -> list[Offer]:
        """The options in the order in which they are considered, as indices into ``names``."""
        wishes = [wish for wish in self.wishes_in(phase) if wish.target in names]
        offers = [Offer(names.index(wish.target), wish.when) for wish in wishes]
        for index in range(len(names)):  # then whatever there is, as printed
            offers.append(Offer(index, ()))
        return offers

    def choose(self, situation: Situation, legal: list[Truths], chance: Chance) -> Numbers:
        """The first legal target of the plan."""
        import numpy as np  # noqa: PLC0415

        chosen = np.full(len(legal[0]), -1, np.int16)
        undecided = np.ones(len(chosen), bool)
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

    def give(self, situation: Situation, there: list[Truths], chance: Chance) -> Numbers:
        """The first kind of tank of the plan that is there."""
        import numpy as np  # noqa: PLC0415

        kinds_to_give: list[str] = [kind for kind in self.gives if kind in situation.targets]
        kinds_to_keep = [kind for kind in situation.targets if kind not in kinds_to_give]
        # The last to be given comes first: each kind takes the place of those given after it.
        chosen = np.full(len(there[0]), -1, np.int16)
        for kind in reversed([*kinds_to_give, *kinds_to_keep]):
            index = situation.targets.index(kind)
            chosen[there[index]] = index
        return chosen


# ------------------------------------------------------------------ those there are

WEAK_BUNKERS = 30
"""The number of bunkers at which the defenders weaken."""
LAST_BUNKERS = 10
"""The number of bunkers at which petards turn to the walls: later than all others, since petards
that fire at walls dig craters."""


def _fire_plan(few_bunkers: int) -> tuple[Prefer, ...]:
    """Bunkers first; walls once there are so few bunkers."""
    return (
        Prefer("walls", (When("bunkers", most=few_bunkers),)),
        Prefer("bunkers"),
        Prefer("walls"),
    )


# ``docs/beach-head.md`` says what the plan saves. Trenches come first wherever they are a target:
# clearing them wins. Engineers turn to ditches, mines and traps last.
BETTER = Plan(
    "better",
    {
        "lcs": _fire_plan(WEAK_BUNKERS),
        "engineers": (
            Prefer("trenches"),
            *_fire_plan(WEAK_BUNKERS),
            # Through the wire the infantry reaches the bunkers.
            Prefer("wire", (When("bunkers", least=1),)),
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
"""The policies of the simulator: a random target, the first in printed order, and the best plan we
found."""
