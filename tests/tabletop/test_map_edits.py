"""Changes of maps: what is mirrored twice is as before, cliffs keep their sheltered side, and a
thing lies where it is found."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skirmish import library
from skirmish.tabletop import map_edits, map_features, map_motions
from skirmish.tabletop.battlefield import Area, Battlefield, Building, Dimension, Line, Zone
from skirmish.tabletop.map_features import PartId

MAPS = [scenario for scenario in library.published_scenarios().values() if scenario.map]
NUMBERS = st.integers(0, len(MAPS) - 1)
INCHES = st.integers(-400, 400).map(lambda tenths: tenths / 10)


def map_number(number: int) -> tuple[Battlefield, tuple[float, float]]:
    scenario = MAPS[number]
    assert scenario.map is not None
    return scenario.map, (scenario.table.width_in, scenario.table.depth_in)


def corners(field: Battlefield) -> list[list[tuple[float, float]]]:
    parts = [map_features.part_of(field, part_id) for part_id in map_features.part_ids(field)]
    return [sorted(map_motions.corners(part)) for part in parts]


@pytest.mark.parametrize("number", range(len(MAPS)))
@pytest.mark.parametrize(
    "motion", [map_motions.mirror_left_right, map_motions.mirror_top_bottom, map_motions.half_turn]
)
def test_what_is_mirrored_or_turned_twice_lies_as_before(number: int, motion) -> None:
    field, size = map_number(number)
    once = map_motions.with_all_moved(field, motion(size))
    assert corners(once) != corners(field)
    twice = map_motions.with_all_moved(once, motion(size))
    for before, after in zip(corners(field), corners(twice), strict=True):
        for corner, same in zip(before, after, strict=True):
            assert math.dist(corner, same) < 0.05


def test_a_mirrored_cliff_keeps_its_lower_side() -> None:
    """The lower side is on the left of the direction: above a line that runs to the right."""
    cliff = Line(kind="cliff", points=((0, 10), (40, 10), (60, 20)), curve=(0, 1))
    mirrored = map_motions.moved(cliff, map_motions.mirror_left_right((96, 60)))
    assert mirrored.points == ((36, 20), (56, 10), (96, 10))
    assert mirrored.curve == (1, 2)


@given(NUMBERS, st.integers(0, 200), INCHES, INCHES)
def test_a_thing_moved_there_and_back_is_the_same(
    number: int, index: int, across: float, upward: float
) -> None:
    field, _ = map_number(number)
    listed = map_features.part_ids(field)
    part_id = listed[index % len(listed)]
    part = map_features.part_of(field, part_id)
    there = map_motions.moved(part, map_motions.shift((across, upward)))
    back = map_motions.moved(there, map_motions.shift((-across, -upward)))
    for before, after in zip(map_motions.corners(part), map_motions.corners(back), strict=True):
        assert math.dist(before, after) < 0.05


@pytest.mark.parametrize("number", range(len(MAPS)))
def test_every_thing_is_found_where_it_lies(number: int) -> None:
    field, _ = map_number(number)
    for part_id in map_features.part_ids(field):
        part = map_features.part_of(field, part_id)
        place = map_motions.corners(part)[0]
        if hasattr(part, "radius"):
            place = (place[0] + part.radius, place[1])
        assert part_id in map_features.part_ids_near(field, place)


def test_the_thing_on_top_is_found_first() -> None:
    field = Battlefield(
        buildings=(Building(at=(10, 10), size=(5, 5)),),
        zones=(Zone(letter="A", side="german", points=((0, 0), (20, 0), (20, 20)), tag=(9, 5)),),
    )
    near = map_features.part_ids_near(field, (10, 9))
    assert near == [PartId("buildings", 0), PartId("zones", 0)]


def test_buildings_get_the_next_free_number_and_copies_their_own() -> None:
    field = Battlefield()
    for _ in range(3):
        field = map_edits.added(field, Building(at=(10, 10), size=(5, 3))).field
    field = map_edits.deleted(field, PartId("buildings", 1))
    copied = map_edits.copied(field, PartId("buildings", 0), (6, 0))
    numbers = [building.number for building in copied.field.buildings]
    assert numbers == [1, 3, 2]
    assert copied.field.buildings[-1].at == (16, 10)


def test_a_distance_keeps_its_length_when_it_is_turned() -> None:
    span = Dimension(start=(10, 10), end=(34, 10), off=(2, 1))
    turned = map_motions.turned(span, 90)
    assert math.dist(turned.start, turned.end) == pytest.approx(24)
    assert turned.off == (-1, 2)


@given(NUMBERS, st.integers(0, 200), st.integers(0, 40))
def test_a_corner_more_and_less_leaves_the_outline(number: int, index: int, corner: int) -> None:
    field, _ = map_number(number)
    listed = map_features.part_ids(field)
    part = map_features.part_of(field, listed[index % len(listed)])
    points = getattr(part, "points", None)
    if points is None:
        assert map_edits.with_further_corner(part, 0) == part
        return
    number = corner % len(points)
    longer = map_edits.with_further_corner(part, number)
    assert len(longer.points) == len(points) + 1
    is_end_of_line = number == len(points) - 1 and not isinstance(part, Area | Zone)
    if is_end_of_line:
        # The ends of a line stay its ends.
        assert (longer.points[0], longer.points[-1]) == (points[0], points[-1])
        assert map_edits.without_corner(longer, number).points == points
    else:
        assert map_edits.without_corner(longer, number + 1).points == points


def test_woods_hide_and_open_ground_does_not() -> None:
    field, _ = map_number(0)
    woods = Battlefield(areas=field.areas, lines=())
    assert list(map_features.blocking(Battlefield(), (0, 0), (90, 50))) == []
    kinds = {area.kind for area in field.areas}
    assert "woods" in kinds
    wood = next(area for area in field.areas if area.kind == "woods")
    (x, y) = map_motions.middle(wood)
    hidden = list(map_features.blocking(woods, (x - 20, y), (x + 20, y)))
    assert any(field.areas[part_id.place].kind == "woods" for part_id in hidden)
