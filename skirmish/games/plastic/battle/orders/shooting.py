"""The steps of fire: judging a shot, breakdowns, the next shot of a volley, repeat shots, and
choosing the casualties."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.battle import agenda, events
from skirmish.games.plastic.battle.agenda import Agenda, AnyTask, Shooting
from skirmish.games.plastic.battle.names import (
    piece_side,
    row_named,
    row_side,
    weapon_slot,
)
from skirmish.games.plastic.battle.orders.firing import (
    aim_of,
    declare,
    new_in_sight,
    pins_owed,
    prepared,
    same_again,
    stands_alone,
)
from skirmish.games.plastic.battle.orders.resolution import Answer, Resolution
from skirmish.games.plastic.battle.rows import (
    Row,
    fights_as,
    find,
    guys_in_sight,
    inside_is_unknown,
    riders_possible,
)
from skirmish.games.plastic.battle.setup import BROKEN_INTO
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.checks import why_not_aboard
from skirmish.games.plastic.rules.shot import (
    Aim,
    ShotVerdict,
    at_next,
    explain,
    judge,
    tested,
)
from skirmish.tabletop.chance import SUITS, Draw
from skirmish.tabletop.refusal import Refused, nonsense


def judge_shot(run: Resolution, task: agenda.ToJudge, then: Agenda) -> None:
    shot, aimed = task.shot, aim_of(run.state, task.shot)
    draw = task.drawn or run.draw(
        piece_side(shot.piece), "shot", lambda rank: suit_matters(aimed, rank)
    )
    if draw is None:
        return
    verdict = judge(aimed, draw)
    more: list[AnyTask] = []
    if verdict.breakdown:
        more.append(agenda.ToTest(shot=shot, draw=draw))
    if verdict.hit:
        then = tuple(task for task in then if not _of_a_lone_man(task))
        hit, repeat = hit_of(shot, draw, aimed, verdict), verdict.repeat
        if then and isinstance(volley := then[0], agenda.ToVolley):
            # Casualties are chosen at the end of a volley; until then the defender is assumed to
            # choose a man not shot at yet, if there is one.
            new = volley.reach if volley.new is None else volley.new
            new = max(new - (repeat.uses_up(exact=hit.exact) if repeat else 1), 0)
            again = shot if repeat and new else None
            volley = replace(volley, hits=(*volley.hits, hit), again=again, new=new)
            then = (volley, *then[1:])
        else:
            more.append(agenda.ToBury(hits=(hit,)))
            if repeat:
                more.append(agenda.ToRepeat(shot=shot, within=repeat.within, of=repeat.of))
    read = judged(shot, draw, aimed, verdict, (*more, *then))
    source = run.state.sources[run.state.source_of(piece_side(shot.piece))]
    run.emit(replace(read, second=task.drawn is not None, shuffle=source.shuffles))


def _of_a_lone_man(task: AnyTask) -> bool:
    """Whether the task is the pin test of a man by himself: whoever is hit alone is dead."""
    return isinstance(task, agenda.ToCheck) and task.check == "pin" and task.lone


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
    """The man becomes a rifleman, or the gun (P19) or its model is lost."""
    state, unit = run.state, run.state.unit(shot.piece)
    weapons = len(state.setup.catalog.weapons_of(unit, state.setup.rulings))
    if unit.is_guy:
        run.emit(events.Turned(piece=shot.piece, unit=BROKEN_INTO))
    elif state.setup.rulings["P19"] == "weapon_only" and (weapons > 1 or unit.seats > 0):
        run.emit(events.Disarmed(piece=shot.piece, slot=shot.slot))
    else:
        run.lose(shot.piece, shot, draw, then, breakdown=True)


def volley_on(run: Resolution, task: agenda.ToVolley, then: Agenda) -> None:
    """Fires the next shot of a volley; ends it when all have fired or all in reach are hit."""
    left = task.reach - len(task.hits)
    if task.again is None and not task.pieces and task.parties:
        task = _next_party(run.state, task)
    state, again, shots = run.state, task.again, task.shots + 1
    if (again is None and not task.pieces) or left <= 0:
        cease(run, task, then)
        return
    if again is not None:
        at = at_next(again.at, state.setup.catalog.fire)
        shot = replace(again, id=state.shots + 1, nth=again.nth + 1, at=at)
        rest = replace(task, again=None, shots=shots)
    else:
        piece, *others = task.pieces
        shot = replace(
            task.shot,
            id=state.shots + 1,
            piece=piece,
            slot=slot_of(state, piece, task.shot.slot),
            volley=task.shot.id,
            reach=task.reach,
        )
        fired = task.fired + 1
        rest = replace(task, pieces=tuple(others), fired=fired, shots=shots, new=left)
    declare(run, shot, (rest, *then))


def _next_party(state: State, task: agenda.ToVolley) -> agenda.ToVolley:
    """The volley once another row of a mixed one fires; its shots belong to the same volley."""
    party, *others = task.parties
    return replace(
        task,
        shot=replace(party.shot, id=task.shot.id),
        pieces=party.pieces,
        pins=party.pins,
        parties=tuple(others),
        fired=0,
        shots=0,
        new=None,
        done=task.done + task.fired,
        tests=_pin_tests(state, task),
    )


def _pin_tests(state: State, task: agenda.ToVolley) -> int:
    """The pin draws that those cause who have fired so far (P55)."""
    if not task.pins:
        return task.tests
    each_shot = state.setup.rulings["P55"] == "per_shot" and not stands_alone(state, task.shot)
    return task.tests + (task.shots if each_shot else task.fired)


def slot_of(state: State, piece: str, slot: int) -> int:
    """The slot this piece fires from: with two machineguns it may differ between pieces."""
    setup = state.setup
    weapons = setup.catalog.weapons_of(state.unit(piece), setup.rulings)
    others = [n for n, one in enumerate(weapons) if n != slot and one == weapons[slot]]
    return next((n for n in (slot, *others) if state.can_fire(piece, n)), slot)


def cease(run: Resolution, task: agenda.ToVolley, then: Agenda) -> None:
    more: list[AnyTask] = []
    if task.hits:
        more.append(agenda.ToBury(hits=task.hits))
    if _pin_tests(run.state, task) and len(task.hits) < task.reach:
        more.append(_pin_test(run, task))
    hits, fired = len(task.hits), task.done + task.fired
    unused = len(task.pieces) + sum(len(party.pieces) for party in task.parties)
    run.emit(events.Ceased(fired=fired, hits=hits, unused=unused, then=(*more, *then)))


def _pin_test(run: Resolution, task: agenda.ToVolley) -> agenda.ToCheck:
    """The pin draws after a volley. At a group: one for each machinegun, or for each shot (P55). At
    men who stand alone: one for each machinegun, whose last shot was the only one to miss; all that
    it hit are dead. Each of those men draws for himself, so one who is pinned frees no other."""
    state, target = run.state, task.shot.target
    times, men = _pin_tests(state, task), 1
    if stands_alone(state, task.shot):
        men = task.reach - len(task.hits)
    return agenda.ToCheck(
        check="pin", side=row_side(target), row=target, times=times, men=men, shot=task.shot.id
    )


def offer_repeat(run: Resolution, task: agenda.ToRepeat, then: Agenda) -> None:
    """Offers a repeat shot if there is a new guy in sight ("Repeat Firing")."""
    state, shot = run.state, task.shot
    enemy = state.setup.enemy_of(piece_side(shot.piece)).id
    if any(new_in_sight(state, shot, row) for row in guys_in_sight(state, enemy)):
        run.ask(agenda.RepeatAsk(shot=task.shot, within=task.within, of=task.of))
    else:
        run.hold(then)


def repeat_with_hand(run: Resolution, ask: agenda.RepeatAsk, then: Agenda) -> None:
    """Uses the next draw typed ahead for a repeat shot at the same row."""
    order = same_again(run.state)
    assert order is not None
    try:
        shot = prepared(run.state, order)
    except Refused:  # the row is gone: the offer stays open, the draw is returned
        run.emit(events.Unread(draws=run.state.hand))
    else:
        declare(run, shot.shooting, pins_owed(run.state, shot, then))


def suit_matters(aimed: Aim, rank: int) -> bool:
    """Whether the colour may save the target or the weapon may break down."""
    if rank <= aimed.needs:
        return any(aimed.saved_by(Draw(rank, suit)) for suit in SUITS)
    return aimed.may_break and rank == aimed.fire.breakdown_rank


class Give(Answer, frozen=True, tag="give"):
    """One man of each named row dies; the rest as proposed."""

    rows: tuple[str, ...] = ()

    def carry_out(self, run: Resolution) -> None:
        nobody = nonsense("no_casualty", "There is no casualty to choose.")
        ask, task, then = run.answered(agenda.CasualtyAsk, agenda.ToBury, nobody)
        hits = _in_turn(task)
        if len(self.rows) > ask.count:
            raise nonsense("too_many", f"Only {ask.count} die; {len(self.rows)} were named.")
        counts = Counter(self.rows)
        candidates = {row.key: row for key in ask.rows if (row := find(run.state, key))}
        for key, count in counts.items():
            if key not in candidates:
                text = "Choose from the rows shown: they are the group in sight."
                raise nonsense("not_one_of_these", text)
            row, there = candidates[key], len(candidates[key].in_sight)
            if count > there:
                text = f"Only {there} of the {row.unit.name} row are there, not {count}."
                raise nonsense("too_many", text)
        left = ask.count - len(self.rows)
        dead = [*self.rows, *propose([*candidates.values()], ask.aimed_at, left, counts)]
        for nth, (key, hit) in enumerate(zip(dead, hits, strict=False), 1):
            now = find(run.state, key)
            if now is not None and now.in_sight and run.state.outcome is None:
                run.lose(now.in_sight[0], hit.shot, hit.draw, bury_all(hits[nth:], then))
        run.go_on()


class Point(Answer, frozen=True, tag="point"):
    piece: str

    def carry_out(self, run: Resolution) -> None:
        nothing = nonsense("no_piece", "There is no model to choose.")
        ask, task, then = run.answered(agenda.PieceAsk, agenda.ToBury, nothing)
        if self.piece not in ask.pieces or not run.state.is_up(self.piece):
            raise nonsense("not_one_of_these", "Choose one of the models shown.")
        hit, *rest = _in_turn(task)
        run.lose(self.piece, hit.shot, hit.draw, bury_all(rest, then))
        run.go_on()


class Inside(Answer, frozen=True, tag="inside"):
    riders: dict[str, int] = msgspec.field(default_factory=dict)

    def carry_out(self, run: Resolution) -> None:
        nothing = nonsense("no_carrier", "No carrier has been lost.")
        ask, task, then = run.answered(agenda.InsideAsk, agenda.ToSink, nothing)
        unit = run.state.unit(ask.carrier)
        dead: list[str] = []
        for key, count in self.riders.items():
            row = find(run.state, key)
            if row is None or row.side != ask.side:
                raise nonsense("not_one_of_these", "Choose from the side that lost the carrier.")
            dead += row.take(row.in_sight, count, "there", least=0)
        known = [fights_as(run.state, run.state.unit(piece)) for piece in dead]
        if refusal := why_not_aboard(unit, known, run.state.setup.rulings):
            raise Refused(replace(refusal, firm=True))
        if dead:
            run.lose_aboard(dead, task, then)
        run.go_on(None if dead else then)


def _in_turn(task: agenda.ToBury) -> list[agenda.Hit]:
    return sorted(task.hits, key=lambda hit: not hit.exact)


def bury_all(hits: Sequence[agenda.Hit], then: Agenda) -> Agenda:
    return (agenda.ToBury(hits=tuple(hits)), *then) if hits else then


def bury(run: Resolution, task: agenda.ToBury, then: Agenda) -> None:
    """Removes exact hits first; the defender may choose the others."""
    hit, *rest = _in_turn(task)
    after = bury_all(rest, then)
    target = find(run.state, hit.shot.target)
    there = target.in_sight if target else ()
    if target is None or (not there and (not target.unit.is_guy or _loner(run.state, target))):
        run.hold(after)  # the target is gone by now
        return
    if not target.unit.is_guy:
        if _same_in_all_that_matters(run.state, there):
            run.lose(there[0], hit.shot, hit.draw, after)
        else:
            run.ask(agenda.PieceAsk(side=target.side, row=target.key, pieces=there))
        return
    others = [row for row in _others(run.state, target) if row.key != target.key]
    if there and (hit.exact or not others):
        run.lose(there[0], hit.shot, hit.draw, after)
    elif not there and not others:
        run.hold(then)
    else:
        candidates = [target, *others] if there else others
        run.ask(
            agenda.CasualtyAsk(
                side=target.side,
                rows=tuple(row.key for row in candidates),
                proposed=propose(candidates, target.key, len(task.hits), {}),
                aimed_at=target.key,
            )
        )


def ask_inside(run: Resolution, task: agenda.ToSink, then: Agenda) -> None:
    side = piece_side(task.carrier)
    if riders_possible(run.state, side):
        run.ask(agenda.InsideAsk(side=side, carrier=task.carrier))
    else:
        run.hold(then)


def propose(
    candidates: Sequence[Row], aimed_at: str, count: int, taken: Mapping[str, int]
) -> tuple[str, ...]:
    """Proposed casualties: the target row first, then its contingent, the cheapest first."""
    name = row_named(aimed_at)
    home = name.contingent if name else ""

    def first(row: Row) -> tuple[bool, bool, int]:
        return row.key != aimed_at, row.contingent.id != home, row.unit.price

    order = sorted(candidates, key=first)
    names = [row.key for row in order for _ in range(len(row.in_sight) - taken.get(row.key, 0))]
    return tuple(names[:count])


def _others(state: State, target: Row) -> list[Row]:
    """Other rows the defender may choose from, those of the same contingent first."""
    if _loner(state, target):
        return []
    here = [row for row in guys_in_sight(state, target.side) if not _loner(state, row)]
    return sorted(here, key=lambda row: row.contingent != target.contingent)


def _loner(state: State, row: Row) -> bool:
    """A sniper touches no other man of his side ("Sniper Guys")."""
    return "sniper" in fights_as(state, row.unit).tags


def _same_in_all_that_matters(state: State, pieces: Sequence[str]) -> bool:
    cargo: dict[str, list[str]] = {}
    for rider, carrier in state.aboard.items():
        if state.is_up(rider):
            cargo.setdefault(carrier, []).append(state.unit_of(rider))
    unrecorded = set(pieces) - state.recorded
    if unrecorded and not inside_is_unknown(state, next(iter(unrecorded))):
        unrecorded = set()
    conditions = {
        (
            tuple(sorted(cargo.get(piece, ()))),
            piece in state.unserved,
            piece in unrecorded,
            tuple(weapon_slot(piece, slot) in state.disarmed for slot in range(2)),
        )
        for piece in pieces
    }
    return len(conditions) == 1
