"""Follows one volley from shooter to shooter."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction

import msgspec

from skirmish.games.plastic.odds.pack import Firer, Pack, VolleyOutcome, summed
from skirmish.games.plastic.odds.sweep.alike_shooters import AlikeShooters, how_many_together
from skirmish.games.plastic.odds.sweep.decks import Decks, VolleyState
from skirmish.games.plastic.odds.sweep.ending import (
    FirstDeckLosses,
    JointChances,
    chances_at_the_end,
)
from skirmish.games.plastic.odds.sweep.limit import MOST_STEPS, StepLimit, steps_of_weight
from skirmish.games.plastic.odds.sweep.moves import KnownMoves, ShotMove
from skirmish.games.plastic.odds.sweep.parts import DeckParts
from skirmish.games.plastic.odds.sweep.polynomials import PackedWeight, Weights, add_weight
from skirmish.games.plastic.odds.sweep.terms import SweepTerms


class _NextShot(msgspec.Struct, frozen=True, gc=False, cache_hash=True):
    """Where a shooter has to draw for his next shot."""

    state: VolleyState
    spared: int
    """How many new men were spared him so far."""
    is_exact: bool
    """Whether this is his first shot, at a man in contact: it spares nobody (P11)."""


class Sweep:
    """One volley, followed once: ask it for ``outcome`` or ``joint``.

    ``sizes``: how many stand in each group. With ``losses`` it is also followed how many shooters
    break down. With ``hits_only`` misses are not followed where the deck lasts, which is faster and
    gives the same. It takes up to ``most`` steps. Raises OddsError where it would take more.
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
        chances_of_kills: list[tuple[tuple[int, ...], Fraction]] = []
        chances_of_losses: list[tuple[int, Fraction]] = []
        for (*kills, lost), chance in self.joint().items():
            chances_of_kills.append((tuple(kills), chance))
            chances_of_losses.append((lost, chance))
        by_kills = summed(chances_of_kills)
        if not self.terms.losses:
            return VolleyOutcome(by_kills)
        if self.terms.first_deck_lasts:
            # Then only hits were followed, and losses were counted beside them.
            by_losses = self.first_deck_losses.chances()
        else:
            by_losses = summed(chances_of_losses)
        possible_losses = {lost: chance for lost, chance in by_losses.items() if chance}
        return VolleyOutcome(by_kills, possible_losses)

    def joint(self) -> JointChances:
        """The chance of (kills of each group…, shooters lost). Nobody is lost there without
        ``losses``, or if only hits were followed."""
        return chances_at_the_end(self.terms, self.decks, self.states())

    def states(self) -> Weights[VolleyState]:
        """The states after the whole volley, with their weights."""
        # At first no card is drawn and nobody is lost. That is so in one way: the weight is 1, in
        # the field of 0 kills.
        beginning = VolleyState(deck=0, cells=0, lost=0)
        states: Weights[VolleyState] = {beginning: PackedWeight(low=0, value=1)}
        shooter = 0
        moves_are_known = False
        while shooter < len(self.terms.firers):
            if shooter:
                states = self.parts.divide(shooter, states, self.decks)
            # Alike shooters are followed together only where there is one group of targets, no
            # weapon breaks, and these shooters spare nobody; all others are followed one by one.
            are_together = self.terms.leaves_out_all_dead and not self.terms.firers[shooter].spared
            alike = 1
            if are_together:
                alike = how_many_together(self.moves, shooter, states)
            if not moves_are_known:
                self.moves.forget()
            self.limit.begin(alike)
            if are_together:
                states = AlikeShooters(self.moves, self.limit, shooter, alike).fire(states)
            else:
                states = self._fire(shooter, states)
            self.limit.end()
            # If the next one is alike, he was left out only since one weight had no room for him:
            # he moves as these did, and his moves need not be worked out again.
            last = shooter + alike - 1
            moves_are_known = are_together and self.parts.next_is_alike(last)
            shooter += alike
        return states

    def _fire(self, shooter: int, states: Weights[VolleyState]) -> Weights[VolleyState]:
        """The states when one shooter is done. Draws are followed in the order in which they are
        made, so that equal states merge."""
        one_shooter = OneShooter(self.terms, self.decks, shooter)
        one_shooter.begin(states)
        while one_shooter.waiting:
            self._draw(shooter, one_shooter, one_shooter.take_first())
        return one_shooter.done

    def _draw(self, shooter: int, one_shooter: OneShooter, shots: Weights[_NextShot]) -> None:
        """Follows the draws for these shots, before all of which as many cards were drawn."""
        terms = self.terms
        part_count = len(self.parts.by_shooter[shooter])
        may_break_down = bool(terms.breaks and terms.firers[shooter].tests)
        counts_losses = terms.first_deck_lasts and may_break_down
        steps = 0
        for shot, weight in shots.items():
            steps += part_count * steps_of_weight(weight.value.bit_length())
            if counts_losses:
                self.first_deck_losses.count(shooter, shot.state, weight.value)
            ready = self.decks.ready(shot.state)
            moves = self.moves.from_state(shooter, ready)
            if self.decks.lasts[ready.deck]:
                one_shooter.follow_hits(ready, moves, shot, weight)
            else:
                one_shooter.follow_all(moves, shot, weight)
        self.limit.spend(steps)

    @property
    def steps(self) -> int:
        """The draws followed so far."""
        return self.limit.steps


# ------------------------------------------------------------------ one shooter


class OneShooter:
    """One shooter, followed by himself from his first draw until he is done.

    ``waiting``: the weights with which he still has to draw, by the cards drawn before, then by
    shot. ``done``: the weights of the states in which he has fired his last shot.
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
        self.done: Weights[VolleyState] = {}
        self.waiting: dict[int, Weights[_NextShot]] = defaultdict(dict)
        self._masks: dict[int, int] = {}
        """The results of ``_fields_with_fewer`` so far."""

    def begin(self, states: Weights[VolleyState]) -> None:
        """He comes to fire in these states, where he has somebody to fire at."""
        for state, weight in states.items():
            first_shot = _NextShot(state, spared=0, is_exact=self.first_exact)
            self._fire_on(first_shot, self.decks.drawn(state), weight.low, weight.value)

    def take_first(self) -> Weights[_NextShot]:
        """The weights after the fewest cards drawn, which no later draw can add to."""
        return self.waiting.pop(min(self.waiting))

    def follow_all(self, moves: list[ShotMove], shot: _NextShot, weight: PackedWeight) -> None:
        """A draw of which the misses are followed as well."""
        for move in moves:
            value = weight.value * move.factor
            # Dividing so long an integer by 1 would only take time.
            if move.divisor != 1:
                value //= move.divisor
            if move.hits:
                self._hit(move, shot, weight.low, value)
            else:
                add_weight(self.done, move.after, weight.low, value)

    def follow_hits(
        self, state: VolleyState, moves: list[ShotMove], shot: _NextShot, weight: PackedWeight
    ) -> None:
        """A draw from ``state`` while the deck lasts, where all moves are hits. A miss is any card
        less the hits: he is done with all cards, and each hit takes back what it uses."""
        add_weight(self.done, state, weight.low, weight.value)
        for move in moves:
            value = weight.value * move.factor
            add_weight(self.done, move.after, weight.low, -value)
            self._hit(move, shot, weight.low, value)

    def _hit(self, move: ShotMove, shot: _NextShot, low: int, value: int) -> None:
        """One more kill by this shot, after which he may fire again."""
        low_after_kill = low + self.shift_of_kill
        if not self.repeat:
            add_weight(self.done, move.after, low_after_kill, value)
            return
        spared = shot.spared
        if move.may_spare and not shot.is_exact:
            spared += 1
        next_shot = _NextShot(move.after, spared, is_exact=False)
        self._fire_on(next_shot, move.drawn, low_after_kill, value)

    def _fire_on(self, shot: _NextShot, drawn: int, low: int, value: int) -> None:
        """He fires this shot where he has a new man left, and else is done."""
        # Spared men are no new ones for him. He has a new man as long as fewer are killed than
        # were not spared.
        kills_to_stop = max(0, self.group_size - shot.spared)
        # With one group, a number of kills is the field of that number.
        has_new_man_in_all = (
            self.one_group and low + value.bit_length() < kills_to_stop * self.terms.width
        )
        if has_new_man_in_all:
            firing = value
        else:
            firing = self._with_fewer_kills(kills_to_stop, low, value)
        if firing:
            add_weight(self.waiting[drawn], shot, low, firing)
        stopping = value - firing
        # Where nobody was spared him, he stops because all are dead, which may not be followed.
        stops_with_men_left = shot.spared > 0
        if stopping and (stops_with_men_left or not self.terms.leaves_out_all_dead):
            add_weight(self.done, shot.state, low, stopping)

    def _with_fewer_kills(self, kills: int, low: int, value: int) -> int:
        """The fields of a weight with fewer ``kills`` in his group."""
        # A negative coefficient borrows from the field above. Once all are made positive, fields
        # can be cut out.
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
