"""Every breach with its smallest repair, held against every repair there could be.

A repair mends its breach and brings no other. Among those that make no other breach worse it is
the one of fewest pieces, then of fewest points.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import msgspec
import pytest
from deep import deep_count
from hypothesis import given, settings
from hypothesis import strategies as st

from skirmish import library
from skirmish.games.plastic.rules.army import Army, ArmyList, muster
from skirmish.games.plastic.rules.breaches import breaches, repair_words
from skirmish.games.plastic.rules.limits import LimitGauge, gauges, is_legal
from skirmish.games.plastic.rules.picks import Offer, smallest_picks

CATALOG = library.catalog()
BOOK = library.rulings()
GUYS = ("rifle", "grenade", "bazooka", "machinegun")
OTHERS = ("sniper", "jeep", "tank", "cannon", "small_pillbox", "large_pillbox", "landing_craft")
WORKS = ("sandbags", "barbed_wire")
MOST_PIECES = 3
"""Larger repairs are not looked for: the number of candidates explodes."""

Changes = dict[str, int]
Sore = tuple[str, str | None]


def army(units: dict[str, int], works: dict[str, int] | None = None, **more: object) -> Army:
    listed = ArmyList(name="An army", units=units, works=works or {}, **more)  # type: ignore[arg-type]
    return muster(listed, CATALOG, BOOK)


def excess(army: Army) -> dict[Sore, float]:
    """By how much each broken limit is broken."""
    return {
        (gauge.limit.id, gauge.piece): float(abs(gauge.have - gauge.allowed))
        for gauge in gauges(army)
        if not gauge.is_met
    }


def changed(army: Army, changes: Changes) -> Army:
    listed = army.army_list
    for piece, change in changes.items():
        listed = listed.changed(piece, listed.count(piece) + change, army.catalog)
    return msgspec.structs.replace(army, army_list=listed)


def size(army: Army, changes: Changes) -> tuple[int, int]:
    pieces = sum(abs(change) for change in changes.values())
    return pieces, sum(abs(change) * army.price(piece) for piece, change in changes.items())


def candidates(army: Army, pieces: int, adding: bool) -> Iterator[Changes]:
    """Every change of so many pieces: any of the army's out and, if ``adding``, any guys in."""
    listed = army.army_list
    moves = [(piece, -1) for piece in (*listed.units, *listed.works)]
    moves += [(piece, 1) for piece in GUYS if adding]
    for picked in itertools.combinations_with_replacement(moves, pieces):
        changes: Changes = {}
        for piece, step in picked:
            changes[piece] = changes.get(piece, 0) + step
        whole = sum(map(abs, changes.values())) == pieces
        if whole and all(listed.count(piece) + step >= 0 for piece, step in changes.items()):
            yield changes


def mends(army: Army, sore: Sore, changes: Changes, before: dict[Sore, float]) -> bool:
    after = excess(changed(army, changes))
    return sore not in after and all(after[key] <= before.get(key, 0) for key in after)


def smallest(army: Army, sore: Sore, up_to: int, adding: bool = True) -> tuple[int, int] | None:
    before = excess(army)
    for pieces in range(1, up_to + 1):
        sizes = [
            size(army, changes)
            for changes in candidates(army, pieces, adding)
            if mends(army, sore, changes, before)
        ]
        if sizes:
            return min(sizes)
    return None


def of(army: Army, limit: str) -> LimitGauge:
    (breach,) = (breach for breach in breaches(army) if breach.limit.id == limit)
    return breach


def repair(breach: LimitGauge) -> Changes:
    return {change.unit: change.change for change in breach.repair}


few = st.integers(1, 3)
armies = st.builds(
    army,
    units=st.dictionaries(st.sampled_from(GUYS), st.integers(1, 9), max_size=2).flatmap(
        lambda guys: st.dictionaries(st.sampled_from(OTHERS), few, max_size=2).map(
            lambda others: {**guys, **others}
        )
    ),
    works=st.dictionaries(st.sampled_from(WORKS), st.integers(1, 4), max_size=1),
    points=st.sampled_from([12, 18, 24, 36, 48, 60, 100]),
    nation=st.sampled_from([None, "german", "russian", "japanese", "american"]),
    quality=st.sampled_from([None, "regular", "green"]),
    rulings=st.sampled_from([{}, {"P47": "base_points"}, {"P61": "no"}, {"P79": "full_hundreds"}]),
)


@settings(max_examples=deep_count(50, 150))
@given(armies)
def test_a_repair_mends_its_breach_and_brings_no_other(army: Army) -> None:
    before = excess(army)
    for breach in breaches(army):
        if not breach.repair:  # it would have been the whole army
            assert breach.limit.id == "budget"
            bought = [
                piece for piece, n in (army.army_list.units | army.army_list.works).items() if n
            ]
            assert min(army.price(piece) for piece in bought) > army.budget
            continue
        after = excess(changed(army, repair(breach)))
        assert (breach.limit.id, breach.piece) not in after, breach
        assert after.keys() <= before.keys(), breach


@settings(max_examples=deep_count(25, 60))
@given(armies)
def test_no_repair_is_of_fewer_pieces(army: Army) -> None:
    before = excess(army)
    for breach in breaches(army):
        sore, changes = (breach.limit.id, breach.piece), repair(breach)
        pieces, _ = size(army, changes)
        if pieces > MOST_PIECES + 1 or not mends(army, sore, changes, before):
            continue  # too large to search, or forced to make another breach worse
        found = smallest(army, sore, pieces - 1, adding=True)
        assert found is None, breach


def test_guys_are_added_without_taking_anything_out_where_there_is_room() -> None:
    short = army({"grenade": 16, "rifle": 30, "jeep": 2, "tank": 4})
    assert repair(of(short, "guys_third")) == {"machinegun": 1}


def test_of_two_repairs_of_as_many_pieces_the_cheaper_is_offered() -> None:
    """A bazooka in and a cannon out are two pieces and 11 points; two riflemen are 2 points."""
    full = army({"grenade": 3, "cannon": 2}, points=24)
    assert full.budget - full.spent == 2
    assert repair(of(full, "guys_third")) == {"rifle": 2}


def test_wire_stays_where_two_riflemen_fit_beside_it() -> None:
    full = army({"grenade": 5, "rifle": 8, "jeep": 2, "tank": 1}, {"barbed_wire": 14}, points=60)
    assert repair(of(full, "guys_third")) == {"rifle": 2}


def test_the_budget_may_be_kept_by_a_swap() -> None:
    """Four wires out, or a machinegun man out and a rifleman in: four pieces or two."""
    dear = army({"machinegun": 1, "rifle": 9}, {"barbed_wire": 20}, points=30)
    found = of(dear, "budget")
    assert smallest(dear, ("budget", None), 3) == (2, 6)
    assert repair(found) == {"machinegun": -1, "rifle": 1}


def test_free_riflemen_count_for_nothing_that_is_bought() -> None:
    """Nationalities (Russian), P34."""
    bought = army({"rifle": 67}, nation="russian")
    assert bought.free == {"rifle": 13}
    assert is_legal(bought)
    short = army({"rifle": 66}, nation="russian")
    assert repair(of(short, "guys_third")) == {"rifle": 1}


def test_a_breach_that_the_table_allows_is_told_but_does_not_make_the_army_illegal() -> None:
    allowed = army({"rifle": 67}, {"sandbags": 3}, overrides={"sandbags_two": "ours"})
    (breach,) = breaches(allowed)
    assert breach.override == "ours"
    assert breach.repair
    assert is_legal(allowed)
    also = army({"rifle": 66}, {"sandbags": 3}, overrides={"sandbags_two": "ours"})
    assert not is_legal(also)


def test_a_repair_is_said_as_a_person_would() -> None:
    dear = army({"rifle": 67, "tank": 7})
    assert repair_words(of(dear, "armor_half").repair, dear) == "remove 2 Tanks"
    short = army({"rifle": 66})
    assert repair_words(of(short, "guys_third").repair, short) == "add 1 Rifle Guy"


@pytest.mark.parametrize(
    ("units", "works", "more", "limit", "message"),
    [
        ({"rifle": 201}, {}, {}, "budget", "costs 201 points; 200 may be spent: 1 too"),
        ({"rifle": 60}, {}, {}, "guys_third", "Guys take 60 points; at least 67 (a third)"),
        ({"machinegun": 7}, {}, {}, "guy_type_sixth", "Machinegun Guys take 35 points; one type"),
        (
            {"tank": 6},
            {},
            {},
            "armor_half",
            "Tanks and armored cars take 120 points; at most 100 (half)",
        ),
        ({"jeep": 9}, {}, {}, "jeeps_per_100", "9 jeeps: the limit for 200 points is 8."),
        ({"cannon": 7}, {}, {}, "cannons_per_100", "7 cannons: the limit for 200 points is 6."),
        (
            {"small_pillbox": 5},
            {},
            {},
            "pillboxes_per_100",
            "2.5 pillboxes: the limit for 200 points is 2.",
        ),
        ({"amphib": 1}, {}, {}, "banned_unit", "Amphibs cannot be bought for this game"),
        (
            {"tiger": 1},
            {},
            {"nation": "french"},
            "nation_only",
            "Only the Germans may have Tiger Tanks; this army has 1.",
        ),
        ({"sniper": 2}, {}, {"nation": "polish"}, "sniper_one", "2 Sniper Guys: the limit is 1."),
        ({}, {"sandbags": 3}, {}, "sandbags_two", "3 Sandbag Lines: the limit is 2."),
    ],
)
def test_each_limit_tells_its_breach_with_the_numbers(
    units: dict[str, int], works: dict[str, int], more: dict[str, str], limit: str, message: str
) -> None:
    """Purchasing Limits."""
    assert message in of(army(units, works, **more), limit).message


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("with_bonus", "12 jeeps: the limit for 240 points is 9."),
        ("base_points", "12 jeeps: the limit for 200 points is 8."),
    ],
)
def test_a_breach_names_the_points_that_its_limit_goes_by(answer: str, sentence: str) -> None:
    """P47: 200 points and a bonus of 40 for regular troops."""
    many = army({"rifle": 80, "jeep": 12}, quality="regular", rulings={"P47": answer})
    assert of(many, "jeeps_per_100").message == sentence


@pytest.mark.parametrize("count", [500, 9_999])
@pytest.mark.parametrize("points", [1, 10_000])
def test_the_largest_armies_are_mended_like_any_other(count: int, points: int) -> None:
    """Every unit by the thousand: none of the repairs may be looked for piece by piece."""
    huge = army(
        dict.fromkeys(CATALOG.units, count), dict.fromkeys(CATALOG.works, count), points=points
    )
    before = excess(huge)
    for breach in breaches(huge):
        after = excess(changed(huge, repair(breach)))
        assert (breach.limit.id, breach.piece) not in after, breach
        assert after.keys() <= before.keys(), breach


def test_an_empty_army_of_the_most_points_is_filled_with_the_dearest_guys_first() -> None:
    empty = army({}, points=10_000)
    (breach,) = breaches(empty)
    mended = changed(empty, repair(breach))
    assert mended.spent == 3_334
    assert (
        sum(mended.army_list.units.values()) == 667
    )  # twice 333 at 5 points, a sixth each, and one


def test_the_room_that_a_gauge_shows_is_what_still_fits() -> None:
    half = army({"rifle": 67, "tank": 3})
    gauge = next(gauge for gauge in gauges(half) if gauge.limit.id == "armor_half")
    room = {piece: gauge.room(piece) for piece in ("tank", "armored_car", "tiger", "jeep")}
    assert room == {"tank": 2, "armored_car": 4, "tiger": 1, "jeep": None}


offers = st.lists(
    st.tuples(st.integers(1, 9), st.integers(0, 9), st.integers(0, 4)), min_size=1, max_size=3
).map(lambda rows: [Offer(f"piece {n}", *row) for n, row in enumerate(rows)])


@settings(max_examples=deep_count(50, 150))
@given(st.integers(0, 20), offers)
def test_the_fewest_pieces_are_found_among_all_picks(need: int, offers: list[Offer]) -> None:
    picks = [
        (sum(pick), sum(n * offer.price for n, offer in zip(pick, offers, strict=True)))
        for pick in itertools.product(*(range(offer.available + 1) for offer in offers))
        if sum(n * offer.weight for n, offer in zip(pick, offers, strict=True)) >= need
    ]
    pick = smallest_picks(need, need, offers)[need]
    if pick is None:
        assert not picks
        return
    prices = {offer.piece: offer.price for offer in offers}
    assert pick[:2] == min(picks)
    assert pick.pieces == -sum(n for _, n in pick.changes)
    assert pick.points == -sum(prices[piece] * n for piece, n in pick.changes)


large = st.lists(
    st.tuples(st.integers(1, 9), st.integers(0, 9), st.integers(0, 60)), min_size=1, max_size=4
).map(lambda rows: [Offer(f"piece {n}", *row) for n, row in enumerate(rows)])


def tabled(high: int, offers: list[Offer]) -> list[tuple[int, int] | None]:
    """For each weight, the size of its smallest pick, every piece taken by itself."""
    best: list[tuple[int, int] | None] = [(0, 0)] + [None] * high
    for offer in offers:
        for _ in range(offer.available):
            for weight in range(high, offer.weight - 1, -1):
                if (before := best[weight - offer.weight]) is not None:
                    size = (before[0] + 1, before[1] + offer.price)
                    best[weight] = min(best[weight] or size, size)
    return best


@settings(max_examples=deep_count(25, 60), deadline=None)
@given(st.integers(0, 400), st.integers(0, 30), large)
def test_of_many_pieces_most_are_taken_unseen_and_the_pick_is_as_small(
    low: int, span: int, offers: list[Offer]
) -> None:
    total = tabled(low + span + 9, offers)
    picks = smallest_picks(low, low + span, offers)
    for goal in range(low, low + span + 1):
        enough = [size for size in total[goal:] if size is not None]
        pick = picks[goal]
        assert (pick and pick[:2]) == min(enough, default=None)
    alike = [offer._replace(price=offer.weight) for offer in offers]
    total, just = tabled(low + span, alike), smallest_picks(low, low + span, alike, exactly=True)
    for goal in range(low, low + span + 1):
        pick = just[goal]
        assert (pick and pick[:2]) == total[goal]
        if pick:
            weights = {offer.piece: offer.weight for offer in alike}
            assert -sum(weights[piece] * n for piece, n in pick.changes) == goal


# ------------------------------------------------------------------ what was added last


def test_what_was_added_last_is_taken_back_before_anything_else() -> None:
    over = army({"rifle": 999, "machinegun": 6, "tank": 4})
    (breach,) = [one for one in breaches(over, [{"rifle": 990}]) if one.limit.id == "budget"]
    assert repair(breach) == {"rifle": -909}


def test_it_goes_back_as_many_changes_as_it_takes() -> None:
    over = army({"rifle": 140, "tank": 4})
    found = breaches(over, [{"tank": 0}, {"rifle": 5}, {"rifle": 40}])
    assert [repair(one) for one in found if one.limit.id == "budget"] == [{"rifle": -20}]


def test_men_whom_the_third_for_guys_needs_are_not_taken_back() -> None:
    over = army({"rifle": 67, "tank": 5, "halftrack": 4})
    (breach,) = breaches(over, [{"rifle": 60}])
    assert repair(breach) == {"tank": -1}


@given(
    st.dictionaries(
        st.sampled_from(["tank", "rifle", "cannon", "jeep"]), st.integers(1, 99), min_size=1
    ),
    st.integers(1, 60),
)
def test_no_repair_sells_everything(units: dict[str, int], points: int) -> None:
    whole = army(units, points=points)
    for breach in breaches(whole, [units]):
        assert breach.limit.id != "budget" or changed(whole, repair(breach)).army_list.units
