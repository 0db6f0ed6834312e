"""Mixed volleys, kills and shooters lost together, against what a second program reckoned."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from skirmish import library
from skirmish.games.plastic.odds import pack as packs
from skirmish.games.plastic.odds.pack import Firer
from skirmish.games.plastic.odds.sweep.sweep import Sweep
from skirmish.games.plastic.odds.volley import volley
from skirmish.games.plastic.rules.catalog import DECK

Vector = dict[str, Any]
VECTORS: list[Vector] = [
    json.loads(line)
    for line in (Path(__file__).parent / "volleys.jsonl").read_text("utf-8").splitlines()
]


def firer(one: Vector) -> Firer:
    """``needs``: he hits with ranks up to it, if ``red_only`` with red ones; ``tests``: the queen
    of spades and then a spade break him."""
    reds = [card for card in DECK if not (one["red_only"] and card.is_black)]
    queen = packs.bits(card for card in DECK if card.rank == DECK[-1].rank and card.suit == "S")
    spades = packs.bits(card for card in DECK if card.suit == "S")
    return Firer(
        hits=packs.bits(card for card in reds if card.rank <= one["needs"]),
        repeat=one["repeat"],
        tests=queen if one["tests"] else 0,
        breaks=spades if one["tests"] else 0,
    )


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_a_mixed_volley_is_as_it_was_reckoned(vector: Vector) -> None:
    """All cards come back with the shuffle, the queen of spades too (P78)."""
    asked = vector["in"]
    rulings = library.rulings().answered({"P78": "shuffled_in"})
    pack = packs.parse(asked["deck"], rulings)
    assert not pack.queen_aside
    firers = [firer(one) for one in asked["shooters"]]
    both = Sweep(firers, [asked["targets"]], pack, losses=True).joint()
    assert {f"{kills},{lost}": str(p) for (kills, lost), p in both.items()} == vector["out"]
    for losses in (False, True):
        found = volley(firers, [asked["targets"]], pack, losses)
        for kills, chance in found.kills().items():
            assert chance == sum(p for key, p in both.items() if key[0] == kills)
    for lost, chance in found.lost.items():
        assert chance == sum(p for key, p in both.items() if key[1] == lost)
