"""Scenario 8: a jack of spades, drawn by anybody for anything, begins the dust or ends it."""

from __future__ import annotations

import pytest
from stage import CARDS, DICE, Table, card, of, scenario

from skirmish.games.plastic.battle.agenda import DrawAsk
from skirmish.games.plastic.battle.events import Judged, Toggled
from skirmish.games.plastic.battle.lines import lines
from skirmish.games.plastic.battle.orders import (
    Dig,
    EndTurn,
    Fire,
    GroupMoved,
    PinTest,
    SetLevel,
    Show,
    Volley,
)
from skirmish.games.plastic.battle.setup_choices import SetupChoices
from skirmish.tabletop.chance import Draw, Source

TANK, CANNON = "german/spearhead/tank", "russian/guards/cannon"


def dusty(table: Table) -> bool:
    return "dust" in table.state.toggled


def test_the_jack_of_spades_begins_the_dust_after_its_shot() -> None:
    table = scenario(8)
    events = table.fire("cannon", "tank", "JS")
    assert dusty(table)
    kinds = [type(event) for event in events]
    assert kinds.index(Judged) < kinds.index(Toggled)
    assert "Dust begins." in lines(table.play)[-1].text


@pytest.mark.parametrize("other", ["JC", "JH", "JD", "10S", "QS"])
def test_no_other_card_does(other: str) -> None:
    table = scenario(8)
    table.fire("cannon", "tank", other)
    assert not dusty(table)


def test_the_next_one_ends_it_whoever_draws_it() -> None:
    table = scenario(8)
    table.fire("cannon", "tank", "JS")
    table.at(1, "russian")
    (ended,) = of(Toggled, table.fire("tank", "tank", "JS"))
    assert (ended.name, ended.on) == ("dust", False)
    assert not dusty(table)


def test_the_dust_outlasts_the_turn() -> None:
    table = scenario(8)
    table.fire("cannon", "tank", "JS")
    assert dusty(table.at(5, "russian"))


def test_a_breakdown_draw_counts_too() -> None:
    """Q of spades, then the jack: a second spade, so the cannon is lost as well."""
    table = scenario(8)
    table.fire("cannon", "tank", "QS", "JS")
    assert dusty(table)
    assert table.alive("russian", "cannon") == 0


@pytest.mark.parametrize(
    "order",
    [Dig(side="german"), GroupMoved(), PinTest(side="german")],
    ids=lambda o: type(o).__name__,
)
def test_so_does_a_draw_that_is_no_shot(order: Dig | GroupMoved | PinTest) -> None:
    table = scenario(8, chosen=SetupChoices(quality={"german": "regular"}, loads=False))
    table.order(order)
    table.show("JS")
    assert dusty(table)


def test_one_jack_in_a_volley_is_enough() -> None:
    table = scenario(8).at(1, "russian")
    table.order(Volley(shooter=TANK, target="russian/guards/tank", count=3, reach=3))
    table.show("9H")
    assert not dusty(table)
    table.show("JS")
    assert dusty(table)
    table.show("10C")
    assert dusty(table)


def test_a_jack_without_its_suit_is_asked_for_it() -> None:
    table = scenario(8)
    table.fire("cannon", "tank")
    table.order(Show((Draw(11),)))
    assert table.state.ask == DrawAsk(side="russian", die=False, why="shot", rank=11)
    assert table.refusal(Show((card("10S"),))).message == "Which suit had the jack? S, H, D or C."
    table.order(Show((card("JS"),)))
    assert dusty(table)


def test_a_ten_without_its_suit_is_not_asked_for_it() -> None:
    table = scenario(8)
    table.fire("cannon", "tank")
    table.order(Show((Draw(10),)))
    assert table.state.ask is None


def test_elsewhere_a_jack_is_a_jack() -> None:
    """Scenario 1: no dust, and no suit asked."""
    table = scenario(1)
    table.fire("cannon", "tank")
    table.order(Show((Draw(11),)))
    assert (table.state.toggled, table.state.ask) == (frozenset(), None)


def test_taken_back_the_dust_settles() -> None:
    table = scenario(8)
    table.fire("cannon", "tank", "JS")
    table.undo()
    assert not dusty(table)


def test_the_programs_own_decks_raise_it_too() -> None:
    """Some shuffle has the jack first; it is found here, not written down."""
    for seed in range(500):
        deck = Source("deck", seed=seed)
        table = scenario(8, sources=(CARDS, deck))
        table.order(Fire(shooter=CANNON, target=TANK))
        if table.state.judged[-1].draw == card("JS"):
            break
        assert not dusty(table)
    else:
        pytest.fail("no deck of 500 began with the jack of spades")
    assert dusty(table)


def test_this_scenario_is_never_played_with_dice() -> None:
    for sources in ((DICE, CARDS), (CARDS, Source("die", seed=1))):
        with pytest.raises(ValueError, match="played with cards, not dice"):
            scenario(8, sources=sources)
    table = scenario(8)
    to_dice = SetLevel(side="german", level="clerk", source=DICE)
    assert table.refusal(to_dice).message == "This scenario is played with cards, not dice."
    table.order(SetLevel(side="german", level="referee", source=Source("deck", seed=1)))


def test_ending_a_turn_draws_nothing() -> None:
    table = scenario(8)
    table.fire("cannon", "tank", "JS")
    table.order(EndTurn())
    assert dusty(table)
