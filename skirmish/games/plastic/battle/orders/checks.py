"""Checks: command cards, digging in, pin tests and wire. Players order them, except for the pin
tests that fire brings; ``draw_for_check`` is the step of the agenda that draws for them."""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from skirmish.games.plastic.battle import agenda, events
from skirmish.games.plastic.battle.agenda import Agenda
from skirmish.games.plastic.battle.orders.resolution import (
    Order,
    OrderOfRow,
    OrderOfSide,
    Resolution,
)
from skirmish.games.plastic.battle.qualities import (
    quality_of_check,
    quality_of_group,
)
from skirmish.games.plastic.battle.rows import (
    digs_as_engineer,
    existing_row,
    find_row,
    guys_in_sight,
    guys_on_foot,
)
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.catalog import Quality
from skirmish.games.plastic.rules.checks import (
    draws_for_command,
    is_dug_in,
    is_pinned,
    movement_ends,
    why_not_entrench,
)
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.page import capital
from skirmish.tabletop.refusal import Refusal, nonsense


class GroupMoved(Order, frozen=True, kw_only=True, tag="group_moved"):
    """A group has moved, and its side draws a command card, which may end the movement of all
    ("Troop Quality")."""

    begun_by = "mover"

    contingent: str = ""
    """The contingent whose quality counts, where they differ: of those that moved together, the
    one with the worst. Empty: that of the side (``quality_of_group``)."""
    insist: bool = False

    def carry_out(self, run: Resolution) -> None:
        state, side = run.state, run.state.mover
        if self.contingent:
            _refuse_other_contingent(state, side, self.contingent)
        quality = quality_of_group(state, side, self.contingent)
        if not draws_for_command(quality):
            text = _why_no_command_cards(state, side, self.contingent, quality)
            raise nonsense("no_draw", text, "Troop Quality")
        run.advise_movement(side)
        task = agenda.ToCheck(check="command", side=side, contingent=self.contingent)
        _begin_check(run, task)

    def given_by(self, state: State) -> tuple[str, ...]:
        return (state.mover,)


def _why_no_command_cards(state: State, side: str, contingent: str, quality: Quality | None) -> str:
    """The sentence for a group of this quality, which moves without a draw."""
    if quality is not None and contingent:
        name = state.setup.contingent_by_id[contingent].name
        return f"{name}: {quality.name.lower()}, so they draw no command cards."
    if quality is None:
        side_has = state.setup.does(side, "have", "has", article="The")
        why = f"{side_has} no force quality"
    else:
        side_is = state.setup.does(side, "are", "is", article="The")
        why = f"{side_is} {quality.name.lower()}"
    draw = state.setup.verb_of(side, "draw", "draws")
    return f"{why} and {draw} no command cards."


def _refuse_other_contingent(state: State, side: str, contingent: str) -> None:
    """Raises Refused unless the side has a contingent of that id."""
    of_side = [part.id for part in state.setup.contingents if part.side == side]
    if contingent not in of_side:
        their_contingent = state.setup.owned_by(side, f"contingent {contingent!r}")
        raise nonsense("unknown_contingent", f"There is no {their_contingent}.")


class Dig(OrderOfSide, frozen=True, kw_only=True, tag="dig"):
    """A group tries to dig in, which a draw decides ("Entrenching")."""

    begun_by = "mover"

    engineers: bool = False
    """Whether there is an engineer in the group, or one digs alone."""
    insist: bool = False

    def carry_out(self, run: Resolution) -> None:
        state, side = run.state, self.side
        if not state.options.entrenching:
            text = "Entrenching is off in this battle; Z turns it on."
            raise nonsense("option_off", text, "Entrenching")
        # Only the players see who stands with whom; the program has to go by the whole side.
        own_engineers = engineers_of(state, side)
        if self.engineers and not own_engineers.any_digs:
            their_engineers = state.setup.owned_by(side, "engineers")
            text = f"There are no {their_engineers} left; a group of four or more digs on a spade."
            run.advise(Refusal("no_engineers", text, "Entrenching"))
        engineers = self.engineers or own_engineers.all_dig
        men = sum(len(row.on_foot) for row in guys_on_foot(state, side))
        # No nation is named, as its riflemen who dig as engineers are among ``engineers`` already.
        run.advise(why_not_entrench(men, engineers, riflemen_of=None, catalog=state.setup.catalog))
        run.advise_movement(side)
        _begin_check(run, agenda.ToCheck(check="entrench", side=side, engineers=engineers))


class PinTest(OrderOfSide, frozen=True, tag="pin_test"):
    """A pin test that players call themselves, for fire that the program does not know of."""

    begun_by = "who is shot at"

    contingent: str = ""
    """The contingent whose quality counts, where they differ: of those tested together, the one
    with the worst. Empty: that of the side (``quality_of_group``)."""

    def carry_out(self, run: Resolution) -> None:
        if self.contingent:
            _refuse_other_contingent(run.state, self.side, self.contingent)
        _begin_check(run, agenda.ToCheck(check="pin", side=self.side, contingent=self.contingent))


def _begin_check(run: Resolution, task: agenda.ToCheck) -> None:
    """Begins a check that a player has called. Raises Refused for a side that records losses only:
    it draws at the table."""
    if run.state.levels[task.side] == "ledger":
        record = run.state.setup.does(task.side, "record", "records", article="The")
        raise nonsense("ledger", f"{record} losses only: draw for it at the table.")
    run.go_on(instead=(task,))


class ClearWire(OrderOfSide, frozen=True, tag="clear_wire"):
    """An engineer clears a segment of wire, which needs no draw ("Barbed Wire")."""

    begun_by = "mover"

    insist: bool = False

    def carry_out(self, run: Resolution) -> None:
        state, side = run.state, self.side
        # Nearly always it is the enemy's wire that is in the way.
        enemy = state.setup.enemy_of(side).id
        owners_with_wire = [owner for owner in (enemy, side) if _wire_of(state, owner)]
        if not owners_with_wire:
            raise nonsense("no_wire", "There is no wire left.")
        engineers = _wire_cutters(state, side)
        if side != state.mover:
            side_clears = state.setup.does(side, "clear", "clears", article="The")
            text = f"{side_clears} wire only when moving."
            run.advise(Refusal("not_now", text, "Barbed Wire"))
        elif not engineers:
            their_engineers = state.setup.owned_by(side, "engineers")
            text = f"There are no {their_engineers} left, and only engineers clear wire."
            run.advise(Refusal("no_engineers", text, "Barbed Wire"))
        elif state.cleared_now >= engineers:
            text = f"Each engineer clears one segment a turn, and only {engineers} of them are "
            text += "left."
            run.advise(Refusal("no_engineers", text, "Barbed Wire"))
        owner = owners_with_wire[0]
        segments_left = _wire_of(state, owner) - 1
        text = f"One segment of wire is cleared; {segments_left} left."
        run.emit(events.Checked(check="wire", side=side, result=True, explain=text, of=owner))


def _wire_cutters(state: State, side: str) -> int:
    """How many can clear wire: engineers, but no nation's riflemen who dig like them."""
    wire_cutters = 0
    for row in guys_on_foot(state, side):
        if digs_as_engineer(state, row, national=False):
            wire_cutters += len(row.on_foot)
    return wire_cutters


def _wire_of(state: State, side: str) -> int:
    """The segments of wire that a side still has."""
    return state.works.get(side, {}).get("barbed_wire", 0)


class MarkPinned(OrderOfRow, frozen=True, tag="mark_pinned"):
    """Marks a group of a row as pinned. If groups of it are pinned, one of the marks is taken off
    instead."""

    begun_by = "both sides"

    def carry_out(self, run: Resolution) -> None:
        state = run.state
        row = existing_row(state, self.row)
        if not state.options.pinning:
            raise nonsense("option_off", "Pinning is off in this battle; Z turns it on.", "Pinning")
        pins = state.pinned.get(row.key, 0)
        if pins:
            run.emit(events.PinMarked(row=row.key, pins=pins - 1))
        elif not row.unit.is_guy or not row.on_foot:
            raise nonsense("not_a_guy", "Only guys on the table can be pinned.", "Pinning")
        elif state.clock.phase != 1 or row.side != state.mover:
            text = (
                "Pins stop movement only, so they last until phase 1 of that side's turn is over."
            )
            raise nonsense("not_now", text, "Sequence of Play")
        else:
            run.emit(events.PinMarked(row=row.key, pins=1))


def draw_for_check(run: Resolution, task: agenda.ToCheck, then: Agenda) -> None:
    """Draws for a check, once. Of a pin test of several draws the next ones follow, as long as
    anybody is left to be pinned."""
    state, is_pin_test = run.state, task.check == "pin"
    # The test was owed when the shot was fired; meanwhile all men may be dead.
    nobody_is_left = is_pin_test and not guys_in_sight(state, task.side)
    # A side that records losses only draws for the tests of its men at the table.
    draws_at_the_table = state.levels[task.side] == "ledger"
    if nobody_is_left or draws_at_the_table:
        run.continue_with(then)
        return
    # Wire has no draw; the type of ``check`` includes it, for the events.
    assert task.check != "wire"
    suit_decides = _suit_decides(state, task)

    def suit_matters(rank: int) -> bool:
        del rank  # it is the same for every rank
        return suit_decides

    draw = run.draw(task.side, task.check, suit_matters)
    if draw is None:
        return
    result, text = _check_result(state, task, draw)
    # Only a pin test may have several draws: the others have ``times`` 1.
    men_left = task.men
    if result:
        men_left -= 1
    if men_left > 0 and task.times > 1:
        then = (replace(task, times=task.times - 1, men=men_left), *then)
    row = None
    if is_pin_test:
        row = _row_tested(state, task)
    run.emit(
        events.Checked(
            check=task.check,
            side=task.side,
            row=row,
            draw=draw,
            result=result,
            explain=f"{capital(draw.words)}: {text}",
            then=then,
            shot=task.shot,
            lone=task.lone,
        )
    )


def _suit_decides(state: State, task: agenda.ToCheck) -> bool:
    """Whether a check depends on the suit: digging in does, and a pin test does by one answer to
    P29."""
    if task.check == "pin":
        return state.setup.rulings["P29"] == "suits"
    return task.check == "entrench"


def _row_tested(state: State, task: agenda.ToCheck) -> str | None:
    """The key of the row that a pin test is about. If nobody of it is left, or the test was called
    by hand, it is about the target of the last shot of this player turn. None if there is none."""
    candidates: list[str] = []
    if task.row is not None:
        candidates.append(task.row)
    if state.judged:
        last = state.judged[-1].shot
        # Of a run of repeat fire the row with which it began, if it can be that; else the one that
        # the run went on to.
        candidates += [last.first, last.target]
    for key in candidates:
        row = find_row(state, key)
        if row and row.side == task.side and row.unit.is_guy and row.in_sight:
            return row.key
    return None


class Engineers(NamedTuple):
    """Whether some of a side's guys dig as engineers, and whether all of them do."""

    any_digs: bool
    all_dig: bool


def engineers_of(state: State, side: str) -> Engineers:
    """Who of the side digs as an engineer; nobody if it has no guys left."""
    dig = [digs_as_engineer(state, row) for row in guys_on_foot(state, side)]
    # Of nobody at all ``all`` would be true, so ``any`` is asked as well.
    return Engineers(any_digs=any(dig), all_dig=any(dig) and all(dig))


class _CheckResult(NamedTuple):
    """What a draw does in a check. ``happens``: whether that happens for which it is drawn (men are
    pinned, the movement is over, they have dug in)."""

    happens: bool
    words: str


def _check_result(state: State, task: agenda.ToCheck, draw: Draw) -> _CheckResult:
    """What a draw does in a check."""
    catalog, quality = state.setup.catalog, quality_of_check(state, task)
    match task.check:
        case "pin":
            if is_pinned(quality, draw, catalog, state.setup.rulings):
                return _CheckResult(happens=True, words="pinned; no move this turn.")
            return _CheckResult(happens=False, words="not pinned.")
        case "command":
            if movement_ends(quality, draw):
                return _CheckResult(happens=True, words=state.setup.moves_no_more(task.side, "the"))
            return _CheckResult(happens=False, words="movement goes on.")
        case "entrench" | "wire":  # wire never comes here, as it is cleared without a draw
            # As in ``Dig``, ``engineers`` includes a nation's riflemen who dig like them.
            if is_dug_in(task.engineers, riflemen_of=None, draw=draw, catalog=catalog):
                return _CheckResult(happens=True, words="dug in; place a foxhole.")
            return _CheckResult(happens=False, words="the ground is too hard.")
