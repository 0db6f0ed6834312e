"""The weights of the solo commander as data (``data/plastic/commander.toml``), read and checked."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, TypeAlias, get_args

import msgspec

from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.tabletop.data_file import Problem, Refers, Strict, read, resolved

TemperamentId: TypeAlias = Literal["steady", "bold", "cautious"]
RoleId: TypeAlias = Literal["assault", "base", "hold", "reserve", "delay", "raid", "escort"]
"""``assault`` goes for the objective; ``base``, the base of fire, supports it from afar; ``hold``
stays on ground; ``reserve`` waits until it is needed; ``delay`` keeps the enemy off; ``raid`` goes
straight for its goal, such as a way out; ``escort`` goes with tanks."""
Text = Annotated[str, msgspec.Meta(min_length=1)]
Weight = Annotated[float, msgspec.Meta(gt=0, le=9)]
Chance = Annotated[float, msgspec.Meta(ge=0, le=1)]
Chances = Annotated[tuple[Chance, ...], msgspec.Meta(min_length=1)]
Percent = Annotated[int, msgspec.Meta(ge=0, le=100)]
Percents: TypeAlias = Mapping[RoleId, Percent]
"""The parts of a side's points that go to each role."""
Inches = Annotated[int, msgspec.Meta(ge=0, le=99)]
Few = Annotated[int, msgspec.Meta(ge=1, le=30)]
"""A number of men, turns or lines."""
UnitId = Annotated[str, Refers("unit")]


class Temperament(Strict, frozen=True, kw_only=True):
    """How one commander differs from another.

    ``kill``, ``ground`` and ``danger`` multiply the three terms of a score. ``least_odds``: how
    much stronger he must be before his models begin a duel. ``habit``: points that an order gains
    for being last turn's. ``patience``: turns to spare with which he reckons at most when he
    attacks. ``attack``: the shares of the roles when he attacks.
    """

    name: Text
    kill: Weight
    ground: Weight
    danger: Weight
    least_odds: Weight
    habit: Weight
    patience: Few
    attack: Percents


class RoleWeights(Strict, frozen=True, kw_only=True):
    """What kills, ground and danger are worth to a group with a role. ``keeps_off``: it never ends
    a move within so many inches of an enemy; ``stays_within``: of what it escorts. 0: no limit."""

    name: Text
    kill: Weight
    ground: Weight
    danger: Weight
    keeps_off: Inches = 0
    stays_within: Inches = 0


class InTime(Strict, frozen=True):
    """The chance to be at an objective in time: ``chances`` with 0, 1, 2 and more turns to spare,
    and ``each_further`` more for each turn beyond the last of these. ``late``: for each turn that
    is missing, the chance with 0 turns to spare is multiplied by it once."""

    chances: Chances
    each_further: Chance
    late: Chance = 0.0

    def chance(self, spare: float) -> float:
        """The chance with so many turns to ``spare``, parts of a turn included; never more than 1.
        Below 0 it is late."""
        whole = math.floor(spare)
        part = spare - whole
        chance = self._with_whole_turns(whole)
        if part:
            chance += part * (self._with_whole_turns(whole + 1) - chance)
        return chance

    def _with_whole_turns(self, spare: int) -> float:
        """The chance with so many whole turns to spare."""
        if spare < 0:
            turns_missing = -spare
            return float(self.chances[0] * self.late**turns_missing)
        if spare < len(self.chances):
            return self.chances[spare]
        further = spare - len(self.chances) + 1
        return min(self.chances[-1] + further * self.each_further, 1.0)

    def turn_gained(self, spare: int) -> float:
        """By how much one turn on the way raises the chance: little while there is time, much at
        the end. So nobody hurries early, and nobody idles late."""
        return self.chance(spare) - self.chance(spare - 1)


class Urgency(Strict, frozen=True):
    """What part of the danger counts for a group that victory needs: ``shares`` with 0, 1, 2 and
    more turns to spare."""

    shares: Chances

    def share(self, spare: int) -> float:
        """The part that counts with so many turns to ``spare``. Whoever is late is in as much of a
        hurry as with none to spare, and who has more than the list goes on for is like the last of
        it."""
        last = len(self.shares) - 1
        return self.shares[max(0, min(spare, last))]


class FireWeights(Strict, frozen=True):
    """How fire is reckoned with. ``foreseen``: what a kill in the enemy's next turn counts for,
    since he may leave before; ``choosing``: the power by which a shooter prefers the better target:
    1 in proportion to what he would kill of each, and the more the higher it is."""

    foreseen: Chance
    choosing: Weight


class OpFire(Strict, frozen=True):
    """Fire while the enemy moves: at most so many ``lines`` are announced. A gun fires at once
    where that is worth ``now_for`` times what waiting is. ``pin``: the part that a pin earns of
    what the ground is worth which it denies to a group."""

    lines: Few
    now_for: Weight
    pin: Chance


class PlanWeights(Strict, frozen=True, kw_only=True):
    """How groups are formed and get their roles, and when the plan is made anew.

    ``defence``: the shares of the roles in the defence. ``made_for``: roles of units, whatever the
    shares say. ``group``: men in a group, at least and at most, with so many
    ``rifles_beside_a_specialist``. ``commits_at``: with so few turns to spare a reserve goes.
    ``attackers_stake``: so many times the stake of the battle is victory worth to an attacker.
    ``last_effort``: with so few turns left a defender attacks who would lose as things stand.
    ``keeps_goal``: another objective must be so many turns nearer to be gone for instead.

    Another plan is made when a group has ``lost_in_a_turn`` that part of itself since the last one,
    when a group that is needed has no more ``turns_to_spare``, when own points at an objective
    leave the ``balance`` (in parts of the enemy's there), and when so many ``turns`` have passed.
    """

    defence: Percents
    made_for: Mapping[UnitId, RoleId]
    group: tuple[Few, Few]
    rifles_beside_a_specialist: Few
    lost_in_a_turn: Chance
    turns_to_spare: Few
    commits_at: Few
    attackers_stake: Weight
    # Battles of earlier versions have their weights with them, without this one.
    last_effort: Few = 3
    keeps_goal: Weight
    balance: tuple[Weight, Weight]
    turns: Few


class ChoiceWeights(Strict, frozen=True):
    """How the best action is chosen. ``tie``: scores that differ by no more are equal. A cell that
    a group left no more than ``left_ago`` turns ago is returned to only for ``return_for`` times
    the habit."""

    tie: Weight
    left_ago: Few
    return_for: Weight


class SightShares(Strict, frozen=True):
    """Of all lines between two cells, the shares of clear ones: from ``seen_from`` on they see each
    other, and up to ``hidden_to`` they do not; between the two, players are asked."""

    seen_from: Chance
    hidden_to: Chance


class CommanderWeights(Strict, frozen=True, kw_only=True):
    """All that can be tuned of the commander: the whole file."""

    format: Literal[1]
    # In TOML each is a table of its own: ``[temperament.bold]``.
    temperaments: dict[TemperamentId, Temperament] = msgspec.field(name="temperament")
    roles: dict[RoleId, RoleWeights] = msgspec.field(name="role")
    in_time: InTime
    against_the_enemy: InTime
    urgency: Urgency
    fire: FireWeights
    op_fire: OpFire
    plan: PlanWeights
    choice: ChoiceWeights
    sight: SightShares

    def chances(self, *, fought_for: bool) -> InTime:
        """The chances to be in time at an objective; ``fought_for``: the enemy is in the way."""
        if fought_for:
            return self.against_the_enemy
        return self.in_time

    def problems(self) -> Iterator[Problem]:
        """What is wrong beyond the form of single values."""
        yield from _missing("temperament", self.temperaments, get_args(TemperamentId))
        yield from _missing("role", self.roles, get_args(RoleId))
        for id, temperament in self.temperaments.items():
            yield from _not_whole(f"temperament.{id}.attack", temperament.attack)
        yield from _not_whole("plan.defence", self.plan.defence)
        yield from _falling("in_time.chances", self.in_time.chances)
        yield from _falling("against_the_enemy.chances", self.against_the_enemy.chances)
        yield from _falling("urgency.shares", self.urgency.shares)
        yield from _falling("plan.group", self.plan.group)
        yield from _falling("plan.balance", self.plan.balance)
        yield from _falling("sight", (self.sight.hidden_to, self.sight.seen_from))


def _missing(key: str, present: Collection[str], needed: Iterable[str]) -> Iterator[Problem]:
    """A problem for each of the ``needed`` ids that a table of the file leaves out."""
    for id in needed:
        if id not in present:
            yield Problem(f"{key}.{id}", "is missing.")


def _not_whole(key: str, percents: Percents) -> Iterator[Problem]:
    """A problem where the shares of the roles are more or less than all of a side."""
    whole = sum(percents.values())
    if whole != 100:
        yield Problem(key, f"adds up to {whole} %, not to 100.")


def _falling(key: str, numbers: Sequence[float]) -> Iterator[Problem]:
    """A problem where numbers that may never fall do so."""
    if list(numbers) != sorted(numbers):
        yield Problem(key, "falls; each number must be at least as large as the one before.")


def read_weights(raw: Mapping[str, Any], catalog: Catalog, file: str) -> CommanderWeights:
    """``data/plastic/commander.toml``; raises DataError with everything that is wrong."""
    weights = read(raw, CommanderWeights, file, CommanderWeights.problems)
    return resolved(weights, file, unit=catalog.units)
