"""What a new army starts from: a template, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import groupby
from pathlib import Path, PurePath
from typing import ClassVar

from msgspec.structs import replace
from textual.binding import BindingType
from textual.content import Content

from skirmish import library
from skirmish.app.armies.terms import term_entry, with_typed_value
from skirmish.app.binding import keys
from skirmish.app.line_list import LineGroup, LineList, LineScreen
from skirmish.app.page_view import painted
from skirmish.app.text_styles import DIM, STRONG
from skirmish.games.plastic.army_file import renamed
from skirmish.games.plastic.army_page import army_page
from skirmish.games.plastic.rules.army import Army, ArmyList, muster
from skirmish.tabletop.page import Page, Paragraph
from skirmish.tabletop.typed import plain

FROM_NOTHING = "empty"
"""The id of the line of the empty army; those of templates are numbers."""
TEMPLATES_WIDTH = 44
"""Columns of the list of templates with its edges."""
EMPTY_ARMY_PAGE = Page(
    "", (Paragraph("An empty army. Choose its points and nation, then buy what you like."),)
)


class TemplateList(LineList):
    """The lines of what an army can start from, with Enter under its own name in the footer."""

    BINDINGS: ClassVar[list[BindingType]] = keys(
        "templates", ("take", "enter", "select", "Choose", "Start from this army")
    )


class NewArmyScreen(LineScreen):
    """Choose what a new army starts from; calls ``begin`` with the army. ``used_names`` are those
    of the saved armies; an army from scratch gets the player's ``liked`` rulings."""

    CSS_PATH: ClassVar[list[str | PurePath]] = [
        *LineScreen.CSS_PATH,
        Path(__file__).with_name("new_army.tcss"),
    ]
    heading = Content.assemble(
        "NEW ARMY   ", ("Start from a template, or from nothing.", f"not bold {DIM}")
    )
    TOPIC: ClassVar[str] = "templates"
    HELP = (
        "Choose with the arrows and press Enter. A template becomes an army of your own: change "
        "what you like, the template stays as it is."
    )
    LIST_WIDGET = TemplateList
    HAS_DETAILS = False
    """``new_army.tcss`` has them beside the list on any screen, not only on a large one."""
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "templates",
        ("back", "escape", "app.pop_screen", "Armies", "Back to the armies without a new one"),
    )

    def __init__(
        self,
        used_names: Collection[str],
        liked: Mapping[str, str],
        begin: Callable[[Army], object],
    ) -> None:
        super().__init__()
        self._used_names, self._begin = used_names, begin
        self._armies = {str(number): army for number, army in enumerate(library.templates())}
        """What a new army can start from, by the ids of the lines."""
        self._armies[FROM_NOTHING] = empty_army(liked)

    def groups(self) -> Iterator[LineGroup]:
        yield LineGroup(None, {FROM_NOTHING: Content.styled("Empty: build it yourself", STRONG)})
        templates = [id for id in self._armies if id != FROM_NOTHING]
        # Templates stand by nation in their file.
        for nation, ids in groupby(templates, key=self._nation_of):
            lines = {}
            for id in ids:
                army_list = self._armies[id].army_list
                lines[id] = Content(f"  {plain(army_list.name):<25}{army_list.points:>4}")
            yield LineGroup(Content.styled(nation.upper(), DIM), lines)

    def _nation_of(self, id: str) -> str:
        """The heading under which a template stands."""
        nation = self._armies[id].nation
        if nation is None:
            return "Any nation"
        return nation.name

    def meaning(self, id: str) -> Content:
        width = self.app.size.width - TEMPLATES_WIDTH
        if id == FROM_NOTHING:
            return painted(EMPTY_ARMY_PAGE, width)
        page = army_page(self._armies[id], library.rulings(), prices=False)
        return Content.styled(f"{page.title}\n\n", STRONG) + painted(page, width)

    def on_option_list_option_selected(self) -> None:
        template = self._armies[self.chosen]
        army = replace(template, army_list=renamed(template.army_list, self._used_names))

        def begin_with(name: str | None) -> None:
            """Begin with that name; None: the player has left the question for a name."""
            if name is not None:
                self.app.pop_screen()
                self._begin(replace(army, army_list=with_typed_value(army, "name", name)))

        # On top of this screen, so that the letters of a name typed ahead are no commands here.
        self.app.push_screen(term_entry(army, "name", title="New army"), begin_with)


def empty_army(liked: Mapping[str, str]) -> Army:
    """An empty army of the basic game, under those ``liked`` rulings that concern armies."""
    catalog, book = library.catalog(), library.rulings()
    rulings = {}
    for id, answer in book.liked(liked).items():
        if book.rulings[id].topic == "army":
            rulings[id] = answer
    army_list = ArmyList(name="New army", points=catalog.basic_game.points, rulings=rulings)
    return muster(army_list, catalog, book)
