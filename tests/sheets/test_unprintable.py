"""Signs that no typeface has: a question mark stands for each, and somebody is told once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from skirmish.sheets import missing_signs
from skirmish.sheets.layout import fonts


@pytest.fixture(autouse=True)
def nothing_noted() -> Iterator[None]:
    missing_signs.take_missing_signs()
    yield
    missing_signs.take_missing_signs()


def test_they_are_told_once_and_then_forgotten() -> None:
    fonts.width("第三 Company 😀 第", fonts.BODY, 8)
    assert missing_signs.take_missing_signs() == (
        "The fonts of the sheets do not have 三 第 😀; each is printed as ?."
    )
    assert not missing_signs.take_missing_signs()


def test_a_text_that_was_measured_before_is_told_again() -> None:
    for _ in range(2):
        fonts.runs("第", fonts.TITLE)
        assert "第" in missing_signs.take_missing_signs()


def test_of_many_only_some_are_named() -> None:
    fonts.runs("".join(map(chr, range(0x4E00, 0x4E00 + 20))), fonts.BODY)
    assert " and 12 more; " in missing_signs.take_missing_signs()


def test_what_can_be_printed_is_not_told() -> None:
    assert fonts.runs("Гвардия ♠ Żołnierze?", fonts.BODY)
    assert not missing_signs.take_missing_signs()


def test_a_question_mark_stands_there_in_the_same_face() -> None:
    assert fonts.runs("a第b", fonts.HEAD) == ((fonts.HEAD, "a?b"),)
