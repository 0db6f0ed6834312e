"""The lines of a set-up screen as they are painted. What people typed is content, never markup."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content
from textual.widgets.option_list import Option

from skirmish.app.setup_lines import Line, shown

BEGIN = "begin"
"""The line that begins the battle."""
LABEL = 26
"""Columns of the labels."""
AROUND = 8
"""Columns that the edges, the gap and the scroll bar take."""
TALL = 34
"""Rows from which groups stand apart."""
READY = (
    "Enter or b begins. Everything stands as we propose it; to change a line, go there with the "
    "arrows and press Enter, or ← and →."
)


def painted(lines: Sequence[Line], width: int, height: int) -> list[Option]:
    """The line that begins, then group by group what is not folded away, for a screen of that
    size."""
    options = [Option(Content.styled("BEGIN THE BATTLE", "bold $accent"), id=BEGIN)]
    gap = "\n" if height >= TALL else ""
    topic = ""
    for line in shown(lines):
        if line.topic != topic:
            topic = line.topic
            heading = Content.styled(f"{gap}{topic}", "bold $primary")
            options.append(Option(heading, id=f"topic-{topic}", disabled=True))
        options.append(Option(_line(line, width), id=line.id))
    return options


def told(line: Line | None, trouble: str) -> Content:
    """What is said about the chosen line; without one, whether the battle can begin."""
    if line is not None:
        return Content(line.told)
    return Content(trouble).stylize("$warning") if trouble else Content(READY)


def _line(line: Line, width: int) -> Content:
    label = Content(line.label).truncate(LABEL, ellipsis=True, pad=True)
    room = max(20, width - LABEL - AROUND)
    says = Content(line.says).truncate(room - 4 if line.turns else room, ellipsis=True)
    if line.turns:
        says = Content.assemble("‹ ", says, " ›")
    return Content.assemble(label, "  ", says if line.usual else says.stylize("bold $accent"))
