"""What follows from shots that are judged again (``rejudged_shot``): the dead who stand up, weapons
that are mended, hits to bury, breakdowns to test, shots to repeat, and the end of the battle.

``judged_anew`` works out a ``Judgment``, on the state as it is. Its ``give_verdicts`` then takes
each old verdict back and gives the new one, in the order of the shots. *Repeat shots* are those
that the hits of a shot brought; the *reach* of a volley is how many of its target it can hit at
most.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from skirmish.games.plastic.battle import agenda, ending, events
from skirmish.games.plastic.battle.agenda import Agenda, AnyTask, Hit, Shooting
from skirmish.games.plastic.battle.names import piece_side, weapon_of_piece
from skirmish.games.plastic.battle.orders.casualties import bury_all
from skirmish.games.plastic.battle.orders.pins import (
    JudgedFire,
    PinReview,
    SingleShot,
    pins_reviewed,
)
from skirmish.games.plastic.battle.orders.rejudged_shot import RejudgedShot, shuffled_since
from skirmish.games.plastic.battle.orders.resolution import Resolution
from skirmish.games.plastic.battle.orders.shooting import break_down, hit_of, judged_event
from skirmish.games.plastic.battle.pieces import RIFLEMAN
from skirmish.games.plastic.battle.state import State
from skirmish.tabletop.refusal import nonsense


class Replacement(NamedTuple):
    """A new verdict in place of an old one. ``recalled`` takes the old one back, and with it the
    repeat shots that there would not have been."""

    recalled: events.Recalled
    rejudged: RejudgedShot


class Judgment(NamedTuple):
    """The new verdicts and what follows from them. Nothing is changed before ``give_verdicts``."""

    replacements: tuple[Replacement, ...]
    """In the order of the shots."""
    hits: tuple[Hit, ...]
    """The hits of the new verdicts, for which the defender has to remove casualties."""
    breakdown_tests: Agenda
    """The second draws of weapons that may have broken down after all."""
    repeats: Agenda
    """Offers to fire again, where the latest shot hits now."""
    rest: Agenda
    """The tasks that were open before, without those that the shots judged again had brought."""
    was_over: bool
    """Whether the battle had ended before it was judged again."""
    cause_of_end: ending.CauseOfEnd | None

    def consequences(self, pin_review: PinReview, counted_hits: Iterable[Hit] = ()) -> Agenda:
        """The agenda after the last verdict, in the order of an ordinary shot. ``counted_hits`` are
        those of a count that is corrected with it."""
        hits = (*self.hits, *counted_hits)
        after_burial = (*self.repeats, *pin_review.tests, *pin_review.rest)
        return (*self.breakdown_tests, *bury_all(hits, after_burial))

    def review_pins(
        self,
        state: State,
        fire_before: JudgedFire,
        counts: tuple[events.HitsCounted, ...] | None = None,
    ) -> PinReview:
        """What becomes of the pin tests of that fire; ``counts``: its counted volleys as they are
        corrected (None: they stay as they are)."""
        if counts is None:
            counts = fire_before.counts
        fire_now = JudgedFire(self._shots_now(fire_before), counts)
        return pins_reviewed(state, fire_before, fire_now, self.rest)

    def _shots_now(self, fire_before: JudgedFire) -> tuple[SingleShot, ...]:
        """The single shots of the fire with their new verdicts, without those taken back."""
        new_verdicts: dict[int, RejudgedShot] = {}
        taken_back: set[int] = set()
        for replacement in self.replacements:
            new_verdicts[replacement.rejudged.shot.id] = replacement.rejudged
            taken_back.update(replacement.recalled.chain)
        shots = []
        for fired in fire_before.shots:
            rejudged = new_verdicts.get(fired.shot.id)
            if rejudged is not None:
                shots.append(SingleShot(rejudged.shot, rejudged.verdict.hit))
            elif fired.shot.id not in taken_back:
                shots.append(fired)
        return tuple(shots)

    def give_verdicts(self, run: Resolution, consequences: Agenda) -> None:
        """Replaces each verdict by the new one; the ``consequences`` follow the last."""
        for number, replacement in enumerate(self.replacements, start=1):
            then: Agenda = ()
            if number == len(self.replacements):
                then = consequences
            _replace_verdict(run, replacement, then)

    def go_on(self, run: Resolution) -> None:
        """Works through what follows. A battle that had ended is reopened if it does not end by the
        new verdicts."""
        run.go_on()
        # With a question open it is not known yet who is dead, and so how the battle stands.
        if not self.was_over or run.state.outcome is not None or run.state.ask is not None:
            return
        end = ending.end_after_judging_again(run.state, self.cause_of_end)
        if end is not None:
            run.emit(end)
        else:
            run.emit(events.Reopened())


def judged_anew(
    state: State,
    shots: Sequence[RejudgedShot],
    *,
    whole_volley: bool,
    take_back_repeats: bool = False,
    first_shot_of_count: int = 0,
) -> Judgment:
    """What these shots come to. Raises Refused if a suit is missing. ``whole_volley``: they are all
    shots of a volley that were typed one by one. ``take_back_repeats``: if a shot misses now, its
    repeat shots are taken back. ``first_shot_of_count``: the number of the first shot of the
    count that is corrected with them; 0: none is."""
    for rejudged in shots:
        _refuse_unknown_suit(rejudged)
    replacements = _replacements(state, shots, whole_volley, take_back_repeats)
    shots_that_stand = [replacement.rejudged for replacement in replacements]
    hits = _hits_in_reach(shots_that_stand, whole_volley)
    repeats: Agenda = ()
    if shots and not _fired_after(state, shots[-1].shot):
        repeats = _repeats(state, shots_that_stand, len(hits), whole_volley)
    resolved_anew = {rejudged.shot.id for rejudged in shots}
    for replacement in replacements:
        resolved_anew.update(replacement.recalled.chain)
    if first_shot_of_count:
        resolved_anew.add(first_shot_of_count)
    return Judgment(
        replacements=tuple(replacements),
        hits=hits,
        breakdown_tests=_breakdown_tests(shots_that_stand),
        repeats=repeats,
        # What the end of the battle cut off goes on if that was no end.
        rest=_agenda_without(state.agenda or state.cut_off, resolved_anew),
        was_over=state.outcome is not None,
        cause_of_end=ending.cause_of_end(state),
    )


def _replacements(
    state: State, shots: Sequence[RejudgedShot], whole_volley: bool, take_back_repeats: bool
) -> list[Replacement]:
    """The new verdicts of these shots, except those that an earlier one of them takes back."""
    replacements: list[Replacement] = []
    taken_back: set[int] = set()
    for rejudged in shots:
        if rejudged.shot.id in taken_back:
            continue
        repeat_shots = _repeat_shots_after(state, rejudged.shot)
        repeats_back: tuple[int, ...] = ()
        if take_back_repeats and not rejudged.verdict.hit:
            repeats_back = repeat_shots
            taken_back.update(repeats_back)
        # Repeat shots that stay are for the players to check. In a volley each of them is judged
        # again itself.
        to_check = len(repeat_shots)
        if repeats_back or whole_volley:
            to_check = 0
        recalled = _recalled(state, rejudged, repeats_back, to_check)
        replacements.append(Replacement(recalled, rejudged))
    return replacements


def _refuse_unknown_suit(rejudged: RejudgedShot) -> None:
    """Raises Refused if the suit of the card decides and nobody has typed it."""
    if rejudged.wants_suit:
        draw = rejudged.draw
        text = f"Which suit had the {draw.rank_words}? Type it with its suit: {draw}h."
        raise nonsense("no_suit", text)


def _repeat_shots_after(state: State, shot: Shooting) -> tuple[int, ...]:
    """The numbers of the repeat shots that followed a shot in its run of fire."""
    repeat_shots = []
    for verdict in state.judged_in_turn_of(shot.id):
        later = verdict.shot
        same_weapon = later.piece == shot.piece and later.slot == shot.slot
        follows = later.id > shot.id and later.nth > shot.nth
        if same_weapon and follows and later.at.phase == shot.at.phase:
            repeat_shots.append(later.id)
    return tuple(repeat_shots)


# ------------------------------------------------------------------ the old verdict is taken back


def _recalled(
    state: State, rejudged: RejudgedShot, repeats_back: tuple[int, ...], to_check: int
) -> events.Recalled:
    """The event that takes the old verdict of the shot back, and with it the repeat shots
    ``repeats_back``. Players are to check so many of those that stay (``to_check``)."""
    shot_id = rejudged.shot.id
    # The same card at another target breaks the weapon down as it did. For another card, or for
    # another man, what the test of that time broke is whole again.
    mended: Shooting | None = None
    tested = rejudged.verdict_before.breakdown is not None
    may_have_broken = tested and not _has_fired_since(state, rejudged.before.shot)
    if may_have_broken and (rejudged.draw_changed or rejudged.fired_by_another):
        mended = rejudged.before.shot
    instead = None
    if rejudged.fired_by_another:
        instead = rejudged.shot
    return events.Recalled(
        shot=shot_id,
        back=dead_by(state, shot_id, repeats_back, by_breakdown=mended is not None),
        later=to_check,
        chain=repeats_back,
        mended=mended,
        instead=instead,
        turn=turn_if_over(state, shot_id),
    )


def turn_if_over(state: State, shot_id: int) -> int:
    """The game turn of a shot of an earlier player turn, which its sentence then names; 0 for a
    shot of the present one."""
    past = state.past_turn_of(shot_id)
    if past is None:
        return 0
    return past.turn


def dead_by(
    state: State, shot_id: int, repeat_shots: Collection[int] = (), *, by_breakdown: bool = False
) -> tuple[str, ...]:
    """The pieces that a shot and its ``repeat_shots`` killed. ``by_breakdown``: also its shooter,
    if it was lost with its weapon."""
    dead = []
    for piece, credit in state.lost.items():
        if credit is None:  # no shot did it
            continue
        by_the_shot = credit.shot == shot_id and (by_breakdown or not credit.breakdown)
        if by_the_shot or credit.shot in repeat_shots:
            dead.append(piece)
    return tuple(dead)


def _agenda_without(tasks: Agenda, shots: Collection[int]) -> Agenda:
    """The agenda without what the shots of these numbers have brought."""
    left: list[AnyTask] = []
    for task in tasks:
        match task:
            case agenda.ToBury(hits=hits) | agenda.ToVolley(hits=hits):
                hits_left = tuple(hit for hit in hits if hit.shot.id not in shots)
                # A volley goes on with those who have not fired, even if nobody is hit any more.
                if hits_left or isinstance(task, agenda.ToVolley):
                    left.append(replace(task, hits=hits_left))
            case agenda.ToRepeat(shot=repeated) if repeated.id in shots:
                pass  # whether that shot may be repeated is found anew
            case _:
                left.append(task)
    return tuple(left)


# ------------------------------------------------------------------ the new verdict is given


def _replace_verdict(run: Resolution, replacement: Replacement, then: Agenda) -> None:
    """Takes the old verdict back and gives the new one, with the same card or the corrected one."""
    rejudged = replacement.rejudged
    shot, before = rejudged.shot, rejudged.before
    # Without a test this card broke nothing: a man who is a rifleman by now became one before it.
    tested = rejudged.verdict_before.breakdown is not None
    # Asked now, since the weapon is mended as the old verdict is taken back.
    broke_down = tested and _broke_down(run.state, before.shot)
    run.emit(replacement.recalled)
    run.reveal([shot.piece])
    if rejudged.draw_changed:
        run.emit(
            events.Reread(
                source=run.state.source_of(piece_side(shot.piece)),
                was=before.draw,
                draw=rejudged.draw,
                shuffled=shuffled_since(run.state, before),
            )
        )
        # What the misread card toggled is toggled back, and the right card toggles what it does.
        run.toggle_by(before.draw, rejudged.draw)
    verdict = judged_event(shot, rejudged.draw, rejudged.aimed, rejudged.verdict, then)
    run.emit(replace(verdict, shuffle=before.shuffle))
    if rejudged.fired_by_another and rejudged.verdict.breakdown and broke_down:
        # The second card stays as it was drawn: it broke the weapon of whoever really fired.
        break_down(run, shot, draw=None, then=run.state.agenda)


def _broke_down(state: State, shot: Shooting) -> bool:
    """Whether the weapon of that shot broke down with it: a guy has become a rifleman, a gun of a
    model is disarmed, and a model without another gun is lost."""
    if _has_fired_since(state, shot):
        return False
    if state.turned.get(shot.piece) == RIFLEMAN:
        return True
    if weapon_of_piece(shot.piece, shot.slot) in state.disarmed:
        return True
    credit = state.lost.get(shot.piece)
    return credit is not None and credit.breakdown and credit.shot == shot.id


def _has_fired_since(state: State, shot: Shooting) -> bool:
    """Whether the weapon of that shot has fired again since. Then it held at that shot, and if it
    is broken now, a later shot has broken it."""
    for later in state.fired_since(shot.piece, shot.id):
        if (later.slot, later.weapon) == (shot.slot, shot.weapon):
            return True
    return False


# ------------------------------------------------------------------ what the new verdicts bring


def _hits_in_reach(shots: Iterable[RejudgedShot], whole_volley: bool) -> tuple[Hit, ...]:
    """The hits of these shots; of a volley the first ones, as many as are in its reach."""
    hits: list[Hit] = []
    for rejudged in shots:
        all_are_hit = whole_volley and len(hits) >= rejudged.shot.reach
        if rejudged.verdict.hit and not all_are_hit:
            hits.append(hit_of(rejudged.shot, rejudged.draw, rejudged.aimed, rejudged.verdict))
    return tuple(hits)


def _breakdown_tests(shots: Iterable[RejudgedShot]) -> Agenda:
    """The second draws for cards that mean a breakdown now. A card that meant one before, for
    whatever weapon, was tested then, unless it was misread."""
    tests: list[AnyTask] = []
    for rejudged in shots:
        tested_then = rejudged.verdict_before.breakdown and not rejudged.draw_changed
        if rejudged.verdict.breakdown and not tested_then:
            tests.append(agenda.ToTest(shot=rejudged.shot, draw=rejudged.draw))
    return tuple(tests)


def _fired_after(state: State, shot: Shooting) -> bool:
    """Whether somebody has fired after that shot in this player turn, and so has seen what it came
    to: it is too late to fire again."""
    return any(verdict.shot.id > shot.id for verdict in state.judged)


def _repeats(
    state: State, shots: Iterable[RejudgedShot], number_of_hits: int, whole_volley: bool
) -> Agenda:
    """The offers to fire again after these shots, which have so many hits in all."""
    offers: list[AnyTask] = []
    for rejudged in shots:
        repeat = rejudged.verdict.repeat
        if repeat is None or not rejudged.verdict.hit or not _is_of_this_phase(state, rejudged):
            continue
        # In a volley who hit before has already fired again, and nobody does once all are hit.
        all_are_hit = number_of_hits >= rejudged.shot.reach
        if whole_volley and (rejudged.verdict_before.hit or all_are_hit):
            continue
        offers.append(agenda.ToRepeat(shot=rejudged.shot, within=repeat.within, of=repeat.of))
    return tuple(offers)


def _is_of_this_phase(state: State, rejudged: RejudgedShot) -> bool:
    """Whether the shot was fired in the present phase of the present player turn."""
    fired = rejudged.before.shot
    return fired.at.phase == state.clock.phase and state.past_turn_of(fired.id) is None
