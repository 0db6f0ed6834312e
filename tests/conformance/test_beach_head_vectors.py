"""Beach Head against the vectors, each a phase with dice, choices and cards set by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from beach_table import Table, at

from skirmish import library
from skirmish.tabletop.chance import parse_card

Vector = dict[str, Any]
VECTORS: list[Vector] = [
    json.loads(line)
    for line in (Path(__file__).parent / "beach_head.jsonl").read_text("utf-8").splitlines()
]


def told(vector: Vector) -> dict[str, Any]:
    """What came of a vector's steps."""
    given, steps = vector["given"], list(vector["do"])
    last = steps.pop() if vector["out"].get("refused") else None
    table: Table = at(**given).done(*steps)
    state = table.state
    return {
        "defences": state.defences,
        "squads": state.squads,
        "tanks": list(state.tanks),
        "casualties": state.casualties,
        "craft_hit": bool(state.craft_hit),
        "hand": table.hand,
        "totals": table.totals,
        "skipped": given["phase"] in table.skipped(),
        "over": state.over,
        "refused": last is not None and bool(table.refusal(last)),
        "done": state.over or state.phase != given["phase"],
    }


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_the_beach_is_as_the_text_says(vector: Vector) -> None:
    found = told(vector)
    finishes = vector["do"] and not vector["out"].get("refused")
    wanted = {"done": True, **vector["out"]} if finishes else vector["out"]
    for key, value in wanted.items():
        seen = {one: found[key][one] for one in value} if key == "defences" else found[key]
        assert seen == value, f"{key} ({vector['source']})"


def test_every_vector_of_the_beach_has_a_name_and_a_source() -> None:
    assert len({vector["name"] for vector in VECTORS}) == len(VECTORS) >= 40
    assert all(vector["source"] for vector in VECTORS)


def test_every_phase_and_every_kind_of_card_has_a_vector() -> None:
    phases = {vector["given"]["phase"] for vector in VECTORS}
    assert phases == {phase.id for phase in library.beach().ruleset.phase}
    played = {
        parse_card(step.split()[1]).rank
        for vector in VECTORS
        for step in vector["do"]
        if step.startswith("play")
    }
    assert played >= {1, 2, 5, 6, 7, 8, 9, 10, 11, 12, 13}
