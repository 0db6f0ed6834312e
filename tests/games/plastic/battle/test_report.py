"""The report of a battle: told by player turns, honest, harmless, and silent about secrets."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

import pytest
from deep import deep_every
from stage import Table, armies, play_on, scenario

from skirmish.games.plastic.battle.events import enveloped
from skirmish.games.plastic.battle.lines import lines
from skirmish.games.plastic.battle.orders import (
    AddNote,
    EndPhase,
    EndTurn,
    Finish,
    Seal,
    SetClock,
    Unseal,
)
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.journal_chapters import chapters
from skirmish.games.plastic.report import report_page
from skirmish.tabletop import page_markdown, page_text
from skirmish.tabletop.chance import Source
from skirmish.tabletop.text_width import WIDTH

DATE = "1 May 2026"
SECRET = "The hidden gun stands behind the mill"
DECKS = (Source("deck", seed=8), Source("deck", seed=9))
Report = Callable[[BattlePlay, str], str]


def as_text(play: BattlePlay, date: str) -> str:
    return page_text.as_text(report_page(play, date))


def as_markdown(play: BattlePlay, date: str) -> str:
    return page_markdown.as_markdown(report_page(play, date))


@pytest.fixture(params=[as_text, as_markdown], ids=["text", "markdown"])
def report(request: pytest.FixtureRequest) -> Report:
    told: Report = request.param
    return told


def in_order(text: str, *parts: str) -> None:
    at = 0
    for part in parts:
        assert part in text[at:], part
        at = text.index(part, at) + len(part)


def test_a_report_tells_who_fought_who_won_and_what_happened_turn_by_turn(report: Report) -> None:
    battle = scenario(1)
    battle.fire("rifle", "rifle", "2H", grouped=False)
    battle.order(EndPhase())
    battle.fire("cannon", "rifle", "9H")
    battle.at(2, "german")
    battle.fire("machinegun", "rifle", "10H")
    battle.order(Finish(winner="polish", reason="Supper."))
    in_order(
        report(battle.play, DATE),
        "Overmatched",
        "Fought 1 May 2026",
        "Winner: Poles",
        "Supper.",
        "Germans (Panzergrenadiers",
        "Poles (Polish rearguard)",
        "Strength lost, turn by turn",
        "Killed by Poles",
        "Rifle R1",
        "Luck",
        "Turn 1, Germans to move",
        "Move",
        "Rifle R1 > Rifle, needs A-5: 2H hit. Germans: Rifle -1.",
        "Defensive fire",
        "Cannon C1",
        "Turn 2, Germans to move",
        "Machinegun M1",
    )


def test_what_is_sealed_is_not_told_before_it_is_opened(report: Report) -> None:
    battle = scenario(7)
    battle.order(Seal(side="russian", text=SECRET))
    sealed = report(battle.play, DATE)
    assert re.search("Russians .*seal", sealed)
    assert "mill" not in sealed
    assert enveloped(SECRET) not in sealed
    battle.order(Unseal("russian"))
    assert SECRET in " ".join(report(battle.play, DATE).split())
    battle.undo()
    assert report(battle.play, DATE) == sealed


def test_what_was_undone_or_made_void_is_not_told(report: Report) -> None:
    battle = scenario(1)
    before = report(battle.play, DATE)
    battle.order(AddNote("The dog ate a tank"))
    battle.play.accept(battle.play.possible("void", *lines(battle.play)[-1].entry_numbers))
    battle.order(AddNote("The dog ate another"))
    battle.undo()
    assert report(battle.play, DATE) == before


def test_what_people_typed_is_text_and_never_markup() -> None:
    battle = scenario(1)
    battle.order(AddNote("<b>We *were* [late](http://x)</b> | `so` &amp; \x1b[2J\n# no heading"))
    told = as_markdown(battle.play, DATE)
    assert (
        r"- Note: \<b>We \*were\* \[late\](http://x)\</b> \| \`so\` \&amp; ·\[2J·# no heading"
        in told
    )
    for text in (told, as_text(battle.play, DATE)):
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f]", text)


@pytest.mark.parametrize("line", ["# x", "> x", "- x", "+ x", "1. x", "12) x", "---", "=== "])
def test_a_reason_that_begins_like_markup_is_text(line: str) -> None:
    battle = armies({"rifle": 3}, {"rifle": 3})
    battle.order(Finish(winner=None, reason=line))
    told = as_markdown(battle.play, DATE)
    assert not re.search(rf"^{re.escape(line)}", told, re.MULTILINE)


def test_an_army_named_like_a_heading_is_text() -> None:
    battle = armies({"rifle": 3}, {"rifle": 3})
    told = as_markdown(battle.play, DATE)
    assert told.startswith("# Reds against Blues\n")
    assert told.count("\n# ") == 0


def test_a_battle_that_goes_on_tells_how_it_stands(report: Report) -> None:
    told = " ".join(report(scenario(1).play, DATE).split())
    assert "In progress, turn 1" in told
    assert "Germans need 20 off the table by the end of German turn 11: have 0" in told


def test_player_turns_in_which_nothing_happened_are_left_out(report: Report) -> None:
    battle = scenario(1)
    battle.at(4, "polish")
    battle.order(AddNote("At last."))
    told = report(battle.play, DATE)
    assert "Turn 4, Poles to move" in told
    assert "Turn 3" not in told


def test_a_clock_put_right_is_told_under_its_own_turn() -> None:
    battle = scenario(1)
    battle.order(SetClock(turn=5, side="polish", phase=2))
    battle.order(AddNote("Here."))
    heading, told = [*chapters(battle.play)][-1]
    assert heading == "Turn 5, Poles to move"
    assert told[-1] == (2, "Note: Here.")


@pytest.mark.parametrize("number", deep_every(3, range(11)))
def test_the_report_of_a_random_battle_has_each_line_of_its_journal_once(number: int) -> None:
    units = {"rifle": 9, "machinegun": 3, "mortar": 2, "tank": 1}
    battle: Table = scenario(number, sources=DECKS) if number else armies(
        units, units, sources=DECKS
    )  # fmt: skip
    play_on(battle, Random(number), 120)
    deeds = [text for _, told in chapters(battle.play) for _, text in told]
    fired = [line.text for line in lines(battle.play) if " > " in line.text]
    assert [says for says in deeds if " > " in says] == fired
    assert all(deeds)
    markdown, text = as_markdown(battle.play, DATE), as_text(battle.play, DATE)
    assert markdown.count("\n- ") == len(deeds)
    assert not re.search(r"^\s*-?\s*$\n^\s*-\s*$", text, re.MULTILINE)
    assert max(map(len, text.splitlines())) <= WIDTH
    assert "  \n" not in text + markdown


def test_a_turn_that_ends_twice_is_told_twice() -> None:
    battle = scenario(1)
    for _ in range(3):
        battle.order(EndTurn())
    headings = [heading for heading, _ in chapters(battle.play)]
    assert headings == [
        "Turn 1, Germans to move",
        "Turn 1, Poles to move",
        "Turn 2, Germans to move",
        "Turn 2, Poles to move",
    ]
