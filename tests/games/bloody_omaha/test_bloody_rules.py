"""The rules of Bloody Omaha, and every answer to the gaps in them, on made-up tables."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest
from bloody_table import GAME, begun, give, order, typed, whole
from msgspec.structs import replace

from skirmish.games.bloody_omaha import activations, attacks, orders, rolls
from skirmish.games.bloody_omaha.answers import Answer
from skirmish.games.bloody_omaha.commands import PLACE
from skirmish.games.bloody_omaha.run import Run
from skirmish.games.bloody_omaha.state import (
    DISRUPTED,
    ENGINEERS,
    INITIATIVE,
    LANDING,
    RATING,
    TANK,
    BloodyHappened,
    BloodyState,
)
from skirmish.tabletop.command_pages import hint_of
from skirmish.tabletop.commands import Draft, read_words
from skirmish.tabletop.companion.counters import Counter, Register
from skirmish.tabletop.companion.happened import large_result
from skirmish.tabletop.companion.sequence import Position
from skirmish.tabletop.companion.table_state import Task, Track
from skirmish.tabletop.refusal import Refused
from skirmish.tabletop.slots import Choose, UnfitAnswer

LAST = typed(Random(1), begun()).state
CELLS = {"drift": "2", "disruption": "E", "engineers": "success", "attack": "failure"}


def unit(id: str, place: str, group: str = "1st", **more: Any) -> Counter:
    one = Counter(id=id, name=id.upper(), side="us", kind="company", group=group, place=place,
                  ratings={"strength": 4, "disrupted": 2})  # fmt: skip
    return replace(one, **more)


def table(
    turn: int,
    phase: str,
    *units: Counter,
    ground: dict[str, tuple[str, ...]] | None = None,
    cells: dict[str, str] | None = None,
    **ruled: str,
) -> BloodyState:
    """The owner's own dice, 5 initiative and engineers, these units; every cell of a table is that
    of ``cells``."""
    answers = {"chance": "own", "rulings": "own", **ruled}
    state: BloodyState = begun(1, GAME.remembering(LAST), **answers).state
    tables = state.tables
    for id, cell in {**CELLS, **(cells or {})}.items():
        for column in [one.title for one in getattr(tables, id).columns]:
            for roll in tables.rolls(id):
                tables = tables.with_cell(id, roll, column, cell)
    tracks = {
        id: Track(id=id, name=id, value=5, low=int(id.endswith(RATING))) for id in state.tracks
    }
    return replace(
        state,
        tables=tables,
        counters=Register({one.id: one for one in units}),
        ground=ground or {},
        tracks=tracks,
        agenda=(),
        position=Position(turn, state.sequence.index_of(phase)),
    )


def after(state: BloodyState, *given: Any) -> BloodyState:
    for one in given:
        for event in one.decide(state):
            event.narrate(state)
            state = event.apply(state)
    return state


def refused(state: BloodyState, order: Any) -> str:
    with pytest.raises(Refused) as found:
        order.decide(state)
    return str(found.value)


def left(state: BloodyState) -> tuple[int, int]:
    return state.tracks[INITIATIVE].value, state.tracks[INITIATIVE + RATING].value


def shows(*tokens: str, at: str = "14") -> dict[str, tuple[str, ...]]:
    return {at: tokens}


def entered(state: BloodyState, *given: Any, to: str = "14") -> BloodyState:
    return after(state, activations.Move(unit="a", to=to), *given)


# ------------------------------------------------------------------ entering (8.1, 8.2)


def test_5_3a_a_move_costs_one_and_turns_the_tokens_up() -> None:
    state = after(table(2, "activation", unit("a", "24")), activations.Move(unit="a", to="14"))
    assert state.agenda[0].kind == "token"
    state = after(state, Answer(text="4"))
    assert state.tokens("14") == ("encounter 4",)
    assert (state.counters["a"].place, left(state)) == ("24", (4, 5))
    for wrong in ("13", "B1", "25", "24", "R", "C5"):
        bad = refused(table(2, "activation", unit("a", "14")), activations.Move(unit="a", to="35"))
        assert "not adjacent" in bad, wrong


def test_who_moves_is_told_who_is_disrupted_and_which_squares_are_held() -> None:
    units = unit("a", "24", flags=(DISRUPTED,)), unit("b", "13")
    state = table(2, "activation", *units, ground=shows("encounter 4"))
    draft = Draft(command=next(one for one in GAME.commands(state) if one.key == "m"))
    assert isinstance(draft.slot, Choose)
    assert [one.note for one in draft.slot.options] == ["24, disrupted", "13"]
    slot = draft.answered("a").slot
    assert isinstance(slot, Choose)
    held = {one.value: one.why_not for one in slot.options if one.why_not}
    assert held == {"14": "The tokens on 14 have to be attacked."}
    assert held["14"] in refused(state, activations.Move(unit="a", to="14"))


def test_8_1a_a_number_disrupts_and_keeps_the_unit_out() -> None:
    state = entered(table(2, "activation", unit("a", "24")), Answer(text="0"))
    assert state.counters["a"].has(DISRUPTED)
    assert "have to be attacked" in refused(state, activations.Move(unit="a", to="14"))


@pytest.mark.parametrize(("ruling", "steps"), [("nothing", 1), ("eliminated", 0)])
def test_o6_a_number_found_by_a_disrupted_unit(ruling: str, steps: int) -> None:
    state = table(2, "activation", unit("a", "24", flags=(DISRUPTED,)), O6=ruling)
    assert entered(state, Answer(text="7")).counters["a"].steps == steps


@pytest.mark.parametrize(("ruling", "gone", "tokens"), [
    ("removed", ("encounter",), ()), ("stays", (), ("encounter event",)),
])  # fmt: skip
def test_o2_a_random_event_token(
    ruling: str, gone: tuple[str, ...], tokens: tuple[str, ...]
) -> None:
    state = entered(table(2, "activation", unit("a", "24"), O2=ruling),
                    Answer(text="event"), Answer(numbers=(3,)))  # fmt: skip
    assert (state.gone, state.tokens("14")) == (gone, tokens)
    assert state.counters["a"].place == "14"
    assert state.is_clear("14") == (not tokens)


def test_o1_an_event_token_rolls_on_the_table_of_the_square_or_draws_a_card() -> None:
    rolled = entered(table(2, "activation", unit("a", "24")), Answer(text="event"))
    assert (rolled.agenda[0].kind, rolled.agenda[0].table) == ("roll", "hedgerow")
    drawn = entered(table(2, "activation", unit("a", "24"), O1="draw"), Answer(text="event"))
    assert drawn.agenda[0].kind == "card"
    carried = after(drawn, Answer(text="Card 1"))
    assert (carried.hand, carried.deck.drawn, carried.agenda) == ((), ("Card 1",), ())
    assert carried.counters["a"].place == "14"


@pytest.mark.parametrize("roll", range(1, 7))
@pytest.mark.parametrize("before", [(), (DISRUPTED,)])
def test_8_1c_mines_hit_on_1_to_3(roll: int, before: tuple[str, ...]) -> None:
    state = table(2, "activation", unit("a", "24", flags=before))
    state = entered(state, Answer(text="mines"), Answer(text="yes", numbers=(roll,)))
    one = state.counters["a"]
    assert state.tokens("14") == ("encounter mines",)  # O11: not clear, no point yet
    if roll > 3:
        assert (one.steps, one.place, one.flags) == (1, "14", before)
    elif before:
        assert one.steps == 0
    else:
        assert (one.place, one.flags) == ("14", (DISRUPTED,))


def test_o10_a_unit_may_stay_out_of_mines_or_has_to_enter() -> None:
    state = entered(table(2, "activation", unit("a", "24")), Answer(text="mines"))
    out = after(state, Answer(text="no"))
    assert (out.counters["a"].place, left(out), out.agenda) == ("24", (4, 5), ())
    must = entered(table(2, "activation", unit("a", "24"), O10="must"), Answer(text="mines"))
    assert must.agenda
    assert "O10" in refused(must, Answer(text="no"))


@pytest.mark.parametrize(("roll", "flags", "steps"), [(4, (DISRUPTED,), 1), (2, (DISRUPTED,), 1)])
def test_o33_mines_may_come_before_the_number_that_keeps_a_unit_out(
    roll: int, flags: tuple[str, ...], steps: int
) -> None:
    ground, found = {"11": ("encounter mines", "encounter")}, Answer(text="5")
    state = table(2, "activation", unit("a", "1"), ground=ground, O33="before")
    asked = after(state, activations.Move(unit="a", to="11"), found)
    assert [one.kind for one in asked.agenda] == ["mines"]
    hit = after(asked, Answer(text="yes", numbers=(roll,)))
    assert (hit.counters["a"].place, hit.counters["a"].flags, hit.counters["a"].steps) == (
        "1", flags, steps,
    )  # fmt: skip
    assert not hit.agenda
    # One that is disrupted already is eliminated by the mines, not by the number (O6).
    weak = table(2, "activation", unit("a", "1", flags=(DISRUPTED,)), ground=ground, O33="before")
    gone = after(
        weak, activations.Move(unit="a", to="11"), found, Answer(text="yes", numbers=(roll,))
    )
    assert gone.counters["a"].steps == (1 if roll == 4 else 0)


def test_o33_who_stays_out_of_the_mines_has_still_found_the_number() -> None:
    ground, token = {"11": ("encounter mines", "encounter")}, Answer(text="5")
    state = table(2, "activation", unit("a", "1"), ground=ground, O33="before")
    found = after(state, activations.Move(unit="a", to="11"), token, Answer(text="no"))
    assert (found.counters["a"].place, found.counters["a"].flags) == ("1", (DISRUPTED,))
    # By default nobody rolls for mines that he does not enter.
    state = table(2, "activation", unit("a", "1"), ground=ground)
    found = after(state, activations.Move(unit="a", to="11"), token)
    assert (found.agenda, found.counters["a"].flags) == ((), (DISRUPTED,))


def test_initiative_that_lapses_is_named_before_the_phase_ends() -> None:
    state = table(2, "activation", unit("a", "1"))
    (space,) = (one for one in GAME.commands(state) if one.key == "space")
    draft = Draft(command=space)
    assert (
        draft.shown_question == "5 points of initiative lapse; they do not carry over. "
        "Space ends the phase all the same."
    )
    last = state.tracks | {INITIATIVE: replace(state.tracks[INITIATIVE], value=1)}
    (once,) = (one for one in GAME.commands(replace(state, tracks=last)) if one.key == "space")
    assert Draft(command=once).shown_question.startswith(
        "1 point of initiative lapses; it does not carry"
    )
    assert after(state, draft.confirmed().order(lambda: 1)).phase_id == "drift"
    none = state.tracks | {INITIATIVE: replace(state.tracks[INITIATIVE], value=0)}
    (space,) = (one for one in GAME.commands(replace(state, tracks=none)) if one.key == "space")
    assert Draft(command=space).complete
    # Nothing can be done with it where nobody is ashore and no engineers are left.
    none = state.tracks | {ENGINEERS: replace(state.tracks[ENGINEERS], value=0)}
    alone = replace(state, tracks=none, counters=Register({}))
    (space,) = (one for one in GAME.commands(alone) if one.key == "space")
    assert Draft(command=space).complete


@pytest.mark.parametrize(("ruling", "both"), [("token", (3, 5)), ("rating", (3, 4))])
def test_o5_a_sniper_costs_initiative(ruling: str, both: tuple[int, int]) -> None:
    state = entered(table(2, "activation", unit("a", "24"), O5=ruling), Answer(text="sniper"))
    assert (left(state), state.gone, state.counters["a"].place) == (both, ("encounter",), "14")


def test_what_a_sniper_costs_stands_beside_the_large_letters() -> None:
    asked = after(table(2, "activation", unit("a", "24")), activations.Move(unit="a", to="14"))
    turned_up = Answer(text="sniper")
    verdict = large_result(turned_up.decide(asked), after(asked, turned_up))
    assert verdict is not None
    assert verdict.text == "sniper"
    assert f"{INITIATIVE}: now 3. A: to 14." in verdict.reason


def test_7_4_a_rating_never_falls_below_1() -> None:
    state = table(2, "activation", unit("a", "24"), O5="rating")
    low = replace(state.tracks[INITIATIVE + RATING], value=1)
    state = replace(state, tracks=state.tracks | {INITIATIVE + RATING: low})
    assert left(entered(state, Answer(text="sniper")))[1] == 1


def test_8_1e_a_stug_takes_a_tank_and_else_disrupts() -> None:
    tank = Counter(id="t", name="Tank", side="us", kind=TANK, group="a", place="24")
    state = entered(table(2, "activation", unit("a", "24"), tank), Answer(text="stug"))
    assert (state.counters["t"].steps, state.counters["a"].flags) == (0, ())
    for before in ((), (DISRUPTED,)):
        bare = table(2, "activation", unit("a", "24", flags=before))
        one = entered(bare, Answer(text="stug")).counters["a"]
        assert (one.steps, one.place, one.flags) == (1, "14", (DISRUPTED,))


def test_8_2_other_tokens_come_before_numbers_and_numbers_add_up() -> None:
    state = table(2, "activation", unit("a", "14"))
    asked = entered(state, to="13").agenda[0].table
    typed = ["6", "sniper"] if asked == "strongpoint" else ["sniper", "6"]
    state = entered(state, *(Answer(text=one) for one in typed), to="13")
    assert (state.tokens("13"), state.gone) == (("strongpoint 6",), ("encounter",))
    assert (state.counters["a"].place, state.counters["a"].flags) == ("14", (DISRUPTED,))
    both = table(
        2, "activation", unit("a", "14"), ground=shows("strongpoint 6", "encounter 3", at="13")
    )
    task = activations.Attack(target="13", squares=("14",)).task(both)
    assert attacks.attack_sums(both, task) == (4, 9)


# ------------------------------------------------------------------ attacks (8.4)


def test_8_4b_the_difference_that_chooses_the_column_is_given() -> None:
    state = table(2, "activation", unit("a", "24"), ground=shows("encounter 6"))
    task = activations.Attack(target="14", squares=("24",)).task(state)
    assert "difference -2, column" in rolls.outcome_of(state, task).value


def attacked(state: BloodyState, roll: int = 1, squares: tuple[str, ...] = ("24",)) -> BloodyState:
    return after(state, activations.Attack(target="14", squares=squares, numbers=(roll,)))


def test_8_4a_each_square_costs_one_and_all_its_units_take_part() -> None:
    units = unit("a", "24"), unit("b", "24", flags=(DISRUPTED,)), unit("c", "15")
    tank = Counter(id="t", name="T", side="us", kind=TANK, group="c", place="15",
                   ratings={"strength": 3, "disrupted": 1})  # fmt: skip
    state = table(2, "activation", *units, tank, ground=shows("encounter 5"))
    order = activations.Attack(target="14", squares=("24", "15"))
    assert attacks.attack_sums(state, order.task(state)) == (4 + 2 + 4 + 3, 5)
    assert left(attacked(state, squares=("24", "15")))[0] == 3
    assert "not beside" in refused(state, activations.Attack(target="14", squares=("26",)))
    assert refused(state, activations.Attack(target="14", squares=("24", "24")))


def test_8_4d_failure_disrupts_and_eliminates_who_is_disrupted() -> None:
    units = unit("a", "24"), unit("b", "24", flags=(DISRUPTED,))
    state = attacked(table(2, "activation", *units, ground=shows("encounter 5")))
    assert (state.counters["a"].flags, state.counters["b"].steps) == ((DISRUPTED,), 0)
    assert (state.tokens("14"), state.counters["a"].place) == (("encounter 5",), "24")


def test_8_4d_success_clears_and_the_first_square_advances_unharmed() -> None:
    state = table(2, "activation", unit("a", "24"), unit("b", "15"), ground=shows("encounter 5"),
                  cells={"attack": "success"})  # fmt: skip
    state = attacked(state, squares=("24", "15"))
    assert (state.is_clear("14"), state.gone) == (True, ("encounter",))
    assert [(state.counters[id].place, state.counters[id].flags) for id in "ab"] == [
        ("14", ()), ("15", ()),
    ]  # fmt: skip


def test_8_4d_success_with_disruption_takes_the_roll_and_the_strength_off() -> None:
    ground, cells = shows("strongpoint 9", "encounter 5"), {"attack": "success/disrupted"}
    state = table(2, "activation", unit("a", "24"), ground=ground, cells=cells)
    some = attacked(state, 3)  # 7 points
    assert (some.tokens("14"), some.counters["a"].place) == (("encounter 5",), "24")
    assert some.counters["a"].has(DISRUPTED)
    strong = replace(state, counters=Register({"a": unit("a", "24", ratings={"strength": 11})}))
    whole = attacked(strong, 3)
    assert (whole.is_clear("14"), whole.counters["a"].place) == (True, "14")
    assert whole.counters["a"].has(DISRUPTED)


def test_o8_success_with_disruption_may_take_all_or_none() -> None:
    ground, cells = shows("strongpoint 9", "encounter 5"), {"attack": "success/disrupted"}
    state = table(2, "activation", unit("a", "24"), ground=ground, cells=cells, O8="all")
    assert attacked(state, 3).tokens("14") == ground["14"]


@pytest.mark.parametrize(("ruling", "strength"), [("nothing", 8), ("ask", 6)])
def test_o7_attackers_of_several_commands(ruling: str, strength: int) -> None:
    units = unit("a", "24"), unit("b", "15", "29th")
    state = table(2, "activation", *units, ground=shows("encounter 5"), O7=ruling)
    order = activations.Attack(target="14", squares=("24", "15"), penalty=2 * (ruling == "ask"))
    assert attacks.attack_sums(state, order.task(state))[0] == strength
    never = table(2, "activation", *units, ground=shows("encounter 5"), O7="forbid")
    assert "O7" in refused(never, order)
    assert activations.Attack(target="14", squares=("24",)).task(never)


# ------------------------------------------------------------------ landing (6.2 to 6.5)


def test_6_2_drift_goes_east_and_leaves_the_map() -> None:
    for ruling, to in (("rising", "C14"), ("falling", "C10")):
        assert table(2, "drift", O31=ruling).rules.board.drifted("C12", 2) == to
    off = after(table(2, "drift", unit("a", "C8")), orders.Proceed(numbers=(3,)))
    assert off.counters["a"].steps == 0
    on = after(table(2, "drift", unit("a", "C5"), unit("b", "C20")), orders.Proceed(numbers=(3,)))
    assert on.counters["a"].place == "C7"


def test_5_4_after_all_have_drifted_all_go_forward_and_those_on_the_beach_roll() -> None:
    state = table(2, "drift", unit("a", "C5"), unit("b", "C20"))
    state = after(state, orders.Proceed(numbers=(3,)), orders.Proceed(numbers=(3,)))
    assert [state.counters[id].place for id in "ab"] == ["B7", "C13"]
    assert [state.counters[id].has(LANDING) for id in "ab"] == [True, False]
    assert state.phase_id == "landing"


def test_o32_the_first_wave_is_the_row_of_c1_or_of_c19() -> None:
    low = table(2, "drift").rules.board
    high = table(2, "drift", O32="high").rules.board
    assert (low.forward("C1"), low.forward("C19")) == ("B1", "C10")
    assert (high.forward("C1"), high.forward("C19")) == ("C10", "B1")
    assert low.sea.rows[-1][0] == "C19"


def landing(other: str, *, turn: int = 2, square: str = "B9", **more: Any) -> BloodyState:
    units = unit("a", square, flags=(LANDING,)), unit("b", square, other, **more)
    return table(turn, "landing", *units, ground={"9": (), "10": ()})


@pytest.mark.parametrize(
    ("group", "other", "value"),
    [("1st", "1st", 0), ("1st", "29th", 1), ("1st", "rangers", 0), ("rangers", "1st", 0),
     ("29th", "1st", 1), ("29th", "rangers", 0)],
)  # fmt: skip
def test_6_5a_another_division_on_the_beach_and_rangers(group: str, other: str, value: int) -> None:
    state = landing(other, turn=5)
    state = replace(
        state, counters=state.counters.with_counter(replace(state.counters["a"], group=group))
    )
    found = rolls.roll_modifiers(state, orders.roll_task(state, state.counters["a"]))
    assert sum(one.value for one in found) == value


def test_6_5a_an_elimination_by_another_division_alone_is_a_disruption() -> None:
    spared = after(landing("29th", turn=5), orders.Proceed(numbers=(3,)))
    assert (spared.counters["a"].steps, spared.counters["a"].flags) == (1, (DISRUPTED,))
    for state in (landing("29th", turn=4), landing("1st", turn=5)):
        assert after(state, orders.Proceed(numbers=(3,))).counters["a"].steps == 0


def test_6_5a_an_adjacent_strongpoint_counts_once_and_only_uncleared() -> None:
    for ground, value in (({}, 1), ({"9": ()}, 1), ({"9": (), "10": ()}, 0)):
        state = replace(landing("1st", turn=5), ground=ground)
        found = rolls.roll_modifiers(state, orders.roll_task(state, state.counters["a"]))
        assert sum(one.value for one in found) == value


@pytest.mark.parametrize(("ruling", "value"), [("order", 1), ("together", 0)])
def test_o17_who_landed_in_the_same_turn_is_there(ruling: str, value: int) -> None:
    units = unit("a", "B9", flags=(LANDING,)), unit("b", "B9", "29th", flags=("landed",))
    state = table(5, "landing", *units, ground={"9": (), "10": ()}, O17=ruling)
    found = rolls.roll_modifiers(state, orders.roll_task(state, state.counters["a"]))
    assert sum(one.value for one in found) == value
    waits = units[0], replace(units[1], flags=(LANDING,))
    state = table(5, "landing", *waits, ground={"9": (), "10": ()}, O17=ruling)
    assert not rolls.roll_modifiers(state, orders.roll_task(state, state.counters["a"]))


@pytest.mark.parametrize(
    ("cell", "both"), [("I+, A-", (6, 4)), ("D, I-, A+", (4, 6)), ("nothing", (5, 5))]
)
def test_7_4_a_landing_may_change_the_ratings(cell: str, both: tuple[int, int]) -> None:
    state = table(5, "landing", unit("a", "B9", flags=(LANDING,)), cells={"disruption": cell})
    state = after(state, orders.Proceed(numbers=(3,)))
    assert tuple(state.tracks[id + RATING].value for id in (INITIATIVE, ENGINEERS)) == both
    assert state.counters["a"].has(DISRUPTED) == ("D" in cell)


def test_an_arrow_that_is_typed_twice_leads_to_a_square_that_is_offered_once() -> None:
    state = table(2, "activation", unit("a", "B9"))
    owned = state.owned.with_lines({"arrows": ("B9 9 9 10",)})
    (move,) = (one for one in GAME.commands(replace(state, owned=owned)) if one.key == "m")
    *_, to = (slot for slot in move.slots({"unit": "a"}) if slot.name == "to")
    assert [option.value for option in to.options] == ["B8", "9", "10"]


@pytest.mark.parametrize(
    ("cell", "steps", "hit"),
    [("Unit Disrupted", 1, True), ("Unit Eliminated", 0, False), ("disrupted, I+", 1, True)],
)
def test_6_5a_the_words_of_the_rules_are_carried_out_as_their_letters_are(
    cell: str, steps: int, hit: bool
) -> None:
    state = table(5, "landing", unit("a", "B9", flags=(LANDING,)), cells={"disruption": cell})
    state = after(state, orders.Proceed(numbers=(3,)))
    assert (state.counters["a"].steps, state.counters["a"].has(DISRUPTED)) == (steps, hit)


def test_7_4_a_sentence_tells_that_a_rating_of_1_stays() -> None:
    state = table(5, "landing", unit("a", "B9", flags=(LANDING,)), cells={"disruption": "I-, A-"})
    lowest = replace(state.tracks[INITIATIVE + RATING], value=1)
    state = replace(state, tracks=state.tracks | {lowest.id: lowest})
    events = orders.Proceed(numbers=(3,)).decide(state)
    told = [one.text for one in events if getattr(one, "text", "")]
    assert "The initiative rating stays at 1." in told
    assert not any("engineers rating stays" in one for one in told)


# ------------------------------------------------------------------ the turn


def test_5_4a_turn_1_is_drift_and_landing_only() -> None:
    phases = table(1, "setup").sequence
    _, at = phases.advance_from(Position(1, phases.index_of("setup")))
    assert at is not None
    assert phases.phase_at(at).id == "drift"


def test_7_3_ratings_rise_by_1_each_turn_and_what_is_left_returns_to_them() -> None:
    state = table(3, "draw", unit("a", "24"))
    spent = {id: replace(state.tracks[id], value=0) for id in (INITIATIVE, ENGINEERS)}
    state = after(replace(state, tracks=state.tracks | spent), orders.Proceed())
    assert left(state) == (6, 6)
    assert state.tracks[ENGINEERS].value == 6


def test_5_2_events_befall_units_beside_tokens_and_o14_the_first_wave() -> None:
    units = unit("a", "24"), unit("b", "C3"), unit("c", "C12"), unit("d", "B9"), unit("e", "40")
    ground = {"9": (), "10": (), "30": (), "39": ()}
    state = table(3, "event", *units, ground=ground)
    assert {*state.exposed()} == {"24", "C3"}
    assert {*state.uncleared_beside("24")} == {"14", "23", "25", "34"}
    assert refused(state, orders.RandomEvent(square="40", numbers=(2,)))
    assert refused(state, orders.RandomEvent(square="24", target="13", numbers=(2,)))
    assert (
        after(state, orders.RandomEvent(square="24", target="34", numbers=(2,))).phase_id
        == "activation"
    )


@pytest.mark.parametrize("square", ["C0", "C28", "C29"])
def test_the_channel_has_the_squares_c1_to_c27_and_no_unit_is_put_on_another(square: str) -> None:
    assert PLACE.read("c27") == "C27"
    with pytest.raises(UnfitAnswer, match="A square such as"):
        PLACE.read(square)


def test_5_2_a_square_that_is_not_typed_in_holds_a_token() -> None:
    state = begun(1).state
    assert state.square("16") is None
    assert state.uncleared_beside("6") == ("5", "7", "16")
    assert not state.is_clear("16")


def test_5_3d_a_rally_costs_one_and_o22_where_it_may_be() -> None:
    one = unit("a", "24", flags=(DISRUPTED,))
    state = after(table(2, "activation", one), activations.Rally(unit="a"))
    assert (state.counters["a"].flags, left(state)[0]) == ((), 4)
    assert "O22" in refused(table(2, "activation", one, O22="apart"), activations.Rally(unit="a"))
    clear = dict.fromkeys(("14", "23", "25", "34"), ())
    assert after(
        table(2, "activation", one, O22="apart", ground=clear), activations.Rally(unit="a")
    )
    assert refused(
        table(2, "activation", unit("a", "C3", flags=(DISRUPTED,))), activations.Rally(unit="a")
    )


def test_5_3f_reinforcements_come_from_turn_3_to_c19_to_c27() -> None:
    order = activations.Reinforce(unit="a", to="C22")
    assert "turn 3" in refused(table(2, "activation", unit("a", "R")), order)
    state = after(table(3, "activation", unit("a", "R")), order)
    assert (state.counters["a"].place, left(state)[0]) == ("C22", 4)
    assert "C19" in refused(table(3, "activation", unit("a", "R")), replace(order, to="C12"))


# ------------------------------------------------------------------ engineers and tanks (8.3, 8.5)


def test_8_5_engineers_cost_an_initiative_and_their_assets() -> None:
    order = activations.UseEngineers(place="B4", assets=3, numbers=(3,))
    state = after(table(2, "activation"), order)
    assert (left(state)[0], state.tracks[ENGINEERS].value) == (4, 2)
    assert (state.has_gap("B4"), state.score().points) == (True, 1)
    failed = after(table(2, "activation", cells={"engineers": "failure"}), order)
    assert not failed.has_gap("B4")
    assert refused(state, order)
    assert refused(table(2, "activation"), replace(order, assets=6))


def test_8_5b_engineers_clear_mines_and_score_them() -> None:
    state = table(2, "activation", ground=shows("encounter mines"))
    state = after(state, activations.UseEngineers(place="14", numbers=(3,)))
    assert (state.is_clear("14"), state.gone) == (True, ("encounter",))


def test_o28_squares_beside_mines_are_asked_for_where_they_count() -> None:
    for ruling, asked in (("beach", False), ("everywhere", True)):
        state = table(4, "activation", ground=shows("encounter mines"), O28=ruling)
        blank = replace(state, owned=replace(state.owned, squares=("H14",)))
        command = next(one for one in GAME.commands(blank) if one.key == "e")
        text = Draft(command=command).answered("14").shown_question
        assert text.startswith("What is square") == asked


@pytest.mark.parametrize(("ruling", "value"), [("beach", 0), ("everywhere", 1)])
def test_o28_strongpoints_beside_mines_inland(ruling: str, value: int) -> None:
    state = table(4, "activation", ground=shows("encounter mines"), O28=ruling)
    order = activations.UseEngineers(place="14")
    assert sum(one.value for one in rolls.roll_modifiers(state, order.task())) == value


def test_8_3_a_tank_goes_over_cleared_squares_and_from_a_beach_through_a_cleared_exit() -> None:
    tank = Counter(id="t", name="Tank", side="us", kind=TANK, group="a", place="B2")
    units = unit("a", "B2"), unit("b", "13"), unit("c", "B3")
    state = table(2, "activation", *units, tank, ground={"3": (), "13": ()})
    order = activations.ShiftTank(tank="t", to="b")
    assert "path" in refused(state, order)  # B2 leads to 3, which has no exit
    state = replace(state, ground={"2": (), "3": (), "13": ()})
    shifted = after(state, order)
    assert (shifted.counters["t"].place, shifted.counters["t"].group) == ("13", "b")
    assert left(shifted)[0] == 4
    assert refused(replace(state, ground={"2": (), "3": ()}), order)
    assert state.path("B2", "3") == ("B2", "2", "3")
    # an exit that leads nowhere does not open the other squares of the bluff
    assert not replace(state, ground={"2": (), "5": ()}).path("B5", "5")
    inland = replace(state, counters=state.counters.with_counter(replace(tank, place="3")))
    assert after(replace(inland, ground={"3": (), "13": ()}), order).counters["t"].place == "13"


def test_8_3_only_units_that_a_path_reaches_are_offered_for_a_tank() -> None:
    tank = Counter(id="t", name="Tank", side="us", kind=TANK, group="a", place="B2")
    units = unit("a", "B2"), unit("b", "13"), unit("c", "9")
    state = table(2, "activation", *units, tank, ground={"2": (), "3": (), "13": ()})
    command = next(one for one in GAME.commands(state) if one.key == "t")
    slot = Draft(command=command).answered("t").slot
    assert isinstance(slot, Choose)
    reasons = {one.value: one.why_not for one in slot.options}
    assert reasons == {"b": "", "c": state.why_no_path("B2", "9")}  # not its own unit
    assert reasons["c"] in refused(state, activations.ShiftTank(tank="t", to="c"))


def test_8_3_only_a_tank_ashore_is_offered_while_no_beach_has_a_gap() -> None:
    ashore = Counter(id="t", name="Tank", side="us", kind=TANK, group="a", place="24")
    at_sea = Counter(id="s", name="Swimmer", side="us", kind=TANK)
    state = table(2, "activation", unit("a", "24"), ashore, at_sea)
    slot = Draft(command=next(one for one in GAME.commands(state) if one.key == "t")).slot
    assert isinstance(slot, Choose)
    reasons = {one.value: one.why_not for one in slot.options}
    assert reasons["t"] == ""
    assert "there is none yet" in reasons["s"]


def test_8_3_a_tank_lands_on_a_beach_with_a_gap() -> None:
    tank = Counter(id="t", name="Tank", side="us", kind=TANK)
    state = table(2, "activation", unit("a", "B2"), tank)
    assert "gap" in refused(state, activations.ShiftTank(tank="t", to="B2"))
    gap = replace(state, ground={"B2": ("gap",)})
    for to, group in (("B2", ""), ("a", "a")):
        landed = after(gap, activations.ShiftTank(tank="t", to=to))
        assert (landed.counters["t"].place, landed.counters["t"].group) == ("B2", group)
        assert left(landed)[0] == 5


def test_a_tank_moves_with_its_unit() -> None:
    tank = Counter(id="t", name="Tank", side="us", kind=TANK, group="a", place="24")
    state = table(2, "activation", unit("a", "24"), tank, ground={"14": ()})
    assert entered(state).counters["t"].place == "14"


def test_8_3_a_tank_is_always_with_a_unit() -> None:
    tank = Counter(id="t", name="Tank", side="us", kind=TANK, group="a", place="24")
    units = [unit(id, "24", flags=(DISRUPTED,)) for id in "ab"]
    for there, found in ((units, ("b", "24")), (units[:1], ("", ""))):
        run = Run(table(2, "activation", *there, tank))
        run.eliminate(run.state.counters["a"])
        assert (run.state.counters["t"].group, run.state.counters["t"].place) == found
        assert run.state.counters["t"].steps == 1  # it may land again
    failed = attacked(table(2, "activation", *units, tank, ground=shows("encounter 5")))
    assert failed.counters["t"].place == ""


def test_2_4_points_are_those_of_what_is_cleared() -> None:
    ground = {"1": (), "2": (), "20": (), "31": (), "14": ("encounter mines",)}
    state = replace(
        table(2, "activation", unit("a", "R"), ground=ground), gone=("strongpoint", "encounter")
    )
    by = {one.label: one.value for one in state.score().sources if one.value}
    assert by == {"strongpoints": 2, "encounters": 1, "towns and exits": 2, "southern row": 1,
                  "reinforcements": 1}  # fmt: skip
    assert [one.exit for one in state.cleared() if one.exit] == ["D1"]


def test_the_guided_list_names_every_thing_once() -> None:
    names = begun(1).state.missing()
    assert {"the strongpoint tokens (0 of 13)", "the encounter tokens (0 of 32)"} <= {
        *names.values()
    }
    assert len(names) == len(LAST.rules.lines) + len(LAST.tables.titles)
    assert not LAST.missing()


def test_a_random_event_on_a_square_that_is_not_typed_in_asks_what_it_is() -> None:
    state = table(3, "event", unit("a", "24"))
    blank = replace(state, owned=replace(state.owned, squares=()))
    order = orders.RandomEvent(square="24", target="34", numbers=(2,))
    assert "square 24" in refused(blank, order)
    typed_in = replace(order, typed=(("squares", "T24"),))
    assert after(blank, typed_in).phase_id == "activation"


def test_one_token_is_asked_for_as_one_and_a_drift_as_squares() -> None:
    def asked(task: Task) -> str:
        state = replace(table(1, "drift", unit("a", "C5")), agenda=(task,))
        return Draft(command=GAME.prompt(state)).shown_question

    token = asked(Task(kind="token", place="4", table="encounter"))
    assert token.endswith("lies on 4? A number, event, mines, sniper or stug.")
    drift = asked(Task(kind="fill", table="drift", roll=3))
    assert drift.endswith("how many squares to the east does your table say for 3?")


def test_a_card_that_is_asked_back_when_none_is_left_is_none() -> None:
    """The line that drew them may have been made void."""
    state = replace(table(1, "drift"), agenda=(Task(kind="keep"),))
    prompt = GAME.prompt(state)
    assert [one.label for one in Draft(command=prompt).slot.options] == ["none"]
    assert after(state, Answer(text="")).agenda == ()


# ------------------------------------------------------------------ what is asked when it is needed


def opened(**answers: Any) -> Any:
    """A game in which everything is put off."""
    play = begun(1, reading="own", **answers)
    give(play, "e")
    return play


def keyed(play: Any, key: str) -> Draft[Any]:
    return Draft(command=next(one for one in GAME.commands(play.state) if one.key == key))


def test_a_card_that_a_player_drew_is_in_the_deck_again_if_the_line_is_void() -> None:
    play = opened(chance="own")
    order(play, read_words(keyed(play, "space"), []).confirmed().order(lambda: 1))
    deck = play.state.deck
    give(play, "One")
    assert play.state.hand == ("One",)
    play.accept(play.possible("void", play.entries[-1].number))
    assert play.state.deck == deck
    give(play, "One")
    assert play.state.hand == ("One",)


@pytest.mark.parametrize("chance", ["own", "program"])
def test_4_5_who_draws_an_unknown_card_types_it_and_it_is_remembered(chance: str) -> None:
    play = opened(chance=chance)
    order(play, read_words(keyed(play, "space"), []).confirmed().order(lambda: 1))
    assert len(play.state.deck.unseen) == 18
    assert "Which card did you draw?" in GAME.prompt(play.state).slots({})[0].text
    give(play, "One")
    with pytest.raises(UnfitAnswer, match=r"^Nothing is typed\."):
        give(play, "")
    for line in ("Two | 1+ go | 2-3 halt", "Three | 9 rest"):
        give(play, line)
    assert (play.state.hand, len(play.state.deck.unseen)) == (("One", "Two", "Three"), 15)
    keep = GAME.prompt(play.state).slots({})[0]
    assert [one.note for one in keep.options] == [
        "", "go (from turn 1 on); halt (turn 2-3)", "rest (turn 9)",
    ]  # fmt: skip
    give(play, "b")
    assert (play.state.hand, play.state.agenda) == (("One", "Three"), ())
    assert play.state.owned.options_of["Two"][1].text == "halt"
    draft = keyed(play, "p").answered("One")  # only its name is known
    assert draft.shown_question.startswith("What does One say?")
    assert not draft.confirmed().order(lambda: 1).typed  # it may be left out
    order(play, read_words(draft, ["1+", "shout"]).answered(0).order(lambda: 1))
    assert (play.state.hand, play.state.deck.drawn) == (("Three",), ("One",))
    assert "turn 9" in refused(play.state, orders.PlayCard(card="Three"))
    assert play.state.owned.cards[0] == "One | 1+ shout"


def test_4_5_a_game_may_be_played_without_cards_until_one_is_typed_in() -> None:
    play = opened(chance="program")
    order(play, orders.Proceed())
    asked = Draft(command=GAME.prompt(play.state))
    for key in ("enter", "space"):  # pressed to go on, and no answer
        with pytest.raises(UnfitAnswer, match="Nothing is typed"):
            asked.press(key)
    assert give(play, "None") == "This game is played without cards."
    assert (play.state.agenda, play.state.phase_id) == ((), "drift")
    draw = replace(play.state, position=Position(2, play.state.sequence.index_of("draw")))
    assert after(draw, orders.Proceed()).agenda == ()
    order(play, read_words(keyed(play, "+").answered("tanks"), ["1/1 1/1 1/1"]).order(lambda: 1))
    assert not play.state.plays_cards
    order(play, read_words(keyed(play, "+").answered("cards"), ["One"]).order(lambda: 1))
    assert len(play.state.deck.unseen) == 18


def test_5_1_an_empty_deck_is_the_discards_shuffled_again() -> None:
    state = table(2, "draw")
    played = replace(state.deck, unseen=(), drawn=("Card 3",), seed=1)
    state = after(replace(state, cups=state.cups | {"cards": played}), orders.Proceed())
    assert (state.hand, state.deck.unseen, state.deck.drawn) == (("Card 3",), (), ())


def test_units_and_the_last_turn_are_asked_for_when_they_are_needed() -> None:
    play = opened(chance="program")
    begin = keyed(play, "space")
    assert begin.shown_question.startswith("The units: ")
    order(play, read_words(begin, ["Able,", "1st,", "4/2,", "C3"]).order(lambda: 1))
    assert [one.name for one in play.state.at_sea()] == ["Able"]
    turn_2 = replace(
        play.state, agenda=(), position=Position(2, play.state.sequence.index_of("draw"))
    )
    command = next(one for one in GAME.commands(turn_2) if one.key == "space")
    assert (
        after(turn_2, read_words(Draft(command=command), ["6"]).order(lambda: 1)).sequence.turns
        == 6
    )
    turn_3 = replace(turn_2, position=Position(3, play.state.sequence.index_of("activation")))
    reserve = Draft(command=next(one for one in GAME.commands(turn_3) if one.key == "i"))
    reserve = read_words(reserve, ["Baker,", "29th,", "3/1,", "R"])
    assert [one.label for one in reserve.slot.options] == ["Baker"]


def test_5_2_a_square_or_an_arrow_that_is_not_typed_in_may_hold_a_token() -> None:
    state = table(3, "event", unit("a", "24"), unit("b", "B4"))
    blank = replace(state, owned=replace(state.owned, squares=(), arrows=()))
    assert blank.exposed() == ("24", "B4")
    assert {*blank.uncleared_beside("24")} == {"14", "23", "25", "34"}
    assert not blank.uncleared_beside("B4")
    events = next(one for one in GAME.commands(blank) if one.key == "space")
    assert "arrows of B4" in Draft(command=events).answered("B4").shown_question


def test_o8_the_player_chooses_between_tokens_worth_the_same() -> None:
    ground, cells = shows("strongpoint 7", "encounter 7"), {"attack": "success/disrupted"}
    state = table(2, "activation", unit("a", "24"), ground=ground, cells=cells)
    asked = attacked(state, 3)
    assert [one.label for one in GAME.prompt(asked).slots({})[0].options] == [*ground["14"]]
    assert "Choose" in refused(asked, Answer(text="encounter 8"))
    chosen = after(asked, Answer(text="encounter 7"))
    assert (chosen.tokens("14"), chosen.agenda) == (("strongpoint 7",), ())
    assert (chosen.counters["a"].place, chosen.counters["a"].flags) == ("24", (DISRUPTED,))


def test_a_unit_that_was_taken_from_the_sea_by_hand_does_not_drift() -> None:
    state = table(2, "drift", unit("a", "C3"), cells={"drift": None})
    asked = after(state, orders.Proceed(unit="a", numbers=(3,)))
    ashore = asked.counters.with_counter(unit("a", "14"))
    assert after(replace(asked, counters=ashore), Answer(text="2")).phase_id == "drift"


def test_a_roll_for_all_has_one_large_result_and_each_unit_a_row_in_the_journal() -> None:
    play = whole(3, chance="program", reading="own")
    while play.state.agenda:
        give(play, "a")
    order(play, orders.Proceed())
    while play.state.agenda:
        give(play, "a")
    text = order(play, orders.Proceed())
    verdict = GAME.verdict(play)
    assert verdict.text.endswith((" rolls", " lost"))
    assert "tays: " in verdict.reason
    rows = GAME.journal(play)[-1].rows
    assert " ".join(rows) == text
    assert sum(row.startswith("Drift, ") for row in rows) == 22


def test_the_end_is_shown_with_its_result_and_the_points_by_source() -> None:
    play = opened(chance="program")
    order(play, keyed(play, "X").order(lambda: 1))
    verdict = GAME.verdict(play)
    assert (verdict.text, verdict.reason) == (
        "defeat", "The game is over: 0 points, defeat. Points 0.",
    )  # fmt: skip
    assert GAME.due(play).blocks == ()


def test_6_2_the_chances_of_drift_say_where_it_leads() -> None:
    state = table(5, "drift", unit("a", "C8"), cells={"drift": "2"})
    state = replace(state, tables=state.tables.with_cell("drift", 3, "result", "0"))
    one = next(one for one in GAME.commands(state) if one.key == "o")
    text = repr(Draft(command=one).answered("a").page)
    assert "stays 17%, off the map 83%" in text
    near = replace(state, counters=Register({"a": unit("a", "C3")}))
    one = next(one for one in GAME.commands(near) if one.key == "o")
    assert "stays 17%, 2 east to C5 83%" in repr(Draft(command=one).answered("a").page)


@pytest.mark.parametrize("table_id", ["drift", "town"])
def test_a_table_that_is_typed_in_cell_by_cell_may_wait_from_any_cell_on(table_id: str) -> None:
    play = begun(1, reading="own")
    while play.state.agenda[0].place != table_id:
        give(play, "l")
    give(play, "n")
    give(play, "1")
    assert "the rest later" in hint_of(Draft(command=GAME.prompt(play.state)))
    left_to_ask = len([one for one in play.state.agenda if one.kind == "enter"])
    order(play, Draft(command=GAME.prompt(play.state)).confirmed().order(lambda: 1))
    assert [one.kind for one in play.state.agenda] == ["enter"] * left_to_ask
    assert len([*play.state.tables.missing(table_id)]) == len(play.state.tables.rolls(table_id)) - 1


# ------------------------------------------------------------------ what many rolls came to

SENTENCES = ("A is disrupted.", "B is eliminated.", "C is disrupted: nothing but another division.")


def many_rolls(*effects: BloodyHappened) -> str:
    """What stands below the large letters of four rolls that led to these effects."""
    landings = [BloodyHappened(text="A landing.", result="D", effect="") for _ in range(4)]
    verdict = large_result([*landings, *effects], LAST)
    assert verdict is not None
    return verdict.reason


def test_many_rolls_name_whom_each_effect_hit() -> None:
    state = table(2, "activation", unit("a", "24"), unit("b", "24"), unit("c", "15"))
    run = Run(state)
    run.disrupt(state.counters["a"])
    # A tank that stays behind is told in the same sentence, and is no part of the effect.
    tank = Counter(id="t", name="Tank", side="us", kind=TANK, group="b", place="24")
    run.state = replace(run.state, counters=run.state.counters.with_counter(tank))
    run.eliminate(run.state.counters["b"])
    run.disrupt(state.counters["c"], ": nothing but another division made it worse")
    assert many_rolls(*run.events) == "D: 4. Disrupted: A, C. Eliminated: B."


def test_many_rolls_of_an_earlier_version_still_name_them() -> None:
    stored = [{"event": "happened", "text": text} for text in SENTENCES]
    effects = msgspec.convert(stored, list[BloodyHappened])
    assert many_rolls(*effects) == "D: 4. Disrupted: A, C. Eliminated: B."


def test_a_sentence_without_an_effect_hits_nobody() -> None:
    """Nothing is read out of a new sentence, whatever words it has."""
    run = Run(LAST)
    run.say("Card 1 is played: as printed.")
    assert many_rolls(*run.events) == "D: 4."
