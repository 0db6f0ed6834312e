"""What can be done in Beach Head, and what is asked: keys and answers, made into orders."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from skirmish.games.beach_head import hand
from skirmish.games.beach_head.agenda import (
    AnyAsk,
    CardsAsk,
    DiceAsk,
    ExchangeAsk,
    LotAsk,
    TankAsk,
    TargetAsk,
    TrimAsk,
)
from skirmish.games.beach_head.decide import wanted, why_not
from skirmish.games.beach_head.hand import playable
from skirmish.games.beach_head.manual import DefenceId, Manual, signs
from skirmish.games.beach_head.orders import AnyOrder, Discard, Draws, Give, Go, Show
from skirmish.games.beach_head.orders import Choose as ChooseTarget
from skirmish.games.beach_head.orders import Play as PlayCard
from skirmish.games.beach_head.policies_hand import thrown_off
from skirmish.games.beach_head.rolls import counted
from skirmish.games.beach_head.rules_told import card_use
from skirmish.games.beach_head.state import State
from skirmish.games.beach_head.telling import draw_on
from skirmish.tabletop.chance import SUITS, Draw
from skirmish.tabletop.commands import (
    Choose,
    ChooseSeveral,
    Command,
    Dice,
    Number,
    Option,
    Slot,
    UnfitAnswer,
)

SHORE: tuple[DefenceId, ...] = (
    "traps", "mines", "wire", "walls", "ditches", "bunkers", "trenches",
)  # fmt: skip
"""The defences as they lie, from the sea inland. A digit names each, the same all game long."""
KEYS = {1: "a", **{rank: str(rank) for rank in range(2, 10)}, 10: "0", 11: "j", 12: "q", 13: "k"}
"""The key of each rank of cards."""
RANKS = {key: rank for rank, key in KEYS.items()}
GENERAL = "general"


def commands(state: State) -> tuple[Command[AnyOrder], ...]:
    """Go on, run on, and the cards of the hand by their ranks."""
    if state.over or state.ask is not None:
        return ()
    rolls = state.roll is not None and not state.roll.faces
    label = "Begin" if state.phase is None else "Roll" if rolls else "Let it count"
    go: Command[AnyOrder] = Command(label=label, key="space", make=Go)
    on: Command[AnyOrder] = Command(
        label="Run on", key="g", make=Go, repeat=True,
        help="Play on to your next choice, or to a German roll that a card could soften.",
    )  # fmt: skip
    cards = {card.rank: card for card in reversed(state.hand)} if state.roll else {}
    return (go, on, *(_card_command(state, card) for card in sorted(cards.values())))


def prompt(state: State) -> Command[AnyOrder] | None:
    """What only the player can say."""
    ask = state.ask
    if ask is None or state.over:
        return None
    return _prompt(state, ask, draw_on(state) or wanted(ask))


def _prompt(state: State, ask: AnyAsk, text: str) -> Command[AnyOrder]:
    match ask:
        case DiceAsk(count=count):
            dice = Dice(name="faces", text=text, count=count)
            return Command(label="Dice", slots=(dice,), make=lambda faces: Show(faces=faces))
        case LotAsk(sides=sides):
            lot = Number(name="lot", text=text, low=1, high=sides, eager=True)
            return Command(label="Lot", slots=(lot,), make=lambda lot: Show(faces=(lot,)))
        case CardsAsk(count=count):
            gone = state.deck.gone if state.deck else ()
            manual = state.setup.manual
            cards = OwnCards(name="cards", text=text, count=count, manual=manual, gone=gone)
            return Command(label="Cards", slots=(cards,), make=lambda cards: Draws(cards=cards))
        case TargetAsk():
            target = Choose(name="target", text=text, options=tuple(_targets(state, ask)))
            return Command(
                label="Target",
                slots=(target,),
                make=lambda target: ChooseTarget(target=target or None),
            )
        case TankAsk(kinds=kinds):
            options = tuple(
                Option(value=kind, label=state.setup.manual.tank_of(kind).noun, key=str(at))
                for at, kind in enumerate(kinds, 1)
            )
            tank = Choose(name="tank", text=text, options=options)
            return Command(label="Tank", slots=(tank,), make=lambda tank: Give(tank=tank))
        case ExchangeAsk(most=most):
            held = tuple(one for one in _held(state, general=True) if most or one.ends)
            several = ChooseSeveral(name="cards", text=text, options=held, most=max(most, 1))
            return Command(label="Exchange", slots=(several,), make=_exchanged(state))
        case TrimAsk(count=count):
            several = ChooseSeveral(
                name="cards",
                text=text,
                options=tuple(_held(state)),
                least=count,
                most=count,
                usual=tuple(thrown_off(state, count)),
            )
            return Command(label="Discard", slots=(several,), make=_discarded)


def _discarded(cards: tuple[Draw, ...]) -> AnyOrder:
    return Discard(cards=cards)


def _targets(state: State, ask: TargetAsk) -> Iterator[Option]:
    for name in sorted(ask.targets, key=SHORE.index):
        label = state.setup.manual.defence_of(name).name
        yield Option(value=name, label=label, key=str(SHORE.index(name) + 1))
    if ask.may_decline:
        yield Option(value="", label="none", key="n")


def _held(state: State, *, general: bool = False) -> Iterator[Option]:
    """The cards of the hand by their ranks. While cards are exchanged a small ``k`` plays a
    General, and a capital one throws a King off."""
    for card in sorted(state.hand):
        key = KEYS[card.rank]
        key = key.upper() if general and card.rank == 13 else key
        yield Option(value=card, label=_label(state, card), key=key)
    if general and any(card.rank == 13 for card in state.hand):
        yield Option(value=GENERAL, label="play a General", key="k", ends=True)


def _label(state: State, card: Draw) -> str:
    """The card beside its key, which is its rank: only a ten has another."""
    printed = state.setup.manual.card_of(card.rank)
    rank = " (10)" if card.rank == 10 else ""
    return f"{printed.name}{rank} {card_use(state.setup.manual, printed)}"


def _exchanged(state: State) -> Any:
    def make(cards: tuple[Any, ...]) -> AnyOrder:
        if GENERAL in cards:
            return PlayCard(card=next(card for card in state.hand if card.rank == 13))
        return Discard(cards=tuple(cards)) if cards else Go()

    return make


def _card_command(state: State, card: Draw) -> Command[AnyOrder]:
    """A card on the roll; which die is asked where it could mean several, and whether where
    something speaks against it."""
    roll = state.roll
    assert roll is not None
    printed = state.setup.manual.card_of(card.rank)
    label = _label(state, card)
    key = KEYS[card.rank]
    able = [die for die in range(roll.dice) if playable(state, card, die)]
    if not able:
        refusal = why_not(state, PlayCard(card=card))
        return Command(label=label, key=key, make=Go, why_not=str(refusal))
    dice = _dice_meant(state, card, able)
    if len(dice) > 1:
        options = tuple(
            Option(value=die, label=_lies(state, die), key=_die_key(state, die)) for die in dice
        )
        which = Choose(
            name="die", text=f"Which die does the {printed.name} go on?", options=options
        )
        return Command(label=label, key=key, slots=(which,), make=_played(card))
    slots: tuple[Slot, ...] = ()
    if doubt := hand.doubt(state, card, dice[0]):
        sure = Option(value=dice[0], label="play it anyway", key="y")
        slots = (Choose(name="die", text=doubt, options=(sure,)),)
    return Command(label=label, key=key, slots=slots, make=_played(card, dice[0]))


def _played(card: Draw, usual: int = 0) -> Callable[..., AnyOrder]:
    def make(die: int = usual) -> AnyOrder:
        return PlayCard(card=card, die=die)

    return make


def _dice_meant(state: State, card: Draw, able: Sequence[int]) -> list[int]:
    """The dice that differ for a card. A card on the whole roll or the phase means no die; plus and
    minus count for the sum (B20) and lie on the last."""
    printed, roll = state.setup.manual.card_of(card.rank), state.roll
    assert roll is not None
    whole = printed.does == "reroll" and state.ruled("B22", "all")
    if printed.does in ("repeat", "draw") or whole:
        return [able[0]]
    if printed.shifts and not state.ruled("B23", "one"):
        return [able[-1]]
    changing = [die for die in able if hand.changes(state, card, die)] or able
    differ = {_looks(state, die): die for die in reversed(changing)}
    return sorted(differ.values())


def _looks(state: State, die: int) -> object:
    """What tells a die from the others: its face; before it is rolled the cards on it (B19)."""
    roll = state.roll
    assert roll is not None
    if roll.faces:
        return counted(state, roll).faces[die]
    return tuple(one.card for one in roll.cards if one.die == die)


def _lies(state: State, die: int) -> str:
    roll = state.roll
    assert roll is not None
    if roll.faces:
        return f"the {counted(state, roll).faces[die]}"
    return f"with {signs(one.card for one in roll.cards if one.die == die) or 'no card'}"


def _die_key(state: State, die: int) -> str:
    """What it shows; its place, before it is rolled (B19)."""
    rolled = state.roll is not None and state.roll.faces
    return str(_looks(state, die) if rolled else die + 1)


class OwnCards(Slot, frozen=True, kw_only=True):
    """Cards that the player drew from his own deck, by their ranks alone: suits make no difference,
    and each gets one that is free. ``gone`` are those that cannot have been drawn."""

    count: int
    manual: Manual
    gone: tuple[Draw, ...]

    @property
    def hint(self) -> str:
        """The ranks."""
        return "By rank: a, 2 to 9, 0 for a ten, j, q, k."

    def takes(self, sign: str, typed: str = "") -> bool:
        """The letters of ranks."""
        del typed
        return sign.lower() in RANKS

    def parse(self, typed: str, done: bool) -> Any:
        """A key for each card."""
        keys = typed.lower().replace("10", "0").replace(" ", "")
        cards: list[Draw] = []
        for key in keys:
            if key not in RANKS:
                raise UnfitAnswer(f"{key} is not a rank. {self.hint}")
            rank = RANKS[key]
            free = [one for suit in SUITS if (one := Draw(rank, suit)) not in (*self.gone, *cards)]
            if not free:
                name = f"{self.manual.card_of(rank).name} ({signs([Draw(rank)])})"
                raise UnfitAnswer(f"Every {name} has been drawn since the last shuffle.")
            cards.append(free[0])
        if len(cards) > self.count:
            raise UnfitAnswer(f"{_cards(self.count)} are wanted, not {len(cards)}.")
        if len(cards) < self.count:
            if done:
                raise UnfitAnswer(f"{_cards(self.count - len(cards))} more. {self.hint}")
            return None
        return tuple(cards)

    def shown(self, value: Any) -> str:
        """The ranks."""
        return signs(value)


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"
