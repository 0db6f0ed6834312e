"""What is printed of Beach Head beside its pages."""

from __future__ import annotations

from skirmish import library
from skirmish.games.beach_head.events import Opened
from skirmish.games.beach_head.ruleset import Setup
from skirmish.games.beach_head.state import State
from skirmish.registry import BEACH, load
from skirmish.sheets.documents import SHEET, Printable, StoredGame, game_file
from skirmish.sheets.paper import InkUse, Paper


def beach_pdf(
    game: StoredGame | State | Setup | None,
    *,
    paper: Paper = "a4",
    use: InkUse = "colour",
    form: bool = False,
    ended: str = "",
) -> bytes:
    """The turn with its tables and cards on the front, all that is ticked on the back.

    A game that is only set up gives an empty sheet, and so does none, by the rules as printed; one
    that is played its tracks as they stand, one that is over its result, with the day on which it
    ``ended``. ``form``: what is ticked can be ticked on the screen. Raises ValueError for another
    paper than A4 or Letter.
    """
    from skirmish.sheets.beach_head.sheet import pages  # noqa: PLC0415  (loads the PDF library)

    match game:
        case State():
            state = game
        case StoredGame(play=play):
            state = play.state
        case Setup():
            state = Opened(setup=game).apply(None)
        case None:
            (opened,) = load(BEACH.id).open({"dice": "own", "cards": "own"}, int)
            state = opened.apply(None)
    return pages(state, library.beach_rulings(), paper, use, form=form, ended=ended)


def documents() -> list[Printable]:
    name = game_file(BEACH.id, SHEET)
    return [Printable(SHEET, "The play sheet", "Play sheet", "game", name, beach_pdf, True, True)]
