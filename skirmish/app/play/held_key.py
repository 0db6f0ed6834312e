"""Detecting keys that are held down, so that they draw only once."""

from __future__ import annotations

FREE = frozenset(
    ("up", "down", "left", "right", "pageup", "pagedown", "backspace", "escape", "tab")
)
"""Keys that are meant to be held down, or do no harm; so are letters and digits."""


class HeldKey:
    """Distinguishes the repeats of a held key from separate presses. A keyboard waits 250 to 660
    ms, then repeats a key every 15 to 90 ms. So the second press always counts, since it may be a
    quick player or the first repeat; from the third on, one less than ``seconds`` after the last is
    a repeat. Times are those at which keys arrived, since a slow program handles them in bursts.
    ``caught``: the last key is the first one detected as held."""

    PAUSE = 0.7
    """Seconds after which a press of the same key is a new one."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._key, self._at = "", 0.0
        self._rests_until = 0.0
        self._nth, self._held, self.caught = 0, False, False

    def rest(self, key: str, seconds: float) -> None:
        """Ignore ``key``, unless another comes first, for so many seconds."""
        if key == self._key:
            self._rests_until = self._at + seconds

    def is_dead(self, key: str, at: float) -> bool:
        """Whether an arriving key is to be ignored. Call it once for each key."""
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
