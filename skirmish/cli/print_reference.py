"""``skirmish print reference``, ``markers`` and ``blank``: what is the same for every battle."""

from __future__ import annotations

from typing import Annotated

import typer

from skirmish.cli.army import ANY_ARMY, army_at
from skirmish.cli.print_options import Force, Ink, Inks, Output, Paper, Sheet


def reference(
    *,
    output: Output = None,
    paper: Sheet = Paper.A4,
    ink: Inks = Ink.COLOUR,
    force: Force = False,
) -> None:
    """Print the quick reference, both sides of one sheet.

    Turn, firing table and modifiers on the front; checks, units, movement and armies on the back.

    Example: skirmish print reference --ink saver
    """
    from skirmish import library, shelf
    from skirmish.cli.files import deliver
    from skirmish.sheets.reference.page import REFERENCE_NAME, reference_pdf

    catalog, book = library.catalog(), library.rulings()
    data = reference_pdf(catalog, book, paper=paper.value, revision=shelf.revision(), use=ink.value)
    deliver(data, output, REFERENCE_NAME, force, "Quick reference")


def markers(
    army: Annotated[
        str | None, typer.Argument(metavar="[NAME|FILE]", help=ANY_ARMY, show_default=False)
    ] = None,
    *,
    output: Output = None,
    paper: Sheet = Paper.A4,
    ink: Inks = Ink.COLOUR,
    force: Force = False,
) -> None:
    """Print markers and templates at true scale.

    With an army, its own tags; otherwise some of every type. Print at 100 percent, and check with
    the ruler at the top of every page.

    Example: skirmish print markers my-army.toml
    """
    from skirmish import library, shelf
    from skirmish.cli.files import deliver
    from skirmish.sheets.markers.page import MARKERS_NAME, markers_pdf

    data = markers_pdf(
        library.catalog(),
        army=army_at(army) if army else None,
        paper=paper.value,
        revision=shelf.revision(),
        use=ink.value,
    )
    deliver(data, output, MARKERS_NAME, force, "Markers")


def blank(
    *,
    output: Output = None,
    paper: Sheet = Paper.A4,
    ink: Inks = Ink.COLOUR,
    force: Force = False,
) -> None:
    """Print a blank roster to fill in by hand.

    Example: skirmish print blank --paper letter
    """
    from skirmish import library, shelf
    from skirmish.cli.files import deliver
    from skirmish.sheets.roster.blank import BLANK_NAME, blank_pdf

    catalog, book = library.catalog(), library.rulings()
    data = blank_pdf(catalog, book, paper=paper.value, revision=shelf.revision(), use=ink.value)
    deliver(data, output, BLANK_NAME, force, "Blank roster")
