"""The symbols of the unit types, the same on maps, sheets, rosters, markers and in keys.

A unit is a frame with its type in it, as on military maps; pillboxes and landing craft have shapes
of their own, as seen from above. ``draw_frame``, ``draw_pillbox`` and ``draw_craft`` draw round the
canvas's origin, so that a map can turn them; ``Symbol`` is the symbol of a unit beside its name.
Numbers without a name are points, or shares of the frame, chosen by eye."""

from __future__ import annotations

from typing import NamedTuple

from skirmish.games.plastic.rules.catalog import UnitType
from skirmish.games.plastic.rules.unit_shapes import SIGNS, UnitShape, shape_of
from skirmish.sheets import inks
from skirmish.sheets.inks import Ink, SideInk
from skirmish.sheets.layout.drawing import Canvas, Drawing
from skirmish.sheets.paper import MM, NORMAL

FRAME_WIDE, FRAME_HIGH = 3.9 * MM, 2.7 * MM
"""The width and height of the frame of a unit."""
_ROUND = 1
"""How lines meet, by the number of the PDF format."""
_WHEEL = 0.8
"""The radius of a wheel."""
_PILLBOX = ((1, 0.42), (0.45, 1), (-0.8, 1), (-0.8, -1), (0.45, -1), (1, -0.42))
"""The corners of a pillbox whose front is to the right, in shares of its reach."""
_HULL = ((1, 0.9), (-0.8, 1), (-1, 0.7), (-1, -0.7), (-0.8, -1), (1, -0.9))
"""The corners of a landing craft whose ramp is to the right, in shares of half its length and
breadth."""
_PILLBOX_REACH = {"small_pillbox": 3.7, "large_pillbox": 4.8}
"""Points from the middle of a pillbox to its front, as its ``Symbol`` is drawn, by the id of its
unit."""


class SymbolInks(NamedTuple):
    """The inks of a symbol's outline, of its filling, and of what is drawn on that."""

    edge: Ink
    body: Ink
    drawn: Ink


def symbol_inks(look: SideInk) -> SymbolInks:
    """The inks of a side's symbols: filled with white lines if its look is solid, else white with
    lines in its ink."""
    if look.solid:
        return SymbolInks(edge=look.ink, body=look.ink, drawn=inks.WHITE)
    return SymbolInks(edge=look.ink, body=inks.WHITE, drawn=look.ink)


def draw_frame(canvas: Canvas, shape: UnitShape, colours: SymbolInks) -> None:
    """A unit's frame round the origin, with the sign of its type in it."""
    # From the middle of the frame to its right and its upper side.
    across, up = FRAME_WIDE / 2, FRAME_HIGH / 2
    canvas.pen(colours.edge, NORMAL, colours.body)
    canvas.rect(-across, -up, 2 * across, 2 * up, fill=1)
    canvas.pen(colours.drawn, 0.7, colours.body)
    if shape.oval:
        if shape.heavy:
            canvas.setFillColor(colours.drawn)
        canvas.roundRect(-0.7 * across, -0.55 * up, 1.4 * across, 1.1 * up, 0.55 * up, fill=1)
    if shape.id == "cannon":
        canvas.setFillColor(colours.drawn)
        canvas.circle(0, 0, 0.4 * up, fill=1)
    if shape.id == "mortar":
        # At the foot of the arrow that is among its lines.
        canvas.circle(0, -0.45 * up, 0.28 * up, fill=1)
    if shape.wheels:
        canvas.pen(colours.edge, 0.7, colours.body)
        for wheel in (-0.5, 0.5):
            canvas.circle(wheel * across, -up - _WHEEL, _WHEEL, fill=1)
        canvas.setStrokeColor(colours.drawn)
    _draw_lines(canvas, shape.id, across, up)


def _draw_lines(canvas: Canvas, unit_id: str, across: float, up: float) -> None:
    """Draws the lines of a unit's sign, if it has such, in a frame that reaches ``across`` and
    ``up`` from its middle."""
    polylines = SIGNS.get(unit_id)
    if polylines is None:
        return
    for polyline in polylines.split("/"):
        # The x and y of each point in turn, from -10 to 10.
        shares = [int(number) / 10 for number in polyline.split()]
        x_shares, y_shares = shares[::2], shares[1::2]
        corners = []
        for x_share, y_share in zip(x_shares, y_shares, strict=True):
            corners.append((x_share * across, y_share * up))
        canvas.shape(*corners, closed=False)


def draw_pillbox(canvas: Canvas, reach: float, colours: SymbolInks) -> None:
    """A pillbox round the origin; its front is to the right, ``reach`` points from its middle."""
    # A pillbox that is small on the paper is drawn with thinner lines.
    canvas.pen(colours.edge, min(1.4, reach / 4), colours.body)
    canvas.setLineJoin(_ROUND)
    canvas.shape(*((x * reach, y * reach) for x, y in _PILLBOX))
    # The embrasure, just behind the front.
    canvas.pen(colours.drawn, min(1.3, reach / 4))
    x, half_long = reach * 0.72, reach * 0.34
    canvas.line(x, half_long, x, -half_long)


def draw_craft(canvas: Canvas, half_long: float, half_wide: float, colours: SymbolInks) -> None:
    """A landing craft round the origin, its ramp to the right; ``half_long`` and ``half_wide``:
    half its length and half its breadth, in points."""
    # A craft that is small on the paper is drawn with thinner lines.
    share_of_weight = min(1.0, half_wide / 4)
    canvas.pen(colours.edge, 1.3 * share_of_weight, colours.body)
    canvas.setLineJoin(_ROUND)
    canvas.shape(*((x * half_long, y * half_wide) for x, y in _HULL))
    canvas.pen(colours.drawn, 2.2 * share_of_weight)
    # The ramp.
    canvas.line(half_long, half_wide * 0.9, half_long, -half_wide * 0.9)
    # The end of the well deck.
    end_of_deck = -half_long * 0.45
    canvas.setLineWidth(0.7 * share_of_weight)
    canvas.line(end_of_deck, half_wide, end_of_deck, -half_wide)


class Symbol(Drawing):
    """The symbol of a unit type beside its name. Pillboxes and craft are filled if ``solid``, as
    those of a side whose look is solid. Frames never are, so that their type can be seen at this
    size."""

    WIDE, HIGH = FRAME_WIDE, FRAME_HIGH
    TALL = 4.5 * MM
    """As high as a row of boxes, beside which it stands."""

    def __init__(self, unit: UnitType, ink: Ink = inks.BLACK, *, solid: bool = False) -> None:
        self.unit, self.ink, self.solid = unit, ink, solid

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        canvas.saveState()
        canvas.translate(x + self.WIDE / 2, top - self.TALL / 2)
        self.draw(canvas)
        canvas.restoreState()

    def draw(self, canvas: Canvas) -> None:
        """Draws it round the canvas's origin."""
        # The symbol of a side whose look is solid is filled even where ink is spared, as on the
        # map: there all inks are black, and only solid and hollow marks tell the sides apart.
        colours = symbol_inks(SideInk(self.ink, self.solid))
        if self.unit.id in _PILLBOX_REACH:
            draw_pillbox(canvas, _PILLBOX_REACH[self.unit.id], colours)
        elif self.unit.id == "landing_craft":
            draw_craft(canvas, self.WIDE * 0.44, self.HIGH * 0.4, colours)
        else:
            shape = shape_of(self.unit)
            if shape.wheels:
                # Raised, so that the wheels stand on the line below and not across it.
                canvas.translate(0, _WHEEL)
            hollow = symbol_inks(SideInk(self.ink, solid=False))
            draw_frame(canvas, shape, hollow)


class WorkSymbol(Drawing):
    """The symbol of a kind of works, named by its id, as its line is drawn on maps: crosses of
    wire, bags of sand, and for all others the zigzag of a trench."""

    WIDE, TALL = Symbol.WIDE, Symbol.TALL

    def __init__(self, work: str, ink: Ink = inks.BLACK) -> None:
        self.work, self.ink = work, ink

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        canvas.saveState()
        canvas.translate(x + self.WIDE / 2, top - self.TALL / 2)
        canvas.pen(self.ink, 0.9, inks.WHITE)
        if self.work == "barbed_wire":
            for left in (-5.0, -1.4, 2.2):
                canvas.line(left, -2, left + 2.6, 2)
                canvas.line(left, 2, left + 2.6, -2)
        elif self.work == "sandbags":
            lower_bags = ((-5.2, -2.4), (-1.6, -2.4), (2.0, -2.4))
            upper_bags = ((-3.4, 0.2), (0.2, 0.2))
            for left, bottom in (*lower_bags, *upper_bags):
                canvas.roundRect(left, bottom, 3.4, 2.4, 1, fill=1)
        else:
            zigzag = ((-5.5, -2), (-3, -2), (-3, 2), (0, 2), (0, -2), (3, -2), (3, 2), (5.5, 2))
            canvas.shape(*zigzag, closed=False)
        canvas.restoreState()
