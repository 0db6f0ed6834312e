"""Random battles: played on, undone to the start, redone to the end, read back, typed by hand,
and then with lines made void and steps back to any line.

Each is one seed; a failure names the scenario, the way of drawing and the rulings.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random
from typing import NamedTuple

import msgspec
import pytest
from deep import deep_after
from stage import CARDS, DICE, Table, armies, play_on, scenario
from voids import decks_are_right, programs_cards, void_numbers

from skirmish import library
from skirmish.games.plastic.battle import record
from skirmish.games.plastic.battle.agenda import (
    CasualtyAsk,
    ChoiceAsk,
    DrawAsk,
    InsideAsk,
    PieceAsk,
    RepeatAsk,
)
from skirmish.games.plastic.battle.events import Aimed, DrawMade, Lost, PieceRestored, Recalled
from skirmish.games.plastic.battle.lines import lines, whole_journal
from skirmish.games.plastic.battle.names import piece_side
from skirmish.games.plastic.battle.orders import (
    Again,
    AnyOrder,
    Battle,
    CountHits,
    Hold,
    SetLevel,
    Show,
    decide,
    why_not,
)
from skirmish.games.plastic.battle.orders.firing import same_again
from skirmish.games.plastic.battle.orders.reinforcements import waves
from skirmish.games.plastic.battle.orders.scenario_orders import count_servable
from skirmish.games.plastic.battle.progress import headline, victory_status
from skirmish.games.plastic.battle.reminders import limits_now, reminders_now
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.voiding import dependents, why_not_void
from skirmish.games.plastic.rules.catalog import DECK
from skirmish.tabletop.chance import Source
from skirmish.tabletop.journal import fold
from skirmish.tabletop.measure import NO_BREAK

DECKS = (Source("deck", seed=1), Source("deck", seed=2))
WAYS = {
    "decks": DECKS,
    "deck and die": (Source("deck", seed=3), Source("die", seed=4)),
    "typed cards": (CARDS, CARDS),
    "typed die, deck": (DICE, Source("deck", seed=5)),
}
RULINGS = ("P18", "P19", "P23", "P24", "P53", "P58", "P74", "P78")
ORDERS = 80


class Case(NamedTuple):
    scenario: int  # 0: army against army
    way: str
    seed: int


CARDS_ONLY = (8,)
CASES = [
    Case(number, way, 31 * number + index)
    for number in range(11)
    for index, way in enumerate(WAYS)
    if number not in CARDS_ONLY or "die" not in way
]
HALF_OF_THEM = deep_after(len(CASES) // 2, [*CASES[::2], *CASES[1::2]])
"""Every scenario and every way of drawing is among the half that is always tested."""


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
            state = event.apply(state)
        assert state == expected


def an_order_decided_again_gives_the_same_events(battle: Table) -> None:
    """From every prefix: chance is part of the state."""
    for before, entry in zip(battle.play.states, battle.play.live[1:], strict=False):
        assert entry.order is not None
        assert tuple(decide(before, entry.order)) == entry.events


def a_battle_written_down_and_read_back_is_the_same(battle: Table) -> None:
    entries = battle.play.entries
    again = [record.codec.read(record.codec.written(e)) for e in entries]
    assert again == list(entries)
    assert record.codec.play(again).states == battle.play.states


def typed(order: AnyOrder) -> AnyOrder:
    """The order in a battle in which nobody lets the program draw."""
    if isinstance(order, SetLevel) and not order.source.typed:
        return SetLevel(side=order.side, level="clerk", source=Source(order.source.kind))
    return order


def waited(value: object) -> object:
    """Any value; of a draw that is awaited, not whether its rank has been shown."""
    return msgspec.structs.replace(value, rank=None) if isinstance(value, DrawAsk) else value


def the_same_cards_typed_by_hand_give_the_same_end(battle: Table, case: Case) -> None:
    """The app's draws and a player's own are judged alike. Of counted volleys nobody knows them."""
    if any(isinstance(entry.order, CountHits) for entry in battle.play.live):
        return
    own = tuple(Source(source.kind) for source in WAYS[case.way])
    table, _ = opened(case, (own[0], own[1]))
    drawn = [
        event.draw
        for entry in battle.play.live
        for event in entry.events
        if isinstance(event, DrawMade)
    ]
    draws = iter(drawn)

    def tell(order: AnyOrder) -> None:
        owes_a_draw = isinstance(table.state.ask, RepeatAsk) and why_not(table.state, order)
        if owes_a_draw and not isinstance(order, Hold):
            tell(Hold())
        table.order(order)
        while isinstance(table.state.ask, DrawAsk) and (draw := next(draws, None)):
            table.order(Show((draw,)))

    for entry in battle.play.live[1:]:
        assert entry.order is not None
        if not isinstance(entry.order, Show):
            tell(typed(entry.order))
        if isinstance(entry.order, Again):
            continue
        for event in entry.events:  # draws typed ahead went into repeat shots
            again = same_again(table.state)
            if again and isinstance(event, Aimed) and event.shot.nth > 1:
                tell(again)
    for field in State.__struct_fields__:
        if field not in ("setup", "sources", "levels", "hand", "hand_of"):
            assert waited(getattr(table.state, field)) == waited(getattr(battle.state, field)), (
                field
            )
    gone = {name: (source.gone, source.rolls) for name, source in table.state.sources.items()}
    assert gone == {name: (s.gone, s.rolls) for name, s in battle.state.sources.items()}


def no_card_is_drawn_twice_between_two_shuffles(battle: Table) -> None:
    for state in battle.play.states:
        for source in state.sources.values():
            seen = [*source.gone, *([source.aside] if source.aside else [])]
            named = [card for card in seen if card.suit]
            assert len(named) == len(set(named))
            if source.kind == "deck":
                ranks = Counter(card.rank for card in seen if card.rank)  # 0: in a counted volley
                assert all(many <= 4 for many in ranks.values())
                assert len(seen) <= len(DECK)


def only_a_correction_brings_anybody_back(battle: Table) -> None:
    moves = zip(pairwise(battle.play.states), battle.play.live[1:], strict=True)
    for (before, after), entry in moves:
        stood = {event.piece for event in entry.events if isinstance(event, PieceRestored)}
        for event in entry.events:
            stood |= set(event.back) if isinstance(event, Recalled) else set()
        died = [event.piece for event in entry.events if isinstance(event, Lost)]
        assert before.lost.keys() - after.lost.keys() <= stood
        assert before.exited.keys() - after.exited.keys() <= stood
        assert not (before.lost.keys() & set(died)) - stood, "nobody dies twice"
        assert len(died) == len(set(died))
        assert before.turned.items() <= after.turned.items()


def every_piece_is_somewhere(battle: Table) -> None:
    """In one row; up, lost or gone; on foot, aboard of a model that is up, or still to come."""
    setup = battle.state.setup
    for state in [*battle.play.states[::10], battle.state]:
        for side in setup.sides:
            own = [piece.id for piece in state.pieces() if piece.side == side.id]
            found = rows(state, side.id)
            assert sum(row.total for row in found) == len(own)
            alive = [piece for row in found for piece in row.alive]
            assert sorted(alive) == sorted(filter(state.is_in_play, own))
            spots = [p for row in found for p in (*row.on_foot, *row.aboard, *row.waiting)]
            assert sorted(spots) == sorted(alive)
            carried = [p for piece in alive for p in state.riders_of(piece)]
            assert {p for row in found for p in row.aboard} <= set(carried)
            assert len(carried) == len(set(carried))
            assert all(row.ready_count <= len(row.here) for row in found)
            letters = [row.letter for row in found]
            assert len(letters) == len(set(letters))


def losses_are_the_worth_of_the_lost(battle: Table) -> None:
    setup = battle.state.setup
    known = {piece.id for piece in battle.state.pieces()}
    for state in [*battle.play.states[::10], battle.state]:
        assert state.worth_lost.keys() == state.lost.keys() <= known
        assert not state.lost.keys() & state.exited.keys()
        for side in setup.sides:
            foe = setup.enemy_of(side.id).id
            own = sum(worth for p, worth in state.worth_lost.items() if piece_side(p) == side.id)
            given = sum(worth for p, worth in state.charged.items() if piece_side(p) == foe)
            assert state.loss.get(side.id, 0) == own + given
            assert min(own, given) >= 0
        assert all(count >= 0 for works in state.works.values() for count in works.values())


def nothing_is_left_half_done(battle: Table) -> None:
    """Whatever waits to be resolved waits for an answer, and draws that were typed are read."""
    for state in battle.play.states:
        assert not state.agenda or state.ask is not None
        suit_asked = isinstance(state.ask, DrawAsk) and state.ask.rank is not None
        chosen = isinstance(state.ask, CasualtyAsk | PieceAsk | InsideAsk | ChoiceAsk)
        assert not state.hand or suit_asked or chosen


def it_can_all_be_asked(battle: Table) -> None:
    """Whatever a screen asks of a state has an answer."""
    for state in [*battle.play.states[::10], battle.state]:
        assert all(standing.text for standing in victory_status(state))
        assert all(sum(wave.units.values()) for wave in waves(state))
        assert count_servable(state) >= 0
        assert isinstance(reminders_now(state), str)
        assert all(limit.text for limit in limits_now(state))


def every_entry_can_be_told(battle: Table) -> None:
    for line in whole_journal(battle.play):
        told = line.text
        assert "  " not in told
        assert "None" not in told
        assert told.replace(NO_BREAK, " ").isprintable()
    for state in battle.play.states[::10]:
        assert headline(state)


def a_whole_journal_folds_at_once(battle: Table) -> None:
    events = [event for entry in battle.play.live for event in entry.events]
    assert fold(Battle(), events) == battle.state


def undone_to_the_start_and_redone_to_the_end_every_state_is_as_it_was(battle: Table) -> None:
    play = battle.play
    states, count = play.states, len(play.entries)
    for state in reversed(states[:-1]):
        play.accept(play.possible("undo"))
        assert play.state == state
    assert len(play.acts) == 1
    for state in states[1:]:
        play.accept(play.possible("redo"))
        assert play.state == state
    assert play.states == states
    assert len(play.entries) == count + 2 * (len(states) - 1)


# ------------------------------------------------------------------ lines void, and back to here


def with_lines_void(battle: Table, random: Random) -> None:
    """Played on, with a line void now and then, or all of it back to some line."""
    for _ in range(8):
        play_on(battle, random, 4)
        play = battle.play
        found = [line for line in lines(play) if why_not_void(play, line) is None]
        if found and random.random() < 0.8:
            line = random.choice(found)
            drawn, told = programs_cards(battle.state), len(lines(play))
            entry = play.possible("void", *void_numbers(play, line))
            expected = play.state_with(entry)
            dependents(play, line)
            play.accept(entry)
            assert play.state == expected
            assert programs_cards(play.state) == drawn, "what the program drew stays drawn"
            decks_are_right(play)
            struck = [other.number for other in lines(play) if other.void]
            assert line.number in struck
            assert len(lines(play)) == told
        elif len(play.acts) > 8:
            play.accept(play.possible("back", random.choice(play.acts[-6:-1]).number))


def taken_back_and_brought_again(battle: Table) -> None:
    """Undo to the opening, voids and steps back among it, and redo: every state in its turn."""
    play = battle.play
    end, passed = play.state, []
    while len(play.acts) > 1:
        passed.append(play.state)
        play.accept(play.possible("undo"))
    assert play.state == play.states[0]
    for state in reversed(passed):
        play.accept(play.possible("redo"))
        assert play.state == state
    assert play.state == end


@pytest.mark.parametrize(
    "case",
    HALF_OF_THEM,
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
    only_a_correction_brings_anybody_back(battle)
    every_piece_is_somewhere(battle)
    losses_are_the_worth_of_the_lost(battle)
    nothing_is_left_half_done(battle)
    it_can_all_be_asked(battle)
    every_entry_can_be_told(battle)
    a_whole_journal_folds_at_once(battle)
    undone_to_the_start_and_redone_to_the_end_every_state_is_as_it_was(battle)


@pytest.mark.parametrize(
    "case",
    HALF_OF_THEM,
    ids=lambda case: f"scenario {case.scenario}, {case.way}" if case.scenario else case.way,
)
def test_in_a_random_battle_with_lines_made_void(case: Case) -> None:
    """What must hold whatever was struck in the middle."""
    table, random = opened(case, WAYS[case.way])
    battle = play_on(table, random, 30)
    with_lines_void(battle, random)
    assert any(entry.kind in ("void", "back") for entry in battle.play.entries)
    a_battle_written_down_and_read_back_is_the_same(battle)
    every_piece_is_somewhere(battle)
    losses_are_the_worth_of_the_lost(battle)
    it_can_all_be_asked(battle)
    every_entry_can_be_told(battle)
    taken_back_and_brought_again(battle)
