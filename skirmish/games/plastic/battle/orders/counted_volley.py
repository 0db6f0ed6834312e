"""A volley entered as one count of its hits, since nobody typed its cards one by one, and the
correction of such a count.

``CountHits`` is both orders. ``_count`` enters a count and ``_count_again`` corrects one; both have
its numbers checked by ``_checked_count``. The *reach* of a volley is how many of its target it can
hit at most.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.battle import agenda, events
from skirmish.games.plastic.battle.agenda import Hit, Shooting
from skirmish.games.plastic.battle.names import piece_side
from skirmish.games.plastic.battle.orders.declared_shot import aim_of
from skirmish.games.plastic.battle.orders.judgment import dead_by, judged_anew, turn_if_over
from skirmish.games.plastic.battle.orders.pins import fire_of
from skirmish.games.plastic.battle.orders.rejudge import as_judged
from skirmish.games.plastic.battle.orders.rejudged_shot import (
    RejudgedShot,
    rejudged,
    shot_at,
    shot_by,
    shuffled_since,
    side_that_fired,
    true_shooters,
    volley_of,
    what_speaks_against,
)
from skirmish.games.plastic.battle.orders.resolution import Order, Resolution
from skirmish.games.plastic.battle.orders.shooting import break_down
from skirmish.games.plastic.battle.orders.volleys import end_volley, slot_fired_from
from skirmish.games.plastic.battle.rows import row_of
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.catalog import DECK
from skirmish.games.plastic.rules.shot import Aim, circumstances_of_next_man, ranks_that_hit
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.refusal import nonsense

UNSEEN = Draw(0, "")
"""A draw of a counted volley that nobody entered: no card has the rank 0."""


class CountHits(Order, frozen=True, kw_only=True, tag="count_hits"):
    """A volley entered as one count, or the correction of an earlier count (``anew``)."""

    begun_by = "who fires"
    # It answers the question for draws. A correction may be given while other questions are open,
    # and after the end.
    when = "answer"
    after_the_end = True
    in_journal = "goes on"

    low: int
    """How many drew a rank that hits (low ranks do), those that were saved included."""
    saved: int = 0
    """How many of these cover or hull down saved, or would have saved."""
    aces: int = 0
    """How many of the hits were aces."""
    broken: int = 0
    """How many weapons broke down."""
    fired: int | None = None
    """How many fired; None: all."""
    anew: int = 0
    """The number of the first shot of the count that this one corrects; 0: it corrects none
    (``is_correction``). The cards of its volley that were typed one by one are judged again with
    it."""
    cover: bool = False
    """Of a correction, whether the target was in cover; a first count has the circumstances of its
    volley. So it is with ``hull_down``."""
    hull_down: bool = False
    suits: dict[int, str] = msgspec.field(default_factory=dict)
    """The suits of those cards of the volley of which only the rank was typed, by the number of the
    shot."""
    target: str | None = None
    """The row that was really meant; None: it was right."""
    shooter: str | None = None
    """The row that really fired; None: it was right."""
    insist: bool = False
    """Whether a correction is made against advice."""

    @property
    def is_correction(self) -> bool:
        """Whether this corrects an earlier count."""
        return self.anew > 0

    def carry_out(self, run: Resolution) -> None:
        if self.is_correction:
            # Who dies may still be open, or whether the battle is over: a wrong count is often
            # noticed right then.
            if not isinstance(run.state.ask, agenda.CasualtyAsk | agenda.OutcomeAsk):
                run.refuse_while_waiting()
            _count_again(run, self)
        else:
            _count(run, self)

    def given_by(self, state: State) -> tuple[str, ...]:
        """The side whose volley it is: of a correction the volley that was counted, else the one
        that waits for its draws."""
        if self.is_correction:
            return side_that_fired(state, self.anew)
        match state.agenda:
            case (agenda.ToJudge(shot=shot), *_):
                return (piece_side(shot.piece),)
        return ()

    def suits_wanted(self, state: State) -> list[events.Judged]:
        """The shots that can only be judged again once the suits of their cards are known."""
        # As if insisted on: here no card is refused because it is gone already.
        shots = _typed_shots_rejudged(state, replace(self, insist=True))
        return [shot.before for shot in shots if shot.wants_suit]


def volley_to_count(state: State) -> agenda.ToVolley | None:
    """The volley that waits for the next draw of its player, if any."""
    match state.ask, state.agenda:
        case agenda.DrawAsk(rank=None), (agenda.ToJudge(), agenda.ToVolley() as volley, *_):
            return volley
    return None


# ------------------------------------------------------------------ a volley is counted


def _count(run: Resolution, order: CountHits) -> None:
    """The rest of the volley that waits for its draws, as one count."""
    volley = volley_to_count(run.state)
    if volley is None:
        raise nonsense("no_volley", "No volley waits for draws of a player's own.")
    # The shot that waits for its draw, then its volley, which goes on after the count.
    waiting, _, *rest = run.state.agenda
    assert isinstance(waiting, agenda.ToJudge)
    first = waiting.shot
    pieces = (first.piece, *volley.pieces)
    reach = volley.reach - len(volley.hits)
    counted = _checked_count(run.state, order, first, pieces, reach)
    counted = _with_slots(run.state, counted, volley)
    volley = _volley_after(run.state, volley, counted, pieces)
    # Whoever fires is seen (P69).
    run.reveal(counted.pieces)
    source = run.state.sources[run.state.source_of(piece_side(first.piece))]
    run.emit(replace(counted, shuffle=source.shuffles, then=(volley, *rest)))
    _spend(run, counted, counted.draws)
    _break_down_last(run, counted)
    # A weapon that broke down may have ended the battle, if its model was lost with it.
    battle_is_over = run.state.outcome is not None
    if not battle_is_over and not _another_row_fires(volley):
        end_volley(run, volley, tuple(rest))
    run.go_on()


def _another_row_fires(volley: agenda.ToVolley) -> bool:
    """Whether a volley goes on with another of its rows after a count: it is mixed and has one
    left. Where pieces of the counted row did not fire, nobody was left to shoot at, so the other
    rows have no target either."""
    all_have_fired = not volley.pieces
    return bool(volley.parties) and all_have_fired


def _with_slots(
    state: State, counted: events.HitsCounted, volley: agenda.ToVolley
) -> events.HitsCounted:
    """The count with the slots that its pieces fire from. A piece with two guns alike may have
    fired one already, and then fires the other."""
    slots = [counted.shot.slot]
    for piece in counted.pieces[1:]:
        slots.append(slot_fired_from(state, piece, volley.shot.slot))
    return replace(counted, slots=_slots_to_store(slots))


def _slots_to_store(slots: Sequence[int]) -> tuple[int, ...]:
    """The slots of the pieces of a count, from the first on; none if all have that of the first,
    which is stored with its shot."""
    all_are_alike = len(set(slots)) == 1
    if all_are_alike:
        return ()
    return tuple(slots)


def _volley_after(
    state: State,
    volley: agenda.ToVolley,
    counted: events.HitsCounted,
    pieces: tuple[str, ...],
) -> agenda.ToVolley:
    """The volley after a count of the first of these ``pieces``, of which none had drawn yet."""
    # The shot that waited for its draw was declared, and so is among those that have fired already.
    fired_before, shots_before = volley.fired - 1, volley.shots - 1
    return replace(
        volley,
        pieces=pieces[len(counted.pieces) :],
        fired=fired_before + len(counted.pieces),
        # Hits drawn before the count began are buried together with it.
        hits=(*volley.hits, *_hits(state, counted)),
        again=None,  # repeat shots are in the count
        shots=shots_before + counted.draws,
    )


def _break_down_last(run: Resolution, counted: events.HitsCounted) -> None:
    """Breaks down the weapons of the last pieces of a count: the players do not say whose they
    were."""
    unbroken = len(counted.pieces) - counted.broken
    for shot in counted.shots[unbroken:]:
        break_down(run, shot, draw=None, then=run.state.agenda)


def _spend(run: Resolution, counted: events.HitsCounted, draws: int) -> None:
    """Takes so many unseen cards from the deck, which is shuffled whenever it runs out. Rolls of a
    die are only noted."""
    key = run.state.source_of(piece_side(counted.shot.piece))
    while draws > 0:
        source = run.state.sources[key]
        times = draws  # of a die all at once
        if source.kind == "deck":
            if source.cards_left(DECK) <= 0:
                run.emit(events.Shuffled(source=key))
                source = run.state.sources[key]
            times = min(draws, source.cards_left(DECK))
        run.emit(events.Spent(source=key, draw=UNSEEN, times=times, shuffle=source.shuffles))
        draws -= times


# ------------------------------------------------------------------ a count is corrected


def _count_again(run: Resolution, order: CountHits) -> None:
    """Corrects a count, and with it the cards of its volley that were typed one by one."""
    # First everything is worked out on the state as it is, with the old count and verdicts.
    state = run.state
    before = state.count_of(order.anew)
    if before is None:
        raise nonsense("no_such_shot", "There is no such volley that could be counted anew.")
    typed_shots = _typed_shots_rejudged(state, order)
    judgment = judged_anew(state, typed_shots, whole_volley=True, first_shot_of_count=order.anew)
    counted = _recounted(run, order, before, typed_shots, hits_typed=len(judgment.hits))
    fire_before = fire_of(state, before.shot)
    other_counts = [count for count in fire_before.counts if count is not before]
    pin_review = judgment.review_pins(state, fire_before, counts=(*other_counts, counted))
    # Then the old ones are taken back and new ones given: the verdicts, and after them the count,
    # which brings what follows from both.
    judgment.give_verdicts(run, consequences=())
    _take_count_back(run, before, counted)
    hits = _hits(run.state, counted)
    run.emit(replace(counted, then=judgment.consequences(pin_review, hits)))
    pin_review.emit_changes(run)
    # After a shuffle the cards of that time are in the deck again. Where the new count has fewer
    # cards than the old one, all stay spent: which of them were not drawn is not known.
    if not shuffled_since(state, before):
        _spend(run, counted, counted.draws - before.draws)
    judgment.go_on(run)


def _typed_shots_rejudged(state: State, order: CountHits) -> list[RejudgedShot]:
    """The shots of the volley that were typed card by card beside its count. Only what is corrected
    of the count is corrected of them. Raises Refused if one is impossible."""
    counted = state.count_of(order.anew)
    # A count of an early version does not name its volley, so nothing is known beside it.
    if counted is None or not counted.shot.volley:
        return []
    circumstances_before = counted.shot.at
    shooters = true_shooters(state, order.shooter, _shots_of_row(state, counted))
    shots = []
    for verdict in volley_of(state, counted.shot):
        # Each card keeps its own circumstances but for those that the new count changes.
        card = replace(
            as_judged(state, verdict.shot),
            suits=order.suits,
            target=order.target,
            insist=order.insist,
        )
        if order.cover != circumstances_before.cover:
            card = replace(card, cover=order.cover)
        if order.hull_down != circumstances_before.hull_down:
            card = replace(card, hull_down=order.hull_down)
        shots.append(rejudged(state, verdict, card.correction_of(verdict, shooters)))
    return shots


def _shots_of_row(state: State, counted: events.HitsCounted) -> list[Shooting]:
    """All shots in the volley of the row that was counted: those typed card by card, then those of
    the count."""
    row = row_of(state, counted.shot.piece)
    shots = []
    for verdict in volley_of(state, counted.shot):
        if row_of(state, verdict.shot.piece) == row:
            shots.append(verdict.shot)
    return [*shots, *counted.shots]


def shots_meant(
    state: State, counted: events.HitsCounted, target: str | None, shooter: str | None
) -> tuple[Shooting, ...]:
    """The shots of a counted volley at the row and by the row that were really meant; its own
    where these are None. Raises Refused if that is impossible."""
    shooters = true_shooters(state, shooter, _shots_of_row(state, counted))
    # The last shooters of a count are those whose weapons broke, and that has been carried out.
    if shooters and counted.broken:
        text = "A weapon broke down in this volley, so its shooters stay. Make the line void "
        text += "and enter the volley as it was."
        raise nonsense("miscounted", text)
    shots = []
    for as_counted in counted.shots:
        shot = shot_at(state, as_counted, target)
        if shot.piece in shooters:
            shot = shot_by(state, shot, shooters[shot.piece])
        shots.append(shot)
    return tuple(shots)


def _recounted(
    run: Resolution,
    order: CountHits,
    before: events.HitsCounted,
    typed_shots: Sequence[RejudgedShot],
    *,
    hits_typed: int,
) -> events.HitsCounted:
    """The count as it is now, beside the ``typed_shots`` of its volley, of which ``hits_typed`` hit
    now. Raises Refused."""
    state = run.state
    shots = shots_meant(state, before, order.target, order.shooter)
    first = shots[0]
    another_target = first.target != before.shot.target
    another_shooter = first.piece != before.shot.piece
    others_meant = another_target or another_shooter
    if others_meant:
        run.advise(what_speaks_against(state, first))
    reach_left = _reach_of_volley(before, first, typed_shots) - hits_typed
    circumstances = replace(first.at, cover=order.cover, hull_down=order.hull_down)
    # How many fired and broke down is not corrected.
    completed = replace(order, fired=len(before.pieces), broken=before.broken)
    pieces = tuple(shot.piece for shot in shots)
    counted = _checked_count(state, completed, replace(first, at=circumstances), pieces, reach_left)
    slots = _slots_to_store([shot.slot for shot in shots])
    return replace(counted, slots=slots, shuffle=before.shuffle, meant=others_meant)


def _reach_of_volley(
    before: events.HitsCounted, shot: Shooting, typed_shots: Sequence[RejudgedShot]
) -> int:
    """How many the whole volley of a count can hit, with its first ``shot`` as it is meant now."""
    # A model is meant in place of guys, or guys in place of a model.
    if shot.reach != before.shot.reach:
        return shot.reach
    # The count has what the hits typed card by card had left of the reach of its volley. They are
    # added again, but for those beyond the reach, which had taken nothing from it.
    reach_left_then = before.reach
    typed_hits = [typed for typed in typed_shots if typed.verdict_before.hit]
    # Early versions stored no reach of the whole volley with its shots (0): then nothing is added.
    whole_reach = before.shot.reach
    return reach_left_then + min(len(typed_hits), whole_reach)


def _take_count_back(
    run: Resolution, before: events.HitsCounted, counted: events.HitsCounted
) -> None:
    """The dead of the old count stand up, and its shooters may fire if others did."""
    instead = None
    if counted.shot.piece != before.shot.piece:
        instead = counted.shot
    shot = before.shot.id
    run.emit(
        events.Recalled(
            shot=shot,
            back=dead_by(run.state, shot),
            turn=turn_if_over(run.state, shot),
            instead=instead,
        )
    )
    run.reveal(counted.pieces)


# ------------------------------------------------------------------ what a count can be


def _checked_count(
    state: State, order: CountHits, shot: Shooting, pieces: tuple[str, ...], reach: int
) -> events.HitsCounted:
    """The count, if it can be; raises Refused with what it can be. ``reach`` is how many men are
    left to be hit."""
    aimed = aim_of(state, shot)
    fired = len(pieces)
    if order.fired is not None:
        fired = order.fired
    hits = order.low
    saved_by = None
    # In the open nothing is saved: the cards that cover would have saved are hits.
    if aimed.saves:
        hits -= order.saved
        # Cover and hull down are counted together; for a cannon in both, cover stands for them.
        saved_by = aimed.saves[0]
    wrong = _miscounted(order, aimed, fired=fired, pieces=len(pieces), hits=hits, reach=reach)
    if wrong:
        raise nonsense("miscounted", wrong)
    return events.HitsCounted(
        shot=shot,
        pieces=pieces[:fired],
        needs=aimed.needs,
        reach=reach,
        low=order.low,
        saved=order.saved,
        saved_by=saved_by,
        hits=hits,
        aces=order.aces,
        broken=order.broken,
        # Each weapon that broke down took a second draw.
        draws=_first_draws(aimed, fired, hits, reach) + order.broken,
    )


def _first_draws(aimed: Aim, fired: int, hits: int, reach: int) -> int:
    """The draws of so many shooters, without the second draws of weapons that may have broken
    down."""
    if aimed.repeat is None:
        return fired
    # With repeat fire each hit brings another draw, but for one that leaves nobody to shoot at.
    draws = fired + hits
    if hits and hits == reach:
        draws -= 1
    return draws


def _miscounted(
    order: CountHits, aimed: Aim, *, fired: int, pieces: int, hits: int, reach: int
) -> str:
    """What is wrong with a count of so many shooters out of these pieces; empty if nothing is."""
    if not 1 <= fired <= pieces:
        return f"1 to {pieces} can have fired, not {fired}."
    # With repeat fire there may be more cards than shooters.
    too_many_low = aimed.repeat is None and order.low + order.broken > fired
    if order.low < 0 or too_many_low:
        ranks = ranks_that_hit(aimed.needs)
        return f"{fired} fired, so there are 0 to {fired - order.broken} cards of {ranks}."
    # A shot that was saved is no hit, and ends the run of its shooter: he has one at most.
    if not 0 <= order.saved <= min(order.low, fired):
        return f"Of the {order.low} not {order.saved} can have been saved."
    if hits > reach:
        return f"Only {reach} are in reach, not {hits}; with the volley you say how many are."
    if not 0 <= order.aces <= hits:
        return f"{hits} hit, so not {order.aces} of them can be aces."
    may_have_broken = 0
    if aimed.may_break:
        may_have_broken = fired
    if not 0 <= order.broken <= may_have_broken:
        return f"Not {order.broken} of {fired} can have broken down."
    return ""


# ------------------------------------------------------------------ a count as single shots


def _hits(state: State, counted: events.HitsCounted) -> Iterator[Hit]:
    """The hits of a count. The first ones are taken for the exact hits, which kill whom they were
    aimed at; for the rest the defender chooses who dies."""
    shots = counted.shots
    exact = _exact_hits(state, counted)
    for index in range(counted.hits):
        yield Hit(shot=_shot_taken_for(index, shots), exact=index < exact)


def _exact_hits(state: State, counted: events.HitsCounted) -> int:
    """How many of the hits kill the very man aimed at."""
    aimed = aim_of(state, counted.shot)
    # A model is a target of its own: nobody can die in its place.
    if not aimed.at_guy:
        return counted.hits
    if aimed.why_exact is None:
        return counted.aces
    at_repeat_shot = circumstances_of_next_man(counted.shot.at, state.setup.catalog.fire)
    repeat_aimed = aim_of(state, replace(counted.shot, at=at_repeat_shot))
    if repeat_aimed.why_exact is not None:
        return counted.hits
    # In contact only the first shot of each shooter is exact: the man whom it goes on to is not
    # touched. Aces are exact wherever they fall, and may be more than the first shots.
    first_hits = min(counted.hits, len(counted.pieces))
    return max(first_hits, counted.aces)


def single_shots(counted: events.HitsCounted) -> Iterator[events.Judged]:
    """The single shots of the volley, for whoever sums up shots. Which of them hit is unknown: the
    first ones are taken for the hits, those after them for the saved."""
    shots = counted.shots
    for index in range(counted.draws - counted.broken):
        saved_by = None
        if counted.hits <= index < counted.low:
            saved_by = counted.saved_by
        yield events.Judged(
            shot=_shot_taken_for(index, shots),
            draw=UNSEEN,
            needs=counted.needs,
            hit=index < counted.hits,
            saved_by=saved_by,
            explain="",
        )


def _shot_taken_for(index: int, shots: Sequence[Shooting]) -> Shooting:
    """The shot, out of one of each shooter, that the draw with that index is taken for. With repeat
    fire there are more draws than shooters: they begin at the first one again."""
    return shots[index % len(shots)]
