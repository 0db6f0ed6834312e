"""What speaks against a shot besides the firing table: who is not there or not in sight, whose fire
it is, who has fired already, the dark, and what the scenario forbids."""

from __future__ import annotations

from skirmish.games.plastic.battle.names import weapon_of_piece
from skirmish.games.plastic.battle.rows import Row
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.shot import CLOSE_PHASES, Circumstances
from skirmish.games.plastic.scenarios.happenings import Trait
from skirmish.tabletop.measure import inches
from skirmish.tabletop.refusal import Refusal


def advice_against(
    state: State, shooter: Row, target: Row, slot: int, count: int
) -> Refusal | None:
    """What speaks against a shot by so many (``count``) of the row ``shooter`` with the weapon of
    that ``slot``, and can be overruled: who is not there, whose fire it is, and who has fired
    already. None if nothing does."""
    # Men who were killed in this turn may be ready: by P51 they strike back.
    if not shooter.here and not shooter.ready_count:
        return _not_here(state, shooter)
    if not target.here:
        return _not_here(state, target)
    if not target.on_foot:
        return Refusal("aboard", why_out_of_sight(state, target), "Loading or Unloading")
    # In its own turn the mover fires in close combat only, in phase 3.
    if shooter.side != state.firing_side and not fires_in_own_turn(state, shooter):
        they_fire = state.setup.does(state.firing_side, "fire", "fires")
        text = f"Only {they_fire} in phase {state.clock.phase}."
        return Refusal("not_your_phase", text, "Sequence of Play")
    # An unarmed row is refused for that, by the firing table.
    is_armed = slot < len(shooter.weapons)
    if is_armed and len(shooter.ready_with(slot)) < count:
        return _not_ready(state, shooter, slot)
    return None


def too_dark(state: State, circumstances: Circumstances) -> Refusal | None:
    """What speaks against a shot from farther than anybody sees now: darkness or dust. In contact
    nobody has to look."""
    sight = state.sight_in
    if sight is None or circumstances.touching or circumstances.distance <= sight:
        return None
    distance = inches(circumstances.distance)
    text = f"{distance} is out of sight: now nobody sees beyond {inches(sight)}."
    return Refusal("dark", text, "Scenario")


def forbidden_by_scenario(state: State, shooter: Row, target: Row) -> Refusal | None:
    """What the scenario forbids its units to fire at: a pillbox of scenario 10 "cannot fire on
    landing craft"."""
    for trait in state.setup.happenings(Trait):
        forbids = trait.effect == "may_not_fire_at" and target.unit.id in trait.targets
        if forbids and shooter.concerned_by(trait):
            return Refusal("no_target", trait.text, "Scenario")
    return None


def _not_here(state: State, row: Row) -> Refusal:
    """Why a row is not on the table."""
    comes = f"arrives on turn {row.contingent.enters}"
    if row.contingent.enters <= state.clock.turn:
        comes = "has not arrived yet"
    return Refusal("not_here", f"{row.contingent.name} {comes}.", "Scenario")


def _not_ready(state: State, shooter: Row, slot: int) -> Refusal:
    """Why not enough of a row can fire that weapon: the first reason that holds for all of them."""
    name_in_group = _name_in_group(state, shooter)
    weapon = shooter.weapons[slot].name
    # With nobody on the table only the dead of the row fight, who strike back (P51). They are not
    # among the pieces that are looked at below.
    if not shooter.here:
        return _already_fired(state, shooter, slot)
    if all(weapon_of_piece(piece, slot) in state.disarmed for piece in shooter.alive):
        text = f"The {weapon} of every {name_in_group} has broken down."
        return Refusal("disarmed", text, "Breakdowns")
    if all(piece in state.unserved for piece in shooter.here):
        text = f"No {name_in_group} has been served yet, so none may fire."
        return Refusal("unserved", text, "Scenario, P36")
    if not shooter.on_foot:
        text = f"Every {name_in_group} is aboard; "
        text += "only a halftrack lets passengers fire, two of them."
        return Refusal("aboard", text, "Loading or Unloading")
    return _already_fired(state, shooter, slot)


def _already_fired(state: State, shooter: Row, slot: int) -> Refusal:
    """That all of a row, or too many of it, have fired that weapon."""
    name = shooter.unit.name
    ready = len(shooter.ready_with(slot))
    # The dead who strike back are not ``here``.
    fighters = max(len(shooter.here), shooter.ready_count)
    # Each weapon fires once in phases 1 and 2 together, and once in each phase after that.
    span = "phases 1 and 2"
    if state.clock.phase in CLOSE_PHASES:
        span = f"phase {state.clock.phase}"
    if ready:
        text = f"Only {ready} of {fighters} {name}s can still fire in {span}."
        return Refusal("already_fired", text, "Sequence of Play")
    who, their = f"All {name}s have", "their"
    if fighters == 1:
        who, their = f"The {name} has", "its"
    text = f"{who} already fired"
    if len(shooter.weapons) > 1:
        text += f" {their} {shooter.weapons[slot].name}"
    return Refusal("already_fired", f"{text} in {span}.", "Sequence of Play")


def fires_in_own_turn(state: State, shooter: Row) -> bool:
    """Whether a row may fire in the first phases of its own turn, as only SAS jeeps may by P67."""
    scenario = state.setup.scenario
    # P67 is a ruling of scenario 3, and says nothing of jeeps in other battles.
    if scenario is None or "P67" not in scenario.rulings:
        return False
    if state.setup.rulings["P67"] != "own_turn_too" or shooter.unit.id != "mg_jeep":
        return False
    return shooter.side == state.mover and state.clock.phase not in CLOSE_PHASES


def why_hidden(state: State, target: Row) -> str:
    """Why nobody of the row can be shot at, if all of it is in hiding; empty otherwise. The players
    cannot overrule it: who is not on the table cannot be killed by fire."""
    if target.in_sight or not target.hidden:
        return ""
    return f"No {_name_in_group(state, target)} is in sight yet. R reveals those who are seen."


def why_out_of_sight(state: State, target: Row) -> str:
    """Why nobody of a row that has no man in sight can be fired at."""
    name = _name_in_group(state, target)
    if not target.alive:
        return f"No {name} is left to fire at."
    if not target.here:
        return f"No {name} is on the table yet."
    if not target.on_foot:  # "Loaded guys/cannon can't shoot or be shot at"
        return f"Every {name} is aboard; fire at what carries them."
    return why_hidden(state, target)


def _name_in_group(state: State, row: Row) -> str:
    """``Rifle Guy (C Company, Rangers)`` where others of that name may be in sight, in another
    group."""
    return f"{row.unit.name}{state.words.contingent_note(row.key)}"
