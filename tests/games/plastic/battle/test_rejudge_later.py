"""A shot judged again when its turn is over; also at another target, or by another shooter."""

from __future__ import annotations

from typing import Any

import pytest
from fights import drafted, order, said
from msgspec.structs import replace
from stage import Table, armies, card, lost, of, scenario
from voids import decks_are_right, void

from skirmish.games.plastic.battle import record
from skirmish.games.plastic.battle.agenda import CasualtyAsk, DrawAsk
from skirmish.games.plastic.battle.events import AnyEvent, FiredSince, Recalled, Reopened
from skirmish.games.plastic.battle.lines import lines
from skirmish.games.plastic.battle.orders import (
    Again,
    ChooseCasualties,
    EndPhase,
    EndTurn,
    Fire,
    Hold,
    NameRiders,
    Rejudge,
    Reveal,
    Show,
    Volley,
    why_not,
)
from skirmish.games.plastic.battle.orders.rejudge import as_judged
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.view import view
from skirmish.games.plastic.journal_facts import JournalFacts
from skirmish.games.plastic.summary import summary

MEN = {"rifle": 20, "machinegun": 4, "mortar": 4, "tank": 2, "truck": 2}
OWN, FOE = "first/first/", "second/second/"


def judged_as(table: Table, shot: int, **changes: Any) -> Rejudge:
    (before,) = [one for one in table.state.all_judged if one.shot.id == shot]
    return replace(as_judged(table.state, before.shot), **changes)


def again(table: Table, shot: int, **changes: Any) -> tuple[AnyEvent, ...]:
    return table.order(judged_as(table, shot, **changes))


def after_the_turn(*cards: str, **seen: Any) -> Table:
    """Second fires at riflemen of first in turn 1; now it is second's own turn."""
    table = armies(MEN, MEN)
    for drawn in cards:
        table.fire("rifle", "rifle", drawn, close=True, **seen)
    table.order(EndTurn())
    return table


# ------------------------------------------------------------------ after the turn


def test_a_hit_of_the_turn_before_was_saved_by_cover() -> None:
    table = after_the_turn("5S", "4H")
    sources, fired = table.state.sources, table.state.fired
    events = again(table, 1, cover=True)
    assert of(Recalled, events)[0].back == ("first:R1",)
    assert list(table.state.lost) == ["first:R2"]
    assert table.state.loss["first"] == 1
    assert (table.state.sources, table.state.fired) == (sources, fired)
    assert not table.state.judged
    assert [one.hit for one in table.state.all_judged if one.shot.id == 1] == [False]
    text = lines(table.play)[-1].text
    assert text.startswith("Judged again (turn 1). Back on the table: 1 Rifle Guy.")


def test_a_miss_of_an_earlier_turn_kills_with_the_turn_of_the_shot() -> None:
    table = after_the_turn("5S", cover=True)
    table.order(EndTurn())
    assert table.state.clock.turn == 2
    assert lost(again(table, 1, cover=False)) == ["rifle"]
    credit = table.state.lost["first:R1"]
    assert credit is not None
    assert credit.turn == 1
    turns = summary(table.play).turns
    assert [turn.pieces["first"] for turn in turns] == [1, 0]


def test_whose_hit_it_is_is_asked_after_the_turn_too() -> None:
    table = armies(MEN, MEN)
    table.fire("rifle", "mortar", "5S", cover=True)
    table.order(EndTurn())
    again(table, 1, cover=False)
    assert isinstance(table.state.ask, CasualtyAsk)
    assert lost(table.order(ChooseCasualties((f"{OWN}rifle",)))) == ["rifle"]
    assert len(lines(table.play)) == 4


def test_shots_of_both_sides_and_of_any_turn() -> None:
    table = after_the_turn("5S")
    table.fire("rifle", "rifle", "4S", close=True)  # by first
    for _ in range(3):
        table.order(EndTurn())
    again(table, 2, cover=True)
    again(table, 1, cover=True)
    assert not table.state.lost
    assert [one.turn for one in table.state.past] == [1, 1]


def test_a_new_hit_after_the_turn_opens_no_repeat_shot() -> None:
    table = armies(MEN, MEN)
    table.fire("machinegun", "rifle", "8S", cover=True, close=True)
    table.order(EndTurn())
    again(table, 1, cover=False)
    assert table.state.ask is None
    assert table.alive("first", "rifle") == 19


def test_in_a_chain_of_an_earlier_turn_the_later_shots_are_named_or_taken_back() -> None:
    def fought() -> Table:
        table = armies(MEN, MEN)
        table.fire("machinegun", "rifle", "8S", close=True)
        table.order(Again(close=True))
        table.show("7H")
        table.order(Hold())
        return table.at(2, "first")

    table = fought()
    again(table, 1, cover=True)
    assert table.alive("first", "rifle") == 19
    assert "Check the repeat shot after it." in lines(table.play)[-1].text
    table = fought()
    again(table, 1, cover=True, chain=True)
    assert table.alive("first", "rifle") == 20
    assert "Repeat shots taken back: 1." in lines(table.play)[-1].text


def test_a_whole_volley_of_an_earlier_turn() -> None:
    table = armies(MEN, MEN)
    shot = table.shot("rifle", "rifle", close=True)
    table.order(Volley(shooter=shot.shooter, target=shot.target, count=4, close=True))
    table.show("5S", "4H", "3C", "2D")
    table.order(EndTurn())
    again(table, 4, cover=True, volley=True)
    assert table.alive("first", "rifle") == 18
    again(table, 2, target=f"{OWN}mortar")
    assert (table.alive("first", "rifle"), table.alive("first", "mortar")) == (19, 3)


def test_who_died_and_has_fired_since_is_named() -> None:
    table = after_the_turn("5S", cover=True)
    table.fire("rifle", "rifle", "9H", close=True)  # by first, R1
    table.fire("rifle", "tank", "AH", insist=True)  # by first, R2
    table.order(EndTurn())
    events = again(table, 1, cover=False)
    assert [one.piece for one in of(FiredSince, events)] == ["first:R1"]
    text = lines(table.play)[-1].text
    assert "Rifle R1 fired after it, at Rifle in turn 1: check that too." in text
    assert len(table.state.all_judged) == 3


def test_in_an_ordinary_turn_nobody_is_said_to_have_fired_after_his_death() -> None:
    """P51: who fell in phase 3 fights in phase 4 all the same."""
    table = scenario(1).at(1, "german", 3)
    table.fire("rifle", "rifle", "4H")
    table.order(EndPhase())
    events = table.fire("rifle", "rifle", "4D")
    assert not of(FiredSince, events)


# ------------------------------------------------------------------ the draws


def test_a_card_misread_in_an_earlier_turn_leaves_the_deck_of_today() -> None:
    table = after_the_turn("5S")
    table.fire("rifle", "rifle", "9H", close=True)
    before = table.state.sources
    again(table, 1, draw=card("9D"))
    assert table.state.sources == before
    assert not table.state.lost
    assert "It was the 9 of diamonds, not the 5 of spades." in lines(table.play)[-1].text


def test_the_same_card_of_the_present_deck_is_not_taken_for_it() -> None:
    table = armies(MEN, MEN)
    table.fire("rifle", "rifle", "5S", close=True)
    table.at(2, "first")
    table.fire("rifle", "rifle", "5S", close=True)
    again(table, 1, draw=card("9D"))
    assert [str(one) for one in table.state.sources["second"].gone] == ["5S"]
    again(table, 2, draw=card("9D"))
    assert [str(one) for one in table.state.sources["second"].gone] == ["9D"]
    decks_are_right(table.play)


def test_a_queen_of_an_earlier_turn_owes_its_breakdown_test_now() -> None:
    table = armies(MEN, MEN)
    table.fire("machinegun", "rifle", "QH")
    table.order(EndTurn())
    again(table, 1, draw=card("QS"))
    assert table.state.ask == DrawAsk(side="second", die=False, why="breakdown")
    table.show("2S")
    assert table.alive("second", "machinegun") == 3
    assert [shot.broke for shot in JournalFacts(table.play).shots] == [True]
    again(table, 1, draw=card("QD"))
    assert table.alive("second", "machinegun") == 4


# ------------------------------------------------------------------ another target, another shooter


def test_at_another_target_with_the_same_card() -> None:
    table = armies(MEN, MEN)
    table.fire("rifle", "rifle", "5H", close=True)
    events = again(table, 1, target=f"{OWN}mortar")
    assert of(Recalled, events)[0].back == ("first:R1",)
    assert lost(events) == ["mortar"]
    assert "Rifle R1 > Mortar, needs A-5: 5H hit." in lines(table.play)[-1].text
    assert table.ready("second", "rifle") == 19


def test_at_another_target_needs_its_own_number() -> None:
    """A rifle hurts no tank from afar; a cannon needs a lower card than against a truck."""
    table = armies(MEN, {"cannon": 3, "rifle": 5})
    table.fire("rifle", "rifle", "5H", close=True)
    assert table.refusal(judged_as(table, 1, target=f"{OWN}tank")).code == "touch_only"
    table.fire("cannon", "truck", "9H")
    while table.state.ask is not None:
        table.order(NameRiders({}))
    assert table.alive("first", "truck") == 1
    again(table, 2, target=f"{OWN}tank")
    assert (table.alive("first", "truck"), table.alive("first", "tank")) == (2, 2)


def test_by_another_shooter_of_the_same_row_of_weapons() -> None:
    """A machine gun hits with an 8, a rifle does not; the rifle may fire then."""
    table = armies(MEN, MEN)
    table.fire("rifle", "rifle", "8H", close=True)
    assert not table.state.lost
    events = again(table, 1, shooter=f"{FOE}machinegun")
    assert lost(events) == ["rifle"]
    credit = table.state.lost["first:R1"]
    assert credit is not None
    assert (credit.piece, credit.weapon) == ("second:M1", "machinegun")
    assert (table.ready("second", "rifle"), table.ready("second", "machinegun")) == (20, 3)
    back = again(table, 1, shooter=f"{FOE}rifle")
    assert of(Recalled, back)[0].back == ("first:R1",)
    assert (table.ready("second", "rifle"), table.ready("second", "machinegun")) == (19, 4)


def test_another_shooter_of_an_earlier_turn_marks_nobody_of_today() -> None:
    table = after_the_turn("8H")
    table.at(2, "first")
    fired = table.state.fired
    again(table, 1, shooter=f"{FOE}machinegun")
    assert table.state.fired == fired == frozenset()
    assert [row.name for row in summary(table.play).sides[1].by_weapon] == ["Machinegun"]


def test_another_shooter_is_at_best_one_who_had_not_fired() -> None:
    table = armies(MEN, MEN)
    table.fire("machinegun", "rifle", "9H")
    table.fire("rifle", "rifle", "8H", close=True)
    again(table, 2, shooter=f"{FOE}machinegun")
    assert [one.shot.piece for one in table.state.judged] == ["second:M1", "second:M2"]


def test_a_whole_volley_by_others_needs_as_many() -> None:
    table = armies(MEN, MEN)
    shot = table.shot("rifle", "rifle", close=True)
    table.order(Volley(shooter=shot.shooter, target=shot.target, count=3, close=True))
    table.show("8S", "8H", "8C")
    events = again(table, 3, shooter=f"{FOE}machinegun", volley=True)
    assert len(lost(events)) == 3
    assert [one.shot.piece for one in table.state.judged] == [f"second:M{n}" for n in (1, 2, 3)]
    order = judged_as(table, 3, shooter=f"{FOE}tank", volley=True)
    refusal = table.refusal(order)
    assert (refusal.code, refusal.message) == ("too_many", "Only 2 Tanks could have fired.")


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"target": f"{FOE}rifle"}, "own_side"),
        ({"shooter": f"{OWN}rifle"}, "other_side"),
        ({"shooter": f"{FOE}truck"}, "no_weapon"),
        ({"target": f"{OWN}nobody"}, "unknown_row"),
        ({"target": f"{OWN}rifle"}, "no_change"),
        ({"shooter": f"{FOE}rifle"}, "no_change"),
    ],
)
def test_what_it_cannot_have_been(changes: dict[str, str], code: str) -> None:
    table = after_the_turn("5S")
    assert table.refusal(judged_as(table, 1, **changes)).code == code


def test_a_repeat_shot_was_at_no_tank() -> None:
    table = armies(MEN, MEN)
    table.fire("machinegun", "rifle", "8S", close=True)
    table.order(Again(close=True))
    table.show("7H")
    assert table.refusal(judged_as(table, 2, target=f"{OWN}tank")).code == "not_a_guy"


def test_a_breakdown_goes_to_the_gun_that_really_fired() -> None:
    table = armies(MEN, {"machinegun": 3, "grenade": 3, "tank": 2})
    table.fire("machinegun", "rifle", "QS", "2S")
    assert table.alive("second", "machinegun") == 2
    again(table, 1, shooter=f"{FOE}tank")
    assert table.alive("second", "machinegun") == 3
    assert table.alive("second", "tank") == 1


def test_a_rifles_queen_owes_a_breakdown_test_if_a_machine_gun_really_fired() -> None:
    """Rifles never break down, so that nothing was tested when the queen was drawn."""
    table = armies(MEN, MEN)
    table.fire("rifle", "rifle", "QS")
    again(table, 1, shooter=f"{FOE}machinegun")
    assert table.state.ask == DrawAsk(side="second", die=False, why="breakdown")
    table.show("2S")
    assert table.alive("second", "machinegun") == 3
    again(table, 1, shooter=f"{FOE}tank")
    assert table.alive("second", "machinegun") == 4
    assert table.alive("second", "tank") == 1


@pytest.mark.parametrize("changes", [{"draw": card("9H")}, {"shooter": f"{FOE}tank"}])
def test_a_gun_that_held_and_broke_later_stays_broken(changes: dict[str, Any]) -> None:
    """Judged again is the queen that it held, and not the one of two turns later that broke it."""
    table = armies(MEN, {"machinegun": 1, "tank": 1})
    table.fire("machinegun", "rifle", "QS", "2H")
    table.order(EndTurn())
    table.order(EndTurn())
    table.fire("machinegun", "rifle", "QS", "2S")
    again(table, 1, **changes)
    assert table.alive("second", "machinegun") == 0
    assert table.alive("second", "tank") == 1


def test_a_breakdown_of_before_does_not_break_the_gun_that_really_fired() -> None:
    """He fires as the rifleman that he became: what breaks is asked of the queen drawn now."""
    table = armies(MEN, {"machinegun": 3})
    table.fire("machinegun", "rifle", "QS", "2S")
    table.order(EndTurn())
    table.order(EndTurn())
    table.fire("rifle", "rifle", "QS")
    again(table, 2, shooter=f"{FOE}machinegun")
    assert table.alive("second", "machinegun") == 2
    table.show("2H")
    assert table.alive("second", "machinegun") == 2


# ------------------------------------------------------------------ the end of the battle


def test_an_end_that_was_none_reopens_the_battle_and_says_so() -> None:
    table = armies({"rifle": 2}, {"rifle": 2})
    table.fire("rifle", "rifle", "5S")
    assert table.state.outcome is not None
    events = again(table, 1, cover=True)
    assert of(Reopened, events)
    assert "So the battle is not over yet." in lines(table.play)[-1].text


def test_a_battle_over_by_its_last_turn_stays_over() -> None:
    """A draw, since turn 30 has passed: one man more or less does not matter."""
    table = after_the_turn("5S")
    while table.state.outcome is None:
        table.order(EndTurn())
    outcome = table.state.outcome
    again(table, 1, cover=True)
    assert table.state.outcome == outcome
    assert not table.state.lost
    assert "not over yet" not in lines(table.play)[-1].text


def test_a_broken_army_stays_broken_if_one_man_less_breaks_it_too() -> None:
    table = armies({"rifle": 4}, {"rifle": 9}, answers={"P74": "end_of_phase"})
    for drawn in ("5S", "4H", "3H"):
        table.fire("rifle", "rifle", drawn, close=True)
    table.order(EndPhase())
    assert table.state.outcome is not None
    again(table, 1, cover=True)
    assert table.state.outcome is not None
    assert not of(Reopened, again(table, 1, cover=False))
    again(table, 2, draw=card("9H"))
    again(table, 3, draw=card("9D"))
    assert table.state.outcome is None


# ------------------------------------------------------------------ for all that look on


def test_shots_of_earlier_turns_betray_no_hidden_piece() -> None:
    """The line that revealed them is void, so they are hidden again; their shot stands."""
    table = scenario(3)
    hidden = table.state.hidden
    side = next(iter(hidden)).partition(":")[0]
    foe = table.state.setup.enemy_of(side).id
    row = next(row for row in rows(table.state, side) if row.hidden and row.weapons)
    table.order(Reveal(row=row.key, count=len(row.hidden)))
    targets = (one for one in rows(table.state, foe) if one.on_foot)
    shots = (Fire(shooter=row.key, target=one.key, insist=True) for one in targets)
    table.order(next(shot for shot in shots if why_not(table.state, shot) is None))
    table.show("9D")
    table.order(EndTurn())
    shown = view(table.state, foe)
    assert len(shown.past[0].judged) == 1
    void(table, 3)
    assert table.state.hidden == hidden
    assert len(table.state.past[0].judged) == 1
    assert not view(table.state, foe).past[0].judged
    assert len(view(table.state, side).past[0].judged) == 1


def test_undone_and_read_again_it_is_the_same() -> None:
    table = after_the_turn("5S", "8H")
    states = [table.state]
    again(table, 1, cover=True)
    states.append(table.state)
    again(table, 2, shooter=f"{FOE}machinegun")
    entries = [record.codec.read(record.codec.written(one)) for one in table.play.entries]
    assert record.codec.play(entries).state == table.state
    for state in reversed(states):
        table.undo()
        assert table.state == state


# ------------------------------------------------------------------ by its keys


def test_tab_still_leads_to_the_last_shot_when_the_turn_is_over() -> None:
    table = after_the_turn("5S", "4H")
    shown = said(drafted(table.play, "\t"))
    assert "Judge again: turn 1, Rifle > Rifle, 4H: hit." in shown
    table.order(order(table.play, "\t\tc"))
    assert list(table.state.lost) == ["first:R2"]


def test_t_and_f_ask_for_the_row_that_was_meant() -> None:
    table = after_the_turn("5S")
    draft = drafted(table.play, "\tt")
    assert "Reds: at whom was it?" in said(draft)
    table.order(order(table.play, "o", draft))
    assert [one.shot.target for one in table.state.all_judged] == [f"{OWN}mortar"]
    draft = drafted(table.play, "\tf")
    assert "Blues: who fired?" in said(draft)
    table.order(order(table.play, "m", draft))
    assert [one.shot.piece for one in table.state.all_judged] == ["second:M1"]


def test_o_leads_to_the_shots_of_the_other_side() -> None:
    table = after_the_turn("5S")
    table.fire("rifle", "rifle", "4S", close=True)
    assert "4S: hit" in said(drafted(table.play, "\t"))
    assert "turn 1, Rifle > Rifle, 5S: hit" in said(drafted(table.play, "\to"))


def test_a_rank_of_an_earlier_turn_is_asked_for_its_suit() -> None:
    table = armies(MEN, MEN)
    table.order(table.shot("rifle", "rifle", close=True))
    table.order(Show((card(5),)))
    table.order(EndTurn())
    assert "Which suit" in said(drafted(table.play, "\tc"))
    table.order(order(table.play, "\tcs"))
    assert not table.state.lost
