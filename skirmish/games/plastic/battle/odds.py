"""The odds of a shot or a volley in a battle. All results are exact; if a player's choice matters,
the chance is a range."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from skirmish.games.plastic.battle.agenda import Shooting, ToCheck
from skirmish.games.plastic.battle.known_pack import Knowledge, KnownPack, pack_of
from skirmish.games.plastic.battle.orders import Again, Fire, Volley
from skirmish.games.plastic.battle.orders.declared_shot import aim_of
from skirmish.games.plastic.battle.orders.firing import PreparedShot, pin_owed
from skirmish.games.plastic.battle.qualities import quality_of_check, quality_of_row
from skirmish.games.plastic.battle.rows import (
    Row,
    find_row,
    guys_in_sight,
    inside_is_unknown,
    riders_possible,
)
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.strength import beating_loss, strength
from skirmish.games.plastic.odds.pack import Firer, OddsError, Pack, VolleyOutcome, firer_of
from skirmish.games.plastic.odds.pinning import chance_of_pin, one_deck_odds, pinning_draws
from skirmish.games.plastic.odds.volley import simplified, volley
from skirmish.games.plastic.rules.shot import circumstances_of_next_man

_NEVER = Fraction(0)
"""The chance of what cannot be."""


# How long odds take to compute is estimated as work: the number of all shooters, with repeat fire
# or not, times the number of targets.
MOST_WORK = 2000
"""The most work for which kills are computed if somebody has repeat fire: some 10 milliseconds,
once for a shot. Without repeat fire kills take no time, however many fire."""
LOSSES_WORK = 400
"""The most work for which losses of shooters by breakdowns are computed too, which doubles the
time."""
SPARING_WORK = 160
"""The most work for which the odds remember who was spared: who was shot at and lives, since the
defender chose another to die. He is no new target for repeat fire (P22). With more work the odds
count him as one, so that the kills are an upper bound."""


class ChanceRange(NamedTuple):
    """A chance that depends on a choice that nobody has made yet."""

    least: Fraction
    most: Fraction


class VolleyOdds(Struct, frozen=True, kw_only=True):
    """What a volley or a run of repeat fire may come to. Chances are shares of 1."""

    shooters: int
    reach: int
    """How many can be hit, at most."""
    repeat: bool
    """Whether any of the shooters has repeat fire."""
    counted: bool
    """Whether the players have said how many can be hit. If not, a single gun with repeat fire
    shoots at a man, and nobody knows how many are near him: the least of a chance is that for him
    alone, the most is that for all within ``reach``."""
    kills: VolleyOutcome | None
    """Kills if all within ``reach`` can be hit; None where they take too long for a screen."""
    at_most: bool = False
    """Whether ``kills`` are an upper bound (``SPARING_WORK``)."""
    breaks: ChanceRange | None = None
    """The chance that the enemy's army breaks; None if it cannot come to that, or where it was not
    computed."""
    pinned: ChanceRange | None = None
    """The chance that somebody is left and is pinned; None if the fire causes no pin test, or where
    the chance is not known."""
    pin_note: str = ""
    """The note of the deck from which the pin tests are drawn (``KnownPack.note``)."""
    lost: Fraction | None = None
    """The chance that a breakdown costs a shooter or his weapon; None where it was not
    computed."""


def volley_odds(
    state: State, order: Fire | Again, shot: PreparedShot, knowledge: Knowledge = "full"
) -> VolleyOdds | None:
    """The odds of a volley, or of a single gun and its repeat fire; None where the row aimed at is
    gone. ``knowledge``: whether they may know which cards are gone."""
    target = find_row(state, shot.shooting.target)
    if target is None:
        return None
    pack = pack_of(state, shot.side, knowledge).pack
    reach = _reach(state, order, shot, target)
    firers = _firers(state, shot, pack)
    fire = _relevant_fire(firers, reach.most, pack)
    odds = VolleyOdds(
        shooters=len(firers),
        reach=reach.most,
        repeat=_has_repeat_fire(shot),
        counted=reach.counted,
        kills=None,
        at_most=fire.nobody_spared,
    )
    # How many can be hit. Where nobody has counted them, it is between one, the man aimed at, and
    # all who might be near him.
    sizes = [fire.size]
    if not reach.counted:
        sizes = [1, fire.size]
    outcomes = _outcomes(fire.firers, sizes, pack)
    if not outcomes:
        return odds
    against_fewest, against_most = outcomes[0], outcomes[-1]
    odds = replace(
        odds,
        kills=against_most,
        breaks=_chance_of_breaking(state, target, against_fewest, against_most),
        lost=_chance_of_costly_breakdown(against_most),
    )
    draws = _pin_draws(state, shot, target, knowledge)
    if draws is None:
        return odds
    pinned = _pin_chances(draws, fire.firers, sizes, outcomes)
    if pinned is None:
        return odds
    return replace(odds, pinned=pinned, pin_note=draws.known_pack.note)


def _shooter_count(squad: PreparedShot) -> int:
    """How many pieces of one row fire."""
    # A repeat shot has no list of pieces: the one that fired before fires it.
    if not squad.pieces:
        return 1
    return len(squad.pieces)


def _has_repeat_fire(shot: PreparedShot) -> bool:
    """Whether any of those who fire goes on after a hit."""
    return any(squad.aim.repeat for squad in shot.squads)


class _Reach(NamedTuple):
    """How many can be hit: exactly ``most`` if the players have ``counted`` them; else at least one
    and at most so many."""

    counted: bool
    most: int


def _reach(state: State, order: Fire | Again, shot: PreparedShot, target: Row) -> _Reach:
    """How many the fire can hit, and whether the players have said so."""
    if isinstance(order, Volley) or not _has_repeat_fire(shot):
        return _Reach(counted=True, most=shot.reach)
    # Nobody has said how many are near the man at whom a single gun fires: at most all guys of his
    # side in sight.
    guys_near = sum(len(row.in_sight) for row in guys_in_sight(state, target.side))
    if guys_near < 2:  # there is nobody but him
        return _Reach(counted=True, most=shot.reach)
    return _Reach(counted=False, most=guys_near)


class _VolleyFire(NamedTuple):
    """Who fires at how many (``size``), without those who make no difference. ``nobody_spared``:
    those who are spared count as new targets, to save time (``SPARING_WORK``)."""

    firers: tuple[Firer, ...]
    size: int
    nobody_spared: bool


def _relevant_fire(firers: Sequence[Firer], reach: int, pack: Pack) -> _VolleyFire:
    """The fire, all of it at one group of so many in ``reach``, without shooters and targets that
    make no difference, and without regard to who is spared if that would take too long."""
    needed, [size] = simplified(firers, [reach], pack)
    somebody_is_spared = any(firer.spared for firer in needed)
    work = len(firers) * reach
    if not somebody_is_spared or work <= SPARING_WORK:
        return _VolleyFire(tuple(needed), size, nobody_spared=False)
    # Simplified anew from all shooters: where nobody is spared, other ones than before may make no
    # difference.
    unsparing = [replace(firer, spared=0) for firer in firers]
    needed, [size] = simplified(unsparing, [reach], pack)
    return _VolleyFire(tuple(needed), size, nobody_spared=True)


def _outcomes(firers: tuple[Firer, ...], sizes: Sequence[int], pack: Pack) -> list[VolleyOutcome]:
    """The outcome against a group of each size; empty if any of them takes too long."""
    outcomes = []
    for size in sizes:
        outcome = _outcome(firers, size, pack)
        if outcome is None:
            return []
        outcomes.append(outcome)
    return outcomes


def _chance_of_costly_breakdown(outcome: VolleyOutcome) -> Fraction | None:
    """The chance that a breakdown costs a shooter or his weapon; None if it was not computed."""
    if not outcome.lost:
        return None
    chance_of_no_loss = outcome.lost.get(0, _NEVER)
    return 1 - chance_of_no_loss


def _next_shot(state: State, shot: PreparedShot) -> Shooting:
    """The shot that repeat fire may add to this one, under the circumstances that then hold
    (``circumstances_of_next_man``)."""
    circumstances = circumstances_of_next_man(shot.shooting.at, state.setup.catalog.fire)
    return replace(shot.shooting, at=circumstances)


def _firers(state: State, shot: PreparedShot, pack: Pack) -> list[Firer]:
    """All who fire, in their order."""
    firers: list[Firer] = []
    for squad in shot.squads:
        repeat_aim = aim_of(state, _next_shot(state, squad))
        firer = firer_of(squad.aim, repeat_aim, die=pack.die)
        firers += [firer] * _shooter_count(squad)
    return firers


def _count_pin_tests(state: State, shot: PreparedShot) -> int:
    """How many pin tests the volley causes if all fire: one for each machine gun (P55)."""
    tests = 0
    for squad in shot.squads:
        if pin_owed(state, squad) is not None:
            tests += _shooter_count(squad)
    return tests


# Each key that is pressed while a shot is put together asks for the same odds again.
@lru_cache(maxsize=64)
def _outcome(firers: tuple[Firer, ...], size: int, pack: Pack) -> VolleyOutcome | None:
    """What these shooters kill of so many; None if it takes too long for a screen."""
    # Only repeat fire and losses are slow: they are followed shot by shot.
    work = len(firers) * size
    if any(firer.repeat for firer in firers) and work > MOST_WORK:
        return None
    may_break_down = any(firer.tests for firer in firers)
    with_losses = may_break_down and work <= LOSSES_WORK
    try:
        return volley(firers, [size], pack, losses=with_losses)
    except OddsError:
        return None


def _chance_of_breaking(
    state: State, target: Row, against_fewest: VolleyOutcome, against_most: VolleyOutcome
) -> ChanceRange | None:
    """The chance that the army aimed at breaks; None if it cannot. The outcomes are those against
    the fewest and the most who might be near the man aimed at."""
    limit = beating_loss(state, target.side)
    if limit is None or state.outcome is not None or state.open_end:
        return None
    left_to_lose = limit - state.loss.get(target.side, 0)
    losses = _loss_range(state, target)
    most = _chance_of_loss(against_most, losses.most, left_to_lose)
    if most == _NEVER:
        return None
    least = _chance_of_loss(against_fewest, losses.least, left_to_lose)
    return ChanceRange(least, most)


def _chance_of_loss(outcome: VolleyOutcome, losses: Sequence[int], limit: int) -> Fraction:
    """The chance that the loss reaches the limit. ``losses``: by the number of kills (from 0), what
    they cost."""
    total = _NEVER
    most_kills = len(losses) - 1
    for kills, chance in outcome.kills().items():
        # The outcome may have more kills than there are pieces to lose.
        loss = losses[min(kills, most_kills)]
        if loss >= limit:
            total += chance
    return total


class _LossRange(NamedTuple):
    """By the number of kills (from 0), what they cost the army, at least and at most."""

    least: list[int]
    most: list[int]


def _loss_range(state: State, target: Row) -> _LossRange:
    """What kills cost. Of guys the defender may choose who dies, the cheapest or the dearest; a
    model takes its known or possible riders with it."""
    if target.unit.is_guy:
        guys = []
        for row in guys_in_sight(state, target.side):
            guys += [strength(state, [piece]) for piece in row.in_sight]
        return _range_of_losses(cheapest=guys, dearest=guys)
    dearest_rider = 0
    for row in riders_possible(state, target.side):
        # All of a row are of one unit, and so of one strength.
        any_rider = row.in_sight[0]
        dearest_rider = max(dearest_rider, strength(state, [any_rider]))
    with_known, with_possible = [], []
    for model in target.in_sight:
        worth = strength(state, [model, *state.riders_of(model)])
        with_known.append(worth)
        # At most the dearest rider sat on every seat.
        if inside_is_unknown(state, model):
            worth += dearest_rider * state.unit(model).seats
        with_possible.append(worth)
    return _range_of_losses(cheapest=with_known, dearest=with_possible)


def _range_of_losses(*, cheapest: Sequence[int], dearest: Sequence[int]) -> _LossRange:
    """The losses if the cheapest pieces die first, of these strengths, and if the dearest do."""
    least = _losses_by_kills(sorted(cheapest))
    most = _losses_by_kills(sorted(dearest, reverse=True))
    return _LossRange(least, most)


def _losses_by_kills(strengths: Sequence[int]) -> list[int]:
    """The loss by the number of kills (from 0), if pieces of these strengths die in this order."""
    return [0, *accumulate(strengths)]


class _PinDraws(NamedTuple):
    """The pin draws after a volley."""

    state: State
    row: str
    """Whose men draw, by its key."""
    known_pack: KnownPack
    """What they draw from."""
    one_deck: bool
    """Whether the shooters draw from it as well."""
    tests: int
    """How many pin tests the volley causes."""
    group_tests: tuple[ToCheck, ...]
    """The tests of the group that the same run of fire hit before; they are drawn even if nobody of
    the row is left."""

    @property
    def pack(self) -> Pack:
        """The possible draws."""
        return self.known_pack.pack

    @property
    def group_draws(self) -> int:
        """How many draws the group owes."""
        return sum(task.times for task in self.group_tests)

    def chance_left_and_pinned(
        self, firers: tuple[Firer, ...], size: int, outcome: VolleyOutcome
    ) -> Fraction:
        """The chance that somebody of a group of that size is left and pinned. Raises OddsError for
        draws that are not worked out (below), or that take too long."""
        setup, quality = self.state.setup, quality_of_row(self.state, self.row)
        if any(quality_of_check(self.state, task) != quality for task in self.group_tests):
            raise OddsError("Draws of men of different quality are not worked out.")
        if self.one_deck and not self.pack.die:
            # The cards that earlier draws take are not left for this test.
            if self.group_draws:
                raise OddsError("Draws for others from the same deck are not worked out.")
            pins = pinning_draws(quality, self.pack.die, setup.catalog, setup.rulings)
            odds = one_deck_odds(firers, size, self.pack, pins, draws_for_pin=self.tests)
            return odds.left_and_pinned
        nobody_left = outcome.at_least(size)
        chance = (1 - nobody_left) * self._chance_in(self.tests + self.group_draws)
        if self.group_draws:
            # Where all of the row are dead, the group hit before still draws for itself.
            chance += nobody_left * self._chance_in(self.group_draws)
        return chance

    def _chance_in(self, draws: int) -> Fraction:
        """The chance to be pinned by so many draws."""
        setup, quality = self.state.setup, quality_of_row(self.state, self.row)
        return chance_of_pin(quality, self.pack, setup.catalog, setup.rulings, draws)


def _pin_draws(
    state: State, shot: PreparedShot, target: Row, knowledge: Knowledge
) -> _PinDraws | None:
    """The pin draws that this fire causes; None if it causes none, or nobody knows how many."""
    # Where each shot of a run causes a test, nobody knows how many there will be (P55).
    tests_unknown = _has_repeat_fire(shot) and state.setup.rulings["P55"] == "per_shot"
    tests = _count_pin_tests(state, shot)
    if tests_unknown or tests == 0:
        return None
    return _PinDraws(
        state=state,
        row=target.key,
        known_pack=pack_of(state, target.side, knowledge),
        one_deck=state.source_of(shot.side) == state.source_of(target.side),
        tests=tests,
        group_tests=_tests_of_group_hit_before(state, shot),
    )


def _pin_chances(
    draws: _PinDraws,
    firers: tuple[Firer, ...],
    sizes: Sequence[int],
    outcomes: Sequence[VolleyOutcome],
) -> ChanceRange | None:
    """The chance that somebody is left and pinned, in the smallest and in the largest group; None
    where that is not known."""
    chances = []
    try:
        for size, outcome in zip(sizes, outcomes, strict=True):
            chances.append(draws.chance_left_and_pinned(firers, size, outcome))
    except OddsError:
        return None
    return ChanceRange(chances[0], chances[-1])


def _tests_of_group_hit_before(state: State, shot: PreparedShot) -> tuple[ToCheck, ...]:
    """The pin tests that a group already owes, if the run of fire that hit it goes on to a man
    outside it. Empty where it goes on within the group, which tests only once for the run."""
    test = pin_owed(state, shot)
    if test is None or not test.lone:
        return ()
    owed = []
    for task in state.agenda:
        if isinstance(task, ToCheck) and task.check == "pin" and not task.lone:
            owed.append(task)
    return tuple(owed)
