"""The weights of the solo commander: what stands in the file, and what a wrong file is told."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from skirmish import library, resources
from skirmish.games.plastic.commander.weights import read_weights
from skirmish.tabletop.data_file import DataError

WEIGHTS = library.commander_weights()


@pytest.fixture
def raw() -> dict[str, Any]:
    return copy.deepcopy(resources.table("plastic/commander.toml"))


def problems(raw: dict[str, Any]) -> list[str]:
    with pytest.raises(DataError) as error:
        read_weights(raw, library.catalog(), "commander.toml")
    return [str(problem) for problem in error.value.problems]


def test_a_turn_on_the_way_counts_little_early_and_much_at_the_end() -> None:
    gained = [WEIGHTS.in_time.turn_gained(spare) for spare in range(5)]
    assert gained == pytest.approx([0.35, 0.25, 0.20, 0.10, 0.05])
    assert WEIGHTS.in_time.turn_gained(8) == pytest.approx(0.01)
    assert WEIGHTS.in_time.turn_gained(10) == 0


def test_parts_of_a_turn_count() -> None:
    half_way = WEIGHTS.in_time.chance(0.5)
    assert half_way == pytest.approx((WEIGHTS.in_time.chance(0) + WEIGHTS.in_time.chance(1)) / 2)


def test_against_the_enemy_each_turn_counts_and_who_is_late_still_goes() -> None:
    """Attackers came too late: the way alone told them that there was time."""
    chances = WEIGHTS.chances(fought_for=True)
    assert all(chances.turn_gained(spare) >= 0.04 for spare in range(1, 9))
    assert 0 < chances.chance(-2) < chances.chance(-1) < chances.chance(0)
    assert WEIGHTS.chances(fought_for=False) == WEIGHTS.in_time


def test_who_is_late_is_never_in_time_and_nobody_is_more_than_sure() -> None:
    assert WEIGHTS.in_time.chance(-1) == 0
    assert WEIGHTS.in_time.chance(8) == pytest.approx(1)
    assert WEIGHTS.in_time.chance(99) == 1


def test_danger_counts_less_the_less_time_is_left() -> None:
    shares = [WEIGHTS.urgency.share(spare) for spare in (-2, 0, 1, 2, 3, 9)]
    assert shares == [0.5, 0.5, 0.67, 0.83, 1, 1]


def test_bold_cares_less_for_danger_than_steady_and_cautious_more() -> None:
    bold, steady, cautious = (WEIGHTS.temperaments[name] for name in ("bold", "steady", "cautious"))
    assert bold.danger < steady.danger < cautious.danger
    assert bold.ground > steady.ground > cautious.ground
    assert bold.least_odds < steady.least_odds < cautious.least_odds


def test_a_file_says_everything_that_is_wrong_with_it_at_once(raw: dict[str, Any]) -> None:
    raw["temperament"]["bold"]["attack"]["assault"] = 50
    del raw["role"]["raid"]
    raw["in_time"]["chances"] = [0.6, 0.35]
    raw["plan"]["made_for"]["morter"] = "base"
    assert problems(raw) == [
        "role.raid: is missing.",
        "temperament.bold.attack: adds up to 95 %, not to 100.",
        "in_time.chances: falls; each number must be at least as large as the one before.",
    ]


def test_a_unit_that_does_not_exist_is_refused_with_the_nearest_name(raw: dict[str, Any]) -> None:
    raw["plan"]["made_for"]["morter"] = "base"
    assert problems(raw) == [
        "plan.made_for.morter: 'morter' is not possible here; did you mean mortar?"
    ]


def test_a_weight_that_nobody_knows_is_refused(raw: dict[str, Any]) -> None:
    raw["choice"]["luck"] = 1
    assert len(problems(raw)) == 1


def test_tuning_the_commander_changes_no_battle(monkeypatch: pytest.MonkeyPatch) -> None:
    """A battle says from which numbers it is played; his weights are none of them."""
    without_weights = resources.revision.__wrapped__("plastic")
    monkeypatch.setattr(resources, "COMMANDER", "")
    assert resources.revision.__wrapped__("plastic") != without_weights
