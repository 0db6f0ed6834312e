"""Volleys: hits alone against all draws, and both against slower and plainer ways."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from math import comb, sqrt
from random import Random

import brute
import icepool
import pytest
from brute import QUEEN, Told, every_order, shooter, simulated
from deep import deep_count
from msgspec.structs import replace

from skirmish import library
from skirmish.games.plastic.odds import pack as packs
from skirmish.games.plastic.odds.pack import (
    ALL_CARDS,
    Firer,
    OddsError,
    Pack,
    VolleyOutcome,
    firer_of,
)
from skirmish.games.plastic.odds.sweep.sweep import Sweep
from skirmish.games.plastic.odds.sweep.terms import most_draws
from skirmish.games.plastic.odds.volley import simplified, volley
from skirmish.games.plastic.rules.shot import Aim, Circumstances, Shot, aim, weapon_named

CATALOG = library.catalog()
RULINGS = library.rulings().defaults()

NEEDS = (2, 3, 5, 6, 8, 10)
BLACK = (None, None, 0, 1)  # black as red, saved by cover, saved but for the ace (P18)


def some_cards(chance: Random, least: int, most: int) -> int:
    left = QUEEN if chance.random() < 0.6 else 0
    count = chance.randint(least, most)
    while left.bit_count() < count:
        left |= 1 << chance.randrange(48)
    return left


def some_firers(chance: Random, most: int, groups: int = 1) -> list[Firer]:
    return [
        shooter(
            chance.choice(NEEDS),
            chance.choice(BLACK),
            tests=chance.random() < 0.7,
            repeat=chance.random() < 0.5,
            group=chance.randrange(groups),
        )
        for _ in range(chance.randint(1, most))
    ]


def sweep(firers: list[Firer], sizes: list[int], pack: Pack, most: int = 2_000_000) -> Told:
    """Kills and losses together, with every draw followed."""
    return Sweep(firers, sizes, pack, losses=True, most=most).joint()


def some_lost(told: Told) -> dict[int, Fraction]:
    return packs.summed((key[-1], chance) for key, chance in told.items())


def without_losses(told: Told) -> Told:
    found: Told = {}
    for key, chance in told.items():
        found[key[:-1]] = found.get(key[:-1], Fraction(0)) + chance
    return found


def test_plain_reckoning_agrees_with_every_order_of_small_decks() -> None:
    chance, asked = Random(1), 0
    while asked < deep_count(80, 250):
        sizes = [chance.randint(1, 3) for _ in range(chance.choice((1, 1, 2)))]
        firers = some_firers(chance, 4, len(sizes))
        pack = Pack(some_cards(chance, 2, 7), queen_aside=chance.random() < 0.5)
        if most_draws(firers, sizes) > pack.count:
            continue
        asked += 1
        told = every_order(firers, sizes, pack)
        assert sum(told.values()) == 1
        assert sweep(firers, sizes, pack) == told, (firers, sizes, pack)


def test_plain_reckoning_agrees_with_every_order_through_a_shuffle() -> None:
    chance, asked = Random(2), 0
    while asked < 40:
        size = chance.randint(1, 2)
        firers = some_firers(chance, 3)
        pack = Pack(some_cards(chance, 1, 2), queen_aside=chance.random() < 0.5)
        if not pack.count < most_draws(firers, [size]) <= pack.count + 2:
            continue
        asked += 1
        told = every_order(firers, [size], pack)
        assert sweep(firers, [size], pack) == told, (firers, size, pack)


def test_the_queen_can_come_twice_when_she_is_shuffled_in_at_once() -> None:
    """P78 the other way: drawn as the last card, back in the deck, and drawn again."""
    firers = [shooter(2, tests=True)] * 2
    pack = Pack(QUEEN, queen_aside=False)
    assert sweep(firers, [1], pack) == every_order(firers, [1], pack)
    assert sweep(firers, [1], pack)[0, 2] > 0
    aside = Pack(QUEEN)
    assert sweep(firers, [1], aside) == every_order(firers, [1], aside)
    assert (0, 2) not in sweep(firers, [1], aside)


def test_hits_alone_tell_the_same_as_all_draws_while_the_deck_lasts() -> None:
    chance, asked = Random(3), 0
    while asked < deep_count(60, 200):
        sizes = [chance.randint(1, 4) for _ in range(chance.choice((1, 1, 2, 3)))]
        firers = some_firers(chance, 5, len(sizes))
        if chance.random() < 0.3:
            firers = [replace(one, spared=one.hits & ~brute.cards(1, 1)) for one in firers]
        pack = Pack(some_cards(chance, 6, 40), queen_aside=chance.random() < 0.7)
        if most_draws(firers, sizes) > pack.count:
            continue
        try:
            told = sweep(firers, sizes, pack, most=8_000)
        except OddsError:
            continue
        asked += 1
        sweeping = Sweep(firers, sizes, pack, losses=True, hits_only=True)
        assert sweeping.terms.first_deck_lasts
        found = sweeping.outcome()
        assert found.chances == without_losses(told), (firers, sizes, pack)
        assert found.lost == some_lost(told), (firers, sizes, pack)
        assert volley(firers, sizes, pack).chances == without_losses(told), (firers, sizes, pack)


def test_whether_losses_are_followed_changes_no_kills_through_a_shuffle() -> None:
    chance, asked = Random(4), 0
    while asked < deep_count(100, 300):
        size = chance.randint(1, 4)
        firers = some_firers(chance, 5)
        pack = Pack(some_cards(chance, 1, 6), queen_aside=chance.random() < 0.7)
        try:
            told = sweep(firers, [size], pack, most=12_000)
        except OddsError:
            continue
        asked += 1
        assert sum(told.values()) == 1
        found = volley(firers, [size], pack).chances
        assert found == without_losses(told), (firers, size, pack)


def test_shooters_who_are_alike_are_followed_together_as_one_by_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Rows of up to five who are alike, from what is left of a deck through up to three more:
    followed together, one by one, and with every card, which takes no short cut."""
    chance, asked, shuffles = Random(7), 0, 0
    while asked < deep_count(30, 80):
        firers = [one for one in some_firers(chance, 3) for _ in range(chance.randint(1, 5))]
        size = chance.randint(1, 12)
        pack = Pack(some_cards(chance, 1, 48), queen_aside=chance.random() < 0.7)
        try:
            told = without_losses(sweep(firers, [size], pack, most=20_000))
        except OddsError:
            continue
        asked += 1
        shuffles += most_draws(firers, [size]) > pack.count
        assert volley(firers, [size], pack).chances == told, (firers, size, pack)
        with monkeypatch.context() as room:
            room.setattr("skirmish.games.plastic.odds.sweep.alike_shooters.MOST_BITS", 1)
            assert volley(firers, [size], pack).chances == told, (firers, size, pack)
    assert shuffles > asked // 7


def rows_that_cross(chance: Random) -> list[Firer]:
    """Rows of shooters, each with any cards as its hits; up to three cards cause a second draw."""
    tests = 0
    for _ in range(chance.randint(0, 3)):
        tests |= 1 << chance.randrange(48)
    rows: list[Firer] = []
    for _ in range(chance.randint(1, 3)):
        hits = chance.getrandbits(48)
        if chance.random() < 0.5:
            hits &= chance.getrandbits(48)
        row = Firer(hits=hits, repeat=chance.random() < 0.6, tests=tests)
        rows += [row] * chance.randint(1, 6)
    return rows


@pytest.mark.parametrize("most_bits", [1, 1 << 12, 1 << 17])
def test_rows_whose_hits_cross_are_followed_as_draw_by_draw(
    monkeypatch: pytest.MonkeyPatch, most_bits: int
) -> None:
    """Through shuffles, with any cards left, several of which may cause a second draw."""
    monkeypatch.setattr("skirmish.games.plastic.odds.sweep.alike_shooters.MOST_BITS", most_bits)
    chance = Random(most_bits)
    asked = 0
    while asked < 15:
        firers = rows_that_cross(chance)
        pack = Pack(some_cards(chance, 1, 12), queen_aside=chance.random() < 0.5)
        sizes = [chance.randint(1, len(firers) + 5)]
        try:
            every_draw = Sweep(firers, sizes, pack, most=30_000).outcome().chances
        except OddsError:
            continue
        asked += 1
        hits_alone = Sweep(firers, sizes, pack, hits_only=True).outcome().chances
        assert hits_alone == every_draw, (firers, sizes, pack)


def a_hundred(cover: bool) -> list[Firer]:
    """As on the table: half of them riflemen."""
    firers: list[Firer] = []
    for unit, count in (("rifle", 50), ("machinegun", 20), ("bazooka", 15), ("mortar", 15)):
        aimed = aim_of(unit, "rifle", distance=6, cover=cover)
        firers += [replace(firer_of(aimed), spared=0)] * count
    return firers


@pytest.mark.parametrize("cover", [False, True], ids=["open", "cover"])
def test_a_hundred_of_four_kinds_are_answered_exactly(cover: bool) -> None:
    """They go through three decks; in cover their sets of hits cross each other."""
    firers = a_hundred(cover)
    told = volley(firers, [75], Pack()).kills()
    assert sum(told.values()) == 1
    times = 1_500
    drawn = simulated(firers, [75], Pack(), times, Random(28))
    mean = sum(kills * often for (kills, _), often in drawn.items()) / times
    expected = sum(kills * float(chance) for kills, chance in told.items())
    spread = sqrt(sum((kills - expected) ** 2 * float(p) for kills, p in told.items()) / times)
    assert abs(mean - expected) < 4 * spread


def as_late_as_can_be(parts: object) -> int:
    return 0


def as_soon_as_can_be(parts: list[int]) -> int:
    return -len(parts)


@pytest.mark.parametrize("choice", [as_late_as_can_be, as_soon_as_can_be])
def test_when_a_part_of_the_deck_is_divided_changes_no_chance(
    monkeypatch: pytest.MonkeyPatch, choice: object
) -> None:
    firers = a_hundred(cover=True)[35:90:5]
    low = Pack(some_cards(Random(7), 12, 12))
    told = Sweep(firers, [12], low, hits_only=True).joint()
    every_draw = Sweep(firers, [12], low, losses=True).outcome().chances
    monkeypatch.setattr("skirmish.games.plastic.odds.sweep.parts.most_states", choice)
    assert Sweep(firers, [12], low, hits_only=True).joint() == told
    assert told_kills(told) == every_draw


def told_kills(told: Told) -> Told:
    return packs.summed((key[:-1], chance) for key, chance in told.items())


def test_a_row_through_two_shuffles_is_a_walk_from_card_to_card() -> None:
    """Followed by hits and other cards left, kills and shooters done, as plainly as can be."""
    firers, size = [shooter(8, repeat=True)] * 30, 25
    states: dict[tuple[int, int, int, int], Fraction] = {(1, 0, 0, 0): Fraction(1)}
    told: Told = {}
    while states:
        after: dict[tuple[int, int, int, int], Fraction] = defaultdict(Fraction)
        for (hits, others, kills, fired), chance in states.items():
            if kills == size or fired == len(firers):
                told[kills,] = told.get((kills,), Fraction(0)) + chance
                continue
            good, bad = (hits, others) if hits + others else (32, 16)
            if good:
                after[good - 1, bad, kills + 1, fired] += chance * Fraction(good, good + bad)
            if bad:
                after[good, bad - 1, kills, fired + 1] += chance * Fraction(bad, good + bad)
        states = after
    assert volley(firers, [size], Pack(1 << 9)).chances == dict(sorted(told.items()))
    assert most_draws(firers, [size]) > 1 + 48


def test_a_large_volley_agrees_with_a_simulation() -> None:
    """Within five standard deviations at every count of kills, through a shuffle."""
    chance, times = Random(5), 20_000
    firers = [
        *[shooter(5, 0)] * 8,
        *[shooter(8, 0, tests=True, repeat=True)] * 4,
        *[shooter(10, tests=True, repeat=True)] * 3,
        *[shooter(6, tests=True, repeat=True)] * 3,
    ]
    chance.shuffle(firers)
    for left in (ALL_CARDS, some_cards(chance, 20, 20)):
        told = volley(firers, [15], Pack(left)).kills()
        seen = simulated(firers, [15], Pack(left), times, chance)
        for fallen in range(16):
            p = float(told.get(fallen, 0))
            often = sum(count for key, count in seen.items() if key[0] == fallen)
            assert abs(often / times - p) <= 5 * sqrt(p * (1 - p) / times) + 2 / times, fallen


def test_the_order_of_fire_matters_to_nobody_but_the_lost() -> None:
    rifles, guns = [shooter(5)] * 4, [shooter(8, tests=True, repeat=True)] * 3
    early, late = sweep([*guns, *rifles], [3], Pack()), sweep([*rifles, *guns], [3], Pack())
    assert without_losses(early) == without_losses(late)
    assert early[3, 1] > late[3, 1]


# Dice


def die_firer(needs: int, **more: object) -> Firer:
    twelve = 1 << 11
    return Firer(hits=(1 << needs) - 1, tests=twelve, breaks=twelve, **more)  # type: ignore[arg-type]


def test_dice_agree_with_icepool() -> None:
    """One shot each: a pool of coins with different odds. The chain: a walk that ends at a miss."""
    needs = [5, 5, 5, 8, 10, 2]
    firers = [die_firer(n) for n in needs]
    told = volley(firers, [6], packs.of_die()).kills()
    pool = sum(icepool.coin(n, 12) for n in needs)
    assert told == {k: pool.probability(k) for k in pool}
    capped = volley(firers, [4], packs.of_die()).kills()
    assert capped == {k: pool.map(lambda n: min(n, 4)).probability(k) for k in range(5)}

    chain = volley([die_firer(8, repeat=True)], [5], packs.of_die()).kills()
    walk = icepool.coin(8, 12).map(lambda hit: 1 if hit else 0)
    fallen = icepool.Die([0])
    for _ in range(5):
        # -1 marks a chain that has ended: 0, 1, 2… kills are -1, -2, -3… then.
        fallen = fallen.map(lambda n: walk.map({0: -1 - n, 1: n + 1}) if n >= 0 else n)
    ended = fallen.map(lambda n: -1 - n if n < 0 else n)
    assert chain == {k: ended.probability(k) for k in range(6)}


def test_dice_agree_with_every_throw() -> None:
    firers = [die_firer(8, repeat=True), die_firer(5, group=1), die_firer(3)]
    told = volley(firers, [2, 1], packs.of_die(), losses=True)
    seen: Told = {}

    def go(at: int, chain: int, kills: tuple[int, int], lost: int, p: Fraction) -> None:
        while at < 3 and kills[firers[at].group] == (2, 1)[firers[at].group]:
            at, chain = at + 1, 0
        if at == 3:
            seen[(*kills, lost)] = seen.get((*kills, lost), Fraction(0)) + p
            return
        one = firers[at]
        for face in range(12):
            more = tuple(n + (g == one.group) for g, n in enumerate(kills))
            if one.hits >> face & 1:
                on = one.repeat and kills[one.group] + 1 < (2, 1)[one.group]
                go(at + (not on), chain + 1 if on else 0, more, lost, p / 12)  # type: ignore[arg-type]
            elif one.tests >> face & 1:
                go(at + 1, 0, kills, lost + 1, p / 144)
                go(at + 1, 0, kills, lost, p / 12 * Fraction(11, 12))
            else:
                go(at + 1, 0, kills, lost, p / 12)

    go(0, 0, (0, 0), 0, Fraction(1))
    assert told.chances == without_losses(dict(sorted(seen.items())))
    assert told.lost == some_lost(seen)


# Shooters of the game


def aim_of(shooter: str, target: str, new: str = "not_shot_at", **at: object) -> Aim:
    unit, rulings = CATALOG.units[shooter], {**RULINGS, "P22": new}
    return aim(
        Shot(
            shooter=unit,
            weapon=weapon_named(unit, None, CATALOG, rulings),
            target=CATALOG.units[target],
            circumstances=Circumstances(**{"distance": 6, **at}),  # type: ignore[arg-type]
        ),
        CATALOG,
        rulings,
    )


def repeat_chain(aimed: Aim, targets: int, pack: Pack) -> VolleyOutcome:
    """One shooter at so many men in reach, until he misses or none is left."""
    return volley([firer_of(aimed, die=pack.die)], [targets], pack, losses=True)


def test_a_repeat_chain_of_the_machinegun() -> None:
    """32 of 48 hit, then 31 of 47. He is lost to the queen and one of 11 spades; as the second
    card she comes after a hit, and 8 of the 32 that hit are spades."""
    told = repeat_chain(aim_of("machinegun", "rifle", new="not_killed"), 2, Pack())
    assert told.chances[0,] == Fraction(16, 48)
    assert told.chances[1,] == Fraction(32, 48) * Fraction(16, 47)
    assert told.at_least(2) == Fraction(32 * 31, 48 * 47)
    assert told.expected() == Fraction(32, 48) + Fraction(32 * 31, 48 * 47)
    lost = Fraction(11, 48 * 47) + Fraction(24 * 11 + 8 * 10, 48 * 47 * 46)
    assert told.lost == {0: 1 - lost, 1: lost}


def test_a_man_shot_at_and_spared_is_no_new_target() -> None:
    """P22. Of two men there is a new one only after an ace, which kills the very man. Of three
    there is one after any hit; all three die after two aces."""
    told = repeat_chain(aim_of("machinegun", "rifle"), 2, Pack())
    assert told.at_least(2) == Fraction(4 * 31, 48 * 47)
    told = repeat_chain(aim_of("machinegun", "rifle"), 3, Pack())
    assert told.at_least(2) == Fraction(32 * 31, 48 * 47)
    assert told.at_least(3) == Fraction(4 * 3 * 30, 48 * 47 * 46)


def test_within_three_inches_nobody_is_spared() -> None:
    near = [aim_of("machinegun", "rifle", new=p, distance=3) for p in ("not_shot_at", "not_killed")]
    one, other = (repeat_chain(aim, 4, Pack()).kills() for aim in near)
    assert one == other


def test_chains_that_spare_agree_with_every_order() -> None:
    chance = Random(22)
    for _ in range(deep_count(40, 120)):
        sizes = [chance.randint(1, 5) for _ in range(chance.choice((1, 1, 2)))]
        firers = [
            replace(
                one,
                spared=one.hits & chance.choice((ALL_CARDS, ~brute.cards(1, 1))),
                first_exact=chance.random() < 0.4,
            )
            for one in some_firers(chance, 3, len(sizes))
        ]
        pack = Pack(some_cards(chance, 3, 6), queen_aside=chance.random() < 0.5)
        if most_draws(firers, sizes) <= pack.count:
            told = every_order(firers, sizes, pack)
            assert sweep(firers, sizes, pack) == told
            found = volley(firers, sizes, pack, losses=True)
            assert (found.chances, found.lost) == (without_losses(told), some_lost(told))


def test_a_rifle_does_not_repeat_and_does_not_break() -> None:
    told = repeat_chain(aim_of("rifle", "rifle"), 5, Pack())
    assert told.kills() == {0: Fraction(7, 12), 1: Fraction(5, 12)}
    assert told.lost == {0: 1}


def test_a_volley_can_break_an_army() -> None:
    """A tank counts 5: two groups, the chance that the dead come to 6."""
    firers = [shooter(5, group=1), shooter(5, group=0)]
    told = volley(firers, [1, 1], Pack())
    both = Fraction(20 * 19, 48 * 47)
    assert told.worth_at_least(6, [5, 1]) == both
    assert told.worth_at_least(5, [5, 1]) == Fraction(20, 48)


# What cannot be asked


@pytest.mark.parametrize(
    ("firers", "sizes", "says"),
    [
        ([], [3], "Nobody fires"),
        ([shooter(5), *[shooter(6)] * 100], [3], "101 shooters are too many"),
        ([shooter(5)], [0], "Nobody is there to be hit"),
        ([shooter(5)], [10_000], "10000 targets are too many"),
    ],
)
def test_a_volley_without_sense_is_one_sentence(
    firers: list[Firer], sizes: list[int], says: str
) -> None:
    with pytest.raises(OddsError, match=says):
        volley(firers, sizes, Pack())


def test_men_whom_no_shot_is_left_for_change_no_chance() -> None:
    """``volley`` cuts large groups; plain reckoning of as many as there are says the same."""
    chance, asked, cut = Random(13), 0, 0
    while asked < deep_count(50, 150):
        sizes = [chance.choice((1, 3, 50, 160)) for _ in range(chance.choice((1, 1, 2)))]
        firers = some_firers(chance, 4, len(sizes))
        pack = Pack(some_cards(chance, 1, 6), queen_aside=chance.random() < 0.5)
        try:
            told = sweep(firers, sizes, pack, most=15_000)
        except OddsError:
            continue
        asked += 1
        cut += simplified(firers, sizes, pack)[1] != tuple(sizes)
        found = volley(firers, sizes, pack, losses=len(sizes) == 1)
        assert found.chances == without_losses(told), (firers, sizes, pack)
    assert cut > asked // 3


def test_a_row_of_rifles_as_long_as_an_army_is_whole_decks_and_a_hand() -> None:
    """Of 48 cards 20 hit, so two decks to the end are 40 hits, and four cards more 0 to 4."""
    assert volley([shooter(5)] * 100, [160], Pack()).chances == {
        (40 + hits,): Fraction(comb(20, hits) * comb(28, 4 - hits), comb(48, 4))
        for hits in range(5)
    }
    chance = Random(14)
    for _ in range(40):
        count, pack = chance.randint(1, 60), Pack(some_cards(chance, 1, 8))
        told = without_losses(sweep([shooter(5)] * count, [70], pack))
        assert volley([shooter(5)] * count, [70], pack).chances == told


@pytest.mark.parametrize("pack", [Pack(), packs.of_die()])
@pytest.mark.parametrize("men", [100, 160, 9_999])
def test_a_machinegun_at_a_row_of_any_length_has_its_odds(men: int, pack: Pack) -> None:
    gun = Firer(hits=0xFF, repeat=True) if pack.die else shooter(8, repeat=True)
    at_99, found = volley([gun], [99], pack), volley([gun], [men], pack)
    assert found.at_least(60) == at_99.at_least(60)
    assert abs(float(found.expected() - at_99.expected())) < 1e-9


def test_a_volley_too_large_is_refused_with_a_sentence() -> None:
    firers = [shooter(n, 0, tests=True, repeat=True) for n in (2, 5, 6, 8, 10)] * 20
    mixed = [one for pair in zip(firers, [shooter(5)] * 100, strict=True) for one in pair][:100]
    with pytest.raises(OddsError, match="too mixed to be worked out exactly"):
        sweep(mixed, [40], Pack(), most=50_000)
    with pytest.raises(OddsError, match="too many to be worked out together"):
        volley([shooter(5, group=n % 3) for n in range(60)], [90] * 3, Pack())


def test_groups_that_are_too_many_are_refused_before_anything_is_reckoned(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("it was begun")

    monkeypatch.setattr(Sweep, "states", never)
    cards = [shooter(5, group=g % 4) for g in range(100)]
    for pack in (Pack(), packs.of_die()):
        with pytest.raises(OddsError):
            volley(cards, [30] * 4, pack)


def test_groups_far_larger_than_what_can_fall_cost_nothing() -> None:
    """Two rifles at 99 men each: 20/48, and after a hit 19/47."""
    told = volley([shooter(5, group=g) for g in (0, 1)], [99, 99], Pack()).chances
    assert told[1, 1] == Fraction(20 * 19, 48 * 47)
    assert len(told) == 4


def test_the_brute_oracle_knows_the_simplest_case() -> None:
    assert brute.every_order([shooter(5)], [1], Pack()) == {
        (0, 0): Fraction(7, 12),
        (1, 0): Fraction(5, 12),
    }
