"""A deck whose cards the owner types in. Cards are drawn into a hand, played in the turns that
they name, discarded and shuffled again.

The deck is the cup ``cards``; the cards that are set aside in it are the hand. The owner types a
card as a line: its name and its options, each with its turns. Cards that nobody has typed in yet
are question marks. If there is no card at all, the game is played without cards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, partial
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from skirmish.tabletop.commands import Answers, Command
from skirmish.tabletop.companion.cup import UNKNOWN, Cup
from skirmish.tabletop.companion.events import CupRefilled, Drawn
from skirmish.tabletop.companion.happened import LONG_RESULT
from skirmish.tabletop.companion.lines_slots import (
    LONGEST_LINE,
    deferrable,
    kind_slot,
    line_slot,
    order_command,
)
from skirmish.tabletop.companion.table_state import Task
from skirmish.tabletop.companion.typed_lines import LinedState, OwnersLines, TypedLines
from skirmish.tabletop.companion.unfolding import Unfolding, refuse_if
from skirmish.tabletop.slots import Choose, Option, Slot, UnfitAnswer, Words, choice_of

DECK = "cards"
"""The id of the cup, and of the kind of lines that describe its cards."""
NOT_HELD = "That card is not in your hand."
"""Why a card cannot be played or put back."""
NO_CARDS = "none"
"""What is typed in place of the first card for a game without cards. An empty line does not mean
that, since players press Space and Enter to go on."""
CARD_LINE = "Its name | 1+ an option | 3-4 another"
"""An example of the line of a card."""


class CardOption(msgspec.Struct, frozen=True):
    """One of the things that a card may be played for."""

    window: str
    """The turns in which the card may be played for it, as typed: ``3-4``, ``2`` or ``1+``."""
    text: str
    """What it does."""
    first: int
    """The first of these turns."""
    last: int
    """The last of these turns; 0: to the end of the game."""

    @property
    def when(self) -> str:
        """The turns as a phrase of their own: ``turn 2``, ``turn 3-4``, ``from turn 1 on``."""
        if not self.last:
            return f"from {self._turns}"
        return self._turns

    @property
    def _turns(self) -> str:
        """The turns behind "from" or "for": ``turn 2``, ``turn 3-4``, ``turn 1 on``."""
        if not self.last:
            return f"turn {self.first} on"
        if self.last == self.first:
            return f"turn {self.first}"
        return f"turn {self.first}-{self.last}"

    def why_not(self, turn: int) -> str:
        """Why it cannot be played in a turn; empty if it can."""
        has_begun = self.first <= turn
        has_ended = 0 < self.last < turn
        if has_begun and not has_ended:
            return ""
        return f"That is for {self._turns}."


def options_text(options: Iterable[CardOption]) -> str:
    """The options with their turns: ``an option (turn 2); another (from turn 3 on)``."""
    return "; ".join(f"{option.text} ({option.when})" for option in options)


def read_option(text: str) -> CardOption:
    """The option that is typed as ``3-4 what it does``, ``2 …`` or ``1+ …``. The form of the text
    was checked before."""
    window, effect = text.split(" ", 1)
    if window.endswith("+"):
        return CardOption(window, effect, first=int(window.removesuffix("+")), last=0)
    first, dash, last = window.partition("-")
    if not dash:
        last = first
    return CardOption(window, effect, int(first), int(last))


def _name_in(line: str) -> str:
    """The name of the card in a line; options may stand behind it."""
    return line.partition("|")[0].strip()


def _options_in(line: str) -> tuple[CardOption, ...]:
    """The options of a card's line, behind its name."""
    parts = line.split("|")[1:]
    return tuple(read_option(part.strip()) for part in parts)


def cards_problem(lines: Iterable[str]) -> str:
    """The sentence about an option with impossible turns, such as 0 or 4-3; empty if there is
    none."""
    for line in lines:
        for option in _options_in(line):
            begins_too_early = option.first == 0
            ends_too_early = 0 < option.last < option.first
            if begins_too_early or ends_too_early:
                return f"{option.window}: no such turns; they are as in 2, 3-4 or 1+."
    return ""


class CardLines(OwnersLines, frozen=True, kw_only=True, dict=True, omit_defaults=True):
    """The lists of an owner, including the lines of his ``cards``."""

    cards: tuple[str, ...] = ()

    @cached_property
    def options_of(self) -> dict[str, tuple[CardOption, ...]]:
        """The options of each card by its name; none for a card of which only the name is known."""
        options = {}
        for line in self.cards:
            options[_name_in(line)] = _options_in(line)
        return options


class HandState(LinedState, frozen=True, kw_only=True):
    """The state of a game with a deck and a hand of cards."""

    owned: CardLines

    @property
    def deck(self) -> Cup:
        """The cup of cards: those to draw, those discarded, and the hand set aside."""
        return self.cups[DECK]

    @property
    def hand(self) -> tuple[str, ...]:
        """The names of the cards in the hand."""
        return self.deck.aside

    @property
    def options_in_hand(self) -> dict[str, tuple[CardOption, ...]]:
        """The options of each card in the hand, as far as they are known."""
        return {name: self.owned.options_of.get(name, ()) for name in self.hand}

    @property
    def hand_line(self) -> str:
        """The cards of the hand with their turns, as a line."""
        cards = []
        for name, options in self.options_in_hand.items():
            if options:
                windows = "; ".join(option.when for option in options)
                cards.append(f"{name} ({windows})")
            else:
                cards.append(name)
        return ", ".join(cards)

    @property
    def plays_cards(self) -> bool:
        """Whether the game has any card, in the deck or out of it."""
        return bool(self.deck.unseen or self.deck.drawn or self.hand)


H = TypeVar("H", bound=HandState)


# ------------------------------------------------------------------ steps of orders


def draw_tasks(state: HandState, count: int, back: int = 0, square: str = "") -> list[Task]:
    """The tasks by which ``count`` cards are drawn, and then so many of the hand go ``back``.
    ``square``: the cards are drawn for this square, carried out there and discarded at once; empty:
    they go into the hand."""
    if not state.plays_cards:
        return []
    draws = [Task(kind="draw", place=square) for _ in range(count)]
    # Journals call the question for a card that goes back "keep".
    returns = [Task(kind="keep") for _ in range(back)]
    return [*draws, *returns]


def draw(run: Unfolding[H], task: Task) -> None:
    """Draw the next card, or ask which one it is where only the owner knows. A deck that is used up
    is shuffled again first."""
    if not run.state.deck.unseen:
        run.do(CupRefilled(cup=DECK))
    deck = run.state.deck
    if not deck.unseen:
        run.say("No card is left to draw.")
    elif deck.typed or deck.peek() == UNKNOWN:
        run.ask(replace(task, kind="card"))
    else:
        _card_drawn(run, task, deck.peek())


def _card_drawn(run: Unfolding[H], task: Task, card: str) -> None:
    """The card is drawn: it goes into the hand, or happens in the square that it is drawn for."""
    run.do(Drawn(cup=DECK, chit=card, own=run.state.deck.typed, silent=True))
    if task.place:
        text = options_text(run.state.owned.options_of.get(card, ()))
        if not text:  # nobody has typed what the card says
            text = "as printed"
        # The text of the card would be too long for large letters: in its place stands "event".
        run.say(f"Drawn for {task.place}: {card}, {text}.", result=LONG_RESULT)
        return
    # ``Drawn`` has put the card among those that were drawn; from there it goes into the hand.
    deck = run.state.deck.remove(card)
    run.say(f"Drawn: {card}.", deck=replace(deck, aside=(*deck.aside, card)))


def card_named(run: Unfolding[H], task: Task, text: str) -> None:
    """The answer to the question which card was drawn: the name of a card, or the line of a new
    one. An empty answer while no card is known means that this game is played without cards."""
    deck = run.state.deck
    if not text and not run.state.owned.cards:
        # No card will ever be drawn or put back, so the tasks for that are dropped.
        without_cards = []
        for open_task in run.tasks:
            if open_task.kind not in ("draw", "keep"):
                without_cards.append(open_task)
        run.tasks = without_cards
        run.say("This game is played without cards.", deck=replace(deck, unseen=()))
        return
    # While this question is open, an earlier order may be made void, such as the one that put the
    # last card into the deck. An empty answer then passes over the draw.
    if not text and not deck.unseen:
        return
    name = _name_in(text)
    if name not in deck.unseen:
        # A new card takes the place of an unknown one. A card that is typed in already but not in
        # the deck is in the hand or among those that were drawn.
        cannot_be_new = name in run.state.owned.options_of or UNKNOWN not in deck.unseen
        refuse_if(cannot_be_new, "no_card", f"{name[:40]} is not in the deck.")
        run.do(run.state.typed_event(DECK, text))
        # Several cards may have been typed at once: of "Smoke; Fog | 1+ fire" the name would be
        # "Smoke; Fog", and there is no such card.
        is_one_card = name in run.state.owned.options_of
        refuse_if(not is_one_card, "no_card", "Type one card, which begins so.")
    _card_drawn(run, task, name)


def card_put_back(run: Unfolding[H], task: Task, text: str) -> None:
    """The answer to the question ``keep``: the card of the hand that goes back into the deck."""
    deck = run.state.deck
    # As in ``card_named``: the order that drew the last card of the hand may be void by now.
    if not text and not deck.aside:
        return
    refuse_if(text not in deck.aside, "no_card", NOT_HELD)
    run.say(f"{text} goes back into the deck.", deck=deck.release(text))


def card_played(run: Unfolding[H], card: str, option: int) -> None:
    """A card of the hand is played for one of its options (``option`` is an index); the players
    carry out what it says. Raises Refused."""
    deck = run.state.deck
    text = "as printed"  # while nobody has typed what the card says
    refuse_if(card not in deck.aside, "no_card", NOT_HELD)
    options = run.state.owned.options_of.get(card)
    if options:
        refuse_if(not 0 <= option < len(options), "no_option", "It has fewer options.")
        why_not = options[option].why_not(run.state.position.turn)
        refuse_if(why_not, "window", why_not)
        text = options[option].text
    hand = tuple(name for name in deck.aside if name != card)
    deck_after = replace(deck, aside=hand, drawn=(*deck.drawn, card))
    run.say(f"{card} is played: {text}.", deck=deck_after)


# ------------------------------------------------------------------ what is asked


def slots_to_play(state: HandState, answers: Answers) -> Iterator[Slot]:
    """The questions to whoever plays a card: which one, and for which of its options. If only the
    name of the card is known, its options are asked for first."""
    yield Choose(name="card", text="Which card?", options=_hand_options(state))
    card, turn = answers.get("card", ""), state.position.turn
    options_are_known = bool(state.owned.options_of.get(card))
    if card in state.hand and not options_are_known:
        text = f"What does {card} say? Its options with their turns: 1+ an option | 3-4 another."
        whole_line = partial(_with_options, card)
        slot = kind_slot(state, DECK, text, whole_line, card)
        yield deferrable(slot, "it is played as printed")
    # The options may be among these answers, typed a moment ago.
    printed_options = state.with_answers(answers).owned.options_of.get(card, ())
    options = []
    for index, option in enumerate(printed_options):
        why_not = option.why_not(turn)
        options.append(Option(value=index, label=option.text, note=option.when, why_not=why_not))
    if options:
        yield Choose(name="option", text="Which of its options?", options=tuple(options))


def play_card_command(state: HandState, order: Callable[..., Any]) -> Command[Any]:
    """The command that plays a card. With an empty hand it has no word, so that it is not on the
    strip of keys."""
    why_not, word = "", "card"
    if not state.hand:
        why_not, word = "Your hand is empty.", ""
    slots = partial(slots_to_play, state)
    return order_command("Play a card", "p", order, slots, why_not, word=word)


def _with_options(card: str, options: str) -> str:
    """The whole line of a card whose options were typed."""
    return f"{card} | {options}"


def card_asked_for(state: HandState, kind: str) -> Slot:
    """The question of a task: which card was drawn (``card``), or which one goes back
    (``keep``)."""
    if kind == "keep":
        options = _hand_options(state)
        # The question stays open until it is answered, even if the hand has become empty.
        if not options:
            options = (Option(value="", label="none"),)
        return Choose(name="text", text="Which card goes back into the deck?", options=options)
    if UNKNOWN in state.deck.unseen:
        return _new_card_slot(state)
    labels = {name: name for name in state.owned.options_of if name in state.deck.unseen}
    # This question, too, stays open even if no card is left to draw.
    if not labels:
        labels[""] = "none"
    return choice_of("text", "Which card did you draw?", labels)


def _new_card_slot(state: HandState) -> Slot:
    """The question which card was drawn from a deck in which not all cards are typed in."""
    has_cards, kind = bool(state.owned.cards), state.kinds[DECK]
    hint = "Its name alone will do"
    if has_cards:
        hint = "A new one may be its name alone"
    text = f"Which card did you draw? {hint}; or: {CARD_LINE}."
    if not state.deck.typed:
        # The program has drawn one of the unknown cards; only the owner can say which.
        text = f"Take one of your cards not typed in yet, unseen. {text}"
    if has_cards:
        return line_slot("text", text, kind.matched)
    return Words(
        name="text",
        text=f"{text} For a game without cards: {NO_CARDS}.",
        longest=LONGEST_LINE,
        read=partial(_first_card, kind),
        write=_without_cards,
    )


def _first_card(kind: TypedLines, typed: str) -> str:
    """The line of the first card; empty for a game without cards. Raises UnfitAnswer."""
    line = typed.strip()
    if line.casefold() == NO_CARDS:
        return ""
    try:
        kind.matched(line)
    except ValueError as error:
        raise UnfitAnswer(str(error)) from None
    return line


def _without_cards(line: str) -> str:
    """The answer as the command line shows it; it is empty for a game without cards."""
    if not line:
        return "this game is played without cards"
    return line


def _hand_options(state: HandState) -> tuple[Option, ...]:
    """The cards of the hand with their options."""
    options = []
    for name, printed_options in state.options_in_hand.items():
        options.append(Option(value=name, label=name, note=options_text(printed_options)))
    return tuple(options)
