"""The fire of the solitaire German: it is proposed hex by hex, and the rules choose the target."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from msgspec.structs import replace

from skirmish.games.omaha import orders
from skirmish.games.omaha.attacks import printed_range, why_not_combining
from skirmish.games.omaha.commands.attacking import (
    DistanceAnswer,
    attack_command,
    fire_order,
    slots_after_target,
)
from skirmish.games.omaha.fire import Fire
from skirmish.games.omaha.state import OmahaState
from skirmish.games.omaha.units import RATING_WORDS, Mark, rated
from skirmish.tabletop.commands import Answers, Command
from skirmish.tabletop.companion import asking, rating_slots
from skirmish.tabletop.companion.asking import DistancesSlot, UnitsSlot
from skirmish.tabletop.companion.counters import Counter, named
from skirmish.tabletop.slots import Choose, Confirm, Option, Slot

Batteries: TypeAlias = Mapping[str, tuple[Counter, ...]]
"""The solitaire Germans that can still fire. Those of a hex, a battery, stand under its name; one
in an unrecorded hex stands alone under its id."""


def batteries_to_fire(state: OmahaState) -> Batteries:
    """The batteries that may still fire in the fire phase of the solitaire German; none in other
    phases or with two players."""
    if state.phase_id != "german_fire" or not state.setup.solitaire:
        return {}
    batteries: dict[str, tuple[Counter, ...]] = {}
    for unit in state.units("german"):
        if unit.has(Mark.FIRED) or unit.has(Mark.DISRUPTED) or unit.has(Mark.HELD):
            continue
        place = unit.place or unit.id
        batteries[place] = (*batteries.get(place, ()), unit)
    return batteries


def next_battery_command(state: OmahaState, batteries: Batteries) -> Command[Any]:
    """What Space does while there are ``batteries`` to fire: the first of them fires."""
    place = next(iter(batteries))
    label = f"German fire from {_battery_name(batteries[place])}"
    fire = BatteryFire(state, batteries, place).command()
    return replace(fire, label=label, key="space", word="the next German hex fires")


def any_battery_command(state: OmahaState, batteries: Batteries) -> Command[Any]:
    """The fire of a hex that the player names."""
    why = ""
    if not batteries:
        why = "Every German has fired, is disrupted, or sees nobody."
    fire = BatteryFire(state, batteries).command()
    label = "Fire from another German hex"
    return replace(fire, label=label, key="g", word="another German hex fires", why_not=why)


def end_of_german_fire_command(state: OmahaState, batteries: Batteries) -> Command[Any]:
    """Ends the phase although some hexes have not fired; they are named first."""
    waiting = ", ".join(_hex_name(state, place) for place in batteries)
    ends = Confirm(
        name="ends",
        text=f"Not fired yet: {waiting}.",
        key_note="Space ends the phase all the same.",
        optional=False,
        default=True,
        answer_label="End it",
    )

    def make(ends: bool) -> orders.Proceed:
        # The answer only confirms: whoever does not wish it cancels the command.
        return orders.Proceed()

    return Command(
        label="End of German fire",
        key="e",
        word="end of German fire",
        slots=(ends,),
        make=make,
    )


def _battery_name(units: Sequence[Counter]) -> str:
    """``J7: 1/352 and 2/352``, or only the names in a hex that was not written down."""
    if not units[0].place:
        return named(units)
    return f"{units[0].place}: {named(units)}"


class BatteryFire(NamedTuple):
    """The fire of the Germans of a hex.

    "Each hex of eligible German forces will fire at the nearest American unit that is within
    range", with those of its company beside it. The player says whom they see and how far away;
    the program chooses the target.
    """

    state: OmahaState
    batteries: Batteries
    place: str = ""
    """The hex that fires; empty: the player is asked for it."""

    def command(self) -> Command[Any]:
        """The command that makes the battery fire."""
        return attack_command(self.state, self.slots, self.order, label="German fire")

    def units(self, answers: Answers) -> tuple[Counter, ...]:
        """The Germans of the hex that fires; none before the player has named it."""
        place = self.place or answers.get("battery", "")
        return self.batteries.get(place, ())

    def order(self, answers: Answers) -> Fire | orders.HoldFire:
        """The fire at the target that the rules choose; Germans who see nobody hold their fire."""
        units = self.units(answers)
        in_sight = answers.get("seen")
        typed = rating_slots.typed_ratings(answers)
        if not in_sight:
            return orders.HoldFire(units=tuple(unit.id for unit in units), ratings=typed)
        target, why = _nearest_target(self.state, in_sight, typed)
        distance = in_sight[target]
        firing = [unit.id for unit in rated(units, typed) if printed_range(unit) >= distance]
        if not firing:
            # If the target is beyond the range of all, all are named, and the order is refused.
            firing = [unit.id for unit in units]
        comrades = answers.get("others") or ()
        attackers = (*firing, *comrades)
        # All of the battery stand in one hex, whose distance was typed with the target. The
        # distances of comrades in hexes beside it are answers of their own (``_slots_of_fire``).
        known_distances = {unit.place: distance for unit in units}
        fire_answers = {**answers, "attackers": attackers, "target": target}
        return fire_order(fire_answers, why=why, known_distances=known_distances)

    def slots(self, answers: Answers) -> Iterator[Slot]:
        """What is asked for the shot, as far as the ``answers`` have led: which battery, whom it
        sees, and the ratings that are not known yet."""
        if not self.place:
            yield self._which_battery()
        units = self.units(answers)
        if not units:
            return
        yield from rating_slots.rating_slots(units, ("range",), RATING_WORDS)
        yield self._seen_slot(rated(units, rating_slots.typed_ratings(answers)))
        in_sight = answers.get("seen")
        if not in_sight:
            return
        yield from self._ratings_of_tied(in_sight)
        others = self._comrades_beside(units)
        if others:
            text = "Which of their company beside them see it too?"
            yield UnitsSlot(name="others", text=text, options=asking.counter_options(others))
        yield from self._slots_of_fire(answers, units)

    def _which_battery(self) -> Choose:
        """The question which Germans fire next; the first of those who have not is proposed."""
        options = []
        for place, units in self.batteries.items():
            options.append(Option(value=place, label=_battery_name(units)))
        first = next(iter(self.batteries), None)
        return Choose(name="battery", text="Which Germans?", options=tuple(options), default=first)

    def _seen_slot(self, units: Sequence[Counter]) -> DistancesSlot:
        """The question which Americans are in sight. Those in range are proposed if all distances
        are known, otherwise nobody is: whoever is in sight has to be typed."""
        state = self.state
        place = units[0].place
        ranges = ", ".join(f"{unit.name} (range {unit.rating('range')})" for unit in units)
        text = f"{ranges}. Which Americans do they see within that, and how far?"
        if place:
            text = f"{place}: {text}"
        options: list[Option] = []
        for american_hex in state.targets_of("us"):
            names = named(state.at_target(american_hex, "us"))
            label = f"{_hex_name(state, american_hex)} ({names})"
            options.append(Option(value=american_hex, label=label))
        reach = max(printed_range(unit) for unit in units)
        in_range = self._hexes_in_range(place, reach)
        # Enter without any hex says that they see nobody, and ``order`` then makes them hold their
        # fire, whether the distances are known or not.
        hold_words = ""
        if not in_range:
            hold_words = "they hold their fire"
        return DistancesSlot(
            name="seen",
            text=text,
            options=tuple(options),
            default=in_range,
            default_text=hold_words,
        )

    def _hexes_in_range(self, place: str, reach: int) -> dict[str, int]:
        """The hexes of Americans within ``reach`` of a hex, with their distances. Empty if one of
        the distances has not been counted: the nearest hex may be that one."""
        in_range = {}
        for american_hex in self.state.targets_of("us"):
            distance = self.state.distance(place, american_hex)
            if distance is None:
                return {}
            if distance <= reach:
                in_range[american_hex] = distance
        return in_range

    def _ratings_of_tied(self, in_sight: Mapping[str, int]) -> Iterator[Slot]:
        """The HE factors of the units in several nearest hexes, which decide between these."""
        nearest = _nearest_hexes(in_sight)
        if len(nearest) > 1:
            tied = [unit for place in nearest for unit in self.state.at_target(place, "us")]
            yield from rating_slots.rating_slots(tied, ("he",), RATING_WORDS)

    def _comrades_beside(self, units: Sequence[Counter]) -> list[Counter]:
        """Those of the same company, in hexes beside this one, who may combine with its units."""
        comrades = []
        for battery in self.batteries.values():
            for unit in battery:
                if unit in units:
                    continue
                why_not = why_not_combining(self.state, (*units, unit), fire=True)
                if not why_not:
                    comrades.append(unit)
        return comrades

    def _slots_of_fire(self, answers: Answers, units: Sequence[Counter]) -> Iterator[Slot]:
        """What any fire asks for after its target, without the ranges and distances given here."""
        fire = self.order(answers)
        assert isinstance(fire, Fire)  # somebody is in sight, so they do not hold their fire
        given_here = {DistanceAnswer(unit.place).name for unit in units}
        given_here |= {rating_slots.RatingAnswer("range", unit.id).name for unit in units}
        for slot in slots_after_target(self.state, fire, answers):
            if slot.name not in given_here:
                yield slot


def _nearest_hexes(in_sight: Mapping[str, int]) -> tuple[str, ...]:
    """Those of the hexes in sight that are at the shortest distance."""
    shortest = min(in_sight.values())
    return tuple(place for place, distance in in_sight.items() if distance == shortest)


class _NearestTarget(NamedTuple):
    """The target that the rules choose."""

    target: str
    """A hex, or the id of a unit in an unrecorded one."""
    why: str
    """Why it is the nearest, in words."""


def _nearest_target(
    state: OmahaState, in_sight: Mapping[str, int], typed: Mapping[str, dict[str, int]]
) -> _NearestTarget:
    """The target that has to be fired at: "if two American targets are equidistant", the one "with
    the most HE firepower factors". The ratings just ``typed`` count."""
    he_factors = {}
    for place in _nearest_hexes(in_sight):
        units = rated(state.at_target(place, "us"), typed)
        he_factors[place] = sum(unit.rating("he") for unit in units)
    # Of several with equally many factors it is the first that the player named.
    target = max(he_factors, key=he_factors.__getitem__)
    if len(he_factors) > 1:
        return _NearestTarget(target, _why_most_factors(state, target, he_factors))
    distance = in_sight[target]
    if distance == 1:
        return _NearestTarget(target, "the nearest, 1 hex away")
    return _NearestTarget(target, f"the nearest, {distance} hexes away")


def _why_most_factors(state: OmahaState, target: str, he_factors: Mapping[str, int]) -> str:
    """Why this one of several nearest hexes is the target: ``as near as K6, and with more HE``."""
    others = [place for place in he_factors if place != target]
    names = " and ".join(_hex_name(state, place) for place in others)
    compared = "more"
    if he_factors[target] == max(he_factors[place] for place in others):
        compared = "as much"
    return f"as near as {names}, and with {compared} HE"


def _hex_name(state: OmahaState, target: str) -> str:
    """The name of a hex, or of the unit whose id stands for an unrecorded one."""
    if target in state.counters.counters:
        return state.counters[target].name
    return target
