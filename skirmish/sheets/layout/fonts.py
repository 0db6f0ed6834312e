"""The typefaces, embedded as they are used, with fallbacks for missing characters.

People name armies in any script. A character comes from the requested face, else from the wide face
(Latin, Greek, Cyrillic and many signs); else a question mark replaces it, and the character is
recorded for a message. Invisible characters (controls, direction marks, joiners) are left out.
"""

from __future__ import annotations

import math
import unicodedata
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple, TypeAlias
from xml.sax.saxutils import escape

from reportlab import rl_config  # type: ignore[import-untyped]
from reportlab.pdfbase import pdfmetrics  # type: ignore[import-untyped]
from reportlab.pdfbase.ttfonts import TTFError, TTFont  # type: ignore[import-untyped]

from skirmish.sheets import missing_signs
from skirmish.sheets.missing_signs import STAND_IN
from skirmish.tabletop.data_file import DataError, Problem

Face: TypeAlias = str
"""The name of a typeface within a PDF."""
BODY, ITALIC, BOLD = "Body", "Body-Italic", "Body-Bold"
"""For running text."""
MEDIUM, LABEL, HEAD = "Narrow-Medium", "Narrow-SemiBold", "Narrow-Bold"
"""Narrow faces for words in little room, from the lightest to the heaviest."""
TITLE = "Title"
"""The stencil face, for titles in capitals."""
WIDE, WIDE_BOLD = "Wide", "Wide-Bold"
"""For the characters that the other faces lack."""
_FILES = {
    BODY: "BarlowSemiCondensed_400Regular",
    ITALIC: "BarlowSemiCondensed_400Regular_Italic",
    BOLD: "BarlowSemiCondensed_600SemiBold",
    MEDIUM: "BarlowCondensed_500Medium",
    LABEL: "BarlowCondensed_600SemiBold",
    HEAD: "BarlowCondensed_700Bold",
    TITLE: "SairaStencilOne_400Regular",
    WIDE: "SourceSans3_400Regular",
    WIDE_BOLD: "SourceSans3_600SemiBold",
}
"""The file of each face in the folder of fonts, without its ending."""
_NO_BREAK = "\xa0"
"""A no-break space is no character of a typeface, but the PDF library sets it like a space. It is
part of a word, so that words are split at plain spaces only."""
_FONT_FOLDER = Path(__file__).parents[1] / "fonts"
_BOLD_FACES = {BOLD, LABEL, HEAD, TITLE, WIDE_BOLD}
"""The faces whose missing characters come from the bold wide face."""


class TextRun(NamedTuple):
    """A stretch of a text that one typeface prints."""

    face: Face
    text: str


@cache
def ready() -> dict[Face, _MeasuredFont]:
    """All faces by their names. The first call loads their files and registers them with the PDF
    library, which cannot set a text in them before. Raises DataError for a file that is missing or
    cannot be read."""
    rl_config.useA85 = 0  # binary streams: a fifth smaller
    fonts = {name: _loaded(name, _FONT_FOLDER / f"{file}.ttf") for name, file in _FILES.items()}
    for font in fonts.values():
        pdfmetrics.registerFont(font)
    # There is no bold italic face: what is both is set in the bold one.
    pdfmetrics.registerFontFamily(BODY, normal=BODY, bold=BOLD, italic=ITALIC, boldItalic=BOLD)
    return fonts


def runs(text: str, face: Face) -> tuple[TextRun, ...]:
    """``text`` in runs, each in a face that has its characters: ``face`` where it can. Notes the
    characters that no face has, for a message."""
    # The runs come from a cache, but what is missing is noted each time.
    printable = _printable(text, face)
    for sign in printable.missing:
        missing_signs.note(sign)
    return printable.runs


class _MeasuredFont(TTFont):  # type: ignore[misc]
    """A typeface that has a cache of the widths of words: otherwise the PDF library adds up the
    widths of their letters each time it breaks a text into lines."""

    def __init__(self, name: Face, file: str) -> None:
        super().__init__(name, file)
        self._cached_thousandths = lru_cache(maxsize=8192)(self._thousandths)

    def _thousandths(self, text: str) -> float:
        """The width of ``text`` in thousandths of the type size."""
        widths, default = self.face.charWidths, self.face.defaultWidth
        widths_of_letters = [widths.get(ord(char), default) for char in text]
        return float(sum(widths_of_letters))

    # The PDF library calls it under this name; its own version has the ``encoding``, too.
    def stringWidth(self, text: str, size: float, encoding: str = "utf8") -> float:  # noqa: N802
        """The width of ``text`` in points, in type of that ``size``."""
        return 0.001 * size * self._cached_thousandths(text)


def _loaded(name: Face, path: Path) -> _MeasuredFont:
    """The typeface in a file. Raises DataError if that is missing or cannot be read."""
    try:
        return _MeasuredFont(name, str(path))
    except (TTFError, OSError) as error:
        fault = "is missing"
        if path.is_file():
            fault = "cannot be read"
        text = f"this font {fault}, and nothing can be printed without it; reinstall Skirmish."
        raise DataError(str(path), [Problem("", text)]) from error


class _Printable(NamedTuple):
    """What is printed of a text, and the characters that a stand-in replaces there."""

    runs: tuple[TextRun, ...]
    missing: str


@lru_cache(maxsize=4096)
def _printable(text: str, face: Face) -> _Printable:
    """The text in runs of its own face, and of the wide one where its own lacks a character."""
    fonts = ready()
    fallback = WIDE
    if face in _BOLD_FACES:
        fallback = WIDE_BOLD
    printed_runs: list[TextRun] = []
    missing = ""
    for char in clean(text):
        printed = char
        if char == _NO_BREAK or ord(char) in fonts[face].face.charToGlyph:
            used_face = face
        elif ord(char) in fonts[fallback].face.charToGlyph:
            used_face = fallback
        else:
            used_face = face
            printed = STAND_IN
            missing += char
        if printed_runs and printed_runs[-1].face == used_face:
            printed_runs[-1] = TextRun(used_face, printed_runs[-1].text + printed)
        else:
            printed_runs.append(TextRun(used_face, printed))
    return _Printable(tuple(printed_runs), missing)


def clean(text: str) -> str:
    """``text`` on one line, with single spaces between words, without invisible characters, and
    with each accent joined to its letter as one character."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    chars = []
    # NFC joins accents to their letters: the typefaces have letters with accents, but few accents
    # alone.
    for char in unicodedata.normalize("NFC", text):
        if char == _NO_BREAK:
            chars.append(char)
        elif char.isspace():
            chars.append(" ")
        elif unicodedata.category(char) == "Cs":  # half of a surrogate pair, which no file can hold
            chars.append(STAND_IN)
        elif not _is_invisible(char):
            chars.append(char)
    # Only plain spaces are joined: ``split`` without a space would take no-break spaces, too.
    words = "".join(chars).split(" ")
    return " ".join(word for word in words if word)


def _is_invisible(char: str) -> bool:
    """Whether it is a control, a direction mark or a joiner (Cc, Cf), or a variation selector."""
    is_variation_selector = "\ufe00" <= char <= "\ufe0f"
    return unicodedata.category(char) in ("Cc", "Cf") or is_variation_selector


def markup(text: str, face: Face) -> str:
    """``text`` escaped for a paragraph set in ``face``, with tags around runs of another face."""
    marked = ""
    for used_face, part in runs(text, face):
        if used_face == face:
            marked += escape(part)
        else:
            marked += f'<font name="{used_face}">{escape(part)}</font>'
    return marked


def width(text: str, face: Face, size: float) -> float:
    """The width of ``text`` on one line, in points."""
    return _width(runs(text, face), size)


@lru_cache(maxsize=16384)
def _width(text_runs: tuple[TextRun, ...], size: float) -> float:
    """The width of a text on one line; the same numbers and names are measured again and again."""
    ready()  # the PDF library measures only in faces that are registered
    widths = [pdfmetrics.stringWidth(part, face, size) for face, part in text_runs]
    # Rounded once, and so the same on every Python: ``sum`` rounds otherwise from 3.12 on.
    return float(math.fsum(widths))
