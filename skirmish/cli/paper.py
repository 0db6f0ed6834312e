"""``skirmish print``: every sheet as PDF."""

from __future__ import annotations

import typer

from skirmish.cli import (
    print_beach,
    print_odds,
    print_position,
    print_reference,
    print_report,
    print_roster,
    print_scenario,
)

app = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="Print scenarios, rosters and the rest."
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
    print_beach.beach_head,
):
    app.command()(command)
