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
from skirmish.games.bloody_omaha.state import BloodyHappened, BloodyState, value_of
from skirmish.tabletop.companion import events
from skirmish.tabletop.companion.counters import Counter, named
from skirmish.tabletop.companion.events import Task
from skirmish.tabletop.companion.result_table import Resolved, Shift, least, odds
from skirmish.tabletop.companion.unfolding import Unfolding

WORDS = {ruleset.EVENT: "a random event", ruleset.SNIPER: "a sniper", ruleset.STUG: "a StuG"}


class Run(Unfolding[BloodyState]):
    happened = BloodyHappened

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
        elif why:
            self.say(f"{unit.name} is disrupted already{why}.")

    def eliminate(self, unit: Counter, why: str = "") -> None:
        """Its tanks stay with another unit there; without one they are set aside (8.3)."""
        heirs = [one for one in self.state.units(unit.place) if one.id != unit.id]
        heir, place = (heirs[0].id, unit.place) if heirs else ("", "")
        tanks = [replace(one, group=heir, place=place) for one in self.state.tanks(unit)]
        to = f" {named(tanks)}: {f'to {heirs[0].name}' if heirs else 'set aside'}." if tanks else ""
        gone = replace(unit, steps=0, place="", flags=())
        self.say(f"{unit.name} is eliminated{why}.{to}", gone, *tanks)

    def turn_up(self, square: str, bag: str, value: str) -> None:
        cup, tokens = self.state.cups[bag], list(self.state.tokens(square))
        if value in cup.unseen:
            self.do(events.Drawn(cup=bag, chit=value, own=cup.typed, silent=True))
        tokens[tokens.index(bag)] = f"{bag} {value}"
        text, ground = WORDS.get(value, value), {square: tuple(tokens)}
        self.say(f"The {bag} token on {square} is {text}.", ground=ground, result=value)

    def take_off(self, square: str, *tokens: str) -> None:
        left = list(self.state.tokens(square))
        for one in tokens:
            left.remove(one)
        names = (WORDS.get(value_of(one), value_of(one)) for one in tokens)
        text = f"Removed from {square}: {' and '.join(names)}."
        gone = tuple(one.split()[0] for one in tokens)
        clear = "" if left else f" Square {square} is clear."
        self.say(text + clear, ground={square: tuple(left)}, gone=gone)


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
    place, value, by = 0, "", state.owned.attack[0]
    if task.table == "attack":
        strength, defense = attack_sums(state, task)
        numbers = {"difference": least(str(strength - defense)), "odds": odds(strength, defense),
                   "strength": least(str(strength)), "defense": least(str(defense))}  # fmt: skip
        place = max(table.place(numbers[by]), 0) if by in numbers else 0
        ours = [f"{one.name} {state.strength(one)}" for one in attackers(state, task)]
        ours += [f"penalty -{task.count}"] * bool(task.count)
        value = f"{', '.join(ours)} against {', '.join(state.numbers(task.place))}"
        worth = f" {strength - defense}" if by == "difference" else ""
        value += f"; {by}{worth}, column {table.columns[place].title}" * (by in numbers)
        value += "; several commands, for which the rule breaks off (O7)" * mixed(state, task)
    found = roll_modifiers(state, task)
    return table.resolve(place, task.roll or None, modifiers=found, value=value, rolls=range(1, 7))


def settle(run: Run, task: Task) -> None:
    """Carry the result of a roll out, or ask for its cell."""
    found = weighed(run.state, task)
    text = f"{subject(run.state, task)}: roll {found.derived(task.roll)}"
    if not found.result:
        run.say(f"{text}.")
        run.ask(task)
    elif task.table == "drift":
        _drifts(run, task, found, text)
    else:
        run.say(f"{text}: {found.result.removesuffix('.')}.", result=found.result)
        if task.table in EFFECTS:
            EFFECTS[task.table](run, task, found)


def subject(state: BloodyState, task: Task) -> str:
    if task.table == "attack":
        strength, defense = attack_sums(state, task)
        squares = " and ".join(task.column.split())
        return f"Attack on {task.place} from {squares}, {strength} against {defense}"
    unit = state.counters[task.units[0]] if task.units else None
    place = f"{unit.name} on {unit.place}" if unit else task.place
    beside = f" and {task.column}" if task.column else ""
    return f"{state.tables.titles[task.table]}, {place}{beside}"


def _drifts(run: Run, task: Task, found: Resolved, text: str) -> None:
    unit = run.state.counters[task.units[0]]
    if unit not in run.state.at_sea():  # it was moved by hand meanwhile
        return
    to = run.state.rules.board.drifted(unit.place, int(found.result))
    way = drift(run.state, task, found.result)
    moved = replace(unit.marked(bloody.DRIFTED), place=to or unit.place)
    run.say(f"{text}: {way}.", moved, result=way.partition(" to ")[0])
    if not to:
        run.eliminate(unit)


def drift(state: BloodyState, task: Task, result: str) -> str:
    """A result of the drift table for that unit: ``2 east to C7``."""
    place = state.counters[task.units[0]].place
    to = state.rules.board.drifted(place, int(result))
    return "off the map" if not to else f"{result} east to {to}" if to != place else "stays"


def _landing_codes(result: str) -> list[str]:
    """What a cell of the Beach Disruption table does, as letters. The rules call the results “Unit
    Disrupted” and “Unit Eliminated” (6.5.a), so an owner may have typed these words."""
    codes = re.findall(r"\b[A-Z][+-]?(?!\w)", result)
    for word, code in (("disrupted", "D"), ("eliminated", "E")):
        if word in result.lower() and code not in codes:
            codes.append(code)
    return codes


def _lands(run: Run, task: Task, found: Resolved) -> None:
    codes = _landing_codes(found.result)
    unit = run.state.counters[task.units[0]].remarked(on=[bloody.LANDED], off=[bloody.LANDING])
    run.say("", unit)
    why = ": nothing but another division made it worse" if "E" in codes else ""
    if why and not ruleset.only_division(found.modifiers):
        run.eliminate(unit)
    elif why or "D" in codes:
        run.disrupt(unit, why, again=False)
    for code, id in (("I", bloody.INITIATIVE), ("A", bloody.ENGINEERS)):
        by = codes.count(f"{code}+") - codes.count(f"{code}-")
        rating = run.state.tracks[id + bloody.RATING]
        if by < 0 and rating.value == rating.low:
            run.say(f"The {id} rating stays at {rating.value}.")
        run.track(rating.id, by, "the landing")


def _clears(run: Run, task: Task, found: Resolved) -> None:
    if found.result == "success" and task.place.startswith(ruleset.BEACH):
        run.say(f"{task.place} has a gap.", ground={task.place: (bloody.GAP,)})
    elif found.result == "success":
        run.take_off(task.place, run.state.mines(task.place)[0])


def attack_sums(state: BloodyState, task: Task) -> tuple[int, int]:
    """Strength, less the penalty in the count of the task, and defense."""
    strength = sum(map(state.strength, attackers(state, task)))
    return max(strength - task.count, 0), _worth(state.numbers(task.place))


def attackers(state: BloodyState, task: Task) -> list[Counter]:
    """All units of the squares, each with its tanks."""
    units = (unit for square in task.column.split() for unit in state.units(square))
    return [one for unit in units for one in (unit, *state.tanks(unit))]


def mixed(state: BloodyState, task: Task) -> bool:
    """Whether they are units of several commands."""
    return len({one.group for one in attackers(state, task) if one.kind != bloody.TANK}) > 1


def _fights(run: Run, task: Task, found: Resolved) -> None:
    if found.result == "failure":
        fought(run, task, ())
    elif found.result == "success":
        fought(run, task, run.state.numbers(task.place), hit=False)
    elif len(found_ways := ways(run.state, task)) > 1:
        run.ask(replace(task, kind="remove"))
    else:
        fought(run, task, found_ways[0])


def fought(run: Run, task: Task, tokens: Sequence[str], *, hit: bool = True) -> None:
    """These tokens are removed, the attackers are ``hit``; those of the first square advance."""
    squares = task.column.split()
    if tokens:
        run.take_off(task.place, *tokens)
    for square in squares if hit else ():
        for unit in run.state.units(square):
            run.disrupt(unit)
    if tokens and run.state.is_clear(task.place):
        for unit in run.state.units(squares[0]):
            run.move(unit, task.place)


def ways(state: BloodyState, task: Task) -> list[tuple[str, ...]]:
    """What success with disruption may remove."""
    points = task.roll + attack_sums(state, task)[0]
    return removable(state.numbers(task.place), points, whole=state.rules.ruled("O8", "whole"))


def removable(tokens: Sequence[str], points: int, *, whole: bool) -> list[tuple[str, ...]]:
    """The fewest tokens worth the fewest points that come to so many; all of them if they are not
    worth so many. Without ``whole``: all or none."""
    if points >= _worth(tokens) or not whole:
        return [tuple(tokens) if points >= _worth(tokens) else ()]
    some = [one for count in range(1, len(tokens) + 1) for one in combinations(tokens, count)]
    fits = {one: (_worth(one), len(one)) for one in some if _worth(one) >= points}
    return [one for one, size in fits.items() if size == min(fits.values())]


def _worth(tokens: Sequence[str]) -> int:
    return sum(int(value_of(one)) for one in tokens)


EFFECTS: dict[str, Callable[[Run, Task, Resolved], None]] = {
    "disruption": _lands, "engineers": _clears, "attack": _fights,
}  # fmt: skip
