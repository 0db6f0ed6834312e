"""The symbols of a casualty strip: a unit that was lost, and an arrow for pieces that entered or
exited. Numbers without a name are points, chosen by eye."""

from __future__ import annotations

from typing import NamedTuple

from skirmish.games.plastic.casualties import Casualty, Passage
from skirmish.games.plastic.rules.catalog import UnitType
from skirmish.sheets import inks
from skirmish.sheets.casualty_turns import BELOW, Fallen
from skirmish.sheets.inks import SideInk
from skirmish.sheets.layout.drawing import Canvas
from skirmish.sheets.layout.fonts import LABEL, MEDIUM
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.symbols import Symbol
from skirmish.sheets.layout.text_lines import write
from skirmish.sheets.paper import NORMAL
from skirmish.tabletop.chance import SUIT_SIGNS, Draw

CODE_LEFT = 15.4
"""From the left end of a column to the codes of its symbols."""
_RED_SUITS = ("H", "D")
_CODE, BELOW_CODE = Style(LABEL, 6.8, 6.8), Style(MEDIUM, 6.8, 6.8)
_ARROW_LEFT, _SYMBOL_MIDDLE = 14.4, 7.0
"""From the left end of a column to the words of an arrow, and to the middle of a symbol."""
_LEAST_SCALE, _GROWTH, _LARGEST_SCALE = 0.84, 0.09, 1.24
"""The scale of the symbol of a unit that costs nothing; how much it grows with the square root of
the price; and the largest scale. It is 0.93 for 1 point, 1.04 for 5, 1.12 for 10, and 1.24 for 20
points and more."""


class SymbolPlace(NamedTuple):
    """The place of a symbol: the left end of its column, and the height of its middle."""

    left: float
    level: float


def draw_fallen(
    canvas: Canvas, fallen: Fallen, unit: UnitType, look: SideInk, place: SymbolPlace
) -> None:
    """The symbol of a lost unit, its code, and below that the card that killed it."""
    left, level = place
    casualty = fallen.casualty
    canvas.saveState()
    canvas.translate(left + _SYMBOL_MIDDLE, level)
    scale = _scale_of(unit)
    canvas.scale(scale, scale)
    Symbol(unit, look.ink, solid=look.solid).draw(canvas)
    canvas.restoreState()
    begin = left + CODE_LEFT
    code, cause = casualty.code, _cause(casualty)
    if fallen.alike > 1:
        code, cause = f"×{fallen.alike}", ""
    write(canvas, begin, level + 1.0, code, _CODE)
    ink = inks.BLACK
    if casualty.draw is not None and casualty.draw.suit in _RED_SUITS:
        ink = inks.ACCENT
    write(canvas, begin, level - 6, cause, BELOW_CODE._replace(ink=ink))


def draw_passage(
    canvas: Canvas, passage: Passage, half: int, look: SideInk, place: SymbolPlace
) -> None:
    """An arrow and the number of pieces. It points to the line of turns if they entered, and away
    from the line if they exited. ``half``: that in which the arrow stands."""
    left, level = place
    enters = passage.way == "entry"
    is_below = half == BELOW
    # To enter from below the line is to go up, and so is to exit above it.
    points_up = enters == is_below
    direction = -1
    if points_up:
        direction = 1
    filling = inks.WHITE
    if look.solid and not canvas.sparing:
        filling = look.ink
    canvas.pen(look.ink, NORMAL, filling)
    middle = left + _SYMBOL_MIDDLE
    canvas.shape(
        (middle - 2.4, level - 6 * direction),
        (middle + 2.4, level - 6 * direction),
        (middle + 2.4, level),
        (middle + 5, level),
        (middle, level + 6 * direction),
        (middle - 5, level),
        (middle - 2.4, level),
    )
    word = "exit"
    if enters:
        word = "enter"
    begin, count = left + _ARROW_LEFT, str(len(passage.codes))
    write(canvas, begin, level + 1, count, _CODE._replace(ink=look.ink))
    write(canvas, begin, level - 6, word, BELOW_CODE._replace(ink=look.ink))


def _scale_of(unit: UnitType) -> float:
    """The scale of a symbol, which is larger for a unit that costs more. It grows with the square
    root of the price since the eye compares areas. So the many cheap units differ visibly, while
    the tanks, which are few, look nearly alike."""
    grown = _LEAST_SCALE + _GROWTH * float(unit.price) ** 0.5
    return float(min(_LARGEST_SCALE, grown))


def _cause(casualty: Casualty) -> str:
    """``7♥``, or a word where no card is known."""
    if casualty.cause == "breakdown":
        return "broke"
    if casualty.cause == "other":
        return "–"
    return _card(casualty.draw)


def _card(draw: Draw | None) -> str:
    """``7♥`` for a card, ``9`` for a die. A volley of which players counted only the losses has no
    known draw."""
    if draw is None or not draw.rank:
        return "volley"
    if draw.suit is None:
        return str(draw.rank)  # a die has no suits
    # Players may type a card without its suit.
    suit_sign = SUIT_SIGNS.get(draw.suit, "")
    return f"{draw.rank_sign}{suit_sign}"
