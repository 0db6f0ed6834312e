"""``skirmish resolve`` and its like: lines of JSON in, a line out for each, as they come."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import BinaryIO

import msgspec

from skirmish import library
from skirmish.cli.speaking import Complaint, say_bytes
from skirmish.games.plastic.questions import Answering, QuestionError
from skirmish.tabletop.reading import DataError

LONGEST_LINE = 1_000_000
"""Bytes; an honest question has 500."""

_CHUNK = 1 << 16
_BOM = b"\xef\xbb\xbf"


def answer_file(name: str) -> bool:
    """Answer every question about shots and checks; as ``answer_lines``."""
    return answer_lines(name, Answering(library.catalog(), library.rulings()).answer_line)


def answer_lines(name: str, asked: Callable[[bytes], object]) -> bool:
    """Answer every line of a file (``-``: of stdin) on stdout; whether all could be understood.
    ``asked`` raises QuestionError or DataError for a line that cannot be."""
    encode = msgspec.json.Encoder().encode
    good, number = True, 0
    with _opened(name) as stream:
        for lines in _arriving(stream):
            answers = []
            for line in lines:
                number += 1
                try:
                    answers.append(encode(_answer(asked, line)))
                except (QuestionError, DataError) as error:
                    good = False
                    said = " ".join(map(str, getattr(error, "problems", (error,))))
                    answers.append(encode({"error": f"line {number}: {said}"}))
            answers.append(b"")
            say_bytes(b"\n".join(answers))
    return good


def _answer(asked: Callable[[bytes], object], line: bytes | None) -> object:
    if line is None:
        raise QuestionError(f"longer than {LONGEST_LINE} bytes, too long for a question")
    if not line.strip():
        raise QuestionError("blank; each line must hold one question in JSON")
    try:
        return asked(line)
    except RecursionError:
        raise QuestionError("nested too deeply for a question") from None


def _opened(name: str) -> AbstractContextManager[BinaryIO]:
    if name != "-":
        return open(name, "rb")
    if sys.stdin is None:
        raise Complaint("There is no input to read; name a file instead of -.")
    return nullcontext(sys.stdin.buffer)


def _arriving(stream: BinaryIO) -> Iterator[list[bytes | None]]:
    """The complete lines of each piece that arrives, None for one too long to keep.

    A pipe gives what is there: a line typed is a piece, a file comes in large ones.
    """
    held = bytearray()
    dropping = False  # inside a line that is too long
    first = True
    while piece := stream.read1(_CHUNK):  # type: ignore[attr-defined]
        if first:
            piece, first = piece.removeprefix(_BOM), False
        start = len(held)
        held += piece
        end = held.rfind(b"\n", start)
        lines: list[bytes | None] = []
        if end >= 0:
            whole = bytes(held[:end]).split(b"\n")
            lines.extend(line if len(line) <= LONGEST_LINE else None for line in whole)
            del held[: end + 1]
            if dropping:
                lines[0], dropping = None, False
        if len(held) > LONGEST_LINE:
            held.clear()
            dropping = True
        if lines:
            yield lines
    if held or dropping:
        yield [None if dropping else bytes(held)]
