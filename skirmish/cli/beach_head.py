"""``skirmish beach-head``: the solo game, without its screen."""

from __future__ import annotations

import typer

from skirmish.cli import (
    beach_head_auto,
    beach_head_export,
    beach_head_list,
    beach_head_rulings,
    beach_head_show,
    beach_head_simulate,
)

app = typer.Typer(
    help="Show, copy and simulate games of Beach Head.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.command("list")(beach_head_list.list_games)
app.command()(beach_head_show.show)
app.command()(beach_head_show.journal)
app.command()(beach_head_list.scores)
app.command()(beach_head_export.export)
app.command("import")(beach_head_export.import_game)
app.command()(beach_head_rulings.rulings)
app.command()(beach_head_auto.auto)
app.command()(beach_head_simulate.simulate)
