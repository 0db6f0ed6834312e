"""Who of a row can fire now, and what the rules say against it: advice, which players overrule."""

from __future__ import annotations

from skirmish.games.plastic.battle.names import weapon_slot
from skirmish.games.plastic.battle.orders import Fire, Volley
from skirmish.games.plastic.battle.rows import Row
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.shot import CLOSE_PHASES
from skirmish.tabletop.refusal import Refusal, Refused, nonsense

MOST_IN_REACH = 99
"""A group may hold men of other rows too, so its size is not that of the row aimed at."""


def who_fires(state: State, shooter: Row, slot: int, count: int) -> tuple[str, ...]:
    """The lowest codes that are ready, those on foot first and those in hiding after those in
    sight; then those who would fire twice."""
    ready = shooter.ready[slot] if slot < len(shooter.ready) else ()
    chosen = sorted(ready, key=lambda piece: (state.rides(piece), piece in state.hidden))
    everybody = dict.fromkeys((*chosen, *shooter.here, *shooter.alive))
    return tuple(everybody)[:count]


def reach_of(order: Fire, target: Row) -> int:
    """How many a volley can hit at most: the group that the player counted."""
    if not isinstance(order, Volley):
        return 1
    if order.reach is None:
        return max(len(target.on_foot), 1) if target.unit.is_guy else 1
    return order.reach


def advice_against(
    state: State, shooter: Row, target: Row, slot: int, count: int
) -> Refusal | None:
    """What the rules say against so many of ``shooter`` firing that weapon at ``target`` now."""
    setup, clock = state.setup, state.clock
    for row in (shooter, target):
        if not row.here and not (row is shooter and row.ready_count):
            comes = f"arrives on turn {row.contingent.enters}"
            if row.contingent.enters <= clock.turn:
                comes = "has not arrived yet"
            return Refusal("not_here", f"{row.contingent.name} {comes}.", "Scenario")
    if not target.on_foot:
        says = f"Every {target.unit.name} is aboard; fire at what carries them."
        return Refusal("aboard", says, "Loading or Unloading")
    if len(target.hidden) == len(target.here):
        return Refusal("hidden", f"No {target.unit.name} is in sight yet.", "Scenario")
    if shooter.side != state.firing_side and not fires_in_own_turn(state, shooter):
        says = f"Only {setup.the(state.firing_side)} fire in phase {clock.phase}."
        return Refusal("not_your_phase", says, "Sequence of Play")
    if slot < len(shooter.ready) and len(shooter.ready[slot]) < count:
        return _not_ready(state, shooter, slot, count)
    return None


def _not_ready(state: State, shooter: Row, slot: int, count: int) -> Refusal:
    """Why not so many of a row can fire this weapon."""
    clock, name, armed = state.clock, shooter.unit.name, shooter.weapons[slot].name
    ready = len(shooter.ready[slot])
    if all(weapon_slot(piece, slot) in state.disarmed for piece in shooter.alive):
        return Refusal("disarmed", f"The {armed} of every {name} has broken down.", "Breakdowns")
    if all(piece in state.unserved for piece in shooter.here):
        return Refusal(
            "unserved", f"No {name} has been served yet, so none may fire.", "Scenario, P36"
        )
    if not shooter.on_foot:
        says = f"Every {name} is aboard; only a halftrack lets passengers fire, two of them."
        return Refusal("aboard", says, "Loading or Unloading")
    span = "phases 1 and 2" if clock.phase not in CLOSE_PHASES else f"phase {clock.phase}"
    if ready:
        says = f"Only {ready} of {len(shooter.here)} {name}s can still fire in {span}."
        return Refusal("already_fired", says, "Sequence of Play")
    one = len(shooter.here) == 1
    says = f"The {name} has already fired" if one else f"All {name}s have already fired"
    if len(shooter.weapons) > 1:
        says += f" its {armed}" if one else f" their {armed}"
    return Refusal("already_fired", f"{says} in {span}.", "Sequence of Play")


def advise_movement(state: State, side: str, insist: bool) -> None:
    """Getting in and out, coming on, leaving and digging are done in phase 1 of one's own turn, and
    not after a command draw has ended movement. Raises Refused (advice)."""
    if insist:
        return
    if state.clock.phase != 1 or side != state.mover:
        now = state.setup.of(state.mover, f"phase {state.clock.phase}")
        says = f"Units move, load, unload and dig in phase 1 of their own turn; this is {now}."
        raise Refused(Refusal("not_now", says, "Sequence of Play"))
    if state.movement_over:
        says = f"{state.setup.the(side, 'The')} may move no more this turn."
        raise Refused(Refusal("movement_over", says, "Troop Quality"))


def barred(state: State, shooter: Row, target: Row) -> Refusal | None:
    """What the scenario forbids: advice, like everything that a table can settle otherwise."""
    for barred in state.setup.barred:
        if (
            barred.side == shooter.side
            and barred.contingent in (None, shooter.contingent.id)
            and shooter.unit.id in barred.units
            and target.unit.id in barred.targets
        ):
            return Refusal("no_target", barred.text, "Scenario")
    return None


def check_ledger(state: State, shooter: Row) -> None:
    """Raises Refused for a side of whose fire the program knows nothing."""
    if state.levels[shooter.side] == "ledger":
        the = state.setup.the(shooter.side, "The")
        says = f"{the} record losses only: - takes off casualties, I changes that."
        raise nonsense("ledger", says)


def check_volley(order: Volley, shooter: Row, target: Row) -> None:
    """Raises Refused for numbers that cannot be."""
    most = max(len(shooter.alive), shooter.ready_count)
    if not 1 <= order.count <= most:
        left = shooter.unit.named(most)
        says = f"{left} left, not {order.count}; + adds more."
        raise nonsense("too_many", says if order.count else "Say how many fire: 1 or more.")
    room = MOST_IN_REACH if target.unit.is_guy else len(target.alive)
    if order.reach is not None and not 1 <= order.reach <= room:
        raise nonsense("reach", f"1 to {room} targets can be in reach, not {order.reach}.")


def fires_in_own_turn(state: State, shooter: Row) -> bool:
    """P67: the SAS jeeps fire once in their own turn as well, before anybody fights in contact."""
    scenario = state.setup.scenario
    return (
        scenario is not None
        and state.setup.rulings["P67"] == "own_turn_too"
        and "P67" in scenario.rulings
        and shooter.side == state.mover
        and shooter.unit.id == "mg_jeep"
        and state.clock.phase not in CLOSE_PHASES
    )
