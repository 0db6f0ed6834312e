"""What a wrong file is told: where it is wrong, and what would be right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from deep import deep_every
from hypothesis import given
from hypothesis import strategies as st
from scenario_files import FILES, TABLES, Place, at, load, table

from skirmish import library
from skirmish.games.plastic.scenarios.scenario_file import read_scenarios
from skirmish.tabletop.data_file import DataError


def changed(number: int, place: Place, value: object) -> dict[str, Any]:
    raw = table(number)
    at(raw, place[:-1])[place[-1]] = value
    return raw


def sentences(number: int, raw: Mapping[str, Any]) -> list[str]:
    """What is said against a file; nothing if it is valid. No other exception may come out."""
    try:
        load(number, raw)
    except DataError as refused:
        return [problem.message for problem in refused.problems] or [""]
    return []


def places(value: object, place: Place = ()) -> Iterator[Place]:
    """Every key of a mapping, at any depth."""
    items = value.items() if isinstance(value, dict) else enumerate(value)  # type: ignore[call-overload]
    for step, inner in items:
        if isinstance(value, dict):
            yield (*place, step)
        if isinstance(inner, dict | list):
            yield from places(inner, (*place, step))


def different_places(raw: Mapping[str, Any]) -> list[Place]:
    """Of the places that differ only in their number in a list, the first; entries of another kind
    are others."""
    first: dict[tuple[object, ...], Place] = {}
    for place in places(raw):
        names = tuple(step for step in place if isinstance(step, str))
        entry = at(raw, place[:-1])
        first.setdefault((entry.get("kind"), entry.get("type"), *names), place)
    return list(first.values())


# ---------------------------------------------------------------- wrong files

NIGHT = {"kind": "darkness", "sight_in": 12, "from_turn": 4, "text": "It is dark."}
MINED = {
    "kind": "charges",
    "id": "bridge",
    "side": "german",
    "what": "the bridge",
    "from_turn": 3,
    "needs": 3,
    "cut_by": ["rifle"],
    "text": "The bridge is mined.",
}

GROUP: Place = ("side", 0, "contingent", 0)
CORNERS = [[0, 0], [9, 0], [9, 9]]
ZONE_B = {"letter": "B", "side": "polish", "points": CORNERS, "tag": [4, 4]}
REFUSED: list[tuple[int, Place, object, str, str]] = [
    (1, ("side", 0, "contingent", 0, "units"), {"riffle": 3}, ".units.riffle", "mean rifle"),
    (1, ("side", 0, "contingent", 0, "works"), {"sandbag": 3}, ".works.sandbag", "sandbags"),
    (1, (*GROUP, "units", "rifle"), 0, "side[0].contingent[0].units.rifle", ">= 1"),
    (1, (*GROUP, "units", "rifle"), -5, "side[0].contingent[0].units.rifle", ">= 1"),
    (1, (*GROUP, "units", "rifle"), 1000, "side[0].contingent[0].units.rifle", "<= 999"),
    (1, (*GROUP, "units", "rifle"), "many", ".units.rifle", "a whole number"),
    (2, (*GROUP, "units"), {}, "contingent[0]", "is empty; give it units"),
    (1, ("side", 0, "id"), "polnish", "side[0].id", "mean polish"),
    (1, ("side", 0, "id"), "german", "side", "stands there twice"),
    (1, ("moves_first",), "russian", "moves_first", "polish, german"),
    (1, ("sets_up_first",), "germans", "sets_up_first", "mean german"),
    (1, ("ends_after",), {"side": "german", "turn": 0}, "ends_after.turn", ">= 1"),
    (1, ("ends_after",), {"side": "dutch", "turn": 9}, "ends_after.side", "german, polish"),
    (1, ("ends_after", "turn"), 9, "victory.by", "comes after the end, german turn 9"),
    (1, ("number",), 2, "number", "02_overmatched.toml"),
    (1, ("id",), "over matched", "id", "small letters"),
    (1, ("date",), "1939-13", "date", "1944-06-06"),
    (1, ("date",), "September 1939", "date", "1939-09"),
    (1, ("format",), 2, "format", "only 1 is known"),
    (1, ("table", "up"), "north", "table.up", "N, E, S, W"),
    (1, ("table", "width_in"), 0, "table.width_in", ">= 1"),
    (1, ("table", "mark"), "#", "table.mark", "no footnote '#'"),
    (1, ("footnote", 1, "mark"), "*", "footnote", "stands there twice"),
    (
        1,
        ("side", 1, "contingent", 0, "choice", 0, "one_of"),
        [{"jeep": 1}],
        "one_of",
        "needs at least 2",
    ),
    (
        1,
        ("side", 1, "contingent", 0, "choice", 0, "one_of", 0),
        {},
        "one_of[0]",
        "needs at least 1",
    ),
    (1, (*GROUP, "entry", "zone"), "aa", "entry.zone", "one capital letter"),
    (1, (*GROUP, "entry"), {"kind": "edge", "turn": 1}, "entry.edge", "is missing"),
    (1, (*GROUP, "entry"), {"kind": "zone", "zone": "A"}, "entry.turn", "is missing"),
    (1, (*GROUP, "entry"), {"kind": "road"}, "entry.turn", "is missing"),
    (1, (*GROUP, "entry"), {"kind": "corner", "turn": 1}, "entry.corners", "is missing"),
    (1, (*GROUP, "entry"), {"kind": "corner", "corners": [], "turn": 1}, "entry.corners", "NE"),
    (1, (*GROUP, "entry"), {"kind": "marks", "turn": 0}, "entry.marks", "is missing"),
    (1, (*GROUP, "entry"), {"kind": "marks", "marks": ["?"], "turn": 0}, "marks[0]", "a mark of"),
    (1, (*GROUP, "entry"), {"kind": "edge", "edge": "W", "turn": 0}, "entry.turn", ">= 1"),
    (1, (*GROUP, "entry"), {"kind": "edge", "edge": "W", "turn": 12}, "entry.turn", "last is 11"),
    (1, (*GROUP, "entry"), {"kind": "glider", "turn": 1}, "entry.kind", "zone, edge, road"),
    (1, ("happening",), [{**NIGHT, "before_turn": 4}], "happening[0].before_turn", "light again"),
    (1, ("happening",), [{**NIGHT, "before_turn": 12}], "[0].before_turn", "never played"),
    (1, ("happening",), [{**NIGHT, "until": 4}], "happening[0]", "until"),
    (1, ("happening",), [{**NIGHT, "kind": "dark"}], "happening[0].kind", "mean darkness"),
    (1, ("happening",), [{**MINED, "needs": 12}], "happening[0].needs", "every draw"),
    (1, ("happening",), [{**MINED, "cut_by": ["tiger"]}], "cut_by[0]", "polish"),
    (1, ("happening",), [{**MINED, "cut_by": []}], "happening[0].cut_by", "at least 1"),
    (1, ("happening",), [{**MINED, "mark": "C"}], "happening[0].mark", "no mark 'C'"),
    (1, ("happening",), [{**MINED, "side": "french"}], "happening[0].side", "no side 'french'"),
    (1, ("victory", "kind"), "exits", "victory.kind", "mean exit"),
    (1, ("victory", "side"), "french", "victory.side", "no side 'french'"),
    (1, ("victory", "share"), "half", "victory", "either need or share"),
    (1, ("victory", "zone"), "B", "victory", "either edge or zone"),
    (1, ("victory", "weights"), {"gun": 3}, "victory.weights.gun", "no unit 'gun'"),
    (1, ("rulings", 0), "P999", "rulings[0]", library.rulings().span),
    (1, ("rulings", 1), "P58", "rulings", "stands there twice"),
    (1, ("map",), {"zone": [ZONE_B]}, "entry.zone", "no zone 'A' on the map"),
    (2, ("victory", "need"), 13, "victory.unit", "13 Tanks asked for"),
    (2, ("victory", "unit"), "tiger", "victory.unit", "french side has no tiger"),
    (1, ("map",), {"zone": [{**ZONE_B, "tag": None}]}, "map.zone[0].tag", "B has no tag"),
    (1, ("map",), {"zone": [ZONE_B]}, "map.zone[0].letter", "no contingent sets up in B"),
    (
        1,
        ("map",),
        {"area": [{"kind": "sea", "points": [[0, 0], [97, 0], [9, 9]]}]},
        "map.area[0].points",
        "97, 0 lies off the table of 96 by 60 in",
    ),
    (
        1,
        ("map",),
        {"dimension": [{"start": [0, 0], "end": [3.1, 0]}]},
        "map.dimension[0]",
        "quarters of an inch",
    ),
    (
        1,
        ("map",),
        {"building": [{"at": [9, 9], "size": [3, 2], "number": 1}] * 2},
        "map.building[1].number",
        "there is a building 1 already",
    ),
    (
        1,
        ("map",),
        {"line": [{"kind": "road", "points": [[0, 0], [9, 9]], "curve": [0, 2]}]},
        "map.line[0].curve",
        "two of the points 0 to 1",
    ),
    (
        1,
        ("map",),
        {"line": [{"kind": "raod", "points": [[0, 0], [9, 9]]}]},
        "map.line[0].kind",
        "did you mean road?",
    ),
    (
        2,
        ("map",),
        {"mark": [{"kind": "tank", "at": [4, 4], "mark": "F"}]},
        "entry.marks[0]",
        "no mark 'T' on the map",
    ),
    (2, ("happening", 0, "by"), "jeep", "happening[0].by", "has no jeep"),
    (2, ("happening", 0, "rule"), "Dry tank", "happening[0].rule", "mean Dry tanks"),
    (2, ("happening", 0, "kind"), "wave", "happening[0].kind", "draw_table"),
    (2, ("happening", 1, "contingent"), "van", "happening[1].contingent", "vanguard"),
    (2, ("happening", 1, "proposal"), "up", "happening[1].proposal", "N, E, S, W"),
    (2, ("happening", 1, "options"), ["E"], "happening[1].options", "two or more are needed"),
    (3, ("victory", "then", "need"), 9, "victory.then.unit", "only 8"),
    (3, ("happening", 0, "within_in"), 241, "happening[0].within_in", "<= 240"),
    (3, ("happening", 0, "when"), "sight", "happening[0].within_in", "distance"),
    (
        3,
        ("happening", 1, "table", 5, "ranks"),
        [1, 6],
        "happening[1].table",
        "more than one row for rank 1, 2, 3, 4, 5;",
    ),
    (
        3,
        ("happening", 1, "table", 9, "ranks"),
        [11, 11],
        "happening[1].table",
        "no row for rank 12;",
    ),
    (3, ("happening", 1, "table", 4, "ranks"), [5, 1], "table[4].ranks", "backwards"),
    (3, ("happening", 1, "table", 4, "ranks"), [1, 13], "table[4].ranks", "<= 12"),
    (3, ("happening", 1, "table", 4, "nothing"), True, "table[4]", "exactly one of"),
    (3, ("happening", 1, "table", 4, "draw"), 3, "table[4].draw", "1 to 2"),
    (3, ("happening", 3, "proposal"), 5, "happening[3].proposal", "6 to 99, not 5"),
    (3, ("happening", 3, "proposal"), "six", "happening[3].proposal", "a whole number"),
    (3, ("happening", 2, "proposal"), {"riffle": 2}, "proposal.riffle", "mean rifle"),
    (3, ("happening", 3, "id"), "garrison", "happening", "stands there twice"),
    (4, ("swap", 0, "ruling"), "P99", "swap[0].ruling", library.rulings().span),
    (4, ("swap", 0, "answer"), "dessert_tank", "swap[0].answer", "mean desert_tank"),
    (4, ("swap", 0, "answer"), "plain_tank", "swap[0].answer", "holds anyway"),
    (4, ("swap", 0, "becomes"), "desert", "swap[0].becomes", "no unit 'desert'"),
    (4, ("swap", 0, "unit"), "tiger", "swap[0].unit", "british side has no tiger"),
    (4, ("swap", 0, "side"), "polish", "swap[0].side", "german, british"),
    (4, ("rulings",), ["P37"], "swap[0].ruling", "not among the scenario's rulings"),
    (6, ("victory", "of"), "german", "victory.of", "name the other"),
    (6, ("victory", "within_in"), 0, "victory.within_in", ">= 1"),
    (7, ("variant", 0, "of"), "tigger", "variant[0].of", "mean tiger"),
    (7, ("variant", 0, "id"), "kv", "variant[0].id", "a unit of the rules already"),
    (7, ("variant", 0, "weapons"), ["flak"], "variant[0].weapons[0]", "no weapon 'flak'"),
    (7, ("variant", 0, "letter"), "r", "side[0]", "share the letter 'r'"),
    (8, ("variant", 0, "ranges"), {"cannon": 48}, "ranges.cannon", "carries no 'cannon'"),
    (8, ("happening", 0, "card"), "KS", "happening[0].card", "not in this deck"),
    (8, ("happening", 0, "card"), "js", "happening[0].card", "write it as JS"),
    (8, ("victory", "units", 1), "tank", "victory.units", "stands there twice"),
    (9, ("limit", 0, "contingent"), "garrison", "limit[0].contingent", "gliders"),
    (9, ("limit", 0, "before_turn"), 25, "limit[0].before_turn", "last is 24"),
    (9, ("limit", 0, "before_turn"), 1, "limit[0].before_turn", ">= 2"),
    (9, ("side", 0, "contingent", 1, "id"), "gliders", "side[0].contingent", "twice"),
    (9, ("victory", "sides"), ["british"], "victory.sides", "needs the two sides"),
    (10, ("clock", 0, "answer"), "american_17", "clock[0].answer", "mean american_16"),
    (10, ("clock", 0, "ends_after", "turn"), 0, "clock[0].ends_after.turn", ">= 1"),
    (10, ("happening", 0, "becomes"), "rifles", "happening[0].becomes", "mean rifle"),
    (10, ("happening", 2, "targets"), [], "happening[2].targets", "may_not_fire_at"),
    (10, ("happening", 1, "effect"), "frozen", "happening[1].effect", "may_not_move"),
]


@pytest.mark.parametrize(("number", "place", "value", "key", "remedy"), REFUSED)
def test_what_is_wrong_is_told_with_file_key_and_remedy(
    number: int, place: Place, value: object, key: str, remedy: str
) -> None:
    with pytest.raises(DataError) as refused:
        load(number, changed(number, place, value))
    told = [line for line in str(refused.value).splitlines() if remedy in line]
    assert told, str(refused.value)
    assert any(line.startswith(f"{FILES[number]}: ") and key in line for line in told)


def test_a_scenario_has_two_sides() -> None:
    for sides in (0, 1, 3):
        raw = table(2)
        raw["side"] = (raw["side"] * 2)[:sides]
        with pytest.raises(DataError, match="a scenario has two sides"):
            load(2, raw)


def test_all_problems_are_told_at_once() -> None:
    raw = table(9)
    raw["moves_first"] = "polish"
    raw["limit"][0]["side"] = "polish"
    raw["side"][0]["contingent"][0]["units"] = {"riffle": 3}
    with pytest.raises(DataError) as refused:
        load(9, raw)
    assert {"moves_first", "limit[0].side", "side[0].contingent[0].units.riffle"} <= {
        problem.key for problem in refused.value.problems
    }


def test_two_files_may_not_claim_one_number() -> None:
    twin = table(9) | {"id": "again"}
    files = [(FILES[9], table(9)), ("plastic/scenarios/09_again.toml", twin)]
    read = read_scenarios(files, library.catalog(), library.rulings())
    assert list(read.scenarios) == [9]
    (broken,) = read.broken
    assert "'Hold Until Relieved' already; take a free one" in str(broken)


def test_a_broken_file_stops_no_other() -> None:
    files = [(FILES[8], table(8) | {"date": "some day"}), (FILES[9], table(9))]
    read = read_scenarios(files, library.catalog(), library.rulings())
    assert list(read.scenarios) == [9]
    assert [error.file for error in read.broken] == [FILES[8]]


def test_mistakes_of_form_and_of_meaning_are_reported_in_one_round() -> None:
    raw = table(9) | {"number": 8, "colour": "green", "date": 1944}
    raw["side"][0]["contingent"][0]["units"] = {"riffle": 3}
    files = [(FILES[8], table(8)), (FILES[9], raw)]
    (broken,) = read_scenarios(files, library.catalog(), library.rulings()).broken
    assert {problem.key for problem in broken.problems} >= {
        "colour",  # an unknown key
        "date",  # not a text
        "side[0].contingent[0].units.riffle",  # no such unit
        "number",  # not that of the file's name, and taken
    }
    assert "already; take a free one" in str(broken)


def test_nothing_is_said_of_what_stands_in_for_a_mistake() -> None:
    raw = table(9) | {"moves_first": 3}
    (broken,) = read_scenarios([(FILES[9], raw)], library.catalog(), library.rulings()).broken
    assert [problem.key for problem in broken.problems] == ["moves_first"]


def test_nothing_is_measured_by_what_stands_in_for_a_mistake() -> None:
    """An end that cannot be read does not make every later turn one that is never played."""
    raw = table(9)
    raw = raw | {"ends_after": raw["ends_after"] | {"turn": "24"}}
    (broken,) = read_scenarios([(FILES[9], raw)], library.catalog(), library.rulings()).broken
    assert [problem.key for problem in broken.problems] == ["ends_after.turn"]


def test_all_are_there_in_order() -> None:
    read = read_scenarios(reversed(TABLES.items()), library.catalog(), library.rulings())
    assert not read.broken
    assert list(read.scenarios) == list(range(1, len(TABLES) + 1))


@pytest.mark.parametrize("number", deep_every(3, FILES))
def test_a_misspelt_key_is_always_refused(number: int) -> None:
    for place in different_places(table(number)):
        raw = table(number)
        parent = at(raw, place[:-1])
        parent[f"{place[-1]}_x"] = parent.pop(place[-1])
        with pytest.raises(DataError) as refused:
            load(number, raw)
        told = str(refused.value)
        assert f"{place[-1]}_x" in told or (place[-1] == "kind" and "needs a kind" in told)


@pytest.mark.parametrize("number", deep_every(3, FILES))
def test_a_missing_key_is_refused_unless_it_may_be_left_out(number: int) -> None:
    for place in different_places(table(number)):
        raw = table(number)
        del at(raw, place[:-1])[place[-1]]
        assert all(says.endswith((".", "?")) for says in sentences(number, raw)), place


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=4,
)
ALL_PLACES = [(number, place) for number in FILES for place in places(TABLES[FILES[number]])]


@given(st.sampled_from(ALL_PLACES), ANYTHING)
def test_nonsense_anywhere_is_told_and_never_crashes(
    where: tuple[int, Place], value: object
) -> None:
    number, place = where
    assert all(sentences(number, changed(number, place, value)))
