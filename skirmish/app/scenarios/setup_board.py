"""The map and the forces of a scenario beside its set-up, on a screen with room for them: as they
are with the options chosen so far. It is imported when it is first shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from textual.content import Content

from skirmish.app.host import Host
from skirmish.app.page_view import DIM, painted
from skirmish.app.scenarios.map_picture import FRAME, board_map, inks_of, rows_of_map
from skirmish.games.plastic.battle.events import Opened
from skirmish.games.plastic.battle.setup import Contingent, Setup
from skirmish.games.plastic.scenarios import pages
from skirmish.games.plastic.scenarios.order_of_battle import ScenarioSide
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.tabletop.game import Game
from skirmish.tabletop.page import Page, Paragraph
from skirmish.tabletop.refusal import Refused
from skirmish.tabletop.typed import plain

NO_SEED = 0
"""Nothing is drawn of a battle that is only looked at."""


def battle_of(game: Game[Any, Any, Any], answers: Mapping[str, Any]) -> Setup | None:
    """The battle that the answers of the form come to; None while they contradict one another."""
    try:
        events = game.open(answers, lambda: NO_SEED)
    except Refused:
        return None
    for event in events:
        if isinstance(event, Opened):
            return event.setup
    return None


def setup_board(app: Host, setup: Setup, room: tuple[int, int]) -> Content:
    """The map above the forces of a battle of a scenario, in so many columns; the map takes no more
    than half of the rows."""
    columns, rows = room
    scenario = setup.scenario
    assert scenario is not None, "a battle of two armies has no board"
    parts: list[Content] = []
    if scenario.map is not None:
        map_rows = min(rows_of_map(scenario.table, columns - FRAME) + FRAME, rows // 2)
        parts += [board_map(scenario, (columns, map_rows), inks_of(app)), Content("")]
    for side in scenario.sides:
        parts += [_side_line(setup, scenario, side), _contingents(setup, scenario, side, columns)]
    return Content("\n").join(parts)


def _side_line(setup: Setup, scenario: Scenario, side: ScenarioSide) -> Content:
    """The name of a side in its colour, its role, and the quality that was chosen for it."""
    its_side, signs = setup.side_by_id[side.id], setup.signs[side.id]
    about = [pages.role(side, scenario)]
    if its_side.quality is not None:
        about.append(setup.catalog.qualities[its_side.quality].name.lower())
    name = f"{signs.sign} {plain(its_side.people).upper()}"
    aside = " · ".join(filter(None, about))
    return Content.assemble((name, f"bold $side-{signs.name}"), (f"  {aside}", DIM))


def _contingents(setup: Setup, scenario: Scenario, side: ScenarioSide, columns: int) -> Content:
    """A paragraph for each contingent of a side, and an empty row."""
    blocks = []
    for contingent in setup.contingents:
        if contingent.side == side.id:
            words = _pieces(setup, scenario, contingent)
            if words:
                blocks.append(Paragraph(words, lead=f"{contingent.name}:"))
    return painted(Page("", tuple(blocks)), columns) + Content("\n")


def _pieces(setup: Setup, scenario: Scenario, contingent: Contingent) -> str:
    """``12 Rifle Guys, 1 Tank, 4 Entrenchments; 6 of them hidden``; empty if there are none."""
    units: Counter[str] = Counter()
    hidden = 0
    for piece in setup.pieces:
        if piece.side == contingent.side and piece.contingent == contingent.id:
            units[piece.unit] += 1
            hidden += piece.id in setup.hidden
    counts = dict(units)
    for listed in scenario.side(contingent.side).contingents:
        if listed.id == contingent.id:
            counts.update(listed.works)
    pieces = setup.catalog.pieces
    words = ", ".join(pieces[id].named(count) for id, count in counts.items())
    if hidden:
        words += f"; {hidden} of them hidden"
    return words
