"""The map page of the workshop: the map, the palette beside it, and two lines below that say where
the cursor is and what keys do."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from skirmish.app.host import Host
from skirmish.app.text_styles import DIM, HEAD, KEY
from skirmish.app.workshop.clickable_keys import clickable, with_clickable_keys
from skirmish.app.workshop.map_board import MapBoard
from skirmish.app.workshop.map_tool import (
    GROUND_KINDS,
    KINDS,
    LINE_KINDS,
    OTHER_KINDS,
    SPOT,
    FeatureKind,
    Laying,
    MapTool,
)
from skirmish.app.workshop.picture_widgets import PictureBox
from skirmish.games.plastic.dealing.terrain import used_on
from skirmish.games.plastic.scenarios.grid import square_name
from skirmish.games.plastic.scenarios.laying import kind_name
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.workshop.draft import map_of
from skirmish.games.plastic.workshop.feature_text import described
from skirmish.tabletop import map_features
from skirmish.tabletop.battlefield import Area, Line, MapPart
from skirmish.tabletop.measure import NO_BREAK
from skirmish.tabletop.plane import Point

PALETTE_GROUPS = (("GROUND", GROUND_KINDS), ("LINES", LINE_KINDS), ("THE REST", OTHER_KINDS))
PALETTE_NAMES = {"depression": "hollow"}
"""Kinds whose names in the scenario file are too long for the palette."""
NAME_COLUMNS, COUNT_COLUMNS = 9, 10
"""The columns of a name in the palette, and of the pieces of its kind."""
COUNTED_COLUMNS = 2 + NAME_COLUMNS + COUNT_COLUMNS
"""The columns of an entry with its pieces: the key with a space, the name, the pieces."""
TWO_COLUMNS = 2 * COUNTED_COLUMNS
"""Columns from which two entries stand side by side, so that the sheet has room below."""
TOO_MUCH = "$error bold"
"""The style of terrain of which more lies on the map than the player owns."""

# What keys do, in the last line of the page. What stands in angle brackets can be clicked.
LOOKING = (
    "LOOK  Arrows move, Shift by 6 in. A letter lays, <Space takes>, <g goes> to a place, "
    "<; rings>, <: of> a weapon, <' sight>, <m mirrors> all."
)
LAYING_FIRST_CORNER = "LAY {}  <Enter sets> the first corner. <Esc ends>."
"""For a feature with several corners, of which none is set; ``{}`` is its kind, here and below."""
LAYING = (
    "LAY {}  <Enter sets> a corner, and ends on the last one. <k bends>, <⌫ goes> back, "
    "<Esc drops> it."
)
LAYING_FOOT = "LAY Slope, its foot  <Enter sets> the first corner. <Esc drops> it."
"""For a slope of which the crest is set."""
LAYING_SPOT = "LAY {}  <Enter sets> it. <Esc ends>."
LAYING_BUILDING = (
    "LAY {}  <Enter sets> it. <[> <] turn>, <+> <- size>, <Tab changes> its kind. <Esc ends>."
)
TAKEN = (
    "TAKE  Arrows move it, <[> <] turn>, <+> <- size>, <k bends>, <m mirrors>, <c copies>, "
    "<x deletes>, <n: its> corners, <v: its> values. <Enter puts> it down, <Esc leaves> it."
)
"""For a feature that was taken."""
TAKEN_CORNER = (
    "CORNER  Arrows move it, <i adds> one, <x deletes> it, <n takes> the next. <Enter puts> the "
    "feature down, <Esc leaves> it."
)
"""For a corner of that feature."""


class PieceCount(NamedTuple):
    """How much of a kind of terrain lies on the map, and how much of it the player owns."""

    used: int
    owned: int

    @property
    def is_too_much(self) -> bool:
        return self.used > self.owned


class MapPage(Vertical):
    """The map of a scenario with its palette. ``owned``: how many pieces of each kind of terrain
    the player owns, of roads and the like how many feet."""

    def __init__(self, scenario: Scenario, owned: Mapping[str, int]) -> None:
        super().__init__(id="map-page")
        self._scenario = scenario
        self._owned = owned
        self._keys_line = ""
        """The line about keys as it was painted last."""

    def compose(self) -> ComposeResult:
        with Horizontal(id="map-and-palette"):
            yield MapBoard(self._scenario)
            with VerticalScroll(id="palette", can_focus=False):
                yield Static("", id="palette-lines", markup=False)
                # Only large screens have room for it. The boxes 1 and 2 are on other pages.
                yield PictureBox("below-picture", number=3)
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
            # The page has just been opened: its palette has no width until it is laid out.
            self.call_after_refresh(self._paint_palette)

    def show_sheet(self, sheet: Content) -> None:
        """Show below the palette what will be printed."""
        self.query_one("#sheet-below", Static).update(sheet)

    def on_mount(self) -> None:
        self._paint_palette()
        self._show_lines()

    def on_map_board_repainted(self) -> None:
        self._show_lines()

    def _show_lines(self) -> None:
        """Show where the cursor is and what keys do. The palette and the line about keys are only
        painted when they change: a held arrow key moves the cursor thirty times a second. The line
        names what is laid and how many lie there, so that the palette changes only with it."""
        tool = self.board.tool
        place = Content(what_is_where(tool, self.board.skirmish))
        self.query_one("#map-where", Static).update(place, layout=False)
        keys_line = what_keys_do(tool, self._pieces_in_words())
        if keys_line != self._keys_line:
            self._keys_line = keys_line
            self.query_one("#map-does", Static).update(with_clickable_keys(keys_line), layout=False)
            self._paint_palette()

    def _pieces_in_words(self) -> str:
        """How much of what is laid lies on the map, and how much the player owns: ``, 2 of 4``."""
        laying = self.board.tool.laying
        if laying is None:
            return ""
        count = self._count_of(laying.kind)
        if count is None:
            return ""
        return f", {count.used} of {count.owned}"

    def _count_of(self, kind: FeatureKind) -> PieceCount | None:
        """The pieces of a kind; None if the player owns none, as if there were any number."""
        owned = self._owned.get(kind.terrain, 0)
        if not owned:
            return None
        return PieceCount(used_on(map_of(self._scenario), kind.terrain), owned)

    def _paint_palette(self) -> None:
        """Show every key of the palette: in two columns if one column would be too high, or if
        there is room for two."""
        if not self.query("#palette-lines"):
            return  # the workshop was left while its page was being put together
        size = self.query_one("#palette").size
        lines_in_one_column = len(KINDS) + len(PALETTE_GROUPS)
        columns = 1
        if size.height < lines_in_one_column or size.width >= TWO_COLUMNS:
            columns = 2
        has_counts = size.width >= columns * COUNTED_COLUMNS
        lines = []
        for heading, kinds in PALETTE_GROUPS:
            # Where there is no room for counts, there are no rows for headings either.
            if has_counts:
                lines.append(Content.styled(heading, HEAD))
            for first in range(0, len(kinds), columns):
                row = []
                for kind in kinds[first : first + columns]:
                    row.append(self._palette_entry(kind, has_count=has_counts))
                lines.append(Content("").join(row))
        self.query_one("#palette-lines", Static).update(Content("\n").join(lines))

    def _palette_entry(self, kind: FeatureKind, *, has_count: bool) -> Content:
        """A key of the palette with its kind; where there is room, with how many of the player's
        pieces are used."""
        name = PALETTE_NAMES.get(kind.name, kind.name)
        entry = Content.assemble((kind.key, KEY), f" {name:<{NAME_COLUMNS}}")
        entry = clickable(entry, kind.key)
        laying = self.board.tool.laying
        if laying is not None and laying.kind == kind:
            entry = entry.stylize("reverse")
        words, style = "", DIM
        count = self._count_of(kind)
        if count is not None:
            words = f"{count.used:>3} of {count.owned}"
            if count.is_too_much:
                style = TOO_MUCH
                entry = entry.stylize(TOO_MUCH)
        if not has_count:
            return entry
        return Content.assemble(entry, (f"{words:<{COUNT_COLUMNS}}", style))


# ---------------------------------------------------------------------- the two lines below


def what_is_where(tool: MapTool, host: Host) -> str:
    """Where the cursor is, how far from the last corner, what lies there, how far the edges of the
    table are, and the nearest road, building and other feature. What matters most comes first,
    since a small screen cuts the line off."""
    x, y = tool.cursor
    parts = [f"{square_name(tool.cursor)}  {x:g}, {y:g}"]
    if tool.last_place is not None and tool.laying is not None:
        from_last_place = math.dist(tool.last_place, tool.cursor)
        parts.append(f"from the last place {from_last_place:.1f}{NO_BREAK}in")
    if tool.sight_from is not None:
        parts.append(_sight_in_words(tool, tool.sight_from))
    below_cursor = _part_below_cursor(tool)
    if below_cursor is not None:
        parts.append(described(below_cursor))
    width, depth = tool.size
    to_right, to_top = width - x, depth - y
    parts.append(f"right{NO_BREAK}edge {to_right:g}{NO_BREAK}in, top {to_top:g}{NO_BREAK}in")
    parts += _surroundings_in_words(tool)
    return host.measured("   ".join(parts))


def _part_below_cursor(tool: MapTool) -> MapPart | None:
    """The feature that was taken, else the topmost one at the cursor; None if none lies there."""
    if tool.taken is not None:
        return tool.taken.part
    part_ids = map_features.part_ids_near(tool.field, tool.cursor)
    if not part_ids:
        return None
    topmost = part_ids[0]
    return map_features.part_of(tool.field, topmost)


def _sight_in_words(tool: MapTool, start: Point) -> str:
    """How long the line of sight from ``start`` to the cursor is, and a feature that blocks it."""
    length = math.dist(start, tool.cursor)
    blocking_id = next(map_features.blocking(tool.field, start, tool.cursor), None)
    if blocking_id is None:
        return f"sight {length:.1f}{NO_BREAK}in, nothing between"
    between = described(map_features.part_of(tool.field, blocking_id))
    return f"sight {length:.1f}{NO_BREAK}in, between: {between}"


def _surroundings_in_words(tool: MapTool) -> Iterator[str]:
    """How far the nearest road, building and other feature are."""
    nearest = map_features.surroundings(tool.field, tool.cursor)
    if nearest.road is not None:
        yield f"road {nearest.road:.1f}{NO_BREAK}in"
    if nearest.building is not None:
        building = "building"
        if nearest.building.number:
            building += f" {nearest.building.number}"
        yield f"{building} {nearest.building.inches:.1f}{NO_BREAK}in"
    if nearest.other is not None:
        other = map_features.part_of(tool.field, nearest.other.part_id)
        yield f"{_kind_in_words(other)} {nearest.other.inches:.1f}{NO_BREAK}in"


def _kind_in_words(part: MapPart) -> str:
    """What an area, a line or a slope is, in the middle of a line."""
    kind: str = "slope"  # slopes have no kinds of their own
    if isinstance(part, Area | Line):
        kind = part.kind
    return kind_name(kind).lower()


def what_keys_do(tool: MapTool, pieces_in_words: str) -> str:
    """What keys do now, in a line for ``with_clickable_keys``. ``pieces_in_words`` follow the name
    of what is laid: ``, 2 of 4``."""
    if tool.taken is not None:
        if tool.taken.corner is not None:
            return TAKEN_CORNER
        return TAKEN
    if tool.laying is not None:
        return _what_keys_do_to_laid(tool.laying, pieces_in_words)
    return LOOKING


def _what_keys_do_to_laid(laying: Laying, pieces_in_words: str) -> str:
    """What keys do while a feature is laid."""
    name = kind_name(laying.kind_name) + pieces_in_words
    if laying.is_building:
        return LAYING_BUILDING.format(name)
    if laying.kind.shape == SPOT:
        return LAYING_SPOT.format(name)
    if laying.crest and not laying.corners:
        return LAYING_FOOT
    if laying.kind.name == "slope" and not laying.crest:
        name = "Slope, its crest first"
    if not laying.corners:
        return LAYING_FIRST_CORNER.format(name)
    return LAYING.format(name)
