"""What a player sees before a roll: every modifier, and the chance of every result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from skirmish.tabletop.companion.result_table import BLANK, Resolved
from skirmish.tabletop.companion.table_state import Task
from skirmish.tabletop.page import Block, Page, Paragraph
from skirmish.tabletop.refusal import Refused

# ------------------------------------------------------------------ before the roll


def before_roll(
    lead: str, resolved: Resolved, words: Callable[[str], str] = str
) -> tuple[Block, ...]:
    """Every modifier of a roll, and the chance of every result whose cell is typed in. ``lead``:
    what the roll is about; ``words``: what a result is called."""
    modifiers = [f"{modifier.label} {modifier.value:+}" for modifier in resolved.modifiers]
    text = resolved.value or ", ".join(modifiers) or "no modifier"
    if set(resolved.chances) == {BLANK}:
        unknown = Paragraph("Its table is not typed in yet.", lead="Chances:")
        return (Paragraph(f"{text}.", lead=lead), unknown)
    # Results that are called the same are one line, with their chances added.
    chances: dict[str, Fraction] = {}
    for result, chance in resolved.chances.items():
        word = "not typed in"
        if result != BLANK:
            word = words(result)
        chances[word] = chances.get(word, Fraction(0)) + chance
    return chances_of(lead, f"{text}.", chances)


class BeforeRoll(NamedTuple):
    """What is shown before a roll: its ``subject``, its ``chances``, and what each result of the
    table is called."""

    subject: str
    chances: Resolved
    called: Callable[[str], str]


def roll_preview(
    state: Any,
    task: Callable[[Any, Mapping[str, Any]], Task],
    weigh: Callable[[Any, Task], BeforeRoll],
) -> Callable[[Mapping[str, Any]], Page]:
    """The function that makes the preview of a command that rolls: an empty page while an answer
    that the roll needs is missing; else why the order would be refused, or every modifier and the
    chances. ``task`` returns what the answers ask to be rolled for, in the state that has them;
    ``weigh`` returns the chances of that roll."""

    def page(answers: Mapping[str, Any]) -> Page:
        try:
            with_answers = state.with_answers(answers)
            roll = weigh(with_answers, task(with_answers, answers))
            return Page("", before_roll(roll.subject, roll.chances, roll.called))
        except KeyError:  # an answer that the task needs is missing
            return Page("")
        except Refused as refused:
            return Page("", (Paragraph(str(refused), tone="bad"),))

    return page


def chances_of(lead: str, text: str, chances: Mapping[str, Fraction]) -> tuple[Block, ...]:
    """Two paragraphs: the ``text`` about a roll, led by ``lead``, and the chance of every
    result."""
    odds = ", ".join(f"{result} {float(chance):.0%}" for result, chance in chances.items())
    return (Paragraph(text, lead=lead), Paragraph(odds, lead="Chances:"))
