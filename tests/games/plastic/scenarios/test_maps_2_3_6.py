"""The maps of scenarios 2, 3 and 6: what their texts measure and name lies there as told."""

from __future__ import annotations

import copy
import math

import pytest

from skirmish import library, resources
from skirmish.games.plastic.scenarios.scenario_file import read_scenario
from skirmish.tabletop.battlefield import Battlefield, MapMark
from skirmish.tabletop.data_file import DataError

WEST = 180
LONGEST = 5.0
"""Inches: a tank or truck on the largest models in use."""


def field(number: int) -> Battlefield:
    found = library.scenarios()[number].map
    assert found is not None
    return found


def pieces(number: int, kind: str) -> list[MapMark]:
    return [mark for mark in field(number).marks if mark.kind == kind]


def test_dry_tanks_face_west_and_no_truck_touches_one() -> None:
    tanks, trucks = pieces(2, "tank"), pieces(2, "truck")
    assert (len(tanks), len(trucks)) == (12, 4)
    assert {mark.facing for mark in (*tanks, *trucks)} == {WEST}
    assert {mark.mark for mark in tanks} == {"F"}
    assert {mark.mark for mark in trucks} == {"T"}
    for truck in trucks:
        assert min(math.dist(truck.at, tank.at) for tank in tanks) > LONGEST


def test_roads_reach_every_edge_by_which_the_vanguard_may_come() -> None:
    ends = [end for line in field(2).lines if line.kind == "road"
            for end in (line.points[0], line.points[-1])]  # fmt: skip
    reached = {"W": any(x == 0 for x, _ in ends), "E": any(x == 96 for x, _ in ends),
               "S": any(y == 0 for _, y in ends), "N": any(y == 60 for _, y in ends)}  # fmt: skip
    assert reached == dict.fromkeys("WESN", True)


def test_no_aircraft_is_in_reach_of_a_jeep_on_the_first_turn() -> None:
    aircraft = pieces(3, "aircraft")
    assert len(aircraft) == 12
    jeep = library.catalog().units["mg_jeep"]
    wing = 2.3
    assert min(mark.at[1] for mark in aircraft) - wing > (jeep.move or 0)


def test_the_alarm_has_its_four_entry_points_at_the_edges() -> None:
    where = {mark.mark or "": mark.at for mark in pieces(3, "entry")}
    assert sorted(where) == ["1", "2", "3", "4"]
    for at in where.values():
        assert min(at[0], at[1], 96 - at[0], 60 - at[1]) <= 2
    houses = {house.number for house in field(3).buildings}
    assert houses.isdisjoint({1, 2, 3, 4}), "entry points and buildings share one run of numbers"


def test_the_outpost_is_a_foot_round_the_exact_centre_and_nothing_else_is_there() -> None:
    outpost = field(6)
    (zone,) = outpost.zones
    for point in zone.points:
        assert math.dist(point, (48, 30)) == pytest.approx(12, abs=0.1)
    assert [(ring.at, ring.radius) for ring in outpost.circles] == [((48, 30), 3)]
    assert not [*outpost.areas, *outpost.slopes, *outpost.lines, *outpost.buildings]


def test_a_mark_that_neither_a_contingent_nor_a_draw_names_is_refused() -> None:
    file, raw = next(
        (file, raw) for file, raw in resources.tables("plastic/scenarios") if raw["number"] == 3
    )
    wrong = copy.deepcopy(dict(raw))
    wrong["map"]["mark"].append({"kind": "entry", "at": [50, 58], "mark": "5"})
    with pytest.raises(DataError, match="no contingent stands on 5"):
        read_scenario(wrong, library.catalog(), library.rulings(), file=file)
