"""Dealt battles: without a mistake over the whole range, never more than there is, the same again
by their code, and playable to their end."""

from __future__ import annotations

import json
import zlib
from random import Random

import pytest
import tomli_w
from dealt import THEMES, coded, laid, needed, read, usual
from deep import deep_after, deep_count
from stage import CARDS, Table, some_order

from skirmish import library, resources
from skirmish.games.plastic.battle.orders import EndTurn
from skirmish.games.plastic.battle.progress import victory_status
from skirmish.games.plastic.battle.scenario_opening import from_scenario
from skirmish.games.plastic.battle.setup_choices import SetupChoices
from skirmish.games.plastic.dealing.codes import (
    ALPHABET,
    FIGURES,
    DealCodeError,
    check_letter,
    code_of,
    decoded,
)
from skirmish.games.plastic.dealing.deal import Dealt, deal
from skirmish.games.plastic.dealing.proposals import (
    DealRequest,
    proposals,
    with_another_table,
    with_other_forces,
)
from skirmish.games.plastic.dealing.regions import read_regions
from skirmish.games.plastic.dealing.squares import AttackFrame
from skirmish.games.plastic.dealing.table import LaidTable, TerrainStock
from skirmish.games.plastic.dealing.terrain import TERRAIN, in_inches
from skirmish.games.plastic.dealing.themes import Group, Village
from skirmish.games.plastic.dealing.villages import VillageBuilder
from skirmish.games.plastic.dealing.wishes import NoSuchBattleError
from skirmish.games.plastic.scenarios.happenings import Charges, Darkness
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.workshop.draft import map_of
from skirmish.store.scenario_folder import LARGEST_FILE
from skirmish.tabletop.chance import Source
from skirmish.tabletop.data_file import DataError

SEEDS = range(6)
LONGEST_CODE = 40
MOST_ORDERS = 3000


@pytest.mark.parametrize("seed", deep_after(2, SEEDS))
@pytest.mark.parametrize("theme", THEMES)
def test_whatever_is_wished_for_the_battle_has_no_mistake_and_needs_no_more_than_there_is(
    theme: str, seed: int
) -> None:
    wishes, number = coded(theme, seed)
    dealt = deal(wishes, number, library.dealing())
    scenario = read(dealt)
    assert len(tomli_w.dumps(dealt.raw)) < LARGEST_FILE
    assert max(dealt.attack_points, dealt.defence_points) <= wishes.points
    if wishes.figures is not None:
        for piece, count in needed(scenario).items():
            # Anything will do as a parked aircraft.
            assert piece == "aircraft" or count <= wishes.figures[piece], piece
    if wishes.terrain is not None:
        for kind, count in in_inches(wishes.terrain).items():
            assert laid(scenario)[kind] <= count, kind


@pytest.mark.parametrize(
    "figures",
    [{}, {"tank": 1}, {"rifle": 3}, {"barbed_wire": 40}, {"kv": 2, "rifle": 1}],
)
@pytest.mark.parametrize("theme", THEMES)
def test_too_few_figures_are_refused_in_a_sentence(theme: str, figures: dict[str, int]) -> None:
    asked = DealRequest(theme=theme, figures=figures)
    with pytest.raises(NoSuchBattleError, match=r"figures|No battle"):
        deal_first(asked)


def deal_first(asked: DealRequest) -> Dealt:
    """The first battle that is proposed."""
    (chosen,) = proposals(asked, 1, library.dealing(), 1)
    return deal(chosen.wishes, chosen.seed, library.dealing())


def test_any_code_whose_letters_agree_deals_a_battle_or_is_refused() -> None:
    chance = Random(4)
    books = library.dealing()
    for _ in range(400):
        letters = "2" + "".join(chance.choices(ALPHABET, k=chance.choice([13, 33, 38])))
        code = letters + check_letter(letters)
        try:
            wishes, seed = decoded(code, books)
            dealt = deal(wishes, seed, books)
        except (DealCodeError, NoSuchBattleError):
            continue
        read(dealt)


@pytest.mark.parametrize("theme", THEMES)
def test_its_code_deals_the_same_battle_again(theme: str) -> None:
    books = library.dealing()
    for seed in deep_after(2, SEEDS):
        wishes, number = coded(theme, seed)
        code = code_of(wishes, number, books)
        assert len(code) <= LONGEST_CODE
        typed = " ".join((code[:4], code[4:])).lower()
        assert decoded(typed, books) == (wishes, number)
    assert deal(wishes, number, books) == deal(*decoded(code, books), books)


def test_a_wrong_letter_of_a_code_is_noticed() -> None:
    books = library.dealing()
    code = code_of(*coded("village", 1), books)
    # All letters but one in 32 that happens to be right as well.
    unnoticed = 0
    for place, letter in enumerate(code):
        wrong = code[:place] + ("2" if letter != "2" else "3") + code[place + 1 :]
        try:
            decoded(wrong, books)
        except DealCodeError:
            continue
        unnoticed += 1
    assert unnoticed <= 3


@pytest.mark.parametrize("typed", ["", "!", "ABC", "0" * 41, "Ü" * 10, "ZZZZZZZZZZ"])
def test_what_is_no_code_is_refused_in_a_sentence(typed: str) -> None:
    with pytest.raises(DealCodeError, match=r"code.*\."):
        decoded(typed, library.dealing())


def opened(scenario: Scenario, source: Source = CARDS) -> Table:
    return Table(
        from_scenario(
            scenario,
            library.catalog(),
            library.rulings(),
            sources=dict.fromkeys(scenario.order_of_play(), source),
            chosen=SetupChoices(loads=False),
        )
    )


@pytest.mark.parametrize("theme", THEMES)
def test_its_victory_is_open_at_the_start_and_it_plays_to_its_end(theme: str) -> None:
    table = opened(read(usual(theme)))
    assert table.state.outcome is None
    assert all(status.can_win for status in victory_status(table.state))
    chance = Random(7)
    for _ in range(MOST_ORDERS):
        if table.state.outcome is not None:
            break
        table.order(some_order(table.state, chance))
    assert table.state.outcome is not None


def test_raiders_who_run_out_of_time_have_lost() -> None:
    scenario = read(usual("night_raid"))
    _, defender = scenario.order_of_play()
    assert scenario.ends_after is not None
    table = opened(scenario, Source("deck", seed=1)).at(scenario.ends_after.turn, defender)
    table.order(EndTurn())
    assert table.state.outcome is not None
    assert table.state.outcome.winner == defender


def test_what_cannot_move_by_itself_need_not_get_through() -> None:
    """Seven cannon and one truck: nobody could bring out half of the strength."""
    books = library.dealing()
    battle = deal(*decoded("2A2M0JR1QV6DNG548344R0224K20510CG0J", books), books)
    table = opened(read(battle))
    assert all(status.can_win for status in victory_status(table.state))


@pytest.mark.parametrize("theme", THEMES)
def test_points_and_turns_are_those_of_the_theme(theme: str) -> None:
    books = library.dealing()
    dealt = usual(theme)
    more = max(dealt.attack_points, dealt.defence_points)
    assert 0.94 * 150 <= more <= 150
    assert dealt.attack_points / dealt.defence_points == pytest.approx(dealt.odds, rel=0.15)
    assert abs(dealt.odds - books.themes[theme].odds) <= 0.7


def test_three_proposals_differ_in_their_theme() -> None:
    books = library.dealing()
    for seed in range(deep_count(8, 20)):
        chosen = proposals(DealRequest(), seed, books)
        assert len({wishes.theme for wishes, _ in chosen}) == 3
        assert chosen == proposals(DealRequest(), seed, books)


def test_the_table_stays_while_forces_are_dealt_again_and_the_other_way_round() -> None:
    books = library.dealing()
    (coded_deal,) = proposals(DealRequest(theme="village", region="normandy"), 3, books, 1)
    dealt = deal(*coded_deal, books)
    chance = Random(1)
    forces = deal(*with_other_forces(coded_deal, chance), books)
    assert forces.raw["map"]["area"] == dealt.raw["map"]["area"]
    assert forces.raw["title"] == dealt.raw["title"]
    assert forces.raw["side"] != dealt.raw["side"]
    table = deal(*with_another_table(coded_deal, chance), books)
    assert table.raw["map"]["area"] != dealt.raw["map"]["area"]


def test_nobody_has_what_his_nation_did_not_have_then() -> None:
    books = library.dealing()
    for seed in range(deep_count(6, 12)):
        asked = DealRequest(region="russia", month="1941-07", points=400)
        for wishes, number in proposals(asked, seed, books):
            raw = deal(wishes, number, books).raw
            units = {
                unit
                for side in raw["side"]
                for group in side["contingent"]
                for unit in group["units"]
            }
            assert not units & {"tiger", "bazooka", "jeep", "desert_tank"}


def test_a_nation_fights_nowhere_before_it_came() -> None:
    books = library.dealing()
    for seed in range(40):
        for wishes, _ in proposals(DealRequest(), seed, books):
            region = books.regions.regions[wishes.region]
            assert region.nations[0] in (wishes.attacker, wishes.defender)
            for nation in (wishes.attacker, wishes.defender):
                assert region.first_month_of(nation) <= wishes.month <= region.last


@pytest.mark.parametrize(
    "asked",
    [
        DealRequest(region="russia", nations=["american", "german"]),
        DealRequest(region="russia", theme="beach"),
        DealRequest(theme="beach", figures={"rifle": 60}),
        DealRequest(theme="convoy", figures={"rifle": 90, "truck": 1}),
        DealRequest(theme="crossing", terrain={"river": 48, "road": 20}),
        DealRequest(theme="crossing", terrain={"river": 3, "bridge": 2}),
        DealRequest(theme="village", terrain={"house": 2}),
        DealRequest(theme="strongpoint", terrain={"house": 9}),
        DealRequest(region="desert", month="1941-06", nations=["american"]),
    ],
)
def test_what_nobody_could_fight_is_refused(asked: DealRequest) -> None:
    with pytest.raises(NoSuchBattleError, match="No battle fits"):
        proposals(asked, 1, library.dealing())


def test_who_waits_for_relief_sets_up_first_and_is_the_defender() -> None:
    scenario = read(usual("relief"))
    (garrison,) = [side for side in scenario.sides if side.contingents[0].id == "garrison"]
    assert scenario.sets_up_first == garrison.id
    assert garrison.role == "defender"


def test_both_sides_get_a_part_of_few_rifles() -> None:
    figures = dict.fromkeys(FIGURES, 4) | {"rifle": 20}
    for seed in SEEDS:
        asked = DealRequest(theme="relief", points=70, figures=figures)
        (chosen,) = proposals(asked, seed, library.dealing(), 1)
        scenario = read(deal(*chosen, library.dealing()))
        assert all(side.units().get("rifle", 0) >= 5 for side in scenario.sides)


def test_no_village_is_named_where_no_house_stands() -> None:
    terrain = dict.fromkeys(TERRAIN, 8) | {"house": 0}
    for seed in SEEDS:
        asked = DealRequest(theme="meeting", terrain=terrain)
        (chosen,) = proposals(asked, seed, library.dealing(), 1)
        scenario = read(deal(*chosen, library.dealing()))
        assert not map_of(scenario).buildings
        assert scenario.title == "The crossroads"


# ------------------------------------------------------------------ darkness, charges, versions


@pytest.mark.parametrize(
    ("code", "checksum"),
    [
        ("2280A6G95KYBW0G", 3528584594),
        ("22E0WGG95KAM50V", 2732721878),
        ("2G80A6G95KYBW07", 395095446),
        ("2GEC4EG95K4130Q", 4252087632),
    ],
)
def test_a_code_of_the_first_version_deals_what_it_always_did(code: str, checksum: int) -> None:
    coded_battle = decoded(code, library.dealing())
    assert coded_battle.wishes.version == 1
    assert code_of(*coded_battle, library.dealing()) == code
    dealt = deal(*coded_battle, library.dealing())
    assert zlib.crc32(json.dumps(dealt.raw).encode()) == checksum
    assert "happening" not in dealt.raw or "darkness" not in str(dealt.raw["happening"])


def test_a_code_of_a_version_to_come_is_refused_with_a_sentence() -> None:
    # The first letter has the version, the last one checks all before it.
    later = "6" + "280A6G95KYBW0"
    with pytest.raises(DealCodeError, match=r"version 3 .* deals those of version 1 to 2"):
        decoded(later + check_letter(later), library.dealing())


def test_a_night_raid_is_dark_until_the_dawn_that_its_rule_names() -> None:
    scenario = read(usual("night_raid"))
    (night,) = (event for event in scenario.happenings if isinstance(event, Darkness))
    (rule,) = (rule for rule in scenario.special_rules if rule.name == night.rule)
    assert rule.text == night.text
    assert night.sight_in == 12
    assert f"before turn {night.before_turn}" in rule.text
    assert scenario.ends_after is not None
    assert night.before_turn is not None
    assert night.before_turn < scenario.ends_after.turn


def test_some_bridges_are_mined_and_only_where_there_is_another_way_over_the_water() -> None:
    mined = 0
    for seed in range(1, 25):
        scenario = read(usual("crossing", seed))
        for charges in scenario.happenings:
            assert isinstance(charges, Charges)
            mined += 1
            ways = [line for line in map_of(scenario).lines if line.kind in ("road", "track")]
            assert len(ways) >= 2
            assert [mark.mark for mark in map_of(scenario).marks] == [charges.mark]
            assert charges.side == scenario.sets_up_first
    assert 5 <= mined <= 19


def test_a_village_at_a_crossroads_without_roads_is_in_the_middle_of_the_table() -> None:
    books = library.dealing()
    frame = AttackFrame("W", 96, 60)
    region = books.regions.regions["normandy"]
    table = LaidTable(books.themes["village"], region, frame, TerrainStock(None))
    VillageBuilder(table, Random(1)).lay_village(Village(where="crossroads", houses=(3, 5)))
    assert table.village == table.middle
    assert table.houses == []


def test_a_group_that_enters_at_a_share_of_the_battle_never_enters_on_its_first_turn() -> None:
    group = Group(id="late", name="Late", share=100, entry="edge", turn_share=0.0)
    assert group.turn_in(last_turn=10) == 2


@pytest.mark.parametrize(
    ("row", "key"),
    [
        ({"german": "1942-09"}, "had[0].unit"),
        ({"unit": "tigre", "german": "1942-09"}, "had[0].unit"),
        ({"unit": "tiger", "germen": "1942-09"}, "had[0].germen"),
        ({"unit": "tiger", "german": "1942-13"}, "had[0].german"),
        ({"unit": "tiger", "german": "1942-09", "to": "1945"}, "had[0].to"),
        ({"unit": "tiger", "german": "1942-09", "region": "moon"}, "had[0].region"),
    ],
)
def test_a_row_of_had_names_a_unit_a_region_and_nations_that_exist_with_their_months(
    row: dict[str, str], key: str
) -> None:
    raw = {**resources.table("plastic/dealing/regions.toml"), "had": [row]}
    with pytest.raises(DataError) as error:
        read_regions(raw, library.catalog(), "regions.toml")
    assert [problem.key for problem in error.value.problems] == [key]


def test_a_unit_has_one_row_of_had() -> None:
    row = {"unit": "tiger", "german": "1942-09"}
    raw = {**resources.table("plastic/dealing/regions.toml"), "had": [row, row]}
    with pytest.raises(DataError) as error:
        read_regions(raw, library.catalog(), "regions.toml")
    assert [problem.key for problem in error.value.problems] == ["had[1].unit"]
