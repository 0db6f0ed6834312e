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
from skirmish.games.plastic.battle.known_pack import Knowledge, pack_of
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
"""The most work for which it is followed who was shot at and lives, since the defender chose
another: he is no new target for repeat fire (P22). Beyond it that is left out, and the kills are an
upper bound."""


class ChanceRange(NamedTuple):
    """A chance that depends on a choice that nobody has made yet."""

    least: Fraction
    most: Fraction


class VolleyOdds(Struct, frozen=True, kw_only=True):
    """What a volley or a run of repeat fire may come to. Chances are shares of 1."""

    shooters: int
    # How many can be hit, at most.
    reach: int
    # Whether any of the shooters has repeat fire.
    repeat: bool
    # Whether the players have said how many can be hit. If not, a single gun with repeat fire
    # shoots at a man, and nobody knows how many are near him: the least of a chance is that for him
    # alone, the most is that for all within ``reach``.
    counted: bool
    # Kills if all within ``reach`` can be hit; None where they take too long for a screen.
    kills: VolleyOutcome | None
    # Whether ``kills`` are an upper bound (``SPARING_WORK``).
    at_most: bool = False
    # The chance that the enemy's army breaks; None if it cannot come to that.
    breaks: ChanceRange | None = None
    # The chance that somebody is left and is pinned; None where it is not known.
    pinned: ChanceRange | None = None
    # The note of the deck from which the pin tests are drawn (``KnownPack.note``).
    pin_note: str = ""
    # The chance that a breakdown costs a shooter or his weapon; None where it was not computed.
    lost: Fraction | None = None


def volley_odds(
    state: State, order: Fire | Again, shot: PreparedShot, knowledge: Knowledge = "full"
) -> VolleyOdds | None:
    """The odds of a volley, or of a single gun and its repeat fire; None where the row aimed at is
    gone."""
    target = find_row(state, shot.shooting.target)
    if target is None:
        return None
    pack = pack_of(state, shot.side, knowledge).pack
    shooters = _shooter_count(order, shot)
    reach = _reach(state, order, shot, target)
    fire = _relevant_fire(_firers(state, shot, shooters, pack), shooters, reach.most, pack)
    odds = VolleyOdds(
        shooters=shooters,
        reach=reach.most,
        repeat=_has_repeat_fire(shot),
        counted=reach.counted,
        kills=None,
        at_most=fire.nobody_spared,
    )
    # How many can be hit. Where nobody has counted them: at least the man aimed at, at most all who
    # might be near him.
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
    tests = _count_pin_tests(state, shot, shooters)
    # Where each shot of a run causes a test, nobody knows how many there will be (P55).
    tests_unknown = odds.repeat and state.setup.rulings["P55"] == "per_shot"
    if not tests or tests_unknown:
        return odds
    target_pack = pack_of(state, target.side, knowledge)
    draws = _PinDraws(
        state=state,
        row=target.key,
        pack=target_pack.pack,
        one_deck=state.source_of(shot.side) == state.source_of(target.side),
        tests=tests,
        group_tests=_tests_of_group_hit_before(state, shot),
    )
    pinned = _pin_chances(draws, fire.firers, sizes, outcomes)
    if pinned is None:
        return odds
    return replace(odds, pinned=pinned, pin_note=target_pack.note)


def _shooter_count(order: Fire | Again, shot: PreparedShot) -> int:
    """How many pieces fire."""
    if isinstance(order, Volley):
        return sum(len(squad.pieces) for squad in shot.squads)
    return 1


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
    # Of a single gun nobody has said how many are near the man it fires at.
    # At most all guys of his side are.
    guys_near = sum(len(row.in_sight) for row in guys_in_sight(state, target.side))
    if guys_near < 2:  # there is nobody but him
        return _Reach(counted=True, most=shot.reach)
    return _Reach(counted=False, most=guys_near)


class _VolleyFire(NamedTuple):
    """Who fires at how many (``size``), without those who make no difference. ``nobody_spared``: it
    is left out who was shot at and lives, to save time (``SPARING_WORK``)."""

    firers: tuple[Firer, ...]
    size: int
    nobody_spared: bool


def _relevant_fire(firers: Sequence[Firer], shooters: int, reach: int, pack: Pack) -> _VolleyFire:
    """The fire, all of it at one group of so many in ``reach``, without shooters and targets that
    make no difference, and without sparing if that would take too long."""
    needed, sizes = simplified(firers, [reach], pack)
    somebody_is_spared = any(firer.spared for firer in needed)
    if not somebody_is_spared or shooters * reach <= SPARING_WORK:
        return _VolleyFire(tuple(needed), sizes[0], nobody_spared=False)
    # Simplified anew from all shooters, since others make no difference where nobody is spared.
    unsparing = [replace(firer, spared=0) for firer in firers]
    needed, sizes = simplified(unsparing, [reach], pack)
    return _VolleyFire(tuple(needed), sizes[0], nobody_spared=True)


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


def _firers(state: State, shot: PreparedShot, shooters: int, pack: Pack) -> list[Firer]:
    """All who fire, in their order."""
    firers: list[Firer] = []
    for squad in shot.squads:
        repeat_aim = aim_of(state, _next_shot(state, squad))
        # In a mixed volley each squad has its own number; else all shooters are of one row.
        if shot.more:
            count = len(squad.pieces)
        else:
            count = shooters
        firers += [firer_of(squad.aim, repeat_aim, die=pack.die)] * count
    return firers


def _count_pin_tests(state: State, shot: PreparedShot, shooters: int) -> int:
    """How many pin tests the volley causes if all fire: one for each machine gun (P55)."""
    if not shot.more:
        if pin_owed(state, shot):
            return shooters
        return 0
    tests = 0
    for squad in shot.squads:
        if pin_owed(state, squad):
            tests += len(squad.pieces)
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
    try:
        return volley(firers, [size], pack, losses=may_break_down and work <= LOSSES_WORK)
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
    if not most:
        return None
    least = _chance_of_loss(against_fewest, losses.least, left_to_lose)
    return ChanceRange(least, most)


def _chance_of_loss(outcome: VolleyOutcome, losses: Sequence[int], limit: int) -> Fraction:
    """The chance that the loss reaches the limit. ``losses``: by the number of kills (from 0), what
    they cost."""
    total = _NEVER
    for fallen, chance in outcome.kills().items():
        # Beyond the last there is nobody more to lose.
        if losses[min(fallen, len(losses) - 1)] >= limit:
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
        return _LossRange(
            _losses_by_kills(sorted(guys)), _losses_by_kills(sorted(guys, reverse=True))
        )
    dearest_rider = 0
    for row in riders_possible(state, target.side):
        dearest_rider = max(dearest_rider, strength(state, [row.in_sight[0]]))
    with_known, with_possible = [], []
    for model in target.in_sight:
        worth = strength(state, [model, *state.riders_of(model)])
        with_known.append(worth)
        # At most every seat held the dearest rider.
        if inside_is_unknown(state, model):
            worth += dearest_rider * state.unit(model).seats
        with_possible.append(worth)
    return _LossRange(
        _losses_by_kills(sorted(with_known)), _losses_by_kills(sorted(with_possible, reverse=True))
    )


def _losses_by_kills(strengths: Sequence[int]) -> list[int]:
    """The loss by the number of kills (from 0), if pieces of these strengths die in this order."""
    return [0, *accumulate(strengths)]


class _PinDraws(NamedTuple):
    """The pin draws of the men of a ``row`` after a volley that causes so many ``tests``. They draw
    from the ``pack`` of their side; with ``one_deck`` the shooters draw from it as well.
    ``group_tests`` are those of the group that the same run of fire hit before; they are drawn even
    if nobody of the row is left."""

    state: State
    row: str
    pack: Pack
    one_deck: bool
    tests: int
    group_tests: tuple[ToCheck, ...]

    @property
    def group_draws(self) -> int:
        """How many draws the group owes."""
        return sum(task.times for task in self.group_tests)

    def chance_left_and_pinned(
        self, firers: tuple[Firer, ...], size: int, outcome: VolleyOutcome
    ) -> Fraction:
        """The chance that somebody of a group of that size is left and pinned. Raises OddsError
        where that is not followed, or takes too long."""
        setup, quality = self.state.setup, quality_of_row(self.state, self.row)
        if any(quality_of_check(self.state, task) != quality for task in self.group_tests):
            raise OddsError("Draws of men of different quality are not followed.")
        if self.one_deck and not self.pack.die:
            # The cards that earlier draws take are not left for this test.
            if self.group_draws:
                raise OddsError("Draws for others from the same deck are not followed.")
            pins = pinning_draws(quality, self.pack.die, setup.catalog, setup.rulings)
            return one_deck_odds(
                firers, size, self.pack, pins, draws_for_pin=self.tests
            ).left_and_pinned
        somebody_left = 1 - outcome.at_least(size)
        chance = somebody_left * self._chance_in(self.tests + self.group_draws)
        if self.group_draws:
            chance += (1 - somebody_left) * self._chance_in(self.group_draws)
        return chance

    def _chance_in(self, draws: int) -> Fraction:
        """The chance to be pinned by so many draws."""
        setup, quality = self.state.setup, quality_of_row(self.state, self.row)
        return chance_of_pin(quality, self.pack, setup.catalog, setup.rulings, draws)


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
