"""The battle drawn: its losses over the turns, the first mover's above the line of turns, the
other's below it, each a unit symbol at its turn; under it the strength that both sides had left.

``strip_of`` sets it; a battle too long for one width takes several bands below one another.
Numbers without a name are points, chosen by eye."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from skirmish.games.plastic.casualties import Casualty, CasualtyStrip, Passage, SideCourse
from skirmish.games.plastic.rules.catalog import Catalog, UnitType
from skirmish.sheets import inks
from skirmish.sheets.inks import SideInk, from_hex
from skirmish.sheets.layout.drawing import Canvas, Drawing, rule
from skirmish.sheets.layout.flow import Flowable
from skirmish.sheets.layout.fonts import BOLD, HEAD, LABEL, MEDIUM
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.symbols import Symbol
from skirmish.sheets.layout.text import fitted, line_width, scaled, wrapped, write
from skirmish.sheets.paper import HAIR, HEAVY, NORMAL
from skirmish.tabletop.chance import SUIT_SIGNS, Draw

NAMES_WIDTH = 76.0
"""Points for the names of the sides, before the turns."""
COLUMN_WIDTH, EMPTY_WIDTH = 30.5, 13.0
"""Points for a column of symbols with their codes, and for a turn in which nothing happened."""
_BESIDE_SYMBOL = 15.4
"""Points from the left end of a column to the code of its symbols."""
PITCH = 16.6
"""Points from the middle of a symbol to that of the symbol above it."""
USUAL_ROWS, MOST_ROWS = 4, 12
"""Symbols above one another: as usual, if the turns have room for that; and as many as there may be
before a battle takes another band."""
CROWD = 48
"""The most losses of a side in one turn that have a symbol each; where there are more, those of a
unit that the same weapon killed share one."""
AXIS = 12.0
"""The height of the line of turns, in points."""
APART = 8.0
"""Points between the line of turns and the nearest symbol."""
LEAST_ROWS = 3
"""Each half is at least so many rows high, as its names and numbers at the left need that."""
TURNING_HEAD, REASON_LINE = 14.0, 9.0
"""The height of the head of the turning point, and of each line of its reason below it."""
CHART, AROUND_CHART = 50.0, 9.0
"""The height of the chart of the strength, and of the space above and below it."""
KEY_LINE = 11.0
"""The height of the line that explains the signs."""
TURNED_TINT = from_hex("F8E9E2")
"""The ground behind the turn that decided the battle."""
_RED = ("H", "D")
"""The red suits."""
_CODE, _BELOW_CODE = Style(LABEL, 6.8, 6.8), Style(MEDIUM, 6.8, 6.8)
_NAME = Style(HEAD, 10, 11)
_NAME_SIZES = (10.0, 9.0, 8.0, 7.0)
"""The sizes of a side's name, tried in this order."""
_SECOND_LINE = 8.0
"""Points from one line of a long name to the next."""
_KEY_SIZES = (7.6, 7.2, 6.8)
"""The sizes of the words beside the chart of the strength, likewise."""
_LOST = Style(BOLD, 9, 10)
_MORE = Style(MEDIUM, 8, 9, ink=inks.QUIET)
_CAPTION = Style(HEAD, 8.4, 8.4, ink=inks.BAND)
_TURN_NUMBER = Style(HEAD, 8.4, 8.4, "centre", inks.WHITE)
_TURNING = Style(HEAD, 8, 8, ink=inks.ACCENT)
_REASON = Style(MEDIUM, 8, 9, ink=inks.ACCENT)
_LEVEL = Style(MEDIUM, 7, 7, "right", inks.QUIET)
_NOTE = Style(MEDIUM, 7.4, 7.4, ink=inks.QUIET)
_TRACK = 1.0
"""Points between the capitals of a caption."""
ABOVE, BELOW = 0, 1
"""The halves of a strip: the first mover's, the other's."""
_ARROW_LEFT, _SYMBOL_MIDDLE = 14.4, 7.0
"""Points from the left end of a column to the words of an arrow, and to the middle of a symbol."""
_DASH = 4, 1.6
"""Points of line and gap in turn, in the chart of the strength, for the side with hollow marks."""
KEY_OF_SYMBOL = "A symbol is a unit lost, larger if it cost more, with its code"
KEY_OF_CARDS, KEY_OF_ARROWS = (
    " and the card that killed it",
    "Arrows: units that entered or exited.",
)
"""The parts of the line that explains the signs, below the last band: ``_key_text`` takes those
whose signs are drawn."""


class Fallen(NamedTuple):
    """What is drawn as one symbol: a casualty. In a crowd it stands for so many ``alike``."""

    casualty: Casualty
    alike: int = 1


StripItem: TypeAlias = Fallen | Passage
"""What takes a place above or below the line of turns."""


class TurnPlace(NamedTuple):
    """The left and the right end of a turn on the paper, in points from its left edge."""

    left: float
    right: float

    @property
    def middle(self) -> float:
        """Its middle, in points from the left."""
        return (self.left + self.right) / 2


class StripTurn(NamedTuple):
    """A turn by its number. ``halves``: what is drawn of it above the line and below, the nearest
    to the line first."""

    number: int
    halves: tuple[Sequence[StripItem], Sequence[StripItem]]

    def columns(self, rows: int) -> int:
        """How many columns its symbols take, ``rows`` above one another."""
        return max(math.ceil(len(items) / rows) for items in self.halves)

    def width(self, rows: int) -> float:
        """The width of a turn in points, with ``rows`` symbols above one another."""
        return max(EMPTY_WIDTH, self.columns(rows) * COLUMN_WIDTH)


def strip_of(
    strip: CasualtyStrip, catalog: Catalog, sides: Mapping[str, SideInk], width: float
) -> list[Flowable]:
    """The strip in as many bands as it takes; ``sides``: the looks of both, by their ids."""
    turns = [_strip_turn(strip, number) for number in range(1, strip.turns + 1)]
    room = width - NAMES_WIDTH
    bands: list[Flowable] = []
    for turns_of_band in _balanced_bands(turns, room):
        rows = _rows_for(turns_of_band, room)
        bands.append(StripBand(strip, catalog, sides, turns_of_band, rows))
    return bands


def _strip_turn(strip: CasualtyStrip, number: int) -> StripTurn:
    above, below = (_items(side, number) for side in strip.sides)
    return StripTurn(number, (above, below))


def _items(side: SideCourse, turn: int) -> list[StripItem]:
    """What is drawn of a side in a turn: its losses, then who entered or exited."""
    fallen = side.in_turn(turn)
    items: list[StripItem] = []
    if len(fallen) <= CROWD:
        items += [Fallen(casualty) for casualty in fallen]
    else:
        # Of a crowd one symbol stands for all of a unit that a weapon killed.
        alike: dict[tuple[str, str], list[Casualty]] = {}
        for casualty in fallen:
            alike.setdefault((casualty.unit, casualty.weapon), []).append(casualty)
        items += [Fallen(group[0], len(group)) for group in alike.values()]
    items += [passage for passage in side.passages if passage.turn == turn]
    return items


def _balanced_bands(turns: Sequence[StripTurn], room: float) -> list[list[StripTurn]]:
    """The turns by bands: as few as have room for all, and those about equally full, so that the
    last does not stretch a few turns over the whole width while the others are crammed."""
    bands = _filled_bands(turns, room)
    # Each try has less room, until it would take one band more.
    for narrower in range(int(room), 0, -int(EMPTY_WIDTH)):
        balanced = _filled_bands(turns, narrower)
        if len(balanced) > len(bands):
            break
        bands = balanced
    return bands


def _filled_bands(turns: Sequence[StripTurn], room: float) -> list[list[StripTurn]]:
    """The turns by bands, each of which takes as many as it has room for."""
    bands: list[list[StripTurn]] = [[]]
    filled = 0.0
    for turn in turns:
        wide = turn.width(MOST_ROWS)
        if bands[-1] and filled + wide > room:
            bands.append([])
            filled = 0.0
        bands[-1].append(turn)
        filled += wide
    return bands


def _rows_for(turns: Sequence[StripTurn], room: float) -> int:
    """The fewest symbols above one another with which all turns of a band fit."""
    rows = USUAL_ROWS
    # Several turns fit with ``MOST_ROWS`` at the latest. A single one may need more, but never more
    # than ``CROWD``: beyond so many losses symbols are shared, and one column holds them all.
    while rows < CROWD and math.fsum(turn.width(rows) for turn in turns) > room:
        rows += 1
    return rows


class TurningWords(NamedTuple):
    """Why the turning point decided, in lines, and whether they stand right of its line."""

    is_right: bool
    lines: Sequence[str]


class StripBand(Drawing):
    """A stretch of turns; ``rows`` symbols at most stand above one another."""

    def __init__(
        self,
        strip: CasualtyStrip,
        catalog: Catalog,
        sides: Mapping[str, SideInk],
        turns: Sequence[StripTurn],
        rows: int,
    ) -> None:
        self.strip, self.catalog, self.sides = strip, catalog, sides
        self.turns, self.rows = tuple(turns), rows
        self.rows_above, self.rows_below = self._deepest(ABOVE), self._deepest(BELOW)
        numbers = [turn.number for turn in turns]
        self.turning_turn: int | None = None
        if strip.turning_turn in numbers:
            self.turning_turn = strip.turning_turn
        self.is_first, self.is_last = numbers[0] == 1, numbers[-1] == strip.turns

    def _deepest(self, half: int) -> int:
        """The most symbols above one another in a half."""
        most = LEAST_ROWS
        for turn in self.turns:
            most = max(most, min(self.rows, len(turn.halves[half])))
        return most

    def _height_above_axis(self, width: float) -> float:
        """From the top of the band to the line of turns."""
        head = 2.0  # points of air
        if self.turning_turn is not None:
            words = self._turning_words(self._places(0, width), width)
            head = TURNING_HEAD + REASON_LINE * len(words.lines)
        return head + self.rows_above * PITCH + APART

    def _height_of_stacks(self, width: float) -> float:
        """From the top of the band to the foot of the lowest symbol."""
        return self._height_above_axis(width) + AXIS + APART + self.rows_below * PITCH

    def height_at(self, width: float) -> float:
        height = self._height_of_stacks(width) + AROUND_CHART + CHART + AROUND_CHART
        if self.is_last:  # what explains the signs comes once, at the end
            height += KEY_LINE
        return height

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        places = self._places(x, width)
        axis = top - self._height_above_axis(width)
        if self.turning_turn is not None:
            self._draw_turning(canvas, places, top, x, width)
        self._draw_axis(canvas, places, axis, x, width)
        for half, side in enumerate(self.strip.sides):
            self._draw_names(canvas, half, side, x, axis)
            for turn, place in zip(self.turns, places, strict=True):
                self._draw_stack(canvas, turn.halves[half], half, place.middle, axis)
        top_of_chart = top - self._height_of_stacks(width) - AROUND_CHART
        self._draw_strength(canvas, places, x, top_of_chart, width)
        if self.is_last:
            write(canvas, x, top - self.height_at(width) + 2, _key_text(self.strip), _NOTE)

    def _places(self, x: float, width: float) -> list[TurnPlace]:
        """The place of each turn; what they leave is shared out among all."""
        widths = [turn.width(self.rows) for turn in self.turns]
        spare = (width - NAMES_WIDTH - math.fsum(widths)) / len(widths)
        places = []
        left = x + NAMES_WIDTH
        for wide in widths:
            places.append(TurnPlace(left, left + wide + spare))
            left += wide + spare
        return places

    # -------------------------------------------------------------- parts

    def _draw_turning(
        self,
        canvas: Canvas,
        places: Sequence[TurnPlace],
        top: float,
        x: float,
        width: float,
    ) -> None:
        """A tint behind the turn, a line where it begins, and why it decided."""
        left, right = self._turning_place(places)
        low = top - self._height_of_stacks(width)
        if not canvas.sparing:
            canvas.setFillColor(TURNED_TINT)
            canvas.rect(left, low, right - left, top - low, stroke=0, fill=1)
        canvas.pen(inks.ACCENT, 1.1)
        canvas.line(left, low, left, top)
        words = self._turning_words(places, x + width)
        begin, head, reason = left + 4, _TURNING, _REASON
        if not words.is_right:
            begin = left - 4
            head, reason = head._replace(align="right"), reason._replace(align="right")
        write(canvas, begin, top - 7, "TURNING POINT", head, track=0.8)
        for number, line in enumerate(words.lines):
            write(canvas, begin, top - 16.5 - number * REASON_LINE, line, reason)

    def _turning_place(self, places: Sequence[TurnPlace]) -> TurnPlace:
        """The place of the turn that decided, which is in this band."""
        for turn, place in zip(self.turns, places, strict=True):
            if turn.number == self.turning_turn:
                return place
        raise ValueError("the turning point is in another band")

    def _turning_words(self, places: Sequence[TurnPlace], end: float) -> TurningWords:
        """They stand right of the line of the turning point, unless there is more room on the left.
        ``end``: of the paper at the right."""
        turning_point = self.strip.turning_point
        assert turning_point is not None
        left = self._turning_place(places).left
        on_right, on_left = end - left - 4, left - 4 - places[0].left
        people = {side.side: side.people for side in self.strip.sides}
        text = f"{people[turning_point.side]} ahead: {turning_point.text}"
        lines = wrapped(text, _REASON, max(on_right, on_left))
        return TurningWords(on_right >= on_left, lines)

    def _draw_axis(
        self,
        canvas: Canvas,
        places: Sequence[TurnPlace],
        axis: float,
        x: float,
        width: float,
    ) -> None:
        """The line of turns with their numbers."""
        low = axis - AXIS
        write(canvas, x, low + 3, "TURN", _CAPTION, track=_TRACK)
        with canvas.bar(x + NAMES_WIDTH, low, width - NAMES_WIDTH, AXIS, inks.BAND):
            for turn, place in zip(self.turns, places, strict=True):
                write(canvas, place.middle, low + 3, str(turn.number), _TURN_NUMBER)
        canvas.pen(inks.FAINT, HAIR)
        for place in places:
            canvas.line(place.left, low - 3, place.left, low)
            canvas.line(place.left, axis, place.left, axis + 3)

    def _draw_names(
        self, canvas: Canvas, half: int, side: SideCourse, x: float, axis: float
    ) -> None:
        """The side with its losses, in the middle of its half."""
        look = self.sides[side.side]
        if half == ABOVE:
            level = axis + APART + self.rows_above * PITCH / 2
        else:
            level = axis - AXIS - APART - self.rows_below * PITCH / 2
        style = _NAME._replace(ink=look.ink)
        lines = _name_lines(side.people.upper(), style)
        if len(lines) > 1:
            # All of it half a line lower, so that the middle stays where it was.
            level -= _SECOND_LINE / 2
        baseline_of_last = level + 9
        baseline = baseline_of_last + (len(lines) - 1) * _SECOND_LINE
        for line in lines:
            resized = scaled(line, style, NAMES_WIDTH - 6, _NAME_SIZES)
            words = fitted(line, resized, NAMES_WIDTH - 6)
            write(canvas, x, baseline, words, resized)
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
        """The symbols of a turn, from the line outward, column by column."""
        columns = math.ceil(len(items) / self.rows)
        for number, item in enumerate(items):
            column, row = divmod(number, self.rows)
            left = middle + (column - columns / 2) * COLUMN_WIDTH
            away = APART + (row + 0.5) * PITCH
            level = axis + away
            if half == BELOW:
                level = axis - AXIS - away
            look = self.sides[self.strip.sides[half].side]
            if isinstance(item, Passage):
                self._draw_passage(canvas, item, look, left, level)
            else:
                self._draw_fallen(canvas, item, look, left, level)

    def _draw_fallen(
        self, canvas: Canvas, fallen: Fallen, look: SideInk, left: float, level: float
    ) -> None:
        """The symbol of a unit lost, its code, and the card that killed it below the code."""
        casualty = fallen.casualty
        unit = self.catalog.units[casualty.unit]
        canvas.saveState()
        canvas.translate(left + _SYMBOL_MIDDLE, level)
        size = _size(unit)
        canvas.scale(size, size)
        Symbol(unit, look.ink, solid=look.solid).draw(canvas)
        canvas.restoreState()
        begin = left + _BESIDE_SYMBOL
        code, cause = casualty.code, _cause(casualty)
        if fallen.alike > 1:
            code, cause = f"×{fallen.alike}", ""
        write(canvas, begin, level + 1.0, code, _CODE)
        ink = inks.BLACK
        if casualty.draw is not None and casualty.draw.suit in _RED:
            ink = inks.ACCENT
        write(canvas, begin, level - 6, cause, _BELOW_CODE._replace(ink=ink))

    def _draw_passage(
        self, canvas: Canvas, passage: Passage, look: SideInk, left: float, level: float
    ) -> None:
        """An arrow to the line of turns for those who entered, from it for those who exited."""
        enters = passage.way == "entry"
        is_below = passage.side == self.strip.sides[1].side
        # Entering points to the line of turns, exiting away from it: so who enters below the line,
        # or exits above it, goes upward.
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
        begin, count = left + _ARROW_LEFT, str(len(passage.codes))
        write(canvas, begin, level + 1, count, _CODE._replace(ink=look.ink))
        write(canvas, begin, level - 6, word, _BELOW_CODE._replace(ink=look.ink))

    def _draw_strength(
        self,
        canvas: Canvas,
        places: Sequence[TurnPlace],
        x: float,
        top: float,
        width: float,
    ) -> None:
        """What strength each side had left after each turn, as steps; the side with hollow marks is
        dashed."""
        lowest = self._lowest_level()

        def height(share: float) -> float:
            return top - CHART * (1 - share) / (1 - lowest)

        write(canvas, x, top - 8, "STRENGTH LEFT", _CAPTION, track=0.6)
        for number, level in enumerate((1.0, (1 + lowest) / 2, lowest)):
            rule(canvas, x + NAMES_WIDTH, x + width, height(level), HAIR, ink=inks.FAINT)
            # The topmost number hangs below its line, so that it stays within the chart.
            drop = 0.0
            if number == 0:
                drop = 5.4
            write(canvas, x + NAMES_WIDTH - 3, height(level) - drop + 1, _percent(level), _LEVEL)
        for half, side in enumerate(self.strip.sides):
            self._draw_key(canvas, side, self.sides[side.side], x, top - 21 - 11 * half)
            self._draw_course(canvas, side, places, height)

    def _draw_course(
        self,
        canvas: Canvas,
        side: SideCourse,
        places: Sequence[TurnPlace],
        height: Callable[[float], float],
    ) -> None:
        """The line of a side; ``height``: that of a share of its strength on the paper."""
        look = self.sides[side.side]
        before = 1.0
        if not self.is_first:
            before = self._share_left(side, self.turns[0].number - 1)
        path = canvas.beginPath()
        path.moveTo(places[0].left, height(before))
        for turn, place in zip(self.turns, places, strict=True):
            share = self._share_left(side, turn.number)
            # A loss shows at the end of its turn.
            path.lineTo(place.right, height(before))
            path.lineTo(place.right, height(share))
            before = share
        canvas.saveState()
        canvas.pen(look.ink, 1.6)
        if not look.solid:
            canvas.setDash(*_DASH)
        canvas.drawPath(path)
        canvas.restoreState()

    def _draw_key(
        self, canvas: Canvas, side: SideCourse, look: SideInk, x: float, level: float
    ) -> None:
        """What a side has left at the end, behind a piece of its line."""
        canvas.saveState()
        canvas.pen(look.ink, HEAVY)
        if not look.solid:
            canvas.setDash(*_DASH)
        canvas.line(x, level + 2.4, x + 12, level + 2.4)
        canvas.restoreState()
        left = f"{1 - side.share_lost:.0%}"
        text, room = f"{left} {side.people}", NAMES_WIDTH - 36
        style = _CODE._replace(size=_KEY_SIZES[0], ink=look.ink)
        if line_width(text, style._replace(size=_KEY_SIZES[-1])) > room:
            # A long name would be cut. Instead of it: which half of the strip is the side's own.
            text = f"{left} below"
            if side is self.strip.sides[ABOVE]:
                text = f"{left} above"
        write(canvas, x + 15, level, text, scaled(text, style, room, _KEY_SIZES))

    def _share_left(self, side: SideCourse, turn: int) -> float:
        """What a side has left of its strength at the end of a turn, as a share."""
        if not side.strength:
            return 1.0
        strength_left = side.left[turn - 1]
        return strength_left / side.strength

    def _lowest_level(self) -> float:
        """The foot of the chart, as a share of the strength: a half, unless a side has lost more
        than half of it; then nothing."""
        if any(side.share_lost > 0.5 for side in self.strip.sides):
            return 0.0
        return 0.5


_SIZE_OF_NOTHING, _GROWTH, _LARGEST_SIZE = 0.84, 0.09, 1.24
"""The size of a symbol of a unit that costs nothing, how much it grows with the root of the price,
and the largest: 0.93 for a point, 1.04 for 5, 1.12 for 10, and 1.24 from 20 points on."""


def _size(unit: UnitType) -> float:
    """The factor for a symbol: larger for a unit that costs more. By the root, as the eye compares
    areas, and as cheap units are many: their differences show, those of tanks need not."""
    grown = _SIZE_OF_NOTHING + _GROWTH * float(unit.price) ** 0.5
    return float(min(_LARGEST_SIZE, grown))


def _percent(share: float) -> str:
    return f"{share:.0%}"


def _key_text(strip: CasualtyStrip) -> str:
    """What explains the signs of a strip. A battle of which only the losses were kept has no
    cards."""
    text = KEY_OF_SYMBOL
    if any(casualty.cause == "shot" for casualty in strip.in_order):
        text += KEY_OF_CARDS
    text += "."
    if any(side.passages for side in strip.sides):
        text += f" {KEY_OF_ARROWS}"
    return text


def _cause(casualty: Casualty) -> str:
    """``7♥``; in words where no card is known."""
    if casualty.cause == "breakdown":
        return "broke"
    if casualty.cause == "other":
        return "–"
    return _card(casualty.draw)


def _card(draw: Draw | None) -> str:
    """``7♥``, ``9`` of a die; of a volley that was counted nobody knows the card."""
    if draw is None or not draw.rank:
        return "volley"
    if draw.suit is None:
        return str(draw.rank)  # of a die
    return f"{draw.rank_sign}{SUIT_SIGNS.get(draw.suit, '')}"  # a typed card may lack its suit


def _name_lines(name: str, style: Style) -> list[str]:
    """The name of a side on one line if that can be, else on two."""
    room, smallest = NAMES_WIDTH - 6, style._replace(size=_NAME_SIZES[-1])
    if line_width(name, smallest) <= room:
        return [name]
    first, *more = wrapped(name, smallest, room)
    lines = [first]
    if more:
        lines.append(" ".join(more))
    return lines
