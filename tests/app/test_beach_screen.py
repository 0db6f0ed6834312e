"""A game of Beach Head at the keyboard: a turn by Space, cards, choices, undo, resume, the end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import msgspec
import pytest
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
    eventually,
    press,
    shown,
    the_app,
    until,
    wait_for,
)
from textual.pilot import Pilot
from textual.widgets import OptionList

from skirmish.app.beach import screen as beach
from skirmish.app.beach.home_screen import BeachHome
from skirmish.app.beach.journal_screen import BeachJournal
from skirmish.app.beach.prompt import Draft
from skirmish.app.beach.rules_screen import BeachRules
from skirmish.app.beach.scores_screen import ScoresScreen
from skirmish.app.beach.scores_words import scores_told
from skirmish.app.beach.screen import BeachScreen
from skirmish.app.beach.setup_screen import BeachSetup
from skirmish.app.beach.table import hand, table
from skirmish.app.home import HomeScreen
from skirmish.games.beach_head.advice import advising
from skirmish.games.beach_head.agenda import CardsAsk, DiceAsk, TargetAsk, TrimAsk
from skirmish.games.beach_head.manual import signs
from skirmish.games.beach_head.orders import Choose, Go, Show
from skirmish.games.beach_head.policies_cards import uses
from skirmish.games.beach_head.record import scribe
from skirmish.games.beach_head.scores import Score, Table
from skirmish.games.beach_head.telling import draw_on
from skirmish.store.desk import Store
from skirmish.tabletop.chance import pack
from skirmish.tabletop.typed import plain


async def resume(pilot: Pilot[None]) -> None:
    await battles_listed(pilot)
    await press(pilot, "enter")
    await until(pilot, BeachScreen)


async def test_a_turn_goes_by_space_and_stops_only_where_one_must_choose(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await land(pilot)
        spaces = choices = 0
        while state(pilot).turn <= 1:
            ask = state(pilot).ask
            if isinstance(ask, TargetAsk):
                await press(pilot, "6")
                choices += 1
            elif isinstance(ask, TrimAsk):
                break
            else:
                await press(pilot, "space")
                spaces += 1
        assert (spaces, choices) == (16, 3)
        assert "Destroyers" in shown(pilot, "ladder")
        assert "from turn 20" in shown(pilot, "ladder")


async def test_the_sum_on_the_table_is_shown_term_by_term(where: str) -> None:
    keep(where, on_until(a_game(), "lci"))
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        faces = state(pilot).roll.faces  # type: ignore[union-attr]
        dice = " ".join(f"[{face}]" for face in faces)
        assert f"{dice}  -1 tank traps  = {sum(faces) - 1}" in shown(pilot, "table")
        assert f"→ {sum(faces) - 1} squads land" in shown(pilot, "table")


async def test_a_card_changes_the_die_and_undo_gives_it_back(where: str) -> None:
    keep(where, on_until(a_game(Go(), cards=DECK), "frogman"))
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        before = state(pilot)
        assert "[6]" in shown(pilot, "table")
        await press(pilot, "8")
        assert "[6]  -1 cards  = 5" in shown(pilot, "table")
        await press(pilot, "8")
        assert "You hold no Smoke (8)" in shown(pilot, "table")
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
        await until(pilot, BeachScreen)
        await press(pilot, "g", "g")
        assert isinstance(state(pilot).ask, TargetAsk)
        await press(pilot, "6", "g")
        assert state(pilot).now.side == "german"
        assert uses(state(pilot))
        await press(pilot, "escape", "down", "enter")
        await until(pilot, BeachScreen)
        await press(pilot, "g")
        assert isinstance(state(pilot).ask, TargetAsk)
        await press(pilot, "6", "g")
        assert state(pilot).now.side == "allied"
        assert isinstance(state(pilot).ask, TargetAsk)


async def test_the_help_lists_only_what_belongs_here(where: str) -> None:
    keep(where, a_game(Go()))
    async with the_app(where).run_test(size=WIDE) as pilot:
        await resume(pilot)
        await press(pilot, "question_mark")
        page = "".join(str(part.render()) for part in pilot.app.screen.query("Static"))
        assert "Space" in page
        for strange in ("weapon", "High scores", "another game"):
            assert strange not in page


async def test_targets_are_marked_where_they_lie(where: str) -> None:
    play = on_until(a_game(), "lcs")
    keep(where, play)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        lines = shown(pilot, "shore").splitlines()
        marked = [line.split()[:2] for line in lines if line.strip()[:1].isdigit()]
        assert [one for one in marked if len(one[0]) == 1] == [["4", "Walls"], ["6", "Bunkers"]]
        await press(pilot, "7")
        assert "4 walls, 6 bunkers" in shown(pilot, "table")
        await press(pilot, "4")
        assert state(pilot).roll is not None


async def test_a_game_goes_on_where_it_was_left(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await land(pilot, *["down"] * 4, "left")
        await press(pilot, "space", "space", "g")
        left = state(pilot)
        await press(pilot, "q")
        await until(pilot, BeachHome)
        games = pilot.app.screen.query_one("#games", OptionList)
        await eventually(pilot, lambda: games.option_count == 2)
        await press(pilot, "down", "enter")
        await until(pilot, BeachScreen)
        assert state(pilot) == left
        await press(pilot, "H")
        await until(pilot, HomeScreen)
        await resume(pilot)
        assert state(pilot) == left


async def test_own_dice_are_typed_as_digits(where: str) -> None:
    keep(where, a_game(Go(), dice=OWN_DICE))
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        assert isinstance(state(pilot).ask, DiceAsk)
        await press(pilot, "4", "space", "6", "2")
        assert "[6] [2] [ ]" in shown(pilot, "table")
        await press(pilot, "backspace", "5", "7")
        assert "A die shows 1 to 6" in shown(pilot, "table")
        await press(pilot, "1")  # without cards they count at once
        assert state(pilot).squads == 11
        await press(pilot, "u")
        assert isinstance(state(pilot).ask, DiceAsk)
        assert state(pilot).squads == 0


async def test_own_cards_are_typed_small_or_in_capitals(where: str) -> None:
    keep(where, a_game(Go(), cards=OWN_DECK))
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        assert isinstance(state(pilot).ask, CardsAsk)
        await press(pilot, *"7Q0JAk2")
        assert signs(state(pilot).hand) == "7 Q 10 J A K 2"


async def test_a_game_that_another_program_plays_on_is_shown_as_it_stands_now(where: str) -> None:
    play = on_until(a_game(Go()), "lci")
    keep(where, play)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        entry = play.consider(Go())
        with Store.open(where) as store:
            written = scribe.written(entry)
            store.append(1, entry.number, entry.kind, *written, headline="elsewhere", over=False)
        await press(pilot, "space")
        assert state(pilot) == play.after(entry)
        said = " ".join(shown(pilot, "table").split())
        assert "Another program has continued this game. You see it as it stands now" in said
        assert "battle" not in said


async def test_a_slip_while_cards_are_typed_costs_that_card_and_nothing_else(where: str) -> None:
    keep(where, a_game(Go(), cards=OWN_DECK))
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        before = state(pilot)
        await press(pilot, *"77771")
        assert "0 for a ten" in shown(pilot, "table")
        assert "7 7 7 7 _ _ _" in shown(pilot, "table")
        await press(pilot, *["backspace"] * 5)
        assert state(pilot) == before  # nothing is left to take off, and no step was taken back
        assert "nothing typed" in shown(pilot, "table")
        await press(pilot, *"7Q0JAk2")
        assert len(state(pilot).hand) == 7


def test_a_deck_that_runs_out_is_told_before_it_does() -> None:
    play = a_game(Go(), cards=OWN_DECK)
    gone = tuple(pack()[:51])
    assert play.state.deck is not None
    deck = msgspec.structs.replace(play.state.deck, gone=gone)
    few = msgspec.structs.replace(
        play.state, deck=deck, hand=gone[:4], discard=gone[4:], ask=CardsAsk(count=1)
    )
    assert draw_on(few) == (
        "One card is left: draw it and type its rank, then shuffle the discards and draw 2 more."
    )
    assert draw_on(few) in table(few, Draft())[1].plain
    after = msgspec.structs.replace(
        few, deck=msgspec.structs.replace(deck, gone=gone[:4]), discard=(), ask=CardsAsk(count=3)
    )
    assert draw_on(after) == "Shuffle the discards, then draw 3 cards and type their ranks."
    assert not draw_on(play.state)


def test_high_scores_stand_below_their_heads() -> None:
    score = Score(
        casualties=41, turns=9, alive=12, table=Table("normandy", "printed"), player="Ann",
        ended=LONG_AGO,
    )  # fmt: skip
    _, head, row = scores_told([score], 10).plain.splitlines()
    assert head.split() == ["lost", "turns", "alive", "player", "date"]
    for word, value in (("lost", "41"), ("turns", "9"), ("alive", "12")):
        assert head.index(word) + len(word) == row.index(value) + len(value)
    for word, value in (("player", "Ann"), ("date", "2026-06-06")):
        assert head.index(word) == row.index(value)


async def test_cards_are_marked_and_thrown_off_at_the_end(where: str) -> None:
    play = a_game(Go(), cards=DECK)
    while play.state.phase != "end":
        ask = play.state.ask
        target = isinstance(ask, TargetAsk)
        play.accept(play.consider(Choose(target="bunkers") if target else Go()))
    keep(where, play)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "6", "7", "8", "space")
        assert "Mark 1 card more" in shown(pilot, "table")
        await press(pilot, "j", "j", "q", "space")
        assert state(pilot).turn == 2
        assert [card.rank for card in state(pilot).discard] == [6, 7, 8, 12]


async def test_the_end_tells_the_score_and_its_place(where: str) -> None:
    keep(where, nearly_won())
    won = nearly_won(player="Ann")
    won.accept(won.consider(Show(faces=(6,))))
    keep(where, won)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await battles_listed(pilot, 2)
        await press(pilot, "down", "enter")
        await until(pilot, BeachScreen)
        await press(pilot, "6")
        await wait_for(pilot, "log", "Place 1 of 2 games: Normandy")
        await wait_for(pilot, "log", "10,000 games")
        assert "THE BEACH IS TAKEN" in shown(pilot, "table")
        await press(pilot, "S")
        await until(pilot, ScoresScreen)
        await wait_for(pilot, "scores", "NORMANDY, AS PRINTED, WITHOUT CARDS")
        assert shown(pilot, "scores").count(str(won.state.casualties)) >= 2
        await press(pilot, "escape", "u")
        assert not state(pilot).over
        with Store.open(where) as store:
            assert sum(one.over for one in store.battles()) == 1


@pytest.mark.parametrize("name", HOSTILE)
async def test_a_players_name_is_shown_as_it_was_typed(name: str, where: str) -> None:
    keep(where, a_game(Go(), player=name))
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        clock = shown(pilot, "clock")
        assert "TURN 1" in clock
        assert plain(name)[:10] in clock


async def test_set_up_chooses_beach_reading_and_name(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await until(pilot, HomeScreen)
        await press(pilot, "b")
        await until(pilot, BeachHome)
        await press(pilot, "enter")
        await until(pilot, BeachSetup)
        await press(pilot, "right", "down", "right", *["down"] * 4, "enter")
        await press(pilot, *"Ada", "enter")
        await press(pilot, "b")
        await until(pilot, BeachScreen)
        setup = state(pilot).setup
        assert (setup.variant, setup.reading, setup.player) == ("omaha", "draft_1d6", "Ada")
        assert "Ditches" not in shown(pilot, "shore")
    with Store.open(where) as store:
        assert [one.title for one in store.battles()] == ["Beach Head, Omaha: Ada"]


async def test_a_switch_makes_the_reading_the_players_own(where: str) -> None:
    async with the_app(where).run_test(size=NARROW) as pilot:
        await land(pilot, *["down"] * 2, "enter", "down", "right")
        setup = state(pilot).setup
        assert setup.reading == "B2=rolled"
        assert setup.rulings["B2"] == "rolled"


async def test_journal_and_rules_are_a_key_away(where: str) -> None:
    keep(where, on_until(a_game(), "lci"))
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "J")
        await until(pilot, BeachJournal)
        await press(pilot, "escape", "f1")
        await until(pilot, BeachRules)
        page = "".join(str(part.render()) for part in pilot.app.screen.query(".summary-part"))
        assert "NOW: INFANTRY LANDING" in page
        assert "B39 Squads in a landing" in page
        await press(pilot, "escape")
        await until(pilot, BeachScreen)


async def test_advice_names_the_choices_and_what_each_should_cost(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beach, "_advising", lambda state: advising(state, games=60))
    keep(where, on_until(a_game(), "lcs"))
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "w")
        await wait_for(pilot, "ladder", "The program played 60")
        assert "WHAT WOULD YOU DO?" in shown(pilot, "ladder")
        assert "the bunkers" in shown(pilot, "ladder")
        assert "the walls" in shown(pilot, "ladder")
        await press(pilot, "6")  # whoever goes on has the ladder back
        assert "Combat engineers" in shown(pilot, "ladder")


async def test_a_choice_is_made_by_mouse(where: str) -> None:
    keep(where, on_until(a_game(), "lcs"))
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        lines = shown(pilot, "shore").splitlines()
        row = next(at for at, line in enumerate(lines) if "Bunkers" in line)
        await pilot.click("#shore", offset=(6, row))
        await eventually(pilot, lambda: state(pilot).roll is not None)


def test_a_large_hand_is_told_without_the_uses_of_its_cards() -> None:
    """Generals bring more cards than have room for their names; the ladder keeps its rows."""
    state = a_game(Go(), cards=DECK).state
    full = msgspec.structs.replace(state, hand=pack()[:20])
    lines = hand(full, Draft(), 78, 4)
    assert len(lines) <= 4
    assert sum(len(line.plain.split()) for line in lines) == len(full.hand) + 1
    assert "Sharpshooter -2" in "".join(line.plain for line in hand(state, Draft(), 78, 4))


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
