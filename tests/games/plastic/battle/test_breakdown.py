"""The queen of spades or a 12, and the draw after it ("Breakdowns")."""

from __future__ import annotations

from types import NoneType

import pytest
from msgspec.structs import replace
from stage import DICE, armies, lost, of, scenario

from skirmish.games.plastic.battle.agenda import DrawAsk, RepeatAsk
from skirmish.games.plastic.battle.events import (
    Ceased,
    Disarmed,
    Judged,
    Lost,
    Shuffled,
    UnitChanged,
)
from skirmish.games.plastic.battle.events import Tested as SecondDraw
from skirmish.games.plastic.battle.lines import lines
from skirmish.games.plastic.battle.orders import Fire, Hold, Show, Volley
from skirmish.games.plastic.battle.orders.firing import prepared
from skirmish.games.plastic.battle.orders.rejudge import as_judged
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.fired_shots import fired_shots
from skirmish.games.plastic.rules.catalog import DECK
from skirmish.games.plastic.summary import summary
from skirmish.tabletop.chance import Draw, Source, shuffled

MEN = {"rifle": 9}
QUEEN = Draw(12, "S")


def test_a_second_spade_turns_a_machinegun_man_into_a_rifleman() -> None:
    table = armies(MEN, {"machinegun": 2, "rifle": 3})
    events = table.fire("machinegun", "rifle", "QS", "2S")
    assert of(UnitChanged, events) == [UnitChanged(piece="second:M1", unit="rifle")]
    assert (table.alive("second", "machinegun"), table.alive("second", "rifle")) == (1, 4)


def test_a_man_who_becomes_a_rifleman_is_no_loss() -> None:
    """P53."""
    table = armies(MEN, {"machinegun": 2})
    assert lost(table.fire("machinegun", "rifle", "QS", "2S")) == []
    assert table.state.loss == {}


def test_he_becomes_one_in_his_own_contingent_though_it_had_none() -> None:
    """Scenario 10: the emplaced guns have no riflemen beside them."""
    table = scenario(10)
    table.order(Fire(shooter="german/emplacements/machinegun", target="american/sand/rifle"))
    table.show("QS", "2S")
    found = {row.key: len(row.alive) for row in rows(table.state, "german")}
    assert found["german/emplacements/rifle"] == 1
    assert found["german/emplacements/machinegun"] == 5
    assert found["german/bluffs/rifle"] == 35


def test_the_new_rifleman_has_fired_and_fights_as_a_rifleman_from_then_on() -> None:
    table = armies(MEN, {"machinegun": 1})
    table.fire("machinegun", "rifle", "QS", "2S")
    assert table.ready("second", "rifle") == 0
    table.at(2, "first")
    (judged,) = of(Judged, table.fire("rifle", "rifle", "5H"))
    assert judged.needs == 5
    assert table.state.ask is None, "a rifle does not repeat"


def test_when_he_dies_it_is_a_rifleman_who_is_lost() -> None:
    table = armies(MEN, {"machinegun": 9})
    table.fire("machinegun", "rifle", "QS", "2S")
    table.at(1, "second")
    (gone,) = of(Lost, table.fire("rifle", "rifle", "AH"))
    assert (gone.piece, gone.unit) == ("second:M1", "rifle")


def test_any_other_card_leaves_the_weapon_whole() -> None:
    table = armies(MEN, {"machinegun": 1})
    events = table.fire("machinegun", "rifle", "QS", "QH")
    assert [event.broken for event in of(SecondDraw, events)] == [False]
    assert table.alive("second", "machinegun") == 1


def test_on_a_die_it_takes_two_twelves() -> None:
    table = armies(MEN, {"machinegun": 2}, sources=(DICE, DICE))
    assert not of(UnitChanged, table.fire("machinegun", "rifle", 12, 11))
    assert of(UnitChanged, table.fire("machinegun", "rifle", 12, 12))


def test_the_second_draw_is_asked_for_before_anything_else() -> None:
    table = armies(MEN, {"machinegun": 2})
    table.fire("machinegun", "rifle", "QS")
    ask = table.state.ask
    assert isinstance(ask, DrawAsk)
    assert (ask.side, ask.why) == ("second", "breakdown")
    assert table.refusal(table.shot("machinegun", "rifle")).code == "waiting"


@pytest.mark.parametrize("shooter", ["rifle", "engineer", "sniper"])
def test_rifle_guys_and_those_who_fire_as_they_do_never_break_down(shooter: str) -> None:
    """P53."""
    table = armies(MEN, {shooter: 1})
    assert not of(SecondDraw, table.fire(shooter, "rifle", "QS"))
    assert table.state.ask is None


def test_a_machinegun_man_fighting_as_a_rifleman_still_tests() -> None:
    """P53: the firer's own type decides."""
    table = armies(MEN, {"machinegun": 1}).at(1, "first", 4)
    table.fire("machinegun", "rifle", "QS")
    assert isinstance(table.state.ask, DrawAsk)


def test_a_broken_model_is_lost_and_counts_five() -> None:
    table = armies(MEN, {"tank": 1, "rifle": 9})
    events = table.fire("tank", "rifle", "QS", "2S")
    (gone,) = of(Lost, events)
    assert (gone.piece, gone.worth, gone.credit.breakdown) == ("second:T1", 5, True)
    assert gone.credit.piece == "second:T1"
    assert table.state.loss == {"second": 5}


def test_the_weapon_only_where_the_table_says_so() -> None:
    """P19: of a tank the weapon that fired; a cannon has nothing else."""
    table = armies(MEN, {"tank": 1, "cannon": 1}, answers={"P19": "weapon_only"})
    events = table.fire("tank", "rifle", "QS", "2S", weapon="machinegun")
    assert of(Disarmed, events) == [Disarmed(piece="second:T1", slot=1)]
    assert table.alive("second", "tank") == 1
    table.at(2, "first")
    refusal = table.refusal(table.shot("tank", "rifle", weapon="machinegun"))
    assert (refusal.code, refusal.firm) == ("disarmed", False)
    table.fire("tank", "rifle", "9H", weapon="cannon")
    assert lost(table.fire("cannon", "rifle", "QS", "2S")) == ["cannon"]


def test_a_halftrack_keeps_its_seats_where_only_weapons_break() -> None:
    """P19: loaded or not, passengers may live on."""
    table = armies(MEN, {"halftrack": 1, "armored_car": 1}, answers={"P19": "weapon_only"})
    assert of(Disarmed, table.fire("halftrack", "rifle", "QS", "2S"))
    table.at(1, "second").at(2, "first")
    assert lost(table.fire("armored_car", "rifle", "QS", "2S")) == ["armored_car"]


def test_one_of_an_aa_tanks_two_machineguns_may_break() -> None:
    table = armies(MEN, {"aa_tank": 1}, answers={"P19": "weapon_only"})
    table.fire("aa_tank", "rifle", "QS", "2S")
    table.fire("aa_tank", "rifle", "9H")
    table.at(2, "first")
    assert table.ready("second", "aa_tank") == 1
    table.fire("aa_tank", "rifle", "9D")
    assert table.ready("second", "aa_tank") == 0


def test_the_gun_that_is_whole_is_told_to_have_fired() -> None:
    table = armies(MEN, {"aa_tank": 1}, answers={"P19": "weapon_only"})
    table.fire("aa_tank", "rifle", "QS", "2S")
    table.fire("aa_tank", "rifle", "9H")
    assert table.refusal(table.shot("aa_tank", "rifle")).code == "already_fired"


def test_aa_tanks_with_one_gun_left_each_fire_together_whichever_gun_it_is() -> None:
    """P19: of the first tank the first gun is broken, of the second the second."""
    table = armies(MEN, {"aa_tank": 2}, answers={"P19": "weapon_only"})
    table.fire("aa_tank", "rifle", "QS", "2S")
    table.at(2, "first")
    for cards in (("9H",), ("9D",), ("QS", "3S")):
        table.fire("aa_tank", "rifle", *cards)
    assert table.state.disarmed == {"second:A1/0", "second:A2/1"}
    table.at(3, "first")
    shot = table.shot("aa_tank", "rifle")
    volley = Volley(shooter=shot.shooter, target=shot.target, count=2)
    assert prepared(table.state, volley).advice is None
    table.order(volley)
    table.show("9H", "9D")
    assert {(one.shot.piece, one.shot.slot) for one in table.state.judged} == {
        ("second:A1", 1),
        ("second:A2", 0),
    }
    assert table.ready("second", "aa_tank") == 0
    assert table.refusal(volley).code == "already_fired"


@pytest.mark.parametrize("answer", ["test_only", "shot_too"])
def test_the_second_card_is_the_shot_as_well_where_the_table_says_so(answer: str) -> None:
    """P82: one shot, with one line, one place in the summary and in the luck ledger."""
    table = armies(MEN, {"machinegun": 2}, answers={"P82": answer})
    too = answer == "shot_too"
    table.fire("machinegun", "rifle", "QS", "2H")
    assert isinstance(table.state.ask, RepeatAsk if too else NoneType)
    if too:
        assert lines(table.play)[-1].text == (
            "Machinegun M1 > Rifle, needs A-8: QS miss. Breakdown draw 2H: it holds. "
            "Machinegun M1 > Rifle, needs A-8: 2H hit. Reds: Rifle -1."
        )
        table.order(Hold())
    assert [(str(one.draw), one.hit) for one in table.state.judged] == (
        [("2H", True)] if too else [("QS", False)]
    )
    own = summary(table.play).sides[1]
    assert (own.shots, own.hits) == (1, int(too))
    assert [row.hit for row in fired_shots(table.play)] == [too]
    if too:
        anew = replace(as_judged(table.state, table.state.judged[0].shot), cover=True)
        assert "2 of hearts still hits." in table.refusal(anew).message


def test_a_spade_breaks_the_weapon_and_is_no_shot() -> None:
    table = armies(MEN, {"machinegun": 2}, answers={"P82": "shot_too"})
    table.fire("machinegun", "rifle", "QS", "2S")
    assert (table.state.ask, table.state.lost) == (None, {})


def test_the_second_card_is_one_of_the_draws_of_its_volley() -> None:
    table = armies(MEN, {"machinegun": 2}, answers={"P82": "shot_too"})
    shot = table.shot("machinegun", "rifle")
    table.order(Volley(shooter=shot.shooter, target=shot.target, count=2, reach=1))
    events = table.show("QS", "2H")
    assert [event.hits for event in of(Ceased, events)] == [1]
    assert len(table.state.lost) == 1


@pytest.mark.parametrize(("answer", "aside"), [("aside", QUEEN), ("shuffled_in", None)])
def test_the_queen_lies_aside_when_the_deck_runs_out_under_her(
    answer: str, aside: Draw | None
) -> None:
    """P78: she was the last card; the fresh deck is shuffled without her, or with her."""
    table = armies({"rifle": 200}, {"machinegun": 1, "rifle": 60}, answers={"P78": answer})
    misses = [card for card in DECK if card != QUEEN]
    for card in misses:
        table.fire("rifle", "rifle", str(card), cover=True, close=True, insist=True)
    assert table.state.sources["second"].cards_left(DECK) == 1
    events = table.fire("machinegun", "rifle", "QS", insist=True)
    assert [event.aside for event in of(Shuffled, events)] == [aside]
    again = Show((QUEEN,))
    if aside:
        assert table.refusal(again).code == "card_gone"
        assert table.state.sources["second"].cards_left(DECK) == 47
    else:
        assert of(UnitChanged, table.order(again))


def test_an_app_deck_does_not_deal_the_queen_that_lies_aside() -> None:
    """P78, with the program's own cards."""
    seed = next(seed for seed in range(500) if shuffled(DECK, seed, 0)[-1] == QUEEN)
    sources = (Source("deck", seed=seed), Source("deck", seed=seed))
    table = armies({"tank": 60}, {"rifle": 60, "machinegun": 1}, sources=sources)
    for _ in range(47):
        table.order(table.shot("rifle", "tank", insist=True))
    table.order(table.shot("machinegun", "tank", insist=True))
    deck = table.state.sources["second"]
    assert (deck.shuffles, deck.aside) == (1, QUEEN)
    assert len(deck.gone) == 1
    assert QUEEN not in deck.gone
