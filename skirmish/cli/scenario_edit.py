"""``skirmish scenario edit``: one of the player's own scenarios, changed a line at a time."""

from __future__ import annotations

import sys

import typer

from skirmish import library, scenario_editing
from skirmish.cli.console import CommandError, harmless, say
from skirmish.cli.console import number as counted
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.workshop.draft import EditError, ScenarioRules
from skirmish.games.plastic.workshop.feature_text import listing
from skirmish.games.plastic.workshop.sentences import Writer
from skirmish.games.plastic.workshop.typed_changes import HELP, changed_by
from skirmish.tabletop.history import History

ENDS = ("done", "quit", "exit")
"""Each ends the editing; the help names only the first."""
MORE_HELP = """\
This session   undo   redo   list (the things of the map)   forces   mistakes   help   done
Every change is stored at once.
"""
"""What is printed below the help of the workshop, which lists the lines that change something."""


def edit(number: int) -> None:
    """Change one of the player's own scenarios by lines until ``done`` or the end of the input.
    Raises CommandError, at the end also where a line of a pipe was not understood."""
    session = LineEditor(scenario_editing.read_draft(number))
    is_at_keyboard = sys.stdin.isatty()
    if is_at_keyboard:
        say(f"{harmless(session.history.value.title)}. Type a line, help, or done.")
    refused_lines = 0
    while True:
        if is_at_keyboard:
            typer.echo("> ", nl=False)
        line = sys.stdin.readline()
        if not line or line.strip().casefold() in ENDS:
            break
        try:
            session.read(line.strip())
        except EditError as error:
            refused_lines += 1
            say(f"{harmless(str(error))}")
    if refused_lines and not is_at_keyboard:
        raise CommandError(f"{counted(refused_lines, 'line')} changed nothing; see above.")


class LineEditor:
    """A scenario under change: its history, which is stored after each line."""

    def __init__(self, scenario: Scenario) -> None:
        self.history = History(scenario)
        self._rules = ScenarioRules(library.catalog(), library.rulings())
        self._is_stored = False  # whether this sitting has written the file yet

    def read(self, line: str) -> None:
        """Do what a line says, and print what came of it. Raises EditError."""
        word = line.casefold()
        if not word or word.startswith("#"):
            return
        match word:
            case "help":
                say(HELP + MORE_HELP)
            case "list":
                say("\n".join(map(harmless, listing(self.history.value))) or "The map is empty.")
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
        """Write the scenario to its file. The first time, what it was before this sitting stays as
        an earlier version."""
        scenario_editing.save_draft(self.history.value, version=not self._is_stored)
        self._is_stored = True
