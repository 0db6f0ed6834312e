"""How likely a shot is to hit, out of what is left of the deck that it will be drawn from."""

from __future__ import annotations

import msgspec

from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.catalog import DECK, DIE
from skirmish.games.plastic.rules.shot import Aim, judge
from skirmish.tabletop.chance import Draw


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
    source = state.sources[state.source_of(side)]
    if source.kind == "die":
        faces = [Draw(face) for face in range(1, DIE + 1)]
        return Odds(sum(judge(aim, face).hit for face in faces), len(faces))
    partly = state.levels[side] == "ledger"
    left = [card for card in DECK if card not in source.gone and card != source.aside]
    for seen in source.gone:
        if not seen.suit:
            partly = True
            same = next((card for card in left if card.rank == seen.rank), None)
            if same is not None:
                left.remove(same)
    cards = left or list(DECK)
    return Odds(sum(judge(aim, card).hit for card in cards), len(cards), partly)
