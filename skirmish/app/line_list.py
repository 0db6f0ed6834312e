"""Lists of lines that are repainted as their content changes, and the screens that consist of one:
set-up forms, settings, lists of armies."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from typing import ClassVar, NamedTuple

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from skirmish.app.base_screen import LARGE, Screen
from skirmish.app.text_rows import hanging
from skirmish.tabletop.typed import plain

LINE_MARGINS = 8
"""Columns of a line beside those of its label and its value: edges, gaps, scroll bar."""
DETAILS_SHARE = 0.45
"""The share of a large screen's columns for the details of the chosen line; the style sheet has the
same."""
DETAILS_EDGES = 7
"""Columns of the edges of the details, and of their scroll bar."""
NARROWEST_VALUE = 20
"""The fewest columns of a value."""
CHANGED_MARK = "  •"
"""The mark of values other than the default; a colour would be invisible on the chosen line."""
ROW_BELOW_FIRST_HEADING = 1
"""The index of the first line, where a heading stands above it."""
ARROW_LEFT, ARROW_RIGHT = "‹ ", " ›"
"""They stand around a value that the left and right arrow keys change."""


class LineGroup(NamedTuple):
    """Lines by their ids, below a heading if there is one."""

    heading: Content | None
    lines: Mapping[str, Content]


class LineList(OptionList):
    """Lines in groups. Headings cannot be chosen. Rows are the lines and the headings."""

    def __init__(self, id: str, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes, markup=False)
        self._painted_rows: dict[str, Content] = {}

    @property
    def chosen(self) -> str:
        """The id of the line with the cursor; empty if there is none."""
        option = self.highlighted_option
        if option is None:
            return ""
        return option.id or ""

    @property
    def row_columns(self) -> int:
        """The columns of a row; 0 until the list is laid out."""
        edges = self.get_component_styles("option-list--option").padding.width
        return max(self.scrollable_content_region.width - edges, 0)

    def in_columns(self, row: Content, indent: int) -> Content:
        """A row as it is broken in the columns of the list; what follows the first line is indented
        by ``indent``."""
        if not self.row_columns:
            return row
        return Content("\n").join(hanging(row, self.row_columns, indent))

    def show(self, groups: Iterable[LineGroup], chosen: str = "") -> None:
        """Show the lines of these groups. While they are the same lines, only what changed is
        repainted. If lines come or go, the cursor moves to ``chosen`` or stays on its line, and the
        scroll position stays."""
        rows: dict[str, Content] = {}
        line_ids: list[str] = []
        for group in groups:
            if group.heading is not None and group.lines:
                first_id = next(iter(group.lines))
                rows[f"above {first_id}"] = group.heading
            rows |= group.lines
            line_ids += group.lines
        are_same_lines = list(rows) == list(self._painted_rows)
        if are_same_lines:
            self._repaint(rows)
        else:
            line_of_cursor = chosen or self.chosen
            self._replace(rows, line_ids, line_of_cursor)
        self._painted_rows = rows

    def _repaint(self, rows: Mapping[str, Content]) -> None:
        """Paint those rows that look different from before; their ids are the same."""
        for id, row in rows.items():
            before = self._painted_rows[id]
            # Contents with the same text are equal to Textual, even if their styles differ.
            if row != before or row.spans != before.spans:
                self.replace_option_prompt(id, row)

    def _replace(self, rows: Mapping[str, Content], line_ids: Sequence[str], chosen: str) -> None:
        """Replace all rows; those whose ids are not among ``line_ids`` are headings. The cursor is
        on ``chosen``, or on the first line if ``chosen`` is none of them."""
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
        """Keep the chosen line in view: a higher text below the list leaves it fewer rows."""
        self.call_after_refresh(self.scroll_to_highlight)

    def scroll_to_highlight(self, top: bool = False) -> None:
        """Scroll to the chosen line; if it is the first one, to the heading above it as well."""
        super().scroll_to_highlight(top)
        starts_with_heading = bool(self.options) and self.options[0].disabled
        if starts_with_heading and self.highlighted == ROW_BELOW_FIRST_HEADING:
            self.scroll_home(animate=False)


class LineScreen(Screen[None]):
    """Lines under headings, with an explanation of the chosen one below them; on a large screen its
    details stand beside them instead."""

    CSS_PATH: ClassVar[list[str | PurePath]] = [Path(__file__).with_suffix(".tcss")]
    """A path, since derived screens in other folders inherit it. They add their own."""
    LIST_ID: ClassVar[str] = "lines"
    LIST_CLASSES: ClassVar[str] = "lines"
    """The CSS classes of the list."""
    LABEL_WIDTH: ClassVar[int] = 26
    """Columns of the labels."""
    LIST_WIDGET: ClassVar[type[LineList]] = LineList
    HAS_DETAILS: ClassVar[bool] = True
    """Whether there is a column for details if the screen is large."""

    @property
    @abstractmethod
    def heading(self) -> str | Content:
        """The title of the screen."""

    @abstractmethod
    def groups(self) -> Iterator[LineGroup]:
        """The lines as they are now; none until they are loaded."""

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
        """The id of the chosen line; empty before the list is mounted."""
        if not self.is_mounted:
            return ""
        return self.query_one(LineList).chosen

    def settings_changed(self) -> None:
        if self.is_mounted:
            self.paint()

    async def on_mount(self) -> None:
        self.paint()
        self.query_one(LineList).focus()
        self.call_after_refresh(self._explain)  # once more, in the size that it has then

    def on_resize(self) -> None:
        self.paint()

    def on_option_list_option_highlighted(self) -> None:
        self._explain()
        self.query_one("#about-line").scroll_home(animate=False)

    def paint(self, chosen: str = "") -> None:
        """Repaint everything, with the cursor on ``chosen`` if lines come or go."""
        self.set_class(self.shows_details, "-detailed")
        self.query_one(LineList).show(self.groups(), chosen)
        self.query_one("#heading", Static).update(self.heading)
        self._explain()

    def _explain(self) -> None:
        """Show what the chosen line means, and which keys it has at the foot."""
        if self.chosen:
            words = self.meaning(self.chosen)
            if self.shows_details:
                words = self.details(self.chosen)
            self.query_one("#meaning", Static).update(words)
        self.refresh_bindings()

    @property
    def shows_details(self) -> bool:
        """Whether the details of the chosen line stand beside the list."""
        return self.HAS_DETAILS and self.app.size.width >= LARGE

    @property
    def columns(self) -> int:
        """The columns of the list."""
        width = self.app.size.width
        if self.shows_details:
            return width - round(width * DETAILS_SHARE)
        return width

    @property
    def details_width(self) -> int:
        """The columns of a text beside the list."""
        return round(self.app.size.width * DETAILS_SHARE) - DETAILS_EDGES

    @property
    def label_width(self) -> int:
        """The cells of the labels in front of the values."""
        return self.LABEL_WIDTH

    def labelled_line(
        self, label: str, value: str, *, is_changed: bool, has_arrows: bool
    ) -> Content:
        """A line of a label and a value, cut to the width. ``is_changed``: the value is marked as
        another than the default; ``has_arrows``: it stands between arrows."""
        name = Content(plain(label)).truncate(self.label_width, ellipsis=True, pad=True)
        room = self.columns - self.label_width - LINE_MARGINS
        if is_changed:
            room -= len(CHANGED_MARK)
        if has_arrows:
            room -= len(ARROW_LEFT + ARROW_RIGHT)
        text = Content(self.skirmish.measured(plain(value)))
        text = text.truncate(max(room, NARROWEST_VALUE), ellipsis=True)
        if has_arrows:
            text = Content.assemble(ARROW_LEFT, text, ARROW_RIGHT)
        if is_changed:
            return Content.assemble(name, "  ", text.stylize("bold"), CHANGED_MARK)
        return Content.assemble(name, "  ", text)
