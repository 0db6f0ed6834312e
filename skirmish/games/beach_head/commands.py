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
"""The defences in the order in which landing troops come upon them. The key of each is the digit of
its place here, counted from 1, which stays the same through the whole game."""
RANK_OF_KEY = {key: rank for rank, key in enumerate("a234567890jqk", 1)}
"""The rank of the card for each key; 0 is a ten."""
KEY_OF_RANK = {rank: key for key, rank in RANK_OF_KEY.items()}
GENERAL = "general"
"""The value of the option, among the cards to exchange, that plays a General instead."""
NO_TARGET = ""
"""The value of the option that declines to remove anything (B35)."""
TANKS_LINE = "426153" * 3
"""Example dice for the types of tanks, as they are typed in one line; as many as tanks land are
shown. There are enough for the largest landing: a Major (6), four Heroes (+2 each) and two Radios
(+1 each) land 16 tanks."""


def commands(state: BeachState) -> tuple[Command[orders.BeachOrder], ...]:
    """The commands that are possible now: going on, running on to the next choice, and playing a
    card of each rank in the hand on the roll. There are none while a question is open."""
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
        # Suits make no difference: of each rank the first card of the hand is played. The hand is
        # reversed, since of several cards with one rank the last stays in the dict.
        by_rank = {card.rank: card for card in reversed(state.hand)}
        for card in sorted(by_rank.values()):
            possible.append(_card_command(state, state.roll, card))
    return tuple(possible)


def _go_label(state: BeachState) -> str:
    """The label of the command on Space, which goes on."""
    if state.phase is None:
        return "Begin"
    if state.roll is not None and not state.roll.faces:
        return "Roll"
    return "Let it count"


# ------------------------------------------------------------ questions


def prompt(state: BeachState) -> Command[orders.BeachOrder] | None:
    """The open question as a command without a key; None if there is none."""
    ask = state.ask
    if ask is None:
        return None
    text = prompt_text(state)
    match ask.what:
        case "dice":
            return _dice_question(state, ask, text)
        case "lot":
            lot = Number(name="lot", text=text, low=1, high=ask.sides, eager=True)
            return _question("Lot", _lot_order, lot)
        case "cards":
            return _cards_question(state, ask, text)
        case "target":
            targets = Choose(name="target", text=text, options=tuple(_targets(state, ask)))
            return _question("Target", _target_order, targets)
        case "tank":
            kinds = Choose(name="tank", text=text, options=tuple(_tank_kinds(state, ask)))
            return _question("Tank", orders.GiveTank, kinds)
        case "exchange":
            return _exchange_question(state, ask, text)
        case "trim":
            return _discard_question(state, ask, text)


def _question(label: str, make: Callable[..., Any], slot: Slot) -> Command[orders.BeachOrder]:
    """A question as a command, whose only answer ``make`` turns into an order."""
    return Command(label=label, slots=(slot,), make=make)


def _dice_question(state: BeachState, ask: BeachAsk, text: str) -> Command[orders.BeachOrder]:
    """Asks for the player's own dice. The dice for the types of all tanks that land may be typed in
    one line."""
    tanks = orders.tanks_to_type(state)
    if tanks <= 1:
        return _question("Dice", orders.ShowDice, Dice(name="faces", text=text, count=ask.count))
    all_tanks = f"all {tanks}"
    if tanks == 2:
        all_tanks = "both"
    text = f"{text} Or the dice of {all_tanks} tanks: {TANKS_LINE[:tanks]}."
    faces = Dice(name="faces", text=text, count=tanks, least=1)
    return _question("Dice", _tank_types_order, faces)


def _cards_question(state: BeachState, ask: BeachAsk, text: str) -> Command[orders.BeachOrder]:
    """Asks for the cards that the player draws from his own deck."""
    gone: tuple[Draw, ...] = ()
    if state.deck is not None:
        gone = state.deck.gone
    cards = OwnCards(name="cards", text=text, count=ask.count, ruleset=state.ruleset, gone=gone)
    return _question("Cards", orders.Draws, cards)


def _tank_types_order(faces: tuple[int, ...]) -> orders.BeachOrder:
    """Shows the die of the tank that was asked for, and those of the tanks after it."""
    return orders.ShowDice(faces=faces[:1], more=faces[1:])


def _lot_order(lot: int) -> orders.BeachOrder:
    """Shows the lot, which decides which tank is lost."""
    return orders.ShowDice(faces=(lot,))


def _target_order(target: str) -> orders.BeachOrder:
    """Chooses a defence, or none."""
    if target == NO_TARGET:
        return orders.ChooseTarget(target=None)
    return orders.ChooseTarget(target=cast("DefenceId", target))


def _targets(state: BeachState, ask: BeachAsk) -> Iterator[Option]:
    """The targets with their digits, and the option to remove nothing if the player may (B35)."""
    for digit, defence in enumerate(FROM_SEA_INLAND, 1):
        if defence in ask.targets:
            label = state.ruleset.defence_of(defence).name
            yield Option(value=defence, label=label, key=str(digit))
    if ask.may_decline:
        yield Option(value=NO_TARGET, label="none", key="n")


def _tank_kinds(state: BeachState, ask: BeachAsk) -> Iterator[Option]:
    """The kinds of tank that may be given up, with digits from 1 as their keys."""
    for digit, kind in enumerate(ask.kinds, 1):
        yield Option(value=kind, label=state.ruleset.tank_of(kind).noun, key=str(digit))


def _exchange_question(state: BeachState, ask: BeachAsk, text: str) -> Command[orders.BeachOrder]:
    """Asks for cards to exchange, or whether to play a General. When no more cards may be exchanged
    (``most`` is 0), only the General can be chosen."""
    options = _cards_or_general(state)
    if ask.most == 0:
        options = [option for option in options if option.value == GENERAL]
    most_choices = max(ask.most, 1)  # the General is a choice, too
    cards = ChooseSeveral(name="cards", text=text, options=tuple(options), most=most_choices)
    return _question("Exchange", partial(_exchange_order, state), cards)


def _discard_question(state: BeachState, ask: BeachAsk, text: str) -> Command[orders.BeachOrder]:
    """Asks for as many cards as are above the limit of the hand; those worth least are proposed."""
    options = [_card_option(state, card, KEY_OF_RANK[card.rank]) for card in sorted(state.hand)]
    cards = ChooseSeveral(
        name="cards",
        text=text,
        options=tuple(options),
        least=ask.count,
        most=ask.count,
        default=worst_first(state)[: ask.count],
    )
    return _question("Discard", orders.Discard, cards)


def _cards_or_general(state: BeachState) -> list[Option]:
    """The cards of the hand, each to be exchanged, and playing a General, who is a King. His key
    ``k`` plays him; with ``K`` he is exchanged like any other card."""
    options: list[Option] = []
    general_key = ""
    for card in sorted(state.hand):
        key = KEY_OF_RANK[card.rank]
        if state.is_general(card):
            general_key = key
            key = key.upper()
        options.append(_card_option(state, card, key))
    if general_key:
        play = Option(value=GENERAL, label="play a General", key=general_key, ends=True)
        options.append(play)
    return options


def _card_option(state: BeachState, card: Draw, key: str) -> Option:
    """A card of the hand as an answer."""
    return Option(value=card, label=_card_label(state, card), key=key)


def _card_label(state: BeachState, card: Draw) -> str:
    """A card and what it does: ``Smoke -1``."""
    rule = state.ruleset.card_of(card)
    rank = ""
    # The key of a ten is 0, which says nothing by itself.
    if card.rank == 10:
        rank = " (10)"
    return f"{rule.name}{rank} {card_use(state.ruleset, rule)}"


def _exchange_order(state: BeachState, cards: tuple[Any, ...]) -> orders.BeachOrder:
    """The order that follows from what was chosen in the exchange: play a General if he was chosen
    (``GENERAL``), go on if nothing was, else exchange the ``cards``."""
    if GENERAL in cards:
        general = next(card for card in state.hand if state.is_general(card))
        return orders.PlayCard(card=general)
    if not cards:
        return orders.Go()
    return orders.Discard(cards=tuple(cards))


# ------------------------------------------------------------ cards on a roll


def _card_command(state: BeachState, roll: Roll, card: Draw) -> Command[orders.BeachOrder]:
    """The command that plays a card on the roll. It asks for the die if that matters, or for a
    confirmation if something speaks against the card."""
    label = _card_label(state, card)
    key = KEY_OF_RANK[card.rank]
    # A card may be refused on one die only, such as one on which another card lies (B23).
    refusals = [orders.PlayCard(card=card, die=die).why_not(state) for die in range(roll.dice)]
    allowed = [die for die, refusal in enumerate(refusals) if refusal is None]
    if not allowed:
        # A command with ``why_not`` is never carried out, so its ``make`` does not matter.
        return Command(label=label, key=key, make=orders.Go, why_not=str(refusals[0]))
    options = _dice_that_differ(state, roll, _dice_to_offer(state, roll, card, allowed))
    first_die = options[0].value

    def make(die: int = first_die) -> orders.BeachOrder:
        return orders.PlayCard(card=card, die=die)

    slots: list[Slot] = []
    if len(options) > 1:
        text = f"Which die does the {state.ruleset.card_of(card).name} go on?"
        slots.append(Choose(name="die", text=text, options=options))
    else:
        doubt = _doubt(state, roll, card, first_die)
        if doubt:
            anyway = replace(options[0], label="play it anyway", key="y")
            slots.append(Choose(name="die", text=doubt, options=(anyway,)))
    return Command(label=label, key=key, slots=tuple(slots), make=make)


def _dice_to_offer(state: BeachState, roll: Roll, card: Draw, allowed: list[int]) -> list[int]:
    """The dice between which the player has to choose, of those ``allowed``."""
    rule = state.ruleset.card_of(card)
    rerolls_all = rule.does == "reroll" and state.in_force.colonel_rerolls_all
    if rule.does in ("repeat", "draw") or rerolls_all:
        any_die = allowed[0]  # it acts on the phase or on the whole roll, wherever it lies
        return [any_die]
    if rule.shifts and not state.in_force.die_takes_one_card:
        any_die = allowed[-1]  # it counts for the sum, wherever it lies (B20)
        return [any_die]
    with_effect = [die for die in allowed if has_effect(state, roll, card, die)]
    if not with_effect:
        return allowed
    return with_effect


def _dice_that_differ(state: BeachState, roll: Roll, dice: list[int]) -> tuple[Option, ...]:
    """An option for each of these dice; of dice that look alike, only for the first."""
    options: list[Option] = []
    labels: set[str] = set()
    for die in dice:
        option = _die_option(state, roll, die)
        if option.label not in labels:
            labels.add(option.label)
            options.append(option)
    return tuple(options)


def _die_option(state: BeachState, roll: Roll, die: int) -> Option:
    """A die, named by the face that it shows, or by the cards on it if it has not been thrown yet
    (B19)."""
    if roll.faces:
        face = roll.counted(state.setup).faces[die]
        return Option(value=die, label=f"the {face}", key=str(face))
    cards = signs(played.card for played in roll.cards if played.die == die)
    return Option(value=die, label=f"with {cards or 'no card'}", key=str(die + 1))


def has_effect(state: BeachState, roll: Roll, card: Draw, die: int) -> bool:
    """Whether a card makes a difference on a die."""
    # Only a card that sets the die to a number may set it to the one that it shows already.
    if state.ruleset.card_of(card).sets is None:
        return True
    after = replace(roll, cards=(*roll.cards, Played(card, die)))
    return after.counted(state.setup) != roll.counted(state.setup)


def _doubt(state: BeachState, roll: Roll, card: Draw, die: int) -> str:
    """An objection to playing a card on a die: it changes nothing, or it cancels cards already
    there. Empty if there is none."""
    rule = state.ruleset.card_of(card)
    shift = roll.counted(state.setup).shift
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
    """A slot for cards that the player draws from his own deck. He types only their ranks, since
    suits make no difference: each card gets a suit that is free."""

    count: int
    ruleset: Ruleset
    gone: tuple[Draw, ...]
    """The cards drawn since the last shuffle, which cannot be drawn again."""

    @property
    def keyless_hint(self) -> str:
        return "By rank: a, 2 to 9, 0 for a ten, j, q, k."

    @property
    def touch_keys(self) -> tuple[TouchKey, ...]:
        """A button for each rank: ``A``, ``2`` to ``10``, ``J``, ``Q``, ``K``."""
        buttons = []
        for key in RANK_OF_KEY:
            label = key.upper()
            if key == "0":
                label = "10"
            buttons.append(TouchKey(key, label))
        return tuple(buttons)

    def takes(self, sign: str, typed: str = "") -> bool:
        """Whether a key is that of a rank."""
        return sign.lower() in RANK_OF_KEY

    def parse(self, typed: str, done: bool) -> tuple[Draw, ...] | None:
        """The cards, or None while more are to be typed. Raises UnfitAnswer."""
        cards: list[Draw] = []
        # A ten may be typed as 10: the 1 can mean nothing else, since the ace is an a.
        for key in typed.lower().replace("10", "0").replace(" ", ""):
            if key not in RANK_OF_KEY:
                raise self.refused(f"{key} is not a rank.")
            cards.append(self._free_card(RANK_OF_KEY[key], cards))
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
        """A card of this rank that may still be in the deck. Raises UnfitAnswer without any."""
        for suit in SUITS:
            card = Draw(rank, suit)
            if card not in self.gone and card not in typed_before:
                return card
        card_of_rank = Draw(rank)
        name = f"{self.ruleset.card_of(card_of_rank).name} ({card_of_rank.rank_sign})"
        raise UnfitAnswer(f"Every {name} has been drawn since the last shuffle.")

    def shown(self, value: Any) -> str:
        return signs(value)
