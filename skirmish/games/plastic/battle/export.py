"""A battle as lines of JSON, out and back; how it is written stands in ``tabletop/exported.py``."""

from __future__ import annotations

from collections.abc import Iterable

from skirmish.games.plastic.battle.rebuilding import Rebuilding
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.tabletop import exported
from skirmish.tabletop.exported import (
    LONGEST_LINE,
    MOST_ENTRIES,
    BadExport,
    Header,
    Kept,
    Rebuilt,
    Trouble,
    export,
)

__all__ = [
    "LONGEST_LINE",
    "MOST_ENTRIES",
    "BadExport",
    "Header",
    "Kept",
    "Rebuilt",
    "Trouble",
    "export",
    "rebuilt",
]


def rebuilt(file: Iterable[bytes], game: str) -> Rebuilt[BattlePlay]:
    """The battle of ``file``, or as much of it as is good. Raises BadExport."""
    return exported.rebuilt(file, game, Rebuilding())
