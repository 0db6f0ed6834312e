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
BESIDE_DETAILS = 44
"""Columns of the screen that are not for the army beside the list: the 38 of the list, as in
``new_army.tcss``, and those of edges."""
NAME_COLUMNS, POINTS_COLUMNS = 25, 4
"""The columns of a template's name and of its points."""
EMPTY_ARMY_PAGE = Page(
    "", (Paragraph("An empty army. Choose its points and nation, then buy what you like."),)
)


class TemplateList(LineList):
    """The lines of what an army can start from; Enter is ``Choose`` at the foot of the screen."""

    BINDINGS: ClassVar[list[BindingType]] = keys(
        "templates", ("take", "enter", "select", "Choose", "Start from this army")
    )


class NewArmyScreen(LineScreen):
    """Choose what a new army starts from; calls ``begin`` with the army. ``used_names`` are those
    of the saved armies. An army from scratch gets those of the ``preferred_rulings`` that are about
    armies: answers that the player prefers to the defaults, by the ids of the rulings."""

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
    """``meaning`` says all there is to say: ``new_army.tcss`` puts it beside the list."""
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "templates",
        ("back", "escape", "app.pop_screen", "Armies", "Back to the armies without a new one"),
    )

    def __init__(
        self,
        used_names: Collection[str],
        preferred_rulings: Mapping[str, str],
        begin: Callable[[Army], object],
    ) -> None:
        super().__init__()
        self._used_names, self._begin = used_names, begin
        self._armies = {str(number): army for number, army in enumerate(library.templates())}
        """What a new army can start from, by the ids of the lines."""
        self._armies[FROM_NOTHING] = empty_army(preferred_rulings)

    def groups(self) -> Iterator[LineGroup]:
        yield LineGroup(None, {FROM_NOTHING: Content.styled("Empty: build it yourself", STRONG)})
        templates = [id for id in self._armies if id != FROM_NOTHING]
        # Templates stand by nation in their file.
        for nation, ids in groupby(templates, key=self._nation_of):
            lines = {}
            for id in ids:
                army_list = self._armies[id].army_list
                name = f"{plain(army_list.name):<{NAME_COLUMNS}}"
                lines[id] = Content(f"  {name}{army_list.points:>{POINTS_COLUMNS}}")
            yield LineGroup(Content.styled(nation.upper(), DIM), lines)

    def _nation_of(self, id: str) -> str:
        """The heading under which a template stands."""
        nation = self._armies[id].nation
        if nation is None:
            return "Any nation"
        return nation.name

    def meaning(self, id: str) -> Content:
        """The whole army as a page."""
        width = self.app.size.width - BESIDE_DETAILS
        if id == FROM_NOTHING:
            return painted(EMPTY_ARMY_PAGE, width)
        page = army_page(self._armies[id], library.rulings(), with_prices=False)
        return Content.styled(f"{page.title}\n\n", STRONG) + painted(page, width)

    def on_option_list_option_selected(self) -> None:
        """Propose a name that no saved army has, ask for the name, then begin the new army."""
        chosen = self._armies[self.chosen]
        army = replace(chosen, army_list=renamed(chosen.army_list, self._used_names))

        def begin_with(name: str | None) -> None:
            """Begin with that name; None: the player has left the question for a name."""
            if name is None:
                return
            self.app.pop_screen()
            named_list = with_typed_value(army, "name", name)
            self._begin(replace(army, army_list=named_list))

        # On top of this screen, so that the letters of a name typed ahead are no commands here.
        self.app.push_screen(term_entry(army, "name", title="New army"), begin_with)


def empty_army(preferred_rulings: Mapping[str, str]) -> Army:
    """An empty army of the basic game, with the preferred answers to rulings about armies."""
    catalog, book = library.catalog(), library.rulings()
    answers = {}
    for ruling_id, answer in book.preferred_answers(preferred_rulings).items():
        if book.rulings[ruling_id].topic == "army":
            answers[ruling_id] = answer
    army_list = ArmyList(name="New army", points=catalog.basic_game.points, rulings=answers)
    return muster(army_list, catalog, book)
