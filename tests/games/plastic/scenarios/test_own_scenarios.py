"""Ids of own scenarios, and what is refused in their texts, over whatever a player may type."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from skirmish import library
from skirmish.games.plastic.scenarios.own import (
    LONGEST_ID,
    LONGEST_NAMES,
    as_printed,
    blank,
    file_name,
    free_id,
    id_words,
)
from skirmish.games.plastic.scenarios.scenario import OWN_PREFIX, Scenario
from skirmish.games.plastic.scenarios.scenario_file import read_scenario
from skirmish.tabletop.data_file import DataError
from skirmish.tabletop.typed import plain

TITLES = st.text(max_size=300)


@given(TITLES, st.integers(0, 1200))
def test_an_id_is_free_short_and_fit_for_a_file_whatever_the_title(title: str, taken: int) -> None:
    first = free_id(title, ())
    used = {first, free_id(title, {first})}
    used |= {f"{first}_{times}" for times in range(2, taken)}
    id = free_id(title, used)
    assert id not in used
    assert len(id) <= LONGEST_ID
    assert re.fullmatch(rf"{OWN_PREFIX}[a-z0-9][a-z0-9_]*", id)


@pytest.mark.parametrize(
    ("text", "id"),
    [
        ("Łódź, 1939", "lodz_1939"),
        ("Ärger am Öresund", "arger_am_oresund"),
        ("Straße 4", "strasse_4"),
        ("Échelon", "echelon"),
        ("Москва", ""),
    ],
)
def test_an_id_keeps_the_letters_of_a_text_without_their_accents(text: str, id: str) -> None:
    assert id_words(text) == id


@given(TITLES, st.integers(4, 12), st.integers(4, 12))
@example("0" * LONGEST_NAMES["title"], 4, 4)
@example("0" * (LONGEST_NAMES["title"] + 1), 4, 4)
def test_a_new_scenario_is_sound_or_its_title_is_refused(title: str, wide: int, deep: int) -> None:
    nations = library.catalog().nations
    sides = {id: nations[id].people for id in ("russian", "german")}
    raw = blank(101, free_id(title, ()), title, sides, (wide * 12, deep * 12))

    def scenario() -> Scenario:
        data, file = as_printed(raw), f"{file_name(101, raw['id'])}.toml"
        return read_scenario(data, library.catalog(), library.rulings(), file=file, own_from=101)

    spaced = title.replace("\t", " ")
    has_room = len(title) <= LONGEST_NAMES["title"]
    if title and has_room and plain(spaced) == spaced:
        assert scenario().title == as_printed(title)
        return
    with pytest.raises(DataError) as refused:
        scenario()
    assert {problem.key for problem in refused.value.problems} == {"title"}
