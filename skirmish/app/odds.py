"""The screen of odds: of every weapon against every kind of target, as heat maps, and exactly for
the chosen cell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from skirmish.app.base_screen import LARGE, Screen
from skirmish.app.binding import keys
from skirmish.app.foot import Foot
from skirmish.app.heat_map import HeatMap, OddsCellPlace, ShotKind, layout_of, longest_name
from skirmish.app.page_view import painted
from skirmish.app.side_fire import SideFire
from skirmish.app.text_styles import DIM
from skirmish.games.plastic.odds.table import OddsCell, OddsTable
from skirmish.games.plastic.odds.table_page import drawn_from, legend, sentences, title, volley_page
from skirmish.tabletop.page import capital

TITLE = "ODDS  "
TITLE_EDGES = 2
"""Columns of the edges of the title, as in the style sheet."""
VOLLEY_EDGES = 2
"""Columns that the edges of the volleys take from their half of the screen, as in the style
sheet."""
IN_THE_OPEN, IN_COVER = "in the open", "in cover"
ROWS_OF_TABLES = 2
"""Where four tables are shown, those of cards stand above those of the die."""
REST_AROUND_FOUR = 22
"""Rows of the screen for all but the lines of four tables."""
ROWS_FOR_LEGEND = 30
"""Rows of a screen with room for the full legend."""


def _where(covered: bool) -> str:
    """Where the targets are."""
    if covered:
        return IN_COVER
    return IN_THE_OPEN


class OddsScreen(Screen[None]):
    """The odds of ``fires``: of each side of a battle or, outside one, of any side.
    ``rulings_origin`` says where their rulings are from (``as in your settings``), ``revision``
    which numbers they use; None: the present ones."""

    CSS_PATH = "odds.tcss"
    AUTO_FOCUS = None
    TOPIC: ClassVar[str] = "odds"
    FAILURE = "The odds are not available"
    paragraph = "odds"
    HELP = (
        "The percentage of draws that hit. The arrows choose a cell; below the table are its exact "
        "chance, what saves the target, and how often the man aimed at dies.\n"
        "In a battle the table shows the weapons of one side against the units of the other, with "
        "the cards left in that side's deck."
    )
    # Each row: id, keys, action, label at the foot, words of the help.
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "odds",
        ("cover", "c", "cover", "Cover", "Switch between cover and open"),
        ("die", "d", "die", "Cards or d12", "Switch between cards and d12"),
        ("side", "tab", "side", "Other side", "Show the other side's weapons"),
        ("print", "p,P", "print", "Print", "Print both tables on one page"),
        ("back", "escape,q", "dismiss", "Back", "Back to where you were"),
        ("up", "up", "walk(-1, 0)", "", "Previous weapon"),
        ("down", "down", "walk(1, 0)", "", "Next weapon"),
        ("left", "left", "walk(0, -1)", "", "Previous target"),
        ("right", "right", "walk(0, 1)", "", "Next target"),
    )

    def __init__(
        self, fires: Sequence[SideFire], rulings_origin: str, revision: str | None = None
    ) -> None:
        super().__init__()
        self._fires = list(fires)
        self._rulings_origin = rulings_origin
        self._revision = revision
        self._fire_index = 0
        """The index, in ``fires``, of the fire that is shown."""
        # The chosen cell: the table that it is in, and its place there.
        self._covered = False
        self._die = fires[0].plays_with_die
        self._line = self._column = 0

    @property
    def fire(self) -> SideFire:
        """The fire that is shown."""
        return self._fires[self._fire_index]

    @property
    def table(self) -> OddsTable:
        """The odds with cards, or with the die if that was chosen."""
        return self.fire.table(die=self._die)

    @property
    def cell(self) -> OddsCell | None:
        """The chosen cell; None in a table without cells, such as that of a side that has lost all
        its weapons."""
        if not self.table.lines or not self.table.columns:
            return None
        return self.table.cells(self._covered)[self._line][self._column]

    # ------------------------------------------------------------------ on the screen

    def compose(self) -> ComposeResult:
        yield Static(id="odds-title", markup=False)
        for _ in range(ROWS_OF_TABLES):
            with Horizontal(classes="odds-tables"):
                yield HeatMap(markup=False)
                yield HeatMap(markup=False)
        with VerticalScroll(id="odds-page", can_focus=False):
            with Vertical(id="odds-of-cell"):
                yield Static(id="odds-cell", markup=False)
                yield Static(id="odds-volleys", markup=False)
            yield Static(id="odds-legend", classes="quiet", markup=False)
        yield Foot()

    def on_mount(self) -> None:
        self._show()

    def on_resize(self) -> None:
        self.call_after_refresh(self._show)

    def settings_changed(self) -> None:
        self._show()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "side":
            return len(self._fires) > 1
        return True

    def _show(self) -> None:
        """Show the tables, with the chosen cell in words."""
        # The cell may have been moved beyond an edge, or be in a table that is smaller.
        table = self.table
        self._line = max(0, min(self._line, len(table.lines) - 1))
        self._column = max(0, min(self._column, len(table.columns) - 1))
        self._show_tables()
        heading = Content.assemble((TITLE, "bold $accent"), self._about())
        self.query_one("#odds-title", Static).update(heading)
        self.query_one("#odds-cell", Static).update(self._exact_odds())
        self.query_one("#odds-legend", Static).update(self._legend())
        self.query_one("#odds-volleys", Static).update(self._volleys())

    def _show_tables(self) -> None:
        """Show one table; on a large screen two, in the open and in cover beside one another; on a
        high one four, those of the die below those of cards."""
        shots = self._shots_shown()
        self.set_class(self._shows_both, "-both")
        for number, heat_map in enumerate(self.query(HeatMap)):
            heat_map.display = number < len(shots)
            if heat_map.display:
                self._show_table(heat_map, shots[number])

    def _shots_shown(self) -> list[ShotKind]:
        """The shots that each of the tables shown is about, in their order."""
        if not self._shows_both:
            return [ShotKind(self._die, self._covered)]
        of_cards = [ShotKind(die=False, covered=False), ShotKind(die=False, covered=True)]
        of_die = [ShotKind(die=True, covered=False), ShotKind(die=True, covered=True)]
        if self.size.height >= ROWS_OF_TABLES * len(self.table.lines) + REST_AROUND_FOUR:
            return of_cards + of_die
        if self._die:
            return of_die
        return of_cards

    def _show_table(self, heat_map: HeatMap, shot: ShotKind) -> None:
        """Paint one of the tables. The chosen cell is marked only in the table that the sentences
        below are about: that of ``_die`` and ``_covered``."""
        table = self.fire.table(die=shot.die)
        chosen = None
        if shot == ShotKind(self._die, self._covered):
            chosen = OddsCellPlace(self._line, self._column)
        width = self.size.width
        heading = ""
        if self._shows_both:
            width = self.size.width // 2
            heading = f"{_where(shot.covered)} · {drawn_from(table.pack)}"
        heat_map.show(table, shot, chosen, width, heading)

    @property
    def _shows_both(self) -> bool:
        """Whether the tables in the open and in cover stand beside one another: only where no name
        of a weapon is cut for that."""
        if self.size.width < LARGE:
            return False
        half = self.size.width // 2
        # The signs of cells in cover are the longer ones.
        layout = layout_of(self.table, covered=True, screen_width=half)
        return layout.name_width >= longest_name(self.table)

    def _about(self) -> str:
        """Who fires, whether the targets are in cover, and what is drawn from; the rulings too, if
        there is room for them."""
        pack = self.fire.drawn_from(die=self._die)
        parts = (self.fire.side_name, _where(self._covered), pack)
        about = " · ".join(part for part in parts if part)
        with_rulings = f"{about} · rulings {self._rulings_origin}"
        if len(TITLE) + len(with_rulings) + TITLE_EDGES <= self.size.width:
            return with_rulings
        return about

    def _legend(self) -> str:
        """The full legend, or only the symbols on a low screen."""
        lines = [self.skirmish.measured(line) for line in legend(self.table, self._covered)]
        if self.size.height < ROWS_FOR_LEGEND:
            lines = lines[-1:]  # that of the symbols
        return "\n".join(lines)

    def _exact_odds(self) -> Content:
        """The chosen cell in words."""
        cell, table = self.cell, self.table
        if cell is None:
            return Content("This side has no weapon left.")
        line, column = table.lines[self._line], table.columns[self._column]
        measured = self.skirmish.measured
        return Content.assemble(
            (f"{title(line, column, self._covered)}\n", "bold $primary"),
            measured(" ".join(sentences(table, cell))),
            ("\nFired by ", DIM),
            ", ".join(unit.short for unit in line.fired_by),
            ("\nAt ", DIM),
            ", ".join(unit.short for unit in column.targets),
        )

    def _volleys(self) -> Content:
        """How many are killed if several men fire the chosen shot; empty but on a large screen."""
        if self.cell is None or not self._shows_both:
            return Content("")
        return painted(volley_page(self.table, self.cell), self.size.width // 2 - VOLLEY_EDGES)

    # ------------------------------------------------------------------ what keys do

    def action_cover(self) -> None:
        self._covered = not self._covered
        self._show()

    def action_die(self) -> None:
        self._die = not self._die
        self._show()

    def action_side(self) -> None:
        self._fire_index = (self._fire_index + 1) % len(self._fires)
        self._die = self.fire.plays_with_die
        self._show()

    def action_walk(self, lines: int, columns: int) -> None:
        """Go on by so many lines and columns from the chosen cell."""
        self.action_point(self._line + lines, self._column + columns, self._die, self._covered)

    def action_point(self, line: int, column: int, die: bool, covered: bool) -> None:
        """Choose a cell of one of the tables; for a place beyond its edge ``_show`` chooses the
        nearest cell."""
        self._line, self._column = line, column
        self._die, self._covered = die, covered
        self._show()

    def action_print(self) -> None:
        from skirmish.app.printing import print_document

        fire = self.fire
        phrase = f"rulings {self._rulings_origin}"
        if fire.side_name:
            phrase = f"{fire.side_name} · {phrase}"
        job = print_document(
            self.skirmish,
            "odds",
            (fire.by_cards, fire.by_die),
            rulings_phrase=capital(phrase),
            revision=self._revision,
        )
        self.run_worker(job, group="print")
