"""Judging a shot again: the same draw under other circumstances ("he was in cover"), at another
target, by another shooter, or another draw. Also a volley entered as one count, and a correction of
that count.

``Rejudge`` is about single shots, ``CountHits`` about a volley whose cards nobody typed one by one.
A *count* below is such a volley; a *run of fire* is a shot with the repeat shots that its hits
brought; the *reach* of a volley is how many of its target it can hit at most.

To judge again, everything is worked out first (``_judged_anew``), on the state as it is; then each
old verdict is taken back and the new one given, in the order of the shots (``_Judgment.give``).
Draws are never made again: what was drawn stands, unless a player says that he misread it.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.battle import agenda, events, victory
from skirmish.games.plastic.battle.agenda import Agenda, AnyTask, Hit, Shooting
from skirmish.games.plastic.battle.names import piece_side, row_unit, weapon_slot
from skirmish.games.plastic.battle.orders.draws import gone_before, gone_twice
from skirmish.games.plastic.battle.orders.firing import (
    Fire,
    aim_of,
    as_stated,
    best_slot,
    shot_of,
    was_close,
    why_hidden,
)
from skirmish.games.plastic.battle.orders.pins import (
    JudgedFire,
    PinningShot,
    PinReview,
    fire_of,
    pins_reviewed,
)
from skirmish.games.plastic.battle.orders.resolution import Order, Resolution
from skirmish.games.plastic.battle.orders.shooting import (
    break_down,
    bury_all,
    cease,
    hit_of,
    judged,
    slot_of,
    suit_matters,
)
from skirmish.games.plastic.battle.rows import Row, existing_row, fights_as, row_of
from skirmish.games.plastic.battle.setup import BROKEN_INTO
from skirmish.games.plastic.battle.state import State, span_of
from skirmish.games.plastic.rules.catalog import DECK, a_unit
from skirmish.games.plastic.rules.shot import (
    Aim,
    Shot,
    ShotVerdict,
    at_next,
    judge,
    ranks_that_hit,
    why_not,
)
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.page import capital
from skirmish.tabletop.refusal import Refusal, Refused, nonsense

UNSEEN = Draw(0, "")
"""A draw of a counted volley that nobody entered: no card has the rank 0."""


class Rejudge(Order, frozen=True, kw_only=True, tag="rejudge"):
    """Judges a shot of any turn again, under circumstances that are stated all anew: they replace
    those that it was judged under."""

    begun_by = "who fires"
    anyway = "judges it so anyway."
    # It answers no question, but may be given while one is open: ``carry_out`` says which.
    when = "answer"
    after_the_end = True

    shot: int
    """The number of the shot."""
    draw: Draw | None = None
    """Another card or roll, where a typed one was wrong; None: it was right."""
    insist: bool = False
    """Whether the draw counts even if it is known to have gone before."""
    cover: bool = False
    hull_down: bool = False
    rear: bool = False
    close: bool = False
    grouped: bool = True
    chain: bool = False
    """Whether the repeat shots after it are taken back if it misses now."""
    volley: bool = False
    """Whether all shots of its volley are judged again."""
    suits: dict[int, str] = msgspec.field(default_factory=dict)
    """The suits of cards of the volley of which only the rank was typed, by the number of the
    shot."""
    target: str | None = None
    """The row that was really meant, with the same card; None: it was right."""
    shooter: str | None = None
    """The row that really fired, with the same card; None: it was right."""

    def carry_out(self, run: Resolution) -> None:
        state = run.state
        # Who dies may still be open: that it was cover is often noticed right then.
        if not isinstance(state.ask, agenda.CasualtyAsk):
            run.refuse_while_waiting()
        # An end by the terms may fall with the shot; one that the players agreed on is theirs to
        # take back.
        if state.outcome is not None and state.outcome.agreed:
            raise nonsense("over", "The players have ended this battle; Backspace reopens it.")
        readings = _readings(state, self)
        if not readings:
            raise nonsense("no_such_shot", "There is no such shot that could be judged again.")
        judgment = _judged_anew(state, readings, whole_volley=self.volley, chain=self.chain)
        # Otherwise the journal would say that something was put right where nothing is different.
        if all(reading.changes_nothing for reading in readings):
            raise nonsense("no_change", _no_change(readings))
        for reading in readings:
            run.advise(reading.advice)
        fire_before = fire_of(state, readings[0].before.shot)
        pin_review = judgment.review_pins(state, fire_before)
        judgment.give(run, judgment.consequences(pin_review))
        _change_pins(run, pin_review)
        judgment.go_on(run)

    def given_by(self, state: State) -> tuple[str, ...]:
        return _side_that_fired(state, self.shot)


def _no_change(readings: Sequence[_ShotReading]) -> str:
    """The refusal where all shots come to what they came to before."""
    if len(readings) > 1:
        return "No shot of this volley would come to anything else."
    (reading,) = readings
    result = "misses"
    if reading.verdict.hit:
        result = "hits"
    return f"{capital(reading.draw.words)} still {result}."


class CountHits(Order, frozen=True, kw_only=True, tag="count_hits"):
    """A volley entered as one count, or the correction of an earlier count (``anew``)."""

    begun_by = "who fires"
    # An answer to the question for draws; anew, it may be given while other questions are open.
    when = "answer"
    after_the_end = True
    in_journal = "goes on"

    low: int
    """How many drew a rank that hits, which is a low one."""
    saved: int = 0
    """How many of these cover or hull down saved, or would have."""
    aces: int = 0
    """How many of the hits were aces."""
    broken: int = 0
    """How many weapons broke down."""
    fired: int | None = None
    """How many fired; None: all."""
    anew: int = 0
    """The first shot of the count that this one corrects; 0: it corrects none. The cards of its
    volley that were typed one by one are judged again with it."""
    cover: bool = False
    hull_down: bool = False
    suits: dict[int, str] = msgspec.field(default_factory=dict)
    """The suits of such cards of which only the rank was typed, by the number of the shot."""
    target: str | None = None
    """The row that was really meant; None: it was right."""
    shooter: str | None = None
    """The row that really fired; None: it was right."""
    insist: bool = False

    def carry_out(self, run: Resolution) -> None:
        if self.anew:
            if not isinstance(run.state.ask, agenda.CasualtyAsk | agenda.OutcomeAsk):
                run.refuse_while_waiting()
            _count_again(run, self)
        else:
            _count(run, self)

    def given_by(self, state: State) -> tuple[str, ...]:
        """The side whose volley it is: of a correction the volley that was counted, else the one
        that waits for its draws."""
        if self.anew:
            return _side_that_fired(state, self.anew)
        waiting = state.agenda[:1]
        if waiting and isinstance(waiting[0], agenda.ToJudge):
            return (piece_side(waiting[0].shot.piece),)
        return ()


def _side_that_fired(state: State, shot: int) -> tuple[str, ...]:
    """The side that fired a shot, if there is such a shot."""
    fired = state.shot_fired(shot)
    if fired is None:
        return ()
    return (piece_side(fired.piece),)


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
    # Two alike guns have a slot each, and of some pieces one of them may have fired.
    others = [slot_of(run.state, piece, volley.shot.slot) for piece in counted.pieces[1:]]
    counted = replace(counted, slots=_slots_to_store([first.slot, *others]))
    volley = _volley_after(run.state, volley, counted, pieces)
    # Whoever fires is seen (P69).
    run.reveal(counted.pieces)
    source = run.state.sources[run.state.source_of(piece_side(first.piece))]
    run.emit(replace(counted, shuffle=source.shuffles, then=(volley, *rest)))
    _spend(run, counted, counted.draws)
    _break_down_last(run, counted)
    # The volley goes on while another row (a party) is to fire. But if pieces of this row are left
    # that did not fire, nobody was left to shoot at, and the next rows have no target either.
    another_row_fires = volley.parties and not volley.pieces
    if run.state.outcome is None and not another_row_fires:
        cease(run, volley, tuple(rest))
    run.go_on()


def _slots_to_store(slots: Sequence[int]) -> tuple[int, ...]:
    """The slots of the pieces of a count, from the first on; none if all have that of the first,
    which is stored with its shot."""
    if set(slots) == {slots[0]}:
        return ()
    return tuple(slots)


def _volley_after(
    state: State,
    volley: agenda.ToVolley,
    counted: events.HitsCounted,
    pieces: tuple[str, ...],
) -> agenda.ToVolley:
    """The volley after a count of some of these ``pieces``, all that had not fired yet."""
    # The shot that waited for its draw was already declared, so it is among those that have fired.
    return replace(
        volley,
        pieces=pieces[len(counted.pieces) :],
        fired=volley.fired - 1 + len(counted.pieces),
        # Hits drawn before the count began are buried together with it.
        hits=(*volley.hits, *_hits(state, counted)),
        again=None,
        shots=volley.shots - 1 + counted.draws,
    )


def _break_down_last(run: Resolution, counted: events.HitsCounted) -> None:
    """Breaks down the weapons of the last pieces of a count: the players do not say whose they
    were."""
    unbroken = len(counted.pieces) - counted.broken
    for shot in counted.shots[unbroken:]:
        break_down(run, shot, draw=None, then=run.state.agenda)


# ------------------------------------------------------------------ what each shot comes to now


class _ShotReading(NamedTuple):
    """A shot as it was judged, and as it is now. ``before``: the event by which it was judged last;
    ``verdict_before``: what its draw came to then. The other fields are as it is read now."""

    before: events.Judged
    shot: Shooting
    aimed: Aim
    draw: Draw
    verdict: ShotVerdict
    verdict_before: ShotVerdict
    advice: Refusal | None = None
    """What speaks against the shot as it is read now."""

    @property
    def fired_by_another(self) -> bool:
        """Whether another piece fired it than it was judged for."""
        return self.shot.piece != self.before.shot.piece

    @property
    def reread(self) -> bool:
        """Whether the player says that it was another card or roll."""
        return self.draw != self.before.draw

    @property
    def wants_suit(self) -> bool:
        """Whether the card was typed without its suit, which decides something now."""
        return self.draw.suit == "" and suit_matters(self.aimed, self.draw.rank)

    @property
    def changes_nothing(self) -> bool:
        """Whether the same shot comes to what it came to before."""
        if self.reread or self.fired_by_another or self.shot.target != self.before.shot.target:
            return False
        return _effect(self.verdict) == _effect(self.verdict_before)


def _effect(verdict: ShotVerdict) -> tuple[bool, bool, str | None]:
    """All that makes a difference to the target: whether it is hit, whether the man aimed at dies
    himself, and what saved him. A breakdown is the shooter's, and stays unless the card changes."""
    return verdict.hit, verdict.exact_figure, verdict.saved_by


def volley_of(state: State, shot: Shooting) -> list[events.Judged]:
    """The verdicts of all single shots of the volley of a shot; its own if it was fired alone. Pin
    tests ask for more: a whole run of repeat fire (``pins.fire_of``)."""
    verdicts = []
    for verdict in state.judged_in_turn_of(shot.id):
        in_volley = shot.volley and verdict.shot.volley == shot.volley
        if in_volley or verdict.shot.id == shot.id:
            verdicts.append(verdict)
    return verdicts


def suits_wanted(state: State, order: Rejudge | CountHits) -> list[events.Judged]:
    """The shots that can only be judged again once the suits of their cards are known."""
    readings = _readings(state, order, insist=True)
    return [reading.before for reading in readings if reading.wants_suit]


def _readings(state: State, order: Rejudge | CountHits, insist: bool = False) -> list[_ShotReading]:
    """The single shots that an order is about. Raises Refused if one is impossible."""
    if isinstance(order, CountHits):
        return _readings_beside(state, order, insist)
    verdict = state.verdict_of(order.shot)
    if verdict is None:
        return []
    verdicts = [verdict]
    if order.volley:
        verdicts = volley_of(state, verdict.shot)
    shots = [verdict.shot for verdict in verdicts]
    true_shooters = _true_shooters(state, order.shooter, shots)
    insist = insist or order.insist
    return [_reading(state, verdict, order, insist, true_shooters) for verdict in verdicts]


def _readings_beside(state: State, order: CountHits, insist: bool) -> list[_ShotReading]:
    """For a corrected count: the shots of its volley that were typed card by card. Only what is
    corrected of the count is corrected of them."""
    counted = state.count_of(order.anew)
    if counted is None or not counted.shot.volley:
        return []
    verdicts = volley_of(state, counted.shot)
    true_shooters: dict[str, str] = {}
    if order.shooter is not None:
        true_shooters = _true_shooters(state, order.shooter, _shots_of_row(state, counted))
    readings = []
    for verdict in verdicts:
        # Each card keeps its own circumstances but for those that the new count changes.
        corrected = replace(as_judged(state, verdict.shot), suits=order.suits, target=order.target)
        if order.cover != counted.shot.at.cover:
            corrected = replace(corrected, cover=order.cover)
        if order.hull_down != counted.shot.at.hull_down:
            corrected = replace(corrected, hull_down=order.hull_down)
        readings.append(_reading(state, verdict, corrected, insist, true_shooters))
    return readings


def _shots_of_row(state: State, counted: events.HitsCounted) -> list[Shooting]:
    """All shots of the row that was counted: those typed card by card, then the count's."""
    row = row_of(state, counted.shot.piece)
    shots = []
    for verdict in volley_of(state, counted.shot):
        if row_of(state, verdict.shot.piece) == row:
            shots.append(verdict.shot)
    return [*shots, *counted.shots]


def _true_shooters(state: State, shooter: str | None, shots: Sequence[Shooting]) -> dict[str, str]:
    """The pieces of the row that really fired, by those that were judged: at best some that had
    not fired in that part of the turn. Raises Refused if there are too few."""
    if shooter is None or not shots:
        return {}
    row = existing_row(state, shooter)
    if row.side != piece_side(shots[0].piece):
        raise nonsense("other_side", "The shooter must be of the side that fired.")
    pieces_before = list(dict.fromkeys(shot.piece for shot in shots))
    # They fired indeed; nothing is to be put right about them.
    if all(row_of(state, piece) == row.key for piece in pieces_before):
        return {}
    # Whoever fired may have died since.
    dead = [piece for piece in state.lost if row_of(state, piece) == row.key]
    members = [*row.here, *dead]
    fired_besides = _fired_besides(state, shots)
    unused = [piece for piece in members if piece not in fired_besides]
    # Better one that has fired before than nobody: the players know that this row fired, and may
    # have miscounted before.
    used = [piece for piece in members if piece in fired_besides]
    candidates = unused + used
    if len(candidates) < len(pieces_before):
        raise nonsense("too_many", f"Only {row.unit.named(len(candidates))} could have fired.")
    # The row may have more men than fired.
    return dict(zip(pieces_before, candidates, strict=False))


def _fired_besides(state: State, shots: Sequence[Shooting]) -> set[str]:
    """The pieces that fired other shots in the same part of that turn."""
    ids = {shot.id for shot in shots}
    first = shots[0]
    shots_of_turn = [verdict.shot for verdict in state.judged_in_turn_of(first.id)]
    for counted in state.counts_in_turn_of(first.id):
        shots_of_turn += counted.shots
    span = span_of(first.at.phase)
    pieces = set()
    for shot in shots_of_turn:
        if shot.id not in ids and span_of(shot.at.phase) == span:
            pieces.add(shot.piece)
    return pieces


def _reading(
    state: State,
    before: events.Judged,
    order: Rejudge,
    insist: bool,
    true_shooters: Mapping[str, str],
) -> _ShotReading:
    """A shot as it is read now; ``true_shooters`` are the pieces that really fired, by those that
    were judged."""
    shot = replace(before.shot, at=as_stated(state, before.shot.at, order))
    shot = _at_whom(state, shot, order.target)
    true_shooter = true_shooters.get(shot.piece)
    if true_shooter is not None:
        shot = _fired_by(state, shot, true_shooter)
    draw = before.draw
    # Of a whole volley only the shot that is named was misread; of others a suit may be added.
    if order.draw is not None and order.shot == shot.id:
        draw = _corrected_draw(state, before, order.draw, insist)
    elif shot.id in order.suits and not draw.suit:
        draw = _corrected_draw(state, before, Draw(draw.rank, order.suits[shot.id]), insist)
    # Circumstances alone need no advice: who fired at whom was allowed, or insisted on.
    advice = None
    if shot.target != before.shot.target or true_shooter is not None:
        advice = _what_speaks_against(state, shot)
    aimed = aim_of(state, shot)
    return _ShotReading(
        before=before,
        shot=shot,
        aimed=aimed,
        draw=draw,
        verdict=judge(aimed, draw),
        verdict_before=judge(aim_of(state, before.shot), before.draw),
        advice=advice,
    )


def _at_whom(state: State, shot: Shooting, target: str | None) -> Shooting:
    """The shot at another row; raises Refused if that is impossible."""
    if target is None or target == shot.target:
        return shot
    row = existing_row(state, target)
    if row.side == piece_side(shot.piece):
        raise nonsense("own_side", "They are on the same side.")
    hiding = why_hidden(state, row)
    if hiding:
        raise nonsense("hidden", hiding, "Firing")
    if shot.nth > 1 and not row.unit.is_guy:
        text = f"Repeat fire must be at another guy, not {a_unit(row.unit.name)}."
        raise nonsense("not_a_guy", text, "Repeat Firing")
    # Of models one is hit at a time, of guys as many as are in reach: the old reach has no meaning
    # there.
    was_guy = state.setup.unit(row_unit(shot.target)).is_guy
    if shot.volley and row.unit.is_guy != was_guy:
        shot = replace(shot, reach=_usual_reach(row))
    if shot.nth > 1:  # the run of fire began at another man
        return replace(shot, target=target)
    return replace(shot, target=target, first=target)


def _usual_reach(row: Row) -> int:
    """How many of a row a volley reaches if nobody says so, as when it is fired."""
    if not row.unit.is_guy:
        return 1
    return max(len(row.in_sight), 1)


def _fired_by(state: State, shot: Shooting, piece: str) -> Shooting:
    """The shot with the best weapon of that piece; raises Refused if it has none for the
    target."""
    row = existing_row(state, row_of(state, piece))
    if not row.weapons:
        raise nonsense("no_weapon", f"{a_unit(row.unit.name, 'A')} has nothing to fire with.")
    target = state.setup.unit(row_unit(shot.target))
    bare = Shot(
        shooter=fights_as(state, row.unit),
        weapon=None,
        target=fights_as(state, target),
        at=shot.at,
        nation=state.nation_of(row.side),
    )
    slot = best_slot(state, row, bare, Fire(shooter=row.key, target=shot.target))
    return replace(shot, piece=piece, slot=slot, weapon=row.weapons[slot].id)


def _what_speaks_against(state: State, shot: Shooting) -> Refusal | None:
    """What speaks against the shot; raises Refused if no insisting makes it possible, since the
    firing table has no number for it."""
    refusal = why_not(shot_of(state, shot), state.setup.catalog, state.setup.rulings)
    if refusal is not None and refusal.firm:
        raise Refused(refusal)
    return refusal


def _corrected_draw(state: State, before: events.Judged, draw: Draw, insist: bool) -> Draw:
    """The card or roll that it was; raises Refused if it cannot have been."""
    source = state.sources[state.source_of(piece_side(before.shot.piece))]
    if not source.typed:
        raise nonsense("no_draw", "The program drew it, and has not misread it.")
    # A card typed without its suit has the suit "": without any it would be a roll.
    if source.kind == "deck" and draw.suit is None:
        draw = Draw(draw.rank, "")
    other_cards: list[Draw] = []
    if not shuffled_since(state, before):  # nobody knows what else had gone by then
        other_cards = list(source.gone)
        if before.draw in other_cards:
            other_cards.remove(before.draw)
    twice = gone_before((draw,), replace(source, gone=tuple(other_cards)))
    if twice and not insist:
        raise gone_twice(draw)
    return draw


def as_judged(state: State, shot: Shooting) -> Rejudge:
    """The order that repeats the present verdict."""
    return Rejudge(
        shot=shot.id,
        cover=shot.at.cover,
        hull_down=shot.at.hull_down,
        rear=shot.at.rear,
        close=was_close(state, shot.at),
        grouped=shot.at.grouped,
    )


def shuffled_since(state: State, before: events.Judged | events.HitsCounted) -> bool:
    """Whether the deck was shuffled after the card of a shot was drawn."""
    source = state.sources[state.source_of(piece_side(before.shot.piece))]
    if source.kind == "die":
        return False
    if before.shuffle is None:  # of an earlier version: a deck is shuffled with the turn
        return state.past_of(before.shot.id) is not None
    return before.shuffle != source.shuffles


# ------------------------------------------------------------------ what follows from it


class _Judgment(NamedTuple):
    """What follows from the new ``readings``, worked out before anything is taken back.
    ``recalled``: for each reading, in the same order, the old verdict that is taken back; a repeat
    shot that is cut off goes with that of its first shot. ``hits``: those of the readings, to be
    buried."""

    readings: tuple[_ShotReading, ...]
    recalled: tuple[events.Recalled, ...]
    hits: tuple[Hit, ...]
    tests: Agenda
    """The second draws of weapons that may have broken down after all."""
    repeats: Agenda
    """Offers to fire again, where a shot of this moment hits now."""
    rest: Agenda
    """What had to be resolved besides."""
    was_over: bool
    ended_as: victory.Ending

    def consequences(self, pin_review: PinReview, counted_hits: Iterable[Hit] = ()) -> Agenda:
        """The agenda after the last verdict, in the order of an ordinary shot."""
        hits = (*self.hits, *counted_hits)
        after_burial = (*self.repeats, *pin_review.tests, *pin_review.rest)
        return (*self.tests, *bury_all(hits, after_burial))

    def review_pins(
        self,
        state: State,
        fire_before: JudgedFire,
        counts: tuple[events.HitsCounted, ...] | None = None,
    ) -> PinReview:
        """What becomes of the pin tests of that fire, with other ``counts`` if they are
        corrected."""
        fire_now = self.fire_after(fire_before, counts)
        return pins_reviewed(state, fire_before, fire_now, self.rest)

    def fire_after(
        self, before: JudgedFire, counts: tuple[events.HitsCounted, ...] | None = None
    ) -> JudgedFire:
        """The fire that was judged ``before``, as it is judged now; ``counts``: in place of its
        own."""
        readings = {reading.shot.id: reading for reading in self.readings}
        gone: set[int] = set()
        for recalled in self.recalled:
            gone.update(recalled.chain)
        shots = []
        for fired in before.shots:
            reading = readings.get(fired.shot.id)
            if reading is not None:
                shots.append(PinningShot(reading.shot, reading.verdict.hit))
            elif fired.shot.id not in gone:
                shots.append(fired)
        if counts is None:
            counts = before.counts
        return JudgedFire(tuple(shots), counts)

    def give(self, run: Resolution, then: Agenda) -> None:
        """Replaces each verdict by the new one; ``then`` follows the last."""
        for reading, recalled in zip(self.readings, self.recalled, strict=True):
            after: Agenda = ()
            if reading is self.readings[-1]:
                after = then
            _replace_verdict(run, reading, recalled, after)

    def go_on(self, run: Resolution) -> None:
        """Works through what follows. A battle that was over by the shot may be so no more."""
        run.go_on()
        if not self.was_over or run.state.outcome is not None or run.state.ask is not None:
            return
        end = victory.end_after_judging_again(run.state, self.ended_as)
        if end is not None:
            run.emit(end)
        else:
            run.emit(events.Reopened())


def _change_pins(run: Resolution, pin_review: PinReview) -> None:
    """States what becomes of pin tests that were drawn."""
    for change in pin_review.changes:
        run.emit(change)


def _judged_anew(
    state: State,
    all_readings: Sequence[_ShotReading],
    *,
    whole_volley: bool,
    chain: bool = False,
    count_corrected: int = 0,
) -> _Judgment:
    """What the readings come to. Raises Refused if a suit is missing. A volley hits no more than
    are in reach. ``chain``: if a shot misses now, its repeat shots are taken back.
    ``count_corrected`` is the number of the first shot of a count that is corrected beside them."""
    readings: list[_ShotReading] = []
    recalled: list[events.Recalled] = []
    taken_back: set[int] = set()
    for reading in all_readings:
        _refuse_unknown_suit(reading)
        if reading.shot.id in taken_back:
            continue
        repeat_shots = [verdict.shot.id for verdict in _chain_after(state, reading.shot)]
        cut_off: tuple[int, ...] = ()
        if chain and not reading.verdict.hit:
            cut_off = tuple(repeat_shots)
            taken_back.update(cut_off)
        # Repeat shots that stay are for the players to check. In a volley each of them is judged
        # again itself.
        to_check = len(repeat_shots)
        if cut_off or whole_volley:
            to_check = 0
        readings.append(reading)
        recalled.append(_recalled(state, reading, cut_off, to_check))
    hits = _hits_in_reach(readings, whole_volley)
    ids = {reading.shot.id for reading in all_readings}
    return _Judgment(
        readings=tuple(readings),
        recalled=tuple(recalled),
        hits=hits,
        tests=_breakdown_tests(readings),
        repeats=_repeats(state, readings, all_readings, len(hits), whole_volley),
        # What the end of the battle cut off goes on if that was no end.
        rest=_agenda_without(state.agenda or state.cut_off, ids | taken_back | {count_corrected}),
        was_over=state.outcome is not None,
        ended_as=victory.ended_as(state),
    )


def _refuse_unknown_suit(reading: _ShotReading) -> None:
    """Raises Refused if the suit of the card decides and nobody has typed it."""
    if reading.wants_suit:
        rank = reading.draw.rank_words
        text = f"Which suit had the {rank}? Type it with its suit: {reading.draw}h."
        raise nonsense("no_suit", text)


def _recalled(
    state: State, reading: _ShotReading, cut_off: tuple[int, ...], to_check: int
) -> events.Recalled:
    """The old verdict of the shot taken back, with the repeat shots that are ``cut_off``; of those
    that stay, so many are ``to_check``."""
    # The same card at another target breaks the weapon down as it did. For another card, or for
    # another man, what the test of that time broke is whole again.
    mended = None
    may_have_broken = reading.verdict_before.breakdown and not _has_held(state, reading.before.shot)
    if may_have_broken and (reading.reread or reading.fired_by_another):
        mended = reading.before.shot
    instead = None
    if reading.fired_by_another:
        instead = reading.shot
    return events.Recalled(
        shot=reading.shot.id,
        back=_killed(state, reading.shot.id, cut_off, broke_down=mended is not None),
        later=to_check,
        chain=cut_off,
        mended=mended,
        instead=instead,
        turn=_turn_if_over(state, reading.shot.id),
    )


def _turn_if_over(state: State, shot: int) -> int:
    """The game turn of a shot of an earlier player turn, which its sentence then names; 0 for a
    shot of this turn."""
    past = state.past_of(shot)
    if past is None:
        return 0
    return past.turn


def _hits_in_reach(readings: Iterable[_ShotReading], whole_volley: bool) -> tuple[Hit, ...]:
    """The hits of these shots, of a volley as many as can be hit: the first ones, as they fell."""
    hits: list[Hit] = []
    for reading in readings:
        all_are_hit = whole_volley and len(hits) >= reading.shot.reach
        if reading.verdict.hit and not all_are_hit:
            hits.append(hit_of(reading.shot, reading.draw, reading.aimed, reading.verdict))
    return tuple(hits)


def _breakdown_tests(readings: Iterable[_ShotReading]) -> Agenda:
    """The second draws for cards that are read as a breakdown now. One that was read so before, for
    whatever weapon, was tested then, unless it was another card."""
    tests: list[AnyTask] = []
    for reading in readings:
        tested_then = reading.verdict_before.breakdown and not reading.reread
        if reading.verdict.breakdown and not tested_then:
            tests.append(agenda.ToTest(shot=reading.shot, draw=reading.draw))
    return tuple(tests)


def _repeats(
    state: State,
    readings: Sequence[_ShotReading],
    all_readings: Sequence[_ShotReading],
    number_of_hits: int,
    whole_volley: bool,
) -> Agenda:
    """The offers to fire again, after this ``number_of_hits`` in all. There is one only after the
    latest shot, while its phase goes on: whoever fired after it has seen what it came to."""
    if not readings:
        return ()
    last = all_readings[-1].shot.id
    if any(verdict.shot.id > last for verdict in state.judged):
        return ()
    offers: list[AnyTask] = []
    for reading in readings:
        repeat, shot = reading.verdict.repeat, reading.shot
        of_this_phase = reading.before.shot.at.phase == state.clock.phase
        if repeat is None or not reading.verdict.hit or not of_this_phase:
            continue
        if state.past_of(shot.id) is not None:
            continue
        # In a volley who hit before has already fired again, and nobody does once all are hit.
        has_repeated = reading.verdict_before.hit or number_of_hits >= shot.reach
        if whole_volley and has_repeated:
            continue
        offers.append(agenda.ToRepeat(shot=shot, within=repeat.within, of=repeat.of))
    return tuple(offers)


def _replace_verdict(
    run: Resolution, reading: _ShotReading, recalled: events.Recalled, then: Agenda
) -> None:
    """Takes the old verdict back and gives the new one, with the same card or the corrected one."""
    shot, before = reading.shot, reading.before
    # Asked before the verdict is taken back, which mends the weapon. A man who has become a
    # rifleman by an earlier breakdown did not break down with this card.
    broke = reading.verdict_before.breakdown and _broke_down(run.state, before.shot)
    run.emit(recalled)
    run.reveal([shot.piece])
    if reading.reread:
        run.emit(
            events.Reread(
                source=run.state.source_of(piece_side(shot.piece)),
                was=before.draw,
                draw=reading.draw,
                shuffled=shuffled_since(run.state, before),
            )
        )
        # What the misread card toggled is toggled back, and the right card toggles what it does.
        run.toggle_by(before.draw, reading.draw)
    verdict = judged(shot, reading.draw, reading.aimed, reading.verdict, then)
    run.emit(replace(verdict, shuffle=before.shuffle))
    if reading.fired_by_another and reading.verdict.breakdown and broke:
        # The second card stays as it was drawn: it broke the weapon of him who fired.
        break_down(run, shot, draw=None, then=run.state.agenda)


def _has_held(state: State, shot: Shooting) -> bool:
    """Whether the weapon of that shot has fired again since: then it held, and if it is broken now,
    a later shot has broken it."""
    for later in state.fired_since(shot.piece, shot.id):
        if (later.slot, later.weapon) == (shot.slot, shot.weapon):
            return True
    return False


def _broke_down(state: State, shot: Shooting) -> bool:
    """Whether the weapon of that shot broke down with it: a guy has become a rifleman, a gun of a
    model is disarmed, and a model without another gun is lost."""
    if _has_held(state, shot):
        return False
    if state.turned.get(shot.piece) == BROKEN_INTO:
        return True
    if weapon_slot(shot.piece, shot.slot) in state.disarmed:
        return True
    credit = state.lost.get(shot.piece)
    return credit is not None and credit.breakdown and credit.shot == shot.id


def _killed(
    state: State, shot: int, chain: Container[int] = (), *, broke_down: bool = False
) -> tuple[str, ...]:
    """The pieces that a shot and its repeat ``chain`` killed; ``broke_down`` includes its own
    shooter."""
    killed = []
    for piece, credit in state.lost.items():
        if credit is None:  # no shot did it
            continue
        by_the_shot = credit.shot == shot and (broke_down or not credit.breakdown)
        if by_the_shot or credit.shot in chain:
            killed.append(piece)
    return tuple(killed)


def _chain_after(state: State, shot: Shooting) -> list[events.Judged]:
    """The repeat shots that followed a shot of a run of fire."""
    repeat_shots = []
    for verdict in state.judged_in_turn_of(shot.id):
        later = verdict.shot
        same_weapon = later.piece == shot.piece and later.slot == shot.slot
        follows = later.id > shot.id and later.nth > shot.nth
        if same_weapon and follows and later.at.phase == shot.at.phase:
            repeat_shots.append(verdict)
    return repeat_shots


def _agenda_without(tasks: Agenda, shots: Container[int]) -> Agenda:
    """The agenda without what these shots have brought."""
    left: list[AnyTask] = []
    for task in tasks:
        match task:
            case agenda.ToBury(hits=hits) | agenda.ToVolley(hits=hits):
                hits_left = tuple(hit for hit in hits if hit.shot.id not in shots)
                # A volley goes on with those who have not fired, even if nobody is hit any more.
                if hits_left or isinstance(task, agenda.ToVolley):
                    left.append(replace(task, hits=hits_left))
            case agenda.ToRepeat(shot=repeated) if repeated.id in shots:
                pass
            case _:
                left.append(task)
    return tuple(left)


# ------------------------------------------------------------------ a volley in one count


def volley_to_count(state: State) -> agenda.ToVolley | None:
    """The volley that waits for the next draw of its player, if any."""
    match state.ask, state.agenda:
        case agenda.DrawAsk(rank=None), (agenda.ToJudge(), agenda.ToVolley() as volley, *_):
            return volley
    return None


def shots_meant(
    state: State, counted: events.HitsCounted, target: str | None, shooter: str | None
) -> tuple[Shooting, ...]:
    """The shots of a counted volley at the row and by the row that were really meant; its own
    where these are None. Raises Refused if that is impossible."""
    true_shooters: dict[str, str] = {}
    if shooter is not None:
        true_shooters = _true_shooters(state, shooter, _shots_of_row(state, counted))
        # Whose weapon it was has been carried out already: of a count the last ones break down.
        if true_shooters and counted.broken:
            text = "A weapon broke down in this volley, so its shooters stay. Make the line void "
            text += "and enter the volley as it was."
            raise nonsense("miscounted", text)
    shots = []
    for as_counted in counted.shots:
        shot = _at_whom(state, as_counted, target)
        if shot.piece in true_shooters:
            shots.append(_fired_by(state, shot, true_shooters[shot.piece]))
        else:
            shots.append(shot)
    return tuple(shots)


def _count_again(run: Resolution, order: CountHits) -> None:
    """Corrects a count, and with it the cards of its volley that were typed one by one."""
    state = run.state
    before = state.count_of(order.anew)
    if before is None:
        raise nonsense("no_such_shot", "There is no such volley that could be counted anew.")
    readings = _readings(state, order, order.insist)
    judgment = _judged_anew(state, readings, whole_volley=True, count_corrected=order.anew)
    counted = _recounted(run, order, before, readings, hits_typed=len(judgment.hits))
    fire_before = fire_of(state, before.shot)
    other_counts = [count for count in fire_before.counts if count is not before]
    pin_review = judgment.review_pins(state, fire_before, counts=(*other_counts, counted))
    judgment.give(run, ())
    _take_count_back(run, before, counted)
    hits = _hits(run.state, counted)
    run.emit(replace(counted, then=judgment.consequences(pin_review, hits)))
    _change_pins(run, pin_review)
    # After a shuffle the cards of that time are in the deck again. Where the new count has fewer
    # cards than the old one, all stay spent: which of them were not drawn is not known.
    if not shuffled_since(state, before):
        _spend(run, counted, counted.draws - before.draws)
    judgment.go_on(run)


def _recounted(
    run: Resolution,
    order: CountHits,
    before: events.HitsCounted,
    readings: Sequence[_ShotReading],
    *,
    hits_typed: int,
) -> events.HitsCounted:
    """The count as it is now; ``hits_typed`` of its volley were typed card by card. Raises
    Refused."""
    state = run.state
    shots = shots_meant(state, before, order.target, order.shooter)
    first = shots[0]
    another_target = first.target != before.shot.target
    another_shooter = first.piece != before.shot.piece
    others_meant = another_target or another_shooter
    if others_meant:
        run.advise(_what_speaks_against(state, first))
    reach = _reach_of_volley(before, first, readings)
    circumstances = replace(first.at, cover=order.cover, hull_down=order.hull_down)
    # How many fired and broke down is not corrected.
    as_many = replace(order, fired=len(before.pieces), broken=before.broken)
    pieces = tuple(shot.piece for shot in shots)
    counted = _checked_count(
        state, as_many, replace(first, at=circumstances), pieces, reach - hits_typed
    )
    slots = _slots_to_store([shot.slot for shot in shots])
    return replace(counted, slots=slots, shuffle=before.shuffle, meant=others_meant)


def _reach_of_volley(
    before: events.HitsCounted, shot: Shooting, readings: Sequence[_ShotReading]
) -> int:
    """How many the whole volley of a count can hit, with its first ``shot`` as it is meant now. The
    count itself had what the hits typed card by card left of it: they are added again."""
    if shot.reach != before.shot.reach:  # a model in place of guys, or guys in its place
        return shot.reach
    # Not simply the reach of the shot: counts of early versions have none there (0).
    hits_typed_before = sum(reading.verdict_before.hit for reading in readings)
    return before.reach + min(hits_typed_before, before.shot.reach)


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
            back=_killed(run.state, shot),
            turn=_turn_if_over(run.state, shot),
            instead=instead,
        )
    )
    run.reveal(counted.pieces)


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
    if aimed.saves:
        hits -= order.saved
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
        draws=order.broken + _draws_made(aimed, fired, hits, reach),
    )


def _draws_made(aimed: Aim, fired: int, hits: int, reach: int) -> int:
    """The draws of so many shooters, without the second draws of weapons that may have broken
    down."""
    if aimed.repeat is None:
        return fired
    # With repeat fire each hit brings another draw, but the one that leaves nobody to shoot at.
    draws = hits + fired
    if hits and hits == reach:
        draws -= 1
    return draws


def _miscounted(
    order: CountHits, aimed: Aim, *, fired: int, pieces: int, hits: int, reach: int
) -> str:
    """What is wrong with a count of so many shooters out of these pieces; empty if nothing is."""
    ranks_in_words = ranks_that_hit(aimed.needs)
    may_have_broken = 0
    if aimed.may_break:
        may_have_broken = fired
    too_many_low = aimed.repeat is None and order.low + order.broken > fired
    if not 1 <= fired <= pieces:
        return f"1 to {pieces} can have fired, not {fired}."
    if order.low < 0 or too_many_low:
        return f"{fired} fired, so there are 0 to {fired - order.broken} cards of {ranks_in_words}."
    # A shot that was saved is no hit, and ends the run of its shooter: he has one at most.
    if not 0 <= order.saved <= min(order.low, fired):
        return f"Of the {order.low} not {order.saved} can have been saved."
    if hits > reach:
        return f"Only {reach} are in reach, not {hits}; with the volley you say how many are."
    if not 0 <= order.aces <= hits:
        return f"{hits} hit, so not {order.aces} of them can be aces."
    if not 0 <= order.broken <= may_have_broken:
        return f"Not {order.broken} of {fired} can have broken down."
    return ""


def _hits(state: State, counted: events.HitsCounted) -> Iterator[Hit]:
    """The hits of a count: the first ones are exact and kill whom they were aimed at; for the rest
    the defender chooses who dies."""
    shots = counted.shots
    exact = _exact_hits(state, counted)
    for nth in range(counted.hits):
        # With repeat fire there are more hits than shooters: they begin at the first one again.
        yield Hit(shot=shots[nth % len(shots)], exact=nth < exact)


def _exact_hits(state: State, counted: events.HitsCounted) -> int:
    """How many of the hits kill the very man aimed at."""
    aimed = aim_of(state, counted.shot)
    # A model is a target of its own: nobody can die in its place.
    if not aimed.at_guy:
        return counted.hits
    if aimed.exact is None:
        return counted.aces
    # In contact only the first hit of each shooter is exact; more hits than shooters are those of
    # repeat fire, at men who are not touched.
    circumstances = at_next(counted.shot.at, state.setup.catalog.fire)
    later = aim_of(state, replace(counted.shot, at=circumstances))
    if later.exact is None:
        first_hits = min(counted.hits, len(counted.pieces))
        # Aces are exact wherever they fall, and may be more than these.
        return max(first_hits, counted.aces)
    return counted.hits


def _spend(run: Resolution, counted: events.HitsCounted, draws: int) -> None:
    """Takes so many unseen cards from the deck, which is shuffled whenever it runs out."""
    key = run.state.source_of(piece_side(counted.shot.piece))
    while draws > 0:
        source = run.state.sources[key]
        if source.kind == "deck" and source.left(DECK) <= 0:
            run.emit(events.Shuffled(source=key))
            source = run.state.sources[key]
        times = draws
        if source.kind == "deck":
            times = min(draws, source.left(DECK))
        run.emit(events.Spent(source=key, draw=UNSEEN, times=times, shuffle=source.shuffles))
        draws -= times


def single_shots(counted: events.HitsCounted) -> Iterator[events.Judged]:
    """The single shots of the volley, for whoever sums up shots. Which of them hit is unknown: the
    first ones are taken for the hits, those after them for the saved."""
    shots = counted.shots
    for nth in range(counted.draws - counted.broken):
        saved_by = None
        if counted.hits <= nth < counted.low:
            saved_by = counted.saved_by
        # With repeat fire there are more shots than shooters: they begin at the first one again.
        yield events.Judged(
            shot=shots[nth % len(shots)],
            draw=UNSEEN,
            needs=counted.needs,
            hit=nth < counted.hits,
            saved_by=saved_by,
            explain="",
        )
