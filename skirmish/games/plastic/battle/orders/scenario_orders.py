"""Orders that only some scenarios allow: units serve others, are revealed, or become other
units."""

from __future__ import annotations

from skirmish.games.plastic.battle import events
from skirmish.games.plastic.battle.names import piece_code
from skirmish.games.plastic.battle.orders.resolution import OrderOfRow, Resolution
from skirmish.games.plastic.battle.rows import Row, existing_row, rows
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.catalog import a_unit
from skirmish.games.plastic.scenarios.happenings import MayConvert, NeedsService
from skirmish.tabletop.refusal import Refusal, nonsense


class Serve(OrderOfRow, frozen=True, kw_only=True, tag="serve"):
    """A crew serves models that may neither fire nor move before that (P36): the trucks of scenario
    2 refuel tanks that they touch as a turn starts."""

    begun_by = "mover"

    count: int = 1
    """How many models are served."""
    piece: str | None = None
    """Which model is served, if only one is; None: as many as ``count`` says."""
    insist: bool = False

    def carry_out(self, run: Resolution) -> None:
        state = run.state
        row = existing_row(state, self.row)
        service = _service_of(state, row)
        if service is None:
            raise nonsense("needs_nothing", f"{a_unit(row.unit.name, 'A')} needs no service.")
        pieces = self._pieces(state, row)
        self._advise_on_time_and_number(run, row, service)
        run.emit(events.Served(pieces=pieces))

    def _pieces(self, state: State, row: Row) -> tuple[str, ...]:
        """The models that are served: the one that is named, or else as many as ``count`` says.
        Raises Refused if there are fewer."""
        unserved = [piece for piece in row.here if piece in state.unserved]
        if not 1 <= self.count <= len(unserved):
            text = f"Only {len(unserved)} still need service, not {self.count}."
            raise nonsense("too_many", text)
        if self.piece is None:
            return tuple(unserved[: self.count])
        if self.piece not in unserved:
            raise nonsense("no_such_piece", f"{piece_code(self.piece)} needs no service now.")
        return (self.piece,)

    def _advise_on_time_and_number(self, run: Resolution, row: Row, service: NeedsService) -> None:
        """Advises against service at another time than the scenario allows, or of more models than
        the crews can serve in a turn."""
        state = run.state
        if not _is_time_to_serve(state, service):
            turn = a_unit(state.setup.owned_by(row.side, "turn"))
            since = ""
            if service.from_turn > 1:
                since = f", from turn {service.from_turn} on"
            text = f"They are served at the start of {turn}{since}."
            run.advise(Refusal("not_now", text, "Scenario"))
            return
        most_served = _most_served_in_a_turn(state, service)
        if state.served_now + self.count > most_served:
            text = f"{most_served} can be served each turn, and {state.served_now} already were."
            run.advise(Refusal("served", text, "Scenario"))


class Reveal(OrderOfRow, frozen=True, kw_only=True, tag="reveal"):
    """Hidden units of a row are visible from now on. Units that fire are revealed without this
    order (P69)."""

    begun_by = "both sides"

    count: int = 1

    def carry_out(self, run: Resolution) -> None:
        row = existing_row(run.state, self.row)
        pieces = row.take(row.hidden, self.count, only="hidden")
        run.emit(events.Revealed(pieces=pieces))


class Convert(OrderOfRow, frozen=True, kw_only=True, tag="convert"):
    """Units of a row become other units, where the scenario allows it: in scenario 10 emplaced
    machine guns may be abandoned. Nobody is lost by it."""

    begun_by = "both sides"

    count: int = 1

    def carry_out(self, run: Resolution) -> None:
        row = existing_row(run.state, self.row)
        conversion = conversion_of(run.state, row)
        if conversion is None:
            text = f"{a_unit(row.unit.name, 'A')} cannot become anything else here."
            raise nonsense("no_change", text, "Scenario")
        for piece in row.take(row.on_foot, self.count, only="on the table"):
            run.emit(events.UnitChanged(piece=piece, unit=conversion.becomes))


def count_servable(state: State) -> int:
    """How many models the mover can still serve in this turn. The same crews serve all rows, so
    what they serve of one row is no longer available for the next."""
    models = 0
    for row in rows(state, state.mover):
        service = _service_of(state, row)
        if service is None or not _is_time_to_serve(state, service):
            continue
        unserved = [piece for piece in row.here if piece in state.unserved]
        served_so_far = state.served_now + models
        services_left = max(_most_served_in_a_turn(state, service) - served_so_far, 0)
        models += min(len(unserved), services_left)
    return models


def _most_served_in_a_turn(state: State, service: NeedsService) -> int:
    """How many can be served in a turn by all crews on the table: in scenario 2 each truck serves
    one tank, whichever it reaches."""
    crews = 0
    for row in rows(state, service.side):
        if row.unit.id == service.by:
            crews += len(row.here)
    return crews * service.each


def _is_time_to_serve(state: State, service: NeedsService) -> bool:
    """Whether the service is possible now: at the start of a turn of its side, from its first turn
    on."""
    is_start_of_turn = state.mover == service.side and state.clock.phase == 1
    return is_start_of_turn and state.clock.turn >= service.from_turn


def _service_of(state: State, row: Row) -> NeedsService | None:
    """How a row must be served by the terms of the scenario; None: it need not be."""
    for service in state.setup.happenings(NeedsService):
        if row.concerned_by(service):
            return service
    return None


def conversion_of(state: State, row: Row) -> MayConvert | None:
    """What a row may become by the terms of the scenario; None: it stays what it is."""
    for conversion in state.setup.happenings(MayConvert):
        if row.concerned_by(conversion):
            return conversion
    return None
