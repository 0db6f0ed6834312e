"""The numbers of the games, opened once and typed: what every floor above the rules asks for."""

from __future__ import annotations

from functools import cache

from skirmish import shelf
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.rules.catalog_checks import read_catalog
from skirmish.games.plastic.rules.rulings import RulingBook, read_rulings
from skirmish.games.plastic.scenarios.reading import read_scenarios
from skirmish.games.plastic.scenarios.scenario import Scenario


@cache
def catalog() -> Catalog:
    """Units, weapons, nations, qualities and limits of WWII Plastic Skirmish."""
    return read_catalog(
        shelf.table("plastic/units.toml"),
        shelf.table("plastic/nations.toml"),
        shelf.table("plastic/qualities.toml"),
        shelf.table("plastic/limits.toml"),
        rulings(),
    )


@cache
def rulings() -> RulingBook:
    """The gaps of its rules, with their answers."""
    return read_rulings(shelf.table("plastic/rulings.toml"))


@cache
def scenarios() -> dict[int, Scenario]:
    """The ten historical scenarios by number."""
    return read_scenarios(shelf.scenario_tables(), catalog(), rulings())
