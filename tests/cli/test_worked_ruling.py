"""The worked example of a ruling in CONTRIBUTING: its question, its rule and its test, put where
the page says, are a ruling whose answers differ and that the rules show."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest
from at_the_desk import ROOT

SECTION = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("## Add a ruling\n")[2]
STEPS = SECTION.partition("\n## ")[0]
BLOCK = re.compile(r"^   ```(?:toml|python)\n(.*?)^   ```$", re.MULTILINE | re.DOTALL)
COPIED = ("skirmish", "data", "tests", "pyproject.toml")
LEFT_OUT = ("__snapshots__", ".*")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the project in which every step of the page has been taken."""
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tmp_path / name, ignore=shutil.ignore_patterns(*LEFT_OUT))
        else:
            shutil.copy(source, tmp_path / name)
    question, rule, example = (dedent(block) for block in BLOCK.findall(STEPS))
    rulings = tmp_path / "data/plastic/rulings.toml"
    rulings.write_text(rulings.read_text("utf-8") + "\n" + question, "utf-8")
    checks = "skirmish/games/plastic/rules/checks.py"
    before_the_seats = '    # "A raft instead of 4 guys"'
    put_before(tmp_path / checks, before_the_seats, indented(rule))
    start, _, line = example.partition("EXAMPLES: dict[str, Example] = {\n")
    examples = tmp_path / "tests/games/plastic/battle/test_live_rulings.py"
    put_before(examples, "EXAMPLES: dict[str, Example] = {\n", start)
    first_line = re.search(r"EXAMPLES: .*\n", examples.read_text("utf-8"))
    assert first_line is not None
    text = examples.read_text("utf-8")
    examples.write_text(text.replace(first_line[0], first_line[0] + line), "utf-8")
    (listed,) = re.findall(r"`(rulings = \[[^\]]*\"P90\"\])`", STEPS)
    reference = tmp_path / "data/plastic/texts/reference.toml"
    before = listed.replace(', "P90"', "")
    text = reference.read_text("utf-8")
    assert text.count(before) == 1
    reference.write_text(text.replace(before, listed), "utf-8")
    return tmp_path


def put_before(file: Path, place: str, text: str) -> None:
    whole = file.read_text("utf-8")
    assert whole.count(place) == 1, f"{file.name} has no {place!r}"
    file.write_text(whole.replace(place, text + place), "utf-8")


def indented(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())


def run(project: Path, *words: str) -> str:
    """What Python prints in the copy; fails if it fails."""
    surroundings = {**os.environ, "PYTHONPATH": str(project)}
    done = subprocess.run(
        [sys.executable, "-m", *words],
        cwd=project,
        env=surroundings,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_ruling_of_contributing_is_decided_and_shown(project: Path) -> None:
    tests = "tests/games/plastic/battle/test_live_rulings.py"
    run(project, "pytest", "-p", "no:cacheprovider", "-k", "P90", tests)
    assert "P90 Cannon and men." in run(project, "skirmish", "rules", "P90")
