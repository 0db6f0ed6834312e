"""The list of games, with the unfinished ones."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import OptionList, Static

from skirmish import registry
from skirmish.app.binding import keys
from skirmish.app.foot import Foot
from skirmish.app.host import Host, Screen
from skirmish.app.line_list import LineList
from skirmish.app.page_view import DIM, STRONG, hanging, painted
from skirmish.app.play.setup import GameSetup
from skirmish.app.windows import working
from skirmish.extras import extra
from skirmish.store.errors import StoreError
from skirmish.tabletop.page import Note, Page
from skirmish.tabletop.reading import DataError
from skirmish.tabletop.typed import plain

if TYPE_CHECKING:
    from skirmish.registry import Listed
    from skirmish.store.records import BattleRecord


WIDE, EDGES = 110, 5


class GamesScreen(Screen[None]):
    """Every game of the registry, or only one, each above its unfinished games; the scores of a
    game that has any."""

    CSS_PATH = "start.tcss"
    TOPIC: ClassVar[str] = "games"
    HELP = (
        "Enter on a game sets up a new one; on a line below it, it continues that game. To delete "
        "a game, choose it on the home screen and press Del."
    )
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "games",
        ("new", "n", "begin", "New game", "Set up a new game"),
        ("scores", "s,S", "scores", "Scores", "The scores of finished games"),
        ("back", "escape,q", "dismiss", "Home", "Back home"),
    )

    def __init__(self, only: str = "") -> None:
        super().__init__()
        self._games = [one for one in registry.GAMES if only in ("", one.id)]
        self._only = only
        self._stored: dict[str, BattleRecord] = {}
        self._scores: Page | None = None

    def compose(self) -> ComposeResult:
        title = plain(self._games[0].name).upper() if self._only else "MORE GAMES"
        yield Static(title, classes="title", id="title", markup=False)
        with Horizontal(id="start-lists"):
            yield LineList(id="lines", classes="lines")
            with VerticalScroll(id="best-room", can_focus=False):
                yield Static(id="best", markup=False)
        yield Foot()

    def on_mount(self) -> None:
        self.query_one("#best-room").display = False
        self._list([])

    def on_screen_resume(self) -> None:
        self._read()

    def on_resize(self) -> None:
        self._list([*self._stored.values()])
        self._show_scores()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return None if action == "scores" and self._scores is None else True

    @work(group="look", exclusive=True)
    async def _read(self) -> None:
        try:
            records = await self.skirmish.stored(lambda store: store.battles())
            if self.query("#lines"):
                self._list(records)
            if self._only:
                game = registry.load(self._only)
                over = await self.skirmish.stored(lambda store: list(store.finished(game)))
                self._scores = await asyncio.to_thread(
                    extra,
                    "The scores are",
                    lambda: game.scores(over),
                    lambda line: Page("", (Note(line),)),
                )
        except (StoreError, DataError) as error:
            self.notify(f"The database cannot be used. {error}", markup=False)
            return
        if self.query("#best"):
            self._show_scores()
            self.refresh_bindings()

    def _show_scores(self) -> None:
        if self._scores is not None:
            self.query_one("#best-room").display = True
            self.query_one("#best", Static).update(painted(self._scores, self._columns - EDGES))

    @property
    def _columns(self) -> int:
        width = self.app.size.width
        return width // 2 if width >= WIDE and self._scores is not None else width

    def _list(self, records: list[BattleRecord]) -> None:
        self._stored = {str(one.id): one for one in records if not one.over}
        listed = self.query_one(LineList)
        lines = {id: line for game in self._games for id, line in self._lines(game)}
        at = min(listed.highlighted or 0, len(lines) - 1)
        listed.show([(None, lines)], [*lines][at])
        listed.focus()

    def _lines(self, game: Listed) -> Iterator[tuple[str, Content]]:
        name = "A NEW GAME" if self._only else plain(game.name)
        about = hanging(Content(f"  {plain(game.about)}"), self._columns - EDGES, 2)
        yield f"new {game.id}", Content("\n").join([Content.styled(name, STRONG), *about])
        for id, one in self._stored.items():
            if one.game == game.id:
                stands = f"  {plain(one.headline[:1].upper() + one.headline[1:])}"
                line = Content.assemble(f"{id:>5}  {plain(one.title)}", (stands, DIM))
                yield id, Content("\n").join(hanging(line, self._columns - EDGES, 7))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        record = self._stored.get(str(event.option_id))
        if record is not None:
            self.run_worker(resume(self.skirmish, record), group="resume", exclusive=True)
        else:
            self._set_up(str(event.option_id).removeprefix("new "))

    def action_begin(self) -> None:
        if chosen := self.query_one(LineList).chosen:
            record = self._stored.get(chosen)
            self._set_up(record.game if record else chosen.removeprefix("new "))

    def action_scores(self) -> None:
        from skirmish.app.page_screen import PageScreen

        if (scores := self._scores) is not None:
            self.app.push_screen(PageScreen(lambda: scores))

    def open_rules(self) -> None:
        from skirmish.app.page_screen import PageScreen

        if self._only:
            self.app.push_screen(PageScreen(registry.load(self._only).rules))

    def _set_up(self, id: str) -> None:
        try:
            self.app.push_screen(GameSetup(id))
        except DataError as error:
            self.run_worker(self.skirmish.show_message("This game cannot be played", str(error)))


async def resume(app: Host, record: BattleRecord) -> None:
    noun = getattr(registry.listed(record.game), "noun", "game")
    async with app.reporting(f"This {noun} cannot be opened"):
        opening = registry.opened(record.game)(app, record.id)
        await app.push_screen(await working(app, f"Opening the {noun}", opening))
