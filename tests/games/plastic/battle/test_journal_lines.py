"""The journal in words: one line for each whole thing, honest about what was overruled."""

from __future__ import annotations

import pytest
from stage import Table, armies, scenario

from skirmish.games.plastic.battle.agenda import CasualtyAsk
from skirmish.games.plastic.battle.lines import lines, whole_journal
from skirmish.games.plastic.battle.orders import (
    Again,
    AnyOrder,
    ChooseCasualties,
    Correct,
    EndPhase,
    EndTurn,
    Finish,
    Fire,
    Hold,
    MarkPinned,
    Reveal,
    Show,
    Switch,
)
from skirmish.games.plastic.battle.progress import headline
from skirmish.games.plastic.commands.judging.command import judge_again, last_shot_in
from skirmish.games.plastic.shot_page import shot_page
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.commands import Draft
from skirmish.tabletop.page_text import as_text


def last(table: Table) -> str:
    return lines(table.play)[-1].text


def test_a_battle_begins_with_its_title() -> None:
    assert last(scenario(1)) == "Overmatched begins."


def test_a_shot_is_told_with_draw_number_and_loss() -> None:
    table = armies({"rifle": 9}, {"rifle": 9})
    table.order(table.shot("rifle", "rifle"))
    assert last(table) == "Rifle R1 > Rifle, needs A-5."
    table.show("5H")
    assert last(table) == "Rifle R1 > Rifle, needs A-5: 5H hit. Reds: Rifle -1."
    table.fire("rifle", "rifle", "6H")
    assert last(table) == "Rifle R2 > Rifle, needs A-5: 6H miss."


@pytest.mark.parametrize("order", [EndPhase(), EndTurn()])
def test_who_died_as_proposed_when_the_clock_went_on_is_told_before_it(order: AnyOrder) -> None:
    table = armies({"rifle": 9, "mortar": 1}, {"rifle": 9})
    table.fire("rifle", "rifle", "5H")
    assert isinstance(table.state.ask, CasualtyAsk)
    table.order(order)
    assert last(table).startswith("Losses as proposed. Reds: Rifle -1. ")
    assert last(table).endswith(": Defensive fire." if order == EndPhase() else " to move.")


def test_a_tank_tells_which_of_its_weapons_it_fires() -> None:
    table = armies({"rifle": 9}, {"tank": 1})
    table.order(table.shot("tank", "rifle"))
    assert last(table) == "Tank T1 (Machinegun) > Rifle, needs A-8."


@pytest.mark.parametrize(
    ("shooter", "seen", "words"),
    [
        ("rifle", {"cover": True}, "Rifle R1 > Cannon in cover, needs A-2: 2S miss (cover)."),
        (
            "cannon",
            {"hull_down": True},
            "Cannon C1 > Cannon hull down, needs A-9: 2S miss (hull down).",
        ),
        (
            "cannon",
            {"cover": True},
            "Cannon C1 > Cannon in cover, needs A-9: 2S hit. Reds: Cannon C1 lost.",
        ),
    ],
)
def test_what_saved_the_target_is_told(shooter: str, seen: dict[str, bool], words: str) -> None:
    table = armies({"cannon": 9}, {shooter: 1})
    table.fire(shooter, "cannon", "2S", **seen)
    assert last(table) == words


def test_a_chain_of_shots_is_one_line_with_all_its_draws() -> None:
    table = armies({"rifle": 9}, {"machinegun": 1})
    table.fire("machinegun", "rifle", "8H")
    table.order(Again())
    assert last(table) == "Machinegun M1 > Rifle, needs A-8: 8H hit. Reds: Rifle -1."
    table.show("7H")
    table.order(Hold())
    assert last(table) == "Machinegun M1 > Rifle, needs A-8: 8H hit, 7H hit. Reds: Rifle -2."


def test_a_given_man_is_told_by_what_he_was() -> None:
    table = armies({"rifle": 5, "mortar": 1}, {"rifle": 2})
    table.fire("rifle", "mortar", "5H")
    table.order(ChooseCasualties(("first/first/rifle",)))
    assert last(table) == "Rifle R1 > Mortar, needs A-5: 5H hit. Reds: Rifle -1."


def test_a_breakdown_is_told_with_its_draw() -> None:
    table = armies({"rifle": 9}, {"machinegun": 2})
    table.fire("machinegun", "rifle", "QS", "2S")
    assert last(table) == (
        "Machinegun M1 > Rifle, needs A-8: QS miss. Breakdown draw 2S: it breaks. "
        "M1 fights on as a Rifle Guy."
    )
    table.fire("machinegun", "rifle", "9H")
    table.at(2, "first")
    table.fire("machinegun", "rifle", "QS", "2H")
    assert last(table) == "Machinegun M2 > Rifle, needs A-8: QS miss. Breakdown draw 2H: it holds."


def test_advice_that_was_overruled_stands_in_the_line() -> None:
    table = armies({"rifle": 9}, {"rifle": 9})
    table.order(table.shot("rifle", "rifle", by="first", insist=True))
    assert last(table) == (
        "Rifle R1 > Rifle, needs A-5. [Against the rules: Only Blues fires in phase 1.]"
    )


def test_the_clock_is_told() -> None:
    table = scenario(1)
    table.order(EndPhase())
    assert last(table) == "Phase 2: Defensive fire."
    table.order(EndTurn())
    assert last(table) == "Turn 1, Poles to move."
    table.order(EndTurn())
    assert last(table) == "Turn 2, Germans to move."


def test_the_shuffle_that_ends_every_turn_is_not_told() -> None:
    table = scenario(1)
    table.order(Fire(shooter="polish/rearguard/rifle", target="german/column/rifle"))
    table.order(Show((Draw(9, "H"),)))
    table.order(EndTurn())
    assert last(table) == "Turn 1, Poles to move."


def test_undo_and_redo_are_told() -> None:
    table = scenario(1)
    table.order(EndPhase())
    table.undo()
    assert last(table) == "Overmatched begins."
    assert [line.text for line in whole_journal(table.play)][-1] == "Undone."
    assert whole_journal(table.play)[1].undone
    table.play.accept(table.play.possible("redo"))
    assert last(table) == "Phase 2: Defensive fire."
    assert whole_journal(table.play)[-1].text == "Redone."


@pytest.mark.parametrize(
    ("winner", "line", "head"),
    [
        ("german", "The Germans win. Supper.", "Winner: Germans"),
        (None, "A draw. Supper.", "A draw"),
    ],
)
def test_the_end_is_told_with_its_reason(winner: str | None, line: str, head: str) -> None:
    table = scenario(1)
    table.order(Finish(winner=winner, reason="Supper."))
    assert last(table) == line
    assert headline(table.state) == head


def test_nations_have_adjectives_and_named_armies_are_named_after_the_noun() -> None:
    poles, blues = scenario(1).state.setup, armies({"rifle": 9}, {"rifle": 2}).state.setup
    assert poles.owned_by("polish", "unit") == "Polish unit"
    assert poles.the("polish", "The") == "The Poles"
    assert blues.owned_by("first", "unit") == f"unit of {blues.sides[0].people}"
    assert blues.the("first") == blues.sides[0].people


# ------------------------------------------------------------------ groups


GARRISON, HIDDEN = "german/garrison/rifle", "german/hidden/rifle"


def two_groups() -> Table:
    """Scenario 3: the Germans have riflemen in two groups, the British one group of jeeps."""
    table = scenario(3)
    table.order(Reveal(row=HIDDEN, count=6))
    return table


def test_a_row_carries_its_group_where_the_name_alone_is_not_clear() -> None:
    table = two_groups()
    assert last(table) == "Germans: 6 Rifle Guys (Hidden riflemen) revealed."
    table.at(1, "german").order(Switch(option="pinning", on=True))
    table.order(Correct(row=GARRISON, by=-2))
    assert last(table) == "Germans: Rifle (Garrison) -2."
    table.order(MarkPinned(row=HIDDEN))
    assert last(table) == "Rifle (Hidden riflemen): 1 pinned."


def test_a_unit_of_one_group_is_called_by_its_name_alone() -> None:
    table = two_groups()
    table.order(Correct(row="german/garrison/machinegun", by=-1))
    assert last(table) == "Germans: Machinegun -1."


def test_shots_and_volleys_name_the_group_aimed_at() -> None:
    table = two_groups().at(1, "german")
    jeeps = table.row("british", "mg_jeep").key
    table.order(Fire(shooter=jeeps, target=GARRISON))
    assert last(table) == "MG Jeep W1 (Machinegun) > Rifle (Garrison), needs A-8."
    page = shot_page(table.state, Fire(shooter=jeeps, target=HIDDEN), "full")
    assert "MG Jeep > Rifle (Hidden riflemen)" in as_text(page)


def test_a_shot_that_is_judged_again_is_named_with_its_groups() -> None:
    table = two_groups().at(1, "german")
    jeeps = table.row("british", "mg_jeep").key
    table.order(Fire(shooter=jeeps, target=GARRISON))
    table.show("8H")
    shot = last_shot_in(table.play, lines(table.play)[-1].entry_numbers)
    page = Draft(command=judge_again(table.state, shot)).page
    assert "MG Jeep > Rifle (Garrison), 8H: hit." in as_text(page)
