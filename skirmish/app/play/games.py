"""The list of games: a new one of each kind, and those that can be continued. What players typed
is content, never markup."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import OptionList, Static

from skirmish import registry
from skirmish.app.base_screen import LARGE, WIDE, Screen
from skirmish.app.binding import keys
from skirmish.app.foot import Foot
from skirmish.app.host import UNUSABLE
from skirmish.app.line_list import LineGroup, LineList
from skirmish.app.page_view import painted
from skirmish.app.play.launch import resume
from skirmish.app.play.setup import GameSetup
from skirmish.app.text_rows import hanging
from skirmish.app.text_styles import DIM, STRONG
from skirmish.extras import logged_failure, unless_it_fails
from skirmish.store.errors import StoreError
from skirmish.tabletop.data_file import DataError
from skirmish.tabletop.game import PLAYERS
from skirmish.tabletop.page import Note, Page
from skirmish.tabletop.typed import plain

if TYPE_CHECKING:
    from skirmish.registry import Listed
    from skirmish.store.records import BattleRecord


EDGES = 7
"""Columns of the edges of a list and of its scroll bar."""
NUMBER_COLUMNS = 7
"""Columns of a game's number, and of the gap behind it."""
ABOUT_INDENT = 2
"""Columns by which the rows of the text about a game are indented."""
NEW = "new "
"""In the id of the line that sets up a new game, this stands before the id of that game. The id of
the line of a stored game is its number."""
SECONDS_UNTIL_BESIDE = 0.15
"""Seconds after which the chosen game is shown beside the list. A player who walks through the list
has moved on by then."""
MOST_ENTRIES = 400
"""Entries of a journal up to which its board is shown beside the list."""


class GamesScreen(Screen[None]):
    """Every game of the registry, or only one, each above its unfinished games; the scores of a
    game that has any."""

    CSS_PATH = "games.tcss"
    HAS_ODDS: ClassVar[bool] = False
    TOPIC: ClassVar[str] = "games"
    HELP = (
        "Enter on a game sets up a new one; on a line below it, it continues that game. To delete "
        "a game, choose it on the home screen and press Del."
    )
    # Each row: id, keys, action, label at the foot, words of the help.
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "games",
        ("new", "n", "begin", "New game", "Set up a new game"),
        ("scores", "s,S", "scores", "Scores", "The scores of finished games"),
        ("back", "escape,q", "dismiss", "Home", "Back home"),
    )

    def __init__(self, only_game_id: str = "") -> None:
        super().__init__()
        self._games: list[Listed] = list(registry.GAMES)
        self._only_game: Listed | None = None
        """The game that is listed alone; None for all games."""
        if only_game_id:
            self._games = [game for game in registry.GAMES if game.id == only_game_id]
            self._only_game = self._games[0]
        self._unfinished: dict[str, BattleRecord] = {}
        """The unfinished games, by the ids of their lines."""
        self._scores: Page | None = None
        """The scores of a game that is listed alone; None if it has none, in the list of all games,
        and until they are read."""

    def compose(self) -> ComposeResult:
        title = "MORE GAMES"
        if self._only_game is not None:
            title = plain(self._only_game.name).upper()
        yield Static(title, classes="title", id="title", markup=False)
        with Horizontal(id="start-lists"):
            yield LineList(id="lines", classes="lines")
            with VerticalScroll(id="scores-room", can_focus=False):
                yield Static(id="scores", markup=False)
            with VerticalScroll(id="game-room", can_focus=False):
                yield Static(id="chosen-game", markup=False)
        yield Foot()

    def on_mount(self) -> None:
        self.query_one("#scores-room").display = False
        self._list_games()

    def on_screen_resume(self) -> None:
        self._read()

    def on_resize(self) -> None:
        self._paint()

    def settings_changed(self) -> None:
        self._show_chosen()

    def on_option_list_option_highlighted(self) -> None:
        self._show_chosen()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        line_id = str(event.option_id)
        record = self._unfinished.get(line_id)
        if record is not None:
            self.run_worker(resume(self.skirmish, record), group="resume", exclusive=True)
        else:
            self._set_up(_new_game_of(line_id))

    # ------------------------------------------------------------------ what keys do

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action != "scores" or self._scores is not None:
            return True
        if self._only_game is not None:
            return None  # greyed out: the scores are not read yet, or the game has none
        return False  # hidden: the list of all games has no scores of its own

    def action_begin(self) -> None:
        """Set up a new game of the chosen line, also where that is a stored one."""
        chosen = self.query_one(LineList).chosen
        if not chosen:
            return
        record = self._unfinished.get(chosen)
        if record is not None:
            self._set_up(record.game)
        else:
            self._set_up(_new_game_of(chosen))

    def _set_up(self, game_id: str) -> None:
        """Open the form that sets up a game, or say why its data cannot be read."""
        try:
            self.app.push_screen(GameSetup(game_id))
        except DataError as error:
            self.run_worker(self.skirmish.show_message("This game cannot be played", str(error)))

    def action_scores(self) -> None:
        from skirmish.app.page_screen import PageScreen

        scores = self._scores
        if scores is not None:
            self.app.push_screen(PageScreen(lambda: scores))

    @property
    def has_own_rules(self) -> bool:
        return True

    def open_own_rules(self) -> None:
        """Open the rules of the only game in the list. A list of several games opens none, and not
        those of the flagship either."""
        from skirmish.app.page_screen import PageScreen

        if self._only_game is not None:
            self.app.push_screen(PageScreen(registry.load(self._only_game.id).rules))

    # ------------------------------------------------------------------ reading

    @work(group="look", exclusive=True)
    async def _read(self) -> None:
        """Read the stored games and list them; then read the scores, which takes longer."""
        try:
            records = await self.skirmish.stored(lambda store: store.battles())
            self._unfinished = {str(record.id): record for record in records if not record.over}
            if not self.is_left:
                self._list_games()
            if self._only_game is not None:
                self._scores = await self._scores_of(self._only_game.id)
        except (StoreError, DataError) as error:
            self.notify(f"{UNUSABLE}. {error}", markup=False)
            return
        if not self.is_left:
            self._paint()
            self.refresh_bindings()

    async def _scores_of(self, game_id: str) -> Page | None:
        """The scores of all finished games; None for a game without scores, and one plain sentence
        if they fail. Raises StoreError or DataError."""
        game = registry.load(game_id)
        finished = await self.skirmish.stored(lambda store: list(store.finished(game)))
        return await asyncio.to_thread(
            unless_it_fails,
            partial(game.scores, finished),
            instead=_note_page,
            failure="The scores are not available",
        )

    # ------------------------------------------------------------------ painting

    def _paint(self) -> None:
        """Paint everything anew, in the columns that there are now."""
        self._list_games()
        self._show_scores()
        self._show_chosen()

    @property
    def _columns(self) -> int:
        """The columns of the list; what stands beside it has as many."""
        width = self.app.size.width
        scores_stand_beside = self._scores is not None and width >= WIDE
        if scores_stand_beside or self._has_room_for_chosen:
            return width // 2
        return width

    @property
    def _has_room_for_chosen(self) -> bool:
        """Whether the chosen game stands beside the list: on a large screen, where no scores do."""
        return self.app.size.width >= LARGE and self._scores is None

    def _show_scores(self) -> None:
        if self._scores is not None:
            self.query_one("#scores-room").display = True
            self.query_one("#scores", Static).update(painted(self._scores, self._columns - EDGES))

    def _list_games(self) -> None:
        """List the games with their unfinished ones. The cursor keeps its place in the list, also
        if another line stands there now."""
        game_list = self.query_one(LineList)
        lines: dict[str, Content] = {}
        for game in self._games:
            lines |= self._lines(game)
        line_ids = list(lines)
        place = game_list.highlighted or 0  # None before anything is listed
        cursor = min(place, len(lines) - 1)
        game_list.show([LineGroup(None, lines)], line_ids[cursor])
        game_list.focus()

    def _lines(self, game: Listed) -> dict[str, Content]:
        """The lines of a game by their ids: a new one, then those that are stored."""
        columns = self._columns - EDGES
        heading = plain(game.name)
        if self._only_game is not None:
            heading = "A NEW GAME"  # the name of the game is the title of the screen
        indent = " " * ABOUT_INDENT
        about = hanging(Content(f"{indent}{plain(game.about)}"), columns, ABOUT_INDENT)
        new_game = Content("\n").join([Content.styled(heading, STRONG), *about])
        lines = {f"{NEW}{game.id}": new_game}
        for line_id, record in self._unfinished.items():
            if record.game == game.id:
                rows = hanging(_stored_line(record, game), columns, NUMBER_COLUMNS)
                lines[line_id] = Content("\n").join(rows)
        return lines

    @work(group="chosen", exclusive=True)
    async def _show_chosen(self) -> None:
        """Show the board of the chosen game if it is a stored one, or its rules if it is a new one,
        as soon as the cursor rests on it."""
        self.query_one("#game-room").display = self._has_room_for_chosen
        chosen = self.query_one(LineList).chosen
        if not (self._has_room_for_chosen and chosen):
            return
        # The next move of the cursor cancels this worker.
        await asyncio.sleep(SECONDS_UNTIL_BESIDE)
        try:
            page = await self._page_of(chosen)
        except Exception:  # what stands beside the list is an extra: if it fails, the list goes on
            page = _note_page(logged_failure("The board is not available"))
        if self.is_left:
            return
        shown = painted(page, self._columns - EDGES)
        self.query_one("#chosen-game", Static).update(shown)
        self.query_one("#game-room").scroll_home(animate=False)

    async def _page_of(self, line_id: str) -> Page:
        """The board of a stored game, or the rules of a new one; empty for a journal that takes too
        long to replay while a player walks through the list."""
        record = self._unfinished.get(line_id)
        if record is None:
            game = await asyncio.to_thread(registry.load, _new_game_of(line_id))
            return game.rules()
        entries = await self.skirmish.stored(lambda store: store.entries(record.id))
        if len(entries) > MOST_ENTRIES:
            return Page("", ())
        game = await asyncio.to_thread(registry.load, record.game)
        play = await asyncio.to_thread(game.codec.replay, entries)
        return game.board(play.state, PLAYERS)


def _stored_line(record: BattleRecord, game: Listed) -> Content:
    """The number and title of a stored game, and how it stands."""
    title = ""
    if record.title != game.name:  # else the line of the game above says it
        title = f"{plain(record.title)}  "
    return Content.assemble(f"{record.id:>5}  {title}", (plain(record.headline), DIM))


def _new_game_of(line_id: str) -> str:
    """The id of the game that the line with this id sets up."""
    return line_id.removeprefix(NEW)


def _note_page(sentence: str) -> Page:
    """A page with only that sentence."""
    return Page("", (Note(sentence),))
