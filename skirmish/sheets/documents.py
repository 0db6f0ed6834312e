"""What can be printed of a game of the shell: its pages, and sheets that it draws itself."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

from skirmish import registry
from skirmish.sheets.paper import InkUse, Paper
from skirmish.tabletop.journal import Play

SHEET = "sheet"
"""The id of a play sheet."""
AnyPlay = Play[Any, Any, Any]


class SheetDocument(NamedTuple):
    """Something to print. ``make(play, paper, use, form)`` gives the PDF; ``boxed``: it has boxes
    that can be ticked on the screen; ``empty``: it can be printed without a game, of ``None``."""

    id: str
    title: str
    make: Callable[[AnyPlay | None, Paper, InkUse, bool], bytes]
    boxed: bool = False
    empty: bool = False

    def file_name(self, game: str, number: int | None) -> str:
        """``beach-head-3-report.pdf``; a play sheet has the name of its game alone, and without a
        number it is the empty one."""
        parts = [game.replace("_", "-")]
        parts += [] if number is None else [str(number)]
        parts += [] if self.id == SHEET else [self.id]
        return f"{'-'.join(parts)}.pdf"


def documents_of(id: str) -> list[SheetDocument]:
    """All documents of one game, its own sheets first."""
    listed = registry.listed(id)
    own: list[SheetDocument] = []
    if listed is not None and listed.sheets:
        own = list(import_module(listed.sheets).documents())
    return [
        *own,
        *(_of_page(one.id, one.title, one.build) for one in registry.load(id).documents()),
    ]


def _of_page(id: str, title: str, build: Callable[[AnyPlay], Any]) -> SheetDocument:
    def make(play: AnyPlay | None, paper: Paper, use: InkUse, form: bool) -> bytes:
        from skirmish.sheets.page_sheet import page_pdf  # noqa: PLC0415  (loads the PDF library)

        assert play is not None
        return page_pdf(build(play), paper=paper, use=use)

    return SheetDocument(id, title, make)
