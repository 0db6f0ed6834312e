"""The worked example of a game, `docs/a-game-of-five-rules.md`: its files, taken from the page, are
a game that is played by lines as the page shows it, and whose own tests pass."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from at_the_desk import ROOT, Ask

import skirmish.games
from skirmish import registry, resources

PAGE = (ROOT / "docs" / "a-game-of-five-rules.md").read_text("utf-8")
FILE = re.compile(r"^`([^`\n]+)`[^\n]*\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
"""A part of a file, below a line that begins with the file's path."""
EVENING = re.compile(r"^```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TYPED = ">"
"""How a line of the evening begins that is typed."""
CLASS = re.compile(r"^class (\w+)", re.MULTILINE)


def files() -> dict[str, str]:
    """The text of each file by its path."""
    texts: dict[str, str] = {}
    for path, part in FILE.findall(PAGE):
        texts[path] = texts.get(path, "") + part
    return texts


@pytest.fixture(autouse=True)
def bridge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The game of the page, in a folder of its own, as the only one beside the flagship."""
    for path, text in files().items():
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    package = tmp_path / "skirmish" / "games"
    monkeypatch.setattr(skirmish.games, "__path__", [*skirmish.games.__path__, str(package)])
    monkeypatch.setattr(resources, "folder", lambda: tmp_path / "data")
    names = {"Listed": registry.Listed}
    exec(files()["skirmish/registry.py"], names)
    monkeypatch.setattr(registry, "GAMES", [names["BRIDGE"]])
    registry.load.cache_clear()
    resources.revision.cache_clear()
    yield
    registry.load.cache_clear()
    resources.revision.cache_clear()
    for module in [name for name in sys.modules if name.startswith("skirmish.games.bridge")]:
        del sys.modules[module]


def test_the_evening_of_the_page_is_played_as_it_stands_there(ask: Ask, desk: Path) -> None:
    (evening,) = EVENING.findall(PAGE)
    lines = evening.splitlines()
    typed = [line.removeprefix(TYPED).strip() for line in lines if line.startswith(TYPED)]
    printed = [line for line in lines if not line.startswith(TYPED)]
    assert len(typed) > 3
    played = ask("play", "bridge", "--set", "dice=own", typed="\n".join(typed) + "\n")
    assert (played.code, played.err) == (0, "")
    assert played.out.splitlines() == printed
    exported = ask("export", "1", "--format", "jsonl", "-o", str(desk / "bridge.jsonl"))
    assert exported.code == 0, exported.err
    imported = ask("import", str(desk / "bridge.jsonl"))
    assert (imported.code, imported.err) == (0, "")


def test_the_tests_of_the_page_pass() -> None:
    names: dict[str, Any] = {}
    exec(files()["tests/games/test_bridge.py"], names)
    tests = [test for name, test in names.items() if name.startswith("test_")]
    assert len(tests) > 3
    for test in tests:
        (parametrized,) = test.pytestmark  # each of them has its cases in a list
        arguments, cases = parametrized.args
        for case in cases:
            if isinstance(arguments, str):
                test(**{arguments: case})
            else:
                test(**dict(zip(arguments, case, strict=True)))


def test_its_classes_have_names_that_no_module_outside_games_has() -> None:
    taken: set[str] = set()
    package = ROOT / "skirmish"
    for path in package.rglob("*.py"):
        if path.relative_to(package).parts[0] != "games":
            taken |= set(CLASS.findall(path.read_text("utf-8")))
    own = set(CLASS.findall(files()["skirmish/games/bridge/game.py"]))
    assert len(own) > 8
    assert own & taken == set()
