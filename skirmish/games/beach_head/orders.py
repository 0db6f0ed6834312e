"""What the player wants. Most of the time it is to go on."""

from __future__ import annotations

import msgspec

from skirmish.games.beach_head.manual import DefenceId, TankId
from skirmish.tabletop.chance import Draw


class Order(msgspec.Struct, frozen=True, kw_only=True, tag_field="order"):
    """Anything a player can want."""


class Go(Order, frozen=True, kw_only=True, tag="go"):
    """Let the dice on the table count and go on to the next roll or choice."""


class Choose(Order, frozen=True, kw_only=True, tag="choose"):
    """The answer to which defence (None: none, B35)."""

    target: DefenceId | None


class Give(Order, frozen=True, kw_only=True, tag="give"):
    """The answer to which kind of tank is lost."""

    tank: TankId


class Show(Order, frozen=True, kw_only=True, tag="show"):
    """The faces of the player's own dice, or the number he drew as a lot."""

    faces: tuple[int, ...]


class Draws(Order, frozen=True, kw_only=True, tag="draws"):
    """The cards the player drew from his own deck."""

    cards: tuple[Draw, ...]


class Discard(Order, frozen=True, kw_only=True, tag="discard"):
    """Cards out of the hand: to be exchanged, or too many at the end of a turn."""

    cards: tuple[Draw, ...]


class Play(Order, frozen=True, kw_only=True, tag="play"):
    """A card on the table: on die ``die`` (from 0) of the roll that lies there, on the phase just
    played (Admiral), or for more cards (General)."""

    card: Draw
    die: int = 0


AnyOrder = Go | Choose | Give | Show | Draws | Discard | Play
