"""A shot judged again names every later line that would have come out otherwise."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from deep import deep_after
from msgspec.structs import replace
from stage import Table, armies, play_on, rows, scenario

from skirmish.games.plastic.battle.agenda import CasualtyAsk, InsideAsk, PieceAsk, RepeatAsk
from skirmish.games.plastic.battle.events import AnyEvent, Judged, Recalled
from skirmish.games.plastic.battle.hindsight import would_have_changed
from skirmish.games.plastic.battle.lines import BattleLine, lines
from skirmish.games.plastic.battle.narrative import narrate
from skirmish.games.plastic.battle.orders import (
    AnyOrder,
    ChooseCasualties,
    ChooseModel,
    EndTurn,
    Hold,
    NameRiders,
    PlayOn,
    Rejudge,
    resolved,
    why_not,
)
from skirmish.games.plastic.battle.orders.rejudge import as_judged
from skirmish.games.plastic.battle.state import State
from skirmish.tabletop.refusal import Refused

OWN = "first/first/"


def judged_again(table: Table, shot: int, **changes: Any) -> tuple[int, ...]:
    """The lines that are named when that shot is judged again."""
    (before,) = [verdict for verdict in table.state.all_judged if verdict.shot.id == shot]
    table.order(replace(as_judged(table.state, before.shot), **changes))
    while (order := answer(table.state)) is not None:
        table.order(order)
    return would_have_changed(table.play, lines(table.play)[-1])


def answer(state: State) -> AnyOrder | None:
    """The answer that is proposed to an open question about who dies; no repeat fire."""
    match state.ask:
        case CasualtyAsk():
            return ChooseCasualties()
        case PieceAsk(pieces=pieces):
            return ChooseModel(pieces[0])
        case InsideAsk():
            return NameRiders({})
        case RepeatAsk():
            return Hold()
    return None


# ------------------------------------------------------------------ cases


def test_a_target_that_would_have_been_gone_is_named_with_nobody_in_common() -> None:
    table = armies({"rifle": 9, "mortar": 1}, {"rifle": 9, "cannon": 1})
    table.fire("rifle", "rifle", "5H", close=True)
    table.fire("rifle", "rifle", "9H", close=True)
    table.fire("rifle", "mortar", "9S", close=True)
    assert judged_again(table, 1, target=f"{OWN}mortar") == (lines(table.play)[3].number,)


def test_an_end_that_would_have_come_sooner_names_all_that_followed() -> None:
    table = armies({"rifle": 4}, {"rifle": 9})
    table.fire("rifle", "rifle", "4S", close=True, cover=True)
    table.fire("rifle", "rifle", "5H", close=True)
    table.fire("rifle", "rifle", "9H", close=True)
    numbers = [line.number for line in lines(table.play)]
    named = judged_again(table, 1, cover=False)
    assert table.state.outcome is not None
    assert named == tuple(numbers[2:])


def test_the_last_shot_and_one_that_changes_nothing_else_name_nothing() -> None:
    table = armies({"rifle": 9}, {"rifle": 9})
    table.fire("rifle", "rifle", "5S", close=True)
    assert judged_again(table, 1, cover=True) == ()
    table.order(EndTurn())
    assert judged_again(table, 1, cover=False) == ()


# ------------------------------------------------------------------ any battle


def words(events: list[AnyEvent], state: State) -> str:
    """A line without the men's numbers: which of a row it was makes no difference."""
    text = re.sub(r" [A-Z]\d+\b", "", narrate(events, state))
    text = re.sub(r"\d+ in reach", "in reach", text)  # all of a row that has one man more
    return re.sub(r"broke: \d+ of", "broke: so many of", text)


def differing(before: Table, line: BattleLine, order: Rejudge) -> list[tuple[int, str, str]] | None:
    """The later lines that would have come out otherwise, played again from the shot on; None if
    it could not be judged so then."""
    state = before.play.state_after(max(line.entry_numbers))
    assert state is not None
    if state.ask is not None or state.agenda:
        return None
    try:
        state = resolved(state, order).state
        while (given := answer(state)) is not None:
            state = resolved(state, given).state
    except Refused:
        return None
    if state.ask is not None:
        return None
    found = []
    for later in lines(before.play):
        if later.number <= line.number or later.void:
            continue
        recalled = [event.shot for event in later.events if isinstance(event, Recalled)]
        if order.shot in recalled:
            return None  # it was judged again before
        now: list[AnyEvent] = []
        why = ""
        after = state
        for entry in later.entries:
            assert entry.order is not None
            try:
                decided = resolved(after, entry.order)
            except Refused as refused:
                why = str(refused)
                break
            now += decided.events
            after = decided.state
        then = words(later.events, state)
        if why and isinstance(later.entries[0].order, PlayOn):
            # They played on after an end that would not have come: there is nothing to check in it.
            for event in later.events:
                state = event.apply(state)
            continue
        if why or words(now, state) != then:
            found.append((later.number, then, why or words(now, state)))
            after = state
            for event in later.events:
                after = event.apply(after)
        state = after
    return found


def a_battle(random: Random) -> Table:
    number = random.choice([None, 1, 2, 5, 7, 8])
    if number is not None:
        return scenario(number)
    units = {"rifle": 5, "machinegun": 2, "mortar": 1, "tank": 1, "truck": 1}
    return armies(units, {**units, "cannon": 1})


def some_correction(table: Table, random: Random) -> tuple[BattleLine, Rejudge] | None:
    """A shot of any line, with something that was otherwise."""
    shots = []
    for line in lines(table.play):
        first = line.entries[0].order
        if line.void or isinstance(first, Rejudge):
            continue
        shots += [(line, event.shot) for event in line.events if isinstance(event, Judged)]
    known = {verdict.shot.id for verdict in table.state.all_judged}
    shots = [(line, shot) for line, shot in shots if shot.id in known]
    if not shots:
        return None
    line, shot = random.choice(shots)
    order = as_judged(table.state, shot)
    name = random.choice(["cover", "close", "grouped", "target"])
    if name == "target":
        side = shot.target.partition("/")[0]
        keys = [row.key for row in rows(table.state, side)]
        return line, replace(order, target=random.choice(keys))
    return line, replace(order, **{name: not getattr(order, name)})


@pytest.mark.parametrize("seed", deep_after(8, range(24)))
def test_every_line_that_would_have_come_out_otherwise_is_named(seed: int) -> None:
    random = Random(seed)
    table = play_on(a_battle(random), random, 50)
    for _ in range(12):
        correction = some_correction(table, random)
        if correction is None:
            return
        line, order = correction
        if why_not(table.state, order) is not None:
            continue
        expected = differing(table, line, order)
        if expected is None:
            continue
        table.order(order)
        given = 1
        while (more := answer(table.state)) is not None:
            table.order(more)
            given += 1
        named = would_have_changed(table.play, lines(table.play)[-1])
        missing = [entry for entry in expected if entry[0] not in named]
        assert not missing, (seed, line.text, order, missing)
        for _ in range(given):
            table.undo()
