"""The options of the basic game between two armies."""

from __future__ import annotations

from skirmish import library, shelf
from skirmish.app.setup_screen import SOURCES, Line, SetupScreen
from skirmish.games.plastic.army_file import from_body
from skirmish.games.plastic.battle.opening import from_armies
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.rules.breaches import is_legal
from skirmish.tabletop.reading import DataError


class ArmiesSetup(SetupScreen):
    """Two armies of those that are kept; the same one twice is allowed."""

    def __init__(self) -> None:
        super().__init__()
        self._armies: dict[str, Army] = {}

    @property
    def heading(self) -> str:
        """The basic game."""
        return "THE BASIC GAME: TWO ARMIES"

    async def options(self) -> list[Line]:
        """Which armies, who moves first, sources."""
        from skirmish.store.errors import StoreError

        try:
            records = await self.skirmish.stored(lambda store: store.armies())
        except StoreError as error:
            await self.skirmish.tell("The armies cannot be read", str(error))
            return []
        catalog, book = library.catalog(), library.rulings()
        for record in records:
            try:
                army = from_body(record.body, catalog, book, record.name)
            except DataError as error:
                self.notify(f"{error} It is left out.", markup=False, severity="warning")
                continue
            self._armies[str(record.id)] = army
        if not self._armies:
            await self.skirmish.tell(
                "No army yet",
                "Build one first: Esc, Esc, then a for the armies and n for a new one.",
            )
            return []
        choices = [(name, _army_words(army)) for name, army in self._armies.items()]
        return [
            Line("first", "Places and moves first", choices),
            Line("second", "Moves second", choices, min(1, len(choices) - 1)),
            Line("source:first", "First army: chance", SOURCES),
            Line("source:second", "Second army: chance", SOURCES),
        ]

    def setup(self) -> Setup:
        """The basic game between the two."""
        return from_armies(
            self._armies[self.value("first")],
            self._armies[self.value("second")],
            library.rulings(),
            sources=(self.source("source:first"), self.source("source:second")),
            answers=self.answers(),
            revision=shelf.revision(),
        )


def _army_words(army: Army) -> str:
    legal = "" if is_legal(army) else ", NOT LEGAL"
    return f"{army.listed.name} ({army.spent} of {army.budget}{legal})"
