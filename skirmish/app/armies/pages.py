"""Pages about armies, with keys: two side by side, and what units are worth."""

from __future__ import annotations

from functools import cached_property
from typing import ClassVar

from msgspec.structs import replace
from textual.binding import BindingType

from skirmish.app.armies.editing import owned_figures
from skirmish.app.binding import keys
from skirmish.app.page_screen import PageScreen
from skirmish.app.reference.rulings import InForce
from skirmish.games.plastic.army_page import compared
from skirmish.games.plastic.odds.worth import WorthTable, worth, worth_page
from skirmish.games.plastic.rules.army import Army
from skirmish.tabletop.page import Page, mapped


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
        self.run_worker(self._look())

    def action_differences(self) -> None:
        self._differences = not self._differences
        self.show_anew()

    def action_swap(self) -> None:
        self._armies = (self._armies[1], self._armies[0])
        self.show_anew()

    def action_print(self) -> None:
        self.run_worker(self._print())

    async def _print(self) -> None:
        from skirmish.app.printing import print_plastic

        for army in self._armies:
            await print_plastic(self.skirmish, "roster", army)

    async def _look(self) -> None:
        self._owned = await owned_figures(self.skirmish.stored)
        self.show_anew()


class WorthScreen(PageScreen):
    """Every unit against guys, soft models and armor, band by band."""

    TOPIC: ClassVar[str] = "worth"
    EXTRA = "These figures are"
    HELP = (
        "Points killed on average for each point of the unit's price, at each distance. 0 is "
        "in contact. The army's own units are marked. The nation's prices and the army's rulings "
        "count. The arrows scroll."
    )
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "worth", ("own", "a", "own", "Only ours", "Show only this army's units, or all")
    )
    paragraph = "worth"

    def __init__(self, army: Army) -> None:
        super().__init__(self._made)
        self._army = army
        self._only_own = False

    @cached_property
    def _worth(self) -> WorthTable:
        return worth(self._army.catalog, self._army.rulings, self._army.nation)

    @property
    def in_force(self) -> InForce:
        return InForce(answers=self._army.rulings, whose="as in this army")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        own = self._army.fielded()
        fires = any(line.unit.id in own for line in self._worth.lines)
        return True if action != "own" or fires else None

    def action_own(self) -> None:
        self._only_own = not self._only_own
        self.show_anew()

    def _made(self) -> Page:
        own, found = self._army.fielded(), self._worth
        if self._only_own:
            found = replace(found, lines=[one for one in found.lines if one.unit.id in own])
        return mapped(worth_page(found, own), self.skirmish.measured)
