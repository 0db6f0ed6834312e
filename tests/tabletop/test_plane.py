"""Curves, outlines and distances of the table."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nearest import nearest

from skirmish.tabletop import plane
from skirmish.tabletop.plane import Rectangle

places = st.tuples(st.floats(0, 96), st.floats(0, 60))
paths = st.lists(places, min_size=2, max_size=8, unique=True)
SQUARE = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)]


@given(paths)
def test_a_curve_goes_through_every_point(path: list[plane.Point]) -> None:
    line = plane.curved(path)
    for point in path:
        assert min(math.dist(point, place) for place in line) < 1e-6


@given(paths, st.floats(0.3, 9))
def test_stations_stand_at_equal_distances_from_end_to_end(
    path: list[plane.Point], apart: float
) -> None:
    found = plane.stations(path, apart)
    assert math.dist(found[0].at, path[0]) < 1e-6
    assert math.dist(found[-1].at, path[-1]) < 1e-6
    for place in found:
        assert nearest(place.at, path) < 1e-6


def test_a_closed_path_has_no_station_twice() -> None:
    found = plane.stations(SQUARE, 1.0, closed=True)
    assert len({(round(x, 6), round(y, 6)) for (x, y), _ in found}) == len(found) == 16


def test_an_oblong_is_turned_about_its_middle() -> None:
    corners = plane.oblong((10, 10), 4, 2, 90)
    assert plane.box(corners) == pytest.approx(Rectangle(9, 8, 11, 12))
    assert plane.turns_left(corners)


def test_the_line_beside_runs_on_the_left() -> None:
    assert plane.beside([(0, 0), (5, 0)], 2) == [(0, 2), (5, 2)]


def test_boxes_that_only_share_an_edge_do_not_touch() -> None:
    assert not Rectangle(0, 0, 2, 2).overlaps(Rectangle(2, 0, 4, 2))
    assert Rectangle(0, 0, 2, 2).overlaps(Rectangle(1, 1, 4, 2))
    assert Rectangle(1, 1, 2, 2).within(Rectangle(0, 0, 2, 2))


def test_a_ring_is_round() -> None:
    assert all(math.dist((3, 3), corner) == pytest.approx(5) for corner in plane.ring((3, 3), 5))
