"""Reinforcements: the contingents that enter the table after the start of a battle."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from skirmish.games.plastic.battle import events
from skirmish.games.plastic.battle.orders.resolution import Order, Resolution
from skirmish.games.plastic.battle.pieces import Contingent
from skirmish.games.plastic.battle.rows import Row, rows
from skirmish.games.plastic.battle.state import State
from skirmish.tabletop.refusal import Refusal, nonsense


class Wave(msgspec.Struct, frozen=True):
    """Reinforcements that can enter in this turn (``due_now``) or in the next game turn. ``units``:
    how many of each row."""

    contingent: Contingent
    units: dict[str, int]
    due_now: bool


def waves(state: State) -> tuple[Wave, ...]:
    """All reinforcements that can enter in this turn or the next, those of this turn first."""
    arriving: list[Wave] = []
    later: list[Wave] = []
    for contingent in state.setup.contingents:
        # Of later contingents the turn of entry is shown beside their rows.
        if contingent.enters > state.clock.turn + 1:
            continue
        units = {row.key: len(row.waiting) for row in _rows_of(state, contingent) if row.waiting}
        if not units:
            continue
        if may_enter(state, contingent):
            arriving.append(Wave(contingent, units, due_now=True))
        else:
            later.append(Wave(contingent, units, due_now=False))
    return (*arriving, *later)


def _rows_of(state: State, contingent: Contingent) -> list[Row]:
    """The rows of a contingent, out of those of its side."""
    rows_of_side = rows(state, contingent.side)
    return [row for row in rows_of_side if row.contingent.id == contingent.id]


def may_enter(state: State, contingent: Contingent) -> bool:
    """Whether the mover may bring on the contingent: in its turn of entry, or in a later one
    (P76)."""
    return contingent.enters <= state.clock.turn and contingent.side == state.mover


class Enter(Order, frozen=True, kw_only=True, tag="enter"):
    """A contingent enters: all of it that waits or, where ``units`` is not empty, as many of each
    row as it says."""

    begun_by = "mover"
    anyway = "brings them on anyway."

    contingent: str
    units: dict[str, int] = msgspec.field(default_factory=dict)
    insist: bool = False

    def carry_out(self, run: Resolution) -> None:
        state = run.state
        contingent = state.setup.contingent_by_id.get(self.contingent)
        if contingent is None:
            text = f"There is no contingent called {self.contingent!r}."
            raise nonsense("unknown_contingent", text)
        its_rows = _rows_of(state, contingent)
        entering: list[str] = []
        for row in its_rows:
            entering += row.waiting
        if not entering:
            raise nonsense("all_here", f"All of {contingent.name} is already on the table.")
        if may_enter(state, contingent):
            run.advise_movement(contingent.side)
        else:
            turn = state.setup.owned_by(contingent.side, f"turn {contingent.enters}")
            text = f"{contingent.name} does not arrive before {turn}."
            run.advise(Refusal("not_here", text, "Scenario"))
        if self.units:
            entering = _with_riders(state, self._chosen(contingent, its_rows))
            _unload_walkers(run, entering)
        run.emit(events.Entered(contingent=contingent.id, pieces=tuple(entering)))

    def _chosen(self, contingent: Contingent, its_rows: Sequence[Row]) -> list[str]:
        """The waiting pieces, as many of each row as ``units`` says. Raises Refused if a row has
        fewer."""
        rows_by_key = {row.key: row for row in its_rows}
        pieces: list[str] = []
        for key, count in self.units.items():
            if key not in rows_by_key:
                raise nonsense("unknown_row", f"{contingent.name} has no row {key!r}.")
            row = rows_by_key[key]
            pieces += row.take(row.waiting, count, only="left to arrive")
        return pieces

    def given_by(self, state: State) -> tuple[str, ...]:
        contingent = state.setup.contingent_by_id.get(self.contingent)
        if contingent is None:
            return ()
        return (contingent.side,)


def _with_riders(state: State, pieces: Sequence[str]) -> list[str]:
    """The pieces and those aboard them."""
    # A dictionary instead of a set keeps the order, which must be the same at every replay.
    with_riders = dict.fromkeys(pieces)
    for piece in pieces:
        with_riders |= dict.fromkeys(state.riders_of(piece))
    return list(with_riders)


def _unload_walkers(run: Resolution, entering: Sequence[str]) -> None:
    """Unloads the men who enter on foot, while the vehicle in which they were to come still
    waits."""
    walkers_by_carrier: dict[str, list[str]] = {}
    for piece in entering:
        carrier = run.state.aboard.get(piece)
        if carrier is not None and carrier not in entering:
            walkers_by_carrier.setdefault(carrier, []).append(piece)
    for carrier, riders in walkers_by_carrier.items():
        run.emit(events.Unloaded(carrier=carrier, riders=tuple(riders)))
