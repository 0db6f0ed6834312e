"""A key that is held down draws once: children do hold keys down."""

from __future__ import annotations

FREE = frozenset(
    ("up", "down", "left", "right", "pageup", "pagedown", "backspace", "escape", "tab")
)
"""Keys that are held down on purpose, or do no harm; so do letters and digits."""


class HeldKey:
    """Tells a key that repeats itself from one that is pressed anew.

    A keyboard waits 250 to 660 ms, then repeats a key every 15 to 90 ms. So the second press of a
    key always counts, be it somebody quick or the first repeat; from the third on, one less than
    ``seconds`` after the one before is no press. Times are those at which keys arrived, since a
    slow program handles them in a bunch. ``caught``: the last key is the first one found held.
    """

    PAUSE = 0.7
    """Seconds after which a key is pressed for the first time again."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._key, self._at = "", 0.0
        self._rests_until = 0.0
        self._nth, self._held, self.caught = 0, False, False

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
        self._nth = self._nth + 1 if same and gap < self.PAUSE else 1
        before, self._held, self.caught = self._held, False, False
        if not same or key in FREE or (len(key) == 1 and key.isalnum() and not key.isupper()):
            return False
        rests = at < self._rests_until
        self._held = self._nth > 2 and gap < self._seconds
        self.caught = self._held and not before and not rests
        return self._held or rests
