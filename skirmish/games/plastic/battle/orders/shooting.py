"""The steps of fire: judging a shot, breakdowns, the next shot of a volley, repeat shots, and
choosing the casualties. Each step gets its task and the agenda ``then`` after it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.battle import agenda, events
from skirmish.games.plastic.battle.agenda import Agenda, AnyTask, Shooting
from skirmish.games.plastic.battle.commanders import TableGroup
from skirmish.games.plastic.battle.names import (
    piece_side,
    row_named,
    row_side,
    weapon_slot,
)
from skirmish.games.plastic.battle.orders.declared_shot import aim_of, stands_alone
from skirmish.games.plastic.battle.orders.firing import declare, pins_owed, prepared, same_again
from skirmish.games.plastic.battle.orders.repeat_fire import new_in_sight
from skirmish.games.plastic.battle.orders.resolution import Answer, Resolution
from skirmish.games.plastic.battle.rows import (
    Row,
    fights_as,
    find_row,
    guys_in_sight,
    inside_is_unknown,
    riders_possible,
)
from skirmish.games.plastic.battle.setup import BROKEN_INTO
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.checks import why_not_aboard
from skirmish.games.plastic.rules.shot import (
    Aim,
    Repeat,
    ShotVerdict,
    at_next,
    breakdown_words,
    explain,
    judge,
)
from skirmish.tabletop.chance import SUITS, Draw
from skirmish.tabletop.refusal import Refused, nonsense

MOST_WEAPONS = 2
"""No unit has more weapons than those in slots 0 and 1."""


def judge_shot(run: Resolution, task: agenda.ToJudge, then: Agenda) -> None:
    """Draws for a shot and judges it; what follows from it comes before the rest of the agenda."""
    shot, aimed = task.shot, aim_of(run.state, task.shot)

    def may_matter(rank: int) -> bool:
        return suit_matters(aimed, rank)

    # P82: the second card of a gun that holds has been drawn already.
    draw = task.drawn or run.draw(piece_side(shot.piece), "shot", may_matter)
    if draw is None:
        return
    verdict = judge(aimed, draw)
    next_tasks: list[AnyTask] = []
    if verdict.breakdown:
        next_tasks.append(agenda.ToTest(shot=shot, draw=draw))
    if verdict.hit:
        hit = hit_of(shot, draw, aimed, verdict)
        # The dead draw for no pins; whoever stood beside others still does.
        then = tuple(task for task in then if not _of_a_lone_man(task))
        # In a volley casualties are chosen once, when all have fired.
        if then and isinstance(then[0], agenda.ToVolley):
            then = (_with_hit(then[0], hit, verdict.repeat), *then[1:])
        else:
            next_tasks.append(agenda.ToBury(hits=(hit,)))
            next_tasks += _repeat_after(shot, verdict.repeat)
    event = judged(shot, draw, aimed, verdict, (*next_tasks, *then))
    # Which shuffle the card came from, so that a line made void later puts the right deck back.
    source = run.state.sources[run.state.source_of(piece_side(shot.piece))]
    run.emit(replace(event, second=task.drawn is not None, shuffle=source.shuffles))


def _repeat_after(shot: Shooting, repeat: Repeat | None) -> Agenda:
    """The offer of another shot after a hit."""
    if repeat is None:
        return ()
    return (agenda.ToRepeat(shot=shot, within=repeat.within, of=repeat.of),)


def _with_hit(volley: agenda.ToVolley, hit: agenda.Hit, repeat: Repeat | None) -> agenda.ToVolley:
    """The volley with one more hit. Casualties are chosen at its end; until then the defender is
    assumed to choose a man not shot at yet, if there is one."""
    not_shot_at = volley.not_shot_at
    # Nobody has been shot at yet by this shooter.
    if not_shot_at is None:
        not_shot_at = volley.reach
    used_up = 1
    if repeat is not None:
        used_up = repeat.uses_up(exact=hit.exact)
    not_shot_at = max(not_shot_at - used_up, 0)
    again = None
    if repeat is not None and not_shot_at > 0:
        again = hit.shot
    return replace(volley, hits=(*volley.hits, hit), again=again, not_shot_at=not_shot_at)


def _of_a_lone_man(task: AnyTask) -> bool:
    """Whether the task is the pin test of a man by himself: whoever is hit alone is dead."""
    return isinstance(task, agenda.ToCheck) and task.check == "pin" and task.lone


def judged(
    shot: Shooting, draw: Draw, aimed: Aim, verdict: ShotVerdict, then: Agenda
) -> events.Judged:
    """The event that states a verdict; ``then``: the agenda after it."""
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
    """A model that is hit is always the one aimed at; of guys the defender may choose."""
    return agenda.Hit(shot=shot, draw=draw, exact=verdict.exact_figure or not aimed.at_guy)


def test_breakdown(run: Resolution, task: agenda.ToTest, then: Agenda) -> None:
    """The second draw of a breakdown: the gun, the man or the model may be lost ("Breakdowns")."""
    shot = task.shot
    # The first card lies on the table until the test is over, so it is left out of a shuffle that
    # comes before the second one (P78).
    draw = run.draw(piece_side(shot.piece), "breakdown", _always, aside=task.draw)
    if draw is None:
        return
    aimed = aim_of(run.state, shot)
    verdict = judge(aimed, task.draw, draw)
    broken = verdict.breakdown == "broken"
    missed = "The shot missed."
    if task.draw.is_card:
        missed = f"The {task.draw.words} missed."
    text = f"{missed} {breakdown_words(aimed, draw, verdict)}"
    # P82: the second card of a gun that holds may be read as its shot.
    if not broken and run.state.setup.rulings["P82"] == "shot_too":
        then = (agenda.ToJudge(shot=shot, drawn=draw), *then)
    run.emit(events.Tested(shot=shot, draw=draw, broken=broken, explain=text, then=then))
    if broken:
        break_down(run, shot, draw, then)


def _always(rank: int) -> bool:
    """The suit of the second card decides, whatever its rank."""
    del rank
    return True


def break_down(run: Resolution, shot: Shooting, draw: Draw | None, then: Agenda) -> None:
    """The man becomes a rifleman, who is no loss (P53), or the gun (P19) or its model is lost."""
    state, unit = run.state, run.state.unit(shot.piece)
    weapons = len(state.setup.catalog.weapons_of(unit, state.setup.rulings))
    # P19 is about models with two weapons or with passengers; any other is lost with its gun.
    is_of_use_without = weapons > 1 or unit.seats > 0
    if unit.is_guy:
        run.emit(events.UnitChanged(piece=shot.piece, unit=BROKEN_INTO))
    elif state.setup.rulings["P19"] == "weapon_only" and is_of_use_without:
        run.emit(events.Disarmed(piece=shot.piece, slot=shot.slot))
    else:
        run.lose(shot.piece, shot, draw, then, breakdown=True)


def volley_on(run: Resolution, task: agenda.ToVolley, then: Agenda) -> None:
    """Fires the next shot of a volley; ends it when all have fired or all in reach are hit."""
    if task.again is None and not task.pieces and task.parties:
        task = _next_party(run.state, task)
    nobody_fires = task.again is None and not task.pieces
    # Each hit will kill one of those in reach; more hits than men are for nobody.
    targets_left = task.reach - len(task.hits)
    if nobody_fires or targets_left <= 0:
        cease(run, task, then)
    elif task.again is not None:
        shot = _repeat_shot(run.state, task.again)
        rest = replace(task, again=None, shots=task.shots + 1)
        declare(run, shot, (rest, *then))
    else:
        shot = _first_shot(run.state, task)
        rest = replace(
            task,
            pieces=task.pieces[1:],
            fired=task.fired + 1,
            shots=task.shots + 1,
            # The next shooter has not shot at any of those who still stand.
            not_shot_at=targets_left,
        )
        declare(run, shot, (rest, *then))


def _repeat_shot(state: State, before: Shooting) -> Shooting:
    """Another shot of the same shooter in a volley."""
    circumstances = at_next(before.at, state.setup.catalog.fire)
    return replace(before, id=state.shots + 1, nth=before.nth + 1, at=circumstances)


def _first_shot(state: State, task: agenda.ToVolley) -> Shooting:
    """The shot of the next shooter of a volley."""
    piece = task.pieces[0]
    return replace(
        task.shot,
        id=state.shots + 1,
        piece=piece,
        slot=slot_of(state, piece, task.shot.slot),
        volley=task.shot.id,
        reach=task.reach,
    )


def _next_party(state: State, task: agenda.ToVolley) -> agenda.ToVolley:
    """The volley once another row of a mixed one fires; its shots belong to the same volley."""
    party, *parties_left = task.parties
    return replace(
        task,
        # One number for the whole volley, under which its losses and its pins are found.
        shot=replace(party.shot, id=task.shot.id),
        pieces=party.pieces,
        pins=party.pins,
        parties=tuple(parties_left),
        fired=0,
        shots=0,
        not_shot_at=None,
        done=task.done + task.fired,
        tests=_pin_tests(state, task),
    )


def _pin_tests(state: State, task: agenda.ToVolley) -> int:
    """The pin draws that those cause who have fired so far (P55)."""
    if not task.pins:
        return task.tests
    # A man by himself draws once for each machine gun: its other shots have killed others.
    if state.setup.rulings["P55"] == "per_shot" and not stands_alone(state, task.shot):
        return task.tests + task.shots
    return task.tests + task.fired


def slot_of(state: State, piece: str, slot: int) -> int:
    """The slot this piece fires from: of two machine guns alike, one piece may have fired the one
    and another the other."""
    setup = state.setup
    weapons = setup.catalog.weapons_of(state.unit(piece), setup.rulings)
    if state.can_fire(piece, slot):
        return slot
    for number, weapon in enumerate(weapons):
        alike = number != slot and weapon == weapons[slot]
        if alike and state.can_fire(piece, number):
            return number
    return slot  # he fires all the same, since the players insist


def cease(run: Resolution, task: agenda.ToVolley, then: Agenda) -> None:
    """Ends a volley: casualties are chosen, then those who are left draw for pins."""
    next_tasks: list[AnyTask] = []
    if task.hits:
        # Before the pins: only who is left can be pinned.
        next_tasks.append(agenda.ToBury(hits=task.hits))
    if _pin_tests(run.state, task) and len(task.hits) < task.reach:
        next_tasks.append(_pin_test(run, task))
    hits, fired = len(task.hits), task.done + task.fired
    # Those who did not have to fire any more, since nobody was left to be hit; they may fire
    # elsewhere.
    unused = len(task.pieces) + sum(len(party.pieces) for party in task.parties)
    run.emit(events.Ceased(fired=fired, hits=hits, unused=unused, then=(*next_tasks, *then)))


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
    """Offers a repeat shot if there is a new guy in sight ("Repeat Firing"). Whether he stands
    within 6 in, players measure. In op fire he may be one who has not moved."""
    state, shot = run.state, task.shot
    enemy = state.setup.enemy_of(piece_side(shot.piece)).id
    for row in guys_in_sight(state, enemy):
        # One is enough: which of them it is at, the players say.
        if new_in_sight(state, shot, row):
            run.ask(agenda.RepeatAsk(shot=shot, within=task.within, of=task.of))
            return
    run.hold(then)


def repeat_with_hand(run: Resolution, ask: agenda.RepeatAsk, then: Agenda) -> None:
    """Uses the next draw typed ahead for a repeat shot at the same row."""
    order = same_again(run.state)
    assert order is not None
    try:
        shot = prepared(run.state, order)
    except Refused:  # the row is gone: the offer stays open, the draw is returned
        run.emit(events.DrawsUnused(draws=run.state.hand))
    else:
        declare(run, shot.shooting, pins_owed(run.state, shot, then))


def suit_matters(aimed: Aim, rank: int) -> bool:
    """Whether a card of this rank must be typed with its suit: its colour may save the target, or
    decide whether the weapon breaks down."""
    # Only a card that hits can be cancelled by its colour (in cover, hull down).
    if rank <= aimed.needs:
        return any(aimed.saved_by(Draw(rank, suit)) for suit in SUITS)
    return aimed.may_break and rank == aimed.fire.breakdown_rank


class Give(Answer, frozen=True, tag="give"):
    """One man of each named row dies; the rest as proposed."""

    rows: tuple[str, ...] = ()

    def carry_out(self, run: Resolution) -> None:
        nobody = nonsense("no_casualty", "There is no casualty to choose.")
        ask, task, then = run.answered(agenda.CasualtyAsk, agenda.ToBury, nobody)
        if len(self.rows) > ask.count:
            raise nonsense("too_many", f"Only {ask.count} die; {len(self.rows)} were named.")
        candidates: dict[str, Row] = {}
        for key in ask.rows:
            row = find_row(run.state, key)
            if row is not None:
                candidates[key] = row
        named = Counter(self.rows)
        _refuse_unfit(named, candidates)
        # Nobody has to name them all: whoever is not named follows the proposal.
        unnamed = ask.count - len(self.rows)
        proposed = propose([*candidates.values()], ask.aimed_at, unnamed, named)
        dead = [*self.rows, *proposed]
        hits = _exact_hits_first(task)
        # There may be more hits than men left to die: the last of them find nobody.
        for number, (key, hit) in enumerate(zip(dead, hits, strict=False), 1):
            row = find_row(run.state, key)
            # A loss may break the army in the middle of the burial; nobody dies after the end.
            if row is not None and row.in_sight and run.state.outcome is None:
                still_to_bury = bury_all(hits[number:], then)
                run.lose(row.in_sight[0], hit.shot, hit.draw, still_to_bury)
        run.go_on()


def _refuse_unfit(named: Mapping[str, int], candidates: Mapping[str, Row]) -> None:
    """Raises Refused where a row cannot give so many men."""
    for key, count in named.items():
        if key not in candidates:
            text = "Choose from the rows shown: they are the group in sight."
            raise nonsense("not_one_of_these", text)
        row = candidates[key]
        in_sight = len(row.in_sight)
        if count > in_sight:
            text = f"Only {in_sight} of the {row.unit.name} row are there, not {count}."
            raise nonsense("too_many", text)


class Point(Answer, frozen=True, tag="point"):
    """The model that was hit, of several that differ."""

    piece: str

    def carry_out(self, run: Resolution) -> None:
        nothing = nonsense("no_piece", "There is no model to choose.")
        ask, task, then = run.answered(agenda.PieceAsk, agenda.ToBury, nothing)
        # Asked of the present state, too: a line before the question may have been made void.
        if self.piece not in ask.pieces or not run.state.is_in_play(self.piece):
            raise nonsense("not_one_of_these", "Choose one of the models shown.")
        hit, *rest = _exact_hits_first(task)
        run.lose(self.piece, hit.shot, hit.draw, bury_all(rest, then))
        run.go_on()


class Inside(Answer, frozen=True, tag="inside"):
    """Who was in a carrier that was lost, by row: they die with it ("Loading or Unloading")."""

    riders: dict[str, int] = msgspec.field(default_factory=dict)

    def carry_out(self, run: Resolution) -> None:
        nothing = nonsense("no_carrier", "No carrier has been lost.")
        ask, task, then = run.answered(agenda.InsideAsk, agenda.ToSink, nothing)
        unit = run.state.unit(ask.carrier)
        dead: list[str] = []
        for key, count in self.riders.items():
            row = find_row(run.state, key)
            if row is None or row.side != ask.side:
                raise nonsense("not_one_of_these", "Choose from the side that lost the carrier.")
            # They stand on the table for the program: nobody had entered that they got in.
            dead += row.take(row.in_sight, count, "there", least=0)
        units_aboard = [fights_as(run.state, run.state.unit(piece)) for piece in dead]
        refusal = why_not_aboard(unit, units_aboard, run.state.setup.rulings)
        if refusal is not None:
            # This answer has no ``insist``, so nothing in it is mere advice.
            raise Refused(replace(refusal, firm=True))
        if dead:
            run.lose_aboard(dead, task, then)
            run.go_on()
        else:
            run.go_on(instead=then)


def _exact_hits_first(task: agenda.ToBury) -> list[agenda.Hit]:
    """The hits in the order of the burial: so nobody is chosen in place of a man who is
    dead for certain."""
    exact = [hit for hit in task.hits if hit.exact]
    of_choice = [hit for hit in task.hits if not hit.exact]
    return [*exact, *of_choice]


def bury_all(hits: Sequence[agenda.Hit], then: Agenda) -> Agenda:
    """The agenda with these hits before it."""
    if not hits:
        return then
    return (agenda.ToBury(hits=tuple(hits)), *then)


def bury(run: Resolution, task: agenda.ToBury, then: Agenda) -> None:
    """Removes exact hits first; the defender may choose the others."""
    hit, *rest = _exact_hits_first(task)
    after = bury_all(rest, then)
    target = find_row(run.state, hit.shot.target)
    # A volley may have more hits than there are men.
    if target is None or _is_gone(run.state, target):
        run.hold(after)
    elif target.unit.is_guy:
        _bury_guy(run, task, target, then)
    elif _same_in_all_that_matters(run.state, target.in_sight):
        run.lose(target.in_sight[0], hit.shot, hit.draw, after)
    else:
        run.ask(agenda.PieceAsk(side=target.side, row=target.key, pieces=target.in_sight))


def _is_gone(state: State, target: Row) -> bool:
    """Whether the last of a row has fallen and nobody else can have been hit in his place, as
    others of his group can."""
    if target.in_sight:
        return False
    return not target.unit.is_guy or _loner(state, target)


def _bury_guy(run: Resolution, task: agenda.ToBury, target: Row, then: Agenda) -> None:
    """Removes the man of the next hit, or asks the defender who it is."""
    hit, *rest = _exact_hits_first(task)
    in_sight = target.in_sight
    other_rows = _others_to_choose(run.state, target, hit.shot)
    if not in_sight and not other_rows:
        run.hold(then)  # the whole group has fallen: no other hit finds anybody either
    elif in_sight and (hit.exact or not other_rows):
        run.lose(in_sight[0], hit.shot, hit.draw, bury_all(rest, then))
    else:
        candidates = other_rows
        if in_sight:
            candidates = [target, *other_rows]
        run.ask(
            agenda.CasualtyAsk(
                side=target.side,
                rows=tuple(row.key for row in candidates),
                proposed=propose(candidates, target.key, len(task.hits), {}),
                aimed_at=target.key,
            )
        )


def ask_inside(run: Resolution, task: agenda.ToSink, then: Agenda) -> None:
    """Asks who was in a lost carrier, if anybody can have been."""
    side = piece_side(task.carrier)
    if riders_possible(run.state, side):
        run.ask(agenda.InsideAsk(side=side, carrier=task.carrier))
    else:
        run.hold(then)


def propose(
    candidates: Sequence[Row], aimed_at: str, count: int, taken: Mapping[str, int]
) -> tuple[str, ...]:
    """Proposed casualties, a row for each: the target row first, then its contingent, the cheapest
    first. ``taken`` of each row are named already."""
    name = row_named(aimed_at)
    contingent = ""
    if name is not None:
        contingent = name.contingent

    def dies_last(row: Row) -> tuple[bool, bool, int]:
        return row.key != aimed_at, row.contingent.id != contingent, row.unit.price

    casualties: list[str] = []
    for row in sorted(candidates, key=dies_last):
        still_standing = len(row.in_sight) - taken.get(row.key, 0)
        casualties += [row.key] * still_standing
    return tuple(casualties[:count])


def _others_to_choose(state: State, target: Row, shot: Shooting) -> list[Row]:
    """The other rows that the defender may choose from, those of the same contingent first. By the
    text he chooses from the group of the man aimed at whom the shooter sees and reaches; who that
    is, only the players see, so all guys in sight are offered. Where the program's commander had
    somebody fire, it is known who is in that group."""
    if _loner(state, target):
        return []
    group = _group_of_commander(state, target, shot)
    same_contingent: list[Row] = []
    other_contingents: list[Row] = []
    for row in guys_in_sight(state, target.side):
        if row.key == target.key or _loner(state, row):
            continue
        if group is not None and not _is_in(group, row):
            continue
        if row.contingent == target.contingent:
            same_contingent.append(row)
        else:
            other_contingents.append(row)
    return [*same_contingent, *other_contingents]


def _group_of_commander(state: State, target: Row, shot: Shooting) -> TableGroup | None:
    """The group at which the program's commander had this shot fired; None if players fired it."""
    commander = state.commanders.get(piece_side(shot.piece))
    if commander is None:
        return None
    shooter = state.piece(shot.piece)
    group = commander.aimed_at(shooter.unit, shooter.contingent, state.clock.turn, state.mover)
    if group is None or not _is_in(group, target):
        return None
    return group


def _is_in(group: TableGroup, row: Row) -> bool:
    """Whether men of a row are in a group, on foot or aboard."""
    known = group.known
    if row.contingent.id != known.contingent:
        return False
    return row.unit.id in known.counts or row.unit.id in known.aboard


def _loner(state: State, row: Row) -> bool:
    """A sniper touches no other man of his side ("Sniper Guys")."""
    return "sniper" in fights_as(state, row.unit).tags


def _same_in_all_that_matters(state: State, pieces: Sequence[str]) -> bool:
    """Whether it makes no difference which of these models is lost: they carry the same, wait alike
    for service, and have the same guns left."""
    cargo = _cargo(state)
    may_carry = _may_carry_unrecorded(state, pieces)
    conditions = set()
    for piece in pieces:
        condition = (
            tuple(sorted(cargo.get(piece, ()))),
            piece in state.unserved,
            piece in may_carry,
            tuple(weapon_slot(piece, slot) in state.disarmed for slot in range(MOST_WEAPONS)),
        )
        conditions.add(condition)
    return len(conditions) == 1


def _cargo(state: State) -> dict[str, list[str]]:
    """The units aboard, by their carrier."""
    cargo: dict[str, list[str]] = {}
    for rider, carrier in state.aboard.items():
        if state.is_in_play(rider):
            cargo.setdefault(carrier, []).append(state.unit_of(rider))
    return cargo


def _may_carry_unrecorded(state: State, pieces: Sequence[str]) -> set[str]:
    """Those of the models, all of one unit, of which it was never said who is aboard."""
    unrecorded = set(pieces) - state.recorded
    if unrecorded and inside_is_unknown(state, next(iter(unrecorded))):
        return unrecorded
    return set()
