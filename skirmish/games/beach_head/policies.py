"""Who plays in a player's place: a state with an open question or roll in, an order out; and whole
games played so.

The better policy plays a card where it gains more squads than it could still hope to save in this
turn: the hand is filled up every turn, so that a card kept is a card not drawn. What a card can
hope for was found by letting every card wait for the best of the rolls to come, over some hundred
games: low cards wait for the defenders' dice, high ones go for bunkers and walls as they come, an
Admiral for the assault. Played so, 1,000 games with cards cost 3.1 squads on average in 6.2 turns
at Normandy and 3.9 in 6.8 at Omaha.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random
from typing import ClassVar, Protocol, TypeVar

from skirmish.games.beach_head.events import Opened
from skirmish.games.beach_head.orders import AnyOrder, ChooseTarget, Discard, Give, Go, PlayCard
from skirmish.games.beach_head.plan import BETTER, aim, give
from skirmish.games.beach_head.ruleset import PhaseId, Setup
from skirmish.games.beach_head.simulate.tally import Spread, Tally
from skirmish.games.beach_head.state import (
    CardsAsk,
    DiceAsk,
    ExchangeAsk,
    LotAsk,
    State,
    TankAsk,
    TargetAsk,
    TrimAsk,
)
from skirmish.games.beach_head.wording import prompt_text
from skirmish.games.beach_head.worth import Use, uses
from skirmish.tabletop.chance import Draw

T = TypeVar("T")

PARTS: tuple[PhaseId, ...] = ("gun_tank", "defenders", "shore_guns", "mines", "bridge")
"""A turn in parts, each by its last phase: the landing, the defenders, the guns, the mines, the
assault. In the rest of the turn nothing is worth waiting for."""

HOPE: dict[int, tuple[float, float, float, float, float]] = {
    1: (2.7, 1.15, 0.7, 0.0, 0.0),
    2: (2.4, 1.2, 0.75, 0.1, 0.05),
    3: (2.1, 1.25, 0.85, 0.3, 0.15),
    4: (1.5, 0.9, 0.7, 0.5, 0.3),
    5: (1.05, 0.85, 0.8, 0.8, 0.6),
    6: (1.1, 1.0, 1.0, 1.0, 0.75),
    7: (1.95, 0.95, 0.6, 0.0, 0.0),
    8: (1.2, 0.6, 0.35, 0.0, 0.0),
    9: (0.4, 0.4, 0.35, 0.3, 0.25),
    10: (0.65, 0.65, 0.6, 0.6, 0.5),
    11: (1.5, 0.85, 0.65, 0.4, 0.3),
    12: (1.15, 1.15, 1.15, 1.15, 0.9),
}
"""Squads that a card of each rank can hope to save in the rest of the turn, after each part."""
_RIVALS = 0.65
"""Of which so much is left, since the other cards of the hand wait for the same rolls."""

WORTH: dict[int, float] = {
    1: 2.7, 2: 2.4, 3: 2.1, 4: 1.5, 5: 1.1, 6: 1.3, 7: 1.95, 8: 1.2, 9: 0.5, 10: 0.9, 11: 1.5,
    12: 1.15, 13: 2.4,
}  # fmt: skip
"""Squads that a card of each rank saves in a whole turn, alone and at its best moment."""
DRAWN = sum(WORTH.values()) / len(WORTH)
"""The same for a card that is yet to be drawn."""
MOST_ORDERS = 20_000
"""A game that takes more will not end."""
ENDLESS = f"After {MOST_ORDERS} orders of the policy {{}} the game is not over."


class GamePolicy(Protocol):
    """Plays one game by the rules as they are. It looks at nothing that a player does not see."""

    name: ClassVar[str]
    plays_cards: ClassVar[bool]

    def order(self, state: State, chance: Random) -> AnyOrder:
        """What to do now. Raises ValueError (a sentence) where only a real table can tell."""


class Plain:
    """Any target, each as likely as the next; no card is ever played, and any may go."""

    name: ClassVar[str] = "plain"
    plays_cards: ClassVar[bool] = False

    def order(self, state: State, chance: Random) -> AnyOrder:
        match state.ask:
            case TargetAsk(targets=targets):
                return ChooseTarget(target=_one_of(targets, chance))
            case TankAsk(kinds=kinds):
                return Give(tank=_one_of(kinds, chance))
            case TrimAsk(count=count):
                left = list(state.hand)
                cards = (left.pop(int(chance.random() * len(left))) for _ in range(count))
                return Discard(cards=tuple(cards))
        _refuse_table(state)
        return Go()


class Better:
    """The plan for targets, and a card wherever it gains more than it is likely to gain later."""

    name: ClassVar[str] = "better"
    plays_cards: ClassVar[bool] = True

    def order(self, state: State, chance: Random) -> AnyOrder:
        match state.ask:
            case TargetAsk() as ask:
                return ChooseTarget(target=aim(BETTER, state, ask))
            case TankAsk(kinds=kinds):
                return Give(tank=give(BETTER, kinds))
            case ExchangeAsk(most=most):
                generals = (PlayCard(card=card) for card in state.hand if state.is_general(card))
                if (general := next(generals, None)) and general.playable(state):
                    return general  # he is worth more than himself in cards
                cards = [card for card in _worst_first(state) if WORTH[card.rank] < DRAWN][:most]
                return Discard(cards=tuple(cards)) if cards else Go()
            case TrimAsk(count=count):
                return Discard(cards=thrown_off(state, count))
        _refuse_table(state)
        use = worth_playing(state)
        return use.order if use else Go()


POLICIES: dict[str, GamePolicy] = {one.name: one for one in (Plain(), Better())}


def _refuse_table(state: State) -> None:
    if isinstance(state.ask, DiceAsk | LotAsk | CardsAsk):
        raise ValueError(
            f"The program cannot play with the dice and cards on your table. {prompt_text(state)}"
        )


def _one_of(things: Sequence[T], chance: Random) -> T:
    return things[int(chance.random() * len(things))]


def _hope(state: State, rank: int) -> float:
    """Squads that a card could save in this turn once the present phase is over."""
    ruleset = state.setup.ruleset
    place = ruleset.place(state.phase or "tactical")
    part = next((at for at, last in enumerate(PARTS) if place <= ruleset.place(last)), None)
    return 0.0 if part is None else _RIVALS * HOPE[rank][part]


def worth_playing(state: State) -> Use | None:
    """The card that gains most beyond its hope, or None where all of them had better wait."""
    best, most = None, 0.0
    for use in uses(state):
        more = use.gain - _hope(state, use.order.card.rank)
        if more > most:
            best, most = use, more
    return best


def thrown_off(state: State, count: int) -> tuple[Draw, ...]:
    return tuple(_worst_first(state)[:count])


def _worst_first(state: State) -> list[Draw]:
    return sorted(state.hand, key=lambda card: (WORTH[card.rank], card))


# ------------------------------------------------------------------ whole games


def play_out(setup: Setup, policy: GamePolicy, seed: int) -> State:
    return play_on(Opened(setup=setup).apply(None), policy, seed)


def play_on(state: State, policy: GamePolicy, seed: int) -> State:
    """The end of a game in progress. Raises ValueError (a sentence) where it cannot be played."""
    chance = Random(seed)
    for _ in range(MOST_ORDERS):
        if state.over:
            return state
        state = after(state, policy.order(state, chance))
    raise ValueError(
        f"After {MOST_ORDERS} orders of the policy {policy.name} the game is not over."
    )


def after(state: State, order: AnyOrder) -> State:
    for event in order.decide(state):
        state = event.apply(state)
    return state


def tally_of(states: Iterable[State]) -> Tally:
    """Finished games, counted as the simulator counts its own."""
    games = list(states)
    return Tally(
        casualties=_spread([state.casualties for state in games]),
        turns=_spread([state.turn for state in games]),
        alive=_spread([state.squads for state in games]),
    )


def _spread(values: list[int]) -> Spread:
    counts = Counter(values)
    return Spread(tuple(counts[value] for value in range(max(values, default=-1) + 1)))
