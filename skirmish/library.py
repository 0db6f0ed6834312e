"""The data of the games, read once and typed. Games that are not played are not loaded.

What comes with the program is read once for each process (``@cache``); the player's own scenarios
and campaigns are read anew where their files have changed. All reading goes through
``resources.LOADING``, since screens read in several threads.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from skirmish import resources
from skirmish.games.plastic.army_file import from_body
from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.rules.army_reading import FirstEvening, read_army, read_first_evening
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.rules.catalog_files import FILES, read_catalog
from skirmish.games.plastic.rules.rulings import PlasticRulingBook, read_rulings
from skirmish.games.plastic.scenarios.own import as_printed
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.scenarios.scenario_file import ScenarioFiles, read_scenarios
from skirmish.resources import NamedTable
from skirmish.store.scenario_folder import FIRST_NUMBER, FileStamp, ScenarioFolder, folder_of
from skirmish.store.settings import read_settings, settings_file
from skirmish.tabletop.data_file import DataError

if TYPE_CHECKING:
    from skirmish.games.beach_head.game import BeachHeadGame
    from skirmish.games.plastic.campaign.campaign_file import CampaignFile
    from skirmish.games.plastic.campaign.game import CampaignGame
    from skirmish.games.plastic.campaign.set_up import CampaignBooks
    from skirmish.games.plastic.campaign.terms import ReturnTable
    from skirmish.games.plastic.commander.weights import CommanderWeights
    from skirmish.games.plastic.dealing.wishes import Books
    from skirmish.games.plastic.game import PlasticGame
    from skirmish.games.plastic.reference.lookup import Reference
    from skirmish.tabletop.presets import PresetBook


CAMPAIGNS = "campaigns"
"""The folder of the player's own campaigns, in that of his scenarios."""
OWN_CAMPAIGN = "mine/"
"""The beginning of the id under which a campaign of the player's own is listed, so that it replaces
no campaign of the program."""


@cache
def catalog() -> Catalog:
    """The units, weapons, nations and numbers of the flagship. Raises DataError."""
    with resources.LOADING:
        files = {name: resources.table(f"plastic/{name}.toml") for name in FILES}
        return read_catalog(files, rulings())


def game(tables: Mapping[str, Any], revision: str) -> PlasticGame:
    """The flagship, as the registry loads it. ``tables``: the files in its folder of data/, by
    their names without the ending."""
    from skirmish.games.plastic.game import PlasticGame
    from skirmish.games.plastic.setup_form.form import BattleForm

    del tables  # the functions of this module read the same files, once for all callers
    return PlasticGame(
        BattleForm(catalog(), rulings(), scenarios, first_evening, commander_weights, revision)
    )


def campaign(tables: Mapping[str, Any], revision: str) -> CampaignGame:
    """Campaigns, as the registry loads them. ``tables``: as for ``game``."""
    from skirmish.games.plastic.campaign.game import CampaignGame
    from skirmish.games.plastic.campaign.terms import read_return_tables
    from skirmish.tabletop.presets import read_presets

    del revision  # its battles have the flagship's numbers, so it names the flagship's revision
    terms = read_presets(tables["rulings"], "campaign/rulings.toml")
    returns = read_return_tables(tables["returns"], "campaign/returns.toml")
    return CampaignGame(lambda: _campaign_books(terms, returns))


def _campaign_books(terms: PresetBook, returns: Mapping[str, ReturnTable]) -> CampaignBooks:
    """What campaigns are opened with: their files and the scenarios are read when they are needed,
    since both may change meanwhile."""
    from skirmish.games.plastic.campaign.set_up import CampaignBooks

    files = campaign_files()
    return CampaignBooks(
        catalog=catalog(),
        rulings=rulings(),
        scenarios=scenarios(),
        revision=resources.revision(),
        files=files.campaigns,
        broken=files.broken,
        terms=terms,
        tables=returns,
        weights=commander_weights,
        templates={army.army_list.name: army for army in templates()},
    )


class CampaignFiles(NamedTuple):
    """The campaigns by id (those of the player's own begin with ``mine/``), and one error for each
    file that cannot be read."""

    campaigns: dict[str, CampaignFile]
    broken: tuple[DataError, ...]


@cache
def published_campaigns() -> dict[str, CampaignFile]:
    """The campaigns that come with the program, by id, those with a history first. Raises
    DataError."""
    from skirmish.games.plastic.campaign.campaign_reading import read_campaign

    # A historical campaign names the groups of its sides; in any other the players buy theirs.
    with_history: dict[str, CampaignFile] = {}
    without_history: dict[str, CampaignFile] = {}
    with resources.LOADING:
        for file, raw in resources.tables("plastic/campaigns"):
            content = read_campaign(raw, catalog(), rulings(), published_scenarios(), file)
            first_side = content.sides[0]
            if first_side.groups:
                with_history[content.id] = content
            else:
                without_history[content.id] = content
    return with_history | without_history


def campaign_files() -> CampaignFiles:
    """All campaigns: those of the program, then the player's own, as their files are now. A broken
    file stops nothing."""
    from skirmish.games.plastic.campaign.campaign_reading import read_campaign

    campaigns = dict(published_campaigns())
    broken: list[DataError] = []
    try:
        folder = ScenarioFolder(scenario_folder().path / CAMPAIGNS)
        stamps = folder.stamps()
    except DataError as error:
        return CampaignFiles(campaigns, (error,))
    for stamp in stamps:
        file_path = folder.path_of(stamp.name).as_posix()
        try:
            # Unlike a scenario's, these texts need no ``as_printed``: no workshop wrote the file.
            raw = resources.parse(folder.text(stamp.name), file_path)
            with resources.LOADING:
                content = read_campaign(raw, catalog(), rulings(), scenarios(), file_path)
            campaigns[f"{OWN_CAMPAIGN}{content.id}"] = content
        except DataError as error:
            broken.append(error)
    return CampaignFiles(campaigns, tuple(broken))


@cache
def first_evening() -> FirstEvening:
    """The small battle that newcomers begin with."""
    file = "plastic/first_evening.toml"
    with resources.LOADING:
        return read_first_evening(resources.table(file), catalog(), rulings(), file)


@cache
def rulings() -> PlasticRulingBook:
    """The gaps in the flagship's rules and their answers. Raises DataError."""
    with resources.LOADING:
        return read_rulings(resources.table("plastic/rulings.toml"))


@cache
def commander_weights() -> CommanderWeights:
    """How much the solo commander values what. Raises DataError."""
    from skirmish.games.plastic.commander.weights import read_weights

    file = f"plastic/{resources.COMMANDER}"
    with resources.LOADING:
        return read_weights(resources.table(file), catalog(), file)


@cache
def templates() -> list[Army]:
    """Legal armies to start from: those without a nation first, then by nation, cheapest first."""
    armies = []
    with resources.LOADING:
        for file, table in resources.tables("plastic/armies"):
            armies.append(read_army(table, catalog(), rulings(), file))
    nations = [None, *catalog().nations]  # an army without a nation comes first

    def by_nation_and_price(army: Army) -> tuple[int, int, str]:
        return nations.index(army.army_list.nation), army.budget, army.army_list.name

    return sorted(armies, key=by_nation_and_price)


def stored_army(body: str, name: str) -> Army:
    """An army from its ``body`` in the database; ``name`` is its name in messages. May be called in
    any thread. Raises DataError."""
    with resources.LOADING:
        return from_body(body, catalog(), rulings(), name)


@cache
def _published_files() -> ScenarioFiles:
    """The scenarios that come with the program."""
    with resources.LOADING:
        sound, broken = resources.sound_tables("plastic/scenarios")
        return read_scenarios(sound, catalog(), rulings(), broken)


def published_scenarios() -> dict[int, Scenario]:
    """The scenarios that come with the program, by their numbers."""
    return _published_files().scenarios


def scenario_folder() -> ScenarioFolder:
    """The folder of the player's own scenarios. Raises DataError for settings that cannot be
    read."""
    return ScenarioFolder(folder_of(read_settings(settings_file())))


def own_scenarios() -> dict[int, Scenario]:
    """The player's own scenarios, by their numbers, as their files are now."""
    return _own_files().scenarios


def _own_files() -> ScenarioFiles:
    """The player's own scenarios, as their files are now."""
    try:
        folder = scenario_folder()
        return _read_own_files(folder.path, folder.stamps())
    except DataError as error:
        # Counts as one broken file, so that the published scenarios can still be played.
        return ScenarioFiles({}, (error,))


@lru_cache(maxsize=1)
def _read_own_files(path: Path, stamps: tuple[FileStamp, ...]) -> ScenarioFiles:
    """The scenarios in a folder. The ``stamps`` change with the files, so that the cache reads
    changed files anew."""
    folder = ScenarioFolder(path)
    sound: list[NamedTable] = []
    broken: list[DataError] = []
    with resources.LOADING:
        for stamp in stamps:
            file_path = folder.path_of(stamp.name).as_posix()
            try:
                raw = resources.parse(folder.text(stamp.name), file_path)
                sound.append(NamedTable(file_path, as_printed(raw)))
            except DataError as error:
                broken.append(error)
        return read_scenarios(sound, catalog(), rulings(), broken, own_from=FIRST_NUMBER)


def scenarios() -> dict[int, Scenario]:
    """The scenarios that can be played, by their numbers: those of the program, then the player's
    own."""
    return published_scenarios() | own_scenarios()


def broken_scenarios() -> tuple[DataError, ...]:
    """One error for each scenario file that cannot be read."""
    return _published_files().broken + _own_files().broken


@cache
def dealing() -> Books:
    """The catalog, themes and regions from which battles are dealt. Raises DataError."""
    from skirmish.games.plastic.dealing.regions import read_regions
    from skirmish.games.plastic.dealing.themes import read_themes
    from skirmish.games.plastic.dealing.wishes import Books

    file = "plastic/dealing/regions.toml"
    with resources.LOADING:
        themes = read_themes(resources.tables("plastic/dealing/themes"))
        return Books(catalog(), themes, read_regions(resources.table(file), catalog(), file))


@cache
def reference() -> Reference:
    """The flagship's rules in our own words. Raises DataError."""
    from skirmish.games.plastic.reference.reading import read_reference

    file = "plastic/texts/reference.toml"
    with resources.LOADING:
        return read_reference(resources.table(file), catalog(), rulings(), file)


def beach() -> BeachHeadGame:
    """Beach Head with its own methods, for what only this game can be asked."""
    from skirmish.games.beach_head.game import BeachHeadGame
    from skirmish.registry import BEACH, load

    beach_head = load(BEACH.id)
    assert isinstance(beach_head, BeachHeadGame)
    return beach_head
