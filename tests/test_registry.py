"""The registry of games: what it names is there, and no game is missing."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import skirmish
from skirmish.registry import BATTLE, GAMES, Listed, listed, load, opened
from skirmish.tabletop.data_file import DataError
from skirmish.tabletop.game import Game
from skirmish.tabletop.journal import JournalCodec

EVERY = [BATTLE, *GAMES]


@pytest.mark.parametrize("game", EVERY, ids=lambda game: game.id)
def test_what_the_registry_names_is_there(game: Listed) -> None:
    assert isinstance(game.codec(), JournalCodec)
    assert callable(opened(game.id))
    assert listed(game.id) == game


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_game_of_the_shell_is_what_its_line_says(game: Listed) -> None:
    found = load(game.id)
    assert isinstance(found, Game)
    assert (found.id, found.name) == (game.id, game.name)
    assert not game.panel or callable(import_module(game.panel).panel)
    assert not game.sheets or import_module(game.sheets).documents()


def test_every_game_has_its_line() -> None:
    games = Path(skirmish.__file__).parent / "games"
    folders = {path.name for path in games.iterdir() if (path / "__init__.py").is_file()}
    assert {game.id for game in EVERY} == folders


def test_a_game_of_a_later_version_is_not_known() -> None:
    assert listed("longest_day") is None
    with pytest.raises(DataError, match="does not know that game"):
        load("longest_day")


TWO_THREADS = """
from __future__ import annotations
import sys, threading, time, types
import msgspec
from skirmish import registry

described = threading.Event()

def slowly() -> type:
    described.set()
    time.sleep(0.2)
    return int

class Inner(msgspec.Struct):
    number: slowly()

class Outer(msgspec.Struct):
    inner: Inner
    other: int

def game(tables, revision):
    return msgspec.convert({"inner": {"number": 1}, "other": 2}, Outer)

sys.modules["slow_game"] = types.SimpleNamespace(game=game)
registry.listed = lambda id: registry.Listed(id, "Slow", "", "slow_game")

def load() -> None:
    print(registry.load("gts").other)

first = threading.Thread(target=load)
first.start()
described.wait()
load()
first.join()
"""


def test_a_game_may_be_opened_while_it_is_being_prepared() -> None:
    """Enter at home, a second after the start, could end the program with a segmentation fault."""
    done = subprocess.run(
        [sys.executable, "-c", TWO_THREADS], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "2\n2\n"), done.stderr
