"""Points worth, beside an army: what each unit kills for each point that it costs."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from skirmish.app.armies.view import DIM
from skirmish.app.binding import keys
from skirmish.app.foot import Foot
from skirmish.app.host import Screen
from skirmish.app.reference.in_force import InForce
from skirmish.games.plastic.odds.worth import Band, Worth, WorthTable, told, worth
from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.rules.catalog import plural
from skirmish.tabletop.measure import NO_BREAK, inches

NAME, PRICE, CELL = 13, 3, 4
"""Columns of a unit, its price, and each number."""
APART = "│"
"""Between the numbers against one target and those against the next."""


class WorthScreen(Screen[None]):
    """Every unit against guys, soft models and armor, band by band; those of the army in bold."""

    CSS_PATH = "worth.tcss"
    TOPIC: ClassVar[str] = "worth"
    EXTRA = "These figures are"
    HELP = (
        "Points killed on average for each point of the unit's price, at each distance. 0 is "
        "in contact. The army's own units are bold. The nation's prices and the army's rulings "
        "count. The arrows scroll."
    )
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "worth",
        ("own", "a", "own", "Only ours", "Show only this army's units, or all"),
        ("back", "escape", "dismiss", "Back", "Back to the army"),
    )
    paragraph = "worth"

    def __init__(self, army: Army) -> None:
        super().__init__()
        self._army = army
        self._only_own = False

    @property
    def in_force(self) -> InForce:
        """The rulings that this army is built by, for the reference."""
        return InForce(answers=self._army.rulings, whose="as in this army")

    def compose(self) -> ComposeResult:
        """What the numbers mean stays in sight, the rest scrolls."""
        army = self._army
        self._table = worth(army.catalog, army.rulings, army.nation)
        yield Static("POINTS WORTH", id="worth-title", classes="title", markup=False)
        yield Static(id="worth-told", markup=False)
        yield Static(id="worth-heads", markup=False)
        with VerticalScroll(id="worth-scroll"):
            yield Static(id="worth", markup=False)
        yield Foot()

    def on_mount(self) -> None:
        """The table."""
        self.query_one("#worth-scroll").focus()
        measured = self.skirmish.measured
        unit_of = _length(self._table.bands[-1], measured)[1]
        told_of = f"{measured(self._table.assumed)} Columns: up to so many {unit_of}; 0 is contact."
        self.query_one("#worth-told", Static).update(told_of)
        self.query_one("#worth-heads", Static).update(heads(self._table, measured))
        self._show()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only the army's own: where it has any that fire."""
        if action == "own":
            own = self._army.fielded()
            return True if any(line.unit.id in own for line in self._table.lines) else None
        return True

    def action_own(self) -> None:
        """Only the army's own units, or all that can be bought."""
        self._only_own = not self._only_own
        self._show()

    def _show(self) -> None:
        own = self._army.fielded()
        lines = [line for line in self._table.lines if not self._only_own or line.unit.id in own]
        shown = [row(line, self._table, own=line.unit.id in own) for line in lines]
        self.query_one("#worth", Static).update(Content("\n").join(shown))


def heads(table: WorthTable, measured: Callable[[str], str]) -> Content:
    """The targets, and below each the distances of its columns."""
    wide = CELL * len(table.bands)
    names, distances = " " * (NAME + PRICE), "Unit".ljust(NAME) + "Pts"
    for unit in table.targets:
        names += APART + plural(unit.name).rjust(wide)
        distances += APART + "".join(_length(band, measured)[0].rjust(CELL) for band in table.bands)
    return Content(f"{names}\n{distances}").stylize("bold")


def row(line: Worth, table: WorthTable, *, own: bool) -> Content:
    """A unit's numbers; the army's own in bold, what it cannot do dim."""
    parts: list[Content | tuple[str, str]] = [
        (f"{line.unit.short:<{NAME}}{line.price:>{PRICE}}", "bold" if own else "")
    ]
    for target in table.targets:
        parts.append((APART, ""))
        for points in line.against(target.id):
            style = DIM if not points else "bold" if own else ""
            parts.append((told(points, narrow=True).rjust(CELL), style))
    return Content.assemble(*parts)


def _length(band: Band, measured: Callable[[str], str]) -> tuple[str, str]:
    """How far a band reaches, as this player measures, and in what."""
    if not band.reach:
        return "0", ""
    number, _, unit = measured(inches(band.reach)).replace(NO_BREAK, " ").partition(" ")
    return number, unit
