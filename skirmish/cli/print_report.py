"""``skirmish print report``: what a battle came to, as PDF."""

from __future__ import annotations

from skirmish.cli.games import Number
from skirmish.cli.print_options import Force, Ink, Inks, Output, Paper, Sheet


def report(
    battle: Number,
    *,
    output: Output = None,
    paper: Sheet = Paper.A4,
    ink: Inks = Ink.COLOUR,
    force: Force = False,
) -> None:
    """Print a battle report.

    Map, result, losses, charts and the moments worth telling, on one or two pages. The file is
    report-TITLE.pdf in the current folder unless -o is given.

    Example: skirmish print report 3
    """
    from skirmish.cli.files import deliver
    from skirmish.cli.games import looked_up
    from skirmish.registry import BATTLE
    from skirmish.sheets.file_names import battle_sheet_name
    from skirmish.sheets.report_sheet import report_pdf
    from skirmish.store.moments import day

    record, _, play = looked_up(battle, BATTLE)
    data = report_pdf(play, day(record.started), paper=paper.value, use=ink.value)
    deliver(data, output, battle_sheet_name("report", record.title), force, "Report")
