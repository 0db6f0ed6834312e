"""The list of games, and the set-up form of any game: a line for each field, some of them folded;
the first line starts the game. User input is content, never markup."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import OptionList, Static

from skirmish import registry, resources
from skirmish.app.asking import TextEntry, YesOrNo
from skirmish.app.binding import keys
from skirmish.app.foot import Foot
from skirmish.app.host import HIGH, LARGE, SPACIOUS, UNUSABLE, WIDE, Host, Screen
from skirmish.app.line_list import Group, LineList, LineScreen
from skirmish.app.page_view import DIM, STRONG, painted
from skirmish.app.text_rows import hanging
from skirmish.app.windows import MessageScreen, working
from skirmish.extras import not_available, unless_it_fails
from skirmish.session import Session, with_typed_in
from skirmish.store.errors import StoreError
from skirmish.tabletop.data_file import DataError
from skirmish.tabletop.form import SetupForm
from skirmish.tabletop.game import PLAYERS, Game, StoredArmy
from skirmish.tabletop.page import Note, Page
from skirmish.tabletop.refusal import Refused
from skirmish.tabletop.set_up_form import Field, Fold
from skirmish.tabletop.slots import Choose, Number, Words
from skirmish.tabletop.typed import plain

if TYPE_CHECKING:
    from skirmish.registry import Listed
    from skirmish.store.records import BattleRecord


BEGIN = "begin"
"""The id of the line that begins the game; the ids of the others are the names of their fields."""
BOARD_MARGIN = 4
"""Columns beside the map of a scenario, and of its scroll bar."""
LONGEST_NUMBER = 20
"""The most characters of an answer that is no text."""
MOST_NAMED = 3
"""The most changed lines that are named before they are discarded."""
NO_SEED = 0
"""Nothing is drawn of a game that is only looked at."""
READY = "Defaults are filled in. Press Enter to begin, or change any line with ← and →, or Enter."


class FormLine(NamedTuple):
    """A line of the form by its ``name``: a field or a fold of several, under the heading
    ``group``."""

    name: str
    shows: Field | Fold
    group: str


class _BoardCause(NamedTuple):
    """What the board beside the lines was painted for."""

    room: tuple[int, int]
    answers: dict[str, Any]


class _FoldSummary(NamedTuple):
    """The answers within a fold in short, and whether they differ from the defaults."""

    text: str
    changed: bool


class GameSetup(LineScreen):
    """The form of the game ``id``; fields already ``given`` are left out. ``about`` is the
    paragraph of the rules on what is set up."""

    LIST_CLASSES: ClassVar[str] = ""
    HAS_ODDS: ClassVar[bool] = False
    TOPIC: ClassVar[str] = "set-up"
    PASSING: ClassVar[bool] = True
    HELP = (
        "Defaults are filled in; Enter on the first line begins. On the other lines, Enter or the "
        "right arrow changes the answer, opens the line or lets you type; the left arrow goes "
        "back. • marks what is not the default. Rulings are the places where the rules leave a "
        "choice; leave them alone if in doubt."
    )
    # Each row: id, keys, action, label at the foot, words of the help.
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "setup",
        ("begin", "b", "begin", "Begin", "Begin with these choices"),
        ("change", "right", "change(1)", "Change", "Next value"),
        ("change-back", "left", "change(-1)", "", "Previous value"),
        ("loads", "l", "loads", "Loads", "Who starts aboard"),
        ("leave", "escape", "leave", "Cancel", "Go back without starting"),
    )

    def __init__(self, id: str, given: Mapping[str, Any] | None = None, about: str = "") -> None:
        super().__init__()
        self._game = registry.load(id)
        self._given = given or {}
        self._about = about
        self._open: set[str] = set()
        """The folds that are open, by their ids."""
        self._board_painted_for: _BoardCause | None = None
        self._board_failed = False
        self.form: SetupForm | None = None
        """None until the armies and settings are read."""

    @property
    def paragraph(self) -> str:
        """The paragraph of the rules on the chosen line: a ruling is one by its name."""
        if self.chosen in ("", BEGIN):
            return self._about
        return self.chosen

    @property
    def heading(self) -> str:
        # What was chosen on the screen before, such as the scenario, stands in the title and on no
        # line.
        answers = []
        if self.form is not None:
            for field in self.form.given_fields:
                answers.append(field.slot.shown(self.form.answers[field.slot.name]))
        return plain(" ".join(answers) or self._game.name).upper()

    async def on_mount(self) -> None:
        self._game = await equipped(self.skirmish, self._game)
        for warning in self._game.warnings:
            self.notify(warning, markup=False, severity="warning")
        self.form = SetupForm(self._game, self._given)
        if self.form.fields:
            self.paint(self.form.fields[0].slot.name)
        else:
            # There is nothing behind the message: with it the empty form closes.
            message = MessageScreen("This cannot be set up yet", self.form.trouble)
            await self.app.push_screen(message, self._closed_with_it)

    def _closed_with_it(self, closed: None) -> None:
        del closed
        self.call_later(self.dismiss)

    def settings_changed(self) -> None:
        self._board_painted_for = None  # it may have other colours now
        super().settings_changed()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "loads":
            return self.form is not None and self.form.field("loads") is not None
        return True

    def open_rules(self) -> bool:
        if self._about:
            return False  # a game of the flagship: F1 opens its ``paragraph``
        from skirmish.app.page_screen import PageScreen

        self.app.push_screen(PageScreen(self._game.rules))
        return True

    # ------------------------------------------------------------------ what keys do

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if event.option_id == BEGIN:
            self.action_begin()
        else:
            self._change(str(event.option_id), 1, by_enter=True)

    def action_change(self, step: int) -> None:
        if self.chosen != BEGIN:  # which has no answer
            self._change(self.chosen, step)

    def action_loads(self) -> None:
        self._change("loads", 1)

    def _change(self, name: str, step: int, *, by_enter: bool = False) -> None:
        """Turn the answer of a line, or let it be typed; open or close a fold."""
        assert self.form is not None
        field = self.form.field(name)
        if field is None:
            self._open_or_close(name)
            return
        # The arrows step through numbers, too; Enter lets them be typed.
        is_turned = isinstance(field.slot, Choose)
        if isinstance(field.slot, Number) and not by_enter:
            is_turned = True
        if is_turned:
            self.form.turn(name, step)
            self.paint(name)
        else:
            self.run_worker(self._write(self.form, field), exclusive=True)

    def _open_or_close(self, fold_id: str) -> None:
        if fold_id in self._open:
            self._open.remove(fold_id)
            self.paint(fold_id)
        else:
            self._open.add(fold_id)
            self.paint(fold_id)
            # The lines that it holds are below it, perhaps below the screen.
            self.query_one(LineList).scroll_to_highlight(top=True)

    async def _write(self, form: SetupForm, field: Field) -> None:
        """Let the answer of a line be typed in a window of its own."""
        slot = field.slot
        text = slot.shown(form.answers[slot.name])
        secret, longest = False, LONGEST_NUMBER
        if isinstance(slot, Words):
            secret, longest = slot.secret, slot.longest
        # A secret is never shown again, not even to be edited: somebody may be looking on.
        if secret:
            text = ""
        entry = TextEntry(
            label_of(field),
            slot.text,
            text,
            partial(form.read, slot.name),
            longest=longest,
            secret=secret,
        )
        typed = await self.app.push_screen_wait(entry)
        if typed is not None:
            form.answer(slot.name, form.read(slot.name, typed))
            self.paint(slot.name)

    @work(exclusive=True)
    async def action_leave(self) -> None:
        """Leave, once the players agree that what they have changed is lost."""
        form = self.form
        changed = []
        if form is not None:
            changed = [label_of(field) for field in form.fields if form.changed(field)]
        if not changed or await self.app.push_screen_wait(_leave_question(changed)):
            self.app.pop_screen()

    def action_begin(self) -> None:
        if self.form is not None and self.form.fields:
            self.run_worker(begin(self.skirmish, self._game, self.form.answers), exclusive=True)

    # ------------------------------------------------------------------ painting

    def below(self) -> ComposeResult:
        """The forces below the lines, and the map beside them."""
        yield VerticalScroll(
            Static(id="setup-below-lines", markup=False), id="setup-left", can_focus=False
        )
        yield VerticalScroll(
            Static(id="setup-map", markup=False), id="setup-board", can_focus=False
        )

    def paint(self, chosen: str = "") -> None:
        with_board = bool(self._scenario and self._has_room and not self._board_failed)
        self.set_class(with_board, "-boarded")
        self.set_class(with_board and self._is_large, "-both-halves")
        super().paint(chosen)
        if with_board:
            unless_it_fails(self._paint_board, instead=self._leave_board_out, missing="The map is")

    @property
    def columns(self) -> int:
        if self.has_class("-boarded"):
            return self.app.size.width // 2
        return super().columns

    @property
    def _scenario(self) -> int | None:
        """The number of the scenario that is set up, if it is one."""
        battle = str(self._given.get("battle", ""))
        if not battle.isdigit():
            return None
        return int(battle)

    @property
    def _has_room(self) -> bool:
        """Whether map and forces of a scenario stand beside the lines."""
        return self.app.size.width >= WIDE and self.app.size.height >= HIGH

    @property
    def with_details(self) -> bool:
        return super().with_details and not self.has_class("-boarded")

    @property
    def _is_large(self) -> bool:
        """Whether the forces have room below the lines, and the map alone beside them."""
        return self.app.size.width >= LARGE and self.app.size.height >= SPACIOUS

    def _paint_board(self) -> None:
        """Paint the board anew for other answers or another size; while the answers contradict one
        another, it stays as it is."""
        from skirmish.app.scenarios.setup_board import battle_of, setup_board, setup_halves

        if self.form is None or not self.form.fields:
            return
        width, height = self.app.size
        # Above it stands the title, below it the keys.
        room = (width // 2 - BOARD_MARGIN, height - 2)
        cause = _BoardCause(room, dict(self.form.answers))
        if cause == self._board_painted_for:
            return
        battle = battle_of(self._game, self.form.answers)
        if battle is not None:
            self._board_painted_for = cause
            below_lines = Content("")
            if self._is_large:
                below_lines, board = setup_halves(self.skirmish, battle, room)
            else:
                board = setup_board(self.skirmish, battle, room)
            self.query_one("#setup-below-lines", Static).update(below_lines)
            self.query_one("#setup-map", Static).update(board)

    def _leave_board_out(self, line: str) -> None:
        self._board_failed = True
        self.remove_class("-boarded")
        self.notify(line, markup=False, severity="warning")

    def _lines(self) -> Iterator[FormLine]:
        """The lines of the form: the fields, a fold before those that it holds, which have lines
        only while it is open."""
        assert self.form is not None
        folds: set[str] = set()
        for field in self.form.fields:
            if field.fold and field.fold.id not in folds:
                folds.add(field.fold.id)
                yield FormLine(field.fold.id, field.fold, field.group)
            if field.fold is None or field.fold.id in self._open:
                yield FormLine(field.slot.name, field, field.group)

    def groups(self) -> Iterator[Group]:
        if self.form is None or not self.form.fields:
            return
        yield None, {BEGIN: Content.styled(f"BEGIN THE {self._game.noun.upper()}", "bold")}
        gap = ""
        if self.app.size.height >= HIGH:
            gap = "\n"
        for topic, lines in groupby(self._lines(), key=attrgetter("group")):
            rows = {}
            for line in lines:
                if isinstance(line.shows, Fold):
                    rows[line.name] = self._fold_line(line.shows)
                else:
                    rows[line.name] = self._field_line(line.shows)
            heading = None
            if topic:
                heading = Content.styled(f"{gap}{topic}", "bold $primary")
            yield heading, rows

    def _fold_line(self, fold: Fold) -> Content:
        summary = self._summary_of(fold)
        return self.labelled(fold.label, summary.text, summary.changed, turns=False)

    def _field_line(self, field: Field) -> Content:
        """A line of the form with its answer."""
        assert self.form is not None
        slot = field.slot
        answer = slot.shown(self.form.answers[slot.name]) or "none"
        # With one option there is nothing to turn, so no arrows are shown.
        turns = isinstance(slot, Number) or (isinstance(slot, Choose) and len(slot.options) > 1)
        indent = ""
        if field.fold:
            indent = "  "
        changed = self.form.changed(field)
        return self.labelled(f"{indent}{label_of(field)}", answer, changed, turns=turns)

    def _summary_of(self, fold: Fold) -> _FoldSummary:
        """The switches that are on, or else how many fields were changed."""
        form = self.form
        assert form is not None
        inside = [field for field in form.fields if field.fold == fold]
        changed = [field for field in inside if form.changed(field)]
        answers = set()
        switched_on = []
        for field in inside:
            answer = field.slot.shown(form.answers[field.slot.name])
            answers.add(answer)
            if answer == "on":
                switched_on.append(label_of(field).lower())
        # Switches are named if they are on; other lines only counted, as their answers may be long.
        if answers <= {"on", "off"}:
            summary = ", ".join(switched_on) or "none"
        elif changed:
            summary = f"{len(changed)} changed"
        else:
            summary = "defaults"
        mark = "▸"
        if fold.id in self._open:
            mark = "▾"
        return _FoldSummary(f"{mark} {summary}", bool(changed))

    def meaning(self, id: str) -> Content:
        """What is to be known before one begins, and what the line with that id means."""
        form = self.form
        assert form is not None
        trouble = form.trouble or form.notice
        about = ""
        if not trouble:  # the first line says this as long as nothing else is to be said
            about = READY
        for line in self._lines():
            if line.name != id:
                continue
            if isinstance(line.shows, Fold):
                about = line.shows.help
            else:
                about = meaning_of(line.shows, form.answers)
        warning = Content(plain(trouble)).stylize("$warning")
        explanation = Content(self.skirmish.measured(plain(about)))
        return Content("\n").join(part for part in (warning, explanation) if part.plain)

    def details(self, id: str) -> Content:
        """Below the explanation the board as these answers open the game."""
        board = unless_it_fails(self._opening_board, instead=Content, missing="The board is")
        return Content("\n\n").join([self.meaning(id), board])

    def _opening_board(self) -> Content:
        """The board at the start, in the colours of its sides. It is empty while the answers
        contradict one another, and for a battle of two armies, whose board has the screen once it
        is begun."""
        assert self.form is not None
        if self._game.id == registry.BATTLE.id:
            return Content()
        try:
            first = self._game.opening(self.form.answers, lambda: NO_SEED)
        except Refused:
            return Content()
        state = self._game.codec.play([first]).state
        board = self._game.board(state, PLAYERS)
        return painted(board, self.details_width, colours=self._game.colours(state))


def _leave_question(changed: Sequence[str]) -> YesOrNo:
    """Whether to leave though the lines with these labels have been changed."""
    lines_have = "One line has"
    if len(changed) > 1:
        lines_have = f"{len(changed)} lines have"
    labels = "; ".join(changed[:MOST_NAMED])
    if len(changed) > MOST_NAMED:
        labels += "; …"
    return YesOrNo(
        "Leave without beginning?",
        f"{lines_have} been changed ({labels}). The changes will be lost.",
        yes="leave and discard them",
        no="stay",
    )


def _note_page(sentence: str) -> Page:
    """A page with only that sentence."""
    return Page("", (Note(sentence),))


def label_of(field: Field) -> str:
    """The label of a line; a slot that has none is called by its name."""
    return field.slot.label or field.slot.name.replace("_", " ").capitalize()


def meaning_of(field: Field, answers: Mapping[str, Any]) -> str:
    """The explanation of a line and of its answer; never a secret answer itself."""
    slot, answer = field.slot, answers[field.slot.name]
    if isinstance(slot, Choose):
        parts = [field.help or slot.text]
        for option in slot.options:
            if option.value != answer:
                continue
            if option.label.endswith(".") and option.label not in option.note:
                parts.append(option.label)  # a sentence, which the line may have cut
            parts.append(option.note)
            break
        return " ".join(filter(None, parts))
    # Also below the line the answer stays hidden.
    if isinstance(slot, Words) and slot.secret:
        return field.help or slot.text
    shown_answer = slot.shown(answer) or "none"
    return f"{field.help or slot.text} Now: {shown_answer.rstrip('.')}. Press Enter to edit."


# ------------------------------------------------------------------ on to the game


async def equipped(app: Host, game: Game[Any, Any, Any]) -> Game[Any, Any, Any]:
    """The game with the armies and settings of its players; without them, and with a message, if
    they cannot be read."""
    armies: list[StoredArmy] = []
    async with app.reporting("The armies cannot be read"):
        records = await app.stored(lambda store: store.armies())
        armies = [StoredArmy(str(record.id), record.name, record.body) for record in records]
        game = await with_typed_in(game, app.stored)
    with resources.LOADING:  # a lock: a thread may still read the list of armies
        return game.equipped(armies, app.settings)


async def begin(app: Host, game: Game[Any, Any, Any], answers: Mapping[str, Any]) -> None:
    """Store the game and open it in place of the set-up screens. In a worker only."""
    async with app.reporting(f"This {game.noun} cannot begin"):
        first = game.opening(answers, app.seed)
        session = await Session.opened(game, app.stored, first)
        trouble = ""
        try:
            for order in game.first_orders(answers, app.seed):
                await session.give(order)
        except (Refused, StoreError) as error:
            # The game is stored by now: it is opened without what could not be carried out.
            trouble = f"{error} You can do it during the {game.noun}."
        screen = await registry.opened(game.id)(app, session.id)
        # The screens that led here are left (see ``Screen.PASSING``, which Textual's own screens do
        # not have), so that Esc in the game goes home and not back to its set-up.
        while getattr(app.screen, "PASSING", False):
            app.pop_screen()
        await app.push_screen(screen)
        if trouble:
            await app.show_message("Not everything was carried out", trouble)


EDGES = 7
"""Columns of the edges of a list and of its scroll bar."""
NUMBER_COLUMNS = 7
"""Columns of a game's number, and of the gap behind it."""
NEW = "new "
"""Before the id of a game, that of the line which sets up a new one; the lines of stored games have
their numbers."""
BESIDE_AFTER = 0.15
"""Seconds after which the chosen game is shown beside the list: nobody walks on by then."""
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
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "games",
        ("new", "n", "begin", "New game", "Set up a new game"),
        ("scores", "s,S", "scores", "Scores", "The scores of finished games"),
        ("back", "escape,q", "dismiss", "Home", "Back home"),
    )

    def __init__(self, only: str = "") -> None:
        super().__init__()
        self._games = [game for game in registry.GAMES if only in ("", game.id)]
        self._only = only
        self._stored: dict[str, BattleRecord] = {}
        """The unfinished games, by the ids of their lines."""
        self._scores: Page | None = None

    def compose(self) -> ComposeResult:
        title = "MORE GAMES"
        if self._only:
            title = plain(self._games[0].name).upper()
        yield Static(title, classes="title", id="title", markup=False)
        with Horizontal(id="start-lists"):
            yield LineList(id="lines", classes="lines")
            with VerticalScroll(id="best-room", can_focus=False):
                yield Static(id="best", markup=False)
            with VerticalScroll(id="game-room", can_focus=False):
                yield Static(id="chosen-game", markup=False)
        yield Foot()

    def on_mount(self) -> None:
        self.query_one("#best-room").display = False
        self._show_games([])

    def on_screen_resume(self) -> None:
        self._read()

    def on_resize(self) -> None:
        self._show_games([*self._stored.values()])
        self._show_scores()
        self._show_chosen()

    def settings_changed(self) -> None:
        self._show_chosen()

    def on_option_list_option_highlighted(self) -> None:
        self._show_chosen()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action != "scores" or self._scores is not None:
            return True
        if self._only:
            return None  # greyed out until the scores are read
        return False  # hidden: the list of all games has no scores of its own

    @work(group="look", exclusive=True)
    async def _read(self) -> None:
        """Read the stored games and list them; then read the scores, which takes longer."""
        try:
            records = await self.skirmish.stored(lambda store: store.battles())
            if self.query("#lines"):
                self._show_games(records)
            if self._only:
                game = registry.load(self._only)
                finished = await self.skirmish.stored(lambda store: list(store.finished(game)))
                self._scores = await asyncio.to_thread(
                    unless_it_fails,
                    partial(game.scores, finished),
                    instead=_note_page,
                    missing="The scores are",
                )
        except (StoreError, DataError) as error:
            self.notify(f"{UNUSABLE}. {error}", markup=False)
            return
        if self.query("#best"):
            self.on_resize()
            self.refresh_bindings()

    def _show_scores(self) -> None:
        if self._scores is not None:
            self.query_one("#best-room").display = True
            self.query_one("#best", Static).update(painted(self._scores, self._columns - EDGES))

    @property
    def _columns(self) -> int:
        """The columns of the list; the scores have as many."""
        width = self.app.size.width
        if (width >= WIDE and self._scores is not None) or self._shows_chosen:
            return width // 2
        return width

    @property
    def _shows_chosen(self) -> bool:
        """Whether the chosen game stands beside the list: on a large screen, where no scores do."""
        return self.app.size.width >= LARGE and self._scores is None

    @work(group="chosen", exclusive=True)
    async def _show_chosen(self) -> None:
        """The board of a game that goes on, or the rules of one that can be begun, once nobody
        walks on through the list."""
        self.query_one("#game-room").display = self._shows_chosen
        chosen = self.query_one(LineList).chosen
        if not (self._shows_chosen and chosen):
            return
        await asyncio.sleep(BESIDE_AFTER)
        try:
            page = await self._page_of(chosen)
        except Exception:  # whatever fails in an extra, the list goes on without it
            page = _note_page(not_available("The board is"))
        if not self.is_attached:  # the screen was left meanwhile
            return
        shown = painted(page, self._columns - EDGES)
        self.query_one("#chosen-game", Static).update(shown)
        self.query_one("#game-room").scroll_home(animate=False)

    async def _page_of(self, chosen: str) -> Page:
        """The board of a stored game, or the rules; empty for a journal that is too long to read
        while somebody only walks through the list."""
        record = self._stored.get(chosen)
        if record is None:
            game = await asyncio.to_thread(registry.load, chosen.removeprefix(NEW))
            return game.rules()
        entries = await self.skirmish.stored(lambda store: store.entries(record.id))
        if len(entries) > MOST_ENTRIES:
            return Page("", ())
        game = await asyncio.to_thread(registry.load, record.game)
        play = await asyncio.to_thread(game.codec.replay, entries)
        return game.board(play.state, PLAYERS)

    def _show_games(self, records: list[BattleRecord]) -> None:
        """List the games with their unfinished ones; the cursor stays in its place."""
        self._stored = {str(record.id): record for record in records if not record.over}
        game_list = self.query_one(LineList)
        lines: dict[str, Content] = {}
        for game in self._games:
            lines.update(self._lines(game))
        line_ids = list(lines)
        cursor = min(game_list.highlighted or 0, len(lines) - 1)
        game_list.show([(None, lines)], line_ids[cursor])
        game_list.focus()

    def _lines(self, game: Listed) -> Iterator[tuple[str, Content]]:
        """The lines of a game by their ids: a new one, then those that are stored."""
        name = plain(game.name)
        if self._only:
            name = "A NEW GAME"
        about = hanging(Content(f"  {plain(game.about)}"), self._columns - EDGES, 2)
        yield f"{NEW}{game.id}", Content("\n").join([Content.styled(name, STRONG), *about])
        for number, record in self._stored.items():
            if record.game != game.id:
                continue
            title = ""
            if record.title != game.name:  # else the line above says it
                title = f"{plain(record.title)}  "
            line = Content.assemble(f"{number:>5}  {title}", (plain(record.headline), DIM))
            rows = hanging(line, self._columns - EDGES, NUMBER_COLUMNS)
            yield number, Content("\n").join(rows)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        record = self._stored.get(str(event.option_id))
        if record is not None:
            self.run_worker(resume(self.skirmish, record), group="resume", exclusive=True)
        else:
            self._set_up(str(event.option_id).removeprefix(NEW))

    def action_begin(self) -> None:
        """Set up a new game of the chosen line, also where that is a stored one."""
        chosen = self.query_one(LineList).chosen
        if not chosen:
            return
        record = self._stored.get(chosen)
        if record is not None:
            self._set_up(record.game)
        else:
            self._set_up(chosen.removeprefix(NEW))

    def action_scores(self) -> None:
        from skirmish.app.page_screen import PageScreen

        scores = self._scores
        if scores is not None:
            self.app.push_screen(PageScreen(lambda: scores))

    def open_rules(self) -> bool:
        from skirmish.app.page_screen import PageScreen

        if self._only:
            self.app.push_screen(PageScreen(registry.load(self._only).rules))
        return True

    def _set_up(self, game_id: str) -> None:
        try:
            self.app.push_screen(GameSetup(game_id))
        except DataError as error:
            self.run_worker(self.skirmish.show_message("This game cannot be played", str(error)))


async def resume(app: Host, record: BattleRecord) -> None:
    """Open a stored game, or show why it cannot be opened. In a worker only."""
    # A game that this version does not have is named in the message.
    noun = getattr(registry.listed(record.game), "noun", "game")
    async with app.reporting(f"This {noun} cannot be opened"):
        opening = registry.opened(record.game)(app, record.id)
        await app.push_screen(await working(app, f"Opening the {noun}", opening))
