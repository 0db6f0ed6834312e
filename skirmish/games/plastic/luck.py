"""The luck ledger of a battle: the kills that each side's fire could expect, and those it made.

**Expected** is the sum of the chances of all shots, each from the deck before its own draw. A shot
kills at most one: passengers who die with their vehicle, and casualties chosen in place of the
target, are not luck.

**The percentile** says how often independent shots with the same chances would kill fewer, plus
half of how often they would kill exactly as many. The shots of a battle are not independent: the
chance of each depends on the draws before it. But kill minus chance has the mean 0 and the variance
of an independent shot (it is a martingale difference), so that the sums agree in both, as far as
the number of shots does not depend on luck. The percentile is neither the chance of this battle nor
a measure of skill.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import accumulate
from operator import attrgetter
from typing import NamedTuple

import msgspec

from skirmish.games.plastic.battle.known_pack import Knowledge
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.view import seen
from skirmish.games.plastic.fired_shots import FiredShot, fired_shots
from skirmish.games.plastic.turning_point import TurningPoint, turning_point_of

_VERDICTS = ((95, "very lucky"), (75, "lucky"), (25, "as expected"), (5, "unlucky"))
"""The least percentile for each verdict; below all of them is ``very unlucky``. As expected is the
middle half of what luck can bring, very lucky its best twentieth."""


class SideLuck(msgspec.Struct, frozen=True, kw_only=True):
    """What a side's fire could expect, and what it made."""

    side: str
    people: str
    shots: int
    sure: int
    """Shots with only one possible result, in which there is no luck."""
    expected: Fraction
    """The kills to be expected."""
    kills: int
    difference: Fraction
    """The kills made minus those expected."""
    percentile: float | None
    """From 0 to 100; None if all shots were sure."""
    verdict: str | None
    """The percentile in words."""
    saves: int
    """Enemy shots from which cover or hull down saved its own."""
    saves_expected: Fraction
    broke: int
    """How many of its weapons broke down."""
    broke_expected: Fraction
    best: FiredShot | None
    """The least likely kill."""
    worst: FiredShot | None
    """The likeliest hit that missed."""


class Swing(msgspec.Struct, frozen=True):
    """The game turn with the greatest swing of luck, and each side's kills minus chances in it."""

    turn: int
    gained: dict[str, Fraction]
    """The luck of each side, by its id."""


class Luck(msgspec.Struct, frozen=True, kw_only=True):
    """The luck of both sides."""

    sides: tuple[SideLuck, SideLuck]
    swing: Swing | None
    turning_point: TurningPoint | None
    notes: dict[str, int]
    """How many shots have a chance that is not based on the deck at that time, by the reason."""
    shots: tuple[FiredShot, ...]

    def course(self, side: str) -> list[Fraction]:
        """The luck of a side before the first shot and after each shot of the battle."""
        gained = []
        for shot in self.shots:
            if shot.side == side:
                gained.append(shot.luck)
            else:
                gained.append(Fraction(0))
        return list(accumulate(gained, initial=Fraction(0)))


def luck(play: BattlePlay, knowledge: Knowledge = "full") -> Luck:
    """The luck of both sides. During a battle only what both can see counts: otherwise the figures
    would give away shots at men who hide. ``knowledge``: whether the chances may know which cards
    are gone."""
    if play.state.outcome is None:
        spectator = None
        play = seen(play, spectator)
    setup, shots = play.state.setup, fired_shots(play, knowledge)
    first, second = (_side_luck(side.id, side.people, shots) for side in setup.sides)
    return Luck(
        sides=(first, second),
        swing=_swing(shots, first.side, second.side),
        turning_point=turning_point_of(play),
        notes=Counter(shot.note for shot in shots if shot.note),
        shots=shots,
    )


def _side_luck(side: str, people: str, shots: Sequence[FiredShot]) -> SideLuck:
    """The luck of a side in these shots of both sides."""
    own = [shot for shot in shots if shot.side == side]
    enemy = [shot for shot in shots if shot.side != side]
    chances = [shot.chance for shot in own]
    kills = _number_of(shot.hit for shot in own)
    expected = sum(chances, Fraction(0))
    sure = _number_of(chance in (0, 1) for chance in chances)
    percentile, verdict = None, None
    # Where every shot was sure, no luck was possible.
    if sure < len(own):
        fewer, as_many = fewer_and_as_many(chances, kills)
        percentile = 100 * (fewer + as_many / 2)
        verdict = _verdict(percentile)
    return SideLuck(
        side=side,
        people=people,
        shots=len(own),
        sure=sure,
        expected=expected,
        kills=kills,
        difference=kills - expected,
        percentile=percentile,
        verdict=verdict,
        saves=_number_of(shot.saved for shot in enemy),
        saves_expected=sum((shot.save_chance for shot in enemy), Fraction(0)),
        broke=_number_of(shot.broke for shot in own),
        broke_expected=sum((shot.breakdown_chance for shot in own), Fraction(0)),
        best=_luckiest_hit(own),
        worst=_unluckiest_miss(own),
    )


def _number_of(answers: Iterable[bool]) -> int:
    """How many of the answers are yes."""
    return list(answers).count(True)


def _luckiest_hit(shots: Iterable[FiredShot]) -> FiredShot | None:
    """The hit with the smallest chance; None if every hit was sure. Shots of a counted volley are
    left out, since nobody knows which of them killed."""
    hits = [shot for shot in shots if shot.hit and shot.chance < 1 and not shot.counted]
    return min(hits, key=attrgetter("chance"), default=None)


def _unluckiest_miss(shots: Iterable[FiredShot]) -> FiredShot | None:
    """The miss with the greatest chance of a hit; None if none could have hit. Shots of a counted
    volley are left out, as above."""
    misses = [shot for shot in shots if not shot.hit and shot.chance > 0 and not shot.counted]
    return max(misses, key=attrgetter("chance"), default=None)


def _verdict(percentile: float) -> str:
    """How lucky a percentile is, in words."""
    for least, words in _VERDICTS:
        if percentile >= least:
            return words
    return "very unlucky"


def _swing(shots: Sequence[FiredShot], first: str, second: str) -> Swing | None:
    """The turn in which the luck of the two sides differed most, of equal ones the earliest; None
    if it was the same in every turn."""
    turns: dict[int, dict[str, Fraction]] = {}
    for shot in shots:
        gained = turns.setdefault(shot.turn, {first: Fraction(0), second: Fraction(0)})
        gained[shot.side] += shot.luck
    greatest, swing = Fraction(0), None
    for turn in sorted(turns):
        gained = turns[turn]
        difference = abs(gained[first] - gained[second])
        if difference > greatest:
            greatest, swing = difference, Swing(turn, gained)
    return swing


class HitProbabilities(NamedTuple):
    """How probable it is that some shots make fewer hits than a number, and exactly so many."""

    fewer: float
    as_many: float


def fewer_and_as_many(chances: Sequence[Fraction], hits: int) -> HitProbabilities:
    """The probabilities that independent shots with these chances make fewer hits, and exactly so
    many; with an error far below a billionth."""
    # The probability of 0, 1, ... hits by the shots so far. More than ``hits`` are cut off: no
    # later shot can make them fewer.
    by_hits = [1.0]
    for chance in map(float, chances):
        with_shot = [0.0] * (len(by_hits) + 1)
        for count, probability in enumerate(by_hits):
            with_shot[count] += probability * (1 - chance)
            with_shot[count + 1] += probability * chance
        by_hits = with_shot[: hits + 1]
    fewer = sum(by_hits[:hits])
    # As many are impossible with fewer shots than hits.
    as_many = 0.0
    if hits < len(by_hits):
        as_many = by_hits[hits]
    return HitProbabilities(fewer, as_many)
