"""Who may act under the chit in play, why not, and what it costs.

What is refused here rests on chits, points and formations. ``why_late`` is only advice. Letters
such as I and J are steps of the sequence of play, names such as G8 rulings.
"""

from __future__ import annotations

from functools import partial

from skirmish.games.gts.ruleset import ATTACHING_KINDS, Chit
from skirmish.games.gts.state import GtsState
from skirmish.games.gts.units import (
    LIGHT_MORTAR,
    STRIPES,
    Marker,
    is_in_command,
    leads,
    with_leader,
)
from skirmish.tabletop.companion.counters import Counter

SECOND_ACTION_COST = 1
"""The command points for a second action under one chit."""


def units_able_to_act(state: GtsState) -> dict[str, Counter]:
    """The units that may still act under the chit in play, by id."""
    return state.once("units able to act", partial(_units_able_to_act, state))


def _units_able_to_act(state: GtsState) -> dict[str, Counter]:
    if not state.chit:
        return {}
    able = {}
    for unit in state.idle():
        # Every chit lets a unit pass; one in an entry hex must move out first.
        action = "pass"
        if unit.has(Marker.ENTRY_HEX):
            action = "movement"
        if not why_not_act(state, unit, action):
            able[unit.id] = unit
    return able


def transferable_leaders(state: GtsState) -> tuple[Counter, ...]:
    """The leaders who may change to another unit once all actions of the chit in play are done:
    those of its division or formation (sequence of play, I and J)."""
    chit = state.chits.get(state.chit)
    if chit is None or chit.kind not in ("division", *ATTACHING_KINDS):
        return ()
    leaders = [unit for unit in state.units() if leads(unit)]
    if chit.kind == "division":
        return tuple(unit for unit in leaders if state.division_of(unit) == chit.group)
    return tuple(unit for unit in leaders if unit.group == chit.group)


# ------------------------------------------------------------------ why a unit may not act


def why_not_act(state: GtsState, unit: Counter, kind: str, out: bool = False) -> str:
    """Why a unit may not take an action of this kind under the chit in play; empty if it may.
    ``out``: its players say that it is out of command."""
    # Without the whole game no chit says who acts.
    if state.setup.scope != "whole":
        return ""
    chit = state.chits.get(state.chit)
    if chit is None:
        return _why_no_chit(state)
    in_command = is_in_command(unit, out)
    is_second_action = unit.id in state.actions_taken
    why = _why_not_activated(state, unit, chit)
    if not why and not is_second_action:
        why = _why_not_first(state, unit, chit, kind)
    if not why and not in_command and _is_for_units_in_command(unit, chit, kind):
        why = f"{unit.name} is out of command."
    if not why and is_second_action:
        why = _why_not_second(state, unit, chit, kind, in_command)
    return why or _why_not_paid(state, unit, chit)


def _why_no_chit(state: GtsState) -> str:
    """Why nobody may act while no chit is in play."""
    # The last chit in the mug is not drawn (G20).
    may_draw = state.mug_is_filled and state.phase_id == "activations" and state.mug.inside > 1
    if may_draw:
        return "No chit is in play. Draw one first."
    return "No chit is in play."


def _why_not_activated(state: GtsState, unit: Counter, chit: Chit) -> str:
    """Why a chit does not activate a unit at all."""
    if chit.side and chit.side != unit.side:
        return f"{unit.name} does not belong to the side of this chit."
    if chit.kind == "direct" and _is_independent(unit):
        return "Direct Command moves no independent unit."
    if chit.kind == "division" and state.division_of(unit) != chit.group:
        return f"{unit.name} is not of {chit.group}."
    if chit.kind in ATTACHING_KINDS:
        return _why_not_attached(state, unit, chit)
    return ""


def _is_independent(unit: Counter) -> bool:
    """Whether a unit has stripes: it belongs to no formation."""
    return not STRIPES.isdisjoint(unit.traits)


def _why_not_attached(state: GtsState, unit: Counter, chit: Chit) -> str:
    """Why a formation's chit does not activate a unit. Independent units of its division are
    attached: all with black stripes, and those with white stripes up to the leader's rating, of
    which artillery in contact with him counts first."""
    if unit.group == chit.group:
        return ""
    # A unit whose division is not known may be one of this division.
    may_be_of_division = state.division_of(unit) in ("", chit.division)
    if not _is_independent(unit) or not may_be_of_division:
        return f"{unit.name} is not of {chit.group}, nor independent in its division."
    if "white" not in unit.traits:
        return ""
    attached = _attached_ids(state, chit)
    if unit.id not in attached and len(attached) >= chit.attach:
        return f"{chit.group} has attached all it may, {chit.attach}."
    return ""


def _attached_ids(state: GtsState, chit: Chit) -> list[str]:
    """The ids of the units with white stripes that the leader of a formation has attached: those
    that acted under his chit, and artillery in contact with him, which counts first."""
    # Only the chit in play is asked about, so its guns are looked up once for a state.
    guns = state.once("guns in contact", partial(state.units, flag=with_leader(chit.group)))
    in_contact = {gun.id for gun in guns}
    attached = []
    for unit in state.counters:
        is_attached = unit.id in state.actions_taken or unit.id in in_contact
        if "white" in unit.traits and is_attached:
            attached.append(unit.id)
    return attached


def _why_not_first(state: GtsState, unit: Counter, chit: Chit, kind: str) -> str:
    """Why a unit may not take this as its first action."""
    if chit.kind == "division" and unit.has(Marker.ENTRY_HEX) and kind != "movement":
        return f"{unit.name} is in an entry hex; it must move out."
    allowed = kind in state.rules.kinds[chit.kind].allows
    if not allowed and not _is_fire_of_light_mortar(unit, chit, kind):
        return f"The chit {chit.name} does not allow that."
    return ""


def _is_for_units_in_command(unit: Counter, chit: Chit, kind: str) -> bool:
    """Whether only units in command may do this, even as a first action."""
    return chit.kind == "direct" or _is_fire_of_light_mortar(unit, chit, kind)


def _is_fire_of_light_mortar(unit: Counter, chit: Chit, kind: str) -> bool:
    """Whether a light mortar fires under a division's chit, which lets no other unit fire (G8)."""
    return chit.kind == "division" and kind == "fire" and unit.kind == LIGHT_MORTAR


def _why_not_second(state: GtsState, unit: Counter, chit: Chit, kind: str, in_command: bool) -> str:
    """Why a unit may not take this as its second action. That is for units in command, of another
    kind than the first (G17), and never an engineer action. A ruling says whether it may be of a
    kind that the chit does not allow as a first one (G28)."""
    rule = state.rules.kinds[chit.kind]
    actions_before = state.actions_taken[unit.id]
    if not rule.second or len(actions_before) > 1:
        return f"{unit.name} has acted."
    if kind == "engineer":
        return "A second action is never an engineer's."
    if kind in actions_before:
        return "A second action is of another kind than the first."
    if kind not in rule.allows and state.rules.rulings["G28"] == "same":
        return f"The chit {chit.name} does not allow that."
    if not in_command:
        return f"{unit.name} is out of command; a second action is for units in command."
    return ""


def _why_not_paid(state: GtsState, unit: Counter, chit: Chit) -> str:
    """Why the division of a unit cannot pay for its action."""
    cost = action_cost(state, unit, chit)
    division = state.division_of(unit)
    if state.points("cp", division) >= cost:
        return ""
    return f"That costs {cost} CP; {division or 'its division'} has none."


def action_cost(state: GtsState, unit: Counter, chit: Chit) -> int:
    """The command points for the next action of a unit. Direct Command takes some for each action,
    other chits only for a second one."""
    cost = state.rules.kinds[chit.kind].cost
    is_second_action = unit.id in state.actions_taken
    if not cost and is_second_action:
        return SECOND_ACTION_COST
    return cost


def why_late(state: GtsState, unit: Counter) -> str:
    """Why a second action comes too late: it has to follow the first at once, but for actions of
    its stack. Empty if it does, as far as the actions are entered."""
    ids_as_they_acted = [*state.actions_taken]
    if unit.id not in ids_as_they_acted:
        return ""
    acted_since = ids_as_they_acted[ids_as_they_acted.index(unit.id) + 1 :]
    stack = {stacked.id for stacked in state.stack(unit)}
    if stack.issuperset(acted_since):
        return ""
    return f"{unit.name} has acted, and others since; a second action follows at once."
