"""Takes the pictures of docs/paper.md from the sheets in ``reports/``: ``make pictures``.

``pdftoppm`` (of Poppler) draws the first page of each; its inks are then counted down to a palette,
which halves the file and which no eye sees.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from PIL import Image

ROOT = Path(__file__).resolve().parents[1]
HERE = ROOT / "docs" / "pictures"
DOTS = 120
"""To the inch: the smallest type can be read."""
INKS = 96
LARGEST = 250_000
"""Bytes of a picture."""


class Picture(NamedTuple):
    """A picture and the sheet that it shows."""

    name: str
    sheet: str


PICTURES = (
    Picture("sheet-dog-beach", "scenario-10-dog-beach"),
    Picture("sheet-red-october", "scenario-05-the-assault-on-red-october"),
    Picture("sheet-reference", "quick-reference"),
    Picture("sheet-beach-head", "beach-head"),
)


def take(picture: Picture, folder: Path) -> None:
    """One picture into its file in ``folder``."""
    sheet = ROOT / "reports" / "a4" / f"{picture.sheet}.pdf"
    with tempfile.TemporaryDirectory() as scratch:
        drawn = Path(scratch) / "page"
        words = ["pdftoppm", "-r", str(DOTS), "-f", "1", "-singlefile", "-png", sheet, drawn]
        subprocess.run(words, check=True)
        with Image.open(drawn.with_suffix(".png")) as page:
            counted = page.convert("RGB").quantize(INKS, dither=Image.Dither.NONE)
    file = folder / f"{picture.name}.png"
    counted.save(file, optimize=True)
    if file.stat().st_size > LARGEST:
        sys.exit(f"{file.name} has {file.stat().st_size} bytes; {LARGEST} is the most.")


def take_all(folder: Path) -> None:
    """All of them."""
    if not shutil.which("pdftoppm"):
        sys.exit("pdftoppm is not here; it comes with Poppler (Debian, Ubuntu: poppler-utils).")
    folder.mkdir(exist_ok=True)
    for picture in PICTURES:
        print(picture.name)
        take(picture, folder)


if __name__ == "__main__":
    take_all(HERE)
