"""Prints what stands beside this file, by the command that everybody has: ``make reports``.

All is printed somewhere else first; only if everything could be printed is anything here changed.
"""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path

from skirmish import library
from skirmish.cli import run

HERE = Path(__file__).resolve().parent
PAPERS = ("a4", "letter")


def sheets() -> Iterator[tuple[str, ...]]:
    """What is printed on each paper, as typed behind ``skirmish print``."""
    for number in library.scenarios():
        yield "scenario", str(number)
    yield ("reference",)
    yield ("beach-head",)


def printed(words: tuple[str, ...], paper: str, folder: Path) -> None:
    """One sheet into ``folder``, whatever whoever runs this has set; raises SystemExit where the
    command could not print it."""
    output = io.TextIOWrapper(io.BytesIO(), "utf-8")
    options = ("--paper", paper, "--ink", "colour", "-o", str(folder))
    try:
        with redirect_stdout(output):
            run(["print", *words, *options])
    except SystemExit as ended:
        if ended.code:  # a command that did what it should ends with 0 or None
            raise


def print_all(folder: Path) -> None:
    """Every sheet into a folder for each paper in ``folder``."""
    for paper in PAPERS:
        (folder / paper).mkdir()
        for words in sheets():
            printed(words, paper, folder / paper)


def renew(folder: Path) -> None:
    """Let ``folder`` hold what is printed today, and no other PDF."""
    with tempfile.TemporaryDirectory() as scratch:
        fresh = Path(scratch)
        print_all(fresh)
        files = {}
        for path in fresh.rglob("*.pdf"):
            files[path.relative_to(fresh)] = path.read_bytes()
    for path in folder.rglob("*.pdf"):
        if path.relative_to(folder) not in files:
            path.unlink()
            print(f"{path.relative_to(folder)} is printed no more and was removed")
    changed = 0
    # A file that is the same stays untouched, so that its date says when it changed.
    for name, data in files.items():
        path = folder / name
        if not path.is_file() or path.read_bytes() != data:
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(data)
            changed += 1
    print(f"reports/: {len(files)} files, {changed} of them changed")


if __name__ == "__main__":
    renew(HERE)
