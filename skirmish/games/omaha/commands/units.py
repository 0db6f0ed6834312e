"""The commands that move, place and enter units; and why no unit can be chosen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, cast

from skirmish.games.omaha import orders
from skirmish.games.omaha.ruleset import KINDS, SIDES, Side, UnitKind
from skirmish.games.omaha.state import OmahaState
from skirmish.games.omaha.units import Mark
from skirmish.tabletop.commands import Answers, Command
from skirmish.tabletop.companion import asking, new_counters
from skirmish.tabletop.companion.asking import HexSlot, UnitsSlot
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.slots import Option, Slot

MOST_REASONS = 3
"""How many of the reasons why a command cannot be given now are shown: ten companies may be
disrupted."""


def move_commands(state: OmahaState) -> Iterator[Command[Any]]:
    """The command that moves units, brings them on, or places them at set-up; none if there is no
    unit for it."""
    if state.phase_id == "setup":
        word = "place"
        options = asking.counter_options(_movable(state))
    else:
        word = "bring on"
        if state.sequence.allows(state.position, "move"):
            word = "move"
        options = asking.counter_options(_movable(state), partial(_why_not_moving, state))
    if not options:
        return
    slots = (
        UnitsSlot(name="units", text="Which units?", options=options, least=1),
        HexSlot(name="place", text="To which hex?"),
    )
    yield Command(
        label=word.capitalize(),
        key="m",
        word=word,
        why_not=why_none_of(options),
        slots=slots,
        make=orders.MoveUnits,
    )


def _movable(state: OmahaState) -> Iterator[Counter]:
    """The units to choose from: at set-up those of both sides, later those of the active side.
    Units off the map are among them once they may come."""
    is_set_up = state.phase_id == "setup"
    may_move = is_set_up or state.sequence.allows(state.position, "move")
    for unit in state.counters:
        of_this_side = is_set_up or unit.side == state.side
        if not unit.steps or not of_this_side:
            continue
        # A unit off the map only has to be due; it may also come in phases without movement.
        may_be_chosen = may_move
        if unit.has(Mark.WAITING):
            may_be_chosen = state.may_come(unit.group)
        if may_be_chosen:
            yield unit


def _why_not_moving(state: OmahaState, unit: Counter) -> str:
    """Why a unit may not move, as a sentence; empty if it may."""
    why = orders.why_not_move(state, unit)
    if not why:
        return ""
    return f"{unit.name} {why}."


def new_units_command(state: OmahaState) -> Command[Any]:
    """Enters units with the names on the owner's counters."""

    def slots(answers: Answers) -> tuple[Slot, ...]:
        # Those of the scenario, then those of all units. A company may be listed several times;
        # the notes below have it once.
        companies = [arrival.company for arrival in state.setup.scenario.arrivals]
        companies += [unit.group for unit in state.counters if unit.group]
        notes = {company: _company_note(state, company) for company in companies}
        kinds, sides = tuple(KINDS.items()), tuple(SIDES.items())
        return tuple(new_counters.new_counter_slots(notes, state.counters, answers, kinds, sides))

    return Command(
        label="New units",
        key="c",
        word="new units",
        slots=slots,
        make=partial(_enter_order, state),
        help="Enter units from your counters; skirmish omaha units takes them from a file.",
    )


def _company_note(state: OmahaState, company: str) -> str:
    """How many units of a company are entered, and when it arrives, if that is still to come:
    ``2 entered, turn 3``."""
    notes = []
    count = len(state.counters.where(group=company))
    if count:
        notes.append(f"{count} entered")
    arrival = state.setup.scenario.arrival(company)
    if arrival is not None:
        turn = state.turn_of_arrival(arrival)
        if turn is None:
            notes.append("by a card")
        elif turn > state.position.turn:
            notes.append(f"turn {turn}")
    return ", ".join(notes)


def _enter_order(
    state: OmahaState,
    *,
    company: str,
    names: str,
    place: str | None = None,
    called: str = "",
    side: Side | None = None,
    kind: UnitKind | None = None,
) -> orders.EnterUnits:
    """The order of the answers. A company that is known from an entered unit or from the scenario
    gives side and kind. For a new one, whose name the player typed (``called``), both were asked
    for."""
    group = called or company
    units = new_counters.new_units_in(names)
    known_side: Side = "us"
    known_kind: UnitKind = "infantry"
    comrade = next(iter(state.counters.where(group=group)), None)
    arrival = state.setup.scenario.arrival(group)
    if comrade is not None:
        # For the type checker side and kind of a counter are any text; in this game they are these.
        known_side = cast("Side", comrade.side)
        known_kind = cast("UnitKind", comrade.kind)
    elif arrival is not None:
        known_side, known_kind = arrival.side, arrival.kind
    # A hex typed after a name is that unit's; the hex asked for is that of all others.
    places = [unit.place or place or "" for unit in units]
    return orders.EnterUnits(
        company=group,
        names=tuple(unit.name for unit in units),
        places=tuple(places),
        side=side or known_side,
        kind=kind or known_kind,
    )


def why_none_of(options: Sequence[Option]) -> str:
    """The reasons why none of the options can be chosen, each once: ``1/B has fired. 2/B is
    disrupted.`` Empty if one can."""
    reasons = [option.why_not for option in options]
    if not all(reasons):
        return ""
    # Each once, in the order of the units.
    listed = list(dict.fromkeys(reasons))
    if len(listed) > MOST_REASONS:
        left_out = len(listed) - MOST_REASONS
        listed = [*listed[:MOST_REASONS], f"{left_out} more cannot act either."]
    return " ".join(listed)
