"""The journal of a game as a screen, from which lines are undone or made void."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import OptionList, Static

from skirmish.app.base_screen import Screen
from skirmish.app.binding import keys
from skirmish.app.foot import Foot
from skirmish.app.line_list import LineGroup, LineList
from skirmish.app.text_rows import hanging
from skirmish.app.text_styles import DIM, HEAD, KEY
from skirmish.session import AnySession
from skirmish.store.errors import StoreError
from skirmish.tabletop.game import JournalLine
from skirmish.tabletop.journal_codec import RecordError
from skirmish.tabletop.refusal import Refused
from skirmish.tabletop.typed import plain

LINE_EDGES = 2
"""Columns beside a line of the journal."""
NUMBER_COLUMNS = 5
"""Columns of the number of a line, with the gap behind it."""


class JournalPage(Screen[None]):
    """All lines of the journal; Enter goes back to the selected one, ``v`` makes it void. It opens
    at the line about the entry ``entry_number``; if none is given, at the last line."""

    CSS_PATH = "journal_page.tcss"
    TOPIC: ClassVar[str] = "journal"
    FAILURE = "The journal is not available"
    HELP = (
        "Enter undoes everything after the chosen line in one step; Ctrl+Y in the game brings it "
        "back."
    )
    # In the order of the foot. The id of one has another topic: it stays as it is, since players'
    # key maps name it.
    BINDINGS: ClassVar[list[BindingType]] = [
        *keys(
            "play-journal",
            ("void", "v", "void", "Make void", "Make the chosen line void; later lines stay"),
        ),
        *keys(
            "journal", ("hidden", "h", "show_all", "Hidden", "Show or hide void and undone lines")
        ),
        *keys("play-journal", ("back", "escape,q,J", "dismiss", "Back", "Back to the game")),
    ]

    def __init__(self, session: AnySession, entry_number: int | None = None) -> None:
        super().__init__()
        self._session = session
        self._entry_number = entry_number
        self._shows_hidden = False
        """Whether lines that are void or undone are shown, too."""
        self._lines: dict[str, JournalLine] = {}
        """The lines that are shown, by their numbers as text."""

    def compose(self) -> ComposeResult:
        yield Static(id="title", classes="title", markup=False)
        yield LineList("lines", classes="lines")
        yield Foot()

    def on_mount(self) -> None:
        self._paint_lines()
        self.query_one(LineList).focus()

    def on_resize(self) -> None:
        self._paint_lines()

    def settings_changed(self) -> None:
        self._paint_lines()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool:
        # A game without void lines has no undone lines to show or hide, either (``all_lines``).
        if action in ("void", "show_all"):
            return self._session.game.can_void
        return True

    def action_show_all(self) -> None:
        self._shows_hidden = not self._shows_hidden
        self._paint_lines()

    def _paint_lines(self) -> None:
        """Paint the lines of each turn. The cursor stays on its line; if that is shown no more, it
        goes where it stands at first."""
        game, play = self._session.game, self._session.play
        all_lines = game.all_lines(play)
        if self._shows_hidden:
            lines = all_lines
        else:
            lines = game.journal(play)
        self.query_one("#title", Static).update(self._title(all_lines, lines))
        self._lines = {str(line.number): line for line in lines}
        line_list = self.query_one(LineList)
        chosen = line_list.chosen
        if chosen not in self._lines:
            chosen = self._line_at_opening(lines)
        line_list.show(self._groups(lines, self._line_width(line_list)), chosen)

    def _line_width(self, line_list: LineList) -> int:
        """The columns of a line of the list."""
        if not line_list.size.width:  # it has none before the first layout
            return self.app.size.width - 2 * LINE_EDGES
        return line_list.size.width - LINE_EDGES

    def _groups(self, lines: Sequence[JournalLine], width: int) -> Iterator[LineGroup]:
        """The lines of each turn below its heading."""
        for turn, turn_lines in groupby(lines, key=attrgetter("turn")):
            head = None
            if turn:
                head = Content.styled(f"TURN {turn}", HEAD)
            rows = {}
            for line in turn_lines:
                numbered = _numbered_line(line, self._text(line))
                broken = hanging(numbered, width, NUMBER_COLUMNS)
                rows[str(line.number)] = Content("\n").join(broken)
            yield LineGroup(head, rows)

    def _line_at_opening(self, lines: Sequence[JournalLine]) -> str:
        """The id of the line where the cursor stands at first; empty if there is no line."""
        for line in lines:
            if self._entry_number in line.entry_numbers:
                return str(line.number)
        if not lines:
            return ""
        return str(lines[-1].number)

    def _title(self, all_lines: Sequence[JournalLine], shown: Sequence[JournalLine]) -> str:
        """The title of the screen, with how many lines are shown, and how many have no effect."""
        count = f"{len(shown)} lines"
        if len(shown) == 1:
            count = "1 line"
        title = plain(self._session.game.title(self._session.play.state))
        text = f"JOURNAL  {title}   {count}"
        without_effect = [line for line in all_lines if line.void or line.undone]
        if without_effect:
            key = self.skirmish.key("journal.hidden", "h")
            text += f"   {len(without_effect)} void or undone: {key}"
        return text

    def _text(self, line: JournalLine) -> str:
        """The text of a line in the players' units of measure."""
        rows = line.rows or (line.text,)  # only a long text is divided into rows
        return "\n".join(self.skirmish.measured(plain(row)) for row in rows)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Go back to the selected line."""
        assert event.option_id is not None  # a LineList gives every line an id
        line = self._line_to_change(self._lines[event.option_id])
        # The entries of the line stay; all after its last one are undone.
        back = partial(self._session.back, line.entry_numbers[-1])
        self._change(back, _why_unchangeable(line))

    def action_void(self) -> None:
        """Make the chosen line void."""
        line = self._lines.get(self.query_one(LineList).chosen)
        if line is None:
            return
        line = self._line_to_change(line)
        game, play = self._session.game, self._session.play
        void = partial(self._session.void, game.void_numbers(play, line))
        why_not = _why_unchangeable(line) or game.why_not_void(play, line)
        self._change(void, why_not)

    def _line_to_change(self, line: JournalLine) -> JournalLine:
        """The line as it is shown while void and undone lines are hidden, for only that can be
        changed, as a whole. When those are shown, a volley that was corrected while it was typed
        has two lines: one for the shots before the correction, one for those after it."""
        has_no_effect = line.void or line.undone
        if has_no_effect:
            return line
        for whole_line in self._session.game.journal(self._session.play):
            if line.number in whole_line.entry_numbers:
                return whole_line
        return line

    def _change(self, change: Callable[[], Awaitable[object]], why_not: str) -> None:
        """Change the journal in a worker; if ``why_not`` is not empty, only show that reason."""
        if why_not:
            self.notify(why_not, markup=False)
        else:
            self.run_worker(self._carry_out(change), exclusive=True)

    async def _carry_out(self, change: Callable[[], Awaitable[object]]) -> None:
        """Change the journal, or show why that has failed; then show the lines as they are now."""
        try:
            await change()
        except (Refused, StoreError, RecordError) as error:
            self.notify(str(error), markup=False)
        except (LookupError, ValueError, AttributeError):
            # A later order refers to something that only the line brought into the game, as a unit.
            # The rules do not expect that, so they raise whatever their look-ups raise.
            self.notify("Later lines depend on this one; undo them first.", markup=False)
        self._paint_lines()


def _why_unchangeable(line: JournalLine) -> str:
    """Why a line cannot be gone back to or made void: it has no effect; empty if it has."""
    if line.void or line.undone:
        return "This line is void or undone already."
    return ""


def _numbered_line(line: JournalLine, words: str) -> Content:
    """A line behind its number; if it has no effect, struck out with the reason."""
    number = (f"{line.number:>{NUMBER_COLUMNS - 1}} ", KEY)
    if line.void:
        return Content.assemble(number, (words, f"{DIM} strike"), " (void)")
    if line.undone:
        return Content.assemble(number, (words, f"{DIM} strike"), " (undone)")
    return Content.assemble(number, words)
