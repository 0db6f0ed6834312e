"""The orders of the Grand Tactical Series but fire, decided into events. Every roll is stored."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar, Literal

import msgspec
from msgspec.structs import replace

from skirmish.games.gts import state as happened
from skirmish.games.gts.combat import check_sum, dispatch_points, gained, passes
from skirmish.games.gts.ruleset import CAP, TYPED
from skirmish.games.gts.state import AnyEvent, Fact, GtsState
from skirmish.games.gts.units import (
    Marker,
    busy,
    check_of,
    cohesion_hit,
    eliminated,
    out_of_contact,
    step_lost,
    suppressed,
)
from skirmish.tabletop.companion import events
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.events import Task, counters_set
from skirmish.tabletop.companion.result_table import Sum
from skirmish.tabletop.companion.table_game import AgendaOrder, Numbers
from skirmish.tabletop.companion.typed_tables import CellTyped, ValuesTyped
from skirmish.tabletop.refusal import nonsense


def dice(state: GtsState, own: Iterable[int] = ()) -> Numbers:
    return Numbers(state, own=own, sides=10, low=0)


class GtsOrder(AgendaOrder, frozen=True, kw_only=True):
    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        raise NotImplementedError


def unit_of(state: GtsState, id: str) -> Counter:
    """A unit that is still in play. Raises Refused."""
    one = state.counters.counters.get(id)
    if one is None or not one.steps:
        raise nonsense("no_unit", "That unit is not in play.")
    return one


class Record(GtsOrder, frozen=True, kw_only=True, tag="record"):
    """What the owner types in: divisions, chits, cells and values of his card, the weather, the
    boards of the beaches."""

    facts: tuple[Fact, ...]

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        for fact in self.facts:
            if why := fact.why_not(state):
                raise nonsense("not_recorded", why)
            state = fact.apply(state)
        return list(self.facts)


def typed_values(values: dict[str, int]) -> list[AnyEvent]:
    return [ValuesTyped(values=values)] if values else []


# ------------------------------------------------------------------ the mug and the points


class Pay(GtsOrder, frozen=True, kw_only=True, tag="pay"):
    """Points of a division spent: 1 DP for a park, 1 CP for a command. ``buys``: so many dispatch
    points instead."""

    points: Literal["cp", "dp"]
    division: str
    count: int = 1
    buys: int = 0

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        why = f"for {self.buys} DP" if self.buys else ""
        paid = _paid(state, self.points, self.division, self.count, why)
        if not self.buys:
            return paid
        held = state.points("dp", self.division) + self.buys
        if held > CAP:
            raise nonsense("most", f"{self.division} holds {CAP} DP; more are not held.")
        return [*paid, events.TrackSet(track=f"dp {self.division}", value=held)]


def _paid(state: GtsState, points: str, division: str, count: int, why: str) -> list[AnyEvent]:
    track = state.tracks.get(f"{points} {division}")
    if track is None:
        raise nonsense("no_division", f"{division or 'The division'} is not entered yet.")
    if track.value < count:
        text = f"{track.name} is {track.value}; {count} {points.upper()} are needed."
        raise nonsense("no_points", text)
    return [events.TrackSet(track=track.id, value=track.value - count, why=why)] if count else []


class BuyChit(GtsOrder, frozen=True, kw_only=True, tag="buy_chit"):
    """For this turn at 2 DP, or ``aside`` for the next at 1 DP."""

    chit: str
    aside: bool = False

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        chit = state.chits.get(self.chit)
        if chit is None or chit.kind != "formation":
            raise nonsense("not_for_sale", "Only the chit of a formation is bought.")
        if state.has_bought(self.chit):
            raise nonsense("bought", f"{self.chit} is bought already.")
        paid = _paid(state, "dp", chit.division, 1 if self.aside else 2, "a chit")
        bought = happened.ChitBought(chit=self.chit, aside=self.aside, side=chit.side)
        return [*paid, bought]


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
    _, position = state.sequence.after(state.position)
    return [events.PhaseBegun(position=position)] if position else []


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
    lines = dispatch_points(dp, division.dispatch, second, last=last, literal=literal)
    commands = gained(cp, first // 2 + division.command)
    dispatches = gained(dp, sum(one.value for one in lines))
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

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        if self.division not in state.divisions:
            raise nonsense("no_division", f"{self.division} is not entered.")
        found = _points(state, self.division, dice(state, self.numbers))
        return [*found, *_rest(state)]


def _rest(state: GtsState) -> list[AnyEvent]:
    """The open questions but the first."""
    return [events.TasksSet(tasks=state.agenda[1:])] if state.agenda else []


class Proceed(GtsOrder, frozen=True, kw_only=True, tag="proceed"):
    """The next step of the turn; the clean-up is done on the way, and is all where only fire is
    played."""

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        _, position = state.sequence.after(state.position)
        cleaned: list[AnyEvent] = []
        if state.now == "cleanup" or state.setup.scope == "fire":
            bare: dict[str, tuple[str, ...]] = dict.fromkeys(state.ground, ())
            cleaned = [events.MarkersCleared(flags=Marker.CLEARED), events.MapSeen(ground=bare)]
        if state.setup.scope == "fire":
            return cleaned
        if position is None:
            return [*cleaned, events.TableEnded(text="The last turn is over.")]
        return [*cleaned, events.PhaseBegun(position=position)]


class LookUp(GtsOrder, frozen=True, kw_only=True, tag="look_up"):
    """A roll on a table of texts (weather, events, contact, air points), or in a ``column`` of that
    of the beach defenses."""

    table: str
    column: str = ""
    numbers: tuple[int, ...] = ()

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        numbers = dice(state, self.numbers)
        roll = numbers.number()
        try:
            text = state.tables.cell(self.table, roll, self.column)
        except LookupError as error:
            raise nonsense("no_table", str(error.args[0])) from None
        title = TYPED.get(self.table, self.column)
        rolled = events.Rolled(purpose=title, faces=(roll,), own=True)
        if text:
            return [*numbers.events, rolled, events.Noted(text=f"{title}: {text}")]
        task = Task(kind="look_up", table=self.table, column=self.column, roll=roll)
        return [*numbers.events, rolled, events.TasksSet(tasks=(task,))]


# ------------------------------------------------------------------ actions and checks


class Act(GtsOrder, frozen=True, kw_only=True, tag="act"):
    """An action without a roll; ``hit``: it leaves column with a cohesion hit."""

    unit: str
    action: str
    hit: bool = False

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        unit, rule = unit_of(state, self.unit), state.rules.actions[self.action]
        taken = taking(state, unit, rule.kind, rule.name.lower())
        after = busy(unit)
        if self.action in ("move", "column", "mount"):
            after = after.marked(Marker.IMPROVED, False)
        if self.action == "move":
            after = after.marked(Marker.LIGHT, False).marked(Marker.HEAVY, False)
        toggled = {"column": Marker.COLUMN, "works": Marker.ENTRENCHED}.get(self.action)
        if toggled:
            after = after.marked(toggled, not unit.has(toggled))
        return [*taken, *counters_set(state, [cohesion_hit(after) if self.hit else after])]


def taking(state: GtsState, unit: Counter, kind: str, text: str = "") -> list[AnyEvent]:
    """The events of acting under the present chit; raises Refused where it does not allow it."""
    if why := state.why_not_act(unit, kind):
        raise nonsense("not_now", why)
    if state.setup.scope != "whole":
        return []
    cost = state.price(unit)
    paid = _paid(state, "cp", state.division_of(unit), cost, f"{unit.name} acts")
    return [*paid, happened.ActionTaken(unit=unit.id, kind=kind, text=text, cost=cost)]


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
        asked = check_of(unit, out=self.out, more=self.more(unit))
        return check_sum(state.tables.with_values(self.values), state.rules, asked)

    def why_not_spend(self, state: GtsState) -> str:
        if self.out:
            return "A unit out of command spends no command point."
        if not self.bought and state.rules.rulings["G2"] == "usual":
            return "No command point passes this check."
        division = state.division_of(self.who(state))
        points = state.points("cp", division)
        return "" if points else f"{division or 'Its division'} has no command point."

    def checked(self, state: GtsState) -> tuple[list[AnyEvent], bool]:
        """The events of the check, with what was typed for it, and whether it passes."""
        unit, total = self.who(state), self.sum(state)
        typed = [*counters_set(state, [unit]), *typed_values(self.values)]
        if self.spend:
            if why := self.why_not_spend(state):
                raise nonsense("no_spending", why)
            paid = _paid(state, "cp", state.division_of(unit), 1, self.why)
            done = happened.Checked(unit=unit.id, why=self.why, sum=total, passed=True)
            return [*typed, *paid, done], True
        if "tq" not in unit.ratings or total.missing:
            raise nonsense("no_value", f"Type the troop quality of {unit.name} first.")
        numbers = dice(state, self.numbers)
        roll = numbers.number()
        passed = passes(total.needs, roll, literal=state.rules.literal)
        done = happened.Checked(unit=unit.id, why=self.why, sum=total, roll=roll, passed=passed)
        return [*typed, *numbers.events, done], passed


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

    def more(self, unit: Counter) -> int:
        return self.theirs - self.ours

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        return self.checked(state)[0]


class Rally(UnitCheck, frozen=True, kw_only=True, tag="rally"):
    """In command it succeeds at once. ``zone``: in an enemy fire zone."""

    zone: bool = False
    why: ClassVar[str] = "rally"

    def more(self, unit: Counter) -> int:
        return unit.count(Marker.RALLYING)

    def sure(self, state: GtsState) -> bool:
        return self.spend or not self.out

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        unit = unit_of(state, self.unit)
        taken = taking(state, unit, "rally", "" if self.out else "rallies")
        checked, passed = self.checked(state) if self.out else ([], True)
        count = 0 if passed else unit.count(Marker.RALLYING) + 1
        after = busy(self.who(state)).counting(Marker.RALLYING, count)
        if passed:
            after = after.marked(Marker.SUPPRESSED, False)
        if passed and (state.night or not self.zone) and not unit.has(Marker.SUPPRESSED):
            after = after.marked(Marker.TWO, False).marked(Marker.ONE, unit.has(Marker.TWO))
        return [*taken, *checked, *counters_set(state, [after])]


class Work(UnitCheck, frozen=True, kw_only=True, tag="work"):
    """An engineer action."""

    action: str
    why: ClassVar[str] = "engineer action"
    bought: ClassVar[bool] = False

    def more(self, unit: Counter) -> int:
        return unit.count(f"{Marker.AT_WORK} {self.action}")

    def sure(self, state: GtsState) -> bool:
        engineer = "engineer" in unit_of(state, self.unit).traits
        return self.spend or (engineer and self.action in ("improve", "unblock"))

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        unit, rule = unit_of(state, self.unit), state.rules.actions[self.action]
        if why := why_no_work(unit):
            raise nonsense("no_work", why)
        taken = taking(state, unit, "engineer", rule.name.lower())
        sure = self.sure(state) and not self.spend
        checked, passed = ([], True) if sure else self.checked(state)
        goes_on = not passed and self.action != "rearguard"
        count = self.more(unit) + 1 if goes_on else 0
        after = busy(self.who(state)).counting(f"{Marker.AT_WORK} {self.action}", count)
        if passed and self.action in ("improve", "dig"):
            after = after.marked(Marker.IMPROVED, self.action == "improve")
            after = after.marked(Marker.ENTRENCHED, self.action == "dig")
        return [*taken, *checked, *counters_set(state, [after])]


def why_no_work(unit: Counter) -> str:
    if unit.has(Marker.SUPPRESSED) or unit.has(Marker.COLUMN):
        return f"{unit.name} is suppressed or in column."
    return f"{unit.name} is artillery." if unit.kind in ("orange", "brown", "black") else ""


# ------------------------------------------------------------------ fire results


def inflicted(
    unit: Counter, result: str, others: tuple[str, ...] = ()
) -> tuple[Counter, list[Task]]:
    """The unit after a result, and the questions that it raises; ``others`` of the hex take an S?
    after effective fire."""
    spread = [Task(kind="check", units=(id,)) for id in others]
    if result == "S?":
        return unit, [Task(kind="check", units=(unit.id, *others))]
    if result == "S":
        return unit, [Task(kind="suppress", units=(unit.id,)), *spread]
    does = {"E": eliminated, "1": step_lost, "C": cohesion_hit}.get(result)
    return (out_of_contact(unit, does(unit)), spread) if does else (unit, [])


def _settled(state: GtsState, unit: Counter, tasks: Sequence[Task]) -> list[AnyEvent]:
    """The changed counter, and the open questions but those of units that are gone."""
    left = tuple(task for task in tasks if unit.steps or task.units[0] != unit.id)
    return [*counters_set(state, [unit]), events.TasksSet(tasks=left)]


class TypeResult(GtsOrder, frozen=True, kw_only=True, tag="type_result"):
    """What the owner's card gives for the roll in question; it is remembered."""

    answers: ClassVar[tuple[str, ...]] = ("look_up",)

    cell: str

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        if not state.agenda:
            raise nonsense("not_asked", "Nothing is asked now.")
        task = state.agenda[0]
        typed = CellTyped(table=task.table, roll=task.roll, column=task.column, cell=self.cell)
        if why := typed.why_not(state):
            raise nonsense("no_cell", why)
        if not task.units:
            return [typed, *_rest(state)]
        after, tasks = inflicted(unit_of(state, task.units[0]), self.cell, task.units[1:])
        return [typed, *_settled(state, after, [*tasks, *state.agenda[1:]])]


class CheckUnderFire(UnitCheck, frozen=True, kw_only=True, tag="check_under_fire"):
    """The check of an S?, or the one that may turn an S into a cohesion hit; without it (not
    ``takes``) the unit is suppressed."""

    answers: ClassVar[tuple[str, ...]] = ("check", "suppress")

    takes: bool = True
    why: ClassVar[str] = "under fire"

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        if not state.agenda or state.agenda[0].units[0] != self.unit:
            raise nonsense("not_asked", "That is not asked now.")
        task, unit = state.agenda[0], self.who(state)
        if not self.takes and task.kind == "check":
            raise nonsense("must_check", "An S? is a check.")
        checked, passed = self.checked(state) if self.takes else ([], False)
        rest = state.agenda[1:]
        if task.kind == "check":
            after, tasks = (unit, []) if passed else inflicted(unit, "S", task.units[1:])
            return [*checked, *_settled(state, after, [*tasks, *rest])]
        after = cohesion_hit(unit) if passed else suppressed(unit)
        return [*checked, *_settled(state, out_of_contact(unit, after), rest)]
