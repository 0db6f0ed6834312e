"""What only eyes can count: guys on a bridge, buildings held; at the end, and at any time."""

from __future__ import annotations

import pytest
from stage import Table, of, scenario

from skirmish import library
from skirmish.games.plastic.battle.agenda import OutcomeAsk, RepeatAsk
from skirmish.games.plastic.battle.events import Counted, Finished
from skirmish.games.plastic.battle.lines import lines
from skirmish.games.plastic.battle.orders import (
    AddNote,
    Correct,
    Count,
    EndPhase,
    EndTurn,
    Finish,
    Fire,
    PlayOn,
    SetClock,
)
from skirmish.games.plastic.battle.progress import victory_status
from skirmish.games.plastic.battle.victory import victory_kind

WHO = {4: ("german",), 5: ("german", "russian"), 6: ("british",)} | {
    9: ("british", "german"),
    10: ("american", "german"),
}
LAST = {4: (12, "german"), 5: (10, "german"), 6: (9, "german")} | {
    9: (24, "german"),
    10: (15, "german"),
}


def at_the_end(number: int, **answers: str) -> Table:
    """The last player turn is over, and the program asks."""
    table = scenario(number, answers=answers).at(*LAST[number])
    table.order(EndTurn())
    assert table.state.ask == OutcomeAsk(count=True)
    return table


@pytest.mark.parametrize("number", library.published_scenarios())
def test_only_what_eyes_must_count_is_asked(number: int) -> None:
    state = scenario(number).state
    assert victory_kind(state).counted_sides == WHO.get(number, ())
    assert bool(victory_kind(state).question) == (number in WHO)


@pytest.mark.parametrize(
    ("number", "asked"),
    [
        (4, "Buildings held alone or entered last"),
        (5, "Buildings with only their guys inside"),
        (6, "Guys and models within 3 in of the centre"),
        (9, "Guys on the bridge"),
        (10, "Guys in buildings"),
    ],
)
def test_the_question_says_what_is_counted(number: int, asked: str) -> None:
    assert victory_kind(scenario(number).state).question == asked


@pytest.mark.parametrize("number", WHO)
def test_it_is_asked_when_the_last_player_turn_ends_and_not_before(number: int) -> None:
    turn, side = LAST[number]
    table = scenario(number).at(turn, side, 4)
    assert table.state.ask is None
    table.order(EndPhase())
    assert table.state.ask == OutcomeAsk(count=True)
    assert table.state.outcome is None


@pytest.mark.parametrize(
    ("number", "values", "winner"),
    [
        (4, {"german": 3}, "british"),
        (4, {"german": 4}, "german"),
        (4, {"german": 7}, "german"),
        (4, {"german": 0}, "british"),
        (5, {"german": 4, "russian": 2}, "german"),
        (5, {"german": 3, "russian": 2}, "russian"),
        (5, {"german": 1, "russian": 0}, "german"),
        (5, {"german": 0, "russian": 0}, "russian"),
        (5, {"german": 0, "russian": 5}, "russian"),
        (6, {"british": 0}, "german"),
        (6, {"british": 1}, "british"),
        (9, {"british": 5, "german": 4}, "british"),
        (9, {"british": 0, "german": 1}, "german"),
        (9, {"british": 3, "german": 3}, None),
        (9, {"british": 0, "german": 0}, None),
        (10, {"american": 6, "german": 5}, "american"),
        (10, {"american": 5, "german": 6}, "german"),
        (10, {"american": 5, "german": 5}, "german"),
    ],
)
def test_the_count_decides(number: int, values: dict[str, int], winner: str | None) -> None:
    table = at_the_end(number)
    events = table.order(Count(values=values))
    assert [end.winner for end in of(Finished, events)] == [winner]
    assert table.state.outcome is not None
    assert table.state.ask is None


@pytest.mark.parametrize("number", WHO)
def test_a_count_in_between_decides_nothing(number: int) -> None:
    table = scenario(number).at(3, "german")
    events = table.order(Count(values=dict.fromkeys(WHO[number], 9)))
    assert not of(Finished, events)
    assert table.state.eye_count is not None
    assert (table.state.eye_count.clock.turn, table.state.eye_count.clock.side) == (3, "german")


def test_what_was_counted_last_stands_in_the_running_line() -> None:
    table = scenario(9).at(20, "german")
    table.order(Count(values={"british": 5, "german": 3}))
    table.at(22, "british")
    british, german = victory_status(table.state)
    assert british.text.endswith(": 5 when last counted, turn 20")
    assert german.text.endswith(": 3 when last counted, turn 20")


def test_before_any_count_the_line_says_so() -> None:
    for number in WHO:
        for one in victory_status(scenario(number).state):
            assert ": not counted yet" in one.text or one.text.startswith("win if")


def test_at_the_end_it_is_counted_anew() -> None:
    table = scenario(9).at(24, "german")
    table.order(Count(values={"british": 9, "german": 0}))
    table.order(EndTurn())
    assert table.state.ask == OutcomeAsk(count=True)
    table.order(Count(values={"british": 0, "german": 9}))
    assert table.state.outcome is not None
    assert table.state.outcome.winner == "german"


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"british": 1}, "The German number is missing."),
        ({"british": 1, "german": -1}, "A count is 0 to 999, not -1."),
        ({"british": 1000, "german": 1}, "A count is 0 to 999, not 1000."),
        ({"british": 1, "german": 1, "french": 1}, "Nothing is counted for 'french'."),
    ],
)
def test_a_count_that_cannot_be_is_refused(values: dict[str, int], says: str) -> None:
    for table in (scenario(9), at_the_end(9)):
        refusal = table.refusal(Count(values=values))
        assert (refusal.message, refusal.firm) == (says, True)


def test_where_nothing_is_counted_a_count_is_refused() -> None:
    refusal = scenario(1).refusal(Count(values={"german": 1}))
    assert refusal.message == "Nothing is counted in this battle."


def test_while_the_program_waits_for_a_card_nothing_is_counted() -> None:
    table = scenario(9)
    table.order(table.shot("machinegun", "rifle"))
    counted = Count(values={"british": 1, "german": 1})
    assert table.refusal(counted).message == "First enter the German card."


def test_a_count_leaves_an_open_repeat_shot_open() -> None:
    table = scenario(9)
    table.fire("machinegun", "rifle", "8H", grouped=False)
    (counted,) = of(Counted, table.order(Count(values={"british": 1, "german": 1})))
    assert counted.values == {"british": 1, "german": 1}
    assert isinstance(table.state.ask, RepeatAsk)


def test_while_the_end_is_asked_for_other_orders_wait() -> None:
    table = at_the_end(9)
    for order in (
        EndTurn(),
        Fire(shooter="german/garrison/rifle", target="british/gliders/rifle"),
        SetClock(turn=24, side="german", phase=1),
    ):
        refusal = table.refusal(order)
        assert refusal.message == "Time is up: press F to say who won, or Backspace to undo."
    table.order(Correct(row="german/garrison/rifle", by=-1))
    assert isinstance(table.state.ask, OutcomeAsk)
    assert table.refusal(PlayOn()).message == "The battle is still going on."
    table.order(AddNote("nobody agrees"))


def test_players_may_say_who_won_instead_of_counting() -> None:
    table = at_the_end(9)
    table.order(Finish(winner="british", reason="The bridge blew up."))
    assert table.state.outcome is not None
    assert (table.state.outcome.winner, table.state.outcome.reason) == (
        "british",
        "The bridge blew up.",
    )


def test_the_question_taken_back_leaves_the_last_turn_open() -> None:
    table = at_the_end(9)
    table.undo()
    assert table.state.ask is None
    assert (table.state.clock.turn, table.state.clock.side) == (24, "german")
    table.fire("bazooka", "small_pillbox", "5H", by="british")
    assert table.alive("german", "small_pillbox") == 1


def test_the_question_says_in_the_journal_that_time_is_up() -> None:
    table = at_the_end(9)
    assert lines(table.play)[-1].text == "The last turn is over."


def test_the_other_end_of_dog_beach_counts_one_american_turn_later() -> None:
    """P80."""
    table = scenario(10, answers={"P80": "american_16"}).at(16, "american")
    table.order(EndTurn())
    assert table.state.ask == OutcomeAsk(count=True)
    table.order(Count(values={"american": 4, "german": 4}))
    assert table.state.outcome is not None
    assert table.state.outcome.winner == "german"


def test_going_on_after_the_count_ends_nothing_any_more() -> None:
    table = at_the_end(9)
    table.order(Count(values={"british": 1, "german": 0}))
    table.order(PlayOn())
    assert (table.state.outcome, table.state.ask) == (None, None)
    table.order(EndTurn())
    assert (table.state.clock.turn, table.state.ask) == (25, None)
    table.order(Count(values={"british": 0, "german": 1}))
    assert table.state.outcome is None
