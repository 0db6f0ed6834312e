"""The actions of units that need no roll: they move, mount, join an assault or pass.

What only seems odd is refused by ``advise``, which the players may overrule. Names such as A2 are
boxes of the charts, such as G13 rulings; other names are headings of the rules summary.
"""

from __future__ import annotations

from skirmish.games.gts import units
from skirmish.games.gts.events import AnyEvent
from skirmish.games.gts.objections import NEVER_ASSAULT, never_assaults_text
from skirmish.games.gts.orders import GtsOrder, unit_of
from skirmish.games.gts.state import GtsState
from skirmish.games.gts.units import ARTILLERY, Marker, after_action, cohesion_hit
from skirmish.tabletop.companion import events
from skirmish.tabletop.companion.counter_events import counters_set
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.table_state import Task
from skirmish.tabletop.refusal import nonsense

ACTIONS_OUT_OF_POSITION = ("move", "column", "mount", "assault")
"""Actions with which a unit gives up its improved position, before anybody fires at it (G22)."""
TOGGLED_MARKERS = {"column": Marker.IN_COLUMN, "works": Marker.ENTRENCHED}
"""Markers that an action puts on a unit that has none, or takes off one that has it. ``works``: it
occupies an entrenchment, or leaves it."""
BARRING_MARKERS = {
    "column": (Marker.ENTRENCHED,),
    "works": (Marker.IN_COLUMN,),
    "assault": (Marker.SUPPRESSED, Marker.ENTRENCHED, Marker.HEAVY_BARRAGE),
}
"""Markers that forbid an action."""
JOINS_PARK = "joins"
"""Stands in the ``column`` of the question whether a unit gets out of a heavy barrage: if so, it
joins the artillery park of the hex that it comes to."""


class Act(GtsOrder, frozen=True, kw_only=True, tag="act"):
    """An action without a roll."""

    unit: str
    action: str
    hit: bool = False
    """Whether it leaves column with a cohesion hit instead of drawing opportunity fire."""
    place: str | None = None
    """The hex that it moves to; None where nobody writes hexes down, and for other actions."""
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
        self.advise(_advice_against(state, unit, self.action))
        if self.joins:
            why = self._why_not_join(state, unit)
            if why:
                raise nonsense("no_park", why)
        taken = self.action_events(state, unit, rule.kind, rule.name.lower(), out=self.out)
        after = self._unit_after(state, unit)
        # A cohesion hit of the action may have eliminated it.
        moves = self.action == "move" and bool(after.steps)
        asked: list[AnyEvent] = []
        if moves and unit.has(Marker.HEAVY_BARRAGE):
            # It comes out of a heavy barrage only with a check, which is asked next.
            column = ""
            if self.joins:
                column = JOINS_PARK
            leave = Task(kind="leave", units=(unit.id,), place=self.place or "", column=column)
            asked.append(events.TasksSet(tasks=(leave,)))
        elif moves:
            after = units.moved_out(after, self.place)
            if self.joins:
                after = units.parked(after)
        changed = counters_set(state, [after, *leaders_moved_along(state, unit, after)])
        return [*taken, *changed, *asked]

    def _unit_after(self, state: GtsState, unit: Counter) -> Counter:
        """The unit with the markers of the action, and with the cohesion hits that it takes."""
        after = after_action(unit)
        if self.action in ACTIONS_OUT_OF_POSITION:
            after = after.marked(Marker.IMPROVED, on=False)
        toggled = TOGGLED_MARKERS.get(self.action)
        if toggled:
            after = after.marked(toggled, not unit.has(toggled))
        for _ in range(self._cohesion_hits(state, unit)):
            after = cohesion_hit(after)
        return after

    def _cohesion_hits(self, state: GtsState, unit: Counter) -> int:
        """The number of cohesion hits that the action costs."""
        hits = 0
        if self.hit:
            hits += 1
        # Moving out of a heavy barrage costs one, besides the check (Movement).
        if self.action == "move" and unit.has(Marker.HEAVY_BARRAGE):
            hits += 1
        # Each unit that moves out of an overstacked hex takes one (G13).
        if self.action == "move" and state.overstacked(unit):
            hits += 1
        return hits

    def _why_not_join(self, state: GtsState, unit: Counter) -> str:
        """Why it does not join a park in the hex that it enters; empty if it may."""
        if unit.kind != ARTILLERY:
            return f"{unit.name} is no indirect high explosive."
        if not state.has_park(unit, self.place or unit.place):
            return "Its division has no artillery park there."
        return ""


def leaders_moved_along(state: GtsState, unit: Counter, after: Counter) -> list[Counter]:
    """The leaders of the unit's old hex in its new one, that of ``after``. They go with the unit,
    unless another unit stays in the old hex: a leader is never alone (Stacking)."""
    if after.place == unit.place or not after.steps:
        return []
    stack = [stacked for stacked in state.stack(unit) if stacked.id != unit.id]
    if any(not units.leads(stacked) for stacked in stack):
        return []
    return [units.moved_out(leader, after.place) for leader in stack]


def _advice_against(state: GtsState, unit: Counter, action: str) -> str:
    """What speaks against an action, as far as markers and ratings are entered; empty if nothing
    does."""
    for marker in BARRING_MARKERS.get(action, ()):
        if unit.has(marker):
            return f"{unit.name} has the marker {marker}; that forbids it."
    if action != "assault":
        return ""
    # The conditions for each assaulting unit (A2).
    if unit.kind in NEVER_ASSAULT:
        return never_assaults_text(unit.kind)
    # None is stored for a rating that the counter does not have.
    has_no_rating = "assault" in unit.ratings and unit.ratings["assault"] is None
    if not units.steps_of(unit) or has_no_rating:
        return f"{unit.name} has no step or no assault rating."
    if state.overstacked(unit):
        return f"The hex of {unit.name} is overstacked."
    return ""
