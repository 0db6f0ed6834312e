"""``skirmish beach-head``: the shell's commands for this game, and its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from skirmish.cli import beach_head_auto, beach_head_rulings, beach_head_simulate, games
from skirmish.cli.beach_head_simulate import Variant
from skirmish.registry import BEACH

if TYPE_CHECKING:
    from skirmish.games.beach_head.state import State

app = games.group(BEACH, "Show, copy and simulate games of Beach Head.")
app.command()(beach_head_rulings.rulings)
app.command()(beach_head_auto.auto)
app.command()(beach_head_simulate.simulate)


@app.command()
def scores(
    variant: Annotated[
        Variant | None,
        typer.Option("--variant", case_sensitive=False, help="Of one beach only."),
    ] = None,
    readings: Annotated[
        str | None,
        typer.Option(
            "--readings",
            metavar="WORDS",
            help="Of one reading only: a preset, or rulings as in B7=tank,B11=any.",
        ),
    ] = None,
    as_json: games.AsJson = False,
) -> None:
    """List the scores of finished games, the best first.

    There is a table for each beach and reading, with cards and without: only these can be
    compared.

    Example: skirmish beach-head scores --variant omaha
    """
    from skirmish import library
    from skirmish.cli.beach_head_readings import answered

    reading = None if readings is None else library.beach_rulings().named(answered(readings))

    def wanted(state: State) -> bool:
        setup = state.setup
        return variant in (None, setup.variant) and reading in (None, setup.reading)

    games.say_scores(BEACH, as_json, None if variant is reading is None else wanted)
