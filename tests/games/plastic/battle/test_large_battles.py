"""Battles of up to 9,999 of a kind: benchmarks/large_battles.py opens thousands of them."""

from __future__ import annotations

import large
import pytest


@pytest.mark.parametrize("seed", [0, 5, 24, 31, 48, 54])
def test_a_battle_of_any_size_can_be_opened_on_every_screen(seed: int) -> None:
    large.opened_on_every_screen(seed)
