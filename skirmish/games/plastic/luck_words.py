"""The luck ledger in words and figures, the same on the screen, on paper and on the command line.

Names are as people typed them; whoever shows them makes them harmless.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

import msgspec

from skirmish.games.plastic.battle.names import piece_code, row_unit
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.highlights import TurningPoint, turning_words
from skirmish.games.plastic.luck import Luck, SideLuck
from skirmish.games.plastic.luck_shots import FiredShot
from skirmish.games.plastic.odds.rounding import tenths
from skirmish.games.plastic.rules.catalog import a_unit

_VERDICTS = (
    (Fraction(19, 20), "very lucky"),
    (Fraction(3, 4), "lucky"),
    (Fraction(1, 4), "as expected"),
    (Fraction(1, 20), "unlucky"),
)
"""What a percentile from there on is called; below all of them it is very unlucky."""

_TELLING = Fraction(1, 20)
"""Less than that is shown as nought."""


class Figure(msgspec.Struct, frozen=True):
    """A line of the ledger: what it is, and it for each side."""

    name: str
    sides: tuple[str, str]


class Moment(msgspec.Struct, frozen=True):
    """Something worth telling, and what it is."""

    name: str
    says: str


def figures(found: Luck) -> list[Figure]:
    """The ledger of both sides; what neither came nor was to be expected is left out."""
    lines = [
        _both("Shots", found, lambda side: str(side.shots)),
        _both("Kills expected", found, lambda side: f"{float(side.expected):.1f}"),
        _both("Kills made", found, lambda side: str(side.kills)),
        _both("Difference", found, lambda side: signed(side.difference)),
        _both("Luckier than", found, _called),
    ]
    if any(side.saves or side.saves_expected >= _TELLING for side in found.sides):
        lines.append(
            _both("Saved by cover", found, lambda side: _of(side.saves, side.saves_expected))
        )
    if any(side.broke or side.broke_expected >= _TELLING for side in found.sides):
        lines.append(
            _both("Weapons broken", found, lambda side: _of(side.broke, side.broke_expected))
        )
    return lines


def moments(state: State, found: Luck) -> Iterator[Moment]:
    """The least likely kill and the most certain miss of each side, and when luck swung most."""
    for side in found.sides:
        for one in moments_of(state.setup, side):
            yield Moment(f"{one.name} ({side.people})", one.says)
    if swung := swing(found):
        yield swung


def moments_of(setup: Setup, side: SideLuck) -> Iterator[Moment]:
    """The least likely kill and the most certain miss of one side."""
    if side.best:
        yield Moment("Least likely kill", shot_words(setup, side.best))
    if side.worst:
        yield Moment("Likeliest hit that missed", shot_words(setup, side.worst))


def swing(found: Luck) -> Moment | None:
    """When luck swung most; None before any."""
    if found.swing is None:
        return None
    gained = found.swing.gained
    each = ", ".join(f"{side.people} {signed(gained[side.side])}" for side in found.sides)
    return Moment("Biggest swing", f"turn {found.swing.turn}: {each}")


def sentence(side: SideLuck) -> str:
    """A side's luck in one: ``34 shots, 12.4 kills expected, 15 made: +2.6, luckier than 81%.``"""
    if not side.shots:
        return "no shots."
    shots = "1 shot" if side.shots == 1 else f"{side.shots} shots"
    told = f"{shots}, {float(side.expected):.1f} kills expected, {side.kills} made"
    if side.percentile is None:
        return f"{told}."
    luckier = f"luckier than {share(side.percentile)}"
    return f"{told} ({signed(side.difference)}): {luckier}, {verdict(side)}."


def turning(state: State, point: TurningPoint | None) -> Moment | None:
    """Since when one side has been ahead; None where neither is."""
    if point is None:
        return None
    return Moment("Turning point", " ".join(filter(None, turning_words(state, point))))


def caveats(state: State, found: Luck) -> Iterator[str]:
    """What the figures do not rest on, in sentences."""
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
    seen = [
        word
        for word, so in (
            ("in cover", shot.at.cover and fired.saves > 0),
            ("hull down", shot.at.hull_down and fired.saves > 0),
            ("from behind", shot.at.rear),
        )
        if so
    ]
    told = ", ".join([f"{who} at {whom}", *seen, percent(fired.chance)])
    return f"turn {fired.turn}, entry {fired.number}: {told}"


def verdict(side: SideLuck) -> str:
    """What a side's luck is called, ``–`` before any."""
    at = side.percentile
    if at is None:
        return "–"
    return next((word for least, word in _VERDICTS if at >= least), "very unlucky")


def share(percentile: Fraction | None) -> str:
    """``81%``; near both ends with a decimal, and never quite 0 or 100."""
    if percentile is None:
        return "–"
    value = 100 * float(percentile)
    if value < 0.1:
        return "under 0.1%"
    if value > 99.9:
        return "over 99.9%"
    return f"{value:.0f}%" if 1 <= value <= 99 else f"{value:.1f}%"


def percent(chance: Fraction) -> str:
    """A chance in tenths of a percent, ``31.1%``."""
    return tenths(chance)


def signed(value: Fraction) -> str:
    """``+2.6``, ``–1.3``, ``0.0``."""
    text = f"{abs(float(value)):.1f}"
    if text == "0.0":
        return text
    return f"+{text}" if value > 0 else f"–{text}"


def _both(name: str, found: Luck, told: Callable[[SideLuck], str]) -> Figure:
    one, other = (told(side) for side in found.sides)
    return Figure(name, (one, other))


def _called(side: SideLuck) -> str:
    """``81%, lucky``."""
    return f"{share(side.percentile)}, {verdict(side)}" if side.percentile is not None else "–"


def _of(came: int, expected: Fraction) -> str:
    return f"{came}, expected {float(expected):.1f}"
