"""What happened. Every draw stands in its event, so a journal is folded without any chance.

Events that leave something to be resolved carry the agenda that follows (``then``): a rule mended
later cannot change how an old battle folds.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.rules.shot import Circumstances
from skirmish.tabletop.chance import Draw


class Clock(msgspec.Struct, frozen=True):
    """Whose turn it is: game turn from 1, the side that moves, phase 1 to 4."""

    turn: int
    side: str
    phase: int


class Shooting(msgspec.Struct, frozen=True, kw_only=True):
    """A shot in hand, the ``id``-th of its battle. ``slot`` is the weapon's place among the
    shooter's; ``first`` is the row of the first man of a chain, ``target`` that of this shot, which
    is the ``nth`` of the chain."""

    id: int
    piece: str
    slot: int
    weapon: str
    target: str
    first: str
    at: Circumstances
    nth: int = 1


class Credit(msgspec.Struct, frozen=True, kw_only=True):
    """Who did it: the shot, the piece, its unit and weapon then, turn and draw."""

    shot: int
    piece: str
    unit: str
    weapon: str
    turn: int
    draw: Draw
    breakdown: bool = False


# ------------------------------------------------------------------ what is still to be resolved


class Task(msgspec.Struct, frozen=True, kw_only=True, tag_field="task"):
    """A step of the agenda."""


class ToJudge(Task, frozen=True, kw_only=True, tag="judge"):
    """The shot waits for its draw."""

    shot: Shooting


class ToTest(Task, frozen=True, kw_only=True, tag="test"):
    """The shooter waits for its breakdown draw."""

    shot: Shooting
    draw: Draw


class ToBury(Task, frozen=True, kw_only=True, tag="bury"):
    """Somebody dies: the man aimed at if ``exact``, else whom the defender gives."""

    shot: Shooting
    draw: Draw
    exact: bool


class ToRepeat(Task, frozen=True, kw_only=True, tag="repeat"):
    """Another shot may follow, within so many inches of the first or the last man."""

    shot: Shooting
    within: int
    of: Literal["first", "last"]


AnyTask = ToJudge | ToTest | ToBury | ToRepeat


# ------------------------------------------------------------------ what the program waits for


class Ask(msgspec.Struct, frozen=True, kw_only=True, tag_field="ask"):
    """Something only the players can answer."""


class DrawAsk(Ask, frozen=True, kw_only=True, tag="draw"):
    """A card or die of the side's own; ``why`` is ``shot`` or ``breakdown``."""

    side: str
    die: bool
    why: Literal["shot", "breakdown"]


class CasualtyAsk(Ask, frozen=True, kw_only=True, tag="casualty"):
    """The defender's choice among ``rows``; ``default`` is the cheapest."""

    side: str
    rows: tuple[str, ...]
    default: str
    aimed_at: str


class RepeatAsk(Ask, frozen=True, kw_only=True, tag="repeat"):
    """An offer: any other order lets it go."""

    shot: Shooting
    within: int
    of: Literal["first", "last"]


class OutcomeAsk(Ask, frozen=True, tag="outcome"):
    """The clock has run out: who won?"""


AnyAsk = DrawAsk | CasualtyAsk | RepeatAsk | OutcomeAsk


# ------------------------------------------------------------------ events


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="event"):
    """Something that has happened."""


class Opened(Event, frozen=True, kw_only=True, tag="opened"):
    """The battle begins."""

    setup: Setup


class Aimed(Event, frozen=True, kw_only=True, tag="aimed"):
    """A shot was declared; its weapon is now used. ``overruled``: advice that was set aside."""

    shot: Shooting
    side: str
    needs: int
    overruled: str = ""
    then: tuple[AnyTask, ...]


class Asked(Event, frozen=True, kw_only=True, tag="asked"):
    """The program waits for an answer."""

    ask: AnyAsk


class Shuffled(Event, frozen=True, kw_only=True, tag="shuffled"):
    """A deck was shuffled; ``aside`` lay out of it."""

    source: str
    aside: Draw | None = None


class Drawn(Event, frozen=True, kw_only=True, tag="drawn"):
    """A card or die. ``shuffle``, the card that lay ``aside`` of it, and ``nth`` say which one it
    is: a taken-back draw is known by them."""

    source: str
    draw: Draw
    shuffle: int
    aside: Draw | None = None
    nth: int


class Judged(Event, frozen=True, kw_only=True, tag="judged"):
    """What the draw did."""

    shot: Shooting
    draw: Draw
    needs: int
    hit: bool
    saved_by: str | None = None
    explain: str
    then: tuple[AnyTask, ...] = ()


class Tested(Event, frozen=True, kw_only=True, tag="tested"):
    """A breakdown draw."""

    shot: Shooting
    draw: Draw
    broken: bool
    explain: str
    then: tuple[AnyTask, ...] = ()


class Lost(Event, frozen=True, kw_only=True, tag="lost"):
    """A figure or model is gone, with who did it."""

    piece: str
    unit: str
    worth: int
    credit: Credit
    then: tuple[AnyTask, ...] = ()


class Turned(Event, frozen=True, kw_only=True, tag="turned"):
    """A man fights on as something else (breakdown: as a rifleman)."""

    piece: str
    unit: str


class Disarmed(Event, frozen=True, kw_only=True, tag="disarmed"):
    """One weapon of a model is gone (P19)."""

    piece: str
    slot: int


class Held(Event, frozen=True, kw_only=True, tag="held"):
    """An open repeat shot was let go, or nobody was left for it."""

    then: tuple[AnyTask, ...] = ()


class PhaseEnded(Event, frozen=True, kw_only=True, tag="phase_ended"):
    """The clock moved on within a player turn."""

    clock: Clock


class TurnEnded(Event, frozen=True, kw_only=True, tag="turn_ended"):
    """A player turn is over; ``clock`` is the next one."""

    clock: Clock


class Finished(Event, frozen=True, kw_only=True, tag="finished"):
    """The battle is over. ``winner`` None: a draw."""

    winner: str | None
    reason: str


AnyEvent = (
    Opened
    | Aimed
    | Asked
    | Shuffled
    | Drawn
    | Judged
    | Tested
    | Lost
    | Turned
    | Disarmed
    | Held
    | PhaseEnded
    | TurnEnded
    | Finished
)
