"""The report of a battle as pages, and its highlights. A sealed note stays sealed unless it was
opened in the battle."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from fractions import Fraction
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

import msgspec

from skirmish.games.plastic.battle import events as happened
from skirmish.games.plastic.battle.command_events import OrdersGiven
from skirmish.games.plastic.battle.events import AnyEvent
from skirmish.games.plastic.battle.lines import BattleLine, lines
from skirmish.games.plastic.battle.names import piece_side, row_unit
from skirmish.games.plastic.battle.narrative import narrate
from skirmish.games.plastic.battle.progress import victory_status
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.setup import Piece, Setup
from skirmish.games.plastic.battle.state import PHASES, Clock, ShotEvent, State
from skirmish.games.plastic.battle.view import seen
from skirmish.games.plastic.board import can_no_longer_win, clock_lines, forces
from skirmish.games.plastic.luck import luck, luck_blocks, turning_blocks, turning_point
from skirmish.games.plastic.odds.rounding import nearest
from skirmish.games.plastic.rules.catalog import UnitType, a_unit, listed, plural
from skirmish.games.plastic.summary import Kills, SideSummary, Summary, UnitLoss, summary
from skirmish.tabletop.page import (
    Badge,
    Banner,
    Beside,
    Block,
    Facts,
    Heading,
    Items,
    Note,
    Page,
    Pair,
    Pairs,
    Paragraph,
    Party,
    Picture,
    Table,
    table,
    without_empty_columns,
)

GAME = "WWII Plastic Skirmish"
"""What a report says at its head and foot that it is of."""
MAP, STRIP = "map", "strip"
"""The pictures of a printed report: the map with its flags, and the losses over the turns."""
BEST, FEW = 5, 3
"""How many of the best shooters a summary (5) and a report (3) name."""
HIGHLIGHT_COUNTS = range(4, 50, 2)
"""How many highlights a report may have, depending on the room."""
LOSSES = {
    "Had": "total",
    "Lost": "lost",
    "By hand": "by_hand",
    "Off": "exited",
    "To come": "waiting",
    "Broke": "broken",
    "Left": "left",
    "Strength lost": "pdg",
    "Points lost": "points",
}
"""The columns of the table of losses, each with its field of ``UnitLoss``."""
KILLS = {
    "Shots": "shots",
    "Hits": "hits",
    "Guys": "guys",
    "Models": "models",
    "Points": "points",
    "Strength": "pdg",
}
"""The columns of a table of kills, each with its field of ``Kills``."""
FEW_TURNS = 16
"""Up to so many turns the table of losses by turn fits beside that of the kills."""
FITS_HEAD = 50
"""The most letters that a side's people and its army may have in one heading."""

# ------------------------------------------------------------------ pages


def summary_page(play: BattlePlay) -> Page:
    """How the battle stands, or ended, with all kills."""
    battle = summary(play)
    blocks = (
        banner(play, battle),
        *_both_sides(play, battle),
        _beside(battle, _of_side),
        *losses_by_turn(battle),
        _beside(battle, partial(kills, whole=True)),
        *command_plans(play),
    )
    return Page(battle.title, blocks)


def command_plans(play: BattlePlay) -> Iterator[Block]:
    """What the program's commander was up to, turn by turn: sealed until the battle is over."""
    if play.state.outcome is None:
        return
    plans: dict[str, list[Paragraph]] = {}
    for entry in play.live:
        for event in entry.events:
            if isinstance(event, OrdersGiven) and event.plan:
                paragraph = Paragraph(event.plan, lead=f"Turn {event.turn}.")
                plans.setdefault(event.side, []).append(paragraph)
    for side, paragraphs in plans.items():
        yield Heading(f"What the commander of {play.state.setup.the(side)} was up to")
        yield from paragraphs


def report_page(play: BattlePlay, date: str) -> Page:
    """The whole report with its journal; ``date`` as it is to stand there."""
    return _report(play, date).with_blocks(_journal(play))


def printed_pages(play: BattlePlay, date: str) -> list[Page]:
    """The report with fewer highlights and with more, then with all that happened besides."""
    # A report of a battle that goes on is open to all, so it names nobody who hides.
    shown = play
    if play.state.outcome is None:
        shown = seen(play, None)
    page, highlights = _report(shown, date, printed=True), all_highlights(shown)
    # The first count that is not smaller than their number has all of them; the next would be the
    # same page again.
    enough = len(highlights) + HIGHLIGHT_COUNTS.step
    counts = [count for count in HIGHLIGHT_COUNTS if count < enough]
    # A battle of few highlights has one page, with all of them.
    if not counts:
        counts = [len(highlights)]
    pages = [page.with_blocks(highlight_blocks(highlights, count)) for count in counts]
    # The last sheet of a short battle has room for all of it.
    pages.append(pages[-1].with_blocks([Heading("Journal"), *_journal(shown)]))
    return pages


def _report(play: BattlePlay, date: str, *, printed: bool = False) -> Page:
    """The report without its journal or highlights. ``printed``: with the pictures of the paper,
    which say what the chart of losses says."""
    setup, battle = play.state.setup, summary(play)
    scenario = setup.scenario
    place, badge = "Army against army", Badge("Turns", str(battle.turn))
    if scenario is not None:
        place = scenario.unmarked(scenario.place)
        badge = Badge("Scenario", str(scenario.number))
    blocks: list[Block] = [banner(play, battle)]
    if printed:
        blocks.insert(0, Picture(STRIP))
    with_map = scenario is not None and scenario.map is not None
    if with_map and not printed:
        blocks.append(Picture(MAP))
    blocks += _both_sides(play, battle)
    blocks.append(_beside(battle, _of_side))
    if printed:
        blocks += turning_blocks(play.state, turning_point(play), battle)
        blocks.append(_beside(battle, kills))
        # On paper the strip heads the report; the map begins what stands overleaf.
        if with_map:
            blocks.append(Picture(MAP))
    else:
        blocks += _course(play, battle)
    blocks += luck_blocks(play, luck(play))
    blocks += command_plans(play)
    return Page(
        setup.title,
        tuple(blocks),
        badge=badge,
        about=(f"Fought {date}", place, f"Battle report · {GAME}"),
        foot=" · ".join(("Battle report", setup.title, date, GAME)),
    )


def state_page(play: BattlePlay) -> Page:
    """The present state: the sides as on the battle screen, and the losses and kills so far."""
    state, battle = play.state, summary(play)
    blocks: list[Block] = []
    # After the end nobody can still reach anything, so the forces stand without their terms.
    if battle.over:
        blocks.append(banner(play, battle))
        blocks += forces(state, ())
    else:
        blocks += clock_lines(state)
        blocks += forces(state, victory_status(state))
    blocks += losses_by_turn(battle)
    blocks.append(_beside(battle, kills))
    return Page(battle.title, tuple(blocks))


def banner(play: BattlePlay, battle: Summary) -> Banner:
    """The result, or the progress of both sides; and what victory is."""
    aim = Paragraph(play.state.setup.victory, "Victory.", "quiet")
    if not battle.over:
        progress = [Paragraph(line) for line in progress_lines(play)]
        return Banner(f"In progress, turn {battle.turn}", (*progress, aim))
    winner = _winner(battle)
    head, player = "A draw", ""
    if winner is not None:
        head = f"Winner: {winner.people}"
        if winner.player:
            player = f"Commanded by {winner.player}. "
    text = f"In turn {battle.turn}. {player}{battle.reason}".strip()
    return Banner(head, (Paragraph(text), aim))


def _winner(battle: Summary) -> SideSummary | None:
    """The side that has won; None after a draw."""
    for side in battle.sides:
        if side.side == battle.winner:
            return side
    return None


def result_line(battle: Summary) -> str:
    """``Winner: Poles (Ann). 23 left the table, 20 needed.``"""
    if not battle.over:
        return f"Turn {battle.turn}; the battle goes on."
    winner = _winner(battle)
    if winner is None:
        return f"A draw. {battle.reason}"
    player = ""
    if winner.player:
        player = f" ({winner.player})"
    return f"Winner: {winner.people}{player}. {battle.reason}"


def progress_lines(play: BattlePlay) -> Iterator[str]:
    """How each side stands, in sentences; none after the end."""
    if play.state.outcome is not None:
        return
    for status in victory_status(play.state):
        yield f"{play.state.words.people(status.side)} {status.text}."
        if not status.can_win:
            yield can_no_longer_win(play.state, status.side)


def _both_sides(play: BattlePlay, battle: Summary) -> Iterator[Block]:
    """A table with a column for each side; lines that are empty for both are left out."""
    columns = [_facts_of_side(play.state, side) for side in battle.sides]
    rows = []
    # Both columns have the same names; a line is left out only if neither side has anything there.
    for name in columns[0]:
        cells = [column[name] for column in columns]
        if any(cells):
            rows.append((name, *(cell or "–" for cell in cells)))
    titles = ("", *(side.people for side in battle.sides))
    yield table(titles, rows)


def _facts_of_side(state: State, side: SideSummary) -> dict[str, str]:
    """The lines of a side in the table of both, by their names; empty where it has nothing."""
    broken_at = weapons_broken = quality_name = ""
    if state.setup.side_by_id[side.side].breaks:
        broken_at = str(side.break_at)
    if side.broke:
        weapons_broken = str(side.broke)
    quality = state.quality_of(side.side)
    if quality:
        quality_name = quality.name
    return {
        "Commander": side.player,
        "Strength lost": _strength_lost(side),
        "Broken at": broken_at,
        "Points lost": str(side.points),
        "Shots, hits": _shots(side),
        "Weapons broken": weapons_broken,
        "Exited": _exits(side),
        "Force quality": quality_name,
    }


def _strength_lost(side: SideSummary) -> str:
    """``60 of 277, 2 by enemy exits``: in the basic game enemies who leave the table count."""
    text = f"{side.loss} of {side.strength}"
    by_exits = side.loss - sum(loss.pdg for loss in side.losses)
    if by_exits > 0:
        text += f", {by_exits} by enemy exits"
    return text


def _shots(side: SideSummary) -> str:
    """``12, 7 (58%)``."""
    shots = f"{side.shots}, {side.hits}"
    if not side.shots:
        return shots
    return f"{shots} ({nearest(Fraction(100 * side.hits, side.shots))}%)"


def _exits(side: SideSummary) -> str:
    """``3, counting 7``; empty if nobody left the table."""
    if not side.exited:
        return ""
    # Where exits do not count the number of those gone is all.
    if not side.exit_value:
        return str(side.exited)
    return f"{side.exited}, counting {side.exit_value}"


def _beside(battle: Summary, blocks: Callable[[Summary, Party], Iterable[Block]]) -> Beside:
    """What ``blocks`` makes for each side, beside one another."""
    return Beside(tuple(blocks(battle, 0)), tuple(blocks(battle, 1)))


def _of_side(battle: Summary, party: Party) -> Iterator[Block]:
    """The units of a side and what became of them."""
    side = _side_of(battle, party)
    # Below the heads of both sides or of neither, so that their tables begin level.
    if all(_fits_head(each) for each in battle.sides):
        yield Heading(side.people, aside=_army(side), party=party)
    else:
        yield Heading(side.people, party=party)
        yield Paragraph(side.name, tone="strong")
    rows = [(loss.name, *_numbers(loss, LOSSES)) for loss in side.losses]
    sums = []
    for field in LOSSES.values():
        sums.append(_number(sum(getattr(loss, field) for loss in side.losses)))
    rows.append(("All", *sums))
    numbers = range(1, len(LOSSES) + 1)
    with_all_columns = table(("Unit", *LOSSES), rows, numbers=numbers, totals=1, party=party)
    yield without_empty_columns(with_all_columns, ("By hand", "Off", "To come", "Broke"))
    if any(loss.broken for loss in side.losses):
        yield Note("Broke: the weapon broke down, and he fights on as a rifleman.")


def _army(side: SideSummary) -> str:
    """The name of an army; empty if it is called as its people are."""
    if side.name == side.people:
        return ""
    return side.name


def _fits_head(side: SideSummary) -> bool:
    """Whether a side and its army fit into one heading."""
    return len(side.people) + len(_army(side)) <= FITS_HEAD


def _side_of(battle: Summary, party: Party) -> SideSummary:
    """The side of that colour; a page of two sides has no block without one."""
    assert party is not None
    return battle.sides[party]


def _number(number: int) -> str:
    """A cell of a table, where a dash stands for 0."""
    if not number:
        return "–"
    return str(number)


def _numbers(row: UnitLoss | Kills, columns: Mapping[str, str]) -> Iterator[str]:
    """The cells of a row, in the order of the columns."""
    return (_number(getattr(row, field)) for field in columns.values())


def losses_by_turn(battle: Summary) -> Iterator[Block]:
    """The strength that both sides lost in each turn, as bars."""
    yield Heading("Strength lost, turn by turn")
    first, second = battle.sides
    rows = []
    for turn in battle.turns:
        rows.append(Pair(str(turn.turn), turn.pdg[first.side], turn.pdg[second.side]))
    # A chart of nothing but zeros says less than the sentence.
    if any(row.first or row.second for row in rows):
        titles = (f"{first.people} lost", f"{second.people} lost")
        yield Pairs("Turn", titles, tuple(rows))
    else:
        yield Paragraph("Nothing was lost.")


def _course(play: BattlePlay, battle: Summary) -> Iterator[Block]:
    """The turning point and the losses by turn, beside the kills if they are short."""
    turning = tuple(turning_blocks(play.state, turning_point(play), battle))
    lost = tuple(losses_by_turn(battle))
    kills_beside = _beside(battle, kills)
    if len(battle.turns) > FEW_TURNS:
        yield from turning
        yield from lost
        yield kills_beside
    else:
        yield Beside((*turning, *lost), (*kills_beside.left, *kills_beside.right))


def kills(battle: Summary, party: Party, *, whole: bool = False) -> Iterator[Block]:
    """What a side killed, by weapon and by piece; ``whole``: also by type of shooter."""
    side = _side_of(battle, party)
    yield Heading(f"Killed by {side.people}", party=party)
    if not side.by_weapon:
        yield Paragraph("No shots fired.")
        return
    tables = {"By weapon": side.by_weapon, "Best shooters": side.by_piece[:FEW]}
    if whole:
        tables = {"With": side.by_weapon, "By": side.by_unit, "Best": side.by_piece[:BEST]}
    # One scale for both sides, or the bars of the weaker one would look as long.
    full = _strongest_row(battle)
    for title, rows in tables.items():
        if rows:
            yield _kills(title, rows, party, full)
    chain = battle.chain
    if chain is not None and chain.side == side.side:
        text = f"{chain.hits} hits in a row by {chain.name} in turn {chain.turn}."
        yield Paragraph(text, "Longest run:")


def _strongest_row(battle: Summary) -> int:
    """The strength for which a bar is full, the same for both sides."""
    strongest = 0
    for side in battle.sides:
        for row in (*side.by_weapon, *side.by_unit):
            strongest = max(strongest, row.pdg)
    return strongest


def _kills(title: str, rows: Sequence[Kills], party: Party, full: int) -> Table:
    """A table of kills, with a bar for the strength."""
    cells = [(row.name, *_numbers(row, KILLS)) for row in rows]
    columns = range(1, len(KILLS) + 1)
    bar = columns[-1]  # the strength
    return table((title, *KILLS), cells, numbers=columns, bar=bar, full=full, party=party)


def _journal(play: BattlePlay) -> Iterator[Block]:
    """The journal under the headings of its player turns and phases."""
    for chapter in chapters(play):
        if chapter.lines:
            yield Heading(chapter.heading)
        for phase, lines_of_phase in groupby(chapter.lines, key=attrgetter("phase")):
            if phase:
                yield Heading(PHASES[phase], 3)
            yield Items(tuple(line.text for line in lines_of_phase))


BEFORE_PHASES = 0
"""In place of the number of a phase, for lines that stand before the first phase of a player
turn."""


class ChapterLine(NamedTuple):
    """A line of the journal, in a phase of its player turn or ``BEFORE_PHASES``."""

    phase: int
    text: str


class Chapter(NamedTuple):
    """A player turn of the journal."""

    heading: str
    lines: list[ChapterLine]


def chapters(play: BattlePlay) -> Iterator[Chapter]:
    """The valid lines of each player turn, without the sentences that only say what the headings
    say."""
    setup = play.state.setup
    # Decks are always shuffled at the end of a turn, so that is left out.
    shuffles = [f"The {setup.owned_by(side.id, 'deck')} is shuffled." for side in setup.sides]
    chapter = Chapter(_heading(setup, Clock(1, play.state.first, 1)), [])
    present_phase = 1
    for line in lines(play):
        # A void line is in the journal on the screen, struck out; a report tells what counted.
        if line.void:
            continue
        clock = _clock_after(line.events)
        phase, text = present_phase, line.text
        if clock is not None:
            phase = present_phase = clock.phase
            heading = _heading(setup, clock)
            text = _without(text, f"{heading}.", f"Phase {phase}: {PHASES[phase]}.", *shuffles)
            if heading != chapter.heading:
                yield chapter
                chapter = Chapter(heading, [])
                phase = BEFORE_PHASES  # what the end of the turn brought
        elif line.number == 1:  # the opening, without the sentence that the title says
            phase = BEFORE_PHASES
            text = _without(text, f"{setup.title} begins.")
        if text:
            chapter.lines.append(ChapterLine(phase, text))
    yield chapter


def _clock_after(events: Iterable[AnyEvent]) -> Clock | None:
    """Where these events moved the clock; None if they did not."""
    clock = None
    for event in events:
        if isinstance(event, happened.ClockEvent):
            clock = event.clock
    return clock


def _heading(setup: Setup, clock: Clock) -> str:
    """The heading of a player turn."""
    return f"Turn {clock.turn}, {setup.side_by_id[clock.side].people} to move"


def _without(text: str, *sentences: str) -> str:
    """The text without the first of each of these sentences, as their events narrate them."""
    # Out of the text and not out of the events: by these events ``narrate`` knows that the clock
    # went on without the defender's answer, and says so of the losses before them.
    for sentence in sentences:
        # Once, since the same sentence may be a note of the players, too.
        text = text.replace(sentence, "", 1)
    return " ".join(text.split())


# ------------------------------------------------------------------ highlights


class Highlight(msgspec.Struct, frozen=True):
    """A memorable line of the journal; ``weight`` is on the scale of potential dead guys."""

    when: str
    text: str
    weight: int


def highlight_blocks(highlights: Sequence[Highlight], count: int) -> Iterator[Block]:
    """The weightiest of them, up to ``count``."""
    if highlights:
        yield Heading("Highlights", aside="from the journal")
        shown = weightiest(highlights, count)
        yield Facts(tuple((highlight.when, highlight.text) for highlight in shown))


def weightiest(highlights: Sequence[Highlight], count: int) -> tuple[Highlight, ...]:
    """The ``count`` highlights of the greatest weight, of equals the first, in chronological
    order."""

    def heaviest_first(place: int) -> tuple[int, int]:
        return -highlights[place].weight, place

    # By their places, so that those chosen can be put back in their order.
    places = sorted(range(len(highlights)), key=heaviest_first)[:count]
    return tuple(highlights[place] for place in sorted(places))


def all_highlights(play: BattlePlay) -> list[Highlight]:
    """The lines in which somebody fell, arrived, broke down, or a surprise happened, as they stand
    today. A line that moves the clock is none."""
    state = play.state
    clock = Clock(1, state.first, 1)
    highlights: list[Highlight] = []
    for line, events in _with_corrections(play):
        moved_to = _clock_after(events)
        # "Turn 4, Germans to move" is never a memorable line.
        if moved_to is not None:
            clock = moved_to
            continue
        standing = as_it_stands(events, state)
        weight = sum(event.weight() for event in standing)
        if line.text and weight:
            text = retold(standing, state)
            highlights.append(Highlight(_heading(state.setup, clock), text, weight))
    return highlights


class _CorrectedLine(NamedTuple):
    """A valid line with its events, those of later judgments of its shots included."""

    line: BattleLine
    events: list[AnyEvent]


def _with_corrections(play: BattlePlay) -> Iterator[_CorrectedLine]:
    """The valid lines; one that only judges again is left out."""
    corrected: dict[int, list[AnyEvent]] = {}
    valid: list[BattleLine] = []
    # By the number of a shot, that of the line in which it was fired.
    line_of: dict[int, int] = {}
    for line in lines(play):
        # The first line only says that the battle begins.
        if line.void or line.number == 1:
            continue
        recalled = [event.shot for event in line.events if isinstance(event, happened.Recalled)]
        fired_in = [line_of[shot] for shot in recalled if shot in line_of]
        # It corrects the line in which the shot was fired.
        if fired_in:
            corrected[fired_in[0]] += line.events
            continue
        valid.append(line)
        corrected[line.number] = list(line.events)
        for event in line.events:
            if isinstance(event, happened.Judged | happened.HitsCounted):
                line_of[event.shot.id] = line.number
    for line in valid:
        yield _CorrectedLine(line, corrected[line.number])


def as_it_stands(events: Sequence[AnyEvent], state: State) -> list[AnyEvent]:
    """The events without what was taken back later: verdicts that were replaced, breakdowns that
    were none, and the losses of shots that killed nobody after all."""
    corrections = _Corrections(events)
    standing: list[AnyEvent] = []
    fallen: set[str] = set()
    for place, event in enumerate(events):
        if corrections.replaced(event, place):
            continue
        if isinstance(event, happened.Lost) and event.credit is not None:
            credit = state.lost.get(event.piece)
            stands = credit is not None and credit.shot == event.credit.shot
            # A piece that was put back and fell again is one loss.
            if not stands or event.piece in fallen:
                continue
            fallen.add(event.piece)
        standing.append(event)
    return standing


class _Corrections:
    """What later events of a line, or of the lines that judge it again, took back: the place of the
    last verdict of each shot, and of what mended a breakdown."""

    def __init__(self, events: Sequence[AnyEvent]) -> None:
        self._last_verdict: dict[int, int] = {}
        self._mended: dict[int, int] = {}
        self._any_recalled = False
        """Whether a shot is judged again at all."""
        for place, event in enumerate(events):
            if isinstance(event, happened.Judged | happened.HitsCounted):
                self._last_verdict[event.shot.id] = place
            elif isinstance(event, happened.Recalled) and event.mended is not None:
                self._mended[event.shot] = place
        for event in events:
            if isinstance(event, happened.Recalled):
                self._any_recalled = True
                for shot in event.chain:
                    self._last_verdict.pop(shot, None)

    def replaced(self, event: AnyEvent, place: int) -> bool:
        """Whether the event at that place is not true any more, or only corrects."""
        match event:
            case happened.Judged() | happened.HitsCounted():
                return self._last_verdict.get(event.shot.id) != place
            case happened.Tested():
                return place < self._mended.get(event.shot.id, 0)
            case happened.Volleyed():
                return self._any_recalled  # its shooters or its target may be others
            case happened.Recalled() | happened.Reread():
                return True
        return False


# ------------------------------------------------------------------ in sentences


_OF_A_SHOT = (
    ShotEvent,
    happened.Ceased,
    happened.Checked,
    happened.StepSkipped,
    happened.Lost,
    happened.Recalled,
    happened.Reread,
    happened.UnitChanged,
    happened.DrawsUnused,
    happened.Volleyed,
)
"""What the sentences about a shot say already, or what is too small for them: beside the steps of a
shot itself, what follows from it."""


def retold(events: Sequence[AnyEvent], state: State) -> str:
    """The events in sentences; ``state`` knows all pieces."""
    is_about_fire = happened.Judged | happened.HitsCounted | happened.Volleyed
    if not any(isinstance(event, is_about_fire) for event in events):
        return narrate(events, state)
    sentences = list(_shot(events, state))
    rest = narrate([event for event in events if not isinstance(event, _OF_A_SHOT)], state)
    if rest:
        sentences.append(rest)
    return " ".join(sentences)


def _shot(events: Sequence[AnyEvent], state: State) -> Iterator[str]:
    """``Germans: Tank T1 fires its Cannon at a Cannon. The Poles lose Cannon C1.``"""
    shooters = _shooters(events, state)
    own, theirs = [], []
    for piece in _lost(events):
        if piece_side(piece) == shooters.side:
            own.append(piece)
        else:
            theirs.append(piece)
    yield f"{state.words.people(shooters.side)}: {shooters.fire} at {_target(events, state)}."
    if theirs:
        yield _lose(theirs, state)
    elif not own:
        miss = "A miss."
        if shooters.are_several:
            miss = "They miss."
        yield miss
    for event in events:
        if isinstance(event, happened.Tested) and event.broken:
            yield "The weapon breaks down."
    if own:
        yield _lose(own, state)


def _lost(events: Sequence[AnyEvent]) -> list[str]:
    """The pieces lost, without those that a correction put back."""
    back: set[str] = set()
    for event in events:
        if isinstance(event, happened.Recalled):
            back.update(event.back)
    lost = [event.piece for event in events if isinstance(event, happened.Lost)]
    return [piece for piece in lost if piece not in back]


class _Shooters(NamedTuple):
    """The subject of a sentence: who fired together."""

    fire: str
    """Who they are and that they fire."""
    side: str
    are_several: bool
    """Whether there are more than one."""


def _shooters(events: Sequence[AnyEvent], state: State) -> _Shooters:
    """Who fired in these events."""
    for event in events:
        if isinstance(event, happened.Volleyed):
            return _shooters_of_volley(event, state)
    return _shooters_of_shots(events, state)


def _shooters_of_volley(volley: happened.Volleyed, state: State) -> _Shooters:
    """``3 Rifle Guys and 2 Machinegun Guys fire``, ``A Tank fires its Cannon``."""
    setup, words = state.setup, state.words
    unit, are_several = setup.unit(row_unit(volley.shooter)), volley.count > 1
    who = a_unit(unit.name, "A") + words.contingent_note(volley.shooter)
    if are_several:
        who = words.row(volley.shooter, volley.count)
    if volley.more:
        squads = [who]
        for squad in volley.more:
            number = setup.unit(row_unit(squad.shooter)).named(squad.count)
            squads.append(f"{number}{words.contingent_note(squad.shooter)}")
        return _Shooters(f"{listed(squads)} fire", volley.side, are_several=True)
    fires = _fires({volley.weapon}, unit, are_several, setup)
    return _Shooters(f"{who}{fires}", volley.side, are_several)


def _shooters_of_shots(events: Sequence[AnyEvent], state: State) -> _Shooters:
    """Single shots first, then counted volleys, each shooter once."""
    single: list[str] = []
    counted: list[str] = []
    weapons = set()
    for event in events:
        if isinstance(event, happened.Judged):
            single.append(event.shot.piece)
            weapons.add(event.shot.weapon)
        elif isinstance(event, happened.HitsCounted):
            counted += event.pieces
            weapons.add(event.shot.weapon)
    pieces = list(dict.fromkeys((*single, *counted)))
    unit, are_several = state.setup.unit(state.piece(pieces[0]).unit), len(pieces) > 1
    fires = _fires(weapons, unit, are_several, state.setup)
    return _Shooters(f"{_named(pieces, state)}{fires}", piece_side(pieces[0]), are_several)


def _fires(weapons: Set[str], unit: UnitType, are_several: bool, setup: Setup) -> str:
    """`` fires its Cannon``; without the weapon if the unit is named after it."""
    names = {setup.catalog.weapons[weapon].name for weapon in weapons}
    weapon_is_clear = len(names) > 1 or names <= {unit.short, plural(unit.short)}
    fires, its = " fires", "its"
    if are_several:
        fires, its = " fire", "their"
    if weapon_is_clear:
        return fires
    return f"{fires} {its} {names.pop()}"


def _target(events: Sequence[AnyEvent], state: State) -> str:
    """``a Cannon and Rifle Guys (Rearguard)``: each row once."""
    rows: dict[str, None] = {}  # a set that keeps the order, as is ``names``
    for event in events:
        if isinstance(event, happened.Volleyed):
            rows[event.target] = None
        elif isinstance(event, happened.Judged | happened.HitsCounted):
            rows[event.shot.target] = None
    names: dict[str, None] = {}
    for row in rows:
        unit = state.setup.unit(row_unit(row))
        name = a_unit(unit.name)
        if unit.is_guy:
            name = plural(unit.name)
        names[f"{name}{state.words.contingent_note(row)}"] = None
    return listed(list(names))


def _lose(pieces: Sequence[str], state: State) -> str:
    """``The Poles lose Cannon C1.``"""
    lose = state.setup.does(piece_side(pieces[0]), "lose", "loses", article="The")
    return f"{lose} {_named(pieces, state)}."


def _named(pieces: Sequence[str], state: State) -> str:
    """``Truck K1 and 10 Rifle Guys (Rearguard)``: single pieces with their codes, others by number
    and, if their unit alone is not clear, by their contingent."""
    words = state.words
    alike: dict[tuple[str, str], list[Piece]] = {}
    for piece in map(state.piece, pieces):
        note = words.contingent_note(words.row_of(piece.id))
        alike.setdefault((piece.unit, note), []).append(piece)
    names = []
    for (unit_id, note), pieces_alike in alike.items():
        unit = state.setup.unit(unit_id)
        if len(pieces_alike) > 1:
            names.append(f"{unit.named(len(pieces_alike))}{note}")
        else:
            names.append(f"{unit.short} {pieces_alike[0].code}")
    return listed(names)
