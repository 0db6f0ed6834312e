"""Everything that is wrong with a file, each as one sentence with its place and its remedy."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Annotated, Any, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skirmish.tabletop.data_file import DataError, Problem, Refers, parts, read, suggest

Few = Annotated[int, msgspec.Meta(ge=1, le=9)]


class Dog(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="dog", tag_field="kind"):
    barks: bool
    at: tuple[str, ...] = ()


class Cat(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="cat", tag_field="kind"):
    lives: Few


class Bowl(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    holds: float
    for_whom: str | None = None


class Open(msgspec.Struct, frozen=True):
    size: int = 1


class House(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"pets": "pet"}):
    format: Literal[1]
    door: Annotated[str, msgspec.Meta(min_length=1)]
    floors: Few = 1
    side: Literal["north", "south"] | None = None
    rooms: dict[str, Few] = {}
    bowls: list[Bowl] = []
    pets: tuple[Dog | Cat, ...] = ()
    garden: Open | None = None
    marks: list[str | int] = []


def told(raw: object) -> list[str]:
    """Every problem of a house, as a person reads it; nothing if the house is sound."""
    try:
        read(raw, House, "house.toml")
    except DataError as refused:
        return [str(problem) for problem in refused.problems]
    return []


def house(**more: Any) -> dict[str, Any]:
    return {"format": 1, "door": "red", **more}


def test_a_sound_file_is_read() -> None:
    raw = house(pet=[{"kind": "cat", "lives": 9}], rooms={"hall": 2}, marks=["a", 1])
    found = read(raw, House, "house.toml")
    assert found.pets == (Cat(lives=9),)
    assert found.rooms == {"hall": 2}


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        ({"format": 1}, "door: is missing; text belongs here."),
        ({"door": "red"}, "format: is missing; 1 belongs here."),
        (house(dor="red"), "dor: unknown key; did you mean door?"),
        (house(door=5), "door: expected text, got a whole number; 5 stands there."),
        (house(door=""), "door: expected text of length >= 1; '' stands there."),
        (house(format=2), "format: 2 is not possible here; only 1 is known."),
        (house(floors=12), "floors: expected a whole number <= 9; 12 stands there."),
        (house(floors=True), "floors: expected a whole number, got true or false; True"),
        (house(side="nort"), "side: 'nort' is not possible here; did you mean north?"),
        (house(side="x"), "side: 'x' is not possible here; known are: north, south."),
        (house(rooms={"hall": 0}), "rooms.hall: expected a whole number >= 1; 0 stands"),
        (house(rooms=[1]), "rooms: expected a table, got a list; [1] stands there."),
        (house(bowls={"holds": 1}), "bowls: expected a list, got a table; {'holds': 1}"),
        (house(bowls=[{}]), "bowls[0].holds: is missing; a number belongs here."),
        (house(bowls=[{"holds": 1}, 3]), "bowls[1]: expected a table, got a whole number"),
        (house(bowls=[{"holds": 1, "of": 2}]), "bowls[0].of: unknown key; known are: holds, for"),
        (house(pet=[{"kind": "cow"}]), "pet[0].kind: no kind 'cow'; known are: dog, cat."),
        (house(pet=[{"kind": "cta"}]), "pet[0].kind: no kind 'cta'; did you mean cat?"),
        (house(pet=[{"lives": 3}]), "pet[0].kind: needs a kind; known are: dog, cat."),
        (house(pet=[{"kind": 3}]), "pet[0].kind: no kind 3; known are: dog, cat."),
        (house(pet=[{"kind": "cat", "lives": 10}]), "pet[0].lives: expected a whole number <= 9"),
        (house(pet=[{"kind": "cat"}]), "pet[0].lives: is missing; a whole number belongs here."),
        (
            house(pet=[{"kind": "dog", "barks": True, "at": ["x", 1]}]),
            "pet[0].at[1]: expected text, got a whole number; 1 stands there.",
        ),
        (
            house(pet=[{"kind": "cat", "lives": 1, "barks": True}]),
            "pet[0].barks: unknown key; known are: kind, lives.",
        ),
        (house(garden={"size": "big"}), "garden.size: expected a whole number, got text; 'big'"),
        ([], "expected a table, got a list; [] stands there."),
    ],
)
def test_a_problem_says_where_it_is_and_what_would_be_right(raw: object, problem: str) -> None:
    (only,) = told(raw)
    assert only.startswith(problem)


def test_all_problems_are_told_at_once_in_the_order_of_the_file() -> None:
    raw = {
        "format": 1,
        "floors": 0,
        "rooms": {"hall": "two", "attic": 4, "cellar": -1},
        "bowls": [{"holds": "much"}, {"hold": 1}],
        "pet": [{"kind": "dog"}, {"kind": "fish"}, {"kind": "cat", "lives": 0}],
        "wall": 1,
    }
    assert [problem.split(":")[0] for problem in told(raw)] == [
        "floors",
        "rooms.hall",
        "rooms.cellar",
        "bowls[0].holds",
        "bowls[1].hold",
        "bowls[1].holds",
        "pet[0].barks",
        "pet[1].kind",
        "pet[2].lives",
        "wall",
        "door",
    ]


class Shelf(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    boards: Few
    books: int = 0
    jars: Few | None = None


class Cupboard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    shelves: tuple[Shelf, ...]


@pytest.mark.parametrize(("key", "wrong"), [("boards", "x"), ("boards", 0), ("jars", "x")])
def test_a_check_sees_what_stands_beside_a_number_out_of_its_bounds(key: str, wrong: Any) -> None:
    shelf = {"boards": 2, "books": 7, key: wrong}

    def check(cupboard: Cupboard) -> Iterator[Problem]:
        yield Problem("shelves[0].books", f"{cupboard.shelves[0].books} are too many.")

    with pytest.raises(DataError) as refused:
        read({"shelves": [shelf]}, Cupboard, "cupboard.toml", check)
    first, second = map(str, refused.value.problems)
    assert first.startswith(f"shelves[0].{key}: expected a whole number")
    assert second == "shelves[0].books: 7 are too many."


def test_each_line_of_the_error_names_the_file() -> None:
    with pytest.raises(DataError) as refused:
        read({"format": 2}, House, "house.toml")
    assert str(refused.value).splitlines() == [
        "house.toml: format: 2 is not possible here; only 1 is known.",
        "house.toml: door: is missing; text belongs here.",
    ]


def test_a_table_that_is_open_takes_any_key() -> None:
    assert told(house(garden={"size": 2, "colour": "green"})) == []


def test_a_long_value_is_not_repeated_in_full() -> None:
    (only,) = told(house(floors="x" * 500))
    assert len(only) < 130
    assert only.endswith("... stands there.")


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        (house(marks=[1.5]), "marks[0]: expected a whole number or text, got a number; 1.5 stands"),
        (
            house(bowls=[{"holds": 1, "for_whom": 3}]),
            "bowls[0].for_whom: expected text or nothing, got a whole number; 3 stands there.",
        ),
        (house(garden=5), "garden: expected a table or nothing, got a whole number; 5 stands"),
    ],
)
def test_where_several_things_are_right_all_are_named(raw: object, problem: str) -> None:
    (only,) = told(raw)
    assert only.startswith(problem)


def test_a_pattern_is_told_in_words_where_its_type_has_them() -> None:
    plate = Annotated[str, msgspec.Meta(pattern="^[0-9]+$", description="a number such as 12")]
    bare = Annotated[str, msgspec.Meta(pattern="^[0-9]+$")]
    for kind, says in (
        (plate, "a number such as 12 belongs here; 'x' stands there."),
        (plate | None, "a number such as 12 belongs here; 'x' stands there."),
        (bare, "expected text matching regex '^[0-9]+$'; 'x' stands there."),
    ):
        with pytest.raises(DataError) as refused:
            read({"door": "x"}, dict[str, kind], "house.toml")  # type: ignore[valid-type]
        assert refused.value.problems == (Problem("door", says),)


def test_a_date_is_shown_as_it_was_written() -> None:
    (only,) = told(house(door=datetime.date(2005, 7, 1)))
    assert "2005-07-01 stands there" in only


def test_the_nearest_name_is_offered_else_all_of_them() -> None:
    assert suggest("rifel", ["rifle", "tank"]) == "did you mean rifle?"
    assert suggest("RIFLE", ["rifle", "tank"]) == "did you mean rifle?"
    assert suggest("submarine", ["rifle", "tank"]) == "known are: rifle, tank."
    assert suggest("x", ["rifle"]) == "only rifle is known."
    assert suggest("x", []) == "none is known."


def test_a_problem_of_the_whole_file_has_no_key() -> None:
    assert str(Problem("", "is empty.")) == "is empty."
    assert str(DataError("a.toml", [Problem("", "is empty.")])) == "a.toml: is empty."


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["kind", "lives", "barks", "holds", "format", "door", "pet", "x"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)


@given(
    st.dictionaries(
        st.sampled_from(["format", "door", "floors", "side", "rooms", "bowls", "pet", "marks"]),
        values,
    )
)
def test_no_value_whatever_gives_anything_but_sentences(raw: dict[str, Any]) -> None:
    for problem in told(raw):
        assert problem
        assert "\n" not in problem


Room = Annotated[str, Refers("room")]


class Guest(msgspec.Struct, frozen=True):
    name: str
    sleeps: Room | None = None
    nights: Annotated[Few, Refers("night")] = 1


class Register(msgspec.Struct, frozen=True, rename={"guests": "guest"}):
    title: str
    beds: dict[Room, Few] = {}
    tour: tuple[Room, ...] = ()
    closed: list[Room] | None = None
    notes: int | str | dict[Room, str] = ""
    guests: tuple[Guest, ...] = ()


def test_everything_that_refers_to_something_is_found_with_its_key() -> None:
    register = Register(
        title="hall",
        beds={"attic": 2},
        tour=("hall", "attic"),
        closed=["cellar"],
        notes={"hall": "cold"},
        guests=(Guest("Ann", "attic"), Guest("Bob", nights=3)),
    )
    found = [(key, part, to) for key, part, to in parts(register, Register) if to]
    assert found == [
        ("beds.attic", "attic", "room"),
        ("tour[0]", "hall", "room"),
        ("tour[1]", "attic", "room"),
        ("closed[0]", "cellar", "room"),
        ("notes.hall", "hall", "room"),
        ("guest[0].sleeps", "attic", "room"),
        ("guest[0].nights", 1, "night"),
        ("guest[1].nights", 3, "night"),
    ]
    structs = [(key, type(part)) for key, part, to in parts(register, Register) if not to]
    assert structs == [("", Register), ("guest[0]", Guest), ("guest[1]", Guest)]
