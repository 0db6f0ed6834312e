"""The rules in our own words: all of them by title, or those that have the words looked for.

Whatever may lead here names a paragraph; Esc leads back the same way, step by step.
"""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from skirmish import library
from skirmish.app.foot import Foot
from skirmish.app.host import Screen
from skirmish.app.reference.in_force import in_force_on
from skirmish.app.reference.keys import KEYS
from skirmish.app.reference.lists import Contents, Links, Sought, title
from skirmish.app.reference.words import nothing_found, told
from skirmish.games.plastic.reference import Paragraph
from skirmish.games.plastic.reference_search import Index, near_titles

NARROWEST, WIDEST = 49, 78
"""Columns of a rule: on the smallest screen, and beyond which lines are tiring to read."""
LONGEST = 60
"""Characters that can be looked for."""


class ReferenceScreen(Screen[None]):
    """The rules, open at ``paragraph`` (see ``Reference.named``) or at the beginning."""

    CSS_PATH = "reference_screen.tcss"
    TOPIC: ClassVar[str] = "rules"
    EXTRA = "The rules are"
    HELP = (
        "Up and down choose a rule, and so does the first letter of its title. / searches: type, "
        "choose, Enter. Page Down scrolls. Enter or the right arrow moves to See also; a digit "
        "follows that link at once. Esc goes back.\n"
        "Below each rule are the rulings that fill its gaps, with the answers in force here.\n"
        "P prints the quick reference: both sides of one sheet for the table."
    )
    BINDINGS: ClassVar[list[BindingType]] = KEYS

    def __init__(self, paragraph: str = "") -> None:
        super().__init__()
        self._reference = library.reference()
        named = self._reference.named(paragraph)
        self._shown = named.id if named else next(iter(self._reference.paragraphs))
        self._index = Index(self._reference)
        self._before: list[str] = []
        self._begun_at: str | None = None  # where the search began, while one is open

    @property
    def paragraph(self) -> str:
        """The rule that is open."""
        return self._shown

    # ------------------------------------------------------------------ on the screen

    def compose(self) -> ComposeResult:
        """Titles on the left, the rule on the right."""
        yield Static("RULES OF WWII PLASTIC SKIRMISH", id="heading", classes="title", markup=False)
        with Horizontal():
            with Vertical(id="left"):
                yield Sought(id="search", max_length=LONGEST, compact=True, placeholder="search")
                yield Contents(id="contents", markup=False)
            with VerticalScroll(id="page", can_focus=False):
                yield Static(id="text", markup=False)
                yield Static("SEE ALSO", id="see-also", markup=False)
                yield Links(id="see", markup=False)
        yield Foot()

    def on_mount(self) -> None:
        """The contents, the cursor on what is open."""
        self._list_all()
        self._contents.focus()
        self._show()
        self.call_after_refresh(self._paint)

    def on_resize(self) -> None:
        """Text and tables follow the width; what is being read stays in sight."""
        self.call_after_refresh(self._paint)

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Another title: its rule."""
        chosen = event.option_id
        if event.option_list is self._contents and chosen and chosen != self._shown:
            self._shown = chosen
            self._show()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Enter or a click: a link is followed; of what was found one is chosen."""
        if event.option_list is not self._contents:
            self._go(event.option_id or "")
        elif self._begun_at is not None:
            self._end_search()

    def on_input_changed(self, event: Input.Changed) -> None:
        """What has these words so far."""
        if self._begun_at is None:
            return
        if event.value.strip():
            self._list_found(event.value)
        else:
            self._shown = self._begun_at
            self._list_all()
            self._show()

    def on_input_submitted(self) -> None:
        """The one under the cursor it is."""
        self._end_search()

    # ------------------------------------------------------------------ what keys do

    def action_search(self) -> None:
        """Begin to look for words."""
        if self._begun_at is None:
            self._begun_at = self._shown
        sought = self.query_one(Sought)
        sought.display = True
        sought.clear()
        sought.focus()

    def action_choose(self, by: int) -> None:
        """The next or the last title, while the words are being typed."""
        if by > 0:
            self._contents.action_cursor_down()
        else:
            self._contents.action_cursor_up()

    def action_letter(self, letter: str) -> None:
        """The next title that begins so, from the cursor on and round."""
        titles = list(self._reference.paragraphs.values())
        at = [one.id for one in titles].index(self._shown) + 1
        for one in (*titles[at:], *titles[:at]):
            if one.title.casefold().startswith(letter):
                self._point_at(one.id)
                return

    def action_links(self) -> None:
        """On to what else to read; of what was found, the one under the cursor."""
        if self._begun_at is not None:
            self._end_search()
        elif self._links.option_count:
            self._links.highlighted = 0
            self._links.focus()

    def action_follow(self, digit: int) -> None:
        """The link with that digit."""
        if digit <= self._links.option_count:
            self._go(self._links.get_option_at_index(digit - 1).id or "")

    def action_read(self, step: int) -> None:
        """On by most of what is in sight."""
        page = self.query_one("#page", VerticalScroll)
        page.scroll_relative(y=step * max(1, page.size.height - 2), animate=False)

    def action_print(self) -> None:
        """The quick reference."""
        from skirmish.app.printing import print_plastic

        self.run_worker(print_plastic(self.skirmish, "reference"), group="print")

    def action_back(self) -> None:
        """One step back: out of the search, back along the links, out."""
        if self._begun_at is not None:
            self._shown = self._begun_at
            self._close_search()
        elif self.focused is self._links:
            self._contents.focus()
        elif self._before:
            self._shown = self._before.pop()
            self._point_at(self._shown)
            self._show()
        else:
            self.dismiss()

    # ------------------------------------------------------------------ ways

    @property
    def _contents(self) -> Contents:
        return self.query_one(Contents)

    @property
    def _links(self) -> Links:
        return self.query_one(Links)

    def _go(self, paragraph: str) -> None:
        """Open another rule and remember this one."""
        if paragraph in self._reference.paragraphs:
            self._before.append(self._shown)
            self._shown = paragraph
            self._point_at(paragraph)
            self._show()
            self._contents.focus()

    def _end_search(self) -> None:
        """Stay with what was found, among all titles again."""
        if not self._contents.option_count:
            return
        if self._begun_at not in (None, self._shown):
            self._before.append(str(self._begun_at))
        self._close_search()

    def _close_search(self) -> None:
        self._begun_at = None
        self.query_one(Sought).display = False
        self._list_all()
        self._show()
        self._contents.focus()

    def _point_at(self, paragraph: str) -> None:
        contents = self._contents
        contents.highlighted = contents.get_option_index(paragraph)
        if contents.highlighted <= 1:  # with the title of the first chapter
            contents.scroll_home(animate=False)

    # ------------------------------------------------------------------ painting

    def _list_all(self) -> None:
        options: list[Option] = []
        for chapter, paragraphs in self._reference.chapters():
            options.append(Option(Content.styled(chapter.upper(), "bold $primary"), disabled=True))
            options += [title(one) for one in paragraphs]
        self._contents.set_options(options)
        self._point_at(self._shown)

    def _list_found(self, query: str) -> None:
        found = self._index.search(query)
        self._contents.set_options(title(one) for one in found)
        if found:
            self._shown = found[0].id
            self._contents.highlighted = 0
            self._show()
            return
        near = near_titles(self._reference, query)
        self.query_one("#text", Static).update(nothing_found(query, near))
        self._list_links(())

    def _show(self) -> None:
        """The open rule, from its beginning."""
        self._paint()
        self.query_one("#page", VerticalScroll).scroll_home(animate=False)

    def _paint(self) -> None:
        paragraph = self._reference.paragraphs[self._shown]
        page = self.query_one("#page", VerticalScroll)
        width = min(page.scrollable_content_region.width or NARROWEST, WIDEST) - 1
        in_force = in_force_on(self.app.screen_stack, self.skirmish.settings)
        text = told(paragraph, in_force, width, self.skirmish.measured)
        self.query_one("#text", Static).update(text)
        self._list_links(tuple(self._reference.paragraphs[name] for name in paragraph.see))

    def _list_links(self, links: tuple[Paragraph, ...]) -> None:
        self.query_one("#see-also").display = bool(links)
        self._links.display = bool(links)
        self._links.set_options(
            Option(Content.assemble((f"{digit} ", "$accent bold"), one.title), id=one.id)
            for digit, one in enumerate(links, 1)
        )
