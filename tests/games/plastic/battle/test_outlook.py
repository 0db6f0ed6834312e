"""What a volley may come to: kills, the army broken, the group pinned; fought out if possible."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest
from msgspec.structs import replace
from stage import CARDS, DICE, Table, armies, card, scenario

from skirmish.games.plastic.battle.agenda import DrawAsk
from skirmish.games.plastic.battle.events import Checked
from skirmish.games.plastic.battle.known_pack import UNKNOWN, Knowledge
from skirmish.games.plastic.battle.odds import MOST_WORK, SPARING_WORK, VolleyOdds, volley_odds
from skirmish.games.plastic.battle.orders import (
    Again,
    AnyOrder,
    EndPhase,
    Fire,
    Load,
    Show,
    Volley,
    decide,
)
from skirmish.games.plastic.battle.orders.firing import prepared
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.odds.pack import OddsError
from skirmish.games.plastic.rules.catalog import DECK
from skirmish.games.plastic.rules.options import Options
from skirmish.tabletop.chance import Draw, Source

FEW = ("2H", "5S", "QS", "JS", "9D")


def shot_by(table: Table, unit: str, target: str = "rifle", **seen: Any) -> Fire:
    return table.shot(unit, target, by="second", **seen)


def volley_by(table: Table, unit: str, count: int, reach: int | None, at: str = "rifle") -> Volley:
    shot = shot_by(table, unit, at)
    return Volley(shooter=shot.shooter, target=shot.target, count=count, reach=reach)


def told(state: State, order: Fire | Again, knowledge: Knowledge = "full") -> VolleyOdds:
    found = volley_odds(state, order, prepared(state, order), knowledge)
    assert found is not None
    return found


def with_left(state: State, side: str, cards: tuple[str, ...]) -> State:
    """The same with only these cards left to a side."""
    left = [card(one) for one in cards]
    name = state.source_of(side)
    few = replace(state.sources[name], gone=tuple(one for one in DECK if one not in left))
    return replace(state, sources={**state.sources, name: few})


def fought(state: State, order: AnyOrder, coming: tuple[Draw, ...]) -> State:
    """The order carried out with these cards on top."""
    cards = iter(coming)
    events = decide(state, order)
    while True:
        for event in events:
            state = event.apply(state)
        if not isinstance(state.ask, DrawAsk):
            return state
        events = decide(state, Show((next(cards),)))


def no_mercy(men: int) -> Table:
    return armies({"rifle": men}, {"machinegun": 2, "rifle": 6})


# ------------------------------------------------------------------ kills


def test_two_rifles_out_of_a_fresh_deck() -> None:
    found = told((table := no_mercy(9)).state, volley_by(table, "rifle", 2, 3))
    assert (found.shooters, found.reach, found.repeat) == (2, 3, False)
    assert found.kills is not None
    assert found.kills.at_least(2) == Fraction(20 * 19, 48 * 47)


def test_a_machinegun_may_go_on_to_whoever_is_near_of_all_rows() -> None:
    table = armies({"rifle": 3, "grenade": 1, "tank": 2}, {"machinegun": 2, "rifle": 6})
    found = told(table.state, shot_by(table, "machinegun"))
    assert found.kills is not None
    assert (found.shooters, found.reach, found.counted) == (1, 4, False)
    assert found.kills.at_least(2) == Fraction(32 * 31, 48 * 47)
    assert found.kills.at_least(4) == Fraction(4 * 3 * 2 * 29, 48 * 47 * 46 * 45)


def test_where_each_shot_owes_a_pin_draw_no_chance_of_it_is_told() -> None:
    """P55 per_shot: how many draws there are hangs on the hits."""
    for answer, is_told in (("per_machinegun", True), ("per_shot", False)):
        pinning, answers = Options(pinning=True), {"P55": answer}
        table = armies({"rifle": 9}, {"machinegun": 2}, options=pinning, answers=answers)
        found = told(table.state, volley_by(table, "machinegun", 2, 4))
        assert (found.pinned is not None) is is_told


def test_repeat_fire_at_a_lone_man_counts_the_draw_of_the_group_before_him() -> None:
    """Pinning: both draw if he is missed, and the group alone if he dies."""
    table = armies({"rifle": 2, "tank": 3}, {"machinegun": 2}, options=Options(pinning=True))
    table.fire("machinegun", "rifle", "8H")
    found = told(table.state, Again(grouped=False))
    hit = Fraction(31, 47)
    one_draw = Fraction(24, 48)
    both_draws = 1 - Fraction(24 * 23, 48 * 47)
    assert found.pinned is not None
    assert found.pinned[0] == (1 - hit) * both_draws + hit * one_draw


def test_one_rifle_hits_one() -> None:
    found = told((table := no_mercy(4)).state, shot_by(table, "rifle"))
    assert found.kills is not None
    assert (found.reach, found.repeat, max(found.kills.kills())) == (1, False, 1)


def test_more_than_a_screen_reckons_at_once_is_left_out() -> None:
    table = armies({"rifle": 60}, {"machinegun": 40})
    reach = MOST_WORK // 40
    assert told(table.state, volley_by(table, "machinegun", 40, reach)).kills is not None
    assert told(table.state, volley_by(table, "machinegun", 40, reach + 1)).kills is None


def test_a_large_volley_is_told_as_if_nobody_were_spared() -> None:
    """P22; and as it is where the group is so large that it makes no difference."""
    table = armies({"rifle": 160}, {"machinegun": 12})
    small, large, whole = (
        told(table.state, volley_by(table, "machinegun", 12, reach))
        for reach in (SPARING_WORK // 12, SPARING_WORK // 12 + 1, None)
    )
    assert (small.at_most, large.at_most) == (False, True)
    assert told(table.state, shot_by(table, "machinegun")).at_most is False
    assert whole.kills is not None


def test_one_gun_at_a_group_that_nobody_counted_never_takes_the_row_for_the_group() -> None:
    """Pinned and broken are told from one man alone to all who might be near."""
    table = armies({"rifle": 4}, {"machinegun": 2, "rifle": 6}, options=Options(pinning=True))
    gun = shot_by(table, "machinegun")
    open_end = told(table.state, gun)
    alone, all_four = (
        told(table.state, volley_by(table, "machinegun", 1, reach)) for reach in (1, 4)
    )
    assert open_end.counted is False
    assert alone.counted is all_four.counted is True
    assert None not in (open_end.pinned, alone.pinned, all_four.pinned, all_four.breaks)
    assert open_end.pinned == (alone.pinned[0], all_four.pinned[1])
    assert open_end.pinned[0] < open_end.pinned[1]
    assert alone.breaks is None
    assert open_end.breaks == (0, all_four.breaks[1])


def test_of_a_lone_man_there_is_nobody_to_count() -> None:
    found = told((table := no_mercy(1)).state, shot_by(table, "machinegun"))
    assert (found.reach, found.counted) == (1, True)


# ------------------------------------------------------------------ the break point


@pytest.mark.parametrize("unit", ["rifle", "machinegun"])
@pytest.mark.parametrize(("men", "count"), [(4, 2), (3, 2), (6, 2)])
def test_the_chance_to_break_is_that_of_every_order_of_the_last_cards_fought_out(
    men: int, count: int, unit: str
) -> None:
    table = no_mercy(men)
    order = volley_by(table, unit, count, men)
    state = with_left(table.state, "second", FEW)
    broken = 0
    more = tuple(one for one in DECK if str(one) not in FEW)
    for cards in permutations(map(card, FEW)):
        broken += fought(state, order, (*cards, *more)).outcome is not None
    chance = Fraction(broken, 120)
    assert told(state, order).breaks == ((chance, chance) if chance else None)


def test_what_was_lost_before_counts() -> None:
    table = no_mercy(4)
    assert told(table.state, shot_by(table, "rifle")).breaks is None
    table.fire("rifle", "rifle", "2H")
    hit = Fraction(19, 47)
    assert told(table.state, shot_by(table, "rifle")).breaks == (hit, hit)


def test_where_no_break_point_is_played_nothing_breaks() -> None:
    table = armies({"rifle": 2}, {"rifle": 2})
    assert told(table.state, shot_by(table, "rifle")).breaks is not None
    sides = [replace(side, breaks=False) for side in table.state.setup.sides]
    state = replace(table.state, setup=replace(table.state.setup, sides=tuple(sides)))
    assert told(state, shot_by(table, "rifle")).breaks is None


def test_a_model_takes_with_it_who_is_aboard() -> None:
    """Of 21 they bear 10; the truck is 5, and its riders are one each."""
    table = armies({"truck": 1, "rifle": 16}, {"cannon": 1})
    table.order(EndPhase())
    order = shot_by(table, "cannon", "truck")
    least, most = broken(table, order)
    assert 0 == least < most  # nobody has told who is inside
    riders = table.row("first", "rifle").key
    table.order(Load(carrier=table.row("first", "truck").key, riders={riders: 10}, insist=True))
    least, most = broken(table, order)
    assert 0 < least == most


def broken(table: Table, order: Fire) -> tuple[Fraction, Fraction]:
    return told(table.state, order).breaks or (Fraction(0), Fraction(0))


# ------------------------------------------------------------------ pinned


def pinning(second: Mapping[str, int]) -> Table:
    return armies({"rifle": 9}, second, options=Options(pinning=True))


LAST = ("2H", "5S", "QS", "9D")
PINS = ("2H", "5S", "9D")


@pytest.mark.parametrize("men", [1, 2])
def test_the_chance_to_be_pinned_is_that_of_every_order_fought_out(men: int) -> None:
    """Two machineguns with four cards, and the last cards of those who may be pinned. Who finds
    nobody left holds his fire, and where nobody is left nobody is pinned."""
    table = armies({"rifle": men, "tank": 5}, {"machinegun": 2}, options=Options(pinning=True))
    order = volley_by(table, "machinegun", 2, men)
    state = with_left(with_left(table.state, "first", PINS), "second", LAST)
    count = sum(
        any(event.result for event in _checks(state, order, fired, pins))
        for fired in permutations(map(card, LAST))
        for pins in permutations(map(card, PINS), 2)
    )
    assert told(state, order).pinned == (Fraction(count, 24 * 6),) * 2


def _checks(
    state: State, order: AnyOrder, coming: tuple[Draw, ...], pins: tuple[Draw, ...]
) -> list[Checked]:
    cards = {"second": iter(coming), "first": iter(pins)}
    if not pins:
        cards["first"] = cards["second"]
    events, found = decide(state, order), []
    while True:
        for event in events:
            state = event.apply(state)
            if isinstance(event, Checked):
                found.append(event)
        if not isinstance(state.ask, DrawAsk):
            return found
        events = decide(state, Show((next(cards[state.ask.side]),)))


def test_only_op_fire_of_machineguns_under_the_option_pins() -> None:
    table = pinning({"machinegun": 2, "rifle": 2})
    assert told(table.state, shot_by(table, "machinegun")).pinned is not None
    assert told(table.state, shot_by(table, "rifle")).pinned is None
    table.order(EndPhase())
    assert told(table.state, shot_by(table, "machinegun")).pinned is None
    assert told((plain := no_mercy(5)).state, shot_by(plain, "machinegun")).pinned is None


def test_the_note_is_that_of_the_deck_of_those_who_may_be_pinned() -> None:
    table = pinning({"machinegun": 2})
    state, order = table.state, shot_by(table, "machinegun")
    name = state.source_of("first")
    twice = replace(state.sources[name], gone=(card("2H"), card("2H")))
    state = replace(state, sources={**state.sources, name: twice})
    assert told(state, order).pin_note == UNKNOWN
    assert told(table.state, order).pin_note == ""


@pytest.mark.parametrize("men", [1, 2])
def test_out_of_one_deck_too(men: int) -> None:
    """What the shots took is gone for the draw that pins."""
    table = armies(
        {"rifle": men, "tank": 5},
        {"machinegun": 1},
        options=Options(pinning=True),
        answers={"P23": "one_deck"},
    )
    order = shot_by(table, "machinegun") if men == 1 else volley_by(table, "machinegun", 1, men)
    state = with_left(table.state, "second", FEW)
    count = sum(
        any(event.result for event in _checks(state, order, fired, ()))
        for fired in permutations(map(card, FEW))
    )
    assert told(state, order).pinned == (Fraction(count, 120),) * 2


def test_a_scenario_without_break_points_speaks_of_kills_only() -> None:
    table = scenario(1)
    state = table.state
    own = next(row for row in rows(state, state.firing_side) if row.unit.id == "machinegun")
    foe = next(row for row in rows(state, state.mover) if row.unit.id == "rifle")
    found = told(state, Volley(shooter=own.key, target=foe.key, count=2))
    assert found.kills is not None
    assert (found.breaks, found.pinned) == (None, None)


# ------------------------------------------------------------------ armies of any size


@pytest.mark.parametrize("men", [99, 100, 192, 9_999])
@pytest.mark.parametrize("source", [CARDS, DICE])
def test_a_row_of_any_length_has_its_odds(men: int, source: Source) -> None:
    table = armies(
        {"rifle": men},
        {"machinegun": 20, "rifle": 40},
        sources=(source, source),
        options=Options(pinning=True),
    )
    one = told(table.state, shot_by(table, "machinegun"))
    assert one.kills is not None
    assert one.pinned is not None
    assert 1.8 < one.kills.expected() < 2.1
    row = told(table.state, volley_by(table, "rifle", 40, None))
    assert row.kills is not None
    assert abs(row.kills.expected() - Fraction(40 * 20, 48)) < Fraction(1, 10**9)
    guns = told(table.state, volley_by(table, "machinegun", 12, None))
    assert guns.kills is not None
    assert guns.kills.expected() > 12


def test_where_no_odds_can_be_had_they_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object, **__: object) -> None:
        raise OddsError("Nobody can say.")

    monkeypatch.setattr("skirmish.games.plastic.battle.odds.volley", none)
    table = armies({"rifle": 5, "tank": 1}, {"machinegun": 13})
    found = told(table.state, volley_by(table, "machinegun", 11, 3))
    assert (found.kills, found.breaks, found.pinned) == (None, None, None)
