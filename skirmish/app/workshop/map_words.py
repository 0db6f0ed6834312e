"""The two lines below the map of the workshop: where the cursor is, and what keys do."""

from __future__ import annotations

import math
from collections.abc import Iterator

from skirmish.app.host import Host
from skirmish.app.workshop.map_tool import SPOT, Laying, MapTool
from skirmish.games.plastic.scenarios.grid import square_name
from skirmish.games.plastic.scenarios.laying import kind_name
from skirmish.games.plastic.workshop.feature_text import described
from skirmish.tabletop import map_features
from skirmish.tabletop.battlefield import MapPart

LOOKING = (
    "LOOK  Arrows move, Shift by 6 in. A letter lays, Space takes, g goes to a place, ; rings, "
    ": of a weapon, ' sight, m mirrors all."
)
LAYING = "LAY {}  Enter sets a corner, and ends on the last one. k bends, ⌫ goes back, Esc."
"""What keys do while a feature with several corners is laid; ``{}`` is its kind, as below."""
LAYING_SPOT = "LAY {}  Enter sets it. Esc ends."
LAYING_BUILDING = "LAY {}  Enter sets it. [ ] turn, + - size, Tab changes its kind. Esc ends."
TAKEN = (
    "TAKE  Arrows move it, [ ] turn, + - size, k bends, m mirrors, c copies, x deletes, n: its "
    "corners, v: its values. Enter puts it down, Esc leaves it."
)
TAKEN_CORNER = "CORNER  Arrows move it, i adds one, x deletes it, n takes the next. Enter, Esc."


def what_is_where(tool: MapTool, host: Host) -> str:
    """Where the cursor is, how far from the edges and from the last corner, what lies there, and
    how far the nearest road, house and other feature are. What matters most comes first, since a
    small screen cuts the line off."""
    x, y = tool.cursor
    width, depth = tool.size
    to_right, to_top = width - x, depth - y
    parts = [f"{square_name(tool.cursor)}  {x:g}, {y:g}"]
    if tool.last_place is not None and tool.laying is not None:
        parts.append(f"from the last place {math.dist(tool.last_place, tool.cursor):.1f}\u00a0in")
    if tool.sight_from is not None:
        parts.append(_sight_words(tool))
    below_cursor = map_features.part_ids_near(tool.field, tool.cursor)
    if tool.taken is not None:
        parts.append(described(tool.taken.part))
    elif below_cursor:
        parts.append(described(map_features.part_of(tool.field, below_cursor[0])))
    parts.append(f"right\u00a0edge {to_right:g}\u00a0in, top {to_top:g}\u00a0in")
    parts += _surroundings_words(tool)
    return host.measured("   ".join(parts))


def _sight_words(tool: MapTool) -> str:
    """How long the line of sight is, and what it meets first."""
    assert tool.sight_from is not None
    length = math.dist(tool.sight_from, tool.cursor)
    between = list(map_features.blocking(tool.field, tool.sight_from, tool.cursor))
    if not between:
        return f"sight {length:.1f}\u00a0in, nothing between"
    first = described(map_features.part_of(tool.field, between[0]))
    return f"sight {length:.1f}\u00a0in, between: {first}"


def _surroundings_words(tool: MapTool) -> Iterator[str]:
    """How far the nearest road, house and other feature are."""
    nearest = map_features.surroundings(tool.field, tool.cursor)
    if nearest.road is not None:
        yield f"road {nearest.road:.1f}\u00a0in"
    if nearest.building is not None:
        house = "house"
        if nearest.building.number:
            house += f" {nearest.building.number}"
        yield f"{house} {nearest.building.inches:.1f}\u00a0in"
    if nearest.other is not None:
        kind = _kind_words(map_features.part_of(tool.field, nearest.other.part_id))
        yield f"{kind} {nearest.other.inches:.1f}\u00a0in"


def _kind_words(part: MapPart) -> str:
    """What an area, a line or a slope is, in the middle of a line."""
    kind = getattr(part, "kind", "slope")  # of these only slopes are all of one kind
    return kind_name(kind).lower()


def what_keys_do(tool: MapTool, pieces_words: str) -> str:
    """What keys do now, in a line; ``pieces_words`` follow what is laid: ``, 2 of 4``."""
    if tool.taken is not None:
        if tool.taken.corner is not None:
            return TAKEN_CORNER
        return TAKEN
    if tool.laying is not None:
        return _what_keys_do_to_laid(tool.laying, pieces_words)
    return LOOKING


def _what_keys_do_to_laid(laying: Laying, pieces_words: str) -> str:
    name = kind_name(laying.kind_name) + pieces_words
    if laying.is_building:
        return LAYING_BUILDING.format(name)
    if laying.kind.shape == SPOT:
        return LAYING_SPOT.format(name)
    if laying.kind.name == "slope" and not laying.crest:
        return LAYING.format("Slope, its crest first")
    return LAYING.format(name)
