"""The cards that odds are reckoned from: what may be known of a deck is decided here alone."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.odds import pack as packs
from skirmish.games.plastic.odds.pack import Pack
from skirmish.tabletop.chance import Source

Knowledge: TypeAlias = Literal["full", "hidden"]
"""Whether odds may know which cards are gone. Some groups hold that nobody should count cards."""

FRESH = "fresh deck"
"""The note beside odds that the players want to be reckoned from a fresh deck."""
UNKNOWN = "deck partly unknown"
"""The note beside odds that are reckoned from a fresh deck because not all cards that are gone are
known."""


class KnownPack(Struct, frozen=True):
    """The cards that odds are reckoned from."""

    pack: Pack
    note: str = ""
    """Shown beside the odds; empty if the cards are those of the present deck, or it is a die."""


def pack_of(state: State, side: str, knowledge: Knowledge = "full") -> KnownPack:
    """The pack of a side's next draw. With ``hidden`` knowledge it is a fresh deck, and so is a
    deck of which not all cards that are gone are known."""
    rulings = state.setup.rulings
    source = state.sources[state.source_of(side)]
    if source.kind == "die":
        return KnownPack(packs.of_die())
    if knowledge == "hidden":
        return KnownPack(packs.fresh(rulings), FRESH)
    # At the level ``ledger`` only losses and the clock are recorded.
    records_draws = state.levels[side] != "ledger"
    if not records_draws or not _all_gone_are_known(source):
        return KnownPack(packs.fresh(rulings), UNKNOWN)
    return KnownPack(packs.of_source(source, rulings))


def _all_gone_are_known(source: Source) -> bool:
    """Whether it is known of every card that is gone from a deck which one it is."""
    # The cards of volleys of which only the hits were counted have no suit.
    suits_known = all(card.suit for card in source.gone)
    # A card that is gone twice was mistyped.
    none_is_gone_twice = len(set(source.gone)) == len(source.gone)
    return suits_known and none_is_gone_twice
