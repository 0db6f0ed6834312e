"""What a television in the room (the wall) shows of a game, as data: ``web/wall_html.py`` writes it
as a page.

The wall of every game has its clock, its last result and its board. A game that can say more about
itself adds a ``WallBoard``: both sides, who leads, the losses over the turns, and a map.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from skirmish.tabletop.chance import Draw

Half: TypeAlias = Literal[0, 1]
"""The first or the second side in the order of play."""
Frame: TypeAlias = Literal["box", "oval", "pillbox"]
"""What is drawn around the sign of a unit, as on military maps: a box for guys, for example."""


class WallSide(msgspec.Struct, frozen=True, kw_only=True):
    """A side: its name (``people``), the ``nation`` whose colour it has (empty: none), whether its
    signs are solid or hollow, its strength at the beginning and how much of it is ``lost``."""

    people: str
    nation: str
    solid: bool
    strength: int
    lost: int

    @property
    def left(self) -> int:
        """What is left of its strength."""
        return max(0, self.strength - self.lost)


class WallDraw(msgspec.Struct, frozen=True):
    """A card or roll of a volley, and whether it hit."""

    draw: Draw
    hit: bool


class WallKill(msgspec.Struct, frozen=True):
    """A loss in the strip: ``count`` of a ``unit``. Its sign is a frame with ``lines`` in it:
    polylines in the notation of ``games.plastic.rules.unit_shapes``, with coordinates from -10 to
    10."""

    unit: str
    frame: Frame
    lines: str
    count: int = 1


KillsByTurn: TypeAlias = tuple[tuple[WallKill, ...], ...]
"""The losses of a side: those of turn 1, of turn 2, and so on."""


class WallStrip(msgspec.Struct, frozen=True, kw_only=True):
    """The losses of both sides by turn. ``last``: the last turn of the battle, 0 if it has none.
    ``turning``: the turn that decided the battle, 0 if none did; ``why`` it did, in a sentence."""

    kills: tuple[KillsByTurn, KillsByTurn]
    last: int = 0
    turning: int = 0
    why: str = ""


class WallBoard(msgspec.Struct, frozen=True, kw_only=True):
    """What a game shows of itself on a television."""

    number: str
    """The number of the scenario; empty without one."""
    where: str
    """The date and place."""
    turn: int
    last_turn: int
    """0 if the battle has no last turn."""
    mover: Half | None
    """Whose turn it is; None once the battle is over."""
    phase: str
    sides: tuple[WallSide, WallSide]
    goal: str
    """What decides it, in a sentence."""
    counts: tuple[int, int] | None
    """What decides the battle, such as losses or points, by side, as last counted; None if nothing
    is counted."""
    ahead: Half | None
    """Who leads; None if nobody does."""
    stands: str
    """How it stands, in words."""
    strip: WallStrip
    volley: tuple[WallDraw, ...] = ()
    """The draws of the last shot or volley."""
    winner: Half | None = None
    map_name: str = ""
    """What the map shows, in words; empty: there is none."""

    @property
    def is_over(self) -> bool:
        """Whether the battle has ended."""
        return self.mover is None
