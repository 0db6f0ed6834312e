"""What can be done in Beach Head, and what is asked: keys and answers, made into orders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace

from skirmish.games.beach_head.orders import (
    AnyOrder,
    ChooseTarget,
    Discard,
    Draws,
    Give,
    Go,
    PlayCard,
    Show,
)
from skirmish.games.beach_head.policies import thrown_off
from skirmish.games.beach_head.ruleset import DefenceId, Ruleset, signs
from skirmish.games.beach_head.state import (
    CardsAsk,
    DiceAsk,
    ExchangeAsk,
    LotAsk,
    Played,
    Roll,
    State,
    TankAsk,
    TargetAsk,
    TrimAsk,
)
from skirmish.games.beach_head.wording import card_use, number, prompt_text
from skirmish.tabletop.chance import SUITS, Draw
from skirmish.tabletop.commands import Command
from skirmish.tabletop.slots import Choose, ChooseSeveral, Option, Slot, UnfitAnswer
from skirmish.tabletop.typed_slots import Dice, Number

SHORE: tuple[DefenceId, ...] = (
    "traps", "mines", "wire", "walls", "ditches", "bunkers", "trenches",
)  # fmt: skip
"""The defences as they lie, from the sea inland. A digit names each, the same all game long."""
RANKS = {key: rank for rank, key in enumerate("a234567890jqk", 1)}
"""The rank of cards that a key names."""
KEYS = {rank: key for key, rank in RANKS.items()}
GENERAL = "general"


def commands(state: State) -> tuple[Command[AnyOrder], ...]:
    if state.over or state.ask is not None:
        return ()
    roll = state.roll
    rolls = roll is not None and not roll.faces
    label = "Begin" if state.phase is None else "Roll" if rolls else "Let it count"
    go: Command[AnyOrder] = Command(label=label, key="space", make=Go)
    on: Command[AnyOrder] = Command(
        label="Run on", key="g", make=Go, repeat=True,
        help="Play on to your next choice, or to a German roll that a card could soften.",
    )  # fmt: skip
    cards = sorted({card.rank: card for card in reversed(state.hand)}.values()) if roll else []
    return (go, on, *(_card_command(state, roll, card) for card in cards if roll))


def prompt(state: State) -> Command[AnyOrder] | None:
    ask, text, ruleset = state.ask, prompt_text(state), state.setup.ruleset
    if state.over:
        return None
    match ask:
        case DiceAsk(count=count):
            dice = Dice(name="faces", text=text, count=count)
            return Command(label="Dice", slots=(dice,), make=lambda faces: Show(faces=faces))
        case LotAsk(sides=sides):
            lot = Number(name="lot", text=text, low=1, high=sides, eager=True)
            return Command(label="Lot", slots=(lot,), make=lambda lot: Show(faces=(lot,)))
        case CardsAsk(count=count):
            gone = state.deck.gone if state.deck else ()
            cards = OwnCards(name="cards", text=text, count=count, ruleset=ruleset, gone=gone)
            return Command(label="Cards", slots=(cards,), make=lambda cards: Draws(cards=cards))
        case TargetAsk():
            target = Choose(name="target", text=text, options=tuple(_targets(state, ask)))
            return Command(label="Target", slots=(target,),
                           make=lambda target: ChooseTarget(target=target or None))  # fmt: skip
        case TankAsk(kinds=kinds):
            options = tuple(
                Option(value=kind, label=ruleset.tank_of(kind).noun, key=str(at))
                for at, kind in enumerate(kinds, 1)
            )
            tank = Choose(name="tank", text=text, options=options)
            return Command(label="Tank", slots=(tank,), make=lambda tank: Give(tank=tank))
        case ExchangeAsk(most=most):
            held = tuple(one for one in _held(state, general=True) if most or one.ends)
            several = ChooseSeveral(name="cards", text=text, options=held, most=max(most, 1))
            return Command(label="Exchange", slots=(several,), make=partial(_exchange, state))
        case TrimAsk(count=count):
            held, usual = tuple(_held(state)), thrown_off(state, count)
            several = ChooseSeveral(name="cards", text=text, options=held, least=count, most=count,
                                    usual=usual)  # fmt: skip
            return Command(label="Discard", slots=(several,),
                           make=lambda cards: Discard(cards=cards))  # fmt: skip
    return None


def _targets(state: State, ask: TargetAsk) -> Iterator[Option]:
    for at, name in enumerate(SHORE, 1):
        if name in ask.targets:
            label = state.setup.ruleset.defence_of(name).name
            yield Option(value=name, label=label, key=str(at))
    if ask.may_decline:
        yield Option(value="", label="none", key="n")


def _held(state: State, *, general: bool = False) -> Iterator[Option]:
    """The cards of the hand by their ranks. While cards are exchanged a small ``k`` plays a
    General, and a capital one throws a King off."""
    generals = [card for card in state.hand if general and state.is_general(card)]
    for card in sorted(state.hand):
        key = KEYS[card.rank]
        yield Option(value=card, label=_label(state, card),
                     key=key.upper() if card in generals else key)  # fmt: skip
    if generals:
        yield Option(value=GENERAL, label="play a General", key=KEYS[generals[0].rank], ends=True)


def _label(state: State, card: Draw) -> str:
    """The card beside its key, which is its rank: only a ten has another."""
    printed = state.setup.ruleset.card_of(card)
    rank = " (10)" if card.rank == 10 else ""
    return f"{printed.name}{rank} {card_use(state.setup.ruleset, printed)}"


def _exchange(state: State, cards: tuple[Any, ...]) -> AnyOrder:
    if GENERAL in cards:
        return PlayCard(card=next(filter(state.is_general, state.hand)))
    return Discard(cards=tuple(cards)) if cards else Go()


# ------------------------------------------------------------------ a card on the roll


def _card_command(state: State, roll: Roll, card: Draw) -> Command[AnyOrder]:
    """A card on the roll; which die is asked where it could mean several, and whether where
    something speaks against it."""
    label, key = _label(state, card), KEYS[card.rank]
    able = [die for die in range(roll.dice) if PlayCard(card=card, die=die).playable(state)]
    if not able:
        why = PlayCard(card=card).why_not(state)
        return Command(label=label, key=key, make=Go, why_not=str(why))
    dice = _dice_meant(state, roll, card, able)
    slots: tuple[Slot, ...] = ()
    if len(dice) > 1:
        options = tuple(_die_option(state, roll, die) for die in dice)
        name = state.setup.ruleset.card_of(card).name
        text = f"Which die does the {name} go on?"
        slots = (Choose(name="die", text=text, options=options),)
    elif doubt := _doubt(state, roll, card, dice[0]):
        sure = Option(value=dice[0], label="play it anyway", key="y")
        slots = (Choose(name="die", text=doubt, options=(sure,)),)

    def make(die: int = dice[0]) -> AnyOrder:
        return PlayCard(card=card, die=die)

    return Command(label=label, key=key, slots=slots, make=make)


def _dice_meant(state: State, roll: Roll, card: Draw, able: Sequence[int]) -> list[int]:
    """The dice that differ for a card. A card on the whole roll or the phase means no die; plus and
    minus count for the sum (B20) and lie on the last."""
    printed = state.setup.ruleset.card_of(card)
    whole = printed.does == "reroll" and state.ruled("B22", "all")
    if printed.does in ("repeat", "draw") or whole:
        return [able[0]]
    if printed.shifts and not state.ruled("B23", "one"):
        return [able[-1]]
    changing = [die for die in able if changes(state, roll, card, die)] or able
    differ = {_looks(state, roll, die): die for die in reversed(changing)}
    return sorted(differ.values())


def _looks(state: State, roll: Roll, die: int) -> object:
    """What tells a die from the others: its face; before it is rolled the cards on it (B19)."""
    if roll.faces:
        return state.counted(roll).faces[die]
    return tuple(one.card for one in roll.cards if one.die == die)


def _die_option(state: State, roll: Roll, die: int) -> Option:
    """A die by what it shows; before it is rolled (B19) by its place."""
    if roll.faces:
        face = state.counted(roll).faces[die]
        return Option(value=die, label=f"the {face}", key=str(face))
    on = signs(one.card for one in roll.cards if one.die == die)
    return Option(value=die, label=f"with {on or 'no card'}", key=str(die + 1))


def changes(state: State, roll: Roll, card: Draw, die: int) -> bool:
    """Whether a card that may be played on a die of the roll would make any difference to it."""
    after = replace(roll, cards=(*roll.cards, Played(card, die)))
    sets = state.setup.ruleset.card_of(card).sets
    return sets is None or state.counted(after) != state.counted(roll)


def _doubt(state: State, roll: Roll, card: Draw, die: int) -> str:
    """What speaks against a card that may be played on a die: that it changes nothing, or does away
    with cards that lie there. Empty where nothing does."""
    printed, now = state.setup.ruleset.card_of(card), state.counted(roll)
    if not (printed.sets or printed.does == "reroll"):
        return ""
    if roll.faces and not changes(state, roll, card, die):
        return f"The die shows {printed.sets} already: the {printed.name} would change nothing."
    if roll.dice == 1 and now.shift:
        return f"The {printed.name} would take the place of the {now.shift:+d} that lies there."
    return ""


class OwnCards(Slot, frozen=True, kw_only=True):
    """Cards that the player drew from his own deck, by their ranks alone: suits make no difference,
    and each gets one that is free. ``gone`` are those that cannot have been drawn."""

    count: int
    ruleset: Ruleset
    gone: tuple[Draw, ...]

    @property
    def hint(self) -> str:
        return "By rank: a, 2 to 9, 0 for a ten, j, q, k."

    def takes(self, sign: str, typed: str = "") -> bool:
        return sign.lower() in RANKS

    def parse(self, typed: str, done: bool) -> Any:
        cards: list[Draw] = []
        for key in typed.lower().replace("10", "0").replace(" ", ""):
            if key not in RANKS:
                raise UnfitAnswer(f"{key} is not a rank. {self.hint}")
            rank = RANKS[key]
            free = [one for suit in SUITS if (one := Draw(rank, suit)) not in (*self.gone, *cards)]
            if not free:
                name = f"{self.ruleset.card_of(Draw(rank)).name} ({signs([Draw(rank)])})"
                raise UnfitAnswer(f"Every {name} has been drawn since the last shuffle.")
            cards.append(free[0])
        if len(cards) > self.count:
            raise UnfitAnswer(f"{number(self.count, 'card')} are wanted, not {len(cards)}.")
        if len(cards) < self.count:
            if done:
                more = number(self.count - len(cards), "card")
                raise UnfitAnswer(f"{more} more. {self.hint}")
            return None
        return tuple(cards)

    def shown(self, value: Any) -> str:
        return signs(value)
