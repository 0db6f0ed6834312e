"""The NumPy engine: every step is done for all games of a batch at once.

All games of a batch are at the same point of the same turn. A game that is won is recorded and
plays on until the turn is over, when it leaves the batch; that costs less than masking it out at
every step.
"""

from __future__ import annotations

import numpy as np

from skirmish.games.beach_head.simulate import programme as lowered
from skirmish.games.beach_head.simulate.arrays import Chance, Numbers, Start, Truths
from skirmish.games.beach_head.simulate.policy import Policy, Seen

MOST_TURNS = 1_000
"""No policy that removes anything takes as many turns."""


class Endless(ValueError):  # noqa: N818  (what the games are)
    """The policy never ends these games."""

    def __init__(self) -> None:
        super().__init__(
            f"After {MOST_TURNS} turns games are not over; the policy must be aiming at what is "
            "gone."
        )


def play(
    programme: lowered.Programme,
    matrix: Numbers,
    chance: Chance,
    policy: Policy,
    start: Start = Start(),  # noqa: B008  (it cannot change)
    *,
    stages: int | None = None,
) -> Numbers:
    """Plays from ``start`` to the end, or for ``stages`` stages, and returns the new matrix.
    ``matrix`` is rows x games and is not changed."""
    return _Batch(programme, matrix.copy(), chance, policy, start.turn).play(start.stage, stages)


class _Batch:
    """The beaches of a batch (rows x games), the indices of their games, and their dice."""

    def __init__(
        self,
        programme: lowered.Programme,
        matrix: Numbers,
        chance: Chance,
        policy: Policy,
        turn: int,
    ) -> None:
        self.programme, self.matrix, self.chance = programme, matrix, chance
        self.at = lowered.rows(programme)
        self.ids = np.arange(matrix.shape[1])
        self.policy = policy
        self.done = np.empty_like(matrix)
        self.won = np.zeros(matrix.shape[1], bool)
        self.any_won = False
        self.turn = turn
        self.phase = ""
        self.before = matrix
        self.craters: Truths | None = None

    def play(self, place: int, stages: int | None) -> Numbers:
        left = -1 if stages is None else stages
        if place == 0:
            self.turn_begins()
        while len(self.ids) and left:
            if place == len(self.programme.stages):
                place = 0
                self.leave()
                self.turn += 1
                if self.turn > MOST_TURNS:
                    raise Endless
                self.turn_begins()
                continue
            self.stage(self.programme.stages[place])
            place += 1
            left -= 1
        self.leave()
        self.done[:, self.ids] = self.matrix
        return self.done

    # -------------------------------------------------------------- turns and phases

    def turn_begins(self) -> None:
        at, matrix = self.at, self.matrix
        if self.turn > 1 or matrix[at.craft].any():
            matrix[at.craft_before] = matrix[at.craft]
            matrix[at.craft] = 0
        matrix[at.traps_at_turn] = matrix[self.programme.traps]
        matrix[at.squads_at_turn] = matrix[at.squads]

    def leave(self) -> None:
        if not self.any_won:
            return
        stay = ~self.won
        self.matrix = self.matrix[:, stay]
        self.ids = self.ids[stay]
        self.won = np.zeros(len(self.ids), bool)
        self.any_won = False

    def score(self, *, now: bool) -> None:
        """Records the games that are won, if they may be won ``now``."""
        if not now:
            return
        standing = self.matrix[self.programme.wins[0]].copy()
        for column in self.programme.wins[1:]:
            standing |= self.matrix[column]
        new = (standing == 0) & ~self.won
        which = np.flatnonzero(new)
        if len(which):
            self.matrix[self.at.turn, which] = self.turn
            self.done[:, self.ids[which]] = self.matrix[:, which]
            self.won |= new
            self.any_won = True

    def stage(self, stage: lowered.Stage) -> None:
        self.phase = stage.phase
        if stage.phase == "end":
            self.score(now=True)
        if not stage.acts or self.turn < stage.from_turn:
            return
        matrix = self.matrix
        there: Truths | None = None
        if stage.needs:
            tanks = self.tanks(stage)
            most = int(tanks.max(initial=0))
            if not most:
                return
            there = tanks > 0
        if stage.without != lowered.NONE:
            there = _both(there, matrix[stage.without] > 0)
        if stage.needs_squads:
            there = _both(there, matrix[self.at.squads] > 0)
        if any(isinstance(act, lowered.RemoveAct) and act.looks_back for act in stage.acts):
            self.before = matrix[: len(self.programme.defences)].copy()
        if not stage.each_tank:
            self.acts(stage.acts, there)
            return
        for number in range(most):
            self.acts(stage.acts, _both(there, tanks > number))

    def tanks(self, stage: lowered.Stage) -> Numbers:
        tanks = np.zeros(len(self.ids), np.int16)
        for kind in stage.needs:
            tanks += self.matrix[self.at.tanks + kind]
        return tanks

    def acts(self, acts: tuple[lowered.Act, ...], there: Truths | None) -> None:
        for act in acts:
            match act:
                case lowered.RemoveAct():
                    self.remove(act, there)
                case lowered.SquadsAct():
                    self.land(act, there)
                case lowered.TanksAct():
                    self.land_tanks(act, there)
                case lowered.TableAct():
                    self.look_up(act, there)
        if self.craters is not None:
            for act in acts:
                if isinstance(act, lowered.RemoveAct) and act.crater:
                    self.dig(act.crater, self.craters)
            self.craters = None

    # -------------------------------------------------------------- dice

    def roll(self, throw: lowered.RollSpec) -> Numbers:
        count = len(self.ids)
        total = self.chance.faces(count).copy()
        for _ in range(throw.dice - 1):
            total += self.chance.faces(count)
        if throw.plus:
            total += np.int16(throw.plus)
        least = throw.dice + throw.plus
        programme, at, matrix = self.programme, self.at, self.matrix
        if throw.traps:
            row = at.traps_at_turn if programme.ruled("B17", "turn_start") else programme.traps
            total += np.int16(throw.traps) * (matrix[row] > 0)
            least += min(0, throw.traps)
        if throw.craft_hit:
            hits = matrix[at.craft_before]
            hits = hits if programme.ruled("B6", "each") else hits > 0
            total += np.int16(throw.craft_hit) * hits
            least = -1
        if throw.half_bunkers or throw.no_bunkers:
            total += self.bunkers(throw)
            least += min(0, throw.half_bunkers) + min(0, throw.no_bunkers)
        if throw.per_dozen:
            row = at.squads_at_turn if programme.ruled("B34", "turn_start") else at.squads
            total += np.int16(throw.per_dozen) * (matrix[row] // np.int16(programme.dozen))
        return np.maximum(total, 0) if least < 0 else total

    def bunkers(self, throw: lowered.RollSpec) -> Numbers:
        programme = self.programme
        left = self.matrix[programme.bunkers]
        half = left <= programme.points[programme.bunkers] // 2
        gone = left == 0
        if throw.no_bunkers and not programme.ruled("B3", "cumulative"):
            half = half & ~gone
        found: Numbers = np.int16(throw.half_bunkers) * half + np.int16(throw.no_bunkers) * gone
        return found

    # -------------------------------------------------------------- removals

    def remove(self, act: lowered.RemoveAct, there: Truths | None) -> None:
        if act.once:
            there = _both(there, self.gone(act.once, looks_back=act.looks_back))
        if not act.every or (there is not None and not there.any()):
            return
        if len(act.every) == 1:
            self.take_off(act.targets[0], self.roll(act.throw), there)
        else:
            self.choose_and_remove(act, there)
        wins = any(one in self.programme.wins for one in act.every)
        self.score(now=wins and self.programme.ruled("B18", "at_once"))

    def gone(self, columns: tuple[int, ...], *, looks_back: bool = False) -> Truths:
        seen = self.before if looks_back else self.matrix
        standing = seen[columns[0]].copy()
        for column in columns[1:]:
            standing |= seen[column]
        found: Truths = standing == 0
        return found

    def choose_and_remove(self, act: lowered.RemoveAct, there: Truths | None) -> None:
        legal = self.legal(act)
        points = self.roll(act.throw) if self.programme.ruled("B40", "after") else None
        seen = Seen(self.programme, self.matrix, self.turn, self.phase, act.every, points)
        chosen = self.policy.choose(seen, legal, self.chance)
        if points is None:
            points = self.roll(act.throw)
        for place, column in enumerate(act.every):
            self.take_off(column, points, _both(there, chosen == place))
            if column == act.cratered and act.crater:
                hit = _both(there, chosen == place)
                if self.programme.ruled("B38", "craters"):
                    self.dig(act.crater, hit)
                else:
                    self.craters = hit

    def legal(self, act: lowered.RemoveAct) -> list[Truths]:
        """For each target, the games in which it is legal (B11)."""
        stands = [self.matrix[column] > 0 for column in act.every]
        if act.also:
            open_too = self.gone(act.also_once)
            for place in range(len(act.targets), len(act.every)):
                stands[place] = stands[place] & open_too
        if not self.programme.idle:
            return stands
        some = stands[0].copy()
        for one in stands[1:]:
            some |= one
        may = [
            some if column in self.programme.idle else np.zeros_like(some) for column in act.every
        ]
        if act.also:
            for place in range(len(act.targets), len(act.every)):
                may[place] = may[place] & open_too
        return may

    def take_off(self, column: int, points: Numbers, where: Truths | None) -> None:
        row = self.matrix[column]
        left = row - points if where is None else row - points * where
        np.maximum(left, 0, out=row)

    def dig(self, crater: lowered.RollSpec, where: Truths) -> None:
        if not where.any():
            return
        programme = self.programme
        row = self.matrix[programme.ditches]
        points = self.roll(crater) * where
        if programme.ruled("B15", "cap"):
            room = np.maximum(np.int16(programme.points[programme.ditches]) - row, 0)
            points = np.minimum(points, room)
        row += points

    # -------------------------------------------------------------- landings

    def land(self, act: lowered.SquadsAct, there: Truths | None) -> None:
        landed = self.roll(act.throw)
        self.matrix[self.at.squads] += landed if there is None else landed * there

    def land_tanks(self, act: lowered.TanksAct, there: Truths | None) -> None:
        landed = self.roll(act.throw)
        if there is not None:
            landed = landed * there
        for number in range(int(landed.max(initial=0))):
            which = np.flatnonzero(landed > number)
            faces = self.chance.faces(len(which))
            kinds = np.array([lowered.NONE, *act.kinds], np.int16)[faces]
            for kind in set(act.kinds) - {lowered.NONE}:
                self.matrix[self.at.tanks + kind, which[kinds == kind]] += 1

    # -------------------------------------------------------------- tables

    def look_up(self, act: lowered.TableAct, there: Truths | None) -> None:
        total = self.roll(act.throw)
        lost: Numbers | None = None
        below: Truths | None = None
        for number, row in enumerate(act.rows):
            last = number == len(act.rows) - 1
            up_to = np.ones(len(total), bool) if last else total <= row.highest
            here = _both(there, up_to if below is None else up_to & ~below)
            below = up_to
            if row.kill:
                if here.any():
                    killed = self.roll(row.kill) * here
                    lost = killed if lost is None else lost + killed
            else:
                self.row(row, here)
        if lost is not None:
            self.kill(lost)

    def row(self, row: lowered.TableActRow, here: Truths) -> None:
        if row.craft:
            self.matrix[self.at.craft] += here
        elif row.loses:
            self.lose_tank(row, here)
        elif row.remove:
            self.remove(row.remove, here)

    def kill(self, lost: Numbers) -> None:
        squads = self.matrix[self.at.squads]
        killed = np.minimum(lost, squads)
        squads -= killed
        scored = lost if self.programme.ruled("B2", "rolled") else killed
        self.matrix[self.at.casualties] += scored

    def lose_tank(self, row: lowered.TableActRow, here: Truths) -> None:
        which = np.flatnonzero(here)
        tanks = self.matrix[self.at.tanks + np.array(row.loses)[:, None], which[None, :]]
        count = tanks.sum(axis=0, dtype=np.int16)
        some = count > 0
        which, tanks, count = which[some], tanks[:, some], count[some]
        if not len(which):
            return
        self.matrix[self.at.tanks_lost, which] += 1
        if row.given:
            columns = tuple(self.at.tanks + kind for kind in row.loses)
            seen = Seen(self.programme, self.matrix[:, which], self.turn, self.phase, columns)
            given = self.policy.give(seen, [one > 0 for one in tanks], self.chance)
            for place, kind in enumerate(row.loses):
                self.matrix[self.at.tanks + kind, which[given == place]] -= 1
            return
        lot = self.chance.below(count)
        for place, kind in enumerate(row.loses):
            self.matrix[self.at.tanks + kind, which[(lot >= 0) & (lot < tanks[place])]] -= 1
            lot -= np.where(lot >= 0, tanks[place], 0).astype(np.int16)


def _both(one: Truths | None, other: Truths) -> Truths:
    return other if one is None else one & other
