"""Follows one volley from shooter to shooter."""

from __future__ import annotations

from collections.abc import Sequence

from skirmish.games.plastic.odds.pack import Firer, Pack, VolleyOutcome, summed
from skirmish.games.plastic.odds.sweep.alike_shooters import AlikeShooters, how_many_together
from skirmish.games.plastic.odds.sweep.decks import Decks, State
from skirmish.games.plastic.odds.sweep.ending import Chances, FirstDeckLosses, chances_at_the_end
from skirmish.games.plastic.odds.sweep.limit import MOST_STEPS, StepLimit, steps_of_weight
from skirmish.games.plastic.odds.sweep.moves import KnownMoves
from skirmish.games.plastic.odds.sweep.one_shooter import OneShooter
from skirmish.games.plastic.odds.sweep.parts import DeckParts
from skirmish.games.plastic.odds.sweep.polynomials import Weights
from skirmish.games.plastic.odds.sweep.terms import SweepTerms


class Sweep:
    """One volley, followed once: ask it for ``outcome`` or ``joint``.

    ``sizes``: how many stand in each group. With ``losses`` also which shooters break down. With
    ``hits_only`` misses are not followed where the deck lasts, which is faster and gives the same.
    ``most`` limits the steps. Raises OddsError where it would take too long.
    """

    def __init__(
        self,
        firers: Sequence[Firer],
        sizes: Sequence[int],
        pack: Pack,
        *,
        losses: bool = False,
        hits_only: bool = False,
        most: int = MOST_STEPS,
    ) -> None:
        self.terms = SweepTerms(firers, sizes, pack, losses, hits_only)
        self.limit = StepLimit(most, len(self.terms.firers))
        self.parts = DeckParts(self.terms)
        self.decks = Decks(self.terms)
        self.moves = KnownMoves(self.terms, self.parts, self.decks)
        self.first_deck_losses = FirstDeckLosses(self.terms, self.parts, self.decks)

    def outcome(self) -> VolleyOutcome:
        """The chances of kills and, with ``losses``, of shooters lost, each by itself."""
        joint = self.joint()
        kills = summed((key[:-1], chance) for key, chance in joint.items())
        if not self.terms.losses:
            return VolleyOutcome(kills)
        if self.terms.first_deck_lasts:
            # Then only hits were followed, and losses were counted beside them.
            lost = self.first_deck_losses.chances()
        else:
            lost = summed((key[-1], chance) for key, chance in joint.items())
        return VolleyOutcome(kills, {count: chance for count, chance in lost.items() if chance})

    def joint(self) -> Chances:
        """The chance of (kills of each group…, shooters lost), in which nobody is lost without
        ``losses``, or if only hits were followed."""
        return chances_at_the_end(self.terms, self.decks, self.states())

    def states(self) -> Weights[State]:
        """The states after the whole volley, with their weights."""
        # At first no card is drawn and nobody is lost, which is so in one way: the weight 1, which
        # stands in the lowest place (0) of its packed numbers.
        states: Weights[State] = {(0, 0, 0): (0, 1)}
        shooter = 0
        moves_are_known = False
        while shooter < len(self.terms.firers):
            if shooter:
                states = self.parts.divide(shooter, states, self.decks)
            # Only where there is one group of targets and no weapon breaks, and these shooters
            # spare nobody; others are followed one by one.
            together = self.terms.leaves_out_all_dead and not self.terms.firers[shooter].spared
            alike = 1
            if together:
                alike = how_many_together(self.moves, shooter, states)
            if not moves_are_known:
                self.moves.forget()
            self.limit.begin(alike)
            if together:
                states = AlikeShooters(self.moves, self.limit, shooter, alike).fire(states)
            else:
                states = self._fire(shooter, states)
            self.limit.end()
            # If the next one is alike, he only had no room in one weight with these: he moves as
            # they did, and his moves need not be worked out again.
            last = shooter + alike - 1
            moves_are_known = together and self.parts.next_is_alike(last)
            shooter += alike
        return states

    def _fire(self, shooter: int, states: Weights[State]) -> Weights[State]:
        """The states when one shooter is done. Draws are followed in the order in which they are
        made, so that equal states merge."""
        firing = OneShooter(self.terms, self.decks, shooter)
        firing.begin(states)
        while firing.waiting:
            self._draw(shooter, firing, firing.take_first())
        return firing.done

    def _draw(self, shooter: int, firing: OneShooter, states: Weights[tuple[State, int]]) -> None:
        """The next card for each of these states, in all of which as many were drawn."""
        terms = self.terms
        part_count = len(self.parts.by_shooter[shooter])
        counts_losses = terms.first_deck_lasts and terms.breaks and terms.firers[shooter].tests
        steps = 0
        for (state, spared), (low, value) in states.items():
            steps += part_count * steps_of_weight(value.bit_length())
            if counts_losses:
                self.first_deck_losses.count(shooter, state, value)
            ready = self.decks.ready(state)
            moves = self.moves.from_state(shooter, ready)
            deck, _, _ = ready
            if self.decks.lasts[deck]:
                firing.follow_hits(ready, moves, spared, low, value)
            else:
                firing.follow_all(moves, spared, low, value)
        self.limit.spend(steps)

    @property
    def steps(self) -> int:
        """The draws followed so far."""
        return self.limit.steps
