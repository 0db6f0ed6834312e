"""What a table needs beside shots: pins in sight, the map, a friend who arrives, nothing hidden
while there is room or told twice."""

from __future__ import annotations

import pytest
from steps import (
    DECK,
    NARROW,
    WIDE,
    a_scenario,
    fought,
    keep,
    open_page,
    press,
    resume,
    shown,
    state,
    the_app,
    until,
)
from textual.pilot import Pilot
from textual.widgets import OptionList, Static

from skirmish import library
from skirmish.app.battle.forces import SidePanel
from skirmish.app.battle.screen import BattleScreen
from skirmish.app.help import HelpScreen
from skirmish.app.play.big_letters import (
    Enlarge,
    card_picture,
    card_size,
    high_framed_letters,
    high_letters,
    huge_framed_letters,
    largest,
    low_framed_letters,
    low_letters,
    painted_word,
)
from skirmish.app.play.questions import QuestionScreen
from skirmish.app.scenarios.browser import ScenarioBrowser
from skirmish.games.plastic.battle.army_opening import from_armies
from skirmish.games.plastic.battle.orders import MarkPinned, Switch
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.rules.army import ArmyList, muster
from skirmish.tabletop.chance import Draw

PINNING = Switch(option="pinning", on=True)
RIFLES = "german/column/rifle"


def panels(pilot: Pilot[None]) -> str:
    return "\n".join(str(panel.render()) for panel in pilot.app.screen.query(SidePanel))


async def test_a_pin_is_marked_on_its_row_and_taken_off_by_hand(where: str) -> None:
    fought(where, PINNING, MarkPinned(RIFLES))
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        assert "PINNED" in panels(pilot)
        await press(pilot, "asterisk", "r")
        assert "PINNED" not in panels(pilot)
        await press(pilot, "asterisk", "r", "greater_than_sign")
        assert "PINNED" not in panels(pilot)


async def test_the_map_opens_and_closes_with_one_key(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "f8")
        await until(pilot, ScenarioBrowser)
        assert open_page(pilot) == "Map"
        await press(pilot, "b", "enter")  # no second battle begins from here
        assert isinstance(pilot.app.screen, ScenarioBrowser)
        await press(pilot, "f8")
        await until(pilot, BattleScreen)


async def test_losses_take_a_letter_of_either_side(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "minus", "c")  # only the Poles have a cannon
        assert list(state(pilot).lost) == ["polish:C1"]
        await press(pilot, "plus", "c")
        assert not state(pilot).lost


async def test_a_friend_brings_a_new_kind_of_unit(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "plus", "2", "enter")
        assert "Tiger" in shown(pilot, "asked")
        await press(pilot, "i")
        added = [row for row in rows(state(pilot), "german") if row.unit.id == "tiger"]
        assert [(row.letter, row.total) for row in added] == [("i", 2)]
        assert "Tiger" in panels(pilot)


async def test_a_commander_gets_another_name(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "I", "1", "7", *"Anna", "enter")
        assert state(pilot).setup.sides[0].player == "Anna"


async def test_no_row_is_hidden_while_lines_below_are_empty(where: str) -> None:
    keep(where, a_scenario(10, DECK))
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        assert pilot.app.screen.query_one("#board-room").max_scroll_y == 0
        assert "Landing Craft" in panels(pilot)


async def test_a_list_does_not_stay_scrolled(where: str) -> None:
    keep(where, a_scenario(10, DECK))
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        top = panels(pilot)
        await press(pilot, "minus", "n", "backspace")
        assert panels(pilot) == top


async def test_what_the_titles_tell_is_not_told_again_below(where: str) -> None:
    listed = ArmyList(name="Ziegler", units={"rifle": 60})
    army = muster(listed, library.catalog(), library.rulings())
    keep(where, from_armies(army, army, library.rulings(), sources=(DECK, DECK)))
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        assert "breaks at 30" in panels(pilot)
        assert "30" not in shown(pilot, "situation")


async def test_help_says_first_what_can_be_done_now(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=WIDE) as pilot:
        await resume(pilot)
        await press(pilot, "question_mark")
        await until(pilot, HelpScreen)
        said = "\n".join(str(part.render()) for part in pilot.app.screen.query(Static))
        now, later = said.index("YOU CAN DO THIS NOW"), said.index("CORRECTIONS")
        assert now < said.index("End this player turn") < later
        assert later < said.index("A volley: 15rr8")


async def test_while_a_shot_is_judged_again_the_old_verdict_is_gone(where: str) -> None:
    fought(where, source=DECK)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "c", "t", "space")
        assert pilot.app.screen.query_one("#verdict").display
        await press(pilot, "tab")
        assert not pilot.app.screen.query_one("#verdict").display


@pytest.mark.parametrize("letters", [low_letters, high_letters])
def test_a_hit_and_a_miss_differ_in_shape_and_colour(letters: object) -> None:
    assert callable(letters)
    hit, miss = painted_word(letters("HIT"), "good"), painted_word(letters("MISS"), "quiet")
    assert all("reverse" in str(span.style) for span in hit.spans)
    assert not any("reverse" in str(span.style) for span in miss.spans)
    assert {str(span.style) for span in hit.spans}.isdisjoint(
        str(span.style) for span in miss.spans
    )


@pytest.mark.parametrize(
    ("letters", "rows"),
    [(low_framed_letters, 4), (high_framed_letters, 7), (huge_framed_letters, 11)],
)
def test_a_block_has_a_rim_on_all_sides(letters: Enlarge, rows: int) -> None:
    lines = letters("HIT").split("\n")
    assert len(lines) == rows
    assert not lines[0].strip(" ▄")  # what of a letter begins there is its lower half
    assert not lines[-1].strip(" ▀")
    assert all(line.startswith("  ") and line.endswith("  ") for line in lines)


@pytest.mark.parametrize("large", [False, True])
def test_the_card_is_drawn_with_rank_and_suit_in_both_corners(large: bool) -> None:
    card = card_picture(Draw(12, "H"), large=large)
    size = card_size(large=large)
    lines = card.plain.split("\n")
    assert [len(line) for line in lines] == [size.width] * size.height
    assert (card.plain.count("Q"), card.plain.count("♥")) == (2, 3)
    roll = card_picture(Draw(10), large=large).plain
    assert "10" in roll
    assert "roll" in roll


async def test_on_a_tall_screen_the_card_lies_beside_the_word_and_on_a_low_one_not(
    where: str,
) -> None:
    fought(where, source=DECK)
    for size, is_shown in ((NARROW, False), ((120, 40), True)):
        async with the_app(where).run_test(size=size) as pilot:
            await resume(pilot)
            await press(pilot, "c", "t", "space")
            word = pilot.app.screen.query_one("#word")
            if is_shown:
                card = pilot.app.screen.query_one("#card")
                assert card.display
                assert card.size.height == word.size.height == 7
            else:  # it costs a low screen nothing
                assert not pilot.app.screen.query("#card")
            await press(pilot, "backspace")


@pytest.mark.parametrize("width", [76, 116])
def test_large_words_never_wrap(width: int) -> None:
    for word in (
        "GERMANS FIRE",
        "AMERICANS WIN",
        "NOT PINNED",
        "WHICH WEAPON?",
        "MORE THAN 9 IN 10",
    ):
        picture = largest(word, width - 5, (high_letters, low_letters))
        assert max(map(len, picture.splitlines())) <= width - 5


async def test_nothing_is_cut_in_the_one_question_mode(where: str) -> None:
    fought(where, source=DECK)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "m", "r", "space", "escape", "f2")
        await until(pilot, QuestionScreen)
        answers = pilot.app.screen.query_one("#answers", OptionList).options
        assert not [one for one in answers if "…" in str(one.prompt)]
