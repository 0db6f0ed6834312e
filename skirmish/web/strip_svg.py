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
    the width of all turns in units of the drawing, ``left`` that of the names before them;
    ``letter`` is the size of names and numbers, which the style sheet of the page knows too."""

    fewest: int
    most: int
    room: float
    left: float
    letter: float

    @property
    def turn_height(self) -> float:
        """The height of the line of turns."""
        return self.letter + 11

    @property
    def first_kill(self) -> float:
        """From the middle of that line to the middle of the kills next to it."""
        return self.turn_height / 2 + 18

    @property
    def half_height(self) -> float:
        """From the middle of that line to the edge of the drawing."""
        return self.first_kill + (_ROWS - 1) * _PITCH + 14


class StripColumn(NamedTuple):
    """The place of a turn: from ``left`` on, so ``wide``."""

    turn: int
    left: float
    wide: float

    @property
    def middle(self) -> float:
        return self.left + self.wide / 2


_LONG_NAME = 10
"""A name of more letters is drawn together into the room before the turns."""
_ROWS = 3
"""Kills above one another."""
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
    for nth, turn in enumerate(turns):
        column = StripColumn(turn, left=frame.left + nth * cell, wide=cell)
        parts.append(_column(board, frame, column))
    names = joined(_strip_name(board, half, frame) for half in (0, 1))
    turning = _turning(board, turns, frame, cell)
    spoken = "Losses by turn: " + ", ".join(
        f"{side.people} {side.lost} of {side.strength}" for side in board.sides
    )
    return Markup(
        '<svg class="losses" viewBox="0 0 {:g} {:g}" role="img" aria-label="{}">{}{}'
        '<text class="head" x="0" y="{:g}">TURN</text>{}</svg>'
    ).format(
        frame.left + frame.room,
        2 * frame.half_height,
        plain(spoken),
        joined(parts),
        names,
        frame.half_height + 0.35 * frame.letter,
        turning,
    )


def _turns_shown(board: WallBoard, frame: StripFrame) -> range:
    """All turns up to the last by the clock, if there is room; else the last ones played, or the
    first ones while fewer are played than there is room for."""
    played = len(board.strip.kills[0])
    last = max(board.strip.last, played, frame.fewest)
    if last <= frame.most:
        return range(1, last + 1)
    last_shown = max(played, frame.most)
    return range(last_shown - frame.most + 1, last_shown + 1)


def _strip_name(board: WallBoard, half: Half, frame: StripFrame) -> Markup:
    side = board.sides[half]
    line = frame.letter - 2
    y = frame.half_height + frame.turn_height / 2 + 0.9 * frame.letter
    if half == 0:
        y = frame.half_height - frame.turn_height / 2 - 12 - line
    people = plain(side.people).upper()
    fitted = EMPTY
    if len(people) > _LONG_NAME:
        fitted = Markup(' textLength="{:g}" lengthAdjust="spacingAndGlyphs"').format(
            frame.left - 12
        )
    return Markup(
        '<text class="who {}" x="0" y="{:g}"{}>{}</text>'
        '<text class="lost" x="0" y="{:g}">lost {}</text>'
    ).format(side_classes(board, half), y, fitted, people, y + line, side.lost)


def _column(board: WallBoard, frame: StripFrame, column: StripColumn) -> Markup:
    # Once the battle is over, its last turn is over too.
    present = board.turn
    if board.mover is None:
        present = board.turn + 1
    kind = "next"
    behind = EMPTY
    if column.turn < present:
        kind = "past"
    elif column.turn == present:
        kind = "now"
        behind = Markup(
            '<rect class="tint" x="{:.1f}" y="0" width="{:.1f}" height="{:g}"/>'
        ).format(column.left, column.wide, 2 * frame.half_height)
    box = Markup(
        '<rect class="{kind}" x="{left:.1f}" y="{top:g}" width="{width:.1f}" height="{height:g}"/>'
    ).format(
        kind=kind,
        left=column.left + 1,
        top=frame.half_height - frame.turn_height / 2,
        width=column.wide - 2,
        height=frame.turn_height,
    )
    number = Markup(
        '<text class="turn {kind}" x="{middle:.1f}" y="{base_line:g}">{turn}</text>'
    ).format(
        kind=kind,
        middle=column.middle,
        base_line=frame.half_height + 0.35 * frame.letter,
        turn=column.turn,
    )
    kills = joined(_stack(board, half, frame, column) for half in (0, 1))
    return behind + box + number + kills


def _stack(board: WallBoard, half: Half, frame: StripFrame, column: StripColumn) -> Markup:
    """The kills of a turn, from the line of turns outward; where they are too many, those alike
    share a symbol."""
    by_turn = board.strip.kills[half]
    if column.turn > len(by_turn):
        return EMPTY
    abreast = 1
    if column.wide >= 2 * _ABREAST:
        abreast = 2
    room = _ROWS * abreast
    kills = [*by_turn[column.turn - 1]]
    if sum(kill.count for kill in kills) <= room:
        kills = [replace(kill, count=1) for kill in kills for _ in range(kill.count)]
    drawn = []
    outward = -1 if half == 0 else 1
    for place, kill in enumerate(kills[:room]):
        row, beside = divmod(place, abreast)
        alone = abreast == 1 or (place == len(kills) - 1 and beside == 0)
        x = column.middle
        if not alone:
            x += (beside - 0.5) * _ABREAST
        y = frame.half_height + outward * (frame.first_kill + row * _PITCH)
        drawn.append(_kill(board, half, kill, x, y))
    return joined(drawn)


def _kill(board: WallBoard, half: Half, kill: WallKill, x: float, y: float) -> Markup:
    frames = {
        "box": '<rect x="-16" y="-11" width="32" height="22"/>',
        "oval": '<rect x="-16" y="-11" width="32" height="22" rx="10"/>',
        "pillbox": '<path d="M-13-11H7L14 0L7 11H-13Z"/>',
    }
    if kill.count > 1:
        inside = Markup('<text y="9">{}</text>').format(f"×{kill.count}")
    else:
        inside = Markup('<path class="sign" d="{}"/>').format(_sign(kill.lines))
    return Markup(
        '<g class="kill {classes}" transform="translate({x:.1f} {y:.1f}) scale(.92)">'
        "{frame}{inside}</g>"
    ).format(
        classes=side_classes(board, half),
        x=x,
        y=y,
        frame=Markup(frames[kill.frame]),
        inside=inside,
    )


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


def _turning(board: WallBoard, turns: range, frame: StripFrame, cell: float) -> Markup:
    """A line where the turn begins that decided the battle."""
    strip = board.strip
    if strip.turning not in turns:
        return EMPTY
    x = frame.left + (strip.turning - turns[0]) * cell
    return Markup('<path class="turning" d="M{0:.1f} 4V{1:g}"/>').format(
        x, 2 * frame.half_height - 4
    )
