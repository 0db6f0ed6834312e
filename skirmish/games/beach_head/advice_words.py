"""Choices and reasons in words."""

from __future__ import annotations

from msgspec.structs import replace

from skirmish.games.beach_head import orders
from skirmish.games.beach_head.agenda import ExchangeAsk, Played, TargetAsk
from skirmish.games.beach_head.decide import wanted
from skirmish.games.beach_head.manual import DefenceId
from skirmish.games.beach_head.orders import AnyOrder
from skirmish.games.beach_head.policies_cards import uses
from skirmish.games.beach_head.policies_hand import hope
from skirmish.games.beach_head.state import State
from skirmish.games.beach_head.telling import card_words, comes_to
from skirmish.tabletop.chance import spell


def option_words(state: State, order: AnyOrder | None) -> str:
    """A choice in a few words: ``the walls``, ``Sharpshooter, -2 (7H)``."""
    manual = state.setup.manual
    match order:
        case None:
            return wanted(state.ask) if state.ask else ""
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
    """Why the better policy does that, in a sentence."""
    match order:
        case orders.Choose(target=target) if target and isinstance(state.ask, TargetAsk):
            return _why_target(state, target)
        case orders.Give():
            return "AVRE fire petards and bridge ditches; a gun tank has one roll only."
        case orders.Discard() if isinstance(state.ask, ExchangeAsk):
            return "A card drawn for one of these is likely to save more squads."
        case orders.Discard():
            return "These save least in a turn."
        case orders.Play(card=card):
            return _why_card(state, order, state.setup.manual.card_of(card.rank).does)
        case orders.Go() if isinstance(state.ask, ExchangeAsk):
            return "None of these cards is worse than what you could expect to draw."
        case orders.Go() if state.roll is not None and state.hand:
            return _why_none(state)
    return ""


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


def _why_card(state: State, order: orders.Play, does: str | None) -> str:
    if does == "draw":
        return "A General brings more cards than he costs."
    use = next((one for one in uses(state) if one.order == order), None)
    if use is None:
        return ""
    later = hope(state, order.card.rank)
    if not later:
        return (
            f"It saves about {use.gain:.1f} squads, and there is nothing to wait for in this turn."
        )
    return (
        f"It saves about {use.gain:.1f} squads; later in this turn it could hope for {later:.1f}."
    )


def _why_none(state: State) -> str:
    found = uses(state)
    if not found:
        return "No card makes this roll better."
    best = found[0]
    later = hope(state, best.order.card.rank)
    name = state.setup.manual.card_of(best.order.card.rank).name
    return (
        f"Now a {name} would save about {best.gain:.1f} squads; later in this turn it could hope "
        f"for {later:.1f}."
    )
