"""Where Beach Head begins: a new game, those to go on with, the best of those that are over."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from skirmish import library
from skirmish.app.foot import Foot
from skirmish.app.guard import Screen
from skirmish.games.beach_head.record import GAME
from skirmish.tabletop.typed import plain

if TYPE_CHECKING:
    from skirmish.app.application import SkirmishApp
    from skirmish.store.desk import Store
    from skirmish.store.records import BattleRecord

NEW = "new"
BEST = 5
"""Games that a table of scores shows here."""
ABOUT = (
    "A solo game of dice and cards on a D-Day beach: eighteen phases a turn, seven kinds of "
    "defence, and cards that change the dice. It takes an evening, or twenty minutes."
)


class BeachHome(Screen[None]):
    """New game, kept games, high scores."""

    CSS_PATH = "home.tcss"
    TOPIC: ClassVar[str] = "beach-home"
    HELP = (
        "Enter on the first line sets up a new game; on any other it continues that game. To "
        "delete a game, press Del on it on the first screen."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "begin", "New game", tooltip="Set up a new game", id="beach-home.new"),
        Binding("s,S", "scores", "High scores", tooltip="All high scores",
                id="beach-home.scores"),
        Binding("escape,q", "dismiss", "Home", key_display="Esc", tooltip="Back home",
                id="beach-home.back"),
    ]  # fmt: skip

    def __init__(self) -> None:
        super().__init__()
        self._games: dict[str, BattleRecord] = {}

    @property
    def skirmish(self) -> SkirmishApp:
        """The app."""
        return cast("SkirmishApp", self.app)

    def compose(self) -> ComposeResult:
        """Title, games, the best scores, keys."""
        yield Static("BEACH HEAD", classes="title", id="beach-title", markup=False)
        yield Static(ABOUT, classes="quiet", id="beach-about", markup=False)
        with Horizontal(id="beach-lists"):
            with Vertical(id="beach-games"):
                yield OptionList(_new(), id="games", classes="lines", markup=False)
            with VerticalScroll(id="beach-best", can_focus=False):
                yield Static("", id="best", markup=False)
        yield Foot()

    def on_mount(self) -> None:
        """The list is there at once, the games when they are read."""
        listed = self.query_one("#games", OptionList)
        listed.highlighted = 0
        listed.focus()
        self._look()

    def on_screen_resume(self) -> None:
        """Back from a game: it may stand otherwise now."""
        self._look()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A new game, or one of those."""
        from skirmish.app.resuming import resume

        if event.option_id in self._games:
            game = self._games[str(event.option_id)]
            self.run_worker(resume(self.skirmish, game), group="resume", exclusive=True)
        else:
            self.action_begin()

    def action_begin(self) -> None:
        """Set up a game."""
        from skirmish.app.beach.setup_screen import BeachSetup

        self.app.push_screen(BeachSetup())

    def action_scores(self) -> None:
        """All of them."""
        from skirmish.app.beach.scores_screen import ScoresScreen

        self.app.push_screen(ScoresScreen())

    def open_rules(self) -> None:
        """The rules as printed."""
        from skirmish.app.beach.rules_screen import BeachRules
        from skirmish.games.beach_head.setup import prepared
        from skirmish.tabletop.chance import Source

        usual = prepared(library.beach_manual(), library.beach_readings(), dice=Source("die"))
        self.app.push_screen(BeachRules(usual))

    # ------------------------------------------------------------------ the lists

    def _look(self) -> None:
        self.run_worker(self._read(), group="look", exclusive=True)

    async def _read(self) -> None:
        from skirmish.app.beach.scores_kept import kept_scores
        from skirmish.app.beach.scores_words import scores_told
        from skirmish.store.errors import StoreError

        try:
            self._show(await self.skirmish.stored(_going_on))
            scores = scores_told(await self.skirmish.stored(kept_scores), BEST)
        except StoreError as error:
            scores = Content(f"The database cannot be used. {error}")
        if best := self.query("#best"):  # none where the screen was left meanwhile
            best.first(Static).update(scores)

    def _show(self, games: list[BattleRecord]) -> None:
        if not self.query("#games"):
            return  # left while the store was at work
        self._games = {str(game.id): game for game in games}
        listed = self.query_one("#games", OptionList)
        at = listed.highlighted
        listed.clear_options()
        listed.add_options([_new(), *map(_option, games)])
        listed.highlighted = min(at or 0, len(games))


def _going_on(store: Store) -> list[BattleRecord]:
    """The games that are not over, the newest change first."""
    return [one for one in store.battles() if one.game == GAME and not one.over]


def _new() -> Option:
    return Option(Content.styled("A NEW GAME", "bold"), id=NEW)


def _option(game: BattleRecord) -> Option:
    return Option(
        Content.assemble(
            (f"{game.id:>3}  {plain(game.title)}\n", "bold"),
            (f"     {plain(game.headline)}", "$foreground 80%"),
        ),
        id=str(game.id),
    )
