"""Volleys: several of a row fire one after the other, and who dies is settled at the end."""

from __future__ import annotations

from typing import Any

import pytest
from stage import DICE, Table, armies, card, lost, of, scenario

from skirmish.games.plastic.battle.agenda import CasualtyAsk, DrawAsk, InsideAsk, PieceAsk
from skirmish.games.plastic.battle.events import (
    Aimed,
    AnyEvent,
    Ceased,
    Checked,
    Judged,
    UnitChanged,
)
from skirmish.games.plastic.battle.lines import lines
from skirmish.games.plastic.battle.orders import (
    Again,
    ChooseCasualties,
    ChooseModel,
    EndPhase,
    Hold,
    Load,
    Show,
    Volley,
)
from skirmish.games.plastic.battle.orders.firing import prepared
from skirmish.games.plastic.rules.options import Options
from skirmish.games.plastic.verdict import verdict

RIFLES = {"rifle": 15}


def volley(table: Table, shooter: str, target: str, count: int, **seen: Any) -> Volley:
    shot = table.shot(shooter, target)
    return Volley(shooter=shot.shooter, target=shot.target, count=count, **seen)


def fired(
    table: Table, shooter: str, target: str, count: int, *draws: str | int, **seen: Any
) -> tuple[AnyEvent, ...]:
    events = table.order(volley(table, shooter, target, count, **seen))
    return events + table.show(*draws)


def asked(table: Table) -> CasualtyAsk:
    ask = table.state.ask
    assert isinstance(ask, CasualtyAsk)
    return ask


def test_each_of_a_volley_draws_in_his_turn() -> None:
    table = armies({"rifle": 9}, RIFLES)
    events = fired(table, "rifle", "rifle", 3, "9H", "5D", "6C")
    assert [aimed.shot.piece for aimed in of(Aimed, events)] == [
        "second:R1",
        "second:R2",
        "second:R3",
    ]
    assert [(str(shot.draw), shot.hit) for shot in of(Judged, events)] == [
        ("9H", False),
        ("5D", True),
        ("6C", False),
    ]
    assert lost(events) == ["rifle"]
    assert table.ready("second", "rifle") == 12


def test_a_volley_waits_for_each_card_of_a_player() -> None:
    table = armies({"rifle": 9}, RIFLES)
    table.order(volley(table, "rifle", "rifle", 2))
    assert table.state.ask == DrawAsk(side="second", die=False, why="shot")
    table.show("9H")
    assert table.state.ask == DrawAsk(side="second", die=False, why="shot")
    table.show("9D")
    assert table.state.ask is None


def test_a_volley_is_over_when_all_in_reach_are_hit() -> None:
    """Whoever finds nobody left to hit has not fired, and may still fire."""
    table = armies({"rifle": 9}, RIFLES)
    events = fired(table, "rifle", "rifle", 15, "5H", "9H", "4H", reach=2)
    (end,) = of(Ceased, events)
    assert (end.fired, end.hits, end.unused) == (3, 2, 12)
    assert lost(events) == ["rifle", "rifle"]
    assert table.ready("second", "rifle") == 12


def test_without_a_number_all_of_the_row_are_in_reach() -> None:
    table = armies({"rifle": 2, "mortar": 5}, RIFLES)
    (end,) = of(Ceased, fired(table, "rifle", "rifle", 5, "5H", "5D"))
    assert (end.hits, end.unused) == (2, 3)


def test_more_may_be_in_reach_than_the_row_aimed_at_has() -> None:
    """A group holds men of other rows too."""
    table = armies({"rifle": 2, "mortar": 5, "tank": 3}, RIFLES)
    events = fired(table, "rifle", "mortar", 7, "5H", "5D", "5S", "5C", "4H", "4D", reach=6)
    assert of(Ceased, events)[0].hits == 6
    assert asked(table).count == 6
    assert sorted(lost(table.order(ChooseCasualties()))) == ["mortar"] * 5 + ["rifle"]


def test_a_repeater_goes_on_within_the_volley() -> None:
    """Repeat Firing: a hit, a hit, a miss; then the next gun."""
    table = armies({"rifle": 9}, {"machinegun": 2})
    events = fired(table, "machinegun", "rifle", 2, "8H", "7H", "9H", "9D")
    assert [(s.shot.piece, s.shot.nth) for s in of(Judged, events)] == [
        ("second:M1", 1),
        ("second:M1", 2),
        ("second:M1", 3),
        ("second:M2", 1),
    ]
    assert of(Ceased, events)[0].fired == 2
    assert (table.state.ask, table.ready("second", "machinegun")) == (None, 0)
    assert len({judged.shot.id for judged in table.state.judged}) == 4


def test_a_repeater_stops_when_nobody_in_reach_is_left() -> None:
    table = armies({"rifle": 9}, {"machinegun": 3})
    (end,) = of(Ceased, fired(table, "machinegun", "rifle", 3, "AH", "7H", reach=2))
    assert (end.fired, end.hits, end.unused) == (1, 2, 2)
    assert table.ready("second", "machinegun") == 2


@pytest.mark.parametrize(
    ("answer", "close", "hits"),
    [("not_shot_at", False, 1), ("not_shot_at", True, 2), ("not_killed", False, 2)],
)
def test_a_man_who_was_shot_at_is_no_new_target(answer: str, close: bool, hits: int) -> None:
    """P22: of two men over 3 in away one is given for the other, who has been shot at."""
    table = armies({"rifle": 9}, {"machinegun": 1}, answers={"P22": answer})
    happened = fired(table, "machinegun", "rifle", 1, *("2H", "3H")[:hits], reach=2, close=close)
    (end,) = of(Ceased, happened)
    assert (end.fired, end.hits) == (1, hits)


def test_a_hit_on_a_model_repeats_in_no_volley() -> None:
    table = armies({"tank": 3}, {"cannon": 2})
    (end,) = of(Ceased, fired(table, "cannon", "tank", 2, "5H", "6H", reach=3))
    assert (end.fired, end.hits) == (2, 1)
    assert table.alive("first", "tank") == 2


# ------------------------------------------------------------------ who dies


def test_aces_take_the_man_aimed_at_and_the_rest_is_the_defenders_choice() -> None:
    table = armies({"rifle": 5, "mortar": 3}, RIFLES)
    events = fired(table, "rifle", "mortar", 3, "5H", "AH", "4H")
    assert lost(events) == ["mortar"]
    assert asked(table).count == 2
    assert asked(table).proposed == ("first/first/mortar",) * 2


def test_letters_replace_what_is_proposed() -> None:
    """6 hits: Enter, or letters."""
    table = armies({"rifle": 9, "mortar": 3, "grenade": 2}, RIFLES)
    fired(table, "rifle", "mortar", 4, "5H", "5D", "4H", "4D", reach=8)
    assert asked(table).proposed == ("first/first/mortar",) * 3 + ("first/first/rifle",)
    named = ("first/first/grenade", "first/first/rifle")
    assert sorted(lost(table.order(ChooseCasualties(named)))) == [
        "grenade",
        "mortar",
        "mortar",
        "rifle",
    ]
    assert table.state.ask is None


def test_after_the_row_aimed_at_the_cheapest_are_proposed() -> None:
    table = armies({"rifle": 1, "grenade": 1, "mortar": 2}, RIFLES)
    fired(table, "rifle", "mortar", 4, "5H", "5D", "4H", "4D", reach=6)
    assert asked(table).proposed == (
        "first/first/mortar",
        "first/first/mortar",
        "first/first/rifle",
        "first/first/grenade",
    )


@pytest.mark.parametrize(
    ("named", "code"),
    [
        (("first/first/mortar",) * 3, "too_many"),
        (("first/first/grenade",) * 2, "too_many"),
        (("first/first/tank",), "not_one_of_these"),
        (("second/second/rifle",), "not_one_of_these"),
    ],
    ids=["more than die", "more than there are", "a model", "of the other side"],
)
def test_nonsense_is_not_given(named: tuple[str, ...], code: str) -> None:
    table = armies({"rifle": 5, "mortar": 3, "grenade": 1, "tank": 1}, RIFLES)
    fired(table, "rifle", "mortar", 2, "5H", "5D")
    assert table.refusal(ChooseCasualties(named)).code == code


@pytest.mark.parametrize("seen", [{"close": True}, {"grouped": False}])
def test_close_and_at_single_men_every_hit_is_exact(seen: dict[str, Any]) -> None:
    table = armies({"rifle": 5, "mortar": 3}, RIFLES)
    events = fired(table, "rifle", "mortar", 3, "5H", "5D", "9H", **seen)
    assert lost(events) == ["mortar", "mortar"]
    assert table.state.ask is None


def test_in_contact_every_hit_is_exact() -> None:
    table = armies({"rifle": 5, "mortar": 3}, RIFLES).at(1, "first", 4)
    assert lost(fired(table, "rifle", "mortar", 2, "5H", "5D")) == ["mortar", "mortar"]


def test_more_hits_than_men_take_no_more_than_there_are() -> None:
    table = armies({"rifle": 2, "tank": 3}, RIFLES)
    events = fired(table, "rifle", "rifle", 4, "5H", "5D", "4H", "4D", reach=6)
    assert lost(events) == ["rifle", "rifle"]
    assert (table.state.ask, table.state.agenda) == (None, ())


def test_each_of_a_volley_is_credited_with_his_own_man() -> None:
    table = armies({"rifle": 9}, RIFLES)
    fired(table, "rifle", "rifle", 3, "5H", "9H", "4D")
    credits = [credit for credit in table.state.lost.values() if credit]
    assert [(credit.piece, str(credit.draw)) for credit in credits] == [
        ("second:R1", "5H"),
        ("second:R3", "4D"),
    ]


# ------------------------------------------------------------------ breakdown, models


def test_a_gun_lost_in_a_volley_leaves_the_others_firing() -> None:
    """Breakdowns: the second spade falls, and the next man draws."""
    table = armies({"rifle": 9}, {"machinegun": 2})
    events = fired(table, "machinegun", "rifle", 2, "QS", "2S", "9H")
    assert [event.piece for event in of(UnitChanged, events)] == ["second:M1"]
    assert of(Ceased, events)[0].fired == 2
    assert table.alive("second", "machinegun") == 1


def test_the_word_of_a_breakdown_within_a_volley_has_its_draw() -> None:
    """It waits for who was inside, before the next one fires."""
    table = armies({"rifle": 9}, {"halftrack": 2, "rifle": 8}, answers={"P19": "whole_model"})
    fired(table, "halftrack", "rifle", 2, "QS", "2S")
    assert isinstance(table.state.ask, InsideAsk)
    shown = verdict(table.play)
    assert shown is not None
    assert (shown.text, shown.tone, shown.draw) == ("BROKEN", "bad", card("2S"))


def test_a_model_lost_in_a_volley_leaves_the_others_firing() -> None:
    table = armies({"tank": 5}, {"tank": 2, "rifle": 30})
    events = fired(table, "tank", "tank", 2, "QS", "2S", "5H", weapon="cannon")
    assert lost(events) == ["tank", "tank"]
    assert (table.alive("second", "tank"), table.alive("first", "tank")) == (1, 4)
    assert table.state.agenda == ()


def test_of_models_one_is_in_reach_unless_more_are_named() -> None:
    table = armies({"tank": 3, "rifle": 30}, {"cannon": 4})
    (end,) = of(Ceased, fired(table, "cannon", "tank", 4, "5H"))
    assert (end.hits, end.unused) == (1, 3)
    (end,) = of(Ceased, fired(table, "cannon", "tank", 3, "5D", "4D", reach=2))
    assert (end.hits, end.unused) == (2, 1)
    assert table.alive("first", "tank") == 0


def test_models_that_differ_are_asked_for_one_by_one() -> None:
    table = armies({"truck": 3, "rifle": 9}, {"cannon": 4})
    truck, rifle = "first/first/truck", "first/first/rifle"
    table.order(Load(carrier=truck, riders={rifle: 4}, piece="first:K2"))
    fired(table, "cannon", "truck", 2, "9H", "8H", reach=2)
    assert table.state.ask == PieceAsk(
        side="first", row=truck, pieces=("first:K1", "first:K2", "first:K3")
    )
    events = table.order(ChooseModel("first:K2"))
    assert lost(events)[:5] == ["truck", "rifle", "rifle", "rifle", "rifle"]


# ------------------------------------------------------------------ who may, and how many


def test_more_than_there_are_cannot_fire() -> None:
    table = armies({"rifle": 9}, {"rifle": 3})
    refusal = table.refusal(volley(table, "rifle", "rifle", 4))
    assert (refusal.code, refusal.firm) == ("too_many", True)
    assert "3" in refusal.message
    assert "4" in refusal.message


@pytest.mark.parametrize("count", [0, -1])
def test_fewer_than_one_are_no_volley(count: int) -> None:
    table = armies({"rifle": 9}, {"rifle": 3})
    assert table.refusal(volley(table, "rifle", "rifle", count)).firm


@pytest.mark.parametrize("reach", [0, -1, 100])
def test_in_reach_is_a_number_that_can_be(reach: int) -> None:
    table = armies({"rifle": 9}, {"rifle": 3})
    assert table.refusal(volley(table, "rifle", "rifle", 2, reach=reach)).code == "reach"


def test_of_models_no_more_than_there_are_can_be_in_reach() -> None:
    table = armies({"tank": 2}, {"cannon": 3})
    assert table.refusal(volley(table, "cannon", "tank", 2, reach=3)).code == "reach"


def test_whoever_is_not_ready_fires_only_if_players_insist() -> None:
    """Advise, do not refuse."""
    table = armies({"rifle": 9}, {"rifle": 3}, sources=(DICE, DICE))
    fired(table, "rifle", "rifle", 2, 9, 9)
    refusal = table.refusal(volley(table, "rifle", "rifle", 2))
    assert (refusal.code, refusal.firm) == ("already_fired", False)
    assert "1 of 3" in refusal.message
    fired(table, "rifle", "rifle", 2, 9, 9, insist=True)
    assert "[Against the rules:" in lines(table.play)[-1].text


def test_no_more_riders_than_two_fire_in_a_volley_from_a_halftrack() -> None:
    """Loading or Unloading, P56."""
    table = scenario(1)
    truck, rifle = "german/column/halftrack", "german/column/rifle"
    table.order(Load(carrier=truck, riders={rifle: 10}))
    table.at(1, "polish")
    row = table.row("german", "rifle")
    assert len(row.aboard) == 10
    assert row.ready_count == len(row.on_foot) + 2
    two_and_all_on_foot = volley(table, "rifle", "rifle", row.ready_count)
    pieces = prepared(table.state, two_and_all_on_foot).pieces
    assert sum(piece in row.aboard for piece in pieces) == 2
    refusal = table.refusal(volley(table, "rifle", "rifle", row.ready_count + 1))
    assert (refusal.code, refusal.firm) == ("already_fired", False)


def test_a_volley_at_ones_own_side_or_at_nobody_is_refused() -> None:
    table = armies({"rifle": 9}, {"rifle": 3})
    own = "second/second/rifle"
    assert table.refusal(Volley(shooter=own, target=own, count=2)).code == "own_side"
    gone = Volley(shooter=own, target="first/first/tank", count=2)
    assert table.refusal(gone).code == "unknown_row"


def test_an_aa_tank_fires_two_volleys() -> None:
    """AA Tank (twice), P5."""
    table = armies({"rifle": 30}, {"aa_tank": 2}, sources=(DICE, DICE))
    fired(table, "aa_tank", "rifle", 2, 9, 9)
    assert table.ready("second", "aa_tank") == 2
    fired(table, "aa_tank", "rifle", 2, 9, 9)
    assert table.ready("second", "aa_tank") == 0


# ------------------------------------------------------------------ pins, one line


def test_every_machinegun_of_a_volley_owes_one_pin_draw() -> None:
    """P55: one test for each gun, while it comes to nothing."""
    table = armies({"rifle": 9}, {"machinegun": 3}, options=Options(pinning=True))
    events = fired(table, "machinegun", "rifle", 3, "9H", "9D", "10H")
    assert table.state.ask == DrawAsk(side="first", die=False, why="pin")
    assert not of(Checked, events)
    table.show("2H", "3H")
    assert table.state.ask == DrawAsk(side="first", die=False, why="pin")
    table.show("4H")
    assert table.state.ask is None


def test_once_pinned_nothing_more_is_drawn() -> None:
    table = armies({"rifle": 9}, {"machinegun": 3}, options=Options(pinning=True))
    fired(table, "machinegun", "rifle", 3, "9H", "9D", "10H")
    table.show("2S")
    assert table.state.ask is None
    assert table.state.checked is not None
    assert table.state.checked.result


def test_only_those_who_fired_owe_a_pin_draw() -> None:
    table = armies({"rifle": 9}, {"machinegun": 3}, options=Options(pinning=True))
    fired(table, "machinegun", "rifle", 3, "8H", "9H", "9D", "JH", reach=3)
    assert pin_draws(table) == 3


def test_a_group_that_fell_whole_is_not_pinned() -> None:
    table = armies({"rifle": 9}, {"machinegun": 3}, options=Options(pinning=True))
    fired(table, "machinegun", "rifle", 3, "8H", reach=1)
    assert table.state.ask is None


@pytest.mark.parametrize(("draw", "draws"), [("8H", 0), ("9H", 1)])
def test_a_man_by_himself_is_pinned_only_if_he_lives(draw: str, draws: int) -> None:
    table = armies({"rifle": 9}, {"machinegun": 1}, options=Options(pinning=True))
    table.fire("machinegun", "rifle", draw, grouped=False)
    if draw == "8H":
        table.order(Hold())
    assert pin_draws(table) == draws


def test_repeat_fire_that_goes_on_from_a_lone_man_to_a_group_may_pin_it() -> None:
    table = armies({"rifle": 9}, {"machinegun": 1}, options=Options(pinning=True))
    table.fire("machinegun", "rifle", "8H", grouped=False)
    table.order(Again())
    table.show("9H")
    assert pin_draws(table) == 1


@pytest.mark.parametrize(("answer", "draws"), [("per_machinegun", 1), ("per_shot", 2)])
def test_a_chain_of_two_shots_is_tested_once_or_twice(answer: str, draws: int) -> None:
    """P55, shot by shot and in a volley."""
    played = {"answers": {"P55": answer}, "options": Options(pinning=True)}
    table = armies({"rifle": 9}, {"machinegun": 1}, **played)
    table.fire("machinegun", "rifle", "8H")
    table.order(Again())
    table.show("9H")
    assert pin_draws(table) == draws
    table = armies({"rifle": 9}, {"machinegun": 1}, **played)
    fired(table, "machinegun", "rifle", 1, "8H", "9H", reach=5)
    assert pin_draws(table) == draws


def pin_draws(table: Table) -> int:
    """How many red cards the pin draws take that are open now."""
    drawn = 0
    while isinstance(table.state.ask, DrawAsk):
        assert table.state.ask.why == "pin"
        table.show(["AD", "2D", "3D"][drawn])
        drawn += 1
    return drawn


def test_a_volley_of_rifles_pins_nobody() -> None:
    table = armies({"rifle": 9}, RIFLES, options=Options(pinning=True))
    fired(table, "rifle", "rifle", 2, "9H", "9D")
    assert table.state.ask is None


def test_the_draws_of_a_whole_volley_go_on_one_line() -> None:
    table = armies({"rifle": 9}, RIFLES)
    table.order(volley(table, "rifle", "rifle", 4))
    events = table.order(Show(tuple(card(c) for c in ("9H", "5H", "QS", "4D"))))
    assert of(Ceased, events)[0].hits == 2
    assert lost(events) == ["rifle", "rifle"]


def test_a_volley_is_one_line_and_one_step_back_for_each_answer() -> None:
    table = armies({"rifle": 5, "mortar": 2}, RIFLES)
    before, told = table.state, len(lines(table.play))
    fired(table, "rifle", "mortar", 2, "5H", "9H")
    table.order(ChooseCasualties())
    assert len(lines(table.play)) == told + 1
    for _ in range(4):
        table.undo()
    assert table.state == before


def test_a_volley_ends_with_the_battle() -> None:
    """P74: the army is broken by the second man; nothing more is asked."""
    table = armies({"rifle": 4}, RIFLES)
    events = fired(table, "rifle", "rifle", 4, "5H", "5D", "4H", "9H")
    assert table.state.outcome is not None
    assert table.state.outcome.winner == "second"
    assert lost(events) == ["rifle", "rifle"]
    assert table.state.agenda == ()
    assert table.refusal(EndPhase()).code == "over"
