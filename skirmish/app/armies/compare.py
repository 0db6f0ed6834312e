"""Two armies side by side."""

from __future__ import annotations

from typing import ClassVar

from textual import work
from textual.binding import BindingType

from skirmish.app.armies import owned_figures
from skirmish.app.binding import keys
from skirmish.app.page_screen import PageScreen
from skirmish.games.plastic.army_page import compared
from skirmish.games.plastic.rules.army import Army
from skirmish.tabletop.page import Page


class ArmyCompareScreen(PageScreen):
    """Two armies side by side: what they have, what they can do, what is different."""

    TOPIC: ClassVar[str] = "compare"
    FAILURE = "The comparison is not available"
    HELP = (
        "◂ 4: the left army has 4 more. 4 ▸: the right army has 4 more. Counts include free men; "
        "points are those paid. The arrows scroll."
    )
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "compare",
        ("differences", "d", "differences", "Differences",
         "Show only the differences, or everything"),
        ("swap", "x", "swap", "Swap", "Swap left and right"),
        ("print", "p", "print", "Print", "Print both rosters"),
    )  # fmt: skip

    def __init__(self, left: Army, right: Army) -> None:
        super().__init__(self._comparison)
        self._left, self._right = left, right
        self._only_differences = False
        self._owned: dict[str, int] = {}
        """The figures that the player owns; empty until they are read."""

    def _comparison(self) -> Page:
        """The page, which is made anew whenever it is shown."""
        return compared(
            self._left, self._right, only_differences=self._only_differences, owned=self._owned
        )

    def on_mount(self) -> None:
        self._read_owned()

    @work
    async def _read_owned(self) -> None:
        self._owned = await owned_figures(self.skirmish.stored)
        self.show_anew()

    def action_differences(self) -> None:
        self._only_differences = not self._only_differences
        self.show_anew()

    def action_swap(self) -> None:
        self._left, self._right = self._right, self._left
        self.show_anew()

    @work
    async def action_print(self) -> None:
        """Print the rosters of both, one after the other."""
        from skirmish.app.printing import print_document

        for army in (self._left, self._right):
            await print_document(self.skirmish, "roster", army)
