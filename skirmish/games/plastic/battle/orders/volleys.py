"""The steps of a volley: its shooters fire one after the other; then casualties are chosen, and
those who are left draw for pins. Each step gets its task and the agenda ``then`` after it."""

from __future__ import annotations

from msgspec.structs import replace

from skirmish.games.plastic.battle import agenda, events
from skirmish.games.plastic.battle.agenda import Agenda, AnyTask, Shooting
from skirmish.games.plastic.battle.names import row_side
from skirmish.games.plastic.battle.orders.declared_shot import stands_alone
from skirmish.games.plastic.battle.orders.firing import declare
from skirmish.games.plastic.battle.orders.resolution import Resolution
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.shot import circumstances_of_next_man


def go_on_with_volley(run: Resolution, task: agenda.ToVolley, then: Agenda) -> None:
    """Fires the next shot of a volley; ends it when all have fired or all in reach are hit."""
    if task.again is None and not task.pieces and task.parties:
        task = _next_party(run.state, task)
    nobody_left_to_fire = task.again is None and not task.pieces
    # Each hit will kill one of those in reach, so further hits would have nobody to kill.
    targets_left = task.reach - len(task.hits)
    if nobody_left_to_fire or targets_left <= 0:
        end_volley(run, task, then)
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
    circumstances = circumstances_of_next_man(before.at, state.setup.catalog.fire)
    return replace(before, id=state.shots + 1, nth=before.nth + 1, at=circumstances)


def _first_shot(state: State, task: agenda.ToVolley) -> Shooting:
    """The shot of the next shooter of a volley."""
    piece = task.pieces[0]
    return replace(
        task.shot,
        id=state.shots + 1,
        piece=piece,
        slot=slot_fired_from(state, piece, task.shot.slot),
        volley=task.shot.id,
        reach=task.reach,
    )


def _next_party(state: State, task: agenda.ToVolley) -> agenda.ToVolley:
    """The task of a mixed volley when its next party begins to fire: on the agenda a squad of the
    volley is a party. What the parties before it have fired is added up in ``done`` and
    ``tests``."""
    party, *parties_left = task.parties
    return replace(
        task,
        # The shots of all parties have the same id of the volley, by which its losses and its pins
        # are found.
        shot=replace(party.shot, id=task.shot.id),
        pieces=party.pieces,
        pins=party.pins,
        parties=tuple(parties_left),
        fired=0,
        shots=0,
        not_shot_at=None,
        done=task.done + task.fired,
        tests=_pin_tests_so_far(state, task),
    )


def _pin_tests_so_far(state: State, task: agenda.ToVolley) -> int:
    """How many pin draws the shooters of the volley have caused so far (P55), with those of earlier
    parties of a mixed volley."""
    if not task.pins:
        return task.tests
    # A man by himself draws once for each machine gun, not for each of its shots: a gun fires on
    # only after a kill, so at most its last shot was at a man who still lives.
    if state.setup.rulings["P55"] == "per_shot" and not stands_alone(state, task.shot):
        return task.tests + task.shots
    return task.tests + task.fired


def slot_fired_from(state: State, piece: str, slot: int) -> int:
    """The weapon slot that a piece fires from: ``slot``, or another with the same weapon. Of models
    with two equal machine guns, each may have fired another one already."""
    if state.can_fire(piece, slot):
        return slot
    weapons = state.setup.catalog.weapons_of(state.unit(piece), state.setup.rulings)
    for other_slot, weapon in enumerate(weapons):
        is_alike = other_slot != slot and weapon == weapons[slot]
        if is_alike and state.can_fire(piece, other_slot):
            return other_slot
    # It fires all the same, since the players insist.
    return slot


def end_volley(run: Resolution, task: agenda.ToVolley, then: Agenda) -> None:
    """Ends a volley: casualties are chosen, then those who are left draw for pins."""
    next_tasks: list[AnyTask] = []
    if task.hits:
        # Before the pins: only who is left can be pinned.
        next_tasks.append(agenda.ToBury(hits=task.hits))
    anybody_left = len(task.hits) < task.reach
    if anybody_left and _pin_tests_so_far(run.state, task) > 0:
        next_tasks.append(_pin_test(run, task))
    # Shooters who did not fire, since nobody was left to be hit, may still fire elsewhere.
    unused = len(task.pieces)
    for party in task.parties:
        unused += len(party.pieces)
    run.emit(
        events.Ceased(
            fired=task.done + task.fired,
            hits=len(task.hits),
            unused=unused,
            then=(*next_tasks, *then),
        )
    )


def _pin_test(run: Resolution, task: agenda.ToVolley) -> agenda.ToCheck:
    """The pin draws after a volley. A group draws once for each machine gun, or for each shot
    (P55). Men who stand alone draw once for each machine gun: all that it hit are dead, so only its
    last shot can have missed. Each of these men draws for himself, even if another is pinned."""
    target = task.shot.target
    most_pinned = 1
    if stands_alone(run.state, task.shot):
        most_pinned = task.reach - len(task.hits)
    return agenda.ToCheck(
        check="pin",
        side=row_side(target),
        row=target,
        times=_pin_tests_so_far(run.state, task),
        men=most_pinned,
        shot=task.shot.id,
    )
