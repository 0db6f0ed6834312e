"""Shooters of a volley who are alike, followed together: each state is met once for all of them.

All fire at one group, and the defender spares nobody: each fires on after a kill until all are
dead. States in which all are dead are not followed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from skirmish.games.plastic.odds.sweep.decks import VolleyState
from skirmish.games.plastic.odds.sweep.limit import StepLimit, steps_of_weight
from skirmish.games.plastic.odds.sweep.moves import KnownMoves
from skirmish.games.plastic.odds.sweep.polynomials import Weights, add_weight, each_added, lowest
from skirmish.games.plastic.odds.sweep.slots import DeckThatMayRunOut, WeightsByShooter, slots_for

ALIKE_DRAWS_A_STEP = 3
"""So many draws of shooters who are followed together take as long as one draw of a shooter who is
followed by himself, which counts as a step."""
MOST_BITS = 1 << 17
"""The most bits of a weight for shooters who are followed together: 16 KB."""


def how_many_together(moves: KnownMoves, shooter: int, states: Weights[VolleyState]) -> int:
    """How many shooters from this one on are like him, and move alike; no more than have room in
    one weight."""
    alike = 1
    while moves.parts.next_is_alike(shooter + alike - 1):
        alike += 1
    if alike == 1:
        return 1
    return max(1, min(alike, _most_in_one_weight(moves, states)))


def _most_in_one_weight(moves: KnownMoves, states: Weights[VolleyState]) -> int:
    """How many shooters who fire from these states have room in one weight; 0 if not even one."""
    terms, decks = moves.terms, moves.decks
    # The fewest and the most kills, less the cards drawn: so the fields of ``Slots`` count them.
    # Before the first state, each bound is at the far end of what is possible.
    fewest, most = terms.sizes[0], -terms.most_draws
    for state, weight in states.items():
        width, drawn = decks.widths[state.deck], decks.drawn(state)
        bits = weight.low + weight.value.bit_length()
        fewest = min(fewest, weight.low // width - drawn)
        most = max(most, bits // width - drawn)
    # From the fewest to the most, both included, and one for a second draw, as in ``slots_for``.
    fields_of_a_slot = most - fewest + 1 + 1
    # The deck listed last comes after the most draws, and its fields are about the widest.
    return MOST_BITS // (decks.widths[-1] * fields_of_a_slot)


class AlikeShooters:
    """Follows shooters together who are alike, from the first draw of the first one until all are
    done. They are the given ``shooter`` and those after him, so many as ``alike`` says."""

    def __init__(self, moves: KnownMoves, limit: StepLimit, shooter: int, alike: int) -> None:
        self.moves = moves
        self.decks = moves.decks
        self.limit = limit
        self.shooter = shooter
        self.alike = alike
        self.repeat = moves.terms.firers[shooter].repeat
        self.group_size = moves.terms.sizes[0]
        self.part_count = len(moves.parts.by_shooter[shooter])

    def fire(self, states: Weights[VolleyState]) -> Weights[VolleyState]:
        """The states when all of them are done."""
        done: Weights[VolleyState] = {}
        by_deck: dict[int, WeightsByShooter] = defaultdict(dict)
        # The first of them comes to fire. The others have no weight yet, nor has what is done.
        others_and_done = [0] * self.alike
        for state, weight in states.items():
            by_deck[state.deck][state] = [weight.value << weight.low, *others_and_done]
        while by_deck:
            # A deck that follows another has a higher number.
            deck = min(by_deck)
            from_deck = by_deck.pop(deck)
            if self.decks.lasts[deck]:
                self._fire_while_it_lasts(deck, from_deck, done)
            else:
                self._fire_until_it_runs_out(deck, from_deck, by_deck, done)
        return done

    def _fire_until_it_runs_out(
        self,
        deck: int,
        states: WeightsByShooter,
        by_deck: dict[int, WeightsByShooter],
        done: Weights[VolleyState],
    ) -> None:
        """Their shots from one deck, which may run out; they go on from later ones, ``by_deck``."""
        slots = slots_for(self.moves, self.shooter, self.alike, states)
        firing = DeckThatMayRunOut(self.moves, self.shooter, slots, by_deck, done)
        firing.begin(deck, states)
        while firing.layers.are_left:
            self._spend(firing.draw(), slots.size)

    def _fire_while_it_lasts(
        self, deck: int, states: WeightsByShooter, done: Weights[VolleyState]
    ) -> None:
        """Their shots from one deck that lasts: the weight of the misses is that of any card less
        that of the hits. States with fewer cards drawn come first. Each has two lists of weights by
        shooter: of those who come to fire there (``coming``, with what is done as its last), and of
        the ``hits`` that lead there."""
        width = self.decks.widths[deck]
        bits_below_all_dead = width * self.group_size
        no_hits = [0] * self.alike
        nobody_comes_or_is_done = [0] * (self.alike + 1)
        coming: dict[int, WeightsByShooter] = defaultdict(dict)
        hits: dict[int, WeightsByShooter] = defaultdict(dict)
        for state, weights in states.items():
            coming[self.decks.drawn(state)][state] = weights
        while coming or hits:
            drawn = min((*coming, *hits))
            coming_here, hits_here = coming.pop(drawn, {}), hits.pop(drawn, {})
            for state in coming_here | hits_here:
                *coming_of_each, done_before = coming_here.get(state, nobody_comes_or_is_done)
                hits_of_each = hits_here.get(state, no_hits)
                fired = _one_after_another(
                    coming_of_each, hits_of_each, self.repeat, width, bits_below_all_dead
                )
                finished = fired.passed_on + done_before
                if finished:
                    add_weight(done, state, 0, finished)
                if any(fired.draws):
                    self._follow_hits(state, fired.draws, hits)
            self._spend(len(coming_here) + len(hits_here), bits_below_all_dead)

    def _follow_hits(
        self, state: VolleyState, draws: list[int], hits: dict[int, WeightsByShooter]
    ) -> None:
        """Adds to the ``hits`` those of the next draw, which each shooter makes with his weight of
        ``draws``."""
        for move in self.moves.from_state(self.shooter, state):
            weights = [weight * move.factor for weight in draws]
            hits_after = hits[move.drawn]
            before = hits_after.get(move.after)
            if before is not None:
                weights = each_added(before, weights)
            hits_after[move.after] = weights

    def _spend(self, followed: int, bits: int) -> None:
        """Counts draws followed for all of them, in so many states, with weights of so many bits
        each."""
        steps_of_a_state = self.alike * steps_of_weight(bits) * self.part_count
        self.limit.spend(steps_of_a_state * followed // ALIKE_DRAWS_A_STEP)


class _AlikeInOneState(NamedTuple):
    """Shooters who are alike in one state, while the deck lasts."""

    draws: list[int]
    """By shooter, the weight with which he draws his next card there."""
    passed_on: int
    """The weight with which the last of them is done."""


def _one_after_another(
    coming: Sequence[int], hits: Sequence[int], repeat: bool, width: int, bits_below_all_dead: int
) -> _AlikeInOneState:
    """The weights of shooters who are alike in one state, from those who come to fire there
    (``coming``) and the ``hits`` that lead there, both by shooter. Each passes on to the next what
    he is done with: any card, less those with which he hit."""
    draws: list[int] = []
    passed_on = 0
    for comes, hit in zip(coming, hits, strict=True):
        passed_on += comes
        # A hit is one kill more, which is one field.
        with_hits = passed_on + (hit << width)
        # Where all targets are dead, nothing is followed any more.
        if with_hits.bit_length() >= bits_below_all_dead:
            with_hits = lowest(with_hits, bits_below_all_dead)
        if repeat:
            draws.append(with_hits)
        else:
            draws.append(passed_on)
        # The hits were counted among any card, too, without the kill: that is taken back.
        passed_on = with_hits - hit
    return _AlikeInOneState(draws, passed_on)
