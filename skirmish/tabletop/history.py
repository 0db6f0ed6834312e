"""A value with all its changes, which can be undone and redone without end."""

from __future__ import annotations

from typing import Generic, TypeVar

T = TypeVar("T")


class History(Generic[T]):
    """A ``value`` that is replaced and never changed, with those before it (``past``) and those
    that were undone (``future``), the nearest last."""

    def __init__(self, value: T) -> None:
        self.value = value
        self.past: list[T] = []
        self.future: list[T] = []
        self.compound_start: int | None = None
        """The number of past changes when a compound change began, which is undone as one."""

    def change(self, value: T) -> None:
        """Change the value; what was undone can no longer be redone."""
        # Of a compound change only the value before its first part is remembered.
        if self.compound_start in (None, len(self.past)):
            self.past.append(self.value)
        self.future.clear()
        self.value = value

    def undo(self) -> None:
        """Go back to the value before; nothing happens where there is none."""
        if self.past:
            self.future.append(self.value)
            self.value = self.past.pop()

    def redo(self) -> None:
        """Take back the last undoing, if there is one."""
        if self.future:
            self.past.append(self.value)
            self.value = self.future.pop()
