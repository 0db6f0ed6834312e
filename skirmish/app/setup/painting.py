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
"""Marks what differs from the default; a colour would be lost on the chosen line."""
TALL = 34
"""Rows from which groups stand apart."""
READY = "Defaults are filled in. Press Enter to begin, or change any line with ← and →, or Enter."


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
    """What stands in the way of beginning or is to be noted, then what the chosen line means."""
    about = Content(measured(line.told) if line is not None else "" if trouble or notice else READY)
    warning = Content(trouble or notice).stylize("$warning")
    return Content("\n").join(part for part in (warning, about) if part.plain)


def _line(line: Line, width: int, measured: Callable[[str], str]) -> Content:
    label = Content(line.label).truncate(LABEL, ellipsis=True, pad=True)
    room = max(20, width - LABEL - AROUND - (0 if line.usual else len(CHANGED)))
    says = Content(measured(line.says)).truncate(room - 4 if line.turns else room, ellipsis=True)
    if line.turns:
        says = Content.assemble("‹ ", says, " ›")
    if line.usual:
        return Content.assemble(label, "  ", says)
    return Content.assemble(label, "  ", says.stylize("bold"), CHANGED)
