"""A volley of a player's own cards told in one count: 12 fired, 5 hit."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from fights import drafted, order, said
from msgspec.structs import replace
from stage import CARDS, DICE, Table, armies, lost, of

from skirmish.games.plastic.battle import record
from skirmish.games.plastic.battle.agenda import CasualtyAsk, DrawAsk
from skirmish.games.plastic.battle.events import AnyEvent, Ceased, HitsCounted, Judged, Shuffled
from skirmish.games.plastic.battle.known_pack import UNKNOWN, pack_of
from skirmish.games.plastic.battle.lines import lines
from skirmish.games.plastic.battle.orders import (
    ChooseCasualties,
    CountHits,
    EndPhase,
    EndTurn,
    Squad,
    Volley,
)
from skirmish.games.plastic.battle.orders.rejudge import as_judged
from skirmish.games.plastic.luck import luck
from skirmish.games.plastic.retelling import retold
from skirmish.games.plastic.rules.options import Options
from skirmish.games.plastic.side_messages import own_verdict
from skirmish.games.plastic.summary import summary

MEN = {"rifle": 60, "mortar": 3, "tank": 4}


def waiting(count: int, shooter: str = "rifle", target: str = "rifle", **at: Any) -> Table:
    """A volley that waits for its first card, or roll."""
    sources = at.pop("sources", (CARDS, CARDS))
    table = armies(MEN, {"rifle": 60, "machinegun": 6, "tank": 4}, sources=sources)
    shot = table.shot(shooter, target)
    table.order(Volley(shooter=shot.shooter, target=shot.target, count=count, **at))
    return table


def counted(table: Table, low: int, **told: Any) -> tuple[AnyEvent, ...]:
    return table.order(CountHits(low=low, **told))


def hits(events: tuple[AnyEvent, ...]) -> int:
    return of(Ceased, events)[0].hits


def test_forty_rifles_are_one_count() -> None:
    table = waiting(40, close=True)
    events = counted(table, 12, aces=1)
    assert (hits(events), len(lost(events))) == (12, 12)
    assert table.ready("second", "rifle") == 20
    assert (table.state.ask, table.state.agenda) == (None, ())
    says = lines(table.play)[-1].text
    assert "Counted: 40 fired, 12 low enough (1 ace). 12 hits." in says
    assert len(lines(table.play)) == 2


def test_a_counted_volley_is_bad_for_the_side_that_it_hits() -> None:
    table = waiting(10, close=True)
    counted(table, 3)
    tones = {}
    for side in ("second", "first"):
        result = own_verdict(table.play, side)
        assert result is not None
        assert result.text == "3 HITS"
        tones[side] = result.tone
    assert tones == {"second": "good", "first": "bad"}


def test_aces_take_the_man_aimed_at_and_the_rest_is_the_defenders_choice() -> None:
    table = waiting(10, target="mortar", reach=9)
    events = counted(table, 4, aces=2)
    assert lost(events) == ["mortar", "mortar"]
    assert isinstance(table.state.ask, CasualtyAsk)
    assert table.state.ask.count == 2


def test_in_cover_black_is_saved() -> None:
    """Of 7 low cards 3 are black."""
    table = waiting(10, cover=True, close=True)
    assert hits(counted(table, 7, saved=3, aces=4)) == 4


def test_it_goes_on_from_cards_that_were_typed() -> None:
    table = waiting(6, close=True)
    table.show("4H", "9D")
    assert hits(counted(table, 2)) == 3
    assert len(table.state.sources["second"].gone) == 6


def test_who_did_not_fire_may_still() -> None:
    table = waiting(12, reach=2, close=True)
    events = counted(table, 2, fired=5)
    assert of(Ceased, events)[0].unused == 7
    assert table.ready("second", "rifle") == 55


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ({"low": 11}, "10 fired, so there are 0 to 10 cards of A-5."),
        ({"low": -1}, "0 to 10"),
        ({"low": 3, "fired": 11}, "1 to 10 can have fired, not 11."),
        ({"low": 9}, "Only 8 are in reach"),
        ({"low": 3, "aces": 4}, "3 hit, so not 4 of them can be aces."),
        ({"low": 3, "saved": 4}, "Of the 3 not 4 can have been saved."),
        ({"low": 3, "broken": 1}, "Not 1 of 10 can have broken down."),
    ],
)
def test_what_cannot_be_is_refused_with_what_can(told: dict[str, int], says: str) -> None:
    refusal = waiting(10, reach=8).refusal(CountHits(**told))
    assert (refusal.code, refusal.firm) == ("miscounted", True)
    assert says in refusal.message


def test_only_a_volley_of_own_cards_is_counted() -> None:
    table = armies(MEN, MEN)
    assert table.refusal(CountHits(low=1)).code == "no_volley"
    table.order(table.shot("rifle", "rifle"))
    assert table.refusal(CountHits(low=1)).code == "no_volley"


def test_machineguns_hit_more_often_than_they_are() -> None:
    table = waiting(2, "machinegun", close=True, reach=9)
    events = counted(table, 5)
    assert hits(events) == 5
    assert of(HitsCounted, events)[0].draws == 7


def test_guns_that_broke_down_are_lost() -> None:
    table = waiting(3, "machinegun", reach=5)
    counted(table, 0, broken=1)
    assert table.alive("second", "machinegun") == 5
    table = waiting(2, "tank", "tank", weapon="cannon")
    assert lost(counted(table, 1, broken=1)) == ["tank", "tank"]


def test_every_machinegun_counted_owes_its_pin_draw() -> None:
    table = armies({"rifle": 9}, {"machinegun": 3}, options=Options(pinning=True))
    shot = table.shot("machinegun", "rifle")
    table.order(Volley(shooter=shot.shooter, target=shot.target, count=3))
    counted(table, 0)
    assert table.state.ask == DrawAsk(side="first", die=False, why="pin")


def test_the_cards_are_gone_and_nobody_knows_which() -> None:
    table = waiting(40)
    counted(table, 0)
    assert table.state.sources["second"].cards_left(tuple(range(48))) == 8  # type: ignore[arg-type]
    assert pack_of(table.state, "second").note == UNKNOWN
    table.fire("rifle", "rifle", "5H")


def test_a_deck_that_ran_out_was_shuffled() -> None:
    table = waiting(50)
    events = counted(table, 0)
    assert [event.source for event in of(Shuffled, events)] == ["second"]
    assert len(table.state.sources["second"].gone) == 2


def test_rolls_are_counted_too() -> None:
    table = waiting(10, cover=True, close=True, sources=(DICE, DICE))
    assert hits(counted(table, 6, saved=2)) == 4
    assert table.state.sources["second"].rolls == 10


def test_a_volley_made_void_gives_its_cards_back() -> None:
    table = waiting(10, close=True)
    counted(table, 3)
    assert len(table.state.sources["second"].gone) == 10
    table.play.accept(table.play.possible("void", *lines(table.play)[-1].entry_numbers))
    assert not table.state.lost
    assert not table.state.sources["second"].gone


def test_taken_back_it_waits_for_its_cards_again() -> None:
    table = waiting(10, close=True)
    before = table.state
    counted(table, 3)
    table.undo()
    assert table.state == before


def test_written_down_and_read_back_it_is_the_same() -> None:
    table = waiting(10, close=True)
    counted(table, 3, saved=1)
    entries = [record.codec.read(record.codec.written(e)) for e in table.play.entries]
    assert record.codec.play(entries).state == table.state


# ------------------------------------------------------------------ put right


def test_cover_can_be_said_of_a_whole_volley_afterwards() -> None:
    table = waiting(20, close=True)
    counted(table, 12)
    (before,) = table.state.counts
    events = table.order(CountHits(low=12, saved=5, cover=True, anew=before.shot.id))
    assert of(HitsCounted, events)[0].hits == 7
    assert len(table.state.lost) == 7
    assert len(table.state.sources["second"].gone) == 20
    assert len(lines(table.play)) == 3
    table.order(CountHits(low=12, saved=5, anew=before.shot.id))
    assert len(table.state.lost) == 12


def half_typed(*draws: str | int, low: int = 2) -> Table:
    """Six rifles: some cards typed, the others counted."""
    table = waiting(6, close=True, reach=5)
    table.show(*draws)
    counted(table, low)
    return table


def test_a_volley_partly_typed_and_partly_counted_is_judged_again_as_one() -> None:
    table = half_typed("4H", "3S", "9D")
    before = table.state
    assert len(before.lost) == 4
    (count,) = before.counts
    events = table.order(CountHits(low=2, saved=1, cover=True, anew=count.shot.id))
    assert [one.hit for one in of(Judged, events)] == [True, False, False]
    assert of(HitsCounted, events)[0].hits == 1
    assert len(table.state.lost) == 2
    assert {one.shot.at.cover for one in (*table.state.judged, *table.state.counts)} == {True}
    assert lines(table.play)[-1].text == (
        "The whole volley judged again: Rifle > Rifle in cover. Back on the table: 4 Rifle Guys. "
        "4H hit; 3S saved; 9D miss. Counted: 3 fired, 2 low enough (1 saved by cover). "
        "Reds: Rifle -2."
    )
    assert luck(table.play).sides[1].kills == 2
    table.undo()
    assert table.state == before


def test_no_more_of_both_parts_hit_than_were_in_reach() -> None:
    table = waiting(6, cover=True, close=True, reach=3)
    table.show("4S", "3S", "2H")
    counted(table, 2, saved=1)
    assert len(table.state.lost) == 2
    (count,) = table.state.counts
    wrong = table.refusal(CountHits(low=1, anew=count.shot.id))
    assert "Only 0 are in reach" in wrong.message  # in the open the three that were typed all hit
    table.order(CountHits(low=0, anew=count.shot.id))
    assert len(table.state.lost) == 3


def test_a_count_put_right_leaves_what_was_seen_of_single_shots() -> None:
    table = half_typed("4H", "3S")
    table.order(replace(as_judged(table.state, table.state.judged[1].shot), cover=True))
    assert len(table.state.lost) == 3
    table.order(CountHits(low=1, anew=table.state.counts[0].shot.id))
    assert [one.hit for one in table.state.judged] == [True, False]
    assert len(table.state.lost) == 2


def test_the_screen_judges_both_parts_in_one_form_and_asks_for_suits() -> None:
    table = half_typed("4H", 3, 9)
    assert "beside 3 typed card by card (2 hit)" in said(drafted(table.play, "\t"))
    assert "Which suit had the three?" in said(drafted(table.play, "\tcb1\n"))
    table.order(order(table.play, "\tcb1\ns"))
    assert [str(one.draw) for one in table.state.judged] == ["4H", "3S", "9"]
    assert len(table.state.lost) == 2


def test_one_question_at_a_time_judges_both_parts_too() -> None:
    table = half_typed("4H", 3, 9)
    draft = drafted(table.play, "\tc")
    asked = draft.question()
    assert asked is not None
    step = draft.reply(asked.proposed).reply("S").order()
    assert isinstance(step, CountHits)
    assert (step.cover, step.suits) == (True, {table.state.judged[1].shot.id: "S"})


def test_tab_goes_from_the_form_to_the_cards_that_were_typed_and_round() -> None:
    table = half_typed("4H", "3S")
    for keys, card in (("\t\t", "3S"), ("\t\t\t", "4H")):
        assert f", {card}: hit." in said(drafted(table.play, keys))
    assert "HOW MANY HIT?" in said(drafted(table.play, "\t\t\t\t"))


def ways(table: Table, keys: str) -> dict[str, str]:
    """Where the keys lead from the form that these keys opened."""
    return {toggle.key: toggle.label for toggle in drafted(table.play, keys).toggles}


def test_tab_and_o_go_on_from_a_count_as_from_a_shot_and_say_so() -> None:
    table = waiting(3, close=True)
    counted(table, 2)
    table.fire("tank", "rifle", "9H")
    table.order(EndTurn())
    table.fire("rifle", "rifle", "4H", close=True, by="first")
    table.at(2, "first")
    shot = table.shot("rifle", "rifle")
    table.order(Volley(shooter=shot.shooter, target=shot.target, count=2, close=True))
    counted(table, 1)
    assert ways(table, "\t")["tab"] == "the shot before"
    assert "the shot before" in said(drafted(table.play, "\t"))
    assert "Judge again: 2 Rifle Guys." in said(drafted(table.play, "\t"))
    assert "turn 1, Tank > Rifle, 9H: miss." in said(drafted(table.play, "\t\t"))
    assert "Judge again: turn 1, 3 Rifle Guys." in said(drafted(table.play, "\t\t\t"))
    assert ways(table, "\t\t\t")["tab"] == "the last shot"
    assert "Judge again: 2 Rifle Guys." in said(drafted(table.play, "\t\t\t\t"))
    assert ways(table, "\t\t\t")["o"] == "shots of Reds"
    assert "Rifle > Rifle, 4H: hit." in said(drafted(table.play, "\t\t\to"))


def test_tab_goes_through_the_rows_of_a_mixed_volley() -> None:
    table = waiting(2, close=True, more=(Squad("second/second/machinegun", 1),), reach=9)
    counted(table, 1)
    counted(table, 1)
    assert "Judge again: 1 Machinegun Guy." in said(drafted(table.play, "\t"))
    assert ways(table, "\t")["tab"] == "the 2 Rifle Guys before them"
    assert "Judge again: 2 Rifle Guys." in said(drafted(table.play, "\t\t"))
    assert ways(table, "\t\t")["tab"] == "the last shot"


def test_t_and_f_ask_for_the_row_of_a_count_and_then_for_the_numbers() -> None:
    table, _ = a_count(4)
    draft = drafted(table.play, "\tt")
    assert "Reds: at whom was it?" in said(draft)
    draft = drafted(table.play, "o", draft)
    assert "HOW MANY HIT? 10 Rifle > Mortar." in said(draft)
    assert "Enter alone: 4 low enough (A-5)." in said(draft)
    table.order(order(table.play, "c3b1\n", draft))
    assert table.alive("first", "mortar") == 1
    assert table.alive("first", "rifle") == 60
    draft = drafted(table.play, "\tf")
    assert "Blues: who fired?" in said(draft)
    refused = {option.value: option.why_not for option in draft.slot.options}  # type: ignore[union-attr]
    assert refused["second/second/rifle"] == "That is how it was judged."
    assert refused["second/second/machinegun"] == "Only 6 Machinegun Guys could have fired."


def test_where_other_cards_hit_the_numbers_are_asked_for_anew() -> None:
    table = waiting(4, close=True)
    counted(table, 2)
    draft = drafted(table.play, "m", drafted(table.play, "\tf"))
    assert "low enough (A-8)" in said(draft)
    assert "Enter alone" not in said(draft)
    table.order(order(table.play, "3\n", draft))
    assert len(table.state.lost) == 3


def test_a_count_is_not_put_right_while_a_card_is_awaited() -> None:
    table = waiting(10, reach=9)
    (count,) = of(HitsCounted, counted(table, 2))
    while isinstance(table.state.ask, CasualtyAsk):
        table.order(ChooseCasualties())
    table.order(table.shot("tank", "rifle", by="second", insist=True))
    assert isinstance(table.state.ask, DrawAsk)
    refusal = table.refusal(CountHits(low=1, anew=count.shot.id))
    assert (refusal.code, refusal.message[:15]) == ("waiting", "First enter the")


def test_a_count_can_be_put_right_after_its_turn() -> None:
    """The deck was shuffled since, so its cards stay as they are; nobody has fired again."""
    table = waiting(5, close=True)
    counted(table, 2)
    anew = table.state.counts[0].shot.id
    for _ in range(4):
        table.order(EndPhase())
    sources, fired = table.state.sources, table.state.fired
    table.order(CountHits(low=1, anew=anew))
    assert len(table.state.lost) == 1
    assert (table.state.sources, table.state.fired) == (sources, fired)
    assert [one.hits for one in table.state.all_counts] == [1]
    assert "(turn 1)" in lines(table.play)[-1].text
    assert table.refusal(CountHits(low=1, anew=anew + 9)).code == "no_such_shot"


# ------------------------------------------------------------------ what it comes to


def test_luck_counts_hits_against_what_was_to_be_expected() -> None:
    table = waiting(12, close=True)
    counted(table, 7)
    own = luck(table.play).sides[1]
    assert (own.shots, own.kills, own.expected) == (12, 7, 12 * Fraction(20, 48))
    assert (own.best, own.worst) == (None, None)
    table.order(CountHits(low=7, saved=4, cover=True, anew=table.state.counts[0].shot.id))
    own = luck(table.play).sides[1]
    assert (own.shots, own.kills) == (12, 3)
    assert own.expected == 12 * Fraction(10, 48)  # red


def test_the_summary_adds_up_what_was_counted_and_names_no_single_man() -> None:
    table = waiting(12, close=True)
    counted(table, 7)
    own = summary(table.play).sides[1]
    assert (own.shots, own.hits) == (12, 7)
    assert own.by_unit[0].guys == 7
    assert own.by_piece == ()


def test_the_report_tells_it_as_a_volley() -> None:
    table = waiting(12, close=True)
    counted(table, 7)
    events = [event for entry in lines(table.play)[-1].entries for event in entry.events]
    assert retold(events, table.state) == (
        "Blues: 12 Rifle Guys fire at Rifle Guys. Reds loses 7 Rifle Guys."
    )
    anew = table.order(CountHits(low=7, saved=4, cover=True, anew=table.state.counts[0].shot.id))
    assert "12 Rifle Guys fire" in retold(anew, table.state)


def test_aa_tanks_that_are_counted_fire_the_gun_that_each_has_left() -> None:
    table = armies(MEN, {"aa_tank": 2}, answers={"P19": "weapon_only"})
    table.fire("aa_tank", "rifle", "QS", "2S")
    table.order(EndTurn())
    table.order(EndTurn())
    for draws in (["9H"], ["9D"], ["QS", "3S"]):
        table.fire("aa_tank", "rifle", *draws)
    table.order(EndTurn())
    table.order(EndTurn())
    assert table.state.disarmed == {"second:A1/0", "second:A2/1"}
    shot = table.shot("aa_tank", "rifle", close=True)
    table.order(Volley(shooter=shot.shooter, target=shot.target, count=2, close=True))
    events = counted(table, 2, aces=0)
    assert {(one.piece, one.slot) for one in of(HitsCounted, events)[0].shots} == {
        ("second:A1", 1),
        ("second:A2", 0),
    }
    assert table.ready("second", "aa_tank") == 0
    (before,) = table.state.counts
    table.order(CountHits(low=1, anew=before.shot.id))
    assert table.ready("second", "aa_tank") == 0
    assert len(table.state.lost) == 1


# ------------------------------------------------------------------ another target, another shooter


def a_count(low: int, **told: Any) -> tuple[Table, HitsCounted]:
    """Ten rifles that were counted; and their count."""
    table = waiting(10, close=True)
    counted(table, low, **told)
    return table, table.state.counts[0]


def test_a_counted_volley_was_at_another_target() -> None:
    table, before = a_count(4)
    events = table.order(CountHits(low=3, anew=before.shot.id, target="first/first/mortar"))
    assert lost(events) == ["mortar"] * 3
    assert len(table.state.lost) == 3
    assert len(table.state.sources["second"].gone) == 10
    assert lines(table.play)[-1].text == (
        "Judged again. Back on the table: 4 Rifle Guys. Rifle > Mortar. "
        "Counted: 10 fired, 3 low enough. Reds: Mortar -3."
    )


def test_at_a_model_no_more_are_in_reach_than_a_volley_at_models_has() -> None:
    table = waiting(3, "tank", "rifle", weapon="cannon", close=True)
    counted(table, 2)
    anew = table.state.counts[0].shot.id
    order = CountHits(low=2, anew=anew, target="first/first/tank")
    assert "Only 1 are in reach" in table.refusal(order).message
    assert lost(table.order(replace(order, low=1))) == ["tank"]
    assert table.alive("first", "rifle") == 60


def test_a_target_that_the_weapon_cannot_hurt_is_refused_as_for_a_single_shot() -> None:
    table, before = a_count(4)
    order = CountHits(low=1, anew=before.shot.id, target="first/first/tank")
    assert table.refusal(order).code == "touch_only"


def test_others_fired_the_counted_volley_and_the_first_may_fire() -> None:
    table = waiting(4, close=True)
    counted(table, 4)
    assert (table.ready("second", "rifle"), table.ready("second", "machinegun")) == (56, 6)
    anew = table.state.counts[0].shot.id
    table.order(CountHits(low=4, anew=anew, shooter="second/second/machinegun"))
    assert (table.ready("second", "rifle"), table.ready("second", "machinegun")) == (60, 2)
    assert {table.state.unit_of(piece) for piece in table.state.counts[0].pieces} == {"machinegun"}
    assert len(table.state.lost) == 4
    states = table.state
    table.undo()
    assert table.ready("second", "rifle") == 56
    table.play.accept(table.play.possible("redo"))
    assert table.state == states


def test_too_few_others_or_a_breakdown_say_why_they_cannot_have_fired() -> None:
    table, before = a_count(4)
    order = CountHits(low=1, anew=before.shot.id, shooter="second/second/tank")
    assert table.refusal(order).message == "Only 4 Tanks could have fired."
    table = waiting(2, "machinegun", close=True, reach=9)
    counted(table, 2, broken=1)
    anew = table.state.counts[0].shot.id
    refusal = table.refusal(CountHits(low=1, anew=anew, shooter="second/second/rifle"))
    assert "A weapon broke down in this volley" in refusal.message


def test_the_typed_cards_of_the_volley_go_with_it() -> None:
    table = half_typed("4H", "3S")
    anew = table.state.counts[0].shot.id
    events = table.order(CountHits(low=1, anew=anew, target="first/first/mortar"))
    assert lost(events) == ["mortar"] * 3
    assert table.alive("first", "rifle") == 60
    table = half_typed("4H", "3S")
    table.order(CountHits(low=1, anew=anew, shooter="second/second/machinegun"))
    assert table.ready("second", "rifle") == 60
    assert table.ready("second", "machinegun") == 0


def test_a_count_of_a_turn_before_was_at_others_too() -> None:
    table, before = a_count(2)
    table.order(EndTurn())
    sources, fired = table.state.sources, table.state.fired
    table.order(CountHits(low=2, anew=before.shot.id, target="first/first/mortar"))
    assert table.alive("first", "mortar") == 1
    table.order(CountHits(low=1, anew=before.shot.id))
    assert table.alive("first", "mortar") == 2
    assert (table.state.sources, table.state.fired) == (sources, fired)
