"""Pin tests of fire that is judged again: which have to be drawn now, which are taken back. What a
shot owes when it is fired stands with it, in ``firing``.

Op fire of machine guns pins ("Pinning"): a group draws once for a run of fire or for each gun of a
volley, men who stand alone each for themselves. ``owed_by`` works this out for fire as it is
judged, and ``pins_reviewed`` compares what was owed with what is owed now.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import msgspec

from skirmish.games.plastic.battle import agenda, events
from skirmish.games.plastic.battle.agenda import Agenda, AnyTask, Shooting
from skirmish.games.plastic.battle.names import piece_side, row_side, row_unit
from skirmish.games.plastic.battle.orders.firing import stands_alone
from skirmish.games.plastic.battle.state import State


class MenUnderTest(NamedTuple):
    """Whose test it is: that of groups of a ``row`` or, if ``lone``, of its men who stand alone."""

    row: str
    lone: bool


class Draws(NamedTuple):
    """Draws that are owed: up to so many ``times``, until so many ``men`` (or groups) are pinned.
    None of the men can be pinned twice."""

    times: int
    men: int


class DrawsMade(NamedTuple):
    """The draws made that still count: so many ``times``, and so many men ``pinned`` by them."""

    times: int
    pinned: int


Owed = dict[MenUnderTest, Draws]
"""The draws that fire causes, by who makes them."""
NO_DRAWS = Draws(0, 0)


class PinningShot(NamedTuple):
    """A shot of a single card, and whether it hit."""

    shot: Shooting
    hit: bool


class JudgedFire(msgspec.Struct, frozen=True):
    """A shot with its repeat shots, or a volley, as it is judged: the ``shots`` of single cards and
    the ``counts`` of a volley."""

    shots: tuple[PinningShot, ...] = ()
    counts: tuple[events.HitsCounted, ...] = ()

    @property
    def ids(self) -> set[int]:
        """The numbers under which its pin tests are stored: those of its shots, and that of its
        volley, which is the number of the first shot of it."""
        fired = [judged.shot for judged in self.shots]
        fired += [counted.shot for counted in self.counts]
        numbers = {shot.id for shot in fired}
        # 0: a shot by itself, or a count of an early version, which did not name its volley.
        numbers |= {shot.volley for shot in fired if shot.volley}
        return numbers


def fire_of(state: State, shot: Shooting) -> JudgedFire:
    """The shot with all of its run of fire, or of its volley, as they are judged now."""
    belongs_to_it = _same_run
    if shot.volley:
        belongs_to_it = _same_volley
    shots = []
    for verdict in state.judged_in_turn_of(shot.id):
        if belongs_to_it(verdict.shot, shot):
            shots.append(PinningShot(verdict.shot, verdict.hit))
    counts = []
    for counted in state.counts_in_turn_of(shot.id):
        in_its_volley = shot.volley and counted.shot.volley == shot.volley
        if in_its_volley or counted.shot.id == shot.id:
            counts.append(counted)
    return JudgedFire(tuple(shots), tuple(counts))


def _same_volley(first: Shooting, second: Shooting) -> bool:
    """Whether two shots are of one volley; the second is known to be of some volley (not 0)."""
    return first.volley == second.volley


def _same_run(first: Shooting, second: Shooting) -> bool:
    """Whether two shots are of one run of repeat fire. A weapon fires once in phases 1 and 2
    together, so all that it fires in phase 1 by itself is one run."""
    same_weapon = (first.piece, first.slot) == (second.piece, second.slot)
    return same_weapon and first.at.phase == second.at.phase and not first.volley


def owed_by(state: State, fire: JudgedFire) -> Owed:
    """The pin tests that this fire causes, whether or not they were drawn."""
    pinning = [judged for judged in fire.shots if _pins(state, judged.shot)]
    counts = [counted for counted in fire.counts if _pins(state, counted.shot)]
    is_volley = bool(fire.counts) or any(judged.shot.volley for judged in fire.shots)
    if is_volley:
        return _owed_by_volley(state, fire, pinning, counts)
    return _owed_by_run(state, pinning)


def _pins(state: State, shot: Shooting) -> bool:
    """Whether it is op fire of a machine gun at guys."""
    if not state.options.pinning or shot.at.phase != 1:
        return False
    if not state.setup.unit(row_unit(shot.target)).is_guy:
        return False
    weapon = state.setup.catalog.weapons.get(shot.weapon)
    if weapon is None or not weapon.pins:
        return False
    # The jeeps of P67 fire in their own turn, and that is no op fire.
    in_own_turn = state.past_of(shot.id) is None and piece_side(shot.piece) == state.mover
    return not in_own_turn


def _owed_by_run(state: State, pinning: Sequence[PinningShot]) -> Owed:
    """One test of the group for the whole run (P55), and one of each lone man who was missed."""
    owed: Owed = {}
    group: MenUnderTest | None = None
    for judged in pinning:
        shot = judged.shot
        if stands_alone(state, shot):
            if not judged.hit:  # whoever is hit alone is dead
                _add(owed, MenUnderTest(shot.target, lone=True), Draws(1, 1))
        elif group is None:
            group = MenUnderTest(shot.target, lone=False)
            owed[group] = Draws(1, 1)
        elif state.setup.rulings["P55"] == "per_shot":
            # Another draw for the same group, which can be pinned only once: no man more.
            _add(owed, group, Draws(1, 0))
    return owed


def _owed_by_volley(
    state: State,
    fire: JudgedFire,
    pinning: Sequence[PinningShot],
    counts: Sequence[events.HitsCounted],
) -> Owed:
    """The tests of each row aimed at: a shot of a volley may have been at another one."""
    owed: Owed = {}
    targets = dict.fromkeys(judged.shot.target for judged in pinning)
    targets |= dict.fromkeys(counted.shot.target for counted in counts)
    for target in targets:
        men_left = _in_reach(fire, target) - _hits_at(fire, target)
        if men_left <= 0:
            continue  # nobody of them is left to draw
        shots = [judged.shot for judged in pinning if judged.shot.target == target]
        counts_at_row = [counted for counted in counts if counted.shot.target == target]
        draws = _draws_of_row(state, shots, counts_at_row, men_left)
        owed[MenUnderTest(target, lone=False)] = draws
    return owed


def _draws_of_row(
    state: State, shots: Sequence[Shooting], counts: Sequence[events.HitsCounted], men_left: int
) -> Draws:
    """A group draws once for each machine gun, or for each shot (P55); of men who stand alone each
    of the ``men_left`` may be pinned."""
    guns = {shot.piece for shot in shots}
    fired = len(shots)
    all_shots = list(shots)
    for counted in counts:
        guns |= set(counted.pieces)
        fired += counted.draws
        all_shots.append(counted.shot)
    # All are of one volley at one row, so that any of them tells how its men stand.
    if stands_alone(state, all_shots[0]):
        return Draws(len(guns), men_left)
    if state.setup.rulings["P55"] == "per_shot":
        return Draws(fired, 1)
    return Draws(len(guns), 1)


def _in_reach(fire: JudgedFire, target: str) -> int:
    """How many of a row were in reach of the volley. Counts of early versions do not say how many
    there were, but how many were left."""
    reach = 1
    for judged in fire.shots:
        if judged.shot.target == target:
            reach = max(reach, judged.shot.reach)
    for counted in fire.counts:
        if counted.shot.target == target:
            reach = max(reach, counted.shot.reach or counted.reach)
    return reach


def _hits_at(fire: JudgedFire, target: str) -> int:
    """How many of a row the volley has hit, with whatever weapon."""
    hits = 0
    for judged in fire.shots:
        if judged.shot.target == target and judged.hit:
            hits += 1
    for counted in fire.counts:
        if counted.shot.target == target:
            hits += counted.hits
    return hits


def _add(owed: Owed, tested: MenUnderTest, more: Draws) -> None:
    """Adds draws to those that these men owe."""
    before = owed.get(tested, NO_DRAWS)
    owed[tested] = Draws(before.times + more.times, before.men + more.men)


class PinReview(NamedTuple):
    """What becomes of the pin tests of fire that is judged again: what to state or take back, which
    tests to draw now, and the agenda that follows without those that are not owed any more."""

    changes: tuple[events.AnyEvent, ...]
    tests: Agenda
    rest: Agenda


def pins_reviewed(state: State, before: JudgedFire, after: JudgedFire, rest: Agenda) -> PinReview:
    """Compares what the fire owed as it was judged with what it owes now. Where nothing differs,
    nothing is drawn or taken back, whatever was drawn by hand or left out."""
    owed_before, owed_now = owed_by(state, before), owed_by(state, after)
    changes: list[events.AnyEvent] = []
    tests: list[AnyTask] = []
    ids = before.ids
    for tested in dict.fromkeys([*owed_before, *owed_now]):
        was_owed = owed_before.get(tested, NO_DRAWS)
        owed = owed_now.get(tested, NO_DRAWS)
        if was_owed == owed:
            continue
        if not _can_be_drawn(state, ids):
            # Too late to draw or to lift a pin: the journal says that it stands.
            more_owed = owed.times > was_owed.times
            changes.append(events.PinsStand(row=tested.row, owed=more_owed))
            continue
        drawn = drawn_for(state, tested, ids)
        standing = _standing(drawn, owed)
        recalled = _recalled(tested, drawn, standing, ids)
        if recalled is not None:
            changes.append(recalled)
        # Those still to be drawn are asked for anew, with what is owed now.
        rest = _without_tests_of(rest, tested, ids)
        tests += _still_owed(tested, owed, standing, ids)
    return PinReview(tuple(changes), tuple(tests), rest)


def _standing(drawn: Sequence[events.Checked], owed: Draws) -> DrawsMade:
    """How many of the draws made still count, and how many of these pin somebody."""
    # Of more draws than are owed now the first ones count, as if no other had been made.
    counting = drawn[: owed.times]
    pinned = sum(check.result for check in counting)
    return DrawsMade(len(counting), min(pinned, owed.men))


def _recalled(
    tested: MenUnderTest, drawn: Sequence[events.Checked], standing: DrawsMade, ids: Collection[int]
) -> events.PinsRecalled | None:
    """The draws that do not count any more, taken back; None if all of them do. A draw that still
    counts may pin nobody any more, where fewer men are left to be pinned."""
    lifted = sum(check.result for check in drawn) - standing.pinned
    if standing.times == len(drawn) and not lifted:
        return None
    return events.PinsRecalled(
        row=tested.row,
        lone=tested.lone,
        shots=tuple(sorted(ids)),
        draws=standing.times,
        pins=standing.pinned,
        lifted=lifted,
    )


def _still_owed(
    tested: MenUnderTest, owed: Draws, standing: DrawsMade, ids: Collection[int]
) -> Agenda:
    """The test with the draws that are left to make, if anybody is left to be pinned."""
    times, men = owed.times - standing.times, owed.men - standing.pinned
    if times <= 0 or men <= 0:
        return ()
    return (
        agenda.ToCheck(
            check="pin",
            side=row_side(tested.row),
            row=tested.row,
            lone=tested.lone,
            times=times,
            men=men,
            shot=min(ids),
        ),
    )


def _can_be_drawn(state: State, ids: Collection[int]) -> bool:
    """Whether pin tests of these shots can still be made. Pins stop movement only, so nobody draws
    once phase 1 of their turn is over; all of them are of one turn."""
    return state.clock.phase == 1 and state.past_of(min(ids)) is None


def drawn_for(state: State, tested: MenUnderTest, ids: Collection[int]) -> list[events.Checked]:
    """The tests that were drawn because of these shots, in their order."""
    return [check for check in state.pin_tests if is_test_of(check, tested.row, tested.lone, ids)]


def is_test_of(check: events.Checked, row: str, lone: bool, ids: Collection[int]) -> bool:
    """Whether a test was drawn by these men because of these shots. Tests of earlier versions do
    not say because of which."""
    return check.shot in ids and check.row == row and check.lone == lone


def _without_tests_of(tasks: Agenda, tested: MenUnderTest, ids: Collection[int]) -> Agenda:
    """The agenda without tests of these shots that are still to be drawn."""
    tasks_left: list[AnyTask] = []
    for task in tasks:
        if not (isinstance(task, agenda.ToCheck) and _is_test_by(task, tested, ids)):
            tasks_left.append(task)
    return tuple(tasks_left)


def _is_test_by(task: agenda.ToCheck, tested: MenUnderTest, ids: Collection[int]) -> bool:
    """Whether a check still to be drawn is the pin test of these men because of these shots."""
    if task.check != "pin" or task.shot not in ids:
        return False
    return task.row == tested.row and task.lone == tested.lone
