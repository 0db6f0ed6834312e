"""The tables of the companions for other programs: whatever a line is, it gets an answer."""

from __future__ import annotations

import json
from typing import Any

import pytest
from at_the_desk import Ask
from hypothesis import example, given
from hypothesis import strategies as st

from skirmish import registry
from skirmish.tabletop.data_file import DataError

COMPANIONS = [kind for kind in registry.GAMES if kind.questions]
GOOD = {kind.id: kind.questions[2].encode() for kind in COMPANIONS if kind.questions}
HOSTILE = {
    "no text": b'{"rulings": "\xff"}',
    "nothing but a byte": b"\xff",
    "half of a pair": b'{"rulings": "\xed\xa0\x80"}',
    "half of a pair, escaped": b'{"rulings": "\\ud800"}',
    "deep": b"[" * 100_000,
    "deep in an object": b'{"rulings": ' * 50_000,
    "a number too long": b'{"rulings": ' + b"9" * 5_000 + b"}",
}


def test_there_are_companions_to_ask() -> None:
    assert {"omaha", "gts", "bloody_omaha"} <= set(GOOD)


@pytest.mark.parametrize("game", GOOD)
def test_a_hostile_line_is_an_error_and_the_next_is_answered(ask: Ask, game: str) -> None:
    (kind,) = (kind for kind in COMPANIONS if kind.id == game)
    assert kind.questions
    words = (game.replace("_", "-"), kind.questions[0], "-")
    lines = [*HOSTILE.values(), GOOD[game]]
    said = ask(*words, typed=b"\n".join(lines))
    assert (said.code, said.err) == (2, "")
    *errors, answer = map(json.loads, said.out.splitlines())
    assert len(errors) == len(HOSTILE)
    for number, error in enumerate(errors, 1):
        assert error["error"].startswith(f"line {number}: ")
    assert "is not text in UTF-8" in errors[0]["error"]
    assert "error" not in answer


@pytest.mark.parametrize("game", GOOD)
@given(line=st.binary(max_size=200) | st.text().map(str.encode))
@example(line=b"[" * 2000)
def test_bytes_that_are_no_question_are_refused(game: str, line: bytes) -> None:
    companion: Any = registry.load(game)
    with pytest.raises(DataError):
        companion.answer(line)
