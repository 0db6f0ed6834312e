"""A scenario while it is edited: what can be undone, and the file in which every change is stored.
No screen is used here."""

from __future__ import annotations

import asyncio
from functools import partial

from skirmish import library, scenario_editing
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.workshop.draft import ScenarioRules
from skirmish.games.plastic.workshop.victory_sentence import checked_change
from skirmish.store.scenario_folder import FileStamp
from skirmish.tabletop.data_file import DataError
from skirmish.tabletop.history import History


class EditedScenario:
    """One of the player's own scenarios, as it was read from its file."""

    def __init__(self, scenario: Scenario) -> None:
        self.rules = ScenarioRules(library.catalog(), library.rulings())
        self._history = History(scenario)
        self._stored = scenario
        """The scenario as it is in the file."""
        self._stamp: FileStamp | None = None
        """The stamp of the file when it was looked at or written here last; None until then. If the
        file has another one, something else may have written it."""
        self._storing = asyncio.Lock()
        self._has_earlier_version = False
        """Whether the file as it was when it was opened has been stored as an earlier version."""

    @property
    def scenario(self) -> Scenario:
        """The scenario as it is now."""
        return self._history.value

    @property
    def is_stored(self) -> bool:
        """Whether the file holds the scenario as it is now, and is not just being written."""
        # Each change makes another object, so nothing needs to be compared.
        return self._stored is self.scenario and not self._storing.locked()

    def change(self, scenario: Scenario) -> bool:
        """Replace the scenario, unless it is the same; returns whether it was replaced. Raises
        EditError."""
        if scenario == self.scenario:
            return False
        self._history.change(checked_change(self.scenario, scenario, self.rules))
        return True

    def undo(self) -> bool:
        """Undo the last change; returns whether there was one."""
        if not self._history.past:
            return False
        self._history.undo()
        return True

    def redo(self) -> bool:
        """Redo what was undone last; returns whether there was anything."""
        if not self._history.future:
            return False
        self._history.redo()
        return True

    async def store(self) -> None:
        """Write the file, unless it holds the scenario already. Before it is written for the first
        time, the file as it was opened becomes an earlier version. Raises DataError."""
        async with self._storing:
            # Whoever changes the scenario during the writing calls this method again.
            scenario = self.scenario
            if self._stored is scenario:
                return
            is_first_time = not self._has_earlier_version
            write = partial(scenario_editing.save_draft, scenario, add_version=is_first_time)
            await asyncio.to_thread(write)
            self._has_earlier_version = True
            self._stored = scenario
            self._stamp = await asyncio.to_thread(scenario_editing.scenario_stamp, scenario)

    async def follow_file(self) -> bool:
        """Take over what another screen or a text editor has made of the file; returns whether that
        changes the scenario."""
        if not self.is_stored:
            return False  # the player's changes come first, and overwrite the file
        try:
            # Before the file is read: what is written into it meanwhile then has another stamp.
            stamp = await asyncio.to_thread(scenario_editing.scenario_stamp, self.scenario)
            if stamp == self._stamp:
                return False
            scenario = await asyncio.to_thread(scenario_editing.read_draft, self.scenario.number)
        except DataError:
            # The file is deleted or half written. The next change writes all of it again.
            return False
        if self._stored is not self.scenario:
            return False  # the player has changed the scenario while the file was read
        self._stamp = stamp
        if scenario == self.scenario:
            return False
        self._history.change(scenario)
        self._stored = scenario
        return True


async def opened_scenario(number: int) -> EditedScenario:
    """The player's own scenario of that number, read from its file. Raises DataError."""
    return EditedScenario(await asyncio.to_thread(scenario_editing.read_draft, number))
