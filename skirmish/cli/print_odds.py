"""``skirmish print odds``: the odds table on one page."""

from __future__ import annotations

from skirmish.cli.print_options import Force, Ink, Inks, Output, Paper, Sheet


def odds(
    *,
    output: Output = None,
    paper: Sheet = Paper.A4,
    ink: Inks = Ink.COLOUR,
    force: Force = False,
) -> None:
    """Print the odds table on one page.

    Every weapon against every kind of target, in the open and in cover, from a fresh deck and with
    the d12.

    Example: skirmish print odds --ink saver
    """
    from skirmish import library, shelf
    from skirmish.cli.files import deliver
    from skirmish.games.plastic.odds import pack
    from skirmish.games.plastic.odds.table import odds_table
    from skirmish.sheets.odds_table_sheet import ODDS_NAME, odds_table_pdf

    catalog, rulings = library.catalog(), library.rulings().defaults()
    data = odds_table_pdf(
        odds_table(catalog, rulings, pack.fresh(rulings)),
        odds_table(catalog, rulings, pack.die()),
        paper=paper.value,
        revision=shelf.revision(),
        use=ink.value,
    )
    deliver(data, output, ODDS_NAME, force, "Odds table")
