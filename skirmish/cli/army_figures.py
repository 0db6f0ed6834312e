"""``skirmish army owned`` and ``army missing``: the figures you own, and those you lack."""

from __future__ import annotations

from typing import Annotated

import typer

from skirmish.cli.speaking import Complaint, columns, harmless, say, say_json

Json = Annotated[bool, typer.Option("--json", help="Print JSON, for other programs.")]


def owned(
    counts: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PIECE=COUNT]...", help="How many you own now.", show_default=False
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """List the figures you own, or set how many you have of each.

    PIECE is written as in army files: tank=3 rifle=60.

    Example: skirmish army owned tank=3 rifle=60
    """
    from skirmish import library
    from skirmish.games.plastic.army_file import GAME
    from skirmish.games.plastic.rules.figures import in_order
    from skirmish.store.desk import Store

    changed = dict(_count(word) for word in counts or ())
    with Store.open() as store:
        if changed:
            store.own(GAME, changed)
        have = in_order(store.owned(GAME), library.catalog())
    if as_json:
        say_json(have)
    elif have:
        say("\n".join(columns([(str(n), _name(piece, n)) for piece, n in have.items()], (0,))))
    else:
        say("No figures entered yet.\n`skirmish army owned tank=3 rifle=60` enters some.")


def missing(
    armies: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME|FILE...",
            help="Army files, saved armies or share codes; several are counted together.",
            show_default=False,
        ),
    ] = None,
    scenario: Annotated[
        int | None,
        typer.Option("--scenario", metavar="NUMBER", help="Check what this scenario needs."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Say which figures of an army or a scenario you do not own.

    Example: skirmish army missing "The Sea Lions"
    """
    from skirmish import library
    from skirmish.cli.army import army_at
    from skirmish.games.plastic.army_file import GAME
    from skirmish.games.plastic.rules.figures import figures, in_order, together
    from skirmish.games.plastic.rules.figures import missing as lacking
    from skirmish.games.plastic.scenarios.figures import needed
    from skirmish.store.desk import Store

    if not armies and scenario is None:
        raise Complaint("Name an army, or a scenario with --scenario NUMBER.")
    tables = [figures(army_at(ref)) for ref in armies or ()]
    if scenario is not None:
        known = library.scenarios()
        if scenario not in known:
            raise Complaint(f"There is no scenario {scenario}. Choose 1 to {len(known)}.")
        tables.append(needed(known[scenario]))
    needs = in_order(together(tables), library.catalog())
    with Store.open() as store:
        have = store.owned(GAME)
    short = lacking(needs, have)
    if as_json:
        say_json({"needs": needs, "owned": {p: have.get(p, 0) for p in needs}, "missing": short})
        return
    rows = [
        (
            _name(piece, 2),
            f"need {count}",
            f"own {have.get(piece, 0)}",
            f"{short[piece]} missing" if piece in short else "",
        )
        for piece, count in needs.items()
    ]
    if rows:
        say("\n".join(columns(rows)))
        say()
    total = sum(short.values())
    say(
        f"{total} {'piece is' if total == 1 else 'pieces are'} missing."
        if short
        else "You own them all."
    )


def _count(word: str) -> tuple[str, int]:
    from skirmish import library
    from skirmish.games.plastic.rules.army import MOST_PIECES
    from skirmish.games.plastic.rules.figures import pieces
    from skirmish.tabletop.reading import suggest

    piece, _, count = word.partition("=")
    known = pieces(library.catalog())
    if piece not in known:
        raise Complaint(f"No piece is called {harmless(piece)}; {suggest(piece, known)}")
    if not (count.isascii() and count.isdigit() and int(count[:9]) <= MOST_PIECES):
        raise Complaint(
            f"{harmless(word)}: write a number from 0 to {MOST_PIECES} after the =, "
            f"as in {piece}=3."
        )
    return piece, int(count)


def _name(piece: str, count: int) -> str:
    from skirmish import library
    from skirmish.games.plastic.rules.catalog import plural

    catalog = library.catalog()
    known = catalog.units.get(piece) or catalog.works[piece]
    return known.name if count == 1 else plural(known.name)
