"""The sentences and phrases of Beach Head that do not belong to one phase or one roll: the status
of a game, why phases are skipped, questions to the player. Each has one wording for every medium.

The rule of a phase is worded in ``phase_words``, a roll in ``roll_words``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from skirmish.games.beach_head.ruleset import BeachSetup, Card, Phase, ResultRow, Ruleset, SkipCode
from skirmish.games.beach_head.state import BeachState
from skirmish.tabletop.chance import Source


def number(count: int, noun: str) -> str:
    """A count of things, in words; for nouns whose plural is made with an s.

    >>> [number(count, "tank") for count in (0, 1, 3)]
    ['no tanks', '1 tank', '3 tanks']
    """
    if count == 1:
        return f"1 {noun}"
    if count == 0:
        return f"no {noun}s"
    return f"{count} {noun}s"


def span(numbers: Sequence[int]) -> str:
    """Successive numbers, from the first to the last: ``2-5``; a single one alone: ``4``.

    >>> span([2, 3, 4, 5])
    '2-5'
    >>> span([4])
    '4'
    """
    first, last = numbers[0], numbers[-1]
    if first == last:
        return str(first)
    return f"{first}-{last}"


def defence_name(setup: BeachSetup, id: str) -> str:
    """The name of a defence in a sentence: ``tank traps``."""
    return setup.ruleset.defence_of(id).name.lower()


def tanks_ashore(state: BeachState) -> Iterator[str]:
    """The kinds of tank that are ashore, each with its number: ``2 gun tanks``, ``1 crab``."""
    for tank in state.ruleset.tank:
        count = state.tanks.count(tank.id)
        if count == 1:
            yield f"1 {tank.noun}"
        elif count > 1:
            yield f"{count} {tank.names}"


def headline(state: BeachState) -> str:
    """The status of a game, as lists of games show it."""
    if state.over:
        return f"Taken in {number(state.turn, 'turn')}, {number(state.casualties, 'squad')} lost"
    if not state.turn:
        return "Not begun"
    return f"Turn {state.turn}, {state.present_phase.name}: {state.casualties} lost"


def row_text(ruleset: Ruleset, row: ResultRow) -> str:
    """The effect of a row of a table, in words. In the data ``kill`` and ``remove`` are dice."""
    if row.kill:
        return f"{row.kill} squads killed"
    if row.remove:
        points = f"{row.remove} points off {ruleset.listed(row.targets)}"
        if row.name:
            return f"{row.name.lower()}, {points}"
        return points
    if row.tank == "no_flail":
        return "a tank without a flail lost"
    if row.tank:
        return "a random tank lost"
    if row.craft:
        return "a landing craft hit"
    return "nothing"


def card_use(ruleset: Ruleset, card: Card) -> str:
    """The effect of a card in short form: ``die = 4``, ``+2``, ``re-roll``."""
    if card.sets is not None:
        return f"die = {card.sets}"
    match card.does:
        case "reroll":
            return "re-roll"
        case "repeat":
            return "repeat phase"
        case "draw":
            return f"draw {ruleset.hand.general}"
        case None:  # a card that neither sets a die nor does something else shifts the roll
            return f"{card.shifts:+d}"


class SkipReason(NamedTuple):
    """Why a phase is skipped: ``words`` for a sentence, a ``short`` form for a narrow column."""

    words: str
    short: str


def why_skipped(state: BeachState, phase: Phase, code: SkipCode) -> SkipReason:
    """The words for the code of a reason; ``state`` is the one before the phase."""
    match code:
        case "too_early":
            return SkipReason(f"from turn {phase.from_turn} on", f"turn {phase.from_turn}")
        case "nobody":
            return SkipReason("nobody ashore", "nobody")
        case "nothing_left":
            return _why_nothing_left(state, phase)
        case "no_tank" if is_for_any_avre(phase):
            text = "no AVRE"
        case "no_tank":
            text = f"no {state.ruleset.tank_of(phase.needs[0]).names}"
        case "no_defence":
            # Only a phase that names a defence is skipped for this reason.
            text = f"no {defence_name(state.setup, str(phase.skipped_without))} left"
        case "no_cards":
            text = "no cards"
        case "not_here":
            # Only the beaches of Omaha lack anything (``skip_reason``).
            text = "none at Omaha"
    return SkipReason(text, text)


def _why_nothing_left(state: BeachState, phase: Phase) -> SkipReason:
    """The targets of a phase are gone, or something still bars the way to those that stand."""
    ruleset = state.ruleset
    # Where the engineers roll once for all their steps, nothing bars any target of that roll (B9):
    # the phase is skipped only when all of them are gone.
    if not state.removes_in_one_roll(phase):
        for step in phase.step:
            bars = [name for name in state.bars_of(phase, step) if state.defences[name]]
            if bars and state.targets_of(phase, step):
                bars_text = f"{ruleset.listed(bars, 'and')} {verb_after(bars, 'bars', 'bar')}"
                return SkipReason(f"{bars_text} the {ruleset.listed(step.targets)}", "barred")
    # The first step names what the phase is about.
    return SkipReason(f"no {ruleset.listed(phase.step[0].targets)} left", "cleared")


def is_for_any_avre(phase: Phase) -> bool:
    """Whether AVREs of all kinds play a phase. Only theirs can be played by several kinds of tank,
    and the rules call these together AVREs."""
    return len(phase.needs) > 1


def verb_after(defences: Sequence[str], singular: str, plural: str) -> str:
    """The form of a verb after a list of defences: barbed wire alone is singular, the names of all
    others are plurals."""
    if list(defences) == ["wire"]:
        return singular
    return plural


def prompt_text(state: BeachState) -> str:
    """The open question in a sentence; empty if there is none."""
    ask = state.ask
    if ask is None:
        return ""
    count = ask.count
    if ask.what == "exchange":
        count = ask.most
    cards = f"{count} cards"
    if count == 1:
        cards = "a card"
    match ask.what:
        case "dice" if count == 1:
            return "Roll a die and type what it shows."
        case "dice":
            return f"Roll {count} dice and type what they show."
        case "lot":
            return f"Draw lots: type a random number from 1 to {ask.sides}."
        case "target":
            return "Choose the target."
        case "tank":
            return "Choose the tank that is lost."
        case "cards":
            return _draw_text(state, count)
        case "exchange" if count == 0:  # exchanged already, and a General is among the new ones
            return "You may play a General."
        case "exchange" if count == 1:
            return "You may exchange a card."
        case "exchange":
            return f"You may exchange up to {cards}."
        case "trim":
            return f"Discard {cards}."


def _draw_text(state: BeachState, count: int) -> str:
    """The player draws ``count`` cards from his own deck and types them. He shuffles it first if
    the game has just done so, and halfway if more cards are due than the deck has left."""
    cards = number(count, "card")
    ranks = "their ranks"
    if count == 1:
        ranks = "its rank"
    if state.deck is not None and _is_to_be_shuffled(state, state.deck):
        return f"Shuffle the discards, then draw {cards} and type {ranks}."
    cards_missing = _cards_due(state, count) - count
    if cards_missing > 0:
        return _draw_what_is_left(state, count, cards_missing)
    if count == 1:
        return "Draw a card and type its rank."
    return f"Draw {cards} and type {ranks}."


def _draw_what_is_left(state: BeachState, count: int, cards_missing: int) -> str:
    """The deck has only ``count`` cards left; those that are missing come from the discards, as far
    as there are any."""
    text = f"{count} cards are left: draw them and type their ranks"
    if count == 1:
        text = "One card is left: draw it and type its rank"
    from_discards = min(cards_missing, len(state.discard))
    if from_discards:
        text += f", then shuffle the discards and draw {from_discards} more"
    return f"{text}."


def _is_to_be_shuffled(state: BeachState, deck: Source) -> bool:
    """Whether the game has just shuffled, which the player still has to do with his own deck: there
    are no discards, and only the cards in hand are out of the deck."""
    return deck.shuffles > 0 and not state.discard and set(deck.gone) == set(state.hand)


def _cards_due(state: BeachState, count: int) -> int:
    """How many cards the task at hand is to draw in all; ``count`` are asked for now."""
    if not state.agenda or state.agenda[0].what != "fill":
        return count
    task = state.agenda[0]
    if task.count is not None:
        return task.count
    # Without a number of its own the task fills the hand.
    return state.ruleset.hand.full - len(state.hand)
