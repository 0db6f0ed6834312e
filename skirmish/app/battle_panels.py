"""Parts of the battle screen that answer to the player: a side's pools, the field for a draw."""

from __future__ import annotations

from itertools import groupby
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from skirmish.app import battle_words as words
from skirmish.app.draft import Draft
from skirmish.games.plastic.battle.events import DrawAsk
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.state import State


class PoolPanel(Static):
    """The pools of one side, one line each, under its name and losses."""

    class Picked(Message):
        """A row was clicked."""

        def __init__(self, row: str) -> None:
            super().__init__()
            self.row = row

    def __init__(self, side: str) -> None:
        super().__init__(markup=False)
        self.side = side
        self._keys: list[str | None] = []
        self._from = 0
        self._chosen: str | None = None

    def show(self, state: State, draft: Draft, wide: bool, room: int) -> None:
        """Paint the side as it stands, in at most ``room`` lines. What does not fit is a page
        further on; the row just chosen is always in sight."""
        letters_on = state.outcome is None and draft.choosing(state) in (None, self.side)
        lines, keys = _lines(state, self.side, draft, letters_on, wide)
        chosen = draft.target if draft.target in keys else draft.shooter
        room -= 1  # the title stays
        if len(lines) > room:
            room -= 1  # what tells of the rest
            self._from = min(self._from, len(lines) - room)
            if chosen in keys and chosen != self._chosen:
                at = keys.index(chosen)
                self._from = max(min(self._from, at), at - room + 1)
            until = self._from + room
            rest = len(lines) - room
            more = Content.styled(f"  {rest} more lines: PgUp, PgDn", "$accent")
            lines, keys = [*lines[self._from : until], more], [*keys[self._from : until], None]
        else:
            self._from = 0
        self._chosen = chosen
        self._keys = [None, *keys]
        self.update(Content("\n").join([words.side_title(state, self.side), *lines]))

    def turn_page(self, by: int) -> None:
        """Other rows, where not all fit; ``show`` keeps it within bounds."""
        self._from = max(0, self._from + by)

    def on_click(self, event: events.Click) -> None:
        """Choose the row under the mouse."""
        line = int(event.y)
        if 0 <= line < len(self._keys) and (key := self._keys[line]):
            self.post_message(self.Picked(key))


def _lines(
    state: State, side: str, draft: Draft, letters_on: bool, wide: bool
) -> tuple[list[Content], list[str | None]]:
    """A side's lines and the rows they stand for. Contingents are named where there are several;
    one that is still to come is a single line."""
    lines: list[Content] = []
    keys: list[str | None] = []
    several = len([c for c in state.setup.contingents if c.side == side]) > 1
    for contingent, group in groupby(rows(state, side), key=lambda row: row.contingent):
        pools = list(group)
        if not pools[0].here:
            men = sum(len(row.alive) for row in pools)
            late = f" {contingent.name}: {men} pieces on turn {contingent.enters}"
            lines.append(Content.styled(late, words.DIM))
            keys.append(None)
            continue
        if several:
            lines.append(Content.styled(f" {contingent.name}", "$secondary"))
            keys.append(None)
        for row in pools:
            lines.append(words.row_line(row, draft, letters_on, wide))
            keys.append(row.key)
    return lines, keys


class DrawInput(Input):
    """Where a player types his own card or roll. Esc takes the shot back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "take_back", "Back", show=False, tooltip="Take the shot back")
    ]

    class TakenBack(Message):
        """The player wants the shot back."""

    def show(self, ask: DrawAsk | None) -> None:
        """Be there while a draw is awaited, and only then: a hidden field must not get keys."""
        self.display = ask is not None
        self.disabled = ask is None
        if ask is None:
            self.clear()
            return
        self.placeholder = "1 to 12" if ask.die else "7h  qs  10d"
        self.focus()

    def check_consume_key(self, key: str, character: str | None) -> bool:
        """Only what a draw is written with is typed: a rank, then a suit. All other keys do what
        they do on the screen, so that ``?`` explains and ``H`` goes home from here too."""
        if character is None:
            return False
        ranks, suits = "0123456789aAjJqQkK", "sShHdDcC"
        return character in (ranks + suits if self.value else ranks)

    def on_key(self, event: events.Key) -> None:
        """Keep what is no part of a draw out of the field; it goes on to the screen."""
        if event.is_printable and not self.check_consume_key(event.key, event.character):
            event.prevent_default()

    def action_take_back(self) -> None:
        """Leave the field as other keys step back elsewhere."""
        self.post_message(self.TakenBack())
