"""Battles against the vectors: what the rules say of several shots, turns and sides together."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from stage import Table, armies, scenario

from skirmish.games.plastic.battle.agenda import DrawAsk
from skirmish.games.plastic.battle.orders import AnyOrder, why_not
from skirmish.games.plastic.battle.victory import Destroys, victory_kind
from skirmish.games.plastic.rules.options import Options
from skirmish.tabletop.journal_codec import union_of_tagged

Vector = dict[str, Any]
FILE = Path(__file__).parents[3] / "conformance" / "battles.jsonl"
VECTORS: list[Vector] = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]


def begun(given: Vector) -> Table:
    """The battle that a vector begins with."""
    answers = given.get("rulings", {})
    if "scenario" in given:
        return scenario(given["scenario"], answers=answers)
    first, second = given["first"], given["second"]
    return armies(
        first["units"],
        second["units"],
        nations=(first.get("nation"), second.get("nation")),
        quality={"first": first.get("quality"), "second": second.get("quality")},
        answers=answers,
        options=Options(**given.get("options", {})),
    )


def found(vector: Vector) -> Vector:
    """What came of it; the last order of a vector that says ``refused`` is only tried."""
    table, steps, refused = begun(vector["given"]), vector["do"], None
    for at, step in enumerate(steps):
        if "cards" in step:
            table.show(*step["cards"].split())
            continue
        if "turn" in step and "order" not in step:
            table.at(step["turn"], step["side"], step["phase"])
            continue
        order = msgspec.convert(step, union_of_tagged(AnyOrder))
        if at == len(steps) - 1 and "refused" in vector["out"]:
            refusal = why_not(table.state, order)
            refused = refusal.code if refusal else None
        else:
            table.order(order)
    state, kind = table.state, victory_kind(table.state)
    ask = state.ask
    return {
        "refused": refused,
        "asks": None
        if ask is None
        else ask.why
        if isinstance(ask, DrawAsk)
        else type(ask).__name__,
        "loss": state.loss,
        "over": state.outcome is not None,
        "winner": state.outcome.winner if state.outcome else None,
        "destroyed": kind.destroyed if isinstance(kind, Destroys) else None,
        "alive": {
            side: {unit: table.alive(side, unit) for unit in units}
            for side, units in vector["out"].get("alive", {}).items()
        },
    }


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_a_battle_goes_as_the_rules_say(vector: Vector) -> None:
    came = found(vector)
    assert {key: came[key] for key in vector["out"]} == vector["out"], vector["source"]


def test_every_vector_has_a_name_and_a_source_and_judges_something() -> None:
    assert len({vector["name"] for vector in VECTORS}) == len(VECTORS)
    assert all(vector["source"] and vector["out"] for vector in VECTORS)
