"""Lists of lines that are repainted as their content changes, and the screens made of one: set-up
forms, settings."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from typing import ClassVar, TypeAlias

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from skirmish.app.host import LARGE, Screen
from skirmish.tabletop.typed import plain

AROUND = 8
"""Columns for edges, gaps and scroll bar beside label and value."""
DETAILS_SHARE = 0.45
"""The share of a large screen's columns for the details of the selected line, as in the style
sheet."""
DETAILS_EDGES = 7
"""Columns of the edges of the details, and of their scroll bar."""
NARROWEST = 20
"""The fewest columns of a value."""
CHANGED = "  •"
"""The mark of values other than the default; a colour would be invisible on the selected line."""
BEFORE, AFTER = "‹ ", " ›"
"""Around a value that the left and right arrows change."""
Group: TypeAlias = "tuple[Content | None, Mapping[str, Content]]"
"""A heading, if any, and lines by id."""


class LineList(OptionList):
    """Lines in groups. Headings cannot be selected."""

    def __init__(self, id: str, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes, markup=False)
        self._painted: dict[str, Content] = {}

    @property
    def chosen(self) -> str:
        """The id of the selected line; empty if there is none."""
        option = self.highlighted_option
        if option is None:
            return ""
        return option.id or ""

    def show(self, groups: Iterable[Group], chosen: str = "") -> None:
        """Repaint only what changed. If lines come or go, the cursor stays on its line or moves to
        ``chosen``, and the scroll position stays."""
        rows: dict[str, Content] = {}
        line_ids: list[str] = []
        for heading, group_lines in groups:
            if heading is not None and group_lines:
                first_id = next(iter(group_lines))
                rows[f"above {first_id}"] = heading
            rows |= group_lines
            line_ids += group_lines
        if list(rows) == list(self._painted):
            self._repaint(rows)
        else:
            self._replace(rows, line_ids, chosen or self.chosen)
        self._painted = rows

    def _repaint(self, rows: Mapping[str, Content]) -> None:
        """Paint those of the same rows that look otherwise than before."""
        for id, row in rows.items():
            before = self._painted[id]
            # Contents are equal if their texts are: a change of colours alone shows in the spans.
            if row != before or row.spans != before.spans:
                self.replace_option_prompt(id, row)

    def _replace(self, rows: Mapping[str, Content], line_ids: Sequence[str], chosen: str) -> None:
        """Set all rows anew; those whose ids are not among ``line_ids`` are headings."""
        top = self.scroll_y
        options = []
        for id, row in rows.items():
            is_heading = id not in line_ids
            options.append(Option(row, id=id, disabled=is_heading))
        self.set_options(options)
        if chosen not in line_ids:
            chosen = next(iter(line_ids), "")
        if chosen:
            self.highlighted = list(rows).index(chosen)
        else:
            self.highlighted = None
        self.scroll_to(y=top, animate=False)
        self.scroll_to_highlight()

    def on_resize(self) -> None:
        """The text below the list may have become higher or lower."""
        self.call_after_refresh(self.scroll_to_highlight)

    def scroll_to_highlight(self, top: bool = False) -> None:
        """Scroll to the heading as well if the first line is selected."""
        super().scroll_to_highlight(top)
        if self.highlighted == 1 and self.options[0].disabled:
            self.scroll_home(animate=False)


class LineScreen(Screen[None]):
    """Lines with a label and a value under headings, with an explanation of the selected one
    below; on a large screen its details stand beside the lines instead."""

    CSS_PATH: ClassVar[list[str | PurePath]] = [Path(__file__).with_suffix(".tcss")]
    """Screens in other folders inherit it and add their own."""
    LIST_ID: ClassVar[str] = "lines"
    """The id of the list."""
    LIST_CLASSES: ClassVar[str] = "lines"
    """The CSS class of the list."""
    LABEL_WIDTH: ClassVar[int] = 26
    """Columns of the labels."""
    LIST_WIDGET: ClassVar[type[LineList]] = LineList
    HAS_DETAILS: ClassVar[bool] = True
    """Whether a large screen has a column for details."""

    @property
    @abstractmethod
    def heading(self) -> str | Content:
        """The title of the screen."""

    @abstractmethod
    def groups(self) -> Iterator[Group]:
        """The lines in their current state; none until they are loaded."""

    @abstractmethod
    def meaning(self, id: str) -> Content | str:
        """The explanation of a line."""

    def details(self, id: str) -> Content | str:
        """What a large screen shows of a line, in ``details_width`` columns."""
        return self.meaning(id)

    def compose(self) -> ComposeResult:
        from skirmish.app.foot import Foot  # the home screen has a list but no footer

        yield Static(self.heading, classes="title", id="heading", markup=False)
        yield self.LIST_WIDGET(id=self.LIST_ID, classes=self.LIST_CLASSES)
        with VerticalScroll(id="about-line", can_focus=False):
            yield Static("", id="meaning", markup=False)
        yield from self.below()
        yield Foot()

    def below(self) -> ComposeResult:
        """Widgets between the explanation and the footer."""
        yield from ()

    @property
    def chosen(self) -> str:
        """The id of the selected line; empty before the list is mounted."""
        if not self.is_mounted:
            return ""
        return self.query_one(LineList).chosen

    def settings_changed(self) -> None:
        if self.is_mounted:
            self.paint()

    async def on_mount(self) -> None:
        self.paint()
        self.query_one(LineList).focus()
        self.call_after_refresh(self._explain)  # in the height that the layout leaves it

    def on_resize(self) -> None:
        self.paint()

    def on_option_list_option_highlighted(self) -> None:
        self._explain()
        self.query_one("#about-line").scroll_home(animate=False)

    def paint(self, chosen: str = "") -> None:
        """Repaint everything, with the cursor on ``chosen`` if lines come or go."""
        self.set_class(self.with_details, "-detailed")
        self.query_one(LineList).show(self.groups(), chosen)
        self.query_one("#heading", Static).update(self.heading)
        self._explain()

    def _explain(self) -> None:
        """Show what the selected line means, with the keys that it has."""
        if self.chosen:
            words = self.meaning(self.chosen)
            if self.with_details:
                words = self.details(self.chosen)
            self.query_one("#meaning", Static).update(words)
        self.refresh_bindings()

    @property
    def with_details(self) -> bool:
        """Whether the details of the selected line stand beside the list."""
        return self.HAS_DETAILS and self.app.size.width >= LARGE

    @property
    def columns(self) -> int:
        """The columns of the list."""
        width = self.app.size.width
        if self.with_details:
            return width - round(width * DETAILS_SHARE)
        return width

    @property
    def details_width(self) -> int:
        """The columns of a text beside the list."""
        return round(self.app.size.width * DETAILS_SHARE) - DETAILS_EDGES

    def labelled(self, label: str, words: str, changed: bool, *, turns: bool) -> Content:
        """A line, cut to the width: its label, then ``words``, its value. ``changed``: the value is
        marked as another than the default; ``turns``: it stands between arrows."""
        name = Content(plain(label)).truncate(self.LABEL_WIDTH, ellipsis=True, pad=True)
        room = self.columns - self.LABEL_WIDTH - AROUND
        if changed:
            room -= len(CHANGED)
        if turns:
            room -= len(BEFORE + AFTER)
        text = Content(self.skirmish.measured(plain(words)))
        text = text.truncate(max(room, NARROWEST), ellipsis=True)
        if turns:
            text = Content.assemble(BEFORE, text, AFTER)
        if changed:
            return Content.assemble(name, "  ", text.stylize("bold"), CHANGED)
        return Content.assemble(name, "  ", text)
