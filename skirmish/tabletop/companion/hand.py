"""A deck whose cards the owner types in: drawn into a hand, played in their windows of turns,
discarded, shuffled again.

The deck is the cup ``cards``; its hand are the cards that are set aside. A card is a line: its name
and its options, each with its turns. Cards that nobody has typed in yet are question marks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

import msgspec
from msgspec.structs import replace

from skirmish.tabletop.commands import Answers
from skirmish.tabletop.companion.cup import UNKNOWN, Cup
from skirmish.tabletop.companion.events import CupRefilled, Drawn, Task
from skirmish.tabletop.companion.typed_lines import LONGEST_LINE, LinedState, OwnersLines
from skirmish.tabletop.companion.unfolding import Unfolding, refuse
from skirmish.tabletop.slots import Choose, Option, Slot, Words, one_of

DECK = "cards"


class CardOption(msgspec.Struct, frozen=True):
    """``window``: as typed; ``last`` 0: to the end."""

    window: str
    text: str
    first: int
    last: int

    def why_not(self, turn: int) -> str:
        now = self.first <= turn and (turn <= self.last or not self.last)
        return "" if now else f"That is for turn {self.window}."


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


# ------------------------------------------------------------------ steps of orders


def drawn(state: HandState, count: int) -> list[Task]:
    """So many are to be drawn, if any card of the deck is known."""
    return [Task(kind="draw")] * count if state.owned.cards else []


def draw(run: Unfolding[Any], task: Task) -> None:
    """The next card, or the question which one it is."""
    if not run.state.deck.unseen:
        run.do(CupRefilled(cup=DECK))
    deck = run.state.deck
    if not deck.unseen:
        run.say("No card is left to draw.")
    elif deck.typed or deck.peek() == UNKNOWN:
        run.ask(Task(kind="card"))
    else:
        _hold(run, deck.peek())


def _hold(run: Unfolding[Any], card: str) -> None:
    run.do(Drawn(cup=DECK, chit=card, own=run.state.deck.typed, silent=True))
    deck = run.state.deck.remove(card)
    run.say(f"Drawn: the card {card}.", deck=replace(deck, aside=(*deck.aside, card)))


def card_named(run: Unfolding[Any], task: Task, text: str) -> None:
    """The answer to ``draw``: a card by its name, or the line of a new one."""
    deck, name = run.state.deck, text.partition("|")[0].strip()
    if not text and not deck.unseen:
        return
    if name not in deck.unseen:
        again = name in run.state.owned.card or UNKNOWN not in deck.unseen
        refuse(again, "no_card", f"{name[:40]} is not in the deck.")
        run.do(run.state.typed(DECK, text))
    _hold(run, name)


def card_put_back(run: Unfolding[Any], task: Task, text: str) -> None:
    deck = run.state.deck
    if not text and not deck.aside:  # the line that drew them is void
        return
    refuse(text not in deck.aside, "no_card", "That card is not in your hand.")
    run.say(f"The card {text} goes back into the deck.", deck=deck.release(text))


def card_played(run: Unfolding[Any], card: str, option: int) -> None:
    """``option``: its number; its text is carried out by hand."""
    deck, text = run.state.deck, "as printed"
    refuse(card not in deck.aside, "no_card", "That card is not in your hand.")
    if options := run.state.owned.card.get(card):
        refuse(option not in range(len(options)), "no_option", "It has fewer options.")
        why, text = options[option].why_not(run.state.position.turn), options[option].text
        refuse(why, "window", why)
    aside = tuple(one for one in deck.aside if one != card)
    played = replace(deck, aside=aside, drawn=(*deck.drawn, card))
    run.say(f"The card {card} is played: {text}.", deck=played)


# ------------------------------------------------------------------ what is asked


def card_slots(state: HandState, answers: Answers) -> Iterator[Slot]:
    """A card of the hand and one of its options."""
    yield one_of("card", "Which card?", ((one, one) for one in state.hand))
    found, turn = state.owned.card.get(answers.get("card", ""), ()), state.position.turn
    options = [Option(value=at, label=one.text, note=f"turn {one.window}",
                      why_not=one.why_not(turn)) for at, one in enumerate(found)]  # fmt: skip
    if options:
        yield Choose(name="option", text="Which of its options?", options=tuple(options))


def card_slot(state: HandState, kind: str) -> Slot:
    """Which card was drawn (``card``), or which one goes back (``keep``)."""
    if kind == "card" and UNKNOWN in state.deck.unseen:
        text = f"Which card did you draw? A new one: {state.kinds[DECK].how}"
        return Words(name="text", text=text, longest=LONGEST_LINE)
    keep = kind == "keep"
    cards = dict.fromkeys((state.hand if keep else state.deck.unseen) or ("",))
    text = "Which card goes back into the deck?" if keep else "Which card did you draw?"
    return one_of("text", text, ((one, one or "none") for one in cards))
