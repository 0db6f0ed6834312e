"""Force quality of a group's own, in a battle of a campaign ("Troop Quality", ruling C18)."""

from __future__ import annotations

from typing import cast

import pytest
from msgspec.structs import replace
from stage import DICE, Table, armies

from skirmish.games.plastic.battle.events import Checked
from skirmish.games.plastic.battle.odds import VolleyOdds, volley_odds
from skirmish.games.plastic.battle.orders import Correct, Fire, GroupMoved, PinTest, SetQuality
from skirmish.games.plastic.battle.orders.firing import prepared
from skirmish.games.plastic.battle.pieces import Contingent, Piece
from skirmish.games.plastic.battle.qualities import (
    qualities_differ,
    quality_of_group,
    quality_of_row,
)
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.setup import OfCampaign
from skirmish.games.plastic.board import forces, group_name
from skirmish.games.plastic.commands.agreements import QualityOf, rules
from skirmish.games.plastic.commands.battle_now import BattleNow
from skirmish.games.plastic.commands.corrections import pin_test
from skirmish.games.plastic.commands.declaring import Declared
from skirmish.games.plastic.commands.movement import moved
from skirmish.games.plastic.rules.options import Options
from skirmish.tabletop.slots import Choose

GUARDS, RECRUITS = "first/guards/rifle", "first/recruits/rifle"
GUN = "machinegun"


def by_group(guards: str = "elite", recruits: str = "green", side: str = "green") -> Table:
    """The first side has two groups with a quality of their own; both sides roll dice."""
    setup = armies(
        {"rifle": 4},
        {GUN: 2},
        sources=(DICE, DICE),
        options=Options(pinning=True),
        quality={"first": side},
    ).state.setup
    groups = (
        Contingent("guards", "first", "Guards", quality=guards),
        Contingent("recruits", "first", "Recruits", quality=recruits),
    )
    pieces = []
    for piece in setup.pieces:
        if piece.side == "first":
            contingent = "guards" if piece.number <= 2 else "recruits"
            pieces.append(Piece(piece.id, contingent, piece.unit))
        else:
            pieces.append(piece)
    others = [part for part in setup.contingents if part.side != "first"]
    return Table(replace(setup, contingents=(*groups, *others), pieces=tuple(pieces)))


def question(command: Declared, table: Table) -> Choose | None:
    slots = command.command(BattleNow(table.state)).slots
    assert isinstance(slots, tuple)
    return cast("Choose", slots[0]) if slots else None


def last_check(table: Table) -> Checked:
    checked = table.state.checked
    assert checked is not None
    return checked


def odds_of(table: Table, order: Fire) -> VolleyOdds:
    odds = volley_odds(table.state, order, prepared(table.state, order))
    assert odds is not None
    return odds


def gun(table: Table) -> str:
    return next(row.key for row in rows(table.state, "second") if row.unit.id == GUN)


@pytest.mark.parametrize(("row", "pinned"), [(GUARDS, False), (RECRUITS, True)])
def test_men_of_a_row_are_pinned_by_the_quality_of_their_group(row: str, pinned: bool) -> None:
    table = by_group()
    table.order(Fire(shooter=gun(table), target=row))
    table.show(11, 7)  # 7: the elite stand, the green are pinned
    check = last_check(table)
    assert (check.row, check.result) == (row, pinned)


def test_the_odds_of_a_pin_are_those_of_the_group_fired_at() -> None:
    table = by_group()
    chances = {}
    for row in (GUARDS, RECRUITS):
        table_odds = odds_of(table, Fire(shooter=gun(table), target=row))
        assert table_odds.pinned is not None
        chances[row] = table_odds.pinned.most
    assert chances[RECRUITS] == 3 * chances[GUARDS]  # 4 or higher against 10 or higher


def test_several_groups_are_tested_as_the_worst_of_them() -> None:
    table = by_group()
    table.order(PinTest("first"))
    table.show(4)
    assert last_check(table).result
    table.order(PinTest("first", "guards"))
    table.show(9)
    assert not last_check(table).result


def test_a_command_draw_asks_which_group_moved_where_they_differ() -> None:
    asked = question(moved, by_group("regular", "green"))
    assert asked is not None
    assert [option.label for option in asked.options] == ["Guards: regular", "Recruits: green"]
    assert question(moved, by_group("green", "green")) is None
    assert question(pin_test, by_group()) is not None


def test_once_only_one_quality_is_left_nothing_is_asked() -> None:
    table = by_group("regular", "green")
    table.order(Correct(row=RECRUITS, by=-2))
    assert not qualities_differ(table.state, "first")
    assert question(moved, table) is None


@pytest.mark.parametrize(("contingent", "over"), [("guards", False), ("recruits", True)])
def test_the_group_that_moved_draws_by_its_own_quality(contingent: str, over: bool) -> None:
    table = by_group("regular", "green")
    table.order(GroupMoved(contingent=contingent))
    table.show(9)
    assert table.state.movement_over is over


def test_an_elite_group_draws_no_command_card() -> None:
    table = by_group("elite", "regular")
    assert table.refusal(GroupMoved(contingent="guards")).code == "no_draw"
    asked = question(moved, table)
    assert asked is not None
    assert asked.proposed == "recruits"


def test_a_group_of_the_enemy_never_moves() -> None:
    assert by_group().refusal(GroupMoved(contingent="second")).code == "unknown_contingent"


def test_without_force_quality_no_group_has_one() -> None:
    table = by_group()
    table.order(SetQuality(side="first", quality=None))
    assert quality_of_row(table.state, GUARDS) is None
    assert question(moved, table) is None


def test_the_board_names_the_quality_beside_the_group() -> None:
    state = by_group().state
    names = [group_name(state, part) for part in state.setup.contingents if part.side == "first"]
    assert names == ["Guards, elite", "Recruits, green"]
    plain = armies({"rifle": 4}, {GUN: 1}, quality={"first": "green"}).state
    assert group_name(plain, plain.setup.contingents[0]) == plain.setup.contingents[0].name


def test_the_rules_say_that_quality_goes_by_group() -> None:
    table = by_group()
    (rule,) = rules_answers(table)
    assert rule == "Reds, force quality: by group"
    table.order(SetQuality(side="first", quality=None))
    assert rules_answers(table) == ["Reds, force quality: none"]


def rules_answers(table: Table) -> list[str]:
    """What the command for the rules says of the first side's quality."""
    slots = rules.command(BattleNow(table.state)).slots
    assert callable(slots)
    (asked,) = slots({})
    assert isinstance(asked, Choose)
    return [option.label for option in asked.options if option.value == QualityOf("first")]


@pytest.mark.parametrize(("answers", "quality"), [({}, "green"), ({"C18": "most"}, "elite")])
def test_of_several_groups_the_worst_counts_or_most_of_them(
    answers: dict[str, str], quality: str
) -> None:
    """C18: three guards and one recruit are left."""
    table = by_group()
    link = OfCampaign(mark="abc", battle=1, title="Kursk", sides={}, groups={}, answers=answers)
    table = Table(replace(table.state.setup, campaign=link))
    table.order(Correct(row=RECRUITS, by=-1))
    of_all = quality_of_group(table.state, "first", "")
    assert of_all is not None
    assert of_all.id == quality


@pytest.mark.parametrize(("answers", "word"), [({}, "worst"), ({"C18": "most"}, "largest")])
def test_the_question_for_a_group_says_whose_quality_counts(
    answers: dict[str, str], word: str
) -> None:
    link = OfCampaign(mark="abc", battle=1, title="Kursk", sides={}, groups={}, answers=answers)
    table = Table(replace(by_group().state.setup, campaign=link))
    asked = question(moved, table)
    assert asked is not None
    assert asked.text.endswith(f"choose the {word}.")


def test_the_quality_of_an_only_group_stands_beside_its_men() -> None:
    setup = by_group().state.setup
    only = [part for part in setup.contingents if part.id != "recruits"]
    pieces = [
        replace(piece, contingent="guards") for piece in setup.pieces if piece.side == "first"
    ]
    others = [piece for piece in setup.pieces if piece.side != "first"]
    table = Table(replace(setup, contingents=tuple(only), pieces=(*pieces, *others)))
    assert "Guards, elite" in repr(list(forces(table.state, ())))
