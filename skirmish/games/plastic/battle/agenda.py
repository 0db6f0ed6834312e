"""The pending steps of a battle and its open question, as data, so that a battle can be stored,
undone and resumed at any of them."""

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
LotKind = Literal["terrain", "side"]
Why = Literal["shot", "breakdown", "pin", "command", "entrench", "table", "lot"]
"""What a draw is for."""


class Shooting(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """``slot`` is the weapon's place among the shooter's; ``first`` is the row of the first man of
    a chain, of which this is the ``nth`` shot. ``volley`` is the first shot of its volley or 0."""

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
    """The target dies if ``exact``; otherwise the defender chooses."""

    shot: Shooting
    draw: Draw | None = None
    exact: bool


class BattleTask(msgspec.Struct, frozen=True, kw_only=True, gc=False, tag_field="task"):
    """A step of the agenda."""


class ToJudge(BattleTask, frozen=True, kw_only=True, tag="judge"):
    """``drawn`` is the second draw of a breakdown, if it is read as the shot (P82)."""

    shot: Shooting
    drawn: Draw | None = None


class ToTest(BattleTask, frozen=True, kw_only=True, tag="test"):
    shot: Shooting
    draw: Draw


class ToBury(BattleTask, frozen=True, kw_only=True, tag="bury"):
    hits: tuple[Hit, ...]


class ToRepeat(BattleTask, frozen=True, kw_only=True, tag="repeat"):
    """Another shot may follow, within this many inches of the first or the last target."""

    shot: Shooting
    within: int
    of: Literal["first", "last"]


class Party(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Shooters of a mixed volley who still have to fire, like ``shot``; ``pins``: each of them
    causes a pin test."""

    shot: Shooting
    pieces: tuple[str, ...]
    pins: bool = False


class ToVolley(BattleTask, frozen=True, kw_only=True, tag="volley"):
    """``pieces`` still have to fire like ``shot`` (whose own piece is a placeholder) at a group of
    ``reach``, of which ``hits`` are hit. ``fired`` have fired ``shots``; ``again`` may fire once
    more. ``new``: targets in reach that the present shooter has not shot at (P22). ``pins``: each
    shooter causes a pin test. In a mixed volley the ``parties`` fire next; of those before them
    ``done`` have fired, and ``tests`` are the pin tests that they cause."""

    shot: Shooting
    pieces: tuple[str, ...]
    reach: int
    fired: int = 0
    shots: int = 0
    hits: tuple[Hit, ...] = ()
    again: Shooting | None = None
    new: int | None = None
    pins: bool = False
    parties: tuple[Party, ...] = ()
    done: int = 0
    tests: int = 0


class ToSink(BattleTask, frozen=True, kw_only=True, tag="sink"):
    carrier: str
    shot: Shooting
    draw: Draw | None = None
    breakdown: bool = False


class ToCheck(BattleTask, frozen=True, kw_only=True, tag="check"):
    """Up to ``times`` draws (P55), until ``men`` are pinned. ``row``: whom a pin test is about;
    battles of before have none. ``lone``: of a man by himself, so there is no test if he dies."""

    check: CheckKind
    side: str
    engineers: bool = False
    times: int = 1
    lone: bool = False
    row: str | None = None
    men: int = 1


class ToTable(BattleTask, frozen=True, kw_only=True, tag="table"):
    """``entry`` is where reinforcements come on. ``choosing``: the draw leaves the side a
    choice."""

    happening: int
    side: str
    nth: int
    entry: str | None = None
    choosing: bool = False


class ToCast(BattleTask, frozen=True, kw_only=True, tag="cast"):
    """Both sides draw; ``drawn`` holds those that have, after ``ties`` ties."""

    lot: LotKind
    drawn: dict[str, Draw] = {}
    ties: int = 0


AnyTask = ToJudge | ToTest | ToBury | ToRepeat | ToVolley | ToSink | ToCheck | ToTable | ToCast
Agenda = tuple[AnyTask, ...]


class Ask(msgspec.Struct, frozen=True, kw_only=True, gc=False, tag_field="ask"):
    """A question that only the players can answer."""

    first: ClassVar[str] = ""
    """What has to be done before another order; empty for an offer."""

    def waiting(self, setup: Setup) -> str:
        del setup
        return self.first

    def sides(self, setup: Setup) -> tuple[str, ...]:
        """The sides that may answer."""
        return tuple(side.id for side in setup.sides)

    def seen(self, secret: Collection[str], rows: Collection[str]) -> Self | None:
        """The question without these pieces and rows; None if it is only about them."""
        del secret, rows
        return self


class AskOfSide(Ask, frozen=True, kw_only=True):
    side: str

    def sides(self, setup: Setup) -> tuple[str, ...]:
        del setup
        return (self.side,)


class DrawAsk(AskOfSide, frozen=True, kw_only=True, tag="draw"):
    """``rank``: that rank was entered without its suit, which is needed here."""

    die: bool
    why: Why
    rank: int | None = None

    def waiting(self, setup: Setup) -> str:
        return f"First enter the {setup.of(self.side, 'roll' if self.die else 'card')}."


class CasualtyAsk(AskOfSide, frozen=True, kw_only=True, tag="casualty"):
    first = "First choose the casualty: who dies?"

    rows: tuple[str, ...]
    proposed: tuple[str, ...]
    aimed_at: str

    @property
    def count(self) -> int:
        return len(self.proposed)

    def seen(self, secret: Collection[str], rows: Collection[str]) -> Self:
        return replace(
            self,
            rows=tuple(row for row in self.rows if row not in rows),
            proposed=tuple(row for row in self.proposed if row not in rows),
        )


class PieceAsk(AskOfSide, frozen=True, kw_only=True, tag="piece"):
    first = "First choose the model that was hit."

    row: str
    pieces: tuple[str, ...]

    def seen(self, secret: Collection[str], rows: Collection[str]) -> Self:
        return replace(self, pieces=tuple(one for one in self.pieces if one not in secret))


class InsideAsk(AskOfSide, frozen=True, kw_only=True, tag="inside"):
    first = "First say who was inside. Enter means nobody."

    carrier: str

    def seen(self, secret: Collection[str], rows: Collection[str]) -> Self | None:
        return None if self.carrier in secret else self


class ChoiceAsk(AskOfSide, frozen=True, kw_only=True, tag="choice"):
    question: str
    options: tuple[str, ...]

    def waiting(self, setup: Setup) -> str:
        return f"First: {self.question}"


class RepeatAsk(Ask, frozen=True, kw_only=True, tag="repeat"):
    shot: Shooting
    within: int
    of: Literal["first", "last"]

    def sides(self, setup: Setup) -> tuple[str, ...]:
        del setup
        return (piece_side(self.shot.piece),)


class OutcomeAsk(Ask, frozen=True, tag="outcome"):
    """``count``: the players count what decides victory; otherwise they name the winner."""

    first = "Time is up: press F to say who won, or Backspace to undo."

    count: bool = False


AnyAsk = DrawAsk | CasualtyAsk | PieceAsk | InsideAsk | ChoiceAsk | RepeatAsk | OutcomeAsk
