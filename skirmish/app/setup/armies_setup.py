"""The basic game before it begins: two armies, and who places and moves first."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from skirmish import library, shelf
from skirmish.app.setup.chosen import Seed
from skirmish.app.setup.lines import Line, Pick
from skirmish.app.setup.parts import FORCES, option_lines, side_lines
from skirmish.app.setup.screen import SetupScreen
from skirmish.app.setup.usual import LEDGER, rulings_liked
from skirmish.games.plastic.army_file import from_body
from skirmish.games.plastic.battle.opening import from_armies
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.rules.breaches import is_legal
from skirmish.store.settings import Settings
from skirmish.tabletop.reading import DataError
from skirmish.tabletop.typed import plain

WHO_IS_FIRST = (
    ("lots", "draw for it"),
    ("first", "the first army"),
    ("second", "the second army"),
)


class ArmiesSetup(SetupScreen):
    """Two armies of those that are kept; the same one twice is allowed."""

    ABOUT = "setting-up"

    def __init__(self, liked: Settings | None = None) -> None:
        super().__init__(liked)
        self._armies: dict[str, Army] = {}

    @property
    def heading(self) -> str:
        """The basic game."""
        return "THE BASIC GAME: TWO ARMIES"

    async def options(self) -> list[Line]:
        """Which armies, who is first; then what every battle has."""
        await self._read_armies()
        if not self._armies:
            return []
        choices = [(name, _army_words(army)) for name, army in self._armies.items()]
        second = min(1, len(choices) - 1)
        first_by = {
            "lots": "The higher draw places terrain first. The higher of a second draw chooses an "
            "edge, sets up first and moves first. Ties are drawn again.",
            "first": "It has set up first.",
            "second": "It has set up first.",
        }
        lines: list[Line] = [
            Pick(id="first", label="First army", topic=FORCES, values=choices),
            Pick(
                id="second",
                label="Second army",
                topic=FORCES,
                values=choices,
                at=second,
                proposed=second,
            ),
            Pick(
                id="who",
                label="Sets up and moves first",
                topic=FORCES,
                values=WHO_IS_FIRST,
                explained=first_by,
            ),
        ]
        for side, called in (("first", "First army"), ("second", "Second army")):
            lines += side_lines(side, called, library.catalog(), self.liked, as_army=True)
        return [*lines, *option_lines("the default rules")]

    def usual_rulings(self) -> Mapping[str, str]:
        """The book's, on top the player's, and those that the armies were built with. Where these
        disagree, what would hold without them if one of them has it, else the first army's."""
        book = library.rulings()
        usual = book.defaults() | rulings_liked(self.liked, book)
        for ruling, answers in self._built_with().items():
            if usual[ruling] not in answers:
                usual[ruling] = answers[0]
        return usual

    def apart(self) -> Mapping[str, str]:
        """What the two lists disagree about."""
        book = library.rulings().rulings
        one, other = (_name(army) for army in self._both())
        return {
            ruling: f'Choose one: {one} was built with "{book[ruling].answers[answers[0]]}", '
            f'{other} with "{book[ruling].answers[answers[1]]}"'
            for ruling, answers in self._built_with().items()
            if len(set(answers)) > 1
        }

    def notice(self) -> str:
        """That there is something to settle."""
        titles = [library.rulings().rulings[ruling].title.lower() for ruling in self.apart()]
        if not titles:
            return ""
        return (
            f"The armies were built with different rulings: {', '.join(titles)}. The answers "
            "below hold for both armies."
        )

    def _both(self) -> tuple[Army, Army]:
        return self._armies[self.value("first")], self._armies[self.value("second")]

    def _built_with(self) -> dict[str, list[str]]:
        """The rulings of either list with the answers, the first army's in front."""
        lists = [army.listed.rulings for army in self._both()]
        return {
            ruling: [answers[ruling] for answers in lists if ruling in answers]
            for ruling in {**lists[0], **lists[1]}
        }

    def setup(self, seed: Seed) -> Setup:
        """The basic game between the two, whoever moves first in front. Raises ValueError (a
        sentence) too where lots should be drawn by a side that only keeps losses here."""
        order = ("second", "first") if self.value("who") == "second" else ("first", "second")
        one, other = (self._armies[self.value(place)] for place in order)
        lots = self.value("who") == "lots"
        if lots and any(self.value(f"draws:{place}") == LEDGER for place in order):
            raise ValueError(
                "If only losses are recorded, the program cannot draw for it: draw at the table, "
                "then choose above who sets up and moves first."
            )
        seeds = _two_of(seed)
        chosen = self.chosen(dict(zip(("first", "second"), order, strict=True)))
        usual = self.usual_rulings()
        settled = {ruling: usual[ruling] for ruling in self.apart()}
        return from_armies(
            one,
            other,
            library.rulings(),
            sources=(self.source(order[0], seeds), self.source(order[1], seeds)),
            chosen=replace(chosen, rulings=settled | dict(chosen.rulings)),
            lots=lots,
            revision=shelf.revision(),
        )

    def refreshed(self, setup: Setup) -> None:
        """Say which force quality each army has by its list."""
        for line in self.lines:
            place = line.id.removeprefix("quality:")
            if isinstance(line, Pick) and place != line.id:
                quality = self._armies[self.value(place)].listed.quality
                words = library.catalog().qualities[quality].name if quality else "none"
                line.values = [("", f"as in the army list: {words}"), *line.values[1:]]

    async def _read_armies(self) -> None:
        """The armies that can be read; players are told about the others, or that there is none."""
        from skirmish.store.errors import StoreError

        try:
            records = await self.skirmish.stored(lambda store: store.armies())
        except StoreError as error:
            await self.skirmish.tell("The armies cannot be read", str(error))
            return
        catalog, book = library.catalog(), library.rulings()
        for record in records:
            try:
                army = from_body(record.body, catalog, book, record.name)
            except DataError as error:
                self.notify(f"{error} The army is left out.", markup=False, severity="warning")
                continue
            self._armies[str(record.id)] = army
        if not self._armies:
            await self.skirmish.tell(
                "No armies yet",
                "Build one first, or start from a template: choose Armies on the home screen.",
            )


def _two_of(seed: Seed) -> Seed:
    """Seeds that differ: two decks in the same order would tie for ever over who is first."""
    given: list[int] = []

    def another() -> int:
        one = seed()
        while one in given:
            one += 1
        given.append(one)
        return one

    return another


def _name(army: Army) -> str:
    return plain(army.listed.name)


def _army_words(army: Army) -> str:
    legal = "" if is_legal(army) else ", NOT LEGAL"
    return f"{_name(army)} ({army.spent} of {army.budget}{legal})"
