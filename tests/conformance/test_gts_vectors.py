"""The Grand Tactical Series against the vectors: every cell of the community's fire table, every
modifier, checks and dispatch points; and the chances against all ten rolls."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from skirmish.registry import load
from skirmish.tabletop.data_file import DataError

GAME: Any = load("gts")
VECTORS: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parent / "gts.jsonl").read_text("utf-8").splitlines()
]


def asked(question: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = GAME.answer(json.dumps(question).encode())
    return found


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_the_answers_are_those_of_the_rules(vector: dict[str, Any]) -> None:
    found, wanted = asked(vector["ask"]), vector["out"]
    if "lines" in wanted:
        assert sorted(found.pop("lines")) == sorted(wanted["lines"])
    assert {name: found[name] for name in wanted if name != "lines"} == {
        name: one for name, one in wanted.items() if name != "lines"
    }, vector["source"]


def test_every_cell_of_the_fire_table_has_a_vector() -> None:
    assert len({vector["name"] for vector in VECTORS}) == len(VECTORS)
    cells = Counter(v["source"].split(", ")[2] for v in VECTORS if ", CRT, " in v["source"])
    assert cells == {"armoured": 81, "unarmoured": 81}


def test_the_chances_are_those_of_all_ten_rolls() -> None:
    for color, rating, armored, defense in product(
        ("white", "pink", "purple", "blue", "yellow"), (-2, 0, 1, 4, 8, 12), (False, True), (-1, 2)
    ):
        shot = {"mode": "direct", "color": color, "rating": rating,
                "target": {"armored": armored, "defense": defense}}  # fmt: skip
        question = {"fire": shot, "tables": "community"}
        results = Counter(asked({**question, "roll": roll})["result"] for roll in range(10))
        chances = {one: str(Fraction(count, 10)) for one, count in results.items()}
        assert asked(question)["chances"] == chances


def test_nothing_of_the_card_is_known_unless_it_is_asked_for() -> None:
    shot = {"mode": "direct", "color": "pink", "rating": 5}
    assert asked({"fire": shot, "roll": 3}) == {
        "legal": True,
        "needs": 5,
        "lines": [],
        "hit": True,
        "result": None,
    }
    with pytest.raises(DataError, match="on your card only"):
        asked({"fire": {**shot, "company_bonus": True}, "roll": 3})
    with pytest.raises(DataError, match="no terrain of these tables"):
        asked({"fire": {**shot, "target": {"terrain": "jungle"}}, "tables": "community"})


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("{", "is not JSON"),
        ("{}", "one of tq, fire, points"),
        ('{"tq": {"rating": 5}, "roll": 10}', "10"),
        ('{"points": {"held": 20, "dispatch": 1}, "roll": 1}', "19"),
        ('{"fire": {"mode": "direct", "color": "red", "rating": 5}}', "'red' is none"),
        ('{"points": {"held": 2, "dispatch": 1}}', "roll"),
        ('{"tq": {"rating": 5}, "rulings": {"G1": "more"}}', "equal"),
        ('{"tq": {"rating": 5}, "rulings": {"M1": "equal"}}', "M1"),
    ],
)
def test_a_question_that_is_wrong_is_refused_in_words(line: str, text: str) -> None:
    with pytest.raises(DataError, match=text):
        GAME.answer(line.encode())
