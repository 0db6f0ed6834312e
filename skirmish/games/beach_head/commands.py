"""The commands and prompts of Beach Head: keys and answers become orders."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from msgspec.structs import replace

from skirmish.games.beach_head import orders
from skirmish.games.beach_head.policies import worst_first
from skirmish.games.beach_head.ruleset import DefenceId, Ruleset, signs
from skirmish.games.beach_head.state import BeachState, Played, Roll
from skirmish.games.beach_head.wording import card_use, number, prompt_text
from skirmish.tabletop.chance import SUITS, Draw
from skirmish.tabletop.commands import Command
from skirmish.tabletop.slots import Choose, ChooseSeveral, Dice, Number, Option, Slot, UnfitAnswer

SHORE: tuple[DefenceId, ...] = (
    "traps", "mines", "wire", "walls", "ditches", "bunkers", "trenches",
)  # fmt: skip
"""From the sea inland. A digit names each defence, the same all game long."""
RANKS = {key: rank for rank, key in enumerate("a234567890jqk", 1)}
KEYS = {rank: key for key, rank in RANKS.items()}
GENERAL = "general"
TANKS_LINE = "426153"
"""The dice of some tanks, as they are typed in one line."""


def commands(state: BeachState) -> tuple[Command[orders.BeachOrder], ...]:
    if state.over or state.ask is not None:
        return ()
    roll = state.roll
    rolls = roll is not None and not roll.faces
    label = "Begin" if state.phase is None else "Roll" if rolls else "Let it count"
    go: Command[orders.BeachOrder] = Command(label=label, key="space", make=orders.Go)
    on: Command[orders.BeachOrder] = Command(
        label="Run on", key="g", make=orders.Go, repeat=True,
        help="Play on to your next choice, or to a German roll that a card could soften.",
    )  # fmt: skip
    cards = sorted({card.rank: card for card in reversed(state.hand)}.values()) if roll else []
    return (go, on, *(_card_command(state, roll, card) for card in cards if roll))


def prompt(state: BeachState) -> Command[orders.BeachOrder] | None:
    ask, text = state.ask, prompt_text(state)
    if ask is None:
        return None
    match ask.what:
        case "dice":
            tanks = orders.tanks_to_type(state)
            if tanks > 1:
                all_ = "both" if tanks == 2 else f"all {tanks}"
                text = f"{text} Or the dice of {all_} tanks: {TANKS_LINE[:tanks]}."
                return _asked("Dice", _tanks, Dice(name="faces", text=text, count=tanks, least=1))
            return _asked("Dice", orders.ShowDice, Dice(name="faces", text=text, count=ask.count))
        case "lot":
            lot = Number(name="lot", text=text, low=1, high=ask.sides, eager=True)
            return _asked("Lot", lambda lot: orders.ShowDice(faces=(lot,)), lot)
        case "cards":
            gone = state.deck.gone if state.deck else ()
            own = OwnCards(name="cards", text=text, count=ask.count, of=state.ruleset, gone=gone)
            return _asked("Cards", orders.Draws, own)
        case "target":
            stand = [
                Option(value=name, label=state.ruleset.defence_of(name).name, key=str(at))
                for at, name in enumerate(SHORE, 1)
                if name in ask.targets
            ]
            none = [Option(value="", label="none", key="n")] if ask.may_decline else []
            slot = Choose(name="target", text=text, options=(*stand, *none))
            return _asked("Target", lambda target: orders.ChooseTarget(target=target or None), slot)
        case "tank":
            options = tuple(
                Option(value=kind, label=state.ruleset.tank_of(kind).noun, key=str(at))
                for at, kind in enumerate(ask.kinds, 1)
            )
            return _asked("Tank", orders.GiveTank, Choose(name="tank", text=text, options=options))
        case "exchange":
            held = tuple(one for one in _held(state, general=True) if ask.most or one.ends)
            some = ChooseSeveral(name="cards", text=text, options=held, most=max(ask.most, 1))
            return _asked("Exchange", partial(_exchange, state), some)
        case "trim":
            count, held = ask.count, tuple(_held(state))
            default = worst_first(state)[:count]
            some = ChooseSeveral(
                name="cards", text=text, options=held, least=count, most=count, default=default
            )
            return _asked("Discard", orders.Discard, some)


def _tanks(faces: tuple[int, ...]) -> orders.BeachOrder:
    return orders.ShowDice(faces=faces[:1], more=faces[1:])


def _asked(label: str, make: Callable[..., Any], slot: Slot) -> Command[orders.BeachOrder]:
    return Command(label=label, slots=(slot,), make=make)


def _held(state: BeachState, *, general: bool = False) -> Iterator[Option]:
    """While cards are exchanged, ``k`` plays a General and ``K`` discards the King."""
    generals = [card for card in state.hand if general and state.is_general(card)]
    for card in sorted(state.hand):
        key = KEYS[card.rank]
        yield Option(value=card, label=_label(state, card),
                     key=key.upper() if card in generals else key)  # fmt: skip
    if generals:
        yield Option(value=GENERAL, label="play a General", key=KEYS[generals[0].rank], ends=True)


def _label(state: BeachState, card: Draw) -> str:
    printed = state.ruleset.card_of(card)
    rank = " (10)" if card.rank == 10 else ""
    return f"{printed.name}{rank} {card_use(state.ruleset, printed)}"


def _exchange(state: BeachState, cards: tuple[Any, ...]) -> orders.BeachOrder:
    if GENERAL in cards:
        return orders.PlayCard(card=next(filter(state.is_general, state.hand)))
    return orders.Discard(cards=tuple(cards)) if cards else orders.Go()


def _card_command(state: BeachState, roll: Roll, card: Draw) -> Command[orders.BeachOrder]:
    """Plays a card on the roll; asks for the die if it matters, and for a confirmation if something
    speaks against it."""
    printed, label, key = state.ruleset.card_of(card), _label(state, card), KEYS[card.rank]
    why = [orders.PlayCard(card=card, die=die).why_not(state) for die in range(roll.dice)]
    able = [die for die, refusal in enumerate(why) if refusal is None]
    if not able:
        return Command(label=label, key=key, make=orders.Go, why_not=str(why[0]))
    whole = printed.does == "reroll" and state.in_force.colonel_rerolls_all
    if printed.does in ("repeat", "draw") or whole:
        able = able[:1]  # on the phase, or on the whole roll
    elif printed.shifts and not state.in_force.die_takes_one_card:
        able = able[-1:]  # counts for the sum (B20)
    else:
        able = [die for die in able if changes(state, roll, card, die)] or able
    alike = {one.label: one for one in (_die_option(state, roll, die) for die in reversed(able))}
    dice = tuple(sorted(alike.values(), key=lambda one: int(one.value)))
    slots: tuple[Slot, ...] = ()
    if len(dice) > 1:
        text = f"Which die does the {printed.name} go on?"
        slots = (Choose(name="die", text=text, options=dice),)
    elif doubt := _doubt(state, roll, card, dice[0].value):
        sure = replace(dice[0], label="play it anyway", key="y")
        slots = (Choose(name="die", text=doubt, options=(sure,)),)

    def make(die: int = dice[0].value) -> orders.BeachOrder:
        return orders.PlayCard(card=card, die=die)

    return Command(label=label, key=key, slots=slots, make=make)


def _die_option(state: BeachState, roll: Roll, die: int) -> Option:
    if roll.faces:
        face = state.counted(roll).faces[die]
        return Option(value=die, label=f"the {face}", key=str(face))
    on = signs(one.card for one in roll.cards if one.die == die)
    return Option(value=die, label=f"with {on or 'no card'}", key=str(die + 1))


def changes(state: BeachState, roll: Roll, card: Draw, die: int) -> bool:
    after = replace(roll, cards=(*roll.cards, Played(card, die)))
    sets = state.ruleset.card_of(card).sets
    return sets is None or state.counted(after) != state.counted(roll)


def _doubt(state: BeachState, roll: Roll, card: Draw, die: int) -> str:
    """An objection to playing a card on a die: it changes nothing, or it cancels cards already
    there. Empty if there is none."""
    printed, now = state.ruleset.card_of(card), state.counted(roll)
    if not (printed.sets or printed.does == "reroll"):
        return ""
    if roll.faces and not changes(state, roll, card, die):
        return f"The die shows {printed.sets} already: the {printed.name} would change nothing."
    if roll.dice == 1 and now.shift:
        return f"The {printed.name} would take the place of the {now.shift:+d} that lies there."
    return ""


class OwnCards(Slot, frozen=True, kw_only=True):
    """Cards drawn from the player's own deck, by rank only: each gets a suit that is free. ``gone``
    cannot have been drawn."""

    count: int
    of: Ruleset
    gone: tuple[Draw, ...]

    @property
    def hint(self) -> str:
        return "By rank: a, 2 to 9, 0 for a ten, j, q, k."

    @property
    def touch(self) -> tuple[tuple[str, str], ...]:
        return tuple((key, "10" if key == "0" else key.upper()) for key in RANKS)

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
                name = f"{self.of.card_of(Draw(rank)).name} ({signs([Draw(rank)])})"
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
