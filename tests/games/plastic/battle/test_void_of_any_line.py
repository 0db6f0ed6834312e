"""Any kind of line made void: every screen can be asked afterwards, and every order be tried."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
import views
from deep import deep_count
from stage import CARDS, Table, play_on, scenario
from test_export import BATTLES, file_of
from voids import SEEDED

from skirmish import library
from skirmish.games.plastic.battle.lines import lines
from skirmish.games.plastic.battle.orders import (
    Add,
    AnyOrder,
    CallTable,
    Correct,
    CountHits,
    Dig,
    EndPhase,
    Exit,
    Fire,
    Load,
    Reveal,
    Serve,
    why_not,
)
from skirmish.games.plastic.battle.voiding import why_not_void
from skirmish.games.plastic.summary import summary
from skirmish.tabletop.exported import rebuilt

COMERS, JEEP = "german/reinforcements/rifle", "german/reinforcements/jeep"


def reinforced() -> Table:
    """Three riflemen, a jeep and a machinegun drawn for (scenario 3)."""
    table = scenario(3).at(2, "german")
    table.show("AH", "QH")
    table.order(CallTable())
    table.show("2H", "8S")
    return table


def void_all_the_same(table: Table, up: int) -> None:
    """As journals of earlier versions do."""
    table.play.accept(table.play.possible("void", *lines(table.play)[-up].entry_numbers))


def test_who_came_and_was_shot_keeps_the_draw_that_brought_him() -> None:
    table = reinforced()
    brought = lines(table.play)[-1]
    table.order(Correct(row=COMERS, by=-3))
    refusal = why_not_void(table.play, brought)
    assert refusal is not None
    assert f"Line {lines(table.play)[-1].number} is about units" in refusal.message
    void_all_the_same(table, 1)
    assert why_not_void(table.play, brought) is None


def test_whose_coming_is_void_is_not_lost_and_counts_nothing() -> None:
    table = reinforced()
    before = table.state
    table.order(Correct(row=COMERS, by=-3))
    assert len(table.state.lost) == 3
    void_all_the_same(table, 2)
    assert not table.state.lost
    assert table.state.loss.get("german", 0) == before.loss.get("german", 0)
    assert table.refusal(Correct(row=COMERS, by=1)).code == "unknown_row"


@pytest.mark.parametrize(
    "order",
    [
        Correct(row=COMERS, by=-3),
        Exit(row=COMERS, count=3, insist=True),
        Load(carrier=JEEP, riders={COMERS: 1}, insist=True),
        Fire(shooter="british/raiders/mg_jeep", target=COMERS, close=True),
        Fire(shooter="british/raiders/mg_jeep", target=JEEP, insist=True),
    ],
)
def test_what_stands_on_a_void_line_follows_it(order: AnyOrder) -> None:
    table = reinforced()
    if isinstance(order, Fire):
        table.order(EndPhase())
    table.order(order)
    void_all_the_same(table, 2 + isinstance(order, Fire))
    views.ask_all(table.play)
    views.every_row(table.play)
    views.press_keys(table.play, Random(1), 9)
    assert rebuilt(file_of(table), BATTLES).trouble is None


def fought(seed: int) -> tuple[Table, Random]:
    """A battle with everything in it, reinforcements drawn for too."""
    random = Random(seed)
    numbers = (3, 3, *library.scenarios())
    number = numbers[seed % len(numbers)]
    table = scenario(number, sources=SEEDED if seed % 2 else (CARDS, CARDS))
    if number == 3:
        table.at(2, "british")
    for _ in range(9):
        play_on(table, random, 4)
        if why_not(table.state, CallTable()) is None:
            table.order(CallTable())
    return table, random


def test_after_any_void_every_screen_can_be_asked_and_every_order_tried() -> None:
    kinds = Counter[type]()
    wanted = {Fire, CallTable, Add, Correct, CountHits, Dig, Exit, Load, Reveal, Serve}
    for seed in range(60):
        if seed >= deep_count(4, 60) and wanted <= {*kinds}:
            break
        table, random = fought(seed)
        play = table.play
        for line in random.sample(lines(play), len(lines(play))):
            kind = type(line.entries[0].order)
            if kinds[kind] >= deep_count(1, 2) or why_not_void(play, line) is not None:
                continue
            kinds[kind] += 1
            play.accept(play.possible("void", *line.entry_numbers))
            views.ask_all(play)
            views.every_row(play)
            views.press_keys(play, random, 3)
            assert summary(rebuilt(file_of(table), BATTLES).play) == summary(play), seed
            play.accept(play.possible("undo"))
    assert wanted <= {*kinds}
