"""The registry of games: what it names is there, and no game is missing."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import skirmish
from skirmish.registry import BATTLE, GAMES, Listed, listed, load, screen_opener
from skirmish.tabletop.data_file import DataError
from skirmish.tabletop.game import Game
from skirmish.tabletop.journal_codec import JournalCodec

EVERY = [BATTLE, *GAMES]


@pytest.mark.parametrize("game", EVERY, ids=lambda game: game.id)
def test_what_the_registry_names_is_there(game: Listed) -> None:
    assert isinstance(game.codec(), JournalCodec)
    assert callable(screen_opener(game.id))
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
    # Campaigns are played with the flagship's battles, so they stand in its folder.
    assert {game.id for game in EVERY} == {*folders, "campaign"}


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
loaded = []

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
    loaded.append(registry.load("gts").other)

first = threading.Thread(target=load)
first.start()
described.wait()
load()
first.join()
print(loaded)
"""


def test_a_game_may_be_opened_while_it_is_being_prepared() -> None:
    """Enter at home, a second after the start, could end the program with a segmentation fault."""
    done = subprocess.run(
        [sys.executable, "-c", TWO_THREADS], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "[2, 2]\n"), done.stderr


TWO_READERS = """
import threading, time
from skirmish import library
from skirmish.games.plastic.rules import army

described = threading.Event()
names = []

def slowly() -> type:
    described.set()
    time.sleep(0.2)
    return str

army.slowly = slowly
army.ArmyGroup.__annotations__["name"] = "slowly()"
library.catalog()
BODY = '{"name":"A","points":9,"units":{"rifle":1},"group":[{"name":"1st","units":{"rifle":1}}]}'

def read() -> None:
    names.append(library.stored_army(BODY, "A").army_list.groups[0].name)

first = threading.Thread(target=read)
first.start()
described.wait()
read()
first.join()
print(names)
"""


def test_an_army_may_be_read_while_all_armies_are_read() -> None:
    """The list of armies and a print read in threads; two of them could end the program."""
    done = subprocess.run(
        [sys.executable, "-c", TWO_READERS], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "['1st', '1st']\n"), done.stderr
