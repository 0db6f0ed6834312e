"""What would you do? The choices that are open, what each is likely to cost, and what the better
policy would do, with its reason.

Every choice is played to its end many times from the position that it leads to, by the better plan
and without further cards; the dice to come are never looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import msgspec
from msgspec.structs import replace

from skirmish.games.beach_head import orders
from skirmish.games.beach_head.advice_words import card_reason, option_words, overruled, reason
from skirmish.games.beach_head.agenda import (
    CardsAsk,
    DiceAsk,
    ExchangeAsk,
    LotAsk,
    TankAsk,
    TargetAsk,
    TrimAsk,
)
from skirmish.games.beach_head.decide import carried_out
from skirmish.games.beach_head.orders import AnyOrder
from skirmish.games.beach_head.policies import Better
from skirmish.games.beach_head.policies_cards import uses, with_card
from skirmish.games.beach_head.policies_plan import BETTER
from skirmish.games.beach_head.simulate.ahead import from_state
from skirmish.games.beach_head.simulate.tally import Tally
from skirmish.games.beach_head.state import State
from skirmish.tabletop.refusal import nonsense

GAMES = 10_000
"""For each choice; half a second or less for the usual one."""
MOST_CARDS = 6
"""Uses of cards that are worth looking at."""
CLEARLY = 3
"""Standard errors of a difference that is no accident."""


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """One choice: its order (None: none can be given, as the table speaks next), its words, and
    what comes of it. ``casualties`` are those of the whole game, ``error`` is the standard error of
    their mean, ``turns`` the turn in which the game ends; all None where nothing was reckoned."""

    order: AnyOrder | None
    words: str
    casualties: float | None = None
    error: float | None = None
    turns: float | None = None


class Advice(msgspec.Struct, frozen=True, kw_only=True):
    """The choices, the advised one first: the better policy's own, unless the games played clearly
    speak against it. Why it is that; and what the numbers leave out. ``games`` were played for each
    choice."""

    options: tuple[Option, ...]
    reason: str
    note: str
    games: int

    @property
    def best(self) -> Option:
        """What is advised."""
        return self.options[0]

    @property
    def is_open(self) -> bool:
        """Whether there is anything to choose."""
        return self.best.order is not None


def advise(state: State, *, games: int = GAMES, seed: int = 0) -> Advice:
    """The advice for a state. The same seed, the same numbers. Raises Refused when all is over."""
    *_, last = advising(state, games=games, seed=seed)
    return last


def advising(state: State, *, games: int = GAMES, seed: int = 0) -> Iterator[Advice]:
    """The same advice better and better: first without numbers, then after a sixth of the games,
    then after all. Whoever stops taking it stops the reckoning."""
    if state.over:
        raise nonsense("over", "The beach is taken; the game is over.")
    choices = [(order, _leads_to(state, order)) for order in _choices(state)]
    tallies: list[Tally | None] = [None] * len(choices)
    yield _told(state, choices, tallies)
    first = max(1, games // 6)
    for round_, count in enumerate((first, games - first)):
        if count <= 0:
            continue
        for number, (_, states) in enumerate(choices):
            if states:
                more = _played(states, count, seed * 2 + round_)
                before = tallies[number]
                tallies[number] = more if before is None else before + more
        yield _told(state, choices, tallies)


_Choice = tuple[AnyOrder | None, list[State]]


def _played(states: list[State], games: int, seed: int) -> Tally:
    """The same seed for every choice, so that the same dice fall as far as may be."""
    each = max(1, games // len(states))
    return sum((from_state(one, each, seed, BETTER) for one in states), Tally())


# ------------------------------------------------------------------ the choices


def _choices(state: State) -> list[AnyOrder | None]:
    """What may be done now, the better policy's choice first."""
    match state.ask:
        case DiceAsk() | LotAsk() | CardsAsk():
            return [None]
        case TargetAsk(targets=targets, may_decline=may_decline):
            found: list[AnyOrder] = [orders.Choose(target=one) for one in targets]
            found += [orders.Choose(target=None)] if may_decline else []
        case TankAsk(kinds=kinds):
            found = [orders.Give(tank=one) for one in kinds]
        case ExchangeAsk():
            found = [orders.Go()]
        case TrimAsk():
            found = []
        case None:
            found = [orders.Go(), *(use.order for use in uses(state)[:MOST_CARDS])]
    mine = Better().order(state, Random(0))
    return [mine, *(one for one in found if one != mine)]


def _leads_to(state: State, order: AnyOrder | None) -> list[State]:
    """The states that a choice leads to, all as likely. Cards that are exchanged or thrown off lead
    nowhere that a game without further cards would notice."""
    match order:
        case orders.Choose() | orders.Give():
            return [carried_out(state, order).state]
        case orders.Play(card=card, die=die):
            does = state.setup.manual.card_of(card.rank).does
            if does == "repeat":
                return [replace(state, repeats=True)]
            return [state] if does == "draw" else with_card(state, card, die)
    return [state]


# ------------------------------------------------------------------ as it is told


def _told(state: State, choices: list[_Choice], tallies: list[Tally | None]) -> Advice:
    options = [
        _option(state, order, tally) for (order, _), tally in zip(choices, tallies, strict=True)
    ]
    games = max((tally.games for tally in tallies if tally), default=0)
    why = _why(state, options)
    if better := _overruled(options):
        why = overruled(options[0].order, _less(better, options[0]))
        options.remove(better)
        options.insert(0, better)
    each = len(options) > 1
    return Advice(
        options=tuple(options), reason=why, note=_note(state, games, each=each), games=games
    )


def _option(state: State, order: AnyOrder | None, tally: Tally | None) -> Option:
    words = option_words(state, order)
    if tally is None:
        return Option(order=order, words=words)
    return Option(
        order=order,
        words=words,
        casualties=tally.casualties.mean,
        error=tally.casualties.error,
        turns=tally.turns.mean,
    )


def _overruled(options: list[Option]) -> Option | None:
    """The choice that the games played clearly put before the policy's own. Of targets any may be;
    but a card only gives way to none, since what it could do later is not in the numbers."""
    mine = options[0]
    if mine.casualties is None:
        return None
    match mine.order:
        case orders.Choose() | orders.Give():
            rivals = options[1:]
        case orders.Play():
            rivals = [one for one in options[1:] if isinstance(one.order, orders.Go)]
        case _:
            return None
    return _clearly_better(mine, rivals)


def _clearly_better(mine: Option, rivals: list[Option]) -> Option | None:
    """The best of the rivals, if it is better by more than chance."""
    best = min(rivals, key=lambda one: one.casualties or 0.0, default=None)
    if best is None or best.casualties is None or mine.casualties is None:
        return None
    errors = (mine.error or 0.0) ** 2 + (best.error or 0.0) ** 2
    clearly = mine.casualties - best.casualties > CLEARLY * errors**0.5
    return best if clearly else None


def _why(state: State, options: list[Option]) -> str:
    """The reason for the first option, with the numbers that stand in its row and no others."""
    mine = options[0]
    cards = [one for one in options[1:] if isinstance(one.order, orders.Play)]
    about_cards = isinstance(mine.order, orders.Play) or (cards and state.roll is not None)
    if mine.casualties is None or isinstance(state.ask, ExchangeAsk) or not about_cards:
        return reason(state, mine.order)
    going = next((one for one in options if isinstance(one.order, orders.Go)), mine)
    rival = _clearly_better(mine, cards)
    return card_reason(
        state,
        mine.order,
        saves=_less(mine, going),
        rival=_card_called(state, rival),
        more=_less(rival, mine) if rival else 0.0,
    )


def _card_called(state: State, option: Option | None) -> str:
    """The card of an option: ``a Medic``."""
    if option is None or not isinstance(option.order, orders.Play):
        return ""
    name = state.setup.manual.card_of(option.order.card.rank).name
    return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"


def _less(one: Option, other: Option) -> float:
    """Squads that one option loses less than the other, as the rows show them."""
    return round(other.casualties or 0.0, 1) - round(one.casualties or 0.0, 1)


def _note(state: State, games: int, *, each: bool) -> str:
    if not games:
        return ""
    played = f"{games:,} games{' for each choice,' if each else ''} played by the better plan"
    if state.deck is None:
        return f"{played}."
    if isinstance(state.ask, ExchangeAsk | TrimAsk):
        return f"{played}, without further cards: these numbers cannot tell hands apart."
    return f"{played}, without further cards."
