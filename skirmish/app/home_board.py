"""The board of the battle that is chosen on the home screen: its map, what is left of both sides,
its losses by turn. It is imported when it is first shown, after the first paint and the first
keys."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any, NamedTuple

from textual.content import Content
from textual.geometry import Size
from textual.theme import Theme
from textual.widgets import Static

from skirmish import registry
from skirmish.app.host import Host
from skirmish.app.page_view import painted
from skirmish.app.text_rows import shortened
from skirmish.app.text_styles import DIM, STRONG
from skirmish.games.plastic.army_file import GAME
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.strength import side_strength
from skirmish.store.records import BattleRecord
from skirmish.tabletop.game import PLAYERS
from skirmish.tabletop.journal import Play
from skirmish.tabletop.typed import plain

MOST_ENTRIES = 400
"""Entries of a journal up to which its board is shown: a longer one takes too long to read while
somebody only walks through the list."""
MARGIN = 4
"""Columns beside the board."""
BELOW_MAP = 12
"""Rows that the map leaves to the rest of the board: the title, the turn, a blank row, one for each
side, a blank row, and up to six for the losses by turn."""
NAME_WIDTH = 16
"""Columns of a side's name, with its sign before it and a space before and after the name."""
SIGN_AND_SPACES = 3
"""The columns of ``NAME_WIDTH`` that the sign and the two spaces take."""
ABOVE_AND_BELOW = 2
"""Rows of the screen that the board leaves free."""


class _PaintedFor(NamedTuple):
    """What the painted board depends on: while these stay the same, it is not painted again."""

    battle: BattleRecord
    size: Size
    theme: Theme


class HomeBoard(Static):
    """The board of one battle. ``read`` gets the battle from the store; ``show`` then paints it,
    when the board has been laid out."""

    def __init__(self) -> None:
        super().__init__(id="home-board", markup=False)
        self._painted_for: _PaintedFor | None = None

    def shows_already(self, app: Host, battle: BattleRecord) -> bool:
        """Whether the board of this battle is painted already, for this size and theme."""
        return self._painted_for == _PaintedFor(battle, self.size, app.current_theme)

    async def read(self, app: Host, battle: BattleRecord) -> Play[Any, Any, Any] | None:
        """The battle as its journal records it; None if the journal is too long (``MOST_ENTRIES``).
        Raises StoreError and RecordError."""
        records = await app.stored(lambda store: store.entries(battle.id))
        if len(records) > MOST_ENTRIES:
            return None
        game = await asyncio.to_thread(registry.load, battle.game)
        return await asyncio.to_thread(game.codec.replay, records)

    def show(self, app: Host, battle: BattleRecord, play: Play[Any, Any, Any]) -> None:
        """Paint the board in the room that the screen has. Any error of a painter is raised."""
        self._painted_for = _PaintedFor(battle, self.size, app.current_theme)
        width, height = self.size.width - MARGIN, self.size.height - ABOVE_AND_BELOW
        title = Content.styled(shortened(plain(battle.title).upper(), width), STRONG)
        if battle.game == GAME:  # the flagship
            lines = [title, *_battle_lines(app, play, Size(width, height))]
        else:
            game = registry.load(battle.game)
            board = game.board(play.state, PLAYERS)
            page = painted(board, width, colours=game.colours(play.state))
            lines = [title, Content(""), page]
        self.update(Content("\n").join(lines))


def _battle_lines(app: Host, play: Play[Any, Any, Any], room: Size) -> Iterator[Content]:
    """A battle in this room: its turn, its map, how both sides stand."""
    from skirmish.app.scenarios.map_picture import board_map, inks_of

    state: State = play.state
    turn = f"Turn {state.clock.turn}"
    if state.setup.ends_after:
        turn += f" of {state.setup.ends_after.turn}"
    yield Content.styled(turn, DIM)
    scenario = state.setup.scenario
    if scenario is not None and scenario.map is not None:
        map_room = Size(room.width, room.height - BELOW_MAP)
        picture = board_map(scenario, map_room, inks_of(app))
        yield from picture.split("\n")
    yield Content("")
    yield from standing_lines(play, room.width)


def standing_lines(play: Play[Any, Any, Any], width: int) -> Iterator[Content]:
    """What is left of both sides, and the losses by turn."""
    from skirmish.app.battle.strip import strip_lines
    from skirmish.games.plastic.casualties import casualty_strip

    state: State = play.state
    for side in state.setup.sides:
        yield _strength_line(state, side.id, width)
    yield Content("")
    strip = casualty_strip(play)
    yield from strip_lines(strip, state.setup.signs, width, clickable=False)


def _strength_line(state: State, side_id: str, width: int) -> Content:
    """``○ AMERICANS  ▄▄▄▄▄▁▁  58 of 77``: what is left of a side."""
    side_signs = state.setup.signs[side_id]
    colour = f"$side-{side_signs.name}"
    people = plain(state.setup.side_by_id[side_id].people).upper()
    name = f"{side_signs.sign} {shortened(people, NAME_WIDTH - SIGN_AND_SPACES)}"
    strength = side_strength(state, side_id)
    left = max(strength - state.loss.get(side_id, 0), 0)
    in_numbers = f" {left} of {strength}"
    bar_width = max(width - NAME_WIDTH - len(in_numbers), 0)
    filled = 0
    if strength:  # the bar of a side without any strength is empty
        filled = round(bar_width * left / strength)
    bar = "▄" * filled + "▁" * (bar_width - filled)
    return Content.assemble((f"{name:<{NAME_WIDTH}}", f"bold {colour}"), (bar, colour), in_numbers)
