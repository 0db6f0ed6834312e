"""Scenario 3: two draws at the start of each German turn from turn 2 on."""

from __future__ import annotations

from collections import Counter

import pytest
from stage import CARDS, DICE, Table, card, of, scenario

from skirmish.games.plastic.battle.agenda import ChoiceAsk, DrawAsk
from skirmish.games.plastic.battle.events import Added, DrawMade, TableDrawn
from skirmish.games.plastic.battle.lines import lines
from skirmish.games.plastic.battle.orders import (
    AddNote,
    ChooseResult,
    EndPhase,
    EndTurn,
    Exit,
    Fire,
    Show,
)
from skirmish.games.plastic.battle.rows import find_row
from skirmish.games.plastic.battle.setup_choices import SetupChoices
from skirmish.tabletop.chance import Draw, Source

ENTRIES = {1: "1", 3: "1", 4: "2", 6: "2", 7: "3", 9: "3", 10: "4", 12: "4"}
COMERS = {
    1: {"rifle": 4},
    5: {"rifle": 4},
    6: {"machinegun": 1, "rifle": 2},
    7: {"machinegun": 1, "rifle": 2},
    8: {"jeep": 1, "rifle": 3, "machinegun": 1},
    9: {"mortar": 1, "rifle": 2},
    11: {},
    12: {},
}


def alarm(die: bool = False) -> Table:
    """The start of German turn 2."""
    table = scenario(3, sources=(CARDS, DICE if die else CARDS)).at(2, "british")
    table.order(EndTurn())
    return table


def came(table: Table) -> Counter[str]:
    return Counter(piece.unit for piece in table.state.added.values())


def test_nothing_is_drawn_in_german_turn_1() -> None:
    table = scenario(3).at(1, "german")
    assert (table.state.ask, table.state.agenda) == (None, ())


def test_the_germans_draw_their_own_card_before_anything_else() -> None:
    table = alarm()
    assert table.state.ask == DrawAsk(side="german", die=False, why="table")
    assert table.state.clock.phase == 1
    assert table.refusal(EndPhase()).message == "First enter the German card."
    table.order(AddNote("the siren"))


def test_the_british_turn_begins_without_a_draw() -> None:
    table = alarm()
    table.show("AH", "QH")
    table.order(EndTurn())
    assert (table.state.clock.turn, table.state.clock.side) == (3, "british")
    assert table.state.ask is None


@pytest.mark.parametrize(("rank", "entry"), ENTRIES.items())
def test_the_first_card_says_where(rank: int, entry: str) -> None:
    table = alarm()
    (drawn,) = of(TableDrawn, table.order(Show((Draw(rank, "H"),))))
    assert (drawn.nth, drawn.entry) == (1, entry)
    assert drawn.explain.endswith(f"entry point {entry}.")
    assert table.state.ask == DrawAsk(side="german", die=False, why="table")


@pytest.mark.parametrize(("rank", "units"), COMERS.items())
def test_the_second_card_says_who(rank: int, units: dict[str, int]) -> None:
    table = alarm()
    events = table.show("4D") + table.order(Show((Draw(rank, "H"),)))
    drawn = of(TableDrawn, events)[-1]
    assert (drawn.nth, drawn.entry) == (2, "2")
    assert came(table) == units
    assert [added.why for added in of(Added, events)] == (["at 2"] if units else [])
    assert (table.state.ask, table.state.agenda) == (None, ())
    if not units:
        assert "nobody comes" in drawn.explain


def test_a_ten_leaves_the_choice_of_all_who_may_come() -> None:
    table = alarm()
    table.show("10D", "10H")
    ask = table.state.ask
    assert isinstance(ask, ChoiceAsk)
    assert ask.options == (
        "4 Rifle Guys",
        "1 Machinegun Guy, 2 Rifle Guys",
        "1 Jeep, 3 Rifle Guys, 1 Machinegun Guy",
        "1 Mortar Guy, 2 Rifle Guys",
    )
    assert table.refusal(EndTurn()).message == "First: Which reinforcements?"
    assert table.refusal(ChooseResult(4)).message == "Choose 1 to 4."
    assert table.refusal(ChooseResult(-1)).message == "Choose 1 to 4."
    (added,) = of(Added, table.order(ChooseResult(3)))
    assert added.why == "at 4"
    assert came(table) == {"mortar": 1, "rifle": 2}
    assert table.refusal(ChooseResult(0)).message == "There is nothing to choose."


def test_both_cards_may_be_typed_on_one_line_without_suits() -> None:
    """No colour matters here."""
    table = alarm()
    table.order(Show((Draw(7), Draw(8))))
    assert came(table) == COMERS[8]
    assert table.state.ask is None


def test_a_die_draws_as_a_deck_does() -> None:
    """Eleven and twelve bring nobody."""
    table = alarm(die=True)
    table.show(12, 11)
    assert came(table) == {}
    table.at(3, "british")
    table.order(EndTurn())
    table.show(1, 6)
    assert came(table) == {"machinegun": 1, "rifle": 2}


def test_the_program_draws_for_who_lets_it() -> None:
    drawn = Source("deck", seed=3)
    table = scenario(3, sources=(CARDS, drawn)).at(2, "british")
    events = table.order(EndTurn())
    assert len(of(DrawMade, events)) == len(of(TableDrawn, events)) == 2
    assert not isinstance(table.state.ask, DrawAsk)


def test_the_draws_come_from_the_fresh_german_deck() -> None:
    table = alarm()
    table.show("4D", "QH")
    assert table.state.sources["german"].gone == (card("4D"), card("QH"))
    assert table.state.sources["british"].gone == ()


def test_a_side_that_keeps_losses_only_draws_at_the_table() -> None:
    chosen = SetupChoices(levels={"german": "ledger"})
    table = scenario(3, chosen=chosen).at(2, "german")
    assert table.state.ask is None


def test_who_comes_stands_in_a_row_of_its_own_and_may_fire() -> None:
    table = alarm()
    table.show("4D", "6H")
    row = find_row(table.state, "german/reinforcements/machinegun")
    assert row is not None
    assert (row.letter, row.contingent.name, len(row.here)) == ("a", "Reinforcements", 1)
    table.at(3, "british")
    table.order(Fire(shooter=row.key, target="british/raiders/mg_jeep"))
    table.show("3H")
    assert table.alive("british", "mg_jeep") == 7


def test_codes_go_on_from_those_there_are() -> None:
    table = alarm()
    table.show("4D", "AH")
    codes = [piece.code for piece in table.state.added.values()]
    assert codes == ["R15", "R16", "R17", "R18"]


def test_every_german_turn_draws_anew() -> None:
    table = alarm()
    table.show("4D", "AH")
    table.at(3, "british")
    table.order(EndTurn())
    table.show("4D", "AH")  # shuffled at the end of the turn
    assert came(table) == {"rifle": 8}


def test_the_line_tells_both_draws() -> None:
    table = alarm()
    table.show("4D", "8H")
    says = lines(table.play)[-1].text
    assert "German draw 1. 4 of diamonds: entry point 2." in says
    assert "8 of hearts: 1 Jeep, 3 Rifle Guys, 1 Machinegun Guy at 2." in says


def test_taken_back_who_came_is_gone() -> None:
    table = alarm()
    table.show("4D", "8H")
    table.undo()
    assert came(table) == {}
    assert table.state.ask == DrawAsk(side="german", die=False, why="table")


def test_a_raid_that_is_over_draws_no_more() -> None:
    table = scenario(3).at(2, "british")
    table.order(Exit(row="british/raiders/mg_jeep", count=5, insist=True))
    assert table.state.outcome is not None
    assert table.refusal(EndTurn()).code == "over"
