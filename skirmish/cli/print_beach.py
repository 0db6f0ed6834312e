"""``skirmish print beach-head``: the play sheet, empty or as a game stands, as PDF."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from skirmish.cli.beach_head_simulate import Variant
from skirmish.cli.print_options import Force, Form, Ink, Inks, Output, Paper, Sheet
from skirmish.cli.speaking import Complaint

if TYPE_CHECKING:
    from skirmish.games.beach_head.ruleset import Setup


def beach_head(
    *,
    variant: Annotated[
        Variant | None,
        typer.Option("--variant", case_sensitive=False, help="The beach; Normandy by default."),
    ] = None,
    readings: Annotated[
        str | None,
        typer.Option(
            "--readings",
            metavar="WORDS",
            help="A preset, or rulings such as B7=tank,B11=any; see `skirmish beach-head rulings`.",
        ),
    ] = None,
    game: Annotated[
        str | None,
        typer.Option("--game", metavar="N", help="Print this game as it stands, with its rulings."),
    ] = None,
    output: Output = None,
    paper: Sheet = Paper.A4,
    ink: Inks = Ink.COLOUR,
    form: Form = False,
    force: Force = False,
) -> None:
    """Print the Beach Head play sheet, two sides.

    The front has the turn with its tables and cards, the back everything you tick off. The file
    is beach-head.pdf, or beach-head-N.pdf for a game, in the current folder unless -o is given.

    Example: skirmish print beach-head --variant omaha
    """
    from skirmish import library
    from skirmish.cli.files import deliver
    from skirmish.cli.games import looked_up
    from skirmish.registry import BEACH
    from skirmish.sheets.beach_sheet import beach_name, beach_pdf

    book = library.beach_rulings()
    if game is None:
        setup = _setup(variant, readings)
        data = beach_pdf(setup, book, paper=paper.value, use=ink.value, form=form)
        deliver(data, output, beach_name(), force, "Play sheet")
        return
    for name, given in (("--variant", variant), ("--readings", readings)):
        if given is not None:
            raise Complaint(f"{name} cannot be combined with --game, which has its own.")
    record, _, play = looked_up(game, BEACH)
    state = play.state
    ended = record.updated[:10] if state.over else ""
    data = beach_pdf(state, book, paper=paper.value, use=ink.value, form=form, ended=ended)
    deliver(data, output, beach_name(record.id), force, "Play sheet")


def _setup(variant: Variant | None, readings: str | None) -> Setup:
    from skirmish import library, shelf
    from skirmish.cli.beach_head_readings import answered
    from skirmish.games.beach_head.ruleset import prepared
    from skirmish.tabletop.chance import Source

    return prepared(
        library.beach_ruleset(),
        library.beach_rulings(),
        rulings=answered(readings or ""),
        variant=(variant or Variant.NORMANDY).value,
        dice=Source("die"),
        cards=Source("deck"),
        revision=shelf.revision("beach_head"),
    )
