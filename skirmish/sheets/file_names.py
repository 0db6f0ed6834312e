"""What a printed sheet is called, whoever prints it."""

from __future__ import annotations

from skirmish.games.plastic.army_file import slug
from skirmish.games.plastic.rules.army import ArmyList
from skirmish.games.plastic.scenarios.scenario import Scenario

SCENARIOS = "scenarios.pdf"
"""All scenarios in one file."""


def roster_name(listed: ArmyList) -> str:
    """``roster-kampfgruppe-ziegler.pdf``."""
    return f"roster-{slug(listed.name)}.pdf"


def scenario_name(scenario: Scenario) -> str:
    """``scenario-01-overmatched.pdf``: a folder sorts them as they are numbered."""
    return f"scenario-{scenario.number:02}-{slug(scenario.title)}.pdf"


def battle_sheet_name(what: str, title: str) -> str:
    """``report-dog-beach.pdf``: ``what`` it tells of a battle with that title."""
    return f"{what}-{slug(title)}.pdf"
