"""The map of the workshop with the cursor on it: its keys, its clicks, and how it is painted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import attrgetter
from typing import ClassVar, Literal, NamedTuple, TypeAlias, cast

from rich.segment import Segment
from rich.style import Style
from textual.binding import BindingType
from textual.events import Click, Key
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from skirmish.app.binding import keys
from skirmish.app.host import Host
from skirmish.app.scenarios.map_picture import (
    FRAME,
    MapDrawing,
    PaintedCell,
    columns_of_map,
    inks_of,
)
from skirmish.app.scenarios.map_signs import SQUARES_IN_CELL, CellPlace, cell_of
from skirmish.app.workshop.clickable_keys import SIGN_OF_KEY
from skirmish.app.workshop.map_tool import (
    COARSE_STEP,
    FINE_STEP,
    KINDS,
    SIZE_STEP,
    TURN_STEP,
    FeatureKind,
    Laying,
    LayingDetails,
    MapTool,
)
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.workshop.draft import map_of
from skirmish.tabletop import map_motions, plane
from skirmish.tabletop.battlefield import (
    Area,
    Arrow,
    Battlefield,
    Building,
    Circle,
    Dimension,
    Line,
    MapPart,
    Slope,
    Zone,
)
from skirmish.tabletop.plane import Path, Point

MapRequest: TypeAlias = Literal["place", "values", "mirror", "weapon"]
"""What the board asks the screen for: a place to go to, the values of what is taken, a way to
mirror the map, a weapon whose range is shown."""
MARKED = "bold #000000 on #e0a458"
"""The style of the cursor and of what is laid or taken."""
MARKED_WITHOUT_COLOURS = "bold reverse"
"""The same on a plain map, whose ground is shown by characters."""
KINDS_WITH_DETAILS = ("zone", "arrow", "mark", "name", "distance")
"""Kinds of which more than places must be known before they are laid."""
RINGS = (6, 12, 24, 36)
"""Inches of the range rings that belong to no weapon: from half a foot to a yard."""
RING_POINTS_PER_INCH = 6
"""Markers of a ring for each inch of its radius: nearly one for each inch around it."""
OUTLINE_STEP = 1.0
"""Inches between the markers of a line."""
DEGREES_OF_KEY = {"[": -TURN_STEP, "]": TURN_STEP}
"""By how many degrees keys turn what is taken or laid."""
DIRECTIONS: dict[str, Point] = {"left": (-1, 0), "right": (1, 0), "up": (0, 1), "down": (0, -1)}
"""Where keys move the cursor: how many steps across and upward."""


class MarkerSigns(NamedTuple):
    """The characters that mark the cursor, corners, and the lines between them."""

    cursor: str
    corner: str
    line: str


MARKER_SIGNS = MarkerSigns("╋", "◆", "•")
ASCII_MARKER_SIGNS = MarkerSigns("+", "O", ".")


class MapPainting(NamedTuple):
    """The map as it is stored, painted without the markers over it."""

    drawing: MapDrawing
    """It has the frame, and the raster by which a place of the table is found on the screen."""
    rows: list[list[PaintedCell]]
    """The cells of the drawing, row by row."""


class MapBoard(Widget, can_focus=True):
    """The map in its frame, with the cursor. Keys and clicks become calls of the ``tool``. A
    changed map goes out as a message, and comes back by ``show`` once the screen has taken it."""

    # Each row: id, keys, action, label at the foot, words of the help.
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "workshop-map",
        ("left", "left", "step('left')", "", "Move the cursor to the left"),
        ("right", "right", "step('right')", "", "Move the cursor to the right"),
        ("up", "up", "step('up')", "", "Move the cursor up"),
        ("down", "down", "step('down')", "", "Move the cursor down"),
        ("far_left", "shift+left", "stride('left')", "", "Half a foot to the left"),
        ("far_right", "shift+right", "stride('right')", "", "Half a foot to the right"),
        ("far_up", "shift+up", "stride('up')", "", "Half a foot up"),
        ("far_down", "shift+down", "stride('down')", "", "Half a foot down"),
        ("left_edge", "home", "edge('left')", "", "To the left edge of the table"),
        ("right_edge", "end", "edge('right')", "", "To the right edge of the table"),
        ("upper_edge", "pageup", "edge('up')", "", "To the upper edge of the table"),
        ("lower_edge", "pagedown", "edge('down')", "", "To the lower edge of the table"),
        ("enter", "enter", "enter", "", "Set a corner, end it, or put a feature down"),
        ("take", "space", "take", "", "Take the feature below the cursor, then the next"),
        ("go", "g", "go", "", "Go to a place such as E3 or 54,31"),
        ("rings", "semicolon", "rings", "", "Range rings around the cursor"),
        ("weapon", "colon", "weapon", "", "Range rings of a weapon"),
        ("sight", "apostrophe", "sight", "", "A line of sight from here"),
        ("mirror", "m", "mirror", "", "Mirror what is taken, or mirror or turn the whole map"),
    )

    class Changed(Message):
        """The map is to be replaced by another one."""

        def __init__(self, field: Battlefield) -> None:
            super().__init__()
            self.field = field

    class Repainted(Message):
        """The cursor has moved, or something else is being done."""

    class QuestionWanted(Message):
        """The player pressed a key that leads to a question, which the screen asks."""

        def __init__(self, request: MapRequest) -> None:
            super().__init__()
            self.request = request

    class DetailsWanted(Message):
        """The player wants to lay a kind of which the screen must ask the details first."""

        def __init__(self, kind: FeatureKind) -> None:
            super().__init__()
            self.kind = kind

    def __init__(self, scenario: Scenario) -> None:
        super().__init__(id="map-board")
        self.scenario = scenario
        self.tool = MapTool(map_of(scenario), _table_size(scenario))
        self._painting: MapPainting | None = None
        """None until it is painted, and after each change of the map."""
        self._markers_shown: dict[CellPlace, PaintedCell] = {}
        """The markers over the map as they were painted last."""

    @property
    def skirmish(self) -> Host:
        """The application with its own type."""
        return cast("Host", self.app)

    def show(self, scenario: Scenario) -> None:
        """Show another version of the scenario."""
        self.scenario = scenario
        self.tool.show(map_of(scenario), _table_size(scenario))
        self._painting = None
        self.repaint()

    # -------------------------------------------------------------- keys

    def action_step(self, direction: str) -> None:
        across, upward = DIRECTIONS[direction]
        self._move(across * FINE_STEP, upward * FINE_STEP)

    def action_stride(self, direction: str) -> None:
        across, upward = DIRECTIONS[direction]
        self._move(across * COARSE_STEP, upward * COARSE_STEP)

    def action_edge(self, direction: str) -> None:
        across, upward = DIRECTIONS[direction]
        # The whole table is always far enough: the cursor stops at its edge.
        width, depth = self.tool.size
        self._move(across * width, upward * depth)

    def _move(self, across: float, upward: float) -> None:
        """Move the cursor by so many inches; it stays on the table."""
        self.tool.move(across, upward)
        self.repaint()

    def action_enter(self) -> None:
        self._send_change(self.tool.enter())

    def action_take(self) -> None:
        self.tool.take()
        self.repaint()

    def action_go(self) -> None:
        self.post_message(self.QuestionWanted("place"))

    def action_mirror(self) -> None:
        """Mirror what is taken, or ask how the whole map is to be mirrored."""
        if self.tool.taken is None:
            self.post_message(self.QuestionWanted("mirror"))
            return
        self.tool.mirror()
        self.repaint()

    def action_rings(self) -> None:
        """Show rings around the cursor, or hide those that are shown."""
        if self.tool.rings:
            self.tool.rings = ()
        else:
            self.tool.rings = RINGS
        self.repaint()

    def action_weapon(self) -> None:
        self.post_message(self.QuestionWanted("weapon"))

    def action_sight(self) -> None:
        self.tool.toggle_sight()
        self.repaint()

    def on_key(self, event: Key) -> None:
        """A letter lays a kind of the palette, or changes the feature that is taken or laid."""
        sign = event.character or SIGN_OF_KEY.get(event.key, "")
        if self._act_on_key(sign, event.key):
            event.stop()
            event.prevent_default()

    def _act_on_key(self, sign: str, key: str) -> bool:
        """Do what a key means on the map; returns whether it means anything. ``sign`` is the
        character that it types, empty for a key such as ``tab``, which has only a name."""
        if self.tool.taken is not None and self._change_taken(sign, key):
            return True
        if self.tool.laying is not None and self._change_laid(self.tool.laying, sign, key):
            return True
        if sign in KINDS:
            self._begin_or_ask(KINDS[sign])
            return True
        return False

    def _change_taken(self, sign: str, key: str) -> bool:
        """Change what is taken as a key says; returns whether the key is used up."""
        tool = self.tool
        match sign:
            case "c":
                self._send_change(tool.copy())
            case "x":
                self._send_change(tool.delete())
            case "n":
                tool.next_corner()
                self.repaint()
            case "v":
                self.post_message(self.QuestionWanted("values"))
            case "i":
                tool.add_corner()
                self.repaint()
            case _:
                if self._change_shape(sign, key):
                    return True
                # Other letters of the palette must not lay something else by mistake.
                return sign in KINDS
        return True

    def _change_laid(self, laying: Laying, sign: str, key: str) -> bool:
        """Change what is being laid as a key says; returns whether the key does that."""
        # Tab goes through the kinds of a house. Nothing else that is laid has several kinds: there
        # Tab leads to the next page.
        if key == "tab" and not laying.is_building:
            return False
        # ``k`` bends what runs through the corners. Before the first of them it is a letter of the
        # palette, as in ``_act_on_key``.
        if sign == "k" and not laying.corners:
            return False
        return self._change_shape(sign, key)

    def _change_shape(self, sign: str, key: str) -> bool:
        """Turn, size, bend or change the kind of what is taken or laid as a key says; returns
        whether the key does that."""
        if sign in DEGREES_OF_KEY:
            self.tool.turn(DEGREES_OF_KEY[sign])
        elif sign in ("+", "="):  # on many keyboards the same key, with Shift and without
            self.tool.resize(SIZE_STEP)
        elif sign == "-":
            self.tool.resize(-SIZE_STEP)
        elif sign == "k":
            self.tool.bend()
        elif key == "tab":
            self.tool.next_kind()
        else:
            return False
        self.repaint()
        return True

    def _begin_or_ask(self, kind: FeatureKind) -> None:
        """Begin to lay a kind, once what must be known of it is answered."""
        if kind.name in KINDS_WITH_DETAILS:
            self.post_message(self.DetailsWanted(kind))
            return
        self.begin(kind, LayingDetails())

    def begin(self, kind: FeatureKind, details: LayingDetails) -> None:
        """Begin to lay a feature of that kind."""
        self.tool.begin(kind, details)
        self.repaint()

    def _send_change(self, field: Battlefield | None) -> None:
        """Send the changed map to the screen, if it has changed, and paint what is done now."""
        if field is not None:
            self.post_message(self.Changed(field))
        self.repaint()

    def on_click(self, event: Click) -> None:
        """Move the cursor there, and set a corner of what is laid. A click on the cursor takes the
        feature below it, if nothing is laid."""
        if self._painting is None:
            return
        # The frame is a cell wide.
        place = CellPlace(event.y - 1, event.x - 1)
        # In its own cell the cursor stays where it is: moved to the middle of the cell, it could
        # leave the corner on which it stands.
        is_at_cursor = place == cell_of(self.tool.cursor, self._painting.drawing.raster)
        if not is_at_cursor:
            _, depth = self.tool.size
            self.tool.go_to(_middle_of_cell(self._painting, place, depth))
        if self.tool.laying is not None:
            self._send_change(self.tool.enter())
        elif is_at_cursor:
            self.tool.take()
        self.repaint()

    # -------------------------------------------------------------- painting

    def on_resize(self) -> None:
        self._painting = None
        self.repaint()

    def repaint(self) -> None:
        """Paint all rows if the map has changed; otherwise only those whose markers have changed,
        as the cursor may move thirty times a second."""
        self.post_message(self.Repainted())
        if self._painting is None:
            self._markers_shown = {}
            self.refresh()
            return
        before = self._markers_shown
        self._markers_shown = self._markers(self._painting)
        for row in _rows_that_differ(before, self._markers_shown):
            in_frame = row + 1
            self.refresh(Region(0, in_frame, self.size.width, 1))

    def _painted(self) -> MapPainting:
        """The map as it is now, painted once for each change."""
        if self._painting is None:
            width, height = self.size
            columns = columns_of_map(self.scenario.table, width - FRAME, height - FRAME)
            field = map_of(self.scenario)
            drawing = MapDrawing(self.scenario, field, columns, inks_of(self.skirmish))
            self._painting = MapPainting(drawing, drawing.cells())
            # Before, it was not known in which cells the markers are.
            self._markers_shown = self._markers(self._painting)
        return self._painting

    def render_line(self, y: int) -> Strip:
        """A row of the screen: an edge of the frame, or a row of the map between its two ends."""
        if self.size.width <= FRAME:
            return Strip.blank(self.size.width)
        painting = self._painted()
        frame = painting.drawing.frame()
        style = self.rich_style
        rows = len(painting.rows)
        if y == 0:
            segments = [Segment(frame.top, style)]
        elif y == rows + 1:
            segments = [Segment(frame.bottom, style)]
        elif y > rows + 1:
            return Strip.blank(self.size.width, style)
        else:
            row = y - 1
            row_end = Segment(frame.number_by_row.get(row, frame.row_end), style)
            segments = [row_end, *self._row_segments(painting.rows[row], row), row_end]
        return Strip(segments).adjust_cell_length(self.size.width, style)

    def _row_segments(self, cells: list[PaintedCell], row: int) -> Iterator[Segment]:
        """A row of the map with its markers, cells of one style together."""
        cells_with_markers = list(cells)
        for place, marker in self._markers_shown.items():
            if place.row == row and 0 <= place.column < len(cells):
                cells_with_markers[place.column] = marker
        for style, run in groupby(cells_with_markers, key=attrgetter("style")):
            yield Segment("".join(cell.sign for cell in run), Style.parse(style))

    def _markers(self, painting: MapPainting) -> dict[CellPlace, PaintedCell]:
        """What stands over the map without being stored: lines, corners, the cursor. Where two are
        in the same cell, the later one is seen."""
        signs, style = MARKER_SIGNS, MARKED
        if painting.drawing.inks.plain:
            signs, style = ASCII_MARKER_SIGNS, MARKED_WITHOUT_COLOURS
        part = self.tool.preview()
        places_by_sign: dict[str, Iterable[Point]] = {
            signs.line: self._marked_lines(part),
            signs.corner: self._marked_corners(part),
            signs.cursor: (self.tool.cursor,),
        }
        markers = {}
        for sign, places in places_by_sign.items():
            for point in places:
                if self._is_on_table(point):
                    cell = cell_of(point, painting.drawing.raster)
                    markers[cell] = PaintedCell(sign, style)
        return markers

    def _marked_lines(self, part: MapPart | None) -> Iterator[Point]:
        """The places to mark along lines: of rings, of a line of sight, and of the feature that is
        laid or taken."""
        tool = self.tool
        for radius in tool.rings:
            yield from plane.ring(tool.cursor, radius, RING_POINTS_PER_INCH * radius)
        lines: list[Path] = []
        if tool.sight_from is not None:
            lines.append((tool.sight_from, tool.cursor))
        if part is not None:
            lines.extend(_lines_of(part))
        for line in lines:
            for station in plane.stations(line, OUTLINE_STEP):
                yield station.at

    def _marked_corners(self, part: MapPart | None) -> Iterator[Point]:
        """The corners of the feature that is laid or taken; those that are set so far, if they do
        not make a feature yet."""
        if part is not None:
            yield from map_motions.corners(part)
        elif self.tool.laying is not None:
            yield from self.tool.laying.crest
            yield from self.tool.laying.corners

    def _is_on_table(self, point: Point) -> bool:
        x, y = point
        width, depth = self.tool.size
        return 0 <= x <= width and 0 <= y <= depth


def _rows_that_differ(
    before: dict[CellPlace, PaintedCell], after: dict[CellPlace, PaintedCell]
) -> set[int]:
    """The rows in which markers have come, gone or changed."""
    rows = set()
    for place in {*before, *after}:
        if before.get(place) != after.get(place):
            rows.add(place.row)
    return rows


def _middle_of_cell(painting: MapPainting, place: CellPlace, depth: float) -> Point:
    """The middle of a cell on a table of that depth, to the inch."""
    width_of_cell = painting.drawing.raster.inches
    height_of_cell = width_of_cell * SQUARES_IN_CELL
    across = (place.column + 0.5) * width_of_cell
    # Rows are counted from the top, inches from the bottom.
    upward = depth - (place.row + 0.5) * height_of_cell
    return float(round(across)), float(round(upward))


def _table_size(scenario: Scenario) -> Point:
    """Width and depth of the table, in inches."""
    return scenario.table.width_in, scenario.table.depth_in


def _lines_of(part: MapPart) -> Iterator[list[Point]]:
    """The lines by which a feature is shown while it is laid or moved; of a mark or a name only
    its place is marked. An outline returns to its first corner."""
    match part:
        case Area() | Building():
            yield [*part.outline, part.outline[0]]
        case Zone():
            yield [*part.points, part.points[0]]
        case Line() | Arrow():
            yield list(part.run)
        case Slope():
            for edge in part.edges:
                yield list(edge)
        case Dimension():
            yield [part.start, part.end]
        case Circle():
            yield plane.ring(part.at, part.radius)
