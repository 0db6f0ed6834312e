"""A value with all its changes, which can be undone and redone without end."""

from __future__ import annotations

from typing import Generic, TypeVar

T = TypeVar("T")


class History(Generic[T]):
    """A ``value`` that is replaced and never changed in place. ``past`` has the values before it,
    ``future`` those that were undone; the nearest comes last in both."""

    def __init__(self, value: T) -> None:
        self.value = value
        self.past: list[T] = []
        self.future: list[T] = []
        self._compound_start: int | None = None
        """The number of past changes when the present compound change began; None: there is
        none."""

    def begin_compound(self) -> None:
        """The next changes are the parts of one, which is undone as a whole. It ends with
        ``end_compound``, and before anything is undone or redone."""
        self._compound_start = len(self.past)

    def end_compound(self) -> None:
        """The next change stands by itself again."""
        self._compound_start = None

    def change(self, value: T) -> None:
        """Change the value; what was undone can no longer be redone."""
        stands_alone = self._compound_start is None
        is_first_part = self._compound_start == len(self.past)
        # Of a compound change only the value before its first part is remembered.
        if stands_alone or is_first_part:
            self.past.append(self.value)
        self.future.clear()
        self.value = value

    def undo(self) -> None:
        """Go back to the value before; nothing happens where there is none."""
        self.end_compound()
        if self.past:
            self.future.append(self.value)
            self.value = self.past.pop()

    def redo(self) -> None:
        """Take back the last undoing, if there is one."""
        self.end_compound()
        if self.future:
            self.past.append(self.value)
            self.value = self.future.pop()
