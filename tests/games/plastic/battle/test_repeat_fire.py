"""Repeat fire: what opens it, what it goes on to, and what lets it go."""

from __future__ import annotations

import pytest
from stage import armies, lost, of

from skirmish.games.plastic.battle.agenda import InsideAsk, RepeatAsk
from skirmish.games.plastic.battle.events import Aimed, Asked, Judged, StepSkipped
from skirmish.games.plastic.battle.orders import (
    Again,
    ChooseCasualties,
    EndPhase,
    Fire,
    Hold,
    NameRiders,
)
from skirmish.games.plastic.battle.orders.firing import circumstances_that_matter, same_again

MEN = {"rifle": 9}


def test_a_hit_on_a_guy_opens_another_shot() -> None:
    """Repeat Firing."""
    table = armies(MEN, {"machinegun": 1})
    events = table.fire("machinegun", "rifle", "8H")
    ask = table.state.ask
    assert lost(events) == ["rifle"]
    assert isinstance(ask, RepeatAsk)
    assert (ask.within, ask.of) == (6, "last")


@pytest.mark.parametrize("shooter", ["mortar", "bazooka", "grenade", "flamethrower", "cannon"])
def test_all_but_machineguns_measure_from_the_first_man(shooter: str) -> None:
    """Repeat Firing: six inches of the original."""
    table = armies(MEN, {shooter: 1})
    table.fire(shooter, "rifle", "5H")
    ask = table.state.ask
    assert isinstance(ask, RepeatAsk)
    assert ask.of == "first"


def test_a_chain_runs_until_a_miss() -> None:
    table = armies(MEN, {"machinegun": 1})
    table.fire("machinegun", "rifle", "8H")
    for nth, draw in enumerate(("7H", "6H", "9H"), 2):
        table.order(Again())
        events = table.show(draw)
        assert of(Judged, events)[0].shot.nth == nth
    assert table.state.ask is None
    assert table.alive("first", "rifle") == 6


def test_the_whole_chain_is_one_use_of_the_weapon() -> None:
    """Sequence of Play: but for repeat fire."""
    table = armies(MEN, {"machinegun": 2})
    table.fire("machinegun", "rifle", "8H")
    table.order(Again())
    table.show("9H")
    assert table.ready("second", "machinegun") == 1


def test_a_miss_opens_nothing() -> None:
    table = armies(MEN, {"machinegun": 1})
    table.fire("machinegun", "rifle", "9H")
    assert table.state.ask is None
    assert table.refusal(Again()).code == "no_repeat"
    assert table.refusal(Hold()).code == "no_repeat"


def test_a_hit_on_a_model_opens_nothing() -> None:
    """Repeat stands only in the column of guys."""
    table = armies({"jeep": 2, "rifle": 2}, {"machinegun": 1})
    table.fire("machinegun", "jeep", "3H")
    assert table.state.ask == InsideAsk(side="first", carrier="first:J1")
    table.order(NameRiders())
    assert table.state.ask is None


def test_rifles_do_not_repeat() -> None:
    table = armies(MEN, {"rifle": 1})
    table.fire("rifle", "rifle", "5H")
    assert table.state.ask is None


def test_in_contact_a_machinegun_does_not_repeat_and_grenades_do() -> None:
    """Sequence of Play, the note on phases 3 and 4."""
    table = armies(MEN, {"machinegun": 1, "grenade": 1}).at(1, "first", 4)
    table.fire("machinegun", "rifle", "5H")
    assert table.state.ask is None
    table.fire("grenade", "rifle", "5D")
    assert isinstance(table.state.ask, RepeatAsk)


def test_repeat_fire_goes_on_to_guys_only() -> None:
    """Repeat Firing."""
    table = armies({"rifle": 2, "jeep": 1}, {"machinegun": 1})
    table.fire("machinegun", "rifle", "8H")
    refusal = table.refusal(Again(target="first/first/jeep"))
    assert (refusal.code, refusal.firm) == ("not_a_guy", True)


def test_repeat_fire_may_go_on_to_another_row() -> None:
    table = armies({"rifle": 2, "mortar": 1}, {"machinegun": 1})
    table.fire("machinegun", "rifle", "8H", close=True)
    events = table.order(Again(target="first/first/mortar", close=True))
    (aimed,) = of(Aimed, events)
    assert (aimed.shot.target, aimed.shot.first) == ("first/first/mortar", "first/first/rifle")
    assert lost(table.show("8D")) == ["mortar"]


def test_repeat_fire_may_not_turn_on_its_own_side() -> None:
    table = armies(MEN, {"machinegun": 1, "rifle": 2})
    table.fire("machinegun", "rifle", "8H")
    assert table.refusal(Again(target="second/second/rifle")).code == "own_side"


def test_what_eyes_see_of_the_next_man_belongs_to_the_next_shot() -> None:
    table = armies(MEN, {"machinegun": 1})
    table.fire("machinegun", "rifle", "8H", cover=True)
    table.order(Again())
    assert of(Judged, table.show("2S"))[0].hit
    same = same_again(table.state)
    assert same is not None
    assert not same.cover
    table.order(Again(cover=True))
    assert not of(Judged, table.show("2C"))[0].hit


def test_the_same_again_keeps_what_was_seen() -> None:
    table = armies(MEN, {"machinegun": 1})
    table.fire("machinegun", "rifle", "8H", cover=True, close=True, grouped=False)
    assert same_again(table.state) == Again(
        target="first/first/rifle", cover=True, close=True, grouped=False
    )
    assert circumstances_that_matter(table.state, Again(target="first/first/rifle")) == [
        "cover",
        "close",
        "grouped",
    ]


def test_no_shot_is_offered_when_nobody_is_left() -> None:
    table = armies({"rifle": 1, "tank": 2}, {"machinegun": 1})
    events = table.fire("machinegun", "rifle", "8H")
    assert len(of(StepSkipped, events)) == 1
    assert table.state.ask is None


def test_the_offer_may_be_let_go() -> None:
    table = armies(MEN, {"machinegun": 2})
    table.fire("machinegun", "rifle", "8H")
    table.order(Hold())
    assert (table.state.ask, table.state.agenda) == (None, ())
    assert table.refusal(Again()).code == "no_repeat"


def test_any_other_order_lets_the_offer_go() -> None:
    """An open repeat shot does not stand in the way of anything."""
    table = armies(MEN, {"machinegun": 2})
    table.fire("machinegun", "rifle", "8H")
    events = table.order(EndPhase())
    assert isinstance(events[0], StepSkipped)
    assert (table.state.clock.phase, table.state.ask) == (2, None)
    table.fire("machinegun", "rifle", "8D")
    events = table.fire("machinegun", "rifle", insist=True)
    assert isinstance(events[0], StepSkipped)


def test_a_refused_order_does_not_let_the_offer_go() -> None:
    table = armies(MEN, {"machinegun": 1})
    table.fire("machinegun", "rifle", "8H")
    table.refusal(Fire(shooter="second/second/machinegun", target="first/first/rifle"))
    assert isinstance(table.state.ask, RepeatAsk)


def test_the_offer_comes_after_the_casualty() -> None:
    table = armies({"rifle": 5, "mortar": 1}, {"machinegun": 1})
    events = table.fire("machinegun", "mortar", "8H")
    assert [event.ask.__class__.__name__ for event in of(Asked, events)][-1] == "CasualtyAsk"
    events = table.order(ChooseCasualties(("first/first/rifle",)))
    assert isinstance(table.state.ask, RepeatAsk)
    assert table.state.ask.shot.target == "first/first/mortar", "P57: of the man shot at"
