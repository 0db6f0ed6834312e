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
from skirmish.games.plastic.scenarios.own import (
    as_printed,
    blank,
    file_name,
    free_id,
    renamed,
)
from skirmish.games.plastic.scenarios.scenario import OWN_PREFIX, Scenario
from skirmish.games.plastic.scenarios.scenario_file import (
    ScenarioFiles,
    read_scenario,
    read_scenarios,
)
from skirmish.store.scenario_folder import FIRST_NUMBER, FileStamp, ScenarioFolder, folder_of
from skirmish.store.settings import read_settings, settings_file
from skirmish.tabletop.data_file import DataError, Problem, table_of

if TYPE_CHECKING:
    from skirmish.games.beach_head.game import BeachHeadGame
    from skirmish.games.plastic.campaign.campaign_file import CampaignFile
    from skirmish.games.plastic.campaign.game import CampaignGame
    from skirmish.games.plastic.campaign.set_up import CampaignBooks
    from skirmish.games.plastic.campaign.terms import ReturnTable
    from skirmish.games.plastic.commander.weights import CommanderWeights
    from skirmish.games.plastic.dealing.deal import Dealt
    from skirmish.games.plastic.dealing.wishes import Books
    from skirmish.games.plastic.game import PlasticGame
    from skirmish.games.plastic.reference.lookup import Reference
    from skirmish.tabletop.presets import PresetBook


CAMPAIGNS = "campaigns"
"""The folder of the player's own campaigns, in that of his scenarios."""
OWN_CAMPAIGN = "mine/"
"""Before the id of a campaign of the player's own."""


@cache
def catalog() -> Catalog:
    """The units, weapons, nations and numbers of the flagship. Raises DataError."""
    with resources.LOADING:
        files = {name: resources.table(f"plastic/{name}.toml") for name in FILES}
        return read_catalog(files, rulings())


def game(tables: Mapping[str, Any], revision: str) -> PlasticGame:
    """The flagship, as the registry loads it."""
    from skirmish.games.plastic.game import PlasticGame
    from skirmish.games.plastic.setup_form.form import BattleForm

    del tables  # the same files, which the functions here read once for everybody
    return PlasticGame(
        BattleForm(catalog(), rulings(), scenarios, first_evening, commander_weights, revision)
    )


def campaign(tables: Mapping[str, Any], revision: str) -> CampaignGame:
    """Campaigns, as the registry loads them."""
    from skirmish.games.plastic.campaign.game import CampaignGame
    from skirmish.games.plastic.campaign.terms import read_return_tables
    from skirmish.tabletop.presets import read_presets

    del revision  # a campaign names the numbers of its battles, which are the flagship's
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
    """The campaigns by their ids, those of the player's own behind ``mine/``; and what is wrong
    with the files that cannot be read, a file each."""

    campaigns: dict[str, CampaignFile]
    broken: tuple[DataError, ...]


@cache
def published_campaigns() -> dict[str, CampaignFile]:
    """The campaigns that come with the program, by id, those with a history first. Raises
    DataError."""
    from skirmish.games.plastic.campaign.campaign_reading import read_campaign

    # Groups of its own are what history gives a campaign; elsewhere the players buy theirs.
    with_history, without = {}, {}
    with resources.LOADING:
        for file, raw in resources.tables("plastic/campaigns"):
            content = read_campaign(raw, catalog(), rulings(), published_scenarios(), file)
            if content.sides[0].groups:
                with_history[content.id] = content
            else:
                without[content.id] = content
    return with_history | without


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
        file_path = folder.file(stamp.name).as_posix()
        try:
            # A campaign's texts are written as they are printed: no workshop types them.
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
    """What the solo commander weighs. Raises DataError."""
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
    nations = [None, *catalog().nations]

    def by_nation_and_price(army: Army) -> tuple[int, int, str]:
        return nations.index(army.army_list.nation), army.budget, army.army_list.name

    return sorted(armies, key=by_nation_and_price)


def stored_army(body: str, name: str) -> Army:
    """An army as the store keeps it, in any thread; ``name`` is for messages. Raises DataError."""
    with resources.LOADING:
        return from_body(body, catalog(), rulings(), name)


@cache
def _published_files() -> ScenarioFiles:
    """The scenarios that come with the program."""
    with resources.LOADING:
        sound, broken = resources.sound_tables("plastic/scenarios")
        return read_scenarios(sound, catalog(), rulings(), broken)


def published_scenarios() -> dict[int, Scenario]:
    """The scenarios of the rules, by their numbers."""
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
        # A folder that cannot be read is a broken file: the published scenarios can be played.
        return ScenarioFiles({}, (error,))


@lru_cache(maxsize=1)
def _read_own_files(path: Path, stamps: tuple[FileStamp, ...]) -> ScenarioFiles:
    """The files in a folder, whose ``stamps`` tell whether they have changed since."""
    folder = ScenarioFolder(path)
    sound: list[tuple[str, dict[str, Any]]] = []
    broken: list[DataError] = []
    with resources.LOADING:
        for stamp in stamps:
            file_path = folder.file(stamp.name).as_posix()
            try:
                raw = resources.parse(folder.text(stamp.name), file_path)
                sound.append((file_path, as_printed(raw)))
            except DataError as error:
                broken.append(error)
        return read_scenarios(sound, catalog(), rulings(), broken, own_from=FIRST_NUMBER)


def scenarios() -> dict[int, Scenario]:
    """The scenarios that can be played, by their numbers: those of the rules, then the player's
    own."""
    return published_scenarios() | own_scenarios()


def broken_scenarios() -> tuple[DataError, ...]:
    """What is wrong with the scenario files that cannot be read, a file each."""
    return _published_files().broken + _own_files().broken


@cache
def dealing() -> Books:
    """What battles are dealt from. Raises DataError."""
    from skirmish.games.plastic.dealing.regions import read_regions
    from skirmish.games.plastic.dealing.themes import read_themes
    from skirmish.games.plastic.dealing.wishes import Books

    file = "plastic/dealing/regions.toml"
    with resources.LOADING:
        themes = read_themes(resources.tables("plastic/dealing/themes"))
        return Books(catalog(), themes, read_regions(resources.table(file), catalog(), file))


class SavedScenario(NamedTuple):
    """An own scenario that was written: its number and its file."""

    number: int
    path: Path


def dealt_scenario(dealt: Dealt, code: str) -> Scenario:
    """A dealt battle as a scenario that is in no file yet. Raises DataError."""
    from skirmish.games.plastic.dealing.deal import as_scenario

    id = f"{OWN_PREFIX}dealt"
    name = file_name(FIRST_NUMBER, id)
    with resources.LOADING:
        return read_scenario(
            as_printed(as_scenario(dealt, FIRST_NUMBER, id, code)),
            catalog(),
            rulings(),
            file=f"{name}.toml",
            own_from=FIRST_NUMBER,
        )


def save_deal(dealt: Dealt, code: str) -> SavedScenario:
    """Take a dealt battle into the player's own scenarios. Raises DataError."""
    from skirmish.games.plastic.dealing.deal import as_scenario

    new = _new_scenario_called(dealt.raw["title"])
    raw = as_scenario(dealt, new.number, new.id, code)
    return _write(new, raw)


def copy_scenario(scenario: Scenario, title: str) -> SavedScenario:
    """Copy any scenario into the player's own, under this title. Raises DataError."""
    name = file_name(scenario.number, scenario.id)
    if scenario.is_own:
        folder = scenario_folder()
        raw = resources.parse(folder.text(name), str(folder.file(name)))
    else:
        raw = resources.table(f"plastic/scenarios/{name}.toml")
    new = _new_scenario_called(title)
    return _write(new, renamed(raw, new.number, new.id, title))


def draft(number: int) -> Scenario:
    """One of the player's own scenarios to be changed, which may have mistakes. Raises DataError
    where there is none, or its file is of the wrong form."""
    from skirmish.games.plastic.workshop.draft import draft_of, unusable

    folder = scenario_folder()
    for stamp in folder.stamps():
        digits, _, _ = stamp.name.partition("_")
        if digits == str(number):
            file_path = folder.file(stamp.name).as_posix()
            raw = resources.parse(folder.text(stamp.name), file_path)
            with resources.LOADING:
                scenario = draft_of(as_printed(raw), file_path)
            if file_name(scenario.number, scenario.id) != stamp.name:
                message = f"says {scenario.number} and {scenario.id}, unlike its name; mend that."
                raise DataError(file_path, [Problem("number", message)])
            wrong = unusable(scenario, catalog())
            if wrong:
                raise DataError(file_path, wrong)
            return scenario
    raise DataError(f"scenario {number}", [Problem("", "is none of your own.")])


def save_draft(scenario: Scenario, *, version: bool) -> SavedScenario:
    """Write one of the player's own scenarios, whatever mistakes it has; with a ``version`` the
    text before becomes an earlier version. Raises DataError."""
    import tomli_w

    folder = scenario_folder()
    name = file_name(scenario.number, scenario.id)
    folder.write(name, tomli_w.dumps(table_of(scenario)), version=version)
    return SavedScenario(scenario.number, folder.file(name))


def scenario_stamp(scenario: Scenario) -> FileStamp | None:
    """The file of an own scenario as it is now; None if there is none. Raises DataError."""
    name = file_name(scenario.number, scenario.id)
    for stamp in scenario_folder().stamps():
        if stamp.name == name:
            return stamp
    return None


def new_scenario(title: str, nations: tuple[str, str], table: tuple[int, int]) -> SavedScenario:
    """A new scenario of the player's own on an empty ``table``, its width and depth in inches; of
    the ``nations`` the attacker's comes first. Raises DataError."""
    from skirmish.games.plastic.workshop.draft import ScenarioRules, draft_of
    from skirmish.games.plastic.workshop.victory_sentence import with_victory

    new = _new_scenario_called(title)
    sides = {nation: catalog().nations[nation].people for nation in nations}
    raw = blank(new.number, new.id, title, sides, table)
    # Its sentence on the sheet is that of the workshop, and so follows what is changed there.
    scenario = with_victory(
        draft_of(raw, new.id), raw["victory"]["kind"], ScenarioRules(catalog(), rulings())
    )
    return _write(new, table_of(scenario))


def draft_mistakes(scenario: Scenario) -> list[Problem]:
    """All that is wrong with a draft, each with the key of its place."""
    from skirmish.games.plastic.workshop.draft import ScenarioRules, mistakes

    return mistakes(scenario, ScenarioRules(catalog(), rulings()), FIRST_NUMBER)


def delete_scenario(scenario: Scenario) -> None:
    """Delete one of the player's own; ``restore_scenario`` brings it back. Raises DataError."""
    scenario_folder().delete(file_name(scenario.number, scenario.id))


def restore_scenario(scenario: Scenario) -> None:
    """Bring back a scenario that was deleted, as it was. Raises DataError."""
    folder = scenario_folder()
    name = file_name(scenario.number, scenario.id)
    folder.write(name, folder.version(name, folder.versions(name)[-1]))


class _NewScenario(NamedTuple):
    """What tells a new scenario of the player's own from all others: its number and its id."""

    number: int
    id: str


def _new_scenario_called(title: str) -> _NewScenario:
    """A number and an id that no scenario has; the id is made of the title."""
    taken = {scenario.id for scenario in scenarios().values()}
    return _NewScenario(scenario_folder().next_number(), free_id(title, taken))


def _write(new: _NewScenario, raw: Mapping[str, Any]) -> SavedScenario:
    """Write the file of a new scenario. Raises DataError."""
    import tomli_w

    folder = scenario_folder()
    name = file_name(new.number, new.id)
    folder.write(name, tomli_w.dumps(raw))
    return SavedScenario(new.number, folder.file(name))


@cache
def reference() -> Reference:
    """The flagship's rules in our own words. Raises DataError."""
    from skirmish.games.plastic.reference.reading import read_reference

    file = "plastic/texts/reference.toml"
    with resources.LOADING:
        return read_reference(resources.table(file), catalog(), rulings(), file)


def beach() -> BeachHeadGame:
    """Beach Head with its own methods, for what the shell does not ask every game."""
    from skirmish.games.beach_head.game import BeachHeadGame
    from skirmish.registry import BEACH, load

    game = load(BEACH.id)
    assert isinstance(game, BeachHeadGame)
    return game
