"""Tags: the code of a piece with the symbol and the name of its unit, to lie beside the piece on
the table. Numbers without a name are points, chosen by eye."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.rules.catalog import Catalog, UnitType
from skirmish.sheets import inks
from skirmish.sheets.cut_pages import SMALL_WORD, CutSize
from skirmish.sheets.inks import Ink
from skirmish.sheets.layout.drawing import Canvas
from skirmish.sheets.layout.fonts import HEAD
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.symbols import Symbol
from skirmish.sheets.layout.text_lines import in_largest_size, line_width, write
from skirmish.sheets.paper import INCH, NORMAL
from skirmish.sheets.roster.codes import CodesToGive

TAG_SIZE = CutSize(0.65 * INCH, 0.4 * INCH)
RIFLE_TAGS, OTHER_TAGS = 100, 6
"""How many tags are printed of each type of riflemen and of each other type, if there is no army.
Together they fill a page of either paper."""
_CODE = Style(HEAD, 13, 13)
_CODE_SIZES = (13, 12, 11, 10)
"""The sizes of a code, of which the largest that fits the tag is taken."""


class Tag(NamedTuple):
    """The code of a piece, its unit, and the ink of its side."""

    code: str
    unit: UnitType
    ink: Ink = inks.BLACK


def tags_of(catalog: Catalog, army: Army | None) -> Iterator[Tag]:
    """A tag for each piece of an army, in the ink of its nation; without an army, some tags of each
    type."""
    ink = inks.BLACK
    if army is not None:
        catalog, counts = army.catalog, army.fielded()
        if army.nation is not None:
            ink = inks.NATIONS.get(army.nation.id, ink)
    else:
        counts = {unit.id: _default_count(unit) for unit in catalog.units.values()}
    for unit_id, codes in CodesToGive(catalog).give(counts).items():
        for code in codes:
            yield Tag(code, catalog.units[unit_id], ink)


def _default_count(unit: UnitType) -> int:
    """How many tags of a unit are printed without an army."""
    # The sheet of a scenario has the units that only the scenario has.
    if unit.source == "scenario":
        return 0
    if "rifle_guy" in unit.tags:
        return RIFLE_TAGS
    return OTHER_TAGS


def draw_tag(canvas: Canvas, tag: Tag, x: float, y: float) -> None:
    """Draw a tag with its lower left corner at ``x`` and ``y``: the symbol of the unit beside its
    code, and its name below. Guys have round corners; armored models have a heavy frame and are
    filled."""
    width, height = TAG_SIZE
    weight, filling, ink = NORMAL, inks.WHITE, tag.ink
    if tag.unit.kind == "armored":
        weight = 1.6
        if not canvas.sparing:
            filling, ink = tag.ink, inks.WHITE
    corner_radius = 0.5
    if tag.unit.kind == "guy":
        corner_radius = 7
    canvas.pen(tag.ink, weight, filling)
    canvas.roundRect(x + 2.4, y + 2.4, width - 4.8, height - 4.8, corner_radius, stroke=1, fill=1)
    # Symbol and code stand side by side, in the middle of the tag.
    room_for_code = width - Symbol.WIDE - 11
    code_style = in_largest_size(tag.code, _CODE, room_for_code, _CODE_SIZES)
    width_of_both = Symbol.WIDE + 2 + line_width(tag.code, code_style)
    left = x + (width - width_of_both) / 2
    canvas.saveState()
    canvas.translate(left + Symbol.WIDE / 2, y + 17.4)
    # Hollow, and so white inside, also on a filled tag: a solid one in the same ink would not be
    # seen there.
    Symbol(tag.unit, tag.ink, solid=False).draw(canvas)
    canvas.restoreState()
    write(canvas, left + Symbol.WIDE + 2, y + 13.2, tag.code, code_style._replace(ink=ink))
    write(canvas, x + width / 2, y + 5.6, tag.unit.short, SMALL_WORD._replace(ink=ink))
