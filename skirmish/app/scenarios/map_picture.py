"""The map on the screen: a raster of the vectors used on paper, two squares to a character in half
blocks; characters where there are no colours. Begin with ``picture`` for the map alone, and with
``board_map`` for the map in its frame; ``page_panel`` adds the key and the note."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from textual.content import Content
from textual.geometry import Size

from skirmish.app.host import Host
from skirmish.app.scenarios.map_raster import (
    INKS_OF_16,
    LOOKS,
    GroundsOfCharacter,
    Raster,
)
from skirmish.app.scenarios.map_signs import CellPlace, MapSign, SignSet, sign_of_mark, signs_on
from skirmish.app.themes import ANSI_NAMES
from skirmish.games.plastic.scenarios.entries import ZoneEntry
from skirmish.games.plastic.scenarios.grid import FOOT
from skirmish.games.plastic.scenarios.laying import kind_name
from skirmish.games.plastic.scenarios.order_of_battle import ScenarioContingent, ScenarioSide
from skirmish.games.plastic.scenarios.scenario import Scenario, TableSize
from skirmish.tabletop.battlefield import Battlefield
from skirmish.tabletop.side_colours import SIDE_COLOURS, STANDARD, Shade, SideSigns, looks

BRIGHT_FROM = 0.179
"""The luminance from which on black has more contrast than white. The contrast that WCAG defines is
the same for both where (L + 0.05) / 0.05 equals 1.05 / (L + 0.05)."""
KEY_ROWS = 4
"""Rows kept for the key below the map."""
FEWEST_COLUMNS = 24
"""The columns that a map has even if it then has more rows than there is room for."""
FRAME = 2
"""Rows and columns that the frame takes."""
FRAME_STYLE = "$foreground 60%"
OF_16_COLOURS = "standard"
"""The name that Rich has for the colours of a terminal of 16."""
UPPER_HALF = "▀"
"""The upper half of a block: its own colour is that of the upper square of a character, the colour
behind it that of the lower one."""
BARE_GROUND = " "
"""The character of ground on which there is nothing; the key leaves it out."""
BETWEEN_ENTRIES = "   "
"""Stands between two entries of the key in one row."""


class PaintedCell(NamedTuple):
    """A character of the map, and the style in which it is painted."""

    sign: str
    style: str


class MapInks(NamedTuple):
    """How a map is shown."""

    on_paper: bool
    """Whether the colours are those on paper, for a light theme; else those by night, for a dark
    one."""
    plain: bool
    """Whether ground is shown by characters instead of colours: on terminals of 16 colours or none,
    and in ASCII."""
    colours: str | None = None
    """The name that Rich has for the colours of the terminal, such as ``256``; None: unknown."""
    measured: Callable[[str], str] = str
    """Gives distances in the players' unit."""
    sixteen_colours: Sequence[str] = ()
    """The 16 colours in which a plain map may be painted, by their numbers; empty where there are
    no colours, or more than 16."""

    def style_of_ground(self, kind: str) -> str:
        """The style of the character of a kind of ground on a plain map."""
        if not self.sixteen_colours or kind not in INKS_OF_16:
            return ""
        ink = INKS_OF_16[kind]
        if self.on_paper:
            return self.sixteen_colours[ink.on_paper]
        return self.sixteen_colours[ink.by_night]

    def style_of_side(self, shade: Shade) -> str:
        """The style of a character of a side on a plain map. If the map has colours, it stands on
        that of its side, and has itself the colour of the terminal's background."""
        if not self.sixteen_colours:
            return "bold"
        return f"bold reverse {self.sixteen_colours[shade.of_16]}"


def inks_of(app: Host) -> MapInks:
    """How the app shows a map now."""
    return MapInks(
        on_paper=not app.current_theme.dark,
        plain=app.draws_plainly or app.colours == OF_16_COLOURS,
        colours=app.colours,
        measured=app.measured,
        sixteen_colours=_sixteen_colours(app),
    )


def _sixteen_colours(app: Host) -> Sequence[str]:
    """The 16 colours of a plain map; empty where there are no colours, or more than 16."""
    if app.no_color:
        return ()
    if app.native_ansi_color:
        # The app leaves the colours to the terminal, and only names them.
        return ANSI_NAMES
    if app.colours == OF_16_COLOURS:
        return STANDARD
    return ()


def picture(scenario: Scenario, columns: int, inks: MapInks) -> list[Content]:
    """The scenario's map in so many columns; empty if it has none."""
    if scenario.map is None:
        return []
    return MapDrawing(scenario, scenario.map, columns, inks).lines()


def rows_of_map(table: TableSize, columns: int) -> int:
    """How many rows a map of so many columns has. A square is as wide as a column, and a row shows
    two squares, one above the other."""
    inches_of_square = table.width_in / columns
    squares_upward = round(table.depth_in / inches_of_square)
    return math.ceil(squares_upward / 2)


def columns_of_map(table: TableSize, columns: int, rows: int) -> int:
    """The most columns of a map that has no more than so many ``columns`` and ``rows``; never fewer
    than ``FEWEST_COLUMNS``, even if there is less room."""
    widest = round(table.width_in / table.depth_in * 2 * rows)  # a row shows two squares
    return max(FEWEST_COLUMNS, min(columns, widest))


def board_map(scenario: Scenario, room: Size, inks: MapInks) -> Content:
    """The framed map in so many columns and rows at most; empty if the scenario has none."""
    if scenario.map is None:
        return Content("")
    return Content("\n").join(board_drawing(scenario, scenario.map, room, inks).framed())


def board_drawing(scenario: Scenario, field: Battlefield, room: Size, inks: MapInks) -> MapDrawing:
    """The map of a scenario, as large as it fits in so many columns and rows with its frame."""
    columns = columns_of_map(scenario.table, room.width - FRAME, room.height - FRAME)
    return MapDrawing(scenario, field, columns, inks)


class EdgeSigns(NamedTuple):
    """The signs of the upper or the lower edge of the frame."""

    left_corner: str
    along: str
    """What the edge is drawn with."""
    tick: str
    """Stands between two feet."""
    right_corner: str


class MapFrame(NamedTuple):
    """The frame of a map."""

    top: str
    """The row above the map."""
    bottom: str
    row_end: str
    """Stands at both ends of a row of the map."""
    number_by_row: Mapping[int, str]
    """The rows that are in the middle of a foot, with its number, which stands at both ends
    instead."""


class SignMeaning(NamedTuple):
    """A sign on the map, and what it stands for, as the key says it."""

    sign: str
    meaning: str


UPPER_EDGE = EdgeSigns("┌", "─", "┬", "┐")
LOWER_EDGE = EdgeSigns("└", "─", "┴", "┘")
ROW_END = "│"
ASCII_EDGE = EdgeSigns("+", "-", "+", "+")
ASCII_ROW_END = "|"


class MapDrawing:
    """A map of a scenario in so many ``columns``: its ground, and what is written on it."""

    def __init__(self, scenario: Scenario, field: Battlefield, columns: int, inks: MapInks) -> None:
        self.scenario, self.field, self.inks = scenario, field, inks
        self.raster = Raster.of_battlefield(field, scenario.table, columns)
        self.sides = _signs_of_sides(scenario)
        """The colour and the signs of each side, by its id."""
        ground_signs: frozenset[str] = frozenset()
        if inks.plain:
            ground_signs = frozenset(LOOKS[kind].sign for kind in self.kinds)
        solid_by_side = {side: signs.solid for side, signs in self.sides.items()}
        self.sign_set = SignSet(
            only_ascii=inks.plain,
            solid_by_side=solid_by_side,
            measured=inks.measured,
            ground_signs=ground_signs,
        )
        self.signs = signs_on(field, self.raster, self.sign_set)
        """What is written on the ground, by the place of its cell."""

    @property
    def kinds(self) -> list[str]:
        """The kinds of ground that show somewhere, in the order in which they appear."""
        kinds: dict[str, None] = {}  # a set that keeps the order
        for row in self.raster.rows:
            kinds |= dict.fromkeys(row)
        return list(kinds)

    def lines(self) -> list[Content]:
        """The map itself, a row for each two of its raster."""
        return [_in_runs(cells) for cells in self.cells()]

    def cells(self) -> list[list[PaintedCell]]:
        """The characters of the map with their styles, row by row."""
        rows = []
        # A large map has ten thousand cells, but few pairs of grounds: each pair is made once.
        blocks: dict[GroundsOfCharacter, PaintedCell] = {}
        for row in range(self.raster.character_rows):
            cells: list[PaintedCell] = []
            for column in range(self.raster.columns):
                sign = self.signs.get(CellPlace(row, column))
                grounds = self.raster.grounds_of_character(row, column)
                # Where one character stands for both squares, one of them decides: the upper on a
                # plain map, the lower for the colour behind a sign.
                if self.inks.plain:
                    cells.append(self._plain_cell(sign, grounds.above))
                elif sign is None:
                    if grounds not in blocks:
                        blocks[grounds] = self._block(grounds)
                    cells.append(blocks[grounds])
                else:
                    cells.append(PaintedCell(sign.sign, self._style_of_sign(sign, grounds.below)))
            rows.append(cells)
        return rows

    def _block(self, grounds: GroundsOfCharacter) -> PaintedCell:
        """A character that shows the ground of both squares."""
        upper = self._colour_of_ground(grounds.above)
        lower = self._colour_of_ground(grounds.below)
        return PaintedCell(UPPER_HALF, f"{upper} on {lower}")

    def _plain_cell(self, sign: MapSign | None, ground: str) -> PaintedCell:
        """A character of a plain map: what is written there, else the character of the ground."""
        if sign is None:
            return PaintedCell(LOOKS[ground].sign, self.inks.style_of_ground(ground))
        if sign.side:
            shade = _shade_of(self.sides[sign.side], self.inks)
            return PaintedCell(sign.sign, self.inks.style_of_side(shade))
        return PaintedCell(sign.sign, "")

    def _style_of_sign(self, sign: MapSign, below: str) -> str:
        """Black or white, whichever can be read on what lies behind it: the colour of its side, a
        kind of ground of its own, or else the ground of the map."""
        if sign.side:
            return _readable_on(self._colour_of_side(sign.side))
        return _readable_on(self._colour_of_ground(sign.ground or below))

    def _colour_of_ground(self, kind: str) -> str:
        return LOOKS[kind].colour(paper=self.inks.on_paper, colours=self.inks.colours)

    def _colour_of_side(self, side: str) -> str:
        return _shade_of(self.sides[side], self.inks).shown(self.inks.colours)

    # ------------------------------------------------------------------ the frame

    def framed(self) -> list[Content]:
        """The map in its frame, which letters the feet across and numbers those upward."""
        frame = self.frame()
        rows = [Content.styled(frame.top, FRAME_STYLE)]
        for row, line in enumerate(self.lines()):
            edge = (frame.number_by_row.get(row, frame.row_end), FRAME_STYLE)
            rows.append(Content.assemble(edge, line, edge))
        rows.append(Content.styled(frame.bottom, FRAME_STYLE))
        return rows

    def frame(self) -> MapFrame:
        """What stands around the map."""
        upper, lower, row_end = UPPER_EDGE, LOWER_EDGE, ROW_END
        if self.inks.plain:
            upper, lower, row_end = ASCII_EDGE, ASCII_EDGE, ASCII_ROW_END
        top = self._edge(upper, self.scenario.table.up)
        bottom = self._edge(lower, compass_point="")
        return MapFrame(top, bottom, row_end, self._numbers_of_rows())

    def _edge(self, signs: EdgeSigns, compass_point: str) -> str:
        """The upper or the lower edge, with a tick for each foot and its letter, and with the
        compass point if there is one."""
        columns, width = self.raster.columns, self.scenario.table.width_in
        edge = [signs.along] * columns
        middles = _middles_of_feet(width)
        for foot, middle in enumerate(middles):
            if foot > 0:  # the first one begins at the corner, which has a sign of its own
                last_column_of_foot_before = round(foot * FOOT / width * columns) - 1
                edge[last_column_of_foot_before] = signs.tick
            middle_column = min(int(middle / width * columns), columns - 1)
            edge[middle_column] = chr(ord("A") + foot)
        if compass_point:
            column = self._column_of_compass(len(middles))
            # Two characters, so that the edge stays as long as it is.
            edge[column : column + 2] = [compass_point, self._arrow_up()]
        return signs.left_corner + "".join(edge) + signs.right_corner

    def _column_of_compass(self, feet: int) -> int:
        """Where the compass point and its arrow stand in the upper edge: in the middle, between two
        feet. With an odd number of feet the letter of one is there, and they stand at the end."""
        if feet % 2 == 0:
            return self.raster.columns // 2 - 1
        return self.raster.columns - 2

    def _arrow_up(self) -> str:
        if self.inks.plain:
            return "^"
        return "↑"

    def _numbers_of_rows(self) -> dict[int, str]:
        """The numbers of the feet, counted from the bottom, by the row in which each stands."""
        depth, rows = self.scenario.table.depth_in, self.raster.character_rows
        numbers = {}
        for number, middle in enumerate(_middles_of_feet(depth), 1):
            from_top = depth - middle
            row = min(int(from_top / depth * rows), rows - 1)
            numbers[row] = str(number)
        return numbers

    # ------------------------------------------------------------------ the key

    def key(self) -> list[Content]:
        """An entry for each thing that is drawn: kinds of ground, pieces of no side, then what
        belongs to each side."""
        entries = list(self._key_of_ground())
        # Each only once, in the order in which the map has them.
        for piece in dict.fromkeys(_pieces_of(self.field, None)):
            entries.append(Content.assemble((f" {piece.sign} ", "bold"), piece.meaning))
        for side in self.scenario.sides:
            entries += self._key_of_side(side)
        return entries

    def _key_of_ground(self) -> Iterator[Content]:
        """The kinds of ground, each by its character or else by its colour."""
        for kind in self.kinds:
            name = kind.replace("_", " ")
            if not self.inks.plain:
                # On the ground of the table, as on the map: a light road is not seen on a light
                # screen, nor a dark wall on a dark one.
                table_colour = self._colour_of_ground(self.field.ground)
                swatch = f"{self._colour_of_ground(kind)} on {table_colour}"
                yield Content.assemble(("▄▄", swatch), f" {name}")
                continue
            sign = LOOKS[kind].sign
            if sign != BARE_GROUND:
                style = f"bold {self.inks.style_of_ground(kind)}".rstrip()
                yield Content.assemble((sign, style), f" {name}")

    def _key_of_side(self, side: ScenarioSide) -> Iterator[Content]:
        """The sign of a side, then its signs on the map; nothing of a side that has none there."""
        signs_on_map = list(self._signs_with_meaning(side))
        if not signs_on_map:
            return
        yield self._sample(side, SignMeaning(self.sides[side.id].sign, side.name))
        for sign in signs_on_map:
            yield self._sample(side, sign)

    def _signs_with_meaning(self, side: ScenarioSide) -> Iterator[SignMeaning]:
        """The signs of a side that stand on the map."""
        drawn = {sign.sign for sign in self.signs.values() if sign.side == side.id}
        for letter in dict.fromkeys(zone.letter for zone in self.field.zones):
            if letter in drawn:
                yield SignMeaning(letter, _zone_name(side, letter))
        yield from dict.fromkeys(_pieces_of(self.field, side.id))
        for arrow in self.field.arrows:
            head = self.sign_set.head(arrow)
            if arrow.side == side.id and head in drawn:
                yield SignMeaning(head, "moves this way")
                break  # its other arrows mean the same, and only point elsewhere

    def _sample(self, side: ScenarioSide, entry: SignMeaning) -> Content:
        """An entry of the key: a sign of a side as it looks on the map, and what it means."""
        sign, meaning = entry
        if self.inks.plain:
            # On the map a side has only letters. Its own sign, ■ or ○, is not in ASCII.
            plain_sign = sign.replace("■", "#").replace("○", "o")
            style = self.inks.style_of_side(_shade_of(self.sides[side.id], self.inks))
            return Content.assemble((plain_sign, style), f" {meaning}")
        style = _readable_on(self._colour_of_side(side.id))
        return Content.assemble((f" {sign} ", style), f" {meaning}")


def _middles_of_feet(length: float) -> list[float]:
    """The middle of each foot along an edge of that length, all in inches. The last foot may be
    only a part of one."""
    middles = []
    for foot in range(math.ceil(length / FOOT)):
        begin, end = foot * FOOT, min((foot + 1) * FOOT, length)
        middles.append((begin + end) / 2)
    return middles


def _pieces_of(field: Battlefield, side: str | None) -> Iterator[SignMeaning]:
    """The pieces that are marked on the map: those of a side or, for None, those of neither."""
    for mark in field.marks:
        sign = sign_of_mark(mark)
        if mark.side == side and sign:
            yield SignMeaning(sign, kind_name(mark.kind))


def _zone_name(side: ScenarioSide, letter: str) -> str:
    """The contingents that set up in a zone; its letter if it is for none of them."""
    names = []
    for contingent in side.contingents:
        if _zone_of(contingent) == letter:
            names.append(contingent.name_in_words)
    return ", ".join(names) or f"zone {letter}"


def _zone_of(contingent: ScenarioContingent) -> str:
    """The letter of the zone in which a contingent sets up; empty if it has none."""
    if isinstance(contingent.entry, ZoneEntry):
        return contingent.entry.zone
    return ""


def _in_runs(cells: Iterable[PaintedCell]) -> Content:
    """A row of the map. Neighbours of the same style become one piece, since each piece costs time
    to paint."""
    pieces = []
    for style, run in groupby(cells, key=attrgetter("style")):
        pieces.append(("".join(cell.sign for cell in run), style))
    return Content.assemble(*pieces)


def _signs_of_sides(scenario: Scenario) -> dict[str, SideSigns]:
    """The signs of both sides, by their ids: those of one are solid, those of the other hollow."""
    order = scenario.order_of_play()
    return dict(zip(order, looks(*order), strict=True))


def _shade_of(signs: SideSigns, inks: MapInks) -> Shade:
    """The colour of a side, by night or on paper."""
    colours = SIDE_COLOURS[signs.name]
    if inks.on_paper:
        return colours.light
    return colours.dark


def in_rows(entries: Sequence[Content], columns: int) -> list[Content]:
    """Short entries, such as those of a key, in rows of so many columns; none of them is broken."""
    rows: list[Content] = []
    for entry in entries:
        if rows:
            longer_row = Content.assemble(rows[-1], BETWEEN_ENTRIES, entry)
            if longer_row.cell_length <= columns:
                rows[-1] = longer_row
                continue
        rows.append(entry)
    return rows


def _readable_on(colour: str) -> str:
    """The style of a sign in black or white, whichever can be read on this colour."""
    ink = "#ffffff"
    if _is_bright(colour):
        ink = "#000000"
    return f"bold {ink} on {colour}"


def _is_bright(colour: str) -> bool:
    """Whether black is easier to read than white on a colour such as ``#39432a``, by the contrast
    and the relative luminance that WCAG defines."""
    hex_digits = colour.removeprefix("#")
    red, green, blue = (_linear(part / 255) for part in bytes.fromhex(hex_digits))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue > BRIGHT_FROM


def _linear(part: float) -> float:
    """The light of a part of a colour, from the number that stands for it (the curve of sRGB)."""
    if part <= 0.04045:
        return part / 12.92
    return float(((part + 0.055) / 1.055) ** 2.4)
