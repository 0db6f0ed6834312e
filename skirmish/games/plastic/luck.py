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
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import accumulate, groupby
from operator import attrgetter
from typing import NamedTuple

import msgspec

from skirmish.games.plastic.battle.known_pack import Knowledge, pack_of
from skirmish.games.plastic.battle.lines import lines
from skirmish.games.plastic.battle.names import piece_code, row_unit
from skirmish.games.plastic.battle.orders.declared_shot import aim_of
from skirmish.games.plastic.battle.progress import leader
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.state import Clock, State
from skirmish.games.plastic.battle.victory_questions import Leader
from skirmish.games.plastic.battle.view import seen
from skirmish.games.plastic.journal_facts import JournalFacts, JudgedShot
from skirmish.games.plastic.odds.pack import one_shot
from skirmish.games.plastic.odds.rounding import tenths
from skirmish.games.plastic.rules.catalog import a_unit
from skirmish.games.plastic.rules.shot import Circumstances
from skirmish.games.plastic.summary import Summary, TurnLoss
from skirmish.tabletop.page import (
    Beside,
    Block,
    Curves,
    Heading,
    Page,
    Paragraph,
    Table,
    ValueCurve,
    capital,
    signed,
    table,
)

_VERDICTS = ((95, "very lucky"), (75, "lucky"), (25, "as expected"), (5, "unlucky"))
"""The words for a percentile from so much upwards; below all of them: very unlucky. As expected is
the middle half of what luck can bring, very lucky its best twentieth."""
_TELLING = Fraction(1, 20)
"""The least number of expected saves or breakdowns that is shown, as 0.1."""
SHOTS = "Shots"
"""The heading of the list of all shots."""

# ------------------------------------------------------------------ the turning point


class TurningPoint(msgspec.Struct, frozen=True):
    """The turn of the side ``mover`` since which another side, or the same, has been ahead;
    ``text``: how it was ahead then. ``first``: from the beginning; ``last``: only the end of the
    battle put it ahead."""

    turn: int
    mover: str
    side: str
    text: str
    first: bool = False
    last: bool = False


def turning_point(play: BattlePlay) -> TurningPoint | None:
    """The turn since which the side ahead has been ahead; None while neither side is, or after a
    draw."""
    outcome = play.state.outcome
    leads = _leads(play)
    last = leads[-1]
    side = last.leader.side
    if outcome:
        side = outcome.winner
    if side is None:
        return None
    # Decided by the last draw, or by the players.
    if outcome and last.leader.side != side:
        return TurningPoint(last.clock.turn, last.clock.side, side, last.leader.text, last=True)
    # Back to the turn since which it has led without a break.
    since = len(leads) - 1
    while since > 0 and leads[since - 1].leader.side == side:
        since -= 1
    lead = leads[since]
    return TurningPoint(lead.clock.turn, lead.clock.side, side, lead.leader.text, first=since == 0)


class _Lead(NamedTuple):
    """Who was ahead at the end of a player turn."""

    clock: Clock
    leader: Leader


def _leads(play: BattlePlay) -> list[_Lead]:
    """Who was ahead at the end of each player turn so far."""
    leads = []
    for _, states in groupby(play.states, key=_player_turn):
        # Only the last state of each is asked who leads, which takes time.
        *_, last = states
        leads.append(_Lead(last.clock, leader(last)))
    return leads


def _player_turn(state: State) -> tuple[int, str]:
    """What all states of one player turn have in common."""
    return state.clock.turn, state.clock.side


class _TurningWords(NamedTuple):
    """When one side took the lead (empty if it was no single turn), and a sentence about it."""

    when: str
    text: str


def _turning_words(state: State, point: TurningPoint) -> _TurningWords:
    """Since when a side was ahead: when in the journal, and in a sentence."""
    people = {side.id: side.people for side in state.setup.sides}
    leading = people[point.side]
    is_over = state.outcome is not None
    if point.last:
        return _TurningWords("", f"It was open to the very end: {point.text}.")
    if point.first:
        ahead = "have been ahead"
        if is_over:
            ahead = "were ahead"
        text = f"{leading} {ahead} since the first turn, which ended with: {point.text}."
        return _TurningWords("", text)
    ahead = "have been ahead"
    if is_over:
        ahead = "were ahead for good"
    when = f"Turn {point.turn}, {people[point.mover]} to move."
    return _TurningWords(when, f"{leading} {ahead} from the end of it: {point.text}.")


def turning_blocks(
    state: State, point: TurningPoint | None, summary: Summary | None = None
) -> Iterator[Block]:
    """The turning point and, with a summary, the costliest turn; nothing if there is neither."""
    paragraphs: list[Paragraph] = []
    if point is not None:
        when, text = _turning_words(state, point)
        paragraphs.append(Paragraph(text, when))
    elif state.outcome:
        paragraphs.append(Paragraph("Neither side took a lasting lead."))
    if summary is not None:
        costliest = max(summary.turns, key=_cost)
        if any(costliest.pdg.values()):
            losses = [f"{side.people} {costliest.pdg[side.side]}" for side in summary.sides]
            text = f"turn {costliest.turn}. Strength lost: {', '.join(losses)}."
            paragraphs.append(Paragraph(text, "Costliest turn:"))
    if paragraphs:
        yield Heading("Turning point")
        yield from paragraphs


def _cost(turn: TurnLoss) -> tuple[int, int]:
    """The strength that both sides lost in a turn; of equal turns the earliest is the costliest."""
    return sum(turn.pdg.values()), -turn.turn


# ------------------------------------------------------------------ luck


class FiredShot(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    # As programs read it of ``skirmish battle luck``.
    rename={"circumstances": "at", "draws": "of"},
):
    """A shot with its chance before the draw, and what came of it."""

    # The entry in which it was fired.
    entry: int
    turn: int
    side: str
    piece: str
    unit: str
    weapon: str
    target: str
    # In words: ``in cover``, ``from behind``.
    circumstances: tuple[str, ...]
    # Of the possible ``draws`` so many hit, and so many more would but for cover or hull down.
    hits: int
    saves: int
    draws: int
    chance: Fraction
    save: Fraction
    # The chance of a breakdown.
    breaks: Fraction
    hit: bool
    saved: bool
    broke: bool
    # One of a volley of which only the number of hits is known, and that of breakdowns, which are
    # put down to its last shots.
    counted: bool
    # Why the chance is not based on the deck at that time; None if it is.
    note: str | None

    @property
    def luck(self) -> Fraction:
        """How much more it did than was to be expected: from -1, a sure hit that missed, up to
        1."""
        return int(self.hit) - self.chance


def fired_shots(play: BattlePlay, knowledge: Knowledge = "full") -> tuple[FiredShot, ...]:
    """All valid shots with their chances, in the order in which they were fired."""
    shots = []
    for judged_shot in JournalFacts(play).shots:
        # A file from elsewhere may name a weapon or a unit that there is not: that has no chance.
        with suppress(ValueError, LookupError):
            shots.append(_with_chance(judged_shot, knowledge))
    return tuple(shots)


def _with_chance(judged_shot: JudgedShot, knowledge: Knowledge) -> FiredShot:
    """A shot with the chance that it had when its card was drawn, as far as the players knew the
    deck."""
    verdict, state = judged_shot.judged, judged_shot.state_before
    shooting = verdict.shot
    drawn_from = pack_of(state, judged_shot.side, knowledge)
    odds = one_shot(aim_of(state, shooting), drawn_from.pack)
    saves = odds.by_cover + odds.by_hull_down
    return FiredShot(
        entry=judged_shot.entry_number,
        turn=state.clock.turn,
        side=judged_shot.side,
        piece=shooting.piece,
        unit=state.unit_of(shooting.piece),
        weapon=shooting.weapon,
        target=row_unit(shooting.target),
        circumstances=_circumstances(shooting.at, saves),
        hits=odds.hits,
        saves=saves,
        draws=odds.of,
        chance=odds.hit,
        save=Fraction(saves, odds.of),
        breaks=odds.broken,
        hit=verdict.hit,
        saved=verdict.saved_by is not None,
        broke=judged_shot.broke,
        counted=judged_shot.counted,
        note=drawn_from.note or None,
    )


def _circumstances(circumstances: Circumstances, saves: int) -> tuple[str, ...]:
    """The circumstances in words; cover and hull down only where they could save the target."""
    words = []
    if circumstances.cover and saves:
        words.append("in cover")
    if circumstances.hull_down and saves:
        words.append("hull down")
    if circumstances.rear:
        words.append("from behind")
    return tuple(words)


class SideLuck(msgspec.Struct, frozen=True, kw_only=True):
    """What a side's fire could expect, and what it made."""

    side: str
    people: str
    shots: int
    # Shots with only one possible result: they are no luck.
    sure: int
    expected: Fraction
    kills: int
    difference: Fraction
    # From 0 to 100; None if all shots were sure.
    percentile: float | None
    verdict: str | None
    # Enemy shots from which cover or hull down saved its own.
    saves: int
    saves_expected: Fraction
    broke: int
    broke_expected: Fraction
    # The least likely kill, and the most certain hit that missed.
    best: FiredShot | None
    worst: FiredShot | None


class Swing(msgspec.Struct, frozen=True):
    """The game turn with the greatest swing of luck, and each side's kills minus chances in it."""

    turn: int
    gained: dict[str, Fraction]


class Luck(msgspec.Struct, frozen=True, kw_only=True):
    """The luck of both sides. ``notes`` counts, by reason, the shots whose chance is not based on
    the deck at that time."""

    sides: tuple[SideLuck, SideLuck]
    swing: Swing | None
    turning_point: TurningPoint | None
    notes: dict[str, int]
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
    """The luck of both sides. During a battle only public information counts: else the figures
    would tell of shots at men who hide."""
    if play.state.outcome is None:
        play = seen(play, None)
    setup, shots = play.state.setup, fired_shots(play, knowledge)
    first, second = (_side_luck(side.id, side.people, shots) for side in setup.sides)
    return Luck(
        sides=(first, second),
        swing=_swing(shots, first.side, second.side),
        turning_point=turning_point(play),
        notes=Counter(shot.note for shot in shots if shot.note),
        shots=shots,
    )


def _side_luck(side: str, people: str, shots: Sequence[FiredShot]) -> SideLuck:
    """The luck of a side in these shots of both sides."""
    own = [shot for shot in shots if shot.side == side]
    at_this_side = [shot for shot in shots if shot.side != side]
    chances = [shot.chance for shot in own]
    kills, expected = sum(shot.hit for shot in own), sum(chances, Fraction(0))
    sure = sum(chance in (0, 1) for chance in chances)
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
        saves=sum(shot.saved for shot in at_this_side),
        saves_expected=sum((shot.save for shot in at_this_side), Fraction(0)),
        broke=sum(shot.broke for shot in own),
        broke_expected=sum((shot.breaks for shot in own), Fraction(0)),
        best=_luckiest_hit(own),
        worst=_unluckiest_miss(own),
    )


def _luckiest_hit(shots: Iterable[FiredShot]) -> FiredShot | None:
    """The hit with the smallest chance; None if there was no luck in any. Of a counted volley
    nobody knows which shot killed."""
    hits = [shot for shot in shots if shot.hit and shot.chance < 1 and not shot.counted]
    return min(hits, key=attrgetter("chance"), default=None)


def _unluckiest_miss(shots: Iterable[FiredShot]) -> FiredShot | None:
    """The miss with the greatest chance of a hit; None if none could have hit."""
    misses = [shot for shot in shots if not shot.hit and shot.chance > 0 and not shot.counted]
    return max(misses, key=attrgetter("chance"), default=None)


def _verdict(percentile: float) -> str:
    """How lucky that is, in words."""
    for least, words in _VERDICTS:
        if percentile >= least:
            return words
    return "very unlucky"


def _swing(shots: Sequence[FiredShot], first: str, second: str) -> Swing | None:
    """The turn with the greatest swing of luck, of equal ones the earliest; None if luck was even
    in all of them."""
    turns: dict[int, dict[str, Fraction]] = {}
    for shot in shots:
        gained = turns.setdefault(shot.turn, {first: Fraction(0), second: Fraction(0)})
        gained[shot.side] += shot.luck
    greatest, swing = Fraction(0), None
    for turn in sorted(turns):
        swung = abs(turns[turn][first] - turns[turn][second])
        if swung > greatest:
            greatest, swing = swung, Swing(turn, turns[turn])
    return swing


def fewer_and_as_many(chances: Sequence[Fraction], hits: int) -> tuple[float, float]:
    """The probabilities that independent shots with these chances make fewer hits, and exactly so
    many; with an error far below a billionth."""
    # The probability of 0, 1, ... hits so far; more hits than asked for are cut off, since no later
    # shot makes them fewer.
    by_hits = [1.0]
    for chance in map(float, chances):
        after = [0.0] * (len(by_hits) + 1)
        for count, probability in enumerate(by_hits):
            after[count] += probability * (1 - chance)
            after[count + 1] += probability * chance
        by_hits = after[: hits + 1]
    # What is left from there on is one number, or none where there are fewer shots than hits.
    return sum(by_hits[:hits]), sum(by_hits[hits:])


# ------------------------------------------------------------------ as a page


def luck_page(play: BattlePlay, knowledge: Knowledge = "full", *, with_shots: bool = False) -> Page:
    """The luck of both sides and the turning point; ``with_shots``: and every shot."""
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
    # The number of each line, by those of its entries.
    line_of: dict[int, int] = {}
    for line in lines(play):
        line_of |= dict.fromkeys(line.entry_numbers, line.number)
    rows = []
    for shot in sorted(ledger.shots, key=_weight, reverse=True):
        who = f"{setup.unit(shot.unit).short} {piece_code(shot.piece)}"
        whom = ", ".join([setup.unit(shot.target).short, *shot.circumstances])
        result = "miss"
        if shot.hit:
            result = "hit"
        number = str(line_of[shot.entry])
        rows.append((str(shot.turn), number, who, whom, tenths(shot.chance), result))
    yield Heading(SHOTS, aside="the most surprising first")
    titles = ("Turn", "Line", "Who fired", "At whom", "Chance", "Result")
    yield table(titles, rows, numbers=(0, 1, 4))


def _weight(shot: FiredShot) -> Fraction:
    """How much luck was in a shot, good or bad."""
    return abs(shot.luck)


def luck_blocks(play: BattlePlay, ledger: Luck) -> Iterator[Block]:
    """The curves of both sides, what stands out, and the ledger."""
    yield Heading("Luck", aside="kills made minus kills expected, shot by shot")
    caveats = [Paragraph(line, tone="quiet") for line in _caveats(play.state, ledger)]
    if not ledger.shots:
        yield Paragraph("No shots have been fired yet.")
        yield from caveats
        return
    first, second = (_curve(ledger, side) for side in ledger.sides)
    yield Curves("Turn", (first, second), _ticks(ledger.shots))
    yield Beside((_ledger_table(ledger),), (*_what_stands_out(play, ledger), *caveats))


def _curve(ledger: Luck, side: SideLuck) -> ValueCurve:
    """The luck of a side after each shot, for the screen: there fractions need not be exact."""
    course = [float(gained) for gained in ledger.course(side.side)]
    return ValueCurve(side.people, tuple(course))


def _ticks(shots: Sequence[FiredShot]) -> tuple[tuple[int, str], ...]:
    """Where each turn begins on a curve: the index of its first shot, and the turn."""
    firsts: dict[int, int] = {}
    for index, shot in enumerate(shots):
        firsts.setdefault(shot.turn, index)
    return tuple((index, str(turn)) for turn, index in firsts.items())


def _ledger_table(ledger: Luck) -> Table:
    """What came and what was expected, side by side; a row about saves or breakdowns only if there
    was one, or one to expect."""
    sides = ledger.sides
    rows = [
        ("Shots", *(str(side.shots) for side in sides)),
        ("Kills", *(_kills(side) for side in sides)),
        ("Luckier than", *(_luckier(side) for side in sides)),
    ]
    if any(side.saves or side.saves_expected >= _TELLING for side in sides):
        saves = (_with_expected(side.saves, side.saves_expected) for side in sides)
        rows.append(("Saved by cover", *saves))
    if any(side.broke or side.broke_expected >= _TELLING for side in sides):
        broke = (_with_expected(side.broke, side.broke_expected) for side in sides)
        rows.append(("Weapons broken", *broke))
    return table(("", *(side.people for side in sides)), rows, numbers=(1, 2))


def _kills(side: SideLuck) -> str:
    """``4, expected 3.2 (+0.8)``."""
    return f"{_with_expected(side.kills, side.expected)} ({signed(side.difference)})"


def _what_stands_out(play: BattlePlay, ledger: Luck) -> Iterator[Paragraph]:
    """Each side's least likely kill and likeliest miss, and the turn of the biggest swing."""
    for side in ledger.sides:
        if side.best:
            lead = f"Least likely kill ({side.people}):"
            yield Paragraph(f"{shot_words(play, side.best)}.", lead)
        if side.worst:
            lead = f"Likeliest hit that missed ({side.people}):"
            yield Paragraph(f"{shot_words(play, side.worst)}.", lead)
    swing = ledger.swing
    if swing is not None:
        gains = [f"{side.people} {signed(swing.gained[side.side])}" for side in ledger.sides]
        yield Paragraph(f"turn {swing.turn}: {', '.join(gains)}.", "Biggest swing:")


def _caveats(state: State, ledger: Luck) -> Iterator[str]:
    """What the figures do not know, in sentences."""
    for note, count in ledger.notes.items():
        shots = f"{capital(note)} at {count} of {len(ledger.shots)} shots"
        yield f"{shots}: with the true cards the chance may have been different."
    if state.outcome is None and state.setup.hidden:
        yield "Until the battle is over, only what both sides can see is counted."


def shot_words(play: BattlePlay, shot: FiredShot) -> str:
    """``turn 3, line 45: Rifle R12 at a Tiger, in cover, 2.1%``."""
    setup = play.state.setup
    line = next(line.number for line in lines(play) if shot.entry in line.entry_numbers)
    who = f"{setup.unit(shot.unit).short} {piece_code(shot.piece)}"
    whom = a_unit(setup.unit(shot.target).name)
    text = ", ".join([f"{who} at {whom}", *shot.circumstances, tenths(shot.chance)])
    return f"turn {shot.turn}, line {line}: {text}"


def _luckier(side: SideLuck) -> str:
    """Than which share of all results its own was: ``81%, lucky``."""
    if side.percentile is None:
        return "–"
    return f"{luckier_share(side.percentile)}, {side.verdict}"


def luckier_share(percentile: float) -> str:
    """``81%``, ``99.5%``: never quite 0 or 100, and with a decimal near them."""
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
