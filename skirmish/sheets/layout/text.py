"""Text: paragraphs in a few styles, and single lines drawn directly."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from reportlab.lib.styles import ParagraphStyle  # type: ignore[import-untyped]
from reportlab.platypus import Paragraph  # type: ignore[import-untyped]

from skirmish.sheets.layout import fonts, styles
from skirmish.sheets.layout.drawing import ENDLESS, Canvas
from skirmish.sheets.layout.flow import Flowable
from skirmish.sheets.layout.fonts import BOLD, ITALIC, Face
from skirmish.sheets.layout.styles import Style

_ALIGN = {"left": 0, "centre": 1, "right": 2}
"""The alignments by their numbers in the PDF library."""
_LOST_WORDS = 10
"""Letters of the last words of a text, with their stop and mark, that look lost alone on a line."""
_LONG_WORD = 14
"""Letters of a word that is hardly ever lost."""
_SHORT_TEXT = 6
"""Words of a text that is hardly ever broken."""


_line_counts: dict[tuple[str, Face, float, float], int] = {}
"""The lines that a marked text takes in a typeface, a size and a width: a page is tried in many
ways, with other leadings, and to break a text into lines takes longer than all the rest."""
_MOST_COUNTS = 8192
"""Counts that are kept; then all are forgotten, so that they do not fill the memory."""


class Text(Paragraph):  # type: ignore[misc]
    """A paragraph that is laid out once for each width, and never leaves its first line alone on a
    page."""

    marked: str | None = None
    """The text with its markup; None for a part that the PDF library has split off, which has only
    pieces."""
    head: Flowable = None
    """What is repeated above it where it opens a page, as for a ``Drawing``."""
    _laid_out = -1.0
    """The width for which its lines stand now."""
    _wanted = -1.0
    """The width for which it is drawn next."""
    _pieces: Sequence[Any] = ()

    @property
    def frags(self) -> Sequence[Any]:
        """Its pieces as the PDF library has them. The markup is read when they are asked for: most
        texts are only measured, and others like them were measured before."""
        if self.marked is not None and not self._pieces:
            self._pieces = Paragraph(self.marked, self.style).frags
        return self._pieces

    @frags.setter
    def frags(self, pieces: Sequence[Any]) -> None:
        self._pieces = pieces

    def height_at(self, width: float) -> float:
        """Its height in a column of that ``width``, in points."""
        # A page is tried in many ways, and each asks again.
        heights: dict[float, float] = self.__dict__.setdefault("_heights", {})
        if width not in heights:
            heights[width] = self._measured(width)
        return heights[width]

    def _measured(self, width: float) -> float:
        if self.marked is None:
            return self._lay_out(width)
        key = self.marked, self.style.fontName, self.style.fontSize, width
        if key not in _line_counts:
            self._lay_out(width)
            if len(_line_counts) == _MOST_COUNTS:
                _line_counts.clear()
            _line_counts[key] = len(self.blPara.lines)
        return float(_line_counts[key] * self.style.leading)

    def _lay_out(self, width: float) -> float:
        if self._laid_out != width:
            self._laid_out, self._tall = width, float(super().wrap(width, ENDLESS)[1])
        return self._tall

    def wrap(self, width: float, room: float) -> tuple[float, float]:
        """The width that it takes, and its height in it."""
        self._wanted = width
        return width, self.height_at(width)

    def drawOn(self, canvas: Any, x: float, y: float, _sW: float = 0) -> None:  # noqa: N802, N803
        self._lay_out(self._wanted)
        super().drawOn(canvas, x, y, _sW)

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        _, height = self.wrap(width, ENDLESS)
        self.drawOn(canvas, x, top - height)

    def left_over(self, width: float) -> float:
        """The points between the end of its last line and the right end of the column."""
        self._lay_out(width)
        line = self.blPara.lines[-1]
        # ReportLab has lines of two kinds: pairs of the space left and the words in a paragraph of
        # one typeface, objects in one of several.
        if isinstance(line, tuple):
            return float(line[0])
        return float(line.extraSpace)

    def split(self, width: float, room: float) -> list[Flowable]:
        # Its first line would be alone at the foot of a page.
        if room < 2 * self.style.leading:
            return []
        self._lay_out(width)
        return list(super().split(width, room))


def paragraph(text: str, style: Style = styles.TEXT, *, lead: str = "", aside: str = "") -> Text:
    """A text set in a style. ``lead`` precedes it in bold, ``aside`` follows it in italics; neither
    is markup."""
    if not aside:
        text = without_lost_words(text)
    marked = fonts.markup(text, style.face)
    if lead:
        marked = _led(lead, marked)
    if aside:
        marked += f' <font name="{ITALIC}">{fonts.markup(aside, ITALIC)}</font>'
    return _text(marked, style)


def without_lost_words(text: str) -> str:
    """``text`` with its last words bound to one another: a word or two short ones alone on the last
    line of a paragraph would look lost."""
    words = text.split(" ")
    if len(words) < _SHORT_TEXT or len(words[-1]) > _LONG_WORD:
        return text
    bound = 2
    while len("\u00a0".join(words[-bound:])) < _LOST_WORDS:
        bound += 1
    return " ".join([*words[:-bound], "\u00a0".join(words[-bound:])])


def terms(pairs: Sequence[tuple[str, str]], style: Style) -> Text:
    """Terms in bold, each followed by its text, as one paragraph."""
    marked = [_led(term, fonts.markup(text, style.face), "&nbsp;") for term, text in pairs[:-1]]
    # The last pair, if there is any, ends the paragraph.
    for term, text in pairs[-1:]:
        ending = fonts.markup(without_lost_words(text), style.face)
        marked.append(_led(term, ending, "&nbsp;"))
    return _text("&nbsp; ".join(marked), style)


def _text(marked: str, style: Style) -> Text:
    text = Text("", _style(style), frags=[])
    text.marked = marked
    return text


def _led(lead: str, marked: str, space: str = " ") -> str:
    return f'<font name="{BOLD}">{fonts.markup(lead, BOLD)}</font>{space}{marked}'


@cache
def _style(style: Style) -> Any:
    return ParagraphStyle(
        "",
        fontName=style.face,
        fontSize=style.size,
        leading=style.leading,
        alignment=_ALIGN[style.align],
        textColor=style.ink,
        allowWidows=1,
        allowOrphans=1,
        splitLongWords=1,
    )
