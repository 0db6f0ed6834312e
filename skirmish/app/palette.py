"""The command palette (Ctrl+P): whatever can be done, found by a word of it.

What the screen in front can do stands first, then what can be done everywhere: the screens that
open from home, each setting, a screenshot, each document. Once something is typed, each ruling and
the keys of all other screens are found too. What cannot be done now is greyed and says why.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, cast

from textual.command import Command, CommandInput, CommandList, CommandPalette, Hit, Hits, Provider
from textual.content import Content
from textual.widgets.option_list import Option

from skirmish.app.base_screen import Screen
from skirmish.app.host import Host
from skirmish.app.palette_lines import PaletteLine, lines_at_hand, lines_of_everything_else
from skirmish.app.text_styles import DIM, KEY

WORD_FOR_WORD, CAN_BE_DONE, WORD_BEGINS, WITHIN_WORD = 1.0, 0.5, 1.0, 0.5
"""What a line scores: for having all that is typed, word for word; for being possible now; for each
typed word with which a word of it begins; for each that is only within a word of it."""
WORD_BREAKS = str.maketrans(":-'(/", "     ")
"""Replaces the characters behind which a word may begin by blanks."""


@dataclass(eq=False)
class PaletteHit(Hit):
    """A line that was found."""

    line: PaletteLine | None = None
    """Never None. The fields before it have defaults, so that it must have one too."""


class Palette(CommandPalette, Screen[Any]):
    """Textual's palette, with its lines under headings. Lines that say what cannot be done now
    cannot be chosen."""

    def __init__(self) -> None:
        super().__init__(placeholder="Find a command, a setting, a sheet …")

    def search_again(self) -> None:
        """Search once more for what is typed, since there are more lines now."""
        typed = self.query_one(CommandInput).value.strip()
        if typed:
            self._gather_commands(typed)

    def _action_command_list(self, action: str) -> None:
        with suppress(KeyError):  # Textual fails on a page key before its lines are laid out
            super()._action_command_list(action)

    def _refresh_command_list(
        self, command_list: CommandList, commands: list[Command], clear_current: bool
    ) -> None:
        """Show what was found, under headings and with the cursor on the best line. It replaces
        Textual's own method."""
        del clear_current  # every call brings all that was found
        options = list(_under_headings(commands))
        command_list.clear_options().add_options(options)
        for number, option in enumerate(options):
            if not option.disabled:
                command_list.highlighted = number
                break
        # The cursor is on the second row; the heading above it would be out of sight.
        self.call_after_refresh(command_list.scroll_home, animate=False)
        # Textual's own method sets these too.
        self._list_visible = bool(options)
        self._hit_count = len(options)


def _under_headings(commands: Sequence[Command]) -> Iterator[Option]:
    """The lines under their headings. The group with the best line comes first; in each group, what
    can be done comes before what cannot."""
    groups: dict[str, list[Command]] = {}
    for command in sorted(commands, key=attrgetter("hit.score"), reverse=True):
        line = cast("PaletteHit", command.hit).line
        assert line is not None
        command.disabled = bool(line.why_not)
        groups.setdefault(line.group, []).append(command)
    for group, commands_of_group in groups.items():
        yield Option(Content.styled(group.upper(), "bold $primary"), disabled=True)
        yield from sorted(commands_of_group, key=attrgetter("disabled"))


class EveryCommand(Provider):
    """Finds the lines of the palette. Those of other screens take long to collect, as all modules
    are imported for it: until then only the lines at hand are found."""

    async def startup(self) -> None:
        self._lines_at_hand = list(lines_at_hand(cast("Host", self.app), self.screen))
        self._lines_collected: list[PaletteLine] = []
        self._collecting = asyncio.create_task(self._collect())

    async def shutdown(self) -> None:
        self._collecting.cancel()

    async def _collect(self) -> None:
        """Collect the lines of the other screens, and search again with them."""
        host, screen = cast("Host", self.app), self.screen

        def collected() -> list[PaletteLine]:
            return list(lines_of_everything_else(host, screen))

        self._lines_collected = await asyncio.to_thread(collected)
        palette = host.screen
        if isinstance(palette, Palette):
            palette.search_again()

    async def discover(self) -> Hits:
        # Textual sorts by the score, and keeps the order of lines with the same one.
        score_of_all = 1.0
        for line in self._lines_at_hand:
            yield _palette_hit(line, score_of_all)

    async def search(self, query: str) -> Hits:
        lines = (*self._lines_at_hand, *self._lines_collected)
        scores = [_score(line, query) for line in lines]
        has_line_with_all_words = any(score > 0 for score in scores)
        if not has_line_with_all_words:
            # As Textual does, look for the letters in their order.
            matcher = self.matcher(query)
            scores = [matcher.match(line.text) for line in lines]
        for line, score in zip(lines, scores, strict=True):
            if score > 0:
                yield _palette_hit(line, score)


def _palette_hit(line: PaletteLine, score: float) -> Hit:
    return PaletteHit(score, _painted(line), line.run, text=line.text, line=line)


def _painted(line: PaletteLine) -> Content:
    """The line with its key, or greyed with why it cannot be done now."""
    if line.why_not:
        return Content.styled(f"{line.does} ({line.why_not})", f"{DIM} not bold")
    return Content.assemble(line.does, "  ", (line.key, KEY))


def _score(line: PaletteLine, query: str) -> float:
    """How well a line fits: 0 unless it contains every word that is typed."""
    # A blank stands before each word, also before the first.
    words = f" {line.text} {line.also}".lower().translate(WORD_BREAKS)
    score = 0.0
    has_several_words = " " in query
    if has_several_words and query.lower() in words:
        score += WORD_FOR_WORD
    if not line.why_not:
        score += CAN_BE_DONE
    for typed in query.lower().split():
        forms = _singular_and_plural(typed)
        if any(f" {form}" in words for form in forms):
            score += WORD_BEGINS
        elif any(form in words for form in forms):
            score += WITHIN_WORD
        else:
            return 0.0
    return score


def _singular_and_plural(word: str) -> tuple[str, ...]:
    """A word as it is typed, and its other form if it has one: ``army``, ``armies``. A singular
    that only needs an ``s`` does not need it here, as it is found within its plural."""
    if word.endswith("ies"):
        return (word, f"{word[:-3]}y")
    if word.endswith("y"):
        return (word, f"{word[:-1]}ies")
    if word.endswith("s"):
        return (word, word[:-1])
    return (word,)
