"""The printable documents of WWII Plastic Skirmish."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from skirmish import resources
from skirmish.games.plastic.army_file import slug
from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.registry import BATTLE
from skirmish.sheets.documents import Printable, StoredGame
from skirmish.tabletop.number_words import number_word

GAME = BATTLE.name
AUTHOR = "Brett Drake"
"""The author of the rules, and of the scenarios that belong to them."""
SCENARIO_COUNT = number_word(resources.count("plastic/scenarios"))
"""How many scenarios belong to the rules, in words."""


def scenario_file(scenarios: Sequence[Scenario]) -> str:
    """``scenario-01-overmatched.pdf``, named after the first scenario. With two digits, files sort
    by number."""
    scenario = scenarios[0]
    return f"scenario-{scenario.number:02}-{slug(scenario.title)}.pdf"


def roster_file(army: Army) -> str:
    """``roster-my-army.pdf``."""
    return f"roster-{slug(army.army_list.name)}.pdf"


def _battle_file(document: str) -> Callable[[StoredGame], str]:
    """A function that names the file of a battle's document: ``report-overmatched.pdf``."""

    def file_name(battle: StoredGame) -> str:
        return f"{document}-{slug(battle.play.state.setup.title)}.pdf"

    return file_name


def _always(name: str) -> Callable[[Any], str]:
    """A function that gives the same file name whatever is printed."""

    def file_name(subject: Any) -> str:
        return name

    return file_name


def documents() -> tuple[Printable, ...]:
    """All documents; those that need no battle come first."""
    return DOCUMENTS


# Each with its id, its title in menus, its name in messages, what it is made from (``Subject``),
# the name of its file, and the function that makes it. ``boxed``: it has boxes that can be ticked
# in a PDF viewer.
DOCUMENTS = (
    Printable("scenario", "A scenario sheet", "Scenario sheet", "scenario", scenario_file,
              "scenario.sheet:scenarios_pdf", boxed=True),
    Printable("all", f"All {SCENARIO_COUNT} scenario sheets, in one file", "Scenario sheets",
              "nothing", _always("scenarios.pdf"), "scenario.sheet:scenarios_pdf", boxed=True),
    Printable("mine", "All scenarios of your own, in one file", "Scenario sheets", "own",
              _always("own-scenarios.pdf"), "scenario.book:book_pdf", boxed=True),
    Printable("roster", "An army roster", "Roster", "army", roster_file,
              "roster.army:roster_pdf", boxed=True),
    Printable("blank", "A blank roster to fill in by hand", "Blank roster", "nothing",
              _always("blank-roster.pdf"), "roster.blank:blank_pdf", boxed=True),
    Printable("reference", "The quick reference, both sides of one sheet", "Quick reference",
              "nothing", _always("quick-reference.pdf"), "reference:reference_pdf"),
    Printable("odds", "The odds table: every weapon against every target", "Odds table", "odds",
              _always("odds-table.pdf"), "odds:odds_table_pdf"),
    Printable("markers", "Markers and templates at true scale", "Markers", "tags",
              _always("markers.pdf"), "markers:markers_pdf"),
    Printable("labels", "Tags and markers on sheets of labels", "Labels", "labels",
              _always("labels.pdf"), "labels:labels_pdf"),
    Printable("standing", "The rosters as they stand, with losses struck out", "Rosters",
              "game", _battle_file("rosters"), "roster.battle:standing_rosters_pdf"),
    Printable("position", "The position, to finish the battle on paper", "Position", "game",
              _battle_file("position"), "position.sheet:position_pdf", boxed=True),
    Printable("report", "The battle report", "Report", "game", _battle_file("report"),
              "report:report_pdf"),
)  # fmt: skip
DOCUMENT_BY_ID = {document.id: document for document in DOCUMENTS}
"""The documents by their ids."""
