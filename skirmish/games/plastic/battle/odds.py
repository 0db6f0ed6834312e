"""How likely a shot is to hit, out of what is left of the deck that it will be drawn from.

What may be known of that deck is decided here and nowhere else: ``pack_of`` gives the draws to
count with, and the words to say beside every chance that does not rest on the deck as it stands.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, TypeAlias

import msgspec

from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.odds import pack as packs
from skirmish.games.plastic.odds.pack import Pack
from skirmish.games.plastic.odds.rounding import nearest
from skirmish.games.plastic.odds.single import one_shot
from skirmish.games.plastic.rules.shot import Aim

Knowledge: TypeAlias = Literal["full", "hidden"]
"""Whether odds may know which cards are gone. Some groups hold that nobody should count cards."""

FRESH, UNKNOWN = "fresh deck", "deck partly unknown"
"""What is said beside odds that do not rest on the deck as it stands."""


class Known(msgspec.Struct, frozen=True):
    """What a side's next draw comes from, as far as it may be known. ``note`` is to be said beside
    whatever is reckoned with it; empty where the pack is the deck as it stands, or a die."""

    pack: Pack
    note: str = ""


class Odds(msgspec.Struct, frozen=True):
    """``hits`` of the ``of`` draws that can come, and the note of the pack they were counted in."""

    hits: int
    of: int
    note: str = ""

    @property
    def percent(self) -> int:
        """Rounded to the nearest whole."""
        return nearest(Fraction(100 * self.hits, self.of)) if self.of else 0


def odds(state: State, aim: Aim, side: str, knowledge: Knowledge = "full") -> Odds:
    """The chance of a shot of ``side``. An empty deck is counted as it will be after the
    shuffle."""
    known = pack_of(state, side, knowledge)
    found = one_shot(aim, known.pack)
    return Odds(found.hits, found.of, known.note)


def pack_of(state: State, side: str, knowledge: Knowledge = "full") -> Known:
    """What a side's next draw comes from.

    ``hidden``: a fresh deck, whatever has gone. A side's own deck is counted as a fresh one, too,
    where not all is known that has gone: it keeps its losses only, a card came twice, or one was
    typed without its suit.
    """
    rulings = state.setup.rulings
    source = state.sources[state.source_of(side)]
    if source.kind == "die":
        return Known(packs.die())
    if knowledge == "hidden":
        return Known(packs.fresh(rulings), FRESH)
    told = all(card.suit for card in source.gone) and len(set(source.gone)) == len(source.gone)
    if state.levels[side] == "ledger" or not told:
        return Known(packs.fresh(rulings), UNKNOWN)
    return Known(packs.of_source(source, rulings))
