"""How the command line speaks: verbatim, harmless, and on every terminal."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest
from at_the_desk import command, environment

from skirmish.cli.console import complain, harmless, is_terminal, prepare, say, say_bytes
from skirmish.tabletop.text_width import cells, clipped, in_columns


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
    assert list(in_columns([("1", "火", "x"), ("10", "abc", "y")], right=(0,))) == [
        " 1  火   x",
        "10  abc  y",
    ]


class Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("stream", "wanted"), [(Terminal, "␛[2J,·\n"), (io.TextIOWrapper, None)])
def test_csv_and_exports_steer_no_terminal_and_reach_files_as_they_are(
    monkeypatch: pytest.MonkeyPatch, stream: type[io.TextIOWrapper], wanted: str | None
) -> None:
    data = "\x1b[2J,\u202e\r\n".encode()
    held = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", stream(held, "utf-8"))
    say_bytes(data)
    assert held.getvalue() == (data if wanted is None else wanted.encode())


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full is a thing of Linux")
@pytest.mark.parametrize("words", [("settings", "nonsense"), ("nonsense",), ()])
def test_a_complaint_that_cannot_be_written_still_ends_with_2(words: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            command(words), stdout=subprocess.PIPE, stderr=full, env=environment(), check=False
        )
    assert done.returncode == 2


def test_a_stream_that_is_closed_is_no_terminal() -> None:
    # Where the shell has closed a stream, as in ``skirmish follow <&-``, Python has None for it.
    assert not is_terminal(None)
