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
from skirmish.app.asking import ChoiceScreen
from skirmish.app.binding import keys
from skirmish.app.host import Host
from skirmish.app.page_view import KEY
from skirmish.app.reference.rulings import in_force_on
from skirmish.app.settings.screen import LINES as SETTING_LINES
from skirmish.app.text_rows import shortened
from skirmish.app.windows import working
from skirmish.extras import not_available
from skirmish.games.plastic.odds.table import default_tables
from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.rules.catalog import total_counts
from skirmish.session import AnySession, Session
from skirmish.sheets import missing_signs
from skirmish.sheets.documents import (
    Printable,
    PrintOptions,
    StoredGame,
    Subject,
    documents_of_game,
)
from skirmish.sheets.label_stock import STOCKS, LabelStock
from skirmish.sheets.plastic import PLASTIC
from skirmish.store.files import write_beside
from skirmish.tabletop.data_file import DataError
from skirmish.tabletop.typed import reason

if TYPE_CHECKING:
    from skirmish.games.plastic.battle.setup import Setup
    from skirmish.store.records import ArmyRecord, BattleRecord

LOOK_KEYS = (
    ("paper", "p", "turn('paper')", "", "A4 or Letter"),
    ("ink", "i", "turn('ink')", "", "Full colour, or ink saver"),
    ("boxes", "f", "boxes", "", "Boxes to tick on paper or on screen"),
)
"""The keys that change how sheets look: id, key, action, label at the foot, words of the help."""
CELLS_OF_LINE = 64
"""Cells of a line in the window before its full stop."""
IN_THE_BROWSER = "Your browser offers the file on the left."


class FileKind(NamedTuple):
    """A kind of file that is written: its name at the beginning of a sentence, the titles of the
    messages once it is written and where it could not be; ``opens``: the key for the last printed
    sheet opens it."""

    name: str
    title_written: str
    title_failed: str
    mime_type: str
    opens: bool = False


SHEET = FileKind(
    name="The sheet",
    title_written="Printed",
    title_failed="Not printed",
    mime_type="application/pdf",
    opens=True,
)


class PrintScreen(ChoiceScreen):
    """Choose a sheet; returns its id like ``ChoiceScreen``. ``form``: its boxes are to be ticked on
    the screen, in a PDF reader; ``boxed`` are the ids of the sheets that can have such boxes."""

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
    BINDINGS: ClassVar[list[BindingType]] = keys("print", *LOOK_KEYS)

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
        if action == "boxes" and not self._has_boxes():
            return None  # Textual shows the key in grey; False would hide it
        return True

    async def action_turn(self, name: str) -> None:
        """Give a setting its next value."""
        settings = self.skirmish.settings
        value = SETTING_LINES[name].turned(getattr(settings, name), 1)
        await self.skirmish.change_settings(replace(settings, **{name: value}))
        self._paint()

    def action_boxes(self) -> None:
        self.form = not self.form
        self._paint()

    def _has_boxes(self) -> bool:
        """Whether the selected sheet can have boxes to tick on the screen."""
        option = self.query_one(OptionList).highlighted_option
        return option is not None and option.id in self._boxed

    def _paint(self) -> None:
        """Show below the list how sheets look now."""
        looks = [self._look(name, key, action) for name, key, action, *_ in LOOK_KEYS]
        text = Content("\n").join([Content(""), Content("   ").join(looks)])
        self.query_one("#print-look", Static).update(text)

    def _look(self, name: str, default_key: str, action: str) -> Content:
        """How sheets look now in one respect, with the key that changes it."""
        app = self.skirmish
        key = f" {app.key(f'print.{name}', default_key)} "
        is_setting = name in SETTING_LINES  # boxes are chosen anew for each print
        if is_setting:
            setting = SETTING_LINES[name]
            words = f"{setting.label}: {setting.shown(getattr(app.settings, name))}"
        elif not self._has_boxes():
            return Content.styled(f"{key}No tick boxes", "$foreground 60%")
        elif self.form:
            words = "Tick boxes: in the PDF"
        else:
            words = "Tick boxes: on paper"
        return Content.assemble((key, KEY), words).stylize(f"@click=screen.{action}")


class PrintLine(NamedTuple):
    """A line of the window. ``go`` prints it, or asks for its subject; its argument is whether
    boxes are to be ticked on the screen. ``boxed``: its sheet can have such boxes."""

    text: str
    go: Callable[[bool], Awaitable[None]]
    boxed: bool = False


async def _choose_and_print(
    app: Host, title: str, lines: Sequence[PrintLine], form: bool = False
) -> None:
    """Show the lines and do what the chosen one says; returns once its sheet is made."""
    if app.is_web:
        text = "A PDF for your browser."
    else:
        text = f"A PDF in {_end_of_path(str(app.folder))}."
    choices = []
    boxed = []
    for number, line in enumerate(lines):
        choices.append((str(number), line.text))
        if line.boxed:
            boxed.append(str(number))
    screen = PrintScreen(title, text, choices, boxed=boxed, form=form)
    chosen = await app.push_screen_wait(screen)
    if chosen is not None:
        async with app.reporting("Printing failed"):
            await lines[int(chosen)].go(screen.form)


def _end_of_path(path: str) -> str:
    """Of a long path the end, which tells more than the beginning."""
    # ``shortened`` cuts off the end of a text: here that of the path turned round.
    backward = path[::-1]
    return shortened(backward, CELLS_OF_LINE)[::-1]


async def choose_what_to_print(app: Host, battle: BattleRecord | None) -> None:
    """Ask for any document; those of ``battle`` are offered besides. In a worker only."""

    lines = await asyncio.to_thread(every_document, app)
    play_sheets = await asyncio.to_thread(blank_sheets, app)
    ask_further = partial(_choose_and_print, app, "Print a play sheet", play_sheets)
    lines.append(PrintLine("Play sheets of other games", ask_further))
    if battle is not None:
        game = registry.listed(battle.game)
        noun = "game"
        if game is not None:
            noun = game.noun
        print_battle = partial(_choose_stored, app, battle, noun)
        lines.append(PrintLine(f"Sheets for the {noun}: {battle.title}", print_battle))
    await _choose_and_print(app, "Print", lines)


def every_document(app: Host) -> list[PrintLine]:
    """The documents of the flagship; those with a subject ask for it. The book of the player's own
    scenarios is among them once there is such a scenario; so it reads their files."""
    # Labels are chosen below the tags that go on them (``_tag_lines``), and sheets of a game below
    # that game.
    left_out: set[Subject] = {"game", "labels"}
    if not library.own_scenarios():
        left_out.add("own")
    lines = []
    for document in PLASTIC.values():
        if document.made_from not in left_out:
            lines.append(_document_line(app, document.title, document))
    return lines


def blank_sheets(app: Host) -> list[PrintLine]:
    """The blank play sheets of the other games. It takes a while, as it imports the sheets of every
    game."""
    lines = []
    for game in registry.GAMES:
        for sheet in documents_of_game(game.id).values():
            if sheet.empty:
                lines.append(
                    _document_line(app, f"{game.name}: {_in_a_sentence(sheet.title)}", sheet)
                )
    return lines


def _document_line(app: Host, text: str, document: Printable) -> PrintLine:
    """The line of a document, which asks for its subject if it has one."""
    return PrintLine(text, partial(_print_after_asking, app, document), document.boxed)


def _in_a_sentence(title: str) -> str:
    """A title with a small letter at its beginning."""
    return title[:1].lower() + title[1:]


async def _choose_stored(app: Host, record: BattleRecord, noun: str, form: bool) -> None:
    """Read a stored game, then ask which of its documents is printed."""
    del form  # it is asked again for that document
    reading = Session.resumed(registry.load(record.game), app.stored, record.id)
    session = await working(app, f"Reading the {noun}", reading)
    await choose_document(app, session)


async def choose_document(app: Host, session: AnySession) -> None:
    """Ask for a document of a game and print it. In a worker only."""
    await _choose_and_print(app, "Print", documents_of(app, session))


def documents_of(app: Host, session: AnySession) -> list[PrintLine]:
    """The documents of a game."""
    lines = []
    if session.game.id == registry.BATTLE.id:
        setup = session.state.setup
        opening = partial(print_opening, app, setup)
        if setup.scenario:
            lines.append(PrintLine("The scenario sheet", opening, boxed=True))
        # What groups bring to a battle of a campaign is no army list: their rosters are below.
        elif setup.armies:
            lines.append(PrintLine("The rosters of both armies", opening, boxed=True))
    for document in documents_of_game(session.game.id).values():
        if document.made_from == "game":
            go = partial(print_of_game, app, document, session)
            lines.append(PrintLine(document.title, go, document.boxed))
    return lines


async def _print_after_asking(app: Host, document: Printable, form: bool) -> None:
    """Ask for the subject of a document, if it has one, and print it."""
    match document.made_from:
        case "scenario":
            lines = await _scenario_lines(app, document)
        case "own":
            own = await asyncio.to_thread(library.own_scenarios)
            if not own:
                message = "You no longer have a scenario of your own."
                app.notify(message, markup=False)
                return
            await print_document(app, document, list(own.values()), form)
            return
        case "army":
            lines = await _army_lines(app, document)
            if not lines:
                message = "There is no army yet. Press a on the home screen to build one."
                app.notify(message, markup=False)
                return
        case "tags":
            lines = await _tag_lines(app, document)
        case "odds":
            await _print_odds(app, document)
            return
        case _:
            await print_document(app, document, None, form)
            return
    await _choose_and_print(app, f"Print {_in_a_sentence(document.title)}", lines, form)


async def _scenario_lines(app: Host, document: Printable) -> list[PrintLine]:
    """A line for each scenario."""
    scenarios = await asyncio.to_thread(library.scenarios)
    lines = []
    for scenario in scenarios.values():
        go = partial(print_document, app, document, [scenario])
        lines.append(PrintLine(scenario.title, go, document.boxed))
    return lines


async def _army_lines(
    app: Host, document: Printable, words_before_name: str = ""
) -> list[PrintLine]:
    """A line for each saved army."""
    lines = []
    for army in await app.stored(lambda store: store.armies()):
        go = partial(_print_army, app, document, army)
        lines.append(PrintLine(words_before_name + army.name, go, document.boxed))
    return lines


async def _tag_lines(app: Host, document: Printable) -> list[PrintLine]:
    """Tags for all units, for those of an army, or for the works of a scenario; or on labels."""
    print_all = partial(print_document, app, document, None)
    lines = [PrintLine("Tags for every type of unit", print_all, document.boxed)]
    lines += await _army_lines(app, document, "Tags for ")
    scenarios = await asyncio.to_thread(library.scenarios)
    for number, scenario in scenarios.items():
        works = total_counts(side.works() for side in scenario.sides)  # bunkers, wire and the like
        if works:
            go = partial(print_document, app, document, None, works=works)
            text = f"As many works as in scenario {number}"
            lines.append(PrintLine(text, go, document.boxed))
    labels = PLASTIC["labels"]
    lines.append(PrintLine(labels.title, partial(_choose_labels, app, labels)))
    return lines


async def _choose_labels(app: Host, document: Printable, form: bool) -> None:
    """Ask for the make of label sheet, then for the tags."""
    lines = []
    for stock in STOCKS.values():
        lines.append(PrintLine(stock.title, partial(_print_labels, app, document, stock)))
    await _choose_and_print(app, f"Print {_in_a_sentence(document.title)}", lines, form)


async def _print_labels(app: Host, document: Printable, stock: LabelStock, form: bool) -> None:
    """Ask whose tags go on the labels, and print them."""

    async def print_tags(record: ArmyRecord | None, form: bool) -> None:
        army = None
        if record is not None:
            army = await asyncio.to_thread(_read_army, record)
        await print_document(app, document, army, form, labels=stock.name)

    lines = [PrintLine("Tags for every type of unit", partial(print_tags, None))]
    for record in await app.stored(lambda store: store.armies()):
        lines.append(PrintLine(f"Tags for {record.name}", partial(print_tags, record)))
    await _choose_and_print(app, f"Print labels, {stock.title}", lines, form)


async def _print_odds(app: Host, document: Printable) -> None:
    """Print the odds table by the rulings that are in force where no battle is open."""
    in_force = in_force_on((), app.settings)
    answers = library.rulings().answered(in_force.answers)
    tables = await asyncio.to_thread(default_tables, library.catalog(), answers)
    await print_document(app, document, tables, whose=f"Rulings {in_force.whose}")


async def _print_army(app: Host, document: Printable, record: ArmyRecord, form: bool) -> None:
    army = await asyncio.to_thread(_read_army, record)
    await print_document(app, document, army, form)


def _read_army(record: ArmyRecord) -> Army:
    return library.stored_army(record.body, record.name)


# ------------------------------------------------------------------ making a sheet


async def print_document(
    app: Host, document: Printable | str, subject: Any = None, form: bool = False, **further: Any
) -> None:
    """Print a document, or that of WWII Plastic Skirmish with this id, to the app's folder.
    ``subject`` is what it shows (an army, scenarios, tables; None for a blank sheet), ``form``
    whether boxes can be ticked in the PDF, ``further`` are options that this document alone has."""
    if isinstance(document, str):
        document = PLASTIC[document]
    options = PrintOptions(app.settings.paper, app.settings.ink, form)
    make = partial(document.pdf, subject, options, **further)
    await print_made(app, document.file_name(subject), make)


async def print_opening(app: Host, setup: Setup, form: bool = False) -> None:
    """The scenario sheet of a battle or the rosters of both armies, with the numbers and rulings of
    that battle."""
    if setup.scenario:
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
    """Print a document of a game; its record is read for the day on which it began."""
    async with app.reporting("Printing failed"):
        record = await app.stored(lambda store: store.battle(session.id))
        stored = StoredGame(session.id, session.play, record.started)
        await print_document(app, document, stored, form)


async def open_printed(app: Host) -> None:
    """Open the sheet printed last in the desktop's viewer."""
    path = app.printed
    if path is None:
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
    # Characters that no font has are noted as a sheet is made. Those of an earlier one are dropped.
    missing_signs.take_missing_signs()
    try:
        sheet = await working(app, "Printing", asyncio.to_thread(make))
    except DataError as error:  # a typeface is missing
        await app.show_message("Printing failed", str(error))
        return
    except Exception:  # whatever fails in a sheet, the game goes on without it
        await app.show_message("Printing failed", not_available("The page is"))
        return
    await write_made(app, name, sheet, SHEET)


async def write_made(app: Host, file_name: str, content: bytes, kind: FileKind) -> None:
    """Write a file to the app's folder, in a browser also hand it to the page, and show where it
    is."""
    if app.is_web:
        stream = io.BytesIO(content)
        app.deliver_binary(stream, save_filename=file_name, mime_type=kind.mime_type)
    try:
        path = await asyncio.to_thread(write_beside, app.folder / file_name, content)
    except OSError as error:
        if not app.is_web:
            message = f"{kind.name} could not be written to {app.folder}: {reason(error)}."
            await app.show_message(kind.title_failed, message)
            return
        where = IN_THE_BROWSER  # which has the file, if the serving machine has not
    else:
        if kind.opens and not app.is_web:
            app.printed = path
        where = _where_written(app, path, kind)
    message = "\n".join(filter(None, (where, missing_signs.take_missing_signs())))
    app.notify(message, title=kind.title_written, timeout=8, markup=False)


def _where_written(app: Host, path: Path, kind: FileKind) -> str:
    """Where a file is and how it is opened, in words."""
    if app.is_web:
        return f"{IN_THE_BROWSER} It is also on the computer that runs Skirmish: {path}"
    if not kind.opens or opener() is None:
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
    search: Callable[[str], str | None] = shutil.which,
) -> list[str] | None:
    """The command that opens a file appended to it; None if there is no viewer, as on a console
    without a desktop. Empty on Windows, which opens files by itself."""
    if platform == "win32":
        return []
    if platform == "darwin":
        return ["open"]
    if not any(environment.get(name) for name in DESKTOPS):
        return None  # xdg-open would start a text browser on top of the app
    for name in OPENERS:
        program = search(name)
        if program:
            return [program]
    return None


def open_beside(path: Path, command: list[str]) -> None:
    """Open a file without waiting for the viewer. Raises OSError."""
    if sys.platform == "win32" and not command:
        os.startfile(path)
        return
    viewer = subprocess.Popen(
        [*command, str(path)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # out of reach of the app's Ctrl+C
    )
    # Whoever does not wait for a program that ends leaves a zombie of it.
    threading.Thread(target=viewer.wait, daemon=True).start()
