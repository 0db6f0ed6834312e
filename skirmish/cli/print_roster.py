"""``skirmish print roster``: an army on paper, or both sides of a battle as they stand."""

from __future__ import annotations

from typing import Annotated

import typer

from skirmish.cli.army import ANY_ARMY, army_at
from skirmish.cli.print_options import Force, Form, Ink, Inks, Output, Paper, Sheet
from skirmish.cli.speaking import Complaint, say


def roster(
    army: Annotated[
        str | None, typer.Argument(metavar="NAME|FILE", help=ANY_ARMY, show_default=False)
    ] = None,
    *,
    battle: Annotated[
        str | None,
        typer.Option("--battle", metavar="N", help="Both sides of this battle instead."),
    ] = None,
    form: Form = False,
    output: Output = None,
    paper: Sheet = Paper.A4,
    ink: Inks = Ink.COLOUR,
    force: Force = False,
) -> None:
    """Print an army's roster, or those of a battle.

    The file is roster-NAME.pdf (rosters-TITLE.pdf for a battle) in the current folder unless -o is
    given. The roster of an army that is not legal says which limits it breaks. The rosters of a
    battle have its losses struck out and leave hidden units out.

    Example: skirmish print roster my-army.toml --paper letter
    """
    from skirmish import shelf
    from skirmish.cli.files import deliver
    from skirmish.games.plastic.rules.breaches import breaches, standing
    from skirmish.sheets.file_names import battle_sheet_name, roster_name
    from skirmish.sheets.roster.army import roster_pdf
    from skirmish.sheets.roster.battle import standing_rosters_pdf

    if (army is None) == (battle is None):
        raise Complaint("Name either an army or, with --battle, a battle.")
    if battle is not None:
        from skirmish.cli.games import looked_up
        from skirmish.registry import BATTLE

        if form:
            raise Complaint("--form needs an army; it does not work with --battle.")
        record, _, play = looked_up(battle, BATTLE)
        data = standing_rosters_pdf(play.state, paper=paper.value, use=ink.value)
        deliver(data, output, battle_sheet_name("rosters", record.title), force, "Rosters")
        return
    assert army is not None
    found = army_at(army)
    data = roster_pdf(found, paper=paper.value, revision=shelf.revision(), use=ink.value, form=form)
    deliver(data, output, roster_name(found.listed), force, "Roster")
    if output != "-" and standing(breaches(found)):
        say("The army is not legal; the roster says why.")
