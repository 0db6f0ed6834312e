"""Parts of the battle screen that answer to the player: a side's pools, the field for a draw."""

from __future__ import annotations

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

    def show(self, state: State, draft: Draft, wide: bool) -> None:
        """Paint the side as it stands. A contingent is named where there are several."""
        letters_on = state.outcome is None and draft.choosing(state) in (None, self.side)
        lines = [words.side_title(state, self.side)]
        self._keys = [None]
        several = len([c for c in state.setup.contingents if c.side == self.side]) > 1
        named = ""
        for row in rows(state, self.side):
            if several and row.contingent.id != named:
                named = row.contingent.id
                lines.append(Content(f" {row.contingent.name}").stylize("$secondary"))
                self._keys.append(None)
            lines.append(words.row_line(row, draft, letters_on, wide))
            self._keys.append(row.key)
        self.update(Content("\n").join(lines))

    def on_click(self, event: events.Click) -> None:
        """Choose the row under the mouse."""
        line = int(event.y)
        if 0 <= line < len(self._keys) and (key := self._keys[line]):
            self.post_message(self.Picked(key))


class DrawInput(Input):
    """Where a player types his own card or roll. With nothing typed, Backspace or Esc takes the
    shot back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "take_back", "Back", show=False, tooltip="Take the shot back")
    ]

    class TakenBack(Message):
        """The player wants the shot back."""

    def show(self, ask: DrawAsk | None) -> None:
        """Be there while a draw is awaited, and only then."""
        self.display = ask is not None
        if ask is None:
            self.clear()
            return
        self.placeholder = "1 to 12" if ask.die else "7h  qs  10d"
        self.focus()

    def action_delete_left(self) -> None:
        """Backspace: a letter, or the shot."""
        if self.value:
            super().action_delete_left()
        else:
            self.action_take_back()

    def action_take_back(self) -> None:
        """Leave the field as other keys step back elsewhere."""
        self.post_message(self.TakenBack())
