"""The inks of a map: in full colour, and as line work where ink is to be spared.

Both palettes colour the same patterns, so whatever a ground is told by is there in both. Sides
differ by shape, fill and dash besides their ink.
"""

from __future__ import annotations

import msgspec

from skirmish.sheets.paper import BLACK, SIDES, WHITE, Ink, SideInk, ink

_NO_INK, _FULL, _HALF = ink("FFFFFF"), ink("000000"), ink("7A7A7A")


class Palette(msgspec.Struct, frozen=True, kw_only=True):
    """One ink for each thing that is drawn; a name with ``_line`` is that of its pattern."""

    ink: Ink = BLACK
    halo: Ink = WHITE
    paper: Ink = WHITE
    rim: Ink
    grid: Ink
    accent: Ink
    grass: Ink
    desert: Ink
    steppe: Ink
    rubble: Ink
    speck: Ink
    sea: Ink
    sea_line: Ink
    water_edge: Ink
    beach: Ink
    beach_line: Ink
    slope: Ink
    hilltop: Ink
    hachure: Ink
    woods: Ink
    woods_line: Ink
    orchard: Ink
    field: Ink
    field_line: Ink
    marsh: Ink
    rough: Ink
    town: Ink
    town_line: Ink
    airfield: Ink
    airfield_line: Ink
    crater: Ink
    depression: Ink
    river: Ink
    road: Ink
    road_edge: Ink
    track: Ink
    rail: Ink
    hedge: Ink
    wall: Ink
    wire: Ink
    trench: Ink
    mines: Ink
    bridge: Ink
    building: Ink
    roof: Ink
    cross: Ink
    building_line: Ink
    works: Ink
    sides: tuple[SideInk, SideInk]


COLOUR = Palette(
    rim=ink("F2F0E6"),
    grid=ink("7D7F70"),
    accent=ink("A4452C"),
    grass=ink("E4E9D2"),
    desert=ink("F3E6C3"),
    steppe=ink("EBE6C8"),
    rubble=ink("E6E1D6"),
    speck=ink("A99B78"),
    sea=ink("C9DEE8"),
    sea_line=ink("86AEC2"),
    water_edge=ink("225872"),
    beach=ink("F4E8C6"),
    beach_line=ink("B79D63"),
    slope=ink("D9CBA4"),
    hilltop=ink("F2ECD8"),
    hachure=ink("5F4A2A"),
    woods=ink("B4CC9B"),
    woods_line=ink("3F5D2C"),
    orchard=ink("D3DEB6"),
    field=ink("EBE3B8"),
    field_line=ink("B5A566"),
    marsh=ink("D5E3DC"),
    rough=ink("DFD8C6"),
    town=ink("DCD5C6"),
    town_line=ink("B3A890"),
    airfield=ink("E7D9B0"),
    airfield_line=ink("A8905A"),
    crater=ink("CDBFA4"),
    depression=ink("DCCB9C"),
    river=ink("9CC6DA"),
    road=ink("FFFFFF"),
    road_edge=ink("6E6250"),
    track=ink("8A7754"),
    rail=ink("1B1B18"),
    hedge=ink("3F5D2C"),
    wall=ink("4A4A44"),
    wire=ink("1B1B18"),
    trench=ink("4A3517"),
    mines=ink("7A2A18"),
    bridge=ink("EDE7DA"),
    building=ink("B4583F"),
    roof=ink("8E4230"),
    cross=WHITE,
    building_line=ink("2A120B"),
    works=ink("8D8A83"),
    sides=SIDES,
)
SAVER = Palette(
    ink=_FULL,
    rim=_NO_INK,
    grid=ink("8A8A8A"),
    accent=_FULL,
    grass=_NO_INK,
    desert=_NO_INK,
    steppe=_NO_INK,
    rubble=_NO_INK,
    speck=_HALF,
    sea=_NO_INK,
    sea_line=_HALF,
    water_edge=_FULL,
    beach=_NO_INK,
    beach_line=_HALF,
    slope=_NO_INK,
    hilltop=_NO_INK,
    hachure=_FULL,
    woods=_NO_INK,
    woods_line=_FULL,
    orchard=_NO_INK,
    field=_NO_INK,
    field_line=ink("9A9A9A"),
    marsh=_NO_INK,
    rough=_NO_INK,
    town=_NO_INK,
    town_line=_HALF,
    airfield=_NO_INK,
    airfield_line=_HALF,
    crater=_NO_INK,
    depression=_NO_INK,
    river=_NO_INK,
    road=_NO_INK,
    road_edge=_FULL,
    track=_FULL,
    rail=_FULL,
    hedge=_FULL,
    wall=_FULL,
    wire=_FULL,
    trench=_FULL,
    mines=_FULL,
    bridge=_NO_INK,
    building=_NO_INK,
    roof=_NO_INK,
    cross=_FULL,
    building_line=_FULL,
    works=_NO_INK,
    sides=(SideInk(_FULL, False), SideInk(_FULL, True)),
)
