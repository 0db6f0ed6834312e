"""What follows from a shot that was fired: its line in the journal, the counters and the hex after
it, and the questions that it raises. Names such as I5 are boxes of the charts.
"""

from __future__ import annotations

import msgspec

from skirmish.games.gts import combat, units
from skirmish.games.gts.combat import ShotFacts, ShotOutcome
from skirmish.games.gts.events import AnyEvent, ShotFired
from skirmish.games.gts.fire_results import RUNNING, inflicted
from skirmish.games.gts.rolls import HIGHEST_ROLL
from skirmish.games.gts.ruleset import ASSAULT_MODES, Mode
from skirmish.games.gts.state import PHONE_LINES, GtsState, beach_track
from skirmish.games.gts.units import ARTILLERY, COASTAL, Marker
from skirmish.tabletop.companion import events
from skirmish.tabletop.companion.counter_events import counters_set
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.table_state import Task


class FiredShot(msgspec.Struct, frozen=True, kw_only=True):
    """A shot with its roll."""

    text: str
    """Who fired at whom, in words."""
    facts: ShotFacts
    firer: Counter | None
    """The unit that fired; None if it was no unit, such as the nests of a beach."""
    target: Counter | None
    """The unit that was fired at; None for a unit that is not entered, and for an empty hex."""
    place: str
    """The hex that was fired at; empty if nobody has written it down."""
    sees: bool
    """Whether a coastal battery or a ship saw its target itself."""
    beach_of_ship: str
    """The beach off which the ship lies that fired; empty for all others."""
    roll: int
    outcome: ShotOutcome
    barrage: combat.Barrage | None
    """The barrage that it leaves; None if it leaves none."""
    bonus_for_second_shot: bool | None
    """After the first shot of a unit in an assault, whether it had the company bonus, which counts
    for its second shot, too; None after any other."""

    @property
    def is_indirect(self) -> bool:
        """Whether it was indirect fire."""
        return self.facts.mode == "indirect"


def events_of_fired_shot(state: GtsState, shot: FiredShot) -> list[AnyEvent]:
    """The shot in the journal, the counters after it, the open questions, the map."""
    changed: dict[str, Counter] = {}
    if shot.firer is not None:
        is_highest_roll = shot.roll == HIGHEST_ROLL
        changed[shot.firer.id] = firer_after(
            shot.firer, shot.facts.mode, sees=shot.sees, is_highest_roll=is_highest_roll
        )
    changed |= _target_stack_after(state, shot)
    result = _result_on_target(state, shot, changed)
    if result.unit is not None:
        changed[result.unit.id] = result.unit
    happenings: list[AnyEvent] = [_shot_event(shot)]
    happenings += counters_set(state, changed.values())
    if result.tasks:
        happenings.append(events.TasksSet(tasks=tuple(result.tasks)))
    return [*happenings, *_events_on_map(state, shot)]


def _shot_event(shot: FiredShot) -> AnyEvent:
    """The shot as the journal has it."""
    firer_id = ""
    if shot.firer is not None:
        firer_id = shot.firer.id
    return ShotFired(
        text=shot.text,
        sum=shot.outcome.sum,
        firer=firer_id,
        bonus=shot.bonus_for_second_shot,
        roll=shot.roll,
        hit=bool(shot.outcome.hit),
        result=shot.outcome.result or "",
        barrage=shot.barrage or "",
    )


# ------------------------------------------------------------------ the firer


def firer_after(firer: Counter, mode: Mode, *, sees: bool, is_highest_roll: bool) -> Counter:
    """The firer after its shot. Opportunity fire has a marker of its own, and a shot in an assault
    has none, since it is a part of that action. After any other the firer has acted, and its park
    is on the fired side (I5). It is out of contact after a 9 (I8), or where a battery saw its
    target itself (I3)."""
    if mode == "op":
        return firer.marked(Marker.FIRED_OP)
    if mode in ASSAULT_MODES:
        return firer
    after = units.after_action(firer)
    if mode != "indirect":
        return after
    if after.has(Marker.IN_PARK):
        after = after.marked(Marker.PARK_FIRED)
    is_battery_that_sees = sees and firer.kind == COASTAL
    loses_contact_by_roll = is_highest_roll and firer.kind in (ARTILLERY, COASTAL)
    if is_battery_that_sees or loses_contact_by_roll:
        after = units.out_of_contact(after)
    return after


# ------------------------------------------------------------------ the target and its hex


def _target_stack(state: GtsState, target: Counter | None) -> tuple[Counter, ...]:
    """The units in the hex of the target, the target as it was just read off its counter."""
    if target is None:
        return ()
    stack = {unit.id: unit for unit in state.stack(target)}
    stack[target.id] = target
    return tuple(stack.values())


def _target_stack_after(state: GtsState, shot: FiredShot) -> dict[str, Counter]:
    """The units in the hex of the target, by id, before the result of the shot is inflicted: under
    the barrage, or out of the park that direct fire breaks up (D5)."""
    after = {}
    for unit in _target_stack(state, shot.target):
        if not shot.is_indirect:
            after[unit.id] = units.broken_up(unit)
        elif shot.barrage is not None:
            after[unit.id] = _under_barrage(unit, shot.barrage)
        else:
            after[unit.id] = unit
    return after


def _under_barrage(unit: Counter, barrage: combat.Barrage) -> Counter:
    """A unit on whose hex a barrage falls. A light one does not replace a heavy one."""
    is_heavy = barrage == "heavy" or unit.has(Marker.HEAVY_BARRAGE)
    if is_heavy:
        return unit.remarked(on=[Marker.HEAVY_BARRAGE], off=[Marker.LIGHT_BARRAGE])
    return unit.marked(Marker.LIGHT_BARRAGE)


class ResultOnTarget(msgspec.Struct, frozen=True):
    """The target after the result of a shot, None if it has not changed; and the questions that the
    result raises."""

    unit: Counter | None = None
    tasks: list[Task] = []


def _result_on_target(
    state: GtsState, shot: FiredShot, changed: dict[str, Counter]
) -> ResultOnTarget:
    """The target after the result, from its counter in ``changed``. A result that is not on the
    card yet is asked for first."""
    if not shot.outcome.hit:
        return ResultOnTarget()
    others = _others_under_fire(state, shot)
    result = shot.outcome.result
    if result is None:
        return ResultOnTarget(tasks=[_look_up_task(shot, others)])
    if shot.target is None:
        return ResultOnTarget()
    effect = inflicted(changed[shot.target.id], result, others, runs=shot.facts.running)
    return ResultOnTarget(effect.unit, effect.tasks)


def _look_up_task(shot: FiredShot, others: tuple[str, ...]) -> Task:
    """The question for a result that the owner reads off his card. ``others``: who else in the hex
    is under fire."""
    under_fire: tuple[str, ...] = ()
    if shot.target is not None:
        under_fire = (shot.target.id, *others)
    # In a question about fire, the place says only whether the target runs.
    place = ""
    if shot.facts.running:
        place = RUNNING
    return Task(
        kind="look_up",
        units=under_fire,
        table=shot.outcome.table,
        column=shot.outcome.color,
        roll=shot.roll,
        place=place,
    )


def _others_under_fire(state: GtsState, shot: FiredShot) -> tuple[str, ...]:
    """The ids of the other units in the hex, which take an S? after effective indirect fire of
    anything but a mortar (I12, I13). Leaders take none."""
    if shot.firer is None or shot.target is None or not shot.is_indirect:
        return ()
    # The kind of a unit is the id of the color of its fire rating.
    if state.rules.colors[shot.firer.kind].mortar:
        return ()
    others = []
    for unit in _target_stack(state, shot.target):
        if unit.id != shot.target.id and not units.leads(unit):
            others.append(unit.id)
    return tuple(others)


# ------------------------------------------------------------------ the map


def _events_on_map(state: GtsState, shot: FiredShot) -> list[AnyEvent]:
    """The barrage on the hex, and the telephone lines of a beach that the 0 of a ship cuts
    (N10)."""
    happenings: list[AnyEvent] = []
    # A light barrage does not replace a heavy one.
    has_heavy_barrage = Marker.HEAVY_BARRAGE in state.ground.get(shot.place, ())
    if shot.place and shot.barrage is not None and not has_heavy_barrage:
        marker = Marker.LIGHT_BARRAGE
        if shot.barrage == "heavy":
            marker = Marker.HEAVY_BARRAGE
        happenings.append(events.MapSeen(ground={shot.place: (marker,)}))
    lines = beach_track(shot.beach_of_ship, PHONE_LINES)
    if shot.roll == 0 and shot.beach_of_ship and lines in state.tracks:
        happenings.append(events.TrackSet(track=lines, value=0, why="a 0 cuts them"))
    return happenings
