"""What a played battle came to, for its campaign and for the campaign book."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from skirmish.app.print_choice import documents_of
from skirmish.games.plastic.battle.orders import Finish
from skirmish.games.plastic.campaign.battle_facts import BattleFacts
from skirmish.games.plastic.campaign.battle_opening import opening
from skirmish.games.plastic.campaign.facts import digest_of, facts_of
from skirmish.games.plastic.campaign.state import CampaignState
from skirmish.games.plastic.casualties import casualty_strip
from skirmish.games.plastic.luck import luck
from skirmish.registry import load
from skirmish.tabletop.journal_codec import EntryRecord
from tests.games.plastic.campaign.evenings import begin, opened, the_game

sys.path.append(str(Path(__file__).parents[1] / "battle"))
import stage  # the random players of battles

FIRST_DAY = Path(__file__).parents[3] / "cli" / "first_games" / "campaign.jsonl"


def fought(ladder: str, **answers: Any) -> tuple[Any, BattleFacts]:
    """The first battle of a campaign, played at random, and its facts."""
    state: CampaignState = begin(opened(ladder, **answers))
    setup = opening(state, state.fought[-1], the_game()._books(), state.seed)
    table = stage.Table(setup)
    random = Random(ladder)
    while table.state.outcome is None:
        table.order(stage.some_order(table.state, random))
    facts = facts_of(table.play)
    assert facts is not None
    return table.play, facts


@pytest.mark.parametrize("ladder", ["kursk", "desert", "any_two_armies"])
def test_the_book_knows_every_loss_as_the_report_of_the_battle_does(ladder: str) -> None:
    play, facts = fought(ladder)
    strip = casualty_strip(play)
    story = facts.story
    assert story is not None
    fallen = {piece.id for piece in facts.pieces if piece.fate == "lost"}
    assert {*story.losses} == fallen
    for casualty in strip.in_order:
        lost = story.losses[casualty.piece]
        assert (lost.draw, lost.weapon, lost.pdg) == (casualty.draw, casualty.weapon, casualty.pdg)


@pytest.mark.parametrize("ladder", ["kursk", "desert"])
def test_groups_and_attached_men_together_expect_the_hits_of_the_luck_ledger(ladder: str) -> None:
    play, facts = fought(ladder)
    assert facts.story is not None
    deeds = [*facts.groups.values(), *facts.story.attached.values()]
    expected = sum(row.expected or 0.0 for row in deeds)
    ledger = luck(play)
    assert expected == pytest.approx(float(sum(side.expected for side in ledger.sides)), abs=0.01)
    assert sum(row.hits for row in deeds) == sum(side.kills for side in ledger.sides)
    assert sum(row.brought for row in deeds) == len(facts.pieces)


def test_a_raid_of_attached_men_has_their_deeds() -> None:
    _, facts = fought("desert")
    assert not facts.groups
    assert facts.story is not None
    assert {*facts.story.attached} == {"axis", "british"}


def test_a_battle_that_was_counted_before_the_book_has_not_changed() -> None:
    records = []
    for line in FIRST_DAY.read_text("utf-8").splitlines()[1:]:
        entry = json.loads(line)
        if "number" in entry:
            order, events = json.dumps(entry["order"]), json.dumps(entry["events"])
            records.append(EntryRecord(entry["number"], entry["kind"], order, events))
    counted = [own.facts for own in the_game().codec.replay(records).state.fought if own.facts]
    assert counted
    for facts in counted:
        assert facts.story is None
        assert digest_of(facts) == facts.digest


def test_what_only_the_book_tells_changes_no_battle() -> None:
    _, facts = fought("kursk")
    groups = {name: replace(row, expected=None) for name, row in facts.groups.items()}
    assert digest_of(replace(facts, story=None, groups=groups)) == facts.digest
    lost = next(piece for piece in facts.pieces if piece.fate == "lost")
    others = [piece for piece in facts.pieces if piece != lost]
    saved = (*others, replace(lost, fate="alive"))
    assert digest_of(replace(facts, pieces=saved)) != facts.digest


def test_a_battle_calls_its_armies_by_their_names_and_lists_no_rosters_that_it_lacks() -> None:
    state = begin(opened("any_two_armies"))
    setup = opening(state, state.fought[-1], the_game()._books(), state.seed)
    assert [side.people for side in setup.sides] == [side.name for side in setup.sides]
    battle: Any = SimpleNamespace(game=load("plastic"), state=SimpleNamespace(setup=setup))
    titles = [line.text for line in documents_of(None, battle)]  # type: ignore[arg-type]
    assert "The rosters of both armies" not in titles
    assert "The rosters as they stand, with losses struck out" in titles


def test_groups_that_lost_nobody_are_counted_too() -> None:
    state = begin(opened("kursk"))
    table = stage.Table(opening(state, state.fought[-1], the_game()._books(), state.seed))
    table.order(Finish(winner=None))
    facts = facts_of(table.play)
    assert facts is not None
    assert facts.groups
    assert all(row.brought and not row.lost for row in facts.groups.values())
