"""Signs that no typeface has: a question mark stands for each, and somebody is told once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from skirmish.sheets import faces, unprintable


@pytest.fixture(autouse=True)
def nothing_noted() -> Iterator[None]:
    unprintable.told()
    yield
    unprintable.told()


def test_they_are_told_once_and_then_forgotten() -> None:
    faces.width("第三 Company 😀 第", faces.BODY, 8)
    assert unprintable.told() == (
        "The fonts of the sheets do not have 三 第 😀; each is printed as ?."
    )
    assert not unprintable.told()


def test_a_text_that_was_measured_before_is_told_again() -> None:
    for _ in range(2):
        faces.runs("第", faces.TITLE)
        assert "第" in unprintable.told()


def test_of_many_only_some_are_named() -> None:
    faces.runs("".join(map(chr, range(0x4E00, 0x4E00 + 20))), faces.BODY)
    assert " and 12 more; " in unprintable.told()


def test_what_can_be_printed_is_not_told() -> None:
    assert faces.runs("Гвардия ♠ Żołnierze?", faces.BODY)
    assert not unprintable.told()


def test_a_question_mark_stands_there_in_the_same_face() -> None:
    assert faces.runs("a第b", faces.HEAD) == ((faces.HEAD, "a?b"),)
