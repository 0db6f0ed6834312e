"""The printable documents of every registered game, for the app and the command line alike.

A game's own sheets are listed in the module that its entry in the registry names; all its pages can
be printed besides. Nothing here loads the PDF library before something is printed."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, Literal, NamedTuple, TypeAlias

from msgspec.structs import replace

from skirmish import registry
from skirmish.sheets.inks import InkUse
from skirmish.sheets.paper import Paper, leaf_of
from skirmish.tabletop.game import Document
from skirmish.tabletop.journal import Play
from skirmish.tabletop.page import Badge

SHEET = "sheet"
"""The id of a play sheet."""
LINES_OF_BAND = 3
"""The most lines beside the title in the title band of a page (``Page.about``)."""
Subject: TypeAlias = Literal["nothing", "scenario", "own", "army", "tags", "labels", "odds", "game"]
"""What a document is made from, and with it the type of the argument of ``Printable.pdf``:

* ``nothing``: None; the document is always the same.
* ``scenario``: a list of scenarios.
* ``own``: the player's own scenarios, of which there is at least one.
* ``army``: an army.
* ``tags``: an army whose units get a tag each, or None for tags without names.
* ``labels``: the same, on label sheets whose name is a further option (``labels``).
* ``odds``: the odds tables, those from cards and those from the die.
* ``game``: a stored game, or None for an empty sheet.
"""


class PrintOptions(NamedTuple):
    """Print options; ``form``: with boxes that can be ticked on the screen."""

    paper: Paper = "a4"
    use: InkUse = "colour"
    form: bool = False


class Printable(NamedTuple):
    """A document that can be printed."""

    id: str
    title: str
    """Its name in menus."""
    called: str
    """Its name in messages."""
    made_from: Subject
    file_name: Callable[[Any], str]
    """Gives the name of the PDF file for a subject."""
    build: str | Callable[..., bytes]
    """Makes the PDF: a function, or where one is in this package (``module:function``)."""
    boxed: bool = False
    """Whether its boxes can be ticked on the screen."""
    empty: bool = False
    """Whether it can be printed without a game."""

    def pdf(self, subject: Any, options: PrintOptions, **further: Any) -> bytes:
        """The document as a PDF file, of the subject that ``made_from`` names. ``further``: options
        that this document alone has, such as the label sheets."""
        if self.boxed:
            further["form"] = options.form
        build = self._builder()
        return build(subject, paper=options.paper, use=options.use, **further)

    def _builder(self) -> Callable[..., bytes]:
        if not isinstance(self.build, str):
            return self.build
        # Named, and not imported at the start, since it loads the PDF library.
        builder: Callable[..., bytes] = _function(self.build)
        return builder


def _function(address: str) -> Any:
    """The function of this package that is called ``module:function``."""
    module, _, function = address.partition(":")
    return getattr(import_module(f"skirmish.sheets.{module}"), function)


class StoredGame(NamedTuple):
    """A stored game to print; ``started``: its date as stored; ``game``: its id in the registry."""

    number: int
    play: Play[Any, Any, Any]
    started: str
    game: str = ""


def of_game(id: str) -> dict[str, Printable]:
    """The documents of a game by id: its own sheets, then its pages; a sheet replaces the page with
    the same id."""
    documents: dict[str, Printable] = {}
    listed = registry.listed(id)
    if listed is not None and listed.sheets:
        for sheet in import_module(listed.sheets).documents():
            documents[sheet.id] = sheet
    for page in registry.load(id).documents():
        documents.setdefault(page.id, of_page(id, page))
    return documents


def game_file(game: str, document: str) -> Callable[[object], str]:
    """``beach-head-3-report.pdf``; a play sheet has only the name of its game, an empty one no
    number."""

    def file_name(stored: object) -> str:
        parts = [game.replace("_", "-")]
        if isinstance(stored, StoredGame):
            parts.append(str(stored.number))
        if document != SHEET:
            parts.append(document)
        return f"{'-'.join(parts)}.pdf"

    return file_name


def of_page(game: str, document: Document, drawings: str = "") -> Printable:
    """A page of a game as a printable document. ``drawings``: a function of this package that draws
    the pictures which the page names (``module:function``), from the leaf and the stored game or,
    for an empty sheet, None."""
    called = document.title.removeprefix("The ").capitalize()  # of "The report": "Report"

    def pdf(stored: StoredGame | None, **options: Any) -> bytes:
        from skirmish.sheets.page_sheet.document import page_pdf  # noqa: PLC0415  (loads the PDF library)

        number = ""
        if stored is not None:
            number = str(stored.number)
            page = document.build(stored.play)
        else:
            assert document.empty is not None, document.id
            page = document.empty()
        # The heading adds what the title lacks: the document, or else the game.
        heading = called
        if page.title == document.title:
            heading = registry.load(game).name
        beside_title = (heading, *page.about)
        page = replace(
            page,
            badge=Badge("Game", number),
            about=beside_title[:LINES_OF_BAND],
            foot=f"{heading} · {page.title}",
        )
        if drawings:
            draw = _function(drawings)
            options["drawings"] = draw(leaf_of(options.get("paper", "a4")), stored)
        return page_pdf(page, notes=True, **options)

    return Printable(
        id=document.id,
        title=document.title,
        called=called,
        made_from="game",
        file_name=game_file(game, document.id),
        build=pdf,
        empty=document.empty is not None,
    )
