"""Home: the latest battles, and a menu with a key for each entry."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import OptionList, Static

from skirmish.app.base_screen import HIGH, WIDE, Screen
from skirmish.app.home_menu import COLUMNS, menu_bindings, menu_column, menu_key
from skirmish.app.host import UNUSABLE
from skirmish.app.line_list import LineGroup, LineList
from skirmish.extras import logged_failure

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from skirmish.app.home_board import HomeBoard
    from skirmish.store.database import Store
    from skirmish.store.records import BattleRecord
    from skirmish.tabletop.journal import Play

    AnyPlay: TypeAlias = Play[Any, Any, Any]


PROGRAM_NAME = Content.assemble(
    ("SKIRMISH\n", "$accent bold"), ("WWII Plastic Skirmish at the table's edge", "$foreground 65%")
)
FIRST_EVENING = "first-evening"
"""The id of the line that is shown as long as there are no battles; others have their numbers."""
FIRST_EVENING_LINE = Content.assemble(
    ("Your first evening\n", "bold"), "A small battle of two ready armies, explained as you play."
)
KEYS_FIRST = 0.3
"""Seconds after the first paint before the battles are read, so that a key typed at once is
answered first."""
MOST_LISTED = 50
"""The most battles that are listed."""
BOARD_AFTER = 0.15
"""Seconds for which a battle must stay chosen before its board is read, so that nobody who walks
through the list waits for the board of each battle on the way."""
LINE_MARGIN = 6
"""Columns of a line for the number, the gaps and the scroll bar."""
NUMBER_COLUMNS = 5
"""Columns of a battle's number, and of the gap behind it."""
LEAST_COLUMNS = 10
"""The fewest columns of a title and of a headline."""
STORE_AFTER = 1.0
"""Seconds after the list is shown before the store is opened: that imports SQLModel, which takes
long."""


class HomeScreen(Screen[None]):
    """The first screen. The menu is static text, so that it is part of the first paint and keys
    work before any footer is built."""

    TOPIC: ClassVar[str] = "home"
    HELP = (
        "Choose a battle with the arrows and press Enter to continue it. A letter opens everything "
        "else; the mouse does both. Each battle shows its turn and who is ahead: by what the "
        "victory terms count or, where that is counted only at the end, by losses."
    )
    BINDINGS: ClassVar[list[BindingType]] = menu_bindings()
    WHY_NOT: ClassVar[Mapping[str, str]] = {
        "follow": "there is no battle yet",
        "remove": "there is no battle yet",
        "bring_back": "nothing was removed",
    }

    def __init__(self) -> None:
        super().__init__()
        self._removed: BattleRecord | None = None
        """The battle that was removed last, and can be brought back."""
        self._battles: list[BattleRecord] = []
        """The battles in the list."""
        self._has_read = False
        """Whether the battles are known, or it is known that they cannot be read."""
        self._may_show_board = False
        """Whether the board of a battle may be read: only once the store is open, so that the
        first keys do not wait for it."""

    def compose(self) -> ComposeResult:
        with Vertical(id="home"):
            with Vertical(id="start"):
                yield Static(PROGRAM_NAME, markup=False)
                with Horizontal(id="menu"):
                    for number in range(COLUMNS):
                        yield Static(
                            menu_column(number, self.skirmish), classes="menu", markup=False
                        )
            yield Vertical(id="past")
        yield Static(self._keys, id="home-keys", markup=False)

    def on_mount(self) -> None:
        # The list waits for the first paint.
        self.call_after_refresh(self.run_worker, self._read_first, group="look", exclusive=True)

    def on_resize(self) -> None:
        if self._battles:
            # Only after the refresh do the columns have their new widths.
            self.call_after_refresh(self._list_battles, self._battles)
        if self._may_show_board:
            self._show_board()

    def on_screen_resume(self) -> None:
        # When a game begins, the screens that led to it close one after the other before its own
        # screen opens. Home is then resumed for a moment without being the current screen.
        if self._has_read and self.is_current:
            # Keys or battles may have changed on the screen above.
            self._paint_menu()
            self._read_again()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A key that would do nothing now is greyed out: None, where False would hide it."""
        if action in ("follow", "remove") and not self._battles:
            return None
        if action == "bring_back" and self._removed is None:
            return None
        return True

    async def _read_first(self) -> None:
        """List the battles by a quick query of the file. Only then open the store, which takes
        longer and may have to create or repair the file."""
        await asyncio.sleep(KEYS_FIRST)
        from skirmish.store.readers import recent_battles

        battles = await asyncio.to_thread(recent_battles, self.skirmish.database, MOST_LISTED)
        if battles is None:
            # The file must be brought up to date or repaired first. Keys do not wait for that.
            self._has_read = True
            self._read_in_background()
            return
        await self._list_battles(battles)
        self._has_read = True
        self.set_timer(STORE_AFTER, partial(self._read_in_background, is_listed=True))

    @work(group="look", exclusive=True)
    async def _read_again(self) -> None:
        await self._read_store()

    @work(group="background", exclusive=True)
    async def _read_in_background(self, is_listed: bool = False) -> None:
        await self._read_store(is_listed)

    async def _read_store(self, is_listed: bool = False) -> None:
        """List the battles of the store. If they are listed already (``is_listed``), list them
        again only if they have changed, and prepare the game that Enter would open."""
        from skirmish.store.errors import StoreError

        try:
            battles = await self.skirmish.stored(lambda store: store.battles(MOST_LISTED))
        except StoreError as error:
            await self._list_battles([])
            self.query_one("#battles").display = False
            self.query_one("#none", Static).update(f"{UNUSABLE}. {error}")
            return
        if not is_listed or battles != self._battles:
            await self._list_battles(battles)
        if is_listed and battles:
            await asyncio.to_thread(_prepare_game, battles[0].game)
        self._may_show_board = True
        self._show_board()

    def settings_changed(self) -> None:
        super().settings_changed()
        if self._may_show_board:
            self._show_board()  # in other colours

    @property
    def _has_room_for_board(self) -> bool:
        """Whether the terminal is large enough for a board beside the list of battles."""
        return self.app.size.width >= WIDE and self.app.size.height >= HIGH

    @work(group="board", exclusive=True)
    async def _show_board(self) -> None:
        """Show the board of the chosen battle, unless the player walks on through the list at
        once."""
        battle = self._chosen()
        if battle is None or not self._has_room_for_board:
            self._make_room_for_board(wanted=False)
            return
        await asyncio.sleep(BOARD_AFTER)
        if not self.query("#home"):
            return  # closed meanwhile
        try:
            await self._paint_board(battle)
        except Exception:  # whatever fails in an extra, home goes on without it
            logged_failure("The board is not available")
            self._make_room_for_board(wanted=False)

    async def _paint_board(self, battle: BattleRecord) -> None:
        """Paint the board of a battle beside the list; no board if its journal is too long."""
        board = await self._mounted_board()
        if board.shows_already(self.skirmish, battle) and self.has_class("-boarded"):
            return
        play = await board.read(self.skirmish, battle)
        self._make_room_for_board(wanted=play is not None)
        if play is not None:
            self.call_after_refresh(self._paint_when_laid_out, board, battle, play)

    async def _mounted_board(self) -> HomeBoard:
        """The board, which is mounted when it is first needed."""
        from skirmish.app.home_board import HomeBoard

        for board in self.query(HomeBoard):
            return board
        board = HomeBoard()
        await self.query_one("#home").mount(board)
        return board

    def _paint_when_laid_out(self, board: HomeBoard, battle: BattleRecord, play: AnyPlay) -> None:
        """Paint the board of a battle once its columns have their widths."""
        try:
            board.show(self.skirmish, battle, play)
        except Exception:  # as in ``_show_board``, which has returned by now
            logged_failure("The board is not available")
            self._make_room_for_board(wanted=False)

    def _make_room_for_board(self, *, wanted: bool) -> None:
        """Put menu and list below one another, with the board beside them; if it is not ``wanted``,
        give its columns back to them."""
        if self.has_class("-boarded") != wanted:
            self.set_class(wanted, "-boarded")
            self.call_after_refresh(self._list_battles, self._battles)

    def on_option_list_option_highlighted(self) -> None:
        if self._may_show_board:
            self._show_board()

    async def _list_battles(self, battles: list[BattleRecord]) -> None:
        """List the battles, below the menu that was painted before they were known."""
        if not self.query("#past"):
            return  # closed meanwhile
        self._battles = battles
        self._has_read = True
        past = self.query_one("#past")
        if not self.query("#battles"):
            await past.mount(
                Static("", classes="section", markup=False),
                LineList(id="battles", classes="lines"),
                Static("", id="none", classes="quiet", markup=False),
            )
        section, hint = "CONTINUE", ""
        width = past.content_size.width - LINE_MARGIN
        lines = {str(battle.id): battle_line(battle, width) for battle in battles}
        if not battles:
            new = menu_key("new_battle", self.skirmish)
            section = "START HERE"
            hint = f"Or press {new} for any other battle. It is saved automatically."
            lines = {FIRST_EVENING: FIRST_EVENING_LINE}
        self._show_lines(lines)
        self.query_one("#none", Static).update(hint)
        self.query_one(".section", Static).update(section)
        self.query_one("#home-keys", Static).update(self._keys)
        self._paint_menu()
        self.refresh_bindings()

    def _paint_menu(self) -> None:
        """Paint the menu anew; without a battle there is nothing to follow."""
        greyed = []
        if self._has_read and not self._battles:
            greyed.append("follow")
        for number, column in enumerate(self.query(".menu").results(Static)):
            column.update(menu_column(number, self.skirmish, greyed=greyed))

    def _show_lines(self, lines: dict[str, Content]) -> None:
        """Show the lines of the list. The cursor keeps its position, even if the line there was
        removed."""
        battle_list = self.query_one(LineList)
        line_ids = list(lines)
        place = battle_list.highlighted or 0  # None before anything is listed
        cursor = min(place, len(lines) - 1)
        battle_list.show([LineGroup(None, lines)], line_ids[cursor])
        if self.app.screen is self:
            battle_list.focus()
        battle_list.display = True  # it may be hidden since the database could not be used

    @property
    def _keys(self) -> Content:
        """The keys along the foot."""
        app = self.skirmish
        word_of_enter = "Continue"
        if self._has_read and not self._battles:  # Enter begins the first evening
            word_of_enter = "Start"
        words_by_key = {"Enter": word_of_enter}
        if self._battles:
            words_by_key[menu_key("remove", app)] = "Remove"
        if self._removed:
            words_by_key[menu_key("bring_back", app)] = "Undo"
        words_by_key |= {"?": "Keys", "Ctrl+P": "Commands", menu_key("quit", app): "Quit"}
        hints = []
        for key, word in words_by_key.items():
            hints.append(Content.assemble((key, "$accent bold"), f" {word}"))
        return Content("   ").join(hints)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        from skirmish.app.play.launch import resume

        if event.option_id == FIRST_EVENING:
            self._begin_first_evening()
            return
        battle = self._chosen()
        if battle is not None:
            self.run_worker(resume(self.skirmish, battle), group="resume", exclusive=True)

    def _begin_first_evening(self) -> None:
        """Begin the battle for newcomers, without its set-up form."""
        from skirmish import registry
        from skirmish.app.play.launch import begin
        from skirmish.games.plastic.setup_form.names import BATTLE, EVENING

        game = registry.load("plastic")
        first_battle = begin(self.skirmish, game, {BATTLE: EVENING})
        self.run_worker(first_battle, group="resume", exclusive=True)

    # ------------------------------------------------------------------ the menu

    def action_print(self) -> None:
        from skirmish.app.print_choice import choose_what_to_print

        self.run_worker(choose_what_to_print(self.skirmish, self._chosen()), group="print")

    def action_follow(self) -> None:
        from skirmish.app.play.follow import follow

        battle = self._chosen()
        if battle is not None:
            self.run_worker(follow(self.skirmish, battle.id), group="resume", exclusive=True)

    # ------------------------------------------------------------------ the list

    def _chosen(self) -> BattleRecord | None:
        """The selected battle; none before the list is mounted."""
        for battle_list in self.query(LineList):
            for battle in self._battles:
                if str(battle.id) == battle_list.chosen:
                    return battle
        return None

    async def action_remove(self) -> None:
        battle = self._chosen()
        if battle and await self._change(lambda store: store.remove("battle", battle.id)):
            self._removed = battle
            back = menu_key("bring_back", self.skirmish)
            message = f"{battle.title} is removed from the list. {back} undoes this."
            self.notify(message, markup=False)
            await self._read_store()

    async def action_bring_back(self) -> None:
        battle = self._removed
        if battle and await self._change(lambda store: store.bring_back("battle", battle.id)):
            self._removed = None
            self.notify(f"{battle.title} is back on the list.", markup=False)
            await self._read_store()

    async def _change(self, job: Callable[[Store], None]) -> bool:
        """Change the store. Returns whether that succeeded; a failure is shown."""
        async with self.skirmish.reporting("Not done"):  # shows a failure, and raises nothing
            await self.skirmish.stored(job)
            return True
        return False


def _prepare_game(game: str) -> None:
    """Import a game and its screen, so that Enter opens it without delay."""
    from skirmish import registry

    with suppress(Exception):  # opening the game reports it
        registry.screen_opener(game)
        registry.load(game)


def battle_line(battle: BattleRecord, width: int) -> Content:
    """A battle in the list: its number, its title, when it was played last, how it stands."""
    from skirmish.store.times import date_and_time

    when = date_and_time(battle.updated)
    if battle.over:
        when = f"finished  {when}"
    # The rows below the title begin where it does.
    indent = " " * NUMBER_COLUMNS
    room = max(width - len(when) - 2, LEAST_COLUMNS)
    gap = "  "
    if room < cell_len(battle.title) <= width:
        # A title that does not fit beside the time has a row of its own.
        room, gap = width, f"\n{indent}"
    title = Content(battle.title).truncate(room, ellipsis=True, pad=True)
    status_rows = Content(battle.headline).wrap(max(width, LEAST_COLUMNS))
    status = Content(f"\n{indent}").join(status_rows)
    number = f"{battle.id:>3}"
    return Content.assemble(
        (f"{number:<{NUMBER_COLUMNS}}", "bold"),
        title.stylize("bold"),
        (f"{gap}{when}\n", "$foreground 75%"),
        indent,
        status.stylize("$foreground 80%"),
    )
