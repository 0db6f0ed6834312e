"""Paths as the PDF takes them. A map is made of tens of thousands of short lines; the PDF
library's own paths take several times as long to write them, at ten times the precision."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from skirmish.tabletop.plane import Path, Point


class Trace:
    """Lines in points of the paper, written to a hundredth; ``drawPath`` takes it."""

    def __init__(self) -> None:
        self._parts: list[str] = []

    def run(self, points: Iterable[Point], *, closed: bool = False) -> None:
        """A line from point to point."""
        sign = "m"
        for x, y in points:
            self._parts.append(f"{x:.2f} {y:.2f} {sign}")
            sign = "l"
        if closed:
            self._parts.append("h")

    def bend(self, points: tuple[Point, ...]) -> None:
        """A curve: where it begins, and three points for each stretch of it."""
        (x, y), *rest = points
        self._parts.append(f"{x:.2f} {y:.2f} m")
        for at in range(0, len(rest), 3):
            (x1, y1), (x2, y2), (x3, y3) = rest[at : at + 3]
            self._parts.append(f"{x1:.2f} {y1:.2f} {x2:.2f} {y2:.2f} {x3:.2f} {y3:.2f} c")

    def ticks(self, places: Iterable[tuple[Point, Point]]) -> None:
        """Short lines, each from one point to another."""
        self._parts += [f"{x0:.2f} {y0:.2f} m {x1:.2f} {y1:.2f} l"
                        for (x0, y0), (x1, y1) in places]  # fmt: skip

    def dots(self, places: Iterable[Point]) -> None:
        """Points: with round ends they are drawn as wide as the line is."""
        for x, y in places:
            at = f"{x:.1f} {y:.1f}"
            self._parts.append(f"{at} m {at} l")

    def getCode(self) -> str:  # noqa: N802  (the PDF library asks for it)
        """What stands in the PDF."""
        return " ".join(self._parts)


def traced(path: Path, *, closed: bool) -> Any:
    """One line."""
    trace = Trace()
    trace.run(path, closed=closed)
    return trace
