"""Print from where you are: a sheet is made in a thread, kept in the folder, its place told."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from skirmish.app.choice import ChoiceScreen

if TYPE_CHECKING:
    from skirmish.app.application import SkirmishApp
    from skirmish.games.plastic.battle.setup import Setup
    from skirmish.games.plastic.rules.army import Army
    from skirmish.games.plastic.scenarios.scenario import Scenario


async def print_roster(app: SkirmishApp, army: Army) -> None:
    """The roster of an army as PDF in the app's folder."""

    def make() -> bytes:
        from skirmish import shelf
        from skirmish.sheets.roster import roster_pdf

        return roster_pdf(army, revision=shelf.revision())

    await _print(app, f"roster-{slug(army.listed.name) or 'army'}", make)


async def print_scenario(
    app: SkirmishApp, scenario: Scenario, answers: Mapping[str, str] | None = None
) -> None:
    """The sheet of a scenario as PDF in the app's folder."""

    def make() -> bytes:
        from skirmish import library, shelf
        from skirmish.sheets.scenario_sheet import scenario_pdf

        return scenario_pdf(
            scenario,
            library.catalog(),
            library.rulings(),
            answers=answers,
            revision=shelf.revision(),
        )

    await _print(app, f"scenario-{scenario.number:02}-{slug(scenario.title)}", make)


async def print_battle(app: SkirmishApp, setup: Setup) -> None:
    """What belongs to a battle: its scenario sheet, or the rosters of both armies."""
    from skirmish.games.plastic.rules.army import Army

    if setup.scenario:
        await print_scenario(app, setup.scenario, setup.rulings)
    for listed in setup.armies:
        await print_roster(app, Army(listed, setup.catalog, setup.rulings))


async def choose_scenario_to_print(app: SkirmishApp) -> None:
    """Ask which scenario, and print it."""
    from skirmish import library

    scenarios = await asyncio.to_thread(library.scenarios)
    lines = [(str(n), f"{n:>2}  {s.title}") for n, s in scenarios.items()]
    chosen = await app.push_screen_wait(
        ChoiceScreen("Print a scenario sheet", f"It is put into {app.folder}.", lines)
    )
    if chosen is not None:
        await print_scenario(app, scenarios[int(chosen)])


async def _print(app: SkirmishApp, stem: str, make: Callable[[], bytes]) -> None:
    try:
        path = await asyncio.to_thread(lambda: _kept(app.folder, stem, make()))
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        await app.tell("Not printed", f"Nothing can be written to {app.folder}: {reason}.")
        return
    app.notify(f"{path}", title="Printed", timeout=8, markup=False)


def _kept(folder: Path, stem: str, pdf: bytes) -> Path:
    """Write to a name of its own: an existing file is never overwritten, unless it is the same."""
    for number in range(1, 1000):
        path = folder / (f"{stem}.pdf" if number == 1 else f"{stem}-{number}.pdf")
        if path.exists():
            if path.is_file() and path.read_bytes() == pdf:
                return path
            continue
        unfinished = path.with_suffix(".pdf.part")
        unfinished.write_bytes(pdf)
        unfinished.replace(path)
        return path
    raise OSError(None, f"there are too many files named {stem}-….pdf already")


def slug(name: str) -> str:
    """A name as part of a file name: letters, digits and single hyphens, at most 60."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:60].strip("-")
