"""Takes the pictures of docs/paper.md from the sheets in ``reports/``, and that of the report in
docs/example-battle.md from its journal: ``make pictures``.

``pdftoppm`` (of Poppler) draws the first page of each; its inks are then counted down to a palette,
which halves the file and which no eye sees.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from PIL import Image

from skirmish.registry import load
from skirmish.sheets.documents import StoredGame
from skirmish.sheets.report import report_pdf
from skirmish.tabletop.exported import rebuilt

ROOT = Path(__file__).resolve().parents[1]
HERE = ROOT / "docs" / "pictures"
DOTS = 120
"""To the inch: the smallest type can be read."""
INKS = 96
"""Inks of the palette."""
LARGEST = 250_000
"""Bytes of a picture."""

EXAMPLE = ROOT / "docs" / "example-battle.jsonl"
FOUGHT = "21 November 2026"
"""When the example battle was fought, as its report has it."""


class Picture(NamedTuple):
    """A picture of a sheet."""

    name: str
    sheet: str = ""
    """The name of its PDF; empty for the report of the example battle."""


PICTURES = (
    Picture("sheet-dog-beach", "scenario-10-dog-beach"),
    Picture("sheet-red-october", "scenario-05-the-assault-on-red-october"),
    Picture("sheet-reference", "quick-reference"),
    Picture("sheet-beach-head", "beach-head"),
    Picture("report-overmatched"),
)


def report() -> bytes:
    """The report of the example battle as PDF."""
    with EXAMPLE.open("rb") as file:
        play = rebuilt(file, load("plastic")).play
    return report_pdf(StoredGame(1, play, ""), FOUGHT)


def take(picture: Picture, folder: Path) -> None:
    """One picture into its file in ``folder``."""
    with tempfile.TemporaryDirectory() as scratch:
        if picture.sheet:
            sheet = ROOT / "reports" / "a4" / f"{picture.sheet}.pdf"
        else:
            sheet = Path(scratch) / "report.pdf"
            sheet.write_bytes(report())
        page = Path(scratch) / "page"
        first_page = ["-r", str(DOTS), "-f", "1", "-singlefile", "-png"]
        subprocess.run(["pdftoppm", *first_page, str(sheet), str(page)], check=True)
        with Image.open(page.with_suffix(".png")) as drawn:
            reduced = drawn.convert("RGB").quantize(INKS, dither=Image.Dither.NONE)
    file = folder / f"{picture.name}.png"
    reduced.save(file, optimize=True)
    if file.stat().st_size > LARGEST:
        sys.exit(f"{file.name} has {file.stat().st_size} bytes; {LARGEST} is the most.")


def take_all(folder: Path, wanted: int) -> None:
    """Takes the first so many pictures into ``folder``."""
    if not shutil.which("pdftoppm"):
        sys.exit("pdftoppm is not here; it comes with Poppler (Debian, Ubuntu: poppler-utils).")
    folder.mkdir(exist_ok=True)
    for picture in PICTURES[:wanted]:
        print(picture.name)
        take(picture, folder)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--into", type=Path, default=HERE, help="the folder of the pictures")
    parser.add_argument("--first", type=int, default=len(PICTURES), help="so many of them (all)")
    chosen = parser.parse_args()
    take_all(chosen.into, chosen.first)
