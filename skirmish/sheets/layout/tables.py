"""Tables, blocks side by side, and blocks spread over a given height."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

from reportlab.platypus import Table  # type: ignore[import-untyped]

from skirmish.sheets import inks
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.boxes import Boxes
from skirmish.sheets.layout.flow import Flowable, Gap, depth, halves
from skirmish.sheets.layout.fonts import BODY
from skirmish.sheets.layout.styles import SMALLEST, Style
from skirmish.sheets.layout.text import paragraph
from skirmish.sheets.paper import GUTTER, HAIR, MM, NORMAL

LEAST_GAP = 2 * MM
WIDEST_GAP = 5 * MM
"""The greatest gap between spread blocks."""
PAD = 1 * MM
BETWEEN = 1.6 * MM


TableColumn: TypeAlias = tuple[str, float, Style]
"""Its head, its width in mm (0: the remaining width), its style."""


Cells: TypeAlias = Sequence[str | Flowable | Sequence[Flowable]]
"""Of a row; texts are set in the styles of their columns."""


def printed_table(
    width: float,
    places: Sequence[TableColumn],
    rows: Sequence[Cells],
    *,
    air: float = 1.2,
    tinted: bool = True,
    grouped: bool = False,
    totals: int = 0,
    pad: float = PAD,
    between: float = BETWEEN,
    middle: bool = False,
    more: Sequence[tuple[object, ...]] = (),
) -> Flowable:
    """A table whose heads are repeated on every page; neither its first nor its last row is ever
    alone on one.

    The last cell of a row with fewer cells takes the other columns: a title, kept with the row
    below it, or more boxes of the row above. ``air`` points above and below each row; ``tinted``:
    every second row is; ``grouped``: rows whose first cell is empty
    go with the one before. The last ``totals`` rows have no rules; ``middle``: cells are centred
    upward; ``more``: commands of Platypus."""
    faces = [style for _, _, style in places]
    rest = width - pad - math.fsum(wide for _, wide, _ in places) * MM
    widths = [wide * MM or rest for _, wide, _ in places]
    widths[0] += pad
    widths[-1] -= math.fsum(widths) - width
    tallest = max(face.size for face in faces)
    heads, last = int(any(title for title, _, _ in places)), len(rows) - 1
    how: list[tuple[object, ...]] = [
        ("FONT", (0, 0), (-1, -1), BODY, SMALLEST),
        ("VALIGN", (0, 0), (-1, -1), "MIDDLE" if middle else "TOP"),
        ("TOPPADDING", (0, 0), (-1, -1), air),
        ("BOTTOMPADDING", (0, 0), (-1, -1), air),
        ("LEFTPADDING", (0, 0), (-1, -1), 0),
        ("LEFTPADDING", (0, 0), (0, -1), pad),
        ("RIGHTPADDING", (0, 0), (-1, -1), between),
        ("RIGHTPADDING", (-1, 0), (-1, -1), between if pad else 0),
        *(("TOPPADDING", (at, heads), (at, -1), air + tallest - face.size)
          for at, face in enumerate(faces) if not middle),  # small type shares the baseline
        *more,
    ]  # fmt: skip
    cells: list[Cells] = []
    if heads:
        how.append(("LINEBELOW", (0, 0), (-1, 0), NORMAL, inks.CODE))
        cells.append([paragraph(title, styles.COLUMN._replace(align=face.align))
                      for (title, _, _), face in zip(places, faces, strict=True)])  # fmt: skip

    def goes_on(at: int) -> bool:
        return 0 <= at <= last and len(rows[at]) < len(faces) and isinstance(rows[at][-1], Boxes)

    shaded = False
    for at, row in enumerate(rows):
        y, short = at + heads, len(row) < len(faces)
        cells.append([
            *(paragraph(cell, face) if isinstance(cell, str) else cell
              for cell, face in zip(row, faces, strict=False)),
            *[""] * (len(faces) - len(row)),
        ])  # fmt: skip
        titles = short and not goes_on(at)
        if short:
            how.append(("SPAN", (len(row) - 1, y), (-1, y)))
            how.append(("RIGHTPADDING", (0, y), (-1, y), 0))
        if goes_on(at):
            how.append(("TOPPADDING", (0, y), (-1, y), 0))
        if at < last and (titles or at in (0, last - 1) or (goes_on(at + 1) and not goes_on(at))):
            how.append(("NOSPLIT", (0, y), (-1, y + 1)))
        if tinted and not (grouped and not row[0]):
            shaded = not shaded
        if tinted and shaded:
            how.append(("BACKGROUND", (0, y), (-1, y), inks.PANEL))
        if (
            at <= last - totals
            and not titles
            and not goes_on(at + 1)
            and not (grouped and at < last and not rows[at + 1][0])
        ):
            how.append(("LINEBELOW", (0, y), (-1, y), HAIR, inks.FAINT))
    return Table(cells, widths, repeatRows=heads, hAlign="LEFT", style=how)


def facts(rows: Sequence[tuple[str, str]], width: float, label: float, air: float = 1) -> Flowable:
    """``label``: the width of the names in mm."""
    places = ("", label, styles.TERM), ("", 0, styles.UNIT)
    return printed_table(width, places, rows, air=air, tinted=False, pad=0, between=0)


def beside(
    left: Sequence[Flowable], right: Sequence[Flowable], width: float, share: float = 0.5
) -> Flowable:
    """Two columns, the left taking ``share`` of the ``width``; the gaps of the shorter one are
    widened so that both end level."""
    wide = (width - GUTTER) * share
    rest = width - GUTTER - wide
    tall = max(natural(left, wide), natural(right, rest))
    return halves(spread(left, wide, tall), spread(right, rest, tall), width, share)


def spread(blocks: Sequence[Flowable], width: float, tall: float) -> list[Flowable]:
    """The blocks with gaps that fill ``tall``, up to the widest gap."""
    spare = tall - depth(blocks, width)
    gap = min(WIDEST_GAP, max(0.0, spare / max(1, len(blocks) - 1)))
    found: list[Flowable] = []
    for block in blocks:
        found += [Gap(gap), block] if found else [block]
    return found


def natural(blocks: Sequence[Flowable], width: float) -> float:
    """The least height of spread blocks."""
    return depth(blocks, width) + LEAST_GAP * (len(blocks) - 1)
