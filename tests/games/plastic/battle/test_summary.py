"""What a battle comes to: counted as the players left it, whatever was undone, void or rejudged."""

from __future__ import annotations

from random import Random

import pytest
from deep import deep_every
from stage import Table, armies, play_on, scenario

from skirmish.games.plastic.battle.events import Judged
from skirmish.games.plastic.battle.lines import lines
from skirmish.games.plastic.battle.names import piece_side
from skirmish.games.plastic.battle.orders import (
    Add,
    Again,
    Correct,
    EndTurn,
    Exit,
    Finish,
    Hold,
    NameRiders,
)
from skirmish.games.plastic.battle.orders.rejudge import as_judged
from skirmish.games.plastic.rules.options import Options
from skirmish.games.plastic.summary import Kills, SideSummary, Summary, UnitLoss, summary
from skirmish.tabletop.chance import Source

REDS = {"rifle": 9, "tank": 1, "truck": 1}
BLUES = {"rifle": 9, "machinegun": 2, "tank": 1}
DECKS = (Source("deck", seed=8), Source("deck", seed=9))


def table() -> Table:
    return armies(REDS, BLUES)


def side(found: Summary, name: str) -> SideSummary:
    return next(one for one in found.sides if one.side == name)


def losses(found: Summary, name: str, unit: str) -> UnitLoss:
    return next(row for row in side(found, name).losses if row.unit == unit)


def kills(rows: tuple[Kills, ...]) -> dict[str, tuple[int, int, int, int]]:
    return {row.name: (row.shots, row.hits, row.guys, row.models) for row in rows}


def void_last(battle: Table) -> None:
    line = lines(battle.play)[-1]
    battle.play.accept(battle.play.possible("void", *line.entry_numbers))


def test_a_battle_that_begins_has_lost_nothing() -> None:
    found = summary(table().play)
    assert not found.over
    assert (found.winner, found.reason, found.turn, found.chain) == (None, "", 1, None)
    assert [(one.loss, one.shots, one.by_unit) for one in found.sides] == [(0, 0, ())] * 2
    assert [(row.name, row.total, row.left) for row in side(found, "first").losses] == [
        ("Rifle Guy", 9, 9),
        ("Truck", 1, 1),
        ("Tank", 1, 1),
    ]


def test_a_kill_is_credited_to_piece_unit_and_weapon_with_points_and_dead_guys() -> None:
    battle = table()
    battle.fire("tank", "truck", "3H", weapon="cannon")
    battle.order(NameRiders({}))
    battle.fire("tank", "rifle", "2H", weapon="machinegun")
    found = summary(battle.play)
    blues = side(found, "second")
    assert kills(blues.by_unit) == {"Tank": (2, 2, 1, 1)}
    assert kills(blues.by_weapon) == {"Cannon": (1, 1, 0, 1), "Machinegun": (1, 1, 1, 0)}
    assert kills(blues.by_piece) == {"Tank T1": (2, 2, 1, 1)}
    (tank,) = blues.by_unit
    assert (tank.pdg, tank.points) == (6, 6 + 1)
    reds = side(found, "first")
    assert (reds.loss, reds.points) == (6, 7)
    assert (losses(found, "first", "truck").pdg, losses(found, "first", "truck").points) == (5, 6)


def test_a_miss_counts_as_a_shot_and_kills_nobody() -> None:
    battle = table()
    battle.fire("rifle", "rifle", "9H")
    blues = side(summary(battle.play), "second")
    assert kills(blues.by_unit) == {"Rifle Guy": (1, 0, 0, 0)}
    assert blues.by_piece == ()


def test_a_shot_that_waits_for_its_card_is_none_yet() -> None:
    battle = table()
    battle.order(battle.shot("rifle", "rifle"))
    assert side(summary(battle.play), "second").shots == 0


def test_who_was_taken_back_lives() -> None:
    battle = table()
    battle.fire("rifle", "rifle", "2H")
    before = summary(battle.play)
    assert side(before, "first").loss == 1
    while battle.state.shots:
        battle.undo()
    assert summary(battle.play) == summary(table().play)


def test_a_void_shot_counts_for_nothing_though_a_later_one_does() -> None:
    battle = table()
    battle.fire("rifle", "rifle", "2H")
    first = lines(battle.play)[-1]
    battle.fire("machinegun", "rifle", "3H")
    battle.order(Hold())
    battle.play.accept(battle.play.possible("void", *first.entry_numbers))
    found = summary(battle.play)
    assert side(found, "first").loss == 1
    assert kills(side(found, "second").by_unit) == {"Machinegun Guy": (1, 1, 1, 0)}
    assert found.turns[0].pieces == {"first": 1, "second": 0}


def test_the_number_of_a_void_shot_may_come_again() -> None:
    battle = table()
    battle.fire("rifle", "rifle", "9H")
    void_last(battle)
    battle.fire("machinegun", "rifle", "10H")
    assert kills(side(summary(battle.play), "second").by_unit) == {"Machinegun Guy": (1, 0, 0, 0)}


def test_a_shot_judged_again_counts_once_as_it_was_judged_last() -> None:
    battle = table()
    battle.fire("rifle", "rifle", "2S")
    judged = next(
        event for entry in battle.play.live for event in entry.events if isinstance(event, Judged)
    )
    order = as_judged(battle.state, judged.shot)
    assert not order.cover
    battle.order(type(order)(shot=order.shot, cover=True))
    found = summary(battle.play)
    assert kills(side(found, "second").by_unit) == {"Rifle Guy": (1, 0, 0, 0)}
    assert (side(found, "first").loss, sum(found.turns[0].pieces.values())) == (0, 0)
    battle.undo()
    found = summary(battle.play)
    assert kills(side(found, "second").by_unit) == {"Rifle Guy": (1, 1, 1, 0)}
    assert side(found, "first").loss == 1


def test_what_is_written_off_by_hand_is_nobodys_kill_and_stands_apart() -> None:
    battle = table()
    battle.fire("rifle", "rifle", "2H")
    battle.order(Correct(row="first/first/rifle", by=-3))
    found = summary(battle.play)
    row = losses(found, "first", "rifle")
    assert (row.total, row.lost, row.by_hand, row.left) == (9, 4, 3, 5)
    assert sum(kill.guys for kill in side(found, "second").by_unit) == 1
    battle.order(Correct(row="first/first/rifle", by=2))
    row = losses(summary(battle.play), "first", "rifle")
    assert (row.lost, row.left) == (2, 7)


def test_a_correction_made_void_leaves_each_man_counted_once() -> None:
    battle = table()
    battle.order(Correct(row="first/first/tank", by=-1))
    battle.order(Correct(row="first/first/tank", by=1))
    brought_back = lines(battle.play)[-1]
    battle.order(Correct(row="first/first/tank", by=-1))
    battle.play.accept(battle.play.possible("void", *brought_back.entry_numbers))
    found = summary(battle.play)
    assert losses(found, "first", "tank").lost == 1
    assert side(found, "first").loss == losses(found, "first", "tank").pdg == 5


def test_a_piece_whose_coming_was_made_void_was_never_there() -> None:
    battle = table()
    battle.order(Add(row="first/first/aa_tank"))
    added = lines(battle.play)[-1]
    battle.fire("tank", "aa_tank", "3H", weapon="cannon")
    battle.fire("rifle", "rifle", "4H")
    battle.play.accept(battle.play.possible("void", *added.entry_numbers))
    found = summary(battle.play)
    assert sum(row.lost for row in side(found, "first").losses) == 1
    assert sum(row.models for row in side(found, "second").by_unit) == 0
    assert found.turns[0].pieces == {"first": 1, "second": 0}


def test_losses_stand_in_the_turn_in_which_they_fell() -> None:
    battle = table()
    battle.fire("rifle", "rifle", "2H")
    battle.at(3, "first")
    battle.fire("rifle", "truck", "2H")
    battle.order(NameRiders({}))
    battle.order(EndTurn())
    battle.fire("rifle", "rifle", "2H", grouped=False)
    found = summary(battle.play)
    assert [(turn.turn, turn.pdg) for turn in found.turns] == [
        (1, {"first": 1, "second": 0}),
        (2, {"first": 0, "second": 0}),
        (3, {"first": 5, "second": 1}),
    ]


def test_the_longest_chain_is_hits_in_a_row_by_one_piece() -> None:
    battle = table()
    battle.fire("machinegun", "rifle", "2H")
    battle.order(Hold())
    assert summary(battle.play).chain is None
    battle.fire("machinegun", "rifle", "3H")
    for draw in ("4H", "5H", "9H"):
        battle.order(Again(target="first/first/rifle"))
        battle.show(draw)
    chain = summary(battle.play).chain
    assert chain is not None
    assert (chain.side, chain.name, chain.hits, chain.turn) == ("second", "Machinegun M2", 3, 1)


def test_a_breakdown_is_counted_and_is_no_kill() -> None:
    battle = armies({"rifle": 9}, {"machinegun": 3, "rifle": 3})
    battle.fire("machinegun", "rifle", "QS", "2S")
    blues = side(summary(battle.play), "second")
    assert (blues.broke, blues.shots, blues.hits) == (1, 1, 0)
    assert losses(summary(battle.play), "second", "machinegun").total == 3


def test_a_tank_lost_to_its_own_gun_is_a_loss_and_nobodys_kill() -> None:
    battle = armies({"rifle": 9}, {"tank": 2}, answers={"P19": "whole_model"})
    battle.fire("tank", "rifle", "QS", "2S", weapon="cannon")
    found = summary(battle.play)
    assert losses(found, "second", "tank").lost == 1
    assert side(found, "second").broke == 1
    assert all(row.models == 0 for one in found.sides for row in one.by_unit)


def test_who_leaves_the_table_is_off_it_and_not_lost() -> None:
    battle = scenario(1)
    battle.order(Exit(row="german/column/rifle", count=4, insist=True))
    row = losses(summary(battle.play), "german", "rifle")
    assert (row.exited, row.lost, row.left) == (4, 0, row.total - 4)
    assert side(summary(battle.play), "german").exit_value == 4


def test_the_outcome_is_as_the_players_have_it() -> None:
    battle = scenario(1)
    battle.order(Finish(winner="polish", reason="Supper."))
    found = summary(battle.play)
    assert (found.over, found.winner, found.reason) == (True, "polish", "Supper.")
    assert (found.title, found.scenario) == ("Overmatched", 1)
    battle.undo()
    assert not summary(battle.play).over


@pytest.mark.parametrize("number", deep_every(3, range(11)))
def test_the_sums_of_a_random_battle_agree_with_its_state(number: int) -> None:
    battle = (
        scenario(number, sources=DECKS)
        if number
        else armies(REDS, BLUES, sources=DECKS, options=Options())
    )
    random = Random(number)
    for _ in range(6):
        play_on(battle, random, 25)
        found = [line for line in lines(battle.play)[1:] if not line.void]
        if found and battle.state.ask is None and battle.state.outcome is None:
            line = random.choice(found)
            battle.play.accept(battle.play.possible("void", *line.entry_numbers))
        if len(battle.play.acts) > 1 and random.random() < 0.5:
            battle.undo()
        agrees(battle)
    assert battle.state.lost


def agrees(battle: Table) -> None:
    state, found = battle.state, summary(battle.play)
    for one in found.sides:
        assert sum(row.lost for row in one.losses) == sum(
            state.piece(piece).side == one.side for piece in state.lost
        )
        exits = one.loss - sum(row.pdg for row in one.losses)
        assert exits >= 0 if state.setup.scenario is None else exits == 0
        assert sum(turn.pdg[one.side] for turn in found.turns) == sum(r.pdg for r in one.losses)
        assert all(row.left >= 0 for row in one.losses)
        for rows in (one.by_unit, one.by_weapon):
            assert sum(row.shots for row in rows) == one.shots
            assert sum(row.hits for row in rows) == one.hits <= one.shots
            counted = [c for c in state.lost.values() if c and not c.draw and not c.breakdown]
            assert sum(row.guys + row.models for row in rows) == sum(
                row.guys + row.models for row in one.by_piece
            ) + sum(piece_side(credit.piece) == one.side for credit in counted)
    killed = sum(row.guys + row.models for one in found.sides for row in one.by_unit)
    credits = [credit for credit in state.lost.values() if credit and not credit.breakdown]
    assert killed == len(credits)
