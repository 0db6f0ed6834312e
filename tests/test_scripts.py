"""Every benchmark, and every script of docs/, in its smallest size: what nothing runs is broken the
next week. How long something takes is printed by the benchmarks and asserted nowhere, so an exit
code of 1, with which some of them say that a limit is missed, is no failure here."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from deep import IS_DEEP

ROOT = Path(__file__).resolve().parents[1]
LONGEST = 240
"""Seconds, on a machine that does much else."""


class Script(NamedTuple):
    """A script with the arguments of its smallest size, and words that it prints at its end."""

    path: str
    arguments: str
    words: str
    needs: str = ""
    """A program without which it cannot run."""
    is_deep: bool = False
    """Whether it takes long and is run by `make test-deep` only."""


SCRIPTS = (
    Script("benchmarks/bare.py", "", "", needs="a terminal of its own"),
    Script("benchmarks/beach_head.py", "--seconds 0.01 --cores 1", "1 processes"),
    Script("benchmarks/beach_head.py", "--check --games 500", "500 games"),
    Script("benchmarks/campaigns.py", "--coins 3 --chance 3", "3 campaigns by chance, 0 failed"),
    Script(
        "benchmarks/commander.py",
        "--fields 2 --scenarios 1 --cores 1 --opponents straight --mirrors 1",
        "2 fields, ",
    ),
    Script(
        "benchmarks/commander.py",
        "--temperaments --fields 2 --scenarios 1 --cores 1",
        "bold beats steady in scenarios: ",
        is_deep=True,
    ),
    Script(
        "benchmarks/commander.py",
        "--weights --fields 2 --scenarios 1 --cores 1 --opponents straight",
        "choice.tie x 1.3: ",
        is_deep=True,
    ),
    Script(
        "benchmarks/commander.py",
        "--fields 2 --scenarios 1 --cores 1 --opponents straight --mirrors 1 --cluster local",
        "2 fields, ",
        is_deep=True,
    ),
    Script("benchmarks/commander_situations.py", "--situations 10 --cores 1", "0 wrong"),
    Script("benchmarks/deals.py", "--deals 10", "10 deals, 0 refused, 0 wrong"),
    Script(
        "benchmarks/rebuilt_by_keys.py",
        "--scenario 9 --things 1 --letters 4 --contingents 1",
        "equal data",
        is_deep=True,
    ),
    Script(
        "benchmarks/following.py",
        "--seconds 1 --shots 1 --entries 60",
        "after the player's",
        is_deep=True,
    ),
    Script(
        "benchmarks/gts.py",
        "--shots 1 --warm 0 --units 80 --turns 0",
        "the check",
        is_deep=True,
    ),
    Script("benchmarks/kills.py", "--rounds 1", "1 "),
    Script("benchmarks/large_battles.py", "--battles 2", "2 battles, 0 failed", is_deep=True),
    Script(
        "benchmarks/latency.py",
        "--shots 1 --entries 60 --openings 1",
        "Load at the end",
        is_deep=True,
    ),
    Script("benchmarks/monkey.py", "--keys 100", "0 breakdowns"),
    Script("benchmarks/odds.py", "--runs 1 --size 6 --sample 20 --times 1", "mixed in cover"),
    Script("benchmarks/phone.py", "--shots 1", "app", needs="chromium", is_deep=True),
    Script(
        "benchmarks/phone_load.py",
        "--seconds 1 --requests 20 --walls 2 --notes 1",
        "lost: 0",
        is_deep=True,
    ),
    Script(
        "benchmarks/sheets.py",
        "--rounds 0 --orders 20 --scenarios 1 --battles 2",
        "peak memory",
        is_deep=True,
    ),
    Script("benchmarks/size.py", "", "to the PDF", is_deep=True),
    Script(
        "benchmarks/startup.py",
        "--rounds 1 --warm 0 --battles 2 --armies 2 --entries 30 --lines 50",
        "Load at the end",
        is_deep=True,
    ),
    Script(
        "benchmarks/typed_ahead.py",
        "--lines 8",
        "8 lines typed ahead: 0 battles",
        is_deep=True,
    ),
    Script("docs/count_beach_head.py", "--games 100 --page {folder}/page.md", "games"),
    Script("docs/make_site.py", "", "", needs="mkdocs, of make site"),
    Script("docs/take_paper_pictures.py", "--first 1 --into {folder}", "sheet", needs="pdftoppm"),
    Script("docs/take_phone_pictures.py", "--into {folder}", "", needs="chromium", is_deep=True),
    Script("docs/take_pictures.py", "--first 1 --into {folder}", ""),
)
PARTS = {"figures", "long_battle", "onlooker", "slowed", "stocked", "terminal"}
"""Modules that the others import."""


def test_no_script_is_forgotten() -> None:
    there = {path for folder in ("benchmarks", "docs") for path in (ROOT / folder).glob("*.py")}
    names = {path.relative_to(ROOT).as_posix() for path in there if path.stem not in PARTS}
    assert names == {script.path for script in SCRIPTS}


def test_every_page_of_the_docs_is_in_the_contents_of_the_site() -> None:
    """MkDocs would refuse to build the site, but is not installed where the tests run."""
    contents = (ROOT / "docs" / "site" / "mkdocs.yml").read_text("utf-8")
    listed = set(re.findall(r": ([a-z-]+\.md)$", contents, re.MULTILINE))
    pages = {page.name for page in (ROOT / "docs").glob("*.md")}
    assert pages <= listed


@pytest.mark.skipif(sys.platform == "win32", reason="terminals as Linux and macOS have them")
@pytest.mark.parametrize(
    "script",
    [script for script in SCRIPTS if IS_DEEP or not script.is_deep],
    ids=lambda script: f"{script.path} {script.arguments}",
)
def test_a_script_runs(script: Script, tmp_path: Path) -> None:
    needed = script.needs
    if needed and not shutil.which(needed):
        pytest.skip(f"it needs {needed}")
    (tmp_path / "page.md").write_text("", "utf-8")
    arguments = script.arguments.format(folder=tmp_path).split()
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, script.path, *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=LONGEST,
    )
    assert "Traceback" not in done.stderr, done.stderr
    assert done.returncode in (0, 1), done.stderr
    assert script.words in done.stdout, done.stdout[-2000:]
