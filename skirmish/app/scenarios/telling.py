"""What the pages of a scenario are told from, and the stones that they are built of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from textual.content import Content

from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.rules.rulings import RulingBook
from skirmish.games.plastic.scenarios.happening_kinds import AskAtSetup
from skirmish.games.plastic.scenarios.scenario import Scenario

HEAD, STRONG, QUIET = "bold $primary", "bold", "$foreground 65%"


class Source(NamedTuple):
    """A scenario with what its pages are told from: its variants in the catalog, the rulings as
    the player likes them, how distances are told, and the figures in the player's box."""

    scenario: Scenario
    catalog: Catalog
    book: RulingBook
    rulings: Mapping[str, str]
    measured: Callable[[str], str]
    owned: Mapping[str, int]

    def people(self, side: str) -> str:
        """Germans."""
        return self.catalog.nations[side].people


def settled_later(scenario: Scenario, side: str) -> list[AskAtSetup]:
    """The questions before play whose answers put more units on its side."""
    return [
        ask
        for ask in scenario.questions()
        if ask.side == side and (ask.about == "units" or ask.unit)
    ]


def fact(label: str, says: str) -> Content:
    """A line with its label."""
    return Content.assemble((f"{label:<8}", QUIET), says)


def named(source: Source, head: str, told: list[tuple[str, str]]) -> Iterator[Content]:
    """Paragraphs with a lead each, under a head; nothing at all where there are none."""
    if told:
        yield from section(head, [])
        yield from paragraphs(source, told)


def paragraphs(source: Source, told: list[tuple[str, str]]) -> Iterator[Content]:
    """Paragraphs with a lead each."""
    for lead, text in told:
        yield Content.assemble((source.measured(f"{lead}. "), STRONG), source.measured(text))


def section(head: str, texts: list[str]) -> Iterator[Content]:
    """A head, apart from what stands above, and texts below it."""
    yield Content("")
    yield Content.styled(head, HEAD)
    for text in texts:
        yield Content(text)


def footnotes(source: Source, told: Content) -> list[Content]:
    """The footnotes that the page leads to, apart from it."""
    notes = list(_notes(source, told))
    return [Content(""), *notes] if notes else []


def _notes(source: Source, told: Content) -> Iterator[Content]:
    for note in source.scenario.footnotes:
        if note.mark in told.plain:
            says = source.measured(f"{note.mark} {note.text}")
            yield Content.styled(says, QUIET)
