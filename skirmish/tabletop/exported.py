"""A stored game as lines of JSON, and back: another program rebuilds exactly the same game.

The first line is a header; then each entry of the journal is one line, as it was stored. On import
each entry is replayed before it is accepted. At the first invalid one the import stops; the entries
before it are valid, and a message names the line and the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from functools import partial
from typing import Any, TypeVar

import msgspec

from skirmish.tabletop.journal import Entry, Play
from skirmish.tabletop.journal_codec import (
    REPLAY_ERRORS,
    EntryRecord,
    JournalCodec,
    RecordError,
)
from skirmish.tabletop.typed import harmless_json, plain

T = TypeVar("T")

FORMAT = "skirmish-battle"
"""The name of the format, for every game: of which game a file is, its header says (``game``)."""
VERSION = 1
"""The version of the format."""
LONGEST_LINE = 4_000_000
"""The most bytes of a line; an opening, the longest there is, has some 30,000."""
MOST_ENTRIES = 200_000
"""The most entries of a file; a long battle has some thousand."""
LONGEST_TITLE = 200
"""The most characters of a game's title."""
LONGEST_REASON = 300
"""The most characters of a message, whose rest is cut off: it may quote what a file holds."""
LONGEST_QUOTE = 40
"""The most characters of a value that a message quotes."""
LONGEST_NAME = 80
"""The most characters of the name of something unknown, which the whole message is about."""


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """The first line."""

    format: str = FORMAT
    version: int = VERSION
    game: str
    """The id of the game."""
    title: str
    started: str
    """When the game began: UTC in ISO form."""


class BadExport(ValueError):  # noqa: N818  (a name for users)
    """A problem and its line in the file (from 1)."""

    def __init__(self, line: int, message: str) -> None:
        self.line = line
        self.message = message
        super().__init__(f"line {line}: {message}")


class InvalidData(Exception):  # noqa: N818  (a name for users)
    """Why a line or a game is invalid, in words that stand behind its number and a colon: ``is no
    entry: …``, ``the title must have …``. They are on one line."""

    def __init__(self, message: str) -> None:
        line = plain(message)
        if len(line) > LONGEST_REASON:
            line = f"{line[:LONGEST_REASON]}…"
        super().__init__(line)


class Rebuilt(msgspec.Struct, frozen=True):
    """An imported game: its entries, the game itself, and the problem of the line after the last
    valid one, if any."""

    header: Header
    entries: tuple[EntryRecord, ...]
    play: Play[Any, Any, Any]
    trouble: BadExport | None


class _EntryLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The line of an entry."""

    number: int
    kind: str
    # ``Raw`` is the JSON of the journal, as it was stored.
    order: msgspec.Raw
    events: msgspec.Raw
    at: str
    """When the entry was stored: UTC in ISO form."""


_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
"""Some editors write it before the first line of a text."""
_SPACES = dict.fromkeys(map(ord, "\t\n\r"), " ")
"""The white space of JSON besides the space, as ``str.translate`` reads it: ``harmless_json`` would
escape it, and between two values an escape is no JSON."""
_HEADER_DECODER = msgspec.json.Decoder(Header)
_LINE_DECODER = msgspec.json.Decoder(_EntryLine)


# ------------------------------------------------------------------ export


def export(header: Header, entries: Iterable[EntryRecord]) -> Iterator[bytes]:
    """The lines of a stored game, the header first, each with its line end."""
    yield _line_of_file(header)
    for entry in entries:
        order, events = _one_line(entry.order), _one_line(entry.events)
        yield _line_of_file(_EntryLine(entry.number, entry.kind, order, events, entry.at))


def _line_of_file(line: Header | _EntryLine) -> bytes:
    """A line as it stands in the file, with its end."""
    return harmless_json(msgspec.json.encode(line).decode()).encode() + b"\n"


def _one_line(text: str) -> msgspec.Raw:
    """JSON as it was stored, on one line, even if it is damaged. A line end between JSON values
    means the same as a space, and inside them there is none."""
    # An empty text is not JSON, and would make the whole line invalid.
    return msgspec.Raw(text.translate(_SPACES).encode() or b"null")


# ------------------------------------------------------------------ import


def rebuilt(file: Iterable[bytes], game: Any) -> Rebuilt:
    """The game of the lines of a file, up to the first invalid one; blank lines are skipped.
    ``game``: the Game that the file must be of (``game.py`` imports this module, so its type cannot
    be named here). Raises BadExport if there is no game: its header or its opening is invalid."""
    numbered_lines = _numbered_lines(file)
    # A file without any line has no header either, and is refused for that.
    last_number, header_line = next(numbered_lines, (1, b""))
    try:
        header = _read_header(header_line, game.id)
    except InvalidData as error:
        raise BadExport(last_number, str(error)) from None
    imported = _Import(game)
    trouble: BadExport | None = None
    for number, line in numbered_lines:
        last_number = number
        try:
            imported.add(line)
        except InvalidData as error:
            trouble = BadExport(number, str(error))
            break
    if imported.play is None:
        if trouble is not None:  # that of the opening, without which there is no game
            raise trouble
        line_after_last = last_number + 1
        raise BadExport(line_after_last, "the file ends before the game begins.")
    # Events may all be applied and still leave a state that no page can show. Then the last line
    # that was read is named.
    show_all = partial(game.check_everything_shown, imported.play)
    try:
        guarded(show_all, f"the {game.noun} cannot be shown")
    except InvalidData as error:
        raise BadExport(last_number, str(error)) from None
    return Rebuilt(header, tuple(imported.records), imported.play, trouble)


def _numbered_lines(file: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    """The lines of a file that are not blank, each with its number in the file (from 1)."""
    for number, line in enumerate(file, 1):
        if line.strip():
            yield number, line


class _Import:
    """The entries that were read and accepted so far, and the game that they make."""

    def __init__(self, game: Any) -> None:
        self._game = game
        self._entries: list[Entry[Any, Any]] = []
        self.records: list[EntryRecord] = []
        self.play: Play[Any, Any, Any] | None = None
        """None before the opening."""

    def add(self, line: bytes) -> None:
        """Replay the entry of the next line. Raises InvalidData; then the game is as it was before
        that line."""
        record = _read_line(line, expected=len(self.records) + 1)
        entry = _entry_of_record(record, self._game.codec)
        follow = partial(self._game.with_imported_entry, self.play, entry)
        try:
            self.play = guarded(follow, f"entry {record.number} does not follow")
        except InvalidData:
            # The failed entry may have changed the play, so it is replayed.
            if self._entries:
                self.play = self._game.codec.play(self._entries)
            raise
        self.records.append(record)
        self._entries.append(entry)


def _entry_of_record(record: EntryRecord, codec: JournalCodec[Any, Any, Any]) -> Entry[Any, Any]:
    """The entry of a record; raises InvalidData."""
    entry = guarded(partial(codec.read, record), "is no entry")
    # All other kinds (undo, redo, void, back) change which entries count, and have no events.
    if record.kind not in ("open", "order") and entry.events:
        raise InvalidData(f"entry {record.number} is of kind {record.kind}, which has no events.")
    return entry


def _read_header(data: bytes, game: str) -> Header:
    """The header of a file of the game with this id; raises InvalidData."""
    _check_length(data)
    try:
        header = _HEADER_DECODER.decode(data.removeprefix(_BYTE_ORDER_MARK))
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        header = None
    if header is None or header.format != FORMAT:
        beginning = '{"format":"' + FORMAT + '"'
        raise InvalidData(f"this is no exported game; its first line would begin {beginning}.")
    if header.version != VERSION:
        raise InvalidData(
            f"the file is of version {header.version}, and this program reads version {VERSION}."
        )
    if header.game != game:
        other_game = plain(header.game)[:LONGEST_QUOTE]
        raise InvalidData(f"this is a battle of another game ({other_game}).")
    title = plain(header.title).strip()
    if not 1 <= len(title) <= LONGEST_TITLE:
        raise InvalidData(f"the title must have 1 to {LONGEST_TITLE} characters.")
    return msgspec.structs.replace(header, title=title, started=_time_in_utc(header.started))


def _check_length(data: bytes) -> None:
    """Raises InvalidData for a line that is too long."""
    if len(data) > LONGEST_LINE:
        raise InvalidData(f"is longer than {LONGEST_LINE} bytes; no line of a battle is.")


def _read_line(data: bytes, expected: int) -> EntryRecord:
    """The record of a line, which must have the ``expected`` number; raises InvalidData."""
    _check_length(data)
    if expected > MOST_ENTRIES:
        raise InvalidData(f"a battle has at most {MOST_ENTRIES} entries.")
    try:
        line = _LINE_DECODER.decode(data)
        order, events = bytes(line.order).decode(), bytes(line.events).decode()
    except msgspec.ValidationError as error:
        # It becomes the end of a sentence: "is no entry: expected `int`, got `str`."
        text = str(error).rstrip(".")
        raise InvalidData(f"is no entry: {text[:1].lower()}{text[1:]}.") from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise InvalidData("is not JSON; it may have been cut off.") from None
    except RecursionError:
        raise InvalidData("is nested too deep for an entry.") from None
    if line.number != expected:
        raise InvalidData(f"entry {expected} is expected here, not {line.number}.")
    return EntryRecord(line.number, line.kind, order, events, _time_in_utc(line.at))


def _time_in_utc(text: str) -> str:
    """A time in ISO form as the store writes it, in UTC; raises InvalidData."""
    try:
        moment = datetime.fromisoformat(text)
        # Without a time zone nobody knows which moment it is.
        if moment.tzinfo is None:
            raise ValueError
        return moment.astimezone(UTC).isoformat(timespec="microseconds")
    except (ValueError, OverflowError):
        quote = plain(text)[:LONGEST_QUOTE]
        raise InvalidData(
            f"{quote!r} is no time; it would look like 2026-05-01T18:30:00+00:00."
        ) from None


def guarded(job: Callable[[], T], complaint: str) -> T:
    """The result of ``job``; an error that valid data never raises becomes InvalidData, whose words
    begin with the ``complaint``. A RecordError is worded already."""
    try:
        return job()
    except RecordError as error:
        raise InvalidData(str(error)) from None
    except (LookupError, StopIteration) as error:
        name = plain(str(error))[:LONGEST_NAME] or "what it names"
        raise InvalidData(f"{complaint}: {name} is not known in it.") from None
    except AssertionError:
        # Games assert what an earlier order must have led to, such as a question that is open.
        raise InvalidData(f"{complaint}: nothing led to it.") from None
    except REPLAY_ERRORS as error:
        raise InvalidData(f"{complaint}: {str(error).rstrip('.')}.") from None
