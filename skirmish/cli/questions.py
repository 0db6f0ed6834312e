"""Questions of other programs, one a line in JSON, answered line by line: ``skirmish resolve``, and
the tables of the companions.

``skirmish resolve`` runs without typer, which loads slowly: nothing here may import it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import BinaryIO

import msgspec

from skirmish import library
from skirmish.cli.console import BYTE_ORDER_MARK, say_bytes, standard_input
from skirmish.games.plastic.questions import Answering, QuestionError
from skirmish.tabletop.data_file import DataError

LONGEST_LINE = 1_000_000
"""Bytes of a question; a normal one has 500."""


def answer_about_shots(name: str) -> bool:
    """Answer a file of questions about shots and checks, as ``answer_lines`` does."""
    answering = Answering(library.catalog(), library.rulings())
    return answer_lines(name, answering.answer_line)


def answer_lines(name: str, answer: Callable[[bytes], object]) -> bool:
    """Answer every line of a file (``-``: of stdin) on stdout, each at once; returns whether all
    were valid. ``answer`` raises QuestionError or DataError for an invalid line."""
    encode = msgspec.json.Encoder().encode
    all_valid = True
    with _opened_questions(name) as stream:
        for line_number, line in enumerate(_question_lines(stream), 1):
            try:
                data = encode(_answered(answer, line))
            except (QuestionError, DataError) as error:
                all_valid = False
                data = encode({"error": f"line {line_number}: {_problems_of(error)}"})
            say_bytes(data + b"\n")
    return all_valid


def _problems_of(error: QuestionError | DataError) -> str:
    """What is wrong with a line; without the name of the file, which a DataError puts first."""
    if isinstance(error, DataError):
        return " ".join(map(str, error.problems))
    return str(error)


def _answered(answer: Callable[[bytes], object], line: bytes | None) -> object:
    """The answer to a line; raises QuestionError or DataError."""
    if line is None:
        raise QuestionError(f"longer than {LONGEST_LINE} bytes, too long for a question")
    if not line.strip():
        raise QuestionError("blank; each line must hold one question in JSON")
    try:
        return answer(line)
    except RecursionError:
        raise QuestionError("nested too deeply for a question") from None


def _opened_questions(name: str) -> AbstractContextManager[BinaryIO]:
    """The file with that name, or stdin, which stays open afterwards."""
    if name != "-":
        return open(name, "rb")
    return nullcontext(standard_input())


def _question_lines(stream: BinaryIO) -> Iterator[bytes | None]:
    """The lines as they arrive, without their line breaks; None for a line that is too long.

    At most ``LONGEST_LINE`` bytes and one more are read at once, so that a file without line breaks
    does not fill the memory. The one more is the line break, or shows that the line is too long."""
    line = stream.readline(LONGEST_LINE + 1).removeprefix(BYTE_ORDER_MARK)
    while line:
        if _is_cut_off(line):
            yield None
            _skip_rest(stream)
        else:
            yield line.removesuffix(b"\n")
        line = stream.readline(LONGEST_LINE + 1)


def _is_cut_off(part: bytes) -> bool:
    """Whether a line goes on behind the part that was read. A shorter part without a line break is
    the end of the file."""
    return len(part) > LONGEST_LINE and not part.endswith(b"\n")


def _skip_rest(stream: BinaryIO) -> None:
    """Read on to the end of a line that is too long."""
    part = stream.readline(LONGEST_LINE + 1)
    while _is_cut_off(part):
        part = stream.readline(LONGEST_LINE + 1)
