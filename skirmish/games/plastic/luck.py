"""The luck ledger of a battle: what each side's fire was to be expected to kill, and what it did.

**Expected** are the chances of all shots added up, each out of the deck as it stood before its own
draw (``luck_shots``). A hit kills one man or one model; whoever dies aboard of it is no luck of the
shot, and who dies in whose place is the defender's choice. So a shot kills at most one, and the
kills of a side are a sum of noughts and ones.

**What the percentile is.** Shots of a battle are not independent: each draw changes the deck, and
what players do next depends on what came. But kill less chance, shot for shot, is a fair game: at
its moment it is nought on the average, whatever happened before (a martingale difference). So the
differences add up to nought on the average, whoever chooses when to fire, and their variance is
that of independent shots with the same chances, p(1 - p) each. The yardstick is therefore the sum
of independent shots with just these chances (the Poisson binomial distribution, multiplied out),
and the percentile says how much of it lies below what came, half of an equal result included. It is
right as far as how many shots there are does not hang on luck: who breaks off when he is ahead ends
above the middle more often, and far below it else. It is not the chance of this battle: with other
cards other shots would have been fired. Nothing here is about skill: who shoots only when it is
easy has high chances, not much luck.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import msgspec

from skirmish.games.plastic.battle.odds import Knowledge
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.view import seen
from skirmish.games.plastic.highlights import TurningPoint, turning_point
from skirmish.games.plastic.luck_shots import FiredShot, fired_shots
from skirmish.games.plastic.odds.spread import fewer_and_as_many


class SideLuck(msgspec.Struct, frozen=True, kw_only=True):
    """One side's luck.

    As firer: ``shots`` judged (``sure`` of them could only come out one way), ``expected`` and
    ``kills`` that they made, chances of ``fewer`` kills and of ``as_many``; breakdowns likewise.
    As target: ``saves`` by cover and hull down, and those to be expected.
    ``best`` is its least likely kill, ``worst`` the most certain shot that missed.
    """

    side: str
    people: str
    shots: int
    sure: int
    expected: Fraction
    kills: int
    fewer: Fraction
    as_many: Fraction
    saves: int
    saves_expected: Fraction
    broke: int
    broke_expected: Fraction
    best: FiredShot | None
    worst: FiredShot | None

    @property
    def difference(self) -> Fraction:
        """Kills more than expected; below nought: fewer."""
        return self.kills - self.expected

    @property
    def percentile(self) -> Fraction | None:
        """From 0 to 1, the middle of equal results; None where no shot was open."""
        return self.fewer + self.as_many / 2 if self.shots > self.sure else None


class Swing(msgspec.Struct, frozen=True):
    """The game turn in which luck moved most from one side to the other: ``gained`` is each side's
    kills less chances in that turn, by side id."""

    turn: int
    gained: dict[str, Fraction]


class Luck(msgspec.Struct, frozen=True, kw_only=True):
    """The whole ledger. ``shots`` stand in the order of their draws. ``notes`` count the shots
    whose chance does not rest on the deck as it stood, by why. ``turned`` is the turning point of
    the battle's story; None if neither side is ahead for good."""

    shots: tuple[FiredShot, ...]
    sides: tuple[SideLuck, SideLuck]
    swing: Swing | None
    turned: TurningPoint | None
    notes: dict[str, int]

    def course(self, side: str) -> list[Fraction]:
        """Kills less chances of a side, added up: nought, then the sum after each of the shots,
        the other side's included, so that both sides' courses run side by side."""
        found = [Fraction(0)]
        for shot in self.shots:
            found.append(found[-1] + shot.luck if shot.side == side else found[-1])
        return found


def sampled(course: Sequence[Fraction], places: int) -> list[float]:
    """A course in so many places of a chart, each as it stands at the end of its share of shots.
    One of no shots has none."""
    shots = len(course) - 1
    if not shots:
        return []
    return [float(course[-(-(place + 1) * shots // places)]) for place in range(places)]


def luck(play: BattlePlay, knowledge: Knowledge = "full") -> Luck:
    """The ledger of a battle as far as it is fought. ``knowledge`` is what may be known of decks.

    While a battle goes on only what everybody may see counts: a shot that tells of hidden troops is
    left out until they are shown, or all is over.
    """
    if play.state.outcome is None:
        play = seen(play, None)
    setup, shots = play.state.setup, fired_shots(play, knowledge)
    one, other = (_side(side.id, side.people, shots) for side in setup.sides)
    notes: dict[str, int] = {}
    for shot in shots:
        if shot.note:
            notes[shot.note] = notes.get(shot.note, 0) + 1
    return Luck(
        shots=shots,
        sides=(one, other),
        swing=_swing(shots, one.side, other.side),
        turned=turning_point(play),
        notes=notes,
    )


def _side(side: str, people: str, shots: Sequence[FiredShot]) -> SideLuck:
    own = [shot for shot in shots if shot.side == side]
    others = [shot for shot in shots if shot.side != side]
    chances = [shot.chance for shot in own]
    kills = sum(shot.hit for shot in own)
    fewer, as_many = fewer_and_as_many(chances, kills)
    typed = [shot for shot in own if not shot.counted]
    hit = [shot for shot in typed if shot.hit and shot.chance < 1]
    missed = [shot for shot in typed if not shot.hit and shot.chance > 0]
    return SideLuck(
        side=side,
        people=people,
        shots=len(own),
        sure=sum(chance in (0, 1) for chance in chances),
        expected=sum(chances, Fraction(0)),
        kills=kills,
        fewer=fewer,
        as_many=as_many,
        saves=sum(shot.saved for shot in others),
        saves_expected=sum((shot.save for shot in others), Fraction(0)),
        broke=sum(shot.broke for shot in own),
        broke_expected=sum((shot.breaks for shot in own), Fraction(0)),
        best=min(hit, key=lambda shot: shot.chance, default=None),
        worst=max(missed, key=lambda shot: shot.chance, default=None),
    )


def _swing(shots: Sequence[FiredShot], one: str, other: str) -> Swing | None:
    """The first of equals; None before any luck."""
    turns: dict[int, dict[str, Fraction]] = {}
    for shot in shots:
        gained = turns.setdefault(shot.turn, {one: Fraction(0), other: Fraction(0)})
        gained[shot.side] += shot.luck
    moved = [(abs(gained[one] - gained[other]), -turn) for turn, gained in turns.items()]
    most, turn = max(moved, default=(Fraction(0), 0))
    return Swing(-turn, turns[-turn]) if most else None
