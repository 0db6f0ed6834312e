"""``skirmish odds worth``: what each unit kills for each point that it costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from skirmish.games.plastic.odds.worth import WorthTable


def odds_worth(
    rulings: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE|ID=ANSWER", help="Change a ruling.",
                     show_default=False),
    ] = None,
    nation: Annotated[
        str | None, typer.Option(metavar="NATION", help="Use this nation's prices and traits.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print exact fractions as JSON.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print exact fractions as CSV.")] = False,
) -> None:  # fmt: skip
    """Show what each unit kills for each point it costs.

    Example: skirmish odds worth --nation german
    """
    from skirmish import library
    from skirmish.cli.odds_rulings import answered, nation_named
    from skirmish.cli.speaking import Complaint, say_bytes, say_json, say_page
    from skirmish.games.plastic.odds.worth import worth, worth_page

    if as_json and as_csv:
        raise Complaint("Use either --json or --csv, not both.")
    table = worth(library.catalog(), answered(rulings or []), nation_named(nation))
    if as_json:
        say_json(_data(table))
    elif as_csv:
        say_bytes(_csv(table))
    else:
        say_page(worth_page(table), title=False)


def _data(table: WorthTable) -> dict[str, Any]:
    """Bands in inches, both 0 in contact; what may not fire is 0."""
    bands = [{"above": band.above, "reach": band.reach} for band in table.bands]
    return {
        "assumed": table.assumed,
        "bands": bands,
        "targets": [unit.id for unit in table.targets],
        "units": {
            line.unit.id: {
                "price": line.price,
                **{unit.id: [str(n) for n in line.against(unit.id)] for unit in table.targets},
            }
            for line in table.lines
        },
    }


def _csv(table: WorthTable) -> bytes:
    """A line for each number."""
    import csv
    import io

    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow(["unit", "price", "target", "above", "reach", "worth"])
    for line in table.lines:
        for (band, target), points in line.points.items():
            writer.writerow([line.unit.id, line.price, target, band.above, band.reach, points])
    return stream.getvalue().encode()
