"""The map page of the workshop: the map with the cursor on it, the palette beside it, and two lines
that say where the cursor is and what keys do."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from string import ascii_letters
from typing import ClassVar, Literal, NamedTuple, TypeAlias

from rich.segment import Segment
from rich.style import Style
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.events import Click, Key
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Static

from skirmish.app.binding import keys
from skirmish.app.host import Host
from skirmish.app.page_view import DIM, HEAD, KEY
from skirmish.app.scenarios.map_picture import FRAME, MapDrawing, columns_of_map, inks_of
from skirmish.app.workshop.map_tool import (
    COARSE,
    DEGREES,
    FINE,
    GROUND_KINDS,
    KINDS,
    LINE_KINDS,
    OTHER_KINDS,
    SIZE_STEP,
    SPOTS,
    Kind,
    Laying,
    MapTool,
)
from skirmish.app.workshop.page_picture import PictureBox
from skirmish.games.plastic.dealing.terrain import used_on
from skirmish.games.plastic.scenarios.laying import called, square
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.workshop.draft import map_of
from skirmish.games.plastic.workshop.lines import described
from skirmish.tabletop import map_edits, plane
from skirmish.tabletop.battlefield import Battlefield, MapPart, Zone
from skirmish.tabletop.plane import Point

Cell: TypeAlias = tuple[str, str]
"""A character of the map and its style."""
CellPlace: TypeAlias = tuple[int, int]
"""A row of the map and a column of it, counted from 0, the frame left out."""
Request: TypeAlias = Literal["details", "place", "values", "mirror", "weapon"]
"""What the board asks the screen for: what must be known of a kind before it is laid, a place to go
to, the values of what is taken, a way to mirror the map, a weapon whose range is shown."""
MARKED = "bold #000000 on #e0a458"
"""The style of the cursor and of what is laid or taken."""
MARKED_WITHOUT_COLOURS = "bold reverse"
"""The same in a terminal without colours."""
CURSOR, CORNER, ALONG = "╋", "◆", "•"
ASCII_CURSOR, ASCII_CORNER, ASCII_ALONG = "+", "O", "."
"""The marks of the cursor, of corners, and of what runs between them."""
TOO_MUCH = "$error bold"
"""The style of terrain of which more lies on the map than the player owns."""
CORNER_TAKEN = "CORNER  Arrows move it, i adds one, x deletes it, n takes the next. Enter, Esc."
PALETTE_GROUPS = (("GROUND", GROUND_KINDS), ("LINES", LINE_KINDS), ("THE REST", OTHER_KINDS))
PALETTE_NAMES = {"depression": "hollow"}
"""Kinds that are not called as in the file."""
ASKS_DETAILS = ("zone", "arrow", "mark", "name", "distance")
"""Kinds of which more than places must be known."""
NAME_COLUMNS, COUNT_COLUMNS = 9, 10
"""The columns of a name in the palette, and of the pieces of its kind."""
COUNTED_COLUMNS = 2 + NAME_COLUMNS + COUNT_COLUMNS
"""The columns of an entry with its key and its pieces."""
TWO_COLUMNS = 2 * COUNTED_COLUMNS
"""Columns from which two entries stand side by side, so that the sheet has room below."""
RINGS = (6, 12, 24, 36)
"""Inches of the range rings."""
TURN_KEYS = {"[": -DEGREES, "]": DEGREES}
"""By how many degrees keys turn what is taken or laid."""
ARROWS: dict[str, Point] = {"left": (-1, 0), "right": (1, 0), "up": (0, 1), "down": (0, -1)}
"""The directions: across and upward."""
KEY_NAMES = {
    "Enter": "enter",
    "Space": "space",
    "Esc": "escape",
    "Tab": "tab",
    "⌫": "backspace",
    "[": "left_square_bracket",
    "]": "right_square_bracket",
    "+": "plus",
    "-": "minus",
    "=": "equals_sign",
    ";": "semicolon",
    ":": "colon",
    "'": "apostrophe",
    "^": "circumflex_accent",
    "/": "slash",
    ">": "greater_than_sign",
    "@": "at",
    **{letter: letter for letter in ascii_letters},
}
"""Keys as they are written on the page, and what Textual calls them."""
SIGNS = {name: sign for sign, name in KEY_NAMES.items() if len(sign) == 1 and sign != "⌫"}
"""The signs that keys type, by their names: a key that is clicked has no sign of its own."""
_KEY_IN_LINE = re.compile(
    r"(?<!\S)(?P<key>Enter|Space|Esc|Tab|⌫|[\[\]+;:'-]|[bcgikmnvx])(?P<does>:? [a-z]+|)(?![^\s,.:])"
)
"""A key in what is said of the keys, and the first word of what it does: of ``Enter sets it`` the
key ``Enter``, which does `` sets``; of ``n: its corners`` the key ``n``, which does ``: its``. Of
the letters it takes only those that are keys there: ``a`` in ``sets a corner`` is none."""
LOOKING = (
    "LOOK  Arrows move, Shift by 6 in. A letter lays, Space takes, g goes to a place, ; rings, "
    ": of a weapon, ' sight, m mirrors all."
)
LAYING = "LAY {}  Enter sets a corner, and ends on the last one. k bends, ⌫ goes back, Esc."
SETTING = "LAY {}  Enter sets it. Esc ends."
BUILDING = "LAY {}  Enter sets it. [ ] turn, + - size, Tab changes its kind. Esc ends."
TAKING = (
    "TAKE  Arrows move it, [ ] turn, + - size, k bends, m mirrors, c copies, x deletes, n: its "
    "corners, v: its values. Enter puts it down, Esc leaves it."
)
"""What is said of the keys: while one looks around, while a feature with several corners, one with
a single place or a building is laid (``{}`` is its kind), while one is taken."""


class MapPainting(NamedTuple):
    """The map as it is stored, painted: its cells row by row, and the ``drawing`` that knows its
    frame and which place of the table is in which cell."""

    drawing: MapDrawing
    rows: list[list[Cell]]


class MapBoard(Widget, can_focus=True):
    """The map in its frame, with the cursor. What is done there is done by the ``tool``; a change
    of the map goes out as a message, and comes back with ``show``."""

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
        """The map is to be another one."""

        def __init__(self, field: Battlefield) -> None:
            super().__init__()
            self.field = field

    class Moved(Message):
        """The cursor moved, or something else is being done."""

    class Wanted(Message):
        """Something must be asked; ``kind``: of which kind, where details are wanted."""

        def __init__(self, request: Request, kind: Kind | None = None) -> None:
            super().__init__()
            self.request = request
            self.kind = kind

    def __init__(self, scenario: Scenario) -> None:
        super().__init__(id="map-board")
        self.scenario = scenario
        self.tool = MapTool(map_of(scenario), _table_size(scenario))
        self._painting: MapPainting | None = None
        """None until it is painted, and after each change of the map."""
        self._marked: dict[CellPlace, Cell] = {}
        """What stands on the map without being stored, as it was painted last."""

    @property
    def skirmish(self) -> Host:
        host: Host = self.app  # type: ignore[assignment]
        return host

    def show(self, scenario: Scenario) -> None:
        """Show another version of the scenario."""
        self.scenario = scenario
        self.tool.show(map_of(scenario), _table_size(scenario))
        self._painting = None
        self.repaint()

    # -------------------------------------------------------------- keys

    def action_step(self, direction: str) -> None:
        across, upward = ARROWS[direction]
        self._move(across * FINE, upward * FINE)

    def action_stride(self, direction: str) -> None:
        across, upward = ARROWS[direction]
        self._move(across * COARSE, upward * COARSE)

    def action_edge(self, direction: str) -> None:
        across, upward = ARROWS[direction]
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
        self.post_message(self.Wanted("place"))

    def action_mirror(self) -> None:
        """Mirror what is taken, or ask how the whole map is to be mirrored."""
        if self.tool.taken is None:
            self.post_message(self.Wanted("mirror"))
            return
        self.tool.mirror()
        self.repaint()

    def action_rings(self) -> None:
        """Show the usual ranges around the cursor, or put rings away."""
        if self.tool.rings:
            self.tool.rings = ()
        else:
            self.tool.rings = RINGS
        self.repaint()

    def action_weapon(self) -> None:
        self.post_message(self.Wanted("weapon"))

    def action_sight(self) -> None:
        self.tool.look_from()
        self.repaint()

    def on_key(self, event: Key) -> None:
        """Letters lay a kind of the palette; with a feature taken or laid they change it."""
        sign = event.character or SIGNS.get(event.key, "")
        if self._does_on_map(sign, event.key):
            event.stop()
            event.prevent_default()

    def _does_on_map(self, sign: str, key: str) -> bool:
        """Do what a key means on the map; False where it means nothing here. ``sign`` is the
        character that it types, empty for a key such as ``tab``, which has a name alone."""
        if self.tool.taken is not None and self._changes_taken(sign, key):
            return True
        if self.tool.laying is not None and self._changes_laid(self.tool.laying, sign, key):
            return True
        if sign in KINDS:
            self._begin_or_ask(KINDS[sign])
            return True
        return False

    def _changes_taken(self, sign: str, key: str) -> bool:
        """Change what is taken; False where the key does not do that."""
        tool = self.tool
        if self._changes_shape(sign, key):
            return True
        match sign:
            case "c":
                self._send_change(tool.copy())
            case "x":
                self._send_change(tool.delete())
            case "n":
                tool.next_corner()
                self.repaint()
            case "v":
                self.post_message(self.Wanted("values"))
            case "i":
                tool.further_corner()
                self.repaint()
            case _:
                # Other letters of the palette must not lay something else by mistake.
                return sign in KINDS
        return True

    def _changes_laid(self, laying: Laying, sign: str, key: str) -> bool:
        """Change what is being laid; False where the key does not do that."""
        # Tab goes through the kinds of a house. Nothing else that is laid has several kinds: there
        # Tab leads to the next page.
        if key == "tab" and laying.kind.name != "house":
            return False
        # ``k`` bends what runs through the corners. Before the first of them it is a letter of the
        # palette, as in ``_does_on_map``.
        if sign == "k" and not laying.corners:
            return False
        return self._changes_shape(sign, key)

    def _changes_shape(self, sign: str, key: str) -> bool:
        """Turn, size, bend or change the kind of what is taken or laid; False where the key does
        not do that."""
        if sign in TURN_KEYS:
            self.tool.turn(TURN_KEYS[sign])
        elif sign in ("+", "="):
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

    def _begin_or_ask(self, kind: Kind) -> None:
        """Begin to lay a kind, once what must be known of it is answered."""
        if kind.name in ASKS_DETAILS:
            self.post_message(self.Wanted("details", kind))
            return
        self.begin(kind)

    def begin(self, kind: Kind, details: Mapping[str, object] | None = None) -> None:
        """Begin to lay a feature of that kind."""
        self.tool.begin(kind, dict(details or {}))
        self.repaint()

    def _send_change(self, field: Battlefield | None) -> None:
        """Send out the changed map, if it changes, and show what the tool does now."""
        if field is not None:
            self.post_message(self.Changed(field))
        self.repaint()

    def on_click(self, event: Click) -> None:
        """A click moves the cursor there, and sets a corner of what is laid; else on the place of
        the cursor it is Space."""
        if self._painting is None:
            return
        # The frame is a cell wide.
        row = event.y - 1
        column = event.x - 1
        is_at_cursor = (row, column) == self._cell_of(self.tool.cursor)
        if not is_at_cursor:
            self.tool.go_to(_middle_of_cell(self._painting, row, column, self.tool.size[1]))
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
        """Paint the rows in which marks have changed, such as the cursor; all rows where the map
        itself has changed, so that its painting is gone."""
        self.post_message(self.Moved())
        if self._painting is None:
            self._marked = {}
            self.refresh()
            return
        before = self._marked
        self._marked = dict(self._marks())
        changed_rows = set()
        for cell in {**before, **self._marked}:
            if before.get(cell) != self._marked.get(cell):
                changed_rows.add(cell[0])
        for row in changed_rows:
            self.refresh(Region(0, row + 1, self.size.width, 1))

    def _paint(self) -> MapPainting:
        """The map as it is now, painted once for each change."""
        if self._painting is None:
            width, height = self.size
            columns = columns_of_map(self.scenario.table, width - FRAME, height - FRAME)
            field = map_of(self.scenario)
            drawing = MapDrawing(self.scenario, field, columns, inks_of(self.skirmish))
            self._painting = MapPainting(drawing, drawing.cells())
            self._marked = dict(self._marks())
        return self._painting

    def render_line(self, y: int) -> Strip:
        """A row of the screen: an edge of the frame, or a row of the map between its sides."""
        if self.size.width <= FRAME:
            return Strip.blank(self.size.width)
        painting = self._paint()
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
            side = Segment(frame.beside.get(row, frame.side), style)
            segments = [side, *self._row_segments(painting.rows[row], row), side]
        return Strip(segments).adjust_cell_length(self.size.width, style)

    def _row_segments(self, cells: list[Cell], row: int) -> Iterator[Segment]:
        """A row of the map with its marks, cells of one style together."""
        shown = list(cells)
        for (marked_row, column), cell in self._marked.items():
            if marked_row == row and 0 <= column < len(shown):
                shown[column] = cell
        for style, run in groupby(shown, key=itemgetter(1)):
            yield Segment("".join(sign for sign, _ in run), Style.parse(style))

    def _marks(self) -> Iterator[tuple[CellPlace, Cell]]:
        """What stands on the map without being stored: rings, a line of sight, what is laid or
        taken, the cursor. Of two in one cell the later one shows."""
        cursor, corner, along, style = CURSOR, CORNER, ALONG, MARKED
        if self._painting is not None and self._painting.drawing.inks.plain:
            cursor, corner, along = ASCII_CURSOR, ASCII_CORNER, ASCII_ALONG
            style = MARKED_WITHOUT_COLOURS
        tool = self.tool
        for radius in tool.rings:
            # As many points as the ring has inches, or nearly.
            for point in plane.ring(tool.cursor, radius, 6 * radius):
                yield from self._mark(point, (along, style))
        if tool.sight_from is not None:
            for place in plane.stations((tool.sight_from, tool.cursor), 1.0):
                yield from self._mark(place.at, (along, style))
        part = tool.preview()
        if part is not None:
            for path in _outlines(part):
                for place in plane.stations(path, 1.0):
                    yield from self._mark(place.at, (along, style))
            for point in map_edits.corners(part):
                yield from self._mark(point, (corner, style))
        elif tool.laying is not None:
            for point in (*tool.laying.crest, *tool.laying.corners):
                yield from self._mark(point, (corner, style))
        yield from self._mark(tool.cursor, (cursor, style))

    def _mark(self, point: Point, cell: Cell) -> Iterator[tuple[CellPlace, Cell]]:
        """The mark at a place of the table; none beside the table."""
        width, depth = self.tool.size
        if 0 <= point[0] <= width and 0 <= point[1] <= depth:
            yield self._cell_of(point), cell

    def _cell_of(self, point: Point) -> CellPlace:
        """Where a place of the table is shown; nowhere before the map is painted."""
        if self._painting is None:
            return -1, -1
        column, row = self._painting.drawing.raster.square(point)
        # A row of the screen shows two rows of the raster.
        return row // 2, column


def _middle_of_cell(painting: MapPainting, row: int, column: int, depth: float) -> Point:
    """The middle of a cell on a table of that depth, to the inch."""
    inches = painting.drawing.raster.inches
    # A cell is a square wide and two squares high; rows are counted from the top, inches from the
    # bottom.
    across, downward = (column + 0.5) * inches, (row + 0.5) * 2 * inches
    return float(round(across)), float(round(depth - downward))


def _table_size(scenario: Scenario) -> Point:
    """Width and depth of the table, in inches."""
    return scenario.table.width_in, scenario.table.depth_in


def _outlines(part: MapPart) -> Iterator[list[Point]]:
    """The lines by which a feature is shown while it is moved. Many classes have the same few
    fields for their shapes: an outline, a run, edges, two ends, a radius."""
    outline = getattr(part, "outline", None)
    if outline:
        yield [*outline, outline[0]]
    run = getattr(part, "run", None)
    if run:
        yield list(run)
    if isinstance(part, Zone):
        yield [*part.points, part.points[0]]
    edges = getattr(part, "edges", None)
    if edges:
        for edge in edges:
            yield list(edge)
    start, end = getattr(part, "start", None), getattr(part, "end", None)
    if start and end:
        yield [start, end]
    radius = getattr(part, "radius", None)
    if radius:
        yield plane.ring(part.at, radius)  # type: ignore[attr-defined]


# ------------------------------------------------------------------ the page


class MapPage(Vertical):
    """The map, the palette beside it, and the lines below: where the cursor is, what keys do."""

    def __init__(self, scenario: Scenario) -> None:
        super().__init__(id="map-page")
        self._scenario = scenario
        self.owned: Mapping[str, int] = {}
        """How many pieces of each kind of terrain the player owns, or how many feet."""
        self._keys_shown = ""
        """What was said last of the keys."""

    def compose(self) -> ComposeResult:
        with Horizontal(id="map-and-palette"):
            yield MapBoard(self._scenario)
            with VerticalScroll(id="palette", can_focus=False):
                yield Static("", id="palette-lines", markup=False)
                # Only large screens have room for it. The boxes 1 and 2 are on other pages.
                yield PictureBox("below-picture", 3)
                yield Static("", id="sheet-below", markup=False)
        yield Static("", id="map-where", markup=False)
        yield Static("", id="map-does", markup=False)

    @property
    def board(self) -> MapBoard:
        return self.query_one(MapBoard)

    def show(self, scenario: Scenario) -> None:
        """Show another version of the scenario."""
        self._scenario = scenario
        self.board.show(scenario)
        if self.query_one("#palette").size:
            self._paint_palette()
        else:
            # The page has just been opened: how broad its palette is, is seen once it is laid out.
            self.call_after_refresh(self._paint_palette)

    def show_sheet(self, sheet: Content) -> None:
        """Show below the palette what will be printed."""
        self.query_one("#sheet-below", Static).update(sheet)

    def on_mount(self) -> None:
        self._paint_palette()
        self._say_where_and_keys()

    def on_map_board_moved(self) -> None:
        self._say_where_and_keys()

    def _say_where_and_keys(self) -> None:
        """Say where the cursor is and what keys do. Only what has changed is painted: a held arrow
        key comes thirty times a second."""
        tool = self.board.tool
        place = Content(what_is_where(tool, self.board.skirmish))
        self.query_one("#map-where", Static).update(place, layout=False)
        key_words = what_keys_do(tool, self._pieces_words())
        if key_words != self._keys_shown:
            self._keys_shown = key_words
            self.query_one("#map-does", Static).update(with_keys(key_words), layout=False)
            self._paint_palette()

    def _pieces_words(self) -> str:
        """How much of what is laid lies on the map, and how much the player owns: ``, 2 of 4``."""
        laying = self.board.tool.laying
        if laying is None:
            return ""
        owned = self.owned.get(laying.kind.terrain, 0)
        if not owned:
            return ""
        return f", {used_on(map_of(self._scenario), laying.kind.terrain)} of {owned}"

    def _paint_palette(self) -> None:
        """Every key, in two columns where one would be too high, or too broad."""
        if not self.query("#palette-lines"):
            return  # the workshop was left while its page was being put together
        size = self.query_one("#palette").size
        entries = len(KINDS) + len(PALETTE_GROUPS)
        columns = 1
        if size.height < entries or size.width >= TWO_COLUMNS:
            columns = 2
        has_counts = size.width >= columns * COUNTED_COLUMNS
        lines = []
        for heading, kinds in PALETTE_GROUPS:
            if has_counts:
                lines.append(Content.styled(heading, HEAD))
            for first in range(0, len(kinds), columns):
                row = []
                for kind in kinds[first : first + columns]:
                    row.append(self._palette_entry(kind, has_count=has_counts))
                lines.append(Content("").join(row))
        self.query_one("#palette-lines", Static).update(Content("\n").join(lines))

    def _palette_entry(self, kind: Kind, *, has_count: bool) -> Content:
        """A key of the palette with its kind; where there is room, with the pieces that are used,
        and owned."""
        name = PALETTE_NAMES.get(kind.name, kind.name)
        entry = Content.assemble((kind.key, KEY), f" {name:<{NAME_COLUMNS}}")
        entry = clickable(entry, kind.key)
        laying = self.board.tool.laying
        if laying is not None and laying.kind == kind:
            entry = entry.stylize("reverse")
        owned = self.owned.get(kind.terrain, 0)
        count, style = "", DIM
        if owned:
            used = used_on(map_of(self._scenario), kind.terrain)
            count = f"{used:>3} of {owned}"
            if used > owned:
                style = TOO_MUCH
                entry = entry.stylize(TOO_MUCH)
        if not has_count:
            return entry
        return Content.assemble(entry, (f"{count:<{COUNT_COLUMNS}}", style))


def what_is_where(tool: MapTool, host: Host) -> str:
    """Where the cursor is, how far from the edges and from the last place, what lies there, and how
    far the nearest road, house and other feature are. What matters most comes first, since a small
    screen cuts the line off."""
    x, y = tool.cursor
    width, depth = tool.size
    to_right, to_top = width - x, depth - y
    parts = [f"{square(tool.cursor)}  {x:g}, {y:g}"]
    if tool.last_place is not None and tool.laying is not None:
        parts.append(f"from the last place {math.dist(tool.last_place, tool.cursor):.1f}\u00a0in")
    if tool.sight_from is not None:
        parts.append(_sight_words(tool))
    below_cursor = map_edits.part_ids_near(tool.field, tool.cursor)
    if tool.taken is not None:
        parts.append(described(tool.taken.part))
    elif below_cursor:
        parts.append(described(map_edits.part_of(tool.field, below_cursor[0])))
    parts.append(f"right\u00a0edge {to_right:g}\u00a0in, top {to_top:g}\u00a0in")
    parts += _near_words(tool)
    return host.measured("   ".join(parts))


def _near_words(tool: MapTool) -> Iterator[str]:
    """How far the nearest road, house and other feature are."""
    near = map_edits.surroundings(tool.field, tool.cursor)
    if near.road is not None:
        yield f"road {near.road:.1f}\u00a0in"
    if near.building is not None:
        house = "house"
        if near.building.number:
            house += f" {near.building.number}"
        yield f"{house} {near.building.inches:.1f}\u00a0in"
    if near.other is not None:
        kind = _kind_words(map_edits.part_of(tool.field, near.other.part_id))
        yield f"{kind} {near.other.inches:.1f}\u00a0in"


def _kind_words(part: MapPart) -> str:
    """What a feature is, in the middle of a line."""
    kind = getattr(part, "kind", "slope")
    return called(kind).lower()


def _sight_words(tool: MapTool) -> str:
    """How long the line of sight is, and what it meets first."""
    assert tool.sight_from is not None
    length = math.dist(tool.sight_from, tool.cursor)
    between = list(map_edits.blocking(tool.field, tool.sight_from, tool.cursor))
    if not between:
        return f"sight {length:.1f}\u00a0in, nothing between"
    first = described(map_edits.part_of(tool.field, between[0]))
    return f"sight {length:.1f}\u00a0in, between: {first}"


def what_keys_do(tool: MapTool, pieces: str = "") -> str:
    """What keys do now, in a line; ``pieces``: how many of what is laid there are."""
    if tool.taken is not None:
        if tool.taken.corner is not None:
            return CORNER_TAKEN
        return TAKING
    if tool.laying is not None:
        kind = tool.laying.kind
        name = called(str(tool.laying.details.get("kind", kind.name))) + pieces
        if kind.name == "house":
            return BUILDING.format(name)
        if kind.shape == SPOTS:
            return SETTING.format(name)
        if kind.name == "slope" and not tool.laying.crest:
            return LAYING.format("Slope, its crest first")
        return LAYING.format(name)
    return LOOKING


def with_keys(words: str) -> Content:
    """What is said of the keys; each of them can be clicked."""
    pieces: list[Content] = []
    end = 0
    for key in _KEY_IN_LINE.finditer(words):
        pieces.append(Content.styled(words[end : key.start()], DIM))
        words_of_key = Content.assemble((key["key"], KEY), (key["does"], DIM))
        pieces.append(clickable(words_of_key, key["key"]))
        end = key.end()
    pieces.append(Content.styled(words[end:], DIM))
    return Content("").join(pieces)


def clickable(content: Content, key: str) -> Content:
    """A content that does when it is clicked what this key does."""
    return content.stylize(f"@click=app.simulate_key('{KEY_NAMES[key]}')")
