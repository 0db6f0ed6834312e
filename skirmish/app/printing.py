"""Print from where you are: a sheet is made in a thread, kept in the folder, its place told.

In a browser the folder is that of the machine which serves; there the page is handed the sheet too.
"""

from __future__ import annotations

import asyncio
import io
from collections.abc import Callable
from typing import TYPE_CHECKING

from skirmish.app.choice import ChoiceScreen
from skirmish.app.working import working
from skirmish.tabletop.typed import reason

if TYPE_CHECKING:
    from skirmish.app.application import SkirmishApp
    from skirmish.games.plastic.battle.record import BattlePlay
    from skirmish.games.plastic.battle.setup import Setup
    from skirmish.games.plastic.battle.state import State
    from skirmish.games.plastic.rules.army import Army
    from skirmish.games.plastic.scenarios.scenario import Scenario


async def print_roster(app: SkirmishApp, army: Army, revision: str | None = None) -> None:
    """The roster of an army as PDF in the app's folder; ``revision`` names the state of its numbers
    where that is not the library's."""
    from skirmish.sheets.file_names import roster_name

    def make() -> bytes:
        from skirmish import shelf
        from skirmish.sheets.roster import roster_pdf

        return roster_pdf(army, revision=shelf.revision() if revision is None else revision)

    await _print(app, roster_name(army.listed), make)


async def print_scenario(app: SkirmishApp, scenario: Scenario) -> None:
    """The sheet of a scenario as the library has it, as PDF in the app's folder."""
    from skirmish.sheets.file_names import scenario_name

    def make() -> bytes:
        from skirmish import library, shelf
        from skirmish.sheets.scenario_sheet import scenario_pdf

        return scenario_pdf(
            scenario, library.catalog(), library.rulings(), revision=shelf.revision()
        )

    await _print(app, scenario_name(scenario), make)


async def print_battle(app: SkirmishApp, setup: Setup) -> None:
    """What belongs to a battle: its scenario sheet, or the rosters of both armies, with the numbers
    and the rulings that it is fought with."""
    from skirmish.games.plastic.rules.army import Army
    from skirmish.sheets.file_names import scenario_name

    if scenario := setup.scenario:

        def make() -> bytes:
            from skirmish import library
            from skirmish.sheets.scenario_sheet import scenario_pdf

            return scenario_pdf(
                scenario,
                setup.catalog,
                library.rulings(),
                answers=setup.rulings,
                revision=setup.revision,
            )

        await _print(app, scenario_name(scenario), make)
    for listed in setup.armies:
        await print_roster(app, Army(listed, setup.catalog, setup.rulings), setup.revision)


async def print_standing_rosters(app: SkirmishApp, state: State) -> None:
    """The rosters of both sides of a battle as they stand."""
    from skirmish.sheets.file_names import battle_sheet_name

    def make() -> bytes:
        from skirmish.sheets.roster import standing_rosters_pdf

        return standing_rosters_pdf(state)

    await _print(app, battle_sheet_name("rosters", state.setup.title), make)


async def print_position(app: SkirmishApp, play: BattlePlay) -> None:
    """A battle as it stands, to be finished on paper."""
    from skirmish.sheets.file_names import battle_sheet_name

    def make() -> bytes:
        from skirmish.sheets.position_sheet import position_pdf

        return position_pdf(play)

    await _print(app, battle_sheet_name("position", play.state.setup.title), make)


async def print_report(app: SkirmishApp, number: int, play: BattlePlay) -> None:
    """The report of the battle that is kept under ``number``."""
    from skirmish.sheets.file_names import battle_sheet_name
    from skirmish.store.errors import StoreError

    try:
        record = await app.stored(lambda store: store.battle(number))
    except StoreError as error:
        await app.tell("This battle cannot be read", str(error))
        return

    def make() -> bytes:
        from skirmish.sheets.report_sheet import day, report_pdf

        return report_pdf(play, day(record.started))

    await _print(app, battle_sheet_name("report", play.state.setup.title), make)


async def choose_scenario_to_print(app: SkirmishApp) -> None:
    """Ask which scenario, and print it."""
    from skirmish import library

    scenarios = await asyncio.to_thread(library.scenarios)
    lines = [(str(n), s.title) for n, s in scenarios.items()]  # the window counts them itself
    goes = "Your browser is handed it." if app.is_web else f"It is put into {app.folder}."
    chosen = await app.push_screen_wait(ChoiceScreen("Print a scenario sheet", goes, lines))
    if chosen is not None:
        await print_scenario(app, scenarios[int(chosen)])


async def _print(app: SkirmishApp, name: str, make: Callable[[], bytes]) -> None:
    from skirmish.sheets.keeping import write_beside

    sheet = await working(app, "Printing", asyncio.to_thread(make))
    if app.is_web:
        app.deliver_binary(io.BytesIO(sheet), save_filename=name, mime_type="application/pdf")
    says = "Your browser offers it on the left."
    try:
        path = await asyncio.to_thread(lambda: write_beside(app.folder / name, sheet))
    except OSError as error:
        if not app.is_web:
            says = f"Nothing can be written to {app.folder}: {reason(error)}."
            await app.tell("Not printed", says)
            return
    else:
        says = f"{says} Kept where Skirmish runs too: {path}" if app.is_web else f"{path}"
    app.notify(says, title="Printed", timeout=8, markup=False)
