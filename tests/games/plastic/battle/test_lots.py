"""The basic game before its first turn: draws for terrain and for sides; who moves first."""

from __future__ import annotations

import pytest
from stage import CARDS, DICE, Table, armies, of

from skirmish import library
from skirmish.games.plastic.battle import record
from skirmish.games.plastic.battle.agenda import DrawAsk, ToCast
from skirmish.games.plastic.battle.army_opening import from_armies
from skirmish.games.plastic.battle.events import DrawMade, Finished, LotCast
from skirmish.games.plastic.battle.lines import lines
from skirmish.games.plastic.battle.orders import AddNote, EndTurn, Fire, Show
from skirmish.games.plastic.battle.setup_choices import SetupChoices
from skirmish.games.plastic.rules.army import ArmyList, muster
from skirmish.tabletop.chance import Draw, Source


def drawn_for(
    sources: tuple[Source, Source] = (CARDS, CARDS), answers: dict[str, str] | None = None
) -> Table:
    return armies({"rifle": 9}, {"rifle": 9}, sources=sources, answers=answers, lots=True)


def cast(table: Table) -> list[LotCast]:
    return [lot for entry in table.play.live for lot in of(LotCast, entry.events)]


def test_both_draw_for_terrain_and_then_for_sides() -> None:
    table = drawn_for()
    assert table.state.ask == DrawAsk(side="first", die=False, why="lot")
    table.show("3H")
    assert table.state.ask == DrawAsk(side="second", die=False, why="lot")
    (terrain,) = of(LotCast, table.show("9H"))
    assert (terrain.lot, terrain.first) == ("terrain", "second")
    assert table.state.ask == DrawAsk(side="first", die=False, why="lot")
    (sides,) = of(LotCast, table.show("JD", "10D"))
    assert (sides.lot, sides.first) == ("side", "first")
    assert sides.draws == {"first": Draw(11, "D"), "second": Draw(10, "D")}
    after = table.state
    assert (after.ask, after.agenda) == (None, ())


def test_the_draw_for_terrain_does_not_settle_who_moves_first() -> None:
    table = drawn_for()
    table.show("3H", "9H")
    assert table.state.first == "first"
    table.show("JD", "10D")
    assert (table.state.clock.side, table.state.first) == ("first", "first")


def test_who_places_first_moves_first() -> None:
    table = drawn_for()
    table.show("3H", "2H", "3D", "QD")
    state = table.state
    assert (state.clock.turn, state.clock.side, state.clock.phase) == (1, "second", 1)
    assert (state.first, state.second_side, state.firing_side) == ("second", "first", "first")
    table.order(EndTurn())
    assert (table.state.clock.turn, table.state.clock.side) == (1, "first")
    table.order(EndTurn())
    assert (table.state.clock.turn, table.state.clock.side) == (2, "second")


def test_an_ace_is_low() -> None:
    table = drawn_for()
    table.show("AH", "2H")
    assert cast(table)[0].first == "second"


def test_a_tie_is_drawn_again() -> None:
    """P35, whatever the suits; as often as it happens."""
    table = drawn_for()
    table.show("5H", "5S")
    assert [(lot.lot, lot.first) for lot in cast(table)] == [("terrain", None)]
    assert table.state.ask == DrawAsk(side="first", die=False, why="lot")
    table.show("6H", "6S", "7H", "4S")
    assert [lot.first for lot in cast(table)] == [None, None, "first"]
    table.show("8H", "8S", "2D", "3S")
    assert [(lot.lot, lot.first) for lot in cast(table)[3:]] == [("side", None), ("side", "second")]
    assert table.state.first == "second"


def test_the_line_tells_the_draws() -> None:
    table = drawn_for()
    table.show("5H", "5S", "7H", "4S", "2D", "3S")
    told = " ".join(line.text for line in lines(table.play))
    assert "Draw for terrain: Reds 5H, Blues 5S; a tie, draw again." in told
    assert "Draw for terrain: Reds 7H, Blues 4S; Reds first." in told
    assert "Draw for sides: Reds 2D, Blues 3S; Blues first." in told


def test_cards_without_suits_will_do() -> None:
    table = drawn_for()
    for rank in (3, 4, 5, 6):
        table.order(Show((Draw(rank),)))
    assert table.state.first == "second"


def test_a_card_drawn_for_lots_is_gone_until_the_shuffle() -> None:
    table = drawn_for()
    table.show("3H", "2H", "9D", "8D")
    table.order(Fire(shooter="second/second/rifle", target="first/first/rifle"))
    assert table.refusal(Show((Draw(2, "H"),))).code == "card_gone"
    table.show("9C")
    table.order(EndTurn())
    assert table.state.sources["second"].gone == ()


def test_dice_draw_lots_too() -> None:
    table = drawn_for((DICE, DICE))
    assert table.state.ask == DrawAsk(side="first", die=True, why="lot")
    table.show(12, 12, 12, 1, 3, 4)
    assert table.state.first == "second"


def test_one_has_cards_and_the_other_a_die() -> None:
    table = drawn_for((CARDS, DICE))
    table.show("JH", 12, "QD", 11)
    assert [lot.first for lot in cast(table)] == ["second", "first"]


def test_the_program_draws_them_in_the_opening() -> None:
    table = drawn_for((Source("deck", seed=1), Source("deck", seed=2)))
    assert len(table.play.entries) == 1
    assert (table.state.ask, table.state.agenda) == (None, ())
    sides = cast(table)[-1]
    assert sides.lot == "side"
    assert sides.first == table.state.first
    higher = max(sides.draws, key=lambda side: sides.draws[side].rank)
    assert sides.first == higher


def test_somebody_always_wins_the_lots_and_ties_are_drawn_again() -> None:
    """Seeded decks: ties among them."""
    ties, firsts = 0, set()
    for seed in range(60):
        table = drawn_for((Source("deck", seed=seed), Source("deck", seed=seed + 1000)))
        found = cast(table)
        decided = [lot.lot for lot in found if lot.first]
        assert decided == ["terrain", "side"]
        for lot in found:
            assert (lot.first is None) == (len({d.rank for d in lot.draws.values()}) == 1)
        ties += len(found) - 2
        firsts.add(table.state.first)
    assert ties
    assert firsts == {"first", "second"}


def test_the_program_draws_for_one_and_waits_for_the_other() -> None:
    table = drawn_for((Source("deck", seed=1), CARDS))
    assert table.state.ask == DrawAsk(side="second", die=False, why="lot")
    assert len(of(DrawMade, table.play.entries[0].events)) == 1


def test_one_deck_serves_both() -> None:
    """P23 one_deck."""
    table = drawn_for(answers={"P23": "one_deck"})
    table.show("3H", "2H", "9D", "8D")
    assert len(table.state.sources["first"].gone) == 4
    assert table.state.sources["second"].gone == ()


def test_before_the_lots_are_cast_nothing_else_is_done() -> None:
    table = drawn_for()
    assert table.refusal(EndTurn()).message == "First enter the card of Reds."
    table.order(AddNote("where is the wood?"))
    shot = Fire(shooter="second/second/rifle", target="first/first/rifle")
    assert table.refusal(shot).code == "waiting"


def test_without_lots_nothing_is_drawn() -> None:
    table = armies({"rifle": 9}, {"rifle": 9})
    assert (table.state.ask, table.state.first) == (None, "first")
    assert not cast(table)


def test_sides_that_keep_losses_only_settle_it_themselves() -> None:
    catalog, book = library.catalog(), library.rulings()
    reds, blues = (
        muster(ArmyList(name=name, units={"rifle": 9}), catalog, book) for name in ("Reds", "Blues")
    )
    chosen = SetupChoices(levels={"first": "ledger"})
    setup = from_armies(reds, blues, book, sources=(CARDS, CARDS), chosen=chosen, lots=True)
    table = Table(setup)
    assert (table.state.ask, table.state.agenda) == (None, ())
    assert not cast(table)


def test_lots_taken_back_are_drawn_again() -> None:
    table = drawn_for()
    table.show("3H", "2H", "3D", "QD")
    table.undo()
    assert table.state.first == "first"
    assert isinstance(table.state.agenda[0], ToCast)
    table.show("2D")
    assert table.state.first == "first"
    assert table.state.ask is None


def test_the_lots_are_kept_with_the_battle() -> None:
    table = drawn_for((Source("deck", seed=1), Source("deck", seed=2)))
    entries = [record.codec.read(record.codec.written(e)) for e in table.play.entries]
    assert record.codec.play(entries).state == table.state


@pytest.mark.parametrize(("cards", "last"), [(("3D", "QD"), "first"), (("QD", "3D"), "second")])
def test_turn_30_is_whole_whoever_moves_first(cards: tuple[str, str], last: str) -> None:
    """The draw comes when both sides have had their turn 30."""
    table = drawn_for()
    table.show("3H", "2H", *cards)
    table.at(30, last)
    assert table.state.outcome is None
    (end,) = of(Finished, table.order(EndTurn()))
    assert (end.winner, end.reason) == (None, "Turn 30 has passed without a result.")
