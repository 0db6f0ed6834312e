"""The input of a terminal as Textual's messages, safe whatever the terminal sends: it may be set to
Latin-1, be closed in the middle of a key, or be fed by a program. Textual's own parser ends the app
with a traceback for a byte that is not UTF-8 and for a key whose number no character has, and sets
no bounds to sizes and amounts. Begin with ``TerminalInput``."""

from __future__ import annotations

import asyncio
import logging
import re
from codecs import getincrementaldecoder
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, cast

from textual import events
from textual._xterm_parser import (
    BRACKETED_PASTE_END,
    BRACKETED_PASTE_START,
    XTermParser,
)
from textual.driver import Driver
from textual.geometry import Size
from textual.keys import Keys
from textual.message import Message

if TYPE_CHECKING:
    from skirmish.app.host import Host

WIDEST, HIGHEST = 500, 200
"""The largest terminal that is painted, in columns and rows; of a larger one, its corner."""
FARTHEST = 10_000
"""The largest coordinate of a click that is believed."""
PASTED_AT_ONCE = 200
"""So many printable characters at once are a paste: nobody types so fast."""
LONGEST_PASTE = 256 * 1024
"""The characters of one paste; what follows them is left out."""
PASTE_PAUSE = 3.0
"""Seconds without a character after which a paste counts as over. Its end may have been lost, and
until it comes every key is part of the paste."""
MOST_WAITING = 300
"""Keys and clicks that may wait for those before them; any more are left out. Nobody types so far
ahead, and carrying them all out would take minutes."""
TOO_MUCH = "More was typed at once than can be carried out. Some of it was left out."
WARN_AGAIN = 10.0
"""Seconds between two such messages."""
LONGEST_SEQUENCE = 32
"""The characters after which Textual's parser gives an escape sequence up."""

_log = logging.getLogger("skirmish")

_MARKERS = re.compile(f"({re.escape(BRACKETED_PASTE_START)}|{re.escape(BRACKETED_PASTE_END)})")
_MARKER_LENGTH = len(BRACKETED_PASTE_START)
"""Both markers are equally long."""
_LONG_RUN = re.compile(f"([^\\x00-\\x1f\\x7f]{{{PASTED_AT_ONCE},}})")
"""``PASTED_AT_ONCE`` characters in a row, or more, without a control character."""


def bounded_size(width: int, height: int) -> Size:
    """A size that can be painted."""
    return Size(min(max(width, 1), WIDEST), min(max(height, 1), HIGHEST))


class BoundedParser(XTermParser):
    """Textual's parser, which leaves out keys and clicks that cannot exist."""

    def _sequence_to_key_events(self, sequence: str, alt: bool = False) -> Iterable[events.Key]:
        try:
            keys = list(super()._sequence_to_key_events(sequence, alt))
        except (ValueError, OverflowError):
            return [events.Key(Keys.Ignore, sequence)]
        for key in keys:
            if _has_surrogate(key.key + (key.character or "")):
                return [events.Key(Keys.Ignore, sequence)]
        return keys

    def parse_mouse_code(self, code: str) -> Message | None:
        try:
            event = super().parse_mouse_code(code)
        except (ValueError, OverflowError, ZeroDivisionError):
            return None
        if isinstance(event, events.MouseEvent) and max(event.x, event.y) > FARTHEST:
            return None
        return event


def _has_surrogate(text: str) -> bool:
    """Whether a text holds half a surrogate pair: a number that a terminal can send, but no
    character. A text with it can neither be painted nor stored."""
    return any("\ud800" <= character <= "\udfff" for character in text)


class BoundedDriver(Driver):
    """A driver that leaves out keys and clicks while too many of them wait."""

    _sent = 0
    """Messages sent by the thread that reads the terminal."""
    _delivered = 0
    """Those of them that have reached the app's queue. Only the app's thread counts these."""
    _last_warning = -WARN_AGAIN  # the first one is due at once
    """When the player was last told that something was left out, by the monotonic clock."""

    def send_message(self, message: Message) -> None:
        if self._loop.is_closed():
            return
        if self._must_be_left_out(message):
            self._warn_now_and_then()
            return
        delivery = asyncio.run_coroutine_threadsafe(
            self._app._post_message(message), loop=self._loop
        )
        self._sent += 1
        delivery.add_done_callback(self._count_delivery)

    def _count_delivery(self, _: Future[bool]) -> None:
        self._delivered += 1

    def _must_be_left_out(self, message: Message) -> bool:
        """Whether a message is a key, a click or a paste, and too many wait already."""
        if not isinstance(message, (events.InputEvent, events.Paste)):
            return False
        on_their_way = self._sent - self._delivered
        in_the_queue = cast("Host", self._app).waiting_messages
        return on_their_way + in_the_queue >= MOST_WAITING

    def _warn_now_and_then(self) -> None:
        """Tell the player that input was left out, but not for each key again."""
        if monotonic() - self._last_warning > WARN_AGAIN:
            self._last_warning = monotonic()
            app = cast("Host", self._app)
            app.call_later(partial(app.notify, TOO_MUCH, severity="warning"))


class TerminalInput:
    """Reads the bytes of one terminal."""

    def __init__(self, debug: bool = False) -> None:
        self._debug = debug
        self._parser = BoundedParser(debug)
        self._decode = getincrementaldecoder("utf-8")("replace").decode
        self._tail = ""
        """The last characters that were read: an escape sequence, such as a marker of a paste, may
        have begun in them."""
        self._is_pasting = False
        self._pasted = 0
        """The characters of the paste that is being read."""
        self._last_read = 0.0
        """When something was read last, by the monotonic clock."""

    def read(self, data: bytes) -> Iterator[Message]:
        """The messages for the next bytes."""
        self._last_read = monotonic()
        text = self._decode(data)
        marker_end = self._length_of_marker_end(text)
        pieces = [text[:marker_end], *_MARKERS.split(text[marker_end:])]
        for piece in pieces:
            yield from self._read_piece(piece)
            self._tail = (self._tail + piece)[-LONGEST_SEQUENCE:]
            if self._tail.endswith(BRACKETED_PASTE_START):
                self._is_pasting, self._pasted = True, 0
            elif self._tail.endswith(BRACKETED_PASTE_END) and self._is_pasting:
                yield from self._end_paste()

    def tick(self) -> Iterator[Message]:
        """The messages that are due because no byte has come for some time."""
        yield from self._bounded(self._parser.tick())
        if self._is_pasting and monotonic() - self._last_read > PASTE_PAUSE:
            yield from self._end_paste()

    def _length_of_marker_end(self, text: str) -> int:
        """How many characters of the text complete a marker that began before it; 0: none did."""
        for length in range(1, _MARKER_LENGTH):
            beginning_length = _MARKER_LENGTH - length
            beginning = self._tail[-beginning_length:]
            if _MARKERS.fullmatch(beginning + text[:length]):
                return length
        return 0

    def _read_piece(self, piece: str) -> Iterator[Message]:
        """The messages for characters between two markers of a paste, or for a marker."""
        if self._is_pasting:
            room = max(LONGEST_PASTE - self._pasted, 0)
            self._pasted += len(piece)
            yield from self._parse(piece[:room])
            return
        before = self._tail
        for part in _LONG_RUN.split(piece):
            if _LONG_RUN.fullmatch(part):
                # If an escape sequence began before, the first characters may belong to it.
                rest_of_sequence = ""
                if "\x1b" in before:
                    rest_of_sequence = part[:LONGEST_SEQUENCE]
                yield from self._parse(rest_of_sequence)
                yield events.Paste(part.removeprefix(rest_of_sequence))
            else:
                yield from self._parse(part)
            before = (before + part)[-LONGEST_SEQUENCE:]

    def _end_paste(self) -> Iterator[Message]:
        """Give the parser the end of a paste, in case it has missed it: the end did not come, or
        was left out behind too long a paste. To a parser that has not, it changes nothing."""
        self._is_pasting = False
        yield from self._parse(BRACKETED_PASTE_END)

    def _parse(self, text: str) -> Iterator[Message]:
        if text:  # the parser takes an empty text for the end of all input
            yield from self._bounded(self._parser.feed(text))

    def _bounded(self, parsed: Iterable[Message]) -> Iterator[Message]:
        """What the parser made of the input, with sizes bounded. After an error, a new parser takes
        over."""
        try:
            for message in parsed:
                if not isinstance(message, events.Resize):
                    yield message
                    continue
                # A size without columns or rows is false. Nothing can be painted there.
                if message.size:
                    size = bounded_size(*message.size)
                    yield events.Resize(size, size, pixel_size=message.pixel_size)
        except Exception:  # the parser is not ours, and anybody may send the bytes
            _log.warning("The terminal's input could not be read", exc_info=True)
            self._parser = BoundedParser(self._debug)
