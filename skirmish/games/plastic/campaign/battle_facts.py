"""What a finished battle of a campaign came to, and what the campaign book tells of it.

It is stored in the journal of the campaign. Numbers such as C10 are rulings of campaigns
(``terms``).
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from skirmish.games.plastic.campaign.groups import GroupBattle
from skirmish.games.plastic.campaign.terms import CampaignTerms
from skirmish.tabletop.chance import Draw

How: TypeAlias = Literal["victory", "break", "draw", "agreed", "withdrawn", "conceded"]
"""How a battle ended: by the terms of victory, since an army broke, without a winner, as the
players agreed, by the withdrawal of a side, or without being fought."""


class PieceFate(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a piece in a battle."""

    id: str
    side: str
    group: str | None
    """None if it was attached."""
    unit: str
    fate: Literal["alive", "lost", "exited", "waiting"]
    """``waiting``: it never came onto the table."""
    turn: int = 0
    """The turn in which it was lost or exited; 0: neither."""
    by: str = ""
    """The group that killed it; empty if nobody knows, or if the killer was of no group."""
    points: int = 0
    """Not filled in: stored facts have the field."""
    turned: str = ""
    """The unit that a guy has become since his weapon broke down; empty if he has not (C10)."""
    carrier: str = ""
    """The carrier with which a passenger was lost, if the card drawn for its return decides about
    him as well (C11)."""


class HowLost(msgspec.Struct, frozen=True, kw_only=True):
    """How a piece was lost, as the casualty strip draws it: the ``entry`` of the battle's journal,
    its strength (``pdg``), and the code of the shooter, his weapon and the card, which are empty
    where nobody knows them."""

    entry: int
    pdg: int
    cause: Literal["shot", "breakdown", "other"] = "other"
    shooter: str = ""
    weapon: str = ""
    draw: Draw | None = None


class EdgeCrossed(msgspec.Struct, frozen=True, kw_only=True):
    """Pieces that entered or exited in a turn, by their ids; ``where`` is the edge or zone, empty
    if the scenario names none."""

    way: Literal["entry", "exit"]
    where: str
    turn: int
    pieces: tuple[str, ...]


class LeadTaken(msgspec.Struct, frozen=True, kw_only=True):
    """When ``side`` took the lead that it never lost again, in a turn of ``mover``, and how.
    ``first``: it led from the beginning; ``last``: only the end of the battle put it ahead.

    It has the fields of ``TurningPoint``, but those are worked out anew from a battle's journal
    whenever they are shown, while this is stored in the journals of campaigns: a change to what
    screens show of a battle must not change what can be read of these. Its sides are those of the
    campaign.
    """

    turn: int
    mover: str
    side: str
    text: str
    first: bool = False
    last: bool = False


class BattleStory(msgspec.Struct, frozen=True, kw_only=True):
    """What the campaign book tells of a battle, and what no rule of a campaign needs. ``strength``
    is that of the sides in potential dead guys, the first mover first; ``losses`` are by piece;
    ``attached`` is by side what those did who came for this battle only."""

    strength: dict[str, int]
    losses: dict[str, HowLost]
    crossed: tuple[EdgeCrossed, ...] = ()
    attached: dict[str, GroupBattle] = {}
    lead: LeadTaken | None = None


class BattleFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What a finished battle came to. ``entries`` and ``digest`` tell whether it has changed since.
    A battle that was counted before campaigns had a book has no ``story``."""

    battle: int
    """Its number in the campaign."""
    entries: int
    """How many entries its journal had."""
    digest: str
    title: str
    scenario: int | None
    """The number of its scenario; None: a free battle."""
    winner: str | None
    """The side; None: nobody."""
    how: How
    exited: bool
    """Whether the winner won by leaving the table."""
    turn: int
    """The turn in which it ended."""
    reason: str
    """Why it ended so, as a sentence."""
    pieces: tuple[PieceFate, ...]
    groups: dict[str, GroupBattle]
    """What each group did, by its id."""
    story: BattleStory | None = None

    def holders(self, sides: tuple[str, str], terms: CampaignTerms) -> tuple[str, ...]:
        """The sides that hold the field: the winner, or the other side if he left the table."""
        if self.winner is None:
            if terms.both_hold_after_draw:
                return sides
            return ()
        if self.exited and terms.exit_gives_up_field:
            return tuple(side for side in sides if side != self.winner)
        return (self.winner,)
