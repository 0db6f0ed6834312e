"""The casualty strip of a page: the turns as a line, above and below it whom each side lost in
which turn, drawn as the signs of the paper. ``page/strip.css`` has its colours."""

from __future__ import annotations

from typing import NamedTuple

from markupsafe import Markup
from msgspec.structs import replace

from skirmish.tabletop.typed import plain
from skirmish.tabletop.wall import Half, WallBoard, WallKill
from skirmish.web.page_html import EMPTY, joined


class StripFrame(NamedTuple):
    """The fewest turns that are drawn, and the most: of a longer battle the last ones. ``room`` is
    the width of all turns in units of the drawing, in which a letter is 31 high."""

    fewest: int
    most: int
    room: float


_LEFT, _AXIS, _TALL = 150.0, 112.0, 216.0
"""Where the turns begin, the middle of their line, the height of it all."""
_LONG_NAME, _NAME_ROOM = 10, 138.0
"""A name of more letters is drawn together into so much room."""
_ROWS = (4, 3)
"""Kills above one another, of the first side and of the second."""
_PITCH = 27.0
"""From a kill to the one above it."""
_ABREAST = 34.0
"""The width of a kill."""


def side_classes(board: WallBoard, half: Half) -> str:
    """The classes of a side: its colour, and its shape besides."""
    side = board.sides[half]
    colour = side.nation or ("first", "second")[half]
    shape = "solid" if side.solid else "hollow"
    return f"{colour} {shape}"


def strip_svg(board: WallBoard, frame: StripFrame) -> Markup:
    """The losses of both sides as a drawing."""
    turns = _turns_shown(board, frame)
    cell = frame.room / len(turns)
    parts = []
    for column, turn in enumerate(turns):
        parts.append(_column(board, turn, _LEFT + column * cell, cell))
    names = joined(_strip_name(board, half) for half in (0, 1))
    turning = _turning(board, turns, cell)
    spoken = "Losses by turn: " + ", ".join(
        f"{side.people} {side.lost} of {side.strength}" for side in board.sides
    )
    return Markup(
        '<svg class="losses" viewBox="0 0 {:g} {:g}" role="img" aria-label="{}">{}{}'
        '<text class="head" x="0" y="{:g}">TURN</text>{}</svg>'
    ).format(_LEFT + frame.room, _TALL, plain(spoken), joined(parts), names, _AXIS + 11, turning)


def _turns_shown(board: WallBoard, frame: StripFrame) -> range:
    """All turns up to the last by the clock, if there is room; else the last ones played."""
    strip = board.strip
    played = len(strip.kills[0])
    last = max(strip.last, played, frame.fewest)
    first = max(1, min(last, max(played, frame.most)) - frame.most + 1)
    return range(first, min(last, first + frame.most - 1) + 1)


def _strip_name(board: WallBoard, half: Half) -> Markup:
    side = board.sides[half]
    y = _AXIS + 60
    if half == 0:
        y = _AXIS - 62
    people = plain(side.people).upper()
    fitted = EMPTY
    if len(people) > _LONG_NAME:
        fitted = Markup(' textLength="{:g}" lengthAdjust="spacingAndGlyphs"').format(_NAME_ROOM)
    return Markup(
        '<text class="who {}" x="0" y="{:g}"{}>{}</text>'
        '<text class="lost" x="0" y="{:g}">lost {}</text>'
    ).format(side_classes(board, half), y, fitted, people, y + 29, side.lost)


def _column(board: WallBoard, turn: int, left: float, cell: float) -> Markup:
    # Once the battle is over, its last turn is over too.
    present = board.turn
    if board.mover is None:
        present = board.turn + 1
    kind = "next"
    behind = EMPTY
    if turn < present:
        kind = "past"
    elif turn == present:
        kind = "now"
        behind = Markup(
            '<rect class="tint" x="{:.1f}" y="0" width="{:.1f}" height="{:g}"/>'
        ).format(left, cell, _TALL)
    number = Markup(
        '<rect class="{}" x="{:.1f}" y="{:g}" width="{:.1f}" height="42"/>'
        '<text class="turn {}" x="{:.1f}" y="{:g}">{}</text>'
    ).format(kind, left + 1, _AXIS - 21, cell - 2, kind, left + cell / 2, _AXIS + 11, turn)
    kills = joined(_stack(board, half, turn, left + cell / 2, cell) for half in (0, 1))
    return behind + number + kills


def _stack(board: WallBoard, half: Half, turn: int, middle: float, cell: float) -> Markup:
    """The kills of a turn, from the line of turns outward; where they are too many, those alike
    share a symbol."""
    by_turn = board.strip.kills[half]
    if turn > len(by_turn):
        return EMPTY
    abreast = 1
    if cell >= 2 * _ABREAST:
        abreast = 2
    room = _ROWS[half] * abreast
    kills = [*by_turn[turn - 1]]
    if sum(kill.count for kill in kills) <= room:
        kills = [replace(kill, count=1) for kill in kills for _ in range(kill.count)]
    drawn = []
    outward = -1 if half == 0 else 1
    for place, kill in enumerate(kills[:room]):
        row, column = divmod(place, abreast)
        alone = abreast == 1 or (place == len(kills) - 1 and column == 0)
        x = middle
        if not alone:
            x += (column - 0.5) * _ABREAST
        y = _AXIS + outward * (39 + row * _PITCH)
        drawn.append(_kill(board, half, kill, x, y))
    return joined(drawn)


def _kill(board: WallBoard, half: Half, kill: WallKill, x: float, y: float) -> Markup:
    frames = {
        "box": '<rect x="-16" y="-11" width="32" height="22"/>',
        "oval": '<rect x="-16" y="-11" width="32" height="22" rx="10"/>',
        "pillbox": '<path d="M-13-11H7L14 0L7 11H-13Z"/>',
    }
    number = EMPTY
    lines = EMPTY
    if kill.count > 1:
        number = Markup('<text y="9">{}</text>').format(f"×{kill.count}")
    else:
        lines = Markup('<path class="sign" d="{}"/>').format(_sign(kill.lines))
    return Markup(
        '<g class="kill {}" transform="translate({:.1f} {:.1f}) scale(.92)">{}{}{}</g>'
    ).format(side_classes(board, half), x, y, Markup(frames[kill.frame]), lines, number)


def _sign(lines: str) -> str:
    """The polylines of a unit in a frame of 32 by 22; y grows downward here."""
    path = ""
    for polyline in filter(None, lines.split("/")):
        # x and y by turns, from -10 to 10.
        numbers = [int(number) for number in polyline.split()]
        corners = []
        for x, y in zip(numbers[::2], numbers[1::2], strict=True):
            corners.append(f"{x * 1.6:.1f} {-y * 1.1:.1f}")
        path += "M" + "L".join(corners)
    return path


def _turning(board: WallBoard, turns: range, cell: float) -> Markup:
    """A line where the turn begins that decided the battle."""
    strip = board.strip
    if strip.turning not in turns:
        return EMPTY
    x = _LEFT + (strip.turning - turns[0]) * cell
    return Markup('<path class="turning" d="M{0:.1f} 4V{1:g}"/>').format(x, _TALL - 4)
