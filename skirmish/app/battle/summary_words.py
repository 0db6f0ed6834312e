"""The summary of a battle in words, tables and bars. Names that people gave are plain content."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from rich.cells import cell_len
from textual.content import Content

from skirmish.app.fitting import shortened
from skirmish.games.plastic.odds.rounding import nearest
from skirmish.games.plastic.summary import Kills, SideSummary, Summary, UnitLoss
from skirmish.tabletop.typed import plain

NAME = 20
"""Columns of the first column of a table."""
CELL = 10
BEST = 5
"""Single shooters that are named."""
NARROWEST_BAR = 8
SHORTEST = 6
"""Cells of a side's name that stay beside its commander's."""
COLOURS = ("$primary", "$accent")
"""The bars of the side that moves first, and of the other."""
Row = tuple[str, Sequence[str]]


def parts(found: Summary, width: int, breaks: bool) -> Iterator[Content]:
    """Everything in the order in which it is read, for a screen so wide; ``breaks`` as above."""
    yield result(found)
    yield standing(found, breaks)
    for side in found.sides:
        yield losses(side)
    yield chart(found, width)
    for side in found.sides:
        yield kills(side)
    yield chain(found)


def result(found: Summary) -> Content:
    """Who won and why; before the end, that it goes on."""
    if not found.over:
        return Content.assemble(
            ("SO FAR", "bold $accent"), f"  turn {found.turn}; the battle goes on."
        )
    if found.winner is None:
        head = Content.styled("A DRAW", "bold $accent")
    else:
        winner = next(side for side in found.sides if side.side == found.winner)
        head = Content(f"{_name(winner, 50).upper()} WIN").stylize("bold $accent")
        if winner.player:
            player = shortened(plain(winner.player), 40)
            head = Content.assemble(head, f", commanded by {player},")
    why = plain(found.reason)
    after = Content(f"\n{why}") if why else Content("")
    return Content.assemble(head, f"  in turn {found.turn}", after)


def standing(found: Summary, breaks: bool) -> Content:
    """Both sides beside each other: strength lost, shots, what left the table. ``breaks``: the
    break point counts in this battle."""
    one, other = found.sides
    rows: list[Row] = [
        ("Strength lost", [f"{side.loss} of {side.strength}" for side in found.sides]),
        ("Points lost", [str(side.points) for side in found.sides]),
        ("Shots, hits", [_shots(side) for side in found.sides]),
    ]
    if breaks:
        rows.insert(1, ("Broken at", [str(side.break_at) for side in found.sides]))
    if one.broke or other.broke:
        rows.append(("Weapons broken", [str(side.broke) for side in found.sides]))
    if one.exited or other.exited:
        rows.append(("Left the table", [_exits(side) for side in found.sides]))
    return _table("BOTH SIDES", [_commander(side, 22) for side in found.sides], rows, cell=24)


def losses(side: SideSummary) -> Content:
    """What a side lost, by type; what was written off by hand stands in a column of its own."""
    columns = ["lost", "strength", "points"]
    shown = [row for row in side.losses if row.lost or row.exited or row.waiting]
    by_hand = any(row.by_hand for row in shown)
    left = any(row.exited for row in shown)
    to_come = any(row.waiting for row in shown)
    columns += ["by hand"] * by_hand + ["exited"] * left + ["to come"] * to_come

    def cells(row: UnitLoss) -> list[str]:
        return [
            f"{row.lost} of {row.total}",
            _number(row.pdg),
            _number(row.points),
            *[_number(row.by_hand)] * by_hand,
            *[_number(row.exited)] * left,
            *[_number(row.waiting)] * to_come,
        ]

    title = f"{_name(side, 40).upper()} LOST"
    if not shown:
        return Content.assemble(_title(title), "\n  nobody")
    return _table(title, columns, [(row.name, cells(row)) for row in shown])


def kills(side: SideSummary) -> Content:
    """What a side's fire did, by type of shooter, by weapon, and the best single shooters."""
    title = f"{_name(side, 40).upper()} KILLED"
    if not side.by_unit:
        return Content.assemble(_title(title), "\n  nobody: no shots fired")
    columns = ["shots", "hits", "guys", "models", "strength", "points"]
    parts = [_table(title, columns, _kill_rows(side.by_unit), cell=9)]
    by_weapon = _kill_rows(side.by_weapon)
    parts.append(_table("  with:", columns, by_weapon, cell=9, quiet=True))
    if side.by_piece:
        best = _kill_rows(side.by_piece[:BEST])
        parts.append(_table("  best shooters:", columns, best, cell=9, quiet=True))
    return Content("\n").join(parts)


def chain(found: Summary) -> Content:
    """The longest run of repeat fire."""
    title = _title("LONGEST REPEAT FIRE")
    if found.chain is None:
        return Content.assemble(title, "\n  nobody hit twice in a row")
    side = next(side for side in found.sides if side.side == found.chain.side)
    return Content.assemble(
        title,
        f"\n  {found.chain.hits} hits in a row in turn {found.chain.turn}: {found.chain.name}, "
        f"{_name(side, 30)}",
    )


def chart(found: Summary, width: int) -> Content:
    """Strength lost in each turn: the first side's bars grow to the left of the turn's number, the
    other's to the right. ``width`` is what there is room for, in columns."""
    sides = [side.side for side in found.sides]
    most = max((loss for turn in found.turns for loss in turn.pdg.values()), default=0)
    title = _title("STRENGTH LOST, TURN BY TURN")
    if not most:
        return Content.assemble(title, "\n  nothing yet")
    bar = max(NARROWEST_BAR, (width - 14) // 2)
    each = -(-most // bar)
    left = f"{_name(found.sides[0], bar)[:bar]:>{bar + 4}}"
    lines = [
        Content.assemble(title, (f"   █ is {each}" if each > 1 else "", "$foreground 65%")),
        Content.assemble((left, COLOURS[0]), "      ", (_name(found.sides[1], bar), COLOURS[1])),
    ]
    for turn in found.turns:
        one, other = (turn.pdg.get(side, 0) for side in sides)
        lines.append(
            Content.assemble(
                (f"{_number(one):>3} ", ""),
                (f"{_bar(one, each, '▐'):>{bar}}", COLOURS[0]),
                (f" {turn.turn:^4} ", "bold"),
                (_bar(other, each, "▌"), COLOURS[1]),
                (f" {_number(other)}" if other else " ·", ""),
            )
        )
    return Content("\n").join(lines)


# ------------------------------------------------------------------ small parts


def _bar(loss: int, each: int, half: str) -> str:
    """Blocks for a loss, half of one where it does not fill the last."""
    halves = -(-2 * loss // each)
    blocks, more = "█" * (halves // 2), half * (halves % 2)
    return more + blocks if half == "▐" else blocks + more


def _kill_rows(kills: Sequence[Kills]) -> list[Row]:
    numbers = [(k.name, (k.shots, k.hits, k.guys, k.models, k.pdg, k.points)) for k in kills]
    return [(name, [_number(number) for number in row]) for name, row in numbers]


def _table(
    title: str, columns: Sequence[str], rows: Sequence[Row], cell: int = CELL, quiet: bool = False
) -> Content:
    """A title with the names of its columns, then a line each."""
    heads = "".join(f"{column:>{cell}}" for column in columns)
    if quiet:
        lines = [Content.styled(title, "$foreground 65%")]
    else:
        head = Content(title).truncate(NAME + cell // 2, ellipsis=True)
        lines = [_title(title)] if len(title) > NAME else []
        first = Content("" if lines else head.plain).truncate(NAME, pad=True)
        lines.append(Content.assemble(first.stylize("bold $primary"), (heads, "$foreground 65%")))
    for name, cells in rows:
        label = Content(f"{'    ' if quiet else '  '}{name}").truncate(
            NAME, ellipsis=True, pad=True
        )
        lines.append(Content.assemble(label, "".join(f"{one:>{cell}}" for one in cells)))
    return Content("\n").join(lines)


def _title(words: str) -> Content:
    return Content(words).stylize("bold $primary")


def _name(side: SideSummary, most: int) -> str:
    return shortened(plain(side.people), most)


def _commander(side: SideSummary, most: int) -> str:
    """``Poles (Anna)``: who commands them, if that was said and there is room."""
    player = plain(side.player)
    room = most - cell_len(player) - 3
    if not player or room < SHORTEST:
        return _name(side, most)
    return f"{_name(side, room)} ({player})"


def _number(number: int) -> str:
    return str(number) if number else "·"


def _shots(side: SideSummary) -> str:
    share = f" ({nearest(Fraction(100 * side.hits, side.shots))}%)" if side.shots else ""
    return f"{side.shots}, {side.hits}{share}"


def _exits(side: SideSummary) -> str:
    counted = f", counting {side.exit_value}" if side.exit_value else ""
    return f"{side.exited}{counted}"
