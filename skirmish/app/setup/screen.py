"""A battle before it begins: forces, sides, optional rules, rulings; short unless unfolded."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, ClassVar, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import OptionList, Static

from skirmish import library
from skirmish.app.foot import Foot
from skirmish.app.setup import parts
from skirmish.app.setup.chosen import Seed, chosen_of, line_of, source_of, value_of
from skirmish.app.setup.lines import Fold, Line, Pick, Secret, Typed
from skirmish.app.setup.painting import BEGIN, painted, told
from skirmish.app.setup.rulings import ruling_lines
from skirmish.app.setup.usual import rulings_liked
from skirmish.app.setup.ways_out import begin, may_leave
from skirmish.app.text_entry import TextEntry
from skirmish.games.plastic.battle.book import LONGEST_NOTE
from skirmish.games.plastic.battle.concerning import concerning, footnoted
from skirmish.games.plastic.battle.opening import Chosen
from skirmish.games.plastic.battle.setup import Setup
from skirmish.store.settings import Settings
from skirmish.tabletop.chance import Source

if TYPE_CHECKING:
    from skirmish.app.application import SkirmishApp


class SetupScreen(Screen[None]):
    """Lines to change, and the one that begins. ``lines`` are all of them, folded ones too;
    ``liked`` are the settings that lines are proposed by."""

    CSS_PATH = "setup.tcss"
    HELP = (
        "Everything stands as we or your settings propose it; Enter on the first line begins. "
        "Enter or the right arrow changes the chosen line, opens it or lets you write on it; the "
        "left arrow goes back; • marks what is not as proposed. Rulings are the places where the "
        "rules leave a choice; leave them alone if in doubt."
    )
    TOPIC: ClassVar[str] = "set-up"
    ABOUT: ClassVar[str]
    """The paragraph of the rules about this kind of battle."""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("b", "begin", "Begin", id="setup.begin", tooltip="Begin the battle"),
        Binding("right", "change(1)", "Change", id="setup.change", tooltip="Next value"),
        Binding(
            "left",
            "change(-1)",
            "Back",
            id="setup.change-back",
            show=False,
            tooltip="Value before",
        ),
        Binding("l", "loads", "Loads", id="setup.loads", tooltip="Who starts aboard"),
        Binding("escape", "leave", "Cancel", id="setup.leave", tooltip="Back without beginning"),
    ]

    def __init__(self, liked: Settings | None = None) -> None:
        super().__init__()
        self.liked = liked or Settings()
        self.lines: list[Line] = []
        self.trouble = ""
        self.paragraph = self.ABOUT  # the rule of the chosen line, for the reference

    @property
    def skirmish(self) -> SkirmishApp:
        """The app."""
        return cast("SkirmishApp", self.app)

    @property
    @abstractmethod
    def heading(self) -> str:
        """What is set up."""

    @abstractmethod
    async def options(self) -> list[Line]:
        """The lines, rulings left out. None: it cannot begin (said to the player)."""

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

    def notice(self) -> str:
        """What is said before it begins, beside that it can; empty if there is nothing."""
        return ""

    # -------------------------------------------------------------- on the screen

    def compose(self) -> ComposeResult:
        """Heading, lines, what the chosen line means."""
        yield Static(self.heading, classes="title", id="heading", markup=False)
        yield OptionList(id="lines", markup=False)
        with VerticalScroll(id="about-line", can_focus=False):
            yield Static(id="meaning", classes="quiet", markup=False)
        yield Foot()

    async def on_mount(self) -> None:
        """Fill the list."""
        self.lines = await self.options()
        if self.lines:
            self.look_again()
            self._list(BEGIN)

    def on_resize(self) -> None:
        """Lines are cut to the new width."""
        if self.lines:
            self._list(self._chosen())

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Change the line, write on it, or begin."""
        if event.option_id == BEGIN:
            self.action_begin()
        elif isinstance(line := self._line(event.option_id), Typed | Secret):
            self.run_worker(self._write(line), exclusive=True)
        else:
            self.action_change(1)

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Explain the line."""
        self._explain(event.option_id or "")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """The key for loads is there where somebody can ride."""
        return action != "loads" or self._line("loads") is not None

    def action_change(self, step: int) -> None:
        """Another value for the chosen line."""
        line = self._line(self._chosen())
        if isinstance(line, Secret) or (isinstance(line, Typed) and not line.stepped):
            self.run_worker(self._write(line), exclusive=True)
        elif line is not None:
            self._turn(line, step)

    def action_loads(self) -> None:
        """Everybody aboard, or on foot."""
        if (line := self._line("loads")) is not None:
            self._turn(line, 1)

    def action_leave(self) -> None:
        """Back, or first a question."""
        self.run_worker(self._leave(), exclusive=True)

    def action_begin(self) -> None:
        """Begin the battle."""
        if self.lines:
            self.run_worker(self._begin(), exclusive=True)

    # -------------------------------------------------------------- what the lines say

    def value(self, line: str) -> str:
        """The value of a line with several."""
        return value_of(self.lines, line)

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

    def _turn(self, line: Line, step: int) -> None:
        before = line.text if isinstance(line, Typed) else ""
        if not line.turn(step):
            return
        if isinstance(line, Typed):
            try:  # a step too far is no answer
                self.setup(lambda: 1)
            except ValueError:
                line.text = before
        if isinstance(line, Pick) and line.topic == parts.RULES:
            parts.follow(line, self.lines, step)
        self.look_again()
        self._list(self._chosen())

    async def _write(self, line: Typed | Secret) -> None:
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
            self._list(line.id)

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

    async def _begin(self) -> None:
        try:
            setup = self.setup(self.skirmish.seed)
        except ValueError as error:
            await self.skirmish.tell("This battle cannot begin", str(error))
            return
        await begin(self.skirmish, setup, self.lines)

    async def _leave(self) -> None:
        if await may_leave(self.skirmish, self.lines):
            self.app.pop_screen()

    # -------------------------------------------------------------- painting

    def _line(self, name: str | None) -> Line | None:
        return line_of(self.lines, name)

    def _chosen(self) -> str:
        listed = self.query_one("#lines", OptionList)
        if listed.highlighted is None:
            return BEGIN
        return listed.get_option_at_index(listed.highlighted).id or BEGIN

    def _list(self, chosen: str) -> None:
        """Paint the lines. The list is made anew only where lines come or go, so that it does not
        jump under the cursor."""
        listed = self.query_one("#lines", OptionList)
        size = self.app.size
        options = painted(self.lines, size.width, size.height, self.skirmish.measured)
        names = [option.id for option in options]
        if names == [option.id for option in listed.options]:
            for index, option in enumerate(options):
                listed.replace_option_prompt_at_index(index, option.prompt)
        else:
            top = listed.scroll_y
            listed.clear_options()
            listed.add_options(options)
            listed.highlighted = names.index(chosen) if chosen in names else 0
            listed.scroll_to(y=top, animate=False)
            opened = isinstance(self._line(chosen), Fold)  # what it held shall be in sight
            listed.scroll_to_highlight(top=opened)
        listed.focus()
        self._explain(chosen)
        self.refresh_bindings()

    def _explain(self, name: str) -> None:
        self.paragraph = self.ABOUT if name == BEGIN else name
        says = told(self._line(name), self.trouble, self.notice(), self.skirmish.measured)
        self.query_one("#meaning", Static).update(says)
        self.query_one("#about-line").scroll_home(animate=False)
