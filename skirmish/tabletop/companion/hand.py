"""A deck whose cards the owner types in: drawn into a hand, played in their windows of turns,
discarded, shuffled again.

The deck is the cup ``cards``; its hand are the cards that are set aside. A card is a line: its name
and its options, each with its turns. Cards that nobody has typed in yet are question marks; a deck
without any card, in it or out of it, is not played with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, partial
from typing import Any

import msgspec
from msgspec.structs import replace

from skirmish.tabletop.commands import Answers, Command
from skirmish.tabletop.companion.cup import UNKNOWN, Cup
from skirmish.tabletop.companion.events import CupRefilled, Drawn, Task
from skirmish.tabletop.companion.typed_lines import (
    LONGEST_LINE,
    LinedState,
    OwnersLines,
    TypedLines,
    kind_slot,
    later,
    line_slot,
    order_command,
)
from skirmish.tabletop.companion.unfolding import Unfolding, refuse
from skirmish.tabletop.slots import Choose, Option, Slot, UnfitAnswer, Words, one_of

DECK = "cards"
NOT_HELD = "That card is not in your hand."
NO_CARDS = "none"
"""What is typed for the first card in a game without cards. An empty line never means that: Space
and Enter are pressed to go on."""
CARD_LINE = "Its name | 1+ an option | 3-4 another"


class CardOption(msgspec.Struct, frozen=True):
    """``window``: as typed; ``last`` 0: to the end."""

    window: str
    text: str
    first: int
    last: int

    @property
    def when(self) -> str:
        if not self.last:
            return f"from turn {self.first} on"
        return f"turn {self.first}" + f"-{self.last}" * (self.last > self.first)

    def why_not(self, turn: int) -> str:
        now = self.first <= turn and (turn <= self.last or not self.last)
        return "" if now else f"That is for {self.when.removeprefix('from ')}."


def said(options: Iterable[CardOption]) -> str:
    return "; ".join(f"{one.text} ({one.when})" for one in options)


def read_option(text: str) -> CardOption:
    """``3-4 what it does``, ``2 …``, ``1+ …``."""
    window, what = text.split(" ", 1)
    first, dash, last = window.rstrip("+").partition("-")
    end = int(last) if dash else 0 if window.endswith("+") else int(first)
    return CardOption(window, what, int(first), end)


def cards_problem(lines: Iterable[str]) -> str:
    options = (read_option(part.strip()) for line in lines for part in line.split("|")[1:])
    wrong = next((one for one in options if not one.first or 0 < one.last < one.first), None)
    return f"{wrong.window}: no such turns; they are as in 2, 3-4 or 1+." if wrong else ""


class CardLines(OwnersLines, frozen=True, kw_only=True, dict=True, omit_defaults=True):
    cards: tuple[str, ...] = ()

    @cached_property
    def card(self) -> dict[str, tuple[CardOption, ...]]:
        """The options of each card by its name."""
        found = {}
        for line in self.cards:
            name, *options = (part.strip() for part in line.split("|"))
            found[name] = tuple(map(read_option, options))
        return found


class HandState(LinedState, frozen=True, kw_only=True):
    owned: CardLines

    @property
    def deck(self) -> Cup:
        return self.cups[DECK]

    @property
    def hand(self) -> tuple[str, ...]:
        return self.deck.aside

    @property
    def held(self) -> dict[str, tuple[CardOption, ...]]:
        """The options of each card of the hand, as far as they are known."""
        return {name: self.owned.card.get(name, ()) for name in self.hand}

    @property
    def hand_line(self) -> str:
        """The hand with the windows of its cards."""
        windows = {name: "; ".join(one.when for one in known) for name, known in self.held.items()}
        return ", ".join(f"{name} ({when})" if when else name for name, when in windows.items())

    @property
    def plays_cards(self) -> bool:
        return bool(self.deck.unseen or self.deck.drawn or self.hand)


# ------------------------------------------------------------------ steps of orders


def drawn(state: HandState, count: int, back: int = 0, at: str = "") -> list[Task]:
    """So many are to be drawn, and then so many of the hand go ``back``. ``at``: a square where
    they are carried out and discarded at once."""
    if not state.plays_cards:
        return []
    return [*[Task(kind="draw", place=at)] * count, *[Task(kind="keep")] * back]


def draw(run: Unfolding[Any], task: Task) -> None:
    """The next card, or the question which one it is."""
    if not run.state.deck.unseen:
        run.do(CupRefilled(cup=DECK))
    deck = run.state.deck
    if not deck.unseen:
        run.say("No card is left to draw.")
    elif deck.typed or deck.peek() == UNKNOWN:
        run.ask(replace(task, kind="card"))
    else:
        _hold(run, task, deck.peek())


def _hold(run: Unfolding[Any], task: Task, card: str) -> None:
    run.do(Drawn(cup=DECK, chit=card, own=run.state.deck.typed, silent=True))
    if task.place:
        text = said(run.state.owned.card.get(card, ())) or "as printed"
        run.say(f"Drawn for {task.place}: {card}, {text}.", result="event")
        return
    deck = run.state.deck.remove(card)
    run.say(f"Drawn: {card}.", deck=replace(deck, aside=(*deck.aside, card)))


def card_named(run: Unfolding[Any], task: Task, text: str) -> None:
    """The answer to ``draw``: a card by its name, or the line of a new one. Nothing, while no card
    is known: this game is played without them."""
    deck, name = run.state.deck, text.partition("|")[0].strip()
    if not text and not run.state.owned.cards:
        run.tasks = [one for one in run.tasks if one.kind not in ("draw", "keep")]
        run.say("This game is played without cards.", deck=replace(deck, unseen=()))
        return
    if not text and not deck.unseen:
        return
    if name not in deck.unseen:
        again = name in run.state.owned.card or UNKNOWN not in deck.unseen
        refuse(again, "no_card", f"{name[:40]} is not in the deck.")
        run.do(run.state.typed(DECK, text))
        refuse(name not in run.state.owned.card, "no_card", "Type one card, which begins so.")
    _hold(run, task, name)


def card_put_back(run: Unfolding[Any], task: Task, text: str) -> None:
    deck = run.state.deck
    if not text and not deck.aside:  # the line that drew them is void
        return
    refuse(text not in deck.aside, "no_card", NOT_HELD)
    run.say(f"{text} goes back into the deck.", deck=deck.release(text))


def card_played(run: Unfolding[Any], card: str, option: int) -> None:
    """``option``: its number; its text is carried out by hand."""
    deck, text = run.state.deck, "as printed"
    refuse(card not in deck.aside, "no_card", NOT_HELD)
    if options := run.state.owned.card.get(card):
        refuse(option not in range(len(options)), "no_option", "It has fewer options.")
        why, text = options[option].why_not(run.state.position.turn), options[option].text
        refuse(why, "window", why)
    aside = tuple(one for one in deck.aside if one != card)
    played = replace(deck, aside=aside, drawn=(*deck.drawn, card))
    run.say(f"{card} is played: {text}.", deck=played)


# ------------------------------------------------------------------ what is asked


def card_slots(state: HandState, answers: Answers) -> Iterator[Slot]:
    """A card of the hand and one of its options, which are asked for if only its name is known."""
    yield Choose(name="card", text="Which card?", options=_held(state))
    card, turn = answers.get("card", ""), state.position.turn
    if card in state.hand and not state.owned.card.get(card):
        text = f"What does {card} say? Its options with their turns: 1+ an option | 3-4 another."
        printed = partial(_with_options, card)
        yield later(kind_slot(state, DECK, text, printed, card), "it is played as printed")
    found = state.with_answers(answers).owned.card.get(card, ())
    options = [Option(value=at, label=one.text, note=one.when,
                      why_not=one.why_not(turn)) for at, one in enumerate(found)]  # fmt: skip
    if options:
        yield Choose(name="option", text="Which of its options?", options=tuple(options))


def card_command(state: HandState, order: Callable[..., Any]) -> Command[Any]:
    none, word = "" if state.hand else "Your hand is empty.", "card" if state.hand else ""
    slots = partial(card_slots, state)
    return order_command("Play a card", "p", order, slots, none, word=word)


def _with_options(card: str, options: str) -> str:
    return f"{card} | {options}"


def card_slot(state: HandState, kind: str) -> Slot:
    """Which card was drawn (``card``), or which one goes back (``keep``)."""
    if kind == "card" and UNKNOWN in state.deck.unseen:
        known, how = state.owned.cards, state.kinds[DECK]
        own = "" if state.deck.typed else "Take one of your cards not typed in yet, unseen. "
        new = "Its name alone will do" if not known else "A new one may be its name alone"
        text = f"{own}Which card did you draw? {new}; or: {CARD_LINE}."
        if known:
            return line_slot("text", text, how.matched)
        return Words(
            name="text",
            text=f"{text} For a game without cards: {NO_CARDS}.",
            longest=LONGEST_LINE,
            read=partial(_first_card, how),
            write=_without_cards,
        )
    if kind == "keep":
        none = (Option(value="", label="none"),)
        text = "Which card goes back into the deck?"
        return Choose(name="text", text=text, options=_held(state) or none)
    cards = [one for one in state.owned.card if one in state.deck.unseen] or [""]
    return one_of("text", "Which card did you draw?", ((one, one or "none") for one in cards))


def _first_card(kind: TypedLines, typed: str) -> str:
    """A card, or empty for a game without any. Raises UnfitAnswer."""
    line = typed.strip()
    if line.casefold() == NO_CARDS:
        return ""
    try:
        kind.matched(line)
    except ValueError as error:
        raise UnfitAnswer(str(error)) from None
    return line


def _without_cards(line: str) -> str:
    return line or "this game is played without cards"


def _held(state: HandState) -> tuple[Option, ...]:
    return tuple(Option(value=name, label=name, note=said(known))
                 for name, known in state.held.items())  # fmt: skip
