"""Bloody Omaha against the vectors: every printed number of points, results, ratings, modifiers and
of the grid, and what an attack removes."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from bloody_table import whole
from msgspec.structs import replace

from skirmish.games.bloody_omaha import activations, attacks, orders, ruleset
from skirmish.games.bloody_omaha.answers import Answer
from skirmish.games.bloody_omaha.state import (
    DISRUPTED,
    ENGINEERS,
    INITIATIVE,
    RATING,
    value_of,
)
from skirmish.registry import load
from skirmish.tabletop.chance import Source
from skirmish.tabletop.companion.counters import Counter, Register
from skirmish.tabletop.companion.table_state import evolved
from skirmish.tabletop.data_file import DataError
from skirmish.tabletop.refusal import Refused

GAME: Any = load("bloody_omaha")
BOARD = GAME.rules_file.board
VECTORS: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parent / "bloody-omaha.jsonl").read_text("utf-8").splitlines()
]


def asked(question: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = GAME.answer(json.dumps(question).encode())
    return found


def modifiers(table: str, turn: int, **given: Any) -> dict[str, Any]:
    found = ruleset.modifiers(GAME.rules_file, table, turn, **given)  # type: ignore[arg-type]
    values = [one.value for one in found]
    return {"values": sorted(values), "total": sum(values), "spared": ruleset.only_division(found)}


def removed(values: list[int], roll: int, strength: int) -> dict[str, Any]:
    tokens = [f"encounter {value}" for value in values]
    gone = attacks.removable(tokens, roll + strength, some_may_stay=True)
    assert len(gone) == 1 or len({*values}) == 1  # a choice there is only between equals
    return {"removed": sorted(int(value_of(one)) for one in gone[0])}


@cache
def table_on(turn: int) -> Any:
    """In the activations of a turn (in the first: of drift), before anything is spent; nobody is on
    the map."""
    if turn > 1:
        state = table_on(turn - 1)
        while (state.position.turn, state.phase_id) != (turn, "activation"):
            keep = Answer(text=state.hand[0]) if state.agenda else None
            state = evolved(state, (keep or orders.Proceed()).decide(state))
        return state
    state = whole().state
    state = replace(state, counters=Register(), sequence=replace(state.sequence, turns=0))
    return evolved(state, orders.Proceed().decide(state))


def counted(name: str) -> dict[str, int]:
    rules = GAME.rules_file
    return {"count": len(rules.exits) if name == "exits" else rules.counts[name]}


def opening_hand() -> dict[str, int]:
    state = table_on(1)
    kept = evolved(state, Answer(text=state.hand[0]).decide(state))
    return {"drawn": len(state.hand), "hand": len(kept.hand), "deck": len(kept.deck.unseen)}


def ratings(turn: int) -> dict[str, list[int]]:
    tracks = table_on(turn).tracks
    return {id: [tracks[id].value, tracks[id + RATING].value] for id in (INITIATIVE, ENGINEERS)}


def mines(roll: int) -> dict[str, bool]:
    unit = Counter(id="a", name="A", side="us", kind="company", place="24",
                   ratings={"strength": 4, "disrupted": 2})  # fmt: skip
    state = replace(table_on(2), counters=Register({"a": unit}), dice=Source("die"),
                    ground={"14": ("encounter mines",)})  # fmt: skip
    for order in (activations.Move(unit="a", to="14"), Answer(text="yes", numbers=(roll,))):
        state = evolved(state, order.decide(state))
    return {"hit": state.counters["a"].has(DISRUPTED)}


def reinforced(turn: int) -> dict[str, bool]:
    unit = Counter(id="a", name="A", side="us", kind="company", place="R")
    state = replace(table_on(2), counters=Register({"a": unit}))
    state = replace(state, position=replace(state.position, turn=turn))
    try:
        activations.Reinforce(unit="a", to="C22").decide(state)
    except Refused:
        return {"comes": False}
    return {"comes": True}


def phases(turn: int) -> dict[str, list[str]]:
    """Those of the sequence; the random event falls out where nobody is beside a token."""
    found = [one for one in GAME.rules_file.phases if one.id != "setup"]
    return {"phases": [one.id for one in found if one.first_turn <= turn]}


ANSWERS = {
    "counts": counted,
    "hand": opening_hand,
    "ratings": ratings,
    "mines": mines,
    "reinforced": reinforced,
    "phases": phases,
    "points": lambda **given: asked(given),
    "modifiers": modifiers,
    "drifted": lambda square, east: {"square": BOARD.drifted(square, east)},
    "forward": lambda square: {"square": BOARD.forward(square)},
    "removals": removed,
    "beside": lambda square: {"squares": list(BOARD.beside(square))},
}


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_the_answers_are_those_of_the_rules(vector: dict[str, Any]) -> None:
    found = ANSWERS[vector["do"]](**vector["in"])
    assert {name: found[name] for name in vector["out"]} == vector["out"], vector["source"]


def test_every_number_of_every_source_has_a_vector() -> None:
    assert len({vector["name"] for vector in VECTORS}) == len(VECTORS) >= 490
    alone = [set(v["in"].items()) for v in VECTORS if v["do"] == "points" and len(v["in"]) == 1
             and "cleared" not in v["in"]]  # fmt: skip
    counts = GAME.rules_file.counts
    for name in ("gaps", "strongpoints", "encounters", "reserves"):
        assert all({(name, n)} in alone for n in range(counts[name] + 1))


def cleared(*squares: str) -> str:
    return json.dumps({"cleared": squares})


def test_13_strongpoints_five_of_them_with_a_town_may_be_cleared_and_any_other_town() -> None:
    towns = [f"S{at} town" for at in range(1, 6)]
    squares = [*towns, *(f"S{at}" for at in range(6, 14)), *(f"T{at}" for at in range(14, 31))]
    found = asked({"cleared": squares})
    assert found["by"]["towns_and_exits"] == 5 + 17


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("{", "is not JSON"),
        ("[1]", "expected"),
        ('{"gaps": 10}', "gaps: there are 9 at most"),
        ('{"gaps": -1}', "gaps: expected a whole number >= 0"),
        ('{"gaps": 1.5}', "gaps: expected a whole number"),
        ('{"strongpoints": 14}', "strongpoints: there are 13 at most"),
        ('{"encounters": 33}', "encounters: there are 32 at most"),
        ('{"reserves": 30}', "reserves: there are 29 at most"),
        ('{"gap": 1}', "gap: unknown key; did you mean gaps"),
        ('{"cleared": ["H41"]}', "from 1 to 40"),
        ('{"cleared": ["H0"]}', "from 1 to 40"),
        ('{"cleared": ["D2"]}', "'D2'"),
        ('{"cleared": ["S7 D1", "S7"]}', "twice"),
        ('{"cleared": ["S7 D1", "S8 D1"]}', "twice"),
        ('{"cleared": [""]}', "names no square"),
        ('{"cleared": ["S7 D1 E1"]}', "more than one"),
        ('{"cleared": ["S7 S8"]}', "more than one"),
        ('{"cleared": ["T31"]}', "from 31 on every square is hedgerow"),
        ('{"cleared": ["31 town"]}', "from 31 on every square is hedgerow"),
        ('{"cleared": ["H5 town"]}', "only a strongpoint"),
        ('{"cleared": ["T5 D1"]}', "only a strongpoint"),
        (cleared(*(f"S{at}" for at in range(1, 15))), r"\[13\]: there are 13 strongpoint squares"),
        (cleared(*(f"S{at}" for at in range(2, 15)), "D1"), "13 strongpoint squares at most"),
        (cleared(*(f"town S{at}" for at in range(1, 7))), r"\[5\]: 5 strongpoints at most have a"),
        (cleared(*(f"{at} town" for at in range(1, 7))), "5 strongpoints at most have a town"),
        ('{"rulings": {"O3": "odd"}}', "rulings.O3"),
        ('{"rulings": {"O99": "odd"}}', "O99"),
    ],
)
def test_a_question_that_is_wrong_is_refused_in_words(line: str, text: str) -> None:
    with pytest.raises(DataError, match=text):
        GAME.answer(line.encode())
