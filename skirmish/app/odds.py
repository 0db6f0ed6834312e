"""The odds of every weapon against every kind of target: as a heat map, and exactly for each
cell."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar, NamedTuple

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from skirmish import library
from skirmish.app.binding import keys
from skirmish.app.foot import Foot
from skirmish.app.host import LARGE, Screen
from skirmish.app.page_view import painted
from skirmish.app.reference.rulings import InForce
from skirmish.app.text_rows import padded
from skirmish.games.plastic.army_file import GAME
from skirmish.games.plastic.battle.known_pack import Knowledge, pack_of
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.setup import Side
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.odds import pack as packs
from skirmish.games.plastic.odds.table import OddsCell, OddsTable, default_tables, odds_table
from skirmish.games.plastic.odds.table_page import (
    STEPS,
    drawn_from,
    heads,
    heat,
    legend,
    sentences,
    signs,
    title,
    volleys,
)
from skirmish.session import Session
from skirmish.tabletop.game import PLAYERS
from skirmish.tabletop.page import capital

SPREAD = 5
"""The most columns by which each column of the table is widened."""
ROUND_TABLE = 16
"""Rows of the screen for all but the lines of the table, where these have a blank line each."""
LIGHTEST, DARKER, DARKER_OF_256 = 8, 10, 6
"""How strongly a cell of the lowest chance is coloured, in percent, and how much more for each step
of chance, with millions of colours and with 256."""
LEAST_NAME = 8
"""The fewest columns of a weapon's name."""


class SideFire(NamedTuple):
    """The fire of one side."""

    cards: OddsTable
    """Its table by cards."""
    die: OddsTable
    """Its table by the die."""
    rolls: bool = False
    """Whether it plays with the die."""
    who: str = ""
    """Who fires, if it is a side of a battle."""
    note: str = ""
    """A remark about its cards."""

    def drawn(self, die: bool) -> str:
        """What is drawn from, with the remark about the cards unless that says the same."""
        if die:
            return drawn_from(self.die.pack)
        cards = drawn_from(self.cards.pack)
        if self.note in ("", cards):
            return cards
        return f"{cards}, {self.note}"


def of_battle(state: State, knowledge: Knowledge) -> list[SideFire]:
    """The fire of both sides, the one that fires first in front."""
    fires: list[SideFire] = []
    for side in state.setup.sides:
        fire = _fire_of(state, side, knowledge)
        if side.id == state.firing_side:
            fires.insert(0, fire)
        else:
            fires.append(fire)
    return fires


def _fire_of(state: State, side: Side, knowledge: Knowledge) -> SideFire:
    """The fire of a side at the other's units, from the cards that are left to it."""
    setup = state.setup
    side_pack = pack_of(state, side.id, knowledge)
    pack = side_pack.pack
    rolls = pack.die
    if rolls:  # a side without a deck would draw from a fresh one
        pack = packs.fresh(setup.rulings)
    its_units = [row.unit for row in rows(state, side.id)]
    enemy_units = [row.unit for row in rows(state, setup.enemy_of(side.id).id)]
    cards = odds_table(setup.catalog, setup.rulings, pack, its_units, enemy_units)
    die = odds_table(setup.catalog, setup.rulings, packs.of_die(), its_units, enemy_units)
    return SideFire(cards, die, rolls, side.people, side_pack.note)


def fires_here(
    screens: Iterable[object], in_force: InForce, knowledge: Knowledge
) -> tuple[list[SideFire], str | None]:
    """The fire of both sides in the topmost battle of ``screens``, with the revision of the numbers
    that the battle is played with. Where no battle is open: the general tables, by full decks and
    the rulings ``in_force``, and None. A battle that is only followed does not count, since what
    is left of its decks is for its players to know."""
    for screen in reversed(list(screens)):
        # Only the screens of games have a session and a viewer.
        session = getattr(screen, "session", None)
        is_played_here = getattr(screen, "viewer", PLAYERS) == PLAYERS
        if is_played_here and isinstance(session, Session) and session.game.id == GAME:
            return of_battle(session.state, knowledge), session.state.setup.revision
    rulings = library.rulings().answered(in_force.answers)
    cards, die = default_tables(library.catalog(), rulings)
    return [SideFire(cards, die)], None


class HeatLayout(NamedTuple):
    """The columns of a table of odds: the rows of its ``heads``, the ``signs`` of its cells by row
    and column with the longest of each column, and how wide columns and names are."""

    heads: Sequence[Sequence[str]]
    signs: Sequence[Sequence[str]]
    sign_widths: Sequence[int]
    widths: Sequence[int]
    name_width: int


def layout_of(table: OddsTable, covered: bool, screen_width: int) -> HeatLayout:
    """How a table is laid out: as wide as the screen allows; where it is too narrow, names of
    weapons are cut."""
    cells = signs(table, covered)
    titles = _heads_in_rows([heads(column) for column in table.columns])
    needed = _widths([*titles, *cells])
    longest_name = _longest_name(table)
    # What is left behind the padding of 1 when each column has what it needs and a gap; below 0
    # the names are cut.
    room = screen_width - 1 - longest_name - sum(needed) - len(needed)
    spread = max(0, min(SPREAD, room // max(1, len(needed))))
    widths = [width + spread for width in needed]
    name_width = max(LEAST_NAME, longest_name + min(room, 0))
    return HeatLayout(titles, cells, _widths(cells), widths, name_width)


def _heads_in_rows(titles: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """Titles of several words each as rows of words; the shorter ones begin further down."""
    most_words = max(map(len, titles), default=1)
    padded_titles = [[""] * (most_words - len(words)) + list(words) for words in titles]
    return list(zip(*padded_titles, strict=True))


def _longest_name(table: OddsTable) -> int:
    """The columns of the longest name of a weapon."""
    return max((len(line.weapon.name) for line in table.lines), default=0)


def _widths(cells: Sequence[Sequence[str]]) -> list[int]:
    """The longest text in each column."""
    return [max(map(len, column)) for column in zip(*cells, strict=True)]


class HeatMap(Static):
    """A table with clickable cells."""

    DEFAULT_CSS = """
    HeatMap {
        width: 1fr;
        height: auto;
        padding: 0 0 0 1;
        link-style: none;
        link-color: $foreground;
    }
    """

    die = False
    """Whether it is about rolls of the d12 rather than cards."""
    covered = False
    """Whether it is about targets in cover."""

    def show(self, table: OddsTable, chosen: tuple[int, int], width: int, title: str = "") -> None:
        """Paint the table in ``width`` columns, with the cell in the ``chosen`` line and column;
        below a ``title``, if there are others beside it."""
        line, column = chosen
        layout = layout_of(table, self.covered, width)
        lines = [self._head(layout, texts, column) for texts in layout.heads]
        if title:
            lines.insert(0, Content.styled(title.upper(), "bold $primary"))
        is_spread = not title and self.screen.size.height >= len(table.lines) * 2 + ROUND_TABLE
        for number, cells in enumerate(table.cells(self.covered)):
            chosen_column = None
            if number == line:
                chosen_column = column
            name = table.lines[number].weapon.name
            lines.append(self._row(layout, name, number, cells, chosen_column))
            if is_spread:
                lines.append(Content(""))
        self.update(Content("\n").join(lines))

    def _head(self, layout: HeatLayout, texts: Sequence[str], chosen: int) -> Content:
        """A row of the heads; that of the ``chosen`` column is bold."""
        pieces = [Content(" " * layout.name_width)]
        for column, text in enumerate(texts):
            style = "$foreground 80%"
            if column == chosen:
                style = "bold $accent"
            pieces.append(Content.styled(f" {text.center(layout.widths[column])}", style))
        return Content.assemble(*pieces)

    def _row(
        self,
        layout: HeatLayout,
        weapon: str,
        number: int,
        cells: Sequence[OddsCell],
        chosen: int | None,
    ) -> Content:
        """A weapon with its cells; ``chosen`` is the column of the chosen one, if it is here."""
        name = Content(padded(weapon, layout.name_width))
        if chosen is not None:
            name = name.stylize("bold $accent")
        pieces = [name]
        for column, cell in enumerate(cells):
            # Numbers are flush right among themselves, and centred as a whole.
            sign = f"{layout.signs[number][column]:>{layout.sign_widths[column]}}"
            style = self._style(heat(cell), column == chosen)
            text = Content.styled(sign.center(layout.widths[column]), style)
            point = f"@click=screen.point({number}, {column}, {self.die}, {self.covered})"
            pieces += [Content(" "), text.stylize(point)]
        return Content.assemble(*pieces)

    def _style(self, shade: int, chosen: bool) -> str:
        """The style of a cell. Without colours, high chances are bold; the number is always
        there."""
        if chosen:
            return "bold reverse"
        if shade < 0:  # a shot that the rules forbid
            return "$foreground 60%"
        if self.app.no_color or self.app.native_ansi_color:
            if 2 * shade >= STEPS:
                return "bold"
            return ""
        if self.app.console.color_system == "256":  # where the browns would be red and olive
            return f"$foreground on $foreground {LIGHTEST + DARKER_OF_256 * shade}%"
        return f"$foreground on $accent {LIGHTEST + DARKER * shade}%"


TITLE = "ODDS  "
IN_THE_OPEN, IN_COVER = "in the open", "in cover"
ROWS_OF_TABLES = 2
"""Cards above, rolls below."""
ROUND_FOUR = 22
"""Rows of the screen for all but the lines of four tables."""
NO_CELL = (-1, -1)
"""The line and column of a table in which no cell is chosen."""
ROWS_FOR_LEGEND = 30
"""Rows of a screen with room for the full legend."""


class ShotKind(NamedTuple):
    """What a table is about: rolls of the ``die`` or else cards, targets in cover or in the
    open."""

    die: bool
    covered: bool


def _where(covered: bool) -> str:
    """Where the targets are."""
    if covered:
        return IN_COVER
    return IN_THE_OPEN


class OddsScreen(Screen[None]):
    """The tables of ``fires``: one, or one for each side of a battle. ``whose`` rulings apply."""

    CSS_PATH = "odds.tcss"
    AUTO_FOCUS = None
    TOPIC: ClassVar[str] = "odds"
    EXTRA = "The odds are"  # begins the message if this screen fails
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

    def __init__(self, fires: Sequence[SideFire], whose: str, revision: str | None = None) -> None:
        super().__init__()
        self._fires = list(fires)
        self._whose = whose
        self._revision = revision
        self._side = 0  # the number of the side whose fire is shown, in ``fires``
        self._covered = False
        self._die = fires[0].rolls
        self._line = self._column = 0

    @property
    def fire(self) -> SideFire:
        """The fire that is shown."""
        return self._fires[self._side]

    @property
    def table(self) -> OddsTable:
        """The chances with cards, or with a die if that was chosen."""
        if self._die:
            return self.fire.die
        return self.fire.cards

    @property
    def cell(self) -> OddsCell | None:
        """The chosen cell; None in a table without any, as that of a side without weapons."""
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
        return action != "side" or len(self._fires) > 1

    def _show(self) -> None:
        """Show the tables, with the chosen cell in words."""
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
        """One table; on a large screen those in the open and in cover beside one another, and those
        of cards and of the die below one another."""
        shots = self._shots_shown()
        self.set_class(self._shows_both, "-both")
        for number, heat_map in enumerate(self.query(HeatMap)):
            heat_map.display = number < len(shots)
            if heat_map.display:
                self._show_table(heat_map, shots[number])

    def _shots_shown(self) -> list[ShotKind]:
        """What each of the tables that are shown is about, in their order."""
        if not self._shows_both:
            return [ShotKind(self._die, self._covered)]
        of_cards = [ShotKind(die=False, covered=False), ShotKind(die=False, covered=True)]
        of_die = [ShotKind(die=True, covered=False), ShotKind(die=True, covered=True)]
        if self.size.height >= 2 * len(self.table.lines) + ROUND_FOUR:
            return of_cards + of_die
        if self._die:
            return of_die
        return of_cards

    def _show_table(self, heat_map: HeatMap, shot: ShotKind) -> None:
        """Paint one of the tables. The chosen cell is marked only in the table that the sentences
        below are about: that of ``_die`` and ``_covered``."""
        heat_map.die, heat_map.covered = shot.die, shot.covered
        table = self.fire.cards
        if shot.die:
            table = self.fire.die
        chosen = NO_CELL
        if shot == ShotKind(self._die, self._covered):
            chosen = self._line, self._column
        width, heading = self.size.width, ""
        if self._shows_both:
            width //= 2
            heading = f"{_where(shot.covered)} · {drawn_from(table.pack)}"
        heat_map.show(table, chosen, width, heading)

    @property
    def _shows_both(self) -> bool:
        """Whether tables stand beside one another: only where no name of a weapon is cut."""
        if self.size.width < LARGE:
            return False
        half = self.size.width // 2
        # The signs of cells in cover are the longer ones.
        layout = layout_of(self.table, covered=True, screen_width=half)
        return layout.name_width >= _longest_name(self.table)

    def _about(self) -> str:
        """Who fires at targets where, from which cards; and the rulings, if there is room."""
        parts = (self.fire.who, _where(self._covered), self.fire.drawn(self._die))
        about = " · ".join(part for part in parts if part)
        longer = f"{about} · rulings {self._whose}"
        if len(longer) <= self.size.width - len(TITLE) - 2:
            return longer
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
            ("\nFired by ", "$foreground 65%"),
            ", ".join(unit.short for unit in line.fired_by),
            ("\nAt ", "$foreground 65%"),
            ", ".join(unit.short for unit in column.targets),
        )

    def _volleys(self) -> Content:
        """On a large screen the kills of several who fire the chosen shot."""
        if self.cell is None or not self._shows_both:
            return Content("")
        return painted(volleys(self.table, self.cell), self.size.width // 2 - 2)

    # ------------------------------------------------------------------ what keys do

    def action_cover(self) -> None:
        self._covered = not self._covered
        self._show()

    def action_die(self) -> None:
        self._die = not self._die
        self._show()

    def action_side(self) -> None:
        self._side = (self._side + 1) % len(self._fires)
        self._die = self.fire.rolls
        self._show()

    def action_walk(self, lines: int, columns: int) -> None:
        self.action_point(self._line + lines, self._column + columns, self._die, self._covered)

    def action_point(self, line: int, column: int, die: bool, covered: bool) -> None:
        """Choose a cell of one of the tables; beyond an edge of it, the nearest one (``_show``)."""
        self._line, self._column = line, column
        self._die, self._covered = die, covered
        self._show()

    def action_print(self) -> None:
        from skirmish.app.printing import print_document

        fire = self.fire
        whose = capital(f"rulings {self._whose}")
        if fire.who:
            whose = capital(f"{fire.who} · rulings {self._whose}")
        tables = fire.cards, fire.die
        job = print_document(self.skirmish, "odds", tables, whose=whose, revision=self._revision)
        self.run_worker(job, group="print")
