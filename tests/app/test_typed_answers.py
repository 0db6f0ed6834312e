"""What people type before a battle: units, numbers, places."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skirmish import library
from skirmish.games.plastic.setup_form.scenario_fields import units_typed, units_written
from skirmish.tabletop.slots import Words
from skirmish.tabletop.typed import plain

CATALOG = library.catalog()


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("8 rifle, 2 machinegun", {"rifle": 8, "machinegun": 2}),
        ("8 Rifle Guys; 1 tank", {"rifle": 8, "tank": 1}),
        ("8 rifles and 2 machineguns.", {"rifle": 8, "machinegun": 2}),
        ("8rifle 2 mg jeeps", {"rifle": 8, "mg_jeep": 2}),
        ("2 88, 1 small_pillbox", {"eighty_eight": 2, "small_pillbox": 1}),
        ("3 rifle, 4 rifle", {"rifle": 7}),
        ("2 small pillboxes", {"small_pillbox": 2}),
        ("", {}),
        ("none", {}),
    ],
)
def test_units_go_by_any_of_their_names(typed: str, meant: dict[str, int]) -> None:
    assert units_typed(typed, CATALOG) == meant


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("rifle", "A number goes before 'rifle', as in 8 rifle, 2 machinegun."),
        ("8", "A number goes before '8', as in 8 rifle, 2 machinegun."),
        ("8 rfile", "There is no unit 'rfile'; did you mean rifle?"),
        ("8 zzz", "There is no unit 'zzz'; write them as in 8 rifle, 2 machinegun, 1 tank."),
        ("-3 rifle", "A number goes before '-3 rifle', as in 8 rifle, 2 machinegun."),
    ],
)
def test_what_is_no_list_of_units_is_told_in_a_sentence(typed: str, told: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        units_typed(typed, CATALOG)
    assert str(caught.value) == told


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused_with_a_sentence(typed: str) -> None:
    if sentence := complaint(lambda: units_typed(typed, CATALOG)):
        assert sentence.endswith((".", "?"))
        assert plain(sentence) == sentence  # nothing in it steers a terminal


def complaint(read: Callable[[], object]) -> str:
    """What was wrong, or nothing."""
    try:
        read()
    except ValueError as error:
        return str(error)
    return ""


@given(st.dictionaries(st.sampled_from(list(CATALOG.units)), st.integers(1, 99)))
def test_units_written_can_be_typed_again(units: dict[str, int]) -> None:
    assert units_typed(units_written(units, CATALOG), CATALOG) == units


def test_a_place_needs_words_and_not_too_many() -> None:
    place = Words(name="place", text="Where?", longest=200)
    assert place.parse("  by the mill ", True) == "by the mill"
    with pytest.raises(ValueError, match="Type it"):
        place.parse("  ", True)
    with pytest.raises(ValueError, match="At most 200 characters, please; this has 201"):
        place.parse("x" * 201, True)
