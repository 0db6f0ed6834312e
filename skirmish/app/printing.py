"""Making a sheet from any screen: a thread makes it and writes it to the folder of printed sheets.
That folder is on the serving machine, so the page in a browser is sent the sheet too.
``print_choice`` asks what to print, and ``viewer`` opens what was printed."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from skirmish.app import viewer
from skirmish.app.host import Host
from skirmish.app.windows import working
from skirmish.extras import logged_failure
from skirmish.games.plastic.rules.army import Army
from skirmish.session import AnySession
from skirmish.sheets import missing_signs
from skirmish.sheets.documents import Printable, PrintOptions, StoredGame
from skirmish.sheets.plastic import DOCUMENT_BY_ID
from skirmish.store.files import write_beside
from skirmish.tabletop.data_file import DataError
from skirmish.tabletop.typed import reason

if TYPE_CHECKING:
    from skirmish.games.plastic.battle.setup import Setup

IN_THE_BROWSER = "Your browser offers the file on the left."
MESSAGE_SECONDS = 8
"""Seconds that the message about a written file stays."""


class FileKind(NamedTuple):
    """A kind of file that is written, and what is said of it."""

    name: str
    """What it is called at the beginning of a sentence."""
    title_written: str
    """The title of the message that it is written."""
    title_failed: str
    """The title of the message that it could not be written."""
    mime_type: str
    opens: bool = False
    """Whether the key for the sheet printed last opens it."""


SHEET = FileKind(
    name="The sheet",
    title_written="Printed",
    title_failed="Not printed",
    mime_type="application/pdf",
    opens=True,
)


async def print_document(
    app: Host, document: Printable | str, subject: Any = None, form: bool = False, **further: Any
) -> None:
    """Print a document, or the one of WWII Plastic Skirmish with this id, to the app's folder.

    ``subject`` is what it is made from, of the type that `documents.Subject` lists for it;
    ``form``: its boxes can be ticked in the PDF. ``further`` are options that only this document
    has, which the function that makes it takes by these names (``Printable.build``).
    """
    if isinstance(document, str):
        document = DOCUMENT_BY_ID[document]
    options = PrintOptions(app.settings.paper, app.settings.ink, form)
    make_pdf = partial(document.pdf, subject, options, **further)
    await print_sheet(app, document.file_name(subject), make_pdf)


async def print_opening(app: Host, setup: Setup, form: bool = False) -> None:
    """Print the scenario sheet of a battle, or, if it has no scenario, the rosters of both armies;
    with the numbers and rulings of that battle."""
    if setup.scenario is not None:
        await print_document(
            app,
            "scenario",
            [setup.scenario],
            form,
            revision=setup.revision,
            catalog=setup.catalog,
            answers=setup.rulings,
        )
    for army_list in setup.armies:
        army = Army(army_list, setup.catalog, setup.rulings)
        await print_document(app, "roster", army, form, revision=setup.revision)


async def print_of_game(
    app: Host, document: Printable, session: AnySession, form: bool = False
) -> None:
    """Print a document of a game, with the day on which the game began."""
    async with app.reporting("Printing failed"):
        record = await app.stored(lambda store: store.battle(session.id))
        stored = StoredGame(session.id, session.play, record.started)
        await print_document(app, document, stored, form)


async def print_sheet(app: Host, file_name: str, make_pdf: Callable[[], bytes]) -> None:
    """Write the PDF that ``make_pdf`` returns to the app's folder, and show where it is."""
    # Signs that no font has are noted while a sheet is made. Those of an earlier one are dropped.
    missing_signs.forget_missing_signs()
    try:
        pdf = await working(app, "Printing", asyncio.to_thread(make_pdf))
    except DataError as error:  # a typeface is missing
        await app.show_message("Printing failed", str(error))
        return
    except Exception:  # whatever fails in a sheet, the game goes on without it
        await app.show_message("Printing failed", logged_failure("The page is not available"))
        return
    await write_file(app, file_name, pdf, SHEET)


async def write_file(app: Host, file_name: str, content: bytes, kind: FileKind) -> None:
    """Write a file to the app's folder and show where it is. A page in a browser also gets it."""
    if app.is_web:
        stream = io.BytesIO(content)
        app.deliver_binary(stream, save_filename=file_name, mime_type=kind.mime_type)
    try:
        path = await asyncio.to_thread(write_beside, app.folder / file_name, content)
    except OSError as error:
        if not app.is_web:
            sentence = f"{kind.name} could not be written to {app.folder}: {reason(error)}."
            await app.show_message(kind.title_failed, sentence)
            return
        message = IN_THE_BROWSER  # which has the file, even if the serving machine does not
    else:
        if kind.opens and not app.is_web:
            app.last_printed = path
        message = _where_written(app, path, kind)
    warning = missing_signs.take_missing_signs()
    if warning:
        message += f"\n{warning}"
    app.notify(message, title=kind.title_written, timeout=MESSAGE_SECONDS, markup=False)


def _where_written(app: Host, path: Path, kind: FileKind) -> str:
    """A sentence: where a file is and how it is opened."""
    if app.is_web:
        return f"{IN_THE_BROWSER} It is also on the computer that runs Skirmish: {path}"
    if not kind.opens or viewer.opener() is None:
        return str(path)
    key = app.key("app.open_printed", "ctrl+o")
    return f"{path}\n{key} opens it."
