"""Advice to whoever builds an army: room under every limit, what is new, what is only not met."""

from __future__ import annotations

import pytest
from deep import deep_count
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from skirmish.games.plastic.army_file import army_of, as_body, as_table, code_of, from_body
from skirmish.games.plastic.rules.advice import (
    after_repair,
    buying_room,
    fill,
    in_order_from,
    most_rifles,
    piece_offers,
    verdict,
    worsened,
)
from skirmish.games.plastic.rules.army import Army, ArmyGroup, ArmyList, muster
from skirmish.games.plastic.rules.army_reading import read_army
from skirmish.games.plastic.rules.breaches import breaches
from skirmish.games.plastic.rules.limits import is_legal
from skirmish.tabletop.data_file import DataError


@pytest.fixture
def army(catalog, book):
    def build(nation: str | None = None, quality: str | None = None, **counts: int) -> Army:
        listed = ArmyList(name="Test", points=200, nation=nation, quality=quality)
        for piece, count in counts.items():
            listed = listed.changed(piece, count, catalog)
        return muster(listed, catalog, book)

    return build


def shelf_of(army: Army, piece: str) -> str | None:
    return next((line.section for line in piece_offers(army) if line.piece.id == piece), None)


def changed(army: Army, piece: str, count: int) -> Army:
    return muster_like(army, army.army_list.changed(piece, count, army.catalog))


def muster_like(army: Army, listed: ArmyList) -> Army:
    return Army(listed, army.catalog, army.rulings)


@pytest.mark.parametrize(
    ("piece", "more", "limit"),
    [
        ("rifle", 200, "budget"),
        ("machinegun", 6, "guy_type_sixth"),
        ("tank", 5, "armor_half"),
        ("jeep", 8, "jeeps_per_100"),
        ("eighty_eight", 6, "cannons_per_100"),
        ("small_pillbox", 4, "pillboxes_per_100"),
        ("large_pillbox", 2, "pillboxes_per_100"),
        ("sandbags", 2, "sandbags_two"),
        ("assault_raft", 0, "banned_unit"),
    ],
)
def test_room_is_what_the_tightest_limit_leaves_an_empty_army(army, piece, more, limit):
    count, gauge = buying_room(army(), piece)
    assert (count, gauge.limit.id) == (more, limit)


def test_room_shrinks_with_each_limit_and_ends_at_none(army):
    assert buying_room(army(rifle=190), "machinegun").more == 2
    assert buying_room(army(machinegun=6), "machinegun").more == 0
    assert buying_room(army(rifle=205), "jeep").more == 0


@pytest.mark.parametrize("piece", ["rifle", "machinegun", "tank", "sniper", "small_pillbox"])
def test_as_many_as_there_is_room_for_break_nothing_and_one_more_does(army, piece):
    start = army(nation="russian", quality="green", rifle=40, tank=2, jeep=3)
    more, gauge = buying_room(start, piece)
    had = {breach.limit.id for breach in breaches(start)}
    full = changed(start, piece, start.army_list.count(piece) + more)
    over = changed(start, piece, start.army_list.count(piece) + more + 1)
    assert {breach.limit.id for breach in breaches(full)} <= had
    assert gauge.limit.id in {breach.limit.id for breach in breaches(over)}


def test_a_nation_moves_what_is_another_nations_to_a_shelf_of_its_own(army):
    assert shelf_of(army(nation="german"), "tiger") == "armored"
    assert shelf_of(army(), "tiger") == "armored"
    assert shelf_of(army(nation="french"), "tiger") == "elsewhere"
    assert shelf_of(army(nation="french"), "eighty_eight") == "elsewhere"
    assert buying_room(army(nation="french"), "tiger").more == 0


def test_what_is_not_sold_is_offered_only_to_an_army_that_has_it(army):
    assert shelf_of(army(), "landing_craft") is None
    assert shelf_of(army(landing_craft=1), "landing_craft") == "not_sold"
    assert shelf_of(army(entrenchment=1), "entrenchment") == "not_sold"


def test_shelves_keep_their_order_and_the_notes_come_after_the_ordinary(army):
    shelves = [line.section for line in piece_offers(army(nation="polish", aircraft=1))]
    order = ["guy", "unarmored", "armored", "work", "notes", "elsewhere", "not_sold"]
    assert sorted(shelves, key=order.index) == shelves
    assert set(shelves) == set(order)


def test_filling_spends_the_last_point_the_bonus_included(army):
    filled = muster_like(army(), fill(army(quality="regular", tank=3)))
    assert filled.army_list.count("tank") == 3
    assert filled.spent == filled.budget == 240


@settings(deadline=None, max_examples=deep_count(20, 60))
@given(
    terms=st.fixed_dictionaries(
        {
            "points": st.integers(1, 10_000),
            "nation": st.sampled_from([None, "german", "russian", "japanese", "french"]),
            "quality": st.sampled_from([None, "elite", "regular", "green"]),
        }
    ),
    bought=st.dictionaries(
        st.sampled_from(["rifle", "machinegun", "mortar", "tank", "jeep", "sandbags", "sniper"]),
        st.integers(0, 40),
    ),
)
def test_filling_makes_a_mixed_army_that_breaks_nothing_new(catalog, book, terms, bought):
    listed = ArmyList(name="Test", **terms)
    for piece, count in bought.items():
        listed = listed.changed(piece, count, catalog)
    start = muster(listed, catalog, book)
    filled = muster_like(start, fill(start))
    assert all(filled.army_list.count(piece) >= count for piece, count in bought.items())
    assert filled.army_list.count("rifle") <= max(most_rifles(start), listed.count("rifle"))
    assert not worsened(breaches(start), breaches(filled))
    if not bought and listed.points >= 100:
        assert is_legal(filled)
        assert filled.spent == filled.budget
        assert {"machinegun", "mortar", "tank", "rifle"} <= filled.army_list.units.keys()
        assert filled.army_list.count("rifle") * 5 >= filled.budget


def test_filling_an_army_that_spent_too_much_changes_nothing(army):
    start = army(tank=11)
    assert fill(start) == start.army_list


def test_repairing_each_breach_in_turn_makes_an_army_legal(army):
    now = army(nation="british", tank=6, tiger=2, jeep=12, machinegun=9, sniper=2, sandbags=4)
    for _ in range(20):
        found = breaches(now)
        if not found:
            break
        now = muster_like(now, after_repair(now, found[0]))
    assert is_legal(now)


def test_news_are_limits_broken_by_a_change_or_broken_further(army):
    start, first, second = army(rifle=70), army(rifle=70, tank=6), army(rifle=70, tank=7)
    assert [b.limit.id for b in worsened(breaches(start), breaches(first))] == ["armor_half"]
    after = worsened(breaches(first), breaches(second))
    assert [b.limit.id for b in after] == ["budget", "armor_half"]
    assert worsened(breaches(second), breaches(first)) == []


def test_a_waived_limit_is_no_news_and_stands_last(army):
    start = army(rifle=70)
    listed = army(rifle=70, tank=7).army_list
    waived = ArmyList(
        name="x", points=200, units=listed.units, overrides={"budget": "agreed at this table"}
    )
    found = breaches(muster_like(start, waived))
    assert [b.limit.id for b in worsened([], found)] == ["armor_half"]
    assert [b.limit.id for b in in_order_from(found, 0)] == ["armor_half", "budget"]
    assert verdict(muster_like(start, waived)) == ("broken", "1 limit broken")
    mended = muster_like(start, structs.replace(waived, units={"rifle": 70, "jeep": 9}))
    allowed = muster_like(
        mended, structs.replace(mended.army_list, overrides={"jeeps_per_100": ""})
    )
    assert verdict(allowed) == ("met", "legal, 1 waived")


def test_breaches_go_round(army):
    found = breaches(army(rifle=70, tank=7, jeep=9))
    names = [breach.limit.id for breach in found]
    assert names == ["budget", "armor_half", "jeeps_per_100"]
    assert [b.limit.id for b in in_order_from(found, 1)] == [*names[1:], names[0]]
    assert in_order_from(found, 3) == found
    assert in_order_from([], 2) == []


def test_guys_that_can_still_be_bought_are_to_do_and_not_broken(army):
    empty = army()
    assert breaches(empty)[0].state == "to_do"
    assert verdict(empty) == ("to_do", "1 limit to meet")


def test_guys_for_whom_no_points_are_left_are_a_broken_limit(army):
    full = army(halftrack=12)
    breach = next(b for b in breaches(full) if b.limit.id == "guys_third")
    assert breach.state == "broken"
    assert verdict(full) == ("broken", "1 limit broken")


# ------------------------------------------------------------------ groups


def platoons(**more: object) -> ArmyList:
    groups = (
        ArmyGroup(name="First platoon", units={"rifle": 12, "machinegun": 1}),
        ArmyGroup(name="Second [/b]", units={"rifle": 10}),
    )
    table: dict[str, object] = {"name": "Test", "units": {"rifle": 30, "machinegun": 2}, **more}
    return ArmyList(**{"groups": groups, **table})  # type: ignore[arg-type]


def test_groups_come_back_from_file_store_and_share_code(catalog, book):
    listed = platoons(note="", works={"sandbags": 1})
    assert "group" in as_table(listed)
    assert read_army(as_table(listed), catalog, book, "x").army_list == listed
    assert from_body(as_body(listed), catalog, book, "x").army_list == listed
    assert army_of(code_of(listed), catalog, book).army_list == listed


def test_a_list_written_before_there_were_groups_is_read_undivided(catalog, book):
    body = '{"format":1,"name":"Old","points":200,"units":{"rifle":3},"works":{},"rulings":{}}'
    assert from_body(body, catalog, book, "x").army_list.groups == ()


@pytest.mark.parametrize(
    ("group", "says"),
    [
        ({"name": "First", "units": {"rifle": 31}}, "group: the groups hold 31 rifle"),
        ({"name": " ", "units": {}}, "group[0].name: is blank"),
        ({"name": "First", "units": {"sandbags": 1}}, "group[0].units.sandbags: belongs under"),
        ({"name": "First", "men": 3}, "group[0].men"),
    ],
)
def test_a_group_that_cannot_be_is_refused_with_its_place(catalog, book, group, says):
    table = {"name": "Test", "units": {"rifle": 30}, "group": [group]}
    with pytest.raises(DataError, match=r"(?s).*") as refused:
        read_army(table, catalog, book, "x")
    assert says in str(refused.value)


def test_a_group_takes_from_those_in_no_group_and_buys_what_is_lacking(catalog):
    listed = platoons().regrouped(1, "rifle", 16, catalog)
    assert listed.groups[1].units == {"rifle": 16}
    assert listed.units["rifle"] == 30
    assert listed.regrouped(1, "rifle", 20, catalog).units["rifle"] == 32
    assert listed.regrouped(0, "machinegun", 0, catalog).units == listed.units


def test_men_sold_leave_those_in_no_group_first_and_then_the_last_group(catalog):
    listed = platoons().changed("rifle", 22, catalog)
    assert [group.units["rifle"] for group in listed.groups] == [12, 10]
    listed = listed.changed("rifle", 11, catalog)
    assert [group.units.get("rifle", 0) for group in listed.groups] == [11, 0]


def test_free_men_join_the_group_they_were_earned_by(catalog, book):
    army = muster(platoons(nation="russian"), catalog, book)
    assert army.blocks() == [
        ("First platoon", {"rifle": 12, "machinegun": 1}, {"rifle": 2}),
        ("Second [/b]", {"rifle": 10}, {"rifle": 2}),
        ("The rest", {"rifle": 8, "machinegun": 1}, {"rifle": 2}),
    ]
    lines = {line.piece.id: line for line in piece_offers(army, 0)}
    assert (lines["rifle"].count, lines["rifle"].free, lines["rifle"].more) == (12, 2, 8)


@given(
    groups=st.lists(
        st.dictionaries(st.sampled_from(["rifle", "tank", "mortar"]), st.integers(0, 9_999)),
        max_size=8,
    ),
    changes=st.lists(
        st.tuples(
            st.integers(-1, 7),
            st.sampled_from(["rifle", "tank", "mortar"]),
            st.integers(-1, 10_000),
        ),
        max_size=8,
    ),
)
def test_no_change_makes_a_division_that_could_not_be_read_again(catalog, book, groups, changes):
    listed = ArmyList(name="Test", nation="russian", groups=(ArmyGroup(name="x"),) * len(groups))
    for at, units in enumerate(groups):
        for unit, count in units.items():
            listed = listed.regrouped(at, unit, count, catalog)
    for at, unit, count in changes:
        if -1 < at < len(groups):
            listed = listed.regrouped(at, unit, count, catalog)
        else:
            listed = listed.changed(unit, count, catalog)
        army = from_body(as_body(listed), catalog, book, "x")
        total: dict[str, int] = {}
        for _, bought, free in army.blocks():
            assert free.keys() <= bought.keys()
            for counts in (bought, free):
                for name, n in counts.items():
                    assert n > 0
                    total[name] = total.get(name, 0) + n
        assert total == army.fielded()


def test_filling_counts_points_and_men_apart(army) -> None:
    """With riflemen at 2 points, too, half of those whom a mixed army has are kept in reserve."""
    empty = army()
    units = empty.catalog.units
    dear = structs.replace(units["rifle"], price=2)
    catalog = structs.replace(empty.catalog, units={**units, "rifle": dear})
    filled = Army(fill(Army(empty.army_list, catalog, empty.rulings)), catalog, empty.rulings)
    assert filled.army_list.count("rifle") >= most_rifles(filled) // 2
    assert filled.budget - filled.spent < dear.price
