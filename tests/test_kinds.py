"""The registry of games: what it names is there, and no game is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

import skirmish
from skirmish.kinds import KINDS, Kind, kind_of
from skirmish.tabletop.record import Scribe


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.game)
def test_a_games_rooms_are_where_the_registry_says(kind: Kind) -> None:
    assert isinstance(kind.scribe(), Scribe)
    assert callable(kind.opened())
    assert kind_of(kind.game) == kind


def test_every_game_has_its_line() -> None:
    games = Path(skirmish.__file__).parent / "games"
    folders = {path.name for path in games.iterdir() if (path / "__init__.py").is_file()}
    assert {kind.game for kind in KINDS} == folders


def test_a_game_of_a_later_version_is_not_known() -> None:
    assert kind_of("bloody_omaha") is None
