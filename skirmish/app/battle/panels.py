"""Parts of the battle screen that answer to the player: a side's pools, the field for a draw."""

from __future__ import annotations

from itertools import groupby
from typing import ClassVar, NamedTuple

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from skirmish.app.battle import words
from skirmish.app.battle.mode import Mode
from skirmish.app.battle.side_table import heading, in_words, whole_row
from skirmish.app.fitting import Told
from skirmish.games.plastic.battle.agenda import DrawAsk
from skirmish.games.plastic.battle.rows import find, rows
from skirmish.games.plastic.battle.state import State
from skirmish.tabletop.typed import plain


class Sight(NamedTuple):
    """How a side is shown: in so many columns and lines, on a wide screen with its numbers,
    or as its ``whole`` table."""

    width: int
    room: int
    wide: bool = False
    whole: bool = False


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
        self.cut_off = False
        """Whether there was no room for all of its lines."""
        self._hovered: str | None = None
        self._state: State | None = None
        self._told: Told = plain

    def show(self, state: State, mode: Mode, told: Told, sight: Sight) -> int:
        """Paint the side as it stands, in at most ``sight.room`` lines; gives how many it took.
        What does not fit is a page further on; the row just chosen is always in sight."""
        naming = mode.naming(state)
        letters_on = state.outcome is None and naming in (None, self.side)
        head, lines, keys = _lines(state, self.side, mode, told, sight, letters_on=letters_on)
        wanted = {mode.pointer} if mode.pointer else mode.marked()
        chosen = next((key for key in keys if key in wanted), None)
        room = sight.room - len(head)  # they stay
        if chosen is None and (self._chosen is not None or state is not self._state):
            self._from = 0  # nobody reads further down any more
        self.cut_off = len(lines) > room
        if self.cut_off:
            room -= 1  # what tells of the rest
            self._from = max(min(self._from, len(lines) - room), 0)
            if chosen is not None and chosen != self._chosen:
                at = keys.index(chosen)
                self._from = max(min(self._from, at), at - room + 1)
            until = self._from + room
            rest = len(lines) - room
            more = Content.styled(f"  {rest} more lines: PgUp, PgDn", "$accent")
            lines, keys = [*lines[self._from : until], more], [*keys[self._from : until], None]
        else:
            self._from = 0
        self._chosen = chosen
        self._keys = [*([None] * len(head)), *keys]
        self._state, self._told = state, told
        self.update(Content("\n").join([*head, *lines]))
        return len(self._keys)

    def turn_page(self, by: int) -> None:
        """Other rows, where not all fit; ``show`` keeps it within bounds."""
        self._from = max(0, self._from + by)

    def on_click(self, event: events.Click) -> None:
        """Choose the row under the mouse."""
        if key := self._key_at(event.y):
            self.post_message(self.Picked(key))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """A hand that rests on a row is told what its numbers mean."""
        key = self._key_at(event.y)
        if key == self._hovered:
            return
        self._hovered = key
        row = find(self._state, key) if self._state and key else None
        self.tooltip = in_words(self._state, row, self._told) if self._state and row else None

    def _key_at(self, line: float) -> str | None:
        return self._keys[int(line)] if 0 <= line < len(self._keys) else None


def _lines(
    state: State, side: str, mode: Mode, told: Told, sight: Sight, *, letters_on: bool
) -> tuple[list[Content], list[Content], list[str | None]]:
    """A side's heading, its lines and the rows they stand for. Contingents are named where there
    are several; one that is still to come is a single line, save in the whole table. Works stand
    last."""
    after = words.NUMBERS if sight.wide and not sight.whole else ""
    head = [words.side_title(state, side, sight.width, after)]
    head += [heading(told)] if sight.whole else []
    lines: list[Content] = []
    keys: list[str | None] = []
    several = len([c for c in state.setup.contingents if c.side == side]) > 1
    for contingent, group in groupby(rows(state, side), key=lambda row: row.contingent):
        pools = list(group)
        name = plain(contingent.name)
        if not any(row.here for row in pools) and any(row.waiting for row in pools):
            men = sum(len(row.alive) for row in pools)
            late = f" {name}: {men} arrive on turn {contingent.enters}"
            lines.append(Content.styled(late, words.DIM))
            keys.append(None)
            if not sight.whole:
                continue
        elif several:
            lines.append(Content.styled(f" {name}", "$secondary"))
            keys.append(None)
        for row in pools:
            if sight.whole:
                shown = whole_row(state, row, mode, told, letters_on)
            else:
                width, wide = sight.width, sight.wide
                shown = [words.row_line(state, row, mode, told, letters_on, wide=wide, width=width)]
            lines += shown
            keys += [row.key] * len(shown)
    works = words.works_line(state, side)
    if works is not None:
        lines.append(works)
        keys.append(None)
    return head, lines, keys


class DrawInput(Input):
    """Where a player types his own cards or rolls, several on one line. Esc takes the shot back.
    ``ahead`` is what was typed after the last of them, when the field closed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "escape",
            "take_back",
            "Back",
            show=False,
            tooltip="Take the shot back",
            id="battle.take_back",
        )
    ]

    class TakenBack(Message):
        """The player wants the shot back."""

    def __init__(self, id: str) -> None:
        super().__init__(id=id, max_length=200)
        self.ahead = ""
        self._entered: list[str] = []

    def taken(self) -> str:
        """What was written when Enter was pressed; it stands there no more."""
        if not self._entered:
            self._enter()
        return self._entered.pop(0)

    def _enter(self) -> None:
        self._entered.append(self.value)
        self.clear()

    def show(self, ask: DrawAsk | None) -> None:
        """Be there while a draw is awaited, and only then: a hidden field must not get keys."""
        self.display = ask is not None
        self.disabled = ask is None
        if ask is None:
            self.ahead = self.value
            self.clear()
            return
        self.placeholder = "7   or 7 3 11" if ask.die else "7h   or 7 3h q 10"
        self.focus()

    def check_consume_key(self, key: str, character: str | None) -> bool:
        """Only what a draw is written with is typed: a rank, a suit, a space. All other keys do
        what they do on the screen, so that ``?`` explains and ``H`` goes home from here too."""
        if character is None:
            return False
        ranks, suits = "0123456789aAjJqQkK", "sShHdDcC "
        begun = bool(self.value) and not self.value.endswith(" ")
        return character in (ranks + suits if begun else ranks)

    def on_key(self, event: events.Key) -> None:
        """Keep what is no part of a draw out of the field; it goes on to the screen."""
        if event.key == "enter":  # keys after it, that may be here before it is handled, are new
            self._enter()
        if event.is_printable and not self.check_consume_key(event.key, event.character):
            event.prevent_default()

    async def action_submit(self) -> None:
        """Wait until what was typed is carried out, so that later keys find what comes next."""
        await self.app.run_action("screen.take_draws")

    def action_take_back(self) -> None:
        """Leave the field as other keys step back elsewhere."""
        self.post_message(self.TakenBack())
