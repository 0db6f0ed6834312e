"""The play sheet of Beach Head: the turn with its tables and cards on the front, boxes to tick on
the back (``back``).

Each side is fitted to its page: what is too much for it goes to the other side or is left out. In
the row of cards, numbers without a name are points, chosen by eye."""

from __future__ import annotations

from typing import NamedTuple

from skirmish.games.beach_head import wording
from skirmish.games.beach_head.ruleset import BeachSetup, Ruleset, signs
from skirmish.games.beach_head.state import BeachState
from skirmish.sheets import inks
from skirmish.sheets.beach_head.back import BACK_TITLE, back_of_sheet
from skirmish.sheets.beach_head.phases import phase_table, side_by_side, tables_of
from skirmish.sheets.beach_head.picture import Beach
from skirmish.sheets.beach_head.printed_game import (
    GAME,
    PrintedGame,
    printed_game,
    rulings_in_full,
    side_band,
)
from skirmish.sheets.documents import StoredGame
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.blocks import Blank, Head, block
from skirmish.sheets.layout.columns import LEAST_GAP, height_with_least_gaps, with_even_gaps
from skirmish.sheets.layout.drawing import Canvas, Drawing
from skirmish.sheets.layout.flow import Flowable, Gap, NewPage, Stack
from skirmish.sheets.layout.fonts import LABEL, MEDIUM, TITLE
from skirmish.sheets.layout.form_fields import FormField
from skirmish.sheets.layout.pages import SheetPart
from skirmish.sheets.layout.pdf_document import PdfDocument, as_pdf
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.text import paragraph
from skirmish.sheets.layout.text_lines import fitted, write
from skirmish.sheets.paper import GAP, MM, THIN, Leaf
from skirmish.tabletop.chance import Draw

FRONT_TITLE = "The turn"
NOTE_LINE = 7 * MM
"""The height of a line for notes."""
PHASE_AIRS = (2.6, 2.0, 1.4, 1.0, 0.6, 0.2)
"""Points above and below each line of the phases; the most for which there is room is taken."""
_CARD_RANK = Style(TITLE, 15, 15, "centre")
_CARD_NAME = Style(MEDIUM, 6.8, 6.8, "centre", inks.QUIET)
_CARD_USE = Style(LABEL, 7.6, 7.6, "centre")


@as_pdf
def beach_pdf(
    leaf: Leaf,
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
    page_height = leaf.depth - LEAST_GAP
    front = _fitting_front(printed, leaf.measure, page_height)
    back = _fitting_back(printed, leaf.measure, page_height, rulings_on_back=front.rulings_on_back)
    room_for_notes = page_height - height_with_least_gaps(back, leaf.measure) - LEAST_GAP
    back += _notes_in(room_for_notes)
    story = [
        *with_even_gaps(front.story, leaf.measure, page_height),
        NewPage(BACK_TITLE),
        *with_even_gaps(back, leaf.measure, page_height),
    ]
    part = SheetPart(
        leaf,
        story,
        FRONT_TITLE,
        GAME,
        printed.beach,
        printed.preset_name,
        revision=printed.setup.revision or "",
    )
    return PdfDocument(f"{GAME}: play sheet", "Phases, tables, cards and tracks to tick", [part])


class _FittedFront(NamedTuple):
    """The front of the sheet, and whether its rulings are on the back, where many of them go."""

    story: list[Flowable]
    rulings_on_back: bool


def _fitting_front(game: PrintedGame, width: float, page_height: float) -> _FittedFront:
    """The front with as much air as it has room for. What is too high even with its rulings on the
    back is printed over several pages."""
    # Rulings beside the turn are worth more than air: only when the tightest front is too high do
    # they go to the back.
    for rulings_on_back in (False, True):
        for air in PHASE_AIRS:
            story = _front_of_sheet(game, width, air=air, rulings_on_back=rulings_on_back)
            if height_with_least_gaps(story, width) <= page_height:
                return _FittedFront(story, rulings_on_back)
    return _FittedFront(story, rulings_on_back=True)


def _fitting_back(
    game: PrintedGame, width: float, page_height: float, *, rulings_on_back: bool
) -> list[Flowable]:
    """The back, with the turn in short if there is room for it."""
    # The short turn spares turning the sheet over; it is the first thing that a full back does
    # without.
    back = back_of_sheet(game, width, in_short=True, rulings_on_back=rulings_on_back)
    if height_with_least_gaps(back, width) <= page_height:
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


# ------------------------------------------------------------------ the front


def _front_of_sheet(
    game: PrintedGame, width: float, *, air: float, rulings_on_back: bool
) -> list[Flowable]:
    """The beach, the turn with its tables, and the cards, in a column of that width; ``air``:
    points above and below the lines of the phases. If the rulings are on the back, the front only
    says which they are."""
    must_be_gone = [defence.name.lower() for defence in game.ruleset.defence if defence.wins]
    aim = f"until {' and '.join(must_be_gone)} are gone; the fewer squads lost, the better"
    tables = tables_of(game.first_state)
    phases = phase_table(game, tables, width, air)
    return [
        Stack([side_band(game, "1", FRONT_TITLE), Gap(1.6 * MM), Beach(game.setup)]),
        Stack([Head("The turn", aim), phases, *_rulings(game, on_back=rulings_on_back)]),
        block(
            "Tables",
            "a result off a table counts as the nearest row",
            side_by_side(tables, width),
        ),
        block(
            "Cards",
            "any suit; on German dice too",
            CardRow(game.ruleset),
            Gap(1.2 * MM),
            paragraph(_rule_of_hand(game.ruleset), styles.SMALL),
        ),
    ]


def _rulings(game: PrintedGame, *, on_back: bool) -> list[Flowable]:
    """The changed rulings, or only their ids if they are on the back; nothing without any."""
    if not game.changed_rulings:
        return []
    if not on_back:
        return [Gap(1.2 * MM), rulings_in_full(game, "Rulings other than the default:")]
    ids = ", ".join(ruling.id for ruling in game.changed_rulings)
    text = f"Rulings other than the default (see side 2): {ids}."
    return [Gap(1.2 * MM), paragraph(text, styles.SMALL)]


def _rule_of_hand(ruleset: Ruleset) -> str:
    """When cards are drawn, exchanged and discarded."""
    hand = ruleset.hand
    return (
        f"Fill the hand to {hand.full} at the start of a turn, then exchange up to "
        f"{hand.redraw} cards once; keep {hand.keep} at its end. When the deck is empty, the "
        "discards are shuffled. Modifiers still apply to a die that a card has set."
    )


class CardRow(Drawing):
    """The cards side by side: rank, name, and use."""

    TALL = 14.5 * MM

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        card_width = width / len(self.ruleset.card)
        for number, card in enumerate(self.ruleset.card):
            left = x + number * card_width
            canvas.pen(inks.BLACK, THIN, inks.WHITE)
            canvas.roundRect(left + 1, top - self.TALL, card_width - 2, self.TALL, 2.6, fill=1)
            middle, room = left + card_width / 2, card_width - 3
            rank = fitted(signs([Draw(card.rank)]), _CARD_RANK, room)
            write(canvas, middle, top - 6 * MM, rank, _CARD_RANK)
            write(canvas, middle, top - 9.4 * MM, fitted(card.name, _CARD_NAME, room), _CARD_NAME)
            use = fitted(wording.card_use(self.ruleset, card), _CARD_USE, room)
            write(canvas, middle, top - 12.8 * MM, use, _CARD_USE)
