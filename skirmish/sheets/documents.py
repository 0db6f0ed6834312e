"""The printable documents of every registered game, for the app and the command line alike. Begin
with ``documents_of_game``.

The sheets that a game has of its own are listed in the module that its entry in the registry names;
each of its pages can be printed besides. Nothing here loads the PDF library before something is
printed."""

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
from skirmish.tabletop.page import Badge, Page

SHEET = "sheet"
"""The id of the play sheet of a game: a form for a game that is played on paper."""
MOST_LINES_BESIDE_TITLE = 3
"""The most lines beside the title in a title band: a heading and the lines of ``Page.about``."""
Subject: TypeAlias = Literal["nothing", "scenario", "own", "army", "tags", "labels", "odds", "game"]
"""What a document is made from, and with it the type of the argument of ``Printable.pdf``:

* ``nothing``: None; the document is always the same.
* ``scenario``: a list of scenarios.
* ``own``: the player's own scenarios, of which there is at least one.
* ``army``: an army.
* ``tags``: an army whose pieces get a tag each, or None for some tags of each type.
* ``labels``: the same, on label sheets whose name is a further option (``labels``).
* ``odds``: the odds tables, those from cards and those from the die.
* ``game``: a stored game, or None for an empty sheet.
"""


class PrintOptions(NamedTuple):
    """How a document is printed. ``form``: with boxes that can be ticked in a PDF viewer."""

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
    """The function that makes the PDF, or the address of one in this package (``module:function``).
    """
    boxed: bool = False
    """Whether it has boxes that can be ticked in a PDF viewer."""
    has_empty_sheet: bool = False
    """Whether it can be printed without a game, as an empty sheet."""

    def pdf(self, subject: Any, options: PrintOptions, **further: Any) -> bytes:
        """The document as a PDF file. ``subject``: of the type that ``made_from`` names;
        ``further``: options that only this document has, such as the label sheets."""
        if self.boxed:
            further["form"] = options.form
        build = self._builder()
        return build(subject, paper=options.paper, use=options.use, **further)

    def _builder(self) -> Callable[..., bytes]:
        """The function that makes the PDF."""
        if not isinstance(self.build, str):
            return self.build
        # Imported only now, since its module loads the PDF library.
        builder: Callable[..., bytes] = _function(self.build)
        return builder


def _function(address: str) -> Any:
    """The function of this package with the address ``module:function``."""
    module, _, function = address.partition(":")
    return getattr(import_module(f"skirmish.sheets.{module}"), function)


class StoredGame(NamedTuple):
    """A stored game to print. ``number``: its number in the store; ``started``: its date as stored;
    ``game``: the id of the game that is played, as in the registry; empty where no document needs
    it."""

    number: int
    play: Play[Any, Any, Any]
    started: str
    game: str = ""


def documents_of_game(id: str) -> dict[str, Printable]:
    """The documents of a game by their ids: its own sheets, then its pages. A sheet replaces the
    page with the same id."""
    documents: dict[str, Printable] = {}
    listed_game = registry.listed(id)
    if listed_game is not None and listed_game.sheets:
        for sheet in import_module(listed_game.sheets).documents():
            documents[sheet.id] = sheet
    for page in registry.load(id).documents():
        documents.setdefault(page.id, printable_page(id, page))
    return documents


def game_file_name(game: str, document: str) -> Callable[[object], str]:
    """Gives the name of a document's PDF file for a stored game: ``beach-head-3-report.pdf``. The
    name of a play sheet leaves out the document, and that of an empty sheet the number."""

    def file_name(stored: object) -> str:
        parts = [game.replace("_", "-")]
        if isinstance(stored, StoredGame):
            parts.append(str(stored.number))
        if document != SHEET:
            parts.append(document)
        return f"{'-'.join(parts)}.pdf"

    return file_name


def printable_page(
    game: str, document: Document, drawings: str = "", side_looks: str = ""
) -> Printable:
    """A page of a game as a printable document. ``drawings``: the address of a function of this
    package that draws the pictures which the page names (``module:function``). It gets the leaf
    and the stored game, or None for an empty sheet. ``side_looks``: the address of a function that
    gets the stored game and gives the looks of its two sides."""
    called = document.title.removeprefix("The ").capitalize()  # ``Report`` for ``The report``

    def pdf(stored: StoredGame | None, **options: Any) -> bytes:
        from skirmish.sheets.page_sheet.document import page_pdf  # noqa: PLC0415  (loads the PDF library)

        page = _built_page(document, stored)
        # The heading adds what the title lacks: the name of the document, or else of the game.
        heading = called
        if page.title == document.title:
            heading = registry.load(game).name
        if drawings:
            draw = _function(drawings)
            paper = options.get("paper", PrintOptions().paper)
            options["drawings"] = draw(leaf_of(paper), stored)
        if side_looks and stored is not None:
            options["sides"] = _function(side_looks)(stored)
        # ``notes``: the rest of the last sheet has lines to write on.
        return page_pdf(_with_title_band(page, heading, stored), notes=True, **options)

    return Printable(
        id=document.id,
        title=document.title,
        called=called,
        made_from="game",
        file_name=game_file_name(game, document.id),
        build=pdf,
        has_empty_sheet=document.empty is not None,
    )


def _built_page(document: Document, stored: StoredGame | None) -> Page:
    """The page of a stored game, or without one the page as an empty sheet."""
    if stored is not None:
        return document.build(stored.play)
    assert document.empty is not None, document.id
    return document.empty()


def _with_title_band(page: Page, heading: str, stored: StoredGame | None) -> Page:
    """A page with what paper has besides: the number of the game in the title band, a heading
    there, and a footer."""
    number = ""
    if stored is not None:
        number = str(stored.number)
    beside_title = (heading, *page.about)
    return replace(
        page,
        badge=Badge("Game", number),
        about=beside_title[:MOST_LINES_BESIDE_TITLE],
        foot=f"{heading} · {page.title}",
    )
