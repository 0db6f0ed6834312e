"""Omaha against the vectors: every cell of both tables, every shift, every recovery."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from skirmish import resources
from skirmish.games.omaha.questions import answer
from skirmish.games.omaha.ruleset import read_tables
from skirmish.tabletop.data_file import DataError
from skirmish.tabletop.presets import read_presets

FILES = resources.Tables("omaha")
TABLES = read_tables(FILES["tables"])
BOOK = read_presets(FILES["rulings"], "omaha/rulings.toml")
VECTORS: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parent / "omaha.jsonl").read_text("utf-8").splitlines()
]


def asked(question: dict[str, Any]) -> dict[str, Any]:
    return answer(TABLES, BOOK, json.dumps(question).encode())


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_the_tables_are_those_of_the_text(vector: dict[str, Any]) -> None:
    found = asked(vector["ask"])
    assert found.pop("says", "is not allowed.").endswith("is not allowed.")
    assert found == vector["out"], vector["source"]


def test_every_vector_has_a_name_a_source_and_every_cell_is_there() -> None:
    assert len({vector["name"] for vector in VECTORS}) == len(VECTORS) >= 150
    assert all(vector["source"] for vector in VECTORS)
    seen = Counter(v["source"].split(",")[0] for v in VECTORS if ", column " in v["source"])
    assert seen == {"Fire Results Table": 42, "Close Assault Table": 43}  # the odd cell twice


def test_the_chances_are_those_of_all_six_rolls() -> None:
    grounds = [{"terrain": [name] * bool(name), "crest": crest}
               for name, crest in product(("", "woods"), (False, True))]  # fmt: skip
    flags = (False, True)
    questions = [
        {"fire": {"factors": n, "adjacent": a, "op_fire": o, **ground}}
        for n, a, o, ground in product((1, 3, 11, 24, 50), flags, flags, grounds)
    ] + [
        {"assault": {"attack": n, "defense": 4, "disrupted": d, **ground}}
        for n, d, ground in product((1, 2, 4, 9, 17, 30), flags, grounds)
    ]
    for question in questions:
        before = asked(question)
        rolled = [asked({**question, "roll": roll}) for roll in range(1, 7)]
        assert {one["legal"] for one in rolled} == {before["legal"]}
        if before["legal"]:
            counted = Counter(one["result"] for one in rolled)
            chances = {result: Fraction(chance) for result, chance in before["chances"].items()}
            assert chances == {result: Fraction(n, 6) for result, n in counted.items()}, question


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ('{"fire": {"factors": 3, "range": 2}}', "fire.range: unknown key"),
        ('{"fire": {"factors": 3, "terrain": ["wood"]}}', "did you mean woods?"),
        ('{"fire": {"factors": 3, "terrain": ["crest"]}}', "is no terrain"),
        ('{"fire": {"factors": -1}}', "fire.factors"),
        ('{"fire": {"factors": 3}, "roll": 7}', "roll"),
        ('{"fire": {"factors": 3}, "assault": {"attack": 1, "defense": 1}}', "needs one of"),
        ('{"recovery": {"who": "us"}}', "roll: is missing"),
        ('{"fire": {"factors": 3}, "rulings": {"M9": "odd"}}', "rulings.M9"),
        ("{", "is not JSON"),
    ],
)
def test_what_cannot_be_understood_gets_a_sentence(line: str, text: str) -> None:
    with pytest.raises(DataError, match=text.replace("?", r"\?")):
        answer(TABLES, BOOK, line.encode())
