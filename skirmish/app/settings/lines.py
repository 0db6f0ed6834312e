"""What can be set, line by line: the words for each choice, and what it means."""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from skirmish import library
from skirmish.games.plastic.rules.rulings import PlasticRuling
from skirmish.store.settings import Settings

SCREEN, BATTLES, PRINT = "SCREEN", "NEW BATTLES AND ARMIES", "PAPER"
KEYS, RULINGS = "keys", "rulings"


class SettingLine(NamedTuple):
    """A line: the ``name`` of the setting, its label, the words of each value, what it means. One
    without values opens a screen of its own."""

    topic: str
    name: str
    label: str
    values: tuple[tuple[object, str], ...]
    meaning: str

    @property
    def default(self) -> object:
        return getattr(Settings(), self.name)

    def value(self, settings: Settings) -> object:
        return getattr(settings, self.name)

    def put(self, settings: Settings, value: object) -> Settings:
        return replace(settings, **{self.name: value})

    def words(self, settings: Settings) -> str:
        if self.values:
            return dict(self.values)[self.value(settings)]
        count = len(getattr(settings, self.name))
        return f"{count} changed" if count else "all at their defaults"

    def is_default(self, settings: Settings) -> bool:
        return self.value(settings) == self.default

    def turned(self, settings: Settings, step: int) -> Settings:
        """The settings with the next value of this line, or the one before."""
        values = [value for value, _ in self.values]
        at = values.index(self.value(settings)) + step
        return self.put(settings, values[at % len(values)])


class RulingLine(SettingLine):
    """A ruling: the answer that new armies and battles begin with."""

    @classmethod
    def of(cls, ruling: PlasticRuling, topic: str) -> RulingLine:
        answers = tuple(ruling.answers.items())
        label = f"{ruling.id:<4}{ruling.title}"
        return cls(topic, ruling.id, label, answers, ruling.question)

    @property
    def default(self) -> object:
        return library.rulings().rulings[self.name].default

    def value(self, settings: Settings) -> object:
        """A settings file may name an answer that there is not."""
        answer = settings.rulings.get(self.name, self.default)
        return answer if answer in dict(self.values) else self.default

    def put(self, settings: Settings, value: object) -> Settings:
        mine = {name: answer for name, answer in settings.rulings.items() if name != self.name}
        if value != self.default:
            mine[self.name] = str(value)
        return replace(settings, rulings=mine)


_LINES = (
    SettingLine(
        SCREEN, "measure", "Distances",
        (("inches", "inches"), ("centimetres", "centimetres")),
        "How distances are shown on the screen. 1 in counts as 2.5 cm, as at most tables: 12 in "
        "is 30 cm. Sheets and army files always use inches.",
    ),
    SettingLine(
        SCREEN, "theme", "Colours",
        (("night", "night"), ("paper", "paper"), ("ansi", "the terminal's own")),
        "Night is light on dark; paper is dark on light, for a bright room. The terminal's own "
        "sixteen colours suit plain consoles and terminals with a colour scheme of their own.",
    ),
    SettingLine(
        SCREEN, "characters", "Symbols",
        (("auto", "automatic"), ("all", "all"), ("ascii", "plain ASCII only")),
        "Frames, arrows and dashes. Choose plain ASCII if your terminal shows them as boxes or "
        "question marks. Automatic switches to it where the program can tell.",
    ),
    SettingLine(
        SCREEN, KEYS, "Keys", (),
        "Change the key of any command on any screen. Enter opens the list.",
    ),
    SettingLine(
        SCREEN, "deck_knowledge", "Odds",
        (("full", "from the cards that are left"), ("hidden", "from a fresh deck")),
        "How a battle works out the chance of a shot. Some groups consider counting cards "
        "cheating: odds from a fresh deck tell nobody what is left in it.",
    ),
    SettingLine(
        BATTLES, "level", "Program's part",
        (
            ("referee", "referee: draws and judges"),
            ("clerk", "clerk: judges what you draw"),
            ("ledger", "ledger: losses and clock only"),
        ),
        "The default for both sides of a new battle. A referee draws the cards or rolls the dice. "
        "A clerk asks for the card you drew or the number you rolled. A ledger only keeps the "
        "losses and the clock.",
    ),
    SettingLine(
        BATTLES, "chance", "Chance",
        (("cards", "playing cards"), ("die", "twelve-sided die")),
        "The default for both sides of a new battle. A scenario that needs cards is played with "
        "cards whatever is chosen here.",
    ),
    SettingLine(
        BATTLES, "questions", "A battle opens with",
        ((False, "the full screen"), (True, "one question at a time")),
        "One question at a time is for children and newcomers: who fires, at whom, in cover? The "
        "battle itself is the same, and F2 switches between the two.",
    ),
    SettingLine(
        BATTLES, RULINGS, "Rulings", (),
        "Where the rules leave a gap: the answers that new armies and battles start with. Existing "
        "ones keep theirs. Enter opens the list.",
    ),
    SettingLine(
        PRINT, "paper", "Paper",
        (("a4", "A4"), ("letter", "Letter")),
        "The paper size of printed sheets. It is also the default of skirmish print, unless "
        "--paper is given.",
    ),
    SettingLine(
        PRINT, "ink", "Ink",
        (("colour", "full colour"), ("saver", "saver")),
        "Saver leaves all areas unfilled; everything stays readable. It is also the default "
        "of skirmish print, unless --ink is given.",
    ),
)  # fmt: skip
LINES = {line.name: line for line in _LINES}
"""By the name of the setting."""
