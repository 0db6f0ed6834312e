"""The orders of units but fire: actions, checks, engineer works; and what fire does to them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar

import msgspec
from msgspec.structs import replace

from skirmish.games.gts import combat, orders, units
from skirmish.games.gts import state as happened
from skirmish.games.gts.orders import GtsOrder, unit_of
from skirmish.games.gts.state import AnyEvent, GtsState
from skirmish.games.gts.units import ARTILLERY, Marker, busy, cohesion_hit, commanded
from skirmish.tabletop.companion import events
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.events import Task, counters_set, evolved
from skirmish.tabletop.companion.result_table import Shift, Sum
from skirmish.tabletop.companion.table_game import spent
from skirmish.tabletop.companion.typed_tables import TypeCell, typed_values
from skirmish.tabletop.refusal import nonsense, not_asked, reason

LIMITED = {"block": "road blocks", "unblock": "road blocks", "rearguard": "rearguards"}
"""Works that take one of so many markers of a division or formation, or bring one back."""


class Act(GtsOrder, frozen=True, kw_only=True, tag="act"):
    """An action without a roll; ``hit``: it leaves column with a cohesion hit; ``place``: where it
    moves, None: that is not asked; ``joins`` the artillery park there; ``out`` of command."""

    unit: str
    action: str
    hit: bool = False
    place: str | None = None
    joins: bool = False
    out: bool = False

    @property
    def acting(self) -> tuple[str, ...]:
        return (self.unit,)

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        unit, rule = unit_of(state, self.unit), state.rules.actions[self.action]
        self.advise(why_no_action(state, unit, self.action))
        if self.joins and (why := self.why_not_join(state, unit)):
            raise nonsense("no_park", why)
        name = rule.name.lower()
        taken = self.taken(state, unit, rule.kind, name, out=self.out)
        after, moves = busy(unit), self.action == "move"
        if self.action in ("move", "column", "mount", "assault"):
            after = after.marked(Marker.IMPROVED, False)
        toggled = {"column": Marker.COLUMN, "works": Marker.ENTRENCHED}.get(self.action)
        if toggled:
            after = after.marked(toggled, not unit.has(toggled))
        stuck = moves and unit.has(Marker.HEAVY)
        for _ in range(self.hit + stuck + (moves and state.overstacked(unit))):
            after = cohesion_hit(after)
        leave = Task(kind="leave", units=(unit.id,), place=self.place or "")
        if moves and after.steps and not stuck:
            after = _left(after, self.place)
            if self.joins:
                after = units.parked(after)
        asked = [events.TasksSet(tasks=(leave,))] if stuck and after.steps else []
        return [*taken, *counters_set(state, [after, *left_alone(state, unit, after)]), *asked]

    def why_not_join(self, state: GtsState, unit: Counter) -> str:
        park = state.park_of(unit, self.place or unit.place)
        return reason(
            (unit.kind != units.ARTILLERY, f"{unit.name} is no indirect high explosive."),
            (not park, "Its division has no artillery park there."),
        )


def _left(unit: Counter, place: str | None) -> Counter:
    """The unit out of its hex."""
    bare = unit.remarked(off=(Marker.LIGHT, Marker.HEAVY, Marker.ENTRY))
    return bare if place is None else replace(bare, place=place)


def left_alone(state: GtsState, unit: Counter, after: Counter) -> list[Counter]:
    """The leaders who go with a unit as it moves, since no other one stays with them."""
    if after.place == unit.place or not after.steps:
        return []
    stack = [other for other in state.stack(unit) if other.id != unit.id]
    if any(not units.leads(other) for other in stack):
        return []
    return [_left(leader, after.place) for leader in stack]


def why_no_action(state: GtsState, unit: Counter, action: str) -> str:
    """What speaks against it as far as markers and ratings are entered."""
    bars = {"column": (Marker.ENTRENCHED,), "works": (Marker.COLUMN,),
            "assault": (Marker.SUPPRESSED, Marker.ENTRENCHED, Marker.HEAVY)}  # fmt: skip
    marker = next((one for one in bars.get(action, ()) if unit.has(one)), "")
    none = not units.steps_of(unit) or unit.ratings.get("assault", 0) is None
    assaults, name = action == "assault", unit.name
    return reason(
        (marker, f"{name} has the marker {marker}; that forbids it."),
        (assaults and unit.kind in combat.GUNS, combat.no_assault(unit.kind)),
        (assaults and none, f"{name} has no step or no assault rating."),
        (assaults and state.overstacked(unit), f"The hex of {name} is overstacked."),
    )  # fmt: skip


class UnitCheck(GtsOrder, frozen=True, kw_only=True):
    """A troop quality check of a unit: ``out`` of command, or ``spend`` a command point. ``rating``
    and ``values`` are what was typed for it, ``numbers`` the player's own roll."""

    unit: str = ""
    out: bool = False
    spend: bool = False
    rating: int | None = None
    values: dict[str, int] = msgspec.field(default_factory=dict)
    numbers: tuple[int, ...] = ()
    why: ClassVar[str] = "troop quality"
    bought: ClassVar[bool] = True
    """Whether a command point may pass it."""
    rates: ClassVar[tuple[str, ...]] = ("tq",)
    """The ratings that are checked."""
    added: ClassVar[str] = "markers"
    """What ``more`` counts, in the words of the explanation."""

    @property
    def acting(self) -> tuple[str, ...]:
        return (self.unit,)

    def who(self, state: GtsState) -> Counter:
        unit = unit_of(state, self.unit)
        if self.rating is None:
            return unit
        return replace(unit, ratings={**unit.ratings, "tq": self.rating})

    def more(self, unit: Counter) -> int:
        """What else counts: markers that add up."""
        return 0

    def sure(self, state: GtsState) -> bool:
        """Whether no roll is needed."""
        return self.spend

    def sum(self, state: GtsState) -> Sum:
        unit = self.who(state)
        asked = units.check_of(unit, out=self.out, more=self.more(unit))
        tables = state.tables.with_values(self.values)
        return combat.check_sum(tables, state.rules, asked, added=self.added)

    def chance(self, state: GtsState, total: Sum) -> Fraction:
        """Of passing."""
        passing = [roll for roll in combat.ROLLS if self.passes(state, total, roll)]
        return Fraction(len(passing), len(combat.ROLLS))

    def why_not_spend(self, state: GtsState) -> str:
        return orders.why_not_spend(state, self.who(state), out=self.out, bought=self.bought)

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        return self.checked(state)[0]

    def checked(
        self, state: GtsState, before: Sequence[AnyEvent] = ()
    ) -> tuple[list[AnyEvent], bool]:
        """The events of the check after those ``before`` it, with what was typed for it, and
        whether it passes."""
        state = evolved(state, before)
        unit, total = self.who(state), self.sum(state)
        typed = [*counters_set(state, [unit]), *typed_values(self.values)]
        if self.spend:
            if why := self.why_not_spend(state):
                raise nonsense("no_spending", why)
            cost = orders.paid(state, unit, self.why)
            done = happened.Checked(unit=unit.id, why=self.why, sum=total, passed=True)
            return [*typed, *cost, done], True
        if unit.missing(self.rates) or total.missing:
            raise nonsense("no_value", f"Type the troop quality of {unit.name} first.")
        numbers = orders.dice(state, self.numbers)
        done = self.rolled(state, unit, self.why, total, numbers)
        return [*typed, *numbers.events, done], done.passed


class CheckQuality(UnitCheck, frozen=True, kw_only=True, tag="check"):
    """``hit``: a failure is a cohesion hit, as on a move of a unit with * or a force march."""

    hit: bool = False

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        found, passed = self.checked(state)
        lost = [] if passed or not self.hit else [cohesion_hit(self.who(state))]
        return [*found, *counters_set(state, lost)]


class Bravery(UnitCheck, frozen=True, kw_only=True, tag="bravery"):
    """``theirs``: the lowest defense of the enemies that cover the hex, ``ours`` of the stack."""

    theirs: int
    ours: int
    why: ClassVar[str] = "bravery"
    bought: ClassVar[bool] = False
    added: ClassVar[str] = "the lowest defenses"

    def more(self, unit: Counter) -> int:
        return self.theirs - self.ours


class Contact(UnitCheck, frozen=True, kw_only=True, tag="contact"):
    """Artillery tries to make contact with the leader of a formation; ``marker`` is the number on
    the visible side of its contact marker."""

    leader: str
    marker: int
    why: ClassVar[str] = "contact"
    bought: ClassVar[bool] = False
    rates: ClassVar[tuple[str, ...]] = ()

    def sum(self, state: GtsState) -> Sum:
        # The modifier is applied to the roll, so what raises the roll lowers the number it needs.
        tables = state.tables.with_values(self.values)
        total = tables.sum(self.marker, ["radio_contact"], state.rules.name)
        lines = [Shift(f"{line.label} on the roll", -line.value) for line in total.lines]
        return replace(total, lines=tuple(lines))

    def passes(self, state: GtsState, total: Sum, roll: int) -> bool:
        # It is no troop quality check: neither a 0 nor a 9 is anything special.
        return combat.no_more(roll, total.needs, literal=state.rules.literal)

    def why_not(self, state: GtsState) -> str:
        """Why that unit never makes contact with that leader; empty if it may."""
        return why_no_contact(state, unit_of(state, self.unit), self.leader)

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        unit = self.who(state)
        if why := self.why_not(state):
            raise nonsense("no_contact", why)
        placed = unit.kind == "black" or unit.has(Marker.PARK)
        self.advise("" if placed else f"{unit.name} is in no artillery park; A creates one.")
        checked, made = self.checked(state)
        after = [units.in_contact(unit, self.leader)] if made else []
        return [*checked, *counters_set(state, after)]


def why_no_contact(state: GtsState, unit: Counter, leader: str) -> str:
    """Why a unit does not try to make contact with the leader of a formation: indirect high
    explosive and coastal batteries do, with leaders of their own side. Empty if it may."""
    if units.leads(unit):
        return f"{unit.name} is a leader; artillery makes contact with him."
    if unit.kind not in ("", ARTILLERY, "black"):
        return f"{unit.name} is neither indirect high explosive nor a coastal battery."
    sides = {chit.side for chit in state.chits.values() if chit.group == leader and chit.side}
    if sides and unit.side not in sides:
        return f"{unit.name} is not of the side of that leader."
    return ""


class Rally(UnitCheck, frozen=True, kw_only=True, tag="rally"):
    """In command it succeeds at once. ``zone``: in an enemy fire zone."""

    zone: bool = False
    why: ClassVar[str] = "rally"

    def more(self, unit: Counter) -> int:
        return unit.count(Marker.RALLYING)

    def sure(self, state: GtsState) -> bool:
        return self.spend or commanded(unit_of(state, self.unit), self.out)

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        unit = unit_of(state, self.unit)
        sure = commanded(unit, self.out)
        text = "rallies" if sure else ""
        taken = self.taken(state, unit, "rally", text, out=self.out)
        checked, passed = ([], True) if sure else self.checked(state, taken)
        count = 0 if passed else unit.count(Marker.RALLYING) + 1
        after = busy(self.who(state)).counting(Marker.RALLYING, count)
        if passed:
            after = after.marked(Marker.SUPPRESSED, False)
        if passed and (state.night or not self.zone) and not unit.has(Marker.SUPPRESSED):
            after = after.marked(Marker.TWO, False).marked(Marker.ONE, unit.has(Marker.TWO))
        return [*taken, *checked, *counters_set(state, [after])]


class Work(UnitCheck, frozen=True, kw_only=True, tag="work"):
    """An engineer action. ``on``: the unit that gets an improved position, itself if none is named;
    ``left``: how many markers of its kind the owner has left, if that was not known."""

    action: str
    on: str = ""
    left: int | None = None
    why: ClassVar[str] = "engineer action"
    bought: ClassVar[bool] = False

    def more(self, unit: Counter) -> int:
        return unit.count(f"{Marker.AT_WORK} {self.action}")

    def sure(self, state: GtsState) -> bool:
        engineer = "engineer" in unit_of(state, self.unit).traits
        return self.spend or (engineer and self.action in ("improve", "unblock"))

    def stock(self, state: GtsState) -> tuple[str, str]:
        """Whose markers it takes or brings back, and which; both empty: none."""
        unit, kind = unit_of(state, self.unit), LIMITED.get(self.action, "")
        owner = unit.group if self.action == "rearguard" else state.division_of(unit)
        return (owner, kind) if owner and kind else ("", "")

    def why_not(self, state: GtsState) -> str:
        """What speaks against it as far as the register knows."""
        unit, on = unit_of(state, self.unit), unit_of(state, self.on or self.unit)
        engineer, stack = "engineer" in unit.traits, {one.id: one for one in state.stack(unit)}
        old = {*state.improved} if state.setup.scope == "whole" else {*stack}
        ready = any(stack[id].has(Marker.IMPROVED) for id in old & {*stack})
        other = on.id != unit.id and not (engineer and on.id in stack)
        return reason(
            (self.action in ("dig", "block") and not engineer, f"{unit.name} is no engineer."),
            (other, "Only an engineer builds it for another unit, and for one in its hex."),
            (self.action == "dig" and not ready,
             "There was no improved position in the hex as the activation began."),
        )  # fmt: skip

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        unit, rule = unit_of(state, self.unit), state.rules.actions[self.action]
        if why := why_no_work(unit) or why_no_work(unit_of(state, self.on or self.unit)):
            raise nonsense("no_work", why)
        self.advise(self.why_not(state))
        taken = self.taken(state, unit, "engineer", rule.name.lower())
        owner, kind = self.stock(state)
        if kind and self.left is not None:
            taken.append(happened.BeachSet(name=owner, numbers={kind: self.left}))
        stocked = evolved(state, taken)
        limit = stocked.tracks.get(f"{owner} {kind}")
        used = spent(stocked, limit.id, -1 if self.action == "unblock" else 1) if limit else []
        sure = self.sure(state) and not self.spend
        checked, passed = ([], True) if sure else self.checked(state, taken)
        goes_on = not passed and self.action != "rearguard"
        count = self.more(unit) + 1 if goes_on else 0
        after = busy(self.who(state)).counting(f"{Marker.AT_WORK} {self.action}", count)
        built = self._built(state, after) if passed else [after]
        return [*taken, *checked, *counters_set(state, built), *(used if passed else [])]

    def _built(self, state: GtsState, worker: Counter) -> list[Counter]:
        """The units after the work is done: an entrenchment replaces an improved position."""
        stack = {one.id: one for one in (*state.stack(worker), worker)}
        if self.action == "improve":
            on = stack.get(self.on, worker)
            stack[on.id] = on.marked(Marker.IMPROVED)
        if self.action == "dig":
            first = (worker, *stack.values())
            old = next((one for one in first if one.has(Marker.IMPROVED)), worker)
            stack[old.id] = old.remarked(on=[Marker.ENTRENCHED], off=[Marker.IMPROVED])
        return [*stack.values()]


def why_no_work(unit: Counter) -> str:
    if units.leads(unit):
        return f"{unit.name} is a leader."
    if unit.has(Marker.SUPPRESSED) or unit.has(Marker.COLUMN):
        return f"{unit.name} is suppressed or in column."
    return f"{unit.name} is artillery." if unit.kind in ("orange", "brown", "black") else ""


# ------------------------------------------------------------------ fire results


def inflicted(
    unit: Counter, result: str, others: tuple[str, ...] = (), runs: str = ""
) -> tuple[Counter, list[Task]]:
    """The unit after a result, and the questions that it raises; ``others`` of the hex take an S?
    after effective fire. A unit that ``runs`` takes no check against suppression."""
    spread = [Task(kind="check", units=(id,)) for id in others]
    if result == "S?":
        return unit, [Task(kind="check", units=(unit.id, *others), place=runs)]
    if result == "S" and not runs:
        return unit, [Task(kind="suppress", units=(unit.id,)), *spread]
    does = units.INFLICTS.get(result)
    return (units.out_of_contact(does(unit)), spread) if does else (unit, [])


def _settled(state: GtsState, unit: Counter, tasks: Sequence[Task]) -> list[AnyEvent]:
    """The changed counter, and the open questions but those of units that are gone."""
    left = tuple(task for task in tasks if unit.steps or task.units[0] != unit.id)
    return [*counters_set(state, [unit]), events.TasksSet(tasks=left)]


class TypeResult(TypeCell, GtsOrder, frozen=True, kw_only=True, tag="type_result"):
    def follows(self, state: GtsState, task: Task) -> list[AnyEvent]:
        if not task.units:
            return super().follows(state, task)
        unit = unit_of(state, task.units[0])
        after, tasks = inflicted(unit, self.cell, task.units[1:], task.place)
        return _settled(state, after, [*tasks, *state.agenda[1:]])


class CheckUnderFire(UnitCheck, frozen=True, kw_only=True, tag="check_under_fire"):
    """The check of an S?, the one that may turn an S into a cohesion hit, or that of a unit that
    moves out of a heavy barrage. Without that for an S (not ``takes``) the unit is suppressed."""

    answers: ClassVar[tuple[str, ...]] = ("check", "suppress", "leave")

    takes: bool = True
    why: ClassVar[str] = "under fire"

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        if not state.agenda or state.agenda[0].units[0] != self.unit:
            raise not_asked()
        task, unit = state.agenda[0], self.who(state)
        if not self.takes and task.kind != "suppress":
            raise nonsense("must_check", "That is a check.")
        checked, passed = self.checked(state) if self.takes else ([], False)
        tasks: list[Task] = []
        along: list[Counter] = []
        if task.kind == "suppress":
            unit = units.out_of_contact(cohesion_hit(unit) if passed else units.suppressed(unit))
        elif task.kind == "leave":
            here = unit
            unit = _left(unit, task.place) if passed else unit
            along = left_alone(state, here, unit)
        elif not passed:
            unit, tasks = inflicted(unit, "S", task.units[1:], task.place)
        settled = _settled(state, unit, [*tasks, *state.agenda[1:]])
        return [*checked, *counters_set(state, along), *settled]
