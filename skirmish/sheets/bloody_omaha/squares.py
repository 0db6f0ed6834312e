"""The map of Bloody Omaha: the Channel above, the beaches, and the squares inland, each a band of
its own tint. On an empty map a square has its name and room for a pencil. Numbers without a name
are points or shares, chosen by eye."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias, cast

from skirmish.games.bloody_omaha.game import LOOKS, MAP, BloodyGame
from skirmish.games.bloody_omaha.ruleset import EVENT, MINES
from skirmish.games.bloody_omaha.state import STRONGPOINT, BloodyState, bag_of, value_of
from skirmish.registry import BLOODY, load
from skirmish.sheets.documents import StoredGame
from skirmish.sheets.inks import Ink, from_hex
from skirmish.sheets.layout.drawing import Canvas, Drawing
from skirmish.sheets.layout.fonts import HEAD, LABEL, MEDIUM
from skirmish.sheets.layout.styles import SMALLEST, Style
from skirmish.sheets.layout.text_lines import fitted, write
from skirmish.sheets.maps.palette import COLOUR, SAVER, MapPalette
from skirmish.sheets.paper import HEAVY, MM, NORMAL, THIN, Leaf
from skirmish.tabletop.ground_colours import GROUND_COLOURS

_BAND_NAME_WIDTH = 5 * MM
"""The width of the names of the bands, left of their squares."""
_ARROWS_HEIGHT = 5 * MM
"""The space between the beaches and the squares inland, for the arrows that lead from one to the
other."""
_REST_OF_PAGE = 100 * MM
"""The height of everything else on the first page."""
_INSET = 1.2 * MM
"""The space from the edge of a square to what stands in it."""
_NAME_HEIGHT = 4 * MM
"""The height that words take at the upper or lower side of a square."""
_TOKEN = 4.2 * MM
"""The side of a token's box."""
_UNIT_WIDTH, _UNIT_HEIGHT = 5.4 * MM, 4 * MM
"""The size of a unit's box."""
_UNITS_IN_ROW = 3
"""Boxes of units beside one another in a square."""
_MOST_UNITS = 2 * _UNITS_IN_ROW
"""Of more units a square has a single box with their number."""
_BAND_NAME = Style(HEAD, 8.4, 8.4, "centre")
_SQUARE_NAME = Style(LABEL, 7.6, 7.6)
_EXIT_NAME = Style(HEAD, 9, 9, "right")
_SMALL_WORDS = Style(MEDIUM, SMALLEST, SMALLEST, "centre")
_VALUE = Style(LABEL, 7.4, 7.4, "centre")
_FACE_DOWN = "?"
_VALUE_SIGNS = {MINES: "m", EVENT: "e"}
"""What is written on a token that lies face up, by its value; numbers stand for themselves."""


Ground: TypeAlias = Literal["sea", "beach", "grass"]
"""What a band of the map is drawn as; grass is that of the squares inland."""


class SquareBand(NamedTuple):
    """Rows of squares with the same ground."""

    name: str
    rows: Sequence[Sequence[str]]
    ground: Ground

    @property
    def is_inland(self) -> bool:
        """Whether its squares are inland, where the board has something printed on each."""
        return self.ground == "grass"


class UnitBox(NamedTuple):
    """What stands in the box of a unit; that of a tank is rounded."""

    text: str
    is_tank: bool


def drawings(leaf: Leaf, game: StoredGame | None) -> Mapping[str, Sequence[Drawing]]:
    """The map as the game stands; without a game one with nothing on it but its names."""
    if game is not None:
        state = game.play.state
    else:
        state = cast("BloodyGame", load(BLOODY.id)).empty_state()
    return {MAP: [SquareMap(state, leaf.depth - _REST_OF_PAGE, is_empty=game is None)]}


class SquareMap(Drawing):
    """Squares as large as the width or ``tallest`` points allow."""

    def __init__(self, state: BloodyState, tallest: float, *, is_empty: bool = False) -> None:
        self.state, self.tallest, self.is_empty = state, tallest, is_empty
        board = state.rules.board
        sea = board.sea.rows
        if board.landward:
            # The rows of the Channel begin beside the beach: the first is drawn lowest.
            sea = tuple(reversed(sea))
        self.bands = (
            SquareBand("The Channel", sea, "sea"),
            SquareBand("Beach", (board.beaches,), "beach"),
            SquareBand("Inland", board.land.rows, "grass"),
        )
        # ``board.columns`` are those at sea and on the beaches, ``board.width`` those inland.
        self.columns = max(board.columns, board.width)
        self.rows = sum(len(band.rows) for band in self.bands)

    def side(self, width: float) -> float:
        """The side of a square in points."""
        return min(
            (width - _BAND_NAME_WIDTH) / self.columns, (self.tallest - _ARROWS_HEIGHT) / self.rows
        )

    def height_at(self, width: float) -> float:
        return self.rows * self.side(width) + _ARROWS_HEIGHT

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        side = self.side(width)
        palette = COLOUR
        if canvas.sparing:
            palette = SAVER
        corners: dict[str, tuple[float, float]] = {}
        left = x + _BAND_NAME_WIDTH + (width - _BAND_NAME_WIDTH - self.columns * side) / 2
        for band in self.bands:
            if band.is_inland:
                top -= _ARROWS_HEIGHT
            tall = len(band.rows) * side
            # The letters reach to the left of the line on which they stand: it is a little to the
            # right of the middle of the margin.
            _write_upward(canvas, left - _BAND_NAME_WIDTH / 3, top - tall / 2, band.name)
            for row in band.rows:
                top -= side
                corners_of_row = self._corners_of_row(row, left, top, side)
                for square, corner in corners_of_row.items():
                    pen = _SquarePen(canvas, palette, corner, side)
                    self._paint_square(pen, band, square)
                corners.update(corners_of_row)
        self._paint_arrows(canvas, palette, corners, side)

    def _corners_of_row(
        self, row: Sequence[str], left: float, low: float, side: float
    ) -> dict[str, tuple[float, float]]:
        """The lower left corner of each square of a row. ``left``: the left end of the longest row,
        in whose middle a shorter one stands."""
        left_of_row = left + (self.columns - len(row)) * side / 2
        corners = {}
        for column, square in enumerate(self._from_west(row)):
            corners[square] = (left_of_row + column * side, low)
        return corners

    def _tint(self, band: SquareBand, square: str) -> Ink | None:
        """The colour that a square inland has on every screen, by what is printed on it; None for
        any other square, and where nothing is known of it yet."""
        if self.is_empty or not band.is_inland:
            return None
        printed = self.state.square(square)
        if printed is None:
            return None
        colours = GROUND_COLOURS[LOOKS[printed.kind].ground]
        hex_digits = colours.light.code.removeprefix("#")
        return from_hex(hex_digits)

    def _from_west(self, row: Sequence[str]) -> Sequence[str]:
        """The squares of a row from left to right: north is above, so the west is at the left."""
        # A negative ``east``: the squares of a row are numbered from east to west.
        if self.state.rules.board.east < 0:
            return row[::-1]
        return row

    def _paint_square(self, pen: _SquarePen, band: SquareBand, square: str) -> None:
        """A square with what is printed and what lies on it; on an empty sheet only its name and,
        on a beach, the box for its gap."""
        tint = None
        if not pen.canvas.sparing:
            tint = self._tint(band, square)
        pen.ground(band.ground, tint)
        pen.name(square)
        if square in self.state.rules.board.beaches:
            pen.gap(blown=not self.is_empty and self.state.has_gap(square))
        if self.is_empty:
            return
        printed = self.state.square(square)
        if printed is not None:
            pen.printed(printed.kind, printed.exit, has_town=printed.town)
            pen.tokens(self.state.tokens(square))
        pen.units(list(self._unit_boxes(square)), self._height_of_name(square))

    def _height_of_name(self, square: str) -> float:
        """The height of the name of a square; on a beach the box for its gap is beside it."""
        if square in self.state.rules.board.beaches:
            return _INSET + _TOKEN + 0.8 * MM
        return _NAME_HEIGHT

    def _unit_boxes(self, square: str) -> Iterator[UnitBox]:
        """A box with the strength of each unit on a square, then of each tank."""
        for unit in self.state.units(square):
            yield UnitBox(str(self.state.strength(unit)), is_tank=False)
        for tank in self.state.tanks():
            if tank.place == square:
                yield UnitBox(str(self.state.strength(tank)), is_tank=True)

    def _paint_arrows(
        self,
        canvas: Canvas,
        palette: MapPalette,
        corners: Mapping[str, tuple[float, float]],
        side: float,
    ) -> None:
        """Arrows from the lower side of each beach to the upper side of the squares that it leads
        to. Which these are is printed on the board alone: an owner types it in."""
        if self.is_empty:
            return
        for beach, squares in self.state.owned.squares_by_beach.items():
            for square in squares:
                start_x, start_y = corners[beach]
                end_x, end_y = corners[square]
                start = (start_x + side / 2, start_y)
                # An arrow from the left ends left of the middle, so that two arrows to the same
                # square end beside one another.
                end = (end_x + side / 2 + (start_x - end_x) * 0.4, end_y + side)
                _arrow(canvas, palette.ink, start, end)


class _SquarePen:
    """Draws one square and what is in it; ``corner``: its lower left corner."""

    def __init__(
        self, canvas: Canvas, palette: MapPalette, corner: tuple[float, float], side: float
    ) -> None:
        self.canvas, self.palette, self.side = canvas, palette, side
        self.left, self.low = corner
        self.right, self.high = self.left + side, self.low + side

    def ground(self, ground: Ground, tint: Ink | None) -> None:
        """The ground, in the ``tint`` of the square; None: in that of its band. Where ink is
        spared, only the pattern tells the bands apart."""
        inks = {
            "sea": self.palette.sea,
            "beach": self.palette.beach,
            "grass": self.palette.grass,
        }
        filling = tint
        if tint is None:
            filling = inks[ground]
        self.canvas.pen(self.palette.frame, NORMAL, filling)
        self.canvas.rect(self.left, self.low, self.side, self.side, fill=1)
        if ground == "sea":
            self._waves()
        elif ground == "beach":
            self._sand()

    def _waves(self) -> None:
        """Two rows of waves at the foot of a square at sea, two waves of 3.4 points in each."""
        self.canvas.pen(self.palette.sea_line, THIN)
        wave = self.canvas.beginPath()
        for line in (1, 2):
            y = self.low + line * 1.1 * MM
            # The upper wave is a little to the right of the lower one.
            start = self.left + self.side * (0.54 + 0.08 * line)
            wave.moveTo(start, y)
            for _ in range(2):
                wave.curveTo(start + 1, y + 1.4, start + 2.4, y + 1.4, start + 3.4, y)
                start += 3.4
        self.canvas.drawPath(wave)

    def _sand(self) -> None:
        """Dots for sand, by turns lower and higher, in the corner of a square of the beach."""
        self.canvas.pen(self.palette.beach_line, NORMAL)
        self.canvas.saveState()
        self.canvas.setLineCap(1)
        for column in range(6):
            x = self.right - _INSET - column * 1.3 * MM
            y = self.low + _INSET + (column % 2) * 1.1 * MM
            # A line of no length would not be drawn; with round ends this one is a dot.
            self.canvas.line(x, y, x + 0.01, y)
        self.canvas.restoreState()

    def name(self, square: str) -> None:
        self._write(self.left + _INSET, self.high - 2.8 * MM, square, _SQUARE_NAME)

    def gap(self, *, blown: bool) -> None:
        """A box to tick once the obstacle of a beach has a gap."""
        left, low = self.right - _INSET - _TOKEN, self.high - _INSET - _TOKEN
        self.canvas.pen(self.palette.ink, NORMAL, self.palette.paper)
        self.canvas.rect(left, low, _TOKEN, _TOKEN, fill=1)
        if blown:
            self._cross(left, low, self.palette.accent)
        label = _SMALL_WORDS._replace(align="right")
        self._write(left - 0.8 * MM, low + 1.2 * MM, "gap", label)

    def _cross(self, x: float, y: float, ink: Ink) -> None:
        """A cross over a box as large as a token's, with this lower left corner."""
        self.canvas.pen(ink, HEAVY)
        self.canvas.line(x, y, x + _TOKEN, y + _TOKEN)
        self.canvas.line(x, y + _TOKEN, x + _TOKEN, y)

    def printed(self, kind: str, exit_name: str, *, has_town: bool) -> None:
        """What is printed on a square inland."""
        self._write(self.right - _INSET, self.high - 3.2 * MM, exit_name, _EXIT_NAME)
        words = kind
        if has_town and kind != "town":
            words = f"{kind}, town"
        words = fitted(words, _SMALL_WORDS, self.side - 2 * _INSET)
        self._write(self.left + self.side / 2, self.low + 1.1 * MM, words, _SMALL_WORDS)

    def tokens(self, tokens: Sequence[str]) -> None:
        """Encounters as circles, strongpoints as squares; those that lie face up have their
        values."""
        x, y = self.left + _INSET, self.low + _NAME_HEIGHT
        for token in tokens:
            bag, value = bag_of(token), value_of(token)
            sign = _FACE_DOWN
            # A token that lies face down has no value.
            if value:
                sign = _VALUE_SIGNS.get(value, value)
            self.canvas.pen(self.palette.ink, NORMAL, self.palette.paper)
            if bag == STRONGPOINT:
                self.canvas.rect(x, y, _TOKEN, _TOKEN, fill=1)
            else:
                half = _TOKEN / 2
                self.canvas.circle(x + half, y + half, half, fill=1)
            sign = fitted(sign, _VALUE, _TOKEN)
            self._write(x + _TOKEN / 2, y + 0.28 * _TOKEN, sign, _VALUE)
            x += _TOKEN + 0.8 * MM

    def units(self, boxes: Sequence[UnitBox], height_of_name: float) -> None:
        """The boxes of the units, below the name of the square; a single box with their number
        where there are too many."""
        if len(boxes) > _MOST_UNITS:
            boxes = [UnitBox(f"×{len(boxes)}", is_tank=False)]
        for index, box in enumerate(boxes):
            row, column = divmod(index, _UNITS_IN_ROW)
            x = self.left + _INSET + column * (_UNIT_WIDTH + 0.3 * MM)
            upper = self.high - height_of_name - row * (_UNIT_HEIGHT + 0.4 * MM)
            y = upper - _UNIT_HEIGHT
            rounding = 0.0
            if box.is_tank:
                rounding = _UNIT_HEIGHT / 2
            self.canvas.pen(self.palette.ink, HEAVY, self.palette.paper)
            self.canvas.roundRect(x, y, _UNIT_WIDTH, _UNIT_HEIGHT, rounding, fill=1)
            self._write(x + _UNIT_WIDTH / 2, y + 0.27 * _UNIT_HEIGHT, box.text, _VALUE)

    def _write(self, x: float, y: float, text: str, style: Style) -> None:
        if text:
            write(self.canvas, x, y, text, style._replace(ink=self.palette.ink))


def _write_upward(canvas: Canvas, x: float, middle: float, text: str) -> None:
    """Text that runs upward, so that it is read from the right side of the page; ``middle`` is the
    height of its middle."""
    canvas.saveState()
    canvas.translate(x, middle)
    canvas.rotate(90)
    write(canvas, 0, 0, text.upper(), _BAND_NAME, track=0.7)
    canvas.restoreState()


def _arrow(canvas: Canvas, ink: Ink, start: tuple[float, float], end: tuple[float, float]) -> None:
    """A line with a head at its end. The head points straight down, as the squares inland are below
    the beaches."""
    canvas.pen(ink, NORMAL, ink)
    canvas.line(*start, *end)
    head = canvas.beginPath()
    x, y = end
    head.moveTo(x, y)
    head.lineTo(x - 1.8, y + 4)
    head.lineTo(x + 1.8, y + 4)
    head.close()
    canvas.drawPath(head, stroke=0, fill=1)
