"""A screen of lines to change, and the one that begins: what every game's set-up has."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import OptionList, Static

from skirmish.app.foot import Foot
from skirmish.app.host import Screen
from skirmish.app.setup.chosen import line_of, value_of
from skirmish.app.setup.leaving import may_leave
from skirmish.app.setup.lines import Fold, Line, Secret, Typed, shown
from skirmish.app.setup.painting import BEGIN, BEGIN_THE_BATTLE, painted, told

LEAVE = Binding("escape", "leave", "Cancel", id="setup.leave", tooltip="Go back without starting")
"""The last key of each such screen."""


class LineScreen(Screen[None]):
    """``lines`` are all of them, folded ones too; ``trouble`` is why it cannot begin."""

    CSS_PATH = "setup.tcss"
    TOPIC: ClassVar[str] = "set-up"
    ABOUT: ClassVar[str] = ""
    """The paragraph of the rules about what is set up."""
    BEGINS: ClassVar[str] = BEGIN_THE_BATTLE
    """What the first line says."""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("b", "begin", "Begin", id="setup.begin", tooltip="Begin with these choices"),
        Binding("right", "change(1)", "Change", id="setup.change", tooltip="Next value"),
        Binding(
            "left",
            "change(-1)",
            "Back",
            id="setup.change-back",
            show=False,
            tooltip="Previous value",
        ),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[Line] = []
        self.trouble = ""
        self.paragraph = self.ABOUT  # the rule of the chosen line, for the reference

    @property
    @abstractmethod
    def heading(self) -> str:
        """What is set up."""

    @abstractmethod
    async def options(self) -> list[Line]:
        """The lines. None: it cannot begin (said to the player)."""

    @abstractmethod
    def look_again(self) -> None:
        """Lines and ``trouble`` as they follow from what is chosen now."""

    @abstractmethod
    def turned(self, line: Line, step: int, before: str) -> None:
        """A line was turned by ``step``; ``before`` is what was written on it."""

    @abstractmethod
    async def write(self, line: Typed | Secret) -> None:
        """Let a line be written on."""

    @abstractmethod
    async def begin(self) -> None:
        """Begin what is set up."""

    def notice(self) -> str:
        """What is said before it begins, beside that it can; empty if there is nothing."""
        return ""

    def value(self, line: str) -> str:
        """The value of a line with several."""
        return value_of(self.lines, line)

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
            self.list_lines(shown(self.lines)[0].id)

    def on_resize(self) -> None:
        """Lines are cut to the new width."""
        if self.lines:
            self.list_lines(self._chosen())

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Change the line, write on it, or begin."""
        if event.option_id == BEGIN:
            self.action_begin()
        elif isinstance(line := self.line(event.option_id), Typed | Secret):
            self.run_worker(self.write(line), exclusive=True)
        else:
            self.action_change(1)

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Explain the line."""
        self._explain(event.option_id or "")

    def action_change(self, step: int) -> None:
        """Another value for the chosen line."""
        line = self.line(self._chosen())
        if isinstance(line, Secret) or (isinstance(line, Typed) and not line.stepped):
            self.run_worker(self.write(line), exclusive=True)
        elif line is not None:
            self.turn(line, step)

    def action_leave(self) -> None:
        """Back, or first a question."""
        self.run_worker(self._leave(), exclusive=True)

    def action_begin(self) -> None:
        """Begin."""
        if self.lines:
            self.run_worker(self.begin(), exclusive=True)

    def turn(self, line: Line, step: int) -> None:
        """Another value for a line, and what follows from it."""
        before = line.text if isinstance(line, Typed) else ""
        if line.turn(step):
            self.turned(line, step, before)
            self.look_again()
            self.list_lines(self._chosen())

    async def _leave(self) -> None:
        if await may_leave(self.skirmish, self.lines):
            self.app.pop_screen()

    # -------------------------------------------------------------- painting

    def line(self, name: str | None) -> Line | None:
        """The line of that id."""
        return line_of(self.lines, name)

    def _chosen(self) -> str:
        listed = self.query_one("#lines", OptionList)
        if listed.highlighted is None:
            return BEGIN
        return listed.get_option_at_index(listed.highlighted).id or BEGIN

    def list_lines(self, chosen: str) -> None:
        """Paint the lines. The list is made anew only where lines come or go, so that it does not
        jump under the cursor."""
        listed = self.query_one("#lines", OptionList)
        size = self.app.size
        measured = self.skirmish.measured
        options = painted(self.lines, size.width, size.height, measured, self.BEGINS)
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
            opened = isinstance(self.line(chosen), Fold)  # what it held shall be in sight
            listed.scroll_to_highlight(top=opened)
        listed.focus()
        self._explain(chosen)
        self.refresh_bindings()

    def _explain(self, name: str) -> None:
        self.paragraph = self.ABOUT if name == BEGIN else name
        says = told(self.line(name), self.trouble, self.notice(), self.skirmish.measured)
        self.query_one("#meaning", Static).update(says)
        self.query_one("#about-line").scroll_home(animate=False)
