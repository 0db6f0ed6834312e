"""The commands and prompts of Beach Head: keys and answers become orders.

A ``Command`` asks for answers, one for each of its ``slots``; ``make`` gets them by the names of
the slots and returns the order. A prompt is a command without a key: the question that is open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, cast

from msgspec.structs import replace

from skirmish.games.beach_head import orders
from skirmish.games.beach_head.card_values import worst_first
from skirmish.games.beach_head.pending import BeachAsk, Played, Roll
from skirmish.games.beach_head.ruleset import DefenceId, Ruleset, signs
from skirmish.games.beach_head.state import BeachState
from skirmish.games.beach_head.wording import card_use, number, prompt_text
from skirmish.tabletop.chance import SUITS, Draw
from skirmish.tabletop.commands import Command
from skirmish.tabletop.slots import (
    Choose,
    ChooseSeveral,
    Dice,
    Number,
    Option,
    Slot,
    TouchKey,
    UnfitAnswer,
)

FROM_SEA_INLAND: tuple[DefenceId, ...] = (
    "traps",
    "mines",
    "wire",
    "walls",
    "ditches",
    "bunkers",
    "trenches",
)
"""The defences in the order in which one comes upon them. Each has its place here as its key, a
digit, the same all game long."""
RANKS = {key: rank for rank, key in enumerate("a234567890jqk", 1)}
"""The rank of each key."""
KEYS = {rank: key for key, rank in RANKS.items()}
"""The key of each rank; 0 is a ten."""
GENERAL = "general"
"""The option, beside the cards, that plays a General."""
NO_TARGET = ""
"""The option that declines to remove anything (B35)."""
TANKS_LINE = "426153" * 3
"""An example of the dice of some tanks, as they are typed in one line. It is longer than any
landing: a Major (6), four Heroes (+2) and two Radios (+1) land 16 tanks."""


def commands(state: BeachState) -> tuple[Command[orders.BeachOrder], ...]:
    """Going on, running on to the next choice, and every rank in the hand on the roll."""
    if state.over or state.ask is not None:
        return ()
    go_on: Command[orders.BeachOrder] = Command(label=_go_label(state), key="space", make=orders.Go)
    run_on: Command[orders.BeachOrder] = Command(
        label="Run on",
        key="g",
        make=orders.Go,
        repeat=True,
        help="Play on to your next choice, or to a German roll that a card could soften.",
    )
    possible = [go_on, run_on]
    if state.roll is not None:
        # Suits make no difference: of each rank the first card of the hand is played.
        by_rank = {card.rank: card for card in reversed(state.hand)}
        for card in sorted(by_rank.values()):
            possible.append(_card_command(state, state.roll, card))
    return tuple(possible)


def _go_label(state: BeachState) -> str:
    """What Space does now."""
    if state.phase is None:
        return "Begin"
    if state.roll is not None and not state.roll.faces:
        return "Roll"
    return "Let it count"


# ------------------------------------------------------------ questions


def prompt(state: BeachState) -> Command[orders.BeachOrder] | None:
    """The open question as a command without a key; None if there is none."""
    ask, text = state.ask, prompt_text(state)
    if ask is None:
        return None
    match ask.what:
        case "dice":
            return _ask_dice(state, ask, text)
        case "lot":
            lot = Number(name="lot", text=text, low=1, high=ask.sides, eager=True)
            return _asked("Lot", _lot_order, lot)
        case "cards":
            return _ask_cards(state, ask, text)
        case "target":
            targets = Choose(name="target", text=text, options=tuple(_targets(state, ask)))
            return _asked("Target", _target_order, targets)
        case "tank":
            kinds = Choose(name="tank", text=text, options=tuple(_tank_kinds(state, ask)))
            return _asked("Tank", orders.GiveTank, kinds)
        case "exchange":
            return _ask_exchange(state, ask, text)
        case "trim":
            return _ask_trim(state, ask, text)


def _asked(label: str, make: Callable[..., Any], slot: Slot) -> Command[orders.BeachOrder]:
    """A question as a command, whose answer ``make`` turns into an order."""
    return Command(label=label, slots=(slot,), make=make)


def _ask_dice(state: BeachState, ask: BeachAsk, text: str) -> Command[orders.BeachOrder]:
    """The player's own dice; the types of several tanks may be typed in one line."""
    tanks = orders.tanks_to_type(state)
    if tanks <= 1:
        return _asked("Dice", orders.ShowDice, Dice(name="faces", text=text, count=ask.count))
    all_tanks = f"all {tanks}"
    if tanks == 2:
        all_tanks = "both"
    text = f"{text} Or the dice of {all_tanks} tanks: {TANKS_LINE[:tanks]}."
    faces = Dice(name="faces", text=text, count=tanks, least=1)
    return _asked("Dice", _tank_types_order, faces)


def _ask_cards(state: BeachState, ask: BeachAsk, text: str) -> Command[orders.BeachOrder]:
    """The cards that the player draws from his own deck."""
    gone: tuple[Draw, ...] = ()
    if state.deck is not None:
        gone = state.deck.gone
    cards = OwnCards(name="cards", text=text, count=ask.count, ruleset=state.ruleset, gone=gone)
    return _asked("Cards", orders.Draws, cards)


def _tank_types_order(faces: tuple[int, ...]) -> orders.BeachOrder:
    return orders.ShowDice(faces=faces[:1], more=faces[1:])


def _lot_order(lot: int) -> orders.BeachOrder:
    return orders.ShowDice(faces=(lot,))


def _target_order(target: str) -> orders.BeachOrder:
    if target == NO_TARGET:
        return orders.ChooseTarget(target=None)
    return orders.ChooseTarget(target=cast("DefenceId", target))


def _targets(state: BeachState, ask: BeachAsk) -> Iterator[Option]:
    """The targets by their digits, and none if the player may decline (B35)."""
    for digit, defence in enumerate(FROM_SEA_INLAND, 1):
        if defence in ask.targets:
            label = state.ruleset.defence_of(defence).name
            yield Option(value=defence, label=label, key=str(digit))
    if ask.may_decline:
        yield Option(value=NO_TARGET, label="none", key="n")


def _tank_kinds(state: BeachState, ask: BeachAsk) -> Iterator[Option]:
    """The kinds of tank that may be given up, by digits from 1."""
    for digit, kind in enumerate(ask.kinds, 1):
        yield Option(value=kind, label=state.ruleset.tank_of(kind).noun, key=str(digit))


def _ask_exchange(state: BeachState, ask: BeachAsk, text: str) -> Command[orders.BeachOrder]:
    """Cards to exchange, or a General to play. With ``most`` 0 the exchange is over, and only a
    General is left to choose."""
    options = _cards_or_general(state)
    if not ask.most:
        options = [option for option in options if option.value == GENERAL]
    cards = ChooseSeveral(name="cards", text=text, options=tuple(options), most=max(ask.most, 1))
    return _asked("Exchange", partial(_exchange_order, state), cards)


def _ask_trim(state: BeachState, ask: BeachAsk, text: str) -> Command[orders.BeachOrder]:
    """Exactly the excess cards; those worth least are proposed."""
    options = [_card_option(state, card, KEYS[card.rank]) for card in sorted(state.hand)]
    cards = ChooseSeveral(
        name="cards",
        text=text,
        options=tuple(options),
        least=ask.count,
        most=ask.count,
        default=worst_first(state)[: ask.count],
    )
    return _asked("Discard", orders.Discard, cards)


def _cards_or_general(state: BeachState) -> list[Option]:
    """The cards of the hand, each to be exchanged, and playing a General, who is a King. His key
    ``k`` plays him; with ``K`` he is exchanged like any other card."""
    options: list[Option] = []
    general_key = ""
    for card in sorted(state.hand):
        key = KEYS[card.rank]
        if state.is_general(card):
            general_key = key
            key = key.upper()
        options.append(_card_option(state, card, key))
    if general_key:
        play = Option(value=GENERAL, label="play a General", key=general_key, ends=True)
        options.append(play)
    return options


def _card_option(state: BeachState, card: Draw, key: str) -> Option:
    return Option(value=card, label=_card_label(state, card), key=key)


def _card_label(state: BeachState, card: Draw) -> str:
    rule = state.ruleset.card_of(card)
    rank = ""
    # The key of a ten is 0, which says nothing by itself.
    if card.rank == 10:
        rank = " (10)"
    return f"{rule.name}{rank} {card_use(state.ruleset, rule)}"


def _exchange_order(state: BeachState, cards: tuple[Any, ...]) -> orders.BeachOrder:
    """The order of the cards that were chosen for the exchange: with a General among them he is
    played, and without any the game goes on."""
    if GENERAL in cards:
        general = next(card for card in state.hand if state.is_general(card))
        return orders.PlayCard(card=general)
    if not cards:
        return orders.Go()
    return orders.Discard(cards=tuple(cards))


# ------------------------------------------------------------ cards on a roll


def _card_command(state: BeachState, roll: Roll, card: Draw) -> Command[orders.BeachOrder]:
    """Plays a card on the roll; asks for the die if it matters, and for a confirmation if something
    speaks against it."""
    label, key = _card_label(state, card), KEYS[card.rank]
    # What speaks against a card may hold for one die only, as a card that lies there (B23).
    refusals = [orders.PlayCard(card=card, die=die).why_not(state) for die in range(roll.dice)]
    allowed = [die for die, refusal in enumerate(refusals) if refusal is None]
    if not allowed:
        # With a reason against it no order is made of the command, whatever ``make`` is.
        return Command(label=label, key=key, make=orders.Go, why_not=str(refusals[0]))
    options = _dice_that_differ(state, roll, _dice_to_offer(state, roll, card, allowed))
    first_die = options[0].value

    def make(die: int = first_die) -> orders.BeachOrder:
        return orders.PlayCard(card=card, die=die)

    slots: list[Slot] = []
    doubt = _doubt(state, roll, card, first_die)
    if len(options) > 1:
        text = f"Which die does the {state.ruleset.card_of(card).name} go on?"
        slots.append(Choose(name="die", text=text, options=options))
    elif doubt:
        anyway = replace(options[0], label="play it anyway", key="y")
        slots.append(Choose(name="die", text=doubt, options=(anyway,)))
    return Command(label=label, key=key, slots=tuple(slots), make=make)


def _dice_to_offer(state: BeachState, roll: Roll, card: Draw, allowed: list[int]) -> list[int]:
    """The dice between which the player has to choose, of those ``allowed``."""
    rule = state.ruleset.card_of(card)
    rerolls_all = rule.does == "reroll" and state.in_force.colonel_rerolls_all
    if rule.does in ("repeat", "draw") or rerolls_all:
        return allowed[:1]  # on the phase, or on the whole roll
    if rule.shifts and not state.in_force.die_takes_one_card:
        # It counts for the sum, on whichever die it lies (B20): any of them will do.
        return allowed[-1:]
    with_effect = [die for die in allowed if has_effect(state, roll, card, die)]
    return with_effect or allowed


def _dice_that_differ(state: BeachState, roll: Roll, dice: list[int]) -> tuple[Option, ...]:
    """An option for each die, the first of those that look alike."""
    options: list[Option] = []
    labels: set[str] = set()
    for die in dice:
        option = _die_option(state, roll, die)
        if option.label not in labels:
            labels.add(option.label)
            options.append(option)
    return tuple(options)


def _die_option(state: BeachState, roll: Roll, die: int) -> Option:
    """A die by the face it shows; before it is thrown (B19), by the cards on it."""
    if roll.faces:
        face = roll.counted(state.setup).faces[die]
        return Option(value=die, label=f"the {face}", key=str(face))
    cards = signs(played.card for played in roll.cards if played.die == die)
    return Option(value=die, label=f"with {cards or 'no card'}", key=str(die + 1))


def has_effect(state: BeachState, roll: Roll, card: Draw, die: int) -> bool:
    """Whether a card makes a difference on a die; one that sets it to what it shows does not."""
    if state.ruleset.card_of(card).sets is None:
        return True
    after = replace(roll, cards=(*roll.cards, Played(card, die)))
    return after.counted(state.setup) != roll.counted(state.setup)


def _doubt(state: BeachState, roll: Roll, card: Draw, die: int) -> str:
    """An objection to playing a card on a die: it changes nothing, or it cancels cards already
    there. Empty if there is none."""
    rule, shift = state.ruleset.card_of(card), roll.counted(state.setup).shift
    replaces_the_die = rule.sets is not None or rule.does == "reroll"
    if not replaces_the_die:
        return ""
    if roll.faces and not has_effect(state, roll, card, die):
        return f"The die shows {rule.sets} already: the {rule.name} would change nothing."
    if roll.dice == 1 and shift:
        return f"The {rule.name} would take the place of the {shift:+d} that lies there."
    return ""


# ------------------------------------------------------------ cards of an own deck


class OwnCards(Slot, frozen=True, kw_only=True):
    """Cards drawn from the player's own deck, by rank only: each gets a suit that is free. ``gone``
    cannot have been drawn."""

    count: int
    ruleset: Ruleset
    gone: tuple[Draw, ...]

    @property
    def keyless_hint(self) -> str:
        return "By rank: a, 2 to 9, 0 for a ten, j, q, k."

    @property
    def touch_keys(self) -> tuple[TouchKey, ...]:
        """A button for each rank: ``A``, ``2`` to ``10``, ``J``, ``Q``, ``K``."""
        buttons = []
        for key in RANKS:
            label = key.upper()
            if key == "0":
                label = "10"
            buttons.append(TouchKey(key, label))
        return tuple(buttons)

    def takes(self, sign: str, typed: str = "") -> bool:
        return sign.lower() in RANKS

    def parse(self, typed: str, done: bool) -> Any:
        """The cards, or None while more are to be typed. Raises UnfitAnswer."""
        cards: list[Draw] = []
        # A ten may be typed as people write it: a 1 means nothing else, since the ace is an a.
        for key in typed.lower().replace("10", "0").replace(" ", ""):
            if key not in RANKS:
                raise self.refused(f"{key} is not a rank.")
            cards.append(self._free_card(RANKS[key], cards))
        if len(cards) > self.count:
            wanted = f"{self.count} cards are"
            if self.count == 1:
                wanted = "1 card is"
            raise UnfitAnswer(f"{wanted} wanted, not {len(cards)}.")
        if len(cards) == self.count:
            return tuple(cards)
        if done:
            missing = number(self.count - len(cards), "card")
            raise self.refused(f"{missing} more.")
        return None

    def _free_card(self, rank: int, typed_before: list[Draw]) -> Draw:
        """A card of a rank that may still be in the deck. Raises UnfitAnswer."""
        for suit in SUITS:
            card = Draw(rank, suit)
            if card not in self.gone and card not in typed_before:
                return card
        name = f"{self.ruleset.card_of(Draw(rank)).name} ({signs([Draw(rank)])})"
        raise UnfitAnswer(f"Every {name} has been drawn since the last shuffle.")

    def shown(self, value: Any) -> str:
        return signs(value)
