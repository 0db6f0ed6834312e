"""The blocks of a battle's report, each a head and what stands below it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.chronicle import standing_lines
from skirmish.games.plastic.highlights import Highlight, TurningPoint, costliest, turning_words
from skirmish.games.plastic.odds.rounding import nearest
from skirmish.games.plastic.summary import Kills, SideSummary, Summary
from skirmish.sheets.layout.blocks import Head
from skirmish.sheets.layout.charts import LossChart, Losses, Share, ShareChart
from skirmish.sheets.layout.flowables import Cell, Flowable, Gap, Panel, Row, Stack
from skirmish.sheets.layout.fonts import TITLE
from skirmish.sheets.layout.text import (
    ASIDE,
    COLUMN,
    COUNT,
    FIGURE,
    FORCE,
    LEAD,
    SMALL,
    STRONG,
    TERM,
    TEXT,
    UNIT,
    Style,
    Text,
    paragraph,
)
from skirmish.sheets.paper import ACCENT, HAIR, MM, NORMAL, SIDES, SideInk

GAME = "WWII Plastic Skirmish"
BEST = 3
"""Single shooters that are named."""
FITS_HEAD = 30
"""Letters of a name that a head surely has room for; a longer one is written out below it."""
_RESULT = Style(TITLE, 19, 22, ink=ACCENT)
_RIGHT = COLUMN._replace(align="right")
_WHEN = 38 * MM
Block = list[Flowable]


def result(found: Summary, play: BattlePlay) -> Flowable:
    """Who won and why, in a frame; before the end, how far each side is."""
    if not found.over:
        lines: Block = [paragraph(f"IN PROGRESS, TURN {found.turn}", _RESULT)]
        lines += [paragraph(line, LEAD) for line in standing_lines(play)]
    else:
        winner = next((side for side in found.sides if side.side == found.winner), None)
        head = f"WINNER: {winner.people.upper()}" if winner else "A DRAW"
        player = f"Commanded by {winner.player}. " if winner and winner.player else ""
        says = f"{player}{found.reason}".strip()
        lines = [paragraph(head, _RESULT), paragraph(f"In turn {found.turn}. {says}".strip(), LEAD)]
    aim = play.state.setup.victory
    lines += [Gap(1.4), paragraph(aim, ASIDE, lead="Victory.")]
    return Panel(Stack(lines))


def side_block(state: State, side: SideSummary, look: SideInk, width: float) -> Block:
    """One side: who led it, what it lost, type by type."""
    pieces: Block = [Head(side.people, ink=look.ink)]
    if side.name != side.people or len(side.name) > FITS_HEAD:
        pieces.append(paragraph(side.name, FORCE))
    pieces += [Gap(0.6 * MM), *_facts(state, side, width), Gap(1.4 * MM)]
    return [*pieces, *_losses(side, width)]


def _facts(state: State, side: SideSummary, width: float) -> Block:
    quality = state.quality_of(side.side)
    breaks = state.setup.side_by_id[side.side].breaks
    at = f", beaten at {side.break_at}" if breaks else ""
    share = f" ({nearest(Fraction(100 * side.hits, side.shots))}%)" if side.shots else ""
    facts = [("Commander", side.player)] if side.player else []
    facts += [
        ("Strength lost", f"{side.loss} of {side.strength}{at}"),
        ("Points lost", str(side.points)),
        ("Shots, hits", f"{side.shots}, {side.hits}{share}" if side.shots else "none fired"),
    ]
    if side.exited:
        value = f", counting {side.exit_value}" if side.exit_value else ""
        facts.append(("Exited", f"{side.exited}{value}"))
    if side.broke:
        facts.append(("Weapons broken", str(side.broke)))
    if quality:
        facts.append(("Force quality", quality.name))
    label = 27 * MM
    return [
        Row(
            [
                Cell(0, label, paragraph(name, TERM)),
                Cell(label, width - label, paragraph(says, UNIT)),
            ],
            above=0.8,
            below=1.0,
        )
        for name, says in facts
    ]


def _losses(side: SideSummary, width: float) -> Block:
    """A line for each type; columns that would hold only noughts are left out."""
    columns = [
        ("Had", [row.total for row in side.losses]),
        ("Lost", [row.lost for row in side.losses]),
        ("Off", [row.exited for row in side.losses]),
        ("To come", [row.waiting for row in side.losses]),
        ("Left", [row.left for row in side.losses]),
        ("Points lost", [row.points for row in side.losses]),
    ]
    columns = [one for one in columns if one[0] not in ("Off", "To come") or any(one[1])]
    wide = 15 * MM if len(columns) < 5 else 11.5 * MM
    name = width - wide * len(columns)

    def line(texts: Sequence[str], first: Style, others: Sequence[Style], weight: float) -> Row:
        cells = [Cell(0, name - MM, paragraph(texts[0], first))]
        for place, (text, style) in enumerate(zip(texts[1:], others, strict=True)):
            cells.append(Cell(name + place * wide, wide, paragraph(text, style)))
        return Row(cells, above=1, below=0.8, weight=weight)

    titles = [title for title, _ in columns]
    head = line(["Unit", *titles], COLUMN, [_RIGHT] * len(columns), NORMAL)
    head.keepWithNext = True
    styles = [COUNT if title == "Lost" else FIGURE for title in titles]
    rows: Block = [head]
    for place, loss in enumerate(side.losses):
        numbers = [str(column[place]) if column[place] else "–" for _, column in columns]
        row = line([loss.name, *numbers], UNIT, styles, HAIR)
        row.head = head
        rows.append(row)
    sums = [str(sum(column)) for _, column in columns]
    return [*rows, line(["All", *sums], STRONG, [COUNT] * len(columns), 0)]


def losses_by_turn(found: Summary, scale: float = 1) -> Block:
    """Bars for every turn; ``scale``: how much of their usual height they have."""
    one, other = (side.side for side in found.sides)
    turns = [Losses(turn.turn, turn.pdg[one], turn.pdg[other]) for turn in found.turns]
    head = Head("Strength lost, turn by turn")
    if not any(turn.first or turn.second for turn in turns):
        return [head, Gap(1 * MM), paragraph("Nothing was lost.", SMALL)]
    names = found.sides[0].people, found.sides[1].people
    pieces: Block = [head, Gap(1 * MM)]
    for chart in LossChart.rows(turns, names, scale):
        pieces += [chart, Gap(1 * MM)]
    return pieces[:-1]


def kills(found: Summary) -> tuple[Block, Block]:
    """What each side's weapons killed, longest bar first, and who of them killed most."""
    most = max((row.pdg for side in found.sides for row in side.by_weapon), default=0)
    one, other = (
        _kills(found, side, look, most) for side, look in zip(found.sides, SIDES, strict=True)
    )
    return one, other


def _kills(found: Summary, side: SideSummary, look: SideInk, most: int) -> Block:
    pieces: Block = [
        Head(f"Killed by {side.people}", "strength, by weapon", look.ink),
        Gap(0.6 * MM),
    ]
    shares = [Share(row.name, row.pdg, _toll(row)) for row in side.by_weapon]
    if not shares:
        return [*pieces, paragraph("No shots fired.", SMALL)]
    pieces.append(ShareChart(shares, look, most))
    if side.by_piece:
        best = ", ".join(f"{row.name} ({_dead(row)})" for row in side.by_piece[:BEST])
        pieces.append(paragraph(f"{best}.", SMALL, lead="Best:"))
    chain = found.chain
    if chain and chain.side == side.side:
        says = f"{chain.hits} hits in a row by {chain.name} in turn {chain.turn}."
        pieces.append(paragraph(says, SMALL, lead="Longest run:"))
    return pieces


def _toll(row: Kills) -> str:
    fire = f"{row.hits} of {row.shots} shots hit" if row.shots else ""
    return " · ".join(part for part in (_dead(row), fire) if part)


def _dead(row: Kills) -> str:
    counted = ((row.guys, "guy"), (row.models, "model"))
    return ", ".join(f"{n} {what}{'s' if n != 1 else ''}" for n, what in counted if n)


def turned(play: BattlePlay, found: Summary, point: TurningPoint | None) -> Block:
    """Since when one side was ahead, and which turn cost most."""
    told = list(_turned(play.state, point))
    if worst := costliest(found):
        turn, lost = worst
        each = ", ".join(f"{side.people} {lost[side.side]}" for side in found.sides)
        told.append(paragraph(f"turn {turn}. Strength lost: {each}.", TEXT, lead="Costliest turn:"))
    if not told:
        return []
    pieces: Block = [Head("Turning point"), Gap(0.8 * MM)]
    for words in told:
        pieces += [words, Gap(1)]
    return pieces[:-1]


def _turned(state: State, point: TurningPoint | None) -> Iterator[Text]:
    if point is not None:
        when, says = turning_words(state, point)
        yield paragraph(says, lead=when)
    elif state.outcome:
        yield paragraph("Neither side took a lasting lead.")


def moments(state: State, found: Sequence[Highlight], width: float) -> Block:
    """The moments worth keeping, in their order."""
    if not found:
        return []
    rows: Block = [Head("Highlights", "from the journal"), Gap(0.4 * MM)]
    for one in found:
        people = state.setup.side_by_id[one.side].people
        when, says = paragraph(f"Turn {one.turn}, {people} to move", TERM), paragraph(one.says)
        cells = [Cell(0, _WHEN - 2 * MM, when), Cell(_WHEN, width - _WHEN, says)]
        rows.append(Row(cells, above=1, below=1))
    return rows
