"""The map page of the workshop: the map, the palette beside it, and two lines below that say where
the cursor is and what keys do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from skirmish.app.text_styles import DIM, HEAD, KEY
from skirmish.app.workshop.clickable_keys import clickable, with_clickable_keys
from skirmish.app.workshop.map_board import MapBoard
from skirmish.app.workshop.map_tool import (
    GROUND_KINDS,
    KINDS,
    LINE_KINDS,
    OTHER_KINDS,
    FeatureKind,
)
from skirmish.app.workshop.map_words import what_is_where, what_keys_do
from skirmish.app.workshop.picture_widgets import PictureBox
from skirmish.games.plastic.dealing.terrain import used_on
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.workshop.draft import map_of

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
        keys_line = what_keys_do(tool, self._pieces_words())
        if keys_line != self._keys_line:
            self._keys_line = keys_line
            self.query_one("#map-does", Static).update(with_clickable_keys(keys_line), layout=False)
            self._paint_palette()

    def _pieces_words(self) -> str:
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
