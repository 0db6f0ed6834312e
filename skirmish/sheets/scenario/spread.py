"""A scenario in the book: two pages that are seen at once."""

from __future__ import annotations

from typing import NamedTuple

from skirmish.sheets.layout.flow import Block, NewPage, Spring, depth
from skirmish.sheets.scenario.book_edition import BookEdition
from skirmish.sheets.scenario.left_page import LeftPage
from skirmish.sheets.scenario.right_page import RightPage


class LeadNote(NamedTuple):
    """A note at the end of the book; ``lead``: its first words, which are in bold."""

    lead: str
    text: str


class ScenarioSpread:
    """The two pages of a scenario; ``index``: its place among the scenarios of the book."""

    def __init__(self, edition: BookEdition, index: int) -> None:
        self.content = edition.contents[index]
        self.width = edition.page.measure
        sheet_map = edition.maps[index]
        self.left = LeftPage(edition, self.content, sheet_map)
        self.right = RightPage(edition.page, self.content, sheet_map)

    def story(self) -> Block:
        """The left page, then the right one with the turn track at its foot."""
        right = self.right.layout
        story = [*self.left.story(), NewPage(), *right.story]
        if self.right.fits(right):
            # Pushes the turn track down to the foot of the page. Where the page continues overleaf,
            # the track stands right behind the rest.
            story.append(Spring(room_below=depth(right.foot, self.width)))
        return [*story, *right.foot]

    def notes_at_end(self) -> list[LeadNote]:
        """What stands at the end of the book on this scenario: its history, unless that is on the
        right page, and its sources."""
        scenario = self.content.scenario
        notes = []
        if not self.right.layout.has_history:
            notes.append(LeadNote("What happened:", scenario.history))
        notes.append(LeadNote("Sources:", f"{'; '.join(scenario.sources)}."))
        return notes
