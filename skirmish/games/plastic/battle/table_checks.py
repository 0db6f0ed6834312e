"""Draws that are no shots, at the table: is a group pinned, is movement over, is a foxhole dug?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from skirmish.games.plastic.battle.agenda import AnyTask, ToCheck, Why
from skirmish.games.plastic.battle.events import Checked, Held
from skirmish.games.plastic.battle.orders import ClearWire, Dig, GroupMoved, PinTest
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.catalog import UnitType
from skirmish.games.plastic.rules.checks import draws_for_command, is_pinned, movement_ends
from skirmish.games.plastic.scenarios.happening_kinds import Trait
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.refusal import Refusal, Refused, nonsense

if TYPE_CHECKING:
    from skirmish.games.plastic.battle.resolve import Resolution


def order_check(run: Resolution, order: GroupMoved | Dig | PinTest) -> None:
    """A check that a player asks for; raises Refused where it makes no sense."""
    match order:
        case GroupMoved():
            task = _command(run.state, order.insist)
            _advise_the_time(run.state, run.state.mover, order.insist)
        case Dig():
            task = _digging(run.state, order)
            _advise_the_time(run.state, order.side, order.insist)
        case PinTest():
            side = _known_side(run.state, order.side)
            task = ToCheck(check="pin", side=side)
    if run.keeps_ledger(task.side):
        people = run.state.setup.side_by_id[task.side].people
        says = f"{people} keep losses only: draw for it at the table."
        raise nonsense("ledger", says)
    run.emit(Held(then=(task,)))
    run.go_on()


def clear_wire(run: Resolution, order: ClearWire) -> None:
    """A segment of wire goes; no draw ("Barbed Wire"). Raises Refused."""
    state, side = run.state, _known_side(run.state, order.side)
    foe = state.setup.enemy_of(side)
    if not state.works.get(foe.id, {}).get("barbed_wire"):
        raise nonsense("no_wire", f"{foe.people} have no wire left.")
    some, _ = engineers_of(state, side)
    if not some and not order.insist:
        people = state.setup.side_by_id[side].people
        says = f"{people} have no engineers, and only they clear wire."
        raise Refused(Refusal("no_engineers", says, "Barbed Wire"))
    left = state.works[foe.id]["barbed_wire"] - 1
    says = f"A segment of wire is cleared; {left} left."
    run.emit(Checked(check="wire", side=side, result=True, explain=says))


def check(run: Resolution, task: ToCheck, then: tuple[AnyTask, ...]) -> None:
    """Draw for it and say what the draw means for this side."""
    if run.keeps_ledger(task.side):
        run.emit(Held(then=then))
        return
    state = run.state
    men = (row for row in rows(state, task.side) if row.unit.is_guy)
    if task.check == "pin" and not any(row.on_foot for row in men):  # the last of them fell
        run.emit(Held(then=then))
        return
    why: Why = "pin" if task.check == "pin" else _WHY[task.check]
    by_suit = task.check == "entrench" or (
        task.check == "pin" and state.setup.rulings["P29"] == "suits"
    )
    draw = run.draw(task.side, why, lambda _: by_suit)
    if draw is None:
        return
    result, says = _read(state, task, draw)
    if not result and task.times > 1:
        then = (replace(task, times=task.times - 1), *then)
    shown = draw.words[:1].upper() + draw.words[1:]
    run.emit(
        Checked(
            check=task.check,
            side=task.side,
            draw=draw,
            result=result,
            explain=f"{shown}: {says}",
            then=then,
        )
    )


_WHY: dict[str, Why] = {"command": "command", "entrench": "entrench"}


def engineers_of(state: State, side: str) -> tuple[bool, bool]:
    """Whether the side has anybody who digs as an engineer, and whether all of its guys do."""
    able = [
        digs_as_engineer(state, side, row.unit, row.contingent.id)
        for row in rows(state, side)
        if row.on_foot and row.unit.is_guy
    ]
    return any(able), bool(able) and all(able)


def digs_as_engineer(state: State, side: str, unit: UnitType, contingent: str) -> bool:
    """An Engineer Guy, a nation's rifleman who digs like one, or a scenario's pioneer."""
    nation = state.nation_of(side)
    if unit.digs == "engineer" or (nation and unit.id in nation.digs_as_engineers):
        return True
    scenario = state.setup.scenario
    return scenario is not None and any(
        isinstance(kind, Trait)
        and kind.effect == "counts_as_engineer"
        and kind.side == side
        and kind.contingent in (None, contingent)
        and unit.id in kind.units
        for kind in scenario.happenings
    )


def _read(state: State, task: ToCheck, draw: Draw) -> tuple[bool, str]:
    catalog, quality = state.setup.catalog, state.quality_of(task.side)
    people = state.setup.side_by_id[task.side].people
    match task.check:
        case "pin":
            pinned = is_pinned(quality, draw, catalog, state.setup.rulings)
            return pinned, "pinned, no move this turn." if pinned else "not pinned."
        case "command":
            over = movement_ends(quality, draw)
            return over, f"movement of {people} is over." if over else "movement goes on."
        case _:
            digging = catalog.entrench.engineers if task.engineers else catalog.entrench.group
            dug = digging.succeeds(draw)
            return dug, "dug in: put a foxhole down." if dug else "the ground is too hard."


def _advise_the_time(state: State, side: str, insist: bool) -> None:
    """Moving, and digging in place of it, belong to phase 1 of the side that moves."""
    if insist or (state.clock.phase == 1 and side == state.mover):
        return
    people = state.setup.side_by_id[state.mover].people
    says = f"Groups move, or dig, in phase 1 of their own turn; this is phase {state.clock.phase} "
    raise Refused(Refusal("not_now", f"{says}of {people}.", "Sequence of Play"))


def _command(state: State, insist: bool) -> ToCheck:
    side = state.mover
    quality, people = state.quality_of(side), state.setup.side_by_id[side].people
    if not draws_for_command(quality):
        why = "play without force quality" if quality is None else f"are {quality.name.lower()}"
        raise nonsense("no_draw", f"{people} {why}: nothing to draw for.", "Troop Quality")
    if state.movement_over and not insist:
        says = f"Movement of {people} is over for this turn."
        raise Refused(Refusal("movement_over", says, "Troop Quality"))
    return ToCheck(check="command", side=side)


def _digging(state: State, order: Dig) -> ToCheck:
    side = _known_side(state, order.side)
    if not state.options.entrenching:
        says = "Entrenching is not played in this battle; Z switches it on."
        raise nonsense("option_off", says, "Entrenching")
    some, all_of_them = engineers_of(state, side)
    if order.engineers and not some and not order.insist:
        people = state.setup.side_by_id[side].people
        says = f"{people} have no engineers left; a group of four or more digs on a spade."
        raise Refused(Refusal("no_engineers", says, "Entrenching"))
    return ToCheck(check="entrench", side=side, engineers=order.engineers or all_of_them)


def _known_side(state: State, side: str) -> str:
    if side not in state.setup.side_by_id:
        raise nonsense("unknown_side", f"No side is called {side!r}.")
    return side
