"""What is printed of Beach Head beside its pages."""

from __future__ import annotations

from typing import Any

from skirmish import library, resources
from skirmish.games.beach_head.ruleset import Setup, prepared
from skirmish.games.beach_head.state import State
from skirmish.sheets.documents import SHEET, Printable, StoredGame, game_file
from skirmish.sheets.paper import InkUse, Paper
from skirmish.tabletop.chance import Source
from skirmish.tabletop.presets import PresetBook

BEACH_NAME = "beach-head.pdf"
"""What the file of an empty sheet is called, whoever prints it."""


def beach_name(number: int | None = None) -> str:
    """``beach-head.pdf``, and of the game that is kept under ``number`` ``beach-head-3.pdf``."""
    return BEACH_NAME if number is None else f"beach-head-{number}.pdf"


def beach_pdf(
    game: Setup | State,
    book: PresetBook,
    *,
    paper: Paper = "a4",
    use: InkUse = "colour",
    form: bool = False,
    ended: str = "",
) -> bytes:
    """The turn with its tables and cards on the front, all that is ticked on the back.

    A game that is only set up gives an empty sheet, one that is played its tracks as they stand,
    one that is over its result; ``ended`` is the day on which it was.
    Variant, readings and revision are the game's own. ``form``: what is ticked can be ticked on the
    screen. Raises ValueError for another paper than A4 or Letter.
    """
    from skirmish.sheets.beach_head.sheet import pages  # noqa: PLC0415  (loads the PDF library)

    return pages(game, book, paper, use, form=form, ended=ended)


def documents() -> list[Printable]:
    name = game_file("beach_head", SHEET)
    return [Printable(SHEET, "The play sheet", "Play sheet", "game", name, _sheet, True, True)]


def _sheet(stored: StoredGame | None, **how: Any) -> bytes:
    """The sheet as a game stands; without one empty, by the rules as printed."""
    usual = prepared(
        library.beach_ruleset(),
        library.beach_rulings(),
        dice=Source("die"),
        cards=Source("deck"),
        revision=resources.revision("beach_head"),
    )
    game = usual if stored is None else stored.play.state
    return beach_pdf(game, library.beach_rulings(), **how)
