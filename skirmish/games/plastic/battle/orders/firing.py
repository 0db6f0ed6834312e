"""Fire: who fires what at whom, what it needs, what forbids it, and how it is declared.

Every question the screen asks before a shot is answered here, by the same functions that decide.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.battle import agenda, events
from skirmish.games.plastic.battle.agenda import Agenda, Shooting
from skirmish.games.plastic.battle.names import piece_side, row_side, row_unit, weapon_slot
from skirmish.games.plastic.battle.orders.resolution import Order, Resolution
from skirmish.games.plastic.battle.rows import Row, fights_as, named, row_of
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
MOST_IN_REACH = 99
"""A group may hold men of other rows too, so its size is not that of the row aimed at."""


# ------------------------------------------------------------------ orders


class Fire(Order, frozen=True, kw_only=True, tag="fire"):
    """``close``: within 3 in. ``grouped``: the man aimed at touches friends. ``apart``: in phases 3
    and 4, at someone not in contact (P48)."""

    shooter: str
    target: str
    weapon: str | None = None
    cover: bool = False
    hull_down: bool = False
    rear: bool = False
    close: bool = False
    grouped: bool = True
    apart: bool = False
    insist: bool = False

    def carry_out(self, run: Resolution) -> None:
        """A machine gun's op fire owes a pin draw after its whole chain (P55)."""
        shot = prepare(run.state, self)
        declare(run, shot, self._overruled(shot), pin_owed(run.state, shot, 1))
        run.go_on()

    def _overruled(self, shot: Prepared) -> str:
        """The advice that is set aside. Raises Refused where it is not."""
        if shot.advice and not self.insist:
            raise Refused(shot.advice)
        return shot.advice.says if shot.advice else ""


class Volley(Fire, frozen=True, kw_only=True, tag="volley"):
    """``count`` of a row fire at a group with ``reach`` men in it (None: all that the row has; of
    models, one). Whoever finds nobody left to hit has not fired."""

    count: int
    reach: int | None = None

    def carry_out(self, run: Resolution) -> None:
        shot = prepare(run.state, self)
        overruled = self._overruled(shot)
        task = agenda.ToVolley(
            shot=shot.shooting,
            pieces=shot.pieces,
            reach=shot.reach,
            pins=bool(pin_owed(run.state, shot, 1)),
        )
        run.emit(
            events.Volleyed(
                side=shot.side,
                shooter=row_of(run.state, shot.shooting.piece),
                target=shot.shooting.target,
                weapon=shot.shooting.weapon,
                count=len(shot.pieces),
                reach=shot.reach,
                needs=shot.aim.needs,
                overruled=overruled,
                then=(task,),
            )
        )
        run.go_on()


class Again(Order, frozen=True, kw_only=True, tag="again"):
    when = "answer"
    in_journal = "goes on"

    target: str | None = None
    cover: bool = False
    close: bool = False
    grouped: bool = True

    def carry_out(self, run: Resolution) -> None:
        shot = prepared(run.state, self)
        declare(run, shot, "", pin_owed_after(run.state, shot, run.rest))
        run.go_on()


class Hold(Order, frozen=True, tag="hold"):
    when = "answer"
    in_journal = "goes on"

    def carry_out(self, run: Resolution) -> None:
        if not isinstance(run.state.ask, agenda.RepeatAsk):
            raise nonsense("no_repeat", "There is no repeat shot to take.")
        run.emit(events.Held(then=run.rest))
        run.go_on()


def declare(
    run: Resolution,
    shot: Prepared,
    overruled: str,
    then: Agenda,
) -> None:
    """A shot is declared, its weapon used; who fires from hiding is seen (P69)."""
    shooting = shot.shooting
    if shooting.piece in run.state.hidden:
        run.emit(events.Revealed(pieces=(shooting.piece,)))
    run.emit(
        events.Aimed(
            shot=shooting,
            side=shot.side,
            needs=shot.aim.needs,
            overruled=overruled,
            then=(agenda.ToJudge(shot=shooting), *then),
        )
    )


# ------------------------------------------------------------------ a shot worked out


class Prepared(msgspec.Struct, frozen=True, kw_only=True):
    """``advice`` is what the rules say against it. Of a volley it is the first shot; ``pieces`` are
    all who fire."""

    shooting: Shooting
    side: str
    shot: Shot
    aim: Aim
    advice: Refusal | None
    pieces: tuple[str, ...] = ()
    reach: int = 1


def prepare(state: State, order: Fire) -> Prepared:
    """Raises Refused if the shot makes no sense; advice does not stop it here."""
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
    shot = shot_of(
        state, shooter.side, shooter=shooter.unit, weapon=weapon, target=target.unit, at=at
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


def prepare_again(state: State, ask: agenda.RepeatAsk, order: Again) -> Prepared:
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
    unit = state.unit(before.piece)
    weapon = state.setup.catalog.weapons[before.weapon]
    at = replace(
        before.at,
        cover=order.cover,
        grouped=order.grouped,
        touching=False,
        distance=distance(state, order.close),
    )
    shot = shot_of(state, side, shooter=unit, weapon=weapon, target=target.unit, at=at)
    return Prepared(
        shooting=replace(before, id=state.shots + 1, target=target.key, at=at, nth=before.nth + 1),
        side=side,
        shot=shot,
        aim=aim(shot, state.setup.catalog, state.setup.rulings),
        advice=None,
    )


def choose_weapon(
    state: State, shooter: Row, target: Row, order: Fire
) -> tuple[Weapon | None, int]:
    """The weapon named, or the best for this target among those that can still fire, and its
    slot."""
    if not shooter.weapons:
        return None, 0
    setup = state.setup
    at = circumstances(state, order)
    slots = list(range(len(shooter.weapons)))
    if order.weapon is not None:
        named = weapon_named(shooter.unit, order.weapon, setup.catalog, setup.rulings)
        slots = [slot for slot in slots if named and shooter.weapons[slot].id == named.id]
        if not slots:
            says = f"{a_unit(shooter.unit.name, 'A')} has no {order.weapon}."
            raise Refused(Refusal("no_weapon", says, "Firing", True))

    def rank(slot: int) -> tuple[bool, bool, bool, int]:
        weapon = shooter.weapons[slot]
        shot = shot_of(
            state, shooter.side, shooter=shooter.unit, weapon=weapon, target=target.unit, at=at
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
    """Inches are not asked: a shot is in range, and over 3 in unless ``close``; in phases 3 and 4
    it is in contact unless ``apart`` (P48)."""
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


def shot_of(
    state: State,
    side: str,
    *,
    shooter: UnitType,
    weapon: Weapon | None,
    target: UnitType,
    at: Circumstances,
) -> Shot:
    return Shot(
        shooter=fights_as(state, shooter),
        weapon=weapon,
        target=fights_as(state, target),
        at=at,
        nation=state.nation_of(side),
    )


def aim_of(state: State, shot: Shooting) -> Aim:
    setup = state.setup
    shooter, target = state.unit(shot.piece), setup.unit(row_unit(shot.target))
    weapon = setup.catalog.weapons[shot.weapon]
    side = piece_side(shot.piece)
    whole = shot_of(state, side, shooter=shooter, weapon=weapon, target=target, at=shot.at)
    return aim(whole, setup.catalog, setup.rulings)


def prepared(state: State, order: Fire | Again) -> Prepared:
    """The shot of either order; raises Refused where it makes no sense."""
    if isinstance(order, Fire):
        return prepare(state, order)
    if not isinstance(state.ask, agenda.RepeatAsk):
        raise nonsense("no_repeat", "There is no repeat shot to take.")
    return prepare_again(state, state.ask, order)


def same_again(state: State) -> Again | None:
    """The open repeat shot at the same row under the same circumstances."""
    if not isinstance(state.ask, agenda.RepeatAsk):
        return None
    shot = state.ask.shot
    near = state.setup.catalog.fire.exact_within
    close = not shot.at.touching and shot.at.distance <= near
    return Again(target=shot.target, cover=shot.at.cover, close=close, grouped=shot.at.grouped)


def offered(state: State, order: Fire | Again) -> list[str]:
    """The toggles that could change this shot."""
    return list(_offered(state, order))


def _offered(state: State, order: Fire | Again) -> Iterator[str]:
    for toggle in TOGGLES:
        if not hasattr(order, toggle):
            continue
        if toggle == "apart" and state.setup.rulings["P48"] == "touched_only":
            continue
        flipped = replace(order, **{toggle: not getattr(order, toggle)})
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


# ------------------------------------------------------------------ who may fire


def who_fires(state: State, shooter: Row, slot: int, count: int) -> tuple[str, ...]:
    """The lowest codes that are ready, those on foot first and those in hiding after those in
    sight; then those who would fire twice."""
    first = frozenset(shooter.ready[slot] if slot < len(shooter.ready) else ())
    chosen = sorted(
        shooter.ready_with(slot),
        key=lambda piece: (piece not in first, state.rides(piece), piece in state.hidden),
    )
    everybody = dict.fromkeys((*chosen, *shooter.here, *shooter.alive))
    return tuple(everybody)[:count]


def reach_of(order: Fire, target: Row) -> int:
    if not isinstance(order, Volley):
        return 1
    if order.reach is None:
        return max(len(target.on_foot), 1) if target.unit.is_guy else 1
    return order.reach


def advice_against(
    state: State, shooter: Row, target: Row, slot: int, count: int
) -> Refusal | None:
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
    if slot < len(shooter.ready) and len(shooter.ready_with(slot)) < count:
        return _not_ready(state, shooter, slot, count)
    return None


def _not_ready(state: State, shooter: Row, slot: int, count: int) -> Refusal:
    clock, name, armed = state.clock, shooter.unit.name, shooter.weapons[slot].name
    ready = len(shooter.ready_with(slot))
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


def barred(state: State, shooter: Row, target: Row) -> Refusal | None:
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
    if state.levels[shooter.side] == "ledger":
        the = state.setup.the(shooter.side, "The")
        says = f"{the} record losses only: - takes off casualties, I changes that."
        raise nonsense("ledger", says)


def check_volley(order: Volley, shooter: Row, target: Row) -> None:
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


# ------------------------------------------------------------------ pin draws that are owed


def pin_owed(state: State, shot: Prepared, times: int) -> Agenda:
    """Whether the pin test follows: op fire of what fires as a machine gun at guys ("Pinning")."""
    pins = shot.shot.weapon is not None and shot.shot.weapon.pins
    op_fire = state.clock.phase == 1 and shot.side != state.mover
    if not (state.options.pinning and pins and op_fire and shot.aim.at_guy):
        return ()
    lone = not shot.shooting.at.grouped or "sniper" in shot.shot.target.tags
    return (
        agenda.ToCheck(check="pin", side=row_side(shot.shooting.target), times=times, lone=lone),
    )


def pin_owed_after(state: State, shot: Prepared, then: Agenda) -> Agenda:
    """The agenda behind a repeat shot; with P55 per_shot it owes a draw of its own."""
    owed = pin_owed(state, shot, 1)
    if not owed or not isinstance(owed[0], agenda.ToCheck):
        return then
    for at, task in enumerate(then):
        if isinstance(task, agenda.ToCheck) and task.check == "pin":
            each_shot = state.setup.rulings["P55"] == "per_shot"
            more = replace(task, times=task.times + each_shot, lone=task.lone and owed[0].lone)
            return (*then[:at], more, *then[at + 1 :])
    return (*owed, *then)
