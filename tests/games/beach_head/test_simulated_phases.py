"""Every phase as the simulator plays it, against its exact distribution by the game itself."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from exactly import Key, before_phase, exactly, setup
from numpy.random import SeedSequence

from skirmish import library
from skirmish.games.beach_head.ruleset import Ruleset
from skirmish.games.beach_head.simulate.arrays import Beaches, beaches_of
from skirmish.games.beach_head.simulate.engine import Batch
from skirmish.games.beach_head.simulate.policy import Uniform

CLEARED = {"bunkers": 0, "walls": 0, "ditches": 0}
TANKS = ("gun", "gun", "crab", "bridge", "fascine")
CASES: list[tuple[str, str, dict[str, str], dict[str, Any]]] = [
    # phase, variant, rulings, the beach
    ("frogman", "normandy", {}, {"traps": 4}),
    ("lci", "normandy", {}, {"craft_hit_before": 2}),
    ("lci", "normandy", {"B6": "each"}, {"craft_hit_before": 2}),
    ("lci", "normandy", {"B17": "turn_start"}, {"traps": 0, "at_turn": {"traps": 3}}),
    ("lci", "normandy", {"B17": "now"}, {"traps": 0, "at_turn": {"traps": 3}}),
    ("lci", "normandy", {"B39": "1d6"}, {"craft_hit_before": 1}),
    ("lci", "normandy", {"B39": "2d6"}, {"traps": 0}),
    ("lct", "normandy", {}, {}),
    ("lct", "normandy", {}, {"traps": 0}),
    ("lct", "omaha", {}, {"traps": 0}),
    ("lct", "omaha", {"B27": "none"}, {"traps": 0}),
    ("lct", "omaha", {"B27": "all_gun"}, {"traps": 0}),
    ("lcs", "normandy", {}, {"walls": 2, "craft_hit_before": 1}),
    ("lcs", "normandy", {}, {"walls": 0, "bunkers": 3, "trenches": 0}),
    ("lcs", "normandy", {"B18": "end_phase"}, {"walls": 0, "bunkers": 3, "trenches": 0}),
    ("lcs", "normandy", {"B11": "any"}, {"walls": 0}),
    ("lcs", "normandy", {"B40": "after"}, {"walls": 2}),
    ("gun_tank", "normandy", {}, {"bunkers": 4, "walls": 0, "ditches": 0, "tanks": TANKS}),
    ("gun_tank", "normandy", {}, CLEARED | {"trenches": 3, "tanks": TANKS}),
    ("gun_tank", "normandy", {"B32": "phase_start"},
     {"bunkers": 2, "walls": 0, "ditches": 0, "tanks": TANKS}),
    ("gun_tank", "normandy", {"B32": "phase_start"}, CLEARED | {"tanks": TANKS}),
    ("gun_tank", "normandy", {"B7": "tank"},
     {"bunkers": 6, "walls": 0, "ditches": 0, "tanks": TANKS, "trenches": 9}),
    ("gun_tank", "normandy", {"B7": "tank", "B32": "phase_start"},
     {"bunkers": 2, "walls": 0, "ditches": 0, "tanks": TANKS}),
    ("gun_tank", "normandy", {}, {"tanks": ("crab",)}),
    ("gun_tank", "omaha", {}, CLEARED | {"tanks": ("gun",)}),
    ("defenders", "normandy", {}, {"squads": 40}),
    ("defenders", "normandy", {}, {"squads": 3, "bunkers": 30}),
    ("defenders", "normandy", {}, {"squads": 25, "bunkers": 0}),
    ("defenders", "normandy", {"B3": "cumulative"}, {"squads": 25, "bunkers": 0}),
    ("defenders", "normandy", {"B34": "turn_start"}, {"squads": 25, "at_turn_squads": 11}),
    ("defenders", "normandy", {"B2": "rolled"}, {"squads": 2, "bunkers": 31}),
    ("defenders", "normandy", {"B2": "rolled"}, {"squads": 0}),
    ("artillery", "normandy", {}, {"squads": 2, "tanks": TANKS, "craft_hit": 1}),
    ("shore_guns", "normandy", {}, {"squads": 9, "tanks": ("crab",)}),
    ("shore_guns", "normandy", {}, {"squads": 9, "bunkers": 0}),
    ("mines", "normandy", {}, {"squads": 9, "tanks": TANKS}),
    ("mines", "normandy", {}, {"squads": 9, "tanks": ("crab", "crab")}),
    ("mines", "normandy", {"B13": "player"}, {"squads": 9, "tanks": TANKS}),
    ("mines", "normandy", {}, {"squads": 9, "mines": 0}),
    ("engineers", "normandy", {}, {"walls": 3, "ditches": 0, "wire": 1}),
    ("engineers", "normandy", {}, {"walls": 0, "bunkers": 2, "trenches": 4}),
    ("engineers", "normandy", {"B32": "phase_start"}, {"walls": 0, "bunkers": 2, "trenches": 4}),
    ("engineers", "normandy", {"B9": "instead"}, {"walls": 0, "bunkers": 0, "trenches": 4}),
    ("engineers", "normandy", {"B9": "instead", "B11": "any"},
     {"walls": 0, "bunkers": 0, "trenches": 1, "mines": 0}),
    ("engineers", "normandy", {"B9": "instead"}, {"walls": 0, "bunkers": 1, "trenches": 4}),
    ("engineers", "normandy", {"B11": "any"}, {"walls": 0, "ditches": 0, "mines": 2}),
    ("engineers", "omaha", {"B11": "any"}, {"walls": 0}),
    ("engineers", "normandy", {"B31": "neither"}, {}),
    ("engineers", "normandy", {"B31": "no_infantry"}, {}),
    ("flail", "normandy", {}, {"mines": 2, "tanks": TANKS}),
    ("flail", "normandy", {"B7": "tank"}, {"traps": 0, "mines": 3, "tanks": ("crab", "crab")}),
    ("petard", "normandy", {}, {"walls": 3, "bunkers": 2, "ditches": 0, "tanks": TANKS}),
    ("petard", "normandy", {}, {"walls": 3, "bunkers": 0, "ditches": 0, "tanks": TANKS}),
    ("petard", "normandy", {"B38": "craters"},
     {"walls": 3, "bunkers": 0, "ditches": 0, "tanks": TANKS}),
    ("petard", "normandy", {"B15": "cap"}, {"walls": 9, "ditches": 18, "tanks": TANKS}),
    ("petard", "normandy", {}, {"walls": 9, "ditches": 18, "tanks": TANKS}),
    ("petard", "normandy", {"B7": "tank"},
     {"walls": 3, "bunkers": 0, "ditches": 0, "trenches": 4, "tanks": TANKS}),
    ("petard", "omaha", {}, {"walls": 3, "bunkers": 0, "tanks": TANKS}),
    ("bridge", "normandy", {}, {"ditches": 4, "tanks": ("fascine",)}),
    ("infantry", "normandy", {}, {"wire": 4, "bunkers": 6, "walls": 0, "squads": 25}),
    ("infantry", "normandy", {"B12": "next_turn"},
     {"wire": 4, "bunkers": 6, "walls": 0, "squads": 25}),
    ("infantry", "normandy", {"B12": "next_turn"}, {"wire": 0, "bunkers": 6, "squads": 25}),
    ("infantry", "normandy", {"B32": "phase_start"},
     {"wire": 0, "bunkers": 3, "walls": 0, "squads": 25}),
    ("infantry", "normandy", {"B33": "yes"},
     {"wire": 4, "bunkers": 0, "walls": 0, "squads": 25, "trenches": 9}),
    ("infantry", "normandy", {"B34": "turn_start"}, {"squads": 1, "at_turn_squads": 24}),
    ("infantry", "normandy", {"B31": "no_infantry"}, {"squads": 0}),
    ("infantry", "normandy", {}, {"squads": 0}),
    ("support", "normandy", {}, {"walls": 3}),
    ("support", "normandy", {"B40": "after"}, {"walls": 3, "bunkers": 2, "trenches": 0}),
    ("support", "normandy", {}, {"walls": 0, "bunkers": 0}),
    ("support", "normandy", {"B11": "any"}, {"walls": 0}),
    ("destroyer", "normandy", {}, {"turn": 19}),
    ("destroyer", "normandy", {}, {"turn": 20, "walls": 3, "bunkers": 4}),
    ("end", "normandy", {"B18": "end_phase"}, {"bunkers": 0, "trenches": 0}),
]  # fmt: skip


def name(case: Any) -> str:
    phase, variant, rulings, beach = case
    return " ".join([phase, *([variant] if variant != "normandy" else []),
                     *(f"{key}={value}" for key, value in rulings.items()),
                     *(key for key in beach)])  # fmt: skip


def ends_of(ruleset: Ruleset, beaches: Beaches) -> Counter[Key]:
    wanted = [one.id for one in (*ruleset.defence, *ruleset.tank)]
    wanted += ["squads", "casualties", "tanks_lost", "craft_hit"]
    keys = np.array([*(beaches[name] for name in wanted), beaches["turn"] > 0])
    mixed = random.Random(1).choices(range(1 << 62), k=len(keys)) @ keys.astype(np.int64)
    _, places, counts = np.unique(mixed, return_index=True, return_counts=True)
    return Counter(
        {
            tuple(map(int, keys[:, place])): int(count)
            for place, count in zip(places, counts, strict=True)
        }
    )


def assert_likely(exact: Mapping[Key, Fraction], found: Mapping[Key, int]) -> None:
    """Chi-square over all ends, the rare ones together, within four standard deviations."""
    games = sum(found.values())
    assert set(found) <= set(exact)
    assert sum(exact.values()) == 1
    square, cells, rare, rare_found = 0.0, 0, 0.0, 0
    for end, share in exact.items():
        expected = float(share) * games
        if expected < 5:
            rare, rare_found = rare + expected, rare_found + found.get(end, 0)
        else:
            square += (found.get(end, 0) - expected) ** 2 / expected
            cells += 1
    if rare >= 5:
        square, cells = square + (rare_found - rare) ** 2 / rare, cells + 1
    freedom = cells - 1
    assert square <= freedom + 4 * math.sqrt(2 * freedom) + 1e-9, (square, freedom)


@pytest.mark.parametrize("case", CASES, ids=name)
def test_numpy_plays_the_phase_as_the_game_does(case: Any) -> None:
    phase, variant, rulings, beach = case
    state = before_phase(setup(rulings, variant), phase, **beach)
    ruleset = state.setup.ruleset
    beaches = beaches_of(state, 40_000)
    batch = Batch(state.setup, beaches, Uniform(), SeedSequence(2), state.turn)
    batch.play_phase(ruleset.phase[ruleset.place(phase)])
    after = {name: np.where(batch.won, batch.ended[name], row)
             for name, row in batch.beaches.items()}  # fmt: skip
    assert_likely(exactly(state), ends_of(ruleset, after))


def test_every_answer_that_matters_without_cards_is_among_the_cases() -> None:
    about_cards = {"B19", "B21", "B22", "B23", "B24", "B25", "B36"}
    never_chosen = {"B35"}  # no policy declines
    held = {(name, answer) for _, _, rulings, _ in CASES for name, answer in rulings.items()}
    for ruling in library.beach().book.rulings.values():
        if ruling.mode == "live" and ruling.id not in about_cards | never_chosen:
            others = set(ruling.answers) - {ruling.default}
            assert {(ruling.id, answer) for answer in others} <= held
