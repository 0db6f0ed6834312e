"""What a key means now: an order, or part of an answer that is still being given.

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
from skirmish.games.beach_head.decide import wanted
from skirmish.games.beach_head.hand import changes, doubt, playable
from skirmish.games.beach_head.manual import DefenceId, Manual, signs
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
from skirmish.games.beach_head.rolls import counted
from skirmish.games.beach_head.state import State
from skirmish.tabletop.chance import SUITS, Draw

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
    """What has been put together so far: ``typed`` digits of own dice or ranks of own cards, cards
    ``marked`` to be discarded, a ``card`` whose die is still to be named, a card to be played only
    if the player is ``sure``."""

    typed: str = ""
    marked: tuple[Draw, ...] = ()
    card: Draw | None = None
    sure: Play | None = None

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
    """What a key does: ``space``, ``enter``, a digit, the letter of a rank. Raises UnfitError."""
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
    if draft.sure is not None and going:
        return draft.sure
    return Go() if going else _play(key, state)


# ------------------------------------------------------------------ own dice and cards


def _dice(key: str, count: int, draft: Draft, says: str) -> Step:
    if key not in "123456":
        raise UnfitError(f"{says} A die shows 1 to 6.")
    typed = draft.typed + key
    return Show(faces=tuple(map(int, typed))) if len(typed) == count else Draft(typed=typed)


def _lot(key: str, sides: int, draft: Draft, says: str) -> Step:
    if key in ("space", "enter") and draft.typed:
        return Show(faces=(int(draft.typed),))
    typed = draft.typed + key
    if not key.isdigit() or not 1 <= int(typed) <= sides:
        raise UnfitError(says)
    return Show(faces=(int(typed),)) if int(typed) * 10 > sides else Draft(typed=typed)


def _cards(key: str, count: int, state: State, draft: Draft) -> Step:
    """Ranks of cards one after the other. Suits make no difference: each gets one that is free."""
    key = key.lower()
    key = key.lower()
    if key not in RANKS:
        more = count - len(draft.typed)
        raise UnfitError(f"Type {_number(more)} more by rank: a, 2 to 9, 0 for a ten, j, q, k.")
    typed = draft.typed + key
    cards = typed_cards(state, typed)
    if len(cards) < len(typed):
        name = called(state.setup.manual, RANKS[key])
        raise UnfitError(f"Every {name} has been drawn since the last shuffle; u undoes a slip.")
    return Draws(cards=cards) if len(cards) == count else Draft(typed=typed)


def typed_cards(state: State, typed: str) -> tuple[Draw, ...]:
    """Cards of the ranks in ``typed`` that can still be drawn from the player's deck."""
    gone = list(state.deck.gone) if state.deck else []
    found: list[Draw] = []
    for key in typed:
        fresh = [one for suit in SUITS if (one := Draw(RANKS[key], suit)) not in gone]
        found += fresh[:1]
        gone += fresh[:1]
    return tuple(found)


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
    raise UnfitError(f"Choose the target: {offered}{none}.")


def _tank(key: str, ask: TankAsk) -> Step:
    if key.isdigit() and 1 <= int(key) <= len(ask.kinds):
        return Give(tank=ask.kinds[int(key) - 1])
    raise UnfitError(f"Choose the tank that is lost: 1 to {len(ask.kinds)}.")


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
    return f"{manual.card_of(rank).name} ({signs([Draw(rank)])})"


def _mark(key: str, state: State, draft: Draft) -> Step:
    """A card to be discarded, or no longer. A small ``k`` plays a General while cards are
    exchanged; a capital one marks it."""
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
        once = "You have exchanged cards already; k plays a General, Space goes on."
        says = f"At most {_number(most)}; Backspace takes a mark back."
        raise UnfitError(says if most else once)
    return Draft(marked=(*draft.marked, fresh[0]))


def _thrown_off(state: State, draft: Draft, ask: ExchangeAsk | TrimAsk) -> Step:
    if isinstance(ask, TrimAsk) and not draft.marked:
        return Draft(marked=thrown_off(state, ask.count))  # proposed, not done
    if isinstance(ask, TrimAsk) and len(draft.marked) < ask.count:
        left = ask.count - len(draft.marked)
        raise UnfitError(f"Mark {_number(left)} more, by rank. You keep {_keep(state)}.")
    return Discard(cards=draft.marked) if draft.marked else Go()


def _keep(state: State) -> int:
    return state.setup.manual.hand.keep


def _play(key: str, state: State) -> Step:
    """A card on the roll, where it can only mean one die."""
    card = _held(key, state)[0]
    printed, roll = state.setup.manual.card_of(card.rank), state.roll
    dice = roll.dice if roll else 0
    whole = printed.does == "reroll" and state.ruled("B22", "all")
    if roll is None or dice <= 1 or printed.does in ("repeat", "draw") or whole:
        return _surely(state, card, 0)
    if printed.shifts and not state.ruled("B23", "one"):
        return Play(card=card, die=dice - 1)  # for the sum (B20)
    able = [die for die in range(dice) if playable(state, card, die)]
    able = [die for die in able if changes(state, card, die)] or able
    if len({_looks(state, die) for die in able}) <= 1:
        return _surely(state, card, able[0] if able else 0)
    return Draft(card=card)


def _surely(state: State, card: Draw, die: int) -> Step:
    """The card played, or a question first where something speaks against it."""
    play = Play(card=card, die=die)
    asks = playable(state, card, die) and doubt(state, card, die)
    return Draft(sure=play) if asks else play


def _looks(state: State, die: int) -> object:
    """What tells a die from the others: its face; before it is rolled the cards on it (B19)."""
    roll = state.roll
    assert roll is not None
    if roll.faces:
        return counted(state, roll).faces[die]
    return tuple(one.card for one in roll.cards if one.die == die)


def _die(key: str, state: State, card: Draw) -> Step:
    """On which of several dice the card is played: a die is named by what it shows."""
    dice = range(state.roll.dice if state.roll else 0)
    names = {die: die_key(state, die) for die in dice if playable(state, card, die)}
    meant = [die for die, name in names.items() if name == key]
    if meant:
        return _surely(state, card, meant[0])
    name = state.setup.manual.card_of(card.rank).name
    offered = ", ".join(sorted(set(names.values())))
    raise UnfitError(f"On which die do you play the {name}: {offered}? Esc takes it back.")


def die_key(state: State, die: int) -> str:
    """The key of one of several dice: what it shows; its place, before it is rolled (B19)."""
    rolled = state.roll is not None and state.roll.faces
    return str(_looks(state, die) if rolled else die + 1)


def _number(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"
