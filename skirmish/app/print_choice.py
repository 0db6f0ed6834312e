"""What to print, asked in a window: from home a scenario's sheet, an army's roster or the paper of
a battle, from a battle all that there is of it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from skirmish.app import printing
from skirmish.app.choice import ChoiceScreen

if TYPE_CHECKING:
    from skirmish.app.application import SkirmishApp
    from skirmish.app.battle.kept import KeptBattle
    from skirmish.store.records import BattleRecord

SCENARIO, ROSTER, BATTLE = "scenario", "roster", "battle"
OPENING, STANDING, POSITION, REPORT = "opening", "standing", "position", "report"


async def choose_what_to_print(app: SkirmishApp, battle: BattleRecord | None) -> None:
    """Ask what, then which, and print it; ``battle`` is the one chosen on the list, if any."""
    choices = [(SCENARIO, "The sheet of a scenario"), (ROSTER, "The roster of an army")]
    if battle is not None:
        choices.append((BATTLE, f"For the battle {battle.title}"))
    text = f"As PDF, into {app.folder}."
    match await app.push_screen_wait(ChoiceScreen("Print", text, choices)):
        case "scenario":
            await printing.choose_scenario_to_print(app)
        case "roster":
            await _choose_roster(app)
        case "battle" if battle is not None:
            await _print_battle(app, battle.id)


async def _choose_roster(app: SkirmishApp) -> None:
    from skirmish import library
    from skirmish.games.plastic.army_file import from_body
    from skirmish.store.errors import StoreError
    from skirmish.tabletop.reading import DataError

    try:
        armies = await app.stored(lambda store: store.armies())
    except StoreError as error:
        await app.tell("The armies cannot be read", str(error))
        return
    if not armies:
        app.notify("There is no army yet. a on the home screen builds one.", markup=False)
        return
    choices = [(str(army.id), army.name) for army in armies]
    chosen = await app.push_screen_wait(ChoiceScreen("Print a roster", "", choices))
    if chosen is None:
        return
    record = next(army for army in armies if army.id == int(chosen))
    try:
        catalog, book = await asyncio.to_thread(lambda: (library.catalog(), library.rulings()))
        army = from_body(record.body, catalog, book, record.name)
    except DataError as error:
        await app.tell("This army cannot be read", str(error))
        return
    await printing.print_roster(app, army)


async def _print_battle(app: SkirmishApp, number: int) -> None:
    from skirmish.app.battle.kept import KeptBattle
    from skirmish.app.working import working
    from skirmish.games.plastic.battle.record import RecordError
    from skirmish.store.errors import StoreError

    try:
        kept = await working(app, "Reading the battle", KeptBattle.resumed(app.stored, number))
    except (StoreError, RecordError) as error:
        await app.tell("This battle cannot be read", str(error))
        return
    await choose_of_battle(app, kept)


async def choose_of_battle(app: SkirmishApp, kept: KeptBattle) -> None:
    """Ask what of a battle, and print it."""
    setup = kept.state.setup
    opening = "Its scenario sheet" if setup.scenario else "The rosters of both armies"
    choices = [
        (OPENING, opening),
        (STANDING, "The rosters as they stand, losses struck out"),
        (POSITION, "The position, to be finished on paper"),
        (REPORT, "The report of the battle"),
    ]
    text = f"As PDF, into {app.folder}."
    match await app.push_screen_wait(ChoiceScreen("Print", text, choices)):
        case "opening":
            await printing.print_battle(app, setup)
        case "standing":
            await printing.print_standing_rosters(app, kept.state)
        case "position":
            await printing.print_position(app, kept.play)
        case "report":
            await printing.print_report(app, kept.id, kept.play)
