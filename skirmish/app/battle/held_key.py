"""A key that is held down draws once: children do hold keys down."""

from __future__ import annotations

FREE = frozenset(
    ("up", "down", "left", "right", "pageup", "pagedown", "backspace", "escape", "tab")
)
"""Keys that are held down on purpose, or do no harm; so do letters and digits."""


class HeldKey:
    """Tells a key that repeats itself from one that is pressed anew.

    A keyboard repeats a key every 15 to 90 ms; no hand is as quick as that. So a press less than
    ``seconds`` after the one before, of the same key, is no press. Times are those at which keys
    arrived, since a slow program handles them in a bunch.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._key, self._at = "", 0.0
        self._rests_until = 0.0

    def rest(self, key: str, seconds: float) -> None:
        """A key, unless another came since, is dead for so long: there is something to look at."""
        if key == self._key:
            self._rests_until = self._at + seconds

    def is_dead(self, key: str, at: float) -> bool:
        """Whether a key that arrives is one held down, or rests. Asked once for each key."""
        same, gap = key == self._key, at - self._at
        if not same:
            self._rests_until = 0.0
        self._key, self._at = key, at
        if not same or key in FREE or (len(key) == 1 and key.isalnum() and not key.isupper()):
            return False
        return gap < self._seconds or at < self._rests_until
