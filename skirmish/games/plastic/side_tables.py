"""The tables of a battle report about the sides: what both have in common, what each has lost, what
each has killed, and the losses turn by turn. Strength is counted in potential dead guys
(``pdg``)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TypeAlias

from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.board import SideParty
from skirmish.games.plastic.odds.rounding import nearest
from skirmish.games.plastic.summary import Kills, SideSummary, Summary, UnitLoss
from skirmish.tabletop.page import (
    Beside,
    Block,
    Heading,
    Note,
    Pair,
    Pairs,
    Paragraph,
    Table,
    table,
    without_empty_columns,
)

SHOOTERS_IN_SUMMARY, SHOOTERS_IN_REPORT = 5, 3
"""How many of the best shooters of a side are named; a report has less room."""
LOSS_COLUMNS = (
    "Had", "Lost", "By hand", "Off", "To come", "Broke", "Left", "Strength lost", "Points lost",
)  # fmt: skip
"""The columns of losses after that of the unit."""
SELDOM_FILLED = ("By hand", "Off", "To come", "Broke")
"""The columns of losses that are left out where they are empty."""
KILL_COLUMNS = ("Shots", "Hits", "Guys", "Models", "Points", "Strength")
"""The columns of kills after that of the weapon, the unit or the piece."""
LONGEST_HEADING = 50
"""The most letters that a side's people and its army may have in one heading."""

SideBlocks: TypeAlias = Callable[[Summary, SideParty], Iterable[Block]]
"""A function that makes the blocks about one side: the first one (0) or the second (1)."""


def for_both_sides(battle: Summary, blocks_of: SideBlocks) -> Beside:
    """The blocks about the first side, and beside them those about the second."""
    return Beside(tuple(blocks_of(battle, 0)), tuple(blocks_of(battle, 1)))


def sides_compared(play: BattlePlay, battle: Summary) -> Iterator[Block]:
    """A table with a column for each side, without the lines that are empty for both."""
    columns = [_facts_of(play.state, side) for side in battle.sides]
    rows = []
    # The lines have the same names in both columns.
    for name in columns[0]:
        cells = [column[name] for column in columns]
        if any(cells):
            rows.append((name, *(cell or "–" for cell in cells)))
    titles = ("", *(side.people for side in battle.sides))
    yield table(titles, rows)


def _facts_of(state: State, side: SideSummary) -> dict[str, str]:
    """The cells about one side in the table of both, by the names of its lines; empty where there
    is nothing to show."""
    broken_at = weapons_broken = quality_name = ""
    # In a scenario the break point beats a side only if P58 says so.
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
    # Where exits do not count for victory, there is only the number of those who left.
    if not side.exit_value:
        return str(side.exited)
    return f"{side.exited}, counting {side.exit_value}"


def losses(battle: Summary, party: SideParty) -> Iterator[Block]:
    """The units of a side and what became of them."""
    side = battle.sides[party]
    # If one army is too long for a heading, neither stands there, so that both tables begin level.
    if all(_fits_head(either_side) for either_side in battle.sides):
        yield Heading(side.people, aside=_army(side), party=party)
    else:
        yield Heading(side.people, party=party)
        yield Paragraph(side.name, tone="strong")
    rows = []
    totals = [0] * len(LOSS_COLUMNS)
    for loss in side.losses:
        numbers = _loss_numbers(loss)
        rows.append((loss.name, *_cells(numbers)))
        for column, number in enumerate(numbers):
            totals[column] += number
    rows.append(("All", *_cells(totals)))
    columns = range(1, len(LOSS_COLUMNS) + 1)  # 0 is the unit
    full_table = table(("Unit", *LOSS_COLUMNS), rows, numbers=columns, totals=1, party=party)
    yield without_empty_columns(full_table, SELDOM_FILLED)
    if any(loss.broken for loss in side.losses):
        yield Note("Broke: the weapon broke down, and he fights on as a rifleman.")


def _loss_numbers(loss: UnitLoss) -> tuple[int, ...]:
    """The numbers of a unit, in the order of ``LOSS_COLUMNS``."""
    return (
        loss.total,
        loss.lost,
        loss.by_hand,
        loss.exited,
        loss.waiting,
        loss.broken,
        loss.left,
        loss.pdg,
        loss.points,
    )


def _army(side: SideSummary) -> str:
    """The name of an army; empty if it has the name of its people."""
    if side.name == side.people:
        return ""
    return side.name


def _fits_head(side: SideSummary) -> bool:
    """Whether a side and its army fit into one heading."""
    return len(side.people) + len(_army(side)) <= LONGEST_HEADING


def _cells(numbers: Iterable[int]) -> Iterator[str]:
    """Numbers as cells of a table, where a dash stands for 0."""
    for number in numbers:
        if number:
            yield str(number)
        else:
            yield "–"


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


def kills(battle: Summary, party: SideParty, *, in_summary: bool = False) -> Iterator[Block]:
    """What a side killed, by weapon and by its best shooters, as a report has it. With
    ``in_summary`` also by the unit that fired, and with more shooters."""
    side = battle.sides[party]
    yield Heading(f"Killed by {side.people}", party=party)
    if not side.by_weapon:
        yield Paragraph("No shots fired.")
        return
    if in_summary:
        best = side.by_piece[:SHOOTERS_IN_SUMMARY]
        tables = {"With": side.by_weapon, "By": side.by_unit, "Best": best}
    else:
        best = side.by_piece[:SHOOTERS_IN_REPORT]
        tables = {"By weapon": side.by_weapon, "Best shooters": best}
    full_bar = _full_bar(battle)
    for title, rows in tables.items():
        if rows:
            yield _kill_table(title, rows, party, full_bar)
    # The longest run of the battle is that of one side only.
    chain = battle.chain
    if chain is not None and chain.side == side.side:
        text = f"{chain.hits} hits in a row by {chain.name} in turn {chain.turn}."
        yield Paragraph(text, "Longest run:")


def _full_bar(battle: Summary) -> int:
    """The strength for which a bar has its full length. It is the same for both sides, or the bars
    of the weaker one would look as long as those of the stronger."""
    strongest = 0
    for side in battle.sides:
        for row in (*side.by_weapon, *side.by_unit):
            strongest = max(strongest, row.pdg)
    return strongest


def _kill_table(title: str, rows: Sequence[Kills], party: SideParty, full_bar: int) -> Table:
    """A table of kills, with a bar for the strength; ``full_bar``: as ``_full_bar`` returns it."""
    cells = [(row.name, *_cells(_kill_numbers(row))) for row in rows]
    columns = range(1, len(KILL_COLUMNS) + 1)  # 0 is the name
    strength_column = columns[-1]
    head = (title, *KILL_COLUMNS)
    return table(head, cells, numbers=columns, bar=strength_column, full=full_bar, party=party)


def _kill_numbers(row: Kills) -> tuple[int, ...]:
    """The numbers of a row, in the order of ``KILL_COLUMNS``."""
    return row.shots, row.hits, row.guys, row.models, row.points, row.pdg
