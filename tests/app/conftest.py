from __future__ import annotations

import shutil
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
import textual.strip
from textual import _wait
from textual._compositor import Compositor
from textual._context import visible_screen_stack
from textual.css import parse
from textual.geometry import Region

from skirmish.store.desk import Store

_wait.SLEEP_GRANULARITY = 1 / 200
_wait.SLEEP_IDLE = 1 / 1000
# After each key Textual's Pilot waits until the program has been idle for 20 ms; over thousands of
# keys that is most of the time that the screens' tests take. 5 ms tell idleness as well.


class NoCache:
    """Each line of a screen has seven caches, which cost more to make than they ever save here."""

    def __init__(self, maxsize: int = 0) -> None: ...

    def get(self, key: object, default: object = None) -> object:
        return default

    def __setitem__(self, key: object, value: object) -> None: ...


@pytest.fixture(autouse=True, scope="session")
def unseen() -> Iterator[None]:
    """Nobody looks on: every widget is drawn as ever, but the drawings are laid together into a
    screen only where a test asks for the screen, as the pictures do."""
    laid = Compositor.render_update

    def drawn(
        self: Compositor, full: bool = False, screen_stack: list[Any] | None = None, **how: Any
    ) -> Any:
        if full:
            return laid(self, full, screen_stack, **how)
        visible_screen_stack.set(screen_stack or [])
        dirty = [region.intersection(self.size.region) for region in self._dirty_regions]
        self._dirty_regions.clear()
        if dirty:
            list(self._get_renders(Region.from_union(dirty)))
        return None

    cut = parse.tokenize
    none = NoCache()
    with pytest.MonkeyPatch.context() as patch:
        # every app reads the same styles anew
        patch.setattr(parse, "tokenize", lru_cache(lambda code, at: tuple(cut(code, at))))
        patch.setattr(Compositor, "render_update", drawn)
        patch.setattr(textual.strip, "FIFOCache", lambda maxsize: none)
        yield


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database as a first start leaves it. Copies of it save each test the migration."""
    path = tmp_path_factory.mktemp("store") / "skirmish.db"
    Store.open(str(path)).close()
    return path


@pytest.fixture
def where(tmp_path: Path, empty_database: Path) -> str:
    """A database of the test's own."""
    return str(shutil.copy(empty_database, tmp_path / "skirmish.db"))


@pytest.fixture(autouse=True)
def no_guard(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys of a test come quicker than any hand's."""
    from skirmish.app.battle.screen import BattleScreen

    monkeypatch.setattr(BattleScreen, "GUARD", 0.0)
