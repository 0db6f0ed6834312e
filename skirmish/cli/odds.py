"""``skirmish odds``: what is the chance, exactly, with the cards that are left?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from skirmish.cli.print_options import Force

if TYPE_CHECKING:
    from skirmish.games.plastic.odds.table import OddsTable
    from skirmish.games.plastic.odds.worth import WorthTable

RULINGS = Annotated[
    list[str] | None,
    typer.Option("--rulings", metavar="FILE|ID=ANSWER", help="Change a ruling.",
                 show_default=False),
]  # fmt: skip
DECK = Annotated[str | None, typer.Option("--deck", metavar="CARDS", help='Such as "gone: QS 4H".')]
DIE = Annotated[bool, typer.Option("--die", help="Use a d12 instead of cards.")]
AS_JSON = Annotated[bool, typer.Option("--json", help="Print exact fractions as JSON.")]
AS_CSV = Annotated[bool, typer.Option("--csv", help="Print exact fractions as CSV.")]
TEXT_NAME, CSV_NAME, JSON_NAME = "odds-table.txt", "odds-table.csv", "odds-table.json"


def odds(  # noqa: PLR0917  (typer gives them by name)
    shooter: Annotated[str, typer.Argument(metavar="SHOOTER", hidden=True)],
    target: Annotated[str, typer.Argument(metavar="TARGET", hidden=True)],
    weapon: Annotated[str | None, typer.Option(help="Which of the shooter's.")] = None,
    distance: Annotated[
        float | None,
        typer.Option(metavar="INCHES", help="Distance; 0 is contact.", show_default=False),
    ] = None,
    phase: Annotated[int | None, typer.Option(metavar="1-4", help="Phase of the turn.")] = None,
    cover: Annotated[bool, typer.Option("--cover", help="The target is in cover.")] = False,
    hull_down: Annotated[bool, typer.Option("--hull-down", help="It is hull down.")] = False,
    rear: Annotated[bool, typer.Option("--rear", help="It is hit from behind.")] = False,
    count: Annotated[int, typer.Option(metavar="N", help="How many shooters fire.")] = 1,
    targets: Annotated[int, typer.Option(metavar="N", help="How many targets are in reach.")] = 1,
    also: Annotated[
        list[str] | None,
        typer.Option("--and", metavar="ROW", show_default=False,
                     help='Also: "2 rifle" at TARGET, or "1 tank at 3 truck".'),
    ] = None,
    deck: DECK = None,
    die: DIE = False,
    rulings: RULINGS = None,
    nation: Annotated[str | None, typer.Option(help="The shooters' nation.")] = None,
    quality: Annotated[str | None, typer.Option(help="Quality of the pinned.")] = None,
    breaks: Annotated[
        int | None,
        typer.Option(metavar="N", help="Strength left to lose.", show_default=False),
    ] = None,
    as_json: AS_JSON = False,
) -> None:  # fmt: skip
    """Work out the exact odds of a shot or a volley.

    Example: skirmish odds machinegun rifle --cover --deck "gone: QS 4H"
    """
    from skirmish.cli.odds_question import OddsWords, question
    from skirmish.cli.speaking import Complaint, say_json, say_page
    from skirmish.games.plastic.odds.answer import answer, answer_data, answer_page
    from skirmish.games.plastic.odds.pack import OddsError

    asked = OddsWords(
        shooter=shooter,
        target=target,
        weapon=weapon,
        distance=distance,
        phase=phase,
        cover=cover,
        hull_down=hull_down,
        rear=rear,
        count=count,
        targets=targets,
        also=tuple(also or ()),
        deck=deck,
        die=die,
        rulings=tuple(rulings or ()),
        nation=nation,
        quality=quality,
        breaks=breaks,
    )
    try:
        found = answer(question(asked))
    except OddsError as error:
        raise Complaint(str(error)) from None
    if as_json:
        say_json(answer_data(found))
    else:
        say_page(answer_page(found))


def odds_table(  # noqa: PLR0917  (typer gives them by name)
    cover: Annotated[
        bool | None,
        typer.Option("--cover/--open", help="Show only one of the two tables.",
                     show_default=False),
    ] = None,
    deck: DECK = None,
    die: DIE = False,
    rulings: RULINGS = None,
    as_json: AS_JSON = False,
    as_csv: AS_CSV = False,
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
    from skirmish.games.plastic.odds.table import odds_page
    from skirmish.tabletop.page_text import as_text

    if as_json and as_csv:
        raise Complaint("Use either --json or --csv, not both.")
    table = _table(deck, die, rulings or [])
    shown = (False, True) if cover is None else (cover,)
    if as_json:
        data, name = _table_json(table, shown), JSON_NAME
    elif as_csv:
        data, name = _csv(_records(table, shown)), CSV_NAME
    else:
        text = as_text(odds_page(table, *shown), titled=False)
        data, name = text.encode(), TEXT_NAME
    if output is None:
        _say(data, is_text=not (as_json or as_csv))
    else:
        deliver(data, output, name, force, "Odds table")


def _table(deck: str | None, die: bool, given: list[str]) -> OddsTable:
    """Raises Complaint for a deck or for rulings that cannot be."""
    from skirmish import library
    from skirmish.cli.odds_question import answered
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
    from skirmish.games.plastic.odds.table import records

    return [record for record in records(table) if record["cover"] in shown]


def _table_json(table: OddsTable, shown: tuple[bool, ...]) -> bytes:
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


def _csv(records: list[dict[str, Any]]) -> bytes:
    """A line for each record; what is not there is empty."""
    import csv
    import io

    stream = io.StringIO()
    writer = csv.DictWriter(stream, list(records[0]), lineterminator="\r\n")
    writer.writeheader()
    for record in records:
        writer.writerow({name: _field(value) for name, value in record.items()})
    return stream.getvalue().encode()


def _field(value: Any) -> Any:
    return int(value) if isinstance(value, bool) else "" if value is None else value


def odds_worth(
    rulings: RULINGS = None,
    nation: Annotated[
        str | None, typer.Option(metavar="NATION", help="Use this nation's prices and traits.")
    ] = None,
    as_json: AS_JSON = False,
    as_csv: AS_CSV = False,
) -> None:  # fmt: skip
    """Show what each unit kills for each point it costs.

    Example: skirmish odds worth --nation german
    """
    from skirmish import library
    from skirmish.cli.odds_question import answered, nation_named
    from skirmish.cli.speaking import Complaint, say_bytes, say_json, say_page
    from skirmish.games.plastic.odds.worth import worth, worth_page

    if as_json and as_csv:
        raise Complaint("Use either --json or --csv, not both.")
    table = worth(library.catalog(), answered(rulings or []), nation_named(nation))
    if as_json:
        say_json(_worth_data(table))
    elif as_csv:
        say_bytes(_csv(_worth_records(table)))
    else:
        say_page(worth_page(table), title=False)


def _worth_data(table: WorthTable) -> dict[str, Any]:
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


def _worth_records(table: WorthTable) -> list[dict[str, Any]]:
    return [
        {"unit": line.unit.id, "price": line.price, "target": target, "above": band.above,
         "reach": band.reach, "worth": points}
        for line in table.lines
        for (band, target), points in line.points.items()
    ]  # fmt: skip
