"""Getting in, getting out, leaving the table ("Loading or Unloading")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from skirmish.games.plastic.battle import victory
from skirmish.games.plastic.battle.events import Exited, Loaded, Unloaded
from skirmish.games.plastic.battle.firing import fights_as
from skirmish.games.plastic.battle.orders import Exit, Load, Unload
from skirmish.games.plastic.battle.readiness import advise_movement
from skirmish.games.plastic.battle.rows import Row, named
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.strength import worth_of
from skirmish.games.plastic.rules.catalog import UnitType, a_unit
from skirmish.games.plastic.rules.seats import why_not_aboard
from skirmish.tabletop.refusal import Refusal, Refused, nonsense

if TYPE_CHECKING:
    from skirmish.games.plastic.battle.resolve import Resolution


def load(run: Resolution, order: Load) -> None:
    """Men and cannon get into a model. Raises Refused; too many for its seats is advice."""
    state = run.state
    row = named(state, order.carrier)
    if not row.unit.seats:
        raise nonsense("no_seats", f"{a_unit(row.unit.name, 'A')} carries nobody.")
    carrier = _which(row, order.piece, _emptiest(state, row.here))
    riders: list[str] = []
    for key, count in order.riders.items():
        own = named(state, key)
        if own.side != row.side:
            raise nonsense("other_side", "They must be on the same side.")
        if not 1 <= count <= len(own.on_foot):
            says = f"Only {own.unit.named(len(own.on_foot))} on foot, not {count}."
            raise nonsense("too_many", says)
        riders += [piece for piece in own.on_foot if piece != carrier][:count]
    if not riders:
        raise nonsense("nobody", "Choose who gets in: a number and a letter.")
    advise_movement(state, row.side, order.insist)
    pieces = (*state.riders_of(carrier), *riders)
    units = [fights_as(state, _unit(state, piece)) for piece in pieces]
    advice = why_not_aboard(row.unit, units, state.setup.rulings)
    if advice and not (order.insist and not advice.firm):
        raise Refused(advice)
    run.emit(Loaded(carrier=carrier, riders=tuple(riders)))


def unload(run: Resolution, order: Unload) -> None:
    """All get out. Raises Refused."""
    state = run.state
    row = named(state, order.carrier)
    advise_movement(state, row.side, order.insist)
    loaded = [piece for piece in row.here if state.riders_of(piece)]
    if not loaded:
        raise nonsense("empty", f"No {row.unit.name} is known to carry anyone.")
    carrier = _which(row, order.piece, loaded)
    riders = state.riders_of(carrier)
    if not riders:
        raise nonsense("empty", f"{state.piece(carrier).code} is not known to carry anyone.")
    run.emit(Unloaded(carrier=carrier, riders=riders))


def leave(run: Resolution, order: Exit) -> None:
    """So many of a row leave for good, with all aboard. Raises Refused.

    In the basic game units that leave over the enemy's edge count as his losses, whatever they
    count for where they come from; in a scenario ``victory`` says what they are worth.
    """
    state = run.state
    row = named(state, order.row)
    pieces = leaving(state, row, order.count, order.piece)
    refusal = victory.why_not_exit(state, row.side) or victory.too_early_to_exit(state, row.side)
    if refusal and order.counts and not order.insist:
        raise Refused(refusal)
    if not (row.unit.moves or order.insist):
        says = f"{a_unit(row.unit.name, 'A')} cannot move, so it leaves only aboard a vehicle."
        raise Refused(Refusal("immobile", says, "Movement"))
    advise_movement(state, row.side, order.insist)
    for piece in pieces:
        whole = (piece, *state.riders_of(piece))
        value = victory.exit_value(run.state, whole) if order.counts else 0
        each = [victory.exit_value(run.state, [one]) if order.counts else 0 for one in whole]
        basic = state.setup.scenario is None and order.counts
        worths = tuple(_charged(state, one) for one in whole)
        run.emit(
            Exited(
                pieces=whole,
                value=value,
                against=state.setup.enemy_of(row.side).id if basic else None,
                worth=sum(worths) if basic else 0,
                values=tuple(each),
                worths=worths if basic else (),
            )
        )
    victory.after_loss(run)


def _charged(state: State, piece: str) -> int:
    """What a piece that leaves over the enemy's edge costs him; P84 says whether one that is no
    loss to its own army is one to him."""
    if state.setup.rulings["P84"] == "as_own_loss":
        return worth_of(state, piece)
    return state.setup.catalog.worth(_unit(state, piece))


def leaving(state: State, row: Row, count: int, piece: str | None = None) -> tuple[str, ...]:
    """Who leaves where ``count`` of a row do: of models the loaded ones first. Raises Refused."""
    if not 1 <= count <= len(row.on_foot):
        says = f"Only {row.unit.named(len(row.on_foot))} can leave, not {count}."
        raise nonsense("too_many", says)
    if piece is not None:
        return (_which(row, piece, row.on_foot),)
    order = sorted(row.on_foot, key=lambda one: not state.riders_of(one))
    return tuple(order[:count])


def proposed_loads(
    units: Mapping[str, UnitType],
    carriers: Sequence[str],
    riders: Sequence[str],
    rulings: Mapping[str, str],
    crowded: bool = False,
) -> dict[str, str]:
    """Who could ride in what at the start: carriers by rider, as they fit, cannon first.

    ``units`` is the unit of every piece named. Whoever finds no seat walks, unless it is
    ``crowded``: then the carriers share out everybody, as evenly as may be (P71).
    """
    aboard: dict[str, str] = {}
    inside: dict[str, list[UnitType]] = {carrier: [] for carrier in carriers}

    def fits(carrier: str, unit: UnitType) -> bool:
        return why_not_aboard(units[carrier], [*inside[carrier], unit], rulings) is None

    for rider in sorted(riders, key=lambda one: units[one].is_guy):
        unit = units[rider]
        if crowded and unit.is_guy:
            fitting = min(carriers, key=lambda carrier: len(inside[carrier]))
        else:
            free = (c for c in carriers if fits(c, unit))
            fitting = next(free, "")
        if fitting:
            inside[fitting].append(unit)
            aboard[rider] = fitting
    return aboard


def _emptiest(state: State, pieces: Sequence[str]) -> list[str]:
    return sorted(pieces, key=lambda piece: len(state.riders_of(piece)))


def _which(row: Row, piece: str | None, likely: Sequence[str]) -> str:
    if piece is None:
        if not likely:
            raise nonsense("nobody_left", f"No {row.unit.name} is on the table.")
        return likely[0]
    if piece not in row.here:
        raise nonsense("no_such_piece", f"No {row.unit.name} on the table has that code.")
    return piece


def _unit(state: State, piece: str) -> UnitType:
    return state.setup.unit(state.unit_of(piece))
