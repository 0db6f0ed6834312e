"""The odds against a table that was worked out by hand, or by dealing out every order."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from skirmish import library
from skirmish.games.plastic.odds import pack as packs
from skirmish.games.plastic.odds.pack import VolleyOutcome, firer_of, one_shot
from skirmish.games.plastic.odds.pinning import chance_of_pin
from skirmish.games.plastic.odds.volley import volley
from skirmish.games.plastic.rules.shot import Circumstances, Shot, aim, weapon_named

Vector = dict[str, Any]
VECTORS: list[Vector] = [
    json.loads(line)
    for line in (Path(__file__).parent / "odds.jsonl").read_text("utf-8").splitlines()
]


def answer(asked: Vector) -> dict[str, Any]:
    catalog = library.catalog()
    rulings = library.rulings().answered(asked.get("rulings", {}))
    unit = catalog.units[asked["shooter"]]
    shot = Shot(
        shooter=unit,
        weapon=weapon_named(unit, None, catalog, rulings),
        target=catalog.units[asked["target"]],
        circumstances=Circumstances(
            distance=asked["distance"],
            touching=asked["distance"] == 0,
            phase=asked["phase"],
            cover=asked.get("cover", False),
            hull_down=asked.get("hull_down", False),
            rear=asked.get("rear", False),
        ),
    )
    aimed = aim(shot, catalog, rulings)
    pack = packs.of_die() if asked.get("die") else packs.parse(asked.get("deck", ""), rulings)
    one = one_shot(aimed, pack)
    firers = [firer_of(aimed, die=pack.die)] * asked.get("count", 1)
    many = volley(firers, [asked.get("targets", 1)], pack, losses=True)
    return {
        "hit": str(one.hit),
        "saved_by_cover": str(one.saved_by_cover),
        "saved_by_hull_down": str(Fraction(one.by_hull_down, one.draws)),
        "exact_figure": str(one.exact),
        "breakdown_drawn": str(Fraction(one.tests, one.draws)),
        "broken": str(one.broken),
        "kills": {str(kills): str(chance) for kills, chance in many.kills().items()},
        "expected": str(many.expected()),
        "pinned": str(_pinned(asked, many, pack.die)),
        "lost": {str(lost): str(chance) for lost, chance in many.lost.items()},
    }


def _pinned(asked: Vector, outcome: VolleyOutcome, die: bool) -> Fraction:
    """That of the group, whose side draws from a fresh deck, or die, of its own."""
    catalog = library.catalog()
    rulings = library.rulings().answered(asked.get("rulings", {}))
    quality = catalog.qualities[asked["quality"]] if "quality" in asked else None
    pack = packs.of_die() if die else packs.fresh(rulings)
    if_left = chance_of_pin(quality, pack, catalog, rulings, asked.get("count", 1))
    return (1 - outcome.at_least(asked.get("targets", 1))) * if_left


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_the_odds_are_as_they_were_worked_out(vector: Vector) -> None:
    told = answer(vector["in"])
    assert {key: told[key] for key in vector["out"]} == vector["out"], vector["source"]


def test_there_are_fifty_of_them_and_each_has_its_name() -> None:
    assert len({vector["name"] for vector in VECTORS}) == len(VECTORS) >= 50
