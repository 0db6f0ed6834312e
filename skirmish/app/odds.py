"""The odds of every weapon against every kind of target: as a heat map, and exactly for each
cell."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar, NamedTuple

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from skirmish import library
from skirmish.app.binding import keys
from skirmish.app.foot import Foot
from skirmish.app.host import Screen
from skirmish.app.page_view import padded
from skirmish.app.reference.rulings import InForce
from skirmish.games.plastic.army_file import GAME
from skirmish.games.plastic.battle.odds import Knowledge, pack_of
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.odds import pack as packs
from skirmish.games.plastic.odds.table import (
    STEPS,
    OddsCell,
    OddsTable,
    default_tables,
    drawn_from,
    heads,
    heat,
    legend,
    odds_table,
    sentences,
    signs,
    title,
)
from skirmish.session import Session
from skirmish.tabletop.game import PLAYERS
from skirmish.tabletop.page import capital

SPREAD = 5
"""The most columns by which each column of the table is widened."""
LEAST_NAME = 8
"""The fewest columns of a weapon's name."""


class SideFire(NamedTuple):
    """The fire of one side: by cards, and by the die if ``rolls``. ``who`` fires, if it is a side
    of a battle; ``note`` is a remark about its cards."""

    cards: OddsTable
    die: OddsTable
    rolls: bool = False
    who: str = ""
    note: str = ""

    def drawn(self, die: bool) -> str:
        table = self.die if die else self.cards
        found = drawn_from(table.pack)
        return found if die or self.note in ("", found) else f"{found}, {self.note}"


def of_battle(state: State, knowledge: Knowledge) -> list[SideFire]:
    """The fire of both sides, the one that fires first in front."""
    found, setup = [], state.setup
    for side in sorted(setup.sides, key=lambda side: side.id != state.firing_side):
        known, enemy = pack_of(state, side.id, knowledge), setup.enemy_of(side.id)
        units = [[row.unit for row in rows(state, one.id)] for one in (side, enemy)]
        rolls = known.pack.die
        cards, die = (
            odds_table(setup.catalog, setup.rulings, pack, *units)
            for pack in (packs.fresh(setup.rulings) if rolls else known.pack, packs.die())
        )
        found.append(SideFire(cards, die, rolls, side.people, known.note))
    return found


def fires_here(
    screens: Iterable[object], in_force: InForce, knowledge: Knowledge
) -> tuple[list[SideFire], str | None]:
    """The tables of the topmost battle in which the players sit at this keyboard, with the revision
    of its numbers; else the general ones."""
    for screen in reversed(list(screens)):
        session = getattr(screen, "session", None)
        plays = getattr(screen, "viewer", PLAYERS) == PLAYERS
        if plays and isinstance(session, Session) and session.game.id == GAME:
            return of_battle(session.state, knowledge), session.state.setup.revision
    rulings = library.rulings().answered(in_force.answers)
    return [SideFire(*default_tables(library.catalog(), rulings))], None


class HeatMap(Static):
    """A table with clickable cells."""

    DEFAULT_CSS = """
    HeatMap {
        height: auto;
        padding: 0 0 0 1;
        link-style: none;
        link-color: $foreground;
    }
    """

    def show(self, table: OddsTable, covered: bool, line: int, column: int) -> None:
        words, titles = signs(table, covered), [heads(one) for one in table.columns]
        tall = max(map(len, titles), default=1)
        above = [*zip(*([""] * (tall - len(title)) + title for title in titles), strict=True)]
        wants = [max(map(len, column)) for column in zip(*above, *words, strict=True)]
        longest = max((len(one.weapon.name) for one in table.lines), default=0)
        room = self.screen.size.width - 1 - longest - sum(wants) - len(wants)
        more = max(0, min(SPREAD, room // max(1, len(wants))))
        name, widths = max(LEAST_NAME, longest + min(room, 0)), [want + more for want in wants]
        fields = [max(map(len, column)) for column in zip(*words, strict=True)]
        shown: list[Content] = []
        for row in above:
            styles = (
                "bold $accent" if at == column else "$foreground 80%" for at in range(len(row))
            )
            texts = (f" {text.center(width)}" for text, width in zip(row, widths, strict=True))
            shown.append(Content.assemble(" " * name, *map(Content.styled, texts, styles)))
        gap = [Content("")] * (self.screen.size.height >= len(table.lines) * 2 + 16)
        for at, (weapon, cells) in enumerate(zip(table.lines, table.cells(covered), strict=True)):
            parts = [
                Content.styled(padded(weapon.weapon.name, name), "bold $accent" * (at == line))
            ]
            for to, cell in enumerate(cells):
                style = self._style(heat(cell), (at, to) == (line, column))
                text = Content.styled(f"{words[at][to]:>{fields[to]}}".center(widths[to]), style)
                parts += [Content(" "), text.stylize(f"@click=screen.point({at}, {to})")]
            shown += [Content.assemble(*parts), *gap]
        self.update(Content("\n").join(shown))

    def _style(self, shade: int, chosen: bool) -> str:
        """The style of a cell. Without colours, high chances are bold; the number is always
        there."""
        if chosen:
            return "bold reverse"
        if shade < 0:
            return "$foreground 60%"
        if self.app.no_color or self.app.native_ansi_color:
            return "bold" if 2 * shade >= STEPS else ""
        return f"$foreground on $accent {8 + 13 * shade}%"


TITLE = "ODDS  "
HIGH = 30
"""Rows of a screen with room for the full legend."""


class OddsScreen(Screen[None]):
    """The tables of ``fires``: one, or one for each side of a battle. ``whose`` rulings apply."""

    CSS_PATH = "odds.tcss"
    AUTO_FOCUS = None
    TOPIC: ClassVar[str] = "odds"
    EXTRA = "The odds are"
    paragraph = "odds"
    HELP = (
        "The percentage of draws that hit. The arrows choose a cell; below the table are its exact "
        "chance, what saves the target, and how often the man aimed at dies.\n"
        "In a battle the table shows the weapons of one side against the units of the other, with "
        "the cards left in that side's deck."
    )
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
        self._fires, self._whose, self._revision = list(fires), whose, revision
        self._at, self._covered, self._die = 0, False, fires[0].rolls
        self._line = self._column = 0

    @property
    def table(self) -> OddsTable:
        fire = self._fires[self._at]
        return fire.die if self._die else fire.cards

    @property
    def cell(self) -> OddsCell | None:
        if not self.table.lines or not self.table.columns:
            return None
        return self.table.cells(self._covered)[self._line][self._column]

    # ------------------------------------------------------------------ on the screen

    def compose(self) -> ComposeResult:
        yield Static(id="odds-title", markup=False)
        yield HeatMap(id="heat-map", markup=False)
        with VerticalScroll(id="odds-page", can_focus=False):
            yield Static(id="odds-cell", markup=False)
            yield Static(id="odds-legend", classes="quiet", markup=False)
        yield Foot()

    def on_mount(self) -> None:
        self._show()

    def on_resize(self) -> None:
        self.call_after_refresh(self._show)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "side" or len(self._fires) > 1

    def _show(self) -> None:
        fire, table = self._fires[self._at], self.table
        self._line = max(0, min(self._line, len(table.lines) - 1))
        self._column = max(0, min(self._column, len(table.columns) - 1))
        self.query_one(HeatMap).show(table, self._covered, self._line, self._column)
        self.query_one("#odds-title", Static).update(
            Content.assemble((TITLE, "bold $accent"), self._about(fire))
        )
        self.query_one("#odds-cell", Static).update(self._told())
        self.query_one("#odds-legend", Static).update(self._legend())

    def _about(self, fire: SideFire) -> str:
        where = "in cover" if self._covered else "in the open"
        about = " · ".join(filter(None, (fire.who, where, fire.drawn(self._die))))
        longer = f"{about} · rulings {self._whose}"
        return longer if len(longer) <= self.size.width - len(TITLE) - 2 else about

    def _legend(self) -> str:
        """The full legend, or only the symbols on a low screen."""
        lines = [self.skirmish.measured(line) for line in legend(self.table, self._covered)]
        return "\n".join(lines if self.size.height >= HIGH else lines[-1:])

    def _told(self) -> Content:
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

    # ------------------------------------------------------------------ what keys do

    def action_cover(self) -> None:
        self._covered = not self._covered
        self._show()

    def action_die(self) -> None:
        self._die = not self._die
        self._show()

    def action_side(self) -> None:
        self._at = (self._at + 1) % len(self._fires)
        self._die = self._fires[self._at].rolls
        self._show()

    def action_walk(self, lines: int, columns: int) -> None:
        self.action_point(self._line + lines, self._column + columns)

    def action_point(self, line: int, column: int) -> None:
        self._line, self._column = line, column
        self._show()

    def action_print(self) -> None:
        from skirmish.app.printing import print_document

        fire = self._fires[self._at]
        whose = " · ".join(filter(None, (fire.who, f"rulings {self._whose}")))
        whose = capital(whose)
        tables = fire.cards, fire.die
        job = print_document(self.skirmish, "odds", tables, whose=whose, revision=self._revision)
        self.run_worker(job, group="print")
