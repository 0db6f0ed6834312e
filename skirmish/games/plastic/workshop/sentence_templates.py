"""The templates of the sentences in which a scenario is shown and changed: those of its victory, of
how contingents enter, of its happenings and exceptions.

A template is a sentence with the keys of its blanks in braces. A few templates of victories also
have parts in angle brackets, such as ``<deadline>``, whose words depend on the fields that the
victory terms have (``sentences.Writer._victory_parts``).
"""

from __future__ import annotations

from typing import NamedTuple

VICTORY: dict[str, str] = {
    "exit": "The {side} win if <strength> has left over <way out><deadline>; a guy counts 1, a "
    "model 5.",
    "destroy": "The {side} win if they have destroyed at least {need} {unit}<deadline>.",
    "destroy_then_exit": "The {side} win if they destroy at least {need} {unit} and {then.need} "
    "{then.unit} leave over the {then.edge} edge afterwards<comma deadline>.",
    "hold": "The {side} win if they hold at least {need} buildings, {how}, at the end of {at.side} "
    "turn {at.turn}.",
    "hold_ratio": "The {side} win if at the end of {at.side} turn {at.turn} they alone hold a "
    "building and at least {ratio} times as many as their enemy alone.",
    "clear": "The {side} win if none of the {of}, neither guy nor model, is within {within_in} in "
    "of the {point}<mark> at the end of {at.side} turn {at.turn}.",
    "survivors": "The side with more {units} left at the end of {at.side} turn {at.turn} wins.",
    "count": "{question}: the side with more at the end of {at.side} turn {at.turn} wins; if both "
    "have as many, <level>.",
}
"""A sentence for each kind of victory; the keys in braces are those of the victory table."""
DEADLINE = "by the end of {by.side} turn {by.turn}"
"""The words of the parts ``<deadline>`` and ``<comma deadline>``. The first puts a space before
them, the second a comma and a space; both are empty for a victory without a deadline."""
FOR_ONE_SIDE = ("exit", "destroy", "destroy_then_exit", "hold", "hold_ratio", "clear")
"""The kinds of victory whose terms one side has to meet; if it does not, the other side wins."""
ENTRIES: dict[str, str] = {
    "zone": "stands in zone {entry.zone} from turn {entry.turn} on (0 is before play)",
    "edge": "comes over the {entry.edge} edge on turn {entry.turn}",
    "road": "comes along the road, at the {entry.edge} edge, on turn {entry.turn}",
    "corner": "comes at one of the corners {entry.corners} on turn {entry.turn}",
    "marks": "stands on the marks {entry.marks} from turn {entry.turn} on (0 is before play)",
    "anywhere": "stands where the words below allow, from turn {entry.turn} on (0 is before play)",
}
"""How a contingent enters, by the kind of its entry: the rest of a sentence that begins with "It".
The "words below" are those of its set-up, which are the next sentence of the page."""
HAPPENINGS: dict[str, str] = {
    "draw_table": "Reinforcements by draw: from turn {from_turn} on, {draws} cards are drawn at "
    "the start of each turn of the {side}.",
    "toggle_on_card": "A card that changes everything: {card} begins {state}, the next one ends "
    "it; meanwhile sight ends at {sight_in} in. No dice: {cards_only}.",
    "darkness": "Darkness: from turn {from_turn} until turn {before_turn} nobody sees farther than "
    "{sight_in} in.",
    "charges": "Charges: the {side} have mined {what} (its mark on the map: {mark}). From "
    "turn {from_turn} on they draw at the start of each of their turns, and ranks up to {needs} "
    "fire the charges, unless {cut_by} have cut them by starting a turn touching them.",
    "needs_service": "Idle without service: {units} of the {side} do nothing until {by} has "
    "touched them at the start of a turn; each serves {each} a turn, from turn {from_turn} on.",
    "reveal": "Hidden men: {units} of the {side} (contingent {contingent}) may be placed in secret "
    "and are revealed when {when} (within {within_in} in).",
    "ask_at_setup": "Asked before play: {question} (about {about}; the {side} answer; proposed: "
    "{proposal})",
    "convert": "A change of arms: the {side} (contingent {contingent}) may turn {unit} into "
    "{becomes}.",
    "trait": "What they can do besides: {units} of the {side} (contingent {contingent}) {effect} "
    "{targets}.",
    "remind": "A reminder in phase {phase} of each turn of the {side}.",
}
"""A sentence for each kind of happening, which says what it does."""


class ExceptionList(NamedTuple):
    """A list of exceptions on the rules page: its heading, and the template of its entries."""

    heading: str
    template: str


EXCEPTIONS: dict[str, ExceptionList] = {
    "variant": ExceptionList(
        "UNITS THAT DIFFER HERE",
        "{id}, made from {of}: called {name}, letter {letter}, {price} points, moves {move} in "
        "({road_move} in on a road), ranges {ranges}. {note}",
    ),
    "swap": ExceptionList(
        "OTHER UNITS UNDER A RULING",
        "If {ruling} is answered {answer}, each {unit} of the {side} becomes {becomes}.",
    ),
    "clock": ExceptionList(
        "ANOTHER END UNDER A RULING",
        "If {ruling} is answered {answer}, the last turn is {ends_after.side} turn "
        "{ends_after.turn}. Victory then: {victory_text}",
    ),
}
"""The exceptions of a scenario, by the keys that their lists have in its file."""
HAPPENING_PURPOSES: dict[str, str] = {
    "draw_table": "who comes is drawn from a table each turn",
    "toggle_on_card": "a drawn card begins and ends fog, dust or dark",
    "darkness": "nobody sees far, on some turns or all",
    "charges": "a bridge, or what else you like, is blown up unless the enemy prevents it",
    "needs_service": "units do nothing until others have served them",
    "reveal": "units set up in secret",
    "ask_at_setup": "a question before play",
    "convert": "a unit that may become another",
    "trait": "units that count as engineers, may not move, may not be fired at",
    "remind": "words shown in a phase of each turn",
}
"""What each kind of happening is for; shown where an author chooses one."""
