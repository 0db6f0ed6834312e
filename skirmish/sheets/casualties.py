"""The battle drawn: its losses over the turns, the first mover's above the line of turns, the
other's below it, each a unit symbol at its turn; under it the strength that both sides had left.

``strip_of`` sets it; a battle too long for one width takes several bands below one another."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
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
from skirmish.sheets.layout.text import fitted, scaled, wrapped, write
from skirmish.sheets.paper import HAIR, HEAVY, NORMAL
from skirmish.tabletop.chance import Draw

TITLES = 76.0
"""The width in points of the column of names before the turns."""
COLUMN, EMPTY = 30.5, 13.0
"""The width of a column of symbols with their codes, and of a turn in which nothing happened."""
_BESIDE_SYMBOL = 15.4
"""From the left end of a column to the code of its symbols."""
PITCH = 16.6
"""From one symbol to the next."""
FEWEST, MOST = 4, 12
"""Symbols above one another: no more than the least, if the turns have room; at most so many before
a battle takes another band."""
CROWD = 48
"""More losses of a side in one turn share a symbol where they are alike."""
AXIS = 12.0
"""The height of the line of turns."""
APART = 8.0
"""Between that line and the nearest symbol."""
LEAST_ROWS = 3
"""The names and numbers beside each half need so many rows."""
TURNED, WHY = 14.0, 9.0
"""The height of the head of the turning point, and of each line of words below it."""
CHART, UNDER = 50.0, 9.0
"""The height of the chart of the strength, and of the space between it and what is above."""
KEY = 11.0
"""The height of the line that explains the signs."""
TURNED_TINT = from_hex("F8E9E2")
"""Behind the turn that decided."""
_SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_RED = ("H", "D")
_CODE, _CARD = Style(LABEL, 6.8, 6.8), Style(MEDIUM, 6.8, 6.8)
_NAME = Style(HEAD, 10, 11)
_LOST = Style(BOLD, 9, 10)
_MORE = Style(MEDIUM, 8, 9, ink=inks.CODE)
_CAPTION = Style(HEAD, 8.4, 8.4, ink=inks.BAND)
_TURN = Style(HEAD, 8.4, 8.4, "centre", inks.WHITE)
_TURNED = Style(HEAD, 8, 8, ink=inks.ACCENT)
_WHY = Style(MEDIUM, 8, 9, ink=inks.ACCENT)
_LEVEL = Style(MEDIUM, 7, 7, "right", inks.CODE)
_NOTE = Style(MEDIUM, 7.4, 7.4, ink=inks.CODE)
_TRACK = 1.0
"""Points between the capitals of a caption."""
EXPLAINED = (
    "A symbol is a unit lost, larger if it cost more, with its code and the card that killed it. "
    "Arrows: units that entered or exited."
)


class Fallen(NamedTuple):
    """What is drawn as one symbol: a casualty, or of a crowd the first of so many ``alike``."""

    casualty: Casualty
    alike: int = 1


Item: TypeAlias = Fallen | Passage


class TurnPlace(NamedTuple):
    """The left and the right end of a turn on the paper, in points."""

    left: float
    right: float

    @property
    def middle(self) -> float:
        return (self.left + self.right) / 2


class TurnColumn(NamedTuple):
    """A turn: what is drawn of it above the line and below, the nearest to the line first."""

    turn: int
    items: tuple[Sequence[Item], Sequence[Item]]

    def columns(self, rows: int) -> int:
        """How many columns its symbols take, ``rows`` above one another."""
        return max(math.ceil(len(items) / rows) for items in self.items)

    def width(self, rows: int) -> float:
        return max(EMPTY, self.columns(rows) * COLUMN)


def strip_of(
    strip: CasualtyStrip, catalog: Catalog, sides: Mapping[str, SideInk], width: float
) -> list[Flowable]:
    """The strip in as many bands as it takes; ``sides``: the looks of both, by their ids."""
    columns = [_column(strip, turn) for turn in range(1, strip.turns + 1)]
    room = width - TITLES
    bands: list[Flowable] = []
    for part in _parted(columns, room):
        bands.append(StripBand(strip, catalog, sides, part, _rows_for(part, room)))
    return bands


def _column(strip: CasualtyStrip, turn: int) -> TurnColumn:
    first, second = (_items(side, turn) for side in strip.sides)
    return TurnColumn(turn, (first, second))


def _items(side: SideCourse, turn: int) -> list[Item]:
    fallen = side.in_turn(turn)
    items: list[Item] = []
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


def _parted(columns: Sequence[TurnColumn], room: float) -> list[list[TurnColumn]]:
    """The turns by bands: as few as have room for all, and those about equally full, so that the
    last does not stretch a few turns over the whole width while the others are crammed."""
    bands = _filled(columns, room)
    # Each try has less room, until it would take one band more.
    for narrower in range(int(room), 0, -int(EMPTY)):
        balanced = _filled(columns, narrower)
        if len(balanced) > len(bands):
            break
        bands = balanced
    return bands


def _filled(columns: Sequence[TurnColumn], room: float) -> list[list[TurnColumn]]:
    """The turns by bands, each of which takes as many as it has room for."""
    bands: list[list[TurnColumn]] = [[]]
    filled = 0.0
    for column in columns:
        wide = column.width(MOST)
        if bands[-1] and filled + wide > room:
            bands.append([])
            filled = 0.0
        bands[-1].append(column)
        filled += wide
    return bands


def _rows_for(columns: Sequence[TurnColumn], room: float) -> int:
    """The fewest symbols above one another with which all turns of a band fit."""
    rows = FEWEST
    while rows < MOST and math.fsum(column.width(rows) for column in columns) > room:
        rows += 1
    # A single turn may be wider than the page.
    while math.fsum(column.width(rows) for column in columns) > room and rows < CROWD:
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
        columns: Sequence[TurnColumn],
        rows: int,
    ) -> None:
        self.strip, self.catalog, self.sides = strip, catalog, sides
        self.columns, self.rows = tuple(columns), rows
        self.up, self.down = self._deepest(0), self._deepest(1)
        turns = [column.turn for column in columns]
        self.turning_turn = strip.turning_turn if strip.turning_turn in turns else None
        self.is_first, self.is_last = turns[0] == 1, turns[-1] == strip.turns

    def _deepest(self, half: int) -> int:
        """The most symbols above one another on one side of the line."""
        most = LEAST_ROWS
        for column in self.columns:
            most = max(most, min(self.rows, len(column.items[half])))
        return most

    def _above(self, width: float) -> float:
        """From the top of the band to the line of turns."""
        head = 2.0
        if self.turning_turn is not None:
            words = self._why(self._places(0, width), width)
            head = TURNED + WHY * len(words.lines)
        return head + self.up * PITCH + APART

    def _stacks(self, width: float) -> float:
        return self._above(width) + AXIS + APART + self.down * PITCH

    def height_at(self, width: float) -> float:
        key = KEY if self.is_last else 0.0
        return self._stacks(width) + UNDER + CHART + UNDER + key

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        places = self._places(x, width)
        axis = top - self._above(width)
        if self.turning_turn is not None:
            self._draw_turning(canvas, places, top, x, width)
        self._draw_axis(canvas, places, axis, x, width)
        for half, side in enumerate(self.strip.sides):
            self._draw_names(canvas, half, side, x, axis)
            for column, place in zip(self.columns, places, strict=True):
                self._draw_stack(canvas, column.items[half], half, place.middle, axis)
        self._draw_strength(canvas, places, x, top - self._stacks(width) - UNDER, width)
        if self.is_last:
            # What explains the signs comes once, at the end.
            write(canvas, x, top - self.height_at(width) + 2, EXPLAINED, _NOTE)

    def _places(self, x: float, width: float) -> list[TurnPlace]:
        """The place of each turn; what they leave is shared out among all."""
        widths = [column.width(self.rows) for column in self.columns]
        spare = (width - TITLES - math.fsum(widths)) / len(widths)
        places = []
        left = x + TITLES
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
        left, right = places[self._turning_index]
        low = top - self._stacks(width)
        if not canvas.sparing:
            canvas.setFillColor(TURNED_TINT)
            canvas.rect(left, low, right - left, top - low, stroke=0, fill=1)
        canvas.pen(inks.ACCENT, 1.1)
        canvas.line(left, low, left, top)
        why = self._why(places, x + width)
        begin, head, words = left + 4, _TURNED, _WHY
        if not why.is_right:
            begin = left - 4
            head, words = head._replace(align="right"), words._replace(align="right")
        write(canvas, begin, top - 7, "TURNING POINT", head, track=0.8)
        for number, line in enumerate(why.lines):
            write(canvas, begin, top - 16.5 - number * WHY, line, words)

    @property
    def _turning_index(self) -> int:
        return [column.turn for column in self.columns].index(self.turning_turn or 0)

    def _why(self, places: Sequence[TurnPlace], end: float) -> TurningWords:
        """Right of the line of the turning point, unless there is more room on the left."""
        turning_point = self.strip.turning_point
        assert turning_point is not None
        left = places[self._turning_index].left
        on_right, on_left = end - left - 4, left - 4 - places[0].left
        people = {side.side: side.people for side in self.strip.sides}
        text = f"{people[turning_point.side]} ahead: {turning_point.text}"
        lines = wrapped(text, _WHY, max(on_right, on_left))
        return TurningWords(on_right >= on_left, lines)

    def _draw_axis(
        self,
        canvas: Canvas,
        places: Sequence[TurnPlace],
        axis: float,
        x: float,
        width: float,
    ) -> None:
        low = axis - AXIS
        write(canvas, x, low + 3, "TURN", _CAPTION, track=_TRACK)
        with canvas.bar(x + TITLES, low, width - TITLES, AXIS, inks.BAND):
            for column, place in zip(self.columns, places, strict=True):
                write(canvas, place.middle, low + 3, str(column.turn), _TURN)
        canvas.pen(inks.FAINT, HAIR)
        for place in places:
            canvas.line(place.left, low - 3, place.left, low)
            canvas.line(place.left, axis, place.left, axis + 3)

    def _draw_names(
        self, canvas: Canvas, half: int, side: SideCourse, x: float, axis: float
    ) -> None:
        """The side with its losses, in the middle of its half."""
        look = self.sides[side.side]
        if half == 0:
            level = axis + APART + self.up * PITCH / 2
        else:
            level = axis - AXIS - APART - self.down * PITCH / 2
        room = TITLES - 6
        style = scaled(side.people.upper(), _NAME._replace(ink=look.ink), room, (10, 9, 8, 7))
        write(canvas, x, level + 9, fitted(side.people.upper(), style, room), style)
        if not self.is_first:
            write(canvas, x, level - 2, "continued", _MORE)
            return
        write(canvas, x, level - 3, f"lost {side.lost} of {side.strength}", _LOST)
        count = len(side.casualties)
        units = "1 unit" if count == 1 else f"{count} units"
        write(canvas, x, level - 13, f"{units}, {side.share_lost:.0%}", _MORE)

    def _draw_stack(
        self, canvas: Canvas, items: Sequence[Item], half: int, middle: float, axis: float
    ) -> None:
        """The symbols of a turn, from the line outward, column by column."""
        columns = math.ceil(len(items) / self.rows)
        for number, item in enumerate(items):
            column, row = divmod(number, self.rows)
            left = middle + (column - columns / 2) * COLUMN
            away = APART + (row + 0.5) * PITCH
            level = axis + away
            if half == 1:
                level = axis - AXIS - away
            look = self.sides[self.strip.sides[half].side]
            if isinstance(item, Passage):
                self._draw_passage(canvas, item, look, left, level)
            else:
                self._draw_fallen(canvas, item, look, left, level)

    def _draw_fallen(
        self, canvas: Canvas, fallen: Fallen, look: SideInk, left: float, level: float
    ) -> None:
        casualty = fallen.casualty
        unit = self.catalog.units[casualty.unit]
        canvas.saveState()
        canvas.translate(left + 7, level)
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
        write(canvas, begin, level - 6, cause, _CARD._replace(ink=ink))

    def _draw_passage(
        self, canvas: Canvas, passage: Passage, look: SideInk, left: float, level: float
    ) -> None:
        """An arrow to the line of turns for those who entered, from it for those who exited."""
        enters = passage.way == "entry"
        is_below = passage.side == self.strip.sides[1].side
        # 1 upward, -1 downward.
        direction = 1 if enters == is_below else -1
        canvas.pen(look.ink, NORMAL, look.ink if look.solid and not canvas.sparing else inks.WHITE)
        middle = left + 7
        canvas.shape(
            (middle - 2.4, level - 6 * direction),
            (middle + 2.4, level - 6 * direction),
            (middle + 2.4, level),
            (middle + 5, level),
            (middle, level + 6 * direction),
            (middle - 5, level),
            (middle - 2.4, level),
        )
        word = "enter" if enters else "exit"
        ink = look.ink
        write(canvas, left + 14.4, level + 1, str(len(passage.codes)), _CODE._replace(ink=ink))
        write(canvas, left + 14.4, level - 6, word, _CARD._replace(ink=ink))

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
            rule(canvas, x + TITLES, x + width, height(level), HAIR, ink=inks.FAINT)
            drop = 5.4 if number == 0 else 0.0
            write(canvas, x + TITLES - 3, height(level) - drop + 1, _percent(level), _LEVEL)
        for half, side in enumerate(self.strip.sides):
            look = self.sides[side.side]
            self._key(canvas, side, look, x, top - 21 - 11 * half)
            before = 1.0
            if not self.is_first:
                before = self._share(side, self.columns[0].turn - 1)
            path = canvas.beginPath()
            path.moveTo(places[0].left, height(before))
            for column, place in zip(self.columns, places, strict=True):
                share = self._share(side, column.turn)
                # A loss shows at the end of its turn.
                path.lineTo(place.right, height(before))
                path.lineTo(place.right, height(share))
                before = share
            canvas.saveState()
            canvas.pen(look.ink, 1.6)
            if not look.solid:
                canvas.setDash(4, 1.6)
            canvas.drawPath(path)
            canvas.restoreState()

    def _key(self, canvas: Canvas, side: SideCourse, look: SideInk, x: float, level: float) -> None:
        canvas.saveState()
        canvas.pen(look.ink, HEAVY)
        if not look.solid:
            canvas.setDash(4, 1.6)
        canvas.line(x, level + 2.4, x + 12, level + 2.4)
        canvas.restoreState()
        text = f"{1 - side.share_lost:.0%} {side.people}"
        style = _CODE._replace(size=7.6, ink=look.ink)
        style = scaled(text, style, TITLES - 36, (7.6, 7.2, 6.8))
        write(canvas, x + 15, level, fitted(text, style, TITLES - 36), style)

    def _share(self, side: SideCourse, turn: int) -> float:
        if not side.strength:
            return 1.0
        return side.left[turn - 1] / side.strength

    def _lowest_level(self) -> float:
        """The foot of the chart: a half as long as no side has less."""
        if any(side.share_lost > 0.5 for side in self.strip.sides):
            return 0.0
        return 0.5


def _size(unit: UnitType) -> float:
    """The factor for a symbol: larger for a unit that costs more."""
    return float(min(1.24, 0.84 + 0.09 * float(unit.price) ** 0.5))


def _percent(share: float) -> str:
    return f"{share:.0%}"


def _cause(casualty: Casualty) -> str:
    """``7♥``; in words where no card is known."""
    if casualty.cause == "breakdown":
        return "broke"
    if casualty.cause == "other":
        return "–"
    return _card(casualty.draw)


def _card(draw: Draw | None) -> str:
    if draw is None or not draw.rank:
        return "volley"
    if draw.suit is None:
        return str(draw.rank)  # of a die
    return f"{draw.rank_sign}{_SUITS.get(draw.suit, '')}"  # a typed card may lack its suit
