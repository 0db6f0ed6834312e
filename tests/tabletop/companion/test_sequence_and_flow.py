from __future__ import annotations

import pytest

from skirmish.tabletop.companion.flow import Flow, Node, Walked
from skirmish.tabletop.companion.sequence import Position, SequencePhase, TurnSequence

TURN = TurnSequence(
    turns=3,
    phases=(
        SequencePhase(id="card", name="Action card", side="us", first_turn=2, does=("draw",)),
        SequencePhase(id="fire", name="Fire", side="us", does=("fire",)),
        SequencePhase(id="move", name="Movement", last_turn=2),
    ),
)


def played(sequence: TurnSequence) -> list[tuple[int, str]]:
    found = []
    _, position = sequence.advance_from(None)
    while position is not None:
        found.append((position.turn, sequence.phase_at(position).id))
        _, position = sequence.advance_from(position)
    return found


def test_phases_come_in_their_order_in_their_turns() -> None:
    assert played(TURN) == [
        (1, "fire"), (1, "move"), (2, "card"), (2, "fire"), (2, "move"), (3, "card"), (3, "fire"),
    ]  # fmt: skip


def test_what_is_skipped_says_why() -> None:
    def nobody(phase: SequencePhase, turn: int) -> str:
        return "nobody is ashore" if phase.id == "fire" and turn == 1 else ""

    skips, position = TURN.advance_from(None, nobody)
    assert position == Position(1, 2)
    assert [why for _, why in skips] == ["from turn 2 on", "nobody is ashore"]
    states = [(step.state, step.note) for step in TURN.steps(Position(1, 2), nobody).rows]
    assert states == [("skipped", "from turn 2 on"), ("skipped", "nobody is ashore"), ("now", "")]


def test_a_sequence_that_skips_everything_is_found_out() -> None:
    endless = TurnSequence(phases=(SequencePhase(id="a", name="A"),))
    with pytest.raises(ValueError, match="turn after turn"):
        endless.advance_from(None, lambda phase, turn: "never")
    late = TurnSequence(phases=(SequencePhase(id="a", name="A", first_turn=40),))
    assert late.advance_from(None)[1] == Position(40, 0)


def test_only_what_a_phase_allows_may_be_done() -> None:
    assert TURN.allows(Position(1, 1), "fire")
    assert not TURN.allows(Position(1, 2), "fire")


CHART = Flow(
    id="tq",
    title="Troop quality",
    start="T0",
    nodes={
        "T0": Node(kind="act", text="Take the rating", then="T1"),
        "T1": Node(kind="question", text="Is the roll 0?", yes="PASS", no="T2"),
        "T2": Node(kind="question", text="Is it lost on the print?", may=("PASS", "FAIL")),
        "PASS": Node(kind="end", text="Passed"),
        "FAIL": Node(kind="end", text="Failed"),
    },
)


def test_a_chart_is_walked_by_its_answers() -> None:
    path = (Walked("T0", "then"), Walked("T1", "no"), Walked("T2", "FAIL"))
    assert CHART.walk(path) == "FAIL"
    assert [step.note for step in CHART.steps(path).rows] == ["", "no", "on to FAIL", ""]
    assert not CHART.answers("FAIL")


def test_players_may_jump_and_nonsense_is_refused() -> None:
    assert CHART.after("T1", "T0") == "T0"
    with pytest.raises(LookupError, match="no answer here"):
        CHART.after("T1", "perhaps")
    with pytest.raises(LookupError, match="the path is at T0"):
        CHART.walk((Walked("T1", "yes"),))


def test_a_chart_with_holes_names_all_of_them() -> None:
    assert not list(CHART.problems())
    broken = Flow(
        id="x",
        title="X",
        start="A",
        nodes={
            "A": Node(kind="question", text="?", yes="B"),
            "B": Node(kind="act", text="!", then="Z"),
            "C": Node(kind="end", text="."),
        },
    )
    said = [str(problem) for problem in broken.problems()]
    assert any("A" in one and "yes and no" in one for one in said)
    assert any("leads to 'Z'" in one for one in said)
    assert any("C" in one and "nothing leads here" in one for one in said)
