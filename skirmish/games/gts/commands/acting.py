"""The commands by which units act without a roll, and the lists of who has acted."""

from __future__ import annotations

from functools import partial
from typing import Any

from skirmish.games.gts.actions import Act
from skirmish.games.gts.commands.answers import ACTIONS_GROUP, Commands, unit_slot, why_no_unit
from skirmish.games.gts.state import GtsState
from skirmish.games.gts.units import ARTILLERY, Marker
from skirmish.tabletop.commands import Answers, Command, OnOff, Toggle, on_off_toggles
from skirmish.tabletop.companion.asking import place_slot
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.table_commands import marking_command
from skirmish.tabletop.slots import Choose, Option, Slot


def act_command(state: GtsState) -> Command[Any]:
    """A unit moves, joins an assault or passes."""
    return Command(
        label="Move or pass",
        key="a",
        word="move or pass",
        group=ACTIONS_GROUP,
        slots=partial(_act_slots, state),
        toggles=partial(_act_toggles, state),
        make=Act,
        why_not=why_no_unit(state),
    )


def _act_slots(state: GtsState, answers: Answers) -> tuple[Slot, ...]:
    """What is done and by whom; a move asks for its hex where hexes are written down."""
    which_action = _action_slot(state)
    action = answers.get("action", "")
    # Until the action is chosen, units are offered as for a move: most actions are moves.
    action_kind = "movement"
    if action:
        action_kind = state.rules.actions[action].kind
    which_unit = unit_slot(state, action_kind)
    unit = _chosen_unit(state, answers)
    # A unit without a hex is one of players who write no hexes down.
    if action == "move" and unit is not None and unit.place:
        return (which_action, which_unit, place_slot("To which hex?"))
    return (which_action, which_unit)


def _action_slot(state: GtsState) -> Choose:
    """The question for the action."""
    options = []
    for id, rule in state.rules.actions.items():
        # The other kinds need a roll, and have commands of their own.
        if rule.kind in ("movement", "assault", "pass"):
            options.append(Option(value=id, label=rule.name, note=rule.triggers))
    return Choose(name="action", text="What does it do?", options=tuple(options))


def _act_toggles(state: GtsState, answers: Answers) -> tuple[Toggle, ...]:
    """What else may be true of an action, as far as it matters for that action."""
    # The keys are capitals, since small letters are the keys of actions and units.
    rows = [OnOff("out", "O", "out of command")]
    if answers.get("action") == "column":
        rows.append(OnOff("hit", "C", "leaves column with a cohesion hit"))
    unit = _chosen_unit(state, answers)
    is_artillery = unit is not None and unit.kind == ARTILLERY
    if is_artillery and state.units(flag=Marker.IN_PARK):
        rows.append(OnOff("joins", "A", "joins the artillery park"))
    return on_off_toggles(rows, answers)


def _chosen_unit(state: GtsState, answers: Answers) -> Counter | None:
    """The unit that acts; None until it is chosen."""
    return state.counters.counters.get(answers.get("unit", ""))


def marker_commands(state: GtsState) -> Commands:
    """The lists of who has not acted and who is suppressed, where players correct the markers."""
    yield marking_command(
        state,
        state.idle(),
        Marker.ACTED,
        label="Who has not acted",
        key="h",
        nobody="Everybody has acted.",
    )
    yield marking_command(
        state,
        state.units(flag=Marker.SUPPRESSED),
        Marker.SUPPRESSED,
        key="x",
        label="Who is suppressed",
        nobody="Nobody is suppressed.",
    )
