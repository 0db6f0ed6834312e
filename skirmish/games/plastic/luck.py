"""The turning point of a battle, and its luck ledger: the kills each side's fire could expect, and
those it made.

**Expected** is the sum of the chances of all shots, each from the deck before its own draw. Void
shots do not count, though their cards are gone; a shot judged again counts once, by its last
verdict. A shot kills at most one: riders and substituted casualties are not luck.

**The percentile.** Kill minus chance, shot by shot, is a martingale difference: the differences
have mean zero and the variance of independent shots with the same chances. The reference is the sum
of such shots (Poisson binomial); the percentile is the share of it below the result, plus half of
an equal result. This holds as far as the number of shots does not depend on luck. It is neither the
chance of this battle nor a measure of skill.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import accumulate, groupby

import msgspec

from skirmish.games.plastic.battle.lines import lines
from skirmish.games.plastic.battle.names import piece_code, row_unit
from skirmish.games.plastic.battle.odds import Knowledge, pack_of
from skirmish.games.plastic.battle.orders.firing import aim_of
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.victory import leader
from skirmish.games.plastic.battle.view import seen
from skirmish.games.plastic.odds.pack import one_shot
from skirmish.games.plastic.odds.rounding import tenths
from skirmish.games.plastic.rules.catalog import a_unit
from skirmish.games.plastic.summary import JournalFacts, JudgedShot, Summary
from skirmish.tabletop.page import (
    Beside,
    Block,
    Curve,
    Curves,
    Heading,
    Page,
    Paragraph,
    Table,
    capital,
    signed,
    table,
)

_VERDICTS = ((95, "very lucky"), (75, "lucky"), (25, "as expected"), (5, "unlucky"))
_TELLING = Fraction(1, 20)

# ------------------------------------------------------------------ the turning point


class TurningPoint(msgspec.Struct, frozen=True):
    """The player turn since which one side has been ahead. ``first``: from the beginning; ``last``:
    only the end of the battle put it ahead."""

    turn: int
    mover: str
    side: str
    text: str
    first: bool = False
    last: bool = False


def turning_point(play: BattlePlay) -> TurningPoint | None:
    outcome = play.state.outcome
    turns = groupby(play.states, key=lambda state: (state.clock.turn, state.clock.side))
    ends = [[*states][-1] for _, states in turns]
    leads = [(state.clock, leader(state)) for state in ends]
    side = outcome.winner if outcome else leads[-1][1].side
    if side is None:
        return None
    if outcome and leads[-1][1].side != side:  # decided by the last draw, or by the players
        clock, last = leads[-1]
        return TurningPoint(clock.turn, clock.side, side, last.text, last=True)
    since = len(leads) - 1
    while since and leads[since - 1][1].side == side:
        since -= 1
    clock, then = leads[since]
    return TurningPoint(clock.turn, clock.side, side, then.text, first=since == 0)


def turning_words(state: State, point: TurningPoint) -> tuple[str, str]:
    people = {side.id: side.people for side in state.setup.sides}
    leader, over = people[point.side], state.outcome is not None
    if point.first:
        ahead = "were ahead" if over else "have been ahead"
        return "", f"{leader} {ahead} since the first turn, which ended with: {point.text}."
    if point.last:
        return "", f"It was open to the very end: {point.text}."
    when = f"Turn {point.turn}, {people[point.mover]} to move."
    ahead = "were ahead for good" if over else "have been ahead"
    return when, f"{leader} {ahead} from the end of it: {point.text}."


def turning_blocks(
    state: State, point: TurningPoint | None, found: Summary | None = None
) -> Iterator[Block]:
    paragraphs: list[Paragraph] = []
    if point is not None:
        when, text = turning_words(state, point)
        paragraphs.append(Paragraph(text, when))
    elif state.outcome:
        paragraphs.append(Paragraph("Neither side took a lasting lead."))
    if found:
        worst = max(found.turns, key=lambda one: (sum(one.pdg.values()), -one.turn))
        if sum(worst.pdg.values()):
            each = ", ".join(f"{side.people} {worst.pdg[side.side]}" for side in found.sides)
            text = f"turn {worst.turn}. Strength lost: {each}."
            paragraphs.append(Paragraph(text, "Costliest turn:"))
    if paragraphs:
        yield Heading("Turning point")
        yield from paragraphs


# ------------------------------------------------------------------ luck


class FiredShot(msgspec.Struct, frozen=True, kw_only=True, rename={"number": "entry"}):
    """Of the ``of`` possible draws ``hits`` hit, and ``saves`` more but for cover or hull down;
    ``breaks`` is the chance of a breakdown. In a ``counted`` volley ``broke`` applies to the whole
    volley. ``note``: why the chance is not based on the deck at that time."""

    number: int
    turn: int
    side: str
    piece: str
    unit: str
    weapon: str
    target: str
    at: tuple[str, ...]
    hits: int
    saves: int
    of: int
    chance: Fraction
    save: Fraction
    breaks: Fraction
    hit: bool
    saved: bool
    broke: bool
    counted: bool
    note: str | None

    @property
    def luck(self) -> Fraction:
        return int(self.hit) - self.chance


def fired_shots(play: BattlePlay, knowledge: Knowledge = "full") -> tuple[FiredShot, ...]:
    found = []
    for shot in JournalFacts(play).shots:
        # Its weapon may belong to a line that is void by now: then it has no number.
        with suppress(ValueError, LookupError):
            found.append(_fired(shot, knowledge))
    return tuple(found)


def _fired(one: JudgedShot, knowledge: Knowledge) -> FiredShot:
    shot, then = one.judged.shot, one.before
    known = pack_of(then, one.side, knowledge)
    found = one_shot(aim_of(then, shot), known.pack)
    saves = found.by_cover + found.by_hull_down
    at = {
        "in cover": shot.at.cover and saves,
        "hull down": shot.at.hull_down and saves,
        "from behind": shot.at.rear,
    }
    return FiredShot(
        number=one.number,
        turn=then.clock.turn,
        side=one.side,
        piece=shot.piece,
        unit=then.unit_of(shot.piece),
        weapon=shot.weapon,
        target=row_unit(shot.target),
        at=tuple(words for words, so in at.items() if so),
        hits=found.hits,
        saves=saves,
        of=found.of,
        chance=found.hit,
        save=Fraction(saves, found.of),
        breaks=found.broken,
        hit=one.judged.hit,
        saved=one.judged.saved_by is not None,
        broke=one.broke,
        counted=one.counted,
        note=known.note or None,
    )


class SideLuck(msgspec.Struct, frozen=True, kw_only=True):
    """``sure`` shots had one possible result; ``percentile`` (0 to 100) is None if there were no
    others. ``saves`` belong to the target. ``best`` is the least likely kill, ``worst`` the most
    certain miss."""

    side: str
    people: str
    shots: int
    sure: int
    expected: Fraction
    kills: int
    difference: Fraction
    percentile: float | None
    verdict: str | None
    saves: int
    saves_expected: Fraction
    broke: int
    broke_expected: Fraction
    best: FiredShot | None
    worst: FiredShot | None


class Swing(msgspec.Struct, frozen=True):
    """The game turn with the greatest swing of luck, and each side's kills minus chances in it."""

    turn: int
    gained: dict[str, Fraction]


class Luck(msgspec.Struct, frozen=True, kw_only=True, rename={"turned": "turning_point"}):
    """``notes`` counts, by reason, the shots whose chance is not based on the deck at that time."""

    sides: tuple[SideLuck, SideLuck]
    swing: Swing | None
    turned: TurningPoint | None
    notes: dict[str, int]
    shots: tuple[FiredShot, ...]

    def course(self, side: str) -> list[Fraction]:
        gained = (shot.luck if shot.side == side else Fraction(0) for shot in self.shots)
        return [*accumulate(gained, initial=Fraction(0))]


def luck(play: BattlePlay, knowledge: Knowledge = "full") -> Luck:
    """During a battle only public information counts."""
    if play.state.outcome is None:
        play = seen(play, None)
    setup, shots = play.state.setup, fired_shots(play, knowledge)
    one, other = (_side(side.id, side.people, shots) for side in setup.sides)
    return Luck(
        sides=(one, other),
        swing=_swing(shots, one.side, other.side),
        turned=turning_point(play),
        notes=Counter(shot.note for shot in shots if shot.note),
        shots=shots,
    )


def _side(side: str, people: str, shots: Sequence[FiredShot]) -> SideLuck:
    own = [shot for shot in shots if shot.side == side]
    others = [shot for shot in shots if shot.side != side]
    chances = [shot.chance for shot in own]
    kills, expected = sum(shot.hit for shot in own), sum(chances, Fraction(0))
    sure = sum(chance in (0, 1) for chance in chances)
    percentile = None
    if sure < len(own):
        fewer, as_many = fewer_and_as_many(chances, kills)
        percentile = 100 * (fewer + as_many / 2)
    typed = [shot for shot in own if not shot.counted]
    hit = [shot for shot in typed if shot.hit and shot.chance < 1]
    missed = [shot for shot in typed if not shot.hit and shot.chance > 0]
    return SideLuck(
        side=side,
        people=people,
        shots=len(own),
        sure=sure,
        expected=expected,
        kills=kills,
        difference=kills - expected,
        percentile=percentile,
        verdict=None if percentile is None else _verdict(percentile),
        saves=sum(shot.saved for shot in others),
        saves_expected=sum((shot.save for shot in others), Fraction(0)),
        broke=sum(shot.broke for shot in own),
        broke_expected=sum((shot.breaks for shot in own), Fraction(0)),
        best=min(hit, key=lambda shot: shot.chance, default=None),
        worst=max(missed, key=lambda shot: shot.chance, default=None),
    )


def _verdict(percentile: float) -> str:
    return next((word for least, word in _VERDICTS if percentile >= least), "very unlucky")


def _swing(shots: Sequence[FiredShot], one: str, other: str) -> Swing | None:
    turns: dict[int, dict[str, Fraction]] = {}
    for shot in shots:
        gained = turns.setdefault(shot.turn, {one: Fraction(0), other: Fraction(0)})
        gained[shot.side] += shot.luck
    moved = [(abs(gained[one] - gained[other]), -turn) for turn, gained in turns.items()]
    most, turn = max(moved, default=(Fraction(0), 0))
    return Swing(-turn, turns[-turn]) if most else None


def fewer_and_as_many(chances: Sequence[Fraction], hits: int) -> tuple[float, float]:
    """With an error far below a billionth."""
    ways = [1.0]  # of 0, 1, ... hits, up to the number asked for
    for hit in map(float, chances):
        pairs = zip((*ways, 0.0), (0.0, *ways), strict=True)
        ways = [a * (1 - hit) + b * hit for a, b in pairs][: hits + 1]
    return sum(ways[:hits]), sum(ways[hits:])


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
    lines = [Paragraph(f"{text}.", f"{name}:") for name, text in _moments(play, found)]
    yield Beside((_ledger(found),), (*lines, *caveats))


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


def _moments(play: BattlePlay, found: Luck) -> Iterator[tuple[str, str]]:
    for side in found.sides:
        if side.best:
            yield f"Least likely kill ({side.people})", shot_words(play, side.best)
        if side.worst:
            yield f"Likeliest hit that missed ({side.people})", shot_words(play, side.worst)
    if swing := found.swing:
        each = ", ".join(f"{side.people} {signed(swing.gained[side.side])}" for side in found.sides)
        yield "Biggest swing", f"turn {swing.turn}: {each}"


def _caveats(state: State, found: Luck) -> Iterator[str]:
    for note, count in found.notes.items():
        what = f"{capital(note)} at {count} of {len(found.shots)} shots"
        yield f"{what}: with the true cards the chance may have been different."
    if state.outcome is None and state.setup.hidden:
        yield "Until the battle is over, only what both sides can see is counted."


def shot_words(play: BattlePlay, fired: FiredShot) -> str:
    """``turn 3, line 45: Rifle R12 at a Tiger, in cover, 2.1%``."""
    setup = play.state.setup
    line = next(line.number for line in lines(play) if fired.number in line.numbers)
    who = f"{setup.unit(fired.unit).short} {piece_code(fired.piece)}"
    whom = a_unit(setup.unit(fired.target).name)
    text = ", ".join([f"{who} at {whom}", *fired.at, tenths(fired.chance)])
    return f"turn {fired.turn}, line {line}: {text}"


def _luckier(side: SideLuck) -> str:
    if side.percentile is None:
        return "–"
    return f"{luckier_share(side.percentile)}, {side.verdict}"


def luckier_share(percentile: float) -> str:
    if percentile < 0.1:
        return "under 0.1%"
    if percentile > 99.9:
        return "over 99.9%"
    return f"{percentile:.0f}%" if 1 <= percentile <= 99 else f"{percentile:.1f}%"


def _of(came: int, expected: Fraction) -> str:
    return f"{came}, expected {float(expected):.1f}"
