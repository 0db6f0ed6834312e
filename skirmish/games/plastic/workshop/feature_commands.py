"""Typed lines that change the map: they lay a feature (``road 0,30 96,30``), or change one by its
number in the list of features (``move 7 by 0,-3``), or change the whole map."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar, get_args

from msgspec.structs import replace

from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.workshop.draft import EditError, with_map
from skirmish.games.plastic.workshop.feature_text import described
from skirmish.games.plastic.workshop.laid_features import laid_feature
from skirmish.games.plastic.workshop.typed_line import TypedLine, number_reader
from skirmish.tabletop import map_edits, map_features, map_motions
from skirmish.tabletop.battlefield import Battlefield, Building, Ground, MapPart
from skirmish.tabletop.data_file import DataError, read, suggest, table_of
from skirmish.tabletop.map_features import PartId
from skirmish.tabletop.plane import Point

ValueT = TypeVar("ValueT")
HALF_TURN = "half-turn"
MIRRORS: dict[str, Callable[[Point], map_motions.Motion]] = {
    "left-right": map_motions.mirror_left_right,
    "top-bottom": map_motions.mirror_top_bottom,
    HALF_TURN: map_motions.half_turn,
}
"""The changes of a whole map by their words; each depends on the width and depth of the table."""


class Edit(NamedTuple):
    """A scenario after a change, and what was done, as a sentence."""

    scenario: Scenario
    message: str


def lay(line: TypedLine, verb: str) -> Edit:
    """Lays the feature that the first word of the line, its ``verb``, names."""
    part, is_unnumbered = laid_feature(line, verb)
    # The limits of its fields, such as that of a size, are only checked when a part is read.
    try:
        part = read(table_of(part), type(part), verb)
    except DataError as error:
        raise EditError.from_problems(error.problems) from None
    field, part_id = map_edits.added(line.field, part)
    part_on_map = map_features.part_of(field, part_id)
    if isinstance(part_on_map, Building) and is_unnumbered:
        # ``added`` has given it the next free number.
        part_on_map = replace(part_on_map, number=None)
        field = map_edits.changed(field, part_id, part_on_map)
    return _with_new_feature(line, field, part_id)


def _with_new_feature(line: TypedLine, field: Battlefield, part_id: PartId) -> Edit:
    """The change to a map that has a new feature; the message gives the number of that feature."""
    number = map_features.part_ids(field).index(part_id) + 1
    part = map_features.part_of(field, part_id)
    return Edit(with_map(line.scenario, field), f"{number}  {described(part)}")


def _move(line: TypedLine) -> Edit:
    """``move 7 by 0,-3``"""
    part_id = line.part_id()
    distance = _after_by(line, TypedLine.point)

    def moved(part: MapPart) -> MapPart:
        return map_motions.moved(part, map_motions.shift(distance))

    return _changed(line, part_id, moved)


def _turn(line: TypedLine) -> Edit:
    """``turn 7 by 45``"""
    part_id = line.part_id()
    degrees = _after_by(line, number_reader("The number of degrees"))

    def turned(part: MapPart) -> MapPart:
        return map_motions.turned(part, degrees)

    return _changed(line, part_id, turned)


def _resize(line: TypedLine) -> Edit:
    """``size 7 by -0.5``"""
    part_id = line.part_id()
    inches = _after_by(line, number_reader("The number of inches"))

    def resized(part: MapPart) -> MapPart:
        return map_edits.resized(part, inches)

    return _changed(line, part_id, resized)


def _bend(line: TypedLine) -> Edit:
    """``bend 7``"""
    return _changed(line, line.part_id(), map_edits.bent)


def _corner(line: TypedLine) -> Edit:
    """``corner 7 2 30,20`` puts the second corner of feature 7 there."""
    part_id = line.part_id()
    number = line.whole_number("The number of a corner")
    point = line.point()
    corners = map_motions.corners(map_features.part_of(line.field, part_id))
    if not 1 <= number <= len(corners):
        raise EditError(f"There is no corner {number}; it has {len(corners)}.")
    index = number - 1  # people count corners from 1

    def with_corner(part: MapPart) -> MapPart:
        return map_edits.with_corner(part, index, point)

    return _changed(line, part_id, with_corner)


def _changed(line: TypedLine, part_id: PartId, change: Callable[[MapPart], MapPart]) -> Edit:
    """Changes a feature."""
    part = change(map_features.part_of(line.field, part_id))
    field = map_edits.changed(line.field, part_id, part)
    return Edit(with_map(line.scenario, field), described(part))


def _after_by(line: TypedLine, read_value: Callable[[TypedLine], ValueT]) -> ValueT:
    """Reads the next word, which has to be ``by``, and then the value behind it. Raises
    EditError."""
    if line.next("by").casefold() != "by":
        raise EditError("After the number comes by, and then how far.")
    return read_value(line)


def _copy(line: TypedLine) -> Edit:
    """``copy 7 by 0,-3``"""
    part_id = line.part_id()
    distance = _after_by(line, TypedLine.point)
    field, copy_id = map_edits.copied(line.field, part_id, distance)
    return _with_new_feature(line, field, copy_id)


def _delete(line: TypedLine) -> Edit:
    """``delete 7``"""
    part_id = line.part_id()
    description = described(map_features.part_of(line.field, part_id))
    field = map_edits.deleted(line.field, part_id)
    return Edit(with_map(line.scenario, field), f"Deleted: {description}")


def _mirror(line: TypedLine) -> Edit:
    """``mirror left-right``: the whole map."""
    mirror = line.next("left-right, top-bottom or half-turn").casefold()
    if mirror not in MIRRORS:
        raise EditError(f"{mirror} is no mirror; {suggest(mirror, MIRRORS)}")
    table = line.scenario.table
    motion = MIRRORS[mirror]((table.width_in, table.depth_in))
    field = map_motions.with_all_moved(line.field, motion)
    done = f"The whole map is mirrored: {mirror}."
    if mirror == HALF_TURN:
        done = "The whole map is turned by half."
    return Edit(with_map(line.scenario, field), done)


def _ground(line: TypedLine) -> Edit:
    """``ground desert``"""
    ground = line.next("The ground").casefold()
    if ground not in get_args(Ground):
        raise EditError(f"{ground} is no ground; {suggest(ground, get_args(Ground))}")
    field = replace(line.field, ground=ground)
    return Edit(with_map(line.scenario, field), f"The ground is {ground}.")


FEATURE_COMMANDS: dict[str, Callable[[TypedLine], Edit]] = {
    "move": _move,
    "turn": _turn,
    "size": _resize,
    "bend": _bend,
    "corner": _corner,
    "copy": _copy,
    "delete": _delete,
    "mirror": _mirror,
    "ground": _ground,
}
"""The commands that change the features of a map, or all of it, by the first words of their
lines."""
