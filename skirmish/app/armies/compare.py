"""Two armies side by side."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType

from skirmish.app.armies.session import owned_figures
from skirmish.app.binding import keys
from skirmish.app.play.pages import PageScreen
from skirmish.games.plastic.army_page import compared
from skirmish.games.plastic.rules.army import Army


class ArmyCompareScreen(PageScreen):
    """One army on the left, the other on the right; between them who has more, and how many."""

    TOPIC: ClassVar[str] = "compare"
    EXTRA = "The comparison is"
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

    def __init__(self, one: Army, other: Army) -> None:
        self._armies = (one, other)
        self._differences = False
        self._owned: dict[str, int] = {}
        super().__init__(
            lambda: compared(*self._armies, only_differences=self._differences, owned=self._owned)
        )

    def on_mount(self) -> None:
        """Both armies at once; what is owned comes behind."""
        self.run_worker(self._look())

    def action_differences(self) -> None:
        """Only what differs, or everything."""
        self._differences = not self._differences
        self.show_anew()

    def action_swap(self) -> None:
        """Change the two places."""
        self._armies = (self._armies[1], self._armies[0])
        self.show_anew()

    def action_print(self) -> None:
        """Both rosters."""
        self.run_worker(self._print())

    async def _print(self) -> None:
        from skirmish.app.printing import print_plastic

        for army in self._armies:
            await print_plastic(self.skirmish, "roster", army)

    async def _look(self) -> None:
        """What is owned; without it one line is not there."""
        self._owned = await owned_figures(self.skirmish.stored)
        self.show_anew()
