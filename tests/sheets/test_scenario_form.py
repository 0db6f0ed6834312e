"""Scenario sheets to be ticked on the screen: a field for every figure, model, work and option."""

from __future__ import annotations

from collections import Counter
from functools import cache
from io import BytesIO
from typing import Any

import pytest
from msgspec.structs import replace
from pypdf import PdfReader, PdfWriter

from skirmish import library
from skirmish.games.plastic.battle.scenario_opening import from_scenario
from skirmish.games.plastic.battle.setup import Source
from skirmish.games.plastic.battle.setup_choices import SetupChoices
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.sheets.scenario.forces import proposed_units
from skirmish.sheets.scenario.sheet import scenarios_pdf


def form(scenario: Scenario, **how: Any) -> bytes:
    return scenarios_pdf([scenario], library.catalog(), library.rulings(), form=True, **how)


@cache
def all_of_them() -> bytes:
    known = library.scenarios().values()
    return scenarios_pdf(known, library.catalog(), library.rulings(), form=True)


def fields(data: bytes) -> dict[str, Any]:
    return PdfReader(BytesIO(data)).get_fields() or {}


def codes(names: dict[str, Any], number: int, side: str) -> list[str]:
    """The codes of a side's figures that stand in the names of fields, each option's too."""
    begin = f"tick-{number}-{side}-"
    works = library.catalog().works
    own = [name.removeprefix(begin).split("-") for name in names if name.startswith(begin)]
    return [p[-1] for p in own if len(p) < 2 or (p[-2] not in works and p[-2] != "turn")]


def test_every_box_and_ring_has_a_field_of_its_own() -> None:
    """Counted as a reader of the file finds them: two of one name would be one field."""
    boxes, rings, questions = 0, 0, 0
    for scenario in library.scenarios().values():
        for group in (group for side in scenario.sides for group in side.contingents):
            options = [option for choice in group.choices for option in choice.one_of]
            rings += len(options)
            counted = (group.units, group.works, *options)
            boxes += sum(sum(counts.values()) for counts in counted)
        for asked in scenario.questions():  # as proposed: they stand beside the listed ones
            questions += 1
            boxes += sum(proposed_units(asked).values()) if asked.side else 0
    pages = PdfReader(BytesIO(all_of_them())).pages
    every = (one.get_object() for page in pages for one in page.get("/Annots", []))
    shown = [one for one in every if one["/Subtype"] == "/Widget"]
    named = Counter(one["/T"] for one in shown if "/T" in one)
    turns = [name for name in named if "-turn-" in name]
    assert len(named) == named.total() == boxes + questions + len(turns)
    assert boxes > 1000
    assert len(shown) - named.total() == rings > 0
    assert {name for name in fields(all_of_them()) if not name.startswith("choose-")} == set(named)


@pytest.mark.parametrize("number", [1, 9, 10])
def test_fields_are_called_after_the_codes_of_the_battle(number: int) -> None:
    scenario = library.scenarios()[number]
    first = {g.id: (0,) * len(g.choices) for s in scenario.sides for g in s.contingents}
    setup = from_scenario(
        scenario,
        library.catalog(),
        library.rulings(),
        sources={side.id: Source("cards") for side in scenario.sides},
        chosen=SetupChoices(lists={group: ways for group, ways in first.items() if ways}),
    )
    names = fields(form(scenario))
    listed = {group.id for side in scenario.sides for group in side.contingents}
    for side in scenario.sides:
        own = [p for p in setup.pieces if p.side == side.id and p.contingent in listed]
        assert own
        assert {piece.code for piece in own} <= set(codes(names, number, side.id))


def test_the_forms_of_all_scenarios_make_a_small_file() -> None:
    assert len(all_of_them()) < 900_000


def test_the_turns_of_both_sides_can_be_ticked_to_the_last() -> None:
    scenario = library.scenarios()[4]
    end = scenario.ends_after
    assert end is not None
    assert (end.side, end.turn) == ("german", 12)
    names = fields(form(scenario))
    for side, last in (("german", 12), ("british", 11)):  # the Germans, who begin, have the last
        begin = f"tick-4-{side}-turn-"
        turns = [int(name.removeprefix(begin)) for name in names if name.startswith(begin)]
        assert turns == list(range(1, last + 1))


def test_options_exclude_one_another_and_can_be_taken_back() -> None:
    name = "choose-4-german-assault-1"
    found = fields(form(library.scenarios()[4]))[name]
    assert len(found["/Kids"]) == 2
    radio, no_toggle_to_off, required = 1 << 15, 1 << 14, 1 << 1
    assert found["/Ff"] & radio
    assert not found["/Ff"] & (no_toggle_to_off | required)


def test_what_is_ticked_is_kept() -> None:
    writer = PdfWriter(clone_from=BytesIO(form(library.scenarios()[4])))
    values = {"tick-4-german-R7": "/Yes", "choose-4-german-assault-1": "/2"}
    writer.update_page_form_field_values(writer.pages[0], values, auto_regenerate=False)
    kept = BytesIO()
    writer.write(kept)
    ticked = fields(kept.getvalue())
    marked = {name: field.get("/V", "/Off") for name, field in ticked.items()}
    assert {name: value for name, value in marked.items() if value != "/Off"} == values


def test_fields_of_a_long_list_go_on_overleaf() -> None:
    base = library.scenarios()[1]
    side = base.sides[0]
    group = replace(side.contingents[0], units={"rifle": 600})
    many = replace(side, contingents=(group, *side.contingents[1:]))
    data = form(replace(base, sides=(many, *base.sides[1:])))
    assert len(PdfReader(BytesIO(data)).pages) > 1
    assert {f"tick-1-{side.id}-R{n}" for n in range(1, 601)} <= set(fields(data))


@pytest.mark.parametrize("use", ["colour", "saver"])
def test_a_form_reads_like_the_sheet_and_is_the_same_every_time(printed: Any, use: str) -> None:
    scenario = library.scenarios()[2]
    plain = scenarios_pdf([scenario], library.catalog(), library.rulings(), use=use)
    assert form(scenario, use=use) == form(scenario, use=use)
    assert printed(form(scenario, use=use)).text == printed(plain).text
    assert not fields(plain)
