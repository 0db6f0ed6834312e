"""Judge again: the same card under other circumstances ("he was in cover")."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from fights import drafted, order, said
from stage import Table, armies, card, lost, of, scenario

from skirmish.games.plastic.battle.agenda import CasualtyAsk, DrawAsk, InsideAsk, RepeatAsk
from skirmish.games.plastic.battle.events import AnyEvent, Judged, Recalled
from skirmish.games.plastic.battle.lines import lines
from skirmish.games.plastic.battle.orders import (
    Again,
    ChooseCasualties,
    ChooseModel,
    EndTurn,
    Finish,
    Hold,
    Load,
    NameRiders,
    PlayOn,
    Rejudge,
    Show,
    Volley,
)
from skirmish.games.plastic.battle.orders.rejudge import as_judged
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.fired_shots import fired_shots
from skirmish.games.plastic.journal_facts import JournalFacts
from skirmish.games.plastic.luck import luck
from skirmish.games.plastic.rules.options import FIRST_GAME
from skirmish.tabletop.chance import Draw, Source

MEN = {"rifle": 20, "mortar": 4, "truck": 2, "tank": 2}
OWN = "first/first/"


def seen(table: Table, shot: int = 0, **flipped: bool) -> Rejudge:
    """The order that judges a shot again (the last one) as it was, but for what is ``flipped``."""
    found = [one for one in table.state.judged if shot in (0, one.shot.id)]
    return msgspec.structs.replace(as_judged(table.state, found[-1].shot), **flipped)


def again(table: Table, shot: int = 0, **flipped: bool) -> tuple[AnyEvent, ...]:
    return table.order(seen(table, shot, **flipped))


def fired(shooter: str, target: str, *draws: str, **at: Any) -> Table:
    table = armies(MEN, {shooter: 6, "rifle": 12})
    table.fire(shooter, target, *draws, **at)
    return table


# ------------------------------------------------------------------ a hit that was none


def broken(play: BattlePlay) -> int:
    return sum(shot.broke for shot in JournalFacts(play).of_side("second"))


def test_the_man_whom_cover_saved_stands_again() -> None:
    table = fired("rifle", "rifle", "5S", close=True)
    assert table.alive("first", "rifle") == 19
    events = again(table, cover=True)
    assert of(Recalled, events)[0].back == ("first:R1",)
    (judged,) = of(Judged, events)
    assert (judged.hit, judged.saved_by, str(judged.draw)) == (False, "cover", "5S")
    assert (table.state.lost, table.state.loss["first"]) == ({}, 0)


def test_the_card_stays_drawn_and_the_man_has_fired() -> None:
    table = fired("rifle", "rifle", "5S", close=True)
    ready = table.ready("second", "rifle")
    again(table, cover=True)
    assert [str(draw) for draw in table.state.sources["second"].gone] == ["5S"]
    assert table.ready("second", "rifle") == ready
    assert table.state.shots == 1


def test_all_who_were_inside_stand_again_and_are_aboard() -> None:
    table = armies(MEN, {"cannon": 2})
    table.order(Load(carrier=f"{OWN}truck", riders={f"{OWN}rifle": 4}, piece="first:K1"))
    table.order(Load(carrier=f"{OWN}truck", riders={f"{OWN}rifle": 5}, piece="first:K2"))
    table.fire("cannon", "tank", "6H")
    table.order(EndTurn())
    table.order(EndTurn())
    table.fire("cannon", "truck", "9S")
    table.order(ChooseModel("first:K2"))
    assert table.state.loss["first"] == 10
    again(table, hull_down=True)
    assert not table.state.lost
    assert len(table.state.riders_of("first:K2")) == 5
    assert table.state.loss["first"] == 0


def test_those_named_as_inside_stand_again_too() -> None:
    table = fired("cannon", "truck", "9S")
    assert isinstance(table.state.ask, InsideAsk)
    table.order(NameRiders({f"{OWN}rifle": 3}))
    again(table, hull_down=True)
    assert not table.state.lost
    assert table.state.ask is None


def test_a_repeat_shot_that_it_had_opened_is_gone() -> None:
    table = fired("machinegun", "rifle", "8S", close=True)
    assert isinstance(table.state.ask, RepeatAsk)
    again(table, cover=True)
    assert not table.state.agenda
    assert table.refusal(Again()).code == "no_repeat"


def test_while_the_casualty_is_asked_for() -> None:
    table = fired("rifle", "mortar", "5S")
    assert isinstance(table.state.ask, CasualtyAsk)
    again(table, cover=True)
    assert not table.state.agenda
    assert table.refusal(ChooseCasualties()).code == "no_casualty"


# ------------------------------------------------------------------ a miss that was none


def test_the_man_who_had_no_cover_dies() -> None:
    table = fired("rifle", "rifle", "5S", cover=True, close=True)
    assert not table.state.lost
    events = again(table, cover=False)
    assert lost(events) == ["rifle"]
    credit = table.state.lost["first:R1"]
    assert credit is not None
    assert (credit.shot, credit.piece) == (1, "second:R1")


def test_from_behind_a_tank_dies() -> None:
    """Rear Armor."""
    table = fired("cannon", "tank", "7H")
    assert lost(again(table, rear=True)) == ["tank"]


def test_the_defender_gives_a_man_where_the_new_hit_leaves_him_the_choice() -> None:
    table = fired("rifle", "mortar", "5S", cover=True)
    again(table, cover=False)
    assert isinstance(table.state.ask, CasualtyAsk)
    assert lost(table.order(ChooseCasualties(("first/first/rifle",)))) == ["rifle"]
    assert len(lines(table.play)) == 3


def a_chain_of_three(answer: bool | None) -> Table:
    """The first shot was at a man in cover after all; the chain is taken back or left."""
    table = armies(MEN, {"machinegun": 1})
    table.fire("machinegun", "rifle", "8S", close=True)
    for drawn in ("7H", "6H"):
        table.order(Again(close=True))
        table.show(drawn)
    assert table.alive("first", "rifle") == MEN["rifle"] - 3
    if answer is not None:
        again(table, 1, cover=True, close=True, chain=answer)
    return table


@pytest.mark.parametrize(("chain", "dead"), [(True, 0), (False, 2)])
def test_what_a_chain_did_after_a_shot_that_misses_now_is_taken_back(
    chain: bool, dead: int
) -> None:
    table = a_chain_of_three(chain)
    assert table.alive("first", "rifle") == MEN["rifle"] - dead
    assert len(table.state.judged) == 1 + dead
    if chain:
        assert table.state.ask is None
        assert [row.hit for row in fired_shots(table.play)] == [False]


def test_the_screen_asks_what_becomes_of_the_chain() -> None:
    table = a_chain_of_three(None)
    draft = drafted(table.play, "\t\t\tc")
    assert "2 repeat shots" in said(draft)
    assert order(table.play, "\n", draft).chain
    assert not order(table.play, "k", draft).chain


def test_a_new_hit_opens_the_repeat_shot_of_the_last_shot_only() -> None:
    table = armies(MEN, {"machinegun": 3})
    table.fire("machinegun", "rifle", "8S", cover=True, close=True)
    table.fire("machinegun", "rifle", "9H")
    again(table, 1, cover=False)
    assert table.state.ask is None
    table = fired("machinegun", "rifle", "8S", cover=True, close=True)
    again(table, cover=False)
    assert isinstance(table.state.ask, RepeatAsk)


def test_to_and_fro_an_older_shot_opens_no_repeat_shot() -> None:
    table = armies(MEN, {"machinegun": 3})
    table.fire("machinegun", "rifle", "8S", close=True)
    table.order(Hold())
    table.fire("machinegun", "rifle", "9H")
    again(table, 1, cover=True)
    again(table, 1, cover=False)
    assert table.state.ask is None
    assert table.alive("first", "rifle") == 19


# ------------------------------------------------------------------ whose choice it was


def test_who_stood_alone_dies_himself() -> None:
    """Removing Dead Guys."""
    table = fired("rifle", "mortar", "5H")
    table.order(ChooseCasualties((f"{OWN}rifle",)))
    events = again(table, grouped=False)
    assert lost(events) == ["mortar"]
    assert list(table.state.lost) == ["first:O1"]


def test_who_stood_in_a_group_may_be_replaced() -> None:
    table = fired("rifle", "mortar", "5H", grouped=False)
    assert list(table.state.lost) == ["first:O1"]
    again(table, grouped=True)
    assert isinstance(table.state.ask, CasualtyAsk)
    assert lost(table.order(ChooseCasualties((f"{OWN}rifle",)))) == ["rifle"]
    assert table.alive("first", "mortar") == 4


# ------------------------------------------------------------------ nothing changes


@pytest.mark.parametrize(
    ("shot", "at", "flip", "word"),
    [
        (("rifle", "rifle", "5H"), {"close": True}, "cover", "hits"),
        (("rifle", "rifle", "9S"), {}, "cover", "misses"),
        (("mortar", "rifle", "5S"), {"close": True}, "cover", "hits"),
        (("cannon", "tank", "9H"), {}, "rear", "misses"),
        (("rifle", "rifle", "AH"), {}, "grouped", "hits"),
    ],
)
def test_where_nothing_changes_that_is_told(
    shot: tuple[str, str, str], at: dict[str, Any], flip: str, word: str
) -> None:
    table = fired(*shot, **at)
    order = as_judged(table.state, table.state.judged[-1].shot)
    refusal = table.refusal(msgspec.structs.replace(order, **{flip: not getattr(order, flip)}))
    assert (refusal.code, refusal.firm) == ("no_change", True)
    assert refusal.message.endswith(f" still {word}.")


def test_the_same_again_is_no_change() -> None:
    table = fired("rifle", "rifle", "5S", cover=True)
    assert table.refusal(seen(table)).code == "no_change"


@pytest.mark.parametrize("shot", [0, 2, 99])
def test_a_shot_that_was_not_fired_cannot_be_judged(shot: int) -> None:
    assert fired("rifle", "rifle", "5S").refusal(Rejudge(shot=shot)).code == "no_such_shot"


def test_a_rank_told_without_suit_cannot_be_read_by_colour() -> None:
    table = armies(MEN, {"rifle": 5})
    table.order(table.shot("rifle", "rifle", close=True))
    table.order(Show((card(5),)))
    refusal = table.refusal(seen(table, cover=True))
    assert refusal.code == "no_suit"
    assert "suit" in refusal.message


def test_of_a_miss_the_suit_does_not_matter() -> None:
    table = armies(MEN, {"rifle": 5})
    table.order(table.shot("rifle", "rifle", close=True))
    table.order(Show((card(9),)))
    assert table.refusal(seen(table, cover=True)).code == "no_change"


def test_while_a_card_is_awaited_nothing_is_judged() -> None:
    table = fired("rifle", "rifle", "5S", close=True)
    table.order(table.shot("rifle", "rifle"))
    assert table.refusal(seen(table, cover=True)).code == "waiting"


# ------------------------------------------------------------------ within chains and volleys


def test_within_a_chain_what_came_after_stands() -> None:
    table = armies(MEN, {"machinegun": 3})
    table.fire("machinegun", "rifle", "8S", close=True)
    table.order(Again(close=True))
    table.show("7H")
    assert table.alive("first", "rifle") == 18
    again(table, 1, cover=True)
    assert table.alive("first", "rifle") == 19
    assert isinstance(table.state.ask, RepeatAsk)
    assert table.state.ask.shot.id == 2


def test_one_shot_of_a_volley() -> None:
    table = armies(MEN, {"rifle": 12})
    shot = table.shot("rifle", "rifle", close=True)
    table.order(Volley(shooter=shot.shooter, target=shot.target, count=3, close=True))
    table.show("5S", "4H", "3S")
    assert table.alive("first", "rifle") == 17
    again(table, 1, cover=True)
    assert table.alive("first", "rifle") == 18
    assert {c.shot for c in table.state.lost.values() if c} == {2, 3}


def test_one_shot_of_a_volley_whose_casualties_are_asked_for() -> None:
    table = armies(MEN, {"rifle": 12})
    shot = table.shot("rifle", "mortar")
    table.order(Volley(shooter=shot.shooter, target=shot.target, count=3))
    table.show("5S", "4H", "3S")
    assert isinstance(table.state.ask, CasualtyAsk)
    assert table.state.ask.count == 3
    again(table, 1, cover=True)
    ask = table.state.ask
    assert isinstance(ask, CasualtyAsk)
    assert ask.count == 2
    assert len(lost(table.order(ChooseCasualties()))) == 2


def test_a_second_judging_builds_on_the_first() -> None:
    table = fired("rifle", "rifle", "5S", close=True)
    again(table, cover=True)
    assert as_judged(table.state, table.state.judged[-1].shot).cover
    again(table, cover=False)
    assert table.alive("first", "rifle") == 19
    assert len(table.state.judged) == 1


def test_judging_again_is_taken_back_like_anything() -> None:
    table = fired("rifle", "rifle", "5S", close=True)
    before = table.state
    again(table, cover=True)
    table.undo()
    assert table.state == before


def test_a_shot_that_ended_the_battle_may_be_judged_again() -> None:
    table = armies({"rifle": 2}, {"rifle": 2})
    table.fire("rifle", "rifle", "5S")
    assert table.state.outcome is not None
    again(table, cover=True)
    assert table.state.outcome is None
    assert table.refusal(PlayOn()).code == "not_over"


def test_what_is_switched_off_cannot_be_seen() -> None:
    """Hull down is an option."""
    table = armies(MEN, {"cannon": 4}, options=FIRST_GAME)
    table.fire("cannon", "tank", "5S")
    assert table.refusal(seen(table, hull_down=True)).code == "no_change"


def test_in_contact_a_shot_stays_in_contact() -> None:
    """P11: exact all the same."""
    table = scenario(1).at(1, "german", 3)
    table.fire("rifle", "rifle", "4H")
    assert table.refusal(seen(table, grouped=False)).code == "no_change"
    assert table.refusal(seen(table, close=True)).code == "no_change"


def test_a_battle_that_players_ended_stays_ended() -> None:
    """Only a result that the shot itself brought goes with it."""
    table = fired("rifle", "rifle", "5S", close=True)
    table.order(Finish(winner="first", reason="Supper."))
    assert table.refusal(seen(table, cover=True)).code == "over"
    assert table.state.outcome is not None


# ------------------------------------------------------------------ a card that was misread


def reread(table: Table, draw: str, shot: int = 0, **flipped: Any) -> tuple[AnyEvent, ...]:
    return table.order(msgspec.structs.replace(seen(table, shot, **flipped), draw=card(draw)))


def test_a_misread_card_is_typed_anew_without_firing_again() -> None:
    table = fired("rifle", "rifle", "5S", close=True)
    table.fire("rifle", "rifle", "9D", close=True)
    reread(table, "8S", shot=1)
    assert (table.state.lost, table.alive("first", "rifle")) == ({}, 20)
    assert table.state.sources["second"].gone == (card("8S"), card("9D"))
    assert "It was the 8 of spades, not the 5 of spades." in lines(table.play)[-1].text
    assert table.ready("second", "rifle") == 10
    reread(table, "4H", shot=2)
    assert table.alive("first", "rifle") == 19
    table.undo()
    table.undo()
    assert table.state.sources["second"].gone == (card("5S"), card("9D"))


def test_a_card_typed_anew_is_advised_against_if_it_has_gone() -> None:
    table = fired("rifle", "rifle", "8S")
    table.fire("rifle", "rifle", "9D")
    order = msgspec.structs.replace(seen(table, 1), draw=card("9D"))
    assert (table.refusal(order).code, table.refusal(order).firm) == ("card_gone", False)
    table.order(msgspec.structs.replace(order, insist=True))
    assert table.state.sources["second"].gone == (card("9D"), card("9D"))


def test_the_suit_of_a_rank_is_asked_when_it_comes_to_matter() -> None:
    table = armies(MEN, {"rifle": 6})
    table.order(table.shot("rifle", "rifle", close=True))
    table.order(Show((Draw(5),)))
    refusal = table.refusal(seen(table, cover=True))
    assert refusal.code == "no_suit"
    reread(table, "5S", cover=True)
    assert not table.state.lost
    assert table.state.sources["second"].gone == (card("5S"),)


def test_a_queen_that_was_another_mends_what_her_breakdown_test_took() -> None:
    """Breakdowns: there was none."""
    table = fired("machinegun", "rifle", "QS", "2S")
    assert (table.alive("second", "machinegun"), broken(table.play)) == (5, 1)
    reread(table, "QH")
    assert table.alive("second", "machinegun") == 6
    assert broken(table.play) == 0
    assert not luck(table.play).shots[0].broke


def test_a_model_that_its_breakdown_took_stands_again() -> None:
    table = fired("tank", "tank", "QS", "2S", weapon="cannon")
    assert table.alive("second", "tank") == 5
    reread(table, "QH")
    assert table.alive("second", "tank") == 6
    assert table.state.loss["second"] == 0


def test_a_card_that_was_the_queen_of_spades_owes_its_breakdown_test() -> None:
    table = fired("machinegun", "rifle", "QH")
    reread(table, "QS")
    assert table.state.ask == DrawAsk(side="second", die=False, why="breakdown")
    table.show("2S")
    assert table.alive("second", "machinegun") == 5


def test_the_program_misreads_no_card() -> None:
    table = armies(MEN, {"rifle": 6}, sources=(Source("deck", seed=1), Source("deck", seed=2)))
    table.order(table.shot("rifle", "rifle"))
    order = msgspec.structs.replace(seen(table), draw=card("5S"))
    assert table.refusal(order).code == "no_draw"


def test_a_card_that_was_no_dust_card_ends_the_dust_that_it_began() -> None:
    table = scenario(8)
    dust = next(iter(table.state.setup.toggling))
    rifle = table.shot("rifle", "rifle")
    table.order(rifle)
    table.show(str(dust))
    assert table.state.toggled
    reread(table, "9D")
    assert not table.state.toggled


# ------------------------------------------------------------------ a whole volley


def a_volley(*draws: str | int, shooter: str = "rifle", reach: int = 8, **at: Any) -> Table:
    table = armies(MEN, {"machinegun": 3, "rifle": 12})
    count = 3 if shooter == "machinegun" else len(draws)
    target = f"{OWN}rifle"
    order = Volley(shooter=f"second/second/{shooter}", target=target, count=count, reach=reach)
    table.order(msgspec.structs.replace(order, close=True, **at))
    table.show(*draws)
    return table


def test_the_whole_volley_was_in_cover() -> None:
    """Black hits are saved, red ones stay; told in one line, and undone as one."""
    table = a_volley("5S", "4H", "3C", "9D", "2S", "8H")
    assert table.alive("first", "rifle") == MEN["rifle"] - 4
    before = table.state
    events = again(table, cover=True, volley=True)
    assert [(str(one.draw), one.hit) for one in of(Judged, events)] == [
        ("5S", False),
        ("4H", True),
        ("3C", False),
        ("9D", False),
        ("2S", False),
        ("8H", False),
    ]
    assert table.alive("first", "rifle") == MEN["rifle"] - 1
    assert all(one.shot.at.cover for one in table.state.judged)
    assert len(table.state.sources["second"].gone) == 6
    assert lines(table.play)[-1].text.count("judged again") == 1
    assert [row.saved for row in fired_shots(table.play)] == [True, False, True, False, True, False]
    table.undo()
    assert table.state == before


def test_no_more_of_a_volley_hit_than_were_in_reach() -> None:
    table = a_volley("5S", "4H", "3C", "9D", reach=2, cover=True)
    assert table.alive("first", "rifle") == MEN["rifle"] - 1
    again(table, cover=False, volley=True)
    assert table.alive("first", "rifle") == MEN["rifle"] - 2


def test_shots_fired_one_by_one_are_no_volley() -> None:
    table = armies(MEN, {"rifle": 12})
    for drawn in ("5S", "4S"):
        table.fire("rifle", "rifle", drawn, close=True)
    again(table, cover=True, volley=True)
    assert [one.hit for one in table.state.judged] == [True, False]


def test_the_chains_of_a_volley_are_taken_back_where_their_first_shot_misses() -> None:
    table = a_volley("5S", "9D", "4H", "10D", "JD", shooter="machinegun")
    assert [one.shot.nth for one in table.state.judged] == [1, 2, 1, 2, 1]
    events = again(table, cover=True, volley=True, chain=True)
    assert [one.chain for one in of(Recalled, events)] == [(2,), (), (), ()]
    assert table.alive("first", "rifle") == MEN["rifle"] - 1


def test_a_true_card_that_has_gone_is_advised_against_once_it_is_typed() -> None:
    table = armies(MEN, {"rifle": 12})
    for drawn in ("AS", "4S"):
        table.fire("rifle", "rifle", drawn, close=True)
    draft = drafted(table.play, "\tas\n")
    assert "has gone since the last shuffle" in (refusal := table.refusal(draft.order())).message
    assert not refusal.firm


def test_the_screen_says_cover_of_a_whole_volley_and_asks_for_each_suit() -> None:
    table = a_volley(5, "4H", 3, 9)
    assert "3 of 4 hit" in said(drafted(table.play, "\t"))
    assert "Which suit had the three?" in said(drafted(table.play, "\tcs"))
    table.order(order(table.play, "\tcsh"))
    assert [str(one.draw) for one in table.state.judged] == ["5S", "4H", "3H", "9"]
    assert [one.hit for one in table.state.judged] == [False, True, True, False]
    assert lines(table.play)[-1].text == (
        "The whole volley judged again: Rifle > Rifle in cover. Back on the table: 3 Rifle Guys. "
        "4H 3H hit; 5S saved; 9 miss. Reds: Rifle -2."
    )


def test_tab_goes_from_the_volley_to_its_shots() -> None:
    table = a_volley("5S", "4H", "3C", "9D")
    shown = [said(drafted(table.play, "\t" * tabs)) for tabs in (2, 3, 4)]
    for told, drawn in zip(shown, ("9D: miss.", "3C: hit.", "4H: hit."), strict=True):
        assert f"Rifle > Rifle, {drawn}" in told
