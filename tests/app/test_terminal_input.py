"""Whatever bytes a terminal sends, the app gets messages that it can handle."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from textual import events
from textual.message import Message

from skirmish.app import terminal_input
from skirmish.app.terminal_input import (
    FARTHEST,
    HIGHEST,
    LONGEST_PASTE,
    PASTED_AT_ONCE,
    WIDEST,
    TerminalInput,
)

EXAMPLES = int(os.environ.get("TERMINAL_EXAMPLES", "300"))

numbers = st.integers(0, 10**22).map(str) | st.sampled_from(["", "1114111", "1114112", "55296"])
endings = st.sampled_from(list("u~ABCDEFHPQRSmMtnyIO"))


@st.composite
def sequences(draw: st.DrawFn) -> bytes:
    """Something like an escape sequence, with any numbers in it."""
    beginning = draw(st.sampled_from(["", "<", "?", "48;"]))
    between = draw(st.sampled_from([";", ":", ";;"]))
    middle = between.join(draw(st.lists(numbers, max_size=5)))
    return f"\x1b[{beginning}{middle}{draw(endings)}".encode()


markers = st.sampled_from([b"\x1b[200~", b"\x1b[201~", b"\x1b", b"\xfc", b"\x1b[M   "])
streams = st.lists(sequences() | markers | st.binary(max_size=40) | st.text().map(str.encode))


def read(chunks: Iterable[bytes]) -> list[Message]:
    reader = TerminalInput()
    return [message for chunk in chunks for message in reader.read(chunk)]


def cut(data: bytes, places: Iterable[int]) -> list[bytes]:
    """The bytes as they come in several reads."""
    edges = sorted({0, len(data), *(place % (len(data) + 1) for place in places)})
    return [data[first:last] for first, last in pairwise(edges)]


@settings(max_examples=EXAMPLES, deadline=None)
@given(stream=streams, places=st.lists(st.integers(0, 10_000), max_size=6))
@example(stream=[b"\x1b[1114112u"], places=[])
@example(stream=[b"\x1b[48;24;0;0;0t\x1b[<0;5;5M"], places=[])
def test_every_message_can_be_handled(stream: list[bytes], places: list[int]) -> None:
    failures = FailureList()
    logging.getLogger("skirmish").addHandler(failures)
    try:
        messages = read(cut(b"".join(stream), places))
    finally:
        logging.getLogger("skirmish").removeHandler(failures)
    assert not failures.records  # the parser is made anew only for what nobody has thought of
    for message in messages:
        match message:
            case events.Key():
                (message.key + (message.character or "")).encode()  # raises for a surrogate
            case events.Resize():
                assert 1 <= message.size.width <= WIDEST
                assert 1 <= message.size.height <= HIGHEST
            case events.MouseEvent():
                assert 0 <= message.x <= FARTHEST
                assert 0 <= message.y <= FARTHEST
            case events.Paste():
                assert len(message.text.encode()) <= 4 * LONGEST_PASTE


class FailureList(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


def keys_of(messages: Iterable[Message]) -> str:
    return "".join(
        message.character or "" for message in messages if isinstance(message, events.Key)
    )


@given(
    text=st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=PASTED_AT_ONCE - 1),
    places=st.lists(st.integers(0, 10_000), max_size=6),
)
def test_what_is_typed_arrives_as_it_was_typed(text: str, places: list[int]) -> None:
    assert keys_of(read(cut(text.encode(), places))) == text


@given(
    text=st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=50),
    places=st.lists(st.integers(0, 10_000), max_size=8),
)
def test_a_paste_is_one_wherever_it_is_cut(text: str, places: list[int]) -> None:
    data = b"a\x1b[200~" + text.encode() + b"\x1b[201~b"
    messages = read(cut(data, places))
    pasted = [message.text for message in messages if isinstance(message, events.Paste)]
    assert "".join(pasted) == text
    assert keys_of(messages) == "ab"


def test_more_than_anybody_types_at_once_is_a_paste() -> None:
    typed = "8r 2m " * 50
    (message,) = read([typed.encode()])
    assert isinstance(message, events.Paste)
    assert message.text == typed


def test_a_long_run_after_an_escape_does_not_end_in_the_middle_of_a_key() -> None:
    first, *_, last = read([b"\x1b[", b"A" + b"x" * 400])
    assert isinstance(first, events.Key)
    assert first.key == "up"
    assert isinstance(last, events.Paste)


@pytest.mark.parametrize("beginning", [b"\x1b[200~", b"\x1b[20"])
def test_a_paste_is_bounded_and_keys_after_it_are_read(beginning: bytes) -> None:
    rest = b"\x1b[200~"[len(beginning) :]
    large = b"x" * (2 * LONGEST_PASTE)
    messages = read([beginning, rest + large, b"y\x1b[20", b"1~z"])
    (pasted,) = (message for message in messages if isinstance(message, events.Paste))
    assert len(pasted.text) == LONGEST_PASTE
    assert keys_of(messages) == "z"


def test_a_paste_whose_end_was_lost_ends_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(terminal_input, "monotonic", lambda: now)
    reader = TerminalInput()
    assert list(reader.read(b"\x1b[200~abc")) == []
    now += terminal_input.PASTE_PAUSE / 2
    assert list(reader.tick()) == []
    now += terminal_input.PASTE_PAUSE
    (pasted,) = reader.tick()
    assert isinstance(pasted, events.Paste)
    assert pasted.text == "abc"
    assert keys_of(reader.read(b"d")) == "d"


def test_no_size_is_none() -> None:
    assert read([b"\x1b[48;0;80;0;0t\x1b[48;24;0;0;0t"]) == []
