"""Lines of settings, each applied and saved at once: the settings themselves, and the rulings that
new armies and battles start with."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby
from typing import Any, ClassVar, NamedTuple

from msgspec.structs import asdict, replace
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Static

from skirmish import library
from skirmish.app.binding import keys
from skirmish.app.line_list import Group, LineScreen
from skirmish.games.plastic.rules.rulings import TOPICS
from skirmish.store.settings import Settings

SCREEN, BATTLES, PRINT = "SCREEN", "NEW BATTLES AND ARMIES", "PAPER"
KEYS, RULINGS = "keys", "rulings"


class SettingLine(NamedTuple):
    """A line: the ``name`` of the setting, its label, the words for each value, its explanation.
    One without values opens a screen of its own."""

    topic: str
    name: str
    label: str
    values: Sequence[tuple[Any, str]]
    meaning: str
    default: Any

    def words(self, value: Any) -> str:
        if self.values:
            return next(words for one, words in self.values if one == value)
        return f"{len(value)} changed" if value else "all at their defaults"

    def turned(self, value: Any, step: int) -> Any:
        values = [value for value, _ in self.values]
        return values[(values.index(value) + step) % len(values)]


class SettingsList(LineScreen):
    """Lines that are each applied and saved at once."""

    async def save(self, message: str, settings: Settings, title: str = "") -> None:
        """Apply the settings, with one toast for the result rather than one for each step."""
        saved = await self.skirmish.change_settings(settings)
        self.paint()
        if saved:
            self.app.clear_notifications()
            self.notify(message, title=title, timeout=2, markup=False)


class TurnedLines(SettingsList):
    """Lines that each take one of several values; one without any opens a screen of its own."""

    @property
    @abstractmethod
    def lines(self) -> Mapping[str, SettingLine]:
        """By their ids."""

    @property
    @abstractmethod
    def values(self) -> Mapping[str, Any]:
        """The current value of each line."""

    @abstractmethod
    def put(self, values: Mapping[str, Any]) -> Settings:
        """The settings with other values for some lines."""

    def groups(self) -> Iterator[Group]:
        gap = ""
        for topic, lines in groupby(self.lines.values(), key=lambda line: line.topic):
            heading = Content.styled(gap + topic, "bold $primary")
            yield heading, {line.name: self._line(line) for line in lines}
            gap = "\n"

    def _line(self, line: SettingLine) -> Content:
        words = line.words(self.values[line.name]) + ("" if line.values else " ...")
        style = "bold $accent" if self._changed(line) else ""
        return self.labelled(f"  {line.label}", words, turns=len(line.values) > 1, style=style)

    def _changed(self, line: SettingLine) -> bool:
        return bool(self.values[line.name] != line.default)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        line = self.lines.get(self.chosen)
        able = {
            "turn": line is not None and len(line.values) != 1,
            "reset": line is not None and self._changed(line),
            "reset_all": any(map(self._changed, self.lines.values())),
        }
        return able.get(action, True) or None

    async def on_option_list_option_selected(self) -> None:
        await self.action_turn(1)

    async def action_turn(self, step: int) -> None:
        line = self.lines.get(self.chosen)
        if line is not None and len(line.values) > 1:
            await self._set(line, line.turned(self.values[line.name], step))
        elif line is not None and line.values:
            self.notify("This ruling has only one answer.", markup=False)
        elif line is not None and step > 0:
            self.skirmish.show(line.name)

    async def action_reset(self) -> None:
        if (line := self.lines.get(self.chosen)) is not None:
            await self._set(line, line.default)

    async def action_reset_all(self) -> None:
        defaults = {line.name: line.default for line in self.lines.values()}
        await self.save("Everything is at its default.", self.put(defaults), title="Saved")

    async def _set(self, line: SettingLine, value: Any) -> None:
        message = f"{line.label}: {self.skirmish.measured(line.words(value))}"
        await self.save(message, self.put({line.name: value}), title="Saved")


_ROWS: tuple[tuple[str, str, str, Sequence[tuple[Any, str]], str], ...] = (
    (
        SCREEN, "measure", "Distances",
        (("inches", "inches"), ("centimetres", "centimetres")),
        "How distances are shown on the screen. 1 in counts as 2.5 cm, as at most tables: 12 in "
        "is 30 cm. Sheets and army files always use inches.",
    ),
    (
        SCREEN, "theme", "Colours",
        (("night", "night"), ("paper", "paper"), ("ansi", "the terminal's own")),
        "Night is light on dark; paper is dark on light, for a bright room. The terminal's own "
        "sixteen colours suit plain consoles and terminals with a colour scheme of their own.",
    ),
    (
        SCREEN, "characters", "Symbols",
        (("auto", "automatic"), ("all", "all"), ("ascii", "plain ASCII only")),
        "Frames, arrows and dashes. Choose plain ASCII if your terminal shows them as boxes or "
        "question marks. Automatic switches to it where the program can tell.",
    ),
    (
        SCREEN, KEYS, "Keys", (),
        "Change the key of any command on any screen. Enter opens the list.",
    ),
    (
        SCREEN, "deck_knowledge", "Odds",
        (("full", "from the cards that are left"), ("hidden", "from a fresh deck")),
        "How a battle works out the chance of a shot. Some groups consider counting cards "
        "cheating: odds from a fresh deck tell nobody what is left in it.",
    ),
    (
        BATTLES, "level", "Program's part",
        (("referee", "referee: draws and judges"), ("clerk", "clerk: judges what you draw"),
         ("ledger", "ledger: losses and clock only")),
        "The default for both sides of a new battle. A referee draws the cards or rolls the dice. "
        "A clerk asks for the card you drew or the number you rolled. A ledger only keeps the "
        "losses and the clock.",
    ),
    (
        BATTLES, "chance", "Chance",
        (("cards", "playing cards"), ("die", "twelve-sided die")),
        "The default for both sides of a new battle. A scenario that needs cards is played with "
        "cards whatever is chosen here.",
    ),
    (
        BATTLES, "questions", "A battle opens with",
        ((False, "the full screen"), (True, "one question at a time")),
        "One question at a time is for children and newcomers: who fires, at whom, in cover? The "
        "battle itself is the same, and F2 switches between the two.",
    ),
    (
        BATTLES, RULINGS, "Rulings", (),
        "Where the rules leave a gap: the answers that new armies and battles start with. Existing "
        "ones keep theirs. Enter opens the list.",
    ),
    (
        PRINT, "paper", "Paper",
        (("a4", "A4"), ("letter", "Letter")),
        "The paper size of printed sheets. It is also the default of skirmish print, unless "
        "--paper is given.",
    ),
    (
        PRINT, "ink", "Ink",
        (("colour", "full colour"), ("saver", "saver")),
        "Saver leaves all areas unfilled; everything stays readable. It is also the default "
        "of skirmish print, unless --ink is given.",
    ),
)  # fmt: skip
LINES = {row[1]: SettingLine(*row, getattr(Settings(), row[1])) for row in _ROWS}


class SettingsScreen(TurnedLines):
    LABEL = 22
    LIST: ClassVar[str] = "settings"
    TOPIC: ClassVar[str] = "settings"
    HELP = (
        "Up and down choose a line. Enter or the right arrow takes its next value, the left arrow "
        "the previous one. Each change applies and is saved at once. Existing battles and armies "
        "stay as they are."
    )
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "settings",
        ("next", "right", "turn(1)", "Change", "Take the next value"),
        ("last", "left", "turn(-1)", "", "Take the previous value"),
        ("usual", "d", "reset", "Reset", "Reset this line to its default"),
        ("back", "escape,q", "app.pop_screen", "Home", "Back; changes are saved"),
    )
    heading = "SETTINGS   ← → change a line"
    lines = LINES

    @property
    def values(self) -> Mapping[str, Any]:
        return asdict(self.skirmish.settings)

    def put(self, values: Mapping[str, Any]) -> Settings:
        return replace(self.skirmish.settings, **values)

    def below(self) -> ComposeResult:
        place = f"Settings file: {self.skirmish.liked}"
        yield Static(place, id="settings-place", classes="quiet", markup=False)

    def on_screen_resume(self) -> None:
        self.paint()

    def meaning(self, id: str) -> str:
        return LINES[id].meaning


class RulingsList(TurnedLines):
    """Each gap in the rules with its answer; below it, the question and all answers to the selected
    one."""

    LABEL = 35  # the longest name: two spaces, its id and "Optional rules in scenarios"
    LIST: ClassVar[str] = "usual"
    TOPIC: ClassVar[str] = "rulings"
    HELP = (
        "Each line is a gap in the rules, with the answer that new armies and battles start with. "
        "Enter or the right arrow takes the next answer where there are several. Existing armies "
        "and battles keep theirs, and each battle can still choose its own during set-up."
    )
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "rulings",
        ("next", "right", "turn(1)", "Next answer", "Take the next answer"),
        ("last", "left", "turn(-1)", "", "Take the previous answer"),
        ("usual", "d", "reset", "Reset", "Reset this ruling to its default answer"),
        ("all_usual", "D", "reset_all", "Reset all", "Reset every ruling to its default answer"),
        ("back", "escape,q", "app.pop_screen", "Back", "Back; changes are saved"),
    )

    @cached_property
    def lines(self) -> Mapping[str, SettingLine]:
        rulings = library.rulings().rulings.values()
        return {
            one.id: SettingLine(title.upper(), one.id, f"{one.id:<4}{one.title}",
                                [*one.answers.items()], one.question, one.default)
            for topic, title in TOPICS.items()
            for one in rulings
            if one.topic == topic
        }  # fmt: skip

    @property
    def values(self) -> Mapping[str, Any]:
        book = library.rulings()
        return book.defaults() | book.liked(self.skirmish.settings.rulings)

    def put(self, values: Mapping[str, Any]) -> Settings:
        mine = {**self.skirmish.settings.rulings, **values}
        changed = {
            name: one
            for name, one in mine.items()
            if name not in values or one != self.lines[name].default
        }
        return replace(self.skirmish.settings, rulings=changed)

    @property
    def paragraph(self) -> str:
        return self.chosen

    @property
    def heading(self) -> str:
        words = LINES["rulings"].words(self.skirmish.settings.rulings)
        return f"RULINGS   ← → change an answer   {words}"

    def meaning(self, id: str) -> Content:
        line, measured, now = self.lines[id], self.skirmish.measured, self.values[id]
        rows = [Content.assemble((measured(line.meaning), "bold"))]
        for answer, words in line.values:
            mark = "*" if answer == now else " "
            usual = "  (default)" if answer == line.default and line.values[1:] else ""
            style = "$accent" if answer == now else "$foreground 75%"
            rows.append(Content.styled(f"{mark} {measured(words)}{usual}", style))
        return Content("\n").join(rows)
