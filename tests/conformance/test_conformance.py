"""The program against the vectors, which were derived from the rules without sight of the code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from skirmish import library
from skirmish.cli.army import report
from skirmish.games.plastic.questions import Answering
from skirmish.games.plastic.rules.army_reading import read_army
from skirmish.games.plastic.scenarios.scenario import summary

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
Vector = dict[str, Any]


def vectors(*files: str) -> list[Vector]:
    return [
        json.loads(line)
        for file in files
        for line in (HERE / f"{file}.jsonl").read_text("utf-8").splitlines()
    ]


def of(kind: str, found: list[Vector]) -> list[Any]:
    return [pytest.param(vector, id=vector["name"]) for vector in found if kind in vector]


@pytest.fixture(scope="module")
def answering() -> Answering:
    return Answering(library.catalog(), library.rulings())


def differing(vector: Vector, told: dict[str, Any]) -> str:
    """Where an answer differs from the vector, for a failure that needs no second look."""
    wrong = [
        f"{key}: {told.get(key, 'nothing')!r} instead of {wanted!r}"
        for key, wanted in vector["out"].items()
        if key not in told or told[key] != wanted
    ]
    return f"{'; '.join(wrong)} ({vector['source']}; it says: {told})" if wrong else ""


@pytest.mark.parametrize("vector", of("in", vectors("shots", "checks", "rulings")))
def test_a_shot_or_check_is_answered_as_the_rules_say(vector: Vector, answering: Answering) -> None:
    told = answering.answer_line(json.dumps(vector["in"]).encode())
    problem = differing(vector, told)
    assert not problem, problem


def test_a_shot_without_a_draw_tells_no_more_than_the_number(answering: Answering) -> None:
    for vector in vectors("shots"):
        told = answering.answer_line(json.dumps({**vector["in"], "draw": []}).encode())
        wanted = {"legal", "needs", "explain"} if told["legal"] else {"legal", "code", "message"}
        assert set(told) == wanted, vector["name"]


@pytest.mark.parametrize("vector", of("army", vectors("armies", "rulings")))
def test_an_army_is_judged_as_the_rules_say(vector: Vector) -> None:
    army = read_army(vector["army"], library.catalog(), library.rulings(), "vector")
    told = report(army)
    wanted = dict(vector["out"])
    limits = wanted.pop("breaches", None)
    problem = differing({**vector, "out": wanted}, told)
    assert not problem, problem
    if limits is None:
        return
    assert [(b["limit"], b["unit"]) for b in told["breaches"]] == [
        (b["limit"], b["unit"]) for b in limits
    ], vector["source"]
    for breach, limit in zip(told["breaches"], limits, strict=True):
        problem = differing({**vector, "out": _sorted(limit)}, _sorted(breach))
        assert not problem, problem


def _sorted(breach: dict[str, Any]) -> dict[str, Any]:
    if "repair" not in breach:
        return breach
    return {**breach, "repair": sorted(breach["repair"], key=lambda change: change["unit"])}


@pytest.mark.parametrize("vector", of("number", vectors("scenarios")))
def test_a_scenario_is_summed_up_as_the_text_gives_it(vector: Vector) -> None:
    told = summary(library.scenarios()[vector["number"]], library.catalog())
    wanted = vector["out"]
    assert set(told) == {*wanted, "title"}
    problem = differing({**vector, "out": _by_side(wanted)}, _by_side(told))
    assert not problem, problem


def _by_side(scenario: dict[str, Any]) -> dict[str, Any]:
    sides = {side["id"]: side for side in scenario["sides"]}
    assert len(sides) == len(scenario["sides"])
    return {**scenario, "sides": None} | {f"side {name}": side for name, side in sides.items()}


def test_every_vector_has_a_name_of_its_own() -> None:
    everything = vectors("shots", "checks", "armies", "scenarios", "rulings")
    names = [vector["name"] for vector in everything]
    assert len(set(names)) == len(names)


def test_the_real_program_answers_all_shots_in_order(tmp_path: Path) -> None:
    shots = vectors("shots")
    done = subprocess.run(
        [sys.executable, "-m", "skirmish", "resolve", "-"],
        input="".join(json.dumps(vector["in"]) + "\n" for vector in shots).encode(),
        capture_output=True,
        cwd=ROOT,
        env={**os.environ, "SKIRMISH_DATABASE": str(tmp_path / "none.db")},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(shots)
    problems = [
        f"{vector['name']}: {problem}"
        for vector, told in zip(shots, answers, strict=True)
        if (problem := differing(vector, told))
    ]
    assert not problems
    assert not (tmp_path / "none.db").exists()
