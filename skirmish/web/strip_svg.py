"""The casualty strip of a page: the turns as a line, above and below it whom each side lost in
which turn, drawn as the signs of the paper. ``page/strip.css`` has its colours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup
from msgspec.structs import replace

from skirmish.tabletop.typed import plain
from skirmish.tabletop.wall import Half, WallBoard, WallKill
from skirmish.web.page_html import EMPTY, joined


class StripFrame(NamedTuple):
    """The measures of a strip, in units of the drawing."""

    fewest_turns: int
    """The fewest turns that are drawn; a shorter battle has empty ones at its end."""
    most_turns: int
    """The most turns that are drawn: of a longer battle the last ones."""
    turns_width: float
    """The width of all turns together."""
    names_width: float
    """The width of the sides' names, which stand before the turns."""
    letter_size: float
    """The size of names and numbers, which the style sheet of the page knows too."""

    @property
    def turn_height(self) -> float:
        """The height of the line of turns."""
        return self.letter_size + _ABOUT_TURNS

    @property
    def to_first_kill(self) -> float:
        """The distance from the middle of the line of turns to the middle of the kills next to
        it."""
        return self.turn_height / 2 + _TO_FIRST_KILL

    @property
    def half_height(self) -> float:
        """The distance from the middle of the line of turns to the edge of the drawing."""
        return self.to_first_kill + (_KILL_ROWS - 1) * _KILL_PITCH + _BEYOND_KILLS

    @property
    def base_line(self) -> float:
        """Where the letters of the turns stand, counted from above, so that they are in the middle
        of their line: a capital is 0.7 of its size high."""
        return self.half_height + 0.35 * self.letter_size


class StripColumn(NamedTuple):
    """The place of a turn in the drawing."""

    turn: int
    left: float
    width: float

    @property
    def middle(self) -> float:
        return self.left + self.width / 2


_LONG_NAME = 10
"""A name of more letters is drawn together into the room before the turns."""
_KILL_ROWS = 3
"""The most kills above one another."""
_ABOUT_TURNS = 11
"""Units of the drawing by which the line of turns is higher than its letters. This and the next
three were chosen by eye; each stands alone."""
_TO_FIRST_KILL = 18
"""From the line of turns to the middle of the kills next to it."""
_BEYOND_KILLS = 14
"""From the middle of the outermost kills to the edge of the drawing."""
_BESIDE_NAME = 12
"""The space below the name of the first side, and at the right of either name."""
_KILL_PITCH = 27.0
"""The distance from the middle of a kill to that of the kill above it."""
_KILL_WIDTH = 34.0
"""The width of a kill, with the space beside it."""


def side_classes(board: WallBoard, half: Half) -> str:
    """The classes of a side: its colour, and its shape besides."""
    side = board.sides[half]
    # A side without a nation has the colour of the first or the second side.
    colour = side.nation or ("first", "second")[half]
    shape = "hollow"
    if side.solid:
        shape = "solid"
    return f"{colour} {shape}"


def strip_svg(board: WallBoard, frame: StripFrame) -> Markup:
    """The losses of both sides as a drawing."""
    columns = _columns(_turns_shown(board, frame), frame)
    drawn_columns = joined(_drawn_column(board, frame, column) for column in columns)
    names = joined(_strip_name(board, half, frame) for half in (0, 1))
    turning_line = _turning_line(board, frame, columns)
    spoken = "Losses by turn: " + ", ".join(
        f"{side.people} {side.lost} of {side.strength}" for side in board.sides
    )
    return Markup(
        '<svg class="losses" viewBox="0 0 {:g} {:g}" role="img" aria-label="{}">{}{}'
        '<text class="head" x="0" y="{:g}">TURN</text>{}</svg>'
    ).format(
        frame.names_width + frame.turns_width,
        2 * frame.half_height,
        plain(spoken),
        drawn_columns,
        names,
        frame.base_line,
        turning_line,
    )


def _turns_shown(board: WallBoard, frame: StripFrame) -> range:
    """All turns of the battle, if there is room for them; else as many as there is room for, up to
    the last one played."""
    played = len(board.strip.kills[0])
    last = max(board.strip.last, played, frame.fewest_turns)
    if last <= frame.most_turns:
        return range(1, last + 1)
    # At the beginning of a long battle, turns that are still to come fill the room.
    last_shown = max(played, frame.most_turns)
    first_shown = last_shown - frame.most_turns + 1
    return range(first_shown, last_shown + 1)


def _columns(turns: range, frame: StripFrame) -> list[StripColumn]:
    """The places of these turns, side by side."""
    width = frame.turns_width / len(turns)
    columns = []
    for number, turn in enumerate(turns):
        columns.append(StripColumn(turn, frame.names_width + number * width, width))
    return columns


def _strip_name(board: WallBoard, half: Half, frame: StripFrame) -> Markup:
    """The name of a side and, in a line below it, how much it has lost: for the first side above
    the line of turns, for the second below it."""
    side = board.sides[half]
    # The line of losses is in smaller letters and stands a little closer.
    to_next_line = frame.letter_size - 2
    if half == 0:
        y = frame.half_height - frame.turn_height / 2 - _BESIDE_NAME - to_next_line
    else:
        # From the edge of the turns down to where the letters stand: not quite their size.
        y = frame.half_height + frame.turn_height / 2 + 0.9 * frame.letter_size
    people = plain(side.people).upper()
    fitted = EMPTY
    if len(people) > _LONG_NAME:
        fitted = Markup(' textLength="{:g}" lengthAdjust="spacingAndGlyphs"').format(
            frame.names_width - _BESIDE_NAME
        )
    return Markup(
        '<text class="who {}" x="0" y="{:g}"{}>{}</text>'
        '<text class="lost" x="0" y="{:g}">lost {}</text>'
    ).format(side_classes(board, half), y, fitted, people, y + to_next_line, side.lost)


def _drawn_column(board: WallBoard, frame: StripFrame, column: StripColumn) -> Markup:
    """A turn: its box with its number, and the kills of both sides. The present turn is tinted from
    edge to edge."""
    # Once the battle is over, its last turn is over too.
    present = board.turn
    if board.mover is None:
        present = board.turn + 1
    time_class = "next"
    tint = EMPTY
    if column.turn < present:
        time_class = "past"
    elif column.turn == present:
        time_class = "now"
        tint = Markup('<rect class="tint" x="{:.1f}" y="0" width="{:.1f}" height="{:g}"/>').format(
            column.left, column.width, 2 * frame.half_height
        )
    box = Markup(
        '<rect class="{time_class}" x="{left:.1f}" y="{top:g}" width="{width:.1f}" '
        'height="{height:g}"/>'
    ).format(
        time_class=time_class,
        left=column.left + 1,
        top=frame.half_height - frame.turn_height / 2,
        width=column.width - 2,
        height=frame.turn_height,
    )
    number = Markup(
        '<text class="turn {time_class}" x="{middle:.1f}" y="{base_line:g}">{turn}</text>'
    ).format(
        time_class=time_class,
        middle=column.middle,
        base_line=frame.base_line,
        turn=column.turn,
    )
    kills = joined(_kills_of_turn(board, half, frame, column) for half in (0, 1))
    return tint + box + number + kills


def _kills_of_turn(board: WallBoard, half: Half, frame: StripFrame, column: StripColumn) -> Markup:
    """The kills of a side in a turn, in rows from the line of turns outward. A wide column has two
    of them in a row; the last one, if it is alone in its row, stands in the middle."""
    by_turn = board.strip.kills[half]
    if column.turn > len(by_turn):
        return EMPTY
    in_a_row = 1
    if column.width >= 2 * _KILL_WIDTH:
        in_a_row = 2
    most_signs = _KILL_ROWS * in_a_row
    kills = _kills_as_signs(by_turn[column.turn - 1], most_signs)
    outward = 1  # downward, below the turns
    if half == 0:
        outward = -1
    signs = []
    for number, kill in enumerate(kills):
        row, place_in_row = divmod(number, in_a_row)
        in_this_row = min(in_a_row, len(kills) - row * in_a_row)
        from_middle = place_in_row - (in_this_row - 1) / 2
        x = column.middle + from_middle * _KILL_WIDTH
        y = frame.half_height + outward * (frame.to_first_kill + row * _KILL_PITCH)
        signs.append(_kill_sign(board, half, kill, x, y))
    return joined(signs)


def _kills_as_signs(kills: Sequence[WallKill], most_signs: int) -> Sequence[WallKill]:
    """The kills, one for each sign that is drawn: a sign for each loss, or, where these are too
    many, for each kind of unit with its number. Of more kinds than there is room for, the last are
    left out."""
    if sum(kill.count for kill in kills) > most_signs:
        return kills[:most_signs]
    signs = []
    for kill in kills:
        signs += [replace(kill, count=1)] * kill.count
    return signs


def _kill_sign(board: WallBoard, half: Half, kill: WallKill, x: float, y: float) -> Markup:
    """The sign of a unit with its middle at ``x`` and ``y``; of several units, their number in its
    frame."""
    frames = {
        "box": '<rect x="-16" y="-11" width="32" height="22"/>',
        "oval": '<rect x="-16" y="-11" width="32" height="22" rx="10"/>',
        "pillbox": '<path d="M-13-11H7L14 0L7 11H-13Z"/>',
    }
    if kill.count > 1:
        inside = Markup('<text y="9">{}</text>').format(f"×{kill.count}")
    else:
        inside = Markup('<path class="sign" d="{}"/>').format(_sign_path(kill.lines))
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


def _sign_path(lines: str) -> str:
    """The polylines of a unit as a path of SVG in a frame of 32 by 22; y grows downward here."""
    path = ""
    for polyline in filter(None, lines.split("/")):
        # x and y by turns, from -10 to 10.
        numbers = [int(number) for number in polyline.split()]
        corners = []
        for x, y in zip(numbers[::2], numbers[1::2], strict=True):
            corners.append(f"{x * 1.6:.1f} {-y * 1.1:.1f}")
        path += "M" + "L".join(corners)
    return path


def _turning_line(board: WallBoard, frame: StripFrame, columns: Sequence[StripColumn]) -> Markup:
    """A line where the turn begins that decided the battle."""
    for column in columns:
        if column.turn == board.strip.turning:
            return Markup('<path class="turning" d="M{0:.1f} 4V{1:g}"/>').format(
                column.left, 2 * frame.half_height - 4
            )
    return EMPTY
