"""What can go wrong with the store, in one sentence for the person at the keyboard."""

from skirmish.tabletop.typed import plain

LONGEST_QUOTE = 80


class StoreError(Exception):
    """The store cannot do it; `str(error)` says what, where, and what would be right."""


class Damaged(StoreError):  # noqa: N818 (so it is)
    """The file is no sound database; a copy of it, if there is one, can be put in its place."""


class Unreadable(StoreError):  # noqa: N818 (so it is)
    """One row is damaged in a database that is otherwise sound."""


class Outrun(StoreError):  # noqa: N818 (said as it is: overtaken)
    """Another program wrote this entry first: read the battle again, then decide anew.

    `battle` is its id, `number` the entry that was refused, `last` the newest one in the store.
    """

    def __init__(self, battle: int, number: int, last: int) -> None:
        super().__init__(
            f"Another program has already written entry {number} of battle {battle} "
            f"(its last entry is {last}); load the battle again to continue from there."
        )
        self.battle = battle
        self.number = number
        self.last = last


def quoted(text: str) -> str:
    """A typed text fit for a sentence: in quotes, on one line, harmless, not endless."""
    line = plain(text)
    if len(line) > LONGEST_QUOTE:
        line = line[: LONGEST_QUOTE - 1] + "…"
    return f"“{line}”"
