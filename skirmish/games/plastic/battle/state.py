"""The state of a battle: always the fold of its events, never changed by anything else.

Nothing that eyes can see better is in here: no places, no cover, no contact. A figure is known by
its id; what it is by now, whether it lives, has fired or sits in a truck are sets and maps of ids.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from skirmish.games.plastic.battle.agenda import AnyAsk, AnyTask
from skirmish.games.plastic.battle.events import (
    Ceased,
    Checked,
    Clock,
    Credit,
    HitsCounted,
    Judged,
    Tested,
)
from skirmish.games.plastic.battle.orders import Level
from skirmish.games.plastic.battle.setup import Piece, Setup
from skirmish.games.plastic.rules.catalog import Nation, Quality
from skirmish.games.plastic.rules.options import Options
from skirmish.games.plastic.rules.shot import CLOSE_PHASES
from skirmish.tabletop.chance import Draw, Source


class Outcome(msgspec.Struct, frozen=True):
    """How it ended. ``winner`` None: nobody won. ``agreed``: as the players said."""

    winner: str | None
    reason: str
    agreed: bool = False


class Tally(msgspec.Struct, frozen=True):
    """What the players counted last, by side id, and when."""

    values: dict[str, int]
    clock: Clock


class State(msgspec.Struct, frozen=True, kw_only=True):
    """A battle at one moment.

    Pieces: ``lost`` (with who did it, None for a correction), ``exited`` (the value each piece had
    for victory), ``added`` to the opening, ``turned`` into another unit, ``disarmed`` weapons,
    ``waiting`` to come on, ``hidden``, ``unserved``; ``aboard`` maps riders to carriers, and of
    the ``recorded`` carriers it is known who is inside. ``loss`` is each side's in potential dead
    guys: its own dead (``worth_lost`` each piece's) and, in the basic game, enemies who left over
    its edge (``charged`` each piece's). ``works`` what is left of its entrenchments and wire.

    The player turn: ``fired`` holds the weapons used in it, ``judged`` its shots,
    ``counts`` its counted volleys, and ``movement_over`` is set by a command draw.
    ``pinned`` counts the pinned groups of rows, until movement is over. ``shots`` counts the shots
    declared.

    Resolution: ``agenda`` (``left``: what the end of the battle cut off of it), ``ask``, and
    ``hand``, draws of the source ``hand_of`` that were typed and wait to be read.
    For the screen: ``verdict`` is the last thing judged, ``checked`` the last check after it,
    ``ceased`` the volley that has just ended.
    """

    setup: Setup
    clock: Clock
    first: str
    levels: dict[str, Level]
    sources: dict[str, Source]
    options: Options
    quality: dict[str, str | None]

    lost: dict[str, Credit | None] = {}
    loss: dict[str, int] = {}
    worth_lost: dict[str, int] = {}
    exited: dict[str, int] = {}
    charged: dict[str, int] = {}
    added: dict[str, Piece] = {}
    turned: dict[str, str] = {}
    disarmed: frozenset[str] = frozenset()
    waiting: frozenset[str] = frozenset()
    hidden: frozenset[str] = frozenset()
    unserved: frozenset[str] = frozenset()
    aboard: dict[str, str] = {}
    recorded: frozenset[str] = frozenset()
    works: dict[str, dict[str, int]] = {}
    toggled: frozenset[str] = frozenset()
    counted: Tally | None = None
    sealed: dict[str, str] = {}

    fired: frozenset[str] = frozenset()
    judged: tuple[Judged, ...] = ()
    counts: tuple[HitsCounted, ...] = ()
    served_now: int = 0
    cleared_now: int = 0
    movement_over: bool = False
    pinned: dict[str, int] = {}
    shots: int = 0

    agenda: tuple[AnyTask, ...] = ()
    left: tuple[AnyTask, ...] = ()
    ask: AnyAsk | None = None
    hand: tuple[Draw, ...] = ()
    hand_of: str = ""
    verdict: Judged | Tested | None = None
    checked: Checked | None = None
    ceased: Ceased | None = None
    outcome: Outcome | None = None
    open_end: bool = False

    @property
    def mover(self) -> str:
        """The side that moves."""
        return self.clock.side

    @property
    def second(self) -> str:
        """The side that moves second in each turn."""
        return self.setup.enemy_of(self.first).id

    @property
    def firing_side(self) -> str:
        """Who may fire now: the mover only in phase 3 ("Sequence of Play")."""
        return self.mover if self.clock.phase == 3 else self.setup.enemy_of(self.mover).id

    def pieces(self) -> Iterator[Piece]:
        """Every piece that the battle has known, the opening's first."""
        yield from self.setup.pieces
        yield from self.added.values()

    def piece(self, piece: str) -> Piece:
        """One piece by its id."""
        return self.setup.by_id.get(piece) or self.added[piece]

    def knows(self, piece: str) -> bool:
        """Whether a piece is of this battle: the line that added it may have been made void."""
        return piece in self.setup.by_id or piece in self.added

    def unit_of(self, piece: str) -> str:
        """What a piece is by now."""
        return self.turned.get(piece) or self.piece(piece).unit

    def is_up(self, piece: str) -> bool:
        """Whether a piece lives and has not left the table for good."""
        return piece not in self.lost and piece not in self.exited

    def rides(self, piece: str) -> bool:
        """Whether a piece sits in a model that is up; if that is not, the piece is on foot."""
        carrier = self.aboard.get(piece)
        return carrier is not None and self.is_up(carrier)

    def riders_of(self, carrier: str) -> tuple[str, ...]:
        """Who is known to be aboard of a model, the dead and the gone left out."""
        return tuple(
            rider
            for rider, inside in self.aboard.items()
            if inside == carrier and self.is_up(rider)
        )

    def nation_of(self, side: str) -> Nation | None:
        """The nation whose traits the side plays with, if nationalities are played."""
        nation = self.setup.side_by_id[side].nation
        return self.setup.catalog.nations[nation] if nation and self.options.nationalities else None

    def quality_of(self, side: str) -> Quality | None:
        """The side's force quality, if it plays with one."""
        name = self.quality.get(side)
        return self.setup.catalog.qualities[name] if name else None

    def source_of(self, side: str) -> str:
        """Whose deck or die a side draws from: its own, or (P23) the first side's for both."""
        return self.setup.source_of(side)


def window(phase: int) -> str:
    """The span within which a weapon fires once: phases 1 and 2 together, 3 and 4 by themselves."""
    return str(phase) if phase in CLOSE_PHASES else "12"
