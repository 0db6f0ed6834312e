"""The strip of weapons has six rows at most; a row that weapons share has the figures of both."""

from __future__ import annotations

from io import BytesIO
from itertools import pairwise
from typing import Any

import dealt
import msgspec
import pytest
from deep import deep_after
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PdfReader
from strokes import Letters, pages

from skirmish import library
from skirmish.games.plastic.scenarios.happenings import AskAtSetup
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.sheets.inks import looks
from skirmish.sheets.layout.pages import SheetPart
from skirmish.sheets.layout.pdf_document import PdfDocument, bound
from skirmish.sheets.layout.styles import NOTE, SMALLEST
from skirmish.sheets.paper import leaf_of
from skirmish.sheets.scenario.sheet import scenarios_pdf
from skirmish.sheets.scenario.weapon_lines import StripLine, weapon_lines
from skirmish.sheets.scenario.weapon_notes import weapon_notes
from skirmish.sheets.scenario.weapon_strip import WeaponStrip, strip_rows

CATALOG = library.catalog()
ANSWERS = library.rulings().answered({})
SCENARIOS = library.published_scenarios()
MOST_ROWS = 6


def lines_of(scenario: Scenario) -> list[StripLine]:
    catalog = CATALOG.with_variants(scenario.variants)
    order = scenario.order_of_play()
    sides = dict(zip(order, looks(order[0], order[1]), strict=True))
    return weapon_lines(scenario, catalog, ANSWERS, sides)


def weapons_of(scenario: Scenario) -> set[str]:
    return {line.weapon.id for line in lines_of(scenario)}


def with_units(units: dict[str, int]) -> Scenario:
    """A scenario whose first side has these units too."""
    scenario = SCENARIOS[9]
    side, *others = scenario.sides
    contingent, *later = side.contingents
    more = msgspec.structs.replace(contingent, units={**contingent.units, **units})
    enlarged = msgspec.structs.replace(side, contingents=(more, *later))
    return msgspec.structs.replace(scenario, sides=(enlarged, *others))


@pytest.mark.parametrize(
    ("unit", "is_stated"), [("amphib", True), ("cannon", True), ("landing_craft", False)]
)
def test_hull_down_is_stated_of_whatever_drives_on_land(unit: str, is_stated: bool) -> None:
    notes = weapon_notes([], [CATALOG.units[unit]], CATALOG, ANSWERS, NOTE)
    assert ("Hull down" in notes.getPlainText()) == is_stated


@pytest.mark.parametrize("proposal", [2, {"tank": 2}])
def test_it_has_the_weapons_of_units_that_are_settled_before_play(
    proposal: int | dict[str, int],
) -> None:
    scenario = SCENARIOS[3]
    ask = AskAtSetup(
        id="tanks",
        about="number",
        side="british",
        unit="tank",
        question="How many tanks come?",
        proposal=proposal,
    )
    asking = msgspec.structs.replace(scenario, happenings=(*scenario.happenings, ask))
    assert weapons_of(asking) > weapons_of(scenario)


@pytest.mark.parametrize("number", SCENARIOS)
def test_the_strip_of_every_scenario_has_six_rows_at_most(number: int) -> None:
    lines = lines_of(SCENARIOS[number])
    rows = strip_rows(lines)
    assert len(rows) == min(MOST_ROWS, len(lines))
    assert sorted(line.weapon.id for row in rows for line in row.lines) == sorted(
        line.weapon.id for line in lines
    )


@pytest.mark.parametrize("theme", dealt.THEMES)
def test_so_has_that_of_every_dealt_battle(theme: str) -> None:
    for seed in deep_after(1, range(4)):
        lines = lines_of(dealt.read(dealt.usual(theme, seed)))
        assert len(strip_rows(lines)) == min(MOST_ROWS, len(lines))


@given(st.sets(st.sampled_from(sorted(CATALOG.units))))
@settings(max_examples=60, deadline=None)
def test_so_has_that_of_any_army(units: set[str]) -> None:
    lines = lines_of(with_units(dict.fromkeys(units, 1)))
    rows = strip_rows(lines)
    assert len(rows) == min(MOST_ROWS, len(lines))
    in_rows = [line for row in rows for line in row.lines]
    assert sorted(map(id, in_rows)) == sorted(map(id, lines))


def test_an_army_with_every_weapon_there_is_has_six_rows() -> None:
    scenario = with_units(dict.fromkeys(CATALOG.units, 1))
    assert len(lines_of(scenario)) == len(CATALOG.weapons) == 10
    assert len(strip_rows(lines_of(scenario))) == MOST_ROWS


def test_weapons_that_the_rules_call_by_one_name_share_a_row_first(printed: Any) -> None:
    """On the sheet of scenario 8 the Tiger's 88 stands with the cannons, as it is one, with its own
    range and its own chances at armor."""
    rows = strip_rows(lines_of(SCENARIOS[8]))
    shared = [[line.weapon.name for line in row.lines] for row in rows if len(row.lines) > 1]
    assert shared == [["Cannon", "88"]]
    for paper in ("a4", "letter"):
        sheet = printed(scenarios_pdf([SCENARIOS[8]], paper=paper), paper)
        told = "Cannon / 88 36″ 90 cm / 48″ 120 cm A-6 50% A-5 42% / A-9 75% A-5 42% / A-9 75% A-9"
        assert not sheet.holds(told)


def test_else_those_that_differ_in_the_fewest_figures() -> None:
    """A mortar needs what a rifle needs, but cover and repeat fire differ, which are words."""
    units = dict.fromkeys(("bazooka", "mortar", "grenade", "flamethrower", "eighty_eight"), 1)
    rows = strip_rows(lines_of(with_units(units)))
    shared = [[line.weapon.id for line in row.lines] for row in rows if len(row.lines) > 1]
    assert shared == [["mortar", "grenade"]]


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("units", [[], list(CATALOG.units)])
def test_no_cell_runs_into_the_next(paper: str, units: list[str]) -> None:
    """Neither where all weapons share the strip."""
    strip = WeaponStrip(lines_of(with_units(dict.fromkeys(units, 1))))
    leaf = leaf_of(paper)
    rows = rows_drawn(strip, paper)
    assert len(rows) == 1 + len(strip.rows)  # with the titles of the columns
    for pieces in rows:
        assert pieces[-1].end[0] <= leaf.width - leaf.margin + 0.1
        for before, after in pairwise(pieces):
            assert after.at[0] >= before.end[0] + 2
            assert after.size >= SMALLEST - 0.02


def rows_drawn(strip: WeaponStrip, paper: str) -> list[list[Letters]]:
    """The words of each row from left to right, without what stands among the symbols."""
    part = SheetPart(leaf_of(paper), [strip], "Weapons", revision="abcd1234")
    part.has_footer = False
    data = bound(PdfDocument("Weapons", "Weapons", [part], ""), "colour")
    (seen,) = pages(PdfReader(BytesIO(data)))
    rows: dict[float, list[Letters]] = {}
    for text in seen.texts:
        rows.setdefault(round(text.at[1], 1), []).append(text)
    in_order = sorted(rows.items(), reverse=True)
    return [sorted(row) for _, row in in_order]
