"""Where leaving the table counts, as the exit prompt tells it."""

from __future__ import annotations

import msgspec
import pytest

from skirmish import library
from skirmish.games.plastic.battle.army_opening import from_armies
from skirmish.games.plastic.battle.progress import way_out
from skirmish.games.plastic.battle.scenario_opening import from_scenario
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.battle.setup_choices import SetupChoices
from skirmish.games.plastic.rules.army import ArmyList, muster
from skirmish.tabletop.chance import Source


def a_scenario(number: int) -> Setup:
    scenario = library.scenarios()[number]
    sources = dict.fromkeys(scenario.order_of_play(), Source("deck"))
    return from_scenario(scenario, library.catalog(), library.rulings(), sources=sources)


def the_basic_game(**rulings: str) -> Setup:
    book = library.rulings()
    army = muster(ArmyList(name="Reds", units={"rifle": 60}), library.catalog(), book)
    sources = (Source("deck"), Source("deck"))
    return from_armies(army, army, book, sources=sources, chosen=SetupChoices(rulings=rulings))


@pytest.mark.parametrize(
    ("number", "side", "told"),
    [
        (1, "german", "by the E edge, within 6\u00a0in of the road"),
        (1, "polish", ""),
        (3, "british", "by the S edge"),
        (7, "german", "through exit zone X"),
        (10, "american", ""),
    ],
)
def test_a_scenario_says_where_and_for_whom(number: int, side: str, told: str) -> None:
    assert way_out(a_scenario(number), side) == told


@pytest.mark.parametrize(
    ("answer", "wide"), [("four_inches", "4\u00a0in"), ("four_feet", "4\u00a0ft")]
)
def test_in_the_basic_game_the_ruling_says_how_wide_the_middle_is(answer: str, wide: str) -> None:
    for side in ("first", "second"):
        told = way_out(the_basic_game(P32=answer), side)
        assert told == f"by the middle {wide} of the enemy's edge"


def test_every_answer_about_the_width_has_a_number() -> None:
    widths = library.catalog().basic_game.exit_width
    assert widths.keys() == library.rulings().rulings["P32"].answers.keys()


def test_a_battle_that_began_before_the_width_was_told_says_nothing() -> None:
    setup = the_basic_game()
    game = msgspec.structs.replace(setup.catalog.basic_game, exit_width={})
    catalog = msgspec.structs.replace(setup.catalog, basic_game=game)
    assert way_out(msgspec.structs.replace(setup, catalog=catalog), "first") == ""
