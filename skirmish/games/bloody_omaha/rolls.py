"""Rolls on the owner's tables: every modifier, the result carried out. Where its cell is not typed
in yet, the roll waits until it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import combinations

from msgspec.structs import replace

from skirmish.games.bloody_omaha.printed import (
    MINES,
    TERRAINS,
)
from skirmish.games.bloody_omaha.ruleset import BEACH, modifiers, only_division
from skirmish.games.bloody_omaha.state import (
    DISRUPTED,
    DRIFTED,
    ENGINEERS,
    GAP,
    INITIATIVE,
    LANDED,
    LANDING,
    RATING,
    AnyEvent,
    BloodyState,
    Happened,
    value_of,
)
from skirmish.tabletop.companion import events
from skirmish.tabletop.companion.counters import Counter, named
from skirmish.tabletop.companion.events import Task
from skirmish.tabletop.companion.result_table import Resolved, Shift, least, odds
from skirmish.tabletop.companion.table_game import Numbers
from skirmish.tabletop.refusal import nonsense

ROLLS = range(1, 7)


def refuse(bad: object, code: str, text: str) -> None:
    if bad:
        raise nonsense(code, text)


class Run:
    """Events in the making, the state after them, and the questions that they leave open."""

    def __init__(self, state: BloodyState, own: Sequence[int] = ()) -> None:
        self.state, self.events = state, list[AnyEvent]()
        self.tasks, self._own, self._before = list(state.agenda), list(own), state.agenda

    def do(self, *found: AnyEvent) -> None:
        for event in found:
            self.events.append(event)
            self.state = event.apply(self.state)

    def say(self, text: str, *counters: Counter) -> None:
        self.do(Happened(text=text, counters=counters))

    def roll(self) -> int:
        numbers = Numbers(self.state, own=self._own)
        found = numbers.number()
        self._own = self._own[1:]
        self.do(*numbers.events)
        return found

    def ask(self, *tasks: Task) -> None:
        self.tasks[:0] = tasks

    def track(self, id: str, by: int, why: str) -> None:
        track = self.state.tracks[id]
        if track.moved(by) != track:
            self.do(events.TrackSet(track=id, value=track.value + by, why=why))

    def pay(self, why: str, count: int = 1, id: str = INITIATIVE) -> None:
        left = self.state.tracks[id]
        text = f"{left.name}: {left.value} left, {count} needed."
        refuse(left.value < count, "no_points", text)
        self.track(id, -count, why)

    def move(self, unit: Counter, place: str) -> None:
        """With its tanks."""
        moved = [replace(one, place=place) for one in (unit, *self.state.tanks(unit))]
        self.say(f"{named(moved)}: to {place}.", *moved)

    def disrupt(self, unit: Counter, why: str, *, again: bool = True) -> None:
        """If it is disrupted already, it is eliminated, unless it is not hit ``again``."""
        if not unit.has(DISRUPTED):
            self.say(f"{unit.name} is disrupted{why}.", unit.marked(DISRUPTED))
        elif again:
            self.eliminate(unit, why)

    def eliminate(self, unit: Counter, why: str) -> None:
        tanks = [replace(one, group="") for one in self.state.tanks(unit)]
        gone = replace(unit, steps=0, place="", flags=())
        self.say(f"{unit.name} is eliminated{why}.", gone, *tanks)

    def turned_up(self, square: str, bag: str, value: str) -> None:
        cup, tokens = self.state.cups[bag], list(self.state.tokens(square))
        if value in cup.unseen:
            self.do(events.Drawn(cup=bag, chit=value, own=cup.typed, silent=True))
        tokens[tokens.index(bag)] = f"{bag} {value}"
        text = f"{square}: the {bag} token is {value}."
        self.do(Happened(text=text, ground={square: tuple(tokens)}))

    def take_off(self, square: str, *tokens: str) -> None:
        left = list(self.state.tokens(square))
        for one in tokens:
            left.remove(one)
        clear = "" if left else f" {square} is clear."
        values = " and ".join(map(value_of, tokens))
        self.do(
            Happened(
                text=f"{values} on {square}: removed.{clear}",
                ground={square: tuple(left)},
                gone=tuple(one.split()[0] for one in tokens),
            )
        )

    def advance(self) -> None:
        """On to the next phase, or to the end of the game."""
        state = self.state
        skipped, position = state.sequence.after(state.position, state.why_skipped)
        if state.now == "landing":
            self.do(events.MarkersCleared(flags=(LANDED,), silent=True))
        if position is None:
            self.do(events.TableEnded(text=f"The last turn is over: {result_of(state)}."))
        else:
            self.do(events.PhaseBegun(position=position, skipped=skipped))

    def finished(self) -> list[AnyEvent]:
        if tuple(self.tasks) != self._before:
            self.do(events.TasksSet(tasks=tuple(self.tasks)))
        return self.events


def result_of(state: BloodyState) -> str:
    """``23 points, historical victory``."""
    score = state.score()
    names = {str(id): one.name for id, one in state.rules.tiers.items()}
    return f"{score.points} points, {names.get(score.tier, score.tier)}"


# ------------------------------------------------------------------ rolls on the owner's tables


def roll_modifiers(state: BloodyState, task: Task) -> tuple[Shift, ...]:
    turn, rules = state.position.turn, state.rules
    if task.table == "drift":
        big = state.counters[task.units[0]].kind == "battalion"
        return modifiers(rules, "drift", turn, battalion=big)
    if task.table == "disruption":
        unit = state.counters[task.units[0]]
        return modifiers(
            rules,
            "disruption",
            turn,
            battalion=unit.kind == "battalion",
            strongpoint=state.strongpoint_beside(unit.place),
            division=state.meets_others(unit),
        )
    if task.table == "engineers":
        counts = task.place.startswith(BEACH) or rules.ruled("O28", "everywhere")
        beside = counts and state.strongpoint_beside(task.place)
        return modifiers(rules, "engineers", turn, strongpoint=beside, assets=task.count)
    return ()


def weighed(state: BloodyState, task: Task) -> Resolved:
    """The result of a roll; without one, the chances of every result."""
    if task.table in TERRAINS:
        text = state.tables.cell(task.table, task.roll) or ""
        return Resolved(legal=True, base="", column="", roll=task.roll, result=text, shifts=(),
                        modifiers=())  # fmt: skip
    table = next(one for one in state.tables.results if one.id == task.table)
    place, value = 0, ""
    if task.table == "attack":
        strength, defense = attack_sums(state, task)
        value = f"{strength} against {defense}"
        numbers = {"difference": least(str(strength - defense)), "odds": odds(strength, defense),
                   "strength": least(str(strength)), "defense": least(str(defense))}  # fmt: skip
        if state.owned.by in numbers:
            place = max(table.place(numbers[state.owned.by]), 0)
    found = roll_modifiers(state, task)
    return table.resolve(place, task.roll or None, modifiers=found, value=value, rolls=ROLLS)


def settle(run: Run, task: Task) -> None:
    """Carry the result of a roll out, or ask for its cell."""
    found = weighed(run.state, task)
    if not found.result:
        run.ask(task)
        return
    lines = "".join(f", {one.label} {one.value:+}" for one in found.modifiers)
    total = task.roll + sum(one.value for one in found.modifiers)
    lines += f", in all {total}" * bool(lines)
    text = f"{what_for(run.state, task)}: roll {task.roll}{lines}: {found.result}."
    if task.table == "drift":
        text = text.removesuffix(".") + " east."
    run.do(Happened(text=text, result=found.result))
    if task.table in EFFECTS:
        EFFECTS[task.table](run, task, found)


def what_for(state: BloodyState, task: Task) -> str:
    title = state.tables.titles[task.table]
    if task.units:
        unit = state.counters[task.units[0]]
        return f"{title}, {unit.name} on {unit.place}"
    if task.table == "attack":
        strength, defense = attack_sums(state, task)
        squares = " and ".join(task.column.split())
        return f"Attack on {task.place} from {squares}, {strength} against {defense}"
    beside = f" and {task.column}" if task.column else ""
    return f"{title}, {task.place}{beside}"


def _drifts(run: Run, task: Task, found: Resolved) -> None:
    unit = run.state.counters[task.units[0]]
    to = run.state.rules.board.drifted(unit.place, int(found.result))
    if not to:
        run.eliminate(unit, ": it leaves the map")
        return
    text = f"{unit.name}: to {to}." if to != unit.place else ""
    run.say(text, replace(unit.marked(DRIFTED), place=to))


def _lands(run: Run, task: Task, found: Resolved) -> None:
    unit, codes = run.state.counters[task.units[0]], re.findall(r"[A-Z]+[+-]?", found.result)
    spared = "E" in codes and only_division(found.modifiers)
    unit = unit.remarked(on=[LANDED], off=[LANDING])
    run.say("", unit)
    if "E" in codes and not spared:
        run.eliminate(unit, "")
    elif spared or "D" in codes:
        why = ": nothing but another division made it worse" if spared else ""
        run.disrupt(unit, why, again=False)
    for code, id in (("I", INITIATIVE), ("A", ENGINEERS)):
        run.track(id + RATING, codes.count(f"{code}+") - codes.count(f"{code}-"), "the landing")


def _clears(run: Run, task: Task, found: Resolved) -> None:
    if found.result != "success":
        return
    if task.place.startswith(BEACH):
        run.do(Happened(text=f"{task.place} has a gap.", ground={task.place: (GAP,)}))
    else:
        run.take_off(task.place, mines_on(run.state, task.place)[0])


def mines_on(state: BloodyState, square: str) -> list[str]:
    return [one for one in state.tokens(square) if value_of(one) == MINES]


def attackers(state: BloodyState, task: Task) -> list[Counter]:
    return [unit for square in task.column.split() for unit in state.units(square)]


def attack_sums(state: BloodyState, task: Task) -> tuple[int, int]:
    """Strength, less the penalty in the count of the task, and defense."""
    units = attackers(state, task)
    every = [*units, *(tank for unit in units for tank in state.tanks(unit))]
    defense = _worth(state.numbers(task.place))
    return max(sum(map(state.strength, every)) - task.count, 0), defense


def _fights(run: Run, task: Task, found: Resolved) -> None:
    units, tokens = attackers(run.state, task), run.state.numbers(task.place)
    if found.result == "failure":
        tokens = []
    elif found.result != "success":
        points = task.roll + attack_sums(run.state, task)[0]
        tokens = removed(tokens, points, whole=run.state.rules.ruled("O8", "whole"))
    if tokens:
        run.take_off(task.place, *tokens)
    for unit in units if found.result != "success" else ():
        run.disrupt(unit, "")
    if tokens and run.state.is_clear(task.place):
        for unit in run.state.units(task.column.split()[0]):
            run.move(unit, task.place)


def removed(tokens: Sequence[str], points: int, *, whole: bool) -> list[str]:
    """The fewest tokens worth the fewest points that come to so many, a strongpoint first; all of
    them if they are not worth so many. Without ``whole``: all or none."""
    if points >= _worth(tokens):
        return list(tokens)
    if not whole:
        return []
    fits = [
        (_worth(some), "strongpoint" not in some[0], some)
        for count in range(1, len(tokens) + 1)
        for some in combinations(tokens, count)
        if _worth(some) >= points
    ]
    return list(min(fits, key=lambda fit: fit[:2])[2])


def _worth(tokens: Sequence[str]) -> int:
    return sum(int(value_of(one)) for one in tokens)


EFFECTS: dict[str, Callable[[Run, Task, Resolved], None]] = {
    "drift": _drifts, "disruption": _lands, "engineers": _clears, "attack": _fights,
}  # fmt: skip
