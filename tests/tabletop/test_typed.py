"""What people typed, and what the system says, stand in a sentence without harm."""

from __future__ import annotations

import pytest

from skirmish.tabletop.typed import plain, reason


@pytest.mark.parametrize(
    "text",
    ["Unit [/b]", "Красная армия", "火の中\u3000火", "1.\u202fPanzer\xa0Div", "می\u200cخواهم"],
)
def test_names_of_any_script_stay_as_they_are(text: str) -> None:
    assert plain(text) == text
    assert plain(text, pictures=True) == text


@pytest.mark.parametrize(
    ("text", "dots", "pictures"),
    [
        ("\x1b[2J\x7f", "·[2J·", "␛[2J␡"),
        ("a\r\nb", "a··b", "a␍␊b"),
        ("\x9b1m", "·1m", "·1m"),
        ("a\u202eb\u2066c\u200fd", "a·b·c·d", "a·b·c·d"),
        ("a\u2028b\udcff", "a·b·", "a·b\\udcff"),
    ],
)
def test_what_steers_a_terminal_or_hides_is_shown(text: str, dots: str, pictures: str) -> None:
    assert plain(text) == dots
    assert plain(text, pictures=True) == pictures


def test_the_system_is_quoted_as_the_end_of_a_sentence() -> None:
    assert reason(OSError(28, "No space left on device")) == "no space left on device"
    assert reason(OSError(None, "too many files")) == "too many files"
    assert reason(ValueError("Embedded null byte")) == "embedded null byte"
