"""The answers to gaps in the rules that new armies and battles start with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

from msgspec.structs import replace
from textual.binding import BindingType
from textual.content import Content

from skirmish import library
from skirmish.app.binding import keys
from skirmish.app.page_view import painted
from skirmish.app.settings.choice_lines import ChoiceLines, changed_words, option_rows
from skirmish.games.plastic.rules.rulings import TOPICS
from skirmish.store.settings import Settings
from skirmish.tabletop.page import Heading, Page, Paragraph, mapped
from skirmish.tabletop.slots import AnswerRow, Choose, form_choice


class RulingsList(ChoiceLines):
    """Each gap in the rules with its answer; below the list, the question and all answers to the
    selected one. It opens at the ruling ``ruling_id``; if that is empty, at the first."""

    LABEL_WIDTH = 35  # the longest name: two spaces, its id and "Optional rules in scenarios"
    LIST_ID: ClassVar[str] = "rulings-list"
    TOPIC: ClassVar[str] = "rulings"
    HELP = (
        "Each line is a gap in the rules, with the answer that new armies and battles start with. "
        "Enter or the right arrow takes the next answer where there are several. Existing armies "
        "and battles keep theirs, and each battle can still choose its own during set-up."
    )
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "rulings",
        ("next", "right", "turn(1)", "Next answer", "Take the next answer"),
        ("last", "left", "turn(-1)", "", "Take the previous answer"),
        ("usual", "d", "reset", "Reset", "Reset this ruling to its default answer"),
        ("all_usual", "D", "reset_all", "Reset all", "Reset every ruling to its default answer"),
        ("back", "escape,q", "app.pop_screen", "Back", "Back; changes are saved"),
    )

    def __init__(self, ruling_id: str = "") -> None:
        super().__init__()
        self._id_at_first = ruling_id

    async def on_mount(self) -> None:
        self.paint(self._id_at_first)

    @cached_property
    def topics(self) -> Mapping[str, Sequence[Choose]]:
        topics: dict[str, list[Choose]] = {title.upper(): [] for title in TOPICS.values()}
        for ruling in library.rulings().rulings.values():
            rows = [AnswerRow(id, sentence) for id, sentence in ruling.answers.items()]
            label = f"{ruling.id:<4}{ruling.title}"
            line = form_choice(ruling.id, ruling.question, rows, label)
            heading = TOPICS[ruling.topic].upper()
            topics[heading].append(replace(line, default=ruling.default))
        return topics

    @property
    def values(self) -> Mapping[str, Any]:
        book = library.rulings()
        return book.defaults() | book.preferred_answers(self.skirmish.settings.rulings)

    def settings_with(self, values: Mapping[str, Any]) -> Settings:
        # Only answers that differ from the default are stored, so that a better default of a later
        # version reaches everybody else.
        changed = {**self.skirmish.settings.rulings, **values}
        for ruling_id, answer in values.items():
            if answer == self.lines[ruling_id].default:
                del changed[ruling_id]
        return replace(self.skirmish.settings, rulings=changed)

    @property
    def paragraph(self) -> str:
        """The id of the chosen ruling, by which the rules find their paragraph about it."""
        return self.chosen

    @property
    def heading(self) -> str:
        words = changed_words(self.skirmish.settings.rulings)
        return f"RULINGS   ← → change an answer   {words}"

    def meaning(self, id: str) -> Content:
        line, answer = self.lines[id], self.values[id]
        rows = [Content.styled(self.skirmish.measured(line.text), "bold")]
        rows += option_rows(line, answer, self.skirmish.measured)
        return Content("\n").join(rows)

    def details(self, id: str) -> Content:
        """The question, its answers, and the paragraph of the rules that leaves the gap."""
        parts = [self.meaning(id)]
        rule = library.reference().on_ruling(id)
        if rule is not None:
            sentences = [Paragraph(sentence) for sentence in rule.text]
            page = Page("", (Heading(rule.title), *sentences))
            parts.append(painted(mapped(page, self.skirmish.measured), self.details_width))
        return Content("\n\n").join(parts)
