"""The end of a book of scenarios: the notes, which are history and sources, and the rulings."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from skirmish.games.plastic.rules.catalog import listed
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.columns import in_reading_order, two_columns
from skirmish.sheets.layout.flow import Block, Flowable, Gap, Unbroken, depth
from skirmish.sheets.layout.fonts import BODY
from skirmish.sheets.layout.pages import SheetPart
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.text import paragraph
from skirmish.sheets.scenario.book_edition import BookEdition, head_band
from skirmish.sheets.scenario.content import GUTTER, headed
from skirmish.sheets.scenario.spread import ScenarioSpread
from skirmish.tabletop.measure import NO_BREAK


class _EndType(NamedTuple):
    """The type of the notes at the end of the book and of the rulings after them."""

    notes: Style
    rulings: Style


_END_TYPES = (
    _EndType(Style(BODY, 11, 14.4), Style(BODY, 9.6, 12)),
    _EndType(Style(BODY, 10.4, 13.4), styles.TEXT),
    _EndType(Style(BODY, 9.6, 12.2), styles.QUESTION),
    _EndType(styles.TEXT, styles.SMALL),
    _EndType(styles.SMALL, styles.NOTE),
)
"""From the largest to the smallest, which is taken even if not everything fits on one page in
it."""
NOTES, RULINGS = "Notes and sources", "Rulings"
"""The titles of the parts at the end."""
NOTES_AND_RULINGS = "Notes, sources and rulings"
"""The title of a page with both."""


class BookEnd:
    """The notes on all ``spreads`` of a book, and its rulings."""

    def __init__(self, edition: BookEdition, spreads: Sequence[ScenarioSpread]) -> None:
        self.edition, self.spreads = edition, spreads

    def parts(self) -> list[SheetPart]:
        """Notes and rulings on one page, in the largest type in which they fit; else each as a part
        of its own, in the smallest."""
        for end_type in _END_TYPES:
            name = NOTES
            story = self._notes(end_type.notes)
            if self.scenarios_by_ruling:
                name = NOTES_AND_RULINGS
                story += [Gap(12), *self._rulings_in(end_type.rulings)]
            if depth(story, self.edition.page.measure) <= self.edition.page.depth:
                return [self.edition.part(story, name)]
        smallest = _END_TYPES[-1]
        parts = [self.edition.part(self._notes(smallest.notes), NOTES)]
        if self.scenarios_by_ruling:
            parts.append(self.edition.part(self._rulings_in(smallest.rulings), RULINGS))
        return parts

    def _notes(self, style: Style) -> Block:
        """The notes at the end, in two columns: the sources of each scenario, and its history
        if its spread has no room for it."""
        blocks: list[Block] = []
        for spread in self.spreads:
            lines: list[Flowable] = []
            for note in spread.notes_at_end():
                lines.append(paragraph(note.text, style, lead=note.lead))
            scenario = spread.content.scenario
            head = f"{scenario.number} {scenario.title}"
            blocks.append([Unbroken(headed(head, lines))])
        return [head_band(NOTES), Gap(10), _in_columns(self.edition.page.measure, blocks, gap=7)]

    @cached_property
    def scenarios_by_ruling(self) -> dict[str, list[Scenario]]:
        """The ids of the rulings that are answered by default, in the order of all rulings, each
        with the scenarios that need it. The other rulings stand on the pages of the scenarios."""
        needed_by: dict[str, list[Scenario]] = {}
        for content in self.edition.contents:
            departures = content.ruling_book.departures(content.answers)
            not_default = {ruling.id for ruling, _ in departures}
            for ruling_id in content.scenario.rulings:
                if ruling_id not in not_default:
                    needed_by.setdefault(ruling_id, []).append(content.scenario)
        in_order = {}
        for ruling_id in self.edition.rulings.rulings:
            if ruling_id in needed_by:
                in_order[ruling_id] = needed_by[ruling_id]
        return in_order

    def _rulings_in(self, style: Style) -> Block:
        """The rulings at the end, in two columns: each with its question, its answer, and which
        scenarios need it."""
        blocks: list[Block] = []
        for ruling_id, scenarios in self.scenarios_by_ruling.items():
            ruling = self.edition.rulings.rulings[ruling_id]
            text = f"{ruling.question} {ruling.answers[ruling.default]}"
            lead = f"{ruling_id}{NO_BREAK}{ruling.title}."
            aside = self._where_needed(scenarios)
            blocks.append([paragraph(text, style, lead=lead, aside=aside)])
        band = head_band(RULINGS, self.edition.texts["rulings_aside"])
        return [band, Gap(10), _in_columns(self.edition.page.measure, blocks, gap=2)]

    def _where_needed(self, scenarios: Sequence[Scenario]) -> str:
        """Which scenarios need a ruling."""
        if len(scenarios) == len(self.edition.contents):
            return "All scenarios."
        numbers = [str(scenario.number) for scenario in scenarios]
        if len(numbers) == 1:
            return f"Scenario{NO_BREAK}{numbers[0]}."
        return f"Scenarios {listed(numbers)}."


def _in_columns(width: float, blocks: Sequence[Block], gap: float) -> Flowable:
    """Blocks in two columns across ``width``, the left one to be read first."""
    half = (width - GUTTER) / 2
    columns = in_reading_order(blocks, half, gap=gap)
    return two_columns(*columns, width, gutter=GUTTER)
