"""What the page of a side shows on a phone, as data. ``side_player`` makes it of a game, and
``side_html`` makes HTML of it."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from skirmish.tabletop.game import JournalLine, Verdict
from skirmish.tabletop.page import Page, Party, Steps
from skirmish.tabletop.side_colours import NO_NATION
from skirmish.tabletop.wall import WallBoard

NOTHING = Page("")
"""An empty page, for a part that has nothing to show."""


class Button(msgspec.Struct, frozen=True, kw_only=True):
    """Something to tap."""

    press: str
    """What a tap sends: a key, the characters of an answer, or a word such as ``back``."""
    text: str
    """What stands on it."""
    note: str = ""
    """An explanation, in small letters behind the text."""
    why_not: str = ""
    """Why it cannot be tapped, although it is shown; empty if it can."""
    is_off: bool = False
    """Whether it cannot be tapped for a reason that the page gives elsewhere."""
    is_chosen: bool = False
    """Whether it is chosen already."""
    is_proposed: bool = False
    """Whether it is the proposed answer, or the proposed thing to do."""
    is_unwise: bool = False
    """Whether the rules speak against it. If they only advise against it, it can be tapped."""


class CommandGroup(NamedTuple):
    """Commands that a side can begin, under their heading, which may be empty."""

    heading: str
    buttons: tuple[Button, ...]


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked of this side, and the ways to answer."""

    text: str
    """The words of the question."""
    large: str = ""
    """Words in larger letters before the text, which can be read from afar."""
    given: tuple[str, ...] = ()
    """The answers so far, in lines."""
    typed: str = ""
    """What is typed so far of the answer."""
    options: tuple[Button, ...] = ()
    """The answers to choose from."""
    pad: tuple[Button, ...] = ()
    """The keys on which an answer is typed."""
    longest_text: int = 0
    """The most characters of a text that may be written as the answer; 0 if none may."""
    secret: bool = False
    """Whether the text is hidden while it is written."""
    hint: str = ""
    """What is accepted as an answer, or the optional question that may be answered first."""
    toggles: tuple[Button, ...] = ()
    """Circumstances that a tap changes; behind them the button that overrules a refusal."""
    preview: Page = NOTHING
    """What is likely to happen, such as the odds."""
    confirm: Button | None = None
    """The button that ends the answer, or gives the order."""
    back: Button | None = None
    """The button that takes back the last tap, or does what Esc does."""


class SidePage(msgspec.Struct, frozen=True, kw_only=True):
    """One state of the game as a side, or a spectator, may see it."""

    journal_length: int
    """The length of the journal."""
    keys: tuple[str, ...]
    """What this side has tapped since the last entry of the journal: its unfinished order."""
    title: str
    """The title of the game."""
    whose: str
    """The name of the side, or who else the page is for."""
    headline: str
    """The clock of the game: its turn and phase, and who moves."""
    over: bool
    """Whether the game has ended."""
    is_for_spectator: bool = False
    """Whether it is for somebody who only watches, and who is on no side."""
    party: Party = None
    """Whether the page is for the first or the second of two sides; None if for neither."""
    colours: tuple[str, str] = NO_NATION
    """The names of the colours of both sides."""
    notice: str = ""
    """Why the last tap did nothing."""
    question: Question | None = None
    waiting: str = ""
    """A sentence that says for whom this side waits; empty if for nobody."""
    asked: bool = False
    """Whether the game waits for an answer of this side."""
    held_up: str = ""
    """A sentence that says who waits for this side's answer; empty if nobody does."""
    verdict: Verdict | None = None
    """The last result, in large letters; None if there is none to show."""
    against: Page = NOTHING
    """What another player is putting together against this side, such as a shot."""
    commands: tuple[CommandGroup, ...] = ()
    """What this side can begin."""
    situation: Page = NOTHING
    """How the game stands."""
    due: Page = NOTHING
    """What players must know or do now, the most urgent first."""
    board: Page = NOTHING
    """The forces."""
    wall: WallBoard | None = None
    """What the losses by turn are drawn from, on the page of a spectator; None on other pages."""
    phases: Steps | None = None
    """The phases of the turn; None if the game has none."""
    journal: tuple[JournalLine, ...] = ()
    """The latest lines of the journal, the last of them at the end."""
