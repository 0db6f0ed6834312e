"""Journals kept from earlier versions fold to the state that they had then."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from stage import Table

from skirmish import library
from skirmish.games.plastic.battle import record
from skirmish.games.plastic.battle.lines import whole_journal
from skirmish.games.plastic.battle.orders import EndTurn
from skirmish.games.plastic.battle.strength import beating_loss
from skirmish.tabletop.journal_codec import EntryRecord

KEPT = Path(__file__).parent / "kept"


def opened(name: str) -> record.BattlePlay:
    lines = [json.loads(line) for line in (KEPT / name).read_text().splitlines()]
    codec = record.codec_of(library.rulings())
    return codec.play(
        codec.read(
            EntryRecord(
                line["number"], line["kind"], json.dumps(line["order"]), json.dumps(line["events"])
            )
        )
        for line in lines
    )


@pytest.mark.parametrize(
    ("name", "clock", "loss"),
    [
        ("v1_dog_beach.jsonl", (1, "german", 3), {"american": 8, "german": 3}),
        ("v1_armies.jsonl", (2, "second", 1), {"second": 18, "first": 3}),
    ],
)
def test_a_battle_of_version_1_stands_where_it_stood(
    name: str, clock: tuple[int, str, int], loss: dict[str, int]
) -> None:
    state = opened(name).state
    assert (state.clock.turn, state.clock.side, state.clock.phase) == clock
    assert state.loss == loss
    assert all(line.text.isprintable() for line in whole_journal(opened(name)))


def test_its_break_points_and_nations_hold_as_they_did() -> None:
    state = opened("v1_armies.jsonl").state
    assert state.outcome is None or state.outcome.winner
    assert beating_loss(state, "first") is not None
    assert state.options.nationalities
    assert not opened("v1_dog_beach.jsonl").state.options.nationalities


def test_it_can_be_played_on() -> None:
    table = Table.__new__(Table)
    table.play = opened("v1_dog_beach.jsonl")
    if table.state.ask is None:
        table.order(EndTurn())
    table.undo()
