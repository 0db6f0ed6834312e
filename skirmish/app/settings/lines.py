"""What can be set, line by line: the words for each choice, and what it means."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from skirmish.store.settings import Settings

SCREEN, BATTLES, PRINT = "ON THE SCREEN", "WHAT IS PROPOSED", "ON PAPER"
KEYS, RULINGS = "keys", "rulings"


class Choice(NamedTuple):
    """A line: the ``name`` of the setting, its label, the words of each value, what it means. One
    without values opens a screen of its own."""

    topic: str
    name: str
    label: str
    values: tuple[tuple[object, str], ...]
    told: str

    def words(self, settings: Settings) -> str:
        """What it is set to, in words."""
        if self.values:
            return dict(self.values)[getattr(settings, self.name)]
        count = len(getattr(settings, self.name))
        if self.name == KEYS:
            return f"{count} changed" if count else "all as printed"
        return f"{count} answered otherwise" if count else "all with the usual answer"

    def usual(self, settings: Settings) -> bool:
        """Whether it is as the program has it."""
        return bool(getattr(settings, self.name) == getattr(Settings(), self.name))

    def turned(self, settings: Settings, step: int) -> Settings:
        """The settings with the next value of this line, or the one before."""
        values = [value for value, _ in self.values]
        now = values.index(getattr(settings, self.name))
        value = values[(now + step) % len(values)]
        return msgspec.structs.replace(settings, **{self.name: value})


CHOICES = (
    Choice(
        SCREEN, "measure", "Distances",
        (("inches", "inches"), ("centimetres", "centimetres")),
        "How distances are told on the screen. 1 in is 2.5 cm, as most tables play it: 12 in are "
        "30 cm. Sheets and army files keep inches.",
    ),
    Choice(
        SCREEN, "theme", "Colours",
        (("night", "night"), ("paper", "paper"), ("ansi", "the terminal's own")),
        "Night is light on dark, paper dark on light for a bright room. The terminal's own sixteen "
        "colours are for plain consoles, and for whoever has chosen those with care.",
    ),
    Choice(
        SCREEN, "characters", "Signs",
        (("auto", "as the terminal can"), ("all", "all"), ("ascii", "plain letters only")),
        "Frames, arrows and dashes. Plain letters only is for terminals that show them as boxes "
        "or question marks; the program turns to it by itself where it can tell.",
    ),
    Choice(
        SCREEN, KEYS, "Keys", (),
        "Every key of every screen, and another one where you like. Enter opens the list.",
    ),
    Choice(
        SCREEN, "deck_knowledge", "Odds",
        (("full", "with the cards that are left"), ("hidden", "from a fresh deck")),
        "How a battle reckons the chance of a shot. Some groups think that counting cards is "
        "cheating: from a fresh deck it tells nobody what is still in the deck, and says so.",
    ),
    Choice(
        BATTLES, "level", "Use of the program",
        (
            ("referee", "referee: it draws and judges"),
            ("clerk", "clerk: it judges what you draw"),
            ("ledger", "ledger: losses and clock only"),
        ),
        "What a new battle proposes for both sides. A referee draws cards or rolls dice. A clerk "
        "waits for the card or the number from your table. A ledger only keeps the books.",
    ),
    Choice(
        BATTLES, "chance", "Chance",
        (("cards", "playing cards"), ("die", "a twelve-sided die")),
        "What a new battle proposes for both sides. Scenarios that need cards are played with "
        "cards whatever stands here.",
    ),
    Choice(
        BATTLES, "questions", "A battle opens with",
        ((False, "the whole battle"), (True, "one question at a time")),
        "One question at a time is for children and newcomers: who shoots, at whom, in cover? The "
        "battle itself is the same, and F2 changes from one view to the other.",
    ),
    Choice(
        BATTLES, RULINGS, "Rulings", (),
        "Where the rules leave a gap, the answer that new armies and battles begin with. Those "
        "that exist keep theirs. Enter opens the list.",
    ),
    Choice(
        PRINT, "paper", "Paper",
        (("a4", "A4"), ("letter", "Letter")),
        "The size of the paper that sheets are laid out for. skirmish print follows it too, "
        "unless --paper says otherwise.",
    ),
    Choice(
        PRINT, "ink", "Ink",
        (("colour", "full colour"), ("saver", "sparing")),
        "Sparing leaves every area unfilled, for printers whose ink is dear. It reads as well. "
        "skirmish print follows it too, unless --ink says otherwise.",
    ),
)  # fmt: skip
