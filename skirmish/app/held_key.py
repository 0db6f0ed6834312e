"""A key that is held down draws once: children do hold keys down."""

from __future__ import annotations

from collections.abc import Callable

DRAWING = ("space", "full_stop")
"""Keys that draw again as a rule: they are dead whichever key showed the verdict."""


class HeldKey:
    """For ``seconds`` after a verdict the keys that draw are dead, and the key that showed it,
    since a key held down repeats itself. A dead key begins the span anew: it stays dead until it is
    let go. ``now`` tells the time in seconds."""

    def __init__(self, seconds: float, now: Callable[[], float]) -> None:
        self._seconds = seconds
        self._now = now
        self._since: float | None = None
        self._key = ""

    def begin(self, key: str) -> None:
        """A verdict is shown, by that key."""
        self._since, self._key = self._now(), key

    def is_dead(self, key: str) -> bool:
        """Whether a key must wait."""
        if key not in DRAWING and key != self._key:
            return False
        if self._since is None or self._now() - self._since >= self._seconds:
            self._since = None
            return False
        self._since = self._now()
        return True
