"""The play sheet of Beach Head: the turn with its tables and cards on the front, boxes to tick on
the back.

Each side is fitted to its page: what is too much for it goes to the other side or is left out."""

from __future__ import annotations

from typing import NamedTuple

from skirmish.games.beach_head.ruleset import BeachSetup
from skirmish.games.beach_head.state import BeachState
from skirmish.sheets.beach_head.back import BACK_TITLE, back_of_sheet
from skirmish.sheets.beach_head.front import FRONT_TITLE, front_of_sheet
from skirmish.sheets.beach_head.printed_game import GAME, PrintedGame, printed_game
from skirmish.sheets.documents import StoredGame
from skirmish.sheets.layout.blocks import Blank, Head
from skirmish.sheets.layout.columns import LEAST_GAP, height_with_least_gaps, with_even_gaps
from skirmish.sheets.layout.flow import Flowable, NewPage, Stack
from skirmish.sheets.layout.form_fields import FormField
from skirmish.sheets.layout.pages import SheetPart
from skirmish.sheets.layout.pdf_document import PdfDocument, as_pdf
from skirmish.sheets.paper import GAP, MM, Leaf

NOTE_LINE = 7 * MM
"""The height of a line for notes."""
PHASE_AIRS = (2.6, 2.0, 1.4, 1.0, 0.6, 0.2)
"""Points above and below each line of the phases; the most for which there is room is taken."""


@as_pdf
def beach_pdf(
    page: Leaf,
    game: StoredGame | BeachState | BeachSetup | None,
    *,
    ended: str = "",
) -> PdfDocument:
    """The turn with its tables and cards on the front, boxes to tick on the back.

    A newly set-up game gives an empty sheet, and so does None, by the rules as printed; a game in
    progress has its tracks filled in, a finished one its result and the day on which it ``ended``.
    """
    printed = printed_game(game, ended=ended)
    # A little stays free at the foot of each page, as on the quick reference.
    tall = page.depth - LEAST_GAP
    front = _fitting_front(printed, page.measure, tall)
    back = _fitting_back(printed, page.measure, tall, rulings_on_back=front.rulings_on_back)
    back += _notes_in(tall - height_with_least_gaps(back, page.measure) - LEAST_GAP)
    story = [
        *with_even_gaps(front.story, page.measure, tall),
        NewPage(BACK_TITLE),
        *with_even_gaps(back, page.measure, tall),
    ]
    footer = GAME, printed.beach, printed.preset_name
    part = SheetPart(page, story, FRONT_TITLE, *footer, revision=printed.setup.revision or "")
    return PdfDocument(f"{GAME}: play sheet", "Phases, tables, cards and tracks to tick", [part])


class _FittedFront(NamedTuple):
    """The front of the sheet, and whether its rulings are on the back, where many of them go."""

    story: list[Flowable]
    rulings_on_back: bool


def _fitting_front(game: PrintedGame, width: float, tall: float) -> _FittedFront:
    """The front with as much air as it has room for. What is too high even with its rulings on the
    back is printed over several pages."""
    # Rulings beside the turn are worth more than air: only when the tightest front is too high do
    # they go to the back.
    for rulings_on_back in (False, True):
        for air in PHASE_AIRS:
            story = front_of_sheet(game, width, air=air, rulings_on_back=rulings_on_back)
            if height_with_least_gaps(story, width) <= tall:
                return _FittedFront(story, rulings_on_back)
    return _FittedFront(story, rulings_on_back=True)


def _fitting_back(
    game: PrintedGame, width: float, tall: float, *, rulings_on_back: bool
) -> list[Flowable]:
    """The back, with the turn in short if there is room for it."""
    # The short turn spares turning the sheet over; it is the first thing that a full back does
    # without.
    back = back_of_sheet(game, width, in_short=True, rulings_on_back=rulings_on_back)
    if height_with_least_gaps(back, width) <= tall:
        return back
    return back_of_sheet(game, width, in_short=False, rulings_on_back=rulings_on_back)


def _notes_in(room: float) -> list[Flowable]:
    """As many lines for notes as ``room`` points hold, below their head; nothing if none fits."""
    count = int((room - Head.TALL - GAP) // NOTE_LINE)
    if count <= 0:
        return []
    lines: list[Flowable] = [Head("Your notes")]
    for number in range(1, count + 1):
        field = FormField(f"write-beach-note-{number}", f"Notes, line {number}")
        lines.append(Blank("", field, NOTE_LINE))
    return [Stack(lines)]
