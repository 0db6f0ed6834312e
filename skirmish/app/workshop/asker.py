"""Small questions of the workshop: one of several lines, or a text."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from skirmish.app.asking import ChoiceScreen, OfferedChoice, TextEntry
from skirmish.app.host import Host
from skirmish.games.plastic.workshop import blank_slots


class Asker:
    """Opens a window for each question and returns the answer, None if the player gives up. Only a
    worker of Textual can wait for it."""

    def __init__(self, app: Host) -> None:
        self.app = app

    async def choose(self, title: str, choices: Sequence[OfferedChoice]) -> str | None:
        """The id of the chosen line."""
        return await self.app.push_screen_wait(ChoiceScreen(title, text="", choices=choices))

    async def choose_index(self, title: str, lines: Sequence[str]) -> int | None:
        """The index of the chosen line."""
        choices = [OfferedChoice(str(index), line) for index, line in enumerate(lines)]
        chosen = await self.choose(title, choices)
        if chosen is None:
            return None
        return int(chosen)

    async def text(
        self,
        title: str,
        question: str,
        check: Callable[[str], object],
        *,
        at_first: str = "",
        longest: int = blank_slots.LONGEST_TEXT,
    ) -> str | None:
        """A typed text; ``at_first`` stands in the entry. ``check`` raises ValueError with a
        sentence for a text that does not fit, which can then be mended."""
        entry = TextEntry(title, question, at_first, check, longest=longest)
        return await self.app.push_screen_wait(entry)


def any_text(text: str) -> None:
    """A check that every text passes."""


def not_empty(text: str) -> None:
    """A check that raises ValueError with a sentence for an empty text."""
    if not text.strip():
        raise ValueError("Nothing is typed.")
