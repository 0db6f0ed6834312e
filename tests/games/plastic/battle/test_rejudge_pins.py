"""Pin tests of op fire that is judged again: drawn when they are owed, taken back when not."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from stage import Table, armies, of

from skirmish.games.plastic.battle import record
from skirmish.games.plastic.battle.agenda import DrawAsk, ToCheck
from skirmish.games.plastic.battle.events import HitsCounted, PinsStand
from skirmish.games.plastic.battle.lines import lines
from skirmish.games.plastic.battle.orders import (
    Again,
    CountHits,
    EndPhase,
    EndTurn,
    Hold,
    Rejudge,
    Volley,
    decide,
)
from skirmish.games.plastic.battle.orders.rejudge import as_judged
from skirmish.games.plastic.rules.options import Options

OWN, FOE = "first/first/", "second/second/"
PIN_DRAW = DrawAsk(side="first", die=False, why="pin")
PINNED, PINNED_TOO, FREE = "QS", "JS", "2H"
"""What a force without quality draws."""


def under_fire(*, rulings: dict[str, str] | None = None) -> Table:
    return armies(
        {"rifle": 9, "mortar": 3, "tank": 2},
        {"machinegun": 4, "rifle": 9},
        options=Options(pinning=True),
        answers=rulings,
    )


def again(table: Table, shot: int, **changes: Any) -> None:
    (before,) = [verdict for verdict in table.state.judged if verdict.shot.id == shot]
    order: dict[str, Any] = {
        name: getattr(as_judged(table.state, before.shot), name)
        for name in Rejudge.__struct_fields__
    }
    table.order(Rejudge(**{**order, **changes}))


def pins(table: Table) -> dict[str, int]:
    return {row.removeprefix(OWN): count for row, count in table.state.pinned.items() if count}


def test_a_lone_man_who_was_missed_after_all_draws_now() -> None:
    table = under_fire()
    table.fire("machinegun", "rifle", "4S", grouped=False)
    table.order(Hold())
    assert table.state.ask is None
    again(table, 1, cover=True)
    assert table.state.ask == PIN_DRAW
    table.show(PINNED)
    assert pins(table) == {"rifle": 1}


def test_a_lone_man_who_was_hit_after_all_is_pinned_no_more() -> None:
    table = under_fire()
    table.fire("machinegun", "rifle", "4S", PINNED, grouped=False, cover=True)
    assert pins(table) == {"rifle": 1}
    again(table, 1, cover=False)
    while table.state.ask is not None:
        table.order(Hold())
    assert pins(table) == {}
    assert "Rifle: not pinned by it after all." in lines(table.play)[-1].text
    assert table.alive("first", "rifle") == 8


def test_another_target_draws_and_the_first_is_free() -> None:
    table = under_fire()
    table.fire("machinegun", "rifle", "9H", PINNED)
    again(table, 1, target=f"{OWN}mortar")
    assert table.state.ask == PIN_DRAW
    table.show(PINNED_TOO)
    assert pins(table) == {"mortar": 1}
    again(table, 1, target=f"{OWN}tank", insist=True)
    assert table.state.ask is None
    assert pins(table) == {}


def test_only_machine_guns_pin_whoever_is_said_to_have_fired() -> None:
    table = under_fire()
    table.fire("machinegun", "rifle", "9H", PINNED)
    again(table, 1, shooter=f"{FOE}rifle")
    assert (table.state.ask, pins(table)) == (None, {})
    again(table, 1, shooter=f"{FOE}machinegun")
    assert table.state.ask == PIN_DRAW
    table.show(FREE)
    assert pins(table) == {}


def test_a_group_draws_once_whether_it_was_hit_or_missed() -> None:
    table = under_fire()
    table.fire("machinegun", "rifle", "4S", close=True)
    table.order(Hold())
    table.show(PINNED)
    again(table, 1, cover=True)
    assert (table.state.ask, pins(table)) == (None, {"rifle": 1})


def test_a_draw_that_is_still_to_come_is_asked_once() -> None:
    table = under_fire()
    table.fire("machinegun", "rifle", "4S", close=True)
    again(table, 1, target=f"{OWN}mortar")  # while it may fire again
    while table.state.ask != PIN_DRAW:
        table.order(Hold())
    table.show(PINNED)
    assert (table.state.ask, pins(table)) == (None, {"mortar": 1})


def test_repeat_shots_taken_back_take_their_draws_along() -> None:
    """With P55 per shot, a group draws for each shot of the run."""
    table = under_fire(rulings={"P55": "per_shot"})
    table.fire("machinegun", "rifle", "4S", close=True)
    table.order(Again(close=True))
    table.show("9H", FREE, PINNED)
    assert pins(table) == {"rifle": 1}
    again(table, 1, cover=True, chain=True)
    assert pins(table) == {}


@pytest.mark.parametrize("typed", [True, False])
def test_a_volley_at_others(typed: bool) -> None:
    table = under_fire()
    shot = table.shot("machinegun", "rifle")
    table.order(Volley(shooter=shot.shooter, target=shot.target, count=2))
    if typed:
        table.show("9H", "9S")
    else:
        table.order(CountHits(low=0))
    table.show(FREE, PINNED)
    assert pins(table) == {"rifle": 1}
    if typed:
        again(table, 2, target=f"{OWN}mortar", volley=True)
    else:
        table.order(CountHits(low=0, anew=1, target=f"{OWN}mortar"))
    assert (table.state.ask, pins(table)) == (PIN_DRAW, {})
    table.show(PINNED_TOO)
    assert (table.state.ask, pins(table)) == (None, {"mortar": 1})
    entries = [record.codec.read(record.codec.written(entry)) for entry in table.play.entries]
    assert record.codec.play(entries).state == table.state


def test_a_count_of_an_early_version_that_named_no_volley_is_put_right() -> None:
    table = under_fire()
    shot = table.shot("machinegun", "rifle")
    table.order(Volley(shooter=shot.shooter, target=shot.target, count=2))
    table.order(CountHits(low=0))
    table.show(FREE, PINNED)
    (count,) = table.state.counts
    early = replace(count, shot=replace(count.shot, volley=0))
    state = replace(table.state, counts=(early,))
    events = decide(state, CountHits(low=0, anew=1, target=f"{OWN}mortar"))
    (corrected,) = of(HitsCounted, tuple(events))
    tests = [task for task in corrected.then if isinstance(task, ToCheck)]
    assert [(task.row, task.times) for task in tests] == [(f"{OWN}mortar", 2)]


@pytest.mark.parametrize("later", [EndPhase(), EndTurn()])
def test_once_the_movement_is_over_it_is_only_stated(later: EndPhase | EndTurn) -> None:
    table = under_fire()
    table.fire("machinegun", "rifle", "9H", PINNED)
    table.order(later)
    (before,) = table.state.all_judged
    events = table.order(Rejudge(shot=1, target=f"{OWN}mortar", close=False, grouped=True))
    assert before.shot.id == 1
    assert table.state.ask is None
    assert {(event.row, event.owed) for event in of(PinsStand, events)} == {
        (f"{OWN}rifle", False),
        (f"{OWN}mortar", True),
    }
    text = lines(table.play)[-1].text
    assert "Rifle owed no pin test for it; if it was pinned, check where it is." in text
    assert "Mortar owed a pin test for it; that movement is over." in text
