"""How likely a shot is to hit, out of what is left of the deck that it will be drawn from."""

from __future__ import annotations

import msgspec

from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.odds.pack import Pack, of_source
from skirmish.games.plastic.odds.single import one_shot
from skirmish.games.plastic.rules.shot import Aim


class Odds(msgspec.Struct, frozen=True):
    """``hits`` of the ``of`` draws that can come. ``partly``: the program has not seen all that
    has gone of this deck, so the whole of it is counted."""

    hits: int
    of: int
    partly: bool = False

    @property
    def percent(self) -> int:
        """Rounded to the nearest whole."""
        return round(100 * self.hits / self.of) if self.of else 0


def odds(state: State, aim: Aim, side: str) -> Odds:
    """The chance of a shot of ``side``. An empty deck is counted as it will be after the shuffle;
    of a rank that was shown without its suit, one card is left out."""
    found = one_shot(aim, pack_of(state, side))
    return Odds(found.hits, found.of, found.partly)


def pack_of(state: State, side: str) -> Pack:
    """What a side's next draw comes from."""
    unseen = state.levels[side] == "ledger"
    return of_source(state.sources[state.source_of(side)], state.setup.rulings, unseen)
