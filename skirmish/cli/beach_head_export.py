"""``skirmish beach-head export`` and ``import``: a game to another table, and back."""

from __future__ import annotations

from typing import Annotated

import typer

from skirmish.cli.beach_head_kept import Kept
from skirmish.cli.print_options import Force

LARGEST = 20_000_000
"""Bytes of a file to import; a game of twenty turns has some hundred thousand."""


def export(
    game: Kept,
    output: Annotated[
        str | None,
        typer.Option("-o", "--output", metavar="FILE", help="Output file; default: stdout."),
    ] = None,
    force: Force = False,
) -> None:
    """Export a whole game as JSON Lines.

    Example: skirmish beach-head export 3 -o omaha.jsonl
    """
    from skirmish.cli.beach_head_kept import game_called
    from skirmish.cli.files import deliver
    from skirmish.games.beach_head.record import GAME
    from skirmish.tabletop import exported

    record, entries = game_called(game)
    header = exported.Header(game=GAME, title=record.title, started=record.started)
    kept = (
        exported.Kept(number=e.number, kind=e.kind, order=e.order, events=e.events, at=e.at)
        for e in entries
    )
    data = b"".join(exported.export(header, kept))
    deliver(data, output or "-", f"beach-head-{record.id}.jsonl", force, "Game")


def import_game(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE|-",
            help="An exported game in JSON Lines; - is stdin.",
            show_default=False,
        ),
    ],
) -> None:
    """Import a game that was exported.

    Every order is first played again and must lead to what the file says. If one does not, the
    entries before it are saved, the line is named, and the exit code is 1. It is 2 if nothing
    could be saved.

    Example: skirmish beach-head import omaha.jsonl
    """
    from skirmish import library, shelf
    from skirmish.cli.files import bytes_of
    from skirmish.cli.kept import kept_as
    from skirmish.cli.speaking import Complaint
    from skirmish.games.beach_head.rebuilding import Rebuilding
    from skirmish.games.beach_head.record import GAME
    from skirmish.games.beach_head.telling import headline
    from skirmish.registry import BEACH
    from skirmish.tabletop.exported import BadExport, rebuilt

    data, called = bytes_of(file, LARGEST, "game")
    revision = shelf.revision(GAME)
    into = Rebuilding(library.beach_manual(), library.beach_readings(), revision)
    try:
        found = rebuilt(data.split(b"\n"), GAME, into)
    except BadExport as error:
        raise Complaint(f"{called}: {error}") from None
    state = found.play.state
    kept_as(BEACH, found, called, headline(state), over=state.over)
