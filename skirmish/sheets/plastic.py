"""What can be printed of WWII Plastic Skirmish."""

# ruff: noqa: PLC0415  (the PDF library loads with the first sheet)

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from skirmish import library, resources
from skirmish.games.plastic.army_file import slug
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.odds.table import OddsTable
from skirmish.games.plastic.report import MAP, printed_pages
from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.sheets.documents import Printable, StoredGame
from skirmish.sheets.paper import InkUse, Paper


def scenario_file(scenarios: Sequence[Scenario]) -> str:
    """``scenario-01-overmatched.pdf``: a folder sorts them as they are numbered."""
    one = scenarios[0]
    return f"scenario-{one.number:02}-{slug(one.title)}.pdf"


def roster_file(army: Army) -> str:
    return f"roster-{slug(army.listed.name)}.pdf"


def documents() -> tuple[Printable, ...]:
    """Those of no game first."""
    return DOCUMENTS


def _scenarios(
    scenarios: Sequence[Scenario],
    *,
    catalog: Catalog | None = None,
    revision: str | None = None,
    **how: Any,
) -> bytes:
    from skirmish.sheets.scenario.sheet import scenarios_pdf

    catalog = catalog or library.catalog()
    return scenarios_pdf(scenarios, catalog, library.rulings(), revision=_revision(revision), **how)


def _every_scenario(_: None, **how: Any) -> bytes:
    return _scenarios(list(library.scenarios().values()), **how)


def _roster(army: Army, *, revision: str | None = None, **how: Any) -> bytes:
    from skirmish.sheets.roster.army import roster_pdf

    return roster_pdf(army, revision=_revision(revision), **how)


def _blank(_: None, **how: Any) -> bytes:
    from skirmish.sheets.roster.blank import blank_pdf

    return blank_pdf(library.catalog(), library.rulings(), revision=resources.revision(), **how)


def _reference(_: None, **how: Any) -> bytes:
    from skirmish.sheets.reference import reference_pdf

    return reference_pdf(library.catalog(), library.rulings(), revision=resources.revision(), **how)


def _odds(tables: tuple[OddsTable, OddsTable], *, revision: str | None = None, **how: Any) -> bytes:
    from skirmish.sheets.odds import odds_table_pdf

    return odds_table_pdf(*tables, revision=_revision(revision), **how)


def _markers(army: Army | None, **how: Any) -> bytes:
    from skirmish.sheets.markers.page import markers_pdf

    return markers_pdf(library.catalog(), army=army, revision=resources.revision(), **how)


def _standing(battle: StoredGame, **how: Any) -> bytes:
    from skirmish.sheets.roster.battle import standing_rosters_pdf

    return standing_rosters_pdf(battle.play.state, **how)


def _position(battle: StoredGame, **how: Any) -> bytes:
    from skirmish.sheets.position import position_pdf

    return position_pdf(battle.play, **how)


def _report(battle: StoredGame, **how: Any) -> bytes:
    from skirmish.store.moments import day

    return report_pdf(battle.play, day(battle.started), **how)


def report_pdf(
    play: BattlePlay, date: str, *, paper: Paper = "a4", use: InkUse = "colour"
) -> bytes:
    """What a battle came to as a PDF of a page or two; ``date`` is when it was fought, in words.

    A battle that still goes on is reported as anybody may see it who only looks on. Raises
    ValueError for another paper than A4 or Letter.
    """
    from skirmish.sheets.maps.scenario_map import MapPiece
    from skirmish.sheets.page_sheet import page_pdf

    def drawn(tallest: float) -> MapPiece:
        scenario = play.state.setup.scenario
        assert scenario is not None
        return MapPiece(scenario, tallest=tallest)

    pages = printed_pages(play, date)
    return page_pdf(*pages, paper=paper, use=use, pictures={MAP: drawn}, notes=True)


def _revision(named: str | None) -> str:
    """The state of the numbers: as ``named``, else the library's."""
    return resources.revision() if named is None else named


def _titled(what: str) -> Any:
    return lambda battle: f"{what}-{slug(battle.play.state.setup.title)}.pdf"


def _always(name: str) -> Any:
    return lambda _: name


DOCUMENTS = (
    Printable("scenario", "A scenario sheet", "Scenario sheet", "scenario", scenario_file,
              _scenarios, boxed=True),
    Printable("all", "All ten scenario sheets, in one file", "Scenario sheets", "nothing",
              _always("scenarios.pdf"), _every_scenario, boxed=True),
    Printable("roster", "An army roster", "Roster", "army", roster_file, _roster, boxed=True),
    Printable("blank", "A blank roster to fill in by hand", "Blank roster", "nothing",
              _always("blank-roster.pdf"), _blank),
    Printable("reference", "The quick reference, both sides of one sheet", "Quick reference",
              "nothing", _always("quick-reference.pdf"), _reference),
    Printable("odds", "The odds table: every weapon against every target", "Odds table", "odds",
              _always("odds-table.pdf"), _odds),
    Printable("markers", "Markers and templates at true scale", "Markers", "tags",
              _always("markers.pdf"), _markers),
    Printable("standing", "The rosters as they stand, with losses struck out", "Rosters",
              "game", _titled("rosters"), _standing),
    Printable("position", "The position, to finish the battle on paper", "Position", "game",
              _titled("position"), _position),
    Printable("report", "The battle report", "Report", "game", _titled("report"), _report),
)  # fmt: skip
PLASTIC = {one.id: one for one in DOCUMENTS}
