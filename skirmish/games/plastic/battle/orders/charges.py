"""Charges under a bridge or another structure. At the start of each of its turns the side that laid
them draws whether they go off, and its enemy can cut them.

``draw_for_charges`` is a step of the agenda, which stops at a draw that a player has to type.
"""

from __future__ import annotations

from collections.abc import Iterator

from skirmish.games.plastic.battle import agenda, events
from skirmish.games.plastic.battle.agenda import Agenda
from skirmish.games.plastic.battle.orders.resolution import (
    OrderOfSide,
    Resolution,
    suit_never_matters,
)
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.catalog import a_unit
from skirmish.games.plastic.rules.shot import ranks_that_hit
from skirmish.games.plastic.scenarios.happenings import Charges
from skirmish.tabletop.page import capital
from skirmish.tabletop.refusal import Refusal, nonsense


class CutCharges(OrderOfSide, frozen=True, kw_only=True, tag="cut_charges"):
    """Men who touch the ``charges`` (an id) at the start of a turn of their side cut them."""

    begun_by = "mover"
    anyway = "cuts them anyway."

    charges: str
    insist: bool = False

    def carry_out(self, run: Resolution) -> None:
        state = run.state
        charges = charges_left(state).get(self.charges)
        if charges is None:
            # Unknown, gone off, or cut already.
            raise nonsense("no_charges", "There are no such charges left.", "Scenario")
        if charges.side == self.side:
            text = f"{state.setup.the(self.side, 'The')} laid these charges; the enemy cuts them."
            raise nonsense("no_charges", text, "Scenario")
        if not can_cut(state, charges):
            names = " or ".join(state.setup.unit(unit).name for unit in charges.cut_by)
            text = f"No {names} who could cut the charges is on the table."
            run.advise(Refusal("no_cutters", text, "Scenario"))
        if state.mover != self.side or state.clock.phase != 1:
            turn = a_unit(state.setup.owned_by(self.side, "turn"))
            text = f"Charges are cut at the start of {turn}, by men who touch them then."
            run.advise(Refusal("not_now", text, "Scenario"))
        run.emit(events.ChargesCut(charges=charges.id, what=charges.what, side=self.side))


def charges_left(state: State) -> dict[str, Charges]:
    """The charges that have neither gone off nor been cut, by their ids."""
    left = {}
    for charges in state.setup.happenings(Charges):
        if charges.id not in state.blown and charges.id not in state.cut:
            left[charges.id] = charges
    return left


def charges_to_cut(state: State, side: str) -> Iterator[Charges]:
    """The charges that men of the side may cut. For that they have to touch them, which the program
    does not know."""
    for charges in charges_left(state).values():
        if charges.side != side and can_cut(state, charges):
            yield charges


def can_cut(state: State, charges: Charges) -> bool:
    """Whether the enemy of those who laid these charges has anybody on foot who can cut them."""
    enemy = state.setup.enemy_of(charges.side).id
    return any(row.unit.id in charges.cut_by and row.on_foot for row in rows(state, enemy))


def charges_owed(state: State, turn: int, side: str) -> Agenda:
    """The draws for its charges that a side has to make at the start of that turn."""
    tasks = []
    for charges in charges_left(state).values():
        if charges.side == side and turn >= charges.from_turn:
            tasks.append(agenda.ToCharges(charges=charges.id, side=side))
    return tuple(tasks)


def draw_for_charges(run: Resolution, task: agenda.ToCharges, then: Agenda) -> None:
    """Draw for charges: they go off now, or not yet."""
    charges = charges_left(run.state).get(task.charges)
    if charges is None:
        # They went off or were cut after this draw was put on the agenda.
        run.continue_with(then)
        return
    draw = run.draw(task.side, "charges", suit_never_matters)
    # A player has to type it, and then this step is done again.
    if draw is None:
        return
    go_off = draw.rank <= charges.needs
    result = f"the charges hold; they go off at {ranks_that_hit(charges.needs)}"
    if go_off:
        result = f"the charges go off, and {charges.what} is gone"
    run.emit(
        events.ChargesDrawn(
            charges=charges.id,
            side=task.side,
            draw=draw,
            blown=go_off,
            explain=f"{capital(draw.words)}: {result}.",
            then=then,
        )
    )
