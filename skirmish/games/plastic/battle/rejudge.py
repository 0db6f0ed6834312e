"""A shot read anew: the same draw under other circumstances ("he was in cover")."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from skirmish.games.plastic.battle import victory
from skirmish.games.plastic.battle.agenda import (
    AnyTask,
    Hit,
    Shooting,
    ToBury,
    ToRepeat,
    ToTest,
    ToVolley,
)
from skirmish.games.plastic.battle.events import Judged, Recalled, Reread
from skirmish.games.plastic.battle.firing import distance
from skirmish.games.plastic.battle.names import piece_side
from skirmish.games.plastic.battle.orders import Rejudge
from skirmish.games.plastic.battle.shooting import aim_of, suit_matters
from skirmish.games.plastic.battle.showing import gone_before, gone_twice
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.explain import explain
from skirmish.games.plastic.rules.shot import judge
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.refusal import nonsense

if TYPE_CHECKING:
    from skirmish.games.plastic.battle.resolve import Resolution


def rejudge(run: Resolution, order: Rejudge) -> None:
    """Read the draw of a shot of this player turn under what the order says. Whom it killed
    stands again, and dies anew if it still hits. Raises Refused where nothing would change."""
    state = run.state
    if state.outcome is not None and state.outcome.agreed:
        raise nonsense("over", "The players have ended this battle; Backspace reopens it.")
    before = next((one for one in state.judged if one.shot.id == order.shot), None)
    if before is None:
        says = "Only a shot of this player turn can be judged again; an older one can be made void."
        raise nonsense("no_such_shot", says)
    shot = seen_as(state, before.shot, order)
    armed = _still_armed(state, shot)
    aimed = aim_of(armed, shot)
    draw = before.draw if order.draw is None else _really(state, before, order.draw, order.insist)
    if draw.suit == "" and suit_matters(aimed, draw.rank):
        raise nonsense("no_suit", f"Which suit had the {draw}? Type it with its suit: {draw}h.")
    verdict, was = judge(aimed, draw), judge(aim_of(armed, before.shot), before.draw)
    same = (verdict.hit, verdict.exact_figure) == (was.hit, was.exact_figure)
    if same and verdict.saved_by == was.saved_by and draw == before.draw:
        result = "hits" if verdict.hit else "misses"
        shown = draw.words[:1].upper() + draw.words[1:]
        raise nonsense("no_change", f"{shown} still {result}.")
    after = [one.shot.id for one in chain_after(state, shot)]
    chain = tuple(after) if order.chain and not verdict.hit else ()
    back = tuple(
        piece
        for piece, credit in state.lost.items()
        if credit is not None
        and (
            credit.shot in chain
            or (credit.shot == order.shot and (not credit.breakdown or draw != before.draw))
        )
    )
    rest = state.agenda or state.left
    for number in (order.shot, *chain):
        rest = without(rest, number)
    more: list[AnyTask] = []
    if verdict.breakdown and draw != before.draw:
        more.append(ToTest(shot=shot, draw=draw))
    if verdict.hit:
        exact = verdict.exact_figure or not aimed.at_guy
        more.append(ToBury(hits=(Hit(shot=shot, draw=draw, exact=exact),)))
        here = before.shot.at.phase == state.clock.phase
        if here and verdict.repeat and order.shot == max(one.shot.id for one in state.judged):
            within, of = verdict.repeat.within, verdict.repeat.of
            more.append(ToRepeat(shot=shot, within=within, of=of))
    later = 0 if chain else len(after)
    mended = before.shot if was.breakdown and draw != before.draw else None
    run.emit(Recalled(shot=order.shot, back=back, later=later, chain=chain, mended=mended, then=()))
    if draw != before.draw:
        source = state.source_of(piece_side(shot.piece))
        run.emit(Reread(source=source, was=before.draw, draw=draw))
        run.toggle_by(before.draw, draw)
    run.emit(
        Judged(
            shot=shot,
            draw=draw,
            needs=aimed.needs,
            hit=verdict.hit,
            saved_by=verdict.saved_by,
            explain=explain(aimed, draw, None, verdict),
            then=(*more, *rest),
        )
    )
    run.go_on()
    if state.outcome is not None:  # over by this shot, or all the same
        victory.after_loss(run)


def _still_armed(state: State, shot: Shooting) -> State:
    """The state with whoever fired that shot as he was then: his weapon may have broken since."""
    if shot.weapon in state.setup.unit(state.unit_of(shot.piece)).weapons:
        return state
    turned = {piece: unit for piece, unit in state.turned.items() if piece != shot.piece}
    return replace(state, turned=turned)


def _really(state: State, before: Judged, draw: Draw, insist: bool) -> Draw:
    """What a player's own card or roll was after all; raises Refused as for one just typed."""
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


def chain_after(state: State, shot: Shooting) -> list[Judged]:
    """The repeat shots of its chain that followed a shot."""
    return [
        one
        for one in state.judged
        if one.shot.piece == shot.piece
        and one.shot.slot == shot.slot
        and one.shot.id > shot.id
        and one.shot.nth > shot.nth
        and one.shot.at.phase == shot.at.phase
    ]


def seen_as(state: State, shot: Shooting, order: Rejudge) -> Shooting:
    """The shot under what the order says of it."""
    touching = shot.at.touching
    at = replace(
        shot.at,
        cover=order.cover,
        hull_down=order.hull_down and state.options.hull_down,
        rear=order.rear and state.options.rear_armor,
        grouped=order.grouped,
        distance=0 if touching else distance(state, order.close),
    )
    return replace(shot, at=at)


def as_judged(state: State, shot: Shooting) -> Rejudge:
    """The order that would change nothing: what was said of the shot."""
    near = state.setup.catalog.fire.exact_within
    return Rejudge(
        shot=shot.id,
        cover=shot.at.cover,
        hull_down=shot.at.hull_down,
        rear=shot.at.rear,
        close=not shot.at.touching and shot.at.distance <= near,
        grouped=shot.at.grouped,
    )


def without(agenda: tuple[AnyTask, ...], shot: int) -> tuple[AnyTask, ...]:
    """The agenda without what that shot would still bring about."""
    kept: list[AnyTask] = []
    for task in agenda:
        match task:
            case ToBury(hits=hits):
                others = tuple(hit for hit in hits if hit.shot.id != shot)
                if others:
                    kept.append(ToBury(hits=others))
            case ToRepeat(shot=repeated) if repeated.id == shot:
                pass
            case ToVolley(hits=hits):
                others = tuple(hit for hit in hits if hit.shot.id != shot)
                kept.append(replace(task, hits=others))
            case _:
                kept.append(task)
    return tuple(kept)
