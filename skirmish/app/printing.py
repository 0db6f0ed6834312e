"""Printing from any screen: a window asks what to print, a thread makes the sheet and writes it to
the folder. Paper and ink are settings that the window changes for good; boxes to tick on the screen
are for one print. In a browser the folder is that of the serving machine, so the page is sent the
sheet too. The system's PDF viewer opens it beside the app."""

from __future__ import annotations

import asyncio
import io
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from msgspec.structs import replace
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import OptionList, Static

from skirmish import library, registry
from skirmish.app.binding import keys
from skirmish.app.host import Host
from skirmish.app.page_view import KEY, shortened
from skirmish.app.reference.rulings import in_force_on
from skirmish.app.settings.screen import LINES
from skirmish.app.windows import ChoiceScreen, working
from skirmish.extras import missing
from skirmish.games.plastic.army_file import from_body
from skirmish.games.plastic.odds.table import default_tables
from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.rules.catalog import together
from skirmish.session import AnySession, Session
from skirmish.sheets import output
from skirmish.sheets.documents import Look, Printable, StoredGame, of_game
from skirmish.sheets.plastic import PLASTIC
from skirmish.store.files import write_beside
from skirmish.tabletop.data_file import DataError
from skirmish.tabletop.typed import reason

if TYPE_CHECKING:
    from skirmish.games.plastic.battle.setup import Setup
    from skirmish.store.records import ArmyRecord, BattleRecord

LOOKS = (
    ("paper", "p", "turn('paper')", "", "A4 or Letter"),
    ("ink", "i", "turn('ink')", "", "Full colour, or ink saver"),
    ("boxes", "f", "boxes", "", "Boxes to tick on paper or on screen"),
)
"""The keys that change how sheets look."""
LINE = 64
"""Cells of a line in the window before its full stop."""


class PrintScreen(ChoiceScreen):
    """Choose a sheet; returns its id like ``ChoiceScreen``. ``form``: its boxes are to be ticked on
    the screen; ``boxed`` are the ids of the sheets that can have such boxes."""

    TOPIC: ClassVar[str] = "print"
    DEFAULT_CSS = """
    PrintScreen #window-text {
        max-height: 3;
    }
    PrintScreen OptionList {
        max-height: 10;
    }
    PrintScreen.-high OptionList {
        max-height: 19;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = keys("print", *LOOKS)

    def __init__(
        self,
        title: str,
        text: str,
        choices: Sequence[tuple[str, str]],
        *,
        boxed: Collection[str] = (),
        form: bool = False,
    ) -> None:
        super().__init__(title, text, choices)
        self.form = form
        self._boxed = boxed

    def closing(self) -> ComposeResult:
        yield Static("", id="print-look", markup=False)
        yield Static("Enter prints, Esc cancels.", classes="quiet", markup=False)

    def on_mount(self) -> None:
        self._paint()

    def on_option_list_option_highlighted(self) -> None:
        self._paint()
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return None if action == "boxes" and not self._has_boxes() else True

    async def action_turn(self, name: str) -> None:
        settings = self.skirmish.settings
        value = LINES[name].turned(getattr(settings, name), 1)
        await self.skirmish.change_settings(replace(settings, **{name: value}))
        self._paint()

    def action_boxes(self) -> None:
        self.form = not self.form
        self._paint()

    def _has_boxes(self) -> bool:
        option = self.query_one(OptionList).highlighted_option
        return option is not None and option.id in self._boxed

    def _paint(self) -> None:
        app, parts = self.skirmish, list[Content]()
        for name, default, action, *_ in LOOKS:
            key = f" {app.key(f'print.{name}', default)} "
            if line := LINES.get(name):
                words = f"{line.label}: {line.shown(getattr(app.settings, name))}"
            else:
                words = f"Tick boxes: {'in the PDF' if self.form else 'on paper'}"
            part = Content.assemble((key, KEY), words).stylize(f"@click=screen.{action}")
            if name == "boxes" and not self._has_boxes():
                part = Content.styled(f"{key}No tick boxes", "$foreground 60%")
            parts.append(part)
        look = Content("\n").join([Content(""), Content("   ").join(parts)])
        self.query_one("#print-look", Static).update(look)


class PrintLine(NamedTuple):
    """A line of the window; ``go`` prints it, or asks for its subject; its argument is whether
    boxes are to be ticked on the screen."""

    text: str
    go: Callable[[bool], Awaitable[None]]
    boxed: bool = False


async def _ask(app: Host, title: str, lines: Sequence[PrintLine], form: bool = False) -> None:
    folder = shortened(str(app.folder)[::-1], LINE)[::-1]  # the end of a long one
    goes = "A PDF for your browser." if app.is_web else f"A PDF in {folder}."
    named = {str(at): one for at, one in enumerate(lines)}
    boxed = [at for at, one in named.items() if one.boxed]
    choices = [(at, one.text) for at, one in named.items()]
    screen = PrintScreen(title, goes, choices, boxed=boxed, form=form)
    if (chosen := await app.push_screen_wait(screen)) is not None:
        async with app.reporting("Printing failed"):
            await named[chosen].go(screen.form)


async def choose_what_to_print(app: Host, battle: BattleRecord | None) -> None:
    documents, sheets = await asyncio.to_thread(_of_no_game)

    def line(text: str, document: Printable) -> PrintLine:
        return PrintLine(text, partial(_print, app, document), document.boxed)

    others = partial(_ask, app, "Print a play sheet", [line(*one) for one in sheets])
    lines = [line(one.title, one) for one in documents]
    lines.append(PrintLine("Play sheets of other games", others))
    if battle is not None:
        noun = getattr(registry.listed(battle.game), "noun", "game")
        stored = partial(_print_stored, app, battle, noun)
        lines.append(PrintLine(f"Sheets for the {noun}: {battle.title}", stored))
    await _ask(app, "Print", lines)


def _of_no_game() -> tuple[list[Printable], list[tuple[str, Printable]]]:
    """The documents of WWII Plastic Skirmish that need no game, and the blank sheets of other
    games, with their names."""
    sheets = [
        (f"{game.name}: {one.title[:1].lower()}{one.title[1:]}", one)
        for game in registry.GAMES
        for one in of_game(game.id).values()
        if one.empty
    ]
    return [one for one in PLASTIC.values() if one.of != "game"], sheets


async def _print_stored(app: Host, record: BattleRecord, noun: str, form: bool) -> None:
    reading = Session.resumed(registry.load(record.game), app.stored, record.id)
    await choose_document(app, await working(app, f"Reading the {noun}", reading))


async def choose_document(app: Host, session: AnySession) -> None:
    """Ask for a document of a game and print it. In a worker only."""
    lines = [
        PrintLine(one.title, partial(print_of_game, app, one, session), one.boxed)
        for one in of_game(session.game.id).values()
        if one.of == "game"
    ]
    if session.game.id == registry.BATTLE.id:
        setup = session.state.setup
        sheet = "The scenario sheet" if setup.scenario else "The rosters of both armies"
        lines.insert(0, PrintLine(sheet, partial(print_opening, app, setup), True))
    await _ask(app, "Print", lines)


async def _print(app: Host, document: Printable, form: bool) -> None:
    lines: list[PrintLine] = []

    def add(text: str, subject: Any, **more: Any) -> None:
        go = partial(print_document, app, document, subject, **more)
        lines.append(PrintLine(text, go, document.boxed))

    scenarios = await asyncio.to_thread(library.scenarios)
    match document.of:
        case "scenario":
            for one in scenarios.values():
                add(one.title, [one])
        case "army" | "tags":
            tags = document.of == "tags"
            if tags:
                add("Tags for every type of unit", None)
            for army in await app.stored(lambda store: store.armies()):
                go = partial(_print_army, app, document, army)
                lines.append(PrintLine("Tags for " * tags + army.name, go, document.boxed))
            for number, one in scenarios.items() if tags else ():
                if works := together(side.works() for side in one.sides):
                    add(f"As many works as in scenario {number}", None, works=works)
            if not lines:
                app.notify("There is no army yet. Press a on the home screen to build one.",
                           markup=False)  # fmt: skip
        case "odds":
            in_force = in_force_on((), app.settings)
            answers = library.rulings().answered(in_force.answers)
            tables = await asyncio.to_thread(default_tables, library.catalog(), answers)
            await print_document(app, document, tables, whose=f"Rulings {in_force.whose}")
        case _:
            await print_document(app, document, None, form)
    if lines:
        await _ask(app, f"Print {document.title[:1].lower()}{document.title[1:]}", lines, form)


async def _print_army(app: Host, document: Printable, record: ArmyRecord, form: bool) -> None:
    catalog, book = await asyncio.to_thread(lambda: (library.catalog(), library.rulings()))
    army = from_body(record.body, catalog, book, record.name)
    await print_document(app, document, army, form)


# ------------------------------------------------------------------ making a sheet


async def print_document(
    app: Host, document: Printable | str, subject: Any = None, form: bool = False, **more: Any
) -> None:
    """Print a document, or that of WWII Plastic Skirmish with this id, to the app's folder;
    ``more`` are its further arguments."""
    chosen = PLASTIC[document] if isinstance(document, str) else document
    look = Look(app.settings.paper, app.settings.ink, form)
    await print_made(app, chosen.name(subject), lambda: chosen.pdf(subject, look, **more))


async def print_opening(app: Host, setup: Setup, form: bool = False) -> None:
    """The scenario sheet of a battle or the rosters of both armies, with the numbers and rulings of
    that battle."""
    if setup.scenario:
        numbers = {"catalog": setup.catalog, "answers": setup.rulings}
        await print_document(
            app, "scenario", [setup.scenario], form, revision=setup.revision, **numbers
        )
    for listed in setup.armies:
        army = Army(listed, setup.catalog, setup.rulings)
        await print_document(app, "roster", army, form, revision=setup.revision)


async def print_of_game(
    app: Host, document: Printable, session: AnySession, form: bool = False
) -> None:
    async with app.reporting("Printing failed"):
        record = await app.stored(lambda store: store.battle(session.id))
        stored = StoredGame(session.id, session.play, record.started)
        await print_document(app, document, stored, form)


async def open_printed(app: Host) -> None:
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
    """Write what ``make`` returns to the file ``name`` and show its path."""
    output.missing_signs()  # discard those of an earlier sheet
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
    message = "Your browser offers the file on the left."
    try:
        path = await asyncio.to_thread(lambda: write_beside(app.folder / name, sheet))
    except OSError as error:
        if not app.is_web:
            message = f"The sheet could not be written to {app.folder}: {reason(error)}."
            await app.show_message("Not printed", message)
            return
    else:
        here = f"{message} It is also on the computer that runs Skirmish: {path}"
        message = here if app.is_web else _printed_to(app, path)
    message = "\n".join(filter(None, (message, output.missing_signs())))
    app.notify(message, title="Printed", timeout=8, markup=False)


def _printed_to(app: Host, path: Path) -> str:
    app.printed = path
    if opener() is None:
        return str(path)
    key = app.key("app.open_printed", "ctrl+o")
    return f"{path}\n{key} opens it."


OPENERS = ("xdg-open", "wslview")
"""Programs that open a file in the desktop's viewer; the first one installed is used."""
DESKTOPS = ("DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME")
"""Environment variables that are set on a desktop."""


def opener(
    platform: str = sys.platform,
    environment: Mapping[str, str] = os.environ,
    found: Callable[[str], str | None] = shutil.which,
) -> list[str] | None:
    """The command that opens a file appended to it; None if there is no viewer, as on a console
    without a desktop. Empty on Windows, which opens files by itself."""
    if platform == "win32":
        return []
    if platform == "darwin":
        return ["open"]
    if not any(environment.get(name) for name in DESKTOPS):
        return None  # xdg-open would start a text browser on top of the app
    return next(([place] for name in OPENERS if (place := found(name))), None)


def open_beside(path: Path, command: list[str]) -> None:
    """Open a file without waiting for the viewer. Raises OSError."""
    if sys.platform == "win32" and not command:
        os.startfile(path)
        return
    shows = subprocess.Popen(
        [*command, str(path)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # out of reach of the app's Ctrl+C
    )
    threading.Thread(target=shows.wait, daemon=True).start()
