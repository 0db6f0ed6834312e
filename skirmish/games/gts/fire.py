"""The orders of fire: who may fire at whom, the shot with its rolls, what becomes of the target.

A ``Shoot`` is asked three things before it is given: what is still to be read off the counters
(``needs`` and ``missing``), whether the charts allow it (``why_not`` and ``advice``), and its
chances (``weighed``). ``carry_out`` then rolls, and ``_settled`` records what follows. Names such
as D3 are boxes of the charts, such as G7 rulings.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from skirmish.games.gts import combat, orders, units
from skirmish.games.gts import state as gts_state
from skirmish.games.gts.actions import RUNNING, inflicted
from skirmish.games.gts.combat import ShotFacts, ShotOutcome
from skirmish.games.gts.orders import GtsOrder, unit_of
from skirmish.games.gts.ruleset import ASSAULTED, MISS, GtsTables, Mode
from skirmish.games.gts.state import AnyEvent, GtsState
from skirmish.games.gts.units import ARTILLERY, COASTAL, Marker, assault_color
from skirmish.tabletop.companion import events
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.events import Task, counters_set, evolved
from skirmish.tabletop.companion.numbers import Numbers
from skirmish.tabletop.companion.result_table import Sum, mixed
from skirmish.tabletop.companion.typed_tables import typed_values
from skirmish.tabletop.refusal import nonsense

STEPS_OF_COMPANY = 2
"""A unit with so many steps may have the company bonus (Other Actions)."""
SPOTTED_BY = 6
"""A ship fires at what an Allied unit sees on a roll of no more (N9)."""
SPOTTING = "spotting"
"""The purpose of that roll, in words."""
Printed = dict[str, Any]
"""What was read off a counter: ratings, its ``color``, that of its assault rating
(``assault_color``), and whether its defense is ``armored``. Orders are stored with it."""


class Unread(NamedTuple):
    """What is still to be read off the counter of a unit, for a shot: the names of ratings, and
    ``color``, ``assault_color`` and ``armored``."""

    unit: str
    names: tuple[str, ...]


class WeighedShot(NamedTuple):
    """A shot before its roll, without the company bonus if that is rolled for, and the chance of
    every result with all checks before it."""

    expected: ShotOutcome
    chances: dict[str, Fraction]


class TargetAfter(NamedTuple):
    """The target after a shot, None if it has not changed; and the questions that it raises."""

    unit: Counter | None
    tasks: list[Task]


class Shoot(GtsOrder, frozen=True, kw_only=True, tag="shoot"):
    """One shot at a unit or at a hex."""

    firer: str = ""
    """The unit that fires; empty if what fires is none, such as a nest."""
    target: str = ""
    """The unit that is fired at; empty if it is none."""
    facts: ShotFacts = ShotFacts(mode="direct", color="", rating=0)
    """What counters do not show: the circumstances, the color and rating of a firer that is no
    unit, and the defense of a target that is none."""
    place: str = ""
    """The hex of a target that is no unit."""
    near: bool = False
    """Whether an enemy was adjacent as the action began."""
    sees: bool = False
    """Whether a battery or a ship sees its target itself."""
    box: int = 0
    """The range box of a ship; 0 for all others."""
    beach: str = ""
    """The beach whose telephone lines a ship may cut."""
    assault_rating: bool = False
    """Whether the unit fires with its assault rating."""
    bonus: bool | None = None
    """Whether it has the company bonus. None: it has that of the first shot in an assault, else the
    bonus is rolled for."""
    spend: bool = False
    """Whether a command point is paid for the bonus instead of a roll."""
    out: bool = False
    """Whether the firer is out of command."""
    printed: dict[str, Printed] = msgspec.field(default_factory=dict)
    """What is printed on counters, by unit, typed for this shot."""
    values: dict[str, int] = msgspec.field(default_factory=dict)
    """Values that were typed for this shot."""
    numbers: tuple[int, ...] = ()
    """The player's own rolls in their order: for opportunity fire, for the company bonus or for the
    spotting of a ship, then for the shot."""

    @property
    def acting(self) -> tuple[str, ...]:
        return (self.firer,)

    @property
    def mode(self) -> Mode:
        """Direct or indirect fire, opportunity fire, or a shot of an assault."""
        return self.facts.mode

    @property
    def indirect(self) -> bool:
        """Whether it goes over the heads of others, at what a leader or the firer itself sees."""
        return self.mode == "indirect"

    @property
    def assaulted(self) -> bool:
        """Whether it is a shot of either side of an assault."""
        return self.mode in ASSAULTED

    # -------------------------------------------------------------- who and what

    def unit(self, state: GtsState, id: str) -> Counter | None:
        """A unit with what was just read off its counter; None for an empty id. Raises Refused."""
        if not id:
            return None
        unit = unit_of(state, id)
        ratings = dict(self.printed.get(id, {}))
        # Three of the printed things are no ratings; what is left of the mapping afterwards is.
        color = str(ratings.pop("color", unit.kind))
        assault = ratings.pop("assault_color", "")
        armored = ratings.pop("armored", False)
        traits = list(unit.traits)
        if armored:
            traits.append("armored")
        if assault:
            traits.append(units.ASSAULT + assault)
        read = {name: int(value) for name, value in ratings.items()}
        return replace(
            unit,
            kind=color,
            traits=tuple(dict.fromkeys(traits)),
            ratings=unit.ratings | read,
        )

    def fires_from_ship(self, state: GtsState) -> bool:
        """Whether a ship fires."""
        return bool(self.firer) and "ship" in unit_of(state, self.firer).traits

    def tables(self, state: GtsState) -> GtsTables:
        """The card with what was typed for this shot."""
        return state.tables.with_values(self.values)

    def shot(self, state: GtsState, bonus: bool = False) -> ShotFacts:
        """The facts of the shot with what the counters show."""
        facts = self._with_conditions(state, replace(self.facts, company_bonus=bonus))
        facts = self._with_target(state, facts)
        return self._with_firer(state, facts)

    def _with_conditions(self, state: GtsState, facts: ShotFacts) -> ShotFacts:
        """The facts with light and weather."""
        fog = state.weather == "fog"
        rain = state.weather == "rain"
        return replace(facts, night=state.night, fog=fog, rain=rain)

    def _with_target(self, state: GtsState, facts: ShotFacts) -> ShotFacts:
        """The facts with what the counter of the target shows, and the steps in its hex."""
        target = self.unit(state, self.target)
        if target is None:
            return facts
        facing = replace(
            facts.target,
            defense=target.rating("defense"),
            armored="armored" in target.traits,
            column=target.has(Marker.IN_COLUMN),
            ip=target.has(Marker.IMPROVED),
            entrenched=target.has(Marker.ENTRENCHED),
        )
        mass = facts.mass
        # None: nobody has said otherwise, so the counters of the hex are counted.
        if mass is None:
            mass = state.steps_in_hex(target)
        return replace(facts, target=facing, mass=mass)

    def _with_firer(self, state: GtsState, facts: ShotFacts) -> ShotFacts:
        """The facts with what the counter of the firer shows, and with its range."""
        firer = self.unit(state, self.firer)
        if firer is None:
            # Nests, obstacles and what is no unit reach as far as their players say.
            return replace(facts, max_range=facts.hexes)
        color = firer.kind
        if self.assault_rating:
            # Most counters print both ratings in one color, and then the second is not stored.
            color = assault_color(firer) or firer.kind
        standing = replace(
            units.firing(firer),
            bocage=facts.firer.bocage,
            suppressed=firer.has(Marker.SUPPRESSED),
            near=self.near,
            park=firer.has(Marker.IN_PARK),
        )
        # Without a printed range a unit fires at the next hex.
        longest = max(firer.rating("range"), 1)
        if self.indirect:
            # A ship is as far off the beach as its range box says, beyond the hexes on the map.
            longest -= self.box
        facts = replace(
            facts,
            color=color,
            rating=firer.rating(self._rating_used),
            firer=standing,
            max_range=longest,
        )
        # An assault is fought in the next hex: nothing depends on a range.
        if self.assaulted:
            return facts
        return replace(facts, max_range=combat.reach(state.rules, facts))

    # -------------------------------------------------------------- whether it is allowed

    def _bars(self, state: GtsState) -> Iterator[combat.FireBar]:
        """What the charts have against the shot of a unit."""
        firer = self.unit(state, self.firer)
        if firer is None:
            return
        fire_color = ""
        if self.assault_rating:
            fire_color = firer.kind
        yield from combat.bars(
            state.rules,
            self.shot(state),
            firer.name,
            fire_color=fire_color,
            ship=self.fires_from_ship(state),
        )

    def why_not(self, state: GtsState) -> str:
        """Why the shot is not allowed; empty if it is."""
        firer = self.unit(state, self.firer)
        # Plain: a number of a beach, to which none of this applies.
        if firer is None or self.facts.plain:
            return ""
        if self._has_no_rating(firer):
            return f"{firer.name} has no {self._rating_used} rating."
        for bar in self._bars(state):
            if bar.firm:
                return bar.text
        if self.spend:
            return orders.why_not_spend(state, firer, out=self.out)
        return ""

    @property
    def _rating_used(self) -> str:
        """The name of the rating with which it fires."""
        if self.assault_rating:
            return "assault"
        return "fire"

    def _has_no_rating(self, firer: Counter) -> bool:
        """Whether its counter prints no such rating: then None is stored. What nobody has typed in
        yet is not stored at all."""
        printed = firer.printed(self._rating_used)
        return printed in firer.ratings and firer.ratings[printed] is None

    def advice(self, state: GtsState) -> str:
        """What speaks against the shot as far as markers are entered: players may know better."""
        firer, target = self.unit(state, self.firer), self.unit(state, self.target)
        if target is not None and target.has(Marker.ENTRY_HEX):
            return f"{target.name} is in an entry hex; nobody fires at it there."
        if firer is None or self.facts.plain:
            return ""
        for bar in self._bars(state):
            if not bar.firm:
                return bar.text
        if self.indirect:
            return self._advice_of_guns(state, firer)
        if self.mode == "defense" and not self.assault_rating:
            return self._advice_of_defenders(firer)
        return ""

    def _advice_of_guns(self, state: GtsState, firer: Counter) -> str:
        """What indirect fire has to meet (I1 and I3)."""
        name, contact = firer.name, firer.has(Marker.IN_CONTACT)
        if firer.has(Marker.ENTRY_HEX):
            return f"{name} is in an entry hex."
        # Ships fire without a park, from their range box.
        if firer.kind == ARTILLERY and not self.fires_from_ship(state):
            if not firer.has(Marker.IN_PARK):
                return f"{name} fires indirectly only from an artillery park; A creates one."
            if not contact:
                return f"{name} is in contact with no leader."
        if firer.kind == COASTAL:
            if self.out:
                return f"{name} is out of command."
            if not self.sees and not contact:
                return f"{name} neither sees its target nor is in contact with a leader."
        return ""

    def _advice_of_defenders(self, firer: Counter) -> str:
        """Why an assaulted unit does not fire with its fire rating (A15)."""
        name = firer.name
        if firer.has(Marker.SUPPRESSED):
            return f"{name} is suppressed; it fires once, with its assault rating."
        if assault_color(firer) not in ("", "white"):
            return f"The assault rating of {name} is colored; it is used for both shots."
        return ""

    def needs(self, state: GtsState) -> list[Unread]:
        """What is not read off the counters of firer and target yet."""
        needs = []
        if self.firer:
            unread = self._unread_of_firer(state)
            if unread:
                needs.append(Unread(self.firer, unread))
        # Whether the defense is on black is seen with the defense itself.
        has_target = bool(self.target) and not self.facts.plain
        if has_target and unit_of(state, self.target).missing(["defense"]):
            needs.append(Unread(self.target, ("defense", "armored")))
        return needs

    def _unread_of_firer(self, state: GtsState) -> tuple[str, ...]:
        """What is not read off the firer's counter yet, as far as this shot needs it."""
        firer = unit_of(state, self.firer)
        ratings = [self._rating_used]
        if not self.assaulted:
            ratings.append("range")
        # Troop quality is asked for only where it is checked: the fewer questions, the faster the
        # shot.
        if self.mode == "op" or self.rolls_for_bonus(state):
            ratings.append("tq")
        unread = []
        if not firer.kind:
            unread.append("color")
        unread += firer.missing(ratings)
        if self.assault_rating and not assault_color(firer):
            unread.append("assault_color")
        return tuple(unread)

    # -------------------------------------------------------------- checks and chances

    def may_have_bonus(self, state: GtsState) -> bool:
        """Whether the firer may have the company bonus; opportunity fire has none."""
        if not self.firer or self.facts.plain or self.mode == "op":
            return False
        return units.steps_of(unit_of(state, self.firer)) == STEPS_OF_COMPANY

    def bonus_known(self, state: GtsState) -> bool | None:
        """The company bonus, None if it is rolled for: once for both shots of a unit in an
        assault (A15, A19)."""
        if self.spend:
            return True
        if self.bonus is not None:
            return self.bonus
        if self.assaulted:
            return state.bonuses.get(self.firer)
        return None

    def rolls_for_bonus(self, state: GtsState) -> bool:
        """Whether the company bonus is checked for."""
        return self.bonus_known(state) is None and self.may_have_bonus(state)

    def first_roll(self, state: GtsState) -> str:
        """The roll without which there is no shot, empty if there is none: that of opportunity fire
        (D3), or of a ship that does not see its target (N9)."""
        if self.mode == "op":
            return "opportunity fire"
        if self.indirect and self.fires_from_ship(state) and not self.sees:
            return SPOTTING
        return ""

    def check(self, state: GtsState) -> Sum | None:
        """The firer's check of its troop quality, for opportunity fire or the company bonus; or the
        roll of a ship that does not see its target."""
        firer = self.unit(state, self.firer)
        first_roll = self.first_roll(state)
        if first_roll == SPOTTING:
            return Sum(rating=SPOTTED_BY)
        if firer is None:
            return None
        if not first_roll and not self.rolls_for_bonus(state):
            return None
        facts = units.check_of(firer, out=self.out)
        return combat.check_sum(self.tables(state), state.rules, facts)

    def missing(self, state: GtsState) -> tuple[str, ...]:
        """The modifiers and terrain that the card has yet to give."""
        tables, rules = self.tables(state), state.rules
        sums = [combat.fire_sum(tables, rules, self.shot(state, bool(self.bonus_known(state))))]
        if self.rolls_for_bonus(state):
            # The bonus may bring a modifier that the shot without it does not have.
            sums.append(combat.fire_sum(tables, rules, self.shot(state, bonus=True)))
        check = self.check(state)
        if check is not None:
            sums.append(check)
        missing: dict[str, None] = {}  # a set that keeps the order
        for total in sums:
            missing |= dict.fromkeys(total.missing)
        return tuple(missing)

    def refuse(self, state: GtsState) -> None:
        """Raises Refused if the shot is not allowed, or advised against and not insisted upon."""
        why = self.why_not(state)
        if why:
            raise nonsense("no_fire", why)
        self.advise(self.advice(state))

    def weighed(self, state: GtsState) -> WeighedShot:
        """The shot before its roll. Raises Refused."""
        self.refuse(state)
        tables, rules = self.tables(state), state.rules
        expected = combat.fire(tables, rules, self.shot(state, bool(self.bonus_known(state))))
        check = self.check(state)
        if check is None:
            return WeighedShot(expected, expected.chances)
        chance = combat.pass_chance(check.needs, literal=rules.literal)
        # Without the first roll there is no shot at all; the bonus only makes it better.
        if self.first_roll(state):
            no_shot = {MISS: Fraction(1)}
            return WeighedShot(expected, mixed(chance, expected.chances, no_shot))
        with_bonus = combat.fire(tables, rules, self.shot(state, bonus=True))
        return WeighedShot(expected, mixed(chance, with_bonus.chances, expected.chances))

    # -------------------------------------------------------------- the shot

    def text(self, state: GtsState) -> str:
        """``1/505 fires at A/21``."""
        firer = self.unit(state, self.firer)
        who = f"A rating of {self.facts.rating} in {self.facts.color}"
        if firer:
            who = firer.name
        verb = "fires"
        if self.mode == "op":
            verb = "takes opportunity fire"
        return f"{who} {verb} at {self._target_text(state)}"

    def _target_text(self, state: GtsState) -> str:
        """At whom or what it is, in words."""
        target = self.unit(state, self.target)
        if target:
            return target.name
        if not self.facts.empty:  # a unit that is not entered
            return "its target"
        if self.place:
            return f"the empty hex {self.place}"
        return "an empty hex"

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        if self.missing(state):
            raise nonsense("no_value", "A modifier of your card is missing.")
        self.refuse(state)
        numbers = orders.dice(state, self.numbers)
        # All rolls first: in the journal they stand before what follows from them.
        happenings = self._events_of_shot(state, numbers)
        return [*numbers.events, *happenings]

    def _events_of_shot(self, state: GtsState, numbers: Numbers) -> list[AnyEvent]:
        """What was read and typed, the action with its cost, the check, then the shot."""
        # First what was read off the card: the rest of the events is worked out with it.
        happenings: list[AnyEvent] = [*typed_values(self.values)]
        firer, target = self.unit(state, self.firer), self.unit(state, self.target)
        happenings += counters_set(state, [unit for unit in (firer, target) if unit])
        bonus = bool(self.bonus_known(state))
        if firer:
            happenings += self._acted(state, firer, happenings)
            check = self.check(state)
            if check is not None:
                first_roll = self.first_roll(state)
                checked = self.rolled(state, firer, first_roll or "company bonus", check, numbers)
                happenings.append(checked)
                # The chance was used up all the same, and the unit is marked for it.
                if first_roll and not checked.passed:
                    return [*happenings, *counters_set(state, [self._after_shot(firer)])]
                bonus = checked.passed and not first_roll
        roll = numbers.number()
        facts = self.shot(state, bonus)
        outcome = combat.fire(self.tables(state), state.rules, facts, roll)
        return [*happenings, *self._settled(state, outcome, roll, bonus)]

    def _acted(self, state: GtsState, firer: Counter, before: list[AnyEvent]) -> list[AnyEvent]:
        """The action under the present chit, and the command point for the company bonus. Fire in
        reaction and in an assault is no action of its own."""
        acted: list[AnyEvent] = []
        if self.mode in ("direct", "indirect"):
            acted += self.taken(state, firer, "fire", out=self.out)
        if self.spend:
            after = evolved(state, [*before, *acted])
            acted += orders.paid(after, firer, "company bonus")
            if state.setup.scope == "fire":
                # No track shows the point, so the journal says that it was spent.
                acted.append(self._bonus_bought(state, firer))
        return acted

    def _bonus_bought(self, state: GtsState, firer: Counter) -> AnyEvent:
        """The check for the company bonus as one that a command point has passed."""
        facts = units.check_of(firer, out=self.out)
        total = combat.check_sum(self.tables(state), state.rules, facts)
        return gts_state.Checked(unit=firer.id, why="company bonus", sum=total, passed=True)

    # -------------------------------------------------------------- what follows from it

    def _settled(
        self, state: GtsState, outcome: ShotOutcome, roll: int, bonus: bool
    ) -> list[AnyEvent]:
        """The shot in the journal, the counters after it, the open questions, the map."""
        marker = self._barrage(state, roll, bonus)
        changed = self._stack_after(state, marker)
        firer = self.unit(state, self.firer)
        if firer:
            missed = self.indirect and roll == combat.HIGHEST_ROLL
            changed = {firer.id: self._after_shot(firer, missed=missed), **changed}
        target, tasks = self._target_after(state, outcome, roll, changed)
        if target:
            changed[target.id] = target
        happenings = [self._shot_event(state, outcome, roll, bonus, marker)]
        happenings += counters_set(state, changed.values())
        if tasks:
            happenings.append(events.TasksSet(tasks=tuple(tasks)))
        return [*happenings, *self._on_map(state, marker, roll)]

    def _barrage(self, state: GtsState, roll: int, bonus: bool) -> combat.Barrage | None:
        """The marker that indirect fire leaves, but with a 9 (I8, I14)."""
        if not self.indirect or roll == combat.HIGHEST_ROLL:
            return None
        return combat.barrage(self.tables(state), state.rules, self.shot(state, bonus))

    def _shot_event(
        self,
        state: GtsState,
        outcome: ShotOutcome,
        roll: int,
        bonus: bool,
        marker: combat.Barrage | None,
    ) -> AnyEvent:
        """The shot as the journal has it."""
        first_of_assault = self.assaulted and self.firer not in state.bonuses
        for_second_shot: bool | None = None
        if first_of_assault and self.may_have_bonus(state):
            for_second_shot = bonus
        return gts_state.ShotFired(
            text=self.text(state),
            sum=outcome.sum,
            firer=self.firer,
            bonus=for_second_shot,
            roll=roll,
            hit=bool(outcome.hit),
            result=outcome.result or "",
            barrage=marker or "",
        )

    def _target_stack(self, state: GtsState) -> tuple[Counter, ...]:
        """The units in the hex of the target, itself with what was just read off its counter."""
        target = self.unit(state, self.target)
        if target is None:
            return ()
        stack = {unit.id: unit for unit in state.stack(target)}
        stack[target.id] = target
        return tuple(stack.values())

    def _stack_after(self, state: GtsState, marker: combat.Barrage | None) -> dict[str, Counter]:
        """The units in the hex of the target after the shot, but for its result: under the barrage,
        or out of the park that direct fire breaks up (D5)."""
        changed = {}
        for unit in self._target_stack(state):
            if not self.indirect:
                changed[unit.id] = units.broken_up(unit)
            elif marker:
                # A light barrage does not replace a heavy one.
                heavy = marker == "heavy" or unit.has(Marker.HEAVY_BARRAGE)
                changed[unit.id] = unit.marked(Marker.HEAVY_BARRAGE, heavy).marked(
                    Marker.LIGHT_BARRAGE, not heavy
                )
            else:
                changed[unit.id] = unit
        return changed

    def _target_after(
        self,
        state: GtsState,
        outcome: ShotOutcome,
        roll: int,
        changed: dict[str, Counter],
    ) -> TargetAfter:
        """The target after the result, and the questions that it raises. A result that is not typed
        in is asked for first."""
        if not outcome.hit:
            return TargetAfter(None, [])
        target = self.unit(state, self.target)
        others = self._others_in_hex(state)
        runs = self.facts.running
        if outcome.result is None:
            return TargetAfter(None, [self._look_up(target, others, outcome, roll)])
        if target is None:
            return TargetAfter(None, [])
        taken = inflicted(changed.get(target.id, target), outcome.result, others, runs=runs)
        return TargetAfter(taken.unit, taken.tasks)

    def _look_up(
        self, target: Counter | None, others: tuple[str, ...], outcome: ShotOutcome, roll: int
    ) -> Task:
        """The question for a result that the owner reads off his card."""
        hurt: tuple[str, ...] = ()
        if target:
            hurt = (target.id, *others)
        place = ""
        if self.facts.running:
            place = RUNNING
        return Task(
            kind="look_up",
            units=hurt,
            table=outcome.table,
            column=outcome.color,
            roll=roll,
            place=place,
        )

    def _others_in_hex(self, state: GtsState) -> tuple[str, ...]:
        """The other units in the hex, who take an S? after effective indirect fire of anything but
        a mortar (I12, I13). Leaders take none."""
        firer = self.unit(state, self.firer)
        if firer is None or not self.indirect or state.rules.colors[firer.kind].mortar:
            return ()
        stack = self._target_stack(state)
        return tuple(unit.id for unit in stack if unit.id != self.target and not units.leads(unit))

    def _on_map(self, state: GtsState, marker: combat.Barrage | None, roll: int) -> list[AnyEvent]:
        """The barrage on the hex, and the telephone lines that a ship's 0 cuts (N10)."""
        happenings: list[AnyEvent] = []
        target = self.unit(state, self.target)
        place = self.place
        if target:
            place = target.place
        # A light barrage does not replace a heavy one.
        if place and marker and Marker.HEAVY_BARRAGE not in state.ground.get(place, ()):
            happenings.append(events.MapSeen(ground={place: (f"{marker} barrage",)}))
        line = f"{self.beach} phone lines"
        if roll == 0 and line in state.tracks and self.fires_from_ship(state):
            happenings.append(events.TrackSet(track=line, value=0, why="a 0 cuts them"))
        return happenings

    def _after_shot(self, firer: Counter, *, missed: bool = False) -> Counter:
        """The firer after its shot: acted, its park on the fired side (I5), out of contact after a
        9 (I8) or where a battery used its own eyes (I3)."""
        if self.mode == "op":
            return firer.marked(Marker.FIRED_OP)
        if self.assaulted:
            return firer
        after = units.busy(firer)
        if not self.indirect:
            return after
        if after.has(Marker.IN_PARK):
            after = after.marked(Marker.PARK_FIRED)
        own_eyes = self.sees and firer.kind == COASTAL
        if own_eyes or (missed and firer.kind in (ARTILLERY, COASTAL)):
            after = units.out_of_contact(after)
        return after
