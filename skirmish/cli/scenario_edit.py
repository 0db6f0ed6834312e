"""``skirmish scenario edit``: one of the player's own scenarios, changed a line at a time."""

from __future__ import annotations

import sys

import typer

from skirmish import library, scenario_editing
from skirmish.cli.console import CommandError, counted, harmless, is_terminal, say, typed_lines
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.workshop.draft import EditError, ScenarioRules
from skirmish.games.plastic.workshop.feature_text import listing
from skirmish.games.plastic.workshop.sentences import Writer
from skirmish.games.plastic.workshop.typed_changes import HELP, changed_by
from skirmish.tabletop.history import History

END_WORDS = ("done", "quit", "exit")
"""Each of these lines ends the editing; the help names only the first."""
MORE_HELP = """\
This session   undo   redo   list (the things of the map)   forces   mistakes   help   done
Every change is stored at once.
"""
"""The help for the lines that only the command line has. It follows ``HELP``, the help for those
that change the scenario."""


def edit(number: int) -> None:
    """Change one of the player's own scenarios by lines until ``done`` or the end of the input.
    Raises CommandError. Lines from a pipe that are refused raise it only at the end, so that the
    lines after them are still carried out."""
    editor = LineEditor(scenario_editing.read_draft(number))
    is_at_keyboard = is_terminal(sys.stdin)
    if is_at_keyboard:
        say(f"{harmless(editor.history.value.title)}. Type a line, help, or done.")
    refused_lines = 0
    lines = typed_lines()
    while True:
        if is_at_keyboard:
            typer.echo("> ", nl=False)
        line = next(lines, None)  # None: the input has ended
        if line is None or line.strip().casefold() in END_WORDS:
            break
        try:
            editor.carry_out(line.strip())
        except EditError as error:
            refused_lines += 1
            say(harmless(str(error)))
    if refused_lines and not is_at_keyboard:
        raise CommandError(f"{counted(refused_lines, 'line')} changed nothing; see above.")


class LineEditor:
    """A scenario that is changed line by line, and stored after each change."""

    def __init__(self, scenario: Scenario) -> None:
        self.history = History(scenario)
        self._rules = ScenarioRules(library.catalog(), library.rulings())
        self._has_stored = False
        """Whether the file has been written in this session."""

    def carry_out(self, line: str) -> None:
        """Do what a line says, and print the result. Raises EditError."""
        word = line.casefold()
        # A script may have empty lines and comments.
        if not word or word.startswith("#"):
            return
        match word:
            case "help":
                say(HELP + MORE_HELP)
            case "list":
                self._say_map()
            case "forces":
                self._say_forces()
            case "mistakes":
                self._say_mistakes()
            case "undo":
                self._undo()
            case "redo":
                self._redo()
            case _:
                changed = changed_by(line, self.history.value, self._rules)
                self.history.change(changed.scenario)
                self._store()
                say(harmless(changed.message))

    def _undo(self) -> None:
        if not self.history.past:
            raise EditError("There is nothing to undo.")
        self.history.undo()
        self._store()
        say("Undone.")

    def _redo(self) -> None:
        if not self.history.future:
            raise EditError("There is nothing to redo.")
        self.history.redo()
        self._store()
        say("Redone.")

    def _say_map(self) -> None:
        features = listing(self.history.value)
        for feature in features:
            say(harmless(feature))
        if not features:
            say("The map is empty.")

    def _say_forces(self) -> None:
        for group in Writer(self.history.value, self._rules).forces_page():
            say(harmless(group.heading))
            for sentence in group.sentences:
                say(f"  {harmless(sentence.text)}")

    def _say_mistakes(self) -> None:
        mistakes = scenario_editing.draft_mistakes(self.history.value)
        for mistake in mistakes:
            say(harmless(str(mistake)))
        if not mistakes:
            say("No mistakes.")

    def _store(self) -> None:
        """Write the scenario to its file. The first time in this session, what the file held before
        is saved as an earlier version, to which ``undelete`` returns."""
        scenario_editing.save_draft(self.history.value, add_version=not self._has_stored)
        self._has_stored = True
