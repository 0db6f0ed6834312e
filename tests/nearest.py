"""How far a place is from a path."""

from __future__ import annotations

import math
from itertools import pairwise

from skirmish.tabletop.plane import Path, Point


def nearest(point: Point, path: Path) -> float:
    return min(_to_leg(point, one, other) for one, other in pairwise(path))


def _to_leg(point: Point, one: Point, other: Point) -> float:
    across, upward = other[0] - one[0], other[1] - one[1]
    square = across * across + upward * upward
    if square == 0:
        return math.dist(point, one)
    share = ((point[0] - one[0]) * across + (point[1] - one[1]) * upward) / square
    share = min(max(share, 0.0), 1.0)
    return math.dist(point, (one[0] + share * across, one[1] + share * upward))
