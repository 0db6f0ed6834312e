"""A list of lines that are painted anew as what they show changes."""

from __future__ import annotations

from collections.abc import Mapping

from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option


class LineList(OptionList):
    """Lines by their ids."""

    def __init__(self, id: str, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes, markup=False)
        self._painted: dict[str, Content] = {}

    @property
    def chosen(self) -> str:
        """The id of the line under the cursor; empty where there is none."""
        option = self.highlighted_option
        return (option.id or "") if option else ""

    def show(
        self, lines: Mapping[str, Content], headings: Mapping[str, Content], chosen: str = ""
    ) -> None:
        """The lines in their order, each heading above the line of its id. Only what changed is
        painted. Where lines come or go the cursor stays where it is, or goes to ``chosen``, and
        what is in sight stays there."""
        rows: dict[str, Content] = {}
        for id, line in lines.items():
            if id in headings:
                rows[f"heading {id}"] = headings[id]
            rows[id] = line
        if list(rows) == list(self._painted):
            for id, row in rows.items():
                if row != self._painted[id] or row.spans != self._painted[id].spans:
                    self.replace_option_prompt(id, row)
        else:
            top, chosen = self.scroll_y, chosen or self.chosen
            self.set_options(
                Option(row, id=id, disabled=id not in lines) for id, row in rows.items()
            )
            first = next(iter(lines), "")
            ids = list(rows)
            self.highlighted = ids.index(chosen if chosen in lines else first) if lines else None
            self.scroll_to(y=top, animate=False)
            self.scroll_to_highlight()
        self._painted = rows

    def scroll_to_highlight(self, top: bool = False) -> None:
        """With the first line the heading above it."""
        super().scroll_to_highlight(top)
        if self.highlighted == 1 and self.options[0].disabled:
            self.scroll_home(animate=False)
