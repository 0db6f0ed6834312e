"""Rolls on the owner's tables: what modifies them, and how their results are carried out. A roll
whose cell is not typed in yet waits until it is.

A roll is a ``Task``: its ``table``, the ``units`` or the ``place`` that it is for, the ``roll``.
What an attack has besides is read by ``attacks``.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec.structs import replace

from skirmish.games.bloody_omaha import ruleset
from skirmish.games.bloody_omaha import state as bloody
from skirmish.games.bloody_omaha.attacks import (
    attack_column,
    attack_sums,
    attack_words,
    attacked_from,
    settle_attack,
)
from skirmish.games.bloody_omaha.run import Run
from skirmish.games.bloody_omaha.state import BloodyState
from skirmish.tabletop.companion.modifiers import Shift
from skirmish.tabletop.companion.result_table import Resolved, ResultTable
from skirmish.tabletop.companion.table_state import Task


def assets_of(task: Task) -> int:
    """The engineer assets spent on an attempt; 0 for any other roll with modifiers."""
    return task.count


def roll_modifiers(state: BloodyState, task: Task) -> tuple[Shift, ...]:
    """The modifiers of a roll with their reasons; none for tables without any."""
    if task.table not in state.rules.modifiers:
        return ()
    place = task.place
    is_battalion = is_with_other_division = False
    if task.units:
        unit = state.counters[task.units[0]]
        place = unit.place
        is_battalion = unit.kind == "battalion"
        # Another division on the beach counts where a unit lands (6.5.a), not while it drifts.
        is_with_other_division = task.table == "disruption" and state.meets_others(unit)
    # O28: inland a strongpoint beside mines counts by ruling only.
    strongpoint_counts = place.startswith(ruleset.BEACH) or state.rules.ruled("O28", "everywhere")
    return ruleset.modifiers(
        state.rules,
        task.table,
        state.position.turn,
        assets=assets_of(task),
        battalion=is_battalion,
        division=is_with_other_division,
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
    # Only the attack table has several columns, so only an attack has words for what led to its
    # column.
    column = 0
    words = ""
    if task.table == "attack":
        column = attack_column(state, task, table)
        words = attack_words(state, task, table.columns[column].title)
    return table.resolve(
        column,
        task.roll or None,  # 0: it has not been rolled
        modifiers=roll_modifiers(state, task),
        value=words,
        rolls=range(1, 7),  # a six-sided die
    )


def _table_of(state: BloodyState, task: Task) -> ResultTable | None:
    """The table of results; None for one of random events."""
    for table in state.tables.results:
        if table.id == task.table:
            return table
    return None


def settle(run: Run, task: Task) -> None:
    """Carries the result of a roll out, or asks for its cell if that is not typed in yet."""
    outcome = outcome_of(run.state, task)
    rolled = f"{subject(run.state, task)}: roll {outcome.derived(task.roll)}"
    if not outcome.result:
        run.say(f"{rolled}.")
        run.ask(task)
    elif task.table == "drift":
        _settle_drift(run, task, outcome, rolled)
    else:
        run.say(f"{rolled}: {outcome.result.removesuffix('.')}.", result=outcome.result)
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


def _settle_drift(run: Run, task: Task, outcome: Resolved, rolled: str) -> None:
    """A landing craft drifts along the beach, or off the map (6.2). ``rolled`` begins the sentence:
    who rolled what."""
    unit = run.state.counters[task.units[0]]
    # A unit that was moved ashore by hand meanwhile does not drift any more.
    if unit not in run.state.at_sea():
        return
    landing_place = run.state.rules.board.drifted(unit.place, int(outcome.result))
    drift = _drift_words(unit.place, landing_place, outcome.result)
    drifted = unit.marked(bloody.DRIFTED)
    if not landing_place:
        run.say(f"{rolled}: {drift}.", drifted, result=drift)
        # Off the map it is eliminated (6.2.b).
        run.eliminate(unit)
        return
    # ``result`` is shown in large letters, which have no room for the square that it comes to.
    large_letters = drift
    if landing_place != unit.place:
        large_letters = _eastward(outcome.result)
    run.say(f"{rolled}: {drift}.", replace(drifted, place=landing_place), result=large_letters)


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
        # A unit that was disrupted before it landed is not hit again.
        run.disrupt(unit, hits_again=False)
    for code, id in (("I", bloody.INITIATIVE), ("A", bloody.ENGINEERS)):
        change = codes.count(f"{code}+") - codes.count(f"{code}-")
        rating = run.state.tracks[id + bloody.RATING]
        # This is said, since a player who sees the minus on his table expects a change.
        if change < 0 and rating.value == rating.low:
            run.say(f"The {id} rating stays at {rating.value}.")
        run.move_track(rating.id, change, "the landing")


def _settle_engineers(run: Run, task: Task, outcome: Resolved) -> None:
    """What engineers do to the obstacle of a beach, or to mines inland (8.5.b)."""
    if outcome.result != "success":
        return
    if task.place.startswith(ruleset.BEACH):
        run.say(f"{task.place} has a gap.", ground={task.place: (bloody.GAP,)})
    else:
        # One success removes one token, if several of them are mines.
        run.take_off(task.place, run.state.mines(task.place)[0])


SETTLED_BY: dict[str, Callable[[Run, Task, Resolved], None]] = {
    "disruption": _settle_landing,
    "engineers": _settle_engineers,
    "attack": settle_attack,
}
"""What carries the result of a table out."""
