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
    WIDE, HIGH = 3.9 * MM, 2.7 * MM
    TALL = 4.5 * MM

    def __init__(self, unit: UnitType, ink: Ink = inks.BLACK) -> None:
        self.unit, self.ink = unit, ink

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        unit, middle = self.unit, (x + self.WIDE / 2, top - self.TALL / 2)
        tags, (across, up) = set(unit.tags), (self.WIDE / 2, self.HIGH / 2)
        solid = bool(tags & {"pillbox"}) and not canvas.sparing
        canvas.saveState()
        canvas.translate(*middle)
        canvas.pen(self.ink, NORMAL, self.ink if solid else inks.WHITE)
        canvas.rect(-across, -up, 2 * across, 2 * up, fill=1)
        canvas.setLineWidth(0.7)
        if "vehicle" in tags and unit.kind == "armored":
            canvas.setFillColor(self.ink if "tiger" in tags else inks.WHITE)
            canvas.roundRect(-0.7 * across, -0.55 * up, 1.4 * across, 1.1 * up, 0.55 * up, fill=1)
        if "pillbox" in tags:
            canvas.setFillColor(inks.WHITE if solid else self.ink)
            canvas.rect(-0.45 * across, -0.2 * up, 0.9 * across, 0.4 * up, stroke=0, fill=1)
        if unit.id in ("cannon", "mortar"):
            low = 0 if unit.id == "cannon" else -0.45 * up
            canvas.setFillColor(self.ink if low == 0 else inks.WHITE)
            canvas.circle(0, low, 0.28 * up if low else 0.4 * up, fill=1)
        if unit.id in ("truck", "jeep", "mg_jeep"):
            for wheel in (-0.5, 0.5):
                canvas.circle(wheel * across, -up - 0.8, 0.8, fill=1)
        for line in filter(None, _SIGNS.get(unit.id, "").split("/")):
            places = [int(place) / 10 for place in line.split()]
            corners = zip(places[::2], places[1::2], strict=True)
            canvas.shape(*((x * across, y * up) for x, y in corners), closed=False)
        canvas.restoreState()
