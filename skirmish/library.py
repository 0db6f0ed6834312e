"""The data of the games, read once and typed. Games that are not played are not loaded."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from skirmish import resources
from skirmish.games.plastic.rules.army import Army, read_army
from skirmish.games.plastic.rules.catalog import FILES, Catalog, read_catalog
from skirmish.games.plastic.rules.rulings import PlasticRulingBook, read_rulings
from skirmish.games.plastic.scenarios.reading import read_scenarios
from skirmish.games.plastic.scenarios.scenario import Scenario

if TYPE_CHECKING:
    from skirmish.games.beach_head.ruleset import Ruleset
    from skirmish.games.beach_head.simulate.statistics import Playtest
    from skirmish.games.plastic.game import PlasticGame
    from skirmish.games.plastic.reference import Reference
    from skirmish.tabletop.presets import PresetBook


@cache
def catalog() -> Catalog:
    files = {name: resources.table(f"plastic/{name}.toml") for name in FILES}
    return read_catalog(files, rulings())


def game(tables: Mapping[str, Any], revision: str) -> PlasticGame:
    from skirmish.games.plastic.game import PlasticGame

    del tables
    return PlasticGame(catalog(), rulings(), scenarios, small_army, revision)


def small_army() -> Army:
    """The template of both sides of the first evening."""
    return next(army for army in templates() if army.listed.name == "The Short Evening")


@cache
def rulings() -> PlasticRulingBook:
    return read_rulings(resources.table("plastic/rulings.toml"))


@cache
def templates() -> list[Army]:
    """Legal armies to start from: those without a nation first, then by nation, cheapest first."""
    known, book = catalog(), rulings()
    nations = [None, *known.nations]
    armies = [
        read_army(table, known, book, file) for file, table in resources.tables("plastic/armies")
    ]
    return sorted(armies, key=lambda a: (nations.index(a.listed.nation), a.budget, a.listed.name))


@cache
def scenarios() -> dict[int, Scenario]:
    return read_scenarios(resources.tables("plastic/scenarios"), catalog(), rulings())


@cache
def reference() -> Reference:
    from skirmish.games.plastic.reference import read_reference

    file = "plastic/texts/reference.toml"
    return read_reference(resources.table(file), catalog(), rulings(), file)


@cache
def beach_ruleset() -> Ruleset:
    from skirmish.games.beach_head.ruleset import read_ruleset

    return read_ruleset(resources.table("beach_head/game.toml"))


@cache
def beach_rulings() -> PresetBook:
    from skirmish.tabletop.presets import read_presets

    return read_presets(resources.table("beach_head/rulings.toml"), "beach_head/rulings.toml")


@cache
def beach_playtest() -> Playtest:
    from skirmish.games.beach_head.simulate.statistics import read_playtest

    return read_playtest(resources.table("beach_head/playtest.toml"))
