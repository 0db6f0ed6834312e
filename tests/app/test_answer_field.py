"""A text that is asked for is typed in a text field: with a cursor, Home, End, Delete, paste."""

from __future__ import annotations

import pytest
from omaha_table import table
from steps import NARROW, press, shown, the_app
from test_omaha_screen import resumed, stored
from textual import events
from textual.pilot import Pilot

from skirmish.app.play.answer_field import AnswerField, keys_of_edit
from skirmish.app.play.screen import PlayScreen
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.slots import BACKSPACE


def letters(text: str) -> list[str]:
    return ["space" if sign == " " else sign for sign in text]


def field(pilot: Pilot[None]) -> AnswerField:
    return pilot.app.screen.query_one(AnswerField)


def note_of(screen: PlayScreen) -> list[str]:
    return [text for _, text in screen.session.state.notes]


def unit_named(screen: PlayScreen, name: str) -> Counter:
    return next(unit for unit in screen.session.state.counters if unit.name == name)


async def test_a_note_is_changed_in_its_middle(where: str) -> None:
    stored(where, table())
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await resumed(pilot)
        assert not pilot.app.screen.query(AnswerField)  # mounted where a text is asked for first
        await press(pilot, "R", *letters("tide is in"))
        assert field(pilot).value == "tide is in"
        await press(pilot, "home", *letters("the "), "end", *letters(" now"))
        await press(pilot, "left", "left", "left", "left", "delete", *letters(" by "))
        assert field(pilot).value == "the tide is in by now"
        assert screen.draft is not None
        assert screen.draft.typed == "the tide is in by now"
        await press(pilot, "enter")
        assert note_of(screen) == ["the tide is in by now"]
        assert not field(pilot).display


async def test_ctrl_u_empties_it_and_escape_drops_it_at_once(where: str) -> None:
    stored(where, table())
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await resumed(pilot)
        await press(pilot, "R", *letters("a long text that nobody wants"), "ctrl+u")
        assert field(pilot).value == ""
        await press(pilot, *letters("another one"), "escape")
        assert (screen.draft is None) or screen.draft.typed == ""
        await press(pilot, *(["R"] if screen.draft is None else []), "backspace", "backspace")
        assert screen.session.state.notes == ()


async def test_backspace_deletes_before_the_cursor(where: str) -> None:
    stored(where, table())
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await resumed(pilot)
        await press(pilot, "R", *"abXc", "left", "backspace", "enter")
        assert note_of(screen) == ["abc"]


async def test_keys_of_the_shell_are_letters_of_a_text(where: str) -> None:
    stored(where, table())
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await resumed(pilot)
        text = "JSPWHN?%uwq!"
        await press(pilot, "R", *text, "enter")
        assert note_of(screen) == [text]


async def test_what_is_pasted_goes_to_the_cursor_and_its_line_breaks_answer(where: str) -> None:
    stored(where, table())
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await resumed(pilot)
        await press(pilot, "R", *"[]", "left")
        pilot.app.post_message(events.Paste("pasted text"))
        await pilot.pause()
        await press(pilot, "enter")
        assert note_of(screen) == ["[pasted text]"]
        await press(pilot, "R")
        pilot.app.post_message(events.Paste("one\nRtwo\n"))
        await pilot.pause()
        await press(pilot, "f", "escape")
        assert note_of(screen) == ["[pasted text]", "one", "two"]


async def test_a_half_typed_text_is_there_again_as_it_was_changed(where: str) -> None:
    stored(where, table())
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resumed(pilot)
        await press(pilot, "R", *letters("tide in"), "home", *letters("the "))
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await resumed(pilot)
        assert field(pilot).value == "the tide in"
        await press(pilot, "!", "enter")
        assert note_of(screen) == ["the tide in!"]


async def test_space_on_an_empty_line_takes_what_is_proposed(where: str) -> None:
    stored(where, table())
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await resumed(pilot)
        await press(pilot, "c", "d", "space")
        assert "In which hex is 4/B/116?" in shown(pilot, "asked")
        await press(pilot, "enter")
        assert any(one.name == "4/B/116" for one in screen.session.state.counters)


async def test_a_text_that_is_too_long_stays_as_it_was(where: str) -> None:
    stored(where, table())
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resumed(pilot)
        await press(pilot, "R")
        pilot.app.post_message(events.Paste("x" * 201))
        await pilot.pause()
        await press(pilot, "home")
        assert field(pilot).value == ""
        assert "At most 200 characters" in shown(pilot, "asked")


@pytest.mark.parametrize(
    ("before", "after"), [("", "abc"), ("abc", ""), ("abc", "aXbc"), ("abc", "bc"), ("ab", "ab")]
)
def test_any_change_is_stored_as_keys_at_the_end(before: str, after: str) -> None:
    text = before
    for key in keys_of_edit(before, after):
        text = text[:-1] if key == BACKSPACE else text + key
    assert text == after


async def test_a_hex_is_written_in_the_field_too(where: str) -> None:
    stored(where, table())
    async with the_app(where).run_test(size=NARROW) as pilot:
        screen = await resumed(pilot)
        await press(pilot, "c", "d", *letters("Nine"), "enter", "l", "2")
        assert field(pilot).value == "l2"
        await press(pilot, "ctrl+u", "J", "8", "home", "delete", "k", "end", "space")
        assert unit_named(screen, "Nine").place == "K8"
        # Three signs are the most, and a letter comes first.
        await press(pilot, "c", "d", *letters("Ten"), "enter", *"l123")
        assert field(pilot).value == "l12"
        assert "such as J7" in shown(pilot, "asked")
