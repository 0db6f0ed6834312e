"""Paragraphs of text, which are broken into lines as wide as their column."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property
from typing import Any, NamedTuple

from reportlab.lib.styles import ParagraphStyle  # type: ignore[import-untyped]
from reportlab.platypus import Paragraph  # type: ignore[import-untyped]

from skirmish.sheets.layout import fonts, styles
from skirmish.sheets.layout.drawing import ENDLESS, Canvas
from skirmish.sheets.layout.flow import Flowable
from skirmish.sheets.layout.fonts import BOLD, ITALIC, Face
from skirmish.sheets.layout.styles import Style

_ALIGNMENTS = {"left": 0, "centre": 1, "right": 2}
"""The alignments by their numbers in the PDF library."""
_LOST_LETTERS = 10
"""Last words with fewer letters than that, stops included, look lost alone on a line."""
_LONG_WORD = 14
"""A last word with more letters than that does not look lost."""
_SHORT_TEXT = 6
"""A text of fewer words than that is hardly ever broken into lines."""


class _LineCountKey(NamedTuple):
    """What the number of lines of a text depends on; its leading is not among it."""

    marked: str
    face: Face
    size: float
    width: float


_line_counts: dict[_LineCountKey, int] = {}
"""How many lines texts take. A page is tried in many ways, with several leadings, and breaking a
text into lines takes longer than all the rest."""
_MOST_LINE_COUNTS = 8192
"""So many counts are stored; then all are deleted, so that they do not fill the memory."""


class Text(Paragraph):  # type: ignore[misc]
    """A paragraph that never leaves its first line alone on a page.

    Most paragraphs are measured many times, and drawn once. So its height comes from the number of
    lines that such a text took before, if it was counted, and its lines are laid out only where
    they are needed."""

    marked: str | None = None
    """The text with its markup; None for a part that the PDF library has split off, which has only
    pieces."""
    head: Flowable = None
    """What is repeated above it where it opens a page, as for a ``Drawing``."""
    _width_of_lines: float | None = None
    """The width for which its lines are laid out now, if they are."""
    _height_of_lines = 0.0
    """The height of these lines."""
    _width_to_draw = 0.0
    """The width for which it was wrapped, and will be drawn."""
    _pieces: Sequence[Any] = ()
    """What ``frags`` returns, once the markup was read."""

    @property
    def frags(self) -> Sequence[Any]:
        """Its pieces as the PDF library has them, each in one typeface. The markup is read when
        they are asked for: most texts are only measured, and others like them were measured before.
        """
        if self.marked is not None and not self._pieces:
            self._pieces = Paragraph(self.marked, self.style).frags
        return self._pieces

    @frags.setter
    def frags(self, pieces: Sequence[Any]) -> None:
        self._pieces = pieces

    def height_at(self, width: float) -> float:
        """Its height in a column of that ``width``, in points."""
        if width not in self._heights:
            self._heights[width] = self._measured_height(width)
        return self._heights[width]

    @cached_property
    def _heights(self) -> dict[float, float]:
        """The heights that were asked for, by the width of the column."""
        return {}

    def _measured_height(self, width: float) -> float:
        """Its height, from the number of lines that such a text took before if it was counted."""
        if self.marked is None:
            self._lay_out(width)
            return self._height_of_lines
        key = _LineCountKey(self.marked, self.style.fontName, self.style.fontSize, width)
        if key not in _line_counts:
            self._lay_out(width)
            if len(_line_counts) == _MOST_LINE_COUNTS:
                _line_counts.clear()
            _line_counts[key] = len(self.blPara.lines)
        return float(_line_counts[key] * self.style.leading)

    def _lay_out(self, width: float) -> None:
        """Breaks it into lines of that ``width``, unless it is broken into such lines already. The
        PDF library stores them in ``blPara``."""
        if self._width_of_lines != width:
            _, height = super().wrap(width, ENDLESS)
            self._width_of_lines, self._height_of_lines = width, float(height)

    def wrap(self, width: float, room: float) -> tuple[float, float]:
        """The width that it takes, and its height at that width."""
        self._width_to_draw = width
        return width, self.height_at(width)

    def drawOn(self, canvas: Any, x: float, y: float, _sW: float = 0) -> None:  # noqa: N802, N803
        self._lay_out(self._width_to_draw)
        super().drawOn(canvas, x, y, _sW)

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        _, height = self.wrap(width, ENDLESS)
        self.drawOn(canvas, x, top - height)

    def room_after_last_line(self, width: float) -> float:
        """The points between the end of its last line and the right end of the column."""
        self._lay_out(width)
        line = self.blPara.lines[-1]
        # ReportLab has lines of two kinds: in a paragraph of one typeface pairs of the space left
        # and the words, in one of several typefaces objects.
        if isinstance(line, tuple):
            space_left, _ = line
        else:
            space_left = line.extraSpace
        return float(space_left)

    def split(self, width: float, room: float) -> list[Flowable]:
        # Its first line would be alone at the foot of a page.
        if room < 2 * self.style.leading:
            return []
        self._lay_out(width)
        return list(super().split(width, room))


def paragraph(text: str, style: Style = styles.TEXT, *, lead: str = "", aside: str = "") -> Text:
    """A text set in a style. ``lead`` precedes it in bold, ``aside`` follows it in italics. None of
    them is read as markup."""
    # With an aside the last words of the text are not the last of the paragraph.
    if not aside:
        text = without_lost_words(text)
    marked = fonts.markup(text, style.face)
    if lead:
        marked = _with_lead(lead, marked)
    if aside:
        marked += f' <font name="{ITALIC}">{fonts.markup(aside, ITALIC)}</font>'
    return _marked_text(marked, style)


def without_lost_words(text: str) -> str:
    """``text`` with its last words, at least two, bound to one another by no-break spaces: a word
    or two short ones alone on the last line of a paragraph would look lost."""
    words = [word for word in text.split(" ") if word]
    if len(words) < _SHORT_TEXT or len(words[-1]) > _LONG_WORD:
        return text
    # So many words are at least as long as that together, so the loop ends.
    bound_count = 2
    while len(_bound(words[-bound_count:])) < _LOST_LETTERS:
        bound_count += 1
    return " ".join([*words[:-bound_count], _bound(words[-bound_count:])])


def _bound(words: Sequence[str]) -> str:
    """The words with no-break spaces between them."""
    return "\u00a0".join(words)


def terms(pairs: Sequence[tuple[str, str]], style: Style) -> Text:
    """Terms in bold, each followed by its text, as one paragraph."""
    marked_pairs = []
    for number, (term, text) in enumerate(pairs, 1):
        words = text
        if number == len(pairs):  # its words are the last of the paragraph
            words = without_lost_words(text)
        marked_pairs.append(_with_lead(term, fonts.markup(words, style.face), "&nbsp;"))
    return _marked_text("&nbsp; ".join(marked_pairs), style)


def _marked_text(marked: str, style: Style) -> Text:
    """A paragraph whose markup is read only when it is needed."""
    text = Text("", _paragraph_style(style), frags=[])
    text.marked = marked
    return text


def _with_lead(lead: str, marked: str, space: str = " ") -> str:
    """The markup of a text, after that of its ``lead`` in bold and a space."""
    return f'<font name="{BOLD}">{fonts.markup(lead, BOLD)}</font>{space}{marked}'


@cache
def _paragraph_style(style: Style) -> Any:
    """The style as the PDF library has it."""
    return ParagraphStyle(
        "",
        fontName=style.face,
        fontSize=style.size,
        leading=style.leading,
        alignment=_ALIGNMENTS[style.align],
        textColor=style.ink,
        allowWidows=1,
        allowOrphans=1,
        splitLongWords=1,
    )
