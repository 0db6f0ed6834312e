"""``skirmish beach-head list`` and ``scores``: which games there are, and what they came to."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from skirmish.cli.beach_head_kept import Json
from skirmish.cli.speaking import clipped, columns, complain, harmless, number, say, say_json

if TYPE_CHECKING:
    from skirmish.games.beach_head.scores import Score, Table

TITLE_WIDTH = 20
STANDS_WIDTH = 42
PLAYER_WIDTH = 24
BEACHES = {"normandy": "Normandy", "omaha": "Omaha"}


class Variant(StrEnum):
    """The beaches."""

    NORMANDY = "normandy"
    OMAHA = "omaha"


def list_games(as_json: Json = False) -> None:
    """List your games, the last one played first.

    Example: skirmish beach-head list
    """
    from skirmish.cli.beach_head_kept import games
    from skirmish.cli.kept import listed
    from skirmish.store.moments import date
    from skirmish.store.place import find

    found = games()
    if as_json:
        say_json([listed(record) for record in found])
    elif found:
        rows = [
            (
                str(record.id),
                clipped(harmless(record.title), TITLE_WIDTH),
                clipped(harmless(record.headline), STANDS_WIDTH),
                date(record.updated),
            )
            for record in found
        ]
        say("\n".join(columns([("", "Game", "Where it stands", "Played"), *rows], (0,))))
    else:
        say(f"There is no game of Beach Head in {find().location} yet.")
        say("`skirmish` opens the app, where you can begin one.")


def scores(
    variant: Annotated[
        Variant | None,
        typer.Option("--variant", case_sensitive=False, help="Of one beach only."),
    ] = None,
    readings: Annotated[
        str | None,
        typer.Option(
            "--readings",
            metavar="WORDS",
            help="Of one reading only: a preset, or rulings as in B7=tank,B11=any.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """List the scores of finished games, the best first.

    There is a table for each beach and reading, with cards and without: only these can be
    compared.

    Example: skirmish beach-head scores --variant omaha
    """
    from skirmish import library
    from skirmish.cli import beach_head_kept
    from skirmish.cli.beach_head_readings import answered
    from skirmish.games.beach_head.scores import by_table

    wanted = None
    if readings is not None:
        wanted = library.beach_readings().named(answered(readings))
    found, unread = beach_head_kept.scores()
    tables = {
        table: rows
        for table, rows in by_table(found).items()
        if (variant is None or table.variant == variant.value)
        and (wanted is None or table.reading == wanted)
    }
    if as_json:
        said = [_score(place, one) for rows in tables.values() for place, one in _places(rows)]
        say_json({"scores": said, "unread": unread})
        return
    if not tables:
        like = "" if variant is wanted is None else " like that"
        say(f"No game{like} is finished yet.")
    for index, (table, rows) in enumerate(tables.items()):
        if index:
            say()
        _tell(table, rows)
    for one in unread:
        complain(f"Game {one} cannot be read and is left out.")


def _tell(table: Table, rows: list[Score]) -> None:
    from skirmish.store.moments import date

    bare = "" if table.hand else ", without cards"
    say(f"{BEACHES[table.variant]}, {_reading(table)}{bare}: {number(len(rows), 'game')}")
    lines = [("", "Lost", "Turns", "Ashore", "Cards", "Player", "Played", "Game")]
    lines += [
        (
            str(place),
            str(one.casualties),
            str(one.turns),
            str(one.alive),
            "yes" if one.hand else "no",
            clipped(harmless(one.player), PLAYER_WIDTH),
            date(one.ended),
            str(one.game),
        )
        for place, one in _places(rows)
    ]
    say("\n".join(columns(lines, (0, 1, 2, 3, 7))))


def _places(rows: list[Score]) -> list[tuple[int, Score]]:
    """Each with its place; scores of the same worth share one."""
    from skirmish.games.beach_head.scores import rank

    return [(rank(one, rows)[0], one) for one in rows]


def _reading(table: Table) -> str:
    from skirmish import library

    preset = library.beach_readings().presets.get(table.reading)
    return preset.name[:1].lower() + preset.name[1:] if preset else table.reading


def _score(place: int, one: Score) -> dict[str, Any]:
    return {
        "place": place,
        "variant": one.table.variant,
        "reading": one.table.reading,
        "casualties": one.casualties,
        "turns": one.turns,
        "alive": one.alive,
        "cards": one.hand,
        "player": one.player,
        "ended": one.ended,
        "game": one.game,
    }
