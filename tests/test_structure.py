"""The package: its layers and modules, and what must never be written into it."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Container
from pathlib import Path

import pytest

import skirmish

PACKAGE = Path(skirmish.__file__).parent
ROOT = PACKAGE.parent
HEAVY = ("textual", "typer", "sqlmodel", "sqlalchemy", "alembic", "reportlab", "sqlite3")
IN_CHECKOUT = (ROOT / "pyproject.toml").is_file()


def run(*command: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=120
    )


@pytest.mark.skipif(not IN_CHECKOUT, reason="the contracts stand in pyproject.toml")
def test_every_module_imports_only_from_the_layers_below_it() -> None:
    """The contracts of pyproject.toml."""
    pytest.importorskip("importlinter")
    program = "from importlinter.cli import lint_imports; raise SystemExit(lint_imports())"
    done = run(sys.executable, "-c", program)
    assert done.returncode == 0, done.stdout + done.stderr


BREACHES = {
    "games/omaha/probe.py": "from skirmish import library",  # a layer above
    "probe.py": "",  # a module without a layer
    "store/probe.py": "from skirmish.games.gts import game",
    "games/gts/probe.py": "from skirmish.games.omaha import game",
    "tabletop/probe.py": "import urllib.request",
}
"""A module for each contract that it breaks."""


@pytest.mark.skipif(not IN_CHECKOUT, reason="the contracts stand in pyproject.toml")
def test_a_breach_of_each_contract_is_noticed(tmp_path: Path) -> None:
    """In a copy of the package. A contract that nothing can break holds nothing."""
    pytest.importorskip("importlinter")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    shutil.copytree(PACKAGE, tmp_path / "skirmish", ignore=shutil.ignore_patterns("__pycache__"))
    for path, line in BREACHES.items():
        (tmp_path / "skirmish" / path).write_text(line + "\n", "utf-8")
    program = "from importlinter.cli import lint_imports; raise SystemExit(lint_imports())"
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode != 0
    contracts = re.findall(r"^(.+) (KEPT|BROKEN)$", done.stdout, re.MULTILINE)
    assert len(contracts) == 4, done.stdout
    assert {state for _, state in contracts} == {"BROKEN"}, done.stdout
    assert "omaha.probe -> skirmish.library" in done.stdout
    assert "skirmish.probe" in done.stdout
    assert "urllib" in done.stdout


def test_no_two_files_of_the_tests_have_one_name() -> None:
    """pytest reads them by their names alone, and leaves the second out of a whole run."""
    here = Path(__file__).parent
    names = [path.name for path in here.rglob("*.py") if path.name != "conftest.py"]
    assert sorted(name for name in set(names) if names.count(name) > 1) == []


@pytest.mark.parametrize("layer", ["skirmish.tabletop", "skirmish.games"])
def test_rules_load_neither_screen_nor_store_nor_paper(layer: str) -> None:
    """Every module of the layer, in a fresh process."""
    program = f"""
import importlib, pkgutil, sys
layer = importlib.import_module({layer!r})
names = [one.name for one in pkgutil.walk_packages(layer.__path__, {layer!r} + ".")]
for name in names:
    importlib.import_module(name)
assert len(names) > 3, names
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
from skirmish.games.beach_head import game, orders, policies, wording
print(*sorted({"numpy"} & set(sys.modules)))
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
    for layer in ("games", "tabletop"):
        for path in (PACKAGE / layer).rglob("*.py"):
            found = worldly.search(path.read_text("utf-8"))
            assert not found, f"{path.relative_to(PACKAGE)}: {found and found.group(0)!r}"


def test_a_class_name_occurs_once() -> None:
    """Except in games, which never import one another."""
    found: dict[str, list[str]] = {}
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(PACKAGE).parts
        game = parts[1] if parts[0] == "games" else ""
        for name in re.findall(r"^class (\w+)", path.read_text("utf-8"), re.MULTILINE):
            found.setdefault(name, []).append(game)
    assert len(found) > 500
    assert not [
        name
        for name, games in found.items()
        if len(games) > 1 and ("" in games or len(games) > len({*games}))
    ]


def imported(path: Path, modules: Container[str]) -> set[str]:
    """The modules that a file imports, or from which it imports a name, anywhere in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found = {f"{node.module}.{alias.name}" for alias in node.names}
            names |= {one if one in modules else node.module for one in found}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return names


def test_no_module_leads_back_to_itself() -> None:
    """By its imports, those in functions and for types included."""
    paths = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for path in PACKAGE.rglob("*.py")
    }
    direct = {
        module: (imported(path, paths) & paths.keys()) - {module} for module, path in paths.items()
    }
    assert len(direct) > 100

    def reached(module: str) -> set[str]:
        found, waiting = set[str](), [module]
        while waiting:
            new = direct[waiting.pop()] - found
            found |= new
            waiting += new
        return found

    circular = {module for module in direct if module in reached(module)}
    assert sorted(circular) == []


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


def test_no_style_sheet_changes_the_screen_of_another() -> None:
    """A sheet stays loaded once its screen was open, so what it says of a name that another uses
    too must begin with its screen."""
    named: dict[str, set[Path]] = {}
    bare: dict[str, set[Path]] = {}
    for sheet in PACKAGE.rglob("*.tcss"):
        for selectors in re.findall(r"^([^\s{}][^{}]*)\{", sheet.read_text("utf-8"), re.MULTILINE):
            for one in map(str.strip, selectors.split(",")):
                for name in re.findall(r"#([\w-]+)", one):
                    named.setdefault(name, set()).add(sheet)
                    if not one[0].isupper():
                        bare.setdefault(name, set()).add(sheet)
    assert sorted(name for name in bare if len(named[name]) > 1) == []
