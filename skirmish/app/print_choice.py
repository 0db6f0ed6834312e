"""What to print, asked in a window: from home every sheet there is, from a battle all that there is
of it."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from skirmish import registry
from skirmish.app import printing
from skirmish.app.fitting import shortened
from skirmish.app.host import Host
from skirmish.app.play.pages import print_document, print_sheet
from skirmish.app.print_screen import PrintScreen

if TYPE_CHECKING:
    from skirmish.app.battle.kept import BattleSession
    from skirmish.games.plastic.rules.army import Army
    from skirmish.sheets.documents import SheetDocument
    from skirmish.store.records import ArmyRecord, BattleRecord

SCENARIO, ALL, ROSTER, BLANK = "scenario", "all", "roster", "blank"
REFERENCE, ODDS, MARKERS, BATTLE = "reference", "odds", "markers", "battle"
STANDS = "stands"
OPENING, STANDING, POSITION, REPORT = "opening", "standing", "position", "report"
EVERY_TYPE = "every type"
LINE = 64
"""Cells of a line in the window, with a full stop behind it."""


async def choose_what_to_print(app: Host, battle: BattleRecord | None) -> None:
    """Ask what, then which, and print it; ``battle`` is the one chosen on the list, if any."""
    choices = [
        (SCENARIO, "A scenario sheet"),
        (ALL, "All ten scenario sheets, in one file"),
        (ROSTER, "An army roster"),
        (BLANK, "A blank roster to fill in by hand"),
        (REFERENCE, "The quick reference, both sides of one sheet"),
        (ODDS, "The odds table: every weapon against every target"),
        (MARKERS, "Markers and templates at true scale"),
    ]
    empty = await asyncio.to_thread(_empty_sheets)
    choices += [
        (name, f"{game.name}: {_lowered(one.title)}") for name, (game, one) in empty.items()
    ]
    if battle is not None and battle.game != registry.BATTLE.id:
        choices.append((STANDS, f"A document of game {battle.id}: {battle.title}"))
    elif battle is not None:
        choices.append((BATTLE, f"Sheets for the battle: {battle.title}"))
    boxed = {SCENARIO, ALL, ROSTER, *empty}
    chosen, form = await _ask(app, "Print", choices, boxed=boxed)
    match chosen:
        case "scenario":
            await _choose_scenario(app, form)
        case "all":
            await printing.print_all_scenarios(app, form=form)
        case "roster":
            await _choose_roster(app, form)
        case "blank":
            await printing.print_blank(app)
        case "reference":
            await printing.print_reference(app)
        case "odds":
            await _print_odds(app)
        case "markers":
            await _choose_markers(app)
        case name if name in empty:
            game, document = empty[name]
            await print_sheet(app, document, game.id, None, form=form)
        case "stands" if battle is not None:
            await _print_game(app, battle)
        case "battle" if battle is not None:
            await _print_battle(app, battle.id)


def _empty_sheets() -> dict[str, tuple[registry.Listed, SheetDocument]]:
    """The sheets of other games that can be printed without a game of them."""
    from skirmish.sheets.documents import documents_of

    return {
        f"{game.id} {one.id}": (game, one)
        for game in registry.GAMES
        if game.sheets
        for one in documents_of(game.id)
        if one.empty
    }


def _lowered(text: str) -> str:
    return text[:1].lower() + text[1:]


async def _print_game(app: Host, record: BattleRecord) -> None:
    """A document of a game that is stored."""
    from skirmish.app.session import Session
    from skirmish.app.working import working
    from skirmish.store.errors import StoreError
    from skirmish.tabletop.journal import RecordError

    try:
        reading = Session.resumed(registry.load(record.game), app.stored, record.id)
        session = await working(app, "Reading the game", reading)
    except (StoreError, RecordError, LookupError) as error:
        await app.tell("This game cannot be read", str(error))
        return
    await print_document(app, session)


async def _ask(
    app: Host,
    title: str,
    choices: Sequence[tuple[str, str]],
    *,
    boxed: Collection[str] = (),
    form: bool = False,
) -> tuple[str | None, bool]:
    """What is chosen, and whether its boxes are to be ticked on the screen."""
    goes = "A PDF for your browser." if app.is_web else f"A PDF in {_end(str(app.folder))}."
    screen = PrintScreen(title, goes, choices, boxed=boxed, form=form)
    chosen = await app.push_screen_wait(screen)
    return chosen, screen.form


def _end(folder: str) -> str:
    """A folder on one line: of a deep one, where it ends. Whoever prints is told all of it."""
    return shortened(folder[::-1], LINE)[::-1]


async def _choose_scenario(app: Host, form: bool) -> None:
    from skirmish import library

    scenarios = await asyncio.to_thread(library.scenarios)
    lines = [(str(n), s.title) for n, s in scenarios.items()]  # the window counts them itself
    boxed = [name for name, _ in lines]
    chosen, form = await _ask(app, "Print a scenario sheet", lines, boxed=boxed, form=form)
    if chosen is not None:
        await printing.print_scenario(app, scenarios[int(chosen)], form=form)


async def _choose_roster(app: Host, form: bool) -> None:
    armies = await _armies(app)
    if armies is None:
        return
    if not armies:
        app.notify("There is no army yet. Press a on the home screen to build one.", markup=False)
        return
    lines = [(str(army.id), army.name) for army in armies]
    boxed = [name for name, _ in lines]
    chosen, form = await _ask(app, "Print a roster", lines, boxed=boxed, form=form)
    if chosen is not None and (army := await _read(app, armies, chosen)):
        await printing.print_roster(app, army, form=form)


async def _print_odds(app: Host) -> None:
    """Out of a fresh deck, by the rulings that the player likes."""
    from skirmish.app.odds.tables import usual
    from skirmish.app.reference.in_force import in_force_on

    in_force = in_force_on((), app.settings)
    fire = await asyncio.to_thread(usual, in_force)
    whose = f"rulings {in_force.whose}"
    await printing.print_odds_table(app, fire.cards, fire.die, whose=whose)


async def _choose_markers(app: Host) -> None:
    """The tags of an army, or some of every type; where there is no army, these."""
    armies = await _armies(app)
    if armies is None:
        return
    if not armies:
        await printing.print_markers(app, None)
        return
    lines = [
        (EVERY_TYPE, "Tags for every type of unit"),
        *((str(army.id), f"Tags for {army.name}") for army in armies),
    ]
    chosen, _ = await _ask(app, "Print markers and templates", lines)
    if chosen == EVERY_TYPE:
        await printing.print_markers(app, None)
    elif chosen is not None and (army := await _read(app, armies, chosen)):
        await printing.print_markers(app, army)


async def _armies(app: Host) -> list[ArmyRecord] | None:
    """The armies; None, and told, where they cannot be read."""
    from skirmish.store.errors import StoreError

    try:
        return await app.stored(lambda store: store.armies())
    except StoreError as error:
        await app.tell("The armies could not be read", str(error))
        return None


async def _read(app: Host, armies: Sequence[ArmyRecord], chosen: str) -> Army | None:
    """The army with that id; None, and told, where it cannot be read."""
    from skirmish import library
    from skirmish.games.plastic.army_file import from_body
    from skirmish.tabletop.reading import DataError

    record = next(army for army in armies if army.id == int(chosen))
    try:
        catalog, book = await asyncio.to_thread(lambda: (library.catalog(), library.rulings()))
        return from_body(record.body, catalog, book, record.name)
    except DataError as error:
        await app.tell("This army could not be read", str(error))
        return None


async def _print_battle(app: Host, number: int) -> None:
    from skirmish.app.session import Session
    from skirmish.app.working import working
    from skirmish.store.errors import StoreError
    from skirmish.tabletop.journal import RecordError

    try:
        kept = await working(
            app, "Reading the battle", Session.resumed(registry.load("plastic"), app.stored, number)
        )
    except (StoreError, RecordError) as error:
        await app.tell("This battle could not be read", str(error))
        return
    await choose_of_battle(app, kept)


async def choose_of_battle(app: Host, kept: BattleSession) -> None:
    """Ask what of a battle, and print it."""
    setup = kept.state.setup
    opening = "The scenario sheet" if setup.scenario else "The rosters of both armies"
    choices = [
        (OPENING, opening),
        (STANDING, "The rosters as they stand, with losses struck out"),
        (POSITION, "The position, to finish the battle on paper"),
        (REPORT, "The battle report"),
    ]
    chosen, form = await _ask(app, "Print", choices, boxed={OPENING})
    match chosen:
        case "opening":
            await printing.print_battle(app, setup, form=form)
        case "standing":
            await printing.print_standing_rosters(app, kept.state)
        case "position":
            await printing.print_position(app, kept.play)
        case "report":
            await printing.print_report(app, kept.id, kept.play)
