"""Rolls on the owner's tables: every modifier, the result carried out. Where its cell is not typed
in yet, the roll waits until it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

from msgspec.structs import replace

from skirmish.games.bloody_omaha import ruleset
from skirmish.games.bloody_omaha import state as bloody
from skirmish.games.bloody_omaha.state import BloodyState, Happened, value_of
from skirmish.tabletop.companion import events
from skirmish.tabletop.companion.counters import Counter, named
from skirmish.tabletop.companion.events import Task
from skirmish.tabletop.companion.result_table import Resolved, Shift, least, odds
from skirmish.tabletop.companion.unfolding import Unfolding

WORDS = {
    ruleset.EVENT: "a random event",
    ruleset.MINES: "mines",
    ruleset.SNIPER: "a sniper",
    ruleset.STUG: "a StuG",
}


class Run(Unfolding[BloodyState]):
    happened = Happened

    def move(self, unit: Counter, place: str) -> None:
        """With its tanks."""
        moved = [replace(one, place=place) for one in (unit, *self.state.tanks(unit))]
        self.say(f"{named(moved)}: to {place}.", *moved)

    def disrupt(self, unit: Counter, why: str = "", *, again: bool = True) -> None:
        """If it is disrupted already, it is eliminated, unless it is not hit ``again``."""
        if not unit.has(bloody.DISRUPTED):
            self.say(f"{unit.name} is disrupted{why}.", unit.marked(bloody.DISRUPTED))
        elif again:
            self.eliminate(unit, why)

    def eliminate(self, unit: Counter, why: str = "") -> None:
        tanks = [replace(one, group="") for one in self.state.tanks(unit)]
        gone = replace(unit, steps=0, place="", flags=())
        self.say(f"{unit.name} is eliminated{why}.", gone, *tanks)

    def turn_up(self, square: str, bag: str, value: str) -> None:
        cup, tokens = self.state.cups[bag], list(self.state.tokens(square))
        if value in cup.unseen:
            self.do(events.Drawn(cup=bag, chit=value, own=cup.typed, silent=True))
        tokens[tokens.index(bag)] = f"{bag} {value}"
        self.say(
            f"The {bag} token on {square} is {WORDS.get(value, value)}.",
            ground={square: tuple(tokens)},
        )

    def take_off(self, square: str, *tokens: str) -> None:
        left = list(self.state.tokens(square))
        for one in tokens:
            left.remove(one)
        names = (WORDS.get(value_of(one), value_of(one)) for one in tokens)
        text = f"Removed from {square}: {' and '.join(names)}."
        gone = tuple(one.split()[0] for one in tokens)
        clear = "" if left else f" Square {square} is clear."
        self.say(text + clear, ground={square: tuple(left)}, gone=gone)


def result_of(state: BloodyState) -> str:
    """``23 points, Historical victory``."""
    score, tiers = state.score(), state.rules.tiers
    return f"{score.points} points, {tiers[score.tier].name if score.tier in tiers else score.tier}"


# ------------------------------------------------------------------ rolls on the owner's tables


def roll_modifiers(state: BloodyState, task: Task) -> tuple[Shift, ...]:
    place, given = task.place, dict[str, Any]()
    if task.table not in state.rules.modifiers:
        return ()
    if task.units:
        unit = state.counters[task.units[0]]
        place, given["battalion"] = unit.place, unit.kind == "battalion"
        given["division"] = task.table == "disruption" and state.meets_others(unit)
    counts = place.startswith(ruleset.BEACH) or state.rules.ruled("O28", "everywhere")
    given["strongpoint"] = counts and state.strongpoint_beside(place)
    turn = state.position.turn
    return ruleset.modifiers(state.rules, task.table, turn, assets=task.count, **given)


def weighed(state: BloodyState, task: Task) -> Resolved:
    """The result of a roll; without one, the chances of every result."""
    table = next((one for one in state.tables.results if one.id == task.table), None)
    if table is None:  # a random event
        text = state.tables.cell(task.table, task.roll) or ""
        return Resolved(legal=True, base="", column="", roll=task.roll, result=text, shifts=(),
                        modifiers=())  # fmt: skip
    place, value = 0, ""
    if task.table == "attack":
        strength, defense = attack_sums(state, task)
        value = f"{strength} against {defense}"
        numbers = {"difference": least(str(strength - defense)), "odds": odds(strength, defense),
                   "strength": least(str(strength)), "defense": least(str(defense))}  # fmt: skip
        by = state.owned.by
        place = max(table.place(numbers[by]), 0) if by in numbers else 0
    found = roll_modifiers(state, task)
    return table.resolve(place, task.roll or None, modifiers=found, value=value, rolls=range(1, 7))


def settle(run: Run, task: Task) -> None:
    """Carry the result of a roll out, or ask for its cell."""
    found = weighed(run.state, task)
    if not found.result:
        run.ask(task)
        return
    roll, result = found.derived(task.roll), found.result.removesuffix(".")
    text = f"{_subject(run.state, task)}: roll {roll}: {result}"
    squares = "square" if found.result == "1" else "squares"
    run.say(f"{text} {squares} east." if task.table == "drift" else f"{text}.", result=found.result)
    if task.table in EFFECTS:
        EFFECTS[task.table](run, task, found)


def _subject(state: BloodyState, task: Task) -> str:
    if task.table == "attack":
        strength, defense = attack_sums(state, task)
        squares = " and ".join(task.column.split())
        return f"Attack on {task.place} from {squares}, {strength} against {defense}"
    unit = state.counters[task.units[0]] if task.units else None
    place = f"{unit.name} on {unit.place}" if unit else task.place
    beside = f" and {task.column}" if task.column else ""
    return f"{state.tables.titles[task.table]}, {place}{beside}"


def _drifts(run: Run, task: Task, found: Resolved) -> None:
    unit = run.state.counters[task.units[0]]
    to = run.state.rules.board.drifted(unit.place, int(found.result))
    if to:
        text = f"{unit.name}: to {to}." if to != unit.place else ""
        run.say(text, replace(unit.marked(bloody.DRIFTED), place=to))
    else:
        run.eliminate(unit, ": it leaves the map")


def _lands(run: Run, task: Task, found: Resolved) -> None:
    codes = re.findall(r"\b[A-Z][+-]?(?!\w)", found.result)
    unit = run.state.counters[task.units[0]].remarked(on=[bloody.LANDED], off=[bloody.LANDING])
    run.say("", unit)
    if "E" in codes and not ruleset.only_division(found.modifiers):
        run.eliminate(unit)
    elif "E" in codes:
        run.disrupt(unit, ": nothing but another division made it worse", again=False)
    elif "D" in codes:
        run.disrupt(unit, again=False)
    for code, id in (("I", bloody.INITIATIVE), ("A", bloody.ENGINEERS)):
        by = codes.count(f"{code}+") - codes.count(f"{code}-")
        run.track(id + bloody.RATING, by, "the landing")


def _clears(run: Run, task: Task, found: Resolved) -> None:
    if found.result == "success" and task.place.startswith(ruleset.BEACH):
        run.say(f"{task.place} has a gap.", ground={task.place: (bloody.GAP,)})
    elif found.result == "success":
        run.take_off(task.place, run.state.mines(task.place)[0])


def attack_sums(state: BloodyState, task: Task) -> tuple[int, int]:
    """Strength, less the penalty in the count of the task, and defense."""
    units = [unit for square in task.column.split() for unit in state.units(square)]
    every = [*units, *(tank for unit in units for tank in state.tanks(unit))]
    defense = _worth(state.numbers(task.place))
    return max(sum(map(state.strength, every)) - task.count, 0), defense


def _fights(run: Run, task: Task, found: Resolved) -> None:
    first, *others = task.column.split()
    tokens = run.state.numbers(task.place)
    if found.result == "failure":
        tokens = []
    elif found.result != "success":
        points = task.roll + attack_sums(run.state, task)[0]
        tokens = removed(tokens, points, whole=run.state.rules.ruled("O8", "whole"))
    if tokens:
        run.take_off(task.place, *tokens)
    for square in (first, *others) if found.result != "success" else ():
        for unit in run.state.units(square):
            run.disrupt(unit)
    if tokens and run.state.is_clear(task.place):
        for unit in run.state.units(first):
            run.move(unit, task.place)


def removed(tokens: Sequence[str], points: int, *, whole: bool) -> list[str]:
    """The fewest tokens worth the fewest points that come to so many, a strongpoint first; all of
    them if they are not worth so many. Without ``whole``: all or none."""
    if points >= _worth(tokens):
        return list(tokens)
    some = (one for count in range(1, len(tokens) + 1) for one in combinations(tokens, count))
    fits = [
        (_worth(one), "strongpoint" not in one[0], one) for one in some if _worth(one) >= points
    ]
    return list(min(fits, key=lambda fit: fit[:2])[2]) if whole else []


def _worth(tokens: Sequence[str]) -> int:
    return sum(int(value_of(one)) for one in tokens)


EFFECTS: dict[str, Callable[[Run, Task, Resolved], None]] = {
    "drift": _drifts, "disruption": _lands, "engineers": _clears, "attack": _fights,
}  # fmt: skip
