"""Who rides in what ("Loading or Unloading", P27, P53, P56): in, out, off the table, and to the
bottom with the ship."""

from __future__ import annotations

import pytest
from stage import Table, armies, lost, of, scenario

from skirmish.games.plastic.battle.agenda import InsideAsk, PieceAsk
from skirmish.games.plastic.battle.events import Exited, Loaded
from skirmish.games.plastic.battle.orders import (
    Add,
    ChooseModel,
    Correct,
    Exit,
    Fire,
    Load,
    NameRiders,
    Unload,
    casualties,
)
from skirmish.games.plastic.battle.orders.firing import prepared
from skirmish.games.plastic.battle.rows import inside_is_unknown
from skirmish.games.plastic.battle.setup_choices import SetupChoices
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.strength import beating_loss
from skirmish.games.plastic.battle.victory import Exits, victory_kind

OWN, FOE = "first/first/", "second/second/"
COLUMN = {
    "rifle": 30,
    "machinegun": 2,
    "grenade": 2,
    "mortar": 2,
    "engineer": 2,
    "sniper": 1,
    "cannon": 2,
    "jeep": 2,
    "truck": 2,
    "halftrack": 1,
    "tank": 1,
}


def column() -> Table:
    return armies(COLUMN, {"rifle": 30, "cannon": 4, "machinegun": 4})


def get_in(table: Table, carrier: str, piece: str | None = None, **riders: int) -> None:
    rows = {OWN + unit: count for unit, count in riders.items()}
    table.order(Load(carrier=OWN + carrier, riders=rows, piece=piece))


def load(carrier: str, piece: str | None = None, insist: bool = False, **riders: int) -> Load:
    rows = {OWN + unit: count for unit, count in riders.items()}
    return Load(carrier=OWN + carrier, riders=rows, piece=piece, insist=insist)


# ------------------------------------------------------------------ in


@pytest.mark.parametrize(("carrier", "seats"), [("jeep", 4), ("truck", 10), ("halftrack", 10)])
def test_every_model_has_its_seats(carrier: str, seats: int) -> None:
    table = column()
    get_in(table, carrier, rifle=seats)
    assert len(table.row("first", "rifle").aboard) == seats
    refusal = column().refusal(load(carrier, rifle=seats + 1))
    assert (refusal.code, refusal.firm) == ("no_room", False)
    assert str(seats) in refusal.message


def test_seats_taken_are_taken() -> None:
    table = column()
    get_in(table, "jeep", "first:J1", rifle=3)
    assert table.refusal(load("jeep", "first:J1", rifle=2)).code == "no_room"
    get_in(table, "jeep", "first:J1", rifle=1)


def test_one_too_many_gets_in_if_players_insist() -> None:
    """Advise, do not refuse: tables settle that."""
    table = column()
    table.order(load("jeep", insist=True, rifle=5))
    assert len(table.row("first", "rifle").aboard) == 5


@pytest.mark.parametrize(
    ("carrier", "riders", "firm"),
    [
        ("jeep", {"cannon": 1}, False),
        ("truck", {"cannon": 2}, False),
        ("truck", {"sniper": 1}, False),
        ("truck", {"tank": 1}, True),
        ("truck", {"jeep": 1}, True),
        ("tank", {"rifle": 1}, True),
        ("rifle", {"rifle": 1}, True),
        ("truck", {}, True),
        ("truck", {"rifle": 0}, True),
        ("truck", {"rifle": 31}, True),
    ],
)
def test_what_does_not_fit_is_told(carrier: str, riders: dict[str, int], firm: bool) -> None:
    """P27: a jeep tows nothing; snipers are never carried."""
    rows = {OWN + unit: count for unit, count in riders.items()}
    refusal = column().refusal(Load(carrier=OWN + carrier, riders=rows))
    assert refusal.firm is firm
    assert refusal.message.endswith(".")


def test_a_truck_takes_ten_men_and_a_cannon() -> None:
    table = column()
    get_in(table, "truck", "first:K1", rifle=10, cannon=1)
    assert len(table.state.riders_of("first:K1")) == 11


def test_nobody_gets_into_the_enemys_truck() -> None:
    table = column()
    order = Load(carrier=OWN + "truck", riders={FOE + "rifle": 1})
    assert table.refusal(order).code == "other_side"


def test_nothing_carries_itself() -> None:
    """P64: a raft rides on a truck, never in a raft, and not in itself at all."""
    table = column()
    raft = OWN + "assault_raft"
    table.order(Add(row=raft, count=2))
    assert table.refusal(Load(carrier=raft, riders={raft: 1})).code == "no_room"
    table.order(Load(carrier=raft, riders={raft: 1}, insist=True))
    assert [rider != carrier for rider, carrier in table.state.aboard.items()] == [True]


def test_without_a_code_the_emptiest_is_taken() -> None:
    table = column()
    get_in(table, "truck", "first:K1", rifle=5)
    (event,) = of(Loaded, table.order(load("truck", rifle=5)))
    assert event.carrier == "first:K2"


def test_nobody_sits_in_two_models() -> None:
    table = armies({"rifle": 5, "truck": 2}, {"rifle": 5})
    get_in(table, "truck", "first:K1", rifle=5)
    assert table.refusal(load("truck", "first:K2", rifle=1)).code == "too_many"


# ------------------------------------------------------------------ aboard


def test_riders_neither_fire_nor_are_fired_at() -> None:
    table = armies({"rifle": 4, "jeep": 1}, {"rifle": 5, "truck": 1})
    get_in(table, "jeep", rifle=4)
    refusal = table.refusal(table.shot("rifle", "rifle"))
    assert (refusal.code, refusal.firm) == ("aboard", False)
    table.order(Load(carrier=FOE + "truck", riders={FOE + "rifle": 5}, insist=True))
    assert table.ready("second", "rifle") == 0
    assert not table.refusal(table.shot("rifle", "jeep")).firm


def test_riders_are_not_given_for_men_on_foot() -> None:
    table = armies({"rifle": 6, "mortar": 2, "truck": 1}, {"rifle": 5})
    get_in(table, "truck", rifle=6)
    assert lost(table.fire("rifle", "mortar", "5H")) == ["mortar"]


@pytest.mark.parametrize(
    ("rider", "fires"),
    [("rifle", 2), ("machinegun", 2), ("grenade", 2), ("engineer", 2), ("mortar", 0)],
)
def test_two_grenade_rifle_or_mg_guys_fire_from_a_halftrack(rider: str, fires: int) -> None:
    """Engineers as Rifle Guys: P53."""
    table = armies({"rifle": 20}, {"halftrack": 1, rider: 4})
    table.order(Load(carrier=FOE + "halftrack", riders={FOE + rider: 4}, insist=True))
    assert table.ready("second", rider) == fires


def test_engineers_do_not_where_only_plain_rifle_guys_are_such() -> None:
    """P53 plain_only."""
    table = armies({"rifle": 20}, {"halftrack": 1, "engineer": 4}, answers={"P53": "plain_only"})
    table.order(Load(carrier=FOE + "halftrack", riders={FOE + "engineer": 4}, insist=True))
    assert table.ready("second", "engineer") == 0


def test_two_of_all_who_ride_fire_whatever_they_are() -> None:
    table = armies({"rifle": 20}, {"halftrack": 1, "rifle": 3, "machinegun": 3})
    riders = {FOE + "rifle": 3, FOE + "machinegun": 3}
    table.order(Load(carrier=FOE + "halftrack", riders=riders, insist=True))
    table.fire("rifle", "rifle", "9H")
    assert table.ready("second", "rifle") == table.ready("second", "machinegun") == 1
    table.fire("machinegun", "rifle", "9D")
    assert table.ready("second", "rifle") == table.ready("second", "machinegun") == 0
    assert not table.refusal(table.shot("rifle", "rifle")).firm


def test_riders_of_each_halftrack_have_their_own_two_places() -> None:
    table = armies({"rifle": 20}, {"halftrack": 2, "rifle": 8})
    for piece in ("second:H1", "second:H2"):
        order = Load(carrier=FOE + "halftrack", riders={FOE + "rifle": 4}, piece=piece, insist=True)
        table.order(order)
    assert table.ready("second", "rifle") == 4


def test_men_on_foot_fire_before_riders() -> None:
    table = armies({"rifle": 20}, {"halftrack": 1, "rifle": 5})
    table.order(Load(carrier=FOE + "halftrack", riders={FOE + "rifle": 3}, insist=True))
    shot = prepared(table.state, table.shot("rifle", "rifle"))
    assert shot.shooting.piece in table.row("second", "rifle").on_foot


# ------------------------------------------------------------------ out


def test_all_get_out() -> None:
    table = column()
    get_in(table, "truck", "first:K1", rifle=9, cannon=1)
    table.order(Unload(carrier=OWN + "truck"))
    assert not table.state.aboard
    assert table.refusal(Unload(carrier=OWN + "truck")).code == "empty"


def test_the_one_named_is_unloaded() -> None:
    table = column()
    get_in(table, "truck", "first:K1", rifle=3)
    get_in(table, "truck", "first:K2", rifle=4)
    table.order(Unload(carrier=OWN + "truck", piece="first:K2"))
    assert len(table.state.riders_of("first:K1")) == 3
    refusal = table.refusal(Unload(carrier=OWN + "truck", piece="first:K2"))
    assert (refusal.code, "K2" in refusal.message) == ("empty", True)


# ------------------------------------------------------------------ lost with the carrier


def test_all_inside_die_with_it_and_are_credited_to_the_same_shot() -> None:
    table = column()
    get_in(table, "truck", "first:K1", rifle=4, cannon=1)
    get_in(table, "truck", "first:K2", rifle=3, cannon=1)
    table.fire("cannon", "truck", "9H")
    assert table.state.ask == PieceAsk(
        side="first", row=OWN + "truck", pieces=("first:K1", "first:K2")
    )
    assert sorted(lost(table.order(ChooseModel("first:K1")))) == ["cannon", *["rifle"] * 4, "truck"]
    credits = set(table.state.lost.values())
    assert len(credits) == 1
    assert table.state.loss["first"] == 5 + 5 + 4
    assert len(table.row("first", "rifle").aboard) == 3


def test_of_models_with_the_same_aboard_any_may_be_taken() -> None:
    table = column()
    for piece in ("first:K1", "first:K2"):
        get_in(table, "truck", piece, rifle=4)
    assert sorted(lost(table.fire("cannon", "truck", "9H"))) == [*["rifle"] * 4, "truck"]


def test_which_model_is_asked_only_where_it_matters() -> None:
    table = armies({"truck": 3, "rifle": 20, "cannon": 1}, {"cannon": 4})
    table.fire("cannon", "truck", "9H")
    assert table.state.ask == InsideAsk(side="first", carrier="first:K1")
    table.order(NameRiders())
    get_in(table, "truck", "first:K2", rifle=3)
    table.fire("cannon", "truck", "9D")
    assert isinstance(table.state.ask, PieceAsk)
    assert table.refusal(ChooseModel("first:K1")).code == "not_one_of_these"


def test_who_may_be_inside_is_reckoned_once_for_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not for each of its models: a shot at 9,999 trucks took minutes."""
    asked: list[str] = []

    def counted(state: State, piece: str) -> bool:
        asked.append(piece)
        return inside_is_unknown(state, piece)

    monkeypatch.setattr(casualties, "inside_is_unknown", counted)
    table = armies({"truck": 50, "rifle": 20}, {"cannon": 4})
    table.fire("cannon", "truck", "9H")
    assert isinstance(table.state.ask, InsideAsk)
    assert len(asked) == 1


def test_where_nothing_was_recorded_who_was_inside_is_asked() -> None:
    table = column()
    table.fire("cannon", "jeep", "9H")
    assert table.state.ask == InsideAsk(side="first", carrier="first:J1")
    assert lost(table.order(NameRiders({OWN + "rifle": 2, OWN + "mortar": 1}))) == [
        "rifle",
        "rifle",
        "mortar",
    ]
    assert table.state.loss["first"] == 5 + 3
    assert all(credit and credit.piece == "second:C1" for credit in table.state.lost.values())


@pytest.mark.parametrize(
    "riders",
    [
        {OWN + "rifle": 5},
        {OWN + "rifle": -1},
        {OWN + "rifle": 99},
        {OWN + "cannon": 1},
        {OWN + "tank": 1},
        {OWN + "sniper": 1},
        {FOE + "rifle": 1},
        {"nobody": 1},
    ],
    ids=["too many", "fewer than none", "more than there are", "no tow", "a tank", "a sniper",
         "of the enemy", "unknown"],
)  # fmt: skip
def test_who_cannot_have_been_inside_is_refused(riders: dict[str, int]) -> None:
    table = column()
    table.fire("cannon", "jeep", "9H")
    assert table.refusal(NameRiders(riders)).firm
    assert isinstance(table.state.ask, InsideAsk)


def test_an_empty_model_of_which_that_is_known_is_not_asked_about() -> None:
    table = column()
    get_in(table, "halftrack", rifle=3)
    table.order(Unload(carrier=OWN + "halftrack"))
    assert lost(table.fire("cannon", "halftrack", "5H")) == ["halftrack"]
    assert table.state.ask is None


def test_riders_who_die_in_a_breakdown_are_the_enemys_luck() -> None:
    """Breakdowns: the model is killed, and killing vehicles kills what is inside (P19)."""
    table = armies({"rifle": 20}, {"halftrack": 1, "rifle": 20})
    table.order(Load(carrier=FOE + "halftrack", riders={FOE + "rifle": 3}, insist=True))
    events = table.fire("halftrack", "rifle", "QS", "2S")
    assert lost(events) == ["halftrack", "rifle", "rifle", "rifle"]
    assert all(credit and credit.breakdown for credit in table.state.lost.values())


def test_a_rider_who_stands_again_out_of_a_lost_model_is_on_foot() -> None:
    """He jumped off in time, players say."""
    table = column()
    get_in(table, "halftrack", rifle=3)
    table.fire("cannon", "halftrack", "5H")
    table.order(Correct(row=OWN + "rifle", by=1))
    row = table.row("first", "rifle")
    assert len(row.on_foot) == len(row.alive) == 28


# ------------------------------------------------------------------ off the table


def test_a_truck_leaves_with_all_aboard() -> None:
    """Scenario 1: a truck counts nothing, the men in it count one each."""
    table = scenario(1)
    truck, rifle = "german/column/truck", "german/column/rifle"
    table.order(Load(carrier=truck, riders={rifle: 7}))
    (event,) = of(Exited, table.order(Exit(row=truck)))
    assert (len(event.pieces), event.value) == (8, 7)
    kind = victory_kind(table.state)
    assert isinstance(kind, Exits)
    assert kind.exited_value == 7
    assert table.alive("german", "rifle") == 16


def test_of_several_the_loaded_one_leaves() -> None:
    table = scenario(1)
    truck = "german/column/truck"
    table.order(Load(carrier=truck, riders={"german/column/rifle": 2}, piece="german:K2"))
    (event,) = of(Exited, table.order(Exit(row=truck)))
    assert event.pieces[0] == "german:K2"


def test_riders_do_not_leave_without_their_model() -> None:
    table = scenario(1)
    table.order(Load(carrier="german/column/truck", riders={"german/column/rifle": 10}))
    assert table.refusal(Exit(row="german/column/rifle", count=14)).code == "too_many"
    table.order(Exit(row="german/column/rifle", count=13))


def test_a_rider_put_right_takes_his_own_count_with_him() -> None:
    """Three of the seven had not been aboard after all."""
    table = scenario(1)
    truck, rifle = "german/column/truck", "german/column/rifle"
    table.order(Load(carrier=truck, riders={rifle: 7}))
    table.order(Exit(row=truck))
    table.order(Correct(row=rifle, by=3))
    kind = victory_kind(table.state)
    assert isinstance(kind, Exits)
    assert kind.exited_value == 4
    row = table.row("german", "rifle")
    assert len(row.on_foot) == len(row.alive) == 19


def test_in_the_basic_game_who_leaves_counts_as_the_enemys_loss() -> None:
    table = column()
    get_in(table, "truck", rifle=4)
    table.order(Exit(row=OWN + "truck"))
    assert table.state.loss == {"second": 9}
    assert beating_loss(table.state, "first") == beating_loss(column().state, "first")


def test_an_exit_put_right_is_the_enemys_loss_no_more() -> None:
    table = column()
    table.order(Exit(row=OWN + "tank"))
    table.order(Exit(row=OWN + "rifle", count=2))
    assert table.state.loss["second"] == 7
    table.order(Correct(row=OWN + "tank", by=1))
    assert table.state.loss["second"] == 2
    table.order(Correct(row=OWN + "rifle", by=2))
    assert table.state.loss["second"] == 0


def test_leaving_elsewhere_counts_for_nobody() -> None:
    table = column()
    table.order(Exit(row=OWN + "tank", counts=False))
    assert not any(table.state.loss.values())
    assert table.alive("first", "tank") == 0


def test_where_leaving_counts_for_nothing_that_is_told_first() -> None:
    table = scenario(5)
    order = Exit(row="german/assault/rifle")
    assert table.refusal(order).code == "no_exit"
    table.order(Exit(row="german/assault/rifle", insist=True))
    table.order(Exit(row="german/assault/rifle", counts=False))


# ------------------------------------------------------------------ loads at the start


def test_whoever_fits_starts_aboard() -> None:
    """Scenario 1: thirty men, thirty seats."""
    state = scenario(1, chosen=SetupChoices()).state
    riders = [p for p in state.pieces() if p.contingent == "column" and p.id in state.aboard]
    guys = [p for p in riders if state.setup.unit(p.unit).is_guy]
    assert len(guys) == 30


def test_thirty_three_land_in_thirty_seats() -> None:
    """P71: seventeen and sixteen aboard, for this landing."""
    table = scenario(10, chosen=SetupChoices())
    craft = table.row("american", "landing_craft").alive
    aboard = [len(table.state.riders_of(one)) for one in craft]
    assert sorted(aboard) == [16, 17]


def test_who_is_aboard_cannot_be_hit_before_he_lands() -> None:
    table = scenario(10, chosen=SetupChoices())
    shot = Fire(shooter="german/emplacements/machinegun", target="american/rangers/rifle")
    assert table.refusal(shot).code == "aboard"
    table.order(Unload(carrier="american/rangers/landing_craft"))
    table.order(shot)


# ------------------------------------------------------------------ "… and move no further"


def test_who_got_out_gets_into_nothing_else_in_the_same_turn() -> None:
    table = column()
    get_in(table, "jeep", rifle=4)
    table.order(Unload(carrier=OWN + "jeep"))
    fresh = table.order(load("truck", rifle=10))
    (loaded,) = of(Loaded, fresh)
    assert not set(loaded.riders) & table.state.got_out
    get_in(table, "truck", piece="first:K2", rifle=10)
    refusal = table.refusal(load("halftrack", rifle=10))
    assert (refusal.code, refusal.firm) == ("got_out", False)
    assert refusal.message == (
        "4 Rifle Guys got out of a vehicle in this turn, and whoever gets out moves no further."
    )
    table.order(load("halftrack", insist=True, rifle=10))
    assert table.alive("first", "rifle") == 30


def test_who_got_out_may_get_in_again_in_the_next_turn() -> None:
    table = column()
    get_in(table, "jeep", rifle=4)
    table.order(Unload(carrier=OWN + "jeep"))
    assert len(table.state.got_out) == 4
    table.at(2, "first")
    assert table.state.got_out == frozenset()
    get_in(table, "truck", rifle=10)


def test_a_cannon_that_was_unloaded_is_not_loaded_again() -> None:
    table = column()
    get_in(table, "truck", cannon=1)
    get_in(table, "truck", piece="first:K2", cannon=1)
    table.order(Unload(carrier=OWN + "truck", piece="first:K1"))
    assert table.refusal(load("halftrack", cannon=1)).message == (
        "Cannon C1 got out of a vehicle in this turn, and whoever gets out moves no further."
    )


def test_who_got_out_does_not_leave_the_table() -> None:
    table = column()
    get_in(table, "jeep", rifle=4)
    table.order(Unload(carrier=OWN + "jeep"))
    table.order(Exit(row=OWN + "rifle", count=26))
    assert table.refusal(Exit(row=OWN + "rifle")).code == "got_out"
