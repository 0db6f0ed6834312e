"""High scores: a table for each beach and reading."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from skirmish.app.foot import Foot
from skirmish.app.scrolled_page import ScrolledPage

if TYPE_CHECKING:
    from skirmish.app.application import SkirmishApp

BEST = 10
"""Games that a table shows."""


class ScoresScreen(ScrolledPage):
    """Every table; ``mine`` is the number of the game that is marked."""

    TOPIC: ClassVar[str] = "scores"
    HELP = (
        "Finished games, with a table for each beach, reading and for play with or without cards, "
        "since only these can be compared. Fewer squads lost is better, then fewer turns, then "
        "more squads alive. Deleting a game removes its score."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,S", "dismiss", "Back", key_display="Esc", tooltip="Back",
                id="scores.back"),
    ]  # fmt: skip

    def __init__(self, mine: int = 0) -> None:
        super().__init__()
        self._mine = mine

    def compose(self) -> ComposeResult:
        """Title, page, keys."""
        yield Static("BEACH HEAD: HIGH SCORES", classes="title", id="summary-title", markup=False)
        with VerticalScroll(id="summary-page", can_focus=False):
            yield Static("Reading the games ...", id="scores", markup=False)
        yield Foot()

    def on_mount(self) -> None:
        """Read them."""
        self.run_worker(self._read(), group="scores", exclusive=True)

    async def _read(self) -> None:
        from skirmish.app.beach.scores_kept import kept_scores
        from skirmish.app.beach.scores_words import scores_told
        from skirmish.store.errors import StoreError

        try:
            found = await cast("SkirmishApp", self.app).stored(kept_scores)
            told = scores_told(found, BEST, self._mine)
        except StoreError as error:
            told = Content(str(error))
        if page := self.query("#scores"):  # none where the screen was left meanwhile
            page.first(Static).update(told)
