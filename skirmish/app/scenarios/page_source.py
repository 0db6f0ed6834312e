"""What the pages of a scenario are made from, under the settings of the app."""

from __future__ import annotations

from collections.abc import Mapping

from skirmish import library
from skirmish.app.host import Host
from skirmish.games.plastic.scenarios.pages import PageSource
from skirmish.games.plastic.scenarios.scenario import Scenario, under_rulings


def source_of(app: Host, scenario: Scenario, owned: Mapping[str, int]) -> PageSource:
    """The scenario with the player's answers to rulings, distances and ``owned`` figures."""
    book = library.rulings()
    rulings = book.defaults() | book.preferred_answers(app.settings.rulings)
    catalog = library.catalog().with_variants(scenario.variants)
    return PageSource(under_rulings(scenario, rulings), catalog, book, rulings, app.measured, owned)
