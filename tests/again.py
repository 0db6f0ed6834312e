"""A game written out and read back, as another program would."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from skirmish.tabletop.exported import Header, export, rebuilt
from skirmish.tabletop.journal import Play

AT = "2026-05-01T18:30:00.000000+00:00"


def built_again(game: Any, play: Play[Any, Any, Any]) -> Play[Any, Any, Any]:
    entries = [replace(game.codec.written(e), at=AT) for e in play.entries]
    found = rebuilt(export(Header(game=game.id, title="Again", started=AT), entries), game)
    assert found.trouble is None
    return found.play
