"""Draws that are no shots, at the table: is a group pinned, is movement over, is a foxhole dug?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from skirmish.games.plastic.battle.agenda import AnyTask, ToCheck, Why
from skirmish.games.plastic.battle.events import Checked, Held, PinMarked
from skirmish.games.plastic.battle.orders import (
    ClearWire,
    Dig,
    GroupMoved,
    MarkPinned,
    PinTest,
)
from skirmish.games.plastic.battle.readiness import advise_movement
from skirmish.games.plastic.battle.rows import find, named, rows
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.catalog import UnitType
from skirmish.games.plastic.rules.checks import (
    draws_for_command,
    is_pinned,
    movement_ends,
    why_not_entrench,
)
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
            if run.state.clock.phase != 1:
                advise_movement(run.state, run.state.mover, order.insist)
        case Dig():
            task = _digging(run.state, order)
            advise_movement(run.state, order.side, order.insist)
        case PinTest():
            side = _known_side(run.state, order.side)
            task = ToCheck(check="pin", side=side)
    if run.keeps_ledger(task.side):
        the = run.state.setup.the(task.side, "The")
        says = f"{the} record losses only: draw for it at the table."
        raise nonsense("ledger", says)
    run.emit(Held(then=(task,)))
    run.go_on()


def clear_wire(run: Resolution, order: ClearWire) -> None:
    """A segment of wire goes, the enemy's or else the side's own; no draw ("Barbed Wire"). Raises
    Refused."""
    state, side = run.state, _known_side(run.state, order.side)
    whose = [name for name in (state.setup.enemy_of(side).id, side) if _wire(state, name)]
    if not whose:
        raise nonsense("no_wire", "There is no wire left.")
    able = sum(
        len(row.on_foot)
        for row in rows(state, side)
        if row.unit.is_guy
        and digs_as_engineer(state, side, row.unit, row.contingent.id, national=False)
    )
    advice = None
    if side != state.mover:
        says = f"{state.setup.the(side, 'The')} clear wire in their own turn."
        advice = Refusal("not_now", says, "Barbed Wire")
    elif not able:
        own = state.setup.of(side, "engineers")
        says = f"There are no {own} left, and only engineers clear wire."
        advice = Refusal("no_engineers", says, "Barbed Wire")
    elif state.cleared_now >= able:
        says = f"Each engineer clears one segment a turn, and only {able} of them are left."
        advice = Refusal("no_engineers", says, "Barbed Wire")
    if advice and not order.insist:
        raise Refused(advice)
    says = f"One segment of wire is cleared; {_wire(state, whose[0]) - 1} left."
    run.emit(Checked(check="wire", side=side, result=True, explain=says, of=whose[0]))


def _wire(state: State, side: str) -> int:
    return state.works.get(side, {}).get("barbed_wire", 0)


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
    row = _under_fire(state, task.side) if task.check == "pin" else None
    if not result and task.times > 1:
        then = (replace(task, times=task.times - 1), *then)
    shown = draw.words[:1].upper() + draw.words[1:]
    run.emit(
        Checked(
            check=task.check,
            side=task.side,
            row=row,
            draw=draw,
            result=result,
            explain=f"{shown}: {says}",
            then=then,
        )
    )


def _under_fire(state: State, side: str) -> str | None:
    """The row of a side that the last shot of this player turn began with, or went on to where
    nobody of that row is left."""
    last = state.judged[-1].shot if state.judged else None
    aimed = (find(state, key) for key in ((last.first, last.target) if last else ()))
    left = (row for row in aimed if row and row.side == side and row.unit.is_guy and row.on_foot)
    return next((row.key for row in left), None)


def mark_pinned(run: Resolution, order: MarkPinned) -> None:
    """A pin taken off by hand, or put on. Raises Refused where nobody can be pinned."""
    state = run.state
    row = named(state, order.row)
    if not state.options.pinning:
        raise nonsense("option_off", "Pinning is off in this battle; Z turns it on.", "Pinning")
    if pins := state.pinned.get(row.key, 0):
        run.emit(PinMarked(row=row.key, pins=pins - 1))
    elif not row.unit.is_guy or not row.on_foot:
        raise nonsense("not_a_guy", "Only guys on the table can be pinned.", "Pinning")
    elif state.clock.phase != 1 or row.side != state.mover:
        says = "Pins stop movement only, so they last until phase 1 of that side's turn is over."
        raise nonsense("not_now", says, "Sequence of Play")
    else:
        run.emit(PinMarked(row=row.key, pins=1))


_WHY: dict[str, Why] = {"command": "command", "entrench": "entrench"}


def engineers_of(state: State, side: str) -> tuple[bool, bool]:
    """Whether the side has anybody who digs as an engineer, and whether all of its guys do."""
    able = [
        digs_as_engineer(state, side, row.unit, row.contingent.id)
        for row in rows(state, side)
        if row.on_foot and row.unit.is_guy
    ]
    return any(able), bool(able) and all(able)


def digs_as_engineer(
    state: State, side: str, unit: UnitType, contingent: str, national: bool = True
) -> bool:
    """An Engineer Guy, a scenario's pioneer, or (``national``) a nation's rifleman who digs like
    one but clears no wire."""
    nation = state.nation_of(side) if national else None
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
    the = state.setup.the(task.side)
    match task.check:
        case "pin":
            pinned = is_pinned(quality, draw, catalog, state.setup.rulings)
            return pinned, "pinned; no move this turn." if pinned else "not pinned."
        case "command":
            over = movement_ends(quality, draw)
            return (
                over,
                f"{the} may move no more groups this turn." if over else "movement goes on.",
            )
        case _:
            digging = catalog.entrench.engineers if task.engineers else catalog.entrench.group
            dug = digging.succeeds(draw)
            return dug, "dug in; place a foxhole." if dug else "the ground is too hard."


def _command(state: State, insist: bool) -> ToCheck:
    side = state.mover
    quality, the = state.quality_of(side), state.setup.the(side, "The")
    if not draws_for_command(quality):
        why = "have no force quality" if quality is None else f"are {quality.name.lower()}"
        says = f"{the} {why} and draw no command cards."
        raise nonsense("no_draw", says, "Troop Quality")
    if state.movement_over and not insist:
        says = f"{the} may move no more groups this turn."
        raise Refused(Refusal("movement_over", says, "Troop Quality"))
    return ToCheck(check="command", side=side)


def _digging(state: State, order: Dig) -> ToCheck:
    side = _known_side(state, order.side)
    if not state.options.entrenching:
        says = "Entrenching is off in this battle; Z turns it on."
        raise nonsense("option_off", says, "Entrenching")
    some, all_of_them = engineers_of(state, side)
    if order.engineers and not some and not order.insist:
        own = state.setup.of(side, "engineers")
        says = f"There are no {own} left; a group of four or more digs on a spade."
        raise Refused(Refusal("no_engineers", says, "Entrenching"))
    engineers = order.engineers or all_of_them
    men = sum(len(row.on_foot) for row in rows(state, side) if row.unit.is_guy)
    few = why_not_entrench(men, engineers, None, state.setup.catalog)
    if few and not order.insist:
        raise Refused(few)
    return ToCheck(check="entrench", side=side, engineers=engineers)


def _known_side(state: State, side: str) -> str:
    if side not in state.setup.side_by_id:
        raise nonsense("unknown_side", f"There is no side called {side!r}.")
    return side
