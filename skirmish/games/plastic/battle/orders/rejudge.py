"""Judging a shot again: the same draw under other circumstances ("he was in cover"). Also a volley
entered as one count, and a correction of that count."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.battle import agenda, events, victory
from skirmish.games.plastic.battle.agenda import Agenda, AnyTask, Shooting
from skirmish.games.plastic.battle.names import piece_side, row_unit, weapon_slot
from skirmish.games.plastic.battle.orders.draws import gone_before, gone_twice
from skirmish.games.plastic.battle.orders.firing import (
    Fire,
    aim_of,
    best_slot,
    seen_as,
    shot_of,
    was_close,
    why_hidden,
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
from skirmish.games.plastic.battle.rows import fights_as, named, row_of
from skirmish.games.plastic.battle.setup import BROKEN_INTO
from skirmish.games.plastic.battle.state import State, span_of
from skirmish.games.plastic.rules.catalog import DECK, a_unit
from skirmish.games.plastic.rules.shot import Aim, Shot, ShotVerdict, at_next, judge, why_not
from skirmish.games.plastic.rules.shot import run as ranks
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.page import capital
from skirmish.tabletop.refusal import Refusal, Refused, nonsense

UNSEEN = Draw(0, "")
"""A draw of a counted volley that nobody entered."""


class Rejudge(Order, frozen=True, kw_only=True, tag="rejudge"):
    """Judges a shot of any turn under other circumstances. ``draw`` corrects a typed card or roll;
    ``target`` and ``shooter`` are the rows that were really meant, with the same card. ``chain``:
    if the shot now misses, the repeat shots after it are taken back. ``volley``: all shots of its
    volley, with missing ``suits`` by shot number."""

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
    target: str | None = None
    shooter: str | None = None

    def carry_out(self, run: Resolution) -> None:
        state = run.state
        if not isinstance(state.ask, agenda.CasualtyAsk):
            run.refuse_while_waiting()
        if state.outcome is not None and state.outcome.agreed:
            raise nonsense("over", "The players have ended this battle; Backspace reopens it.")
        again = _Rejudgment(state, self)
        readings = again.readings
        if not readings:
            raise nonsense("no_such_shot", "There is no such shot that could be judged again.")
        if all(reading.same for reading in readings):
            raise nonsense("no_change", _no_change(readings))
        for reading in readings:
            run.advise(reading.advice)
        again.judge(run, again.then())
        again.go_on(run)


def _no_change(readings: Sequence[_Reading]) -> str:
    if len(readings) > 1:
        return "No shot of this volley would come to anything else."
    (reading,) = readings
    result = "hits" if reading.verdict.hit else "misses"
    return f"{capital(reading.draw.words)} still {result}."


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
        source = run.state.sources[run.state.source_of(piece_side(judge.shot.piece))]
        run.emit(replace(counted, shuffle=source.shuffles, then=(task, *rest)))
        _spend(run, counted, counted.draws)
        for shot in counted.shots[len(counted.pieces) - counted.broken :]:
            break_down(run, shot, None, run.state.agenda)
        goes_on = task.parties and not task.pieces  # the next row of a mixed volley fires
        if run.state.outcome is None and not goes_on:
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
    advice: Refusal | None = None
    """What speaks against the shot as it is read now."""

    @property
    def fired_by_another(self) -> bool:
        return self.shot.piece != self.before.shot.piece

    @property
    def reread(self) -> bool:
        return self.draw != self.before.draw

    @property
    def wants_suit(self) -> bool:
        return self.draw.suit == "" and suit_matters(self.aimed, self.draw.rank)

    @property
    def same(self) -> bool:
        if self.reread or self.fired_by_another or self.shot.target != self.before.shot.target:
            return False
        now, was = ((one.hit, one.exact_figure, one.saved_by) for one in (self.verdict, self.was))
        return now == was


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
                text = (
                    f"Which suit had the {one.draw.rank_words}? Type it with its suit: {one.draw}h."
                )
                raise nonsense("no_suit", text)
            if shot.id in gone:
                continue
            after = [other.shot.id for other in _chain_after(state, shot)]
            broken = tuple(after) if chain and not verdict.hit else ()
            gone.update(broken)
            mended = None
            if one.was.breakdown and (one.reread or one.fired_by_another):
                mended = one.before.shot
            past = state.past_of(shot.id)
            recalled = events.Recalled(
                shot=shot.id,
                back=_killed(state, shot.id, broken, broke_down=mended is not None),
                later=0 if broken or volley else len(after),
                chain=broken,
                mended=mended,
                instead=shot if one.fired_by_another else None,
                turn=0 if past is None else past.turn,
            )
            self.done.append((one, recalled))
            if verdict.breakdown and one.reread:
                self.tests.append(agenda.ToTest(shot=shot, draw=one.draw))
            if verdict.hit and not (volley and len(self.hits) >= shot.reach):
                self.hits.append(hit_of(shot, one.draw, one.aimed, verdict))
        ids = {one.shot.id for one in self.readings}
        self._rest = _without(state.agenda or state.left, ids | gone | {counted})
        self._was_over = state.outcome is not None
        self._ended_as = victory.ended_as(state)
        last = self.readings[-1].shot.id if self.readings else 0
        latest = all(one.shot.id <= last for one in state.judged)
        for one, _ in self.done:
            new = not volley or not (one.was.hit or len(self.hits) >= one.shot.reach)
            now = state.past_of(one.shot.id) is None
            here = now and latest and one.before.shot.at.phase == state.clock.phase
            if one.verdict.hit and (repeat := one.verdict.repeat) and here and new:
                offer = agenda.ToRepeat(shot=one.shot, within=repeat.within, of=repeat.of)
                self.repeats.append(offer)

    def then(self, more: Iterable[agenda.Hit] = ()) -> Agenda:
        hits = (*self.hits, *more)
        return (*self.tests, *bury_all(hits, (*self.repeats, *self._rest)))

    def judge(self, run: Resolution, then: Agenda) -> None:
        """Replaces each verdict by the new one."""
        for nth, (reading, recalled) in enumerate(self.done, 1):
            shot, before = reading.shot, reading.before
            broke = _broke_down(run.state, before.shot)
            run.emit(recalled)
            if shot.piece in run.state.hidden:
                run.emit(events.Revealed(pieces=(shot.piece,)))
            if reading.reread:
                key = run.state.source_of(piece_side(shot.piece))
                run.emit(
                    events.Reread(
                        source=key,
                        was=before.draw,
                        draw=reading.draw,
                        shuffled=shuffled_since(run.state, before),
                    )
                )
                run.toggle_by(before.draw, reading.draw)
            after: Agenda = ()
            if nth == len(self.done):
                after = then
            verdict = judged(shot, reading.draw, reading.aimed, reading.verdict, after)
            run.emit(replace(verdict, shuffle=before.shuffle))
            if reading.fired_by_another and reading.verdict.breakdown and broke:
                # The second card stays as it was drawn: it broke the weapon of him who fired.
                break_down(run, shot, None, run.state.agenda)

    def go_on(self, run: Resolution) -> None:
        run.go_on()
        if not self._was_over or run.state.outcome is not None or run.state.ask is not None:
            return
        if end := victory.over_again(run.state, self._ended_as):
            run.emit(end)
        else:
            run.emit(events.Reopened())


def _broke_down(state: State, shot: Shooting) -> bool:
    """Whether the weapon of that shot has broken down."""
    if state.turned.get(shot.piece) == BROKEN_INTO:
        return True
    if weapon_slot(shot.piece, shot.slot) in state.disarmed:
        return True
    credit = state.lost.get(shot.piece)
    return credit is not None and credit.breakdown and credit.shot == shot.id


def shuffled_since(state: State, before: events.Judged | events.HitsCounted) -> bool:
    """Whether the deck was shuffled after the card of a shot was drawn."""
    source = state.sources[state.source_of(piece_side(before.shot.piece))]
    if source.kind == "die":
        return False
    if before.shuffle is None:  # of an earlier version: a deck is shuffled with the turn
        return state.past_of(before.shot.id) is not None
    return before.shuffle != source.shuffles


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
        for one in state.judged_in_turn_of(shot.id)
        if one.shot.id == shot.id or (shot.volley and one.shot.volley == shot.volley)
    ]


def suits_wanted(state: State, order: Rejudge | CountHits) -> list[events.Judged]:
    """The shots that can only be judged again once the suits of their cards are known."""
    return [one.before for one in _readings(state, order, insist=True) if one.wants_suit]


def _readings(state: State, order: Rejudge | CountHits, insist: bool = False) -> list[_Reading]:
    """For a corrected count: the shots of its volley that were typed card by card."""
    if isinstance(order, Rejudge):
        turn = state.judged_in_turn_of(order.shot)
        typed = [one for one in turn if one.shot.id == order.shot]
        if order.volley and typed:
            typed = volley_of(state, typed[0].shot)
        pieces = _other_shooters(state, order, [one.shot for one in typed])
        return [_reading(state, one, order, insist or order.insist, pieces) for one in typed]
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
    counts = state.counts_in_turn_of(shot)
    return next((one for one in counts if one.shot.id == shot), None)


def _other_shooters(state: State, order: Rejudge, shots: list[Shooting]) -> dict[str, str]:
    """The pieces of the row that really fired, by those that were judged: at best some that had
    not fired in that part of the turn. Raises Refused if there are too few."""
    if order.shooter is None or not shots:
        return {}
    row = named(state, order.shooter)
    if row.side != piece_side(shots[0].piece):
        raise nonsense("other_side", "The shooter must be of the side that fired.")
    before = list(dict.fromkeys(shot.piece for shot in shots))
    if all(row_of(state, piece) == row.key for piece in before):
        return {}
    here = {shot.id for shot in shots}
    turn = state.judged_in_turn_of(shots[0].id)
    others = [one.shot for one in turn if one.shot.id not in here]
    for counted in state.counts_in_turn_of(shots[0].id):
        others += counted.shots
    span = span_of(shots[0].at.phase)
    busy = {shot.piece for shot in others if span_of(shot.at.phase) == span}
    dead = [piece for piece in state.lost if row_of(state, piece) == row.key]
    able = sorted(dict.fromkeys((*row.here, *dead)), key=lambda piece: piece in busy)
    if len(able) < len(before):
        raise nonsense("too_many", f"Only {row.unit.named(len(able))} could have fired.")
    return dict(zip(before, able, strict=False))


def _reading(
    state: State,
    before: events.Judged,
    order: Rejudge,
    insist: bool,
    pieces: Mapping[str, str] | None = None,
) -> _Reading:
    shot = replace(before.shot, at=seen_as(state, before.shot.at, order))
    shot = _at_whom(state, shot, order.target)
    piece = (pieces or {}).get(shot.piece)
    if piece is not None:
        shot = _fired_by(state, shot, piece)
    draw = before.draw
    if order.draw is not None and order.shot == shot.id:
        draw = _really(state, before, order.draw, insist)
    elif shot.id in order.suits and not draw.suit:
        draw = _really(state, before, Draw(draw.rank, order.suits[shot.id]), insist)
    armed, armed_before = _armed(state, shot), _armed(state, before.shot)
    advice = None
    if shot.target != before.shot.target or piece is not None:
        advice = _against(armed, shot)
    aimed = aim_of(armed, shot)
    was = judge(aim_of(armed_before, before.shot), before.draw)
    return _Reading(before, shot, aimed, draw, judge(aimed, draw), was, advice)


def _at_whom(state: State, shot: Shooting, target: str | None) -> Shooting:
    """The shot at another row; raises Refused if that is impossible."""
    if target is None or target == shot.target:
        return shot
    row = named(state, target)
    if row.side == piece_side(shot.piece):
        raise nonsense("own_side", "They are on the same side.")
    if hiding := why_hidden(row):
        raise nonsense("hidden", hiding, "Firing")
    if shot.nth > 1 and not row.unit.is_guy:
        text = f"Repeat fire must be at another guy, not {a_unit(row.unit.name)}."
        raise nonsense("not_a_guy", text, "Repeat Firing")
    if shot.nth > 1:
        return replace(shot, target=target)
    return replace(shot, target=target, first=target)


def _fired_by(state: State, shot: Shooting, piece: str) -> Shooting:
    """The shot with the best weapon of that piece; raises Refused if it has none for the
    target."""
    row = named(state, row_of(state, piece))
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


def _against(state: State, shot: Shooting) -> Refusal | None:
    """What speaks against the shot; raises Refused if it has no number."""
    refusal = why_not(shot_of(state, shot), state.setup.catalog, state.setup.rulings)
    if refusal is not None and refusal.firm:
        raise Refused(refusal)
    return refusal


def _armed(state: State, shot: Shooting) -> State:
    """The state with the weapon of that shot: it may have broken since."""
    if shot.weapon in state.unit(shot.piece).weapons:
        return state
    turned = {piece: unit for piece, unit in state.turned.items() if piece != shot.piece}
    return replace(state, turned=turned)


def _really(state: State, before: events.Judged, draw: Draw, insist: bool) -> Draw:
    source = state.sources[state.source_of(piece_side(before.shot.piece))]
    if not source.typed:
        raise nonsense("no_draw", "The program drew it, and has not misread it.")
    if source.kind == "deck":
        draw = Draw(draw.rank, draw.suit or "")
    others: list[Draw] = []
    if not shuffled_since(state, before):  # nobody knows what else had gone by then
        others = list(source.gone)
        if before.draw in others:
            others.remove(before.draw)
    if gone_before((draw,), replace(source, gone=tuple(others))) and not insist:
        raise gone_twice(draw)
    return draw


def _chain_after(state: State, shot: Shooting) -> list[events.Judged]:
    return [
        one
        for one in state.judged_in_turn_of(shot.id)
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
        raise nonsense("no_such_shot", "There is no such volley that could be counted anew.")
    again = _Rejudgment(state, order)
    typed_before = sum(one.was.hit for one in again.readings)
    at = replace(before.shot.at, cover=order.cover, hull_down=order.hull_down)
    full = replace(order, fired=len(before.pieces), broken=before.broken)
    reach = before.reach + min(typed_before, before.shot.reach) - len(again.hits)
    counted = _read(state, full, replace(before.shot, at=at), before.pieces, reach)
    again.judge(run, ())
    past = state.past_of(order.anew)
    turn = 0 if past is None else past.turn
    run.emit(events.Recalled(shot=order.anew, back=_killed(state, order.anew), turn=turn))
    then = again.then(_hits(run.state, counted))
    run.emit(replace(counted, slots=before.slots, shuffle=before.shuffle, then=then))
    if not shuffled_since(state, before):
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
    exact = counted.aces
    if not aimed.at_guy:
        exact = counted.hits
    elif aimed.exact is not None:
        at = at_next(counted.shot.at, state.setup.catalog.fire)
        later = aim_of(state, replace(counted.shot, at=at))
        # In contact only the first hit of each shooter is exact; more hits than shooters are those
        # of repeat fire, at men who are not touched.
        exact = counted.hits
        if later.exact is None:
            exact = max(min(counted.hits, len(counted.pieces)), counted.aces)
    for nth in range(counted.hits):
        yield agenda.Hit(shot=shots[nth % len(shots)], exact=nth < exact)


def _spend(run: Resolution, counted: events.HitsCounted, draws: int) -> None:
    key = run.state.source_of(piece_side(counted.shot.piece))
    while draws > 0:
        source = run.state.sources[key]
        if source.kind == "deck" and source.left(DECK) <= 0:
            run.emit(events.Shuffled(source=key))
            source = run.state.sources[key]
        times = min(draws, source.left(DECK)) if source.kind == "deck" else draws
        run.emit(events.Spent(source=key, draw=UNSEEN, times=times, shuffle=source.shuffles))
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
