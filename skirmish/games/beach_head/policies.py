"""Who plays in a player's place: a state with an open question or roll in, an order out."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Protocol, TypeVar

from skirmish.games.beach_head import orders
from skirmish.games.beach_head.agenda import (
    CardsAsk,
    DiceAsk,
    ExchangeAsk,
    LotAsk,
    TankAsk,
    TargetAsk,
    TrimAsk,
)
from skirmish.games.beach_head.decide import wanted
from skirmish.games.beach_head.orders import AnyOrder
from skirmish.games.beach_head.policies_hand import exchanged, general, thrown_off, worth_playing
from skirmish.games.beach_head.policies_plan import BETTER, aim, give
from skirmish.games.beach_head.state import State
from skirmish.tabletop.chance import Draw

T = TypeVar("T")


class Policy(Protocol):
    """Plays one game by the rules as they are. It looks at nothing that a player does not see."""

    @property
    def name(self) -> str:
        """As it is called on the command line."""

    @property
    def plays_cards(self) -> bool:
        """Whether it ever does."""

    def order(self, state: State, chance: Random) -> AnyOrder:
        """What to do now. Raises ValueError (a sentence) where only a real table can tell."""


class Plain:
    """Any target, each as likely as the next; no card is ever played, and any may go."""

    name = "plain"
    plays_cards = False

    def order(self, state: State, chance: Random) -> AnyOrder:
        """By lot."""
        match state.ask:
            case TargetAsk(targets=targets):
                return orders.Choose(target=_one_of(targets, chance))
            case TankAsk(kinds=kinds):
                return orders.Give(tank=_one_of(kinds, chance))
            case TrimAsk(count=count):
                return orders.Discard(cards=_some_of(state.hand, count, chance))
        _refuse_table(state)
        return orders.Go()


class Better:
    """The plan for targets, and a card wherever it gains more than it is likely to gain later."""

    name = "better"
    plays_cards = True

    def order(self, state: State, chance: Random) -> AnyOrder:
        """Nothing is left to ``chance``."""
        del chance
        match state.ask:
            case TargetAsk():
                return orders.Choose(target=aim(BETTER, state, state.ask))
            case TankAsk(kinds=kinds):
                return orders.Give(tank=give(BETTER, kinds))
            case ExchangeAsk():
                if (card := general(state)) is not None:
                    return orders.Play(card=card)
                cards = exchanged(state)
                return orders.Discard(cards=cards) if cards else orders.Go()
            case TrimAsk(count=count):
                return orders.Discard(cards=thrown_off(state, count))
        _refuse_table(state)
        use = worth_playing(state)
        return use.order if use else orders.Go()


POLICIES: dict[str, Policy] = {one.name: one for one in (Plain(), Better())}
"""By name."""


def _refuse_table(state: State) -> None:
    if isinstance(state.ask, DiceAsk | LotAsk | CardsAsk):
        raise ValueError(
            f"The program cannot play with the dice and cards on your table. {wanted(state.ask)}"
        )


def _one_of(things: Sequence[T], chance: Random) -> T:
    return things[int(chance.random() * len(things))]


def _some_of(hand: tuple[Draw, ...], count: int, chance: Random) -> tuple[Draw, ...]:
    left = list(hand)
    return tuple(left.pop(int(chance.random() * len(left))) for _ in range(count))
