"""The orders of units but fire: actions, checks, engineer works; and what fire does to them.

An order returns its events: ``action_events`` those of acting under the chit in play,
``counters_set`` those of the counters that have changed. What only seems odd is refused by
``advise``, which the players may overrule. Names such as A4 are boxes of the charts, such as G13
rulings.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar, NamedTuple

import msgspec
from msgspec.structs import replace

from skirmish.games.gts import combat, orders, units
from skirmish.games.gts import state as gts_state
from skirmish.games.gts.orders import GtsOrder, unit_of
from skirmish.games.gts.state import AnyEvent, GtsState
from skirmish.games.gts.units import (
    ARTILLERY,
    COASTAL,
    DEDICATED,
    Marker,
    busy,
    cohesion_hit,
    commanded,
)
from skirmish.tabletop.companion import events
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.events import Task, counters_set, evolved
from skirmish.tabletop.companion.result_table import Shift, Sum
from skirmish.tabletop.companion.table_game import spent
from skirmish.tabletop.companion.typed_tables import TypeCell, typed_values
from skirmish.tabletop.refusal import nonsense, not_asked

LIMITED_WORKS = {"block": "road blocks", "unblock": "road blocks", "rearguard": "rearguards"}
"""Works that take one of so many markers of a division or formation, or bring one back."""
LEAVES_POSITION = ("move", "column", "mount", "assault")
"""Actions with which a unit gives up its improved position, before anybody fires at it (G22)."""
TOGGLED_MARKERS = {"column": Marker.IN_COLUMN, "works": Marker.ENTRENCHED}
"""Markers that an action puts on or takes off."""
BARRING_MARKERS = {
    "column": (Marker.ENTRENCHED,),
    "works": (Marker.IN_COLUMN,),
    "assault": (Marker.SUPPRESSED, Marker.ENTRENCHED, Marker.HEAVY_BARRAGE),
}
"""Markers that forbid an action."""
RUNNING = "running"
"""Stands in the ``place`` of a question about a unit that runs from an assault: it may take no
check against suppression (G16). Stored games have it there."""


# ------------------------------------------------------------------ actions


class Act(GtsOrder, frozen=True, kw_only=True, tag="act"):
    """An action without a roll."""

    unit: str
    action: str
    hit: bool = False
    """Whether it leaves column with a cohesion hit."""
    place: str | None = None
    """The hex that it moves to; None where nobody writes hexes down."""
    joins: bool = False
    """Whether it joins the artillery park of the hex that it moves to."""
    out: bool = False
    """Whether the unit is out of command."""

    @property
    def acting(self) -> tuple[str, ...]:
        return (self.unit,)

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        unit = unit_of(state, self.unit)
        rule = state.rules.actions[self.action]
        self.advise(why_no_action(state, unit, self.action))
        if self.joins:
            why = self.why_not_join(state, unit)
            if why:
                raise nonsense("no_park", why)
        # What it costs under the present chit, and that the unit has acted.
        taken = self.action_events(state, unit, rule.kind, rule.name.lower(), out=self.out)
        after = self._unit_after(state, unit)
        # Out of a heavy barrage it comes only with a check, which is asked next.
        leaves_heavy_barrage = self.action == "move" and unit.has(Marker.HEAVY_BARRAGE)
        asked: list[AnyEvent] = []
        if after.steps and leaves_heavy_barrage:
            leave = Task(kind="leave", units=(unit.id,), place=self.place or "")
            asked.append(events.TasksSet(tasks=(leave,)))
        elif after.steps and self.action == "move":
            after = _out_of_hex(after, self.place)
            if self.joins:
                after = units.parked(after)
        changed = counters_set(state, [after, *leaders_along(state, unit, after)])
        return [*taken, *changed, *asked]

    def _unit_after(self, state: GtsState, unit: Counter) -> Counter:
        """The unit with the markers of the action, and with the cohesion hits that it takes."""
        after = busy(unit)  # it has acted, and goes on with no other action
        if self.action in LEAVES_POSITION:
            after = after.marked(Marker.IMPROVED, on=False)
        toggled = TOGGLED_MARKERS.get(self.action)
        if toggled:
            after = after.marked(toggled, not unit.has(toggled))
        for _ in range(self._cohesion_hits(state, unit)):
            after = cohesion_hit(after)
        return after

    def _cohesion_hits(self, state: GtsState, unit: Counter) -> int:
        """The cohesion hits of the action: for leaving column (``hit``), for a move out of a heavy
        barrage and for one out of an overstacked hex (G13)."""
        hits = int(self.hit)
        if self.action == "move":
            hits += int(unit.has(Marker.HEAVY_BARRAGE))
            hits += int(state.overstacked(unit))
        return hits

    def why_not_join(self, state: GtsState, unit: Counter) -> str:
        """Why it does not join a park in the hex that it enters; empty if it may."""
        if unit.kind != ARTILLERY:
            return f"{unit.name} is no indirect high explosive."
        if not state.has_park(unit, self.place or unit.place):
            return "Its division has no artillery park there."
        return ""


def _out_of_hex(unit: Counter, place: str | None) -> Counter:
    """The unit out of its hex. Where nobody writes hexes down it stays without one."""
    bare = unit.remarked(off=(Marker.LIGHT_BARRAGE, Marker.HEAVY_BARRAGE, Marker.ENTRY_HEX))
    if place is None:
        return bare
    return replace(bare, place=place)


def leaders_along(state: GtsState, unit: Counter, after: Counter) -> list[Counter]:
    """The leaders who go with a unit as it moves, since no other one stays with them (Stacking);
    ``after`` is the unit where it moves to."""
    if after.place == unit.place or not after.steps:
        return []
    stack = [stacked for stacked in state.stack(unit) if stacked.id != unit.id]
    if any(not units.leads(stacked) for stacked in stack):
        return []
    return [_out_of_hex(leader, after.place) for leader in stack]


def why_no_action(state: GtsState, unit: Counter, action: str) -> str:
    """What speaks against an action, as far as markers and ratings are entered; empty if nothing
    does."""
    for marker in BARRING_MARKERS.get(action, ()):
        if unit.has(marker):
            return f"{unit.name} has the marker {marker}; that forbids it."
    if action != "assault":
        return ""
    # A2, what each assaulting unit has to meet. A rating of None is printed as none.
    if unit.kind in combat.NEVER_ASSAULT:
        return combat.no_assault(unit.kind)
    if not units.steps_of(unit) or unit.ratings.get("assault", 0) is None:
        return f"{unit.name} has no step or no assault rating."
    if state.overstacked(unit):
        return f"The hex of {unit.name} is overstacked."
    return ""


# ------------------------------------------------------------------ checks


class CheckMade(NamedTuple):
    """The events of a check, with what was typed for it, and whether it passes."""

    events: list[AnyEvent]
    passed: bool


class UnitCheck(GtsOrder, frozen=True, kw_only=True):
    """A troop quality check of a unit. ``out``: it is out of command; ``spend``: a command point
    passes the check without a roll. ``rating`` and ``values`` are what was typed for it, the
    ``rating`` None where the counter was read before; ``numbers`` is the player's own roll."""

    unit: str = ""
    out: bool = False
    spend: bool = False
    rating: int | None = None
    values: dict[str, int] = msgspec.field(default_factory=dict)
    numbers: tuple[int, ...] = ()
    why: ClassVar[str] = "troop quality"
    """What the check is for, in words."""
    bought: ClassVar[bool] = True
    """Whether a command point may pass it (G2)."""
    rates: ClassVar[tuple[str, ...]] = ("tq",)
    """The ratings that are checked."""
    added: ClassVar[str] = "markers"
    """What ``extra_modifier`` counts, in the words of the explanation."""

    @property
    def acting(self) -> tuple[str, ...]:
        return (self.unit,)

    def who(self, state: GtsState) -> Counter:
        """The unit, with the troop quality that was just read off its counter."""
        unit = unit_of(state, self.unit)
        if self.rating is None:
            return unit
        return replace(unit, ratings={**unit.ratings, "tq": self.rating})

    def extra_modifier(self, unit: Counter) -> int:
        """What else counts: markers that add up."""
        return 0

    def sure(self, state: GtsState) -> bool:
        """Whether no roll is needed."""
        return self.spend

    def sum(self, state: GtsState) -> Sum:
        """The number that is needed, with its reasons."""
        unit = self.who(state)
        facts = units.check_of(unit, out=self.out, more=self.extra_modifier(unit))
        tables = state.tables.with_values(self.values)
        return combat.check_sum(tables, state.rules, facts, added=self.added)

    def chance(self, state: GtsState, total: Sum) -> Fraction:
        """The chance of passing the check."""
        passing = [roll for roll in combat.ROLLS if self.passes(state, total, roll)]
        return Fraction(len(passing), len(combat.ROLLS))

    def why_not_spend(self, state: GtsState) -> str:
        """Why no command point passes it; empty if one does."""
        return orders.why_not_spend(state, self.who(state), out=self.out, listed=self.bought)

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        return self.checked(state).events

    def checked(self, state: GtsState, before: Sequence[AnyEvent] = ()) -> CheckMade:
        """The check after the events ``before`` it."""
        state = evolved(state, before)
        unit, total = self.who(state), self.sum(state)
        typed = [*counters_set(state, [unit]), *typed_values(self.values)]
        if self.spend:
            why = self.why_not_spend(state)
            if why:
                raise nonsense("no_spending", why)
            cost = orders.paid(state, unit, self.why)
            passed = gts_state.Checked(unit=unit.id, why=self.why, sum=total, passed=True)
            return CheckMade([*typed, *cost, passed], passed=True)
        if unit.missing(self.rates) or total.missing:
            raise nonsense("no_value", f"Type the troop quality of {unit.name} first.")
        numbers = orders.dice(state, self.numbers)
        rolled = self.roll_check(state, unit, self.why, total, numbers)
        return CheckMade([*typed, *numbers.events, rolled], rolled.passed)


class CheckQuality(UnitCheck, frozen=True, kw_only=True, tag="check"):
    """A troop quality check by itself."""

    hit: bool = False
    """Whether a failure is a cohesion hit, as on a move of a unit with * or a force march."""

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        happenings, passed = self.checked(state)
        if self.hit and not passed:
            happenings += counters_set(state, [cohesion_hit(self.who(state))])
        return happenings


class Bravery(UnitCheck, frozen=True, kw_only=True, tag="bravery"):
    """The check of a unit that assaults out of an enemy fire zone (A4). ``theirs``: the lowest
    defense of the enemies that cover the hex, ``ours`` of the stack."""

    theirs: int
    ours: int
    why: ClassVar[str] = "bravery"
    bought: ClassVar[bool] = False
    added: ClassVar[str] = "the lowest defenses"

    def extra_modifier(self, unit: Counter) -> int:
        return self.theirs - self.ours


class Contact(UnitCheck, frozen=True, kw_only=True, tag="contact"):
    """Artillery tries to make contact with the leader of a formation (sequence of play, E.II);
    ``marker`` is the number on the visible side of its contact marker."""

    leader: str
    marker: int
    why: ClassVar[str] = "contact"
    bought: ClassVar[bool] = False
    rates: ClassVar[tuple[str, ...]] = ()

    def sum(self, state: GtsState) -> Sum:
        # The modifier is applied to the roll, so what raises the roll lowers the number it needs.
        tables = state.tables.with_values(self.values)
        total = tables.sum(self.marker, ["radio_contact"], state.rules.name)
        lines = []
        for line in total.lines:
            label = f"{line.label} ({line.value:+} on the roll)"
            lines.append(Shift(label, -line.value))
        return replace(total, lines=tuple(lines))

    def passes(self, state: GtsState, total: Sum, roll: int) -> bool:
        # It is no troop quality check: neither a 0 nor a 9 is anything special.
        return combat.is_within(roll, total.needs, literal=state.rules.literal)

    def why_not(self, state: GtsState) -> str:
        """Why that unit never makes contact with that leader; empty if it may."""
        return why_no_contact(state, unit_of(state, self.unit), self.leader)

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        unit = self.who(state)
        why = self.why_not(state)
        if why:
            raise nonsense("no_contact", why)
        if unit.kind != COASTAL and not unit.has(Marker.IN_PARK):
            self.advise(f"{unit.name} is in no artillery park; A creates one.")
        happenings, made = self.checked(state)
        if made:
            happenings += counters_set(state, [units.in_contact(unit, self.leader)])
        return happenings


def why_no_contact(state: GtsState, unit: Counter, leader: str) -> str:
    """Why a unit does not try to make contact with the leader of a formation: indirect high
    explosive and coastal batteries do, with leaders of their own side. Empty if it may."""
    if units.leads(unit):
        return f"{unit.name} is a leader; artillery makes contact with him."
    if unit.kind not in ("", ARTILLERY, COASTAL):
        return f"{unit.name} is neither indirect high explosive nor a coastal battery."
    sides = {chit.side for chit in state.chits.values() if chit.group == leader and chit.side}
    if sides and unit.side not in sides:
        return f"{unit.name} is not of the side of that leader."
    return ""


class Rally(UnitCheck, frozen=True, kw_only=True, tag="rally"):
    """A unit tries to rally; in command it succeeds at once. ``zone``: it is in an enemy fire
    zone."""

    zone: bool = False
    why: ClassVar[str] = "rally"

    def extra_modifier(self, unit: Counter) -> int:
        return unit.count(Marker.RALLYING)

    def sure(self, state: GtsState) -> bool:
        return self.spend or commanded(unit_of(state, self.unit), self.out)

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        unit = unit_of(state, self.unit)
        if commanded(unit, self.out):
            taken = self.action_events(state, unit, "rally", "rallies", out=self.out)
            return [*taken, *counters_set(state, [self._rallied(state, unit)])]
        taken = self.action_events(state, unit, "rally", out=self.out)
        checked, passed = self.checked(state, taken)
        if passed:
            after = self._rallied(state, unit)
        else:
            tries = unit.count(Marker.RALLYING) + 1
            after = busy(self.who(state)).counting(Marker.RALLYING, tries)
        return [*taken, *checked, *counters_set(state, [after])]

    def _rallied(self, state: GtsState, unit: Counter) -> Counter:
        """The unit after a rally that succeeds. By day in an enemy fire zone it loses suppression
        and nothing else; anywhere else suppression or, if it has none, a cohesion hit."""
        after = busy(self.who(state))
        if unit.has(Marker.SUPPRESSED):
            return after.marked(Marker.SUPPRESSED, on=False)
        if self.zone and not state.night:
            return after
        if unit.has(Marker.TWO_HITS):
            return after.remarked(on=[Marker.ONE_HIT], off=[Marker.TWO_HITS])
        return after.marked(Marker.ONE_HIT, on=False)


# ------------------------------------------------------------------ engineer actions


class MarkerStock(NamedTuple):
    """The markers of one kind that a division or a formation has: there are only so many."""

    owner: str
    kind: str

    @property
    def track(self) -> str:
        """The track on which the number of those left is kept."""
        return f"{self.owner} {self.kind}"


class Work(UnitCheck, frozen=True, kw_only=True, tag="work"):
    """An engineer action. ``on``: the unit that gets an improved position, itself if none is named;
    ``left``: how many markers of its kind the owner has left, if that was not known."""

    action: str
    on: str = ""
    left: int | None = None
    why: ClassVar[str] = "engineer action"
    bought: ClassVar[bool] = False

    @property
    def _at_work(self) -> str:
        """The Men at Work markers, which count for this work alone."""
        return f"{Marker.AT_WORK} {self.action}"

    def extra_modifier(self, unit: Counter) -> int:
        return unit.count(self._at_work)

    def sure(self, state: GtsState) -> bool:
        return self.spend or self._automatic(state)

    def _is_checked(self, state: GtsState) -> bool:
        """Whether there is a check, or a point is spent in its place. A point that is spent is paid
        also where the work would have succeeded without it."""
        return self.spend or not self._automatic(state)

    def _automatic(self, state: GtsState) -> bool:
        """Whether it succeeds without a check: these two works of engineers."""
        is_engineer = "engineer" in unit_of(state, self.unit).traits
        return is_engineer and self.action in ("improve", "unblock")

    def stock(self, state: GtsState) -> MarkerStock | None:
        """The markers of which it takes or brings back one; None if they are not limited. Road
        blocks are those of a division, rearguards those of a formation."""
        unit = unit_of(state, self.unit)
        kind = LIMITED_WORKS.get(self.action, "")
        owner = state.division_of(unit)
        if self.action == "rearguard":
            owner = unit.group
        if not owner or not kind:
            return None
        return MarkerStock(owner, kind)

    def why_not(self, state: GtsState) -> str:
        """What speaks against it as far as the register knows."""
        unit = unit_of(state, self.unit)
        built_for = unit_of(state, self.on or self.unit)
        is_engineer = "engineer" in unit.traits
        if self.action in ("dig", "block") and not is_engineer:
            return f"{unit.name} is no engineer."
        is_in_its_hex = built_for.id in {stacked.id for stacked in state.stack(unit)}
        if built_for.id != unit.id and not (is_engineer and is_in_its_hex):
            return "Only an engineer builds it for another unit, and for one in its hex."
        if self.action == "dig" and not self._improved_before(state, unit):
            return "There was no improved position in the hex as the activation began."
        return ""

    def _improved_before(self, state: GtsState, unit: Counter) -> bool:
        """Whether an improved position that stood in its hex as the chit was drawn still stands.
        Chits are drawn in the whole game alone; in the other scopes any position will do."""
        draws_chits = state.setup.scope == "whole"
        for worker in state.stack(unit):
            stood_before = worker.id in state.improved or not draws_chits
            if stood_before and worker.has(Marker.IMPROVED):
                return True
        return False

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        unit = unit_of(state, self.unit)
        rule = state.rules.actions[self.action]
        why = why_no_work(unit) or why_no_work(unit_of(state, self.on or self.unit))
        if why:
            raise nonsense("no_work", why)
        self.advise(self.why_not(state))
        taken = self.action_events(state, unit, "engineer", rule.name.lower())
        stock = self.stock(state)
        if stock is not None and self.left is not None:
            # The event of the boards of beaches; it also holds what an owner has left of markers.
            taken.append(gts_state.BeachSet(name=stock.owner, numbers={stock.kind: self.left}))
        # A marker that is not there is refused before anybody rolls for it.
        used = self._marker_spent(evolved(state, taken))
        checked: list[AnyEvent] = []
        passed = True
        if self._is_checked(state):
            checked, passed = self.checked(state, taken)
        after = busy(self.who(state)).counting(self._at_work, self._men_at_work(unit, passed))
        if not passed:
            return [*taken, *checked, *counters_set(state, [after])]
        return [*taken, *checked, *counters_set(state, self._units_with_work(state, after)), *used]

    def _marker_spent(self, state: GtsState) -> list[AnyEvent]:
        """The marker that it takes or brings back. Raises Refused if none is left."""
        stock = self.stock(state)
        if stock is None:
            return []
        markers_left = state.tracks.get(stock.track)
        if markers_left is None:
            return []
        if self.action == "unblock":
            return [*spent(state, markers_left.id, -1)]
        return [*spent(state, markers_left.id, 1)]

    def _men_at_work(self, unit: Counter, passed: bool) -> int:
        """How many Men at Work markers are on it afterwards; a rearguard has none."""
        if passed or self.action == "rearguard":
            return 0
        return self.extra_modifier(unit) + 1

    def _units_with_work(self, state: GtsState, worker: Counter) -> list[Counter]:
        """The units after the work is done: an entrenchment replaces an improved position, that of
        the worker before those of others."""
        # The worker comes last: as it is now, it takes the place of what the state has of it.
        stack = {unit.id: unit for unit in (*state.stack(worker), worker)}
        if self.action == "improve":
            built_for = stack.get(self.on, worker)
            stack[built_for.id] = built_for.marked(Marker.IMPROVED)
        if self.action == "dig":
            entrenched = worker
            for unit in (worker, *stack.values()):
                if unit.has(Marker.IMPROVED):
                    entrenched = unit
                    break
            stack[entrenched.id] = entrenched.remarked(
                on=[Marker.ENTRENCHED], off=[Marker.IMPROVED]
            )
        return [*stack.values()]


def why_no_work(unit: Counter) -> str:
    """Why nothing is built by a unit or for it; empty if something may be."""
    if units.leads(unit):
        return f"{unit.name} is a leader."
    if unit.has(Marker.SUPPRESSED) or unit.has(Marker.IN_COLUMN):
        return f"{unit.name} is suppressed or in column."
    if unit.kind in (ARTILLERY, DEDICATED, COASTAL):
        return f"{unit.name} is artillery."
    return ""


# ------------------------------------------------------------------ fire results


class ResultTaken(NamedTuple):
    """A unit after a result, and the questions that it raises."""

    unit: Counter
    tasks: list[Task]


def inflicted(
    unit: Counter, result: str, others: tuple[str, ...] = (), *, runs: bool = False
) -> ResultTaken:
    """The unit after a result, and the questions that it raises; ``others`` of the hex take an S?
    after effective fire (I13). A unit that ``runs`` takes no check against suppression (G16)."""
    if result == "S?":
        place = ""
        if runs:
            place = RUNNING
        # Whether it is effective for the others is known after its check.
        return ResultTaken(unit, [Task(kind="check", units=(unit.id, *others), place=place)])
    spread = [Task(kind="check", units=(id,)) for id in others]
    if result == "S" and not runs:
        return ResultTaken(unit, [Task(kind="suppress", units=(unit.id,)), *spread])
    inflict = units.INFLICTS.get(result)
    if inflict is None:
        return ResultTaken(unit, [])
    return ResultTaken(units.out_of_contact(inflict(unit)), spread)


def _settled(state: GtsState, unit: Counter, tasks: Sequence[Task]) -> list[AnyEvent]:
    """The changed counter, and the open questions but those about it if it is gone."""
    left = tuple(task for task in tasks if unit.steps or task.units[0] != unit.id)
    return [*counters_set(state, [unit]), events.TasksSet(tasks=left)]


class TypeResult(TypeCell, GtsOrder, frozen=True, kw_only=True, tag="type_result"):
    """A result that was read off the owner's card, and inflicted on the units that it is for."""

    def follows(self, state: GtsState, task: Task) -> list[AnyEvent]:
        if not task.units:
            return super().follows(state, task)
        unit = unit_of(state, task.units[0])
        runs = task.place == RUNNING
        after, tasks = inflicted(unit, self.cell, task.units[1:], runs=runs)
        return _settled(state, after, [*tasks, *state.agenda[1:]])


class CheckUnderFire(UnitCheck, frozen=True, kw_only=True, tag="check_under_fire"):
    """The check that a task of the agenda waits for: of an S? (``check``: who fails it suffers an
    S), of an S (``suppress``: who passes it takes a cohesion hit instead), or of a unit that is to
    move out of a heavy barrage (``leave``: who fails it stays)."""

    answers: ClassVar[tuple[str, ...]] = ("check", "suppress", "leave")

    takes: bool = True
    """False: the unit declines the check of an S, and is suppressed."""
    why: ClassVar[str] = "under fire"

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        if not state.agenda or state.agenda[0].units[0] != self.unit:
            raise not_asked()
        task = state.agenda[0]
        unit = self.who(state)
        if not self.takes and task.kind != "suppress":
            raise nonsense("must_check", "That is a check.")
        checked: list[AnyEvent] = []
        passed = False
        if self.takes:
            checked, passed = self.checked(state)
        # As it is where nothing happens to it: after an S? that is passed, or if it cannot leave.
        after = unit
        tasks: list[Task] = []
        leaders: list[Counter] = []
        if task.kind == "suppress" and passed:
            after = units.out_of_contact(cohesion_hit(unit))
        elif task.kind == "suppress":
            after = units.out_of_contact(units.suppressed(unit))
        elif task.kind == "leave" and passed:
            after = _out_of_hex(unit, task.place)
            leaders = leaders_along(state, unit, after)
        elif task.kind == "check" and not passed:
            runs = task.place == RUNNING
            after, tasks = inflicted(unit, "S", task.units[1:], runs=runs)
        settled = _settled(state, after, [*tasks, *state.agenda[1:]])
        return [*checked, *counters_set(state, leaders), *settled]
