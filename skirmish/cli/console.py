"""Standard input and output: text for people, JSON for programs, and never a crash.

Typed names are printed unchanged except for characters that control a terminal. Characters that a
terminal lacks get a substitute.
"""

from __future__ import annotations

import codecs
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, TextIO

import msgspec

from skirmish.tabletop.measure import NO_BREAK
from skirmish.tabletop.page import Page
from skirmish.tabletop.page_text import as_text
from skirmish.tabletop.text_width import wrapped
from skirmish.tabletop.typed import harmless_json, plain, reason

_SUBSTITUTES = {"“": '"', "”": '"', "‘": "'", "’": "'", "…": "...", "–": "-", "—": "-", "·": "."}
"""What is written instead of a character that the terminal's encoding lacks."""
_ERROR_HANDLER = "skirmish-plainer"
"""The name under which Python finds the function that replaces such characters."""

# Exit codes. The last two are those of a shell for a program that a signal has ended: 128 and the
# number of the signal.
DONE = 0
FAILED = 2
INTERRUPTED = 130  # SIGINT
OUTPUT_CLOSED = 141  # SIGPIPE

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
"""Some editors begin a text file with it; it is no part of the text."""


class CommandError(Exception):
    """An error that the user can correct. Its text, of one or more lines, goes to stderr."""


class OutputClosed(Exception):  # noqa: N818
    """The program that read our output has closed it, as ``head`` does."""


def prepare() -> None:
    """Make sure that there are standard streams for output, and that they accept any text."""
    codecs.register_error(_ERROR_HANDLER, _substituted)
    if sys.stdout is None:
        sys.stdout = _null_device()
    if sys.stderr is None:
        sys.stderr = _null_device()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=_ERROR_HANDLER)


def harmless(text: str) -> str:
    """A typed text on one line, with every control character made visible."""
    return plain(text, pictures=True)


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a standard stream is a terminal. Without a console, as after a double-click on
    Windows, or where the shell has closed it, the stream is None."""
    return stream is not None and stream.isatty()


def standard_input() -> BinaryIO:
    """The standard input as bytes; raises CommandError where the program has none."""
    if sys.stdin is None:
        raise CommandError("There is no input to read; name a file instead of -.")
    return sys.stdin.buffer


def say(text: str = "") -> None:
    """Print lines of text from any source: control characters are made visible. No-break spaces
    become spaces, for searching and copying. A typed text in a line is made ``harmless`` before, so
    that a line break in it is made visible too and begins no line of its own."""
    lines = text.replace(NO_BREAK, " ").split("\n")
    with _errors_of_stdout():
        print("\n".join(map(harmless, lines)))


def say_wrapped(text: str, indent: str = "", hanging: str | None = None) -> None:
    """Print a paragraph broken into lines; ``hanging`` is the indent of all but the first, by
    default the same ``indent``. An empty text is one line with the indent alone."""
    say(wrapped(text, indent, hanging) or indent)


def say_page(page: Page, title: bool = True) -> None:
    """Print a page as text; an empty one prints nothing."""
    text = as_text(page, titled=title).rstrip("\n")
    if text:
        say(text)


def typed_lines() -> Iterator[str]:
    """The lines of the standard input, each as soon as it is typed; none without an input."""
    if sys.stdin is None:
        return
    # Iterating over the stream itself would read ahead, and answer a person a line late.
    line = sys.stdin.readline()
    while line:
        yield line
        line = sys.stdin.readline()


def say_json(value: Any) -> None:
    """Print a value as indented JSON; characters that control a terminal are escaped."""
    try:
        text = msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
    except UnicodeEncodeError:  # a lone surrogate, which only the standard library can write
        text = json.dumps(msgspec.to_builtins(value), indent=2)
    harmless_lines = map(harmless_json, text.split("\n"))
    say_bytes("\n".join(harmless_lines).encode() + b"\n")


def say_bytes(data: bytes) -> None:
    """Write bytes to stdout at once and as they are: JSON is UTF-8 in any locale. If stdout is a
    terminal, the characters that control it are made visible."""
    with _errors_of_stdout():
        if sys.stdout.isatty():
            text = data.decode("utf-8", "replace")
            # A CSV has such line breaks, and ``harmless`` would make the \r visible.
            lines = text.replace("\r\n", "\n").split("\n")
            data = "\n".join(map(harmless, lines)).encode("utf-8", "replace")
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


def finish() -> None:
    """Flush stdout while an error can still be reported."""
    with _errors_of_stdout():
        sys.stdout.flush()


def complain(text: str) -> None:
    """Print lines to stderr, with control characters made visible. If that fails, nothing is
    raised: the exit code still shows the error."""
    try:
        for line in text.split("\n"):
            print(harmless(line), file=sys.stderr)
        sys.stderr.flush()
    except OSError:
        silence("stderr")


def silence(name: str = "stdout") -> None:
    """Redirect a stream to the null device, so that Python's own last flush cannot fail."""
    null_device = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(null_device, getattr(sys, name).fileno())
    except (OSError, ValueError, AttributeError):
        # The stream has no file descriptor of its own, as in a test or without a console.
        setattr(sys, name, _null_device())
    finally:
        os.close(null_device)


def counted(count: int, noun: str, plural: str = "") -> str:
    """``1 army``, ``3 armies``; without a ``plural`` it is the noun with an s."""
    if count == 1:
        return f"{count} {noun}"
    return f"{count} {plural or noun + 's'}"


def _null_device() -> TextIO:
    """A stream for output that nobody reads, in place of one that is missing or closed."""
    return open(os.devnull, "w", encoding="utf-8")


def _substituted(error: UnicodeError) -> tuple[str, int]:
    """What is written for characters that the terminal's encoding lacks, and the position after
    them, as Python asks its error handlers."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    substitutes = []
    for character in error.object[error.start : error.end]:
        escaped = character.encode("ascii", "backslashreplace").decode()
        substitutes.append(_SUBSTITUTES.get(character, escaped))
    return "".join(substitutes), error.end


@contextmanager
def _errors_of_stdout() -> Iterator[None]:
    """Turn an error of stdout into one that ``run`` handles: OutputClosed or CommandError."""
    try:
        yield
    except BrokenPipeError:
        raise OutputClosed from None
    except OSError as error:
        silence()
        raise CommandError(f"The output cannot be written: {reason(error)}.") from None
