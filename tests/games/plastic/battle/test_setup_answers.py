"""What players say before play: numbers, options, places, units; and what is no answer."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from stage import Table, scenario

from skirmish import library
from skirmish.games.plastic.battle.setup_choices import SetupChoices
from skirmish.games.plastic.battle.strength import side_strength

ASKED = [
    (n, ask) for n, found in library.published_scenarios().items() for ask in found.questions()
]
HOW_MANY = "How many aircraft are parked on the airfield?"
WHO = "Which German guys and models start on the airfield?"
WHERE = "Where are the entry points 1 to 4 of the German reinforcements?"
EDGE = "Over which edge does the road bring the Germans on?"


def opened(number: int, **answers: Any) -> Table:
    return scenario(number, chosen=SetupChoices(answers=answers, loads=False))


def units(table: Table, contingent: str) -> Counter[str]:
    return Counter(p.unit for p in table.state.setup.pieces if p.contingent == contingent)


@pytest.mark.parametrize(("number", "ask"), ASKED, ids=[f"{n} {ask.id}" for n, ask in ASKED])
def test_what_is_not_answered_is_as_we_propose(number: int, ask: Any) -> None:
    assert opened(number).state.setup.answers[ask.id] == ask.proposal


@pytest.mark.parametrize(("number", "ask"), ASKED, ids=[f"{n} {ask.id}" for n, ask in ASKED])
@pytest.mark.parametrize("wrong", [None, 3.5, ["rifle"], object()], ids=type)
def test_an_answer_of_another_kind_is_no_answer(number: int, ask: Any, wrong: Any) -> None:
    if wrong is None:  # an answer of the kind that some other question wants
        wrong = "six" if ask.about in ("number", "units") else 6
    with pytest.raises(ValueError, match="cannot be answered with") as error:
        opened(number, **{ask.id: wrong})
    assert str(error.value).startswith(ask.question)


# ------------------------------------------------------------------ numbers


@pytest.mark.parametrize("count", [6, 12, 99])
def test_so_many_aircraft_stand_on_the_airfield(count: int) -> None:
    table = opened(3, aircraft=count)
    assert units(table, "aircraft") == {"aircraft": count}
    assert table.state.setup.answers["aircraft"] == count


@pytest.mark.parametrize("count", [5, 0, -1, 100])
def test_too_few_or_too_many_aircraft(count: int) -> None:
    with pytest.raises(ValueError, match=rf"^{HOW_MANY[:-1]}\? 6 to 99, not {count}\.$"):
        opened(3, aircraft=count)


@pytest.mark.parametrize(("number", "least"), [(4, 4), (10, 1)])
def test_the_number_of_buildings_is_kept_and_puts_nobody_on_the_table(
    number: int, least: int
) -> None:
    table = opened(number, buildings=least)
    assert table.state.setup.answers["buildings"] == least
    assert len(table.state.setup.pieces) == len(opened(number).state.setup.pieces)
    with pytest.raises(ValueError, match=f"{least} to 99, not {least - 1}"):
        opened(number, buildings=least - 1)


# ------------------------------------------------------------------ options


@pytest.mark.parametrize("edge", ["N", "E", "S", "W"])
def test_the_column_comes_on_by_the_edge_that_was_chosen(edge: str) -> None:
    table = opened(2, german_road_edge=edge)
    assert table.state.setup.contingent_by_id["vanguard"].place_of_entry == f"{edge} road"


@pytest.mark.parametrize("edge", ["NE", "e", ""])
def test_an_edge_that_is_none(edge: str) -> None:
    with pytest.raises(ValueError, match=rf"^{EDGE[:-1]}\? N, E, S, W; not {edge}\.$"):
        opened(2, german_road_edge=edge)


def test_each_group_chooses_its_own_corner() -> None:
    """Scenario 6."""
    contingents = opened(6, corner_a="SE", corner_b="NW").state.setup.contingent_by_id
    assert contingents["group_a"].place_of_entry == "SE corner"
    assert contingents["group_b"].place_of_entry == "NW corner"
    with pytest.raises(ValueError, match=r"Group A enter\? NE, SE; not NW\."):
        opened(6, corner_a="NW")


# ------------------------------------------------------------------ places


def test_a_place_is_kept_as_it_was_said() -> None:
    table = opened(3, entry_points="1 hangar, 2 gate, 3 mess, 4 dunes [sic]")
    assert table.state.setup.answers["entry_points"] == "1 hangar, 2 gate, 3 mess, 4 dunes [sic]"


def test_a_place_holds_nothing_that_a_screen_cannot_show() -> None:
    said = str(opened(3, entry_points="gate\x1b[2J\n\tmess").state.setup.answers["entry_points"])
    assert said.isprintable()
    assert "gate" in said
    assert "mess" in said


# ------------------------------------------------------------------ units


def test_a_garrison_of_the_players_own() -> None:
    table = opened(3, garrison={"rifle": 3, "mortar": 1, "armored_car": 1})
    assert units(table, "garrison") == {"rifle": 3, "mortar": 1, "armored_car": 1}
    assert table.row("german", "armored_car").contingent.name == "Garrison"
    assert side_strength(table.state, "german") == 6 + 4 + 5 + 60


@pytest.mark.parametrize("nobody", [{}, {"rifle": 0}])
def test_an_airfield_without_a_garrison(nobody: dict[str, int]) -> None:
    table = opened(3, garrison=nobody)
    assert units(table, "garrison") == {}
    assert table.state.setup.answers["garrison"] == {}
    table.at(1, "german")


def test_no_unit_of_that_name() -> None:
    with pytest.raises(ValueError, match=rf"^{WHO[:-1]}\? There is no unit 'zeppelin'\.$"):
        opened(3, garrison={"zeppelin": 1})


@pytest.mark.parametrize("count", [-1, 100, "two", 1.5])
def test_no_such_number_of_them(count: Any) -> None:
    with pytest.raises(ValueError, match=rf"^{WHO[:-1]}\? 0 to 99 of each, not {count}\.$"):
        opened(3, garrison={"rifle": count})


def test_the_codes_of_a_side_run_on_through_who_was_asked_for() -> None:
    setup = opened(3, garrison={"rifle": 2}).state.setup
    codes = [p.code for p in setup.pieces if p.side == "german" and p.unit == "rifle"]
    assert codes == [f"R{n}" for n in range(1, 9)]
    assert len({p.id for p in setup.pieces}) == len(setup.pieces)


def test_a_question_says_whose_answer_it_was() -> None:
    setup = opened(3).state.setup
    assert {setup.contingent_by_id[name].side for name in ("garrison", "aircraft")} == {"german"}
    assert WHERE in [ask.question for ask in library.scenarios()[3].questions()]
