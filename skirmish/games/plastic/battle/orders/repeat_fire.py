"""A run of repeat fire ("Repeat Firing"): its shots so far, and whether a new guy is in sight."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from skirmish.games.plastic.battle import events
from skirmish.games.plastic.battle.agenda import Shooting
from skirmish.games.plastic.battle.rows import Row, row_of
from skirmish.games.plastic.battle.state import State


def new_in_sight(state: State, shot: Shooting, target: Row) -> int:
    """How many of a row are in sight and may be new after this shot of a run of repeat fire, which
    goes on "only if it can see a new guy". With P22 ``not_shot_at`` a man who was shot at and lives
    on is not new."""
    in_sight = len(target.in_sight)
    if state.setup.rulings["P22"] != "not_shot_at":
        return in_sight
    return max(in_sight - _spared(state, shot)[target.key], 0)


@lru_cache(maxsize=8)  # each row that repeat fire might go on to asks for it
def _spared(state: State, last: Shooting) -> Counter[str]:
    """By row, how many were shot at in the run of fire up to this shot and certainly live on, since
    the defender removed a man of another row instead. If he removed one of the same row, nobody can
    say whether it was the man aimed at, and it counts as him."""
    killed_by_shot: dict[int, list[str]] = {}
    for piece, credit in state.lost.items():
        if credit is not None and not credit.breakdown:
            killed_by_shot.setdefault(credit.shot, []).append(piece)
    spared: Counter[str] = Counter()
    for verdict in run_of_fire(state, last):
        shot = verdict.shot
        for piece in killed_by_shot.get(shot.id, ()):
            row_of_killed = row_of(state, piece)
            if row_of_killed != shot.target:
                spared[shot.target] += 1
                # The man killed may be one who was spared before.
                spared[row_of_killed] = max(spared[row_of_killed] - 1, 0)
    return spared


def run_of_fire(state: State, last: Shooting) -> list[events.Judged]:
    """The verdicts of a run of repeat fire in this player turn, from its first shot up to this
    one."""
    first_of_run = 0
    of_weapon: list[events.Judged] = []
    for verdict in state.judged:
        shot = verdict.shot
        same_weapon = shot.piece == last.piece and shot.slot == last.slot
        same_phase = shot.at.phase == last.at.phase
        # The oldest journals stored no ids of shots. Those that ``record`` makes up for them are in
        # no order, so that ``nth`` has to tell which shots came before this one.
        up_to_last = shot.id <= last.id and shot.nth <= last.nth
        if same_weapon and same_phase and up_to_last:
            of_weapon.append(verdict)
            # The same weapon may have fired an earlier run: the latest first shot counts.
            if shot.nth == 1:
                first_of_run = max(first_of_run, shot.id)
    return [verdict for verdict in of_weapon if verdict.shot.id >= first_of_run]
