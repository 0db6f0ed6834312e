"""The cards that are left to a side, to be struck out one by one as they are drawn."""

from __future__ import annotations

from collections.abc import Iterator

from skirmish.games.plastic.battle.setup import Side
from skirmish.games.plastic.rules.catalog import DECK
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.boxes import LOST, UNMARKED, Box, Boxes
from skirmish.sheets.layout.flow import Flowable, Gap, with_next
from skirmish.sheets.layout.fonts import MEDIUM, WIDE
from skirmish.sheets.layout.form_fields import FormField
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.tables import Cells, SheetColumn, printed_table
from skirmish.sheets.layout.text import paragraph
from skirmish.sheets.paper import MM
from skirmish.tabletop.chance import SUIT_SIGNS, SUIT_WORDS, SUITS, Source

SIGN_WIDTH, NAME_WIDTH = 4, 13
"""The widths in millimetres of the columns with the sign and the name of a suit."""
CARD_COLUMNS = (
    SheetColumn("", SIGN_WIDTH, Style(WIDE, 9, 11)),
    SheetColumn("", NAME_WIDTH, Style(MEDIUM, 7.6, 9)),
    SheetColumn("", 0, styles.UNIT),
)
"""A row for each suit: its sign, its name, and a box for each rank."""
CARD = 5 * MM
"""The usual width of the box of a card."""
CARDS_OF_SUIT = 12
"""There are no kings."""
CARD_SPACES = 3 * Boxes.BETWEEN_FIVES
"""The room for the spaces between the fives of a suit: there are two, and one is to spare."""


def cards_left(source: Source, whose: Side, width: float, growth: float = 1.0) -> list[Flowable]:
    """The cards of the deck of a side, or a sentence for its die; ``growth``: the factor for the
    boxes, as far as those of a suit still fit one row."""
    if source.kind == "die":
        return [paragraph("A twelve-sided die: nothing to note.", styles.SMALL)]
    text = f"{source.cards_left(DECK)} of {len(DECK)} cards left; drawn cards are struck out."
    before_boxes = (SIGN_WIDTH + NAME_WIDTH) * MM
    widest = (width - before_boxes - CARD_SPACES) / CARDS_OF_SUIT
    box_width = max(CARD, min(CARD * growth, widest))
    # Where the row is full the boxes do not become higher either.
    growth = min(growth, box_width / CARD)
    suit_rows: list[Cells] = []
    for suit in SUITS:
        boxes = Boxes(_boxes_of(suit, source, whose), box_width, growth=growth)
        suit_rows.append([SUIT_SIGNS[suit], SUIT_WORDS[suit].capitalize(), boxes])
    pieces: list[Flowable] = [
        with_next(paragraph(text, styles.SMALL)),
        Gap(0.6 * MM, keep=True),
        printed_table(
            width, CARD_COLUMNS, suit_rows, air=0, tinted=False, pad=0, between=0, middle=True
        ),
    ]
    for term, missing in _not_in_boxes(source):
        pieces += [Gap(1), paragraph(f"{missing}.", styles.SMALL, lead=term)]
    return pieces


def _boxes_of(suit: str, source: Source, whose: Side) -> Iterator[Box]:
    """A box for each card of a suit. Those that cannot be drawn are struck out, and have no form
    field: the cards known to be drawn, and the one left out of this shuffle."""
    for card in DECK:
        if card.suit != suit:
            continue
        rank = str(card).removesuffix(suit)
        if card in source.gone or card == source.aside:
            yield Box(rank, LOST)
        else:
            tooltip = f"{whose.people}: {card.words} drawn"
            yield Box(rank, UNMARKED, FormField(f"tick-{whose.id}-card-{card}", tooltip))


def _not_in_boxes(source: Source) -> Iterator[tuple[str, str]]:
    """What the boxes do not show, each with its term: cards that were only counted, cards whose
    suit nobody noted, and why the card that is left out of this shuffle is struck out."""
    # A card that a volley only counted has neither rank nor suit.
    counted = [card for card in source.gone if not card.rank]
    if counted:
        yield "Gone too, in counted volleys:", f"{len(counted)} cards"
    without_suit = [card for card in sorted(source.gone) if card.rank and not card.suit]
    if without_suit:
        yield "Also drawn, suit unknown:", ", ".join(str(card) for card in without_suit)
    if source.aside:
        back = "also struck out, returns with the next shuffle"
        yield "Not in this shuffle:", f"{source.aside.words}, {back}"
