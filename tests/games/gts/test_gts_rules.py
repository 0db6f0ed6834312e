"""The rules of the Grand Tactical Series, read as they are played: chits, points, checks, fire."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from gts_table import GAME, begun, changed, entered, give, mark, unit
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from skirmish.games.gts.activation import why_not_act
from skirmish.games.gts.combat import ShotFacts
from skirmish.games.gts.fire import Shoot
from skirmish.games.gts.rolls import dispatch_points, gained, passes
from skirmish.games.gts.units import Marker, cohesion_hit, step_lost, suppressed
from skirmish.tabletop.commands import Draft
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.refusal import Refused
from skirmish.tabletop.slots import Option, keyed

ROOT = Path(__file__).parents[3]


def facts(mode: Any, **more: Any) -> ShotFacts:
    return ShotFacts(mode=mode, color="", rating=0, **more)


def key(play: Any, key: str) -> Any:
    return next(one for one in GAME.commands(play.state) if one.key == key)


def presses(play: Any, keys: str) -> Draft[Any]:
    """A command by its key, then single keys; Space is a blank."""
    draft = Draft(command=key(play, keys[0]))
    for sign in keys[1:]:
        draft = draft.press({" ": "space", "\n": "enter"}.get(sign, sign))
    return draft


# ------------------------------------------------------------------ checks and points


@pytest.mark.parametrize("needs", range(-3, 13))
def test_a_check_passes_on_0_and_fails_on_9(needs: int) -> None:
    assert passes(needs, 0)
    assert not passes(needs, 9)
    assert [passes(needs, roll) for roll in range(1, 9)] == [roll <= needs for roll in range(1, 9)]
    assert [passes(needs, roll, literal=True) for roll in range(1, 9)] == [
        roll < needs for roll in range(1, 9)
    ]


def test_points_never_go_beyond_19_nor_below_0() -> None:
    for held, dispatch, roll in product(range(20), range(10), range(10)):
        points = gained(held, sum(one.value for one in dispatch_points(held, dispatch, roll)))
        assert 0 <= points <= 19 - held


def test_a_division_s_chit_brings_points_with_their_reasons() -> None:
    play = entered()
    _to_the_mug(play)
    give(play, "space", "82nd")
    text = give(play, "7", "9")
    assert "82nd CP: 6 to 13 (roll 7: 3, command +4)" in text
    assert "82nd DP: still 3 (roll 9: a 9 -1)" in text


@pytest.mark.parametrize("roll", range(10))
def test_new_command_points_are_half_the_roll_and_the_command_rating(roll: int) -> None:
    play = entered()
    _to_the_mug(play)
    give(play, "space", "82nd")
    give(play, str(roll), "9")
    assert play.state.points("cp", "82nd") == 6 + roll // 2 + 4


def _to_the_mug(play: Any) -> None:
    """On to the mug, and fill it."""
    while play.state.phase_id != "mug":
        give(play, "space")
    give(play, "space", "")


def test_two_command_points_buy_one_dispatch_point_and_one_or_two_a_chit() -> None:
    play = entered()
    assert give(play, "v", "82nd") == "82nd CP: 6 to 4 (for 1 DP). 82nd DP: 3 to 4."
    text = give(play, "b", "505", "t")
    assert text == "82nd DP: 4 to 2 (a chit). The chit 505 is bought for this turn."
    text = give(play, "b", "508", "n")
    assert text == "82nd DP: 2 to 1 (a chit). A chit is set aside for the next turn."
    with pytest.raises(Refused, match="406 DP: 1 left; it takes 2"):
        give(play, "b", "Becker", "t")


# ------------------------------------------------------------------ the mug and its secrets


def test_a_chit_set_aside_is_seen_by_its_owner_alone_and_comes_in_the_next_turn() -> None:
    play = entered(chance="program")
    give(play, "b", "508", "n")
    entry = play.live[-1]
    for viewer, seen in (("allied", True), ("german", False), (None, False), ("*", False)):
        page = repr(GAME.page(play.state, viewer))
        lines = " ".join(GAME.narrated(play.states[-2], entry.events, viewer))
        assert ("Set aside" in page, "508" in page, "508" in lines) == (True, seen, seen)
    for turn in (False, True):
        _to_the_mug(play)
        assert ("508" in play.state.mug.unseen) == turn
        while play.state.mug_is_filled:
            give(play, "space")
    assert not play.state.chits_aside_before


def test_the_last_chit_of_the_mug_is_nobody_s_until_it_comes_first() -> None:
    play = entered(chance="program")
    _to_the_mug(play)
    drawn = []
    while play.state.mug.inside > 1:
        give(play, "space")
        drawn.append(play.state.chit)
    text = give(play, "space")
    last = play.state.left_over
    assert "waits face down" in text
    assert last not in drawn
    assert last not in text
    assert f"'{last}'" not in repr(GAME.page(play.state)).replace("'Divisions'", "")
    _to_the_mug(play)
    assert last not in play.state.mug.unseen
    assert give(play, "space").startswith(f"Left over: {last}.")


def test_a_chit_is_drawn_by_one_key() -> None:
    play = entered(chance="program")
    _to_the_mug(play)
    assert Draft(command=key(play, "space")).complete


def test_the_naval_chit_stays_out_at_night() -> None:
    play = entered()
    give(play, "C", "naval", "")
    assert "Naval" in play.state.open_chits()
    give(play, "N", "night", "clear")
    assert "Naval" not in play.state.open_chits()


# ------------------------------------------------------------------ what a chit allows


def chit(play: Any, name: str) -> None:
    """That chit in play."""
    _to_the_mug(play)
    drawn = key(play, "space").slots[0]
    give(play, "space", next(letter for letter, one in keyed(drawn.options) if one.value == name))
    if GAME.prompt(play.state):
        give(play, "4", "4")


def why_not(play: Any, name: str, kind: str) -> str:
    found: str = why_not_act(play.state, unit(play, name), kind)
    return found


def test_a_division_s_chit_allows_one_action_but_no_fire() -> None:
    play = entered()
    chit(play, "82nd")
    assert why_not(play, "A/505", "fire") == "The chit 82nd does not allow that."
    assert why_not(play, "1/Becker", "movement").startswith("1/Becker does not belong")
    give(play, "a", "Move", "A/505", "")
    assert why_not(play, "A/505", "movement").startswith("A second action is of another kind")
    before = play.state.points("cp", "82nd")
    assert why_not(play, "A/505", "engineer") == "A second action is never an engineer's."
    give(play, "r", "A/505", "")
    assert play.state.points("cp", "82nd") == before - 1
    assert why_not(play, "A/505", "pass") == "A/505 has acted."


def test_direct_command_costs_a_point_for_each_unit() -> None:
    play = entered()
    chit(play, "Direct Command Allied")
    text = give(play, "a", "Move", "A/505", "K9")
    assert text == "82nd CP: 6 to 5 (A/505 acts). A/505: move (1 CP). A/505: to K9."
    assert why_not(play, "A/505", "rally") == "A/505 has acted."
    assert why_not(play, "B/505", "engineer").endswith("does not allow that.")


# ------------------------------------------------------------------ fire


def test_fire_results_go_up_the_ladder() -> None:
    one = Counter(id="a", name="A", side="allied", steps=2)
    hit = cohesion_hit(one)
    assert hit.flags == (Marker.ONE_HIT,)
    hit = cohesion_hit(hit)
    assert hit.flags == (Marker.TWO_HITS,)
    hit = cohesion_hit(hit)
    assert (hit.steps, hit.flags) == (1, (Marker.TWO_HITS, Marker.STEP_LOSS))
    assert cohesion_hit(hit).steps == 0
    assert suppressed(one).flags == (Marker.SUPPRESSED,)
    assert suppressed(suppressed(one)).flags == (Marker.ONE_HIT, Marker.SUPPRESSED)
    assert step_lost(Counter(id="b", name="B", side="allied", traits=("stepless",))).steps == 0


def known(play: Any) -> Any:
    """A direct shot whose ratings are typed in."""
    give(play, "f", "A/505", "1/Becker", "2", "pink", "5", "3", "6", "-1", "no", "9", "9")
    return play


def test_a_shot_asks_for_what_is_not_read_off_the_counters_once() -> None:
    play = known(entered(scope="fire"))
    one, other = unit(play, "A/505"), unit(play, "1/Becker")
    assert (one.kind, one.ratings) == ("pink", {"fire": 5, "range": 3, "tq": 6})
    assert other.ratings == {"defense": -1}
    text = give(play, "f", "A/505", "1/Becker", "2", "9", "5")
    assert "company bonus: 6 or less. Roll 9: failed." in text
    assert "4 or less (5, defense -1, range -1, 4 or 5 steps in the hex +1)." in text
    assert "Roll 5: miss" in text


def test_a_known_shot_takes_at_most_8_keys_and_a_check_4() -> None:
    play = entered(scope="fire", chance="program")
    give(play, "f", "A/505", "1/Becker", "2", "pink", "5", "3", "6", "-1", "no", "")
    assert presses(play, "fac2\n ").complete
    assert presses(play, "ta ").complete


def test_the_chances_before_the_roll_are_those_of_all_rolls() -> None:
    play = known(entered(scope="fire"))
    state = play.state
    for mode, company in (("direct", True), ("op", True)):
        firer, target = unit(play, "A/505").id, unit(play, "1/Becker").id
        shot = Shoot(firer=firer, target=target, facts=facts(mode, range=2))
        assert (shot.check(state) is not None) == company
        counted: dict[str, Fraction] = {}
        for check, roll in product(range(10), range(10)):
            events = replace(shot, numbers=(check, roll)).decide(state)
            fired = [one for one in events if type(one).__name__ == "ShotFired"]
            result = fired[0].result if fired else "miss"
            counted[result] = counted.get(result, Fraction(0)) + Fraction(1, 100)
        assert shot.weighed(state)[1] == counted


def test_a_suppressing_result_asks_for_the_check_that_may_lower_it() -> None:
    play = known(entered(scope="fire"))
    text = give(play, "f", "A/505", "1/Becker", "1", "0", "3")
    assert "Roll 3: S." in text
    assert GAME.prompt(play.state).label == "S: 1/Becker"
    text = give(play, "check", "5", "3")
    assert text.endswith("5 or less. Roll 3: passed. 1/Becker: 1 cohesion hit.")


def test_without_a_table_the_owner_looks_it_up_once() -> None:
    play = entered(scope="fire", tables="blank")
    answers = ("f", "A/505", "1/Becker", "1", "pink", "5", "3", "6", "-1", "no", "1", "2", "9", "3")
    text = give(play, *answers)
    assert "On the card: 4 or 5 steps in the hex +1, company bonus +2." in text
    assert "a hit; look the result up." in text
    prompt = GAME.prompt(play.state)
    assert "pink, roll 3" in prompt.slots[0].text
    text = "Typed in: Fire at unarmored targets, pink, roll 3: C. 1/Becker: 1 cohesion hit."
    assert give(play, "C") == text
    text = give(play, "f", "A/505", "2/Becker", "1", "-1", "no", "9", "3")
    assert "Roll 3: C. A cohesion hit" in text


def test_indirect_fire_leaves_a_barrage_and_an_s_on_the_others() -> None:
    play = entered(scope="fire")
    give(play, "c", "Allied", "Guns", "0", "A1")
    mark(play, "Guns", Marker.IN_PARK, Marker.IN_CONTACT)
    with pytest.raises(Refused, match="no nearer than 4 hexes"):
        give(play, "i", "Guns", "1/Becker", "3", "orange", "7", "20", "0", "no", "4")
    text = give(play, "i", "Guns", "1/Becker", "9", "orange", "7", "20", "0", "no", "4")
    assert "A heavy barrage falls." in text
    assert unit(play, "2/Becker").has(Marker.HEAVY_BARRAGE)
    assert unit(play, "1/Becker").has(Marker.ONE_HIT)
    assert GAME.prompt(play.state).label == "S?: 2/Becker"


def test_opportunity_fire_fails_with_its_check() -> None:
    play = known(entered(scope="fire"))
    text = give(play, "o", "A/505", "1/Becker", "2", "7")
    assert text == "A/505, opportunity fire: 6 or less. Roll 7: failed. A/505: op-fired."


# ------------------------------------------------------------------ other checks, charts


def test_a_rally_in_command_is_sure_and_by_day_in_a_fire_zone_leaves_cohesion() -> None:
    play = entered(scope="fire")
    for marker in "ac":
        give(play, "K", "A/505", marker)
    one = unit(play, "A/505")
    assert one.flags == (Marker.TWO_HITS, Marker.SUPPRESSED)
    give(play, "r", "A/505", "z", "")
    assert unit(play, "A/505").flags == (Marker.TWO_HITS, Marker.ACTED)
    give(play, "N", "night", "clear")
    give(play, "r", "A/505", "z", "")
    assert unit(play, "A/505").flags == (Marker.ONE_HIT, Marker.ACTED)


def test_work_that_fails_is_easier_the_next_time() -> None:
    play = entered(scope="fire")
    text = give(play, "e", "improve", "A/505", "4", "8")
    assert "men at work improve 1" in text
    text = give(play, "e", "improve", "A/505", "5")
    assert "5 or less (4, markers +1). Roll 5: passed." in text
    assert unit(play, "A/505").has(Marker.IMPROVED)


@pytest.mark.parametrize("id", sorted(GAME.rules_file.charts))
def test_every_box_of_a_chart_is_reached_and_its_end(id: str) -> None:
    chart = GAME.rules_file.charts[id]
    assert not list(chart.problems())
    assert any(one.kind == "end" for one in chart.nodes.values())


EDGES = {
    "check": """T1 yes T2, T1 no T3, T4 yes PASS, T4 no T5, T5 yes FAIL, T5 no T6, T6 yes PASS,
        T6 no FAIL""",
    "direct": """D1 yes D2, D1 no NOT, D2 yes D3, D2 no D4, D3 yes D4, D3 no END, D4 yes D5,
        D4 no D6, D8 yes END, D8 no D9, D9 yes D10, D9 no END""",
    "indirect": """I1 yes I2, I1 no NOT, I2 yes I3, I2 no NOT, I3a yes I4, I3a no NOT, I3b yes I4,
        I3b no NOT, I3c yes I4, I3c no NOT, I4 yes I5, I4 no I6, I10 yes I11, I10 no I14,
        I12 yes I13, I12 no I14, I14 yes I15, I14 no I16""",
    "assault": """A2 yes A3, A2 no OUT, A3 yes A4, A3 no A5, A4 yes A5, A4 no OUT, A7 yes A8,
        A7 no END, A9 yes A10, A9 no A20, A11 yes A12, A11 no A13, A16 yes A17, A16 no END,
        A17 yes A18, A17 no END, A21 yes A22, A21 no A20""",
}
"""The arrows marked as read in the analysis of the charts."""


@pytest.mark.parametrize("id", sorted(EDGES))
def test_the_arrows_that_can_be_read_are_those_of_the_charts(id: str) -> None:
    chart = GAME.rules_file.charts[id]
    for edge in EDGES[id].split(","):
        box, answer, target = edge.split()
        assert chart.answers(box)[answer] == target, edge
        assert chart.nodes[box].source == "R", edge


def test_to_the_letter_the_number_needed_does_not_pass_and_is_not_named() -> None:
    for answer, words in (("equal", "4 or less. Roll 4: passed."), ("literal", "3 or less (4)")):
        play = entered(scope="fire", rulings="own", G1=answer)
        assert words in give(play, "t", "A/505", "4", "4")


def test_a_chart_is_followed_box_by_box_jumped_in_and_left_in_the_journal() -> None:
    play = entered(scope="fire")
    assert give(play, "w", "Assault") == "The chart “Assault” begins."
    assert give(play, "n").startswith("A1 One stack in one hex that is not overstacked")
    give(play, "y")
    give(play, "y")
    assert play.state.chart == "assault"
    give(play, "o", "1/Becker", "A/505", "1", "pink", "4", "2", "5", "-2", "no", "4", "9")
    give(play, "j", "A14")
    assert give(play, "n", "A15").endswith("A15.")
    give(play, "j", "END")
    assert play.state.chart == ""


def test_any_part_can_be_had_alone() -> None:
    mug = {one.key for one in GAME.commands(begun(scope="mug").state)}
    fire = {one.key for one in GAME.commands(begun(scope="fire").state)}
    assert {"D", "C", "space", "b"} <= mug
    assert not {"f", "t", "w"} & mug
    assert {"f", "o", "i", "t", "w", "c"} <= fire
    assert not {"D", "b", "p"} & fire
    draft = presses(begun(scope="fire"), "f")
    assert draft.slot.options[0].key == "0"  # type: ignore[union-attr]


# ------------------------------------------------------------------ the summary to the letter


@given(
    held=st.integers(0, 19), dispatch=st.integers(0, 19), roll=st.integers(0, 9), last=st.booleans()
)
def test_dispatch_points_are_never_lost_and_at_most_3_or_4_are_gained(
    held: int, dispatch: int, roll: int, last: bool
) -> None:
    lines = dispatch_points(held, dispatch, roll, last=last)
    points = gained(held, sum(one.value for one in lines))
    assert 0 <= points <= min(3 + 2 * last, 19 - held)
    more = sum(one.value for one in dispatch_points(held, dispatch, roll, last=True))
    assert more - sum(one.value for one in dispatch_points(held, dispatch, roll)) == 2


def test_a_rally_takes_off_suppression_first_and_cohesion_the_next_time() -> None:
    play = entered(scope="fire")
    for marker in "ac":
        give(play, "K", "A/505", marker)
    give(play, "r", "A/505", "")
    assert unit(play, "A/505").flags == (Marker.TWO_HITS, Marker.ACTED)
    give(play, "r", "A/505", "")
    assert unit(play, "A/505").flags == (Marker.ONE_HIT, Marker.ACTED)


def test_unfinished_work_helps_no_other_work() -> None:
    play = entered(scope="fire")
    give(play, "e", "improve", "A/505", "4", "8")
    changed(play, "A/505", traits=("engineer",))
    text = give(play, "e", "block", "A/505", "5")
    assert "4 or less. Roll 5: failed." in text


def test_points_beyond_19_are_not_bought() -> None:
    play = entered()
    give(play, "T", "b", "19")
    with pytest.raises(Refused, match="82nd holds 19 DP"):
        give(play, "v", "82nd")


def test_the_company_bonus_of_the_first_shot_counts_for_the_second() -> None:
    play = entered(scope="fire")
    one, two = unit(play, "A/505").id, unit(play, "1/Becker").id
    printed = {one: {"tq": 7, "fire": 4, "color": "pink"}, two: {"defense": 0}}
    shot = Shoot(firer=one, target=two, facts=facts("assault"), printed=printed, numbers=(3, 9))
    play.accept(play.consider(shot))
    again = Shoot(firer=shot.firer, target=shot.target, facts=facts("assault"), numbers=(9,))
    entry = play.consider(again)
    assert "company bonus +2" in " ".join(GAME.narrated(play.state, entry.events))
    play.accept(entry)
    assert not play.state.bonuses


def test_a_division_s_second_action_may_be_fire_unless_it_is_ruled_out() -> None:
    for ruling, why in (("any", ""), ("same", "The chit 82nd does not allow that.")):
        play = entered(rulings="own", G28=ruling)
        give(play, "G", "h")
        state = replace(play.state, chit="82nd")
        one = unit(play, "A/505")
        assert why_not_act(state, one, "fire") == "The chit 82nd does not allow that."
        acted = replace(state, actions_taken={one.id: ("movement",)})
        assert why_not_act(acted, one, "fire") == why


def test_letters_that_answer_are_not_taken_for_what_can_be_changed() -> None:
    play = entered(scope="fire")
    draft = presses(play, "fac2\n")
    assert draft.slot is not None
    assert draft.slot.text == "What color is the fire rating of A/505?"
    assert not draft.toggles
    assert not presses(play, "t").toggles


def test_every_one_of_2000_units_has_a_key_of_its_own() -> None:
    options = [Option(value=at, label=str(at)) for at in range(2000)]
    assert len({key for key, _ in keyed(options)}) == 2000


ROW = re.compile(r'((E|1|C|S\??)\W+){7}|^"?(terrain .*|each_hex|mass_\d|zone_\w+)"? *= *-?\d', re.M)


def test_no_table_of_the_card_is_in_a_file_but_that_of_community_values() -> None:
    folders = ("skirmish", "data", "docs", "examples", "tests", "benchmarks")
    files = [one for name in folders for one in (ROOT / name).rglob("*") if one.is_file()]
    kinds = (".py", ".toml", ".md", ".json", ".jsonl", ".csv", ".txt", ".svg")
    texts = [one for one in files if one.suffix in kinds and "gts" in str(one.relative_to(ROOT))]
    assert {"gts.md", "gts_table.py", "gts.jsonl"} <= {one.name for one in texts}
    found = [one.name for one in texts if ROW.search(one.read_text("utf-8"))]
    assert found == ["community.toml"]
    modifiers = [
        f'["{one.name}", {GAME.community.values[id]}]'
        for id, one in GAME.rules_file.values.items()
        if id in GAME.community.values
    ]
    told = (ROOT / "docs" / "gts.md").read_text("utf-8") + (ROOT / "README.md").read_text("utf-8")
    assert not [one for one in modifiers if one in told]


def test_a_part_without_turns_shows_no_turn() -> None:
    assert GAME.phases(begun()) is not None
    assert all(GAME.phases(begun(scope=scope)) is None for scope in ("mug", "fire"))
