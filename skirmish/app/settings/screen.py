"""The settings themselves, a line each; rulings and keys have screens of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from msgspec.structs import asdict, replace
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Static

from skirmish.app.binding import keys
from skirmish.app.line_list import LINE_MARGINS
from skirmish.app.settings.choice_lines import ChoiceLines, lines_by_name, option_rows
from skirmish.app.text_rows import hanging
from skirmish.store.settings import Settings
from skirmish.tabletop.slots import AnswerRow, Choose, form_choice

INDENT = 4
"""Columns by which an explanation below a line is indented."""
KEYS, RULINGS = "keys", "rulings"
"""Settings with a screen of their own, which has the same name in the table of screens."""


def _setting(name: str, label: str, values: Sequence[tuple[Any, str]], text: str) -> Choose:
    """The line of the setting ``name``: its values with their words, and its explanation, ``text``.
    Without values it opens the screen of that name."""
    if values:
        rows = [AnswerRow(value, words) for value, words in values]
        line = form_choice(name, text, rows, label)
    else:
        line = Choose(name=name, text=text, options=(), label=label)
    return replace(line, default=getattr(Settings(), name))


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
"""The lines of the settings under their headings."""
LINES = lines_by_name(SETTINGS)


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
        path_line = f"Settings file: {self.skirmish.settings_path}"
        yield Static(path_line, id="settings-place", classes="quiet", markup=False)

    def on_screen_resume(self) -> None:
        self.paint()

    def meaning(self, id: str) -> str:
        return LINES[id].text

    def details(self, id: str) -> Content:
        """All values of a setting; its explanation already stands below its line."""
        line = LINES[id]
        rows = [Content.styled(line.label, "bold"), Content("")]
        if line.options:
            as_it_is = str  # no value has a distance in its words
            rows += option_rows(line, self.values[id], as_it_is)
        else:
            rows.append(Content("Enter opens the list."))
        return Content("\n").join(rows)

    def _line(self, line: Choose) -> Content:
        """The line; on a large screen with its explanation below it."""
        row = super()._line(line)
        if not self.shows_details:
            return row
        explained = Content.styled(line.text, "$foreground 75%")
        indented = Content(" " * INDENT) + explained
        return Content("\n").join([row, *hanging(indented, self.columns - LINE_MARGINS, INDENT)])
