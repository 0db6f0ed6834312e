"""Who had the luck: a page beside the summary of a battle."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import ClassVar, cast

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from skirmish.app.battle import luck_chart
from skirmish.app.battle.kept import BattleSession
from skirmish.app.battle.summary_words import NAME
from skirmish.app.fitting import shortened
from skirmish.app.foot import Foot
from skirmish.app.host import Host
from skirmish.app.scrolled_page import ScrolledPage
from skirmish.app.working import working
from skirmish.games.plastic import luck_words as words
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.luck import Luck, luck
from skirmish.tabletop.typed import plain

EDGES = 6
"""Columns of padding and scroll bar."""
CELL = 24
STRIPS = ((34, 9), (0, 4))
"""Rows of a strip of the chart, on screens of at least so many rows."""


class LuckScreen(ScrolledPage):
    """Figures, the chart, the moments; reckoned in a thread when it is opened."""

    TOPIC: ClassVar[str] = "luck"
    paragraph = "odds"
    HELP = (
        "Expected kills are the chances of all shots, each with the cards that were left before "
        "its draw. “Luckier than 80%”: with the same chances, 80 of 100 sides would have killed "
        "fewer. A hit counts as one kill, whoever was aboard."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "escape,q,l",
            "app.pop_screen",
            "Back",
            key_display="Esc",
            tooltip="Back to the summary",
            id="luck.back",
        )
    ]

    def __init__(self, kept: BattleSession) -> None:
        super().__init__()
        self._play = kept.play
        self._found: Luck | None = None

    def compose(self) -> ComposeResult:
        """The battle's title, then the page."""
        title = plain(self._play.state.setup.title).upper()
        yield Static(f"{title}: LUCK", classes="title", id="summary-title", markup=False)
        with VerticalScroll(id="summary-page", can_focus=False):
            for _ in range(3):
                yield Static(classes="summary-part", markup=False)
        yield Foot()

    def on_mount(self) -> None:
        """Reckon it beside the screen."""
        self.run_worker(self._reckon(), group="luck")

    def on_resize(self) -> None:
        """A chart as large as there is room for."""
        self._paint()

    async def _reckon(self) -> None:
        app = cast("Host", self.app)
        work = asyncio.to_thread(luck, self._play, app.settings.deck_knowledge)
        self._found = await working(app, "Adding up all the chances", work)
        self._paint()

    def _paint(self) -> None:
        if self._found is None:
            return
        width, height = self.app.size
        parts = luck_parts(self._play, self._found, width - EDGES, height)
        for part, content in zip(self.query(".summary-part").results(Static), parts, strict=True):
            part.update(content)


def luck_parts(play: BattlePlay, found: Luck, width: int, height: int) -> Iterator[Content]:
    """Figures, chart, moments, for a page so wide on a screen so high."""
    yield figures(found)
    rows = next(rows for least, rows in STRIPS if height >= least)
    yield luck_chart.course(found, width, rows)
    yield told(play, found)


def figures(found: Luck) -> Content:
    """Both sides beside each other."""
    names = [shortened(plain(side.people), CELL - 2) for side in found.sides]
    heads = "".join(" " * (CELL - cell_len(name)) + name for name in names)
    lines = [Content.assemble((f"{'LUCK':<{NAME}}", "bold $primary"), (heads, "$foreground 65%"))]
    for line in words.figures(found):
        cells = "".join(f"{cell:>{CELL}}" for cell in line.sides)
        lines.append(Content(f"  {line.name:<{NAME - 2}}{cells}"))
    return Content("\n").join(lines)


def told(play: BattlePlay, found: Luck) -> Content:
    """The moments worth telling, and what the figures do not rest on."""
    state = play.state
    moments = [*words.moments(state, found)]
    if turned := words.turning(state, found.turned):
        moments.append(turned)
    lines = [Content.assemble((f"{plain(one.name)}: ", "bold"), plain(one.says)) for one in moments]
    lines += [
        Content.styled(plain(line), "$foreground 65%") for line in words.caveats(state, found)
    ]
    return Content("\n").join(lines)
