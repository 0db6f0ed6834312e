"""The moments of a report as people tell them: who, at whom, what came of it; no telegrams."""

from __future__ import annotations

from random import Random

import pytest
from stage import Table, armies, play_on, scenario

from skirmish.games.plastic.battle.orders import Add, AddNote, Correct, Exit
from skirmish.games.plastic.highlights import all_highlights
from skirmish.games.plastic.retelling import retold
from skirmish.tabletop.chance import Source

DECKS = (Source("deck", seed=8), Source("deck", seed=9))


def told(table: Table) -> str:
    """The last entry, retold."""
    state = table.state
    return retold(table.play.acts[-1].events, state)


@pytest.mark.parametrize("number", [1, 2, 3, 7, 9, 10])
def test_a_shot_is_told_by_the_side_that_fired_it(number: int) -> None:
    table = play_on(scenario(number, sources=DECKS), Random(number), 160)
    people = [side.people for side in table.state.setup.sides]
    shots = [one.text for one in all_highlights(table.play) if " fire" in one.text]
    assert shots
    for says in shots:
        assert ">" not in says
        assert "needs" not in says
        assert any(f"{own}: " in says for own in people)
        assert any(f"{own} lose " in says for own in people) or " miss." in says


def test_a_shot_that_kills_names_the_dead_and_a_miss_is_called_one() -> None:
    said = set()
    for seed in range(12):
        decks = (Source("deck", seed=seed), Source("deck", seed=seed + 50))
        table = armies({"rifle": 3}, {"rifle": 3}, sources=decks).at(1, "first", 3)
        before = len(table.play.acts)
        table.fire("rifle", "rifle")
        events = [event for act in table.play.acts[before:] for event in act.events]
        said.add(retold(events, table.state))
    assert said == {
        "Reds: Rifle R1 fires at Rifle Guys. A miss.",
        "Reds: Rifle R1 fires at Rifle Guys. Blues loses Rifle R1.",
    }


def test_who_leaves_and_who_is_added_is_told_in_a_sentence() -> None:
    table = scenario(1)
    table.order(Exit(row="german/column/rifle", count=13))
    assert told(table) == "Germans: 13 Rifle Guys leave the table, counting 13."
    table.order(Add(row="german/column/mortar", count=2))
    assert told(table) == "The Germans receive 2 Mortar Guys, by hand."


def test_words_of_the_players_own_stay_as_they_are() -> None:
    table = scenario(1)
    table.order(AddNote("Anna > Bruno"))
    assert told(table) == "Note: Anna > Bruno"


def test_what_is_no_moment_is_told_as_the_journal_has_it() -> None:
    table = scenario(1)
    table.order(Correct(row="german/column/rifle", by=-1))
    assert told(table) == "Germans: Rifle -1."
