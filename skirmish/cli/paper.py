"""``skirmish print``: every sheet as PDF."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import typer

from skirmish.cli import (
    beach_head,
    games,
    print_odds,
    print_position,
    print_reference,
    print_report,
    print_roster,
    print_scenario,
)
from skirmish.cli.speaking import complain
from skirmish.sheets import output


def _telling(command: Callable[..., None]) -> Callable[..., None]:
    """The command, and after it a sentence on stderr about signs that no typeface has."""

    @wraps(command)
    def told(*args: Any, **named: Any) -> None:
        output.told()  # what belongs to an earlier sheet
        command(*args, **named)
        if missing := output.told():
            complain(missing)

    return told


app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Print scenario sheets, rosters and more as PDF.",
)
for command in (
    print_scenario.scenario,
    print_roster.roster,
    print_reference.reference,
    print_reference.markers,
    print_odds.odds,
    print_report.report,
    print_position.position,
    print_reference.blank,
):
    app.command()(_telling(command))
app.command("beach-head")(_telling(beach_head.sheet))
app.command("game")(_telling(games.print_game))
