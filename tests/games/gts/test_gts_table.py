"""The Grand Tactical Series with a whole campaign's counters: units are found by typing, the board
shows what matters now."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from gts_table import GAME, begun, entered, give, played, unit
from msgspec.structs import replace

from skirmish.tabletop.command_pages import draft_page, hint_of
from skirmish.tabletop.commands import Command, Draft, begin_with_key, pressed
from skirmish.tabletop.companion.counter_csv import as_csv, csv_rows
from skirmish.tabletop.companion.counter_rows import as_rows
from skirmish.tabletop.companion.counters import Counter, Register
from skirmish.tabletop.companion.table_orders import CorrectCounter, TakeCounters
from skirmish.tabletop.page import Choices, Facts, Note, Page, Stacks, Token
from skirmish.tabletop.page_text import as_text
from skirmish.tabletop.slots import Choose, UnfitAnswer

RATINGS: dict[str, int | None] = {"tq": 6, "fire": 5, "assault": 4, "defense": -1, "range": 3}
NAMED = {"\n": "enter", " ": "space"}


def counters(count: int) -> Iterator[Counter]:
    for at in range(count):
        side = ("allied", "german")[at % 2]
        yield Counter(id=f"u{at}", name=f"{at} Company", side=side, kind="pink", steps=2,
                      place=f"H{at // 3}", ratings=RATINGS)  # fmt: skip


def campaign(count: int = 600, **answers: Any) -> Any:
    play = begun(scope="fire", tables="community", **answers)
    play.accept(play.consider(TakeCounters(counters=tuple(counters(count)))))
    return play


def presses(play: Any, typed: str) -> Draft[Any]:
    commands = GAME.commands(play.state)
    draft = begin_with_key(commands, typed[0])
    for key in typed[1:]:
        draft = pressed(draft, commands, NAMED.get(key, key))
    return draft


def facts_of(page: Page) -> list[tuple[str, str]]:
    return [row for block in page.blocks if isinstance(block, Facts) for row in block.rows]


def listed(page: Page) -> list[str]:
    return [one.text for block in page.blocks if isinstance(block, Choices) for one in block.rows]


def tokens(page: Page) -> list[Token]:
    """The counters on a board."""
    stacks = [stack for one in page.blocks if isinstance(one, Stacks) for stack in one.rows]
    return [token for stack in stacks for token in stack.tokens]


def test_among_600_units_a_check_takes_4_keys_and_a_shot_8() -> None:
    play = campaign()
    assert play.state.counters.codes["u599"] == "xb"
    check, shot = presses(play, "txb "), presses(play, "faaxb2\n ")
    assert check.complete
    assert check.answers["unit"] == "u599"
    assert shot.complete
    assert (shot.answers["unit"], shot.answers["target"]) == ("u0", "u599")
    assert presses(play, "faaxb12").slot is not None, "a range of two digits needs no Enter"
    assert play.consider(shot.order(lambda: 1)).events


def test_up_to_26_units_have_a_letter_each_which_stays_with_them() -> None:
    play = entered(scope="fire")
    assert list(play.state.counters.codes.values()) == ["a", "b", "c", "d"]
    assert [(token.key, token.name) for token in tokens(GAME.page(play.state))] == [
        ("a", "A/505"), ("b", "B/505"), ("c", "1/Becker"), ("d", "2/Becker"),
    ]  # fmt: skip
    assert presses(play, "fa").answers["unit"] == "a-505"
    assert "c" in dict(presses(play, "fa").slot.by_key), "as on the board"  # type: ignore[union-attr]


def test_what_is_typed_narrows_the_list() -> None:
    play = campaign()
    assert len(listed(draft_page(presses(play, "t")))) == 60
    assert any(isinstance(one, Note) and one.text == "540 more are not listed."
               for one in draft_page(presses(play, "t")).blocks)  # fmt: skip
    page = draft_page(presses(play, "tx"))
    assert [one for one in listed(page) if "Company" in one] == ["598 Company", "599 Company"]
    assert listed(draft_page(presses(play, "t/59"))) == [
        one.name for one in counters(600) if "59" in one.name
    ]
    assert presses(play, "t/599\n").answers["unit"] == "u599"


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("txz", "Which unit? Type its letters, or / and a part of its name."),
        ("t/q", "No name here contains “q”."),
        ("t/59\n", "16 names contain “59”; type more of it."),
    ],
)
def test_what_fits_no_unit_is_said_and_nothing_is_lost(typed: str, says: str) -> None:
    with pytest.raises(UnfitAnswer, match=f"^{says}$".replace("?", r"\?")):
        presses(campaign(), typed)


def test_letters_of_a_group_are_not_taken_for_a_trait_of_the_unit() -> None:
    play = begun()
    give(play, "D", "Allied", "82nd", "4", "5", "6", "3")
    for at in range(60):
        give(play, "C", "formation", "82nd", f"Formation {at}", "1")
    draft = presses(play, "ca")
    assert isinstance(draft.slot, Choose)
    keys = {key for key, _ in draft.slot.listed("")}
    assert not keys & {toggle.key for toggle in draft.toggles}
    assert presses(play, "cabe").answers["group"] == draft.slot.by_key["be"].value


def test_the_board_of_600_units_lists_those_that_matter_and_the_summary_all() -> None:
    play = campaign()
    give(play, "K", "u500", "suppressed")
    board, page = tokens(GAME.board(play.state)), tokens(GAME.page(play.state))
    assert len(board) == 40
    assert len(page) == 600
    assert board[0].name == "500 Company"


@pytest.mark.parametrize("seed", range(12))
def test_the_register_of_any_game_comes_into_another_as_it_stands(seed: int) -> None:
    found = played(Random(seed), 60, scope="whole").state.counters
    named = (replace(one, name=f"{one.name} {at}"[-40:]) for at, one in enumerate(found))
    register = Register({one.id: one for one in named})
    empty = begun()
    for rows in (as_rows(register), csv_rows(as_csv(register, GAME.ratings), GAME.ratings, "u")):
        taken = GAME.counters_of(empty.state, rows, "u").counters if rows else ()
        assert [replace(one, id="") for one in taken] == [replace(one, id="") for one in register]


# ------------------------------------------------------------------ who is due, and the turn's end


def command(play: Any, key: str) -> Command[Any]:
    return next(one for one in GAME.commands(play.state) if one.key == key)


def test_who_has_not_acted_and_who_is_suppressed_are_one_key_each() -> None:
    play = entered(scope="fire")
    assert command(play, "x").why_not == "Nobody is suppressed."
    give(play, "K", "b", "suppressed")
    assert listed(draft_page(presses(play, "x"))) == ["B/505"]
    assert listed(draft_page(presses(play, "h"))) == ["A/505", "B/505", "1/Becker", "2/Becker"]
    assert give(play, "h", "a") == "A/505: acted (by hand)."
    assert give(play, "x", "b") == "B/505: no longer suppressed (by hand)."
    assert listed(draft_page(presses(play, "h"))) == ["B/505", "1/Becker", "2/Becker"]
    assert "Not acted this turn: B/505, 1/Becker and 2/Becker." in as_text(GAME.due(play))


def test_where_only_fire_is_played_the_markers_of_a_turn_come_off_by_one_key() -> None:
    play = entered(scope="fire")
    assert command(play, "space").why_not == "No unit has a marker that comes off."
    for marker in ("acted", "op-fired", "light", "suppressed"):
        give(play, "K", "a", marker)
    give(play, "i", "0", "green", "5", "1", "K12", "6", "0")
    assert ("Hex K12", "light barrage") in facts_of(GAME.page(play.state))
    give(play, "space")
    assert unit(play, "A/505").flags == ("suppressed",)
    assert "K12" not in as_text(GAME.page(play.state))
    assert command(play, "space").why_not == "No unit has a marker that comes off."


def test_a_jump_from_a_question_is_a_sentence() -> None:
    play = entered(scope="fire")
    give(play, "w", "assault")
    for _ in range(2):
        play.accept(play.consider(command(play, "y" if _ else "n").make()))
    assert give(play, "j", "A19").endswith("? On to A19.")
    assert give(play, "n").endswith(".")


def test_a_line_that_entered_an_eliminated_unit_can_be_made_void() -> None:
    play = begun(scope="fire")
    play.accept(play.consider(TakeCounters(counters=tuple(counters(1)))))
    play.accept(play.consider(CorrectCounter(counter="u0", steps=0)))
    play.accept(play.possible("void", 2))
    assert "u0" not in play.state.counters.counters
    assert GAME.commands(play.state)


def test_a_unit_that_is_eliminated_by_hand_is_asked_nothing_more() -> None:
    play = entered(scope="fire")
    give(play, "f", "A/505", "1/Becker", "2", "pink", "5", "3", "6", "-1", "no", "9", "9")
    give(play, "f", "A/505", "1/Becker", "1", "0", "3")
    assert GAME.prompt(play.state).label == "S: 1/Becker"
    play.accept(play.consider(CorrectCounter(counter="1-becker", steps=0)))
    assert GAME.prompt(play.state) is None
    assert play.state.counters.codes["2-becker"] == "d", "nobody gets its letters"


def test_where_a_hex_need_not_be_written_down_enter_says_so() -> None:
    enter = next(offered for offered in GAME.commands(begun().state) if offered.key == "c")
    answers = {"side": "allied", "group": "", "name": "A/505", "steps": 2}
    draft = Draft(command=enter, answers=answers)
    assert hint_of(draft) == "Type it, then press Enter. Enter alone: not written down."
