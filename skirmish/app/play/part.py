"""A part of a game's screen: text that is painted again only where it has changed."""

from __future__ import annotations

from typing import NamedTuple

from textual.content import Content, Span
from textual.widgets import Static


class TextAndStyles(NamedTuple):
    """A content taken apart, to see whether it has changed. Textual takes contents with the same
    text to be equal; a change of colours alone shows in the spans."""

    text: str
    spans: tuple[Span, ...]


class UnwrappedSize(NamedTuple):
    """The columns that a part has, and the rows that its content takes without being wrapped."""

    columns: int
    rows: int


class Part(Static):
    """A part of the screen. Clickable text looks as it is painted, not like a link."""

    auto_links = False

    def __init__(self, id: str) -> None:
        super().__init__(id=id, markup=False)
        self._painted: TextAndStyles | None = None
        self._painted_size: UnwrappedSize | None = None
        """None: only a layout shows how many rows and columns the content takes."""

    def say(self, content: Content) -> None:
        """Update the content if it has changed, since painting is slow. The screen is laid out
        again, which is slower still, only if the content may take another number of rows."""
        text_and_styles = TextAndStyles(content.plain, tuple(content.spans))
        if text_and_styles == self._painted:
            return
        self._painted = text_and_styles
        size = self._unwrapped_size(content)
        may_change_size = size is None or size != self._painted_size
        self.update(content, layout=may_change_size)
        self._painted_size = size

    def _unwrapped_size(self, content: Content) -> UnwrappedSize | None:
        """The size of the content; None if a line is wrapped, or if the part gets its width from
        its content, so that each content may need another layout."""
        columns = self.content_size.width
        lines = content.split("\n", allow_blank=True)
        if self.styles.is_auto_width or max(line.cell_length for line in lines) > columns:
            return None
        return UnwrappedSize(columns, len(lines))
