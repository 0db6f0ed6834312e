"""The book kept right by hand: losses without a shot, men back, more of them, notes, the clock."""

from __future__ import annotations

import pytest
from stage import CARDS, Table, armies, lost, of, scenario

from skirmish.games.plastic.battle.agenda import OutcomeAsk
from skirmish.games.plastic.battle.events import Added, Finished, Lost, PieceRestored
from skirmish.games.plastic.battle.lines import lines
from skirmish.games.plastic.battle.orders import (
    Add,
    AddNote,
    AnyOrder,
    Convert,
    Correct,
    EndPhase,
    EndTurn,
    Exit,
    Finish,
    GroupMoved,
    Load,
    PlayOn,
    Seal,
    SetClock,
    Unseal,
)
from skirmish.games.plastic.battle.state import Clock
from skirmish.games.plastic.battle.strength import beating_loss, side_strength

MEN = {"rifle": 20, "machinegun": 4, "truck": 2, "tank": 1}
RIFLE, MG, TRUCK = (f"first/first/{unit}" for unit in ("rifle", "machinegun", "truck"))


def table_of() -> Table:
    return armies(MEN, MEN)


# ------------------------------------------------------------------ minus


def test_men_are_taken_off_without_a_shot() -> None:
    """-3r."""
    table = table_of()
    assert lost(table.order(Correct(row=RIFLE, by=-3))) == ["rifle"] * 3
    assert table.alive("first", "rifle") == 17
    assert table.state.loss["first"] == 3
    assert set(table.state.lost.values()) == {None}, "nobody's kill"


def test_a_model_taken_off_takes_its_riders() -> None:
    """Loading or Unloading."""
    table = table_of()
    table.order(Load(carrier=TRUCK, riders={RIFLE: 4}))
    trucks = len(table.row("first", "truck").alive)
    events = table.order(Correct(row=TRUCK, by=-trucks))
    assert lost(events) == [*["truck"] * trucks, *["rifle"] * 4]
    assert [event.aboard for event in of(Lost, events)][trucks:] == [True, True, True, True]
    assert table.state.loss["first"] == 5 * trucks + 4


def test_more_than_there_are_cannot_be_lost() -> None:
    """A fourth tank of three is nonsense."""
    refusal = table_of().refusal(Correct(row=RIFLE, by=-21))
    assert (refusal.code, refusal.firm) == ("too_few", True)
    assert "20" in refusal.message
    assert "21" in refusal.message


def test_riders_can_be_taken_off_too() -> None:
    table = armies({"rifle": 4, "truck": 1, "tank": 3}, MEN)
    table.order(Load(carrier=TRUCK, riders={RIFLE: 4}))
    table.order(Correct(row=RIFLE, by=-2))
    assert len(table.state.riders_of("first:K1")) == 2


def test_men_who_have_not_come_yet_can_be_taken_off() -> None:
    """Scenario 9: the wave is smaller today."""
    table = scenario(9)
    table.order(Correct(row="german/reaction/rifle", by=-10))
    assert table.alive("german", "rifle") == 8 + 40
    assert len(table.state.lost) == 10


def test_losses_taken_by_hand_break_an_army() -> None:
    """P74."""
    table = armies({"rifle": 10}, {"rifle": 10})
    (end,) = of(Finished, table.order(Correct(row=RIFLE, by=-5)))
    assert end.winner == "second"


# ------------------------------------------------------------------ plus


def test_men_stand_again() -> None:
    """+r."""
    table = table_of()
    table.order(Correct(row=RIFLE, by=-3))
    events = table.order(Correct(row=RIFLE, by=2))
    assert len(of(PieceRestored, events)) == 2
    assert table.alive("first", "rifle") == 19
    assert table.state.loss["first"] == 1


def test_a_man_who_was_shot_stands_again() -> None:
    table = table_of()
    table.fire("rifle", "machinegun", "5H", close=True)
    table.order(Correct(row=MG, by=1))
    assert not table.state.lost


def test_more_than_were_lost_cannot_stand_and_adding_is_offered() -> None:
    """Advice: ! adds one."""
    table = table_of()
    table.order(Correct(row=RIFLE, by=-1))
    refusal = table.refusal(Correct(row=RIFLE, by=2))
    assert (refusal.code, refusal.firm) == ("all_stand", False)
    assert table.refusal(Correct(row=MG, by=1)).code == "all_stand"


def test_a_gunner_who_became_a_rifleman_stands_again_as_one() -> None:
    table = armies({"machinegun": 2, "rifle": 20}, MEN)
    table.at(1, "second")
    table.fire("machinegun", "rifle", "QS", "2S")
    table.order(Correct(row=RIFLE, by=-21))
    table.order(PlayOn())
    table.order(Correct(row=RIFLE, by=21))
    assert table.alive("first", "rifle") == 21
    assert table.alive("first", "machinegun") == 1


@pytest.mark.parametrize(
    ("order", "code"),
    [
        (Correct(row=RIFLE, by=0), "nothing"),
        (Correct(row="first/first/jeep", by=-1), "unknown_row"),
        (Correct(row="nonsense", by=-1), "unknown_row"),
        (Correct(row="third/first/rifle", by=1), "unknown_row"),
        (Add(row=RIFLE, count=0), "bad_count"),
        (Add(row=RIFLE, count=100), "bad_count"),
        (Add(row="first/first/dragon"), "unknown_row"),
        (Add(row="first/second/rifle"), "unknown_row"),
        (Add(row="first/nowhere/rifle"), "unknown_row"),
        (Add(row="third/first/rifle"), "unknown_row"),
        (Add(row="rifle"), "unknown_row"),
    ],
)
def test_nonsense_is_refused_in_a_sentence(order: AnyOrder, code: str) -> None:
    refusal = table_of().refusal(order)
    assert (refusal.code, refusal.firm) == (code, True)
    assert refusal.message.endswith(".")


# ------------------------------------------------------------------ more of them


def test_men_who_were_forgotten_are_added() -> None:
    table = table_of()
    (event,) = of(Added, table.order(Add(row=RIFLE, count=2)))
    assert [piece.code for piece in event.pieces] == ["R21", "R22"]
    assert table.alive("first", "rifle") == 22
    assert table.row("first", "rifle").total == 22


def test_the_army_is_stronger_by_them() -> None:
    table = table_of()
    whole, at = side_strength(table.state, "first"), beating_loss(table.state, "first")
    assert at is not None
    table.order(Add(row="first/first/tank", count=2))
    assert side_strength(table.state, "first") == whole + 10
    assert beating_loss(table.state, "first") == at + 5


def test_they_fire_and_die_like_others() -> None:
    table = armies({"rifle": 20}, {"rifle": 1, "tank": 9}, sources=(CARDS, CARDS))
    table.order(Add(row="second/second/rifle"))
    table.fire("rifle", "rifle", "9H")
    table.fire("rifle", "rifle", "5H")
    credit = table.state.lost["first:R1"]
    assert credit is not None
    assert credit.piece == "second:R2"
    table.order(Correct(row="second/second/rifle", by=-2))
    assert table.alive("second", "rifle") == 0


def test_a_unit_that_was_not_there_at_all_may_be_added() -> None:
    table = table_of()
    table.order(Add(row="first/first/jeep"))
    assert table.alive("first", "jeep") == 1


# ------------------------------------------------------------------ words


def test_a_note_is_a_line_and_changes_nothing() -> None:
    table = table_of()
    before = table.state
    table.order(AddNote("  The cat took the hill. "))
    assert table.state == before
    assert lines(table.play)[-1].text == "Note: The cat took the hill."


@pytest.mark.parametrize("text", ["", "   ", "x" * 501])
def test_a_note_has_words_and_not_too_many(text: str) -> None:
    refused_note = table_of().refusal(AddNote(text))
    refused_secret = table_of().refusal(Seal(side="first", text=text))
    assert refused_note.firm
    assert "note" in refused_note.message
    assert refused_secret.firm
    assert "secret" in refused_secret.message


def test_a_note_may_be_made_at_any_time() -> None:
    table = table_of()
    table.order(table.shot("rifle", "rifle"))
    ask = table.state.ask
    table.order(AddNote("Coffee."))
    assert table.state.ask == ask
    table.show("9H")
    table.order(Finish(winner=None))
    table.order(AddNote("Good game."))
    assert table.state.outcome is not None


def test_what_is_sealed_is_told_only_when_it_is_opened() -> None:
    table = table_of()
    table.order(Seal(side="first", text="Cannon behind the mill."))
    assert "mill" not in " ".join(line.text for line in lines(table.play))
    assert "mill" not in str(table.state.sealed)
    assert table.refusal(Unseal("second")).code == "nothing_sealed"
    table.order(Unseal("first"))
    assert "Cannon behind the mill." in lines(table.play)[-1].text
    assert table.refusal(Unseal("first")).code == "nothing_sealed"


# ------------------------------------------------------------------ the clock


def test_the_clock_is_set_and_nothing_else_changes() -> None:
    table = table_of()
    table.order(Correct(row=RIFLE, by=-1))
    table.order(SetClock(turn=7, side="second", phase=2))
    assert table.state.clock == Clock(7, "second", 2)
    assert table.state.loss["first"] == 1
    assert all(not source.shuffles for source in table.state.sources.values())


def test_in_another_player_turn_everybody_may_fire() -> None:
    table = table_of()
    table.fire("machinegun", "rifle", "9H")
    table.order(SetClock(turn=2, side="first", phase=1))
    assert table.ready("second", "machinegun") == 4
    assert not table.state.judged


def test_a_phase_put_right_leaves_the_turn_as_it_was() -> None:
    """The clock forgives: one key too many at the end of a phase."""
    table = armies(MEN, MEN, quality={"first": "green"})
    table.fire("machinegun", "rifle", "9H")
    table.order(GroupMoved())
    table.show("9H")
    table.order(EndPhase())
    table.order(SetClock(turn=1, side="first", phase=1))
    assert table.ready("second", "machinegun") == 3
    assert table.state.movement_over
    assert len(table.state.judged) == 1


@pytest.mark.parametrize(
    ("turn", "side", "phase", "code"),
    [
        (0, "first", 1, "no_such_turn"),
        (1000, "first", 1, "no_such_turn"),
        (1, "third", 1, "unknown_side"),
        (1, "first", 0, "no_such_phase"),
        (1, "first", 5, "no_such_phase"),
    ],
)
def test_a_moment_that_no_clock_shows_is_refused(
    turn: int, side: str, phase: int, code: str
) -> None:
    refusal = table_of().refusal(SetClock(turn=turn, side=side, phase=phase))
    assert (refusal.code, refusal.firm) == (code, True)


def test_a_player_turn_ends_with_one_key_whatever_its_phase() -> None:
    for phase in (1, 2, 3, 4):
        table = table_of().at(1, "first", phase)
        table.order(EndTurn())
        assert table.state.clock == Clock(1, "second", 1)


# ------------------------------------------------------------------ the end


def test_players_end_it_as_they_like_and_go_on_if_they_like() -> None:
    table = table_of()
    assert table.refusal(PlayOn()).code == "not_over"
    table.order(Finish(winner="second", reason="Supper."))
    table.order(PlayOn())
    assert (table.state.outcome, table.state.open_end) == (None, True)
    table.order(EndPhase())


def test_when_players_go_on_the_program_ends_nothing_more() -> None:
    table = armies({"rifle": 10}, {"rifle": 10})
    table.order(Correct(row=RIFLE, by=-5))
    assert table.state.outcome is not None
    table.order(PlayOn())
    table.order(Correct(row=RIFLE, by=-4))
    assert table.state.outcome is None
    table.order(SetClock(turn=30, side="second", phase=4))
    table.order(EndTurn())
    assert table.state.outcome is None
    assert not isinstance(table.state.ask, OutcomeAsk)


def test_a_gun_left_behind_is_no_loss() -> None:
    """Scenario 10: MG emplaced, abandoned, a rifleman from now on."""
    table = scenario(10)
    guns = "german/emplacements/machinegun"
    table.order(Convert(row=guns, count=2))
    assert table.alive("german", "machinegun") == 4
    assert not table.state.loss.get("german")
    assert table.refusal(Convert(row=guns, count=5)).code == "too_many"
    assert table.refusal(Convert(row="german/bluffs/rifle")).code == "no_change"


def test_who_has_left_stands_again_with_a_plus() -> None:
    table = table_of()
    table.order(Exit(row=RIFLE, count=2))
    table.order(Correct(row=RIFLE, by=2))
    assert table.alive("first", "rifle") == 20
    assert table.row("first", "rifle").exited == 0


def test_of_models_that_differ_an_empty_one_is_taken_off() -> None:
    """Nobody said that the men aboard of the other had died."""
    table = table_of()
    table.order(Load(carrier=TRUCK, riders={RIFLE: 4}))
    assert lost(table.order(Correct(row=TRUCK, by=-1))) == ["truck"]
