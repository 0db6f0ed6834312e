"""Any game on its screen: the board as a page or a picture, the commands of every game, advice, and
the place of a finished game among all of its kind."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.binding import Binding, BindingType

from skirmish import registry
from skirmish.app.base_screen import HIGH
from skirmish.app.binding import KeyLine, key_name, keys
from skirmish.app.host import Host
from skirmish.app.play.game_screen import BESIDE_NARROW, BesidePage, GameScreen
from skirmish.app.play.ordering import INSIST_BINDING, LINKED_BINDING, PHONES_BINDING, REDO_BINDING
from skirmish.extras import logged_failure
from skirmish.session import AnySession, Session
from skirmish.store.errors import StoreError
from skirmish.tabletop.page import Note, Page, mapped
from skirmish.tabletop.slots import ESCAPE, TAB

if TYPE_CHECKING:
    from skirmish.store.database import Store

BINDING_KEYS = "JSPWNH?%"
"""Characters that are bindings of this screen or of the whole app, unless the game uses them."""
ACTION_OF_SPARE_KEY = {"u": "undo", "w": "advice", "q": "leave", "!": "insist"}
"""Other characters that are bindings, unless the game uses them or their action cannot be carried
out now."""


class PlayScreen(GameScreen):
    """The screen of any game but the battle, which has one of its own. Letters that the game does
    not use are bindings for what can be done in every game."""

    VERTICAL_BREAKPOINTS = [(0, "-low"), (HIGH, "-tall")]  # noqa: RUF012
    HELP = (
        "Enter or Space confirms a proposed answer. Backspace deletes what you typed; when nothing "
        "is typed, it undoes the last order."
    )

    HAS_ODDS: ClassVar[bool] = False
    JOURNAL = "play.journal"
    HELD_WITHIN: ClassVar[float] = 0.0
    """No key counts as held down: a roll that Space repeats can be undone."""
    # Each row: id, keys, action, label at the foot (empty: not shown there), words of the help.
    BINDINGS: ClassVar[list[BindingType]] = [
        *keys(
            "play",
            ("journal", "J", "journal", "Journal", "The whole journal"),
            ("summary", "S", "summary", "Summary", "The game so far, and its scores if it has any"),
            ("due", "f7", "due", "", "Everything that is due"),
            ("print", "P", "print", "Print", "Print a document"),
            PHONES_BINDING,
            LINKED_BINDING,
        ),
        # The foot shows Backspace, which undoes as well as long as nothing is typed.
        Binding("ctrl+z,u", "undo", "Undo", key_display="⌫", tooltip="Undo the last order (Ctrl+Z)",
                id="play.undo"),
        *keys(
            "play",
            REDO_BINDING,
            ("home", "H", "home", "", "Home; the game is saved"),
            ("leave", "escape,q", "leave", "Leave",
             "Cancel what you began, or leave the game; it is saved"),
            ("another", "N", "another", "Another", "Set up another game"),
            ("advice", "W,w", "advice", "Advice", "What the program would do here"),
            INSIST_BINDING,
            ("look_back", "up", "press('up')", "",
             "Walk back through the journal"),
            ("look_on", "down", "press('down')", "", "Walk on in the journal"),
            ("up", "pageup", "page(-8)", "", "Scroll back"),
            ("down", "pagedown", "page(8)", "", "Scroll on"),
        ),
    ]  # fmt: skip
    WHY_NOT: ClassVar[Mapping[str, str]] = {
        "undo": "there is no order to undo",
    }

    def __init__(self, session: AnySession) -> None:
        super().__init__(session)
        self._place_and_rating = ""
        """Which place a finished game has among all of its kind, and how it is rated, in words."""
        self._advice: Page | None = None
        """What the program would do here, as far as it has worked it out."""

    @property
    def TOPIC(self) -> str:  # type: ignore[override]  # noqa: N802  (one for each game)
        """The topic of the help, which is the game that is played."""
        return self.game.name

    def help_lines(self) -> list[KeyLine]:
        """What the help says of the commands that have a key."""
        lines = []
        for command in self.commands:
            if command.key:
                explained = command.label
                if command.help.startswith(command.label):
                    explained = command.help
                elif command.help:
                    explained = f"{command.label}. {command.help}"
                explained = explained.rstrip(". ")  # no line of the help ends with a full stop
                lines.append(KeyLine(key_name(command.key), explained, not command.why_not))
        return lines

    @property
    def has_own_rules(self) -> bool:
        return True

    def open_own_rules(self) -> None:
        from skirmish.app.page_screen import PageScreen

        self.app.push_screen(PageScreen(lambda: self.game.rules(self.session.state)))

    def action_due(self) -> None:
        """Show everything that is due, on a page of its own."""
        from skirmish.app.page_screen import PageScreen

        self.app.push_screen(PageScreen(self._due_page))

    def _due_page(self) -> Page:
        from skirmish.tabletop.command_pages import due_page

        return mapped(due_page(self.due()), self.formatted)

    def on_mount(self) -> None:
        self._show_place_if_over()  # Textual calls that of each base class, too

    def asked_now(self) -> Page:
        """What is asked, with the place of a finished game below it, once that is found out."""
        page = super().asked_now()
        if self._place_and_rating:
            return page.with_blocks((Note(self._place_and_rating),))
        if self.over:
            return page.with_blocks((Note("The game is over."),))
        return page

    def page_beside(self) -> BesidePage | None:
        if self._advice is not None:
            return BesidePage(self._advice, row=0)
        return super().page_beside()

    def columns_beside(self, columns: int) -> int:
        columns_of_page = super().columns_beside(columns)
        if self._advice is not None and not columns_of_page:
            return BESIDE_NARROW  # advice was asked for, so it is shown on a narrow screen, too
        return columns_of_page

    # ------------------------------------------------------------------ keys

    def is_typed(self, key: str) -> bool:
        """Whether a key is part of an answer; if not, it is a binding."""
        if self.journal_cursor is not None:
            return key not in BINDING_KEYS
        if self._is_key_of_game(key):
            return True
        if key in ACTION_OF_SPARE_KEY:
            can_be_carried_out = self.check_action(ACTION_OF_SPARE_KEY[key], ())
            return not can_be_carried_out
        return key not in BINDING_KEYS and key != TAB

    def _is_key_of_game(self, key: str) -> bool:
        """Whether a key has a meaning in the game, which comes before that of a binding."""
        if self.draft is None:
            return any(command.key == key for command in self.commands)
        return self.draft.may_be_typed(key)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A new game is offered once this one is over, advice and insisting before that if the game
        has any; undo needs an order to undo."""
        if action == "another":
            return self.over
        if action == "advice":
            return not self.over and self.game.has_advice
        if action == "insist":
            return not self.over and self.game.can_insist
        has_only_opening = len(self.session.play.acts) == 1
        if action == "undo" and has_only_opening:
            return None  # greyed out
        return True

    @property
    def foot_labels(self) -> dict[str, str]:
        """What Esc does now, if it does not leave."""
        has_something_to_drop = self.draft is not None and self.draft.in_hand
        if has_something_to_drop or self.journal_cursor is not None or self._advice is not None:
            return {"leave": "Back"}
        return {}

    def action_another(self) -> None:
        self.app.switch_screen(self.skirmish.make_screen("set-up", self.game.id))

    def action_advice(self) -> None:
        self.note = "Playing it out …"
        self.show_state()
        self._advise()

    @work(group="advice", exclusive=True)
    async def _advise(self) -> None:
        """Show what the program would do here, until the game goes on."""
        state = self.session.state
        try:
            # Each page improves on the one before, and takes long: the game may go on meanwhile.
            pages = await asyncio.to_thread(self.game.advice, state)
            page = await asyncio.to_thread(next, pages, None)
            if page is None:
                self.note = "There is no advice for this game."
            while page is not None:
                if self.session.state is not state or not self.is_attached:
                    return  # the game has gone on, or the screen is left
                self.note, self._advice = "", page
                self.show_state()
                page = await asyncio.to_thread(next, pages, None)
        except Exception:  # whatever fails in an extra, the game goes on without it
            self.note = logged_failure("Advice is not available")
        self.show_state()

    async def action_leave(self) -> None:
        if self._advice is not None:
            self.note, self._advice = "", None
            self.show_state()
        else:
            await self.press(ESCAPE)

    def changed(self) -> None:
        self.workers.cancel_group(self, "advice")
        self._advice = None
        self._show_place_if_over()

    def action_home(self) -> None:
        self.skirmish.go_home()

    def _show_place_if_over(self) -> None:
        if self.over:
            self._show_place_and_rating()

    @work(group="place", exclusive=True)
    async def _show_place_and_rating(self) -> None:
        """Say which place a finished game has; then, as that takes long, how it is rated."""
        from skirmish.tabletop.scores import place_in_words

        game, number = self.game, self.session.id
        state = self.session.state
        rating = ""

        def place_in_store(store: Store) -> str:
            finished_games = store.finished(game, number)
            return place_in_words(game.all_scores(finished_games), number)

        try:
            with suppress(StoreError):  # then the rating is shown alone
                self._place_and_rating = await self.skirmish.stored(place_in_store)
            self.show_state()
            rating = await asyncio.to_thread(game.rating, state)
        except Exception:  # whatever fails in an extra, the game goes on without it
            self.note = logged_failure("The rating is not available")
            self.show_state()
        is_still_shown = self.session.state is state and self.is_attached
        if rating and is_still_shown:
            self._place_and_rating = f"{self._place_and_rating} {rating}".strip()
            self.show_state()


async def opened(app: Host, number: int) -> PlayScreen:
    """The screen of the stored game of that number. Raises StoreError, RecordError."""
    record = await app.stored(lambda store: store.battle(number))
    return PlayScreen(await Session.resumed(registry.load(record.game), app.stored, number))
