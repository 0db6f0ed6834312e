"""Print from where you are: a sheet is made in a thread and written to the folder.

Paper and ink are those of the settings; with ``form`` the boxes can be ticked on the screen. In a
browser the folder is that of the machine which serves; there the page is handed the sheet too. The
system's own program for PDFs opens it beside the app.
"""

from __future__ import annotations

import asyncio
import io
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skirmish.app.host import Host
from skirmish.app.session import AnySession
from skirmish.app.working import working
from skirmish.extras import missing
from skirmish.tabletop.typed import reason

if TYPE_CHECKING:
    from skirmish.games.plastic.battle.setup import Setup
    from skirmish.sheets.documents import Printable
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Mapping


async def print_plastic(
    app: Host, id: str, subject: Any = None, *, form: bool = False, **more: Any
) -> None:
    from skirmish.sheets.plastic import PLASTIC

    await print_document(app, PLASTIC[id], subject, form=form, **more)


async def print_document(
    app: Host, document: Printable, subject: Any, *, form: bool = False, **more: Any
) -> None:
    """A document as PDF in the app's folder; ``more`` is what it is told besides."""
    from skirmish.sheets.documents import Look

    look = Look(app.settings.paper, app.settings.ink, form)
    await print_made(app, document.name(subject), lambda: document.pdf(subject, look, **more))


async def print_opening(app: Host, setup: Setup, *, form: bool = False) -> None:
    """What a battle begins with: its scenario sheet, or the rosters of both armies, with the
    numbers and the rulings that it is fought with."""
    from skirmish.games.plastic.rules.army import Army

    if setup.scenario:
        numbers = {"catalog": setup.catalog, "answers": setup.rulings}
        await print_plastic(
            app, "scenario", [setup.scenario], form=form, revision=setup.revision, **numbers
        )
    for listed in setup.armies:
        army = Army(listed, setup.catalog, setup.rulings)
        await print_plastic(app, "roster", army, form=form, revision=setup.revision)


async def print_of_game(
    app: Host, document: Printable, session: AnySession, *, form: bool = False
) -> None:
    from skirmish.sheets.documents import StoredGame
    from skirmish.store.errors import StoreError

    try:
        record = await app.stored(lambda store: store.battle(session.id))
    except StoreError as error:
        await app.show_message("Printing failed", str(error))
        return
    stored = StoredGame(session.id, session.play, record.started)
    await print_document(app, document, stored, form=form)


async def open_printed(app: Host) -> None:
    """Show the sheet printed last in whatever shows PDFs here."""
    if (path := app.printed) is None:
        return
    if not path.is_file():
        await app.show_message("The sheet is gone", f"{path} no longer exists. Print it again.")
        return
    command = opener()
    if command is None:
        await app.show_message("No PDF viewer was found", f"The sheet is {path}.")
        return
    try:
        await asyncio.to_thread(open_beside, path, command)
    except OSError as error:
        await app.show_message("The sheet could not be opened", f"{path}: {reason(error)}.")


async def print_made(app: Host, name: str, make: Callable[[], bytes]) -> None:
    """Keep what ``make`` gives under ``name``, and tell where."""
    from skirmish.sheets import output
    from skirmish.store.files import write_beside
    from skirmish.tabletop.reading import DataError

    output.missing_signs()  # what belongs to an earlier sheet
    try:
        sheet = await working(app, "Printing", asyncio.to_thread(make))
    except DataError as error:  # a typeface is missing
        await app.show_message("Printing failed", str(error))
        return
    except Exception:
        await app.show_message("Printing failed", missing("The page is"))
        return
    if app.is_web:
        app.deliver_binary(io.BytesIO(sheet), save_filename=name, mime_type="application/pdf")
    says = "Your browser offers the file on the left."
    try:
        path = await asyncio.to_thread(lambda: write_beside(app.folder / name, sheet))
    except OSError as error:
        if not app.is_web:
            says = f"The sheet could not be written to {app.folder}: {reason(error)}."
            await app.show_message("Not printed", says)
            return
    else:
        here = f"{says} It is also on the computer that runs Skirmish: {path}"
        says = here if app.is_web else _kept(app, path)
    says = "\n".join(filter(None, (says, output.missing_signs())))
    app.notify(says, title="Printed", timeout=8, markup=False)


def _kept(app: Host, path: Path) -> str:
    app.printed = path
    if opener() is None:
        return str(path)
    key = app.key("app.open_printed", "ctrl+o")
    return f"{path}\n{key} opens it."


OPENERS = ("xdg-open", "wslview")
"""Programs that open a file with whatever the desktop has for it; the first that is there does."""
DESKTOPS = ("DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME")
"""What the environment says where there is a desktop to open a file on."""


def opener(
    platform: str = sys.platform,
    environment: Mapping[str, str] = os.environ,
    found: Callable[[str], str | None] = shutil.which,
) -> list[str] | None:
    """The command to which a file is added to open it; None where nothing would show it, as on a
    console without a desktop. Windows opens files by itself: an empty command."""
    if platform == "win32":
        return []
    if platform == "darwin":
        return ["open"]
    if not any(environment.get(name) for name in DESKTOPS):
        return None  # xdg-open would start a browser for consoles, on top of the app
    return next(([place] for name in OPENERS if (place := found(name))), None)


def open_beside(path: Path, command: list[str]) -> None:
    """Open a file, and leave what shows it to itself. Raises OSError."""
    if sys.platform == "win32" and not command:
        os.startfile(path)
        return
    shows = subprocess.Popen(
        [*command, str(path)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl+C in the app is not meant for it
    )
    threading.Thread(target=shows.wait, daemon=True).start()
