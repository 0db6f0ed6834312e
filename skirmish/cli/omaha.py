"""``skirmish omaha``: the shell's verbs for this game, and its tables for other programs."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from skirmish.cli.counters import add_units
from skirmish.cli.games import GameVerbs
from skirmish.cli.lookups import answer_lines
from skirmish.games.omaha.combat import answer
from skirmish.registry import OMAHA, load

app = GameVerbs(OMAHA, "skirmish omaha").add_to(
    typer.Typer(help="Show and copy games of Omaha, resolve its fire and assaults.")
)
add_units(app, OMAHA, "skirmish omaha")


@app.command()
def resolve(
    file: Annotated[
        str, typer.Argument(metavar="[FILE|-]", help="Questions as JSON Lines; - is stdin.")
    ] = "-",
) -> None:
    """Resolve fire, assaults and recovery given as JSON Lines.

    \b
    Example:
      echo '{"recovery": {"who": "us"}, "roll": 4}' | skirmish omaha resolve
    """
    game: Any = load(OMAHA.id)
    if not answer_lines(file, lambda line: answer(game.tables, game.book, line)):
        raise typer.Exit(2)
