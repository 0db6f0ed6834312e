"""The orders of Omaha, decided into events. Every draw is stored in its event."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from msgspec.structs import replace

from skirmish.games.omaha import state as happened
from skirmish.games.omaha.ruleset import SIDES, Side, UnitKind
from skirmish.games.omaha.state import DECK, NAVY, AnyEvent, OmahaState
from skirmish.games.omaha.units import Mark, new_unit, rated, recovery_of, spent, stacks
from skirmish.tabletop.companion import events
from skirmish.tabletop.companion.asking import NOWHERE
from skirmish.tabletop.companion.counters import Counter, Register, name_taken
from skirmish.tabletop.companion.events import Task
from skirmish.tabletop.companion.numbers import Numbers, weights
from skirmish.tabletop.companion.table_game import AgendaOrder
from skirmish.tabletop.refusal import nonsense, not_asked


def rolls_of(state: OmahaState) -> dict[int, int]:
    """The possible next numbers, with their weights."""
    return weights(state.cups.get(DECK) if state.setup.chance == "cards" else None)


class OmahaOrder(AgendaOrder, frozen=True, kw_only=True):
    def carry_out(self, state: OmahaState) -> list[AnyEvent]:
        raise NotImplementedError


# ------------------------------------------------------------------ the turn


class Proceed(OmahaOrder, frozen=True, kw_only=True, tag="proceed"):
    def carry_out(self, state: OmahaState) -> list[AnyEvent]:
        return _next_phase(state)


def _next_phase(state: OmahaState) -> list[AnyEvent]:
    _, position = state.sequence.after(state.position)
    new = position is None or position.turn != state.position.turn
    gone = (*Mark.PASSING, *([Mark.LANDED] if new else []))
    found: list[AnyEvent] = [events.MarkersCleared(flags=gone, silent=True)]
    if position is None:
        return [*found, events.TableEnded(text=f"The game is over: {state.result()}.")]
    found.append(events.PhaseBegun(position=position))
    navy = state.tracks.get(NAVY)
    if navy and navy.value < navy.high and state.sequence.at(position).id == "us_fire":
        found.append(events.TrackSet(track=NAVY, value=navy.high, why="a new fire phase"))
    return found


class DrawCard(OmahaOrder, frozen=True, kw_only=True, tag="draw_card"):
    """``card``: the id of the card that the owner drew, if he did."""

    card: str = ""

    def carry_out(self, state: OmahaState) -> list[AnyEvent]:
        if state.now != "card":
            raise nonsense("no_card_now", "The action card is drawn as the American turn begins.")
        known = [one.id for one in state.setup.cards]
        if DECK not in state.cups:
            if self.card not in known:
                raise nonsense("no_card", "Say which card you drew.")
            return [happened.TurnCard(card=self.card), *_next_phase(state)]
        numbers = Numbers(state, DECK)
        card = state.setup.card(numbers.card())
        return [*numbers.events, happened.TurnCard(card=card.id), *_next_phase(state)]


class Recover(OmahaOrder, frozen=True, kw_only=True, tag="recover"):
    """Draws a number for each disrupted unit of the active side; ``numbers`` are the owner's, in
    the order of the units."""

    numbers: tuple[int, ...] = ()

    def carry_out(self, state: OmahaState) -> list[AnyEvent]:
        if not state.sequence.allows(state.position, "recovery"):
            raise nonsense("no_recovery_now", "Units recover as their own turn begins.")
        side, setup = state.side, state.setup
        numbers, rolls = Numbers(state, DECK, self.numbers), []
        cards = setup.chance == "cards" and (side == "us" or setup.ruled("M27", "card"))
        for unit in state.units(side, flag=Mark.DISRUPTED):
            roll, most = (
                numbers.number(cards=cards),
                setup.tables.recovery[recovery_of(setup, unit)],
            )
            rolls.append((unit.id, roll, roll <= most))
        cleared = events.MarkersCleared(side=side, flags=(Mark.FIRED,))
        recovered = events.MarkersRolled(
            marker=Mark.DISRUPTED, rolls=tuple(rolls), does_not="stays disrupted"
        )
        return [*numbers.events, recovered, cleared, *_next_phase(state)]


# ------------------------------------------------------------------ units, and where they are


class EnterUnits(OmahaOrder, frozen=True, kw_only=True, tag="enter_units"):
    """Adds units with counters of the owner; their ratings are typed when they matter. All stand in
    ``place``, or each in its own of ``places``, in the order of the names."""

    side: Side
    company: str
    kind: UnitKind
    names: tuple[str, ...]
    place: str = ""
    places: tuple[str, ...] = ()

    def carry_out(self, state: OmahaState) -> list[AnyEvent]:
        places = self.places or (self.place,) * len(self.names)
        if len(places) != len(self.names):
            raise nonsense("places", "Name a hex for each unit, or one for all of them.")
        waits = not state.may_come(self.company)
        if waits and any(places):
            raise nonsense("too_early", f"{self.company} is not due yet; enter it without a hex.")
        lands = state.lands(self.company)
        register = state.counters
        units: list[Counter] = []
        for name, place in zip(self.names, places, strict=True):
            if any(known.name == name for known in register):
                raise nonsense("known", name_taken(name))
            unit = self._new(state, register, name)
            unit = unit.marked(Mark.WAITING, waits).marked(Mark.LANDED, lands)
            unit = replace(unit, place=place)
            register = register.with_counter(unit)
            units.append(unit)
        entered: list[AnyEvent] = [events.CounterSet(counter=unit) for unit in units]
        for place in dict.fromkeys(places):
            there = [unit for unit in units if unit.place == place]
            entered += _entering(state, there, place, landing=lands)
        return entered

    def _new(self, state: OmahaState, register: Register, name: str) -> Counter:
        """A unit of the company; of several companies the one that stands in its name."""
        arrival = state.setup.scenario.arrival(self.company)
        company = self.company
        if arrival is not None and arrival.several:
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
        units = tuple(one for id in self.units if (one := state.counters.counters.get(id)))
        if not units or len({one.side for one in units}) > 1:
            raise nonsense("nobody", "Name units of one side.")
        for unit in units:
            if why := self.why_not(state, unit):
                raise nonsense("cannot_move", f"{unit.name} {why}.")
        lands = units[0].has(Mark.WAITING) and state.lands(units[0].group)
        control = _entering(state, units, self.place, landing=lands)
        moved: list[AnyEvent] = [
            events.CountersMoved(
                counters=tuple(one.id for one in units if one.has(Mark.WAITING) == waited),
                place=self.place,
                off=(Mark.WAITING, Mark.SHOT_AT),
                on=(Mark.LANDED,) * (waited and lands) + (Mark.MOVING,) * (state.now != "setup"),
            )
            for waited in dict.fromkeys(one.has(Mark.WAITING) for one in units)
        ]
        still = events.MarkersCleared(flags=(Mark.MOVING,), silent=True)
        return [still, *moved, *control]

    def why_not(self, state: OmahaState, unit: Counter) -> str:
        arrival = state.setup.scenario.arrival(unit.group)
        movement = state.sequence.allows(state.position, "move") and unit.side == state.side
        by_card = arrival is not None and arrival.event and unit.side == "german"
        if not unit.steps:
            return "is eliminated"
        if unit.has(Mark.WAITING):
            if not state.may_come(unit.group):
                return "is not due yet"
            if by_card and not movement and state.setup.ruled("M16", "movement"):
                return "enters in the German movement"
            return ""
        if state.now == "setup":
            return ""
        if not movement:
            return "does not move in this phase; set its hex by hand with M"
        defends = state.setup.scenario.holder == unit.side and not by_card
        if defends and (state.setup.solitaire or unit.kind == "gun"):
            return "stays where it was set up"
        return spent(unit)


class HoldFire(OmahaOrder, frozen=True, kw_only=True, tag="hold_fire"):
    """Solitaire Germans that see nobody, or save their fire for an assault. ``ratings``: read off
    their counters meanwhile."""

    units: tuple[str, ...]
    ratings: Mapping[str, dict[str, int]] = {}

    @property
    def acting(self) -> tuple[str, ...]:
        return self.units

    def carry_out(self, state: OmahaState) -> list[AnyEvent]:
        units = rated(state.of(self.units), self.ratings)
        return [events.CounterSet(counter=unit.marked(Mark.HELD)) for unit in units]


def _entering(
    state: OmahaState, units: Sequence[Counter], place: str, *, landing: bool = False
) -> list[AnyEvent]:
    """Sets the holder of the hex. Raises Refused for an enemy hex and for a full one: one unit
    lands in a hex."""
    most = 1 if landing else state.setup.tables.numbers.stack
    if why := state.counters.why_not_enter(units, place, most, stacks):
        raise nonsense("no_room", why)
    side = units[0].side if units else ""
    changes = side and place in state.control and state.control[place] != side
    return [events.ControlSet(place=place, side=side, name=SIDES[side])] if changes else []


# ------------------------------------------------------------------ what came of an attack


def disrupted(units: Sequence[Counter]) -> list[Counter]:
    """Disrupts all; a disrupted unit loses a step instead."""
    mark = Mark.DISRUPTED
    return [
        replace(one, steps=one.steps - 1) if one.has(mark) else one.marked(mark) for one in units
    ]


def lost(units: Sequence[Counter], count: int) -> tuple[list[Counter], list[Task]]:
    """Disrupts all and removes ``count`` steps: one from each unit before any loses two. The rest
    is a question to their owner."""
    after = [one.marked(Mark.DISRUPTED) for one in units]
    while after and count >= len(alive := [one for one in after if one.steps]) > 0:
        after = [replace(one, steps=one.steps - 1) if one.steps else one for one in after]
        count -= len(alive)
    left = tuple(one.id for one in after if one.steps)
    return after, [Task(kind="losses", units=left, count=count)] if count and left else []


def settled(state: OmahaState, units: Iterable[Counter], tasks: Sequence[Task]) -> list[AnyEvent]:
    """The changed counters, off the map once they have no steps, and the open questions."""
    known = state.counters.counters
    new = [
        one if one.steps else replace(one, place="", flags=())
        for one in units
        if one != known[one.id]
    ]
    found: list[AnyEvent] = [events.CounterSet(counter=one) for one in new]
    return [*found, events.TasksSet(tasks=tuple(tasks))] if tasks or state.agenda else found


class TaskAnswer(OmahaOrder, frozen=True, kw_only=True):
    answers: ClassVar[tuple[str, ...]] = ("losses", "retreat", "advance")

    def _task(self, state: OmahaState, kind: str) -> Task:
        if not state.agenda or state.agenda[0].kind != kind:
            raise not_asked()
        return state.agenda[0]


class TakeLosses(TaskAnswer, frozen=True, kw_only=True, tag="take_losses"):
    units: tuple[str, ...]

    @property
    def acting(self) -> tuple[str, ...]:
        return self.units

    def carry_out(self, state: OmahaState) -> list[AnyEvent]:
        task = self._task(state, "losses")
        chosen = set(self.units)
        if len(chosen) != task.count or not chosen <= set(task.units):
            raise nonsense("losses", f"Choose {task.count} of those that were hit.")
        after = [replace(one, steps=one.steps - 1) for one in state.of(self.units)]
        return settled(state, after, state.agenda[1:])


class RetreatTo(TaskAnswer, frozen=True, kw_only=True, tag="retreat_to"):
    """``place``: a hex, empty if unrecorded, or NOWHERE."""

    place: str

    def carry_out(self, state: OmahaState) -> list[AnyEvent]:
        task = self._task(state, "retreat")
        units = state.of(task.units)
        if self.place == NOWHERE:
            gone = [replace(one, steps=0) for one in units]
            return settled(state, gone, state.agenda[1:])
        _check_retreat(state, units, self.place)
        control = _entering(state, units, self.place)
        retreats = events.CountersMoved(counters=task.units, place=self.place, how="back to")
        return [retreats, *control, events.TasksSet(tasks=state.agenda[1:])]


def _check_retreat(state: OmahaState, units: Sequence[Counter], place: str) -> None:
    """Raises Refused for a retreat of more than one hex, and for one that ends beside an enemy who
    is not disrupted, as far as the distances between the hexes are known (M10)."""
    for unit in units:
        start = unit.place
        if start and place and not state.may_adjoin(start, place):
            raise nonsense("too_far", f"{place} is not beside {start}; a retreat is one hex.")
        for enemy in state.units():
            hostile = enemy.side != unit.side and not enemy.has(Mark.DISRUPTED)
            if hostile and state.distance(place, enemy.place) == 1:
                text = f"{place} is beside {enemy.name} in {enemy.place}, who is not disrupted."
                raise nonsense("beside_enemy", text)


class Occupy(TaskAnswer, frozen=True, kw_only=True, tag="occupy"):
    """The attackers that enter the hex, if any; the others stay."""

    units: tuple[str, ...] = ()

    @property
    def acting(self) -> tuple[str, ...]:
        return self.units

    def carry_out(self, state: OmahaState) -> list[AnyEvent]:
        task = self._task(state, "advance")
        units = state.of(tuple(one for one in self.units if one in task.units))
        rest = events.TasksSet(tasks=state.agenda[1:])
        if not units:
            return [rest]
        if units[0].side == "german" and state.setup.solitaire and task.place not in state.control:
            raise nonsense("no_advance", "The solitaire German occupies victory hexes only.")
        control = _entering(state, units, task.place)
        enters = events.CountersMoved(counters=self.units, place=task.place, how="into")
        return [enters, *control, rest]
