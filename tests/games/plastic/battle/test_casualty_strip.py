"""The course of a battle in its losses, as paper, screens and phones draw it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
import stage

from skirmish.games.plastic.casualties import casualty_strip
from skirmish.games.plastic.journal_facts import JournalFacts
from skirmish.games.plastic.summary import summary
from skirmish.registry import load
from skirmish.tabletop.exported import rebuilt
from skirmish.tabletop.refusal import Refused

EXAMPLE = Path(__file__).parents[4] / "docs" / "example-battle.jsonl"


@pytest.mark.parametrize("number", [1, 4, 10])
def test_the_strip_has_every_loss_of_the_summary_at_its_turn(number: int) -> None:
    table = stage.play_on(stage.scenario(number), Random(number), 160)
    strip, battle = casualty_strip(table.play), summary(table.play)
    assert strip.turns == len(battle.turns)
    sides = {side.side: side for side in battle.sides}
    for course in strip.sides:
        side = sides[course.side]
        assert (course.lost, course.strength) == (side.loss, side.strength)
        assert sum(casualty.points for casualty in course.casualties) == side.points
        for turn in battle.turns:
            fallen = course.in_turn(turn.turn)
            assert len(fallen) == turn.pieces[course.side]
            assert sum(casualty.pdg for casualty in fallen) == turn.pdg[course.side]
        assert course.left[-1] == course.strength - course.lost


def test_a_kill_names_its_shooter_its_weapon_and_its_card() -> None:
    with EXAMPLE.open("rb") as file:
        play = rebuilt(file, load("plastic")).play
    strip = casualty_strip(play)
    shot = [kill for side in strip.sides for kill in side.casualties if kill.cause == "shot"]
    assert shot
    for kill in shot:
        credit = play.state.lost[kill.piece]
        assert credit is not None
        assert kill.weapon == play.state.setup.catalog.weapons[credit.weapon].name
        assert kill.draw == credit.draw
        assert credit.piece.endswith(kill.shooter[1:])
        fallen_in = [event for act in play.acts if act.number == kill.entry for event in act.events]
        assert any(getattr(event, "piece", None) == kill.piece for event in fallen_in)


def test_who_left_the_table_is_a_passage_and_no_loss() -> None:
    with EXAMPLE.open("rb") as file:
        play = rebuilt(file, load("plastic")).play
    strip = casualty_strip(play)
    exits = {}
    for side in strip.sides:
        for passage in side.passages:
            if passage.way == "exit":
                exits[passage.turn] = len(passage.codes)
                assert not {kill.code for kill in side.casualties} & set(passage.codes)
    assert exits == {7: 11, 8: 12}


def test_the_first_mover_is_the_first_side_of_the_strip() -> None:
    for number in (1, 10):
        table = stage.scenario(number)
        first, second = casualty_strip(table.play).sides
        assert (first.side, second.side) == (table.state.first, table.state.second_side)


def test_a_man_put_back_is_no_casualty() -> None:
    table = stage.armies({"rifle": 6}, {"rifle": 6})
    row = table.row("first", "rifle").key
    table.order(stage.Correct(row=row, by=-2))
    assert len(casualty_strip(table.play).sides[0].casualties) == 2
    table.order(stage.Correct(row=row, by=1))
    (fallen,) = casualty_strip(table.play).sides[0].casualties
    assert fallen.cause == "other"
    assert fallen.draw is None


@pytest.mark.parametrize("number", [1, 7, 10])
def test_facts_that_are_read_on_are_those_of_the_whole_journal(number: int) -> None:
    table, chance = stage.scenario(number), Random(number)
    facts = JournalFacts(table.play)
    for _ in range(40):
        stage.play_on(table, chance, chance.randint(0, 6))
        orders = [act.number for act in table.play.live if act.kind == "order"]
        change = chance.choice(["none", "none", "undo", "redo", "void"])
        with suppress(Refused):
            if change == "void" and orders:
                table.play.accept(table.play.possible("void", chance.choice(orders)))
            elif change in ("undo", "redo"):
                table.play.accept(table.play.possible(change))
        facts.read_on(table.play)
        whole = JournalFacts(table.play)
        assert facts.shots == whole.shots
        assert facts.loss_turn == whole.loss_turn
        assert facts.loss_entry == whole.loss_entry
        assert (facts.entering_turn, facts.exit_turn) == (whole.entering_turn, whole.exit_turn)
        assert casualty_strip(table.play, facts) == casualty_strip(table.play)
