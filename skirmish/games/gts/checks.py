"""Orders of troop quality checks: a check by itself, bravery, contact with a leader, rallies.

``UnitCheck`` is the base of them and of other orders with a check: engineer actions (``works``) and
checks under fire (``fire_results``). Names such as A4 are boxes of the charts, such as G2 rulings.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar, NamedTuple

import msgspec
from msgspec.structs import replace

from skirmish.games.gts import combat, orders, units
from skirmish.games.gts.events import AnyEvent, Checked
from skirmish.games.gts.orders import GtsOrder, unit_of
from skirmish.games.gts.rolls import ROLLS, is_within
from skirmish.games.gts.state import GtsState
from skirmish.games.gts.units import (
    ARTILLERY,
    COASTAL,
    Marker,
    after_action,
    cohesion_hit,
    is_in_command,
)
from skirmish.tabletop.companion.counter_events import counters_set
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.modifiers import Shift, Sum
from skirmish.tabletop.companion.table_state import evolved
from skirmish.tabletop.companion.typed_facts import typed_values
from skirmish.tabletop.refusal import nonsense


class CheckMade(NamedTuple):
    """The events of a check, with those of what was typed for it, and whether it was passed."""

    events: list[AnyEvent]
    passed: bool


class UnitCheck(GtsOrder, frozen=True, kw_only=True):
    """A troop quality check of a unit."""

    unit: str = ""
    out: bool = False
    """Whether it is out of command, as its players say."""
    spend: bool = False
    """Whether a command point passes the check without a roll."""
    rating: int | None = None
    """The troop quality that was typed for it; None where the counter was read before."""
    values: dict[str, int] = msgspec.field(default_factory=dict)
    """The modifiers of the card that were typed for it."""
    numbers: tuple[int, ...] = ()
    """The player's own roll."""
    purpose: ClassVar[str] = "troop quality"
    """What the check is for, in words."""
    is_listed_for_points: ClassVar[bool] = True
    """Whether it is on the list of checks that a command point passes (G2)."""
    checked_ratings: ClassVar[tuple[str, ...]] = ("tq",)
    """The ratings that must be known for it."""
    extra_modifier_label: ClassVar[str] = "markers"
    """What ``extra_modifier`` counts, in the words of the explanation."""

    @property
    def acting(self) -> tuple[str, ...]:
        return (self.unit,)

    def unit_as_read(self, state: GtsState) -> Counter:
        """The unit, with the troop quality that was just read off its counter. Raises Refused."""
        unit = unit_of(state, self.unit)
        if self.rating is None:
            return unit
        return replace(unit, ratings={**unit.ratings, "tq": self.rating})

    def extra_modifier(self, unit: Counter) -> int:
        """What else is added to the rating in this kind of check."""
        return 0

    def needs_no_roll(self, state: GtsState) -> bool:
        """Whether it is passed without a roll."""
        return self.spend

    def sum(self, state: GtsState) -> Sum:
        """The number that is needed, with its reasons. Raises Refused."""
        unit = self.unit_as_read(state)
        facts = units.check_facts(unit, out=self.out, more=self.extra_modifier(unit))
        tables = state.tables.with_values(self.values)
        return combat.check_sum(tables, state.rules, facts, added=self.extra_modifier_label)

    def chance(self, state: GtsState, total: Sum) -> Fraction:
        """The chance of passing the check."""
        passing = [roll for roll in ROLLS if self.passes(state, total, roll)]
        return Fraction(len(passing), len(ROLLS))

    def why_not_spend(self, state: GtsState) -> str:
        """Why no command point may pass it; empty if one may."""
        return orders.why_not_spend(
            state, self.unit_as_read(state), out=self.out, listed=self.is_listed_for_points
        )

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        return self.make_check(state).events

    def make_check(self, state: GtsState, before: Sequence[AnyEvent] = ()) -> CheckMade:
        """The check, made after the events ``before`` it: with a command point or with a roll."""
        state = evolved(state, before)
        unit = self.unit_as_read(state)
        total = self.sum(state)
        typed: list[AnyEvent] = [
            *counters_set(state, [unit]),
            *typed_values(self.values),
        ]
        if self.spend:
            why = self.why_not_spend(state)
            if why:
                raise nonsense("no_spending", why)
            cost = orders.paid(state, unit, self.purpose)
            passed = Checked(unit=unit.id, why=self.purpose, sum=total, passed=True)
            return CheckMade([*typed, *cost, passed], passed=True)
        if unit.missing(self.checked_ratings) or total.missing:
            raise nonsense("no_value", f"Type the troop quality of {unit.name} first.")
        rolled_numbers = orders.dice(state, self.numbers)
        checked = self.roll_check(state, unit, self.purpose, total, rolled_numbers)
        # The check has taken its roll, so that the events of the numbers are complete now.
        return CheckMade([*typed, *rolled_numbers.events, checked], checked.passed)


class CheckQuality(UnitCheck, frozen=True, kw_only=True, tag="check"):
    """A troop quality check by itself."""

    hit: bool = False
    """Whether a failure is a cohesion hit, as on a move of a unit with * or a force march."""

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        happenings, passed = self.make_check(state)
        if self.hit and not passed:
            happenings += counters_set(state, [cohesion_hit(self.unit_as_read(state))])
        return happenings


class Bravery(UnitCheck, frozen=True, kw_only=True, tag="bravery"):
    """The check of a unit that assaults out of an enemy fire zone (A4)."""

    theirs: int
    """The lowest defense of the enemies whose fire zone covers its hex."""
    ours: int
    """The lowest defense of its own stack."""
    purpose: ClassVar[str] = "bravery"
    is_listed_for_points: ClassVar[bool] = False
    extra_modifier_label: ClassVar[str] = "the lowest defenses"

    def extra_modifier(self, unit: Counter) -> int:
        # A4 adds their defense to the quality that the roll must not exceed, and takes off its own.
        return self.theirs - self.ours


class Contact(UnitCheck, frozen=True, kw_only=True, tag="contact"):
    """Artillery tries to make contact with the leader of a formation (sequence of play, E.II)."""

    leader: str
    """The leader, by the name of his formation."""
    marker: int
    """The number on the visible side of its contact marker."""
    purpose: ClassVar[str] = "contact"
    is_listed_for_points: ClassVar[bool] = False
    checked_ratings: ClassVar[tuple[str, ...]] = ()

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
        # It is no troop quality check: a 0 does not always pass, nor does a 9 always fail.
        return is_within(roll, total.needs, literal=state.rules.less_than_is_literal)

    def why_not(self, state: GtsState) -> str:
        """Why the unit cannot make contact with that leader; empty if it can."""
        return why_no_contact(state, unit_of(state, self.unit), self.leader)

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        unit = self.unit_as_read(state)
        why = self.why_not(state)
        if why:
            raise nonsense("no_contact", why)
        if unit.kind != COASTAL and not unit.has(Marker.IN_PARK):
            # ``A`` is the key of the command that creates one.
            self.advise(f"{unit.name} is in no artillery park; A creates one.")
        happenings, passed = self.make_check(state)
        if passed:
            happenings += counters_set(state, [units.in_contact(unit, self.leader)])
        return happenings


def why_no_contact(state: GtsState, unit: Counter, leader: str) -> str:
    """Why a unit cannot make contact with the leader of a formation; empty if it can. Indirect high
    explosive and coastal batteries make contact, with leaders of their own side."""
    if units.leads(unit):
        return f"{unit.name} is a leader; artillery makes contact with him."
    # An empty kind: nobody has read its color off the counter yet.
    if unit.kind not in ("", ARTILLERY, COASTAL):
        return f"{unit.name} is neither indirect high explosive nor a coastal battery."
    sides = {chit.side for chit in state.chits.values() if chit.group == leader and chit.side}
    if sides and unit.side not in sides:
        return f"{unit.name} is not of the side of that leader."
    return ""


class Rally(UnitCheck, frozen=True, kw_only=True, tag="rally"):
    """A unit tries to rally; in command it succeeds at once."""

    zone: bool = False
    """Whether it is in an enemy fire zone."""
    purpose: ClassVar[str] = "rally"

    def extra_modifier(self, unit: Counter) -> int:
        return unit.count(Marker.RALLYING)

    def needs_no_roll(self, state: GtsState) -> bool:
        return self.spend or is_in_command(unit_of(state, self.unit), self.out)

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        unit = unit_of(state, self.unit)
        if is_in_command(unit, self.out):
            taken = self.action_events(state, unit, "rally", "rallies", out=self.out)
            return [*taken, *counters_set(state, [self._rallied(state, unit)])]
        taken = self.action_events(state, unit, "rally", out=self.out)
        checked, passed = self.make_check(state, taken)
        if passed:
            after = self._rallied(state, unit)
        else:
            tries = unit.count(Marker.RALLYING) + 1
            after = after_action(self.unit_as_read(state)).counting(Marker.RALLYING, tries)
        return [*taken, *checked, *counters_set(state, [after])]

    def _rallied(self, state: GtsState, unit: Counter) -> Counter:
        """The unit after a rally that succeeds. By day in an enemy fire zone it loses suppression
        and nothing else; anywhere else suppression or, if it has none, a cohesion hit."""
        after = after_action(self.unit_as_read(state))
        if unit.has(Marker.SUPPRESSED):
            return after.marked(Marker.SUPPRESSED, on=False)
        if self.zone and not state.night:
            return after
        if unit.has(Marker.TWO_HITS):
            return after.remarked(on=[Marker.ONE_HIT], off=[Marker.TWO_HITS])
        return after.marked(Marker.ONE_HIT, on=False)
