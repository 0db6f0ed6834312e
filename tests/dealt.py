"""Dealt battles for tests: one of each theme for a seed, and some over the whole range."""

from __future__ import annotations

from random import Random

from skirmish import library
from skirmish.games.plastic.dealing.codes import FIGURES, Coded
from skirmish.games.plastic.dealing.deal import Dealt, as_scenario, deal
from skirmish.games.plastic.dealing.proposals import DealRequest, proposals
from skirmish.games.plastic.dealing.terrain import TERRAIN
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.scenarios.scenario_file import read_scenario

THEMES = list(library.dealing().themes)
NEEDED = {
    "crossing": {"bridge": 1, "river": 16},
    "village": {"house": 3},
    "beach": {"house": 3},
    "strongpoint": {"hill": 1},
}
NUMBER = 101


def coded(theme: str, seed: int) -> Coded:
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
