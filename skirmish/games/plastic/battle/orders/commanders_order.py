"""What all orders about the program's commander have in common: who gives them, how his order for a
group is looked up, and that an error in what he works out never stops the battle."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from skirmish.games.plastic.battle.commanders import Commander, CommandOrder
from skirmish.games.plastic.battle.orders.resolution import OrderOfSide, both_sides
from skirmish.games.plastic.battle.state import State
from skirmish.tabletop.refusal import Refused, nonsense

AT_A_LOSS = "The program's commander has no answer here; you can play on without it."
"""The refusal where an error occurs in what he works out."""


class CommandersOrder(OrderOfSide, frozen=True, kw_only=True):
    """An order about the commander of a ``side``. Either player may give it, since whoever plays
    against the program moves its figures, too; but only his own side deals with an adviser."""

    when = "any time"
    in_journal = "beside"
    begun_by = "both sides"

    def given_by(self, state: State) -> tuple[str, ...]:
        return sides_that_instruct(state, self.side)

    def commander(self, state: State) -> Commander:
        """The commander of this order's side. Raises Refused if it has none."""
        return commander_of(state, self.side)


def sides_that_instruct(state: State, side: str) -> tuple[str, ...]:
    """The sides whose players may give orders about the commander of a side: both, but of an
    adviser only his own."""
    commander = state.commanders.get(side)
    if commander is not None and commander.advises:
        return (side,)
    return both_sides(state)


def commander_of(state: State, side: str) -> Commander:
    """The commander of a side. Raises Refused if it has none."""
    commander = state.commanders.get(side)
    if commander is None:
        raise nonsense("no_commander", "The program does not command that side.")
    return commander


def open_order(commander: Commander, group: str) -> CommandOrder:
    """The order of a group that is not carried out yet. Raises Refused if there is none."""
    for order in commander.orders:
        if order.group == group:
            return order
    raise nonsense("no_order", "That group has no order to carry out.")


@contextmanager
def errors_refused() -> Iterator[None]:
    """The context in which the commander works something out. Any error in it becomes a refusal, so
    that it never stops the battle."""
    try:
        yield
    except Refused:
        raise
    except Exception as error:
        raise nonsense("at_a_loss", AT_A_LOSS) from error
