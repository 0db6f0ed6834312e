"""A list of lines that are painted anew as what they show changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

Group: TypeAlias = "tuple[Content | None, Mapping[str, Content]]"
"""A heading, if it has one, and lines by their ids."""


class LineList(OptionList):
    """Lines in groups. Headings cannot be chosen."""

    def __init__(self, id: str, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes, markup=False)
        self._painted: dict[str, Content] = {}

    @property
    def chosen(self) -> str:
        option = self.highlighted_option
        return (option.id or "") if option else ""

    def show(self, groups: Iterable[Group], chosen: str = "") -> None:
        """Only what changed is painted. Where lines come or go the cursor stays on its line, or
        goes to ``chosen``, and what is in sight stays there."""
        rows: dict[str, Content] = {}
        lines: list[str] = []
        for heading, own in groups:
            if heading is not None and own:
                rows[f"above {next(iter(own))}"] = heading
            rows |= own
            lines += own
        if list(rows) == list(self._painted):
            for id, row in rows.items():
                if row != self._painted[id] or row.spans != self._painted[id].spans:
                    self.replace_option_prompt(id, row)
        else:
            top, at = self.scroll_y, chosen or self.chosen
            self.set_options(
                Option(row, id=id, disabled=id not in lines) for id, row in rows.items()
            )
            at = at if at in lines else next(iter(lines), "")
            self.highlighted = list(rows).index(at) if at else None
            self.scroll_to(y=top, animate=False)
            self.scroll_to_highlight()
        self._painted = rows

    def scroll_to_highlight(self, top: bool = False) -> None:
        """With the first line the heading above it."""
        super().scroll_to_highlight(top)
        if self.highlighted == 1 and self.options[0].disabled:
            self.scroll_home(animate=False)
