"""The cards of a deck: those left to be read, those gone struck out."""

from __future__ import annotations

from skirmish.games.plastic.rules.catalog import DECK
from skirmish.sheets.faces import LABEL, MEDIUM, WIDE
from skirmish.sheets.ink import BLACK, FAINT, NORMAL
from skirmish.sheets.paper import MM
from skirmish.sheets.piece import Canvas, Gap, Piece
from skirmish.sheets.words import SMALL, Style, Words, write
from skirmish.tabletop.chance import SUITS, Draw, Source

_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_NAMES = {"S": "Spades", "H": "Hearts", "D": "Diamonds", "C": "Clubs"}
_LEFT = Style(LABEL, 9, 9, "centre", BLACK)
_GONE = Style(MEDIUM, 8, 8, "centre", FAINT)
_SIGN = Style(WIDE, 9, 9)
_NAME = Style(MEDIUM, 7.6, 7.6)


class Cards(Piece):
    """Four lines, a suit each, from ace to queen; struck out what lies on the discards."""

    LINE = 4.2 * MM
    NAME = 17 * MM

    def __init__(self, gone: frozenset[Draw]) -> None:
        self.gone = gone

    def height(self, width: float) -> float:
        """Four lines."""
        return len(SUITS) * self.LINE

    def draw(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        """Draws them."""
        slot = (width - self.NAME) / (len(DECK) // len(SUITS))
        strokes = canvas.beginPath()
        for line, suit in enumerate(SUITS):
            base = top - (line + 1) * self.LINE + 1.1 * MM
            write(canvas, x, base, _SIGNS[suit], _SIGN)
            write(canvas, x + 3.6 * MM, base, _NAMES[suit], _NAME)
            for place, card in enumerate(card for card in DECK if card.suit == suit):
                middle = x + self.NAME + (place + 0.5) * slot
                gone = card in self.gone
                rank = str(card).removesuffix(suit)
                write(canvas, middle, base, rank, _GONE if gone else _LEFT)
                if gone:
                    strokes.moveTo(middle - 2.6, base - 0.8)
                    strokes.lineTo(middle + 2.6, base + 6.4)
        canvas.setStrokeColor(BLACK)
        canvas.setLineWidth(NORMAL * 0.7)
        canvas.drawPath(strokes)


def cards_left(source: Source) -> list[Piece]:
    """A deck as it lies there, or in a sentence that it is a die."""
    if source.kind == "die":
        return [Words("A twelve-sided die: nothing to note.", SMALL)]
    known = frozenset(card for card in source.gone if card.suit)
    aside = frozenset([source.aside]) if source.aside else frozenset()
    says = f"{source.left(DECK)} of {len(DECK)} cards left; drawn cards are struck out."
    pieces: list[Piece] = [Words(says, SMALL), Gap(0.6 * MM), Cards(known | aside)]
    untold = sorted(card for card in source.gone if card.rank and not card.suit)
    if counted := sum(not card.rank for card in source.gone):
        pieces += [Gap(1), Words(f"{counted} cards.", SMALL, lead="Gone too, in counted volleys:")]
    if untold:
        ranks = ", ".join(map(str, untold))
        pieces += [Gap(1), Words(f"{ranks}.", SMALL, lead="Also drawn, suit unknown:")]
    if source.aside:
        says = f"{source.aside.words}, also struck out, returns with the next shuffle."
        pieces += [Gap(1), Words(says, SMALL, lead="Not in this shuffle:")]
    return pieces
