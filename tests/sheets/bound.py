"""The book of all scenarios, printed and read once for all tests that look at it."""

from __future__ import annotations

from functools import cache
from io import BytesIO
from typing import Any

from pypdf import PdfReader
from squashed import squash
from strokes import Seen, pages

from skirmish.sheets.scenario.sheet import scenarios_pdf

USUAL = {"paper": "a4", "use": "colour"}


def data(**how: Any) -> bytes:
    """The file; ``how`` it is printed as for ``scenarios_pdf``."""
    return _data(_whole(how))


def reader(**how: Any) -> PdfReader:
    return _reader(_whole(how))


def texts(**how: Any) -> tuple[str, ...]:
    """The text of each page, without white space."""
    return _texts(_whole(how))


def drawn(**how: Any) -> tuple[Seen, ...]:
    """What each page draws."""
    return _drawn(_whole(how))


def _whole(how: dict[str, Any]) -> tuple[tuple[str, Any], ...]:
    return tuple(sorted({**USUAL, **how}.items()))


@cache
def _data(how: tuple[tuple[str, Any], ...]) -> bytes:
    return scenarios_pdf(None, **dict(how))


@cache
def _reader(how: tuple[tuple[str, Any], ...]) -> PdfReader:
    return PdfReader(BytesIO(_data(how)))


@cache
def _texts(how: tuple[tuple[str, Any], ...]) -> tuple[str, ...]:
    return tuple(squash(page.extract_text()) for page in _reader(how).pages)


@cache
def _drawn(how: tuple[tuple[str, Any], ...]) -> tuple[Seen, ...]:
    return tuple(pages(_reader(how)))
