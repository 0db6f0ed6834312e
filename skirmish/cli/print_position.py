"""``skirmish print position``: a battle as it stands, as PDF."""

from __future__ import annotations

from skirmish.cli.games import Number
from skirmish.cli.print_options import Force, Ink, Inks, Output, Paper, Sheet


def position(
    battle: Number,
    *,
    output: Output = None,
    paper: Sheet = Paper.A4,
    ink: Inks = Ink.COLOUR,
    force: Force = False,
) -> None:
    """Print a battle as it stands, to finish it on paper.

    Turn and phase, both rosters with losses struck out, who has fired or is aboard, the cards
    that are left, and reinforcements. Hidden units are left out. The file is position-TITLE.pdf
    in the current folder unless -o is given.

    Example: skirmish print position 3 --ink saver
    """
    from skirmish.cli.files import deliver
    from skirmish.cli.games import looked_up
    from skirmish.registry import BATTLE
    from skirmish.sheets.file_names import battle_sheet_name
    from skirmish.sheets.position.page import position_pdf

    record, _, play = looked_up(battle, BATTLE)
    data = position_pdf(play, paper=paper.value, use=ink.value)
    deliver(data, output, battle_sheet_name("position", record.title), force, "Position")
