"""Which documents can be printed from a screen, and what each has to ask first: whose army, which
scenario, which label sheets. Begin with ``choose_what_to_print``. ``PrintScreen`` is the window
that asks; ``printing`` makes what is chosen."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from msgspec.structs import replace
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import OptionList, Static

from skirmish import library, registry
from skirmish.app.asking import ChoiceScreen, OfferedChoice
from skirmish.app.binding import keys
from skirmish.app.host import Host
from skirmish.app.printing import print_document, print_of_game, print_opening
from skirmish.app.reference.rulings import in_force_on
from skirmish.app.settings.screen import LINES as SETTING_LINES
from skirmish.app.text_rows import shortened
from skirmish.app.text_styles import KEY
from skirmish.app.windows import working
from skirmish.games.plastic.odds.table import default_tables
from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.rules.catalog import total_counts
from skirmish.session import AnySession, Session
from skirmish.sheets.documents import Printable, Subject, documents_of_game
from skirmish.sheets.label_stock import STOCKS, LabelStock
from skirmish.sheets.plastic import DOCUMENT_BY_ID

if TYPE_CHECKING:
    from skirmish.store.records import ArmyRecord, BattleRecord

CELLS_OF_LINE = 64
"""Cells of a line in the window before its full stop."""


class PrintLine(NamedTuple):
    """A line of the window."""

    text: str
    print_or_ask: Callable[[bool], Awaitable[None]]
    """Prints its document, or asks for the subject of it first. The argument is called ``form``
    below: whether its boxes are ticked on the screen, in a PDF viewer, or else on paper."""
    boxed: bool = False
    """Whether its document can have such boxes."""


async def _choose_and_print(
    app: Host, title: str, lines: Sequence[PrintLine], form: bool = False
) -> None:
    """Show the lines and print the chosen one; returns once its sheet is written."""
    if app.is_web:
        text = "A PDF for your browser."
    else:
        text = f"A PDF in {_end_of_path(str(app.folder))}."
    choices = []
    boxed = []
    for index, line in enumerate(lines):
        choice_id = str(index)
        choices.append(OfferedChoice(choice_id, line.text))
        if line.boxed:
            boxed.append(choice_id)
    screen = PrintScreen(title, text, choices, boxed=boxed, form=form)
    chosen = await app.push_screen_wait(screen)
    if chosen is not None:
        line = lines[int(chosen)]  # the id of a choice is the index of its line
        async with app.reporting("Printing failed"):
            await line.print_or_ask(screen.form)


def _end_of_path(path: str) -> str:
    """The end of a long path, which tells more than its beginning."""
    # ``shortened`` cuts off the end of a text, so the path is turned round.
    backward = path[::-1]
    return shortened(backward, CELLS_OF_LINE)[::-1]


async def choose_what_to_print(app: Host, battle: BattleRecord | None) -> None:
    """Ask for any document and print it; those of ``battle`` are offered as well. For a worker,
    since it waits for windows."""
    lines = await asyncio.to_thread(every_document, app)
    play_sheets = await asyncio.to_thread(blank_sheets, app)
    choose_play_sheet = partial(_choose_and_print, app, "Print a play sheet", play_sheets)
    lines.append(PrintLine("Play sheets of other games", choose_play_sheet))
    if battle is not None:
        game = registry.listed(battle.game)
        noun = "game"
        if game is not None:
            noun = game.noun
        print_battle = partial(_choose_stored, app, battle, noun)
        lines.append(PrintLine(f"Sheets for the {noun}: {battle.title}", print_battle))
    await _choose_and_print(app, "Print", lines)


def every_document(app: Host) -> list[PrintLine]:
    """The documents of WWII Plastic Skirmish; those with a subject ask for it. It reads files: the
    book of the player's own scenarios is offered only if there is such a scenario."""
    # Labels are offered with the tags that go on them (``_tag_lines``), and sheets of a game with
    # that game (``documents_of``).
    left_out: set[Subject] = {"game", "labels"}
    if not library.own_scenarios():
        left_out.add("own")
    lines = []
    for document in DOCUMENT_BY_ID.values():
        if document.made_from not in left_out:
            lines.append(_document_line(app, document.title, document))
    return lines


def blank_sheets(app: Host) -> list[PrintLine]:
    """The blank play sheets of the games beside WWII Plastic Skirmish. It takes a while, as it
    imports the sheets of every game."""
    lines = []
    for game in registry.GAMES:
        for sheet in documents_of_game(game.id).values():
            if sheet.has_empty_sheet:
                text = f"{game.name}: {_in_a_sentence(sheet.title)}"
                lines.append(_document_line(app, text, sheet))
    return lines


def _document_line(app: Host, text: str, document: Printable) -> PrintLine:
    """The line of a document, which asks for its subject if it has one."""
    return PrintLine(text, partial(_print_after_asking, app, document), document.boxed)


def _in_a_sentence(title: str) -> str:
    """A title as it stands within a sentence: it begins with a small letter."""
    return title[:1].lower() + title[1:]


async def _choose_stored(app: Host, record: BattleRecord, noun: str, form: bool) -> None:
    """Read a stored game, then ask which of its documents to print."""
    del form  # the next window asks for it anew
    reading = Session.resumed(registry.load(record.game), app.stored, record.id)
    session = await working(app, f"Reading the {noun}", reading)
    await choose_document(app, session)


async def choose_document(app: Host, session: AnySession) -> None:
    """Ask for a document of a game and print it. For a worker, since it waits for windows."""
    await _choose_and_print(app, "Print", documents_of(app, session))


def documents_of(app: Host, session: AnySession) -> list[PrintLine]:
    """The documents of a game; for a battle of WWII Plastic Skirmish, also what it began with."""
    lines = []
    if session.game.id == registry.BATTLE.id:
        setup = session.state.setup
        opening = partial(print_opening, app, setup)
        if setup.scenario is not None:
            lines.append(PrintLine("The scenario sheet", opening, boxed=True))
        # The groups of a campaign bring no army lists to a battle: their rosters are among the
        # documents below.
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
            await _choose_subject(app, document, await _scenario_lines(app, document), form)
        case "army":
            armies = await _army_lines(app, document)
            if armies:
                await _choose_subject(app, document, armies, form)
            else:
                message = "There is no army yet. Press a on the home screen to build one."
                app.notify(message, markup=False)
        case "tags":
            await _choose_subject(app, document, await _tag_lines(app, document), form)
        case "own":
            await _print_own_scenarios(app, document, form)
        case "odds":
            await _print_odds(app, document)
        case _:
            await print_document(app, document, None, form)


async def _choose_subject(
    app: Host, document: Printable, lines: Sequence[PrintLine], form: bool
) -> None:
    """Ask for the subject of a document and print it; there is a line for each subject."""
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
    """Tags for all units, for those of an army or for the works of a scenario; and labels."""
    print_all = partial(print_document, app, document, None)
    lines = [PrintLine("Tags for every type of unit", print_all, document.boxed)]
    lines += await _army_lines(app, document, "Tags for ")
    scenarios = await asyncio.to_thread(library.scenarios)
    for number, scenario in scenarios.items():
        # Bunkers, wire and the like.
        works = total_counts(side.works() for side in scenario.sides)
        if works:
            go = partial(print_document, app, document, None, works=works)
            text = f"As many works as in scenario {number}"
            lines.append(PrintLine(text, go, document.boxed))
    labels = DOCUMENT_BY_ID["labels"]
    lines.append(PrintLine(labels.title, partial(_choose_labels, app, labels)))
    return lines


async def _choose_labels(app: Host, document: Printable, form: bool) -> None:
    """Ask for the make of label sheet, then whose tags go on it."""
    lines = []
    for stock in STOCKS.values():
        lines.append(PrintLine(stock.title, partial(_print_labels, app, document, stock)))
    await _choose_subject(app, document, lines, form)


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


async def _print_own_scenarios(app: Host, document: Printable, form: bool) -> None:
    """Print the book of the player's own scenarios, which may have been deleted meanwhile."""
    own = await asyncio.to_thread(library.own_scenarios)
    if own:
        await print_document(app, document, list(own.values()), form)
    else:
        app.notify("You no longer have a scenario of your own.", markup=False)


async def _print_odds(app: Host, document: Printable) -> None:
    """Print the odds tables by the rulings in the player's settings."""
    no_screens = ()  # a battle has rulings of its own, which do not count here
    in_force = in_force_on(no_screens, app.settings)
    answers = library.rulings().answered(in_force.answers)
    tables = await asyncio.to_thread(default_tables, library.catalog(), answers)
    await print_document(app, document, tables, rulings_phrase=f"Rulings {in_force.origin}")


async def _print_army(app: Host, document: Printable, record: ArmyRecord, form: bool) -> None:
    """Print a document of a stored army."""
    army = await asyncio.to_thread(_read_army, record)
    await print_document(app, document, army, form)


def _read_army(record: ArmyRecord) -> Army:
    return library.stored_army(record.body, record.name)


# ------------------------------------------------------------------ the window that asks


class LookKey(NamedTuple):
    """A key that changes how sheets look, as a row of ``keys()``."""

    name: str
    default_key: str
    action: str
    label: str
    tooltip: str


# They have no label, since a key with one is also in the foot of the screen: the window itself
# shows these keys (``_look``), each with what it has set.
LOOK_KEYS = (
    LookKey("paper", "p", "turn('paper')", "", "A4 or Letter"),
    LookKey("ink", "i", "turn('ink')", "", "Full colour, or ink saver"),
    LookKey("boxes", "f", "boxes", "", "Boxes to tick on paper or on screen"),
)


class PrintScreen(ChoiceScreen):
    """Choose a sheet; returns its id like ``ChoiceScreen``. Paper and ink are settings, which its
    keys change for good; where boxes are ticked is chosen for one print."""

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
        choices: Sequence[OfferedChoice],
        *,
        boxed: Collection[str] = (),
        form: bool = False,
    ) -> None:
        super().__init__(title, text, choices)
        self.form = form
        """Whether the boxes of the sheet are ticked on the screen, in a PDF viewer."""
        self._boxed = boxed
        """The ids of the sheets that can have such boxes."""

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
        """Give a setting its next value, for good."""
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
        looks = []
        for look_key in LOOK_KEYS:
            looks.append(self._look(look_key))
        text = Content("\n").join([Content(""), Content("   ").join(looks)])
        self.query_one("#print-look", Static).update(text)

    def _look(self, look_key: LookKey) -> Content:
        """How sheets look now in one respect, with the key that changes it."""
        key = self.skirmish.key(f"print.{look_key.name}", look_key.default_key)
        if look_key.name == "boxes" and not self._has_boxes():
            return Content.styled(f" {key} No tick boxes", "$foreground 60%")
        look = Content.assemble((f" {key} ", KEY), self._look_words(look_key.name))
        return look.stylize(f"@click=screen.{look_key.action}")

    def _look_words(self, name: str) -> str:
        """The present value of a setting, or where boxes are ticked, with what it is called."""
        if name == "boxes":
            if self.form:
                return "Tick boxes: in the PDF"
            return "Tick boxes: on paper"
        setting = SETTING_LINES[name]
        return f"{setting.label}: {setting.shown(getattr(self.skirmish.settings, name))}"
