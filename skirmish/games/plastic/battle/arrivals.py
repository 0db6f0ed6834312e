"""What a scenario brings at the table: waves that come on, hidden men shown, tanks refuelled, guns
abandoned. Each is offered at its moment (``due``) and done by an order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from skirmish.games.plastic.battle.events import Entered, Revealed, Served, Turned, Unloaded
from skirmish.games.plastic.battle.orders import Convert, Enter, Reveal, Serve
from skirmish.games.plastic.battle.readiness import advise_movement
from skirmish.games.plastic.battle.rows import Row, named, rows
from skirmish.games.plastic.battle.setup import Contingent
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.catalog import a_unit
from skirmish.games.plastic.scenarios.happening_kinds import (
    AnyHappening,
    DrawTable,
    NeedsService,
    Remind,
)
from skirmish.games.plastic.scenarios.happening_kinds import Convert as MayConvert
from skirmish.games.plastic.scenarios.happening_kinds import Reveal as MayReveal
from skirmish.games.plastic.scenarios.scenario import Limit
from skirmish.tabletop.refusal import Refusal, Refused, nonsense

if TYPE_CHECKING:
    from skirmish.games.plastic.battle.resolve import Resolution


class Wave(msgspec.Struct, frozen=True):
    """Reinforcements that still wait: ``now``, or in their side's next turn. ``units`` are row
    names and numbers."""

    contingent: Contingent
    units: dict[str, int]
    now: bool


def waves(state: State) -> tuple[Wave, ...]:
    """Whom the side that moves can bring on, and who comes in the next game turn."""
    found = []
    for contingent in state.setup.contingents:
        soon = contingent.enters <= state.clock.turn + 1
        waiting = {
            row.key: len(row.waiting)
            for row in rows(state, contingent.side)
            if row.contingent.id == contingent.id and row.waiting
        }
        if waiting and soon:
            found.append(Wave(contingent, waiting, may_enter(state, contingent)))
    return tuple(sorted(found, key=lambda wave: not wave.now))


def may_enter(state: State, contingent: Contingent) -> bool:
    """Whether it is the contingent's turn to come on, or was and it could not (P76)."""
    return contingent.enters <= state.clock.turn and contingent.side == state.mover


def limits_now(state: State) -> tuple[Limit, ...]:
    """What the scenario forbids in this turn, to those whose turn to come on has come."""
    if state.setup.scenario is None:
        return ()
    turn = state.clock.turn
    here = {group.id for group in state.setup.contingents if group.enters <= turn}
    limits = state.setup.scenario.limits_at(turn)
    return tuple(limit for limit in limits if limit.contingent is None or limit.contingent in here)


def enter(run: Resolution, order: Enter) -> None:
    """Reinforcements come on. Raises Refused; out of turn is advice."""
    state = run.state
    contingent = state.setup.contingent_by_id.get(order.contingent)
    if contingent is None:
        raise nonsense("unknown_contingent", f"There is no contingent called {order.contingent!r}.")
    own = [row for row in rows(state, contingent.side) if row.contingent.id == contingent.id]
    waiting = [piece for row in own for piece in row.waiting]
    if not waiting:
        raise nonsense("all_here", f"All of {contingent.name} is already on the table.")
    if not may_enter(state, contingent) and not order.insist:
        turn = state.setup.of(contingent.side, f"turn {contingent.enters}")
        says = f"{contingent.name} does not arrive before {turn}."
        raise Refused(Refusal("not_here", says, "Scenario"))
    if may_enter(state, contingent):
        advise_movement(state, contingent.side, order.insist)
    if order.units:
        waiting = []
        for key, count in order.units.items():
            row = next((row for row in own if row.key == key), None)
            if row is None:
                raise nonsense("unknown_row", f"{contingent.name} has no row {key!r}.")
            if not 1 <= count <= len(row.waiting):
                says = f"Only {row.unit.named(len(row.waiting))} left to arrive, not {count}."
                raise nonsense("too_many", says)
            waiting += row.waiting[:count]
        waiting = _with_riders(run, waiting)
    run.emit(Entered(contingent=contingent.id, pieces=tuple(waiting)))


def _with_riders(run: Resolution, pieces: Sequence[str]) -> list[str]:
    """Where only some come on: models bring their riders; riders of others walk."""
    riders = [rider for piece in pieces for rider in run.state.riders_of(piece)]
    coming = list(dict.fromkeys([*pieces, *riders]))
    walking = [piece for piece in coming if run.state.aboard.get(piece, piece) not in coming]
    for carrier in dict.fromkeys(run.state.aboard[piece] for piece in walking):
        out = tuple(piece for piece in walking if run.state.aboard.get(piece) == carrier)
        run.emit(Unloaded(carrier=carrier, riders=out))
    return coming


def serve(run: Resolution, order: Serve) -> None:
    """Units are served: refuelled. Raises Refused; more at once than there are trucks is advice."""
    state = run.state
    row, kind = named(state, order.row), _service(state, order.row)
    if kind is None:
        raise nonsense("needs_nothing", f"{a_unit(row.unit.name, 'A')} needs no service.")
    empty = [piece for piece in row.here if piece in state.unserved]
    if not 1 <= order.count <= len(empty):
        raise nonsense("too_many", f"Only {len(empty)} still need service, not {order.count}.")
    if order.piece is not None and order.piece not in empty:
        raise nonsense("no_such_piece", f"{order.piece.partition(':')[2]} needs no service now.")
    servers = sum(len(by.here) for by in rows(state, row.side) if by.unit.id == kind.by)
    most = servers * kind.each
    if not order.insist:
        if not _is_time(state, kind) or state.clock.phase != 1:
            turn = a_unit(state.setup.of(row.side, "turn"))
            since = f", from turn {kind.from_turn} on" if kind.from_turn > 1 else ""
            says = f"They are served at the start of {turn}{since}."
            raise Refused(Refusal("not_now", says, "Scenario"))
        if state.served_now + order.count > most:
            says = f"{most} can be served each turn, and {state.served_now} already were."
            raise Refused(Refusal("served", says, "Scenario"))
    chosen = [order.piece] if order.piece is not None else empty[: order.count]
    run.emit(Served(pieces=tuple(chosen)))


def servable(state: State) -> int:
    """How many may still be served now."""
    if state.clock.phase != 1:
        return 0
    found = 0
    for row in rows(state, state.mover):
        kind = _service(state, row.key)
        if kind and not _is_time(state, kind):
            continue
        empty = sum(piece in state.unserved for piece in row.here)
        if kind and empty:
            servers = sum(len(by.here) for by in rows(state, row.side) if by.unit.id == kind.by)
            found += min(empty, max(servers * kind.each - state.served_now, 0))
    return found


def _is_time(state: State, kind: NeedsService) -> bool:
    """Whether a turn of the side runs in which something can have been served."""
    return state.mover == kind.side and state.clock.turn >= kind.from_turn


def reveal(run: Resolution, order: Reveal) -> None:
    """Hidden ones are put on the table. Raises Refused."""
    row = named(run.state, order.row)
    if not 1 <= order.count <= len(row.hidden):
        says = f"Only {row.unit.named(len(row.hidden))} hidden, not {order.count}."
        raise nonsense("too_many", says)
    run.emit(Revealed(pieces=row.hidden[: order.count]))


def convert(run: Resolution, order: Convert) -> None:
    """Units become what the scenario lets them become. Raises Refused."""
    row = named(run.state, order.row)
    kind = convertible(run.state, row)
    if kind is None:
        says = f"{a_unit(row.unit.name, 'A')} cannot become anything else here."
        raise nonsense("no_change", says, "Scenario")
    if not 1 <= order.count <= len(row.on_foot):
        says = f"Only {row.unit.named(len(row.on_foot))} on the table, not {order.count}."
        raise nonsense("too_many", says)
    for piece in row.on_foot[: order.count]:
        run.emit(Turned(piece=piece, unit=kind.becomes))


def convertible(state: State, row: Row) -> MayConvert | None:
    """What a row may become, if anything."""
    for kind in _happenings(state):
        if (
            isinstance(kind, MayConvert)
            and kind.side == row.side
            and kind.contingent in (None, row.contingent.id)
            and kind.unit == row.unit.id
        ):
            return kind
    return None


def reveal_text(state: State) -> str:
    """What the scenario wants players to have in mind in this phase: when hidden ones must be
    shown, while there are any, its reminders, and draws that a side makes by itself."""
    clock = state.clock
    texts = []
    for kind in _happenings(state):
        match kind:
            case MayReveal(text=text) if any(map(state.is_up, state.hidden)):
                texts.append(text)
            case Remind(side=side, phase=clock.phase, text=text) if side in (None, clock.side):
                texts.append(text)
            case DrawTable(side=clock.side, text=text) if clock.turn >= kind.from_turn:
                if clock.phase == 1 and state.levels[kind.side] == "ledger":
                    texts.append(text)
    return " ".join(texts)


def _service(state: State, key: str) -> NeedsService | None:
    row = named(state, key)
    for kind in _happenings(state):
        if isinstance(kind, NeedsService) and kind.side == row.side and row.unit.id in kind.units:
            return kind
    return None


def _happenings(state: State) -> tuple[AnyHappening, ...]:
    return state.setup.scenario.happenings if state.setup.scenario else ()
