"""The rules in our own words: all of them by title, or those with the words searched for. Other
screens open it at a paragraph; Esc goes back step by step."""

from __future__ import annotations

from collections.abc import Iterable
from string import ascii_lowercase, digits
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from skirmish import library
from skirmish.app.base_screen import Screen
from skirmish.app.binding import keys, signs
from skirmish.app.foot import Foot
from skirmish.app.line_list import LineGroup, LineList
from skirmish.app.page_view import painted
from skirmish.app.reference.rulings import in_force_on
from skirmish.app.text_rows import shortened
from skirmish.app.text_styles import DIM, KEY
from skirmish.games.plastic.reference.charts import ChartTerms
from skirmish.games.plastic.reference.paragraph import RuleParagraph
from skirmish.tabletop.page import mapped

NARROWEST_RULE, WIDEST_RULE = 49, 78
"""Columns of a rule: on the smallest screen, and the most that are easy to read."""
LONGEST_SEARCH = 60
"""The most characters of a search."""
ROWS_KEPT = 2
"""Rows that stay in sight when a rule is scrolled, so that the reader sees where to go on."""


# Each row: id, keys, action, label at the foot, words of the help.
KEYS: list[BindingType] = [
    *keys("rules", ("search", "slash", "search", "Search", "Search the rules")),
    Binding("1", "follow('1')", "See also", id="rules.follow", key_display="1-9",
            tooltip="Go to the rule with that number"),
    # With priority, since the lists have these keys, too, and would scroll themselves. Space has
    # none, since it is typed in a search.
    Binding("pagedown", "read(1)", "Read on", id="rules.read-on", priority=True,
            tooltip="Scroll down the rule"),
    Binding("space", "read(1)", show=False, id="rules.read-on", tooltip="Scroll down the rule"),
    Binding("pageup", "read(-1)", show=False, id="rules.read-back", priority=True,
            tooltip="Scroll up the rule"),
    *keys(
        "rules",
        ("print", "P", "print", "Print", "Print the quick reference"),
        ("odds", "O", "app.odds", "Odds", "Show the odds of every weapon against every target"),
        ("back", "escape", "back", "Back", "Back to where you were"),
        ("close", "f1", "dismiss", "", "Close the rules"),
        ("to-links", "right", "links", "", "Go to See also"),
        ("to-contents", "left", "contents", "", "Back to the contents"),
        ("switch", "tab", "switch", "", "To See also and back"),
        ("next-found", "down", "choose(1)", "", "Next result"),
        ("found-before", "up", "choose(-1)", "", "Previous result"),
    ),
    *signs("rules", digits[2:], "follow"),  # 1 is above, with the label for all of them
    *signs("rules", ascii_lowercase, "letter"),
]  # fmt: skip
"""Lower-case letters select titles, digits open the rules under See also."""


class ReferenceScreen(Screen[None]):
    """The rules at ``paragraph`` (see ``Reference.named``), else at the beginning."""

    CSS_PATH = "reference_screen.tcss"
    TOPIC: ClassVar[str] = "rules"
    FAILURE = "The rules are not available"
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
        self._shown_id = next(iter(self._reference.paragraphs))
        """The id of the rule that is read."""
        rule = self._reference.named(paragraph)
        if rule is not None:
            self._shown_id = rule.id
        self._ids_before: list[str] = []
        """The rules that Esc goes back to, the one read last at the end."""
        self._search_begun_at: str | None = None
        """The id of the rule that was read when the search began; None while no search is open."""

    @property
    def paragraph(self) -> str:
        return self._shown_id

    @property
    def is_writing(self) -> bool:
        """Whether letters are part of a search; the footer leaves out their keys."""
        return self._search_begun_at is not None

    # ------------------------------------------------------------------ on the screen

    def compose(self) -> ComposeResult:
        yield Static("RULES OF WWII PLASTIC SKIRMISH", id="heading", classes="title", markup=False)
        with Horizontal():
            with Vertical(id="left"):
                yield Input(
                    id="search", max_length=LONGEST_SEARCH, compact=True, placeholder="search"
                )
                yield LineList(id="contents")
            with VerticalScroll(id="page", can_focus=False):
                yield Static(id="text", markup=False)
                yield Static("SEE ALSO", id="see-also", markup=False)
                yield OptionList(id="see", markup=False)
        yield Foot()

    def on_mount(self) -> None:
        self._list_all()
        self._contents.focus()
        self._show()
        self.call_after_refresh(self._paint)

    def on_resize(self) -> None:
        self.call_after_refresh(self._paint)

    def settings_changed(self) -> None:
        self.call_after_refresh(self._paint)

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        if event.option_list is not self._contents:
            return
        chosen = event.option_id
        if chosen and chosen != self._shown_id:
            self._shown_id = chosen
            self._show()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if event.option_list is self._links:
            self._follow(event.option_id or "")
        else:
            self.action_links()

    def on_input_changed(self, event: Input.Changed) -> None:
        if self._search_begun_at is None:
            return
        if event.value.strip():
            self._list_results(event.value)
        else:
            # Without words the rule shows again at which the search began.
            self._shown_id = self._search_begun_at
            self._list_all()
            self._show()

    def on_input_submitted(self) -> None:
        self._end_search()

    # ------------------------------------------------------------------ what keys do

    def action_search(self) -> None:
        if self._search_begun_at is None:
            self._search_begun_at = self._shown_id
        search_field = self.query_one(Input)
        search_field.display = True
        search_field.clear()
        search_field.focus()

    def action_choose(self, step: int) -> None:
        """Choose the next result of a search, or the one before. Without a search the list itself
        takes the arrow keys."""
        if self._search_begun_at is None:
            return
        if step > 0:
            self._contents.action_cursor_down()
        else:
            self._contents.action_cursor_up()

    def action_letter(self, letter: str) -> None:
        """Go to the next rule whose title begins with that letter; after the last rule the first
        one follows."""
        rules = list(self._reference.paragraphs.values())
        next_index = list(self._reference.paragraphs).index(self._shown_id) + 1
        for rule in (*rules[next_index:], *rules[:next_index]):
            if rule.title.casefold().startswith(letter):
                self._point_at(rule.id)
                return

    def action_links(self) -> None:
        if self._search_begun_at is not None:
            self._end_search()
        elif self._links.option_count:
            self._links.highlighted = 0
            self._links.focus()

    def action_contents(self) -> None:
        if self.focused is self._links:
            self._contents.focus()

    def action_switch(self) -> None:
        if self.focused is self._links:
            self.action_contents()
        else:
            self.action_links()

    def action_follow(self, digit: str) -> None:
        number = int(digit)
        if number <= self._links.option_count:
            self._follow(self._links.get_option_at_index(number - 1).id or "")

    def action_read(self, step: int) -> None:
        page = self.query_one("#page", VerticalScroll)
        rows = max(page.size.height - ROWS_KEPT, 1)
        page.scroll_relative(y=step * rows, animate=False)

    def action_print(self) -> None:
        from skirmish.app.printing import print_document

        self.run_worker(print_document(self.skirmish, "reference"), group="print")

    def action_back(self) -> None:
        """Close the search that is open, else go back from See also to the list, else to the rule
        read before, else close the screen."""
        if self._search_begun_at is not None:
            self._shown_id = self._search_begun_at
            self._close_search()
        elif self.focused is self._links:
            self._contents.focus()
        elif self._ids_before:
            self._open(self._ids_before.pop())
        else:
            self.dismiss()

    # ------------------------------------------------------------------ from rule to rule

    @property
    def _contents(self) -> LineList:
        return self.query_one(LineList)

    @property
    def _links(self) -> OptionList:
        return self.query_one("#see", OptionList)

    def _follow(self, paragraph: str) -> None:
        """Follow a reference; Esc comes back from it."""
        if paragraph in self._reference.paragraphs:
            self._ids_before.append(self._shown_id)
            self._open(paragraph)
            self._contents.focus()

    def _open(self, paragraph: str) -> None:
        """Show a rule and point at it. In this order: pointing at another rule than the one shown
        would paint it a second time, when the list reports that its cursor has moved."""
        self._shown_id = paragraph
        self._point_at(paragraph)
        self._show()

    def _end_search(self) -> None:
        """Read the rule that was found; Esc comes back to the one at which the search began."""
        if not self._contents.option_count:
            return
        if self._search_begun_at is not None and self._search_begun_at != self._shown_id:
            self._ids_before.append(self._search_begun_at)
        self._close_search()

    def _close_search(self) -> None:
        """Show the contents again, at the rule that is read."""
        self._search_begun_at = None
        self.query_one(Input).display = False
        self._list_all()
        self._show()
        self._contents.focus()

    def _point_at(self, paragraph: str) -> None:
        """Move the cursor of the contents to a rule. If another one is shown, the list reports that
        its cursor has moved, and this rule is shown instead."""
        self._contents.highlighted = self._contents.get_option_index(paragraph)

    # ------------------------------------------------------------------ painting

    def _list_all(self) -> None:
        """List every rule under its chapter."""
        groups: list[LineGroup] = []
        for chapter, rules in self._reference.chapters().items():
            heading = Content.styled(chapter.upper(), "bold $primary")
            groups.append(LineGroup(heading, _title_lines(rules)))
        self._contents.show(groups)
        self._point_at(self._shown_id)

    def _list_results(self, query: str) -> None:
        """List the rules with these words and open the first; where there are none, name rules with
        similar words."""
        rules = self._reference.search(query)
        self._contents.show([LineGroup(None, _title_lines(rules))])
        if rules:
            self._open(rules[0].id)
            return
        widest_search = 2 * LONGEST_SEARCH  # a character may be two columns wide
        text = f"No rule contains “{shortened(query, widest_search)}”."
        similar = [rule.title for rule in self._reference.similar(query)]
        if similar:
            text += f"\n\nDid you mean: {', '.join(similar)}?"
        self.query_one("#text", Static).update(Content(text))
        self._list_links(())

    def _show(self) -> None:
        """Show the rule that is read from its beginning."""
        self._paint()
        self.query_one("#page", VerticalScroll).scroll_home(animate=False)

    def _paint(self) -> None:
        """Show the rule that is read, with its rulings in force and its references."""
        rule = self._reference.paragraphs[self._shown_id]
        self.query_one("#text", Static).update(self._painted_rule(rule))
        self._list_links(tuple(self._reference.paragraphs[name] for name in rule.see))

    def _painted_rule(self, rule: RuleParagraph) -> Content:
        """The title of a rule, its chapter and its text, with the rulings in force."""
        in_force = in_force_on(self.app.screen_stack, self.skirmish.settings)
        answers = library.rulings().defaults() | dict(in_force.answers)
        terms = ChartTerms(library.catalog(), answers)
        page = self._reference.page(rule, terms, in_force.scenario, in_force.origin)
        in_players_unit = mapped(page, self.skirmish.measured)
        text = painted(in_players_unit, self._columns_of_rule)
        return Content.assemble((page.title, KEY), "\n", (rule.chapter, DIM), "\n\n", text)

    @property
    def _columns_of_rule(self) -> int:
        """The columns of the text; one more stays free at the right edge of the page."""
        width = self.query_one("#page", VerticalScroll).scrollable_content_region.width
        if width == 0:  # before the first layout
            width = NARROWEST_RULE
        return min(width, WIDEST_RULE) - 1

    def _list_links(self, links: tuple[RuleParagraph, ...]) -> None:
        """List the references of a rule with their digits; without any there is no list."""
        self.query_one("#see-also").display = bool(links)
        self._links.display = bool(links)
        options = []
        for digit, rule in enumerate(links, 1):
            text = Content.assemble((f"{digit} ", "$accent bold"), rule.title)
            options.append(Option(text, id=rule.id))
        self._links.set_options(options)


def _title_lines(rules: Iterable[RuleParagraph]) -> dict[str, Content]:
    """The lines of rules in the contents, by their ids."""
    return {rule.id: Content(f"  {rule.title}") for rule in rules}
