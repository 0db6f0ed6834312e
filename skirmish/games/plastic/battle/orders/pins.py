"""Pin tests of fire that is judged again: which of them have to be drawn now, and which are taken
back. The tests of a shot when it is fired are in ``firing`` (``agenda_with_pin_tests``).

Op fire of machine guns pins ("Pinning"): a group draws once for a run of repeat fire or for each
gun of a volley, men who stand alone each for themselves. ``owed_by`` works this out for fire as it
is judged, and ``pins_reviewed`` compares what was owed with what is owed now.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple, TypeAlias

import msgspec

from skirmish.games.plastic.battle import agenda, events
from skirmish.games.plastic.battle.agenda import Agenda, AnyTask, Shooting
from skirmish.games.plastic.battle.names import piece_side, row_side, row_unit
from skirmish.games.plastic.battle.orders.declared_shot import stands_alone
from skirmish.games.plastic.battle.orders.resolution import Resolution
from skirmish.games.plastic.battle.state import State


class MenUnderTest(NamedTuple):
    """Whose test it is: that of groups of a ``row`` or, if ``lone``, of its men who stand alone."""

    row: str
    lone: bool


class DrawsOwed(NamedTuple):
    """The draws that somebody has to make. They end early once nobody is left to be pinned."""

    times: int
    men: int
    """How many can be pinned. A group is pinned as one, and counts as one man."""


class DrawsThatCount(NamedTuple):
    """How many of the draws that were made still count, and how many men are ``pinned`` by them;
    a group counts as one man."""

    times: int
    pinned: int


Owed: TypeAlias = dict[MenUnderTest, DrawsOwed]
"""The draws that fire causes, by who makes them."""
NOTHING_OWED = DrawsOwed(times=0, men=0)


class SingleShot(NamedTuple):
    """A shot with a card or roll of its own, not one of a count, and whether it hit."""

    shot: Shooting
    hit: bool


class JudgedFire(msgspec.Struct, frozen=True):
    """A shot with its repeat shots, or a volley, as it is judged. Of a volley some ``shots`` may
    have been typed card by card and the rest entered as ``counts``, one for each row."""

    shots: tuple[SingleShot, ...] = ()
    counts: tuple[events.HitsCounted, ...] = ()

    @property
    def is_volley(self) -> bool:
        """Whether it is a volley, and not a single shot with its repeat shots."""
        return bool(self.counts) or any(judged.shot.volley for judged in self.shots)

    @property
    def fired(self) -> list[Shooting]:
        """Its shots, and of each count the first shot."""
        single_shots = [judged.shot for judged in self.shots]
        return single_shots + [counted.shot for counted in self.counts]

    @property
    def shot_ids(self) -> set[int]:
        """The ids of shots under which its pin tests are stored: those of its shots, and that of
        the volley, which is the id of its first shot."""
        shot_ids = {shot.id for shot in self.fired}
        # 0: a shot by itself, or a count of an early version, which did not name its volley.
        shot_ids |= {shot.volley for shot in self.fired if shot.volley}
        return shot_ids

    @property
    def targets(self) -> list[str]:
        """The rows at which it was aimed, each once."""
        return list(dict.fromkeys(shot.target for shot in self.fired))

    def part_at_row(self, target: str) -> JudgedFire:
        """The part of it that was aimed at one row."""
        shots = [judged for judged in self.shots if judged.shot.target == target]
        counts = [counted for counted in self.counts if counted.shot.target == target]
        return JudgedFire(tuple(shots), tuple(counts))

    @property
    def reach(self) -> int:
        """How many men were in reach, if it was aimed at one row. Counts of early versions do not
        say how many there were, but how many were left."""
        reach = 1  # at least the man aimed at
        for judged in self.shots:
            reach = max(reach, judged.shot.reach)
        for counted in self.counts:
            reach = max(reach, counted.shot.reach or counted.reach)
        return reach

    @property
    def hits(self) -> int:
        """How many men it has hit."""
        hits = len([judged for judged in self.shots if judged.hit])
        for counted in self.counts:
            hits += counted.hits
        return hits


def fire_of(state: State, shot: Shooting) -> JudgedFire:
    """The shot with all of its run of fire, or of its volley, as they are judged now."""
    shots = []
    for verdict in state.judged_in_turn_of(shot.id):
        if _same_volley(verdict.shot, shot) or _same_run(verdict.shot, shot):
            shots.append(SingleShot(verdict.shot, verdict.hit))
    counts = []
    for counted in state.counts_in_turn_of(shot.id):
        # A count of an early version does not name its volley; then it is by itself.
        if _same_volley(counted.shot, shot) or counted.shot.id == shot.id:
            counts.append(counted)
    return JudgedFire(tuple(shots), tuple(counts))


def _same_volley(first: Shooting, second: Shooting) -> bool:
    """Whether both shots are of one volley."""
    is_of_a_volley = first.volley != 0
    return is_of_a_volley and first.volley == second.volley


def _same_run(first: Shooting, second: Shooting) -> bool:
    """Whether both shots are of one run of repeat fire outside of volleys. A weapon fires once in
    phases 1 and 2 together, so all that it fires in one phase is one run."""
    if first.volley or second.volley:
        return False
    same_weapon = (first.piece, first.slot) == (second.piece, second.slot)
    return same_weapon and first.at.phase == second.at.phase


def owed_by(state: State, fire: JudgedFire) -> Owed:
    """The pin tests that this fire causes, whether or not they were drawn."""
    pinning = _part_that_may_pin(state, fire)
    if fire.is_volley:
        return _owed_by_volley(state, fire, pinning)
    return _owed_by_run(state, pinning.shots)


def _part_that_may_pin(state: State, fire: JudgedFire) -> JudgedFire:
    """The part of this fire that causes pin tests: other weapons may fire in the same volley."""
    shots = [judged for judged in fire.shots if _may_pin(state, judged.shot)]
    counts = [counted for counted in fire.counts if _may_pin(state, counted.shot)]
    return JudgedFire(tuple(shots), tuple(counts))


def _may_pin(state: State, shot: Shooting) -> bool:
    """Whether it is op fire at guys with a weapon that fires as a machine gun."""
    if not state.options.pinning or shot.at.phase != 1:
        return False
    if not state.setup.unit(row_unit(shot.target)).is_guy:
        return False
    weapon = state.setup.catalog.weapons.get(shot.weapon)
    if weapon is None or not weapon.pins:
        return False
    if state.past_turn_of(shot.id) is not None:
        # Which side moved in an earlier turn is not stored, so all fire of its phase 1 counts as op
        # fire.
        return True
    # In phase 1 of their own turn only the jeeps of P67 fire, and that is no op fire.
    return piece_side(shot.piece) != state.mover


def _owed_by_run(state: State, pinning: Sequence[SingleShot]) -> Owed:
    """One test of the group for the whole run, or for each shot (P55), and one of each man alone
    who was missed."""
    owed: Owed = {}
    group: MenUnderTest | None = None
    for judged in pinning:
        shot = judged.shot
        if stands_alone(state, shot):
            # Whoever is hit alone is dead.
            if not judged.hit:
                _add(owed, MenUnderTest(shot.target, lone=True), DrawsOwed(times=1, men=1))
        elif group is None:
            # The row of the first man stands for the group, in which men of other rows may be.
            group = MenUnderTest(shot.target, lone=False)
            owed[group] = DrawsOwed(times=1, men=1)
        elif state.setup.rulings["P55"] == "per_shot":
            # Another draw for the same group, which can be pinned only once.
            _add(owed, group, DrawsOwed(times=1, men=0))
    return owed


def _add(owed: Owed, tested: MenUnderTest, more: DrawsOwed) -> None:
    """Adds draws to those that these men owe."""
    before = owed.get(tested, NOTHING_OWED)
    owed[tested] = DrawsOwed(before.times + more.times, before.men + more.men)


def _owed_by_volley(state: State, fire: JudgedFire, pinning: JudgedFire) -> Owed:
    """The tests of each row aimed at: a shot of a volley may have been at another one.
    ``pinning``: the part of the ``fire`` that causes pin tests."""
    owed: Owed = {}
    for target in pinning.targets:
        fire_at_row = fire.part_at_row(target)
        # Whoever was hit, with whatever weapon, is not left to draw.
        men_left = fire_at_row.reach - fire_at_row.hits
        if men_left > 0:
            draws = _draws_of_row(state, pinning.part_at_row(target), men_left)
            owed[MenUnderTest(target, lone=False)] = draws
    return owed


def _draws_of_row(state: State, pinning: JudgedFire, men_left: int) -> DrawsOwed:
    """What the men of the row at which this fire was aimed have to draw. A group draws once for
    each machine gun, or for each shot (P55). Of men who stand alone each of the ``men_left`` may be
    pinned, and each gun has missed one at most: all others whom it fired at are dead."""
    guns = {judged.shot.piece for judged in pinning.shots}
    shot_count = len(pinning.shots)
    for counted in pinning.counts:
        guns |= set(counted.pieces)
        # With repeat fire there were more shots than guns.
        shot_count += counted.draws
    # All are of one volley at one row, so its men stand in the same way for each of them.
    if stands_alone(state, pinning.fired[0]):
        return DrawsOwed(times=len(guns), men=men_left)
    if state.setup.rulings["P55"] == "per_shot":
        return DrawsOwed(times=shot_count, men=1)
    return DrawsOwed(times=len(guns), men=1)


class PinReview(NamedTuple):
    """What becomes of the pin tests of fire that is judged again."""

    changes: tuple[events.PinsStand | events.PinsRecalled, ...]
    """What is said of tests that were drawn: that they stand, or that they are taken back."""
    tests: Agenda
    """The tests to be drawn now."""
    rest: Agenda
    """The agenda after them, without tests of this fire."""

    def emit_changes(self, run: Resolution) -> None:
        """States what becomes of tests that were drawn."""
        for change in self.changes:
            run.emit(change)


def pins_reviewed(state: State, before: JudgedFire, after: JudgedFire, rest: Agenda) -> PinReview:
    """Compares what the fire owed as it was judged with what it owes now. Where nothing differs,
    nothing is drawn or taken back, whatever was drawn by hand or left out."""
    owed_before, owed_now = owed_by(state, before), owed_by(state, after)
    changes: list[events.PinsStand | events.PinsRecalled] = []
    tests: list[AnyTask] = []
    shot_ids = before.shot_ids
    # Each of them once, in order; a set would have no order.
    all_tested = dict.fromkeys([*owed_before, *owed_now])
    for tested in all_tested:
        was_owed = owed_before.get(tested, NOTHING_OWED)
        owed = owed_now.get(tested, NOTHING_OWED)
        if was_owed == owed:
            continue
        if not _can_be_drawn(state, shot_ids):
            # Too late to draw or to lift a pin: the journal says that it stands.
            more_owed = owed.times > was_owed.times
            changes.append(events.PinsStand(row=tested.row, owed=more_owed))
            continue
        drawn = _tests_drawn(state, tested, shot_ids)
        counting = _draws_that_count(drawn, owed)
        recalled = _recalled(tested, drawn, counting, shot_ids)
        if recalled is not None:
            changes.append(recalled)
        # Those still to be drawn are asked for anew, with what is owed now.
        rest = _without_tests_of(rest, tested, shot_ids)
        tests += _still_owed(tested, owed, counting, shot_ids)
    return PinReview(tuple(changes), tuple(tests), rest)


def _draws_that_count(drawn: Sequence[events.Checked], owed: DrawsOwed) -> DrawsThatCount:
    """Of more draws than are owed now the first ones count, as if no other had been made."""
    first_ones = drawn[: owed.times]
    pinned = min(_pinned_by(first_ones), owed.men)
    return DrawsThatCount(times=len(first_ones), pinned=pinned)


def _pinned_by(drawn: Sequence[events.Checked]) -> int:
    """How many of these tests pinned somebody."""
    return len([test for test in drawn if test.result])


def _recalled(
    tested: MenUnderTest,
    drawn: Sequence[events.Checked],
    counting: DrawsThatCount,
    shot_ids: Collection[int],
) -> events.PinsRecalled | None:
    """The draws that do not count any more, taken back; None if all of them do. A draw that still
    counts may pin nobody any more, where fewer men are left to be pinned."""
    lifted = _pinned_by(drawn) - counting.pinned
    if counting.times == len(drawn) and not lifted:
        return None
    return events.PinsRecalled(
        row=tested.row,
        lone=tested.lone,
        shots=tuple(sorted(shot_ids)),
        draws=counting.times,
        pins=counting.pinned,
        lifted=lifted,
    )


def _still_owed(
    tested: MenUnderTest, owed: DrawsOwed, counting: DrawsThatCount, shot_ids: Collection[int]
) -> Agenda:
    """The test with the draws that are left to make, if anybody is left to be pinned."""
    times, men = owed.times - counting.times, owed.men - counting.pinned
    if times <= 0 or men <= 0:
        return ()
    test = agenda.ToCheck(
        check="pin",
        side=row_side(tested.row),
        row=tested.row,
        lone=tested.lone,
        times=times,
        men=men,
        # A test is stored under the first shot of the fire.
        shot=min(shot_ids),
    )
    return (test,)


def _can_be_drawn(state: State, shot_ids: Collection[int]) -> bool:
    """Whether pin tests of these shots can still be made. Pins stop movement only, so nobody draws
    once phase 1 of their turn is over; all of them are of one turn."""
    return state.clock.phase == 1 and state.past_turn_of(min(shot_ids)) is None


def _tests_drawn(
    state: State, tested: MenUnderTest, shot_ids: Collection[int]
) -> list[events.Checked]:
    """The tests that these men drew because of these shots, in their order."""
    drawn = []
    for test in state.pin_tests:
        if test.is_test_because_of(shot_ids, tested.row, tested.lone):
            drawn.append(test)
    return drawn


def _without_tests_of(tasks: Agenda, tested: MenUnderTest, shot_ids: Collection[int]) -> Agenda:
    """The agenda without tests of these men, because of these shots, that are still to be drawn."""
    tasks_left: list[AnyTask] = []
    for task in tasks:
        if isinstance(task, agenda.ToCheck) and _is_test_by(task, tested, shot_ids):
            continue
        tasks_left.append(task)
    return tuple(tasks_left)


def _is_test_by(task: agenda.ToCheck, tested: MenUnderTest, shot_ids: Collection[int]) -> bool:
    """Whether a check still to be drawn is the pin test of these men because of these shots."""
    if task.check != "pin" or task.shot not in shot_ids:
        return False
    return task.row == tested.row and task.lone == tested.lone
