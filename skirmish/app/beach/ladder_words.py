"""The ladder of eighteen phases."""

from __future__ import annotations

from textual.content import Content

from skirmish.games.beach_head.ladder import Rung

KEY, DIM = "$accent bold", "$foreground 55%"
MARKS = {"done": "✓", "now": "▶", "skipped": "-", "ahead": " "}
"""What stands before a rung; nothing is told by colour alone."""
NAME = 18
"""Columns of a phase's name."""


def rungs(ladder: tuple[Rung, ...], width: int) -> Content:
    """A line for each phase of the turn."""
    return Content("\n").join(_rung(rung, width) for rung in ladder)


def _rung(rung: Rung, width: int) -> Content:
    """In columns where that fits; else what came of it is set against the right edge, and told
    without its nouns where even so it would be cut."""
    style = {"now": KEY, "skipped": DIM, "ahead": DIM, "done": ""}[rung.standing]
    name = rung.phase.name + (" twice" if rung.again else "")
    head = f"{MARKS[rung.standing]}{rung.number:>2} "
    if len(rung.words) <= width - len(head) - NAME - 1 and len(name) <= NAME:
        return Content.styled(f"{head}{name:<{NAME}} {rung.words}", style)
    room = width - len(head) - len(name)
    words = rung.words if len(rung.words) < room else rung.short
    if len(words) >= room:  # three kinds of tank, or a phase played three times
        words = " ".join(one for one in words.split() if one[0] in "+-")
    if len(words) < width - len(head) - NAME and len(name) <= NAME:
        return Content.styled(f"{head}{name:<{NAME}} {words}", style)
    return Content.styled(f"{head}{name}{words:>{room}}", style)
