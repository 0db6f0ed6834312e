"""Where the sides set up, in words whose numbers come from the data."""

from __future__ import annotations

import msgspec
from stage import CARDS, armies, scenario

from skirmish import library
from skirmish.games.plastic.battle.deployment import deployment_now, deployment_words
from skirmish.tabletop.chance import Source

PILLBOX = {"rifle": 60, "large_pillbox": 1}
PLAIN = {"rifle": 60}


def test_the_first_side_sets_up_in_a_narrow_band_and_the_other_in_a_broad_one() -> None:
    """ "The Basic Game": 3 in, and 12 in from the edge opposite."""
    setup = armies(PLAIN, PLAIN).state.setup
    assert deployment_words(setup).splitlines() == [
        "Reds sets up first: within 3 in of the chosen edge.",
        "Then Blues: within 12 in of the edge opposite.",
    ]


def test_pillboxes_of_the_first_side_may_stand_further_in() -> None:
    first = deployment_words(armies(PILLBOX, PLAIN).state.setup)
    assert "pillboxes up to 12 in" in first
    assert "pillboxes" not in deployment_words(armies(PLAIN, PILLBOX).state.setup)


def test_until_lots_are_cast_nobody_is_named_and_then_the_winner_is() -> None:
    table = armies(PLAIN, PILLBOX, sources=(Source("deck", 1), Source("deck", 2)), lots=True)
    setup, first = table.state.setup, table.state.first
    waiting = deployment_words(setup)
    assert "Reds" not in waiting
    assert "Blues" not in waiting
    assert "pillboxes up to 12 in" in waiting  # whoever wins may have them
    named = deployment_words(setup, first)
    assert named.startswith(f"{setup.side_by_id[first].people} sets up first")
    for other in ("first", "second"):
        assert setup.side_by_id[other].people in deployment_words(setup, other)


def test_the_bands_are_those_of_the_data() -> None:
    setup = armies(PLAIN, PLAIN).state.setup
    game = msgspec.structs.replace(
        setup.catalog.basic_game,
        deployment=msgspec.structs.replace(setup.catalog.basic_game.deployment, first=7),
    )
    catalog = msgspec.structs.replace(setup.catalog, basic_game=game)
    changed = msgspec.structs.replace(setup, catalog=catalog)
    assert "within 7 in" in deployment_words(changed)


def test_a_battle_from_before_the_bands_were_known_says_nothing() -> None:
    setup = armies(PLAIN, PLAIN).state.setup
    game = msgspec.structs.replace(setup.catalog.basic_game, deployment=None)
    catalog = msgspec.structs.replace(setup.catalog, basic_game=game)
    assert deployment_words(msgspec.structs.replace(setup, catalog=catalog)) == ""


def test_a_scenario_tells_who_sets_up_first_and_where_everybody_of_the_beginning_is() -> None:
    for number, found in library.scenarios().items():
        setup = scenario(number, sources=(CARDS, CARDS)).state.setup
        said = deployment_words(setup).splitlines()
        people = setup.side_by_id[found.sets_up_first].people
        assert said[0] == f"The {people} set up first."
        told = [group for group in setup.contingents if group.enters <= 1 and group.note]
        assert len(said) == 1 + len(told) > 1
        late = [group.name for group in setup.contingents if group.enters > 1]
        assert not any(f", {name}: " in line for name in late for line in said)


def test_in_a_battle_the_sides_are_named_once_the_second_lot_is_cast() -> None:
    table = armies(PLAIN, PLAIN, lots=True)
    for draw in ("3H", "9C", "2H"):
        assert "Reds" not in deployment_now(table.state)
        table.show(draw)
    assert "Reds" not in deployment_now(table.state)
    table.show("9H")  # the higher draw of the second pair
    assert deployment_now(table.state).splitlines() == [
        "Blues sets up first: within 3 in of the chosen edge.",
        "Then Reds: within 12 in of the edge opposite.",
    ]


def test_a_nation_is_many_and_an_army_is_one() -> None:
    poles = scenario(1).state.setup
    assert poles.does("polish", "win", "wins", article="The") == "The Poles win"
    table = armies({"rifle": 9}, {"rifle": 9})
    assert table.state.setup.does("first", "win", "wins", article="The") == "Reds wins"
