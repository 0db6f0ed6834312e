"""The lots before a basic game: who places terrain first, and whose the first turn is."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from skirmish.games.plastic.battle import agenda, events
from skirmish.games.plastic.battle.agenda import Agenda
from skirmish.games.plastic.battle.orders.resolution import Resolution, suit_never_matters
from skirmish.games.plastic.battle.state import State
from skirmish.tabletop.chance import Draw

BEFORE_PLAY: Agenda = (agenda.ToCast(lot="terrain"), agenda.ToCast(lot="side"))
"""The agenda with which a basic game begins whose sides are not settled yet."""
MOST_TIES = 20
"""After so many ties in a row the first side wins the lot: two decks shuffled alike would tie for
ever."""


def cast_lots(run: Resolution, task: agenda.ToCast, then: Agenda) -> None:
    """Both sides draw until the draws differ; the higher one decides ("The Basic Game", P35). Each
    time one side draws, and the task comes again with what is ``drawn`` so far, by side."""
    sides = run.state.setup.sides
    # A side that only keeps a ledger enters no draws, so both settle it at the table.
    if "ledger" in run.state.levels.values():
        run.continue_with(then)
        return
    side = next(side.id for side in sides if side.id not in task.drawn)
    draw = run.draw(side, "lot", suit_never_matters)
    if draw is None:
        return
    drawn = {**task.drawn, side: draw}
    # The other side has not drawn yet.
    if len(drawn) < len(sides):
        run.continue_with((replace(task, drawn=drawn), *then))
        return
    winner = _side_with_higher_draw(run.state, drawn)
    if winner is None and task.ties >= MOST_TIES:
        winner = sides[0].id
    if winner is None:
        then = (agenda.ToCast(lot=task.lot, ties=task.ties + 1), *then)
    run.emit(events.LotCast(lot=task.lot, draws=drawn, first=winner, then=then))


def _side_with_higher_draw(state: State, drawn: Mapping[str, Draw]) -> str | None:
    """The side whose draw has the higher rank; None for a tie."""
    first, second = state.setup.sides
    if drawn[first.id].rank == drawn[second.id].rank:
        return None
    if drawn[first.id].rank > drawn[second.id].rank:
        return first.id
    return second.id
