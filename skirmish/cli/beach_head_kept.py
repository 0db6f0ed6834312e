"""Games of Beach Head as the store keeps them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from skirmish.cli.kept import called, looking, records
from skirmish.cli.speaking import Complaint
from skirmish.registry import BEACH

if TYPE_CHECKING:
    from skirmish.games.beach_head.record import BeachPlay
    from skirmish.games.beach_head.scores import Score
    from skirmish.store.records import BattleRecord, EntryRecord

Kept = Annotated[str, typer.Argument(metavar="N", help="The number of a game.", show_default=False)]
Json = Annotated[bool, typer.Option("--json", help="Answer in JSON, for other programs.")]


def games() -> list[BattleRecord]:
    """The games of Beach Head, the last one played first."""
    return records(BEACH)


def game_called(ref: str) -> tuple[BattleRecord, list[EntryRecord]]:
    """The game that ``ref`` names. Raises StoreError, and Complaint for one of another kind."""
    return called(ref, BEACH)


def folded(record: BattleRecord, entries: Sequence[EntryRecord]) -> BeachPlay:
    """The game of a kept journal. Raises Complaint where it cannot be read."""
    from skirmish.games.beach_head.rebuilding import look_at
    from skirmish.games.beach_head.record import scribe
    from skirmish.tabletop.exported import NotGood, soundly
    from skirmish.tabletop.record import RecordError

    try:
        play = scribe.play(scribe.read(e.number, e.kind, e.order, e.events) for e in entries)
        soundly(lambda: look_at(play.state), "the game cannot be shown")
        return play
    except (RecordError, NotGood) as error:
        raise Complaint(f"Game {record.id} cannot be read: {error}") from None


def scores() -> tuple[list[Score], list[int]]:
    """What every finished game came to, and the numbers of those that cannot be read."""
    from skirmish.games.beach_head.scores import scores_in

    with looking() as store:
        if store is None:
            return [], []
        games = (one.id for one in store.battles() if one.game == BEACH.id and one.over)
        return scores_in((game, store.entries(game)) for game in games)
