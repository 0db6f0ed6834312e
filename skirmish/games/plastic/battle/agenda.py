"""What is still to be resolved, as data: the steps of the agenda, and what the program asks.

Resolution stops in the middle all the time: for a typed card, for the defender's choice, for an
offer of another shot. So a state holds its agenda and, if it waits, its ask; it can be kept,
undone and resumed at any of them.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.rules.shot import Circumstances
from skirmish.tabletop.chance import Draw

CheckKind = Literal["pin", "command", "entrench", "wire"]
LotKind = Literal["terrain", "side"]
Why = Literal["shot", "breakdown", "pin", "command", "entrench", "table", "lot"]
"""What a draw is for."""


class Shooting(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A shot in hand, the ``id``-th of its battle. ``slot`` is the weapon's place among the
    shooter's; ``first`` is the row of the first man of a chain, ``target`` that of this shot, which
    is the ``nth`` of the chain. ``volley`` is the first shot of its volley, at ``reach`` men or
    models; 0 where it is in none."""

    id: int
    piece: str
    slot: int
    weapon: str
    target: str
    first: str
    at: Circumstances
    nth: int = 1
    volley: int = 0
    reach: int = 0


class Hit(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A hit: the man aimed at dies if ``exact``, else whom the defender gives. ``draw`` is None
    where hits were counted."""

    shot: Shooting
    draw: Draw | None = None
    exact: bool


# ------------------------------------------------------------------ the steps


class Task(msgspec.Struct, frozen=True, kw_only=True, gc=False, tag_field="task"):
    """A step of the agenda."""


class ToJudge(Task, frozen=True, kw_only=True, tag="judge"):
    """The shot waits for its draw. ``drawn`` is the second draw of a breakdown, where that is read
    as the shot (P82)."""

    shot: Shooting
    drawn: Draw | None = None


class ToTest(Task, frozen=True, kw_only=True, tag="test"):
    """The shooter waits for its breakdown draw."""

    shot: Shooting
    draw: Draw


class ToBury(Task, frozen=True, kw_only=True, tag="bury"):
    """Somebody dies for each of the ``hits``."""

    hits: tuple[Hit, ...]


class ToRepeat(Task, frozen=True, kw_only=True, tag="repeat"):
    """Another shot may follow, within so many inches of the first or the last man."""

    shot: Shooting
    within: int
    of: Literal["first", "last"]


class ToVolley(Task, frozen=True, kw_only=True, tag="volley"):
    """A volley goes on: ``pieces`` have still to fire as ``shot`` says (its piece is a stand-in),
    at a group of ``reach``, of whom ``hits`` are hit; ``fired`` have fired ``shots``, and ``again``
    may fire once more. ``new`` are those in reach whom the one who fires has not shot at (P22).
    ``pins``: a pin draw is owed for each who fired."""

    shot: Shooting
    pieces: tuple[str, ...]
    reach: int
    fired: int = 0
    shots: int = 0
    hits: tuple[Hit, ...] = ()
    again: Shooting | None = None
    new: int | None = None
    pins: bool = False


class ToSink(Task, frozen=True, kw_only=True, tag="sink"):
    """A carrier was lost by that shot and draw: who was inside?"""

    carrier: str
    shot: Shooting
    draw: Draw | None = None
    breakdown: bool = False


class ToCheck(Task, frozen=True, kw_only=True, tag="check"):
    """A pin, command or entrench draw of ``side``, up to ``times`` (one for each machine gun, or
    each of its shots: P55) while it comes to nothing. ``lone``: whoever may be pinned is in no
    group, so that nobody is if he dies."""

    check: CheckKind
    side: str
    engineers: bool = False
    times: int = 1
    lone: bool = False


class ToTable(Task, frozen=True, kw_only=True, tag="table"):
    """The ``nth`` draw on a table of the scenario; ``entry`` is where who comes comes on.
    ``choosing``: it was drawn and leaves the side a choice."""

    happening: int
    side: str
    nth: int
    entry: str | None = None
    choosing: bool = False


class ToCast(Task, frozen=True, kw_only=True, tag="cast"):
    """Both sides draw; ``drawn`` have drawn already, after so many ``ties``."""

    lot: LotKind
    drawn: dict[str, Draw] = {}
    ties: int = 0


AnyTask = ToJudge | ToTest | ToBury | ToRepeat | ToVolley | ToSink | ToCheck | ToTable | ToCast


# ------------------------------------------------------------------ the questions


class Ask(msgspec.Struct, frozen=True, kw_only=True, gc=False, tag_field="ask"):
    """Something only the players can answer."""

    def waiting(self, setup: Setup) -> str:
        """What has to be done first, for an order that is none of its answers; empty for an offer,
        which any order lets go."""
        del setup
        return ""


class DrawAsk(Ask, frozen=True, kw_only=True, tag="draw"):
    """A card or die of the side's own. ``rank``: that rank was shown without a suit, and here the
    suit matters."""

    side: str
    die: bool
    why: Why
    rank: int | None = None

    def waiting(self, setup: Setup) -> str:
        return f"First enter the {setup.of(self.side, 'roll' if self.die else 'card')}."


class CasualtyAsk(Ask, frozen=True, kw_only=True, tag="casualty"):
    """The defender's choice among ``rows``, ``count`` times."""

    side: str
    rows: tuple[str, ...]
    proposed: tuple[str, ...]
    aimed_at: str

    @property
    def count(self) -> int:
        return len(self.proposed)

    def waiting(self, setup: Setup) -> str:
        return "First choose the casualty: who dies?"


class PieceAsk(Ask, frozen=True, kw_only=True, tag="piece"):
    """Which model was hit? It matters here: they differ in cargo, fuel or weapons."""

    side: str
    row: str
    pieces: tuple[str, ...]

    def waiting(self, setup: Setup) -> str:
        return "First choose the model that was hit."


class InsideAsk(Ask, frozen=True, kw_only=True, tag="inside"):
    """Who was aboard of ``carrier``, which is lost? Nothing was recorded."""

    side: str
    carrier: str

    def waiting(self, setup: Setup) -> str:
        return "First say who was inside; Enter means nobody."


class ChoiceAsk(Ask, frozen=True, kw_only=True, tag="choice"):
    """One of several, in words."""

    side: str
    question: str
    options: tuple[str, ...]

    def waiting(self, setup: Setup) -> str:
        return f"First: {self.question}"


class RepeatAsk(Ask, frozen=True, kw_only=True, tag="repeat"):
    """An offer: any other order lets it go."""

    shot: Shooting
    within: int
    of: Literal["first", "last"]


class OutcomeAsk(Ask, frozen=True, tag="outcome"):
    """The clock has run out. ``count``: victory hangs on what the players count now; else they
    say who won."""

    count: bool = False

    def waiting(self, setup: Setup) -> str:
        return "Time is up: press F to say who won, or Backspace to undo."


AnyAsk = DrawAsk | CasualtyAsk | PieceAsk | InsideAsk | ChoiceAsk | RepeatAsk | OutcomeAsk
