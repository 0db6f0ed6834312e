"""The inks of a map: in full colour, and as line work where ink is to be spared.

Both palettes colour the same patterns, so every kind of ground can be recognised in both. Sides
differ by shape, fill and dash besides their ink.
"""

from __future__ import annotations

import msgspec

from skirmish.sheets import inks
from skirmish.sheets.inks import SIDES, Ink, SideInk, from_hex


class MapPalette(msgspec.Struct, frozen=True, kw_only=True):
    """One ink for each thing that is drawn, as in full colour; a name with ``_line`` is that of its
    pattern."""

    ink: Ink = inks.BLACK
    halo: Ink = inks.WHITE
    paper: Ink = inks.WHITE
    rim: Ink = from_hex("F2F0E6")
    grid: Ink = from_hex("666859")
    accent: Ink = from_hex("A4452C")
    grass: Ink = from_hex("E4E9D2")
    desert: Ink = from_hex("F3E6C3")
    steppe: Ink = from_hex("EBE6C8")
    rubble: Ink = from_hex("E6E1D6")
    speck: Ink = from_hex("A99B78")
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
    road: Ink = from_hex("FFFFFF")
    road_edge: Ink = from_hex("6E6250")
    track: Ink = from_hex("8A7754")
    rail: Ink = from_hex("1B1B18")
    hedge: Ink = from_hex("3F5D2C")
    wall: Ink = from_hex("4A4A44")
    wire: Ink = from_hex("1B1B18")
    trench: Ink = from_hex("4A3517")
    mines: Ink = from_hex("7A2A18")
    bridge: Ink = from_hex("EDE7DA")
    building: Ink = from_hex("B4583F")
    roof: Ink = from_hex("8E4230")
    cross: Ink = inks.WHITE
    building_line: Ink = from_hex("2A120B")
    works: Ink = from_hex("8D8A83")
    sides: tuple[SideInk, SideInk] = SIDES


COLOUR = MapPalette()
_LINE = from_hex("000000")
_SOFT = from_hex("7A7A7A")
_LINES = """ink accent water_edge hachure woods_line road_edge track rail hedge wall wire trench
    mines cross building_line"""
_SOFT_LINES = "speck sea_line beach_line town_line airfield_line"
_SPARED: dict[str, Ink] = {
    # All that is not named below is a surface, and stays white.
    **dict.fromkeys(MapPalette.__struct_fields__, inks.WHITE),
    **dict.fromkeys(_LINES.split(), _LINE),
    **dict.fromkeys(_SOFT_LINES.split(), _SOFT),
    "grid": from_hex("8A8A8A"),
    "field_line": from_hex("8F8F8F"),
}
_SPARED_SIDES = SideInk(_LINE, solid=False), SideInk(_LINE, solid=True)
SAVER = msgspec.structs.replace(COLOUR, **{**_SPARED, "sides": _SPARED_SIDES})
