"""A game of Beach Head before it begins: Enter begins it as it stands."""

from __future__ import annotations

from dataclasses import replace as replaced
from typing import ClassVar

from msgspec.structs import replace
from textual.binding import BindingType

from skirmish import library, shelf
from skirmish.app.beach.setup_lines import follow, setup_lines, setup_of, sum_up
from skirmish.app.setup.chosen import Seed
from skirmish.app.setup.line_screen import LEAVE, LineScreen
from skirmish.app.setup.lines import Line, Secret, Typed
from skirmish.app.text_entry import TextEntry
from skirmish.games.beach_head.setup import Setup
from skirmish.store.errors import StoreError


class BeachSetup(LineScreen):
    """Beach, reading, dice, cards, player."""

    CSS_PATH = "../setup/setup.tcss"
    BEGINS = "LAND"
    HELP = (
        "Enter on the first line begins the game. On any other line Enter or the right arrow "
        "changes, opens or edits it; the left arrow goes back. • marks what is not the default. "
        "“One by one” holds the gaps in the rules, each with its possible rulings."
    )
    BINDINGS: ClassVar[list[BindingType]] = [replaced(LEAVE, key_display="Esc")]

    @property
    def heading(self) -> str:
        """The game."""
        return "BEACH HEAD"

    async def options(self) -> list[Line]:
        """Every line as proposed."""
        return setup_lines(library.beach_readings())

    def look_again(self) -> None:
        """The fold says what is inside; nothing here can stand in the way."""
        sum_up(self.lines)

    def turned(self, line: Line, step: int, before: str) -> None:
        """Reading and switches follow one another."""
        follow(line, self.lines, library.beach_readings(), step)

    def open_rules(self) -> None:
        """The rules of this game, as they are set up."""
        from skirmish.app.beach.rules_screen import BeachRules

        self.app.push_screen(BeachRules(self._setup(lambda: 1)))

    async def write(self, line: Typed | Secret) -> None:
        """The player's name."""
        assert isinstance(line, Typed)
        entry = TextEntry(line.label, line.question, line.text, line.read)
        written = await self.app.push_screen_wait(entry)
        if written is not None:
            line.text = written.strip()
            self.look_again()
            self.list_lines(line.id)

    async def begin(self) -> None:
        """Keep the game, then show it over the rooms this was reached from."""
        from skirmish.app.beach.kept import KeptBeach
        from skirmish.app.beach.screen import BeachScreen

        try:
            kept = await KeptBeach.begun(self.skirmish.stored, self._setup(self.skirmish.seed))
        except StoreError as error:
            await self.skirmish.tell("The game could not be saved", str(error))
            return
        app = self.app  # this screen, whose worker this is, cannot wait for its own end
        app.pop_screen()
        await app.push_screen(BeachScreen(kept))

    def _setup(self, seed: Seed) -> Setup:
        setup = setup_of(self.lines, library.beach_manual(), library.beach_readings(), seed)
        return replace(setup, revision=shelf.revision("beach_head"))
