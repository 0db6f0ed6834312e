"""Only rulings that can change something in a battle are asked before it."""

from __future__ import annotations

import msgspec
import pytest
from stage import CARDS, DICE, armies, scenario

from skirmish import library
from skirmish.games.plastic.battle.rulings_that_matter import rulings_that_matter
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.rules.options import OPTION_NAMES, Options

BOOK = library.rulings()
PLAIN = {"rifle": 60}


def asked(setup: Setup) -> set[str]:
    return {ruling.id for ruling in rulings_that_matter(BOOK, setup)}


@pytest.mark.parametrize(
    ("ruling", "unit"),
    [
        ("P3", "landing_craft"),
        ("P4", "tank"),
        ("P12", "sniper"),
        ("P19", "truck"),
        ("P39", "mortar"),
        ("P41", "mg_jeep"),
        ("P44", "bazooka"),
        ("P45", "small_pillbox"),
        ("P53", "engineer"),
        ("P54", "jeep"),
        ("P62", "kv"),
        ("P64", "assault_raft"),
        ("P65", "amphib"),
    ],
)
def test_a_ruling_about_a_unit_needs_that_unit_on_either_side(ruling: str, unit: str) -> None:
    assert ruling not in asked(armies(PLAIN, PLAIN).state.setup)
    assert ruling in asked(armies({unit: 1}, PLAIN).state.setup)
    assert ruling in asked(armies(PLAIN, {unit: 1}).state.setup)


def test_an_88_against_a_tiger_needs_one_on_each_side() -> None:
    assert "P6" in asked(armies({"eighty_eight": 1}, {"tiger": 1}).state.setup)
    assert "P6" in asked(armies({"tiger": 1}, {"eighty_eight": 1}).state.setup)
    assert "P6" not in asked(armies({"tiger": 1, "eighty_eight": 1}, PLAIN).state.setup)


def test_cards_and_dice_bring_their_own() -> None:
    cards = asked(armies(PLAIN, PLAIN, sources=(CARDS, CARDS)).state.setup)
    dice = asked(armies(PLAIN, PLAIN, sources=(DICE, DICE)).state.setup)
    both = asked(armies(PLAIN, PLAIN, sources=(CARDS, DICE)).state.setup)
    assert cards - dice == {"P24", "P78"}
    assert dice - cards == {"P17"}
    assert both == cards | dice


def test_an_optional_rule_brings_its_own_only_while_it_is_played() -> None:
    with_it = armies(PLAIN, PLAIN, options=Options(pinning=True)).state.setup
    assert {"P29", "P55"} <= asked(with_it)
    assert not {"P29", "P55"} & asked(armies(PLAIN, PLAIN).state.setup)


def test_a_trait_of_a_nation_needs_the_nation_and_nationalities() -> None:
    japanese = armies(PLAIN, PLAIN, nations=("japanese", None)).state.setup
    assert "P42" in asked(japanese)
    off = msgspec.structs.replace(japanese, options=Options())
    assert "P42" not in asked(off)


def test_the_break_point_is_asked_about_where_it_counts() -> None:
    assert {"P2", "P74"} <= asked(armies(PLAIN, PLAIN).state.setup)
    assert not {"P2", "P74"} & asked(scenario(1).state.setup)
    assert {"P2", "P74"} <= asked(scenario(1, answers={"P58": "on"}).state.setup)


def test_wire_and_reinforcements_that_may_be_drawn_count() -> None:
    assert "P63" in asked(scenario(4).state.setup)
    assert "P63" not in asked(scenario(1).state.setup)
    assert "P44" in asked(scenario(3).state.setup)  # mortars come by the table only


def test_rulings_of_one_scenario_are_asked_there_and_nowhere_else() -> None:
    for number in library.scenarios():
        listed = asked(scenario(number).state.setup)
        foreign = {r.id for r in BOOK.rulings.values() if r.scenarios and number not in r.scenarios}
        own = {r.id for r in BOOK.rulings.values() if number in r.scenarios and len(r.answers) > 1}
        assert not listed & foreign
        assert own <= listed


def test_nothing_without_a_choice_and_nothing_settled_elsewhere_is_ever_asked() -> None:
    everything = armies(
        dict.fromkeys(library.catalog().units, 1), dict.fromkeys(library.catalog().units, 1)
    ).state.setup
    listed = rulings_that_matter(BOOK, everything)
    assert all(len(ruling.answers) > 1 and ruling.needs.settled is None for ruling in listed)
    assert {"P46", "P47", "P59", "P79"}.isdisjoint(ruling.id for ruling in listed)


def test_what_the_file_names_exists() -> None:
    """A misspelt unit would hide its ruling for ever."""
    catalog = library.catalog()
    known = set(catalog.units) | {tag for unit in catalog.units.values() for tag in unit.tags}
    for ruling in BOOK.rulings.values():
        needs = ruling.needs
        assert set(needs.units) | set(needs.against) <= known, ruling.id
        assert set(needs.works) <= set(catalog.works), ruling.id
        assert set(needs.nations) <= set(catalog.nations), ruling.id
        assert needs.option in (None, *OPTION_NAMES), ruling.id
