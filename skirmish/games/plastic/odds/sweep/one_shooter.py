"""One shooter of a volley, followed by himself."""

from __future__ import annotations

from collections import defaultdict

from skirmish.games.plastic.odds.sweep.decks import Decks, State
from skirmish.games.plastic.odds.sweep.moves import Move
from skirmish.games.plastic.odds.sweep.polynomials import Weights, add_weight
from skirmish.games.plastic.odds.sweep.terms import SweepTerms

BEFORE_EXACT_SHOT = -1
"""In place of how many men were spared: he has not fired his first shot yet, which spares
nobody (P11)."""


class OneShooter:
    """One shooter, from his first draw until he is done.

    ``waiting``: the weights with which he still has to draw, by the cards drawn before, then by
    the state and how many new men were spared him. ``done``: the weights of the states in which he
    has fired his last shot.
    """

    def __init__(self, terms: SweepTerms, decks: Decks, shooter: int) -> None:
        firer = terms.firers[shooter]
        self.terms = terms
        self.decks = decks
        self.repeat = firer.repeat
        self.first_exact = firer.first_exact
        self.group_size = terms.sizes[firer.group]
        self.shift_of_kill = terms.shift_by_group[firer.group]
        self.one_group = len(terms.sizes) == 1
        self.done: Weights[State] = {}
        self.waiting: dict[int, Weights[tuple[State, int]]] = defaultdict(dict)
        self._masks: dict[int, int] = {}

    def begin(self, states: Weights[State]) -> None:
        """He comes to fire, where he has somebody to fire at."""
        spared = 0
        if self.first_exact:
            spared = BEFORE_EXACT_SHOT
        for state, (low, value) in states.items():
            self._fire_on(state, self.decks.drawn(state), spared, low, value)

    def take_first(self) -> Weights[tuple[State, int]]:
        """The weights after the fewest cards drawn, which no later draw can add to."""
        return self.waiting.pop(min(self.waiting))

    def follow_all(self, moves: list[Move], spared: int, low: int, value: int) -> None:
        """A draw of which the misses are followed as well."""
        for hit, may_spare, after, drawn, factor, divisor in moves:
            weight = value * factor
            if divisor != 1:
                weight //= divisor
            if hit:
                self._hit(after, drawn, _spared_after(spared, may_spare), low, weight)
            else:
                add_weight(self.done, after, low, weight)

    def follow_hits(
        self, state: State, moves: list[Move], spared: int, low: int, value: int
    ) -> None:
        """A draw while the deck lasts, where all moves are hits. A miss is any card less the hits:
        he is done with all cards, and each hit takes back what it uses."""
        add_weight(self.done, state, low, value)
        for _, may_spare, after, drawn, factor, _ in moves:
            weight = value * factor
            add_weight(self.done, after, low, -weight)
            self._hit(after, drawn, _spared_after(spared, may_spare), low, weight)

    def _hit(self, state: State, drawn: int, spared: int, low: int, value: int) -> None:
        """One more kill, after which he may fire again."""
        low += self.shift_of_kill
        if self.repeat:
            self._fire_on(state, drawn, spared, low, value)
        else:
            add_weight(self.done, state, low, value)

    def _fire_on(self, state: State, drawn: int, spared: int, low: int, value: int) -> None:
        """He fires on where he has a new man left, and else is done."""
        # Spared men are no new ones for him. He has a new man as long as fewer are killed than
        # were not spared. Before an exact shot nobody was spared.
        kills_to_stop = max(0, self.group_size - max(spared, 0))
        # With one group, a number of kills is the field of that number.
        has_new_man_in_all = (
            self.one_group and low + value.bit_length() < kills_to_stop * self.terms.width
        )
        if has_new_man_in_all:
            firing = value
        else:
            firing = self._with_fewer_kills(kills_to_stop, low, value)
        if firing:
            add_weight(self.waiting[drawn], (state, spared), low, firing)
        # Where nobody was spared him, he stops because all are dead, which may not be followed.
        stops_with_men_left = spared > 0
        if firing != value and (stops_with_men_left or not self.terms.leaves_out_all_dead):
            add_weight(self.done, state, low, value - firing)

    def _with_fewer_kills(self, kills: int, low: int, value: int) -> int:
        """The terms of a weight with fewer kills in his group."""
        # A negative term borrows from its neighbour; made positive, they can be cut apart.
        half = self.terms.half >> low
        mask = self._fields_with_fewer(kills) >> low
        return ((value + half) & mask) - (half & mask)

    def _fields_with_fewer(self, kills: int) -> int:
        """A mask of the fields with fewer kills in his group."""
        mask = self._masks.get(kills)
        if mask is None:
            # His group runs through its kills, from none to all, again and again: once for each
            # result of the groups after it.
            bits_of_a_run = self.shift_of_kill * (self.group_size + 1)
            bits_of_all = self.terms.width * self.terms.field_count
            fewer_in_a_run = (1 << self.shift_of_kill * kills) - 1
            mask = 0
            for start in range(0, bits_of_all, bits_of_a_run):
                mask |= fewer_in_a_run << start
            self._masks[kills] = mask
        return mask


def _spared_after(spared: int, may_spare: bool) -> int:
    """How many were spared after a hit after which the defender may spare a man, or not."""
    if spared == BEFORE_EXACT_SHOT:
        return 0
    if may_spare:
        return spared + 1
    return spared
