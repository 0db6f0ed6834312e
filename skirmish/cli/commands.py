"""Every command by its name; what they do stands in the rooms beside."""

from __future__ import annotations

from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from skirmish import __version__, registry
from skirmish.cli import (
    army,
    battle,
    db,
    follow,
    games,
    odds,
    paper,
    serve,
    settings,
    speaking,
)

AS_JSON = "Print JSON, for other programs."


class TwoWords(TyperGroup):
    """Takes the first two words for a command where there is one of that name: ``odds table`` is a
    command of its own, and ``odds rifle tank`` is still ``odds`` with its arguments."""

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[Any, Any, list[str]]:
        """As its base does, the two words made one."""
        both = " ".join(args[:2])
        if len(args) > 1 and both in self.commands:
            args = [both, *args[2:]]
        return super().resolve_command(ctx, args)


app = typer.Typer(
    name="skirmish",
    cls=TwoWords,
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(army.app, name="army")
app.add_typer(battle.app, name="battle")
app.add_typer(paper.app, name="print")
app.add_typer(db.app, name="db")
for game in registry.every():
    if game.commands:
        app.add_typer(import_module(game.commands).app, name=game.id.replace("_", "-"))
app.command()(games.play)
app.command("list")(games.list_games)
app.command()(games.show)
app.command()(games.journal)
app.command()(games.scores)
app.command()(games.export)
app.command("import")(games.import_game)
app.command()(serve.serve)
app.command()(follow.follow)
app.command()(odds.odds)
app.command("odds table")(odds.odds_table)
app.command("odds worth")(odds.odds_worth)
app.command()(settings.settings)


def _version(wanted: bool) -> None:
    if wanted:
        speaking.say(f"Skirmish {__version__}")
        raise typer.Exit


@app.callback()
def skirmish(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """A table-side assistant for WWII Plastic Skirmish and Beach Head.

    Without a command, the full-screen app opens.
    """


@app.command()
def scenarios(
    as_json: Annotated[bool, typer.Option("--json", help=AS_JSON)] = False,
) -> None:
    """List the ten scenarios with their forces.

    Example: skirmish scenarios --json
    """
    from skirmish.cli import scenario_list

    scenario_list.show(as_json)


@app.command()
def rules(
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[WORDS]...", help="Words to search for.")
    ] = None,
) -> None:
    """Look up the rules of WWII Plastic Skirmish, in our own words.

    \b
    Example: skirmish rules repeat fire
    """
    from skirmish.cli import rules as rule_book

    rule_book.show(words or [])


@app.command()
def resolve(
    file: Annotated[
        str, typer.Argument(metavar="[FILE|-]", help="Questions as JSON Lines; - is stdin.")
    ] = "-",
) -> None:
    """Resolve shots and checks given as JSON Lines.

    \b
    Example:
      echo '{"check": {"kind": "pin"}, "draw": ["9S"]}' | skirmish resolve
    """
    from skirmish.cli import answering

    if not answering.answer_file(file):
        raise typer.Exit(2)
