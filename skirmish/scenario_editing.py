"""The player's own scenarios while they are made: begun, copied, dealt, changed, written, deleted,
restored. Each is a file in the folder that the settings name. ``library`` reads those that can be
played; a draft, which is still being changed, may have mistakes.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from skirmish import resources
from skirmish.games.plastic.scenarios.own import as_printed, blank, file_name, free_id, renamed
from skirmish.games.plastic.scenarios.scenario import OWN_PREFIX, Scenario
from skirmish.games.plastic.scenarios.scenario_file import read_scenario
from skirmish.library import catalog, rulings, scenario_folder, scenarios
from skirmish.store.scenario_folder import FIRST_NUMBER, FileStamp
from skirmish.tabletop.data_file import DataError, Problem, table_of

if TYPE_CHECKING:
    from skirmish.games.plastic.dealing.deal import Dealt


class SavedScenario(NamedTuple):
    """A scenario of the player's own that has been written: its number and its file."""

    number: int
    path: Path


def dealt_scenario(dealt: Dealt, code: str) -> Scenario:
    """A dealt battle as a scenario that is in no file yet. ``code`` is what deals it again. Raises
    DataError."""
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
    """Write a dealt battle as one of the player's own scenarios. Raises DataError."""
    from skirmish.games.plastic.dealing.deal import as_scenario

    new = _new_scenario_called(dealt.raw["title"])
    raw = as_scenario(dealt, new.number, new.id, code)
    return _write(new, raw)


def copy_scenario(scenario: Scenario, title: str) -> SavedScenario:
    """Copy any scenario into the player's own, under this title. Raises DataError."""
    name = file_name(scenario.number, scenario.id)
    if scenario.is_own:
        folder = scenario_folder()
        raw = resources.parse(folder.text(name), str(folder.path_of(name)))
    else:
        raw = resources.table(f"plastic/scenarios/{name}.toml")
    new = _new_scenario_called(title)
    return _write(new, renamed(raw, new.number, new.id, title))


def read_draft(number: int) -> Scenario:
    """One of the player's own scenarios to be changed; it may have mistakes. Raises DataError if
    there is none of this number, or its file has the wrong form."""
    from skirmish.games.plastic.workshop.draft import draft_of, unusable

    folder = scenario_folder()
    for stamp in folder.stamps():
        digits, _, _ = stamp.name.partition("_")
        if digits == str(number):
            file_path = folder.path_of(stamp.name).as_posix()
            raw = resources.parse(folder.text(stamp.name), file_path)
            with resources.LOADING:
                scenario = draft_of(as_printed(raw), file_path)
            # A file is stored under a name made of its number and id. With another name, the
            # changed scenario would become a second file.
            if file_name(scenario.number, scenario.id) != stamp.name:
                message = f"says {scenario.number} and {scenario.id}, unlike its name; mend that."
                raise DataError(file_path, [Problem("number", message)])
            wrong = unusable(scenario, catalog())
            if wrong:
                raise DataError(file_path, wrong)
            return scenario
    raise DataError(f"scenario {number}", [Problem("", "is none of your own.")])


def save_draft(scenario: Scenario, *, add_version: bool) -> SavedScenario:
    """Write one of the player's own scenarios, whatever mistakes it has. ``add_version``: whether
    the present text of the file is stored as an earlier version first. Raises DataError."""
    import tomli_w

    folder = scenario_folder()
    name = file_name(scenario.number, scenario.id)
    folder.write(name, tomli_w.dumps(table_of(scenario)), add_version=add_version)
    return SavedScenario(scenario.number, folder.path_of(name))


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
    # The sheet gets the workshop's sentence of victory, which follows the changes made there.
    # There is no file yet: the id stands for it in messages.
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
    # The last of its earlier versions is the text that was deleted.
    name = file_name(scenario.number, scenario.id)
    folder.write(name, folder.version(name, folder.versions(name)[-1]))


class _NewScenario(NamedTuple):
    """The number and the id of a new scenario, which no other scenario has."""

    number: int
    id: str


def _new_scenario_called(title: str) -> _NewScenario:
    """A free number and a free id; the id is made of the title."""
    used_ids = {scenario.id for scenario in scenarios().values()}
    return _NewScenario(scenario_folder().next_number(), free_id(title, used_ids))


def _write(new: _NewScenario, raw: Mapping[str, Any]) -> SavedScenario:
    """Write the file of a new scenario. Raises DataError."""
    import tomli_w

    folder = scenario_folder()
    name = file_name(new.number, new.id)
    folder.write(name, tomli_w.dumps(raw))
    return SavedScenario(new.number, folder.path_of(name))
