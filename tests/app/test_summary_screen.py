"""The summary of a battle on the screen: right in the middle of it and after its end."""

from __future__ import annotations

import pytest
from steps import CARDS, MIXED, NARROW, WIDE, fought, keep, press, resume, the_app, until
from textual.color import Color
from textual.containers import VerticalScroll
from textual.content import Content
from textual.pilot import Pilot
from textual.widgets import Static

from skirmish import library
from skirmish.app.battle.screen import BattleScreen
from skirmish.app.battle.summary import SummaryScreen
from skirmish.app.line_list import LineList
from skirmish.app.page_view import painted
from skirmish.app.play import journal_cursor
from skirmish.app.play.journal_page import JournalPage
from skirmish.app.play.questions import QuestionScreen
from skirmish.games.plastic.battle.army_opening import from_armies
from skirmish.games.plastic.battle.orders import (
    ChooseCasualties,
    Correct,
    EndTurn,
    Finish,
    Fire,
    Show,
)
from skirmish.games.plastic.casualties import casualty_strip
from skirmish.games.plastic.rules.army import ArmyList, muster
from skirmish.games.plastic.side_tables import kills, losses_by_turn
from skirmish.games.plastic.summary import Kills, RepeatChain, SideSummary, Summary, TurnLoss
from skirmish.tabletop.chance import parse_card
from skirmish.tabletop.page import Block, Page

GUNS = "polish/rearguard/machinegun"
MEN = "german/column/rifle"
HIT = (Fire(shooter=GUNS, target=MEN), Show((parse_card("4h"),)), ChooseCasualties())
LOST_BY_HAND = Correct(row="german/column/truck", by=-1)
"""One rifleman shot, and a truck written off."""


def page(pilot: Pilot[None]) -> str:
    """All that the summary says, whether in sight or not."""
    parts = pilot.app.screen.query(".summary-part").results(Static)
    return "\n".join(str(part.render()) for part in parts)


def row(text: str, name: str, after: str = "") -> list[str]:
    """The cells of the first line that begins with a name, behind a heading."""
    below = text[text.index(after) :].splitlines()
    found = next(line for line in below if line.strip().startswith(name))
    return found.strip().removeprefix(name).split()


async def open_summary(pilot: Pilot[None]) -> str:
    await resume(pilot)
    await press(pilot, "Y")
    await until(pilot, SummaryScreen)
    return page(pilot)


async def test_one_question_at_a_time_leads_to_the_same_summary(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, "f2")
        await until(pilot, QuestionScreen)
        await press(pilot, "Y")
        await until(pilot, SummaryScreen)
        await press(pilot, "Y")
        await until(pilot, QuestionScreen)


async def test_in_the_middle_of_a_battle_it_says_how_it_stands_so_far(where: str) -> None:
    fought(where, *HIT, LOST_BY_HAND)
    async with the_app(where).run_test(size=NARROW) as pilot:
        text = await open_summary(pilot)
        assert text.startswith("IN PROGRESS, TURN 1\n")
        assert row(text, "Strength lost")[0] == "6"  # a rifleman, and a model that counts 5
        assert row(text, "Shots, hits")[:2] == ["0,", "0"]
        assert row(text, "Rifle Guy", "GERMANS  ") == ["23", "1", "–", "22", "1", "1"]
        assert row(text, "Machinegun Guy", "KILLED BY POLES")[:6] == ["1", "1", "1", "–", "1", "1"]
        await press(pilot, "escape")
        await until(pilot, BattleScreen)


async def test_poles_and_germans_are_in_their_own_colours(where: str) -> None:
    fought(where, *HIT)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await open_summary(pilot)
        styles = set()
        for part in pilot.app.screen.query(".summary-part").results(Static):
            said = part.content
            assert isinstance(said, Content)
            styles |= {str(span.style).removeprefix("bold ") for span in said.spans}
        assert {"$side-german", "$side-polish"} <= styles
        assert not styles & {"$side-first", "$side-second"}


@pytest.mark.parametrize(("size", "side_by_side"), [(WIDE, False), ((200, 60), True)])
async def test_on_a_very_large_screen_both_sides_stand_beside_one_another(
    where: str, size: tuple[int, int], side_by_side: bool
) -> None:
    fought(where, *HIT)
    async with the_app(where).run_test(size=size) as pilot:
        text = await open_summary(pilot)
        heads = [line for line in text.splitlines() if line.startswith("GERMANS  ")]
        assert len(heads) == 1
        assert ("POLES  " in heads[0]) == side_by_side


async def test_corrections_stand_apart_from_what_was_shot(where: str) -> None:
    fought(where, *HIT, LOST_BY_HAND)
    async with the_app(where).run_test(size=NARROW) as pilot:
        text = await open_summary(pilot)
        heading = row(text, "Unit", "GERMANS  ")
        assert heading[:4] == ["Had", "Lost", "By", "hand"]
        assert row(text, "Truck", "GERMANS  ") == ["2", "1", "1", "1", "5", "6"]
        assert row(text, "Rifle Guy", "GERMANS  ")[2] == "–"
        assert "Truck" not in text[text.index("KILLED BY POLES") :]


async def test_without_corrections_there_is_no_column_for_them(where: str) -> None:
    fought(where, *HIT)
    async with the_app(where).run_test(size=NARROW) as pilot:
        assert "By hand" not in await open_summary(pilot)


async def test_after_the_end_it_says_who_won_and_why(where: str) -> None:
    fought(where, *HIT, EndTurn(), Finish(winner="polish", reason="The [/b] Germans gave up."))
    async with the_app(where).run_test(size=NARROW) as pilot:
        text = await open_summary(pilot)
        assert text.startswith("WINNER: POLES\nIn turn 1. The [/b] Germans gave up.")


async def test_what_is_taken_back_is_counted_out_when_it_is_opened_again(where: str) -> None:
    fought(where, *HIT)
    async with the_app(where).run_test(size=NARROW) as pilot:
        assert row(await open_summary(pilot), "Strength lost")[0] == "1"
        await press(pilot, "escape")
        await until(pilot, BattleScreen)
        for _ in HIT:
            await press(pilot, "backspace")
            await pilot.app.workers.wait_for_complete()
        await press(pilot, "Y")
        await until(pilot, SummaryScreen)
        text = page(pilot)
        assert row(text, "Strength lost")[0] == "0"
        assert text.count("No shots fired.") == 2
        assert "Nothing was lost." in text


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_the_page_fits_and_scrolls_to_its_end(where: str, size: tuple[int, int]) -> None:
    fought(where, *HIT, LOST_BY_HAND)
    async with the_app(where).run_test(size=size) as pilot:
        text = await open_summary(pilot)
        assert max(map(len, text.splitlines())) <= size[0] - 5
        window = pilot.app.screen.query_one(VerticalScroll)
        assert window.scroll_y == 0
        await press(pilot, "end")
        assert window.scroll_y == window.max_scroll_y
        await press(pilot, "home")
        assert window.scroll_y == 0
        await press(pilot, "space")
        assert window.scroll_y == min(window.max_scroll_y, window.size.height - 1)


@pytest.mark.parametrize("name", MIXED, ids=range(len(MIXED)))
async def test_names_that_people_type_are_shown_as_they_are(where: str, name: str) -> None:
    catalog, book = library.catalog(), library.rulings()
    lists = [ArmyList(name=called, units={"rifle": 60}) for called in (name, "Blues")]
    one, other = (muster(army, catalog, book) for army in lists)
    keep(where, from_armies(one, other, book, sources=(CARDS, CARDS)))
    async with the_app(where).run_test(size=NARROW) as pilot:
        text = await open_summary(pilot)
        assert name[:8].upper() in text
        assert row(text, "Broken at") == ["30", "30"]


# ------------------------------------------------------------------ the page by itself


def a_side(side: str, **found: object) -> SideSummary:
    nothing = dict.fromkeys(
        (
            "strength",
            "loss",
            "break_at",
            "points",
            "exited",
            "exit_value",
            "shots",
            "hits",
            "broke",
        ),
        0,
    )
    tables = dict.fromkeys(("losses", "by_unit", "by_weapon", "by_piece"), ())
    known = {"side": side, "name": side, "people": f"{side.capitalize()}s"}
    return SideSummary(**{**known, **nothing, **tables, **found})  # type: ignore[arg-type]


def a_summary(**found: object) -> Summary:
    usual: dict[str, object] = {
        "title": "A fight",
        "scenario": None,
        "over": True,
        "winner": None,
        "reason": "",
        "turn": 3,
        "sides": (a_side("red"), a_side("blue")),
        "turns": (),
        "chain": None,
    }
    return Summary(**{**usual, **found})  # type: ignore[arg-type]


def turns(*losses: tuple[int, int]) -> tuple[TurnLoss, ...]:
    return tuple(
        TurnLoss(turn=n, pieces={}, pdg={"red": one, "blue": other})
        for n, (one, other) in enumerate(losses, 1)
    )


def shown_page(*blocks: Block, width: int = 74) -> str:
    return painted(Page("", blocks), width).plain


def test_the_chart_has_a_line_for_each_turn_and_a_block_for_each_loss() -> None:
    found = a_summary(turns=turns((3, 1), (0, 0), (1, 5)))
    chart = shown_page(*losses_by_turn(found), width=60).splitlines()
    assert [line.count("█") for line in chart[2:]] == [4, 0, 6]
    left = [line.index(f" {n} ") for n, line in enumerate(chart[2:], 1)]
    assert len(set(left)) == 1  # the numbers of the turns stand one under the other
    first, _, third = chart[2:]
    assert first.split() == ["3", "███", "1", "█", "1"]
    assert third.split() == ["1", "█", "3", "█████", "5"]


def test_a_long_bar_is_drawn_to_scale_and_no_loss_disappears() -> None:
    width = 40
    found = a_summary(turns=turns((100, 1), (50, 2)))
    chart = shown_page(*losses_by_turn(found), width=width).splitlines()
    assert "█ is 8" in chart[-1]
    assert max(map(len, chart)) <= width
    blocks = [line.count("█") for line in chart[2:4]]
    assert blocks == [12, 6]
    assert chart[2].count("▌") == chart[3].count("▌") == 1
    assert [line.count("▐") for line in chart[2:4]] == [1, 1]


def test_the_longest_chain_names_who_and_how_many() -> None:
    chain = RepeatChain(side="blue", name="Machinegun M2", hits=5, turn=7)
    fired = (Kills(name="Machinegun", shots=5, hits=5, guys=5, pdg=5),)
    sides = a_side("red"), a_side("blue", by_weapon=fired)
    text = shown_page(*kills(a_summary(chain=chain, sides=sides), 1))
    assert text.splitlines()[-1] == "Longest run: 5 hits in a row by Machinegun M2 in turn 7."


def test_kills_are_told_by_unit_by_weapon_and_by_the_best_single_shooters() -> None:
    best = tuple(Kills(name=f"Rifle R{n}", shots=1, hits=1, guys=1) for n in range(1, 9))
    side = a_side(
        "red",
        by_unit=(Kills(name="Rifle Guy", shots=20, hits=8, guys=8, pdg=8, points=9),),
        by_weapon=(Kills(name="Rifle", shots=20, hits=8, guys=8, pdg=8, points=9),),
        by_piece=best,
    )
    text = shown_page(*kills(a_summary(sides=(side, a_side("blue"))), 0, in_summary=True))
    assert row(text, "Rifle Guy")[:6] == ["20", "8", "8", "–", "9", "8"]
    assert row(text, "Rifle ", "With")[:6] == ["20", "8", "8", "–", "9", "8"]
    named = text[text.index("Best") :].splitlines()[1:]
    assert [line.split()[1] for line in named] == ["R1", "R2", "R3", "R4", "R5"]


async def test_enter_on_a_loss_of_the_strip_opens_its_line_of_the_journal(where: str) -> None:
    fought(where, *HIT, LOST_BY_HAND)
    async with the_app(where).run_test(size=WIDE) as pilot:
        await open_summary(pilot)
        await press(pilot, "right")
        assert "Turn 1, Germans: R" in page(pilot)
        # Whoever fell, the defender may have chosen him: he was lost to the shot, not hit by it.
        assert "was lost to M" in page(pilot)
        await press(pilot, "enter")
        await until(pilot, JournalPage)
        line = pilot.app.screen.query_one(LineList)
        battle = pilot.app.screen_stack[1]
        assert isinstance(battle, BattleScreen)
        (loss, *_) = casualty_strip(battle.session.play).in_order
        lines = battle.game.journal(battle.session.play)
        (chosen,) = (line for line in lines if loss.entry in line.entry_numbers)
        assert line.chosen == str(chosen.number)
        await press(pilot, "escape")
        await until(pilot, SummaryScreen)


async def test_losses_of_the_strip_have_the_colour_of_their_side(where: str) -> None:
    """Though they can be clicked: what is clicked has a colour of its own elsewhere."""
    fought(where, *HIT, LOST_BY_HAND)
    async with the_app(where).run_test(size=WIDE) as pilot:
        await open_summary(pilot)
        colours = set()
        for part in pilot.app.screen.query(".summary-part").results(Static):
            for row in range(part.size.height):
                for segment in part.render_line(row):
                    if segment.style is not None and segment.style.meta.get("@click"):
                        assert segment.style.color is not None
                        colours.add(segment.style.color.name)
        assert colours
        german = Color.parse(pilot.app.theme_variables["side-german"])
        assert colours == {german.hex.lower()}


async def test_a_loss_too_far_back_for_the_cursor_is_shown_in_the_whole_journal(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_cursor, "CURSOR_REACH", 1)
    fought(where, *HIT, LOST_BY_HAND)
    async with the_app(where).run_test(size=WIDE) as pilot:
        await resume(pilot)
        battle = pilot.app.screen
        assert isinstance(battle, BattleScreen)
        (loss, *_) = casualty_strip(battle.session.play).in_order
        await battle.action_look(loss.entry)
        await until(pilot, JournalPage)
