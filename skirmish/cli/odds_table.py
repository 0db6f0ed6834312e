"""``skirmish odds table``: every weapon against every kind of target, in one table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from skirmish.cli.print_options import Force

if TYPE_CHECKING:
    from skirmish.games.plastic.odds.table import OddsTable

TEXT_NAME, CSV_NAME, JSON_NAME = "odds-table.txt", "odds-table.csv", "odds-table.json"


def odds_table(  # noqa: PLR0917  (typer gives them by name)
    cover: Annotated[
        bool | None,
        typer.Option("--cover/--open", help="Show only one of the two tables.",
                     show_default=False),
    ] = None,
    deck: Annotated[
        str | None, typer.Option(metavar="CARDS", help='Such as "gone: QS 4H".')
    ] = None,
    die: Annotated[bool, typer.Option("--die", help="Use a d12 instead of cards.")] = False,
    rulings: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE|ID=ANSWER", help="Change a ruling.",
                     show_default=False),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print exact fractions as JSON.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print exact fractions as CSV.")] = False,
    output: Annotated[
        str | None,
        typer.Option("-o", "--output", metavar="FILE", help="Write to a file or folder.",
                     show_default=False),
    ] = None,
    force: Force = False,
) -> None:  # fmt: skip
    """Show the odds of every weapon against every kind of target.

    Example: skirmish odds table --cover --deck "gone: QS 4H"
    """
    from skirmish.cli.files import deliver
    from skirmish.cli.speaking import Complaint

    if as_json and as_csv:
        raise Complaint("Use either --json or --csv, not both.")
    table = _table(deck, die, rulings or [])
    shown = (False, True) if cover is None else (cover,)
    if as_json:
        data, name = _json(table, shown), JSON_NAME
    elif as_csv:
        data, name = _csv(table, shown), CSV_NAME
    else:
        data, name = "\n".join([*_text(table, shown), ""]).encode(), TEXT_NAME
    if output is None:
        _say(data, is_text=not (as_json or as_csv))
    else:
        deliver(data, output, name, force, "Odds table")


def _table(deck: str | None, die: bool, given: list[str]) -> OddsTable:
    """Raises Complaint for a deck or for rulings that cannot be."""
    from skirmish import library
    from skirmish.cli.odds_rulings import answered
    from skirmish.cli.speaking import Complaint
    from skirmish.games.plastic.odds import pack as packs
    from skirmish.games.plastic.odds.pack import OddsError
    from skirmish.games.plastic.odds.table import odds_table as made

    if die and deck is not None:
        raise Complaint("Use either --deck or --die, not both: a die has no deck.")
    rulings = answered(given)
    try:
        pack = packs.die() if die else packs.parse(deck or "", rulings)
    except OddsError as error:
        raise Complaint(str(error)) from None
    return made(library.catalog(), rulings, pack)


def _say(data: bytes, *, is_text: bool) -> None:
    """Text goes through the terminal's own encoding, the rest as it is."""
    from skirmish.cli.speaking import say, say_bytes

    if is_text:
        say(data.decode().removesuffix("\n"))
    else:
        say_bytes(data)


def _records(table: OddsTable, shown: tuple[bool, ...]) -> list[dict[str, Any]]:
    from skirmish.games.plastic.odds.table_words import records

    return [record for record in records(table) if record["cover"] in shown]


def _json(table: OddsTable, shown: tuple[bool, ...]) -> bytes:
    import msgspec

    found = {
        "from": "die" if table.pack.die else "cards",
        "draws": table.pack.count,
        "distance": table.distance,
        "exact_within": table.near,
        "weapons": {
            line.weapon.id: {
                "name": line.weapon.name,
                "fired_by": [unit.id for unit in line.fired_by],
            }
            for line in table.lines
        },
        "targets": {column.name: [unit.id for unit in column.targets] for column in table.columns},
        "shots": _records(table, shown),
    }
    return msgspec.json.format(msgspec.json.encode(found), indent=2) + b"\n"


def _csv(table: OddsTable, shown: tuple[bool, ...]) -> bytes:
    """A line for each cell; what is not there is empty."""
    import csv
    import io

    records = _records(table, shown)
    stream = io.StringIO()
    writer = csv.DictWriter(stream, list(records[0]), lineterminator="\r\n")
    writer.writeheader()
    for record in records:
        writer.writerow({name: _field(value) for name, value in record.items()})
    return stream.getvalue().encode()


def _field(value: Any) -> Any:
    return int(value) if isinstance(value, bool) else "" if value is None else value


def _text(table: OddsTable, shown: tuple[bool, ...]) -> list[str]:
    """The table in lines of at most 80 columns, with what its signs and columns mean."""
    import textwrap

    from skirmish.cli.speaking import WIDTH
    from skirmish.games.plastic.odds.table_words import drawn_from, legend, members
    from skirmish.tabletop.measure import NO_BREAK

    found: list[str] = []
    for cover in shown:
        where = "IN COVER" if cover else "IN THE OPEN"
        found += [f"{where}, {drawn_from(table.pack)}", "", *_grid(table, cover), ""]
    notes = [*legend(table, *shown), *(f"{name}: {units}." for name, units in members(table))]
    for note in notes:
        found += textwrap.wrap(note.replace(NO_BREAK, " "), WIDTH - 1, subsequent_indent="  ")
    return found


def _grid(table: OddsTable, cover: bool) -> list[str]:
    """Heads and lines, every column as wide as its head wants."""
    from skirmish.games.plastic.odds.table_words import heads, signs

    above = [heads(column) for column in table.columns]
    tall = max(map(len, above))
    above = [[""] * (tall - len(words)) + words for words in above]
    rows = [["", *(words[at] for words in above)] for at in range(tall)]
    for line, cells in zip(table.lines, signs(table, cover), strict=True):
        rows.append([line.weapon.name, *cells])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        " ".join(
            text.rjust(width) if at else text.ljust(width)
            for at, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
