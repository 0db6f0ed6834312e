"""Engineer actions: improved positions, entrenchments, road blocks and their removal, rearguards.

What only seems odd is refused by ``advise``, which the players may overrule.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, NamedTuple

from skirmish.games.gts import units
from skirmish.games.gts.checks import UnitCheck
from skirmish.games.gts.events import AnyEvent, BeachSet
from skirmish.games.gts.orders import unit_of
from skirmish.games.gts.state import GtsState
from skirmish.games.gts.units import ARTILLERY, COASTAL, DEDICATED, Marker, after_action
from skirmish.tabletop.companion.counter_events import counters_set
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.table_orders import spending
from skirmish.tabletop.companion.table_state import evolved
from skirmish.tabletop.refusal import nonsense

LIMITED_WORKS = {"block": "road blocks", "unblock": "road blocks", "rearguard": "rearguards"}
"""The kind of marker that a work takes, or brings back: a division or a formation has only so many
of them."""


class MarkerStock(NamedTuple):
    """The markers of one kind that a division or a formation has: there are only so many."""

    owner: str
    kind: str

    @property
    def track(self) -> str:
        """The track on which the number of those left is kept."""
        return f"{self.owner} {self.kind}"


class Work(UnitCheck, frozen=True, kw_only=True, tag="work"):
    """An engineer action."""

    action: str
    """The id of the action in the rules: ``improve``, ``dig``, ``block``, ``unblock`` or
    ``rearguard``."""
    on: str = ""
    """The unit that gets an improved position; empty: the one that builds it."""
    left: int | None = None
    """How many markers of its kind the owner has left; None where that is known already."""
    purpose: ClassVar[str] = "engineer action"
    is_listed_for_points: ClassVar[bool] = False
    """A command point passes it only in a game in which points pass any check (G2)."""

    @property
    def _men_at_work_marker(self) -> str:
        """The name of the Men at Work markers for this work: they count for no other."""
        return f"{Marker.AT_WORK} {self.action}"

    def extra_modifier(self, unit: Counter) -> int:
        return unit.count(self._men_at_work_marker)

    def needs_no_roll(self, state: GtsState) -> bool:
        return self.spend or self._succeeds_at_once(state)

    def _is_checked(self, state: GtsState) -> bool:
        """Whether there is a check, or a point is spent in its place. A point that is spent is paid
        even if the work would have succeeded without it."""
        return self.spend or not self._succeeds_at_once(state)

    def _succeeds_at_once(self, state: GtsState) -> bool:
        """Whether it succeeds without a check, as these two works of engineers do (Engineer
        Actions)."""
        is_engineer = "engineer" in unit_of(state, self.unit).traits
        return is_engineer and self.action in ("improve", "unblock")

    def stock(self, state: GtsState) -> MarkerStock | None:
        """The markers of which it takes or brings back one; None if there is no limit, or their
        owner is not known. Road blocks belong to a division, rearguards to a formation."""
        if self.action not in LIMITED_WORKS:
            return None
        unit = unit_of(state, self.unit)
        owner = state.division_of(unit)
        if self.action == "rearguard":
            owner = unit.group
        if not owner:
            return None
        return MarkerStock(owner, LIMITED_WORKS[self.action])

    def _advice(self, state: GtsState) -> str:
        """What speaks against it, as far as units and markers are entered; empty if nothing
        does."""
        unit = unit_of(state, self.unit)
        built_for = unit_of(state, self.on or self.unit)
        is_engineer = "engineer" in unit.traits
        if self.action in ("dig", "block") and not is_engineer:
            return f"{unit.name} is no engineer."
        is_for_another = built_for.id != unit.id
        is_in_its_hex = built_for.id in {stacked.id for stacked in state.stack(unit)}
        if is_for_another and not (is_engineer and is_in_its_hex):
            return "Only an engineer builds it for another unit, and for one in its hex."
        if self.action == "dig" and not self._improved_before(state, unit):
            return "There was no improved position in the hex as the activation began."
        return ""

    def _improved_before(self, state: GtsState, unit: Counter) -> bool:
        """Whether there is an improved position in its hex that was there as the chit was drawn.
        Where no chits are drawn, any position in the hex will do."""
        draws_chits = state.setup.scope == "whole"
        for stacked in state.stack(unit):
            stood_before = stacked.id in state.improved_before or not draws_chits
            if stood_before and stacked.has(Marker.IMPROVED):
                return True
        return False

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        unit = unit_of(state, self.unit)
        rule = state.rules.actions[self.action]
        why = why_no_work(unit) or why_no_work(unit_of(state, self.on or self.unit))
        if why:
            raise nonsense("no_work", why)
        self.advise(self._advice(state))
        before_check = self.action_events(state, unit, "engineer", rule.name.lower())
        stock = self.stock(state)
        if stock is not None and self.left is not None:
            # This event of beach boards also stores how many markers an owner has left.
            before_check.append(BeachSet(name=stock.owner, numbers={stock.kind: self.left}))
        # A marker that is not there is refused before anybody rolls for it.
        marker_spent = self._marker_spent(evolved(state, before_check))
        checked: list[AnyEvent] = []
        passed = True
        if self._is_checked(state):
            checked, passed = self.make_check(state, before_check)
        men_at_work = self._men_at_work(unit, passed)
        # With the troop quality that was read off the counter for this check, so that it is stored.
        after = after_action(self.unit_as_read(state))
        after = after.counting(self._men_at_work_marker, men_at_work)
        if not passed:
            return [*before_check, *checked, *counters_set(state, [after])]
        with_work = counters_set(state, self._units_with_work(state, after))
        return [*before_check, *checked, *with_work, *marker_spent]

    def _marker_spent(self, state: GtsState) -> list[AnyEvent]:
        """The event of the marker that it takes or brings back. Raises Refused if none is left."""
        stock = self.stock(state)
        if stock is None:
            return []
        markers_left = state.tracks.get(stock.track)
        if markers_left is None:
            return []
        count = 1
        # A road block that is removed brings its marker back.
        if self.action == "unblock":
            count = -1
        # A new list, since mypy takes no list[TrackSet] for a list[AnyEvent].
        return [*spending(state, markers_left.id, count)]

    def _men_at_work(self, unit: Counter, passed: bool) -> int:
        """How many Men at Work markers are on it afterwards; a rearguard has none."""
        if passed or self.action == "rearguard":
            return 0
        return self.extra_modifier(unit) + 1

    def _units_with_work(self, state: GtsState, worker: Counter) -> list[Counter]:
        """The units of the hex after the work is done. ``worker`` is the unit after the action,
        which differs from what the state has of it."""
        stack = {unit.id: unit for unit in state.stack(worker)}
        stack[worker.id] = worker
        if self.action == "improve":
            built_for = stack.get(self.on, worker)
            stack[built_for.id] = built_for.marked(Marker.IMPROVED)
        if self.action == "dig":
            # Without an improved position, which players may overrule, the worker itself digs in.
            digs_in = _improved_unit(worker, stack.values()) or worker
            stack[digs_in.id] = digs_in.remarked(on=[Marker.ENTRENCHED], off=[Marker.IMPROVED])
        return [*stack.values()]


def _improved_unit(worker: Counter, stack: Iterable[Counter]) -> Counter | None:
    """The unit of a stack whose improved position becomes an entrenchment: the worker itself if it
    has one, else the first that has; None if nobody has one."""
    for unit in (worker, *stack):
        if unit.has(Marker.IMPROVED):
            return unit
    return None


def why_no_work(unit: Counter) -> str:
    """Why nothing is built by a unit or for it; empty if something may be."""
    if units.leads(unit):
        return f"{unit.name} is a leader."
    if unit.has(Marker.SUPPRESSED) or unit.has(Marker.IN_COLUMN):
        return f"{unit.name} is suppressed or in column."
    if unit.kind in (ARTILLERY, DEDICATED, COASTAL):
        return f"{unit.name} is artillery."
    return ""
