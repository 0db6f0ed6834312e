"""Battles of up to 9,999 of a kind: benchmarks/large_battles.py opens thousands of them."""

from __future__ import annotations

import large
import pytest
from deep import deep_after


@pytest.mark.parametrize("seed", deep_after(3, [24, 5, 48, 0, 31, 54]))
def test_a_battle_of_any_size_can_be_opened_on_every_screen(seed: int) -> None:
    large.opened_on_every_screen(seed)
