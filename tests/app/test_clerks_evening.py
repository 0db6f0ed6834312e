"""An evening as clerk: both sides draw from shuffled decks and type every card. What each thing
costs in keys is held."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from steps import END_TURN, NARROW, fought, press, resume, shown, state, the_app
from textual.pilot import Pilot

from skirmish.games.plastic.battle.agenda import CasualtyAsk, DrawAsk, RepeatAsk
from skirmish.games.plastic.rules.catalog import DECK
from skirmish.tabletop.chance import Draw

BUDGET = {
    "single shots": 18,
    "chain": 6,
    "volley card by card": 23,
    "card 2 put right": 6,
    "volley counted": 7,
    "mixed volley counted": 15,
    "who dies": 5,
    "he was in cover": 5,
    "undo": 5,
    "clock and the end": 6,
}
"""The keys of each in this evening. A card takes three: rank, suit, and Enter or a space; of a ten
they are four."""


class Clerk:
    """Presses keys, and counts them by what they are for. Cards come from a shuffled deck, as on
    the table: also those that nobody needs are drawn only once."""

    def __init__(self, pilot: Pilot[None], seed: int) -> None:
        self.pilot = pilot
        self.random = Random(seed)
        self.decks: dict[str, list[Draw]] = {}
        self.keys: Counter[str] = Counter()

    async def type(self, what: str, *keys: str) -> None:
        self.keys[what] += len(keys)
        await press(self.pilot, *keys)

    def card(self) -> str:
        """The next card of the side that is asked, as it is typed."""
        now = state(self.pilot)
        ask = now.ask
        assert isinstance(ask, DrawAsk)
        source = now.source_of(ask.side)
        gone = now.sources[source].gone
        deck = self.decks.setdefault(source, [])
        if not deck or len(gone) == len(DECK) or not gone:
            deck[:] = self.random.sample(DECK, len(DECK))
        while deck[-1] in gone:
            deck.pop()
        return str(deck.pop()).lower()

    async def cards(self, what: str) -> None:
        """Draw and type as long as cards are asked for, one at a time."""
        for _ in range(20):
            if not isinstance(state(self.pilot).ask, DrawAsk):
                return
            await self.type(what, *self.card(), "enter")
        raise AssertionError("cards are asked for without end")

    async def the_dead(self) -> None:
        for _ in range(20):
            if not isinstance(state(self.pilot).ask, CasualtyAsk):
                return
            await self.type("who dies", "enter")
        raise AssertionError("it is asked without end who dies")

    async def chain(self, what: str) -> None:
        for _ in range(20):
            if not isinstance(state(self.pilot).ask, RepeatAsk | DrawAsk | CasualtyAsk):
                return
            await self.cards(what)
            await self.the_dead()
            if isinstance(state(self.pilot).ask, RepeatAsk):
                await self.type(what, "space")
        raise AssertionError("the chain has no end")


async def test_an_evening_as_clerk_keeps_within_its_keys(where: str) -> None:
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        clerk = Clerk(pilot, seed=4)
        for _ in range(3):  # op fire of single riflemen
            await clerk.type("single shots", *"rr", "space")
            await clerk.chain("single shots")
        assert state(pilot).shots == 3

        await clerk.type("chain", *"mr", "space")
        await clerk.chain("chain")

        await clerk.type("volley card by card", *"6rr8", "space")
        await clerk.type("volley card by card", *clerk.card(), "space")
        await clerk.type("volley card by card", *clerk.card(), "enter")
        wrong = state(pilot).judged[-1].draw
        right = clerk.card()
        await clerk.type("card 2 put right", *f"2={right}", "enter")
        drawn = [str(one) for one in state(pilot).sources["polish"].gone[-2:]]
        assert drawn[1].lower() == right
        assert wrong not in state(pilot).sources["polish"].gone
        await clerk.chain("volley card by card")

        await clerk.type("volley counted", *"4rr6=1", "enter")
        await clerk.the_dead()
        await clerk.type("he was in cover", "tab", *"c", *"b1", "enter")
        assert state(pilot).ask is None

        await clerk.type("mixed volley counted", *"4r1m1or8=1", "enter", *"1", "enter")
        await clerk.type("mixed volley counted", "0", "enter")
        await clerk.the_dead()
        counted = [len(one.pieces) for one in state(pilot).counts[-3:]]
        assert counted == [4, 1, 1]

        dead = len(state(pilot).lost)
        await clerk.type("undo", "ctrl+z")
        assert len(state(pilot).lost) <= dead

        for _ in range(20):
            if state(pilot).ask is None:  # as it was before the undo
                break
            await clerk.type("undo", "ctrl+z")
        assert state(pilot).ask is None
        await clerk.type("clock and the end", "greater_than_sign", "greater_than_sign")
        assert state(pilot).clock.phase == 3
        await clerk.type("clock and the end", *END_TURN, "F", "1")
        assert state(pilot).outcome is not None
        assert "WIN" in shown(pilot, "who")

        spent = {what: clerk.keys[what] for what in BUDGET}
        assert set(clerk.keys) <= set(BUDGET)
        over = {what: keys for what, keys in spent.items() if keys > BUDGET[what]}
        assert not over, spent


@pytest.mark.parametrize("too_high", ["9", "15"])
async def test_more_hits_than_can_be_are_refused_with_the_most_and_enter_takes_it(
    where: str, too_high: str
) -> None:
    """Of four riflemen at most four hit."""
    fought(where)
    async with the_app(where).run_test(size=NARROW) as pilot:
        await resume(pilot)
        await press(pilot, *f"4rr6={too_high}", "enter")
        assert not state(pilot).counts
        said = " ".join(shown(pilot, "asked").split())
        assert said.endswith(f"At most 4 can hit, not {too_high}. Enter: 4. Esc drops it.")
        await press(pilot, "enter")
        assert [count.hits for count in state(pilot).counts] == [4]
