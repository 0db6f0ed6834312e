"""The set-up form: the scenario, who plays, where numbers come from, the owner's action cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from skirmish.games.omaha.ruleset import ActionCard, OmahaFile, OmahaScenario, sequence_of
from skirmish.games.omaha.state import DECK
from skirmish.tabletop.companion.cup import Cup
from skirmish.tabletop.companion.sequence import TurnSequence
from skirmish.tabletop.game import Seed
from skirmish.tabletop.presets import PresetBook
from skirmish.tabletop.set_up_form import Field, Fold
from skirmish.tabletop.slots import AnswerRow, Number, UnfitAnswer, Words, form_choice

NUMBERS_OF_CARDS = ("1", "2", "3", "4", "5", "6", "?")
"""What an owner may type for a card; the question mark: its number cannot be told."""
LONGEST_CARD_NUMBERS = 120
"""The most characters that may be typed for the cards of a kind."""
MOST_TURNS = 30
"""The most turns that a game may have."""
DIE_FOR_UNKNOWN = "Where a card's number is not known, the die gives it."
# Choices of the set-up form: the answer, its name, and what it means.
CHANCE = (
    AnswerRow("die", "the program rolls a die", "Events come from the program's deck."),
    AnswerRow("cards", "the program draws every number", DIE_FOR_UNKNOWN),
    AnswerRow("own", "your own cards or die, typed in", "You type what you draw or roll."),
)
FIRST_TO_MOVE = (AnswerRow("us", "the Americans"), AnswerRow("german", "the Germans"))
WHO_PLAYS = (
    AnswerRow("solitaire", "you, against Germans of the program", "It chooses their targets."),
    AnswerRow("two", "two players"),
)


def set_up_fields(
    file: OmahaFile, book: PresetBook, answers: Mapping[str, Any]
) -> tuple[Field, ...]:
    """The questions of the set-up form, by the answers so far."""
    rows = []
    for listed in file.scenarios:
        rows.append(AnswerRow(listed.id, listed.title, listed.about))
    scenario = chosen_scenario(file, answers)
    fields = [
        Field(slot=form_choice("scenario", "Which scenario is it?", rows)),
        Field(slot=form_choice("players", "Who plays?", WHO_PLAYS)),
        Field(slot=form_choice("chance", "Where do the numbers come from?", CHANCE)),
        _turns_field(scenario),
    ]
    if not scenario.longest:
        # Vierville: the text gives neither a length nor the first player.
        unstated = "The text does not say who moves first."
        fields.append(
            Field(slot=form_choice("first", "Who moves first?", FIRST_TO_MOVE), help=unstated)
        )
    fields += book.fields()
    deck = Fold("deck", "The action cards", "The numbers of your cards; ? where you cannot tell.")
    for card in cards_of(file, scenario):
        fields.append(_card_field(card, deck))
    return tuple(fields)


def _turns_field(scenario: OmahaScenario) -> Field:
    """The question how long the game is. The text has ten turns, or eleven "if you feel the Allies'
    challenge is too great"; for Vierville it gives no length."""
    about = "The text gives no length for this scenario."
    if scenario.longest:
        about = f"{scenario.longest} turns are easier for the Americans."
    text = "How many turns are played?"
    slot = Number(name="turns", text=text, low=1, high=MOST_TURNS, default=scenario.turns)
    return Field(slot=slot, help=about)


def _card_field(card: ActionCard, deck: Fold) -> Field:
    """The question which numbers are on the owner's cards of a kind: no public text gives them."""
    slot = Words(
        name=f"card_{card.id}",
        label=card.title,
        default=card.numbers,
        longest=LONGEST_CARD_NUMBERS,
        text=f"Which numbers are on the cards “{card.title}”?",
        read=_card_numbers,
    )
    text = f"{card.text} {card.garbled} A number for each card, or ?."
    return Field(slot=slot, fold=deck, help=text)


def _card_numbers(text: str) -> str:
    """The numbers with spaces between them. Raises UnfitAnswer."""
    words = text.replace(",", " ").split()
    for word in words:
        if word not in NUMBERS_OF_CARDS:
            raise UnfitAnswer(f"{word[:20]} is no number of a card: 1 to 6, or ?.")
    return " ".join(words)


# ------------------------------------------------------------------ what the answers give


def chosen_scenario(file: OmahaFile, answers: Mapping[str, Any]) -> OmahaScenario:
    """The scenario chosen so far; the first until one is."""
    chosen = answers.get("scenario", file.scenarios[0].id)
    return next(scenario for scenario in file.scenarios if scenario.id == chosen)


def sequence_of_answers(file: OmahaFile, answers: Mapping[str, Any]) -> TurnSequence:
    """The phases of the game, by its length and the side that moves first."""
    turns = answers.get("turns", chosen_scenario(file, answers).turns)
    return sequence_of(file.phases, turns, answers.get("first", "us"))


def cards_of(file: OmahaFile, scenario: OmahaScenario) -> tuple[ActionCard, ...]:
    """The kinds of card that are in the deck of a scenario."""
    return tuple(card for card in file.cards if card.id not in scenario.without)


def shuffled_deck(
    cards: Sequence[ActionCard], answers: Mapping[str, Any], seed: Seed
) -> Cup | None:
    """The deck with the numbers that were typed in; None where there is no card at all."""
    chits: list[str] = []
    for card in cards:
        chits += card.chits(answers.get(f"card_{card.id}", card.numbers))
    if not chits:
        return None
    # Sorted, so that the same cards and the same seed are the same deck.
    return Cup(id=DECK, unseen=tuple(sorted(chits)), seed=seed())
