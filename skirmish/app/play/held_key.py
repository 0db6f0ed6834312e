"""Distinguishes a key that is held down from one that is pressed several times, so that a held key
does not give one order after another."""

from __future__ import annotations

HARMLESS_KEYS = frozenset(
    ("up", "down", "left", "right", "pageup", "pagedown", "backspace", "escape", "tab")
)
"""Keys that are meant to be held down, or do no harm."""


class HeldKey:
    """Recognizes the repeats of a held key.

    A keyboard waits 250 to 660 ms, then repeats a key every 15 to 90 ms. So the second press always
    counts: it may be a quick player's or the first repeat. From the third on, a press less than
    ``repeats_within`` seconds after the last is a repeat. Keys that arrive together were typed
    ahead or pasted, and all of them count: no keyboard repeats so fast. But if the same key was
    pressed shortly before them, they are repeats that a slow connection has bunched. Times are
    those at which keys arrived, since a slow program handles them in bursts.
    """

    NEW_PRESS_AFTER = 0.7
    """Seconds after which a press of the same key is a new one: longer than any keyboard waits
    before it repeats a key."""
    TOGETHER_WITHIN = 0.01
    """Seconds between two keys within which they were sent in one go."""

    def __init__(self, repeats_within: float) -> None:
        self._repeats_within = repeats_within
        self._last_key = ""
        self._last_arrival = 0.0
        """When the last key arrived, by the monotonic clock, as in ``event.time``."""
        self._ignored_until = 0.0
        """Until when further presses of the last key are ignored, by the same clock."""
        self._presses = 0
        """How often the last key was pressed, each time shortly after the one before. Keys that
        arrived together count as one press."""
        self._is_held = False
        """Whether the last press was that of a held key."""
        self.has_just_been_caught = False
        """Whether the last press is the first one recognized as that of a held key."""

    def ignore(self, key: str, seconds: float) -> None:
        """Ignore ``key`` for so many seconds after its last press, unless another key comes
        first."""
        if key == self._last_key:
            self._ignored_until = self._last_arrival + seconds

    def count_press(self, key: str, arrived: float) -> bool:
        """Count a key that ``arrived`` at that time; returns whether it is to be obeyed."""
        is_same_key = key == self._last_key
        gap = arrived - self._last_arrival
        was_held = self._is_held
        self._last_key, self._last_arrival = key, arrived
        self._is_held = self.has_just_been_caught = False
        if not is_same_key:
            self._ignored_until = 0.0
            self._presses = 1
            return True

        came_together = gap < self.TOGETHER_WITHIN
        if gap >= self.NEW_PRESS_AFTER:
            self._presses = 1
        elif not came_together:
            self._presses += 1
        if _is_harmless(key):
            return True

        # A key typed ahead or pasted together with the one before is meant, and never ignored.
        is_ignored = arrived < self._ignored_until and not came_together
        # A second press may be a player's; a third may be a repeat. Keys that came together count
        # as one press. As the first one, they were typed ahead; as the second one, they are
        # repeats that a slow connection has bunched.
        is_third_press = self._presses > 2
        is_bunched_second_press = came_together and self._presses > 1
        may_be_repeat = is_third_press or is_bunched_second_press
        self._is_held = may_be_repeat and gap < self._repeats_within
        self.has_just_been_caught = self._is_held and not was_held and not is_ignored
        return not self._is_held and not is_ignored


def _is_harmless(key: str) -> bool:
    """Whether a key may be held down. Small letters and digits may: they only put a command
    together, which another key gives."""
    if key in HARMLESS_KEYS:
        return True
    return len(key) == 1 and key.isalnum() and not key.isupper()
