"""The casualty strip of a page: a row of turns, with the losses of the first side in each turn
above it and those of the second below. A loss has the same sign as on paper. ``page/strip.css`` has
the colours. Begin with ``strip_svg``; ``StripFrame`` has the measures of a strip. A ``half`` is the
place of a side: 0 for the first, 1 for the second."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from markupsafe import Markup
from msgspec.structs import replace

from skirmish.tabletop.typed import plain
from skirmish.tabletop.wall import Frame, Half, WallBoard, WallKill
from skirmish.web.page_html import EMPTY, joined


class StripFrame(NamedTuple):
    """The measures of a strip, in units of the drawing."""

    fewest_turns: int
    """The fewest turns that are drawn; a shorter battle has empty ones at its end."""
    most_turns: int
    """The most turns that are drawn: of a longer battle these are the last ones played."""
    turns_width: float
    """The width of all turns together."""
    names_width: float
    """The width of the sides' names, which stand before the turns."""
    letter_size: float
    """The size of the letters of names and numbers, the same as in the style sheet of the page."""

    @property
    def turn_height(self) -> float:
        """The height of the row of turns."""
        return self.letter_size + _AROUND_LETTERS

    @property
    def to_first_kill(self) -> float:
        """The distance from the middle of the row of turns to the middle of the kills next to
        it."""
        return self.turn_height / 2 + _TURNS_TO_FIRST_KILL

    @property
    def half_height(self) -> float:
        """The distance from the middle of the row of turns to the upper or lower edge of the
        drawing, with room for all rows of kills."""
        to_last_kill = self.to_first_kill + (_KILL_ROWS - 1) * _KILL_PITCH
        return to_last_kill + _BEYOND_KILLS

    @property
    def base_line(self) -> float:
        """The base line of the letters in the row of turns, counted from the top of the drawing. It
        lies below the middle of the row by half the height of a capital."""
        return self.half_height + _CAPITAL_HEIGHT * self.letter_size / 2


class StripColumn(NamedTuple):
    """The place of a turn in the drawing: the ``left`` edge and the ``width`` of its column."""

    turn: int
    left: float
    width: float

    @property
    def middle(self) -> float:
        """The middle of the column, from the left of the drawing."""
        return self.left + self.width / 2


_LONGEST_FITTING_NAME = 10
"""The most letters of a name that fits before the turns; a longer one is compressed."""
_CAPITAL_HEIGHT = 0.7
"""The height of a capital as a part of the size of the letters."""
_KILL_ROWS = 3
"""The most kills above one another."""
# Distances in units of the drawing, all chosen by eye.
_AROUND_LETTERS = 11
"""How much higher the row of turns is than its letters."""
_TURNS_TO_FIRST_KILL = 18
"""From the edge of the row of turns to the middle of the kills next to it."""
_BEYOND_KILLS = 14
"""From the middle of the outermost kills to the edge of the drawing."""
_BESIDE_NAME = 12
"""The space to the right of the name of a side, and between the text of the first side and the
turns."""
_KILL_PITCH = 27.0
"""From the middle of a kill to the middle of the next one above or below it."""
_KILL_WIDTH = 34.0
"""The width of a kill, with the space beside it."""
_BESIDE_BOX = 1
"""The space on either side of the box of a turn."""
_BEYOND_LINE = 4
"""From the ends of the line of the turning point to the edges of the drawing."""
_BELOW_TURNS = 0.9
"""From the row of turns down to the base line of the second side's name, as a part of the size of
the letters: a little more than the height of a capital, so that the name does not touch the row."""


def side_classes(board: WallBoard, half: Half) -> str:
    """The style classes of a side: its colour, and whether its signs are solid or hollow, so that
    the sides do not differ by colour alone."""
    side = board.sides[half]
    # A side without a nation has a colour by its place in the order of play.
    colour = side.nation
    if not colour:
        colour = ("first", "second")[half]
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
    losses = [f"{side.people} {side.lost} of {side.strength}" for side in board.sides]
    spoken = f"Losses by turn: {', '.join(losses)}"
    return Markup(
        '<svg class="losses" viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{spoken}">'
        '{columns}{names}<text class="head" x="0" y="{base_line:g}">TURN</text>{turning_line}</svg>'
    ).format(
        width=frame.names_width + frame.turns_width,
        height=2 * frame.half_height,
        spoken=plain(spoken),
        columns=drawn_columns,
        names=names,
        base_line=frame.base_line,
        turning_line=turning_line,
    )


def _turns_shown(board: WallBoard, frame: StripFrame) -> range:
    """All turns of the battle if there is room for them; otherwise as many as there is room for, up
    to the last one played."""
    turns_played = len(board.strip.kills[0])
    # ``strip.last`` is 0 in a battle without a last turn.
    last_turn = max(board.strip.last, turns_played, frame.fewest_turns)
    if last_turn <= frame.most_turns:
        return range(1, last_turn + 1)
    # At the beginning of a long battle, turns that are still to come fill the room.
    last_shown = max(turns_played, frame.most_turns)
    first_shown = last_shown - frame.most_turns + 1
    return range(first_shown, last_shown + 1)


def _columns(turns: range, frame: StripFrame) -> list[StripColumn]:
    """The places of these turns, side by side."""
    width = frame.turns_width / len(turns)
    columns = []
    for index, turn in enumerate(turns):
        left = frame.names_width + index * width
        columns.append(StripColumn(turn, left, width))
    return columns


def _strip_name(board: WallBoard, half: Half, frame: StripFrame) -> Markup:
    """The name of a side and, in a line below it, how much it has lost: for the first side above
    the row of turns, for the second below it."""
    side = board.sides[half]
    # The second line has smaller letters, so it is a little closer than their full size.
    to_next_line = frame.letter_size - 2
    top_of_turns = frame.half_height - frame.turn_height / 2
    bottom_of_turns = frame.half_height + frame.turn_height / 2
    if half == 0:
        base_line = top_of_turns - _BESIDE_NAME - to_next_line
    else:
        base_line = bottom_of_turns + _BELOW_TURNS * frame.letter_size
    people = plain(side.people).upper()
    fitted = EMPTY
    if len(people) > _LONGEST_FITTING_NAME:
        fitted = Markup(' textLength="{:g}" lengthAdjust="spacingAndGlyphs"').format(
            frame.names_width - _BESIDE_NAME
        )
    return Markup(
        '<text class="who {classes}" x="0" y="{base_line:g}"{fitted}>{people}</text>'
        '<text class="lost" x="0" y="{next_base_line:g}">lost {lost}</text>'
    ).format(
        classes=side_classes(board, half),
        base_line=base_line,
        fitted=fitted,
        people=people,
        next_base_line=base_line + to_next_line,
        lost=side.lost,
    )


def _drawn_column(board: WallBoard, frame: StripFrame, column: StripColumn) -> Markup:
    """A turn: its box with its number, and the kills of both sides. The present turn is tinted from
    edge to edge."""
    time_class = _time_class(board, column.turn)
    tint = EMPTY
    if time_class == "now":
        tint = Markup('<rect class="tint" x="{:.1f}" y="0" width="{:.1f}" height="{:g}"/>').format(
            column.left, column.width, 2 * frame.half_height
        )
    box = Markup(
        '<rect class="{time_class}" x="{left:.1f}" y="{top:g}" width="{width:.1f}" '
        'height="{height:g}"/>'
    ).format(
        time_class=time_class,
        left=column.left + _BESIDE_BOX,
        top=frame.half_height - frame.turn_height / 2,
        width=column.width - 2 * _BESIDE_BOX,
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


def _time_class(board: WallBoard, turn: int) -> Literal["past", "now", "next"]:
    """The style class of a turn. Once the battle is over, its last turn is past too."""
    if turn < board.turn or (turn == board.turn and board.is_over):
        return "past"
    if turn == board.turn:
        return "now"
    return "next"


def _kills_of_turn(board: WallBoard, half: Half, frame: StripFrame, column: StripColumn) -> Markup:
    """The kills of a side in a turn, in rows from the row of turns outward. A wide column has two
    kills in a row; a kill that is alone in its row stands in the middle."""
    by_turn = board.strip.kills[half]
    if column.turn > len(by_turn):  # a turn that is still to come
        return EMPTY
    most_in_row = 1
    if column.width >= 2 * _KILL_WIDTH:
        most_in_row = 2
    most_signs = _KILL_ROWS * most_in_row
    kills = _kills_as_signs(by_turn[column.turn - 1], most_signs)
    # y grows downward: the kills of the first side go up from the turns, those of the second down.
    outward = 1
    if half == 0:
        outward = -1
    signs = []
    for number, kill in enumerate(kills):
        row, place_in_row = divmod(number, most_in_row)
        from_this_row_on = len(kills) - row * most_in_row
        in_this_row = min(most_in_row, from_this_row_on)
        # This is counted in kills: 0 for the only one of a row, -0.5 and 0.5 for two.
        from_middle = place_in_row - (in_this_row - 1) / 2
        x = column.middle + from_middle * _KILL_WIDTH
        y = frame.half_height + outward * (frame.to_first_kill + row * _KILL_PITCH)
        signs.append(_kill_sign(board, half, kill, x, y))
    return joined(signs)


def _kills_as_signs(kills: Sequence[WallKill], most_signs: int) -> Sequence[WallKill]:
    """The kills, one for each sign to draw. There is a sign for each unit lost, or, if these are
    more than ``most_signs``, a sign with a number for each kind of unit. If even the kinds are
    more, the last ones are left out."""
    if sum(kill.count for kill in kills) > most_signs:
        return kills[:most_signs]
    signs = []
    for kill in kills:
        for _ in range(kill.count):
            signs.append(replace(kill, count=1))
    return signs


_FRAMES: dict[Frame, Markup] = {
    "box": Markup('<rect x="-16" y="-11" width="32" height="22"/>'),
    "oval": Markup('<rect x="-16" y="-11" width="32" height="22" rx="10"/>'),
    "pillbox": Markup('<path d="M-13-11H7L14 0L7 11H-13Z"/>'),
}
"""The frames of units, 32 by 22, around the point 0, 0."""


def _kill_sign(board: WallBoard, half: Half, kill: WallKill, x: float, y: float) -> Markup:
    """A kill with its middle at ``x`` and ``y``: the frame of the unit, and in it its sign, or the
    number of several units. It is drawn around the point 0, 0 in the units of ``_FRAMES``, then
    made a little smaller and moved there."""
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
        frame=_FRAMES[kill.frame],
        inside=inside,
    )


def _sign_path(lines: str) -> str:
    """The sign of a unit as a path of SVG. ``lines`` has polylines, divided by ``/``, each with the
    numbers x and y of its corners in turn."""
    path = ""
    for polyline in lines.split("/"):
        if not polyline:  # a unit without a sign
            continue
        numbers = [int(number) for number in polyline.split()]
        all_x, all_y = numbers[::2], numbers[1::2]
        corners = []
        for x, y in zip(all_x, all_y, strict=True):
            # The edges of the frame are -10 and 10 in the notation. In SVG y grows downward.
            corners.append(f"{x * 1.6:.1f} {-y * 1.1:.1f}")
        path += "M" + "L".join(corners)
    return path


def _turning_line(board: WallBoard, frame: StripFrame, columns: Sequence[StripColumn]) -> Markup:
    """A line from top to bottom where the turn begins that decided the battle; nothing if that turn
    is not shown, or none decided it."""
    for column in columns:
        if column.turn == board.strip.turning:
            return Markup('<path class="turning" d="M{x:.1f} {top:g}V{bottom:g}"/>').format(
                x=column.left,
                top=_BEYOND_LINE,
                bottom=2 * frame.half_height - _BEYOND_LINE,
            )
    return EMPTY
