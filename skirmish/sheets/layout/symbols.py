"""Military map symbols of the unit types: a frame with the type in it."""

from __future__ import annotations

from skirmish.games.plastic.rules.catalog import UnitType
from skirmish.sheets import inks
from skirmish.sheets.inks import Ink
from skirmish.sheets.layout.drawing import Canvas, Drawing
from skirmish.sheets.paper import MM, NORMAL

_CROSS, _SLASH, _WEDGE = "-10 -10 10 10/-10 10 10 -10", "-10 -10 10 10", "-10 -10 0 10 10 -10"
_SIGNS = {
    "rifle": _CROSS,
    "machinegun": "0 -6 0 7/-3 3 0 7 3 3/-4 -6 4 -6",
    "mortar": "0 -2 0 7/-3 3 0 7 3 3",
    "bazooka": _WEDGE,
    "grenade": _SLASH,
    "flamethrower": "-7 -5 5 -5 5 5 0 1",
    "engineer": "-5 -5 -5 4 5 4 5 -5/0 4 0 -5",
    "sniper": "-6 0 6 0/0 -8 0 8",
    "eighty_eight": _WEDGE,
    "halftrack": _CROSS,
    "bren_carrier": _CROSS,
    "armored_car": _SLASH,
    "aa_tank": "-7 -10 0 -4 7 -10",
    "amphib": "-10 -8 -5 -5 0 -8 5 -5 10 -8",
    "landing_craft": "-7 3 7 3 4 -5 -4 -5 -7 3",
    "assault_raft": "-7 0 7 0",
    "aircraft": "-8 5 8 -5 8 5 -8 -5 -8 5",
    "mg_jeep": "0 -4 0 8",
}
"""Polylines by their points, within a frame from -10 to 10 both ways."""


class Symbol(Drawing):
    """The sign of a unit type."""

    WIDE, HIGH = 3.9 * MM, 2.7 * MM
    """The width and height of the frame."""
    TALL = 4.5 * MM
    """As high as a row of boxes, beside which it stands."""

    def __init__(self, unit: UnitType, ink: Ink = inks.BLACK) -> None:
        self.unit, self.ink = unit, ink

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        unit, tags = self.unit, set(self.unit.tags)
        across, up = self.WIDE / 2, self.HIGH / 2
        solid = "pillbox" in tags and not canvas.sparing
        canvas.saveState()
        canvas.translate(x + self.WIDE / 2, top - self.TALL / 2)
        canvas.pen(self.ink, NORMAL, self._filling(solid))
        canvas.rect(-across, -up, 2 * across, 2 * up, fill=1)
        canvas.setLineWidth(0.7)
        if "vehicle" in tags and unit.kind == "armored":
            canvas.setFillColor(self._filling("tiger" in tags))
            canvas.roundRect(-0.7 * across, -0.55 * up, 1.4 * across, 1.1 * up, 0.55 * up, fill=1)
        if "pillbox" in tags:
            canvas.setFillColor(self._filling(not solid))
            canvas.rect(-0.45 * across, -0.2 * up, 0.9 * across, 0.4 * up, stroke=0, fill=1)
        if unit.id == "cannon":
            canvas.setFillColor(self.ink)
            canvas.circle(0, 0, 0.4 * up, fill=1)
        if unit.id == "mortar":
            canvas.setFillColor(inks.WHITE)
            canvas.circle(0, -0.45 * up, 0.28 * up, fill=1)
        if unit.id in ("truck", "jeep", "mg_jeep"):
            for wheel in (-0.5, 0.5):
                canvas.circle(wheel * across, -up - 0.8, 0.8, fill=1)
        self._lines(canvas, across, up)
        canvas.restoreState()

    def _filling(self, solid: bool) -> Ink:
        if solid:
            return self.ink
        return inks.WHITE

    def _lines(self, canvas: Canvas, across: float, up: float) -> None:
        """The polylines of the type, in a frame that reaches ``across`` and ``up`` from its
        middle."""
        polylines = _SIGNS.get(self.unit.id)
        if polylines is None:
            return
        for polyline in polylines.split("/"):
            places = [int(place) / 10 for place in polyline.split()]
            corners = []
            for x, y in zip(places[::2], places[1::2], strict=True):
                corners.append((x * across, y * up))
            canvas.shape(*corners, closed=False)
