"""A volley told in one count: forty cards are turned over and counted, not typed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from skirmish.games.plastic.battle import victory
from skirmish.games.plastic.battle.agenda import DrawAsk, Hit, Shooting, ToBury, ToJudge, ToVolley
from skirmish.games.plastic.battle.events import (
    HitsCounted,
    Judged,
    Recalled,
    Revealed,
    Shuffled,
    Spent,
)
from skirmish.games.plastic.battle.names import piece_side
from skirmish.games.plastic.battle.orders import CountHits
from skirmish.games.plastic.battle.rejudge import (
    Anew,
    beside_count,
    judge_anew,
    plan_anew,
    reading,
    without,
)
from skirmish.games.plastic.battle.shooting import aim_of, break_down, cease
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.catalog import DECK
from skirmish.games.plastic.rules.shot import run as ranks
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.refusal import nonsense

if TYPE_CHECKING:
    from skirmish.games.plastic.battle.resolve import Resolution

UNSEEN = Draw(0, "")
"""A card or roll of a counted volley: nobody told which."""


def count_hits(run: Resolution, order: CountHits) -> None:
    """What the rest of a volley came to, or one counted before told anew. Raises Refused."""
    if order.anew:
        _count_anew(run, order)
        return
    volley = volley_to_count(run.state)
    if volley is None:
        raise nonsense("no_volley", "No volley waits for draws of a player's own.")
    judge, task, *rest = run.state.agenda
    assert isinstance(judge, ToJudge)
    pieces = (judge.shot.piece, *volley.pieces)
    counted = _read(run.state, order, judge.shot, pieces, task_reach(volley))
    task = replace(
        volley,
        pieces=pieces[len(counted.pieces) :],
        fired=volley.fired - 1 + len(counted.pieces),
        hits=(*volley.hits, *_hits(run.state, counted)),
        again=None,
        shots=volley.shots - 1 + counted.draws,
    )
    if hidden := tuple(piece for piece in counted.pieces if piece in run.state.hidden):
        run.emit(Revealed(pieces=hidden))
    run.emit(replace(counted, then=(task, *rest)))
    _spend(run, counted, counted.draws)
    for piece in counted.pieces[len(counted.pieces) - counted.broken :]:
        break_down(run, replace(counted.shot, piece=piece), None, run.state.agenda)
    if run.state.outcome is None:
        cease(run, task, tuple(rest))
    run.go_on()


def volley_to_count(state: State) -> ToVolley | None:
    """The volley that waits for a card or roll of a player's own, if one does."""
    if not isinstance(state.ask, DrawAsk) or state.ask.rank is not None or len(state.agenda) < 2:
        return None
    judge, volley = state.agenda[:2]
    return volley if isinstance(judge, ToJudge) and isinstance(volley, ToVolley) else None


def task_reach(volley: ToVolley) -> int:
    """How many of the group can still be hit."""
    return volley.reach - len(volley.hits)


def _count_anew(run: Resolution, order: CountHits) -> None:
    state = run.state
    before = next((one for one in state.counts if one.shot.id == order.anew), None)
    if before is None:
        says = "Only a volley of this player turn can be counted anew; older ones can be made void."
        raise nonsense("no_such_shot", says)
    readings = [reading(state, one, seen) for one, seen in beside_count(state, order)]
    plan = Anew([], (), (), (), state.agenda or state.left)
    if readings:
        plan = plan_anew(state, readings, volley=True, chain=False)
    typed_before = sum(one.was.hit for one in readings)
    at = replace(before.shot.at, cover=order.cover, hull_down=order.hull_down)
    again = replace(order, fired=len(before.pieces), broken=before.broken)
    reach = before.reach + min(typed_before, before.shot.reach) - len(plan.hits)
    counted = _read(state, again, replace(before.shot, at=at), before.pieces, reach)
    back = tuple(
        piece
        for piece, credit in state.lost.items()
        if credit is not None and credit.shot == order.anew and not credit.breakdown
    )
    judge_anew(run, plan, ())
    run.emit(Recalled(shot=order.anew, back=back, then=()))
    hits = (*plan.hits, *_hits(run.state, counted))
    bury = [ToBury(hits=hits)] if hits else []
    rest = without(plan.rest, order.anew)
    run.emit(replace(counted, then=(*plan.tests, *bury, *plan.repeats, *rest)))
    _spend(run, counted, counted.draws - before.draws)
    run.go_on()
    if state.outcome is not None:
        victory.after_loss(run)


def _read(
    state: State, order: CountHits, shot: Shooting, pieces: tuple[str, ...], reach: int
) -> HitsCounted:
    """The order held against the rules; raises Refused for what cannot be."""
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
    return HitsCounted(
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


def _hits(state: State, counted: HitsCounted) -> Iterator[Hit]:
    aimed = aim_of(state, counted.shot)
    for nth in range(counted.hits):
        piece = counted.pieces[nth % len(counted.pieces)]
        exact = not aimed.at_guy or aimed.exact is not None or nth < counted.aces
        yield Hit(shot=replace(counted.shot, piece=piece), exact=exact)


def _spend(run: Resolution, counted: HitsCounted, draws: int) -> None:
    """So many cards have gone, whichever they are; an empty deck was shuffled."""
    key = run.state.source_of(piece_side(counted.shot.piece))
    while draws > 0:
        source = run.state.sources[key]
        if source.kind == "deck" and not source.left(DECK):
            run.emit(Shuffled(source=key))
            source = run.state.sources[key]
        times = min(draws, source.left(DECK)) if source.kind == "deck" else draws
        run.emit(Spent(source=key, draw=UNSEEN, times=times))
        draws -= times


def each(counted: HitsCounted) -> Iterator[Judged]:
    """Its shots one by one, for whoever adds up shots; who hit is not known."""
    for nth in range(counted.draws - counted.broken):
        saved = counted.hits <= nth < counted.low
        yield Judged(
            shot=replace(counted.shot, piece=counted.pieces[nth % len(counted.pieces)]),
            draw=UNSEEN,
            needs=counted.needs,
            hit=nth < counted.hits,
            saved_by=counted.saved_by if saved else None,
            explain="",
        )
