"""Many beaches at once, each quantity with a number for every game; and unbiased random numbers in
bulk: the faces of dice, and lots that choose one of up to seven."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from skirmish.games.beach_head.state import BeachState

Numbers = NDArray[np.int16]
"""A number for each game."""
Truths = NDArray[np.bool_]
"""For each game whether something holds in it."""
Beaches = dict[str, Numbers]
"""The points of defences and the numbers of tanks by their ids, the ``COUNTS`` of a state, the
traps and squads as the turn began (``traps_at_turn``, ``squads_at_turn``), and the ``turn`` in
which the game was won, 0 until then."""

COUNTS = "squads", "casualties", "tanks_lost", "craft_hit", "craft_hit_before"
"""The counts of a state that a simulated beach has under the same names."""


def beaches_of(state: BeachState, games: int) -> Beaches:
    """The beach of a state, the same for as many ``games``. Its roll and its cards are left out."""
    counts: dict[str, int] = dict(state.defences.items())
    for tank in state.ruleset.tank:
        counts[tank.id] = state.tanks.count(tank.id)
    for name in COUNTS:
        counts[name] = getattr(state, name)
    counts["traps_at_turn"] = state.turn_start.defences["traps"]
    counts["squads_at_turn"] = state.turn_start.squads
    # The turn in which the game was won, and 0 before: not the present turn.
    counts["turn"] = 0
    if state.over:
        counts["turn"] = state.turn
    return {name: np.full(games, count, np.int16) for name, count in counts.items()}


_WORDS = 1 << 16
"""How many random words of 16 bits there are."""
_FACES_OF_A_WORD = 4
"""How many dice get their faces from one random word."""
_FALLS_OF_FOUR = 6**_FACES_OF_A_WORD
"""In how many ways four dice can fall; a random word stands for one of these falls."""
LOTS = 420
"""How many lots there are, from 0 to 419: 420 can be divided evenly by every number up to seven."""
_BLOCK = 1 << 17
"""Words drawn at a time. With another number the same seed gives other games."""


@cache
def _faces_of_words() -> NDArray[np.uint64]:
    """For each word the faces of its four dice, 16 bits each, packed into one number of 64 bits, so
    that four dice are looked up and copied at once."""
    falls = np.arange(_WORDS) % _FALLS_OF_FOUR
    # The faces of a fall are its digits in base six, each increased by 1.
    each_die = [falls // 6**place % 6 + 1 for place in range(_FACES_OF_A_WORD)]
    faces = np.stack(each_die, axis=1)
    return np.ascontiguousarray(faces.astype(np.int16)).view(np.uint64).ravel()


def _greatest_multiple(count: int) -> int:
    """The greatest multiple of ``count`` up to the number of words. Words from there on are
    dropped, as they would make some of ``count`` equal cases likelier than others."""
    return _WORDS // count * count


class Chance:
    """Dice and lots from one stream of random numbers. Each kind has its own supply, which is
    filled from the stream when it runs out, so that values depend on the order of the calls."""

    def __init__(self, stream: Generator) -> None:
        self.stream = stream
        self._faces = np.empty(0, np.int16)
        self._lots = np.empty(0, np.int16)

    def faces(self, count: int) -> Numbers:
        """``count`` throws of a die, each from 1 to 6."""
        while len(self._faces) < count:
            words = self._words(_greatest_multiple(_FALLS_OF_FOUR))
            self._faces = np.concatenate([self._faces, _faces_of_words()[words].view(np.int16)])
        faces, self._faces = self._faces[:count], self._faces[count:]
        return faces

    def lots(self, count: int) -> Numbers:
        """``count`` lots, each from 0 to 419."""
        while len(self._lots) < count:
            words = self._words(_greatest_multiple(LOTS))
            self._lots = np.concatenate([self._lots, (words % LOTS).astype(np.int16)])
        lots, self._lots = self._lots[:count], self._lots[count:]
        return lots

    def _words(self, limit: int) -> NDArray[np.uint16]:
        """The words of a block that are below ``limit``."""
        # A raw number of 64 bits is four words.
        words = np.asarray(self.stream.bit_generator.random_raw(_BLOCK // 4)).view(np.uint16)
        return words[words < limit]

    def below(self, limits: Numbers) -> Numbers:
        """For each of ``limits`` (all positive) a number that is at least 0 and less than it."""
        return self.stream.integers(0, limits).astype(np.int16)

    def one_of(self, legal: list[Truths]) -> Numbers:
        """For each game the index of an option that is legal in it, all equally likely; -1 if none
        is. ``legal``: for each of at most seven options, the games in which it is legal."""
        lots = self.lots(len(legal[0]))
        if len(legal) == 2:  # the usual case, for which this takes half the time of the code below
            first, second = legal
            take_first = first & (~second | (lots < LOTS // 2))
            return np.where(take_first, 0, np.where(second, 1, -1)).astype(np.int16)
        # How many legal options are passed over before one is chosen. Seven times a lot still fits
        # into 16 bits.
        legal_options = np.add.reduce(legal, dtype=np.int16)  # how many in each game
        still_to_pass = lots * legal_options // LOTS
        chosen = np.full(len(lots), -1, np.int16)
        for index, is_legal in enumerate(legal):
            np.copyto(chosen, np.int16(index), where=is_legal & (still_to_pass == 0))
            still_to_pass -= is_legal  # by 1 where the option is legal
        return chosen
