"""Plays millions of games without cards, in chunks with a seed each, and adds up the tallies.

A chunk's dice depend only on the seed and its number, so the result is the same for any number of
workers in any order. Every step is done for all games of a chunk at once: they are at the same
point of the same turn. A game that is won is recorded and plays on until the turn is over, when it
leaves the others; that costs less than masking it out at every step.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, as_completed, wait
from typing import NamedTuple

import numpy as np
from numpy.random import PCG64DXSM, Generator, SeedSequence

from skirmish.games.beach_head import ruleset as printed
from skirmish.games.beach_head.events import BeachOpened
from skirmish.games.beach_head.ruleset import BeachSetup, DefenceId, Modifiers, Phase, PhaseStep
from skirmish.games.beach_head.simulate.arrays import Beaches, Chance, Numbers, Truths, beaches_of
from skirmish.games.beach_head.simulate.policy import Policy, Seen
from skirmish.games.beach_head.simulate.statistics import GamesTally, tallied
from skirmish.games.beach_head.state import WITHOUT_SQUADS

MOST_TURNS = 1_000
"""No policy that removes anything takes as many turns."""
CHUNK = 20_000
"""Games per chunk. Another number gives other games."""
WAITING = 8
"""Chunks handed out beyond those being played."""


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
    sizes = (min(CHUNK, games - first) for first in range(0, games, CHUNK))
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
                yield from (one.result() for one in done)
        yield from (one.result() for one in as_completed(waiting))
    finally:
        for one in waiting:
            one.cancel()


def together(tallies: Iterable[GamesTally]) -> GamesTally:
    return sum(tallies, GamesTally())


def play(
    setup: BeachSetup,
    beaches: Beaches,
    policy: Policy,
    seed: SeedSequence,
    start: tuple[int, int] = (1, 0),
) -> Beaches:
    """The beaches at the end of their games, played from a turn and the index of its next phase.
    Raises Endless."""
    turn, place = start
    batch = Batch(setup, beaches, policy, seed, turn)
    if place == 0:
        batch.begin_turn()
    while len(batch.ids):
        for phase in setup.ruleset.phase[place:]:
            batch.play_phase(phase)
        batch.leave()
        place, batch.turn = 0, batch.turn + 1
        if batch.turn > MOST_TURNS:
            raise Endless(
                f"After {MOST_TURNS} turns games are not over; the policy must be aiming at what "
                "is gone."
            )
        batch.begin_turn()
    return batch.ended


class Batch:
    """The beaches of the games being played, their ``ids``, and the beaches of those ``ended``.
    ``begun`` is the newly opened game, which knows what its rulings change."""

    def __init__(
        self, setup: BeachSetup, beaches: Beaches, policy: Policy, seed: SeedSequence, turn: int
    ) -> None:
        self.setup, self.policy, self.turn = setup, policy, turn
        self.begun = BeachOpened(setup=setup).apply(None)
        self.chance = Chance(Generator(PCG64DXSM(seed)))
        self.beaches = {name: row.copy() for name, row in beaches.items()}
        self.ended = {name: row.copy() for name, row in beaches.items()}
        self.ids = np.arange(len(beaches["turn"]))
        self.won = np.zeros(len(self.ids), bool)
        self.phase = setup.ruleset.phase[0]
        self.at_phase = beaches
        self.cratered: Truths | None = None
        self.wins = [one.id for one in setup.ruleset.defence if one.wins]
        self.never = [
            phase.id
            for phase in setup.ruleset.phase
            if self.begun.skip_reason(phase, phase.from_turn) == "not_here"
        ]

    # -------------------------------------------------------------- turns and phases

    def begin_turn(self) -> None:
        now = self.beaches
        now["craft_hit_before"], now["craft_hit"] = now["craft_hit"], np.zeros_like(now["turn"])
        now["traps_at_turn"], now["squads_at_turn"] = now["traps"].copy(), now["squads"].copy()

    def leave(self) -> None:
        if self.won.any():
            stay = ~self.won
            self.beaches = {name: row[stay] for name, row in self.beaches.items()}
            self.ids, self.won = self.ids[stay], self.won[stay]

    def win(self) -> None:
        """Records the games that are won."""
        new = _gone(self.beaches, self.wins) & ~self.won
        which = np.flatnonzero(new)
        if len(which):
            self.beaches["turn"][which] = self.turn
            for name, row in self.beaches.items():
                self.ended[name][self.ids[which]] = row[which]
            self.won |= new

    def play_phase(self, phase: Phase) -> None:
        self.phase, now, begun = phase, self.beaches, self.begun
        if phase.id == "end":
            self.win()
        if phase.id in self.never or not phase.step or self.turn < phase.from_turn:
            return
        there: Truths | None = None
        tanks = np.zeros(len(self.ids), np.int16)
        for kind in phase.needs:
            tanks += now[kind]
        if phase.needs:
            there = tanks > 0
            if not there.any():
                return
        if phase.skipped_without:
            there = _both(there, now[phase.skipped_without] > 0)
        if phase.id in WITHOUT_SQUADS[self.setup.rulings["B31"]]:
            there = _both(there, now["squads"] > 0)
        if any(step.once and begun.looks_back(step) for step in phase.step):
            self.at_phase = {name: now[name].copy() for name in begun.defences}
        if phase.needs and begun.ruled("B7", "tank"):
            for number in range(int(tanks.max())):
                self.steps(_both(there, tanks > number))
        else:
            self.steps(there)

    def steps(self, there: Truths | None) -> None:
        for step in self.phase.step:
            match step.does:
                case "remove":
                    self.remove(step, there)
                case "squads":
                    landed = self.roll(self.begun.spec_of(step), step.modifiers)
                    self.beaches["squads"] += landed if there is None else landed * there
                case "tanks":
                    self.land_tanks(step, there)
                case _:
                    self.look_up(step, there)
        if self.cratered is not None:
            for step in self.phase.step:
                for crater in step.craters.values():
                    self.dig(crater, self.cratered)
            self.cratered = None

    # -------------------------------------------------------------- dice

    def roll(self, spec: str, adds: Modifiers = printed.NO_STEP.modifiers) -> Numbers:
        count, plus = printed.dice(spec)
        now, ruled = self.beaches, self.begun.ruled
        total = self.chance.faces(len(self.ids)).copy()
        for _ in range(count - 1):
            total += self.chance.faces(len(self.ids))
        total += np.int16(plus)
        if adds.traps:
            traps = now["traps_at_turn" if ruled("B17", "turn_start") else "traps"]
            total += np.int16(adds.traps) * (traps > 0)
        if adds.craft_hit:
            hits = now["craft_hit_before"]
            total += np.int16(adds.craft_hit) * (hits if ruled("B6", "each") else hits > 0)
        if adds.half_bunkers or adds.no_bunkers:
            half = now["bunkers"] <= self.setup.points()["bunkers"] // 2
            gone = now["bunkers"] == 0
            if adds.no_bunkers and not ruled("B3", "cumulative"):
                half = half & ~gone
            total += np.int16(adds.half_bunkers) * half + np.int16(adds.no_bunkers) * gone
        if adds.per_dozen:
            squads = now["squads_at_turn" if ruled("B34", "turn_start") else "squads"]
            total += np.int16(adds.per_dozen) * (squads // np.int16(self.setup.ruleset.dozen))
        return np.maximum(total, 0, out=total)

    # -------------------------------------------------------------- removals

    def remove(self, step: PhaseStep, there: Truths | None) -> None:
        """Removes points from a target of a step; where engineers have one roll for both of theirs
        (B9), those of the later step are targets of the first while its way is open."""
        begun, now, phase = self.begun, self.beaches, self.phase
        later: dict[DefenceId, Truths] = {}
        if once := begun.gone_first(phase, step):
            if begun.is_one_roll(phase):
                return
            seen = self.at_phase if begun.looks_back(step) else now
            there = _both(there, _gone(seen, once))
        elif begun.is_one_roll(phase):
            later = dict.fromkeys(phase.late.targets, _gone(now, phase.late.once))
        if there is not None and not there.any():
            return
        names = (*step.targets, *later)
        if len(names) == 1:
            self.take_off(names[0], self.roll(step.dice, step.modifiers), there)
        else:
            self.choose_and_remove(step, later, there)
        if begun.ruled("B18", "at_once") and any(one in self.wins for one in names):
            self.win()

    def choose_and_remove(
        self, step: PhaseStep, later: dict[DefenceId, Truths], there: Truths | None
    ) -> None:
        """``later``: further targets, with the games in which their way is open."""
        ruled, names = self.begun.ruled, (*step.targets, *later)
        legal = [_both(later.get(name), self.beaches[name] > 0) for name in names]
        if ruled("B11", "any"):  # also what is gone, while any target stands
            any_stands = np.logical_or.reduce(legal)
            here = [any_stands & (name not in self.setup.left_out) for name in names]
            legal = [_both(later.get(name), may) for name, may in zip(names, here, strict=True)]
        points = self.roll(step.dice, step.modifiers) if ruled("B40", "after") else None
        seen = Seen(self.beaches, self.turn, self.phase.id, names, points)
        chosen = self.policy.choose(seen, legal, self.chance)
        if points is None:
            points = self.roll(step.dice, step.modifiers)
        for place, name in enumerate(names):
            hit = _both(there, chosen == place)
            self.take_off(name, points, hit)
            if name in step.craters and "ditches" not in self.setup.left_out:
                if ruled("B38", "craters"):
                    self.dig(step.craters[name], hit)
                else:
                    self.cratered = hit

    def take_off(self, name: str, points: Numbers, where: Truths | None) -> None:
        row = self.beaches[name]
        left = row - points if where is None else row - points * where
        np.maximum(left, 0, out=row)

    def dig(self, crater: str, where: Truths) -> None:
        if not where.any():
            return
        row, points = self.beaches["ditches"], self.roll(crater) * where
        if self.setup.most_ditches is not None:
            points = np.minimum(points, np.maximum(np.int16(self.setup.most_ditches) - row, 0))
        row += points

    # -------------------------------------------------------------- landings and tables

    def land_tanks(self, step: PhaseStep, there: Truths | None) -> None:
        landed = self.roll(step.dice, step.modifiers)
        if there is not None:
            landed = landed * there
        ruleset, setup = self.setup.ruleset, self.setup
        lands = [setup.landed_as(ruleset.tank_by_face(face).id) for face in range(1, 7)]
        for number in range(int(landed.max(initial=0))):
            which = np.flatnonzero(landed > number)
            faces = self.chance.faces(len(which))
            for face, kind in enumerate(lands, 1):
                if kind:
                    self.beaches[kind][which[faces == face]] += 1

    def look_up(self, step: PhaseStep, there: Truths | None) -> None:
        total = self.roll(step.dice, step.modifiers)
        last = len(step.row) - 1
        row_of = sum((total > row.rolls[1] for row in step.row[:last]), np.zeros_like(total))
        lost: Numbers | None = None
        for number, row in enumerate(step.row):
            here = _both(there, row_of == number)
            if row.kill and here.any():
                killed = self.roll(row.kill) * here
                lost = killed if lost is None else lost + killed
            elif row.craft:
                self.beaches["craft_hit"] += here
            elif row.tank:
                self.lose_tank(row, here)
            elif row.remove:
                self.remove(PhaseStep(does="remove", dice=row.remove, targets=row.targets), here)
        if lost is not None:
            self.kill(lost)

    def kill(self, lost: Numbers) -> None:
        squads = self.beaches["squads"]
        killed = np.minimum(lost, squads)
        squads -= killed
        self.beaches["casualties"] += lost if self.begun.ruled("B2", "rolled") else killed

    def lose_tank(self, row: printed.ResultRow, here: Truths) -> None:
        kinds = [one.id for one in self.setup.ruleset.tank if row.tank == "any" or not one.flail]
        which = np.flatnonzero(here)
        tanks = np.array([self.beaches[kind][which] for kind in kinds])
        count = tanks.sum(axis=0, dtype=np.int16)
        some = count > 0
        which, tanks, count = which[some], tanks[:, some], count[some]
        if not len(which):
            return
        self.beaches["tanks_lost"][which] += 1
        if row.tank == "no_flail" and self.begun.ruled("B13", "player"):
            few = {name: one[which] for name, one in self.beaches.items()}
            seen = Seen(few, self.turn, self.phase.id, tuple(kinds))
            lost = self.policy.give(seen, list(tanks > 0), self.chance)
        else:
            lost = (self.chance.below(count) >= np.cumsum(tanks, axis=0)).sum(axis=0)
        for place, kind in enumerate(kinds):
            self.beaches[kind][which[lost == place]] -= 1


def _gone(beaches: Beaches, names: Sequence[str]) -> Truths:
    standing = beaches[names[0]].copy()
    for name in names[1:]:
        standing |= beaches[name]
    gone: Truths = standing == 0
    return gone


def _both(one: Truths | None, other: Truths) -> Truths:
    return other if one is None else one & other
