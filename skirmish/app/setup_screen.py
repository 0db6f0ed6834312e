"""The options of a battle before it begins: choices of the lists, who draws from what, rulings."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, cast

import msgspec
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from skirmish import library
from skirmish.games.plastic.battle.setup import Setup
from skirmish.tabletop.chance import Source

if TYPE_CHECKING:
    from skirmish.app.application import SkirmishApp

SOURCES = (
    ("deck", "the program draws cards"),
    ("die", "the program rolls a d12"),
    ("own_deck", "own cards, typed in"),
    ("own_die", "own d12, typed in"),
)
YES_NO = (("no", "no"), ("yes", "yes"))
BEGIN = "begin"


class Line(msgspec.Struct):
    """One option: Enter goes to its next value. ``topic`` groups lines under a heading."""

    id: str
    label: str
    values: Sequence[tuple[str, str]]
    at: int = 0
    topic: str = ""

    @property
    def value(self) -> str:
        """The value chosen."""
        return self.values[self.at][0]


class SetupScreen(Screen[None]):
    """Lines to change, and the one that begins."""

    CSS_PATH = "setup.tcss"
    HELP = (
        "Enter or the right arrow changes the chosen line, the left arrow goes back. "
        "Rulings are the places where the rules leave a choice; leave them alone if in doubt."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("b", "begin", "Begin", tooltip="Begin the battle"),
        Binding("right", "change(1)", "Change", tooltip="Next value of the line"),
        Binding("left", "change(-1)", "Back", show=False, tooltip="Value before"),
        Binding("escape", "app.pop_screen", "Cancel", tooltip="Back without beginning"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[Line] = []

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
    def setup(self) -> Setup:
        """The battle as the lines have it; raises ValueError (a sentence)."""

    def compose(self) -> ComposeResult:
        """Heading, lines, what the chosen line means."""
        yield Static(self.heading, classes="title", id="heading", markup=False)
        yield OptionList(id="lines", markup=False)
        yield Static(id="meaning", classes="quiet", markup=False)
        yield Footer(show_command_palette=False)

    async def on_mount(self) -> None:
        """Fill the list."""
        self.lines = await self.options()
        if self.lines:
            self.lines += self._rulings("live", "RULINGS THE PROGRAM PLAYS BY")
            self.lines += self._rulings("spoken", "RULINGS FOR THE TABLE TO KEEP")
            self._list(0)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Change the line, or begin."""
        if event.option_id == BEGIN:
            self.action_begin()
        else:
            self.action_change(1)

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Explain the line."""
        self._explain(event.option_id or "")

    def action_change(self, step: int) -> None:
        """Another value for the chosen line."""
        listed = self.query_one("#lines", OptionList)
        if listed.highlighted is None:
            return
        chosen = listed.get_option_at_index(listed.highlighted).id
        for line in self.lines:
            if line.id == chosen:
                line.at = (line.at + step) % len(line.values)
                self._list(listed.highlighted)
                self._explain(line.id)

    def action_begin(self) -> None:
        """Begin the battle."""
        if self.lines:
            self.run_worker(self._begin(), exclusive=True)

    def value(self, line: str) -> str:
        """The value of a line."""
        return next(one.value for one in self.lines if one.id == line)

    def source(self, line: str) -> Source:
        """The source that a line chooses, with a seed if the program draws."""
        value = self.value(line)
        kind = "die" if value.endswith("die") else "deck"
        seed = None if value.startswith("own") else self.skirmish.seed()
        return Source(kind, seed)  # type: ignore[arg-type]  # (a str narrowed by hand)

    def answers(self) -> dict[str, str]:
        """Rulings answered otherwise than by default."""
        known = library.rulings().rulings
        return {
            line.id: line.value
            for line in self.lines
            if line.id in known and line.value != known[line.id].default
        }

    def rulings_that_concern(self) -> int | None:
        """The scenario to which rulings are narrowed, or None for all that name no scenario."""
        return None

    def _rulings(self, mode: str, topic: str) -> list[Line]:
        """A line for each ruling of a mode that leaves a choice here."""
        number = self.rulings_that_concern()
        return [
            Line(
                ruling.id,
                f"{ruling.id} {ruling.title}",
                tuple(ruling.answers.items()),
                list(ruling.answers).index(ruling.default),
                topic,
            )
            for ruling in library.rulings().rulings.values()
            if ruling.mode == mode
            and len(ruling.answers) > 1
            and (not ruling.scenarios or number in ruling.scenarios)
        ]

    async def _begin(self) -> None:
        from skirmish.app.battle_screen import BattleScreen
        from skirmish.app.home import HomeScreen
        from skirmish.app.kept_battle import KeptBattle
        from skirmish.store.errors import StoreError

        try:
            kept = await KeptBattle.begun(self.skirmish.stored, self.setup())
        except ValueError as error:
            await self.skirmish.tell("This battle cannot begin", str(error))
            return
        except StoreError as error:
            await self.skirmish.tell("The battle could not be kept", str(error))
            return
        while not isinstance(self.app.screen, HomeScreen):
            self.app.pop_screen()
        await self.app.push_screen(BattleScreen(kept))

    def _list(self, highlighted: int) -> None:
        listed = self.query_one("#lines", OptionList)
        listed.clear_options()
        listed.add_option(Option(Content.styled("BEGIN THE BATTLE", "bold $accent"), id=BEGIN))
        topic = ""
        for line in self.lines:
            if line.topic != topic:
                topic = line.topic
                heading = Content.styled(f"\n{topic}", "bold $primary")
                listed.add_option(Option(heading, id=f"topic-{topic}", disabled=True))
            known = library.rulings().rulings.get(line.id)
            usual = known is None or known.default == line.value
            words = line.value.replace("_", " ") if known else line.values[line.at][1]
            shown = f"< {words} >" if len(line.values) > 1 else words
            listed.add_option(
                Option(
                    Content.assemble(
                        f"{line.label[:36]:<38}", (shown, "" if usual else "bold $accent")
                    ),
                    id=line.id,
                )
            )
        listed.highlighted = highlighted
        listed.focus()

    def _explain(self, name: str) -> None:
        known = library.rulings().rulings.get(name)
        line = next((one for one in self.lines if one.id == name), None)
        says = ""
        if known and line:
            says = f"{known.question} {known.answers[line.value]}"
        elif line:
            says = line.values[line.at][1]
        self.query_one("#meaning", Static).update(says)
