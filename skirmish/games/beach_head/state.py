"""The beach as it stands. Frozen; always the fold of events."""

from __future__ import annotations

import msgspec

from skirmish.games.beach_head.agenda import AnyAsk, AnyTask, Roll
from skirmish.games.beach_head.manual import DefenceId, Phase, PhaseId, TankId
from skirmish.games.beach_head.setup import Setup
from skirmish.tabletop.chance import Draw, Source


class Before(msgspec.Struct, frozen=True):
    """The beach at the start of a turn or phase, for readings that look back (B12 to B34)."""

    defences: dict[DefenceId, int]
    squads: int


class State(msgspec.Struct, frozen=True, kw_only=True):
    """One game. ``phase`` is None before the first; ``casualties`` are the score.

    ``craft_hit`` counts landing craft hit this turn, ``craft_hit_before`` in the last. ``deck`` is
    None without cards. ``roll`` lies on the table, ``ask`` is open, ``agenda`` is still to be done
    in this phase, which is played again if ``repeats``.
    """

    setup: Setup
    defences: dict[DefenceId, int]
    turn: int = 0
    phase: PhaseId | None = None
    squads: int = 0
    tanks: tuple[TankId, ...] = ()
    casualties: int = 0
    tanks_lost: int = 0
    craft_hit: int = 0
    craft_hit_before: int = 0
    at_turn: Before
    at_phase: Before
    dice: Source
    deck: Source | None = None
    hand: tuple[Draw, ...] = ()
    discard: tuple[Draw, ...] = ()
    agenda: tuple[AnyTask, ...] = ()
    roll: Roll | None = None
    ask: AnyAsk | None = None
    repeats: bool = False
    over: bool = False

    @property
    def now(self) -> Phase:
        """The phase that is played."""
        return self.setup.manual.phase[self.setup.manual.place(self.phase or "tactical")]

    @property
    def cleared(self) -> bool:
        """Whether every defence that wins the game is gone."""
        return not any(self.defences[one.id] for one in self.setup.manual.defence if one.wins)

    def ruled(self, ruling: str, answer: str) -> bool:
        """Whether ``ruling`` is answered so."""
        return self.setup.rulings[ruling] == answer
