"""Volleys by hand, as slowly as it takes: every card by itself, in every order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from random import Random

from skirmish.games.plastic.odds.pack import ALL_CARDS, Firer, Pack, bits
from skirmish.tabletop.chance import Draw

Told = dict[tuple[int, ...], Fraction]
QUEEN = bits([Draw(12, "S")])
SPADES = bits(Draw(rank, "S") for rank in range(1, 13))


def cards(red: int = 0, black: int = 0, *more: Draw) -> int:
    """The reds to a rank and the blacks to a rank."""
    return bits(
        {
            *(Draw(rank, suit) for rank in range(1, red + 1) for suit in "HD"),
            *(Draw(rank, suit) for rank in range(1, black + 1) for suit in "SC"),
            *more,
        }
    )


def shooter(needs: int, black: int | None = None, tests: bool = False, **more: object) -> Firer:
    """Red to ``needs``, black to ``black`` (else alike); who tests does so on the queen."""
    hits = cards(needs, needs if black is None else black)
    found = {"tests": QUEEN, "breaks": SPADES} if tests else {}
    return Firer(hits=hits, **found, **more)  # type: ignore[arg-type]


def every_order(
    firers: Sequence[Firer], sizes: Sequence[int], pack: Pack, full: int = ALL_CARDS
) -> Told:
    """The chance of (kills…, lost) by following every single card; ``full``: what a shuffle
    brings."""
    told: Told = defaultdict(Fraction)

    def go(
        left: int, where: tuple[int, int, int], kills: tuple[int, ...], lost: int, p: Fraction
    ) -> None:
        at, chain, spared = where
        while at < len(firers) and kills[firers[at].group] == sizes[firers[at].group]:
            at, chain, spared = at + 1, 0, 0
        if at == len(firers):
            told[(*kills, lost)] += p
            return
        one, left = firers[at], left or full
        for card in single(left):
            q = p / left.bit_count()
            after, then = kills, (at + 1, 0, 0)
            if card & one.hits:
                after = tuple(k + (g == one.group) for g, k in enumerate(kills))
                exact = one.first_exact and chain == 0
                saved = spared + bool(card & one.spared and not exact)
                found = sizes[one.group] - kills[one.group] + chain
                if one.repeat and chain + 1 + saved < found:
                    then = (at, chain + 1, saved)
            rest = left & ~card
            if card & one.tests:
                rest = rest or (full & ~card if pack.queen_aside else full)
                for second in single(rest):
                    broke = bool(second & one.breaks)
                    go(rest & ~second, then, after, lost + broke, q / rest.bit_count())
            else:
                go(rest, then, after, lost, q)

    go(pack.left, (0, 0, 0), (0,) * len(sizes), 0, Fraction(1))
    return dict(sorted(told.items()))


def single(found: int) -> list[int]:
    return [1 << index for index in range(48) if found >> index & 1]


def simulated(
    firers: Sequence[Firer], sizes: Sequence[int], pack: Pack, times: int, chance: Random
) -> dict[tuple[int, ...], int]:
    """How often (kills…, lost) came up in so many volleys with a shuffled deck."""
    told: dict[tuple[int, ...], int] = defaultdict(int)
    start, full = single(pack.possible), single(ALL_CARDS)
    for _ in range(times):
        deck = start[:]
        chance.shuffle(deck)
        kills, lost = [0] * len(sizes), 0
        for one in firers:
            on = True
            while on and kills[one.group] < sizes[one.group]:
                if not deck:
                    deck = full[:]
                    chance.shuffle(deck)
                card, on = deck.pop(), False
                if card & one.hits:
                    kills[one.group] += 1
                    on = one.repeat
                if card & one.tests:
                    if not deck:
                        deck = [c for c in full if c != card or not pack.queen_aside]
                        chance.shuffle(deck)
                    lost += bool(deck.pop() & one.breaks)
        told[(*kills, lost)] += 1
    return told
