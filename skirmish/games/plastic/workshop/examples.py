"""What a draft gets first where its author asks for something new: terms of victory of another
kind, another way to enter, a limit, a rule, a footnote, an exception, a happening. Each is an
example with a value in every field that its kind needs, made of the sides and units of the draft.
The author then changes it."""

from __future__ import annotations

from skirmish.games.plastic.scenarios.own import Raw
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.workshop.draft import map_of
from skirmish.games.plastic.workshop.forces import first_unit_of
from skirmish.games.plastic.workshop.keyed_values import value_at, with_value
from skirmish.tabletop.data_file import table_of

UNWORDED = "…"
"""The text of victory terms that are not put into words yet; ``victory_sentence`` replaces it."""


def with_victory_kind(scenario: Scenario, kind: str) -> Scenario:
    """The scenario with another kind of victory. The side that has to win and the moment are kept
    where the new kind has them; the rest is an example. Raises EditError."""
    raw = table_of(scenario)
    terms_before = raw["victory"]
    first, second = (side.id for side in scenario.sides)
    side = terms_before.get("side", scenario.moves_first)
    enemy = _enemy_of(scenario, side)
    moment = _moment_of(terms_before)
    if moment is None:
        moment = raw.get("ends_after", {"side": enemy, "turn": 10})
    unit = first_unit_of(scenario, side)
    enemy_unit = first_unit_of(scenario, enemy)
    terms_by_kind: dict[str, Raw] = {
        "exit": {"side": side, "need": 10, "by": moment, "edge": "N"},
        "destroy": {"side": side, "unit": enemy_unit, "need": 1, "by": moment},
        "destroy_then_exit": {
            "side": side,
            "unit": enemy_unit,
            "need": 1,
            "then": {"unit": unit, "need": 1, "edge": "N"},
            "by": moment,
        },
        "hold": {
            "side": side,
            "what": "buildings",
            "need": 2,
            "how": "solely_or_last",
            "at": moment,
        },
        "hold_ratio": {"side": side, "what": "buildings", "ratio": 2, "at": moment},
        "clear": {"side": side, "of": enemy, "within_in": 6, "point": "centre", "at": moment},
        "survivors": {"units": [unit], "wins": "more", "at": moment},
        "count": {
            "question": "Guys within 6 in of the middle",
            "sides": [first, second],
            "units": "guys",
            "wins": "more",
            "at": moment,
            "equal": enemy,
        },
    }
    return with_value(scenario, "victory", {"kind": kind, "text": UNWORDED, **terms_by_kind[kind]})


def _enemy_of(scenario: Scenario, side: str) -> str:
    """The side against that one; in a draft with no other, the side itself."""
    for scenario_side in scenario.sides:
        if scenario_side.id != side:
            return scenario_side.id
    return side


def _moment_of(terms: Raw) -> Raw | None:
    """The moment that victory terms name. It is called ``at`` in the kinds that look at the table
    at one moment, and ``by`` in those with a deadline, which a few terms lack."""
    moment: Raw | None = terms.get("at", terms.get("by"))
    return moment


def with_entry_kind(scenario: Scenario, key: str, kind: str) -> Scenario:
    """The scenario with an entry of another kind in the place of the entry with that key: another
    way for its contingent to enter, on the same turn if possible. Raises EditError."""
    entry_before = value_at(table_of(scenario), key)
    turn = 1
    # Where there is no entry with that key, ``with_value`` refuses the key below.
    if entry_before is not None:
        turn = entry_before.get("turn", turn)
    # Turn 0 is before play, when nobody comes over an edge.
    later_turn = max(turn, 1)
    # The first zone and mark that the map has; where it has none, one that it may get.
    letters = sorted(map_of(scenario).zone_letters) or ["A"]
    marks = sorted(map_of(scenario).mark_letters) or ["1"]
    entry_by_kind: dict[str, Raw] = {
        "zone": {"zone": letters[0], "turn": turn},
        "edge": {"edge": "N", "turn": later_turn},
        "road": {"turn": later_turn},
        "corner": {"corners": ["NE"], "turn": later_turn},
        "marks": {"marks": marks[:1], "turn": turn},
        "anywhere": {"turn": turn},
    }
    return with_value(scenario, key, {"kind": kind, **entry_by_kind[kind]})


def new_entry(scenario: Scenario, list_name: str, kind: str = "") -> Raw:
    """A new entry for one of the lists on the rules page: limits, rules, footnotes, happenings (of
    that ``kind``) and exceptions, which are units that differ (``variant``), other units under a
    ruling (``swap``) and another end under one (``clock``). It is about the side that moves first
    and a unit of that side."""
    side = scenario.moves_first
    unit = first_unit_of(scenario, side)
    # For a swap or a clock: a ruling that the scenario names, or else the first in the book.
    ruling_and_answer = {"ruling": next(iter(scenario.rulings), "P1"), "answer": "…"}
    match list_name:
        case "limit":
            return {"side": side, "before_turn": 2, "text": "May not leave the table."}
        case "rule":
            return {"name": "A rule", "text": "What it says."}
        case "footnote":
            return {"mark": _free_mark(scenario), "text": "What the source leaves open."}
        case "variant":
            return {"id": unit, "of": unit}
        case "swap":
            return {**ruling_and_answer, "side": side, "unit": unit, "becomes": unit}
        case "clock":
            return {**ruling_and_answer, "ends_after": {"side": side, "turn": 10}}
    # The only list that is left.
    return _new_happening(scenario, kind, unit)


def _new_happening(scenario: Scenario, kind: str, unit: str) -> Raw:
    """A new happening of that kind, for the side that moves first. Only ``charges`` are of the
    other side, which has mined the bridge before the first mover gets there."""
    side = scenario.moves_first
    enemy = _enemy_of(scenario, side)
    happening_by_kind: dict[str, Raw] = {
        "draw_table": {
            "side": side,
            "from_turn": 2,
            "draws": 1,
            "text": "Draw a card at the start of each turn: reinforcements.",
            "table": [
                {"ranks": [1, 6], "nothing": True},
                {"ranks": [7, 12], "units": {unit: 5}},
            ],
        },
        "toggle_on_card": {
            "card": "QS",
            "state": "dust",
            "sight_in": 6,
            "text": "A drawn card of this kind begins a dust storm, and the next one ends it.",
        },
        "darkness": {
            "sight_in": 12,
            "text": "Nobody sees farther than 12 in.",
        },
        "charges": {
            "id": "charges",
            "side": enemy,
            "what": "the bridge",
            "from_turn": 3,
            "needs": 3,
            "cut_by": [unit],
            "text": "The bridge is mined. It is gone once the charges go off.",
        },
        "needs_service": {
            "side": side,
            "units": [unit],
            "by": unit,
            "each": 1,
            "text": "They do nothing until they are served.",
        },
        "reveal": {
            "side": side,
            "units": [unit],
            "when": "sight",
            "text": "They may be placed in secret.",
        },
        "ask_at_setup": {
            "id": "question",
            "about": "place",
            "question": "What do the players agree on?",
            "proposal": "as they like",
        },
        "convert": {
            "side": side,
            "unit": unit,
            "becomes": "machinegun",
            "text": "He may take another weapon.",
        },
        "trait": {
            "id": "trait",
            "side": side,
            "units": [unit],
            "effect": "counts_as_engineer",
            "text": "They count as engineers.",
        },
        "remind": {"phase": 1, "text": "Do not forget this."},
    }
    return {"kind": kind, **happening_by_kind[kind]}


def _free_mark(scenario: Scenario) -> str:
    """The first mark that no footnote has; where all are taken, a row of asterisks."""
    taken = {note.mark for note in scenario.footnotes}
    for mark in "*†‡§¶":
        if mark not in taken:
            return mark
    return "*" * (len(taken) + 1)
