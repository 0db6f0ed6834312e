"""A game of Beach Head at the keyboard: a turn by Space, cards, choices, undo, resume, the end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import msgspec
import pytest
from beach_table import codec
from beaches import (
    DECK,
    LONG_AGO,
    OWN_DECK,
    OWN_DICE,
    a_game,
    keep,
    land,
    nearly_won,
    on_until,
    state,
)
from steps import (
    HOSTILE,
    NARROW,
    WIDE,
    battles_listed,
    each_resumed,
    eventually,
    press,
    shown,
    the_app,
    until,
    wait_for,
)
from textual.pilot import Pilot
from textual.widgets import OptionList

from skirmish import registry
from skirmish.app.home import HomeScreen
from skirmish.app.page_screen import PageScreen, SummaryPage
from skirmish.app.play.games import GamesScreen
from skirmish.app.play.journal_page import JournalPage
from skirmish.app.play.screen import PlayScreen
from skirmish.app.play.setup import GameSetup
from skirmish.games.beach_head import advice
from skirmish.games.beach_head.card_values import card_uses
from skirmish.games.beach_head.orders import ChooseTarget, Go, ShowDice
from skirmish.games.beach_head.pending import BeachAsk
from skirmish.games.beach_head.ruleset import signs
from skirmish.games.beach_head.wording import prompt_text
from skirmish.store.database import Store
from skirmish.tabletop.chance import full_deck
from skirmish.tabletop.page import Heading, Table
from skirmish.tabletop.scores import FinishedGame
from skirmish.tabletop.slots import UnfitAnswer
from skirmish.tabletop.typed import plain


async def resume(pilot: Pilot[None]) -> None:
    await battles_listed(pilot)
    await press(pilot, "enter")
    await until(pilot, PlayScreen)


async def test_a_turn_goes_by_space_and_stops_only_where_one_must_choose(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await land(pilot)
        spaces = choices = 0
        for _ in range(60):
            if state(pilot).turn > 1:
                break
            ask = state(pilot).ask
            if ask and ask.what == "target":
                await press(pilot, "6")
                choices += 1
            elif ask and ask.what == "trim":
                break
            else:
                await press(pilot, "space")
                spaces += 1
        assert (spaces, choices) == (16, 3)
        assert "Destroyers" in shown(pilot, "beside")
        assert "Destroyers  from turn 20 on" in shown(pilot, "beside")


async def test_the_sum_on_the_table_is_shown_term_by_term(where: str) -> None:
    keep(where, on_until(a_game(), "lci"))
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        faces = state(pilot).roll.faces  # type: ignore[union-attr]
        dice = " + ".join(map(str, faces))
        said = " ".join(shown(pilot, "situation").split())
        assert f"{dice} - 1 (tank traps) = {sum(faces) - 1}" in said
        assert f"{sum(faces) - 1} squads land" in said


async def test_a_card_changes_the_die_and_undo_gives_it_back(where: str) -> None:
    keep(where, on_until(a_game(Go(), cards=DECK), "frogman"))
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        before = state(pilot)
        assert "Roll    6\n" in shown(pilot, "situation")
        await press(pilot, "8")
        assert "6 - 1 (cards) = 5" in shown(pilot, "situation")
        await press(pilot, "8")
        assert "That means nothing now" in shown(pilot, "asked")
        await press(pilot, "u")
        assert state(pilot) == before
        await press(pilot, "ctrl+y")
        assert len(state(pilot).hand) == 6


async def test_what_was_rolled_stays_rolled_when_it_is_taken_back(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await land(pilot)
        await press(pilot, "space", "space", "space")
        rolled = state(pilot).roll
        await press(pilot, "u", "backspace", "space", "space")
        assert state(pilot).roll == rolled


async def test_run_on_stops_where_a_decision_is(where: str) -> None:
    """A German roll is one only while a card could soften it."""
    keep(where, a_game(Go()))
    keep(where, a_game(Go(), cards=DECK))
    async with the_app(where).run_test(size=NARROW) as pilot:
        await battles_listed(pilot, 2)
        await press(pilot, "enter")
        await until(pilot, PlayScreen)
        first = state(pilot)
        if first.deck is None:
            await press(pilot, "escape", "down", "enter")
            await until(pilot, PlayScreen)
        await press(pilot, "space", "g", "6", "g")
        assert state(pilot).present_phase.side == "german"
        assert card_uses(state(pilot))
    async with the_app(where).run_test(size=NARROW) as pilot:
        await battles_listed(pilot, 2)
        await press(pilot, "down", "enter")
        await until(pilot, PlayScreen)
        assert state(pilot).deck is None
        await press(pilot, "g", "6", "g")
        assert state(pilot).present_phase.side == "allied"
        assert state(pilot).asks == "target"


async def test_the_help_lists_only_what_belongs_here(where: str) -> None:
    keep(where, a_game(Go()))
    async with the_app(where).run_test(size=WIDE) as pilot:
        await resume(pilot)
        await press(pilot, "question_mark")
        page = "".join(str(part.render()) for part in pilot.app.screen.query("Static"))
        assert "Let it count" in page
        for strange in ("weapon", "High scores", "another game"):
            assert strange not in page


async def test_targets_are_marked_where_they_lie(where: str) -> None:
    play = on_until(a_game(), "lcs")
    keep(where, play)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        lines = shown(pilot, "board").splitlines()
        marked = [line.split()[:2] for line in lines if line.strip()[:1].isdigit()]
        assert [one for one in marked if len(one[0]) == 1] == [["4", "Walls"], ["6", "Bunkers"]]
        await press(pilot, "7")
        assert "4 Walls; 6 Bunkers" in shown(pilot, "asked")
        await press(pilot, "4")
        assert state(pilot).roll is not None


async def test_a_game_goes_on_where_it_was_left(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await land(pilot, *["down"] * 4, "left")
        await press(pilot, "space", "space", "g")
        left = state(pilot)
        await press(pilot, "q")
        await until(pilot, GamesScreen)
        games = pilot.app.screen.query_one("#lines", OptionList)
        await eventually(pilot, lambda: games.option_count == 2)
        await press(pilot, "down", "enter")
        await until(pilot, PlayScreen)
        assert state(pilot) == left
        await press(pilot, "H")
        await until(pilot, HomeScreen)
        await resume(pilot)
        assert state(pilot) == left


async def test_own_dice_are_typed_as_digits(where: str) -> None:
    keep(where, a_game(Go(), dice=OWN_DICE))
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        assert state(pilot).asks == "dice"
        await press(pilot, "4", "space", "6", "2")
        assert "62_" in shown(pilot, "asked")
        await press(pilot, "backspace", "5", "7")
        assert "3 numbers from 1 to 6" in shown(pilot, "asked")
        await press(pilot, "1")  # without cards they count at once
        assert state(pilot).squads == 11
        await press(pilot, "u")
        assert state(pilot).asks == "dice"
        assert state(pilot).squads == 0


async def test_own_cards_are_typed_small_or_in_capitals(where: str) -> None:
    keep(where, a_game(Go(), cards=OWN_DECK))
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        assert state(pilot).asks == "cards"
        await press(pilot, *"7Q0JAk2")
        assert signs(state(pilot).hand) == "7 Q 10 J A K 2"


async def test_a_game_that_another_program_plays_on_is_shown_as_it_stands_now(where: str) -> None:
    play = on_until(a_game(Go()), "lci")
    keep(where, play)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        entry = play.consider(Go())
        with Store.open(where) as store:
            written = codec.written(entry)
            store.append(1, written, headline="elsewhere", over=False)
        await press(pilot, "space")
        assert state(pilot) == play.state_with(entry)
        said = " ".join(shown(pilot, "asked").split())
        assert "Another program has continued this game. You see it as it stands now" in said
        assert "battle" not in said


async def test_a_slip_while_cards_are_typed_costs_that_card_and_nothing_else(where: str) -> None:
    keep(where, a_game(Go(), cards=OWN_DECK))
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        before = state(pilot)
        await press(pilot, *"77771")
        assert "0 for a ten" in shown(pilot, "asked")
        assert "7777_" in shown(pilot, "asked")
        await press(pilot, *["backspace"] * 5)
        assert state(pilot) == before  # nothing is left to take off, and no step was taken back
        assert "Nothing is typed" in shown(pilot, "asked")
        await press(pilot, *"7Q0JAk2")
        assert len(state(pilot).hand) == 7


def test_a_deck_that_runs_out_is_told_before_it_does() -> None:
    play = a_game(Go(), cards=OWN_DECK)
    gone = tuple(full_deck()[:51])
    assert play.state.deck is not None
    deck = msgspec.structs.replace(play.state.deck, gone=gone)
    few = msgspec.structs.replace(
        play.state, deck=deck, hand=gone[:4], discard=gone[4:], ask=BeachAsk(what="cards", count=1)
    )
    assert prompt_text(few) == (
        "One card is left: draw it and type its rank, then shuffle the discards and draw 2 more."
    )
    prompt = registry.load("beach_head").prompt(few)
    assert prompt is not None
    assert prompt.slots[0].text == prompt_text(few)
    after = msgspec.structs.replace(
        few,
        deck=msgspec.structs.replace(deck, gone=gone[:4], shuffles=1),
        discard=(),
        ask=BeachAsk(what="cards", count=3),
    )
    assert prompt_text(after) == "Shuffle the discards, then draw 3 cards and type their ranks."
    one_card = msgspec.structs.replace(after, ask=BeachAsk(what="cards", count=1))
    assert prompt_text(one_card) == "Shuffle the discards, then draw 1 card and type its rank."
    asked_for_one = registry.load("beach_head").prompt(one_card)
    assert asked_for_one is not None
    with pytest.raises(UnfitAnswer, match=r"1 card is wanted, not 2\."):
        asked_for_one.slots[0].parse("qq", done=True)
    # With an empty hand nothing is out of the deck, as at the beginning, but it must be shuffled.
    shuffled = msgspec.structs.replace(deck, gone=(), shuffles=1)
    without_hand = msgspec.structs.replace(after, deck=shuffled, hand=())
    assert prompt_text(without_hand).startswith("Shuffle the discards")
    assert prompt_text(play.state) == "Draw 7 cards and type their ranks."


def test_high_scores_are_a_table_for_each_beach_and_reading() -> None:
    won = nearly_won(player="Ann")
    won.accept(won.consider(ShowDice(faces=(6,))))
    page = registry.load("beach_head").scores([FinishedGame(1, LONG_AGO, won.state)], mine=1)
    assert page is not None
    heading, found = page.blocks
    assert heading == Heading("Normandy, as printed, without cards: 1 game")
    assert isinstance(found, Table)
    assert found.mark == 0
    state = won.state
    numbers = tuple(map(str, (state.casualties, state.turn, state.squads)))
    assert found.rows == (("1", *numbers, "Ann", "2026-06-06"),)


async def test_cards_are_marked_and_thrown_off_at_the_end(where: str) -> None:
    play = a_game(Go(), cards=DECK)
    for _ in range(60):
        if play.state.phase == "end":
            break
        ask = play.state.ask
        target = ask and ask.what == "target"
        play.accept(play.consider(ChooseTarget(target="bunkers") if target else Go()))
    keep(where, play)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "6", "7", "8", "space")
        assert "Choose 1 more" in shown(pilot, "asked")
        await press(pilot, "j", "j", "q", "space")
        assert state(pilot).turn == 2
        assert [card.rank for card in state(pilot).discard] == [6, 7, 8, 12]


async def test_the_end_tells_the_score_and_its_place(where: str) -> None:
    keep(where, nearly_won())
    won = nearly_won(player="Ann")
    won.accept(won.consider(ShowDice(faces=(6,))))
    keep(where, won)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await battles_listed(pilot, 2)
        await press(pilot, "down", "enter")
        await until(pilot, PlayScreen)
        await press(pilot, "6")
        await wait_for(pilot, "asked", "Place 1 of 2 games: Normandy")
        await wait_for(pilot, "asked", "10,000 games")
        assert "The beach is taken" in shown(pilot, "situation")
        await press(pilot, "S")
        await until(pilot, SummaryPage)

        def page() -> str:
            return "".join(str(one.render()) for one in pilot.app.screen.query(".summary-part"))

        await eventually(pilot, lambda: "NORMANDY, AS PRINTED, WITHOUT CARDS" in page())
        assert page().count(str(won.state.casualties)) >= 2
        await press(pilot, "escape", "u")
        assert not state(pilot).over
        with Store.open(where) as store:
            assert sum(one.over for one in store.battles()) == 1


async def test_a_players_name_is_shown_as_it_was_typed(where: str) -> None:
    names = [*HOSTILE]
    for name in names:
        keep(where, a_game(Go(), player=name))
    async with the_app(where).run_test(size=NARROW) as pilot:
        async for _ in each_resumed(pilot, len(names), PlayScreen):
            clock = shown(pilot, "clock")
            assert "Turn 1" in clock
            assert plain(names.pop())[:10] in clock
    assert not names


async def test_set_up_chooses_beach_reading_and_name(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await until(pilot, HomeScreen)
        await press(pilot, "b")
        await until(pilot, GamesScreen)
        await press(pilot, "enter")
        await until(pilot, GameSetup)
        await press(pilot, "right", "down", "right", *["down"] * 4, "enter")
        await press(pilot, *"Ada", "enter")
        await press(pilot, "b")
        await until(pilot, PlayScreen)
        setup = state(pilot).setup
        assert (setup.variant, setup.named, setup.player) == ("omaha", "draft_1d6", "Ada")
        assert "Ditches" not in shown(pilot, "board")
    with Store.open(where) as store:
        assert [one.title for one in store.battles()] == ["Beach Head, Omaha: Ada"]


async def test_a_switch_makes_the_reading_the_players_own(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await land(pilot, *["down"] * 2, "enter", "down", "right")
        setup = state(pilot).setup
        assert setup.named == "B2=rolled"
        assert setup.rulings["B2"] == "rolled"


async def test_journal_and_rules_are_a_key_away(where: str) -> None:
    keep(where, on_until(a_game(), "lci"))
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "J")
        await until(pilot, JournalPage)
        await press(pilot, "escape", "f1")
        await until(pilot, PageScreen)
        page = "".join(str(part.render()) for part in pilot.app.screen.query(".summary-part"))
        assert "NOW: INFANTRY LANDING" in page
        assert "B39 Squads in a landing" in page
        await press(pilot, "escape")
        await until(pilot, PlayScreen)


async def test_advice_names_the_choices_and_what_each_should_cost(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    advising = advice.advising
    monkeypatch.setattr(advice, "advising", lambda state: advising(state, games=60))
    keep(where, on_until(a_game(), "lcs"))
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "w")
        await wait_for(pilot, "beside", "played 60")
        assert "WHAT THE PROGRAM WOULD DO" in shown(pilot, "beside")
        assert "the bunkers" in shown(pilot, "beside")
        assert "the walls" in shown(pilot, "beside")
        await press(pilot, "6")  # whoever goes on has the ladder back
        assert "Combat engineers" in shown(pilot, "beside")


async def test_a_choice_is_made_by_mouse(where: str) -> None:
    keep(where, on_until(a_game(), "lcs"))
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        lines = shown(pilot, "board").splitlines()
        row = next(at for at, line in enumerate(lines) if "Bunkers" in line)
        await pilot.click("#board", offset=(6, row))
        await eventually(pilot, lambda: state(pilot).roll is not None)


async def test_the_hand_leaves_the_turn_its_rows(where: str) -> None:
    play = on_until(a_game(Go(), cards=DECK), "frogman")
    keep(where, play)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        for card in play.state.hand:
            assert play.state.setup.ruleset.card_of(card).name in shown(pilot, "asked")
        assert pilot.app.screen.query_one("#asked-room").size.height <= 9


# ------------------------------------------------------------------ pictures

Steps = Callable[[Pilot[None]], Awaitable[None]]


async def a_roll(pilot: Pilot[None]) -> None:
    await resume(pilot)
    await press(pilot, "space", "6", "6")


async def a_choice(pilot: Pilot[None]) -> None:
    await resume(pilot)
    await press(pilot, "space")


@pytest.mark.parametrize("size", [NARROW, WIDE], ids=["80x24", "120x40"])
@pytest.mark.parametrize("steps", [a_roll, a_choice])
def test_the_game_looks_as_it_did(
    steps: Steps,
    size: tuple[int, int],
    where: str,
    snap_compare: Callable[..., bool],
) -> None:
    keep(where, on_until(a_game(Go(), cards=DECK), "lct"))
    assert snap_compare(the_app(where), terminal_size=size, run_before=steps)
