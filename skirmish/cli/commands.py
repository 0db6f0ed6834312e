"""Every command by its name, with its module."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from skirmish import __version__, registry
from skirmish.cli import lookups, questions
from skirmish.cli.console import FAILED, say, say_page
from skirmish.cli.files import AsJson, QuestionsFile
from skirmish.installation import installation_name

GROUPS = {
    "army": "army",
    "battle": "battle",
    "print": "printing",
    "scenario": "scenario",
    "db": "db",
}
"""Groups of commands, each with the module that has them in its ``app``."""
SINGLE_COMMANDS = {
    "play": "games",
    "list": "games",
    "show": "games",
    "journal": "games",
    "export": "games",
    "import": "games",
    "scores": "games",
    "follow": "games",
    "serve": "serve",
    "start": "start",
    "odds": "odds",
    "settings": "settings",
}
"""Single commands, each with the module that has it in its ``app``."""


class TwoWordCommands(TyperGroup):
    """Runs the command that is named by the first two words, if there is one: ``odds table`` is a
    command of its own, and ``odds rifle tank`` is ``odds`` with its arguments."""

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[Any, Any, list[str]]:
        two_words = " ".join(args[:2])
        if len(args) > 1 and two_words in self.commands:
            args = [two_words, *args[2:]]
        return super().resolve_command(ctx, args)


def application(words: Sequence[str] = ()) -> typer.Typer:
    """The command line for the typed ``words``. If the first is a command, it has only those of the
    same module, because loading the others takes longer than most answers; else it has all."""
    app = typer.Typer(
        name="skirmish",
        cls=TwoWordCommands,
        no_args_is_help=True,
        # Help is plain text, and ``run`` prints the errors.
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        callback=skirmish,
    )
    games = _games_with_commands()
    names = [*GROUPS, *SINGLE_COMMANDS, *games]
    if words and words[0] in names:
        names = [words[0]]
    # A module with several commands is added once for each; the parser lists every command once.
    for name in names:
        if name in games:
            app.add_typer(_app_of_game(games[name]), name=name, no_args_is_help=True)
        elif name in GROUPS:
            app.add_typer(_app_in(GROUPS[name]), name=name, no_args_is_help=True)
        else:
            app.add_typer(_app_in(SINGLE_COMMANDS[name]), no_args_is_help=True)
    if names == ["print"]:
        # A game adds its sheets to ``skirmish print`` when the module of its commands is loaded.
        for listed in games.values():
            _app_of_game(listed)
    # Their modules are imported above in any case, so that adding them takes no time.
    for command in (scenarios, rules, resolve):
        app.command()(command)
    return app


def _games_with_commands() -> dict[str, registry.Listed]:
    """The games that have a command line of their own, by the word that is typed for it."""
    games: dict[str, registry.Listed] = {}
    for listed in registry.all_games():
        if listed.command_line or listed.questions:
            games[listed.command] = listed
    return games


def _app_in(module: str) -> typer.Typer:
    """The command line that a module of this package has."""
    app: typer.Typer = import_module(f"skirmish.cli.{module}").app
    return app


def _app_of_game(listed: registry.Listed) -> typer.Typer:
    """The command line of a game: the one of every companion, or its own."""
    app: typer.Typer
    if listed.questions:  # only companions have them
        app = import_module("skirmish.cli.companion").app_of(listed)
    else:
        app = import_module(listed.command_line).app
    return app


def _say_version(is_wanted: bool) -> None:
    """Print the version and exit, if ``--version`` is given."""
    if is_wanted:
        say(f"Skirmish {__version__} ({installation_name()})")
        raise typer.Exit


def skirmish(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_say_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """A table-side assistant for WWII Plastic Skirmish and four companion games.

    Without a command, the full-screen app opens.
    """


# A line with a backspace (\b) in a docstring: help keeps the line breaks of the paragraph below it.


def scenarios(
    which: Annotated[
        str | None, typer.Argument(metavar="N", help="A scenario to be read as a whole.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the scenarios, or print all of one.

    With a number, also how the table is laid, in words, and where everybody enters.

    Example: skirmish scenarios 3
    """
    if which is None:
        lookups.say_scenarios(as_json)
    else:
        lookups.say_scenario(lookups.scenario_of(which), as_json)


def rules(
    words: Annotated[
        list[str] | None, typer.Argument(metavar="WORDS", help="Words to search for.")
    ] = None,
) -> None:
    """Look up the rules of WWII Plastic Skirmish in our words.

    The name of another game prints the rules of that game.

    \b
    Example: skirmish rules repeat fire
    """
    named_game = registry.named(" ".join(words or ()))
    if named_game is None or named_game is registry.BATTLE:
        lookups.say_rules(words or [])
    else:
        say_page(registry.load(named_game.id).rules())


def resolve(file: QuestionsFile = "-") -> None:
    """Resolve shots and checks given as JSON Lines.

    \b
    Example:
      echo '{"check": {"kind": "pin"}, "draw": ["9S"]}' | skirmish resolve
    """
    if not questions.answer_about_shots(file):
        raise typer.Exit(FAILED)
