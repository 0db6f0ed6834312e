"""Judging a shot again: the same draw under other circumstances ("he was in cover"). Also a volley
entered as one count, and a correction of that count."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.battle import agenda, events
from skirmish.games.plastic.battle.agenda import Agenda, AnyTask, Shooting
from skirmish.games.plastic.battle.names import piece_side
from skirmish.games.plastic.battle.orders.draws import gone_before, gone_twice
from skirmish.games.plastic.battle.orders.firing import aim_of, seen_as, was_close
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
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.catalog import DECK
from skirmish.games.plastic.rules.shot import Aim, ShotVerdict, judge
from skirmish.games.plastic.rules.shot import run as ranks
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.page import capital
from skirmish.tabletop.refusal import nonsense

UNSEEN = Draw(0, "")
"""A draw of a counted volley that nobody entered."""


class Rejudge(Order, frozen=True, kw_only=True, tag="rejudge"):
    """Judges a shot of this player turn under other circumstances. ``draw`` corrects a typed card
    or roll; ``chain``: if the shot now misses, the repeat shots after it are taken back.
    ``volley``: all shots of its volley, with missing ``suits`` by shot number."""

    when = "answer"
    after_the_end = True

    shot: int
    draw: Draw | None = None
    insist: bool = False
    cover: bool = False
    hull_down: bool = False
    rear: bool = False
    close: bool = False
    grouped: bool = True
    chain: bool = False
    volley: bool = False
    suits: dict[int, str] = msgspec.field(default_factory=dict)

    def carry_out(self, run: Resolution) -> None:
        state = run.state
        if not isinstance(state.ask, agenda.CasualtyAsk):
            run.refuse_while_waiting()
        if state.outcome is not None and state.outcome.agreed:
            raise nonsense("over", "The players have ended this battle; Backspace reopens it.")
        again = _Rejudgment(state, self)
        if not (readings := again.readings):
            text = "Only a shot of this player turn can be judged again; "
            raise nonsense("no_such_shot", f"{text}an older one can be made void.")
        if all(one.same for one in readings):
            shown, hit = readings[0].draw.words, readings[0].verdict.hit
            text = f"{capital(shown)} still {'hits' if hit else 'misses'}."
            if len(readings) > 1:
                text = "No shot of this volley would come to anything else."
            raise nonsense("no_change", text)
        again.judge(run, again.then())
        again.go_on(run)


class CountHits(Order, frozen=True, kw_only=True, tag="count_hits"):
    """``low`` of the ``fired`` (None: all) drew a rank that hits; cover or hull down ``saved`` some
    of them (or would). ``aces`` are among the hits; ``broken`` broke down. ``anew`` corrects an
    earlier count of this player turn: cards of its volley that were typed one by one are judged
    again with it, with ``suits`` by shot number."""

    when = "answer"
    after_the_end = True
    in_journal = "goes on"

    low: int
    saved: int = 0
    aces: int = 0
    broken: int = 0
    fired: int | None = None
    anew: int = 0
    cover: bool = False
    hull_down: bool = False
    suits: dict[int, str] = msgspec.field(default_factory=dict)

    def carry_out(self, run: Resolution) -> None:
        if self.anew:
            if not isinstance(run.state.ask, agenda.CasualtyAsk | agenda.OutcomeAsk):
                run.refuse_while_waiting()
            _recount(run, self)
            return
        volley = volley_to_count(run.state)
        if volley is None:
            raise nonsense("no_volley", "No volley waits for draws of a player's own.")
        judge, task, *rest = run.state.agenda
        assert isinstance(judge, agenda.ToJudge)
        pieces = (judge.shot.piece, *volley.pieces)
        reach = volley.reach - len(volley.hits)
        counted = _read(run.state, self, judge.shot, pieces, reach)
        slot = volley.shot.slot
        slots = [slot_of(run.state, piece, slot) for piece in counted.pieces[1:]]
        if set(slots) - {judge.shot.slot}:
            counted = replace(counted, slots=(judge.shot.slot, *slots))
        task = replace(
            volley,
            pieces=pieces[len(counted.pieces) :],
            fired=volley.fired - 1 + len(counted.pieces),
            hits=(*volley.hits, *_hits(run.state, counted)),
            again=None,
            shots=volley.shots - 1 + counted.draws,
        )
        if hidden := tuple(piece for piece in counted.pieces if piece in run.state.hidden):
            run.emit(events.Revealed(pieces=hidden))
        run.emit(replace(counted, then=(task, *rest)))
        _spend(run, counted, counted.draws)
        for shot in counted.shots[len(counted.pieces) - counted.broken :]:
            break_down(run, shot, None, run.state.agenda)
        if run.state.outcome is None:
            cease(run, task, tuple(rest))
        run.go_on()


class _Reading(NamedTuple):
    """A shot as it was judged, and as it is now."""

    before: events.Judged
    shot: Shooting
    aimed: Aim
    draw: Draw
    verdict: ShotVerdict
    was: ShotVerdict

    @property
    def reread(self) -> bool:
        return self.draw != self.before.draw

    @property
    def wants_suit(self) -> bool:
        return self.draw.suit == "" and suit_matters(self.aimed, self.draw.rank)

    @property
    def same(self) -> bool:
        now, was = ((one.hit, one.exact_figure, one.saved_by) for one in (self.verdict, self.was))
        return now == was and not self.reread


class _Rejudgment:
    """Takes back the old verdicts and applies the new ones. A ``volley`` hits no more than are in
    reach. Raises Refused if a suit is missing."""

    def __init__(self, state: State, order: Rejudge | CountHits) -> None:
        volley, chain, counted = True, False, 0
        if isinstance(order, Rejudge):
            volley, chain = order.volley, order.chain
        else:
            counted = order.anew
        self.readings = _readings(state, order)
        self.done: list[tuple[_Reading, events.Recalled]] = []
        self.hits: list[agenda.Hit] = []
        self.tests: list[AnyTask] = []
        self.repeats: list[AnyTask] = []
        gone: set[int] = set()
        for one in self.readings:
            shot, verdict = one.shot, one.verdict
            if one.wants_suit:
                text = f"Which suit had the {one.draw}? Type it with its suit: {one.draw}h."
                raise nonsense("no_suit", text)
            if shot.id in gone:
                continue
            after = [other.shot.id for other in _chain_after(state, shot)]
            broken = tuple(after) if chain and not verdict.hit else ()
            gone.update(broken)
            recalled = events.Recalled(
                shot=shot.id,
                back=_killed(state, shot.id, broken, broke_down=one.reread),
                later=0 if broken or volley else len(after),
                chain=broken,
                mended=one.before.shot if one.was.breakdown and one.reread else None,
            )
            self.done.append((one, recalled))
            if verdict.breakdown and one.reread:
                self.tests.append(agenda.ToTest(shot=shot, draw=one.draw))
            if verdict.hit and not (volley and len(self.hits) >= shot.reach):
                self.hits.append(hit_of(shot, one.draw, one.aimed, verdict))
        ids = {one.shot.id for one in self.readings}
        self._rest = _without(state.agenda or state.left, ids | gone | {counted})
        self._was_over = state.outcome is not None
        last = self.readings[-1].shot.id if self.readings else 0
        latest = all(one.shot.id <= last for one in state.judged)
        for one, _ in self.done:
            new = not volley or not (one.was.hit or len(self.hits) >= one.shot.reach)
            here = latest and one.before.shot.at.phase == state.clock.phase
            if one.verdict.hit and (repeat := one.verdict.repeat) and here and new:
                offer = agenda.ToRepeat(shot=one.shot, within=repeat.within, of=repeat.of)
                self.repeats.append(offer)

    def then(self, more: Iterable[agenda.Hit] = ()) -> Agenda:
        hits = (*self.hits, *more)
        return (*self.tests, *bury_all(hits, (*self.repeats, *self._rest)))

    def judge(self, run: Resolution, then: Agenda) -> None:
        """Replaces each verdict by the new one."""
        for nth, (one, recalled) in enumerate(self.done, 1):
            run.emit(recalled)
            if one.reread:
                source = run.state.source_of(piece_side(one.shot.piece))
                run.emit(events.Reread(source=source, was=one.before.draw, draw=one.draw))
                run.toggle_by(one.before.draw, one.draw)
            last = nth == len(self.done)
            run.emit(judged(one.shot, one.draw, one.aimed, one.verdict, then if last else ()))

    def go_on(self, run: Resolution) -> None:
        run.go_on()
        if self._was_over:  # still over, or over by this shot
            run.look_for_victory()


def _killed(
    state: State, shot: int, chain: Container[int] = (), *, broke_down: bool = False
) -> tuple[str, ...]:
    """The pieces that a shot and its repeat ``chain`` killed; ``broke_down`` includes its own
    shooter."""
    return tuple(
        piece
        for piece, credit in state.lost.items()
        if credit
        and (credit.shot in chain or (credit.shot == shot and (broke_down or not credit.breakdown)))
    )


def volley_of(state: State, shot: Shooting) -> list[events.Judged]:
    return [
        one
        for one in state.judged
        if one.shot.id == shot.id or (shot.volley and one.shot.volley == shot.volley)
    ]


def suits_wanted(state: State, order: Rejudge | CountHits) -> list[events.Judged]:
    """The shots that can only be judged again once the suits of their cards are known."""
    return [one.before for one in _readings(state, order, insist=True) if one.wants_suit]


def _readings(state: State, order: Rejudge | CountHits, insist: bool = False) -> list[_Reading]:
    """For a corrected count: the shots of its volley that were typed card by card."""
    if isinstance(order, Rejudge):
        typed = [one for one in state.judged if one.shot.id == order.shot]
        if order.volley and typed:
            typed = volley_of(state, typed[0].shot)
        return [_reading(state, one, order, insist or order.insist) for one in typed]
    counted = _counted(state, order.anew)
    if counted is None or not counted.shot.volley:
        return []
    seen = {
        name: getattr(order, name)
        for name in ("cover", "hull_down")
        if getattr(order, name) != getattr(counted.shot.at, name)
    }
    return [
        _reading(state, one, replace(as_judged(state, one.shot), suits=order.suits, **seen), insist)
        for one in volley_of(state, counted.shot)
    ]


def _counted(state: State, shot: int) -> events.HitsCounted | None:
    return next((one for one in state.counts if one.shot.id == shot), None)


def _reading(state: State, before: events.Judged, order: Rejudge, insist: bool) -> _Reading:
    shot = replace(before.shot, at=seen_as(state, before.shot.at, order))
    draw = before.draw
    if order.draw is not None and order.shot == shot.id:
        draw = _really(state, before, order.draw, insist)
    elif shot.id in order.suits and not draw.suit:
        draw = _really(state, before, Draw(draw.rank, order.suits[shot.id]), insist)
    armed = state
    if shot.weapon not in state.unit(shot.piece).weapons:  # it may have broken since
        turned = {piece: unit for piece, unit in state.turned.items() if piece != shot.piece}
        armed = replace(state, turned=turned)
    aimed, was = aim_of(armed, shot), judge(aim_of(armed, before.shot), before.draw)
    return _Reading(before, shot, aimed, draw, judge(aimed, draw), was)


def _really(state: State, before: events.Judged, draw: Draw, insist: bool) -> Draw:
    source = state.sources[state.source_of(piece_side(before.shot.piece))]
    if not source.typed:
        raise nonsense("no_draw", "The program drew it, and has not misread it.")
    if source.kind == "deck":
        draw = Draw(draw.rank, draw.suit or "")
    others = list(source.gone)
    if before.draw in others:
        others.remove(before.draw)
    if gone_before((draw,), replace(source, gone=tuple(others))) and not insist:
        raise gone_twice(draw)
    return draw


def _chain_after(state: State, shot: Shooting) -> list[events.Judged]:
    return [
        one
        for one in state.judged
        if one.shot.piece == shot.piece
        and one.shot.slot == shot.slot
        and one.shot.id > shot.id
        and one.shot.nth > shot.nth
        and one.shot.at.phase == shot.at.phase
    ]


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


def _without(tasks: Agenda, shots: Container[int]) -> Agenda:
    left: list[AnyTask] = []
    for task in tasks:
        match task:
            case agenda.ToBury(hits=hits) | agenda.ToVolley(hits=hits):
                others = tuple(hit for hit in hits if hit.shot.id not in shots)
                if others or isinstance(task, agenda.ToVolley):
                    left.append(replace(task, hits=others))
            case agenda.ToRepeat(shot=repeated) if repeated.id in shots:
                pass
            case _:
                left.append(task)
    return tuple(left)


def volley_to_count(state: State) -> agenda.ToVolley | None:
    match state.ask, state.agenda:
        case agenda.DrawAsk(rank=None), (agenda.ToJudge(), agenda.ToVolley() as volley, *_):
            return volley
    return None


def _recount(run: Resolution, order: CountHits) -> None:
    state = run.state
    before = _counted(state, order.anew)
    if before is None:
        text = "Only a volley of this player turn can be counted anew; older ones can be made void."
        raise nonsense("no_such_shot", text)
    again = _Rejudgment(state, order)
    typed_before = sum(one.was.hit for one in again.readings)
    at = replace(before.shot.at, cover=order.cover, hull_down=order.hull_down)
    full = replace(order, fired=len(before.pieces), broken=before.broken)
    reach = before.reach + min(typed_before, before.shot.reach) - len(again.hits)
    counted = _read(state, full, replace(before.shot, at=at), before.pieces, reach)
    again.judge(run, ())
    run.emit(events.Recalled(shot=order.anew, back=_killed(state, order.anew)))
    then = again.then(_hits(run.state, counted))
    run.emit(replace(counted, slots=before.slots, then=then))
    _spend(run, counted, counted.draws - before.draws)
    again.go_on(run)


def _read(
    state: State, order: CountHits, shot: Shooting, pieces: tuple[str, ...], reach: int
) -> events.HitsCounted:
    aimed = aim_of(state, shot)
    fired = len(pieces) if order.fired is None else order.fired
    hits, chain = order.low - order.saved * bool(aimed.saves), aimed.repeat is not None
    low = ranks(aimed.needs)
    wrong = ""
    if not 1 <= fired <= len(pieces):
        wrong = f"1 to {len(pieces)} can have fired, not {fired}."
    elif order.low < 0 or (order.low + order.broken > fired and not chain):
        wrong = f"{fired} fired, so there are 0 to {fired - order.broken} cards of {low}."
    elif not 0 <= order.saved <= min(order.low, fired):
        wrong = f"Of the {order.low} not {order.saved} can have been saved."
    elif hits > reach:
        wrong = f"Only {reach} are in reach, not {hits}; with the volley you say how many are."
    elif not 0 <= order.aces <= hits:
        wrong = f"{hits} hit, so not {order.aces} of them can be aces."
    elif not 0 <= order.broken <= fired * aimed.may_break:
        wrong = f"Not {order.broken} of {fired} can have broken down."
    if wrong:
        raise nonsense("miscounted", wrong)
    return events.HitsCounted(
        shot=shot,
        pieces=pieces[:fired],
        needs=aimed.needs,
        reach=reach,
        low=order.low,
        saved=order.saved,
        saved_by=aimed.saves[0] if aimed.saves else None,
        hits=hits,
        aces=order.aces,
        broken=order.broken,
        draws=order.broken + (fired if not chain else hits + fired - (0 < hits == reach)),
    )


def _hits(state: State, counted: events.HitsCounted) -> Iterator[agenda.Hit]:
    aimed, shots = aim_of(state, counted.shot), counted.shots
    for nth in range(counted.hits):
        exact = not aimed.at_guy or aimed.exact is not None or nth < counted.aces
        yield agenda.Hit(shot=shots[nth % len(shots)], exact=exact)


def _spend(run: Resolution, counted: events.HitsCounted, draws: int) -> None:
    key = run.state.source_of(piece_side(counted.shot.piece))
    while draws > 0:
        source = run.state.sources[key]
        if source.kind == "deck" and not source.left(DECK):
            run.emit(events.Shuffled(source=key))
            source = run.state.sources[key]
        times = min(draws, source.left(DECK)) if source.kind == "deck" else draws
        run.emit(events.Spent(source=key, draw=UNSEEN, times=times))
        draws -= times


def each(counted: events.HitsCounted) -> Iterator[events.Judged]:
    """The single shots of the volley; which of them hit is unknown."""
    shots = counted.shots
    for nth in range(counted.draws - counted.broken):
        saved = counted.hits <= nth < counted.low
        yield events.Judged(
            shot=shots[nth % len(shots)],
            draw=UNSEEN,
            needs=counted.needs,
            hit=nth < counted.hits,
            saved_by=counted.saved_by if saved else None,
            explain="",
        )
