"""What every game at the table can do, by keys, by lines, and taken back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import pytest

from skirmish.registry import load
from skirmish.tabletop.commands import Draft, command_of, read, read_words
from skirmish.tabletop.companion.events import AnyTableEvent
from skirmish.tabletop.companion.sequence import SequencePhase, TurnSequence
from skirmish.tabletop.companion.table_game import TableGame
from skirmish.tabletop.companion.table_orders import AnyTableOrder
from skirmish.tabletop.companion.table_state import TableEvent, TableState, Track
from skirmish.tabletop.game import Seed
from skirmish.tabletop.page import Items, Stacks, Table
from skirmish.tabletop.page_text import as_text
from skirmish.tabletop.slots import Choose, Number, UnfitAnswer

PHASES = tuple(
    SequencePhase(id=id, name=id.capitalize(), first_turn=turn)
    for id, turn in (("draw", 1), ("weather", 3), ("fire", 1))
)


class State(TableState, frozen=True, kw_only=True):
    def why_skipped(self, phase: SequencePhase, turn: int) -> str:
        return "nobody to fire" if phase.id == "fire" and not len(self.counters) else ""


class Opened(TableEvent, frozen=True, kw_only=True, tag="opened"):
    def apply(self, state: State | None) -> State:
        tracks = {"points": Track(id="points", name="Points", high=40)}
        return State(sequence=TurnSequence(phases=PHASES, turns=4), tracks=tracks)

    def narrate(self, state: State) -> str:
        return "It begins."


class Companion(TableGame[State, Any, Any]):
    id, name = "companion", "A companion"
    sides = (("us", "American"), ("german", "German"))
    ratings, markers = ("fire", "move"), ("disrupted",)
    order, event = AnyTableOrder, Opened | AnyTableEvent

    def open(self, answers: Mapping[str, Any], seed: Seed) -> Sequence[Any]:
        return [Opened()]


GAME = Companion()


def begun() -> Any:
    return GAME.codec.play([GAME.opening({}, lambda: 1)])


def give(play: Any, line: str) -> str:
    """A line as it is typed; the sentences that it leads to."""
    key, *words = line.split()
    draft = read_words(Draft(command=command_of(GAME.commands(play.state), key)), words)
    assert draft.complete, line
    before, entry = play.state, play.consider(draft.order())
    play.accept(entry)
    return " ".join(GAME.narrated(before, entry.events))


def take(play: Any, name: str, steps: int) -> str:
    """A counter out of a file."""
    row = {"name": name, "side": "us", "steps": steps, "ratings": {"fire": 6, "move": 3}}
    before, entry = play.state, play.consider(GAME.counters_of(play.state, [row], "units.toml"))
    play.accept(entry)
    return " ".join(GAME.narrated(before, entry.events))


def test_a_counter_is_entered_marked_moved_and_gone() -> None:
    play = begun()
    assert take(play, "B Company", 2) == "B Company: new, 2 steps (fire 6, move 3)."
    assert give(play, "K a a") == "B Company: disrupted (by hand)."
    assert give(play, "M a H5") == "B Company: to H5 (by hand)."
    board = as_text(GAME.page(play.state))
    assert "B Company     6     3  2      H5     disrupted" in board
    assert give(play, "K a a") == "B Company: no longer disrupted (by hand)."
    assert give(play, "L a 1") == "B Company: 1 step lost, 1 left (by hand)."
    assert give(play, "L a 0").endswith("eliminated (by hand).")


def test_the_sequence_is_followed_and_left() -> None:
    play = begun()
    assert give(play, "space") == (
        "Turn 2. Weather is skipped: from turn 3 on. Fire is skipped: nobody to fire. Draw."
    )
    assert give(play, "G b") == "Weather."
    assert GAME.headline(play.state) == "Turn 2 of 4, Weather"
    assert [step.state for step in GAME.phases(play).rows] == ["done", "now", "skipped"]
    with pytest.raises(UnfitAnswer):
        give(play, "G z")


def test_tracks_and_notes_are_written_down() -> None:
    play = begun()
    assert give(play, "T a 12") == "Points: 0 to 12."
    assert give(play, "R The tide rises") == "Note: The tide rises"
    assert "Turn 1  The tide rises" in as_text(GAME.page(play.state))


@pytest.mark.parametrize("seed", range(8))
def test_any_evening_is_told_stored_and_taken_back(seed: int) -> None:
    rnd, play = Random(seed), begun()
    for turn in range(40):
        if turn % 10 == 0:
            take(play, f"Unit {turn}", 2)
        command = rnd.choice(
            [one for one in GAME.commands(play.state) if one.label != "Next phase"]
        )
        if rnd.random() < 0.2 and play.state.position.turn < 4:
            command = GAME.commands(play.state)[0]
        draft = Draft(command=command)
        while (slot := draft.slot) is not None:
            match slot:
                case Choose(options=options):
                    draft = draft.answered(rnd.choice(options).value)
                case Number(low=low, high=high):
                    draft = draft.answered(rnd.randint(low, high))
                case _:
                    draft = draft.answered(rnd.choice(["A", "[b]", "5"]))
        play.accept(play.consider(draft.order()))
        GAME.check_screens(play.state)
    lines = [GAME.codec.written(entry) for entry in play.entries]
    assert GAME.codec.replay(lines).state == play.state
    assert all("None" not in line.text for line in GAME.journal(play))
    while len(play.live) > 1:
        play.accept(play.possible("undo"))
    assert play.state == play.states[0]


@pytest.mark.parametrize(
    ("game", "answers"),
    [
        ("gts", {"scope": "whole"}),
        ("gts", {"scope": "mug"}),
        ("gts", {"scope": "fire"}),
        ("omaha", {"scenario": "beach"}),
    ],
    ids=lambda value: value if isinstance(value, str) else "-".join(value.values()),
)
def test_an_empty_board_shows_what_to_type_first_and_what_it_leads_to(
    game: str, answers: dict[str, str]
) -> None:
    rules: Any = load(game)
    play = rules.codec.play([rules.opening(answers, lambda: 1)])
    example = rules.first_steps(play.state)
    assert example is not None
    blocks = example.in_one_column()
    assert any(isinstance(block, Items) for block in blocks)
    assert any(isinstance(block, Stacks | Table) for block in blocks)
    # Nothing of it has happened.
    assert len(play.entries) == 1
    assert not [unit for unit in play.state.counters if rules.is_listed(play.state, unit)]
    for line in rules.example_lines(play.state):
        draft = None
        for words in line:
            draft = read(draft, rules.commands(play.state), words)
        play.accept(play.consider(draft.order(lambda: 1)))
    assert rules.first_steps(play.state) is None
