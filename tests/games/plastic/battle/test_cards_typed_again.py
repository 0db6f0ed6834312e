"""A clerk's evening with a shuffled deck of his own: a line made void and typed again is as if
nothing had happened to the deck."""

from __future__ import annotations

from random import Random

import pytest
from deep import deep_after
from stage import Table, armies
from voids import decks_are_right, gone, void

from skirmish.games.plastic.battle.agenda import CasualtyAsk, DrawAsk, RepeatAsk
from skirmish.games.plastic.battle.orders import (
    AnyOrder,
    ChooseCasualties,
    EndTurn,
    Hold,
    Show,
    Volley,
    why_not,
)
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.rules.catalog import DECK
from skirmish.tabletop.chance import Draw

MEN = {"rifle": 200, "machinegun": 60}


class OwnDeck:
    """A deck on the table: shuffled when it is empty, and when a turn ends. Cards that are put back
    come again."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.cards: list[Draw] = []
        self.back: list[Draw] = []

    def shuffle(self, aside: Draw | None = None) -> None:
        self.cards = [card for card in DECK if card != aside]
        self.random.shuffle(self.cards)

    def draw(self, aside: Draw | None = None) -> Draw:
        """The next card; the one that a breakdown test belongs to lies ``aside`` (P78)."""
        if self.back:
            return self.back.pop(0)
        if not self.cards:
            self.shuffle(aside)
        return self.cards.pop()


def fired(table: Table, deck: OwnDeck, order: AnyOrder, drawn: list[Draw]) -> None:
    """The order with all its cards, of which no one is called mistyped."""
    table.order(order)
    while table.state.ask is not None:
        match table.state.ask:
            case DrawAsk(why=why):
                card = deck.draw(drawn[-1] if why == "breakdown" else None)
                drawn.append(card)
                show = Show((card,))
                assert why_not(table.state, show) is None, (card, gone(table))
                table.order(show)
            case CasualtyAsk():
                table.order(ChooseCasualties())
            case RepeatAsk():
                table.order(Hold())


@pytest.mark.parametrize("seed", deep_after(4, range(12)))
def test_what_is_void_may_be_typed_again_with_the_same_cards(seed: int) -> None:
    random = Random(seed)
    table, deck = armies(MEN, MEN, answers={"P23": "own_decks"}), OwnDeck(random)
    deck.shuffle()
    for _ in range(40):
        if table.state.outcome is not None:
            break
        side, foe = "second", "first"
        shooters = [row for row in rows(table.state, side) if row.ready_count > 8]
        if not shooters or table.state.clock.side != foe:
            table.order(EndTurn())
            deck.shuffle()
            continue
        row = random.choice(shooters)
        count, target = random.randint(1, 8), f"{foe}/{foe}/rifle"
        order = Volley(shooter=row.key, target=target, count=count, reach=9)
        before, drawn = table.state.sources, list[Draw]()
        fired(table, deck, order, drawn)
        after = table.state.sources
        decks_are_right(table.play)
        if random.random() < 0.5 and table.state.outcome is None:
            void(table, 1)
            assert table.state.sources == before
            deck.back = list(drawn)
            fired(table, deck, order, list(drawn))
            assert table.state.sources == after
            assert not deck.back
    assert table.state.shots > 40
