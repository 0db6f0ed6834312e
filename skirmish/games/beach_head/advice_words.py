"""Choices and reasons in words."""

from __future__ import annotations

from msgspec.structs import replace

from skirmish.games.beach_head import orders
from skirmish.games.beach_head.agenda import ExchangeAsk, Played, TargetAsk
from skirmish.games.beach_head.decide import wanted
from skirmish.games.beach_head.manual import DefenceId
from skirmish.games.beach_head.orders import AnyOrder
from skirmish.games.beach_head.state import State
from skirmish.games.beach_head.telling import card_words, comes_to, draw_on
from skirmish.tabletop.chance import spell


def option_words(state: State, order: AnyOrder | None) -> str:
    """A choice in a few words: ``the walls``, ``Sharpshooter, -2 (7H)``."""
    manual = state.setup.manual
    match order:
        case None:
            return draw_on(state) or (wanted(state.ask) if state.ask else "")
        case orders.Choose(target=None):
            return "remove nothing"
        case orders.Choose(target=target):
            return f"the {manual.defence_of(str(target)).name.lower()}"
        case orders.Give(tank=tank):
            noun = manual.tank_of(tank).noun
            return f"lose {'an' if noun[0] in 'AEIOU' else 'a'} {noun}"
        case orders.Discard(cards=cards):
            verb = "exchange" if isinstance(state.ask, ExchangeAsk) else "throw off"
            return f"{verb} {spell(cards)}"
        case orders.Play():
            return _play_words(state, order)
        case orders.Go() if isinstance(state.ask, ExchangeAsk):
            return "exchange nothing"
        case orders.Go() if state.roll is not None and state.roll.faces:
            return f"let it count: {comes_to(state, state.roll)}"
    return "go on"


def _play_words(state: State, order: orders.Play) -> str:
    printed = state.setup.manual.card_of(order.card.rank)
    words = f"{order.card}: {card_words(state.setup, order.card)}"
    roll = state.roll
    if printed.does or roll is None or not roll.faces:
        return words
    on = f", on the {roll.faces[order.die]}" if roll.dice > 1 and printed.sets else ""
    played = replace(roll, cards=(*roll.cards, Played(order.card, order.die)))
    return f"{words}{on}: {comes_to(state, played)}"


# ------------------------------------------------------------------ why


def reason(state: State, order: AnyOrder | None) -> str:
    """Why the better policy does that, in a sentence. What a card saves is told by ``card_reason``,
    once that has been reckoned."""
    match order:
        case None:
            return "There is nothing to choose; the table speaks next."
        case orders.Choose(target=target) if target and isinstance(state.ask, TargetAsk):
            return _why_target(state, target)
        case orders.Give():
            return "AVRE fire petards and bridge ditches; a gun tank has one roll only."
        case orders.Discard() if isinstance(state.ask, ExchangeAsk):
            return "A card drawn for one of these is likely to save more squads."
        case orders.Discard():
            return "These save least in a turn."
        case orders.Play(card=card):
            does = state.setup.manual.card_of(card.rank).does
            return _GENERAL if does == "draw" else "It saves more here than later in this turn."
        case orders.Go() if isinstance(state.ask, ExchangeAsk):
            return "None of these cards is worse than what you could expect to draw."
        case orders.Go() if state.hand:
            return "No card saves more here than it could later in this turn."
        case orders.Go():
            return "There is nothing to choose; going on is all that can be done."
    return ""


_GENERAL = "A General brings more cards than he costs."
SEEN = 0.05
"""Squads that a number with one decimal shows."""


def card_reason(state: State, order: AnyOrder | None, saves: float, rival: str, more: float) -> str:
    """The same with what the games played say of cards. ``saves``: squads that the card of
    ``order`` saves against letting the roll count. ``rival``, if any, is the other card that is
    best by these games: it saves ``more`` than ``order``.

    The games are played without further cards, and the policy looks at what a card could do later:
    where the two differ, the sentence says so."""
    if isinstance(order, orders.Play):
        if state.setup.manual.card_of(order.card.rank).does == "draw":
            return _GENERAL
        if rival:
            return (
                f"Now {rival} would save {more:.1f} squads more, but can do more than that later."
            )
        if saves < SEEN:
            return "These games see no gain in it; with the cards still to come it saves a little."
        return f"It saves {saves:.1f} squads, more than it is likely to save later in this turn."
    if rival:
        return (
            f"Without further cards {rival} would save {more:.1f} squads; the plan keeps it for a "
            "roll of this turn where it is likely to do more."
        )
    return "No card saves more here than it could later in this turn."


def overruled(order: AnyOrder | None, spared: float) -> str:
    """Why the better policy's own choice is not advised: the games played lose ``spared`` more."""
    if isinstance(order, orders.Play):
        return f"With a {order.card} the games played lose {spared:.1f} squads more; keep it."
    return f"By plan it is another, but the games played lose {spared:.1f} squads more that way."


def _why_target(state: State, target: DefenceId) -> str:
    half = 2 * state.defences["bunkers"] <= state.setup.points()["bunkers"]
    match target:
        case "trenches":
            return "The way to the trenches is open, and they win the game."
        case "bunkers" if not half:
            return "Once half the bunkers are gone the defenders' fire is weaker."
        case "bunkers" if state.phase == "petard" and state.defences["walls"]:
            return "At the walls petards would dig craters."
        case "bunkers":
            return "All bunkers must go, and they keep everybody from the trenches."
        case "walls":
            return "Walls keep everybody from the trenches, and bunkers fall to other arms too."
        case "wire" if state.defences["bunkers"]:
            return "Through the wire the infantry gets at the bunkers."
        case "ditches":
            return "Without ditches gun tanks and petards get at the trenches."
    return "Nothing that bars the way can be aimed at."
