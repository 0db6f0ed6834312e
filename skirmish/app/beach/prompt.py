"""What a key means just now: an order, or part of an answer that is still being given.

Without a screen: it asks the game and knows no rule.
"""

from __future__ import annotations

import msgspec

from skirmish.games.beach_head.agenda import (
    CardsAsk,
    DiceAsk,
    ExchangeAsk,
    LotAsk,
    TankAsk,
    TargetAsk,
    TrimAsk,
)
from skirmish.games.beach_head.decide import wanted, why_not
from skirmish.games.beach_head.hand import refuse_gone
from skirmish.games.beach_head.manual import DefenceId, Manual
from skirmish.games.beach_head.orders import (
    AnyOrder,
    Choose,
    Discard,
    Draws,
    Give,
    Go,
    Play,
    Show,
)
from skirmish.games.beach_head.policies_hand import thrown_off
from skirmish.games.beach_head.state import State
from skirmish.tabletop.chance import SUITS, Draw, DrawError, parse_card
from skirmish.tabletop.refusal import Refused

SHORE: tuple[DefenceId, ...] = (
    "traps", "mines", "wire", "walls", "ditches", "bunkers", "trenches",
)  # fmt: skip
"""The defences as they lie, from the sea inland. A digit names each, the same all game long."""
RANKS = {"a": 1, **{str(n): n for n in range(2, 10)}, "0": 10, "j": 11, "q": 12, "k": 13}
"""The key of each rank of cards."""
KEY_OF = {rank: key for key, rank in RANKS.items()}
NOBODY = "n"
"""The key that declines a removal."""
KING = 13
TEN = 10


class UnfitError(ValueError):
    """A key that means nothing now; the sentence says what would. ``draft``: what is left of the
    answer, where the key took something with it."""

    def __init__(self, says: str, draft: Draft | None = None) -> None:
        super().__init__(says)
        self.draft = draft


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """What has been put together so far: ``typed`` digits of own dice or signs of own cards, cards
    ``marked`` to be thrown off, a ``card`` whose die is still to be named."""

    typed: str = ""
    marked: tuple[Draw, ...] = ()
    card: Draw | None = None

    @property
    def begun(self) -> bool:
        """Whether there is anything to take back in it."""
        return self != Draft()

    def back(self) -> Draft:
        """One sign, mark or card less."""
        if self.typed:
            return msgspec.structs.replace(self, typed=self.typed[:-1])
        return Draft(marked=self.marked[:-1])


Step = Draft | AnyOrder


def press(key: str, state: State, draft: Draft) -> Step:
    """What a key does: ``space``, ``enter``, a digit, the letter of a rank or a suit. Raises
    UnfitError."""
    going = key in ("space", "enter")
    match state.ask:
        case DiceAsk(count=count):
            return _dice(key, count, draft, wanted(state.ask))
        case LotAsk(sides=sides):
            return _lot(key, sides, draft, wanted(state.ask))
        case CardsAsk(count=count):
            return _cards(key, count, state, draft)
        case TargetAsk():
            return _target(key, state, state.ask)
        case TankAsk():
            return _tank(key, state.ask)
        case ExchangeAsk() | TrimAsk():
            return _thrown_off(state, draft, state.ask) if going else _mark(key, state, draft)
    if draft.card is not None:
        return _die(key, state, draft.card)
    return Go() if going else _play(key, state)


# ------------------------------------------------------------------ own dice and cards


def _dice(key: str, count: int, draft: Draft, says: str) -> Step:
    if key not in "123456":
        raise UnfitError(f"{says} A die shows 1 to 6.")
    typed = draft.typed + key
    return Show(faces=tuple(map(int, typed))) if len(typed) == count else Draft(typed=typed)


def _lot(key: str, sides: int, draft: Draft, says: str) -> Step:
    if key == "enter" and draft.typed:
        return Show(faces=(int(draft.typed),))
    typed = draft.typed + key
    if not key.isdigit() or not 1 <= int(typed) <= sides:
        raise UnfitError(says)
    return Show(faces=(int(typed),)) if int(typed) * 10 > sides else Draft(typed=typed)


def _cards(key: str, count: int, state: State, draft: Draft) -> Step:
    """Signs of cards one after the other; the suit ends each. One that cannot be drawn is taken off
    again, and those before it stay."""
    if key in ("space", "enter"):
        more = count - len(typed_cards(draft.typed))
        raise UnfitError(f"{more} more to come: the rank, then the suit, as in 7H or QS.")
    before = draft.typed + key.upper()
    known = typed_cards(before)
    rest = before[len("".join(map(str, known))) :]
    if rest and not (rest == "1" or rest in ("10", *"A23456789JQK")):
        raise UnfitError("First the rank (A 2 to 10 J Q K), then the suit (S H D C): 7H, QS, 10D.")
    try:
        refuse_gone(state, known)
    except Refused as refused:
        *sound, _ = known
        says = f"{refused} It was taken off; type the card that you drew."
        raise UnfitError(says, Draft(typed="".join(map(str, sound)))) from None
    return Draws(cards=known) if len(known) == count else Draft(typed=before)


def typed_cards(typed: str) -> tuple[Draw, ...]:
    """The whole cards among what was typed so far."""
    cards: list[Draw] = []
    start = 0
    for at, sign in enumerate(typed):
        if sign in SUITS:
            try:
                cards.append(parse_card(typed[start : at + 1]))
            except DrawError:
                return tuple(cards)
            start = at + 1
    return tuple(cards)


# ------------------------------------------------------------------ choices


def _target(key: str, state: State, ask: TargetAsk) -> Step:
    if key == NOBODY and ask.may_decline:
        return Choose(target=None)
    if key.isdigit() and 1 <= int(key) <= len(SHORE) and SHORE[int(key) - 1] in ask.targets:
        return Choose(target=SHORE[int(key) - 1])
    offered = ", ".join(
        f"{SHORE.index(one) + 1} {state.setup.manual.defence_of(one).name.lower()}"
        for one in sorted(ask.targets, key=SHORE.index)
    )
    none = f", {NOBODY} none" if ask.may_decline else ""
    raise UnfitError(f"Choose what is fired at: {offered}{none}.")


def _tank(key: str, ask: TankAsk) -> Step:
    if key.isdigit() and 1 <= int(key) <= len(ask.kinds):
        return Give(tank=ask.kinds[int(key) - 1])
    raise UnfitError(f"Choose which tank is lost: 1 to {len(ask.kinds)}.")


# ------------------------------------------------------------------ out of the hand


def _held(key: str, state: State) -> list[Draw]:
    """The cards of a key's rank in the hand; raises UnfitError where there is none."""
    rank = RANKS.get(key.lower())
    if rank is None:
        raise UnfitError("Space goes on; a card is played by its rank: a 2 to 9 0 j q k.")
    if state.deck is None:
        raise UnfitError("This game is played without cards. Space goes on.")
    held = [card for card in state.hand if card.rank == rank]
    if not held:
        raise UnfitError(f"You hold no {called(state.setup.manual, rank)}.")
    return held


def called(manual: Manual, rank: int) -> str:
    """A rank by its card's name and sign: ``Hero (10)``."""
    return f"{manual.card_of(rank).name} ({str(Draw(rank, 'S'))[:-1]})"


def _mark(key: str, state: State, draft: Draft) -> Step:
    """A card to be thrown off, or no longer. A small ``k`` plays a General while cards are
    exchanged; a capital one throws it off."""
    held = _held(key, state)
    if key == KEY_OF[KING] and isinstance(state.ask, ExchangeAsk):
        return Play(card=held[0])
    fresh = [card for card in held if card not in draft.marked]
    if not fresh:
        return Draft(marked=tuple(card for card in draft.marked if card not in held))
    most = state.ask.most if isinstance(state.ask, ExchangeAsk) else None
    if isinstance(state.ask, TrimAsk):
        most = state.ask.count
    if most is not None and len(draft.marked) >= most:
        once = "Cards have been exchanged already; k plays a General, Space goes on."
        says = f"{_number(most)} at most; Backspace takes a mark back."
        raise UnfitError(says if most else once)
    return Draft(marked=(*draft.marked, fresh[0]))


def _thrown_off(state: State, draft: Draft, ask: ExchangeAsk | TrimAsk) -> Step:
    if isinstance(ask, TrimAsk) and not draft.marked:
        return Draft(marked=thrown_off(state, ask.count))  # proposed, not done
    if isinstance(ask, TrimAsk) and len(draft.marked) < ask.count:
        left = ask.count - len(draft.marked)
        raise UnfitError(f"{_number(left)} more must go: mark by rank. You keep {_keep(state)}.")
    return Discard(cards=draft.marked) if draft.marked else Go()


def _keep(state: State) -> int:
    return state.setup.manual.hand.keep


def _play(key: str, state: State) -> Step:
    """A card on the table, where it can only mean one die."""
    card = _held(key, state)[0]
    does = state.setup.manual.card_of(card.rank)
    dice = state.roll.dice if state.roll else 0
    if dice <= 1 or does.does in ("repeat", "draw") or _whole(state, card):
        return Play(card=card)
    if not does.sets and not does.does:
        return Play(card=card, die=_free_die(state, card, dice))
    able = [die for die in range(dice) if why_not(state, Play(card=card, die=die)) is None]
    if len({_lies(state, die) for die in able}) <= 1:
        return Play(card=card, die=able[0] if able else 0)
    return Draft(card=card)


def _lies(state: State, die: int) -> object:
    """What tells a die of the roll from the others: its face, if it was rolled, and the cards on
    it."""
    roll = state.roll
    assert roll is not None
    cards = tuple(one.card for one in roll.cards if one.die == die)
    return roll.faces[die] if roll.faces else None, cards


def _whole(state: State, card: Draw) -> bool:
    """Whether it re-rolls all dice (B22)."""
    rerolls = state.setup.manual.card_of(card.rank).does == "reroll"
    return rerolls and state.ruled("B22", "all")


def _free_die(state: State, card: Draw, dice: int) -> int:
    """Plus and minus count for the sum (B20), so the player need not say on which die they lie: the
    last one that takes the card, where a value set later is least likely to sweep it away."""
    roll = state.roll
    assert roll is not None
    used = {one.die for one in roll.cards}
    dice_left = sorted(range(dice), key=lambda die: (die not in used, die), reverse=True)
    if state.ruled("B23", "several") and used:
        return max(used)
    return next(
        (die for die in dice_left if why_not(state, Play(card=card, die=die)) is None), dice - 1
    )


def _die(key: str, state: State, card: Draw) -> Step:
    """On which of several dice the card lies."""
    dice = state.roll.dice if state.roll else 0
    if key.isdigit() and 1 <= int(key) <= dice:
        return Play(card=card, die=int(key) - 1)
    name = state.setup.manual.card_of(card.rank).name
    raise UnfitError(f"On which die does the {name} lie: 1 to {dice}? Esc takes it back.")


def _number(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"
