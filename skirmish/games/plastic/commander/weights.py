"""The weights of the solo commander as data (``data/plastic/commander.toml``), read and checked.

"He" is the commander. A group has so many turns to spare if it gets to its objective that much
earlier than it has to; below 0 it is late.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, TypeAlias, get_args

import msgspec

from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.tabletop.data_file import Problem, Refers, Strict, read, resolved

TemperamentId: TypeAlias = Literal["steady", "bold", "cautious"]
RoleId: TypeAlias = Literal["assault", "base", "hold", "reserve", "delay", "raid", "escort"]
"""``assault`` goes for the objective, and ``base``, the base of fire, supports it from afar;
``hold`` stays where it is; ``reserve`` waits until it is needed; ``delay`` slows the enemy down
from afar; ``raid`` goes straight for its goal, such as a way off the table; ``escort`` goes with
tanks."""
Text = Annotated[str, msgspec.Meta(min_length=1)]
Weight = Annotated[float, msgspec.Meta(gt=0, le=9)]
Chance = Annotated[float, msgspec.Meta(ge=0, le=1)]
Chances = Annotated[tuple[Chance, ...], msgspec.Meta(min_length=1)]
Percent = Annotated[int, msgspec.Meta(ge=0, le=100)]
Percents: TypeAlias = Mapping[RoleId, Percent]
"""The share of a side's points that goes to each role."""
Inches = Annotated[int, msgspec.Meta(ge=0, le=99)]
Few = Annotated[int, msgspec.Meta(ge=1, le=30)]
"""A number of men, turns or lines."""
UnitId = Annotated[str, Refers("unit")]


class Temperament(Strict, frozen=True, kw_only=True):
    """How one commander differs from another. ``kill``, ``ground`` and ``danger`` multiply the
    three terms of a score."""

    name: Text
    kill: Weight
    ground: Weight
    danger: Weight
    least_odds: Weight
    """How much stronger he must be before his models begin a duel."""
    habit: Weight
    """The points that an action gains if it was ordered in the last turn, too."""
    patience: Few
    """When he attacks, he counts on no more turns to spare than these, so that he does not wait for
    the end of the battle."""
    attack: Percents
    """The shares of the roles when he attacks."""


class RoleWeights(Strict, frozen=True, kw_only=True):
    """What kills, ground and danger are worth to a group with a role."""

    name: Text
    kill: Weight
    ground: Weight
    danger: Weight
    keeps_off: Inches = 0
    """It never ends a move within so many inches of an enemy; 0: no limit."""
    stays_within: Inches = 0
    """It never ends a move farther than this from what it escorts; 0: no limit."""


class InTime(Strict, frozen=True):
    """The chance to be at an objective in time."""

    chances: Chances
    """With 0, 1, 2 and more turns to spare."""
    each_further: Chance
    """What is added for each turn beyond the last of these."""
    late: Chance = 0.0
    """A group that is late has the first of the chances, multiplied by this once for each turn that
    is missing; 0: it has none."""

    def chance(self, spare: float) -> float:
        """The chance with so many turns to ``spare``, at most 1. Between whole turns it rises
        evenly."""
        whole = math.floor(spare)
        part = spare - whole
        chance = self._with_whole_turns(whole)
        if part > 0:
            chance += part * (self._with_whole_turns(whole + 1) - chance)
        return chance

    def _with_whole_turns(self, spare: int) -> float:
        """The chance with so many whole turns to spare."""
        if spare < 0:
            turns_missing = -spare
            return float(self.chances[0] * self.late**turns_missing)
        if spare < len(self.chances):
            return self.chances[spare]
        last = len(self.chances) - 1
        return min(self.chances[last] + (spare - last) * self.each_further, 1.0)

    def turn_gained(self, spare: int) -> float:
        """By how much the chance rises if a group comes one turn nearer. With the chances of the
        file that is little while there is time and much at the end, so that no group hurries early
        or idles late."""
        return self.chance(spare) - self.chance(spare - 1)


class Urgency(Strict, frozen=True):
    """What part of the danger counts for a group that victory needs."""

    shares: Chances
    """With 0, 1, 2 and more turns to spare."""

    def share(self, spare: int) -> float:
        """The part that counts with so many turns to ``spare``. A late group has the first share,
        and one with more turns than are listed has the last."""
        last = len(self.shares) - 1
        listed_turns = max(0, min(spare, last))
        return self.shares[listed_turns]


class FireWeights(Strict, frozen=True):
    """How the effect of fire is estimated."""

    foreseen: Chance
    """What a kill in the enemy's next turn counts for, since the target may leave before."""
    choosing: Weight
    """How strongly a shooter prefers the better target: he divides his fire in proportion to this
    power of what he would kill of each."""


class OpFireWeights(Strict, frozen=True):
    """Fire while the enemy moves."""

    lines: Few
    """At most so many things to wait for are announced."""
    now_for: Weight
    """A gun fires at once where that is worth so many times what its later fire is worth."""
    pin: Chance
    """A pin is worth this part of the ground that the pinned group would have gained."""


class PlanWeights(Strict, frozen=True, kw_only=True):
    """How groups are formed and get their roles, and when the plan is made anew."""

    defence: Percents
    """The shares of the roles in the defence."""
    made_for: Mapping[UnitId, RoleId]
    """The roles that some units always get, whatever the shares are."""
    group: tuple[Few, Few]
    """The least and the most men in a group."""
    rifles_beside_a_specialist: Few
    """A group with a specialist has at least so many riflemen."""
    lost_in_a_turn: Chance
    """The plan is made anew when a group has lost this part of itself since it was made (whether in
    one turn or in several)."""
    turns_to_spare: Few
    """The plan is made anew when a group that is needed has no more turns to spare than these.
    Also, a group that has to leave the table fights for its way only while it has more."""
    commits_at: Few
    """With so few turns to spare, a reserve goes to where it is needed."""
    attackers_stake: Weight
    """To an attacker victory is worth so many times the stake of the battle, which is in points of
    the army lists (``stakes``)."""
    # Stored battles have their weights with them, and older ones do not have this one.
    last_effort: Few = 3
    """With so few turns left, a defender attacks if he would lose as things stand."""
    keeps_goal: Weight
    """A group gives up its objective only for one that is so many turns nearer."""
    balance: tuple[Weight, Weight]
    """The plan is made anew when his points at an objective, divided by the enemy's there, are
    below the first or above the second of these."""
    turns: Few
    """The plan is made anew after so many turns."""

    @property
    def outweighed_below(self) -> float:
        """Below this balance the enemy's points outweigh his."""
        return self.balance[0]

    @property
    def outweighs_above(self) -> float:
        """Above this balance his points outweigh the enemy's."""
        return self.balance[1]


class ChoiceWeights(Strict, frozen=True):
    """How the best action is chosen."""

    tie: Weight
    """Scores that differ by no more than this are equal."""
    left_ago: Few
    """For so many turns a group does not readily return to a cell that it has left."""
    return_for: Weight
    """To return there, its score has to be better by so many times the habit."""


class SightShares(Strict, frozen=True):
    """When two cells see each other, by the share of clear lines among all lines between them.
    Where neither is certain, players are asked."""

    seen_from: Chance
    """With at least this share they do."""
    hidden_to: Chance
    """With at most this share they do not."""


class CommanderWeights(Strict, frozen=True, kw_only=True):
    """The whole file: everything about the commander that can be tuned."""

    format: Literal[1]
    # In TOML each is a table of its own: ``[temperament.bold]``.
    temperaments: dict[TemperamentId, Temperament] = msgspec.field(name="temperament")
    roles: dict[RoleId, RoleWeights] = msgspec.field(name="role")
    in_time: InTime
    against_the_enemy: InTime
    """The same where the enemy is in the way."""
    urgency: Urgency
    fire: FireWeights
    op_fire: OpFireWeights
    plan: PlanWeights
    choice: ChoiceWeights
    sight: SightShares

    def chances(self, *, fought_for: bool) -> InTime:
        """The chances to be in time at an objective; ``fought_for``: the enemy is in the way."""
        if fought_for:
            return self.against_the_enemy
        return self.in_time

    def problems(self) -> Iterator[Problem]:
        """What is wrong with values that are each of the right type."""
        yield from _missing_ids("temperament", self.temperaments, get_args(TemperamentId))
        yield from _missing_ids("role", self.roles, get_args(RoleId))
        for id, temperament in self.temperaments.items():
            yield from _wrong_total(f"temperament.{id}.attack", temperament.attack)
        yield from _wrong_total("plan.defence", self.plan.defence)
        yield from _falling_numbers("in_time.chances", self.in_time.chances)
        yield from _falling_numbers("against_the_enemy.chances", self.against_the_enemy.chances)
        yield from _falling_numbers("urgency.shares", self.urgency.shares)
        yield from _falling_numbers("plan.group", self.plan.group)
        yield from _falling_numbers("plan.balance", self.plan.balance)
        yield from _falling_numbers("sight", (self.sight.hidden_to, self.sight.seen_from))


def _missing_ids(key: str, present: Collection[str], needed: Iterable[str]) -> Iterator[Problem]:
    """A problem for each of the ``needed`` ids that a table of the file leaves out."""
    for id in needed:
        if id not in present:
            yield Problem(f"{key}.{id}", "is missing.")


def _wrong_total(key: str, percents: Percents) -> Iterator[Problem]:
    """A problem where the shares of the roles do not add up to the whole side."""
    total = sum(percents.values())
    if total != 100:
        yield Problem(key, f"adds up to {total} %, not to 100.")


def _falling_numbers(key: str, numbers: Sequence[float]) -> Iterator[Problem]:
    """A problem where a number is less than the one before it."""
    if list(numbers) != sorted(numbers):
        yield Problem(key, "falls; each number must be at least as large as the one before.")


def read_weights(raw: Mapping[str, Any], catalog: Catalog, file: str) -> CommanderWeights:
    """The weights in the contents of a file such as ``commander.toml``. ``file``: its name, for
    messages. Raises DataError with everything that is wrong."""
    weights = read(raw, CommanderWeights, file, CommanderWeights.problems)
    return resolved(weights, file, unit=catalog.units)
