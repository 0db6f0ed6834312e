"""The orders of the Grand Tactical Series but those of units: the mug, the points, the turn, rolls
on tables; and what acting under a chit costs. Every roll is stored."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Literal

from msgspec.structs import replace

from skirmish.games.gts import combat, units
from skirmish.games.gts import state as happened
from skirmish.games.gts.ruleset import CAP
from skirmish.games.gts.state import AnyEvent, Fact, GtsState
from skirmish.games.gts.units import ARTILLERY, Marker, eliminated
from skirmish.tabletop.companion import events
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.events import Task, counters_set, evolved, next_phase
from skirmish.tabletop.companion.numbers import Numbers
from skirmish.tabletop.companion.result_table import Sum
from skirmish.tabletop.companion.table_game import LAST_TURN, AgendaOrder, spent
from skirmish.tabletop.companion.typed_tables import RecordFacts, RollOnTable
from skirmish.tabletop.refusal import nonsense, reason


def dice(state: GtsState, own: Iterable[int] = ()) -> Numbers:
    return Numbers(state, own=own, sides=10, low=0)


class GtsOrder(AgendaOrder, frozen=True, kw_only=True):
    def of_division(self, state: GtsState) -> str:
        """The division that it is about without naming a unit; empty: none."""
        return ""

    def taken(
        self, state: GtsState, unit: Counter, kind: str, text: str = "", *, out: bool = False
    ) -> list[AnyEvent]:
        """The events of acting under the present chit. Raises Refused where that is not allowed."""
        if why := state.why_not_act(unit, kind, out):
            raise nonsense("not_now", why)
        if state.setup.scope != "whole":
            return []
        self.advise(state.why_late(unit))
        cost = state.rules.kinds[state.chits[state.chit].kind].cost or int(unit.id in state.done)
        acts = happened.ActionTaken(unit=unit.id, kind=kind, text=text, cost=cost)
        return [*paid(state, unit, f"{unit.name} acts", cost), acts]

    def rolled(
        self, state: GtsState, unit: Counter, why: str, total: Sum, numbers: Numbers
    ) -> happened.Checked:
        """A check of a unit by a roll."""
        roll = numbers.number()
        passed = self.passes(state, total, roll)
        return happened.Checked(unit=unit.id, why=why, sum=total, roll=roll, passed=passed)

    def passes(self, state: GtsState, total: Sum, roll: int) -> bool:
        """Whether a roll passes the check: a troop quality check, unless an order has another."""
        return combat.passes(total.needs, roll, literal=state.rules.literal)


def unit_of(state: GtsState, id: str) -> Counter:
    """A unit that is still in play, under the barrage of its hex. Raises Refused."""
    one = state.counters.counters.get(id)
    if one is None or not one.steps:
        raise nonsense("no_unit", "That unit is not in play.")
    return one.remarked(on=state.ground.get(one.place, ()))


class GtsRecord(RecordFacts, GtsOrder, frozen=True, kw_only=True, tag="record"):
    facts: tuple[Fact, ...]


# ------------------------------------------------------------------ the mug and the points


class Pay(GtsOrder, frozen=True, kw_only=True, tag="pay"):
    """Points of a division spent: 1 DP for a park, 1 CP for a command. ``buys``: so many dispatch
    points instead."""

    points: Literal["cp", "dp"]
    division: str
    count: int = 1
    buys: int = 0

    def of_division(self, state: GtsState) -> str:
        return self.division

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        why = f"for {self.buys} DP" if self.buys else ""
        cost: list[AnyEvent] = [*spent(state, f"{self.points} {self.division}", self.count, why)]
        if not self.buys:
            return cost
        held = state.points("dp", self.division) + self.buys
        if held > CAP:
            raise nonsense("most", f"{self.division} holds {CAP} DP; more are not held.")
        return [*cost, events.TrackSet(track=f"dp {self.division}", value=held)]


class Park(GtsOrder, frozen=True, kw_only=True, tag="park"):
    """The park of a division in the hex of this ``unit``, all its indirect high explosive there:
    created, or disbanded if it is one. Each costs 1 DP. ``others`` are units there whose rating
    nobody has read off so far, and which are such artillery, too."""

    unit: str
    others: tuple[str, ...] = ()

    @property
    def acting(self) -> tuple[str, ...]:
        return (self.unit,)

    def guns(self, state: GtsState) -> list[Counter]:
        unit = unit_of(state, self.unit)
        guns = {gun.id: gun for gun in state.guns(unit)}
        for id in (self.unit, *self.others):
            guns[id] = replace(unit_of(state, id), kind=ARTILLERY)
        return [*guns.values()]

    def why_not(self, state: GtsState) -> str:
        unit = unit_of(state, self.unit)
        division, place = state.division_of(unit), unit.place
        strange = [
            gun.name
            for gun in state.stack(unit)
            if gun.has(Marker.PARK) and state.division_of(gun) != division
        ]
        return reason(
            (unit.kind not in ("", ARTILLERY), f"{unit.name} is no indirect high explosive."),
            (not division, f"The division of {unit.name} is not known."),
            (unit.has(Marker.ENTRY), f"{place or unit.name} is an entry hex."),
            (strange, f"There is a park in {place} already, that of {', '.join(strange)}."),
            (not state.points("dp", division), f"{division} has no dispatch point."),
        )

    def disbands(self, state: GtsState) -> bool:
        unit = unit_of(state, self.unit)
        return any(gun.has(Marker.PARK) for gun in state.guns(unit))

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        if why := self.why_not(state):
            raise nonsense("no_park", why)
        beside = {unit.id for unit in unknown_guns(state, unit_of(state, self.unit))}
        if not beside.issuperset(self.others):
            raise nonsense("no_park", "Those units cannot be in its park.")
        whole = state.setup.scope == "whole"
        late = "Parks are created and disbanded in E, before the mug is filled."
        self.advise(late if whole and state.now != "parks" else "")
        division = state.division_of(unit_of(state, self.unit))
        if self.disbands(state):
            why, after = "a park disbanded", [units.broken_up(gun) for gun in self.guns(state)]
        else:
            why, after = "a park", [units.parked(gun) for gun in self.guns(state)]
        return [*spent(state, f"dp {division}", 1, why), *counters_set(state, after)]


def unknown_guns(state: GtsState, unit: Counter) -> tuple[Counter, ...]:
    """The others of its division in the hex of a unit whose color nobody has read off so far."""
    return tuple(
        other
        for other in state.stack(unit)
        if not other.kind
        and other.id != unit.id
        and not units.leads(other)
        and state.division_of(other) == state.division_of(unit)
    )


class BuyChit(GtsOrder, frozen=True, kw_only=True, tag="buy_chit"):
    """For this turn at 2 DP, or ``aside`` for the next at 1 DP."""

    chit: str
    aside: bool = False

    def of_division(self, state: GtsState) -> str:
        chit = state.chits.get(self.chit)
        return "" if chit is None else chit.division

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        chit = state.chits.get(self.chit)
        if chit is None or chit.kind != "formation":
            raise nonsense("not_for_sale", "Only the chit of a formation is bought.")
        if state.has_bought(self.chit):
            raise nonsense("bought", f"{self.chit} is bought already.")
        new = chit.since and chit.since == state.position.turn
        self.advise("Its leader has not been in play for a turn." if new else "")
        cost = spent(state, f"dp {chit.division}", 1 if self.aside else 2, "a chit")
        return [*cost, happened.ChitBought(chit=self.chit, aside=self.aside, side=chit.side)]


class FillMug(GtsOrder, frozen=True, kw_only=True, tag="fill_mug"):
    chits: tuple[str, ...]

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        if state.filled:
            raise nonsense("filled", "The mug is filled for this turn.")
        unfit = [one for one in self.chits if one not in state.chits]
        if unfit or not state.filling(self.chits):
            raise nonsense("no_chit", f"{', '.join(unfit) or 'No chit'} goes into the mug.")
        return [happened.MugFilled(chits=self.chits), *_next(state, "mug")]


def _next(state: GtsState, phase: str) -> list[AnyEvent]:
    """On to the next phase, if the game is in ``phase``."""
    if state.setup.scope != "whole" or state.now != phase:
        return []
    begun = next_phase(state)
    return [begun] if begun else []


class DrawChit(GtsOrder, frozen=True, kw_only=True, tag="draw_chit"):
    """The chit left over, else one out of the mug; ``chit``: the one that the owner drew. The last
    one in the mug stays there for the next turn."""

    chit: str = ""

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        if not state.filled:
            raise nonsense("not_filled", "Fill the mug first.")
        if state.left:
            return _played(state, state.left, left=True)
        if state.mug.inside <= 1:
            return [happened.ChitPlayed(chit=""), *_next(state, "activations")]
        if self.chit not in state.mug.unseen and (self.chit or state.mug.typed):
            raise nonsense("no_chit", "Type a chit that is in the mug.")
        chit = self.chit or state.mug.peek()
        drawn = events.Drawn(cup=happened.MUG, chit=chit, own=bool(self.chit), silent=True)
        return [drawn, *_played(state, chit)]


def _played(state: GtsState, name: str, *, left: bool = False) -> list[AnyEvent]:
    chit = state.chits.get(name)
    found: list[AnyEvent] = [happened.ChitPlayed(chit=name, left=left)]
    if chit is None or chit.kind != "division" or chit.group not in state.divisions:
        return found
    if state.dice.typed:
        task = Task(kind="points", place=chit.group)
        return [*found, events.TasksSet(tasks=(task,))]
    return [*found, *_points(state, chit.group, dice(state))]


def _points(state: GtsState, name: str, numbers: Numbers) -> list[AnyEvent]:
    """New command and dispatch points of a division; both rolls are explained."""
    division, first, second = state.divisions[name], numbers.number(), numbers.number()
    cp, dp = state.points("cp", name), state.points("dp", name)
    last, literal = state.light == "dusk", state.rules.literal
    lines = combat.dispatch_points(dp, division.dispatch, second, last=last, literal=literal)
    commands = combat.gained(cp, first // 2 + division.command)
    gain = sum(one.value for one in lines)
    dispatches = combat.gained(dp, gain, lost=state.rules.point_lost)
    reasons = ", ".join(f"{one.label} {one.value:+}" for one in lines) or "nothing"
    text = f"roll {first}: {first // 2}, command {division.command:+}"
    return [
        *numbers.events,
        events.TrackSet(track=f"cp {name}", value=cp + commands, why=text),
        events.TrackSet(track=f"dp {name}", value=dp + dispatches, why=f"roll {second}: {reasons}"),
    ]


class RollPoints(GtsOrder, frozen=True, kw_only=True, tag="roll_points"):
    """The points of a division, with the player's own ``numbers`` if he rolls."""

    answers: ClassVar[tuple[str, ...]] = ("points",)

    division: str
    numbers: tuple[int, ...] = ()

    def of_division(self, state: GtsState) -> str:
        return self.division

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        if self.division not in state.divisions:
            raise nonsense("no_division", f"{self.division} is not entered.")
        answered = [events.TasksSet(tasks=state.agenda[1:])] if state.agenda else []
        return [*_points(state, self.division, dice(state, self.numbers)), *answered]


class Proceed(GtsOrder, frozen=True, kw_only=True, tag="proceed"):
    """The next step of the turn; the clean-up is done on the way, and it grows dark or light. Where
    only fire is played the clean-up is all."""

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        if state.setup.scope == "fire":
            return _cleaned_up(state)
        if state.now == "points" and (poor := state.without_points()):
            has = "has" if len(poor) == 1 else "have"
            names = " and ".join(poor)
            self.advise(f"{names} {has} no points yet: O rolls for them, T sets them.")
        begun = next_phase(state)
        found = _cleaned_up(state) if state.now == "cleanup" else []
        if begun is None:
            return [*found, events.TableEnded(text=LAST_TURN)]
        turn = begun.position.turn
        dark, next_dark = ("night" in state.hour(one) for one in (turn, turn + 1))
        light: happened.Light = "night" if dark else "dusk" if next_dark else "day"
        found.append(begun)
        if state.hour(turn) and light != state.light:
            found.append(happened.ConditionsSet(light=light, weather=state.weather))
        return found


def _cleaned_up(state: GtsState) -> list[AnyEvent]:
    """Barrages lift, markers come off, and leaders leave whose formations are gone."""
    found: list[AnyEvent] = [events.MarkersCleared(flags=Marker.CLEARED)]
    if state.ground:
        found.append(events.MapSeen(ground=dict.fromkeys(state.ground, ())))
    for one in state.units():
        formation = [two for two in state.counters.where(side=one.side, group=one.group)
                     if one.group and "leader" not in two.traits]  # fmt: skip
        if "leader" in one.traits and formation and not any(two.steps for two in formation):
            found.append(events.CounterSet(counter=eliminated(one)))
    return found


class LookUp(RollOnTable, GtsOrder, frozen=True, kw_only=True, tag="look_up"):
    """A roll for weather, events, contact or air points, or at one number (``aim``) of a ``beach``
    by a ``unit``, if those are entered."""

    unit: str = ""
    beach: str = ""
    aim: str = ""

    @property
    def acting(self) -> tuple[str, ...]:
        return (self.unit,)

    def dice(self, state: GtsState) -> Numbers:
        return dice(state, self.numbers)

    def sum(self, state: GtsState) -> Sum:
        ids = units.at_beaches(unit_of(state, self.unit)) if self.unit else []
        return state.tables.with_values(self.values).sum(0, ids, state.rules.name)

    def before(self, state: GtsState) -> list[AnyEvent]:
        if not self.unit:
            return []
        unit = unit_of(state, self.unit)
        if unit.has(Marker.SUPPRESSED):
            raise nonsense("no_fire", f"{unit.name} is suppressed.")
        found = self.taken(state, unit, "fire")
        return [*found, *counters_set(evolved(state, found), [units.busy(unit)])]

    def about(self) -> str:
        return f"{self.beach} {self.aim}" if self.beach else ""


# ------------------------------------------------------------------ acting under a chit


def paid(state: GtsState, unit: Counter, why: str, count: int = 1) -> list[AnyEvent]:
    """Command points of the division of a unit. Where only fire is played the players keep the
    points themselves."""
    if state.setup.scope == "fire":
        return []
    return [*spent(state, f"cp {state.division_of(unit)}", count, why)] if count else []


def why_not_spend(state: GtsState, unit: Counter, *, out: bool, bought: bool = True) -> str:
    """Why no command point passes a check of a unit; empty if one does."""
    division = state.division_of(unit)
    counted = state.setup.scope != "fire"
    return reason(
        (not units.commanded(unit, out), "A unit out of command spends no command point."),
        (not bought and state.rules.rulings["G2"] == "usual",
         "No command point passes this check."),
        (counted and not state.points("cp", division),
         f"{division or 'Its division'} has no command point."),
    )  # fmt: skip
