"""The cursor in the journal: the player walks back line by line and may make a line void, go back
to it, or have its shot judged again."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, ClassVar, Literal, NamedTuple

from skirmish.app.base_screen import Screen
from skirmish.player import Player, check_lines
from skirmish.session import AnySession
from skirmish.tabletop.commands import Draft
from skirmish.tabletop.game import Game, JournalLine
from skirmish.tabletop.page import Block, Choice, Choices, Note, Page, Paragraph
from skirmish.tabletop.slots import BACKSPACE, ENTER, ESCAPE, SPACE, TAB, UnfitAnswer

CURSOR_REACH = 200
"""The most lines that the cursor goes back; older ones are on the page of the whole journal."""
SETUP_LINE = 1
"""The number of the line about the set-up, with which every journal begins. The screen of the game
does not show it: it can be neither void nor gone back to."""


class JournalCursor(NamedTuple):
    """The cursor on the line ``number`` of the journal."""

    number: int
    to_confirm: Literal["", "void", "back"] = ""
    """What Enter does to the line, after the player was asked; empty: nothing was asked."""


class JournalCursorScreen(Player, Screen[None]):
    """The screen of a game whose journal the player can walk through."""

    AUTO_FOCUS: ClassVar[str | None] = None
    game: Game[Any, Any, Any]

    def __init__(self, session: AnySession) -> None:
        Screen.__init__(self)
        self.journal_cursor: JournalCursor | None = None
        """None while the player is not in the journal."""
        self.note = ""
        """A message that stays until the next key."""
        Player.__init__(self, session)  # last, since it calls ``begin``

    def begin(self) -> None:
        """Begin an order anew, and leave the journal."""
        super().begin()
        self.journal_cursor = None

    def walk_back(self) -> None:
        """Put the cursor on the last line of the journal. Raises UnfitAnswer if it has none."""
        lines = self._lines_in_reach()
        if not lines:
            raise UnfitAnswer("Nothing has happened yet.")
        self.journal_cursor = JournalCursor(lines[-1].number)
        self.show_state()

    async def press_in_journal(self, cursor: JournalCursor, key: str) -> None:
        """Carry out a key while the cursor is in the journal. Raises UnfitAnswer if it does
        nothing."""
        lines = self._lines_in_reach()
        position = _position(lines, cursor.number)
        if position is None:  # its line was undone meanwhile
            self.begin()
            self.show_state()
            return
        line = lines[position]
        if cursor.to_confirm and key in (ENTER, SPACE):
            await self._confirm(cursor, line)
            return
        if key in (ESCAPE, BACKSPACE) and cursor.to_confirm:
            self.journal_cursor = JournalCursor(line.number)
        elif key in (ESCAPE, BACKSPACE):
            self.begin()
        elif key == "up":
            line_above = lines[max(position - 1, 0)]
            self.journal_cursor = JournalCursor(line_above.number)
        elif key == "down" and line is lines[-1]:
            self.begin()  # below the last line is the game again
        elif key == "down":
            line_below = lines[position + 1]
            self.journal_cursor = JournalCursor(line_below.number)
        elif key == "v":
            self._ask_to_void(line)
        elif key == "b":
            self._ask_to_go_back(line, lines[-1])
        elif key == TAB:
            self._judge_again(line)
        else:
            raise UnfitAnswer("Choose one of the keys below.")
        self.show_state()

    async def action_look(self, number: int) -> None:
        """Move the cursor to the line about the entry ``number``: a line or a loss was clicked."""
        if self.draft is not None and self.draft.begun:
            self.say("Finish this first, then look at the journal; Esc drops it.")
        else:
            self._look_at_entry(entry_number=number)

    def _look_at_entry(self, entry_number: int) -> None:
        """Put the cursor on the line about the entry of that number; a line that is too far back
        for the cursor is shown in the whole journal."""
        for line in self._lines_in_reach():
            if entry_number in line.entry_numbers:
                self.journal_cursor = JournalCursor(line.number)
                self.show_state()
                return
        self.open_journal(entry_number)

    def action_journal(self) -> None:
        self.open_journal()

    def open_journal(self, entry_number: int | None = None) -> None:
        """Open the whole journal at the line about the entry of that number; None: at its end."""
        from skirmish.app.play.journal_page import JournalPage

        entries_before = len(self.session.play)
        go_on = partial(self.resume, entries_before)
        self.app.push_screen(JournalPage(self.session, entry_number), go_on)

    def resume(self, entries_before: int, _: object = None) -> None:
        """Go on when another screen returns, with whatever result. What was begun stays, unless the
        journal has grown beyond the ``entries_before``."""
        if len(self.session.play) != entries_before:
            self.discard_draft()
        else:
            self.show_state()

    def discard_draft(self, _: object = None) -> None:
        """Begin an order anew when another screen returns, with whatever result: the game may have
        changed. A message goes, too."""
        self.note = ""
        self.begin()
        self.show_state()

    def page_of_cursor(self, cursor: JournalCursor) -> Page:
        """The line under the cursor with what can be done with it, or with what Enter confirms."""
        lines = self._lines_in_reach()
        position = _position(lines, cursor.number)
        if position is None:  # its line was undone meanwhile
            return Page("")
        line = lines[position]
        if cursor.to_confirm == "void":
            return self._void_page(line)
        if cursor.to_confirm == "back":
            lines_after = lines[position + 1 :]
            return _back_page(line, later=len(lines_after))
        return _line_page("LOOKING BACK", line, self._lines_to_check(line), self._keys_at(line))

    def _keys_at(self, line: JournalLine) -> list[Choice]:
        """What can be done with a line."""
        keys = []
        if not self.game.why_not_void(self.session.play, line):
            keys.append(Choice("v", "make void"))
        keys.append(Choice("b", "go back to here"))
        if self._can_be_judged_again(line):
            keys.append(Choice(TAB, "judge its shot again"))
        keys.append(Choice(ESCAPE, "leave"))
        return keys

    def _lines_to_check(self, line: JournalLine) -> list[Block]:
        """For a line that corrects an earlier one: the warning that others would have come out
        otherwise; empty if none would."""
        sentence = check_lines(self.game.would_have_changed(self.session.play, line))
        if not sentence:
            return []
        return [Paragraph(sentence, tone="bad")]

    def _lines_in_reach(self) -> list[JournalLine]:
        """The lines that the cursor goes through, the oldest first."""
        lines = self.game.journal(self.session.play, last=CURSOR_REACH)
        return [line for line in lines if line.number != SETUP_LINE]

    async def _confirm(self, cursor: JournalCursor, line: JournalLine) -> None:
        """Carry out what was asked about the line under the cursor."""
        if cursor.to_confirm == "void":
            numbers = self.game.void_numbers(self.session.play, line)
            await self.carry_out(self.session.void(numbers))
        else:
            # The entries of the line stay; all after its last one are undone.
            await self.carry_out(self.session.back(line.entry_numbers[-1]))

    def _ask_to_void(self, line: JournalLine) -> None:
        """Ask whether to make a line void. Raises UnfitAnswer where it cannot be."""
        why_not = self.game.why_not_void(self.session.play, line)
        if why_not:
            raise UnfitAnswer(why_not)
        self.journal_cursor = JournalCursor(line.number, to_confirm="void")

    def _ask_to_go_back(self, line: JournalLine, last: JournalLine) -> None:
        """Ask whether to go back to a line. Raises UnfitAnswer for the last one."""
        # Going back to the last line would undo nothing.
        if line is last:
            raise UnfitAnswer("This is the last line; Backspace undoes it.")
        self.journal_cursor = JournalCursor(line.number, to_confirm="back")

    def _judge_again(self, line: JournalLine) -> None:
        """Begin the command that corrects a line. Raises UnfitAnswer where there is none."""
        command = self.game.judged_again(self.session.play, line)
        if command is None:
            raise UnfitAnswer("Nothing was judged there.")
        if command.why_not:
            raise UnfitAnswer(command.why_not)
        self.journal_cursor = None
        self.draft = Draft(command=command)

    def _can_be_judged_again(self, line: JournalLine) -> bool:
        """Whether a command corrects the line, and it can be given now."""
        command = self.game.judged_again(self.session.play, line)
        return command is not None and not command.why_not

    def _void_page(self, line: JournalLine) -> Page:
        """The question whether to make a line void, with the lines that this affects."""
        game, play = self.game, self.session.play
        below: list[Block] = []
        corrections = ", ".join(str(other.number) for other in game.voided_with(play, line))
        if corrections:
            also_void = f"What judged it again becomes void with it: {corrections}."
            below.append(Paragraph(also_void, tone="strong"))
        dependents = ", ".join(map(str, game.dependents(play, line)))
        if dependents:
            warning = f"Check the lines that depend on it: {dependents}. They do not change."
            below.append(Paragraph(warning, tone="bad"))
        elif game.knows_dependents:
            below.append(Note("No later line depends on it."))
        else:
            below.append(Note("Later lines do not change."))
        keys = (Choice(ENTER, "makes it void"), Choice(ESCAPE, "leaves it"))
        return _line_page("VOID?", line, below, keys)


def _position(lines: Sequence[JournalLine], number: int) -> int | None:
    """The index of the line of that number; None if it was undone."""
    for position, line in enumerate(lines):
        if line.number == number:
            return position
    return None


def _back_page(line: JournalLine, later: int) -> Page:
    """The question whether to go back to a line that so many ``later`` ones follow."""
    warning = f"{later} later lines are undone; Ctrl+Y redoes them."
    if later == 1:
        warning = "One later line is undone; Ctrl+Y redoes it."
    keys = (Choice(ENTER, "goes back"), Choice(ESCAPE, "stays"))
    return _line_page("BACK TO HERE?", line, [Paragraph(warning, tone="bad")], keys)


def _line_page(
    heading: str, line: JournalLine, below: Sequence[Block], keys: Sequence[Choice]
) -> Page:
    """A line of the journal under a heading, what there is to say about it, and the keys."""
    first = Paragraph(f"{line.number} {line.text}", lead=heading, tone="strong")
    return Page("", (first, *below, Choices(tuple(keys))))
