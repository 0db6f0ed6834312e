"""Extras are odds, advice, a picture, a page. One that fails ends neither the app nor a command: a
plain line takes its place, and the error goes to the log."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from skirmish.tabletop.commands import Draft
    from skirmish.tabletop.page import Page
    from skirmish.tabletop.slots import Option

T = TypeVar("T")

LOG = "skirmish.log"
"""The name of the log beside the database. It is rotated at a megabyte, with one backup."""
_log = logging.getLogger("skirmish")


def unless_it_fails(make: Callable[[], T], *, instead: Callable[[str], T], failure: str) -> T:
    """The result of ``make``. If it fails, log the error and return what ``instead`` makes of the
    line to show. ``failure`` is that line without its full stop: "The odds are not available"."""
    try:
        return make()
    except Exception:
        return instead(logged_failure(failure))


def logged_failure(failure: str, error: BaseException | None = None) -> str:
    """Log ``error``, by default the exception being handled; returns the line to show.
    ``failure`` is that line without its full stop: "The odds are not available"."""
    if error is None:
        _log.exception(failure)
    else:
        _log.error(failure, exc_info=error)
    return f"{failure} (details in the log)."


def preview(draft: Draft[Any]) -> Page:
    """The likely results of a draft, such as its odds; one plain line if they fail."""
    from skirmish.tabletop.page import Note, Page  # noqa: PLC0415 (after the first paint)

    return unless_it_fails(
        lambda: draft.page,
        instead=lambda line: Page("", (Note(line),)),
        failure="The odds are not available",
    )


def remark(option: Option) -> str:
    """The note beside an answer, with its odds if it has any."""
    return unless_it_fails(
        lambda: option.remark,
        instead=lambda _: f"{option.note}, odds not available",
        failure="The odds are not available",
    )


def question_page(draft: Draft[Any], *, rows: bool = True, confirm: str = "Enter") -> Page:
    """The question that a draft asks, the possible answers and the likely results, as one page.
    ``rows`` and ``confirm`` are those of ``command_pages.draft_page``."""
    from skirmish.tabletop.command_pages import draft_page  # noqa: PLC0415 (after the first paint)

    return draft_page(draft, preview(draft), remark, rows=rows, confirm=confirm)


def log_beside(database: Callable[[], Path | None]) -> None:
    """Log to a file beside the database, whose place is looked up at the first error only."""
    if not _log.handlers:
        _log.addHandler(_LogFile(database))
    _log.propagate = False  # the root logger may write to the terminal, over the screen


class _LogFile(logging.Handler):
    """A log file beside the database, opened at the first line. ``database`` returns the path of
    the database; None: it has none."""

    def __init__(self, database: Callable[[], Path | None]) -> None:
        super().__init__()
        self._database = database
        self._file: logging.Handler | None = None

    def emit(self, record: logging.LogRecord) -> None:
        if self._file is None:
            self._file = self._opened_file()
        self._file.handle(record)

    def _opened_file(self) -> logging.Handler:
        """The handler that writes to the file; the file itself is made at its first line."""
        from logging.handlers import RotatingFileHandler  # noqa: PLC0415

        file = RotatingFileHandler(self._path(), maxBytes=1_000_000, backupCount=1, delay=True)
        file.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
        # An error of the log itself must not be printed over the screen.
        file.handleError = _ignore_error  # type: ignore[method-assign]
        return file

    def _path(self) -> Path:
        """Where the log is written; without a database on the disk, nowhere."""
        try:
            database = self._database()
        except Exception:  # it has no folder; opening the store reports that
            database = None
        if database is None:
            return Path(os.devnull)
        return database.with_name(LOG)


def _ignore_error(record: logging.LogRecord) -> None:
    """Do nothing: if the log cannot be written, there is no other place for the error."""
