"""How the command line speaks: verbatim, harmless, and on every terminal."""

from __future__ import annotations

import io
import sys

import pytest

from skirmish.cli.speaking import cells, clipped, columns, complain, harmless, prepare, say


@pytest.mark.parametrize(
    "text", ["Unit [/b]", "Красная армия", "火の中 🎖", "e\u0301", "%s {0} <b>&"]
)
def test_what_people_typed_is_printed_as_it_is(text: str) -> None:
    assert harmless(text) == text


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("\x1b[2J", "␛[2J"),
        ("a\r\nb\t", "a␍␊b␉"),
        ("\x9b1m\x7f", "·1m␡"),
        ("abc\u202edef\u2028", "abc·def·"),
    ],
)
def test_what_would_steer_a_terminal_is_shown_instead(text: str, wanted: str) -> None:
    assert harmless(text) == wanted


@pytest.mark.parametrize(
    ("encoding", "told"),
    [
        ("ascii", b'"Kraft" ... \\u0416 \\udcff\n'),
        ("cp1252", b"\x93Kraft\x94 \x85 \\u0416 \\udcff\n"),
        ("utf-8", "“Kraft” … Ж ".encode() + b"\\udcff\n"),
    ],
    ids=["ascii", "cp1252", "utf-8"],
)
def test_a_terminal_without_the_letters_gets_stand_ins(
    monkeypatch: pytest.MonkeyPatch, encoding: str, told: bytes
) -> None:
    for name, speak in (("stdout", say), ("stderr", complain)):
        held = io.BytesIO()
        poor = io.TextIOWrapper(held, encoding)
        with monkeypatch.context() as streams:
            streams.setattr(sys, name, poor)
            prepare()
            speak("“Kraft” … Ж \udcff")
        poor.flush()
        assert held.getvalue() == told, name


def test_wide_letters_take_two_columns_and_accents_none() -> None:
    assert cells("火x") == 3
    assert cells("e\u0301") == 1
    assert clipped("火火火", 5) == "火火…"
    assert clipped("abc", 3) == "abc"


def test_columns_line_up_under_wide_letters() -> None:
    assert list(columns([("1", "火", "x"), ("10", "abc", "y")], right=(0,))) == [
        " 1  火   x",
        "10  abc  y",
    ]
