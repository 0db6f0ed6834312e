"""What to print, asked in a window: from home every document there is, from a game all that there
is of it. The window shows on which paper, with which ink and boxes.

Paper and ink are settings: what is changed here is kept. Boxes to tick on the screen are for this
print only.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, ClassVar

from msgspec.structs import replace
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import OptionList, Static

from skirmish import registry
from skirmish.app import printing
from skirmish.app.binding import keys
from skirmish.app.fitting import shortened
from skirmish.app.host import Host
from skirmish.app.session import AnySession
from skirmish.app.settings.screen import LINES
from skirmish.app.windows import ChoiceScreen

if TYPE_CHECKING:
    from skirmish.games.plastic.rules.army import Army
    from skirmish.sheets.documents import Printable
    from skirmish.store.records import ArmyRecord, BattleRecord


class PrintScreen(ChoiceScreen):
    """Which sheet; gives its id as ``ChoiceScreen`` does. ``form`` says whether its boxes are to be
    ticked on the screen; ``boxed`` are the ids of the sheets that can have such boxes."""

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
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "print",
        ("paper", "p", "paper", "", "A4 or Letter"),
        ("ink", "i", "ink", "", "Full colour, or ink saver"),
        ("boxes", "f", "boxes", "", "Boxes to tick on paper or on screen"),
    )

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

    async def action_paper(self) -> None:
        await self._turn("paper")

    async def action_ink(self) -> None:
        await self._turn("ink")

    async def _turn(self, name: str) -> None:
        settings = self.skirmish.settings
        value = LINES[name].turned(getattr(settings, name), 1)
        await self.skirmish.change_settings(replace(settings, **{name: value}))
        self._paint()

    def action_boxes(self) -> None:
        self.form = not self.form
        self._paint()

    def _has_boxes(self) -> bool:
        listed = self.query_one(OptionList)
        if listed.highlighted is None:
            return False
        return listed.get_option_at_index(listed.highlighted).id in self._boxed

    def _paint(self) -> None:
        settings = self.skirmish.settings
        boxes = "in the PDF" if self.form else "on paper"
        parts = [
            ("paper", "p", f"Paper: {LINES['paper'].words(settings.paper)}", True),
            ("ink", "i", f"Ink: {LINES['ink'].words(settings.ink)}", True),
            ("boxes", "f", f"Tick boxes: {boxes}", True)
            if self._has_boxes()
            else ("boxes", "f", "No tick boxes", False),
        ]
        self.query_one("#print-look", Static).update(
            Content("\n").join(
                [Content(""), Content("   ").join(self._part(*part) for part in parts)]
            )
        )

    def _part(self, verb: str, key: str, words: str, now: bool) -> Content:
        shown = self.skirmish.key(f"print.{verb}", key)
        said = Content.assemble((f" {shown} ", "$accent bold" if now else ""), words)
        return said.stylize(f"@click=screen.{verb}") if now else said.stylize("$foreground 60%")


STORED, OPENING, EVERY_TYPE = "stored", "opening", "every type"
OTHER_GAMES = "other games"
LINE = 64
"""Cells of a line in the window, with a full stop behind it."""


async def choose_what_to_print(app: Host, battle: BattleRecord | None) -> None:
    documents, sheets = await asyncio.to_thread(_of_no_game)
    choices = [(id, one.title) for id, one in documents.items()]
    choices.append((OTHER_GAMES, "Play sheets of other games"))
    if battle is not None:
        listed = registry.listed(battle.game)
        noun = listed.noun if listed else "game"
        choices.append((STORED, f"Sheets for the {noun}: {battle.title}"))
    chosen, form = await _ask(app, "Print", choices, boxed=_boxed(documents))
    if chosen == OTHER_GAMES:
        named = [(id, id) for id in sheets]
        chosen, form = await _ask(app, "Print a play sheet", named, boxed=_boxed(sheets))
    if chosen == STORED and battle is not None:
        await _print_stored(app, battle)
    elif chosen is not None:
        await _print(app, (documents | sheets)[chosen], form)


def _boxed(documents: dict[str, Printable]) -> list[str]:
    return [id for id, one in documents.items() if one.boxed]


def _of_no_game() -> tuple[dict[str, Printable], dict[str, Printable]]:
    """What there is of WWII Plastic Skirmish, and the empty sheets of other games, each with its
    name."""
    from skirmish.sheets.documents import of_game
    from skirmish.sheets.plastic import PLASTIC

    found = {one.id: one for one in PLASTIC.values() if one.of != "game"}
    sheets: dict[str, Printable] = {}
    for game in registry.GAMES:
        for one in of_game(game.id).values():
            if one.empty:
                sheets[f"{game.name}: {one.title[:1].lower()}{one.title[1:]}"] = one
    return found, sheets


async def _print(app: Host, document: Printable, form: bool) -> None:
    match document.of:
        case "scenario":
            await _print_scenario(app, document, form)
        case "army" | "tags":
            await _print_for_army(app, document, form)
        case "odds":
            await _print_odds(app, document)
        case _:
            await printing.print_document(app, document, None, form=form)


async def _print_stored(app: Host, record: BattleRecord) -> None:
    from skirmish.app.session import Session
    from skirmish.app.working import working
    from skirmish.store.errors import StoreError
    from skirmish.tabletop.journal import RecordError

    noun = getattr(registry.listed(record.game), "noun", "game")
    try:
        reading = Session.resumed(registry.load(record.game), app.stored, record.id)
        session = await working(app, f"Reading the {noun}", reading)
    except (StoreError, RecordError, LookupError) as error:
        await app.show_message(f"This {noun} could not be read", str(error))
        return
    await choose_document(app, session)


async def choose_document(app: Host, session: AnySession) -> None:
    """Ask which document of a game, and print it. Await it in a worker."""
    from skirmish.sheets.documents import of_game

    documents = {id: one for id, one in of_game(session.game.id).items() if one.of == "game"}
    choices = [(one.id, one.title) for one in documents.values()]
    boxed = [one.id for one in documents.values() if one.boxed]
    if session.game.id == registry.BATTLE.id:
        setup = session.state.setup
        sheet = "The scenario sheet" if setup.scenario else "The rosters of both armies"
        choices.insert(0, (OPENING, sheet))
        boxed.append(OPENING)
    chosen, form = await _ask(app, "Print", choices, boxed=boxed)
    if chosen == OPENING:
        await printing.print_opening(app, session.state.setup, form=form)
    elif chosen is not None:
        await printing.print_of_game(app, documents[chosen], session, form=form)


async def _ask(
    app: Host,
    title: str,
    choices: Sequence[tuple[str, str]],
    *,
    boxed: Collection[str] = (),
    form: bool = False,
) -> tuple[str | None, bool]:
    goes = "A PDF for your browser." if app.is_web else f"A PDF in {_end(str(app.folder))}."
    screen = PrintScreen(title, goes, choices, boxed=boxed, form=form)
    chosen = await app.push_screen_wait(screen)
    return chosen, screen.form


def _end(folder: str) -> str:
    """A folder on one line: of a deep one, where it ends. Whoever prints is told all of it."""
    return shortened(folder[::-1], LINE)[::-1]


async def _print_scenario(app: Host, document: Printable, form: bool) -> None:
    from skirmish import library

    scenarios = await asyncio.to_thread(library.scenarios)
    lines = [(str(n), s.title) for n, s in scenarios.items()]  # the window counts them itself
    boxed = [name for name, _ in lines]
    chosen, form = await _ask(app, "Print a scenario sheet", lines, boxed=boxed, form=form)
    if chosen is not None:
        await printing.print_document(app, document, [scenarios[int(chosen)]], form=form)


async def _print_for_army(app: Host, document: Printable, form: bool) -> None:
    armies, tags = await _armies(app), document.of == "tags"
    if armies is None:
        return
    if not armies and not tags:
        app.notify("There is no army yet. Press a on the home screen to build one.", markup=False)
        return
    chosen: str | None = EVERY_TYPE
    if armies:
        lines = [(EVERY_TYPE, "Tags for every type of unit")] if tags else []
        named = "Tags for {}" if tags else "{}"
        lines += [(str(army.id), named.format(army.name)) for army in armies]
        boxed = [name for name, _ in lines] if document.boxed else []
        title = "Print markers and templates" if tags else "Print a roster"
        chosen, form = await _ask(app, title, lines, boxed=boxed, form=form)
    if chosen == EVERY_TYPE:
        await printing.print_document(app, document, None, form=form)
    elif chosen is not None and (army := await _read(app, armies, chosen)):
        await printing.print_document(app, document, army, form=form)


async def _print_odds(app: Host, document: Printable) -> None:
    from skirmish.app.odds import usual
    from skirmish.app.reference.rulings import in_force_on

    in_force = in_force_on((), app.settings)
    fire = await asyncio.to_thread(usual, in_force)
    whose = f"Rulings {in_force.whose}"
    await printing.print_document(app, document, (fire.cards, fire.die), whose=whose)


async def _armies(app: Host) -> list[ArmyRecord] | None:
    """The armies; None, and told, where they cannot be read."""
    from skirmish.store.errors import StoreError

    try:
        return await app.stored(lambda store: store.armies())
    except StoreError as error:
        await app.show_message("The armies could not be read", str(error))
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
        await app.show_message("This army could not be read", str(error))
        return None
