"""Plays millions of games without cards, in chunks with a seed each, and adds up the tallies.

A chunk's dice depend only on the seed and its number, so the result is the same for any number of
workers in any order. Every step is done for all games of a chunk at once: they are at the same
point of the same turn. A game that is won is recorded, plays on until the turn is over, and leaves
the others then; that takes less time than leaving it out of every step.

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
from skirmish.games.beach_head.simulate.tally import GamesTally, tallied
from skirmish.games.beach_head.state import FollowingPhase

MOST_TURNS = 1_000
"""A game that takes more turns will never end: every policy that removes anything takes fewer."""
CHUNK = 20_000
"""Games per chunk. With another number the same seed gives other games."""
CHUNKS_IN_RESERVE = 8
"""Chunks handed out beyond those being played, so that no worker waits for its next one."""
NO_MODIFIERS = Modifiers()
FIRST_PHASE = FollowingPhase(turn=1, place=0)
"""The phase with which a game begins."""


class Endless(ValueError):  # noqa: N818  (what the games are)
    """Games under this policy never end."""


class Job(NamedTuple):
    """What a simulation plays, as it is sent to the workers. The cards and dice of the set-up are
    not used."""

    setup: BeachSetup
    policy: Policy
    seed: int


def play_chunk(job: Job, number: int, games: int) -> GamesTally:
    """Plays the first ``games`` games of the chunk with this ``number``, from 0."""
    opened = BeachOpened(setup=job.setup).apply(None)
    beaches = beaches_of(opened, games)
    seed = SeedSequence(job.seed, spawn_key=(number,))
    return tallied(play(job.setup, beaches, job.policy, seed))


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
    handed_out: set[Future[GamesTally]] = set()
    try:
        for number, size in enumerate(sizes):
            handed_out.add(executor.submit(play_chunk, job, number, size))
            if len(handed_out) >= workers + CHUNKS_IN_RESERVE:
                done, handed_out = wait(handed_out, return_when=FIRST_COMPLETED)
                for chunk in done:
                    yield chunk.result()
        for chunk in as_completed(handed_out):
            yield chunk.result()
    finally:
        # The caller may stop before the last chunk, and an executor would play on.
        for chunk in handed_out:
            chunk.cancel()


def _chunk_sizes(games: int) -> Iterator[int]:
    """The number of games in each chunk: every chunk is full, except perhaps the last."""
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
    batch = Batch(setup, beaches, policy, seed, start.turn)
    # The beaches of a game in progress already have the counts as their turn began.
    starts_in_mid_turn = start.place > 0
    if not starts_in_mid_turn:
        batch.begin_turn()
    phases = setup.ruleset.phase[start.place :]
    while len(batch.ids):
        for phase in phases:
            batch.play_phase(phase)
        batch.remove_won_games()
        phases = setup.ruleset.phase  # of every further turn all are played
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

    A method that is given ``games`` concerns only the games of the batch that are true in this
    array; None stands for all of them, which spares an array of nothing but true.
    """

    def __init__(
        self, setup: BeachSetup, beaches: Beaches, policy: Policy, seed: SeedSequence, turn: int
    ) -> None:
        self.setup, self.policy, self.turn = setup, policy, turn
        # The newly opened game, which is asked for what its rulings change.
        self.opened = BeachOpened(setup=setup).apply(None)
        self.in_force = setup.in_force
        self.chance = Chance(Generator(PCG64DXSM(seed)))
        # The beaches of the games still being played, and those of all games as they ended.
        self.beaches = {name: counts.copy() for name, counts in beaches.items()}
        self.ended = {name: counts.copy() for name, counts in beaches.items()}
        # For each game still being played, its index in ``ended``.
        self.ids = np.arange(len(beaches["turn"]))
        # The games still being played that are won, and leave once the turn is over.
        self.won = np.zeros(len(self.ids), bool)
        self.phase = setup.ruleset.phase[0]
        # The beaches as the phase began; replaced before they are read, in phases that look back.
        self.at_phase_start = beaches
        # The games in which this phase is still to dig craters, after its other steps (B38).
        self.with_craters_to_dig: Truths | None = None
        # The defences that must all be gone to win.
        self.must_fall = [defence.id for defence in setup.ruleset.defence if defence.wins]
        # The question is about the first turn of each phase: before it, every beach skips the phase
        # as too early.
        self.phases_not_here = [
            phase.id
            for phase in setup.ruleset.phase
            if self.opened.skip_reason(phase, phase.from_turn) == "not_here"
        ]

    # -------------------------------------------------------------- turns and phases

    def begin_turn(self) -> None:
        """Copies what the rules of the new turn look back to: the hits of the turn before, and the
        traps and squads at its own start."""
        # Removals and losses change the arrays of traps and squads in place. The hits need no copy:
        # the new turn counts its own in another array.
        beaches = self.beaches
        beaches["craft_hit_before"] = beaches["craft_hit"]
        beaches["craft_hit"] = np.zeros_like(beaches["turn"])
        beaches["traps_at_turn"] = beaches["traps"].copy()
        beaches["squads_at_turn"] = beaches["squads"].copy()

    def remove_won_games(self) -> None:
        """Takes the games that are won out of those being played, once the turn is over."""
        if self.won.any():
            not_won = ~self.won
            self.beaches = {name: counts[not_won] for name, counts in self.beaches.items()}
            self.ids, self.won = self.ids[not_won], self.won[not_won]

    def record_won_games(self) -> None:
        """Records how the games that are newly won ended: as they stand now."""
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
        if phase.id == "end":  # a game that does not end at once ends here (B18)
            self.record_won_games()
        # These reasons to skip a phase are the same for all games (``BeachState.skip_reason``).
        if not phase.step or self.turn < phase.from_turn or phase.id in self.phases_not_here:
            return
        tanks = self._count_tanks(phase)
        if phase.needs and not tanks.any():
            return
        games = self._games_that_play(phase, tanks)
        if any(step.bars and self.opened.uses_phase_start(step) for step in phase.step):
            self.at_phase_start = {name: self.beaches[name].copy() for name in self.opened.defences}
        if phase.needs and self.in_force.each_tank_rolls:
            # One tank after another plays all steps (B7), in the games that have so many.
            for number in range(int(tanks.max())):
                self.play_steps(_both(games, tanks > number))
        else:
            self.play_steps(games)

    def _count_tanks(self, phase: Phase) -> Numbers:
        """How many tanks each game has that play a phase."""
        tanks = np.zeros(len(self.ids), np.int16)
        for kind in phase.needs:
            tanks += self.beaches[kind]
        return tanks

    def _games_that_play(self, phase: Phase, tanks: Numbers) -> Truths | None:
        """The games that do not skip the phase (``BeachState.skip_reason``); None for all. A phase
        with nothing left to remove need not be skipped: its removals take nothing off."""
        games: Truths | None = None
        if phase.needs:
            games = tanks > 0
        if phase.skipped_without:
            games = _both(games, self.beaches[phase.skipped_without] > 0)
        if phase.id in self.in_force.phases_that_need_squads:
            games = _both(games, self.beaches["squads"] > 0)
        return games

    def play_steps(self, games: Truths | None) -> None:
        """Plays all steps of the phase once, then digs the craters that come after them (B38)."""
        for step in self.phase.step:
            match step.does:
                case "remove":
                    self.remove(step, games)
                case "squads":
                    self.land_squads(step, games)
                case "tanks":
                    self.land_tanks(step, games)
                case "table":
                    self.look_up(step, games)
        if self.with_craters_to_dig is not None:
            # Only one target of a phase leaves craters, the walls: in these games it was hit.
            for step in self.phase.step:
                for crater_dice in step.craters.values():
                    self.dig(crater_dice, self.with_craters_to_dig)
            self.with_craters_to_dig = None

    # -------------------------------------------------------------- dice

    def roll(self, spec: str, modifiers: Modifiers = NO_MODIFIERS) -> Numbers:
        """The dice of ``spec`` with the modifiers in force, at least 0 (B1), for every game. The
        game itself lists the same modifiers one by one (``BeachState.modifiers``)."""
        count, plus = dice_of(spec)
        # The sum is made in place, so that the first faces are copied out of their supply.
        total = self.chance.faces(len(self.ids)).copy()
        for _ in range(count - 1):
            total += self.chance.faces(len(self.ids))
        total += np.int16(plus)
        if modifiers.traps:
            self._add_traps(total, modifiers)
        if modifiers.craft_hit:
            self._add_craft_hit(total, modifiers)
        if modifiers.half_bunkers or modifiers.no_bunkers:
            self._add_bunkers(total, modifiers)
        if modifiers.per_dozen:
            self._add_dozens(total, modifiers)
        return np.maximum(total, 0, out=total)

    def _add_traps(self, total: Numbers, modifiers: Modifiers) -> None:
        """Adds the modifier while tank traps stand, now or as the turn began (B17)."""
        traps = self.beaches["traps"]
        if self.in_force.traps_count_as_the_turn_began:
            traps = self.beaches["traps_at_turn"]
        total += np.int16(modifiers.traps) * (traps > 0)

    def _add_craft_hit(self, total: Numbers, modifiers: Modifiers) -> None:
        """Adds the modifier for landing craft hit in the turn before, once or for each (B6)."""
        hits = self.beaches["craft_hit_before"]
        if not self.in_force.every_craft_hit_counts:
            hits = np.minimum(hits, 1)
        total += np.int16(modifiers.craft_hit) * hits

    def _add_bunkers(self, total: Numbers, modifiers: Modifiers) -> None:
        """Adds the modifiers for half the bunkers and for none."""
        bunkers = self.beaches["bunkers"]
        half_applies = bunkers <= self.setup.points()["bunkers"] // 2
        none_applies = bunkers == 0
        # No bunkers are also half of them or fewer; whether both modifiers count then is a ruling
        # (B3).
        if modifiers.no_bunkers and not self.in_force.bunker_modifiers_add_up:
            half_applies = half_applies & ~none_applies
        total += np.int16(modifiers.half_bunkers) * half_applies
        total += np.int16(modifiers.no_bunkers) * none_applies

    def _add_dozens(self, total: Numbers, modifiers: Modifiers) -> None:
        """Adds the modifier for each full dozen squads ashore, now or as the turn began (B34)."""
        squads = self.beaches["squads"]
        if self.in_force.squads_count_as_the_turn_began:
            squads = self.beaches["squads_at_turn"]
        total += np.int16(modifiers.per_dozen) * (squads // np.int16(self.setup.ruleset.dozen))

    # -------------------------------------------------------------- removals

    def remove(self, step: PhaseStep, games: Truths | None) -> None:
        """Removes points from a target of a step, in the games in which the way to it is open."""
        opened, phase = self.opened, self.phase
        bars = opened.bars_of(phase, step)
        late_targets: dict[DefenceId, Truths] = {}
        if opened.removes_in_one_roll(phase):
            # The engineers have one roll for both their steps (B9). It comes at the first step, and
            # the targets of the late step, which is the one with bars, are among its own.
            if bars:
                return
            late_targets = self._late_targets(phase.late_step)
        elif bars:
            defences = self.beaches
            if opened.uses_phase_start(step):
                defences = self.at_phase_start
            games = _both(games, _gone(defences, bars))
        if games is not None and not games.any():
            return
        names = (*step.targets, *late_targets)
        if len(names) == 1:
            # A step with a single target digs no craters.
            self.take_off(names[0], self.roll(step.dice, step.modifiers), games)
        else:
            self.choose_and_remove(step, late_targets, games)
        if self.in_force.wins_at_once and any(name in self.must_fall for name in names):
            self.record_won_games()

    def _late_targets(self, late_step: PhaseStep) -> dict[DefenceId, Truths]:
        """The targets of the engineers' late step, each with the games in which the way to it is
        open now."""
        way_is_open = _gone(self.beaches, late_step.bars)
        return dict.fromkeys(late_step.targets, way_is_open)

    def choose_and_remove(
        self, step: PhaseStep, late_targets: dict[DefenceId, Truths], games: Truths | None
    ) -> None:
        """Removes points from the target that the policy chooses in each game."""
        names = (*step.targets, *late_targets)
        legal = self._legal_targets(names, late_targets)
        points: Numbers | None = None
        if not self.in_force.target_comes_first:
            points = self.roll(step.dice, step.modifiers)
        situation = Situation(self.beaches, self.turn, self.phase.id, names, points)
        chosen = self.policy.choose(situation, legal, self.chance)
        if points is None:  # the target comes first: the policy must not see this roll (B40)
            points = self.roll(step.dice, step.modifiers)
        for index, name in enumerate(names):
            hit_games = _both(games, chosen == index)
            self.take_off(name, points, hit_games)
            if name in step.craters and "ditches" not in self.setup.left_out:
                self._dig_now_or_later(step.craters[name], hit_games)

    def _legal_targets(
        self, names: Sequence[DefenceId], late_targets: dict[DefenceId, Truths]
    ) -> list[Truths]:
        """For each of ``names`` the games in which it may be chosen: it stands there, or (B11) any
        of them does."""
        standing = [_both(late_targets.get(name), self.beaches[name] > 0) for name in names]
        if not self.in_force.may_fire_at_what_is_gone:
            return standing
        any_stands = np.logical_or.reduce(standing)
        legal = []
        for name in names:
            on_this_beach = name not in self.setup.left_out
            legal.append(_both(late_targets.get(name), any_stands & on_this_beach))
        return legal

    def take_off(self, name: str, points: Numbers, games: Truths | None) -> None:
        """Takes points off a defence; any excess is lost (B10)."""
        counts = self.beaches[name]
        left = counts - _only(points, games)
        np.maximum(left, 0, out=counts)

    def _dig_now_or_later(self, crater_dice: str, hit_games: Truths) -> None:
        """Digs craters at once, or leaves them until the other steps are over (B38)."""
        if self.in_force.craters_come_first:
            self.dig(crater_dice, hit_games)
        else:
            self.with_craters_to_dig = hit_games

    def dig(self, crater_dice: str, games: Truths) -> None:
        """Adds ditches; where they are limited, up to as many as there were at the start (B15)."""
        if not games.any():
            return
        ditches = self.beaches["ditches"]
        points = self.roll(crater_dice) * games
        most = self.setup.most_ditches
        if most is not None:
            room = np.maximum(np.int16(most) - ditches, 0)
            points = np.minimum(points, room)
        ditches += points

    # -------------------------------------------------------------- landings and tables

    def land_squads(self, step: PhaseStep, games: Truths | None) -> None:
        """Adds the squads that land."""
        # The dice of this landing depend on a ruling (B39).
        landed = self.roll(self.opened.dice_of_step(step), step.modifiers)
        self.beaches["squads"] += _only(landed, games)

    def land_tanks(self, step: PhaseStep, games: Truths | None) -> None:
        """Adds the tanks that land. A die is rolled for the type of each: for the first tank of all
        games that have one, then for the second, and so on."""
        landed = _only(self.roll(step.dice, step.modifiers), games)
        ruleset, setup = self.setup.ruleset, self.setup
        kinds = [setup.landed_as(ruleset.tank_by_face(face).id) for face in range(1, 7)]
        for number in range(int(landed.max(initial=0))):
            indices = np.flatnonzero(landed > number)
            faces = self.chance.faces(len(indices))
            for face, kind in enumerate(kinds, 1):
                if kind:  # None: such a tank does not land at this beach (B27)
                    self.beaches[kind][indices[faces == face]] += 1

    def look_up(self, step: PhaseStep, games: Truths | None) -> None:
        """Finds the row of a table for each game, and plays every row in its games."""
        row_indices = self._row_indices(step)
        # A game has one row only, so that the squads killed in all rows can be taken off at once. A
        # row has one effect at most.
        killed: Numbers | None = None
        for index, row in enumerate(step.row):
            games_of_row = _both(games, row_indices == index)
            if row.kill and games_of_row.any():  # without games its dice are not rolled
                killed_in_row = self.roll(row.kill) * games_of_row
                if killed is None:
                    killed = killed_in_row
                else:
                    killed = killed + killed_in_row
            elif row.craft:
                self.beaches["craft_hit"] += games_of_row
            elif row.tank:
                self.lose_tank(row, games_of_row)
            elif row.remove:
                # The modifiers of the step were those of the roll for the row.
                removal = PhaseStep(does="remove", dice=row.remove, targets=row.targets)
                self.remove(removal, games_of_row)
        if killed is not None:
            self.kill(killed)

    def _row_indices(self, step: PhaseStep) -> Numbers:
        """The index of the row for each game's roll: the number of rows that end below it. Off the
        table the nearest row counts (B4, B5), so that the end of the last row is not looked at."""
        total = self.roll(step.dice, step.modifiers)
        row_indices = np.zeros_like(total)
        for row in step.row[:-1]:
            _, last_roll = row.rolls
            row_indices += total > last_roll
        return row_indices

    def kill(self, rolled: Numbers) -> None:
        """Takes off the squads killed, but no more than are ashore. Whether those that were not
        there are scored is a ruling (B2)."""
        squads = self.beaches["squads"]
        killed = np.minimum(rolled, squads)
        squads -= killed
        scored = killed
        if self.in_force.whole_roll_is_scored:
            scored = rolled
        self.beaches["casualties"] += scored

    def lose_tank(self, row: ResultRow, games_of_row: Truths) -> None:
        """Takes off one tank in the games of this row that have one to lose: the player's choice
        (B13), or one by lot."""
        kinds = self._losable_kinds(row)
        indices = np.flatnonzero(games_of_row)
        # A row for each kind, a column for each game.
        tanks = np.array([self.beaches[kind][indices] for kind in kinds])
        has_tank = tanks.any(axis=0)
        indices, tanks = indices[has_tank], tanks[:, has_tank]
        if not len(indices):
            return
        self.beaches["tanks_lost"][indices] += 1
        if row.tank == "no_flail" and self.in_force.player_gives_the_tank:
            beaches = {name: counts[indices] for name, counts in self.beaches.items()}
            situation = Situation(beaches, self.turn, self.phase.id, tuple(kinds))
            lost_kinds = self.policy.give(situation, list(tanks > 0), self.chance)
        else:
            lost_kinds = self._kinds_by_lot(tanks)
        for kind_index, kind in enumerate(kinds):
            self.beaches[kind][indices[lost_kinds == kind_index]] -= 1

    def _kinds_by_lot(self, tanks: Numbers) -> Numbers:
        """The kind of the tank that each game loses by lot, as its index; every tank is equally
        likely. ``tanks`` counts them by kind and game."""
        # The tanks of a game are numbered from 0, kind after kind. The index of a tank's kind is
        # the number of kinds that end before the tank.
        ends_of_kinds = np.cumsum(tanks, axis=0)
        lots = self.chance.below(tanks.sum(axis=0, dtype=np.int16))
        kinds: Numbers = (lots >= ends_of_kinds).sum(axis=0)
        return kinds

    def _losable_kinds(self, row: ResultRow) -> list[TankId]:
        """The kinds of tank of which a row of a table takes one: all, or all without a flail."""
        tanks = self.setup.ruleset.tank
        return [tank.id for tank in tanks if row.tank == "any" or not tank.flail]


def _gone(beaches: Mapping[str, Numbers], names: Sequence[str]) -> Truths:
    """The games in which all of ``names`` are gone."""
    # No count is below 0, so that all are 0 if no bit is set in any of them.
    bits = beaches[names[0]].copy()
    for name in names[1:]:
        bits |= beaches[name]
    gone: Truths = bits == 0
    return gone


def _both(games: Truths | None, condition: Truths) -> Truths:
    """Those of ``games`` (None: of all) for which a condition holds."""
    if games is None:
        return condition
    return games & condition


def _only(counts: Numbers, games: Truths | None) -> Numbers:
    """The counts of ``games`` (None: of all), and 0 for the others."""
    if games is None:
        return counts
    return counts * games
