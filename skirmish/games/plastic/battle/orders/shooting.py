"""The steps of fire: a shot judged, a weapon broken down, a volley going on, a repeat offered."""

from __future__ import annotations

from msgspec.structs import replace

from skirmish.games.plastic.battle import agenda, events
from skirmish.games.plastic.battle.agenda import Agenda, AnyTask, Shooting
from skirmish.games.plastic.battle.names import piece_side, row_side
from skirmish.games.plastic.battle.orders.firing import (
    aim_of,
    declare,
    pin_owed_after,
    prepare_again,
    same_again,
)
from skirmish.games.plastic.battle.orders.resolution import Resolution
from skirmish.games.plastic.battle.rows import guys
from skirmish.games.plastic.battle.setup import BROKEN_INTO
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.shot import Aim, Repeat, ShotVerdict, explain, judge, tested
from skirmish.tabletop.chance import SUITS, Draw
from skirmish.tabletop.refusal import Refused


def judge_shot(run: Resolution, task: agenda.ToJudge, then: Agenda) -> None:
    shot = task.shot
    aimed = aim_of(run.state, shot)
    side = piece_side(shot.piece)
    draw = task.drawn or run.draw(side, "shot", lambda rank: suit_matters(aimed, rank))
    if draw is None:
        return
    verdict = judge(aimed, draw)
    more: list[AnyTask] = []
    if verdict.breakdown:
        more.append(agenda.ToTest(shot=shot, draw=draw))
    if verdict.hit:
        then = tuple(task for task in then if not (isinstance(task, agenda.ToCheck) and task.lone))
        hit = hit_of(shot, draw, aimed, verdict)
        if then and isinstance(volley := then[0], agenda.ToVolley):
            volley, rest = _hit_in_volley(volley, hit, verdict.repeat), then[1:]
            then = (volley, *rest)
        else:
            more.append(agenda.ToBury(hits=(hit,)))
            if verdict.repeat:
                within, of = verdict.repeat.within, verdict.repeat.of
                more.append(agenda.ToRepeat(shot=shot, within=within, of=of))
    second = task.drawn is not None
    run.emit(replace(judged(shot, draw, aimed, verdict, (*more, *then)), second=second))


def judged(
    shot: Shooting, draw: Draw, aimed: Aim, verdict: ShotVerdict, then: Agenda
) -> events.Judged:
    return events.Judged(
        shot=shot,
        draw=draw,
        needs=aimed.needs,
        hit=verdict.hit,
        saved_by=verdict.saved_by,
        explain=explain(aimed, draw, None, verdict),
        then=then,
    )


def hit_of(shot: Shooting, draw: Draw, aimed: Aim, verdict: ShotVerdict) -> agenda.Hit:
    return agenda.Hit(shot=shot, draw=draw, exact=verdict.exact_figure or not aimed.at_guy)


def _hit_in_volley(
    volley: agenda.ToVolley, hit: agenda.Hit, repeat: Repeat | None
) -> agenda.ToVolley:
    """The volley after a hit. Who died is asked at its end; until then the defender is taken to
    give a man who was not shot at yet, as long as he has one."""
    new = volley.reach if volley.new is None else volley.new
    new -= repeat.uses_up(exact=hit.exact) if repeat else 1
    again = hit.shot if repeat and new > 0 else None
    return replace(volley, hits=(*volley.hits, hit), again=again, new=max(new, 0))


def test_breakdown(run: Resolution, task: agenda.ToTest, then: Agenda) -> None:
    """The second draw of a breakdown: the gun, the man or the model may be lost."""
    shot = task.shot
    draw = run.draw(piece_side(shot.piece), "breakdown", lambda _: True, aside=task.draw)
    if draw is None:
        return
    aimed = aim_of(run.state, shot)
    verdict = judge(aimed, task.draw, draw)
    broken = verdict.breakdown == "broken"
    missed = f"The {task.draw.words} missed." if task.draw.is_card else "The shot missed."
    text = f"{missed} {tested(aimed, draw, verdict)}"
    if not broken and run.state.setup.rulings["P82"] == "shot_too":
        then = (agenda.ToJudge(shot=shot, drawn=draw), *then)
    run.emit(events.Tested(shot=shot, draw=draw, broken=broken, explain=text, then=then))
    if broken:
        break_down(run, shot, draw, then)


def break_down(run: Resolution, shot: Shooting, draw: Draw | None, then: Agenda) -> None:
    """The man fights on as a rifleman, or a gun (P19) or its model is lost."""
    state, unit = run.state, run.state.unit(shot.piece)
    weapons = len(state.setup.catalog.weapons_of(unit, state.setup.rulings))
    if unit.is_guy:
        run.emit(events.Turned(piece=shot.piece, unit=BROKEN_INTO))
    elif state.setup.rulings["P19"] == "weapon_only" and (weapons > 1 or unit.seats > 0):
        run.emit(events.Disarmed(piece=shot.piece, slot=shot.slot))
    else:
        run.lose(shot.piece, shot, draw, then, breakdown=True)


def volley_on(run: Resolution, task: agenda.ToVolley, then: Agenda) -> None:
    """The next shot of a volley, or its end: when all have fired or all in reach are hit."""
    state = run.state
    spent = not task.pieces and task.again is None
    if spent or len(task.hits) >= task.reach:
        cease(run, task, then)
        return
    if task.again is not None:
        shot = replace(task.again, id=state.shots + 1, nth=task.again.nth + 1)
        rest = replace(task, again=None, shots=task.shots + 1)
    else:
        shot = replace(
            task.shot,
            id=state.shots + 1,
            piece=task.pieces[0],
            slot=slot_of(state, task.pieces[0], task.shot.slot),
            volley=task.shot.id,
            reach=task.reach,
        )
        new = task.reach - len(task.hits)
        fired, shots = task.fired + 1, task.shots + 1
        rest = replace(task, pieces=task.pieces[1:], fired=fired, shots=shots, new=new)
        if shot.piece in state.hidden:
            run.emit(events.Revealed(pieces=(shot.piece,)))
    run.emit(
        events.Aimed(
            shot=shot,
            side=piece_side(shot.piece),
            needs=aim_of(state, shot).needs,
            then=(agenda.ToJudge(shot=shot), rest, *then),
        )
    )


def slot_of(state: State, piece: str, slot: int) -> int:
    """Of two machineguns the one that has fired need not be the same with everybody."""
    setup = state.setup
    weapons = setup.catalog.weapons_of(state.unit(piece), setup.rulings)
    others = [n for n, one in enumerate(weapons) if n != slot and one == weapons[slot]]
    return next((n for n in (slot, *others) if state.can_fire(piece, n)), slot)


def cease(run: Resolution, task: agenda.ToVolley, then: Agenda) -> None:
    more: list[AnyTask] = []
    if task.hits:
        more.append(agenda.ToBury(hits=task.hits))
    if task.pins and task.fired and len(task.hits) < task.reach:
        each_shot = run.state.setup.rulings["P55"] == "per_shot"
        times = task.shots if each_shot else task.fired
        more.append(agenda.ToCheck(check="pin", side=row_side(task.shot.target), times=times))
    run.emit(
        events.Ceased(
            fired=task.fired,
            hits=len(task.hits),
            unused=len(task.pieces),
            then=(*more, *then),
        )
    )


def offer_repeat(run: Resolution, task: agenda.ToRepeat, then: Agenda) -> None:
    """Offer another shot if there is anybody at all to shoot at ("Repeat Firing")."""
    enemy = run.state.setup.enemy_of(piece_side(task.shot.piece)).id
    if guys(run.state, enemy):
        run.ask(agenda.RepeatAsk(shot=task.shot, within=task.within, of=task.of))
    else:
        run.hold(then)


def repeat_with_hand(run: Resolution, ask: agenda.RepeatAsk, then: Agenda) -> None:
    """The next of the draws that were typed ahead goes into a repeat shot at the same row."""
    order = same_again(run.state)
    assert order is not None
    try:
        shot = prepare_again(run.state, order)
    except Refused:  # nobody of that row is left: the offer stays open, the draw goes back
        run.emit(events.Unread(draws=run.state.hand))
        return
    declare(run, shot, pin_owed_after(run.state, shot, then))


def suit_matters(aimed: Aim, rank: int) -> bool:
    """Colour may save the target, or the weapon may break down."""
    if rank <= aimed.needs:
        return any(aimed.saved_by(Draw(rank, suit)) for suit in SUITS)
    return aimed.may_break and rank == aimed.fire.breakdown_rank
