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
        self._until: float | None = None
        self._key = ""

    def begin(self, key: str, seconds: float | None = None) -> None:
        """A verdict is shown, by that key; ``seconds``: to be looked at for so long."""
        self._until = self._now() + (self._seconds if seconds is None else seconds)
        self._key = key

    def is_dead(self, key: str) -> bool:
        """Whether a key must wait."""
        if key not in DRAWING and key != self._key:
            return False
        now = self._now()
        if self._until is None or now >= self._until:
            self._until = None
            return False
        self._until = max(self._until, now + self._seconds)
        return True
