"""Dealt battles for tests: one of each theme for a seed, and some over the whole range."""

from __future__ import annotations

import math
from collections import Counter
from random import Random

from skirmish import library
from skirmish.games.plastic.dealing.codes import FIGURES, CodedDeal
from skirmish.games.plastic.dealing.deal import Dealt, as_scenario, deal
from skirmish.games.plastic.dealing.proposals import DealRequest, proposals
from skirmish.games.plastic.dealing.terrain import TERRAIN
from skirmish.games.plastic.scenarios.happenings import DrawTable
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.scenarios.scenario_file import read_scenario
from skirmish.tabletop import plane

THEMES = list(library.dealing().themes)
NEEDED = {
    "crossing": {"bridge": 1, "river": 16},
    "village": {"house": 3},
    "beach": {"house": 3},
    "strongpoint": {"hill": 1},
}
NUMBER = 101


def coded(theme: str, seed: int) -> CodedDeal:
    """What is wished for in a battle of a theme, by the seed: any table, any points, half of them
    with a small and odd stock of figures, and of terrain."""
    chance = Random(f"{theme} {seed}")
    figures = terrain = None
    if chance.random() < 0.5:
        figures = {piece: chance.choice([0, 0, 1, 2, 3, 5, 9]) for piece in FIGURES}
        figures["rifle"] = chance.choice([5, 20, 60, 130])
        if theme == "beach":
            # Without craft nobody lands, which is refused.
            figures["landing_craft"] = chance.choice([3, 4, 8])
        if theme == "convoy":
            figures["truck"] = max(figures["truck"], 2)
    if chance.random() < 0.5:
        terrain = {kind: chance.choice([0, 1, 2, 4, 8, 20]) for kind in TERRAIN}
        # Without these a theme is refused, which has a test of its own.
        terrain |= {kind: max(terrain[kind], n) for kind, n in NEEDED.get(theme, {}).items()}
    asked = DealRequest(
        theme=theme,
        width=chance.randint(4, 12),
        depth=chance.randint(4, 6),
        points=chance.randint(50, 1000),
        length=chance.choice(["short", "evening", "long"]),
        figures=figures,
        terrain=terrain,
    )
    (chosen,) = proposals(asked, seed, library.dealing(), 1)
    return chosen


def usual(theme: str, seed: int = 1) -> Dealt:
    """A battle on a table of 8 by 5 feet with 150 points."""
    (chosen,) = proposals(DealRequest(theme=theme), seed, library.dealing(), 1)
    return deal(chosen.wishes, chosen.seed, library.dealing())


def read(dealt: Dealt, code: str = "") -> Scenario:
    """The scenario of a dealt battle. Raises DataError with its mistakes."""
    raw = as_scenario(dealt, NUMBER, "own_dealt", code)
    return read_scenario(
        raw,
        library.catalog(),
        library.rulings(),
        file=f"{NUMBER}_own_dealt.toml",
        own_from=NUMBER,
    )


def needed(scenario: Scenario) -> Counter[str]:
    """The figures of a battle, with the most that draws can bring."""
    figures = Counter(scenario.figures())
    for happening in scenario.happenings:
        if isinstance(happening, DrawTable):
            assert scenario.ends_after is not None
            draws = scenario.ends_after.turn - happening.from_turn + 1
            most = max(sum((row.units or {}).values()) for row in happening.rows)
            figures["rifle"] += draws * most
    return figures


def laid(scenario: Scenario) -> Counter[str]:
    """What lies on the map: pieces, and inches of what is measured by the foot."""
    field = scenario.map
    assert field is not None
    used: Counter[str] = Counter(house=len(field.buildings))
    used["hill"] = sum(slope.ring for slope in field.slopes)
    used["woods"] = sum(area.kind in ("woods", "orchard", "rough") for area in field.areas)
    # Two or three strips side by side are one field.
    used["field"] = math.ceil(sum(area.kind == "field" for area in field.areas) / 3)
    for line in field.lines:
        if line.kind == "bridge":
            used["bridge"] += 1
        elif line.kind in ("road", "river", "hedge", "wall"):
            used[line.kind] += int(plane.length(line.points))
    return used
