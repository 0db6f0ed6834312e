"""An order to fire, held against the rules: who fires what at whom, what it needs, what forbids it.

Every question the screen asks before a shot is answered here, by the same functions that decide.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from skirmish.games.plastic.battle.agenda import RepeatAsk, Shooting
from skirmish.games.plastic.battle.names import piece_side, weapon_slot
from skirmish.games.plastic.battle.orders import Again, Fire, Volley
from skirmish.games.plastic.battle.readiness import (
    advice_against,
    barred,
    check_ledger,
    check_volley,
    reach_of,
    who_fires,
)
from skirmish.games.plastic.battle.rows import Row, named
from skirmish.games.plastic.battle.setup import BROKEN_INTO
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.catalog import UnitType, Weapon, a_unit
from skirmish.games.plastic.rules.shot import (
    CLOSE_PHASES,
    Aim,
    Circumstances,
    Shot,
    aim,
    weapon_named,
    why_not,
)
from skirmish.tabletop.refusal import Refusal, Refused, nonsense

TOGGLES = ("cover", "hull_down", "rear", "close", "grouped", "apart")


class Prepared(msgspec.Struct, frozen=True, kw_only=True):
    """A shot that can be fired. ``advice`` is what the rules say against it, if anything.

    Of a volley it is the first shot; ``pieces`` are all who fire, at ``reach`` men or models.
    """

    shooting: Shooting
    side: str
    shot: Shot
    aim: Aim
    advice: Refusal | None
    pieces: tuple[str, ...] = ()
    reach: int = 1


def prepare(state: State, order: Fire) -> Prepared:
    """Everything about the shot that ``order`` asks for; raises Refused if it makes no sense.

    Advice (already fired, not this side's phase, only in contact, not yet on the table) does not
    stop it here: ``decide`` refuses it unless the order insists.
    """
    shooter, target = named(state, order.shooter), named(state, order.target)
    if shooter.side == target.side:
        raise nonsense("own_side", "They are on the same side.")
    if not shooter.alive and not shooter.ready_count:
        raise nonsense("nobody_left", f"No {shooter.unit.name} is left to fire.")
    if not target.alive:
        raise nonsense("nobody_there", f"No {target.unit.name} is left to fire at.")
    check_ledger(state, shooter)
    if isinstance(order, Volley):
        check_volley(order, shooter, target)
    weapon, slot = choose_weapon(state, shooter, target, order)
    count = order.count if isinstance(order, Volley) else 1
    pieces = who_fires(state, shooter, slot, count)
    at = circumstances(state, order)
    shot = Shot(
        shooter=fights_as(state, shooter.unit),
        weapon=weapon,
        target=fights_as(state, target.unit),
        at=at,
        nation=state.nation_of(shooter.side),
    )
    catalog, rulings = state.setup.catalog, state.setup.rulings
    refusal = why_not(shot, catalog, rulings) or barred(state, shooter, target)
    if refusal and refusal.firm:
        raise Refused(refusal)
    return Prepared(
        shooting=Shooting(
            id=state.shots + 1,
            piece=pieces[0],
            slot=slot,
            weapon=weapon.id if weapon else "",
            target=target.key,
            first=target.key,
            at=at,
        ),
        side=shooter.side,
        shot=shot,
        aim=aim(shot, catalog, rulings),
        advice=advice_against(state, shooter, target, slot, count) or refusal,
        pieces=pieces,
        reach=reach_of(order, target),
    )


def prepare_again(state: State, ask: RepeatAsk, order: Again) -> Prepared:
    """The repeat shot that is open; raises Refused where it makes no sense."""
    before = ask.shot
    side = piece_side(before.piece)
    target = named(state, order.target or before.target)
    if target.side == side:
        raise nonsense("own_side", "They are on the same side.")
    if not target.unit.is_guy:
        says = f"Repeat fire must be at another guy, not {a_unit(target.unit.name)}."
        raise Refused(Refusal("not_a_guy", says, "Repeat Firing", True))
    if not target.on_foot:
        left = "on the table and in the open" if target.alive else "left to fire at"
        raise nonsense("nobody_there", f"No {target.unit.name} is {left}.")
    unit = state.setup.unit(state.unit_of(before.piece))
    weapon = state.setup.catalog.weapons[before.weapon]
    at = msgspec.structs.replace(
        before.at,
        cover=order.cover,
        grouped=order.grouped,
        touching=False,
        distance=distance(state, order.close),
    )
    shot = Shot(
        shooter=fights_as(state, unit),
        weapon=weapon,
        target=fights_as(state, target.unit),
        at=at,
        nation=state.nation_of(side),
    )
    return Prepared(
        shooting=msgspec.structs.replace(
            before, id=state.shots + 1, target=target.key, at=at, nth=before.nth + 1
        ),
        side=side,
        shot=shot,
        aim=aim(shot, state.setup.catalog, state.setup.rulings),
        advice=None,
    )


def choose_weapon(
    state: State, shooter: Row, target: Row, order: Fire
) -> tuple[Weapon | None, int]:
    """The weapon named, or the best for this target among those that can still fire. With it the
    slot: of two machineguns the one that is still ready."""
    if not shooter.weapons:
        return None, 0
    setup = state.setup
    slots = list(range(len(shooter.weapons)))
    if order.weapon is not None:
        named = weapon_named(shooter.unit, order.weapon, setup.catalog, setup.rulings)
        slots = [slot for slot in slots if named and shooter.weapons[slot].id == named.id]
        if not slots:
            says = f"{a_unit(shooter.unit.name, 'A')} has no {order.weapon}."
            raise Refused(Refusal("no_weapon", says, "Firing", True))

    def rank(slot: int) -> tuple[bool, bool, bool, int]:
        weapon = shooter.weapons[slot]
        shot = Shot(
            shooter=fights_as(state, shooter.unit),
            weapon=weapon,
            target=fights_as(state, target.unit),
            at=circumstances(state, order),
            nation=state.nation_of(shooter.side),
        )
        refusal = why_not(shot, setup.catalog, setup.rulings)
        if refusal and refusal.firm:
            return (False, False, False, 0)
        needs = aim(shot, setup.catalog, setup.rulings).needs
        works = any(weapon_slot(p, slot) not in state.disarmed for p in shooter.alive)
        return (refusal is None, bool(shooter.ready[slot]), works, needs)

    best = max(slots, key=rank)
    if isinstance(order, Volley):  # of two machineguns the one that more of them have left
        same = [slot for slot in slots if shooter.weapons[slot] == shooter.weapons[best]]
        best = max(same, key=lambda slot: min(len(shooter.ready[slot]), order.count))
    weapon = shooter.weapons[best]
    if "sniper" in shooter.unit.tags and not state.options.snipers:
        weapon = setup.catalog.weapons[setup.unit(BROKEN_INTO).weapons[0]]
    return weapon, best


def circumstances(state: State, order: Fire) -> Circumstances:
    """What the order says of the moment. Inches are not asked: a shot is in range, and over 3 in
    unless ``close``; in phases 3 and 4 it is in contact unless ``apart`` (P48)."""
    phase = state.clock.phase
    touching = phase in CLOSE_PHASES and not order.apart
    return Circumstances(
        distance=0 if touching else distance(state, order.close),
        touching=touching,
        phase=phase,
        cover=order.cover,
        hull_down=order.hull_down and state.options.hull_down,
        rear=order.rear and state.options.rear_armor,
        grouped=order.grouped,
    )


def fights_as(state: State, unit: UnitType) -> UnitType:
    """A unit as this battle plays it: without the option, snipers are riflemen ("Sniper Guys")."""
    if "sniper" in unit.tags and not state.options.snipers:
        return state.setup.unit(BROKEN_INTO)
    return unit


def prepared(state: State, order: Fire | Again) -> Prepared:
    """The shot of either order; raises Refused where it makes no sense."""
    if isinstance(order, Fire):
        return prepare(state, order)
    if not isinstance(state.ask, RepeatAsk):
        raise nonsense("no_repeat", "There is no repeat shot to take.")
    return prepare_again(state, state.ask, order)


def same_again(state: State) -> Again | None:
    """The open repeat shot at the same row under the same circumstances, or None."""
    if not isinstance(state.ask, RepeatAsk):
        return None
    shot = state.ask.shot
    near = state.setup.catalog.fire.exact_within
    close = not shot.at.touching and shot.at.distance <= near
    return Again(target=shot.target, cover=shot.at.cover, close=close, grouped=shot.at.grouped)


def offered(state: State, order: Fire | Again) -> list[str]:
    """The toggles that could change this shot: those, and only those, are worth asking."""
    return list(_offered(state, order))


def _offered(state: State, order: Fire | Again) -> Iterator[str]:
    for toggle in TOGGLES:
        if not hasattr(order, toggle):
            continue
        if toggle == "apart" and state.setup.rulings["P48"] == "touched_only":
            continue
        flipped = msgspec.structs.replace(order, **{toggle: not getattr(order, toggle)})
        try:
            before, after = prepared(state, order), prepared(state, flipped)
        except Refused:
            continue
        if before.aim != after.aim or before.advice != after.advice:
            yield toggle


def distance(state: State, close: bool) -> float:
    """Within 3 in, or just over: less than any weapon's range, and all that a shot depends on."""
    near = state.setup.catalog.fire.exact_within
    return float(near if close else near + 1)
