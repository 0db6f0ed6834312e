"""The house: floors, rooms, and what must never be written into it."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import skirmish

PACKAGE = Path(skirmish.__file__).parent
ROOT = PACKAGE.parent
MOST_LINES = 600
MOST_OF_A_SCREEN = 600
HEAVY = ("textual", "typer", "sqlmodel", "sqlalchemy", "alembic", "reportlab", "sqlite3")
IN_CHECKOUT = (ROOT / "pyproject.toml").is_file()


def run(*command: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=120
    )


@pytest.mark.skipif(not IN_CHECKOUT, reason="the contracts stand in pyproject.toml")
def test_every_room_imports_only_from_the_floors_below_it() -> None:
    """The contracts of pyproject.toml."""
    pytest.importorskip("importlinter")
    program = "from importlinter.cli import lint_imports; raise SystemExit(lint_imports())"
    done = run(sys.executable, "-c", program)
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_two_files_of_the_tests_have_one_name() -> None:
    """pytest reads them by their names alone, and leaves the second out of a whole run."""
    here = Path(__file__).parent
    names = [path.name for path in here.rglob("*.py") if path.name != "conftest.py"]
    assert sorted(name for name in set(names) if names.count(name) > 1) == []


@pytest.mark.parametrize("floor", ["skirmish.tabletop", "skirmish.games"])
def test_rules_load_neither_screen_nor_store_nor_paper(floor: str) -> None:
    """Every room of the floor, in a fresh process."""
    program = f"""
import importlib, pkgutil, sys
floor = importlib.import_module({floor!r})
rooms = [room.name for room in pkgutil.walk_packages(floor.__path__, {floor!r} + ".")]
for room in rooms:
    importlib.import_module(room)
assert len(rooms) > 3, rooms
print(*sorted(set({HEAVY!r}) & set(sys.modules)))
"""
    done = run(sys.executable, "-c", program)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == ""


def test_a_game_is_played_without_the_arrays_of_the_simulator() -> None:
    """NumPy takes as long to load as everything else together; only statistics need it."""
    program = """
import sys
import skirmish.app.application, skirmish.cli.commands, skirmish.library
from skirmish.app.play import screen
from skirmish.app.panels import beach_head
from skirmish.games.beach_head import game, policies, resolution, wording
print(*sorted({"numpy", "numba"} & set(sys.modules)))
"""
    done = run(sys.executable, "-c", program)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == ""


def test_rules_open_no_file_and_ask_no_clock() -> None:
    """Pure: nothing of the world is imported under games and tabletop, not even lazily."""
    worldly = re.compile(
        r"^\s*(?:import|from)\s+(?:pathlib|os|io|time|secrets|socket|subprocess|tomllib|shutil|"
        r"tempfile|threading)\b|(?<!def )(?<!self\.)\bopen\(|\.(?:now|utcnow|today)\(|"
        r"\brandom\.(?:random|seed|choice|shuffle)\(",
        re.MULTILINE,
    )
    for floor in ("games", "tabletop"):
        for path in (PACKAGE / floor).rglob("*.py"):
            found = worldly.search(path.read_text("utf-8"))
            assert not found, f"{path.relative_to(PACKAGE)}: {found and found.group(0)!r}"


@pytest.mark.parametrize(("floor", "most"), [("", MOST_LINES), ("app", MOST_OF_A_SCREEN)])
def test_a_room_is_one_idea(floor: str, most: int) -> None:
    """Over 600 lines, it is two."""
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text("utf-8").splitlines())
        for path in (PACKAGE / floor).rglob("*.py")
    }
    assert len(lengths) > 50
    assert {room: length for room, length in lengths.items() if length > most} == {}


STILL_IN_CYCLES = ("skirmish.store.", "skirmish.games.plastic.battle.", "skirmish.app.battle.")
"""Packages some of whose modules import each other in a circle; one that no longer does goes."""


def imports() -> dict[str, set[str]]:
    """What each module of the package imports of it, inside functions and for types too."""
    trees = {}
    for path in PACKAGE.rglob("*.py"):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        trees[name.removesuffix(".__init__")] = ast.parse(path.read_text("utf-8"))
    found: dict[str, set[str]] = {module: set() for module in trees}
    for module, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                named = {f"{node.module}.{alias.name}" for alias in node.names}
                found[module] |= {one if one in trees else node.module for one in named}
            elif isinstance(node, ast.Import):
                found[module] |= {alias.name for alias in node.names}
    return {module: (named & trees.keys()) - {module} for module, named in found.items()}


def test_no_module_imports_itself_by_way_of_others() -> None:
    """Who reads a module must be able to read what it rests on first."""
    direct = imports()

    def reached(module: str) -> set[str]:
        found, waiting = set[str](), [module]
        while waiting:
            new = direct[waiting.pop()] - found
            found |= new
            waiting += new
        return found

    circular = {module for module in direct if module in reached(module)}
    assert sorted(module for module in circular if not module.startswith(STILL_IN_CYCLES)) == []


WITHOUT_CYCLES = ("tabletop", "games")
"""Layers of which no module leads back to itself by its imports, those in functions included."""


@pytest.mark.parametrize("layer", WITHOUT_CYCLES)
def test_no_module_leads_back_to_itself(layer: str) -> None:
    paths = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for path in (PACKAGE / layer).rglob("*.py")
    }
    left = {
        module: {name for name in _imported(path) if name in paths and name != module}
        for module, path in paths.items()
    }
    assert len(left) > 10
    while ends := {module for module, imported in left.items() if not imported & left.keys()}:
        left = {module: names for module, names in left.items() if module not in ends}
    assert sorted(left) == []


def _imported(path: Path) -> set[str]:
    """Every module that a file imports from, anywhere in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return names


def test_games_never_know_each_other() -> None:
    games = [path.name for path in (PACKAGE / "games").iterdir() if path.is_dir()]
    for game in games:
        others = [other for other in games if other not in (game, "__pycache__")]
        for path in (PACKAGE / "games" / game).rglob("*.py"):
            for other in others:
                assert f"skirmish.games.{other}" not in path.read_text("utf-8"), path


def tracked() -> list[Path]:
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    listed = run("git", "ls-files", "-z").stdout.split("\0")
    return [ROOT / name for name in listed if name and (ROOT / name).is_file()]


# Put together here, so that this file does not hold what it looks for. The checkout
# and the home of whoever runs this are looked for too, unless their names are common words.
OWN = [str(path) for path in (ROOT, Path.home()) if len(path.parts) > 2]
ABROAD = {
    "a home folder": re.compile(r"(?<!\w)(?:/Us" + r"ers/\w|/ro" + r"ot/)|[A-Z]:\\Us" + r"ers\\\w"),
    "a folder of this machine": re.compile(
        "|".join([r"(?<![\w.~])/(?:wo" + r"rk|tm" + r"p|srv|mnt)/\w", *map(re.escape, OWN)])
    ),
    "a package registry": re.compile(
        r"py" + r"pi\.org|files\.python" + r"hosted|index-" + r"url|trusted-" + r"host"
    ),
}


@pytest.mark.parametrize("what", ABROAD)
def test_nothing_of_the_machine_that_made_it_is_written_down(what: str) -> None:
    """Paths and addresses that hold on one machine only."""
    for path in tracked():
        try:
            text = path.read_text("utf-8")
        except UnicodeDecodeError:
            continue
        found = ABROAD[what].search(text)
        assert not found, f"{path.relative_to(ROOT)} holds {what}: {found and found.group(0)!r}"
