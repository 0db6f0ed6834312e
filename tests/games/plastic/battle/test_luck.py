"""The luck ledger: what was to be expected of all shots, each out of the deck of its moment."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import prod
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stage import DICE, Table, armies, play_on, scenario

from skirmish.games.plastic.battle.known_pack import FRESH, UNKNOWN, pack_of
from skirmish.games.plastic.battle.lines import lines
from skirmish.games.plastic.battle.orders import Add, Finish, Fire, Show, Volley
from skirmish.games.plastic.battle.orders.firing import prepared
from skirmish.games.plastic.battle.orders.rejudge import as_judged
from skirmish.games.plastic.battle.view import seen
from skirmish.games.plastic.battle.voiding import why_not_void
from skirmish.games.plastic.fired_shots import fired_shots
from skirmish.games.plastic.journal_facts import JournalFacts
from skirmish.games.plastic.luck import Luck, SideLuck, luck
from skirmish.games.plastic.luck_page import fired_shot_words, luck_page, luckier_share
from skirmish.games.plastic.odds.pack import one_shot
from skirmish.games.plastic.rules.catalog import DECK
from skirmish.games.plastic.turning_point import turning_point_of
from skirmish.tabletop.chance import Draw, Source
from skirmish.tabletop.page import Table as PageTable
from skirmish.tabletop.page import ValueCurve, signed
from skirmish.tabletop.page_text import as_text

MEN = {"rifle": 20}
DECKS = (Source("deck", seed=8), Source("deck", seed=9))


def of(found: Luck, side: str) -> SideLuck:
    return next(one for one in found.sides if one.side == side)


def chances(found: Luck, side: str) -> list[Fraction]:
    return [shot.chance for shot in found.shots if shot.side == side]


def by_hand(chances: Sequence[Fraction], kills: int) -> tuple[Fraction, Fraction]:
    """Fewer and as many, by trying every outcome of every shot."""
    fewer = same = Fraction(0)
    for came in product((0, 1), repeat=len(chances)):
        way = prod((p if hit else 1 - p for p, hit in zip(chances, came, strict=True)), start=1)
        fewer += way * (sum(came) < kills)
        same += way * (sum(came) == kills)
    return Fraction(fewer), Fraction(same)


def a_firefight() -> Table:
    """Four rifles fire at men, A-5 with 20 of 48 cards: nine misses, two hits, the jack misses."""
    table = armies(MEN, MEN)
    for draw in ("9H", "2S", "5H", "JC"):
        table.fire("rifle", "rifle", draw)
    return table


def page(table: Table) -> str:
    return " ".join(as_text(luck_page(table.play)).split())


def test_each_chance_is_that_of_the_deck_before_its_draw() -> None:
    found = luck(a_firefight().play)
    assert [(shot.hits, shot.draws) for shot in found.shots] == [
        (20, 48),
        (20, 47),
        (19, 46),
        (18, 45),
    ]
    own = of(found, "second")
    assert (own.shots, own.kills, own.sure) == (4, 2, 0)
    assert own.expected == Fraction(20, 48) + Fraction(20, 47) + Fraction(19, 46) + Fraction(18, 45)
    assert own.difference == 2 - own.expected
    fewer, as_many = by_hand(chances(found, "second"), 2)
    assert own.percentile == 100 * float(fewer + as_many / 2)


def test_the_least_likely_kill_and_the_most_certain_miss_are_named_with_turn_and_entry() -> None:
    table = a_firefight()
    own = of(luck(table.play), "second")
    assert own.best is not None
    assert own.worst is not None
    assert own.best.chance == Fraction(19, 46)  # 41.3%, the other hit had 42.6
    assert own.worst.chance == Fraction(20, 48)
    entry = table.play.entries[own.best.entry - 1]
    assert [getattr(e, "draw", None) for e in entry.events if hasattr(e, "nth")]  # its draw's own
    said = fired_shot_words(
        table.play, own.best
    )  # by the line of its order, above that of the card
    assert said == f"turn 1, line {own.best.entry - 1}: Rifle R3 at a Rifle Guy, 41.3%"


def test_all_shots_are_listed_the_most_surprising_first() -> None:
    table = a_firefight()
    *_, listed = luck_page(table.play, with_shots=True).blocks
    assert isinstance(listed, PageTable)
    assert [row[-2:] for row in listed.rows] == [
        ("41.3%", "hit"),
        ("42.6%", "hit"),
        ("41.7%", "miss"),
        ("40.0%", "miss"),
    ]
    assert "Shots" not in [getattr(block, "text", "") for block in luck_page(table.play).blocks]


def test_the_chance_is_the_one_that_the_screen_told_before() -> None:
    table = armies({"rifle": 20, "tank": 2}, {"machinegun": 4, "cannon": 2})
    told = []
    shots: list[tuple[str, str, str, dict[str, Any]]] = [
        ("machinegun", "rifle", "9S", {"cover": True}),
        ("cannon", "tank", "9H", {"hull_down": True}),
        ("cannon", "tank", "JH", {"rear": True}),
    ]
    for shooter, target, draw, at in shots:
        order = table.shot(shooter, target, **at)
        before = one_shot(prepared(table.state, order).aim, pack_of(table.state, "second").pack)
        told.append((before.hits, before.draws))
        table.fire(shooter, target, draw, **at)
    assert [(shot.hits, shot.draws) for shot in luck(table.play).shots] == told


@pytest.mark.parametrize("cover", [False, True])
def test_luck_is_a_fair_game_nought_over_all_cards_that_can_come(cover: bool) -> None:
    total = saved = Fraction(0)
    left = [card for card in DECK if str(card) not in ("QS", "2S", "9H")]
    for card in left:
        table = armies(MEN, MEN)
        for gone in ("2S", "9H"):
            table.fire("rifle", "rifle", gone)
        table.fire("rifle", "rifle", str(card), cover=cover)
        (*_, last) = luck(table.play).shots
        assert last.draws == 46
        total += last.luck
        saved += last.saved - last.save_chance
    table = armies(MEN, MEN)
    for gone in ("2S", "9H", "QS"):
        table.fire("rifle", "rifle", gone, cover=gone == "QS" and cover)
    last = luck(table.play).shots[-1]
    assert total + last.luck == 0
    assert saved + last.saved - last.save_chance == 0


# ------------------------------------------------------------------ what counts


def test_what_was_taken_back_counts_neither_as_a_shot_nor_as_a_card() -> None:
    table = a_firefight()
    before = luck(table.play)
    table.fire("rifle", "rifle", "AH")
    for _ in range(2):  # the card, the order
        table.undo()
    assert luck(table.play) == before


def test_a_shot_made_void_does_not_count_and_its_card_is_back() -> None:
    table = a_firefight()
    whole = luck(table.play).shots
    (line,) = [one for one in lines(table.play) if whole[1].entry in one.entry_numbers]
    table.play.accept(table.play.possible("void", *line.entry_numbers))
    left = luck(table.play).shots
    assert [(shot.hits, shot.draws) for shot in left] == [(20, 48), (20, 47), (19, 46)]
    assert of(luck(table.play), "second").kills == 1


def test_a_shot_judged_again_counts_once_as_it_was_judged_last_with_its_own_deck() -> None:
    table = a_firefight()
    shot = table.state.judged[1].shot
    table.order(msgspec.structs.replace(as_judged(table.state, shot), cover=True))
    found = luck(table.play)
    again = found.shots[1]
    assert len(found.shots) == 4
    assert (again.hits, again.draws, again.saves) == (10, 47, 10)  # red; the black ones are saved
    assert (again.hit, again.saved) == (False, True)
    assert (of(found, "second").kills, of(found, "first").saves) == (1, 1)
    assert of(found, "first").saves_expected == Fraction(10, 47)


def test_every_shot_of_a_volley_has_the_deck_of_its_own_draw() -> None:
    table = armies(MEN, MEN)
    shot = table.shot("rifle", "rifle")
    table.order(Volley(shooter=shot.shooter, target=shot.target, count=3, reach=9))
    table.show("2H", "9S", "3H")
    found = luck(table.play)
    assert [(one.hits, one.draws) for one in found.shots] == [(20, 48), (19, 47), (19, 46)]


def test_the_second_card_of_a_breakdown_is_gone_and_the_weapon_broken() -> None:
    table = armies(MEN, {"machinegun": 2})
    table.fire("machinegun", "rifle", "QS", "4S")
    table.fire("machinegun", "rifle", "9H")
    found = luck(table.play)
    own = of(found, "second")
    assert [one.draws for one in found.shots] == [48, 46]
    assert own.broke == 1
    assert own.broke_expected == Fraction(1, 48) * Fraction(11, 47)  # the queen is gone by then


def a_gunner_without_his_gun() -> Table:
    """His machine gun breaks down, and a turn later he hits with a rifle."""
    table = armies(MEN, {"machinegun": 1, "cannon": 1})
    table.fire("machinegun", "rifle", "QS", "4S")
    table.at(2, "first")
    table.fire("rifle", "rifle", "4H")
    return table


def breakdown_void(table: Table) -> None:
    (_, breakdown, *_) = lines(table.play)
    table.play.accept(table.play.possible("void", *breakdown.entry_numbers))
    assert table.state.unit_of("second:M1") == "machinegun"


def test_a_shot_after_a_breakdown_that_is_void_counts_as_the_rifle_shot_that_it_was() -> None:
    table = a_gunner_without_his_gun()
    breakdown_void(table)
    (shot,) = fired_shots(table.play)
    assert (shot.piece, shot.weapon, shot.hit) == ("second:M1", "rifle", True)
    assert (shot.hits, shot.draws) == (20, 48)
    assert shot.breakdown_chance == 0  # riflemen may ignore breakdowns


def test_a_shot_of_a_man_who_was_added_since_is_counted_by_the_deck_of_its_moment() -> None:
    table = armies(MEN, {"rifle": 2})
    table.fire("rifle", "rifle", "4H")
    mortar = "second/second/mortar"
    judged_again = as_judged(table.state, table.state.judged[0].shot)
    table.order(Add(row=mortar, count=1))
    table.order(msgspec.structs.replace(judged_again, shooter=mortar))
    (shot,) = fired_shots(table.play)
    assert shot.unit == "mortar"
    assert shot.draws == 48


def test_the_shot_of_somebody_never_added_is_not_his_who_has_his_name_now() -> None:
    table = armies(MEN, {"rifle": 1})
    rifles = table.row("second", "rifle").key
    table.order(Add(row=rifles, count=1))
    (_, added) = lines(table.play)
    for draw in ("4H", "9H"):
        table.fire("rifle", "rifle", draw)
    assert {shot.piece for shot in fired_shots(table.play)} == {"second:R1", "second:R2"}
    table.play.accept(table.play.possible("void", *added.entry_numbers))
    table.order(Add(row=rifles, count=1))
    assert [shot.piece for shot in fired_shots(table.play)] == ["second:R1"]


def test_a_die_has_no_memory() -> None:
    table = armies(MEN, MEN, sources=(DICE, DICE))
    table.fire("rifle", "rifle", 2)
    table.fire("rifle", "rifle", 2)
    assert chances(luck(table.play), "second") == [Fraction(5, 12)] * 2


def test_a_deck_that_runs_out_is_whole_again() -> None:
    table = armies({"rifle": 60}, {"rifle": 60})
    for card in DECK:
        table.fire("rifle", "rifle", str(card))
    table.fire("rifle", "rifle", "9H")
    found = luck(table.play).shots
    assert (found[-2].draws, found[-1].draws) == (1, 48)
    own = of(luck(table.play), "second")
    assert own.sure == sum(shot.chance in (0, 1) for shot in found) >= 1


def test_where_not_all_cards_were_told_it_says_so() -> None:
    table = armies(MEN, MEN)
    table.fire("rifle", "rifle")
    table.order(Show((Draw(9, ""),)))
    table.fire("rifle", "rifle", "2H")
    found = luck(table.play)
    assert found.notes == {UNKNOWN: 1}
    assert UNKNOWN in page(table).lower()


def test_whoever_counts_no_cards_has_a_fresh_deck_for_every_shot() -> None:
    found = luck(a_firefight().play, "hidden")
    assert chances(found, "second") == [Fraction(20, 48)] * 4
    assert found.notes == {FRESH: 4}


def test_before_the_first_shot_nobody_is_lucky() -> None:
    table = armies(MEN, MEN)
    found = luck(table.play)
    assert (found.shots, found.swing, found.turning_point) == ((), None, None)
    assert [one.percentile for one in found.sides] == [None, None]
    assert found.course("first") == [0]
    assert ValueCurve("", (0,)).sampled(10) == []
    assert page(table).endswith("No shots have been fired yet.")


# ------------------------------------------------------------------ any battle


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 9999), number=st.sampled_from([0, 1, 3, 10]))
def test_the_ledger_adds_up_in_any_battle(seed: int, number: int) -> None:
    start = scenario(number, sources=DECKS) if number else armies(MEN, {**MEN, "machinegun": 3})
    random = Random(seed)
    table = play_on(start, random, 40)
    for _ in range(2):
        able = [one for one in lines(table.play) if why_not_void(table.play, one) is None]
        if able:
            numbers = random.choice(able).entry_numbers
            standing = {act.number for act in table.play.live}
            if set(numbers) <= standing:
                table.play.accept(table.play.possible("void", *numbers))
        play_on(table, random, 15)
    shots = fired_shots(table.play)
    judged = [one.judged for one in JournalFacts(table.play).shots]
    assert [(s.piece, s.weapon) for s in shots] == [
        (one.shot.piece, one.shot.weapon) for one in judged
    ]
    assert [s.hit for s in shots] == [one.hit for one in judged]
    assert all(0 <= s.hits + s.saves <= s.draws for s in shots)
    if table.state.outcome is None:
        table.order(Finish(winner=None))
    found = luck(table.play)
    assert found.shots == shots
    for side in found.sides:
        own = [s for s in shots if s.side == side.side]
        assert side.expected == sum((s.chance for s in own), Fraction(0))
        assert found.course(side.side)[-1] == side.difference == sum(s.luck for s in own)
        assert side.percentile is None or 0 <= side.percentile <= 100
    assert found.turning_point == turning_point_of(table.play)


def test_luck_swings_most_in_the_turn_in_which_it_does() -> None:
    table = armies(MEN, MEN)
    table.fire("rifle", "rifle", "9H")
    table.at(2, "first")
    for card in ("AH", "AS", "2H"):
        table.fire("rifle", "rifle", card)
    found = luck(table.play)
    assert found.swing is not None
    assert found.swing.turn == 2
    assert found.swing.gained["first"] == 0
    assert found.swing.gained["second"] > 1


# ------------------------------------------------------------------ who may see


def test_a_shot_at_hidden_men_tells_nobody_of_them_before_the_end() -> None:
    table = scenario(3, sources=DECKS).at(1, "german")
    hidden = "german/hidden/rifle"
    table.order_of_before(Fire(shooter="british/raiders/mg_jeep", target=hidden))
    assert len(fired_shots(table.play)) == 1
    assert luck(table.play).shots == ()
    assert luck(table.play) == luck(seen(table.play, None))
    assert "both sides can see" in page(table)
    table.order(Finish(winner=None))
    assert len(luck(table.play).shots) == 1
    assert "both sides can see" not in page(table)


# ------------------------------------------------------------------ words


@pytest.mark.parametrize(
    ("at", "says"),
    [
        (0.02, "under 0.1%"),
        (0.4, "0.4%"),
        (81.0, "81%"),
        (99.5, "99.5%"),
        (100.0, "over 99.9%"),
    ],
)
def test_a_percentile_is_never_quite_nought_or_a_hundred(at: float, says: str) -> None:
    assert luckier_share(at) == says


def test_kills_more_and_fewer_bear_their_sign() -> None:
    told = [signed(Fraction(n, 100)) for n in (260, -130, 4, -4)]
    assert told == ["+2.6", "–1.3", "0.0", "0.0"]


def test_the_ledger_has_both_sides_beside_each_other() -> None:
    text = page(a_firefight())
    for line in (
        "Shots 0 4",
        "Kills 0, expected 0.0 (0.0) 2, expected 1.7 (+0.3)",
        "Luckier than – 63%, as expected",
    ):
        assert line in text
