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
from typing import Any, TypeAlias
from xml.sax.saxutils import escape

from reportlab import rl_config  # type: ignore[import-untyped]
from reportlab.pdfbase import pdfmetrics  # type: ignore[import-untyped]
from reportlab.pdfbase.ttfonts import TTFError, TTFont  # type: ignore[import-untyped]

from skirmish.sheets import output
from skirmish.sheets.output import STAND_IN
from skirmish.tabletop.data_file import DataError, Problem

Face: TypeAlias = str
BODY, ITALIC, BOLD = "Body", "Body-Italic", "Body-Bold"
MEDIUM, LABEL, HEAD = "Narrow-Medium", "Narrow-SemiBold", "Narrow-Bold"
TITLE = "Title"
WIDE, WIDE_BOLD = "Wide", "Wide-Bold"
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
_FOLDER = Path(__file__).parents[1] / "fonts"
_HEAVY = {BOLD, LABEL, HEAD, TITLE, WIDE_BOLD}


@cache
def ready() -> dict[Face, Any]:
    """Loads every face once, registers it with the PDF library, and returns the faces by name.
    Raises DataError for a file that is missing or cannot be read."""
    rl_config.useA85 = 0  # binary streams: a fifth smaller
    fonts = {name: _loaded(name, _FOLDER / f"{file}.ttf") for name, file in _FILES.items()}
    for font in fonts.values():
        pdfmetrics.registerFont(font)
    pdfmetrics.registerFontFamily(BODY, BODY, BOLD, ITALIC, BOLD)
    return fonts


def runs(text: str, face: Face) -> tuple[tuple[Face, str], ...]:
    """``text`` as stretches that one face each can print."""
    found, missing = _runs(text, face)
    for sign in missing:
        output.note(sign)
    return found


def _loaded(name: Face, path: Path) -> Any:
    try:
        return TTFont(name, str(path))
    except (TTFError, OSError) as error:
        wrong = "cannot be read" if path.is_file() else "is missing"
        text = f"this font {wrong}, and nothing can be printed without it; reinstall Skirmish."
        raise DataError(str(path), [Problem("", text)]) from error


@lru_cache(maxsize=4096)
def _runs(text: str, face: Face) -> tuple[tuple[tuple[Face, str], ...], str]:
    fonts = ready()
    wide = WIDE_BOLD if face in _HEAVY else WIDE
    found: list[tuple[Face, str]] = []
    missing = ""
    for char in clean(text):
        if char == "\xa0" or ord(char) in fonts[face].face.charToGlyph:
            taken = (face, char)
        elif ord(char) in fonts[wide].face.charToGlyph:
            taken = (wide, char)
        else:
            taken = (face, STAND_IN)
            missing += char
        if found and found[-1][0] == taken[0]:
            found[-1] = (taken[0], found[-1][1] + taken[1])
        else:
            found.append(taken)
    return tuple(found), missing


def clean(text: str) -> str:
    """``text`` composed, on one line, without invisible characters."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    chars = []
    for char in unicodedata.normalize("NFC", text):
        kind = unicodedata.category(char)
        if char == "\xa0":
            chars.append(char)
        elif char.isspace():
            chars.append(" ")
        elif kind == "Cs":
            chars.append(STAND_IN)
        elif kind not in ("Cc", "Cf") and not "\ufe00" <= char <= "\ufe0f":
            chars.append(char)
    return " ".join(word for word in "".join(chars).split(" ") if word)


def markup(text: str, face: Face) -> str:
    """``text`` escaped for a paragraph set in ``face``."""
    return "".join(
        escape(part) if name == face else f'<font name="{name}">{escape(part)}</font>'
        for name, part in runs(text, face)
    )


def width(text: str, face: Face, size: float) -> float:
    ready()
    return float(
        math.fsum(pdfmetrics.stringWidth(part, name, size) for name, part in runs(text, face))
    )
