"""Print from where you are: a sheet is made in a thread, kept in the folder, its place told.

Paper and ink are those of the settings; with ``form`` the boxes can be ticked on the screen. In a
browser the folder is that of the machine which serves; there the page is handed the sheet too.
"""

from __future__ import annotations

import asyncio
import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypedDict

from skirmish.app.guard import missing
from skirmish.app.host import Host
from skirmish.app.working import working
from skirmish.tabletop.typed import reason

if TYPE_CHECKING:
    from skirmish.games.plastic.battle.record import BattlePlay
    from skirmish.games.plastic.battle.setup import Setup
    from skirmish.games.plastic.battle.state import State
    from skirmish.games.plastic.odds.table import OddsTable
    from skirmish.games.plastic.rules.army import Army
    from skirmish.games.plastic.scenarios.scenario import Scenario


class Look(TypedDict):
    """How a sheet is printed."""

    paper: Literal["a4", "letter"]
    use: Literal["colour", "saver"]


def look_of(app: Host) -> Look:
    """As the settings have it."""
    return {"paper": app.settings.paper, "use": app.settings.ink}


async def print_roster(
    app: Host, army: Army, revision: str | None = None, *, form: bool = False
) -> None:
    """The roster of an army as PDF in the app's folder; ``revision`` names the state of its numbers
    where that is not the library's."""
    from skirmish.sheets.file_names import roster_name

    look = look_of(app)

    def make() -> bytes:
        from skirmish import shelf
        from skirmish.sheets.roster.army import roster_pdf

        named = shelf.revision() if revision is None else revision
        return roster_pdf(army, revision=named, form=form, **look)

    await print_made(app, roster_name(army.listed), make)


async def print_scenario(app: Host, scenario: Scenario, *, form: bool = False) -> None:
    """The sheet of a scenario as the library has it, as PDF in the app's folder."""
    from skirmish.sheets.file_names import scenario_name

    await _print_scenarios(app, [scenario], scenario_name(scenario), form)


async def print_all_scenarios(app: Host, *, form: bool = False) -> None:
    """The sheets of all scenarios in one file."""
    from skirmish import library
    from skirmish.sheets.file_names import SCENARIOS

    scenarios = await asyncio.to_thread(library.scenarios)
    await _print_scenarios(app, list(scenarios.values()), SCENARIOS, form)


async def _print_scenarios(app: Host, scenarios: Sequence[Scenario], name: str, form: bool) -> None:
    look = look_of(app)

    def make() -> bytes:
        from skirmish import library, shelf
        from skirmish.sheets.scenario.sheet import scenarios_pdf

        catalog, book = library.catalog(), library.rulings()
        named = shelf.revision()
        return scenarios_pdf(scenarios, catalog, book, revision=named, form=form, **look)

    await print_made(app, name, make)


async def print_reference(app: Host) -> None:
    """The quick reference, two sides."""
    from skirmish.sheets.reference.page import REFERENCE_NAME

    look = look_of(app)

    def make() -> bytes:
        from skirmish import library, shelf
        from skirmish.sheets.reference.page import reference_pdf

        catalog, book = library.catalog(), library.rulings()
        return reference_pdf(catalog, book, revision=shelf.revision(), **look)

    await print_made(app, REFERENCE_NAME, make)


async def print_markers(app: Host, army: Army | None) -> None:
    """Markers and templates at true scale, with tags for an army or for some of every type."""
    from skirmish.sheets.markers.page import MARKERS_NAME

    look = look_of(app)

    def make() -> bytes:
        from skirmish import library, shelf
        from skirmish.sheets.markers.page import markers_pdf

        return markers_pdf(library.catalog(), army=army, revision=shelf.revision(), **look)

    await print_made(app, MARKERS_NAME, make)


async def print_blank(app: Host) -> None:
    """A roster to fill in by hand."""
    from skirmish.sheets.roster.blank import BLANK_NAME

    look = look_of(app)

    def make() -> bytes:
        from skirmish import library, shelf
        from skirmish.sheets.roster.blank import blank_pdf

        catalog, book = library.catalog(), library.rulings()
        return blank_pdf(catalog, book, revision=shelf.revision(), **look)

    await print_made(app, BLANK_NAME, make)


async def print_odds_table(
    app: Host,
    cards: OddsTable,
    die: OddsTable,
    *,
    whose: str,
    revision: str | None = None,
) -> None:
    """The odds table as it is on the screen, with cards and with the die, on one page; ``revision``
    names the state of its numbers where that is not the library's."""
    from skirmish.sheets.odds_table_sheet import ODDS_NAME

    look = look_of(app)

    def make() -> bytes:
        from skirmish import shelf
        from skirmish.sheets.odds_table_sheet import odds_table_pdf

        named = shelf.revision() if revision is None else revision
        return odds_table_pdf(
            cards, die, revision=named, whose=f"{whose[:1].upper()}{whose[1:]}", **look
        )

    await print_made(app, ODDS_NAME, make)


async def print_battle(app: Host, setup: Setup, *, form: bool = False) -> None:
    """What belongs to a battle: its scenario sheet, or the rosters of both armies, with the numbers
    and the rulings that it is fought with."""
    from skirmish.games.plastic.rules.army import Army
    from skirmish.sheets.file_names import scenario_name

    look = look_of(app)
    if scenario := setup.scenario:

        def make() -> bytes:
            from skirmish import library
            from skirmish.sheets.scenario.sheet import scenario_pdf

            return scenario_pdf(
                scenario,
                setup.catalog,
                library.rulings(),
                answers=setup.rulings,
                revision=setup.revision,
                form=form,
                **look,
            )

        await print_made(app, scenario_name(scenario), make)
    for listed in setup.armies:
        army = Army(listed, setup.catalog, setup.rulings)
        await print_roster(app, army, setup.revision, form=form)


async def print_standing_rosters(app: Host, state: State) -> None:
    """The rosters of both sides of a battle as they stand."""
    from skirmish.sheets.file_names import battle_sheet_name

    look = look_of(app)

    def make() -> bytes:
        from skirmish.sheets.roster.battle import standing_rosters_pdf

        return standing_rosters_pdf(state, **look)

    await print_made(app, battle_sheet_name("rosters", state.setup.title), make)


async def print_position(app: Host, play: BattlePlay) -> None:
    """A battle as it stands, to be finished on paper."""
    from skirmish.sheets.file_names import battle_sheet_name

    look = look_of(app)

    def make() -> bytes:
        from skirmish.sheets.position.page import position_pdf

        return position_pdf(play, **look)

    await print_made(app, battle_sheet_name("position", play.state.setup.title), make)


async def print_report(app: Host, number: int, play: BattlePlay) -> None:
    """The report of the battle that is kept under ``number``."""
    from skirmish.sheets.file_names import battle_sheet_name
    from skirmish.store.errors import StoreError

    try:
        record = await app.stored(lambda store: store.battle(number))
    except StoreError as error:
        await app.tell("This battle could not be read", str(error))
        return
    look = look_of(app)

    def make() -> bytes:
        from skirmish.sheets.report_sheet import report_pdf
        from skirmish.store.moments import day

        return report_pdf(play, day(record.started), **look)

    await print_made(app, battle_sheet_name("report", play.state.setup.title), make)


async def open_printed(app: Host) -> None:
    """Show the sheet printed last in whatever shows PDFs here."""
    from skirmish.app.viewer import open_beside, opener

    if (path := app.printed) is None:
        return
    if not path.is_file():
        await app.tell("The sheet is gone", f"{path} no longer exists. Print it again.")
        return
    command = opener()
    if command is None:
        await app.tell("No PDF viewer was found", f"The sheet is {path}.")
        return
    try:
        await asyncio.to_thread(open_beside, path, command)
    except OSError as error:
        await app.tell("The sheet could not be opened", f"{path}: {reason(error)}.")


async def print_made(app: Host, name: str, make: Callable[[], bytes]) -> None:
    """Keep what ``make`` gives under ``name``, and tell where."""
    from skirmish.sheets import output
    from skirmish.sheets.output import write_beside
    from skirmish.tabletop.reading import DataError

    output.told()  # what belongs to an earlier sheet
    try:
        sheet = await working(app, "Printing", asyncio.to_thread(make))
    except DataError as error:  # a typeface is missing
        await app.tell("Printing failed", str(error))
        return
    except Exception:
        await app.tell("Printing failed", missing("The page is"))
        return
    if app.is_web:
        app.deliver_binary(io.BytesIO(sheet), save_filename=name, mime_type="application/pdf")
    says = "Your browser offers the file on the left."
    try:
        path = await asyncio.to_thread(lambda: write_beside(app.folder / name, sheet))
    except OSError as error:
        if not app.is_web:
            says = f"The sheet could not be written to {app.folder}: {reason(error)}."
            await app.tell("Not printed", says)
            return
    else:
        here = f"{says} It is also on the computer that runs Skirmish: {path}"
        says = here if app.is_web else _kept(app, path)
    says = "\n".join(filter(None, (says, output.told())))
    app.notify(says, title="Printed", timeout=8, markup=False)


def _kept(app: Host, path: Path) -> str:
    """Where a sheet is, and the key that opens it where something can."""
    from skirmish.app.viewer import opener

    app.printed = path
    if opener() is None:
        return str(path)
    key = app.key("app.open_printed", "ctrl+o")
    return f"{path}\n{key} opens it."
