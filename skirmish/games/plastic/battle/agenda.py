"""The pending steps of a battle and its open question, as data, so that a battle can be stored,
undone and resumed at any of them.

An order whose dice or choices are not all known yet leaves the rest of its work as tasks
(``ToJudge``, ``ToBury``, ...) on the agenda, and asks for what it needs (``DrawAsk``,
``CasualtyAsk``, ...). The answer takes the tasks up again. Numbers such as P55 are rulings, where
the rules leave a gap.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import ClassVar, Literal, Self

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.battle.names import piece_side
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.rules.shot import Circumstances
from skirmish.tabletop.chance import Draw

CheckKind = Literal["pin", "command", "entrench", "wire"]
"""What a check is for: whether men are pinned, whether the movement of a side ends (the command
cards of its quality), whether men have dug in, whether they have cleared wire."""
LotKind = Literal["terrain", "side"]
"""What both sides draw lots for: who places terrain first, and who sets up and moves first."""
DrawPurpose = Literal["shot", "breakdown", "pin", "command", "entrench", "table", "charges", "lot"]
"""What a draw is for. ``table``: a draw table of the scenario; ``lot``: who goes first, before
play."""


# ``gc=False`` here and below: a task or question never refers back to itself, so the garbage
# collector can leave it alone.
class Shooting(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A shot as it is ordered: which piece fires which weapon at which row. Pieces, weapons and
    rows are named by their ids."""

    id: int
    piece: str
    slot: int
    """The index of the weapon among those of the shooter, from 0."""
    weapon: str
    target: str
    """The row aimed at."""
    first: str
    """The row of the first target, where repeat fire goes on from one man to the next; else that
    of ``target``."""
    at: Circumstances
    """What the players see on the table as it is fired, such as the distance."""
    nth: int = 1
    """Which shot it is of its run of repeat fire, from 1."""
    volley: int = 0
    """The id of the first shot of its volley; 0: it is no volley."""
    reach: int = 0
    """How many can be hit by a volley; 0: it is no volley, or one that an early version stored."""


class Hit(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A shot that kills, with its draw. The target dies if ``exact``; otherwise the defender
    chooses who dies."""

    shot: Shooting
    draw: Draw | None = None
    """None if players counted the hits of a volley instead of entering each draw."""
    exact: bool


class BattleTask(msgspec.Struct, frozen=True, kw_only=True, gc=False, tag_field="task"):
    """A step of the agenda. Tasks are stored in journals; ``orders`` has what is done for each."""


class ToJudge(BattleTask, frozen=True, kw_only=True, tag="judge"):
    """Draw for a shot and judge it."""

    shot: Shooting
    drawn: Draw | None = None
    """The draw if it was made already: that for a breakdown may be read as the shot, too (P82)."""


class ToTest(BattleTask, frozen=True, kw_only=True, tag="test"):
    """Draw for a breakdown of the weapon; ``draw`` is that of the shot, which calls for it."""

    shot: Shooting
    draw: Draw


class ToBury(BattleTask, frozen=True, kw_only=True, tag="bury"):
    """Take the victims of these hits off the table, after asking the defender where he may choose
    them."""

    hits: tuple[Hit, ...]


class ToRepeat(BattleTask, frozen=True, kw_only=True, tag="repeat"):
    """Offer another shot to a weapon with repeat fire, at a man within so many inches (``within``)
    of the first or the last target (``of``)."""

    shot: Shooting
    within: int
    of: Literal["first", "last"]


class Party(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Shooters of a mixed volley who fire alike, with the same unit and weapon, and have not fired
    yet."""

    shot: Shooting
    """How each of them fires."""
    pieces: tuple[str, ...]
    pins: bool = False
    """Whether each of them causes a pin test."""


class ToVolley(BattleTask, frozen=True, kw_only=True, tag="volley"):
    """Go on with a volley. All of it is resolved in one order, so what has been done so far is
    stored here."""

    shot: Shooting
    """How each of the shooters fires, whichever piece it names."""
    pieces: tuple[str, ...]
    """The shooters who have not fired yet."""
    reach: int
    """How many of the target's group can be hit."""
    fired: int = 0
    """How many shooters have fired; in a mixed volley, how many of the present party."""
    shots: int = 0
    """How many shots they have fired: with repeat fire, more than one each."""
    hits: tuple[Hit, ...] = ()
    again: Shooting | None = None
    """The next shot of the present shooter, who has repeat fire and may fire once more."""
    not_shot_at: int | None = msgspec.field(default=None, name="new")
    """How many in reach the present shooter has not shot at yet (P22); None: all of them. Journals
    have it as ``new``."""
    pins: bool = False
    """Whether each shooter causes a pin test."""
    parties: tuple[Party, ...] = ()
    """In a mixed volley, those who fire next."""
    done: int = 0
    """In a mixed volley, how many shooters of earlier parties have fired."""
    tests: int = 0
    """In a mixed volley, how many pin tests earlier parties cause."""


class ToSink(BattleTask, frozen=True, kw_only=True, tag="sink"):
    """Take off a lost model and those inside, after asking who was inside if that is not known."""

    carrier: str
    shot: Shooting
    draw: Draw | None = None
    """The draw that killed it, if it was recorded."""
    breakdown: bool = False
    """Whether it broke down, and was not hit."""


class ToCheck(BattleTask, frozen=True, kw_only=True, tag="check"):
    """Make the draws of a check, such as those of a pin test."""

    check: CheckKind
    side: str
    engineers: bool = False
    """Whether there is an engineer among those who dig in."""
    times: int = 1
    """The most draws that are made (P55)."""
    lone: bool = False
    """Whether the test is of a man by himself, so that there is none if he dies."""
    row: str | None = None
    """Whom a pin test is about; None for other checks, and in battles of early versions."""
    men: int = 1
    """How many can be pinned: once so many are, no more draws are made."""
    shot: int = 0
    """The id of the shot that caused it, or of the first shot of its run of fire or volley. 0: no
    shot did, or an early version of the program stored it."""
    contingent: str = ""
    """Whose quality counts, where contingents have their own and players name one."""


class ToTable(BattleTask, frozen=True, kw_only=True, tag="table"):
    """Make a draw for a draw table of the scenario."""

    happening: int
    """The index of the table among the happenings of the scenario."""
    side: str
    nth: int
    """Which draw for this table it is."""
    entry: str | None = None
    """Where reinforcements come on, as an earlier draw for this table said; None: none has."""
    choosing: bool = False
    """Whether the draw leaves the side a choice."""


class ToCharges(BattleTask, frozen=True, kw_only=True, tag="charges"):
    """Draw whether charges go off."""

    charges: str
    """Their id."""
    side: str


class ToCast(BattleTask, frozen=True, kw_only=True, tag="cast"):
    """Have both sides draw lots, again after a tie."""

    lot: LotKind
    drawn: dict[str, Draw] = {}
    """The draws so far, by side."""
    ties: int = 0
    """How many ties there were before."""


AnyTask = (
    ToJudge
    | ToTest
    | ToBury
    | ToRepeat
    | ToVolley
    | ToSink
    | ToCheck
    | ToTable
    | ToCharges
    | ToCast
)
Agenda = tuple[AnyTask, ...]


class Ask(msgspec.Struct, frozen=True, kw_only=True, gc=False, tag_field="ask"):
    """A question that only the players can answer."""

    demand: ClassVar[str] = ""
    """What has to be done first, before another order, as a sentence. It is empty for an offer,
    which any other order declines, and where ``waiting`` makes the sentence of this question."""

    def waiting(self, setup: Setup) -> str:
        """What has to be done first, before another order, with the names of this battle; empty for
        an offer."""
        return self.demand

    def sides(self, setup: Setup) -> tuple[str, ...]:
        """The sides that may answer."""
        return tuple(side.id for side in setup.sides)

    def seen(self, secret: Collection[str], rows: Collection[str]) -> Self | None:
        """The question as others see it, who must not know of the ``secret`` pieces and of these
        ``rows``; None if it is only about them."""
        del secret, rows
        return self


class AskOfSide(Ask, frozen=True, kw_only=True):
    """A question to one side."""

    side: str

    def sides(self, setup: Setup) -> tuple[str, ...]:
        return (self.side,)


class DrawAsk(AskOfSide, frozen=True, kw_only=True, tag="draw"):
    """The next card or roll of a side whose players draw and enter it."""

    die: bool
    """Whether it is a roll."""
    why: DrawPurpose
    rank: int | None = None
    """The rank of a card that was entered without its suit, if the suit is needed here."""

    def waiting(self, setup: Setup) -> str:
        noun = "card"
        if self.die:
            noun = "roll"
        return f"First enter the {setup.owned_by(self.side, noun)}."


class CasualtyAsk(AskOfSide, frozen=True, kw_only=True, tag="casualty"):
    """Who dies."""

    demand = "First choose the casualty: who dies?"

    rows: tuple[str, ...]
    """The rows among which the side may choose."""
    proposed: tuple[str, ...]
    """A row for each man who dies, which loses him unless the side chooses otherwise."""
    aimed_at: str
    """The row at which the shooters aimed."""

    @property
    def count(self) -> int:
        """How many men die."""
        return len(self.proposed)

    def seen(self, secret: Collection[str], rows: Collection[str]) -> Self:
        return replace(
            self,
            rows=tuple(row for row in self.rows if row not in rows),
            proposed=tuple(row for row in self.proposed if row not in rows),
        )


class PieceAsk(AskOfSide, frozen=True, kw_only=True, tag="piece"):
    """Which model of a row was hit, since they differ."""

    demand = "First choose the model that was hit."

    row: str
    pieces: tuple[str, ...]

    def seen(self, secret: Collection[str], rows: Collection[str]) -> Self:
        return replace(self, pieces=tuple(piece for piece in self.pieces if piece not in secret))


class InsideAsk(AskOfSide, frozen=True, kw_only=True, tag="inside"):
    """Who was inside a lost model whose load is not known."""

    demand = "First say who was inside."

    carrier: str

    def seen(self, secret: Collection[str], rows: Collection[str]) -> Self | None:
        if self.carrier in secret:
            return None
        return self


class ChoiceAsk(AskOfSide, frozen=True, kw_only=True, tag="choice"):
    """A choice that a draw table leaves to the side."""

    question: str
    options: tuple[str, ...]

    def waiting(self, setup: Setup) -> str:
        return f"First: {self.question}"


class RepeatAsk(Ask, frozen=True, kw_only=True, tag="repeat"):
    """The offer to fire again, at a man within so many inches (``within``) of the first or the last
    target (``of``). Everybody gets it as it is (``seen``): where the shooter is secret, those who
    show it leave out his name."""

    shot: Shooting
    within: int
    of: Literal["first", "last"]

    def sides(self, setup: Setup) -> tuple[str, ...]:
        return (piece_side(self.shot.piece),)


class OutcomeAsk(Ask, frozen=True, tag="outcome"):
    """How the battle ended."""

    demand = "Time is up: press F to say who won, or Backspace to undo."

    count: bool = False
    """Whether the players count what decides victory; otherwise they name the winner."""


AnyAsk = DrawAsk | CasualtyAsk | PieceAsk | InsideAsk | ChoiceAsk | RepeatAsk | OutcomeAsk
