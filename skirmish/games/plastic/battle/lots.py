"""Who is first: both sides draw, the higher card or roll decides, ties are drawn anew ("The Basic
Game", P35). Once for the placing of terrain, once for the choice of sides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from skirmish.games.plastic.battle.agenda import AnyTask, ToCast
from skirmish.games.plastic.battle.events import Held, LotCast

if TYPE_CHECKING:
    from skirmish.games.plastic.battle.resolve import Resolution

BEFORE_PLAY: tuple[AnyTask, ...] = (ToCast(lot="terrain"), ToCast(lot="side"))
"""With this a basic game begins whose sides are not settled yet."""

MOST_TIES = 20
"""Two decks shuffled alike would tie for ever; then the first side is first."""


def cast(run: Resolution, task: ToCast, then: tuple[AnyTask, ...]) -> None:
    """The next side draws; when both have, the lot is cast, or it is a tie."""
    sides = run.state.setup.sides
    if any(run.keeps_ledger(side.id) for side in sides):  # they settle it at the table
        run.emit(Held(then=then))
        return
    missing = [side.id for side in sides if side.id not in task.drawn]
    draw = run.draw(missing[0], "lot", lambda _: False)
    if draw is None:
        return
    drawn = {**task.drawn, missing[0]: draw}
    if len(drawn) < len(sides):
        run.emit(Held(then=(replace(task, drawn=drawn), *then)))
        return
    one, other = (drawn[side.id].rank for side in sides)
    tie = one == other
    first = sides[0].id if one >= other else sides[1].id
    anew = tie and task.ties < MOST_TIES
    again: tuple[AnyTask, ...] = (ToCast(lot=task.lot, ties=task.ties + 1),) if anew else ()
    won = None if again else first
    run.emit(LotCast(lot=task.lot, draws=drawn, first=won, then=(*again, *then)))
