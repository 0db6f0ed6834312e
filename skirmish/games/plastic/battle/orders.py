"""What players order. Rows are named ``side/contingent/unit``: pools, not men."""

from __future__ import annotations

import msgspec

from skirmish.tabletop.chance import Draw


class Order(msgspec.Struct, frozen=True, kw_only=True, tag_field="order"):
    """Anything a player can want."""


class Fire(Order, frozen=True, kw_only=True, tag="fire"):
    """One shot. What eyes see belongs to the shot and is kept nowhere else.

    ``close``: within 3 in. ``grouped``: the man aimed at touches friends. ``apart``: in phases 3
    and 4, at someone not in contact (P48). ``insist`` fires although the rules advise against it.
    """

    shooter: str
    target: str
    weapon: str | None = None
    cover: bool = False
    hull_down: bool = False
    rear: bool = False
    close: bool = False
    grouped: bool = True
    apart: bool = False
    insist: bool = False


class Again(Order, frozen=True, kw_only=True, tag="again"):
    """The repeat shot that is open, at ``target`` (None: the same row as before)."""

    target: str | None = None
    cover: bool = False
    close: bool = False
    grouped: bool = True


class Hold(Order, frozen=True, tag="hold"):
    """Let the open repeat shot go."""


class Show(Order, frozen=True, tag="show"):
    """A card or die that a player has drawn himself."""

    draw: Draw


class Give(Order, frozen=True, tag="give"):
    """The defender's choice: a man of this row dies."""

    row: str


class EndPhase(Order, frozen=True, tag="end_phase"):
    """On to the next phase; after the fourth, the other side's turn."""


class EndTurn(Order, frozen=True, tag="end_turn"):
    """The player turn is over, whatever its phase."""


class Finish(Order, frozen=True, kw_only=True, tag="finish"):
    """The players agree that it is over: who won (None: nobody) and why."""

    winner: str | None
    reason: str = ""


AnyOrder = Fire | Again | Hold | Show | Give | EndPhase | EndTurn | Finish
