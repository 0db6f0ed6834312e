"""Rolls on the owner's tables: every modifier, the result carried out. Where its cell is not
typed in yet, the roll waits until it is.

A roll is a ``Task``: its ``table``, the ``units`` or the ``place`` that it is for, the ``roll``.
The questions of all games have the same few fields, so ``column`` and ``count`` hold what a kind of
roll has besides: ``attacked_from``, ``penalty_of`` and ``assets_of`` read it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from msgspec.structs import replace

from skirmish.games.bloody_omaha import ruleset
from skirmish.games.bloody_omaha import state as bloody
from skirmish.games.bloody_omaha.state import BloodyHappened, BloodyState, bag_of, value_of
from skirmish.tabletop.companion import events
from skirmish.tabletop.companion.counters import Counter, named
from skirmish.tabletop.companion.events import Task
from skirmish.tabletop.companion.result_table import Resolved, ResultTable, Shift, odds
from skirmish.tabletop.companion.unfolding import Unfolding

STRENGTHS = ("difference", "odds", "strength", "defense")
"""What may choose the column of the attack table."""
TOKEN_WORDS = {ruleset.EVENT: "a random event", ruleset.SNIPER: "a sniper", ruleset.STUG: "a StuG"}
"""What a token is called in sentences; the others by their value."""


def attacked_from(attack: Task) -> list[str]:
    """The squares from which an attack comes; the units of the first advance."""
    return attack.column.split()


def penalty_of(attack: Task) -> int:
    """What is taken off the strength of an attack (O7)."""
    return attack.count


def assets_of(task: Task) -> int:
    """The engineer assets spent on an attempt; 0 for any other roll with modifiers."""
    return task.count


class Run(Unfolding[BloodyState]):
    """The course of an order, with what happens to units and tokens. ``say`` is what changes the
    state: it records a sentence together with the counters and squares as they are after it."""

    happened = BloodyHappened

    def put(self, unit: Counter) -> None:
        """A unit is from now on as given, which needs no sentence."""
        self.say("", unit)

    def move(self, unit: Counter, place: str) -> None:
        """A unit goes to that square or box, with its tanks."""
        together = (unit, *self.state.tanks(unit))
        moved = [replace(counter, place=place) for counter in together]
        self.say(f"{named(moved)}: to {place}.", *moved)

    def disrupt(self, unit: Counter, why: str = "", *, hits_again: bool = True) -> None:
        """A unit is disrupted. One that was disrupted before is eliminated, where this
        ``hits_again``; elsewhere nothing happens to it, which is said if there is a ``why``: that
        goes on with the sentence, ``: …`` or `` and …``."""
        if not unit.has(bloody.DISRUPTED):
            disrupted = unit.marked(bloody.DISRUPTED)
            text = f"{unit.name} is disrupted{why}."
            self.say(text, disrupted, effect="disrupted", about=unit.name)
        elif hits_again:
            self.eliminate(unit, why)
        elif why:
            # Without a reason there would be nothing in the sentence that is new to the players.
            text = f"{unit.name} is disrupted already{why}."
            self.say(text, effect="disrupted already", about=unit.name)

    def eliminate(self, unit: Counter, why: str = "") -> None:
        """A unit leaves the game. Its tanks stay with another unit there; without one they are set
        aside (8.3)."""
        in_square = self.state.units(unit.place)
        heirs = [neighbour for neighbour in in_square if neighbour.id != unit.id]
        # Of several units the first gets them; the players may give them to another by hand. The
        # ``group`` of a tank is the id of the unit that it goes with; that of a unit its command.
        heir = place = ""
        fate = "set aside"
        if heirs:
            heir = heirs[0].id
            place = unit.place
            fate = f"to {heirs[0].name}"
        tanks = [replace(tank, group=heir, place=place) for tank in self.state.tanks(unit)]
        text = f"{unit.name} is eliminated{why}."
        if tanks:
            text += f" {named(tanks)}: {fate}."
        gone = replace(unit, steps=0, place="", flags=())
        self.say(text, gone, *tanks, effect="eliminated", about=unit.name)

    def turn_up(self, square: str, bag: str, value: str) -> None:
        """A token of a square is turned face up; what it is comes out of its bag. A token that lies
        face down is written as its bag, ``strongpoint``; face up as both, ``strongpoint 5``."""
        cup = self.state.cups[bag]
        # A value that the owner took out of his bag and typed in may be none that is left in ours.
        if value in cup.unseen:
            self.do(events.Drawn(cup=bag, chit=value, own=cup.typed, silent=True))
        # Of several equal ones the first; face down nobody can tell them apart.
        tokens = list(self.state.tokens(square))
        tokens[tokens.index(bag)] = f"{bag} {value}"
        text = f"The {bag} token on {square} is {TOKEN_WORDS.get(value, value)}."
        self.say(text, ground={square: tuple(tokens)}, result=value)

    def take_off(self, square: str, *tokens: str) -> None:
        """Tokens that lie face up leave the map, which brings points (2.3)."""
        left = list(self.state.tokens(square))
        for token in tokens:
            left.remove(token)
        values = [value_of(token) for token in tokens]
        names = [TOKEN_WORDS.get(value, value) for value in values]
        text = f"Removed from {square}: {' and '.join(names)}."
        effect = about = ""
        if not left:
            effect, about = "clear", f"square {square}"
            text += f" Square {square} is clear."
        bags = tuple(bag_of(token) for token in tokens)
        self.say(text, ground={square: tuple(left)}, gone=bags, effect=effect, about=about)


# ------------------------------------------------------------------ rolls on the owner's tables


def roll_modifiers(state: BloodyState, task: Task) -> tuple[Shift, ...]:
    """The modifiers of a roll with their reasons; none for tables without any."""
    if task.table not in state.rules.modifiers:
        return ()
    place = task.place
    # Whether a battalion rolls, and whether a unit of another division is on its beach (6.5.a).
    battalion = division = False
    if task.units:
        unit = state.counters[task.units[0]]
        place, battalion = unit.place, unit.kind == "battalion"
        division = task.table == "disruption" and state.meets_others(unit)
    # O28: inland a strongpoint beside mines counts by ruling only.
    strongpoint_counts = place.startswith(ruleset.BEACH) or state.rules.ruled("O28", "everywhere")
    return ruleset.modifiers(
        state.rules,
        task.table,
        state.position.turn,
        assets=assets_of(task),
        battalion=battalion,
        division=division,
        strongpoint=strongpoint_counts and state.strongpoint_beside(place),
    )


def outcome_of(state: BloodyState, task: Task) -> Resolved:
    """The result of a roll; without one, the chances of every result."""
    table = _table_of(state, task)
    if table is None:
        # Random events have a text for each roll, and no modifiers.
        text = state.tables.cell(task.table, task.roll) or ""
        return Resolved(
            legal=True, base="", column="", roll=task.roll, result=text, shifts=(), modifiers=()
        )
    # Only the attack table has several columns, so only of an attack there is to say what led to
    # the column.
    column, attack_words = 0, ""
    if task.table == "attack":
        column = _attack_column(state, task, table)
        attack_words = _attack_words(state, task, table.columns[column].title)
    return table.resolve(
        column,
        task.roll or None,
        modifiers=roll_modifiers(state, task),
        value=attack_words,
        rolls=range(1, 7),
    )


def _table_of(state: BloodyState, task: Task) -> ResultTable | None:
    """The table of results; None for one of random events."""
    for table in state.tables.results:
        if table.id == task.table:
            return table
    return None


def _attack_column(state: BloodyState, task: Task, table: ResultTable) -> int:
    """The index of the column, by what the owner says that chooses it. Attacks too weak for the
    first column use that."""
    chosen_by = state.owned.attack_columns.chosen_by
    if chosen_by not in STRENGTHS:
        return 0
    strength, defense = attack_sums(state, task)
    match chosen_by:
        case "difference":
            number = Fraction(strength - defense)
        case "odds":
            number = odds(strength, defense)
        case "strength":
            number = Fraction(strength)
        case _:  # "defense", the last of STRENGTHS
            number = Fraction(defense)
    return max(table.column_for(number), 0)


def _attack_words(state: BloodyState, task: Task, column: str) -> str:
    """Who attacks what, in which column: ``Able 4, Tank 1 2 against strongpoint 5; odds, …``."""
    chosen_by = state.owned.attack_columns.chosen_by
    strengths = [f"{unit.name} {state.strength(unit)}" for unit in attackers(state, task)]
    if penalty_of(task):
        strengths.append(f"penalty -{penalty_of(task)}")
    text = f"{', '.join(strengths)} against {', '.join(state.numbers(task.place))}"
    if chosen_by == "difference":
        strength, defense = attack_sums(state, task)
        text += f"; difference {strength - defense}, column {column}"
    elif chosen_by in STRENGTHS:
        text += f"; {chosen_by}, column {column}"
    if of_several_commands(state, task):
        text += "; several commands, for which the rule breaks off (O7)"
    return text


def settle(run: Run, task: Task) -> None:
    """Carry the result of a roll out, or ask for its cell."""
    outcome = outcome_of(run.state, task)
    text = f"{subject(run.state, task)}: roll {outcome.derived(task.roll)}"
    if not outcome.result:
        run.say(f"{text}.")
        run.ask(task)
    elif task.table == "drift":
        _settle_drift(run, task, outcome, text)
    else:
        run.say(f"{text}: {outcome.result.removesuffix('.')}.", result=outcome.result)
        # What a random event says is carried out by hand.
        if task.table in SETTLED_BY:
            SETTLED_BY[task.table](run, task, outcome)


def subject(state: BloodyState, task: Task) -> str:
    """What is rolled for: ``Beach Disruption, Able on B3``."""
    if task.table == "attack":
        strength, defense = attack_sums(state, task)
        squares = " and ".join(attacked_from(task))
        return f"Attack on {task.place} from {squares}, {strength} against {defense}"
    place = task.place
    if task.units:
        unit = state.counters[task.units[0]]
        place = f"{unit.name} on {unit.place}"
    text = f"{state.tables.titles[task.table]}, {place}"
    # A random event at a square may concern the token of a square beside it (5.2).
    square_beside = task.column
    if square_beside:
        text += f" and {square_beside}"
    return text


def _settle_drift(run: Run, task: Task, outcome: Resolved, text: str) -> None:
    """A landing craft drifts along the beach, or off the map (6.2)."""
    unit = run.state.counters[task.units[0]]
    # A unit that was moved ashore by hand meanwhile drifts no more.
    if unit not in run.state.at_sea():
        return
    landing_place = run.state.rules.board.drifted(unit.place, int(outcome.result))
    drift = _drift_words(unit.place, landing_place, outcome.result)
    drifted = unit.marked(bloody.DRIFTED)
    if not landing_place:
        run.say(f"{text}: {drift}.", drifted, result=drift)
        # Off the map it is eliminated (6.2.b).
        run.eliminate(unit)
        return
    # ``result`` is shown in large letters, which have no room for the square that it comes to.
    large_letters = drift
    if landing_place != unit.place:
        large_letters = _eastward(outcome.result)
    run.say(f"{text}: {drift}.", replace(drifted, place=landing_place), result=large_letters)


def drift_text(state: BloodyState, task: Task, result: str) -> str:
    """A result of the drift table for that unit: ``2 east to C7``."""
    place = state.counters[task.units[0]].place
    return _drift_words(place, state.rules.board.drifted(place, int(result)), result)


def _drift_words(place: str, landing_place: str, result: str) -> str:
    """A drift from one square to another, which is empty off the map."""
    if not landing_place:
        return "off the map"
    if landing_place == place:
        return "stays"
    return f"{_eastward(result)} to {landing_place}"


def _eastward(result: str) -> str:
    """A drift in words; all of them go east."""
    return f"{result} east"


def _landing_codes(result: str) -> list[str]:
    """What a cell of the Beach Disruption table does, as letters: D and E for the unit, I and A
    with a sign for the ratings of initiative and of engineers (assets). The rules call the results
    “Unit Disrupted” and “Unit Eliminated” (6.5.a), so an owner may have typed these words.

    >>> _landing_codes("D I-")
    ['D', 'I-']
    >>> _landing_codes("Unit Eliminated, A+")
    ['A+', 'E']
    """
    # A capital that is a word of its own, with a sign behind it if there is one: ``D I-``.
    codes = re.findall(r"\b[A-Z][+-]?(?!\w)", result)
    for word, code in (("disrupted", "D"), ("eliminated", "E")):
        if word in result.lower() and code not in codes:
            codes.append(code)
    return codes


def _settle_landing(run: Run, task: Task, outcome: Resolved) -> None:
    """What the Beach Disruption table does to a unit that lands, and to the ratings (6.5)."""
    codes = _landing_codes(outcome.result)
    unit = run.state.counters[task.units[0]].remarked(on=[bloody.LANDED], off=[bloody.LANDING])
    run.put(unit)
    if "E" in codes and ruleset.only_division(outcome.modifiers):
        run.disrupt(unit, ": nothing but another division made it worse", hits_again=False)
    elif "E" in codes:
        run.eliminate(unit)
    elif "D" in codes:
        # Who lands disrupted is not hit again: it is disrupted already.
        run.disrupt(unit, hits_again=False)
    for code, id in (("I", bloody.INITIATIVE), ("A", bloody.ENGINEERS)):
        change = codes.count(f"{code}+") - codes.count(f"{code}-")
        rating = run.state.tracks[id + bloody.RATING]
        # Said, since a player who reads the minus on his table would look for it.
        if change < 0 and rating.value == rating.low:
            run.say(f"The {id} rating stays at {rating.value}.")
        run.move_track(rating.id, change, "the landing")


def _settle_engineers(run: Run, task: Task, outcome: Resolved) -> None:
    """8.5.b: the obstacle of a beach, or mines inland."""
    if outcome.result != "success":
        return
    if task.place.startswith(ruleset.BEACH):
        run.say(f"{task.place} has a gap.", ground={task.place: (bloody.GAP,)})
    else:
        run.take_off(task.place, run.state.mines(task.place)[0])


class AttackSums(NamedTuple):
    """The strength of all attackers, and the defense of the square."""

    strength: int
    defense: int


def attack_sums(state: BloodyState, task: Task) -> AttackSums:
    """The strength of an attack, less its penalty, and the defense."""
    strength = sum(map(state.strength, attackers(state, task)))
    return AttackSums(max(strength - penalty_of(task), 0), _worth(state.numbers(task.place)))


def attackers(state: BloodyState, task: Task) -> list[Counter]:
    """All units of the squares, each with its tanks (O23, O24)."""
    fighting = []
    for square in attacked_from(task):
        for unit in state.units(square):
            fighting += [unit, *state.tanks(unit)]
    return fighting


def of_several_commands(state: BloodyState, task: Task) -> bool:
    """Whether the attackers are units of several commands; a tank is of none."""
    commands = {unit.group for unit in attackers(state, task) if unit.kind != bloody.TANK}
    return len(commands) > 1


def _settle_attack(run: Run, task: Task, outcome: Resolved) -> None:
    """Failure, success, or success with disruption, which removes only what the attack is worth
    (8.4.d)."""
    if outcome.result == "failure":
        finish_attack(run, task, ())
        return
    if outcome.result == "success":
        finish_attack(run, task, run.state.numbers(task.place), hit=False)
        return
    choices = removal_choices(run.state, task)
    if len(choices) > 1:
        run.ask(replace(task, kind="remove"))
    else:
        finish_attack(run, task, choices[0])


def finish_attack(run: Run, task: Task, tokens: Sequence[str], *, hit: bool = True) -> None:
    """What an attack does in the end: ``tokens`` of its target are removed, and the attackers are
    disrupted if they are ``hit``; those of the first square advance if no token is left."""
    squares = attacked_from(task)
    if tokens:
        run.take_off(task.place, *tokens)
    if hit:
        for square in squares:
            for unit in run.state.units(square):
                run.disrupt(unit)
    if tokens and run.state.is_clear(task.place):
        for unit in run.state.units(squares[0]):
            run.move(unit, task.place)


def removal_choices(state: BloodyState, task: Task) -> list[tuple[str, ...]]:
    """What success with disruption may remove: tokens worth the roll and the strength."""
    points = task.roll + attack_sums(state, task).strength
    # The answer "whole" of O8 removes whole tokens; the other one all tokens or none.
    some_may_stay = state.rules.ruled("O8", "whole")
    return removable(state.numbers(task.place), points, some_may_stay=some_may_stay)


def removable(tokens: Sequence[str], points: int, *, some_may_stay: bool) -> list[tuple[str, ...]]:
    """The sets of tokens that may be removed: those worth ``points``, or as little more as can be,
    and of such sets those of the fewest tokens. All tokens if they are not worth more. Unless
    ``some_may_stay`` while others go: all or none (O8).

    >>> removable(["strongpoint 2", "strongpoint 3", "encounter 4"], 3, some_may_stay=True)
    [('strongpoint 3',)]
    >>> removable(["strongpoint 2", "strongpoint 3", "encounter 4"], 3, some_may_stay=False)
    [()]
    """
    if points >= _worth(tokens):
        return [tuple(tokens)]
    if not some_may_stay:
        return [()]
    # All are tried: a square has a few tokens only.
    worth_and_count = {}
    for count in range(1, len(tokens) + 1):
        for choice in combinations(tokens, count):
            if _worth(choice) >= points:
                worth_and_count[choice] = (_worth(choice), count)
    # The least worth first; of equal worth the fewest tokens.
    least_of_all = min(worth_and_count.values())
    return [choice for choice, size in worth_and_count.items() if size == least_of_all]


def _worth(tokens: Sequence[str]) -> int:
    """The sum of the values of tokens."""
    return sum(int(value_of(token)) for token in tokens)


SETTLED_BY: dict[str, Callable[[Run, Task, Resolved], None]] = {
    "disruption": _settle_landing,
    "engineers": _settle_engineers,
    "attack": _settle_attack,
}
"""What carries the result of a table out."""
