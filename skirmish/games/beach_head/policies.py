"""Automatic players: what each orders, and whole games that they play.

``docs/beach-head.md`` describes how their plan was found and what it saves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import NamedTuple, TypeVar

from skirmish.games.beach_head import orders
from skirmish.games.beach_head.card_values import (
    WORTH,
    WORTH_OF_A_DRAWN_CARD,
    card_uses,
    saving_by_waiting,
    worst_first,
)
from skirmish.games.beach_head.events import BeachOpened
from skirmish.games.beach_head.pending import BeachAsk
from skirmish.games.beach_head.plan_choices import planned_loss, planned_target
from skirmish.games.beach_head.ruleset import BeachSetup
from skirmish.games.beach_head.simulate.policy import BETTER, Plan
from skirmish.games.beach_head.state import BeachState
from skirmish.games.beach_head.wording import prompt_text
from skirmish.tabletop.chance import Draw

T = TypeVar("T")
"""What is chosen from: a target, or a kind of tank."""

MOST_ORDERS = 20_000
"""A game with more orders than this counts as endless."""


class GamePolicy(NamedTuple):
    """Plays one game, with no more information than a player has. With a ``plan`` it chooses its
    targets by the plan, and plays a card wherever that gains more than waiting; without one it
    chooses targets at random and plays no cards."""

    name: str
    plan: Plan | None = None

    def order(self, state: BeachState, chance: Random) -> orders.BeachOrder:
        """What this player orders now; ``chance`` is for choices made at random. Raises ValueError
        (a sentence) where the answer is what dice or cards on a real table show."""
        if state.asks in ("dice", "lot", "cards"):
            why = "The program cannot play with the dice and cards on your table."
            raise ValueError(f"{why} {prompt_text(state)}")
        if self.plan is None:
            return _order_by_lot(state, chance)
        return _order_by_plan(self.plan, state)


def _order_by_lot(state: BeachState, chance: Random) -> orders.BeachOrder:
    """The order of a player who answers questions by chance, and exchanges and plays no cards."""
    match state.ask:
        case BeachAsk(what="target", targets=targets):
            return orders.ChooseTarget(target=pick_at_random(targets, chance))
        case BeachAsk(what="tank", kinds=kinds):
            return orders.GiveTank(tank=pick_at_random(kinds, chance))
        case BeachAsk(what="trim", count=count):
            return orders.Discard(cards=cards_at_random(state.hand, count, chance))
    # Lets the roll count, exchanges nothing, or goes on to the next phase.
    return orders.Go()


def _order_by_plan(plan: Plan, state: BeachState) -> orders.BeachOrder:
    """The order of a player who follows a plan."""
    match state.ask:
        case BeachAsk(what="target") as ask:
            return orders.ChooseTarget(target=planned_target(plan, state, ask))
        case BeachAsk(what="tank", kinds=kinds):
            return orders.GiveTank(tank=planned_loss(plan, kinds))
        case BeachAsk(what="exchange", most=most):
            return _general_or_exchange(state, most)
        case BeachAsk(what="trim", count=count):
            return orders.Discard(cards=worst_first(state)[:count])
    card = _card_worth_playing(state)
    if card is not None:
        return card
    return orders.Go()


PLAIN = GamePolicy("plain")
SKILLED = GamePolicy("better", BETTER)
"""Plays by the best plan that we found. ``better`` is the name by which players ask for it."""
POLICIES = {"plain": PLAIN, "better": SKILLED}


def play_out(setup: BeachSetup, policy: GamePolicy, seed: int) -> BeachState:
    """The end of a whole game; ``seed`` is for the random choices of the policy only."""
    return play_on(BeachOpened(setup=setup).apply(None), policy, seed)


def play_on(state: BeachState, policy: GamePolicy, seed: int) -> BeachState:
    """The end of a game in progress. Raises ValueError (a sentence) where it cannot be played."""
    chance = Random(seed)
    for _ in range(MOST_ORDERS):
        if state.over:
            return state
        state = policy.order(state, chance).with_consequences(state).state
    raise ValueError(
        f"After {MOST_ORDERS} orders of the policy {policy.name} the game is not over."
    )


def pick_at_random(choices: Sequence[T], chance: Random) -> T:
    """One of the choices, all equally likely."""
    # ``random`` gives the same numbers in every version of Python; ``choice`` need not.
    return choices[int(chance.random() * len(choices))]


def cards_at_random(cards: Iterable[Draw], count: int, chance: Random) -> tuple[Draw, ...]:
    """``count`` of the cards, at random."""
    left = list(cards)
    picked = []
    for _ in range(count):
        picked.append(left.pop(int(chance.random() * len(left))))
    return tuple(picked)


def _general_or_exchange(state: BeachState, most: int) -> orders.BeachOrder:
    """Plays a General first, who draws more cards than he costs; else exchanges up to ``most``
    cards, those that are worth less than a drawn one can be expected to be."""
    general = _first_general(state)
    if general is not None and not general.why_not(state):
        return general
    poor_cards = [card for card in worst_first(state) if WORTH[card.rank] < WORTH_OF_A_DRAWN_CARD]
    exchanged = tuple(poor_cards[:most])
    if not exchanged:
        return orders.Go()
    return orders.Discard(cards=exchanged)


def _first_general(state: BeachState) -> orders.PlayCard | None:
    """The order that plays a General of the hand; None without one."""
    for card in state.hand:
        if state.is_general(card):
            return orders.PlayCard(card=card)
    return None


def _card_worth_playing(state: BeachState) -> orders.PlayCard | None:
    """The card that saves most beyond what it can expect to save later; None if no card does."""
    best: orders.PlayCard | None = None
    best_advantage = 0.0
    for use in card_uses(state):
        advantage = use.gain - saving_by_waiting(state, use.order.card.rank)
        if advantage > best_advantage:
            best, best_advantage = use.order, advantage
    return best
