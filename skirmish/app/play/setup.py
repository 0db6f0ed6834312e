"""The set-up form of any game: a line for each field, some of them folded; the first line starts
the game. What players typed is content, never markup."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import Any, ClassVar, NamedTuple

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.widgets import OptionList, Static

from skirmish import registry, resources
from skirmish.app.asking import TextEntry, YesOrNo
from skirmish.app.base_screen import HIGH, LARGE, SPACIOUS, WIDE
from skirmish.app.binding import keys
from skirmish.app.host import Host
from skirmish.app.line_list import LineGroup, LineList, LineScreen
from skirmish.app.page_view import painted
from skirmish.app.play.launch import begin
from skirmish.app.play.setup_lines import SetupLine, SetupLines, label_of
from skirmish.app.windows import MessageScreen
from skirmish.extras import unless_it_fails
from skirmish.session import with_typed_tables
from skirmish.tabletop.form import SetupForm
from skirmish.tabletop.game import PLAYERS, Game, StoredArmy
from skirmish.tabletop.refusal import Refused
from skirmish.tabletop.set_up_form import Field
from skirmish.tabletop.slots import Choose, Number, Words
from skirmish.tabletop.text_width import cells
from skirmish.tabletop.typed import plain

BEGIN = "begin"
"""The id of the line that begins the game; the ids of the others are the names of their fields."""
BOARD_MARGIN = 4
"""Columns beside the map of a scenario, and of its scroll bar."""
WHOLE_LINES = 73
"""Columns of the lines in which who draws, the longest value of most battles, stands whole, also
once it is changed: beside its label it takes 32."""
BOARD_ROWS_TAKEN = 2
"""Rows that the board leaves to the title above it and to the keys below."""
LONGEST_NUMBER = 20
"""The most characters of an answer that is not a text."""
MOST_NAMED = 3
"""The most changed lines that are named before they are discarded."""
NEXT = 1
"""The step from an answer to the next one."""
NO_SEED = 0
"""The seed of a game that is opened only to show its board: nothing is drawn with it."""
READY = "Defaults are filled in. Press Enter to begin, or change any line with ← and →, or Enter."


class _BoardInput(NamedTuple):
    """What the board beside the lines depends on: it is painted anew only if this changes."""

    room: Size
    """In columns and rows."""
    answers: dict[str, Any]


class GameSetup(LineScreen):
    """The form of a game. Fields with an answer in ``given`` are not asked; ``rules_paragraph`` is
    the paragraph of the flagship's rules on what is set up, empty for other games."""

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

    def __init__(
        self, game_id: str, given: Mapping[str, Any] | None = None, rules_paragraph: str = ""
    ) -> None:
        super().__init__()
        self._game = registry.load(game_id)
        self._given = given or {}
        self._rules_paragraph = rules_paragraph
        self._board_painted_for: _BoardInput | None = None
        """None before the board is painted, and where it must be painted anew."""
        self._board_failed = False
        self._lines: SetupLines | None = None
        """None until the armies and settings are read."""
        self._longest_label = 0
        """The cells of the longest label that is shown."""

    @property
    def form(self) -> SetupForm | None:
        """The form with its answers; None until the armies and settings are read."""
        if self._lines is None:
            return None
        return self._lines.form

    @property
    def _lines_to_ask(self) -> SetupLines | None:
        """The lines of the form; None where there is nothing to ask, or not yet."""
        if self._lines is None or not self._lines.form.fields:
            return None
        return self._lines

    @property
    def paragraph(self) -> str:
        """The paragraph of the rules on the chosen line: that of a ruling has the name of its
        field. On the line that begins the game, the one on what is set up."""
        if self.chosen in ("", BEGIN):
            return self._rules_paragraph
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
        self._game = await _equipped(self.skirmish, self._game)
        for warning in self._game.warnings:
            self.notify(warning, markup=False, severity="warning")
        form = SetupForm(self._game, self._given)
        self._lines = SetupLines(form)
        if form.fields:  # the cursor begins on the first of them
            self.paint(form.fields[0].slot.name)
        else:
            # There is nothing to see behind the message: the empty form closes with it.
            message = MessageScreen("This cannot be set up yet", form.trouble)
            await self.app.push_screen(message, self._close_after_message)

    def _close_after_message(self, message_result: None) -> None:
        del message_result
        # Textual calls this while the message is still in front; only the screen in front closes.
        self.call_later(self.dismiss)

    def settings_changed(self) -> None:
        self._board_painted_for = None  # the board may have other colours now
        super().settings_changed()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "loads":
            return self.form is not None and self.form.field("loads") is not None
        return True

    @property
    def has_own_rules(self) -> bool:
        return not self._rules_paragraph  # a game with one is the flagship's: F1 opens it there

    def open_own_rules(self) -> None:
        from skirmish.app.page_screen import PageScreen

        self.app.push_screen(PageScreen(self._game.rules))

    # ------------------------------------------------------------------ what keys do

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if event.option_id == BEGIN:
            self.action_begin()
        else:
            self._change_line(str(event.option_id), NEXT, by_enter=True)

    def action_change(self, step: int) -> None:
        if self.chosen != BEGIN:  # which has no answer
            self._change_line(self.chosen, step)

    def action_loads(self) -> None:
        self._change_line("loads", NEXT)

    def _change_line(self, line_id: str, step: int, *, by_enter: bool = False) -> None:
        """Turn the answer of a line, or let it be typed; open or close a fold."""
        assert self.form is not None
        field = self.form.field(line_id)
        if field is None:
            self._open_or_close(line_id)
            return
        # The arrows step through numbers, too; Enter lets them be typed.
        is_turned = isinstance(field.slot, Choose)
        if isinstance(field.slot, Number) and not by_enter:
            is_turned = True
        if is_turned:
            self.form.turn(line_id, step)
            self.paint(line_id)
        else:
            self.run_worker(self._let_type(self.form, field), exclusive=True)

    def _open_or_close(self, fold_id: str) -> None:
        """Open a fold that is closed, close one that is open."""
        assert self._lines is not None
        self._lines.open_or_close(fold_id)
        self.paint(fold_id)
        if self._lines.is_open(fold_id):
            # The lines that it holds are below it, perhaps below the screen.
            self.query_one(LineList).scroll_to_highlight(top=True)

    async def _let_type(self, form: SetupForm, field: Field) -> None:
        """Let the answer of a line be typed in a window of its own."""
        slot = field.slot
        text_before = slot.shown(form.answers[slot.name])
        secret, longest = False, LONGEST_NUMBER
        if isinstance(slot, Words):
            secret, longest = slot.secret, slot.longest
        # A secret is never shown again, not even to be edited: somebody may be looking on.
        if secret:
            text_before = ""
        entry = TextEntry(
            label_of(field),
            slot.text,
            text_before,
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
        changed: list[str] = []
        if self._lines is not None:
            changed = self._lines.changed_labels()
        if changed:
            agreed = await self.app.push_screen_wait(_leave_question(changed))
            if not agreed:
                return
        self.app.pop_screen()

    def action_begin(self) -> None:
        lines = self._lines_to_ask
        if lines is not None:
            self.run_worker(begin(self.skirmish, self._game, lines.form.answers), exclusive=True)

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
        """Repaint the lines, and the board of a scenario beside them."""
        with_board = self._has_board
        self.set_class(with_board, "-boarded")
        self.set_class(with_board and self._forces_stand_below, "-both-halves")
        self.query_one("#setup-board").styles.width = self._board_columns
        super().paint(chosen)
        if with_board:
            unless_it_fails(
                self._paint_board, instead=self._leave_board_out, failure="The map is not available"
            )

    @property
    def columns(self) -> int:
        """The columns of the lines: what the board leaves of the screen, if there is one."""
        if self._has_board:
            return self.app.size.width - self._board_columns
        return super().columns

    @property
    def _board_columns(self) -> int:
        """The columns of the board of a scenario: half of the screen, or fewer where the lines
        would lose the ends of their values."""
        width = self.app.size.width
        return min(width // 2, width - WHOLE_LINES)

    @property
    def shows_details(self) -> bool:
        """Whether the details of the chosen line stand beside the lines; the board of a scenario
        stands there instead."""
        return super().shows_details and not self._has_board

    @property
    def label_width(self) -> int:
        """Room for the longest label that is shown, as long as the values keep two thirds."""
        return max(self.LABEL_WIDTH, min(self._longest_label, self.columns // 3))

    def groups(self) -> Iterator[LineGroup]:
        lines = self._lines_to_ask
        if lines is None:
            return
        self._longest_label = max(cells(plain(lines.label(line.part))) for line in lines)
        label = Content.styled(f"BEGIN THE {self._game.noun.upper()}", "bold")
        yield LineGroup(None, {BEGIN: label})
        gap = ""
        if self.app.size.height >= HIGH:
            gap = "\n"
        for title, lines_below in groupby(lines, key=attrgetter("heading")):
            heading = None
            if title:
                heading = Content.styled(f"{gap}{title}", "bold $primary")
            painted_lines = {line.id: self._painted_line(lines, line) for line in lines_below}
            yield LineGroup(heading, painted_lines)

    def _painted_line(self, lines: SetupLines, line: SetupLine) -> Content:
        """The label of a line with its value."""
        value = lines.value(line.part)
        label = lines.label(line.part)
        return self.labelled_line(
            label, value.text, is_changed=value.is_changed, has_arrows=value.has_arrows
        )

    def meaning(self, id: str) -> Content:
        """What players must know before they begin, and what the line with that id means."""
        assert self._lines is not None
        form = self._lines.form
        warning = form.trouble or form.notice
        explanation = self._lines.explanation(id)
        if id == BEGIN and not warning:
            explanation = READY
        parts = [
            Content(plain(warning)).stylize("$warning"),
            Content(self.skirmish.measured(plain(explanation))),
        ]
        return Content("\n").join(part for part in parts if part.plain)

    def details(self, id: str) -> Content:
        """Below the explanation the board as these answers open the game."""
        board = unless_it_fails(
            self._opening_board, instead=Content, failure="The board is not available"
        )
        return Content("\n\n").join([self.meaning(id), board])

    def _opening_board(self) -> Content:
        """The board at the start, in the colours of its sides. It is empty while the answers
        contradict one another, and for a battle of the flagship, whose board is shown only by the
        screen of the battle."""
        assert self.form is not None
        if self._game.id == registry.BATTLE.id:
            return Content()
        try:
            first_event = self._game.opening(self.form.answers, lambda: NO_SEED)
        except Refused:
            return Content()
        state = self._game.codec.play([first_event]).state
        board = self._game.board(state, PLAYERS)
        return painted(board, self.details_width, colours=self._game.colours(state))

    # ------------------------------------------------------------------ the board of a scenario

    @property
    def _has_board(self) -> bool:
        """Whether map and forces of a scenario stand beside the lines."""
        has_room = self.app.size.width >= WIDE and self.app.size.height >= HIGH
        return self._is_of_scenario and has_room and not self._board_failed

    @property
    def _is_of_scenario(self) -> bool:
        """Whether a scenario is set up: the battle that is given then is its number, and a word for
        any other kind of battle."""
        return str(self._given.get("battle", "")).isdigit()

    @property
    def _forces_stand_below(self) -> bool:
        """Whether the forces have room below the lines, so that the map stands alone beside
        them."""
        return self.app.size.width >= LARGE and self.app.size.height >= SPACIOUS

    def _paint_board(self) -> None:
        """Paint the board anew for other answers or another size; while the answers contradict one
        another, it stays as it is."""
        from skirmish.app.scenarios.setup_board import battle_of, setup_board, setup_halves

        lines = self._lines_to_ask
        if lines is None:
            return
        height = self.app.size.height
        room = Size(self._board_columns - BOARD_MARGIN, height - BOARD_ROWS_TAKEN)
        board_input = _BoardInput(room, dict(lines.form.answers))
        if board_input == self._board_painted_for:
            return
        battle = battle_of(self._game, lines.form.answers)
        if battle is None:  # the answers contradict one another
            return
        self._board_painted_for = board_input
        below_lines = Content("")
        if self._forces_stand_below:
            below_lines, board = setup_halves(self.skirmish, battle, room)
        else:
            board = setup_board(self.skirmish, battle, room)
        self.query_one("#setup-below-lines", Static).update(below_lines)
        self.query_one("#setup-map", Static).update(board)

    def _leave_board_out(self, why: str) -> None:
        self._board_failed = True
        self.remove_class("-boarded")
        self.notify(why, markup=False, severity="warning")


def _leave_question(changed: Sequence[str]) -> YesOrNo:
    """Whether to leave although the lines with these labels have been changed."""
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


async def _equipped(app: Host, game: Game[Any, Any, Any]) -> Game[Any, Any, Any]:
    """The game with the armies and settings of its players; without armies, and with a message, if
    they cannot be read."""
    armies: list[StoredArmy] = []
    async with app.reporting("The armies cannot be read"):
        records = await app.stored(lambda store: store.armies())
        armies = [StoredArmy(str(record.id), record.name, record.body) for record in records]
        game = await with_typed_tables(game, app.stored)
    # A thread may be reading the data of armies meanwhile, and must not do so at the same time.
    with resources.LOADING:
        return game.equipped(armies, app.settings)
