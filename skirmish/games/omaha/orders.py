"""The orders of Omaha other than attacks: the turn, units and where they are, losses and retreats.

Each is decided into events, or refused with a sentence. Every draw is stored in its event.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar, NamedTuple

from msgspec.structs import replace

from skirmish.games.omaha.ruleset import SIDES, Side, UnitKind
from skirmish.games.omaha.state import DECK, NAVY, AnyEvent, OmahaState, TurnCard
from skirmish.games.omaha.units import (
    Mark,
    counts_in_stack,
    new_unit,
    rated,
    recovery_of,
    why_not_act,
)
from skirmish.tabletop.companion import counter_events, events
from skirmish.tabletop.companion.asking import NOWHERE
from skirmish.tabletop.companion.counters import Counter, Register, name_taken
from skirmish.tabletop.companion.numbers import Numbers, roll_weights
from skirmish.tabletop.companion.table_orders import AgendaOrder
from skirmish.tabletop.companion.table_state import Task
from skirmish.tabletop.refusal import nonsense, not_asked


def rolls_of(state: OmahaState) -> dict[int, int]:
    """The numbers that may be rolled or drawn next, with their weights."""
    # Without a deck of the program every number is equally likely.
    if state.setup.chance != "cards":
        return roll_weights(None)
    return roll_weights(state.cups.get(DECK))


class OmahaOrder(AgendaOrder, frozen=True, kw_only=True):
    """What a player of Omaha wants; one that the rules refuse raises Refused."""

    def carry_out(self, state: OmahaState) -> list[AnyEvent]:
        """The events of the order. Raises Refused."""
        raise NotImplementedError


# ------------------------------------------------------------------ the turn


class Proceed(OmahaOrder, frozen=True, kw_only=True, tag="proceed"):
    """The phase is over, and the next one begins."""

    def carry_out(self, state: OmahaState) -> list[AnyEvent]:
        return _next_phase(state)


def _next_phase(state: OmahaState) -> list[AnyEvent]:
    """The events as a phase ends: markers come off, and then the next phase begins or the game
    ends."""
    # The advance also names the phases that it skips. There are none: only the set-up is ever left
    # out, and it is not named once it is over.
    position = state.sequence.advance_from(state.position).position
    removed = list(Mark.PASSING)
    if position is None or position.turn != state.position.turn:
        # "May not move or fire on the turn that they are placed": until the game turn ends.
        removed.append(Mark.LANDED)
    cleared = counter_events.MarkersCleared(flags=tuple(removed), silent=True)
    if position is None:
        return [cleared, events.TableEnded(text=f"The game is over: {state.result()}.")]
    begun = events.PhaseBegun(position=position)
    if state.sequence.phase_at(position).id == "us_fire":
        return [cleared, begun, *_full_naval_gunfire(state)]
    return [cleared, begun]


def _full_naval_gunfire(state: OmahaState) -> list[AnyEvent]:
    """The event that the navy has all of its packets again; none if it has, or if there is no navy.
    They are those of one American fire phase: none are saved for the next one."""
    navy = state.tracks.get(NAVY)
    if navy is None or navy.value == navy.high:
        return []
    return [events.TrackSet(track=NAVY, value=navy.high, why="a new fire phase")]


class DrawCard(OmahaOrder, frozen=True, kw_only=True, tag="draw_card"):
    """Draws the action card of a turn."""

    card: str = ""
    """The id of the card that the owner drew from his own deck; empty if the program draws."""

    def carry_out(self, state: OmahaState) -> list[AnyEvent]:
        if state.phase_id != "card":
            raise nonsense("no_card_now", "The action card is drawn as the American turn begins.")
        if DECK in state.cups:
            numbers = Numbers(state, DECK)
            card = state.setup.card(numbers.next_card())
            return [*numbers.events, TurnCard(card=card.id), *_next_phase(state)]
        known_cards = [card.id for card in state.setup.cards]
        if self.card not in known_cards:
            raise nonsense("no_card", "Say which card you drew.")
        return [TurnCard(card=self.card), *_next_phase(state)]


class Recover(OmahaOrder, frozen=True, kw_only=True, tag="recover"):
    """Draws a number for each disrupted unit of the active side ("Disruption Removal Phase"), and
    removes the Fired markers of that side."""

    numbers: tuple[int, ...] = ()
    """What the owner rolled or drew himself, in the order of the units."""

    def carry_out(self, state: OmahaState) -> list[AnyEvent]:
        if not state.sequence.allows(state.position, "recovery"):
            raise nonsense("no_recovery_now", "Units recover as their own turn begins.")
        side = state.side
        setup = state.setup
        numbers = Numbers(state, DECK, self.numbers)
        # M27: whether the Germans use up cards as well, or roll the die.
        side_uses_cards = side == "us" or setup.ruled("M27", "card")
        by_cards = setup.chance == "cards" and side_uses_cards
        rolls = []
        for unit in state.units(side, flag=Mark.DISRUPTED):
            roll = numbers.number(cards=by_cards)
            recovery = recovery_of(setup, unit)
            highest_that_recovers = setup.tables.recovery[recovery]
            recovers = roll <= highest_that_recovers
            rolls.append(counter_events.MarkerRoll(unit.id, roll, recovers))
        cleared = counter_events.MarkersCleared(side=side, flags=(Mark.FIRED,))
        recovered = counter_events.MarkersRolled(
            marker=Mark.DISRUPTED, rolls=tuple(rolls), does_not="stays disrupted"
        )
        return [*numbers.events, recovered, cleared, *_next_phase(state)]


# ------------------------------------------------------------------ units, and where they are


class EnterUnits(OmahaOrder, frozen=True, kw_only=True, tag="enter_units"):
    """Adds units for which the owner has counters. Their ratings are typed when they matter."""

    side: Side
    company: str
    kind: UnitKind
    names: tuple[str, ...]
    place: str = ""
    """The hex of all units, unless each has its own in ``places``."""
    places: tuple[str, ...] = ()
    """The hex of each unit, in the order of the names."""

    def carry_out(self, state: OmahaState) -> list[AnyEvent]:
        places = self._place_of_each()
        # A unit that is not due yet may be typed in ahead; it waits off the map.
        waits = not state.may_come(self.company)
        if waits and any(places):
            raise nonsense("too_early", f"{self.company} is not due yet; enter it without a hex.")
        lands = state.lands(self.company)
        register = state.counters
        units: list[Counter] = []
        for name, place in zip(self.names, places, strict=True):
            if any(counter.name == name for counter in register):
                raise nonsense("known", name_taken(name))
            unit = self._new_unit(state, register, name)
            unit = unit.marked(Mark.WAITING, waits).marked(Mark.LANDED, lands)
            unit = replace(unit, place=place)
            register = register.with_counter(unit)
            units.append(unit)
        entered: list[AnyEvent] = [counter_events.CounterSet(counter=unit) for unit in units]
        for place in dict.fromkeys(places):
            in_hex = [unit for unit in units if unit.place == place]
            entered += _control_on_entering(state, in_hex, place, landing=lands)
        return entered

    def _place_of_each(self) -> tuple[str, ...]:
        """The hex of each unit, in the order of the names."""
        if not self.places:
            return (self.place,) * len(self.names)
        if len(self.places) != len(self.names):
            raise nonsense("places", "Name a hex for each unit, or one for all of them.")
        return self.places

    def _new_unit(self, state: OmahaState, register: Register, name: str) -> Counter:
        """A unit of the company. If that stands for several, the unit's name tells of which."""
        arrival = state.setup.scenario.arrival(self.company)
        company = self.company
        if arrival is not None and arrival.several:
            # Counters print it after the first slash: 2/916 is of the 916th, 1/B/116 of B/116.
            company = name.partition("/")[2] or self.company
        steps = state.setup.tables.numbers.steps
        return new_unit(register, name, self.side, self.kind, group=company, steps=steps)


class MoveUnits(OmahaOrder, frozen=True, kw_only=True, tag="move_units"):
    """Units enter a hex: in their movement, at set-up, or as arrivals."""

    units: tuple[str, ...]
    place: str

    @property
    def acting(self) -> tuple[str, ...]:
        return self.units

    def carry_out(self, state: OmahaState) -> list[AnyEvent]:
        counters = state.counters.counters
        units = [counters[id] for id in self.units if id in counters]
        sides = {unit.side for unit in units}
        if len(sides) != 1:
            raise nonsense("nobody", "Name units of one side.")
        for unit in units:
            why = why_not_move(state, unit)
            if why:
                raise nonsense("cannot_move", f"{unit.name} {why}.")
        lands = any(unit.has(Mark.WAITING) and state.lands(unit.group) for unit in units)
        control = _control_on_entering(state, units, self.place, landing=lands)
        # Opportunity fire is aimed at these units alone, since whoever moved before has stopped.
        stopped = counter_events.MarkersCleared(flags=(Mark.MOVING,), silent=True)
        return [stopped, *self._move_events(state, units, lands=lands), *control]

    def _move_events(
        self, state: OmahaState, units: Sequence[Counter], *, lands: bool
    ) -> list[AnyEvent]:
        """One event for the units on the map and one for those that arrive, since only the latter
        have just landed."""
        arriving = [unit for unit in units if unit.has(Mark.WAITING)]
        on_the_map = [unit for unit in units if not unit.has(Mark.WAITING)]
        moves = self._move_event(state, on_the_map, lands=False)
        arrivals = self._move_event(state, arriving, lands=lands)
        # The journal names first the unit that the player named first.
        if units[0].has(Mark.WAITING):
            return [*arrivals, *moves]
        return [*moves, *arrivals]

    def _move_event(
        self, state: OmahaState, units: Sequence[Counter], *, lands: bool
    ) -> list[AnyEvent]:
        """The event that these units are now in the hex; none without units."""
        if not units:
            return []
        marks = []
        if lands:
            marks.append(Mark.LANDED)
        if state.phase_id != "setup":
            marks.append(Mark.MOVING)
        moved = counter_events.CountersMoved(
            counters=tuple(unit.id for unit in units),
            place=self.place,
            # In a new hex they may be fired at again.
            off=(Mark.WAITING, Mark.SHOT_AT),
            on=tuple(marks),
        )
        return [moved]


def why_not_move(state: OmahaState, unit: Counter) -> str:
    """Why a unit does not move now, without its name (``is eliminated``); empty if it may."""
    is_eliminated = unit.steps == 0
    if is_eliminated:
        return "is eliminated"
    if unit.has(Mark.WAITING):
        return _why_not_arrive(state, unit)
    if state.phase_id == "setup":
        return ""
    if not _is_own_movement(state, unit):
        return "does not move in this phase; set its hex by hand with M"
    # "Once placed, German forces may not move" in the solitaire game, except reinforcements;
    # "gun batteries have no movement factor". Where no side defends, as in Vierville, even a
    # mortar may move.
    defends = state.setup.scenario.holder == unit.side
    was_set_up = not _is_german_by_card(state, unit)
    never_moves = state.setup.solitaire or unit.kind == "gun"
    if defends and was_set_up and never_moves:
        return "stays where it was set up"
    return why_not_act(unit)


def _why_not_arrive(state: OmahaState, unit: Counter) -> str:
    """Why a unit that waits off the map does not enter now; empty if it may."""
    if not state.may_come(unit.group):
        return "is not due yet"
    # M16: whether Germans that a card brings enter only in the German movement, or at once as
    # the card is drawn.
    in_movement_only = state.setup.ruled("M16", "movement") and _is_german_by_card(state, unit)
    if in_movement_only and not _is_own_movement(state, unit):
        return "enters in the German movement"
    return ""


def _is_own_movement(state: OmahaState, unit: Counter) -> bool:
    """Whether it is the movement of the unit's side."""
    return state.sequence.allows(state.position, "move") and unit.side == state.side


def _is_german_by_card(state: OmahaState, unit: Counter) -> bool:
    """Whether a unit is of German reinforcements that a card brings."""
    arrival = state.setup.scenario.arrival(unit.group)
    has_card = arrival is not None and arrival.event != ""
    return has_card and unit.side == "german"


class HoldFire(OmahaOrder, frozen=True, kw_only=True, tag="hold_fire"):
    """Solitaire Germans do not fire, since they see nobody or save their fire for an assault."""

    units: tuple[str, ...]
    ratings: Mapping[str, dict[str, int]] = {}
    """The ratings that were read off their counters and typed for this decision, by unit."""

    @property
    def acting(self) -> tuple[str, ...]:
        return self.units

    def carry_out(self, state: OmahaState) -> list[AnyEvent]:
        units = rated(state.in_play(self.units), self.ratings)
        return [counter_events.CounterSet(counter=unit.marked(Mark.HELD)) for unit in units]


def _control_on_entering(
    state: OmahaState, units: Sequence[Counter], place: str, *, landing: bool = False
) -> list[AnyEvent]:
    """The event that the side of these units now controls the hex which they enter, if it is a
    victory hex of the other side: "the last side to pass a unit through". Raises Refused for a hex
    of the enemy and for a full one."""
    most_units = state.setup.tables.numbers.stack
    if landing:
        most_units = 1  # "no more than one" unit lands in a hex
    why = state.counters.why_not_enter(units, place, most_units, counts_in_stack)
    if why:
        raise nonsense("no_room", why)
    if not units or place not in state.control:
        return []
    side = units[0].side
    if state.control[place] == side:
        return []
    return [events.ControlSet(place=place, side=side, name=SIDES[side])]


# ------------------------------------------------------------------ the outcome of an attack


def after_disruption(units: Sequence[Counter]) -> list[Counter]:
    """The units after a Disrupted result. One that is disrupted already "loses a step instead"."""
    after = []
    for unit in units:
        if unit.has(Mark.DISRUPTED):
            after.append(replace(unit, steps=unit.steps - 1))
        else:
            after.append(unit.marked(Mark.DISRUPTED))
    return after


class LossesTaken(NamedTuple):
    """Units after the losses that all of them share."""

    units: list[Counter]
    tasks: list[Task]
    """The question which units take the rest of the losses; empty if there is no rest."""


def after_losses(units: Sequence[Counter], count: int) -> LossesTaken:
    """The units, disrupted, after a loss of ``count`` steps in all: "all units must lose one step
    before any unit loses two". Their owner is asked for the steps that do not fall on all alike."""
    after = [unit.marked(Mark.DISRUPTED) for unit in units]
    survivors = tuple(unit.id for unit in after)
    # As long as there is a step for each survivor, each loses one.
    while survivors and count >= len(survivors):
        after = [replace(unit, steps=max(unit.steps - 1, 0)) for unit in after]
        count -= len(survivors)
        survivors = tuple(unit.id for unit in after if unit.steps)
    if not count or not survivors:
        return LossesTaken(after, [])
    return LossesTaken(after, [Task(kind="losses", units=survivors, count=count)])


def outcome_events(
    state: OmahaState, units: Iterable[Counter], tasks: Sequence[Task]
) -> list[AnyEvent]:
    """The events of an attack's outcome: the counters that it changed, taken off the map if they
    have no steps left, and the questions that are now open."""
    counters = state.counters.counters
    changed: list[AnyEvent] = []
    for unit in units:
        is_unchanged = unit == counters[unit.id]
        if is_unchanged:
            continue
        after = unit
        if unit.steps == 0:
            after = replace(unit, place="", flags=())
        changed.append(counter_events.CounterSet(counter=after))
    # Also where no question is left: the one that was just answered is still on the agenda.
    if tasks or state.agenda:
        changed.append(events.TasksSet(tasks=tuple(tasks)))
    return changed


class TaskAnswer(OmahaOrder, frozen=True, kw_only=True):
    """The answer to a question that an attack leaves behind."""

    answers: ClassVar[tuple[str, ...]] = ("losses", "retreat", "advance")

    def _task(self, state: OmahaState, kind: str) -> Task:
        """The open question. Raises Refused if it is not of that kind."""
        if not state.agenda or state.agenda[0].kind != kind:
            raise not_asked()
        return state.agenda[0]


class TakeLosses(TaskAnswer, frozen=True, kw_only=True, tag="take_losses"):
    """The units that lose a step each: "defender's choice"."""

    units: tuple[str, ...]

    @property
    def acting(self) -> tuple[str, ...]:
        return self.units

    def carry_out(self, state: OmahaState) -> list[AnyEvent]:
        task = self._task(state, "losses")
        chosen = set(self.units)
        if len(chosen) != task.count or not chosen <= set(task.units):
            raise nonsense("losses", f"Choose {task.count} of those that were hit.")
        after = [replace(unit, steps=unit.steps - 1) for unit in state.in_play(self.units)]
        return outcome_events(state, after, state.agenda[1:])


class RetreatTo(TaskAnswer, frozen=True, kw_only=True, tag="retreat_to"):
    """Where beaten units retreat to."""

    place: str
    """A hex, empty if it is not recorded, or NOWHERE for units that have no hex to retreat to: they
    "are eliminated instead"."""

    def carry_out(self, state: OmahaState) -> list[AnyEvent]:
        task = self._task(state, "retreat")
        units = state.in_play(task.units)
        if self.place == NOWHERE:
            eliminated = [replace(unit, steps=0) for unit in units]
            return outcome_events(state, eliminated, state.agenda[1:])
        _check_retreat(state, units, self.place)
        control = _control_on_entering(state, units, self.place)
        retreats = counter_events.CountersMoved(
            counters=task.units, place=self.place, how="back to"
        )
        return [retreats, *control, events.TasksSet(tasks=state.agenda[1:])]


def _check_retreat(state: OmahaState, units: Sequence[Counter], place: str) -> None:
    """Raises Refused for a retreat of more than one hex, and for one that ends beside an enemy who
    is not disrupted, as far as the distances between the hexes are known (M10)."""
    for unit in units:
        start = unit.place
        if start and place and not state.may_adjoin(start, place):
            raise nonsense("too_far", f"{place} is not beside {start}; a retreat is one hex.")
        for enemy in state.units():
            is_to_be_avoided = enemy.side != unit.side and not enemy.has(Mark.DISRUPTED)
            if is_to_be_avoided and state.distance(place, enemy.place) == 1:
                text = f"{place} is beside {enemy.name} in {enemy.place}, who is not disrupted."
                raise nonsense("beside_enemy", text)


class Occupy(TaskAnswer, frozen=True, kw_only=True, tag="occupy"):
    """Attackers enter the hex that the defenders have left; the others stay where they are."""

    units: tuple[str, ...] = ()

    @property
    def acting(self) -> tuple[str, ...]:
        return self.units

    def carry_out(self, state: OmahaState) -> list[AnyEvent]:
        task = self._task(state, "advance")
        units = state.in_play(tuple(id for id in self.units if id in task.units))
        answered = events.TasksSet(tasks=state.agenda[1:])
        if not units:
            return [answered]
        solitaire_german = units[0].side == "german" and state.setup.solitaire
        if solitaire_german and task.place not in state.control:
            raise nonsense("no_advance", "The solitaire German occupies victory hexes only.")
        control = _control_on_entering(state, units, task.place)
        ids = tuple(unit.id for unit in units)
        enters = counter_events.CountersMoved(counters=ids, place=task.place, how="into")
        return [enters, *control, answered]
