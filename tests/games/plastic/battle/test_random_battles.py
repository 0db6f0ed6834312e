"""Random battles: played on, undone to the start, redone to the end, read back, typed by hand.

Each is one seed; a failure names the scenario, the way of drawing and the rulings.
"""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import NamedTuple

import pytest
from stage import CARDS, DICE, Table, armies, play_on, scenario

from skirmish import library
from skirmish.games.plastic.battle import record
from skirmish.games.plastic.battle.decide import decide
from skirmish.games.plastic.battle.events import DrawAsk, Drawn
from skirmish.games.plastic.battle.orders import Show
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.state import State, evolve
from skirmish.games.plastic.battle.telling import headline, tell
from skirmish.games.plastic.rules.catalog import DECK
from skirmish.tabletop.chance import Source
from skirmish.tabletop.decider import fold

DECKS = (Source("deck", seed=1), Source("deck", seed=2))
WAYS = {
    "decks": DECKS,
    "deck and die": (Source("deck", seed=3), Source("die", seed=4)),
    "typed cards": (CARDS, CARDS),
    "typed die, deck": (DICE, Source("deck", seed=5)),
}
RULINGS = ("P18", "P19", "P23", "P24", "P53", "P58", "P74", "P78")
ORDERS = 110


class Case(NamedTuple):
    scenario: int  # 0: army against army
    way: str
    seed: int


CASES = [
    Case(number, way, 31 * number + index) for number in range(11) for index, way in enumerate(WAYS)
]


def opened(case: Case, sources: tuple[Source, Source]) -> tuple[Table, Random]:
    random = Random(case.seed)
    book = library.rulings()
    answers = {name: random.choice([*book.rulings[name].answers]) for name in RULINGS}
    if case.scenario == 0:
        units = {"rifle": 9, "machinegun": 3, "mortar": 2, "grenade": 4, "tank": 1, "aa_tank": 1}
        other = {**units, "jeep": 2, "sniper": 1, "cannon": 1}
        table = armies(units, other, sources=sources, answers=answers)
    else:
        table = scenario(case.scenario, sources=sources, answers=answers)
    return table, random


def played(case: Case) -> Table:
    table, random = opened(case, WAYS[case.way])
    return play_on(table, random, ORDERS)


def something_happened(battle: Table) -> None:
    assert len(battle.play.entries) > 20
    assert battle.state.lost


def the_state_is_the_fold_of_its_events(battle: Table) -> None:
    state: State | None = None
    for entry, expected in zip(battle.play.live, battle.play.states, strict=True):
        for event in entry.events:
            state = evolve(state, event)
        assert state == expected


def an_order_decided_again_gives_the_same_events(battle: Table) -> None:
    """From every prefix: chance is part of the state."""
    for before, entry in zip(battle.play.states, battle.play.live[1:], strict=False):
        assert entry.order is not None
        assert tuple(decide(before, entry.order)) == entry.events


def a_battle_written_down_and_read_back_is_the_same(battle: Table) -> None:
    entries = battle.play.entries
    again = [record.read_entry(e.number, e.kind, *record.written(e)) for e in entries]
    assert again == list(entries)
    assert record.play(again).states == battle.play.states


def the_same_cards_typed_by_hand_give_the_same_end(battle: Table, case: Case) -> None:
    """The app's draws and a player's own are judged alike."""
    own = tuple(Source(source.kind) for source in WAYS[case.way])
    table, _ = opened(case, (own[0], own[1]))
    drawn = [
        event.draw
        for entry in battle.play.live
        for event in entry.events
        if isinstance(event, Drawn)
    ]
    draws = iter(drawn)
    for entry in battle.play.live[1:]:
        if isinstance(entry.order, Show):
            continue
        assert entry.order is not None
        table.order(entry.order)
        while isinstance(table.state.ask, DrawAsk):
            draw = next(draws, None)
            if draw is None:
                break
            table.order(Show(draw))
    for field in State.__struct_fields__:
        if field not in ("setup", "sources"):
            assert getattr(table.state, field) == getattr(battle.state, field), field
    gone = {name: (source.gone, source.rolls) for name, source in table.state.sources.items()}
    assert gone == {name: (s.gone, s.rolls) for name, s in battle.state.sources.items()}


def no_card_is_drawn_twice_between_two_shuffles(battle: Table) -> None:
    for state in battle.play.states:
        for source in state.sources.values():
            seen = [*source.gone, *([source.aside] if source.aside else [])]
            assert len(seen) == len(set(seen)) <= len(DECK)


def nobody_dies_twice_and_nobody_comes_back(battle: Table) -> None:
    for before, after in pairwise(battle.play.states):
        assert before.lost.items() <= after.lost.items()
        assert before.turned.items() <= after.turned.items()


def every_piece_stands_in_exactly_one_row(battle: Table) -> None:
    setup = battle.state.setup
    for state in battle.play.states[::10]:
        for side in setup.sides:
            own = [piece.id for piece in setup.pieces if piece.side == side.id]
            found = rows(state, side.id)
            assert sum(row.total for row in found) == len(own)
            alive = [piece for row in found for piece in row.alive]
            assert sorted(alive) == sorted(piece for piece in own if piece not in state.lost)
            letters = [row.letter for row in found]
            assert len(letters) == len(set(letters))


def losses_are_the_worth_of_the_lost(battle: Table) -> None:
    setup, state = battle.state.setup, battle.state
    for side in setup.sides:
        gone = [setup.by_id[piece] for piece in state.lost if setup.by_id[piece].side == side.id]
        worth = sum(1 if setup.unit(piece.unit).is_guy else 5 for piece in gone)
        assert state.loss.get(side.id, 0) == worth


def every_entry_can_be_told(battle: Table) -> None:
    setup = battle.state.setup
    for entry in battle.play.entries:
        told = tell(entry, setup)
        assert "  " not in told
        assert "None" not in told
        assert told.isprintable()
    for state in battle.play.states[::10]:
        assert headline(state)


def a_whole_journal_folds_at_once(battle: Table) -> None:
    events = [event for entry in battle.play.live for event in entry.events]
    assert fold(record.Battle(), events) == battle.state


def undone_to_the_start_and_redone_to_the_end_every_state_is_as_it_was(battle: Table) -> None:
    play = battle.play
    states, count = play.states, len(play.entries)
    for state in reversed(states[:-1]):
        play.accept(play.consider_undo())
        assert play.state == state
    assert len(play.live) == 1
    for state in states[1:]:
        play.accept(play.consider_redo())
        assert play.state == state
    assert play.states == states
    assert len(play.entries) == count + 2 * (len(states) - 1)


@pytest.mark.parametrize(
    "case",
    CASES,
    ids=lambda case: f"scenario {case.scenario}, {case.way}" if case.scenario else case.way,
)
def test_in_a_random_battle(case: Case) -> None:
    """One battle, all that must hold in any; the last of them takes it back."""
    battle = played(case)
    something_happened(battle)
    the_state_is_the_fold_of_its_events(battle)
    an_order_decided_again_gives_the_same_events(battle)
    a_battle_written_down_and_read_back_is_the_same(battle)
    the_same_cards_typed_by_hand_give_the_same_end(battle, case)
    no_card_is_drawn_twice_between_two_shuffles(battle)
    nobody_dies_twice_and_nobody_comes_back(battle)
    every_piece_stands_in_exactly_one_row(battle)
    losses_are_the_worth_of_the_lost(battle)
    every_entry_can_be_told(battle)
    a_whole_journal_folds_at_once(battle)
    undone_to_the_start_and_redone_to_the_end_every_state_is_as_it_was(battle)
