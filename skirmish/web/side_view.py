"""What the page of a side shows, as data: ``side_html`` makes HTML of it."""

from __future__ import annotations

import msgspec

from skirmish.tabletop.game import JournalLine, Verdict
from skirmish.tabletop.page import Page, Party, Steps
from skirmish.tabletop.side_colours import NO_NATION
from skirmish.tabletop.wall import WallBoard

NOTHING = Page("")


class Button(msgspec.Struct, frozen=True, kw_only=True):
    """Something to tap."""

    press: str
    """What a tap sends."""
    text: str
    note: str = ""
    """An explanation, in small letters behind the text."""
    why_not: str = ""
    """Why it is shown and cannot be tapped."""
    off: bool = False
    """It cannot be tapped either, for a reason that stands elsewhere on the page."""
    mark: bool = False
    """It is chosen already."""
    main: bool = False
    """It is the proposed answer."""
    weak: bool = False
    """It can be tapped, and the rules speak against it."""


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked of this side, and the ways to answer."""

    text: str
    large: str = ""
    """Words before the text in larger letters, which are read from afar."""
    given: tuple[str, ...] = ()
    """The answers so far."""
    typed: str = ""
    """The answer that is begun and not complete."""
    options: tuple[Button, ...] = ()
    """The answers themselves."""
    pad: tuple[Button, ...] = ()
    """Keys that type an answer."""
    longest_text: int = 0
    """The most characters of a text that may be written; 0: none may."""
    secret: bool = False
    """A text is not shown while it is written."""
    hint: str = ""
    """What the numbers mean, or what is accepted."""
    toggles: tuple[Button, ...] = ()
    """Circumstances that hold or do not hold."""
    preview: Page = NOTHING
    """What is likely to happen, the odds for instance."""
    confirm: Button | None = None
    """What ends the answer, or gives the order."""
    back: Button | None = None
    """One step back, or what Esc does."""


class SidePage(msgspec.Struct, frozen=True, kw_only=True):
    """One state of the game as a side, or a spectator, may see it."""

    journal_length: int
    """The length of the journal."""
    keys: tuple[str, ...]
    """What this side has tapped since the last entry of the journal: its unfinished order."""
    title: str
    whose: str
    """The side, by its name."""
    headline: str
    """The clock of the game: its turn and phase, and who moves."""
    over: bool
    """The game has ended."""
    party: Party = None
    """Which of the two sides it is; None: neither, or there are more."""
    colours: tuple[str, str] = NO_NATION
    """The names of the colours of both sides."""
    notice: str = ""
    """Why the last tap did nothing."""
    question: Question | None = None
    waiting: str = ""
    """A sentence that says for whom the game waits; empty: for this side, or for nobody."""
    asked: bool = False
    """The game waits for this side."""
    held_up: str = ""
    """A sentence that says who waits for this side's answer; empty: nobody."""
    verdict: Verdict | None = None
    against: Page = NOTHING
    """The shot that another is putting together against this side."""
    commands: tuple[tuple[str, tuple[Button, ...]], ...] = ()
    """Headings, each with what this side can begin."""
    situation: Page = NOTHING
    """How the game stands."""
    due: Page = NOTHING
    """What players must know or do now, the most urgent first."""
    board: Page = NOTHING
    """The forces."""
    wall: WallBoard | None = None
    """What a spectator sees drawn: the losses by turn."""
    phases: Steps | None = None
    """Those of the turn; None: the game has none."""
    journal: tuple[JournalLine, ...] = ()
    """The end of the journal; its last line is the latest."""
