"""The lines of a set-up screen as they are painted. What people typed is content, never markup."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual.content import Content
from textual.widgets.option_list import Option

from skirmish.app.setup.lines import Line, shown

BEGIN = "begin"
"""The line that begins."""
BEGIN_THE_BATTLE = "BEGIN THE BATTLE"
LABEL = 26
"""Columns of the labels."""
AROUND = 8
"""Columns that the edges, the gap and the scroll bar take."""
CHANGED = "  •"
"""Stands behind what is not as proposed; a colour would be lost on the chosen line."""
TALL = 34
"""Rows from which groups stand apart."""
READY = (
    "Enter begins. Everything stands as we or your settings propose it; to change a line, go there "
    "with the arrows and press Enter, or ← and →."
)


def painted(
    lines: Sequence[Line],
    width: int,
    height: int,
    measured: Callable[[str], str],
    begins: str = BEGIN_THE_BATTLE,
) -> list[Option]:
    """The line that ``begins``, then group by group what is not folded away, for a screen of that
    size; ``measured`` tells distances as the player likes them."""
    options = [Option(Content.styled(begins, "bold"), id=BEGIN)]
    gap = "\n" if height >= TALL else ""
    topic = ""
    for line in shown(lines):
        if line.topic != topic:
            topic = line.topic
            heading = Content.styled(f"{gap}{topic}", "bold $primary")
            options.append(Option(heading, id=f"topic-{topic}", disabled=True))
        options.append(Option(_line(line, width, measured), id=line.id))
    return options


def told(line: Line | None, trouble: str, notice: str, measured: Callable[[str], str]) -> Content:
    """What is said about the chosen line; without one, whether the battle can begin."""
    if line is not None:
        return Content(measured(line.told))
    if trouble or notice:
        return Content(trouble or notice).stylize("$warning")
    return Content(READY)


def _line(line: Line, width: int, measured: Callable[[str], str]) -> Content:
    label = Content(line.label).truncate(LABEL, ellipsis=True, pad=True)
    room = max(20, width - LABEL - AROUND - (0 if line.usual else len(CHANGED)))
    says = Content(measured(line.says)).truncate(room - 4 if line.turns else room, ellipsis=True)
    if line.turns:
        says = Content.assemble("‹ ", says, " ›")
    if line.usual:
        return Content.assemble(label, "  ", says)
    return Content.assemble(label, "  ", says.stylize("bold"), CHANGED)
