"""The order of fire: who may fire at whom, and the shot with its rolls.

A ``Shoot`` is asked three things before it is given: what is still to be read off the counters
(``unread`` and ``missing``), whether the charts allow it (``why_not`` and ``advice``), and its
chances (``weighed``). ``carry_out`` then rolls; what becomes of firer and target is in
``aftermath``. Names such as D3 are boxes of the charts, such as G7 rulings.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from skirmish.games.gts import combat, orders, units
from skirmish.games.gts.aftermath import FiredShot, events_of_fired_shot, firer_after
from skirmish.games.gts.combat import ShotFacts, ShotOutcome
from skirmish.games.gts.events import AnyEvent, Checked
from skirmish.games.gts.objections import Objection, longest_range, objections
from skirmish.games.gts.orders import GtsOrder, unit_of
from skirmish.games.gts.rolls import HIGHEST_ROLL, pass_chance
from skirmish.games.gts.ruleset import ASSAULT_MODES, MISS, GtsTables, Mode
from skirmish.games.gts.state import GtsState
from skirmish.games.gts.units import ARTILLERY, COASTAL, Marker, assault_color
from skirmish.tabletop.companion.counter_events import counters_set
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.modifiers import Sum
from skirmish.tabletop.companion.numbers import Numbers
from skirmish.tabletop.companion.result_table import mixed
from skirmish.tabletop.companion.table_state import evolved
from skirmish.tabletop.companion.typed_facts import typed_values
from skirmish.tabletop.refusal import nonsense

STEPS_OF_COMPANY = 2
"""The steps of a unit that may have the company bonus (Other Actions)."""
COMPANY_BONUS = "company bonus"
"""What a check for it is for, as the journal calls it."""
SPOTTING_RATING = 6
"""A ship that does not see its target fires if it rolls no more than this (N9)."""
Printed = dict[str, Any]
"""What was read off a counter: ratings by their names, ``color`` (that of the fire rating),
``assault_color`` (that of the assault rating) and ``armored`` (whether the defense is on black).
Orders are stored with it."""
COLORS_AND_ARMOR = ("color", "assault_color", "armored")
"""The names in ``Printed`` that are not those of ratings."""


class Unread(NamedTuple):
    """What is still to be read off the counter of a unit for a shot: ``names`` that ``Printed``
    may have."""

    unit: str
    names: tuple[str, ...]


class WeighedShot(NamedTuple):
    """A shot before its roll."""

    expected: ShotOutcome
    """What it needs. If the company bonus is still to be rolled for, it is left out."""
    chances: dict[str, Fraction]
    """The chance of every result, with all rolls before the shot."""


class Shoot(GtsOrder, frozen=True, kw_only=True, tag="shoot"):
    """One shot at a unit or at a hex."""

    firer: str = ""
    """The unit that fires; empty if it is no unit, such as the nests of a beach."""
    target: str = ""
    """The unit that is fired at; empty for a unit that is not entered, and for an empty hex."""
    facts: ShotFacts = ShotFacts(mode="direct", color="", rating=0)
    """What the players said of the shot: its circumstances, and what no counter shows, such as the
    color and rating of a nest. (``full_facts`` adds what counters show.)"""
    place: str = ""
    """The hex at which it is aimed, if that is empty of units."""
    near: bool = False
    """Whether an enemy was adjacent to the firer as the action began: then its range is 1."""
    sees: bool = False
    """Whether a coastal battery or a ship sees its target itself, and needs no other unit to see
    it."""
    box: int = 0
    """The number of the range box of a ship; 0 for all others."""
    beach: str = ""
    """The beach whose telephone lines a ship may cut."""
    assault_rating: bool = False
    """Whether the unit fires with its assault rating."""
    bonus: bool | None = None
    """Whether it has the company bonus, as the players say; None: nobody has said so
    (``bonus_known``)."""
    spend: bool = False
    """Whether a command point is paid for the bonus instead of a roll."""
    out: bool = False
    """Whether the firer is out of command, as its players say."""
    printed: dict[str, Printed] = msgspec.field(default_factory=dict)
    """What was read off counters for this shot, by unit."""
    values: dict[str, int] = msgspec.field(default_factory=dict)
    """The modifiers of the card that were typed for this shot."""
    numbers: tuple[int, ...] = ()
    """The player's own rolls: that of ``check``, if there is one, then that of the shot."""

    @property
    def acting(self) -> tuple[str, ...]:
        return (self.firer,)

    @property
    def mode(self) -> Mode:
        """Direct or indirect fire, opportunity fire, or a shot of an assault."""
        return self.facts.mode

    @property
    def is_indirect(self) -> bool:
        """Whether it is indirect fire, which may be aimed at what the firer itself does not see."""
        return self.mode == "indirect"

    @property
    def is_in_assault(self) -> bool:
        """Whether it is a shot of either side of an assault."""
        return self.mode in ASSAULT_MODES

    # -------------------------------------------------------------- the facts

    def _firing_unit(self, state: GtsState) -> Counter | None:
        """The firer with what was just read off its counter; None if it is no unit. Raises
        Refused."""
        if not self.firer:
            return None
        return self._as_read(unit_of(state, self.firer))

    def _target_unit(self, state: GtsState) -> Counter | None:
        """The target with what was just read off its counter; None if it is no unit. Raises
        Refused."""
        if not self.target:
            return None
        return self._as_read(unit_of(state, self.target))

    def _as_read(self, unit: Counter) -> Counter:
        """A unit with what was just read off its counter."""
        printed = self.printed.get(unit.id, {})
        color = str(printed.get("color", unit.kind))
        color_of_assault = printed.get("assault_color", "")
        is_armored = printed.get("armored", False)
        ratings = dict(unit.ratings)
        for name, value in printed.items():
            if name not in COLORS_AND_ARMOR:
                ratings[name] = int(value)
        traits = list(unit.traits)
        if is_armored:
            traits.append("armored")
        if color_of_assault:
            traits.append(units.ASSAULT_COLOR + color_of_assault)
        return replace(
            unit,
            kind=color,
            # A trait that the unit has already is not added again.
            traits=tuple(dict.fromkeys(traits)),
            ratings=ratings,
        )

    def fires_from_ship(self, state: GtsState) -> bool:
        """Whether a ship fires."""
        return bool(self.firer) and "ship" in unit_of(state, self.firer).traits

    def tables(self, state: GtsState) -> GtsTables:
        """The card with what was typed for this shot."""
        return state.tables.with_values(self.values)

    def full_facts(self, state: GtsState, *, bonus: bool) -> ShotFacts:
        """All that counts in the shot: what the players said, the conditions, what the counters
        show, and whether the firer has the company ``bonus``."""
        facts = self._with_conditions(state, replace(self.facts, company_bonus=bonus))
        facts = self._with_target(state, facts)
        return self._with_firer(state, facts)

    def _with_conditions(self, state: GtsState, facts: ShotFacts) -> ShotFacts:
        """The facts with light and weather of the game."""
        fog = state.weather == "fog"
        rain = state.weather == "rain"
        return replace(facts, night=state.night, fog=fog, rain=rain)

    def _with_target(self, state: GtsState, facts: ShotFacts) -> ShotFacts:
        """The facts with what the counter of the target shows, and the steps in its hex."""
        target = self._target_unit(state)
        if target is None:
            return facts
        target_facts = replace(
            facts.target,
            defense=target.rating("defense"),
            armored="armored" in target.traits,
            column=target.has(Marker.IN_COLUMN),
            ip=target.has(Marker.IMPROVED),
            entrenched=target.has(Marker.ENTRENCHED),
        )
        mass = facts.mass
        # Nobody has said how many steps are in the hex, so those that are entered are counted.
        if mass is None:
            mass = state.steps_in_hex(target)
        return replace(facts, target=target_facts, mass=mass)

    def _with_firer(self, state: GtsState, facts: ShotFacts) -> ShotFacts:
        """The facts with what the counter of the firer shows, and with its range."""
        firer = self._firing_unit(state)
        if firer is None:
            # How far nests and the like reach is not known, so any distance is within range.
            return replace(facts, max_range=facts.hexes)
        # The markers say nothing of bocage: the players said whether the firer is in it.
        firer_facts = replace(
            units.firer_of(firer),
            bocage=facts.firer.bocage,
            suppressed=firer.has(Marker.SUPPRESSED),
            near=self.near,
            park=firer.has(Marker.IN_PARK),
        )
        facts = replace(
            facts,
            color=self._color_used(firer),
            rating=firer.rating(self._rating_used),
            firer=firer_facts,
            max_range=self._printed_range(firer),
        )
        # An assault is fought between adjacent hexes, so its range says nothing.
        if self.is_in_assault:
            return facts
        return replace(facts, max_range=longest_range(state.rules, facts))

    def _color_used(self, firer: Counter) -> str:
        """The color of the rating with which it fires. As long as that of the assault rating is not
        typed in, it is the one of the fire rating, which most counters print in the same color."""
        if self.assault_rating:
            return assault_color(firer) or firer.kind
        return firer.kind

    def _printed_range(self, firer: Counter) -> int:
        """How many hexes of the map the printed range of the firer covers. Without one a unit fires
        at adjacent hexes."""
        hexes = max(firer.rating("range"), 1)
        if self.is_indirect:
            # The hexes between a ship and the coast are not on the map: its range box counts them.
            # Ships fire indirectly only, and for all other units the box is 0.
            hexes -= self.box
        return hexes

    # -------------------------------------------------------------- whether it is allowed

    def _objections(self, state: GtsState) -> Iterator[Objection]:
        """The reasons for which the charts do not allow the shot; none if no unit fires."""
        firer = self._firing_unit(state)
        if firer is None:
            return
        # The facts have the color of the rating that is used. Some charts ask for that of the fire
        # rating, also where a unit uses its assault rating; only there it is named besides.
        fire_color = ""
        if self.assault_rating:
            fire_color = firer.kind
        yield from objections(
            state.rules,
            self.full_facts(state, bonus=False),  # no chart asks for the bonus
            firer.name,
            fire_color=fire_color,
            ship=self.fires_from_ship(state),
        )

    def why_not(self, state: GtsState) -> str:
        """Why the shot is not allowed; empty if it is."""
        firer = self._firing_unit(state)
        # The charts restrict units only. Nests, and plain shots such as that of the sea at landing
        # craft, are always allowed.
        if firer is None or self.facts.plain:
            return ""
        if self._has_no_rating(firer):
            return f"{firer.name} has no {self._rating_used} rating."
        for objection in self._objections(state):
            if objection.firm:
                return objection.text
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
        """Whether somebody has said that the counter prints no such rating, which is stored as
        None. A rating that nobody has typed in yet is not stored at all."""
        name_on_side = firer.rating_key(self._rating_used)
        return name_on_side in firer.ratings and firer.ratings[name_on_side] is None

    def advice(self, state: GtsState) -> str:
        """What speaks against the shot, going by the markers that were entered; empty if nothing
        does. A marker may be out of date, so the players may insist."""
        firer, target = self._firing_unit(state), self._target_unit(state)
        if target is not None and target.has(Marker.ENTRY_HEX):
            return f"{target.name} is in an entry hex; nobody fires at it there."
        if firer is None or self.facts.plain:
            return ""
        for objection in self._objections(state):
            if not objection.firm:
                return objection.text
        if self.is_indirect:
            return self._advice_on_indirect_fire(state, firer)
        if self.mode == "defense" and not self.assault_rating:
            return self._advice_on_defender(firer)
        return ""

    def _advice_on_indirect_fire(self, state: GtsState, firer: Counter) -> str:
        """What speaks against indirect fire of this unit (I1 and I3)."""
        name = firer.name
        is_in_contact = firer.has(Marker.IN_CONTACT)
        if firer.has(Marker.ENTRY_HEX):
            return f"{name} is in an entry hex."
        # Ships fire without a park, from their range box.
        if firer.kind == ARTILLERY and not self.fires_from_ship(state):
            if not firer.has(Marker.IN_PARK):
                return f"{name} fires indirectly only from an artillery park; A creates one."
            if not is_in_contact:
                return f"{name} is in contact with no leader."
        if firer.kind == COASTAL:
            if self.out:
                return f"{name} is out of command."
            if not self.sees and not is_in_contact:
                return f"{name} neither sees its target nor is in contact with a leader."
        return ""

    def _advice_on_defender(self, firer: Counter) -> str:
        """What speaks against the use of its fire rating by an assaulted unit (A15)."""
        name = firer.name
        if firer.has(Marker.SUPPRESSED):
            return f"{name} is suppressed; it fires once, with its assault rating."
        if assault_color(firer) not in ("", "white"):
            return f"The assault rating of {name} is colored; it is used for both shots."
        return ""

    def unread(self, state: GtsState) -> list[Unread]:
        """What the state does not know yet of the counters of firer and target. What was typed for
        this shot (``printed``) is still in the list, or its question would vanish once answered."""
        unread = []
        if self.firer:
            names = self._unread_of_firer(state)
            if names:
                unread.append(Unread(self.firer, names))
        # In a plain shot no modifier counts, and so no defense.
        defense_counts = bool(self.target) and not self.facts.plain
        # Whether the defense is on black is read off together with it.
        if defense_counts and unit_of(state, self.target).missing(["defense"]):
            unread.append(Unread(self.target, ("defense", "armored")))
        return unread

    def _unread_of_firer(self, state: GtsState) -> tuple[str, ...]:
        """The names of what this shot needs from the firer's counter and the state does not know
        yet."""
        firer = unit_of(state, self.firer)
        ratings = [self._rating_used]
        if not self.is_in_assault:
            ratings.append("range")
        # Troop quality is needed only where it is checked.
        if self.mode == "op" or self.rolls_for_bonus(state):
            ratings.append("tq")
        unread = []
        if not firer.kind:
            unread.append("color")
        unread += firer.missing(ratings)
        if self.assault_rating and not assault_color(firer):
            unread.append("assault_color")
        return tuple(unread)

    # -------------------------------------------------------------- rolls before the shot

    def may_have_bonus(self, state: GtsState) -> bool:
        """Whether the firer may have the company bonus; opportunity fire has none."""
        if not self.firer or self.facts.plain or self.mode == "op":
            return False
        return units.steps_of(unit_of(state, self.firer)) == STEPS_OF_COMPANY

    def bonus_known(self, state: GtsState) -> bool | None:
        """Whether the firer has the company bonus; None if that is not known before a roll. A roll
        counts for both shots of a unit in an assault (A15, A19)."""
        if self.spend:
            return True
        if self.bonus is not None:
            return self.bonus
        if self.is_in_assault:
            return state.bonuses.get(self.firer)
        return None

    def rolls_for_bonus(self, state: GtsState) -> bool:
        """Whether the firer checks for the company bonus."""
        return self.bonus_known(state) is None and self.may_have_bonus(state)

    def purpose_of_first_roll(self, state: GtsState) -> str:
        """The purpose, in words, of a roll without which there is no shot: that of opportunity fire
        (D3), or of a ship that does not see its target (N9). Empty if there is no such roll."""
        if self.mode == "op":
            return "opportunity fire"
        if self._is_spotted_by_roll(state):
            return "spotting"
        return ""

    def _is_spotted_by_roll(self, state: GtsState) -> bool:
        """Whether a ship fires that does not see its target itself."""
        return self.is_indirect and self.fires_from_ship(state) and not self.sees

    def check(self, state: GtsState) -> Sum | None:
        """What the roll before the shot needs: a check of troop quality, for opportunity fire or
        the company bonus, or the spotting of a ship. None if there is no such roll."""
        if self._is_spotted_by_roll(state):
            return Sum(rating=SPOTTING_RATING)
        firer = self._firing_unit(state)
        is_checked = self.mode == "op" or self.rolls_for_bonus(state)
        if firer is None or not is_checked:
            return None
        return self._quality_check(state, firer)

    def _quality_check(self, state: GtsState, firer: Counter) -> Sum:
        """What the firer needs to pass a check of its troop quality."""
        facts = units.check_facts(firer, out=self.out)
        return combat.check_sum(self.tables(state), state.rules, facts)

    def missing(self, state: GtsState) -> tuple[str, ...]:
        """The ids of the modifiers of the shot and its check that the card has yet to give."""
        sums = [self._fire_sum(state, bonus=self._surely_has_bonus(state))]
        # The bonus brings a modifier that the shot without it does not have.
        if self.rolls_for_bonus(state):
            sums.append(self._fire_sum(state, bonus=True))
        check = self.check(state)
        if check is not None:
            sums.append(check)
        missing: list[str] = []
        for total in sums:
            missing += total.missing
        return tuple(dict.fromkeys(missing))  # each once, in this order

    def _surely_has_bonus(self, state: GtsState) -> bool:
        """Whether the firer has the company bonus without a roll for it."""
        return self.bonus_known(state) is True

    def _fire_sum(self, state: GtsState, *, bonus: bool) -> Sum:
        """The modified rating of the shot, with or without the company bonus."""
        facts = self.full_facts(state, bonus=bonus)
        return combat.fire_sum(self.tables(state), state.rules, facts)

    def _outcome(self, state: GtsState, *, bonus: bool, roll: int | None = None) -> ShotOutcome:
        """The shot with or without the company bonus; without a ``roll`` its chances only."""
        facts = self.full_facts(state, bonus=bonus)
        return combat.fire(self.tables(state), state.rules, facts, roll)

    # -------------------------------------------------------------- chances

    def refuse(self, state: GtsState) -> None:
        """Raises Refused if the shot is not allowed, or if it is advised against and the players do
        not insist."""
        why = self.why_not(state)
        if why:
            raise nonsense("no_fire", why)
        self.advise(self.advice(state))

    def weighed(self, state: GtsState) -> WeighedShot:
        """The shot before its roll. Raises Refused."""
        self.refuse(state)
        expected = self._outcome(state, bonus=self._surely_has_bonus(state))
        check = self.check(state)
        if check is None:
            return WeighedShot(expected, expected.chances)
        chance = pass_chance(check.needs, literal=state.rules.less_than_is_literal)
        # Without the first roll there is no shot at all; the bonus only makes it better.
        if self.purpose_of_first_roll(state):
            no_shot = {MISS: Fraction(1)}
            return WeighedShot(expected, mixed(chance, expected.chances, no_shot))
        with_bonus = self._outcome(state, bonus=True)
        return WeighedShot(expected, mixed(chance, with_bonus.chances, expected.chances))

    # -------------------------------------------------------------- the shot

    def text(self, state: GtsState) -> str:
        """The shot in words: ``1/505 fires at A/21``."""
        firer = self._firing_unit(state)
        who = f"A rating of {self.facts.rating} in {self.facts.color}"
        if firer is not None:
            who = firer.name
        verb = "fires"
        if self.mode == "op":
            verb = "takes opportunity fire"
        return f"{who} {verb} at {self._target_text(state)}"

    def _target_text(self, state: GtsState) -> str:
        """The target in words."""
        target = self._target_unit(state)
        if target is not None:
            return target.name
        is_unit_not_entered = not self.facts.empty
        if is_unit_not_entered:
            return "its target"
        if self.place:
            return f"the empty hex {self.place}"
        return "an empty hex"

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        if self.missing(state):
            raise nonsense("no_value", "A modifier of your card is missing.")
        self.refuse(state)
        numbers = orders.dice(state, self.numbers)
        events_of_shot = self._events_of_shot(state, numbers)
        # The rolls are known only now, but in the journal they stand before what follows from them.
        return [*numbers.events, *events_of_shot]

    def _events_of_shot(self, state: GtsState, numbers: Numbers) -> list[AnyEvent]:
        """What was read and typed, the action with its cost, the check, then the shot."""
        happenings: list[AnyEvent] = [*typed_values(self.values)]
        firer, target = self._firing_unit(state), self._target_unit(state)
        happenings += counters_set(state, [unit for unit in (firer, target) if unit is not None])
        if firer is not None:
            happenings += self._events_of_action(state, firer, happenings)
        bonus = self._surely_has_bonus(state)
        check = self.check(state)
        # There is a check only where a unit fires; the type checker does not know that.
        if firer is not None and check is not None:
            first_purpose = self.purpose_of_first_roll(state)
            purpose = first_purpose or COMPANY_BONUS
            checked = self.roll_check(state, firer, purpose, check, numbers)
            happenings.append(checked)
            if not first_purpose:
                bonus = checked.passed
            elif not checked.passed:
                # There is no shot, and so no roll of it, but the unit has used its chance and is
                # marked for it.
                after = firer_after(firer, self.mode, sees=self.sees, is_highest_roll=False)
                return [*happenings, *counters_set(state, [after])]
        fired_shot = self._fired_shot(state, firer, target, bonus=bonus, roll=numbers.number())
        return [*happenings, *events_of_fired_shot(state, fired_shot)]

    def _events_of_action(
        self, state: GtsState, firer: Counter, earlier_events: list[AnyEvent]
    ) -> list[AnyEvent]:
        """The action under the present chit, and the command point for the company bonus, which
        follow the ``earlier_events`` of the order. Fire in reaction and in an assault is no action
        of its own."""
        happenings: list[AnyEvent] = []
        if self.mode in ("direct", "indirect"):
            happenings += self.action_events(state, firer, "fire", out=self.out)
        if self.spend:
            # The action may have cost a point, too.
            after_action = evolved(state, [*earlier_events, *happenings])
            happenings += orders.paid(after_action, firer, COMPANY_BONUS)
            if state.setup.scope == "fire":
                # No track shows the point, so the journal says that it was spent.
                happenings.append(self._bonus_bought(state, firer))
        return happenings

    def _bonus_bought(self, state: GtsState, firer: Counter) -> AnyEvent:
        """The check for the company bonus as one that a command point has passed."""
        total = self._quality_check(state, firer)
        return Checked(unit=firer.id, why=COMPANY_BONUS, sum=total, passed=True)

    def _fired_shot(
        self,
        state: GtsState,
        firer: Counter | None,
        target: Counter | None,
        *,
        bonus: bool,
        roll: int,
    ) -> FiredShot:
        """The shot with its roll, and with or without the company bonus."""
        facts = self.full_facts(state, bonus=bonus)
        # A roll of 9 leaves no barrage (I8, I14).
        barrage: combat.Barrage | None = None
        if self.is_indirect and roll != HIGHEST_ROLL:
            barrage = combat.barrage(self.tables(state), state.rules, facts)
        # The first shot of an assault stores whether it has the bonus, and the second uses that up.
        is_first_of_assault = self.is_in_assault and self.firer not in state.bonuses
        bonus_for_second_shot: bool | None = None
        if is_first_of_assault and self.may_have_bonus(state):
            bonus_for_second_shot = bonus
        place = self.place
        if target is not None:
            place = target.place
        beach_of_ship = ""
        if self.fires_from_ship(state):
            beach_of_ship = self.beach
        return FiredShot(
            text=self.text(state),
            facts=facts,
            firer=firer,
            target=target,
            place=place,
            sees=self.sees,
            beach_of_ship=beach_of_ship,
            roll=roll,
            outcome=self._outcome(state, bonus=bonus, roll=roll),
            barrage=barrage,
            bonus_for_second_shot=bonus_for_second_shot,
        )
