"""Cards out of the hand: on a die, on a phase, for more cards; exchanged, and thrown off."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from skirmish.games.beach_head import orders
from skirmish.games.beach_head.agenda import (
    CardsAsk,
    DiceAsk,
    Exchange,
    ExchangeAsk,
    Fill,
    LotAsk,
    Played,
    Roll,
    TankAsk,
    TargetAsk,
    TrimAsk,
)
from skirmish.games.beach_head.events import (
    Aimed,
    CardPlayed,
    Discarded,
    DrawsMore,
    Drew,
    Repeats,
)
from skirmish.games.beach_head.manual import Card, DefenceId, signs
from skirmish.games.beach_head.resolve import Resolution
from skirmish.games.beach_head.rolls import counted, is_looked_up
from skirmish.games.beach_head.settling import settle, spend
from skirmish.games.beach_head.state import State
from skirmish.games.beach_head.steps import do
from skirmish.tabletop.chance import Draw, pack
from skirmish.tabletop.refusal import Refused, nonsense


def play(run: Resolution, order: orders.Play) -> None:
    """A card on the table; raises Refused."""
    state = run.state
    _in_hand(state, [order.card])
    card = state.setup.manual.card_of(order.card.rank)
    if isinstance(state.ask, DiceAsk | CardsAsk):
        raise nonsense("waiting", "First type in what the table shows.")
    match card.does:
        case "draw":
            _general(run, order.card)
        case "repeat":
            _admiral(run, order.card)
        case _:
            _on_die(run, order, card)


def _in_hand(state: State, cards: Sequence[Draw]) -> None:
    missing = [card for card in cards if card not in state.hand]
    if missing:
        hand = signs(sorted(state.hand)) or "empty"
        raise nonsense("not_in_hand", f"Your hand has no {signs(missing)}; it is {hand}.")
    if len(set(cards)) < len(cards):
        raise nonsense("not_in_hand", "The same card is named twice.")


# ------------------------------------------------------------------ on a die


def _on_die(run: Resolution, order: orders.Play, card: Card) -> None:
    state, roll = run.state, run.state.roll
    if roll is None:
        raise nonsense(
            "no_roll", f"A {card.name} is played on a roll, and there is none now.", "B19"
        )
    first_cards = state.ruled("B19", "before")
    if first_cards and roll.faces:
        raise nonsense(
            "too_late", "The dice have been rolled; cards are played before that.", "B19"
        )
    if not 0 <= order.die < roll.dice:
        raise nonsense("no_die", f"There is no such die; the roll has {roll.dice}.", "B20")
    if state.ruled("B36", "numbers") and is_looked_up(state, roll):
        raise nonsense(
            "looked_up", "This roll is looked up in a table; no card may change it.", "B36"
        )
    if state.ruled("B23", "one") and any(one.die == order.die for one in roll.cards):
        raise nonsense("one_card", "This die has a card already.", "B23")
    if card.does == "reroll":
        if first_cards:
            raise nonsense("nothing_rolled", "There is nothing to re-roll yet.", "B19")
        _colonel(run, order, roll)
        return
    run.emit(CardPlayed(played=Played(order.card, order.die)))


def playable(state: State, card: Draw, die: int = 0) -> bool:
    """Whether a card may be played now, on that die if it needs one."""
    try:
        play(Resolution(state), orders.Play(card=card, die=die))
    except Refused:
        return False
    return True


def any_playable(state: State) -> bool:
    """Whether any card of the hand may be played on the roll that lies there."""
    dice = range(state.roll.dice if state.roll else 1)
    return any(playable(state, card, die) for card in state.hand for die in dice)


def changes(state: State, card: Draw, die: int) -> bool:
    """Whether a card that may be played on a die of the roll would make any difference to it."""
    roll, printed = state.roll, state.setup.manual.card_of(card.rank)
    assert roll is not None
    after = replace(roll, cards=(*roll.cards, Played(card, die)))
    return printed.sets is None or counted(state, after) != counted(state, roll)


def doubt(state: State, card: Draw, die: int) -> str:
    """What speaks against a card that may be played on a die: that it changes nothing, or does away
    with cards that lie there. Empty where nothing does."""
    roll, printed = state.roll, state.setup.manual.card_of(card.rank)
    if roll is None or not (printed.sets or printed.does == "reroll"):
        return ""
    now = counted(state, roll)
    if roll.faces and not changes(state, card, die):
        return f"The die shows {printed.sets} already: the {printed.name} would change nothing."
    if roll.dice == 1 and now.shift:
        return f"The {printed.name} would take the place of the {now.shift:+d} that lies there."
    return ""


def _colonel(run: Resolution, order: orders.Play, roll: Roll) -> None:
    count = roll.dice if run.state.ruled("B22", "all") else 1
    if run.state.dice.typed:
        run.ask(DiceAsk(count=count, card=Played(order.card, order.die)))
        return
    run.emit(CardPlayed(played=Played(order.card, order.die, run.faces(count))))


# ------------------------------------------------------------------ on a phase, for more cards


def _admiral(run: Resolution, card: Draw) -> None:
    state = run.state
    if state.roll is None or not state.roll.faces:
        raise nonsense(
            "no_phase", "An Admiral is played on the last roll of the phase that he repeats.", "B24"
        )
    if state.repeats:
        raise nonsense("no_phase", "This phase is going to be repeated already.", "B24")
    if state.ruled("B24", "allied") and state.now.side != "allied":
        raise nonsense("no_phase", "An Admiral does not repeat German phases.", "B24")
    if not _is_last_roll(state):
        raise nonsense("no_phase", "The phase is not over yet; its next roll comes first.", "B24")
    run.emit(Repeats(card=card))


def _is_last_roll(state: State) -> bool:
    """Whether the phase can end without another roll when the one on the table has counted."""
    trial = Resolution(state)
    settle(trial)
    return _ends(trial)


def _ends(run: Resolution) -> bool:
    while not run.state.over and run.state.roll is None:
        match run.state.ask:
            case None if not run.state.agenda:
                return True
            case None:
                do(run, run.state.agenda[0])
            case TankAsk() | LotAsk():
                return not run.rest
            case TargetAsk(targets=targets, points=int()):  # the die came first (B40)
                return any(_ends_after(run.state, target) for target in targets)
            case _:
                return False
    return run.state.over


def _ends_after(state: State, target: DefenceId) -> bool:
    trial = Resolution(state)
    spend(trial, target)
    return _ends(trial)


def _general(run: Resolution, card: Draw) -> None:
    state = run.state
    if not isinstance(state.ask, ExchangeAsk) and state.ruled("B25", "tactical"):
        raise nonsense("not_now", "A General is played in the tactical phase.", "B25")
    more = Fill(count=state.setup.manual.hand.general)
    run.emit(DrawsMore(card=card, then=(more, *state.agenda)))


# ------------------------------------------------------------------ in and out of the hand


def discard(run: Resolution, order: orders.Discard) -> None:
    """Cards to be exchanged, or too many at the end; raises Refused."""
    ask, cards = run.state.ask, order.cards
    _in_hand(run.state, cards)
    if isinstance(ask, ExchangeAsk):
        if len(cards) > ask.most:
            most = f"You may exchange at most {ask.most} cards, not {len(cards)}."
            raise nonsense(
                "too_many", most if ask.most else "You have exchanged cards already this turn."
            )
        again = (Fill(count=len(cards)), Exchange(done=True)) if cards else ()
        run.emit(Discarded(cards=cards, then=(*again, *run.rest)))
    elif isinstance(ask, TrimAsk):
        if len(cards) != ask.count:
            number = "1 card" if ask.count == 1 else f"{ask.count} cards"
            raise nonsense("how_many", f"You must discard {number}, not {len(cards)}.")
        run.emit(Discarded(cards=cards, then=run.rest))
    else:
        raise nonsense("not_now", "Cards are discarded in the Tactical and End phases only.")


def drawn(run: Resolution, order: orders.Draws) -> None:
    """Cards from the player's own deck; raises Refused."""
    state, ask = run.state, run.state.ask
    if not isinstance(ask, CardsAsk):
        raise nonsense("not_now", "No card is to be drawn now.")
    if len(order.cards) != ask.count:
        cards = "1 card is" if ask.count == 1 else f"{ask.count} cards are"
        raise nonsense("how_many", f"{cards} to be drawn, not {len(order.cards)}.")
    refuse_gone(state, order.cards)
    for card in order.cards:
        run.emit(Drew(card=card))
    head = run.state.agenda[0]
    assert isinstance(head, Fill)
    if head.count is not None:
        head = Fill(count=head.count - len(order.cards))
    run.emit(Aimed(then=(head, *run.rest)))


def refuse_gone(state: State, cards: Sequence[Draw]) -> None:
    """Refuse the first of these cards that cannot come from the player's own deck; raises
    Refused."""
    seen = set(state.deck.gone) if state.deck else set()
    for card in cards:
        if card not in pack():
            raise nonsense("no_card", f"{card} is no card of this deck; there are {len(pack())}.")
        if card in seen:
            raise nonsense("gone", f"{card} has been drawn since the last shuffle.")
        seen.add(card)
