"""A shot read anew: the same draw under other circumstances ("he was in cover")."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from skirmish.games.plastic.battle import victory
from skirmish.games.plastic.battle.agenda import AnyTask, Hit, Shooting, ToBury, ToRepeat, ToVolley
from skirmish.games.plastic.battle.events import Judged, Recalled
from skirmish.games.plastic.battle.firing import distance
from skirmish.games.plastic.battle.orders import Rejudge
from skirmish.games.plastic.battle.shooting import aim_of, suit_matters
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.explain import explain
from skirmish.games.plastic.rules.shot import judge
from skirmish.tabletop.refusal import nonsense

if TYPE_CHECKING:
    from skirmish.games.plastic.battle.resolve import Resolution


def rejudge(run: Resolution, order: Rejudge) -> None:
    """Read the draw of a shot of this player turn under what the order says. Whom it killed
    stands again, and dies anew if it still hits. Raises Refused where nothing would change."""
    state = run.state
    if state.outcome is not None and state.outcome.agreed:
        raise nonsense("over", "The players have ended this battle; Backspace opens it again.")
    before = next((one for one in state.judged if one.shot.id == order.shot), None)
    if before is None:
        says = "Only a shot of this player turn can be read anew; older ones can be made void."
        raise nonsense("no_such_shot", says)
    shot = seen_as(state, before.shot, order)
    aimed = aim_of(state, shot)
    draw = before.draw
    if draw.suit == "" and suit_matters(aimed, draw.rank):
        says = f"The suit of the {draw} was not told; take the shot back and type it with its suit."
        raise nonsense("no_suit", says)
    verdict, was = judge(aimed, draw), judge(aim_of(state, before.shot), draw)
    same = (verdict.hit, verdict.exact_figure) == (was.hit, was.exact_figure)
    if same and verdict.saved_by == was.saved_by:
        result = "hits" if verdict.hit else "misses"
        shown = draw.words[:1].upper() + draw.words[1:]
        raise nonsense("no_change", f"{shown} {result} all the same.")
    back = tuple(
        piece
        for piece, credit in state.lost.items()
        if credit is not None and credit.shot == order.shot and not credit.breakdown
    )
    rest = _without(state.agenda, order.shot)
    more: list[AnyTask] = []
    if verdict.hit:
        exact = verdict.exact_figure or not aimed.at_guy
        more.append(ToBury(hits=(Hit(shot=shot, draw=draw, exact=exact),)))
        here = before.shot.at.phase == state.clock.phase
        if here and verdict.repeat and order.shot == max(one.shot.id for one in state.judged):
            within, of = verdict.repeat.within, verdict.repeat.of
            more.append(ToRepeat(shot=shot, within=within, of=of))
    later = sum(
        one.shot.piece == shot.piece and one.shot.id > shot.id and one.shot.nth > shot.nth
        for one in state.judged
    )
    run.emit(Recalled(shot=order.shot, back=back, later=later, then=()))
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


def _without(agenda: tuple[AnyTask, ...], shot: int) -> tuple[AnyTask, ...]:
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
