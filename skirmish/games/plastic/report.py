"""The pages about a battle as a whole: its summary, its report on the screen and on paper, and its
present state. A sealed note stays sealed unless it was opened in the battle."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from skirmish.games.plastic.battle.command_events import OrdersGiven
from skirmish.games.plastic.battle.progress import victory_status
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.view import seen
from skirmish.games.plastic.board import can_no_longer_win, clock_lines, forces
from skirmish.games.plastic.highlights import all_highlights, highlight_blocks
from skirmish.games.plastic.journal_chapters import journal_blocks
from skirmish.games.plastic.luck import luck
from skirmish.games.plastic.luck_page import luck_blocks
from skirmish.games.plastic.side_tables import (
    for_both_sides,
    kills,
    losses,
    losses_by_turn,
    sides_compared,
)
from skirmish.games.plastic.summary import SideSummary, Summary, summary
from skirmish.games.plastic.turning_point import turning_blocks, turning_point_of
from skirmish.tabletop.page import (
    Badge,
    Banner,
    Beside,
    Block,
    Heading,
    Page,
    Paragraph,
    Picture,
)

GAME_TITLE = "WWII Plastic Skirmish"
"""The name of the game, as the head and foot of a report give it."""
MAP, STRIP = "map", "strip"
"""The names of the pictures of a report: the map with its flags; on paper only, the losses over the
turns."""
HIGHLIGHT_COUNTS = range(4, 50, 2)
"""The numbers of highlights to try on a printed report, whose last sheet takes as many as fit."""
FEW_TURNS = 16
"""Up to so many turns the chart of losses fits beside the table of kills."""


def summary_page(play: BattlePlay) -> Page:
    """How the battle stands, or how it ended, with the kills in all tables."""
    battle = summary(play)
    blocks = (
        banner(play, battle),
        *sides_compared(play, battle),
        for_both_sides(battle, losses),
        *losses_by_turn(battle),
        for_both_sides(battle, partial(kills, in_summary=True)),
        *command_plans(play),
    )
    return Page(battle.title, blocks)


def command_plans(play: BattlePlay) -> Iterator[Block]:
    """What the program's commander was up to, turn by turn; nothing before the battle is over,
    since until then his plans are secret."""
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
    """The report for the screen, with the whole journal; ``date`` as it is to stand there."""
    return _screen_report(play, date).with_blocks(journal_blocks(play))


def printed_pages(play: BattlePlay, date: str) -> list[Page]:
    """The report for paper, each time with more on it: more and more highlights, at last all of
    them and the journal. The printer takes the longest that fits its sheets."""
    # Of a battle that goes on, both sides may read the report, so it names nobody who hides.
    shown = play
    if play.state.outcome is None:
        shown = seen(play, None)
    page, highlights = _printed_report(shown, date), all_highlights(shown)
    pages = []
    for count in _highlight_counts(len(highlights)):
        pages.append(page.with_blocks(highlight_blocks(highlights, count)))
    # The last sheet of a short battle has room for all of it.
    pages.append(pages[-1].with_blocks([Heading("Journal"), *journal_blocks(shown)]))
    return pages


def _highlight_counts(highlights: int) -> list[int]:
    """The numbers to try of so many ``highlights``: up to the first that shows all of them. If
    there are more than any report has room for, no number does."""
    counts = []
    for count in HIGHLIGHT_COUNTS:
        counts.append(count)
        if count >= highlights:
            break
    return counts


def _screen_report(play: BattlePlay, date: str) -> Page:
    """The report without its journal."""
    battle = summary(play)
    blocks: list[Block] = [banner(play, battle)]
    if _has_map(play):
        blocks.append(Picture(MAP))
    blocks += sides_compared(play, battle)
    blocks.append(for_both_sides(battle, losses))
    blocks += _course(play, battle)
    return _report(play, date, blocks)


def _printed_report(play: BattlePlay, date: str) -> Page:
    """The report without its highlights. On paper the strip shows the losses over the turns, so
    there is no chart of them."""
    battle = summary(play)
    blocks: list[Block] = [Picture(STRIP), banner(play, battle)]
    blocks += sides_compared(play, battle)
    blocks.append(for_both_sides(battle, losses))
    blocks += turning_blocks(play.state, turning_point_of(play), battle)
    blocks.append(for_both_sides(battle, kills))
    # The map stands at the head of what is overleaf.
    if _has_map(play):
        blocks.append(Picture(MAP))
    return _report(play, date, blocks)


def _has_map(play: BattlePlay) -> bool:
    """Whether the battle is of a scenario with a map."""
    scenario = play.state.setup.scenario
    return scenario is not None and scenario.map is not None


def _report(play: BattlePlay, date: str, blocks: Iterable[Block]) -> Page:
    """A report of these blocks, then luck and the plans of the program's commander; with the title,
    the badge and the foot that all reports have."""
    setup = play.state.setup
    place, badge = "Army against army", Badge("Turns", str(play.state.clock.turn))
    if setup.scenario is not None:
        place = setup.scenario.unmarked(setup.scenario.place)
        badge = Badge("Scenario", str(setup.scenario.number))
    return Page(
        setup.title,
        (*blocks, *luck_blocks(play, luck(play)), *command_plans(play)),
        badge=badge,
        about=(f"Fought {date}", place, f"Battle report · {GAME_TITLE}"),
        foot=" · ".join(("Battle report", setup.title, date, GAME_TITLE)),
    )


def state_page(play: BattlePlay) -> Page:
    """The present state: the sides as on the battle screen, and the losses and kills so far."""
    state, battle = play.state, summary(play)
    blocks: list[Block] = []
    # After the end no goal can be reached any more, so the forces are shown without any.
    if battle.over:
        blocks.append(banner(play, battle))
        blocks += forces(state, ())
    else:
        blocks += clock_lines(state)
        blocks += forces(state, victory_status(state))
    blocks += losses_by_turn(battle)
    blocks.append(for_both_sides(battle, kills))
    return Page(battle.title, tuple(blocks))


def banner(play: BattlePlay, battle: Summary) -> Banner:
    """The result, or the progress of both sides, and the terms of victory."""
    terms = Paragraph(play.state.setup.victory, "Victory.", "quiet")
    if not battle.over:
        progress = [Paragraph(line) for line in progress_lines(play)]
        return Banner(f"In progress, turn {battle.turn}", (*progress, terms))
    winner = _winner(battle)
    head, commander = "A draw", ""
    if winner is not None:
        head = f"Winner: {winner.people}"
        if winner.player:
            commander = f"Commanded by {winner.player}. "
    text = f"In turn {battle.turn}. {commander}{battle.reason}".strip()
    return Banner(head, (Paragraph(text), terms))


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


def _course(play: BattlePlay, battle: Summary) -> Iterator[Block]:
    """The turning point and the losses turn by turn, with the kills beside them; in a battle of
    many turns below them."""
    turning = tuple(turning_blocks(play.state, turning_point_of(play), battle))
    lost = tuple(losses_by_turn(battle))
    kills_beside = for_both_sides(battle, kills)
    if len(battle.turns) > FEW_TURNS:
        yield from turning
        yield from lost
        yield kills_beside
    else:
        yield Beside((*turning, *lost), (*kills_beside.left, *kills_beside.right))
