"""Fire by the sentences of the rules: who draws for pinning, who is in sight, who is new, who
strikes back, who dies in contact. Each was once played otherwise."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest
from deep import deep_after
from fights import drafted, said
from fights import order as typed_order
from msgspec.structs import replace
from stage import Table, armies, card, of, play_on, scenario

from skirmish.games.plastic.battle.agenda import CasualtyAsk, DrawAsk, InsideAsk, RepeatAsk
from skirmish.games.plastic.battle.events import Checked, Lost, Revealed
from skirmish.games.plastic.battle.odds import volley_odds
from skirmish.games.plastic.battle.orders import (
    Add,
    Again,
    ChooseCasualties,
    Correct,
    CountHits,
    EndPhase,
    Fire,
    Hold,
    Load,
    NameRiders,
    Reveal,
    Show,
    Volley,
)
from skirmish.games.plastic.battle.orders.fire_advice import why_out_of_sight
from skirmish.games.plastic.battle.orders.firing import prepared
from skirmish.games.plastic.battle.orders.rejudge import as_judged
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.setup_choices import SetupChoices
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.commands.asked import prompt
from skirmish.games.plastic.rules.options import Options
from skirmish.tabletop.chance import Source
from skirmish.tabletop.refusal import Refused

PINNING = Options(pinning=True)
JEEPS = "british/raiders/mg_jeep"
HIDDEN = "german/hidden/rifle"
CANNON = "russian/belts/cannon"


def volley(table: Table, shooter: str, target: str, count: int, **seen: Any) -> Volley:
    shot = table.shot(shooter, target)
    return Volley(shooter=shot.shooter, target=shot.target, count=count, **seen)


# ------------------------------------------------------------------ who draws for pinning
# "Any individual guy or group of touching guys receiving opfire from a MG must draw a card."


def machinegun(answer: str = "per_machinegun", **men: int) -> Table:
    found = men or {"rifle": 9}
    return armies(found, {"machinegun": 3}, options=PINNING, answers={"P55": answer})


def pin_draws(table: Table, *cards: str) -> list[Checked]:
    """The pin tests that are owed, drawn with these cards and then with red ones."""
    tests: list[Checked] = []
    red = iter(("AD", "2D", "3D", "4D", "5D"))
    given = iter(cards)
    while isinstance(table.state.ask, DrawAsk):
        assert table.state.ask.why == "pin"
        tests += of(Checked, table.show(next(given, None) or next(red)))
    return tests


@pytest.mark.parametrize("answer", ["per_machinegun", "per_shot"])
def test_a_group_and_a_lone_man_who_are_both_fired_at_draw_one_each(answer: str) -> None:
    table = machinegun(answer)
    table.fire("machinegun", "rifle", "8H")
    table.order(Again(grouped=False))
    table.show("9H")
    assert len(pin_draws(table)) == 2


@pytest.mark.parametrize("answer", ["per_machinegun", "per_shot"])
def test_a_pinned_group_does_not_free_the_lone_man_of_his_draw(answer: str) -> None:
    table = machinegun(answer)
    table.fire("machinegun", "rifle", "8H")
    table.order(Again(grouped=False))
    table.show("9H")
    assert [test.result for test in pin_draws(table, "AS", "AC")] == [True, True]
    assert sum(table.state.pinned.values()) == 2


@pytest.mark.parametrize("answer", ["per_machinegun", "per_shot"])
def test_a_lone_man_who_dies_draws_nothing_and_the_group_before_him_draws_once(answer: str) -> None:
    table = machinegun(answer)
    table.fire("machinegun", "rifle", "8H")
    table.order(Again(grouped=False))
    table.show("8D")
    table.order(Hold())
    assert len(pin_draws(table)) == 1


@pytest.mark.parametrize(("answer", "draws"), [("per_machinegun", 1), ("per_shot", 2)])
def test_fire_that_comes_back_from_a_lone_man_to_the_group_is_one_run(
    answer: str, draws: int
) -> None:
    table = machinegun(answer)
    table.fire("machinegun", "rifle", "8H")
    table.order(Again(grouped=False))
    table.show("8D")
    table.order(Again())
    table.show("9H")
    assert len(pin_draws(table)) == draws


def test_the_draw_of_a_lone_man_pins_his_own_row() -> None:
    table = machinegun(rifle=5, mortar=4)
    table.fire("machinegun", "rifle", "8H", close=True)
    table.order(Again(target=table.row("first", "mortar").key, grouped=False))
    table.show("9H")
    first, second = pin_draws(table, "AS", "AC")
    assert (first.row, second.row) == ("first/first/rifle", "first/first/mortar")


def test_a_volley_at_lone_men_is_tested_once_for_each_gun_that_missed_shot_by_shot_too() -> None:
    """Whoever was hit is dead: two guns, one kill, two misses."""
    table = machinegun("per_shot")
    table.order(volley(table, "machinegun", "rifle", 2, reach=3, grouped=False))
    table.show("8H", "9H", "9D")
    assert len(pin_draws(table)) == 2


def test_of_several_lone_men_one_who_is_pinned_frees_no_other() -> None:
    table = machinegun()
    table.order(volley(table, "machinegun", "rifle", 2, reach=3, grouped=False))
    table.show("9H", "9D")
    assert [test.result for test in pin_draws(table, "AS", "AC")] == [True, True]
    table = machinegun()
    table.order(volley(table, "machinegun", "rifle", 2, reach=1, grouped=False))
    table.show("9H", "9D")
    assert [test.result for test in pin_draws(table, "AS")] == [True]


# ------------------------------------------------------------------ in range and in sight
# "Fire only at targets in range and in sight."


def raid(shown: int) -> Table:
    """Scenario 3 with so many of the six hidden riflemen shown, and without the garrison."""
    table = scenario(3, chosen=SetupChoices(hidden={0: 6}, loads=False)).at(1, "german")
    table.order(Correct(row="german/garrison/rifle", by=-8))
    table.order(Correct(row="german/garrison/machinegun", by=-2))
    if shown:
        table.order(Reveal(row=HIDDEN, count=shown))
    return table


def belts(hidden: int) -> Table:
    """Scenario 7 with so many of the four cannon hidden."""
    return scenario(7, chosen=SetupChoices(hidden={0: hidden}, loads=False)).at(1, "russian")


def killed(table: Table) -> set[str]:
    """Those lost to fire."""
    return {piece for piece, credit in table.state.lost.items() if credit is not None}


def test_a_volley_without_a_stated_reach_reaches_those_in_sight() -> None:
    table = raid(shown=2)
    table.order(Volley(shooter=JEEPS, target=HIDDEN, count=8, close=True))
    table.show("AH", "2H")
    assert len(killed(table)) == 2
    assert len(table.state.hidden) == 4
    assert not killed(table) & table.state.hidden


def test_a_volley_with_a_reach_beyond_those_in_sight_kills_nobody_in_hiding() -> None:
    table = raid(shown=1)
    table.order(Volley(shooter=JEEPS, target=HIDDEN, count=1, reach=3, close=True))
    table.show("AH", "2H", "3H")
    assert len(killed(table)) == 1
    assert len(table.state.hidden) == 5


def test_a_counted_volley_kills_nobody_in_hiding() -> None:
    table = raid(shown=1)
    table.order(Volley(shooter=JEEPS, target=HIDDEN, count=6, reach=5))
    table.order(CountHits(low=5))
    assert len(killed(table)) == 1
    assert len(table.state.hidden) == 5


def test_no_more_cannon_are_in_reach_than_in_sight() -> None:
    shot = Volley(shooter="german/spearhead/elefant", target=CANNON, count=4, reach=4)
    assert belts(3).refusal(shot).message == "1 to 1 targets can be in reach, not 4."


def test_how_many_are_in_reach_is_not_asked_where_all_others_hide() -> None:
    """The question could not change the result, and would tell that somebody hides."""
    table = belts(3)
    letters = {
        row.key: row.letter for side in ("german", "russian") for row in rows(table.state, side)
    }
    keys = ["4", letters["german/spearhead/elefant"], letters[CANNON]]
    draft = drafted(table.play, keys)
    assert "How many are in reach" not in said(draft)
    shot = typed_order(table.play, [*keys, " "])
    assert isinstance(shot, Volley)
    assert prepared(table.state, shot).reach == 1


def test_no_more_men_are_in_reach_than_in_sight() -> None:
    table = raid(shown=1)
    letters = {
        row.key: row.letter for side in ("british", "german") for row in rows(table.state, side)
    }
    draft = drafted(table.play, ["8", letters[JEEPS], letters[HIDDEN]])
    assert "How many are in reach" not in said(draft)


def test_a_row_that_is_all_hidden_is_no_target_even_against_advice() -> None:
    for table, shooter, target in (
        (raid(shown=0), JEEPS, HIDDEN),
        (belts(4), "german/spearhead/elefant", CANNON),
    ):
        for order in (
            Fire(shooter=shooter, target=target, insist=True),
            Volley(shooter=shooter, target=target, count=2, insist=True),
        ):
            refusal = table.refusal(order)
            assert (refusal.code, refusal.firm) == ("hidden", True)


def test_repeat_fire_is_not_offered_where_all_who_are_left_hide() -> None:
    table = raid(shown=1)
    table.order(Fire(shooter=JEEPS, target=HIDDEN))
    table.show("8H")
    assert len(killed(table)) == 1
    assert table.state.ask is None


def test_repeat_fire_cannot_go_on_to_a_row_that_is_all_hidden() -> None:
    table = raid(shown=0)
    table.order(Add(row="german/garrison/machinegun", count=2))
    table.fire("mg_jeep", "machinegun", "8H")
    refusal = table.refusal(Again(target=HIDDEN))
    assert (refusal.message, refusal.firm) == (
        "No Rifle Guy (Hidden riflemen) is in sight yet. R reveals those who are seen.",
        True,
    )


def test_a_shot_is_not_judged_again_at_a_row_that_is_all_hidden() -> None:
    table = raid(shown=0)
    table.order(Add(row="german/garrison/machinegun", count=2))
    table.fire("mg_jeep", "machinegun", "9H")
    shot = table.state.judged[-1].shot
    again = replace(as_judged(table.state, shot), target=HIDDEN, draw=card("8H"), insist=True)
    refusal = table.refusal(again)
    assert (refusal.code, refusal.firm) == ("hidden", True)


def test_the_question_who_dies_offers_nobody_in_hiding() -> None:
    table = raid(shown=2)
    table.order(Add(row="german/garrison/machinegun", count=2))
    table.fire("mg_jeep", "machinegun", "8H")
    ask = table.state.ask
    assert isinstance(ask, CasualtyAsk)
    assert HIDDEN in ask.rows
    slot = prompt_slot(table)
    assert {option.value: option.most for option in slot.options}[HIDDEN] == 2
    refusal = table.refusal(ChooseCasualties((HIDDEN, HIDDEN)))
    assert refusal.code == "too_many"


def prompt_slot(table: Table) -> Any:
    command = prompt(table.state)
    assert command is not None
    slots = command.slots
    assert not callable(slots)
    return slots[0]


def test_nobody_in_hiding_was_inside_a_lost_vehicle() -> None:
    table = raid(shown=1)
    table.order(Add(row="german/reinforcements/jeep", count=1))
    table.fire("mg_jeep", "jeep", "2H")
    assert isinstance(table.state.ask, InsideAsk)
    assert table.refusal(NameRiders(riders={HIDDEN: 2})).code == "too_many"
    table.order(NameRiders(riders={HIDDEN: 1}))
    assert not killed(table) & table.state.hidden


def test_those_in_sight_get_in_first_and_who_comes_out_of_hiding_is_shown() -> None:
    table = raid(shown=1)
    table.order(Add(row="german/reinforcements/jeep", count=1))
    jeep = "german/reinforcements/jeep"
    table.order(Load(carrier=jeep, riders={HIDDEN: 1}))
    assert not set(table.state.aboard) & table.state.hidden
    (shown,) = of(Revealed, table.order(Load(carrier=jeep, riders={HIDDEN: 1})))
    assert len(shown.pieces) == 1
    assert not set(table.state.aboard) & table.state.hidden


def test_the_odds_count_nobody_in_hiding() -> None:
    table = raid(shown=2)
    order = Fire(shooter=JEEPS, target=HIDDEN)
    odds = volley_odds(table.state, order, prepared(table.state, order))
    assert odds is not None
    assert odds.reach == 2


@pytest.mark.parametrize("number", [3, 7])
@pytest.mark.parametrize("seed", deep_after(4, range(10)))
def test_in_a_random_battle_nobody_dies_by_fire_while_in_hiding(number: int, seed: int) -> None:
    hidden = 6 if number == 3 else 4
    sources = (Source("deck", seed=seed), Source("deck", seed=seed + 1))
    table = scenario(number, sources=sources, chosen=SetupChoices(hidden={0: hidden}, loads=False))
    play_on(table, Random(seed), 150)
    state: State | None = None
    for entry in table.play.entries:
        if entry.kind != "order":
            continue
        state = table.play.state_after(entry.number - 1)
        for event in entry.events:
            if state is None:
                break
            if isinstance(event, Lost) and event.credit is not None:
                assert event.piece not in state.hidden
            state = event.apply(state)


# ------------------------------------------------------------------ only if it can see a new guy


def test_repeat_fire_is_not_offered_at_the_man_who_was_spared() -> None:
    """P22: he was shot at already; the mortar died in his place, and nobody else is left."""
    table = armies({"rifle": 1, "mortar": 1, "tank": 4}, {"machinegun": 1})
    table.fire("machinegun", "rifle", "8H")
    table.order(ChooseCasualties((table.row("first", "mortar").key,)))
    assert table.alive("first", "rifle") == 1
    assert table.state.ask is None


def test_who_was_spared_may_be_shot_at_again_where_everybody_alive_is_new() -> None:
    answers = {"P22": "not_killed"}
    table = armies({"rifle": 1, "mortar": 1, "tank": 4}, {"machinegun": 1}, answers=answers)
    table.fire("machinegun", "rifle", "8H")
    table.order(ChooseCasualties((table.row("first", "mortar").key,)))
    assert isinstance(table.state.ask, RepeatAsk)
    table.order(Again())


def test_repeat_fire_may_not_return_to_a_row_where_all_were_shot_at() -> None:
    table = armies({"rifle": 1, "mortar": 3, "tank": 4}, {"machinegun": 1})
    rifle, mortar = (table.row("first", unit).key for unit in ("rifle", "mortar"))
    table.fire("machinegun", "rifle", "8H")
    table.order(ChooseCasualties((mortar,)))
    refusal = table.refusal(Again(target=rifle))
    assert (refusal.code, refusal.firm) == ("nobody_new", True)
    table.order(Again(target=mortar))
    table.show("8D")
    table.order(ChooseCasualties((rifle,)))
    # Of the two mortars one was shot at and spared, so one is new.
    assert isinstance(table.state.ask, RepeatAsk)
    table.order(Again(target=mortar))
    table.show("7D")
    # One mortar is left, and it is the one that was spared.
    assert table.alive("first", "mortar") == 1
    assert table.state.ask is None


def test_a_draw_typed_ahead_is_given_back_where_nobody_new_is_left() -> None:
    table = armies({"rifle": 1, "mortar": 2, "tank": 4}, {"machinegun": 1})
    table.order(table.shot("machinegun", "rifle"))
    table.show("8H")
    table.order(ChooseCasualties((table.row("first", "mortar").key,)))
    table.order(Show((card("3H"), card("4H"))))
    assert table.alive("first", "rifle") == 1
    assert isinstance(table.state.ask, RepeatAsk)
    assert table.alive("first", "mortar") == 1
    assert table.state.hand == ()


# ------------------------------------------------------------------ striking back
# P51 together; "Loaded guys/cannon can't shoot".


def struck(units: dict[str, int], carrier: str, riders: dict[str, int], weapon: str) -> Table:
    """A loaded carrier of the defender is destroyed in phase 3, and phase 4 begins."""
    table = armies({"grenade": 4, "tank": 3}, {"aa_tank": 5, **units}, answers={"P51": "together"})
    table.at(1, "second")
    table.order(
        Load(
            carrier=table.row("second", carrier).key,
            riders={table.row("second", unit).key: count for unit, count in riders.items()},
        )
    )
    table.at(2, "first", 3)
    table.fire(weapon, carrier, "AH")
    table.order(EndPhase())
    return table


def test_the_passengers_of_a_truck_that_was_destroyed_do_not_strike_back() -> None:
    riders = {"rifle": 3, "cannon": 1}
    table = struck({"rifle": 9, "cannon": 2, "truck": 1}, "truck", riders, "tank")
    assert table.alive("second", "rifle") == 6
    assert table.ready("second", "rifle") == 6
    assert table.ready("second", "cannon") == 1


def test_of_a_halftrack_that_was_destroyed_two_passengers_still_fire() -> None:
    """P56: up to two Grenade, Rifle or MG Guys fire from it, and it strikes back itself."""
    table = struck({"rifle": 9, "halftrack": 1}, "halftrack", {"rifle": 5}, "tank")
    assert table.ready("second", "halftrack") == 1
    assert table.ready("second", "rifle") == 4 + 2
    shot = table.shot("rifle", "grenade")
    table.order(Volley(shooter=shot.shooter, target=shot.target, count=6, reach=4))
    table.show("9H", "9D", "9C", "9S", "JH", "JD")
    assert table.ready("second", "rifle") == 0


def test_passengers_who_were_only_named_when_the_truck_was_lost_do_not_strike_back() -> None:
    table = armies(
        {"grenade": 4, "tank": 3},
        {"rifle": 9, "truck": 1, "aa_tank": 5},
        answers={"P51": "together"},
    )
    table.at(1, "first", 3)
    table.fire("tank", "truck", "AH")
    table.order(NameRiders(riders={table.row("second", "rifle").key: 3}))
    table.order(EndPhase())
    assert table.ready("second", "rifle") == 6


def test_who_was_killed_by_a_counted_volley_strikes_back_as_well() -> None:
    table = armies({"rifle": 9, "tank": 3}, {"rifle": 9}, answers={"P51": "together"})
    table.at(1, "first", 3)
    table.order(volley(table, "rifle", "rifle", 5, reach=5))
    table.order(CountHits(low=3))
    table.order(EndPhase())
    assert table.alive("second", "rifle") == 6
    assert table.ready("second", "rifle") == 9


def test_the_dead_who_have_fired_a_weapon_are_not_refused_as_if_it_had_broken_down() -> None:
    table = armies({"grenade": 9, "tank": 3}, {"tank": 2, "rifle": 40}, answers={"P51": "together"})
    table.at(1, "first", 3)
    table.fire("tank", "tank", "AD")
    table.fire("tank", "tank", "AH")
    table.order(EndPhase())
    table.fire("tank", "grenade", "JH", weapon="machinegun")
    with pytest.raises(Refused, match="Only 1 of 2 Tanks can still fire in phase 4"):
        table.order(volley(table, "tank", "grenade", 2, weapon="machinegun"))


# ------------------------------------------------------------------ in contact
# "… or the range is 3" or less …": a man whom repeat fire goes on to is not touched (P11).


def thrown(answer: str = "within_three", **seen: Any) -> Table:
    """A grenade volley of one in phase 3, which hits twice and then misses."""
    table = armies({"grenade": 3, "tank": 2}, {"rifle": 9, "mortar": 3}, answers={"P11": answer})
    table.at(1, "first", 3)
    table.order(volley(table, "grenade", "rifle", 1, reach=6, **seen))
    table.show("8H", "7H", "9H")
    return table


def test_in_a_volley_in_contact_the_defender_is_asked_who_dies_by_repeat_fire() -> None:
    table = thrown()
    ask = table.state.ask
    assert table.alive("second", "rifle") == 8
    assert isinstance(ask, CasualtyAsk)
    assert ask.count == 1


def test_single_shots_in_contact_ask_the_same() -> None:
    table = armies({"grenade": 3, "tank": 2}, {"rifle": 9, "mortar": 3})
    table.at(1, "first", 3)
    table.fire("grenade", "rifle", "8H")
    assert table.alive("second", "rifle") == 8
    table.order(Again())
    table.show("7H")
    assert isinstance(table.state.ask, CasualtyAsk)


def test_where_hits_in_contact_are_always_exact_nobody_is_asked() -> None:
    table = thrown("always_exact")
    assert table.state.ask is None
    assert table.alive("second", "rifle") == 7


def test_lone_men_in_contact_die_themselves() -> None:
    table = thrown(grouped=False)
    assert table.state.ask is None
    assert table.alive("second", "rifle") == 7


def test_of_a_counted_volley_in_contact_no_more_hits_are_exact_than_have_fired() -> None:
    table = armies({"grenade": 3, "tank": 2}, {"rifle": 9, "mortar": 3})
    table.at(1, "first", 3)
    table.order(volley(table, "grenade", "rifle", 2, reach=9))
    table.order(CountHits(low=5))
    ask = table.state.ask
    assert table.alive("second", "rifle") == 7
    assert isinstance(ask, CasualtyAsk)
    assert ask.count == 3


def test_the_odds_of_a_volley_in_contact_are_those_of_its_draws() -> None:
    """P22: the first hit uses up one man, each later one two. Summed over all orders of cards."""
    table = armies({"grenade": 3, "tank": 2}, {"rifle": 3, "mortar": 3})
    table.at(1, "first", 3)
    order = volley(table, "grenade", "rifle", 1, reach=3)
    odds = volley_odds(table.state, order, prepared(table.state, order))
    assert odds is not None
    assert odds.kills is not None
    hits, aces = Fraction(32, 48), Fraction(4, 32)
    second = Fraction(31, 47)
    assert odds.kills.at_least(1) == hits
    assert odds.kills.at_least(2) == hits * second
    # The third man is new only if the second hit was an ace: then he alone was used up.
    third = hits * second * aces * Fraction(30, 46)
    assert odds.kills.at_least(3) == third


def test_repeat_fire_names_the_true_reason_why_nobody_can_be_fired_at() -> None:
    """Who is aboard, who has not come yet and who is dead are each called so."""
    table = scenario(9).at(1, "british", 2)
    table.fire("machinegun", "rifle", "5H", by="german", close=True)
    refusal = table.refusal(Again(target="british/relief/rifle"))
    assert refusal.message == "No Rifle Guy (Relief column) is on the table yet."
    row = rows(table.state, "british")[0]
    aboard = replace(row, here=row.alive, aboard=row.alive, hidden=())
    reason = why_out_of_sight(table.state, aboard)
    name = f"{row.unit.name}{table.state.words.contingent_note(row.key)}"
    assert reason == f"Every {name} is aboard; fire at what carries them."
    dead = replace(row, alive=(), here=(), aboard=())
    assert why_out_of_sight(table.state, dead) == f"No {name} is left to fire at."
