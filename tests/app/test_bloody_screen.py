"""Bloody Omaha at the keyboard: the board on a narrow screen, and a game like the last one."""

from __future__ import annotations

from random import Random

from bloody_table import GAME, begun, typed
from steps import battles_listed, press, the_app, until
from textual.widgets import Static

from skirmish.app.play.screen import PlayScreen
from skirmish.app.play.setup import GameSetup
from skirmish.store.database import Store


async def test_a_new_game_is_like_the_last_one_and_its_board_fits_80_columns(where: str) -> None:
    play = typed(Random(1), begun())
    with Store.open(where) as store:
        head, *rest = play.entries
        record = store.add_battle("bloody_omaha", "Bloody Omaha", "", [GAME.codec.written(head)])
        for one in rest:
            store.append(record.id, GAME.codec.written(one), headline="", over=False)
    async with the_app(where).run_test(size=(80, 24)) as pilot:
        await battles_listed(pilot)
        await press(pilot, "m", "down", "down", "down", "down", "n")
        await until(pilot, GameSetup)
        await press(pilot, "b")
        await until(pilot, PlayScreen)
        screen = pilot.app.screen
        assert isinstance(screen, PlayScreen)
        assert screen.session.state.owned == play.state.owned
        assert not screen.query("#beside-room")
        board = str(screen.query_one("#board", Static).render()).splitlines()
        beaches = next(line for line in board if line.startswith(("B1 ", "B9 ")))
        assert beaches.count("X") == 9
        assert max(map(len, board)) <= 78
        await press(pilot, "space", "a", "space")
        assert screen.session.state.phase_id == "landing"
