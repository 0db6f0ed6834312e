"""The ledgers: divisions with their points, chits and the mug, for the board and for paper."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from skirmish.games.gts.state import GtsState
from skirmish.tabletop.companion.roster import BLANK_NAME, boxes
from skirmish.tabletop.game import Viewer
from skirmish.tabletop.page import Beside, Block, Heading, Page, Table, table

LEDGER_TITLES = ("Division", "Side", "CP", "DP", "Command", "Dispatch")
NUMBER_COLUMNS = (2, 3, 4, 5)
"""The indexes of the columns of a ledger that hold numbers."""
PAPER_DIVISIONS, PAPER_CHITS, PAPER_REINFORCEMENTS = 6, 12, 12
"""The lines for each on the sheet. With those for units they fill a page of A4."""


def ledger_table(state: GtsState) -> Iterator[Block]:
    """The divisions with their points and ratings; nothing as long as none is entered."""
    rows = _ledger_rows(state)
    if rows:
        yield table(LEDGER_TITLES, rows, numbers=NUMBER_COLUMNS)


def _ledger_rows(state: GtsState) -> list[tuple[str, ...]]:
    """A row for each division, with the columns of ``LEDGER_TITLES``."""
    rows: list[tuple[str, ...]] = []
    for name, division in state.divisions.items():
        row = (
            name,
            state.setup.sides.get(division.side, division.side),
            str(state.points("cp", name)),
            str(state.points("dp", name)),
            str(division.command),
            str(division.dispatch),
        )
        rows.append(row)
    return rows


def mug_facts(state: GtsState, viewer: Viewer) -> Iterator[tuple[str, str]]:
    """The chit in play, the mug, and what is bought or set aside; ``viewer`` sees only his own
    chits by name."""
    yield "Chit", state.chit or "none in play"
    if state.mug_is_filled:
        yield "In the mug", f"{state.mug.inside} of {state.mug.inside + len(state.mug.drawn)}"
    if state.left_over:
        yield "Left over", "one, face down"
    if state.bought:
        yield "Bought for this turn", ", ".join(state.bought)
    for side, name in state.setup.sides.items():
        chits_aside = _chits_aside(state, side)
        # Which chits a side has set aside is its own secret (D.II).
        if chits_aside and viewer == side:
            yield f"Set aside, {name}", ", ".join(chits_aside)
        elif chits_aside:
            yield f"Set aside, {name}", f"{len(chits_aside)}, hidden"


def _chits_aside(state: GtsState, side: str) -> list[str]:
    """The names of the chits that a side has set aside, in this turn and in the one before."""
    names = []
    for chit in (*state.chits_aside, *state.chits_aside_before):
        if chit.side == side:
            names.append(chit.name)
    return names


# ------------------------------------------------------------------ paper


def ledger_sheet(title: str, state: GtsState, roster: Iterable[Block]) -> Page:
    """A sheet with divisions, chits and the ``roster`` of units as they are, and with empty lines
    for more."""
    # The columns of numbers are written by hand here, so they are aligned like all others.
    divisions = _filled_up(LEDGER_TITLES, _ledger_rows(state), PAPER_DIVISIONS)
    chit_rows = []
    for name, chit in state.chits.items():
        chit_rows.append((name, state.rules.kinds[chit.kind].name, chit.division))
    chits = _filled_up(("Chit", "Kind", "Division"), chit_rows, PAPER_CHITS)
    reinforcement_rows = [(BLANK_NAME, "", "", boxes(1)) for _ in range(PAPER_REINFORCEMENTS)]
    titles = ("Reinforcement", "Turn", "Holding box or entry hex", "Here")
    reinforcements = table(titles, reinforcement_rows, written=True)
    blocks = (
        Heading("Divisions"),
        divisions,
        Beside((Heading("Chits"), chits), (Heading("Reinforcements"), reinforcements)),
        *roster,
    )
    return Page(title, blocks)


def _filled_up(titles: tuple[str, ...], rows: Iterable[tuple[str, ...]], line_count: int) -> Table:
    """A table to write in: these rows, and empty ones until there are so many lines."""
    lines = list(rows)
    # Only the first column is wide: it is for a name.
    empty_line = (BLANK_NAME, *[""] * (len(titles) - 1))
    while len(lines) < line_count:
        lines.append(empty_line)
    return table(titles, lines, written=True)
