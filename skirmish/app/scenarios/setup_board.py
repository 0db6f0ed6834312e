"""The map and the forces of a scenario beside its set-up, on a screen with room for them: as they
are with the options chosen so far. It is imported when it is first shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from textual.content import Content
from textual.geometry import Size

from skirmish.app.host import Host
from skirmish.app.page_view import painted
from skirmish.app.scenarios.map_picture import (
    FRAME,
    KEY_ROWS,
    board_drawing,
    board_map,
    in_rows,
    inks_of,
    rows_of_map,
)
from skirmish.app.text_styles import DIM
from skirmish.games.plastic.battle.events import Opened
from skirmish.games.plastic.battle.pieces import Contingent
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.scenarios import wording
from skirmish.games.plastic.scenarios.order_of_battle import ScenarioSide
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.tabletop.game import Game
from skirmish.tabletop.page import Heading, Page, Paragraph, mapped
from skirmish.tabletop.refusal import Refused
from skirmish.tabletop.typed import plain

NO_SEED = 0
"""A battle that is only looked at draws nothing."""


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


def setup_board(app: Host, setup: Setup, room: Size) -> Content:
    """The map above the forces of a battle of a scenario, in so many columns; the map takes no more
    than half of the rows."""
    columns, rows = room
    scenario = _scenario_of(setup)
    parts: list[Content] = []
    if scenario.map is not None:
        map_rows = min(rows_of_map(scenario.table, columns - FRAME) + FRAME, rows // 2)
        parts += [board_map(scenario, Size(columns, map_rows), inks_of(app)), Content("")]
    return Content("\n").join([*parts, _forces(setup, scenario, columns)])


class SetupHalves(NamedTuple):
    """On a large screen: what stands below the lines of a form, and what stands beside them."""

    below_lines: Content
    beside: Content


def setup_halves(app: Host, setup: Setup, room: Size) -> SetupHalves:
    """On a large screen the forces stand below the lines, and the map beside them, as large as it
    fits, above its key, the situation and the terms of victory."""
    columns, rows = room
    scenario = _scenario_of(setup)
    about = (
        Heading("Situation"),
        Paragraph(scenario.situation),
        Heading("Victory"),
        Paragraph(scenario.victory.text),
    )
    # All distances are in the player's unit.
    about_page = mapped(Page("", about), app.measured)
    parts = [painted(about_page, columns)]
    if scenario.map is not None:
        rows_left = rows - len(parts[0].split("\n"))
        drawing = board_drawing(
            scenario, scenario.map, Size(columns, rows_left - KEY_ROWS), inks_of(app)
        )
        key = Content("\n").join(in_rows(drawing.key(), columns))
        parts = [Content("\n").join(drawing.framed()), key, Content(""), *parts]
    return SetupHalves(_forces(setup, scenario, columns), Content("\n").join(parts))


def _scenario_of(setup: Setup) -> Scenario:
    assert setup.scenario is not None, "a battle of two armies has no board"
    return setup.scenario


def _forces(setup: Setup, scenario: Scenario, columns: int) -> Content:
    """The contingents of both sides, each under the name of its side."""
    parts = []
    for side in scenario.sides:
        parts += [_side_line(setup, scenario, side), _contingents(setup, scenario, side, columns)]
    return Content("\n").join(parts)


def _side_line(setup: Setup, scenario: Scenario, side: ScenarioSide) -> Content:
    """The name of a side in its colour, its role, and the quality that was chosen for it."""
    side_in_battle, signs = setup.side_by_id[side.id], setup.signs[side.id]
    about: list[str] = []
    role = wording.role_in_words(side, scenario)
    if role:
        about.append(role)
    if side_in_battle.quality is not None:
        about.append(setup.catalog.qualities[side_in_battle.quality].name.lower())
    name = f"{signs.sign} {plain(side_in_battle.people).upper()}"
    return Content.assemble((name, f"bold $side-{signs.name}"), (f"  {' · '.join(about)}", DIM))


def _contingents(setup: Setup, scenario: Scenario, side: ScenarioSide, columns: int) -> Content:
    """A paragraph for each contingent of a side, and an empty row."""
    blocks = []
    for contingent in setup.contingents:
        if contingent.side == side.id:
            words = _pieces_in_words(setup, scenario, contingent)
            if words:
                blocks.append(Paragraph(words, lead=f"{contingent.name}:"))
    return painted(Page("", tuple(blocks)), columns) + Content("\n")


def _pieces_in_words(setup: Setup, scenario: Scenario, contingent: Contingent) -> str:
    """``12 Rifle Guys, 1 Tank, 4 Entrenchments; 6 of them hidden``; empty if there are none."""
    units: Counter[str] = Counter()
    hidden = 0
    for piece in setup.pieces:
        if piece.side == contingent.side and piece.contingent == contingent.id:
            units[piece.unit] += 1
            if piece.id in setup.hidden:
                hidden += 1
    counts = dict(units)
    # Works are no pieces of the battle; only the scenario has them.
    for scenario_contingent in scenario.side(contingent.side).contingents:
        if scenario_contingent.id == contingent.id:
            counts.update(scenario_contingent.works)
    pieces = setup.catalog.pieces
    words = ", ".join(pieces[id].named(count) for id, count in counts.items())
    if hidden:
        words += f"; {hidden} of them hidden"
    return words
