"""A battle before it begins, line by line: forces, sides, rules, what the player likes."""

from __future__ import annotations

import pytest
from set_up_lines import asked, begun, choose, line, lines, scenario_form, units

from skirmish import library
from skirmish.tabletop.slots import Choose

# ------------------------------------------------------------------ forces


def test_the_first_option_of_a_list_is_fielded_unless_another_is_chosen() -> None:
    screen = scenario_form(1)
    usual = units(begun(screen), "german")
    choose(screen, column__0="1")
    other = units(begun(screen), "german")
    assert other.count("truck") == usual.count("truck") + 1 == 3
    assert (usual.count("cannon"), other.count("cannon")) == (0, 1)
    assert "halftrack" in usual
    assert "halftrack" not in other


def test_who_rides_is_proposed_from_the_seats_and_can_be_refused() -> None:
    screen = scenario_form(1)
    loads = line(screen, "loads")
    assert loads.says == "30 of 30 ride"
    assert len(begun(screen).aboard) == 30
    choose(screen, loads="no")
    assert begun(screen).aboard == {}
    assert loads.says == "everybody on foot"


def test_the_words_of_the_loads_follow_the_ruling_about_full_craft() -> None:
    screen = scenario_form(10)
    assert line(screen, "loads").says == "33 of 33 ride"
    choose(screen, P71="three_ashore")
    assert line(screen, "loads").says == "30 of 33 ride"
    assert len(begun(screen).aboard) == 30


def test_a_scenario_without_seats_has_no_line_for_loads() -> None:
    assert "loads" not in [one.id for one in lines(scenario_form(5))]


@pytest.mark.parametrize("number", library.published_scenarios())
def test_every_scenario_begins_as_proposed(number: int) -> None:
    """Each question of its text has a line with our answer, and nothing stands in the way."""
    screen = scenario_form(number)
    scenario = library.scenarios()[number]
    assert screen.trouble == ""
    assert {one.id for one in lines(screen) if one.id.startswith("ask:")} == {
        f"ask:{question.id}" for question in scenario.questions()
    }
    setup = begun(screen)
    assert setup.answers == {question.id: question.proposal for question in scenario.questions()}
    assert all(one.usual for one in lines(screen))


def test_answers_and_hidden_men_go_into_the_battle() -> None:
    screen = scenario_form(3)
    for name, text in (
        ("ask:garrison", "9 Rifle Guys and 1 tank"),
        ("ask:aircraft", "7"),
        ("ask:entry_points", "All by [/b]"),
    ):
        screen.answer(name, screen.read(name, text))
    choose(screen, hidden__0="4")
    setup = begun(screen)
    assert units(setup, "german").count("rifle") == 6 + 9
    assert units(setup, "german").count("tank") == 1
    assert units(setup, "german").count("aircraft") == 7
    assert setup.answers["entry_points"] == "All by [/b]"
    assert len(setup.hidden) == 4


def test_cannon_are_hidden_as_many_as_players_say() -> None:
    screen = scenario_form(7)
    assert begun(screen).hidden == ()
    choose(screen, hidden__0="3")
    setup = begun(screen)
    assert [setup.piece_by_id[piece].unit for piece in setup.hidden] == ["cannon"] * 3


def test_the_corner_of_a_group_is_chosen() -> None:
    screen = scenario_form(6)
    choose(screen, ask__corner_a="SE")
    setup = begun(screen)
    assert setup.answers["corner_a"] == "SE"
    assert setup.contingent_by_id["group_a"].place_of_entry == "SE corner"


# ------------------------------------------------------------------ sides


def test_chance_and_level_are_chosen_by_side() -> None:
    screen = scenario_form(1)
    choose(screen, draws__german="own_deck", draws__polish="ledger")
    sides = begun(screen).side_by_id
    assert (sides["german"].level, sides["german"].source.typed) == ("clerk", True)
    assert sides["polish"].level == "ledger"
    choose(screen, draws__german="die")
    german = begun(screen).side_by_id["german"]
    assert (german.level, german.source.kind, german.source.typed) == ("referee", "die", False)


def test_force_quality_is_chosen_by_side() -> None:
    screen = scenario_form(1)
    assert [side.quality for side in begun(screen).sides] == [None, None]
    choose(screen, quality__german="green", quality__polish="elite")
    sides = begun(screen).side_by_id
    assert (sides["german"].quality, sides["polish"].quality) == ("green", "elite")


def test_a_scenario_for_cards_offers_no_dice() -> None:
    offered = line(scenario_form(8), "draws:german").slot
    assert isinstance(offered, Choose)
    assert [one.value for one in offered.options] == ["deck", "own_deck", "ledger"]


# ------------------------------------------------------------------ rules


def test_only_rulings_that_can_matter_are_listed() -> None:
    overmatched = asked(scenario_form(1))
    assert {"P18", "P24", "P58"} <= overmatched
    nobody_has = {"P3", "P6", "P12", "P42", "P62", "P64", "P67", "P71"}
    settled_elsewhere = {"P46", "P47", "P59", "P79"}
    of_the_basic_game = {"P32", "P75"}
    assert not overmatched & (nobody_has | settled_elsewhere | of_the_basic_game)
    assert {"P3", "P65", "P71", "P80"} <= asked(scenario_form(10))
    assert {"P12", "P53"} <= asked(scenario_form(5))
    assert "P7" in asked(scenario_form(8))


def test_rulings_come_and_go_with_what_they_depend_on() -> None:
    screen = scenario_form(1)
    assert not asked(screen) & {"P2", "P17", "P29", "P74"}
    choose(screen, P58="on", draws__german="die", option__pinning="yes")
    assert asked(screen) >= {"P2", "P17", "P29", "P74"}
    choose(screen, P58="off", draws__german="deck", option__pinning="no")
    assert not asked(screen) & {"P2", "P17", "P29", "P74"}


def test_a_ruling_is_named_by_its_title_and_its_answer_never_by_an_id() -> None:
    screen = scenario_form(1)
    ruling = library.rulings().rulings["P41"]
    pick = line(screen, "P41")
    assert pick.label.strip() == ruling.title
    assert pick.says == ruling.answers["as_rifle"]
    assert pick.told == f"{ruling.question} {ruling.answers['as_rifle']}"


def test_rulings_that_a_footnote_names_stand_first() -> None:
    """Dog Beach: full landing craft (P71) and its two ends (P80)."""
    screen = scenario_form(10)
    listed = [one for one in lines(screen) if one.folded == "rulings"]
    assert {one.id for one in listed[:2]} == {"P71", "P80"}
    assert ["A footnote of this scenario raises it." in one.told for one in listed[:3]] == [
        True,
        True,
        False,
    ]


# ------------------------------------------------------------------ what the player likes


@pytest.mark.parametrize(
    ("level", "chance", "proposed"),
    [
        ("referee", "cards", "deck"),
        ("referee", "die", "die"),
        ("clerk", "cards", "own_deck"),
        ("clerk", "die", "own_die"),
        ("ledger", "die", "ledger"),
    ],
)
def test_level_and_chance_are_proposed_as_the_settings_have_them(
    level: str, chance: str, proposed: str
) -> None:
    screen = scenario_form(1, level=level, chance=chance)
    for side in ("german", "polish"):
        draws = line(screen, f"draws:{side}")
        assert draws.value == proposed
        assert draws.usual
        assert ("This is the default in your settings." in draws.told) == (proposed != "deck")
    assert screen.trouble == ""


def test_a_die_that_is_liked_is_not_proposed_where_only_cards_are_allowed() -> None:
    screen = scenario_form(8, chance="die")
    assert line(screen, "draws:german").value == "deck"
    assert screen.trouble == ""


def test_rulings_are_proposed_as_the_settings_have_them_and_nonsense_is_left_out() -> None:
    liked = {"P80": "american_16", "P58": "on", "P71": "nonsense", "P999": "yes"}
    screen = scenario_form(10, rulings=liked)
    last = line(screen, "P80")
    assert last.usual
    assert "This is the default in your settings." in last.told
    setup = begun(screen)
    assert (setup.rulings["P80"], setup.rulings["P58"]) == ("american_16", "on")
    assert setup.ends_after is not None
    assert setup.ends_after.side == "american"
    choose(screen, P80="german_15")  # our own answer, chosen against the settings
    assert begun(screen).rulings["P80"] == "german_15"
    assert "This is the default in your settings." not in last.told
