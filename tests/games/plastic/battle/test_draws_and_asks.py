"""Cards and dice at the table, shuffles, and what the program waits for."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from stage import CARDS, DICE, Table, armies, of, scenario

from skirmish.games.plastic.battle.agenda import DrawAsk
from skirmish.games.plastic.battle.events import AnyEvent, DrawMade, Finished, Shuffled
from skirmish.games.plastic.battle.known_draws import known_next_draws
from skirmish.games.plastic.battle.orders import (
    Again,
    ChooseCasualties,
    EndPhase,
    EndTurn,
    Finish,
    PinTest,
    SetClock,
    SetLevel,
    Show,
    Volley,
    why_not,
)
from skirmish.games.plastic.rules.catalog import DECK
from skirmish.tabletop.chance import Draw, Source
from skirmish.tabletop.chance import shuffled as shuffled_cards

MEN = {"rifle": 60}
SEEDED = (Source("deck", seed=21), Source("deck", seed=22))


def shuffled(events: Sequence[AnyEvent]) -> list[str]:
    return [event.source for event in of(Shuffled, events)]


def test_the_programs_cards_are_drawn_at_once() -> None:
    table = armies(MEN, MEN, sources=SEEDED)
    events = table.order(table.shot("rifle", "rifle"))
    (drawn,) = of(DrawMade, events)
    assert drawn.draw == SEEDED[1].peek(DECK, 12)
    assert (drawn.source, drawn.shuffle, drawn.nth) == ("second", 0, 0)
    assert table.state.ask is None


def test_a_players_own_card_is_asked_for() -> None:
    table = armies(MEN, MEN)
    table.order(table.shot("rifle", "rifle"))
    assert table.state.ask == DrawAsk(side="second", die=False, why="shot")


def test_a_players_own_die_is_asked_for() -> None:
    table = armies(MEN, MEN, sources=(CARDS, DICE))
    table.order(table.shot("rifle", "rifle"))
    assert table.state.ask == DrawAsk(side="second", die=True, why="shot")


@pytest.mark.parametrize(
    ("source", "draw", "code", "says"),
    [
        (DICE, Draw(7, "H"), "wrong_draw", "plays with a die: a d12 roll, 1 to 12"),
        (CARDS, Draw(13, "H"), "no_such_card", "the Kings are out"),
        (CARDS, Draw(0, "H"), "no_such_card", "not in the deck of 48"),
        (DICE, Draw(0), "no_such_face", "A d12 shows 1 to 12, not 0"),
        (DICE, Draw(13), "no_such_face", "A d12 shows 1 to 12, not 13"),
    ],
)
def test_a_draw_of_the_wrong_kind_is_refused(
    source: Source, draw: Draw, code: str, says: str
) -> None:
    table = armies(MEN, MEN, sources=(CARDS, source))
    table.order(table.shot("rifle", "rifle"))
    refusal = table.refusal(Show((draw,)))
    assert (refusal.code, refusal.firm) == (code, True)
    assert says in refusal.message


def test_a_card_that_has_gone_cannot_come_again_before_a_shuffle() -> None:
    """Equipment Needed."""
    table = armies(MEN, MEN)
    table.fire("rifle", "rifle", "9H")
    table.order(table.shot("rifle", "rifle"))
    refusal = table.refusal(Show((Draw(9, "H"),)))
    assert refusal.code == "card_gone"
    assert "9 of hearts has gone" in refusal.message
    table.show("9D")
    table.at(1, "second").at(2, "first")
    table.fire("rifle", "rifle", "9H")


def test_no_draw_is_taken_that_nobody_asked_for() -> None:
    assert armies(MEN, MEN).refusal(Show((Draw(5, "H"),))).code == "no_draw"


# ------------------------------------------------------------------ shuffles


def test_decks_are_shuffled_at_the_end_of_each_player_turn_and_never_between() -> None:
    """Equipment Needed, P24."""
    table = armies(MEN, MEN, sources=SEEDED)
    for _ in range(3):
        assert not shuffled(table.order(table.shot("rifle", "rifle")))
        assert not shuffled(table.order(EndPhase()))
    assert shuffled(table.order(EndPhase())) == ["first", "second"]
    assert [source.shuffles for source in table.state.sources.values()] == [1, 1]
    assert all(not source.gone for source in table.state.sources.values())


def test_every_deck_is_shuffled_at_the_end_of_a_turn() -> None:
    """Equipment Needed. Also one of which nothing has gone: cards taken back have been seen."""
    table = armies(MEN, MEN, sources=SEEDED)
    table.order(table.shot("rifle", "rifle"))
    table.undo()
    assert known_next_draws(table.play, "second")
    assert shuffled(table.order(EndTurn())) == ["first", "second"]
    assert not known_next_draws(table.play, "second")


def test_a_die_is_never_shuffled() -> None:
    table = armies(MEN, MEN, sources=(CARDS, DICE))
    table.fire("rifle", "rifle", 9)
    assert shuffled(table.order(EndTurn())) == ["first"]


def test_by_game_turn_decks_are_shuffled_when_both_have_moved() -> None:
    """P24 game_turn."""
    table = armies(MEN, MEN, sources=SEEDED, answers={"P24": "game_turn"})
    table.order(table.shot("rifle", "rifle"))
    assert shuffled(table.order(EndTurn())) == []
    assert len(table.state.sources["second"].gone) == 1
    assert shuffled(table.order(EndTurn())) == ["first", "second"]


def test_a_deck_that_runs_out_is_shuffled_for_the_next_draw() -> None:
    """Equipment Needed."""
    table = armies({"tank": 60}, MEN, sources=SEEDED)
    for _ in range(48):
        assert not shuffled(table.order(table.shot("rifle", "tank", insist=True)))
    assert table.state.sources["second"].cards_left(DECK) == 0
    events = table.order(table.shot("rifle", "tank", insist=True))
    assert shuffled(events) == ["second"]
    assert table.state.sources["second"].cards_left(DECK) == 47


def test_each_player_has_his_own_deck() -> None:
    """P23 own_decks."""
    table = armies(MEN, MEN)
    table.fire("rifle", "rifle", "9H")
    table.at(1, "first", 3)
    table.fire("rifle", "rifle", "9H")
    assert [source.gone for source in table.state.sources.values()] == [(Draw(9, "H"),)] * 2


def test_one_deck_may_serve_both() -> None:
    """P23 one_deck: what one draws is gone for the other."""
    table = armies(MEN, MEN, answers={"P23": "one_deck"})
    table.fire("rifle", "rifle", "9H")
    table.at(1, "first", 3)
    table.order(table.shot("rifle", "rifle"))
    assert table.refusal(Show((Draw(9, "H"),))).code == "card_gone"
    table.show("9D")
    assert table.state.sources["first"].gone == (Draw(9, "H"), Draw(9, "D"))
    assert table.state.sources["second"].gone == ()
    assert "second" not in shuffled(table.order(EndTurn()))


# ------------------------------------------------------------------ what is waited for


def waiting_for_card() -> Table:
    table = armies({"rifle": 5, "mortar": 5}, {"machinegun": 2})
    table.order(table.shot("machinegun", "mortar"))
    return table


def waiting_for_casualty() -> Table:
    table = waiting_for_card()
    table.show("5H")
    return table


def out_of_time() -> Table:
    table = scenario(9).at(24, "german")
    table.order(EndTurn())
    return table


@pytest.mark.parametrize(
    ("waiting", "says"),
    [
        (waiting_for_card, "First enter the card of Blues."),
        (waiting_for_casualty, "First choose the casualty: who dies?"),
        (out_of_time, "Time is up: press F to say who won, or Backspace to undo."),
    ],
)
def test_while_an_answer_is_awaited_nothing_else_goes_on(waiting, says: str) -> None:
    table = waiting()
    refusal = table.refusal(PinTest("first"))
    assert (refusal.code, refusal.message) == ("waiting", says)
    assert table.refusal(Again()).code == "no_repeat"


def test_the_clock_goes_on_without_the_defender() -> None:
    """The man proposed dies."""
    for order in (EndPhase(), EndTurn()):
        table = waiting_for_casualty()
        before = table.state.clock
        table.order(order)
        assert table.state.clock != before
        assert table.state.ask is None
        assert table.state.lost


@pytest.mark.parametrize("order", [EndPhase(), EndTurn(), SetClock(turn=2, side="first", phase=1)])
def test_a_shot_that_waits_for_its_draw_is_not_lost_to_the_clock(order) -> None:
    table = waiting_for_card()
    refusal = table.refusal(order)
    assert str(refusal) == "First enter the card of Blues. Esc takes the order back."
    assert refusal.firm
    # Half a volley has hits that are owed.
    volley = armies({"rifle": 9}, {"rifle": 9})
    volley.order(Volley(shooter="second/second/rifle", target="first/first/rifle", count=3))
    volley.show("2H")
    assert volley.refusal(order).code == "waiting"


def test_the_players_may_end_it_while_an_answer_is_awaited() -> None:
    table = waiting_for_casualty()
    table.order(Finish(winner="second"))
    assert (table.state.ask, table.state.agenda) == (None, ())


def test_an_order_taken_back_in_the_middle_leaves_nothing_behind() -> None:
    """Undo at any ask: the draw, then the shot itself."""
    table = waiting_for_card()
    before = table.play.states[-2]
    asking = table.state
    table.show("5H")
    table.undo()
    assert table.state == asking
    table.undo()
    assert table.state == before
    assert (table.state.ask, table.state.agenda, table.state.fired) == (None, (), frozenset())


def test_after_undo_another_card_may_be_shown() -> None:
    """Somebody read the card wrong."""
    table = waiting_for_card()
    table.show("5H")
    table.undo()
    table.show("9H")
    assert table.state.sources["second"].gone == (Draw(9, "H"),)


def test_after_undo_another_man_may_be_given() -> None:
    table = waiting_for_casualty()
    table.order(ChooseCasualties(("first/first/rifle",)))
    table.undo()
    table.order(ChooseCasualties(("first/first/mortar",)))
    assert list(table.state.lost) == ["first:O1"]


def test_a_card_of_the_program_comes_again_after_undo_and_both_know_it() -> None:
    """The journal is append-only: what was seen is seen."""
    table = armies(MEN, MEN, sources=SEEDED)
    drawn = [of(DrawMade, table.order(table.shot("rifle", "rifle")))[0].draw for _ in range(3)]
    assert known_next_draws(table.play, "second") == ()
    table.undo()
    table.undo()
    assert known_next_draws(table.play, "second") == tuple(drawn[1:])
    assert known_next_draws(table.play, "first") == ()
    table.order(EndPhase())
    again = [
        of(DrawMade, table.order(table.shot("rifle", "rifle", insist=True)))[0].draw
        for _ in range(2)
    ]
    assert again == drawn[1:]


def test_a_shuffle_ends_what_was_known() -> None:
    table = armies(MEN, MEN, sources=SEEDED)
    for _ in range(2):
        table.order(table.shot("rifle", "rifle"))
    table.undo()
    table.order(EndTurn())
    assert known_next_draws(table.play, "second") == ()


def test_what_was_known_of_a_shuffle_without_the_queen_is_not_known_of_one_with_her() -> None:
    """P78: she lay aside in the line that was undone; in the new one she is shuffled in."""
    queen = Draw(12, "S")
    seed = next(
        seed
        for seed in range(5000)
        if shuffled_cards(DECK, seed, 0)[-1] == shuffled_cards(DECK, seed, 1)[0] == queen
    )
    source = Source("deck", seed=seed)
    table = armies({"tank": 60}, {"rifle": 60, "machinegun": 1}, sources=(source, source))
    for shooter in (*["rifle"] * 47, "machinegun", "rifle"):
        table.order(table.shot(shooter, "tank", insist=True))
    table.undo()
    table.undo()
    table.order(EndTurn())
    comes = table.state.sources["second"].peek(DECK, 12)
    assert comes == queen
    assert known_next_draws(table.play, "second")[:1] in ((), (comes,))


def test_what_a_clerk_typed_is_not_known_of_the_programs_deck() -> None:
    """He types a card and takes it back; then the program draws, from a deck of its own."""
    table = armies(MEN, MEN)
    table.fire("rifle", "rifle", "9H")
    table.undo()
    table.undo()
    table.order(SetLevel(side="second", level="referee", source=Source("deck", seed=9)))
    assert known_next_draws(table.play, "second") == ()
    (drawn,) = of(DrawMade, table.order(table.shot("rifle", "rifle")))
    table.undo()
    assert known_next_draws(table.play, "second") == (drawn.draw,)


def test_nor_is_what_another_deck_of_the_program_gave() -> None:
    """A deck changed for another; the change taken back, brought again, or made void."""
    table = armies(MEN, MEN, sources=SEEDED)
    (drawn,) = of(DrawMade, table.order(table.shot("rifle", "rifle")))
    table.undo()
    table.order(SetLevel(side="second", level="referee", source=Source("deck", seed=9)))
    changed = table.play.entries[-1].number
    assert known_next_draws(table.play, "second") == ()
    table.undo()
    assert known_next_draws(table.play, "second") == (drawn.draw,)
    table.play.accept(table.play.possible("redo"))
    assert known_next_draws(table.play, "second") == ()
    table.play.accept(table.play.possible("void", *[changed]))
    assert known_next_draws(table.play, "second") == (drawn.draw,)


def test_a_players_own_cards_are_not_the_programs_to_know() -> None:
    table = armies(MEN, MEN)
    table.fire("rifle", "rifle", "9H")
    table.undo()
    assert known_next_draws(table.play, "second") == ()


def test_a_battle_that_is_over_refuses_everything() -> None:
    table = armies(MEN, MEN)
    shot = table.shot("rifle", "rifle")
    table.order(Finish(winner=None))
    says = "The battle is over; Backspace reopens it."
    for order in (shot, EndPhase(), EndTurn(), Show((Draw(5, "H"),)), Finish(winner="first")):
        refusal = table.refusal(order)
        assert (refusal.code, refusal.message) == ("over", says)


def test_undo_opens_it_again() -> None:
    table = armies(MEN, MEN)
    table.order(Finish(winner="first"))
    table.undo()
    assert table.state.outcome is None
    assert why_not(table.state, EndPhase()) is None


def test_a_side_that_is_not_there_cannot_win() -> None:
    refusal = armies(MEN, MEN).refusal(Finish(winner="third"))
    assert refusal.code == "unknown_side"
    assert "first, second" in refusal.message


def test_an_agreed_end_keeps_its_reason() -> None:
    table = armies(MEN, MEN)
    (end,) = of(Finished, table.order(Finish(winner="first", reason="Supper.")))
    assert (end.winner, end.reason) == ("first", "Supper.")


def test_asking_why_not_changes_nothing() -> None:
    table = armies(MEN, MEN, sources=SEEDED)
    before = table.state
    assert why_not(table.state, table.shot("rifle", "rifle")) is None
    assert table.state == before
