"""The inks of a map: in full colour, and as line work where ink is spared.

Both palettes colour the same patterns, so every kind of ground can be recognised in both. Sides
differ by shape, fill and dash besides their ink.
"""

from __future__ import annotations

import msgspec

from skirmish.sheets import inks
from skirmish.sheets.inks import SIDES, Ink, SideInk, from_hex
from skirmish.sheets.layout.drawing import Canvas
from skirmish.tabletop.battlefield import AreaKind, Ground


class MapPalette(msgspec.Struct, frozen=True, kw_only=True):
    """One ink for each thing that is drawn; the defaults are those of full colour. A name that ends
    in ``_line`` is the ink of the pattern of that ground, one with ``_edge`` that of its edge."""

    ink: Ink = inks.BLACK
    """The ink of words, and of whatever has no ink of its own."""
    halo: Ink = inks.WHITE
    """The ground around letters and pieces, which keeps them apart from the rest."""
    paper: Ink = inks.WHITE
    ruler: Ink = inks.PANEL
    """Every second field of the ruler, which has the letters and numbers of squares."""
    band: Ink = inks.BAND
    """The band behind the names of the edges."""
    edge_name: Ink = inks.WHITE
    frame: Ink = inks.BAND
    grid: Ink = from_hex("666859")
    accent: Ink = inks.ACCENT
    grass: Ink = from_hex("E4E9D2")
    desert: Ink = from_hex("F3E6C3")
    steppe: Ink = from_hex("EBE6C8")
    rubble: Ink = from_hex("E6E1D6")
    speck: Ink = from_hex("A99B78")
    """The dots, tufts and fragments that are strewn over the ground of the table."""
    sea: Ink = from_hex("C9DEE8")
    sea_line: Ink = from_hex("86AEC2")
    water_edge: Ink = from_hex("225872")
    beach: Ink = from_hex("F4E8C6")
    beach_line: Ink = from_hex("B79D63")
    slope: Ink = from_hex("D9CBA4")
    hilltop: Ink = from_hex("F2ECD8")
    hachure: Ink = from_hex("5F4A2A")
    woods: Ink = from_hex("B4CC9B")
    woods_line: Ink = from_hex("3F5D2C")
    orchard: Ink = from_hex("D3DEB6")
    field: Ink = from_hex("EBE3B8")
    field_line: Ink = from_hex("8A7B3E")
    marsh: Ink = from_hex("D5E3DC")
    rough: Ink = from_hex("DFD8C6")
    town: Ink = from_hex("DCD5C6")
    town_line: Ink = from_hex("80765F")
    airfield: Ink = from_hex("E7D9B0")
    airfield_line: Ink = from_hex("8C7442")
    crater: Ink = from_hex("CDBFA4")
    depression: Ink = from_hex("DCCB9C")
    river: Ink = from_hex("9CC6DA")
    road: Ink = inks.WHITE
    road_edge: Ink = from_hex("6E6250")
    track: Ink = from_hex("8A7754")
    rail: Ink = inks.BLACK
    hedge: Ink = from_hex("3F5D2C")
    wall: Ink = from_hex("4A4A44")
    wire: Ink = inks.BLACK
    trench: Ink = from_hex("4A3517")
    mines: Ink = from_hex("7A2A18")
    bridge: Ink = from_hex("EDE7DA")
    building: Ink = from_hex("B4583F")
    roof: Ink = from_hex("8E4230")
    cross: Ink = inks.WHITE
    """The cross on the tower of a church."""
    building_line: Ink = from_hex("2A120B")
    works: Ink = from_hex("8D8A83")
    sides: tuple[SideInk, SideInk] = SIDES
    """The looks of two sides without a nation, that of the first mover first. The sides of a
    scenario have those of their nations instead."""
    halo_weight: float = 2.0
    """The weight in points of the white line along the outline of letters, half of it outside."""

    @property
    def is_line_work(self) -> bool:
        """Whether ink is spared: then surfaces, such as that of a roof, are as white as the
        paper."""
        return self.roof == self.paper

    def of_ground(self, kind: Ground | AreaKind) -> Ink:
        """The ink of a kind of ground or area: the field that has the name of that kind."""
        ink: Ink = getattr(self, kind)
        return ink


NOT_INKS = ("sides", "halo_weight")
"""The fields of a palette that are no inks of the map itself."""
COLOUR = MapPalette()
"""The palette in full colour."""
_LINE = from_hex("000000")
"""The ink of lines where ink is spared."""
_SOFT = from_hex("7A7A7A")
"""The ink of patterns that would be too dark in black."""
_LINE_WORK: dict[str, Ink] = {
    "ink": _LINE,
    "edge_name": _LINE,
    "frame": _LINE,
    "accent": _LINE,
    "water_edge": _LINE,
    "hachure": _LINE,
    "woods_line": _LINE,
    "road_edge": _LINE,
    "track": _LINE,
    "rail": _LINE,
    "hedge": _LINE,
    "wall": _LINE,
    "wire": _LINE,
    "trench": _LINE,
    "mines": _LINE,
    "cross": _LINE,
    "building_line": _LINE,
    "speck": _SOFT,
    "sea_line": _SOFT,
    "beach_line": _SOFT,
    "town_line": _SOFT,
    "airfield_line": _SOFT,
    # These two lie over the whole map or whole fields, so they are as faint as they can be and
    # still be seen by everybody.
    "grid": from_hex("8A8A8A"),
    "field_line": from_hex("8F8F8F"),
}
"""What is drawn in lines where ink is spared; all other inks are those of surfaces, which are white
there."""
_BROAD_HALO = 3.0
"""``halo_weight`` where ink is spared: it keeps away the lines of patterns, which would run into
letters."""
_LINE_SIDES = SideInk(_LINE, solid=False), SideInk(_LINE, solid=True)
"""The sides where ink is spared: both in black, one hollow, the other solid."""


def _line_work_palette() -> MapPalette:
    """Lines in their inks, and all surfaces in white."""
    spared: dict[str, Ink] = {}
    for name in MapPalette.__struct_fields__:
        if name not in NOT_INKS:
            spared[name] = _LINE_WORK.get(name, inks.WHITE)
    return MapPalette(**spared, sides=_LINE_SIDES, halo_weight=_BROAD_HALO)


SAVER = _line_work_palette()
"""The palette that spares ink."""


def palette_of(canvas: Canvas, *, plain: bool = False) -> MapPalette:
    """The palette for a canvas: full colour, or line work where ink is spared and on a ``plain``
    map."""
    if canvas.sparing or plain:
        return SAVER
    return COLOUR
