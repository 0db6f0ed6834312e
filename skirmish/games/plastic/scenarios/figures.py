"""What the host of a scenario has to put on the table."""

from __future__ import annotations

from skirmish.games.plastic.rules.figures import as_moulded, together
from skirmish.games.plastic.scenarios.scenario import Scenario


def needed(scenario: Scenario) -> dict[str, int]:
    """Every figure, model and work of both sides, enough for whatever they choose among."""
    both = together(
        table
        for side in scenario.sides
        for contingent in side.contingents
        for table in (contingent.most(), contingent.works)
    )
    return as_moulded(both, scenario.variants)
