"""The rules of a campaign, one by one."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from skirmish.games.plastic.campaign import orders
from skirmish.games.plastic.campaign.battle_facts import BattleFacts, PieceFate
from skirmish.games.plastic.campaign.battle_opening import opening
from skirmish.games.plastic.campaign.evening import quality_step
from skirmish.games.plastic.campaign.facts import digest_of
from skirmish.games.plastic.campaign.fielding import counted_points, proposed_fielding
from skirmish.games.plastic.campaign.groups import GroupBattle
from skirmish.games.plastic.campaign.position import points_for_position, position_of
from skirmish.games.plastic.campaign.returns import parties_of
from skirmish.games.plastic.campaign.state import CampaignState
from skirmish.tabletop.page import Paragraph
from skirmish.tabletop.refusal import Refused
from tests.games.plastic.campaign.evenings import (
    LADDERS,
    begin,
    conserved,
    ended,
    evening,
    give,
    opened,
    the_game,
)


def nobody(piece: PieceFate) -> bool:
    return False


def after_a_battle(winner: str | None = "german", **answers: str) -> CampaignState:
    play = opened("kursk", **answers)
    begin(play)
    give(play, orders.CountBattle(facts=ended(play.state, winner, nobody)))
    return play.state


@pytest.mark.parametrize("campaign", LADDERS)
def test_every_campaign_of_the_program_opens_and_its_first_battle_begins(campaign: str) -> None:
    play = opened(campaign)
    state = begin(play)
    setup = opening(state, state.fought[-1], the_game()._books(), state.seed)
    assert setup.campaign is not None
    assert setup.campaign.mark == state.setup.mark
    conserved(state)


def test_the_lost_of_a_side_that_lost_the_field_return_by_its_line() -> None:
    table = opened().state.setup.table
    assert [table.guys_lost.result(rank) for rank in (5, 8, 9, 10)] == [
        "ready",
        "away",
        "prisoner",
        "gone",
    ]
    assert [table.models_held.result(rank) for rank in (4, 8, 10, 11)] == [
        "ready",
        "away",
        "crew",
        "gone",
    ]


def test_seven_lost_riflemen_share_three_cards_and_other_guys_have_their_own() -> None:
    state = opened().state
    lost = {"german-2": {"rifle": 7, "mortar": 2, "halftrack": 1}}
    parties = parties_of(state, 1, lost)
    assert [(party.unit, party.count) for party in parties] == [
        ("halftrack", 1),
        ("mortar", 1),
        ("mortar", 1),
        ("rifle", 3),
        ("rifle", 3),
        ("rifle", 1),
    ]


def test_who_is_away_misses_one_battle_and_fights_the_next_but_one() -> None:
    play = opened("kursk", cards="own")
    begin(play)
    facts = ended(play.state, "russian", lambda piece: piece.id == "german:M1")
    give(play, orders.CountBattle(facts=facts))
    state = give(play, orders.DrawReturns(ranks=(8,)))
    assert state.groups["german-2"].away == {"machinegun": 1}
    evening(play, Random(1))
    state = begin(play)
    assert "machinegun" in state.groups["german-2"].away
    state = give(play, orders.CountBattle(facts=ended(play.state, "german", nobody)))
    assert not state.groups["german-2"].away


def test_a_weak_side_is_filled_with_attached_riflemen_up_to_four_fifths() -> None:
    play = opened("kursk")
    begin(play)
    give(play, orders.CountBattle(facts=ended(play.state, "german", nobody)))
    evening(play, Random(1))
    state = play.state
    assert state.allowance == 200
    weak = replace(
        state,
        groups={
            name: replace(group, ready={"rifle": 50} if group.side == "russian" else group.ready)
            for name, group in state.groups.items()
        },
    )
    fielding = proposed_fielding(weak, "russian")
    assert counted_points(weak, fielding.groups) == 150
    assert fielding.attached["rifle"] == 10


def test_with_force_quality_regulars_count_five_sixths_of_their_price() -> None:
    state = opened("kursk", quality="on").state
    groups = {"russian-1": {"rifle": 60}, "russian-2": {"cannon": 4}, "german-1": {"tank": 5}}
    assert counted_points(state, groups) == 50 + 27 + 84


@pytest.mark.parametrize(("lost", "marks"), [(3, 1), (4, 0)])
def test_a_group_that_lost_a_quarter_of_what_it_brought_gains_a_mark(lost: int, marks: int) -> None:
    state = after_a_battle()
    group = replace(
        state.groups["russian-3"], battles=(GroupBattle(battle=1, brought=12, lost=lost),)
    )
    step = quality_step(group, state)
    assert (step.marks if step else 0) == marks


@pytest.mark.parametrize(("recruits", "marks"), [(9, 1), (10, 0)])
def test_more_than_a_quarter_of_recruits_costs_a_mark(recruits: int, marks: int) -> None:
    state = after_a_battle()
    group = replace(
        state.groups["russian-1"], ready={"rifle": 36}, tonight=recruits, marks=1, battles=()
    )
    step = quality_step(group, state)
    assert (step.marks if step else group.marks) == marks


def test_two_marks_make_green_regular_and_four_regular_elite() -> None:
    state = after_a_battle()
    fought = (GroupBattle(battle=1, brought=60, lost=0),)
    green = replace(state.groups["russian-1"], quality="green", marks=1, battles=fought)
    regular = replace(state.groups["russian-1"], marks=3, battles=fought)
    steps = [quality_step(green, state), quality_step(regular, state)]
    assert [step and (step.quality, step.marks) for step in steps] == [
        ("regular", 0),
        ("elite", 0),
    ]


def test_replacements_catch_up_and_what_was_saved_add_up() -> None:
    state = after_a_battle("german")
    assert state.step == "catch_up"
    play = opened("kursk")
    begin(play)
    give(play, orders.CountBattle(facts=ended(play.state, "german", nobody)))
    state = give(play, orders.CatchUp())
    assert state.budget == {"german": 10, "russian": 25}
    give(play, orders.BuyReplacements(side="german"), orders.BuyReplacements(side="russian"))
    assert play.state.budget == {"german": 10, "russian": 15}
    begin(play)
    give(play, orders.CountBattle(facts=ended(play.state, "german", nobody)))
    assert give(play, orders.CatchUp()).budget == {"german": 20, "russian": 40}


def test_the_choice_of_ground_makes_its_side_the_attacker_of_a_battle_that_is_drawn_for() -> None:
    play = opened("any_two_armies")
    begin(play)
    give(play, orders.CountBattle(facts=ended(play.state, "first", nobody)))
    give(play, orders.CatchUp(ground=True))
    for side in play.state.setup.ids:
        give(play, orders.BuyReplacements(side=side))
    assert (play.state.attacker, play.state.ground) == ("first", "second")
    begin(play)
    give(play, orders.CountBattle(facts=ended(play.state, "second", nobody)))
    give(play, orders.CatchUp())
    for side in play.state.setup.ids:
        give(play, orders.BuyReplacements(side=side))
    assert (play.state.marker, play.state.attacker, play.state.ground) == (0, "second", "")


def test_whoever_concedes_loses_the_battle_and_nobody_else() -> None:
    play = opened("kursk")
    begin(play)
    before = {name: group.full_strength for name, group in play.state.groups.items()}
    state = give(play, orders.Concede(side="german"))
    assert state.marker == -1
    assert state.step == "replacements"
    assert {name: group.members for name, group in state.groups.items()} == before
    conserved(state)


def test_a_win_beyond_the_end_of_the_ladder_ends_the_campaign() -> None:
    play = opened("kursk")
    for _ in range(3):
        begin(play)
        give(play, orders.CountBattle(facts=ended(play.state, "german", nobody)))
        evening(play, Random(2))
    assert play.state.outcome is not None
    assert play.state.outcome.winner == "german"
    assert the_game().headline(play.state) == "Germans won after 3 battles"


def test_who_exits_to_win_gives_up_the_field() -> None:
    play = opened("kursk")
    begin(play)
    facts = ended(play.state, "german", nobody, exited=True)
    state = give(play, orders.CountBattle(facts=facts))
    assert state.fought[-1].holds == ("russian",)


def test_prisoners_are_exchanged_one_for_one_the_longest_held_first() -> None:
    play = opened("kursk", cards="own")
    begin(play)
    lost = {"german:M1", "german:M2", "russian:M1"}
    facts = ended(play.state, None, lambda piece: piece.id in lost, how="draw")
    give(play, orders.CountBattle(facts=facts, holds=()))
    state = give(play, orders.DrawReturns(ranks=(9, 9, 9)))
    assert state.groups["german-2"].total("prisoner") == 1
    assert state.groups["russian-1"].total("prisoner") == 0
    conserved(state)


def test_the_crew_of_a_lost_model_makes_the_next_one_no_recruit() -> None:
    play = opened("kursk", cards="own")
    begin(play)
    facts = ended(play.state, "german", lambda piece: piece.id == "russian:C1")
    give(play, orders.CountBattle(facts=facts))
    give(
        play,
        orders.DrawReturns(ranks=(8,)),
        orders.CatchUp(),
        orders.BuyReplacements(side="german"),
    )
    assert play.state.groups["russian-2"].crews == {"cannon": 1}
    bought = {"russian-2": {"cannon": 1}}
    event = play.consider(orders.BuyReplacements(side="russian", bought=bought)).events[0]
    after = event.apply(play.state)
    assert after.groups["russian-2"].tonight == 0
    assert after.groups["russian-2"].recruits == {"cannon": 1}


def test_facts_of_another_campaign_are_refused_in_a_sentence() -> None:
    play = opened("kursk")
    begin(play)
    facts = replace(ended(play.state, "german", nobody), winner="british")
    with pytest.raises(Refused, match="'british' is no side of this campaign"):
        give(play, orders.CountBattle(facts=facts))
    facts = replace(ended(play.state, "german", nobody), battle=5)
    with pytest.raises(Refused, match="facts of battle 5"):
        give(play, orders.CountBattle(facts=facts))


def test_nobody_can_bring_more_than_is_ready_or_allowed() -> None:
    play = opened("kursk")
    with pytest.raises(Refused, match="Panzer company has 5 Tanks ready, not 6"):
        give(play, orders.BringForces(side="german", groups={"german-1": {"tank": 6}}))
    with pytest.raises(Refused, match="The scenario lists"):
        give(play, orders.BringForces(side="german", groups={"german-1": {"tank": 5}}))


# ------------------------------------------------------------------ other answers


def test_a_weapon_that_broke_down_stays_a_rifle_where_it_is_not_mended() -> None:
    """C10."""
    play = opened("kursk", rulings="own", C10="rifle")
    begin(play)
    facts = with_pieces(ended(play.state, "german", nobody), {"german:M1": {"turned": "rifle"}})
    before = play.state.groups["german-2"]
    state = give(play, orders.CountBattle(facts=facts))
    group = state.groups["german-2"]
    assert group.turned == {"machinegun": -1, "rifle": 1}
    assert (
        group.ready["rifle"]
        == before.count("ready", "rifle") + before.count("fielded", "rifle") + 1
    )
    assert group.missing("machinegun") == 1
    conserved(state)
    the_game().check(state)
    state = give(play, orders.CountAgain(facts=ended(play.state, "german", nobody)))
    assert not state.groups["german-2"].turned
    conserved(state)


def test_passengers_share_the_card_of_their_model_and_read_it_in_their_own_line() -> None:
    """C11: a halftrack and two machinegun guys aboard are lost with the field; an 8 lets the crew
    of the halftrack live, and the guys miss a battle."""
    play = opened("kursk", cards="own", rulings="own", C11="carrier")
    give(play, orders.Concede(side="russian"))
    evening(play, Random(1))
    begin(play)
    lost = {"first:H1", "first:M1", "first:M2", "first:M3"}
    facts = ended(play.state, "russian", lambda piece: piece.id in lost)
    aboard = {"carrier": "first:H1"}
    facts = with_pieces(facts, {"first:M1": aboard, "first:M2": aboard})
    state = give(play, orders.CountBattle(facts=facts))
    draw = next(command for command in the_game().commands(state) if "Draw" in command.label)
    assert draw.label == "Draw 2 cards for the lost"
    with pytest.raises(Refused, match="2 cards are due, not 3"):
        give(play, orders.DrawReturns(ranks=(8, 8, 8)))
    state = give(play, orders.DrawReturns(ranks=(8,)))
    group = state.groups["german-2"]
    assert (group.gone, group.away) == ({"halftrack": 1}, {"machinegun": 2})
    state = give(play, orders.DrawReturns(ranks=(1,)))
    assert not state.due
    conserved(state)


def test_who_is_lost_aboard_after_all_takes_the_card_that_was_drawn_for_his_model() -> None:
    """C11, for a battle that was counted again."""
    play = opened("kursk", cards="own", rulings="own", C11="carrier")
    give(play, orders.Concede(side="russian"))
    evening(play, Random(1))
    begin(play)
    facts = ended(play.state, "russian", lambda piece: piece.id == "first:H1")
    give(play, orders.CountBattle(facts=facts), orders.DrawReturns(ranks=(12,)))
    begun = replace(play.state, fought=play.state.fought)
    both = ended(begun, "russian", lambda piece: piece.id in ("first:H1", "first:M1"))
    both = with_pieces(both, {"first:M1": {"carrier": "first:H1"}})
    state = give(play, orders.CountAgain(facts=both))
    assert not state.due
    assert state.groups["german-2"].gone == {"halftrack": 1, "machinegun": 1}
    conserved(state)


def test_the_next_card_is_for_the_model_that_its_passengers_share_it_with() -> None:
    """C11, for a battle that was counted again before its cards were drawn."""
    play = opened("kursk", cards="own", rulings="own", C11="carrier")
    give(play, orders.Concede(side="russian"))
    evening(play, Random(1))
    begin(play)
    begun = play.state
    facts = ended(begun, "russian", lambda piece: piece.id == "first:M1")
    give(play, orders.CountBattle(facts=facts))
    both = ended(begun, "russian", lambda piece: piece.id in ("first:H1", "first:M1"))
    both = with_pieces(both, {"first:M1": {"carrier": "first:H1"}})
    state = give(play, orders.CountAgain(facts=both))
    assert [party.unit for party in state.due] == ["machinegun", "halftrack"]
    texts = [
        block.text for block in the_game().situation(state).blocks if isinstance(block, Paragraph)
    ]
    assert "The next card is for 1 Halftrack of Panzergrenadiers." in texts


def test_who_holds_the_field_by_agreement_holds_it_when_the_battle_is_counted_again() -> None:
    play = opened("kursk")
    begin(play)
    facts = ended(play.state, "german", nobody)
    give(play, orders.CountBattle(facts=facts, holds=()))
    state = give(play, orders.CountAgain(facts=ended(play.state, "russian", nobody)))
    assert state.fought[-1].holds == ()


def test_without_an_agreement_the_new_winner_holds_the_field() -> None:
    play = opened("kursk")
    begin(play)
    give(play, orders.CountBattle(facts=ended(play.state, "german", nobody)))
    state = give(play, orders.CountAgain(facts=ended(play.state, "russian", nobody)))
    assert state.fought[-1].holds == ("russian",)


def test_a_battle_counted_again_in_which_nobody_is_lost_asks_for_no_card() -> None:
    play = opened("kursk")
    begin(play)
    facts = ended(play.state, "german", lambda piece: piece.id == "german:M1")
    give(play, orders.CountBattle(facts=facts))
    state = give(play, orders.CountAgain(facts=ended(play.state, "german", nobody)))
    assert (state.due, state.step) == ((), "catch_up")


@pytest.mark.parametrize("answer", ["buying", "fielding"])
def test_army_limits_bind_what_is_brought_where_the_players_want_it(answer: str) -> None:
    """C2: three cannons for each 100 points, and the battery in the desert has seven."""
    play = opened("desert", rulings="own", C2=answer)
    axis, british = play.state.setup.ids
    for _ in range(2):
        give(play, orders.Concede(side=axis))
        evening(play, Random(1))
    battery = next(own for own in play.state.may_fight(british) if own.ready.get("cannon"))
    cannons = {battery.id: {"cannon": 7}}
    if answer == "buying":
        assert give(play, orders.BringForces(side=british, groups=cannons)).fielding
    else:
        with pytest.raises(Refused, match="army limits bind what is brought, too"):
            give(play, orders.BringForces(side=british, groups=cannons))
        assert proposed_fielding(play.state, british).groups[battery.id]["cannon"] <= 6
        give(play, orders.BringForces(side=british))


@pytest.mark.parametrize(("answer", "quality"), [("worst", "green"), ("most", "elite")])
def test_a_contingent_of_a_scenario_fights_as_the_worst_or_as_most_of_its_groups(
    answer: str, quality: str
) -> None:
    """C18."""
    play = opened("kursk", quality="on", rulings="own", C18=answer)
    state = begin(play)
    groups = dict(state.groups)
    groups["german-2"] = replace(groups["german-2"], quality="elite")
    groups["german-3"] = replace(groups["german-3"], quality="green")
    state = replace(state, groups=groups)
    fielding = state.fielding["german"]
    few = replace(fielding, groups={"german-2": {"rifle": 17}, "german-3": {"rifle": 1}})
    fought = replace(state.fought[-1], fielding={**state.fielding, "german": few})
    setup = opening(state, fought, the_game()._books(), state.seed)
    assert quality in [part.quality for part in setup.contingents if part.side == "german"]


def test_a_side_that_has_bought_lists_nothing_more() -> None:
    """What it listed would be bought on the next evening."""
    play = opened("kursk")
    begin(play)
    give(play, orders.Concede(side="russian"))
    while play.state.due:
        give(play, orders.DrawReturns())
    if play.state.step == "catch_up":
        give(play, orders.CatchUp())
    assert play.state.step == "replacements"
    give(play, orders.BuyReplacements(side="german"))
    with pytest.raises(Refused, match="have bought their replacements already"):
        play.consider(orders.ListReplacements(side="german", bought={}))


def test_whoever_commands_a_side_is_named_in_each_battle_of_it() -> None:
    """In the free ones and in those by a scenario, also after the side was handed over."""
    play = opened("kursk", player_german="Anna", player_russian="Boris")
    give(play, orders.HandOver(side="russian", player="Clara"))
    free, by_scenario = set(), set()
    while play.state.outcome is None:
        state = begin(play)
        setup = opening(state, state.fought[-1], the_game()._books(), state.seed)
        names = tuple(sorted(side.player for side in setup.sides))
        if state.is_free_battle:
            free.add(names)
        else:
            by_scenario.add(names)
        give(play, orders.Concede(side="russian"))
        evening(play, Random(1))
    assert free | by_scenario == {("Anna", "Clara")}
    assert by_scenario


# ------------------------------------------------------------------ the position


def test_the_defender_chooses_the_works_of_his_position() -> None:
    """C6: a tenth of 200 points on the first rung, for a defender only."""
    play = opened("kursk")
    give(play, orders.Concede(side="russian"))
    evening(play, Random(1))
    assert points_for_position(play.state, "russian") == 20
    assert points_for_position(play.state, "german") == 0
    position = {"large_pillbox": 1, "sandbags": 1, "barbed_wire": 3}
    state = give(play, orders.BringForces(side="russian", position=position))
    fielding = state.fielding["russian"]
    assert fielding.works == {"sandbags": 1, "barbed_wire": 3}
    assert fielding.attached["large_pillbox"] == 1
    assert position_of(state, fielding) == position
    give(play, orders.BringForces(side="german"), orders.BeginBattle(seed=5))
    setup = opening(play.state, play.state.fought[-1], the_game()._books(), play.state.seed)
    assert "large_pillbox" in [piece.unit for piece in setup.pieces]
    assert [dict(side.works) for side in setup.sides if side.works] == [
        {"sandbags": 1, "barbed_wire": 3}
    ]


@pytest.mark.parametrize(
    ("side", "position", "sentence"),
    [
        ("russian", {"sandbags": 5}, "They cost 25 points, and the position has 20"),
        ("russian", {"tank": 1}, "There is no work 'tank' for a position"),
        ("russian", {"sandbags": -1}, "There is no work 'sandbags' for a position"),
        ("german", {"sandbags": 1}, "The Germans have no works to choose in this battle"),
    ],
)
def test_works_that_are_not_allowed_get_a_sentence(
    side: str, position: dict[str, int], sentence: str
) -> None:
    play = opened("kursk")
    give(play, orders.Concede(side="russian"))
    evening(play, Random(1))
    with pytest.raises(Refused, match=sentence):
        give(play, orders.BringForces(side=side, position=position))


def with_pieces(facts: BattleFacts, changes: dict[str, dict[str, str]]) -> BattleFacts:
    """The facts with other fates of some pieces."""
    pieces = tuple(replace(piece, **changes.get(piece.id, {})) for piece in facts.pieces)
    return replace(facts, pieces=pieces)


def test_facts_that_were_stored_earlier_have_the_same_name_today() -> None:
    """Else every battle of an earlier version would seem to have changed."""
    journal = Path(__file__).parents[3] / "cli" / "first_games" / "campaign.jsonl"
    names = []
    for line in journal.read_text("utf-8").splitlines():
        for event in json.loads(line).get("events", []):
            if event["event"] in ("battle_counted", "amended"):
                facts = msgspec.convert(event["facts"], BattleFacts)
                names.append((digest_of(facts), facts.digest))
    assert names
    assert all(today == stored for today, stored in names)
