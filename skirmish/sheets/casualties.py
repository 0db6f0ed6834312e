"""The casualty strip: a battle as a drawing. Each loss is a unit symbol at its turn, those of the
first mover above the line of turns, those of the other side below it. Under the strip is a chart of
the strength that both sides had left.

Begin with ``strip_of``. A battle that is too long for the width of the paper takes several bands
below one another. Numbers without a name are points, chosen by eye."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from skirmish.games.plastic.casualties import Casualty, CasualtyStrip, Passage, SideCourse
from skirmish.games.plastic.rules.catalog import Catalog, UnitType
from skirmish.sheets import inks
from skirmish.sheets.casualty_turns import (
    ABOVE,
    BELOW,
    COLUMN_WIDTH,
    NAMES_WIDTH,
    Fallen,
    StripItem,
    StripTurn,
    TurnPlace,
    balanced_bands,
    rows_for,
    strip_turn,
)
from skirmish.sheets.inks import SideInk, from_hex
from skirmish.sheets.layout.drawing import Canvas, Drawing
from skirmish.sheets.layout.flow import Flowable
from skirmish.sheets.layout.fonts import BOLD, HEAD, LABEL, MEDIUM
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.symbols import Symbol
from skirmish.sheets.layout.text_lines import fitted, in_largest_size, line_width, wrapped, write
from skirmish.sheets.paper import HAIR, NORMAL
from skirmish.sheets.strength_chart import CAPTION, CHART_HEIGHT, StrengthChart
from skirmish.tabletop.chance import SUIT_SIGNS, Draw
from skirmish.tabletop.page import capital

PITCH = 16.6
"""Points from the middle of a symbol to that of the symbol above it."""
AXIS_HEIGHT = 12.0
"""The height of the line of turns, in points."""
AXIS_TO_SYMBOL = 8.0
"""Points between the line of turns and the nearest symbol."""
LEAST_ROWS = 3
"""The least height of each half in rows: the names and numbers at its left need as much."""
TURNING_HEAD, REASON_LINE = 14.0, 9.0
"""The height of the words "turning point", and of each line of the reason below them."""
AROUND_CHART = 9.0
"""The space above and below the chart of the strength."""
KEY_LINE = 11.0
"""The height of the line that explains the signs."""
TURNED_TINT = from_hex("F8E9E2")
"""The ground behind the turn that decided the battle."""
_NAME = Style(HEAD, 10, 11)
_NAME_SIZES = (10.0, 9.0, 8.0, 7.0)
"""The sizes of a side's name, tried in this order."""
NAME_ROOM = NAMES_WIDTH - 6
"""The room for a side's name, with some air between it and the turns."""
_SECOND_LINE = 8.0
"""Points from one line of a long name to the next."""
_LOST = Style(BOLD, 9, 10)
_MORE = Style(MEDIUM, 8, 9, ink=inks.QUIET)
_TURN_NUMBER = Style(HEAD, 8.4, 8.4, "centre", inks.WHITE)
_TURNING = Style(HEAD, 8, 8, ink=inks.ACCENT)
_REASON = Style(MEDIUM, 8, 9, ink=inks.ACCENT)
_NOTE = Style(MEDIUM, 7.4, 7.4, ink=inks.QUIET)
_TRACK = 1.0
"""Points between the capitals of a caption."""
CODE_LEFT = 15.4
"""From the left end of a column to the codes of its symbols."""
_RED_SUITS = ("H", "D")
_CODE, BELOW_CODE = Style(LABEL, 6.8, 6.8), Style(MEDIUM, 6.8, 6.8)
"""The styles of a code, and of the card or the word below it."""
_ARROW_WORDS_LEFT, _SYMBOL_MIDDLE = 14.4, 7.0
"""From the left end of a column to the words of an arrow, and to the middle of a symbol or an
arrow."""
_LEAST_SCALE, _GROWTH, _LARGEST_SCALE = 0.84, 0.09, 1.24
"""The scale of the symbol of a unit that costs nothing; the factor of the square root of the price,
which is added; and the largest scale. That makes 0.93 for 1 point, 1.04 for 5, 1.12 for 10, and
1.24 for 20 points and more."""
KEY_OF_SYMBOL = "A symbol is a unit lost, larger if it cost more, with its code"
KEY_OF_CARDS = " and the card that killed it"
KEY_OF_ARROWS = "Arrows: units that entered or exited."
"""The parts of the line that explains the signs, below the last band: ``_key_text`` takes those
whose signs are drawn."""


def strip_of(
    strip: CasualtyStrip, catalog: Catalog, looks: Mapping[str, SideInk], width: float
) -> list[Flowable]:
    """The strip in as many bands as it takes. ``looks``: those of the sides, by their ids."""
    turns = [strip_turn(strip, number) for number in range(1, strip.turns + 1)]
    room = width - NAMES_WIDTH
    bands: list[Flowable] = []
    for turns_of_band in balanced_bands(turns, room):
        rows = rows_for(turns_of_band, room)
        bands.append(StripBand(strip, catalog, looks, turns_of_band, rows))
    return bands


class TurningWords(NamedTuple):
    """The reason why the turning point decided the battle, in lines of text."""

    stand_right: bool
    """Whether they stand right of the line of the turning point, and not left of it."""
    lines: Sequence[str]


class StripBand(Drawing):
    """The part of a strip for some turns in a row. At most ``rows`` symbols of a turn stand above
    one another; more take further columns."""

    def __init__(
        self,
        strip: CasualtyStrip,
        catalog: Catalog,
        looks: Mapping[str, SideInk],
        turns: Sequence[StripTurn],
        rows: int,
    ) -> None:
        self.strip, self.catalog, self.looks = strip, catalog, looks
        self.turns, self.rows = tuple(turns), rows
        self.rows_above, self.rows_below = self._rows_in(ABOVE), self._rows_in(BELOW)
        self.chart = StrengthChart(strip, looks, self.turns)
        numbers = [turn.number for turn in turns]
        # None where the turning point is in another band, or nowhere.
        self.turning_turn: int | None = None
        if strip.turning_turn in numbers:
            self.turning_turn = strip.turning_turn
        self.is_first = numbers[0] == 1
        self.is_last = numbers[-1] == strip.turns

    def _rows_in(self, half: int) -> int:
        """The most symbols that stand above one another in a half; at least ``LEAST_ROWS``."""
        most = LEAST_ROWS
        for turn in self.turns:
            most = max(most, min(self.rows, len(turn.halves[half])))
        return most

    def _height_above_axis(self, width: float) -> float:
        """From the top of the band to the upper edge of the line of turns."""
        head_height = 2.0  # points of air
        if self.turning_turn is not None:
            words = self._turning_words(self._places(0, width), width)
            head_height = TURNING_HEAD + REASON_LINE * len(words.lines)
        return head_height + self.rows_above * PITCH + AXIS_TO_SYMBOL

    def _height_of_stacks(self, width: float) -> float:
        """From the top of the band to the foot of the lowest symbol."""
        return (
            self._height_above_axis(width) + AXIS_HEIGHT + AXIS_TO_SYMBOL + self.rows_below * PITCH
        )

    def height_at(self, width: float) -> float:
        height = self._height_of_stacks(width) + AROUND_CHART + CHART_HEIGHT + AROUND_CHART
        if self.is_last:
            # The line that explains the signs stands once, below the last band.
            height += KEY_LINE
        return height

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        places = self._places(x, width)
        axis = top - self._height_above_axis(width)
        if self.turning_turn is not None:
            self._draw_turning_point(canvas, places, top, x, width)
        self._draw_axis(canvas, places, axis, x, width)
        for half, side in enumerate(self.strip.sides):
            self._draw_names(canvas, half, side, x, axis)
            for turn, place in zip(self.turns, places, strict=True):
                self._draw_stack(canvas, turn.halves[half], half, place.middle, axis)
        top_of_chart = top - self._height_of_stacks(width) - AROUND_CHART
        self.chart.draw(canvas, places, x, top_of_chart, width)
        if self.is_last:
            write(canvas, x, top - self.height_at(width) + 2, _key_text(self.strip), _NOTE)

    def _places(self, x: float, width: float) -> list[TurnPlace]:
        """The place of each turn. Room that the turns do not need is divided evenly among them."""
        widths = [turn.width(self.rows) for turn in self.turns]
        spare = (width - NAMES_WIDTH - math.fsum(widths)) / len(widths)
        places = []
        left = x + NAMES_WIDTH
        for needed_width in widths:
            right = left + needed_width + spare
            places.append(TurnPlace(left, right))
            left = right
        return places

    def _draw_turning_point(
        self,
        canvas: Canvas,
        places: Sequence[TurnPlace],
        top: float,
        x: float,
        width: float,
    ) -> None:
        """A tint behind the turn that decided the battle, a line where it begins, the reason."""
        left, right = self._turning_place(places)
        bottom = top - self._height_of_stacks(width)
        if not canvas.sparing:
            canvas.setFillColor(TURNED_TINT)
            canvas.rect(left, bottom, right - left, top - bottom, stroke=0, fill=1)
        canvas.pen(inks.ACCENT, 1.1)
        canvas.line(left, bottom, left, top)
        words = self._turning_words(places, x + width)
        words_x, head, reason = left + 4, _TURNING, _REASON
        if not words.stand_right:
            # The words end left of the line.
            words_x = left - 4
            head, reason = head._replace(align="right"), reason._replace(align="right")
        write(canvas, words_x, top - 7, "TURNING POINT", head, track=0.8)
        for index, line in enumerate(words.lines):
            write(canvas, words_x, top - 16.5 - index * REASON_LINE, line, reason)

    def _turning_place(self, places: Sequence[TurnPlace]) -> TurnPlace:
        """The place of the turn that decided the battle, which is in this band."""
        for turn, place in zip(self.turns, places, strict=True):
            if turn.number == self.turning_turn:
                return place
        raise ValueError("the turning point is in another band")

    def _turning_words(self, places: Sequence[TurnPlace], end: float) -> TurningWords:
        """The words on the turning point, which stand where there is more room. ``end``: the right
        end of the strip."""
        turning_point = self.strip.turning_point
        assert turning_point is not None
        left = self._turning_place(places).left
        room_on_right, room_on_left = end - left - 4, left - 4 - places[0].left
        people = {side.side: side.people for side in self.strip.sides}
        text = capital(turning_point.words(people[turning_point.side]))
        lines = wrapped(text, _REASON, max(room_on_right, room_on_left))
        return TurningWords(stand_right=room_on_right >= room_on_left, lines=lines)

    def _draw_axis(
        self,
        canvas: Canvas,
        places: Sequence[TurnPlace],
        axis: float,
        x: float,
        width: float,
    ) -> None:
        """The line of turns with their numbers. ``axis``, here as elsewhere, is its upper edge."""
        low = axis - AXIS_HEIGHT
        write(canvas, x, low + 3, "TURN", CAPTION, track=_TRACK)
        with canvas.bar(x + NAMES_WIDTH, low, width - NAMES_WIDTH, AXIS_HEIGHT, inks.BAND):
            for turn, place in zip(self.turns, places, strict=True):
                write(canvas, place.middle, low + 3, str(turn.number), _TURN_NUMBER)
        canvas.pen(inks.FAINT, HAIR)
        for place in places:
            canvas.line(place.left, low - 3, place.left, low)
            canvas.line(place.left, axis, place.left, axis + 3)

    def _draw_names(
        self, canvas: Canvas, half: int, side: SideCourse, x: float, axis: float
    ) -> None:
        """The name of a side and its losses, at the left of the middle of its half; instead of the
        losses all bands but the first have the word "continued"."""
        look = self.looks[side.side]
        if half == ABOVE:
            level = axis + AXIS_TO_SYMBOL + self.rows_above * PITCH / 2
        else:
            level = axis - AXIS_HEIGHT - AXIS_TO_SYMBOL - self.rows_below * PITCH / 2
        style = _NAME._replace(ink=look.ink)
        lines = _name_lines(side.people.upper(), style)
        if len(lines) > 1:
            # Half a line lower, so that name and losses together stay in the middle.
            level -= _SECOND_LINE / 2
        baseline_of_last = level + 9
        baseline = baseline_of_last + (len(lines) - 1) * _SECOND_LINE
        for line in lines:
            resized = in_largest_size(line, style, NAME_ROOM, _NAME_SIZES)
            write(canvas, x, baseline, fitted(line, resized, NAME_ROOM), resized)
            baseline -= _SECOND_LINE
        if not self.is_first:
            write(canvas, x, level - 2, "continued", _MORE)
            return
        write(canvas, x, level - 3, f"lost {side.lost} of {side.strength}", _LOST)
        units = f"{len(side.casualties)} units"
        if len(side.casualties) == 1:
            units = "1 unit"
        write(canvas, x, level - 13, f"{units}, {side.share_lost:.0%}", _MORE)

    def _draw_stack(
        self, canvas: Canvas, items: Sequence[StripItem], half: int, middle: float, axis: float
    ) -> None:
        """The symbols of a turn, in columns of which each begins at the line of turns. The columns
        have their middle at ``middle``."""
        columns = math.ceil(len(items) / self.rows)
        for index, item in enumerate(items):
            column, row = divmod(index, self.rows)
            left = middle + (column - columns / 2) * COLUMN_WIDTH
            away_from_line = AXIS_TO_SYMBOL + (row + 0.5) * PITCH
            level = axis + away_from_line
            if half == BELOW:
                level = axis - AXIS_HEIGHT - away_from_line
            place = SymbolPlace(left, level)
            look = self.looks[self.strip.sides[half].side]
            if isinstance(item, Passage):
                _draw_passage(canvas, item, half, look, place)
            else:
                unit = self.catalog.units[item.casualty.unit]
                _draw_fallen(canvas, item, unit, look, place)


def _key_text(strip: CasualtyStrip) -> str:
    """The line that explains the signs of a strip. Cards are left out if none is in it, as in a
    battle of which players recorded only the losses."""
    text = KEY_OF_SYMBOL
    if any(casualty.cause == "shot" for casualty in strip.in_order):
        text += KEY_OF_CARDS
    text += "."
    if any(side.passages for side in strip.sides):
        text += f" {KEY_OF_ARROWS}"
    return text


def _name_lines(name: str, style: Style) -> list[str]:
    """The name of a side on one line if it fits there in the smallest size, else on two."""
    smallest = style._replace(size=_NAME_SIZES[-1])
    if line_width(name, smallest) <= NAME_ROOM:
        return [name]
    first, *more = wrapped(name, smallest, NAME_ROOM)
    lines = [first]
    if more:
        lines.append(" ".join(more))
    return lines


# ------------------------------------------------------------------ the symbols


class SymbolPlace(NamedTuple):
    """The place of a symbol: the left end of its column, and the height of its middle."""

    left: float
    level: float


def _draw_fallen(
    canvas: Canvas, fallen: Fallen, unit: UnitType, look: SideInk, place: SymbolPlace
) -> None:
    """The symbol of a lost unit, its code, and below that the card that killed it."""
    left, level = place
    casualty = fallen.casualty
    canvas.saveState()
    canvas.translate(left + _SYMBOL_MIDDLE, level)
    scale = _scale_of(unit)
    canvas.scale(scale, scale)
    Symbol(unit, look.ink, solid=look.solid).draw(canvas)
    canvas.restoreState()
    code, cause = casualty.code, _cause(casualty)
    if fallen.alike > 1:
        # Casualties that share a symbol have their number instead of codes and cards.
        code, cause = f"×{fallen.alike}", ""
    write(canvas, left + CODE_LEFT, level + 1.0, code, _CODE)
    ink = inks.BLACK
    if casualty.draw is not None and casualty.draw.suit in _RED_SUITS:
        ink = inks.ACCENT
    write(canvas, left + CODE_LEFT, level - 6, cause, BELOW_CODE._replace(ink=ink))


def _draw_passage(
    canvas: Canvas, passage: Passage, half: int, look: SideInk, place: SymbolPlace
) -> None:
    """An arrow and the number of pieces. It points to the line of turns if they entered, and away
    from the line if they exited. ``half``: that in which the arrow stands."""
    left, level = place
    enters = passage.way == "entry"
    is_below = half == BELOW
    # To enter from below the line is to go up, and so is to exit above it.
    points_up = enters == is_below
    direction = -1
    if points_up:
        direction = 1
    filling = inks.WHITE
    if look.solid and not canvas.sparing:
        filling = look.ink
    canvas.pen(look.ink, NORMAL, filling)
    middle = left + _SYMBOL_MIDDLE
    canvas.shape(
        (middle - 2.4, level - 6 * direction),
        (middle + 2.4, level - 6 * direction),
        (middle + 2.4, level),
        (middle + 5, level),
        (middle, level + 6 * direction),
        (middle - 5, level),
        (middle - 2.4, level),
    )
    word = "exit"
    if enters:
        word = "enter"
    words_left, count = left + _ARROW_WORDS_LEFT, str(len(passage.codes))
    write(canvas, words_left, level + 1, count, _CODE._replace(ink=look.ink))
    write(canvas, words_left, level - 6, word, BELOW_CODE._replace(ink=look.ink))


def _scale_of(unit: UnitType) -> float:
    """The scale of a symbol, which is larger for a unit that costs more. It grows with the square
    root of the price since the eye compares areas. So the many cheap units differ visibly, while
    the tanks, which are few, look nearly alike."""
    grown = _LEAST_SCALE + _GROWTH * float(unit.price) ** 0.5
    return float(min(_LARGEST_SCALE, grown))


def _cause(casualty: Casualty) -> str:
    """What killed a unit, as it stands below its code: the card, ``7♥``, or a word where no card is
    known."""
    if casualty.cause == "breakdown":
        return "broke"
    if casualty.cause == "other":
        return "–"
    return _card(casualty.draw)


def _card(draw: Draw | None) -> str:
    """``7♥`` for a card, ``9`` for a die, and ``volley`` for a volley of which players counted only
    the losses: its draws are not known."""
    if draw is None or not draw.rank:
        return "volley"
    if draw.suit is None:
        return str(draw.rank)  # a roll has no suit
    # Players may type a card without its suit.
    suit_sign = SUIT_SIGNS.get(draw.suit, "")
    return f"{draw.rank_sign}{suit_sign}"
