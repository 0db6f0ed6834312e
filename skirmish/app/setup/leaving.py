"""Leaving a set-up: at once if nothing was changed, else after a question."""

from __future__ import annotations

from collections.abc import Sequence

from skirmish.app.host import Host
from skirmish.app.setup.lines import Line
from skirmish.app.windows import YesOrNo

SOME = 3
"""Changed lines that are named when they are about to be thrown away."""


async def may_leave(app: Host, lines: Sequence[Line]) -> bool:
    """Whether nothing was changed, or the players discard the changes."""
    changed = [line.label.strip() for line in lines if line.matters and not line.usual]
    if not changed:
        return True
    count = f"{len(changed)} lines have" if len(changed) > 1 else "One line has"
    first = "; ".join(changed[:SOME]) + ("; …" if len(changed) > SOME else "")
    question = YesOrNo(
        "Leave without beginning?",
        f"{count} been changed ({first}). The changes will be lost.",
        yes="leave and discard them",
        no="stay",
    )
    return await app.push_screen_wait(question)
