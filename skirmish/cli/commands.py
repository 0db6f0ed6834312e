"""Every command by its name, with its module."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from skirmish import __version__, registry
from skirmish.cli import lookups
from skirmish.cli.console import say, say_page
from skirmish.cli.files import AsJson, Questions

GROUPS = {
    "army": "army",
    "battle": "battle",
    "print": "printing",
    "db": "db",
}
"""Groups of commands; each module has them in its ``app``."""
OTHERS = {
    **dict.fromkeys(
        ("play", "list", "show", "journal", "export", "import", "scores", "follow"), "games"
    ),
    "serve": "serve",
    "odds": "odds",
    "settings": "settings",
}
"""Commands of their own."""


class TwoWords(TyperGroup):
    """Matches two words if a command has that name: ``odds table`` is a command of its own, and
    ``odds rifle tank`` is ``odds`` with its arguments."""

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[Any, Any, list[str]]:
        both = " ".join(args[:2])
        if len(args) > 1 and both in self.commands:
            args = [both, *args[2:]]
        return super().resolve_command(ctx, args)


def application(words: Sequence[str] = ()) -> typer.Typer:
    """All commands; if the first of the ``words`` is one, only those of its module, because loading
    the others takes longer than most answers."""
    app = typer.Typer(
        name="skirmish",
        cls=TwoWords,
        add_completion=False,
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        callback=skirmish,
    )
    games = {one.command: one for one in registry.every() if one.commands or one.questions}
    known = [*GROUPS, *OTHERS, *games]
    only = next(iter(words), "")
    for name in (only,) if only in known else known:
        group = None if name in OTHERS else name
        app.add_typer(_app_of(name, games.get(name)), name=group, no_args_is_help=True)
    if only == "print":  # games have sheets, too
        for game in games.values():
            _app_of("", game)
    for command in (scenarios, rules, resolve):
        app.command()(command)
    return app


def _app_of(name: str, game: registry.Listed | None) -> Any:
    if game and game.questions:
        return import_module("skirmish.cli.companion").app_of(game)
    module = game.commands if game else f"skirmish.cli.{(GROUPS | OTHERS)[name]}"
    return import_module(module).app


def _version(wanted: bool) -> None:
    if wanted:
        say(f"Skirmish {__version__}")
        raise typer.Exit


def skirmish(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """A table-side assistant for WWII Plastic Skirmish and four companion games.

    Without a command, the full-screen app opens.
    """


def scenarios(
    which: Annotated[
        str | None, typer.Argument(metavar="N", help="A scenario to be read as a whole.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the scenarios, or print all of one.

    Of one also how its table is laid, in words, and where everybody enters.

    Example: skirmish scenarios 3
    """
    if which is None:
        lookups.say_scenarios(as_json)
    else:
        lookups.say_scenario(lookups.scenario_of(which), as_json)


def rules(
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[WORDS]...", help="Words to search for.")
    ] = None,
) -> None:
    """Look up the rules of WWII Plastic Skirmish in our words.

    The name of another game prints the rules of that game.

    \b
    Example: skirmish rules repeat fire
    """
    other = registry.named(" ".join(words or ()))
    if other is None or other is registry.BATTLE:
        lookups.say_rules(words or [])
    else:
        say_page(registry.load(other.id).rules())


def resolve(file: Questions = "-") -> None:
    """Resolve shots and checks given as JSON Lines.

    \b
    Example:
      echo '{"check": {"kind": "pin"}, "draw": ["9S"]}' | skirmish resolve
    """
    if not lookups.answer_file(file):
        raise typer.Exit(2)
