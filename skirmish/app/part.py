"""A part of a screen that is painted anew from the state."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static


class Part(Static):
    """A part of a view; what can be clicked in it looks as it is painted."""

    auto_links = False

    def __init__(self, id: str) -> None:
        super().__init__(id=id, markup=False)
        self._shows: object = None

    def say(self, content: Content) -> None:
        """Other words, if they are others: painting costs time."""
        shows = (content.plain, tuple(content.spans))
        if shows != self._shows:
            self._shows = shows
            self.update(content)
