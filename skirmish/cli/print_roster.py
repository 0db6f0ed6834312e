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
        typer.Option("--battle", metavar="N", help="Both sides of a battle as they stand instead."),
    ] = None,
    form: Form = False,
    output: Output = None,
    paper: Sheet = Paper.A4,
    ink: Inks = Ink.COLOUR,
    force: Force = False,
) -> None:
    """Print an army's roster, or those of a battle.

    It is called roster-NAME.pdf (rosters-TITLE.pdf for a battle) and stands in this folder unless
    -o says otherwise. An army that is not legal is printed too, with what it breaks. The rosters of
    a battle have its losses struck out; nobody placed in secret is on them.

    Example: skirmish print roster my-army.toml --paper letter
    """
    from skirmish import shelf
    from skirmish.cli.army_lines import broken
    from skirmish.cli.files import deliver
    from skirmish.sheets.file_names import battle_sheet_name, roster_name
    from skirmish.sheets.roster import roster_pdf, standing_rosters_pdf

    if (army is None) == (battle is None):
        raise Complaint("Name an army, or a battle with --battle: one of the two.")
    if battle is not None:
        from skirmish.cli.battle_kept import battle_called, folded

        if form:
            raise Complaint("--form goes with an army; the rosters of a battle are struck out.")
        record, entries = battle_called(battle)
        data = standing_rosters_pdf(folded(record, entries).state, paper=paper.value, use=ink.value)
        deliver(data, output, battle_sheet_name("rosters", record.title), force, "Rosters")
        return
    assert army is not None
    found = army_at(army)
    data = roster_pdf(found, paper=paper.value, revision=shelf.revision(), use=ink.value, form=form)
    deliver(data, output, roster_name(found.listed), force, "Roster")
    if output != "-" and broken(found):
        say("The army is not legal; the roster says why.")
