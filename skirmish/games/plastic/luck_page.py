"""The page about luck: the curves of both sides, the ledger, what stands out, and every shot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from skirmish.games.plastic.battle.known_pack import Knowledge
from skirmish.games.plastic.battle.lines import lines
from skirmish.games.plastic.battle.names import piece_code
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.fired_shots import FiredShot
from skirmish.games.plastic.luck import Luck, SideLuck, luck
from skirmish.games.plastic.odds.rounding import tenths
from skirmish.games.plastic.rules.catalog import a_unit
from skirmish.games.plastic.turning_point import turning_blocks
from skirmish.tabletop.page import (
    Beside,
    Block,
    Curves,
    CurveTick,
    Heading,
    Page,
    Paragraph,
    Table,
    ValueCurve,
    capital,
    signed,
    table,
)

_LEAST_SHOWN = Fraction(1, 20)
"""The least expected number of saves or breakdowns that is shown; with one decimal it reads 0.1."""
SHOTS = "Shots"
"""The heading of the list of all shots."""


def luck_page(play: BattlePlay, knowledge: Knowledge = "full", *, with_shots: bool = False) -> Page:
    """The luck of both sides and the turning point; ``with_shots``: with every shot, too."""
    ledger = luck(play, knowledge)
    blocks = [*luck_blocks(play, ledger), *turning_blocks(play.state, ledger.turning_point)]
    if with_shots:
        blocks += shots_blocks(play, ledger)
    return Page(f"{play.state.setup.title}: luck", tuple(blocks))


def shots_blocks(play: BattlePlay, ledger: Luck) -> Iterator[Block]:
    """Every shot with its chance; nothing if none was fired."""
    if not ledger.shots:
        return
    setup = play.state.setup
    line_of_entry = _line_of_entry(play)
    rows = []
    for shot in sorted(ledger.shots, key=_surprise, reverse=True):
        who = f"{setup.unit(shot.unit).short} {piece_code(shot.piece)}"
        whom = ", ".join([setup.unit(shot.target).short, *shot.circumstances])
        result = "miss"
        if shot.hit:
            result = "hit"
        number = str(line_of_entry[shot.entry])
        rows.append((str(shot.turn), number, who, whom, tenths(shot.chance), result))
    yield Heading(SHOTS, aside="the most surprising first")
    titles = ("Turn", "Line", "Who fired", "At whom", "Chance", "Result")
    number_columns = [titles.index(title) for title in ("Turn", "Line", "Chance")]
    yield table(titles, rows, numbers=number_columns)


def _line_of_entry(play: BattlePlay) -> dict[int, int]:
    """The number of the line on the screen, by the number of the journal's entry."""
    line_of_entry: dict[int, int] = {}
    for line in lines(play):
        for entry in line.entry_numbers:
            line_of_entry[entry] = line.number
    return line_of_entry


def _surprise(shot: FiredShot) -> Fraction:
    """How much luck was in a shot, good or bad."""
    return abs(shot.luck)


def luck_blocks(play: BattlePlay, ledger: Luck) -> Iterator[Block]:
    """The curves of both sides, then the ledger beside what stands out."""
    yield Heading("Luck", aside="kills made minus kills expected, shot by shot")
    caveats = [Paragraph(line, tone="quiet") for line in _caveats(play.state, ledger)]
    if not ledger.shots:
        words = "No shots have been fired yet."
        if play.state.outcome is not None:
            words = "No shots were fired."
        yield Paragraph(words)
        yield from caveats
        return
    first, second = (_curve(ledger, side) for side in ledger.sides)
    yield Curves("Turn", (first, second), _ticks(ledger.shots))
    yield Beside((_ledger_table(ledger),), (*_what_stands_out(play, ledger), *caveats))


def _curve(ledger: Luck, side: SideLuck) -> ValueCurve:
    """The luck of a side after each shot."""
    course = [float(gained) for gained in ledger.course(side.side)]
    return ValueCurve(side.people, tuple(course))


def _ticks(shots: Sequence[FiredShot]) -> tuple[CurveTick, ...]:
    """Where each turn begins on a curve: at the value before its first shot."""
    firsts: dict[int, int] = {}
    for index, shot in enumerate(shots):
        firsts.setdefault(shot.turn, index)
    return tuple(CurveTick(index, str(turn)) for turn, index in firsts.items())


def _ledger_table(ledger: Luck) -> Table:
    """Results and expectations of both sides; saves and breakdowns only if there were any, or if
    any could be expected."""
    sides = ledger.sides
    rows = [
        ("Shots", *(str(side.shots) for side in sides)),
        ("Kills", *(_kills_words(side) for side in sides)),
        ("Luckier than", *(_luckier_than(side) for side in sides)),
    ]
    if any(side.saves or side.saves_expected >= _LEAST_SHOWN for side in sides):
        saves = (_with_expected(side.saves, side.saves_expected) for side in sides)
        rows.append(("Saved by cover", *saves))
    if any(side.broke or side.broke_expected >= _LEAST_SHOWN for side in sides):
        broke = (_with_expected(side.broke, side.broke_expected) for side in sides)
        rows.append(("Weapons broken", *broke))
    return table(("", *(side.people for side in sides)), rows, numbers=(1, 2))


def _kills_words(side: SideLuck) -> str:
    """``4, expected 3.2 (+0.8)``."""
    return f"{_with_expected(side.kills, side.expected)} ({signed(side.difference)})"


def _what_stands_out(play: BattlePlay, ledger: Luck) -> Iterator[Paragraph]:
    """Each side's least likely kill and likeliest miss, and the turn of the biggest swing."""
    for side in ledger.sides:
        if side.best:
            lead = f"Least likely kill ({side.people}):"
            yield Paragraph(f"{fired_shot_words(play, side.best)}.", lead)
        if side.worst:
            lead = f"Likeliest hit that missed ({side.people}):"
            yield Paragraph(f"{fired_shot_words(play, side.worst)}.", lead)
    swing = ledger.swing
    if swing is not None:
        gains = [f"{side.people} {signed(swing.gained[side.side])}" for side in ledger.sides]
        yield Paragraph(f"turn {swing.turn}: {', '.join(gains)}.", "Biggest swing:")


def _caveats(state: State, ledger: Luck) -> Iterator[str]:
    """What the figures leave out, in sentences."""
    for reason, count in ledger.notes.items():
        shots = f"{capital(reason)} at {count} of {len(ledger.shots)} shots"
        yield f"{shots}: with the true cards the chance may have been different."
    if state.outcome is None and state.setup.hidden:
        yield "Until the battle is over, only what both sides can see is counted."


def fired_shot_words(play: BattlePlay, shot: FiredShot) -> str:
    """``turn 3, line 45: Rifle R12 at a Tiger, in cover, 2.1%``."""
    setup = play.state.setup
    line = _line_of_entry(play)[shot.entry]
    who = f"{setup.unit(shot.unit).short} {piece_code(shot.piece)}"
    whom = a_unit(setup.unit(shot.target).name)
    text = ", ".join([f"{who} at {whom}", *shot.circumstances, tenths(shot.chance)])
    return f"turn {shot.turn}, line {line}: {text}"


def _luckier_than(side: SideLuck) -> str:
    """The share of all possible results that its own is luckier than: ``81%, lucky``; a dash if no
    luck was possible."""
    if side.percentile is None:
        return "–"
    return f"{luckier_share(side.percentile)}, {side.verdict}"


def luckier_share(percentile: float) -> str:
    """``81%``; near 0 and 100 with a decimal, as ``99.5%``. These two are never reached, since an
    equal result counts half."""
    if percentile < 0.1:
        return "under 0.1%"
    if percentile > 99.9:
        return "over 99.9%"
    if 1 <= percentile <= 99:
        return f"{percentile:.0f}%"
    return f"{percentile:.1f}%"


def _with_expected(count: int, expected: Fraction) -> str:
    """``4, expected 3.2``."""
    return f"{count}, expected {float(expected):.1f}"
