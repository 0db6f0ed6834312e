"""The steps of fire: a shot is judged, a weapon may break down, and a repeat shot is offered. Each
step gets its task and the agenda ``then`` after it. ``volleys`` has the steps between the shots of
a volley, ``casualties`` those that follow a hit."""

from __future__ import annotations

from msgspec.structs import replace

from skirmish.games.plastic.battle import agenda, events
from skirmish.games.plastic.battle.agenda import Agenda, AnyTask, Shooting
from skirmish.games.plastic.battle.names import piece_side
from skirmish.games.plastic.battle.orders.declared_shot import aim_of
from skirmish.games.plastic.battle.orders.firing import (
    agenda_with_pin_tests,
    declare,
    prepared,
    same_again,
)
from skirmish.games.plastic.battle.orders.repeat_fire import new_in_sight
from skirmish.games.plastic.battle.orders.resolution import Resolution
from skirmish.games.plastic.battle.pieces import RIFLEMAN
from skirmish.games.plastic.battle.rows import guys_in_sight
from skirmish.games.plastic.rules.explanation import breakdown_words, explain
from skirmish.games.plastic.rules.shot import Aim, Repeat, ShotVerdict, judge
from skirmish.tabletop.chance import SUITS, Draw
from skirmish.tabletop.refusal import Refused


def judge_shot(run: Resolution, task: agenda.ToJudge, then: Agenda) -> None:
    """Draws for a shot and judges it. What the verdict leads to comes before the agenda
    ``then``."""
    shot = task.shot
    aimed = aim_of(run.state, shot)

    def may_matter(rank: int) -> bool:
        return suit_matters(aimed, rank)

    # P82: the second card of a gun that holds has been drawn already.
    draw = task.drawn or run.draw(piece_side(shot.piece), "shot", may_matter)
    if draw is None:
        return
    verdict = judge(aimed, draw)
    if verdict.hit:
        hit = hit_of(shot, draw, aimed, verdict)
        then = _agenda_after_hit(hit, verdict.repeat, then)
    if verdict.breakdown:
        then = (agenda.ToTest(shot=shot, draw=draw), *then)
    event = judged_event(shot, draw, aimed, verdict, then)
    # The event says after which shuffle the card came: if the line of that shuffle is made void,
    # the card has come from the shuffled deck all the same.
    source = run.state.sources[run.state.source_of(piece_side(shot.piece))]
    run.emit(replace(event, second=task.drawn is not None, shuffle=source.shuffles))


def _agenda_after_hit(hit: agenda.Hit, repeat: Repeat | None, then: Agenda) -> Agenda:
    """What a hit leads to, and the agenda ``then`` after it."""
    # A man hit alone is dead and draws for no pin; a group still does.
    then = tuple(task for task in then if not _is_pin_test_of_lone_man(task))
    if then:
        following, *rest = then
        # In a volley casualties are chosen once, when all have fired.
        if isinstance(following, agenda.ToVolley):
            return (_with_hit(following, hit, repeat), *rest)
    return (agenda.ToBury(hits=(hit,)), *_repeat_after(hit.shot, repeat), *then)


def _repeat_after(shot: Shooting, repeat: Repeat | None) -> Agenda:
    """The offer of another shot after a hit."""
    if repeat is None:
        return ()
    return (agenda.ToRepeat(shot=shot, within=repeat.within, of=repeat.of),)


def _with_hit(volley: agenda.ToVolley, hit: agenda.Hit, repeat: Repeat | None) -> agenda.ToVolley:
    """The volley with one more hit, after which a weapon with repeat fire goes on if it can see a
    new man. Casualties are chosen at the end of the volley; until then the defender is assumed to
    choose a man not shot at yet, if there is one."""
    not_shot_at = volley.not_shot_at
    # None: the shooter has not shot at any of those in reach.
    if not_shot_at is None:
        not_shot_at = volley.reach
    # The man aimed at, and with repeat fire also the one who may die in his place.
    men_used_up = 1
    if repeat is not None:
        men_used_up = repeat.uses_up(exact=hit.exact)
    not_shot_at = max(not_shot_at - men_used_up, 0)
    again = None
    if repeat is not None and not_shot_at > 0:
        again = hit.shot
    return replace(volley, hits=(*volley.hits, hit), again=again, not_shot_at=not_shot_at)


def _is_pin_test_of_lone_man(task: AnyTask) -> bool:
    """Whether the task is the pin test of a man by himself."""
    return isinstance(task, agenda.ToCheck) and task.check == "pin" and task.lone


def judged_event(
    shot: Shooting, draw: Draw, aimed: Aim, verdict: ShotVerdict, then: Agenda
) -> events.Judged:
    """The event that states the verdict on a shot; ``then``: the agenda after it."""
    return events.Judged(
        shot=shot,
        draw=draw,
        needs=aimed.needs,
        hit=verdict.hit,
        saved_by=verdict.saved_by,
        explain=explain(aimed, draw, second=None, verdict=verdict),
        then=then,
    )


def hit_of(shot: Shooting, draw: Draw, aimed: Aim, verdict: ShotVerdict) -> agenda.Hit:
    """The hit of a shot. It is ``exact`` if it takes the figure aimed at: a model always, a guy
    only where the rules say so; for other guys the defender may choose who dies."""
    return agenda.Hit(shot=shot, draw=draw, exact=verdict.exact_figure or not aimed.at_guy)


def test_breakdown(run: Resolution, task: agenda.ToTest, then: Agenda) -> None:
    """The second draw of a breakdown: the gun, the man or the model may be lost ("Breakdowns")."""
    shot = task.shot
    # The first card lies on the table until the test is over. If the deck has to be shuffled for
    # the second one, the first is left out of it (P78).
    draw = run.draw(piece_side(shot.piece), "breakdown", _suit_always_matters, aside=task.draw)
    if draw is None:
        return
    aimed = aim_of(run.state, shot)
    verdict = judge(aimed, task.draw, draw)
    is_broken = verdict.breakdown == "broken"
    missed = "The shot missed."
    if task.draw.is_card:
        missed = f"The {task.draw.words} missed."
    text = f"{missed} {breakdown_words(aimed, draw, verdict)}"
    # P82: the second card of a gun that holds may be read as its shot.
    if not is_broken and run.state.setup.rulings["P82"] == "shot_too":
        then = (agenda.ToJudge(shot=shot, drawn=draw), *then)
    run.emit(events.Tested(shot=shot, draw=draw, broken=is_broken, explain=text, then=then))
    if is_broken:
        break_down(run, shot, draw, then)


def _suit_always_matters(rank: int) -> bool:
    """True: the suit of the second card decides, whatever its rank."""
    del rank
    return True


def break_down(run: Resolution, shot: Shooting, draw: Draw | None, then: Agenda) -> None:
    """The weapon of a shot is lost: a man becomes a rifleman, which is no loss (P53); a model loses
    only this gun, or is lost with it (P19). ``draw``: the second card; None in a shot judged again,
    for which it is not drawn again."""
    state = run.state
    unit = state.unit(shot.piece)
    weapons = state.setup.catalog.weapons_of(unit, state.setup.rulings)
    # P19 is about models with two weapons or with passengers; any other is lost with its gun.
    is_of_use_without = len(weapons) > 1 or unit.seats > 0
    if unit.is_guy:
        run.emit(events.UnitChanged(piece=shot.piece, unit=RIFLEMAN))
    elif state.setup.rulings["P19"] == "weapon_only" and is_of_use_without:
        run.emit(events.Disarmed(piece=shot.piece, slot=shot.slot))
    else:
        run.lose(shot.piece, shot, draw, then, breakdown=True)


def offer_repeat(run: Resolution, task: agenda.ToRepeat, then: Agenda) -> None:
    """Offers a repeat shot if there is another guy in sight, not shot at before ("Repeat Firing").
    Players measure whether he is near enough. In opfire he need not have moved himself."""
    state, shot = run.state, task.shot
    enemy = state.setup.enemy_of(piece_side(shot.piece)).id
    for row in guys_in_sight(state, enemy):
        # One such row is enough: players choose at which row they fire.
        if new_in_sight(state, shot, row):
            run.ask(agenda.RepeatAsk(shot=shot, within=task.within, of=task.of))
            return
    run.continue_with(then)


def repeat_with_hand(run: Resolution, ask: agenda.RepeatAsk, then: Agenda) -> None:
    """Fires a repeat shot at the same row, with the next of the draws that were typed ahead (the
    ``hand`` of the state)."""
    del ask  # it is that of the state, which ``same_again`` takes up
    order = same_again(run.state)
    assert order is not None, "the repeat shot is offered"
    try:
        prepared_shot = prepared(run.state, order)
    except Refused:
        # The row is gone: the offer stays open, and the draws are returned.
        run.emit(events.DrawsUnused(draws=run.state.hand))
        return
    declare(run, prepared_shot.shooting, agenda_with_pin_tests(run.state, prepared_shot, then))


def suit_matters(aimed: Aim, rank: int) -> bool:
    """Whether a card of this rank must be typed with its suit: its colour may save the target, or
    decide whether the weapon breaks down."""
    # Only a card that hits can be cancelled by its colour (in cover, hull down).
    if rank <= aimed.needs:
        return any(aimed.saved_by(Draw(rank, suit)) for suit in SUITS)
    return aimed.may_break and rank == aimed.fire.breakdown_rank
