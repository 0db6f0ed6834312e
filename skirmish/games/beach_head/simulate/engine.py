"""Plays millions of games without cards, in chunks with a seed each, and adds up the tallies.

A chunk's dice depend only on the seed and its number, so the result is the same for any number of
workers in any order. Every step is done for all games of a chunk at once: they are at the same
point of the same turn. A game that is won is recorded and plays on until the turn is over, when it
leaves the others; that costs less than masking it out at every step.

The phases, their dice and modifiers come from the ruleset, and what a ruling does from
``rulings.RulingsInForce``, both of which the game itself reads as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, as_completed, wait
from typing import NamedTuple

import numpy as np
from numpy.random import PCG64DXSM, Generator, SeedSequence

from skirmish.games.beach_head.events import BeachOpened
from skirmish.games.beach_head.ruleset import (
    NO_STEP,
    BeachSetup,
    DefenceId,
    Modifiers,
    Phase,
    PhaseStep,
    ResultRow,
    TankId,
    dice_of,
)
from skirmish.games.beach_head.simulate.arrays import Beaches, Chance, Numbers, Truths, beaches_of
from skirmish.games.beach_head.simulate.policy import Policy, Situation
from skirmish.games.beach_head.simulate.statistics import GamesTally, tallied
from skirmish.games.beach_head.state import FollowingPhase

MOST_TURNS = 1_000
"""No policy that removes anything takes as many turns."""
CHUNK = 20_000
"""Games per chunk. With another number the same seed gives other games."""
WAITING = 8
"""Chunks handed out beyond those being played, so that no worker waits for its next one."""
FIRST_PHASE = FollowingPhase(turn=1, place=0)
"""The phase with which a game begins."""


class Endless(ValueError):  # noqa: N818  (what the games are)
    """The policy never ends these games."""


class Job(NamedTuple):
    """A simulation, as it is sent to the workers; cards and dice of the set-up are not used."""

    setup: BeachSetup
    policy: Policy
    seed: int


def play_chunk(job: Job, number: int, games: int) -> GamesTally:
    """Plays the first ``games`` of chunk ``number`` (from 0)."""
    begun = beaches_of(BeachOpened(setup=job.setup).apply(None), games)
    seed = SeedSequence(job.seed, spawn_key=(number,))
    return tallied(play(job.setup, begun, job.policy, seed))


def simulate(
    job: Job, games: int, executor: Executor | None = None, *, workers: int = 1
) -> Iterator[GamesTally]:
    """The tallies of the chunks as they finish; their sum is the result so far. ``workers``: the
    number of workers of the executor, which may be Dask's or any other that returns futures."""
    sizes = _chunk_sizes(games)
    if executor is None:
        for number, size in enumerate(sizes):
            yield play_chunk(job, number, size)
        return
    waiting: set[Future[GamesTally]] = set()
    try:
        for number, size in enumerate(sizes):
            waiting.add(executor.submit(play_chunk, job, number, size))
            if len(waiting) >= workers + WAITING:
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for chunk in done:
                    yield chunk.result()
        for chunk in as_completed(waiting):
            yield chunk.result()
    finally:
        for chunk in waiting:
            chunk.cancel()


def _chunk_sizes(games: int) -> Iterator[int]:
    """The games of each chunk: all chunks are full but the last."""
    for first in range(0, games, CHUNK):
        yield min(CHUNK, games - first)


def together(tallies: Iterable[GamesTally]) -> GamesTally:
    """The sum of the tallies."""
    return sum(tallies, GamesTally())


def play(
    setup: BeachSetup,
    beaches: Beaches,
    policy: Policy,
    seed: SeedSequence,
    start: FollowingPhase = FIRST_PHASE,
) -> Beaches:
    """The beaches at the end of their games, played from the phase ``start`` on. Raises Endless."""
    turn, next_phase = start
    batch = Batch(setup, beaches, policy, seed, turn)
    # In the middle of a turn, what the last one did is known already.
    if next_phase == 0:
        batch.begin_turn()
    while len(batch.ids):
        for phase in setup.ruleset.phase[next_phase:]:
            batch.play_phase(phase)
        batch.leave()
        next_phase = 0
        batch.turn += 1
        if batch.turn > MOST_TURNS:
            raise Endless(
                f"After {MOST_TURNS} turns games are not over; the policy must be aiming at what "
                "is gone."
            )
        batch.begin_turn()
    return batch.ended


class Batch:
    """Many games that are played together, always at the same phase of the same turn.

    ``beaches`` are those of the games still being played, ``ended`` those of all games as they
    ended; ``ids`` tells for each of the former its place in the latter. ``won`` are the games that
    are won and leave once the turn is over. ``must_fall`` are the defences whose fall wins a game.
    ``begun`` is the newly opened game, which knows what its rulings change. ``at_phase`` is the
    beach as the phase began, where a step looks back to it; ``cratered`` are the games whose
    craters of this phase are still to be dug (B38).

    Everywhere below, ``where`` are the games that a step concerns, None for all of them.
    """

    def __init__(
        self, setup: BeachSetup, beaches: Beaches, policy: Policy, seed: SeedSequence, turn: int
    ) -> None:
        self.setup, self.policy, self.turn = setup, policy, turn
        self.begun = BeachOpened(setup=setup).apply(None)
        self.in_force = setup.in_force
        self.chance = Chance(Generator(PCG64DXSM(seed)))
        self.beaches = {name: counts.copy() for name, counts in beaches.items()}
        self.ended = {name: counts.copy() for name, counts in beaches.items()}
        self.ids = np.arange(len(beaches["turn"]))
        self.won = np.zeros(len(self.ids), bool)
        self.phase = setup.ruleset.phase[0]
        self.at_phase = beaches  # replaced before it is read, in phases that look back
        self.cratered: Truths | None = None
        self.must_fall = [defence.id for defence in setup.ruleset.defence if defence.wins]
        # Asked for the first turn of each phase: before that it is too early on every beach.
        self.not_at_this_beach = [
            phase.id
            for phase in setup.ruleset.phase
            if self.begun.skip_reason(phase, phase.from_turn) == "not_here"
        ]

    # -------------------------------------------------------------- turns and phases

    def begin_turn(self) -> None:
        """What this turn did becomes what the last one did."""
        # What is looked back at is copied: removals and losses change the arrays in place. The
        # hits need no copy, since the new turn counts its own in another array.
        beaches = self.beaches
        beaches["craft_hit_before"] = beaches["craft_hit"]
        beaches["craft_hit"] = np.zeros_like(beaches["turn"])
        beaches["traps_at_turn"] = beaches["traps"].copy()
        beaches["squads_at_turn"] = beaches["squads"].copy()

    def leave(self) -> None:
        """At the end of a turn, takes the games that are won away from those being played."""
        if self.won.any():
            stay = ~self.won
            self.beaches = {name: counts[stay] for name, counts in self.beaches.items()}
            self.ids, self.won = self.ids[stay], self.won[stay]

    def win(self) -> None:
        """Records the games that are newly won as they are now: that is how they ended."""
        newly_won = _gone(self.beaches, self.must_fall) & ~self.won
        indices = np.flatnonzero(newly_won)
        if not len(indices):
            return
        self.beaches["turn"][indices] = self.turn
        for name, counts in self.beaches.items():
            self.ended[name][self.ids[indices]] = counts[indices]
        self.won |= newly_won

    def play_phase(self, phase: Phase) -> None:
        """Plays a phase in all games that do not skip it."""
        self.phase = phase
        if phase.id == "end":  # where the game does not end at once, it ends here (B18)
            self.win()
        if not phase.step or self.turn < phase.from_turn or phase.id in self.not_at_this_beach:
            return
        tanks = self._count_tanks(phase)
        if phase.needs and not tanks.any():
            return
        where = self._games_that_play(phase, tanks)
        if any(step.bars and self.begun.uses_phase_start(step) for step in phase.step):
            self.at_phase = {name: self.beaches[name].copy() for name in self.begun.defences}
        if phase.needs and self.in_force.each_tank_rolls:
            for number in range(int(tanks.max())):  # a tank at a time, all its steps (B7)
                self.play_steps(_both(where, tanks > number))
        else:
            self.play_steps(where)

    def _count_tanks(self, phase: Phase) -> Numbers:
        """How many tanks each game has for a phase."""
        tanks = np.zeros(len(self.ids), np.int16)
        for kind in phase.needs:
            tanks += self.beaches[kind]
        return tanks

    def _games_that_play(self, phase: Phase, tanks: Numbers) -> Truths | None:
        """The games that do not skip the phase (``BeachState.skip_reason``); None for all. Phases
        with nothing left to remove are played: their removals take nothing off."""
        where: Truths | None = None
        if phase.needs:
            where = tanks > 0
        if phase.skipped_without:
            where = _both(where, self.beaches[phase.skipped_without] > 0)
        if phase.id in self.in_force.phases_that_need_squads:
            where = _both(where, self.beaches["squads"] > 0)
        return where

    def play_steps(self, where: Truths | None) -> None:
        """The steps of the phase once, then the craters that waited for its trench roll (B38)."""
        for step in self.phase.step:
            match step.does:
                case "remove":
                    self.remove(step, where)
                case "squads":
                    self.land_squads(step, where)
                case "tanks":
                    self.land_tanks(step, where)
                case _:
                    self.look_up(step, where)
        if self.cratered is not None:
            # Only the walls leave craters, so that all of a phase are dug in the same games.
            for step in self.phase.step:
                for crater_dice in step.craters.values():
                    self.dig(crater_dice, self.cratered)
            self.cratered = None

    # -------------------------------------------------------------- dice

    def roll(self, spec: str, adds: Modifiers = NO_STEP.modifiers) -> Numbers:
        """The dice of ``spec`` with the modifiers in force, at least 0 (B1), for every game. The
        game itself lists the same modifiers one by one (``BeachState.modifiers``)."""
        count, plus = dice_of(spec)
        # A copy, as what ``faces`` gives is a part of its supply, and the sum is made in place.
        total = self.chance.faces(len(self.ids)).copy()
        for _ in range(count - 1):
            total += self.chance.faces(len(self.ids))
        total += np.int16(plus)
        if adds.traps:
            self._add_traps(total, adds)
        if adds.craft_hit:
            self._add_craft_hit(total, adds)
        if adds.half_bunkers or adds.no_bunkers:
            self._add_bunkers(total, adds)
        if adds.per_dozen:
            self._add_dozens(total, adds)
        return np.maximum(total, 0, out=total)

    def _add_traps(self, total: Numbers, adds: Modifiers) -> None:
        """The modifier while tank traps stand, now or as the turn began (a ruling)."""
        traps = self.beaches["traps"]
        if self.in_force.traps_count_as_the_turn_began:
            traps = self.beaches["traps_at_turn"]
        total += np.int16(adds.traps) * (traps > 0)

    def _add_craft_hit(self, total: Numbers, adds: Modifiers) -> None:
        """The modifier for landing craft hit in the turn before, for each or once (a ruling)."""
        hits = self.beaches["craft_hit_before"]
        if not self.in_force.every_craft_hit_counts:
            hits = np.minimum(hits, 1)
        total += np.int16(adds.craft_hit) * hits

    def _add_bunkers(self, total: Numbers, adds: Modifiers) -> None:
        """The modifiers for half the bunkers and for none; whether both count together is a
        ruling."""
        bunkers = self.beaches["bunkers"]
        half = bunkers <= self.setup.points()["bunkers"] // 2
        no_bunkers = bunkers == 0
        if adds.no_bunkers and not self.in_force.bunker_modifiers_add_up:
            half = half & ~no_bunkers
        total += np.int16(adds.half_bunkers) * half + np.int16(adds.no_bunkers) * no_bunkers

    def _add_dozens(self, total: Numbers, adds: Modifiers) -> None:
        """The modifier for each full dozen of squads ashore."""
        squads = self.beaches["squads"]
        if self.in_force.squads_count_as_the_turn_began:
            squads = self.beaches["squads_at_turn"]
        total += np.int16(adds.per_dozen) * (squads // np.int16(self.setup.ruleset.dozen))

    # -------------------------------------------------------------- removals

    def remove(self, step: PhaseStep, where: Truths | None) -> None:
        """Removes points from a target of a step. Where the engineers have one roll for both their
        steps (B9), the targets of the later one are targets of the first roll as well, in the games
        in which the way to them is open."""
        begun, phase = self.begun, self.phase
        in_the_way = begun.bars_of(phase, step)
        late_targets: dict[DefenceId, Truths] = {}
        if begun.removes_in_one_roll(phase):
            if in_the_way:  # the later step: the roll of the first has had its targets
                return
            way_is_open = _gone(self.beaches, phase.late_removal.bars)
            late_targets = dict.fromkeys(phase.late_removal.targets, way_is_open)
        elif in_the_way:
            defences = self.beaches
            if begun.uses_phase_start(step):
                defences = self.at_phase
            where = _both(where, _gone(defences, in_the_way))
        if where is not None and not where.any():
            return
        names = (*step.targets, *late_targets)
        if len(names) == 1:
            self.take_off(names[0], self.roll(step.dice, step.modifiers), where)
        else:
            self.choose_and_remove(step, late_targets, where)
        # Won games play on until the turn is over, but what they are now is what counts.
        if self.in_force.wins_at_once and any(name in self.must_fall for name in names):
            self.win()

    def choose_and_remove(
        self, step: PhaseStep, late_targets: dict[DefenceId, Truths], where: Truths | None
    ) -> None:
        """Removes points from the target that the policy chooses in each game. ``late_targets``:
        further targets, with the games in which the way to them is open."""
        names = (*step.targets, *late_targets)
        legal = self._legal_targets(names, late_targets)
        points: Numbers | None = None
        if not self.in_force.target_comes_first:
            points = self.roll(step.dice, step.modifiers)
        situation = Situation(self.beaches, self.turn, self.phase.id, names, points)
        chosen = self.policy.choose(situation, legal, self.chance)
        if points is None:  # the target came first; the policy did not see this roll
            points = self.roll(step.dice, step.modifiers)
        for index, name in enumerate(names):
            hit = _both(where, chosen == index)
            self.take_off(name, points, hit)
            if name in step.craters and "ditches" not in self.setup.left_out:
                self._add_crater(step.craters[name], hit)

    def _legal_targets(
        self, names: Sequence[DefenceId], late_targets: dict[DefenceId, Truths]
    ) -> list[Truths]:
        """For each of ``names`` the games in which it may be chosen: it stands, or (B11) anything
        else does."""
        standing = [_both(late_targets.get(name), self.beaches[name] > 0) for name in names]
        if not self.in_force.may_fire_at_what_is_gone:
            return standing
        any_stands = np.logical_or.reduce(standing)
        legal = []
        for name in names:
            on_this_beach = name not in self.setup.left_out
            legal.append(_both(late_targets.get(name), any_stands & on_this_beach))
        return legal

    def take_off(self, name: str, points: Numbers, where: Truths | None) -> None:
        """Takes points off a defence; any excess is lost (B10)."""
        counts = self.beaches[name]
        left = counts - _only(points, where)
        np.maximum(left, 0, out=counts)

    def _add_crater(self, crater_dice: str, hit: Truths) -> None:
        """Craters are dug at once, or after the other steps of the phase (B38)."""
        if self.in_force.craters_come_first:
            self.dig(crater_dice, hit)
        else:
            self.cratered = hit

    def dig(self, crater_dice: str, where: Truths) -> None:
        """Adds ditches, where they are limited up to as many as there were at first (B15)."""
        if not where.any():
            return
        ditches = self.beaches["ditches"]
        points = self.roll(crater_dice) * where
        most = self.setup.most_ditches
        if most is not None:
            room = np.maximum(np.int16(most) - ditches, 0)
            points = np.minimum(points, room)
        ditches += points

    # -------------------------------------------------------------- landings and tables

    def land_squads(self, step: PhaseStep, where: Truths | None) -> None:
        """Adds the squads that land."""
        # The dice of a landing follow a ruling (B39); those of all other steps are as printed.
        landed = self.roll(self.begun.dice_of_step(step), step.modifiers)
        self.beaches["squads"] += _only(landed, where)

    def land_tanks(self, step: PhaseStep, where: Truths | None) -> None:
        """The dice for types are rolled only for tanks that there are: for the first tank of all
        games, then for the second."""
        landed = _only(self.roll(step.dice, step.modifiers), where)
        ruleset, setup = self.setup.ruleset, self.setup
        kinds = [setup.landed_as(ruleset.tank_by_face(face).id) for face in range(1, 7)]
        for number in range(int(landed.max(initial=0))):
            indices = np.flatnonzero(landed > number)
            faces = self.chance.faces(len(indices))
            for face, kind in enumerate(kinds, 1):
                if kind:  # None: such a tank does not land at this beach (B27)
                    self.beaches[kind][indices[faces == face]] += 1

    def look_up(self, step: PhaseStep, where: Truths | None) -> None:
        """Finds each game's row of a table, and plays every row in its games."""
        row_indices = self._rows_found(step)
        # A game is in one row only, so all losses of squads are one removal at the end, with one
        # look at what is left.
        lost: Numbers | None = None
        for index, row in enumerate(step.row):
            games_of_row = _both(where, row_indices == index)
            if row.kill and games_of_row.any():
                rolled = self.roll(row.kill) * games_of_row
                if lost is not None:
                    rolled = rolled + lost  # of games that found another row
                lost = rolled
            elif row.craft:
                self.beaches["craft_hit"] += games_of_row
            elif row.tank:
                self.lose_tank(row, games_of_row)
            elif row.remove:
                # Fire support: the modifiers of a table are those of its own roll.
                self.remove(
                    PhaseStep(does="remove", dice=row.remove, targets=row.targets), games_of_row
                )
        if lost is not None:
            self.kill(lost)

    def _rows_found(self, step: PhaseStep) -> Numbers:
        """The index of the row for each game's roll: how many rows end below it. Off the table the
        nearest row counts (B4, B5)."""
        total = self.roll(step.dice, step.modifiers)
        row_indices = np.zeros_like(total)
        for row in step.row[:-1]:
            _, last_roll = row.rolls
            row_indices += total > last_roll
        return row_indices

    def kill(self, rolled: Numbers) -> None:
        """Nobody is lost who is not ashore; whether he is scored is a ruling (B2)."""
        squads = self.beaches["squads"]
        killed = np.minimum(rolled, squads)
        squads -= killed
        scored = killed
        if self.in_force.whole_roll_is_scored:
            scored = rolled
        self.beaches["casualties"] += scored

    def lose_tank(self, row: ResultRow, games_of_row: Truths) -> None:
        """One tank less in the games that found this row and have a tank for it: the player's
        choice (B13), or one by lot, each tank being equally likely."""
        kinds = self._kinds_to_lose(row)
        indices = np.flatnonzero(games_of_row)
        tanks = np.array([self.beaches[kind][indices] for kind in kinds])
        count = tanks.sum(axis=0, dtype=np.int16)
        has_tank = count > 0
        indices, tanks, count = indices[has_tank], tanks[:, has_tank], count[has_tank]
        if not len(indices):
            return
        self.beaches["tanks_lost"][indices] += 1
        if row.tank == "no_flail" and self.in_force.player_gives_the_tank:
            concerned = {name: counts[indices] for name, counts in self.beaches.items()}
            situation = Situation(concerned, self.turn, self.phase.id, tuple(kinds))
            lost = self.policy.give(situation, list(tanks > 0), self.chance)
        else:
            # The tanks stand in a row, kind after kind, and are numbered from 0. The kind of the
            # lot has as many kinds before it as end before that number.
            ends_of_kinds = np.cumsum(tanks, axis=0)
            lots = self.chance.below(count)
            lost = (lots >= ends_of_kinds).sum(axis=0)
        for kind_index, kind in enumerate(kinds):
            self.beaches[kind][indices[lost == kind_index]] -= 1

    def _kinds_to_lose(self, row: ResultRow) -> list[TankId]:
        """The kinds of tank of which a row of a table takes one: all, or all but flails."""
        tanks = self.setup.ruleset.tank
        return [tank.id for tank in tanks if row.tank == "any" or not tank.flail]


def _gone(beaches: Mapping[str, Numbers], names: Sequence[str]) -> Truths:
    """The games in which all of ``names`` are gone."""
    standing = beaches[names[0]].copy()
    for name in names[1:]:
        standing |= beaches[name]
    gone: Truths = standing == 0
    return gone


def _both(where: Truths | None, condition: Truths) -> Truths:
    """The games of ``where`` (None: all) for which a condition holds."""
    if where is None:
        return condition
    return where & condition


def _only(counts: Numbers, where: Truths | None) -> Numbers:
    """The counts, 0 outside the games of ``where``."""
    if where is None:
        return counts
    return counts * where
