"""Screens that nobody looks at: what Textual does only for a terminal is left out, and its Pilot
waits no longer than it must. Every widget is built, laid out and drawn as ever."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import textual.strip
from textual import _wait
from textual._compositor import Compositor
from textual._context import visible_screen_stack
from textual.css import parse
from textual.geometry import Region

_wait.SLEEP_GRANULARITY = 1 / 200
_wait.SLEEP_IDLE = 1 / 1000
# After each key Textual's Pilot waits until the program has been idle for 20 ms; over thousands of
# keys that is most of the time that the screens' tests take. 5 ms tell idleness as well.

_laid, _cut = Compositor.render_update, parse.tokenize


class NoCache:
    """Each line of a screen has seven caches, which cost more to make than they ever save here."""

    def __init__(self, maxsize: int = 0) -> None: ...

    def get(self, key: object, default: object = None) -> object:
        return default

    def __setitem__(self, key: object, value: object) -> None: ...


_none = NoCache()


@lru_cache
def _cut_once(code: str, at: Any) -> tuple[Any, ...]:
    return tuple(_cut(code, at))  # every app reads the same styles anew


def _drawn(
    self: Compositor, full: bool = False, screen_stack: list[Any] | None = None, **how: Any
) -> Any:
    """Draw the widgets, but lay the drawings together only where the whole screen is asked for, as
    the pictures do."""
    if full:
        return _laid(self, full, screen_stack, **how)
    visible_screen_stack.set(screen_stack or [])
    dirty = [region.intersection(self.size.region) for region in self._dirty_regions]
    self._dirty_regions.clear()
    if dirty:
        list(self._get_renders(Region.from_union(dirty)))
    return None


@contextmanager
def unseen() -> Iterator[None]:
    """Apps that run meanwhile are not shown."""
    before = parse.tokenize, Compositor.render_update, textual.strip.FIFOCache
    parse.tokenize = _cut_once  # type: ignore[assignment]
    Compositor.render_update = _drawn  # type: ignore[method-assign]
    textual.strip.FIFOCache = lambda maxsize: _none  # type: ignore[assignment,misc]
    try:
        yield
    finally:
        parse.tokenize, Compositor.render_update, textual.strip.FIFOCache = before  # type: ignore
