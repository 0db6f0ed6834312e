"""A line in the middle made void: what goes, what stands, what is told."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from stage import Table, armies, of, scenario
from voids import MEN, RIFLE, SEEDED, TRUCK, gone, line, three_shots, void

from skirmish.games.plastic.battle.agenda import CasualtyAsk
from skirmish.games.plastic.battle.events import DrawMade
from skirmish.games.plastic.battle.lines import last_line, lines
from skirmish.games.plastic.battle.orders import (
    Add,
    AddNote,
    Again,
    AnyOrder,
    ChooseCasualties,
    Correct,
    Count,
    CountHits,
    Dig,
    EndPhase,
    EndTurn,
    Exit,
    Finish,
    Fire,
    GroupMoved,
    Hold,
    Load,
    PlayOn,
    Seal,
    SetClock,
    SetLevel,
    Show,
    Switch,
    Unload,
    Volley,
)
from skirmish.games.plastic.battle.orders.rejudge import as_judged
from skirmish.games.plastic.battle.voiding import judgments_of, why_not_void
from skirmish.games.plastic.rules.catalog import DECK
from skirmish.tabletop.chance import Source, parse_card
from skirmish.tabletop.refusal import Refused

# ------------------------------------------------------------------ what goes, what stands


def test_whom_a_void_shot_killed_stands_again_and_later_losses_stand() -> None:
    table = three_shots()
    assert list(table.state.lost) == ["first:R1", "first:R2", "first:R3"]
    void(table, 2)
    assert list(table.state.lost) == ["first:R1", "first:R3"]
    assert table.state.loss["first"] == 2


def test_the_last_line_that_is_not_void_may_be_far_back() -> None:
    table = three_shots()
    first_shot = lines(table.play)[1]
    for card in ("6H", "7H", "8H", "9H"):
        table.fire("rifle", "rifle", card, close=True)
    for back in range(1, len(lines(table.play)) - 1):
        void(table, back)
    last = last_line(table.play)
    assert last is not None
    assert last.number == first_shot.number


def test_a_players_own_card_is_back_in_his_deck_and_may_be_typed_again() -> None:
    table = three_shots()
    void(table, 2)
    assert gone(table) == ["5H", "3H"]
    table.order(table.shot("rifle", "rifle", close=True))
    table.order(Show((parse_card("4H"),)))
    assert gone(table) == ["5H", "3H", "4H"]
    assert "mistyped" not in lines(table.play)[-1].text


def test_a_shuffle_of_a_players_own_deck_goes_with_its_line() -> None:
    """Typed again, the same cards come from the same two decks."""
    table = armies({"rifle": 60}, {"rifle": 60})
    deck = [str(one) for one in DECK]
    for drawn in deck[:46]:
        table.fire("rifle", "rifle", drawn, close=True, grouped=False)
    before = table.state.sources
    shot = table.shot("rifle", "rifle", close=True)
    volley = Volley(shooter=shot.shooter, target=shot.target, count=4, close=True)
    for _ in range(2):
        table.order(volley)
        table.show(*deck[46:], *deck[:2])
        assert gone(table) == deck[:2]
        assert table.state.sources["second"].shuffles == 1
        void(table, 1)
        assert table.state.sources == before


def test_cards_typed_after_a_shuffle_that_is_void_are_of_the_shuffled_deck() -> None:
    table = armies({"rifle": 60}, {"rifle": 60})
    deck = [str(one) for one in DECK]
    for drawn in (*deck, "5H", "4H"):
        table.fire("rifle", "rifle", drawn, close=True, grouped=False)
    void(table, 2)  # with it the deck was shuffled
    assert gone(table) == ["4H"]
    assert table.state.sources["second"].cards_left(DECK) == 47


def test_the_programs_cards_go_on_where_they_were() -> None:
    one, other = (armies(MEN, {"rifle": 9}, sources=SEEDED) for _ in range(2))
    for table in (one, other):
        for _ in range(3):
            table.order(table.shot("rifle", "rifle", close=True))
    void(one, 2)
    drawn = [of(DrawMade, t.order(t.shot("rifle", "rifle", close=True))) for t in (one, other)]
    assert drawn[0] == drawn[1]


def test_a_shuffle_in_a_void_line_has_happened() -> None:
    table = armies({"tank": 60}, {"rifle": 60}, sources=SEEDED)
    for _ in range(50):
        table.order(table.shot("rifle", "tank", insist=True))
    before = table.state.sources
    void(table, 2)
    assert table.state.sources == before
    assert table.state.sources["second"].shuffles == 1


def test_whoever_fired_in_it_may_fire_again() -> None:
    table = three_shots()
    before = table.ready("second", "rifle")
    void(table, 2)
    assert table.ready("second", "rifle") == before + 1
    assert table.ready("second", "rifle") == 7


def test_a_whole_chain_is_one_line() -> None:
    table = armies(MEN, {"machinegun": 3, "rifle": 3})
    table.fire("machinegun", "mortar", "8H")
    table.order(ChooseCasualties((RIFLE,)))
    table.order(Again())
    table.show("7H")
    table.order(ChooseCasualties())
    table.order(Hold())
    table.fire("rifle", "rifle", "9H")
    assert len(table.state.lost) == 2
    void(table, 2)
    assert not table.state.lost
    assert gone(table) == ["9H"]
    assert [one.void for one in lines(table.play)[-2:]] == [True, False]


def test_a_note_between_a_shot_and_its_card_belongs_to_neither() -> None:
    table = armies(MEN, {"rifle": 3})
    table.order(table.shot("rifle", "rifle", close=True))
    table.order(AddNote("The dog took the dice."))
    table.show("5H")
    assert [one.text for one in lines(table.play)[-2:]] == [
        "Rifle R1 > Rifle, needs A-5: 5H hit. Reds: Rifle -1.",
        "Note: The dog took the dice.",
    ]
    assert [one.text for one in lines(table.play, last=2)] == [
        one.text for one in lines(table.play)[-2:]
    ]
    assert [one.text for one in lines(table.play, last=1)] == ["Note: The dog took the dice."]
    void(table, 1)
    assert table.alive("first", "rifle") == 29
    void(table, 2)
    assert table.alive("first", "rifle") == 30


def test_a_count_between_a_shot_and_its_repeat_belongs_to_neither() -> None:
    table = scenario(4)
    table.fire("machinegun", "rifle", "8H", close=True)
    table.order(Count(values={"german": 1}))
    table.order(Again(close=True))
    table.show("9H")
    assert len(line(table, 2).entries) == 4
    void(table, 2)
    assert not table.state.lost
    assert table.state.eye_count is not None


@pytest.mark.parametrize(
    ("order", "field"),
    [
        (Load(carrier=TRUCK, riders={RIFLE: 4}), "aboard"),
        (Exit(row=RIFLE, count=3), "exited"),
        (Exit(row=TRUCK), "loss"),
        (Correct(row=RIFLE, by=-2), "lost"),
        (Add(row=RIFLE, count=2), "added"),
        (Switch(option="pinning", on=True), "options"),
        (Seal(side="first", text="In the barn."), "sealed"),
    ],
)
def test_any_business_may_be_made_void(order: AnyOrder, field: str) -> None:
    table = armies(MEN, {"rifle": 3})
    before = getattr(table.state, field)
    table.order(order)
    table.order(AddNote("Later."))
    assert getattr(table.state, field) != before
    void(table, 2)
    left = getattr(table.state, field)
    assert {k: v for k, v in left.items() if v} == before if field == "loss" else left == before


def test_a_command_draw_made_void_lets_them_move_again() -> None:
    table = armies(MEN, {"rifle": 3}, quality={"first": "green"})
    table.order(GroupMoved())
    table.show("9H")
    void(table, 1)
    assert not table.state.movement_over


def test_a_foxhole_made_void_is_not_there() -> None:
    table = armies(MEN, {"rifle": 3})
    table.order(Dig(side="first"))
    table.show("2S")
    table.order(AddNote("Later."))
    void(table, 2)
    assert not table.state.works["first"].get("entrenchment", 0)


def test_dust_that_a_players_own_card_raised_goes_with_the_card() -> None:
    """Scenario 8: he will type it again, and it must not end the dust then."""
    table = scenario(8)
    shot = Fire(shooter="russian/guards/rifle", target="german/spearhead/rifle")
    table.order(shot)
    table.show("JS")
    table.order(shot)
    table.show("10H")
    assert table.state.toggled == {"dust"}
    void(table, 2)
    assert not table.state.toggled
    table.order(shot)
    table.show("JS")
    assert table.state.toggled == {"dust"}


def test_dust_that_a_card_of_the_program_raised_hangs_on() -> None:
    """The card has been drawn, whatever the shot was worth."""
    for seed in range(200):
        sources = (Source("deck", seed=seed), Source("deck", seed=seed + 500))
        table = scenario(8, sources=sources)
        shot = Fire(shooter="russian/guards/rifle", target="german/spearhead/rifle")
        table.order(shot)
        if table.state.toggled and table.state.ask is None:
            void(table, 1)
            assert table.state.toggled == {"dust"}
            return
    raise AssertionError("no seed raises dust")


def test_the_end_of_a_battle_goes_with_the_line_that_brought_it() -> None:
    table = armies({"rifle": 2}, {"rifle": 2})
    table.fire("rifle", "rifle", "5H")
    assert table.state.outcome is not None
    void(table, 1)
    assert not table.state.lost
    table.fire("rifle", "rifle", "4H")


# ------------------------------------------------------------------ nothing is counted twice


def test_a_man_killed_brought_back_and_killed_again_is_one_man() -> None:
    """The line that brought him back is void: he died twice, and counts once."""
    table = armies({"rifle": 3, "tank": 5}, {"rifle": 9})
    table.fire("rifle", "rifle", "5H", close=True)
    table.order(Correct(row=RIFLE, by=1))
    table.fire("rifle", "rifle", "4H", close=True)
    assert list(table.state.lost) == ["first:R1"]
    void(table, 2)
    assert table.state.loss["first"] == 1
    table.order(Correct(row=RIFLE, by=1))
    assert table.state.loss["first"] == 0


def test_who_left_came_back_and_left_again_has_left_once() -> None:
    table = armies(MEN, {"rifle": 30, "tank": 3})
    table.order(Exit(row=TRUCK, count=2))
    table.order(Correct(row=TRUCK, by=2))
    table.order(Exit(row=TRUCK, count=2))
    void(table, 2)
    assert table.state.loss["second"] == 10
    table.order(Correct(row=TRUCK, by=2))
    assert table.state.loss["second"] == 0


def test_nobody_is_both_lost_and_gone() -> None:
    table = armies(MEN, {"rifle": 30})
    table.order(Correct(row=TRUCK, by=-2))
    table.order(Correct(row=TRUCK, by=2))
    table.order(Exit(row=TRUCK, count=2))
    void(table, 2)
    assert not table.state.lost
    assert table.state.loss == {"first": 0, "second": 10}


def test_who_got_out_in_a_void_line_of_a_truck_since_lost_is_on_foot() -> None:
    table = armies(MEN, {"cannon": 3})
    table.order(Load(carrier=TRUCK, riders={RIFLE: 4}, piece="first:K1"))
    table.order(Unload(carrier=TRUCK))
    table.order(Correct(row=TRUCK, by=-2))
    void(table, 2)
    row = table.row("first", "rifle")
    assert len(row.on_foot) == len(row.alive) == 30


# ------------------------------------------------------------------ what cannot be void


def refused(table: Table, up: int = 1) -> tuple[str, str]:
    refusal = why_not_void(table.play, line(table, up))
    assert refusal is not None
    assert refusal.firm
    return refusal.code, refusal.message


def test_the_opening_cannot_be_void() -> None:
    assert refused(armies(MEN, MEN))[0] == "opening"


def test_what_is_void_cannot_be_void_again() -> None:
    table = three_shots()
    void(table, 2)
    assert refused(table, 2)[0] == "struck"
    with pytest.raises(Refused):
        table.play.possible("void", *line(table, 2).entry_numbers)


@pytest.mark.parametrize(
    ("order", "instead"),
    [
        (EndPhase(), "T"),
        (EndTurn(), "T"),
        (SetClock(turn=3, side="first", phase=1), "T"),
        (SetLevel(side="first", level="ledger", source=Source("deck")), "level"),
        (Finish(winner=None), "Backspace"),
    ],
)
def test_what_cannot_be_void_says_what_does_instead(order: AnyOrder, instead: str) -> None:
    table = armies(MEN, MEN)
    table.order(order)
    code, says = refused(table)
    assert code == "clockwork"
    assert instead in says


def test_playing_on_is_taken_back_not_made_void() -> None:
    table = armies(MEN, MEN)
    table.order(Finish(winner=None))
    table.order(PlayOn())
    assert refused(table)[0] == "clockwork"


def test_what_is_not_finished_is_taken_back_not_made_void() -> None:
    table = armies(MEN, {"machinegun": 2})
    table.order(table.shot("machinegun", "rifle"))
    assert refused(table)[0] == "unfinished"
    table.show("8H")
    assert isinstance(table.state.ask, CasualtyAsk)
    assert "Backspace" in refused(table)[1]


def test_men_added_who_have_fought_since_are_taken_off_instead() -> None:
    """Their shots stand; so they must have been there."""
    table = armies(MEN, {"rifle": 3})
    table.order(Add(row="second/second/rifle", count=1))
    for draw in ("9H", "9D", "9S", "5C"):
        table.fire("rifle", "rifle", draw, close=True)
    code, says = refused(table, 5)
    assert code == "in_use"
    assert "-" in says


@pytest.mark.parametrize(
    "used",
    [
        Correct(row="first/first/jeep", by=-1),
        Exit(row="first/first/jeep"),
        Load(carrier="first/first/jeep", riders={RIFLE: 2}),
    ],
)
def test_a_model_added_that_was_used_since_stays(used: AnyOrder) -> None:
    table = armies(MEN, {"rifle": 3})
    table.order(Add(row="first/first/jeep"))
    table.order(used)
    assert refused(table, 2)[0] == "in_use"
    void(table, 1)
    void(table, 2)
    assert not table.state.added


@pytest.mark.parametrize("order", [EndPhase(), EndTurn()])
def test_a_shot_whose_man_died_with_the_phase_stays(order: AnyOrder) -> None:
    """The line that removed him cannot be made void, and he would stay dead of no shot."""
    table = armies(MEN, {"rifle": 2, "mortar": 1})
    table.fire("rifle", "rifle", "2H")
    assert isinstance(table.state.ask, CasualtyAsk)
    table.order(order)
    assert len(table.state.lost) == 1
    code, says = refused(table, 2)
    assert code == "in_use"
    assert "+" in says


def judged_again(table: Table, low: int) -> None:
    (count,) = table.state.counts
    table.order(CountHits(low=low, anew=count.shot.id))


def test_a_volley_that_was_counted_anew_goes_with_its_new_counts() -> None:
    table = armies(MEN, {"rifle": 15})
    shot = table.shot("rifle", "rifle", close=True)
    table.order(Volley(shooter=shot.shooter, target=shot.target, count=2, close=True))
    table.order(CountHits(low=1))
    judged_again(table, 0)
    judged_again(table, 2)
    assert len(judgments_of(table.play, line(table, 3))) == 2
    void(table, 3)
    assert [one.void for one in lines(table.play)[-3:]] == [True, True, True]
    assert table.ready("second", "rifle") == 15
    assert not table.state.lost


def test_a_shot_that_was_judged_again_goes_with_its_judgment() -> None:
    table = three_shots()
    (first, *_) = table.state.judged
    table.order(replace(as_judged(table.state, first.shot), draw=parse_card("QD")))
    assert judgments_of(table.play, line(table, 3)) == ()
    void(table, 4)
    assert list(table.state.lost) == ["first:R2", "first:R3"]
    assert gone(table) == ["4H", "3H"]
    table.undo()
    void(table, 1)
    assert list(table.state.lost) == ["first:R1", "first:R2", "first:R3"]
    assert gone(table) == ["5H", "4H", "3H"]
