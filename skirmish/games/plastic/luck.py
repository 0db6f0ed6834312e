"""The luck ledger of a battle: what each side's fire was to be expected to kill, and what it did.

**Expected** are the chances of all shots added up, each out of the deck before its own draw. What
was made void does not count, though its cards are gone; a shot judged again counts once, as judged
last. A shot kills at most one: who dies aboard, or in whose place, is no luck of it.

**The percentile.** Kill less chance, shot by shot, is a fair game (a martingale difference): the
differences add up to nought on the average, with the variance of independent shots of the same
chances. The yardstick is the sum of such shots (Poisson binomial), and the percentile says how much
of it lies below what came, half of an equal result included. That is right as far as how many shots
there are does not hang on luck. It is not the chance of this battle, and says nothing of skill.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import accumulate
from typing import Any

import msgspec

from skirmish.games.plastic.battle.agenda import Shooting
from skirmish.games.plastic.battle.names import piece_code, row_unit
from skirmish.games.plastic.battle.odds import Knowledge, pack_of
from skirmish.games.plastic.battle.orders.firing import aim_of
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.view import seen
from skirmish.games.plastic.highlights import TurningPoint, turning_blocks, turning_point
from skirmish.games.plastic.odds.rounding import tenths
from skirmish.games.plastic.odds.single import one_shot
from skirmish.games.plastic.rules.catalog import a_unit
from skirmish.games.plastic.summary import JournalFacts, JudgedShot
from skirmish.tabletop.page import (
    Beside,
    Block,
    Curve,
    Curves,
    Heading,
    Page,
    Paragraph,
    Table,
    signed,
    table,
)

_VERDICTS = (
    (Fraction(19, 20), "very lucky"),
    (Fraction(3, 4), "lucky"),
    (Fraction(1, 4), "as expected"),
    (Fraction(1, 20), "unlucky"),
)
_TELLING = Fraction(1, 20)


class FiredShot(msgspec.Struct, frozen=True, kw_only=True):
    """Of the ``of`` draws that could come ``hits`` would have hit, ``saves`` more but for cover or
    hull down; ``breaks`` is the chance of a breakdown. ``broke`` of a ``counted`` volley holds for
    all of it. ``note``: why the chance does not rest on the deck as it stood."""

    number: int
    turn: int
    side: str
    shot: Shooting
    unit: str
    hits: int
    saves: int
    of: int
    breaks: Fraction
    hit: bool
    saved: bool
    broke: bool = False
    note: str = ""
    counted: bool = False

    @property
    def chance(self) -> Fraction:
        return Fraction(self.hits, self.of)

    @property
    def save(self) -> Fraction:
        return Fraction(self.saves, self.of)

    @property
    def luck(self) -> Fraction:
        return int(self.hit) - self.chance


def fired_shots(play: BattlePlay, knowledge: Knowledge = "full") -> tuple[FiredShot, ...]:
    """Those that stand, in the order of their draws."""
    found = []
    for shot in JournalFacts(play).shots:
        # Where what it was fired with was made void since, no number exists for it.
        with suppress(ValueError, LookupError):
            found.append(_fired(shot, knowledge))
    return tuple(found)


def _fired(one: JudgedShot, knowledge: Knowledge) -> FiredShot:
    shot, then = one.judged.shot, one.before
    known = pack_of(then, one.side, knowledge)
    found = one_shot(aim_of(then, shot), known.pack)
    return FiredShot(
        number=one.number,
        turn=then.clock.turn,
        side=one.side,
        shot=shot,
        unit=then.unit_of(shot.piece),
        hits=found.hits,
        saves=found.by_cover + found.by_hull_down,
        of=found.of,
        breaks=found.broken,
        hit=one.judged.hit,
        saved=one.judged.saved_by is not None,
        broke=one.broke,
        note=known.note,
        counted=one.counted,
    )


class SideLuck(msgspec.Struct, frozen=True, kw_only=True):
    """``sure`` shots could only come out one way. ``fewer``, ``as_many``: chances of such kills.
    ``saves`` are the target's. ``best`` is the least likely kill, ``worst`` the most certain miss.
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
        return self.kills - self.expected

    @property
    def percentile(self) -> Fraction | None:
        """Between 0 and 1; None where no shot was open."""
        return self.fewer + self.as_many / 2 if self.shots > self.sure else None


class Swing(msgspec.Struct, frozen=True):
    """The game turn in which luck moved most, and each side's kills less chances in it."""

    turn: int
    gained: dict[str, Fraction]


class Luck(msgspec.Struct, frozen=True, kw_only=True):
    """``notes`` count the shots whose chance does not rest on the deck as it stood, by why."""

    shots: tuple[FiredShot, ...]
    sides: tuple[SideLuck, SideLuck]
    swing: Swing | None
    turned: TurningPoint | None
    notes: dict[str, int]

    def course(self, side: str) -> list[Fraction]:
        """Kills less chances, added up: nought, then the sum after each shot of either side."""
        gained = (shot.luck if shot.side == side else Fraction(0) for shot in self.shots)
        return [*accumulate(gained, initial=Fraction(0))]


def luck(play: BattlePlay, knowledge: Knowledge = "full") -> Luck:
    """While a battle goes on only what everybody may see counts."""
    if play.state.outcome is None:
        play = seen(play, None)
    setup, shots = play.state.setup, fired_shots(play, knowledge)
    one, other = (_side(side.id, side.people, shots) for side in setup.sides)
    return Luck(
        shots=shots,
        sides=(one, other),
        swing=_swing(shots, one.side, other.side),
        turned=turning_point(play),
        notes=Counter(shot.note for shot in shots if shot.note),
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
    turns: dict[int, dict[str, Fraction]] = {}
    for shot in shots:
        gained = turns.setdefault(shot.turn, {one: Fraction(0), other: Fraction(0)})
        gained[shot.side] += shot.luck
    moved = [(abs(gained[one] - gained[other]), -turn) for turn, gained in turns.items()]
    most, turn = max(moved, default=(Fraction(0), 0))
    return Swing(-turn, turns[-turn]) if most else None


# ------------------------------------------------------------------ so many of so many


EXACT = 1000
"""Shots up to which whole numbers are reckoned with; more in floating point, whose error stays far
below a billionth."""


def fewer_and_as_many(chances: Sequence[Fraction], hits: int) -> tuple[Fraction, Fraction]:
    """The chance of fewer hits, and that of just as many."""
    sure = sum(chance == 1 for chance in chances)
    open_ones = [chance for chance in chances if 0 < chance < 1]
    wanted, most = hits - sure, len(open_ones)
    if wanted < 0:
        return Fraction(0), Fraction(0)
    if wanted > most:
        return Fraction(1), Fraction(0)
    if 2 * wanted <= most:
        first = _first(open_ones, wanted)
        return sum(first[:-1], Fraction(0)), first[-1]
    misses = _first([1 - chance for chance in open_ones], most - wanted)
    return 1 - sum(misses, Fraction(0)), misses[-1]


def _first(chances: Sequence[Fraction], most: int) -> list[Fraction]:
    """The chances of 0, 1, ... ``most`` hits; more are not followed."""
    whole: int = 1
    ways: list[Any] = [1]
    for chance in chances:
        hit: float = chance.numerator
        miss: float = chance.denominator - chance.numerator
        if len(chances) > EXACT:
            hit, miss = float(chance), 1 - float(chance)
        else:
            whole *= chance.denominator
        ways = [a * miss + b * hit for a, b in zip((*ways, 0), (0, *ways), strict=True)][: most + 1]
    return [Fraction(count) / whole for count in ways]


# ------------------------------------------------------------------ as a page


def luck_page(play: BattlePlay, knowledge: Knowledge = "full") -> Page:
    found = luck(play, knowledge)
    blocks = (*luck_blocks(play, found), *turning_blocks(play.state, found.turned))
    return Page(f"{play.state.setup.title}: luck", blocks)


def luck_blocks(play: BattlePlay, found: Luck) -> Iterator[Block]:
    yield Heading("Luck", aside="kills made minus kills expected, shot by shot")
    caveats = [Paragraph(line, tone="quiet") for line in _caveats(play.state, found)]
    if not found.shots:
        yield from (Paragraph("No shots have been fired yet."), *caveats)
        return
    one, other = (
        Curve(side.people, tuple(map(float, found.course(side.side)))) for side in found.sides
    )
    firsts: dict[int, int] = {}
    for place, shot in enumerate(found.shots):
        firsts.setdefault(shot.turn, place)
    ticks = tuple((place, str(turn)) for turn, place in firsts.items())
    yield Curves("Turn", (one, other), ticks)
    told = [Paragraph(f"{text}.", f"{name}:") for name, text in _moments(play.state.setup, found)]
    yield Beside((_ledger(found),), (*told, *caveats))


def _ledger(found: Luck) -> Table:
    rows: list[tuple[str, Callable[[SideLuck], str]]] = [
        ("Shots", lambda side: str(side.shots)),
        ("Kills", lambda side: f"{_of(side.kills, side.expected)} ({signed(side.difference)})"),
        ("Luckier than", _luckier),
    ]
    if any(side.saves or side.saves_expected >= _TELLING for side in found.sides):
        rows.append(("Saved by cover", lambda side: _of(side.saves, side.saves_expected)))
    if any(side.broke or side.broke_expected >= _TELLING for side in found.sides):
        rows.append(("Weapons broken", lambda side: _of(side.broke, side.broke_expected)))
    cells = [(name, *map(text, found.sides)) for name, text in rows]
    return table(("", *(side.people for side in found.sides)), cells, numbers=(1, 2))


def _moments(setup: Setup, found: Luck) -> Iterator[tuple[str, str]]:
    for side in found.sides:
        if side.best:
            yield f"Least likely kill ({side.people})", shot_words(setup, side.best)
        if side.worst:
            yield f"Likeliest hit that missed ({side.people})", shot_words(setup, side.worst)
    if swing := found.swing:
        each = ", ".join(f"{side.people} {signed(swing.gained[side.side])}" for side in found.sides)
        yield "Biggest swing", f"turn {swing.turn}: {each}"


def _caveats(state: State, found: Luck) -> Iterator[str]:
    for note, count in found.notes.items():
        what = f"{note[:1].upper()}{note[1:]} at {count} of {len(found.shots)} shots"
        yield f"{what}: with the true cards the chance may have been different."
    if state.outcome is None and state.setup.hidden:
        yield "Until the battle is over, only what both sides can see is counted."


def shot_words(setup: Setup, fired: FiredShot) -> str:
    """``turn 3, entry 45: Rifle R12 at a Tiger, in cover, 2.1%``."""
    shot = fired.shot
    who = f"{setup.unit(fired.unit).short} {piece_code(shot.piece)}"
    whom = a_unit(setup.unit(row_unit(shot.target)).name)
    found = [
        word
        for word, so in (
            ("in cover", shot.at.cover and fired.saves > 0),
            ("hull down", shot.at.hull_down and fired.saves > 0),
            ("from behind", shot.at.rear),
        )
        if so
    ]
    text = ", ".join([f"{who} at {whom}", *found, tenths(fired.chance)])
    return f"turn {fired.turn}, entry {fired.number}: {text}"


def luck_verdict(side: SideLuck) -> str:
    at = side.percentile
    if at is None:
        return "–"
    return next((word for least, word in _VERDICTS if at >= least), "very unlucky")


def _luckier(side: SideLuck) -> str:
    if side.percentile is None:
        return "–"
    return f"{luckier_share(side.percentile)}, {luck_verdict(side)}"


def luckier_share(percentile: Fraction) -> str:
    """Never quite 0 or 100."""
    value = 100 * float(percentile)
    if value < 0.1:
        return "under 0.1%"
    if value > 99.9:
        return "over 99.9%"
    return f"{value:.0f}%" if 1 <= value <= 99 else f"{value:.1f}%"


def _of(came: int, expected: Fraction) -> str:
    return f"{came}, expected {float(expected):.1f}"
