"""What all pages of a book of scenarios share: its paper, its words, its maps, and how a page
begins that is no scenario's."""

from __future__ import annotations

from collections.abc import Sequence

from skirmish import resources
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.sheets import inks
from skirmish.sheets.layout.drawing import Canvas
from skirmish.sheets.layout.flow import Block
from skirmish.sheets.layout.pages import SheetPart
from skirmish.sheets.maps.scenario_map import SheetMap
from skirmish.sheets.paper import BINDING, Leaf
from skirmish.sheets.plastic import AUTHOR, GAME
from skirmish.sheets.scenario.content import ScenarioContent, SheetBand

BOOK_MAP_RATIO = 12.0
"""The scale of the maps in the book, 1:12: an inch of the map is a foot of the table."""
LONG_PAGE = 740.0
"""Points: a page higher than this, such as A4, has room for larger type and maps."""
TEXTS = "plastic/texts/book.toml"
"""The file with the words of the book, among the data of the program."""


class BookEdition:
    """A book of these scenarios on one size of paper. ``print_factor``: the length of anything on
    paper divided by its length as it is laid out, which is below 1 in a booklet and else 1.
    ``revision``: the edition that the footers name; None: the current one."""

    def __init__(
        self,
        contents: Sequence[ScenarioContent],
        catalog: Catalog,
        rulings: PlasticRulingBook,
        page: Leaf,
        *,
        print_factor: float,
        revision: str | None,
    ) -> None:
        self.contents = contents
        self.catalog = catalog
        self.rulings = rulings
        self.print_factor = print_factor
        self.revision = revision
        self.cover_page = page
        # On all other pages, words keep away from the back, where the pages are bound.
        self.page = page._replace(inner=BINDING)
        self.is_own = all(content.scenario.is_own for content in contents)
        """Whether all scenarios are the user's own."""
        self.texts = resources.table(TEXTS)
        """The words of the book by their names in the file."""
        if self.is_own:
            # Such a book says in other words whose scenarios it holds and who wrote them. The table
            # of texts was read for this book alone, so it may be changed.
            self.texts |= self.texts["own"]
        self.maps: list[SheetMap | None] = []
        """The map of each scenario; None if it has none."""
        for number, content in enumerate(contents, 1):
            self.maps.append(self._map(content.scenario, number))

    def _map(self, scenario: Scenario, number: int) -> SheetMap | None:
        """The map of a scenario; ``number``: its place in the book, counted from 1."""
        if not scenario.map:
            return None
        sheet_map = SheetMap(scenario, BOOK_MAP_RATIO, upright=True)
        # It stands on its page and in the contents, the last one on the cover, too. Under a name of
        # its own the file contains its drawing once.
        sheet_map.drawn_as = f"map{number}"
        sheet_map.stated_scale = self.printed_scale(sheet_map.ratio)
        return sheet_map

    def printed_scale(self, ratio: float) -> str:
        """The scale on paper of a map that is laid out at this ``ratio``, such as ``1:17``."""
        return f"1:{ratio / self.print_factor:.3g}"

    @property
    def is_reduced(self) -> bool:
        """Whether it is printed smaller than it is laid out."""
        return self.print_factor != 1

    @property
    def author(self) -> str:
        """The author of the document."""
        if self.is_own:
            return ""
        return f"{AUTHOR} (rules and scenarios)"

    @property
    def scenarios(self) -> list[Scenario]:
        """Its scenarios in their order."""
        return [content.scenario for content in self.contents]

    def part(self, story: Block, name: str) -> SheetPart:
        """A part with this name as its bookmark and at the beginning of its footer."""
        credit = f"{GAME} by {AUTHOR}"
        return SheetPart(self.page, story, name, name, credit, revision=self.revision)

    def nameless_part(self, story: Block) -> SheetPart:
        """A part without bookmark and footer."""
        part = SheetPart(self.page, story, "")
        part.has_footer = False
        return part


def head_band(title: str, aside: str = "") -> SheetBand:
    """The band of a page that is no scenario's: without the label and the number of one."""
    return _PageBand("", "", title, aside)


class _PageBand(SheetBand):
    """A title without the block for the number of a scenario."""

    BLOCK_WIDTH = 0.0

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        tall = self.height_at(width)
        with canvas.bar(x, top - tall, width, tall, inks.BAND):
            self._title(width).paint_in_middle(canvas, x + self.PAD, top, tall)
            self._paint_aside(canvas, x + width - self.PAD - self.ASIDE_WIDTH, top, tall)
