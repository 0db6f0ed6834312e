"""Which cards the better policy plays, exchanges and keeps.

A card is played where it gains more squads than it could still hope to save in this turn. What it
can hope for was found by letting every card wait for the best of the rolls to come, over some
hundred games: low cards wait for the defenders' dice, high ones go for bunkers and walls as they
come, an Admiral for the assault. Played so, 1,000 games with cards cost 3.1 squads on average in
6.2 turns at Normandy and 3.9 in 6.8 at Omaha.
"""

from __future__ import annotations

from skirmish.games.beach_head.agenda import ExchangeAsk
from skirmish.games.beach_head.hand import playable
from skirmish.games.beach_head.manual import PhaseId
from skirmish.games.beach_head.policies_cards import Use, uses
from skirmish.games.beach_head.state import State
from skirmish.tabletop.chance import Draw

PARTS: tuple[PhaseId, ...] = ("gun_tank", "defenders", "shore_guns", "mines", "bridge")
"""A turn in parts, each by its last phase: the landing, the defenders, the guns, the mines, the
assault. In the rest of the turn nothing is worth waiting for."""

HOPE: dict[int, tuple[float, float, float, float, float]] = {
    1: (2.7, 1.15, 0.7, 0.0, 0.0),
    2: (2.4, 1.2, 0.75, 0.1, 0.05),
    3: (2.1, 1.25, 0.85, 0.3, 0.15),
    4: (1.5, 0.9, 0.7, 0.5, 0.3),
    5: (1.05, 0.85, 0.8, 0.8, 0.6),
    6: (1.1, 1.0, 1.0, 1.0, 0.75),
    7: (1.95, 0.95, 0.6, 0.0, 0.0),
    8: (1.2, 0.6, 0.35, 0.0, 0.0),
    9: (0.4, 0.4, 0.35, 0.3, 0.25),
    10: (0.65, 0.65, 0.6, 0.6, 0.5),
    11: (1.5, 0.85, 0.65, 0.4, 0.3),
    12: (1.15, 1.15, 1.15, 1.15, 0.9),
}
"""Squads that a card of each rank can hope to save in the rest of the turn, after each part."""
_RIVALS = 0.65
"""Of which so much is left, since the other cards of the hand wait for the same rolls."""

KEPT: dict[int, float] = {
    1: 2.7, 2: 2.4, 3: 2.1, 4: 1.5, 5: 1.1, 6: 1.3, 7: 1.95, 8: 1.2, 9: 0.5, 10: 0.9, 11: 1.5,
    12: 1.15, 13: 2.4,
}  # fmt: skip
"""Squads that a card of each rank saves in a whole turn, alone and at its best moment."""
DRAWN = sum(KEPT.values()) / len(KEPT)
"""The same for a card that is yet to be drawn."""


def hope(state: State, rank: int) -> float:
    """Squads that a card could save in this turn once the present phase is over."""
    manual = state.setup.manual
    place = manual.place(state.phase or "tactical")
    for part, last in enumerate(PARTS):
        if place <= manual.place(last):
            return _RIVALS * HOPE[rank][part]
    return 0.0


def worth_playing(state: State) -> Use | None:
    """The card that gains most beyond its hope, or None where all of them had better wait."""
    best, most = None, 0.0
    for use in uses(state):
        more = use.gain - hope(state, use.order.card.rank)
        if more > most:
            best, most = use, more
    return best


def general(state: State) -> Draw | None:
    """A General who may be played now: he is worth more than himself in cards."""
    for card in state.hand:
        if state.setup.manual.card_of(card.rank).does == "draw":
            allowed = playable(state, card)
            return card if allowed else None
    return None


def exchanged(state: State) -> tuple[Draw, ...]:
    """The cards that are worth less than one drawn for them, the worst first."""
    assert isinstance(state.ask, ExchangeAsk)
    return tuple(card for card in _worst_first(state) if KEPT[card.rank] < DRAWN)[: state.ask.most]


def thrown_off(state: State, count: int) -> tuple[Draw, ...]:
    """The cards that are worth least."""
    return tuple(_worst_first(state)[:count])


def _worst_first(state: State) -> list[Draw]:
    return sorted(state.hand, key=lambda card: (KEPT[card.rank], card))
