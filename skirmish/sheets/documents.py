"""The printable documents of every registered game, for the app and the command line alike."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, Literal, NamedTuple, TypeAlias

from msgspec.structs import replace

from skirmish import registry
from skirmish.sheets.inks import InkUse
from skirmish.sheets.paper import Paper
from skirmish.tabletop.game import Document
from skirmish.tabletop.journal import Play

SHEET = "sheet"
"""The id of a play sheet."""
Subject: TypeAlias = Literal["nothing", "scenario", "army", "tags", "odds", "game"]
"""The subject of a document: none, a list of scenarios, an army, an army or None, odds tables (from
cards, from the die), a stored game (or None: an empty sheet)."""


class Look(NamedTuple):
    """Print options; ``form``: with boxes that can be ticked on the screen."""

    paper: Paper = "a4"
    use: InkUse = "colour"
    form: bool = False


class Printable(NamedTuple):
    """A document. ``title`` is its name in menus, ``called`` in messages; ``build``, or the
    function of that name in a module of this package, makes the PDF. ``boxed``: its boxes can be
    ticked on the screen; ``empty``: it can be printed without a game."""

    id: str
    title: str
    called: str
    of: Subject
    name: Callable[[Any], str]
    build: str | Callable[..., bytes]
    boxed: bool = False
    empty: bool = False

    def pdf(self, subject: Any, look: Look, **more: Any) -> bytes:
        """``more``: further options of the document, such as a revision."""
        build = self.build
        if isinstance(build, str):  # loads the PDF library
            module, _, function = build.partition(":")
            build = getattr(import_module(f"skirmish.sheets.{module}"), function)
        if self.boxed:
            more["form"] = look.form
        return build(subject, paper=look.paper, use=look.use, **more)


class StoredGame(NamedTuple):
    """A stored game to print; ``started``: its date as stored; ``game``: its id in the registry."""

    number: int
    play: Play[Any, Any, Any]
    started: str
    game: str = ""


def of_game(id: str) -> dict[str, Printable]:
    """The documents of a game by id: its own sheets, then its pages; a sheet replaces the page with
    the same id."""
    listed = registry.listed(id)
    own = import_module(listed.sheets).documents() if listed is not None and listed.sheets else ()
    found: dict[str, Printable] = {one.id: one for one in own}
    for page in registry.load(id).documents():
        found.setdefault(page.id, _of_page(id, page))
    return found


def game_file(game: str, document: str) -> Callable[[object], str]:
    """``beach-head-3-report.pdf``; a play sheet has only the name of its game, an empty one no
    number."""

    def name(stored: object) -> str:
        parts = [game.replace("_", "-")]
        parts += [str(stored.number)] if isinstance(stored, StoredGame) else []
        parts += [] if document == SHEET else [document]
        return f"{'-'.join(parts)}.pdf"

    return name


def _of_page(game: str, document: Document) -> Printable:
    def pdf(stored: StoredGame | None, **how: Any) -> bytes:
        from skirmish.sheets.page_sheet import page_pdf  # noqa: PLC0415  (loads the PDF library)

        if stored is not None:
            page = document.build(stored.play)
        else:
            assert document.empty is not None, document.id
            page = document.empty()
        what = called if page.title != document.title else registry.load(game).name
        badge = ("Game", str(stored.number) if stored else "")
        about, foot = (what, *page.about)[:3], f"{what} · {page.title}"
        return page_pdf(replace(page, badge=badge, about=about, foot=foot), notes=True, **how)

    called = document.title.removeprefix("The ").capitalize()
    name, empty = game_file(game, document.id), document.empty is not None
    return Printable(document.id, document.title, called, "game", name, pdf, empty=empty)
