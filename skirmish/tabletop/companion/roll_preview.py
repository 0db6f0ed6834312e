"""What a player sees before a roll: every modifier, and the chance of every result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple, TypeVar

from skirmish.tabletop.commands import Answers
from skirmish.tabletop.companion.result_table import BLANK, Resolved
from skirmish.tabletop.companion.table_state import Task
from skirmish.tabletop.companion.typed_lines import LinedState
from skirmish.tabletop.page import Block, Page, Paragraph
from skirmish.tabletop.refusal import Refused

StateT = TypeVar("StateT", bound=LinedState)


class BeforeRoll(NamedTuple):
    """What is shown before a roll: its ``subject``, what is ``resolved`` without the roll, and
    what each result of the table is ``called``."""

    subject: str
    resolved: Resolved
    called: Callable[[str], str]

    def blocks(self) -> tuple[Block, ...]:
        """What determines the column or else the modifiers of the roll, and the chance of every
        result."""
        text = f"{_column_or_modifiers(self.resolved)}."
        nothing_is_typed_in = set(self.resolved.chances) == {BLANK}
        if nothing_is_typed_in:
            unknown = Paragraph("Its table is not typed in yet.", lead="Chances:")
            return (Paragraph(text, lead=self.subject), unknown)
        # Results that are called the same are one entry, with their chances added.
        chances: dict[str, Fraction] = {}
        for result, chance in self.resolved.chances.items():
            name = "not typed in"
            if result != BLANK:
                name = self.called(result)
            chances[name] = chances.get(name, Fraction(0)) + chance
        return chances_of(self.subject, text, chances)


def _column_or_modifiers(resolved: Resolved) -> str:
    """What determines the column of a roll, or else its modifiers."""
    if resolved.value:
        return resolved.value
    if not resolved.modifiers:
        return "no modifier"
    return ", ".join(f"{modifier.label} {modifier.value:+}" for modifier in resolved.modifiers)


def roll_preview(
    state: StateT,
    task: Callable[[StateT, Answers], Task],
    before_roll: Callable[[StateT, Task], BeforeRoll],
) -> Callable[[Answers], Page]:
    """The function that makes the preview of a command that rolls: an empty page while an answer
    that the roll needs is missing; else why the order would be refused, or the ``BeforeRoll``.
    ``task`` returns what the answers ask to be rolled for, in the state that has their lines, and
    raises KeyError for a missing answer; ``before_roll`` returns what is shown before that roll."""

    def page(answers: Answers) -> Page:
        try:
            state_with_lines = state.with_answers(answers)
            shown = before_roll(state_with_lines, task(state_with_lines, answers))
            return Page("", shown.blocks())
        except KeyError:
            return Page("")
        except Refused as refused:
            return Page("", (Paragraph(str(refused), tone="bad"),))

    return page


def chances_of(lead: str, text: str, chances: Mapping[str, Fraction]) -> tuple[Block, ...]:
    """Two paragraphs: the ``text`` about a roll, led by ``lead``, and the chance of every
    result."""
    odds = ", ".join(f"{result} {float(chance):.0%}" for result, chance in chances.items())
    return (Paragraph(text, lead=lead), Paragraph(odds, lead="Chances:"))
