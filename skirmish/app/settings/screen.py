"""Lines of settings, each applied and saved at once: the settings themselves, and the rulings that
new armies and battles start with."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

from msgspec.structs import asdict, replace
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Static

from skirmish import library
from skirmish.app.binding import keys
from skirmish.app.line_list import AROUND, Group, LineScreen
from skirmish.app.page_view import painted
from skirmish.app.text_rows import hanging
from skirmish.games.plastic.rules.rulings import TOPICS
from skirmish.store.settings import Settings
from skirmish.tabletop.page import Heading, Page, Paragraph, mapped
from skirmish.tabletop.slots import Choose, form_choice

INDENT = 4
"""Columns by which an explanation below a line is indented."""
KEYS, RULINGS = "keys", "rulings"
"""Settings with a screen of their own, by their names and those of the screens."""


class SettingsList(LineScreen):
    """Lines whose changes are settings."""

    async def save(self, settings: Settings) -> None:
        """Apply and store new settings; that they are saved is only said if they are."""
        saved = await self.skirmish.change_settings(settings)
        if saved:
            self.query_one("#heading", Static).update(f"{self.heading}   Saved")


class ChoiceLines(SettingsList):
    """Lines that each take one of several values; one without any opens a screen of its own."""

    WHY_NOT: ClassVar[Mapping[str, str]] = {
        "turn": "this line has one value",
        "reset": "it has its default",
        "reset_all": "all have their defaults",
    }

    @property
    @abstractmethod
    def topics(self) -> Mapping[str, Sequence[Choose]]:
        """The lines under their headings."""

    @property
    @abstractmethod
    def values(self) -> Mapping[str, Any]:
        """The current value of each line."""

    @abstractmethod
    def settings_with(self, values: Mapping[str, Any]) -> Settings:
        """The settings with other values for some lines."""

    def groups(self) -> Iterator[Group]:
        gap = ""
        for topic, lines in self.topics.items():
            heading = Content.styled(gap + topic, "bold $primary")
            yield heading, {line.name: self._line(line) for line in lines}
            # An empty row stands above every heading but the first.
            gap = "\n"

    @cached_property
    def lines(self) -> Mapping[str, Choose]:
        """All lines by their names."""
        return by_name(self.topics)

    def _line(self, line: Choose) -> Content:
        """A line with its value, or with what was changed on the screen that it opens."""
        value = self.values[line.name]
        if line.options:
            words = line.shown(value)
        else:  # it opens a screen of its own
            words = f"▸ {changed_words(value)}"
        turns = len(line.options) > 1
        return self.labelled(f"  {line.label}", words, self._changed(line), turns=turns)

    def _changed(self, line: Choose) -> bool:
        """Whether a line has another value than its default."""
        return bool(self.values[line.name] != line.default)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        line = self.lines.get(self.chosen)
        is_possible = {
            # A line without options opens a screen.
            "turn": line is not None and len(line.options) != 1,
            "reset": line is not None and self._changed(line),
            "reset_all": any(map(self._changed, self.lines.values())),
        }
        if is_possible.get(action, True):
            return True
        return None  # Textual shows the key in grey; False would hide it

    async def on_option_list_option_selected(self) -> None:
        await self.action_turn(1)

    async def action_turn(self, step: int) -> None:
        line = self.lines.get(self.chosen)
        if line is None:
            return
        if len(line.options) > 1:
            await self.save(
                self.settings_with({line.name: line.turned(self.values[line.name], step)})
            )
        elif step > 0 and not line.options:
            self.skirmish.show(line.name)

    async def action_reset(self) -> None:
        line = self.lines.get(self.chosen)
        if line is not None:
            await self.save(self.settings_with({line.name: line.default}))

    async def action_reset_all(self) -> None:
        await self.save(
            self.settings_with({line.name: line.default for line in self.lines.values()})
        )


def changed_words(values: Mapping[str, Any]) -> str:
    """How many values are not the default, given those."""
    if values:
        return f"{len(values)} changed"
    return "all at their defaults"


def option_rows(line: Choose, answer: Any, measured: Callable[[str], str]) -> Iterator[Content]:
    """The options of a line, the ``answer`` marked, and which of them is the default."""
    default_words = "(default)"
    if len(line.options) == 1:
        default_words = "(the only answer)"
    for option in line.options:
        mark, style = " ", "$foreground 75%"
        if option.value == answer:
            mark, style = "*", "$accent"
        text = f"{mark} {measured(option.label)}"
        if option.value == line.default:
            text += f"  {default_words}"
        yield Content.styled(text, style)


def by_name(topics: Mapping[str, Sequence[Choose]]) -> dict[str, Choose]:
    """The lines of all topics by their names."""
    line_of = {}
    for lines in topics.values():
        for line in lines:
            line_of[line.name] = line
    return line_of


def _setting(name: str, label: str, values: Sequence[tuple[Any, str]], text: str) -> Choose:
    """The line of the setting ``name``: its values with their words, its explanation. Without
    values it opens the screen of that name."""
    if values:
        line = form_choice(name, text, values, label)
    else:
        line = Choose(name=name, text=text, options=())
    return replace(line, label=label, default=getattr(Settings(), name))


SETTINGS = {
    "SCREEN": (
        _setting("measure", "Distances",
            (("inches", "inches"), ("centimetres", "centimetres")),
            "How distances are shown on the screen. 1 in counts as 2.5 cm, as at most tables: "
            "12 in is 30 cm. Sheets and army files always use inches."),
        _setting("theme", "Colours",
            (("night", "night"), ("paper", "paper"), ("ansi", "the terminal's own")),
            "Night is light on dark; paper is dark on light, for a bright room. The terminal's own "
            "sixteen colours suit plain consoles and terminals with a colour scheme of their own."),
        _setting("characters", "Symbols",
            (("auto", "automatic"), ("all", "all"), ("ascii", "plain ASCII only")),
            "Frames, arrows and dashes. Choose plain ASCII if your terminal shows them as boxes or "
            "question marks. Automatic switches to it where the program can tell."),
        _setting(KEYS, "Keys", (),
            "Change the key of any command on any screen. Enter opens the list."),
        _setting("deck_knowledge", "Odds",
            (("full", "from the cards that are left"), ("hidden", "from a fresh deck")),
            "How a battle works out the chance of a shot. Some groups consider counting cards "
            "cheating: odds from a fresh deck tell nobody what is left in it."),
        _setting("pictures", "Pictures",
            (("auto", "automatic"), ("kitty", "kitty's protocol"), ("iterm", "iTerm2's protocol"),
             ("sixel", "sixel"), ("off", "none")),
            "The workshop shows the sheet as a picture where the terminal can. Automatic knows "
            "kitty, Ghostty, iTerm2, WezTerm, foot and mlterm by their names. Inside tmux, or in "
            "another terminal, choose its protocol here; without one the sheet stands in words."),
    ),
    "NEW BATTLES AND ARMIES": (
        _setting("level", "Program's part",
            (("referee", "referee: draws and judges"), ("clerk", "clerk: judges what you draw"),
             ("ledger", "ledger: losses and clock only")),
            "The default for both sides of a new battle. A referee draws the cards or rolls the "
            "dice. A clerk asks for the card you drew or the number you rolled. A ledger only "
            "keeps the losses and the clock."),
        _setting("chance", "Chance",
            (("cards", "playing cards"), ("die", "twelve-sided die")),
            "The default for both sides of a new battle. A scenario that needs cards is played "
            "with cards whatever is chosen here."),
        _setting("questions", "A battle opens with",
            ((False, "the full screen"), (True, "one question at a time")),
            "One question at a time is for children and newcomers: who fires, at whom, in cover? "
            "The battle itself is the same, and F2 switches between the two."),
        _setting(RULINGS, "Rulings", (),
            "Where the rules leave a gap: the answers that new armies and battles start with. "
            "Existing ones keep theirs. Enter opens the list."),
    ),
    "PAPER": (
        _setting("paper", "Paper", (("a4", "A4"), ("letter", "Letter")),
            "The paper size of printed sheets. It is also the default of skirmish print, unless "
            "--paper is given."),
        _setting("ink", "Ink", (("colour", "full colour"), ("saver", "saver")),
            "Saver leaves all areas unfilled; everything stays readable. It is also the default "
            "of skirmish print, unless --ink is given."),
    ),
}  # fmt: skip
LINES = by_name(SETTINGS)


class SettingsScreen(ChoiceLines):
    """The settings themselves; rulings and keys open screens of their own."""

    LABEL_WIDTH = 22
    LIST_ID: ClassVar[str] = "settings"
    TOPIC: ClassVar[str] = "settings"
    HELP = (
        "Up and down choose a line. Enter or the right arrow takes its next value, the left arrow "
        "the previous one. Each change applies and is saved at once. Existing battles and armies "
        "stay as they are."
    )
    # Each row: id, keys, action, label at the foot, words of the help.
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "settings",
        ("next", "right", "turn(1)", "Change", "Take the next value"),
        ("last", "left", "turn(-1)", "", "Take the previous value"),
        ("usual", "d", "reset", "Reset", "Reset this line to its default"),
        ("back", "escape,q", "app.pop_screen", "Home", "Back; changes are saved"),
    )
    heading = "SETTINGS   ← → change a line"
    topics = SETTINGS

    @property
    def values(self) -> Mapping[str, Any]:
        return asdict(self.skirmish.settings)

    def settings_with(self, values: Mapping[str, Any]) -> Settings:
        return replace(self.skirmish.settings, **values)

    def below(self) -> ComposeResult:
        place = f"Settings file: {self.skirmish.settings_path}"
        yield Static(place, id="settings-place", classes="quiet", markup=False)

    def on_screen_resume(self) -> None:
        self.paint()

    def meaning(self, id: str) -> str:
        return LINES[id].text

    def details(self, id: str) -> Content:
        """All values of a setting, whose explanation stands in its line."""
        line = LINES[id]
        rows = [Content.styled(line.label, "bold"), Content("")]
        if line.options:
            rows += option_rows(line, self.values[id], str)
        else:
            rows.append(Content("Enter opens the list."))
        return Content("\n").join(rows)

    def _line(self, line: Choose) -> Content:
        """On a large screen with its explanation below it."""
        row = super()._line(line)
        if not self.with_details:
            return row
        explained = Content.styled(line.text, "$foreground 75%")
        about = hanging(Content(" " * INDENT) + explained, self.columns - AROUND, INDENT)
        return Content("\n").join([row, *about])


class RulingsList(ChoiceLines):
    """Each gap in the rules with its answer; below it, the question and all answers to the selected
    one. It opens at ``ruling``, else at the first."""

    LABEL_WIDTH = 35  # the longest name: two spaces, its id and "Optional rules in scenarios"
    LIST_ID: ClassVar[str] = "usual"
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

    def __init__(self, ruling: str = "") -> None:
        super().__init__()
        self._ruling = ruling

    async def on_mount(self) -> None:
        self.paint(self._ruling)

    @cached_property
    def topics(self) -> Mapping[str, Sequence[Choose]]:
        topics: dict[str, list[Choose]] = {title.upper(): [] for title in TOPICS.values()}
        for ruling in library.rulings().rulings.values():
            line = form_choice(ruling.id, ruling.question, [*ruling.answers.items()])
            label = f"{ruling.id:<4}{ruling.title}"
            line = replace(line, label=label, default=ruling.default)
            topics[TOPICS[ruling.topic].upper()].append(line)
        return topics

    @property
    def values(self) -> Mapping[str, Any]:
        book = library.rulings()
        return book.defaults() | book.liked(self.skirmish.settings.rulings)

    def settings_with(self, values: Mapping[str, Any]) -> Settings:
        # Only answers that differ from the default are stored: a later default then counts.
        changed = {**self.skirmish.settings.rulings, **values}
        for ruling, answer in values.items():
            if answer == self.lines[ruling].default:
                del changed[ruling]
        return replace(self.skirmish.settings, rulings=changed)

    @property
    def paragraph(self) -> str:
        return self.chosen

    @property
    def heading(self) -> str:
        words = changed_words(self.skirmish.settings.rulings)
        return f"RULINGS   ← → change an answer   {words}"

    def meaning(self, id: str) -> Content:
        line, answer = self.lines[id], self.values[id]
        rows = [Content.styled(self.skirmish.measured(line.text), "bold")]
        rows += option_rows(line, answer, self.skirmish.measured)
        return Content("\n").join(rows)

    def details(self, id: str) -> Content:
        """The question, its answers, and the paragraph of the rules that leaves the gap."""
        parts = [self.meaning(id)]
        rule = library.reference().holding(id)
        if rule is not None:
            page = Page("", (Heading(rule.title), *map(Paragraph, rule.text)))
            parts.append(painted(mapped(page, self.skirmish.measured), self.details_width))
        return Content("\n\n").join(parts)
