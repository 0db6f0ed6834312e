"""What the page of a side shows, as data: ``side_html`` makes HTML of it."""

from __future__ import annotations

import msgspec

from skirmish.tabletop.game import JournalLine, Verdict
from skirmish.tabletop.page import Page, Steps

NOTHING = Page("")


class Button(msgspec.Struct, frozen=True, kw_only=True):
    """Something to tap: ``press`` is what a tap sends. With a ``why_not`` it is shown and cannot be
    tapped; ``off``: the same, for a reason that stands elsewhere. ``mark``: it is chosen already;
    ``main``: it is the proposed answer; ``weak``: it can be tapped, and the rules speak against
    it."""

    press: str
    text: str
    note: str = ""
    why_not: str = ""
    mark: bool = False
    main: bool = False
    weak: bool = False
    off: bool = False


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked of this side: ``large`` words and a ``text``, the answers ``given`` so far, the
    unfinished ``typed`` one, and the ways to answer. ``words`` is the length of a text that may be
    written, 0: none; a ``secret`` one is not shown. ``hint``
    says what numbers mean, or what is accepted."""

    text: str
    large: str = ""
    given: tuple[str, ...] = ()
    typed: str = ""
    options: tuple[Button, ...] = ()
    pad: tuple[Button, ...] = ()
    words: int = 0
    secret: bool = False
    hint: str = ""
    toggles: tuple[Button, ...] = ()
    preview: Page = NOTHING
    confirm: Button | None = None
    back: Button | None = None


class SidePage(msgspec.Struct, frozen=True, kw_only=True):
    """One state of the game as a side, or a spectator, may see it. ``at`` is
    the length of the journal, ``keys`` is what was tapped since. ``waiting`` says for whom the game
    waits if not for this side; ``asked``: it waits for this one, and ``held_up`` says who waits
    with it. ``against`` is the shot that another is putting together;
    ``commands`` are headings with what this side can begin; the journal ends with its last
    line."""

    at: int
    keys: tuple[str, ...]
    title: str
    whose: str
    headline: str
    over: bool
    notice: str = ""
    question: Question | None = None
    waiting: str = ""
    held_up: str = ""
    asked: bool = False
    verdict: Verdict | None = None
    against: Page = NOTHING
    commands: tuple[tuple[str, tuple[Button, ...]], ...] = ()
    situation: Page = NOTHING
    due: Page = NOTHING
    board: Page = NOTHING
    phases: Steps | None = None
    journal: tuple[JournalLine, ...] = ()
