"""What games at the table share: numbers, what is asked, registers in files, what is remembered."""

from __future__ import annotations

from fractions import Fraction

import pytest

from skirmish.tabletop.chance import Source
from skirmish.tabletop.companion import asking, counter_events, events, rating_slots, roll_preview
from skirmish.tabletop.companion.counter_csv import as_csv, csv_rows
from skirmish.tabletop.companion.counter_rows import (
    AllowedOnCounters,
    CounterRow,
    merged,
    read_rows,
)
from skirmish.tabletop.companion.counters import Counter, Register, named
from skirmish.tabletop.companion.cup import Cup
from skirmish.tabletop.companion.new_counters import new_counter_slots
from skirmish.tabletop.companion.numbers import Numbers, roll_weights
from skirmish.tabletop.companion.sequence import Position, SequencePhase, TurnSequence
from skirmish.tabletop.companion.table_state import TableState
from skirmish.tabletop.data_file import DataError
from skirmish.tabletop.refusal import Refused
from skirmish.tabletop.slots import UnfitAnswer

ONE = TurnSequence(phases=(SequencePhase(id="fire", name="Fire"),))
B = Counter(id="b", name="B/116", side="us", group="116", steps=2, two_sided=True,
            ratings={"he": 6, "range": 4})  # fmt: skip
GUN = Counter(id="gun", name="88", side="german", place="J7", flags=("fired",))


def state(**more: object) -> TableState:
    register = Register({one.id: one for one in (B, GUN)})
    return TableState(sequence=ONE, counters=register, **more)  # type: ignore[arg-type]


# ------------------------------------------------------------------ numbers


def test_a_number_is_the_dies_the_decks_or_the_owners() -> None:
    deck = Cup(id="deck", unseen=("none 5",), seed=1)
    table = state(dice=Source("die", 7), cups={"deck": deck})
    numbers = Numbers(table, "deck")
    assert numbers.number(cards=True) == 5
    assert numbers.number(cards=True) == 5  # shuffled
    assert [type(one).__name__ for one in numbers.events] == ["Drawn", "CupRefilled", "Drawn"]
    assert 1 <= Numbers(table).number() <= 6
    own = Numbers(state(), own=(3,))
    assert (own.number(), own.events) == (3, [])
    for wrong in ((), (7,)):
        with pytest.raises(Refused, match="from 1 to 6"):
            Numbers(state(), own=wrong).number()


def test_a_card_whose_number_nobody_knows_is_any() -> None:
    cup = Cup(id="deck", unseen=("air 4", "none ?"), seed=1)
    assert roll_weights(cup) == {1: 1, 2: 1, 3: 1, 4: 7, 5: 1, 6: 1}
    assert set(roll_weights(None).values()) == {1}
    unknown = Numbers(state(dice=Source("die", 7), cups={"deck": Cup(
        id="deck", unseen=("none ?",), seed=1)}), "deck")  # fmt: skip
    unknown.number(cards=True)
    assert [type(one).__name__ for one in unknown.events] == ["Drawn", "Rolled"]


def test_what_was_drawn_stays_drawn_if_the_line_that_filled_the_cup_is_void() -> None:
    for cup in (Cup(id="mug"), Cup(id="mug", unseen=("red",)), Cup(id="mug", unseen=("red",),
                face_down=1)):  # fmt: skip
        after = events.Drawn(cup="mug", chit="blue").apply(state(cups={"mug": cup})).cups["mug"]
        assert (after.drawn, after.unseen) == (("blue",), cup.unseen)


def test_an_event_about_what_a_void_line_brought_changes_and_says_nothing() -> None:
    cup = Cup(id="mug", unseen=("red",))
    before = state(cups={"mug": cup})
    for event in (
        counter_events.CounterRemoved(id="nobody"),
        events.TrackSet(track="none", value=3),
    ):
        assert event.apply(before) == before
        assert event.narrate(before) == ""
    assert events.ChitPutBack(cup="mug", chit="red").apply(before) == before


# ------------------------------------------------------------------ asking


def test_a_rating_is_asked_when_it_matters_and_the_back_of_a_counter_has_its_own() -> None:
    words = {"he": "HE", "range": "range"}
    assert not list(rating_slots.rating_slots([B], ("he", "range"), words))
    from msgspec.structs import replace

    back = replace(B, steps=1)
    he, far = rating_slots.rating_slots([back], ("he", "range"), words)
    assert (he.text, he.default) == ("What is the HE of B/116 (on its back)?", 6)
    assert rating_slots.typed_ratings({he.name: 2, far.name: 4, "target": "J7"}) == {
        "b": {"he_reduced": 2, "range_reduced": 4}
    }
    assert (B.rating("he"), back.rating("he"), B.rating("ap")) == (6, 0, 0)


@pytest.mark.parametrize("typed", ["7", "JJ", "J0", "J123", "", "J7x"])
def test_a_hex_is_a_letter_and_a_number(typed: str) -> None:
    slot = asking.HexSlot(name="place", text="Where?")
    assert slot.parse("j7", True) == "J7"
    assert slot.parse("j", False) is None
    with pytest.raises(UnfitAnswer, match="such as J7"):
        slot.parse(typed, True)


def test_units_that_do_not_go_together_are_told_at_once() -> None:
    options = asking.counter_options([B, GUN], lambda one: "" if one.side == "us" else "No.")
    assert [one.why_not for one in options] == ["", "No."]
    slot = asking.UnitsSlot(name="who", text="Who?", options=asking.counter_options([B, GUN]),
                            why_not=lambda ids: "Not both." if len(ids) > 1 else "")  # fmt: skip
    assert slot.parse("a", True) == ("b",)
    with pytest.raises(UnfitAnswer, match="Not both"):
        slot.parse("ab", True)


def test_chances_stand_below_what_they_are_of() -> None:
    chances = {"D": Fraction(1, 3), "NE": Fraction(2, 3)}
    lead, odds = roll_preview.chances_of("A at B:", "8 factors.", chances)
    assert odds.text == "D 33%, NE 67%"  # type: ignore[union-attr]
    assert lead.text == "8 factors."  # type: ignore[union-attr]


# ------------------------------------------------------------------ registers


def test_a_register_goes_through_csv_and_back() -> None:
    register = state().counters
    text = as_csv(register, ("he", "range"))
    assert text.splitlines() == [
        "name,side,kind,group,steps,he,range,place,markers",
        "B/116,us,,116,2,6,4,,",
        "88,german,,,1,,,J7,fired",
    ]
    allowed = AllowedOnCounters(("us", "german"), ("he", "range"), markers=("fired",))
    rows = csv_rows(text, ("he", "range"), "u.csv")
    again = merged(Register(), read_rows(rows, allowed, "u.csv"))
    assert [(one.name, one.ratings) for one in again] == [
        ("B/116", {"he": 6, "range": 4}), ("88", {}),
    ]  # fmt: skip
    with pytest.raises(DataError, match="line 2: has 2 cells"):
        csv_rows("name,side,he\nB,us\n", ("he",), "u.csv")


def test_what_a_game_knows_stays_where_it_is_when_a_file_comes_in() -> None:
    new = CounterRow("88", "german", "gun", ratings={"he": 9})
    other = CounterRow("B/116", "german")
    gun, fresh = merged(state().counters, [new, other])
    assert (gun.place, gun.flags, gun.kind, gun.ratings) == ("J7", ("fired",), "gun", {"he": 9})
    assert fresh.id == "b-116"


def test_a_hex_of_the_enemy_or_a_full_one_is_not_entered() -> None:
    register = state().counters
    assert "nobody enters an enemy's hex" in register.why_not_enter([B], "J7", 2, lambda _: True)
    assert "J7 would hold 2 units; at most 1 may stand there" in register.why_not_enter(
        [Counter(id="n", name="N", side="german")], "J7", 1, lambda _: True
    )
    assert not register.why_not_enter([B], "", 0, lambda _: True)
    assert named([B, GUN]) == "B/116 and 88"
    assert named([]) == "nobody"


# ------------------------------------------------------------------ what happened


def test_the_table_remembers_what_was_seen_moved_held_and_rolled() -> None:
    before = state(control={"H5": ""})
    for event, said in (
        (events.MapSeen(ground={"J7": ("woods",)}, distances={"J7 K7": 1}), ""),
        (
            counter_events.CountersMoved(counters=("b",), place="K7", on=("moving",)),
            "B/116: to K7.",
        ),
        (events.ControlSet(place="H5", side="us", name="American"), "H5 is American."),
        (
            counter_events.MarkersRolled(marker="fired", rolls=(("gun", 2, True),)),
            "88 recovers (2).",
        ),
        (counter_events.MarkersCleared(flags=("moving",)), "No longer moving: B/116."),
        (counter_events.MarkersCleared(flags=("moving",), silent=True), ""),
        (events.TableEnded(text="Over."), "Over."),
    ):
        assert event.narrate(before) == said
        before = event.apply(before)
    assert (before.distance("K7", "J7"), before.ground["J7"]) == (1, ("woods",))
    assert (before.counters["b"].place, before.control, before.ended) == ("K7", {"H5": "us"}, True)
    assert not any(one.flags for one in before.counters)


def test_a_phase_that_is_over_for_good_is_neither_named_nor_shown() -> None:
    turn = TurnSequence(phases=(
        SequencePhase(id="setup", name="Set-up", last_turn=1),
        SequencePhase(id="fire", name="Fire"),
    ))  # fmt: skip
    assert turn.advance_from(Position(1, 1)) == ((), Position(2, 1))
    assert [step.text for step in turn.steps(Position(2, 1)).rows] == ["Fire"]


def test_the_name_that_is_proposed_for_a_new_unit_is_not_taken() -> None:
    first = Counter(id="x", name="2/B/116", side="us", group="B/116")
    answers = {"company": "B/116"}
    slots = new_counter_slots({"B/116": ""}, Register({"x": first}), answers, (), ())
    (proposed,) = (slot.proposed for slot in slots if slot.name == "names")
    assert proposed == "3/B/116"
