"""What an army begins from, and the windows for its name, points and note."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import groupby
from typing import ClassVar, Literal

from msgspec.structs import replace
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from skirmish import library
from skirmish.app.binding import keys
from skirmish.app.foot import Foot
from skirmish.app.host import Screen
from skirmish.app.line_list import Group, LineList
from skirmish.app.page_view import DIM, STRONG, painted
from skirmish.app.windows import TextEntry
from skirmish.games.plastic.army_file import LONGEST_NAME, as_table, renamed
from skirmish.games.plastic.army_page import army_page
from skirmish.games.plastic.rules.army import (
    LONGEST_NOTE,
    MOST_POINTS,
    Army,
    ArmyList,
    muster,
    read_army,
)
from skirmish.tabletop.page import Page, Paragraph
from skirmish.tabletop.reading import DataError
from skirmish.tabletop.typed import plain

Turned = Literal["nation", "quality"]
Term = Literal["name", "points", "note"]
ENTRIES: dict[Term, tuple[str, str, int, str]] = {
    "name": ("Name", "What is this army called?", LONGEST_NAME, "Give the army a name."),
    "points": ("Points", "How many points may it spend? Those for troop quality come on top.",
               len(str(MOST_POINTS)), f"Choose from 1 to {MOST_POINTS} points."),
    "note": ("Note", "What should its roster say about this army?", LONGEST_NOTE, ""),
}  # fmt: skip
"""The window in which it is written: its title, its question, the longest answer; what would be
right."""


def entry(army: Army, term: Term, title: str = "") -> TextEntry:
    """Asks for a term of the army."""
    usual, question, longest, _ = ENTRIES[term]
    now = plain(str(getattr(army.listed, term)))
    return TextEntry(
        title or usual, question, now, lambda text: written(army, term, text), longest=longest
    )


def written(army: Army, term: Term, text: str) -> ArmyList:
    """The list with what was written; raises ValueError for what cannot be."""
    if text == plain(str(getattr(army.listed, term))):
        return army.listed  # left alone, whatever signs are in it
    value = text.strip()
    number = term == "points" and value.isdecimal()
    table = as_table(army.listed) | {term: int(value) if number else value}
    try:
        return read_army(table, army.catalog, library.rulings(), "").listed
    except DataError as error:
        raise ValueError(ENTRIES[term][-1] or str(error)) from None


def turned(army: Army, field: Turned) -> ArmyList:
    catalog = army.catalog
    known = [None, *(catalog.nations if field == "nation" else catalog.qualities)]
    now = known.index(getattr(army.listed, field))
    return replace(army.listed, **{field: known[(now + 1) % len(known)]})


# ---------------------------------------------------------------------- a new army

EMPTY = "empty"
NOTHING = Page(
    "", (Paragraph("An empty army. Choose its points and nation, then buy what you like."),)
)


class NewArmyScreen(Screen[ArmyList | None]):
    """Gives the army to begin with under its own name, or None where Esc is pressed. ``taken`` are
    the names that others bear; the player's ``liked`` rulings go to an army made from nothing.

    It is named on top of this screen, so that no letter of a name typed ahead is a command.
    """

    CSS_PATH = "new_army.tcss"
    TOPIC: ClassVar[str] = "templates"
    HELP = (
        "Choose with the arrows and press Enter. A template becomes an army of your own: change "
        "what you like, the template stays as it is."
    )
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "templates",
        ("take", "enter", "take", "Choose", "Start from this army"),
        ("back", "escape", "give_up", "Armies", "Back to the armies without a new one"),
    )

    def __init__(self, taken: Collection[str] = (), liked: Mapping[str, str] | None = None) -> None:
        super().__init__()
        self._taken = taken
        self._armies = {str(number): army for number, army in enumerate(library.templates())}
        self._armies[EMPTY] = empty_army(liked or {})

    def compose(self) -> ComposeResult:
        with Horizontal(id="new-army-top"):
            yield Static("NEW ARMY   ", classes="title", markup=False)
            yield Static("Start from a template, or from nothing.", classes="quiet", markup=False)
        with Horizontal(id="new-army-columns"):
            yield LineList(id="templates", classes="lines")
            with VerticalScroll(id="new-army-right", can_focus=False):
                yield Static(id="template", markup=False)
        yield Foot()

    def on_mount(self) -> None:
        self.query_one(LineList).show(self._groups())
        self.query_one(LineList).focus()

    def _groups(self) -> Iterator[Group]:
        yield None, {EMPTY: Content.styled("Empty: build it yourself", STRONG)}
        templates = [item for item in self._armies.items() if item[0] != EMPTY]
        for nation, own in groupby(templates, key=lambda item: item[1].nation):
            lines = {
                id: Content(f"  {plain(army.listed.name):<25}{army.listed.points:>4}")
                for id, army in own
            }
            yield Content.styled(nation.name.upper() if nation else "ANY NATION", DIM), lines

    def on_option_list_option_highlighted(self) -> None:
        chosen = self.query_one(LineList).chosen
        book = library.rulings()
        page = NOTHING if chosen == EMPTY else army_page(self._armies[chosen], book, prices=False)
        right = self.query_one("#new-army-right")
        named = Content.styled(f"{page.title}\n\n" if page.title else "", STRONG)
        shown = named + painted(page, right.scrollable_content_region.width)
        self.query_one("#template", Static).update(shown)
        right.scroll_home(animate=False)

    def on_option_list_option_selected(self) -> None:
        self.action_take()

    def action_take(self) -> None:
        army = self._armies[self.query_one(LineList).chosen]
        army = replace(army, listed=renamed(army.listed, self._taken))

        def take(name: str | None) -> None:
            if name is not None:
                self.dismiss(written(army, "name", name))

        self.app.push_screen(entry(army, "name", "New army"), take)

    def action_give_up(self) -> None:
        self.dismiss(None)


def empty_army(liked: Mapping[str, str]) -> Army:
    """An army of the basic game under those of the player's ``liked`` rulings that armies go by."""
    catalog, book = library.catalog(), library.rulings()
    rulings = {
        name: answer
        for name, answer in liked.items()
        if (ruling := book.rulings.get(name))
        and ruling.topic == "army"
        and answer in ruling.answers
        and answer != ruling.default
    }
    listed = ArmyList(name="New army", points=catalog.basic_game.points, rulings=rulings)
    return muster(listed, catalog, book)
