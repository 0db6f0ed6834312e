"""What keys put together in a battle: the order that comes out, or what is said."""

from __future__ import annotations

import pytest
from fights import (
    CARDS,
    DECK,
    GAME,
    a_play,
    asked,
    at,
    done,
    drafted,
    flat,
    given,
    order,
    row,
    said,
)

from skirmish import library
from skirmish.app.battle.draft_lines import draft_lines
from skirmish.games.plastic.battle.orders import (
    Add,
    ChooseCasualties,
    ChooseModel,
    Convert,
    Correct,
    Count,
    Dig,
    EndPhase,
    Enter,
    Exit,
    Fire,
    Hold,
    Load,
    MarkPinned,
    NameRiders,
    Rejudge,
    Reveal,
    Seal,
    Serve,
    SetClock,
    SetLevel,
    SetQuality,
    Show,
    Switch,
    Unload,
    Volley,
)
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.commands.counted_volley import HitMark, Tally
from skirmish.games.plastic.commands.own_draws import typed_draws
from skirmish.tabletop.chance import Draw, DrawError, Source
from skirmish.tabletop.commands import Draft, chosen_rows, command_of, offered_rows, with_row
from skirmish.tabletop.slots import UnfitAnswer

# ------------------------------------------------------------------ shots


def test_digits_before_the_shooter_and_after_the_target_make_a_volley() -> None:
    play = a_play(1)
    rifles, germans = row(play, "polish", "r"), row(play, "german", "r")
    volley = Volley(shooter=rifles, target=germans, count=15, reach=8, cover=True)
    assert order(play, "15rr8c ") == volley
    assert order(play, "rr ") == order(play, "rr\n") == Fire(shooter=rifles, target=germans)
    guns = row(play, "polish", "m")
    assert order(play, "mr3 ") == Volley(shooter=guns, target=germans, count=1, reach=3)
    with pytest.raises(UnfitAnswer, match="Only one can be hit"):  # a rifleman has one shot
        drafted(play, "rr3")
    assert chosen_rows(drafted(play, "15rr8")) == {rifles, germans}
    assert offered_rows(drafted(play, "15")) >= {rifles, row(play, "polish", "m")}


def test_backspace_takes_a_draft_back_key_by_key() -> None:
    play = a_play(1)
    draft = drafted(play, "15rr8")
    for left in ("15rr", "15r", "15", "1"):
        draft = drafted(play, "<", draft)
        assert (draft.answers, draft.typed) == _draft(play, left)
    assert not drafted(play, "<", draft).begun


def _draft(play: object, keys: str) -> tuple[object, str]:
    found = drafted(play, keys)  # type: ignore[arg-type]
    return found.answers, found.typed


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        ("z", "There is no Polish row z"),
        (" ", "Choose a Polish unit"),
        ("r5", "Choose the target first"),
        ("rrh", "h changes nothing here; o, c, n, l would"),
    ],
)
def test_a_key_that_does_not_fit_is_answered_with_what_would(keys: str, sentence: str) -> None:
    with pytest.raises(UnfitAnswer, match=sentence):
        drafted(a_play(1), keys)


def test_a_shot_is_shown_with_its_odds_out_of_the_cards_that_are_left() -> None:
    play = a_play(1)
    assert "67% (32 of 48)" in said(drafted(play, "mr"))
    done(play, order(play, "mr "), Show((Draw(9, "C"),)))
    assert "68% (32 of 47)" in said(drafted(play, "mr"))
    hidden = GAME.with_deck_knowledge("hidden").commands(play.state)
    fire = next(one for one in hidden if not one.key)
    page = fire.preview(drafted(play, "mr").facts)
    assert "67% (32 of 48), fresh deck" in str(page)


def test_w_and_o_go_through_weapons_and_shooters_and_what_is_seen_turns() -> None:
    play = a_play(1)
    mortar = row(play, "polish", "o")
    assert order(play, "mro ") == Fire(shooter=mortar, target=row(play, "german", "r"))
    assert order(play, "15rro ").count == 2, "as many as can"
    jeep = at(a_play(8), 1, "german")
    tank = next(r for r in rows(jeep.state, "russian") if len({w.id for w in r.weapons}) > 1)
    foe = next(r for r in rows(jeep.state, "german") if r.unit.is_guy)
    named = {order(jeep, [tank.letter, foe.letter, *"w" * n, " "]).weapon for n in range(1, 4)}
    assert len(named - {None}) > 1
    twice = order(play, "mrcc ")
    assert twice == order(play, "mr ")


def test_a_row_is_chosen_with_the_mouse_as_by_its_letter_and_may_be_another_yet() -> None:
    play = a_play(1)
    guns, rifles = row(play, "polish", "m"), row(play, "german", "r")
    draft = with_row(with_row(drafted(play, "2"), guns), rifles)
    assert drafted(play, " ", draft).order() == order(play, "2mr ")
    draft = with_row(draft, row(play, "german", "g"))
    assert drafted(play, " ", draft).order() == order(play, "2mg ")
    other = with_row(drafted(play, "mr"), row(play, "polish", "r"))
    assert drafted(play, "r ", other).order() == order(play, "rr ")


def test_sas_jeeps_that_fire_in_their_own_turn_too_are_chosen_by_their_letter() -> None:
    """P67."""
    play = a_play(3, rulings={"P67": "own_turn_too"})
    jeeps, garrison = row(play, "british", "w"), row(play, "german", "r")
    assert "w MG Jeep: 8 can fire, in their own turn" in said(drafted(play, "r<"))
    assert order(play, "wr ") == Fire(shooter=jeeps, target=garrison)
    with pytest.raises(UnfitAnswer, match="no German row w"):
        drafted(a_play(3), "w")


def test_a_ledger_side_is_asked_who_fell_and_not_who_fires() -> None:
    play = a_play(1, SetLevel(side="polish", level="ledger", source=CARDS))
    keyless = next(one for one in GAME.commands(play.state) if not one.key)
    assert "WHO FELL? The Poles record losses only." in said(Draft(command=keyless))
    assert order(play, "m") == Correct(row=row(play, "german", "m"), by=-1)
    assert order(play, "3r") == Correct(row=row(play, "german", "r"), by=-3)
    assert order(play, ["3", "\t", "r"]) == Correct(row=row(play, "polish", "r"), by=-3)
    assert order(play, "-3r") == order(play, "3r")  # losses are recorded at every level
    done(play, EndPhase(), EndPhase())
    assert "WHO FIRES?" in said(
        Draft(command=next(one for one in GAME.commands(play.state) if not one.key))
    )


def test_a_ledger_side_is_offered_tab_only_where_it_leads_to_the_other_side() -> None:
    play = a_play(1, SetLevel(side="polish", level="ledger", source=CARDS))
    keyless = next(one for one in GAME.commands(play.state) if not one.key)
    assert not Draft(command=keyless).toggles, "Tab judges the last shot again"
    assert [toggle.key for toggle in drafted(play, "3").toggles] == ["tab"]


def test_one_more_shot_at_the_same_row_another_or_none() -> None:
    play = given(given(given(a_play(1), "mr "), ["5", "h", "\n"]), "\n")
    rifles, guns = row(play, "german", "r"), row(play, "german", "m")
    assert order(play, " ").target == order(play, "\n").target == rifles
    again = order(play, "mc ")
    assert (again.target, again.cover) == (guns, True)
    assert order(play, ["escape"]) == Hold()
    with pytest.raises(UnfitAnswer, match="another guy, not a Tank"):
        drafted(play, "t")
    assert GAME.same_again(play) == order(play, " ")
    assert isinstance(order(done(play, Hold()), "2rr "), Volley)


def test_what_is_seen_wrong_costs_no_more_keys_than_it_must() -> None:
    play = given(given(a_play(1), "rr "), ["3", "s", "\n"])
    done(play, order(play, "\n"))
    judged = order(play, "\tc")
    assert isinstance(judged, Rejudge)
    assert judged.cover


# ------------------------------------------------------------------ capitals


def test_losses_are_of_the_side_shot_at_and_tab_is_the_other() -> None:
    play = a_play(1)
    assert order(play, "-3r") == Correct(row=row(play, "german", "r"), by=-3)
    assert order(play, "-\tc") == Correct(row=row(play, "polish", "c"), by=-1)
    assert order(play, "-c") == order(play, "-\tc"), "a letter that only the other side has"
    assert order(play, "+r") == Correct(row=row(play, "german", "r"), by=1)
    assert drafted(play, "-3<").typed == ""
    assert order(play, "*r") == MarkPinned(row(play, "german", "r"))
    new = order(play, "+2\n" + _letter(drafted(play, "+2\n"), "Jeep"))
    assert new == Add(row="german/column/jeep", count=2)


def _letter(draft: object, label: str) -> str:
    options = draft.slot.options  # type: ignore[attr-defined]
    return str(next(one.key for one in options if one.label == label))


def test_men_back_beyond_those_lost_are_added_against_advice() -> None:
    play = a_play(1, Correct(row=row(a_play(1), "german", "t"), by=-1))
    tank = row(play, "german", "t")
    found = GAME.anyway(play.state, Correct(row=tank, by=2))
    assert found.orders == (Correct(row=tank, by=1), Add(row=tank, count=1))
    assert found.text == "adds them to the battle."
    (shot,) = GAME.anyway(play.state, order(play, "mh ")).orders
    assert shot.insist


def test_who_leaves_is_shown_before_enter() -> None:
    play = a_play(1, loads=True)
    leaves = drafted(play, "Xk")
    assert "10 Rifle Guys" in said(leaves)
    assert "Truck" in said(leaves)
    gone = order(play, "\n", leaves)
    assert (gone.piece, gone.counts) == ("german:K1", True)
    other = order(play, "\to\n", leaves)
    assert (other.piece, other.counts) == ("german:K2", False)
    on_foot = a_play(1)
    assert order(on_foot, "X5r\n") == Exit(row=row(on_foot, "german", "r"), count=5)
    many = drafted(on_foot, "X30r")
    assert many.shown_question == "23 are left, not 30."
    assert order(on_foot, "\n\n", many) == Exit(row=row(on_foot, "german", "r"), count=23)


def test_several_rows_get_into_the_model_that_is_chosen() -> None:
    play = a_play(1)
    load = drafted(play, "Lh6r2m")
    assert "6 Rifle, 2 Machinegun" in said(load)
    riders = {row(play, "german", "r"): 6, row(play, "german", "m"): 2}
    carrier = row(play, "german", "h")
    assert chosen_rows(load) == {carrier, *riders}
    assert order(play, "\n", load) == Load(carrier=carrier, riders=riders, piece="german:H1")
    assert order(play, "Lk\t10r\n").piece == "german:K2"
    with pytest.raises(UnfitAnswer, match="carries nobody"):
        drafted(play, "Lr")
    with pytest.raises(UnfitAnswer, match="of which row"):
        drafted(play, "5\n", load)
    with pytest.raises(UnfitAnswer, match="Choose who gets in"):
        drafted(play, "Lh\n")


def test_unloading_asks_which_only_where_several_are_loaded() -> None:
    play = a_play(1, loads=True)
    assert order(play, "Oh") == Unload(carrier=row(play, "german", "h"))
    assert "K1: 10r" in said(drafted(play, "Ok"))
    assert order(play, "Ok2") == Unload(carrier=row(play, "german", "k"), piece="german:K2")
    assert order(play, "Ok\n").piece == "german:K1"


def test_digging_asks_for_engineers_only_where_some_dig_so() -> None:
    germans = a_play(4)  # five engineers among many
    assert order(germans, "De") == Dig(side="german", engineers=True)
    assert order(germans, "D\n") == Dig(side="german")
    assert order(at(a_play(1), 1, "polish"), "D") == Dig(side="polish")


def test_the_clock_is_set_by_turn_side_and_phase() -> None:
    play = a_play(1)
    assert order(play, "T10\tpp\n") == SetClock(turn=10, side="polish", phase=3)
    assert order(play, "T\t\n") == SetClock(turn=1, side="polish", phase=1)


def test_a_count_asks_a_number_for_each_side() -> None:
    play = a_play(9)
    assert "on the bridge" in said(drafted(play, "C"))
    assert order(play, "C12\n7\n") == Count(values={"british": 12, "german": 7})
    with pytest.raises(UnfitAnswer, match="how many for the British"):
        drafted(play, "C\n")
    with pytest.raises(UnfitAnswer, match="Nothing is counted in this battle"):
        drafted(a_play(1), "C")


def test_hidden_men_are_shown_fuel_is_given_guns_are_left() -> None:
    third, second, tenth = a_play(3), at(a_play(2), 1, "french"), a_play(10)
    assert order(third, "R2l") == Reveal(row=row(third, "german", "l"), count=2)
    tanks = next(r for r in rows(second.state, "french") if "fuel" not in r.unit.id and r.here)
    assert order(second, f"S2{tanks.letter}") == Serve(row=tanks.key, count=2)
    guns = next(r for r in rows(tenth.state, "german") if r.unit.id == "machinegun")
    assert order(tenth, f"B{guns.letter}") == Convert(row=guns.key, count=1)


def test_hints_name_the_rows_that_can_be_meant() -> None:
    dog, airfield = a_play(10), a_play(3, hidden={"german/hidden/rifle": 6})
    assert "m Machinegun becomes Rifle" in said(drafted(dog, "B"))
    assert "This side has nobody hidden." in said(drafted(dog, "R"))
    assert "Hidden: l Rifle 6" in said(drafted(airfield, "R"))
    fuel = a_play(2)
    assert fuel.state.mover == "german"
    told = said(drafted(fuel, "S"))
    assert "French units are refuelled or served." in told
    assert "None can be served now; press the letter to see why." in told
    at(fuel, 2, "french")
    assert "4 more can be served this turn." in said(drafted(fuel, "S"))


def test_levels_rules_and_secrets_are_chosen_by_number() -> None:
    play = a_play(1)
    level = order(play, "I21")
    assert (level.side, level.level, level.source.seed) == ("polish", "referee", 7)
    assert order(play, "I27" + "Anna" + "\n").player == "Anna"
    assert order(play, "Z1") == Switch(option="pinning", on=True)
    assert isinstance(order(play, "Z72"), SetQuality)
    assert order(play, [*"Q2", *"mill", "\n"]) == Seal(side="polish", text="mill")
    done(play, Seal(side="polish", text="mill"))
    assert order(play, "Q2").side == "polish"
    assert order(play, "F3").winner is None


def test_nothing_new_begins_while_an_answer_is_awaited() -> None:
    play = given(a_play(1), "mr ")
    with pytest.raises(UnfitAnswer, match="First enter the Polish card"):
        drafted(play, "X")
    assert order(play, "-r") == Correct(row=row(play, "german", "r"), by=-1)


def test_every_command_is_begun_by_one_key_and_every_key_means_one_thing() -> None:
    for number in library.scenarios():
        play = a_play(number)
        found = GAME.commands(play.state)
        keys = [one.key for one in found if one.key]
        assert len(set(keys)) == len(keys)
        verbs = [one.verb for one in found]
        assert len(set(verbs)) == len(verbs)
        for one in found:
            assert one.why_not or not one.key or command_of(found, one.key) == one


# ------------------------------------------------------------------ waves


def test_waves_come_on_whole_or_in_part() -> None:
    play = at(a_play(9), 7, "german")
    assert "Turn 8, Germans, Reaction force: 50 Rifle" in flat(GAME.due(play))
    with pytest.raises(UnfitAnswer, match="No reinforcements are due"):
        drafted(play, "\n")
    at(play, 8, "german")
    due = flat(GAME.due(play))
    assert "S edge. Enter brings on all, A some" in due
    assert "May not move within 4 ft of the N edge before turn 12" in due
    assert order(play, "\n") == order(play, "A\n") == Enter(contingent="reaction")
    one, other = [r for r in rows(play.state, "german") if r.waiting][:2]
    units = {one.key: 5, other.key: 1}
    some = ["A", "5", one.letter, "1", other.letter, "\n"]
    assert order(play, some) == Enter(contingent="reaction", units=units)
    rest = order(play, ["A", "5", one.letter, one.letter, "\n"])
    assert rest.units == {one.key: len(one.waiting)}, "no digit: the rest of the row, not more"


# ------------------------------------------------------------------ answers


def test_who_dies_names_each_row_once_where_several_have_one_name() -> None:
    play = a_play(10)
    play = given(given(play, "12ri20 "), "=12\n")
    draft = asked(play)
    assert draft is not None
    said = "\n".join(line.plain for line in draft_lines(draft, 78, str, tall=False))
    sand, seawall = "Rifle (116th Regiment on the sand)", "Rifle (116th Regiment at the seawall)"
    assert said.startswith(f"10 {sand}, 2 {seawall}\n")
    assert " ".join(said.split()).endswith(f"Enter alone: 10 {sand}, 2 {seawall}.")
    assert said.count("\n") <= 3
    typed = drafted(play, "3r")
    said = "\n".join(line.plain for line in draft_lines(typed, 78, str, tall=False))
    assert " ".join(said.split()).startswith(f"3 {seawall}; then 9 {sand} ")
    assert "Enter alone" not in said


def test_who_dies_is_one_letter_or_enter() -> None:
    play = given(given(a_play(1), "mr "), ["5", "h", "\n"])
    assert "WHO DIES?" in said(asked(play))
    assert order(play, "\n") == order(play, " ") == ChooseCasualties((row(play, "german", "r"),))
    assert order(play, "m") == ChooseCasualties((row(play, "german", "m"),))
    with pytest.raises(UnfitAnswer, match="t may not be chosen"):
        drafted(play, "t")
    assert order(play, ">").__class__.__name__ == "EndPhase", "the man proposed dies"


def test_letters_replace_the_men_proposed_one_at_a_time() -> None:
    play = given(a_play(1), "4rr4 ")
    done(play, Show(tuple(Draw(rank, "H") for rank in (2, 3, 4, 1))))
    assert "choose 3 of 4 men" in said(asked(play))
    assert "1 Machinegun, 1 Mortar; then 1 Rifle" in said(drafted(play, "mo"))
    assert "1 Machinegun; then 2 Rifle" in said(drafted(play, "mo<"))
    rifle, gun = row(play, "german", "r"), row(play, "german", "m")
    assert order(play, "m\n") == ChooseCasualties((gun,))
    assert order(play, "\n") == ChooseCasualties((rifle,) * 3)
    with pytest.raises(UnfitAnswer, match="There are no more Mortar here"):
        drafted(play, "oo")


def test_who_was_inside_and_which_model_are_asked_where_it_matters() -> None:
    play = given(a_play(1), "ck ")  # nothing is recorded of the trucks
    done(play, Show((Draw(1, "H"),)))
    assert "WHO WAS INSIDE" in said(asked(play))
    assert order(play, "\n") == NameRiders({})
    assert order(play, "10r\n") == NameRiders({row(play, "german", "r"): 10})
    loaded = given(given(a_play(1), "Lk10r\n"), "ck ")
    done(loaded, Show((Draw(1, "H"),)))
    assert "10r" in said(asked(loaded))
    assert order(loaded, "2") == ChooseModel("german:K2")
    with pytest.raises(UnfitAnswer, match="7 is not one of them: 1, 2"):
        drafted(loaded, "7")


def test_the_suit_alone_is_asked_where_it_matters() -> None:
    play = given(given(a_play(1), "mrc "), "5\n")
    assert "WHICH SUIT is the five?" in said(asked(play))
    assert order(play, "s") == Show((Draw(5, "S"),))
    assert not given(play, "s").state.lost


def test_own_cards_are_typed_with_spaces_between_and_what_is_none_is_told() -> None:
    play = given(a_play(1), "2mr8 ")
    assert "for Machinegun 1 of 2, 0 hits so far" in said(asked(play))
    assert order(play, "8h 7d 9c\n") == Show((Draw(8, "H"), Draw(7, "D"), Draw(9, "C")))
    for typed, why in (("kh\n", "not in this deck"), ("13\n", "is no card"), ("x", "7h, qs")):
        with pytest.raises(UnfitAnswer, match=why):
            drafted(play, typed)
    with pytest.raises(UnfitAnswer) as unfit:
        drafted(play, "kh\n")
    assert unfit.value.typed == "", "one that is no card is cleared, a whole line stays"


@pytest.mark.parametrize(
    ("typed", "die", "draws"),
    [
        ("7 3h q 10", False, (Draw(7), Draw(3, "H"), Draw(12), Draw(10))),
        ("A as 12", False, (Draw(1), Draw(1, "S"), Draw(12))),
        ("7 12", True, (Draw(7), Draw(12))),
        ("7c9d10h3 qs", False, (Draw(7, "C"), Draw(9, "D"), Draw(10, "H"), Draw(3), Draw(12, "S"))),
        ("q♠ 10♥ 5♦ a♣", False, (Draw(12, "S"), Draw(10, "H"), Draw(5, "D"), Draw(1, "C"))),
    ],
)
def test_several_draws_are_typed_on_one_line(
    typed: str, die: bool, draws: tuple[Draw, ...]
) -> None:
    assert typed_draws(typed, die) == draws


@pytest.mark.parametrize(
    ("typed", "die"),
    [("", False), ("kh", False), ("13", True), ("7x", False), ("7c9x", False), ("1210", False)],
)
def test_what_is_no_draw_is_told(typed: str, die: bool) -> None:
    with pytest.raises(DrawError):
        typed_draws(typed, die)


# ------------------------------------------------------------------ counted volleys


def test_equals_fires_a_volley_and_asks_for_its_hits_in_one_count() -> None:
    play = a_play(1)
    draft = drafted(play, "20rr20=")
    assert draft.complete
    assert draft.next_key == "="
    done(play, draft.order())
    count = order(play, "=12a1\n")
    assert (count.low, count.aces) == (12, 1)
    assert "20 Rifle > Rifle" in said(drafted(play, "="))
    assert order(play, "=12\t3a1\n").aces == 1
    with pytest.raises(UnfitAnswer, match="First how many were low enough"):
        drafted(play, "=a1\n")
    program = a_play(1, source=DECK)
    with pytest.raises(UnfitAnswer, match="The program draws for this side"):
        drafted(program, "6rr=")
    with pytest.raises(UnfitAnswer, match="= counts the hits of a volley"):
        drafted(play, "rr=") if play.state.ask is None else drafted(a_play(1), "rr=")


def test_the_proposed_numbers_of_a_count_agree_with_their_words() -> None:
    die = Source(kind="die")
    for source, one_hit, more in (
        (CARDS, "1 ace that hit", "2 aces that hit"),
        (die, "1 ace (roll of 1) that hit", "2 aces (rolls of 1) that hit"),
    ):
        for typed, words in (("=12a1\n", one_hit), ("=12a2\n", more)):
            play = given(given(a_play(1, source=source), "20rr20 "), typed)
            done(play, order(play, "\n"))
            assert f"12 low enough (A-5), {words}." in said(drafted(play, "\t"))


def test_a_letter_behind_a_number_that_a_count_does_not_ask_for_names_no_key_that_counts() -> None:
    hits = HitMark(key="l", name="low", label="low enough")
    tally = Tally(name="tally", text="HOW MANY HIT?", marks=(hits,))
    with pytest.raises(UnfitAnswer, match="No a is asked for here") as unfit:
        tally.parse("12a", False)
    assert "Enter" not in str(unfit.value)
    with pytest.raises(UnfitAnswer, match="Enter counts"):
        tally.parse("a", False)


def test_a_count_is_put_right_with_what_was_seen_of_all_of_it() -> None:
    play = given(given(a_play(1), "20rr20 "), "=12a1\n")
    done(play, order(play, "\n"))
    again = order(play, "\tcb5\n")
    assert again.anew == play.state.counts[-1].shot.id
    assert (again.low, again.saved, again.cover) == (12, 5, True)


# ------------------------------------------------------------------ looking back


def test_tab_goes_from_shot_to_shot_of_the_turn_and_offers_what_would_change_it() -> None:
    play = a_play(1)
    for card in ("9C", "3S"):
        given(play, "rr ")
        done(play, Show((Draw(int(card[0]), card[1]),)))
    done(play, order(play, "\n"))
    judging = drafted(play, "\t")
    assert "Judge again: Rifle > Rifle, 3S: hit." in said(judging)
    assert "he was in cover" in said(judging)
    before = drafted(play, "\t", judging)
    assert "Judge again: Rifle > Rifle, 9C: miss." in said(before)
    assert "in cover" not in said(before), "a 9 misses anyhow"
    with pytest.raises(UnfitAnswer, match="No shot has been fired yet"):
        drafted(a_play(1), "\t")


def test_a_misread_card_and_a_suit_nobody_told_are_asked_for() -> None:
    play = given(given(a_play(1), "rrl "), "5\n")
    suit = drafted(play, "\tc")
    assert "Which suit had it?" in said(suit)
    judged = order(play, "s", suit)
    assert isinstance(judged, Rejudge)
    assert judged.suits == {1: "S"}
    again = order(play, ["\t", *"10h", "<", "<", "<", *"4d", "\n"])
    assert again.draw == Draw(4, "D")
    missed = given(given(a_play(1), "mr "), ["a", "h", "\n"])
    done(missed, order(missed, " "), Show((Draw(2, "H"),)))
    done(missed, order(missed, "\n"), Hold())
    cut = drafted(missed, ["\t", "\t", *"9c", "\n"])
    assert "1 repeat shot followed" in said(cut)
    assert order(missed, "\n", cut).chain
    assert not order(missed, "k", cut).chain


def test_a_tally_bears_a_typed_mark_that_a_change_has_taken_away() -> None:
    """The screen asks for what is typed so far after every key; Enter says what is wrong."""
    hits = HitMark(key="h", name="low", label="low enough")
    tally = Tally(name="tally", text="HOW MANY HIT?", marks=(hits,), default={"low": 2})
    assert tally.so_far("5") == {"low": 5}
    assert tally.so_far("5b1") == {"low": 2}
    with pytest.raises(UnfitAnswer, match="Digits, or h low enough"):
        tally.parse("5b1", True)
