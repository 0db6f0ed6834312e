"""Getting in and out, leaving and coming onto the table; what a scenario brings: hidden men shown,
tanks refuelled, guns abandoned. Each is offered at its moment and done by an order."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from skirmish.games.plastic.battle import events
from skirmish.games.plastic.battle.orders.resolution import Order, Resolution
from skirmish.games.plastic.battle.rows import (
    Row,
    fights_as,
    named,
    rows,
    worth_of,
)
from skirmish.games.plastic.battle.setup import Contingent
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.victory import kind_of
from skirmish.games.plastic.rules.catalog import a_unit
from skirmish.games.plastic.rules.checks import why_not_aboard
from skirmish.games.plastic.scenarios.happening_kinds import (
    DrawTable,
    Happening,
    MayConvert,
    MayReveal,
    NeedsService,
    Remind,
)
from skirmish.games.plastic.scenarios.scenario import Restriction
from skirmish.tabletop.refusal import Refusal, nonsense


class Load(Order, frozen=True, kw_only=True, tag="load"):
    carrier: str
    riders: dict[str, int]
    piece: str | None = None
    insist: bool = False

    def carry_out(self, run: Resolution) -> None:
        state = run.state
        row = named(state, self.carrier)
        if not row.unit.seats:
            raise nonsense("no_seats", f"{a_unit(row.unit.name, 'A')} carries nobody.")
        emptiest = sorted(row.here, key=lambda piece: len(state.riders_of(piece)))
        carrier = _which(row, self.piece, emptiest)
        riders: list[str] = []
        for key, count in self.riders.items():
            own = named(state, key)
            if own.side != row.side:
                raise nonsense("other_side", "They must be on the same side.")
            own.take(own.on_foot, count, "on foot")
            riders += [piece for piece in own.on_foot if piece != carrier][:count]
        if not riders:
            raise nonsense("nobody", "Choose who gets in: a number and a letter.")
        run.advise_movement(row.side)
        pieces = (*state.riders_of(carrier), *riders)
        units = [fights_as(state, state.unit(piece)) for piece in pieces]
        run.advise(why_not_aboard(row.unit, units, state.setup.rulings))
        run.emit(events.Loaded(carrier=carrier, riders=tuple(riders)))


class Unload(Order, frozen=True, kw_only=True, tag="unload"):
    carrier: str
    piece: str | None = None
    insist: bool = False

    def carry_out(self, run: Resolution) -> None:
        state = run.state
        row = named(state, self.carrier)
        run.advise_movement(row.side)
        loaded = [piece for piece in row.here if state.riders_of(piece)]
        if not loaded:
            raise nonsense("empty", f"No {row.unit.name} is known to carry anyone.")
        carrier = _which(row, self.piece, loaded)
        riders = state.riders_of(carrier)
        if not riders:
            raise nonsense("empty", f"{state.piece(carrier).code} is not known to carry anyone.")
        run.emit(events.Unloaded(carrier=carrier, riders=riders))


class Exit(Order, frozen=True, kw_only=True, tag="exit"):
    """``counts``: where it counts for victory."""

    row: str
    count: int = 1
    piece: str | None = None
    counts: bool = True
    insist: bool = False

    def carry_out(self, run: Resolution) -> None:
        state = run.state
        row = named(state, self.row)
        pieces = leaving(state, row, self.count, self.piece)
        if self.counts:
            run.advise(kind_of(state).why_not_exit(row.side))
        if not row.unit.moves:
            text = f"{a_unit(row.unit.name, 'A')} cannot move, so it leaves only aboard a vehicle."
            run.advise(Refusal("immobile", text, "Movement"))
        run.advise_movement(row.side)
        basic = self.counts and state.setup.scenario is None
        for piece in pieces:
            whole = (piece, *state.riders_of(piece))
            kind = kind_of(run.state) if self.counts else None
            worths = tuple(_charged(state, one) for one in whole) if basic else ()
            run.emit(
                events.Exited(
                    pieces=whole,
                    value=kind.exit_value(whole) if kind else 0,
                    against=state.setup.enemy_of(row.side).id if basic else None,
                    worth=sum(worths),
                    values=tuple(kind.exit_value([one]) if kind else 0 for one in whole),
                    worths=worths,
                )
            )
        run.look_for_victory()


def _charged(state: State, piece: str) -> int:
    """What a piece that leaves over the enemy's edge costs him (P84)."""
    if state.setup.rulings["P84"] == "as_own_loss":
        return worth_of(state, piece)
    return state.setup.catalog.worth(state.unit(piece))


def leaving(state: State, row: Row, count: int, piece: str | None = None) -> tuple[str, ...]:
    """Of models the loaded ones first. Raises Refused."""
    row.take(row.on_foot, count, "can leave")
    if piece is not None:
        return (_which(row, piece, row.on_foot),)
    order = sorted(row.on_foot, key=lambda one: not state.riders_of(one))
    return tuple(order[:count])


def _which(row: Row, piece: str | None, likely: Sequence[str]) -> str:
    if piece is None:
        if not likely:
            raise nonsense("nobody_left", f"No {row.unit.name} is on the table.")
        return likely[0]
    if piece not in row.here:
        raise nonsense("no_such_piece", f"No {row.unit.name} on the table has that code.")
    return piece


class Wave(msgspec.Struct, frozen=True):
    """Reinforcements that still wait: ``now``, or in their side's next turn."""

    contingent: Contingent
    units: dict[str, int]
    now: bool


def waves(state: State) -> tuple[Wave, ...]:
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


def limits_now(state: State) -> tuple[Restriction, ...]:
    if state.setup.scenario is None:
        return ()
    turn = state.clock.turn
    here = {group.id for group in state.setup.contingents if group.enters <= turn}
    limits = state.setup.scenario.limits_at(turn)
    return tuple(limit for limit in limits if limit.contingent is None or limit.contingent in here)


class Enter(Order, frozen=True, kw_only=True, tag="enter"):
    """All who still wait, or ``units`` (by row and number)."""

    contingent: str
    units: dict[str, int] = msgspec.field(default_factory=dict)
    insist: bool = False

    def carry_out(self, run: Resolution) -> None:
        state = run.state
        contingent = state.setup.contingent_by_id.get(self.contingent)
        if contingent is None:
            text = f"There is no contingent called {self.contingent!r}."
            raise nonsense("unknown_contingent", text)
        own = [row for row in rows(state, contingent.side) if row.contingent.id == contingent.id]
        waiting = [piece for row in own for piece in row.waiting]
        if not waiting:
            raise nonsense("all_here", f"All of {contingent.name} is already on the table.")
        if may_enter(state, contingent):
            run.advise_movement(contingent.side)
        else:
            turn = state.setup.of(contingent.side, f"turn {contingent.enters}")
            text = f"{contingent.name} does not arrive before {turn}."
            run.advise(Refusal("not_here", text, "Scenario"))
        if self.units:
            waiting = []
            for key, count in self.units.items():
                row = next((row for row in own if row.key == key), None)
                if row is None:
                    raise nonsense("unknown_row", f"{contingent.name} has no row {key!r}.")
                waiting += row.take(row.waiting, count, "left to arrive")
            waiting = _with_riders(run, waiting)
        run.emit(events.Entered(contingent=contingent.id, pieces=tuple(waiting)))


def _with_riders(run: Resolution, pieces: Sequence[str]) -> list[str]:
    riders = [rider for piece in pieces for rider in run.state.riders_of(piece)]
    coming = list(dict.fromkeys([*pieces, *riders]))
    walking = [piece for piece in coming if run.state.aboard.get(piece, piece) not in coming]
    for carrier in dict.fromkeys(run.state.aboard[piece] for piece in walking):
        out = tuple(piece for piece in walking if run.state.aboard.get(piece) == carrier)
        run.emit(events.Unloaded(carrier=carrier, riders=out))
    return coming


class Serve(Order, frozen=True, kw_only=True, tag="serve"):
    row: str
    count: int = 1
    piece: str | None = None
    insist: bool = False

    def carry_out(self, run: Resolution) -> None:
        state = run.state
        row = named(state, self.row)
        kind = _service(state, row)
        if kind is None:
            raise nonsense("needs_nothing", f"{a_unit(row.unit.name, 'A')} needs no service.")
        empty = [piece for piece in row.here if piece in state.unserved]
        if not 1 <= self.count <= len(empty):
            raise nonsense("too_many", f"Only {len(empty)} still need service, not {self.count}.")
        if self.piece is not None and self.piece not in empty:
            raise nonsense("no_such_piece", f"{self.piece.partition(':')[2]} needs no service now.")
        most = _most_served(state, kind)
        if not _is_time(state, kind) or state.clock.phase != 1:
            turn = a_unit(state.setup.of(row.side, "turn"))
            since = f", from turn {kind.from_turn} on" if kind.from_turn > 1 else ""
            text = f"They are served at the start of {turn}{since}."
            run.advise(Refusal("not_now", text, "Scenario"))
        elif state.served_now + self.count > most:
            text = f"{most} can be served each turn, and {state.served_now} already were."
            run.advise(Refusal("served", text, "Scenario"))
        chosen = [self.piece] if self.piece is not None else empty[: self.count]
        run.emit(events.Served(pieces=tuple(chosen)))


class Reveal(Order, frozen=True, kw_only=True, tag="reveal"):
    row: str
    count: int = 1

    def carry_out(self, run: Resolution) -> None:
        row = named(run.state, self.row)
        run.emit(events.Revealed(pieces=row.take(row.hidden, self.count, "hidden")))


class Convert(Order, frozen=True, kw_only=True, tag="convert"):
    row: str
    count: int = 1

    def carry_out(self, run: Resolution) -> None:
        row = named(run.state, self.row)
        kind = convertible(run.state, row)
        if kind is None:
            text = f"{a_unit(row.unit.name, 'A')} cannot become anything else here."
            raise nonsense("no_change", text, "Scenario")
        for piece in row.take(row.on_foot, self.count, "on the table"):
            run.emit(events.Turned(piece=piece, unit=kind.becomes))


def servable(state: State) -> int:
    found = 0
    for row in rows(state, state.mover) if state.clock.phase == 1 else ():
        kind = _service(state, row)
        empty = sum(piece in state.unserved for piece in row.here)
        if kind and empty and _is_time(state, kind):
            found += min(empty, max(_most_served(state, kind) - state.served_now, 0))
    return found


def _most_served(state: State, kind: NeedsService) -> int:
    return kind.each * sum(
        len(row.here) for row in rows(state, kind.side) if row.unit.id == kind.by
    )


def _is_time(state: State, kind: NeedsService) -> bool:
    return state.mover == kind.side and state.clock.turn >= kind.from_turn


def _service(state: State, row: Row) -> NeedsService | None:
    every = state.setup.happenings(NeedsService)
    found = (kind for kind in every if kind.side == row.side and row.unit.id in kind.units)
    return next(found, None)


def convertible(state: State, row: Row) -> MayConvert | None:
    found = (
        kind
        for kind in state.setup.happenings(MayConvert)
        if kind.side == row.side
        and kind.contingent in (None, row.contingent.id)
        and kind.unit == row.unit.id
    )
    return next(found, None)


def reveal_text(state: State) -> str:
    """What the scenario wants players to have in mind in this phase."""
    clock = state.clock
    texts = []
    for kind in state.setup.happenings(Happening):
        match kind:
            case MayReveal(text=text) if any(map(state.is_up, state.hidden)):
                texts.append(text)
            case Remind(side=side, phase=clock.phase, text=text) if side in (None, clock.side):
                texts.append(text)
            case DrawTable(side=clock.side, text=text) if clock.turn >= kind.from_turn:
                if clock.phase == 1 and state.levels[kind.side] == "ledger":
                    texts.append(text)
    return " ".join(texts)
