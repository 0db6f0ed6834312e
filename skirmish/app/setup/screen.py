"""A battle before it begins: forces, sides, optional rules, rulings; short unless unfolded."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import ClassVar

from textual.binding import Binding, BindingType

from skirmish import library
from skirmish.app.setup import parts
from skirmish.app.setup.chosen import Seed, chosen_of, source_of
from skirmish.app.setup.line_screen import LEAVE, LineScreen
from skirmish.app.setup.lines import Line, Pick, Secret, Typed
from skirmish.app.setup.rulings import ruling_lines
from skirmish.app.setup.usual import rulings_liked
from skirmish.app.setup.ways_out import begin
from skirmish.app.windows import TextEntry
from skirmish.games.plastic.battle.book import LONGEST_NOTE
from skirmish.games.plastic.battle.concerning import concerning, footnoted
from skirmish.games.plastic.battle.opening import Chosen
from skirmish.games.plastic.battle.setup import Setup
from skirmish.store.settings import Settings
from skirmish.tabletop.chance import Source


class SetupScreen(LineScreen):
    """A battle of WWII Plastic Skirmish; ``liked`` are the settings that lines are proposed by."""

    HELP = (
        "Defaults are filled in; Enter on the first line begins. "
        "Enter or the right arrow changes the chosen line, opens it or lets you write on it; the "
        "left arrow goes back; • marks what is not the default. Rulings are the places where the "
        "rules leave a choice; leave them alone if in doubt."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("l", "loads", "Loads", id="setup.loads", tooltip="Who starts aboard"),
        LEAVE,
    ]

    def __init__(self, liked: Settings | None = None) -> None:
        super().__init__()
        self.liked = liked or Settings()

    @abstractmethod
    def setup(self, seed: Seed) -> Setup:
        """The battle as the lines have it; raises ValueError (a sentence)."""

    @abstractmethod
    def usual_rulings(self) -> Mapping[str, str]:
        """What every ruling is answered with if nobody chooses here."""

    def refreshed(self, setup: Setup) -> None:
        """Let lines follow what the battle would be like now."""

    def apart(self) -> Mapping[str, str]:
        """Rulings that must be seen before it begins, each with why."""
        return {}

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """The key for loads is there where somebody can ride."""
        return action != "loads" or self.line("loads") is not None

    def action_loads(self) -> None:
        """Everybody aboard, or on foot."""
        if (line := self.line("loads")) is not None:
            self.turn(line, 1)

    # -------------------------------------------------------------- what the lines say

    def source(self, side: str, seed: Seed) -> Source:
        """What a side draws from, with a seed if the program draws."""
        return source_of(self.lines, side, seed)

    def chosen(self, sides: Mapping[str, str]) -> Chosen:
        """What the lines come to; ``sides`` are the ids of the battle with those of their lines."""
        return chosen_of(self.lines, sides, self.usual_rulings(), library.rulings())

    def look_again(self) -> None:
        """Put the battle together as it stands: what concerns it now, what stands in its way."""
        try:
            setup = self.setup(lambda: 1)
        except ValueError as error:
            self.trouble = str(error)
        else:
            self.trouble = ""
            self.refreshed(setup)
            self._ask_rulings(setup)
        parts.sum_up(self.lines)

    def _ask_rulings(self, setup: Setup) -> None:
        """Lines for the rulings that can matter now; what was chosen before stays chosen."""
        book, apart = library.rulings(), self.apart()
        before = {line.id: line for line in self.lines if line.topic == parts.RULINGS}
        kept = [line for line in self.lines if line.topic != parts.RULINGS]
        rulings = concerning(book, setup)
        rulings += [book.rulings[name] for name in apart if book.rulings[name] not in rulings]
        self.lines = kept + ruling_lines(
            rulings,
            self.usual_rulings(),
            before,
            named=footnoted(setup.scenario) if setup.scenario else (),
            liked=rulings_liked(self.liked, book),
            apart=apart,
        )

    # -------------------------------------------------------------- how it goes on

    def turned(self, line: Line, step: int, before: str) -> None:
        """Presets and switches follow one another."""
        if isinstance(line, Typed):
            try:  # a step too far is no answer
                self.setup(lambda: 1)
            except ValueError:
                line.text = before
        if isinstance(line, Pick) and line.topic == parts.RULES:
            parts.follow(line, self.lines, step)

    async def write(self, line: Typed | Secret) -> None:
        """Let a line be written on. What the game would not take is said while it can be mended."""
        if isinstance(line, Secret):
            check: Callable[[str], object] = str
            text, longest = "", LONGEST_NOTE
        else:
            check, text, longest = self._would_do(line), line.text, 400
        entry = TextEntry(line.label, line.question, text, check, longest=longest)
        written = await self.app.push_screen_wait(entry)
        if written is not None:
            line.text = written.strip()
            self.look_again()
            self.list_lines(line.id)

    def _would_do(self, line: Typed) -> Callable[[str], object]:
        def check(text: str) -> None:
            before = line.text
            line.text = text.strip()
            try:
                line.read(line.text)
                self.setup(lambda: 1)
            finally:
                line.text = before

        return check

    async def begin(self) -> None:
        """Keep the battle and fight it."""
        try:
            setup = self.setup(self.skirmish.seed)
        except ValueError as error:
            await self.skirmish.tell("This battle cannot begin", str(error))
            return
        await begin(self.skirmish, setup, self.lines)
