"""The limits of the Grand Tactical Series that the register knows: what speaks against a shot, an
action or a work; second actions; weather, night and the end of a turn; landings."""

from __future__ import annotations

import re
from collections import Counter as Tally
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from gts_table import GAME, begun, changed, entered, give, mark, unit
from msgspec.structs import replace

from skirmish.games.gts import checks, fire_results, orders
from skirmish.games.gts.actions import Act
from skirmish.games.gts.activation import transferable_leaders, why_not_act
from skirmish.games.gts.combat import Firer, ShotFacts, Target
from skirmish.games.gts.commands.shots import shot_commands
from skirmish.games.gts.events import BeachSet, ChitSet
from skirmish.games.gts.fire import Shoot
from skirmish.games.gts.ruleset import Chit
from skirmish.games.gts.state import ConditionsSet
from skirmish.games.gts.units import Marker, with_leader
from skirmish.games.gts.works import Work, why_no_work
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.table_orders import FollowChart, JumpTo, TakeCounters
from skirmish.tabletop.companion.typed_facts import CellTyped
from skirmish.tabletop.page import Beside, Heading
from skirmish.tabletop.page_text import as_text
from skirmish.tabletop.refusal import Refused

RATINGS = {"tq": 6, "fire": 5, "assault": 4, "defense": -1, "range": 20}


def do(play: Any, order: Any) -> str:
    before, entry = play.state, play.consider(order)
    play.accept(entry)
    return " ".join(GAME.narrated(before, entry.events))


def insisting(play: Any, order: Any, why: str) -> str:
    """An order that is refused, and done where the players insist."""
    with pytest.raises(Refused, match=why) as refused:
        play.consider(order)
    assert not refused.value.refusal.firm
    found = GAME.anyway(play.state, order)
    assert found is not None
    return do(play, found.orders[0])


def refused(play: Any, order: Any) -> str:
    with pytest.raises(Refused) as found:
        play.consider(order)
    return str(found.value)


def table(scope: str = "fire", **answers: Any) -> Any:
    """The four units with all their ratings."""
    play = entered(scope=scope, **answers)
    for name in ("A/505", "B/505", "1/Becker", "2/Becker"):
        changed(play, name, ratings=RATINGS, kind="pink", traits=("assault-white",))
    return play


def shot(play: Any, firer: str, target: str, mode: Any, range: int = 1, **more: Any) -> Shoot:
    facts = ShotFacts(mode=mode, color="", rating=0, range=range)
    ids = (unit(play, firer).id, unit(play, target).id if target else "")
    return Shoot(firer=ids[0], target=ids[1], **{"facts": facts, **more})


def under(play: Any, chit: str, **more: Any) -> Any:
    """That chit in play."""
    return replace(play.state, chit=chit, actions_taken={}, **more)


# ------------------------------------------------------------------ fire


def test_indirect_high_explosive_fires_from_a_park_in_contact_or_as_players_insist() -> None:
    play = table()
    changed(play, "2/Becker", kind="orange")
    order = shot(play, "2/Becker", "A/505", "indirect", 9, numbers=(9, 9))
    assert "only from an artillery park" in refused(play, order)
    mark(play, "2/Becker", Marker.IN_PARK)
    assert refused(play, order) == "2/Becker is in contact with no leader."
    insisting(play, order, "in contact with no leader")
    mark(play, "2/Becker", Marker.IN_CONTACT)
    text = do(play, order)
    assert "contact pending" in text, "a 9 loses contact"
    assert unit(play, "2/Becker").has(Marker.PARK_FIRED)


def test_a_coastal_battery_fires_in_command_and_its_own_eyes_cost_its_contact() -> None:
    play = table()
    changed(play, "2/Becker", kind="black")
    order = shot(play, "2/Becker", "A/505", "indirect", 9, numbers=(9, 8))
    assert "neither sees its target nor" in refused(play, order)
    mark(play, "2/Becker", Marker.IN_CONTACT)
    assert refused(play, replace(order, out=True)) == "2/Becker is out of command."
    do(play, replace(order, sees=True))
    assert unit(play, "2/Becker").has(Marker.CONTACT_PENDING)


def test_nobody_fires_at_a_unit_in_an_entry_hex_nor_indirectly_out_of_one() -> None:
    play = table()
    mark(play, "1/Becker", Marker.ENTRY_HEX)
    order = shot(play, "A/505", "1/Becker", "direct", numbers=(9, 9))
    assert "is in an entry hex" in refused(play, order)
    changed(play, "A/505", kind="green")
    mark(play, "A/505", Marker.ENTRY_HEX)
    assert "in an entry hex" in refused(play, shot(play, "A/505", "2/Becker", "indirect", 5))


def test_the_assault_rating_fires_on_the_row_of_its_own_color() -> None:
    play = table()
    changed(play, "A/505", traits=("assault-blue",))
    changed(play, "1/Becker", traits=("armored",))
    for rating, row in ((False, "pink"), (True, "blue")):
        order = shot(play, "A/505", "1/Becker", "assault", assault_rating=rating)
        assert order.weighed(play.state)[0].color == row
    changed(play, "A/505", traits=())
    asked = shot(play, "A/505", "1/Becker", "assault", assault_rating=True).unread(play.state)
    assert asked == [(unit(play, "A/505").id, ("assault_color",))]


def test_a_hill_and_a_ridge_do_not_help_a_column_nor_those_who_assault() -> None:
    play = table()
    high = Target(hill=True, ridge=True)

    def needs(firer: str, target: str, mode: Any) -> int:
        facts = ShotFacts(mode=mode, color="", rating=0, target=high)
        order = shot(play, firer, target, mode, facts=facts)
        return order.weighed(play.state)[0].sum.needs

    # 5, defense -1, mass +1; a hill and a ridge are -1 each.
    assert needs("A/505", "1/Becker", "direct") == 3
    assert needs("A/505", "1/Becker", "assault") == 3
    assert needs("1/Becker", "A/505", "defense") == 5
    mark(play, "1/Becker", Marker.IN_COLUMN)
    assert needs("A/505", "1/Becker", "direct") == 7, "a column is +2"


def test_an_assaulter_that_is_suppressed_entrenched_or_under_heavy_fire_leaves_the_assault() -> (
    None
):
    for marker, why in (
        (Marker.SUPPRESSED, "A/505 is suppressed; it leaves the assault."),
        (Marker.ENTRENCHED, "A/505 is entrenched; it does not assault."),
        (Marker.HEAVY_BARRAGE, "A/505 is under a heavy barrage; it does not assault."),
    ):
        play = table()
        mark(play, "A/505", marker)
        insisting(play, shot(play, "A/505", "1/Becker", "assault", numbers=(9, 9)), why)


def test_a_9_with_nothing_beside_it_takes_a_dispatch_point_away_where_that_is_played() -> None:
    for ruling, left in (("sum", 3), ("lost", 2)):
        play = entered(rulings="own", G10=ruling)
        do(play, orders.RollPoints(division="82nd", numbers=(0, 9)))
        assert play.state.points("dp", "82nd") == left
    play = entered(rulings="own", G10="lost")
    do(play, orders.Pay(points="dp", division="82nd", count=3))
    do(play, orders.RollPoints(division="82nd", numbers=(0, 9)))
    assert play.state.points("dp", "82nd") == 0, "nobody holds less than none"


def test_a_defender_uses_a_colored_assault_rating_twice_and_a_suppressed_one_once() -> None:
    play = table()
    changed(play, "1/Becker", traits=("assault-blue",))
    order = shot(play, "1/Becker", "A/505", "defense", numbers=(9, 9))
    insisting(play, order, "is colored; it is used for both shots")
    changed(play, "1/Becker", traits=("assault-white",))
    mark(play, "1/Becker", Marker.SUPPRESSED)
    assert "fires once, with its assault rating" in refused(play, order)
    lines = shot(play, "1/Becker", "A/505", "defense", assault_rating=True)
    assert "suppressed -2" in lines.weighed(play.state)[0].sum.reasons


def test_a_barrage_on_an_empty_hex_counts_for_who_is_there_and_lifts_with_the_turn() -> None:
    play = table()
    changed(play, "2/Becker", kind="green")
    aim = ShotFacts(mode="indirect", color="", rating=0, range=5, empty=True)
    order = shot(play, "2/Becker", "", "indirect", facts=aim, place="K5", numbers=(9, 3))
    assert "A light barrage falls." in do(play, order)
    assert "('Hex K5', 'light barrage')" in repr(GAME.page(play.state))
    changed(play, "A/505", place="K5")
    check = checks.CheckQuality(unit=unit(play, "A/505").id)
    assert check.sum(play.state).reasons == "6, light barrage -1"
    do(play, orders.Proceed())
    assert check.sum(play.state).reasons == "6"


def test_a_park_that_is_fired_at_directly_is_replaced_by_its_units() -> None:
    play = table()
    mark(play, "1/Becker", Marker.IN_PARK)
    mark(play, "2/Becker", Marker.IN_PARK, Marker.IN_CONTACT)
    do(play, shot(play, "A/505", "1/Becker", "direct", numbers=(9, 9)))
    assert not unit(play, "1/Becker").has(Marker.IN_PARK)
    assert unit(play, "2/Becker").flags == (Marker.CONTACT_PENDING,)


def test_who_runs_from_an_assault_takes_no_check_against_suppression() -> None:
    play = table()
    running = ShotFacts(mode="op", color="", rating=0, running=True)
    order = shot(play, "A/505", "1/Becker", "op", facts=running, numbers=(2, 3))
    assert "Roll 3: S." in do(play, order)
    assert GAME.prompt(play.state) is None
    assert unit(play, "1/Becker").has(Marker.SUPPRESSED)


def test_a_command_point_buys_the_company_bonus_in_command_only() -> None:
    play = table("whole")
    state = under(play, "505")
    order = shot(play, "A/505", "1/Becker", "direct", spend=True, numbers=(9,))
    events = order.decide(state)
    assert [one.value for one in events if type(one).__name__ == "TrackSet"] == [5]
    assert "company bonus +2" in order.weighed(state)[0].sum.reasons
    with pytest.raises(Refused, match="out of command spends no command point"):
        replace(order, out=True).decide(state)


def test_a_ship_reaches_as_far_as_its_box_allows_and_spots_with_6_or_less() -> None:
    play = table()
    ratings = {**RATINGS, "range": 12}
    changed(play, "A/505", kind="orange", traits=("ship",), ratings=ratings)
    play.accept(play.consider(orders.GtsRecord(facts=(BEACH,))))
    order = shot(play, "A/505", "1/Becker", "indirect", 3, box=9, numbers=(6, 0), beach="Utah")
    too_far = "The range of A/505 is 2, and the target is 3 away."
    assert too_far in refused(play, replace(order, box=10))
    chances = order.weighed(play.state)[1]
    assert chances["miss"] == Fraction(3, 10) + Fraction(7, 10) * Fraction(2 * 2, 10)
    assert "spotting: 6 or less. Roll 7: failed." in do(play, replace(order, numbers=(7, 1)))
    text = do(play, order)
    assert "Utah phone lines: 1 to 0 (a 0 cuts them)." in text


def test_a_ship_that_spots_its_target_has_the_bonus_that_it_paid_for() -> None:
    play = table()
    changed(play, "A/505", kind="orange", traits=("ship",), ratings={**RATINGS, "range": 12})
    order = shot(play, "A/505", "1/Becker", "indirect", 3, box=8, spend=True, numbers=(6, 8))
    assert "company bonus +2" in order.weighed(play.state)[0].sum.reasons
    fired = [one for one in order.decide(play.state) if type(one).__name__ == "ShotFired"]
    assert "company bonus +2" in fired[0].sum.reasons


MODES = ("direct", "op", "indirect", "assault", "defense")


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("armored", [False, True])
def test_the_chances_before_every_kind_of_shot_are_those_of_all_rolls(
    mode: Any, armored: bool
) -> None:
    """All rolls of the check and of the shot, with and without the bonus bought."""
    play = table("whole")
    changed(play, "1/Becker", traits=("armored",) if armored else ())
    if mode == "indirect":
        changed(play, "A/505", kind="green")
    state = under(play, "505")
    for spend in (False, True) if mode != "op" else (False,):
        order = shot(play, "A/505", "1/Becker", mode, 5 if mode == "indirect" else 1, spend=spend)
        counted: Tally[str] = Tally()
        for check, roll in product(range(10), range(10)):
            numbers = (roll,) if spend else (check, roll)
            events = replace(order, numbers=numbers).decide(state)
            fired = [one for one in events if type(one).__name__ == "ShotFired"]
            counted[fired[0].result if fired else "miss"] += 1
        chances = order.weighed(state)[1]
        assert chances == {name: Fraction(count, 100) for name, count in counted.items()}


# ------------------------------------------------------------------ acting under a chit


KINDS = {
    "82nd": ("movement", "engineer", "rally", "pass"),
    "505": ("movement", "fire", "assault", "engineer", "rally", "pass"),
    "Marines": ("movement", "fire", "assault", "engineer", "rally", "pass"),
    "Direct Command Allied": ("movement", "fire", "assault", "rally", "pass"),
    "Naval": ("movement", "fire", "assault", "rally", "pass"),
    "Events": (),
}


@pytest.mark.parametrize("chit", KINDS)
def test_a_chit_says_what_it_allows_and_greys_the_rest(chit: str) -> None:
    play = table("whole")
    new = (
        Chit(name="Naval", kind="naval"),
        Chit(name="Marines", kind="marines", side="allied", group="505", division="82nd"),
    )
    for one in new:
        play.accept(play.consider(orders.GtsRecord(facts=(ChitSet(chit=one),))))
    state = under(play, chit)
    one = unit(play, "A/505")
    allowed = {kind for kind in KINDS["505"] if not why_not_act(state, one, kind)}
    assert allowed == set(KINDS[chit])
    assert state.rules.kinds[state.chits[chit].kind].text
    fire = next(command for command in GAME.commands(state) if command.key == "f")
    slot = fire.slots({})[0]
    why = {option.value: option.why_not for option in slot.options}[one.id]
    assert bool(why) == ("fire" not in KINDS[chit])


def test_a_light_mortar_fires_first_under_its_division_s_chit_in_command_only() -> None:
    play = table("whole")
    changed(play, "A/505", kind="purple")
    state, one = under(play, "82nd"), unit(play, "A/505")
    assert why_not_act(state, one, "fire") == ""
    assert why_not_act(state, one, "fire", out=True) == "A/505 is out of command."
    assert "does not allow" in why_not_act(state, unit(play, "B/505"), "fire")


def test_direct_command_and_second_actions_are_for_units_in_command() -> None:
    play = table("whole")
    one = unit(play, "A/505")
    state = under(play, "Direct Command Allied")
    assert "out of command" in why_not_act(state, one, "movement", out=True)
    state = replace(under(play, "505"), actions_taken={one.id: ("movement",)})
    assert "out of command" in why_not_act(state, one, "rally", out=True)
    assert why_not_act(state, replace(one, flags=(Marker.ENTRY_HEX,)), "rally") != ""
    parked = replace(one, flags=(Marker.ENTRY_HEX, Marker.IN_PARK))
    assert why_not_act(state, parked, "rally") == "", "in a park it is always in command"


def test_a_unit_in_an_entry_hex_must_move_under_its_division_s_chit() -> None:
    play = table("whole")
    mark(play, "A/505", Marker.ENTRY_HEX)
    state, one = under(play, "82nd"), unit(play, "A/505")
    assert "it must move out" in why_not_act(state, one, "pass")
    assert why_not_act(state, one, "movement") == ""


def test_a_second_action_follows_at_once_but_for_those_of_the_same_stack() -> None:
    play = table("whole")
    changed(play, "B/505", place="K1")
    state = under(play, "505")
    first, other = unit(play, "A/505"), unit(play, "B/505")
    late = replace(state, actions_taken={first.id: ("movement",), other.id: ("pass",)})
    rally = checks.Rally(unit=first.id)
    with pytest.raises(Refused, match="a second action follows at once") as found:
        rally.decide(late)
    assert not found.value.refusal.firm
    assert replace(rally, insist=True).decide(late)
    changed(play, "B/505", place="J7")
    same = replace(late, counters=play.state.counters)
    assert rally.decide(same), "a stack acts together"


def test_artillery_in_contact_with_the_leader_is_attached_first() -> None:
    play = table("whole")
    for name in ("A/505", "B/505"):
        changed(play, name, group="82nd", traits=("white",))
    state = under(play, "505")
    assert why_not_act(state, unit(play, "B/505"), "pass") == ""
    changed(play, "A/505", kind="orange")
    mark(play, "A/505", Marker.IN_PARK)
    call = checks.Contact(unit=unit(play, "A/505").id, leader="505", marker=4,
                           values={"radio_contact": -1}, numbers=(5,))  # fmt: skip
    text = do(play, call)
    assert "contact: 5 or less (4, radio contact (-1 on the roll) +1). Roll 5: passed." in text
    state = under(play, "505")
    assert why_not_act(state, unit(play, "A/505"), "pass") == ""
    assert "has attached all it may, 1" in why_not_act(state, unit(play, "B/505"), "pass")
    state = under(play, "508")
    assert why_not_act(state, unit(play, "B/505"), "pass") == ""


def test_each_action_pays_its_command_points_out_of_what_is_left() -> None:
    """A second action and a check passed for 1 CP cost 2."""
    play = table("whole")
    one = unit(play, "A/505")
    state = replace(under(play, "505"), actions_taken={one.id: ("movement",)})
    rally = checks.Rally(unit=one.id)
    points = [e.value for e in rally.decide(state) if type(e).__name__ == "TrackSet"]
    assert points == [5]
    fire = shot(play, "A/505", "1/Becker", "direct", spend=True, numbers=(9,))
    points = [e.value for e in fire.decide(state) if type(e).__name__ == "TrackSet"]
    assert points == [5, 4]


# ------------------------------------------------------------------ movement, assault, works


def test_leaving_a_heavy_barrage_costs_a_cohesion_hit_and_a_check() -> None:
    play = table()
    mark(play, "A/505", Marker.HEAVY_BARRAGE)
    do(play, Act(unit=unit(play, "A/505").id, action="move", place="K8"))
    assert unit(play, "A/505").flags == (Marker.ONE_HIT, Marker.ACTED, Marker.HEAVY_BARRAGE)
    assert GAME.prompt(play.state).label == "Out of the barrage: A/505"
    give(play, "5")
    assert unit(play, "A/505").has(Marker.HEAVY_BARRAGE), "6, heavy barrage -2: 5 fails"
    do(play, Act(unit=unit(play, "A/505").id, action="move", place="K8"))
    give(play, "3")
    one = unit(play, "A/505")
    assert (one.place, one.has(Marker.HEAVY_BARRAGE), one.has(Marker.TWO_HITS)) == (
        "K8",
        False,
        True,
    )


def test_setting_out_from_an_overstacked_hex_costs_a_cohesion_hit() -> None:
    play = table()
    changed(play, "B/505", steps=7)
    do(play, Act(unit=unit(play, "A/505").id, action="move", place=""))
    assert unit(play, "A/505").has(Marker.ONE_HIT)
    changed(play, "A/505", place="J7", flags=())
    mark(play, "B/505", Marker.IN_COLUMN)
    do(play, Act(unit=unit(play, "A/505").id, action="move", place=""))
    assert not unit(play, "A/505").has(Marker.ONE_HIT), "a unit in column does not count"


@pytest.mark.parametrize(
    ("facts", "why"),
    [
        ({"flags": (Marker.SUPPRESSED,)}, "suppressed"),
        ({"flags": (Marker.ENTRENCHED,)}, "entrenched"),
        ({"flags": (Marker.HEAVY_BARRAGE,)}, "heavy barrage"),
        ({"kind": "green"}, "a rating in green does not assault"),
        ({"kind": "brown"}, "a rating in brown does not assault"),
        ({"traits": ("stepless",)}, "no step or no assault rating"),
        ({"ratings": {**RATINGS, "assault": None}}, "no step or no assault rating"),
        ({"steps": 9}, "overstacked"),
    ],
)
def test_who_does_not_assault(facts: dict[str, Any], why: str) -> None:
    play = table()
    order = Act(unit=unit(play, "A/505").id, action="assault")
    mark(play, "A/505", Marker.IMPROVED)
    do(play, order)
    assert not unit(play, "A/505").has(Marker.IMPROVED), "the improved position is gone first"
    changed(play, "A/505", **facts)
    assert why in refused(play, order)
    insisting(play, order, re.escape(why))


def work(play: Any, name: str, action: str, *numbers: int, **more: Any) -> Work:
    return Work(unit=unit(play, name).id, action=action, numbers=numbers, **more)


def test_an_engineer_builds_an_improved_position_for_any_unit_of_its_hex() -> None:
    play = table()
    on = unit(play, "B/505").id
    order = work(play, "A/505", "improve", 1, on=on)
    assert "Only an engineer builds it for another unit" in refused(play, order)
    changed(play, "A/505", traits=("engineer",))
    do(play, work(play, "A/505", "improve", on=on))
    assert unit(play, "B/505").has(Marker.IMPROVED)
    assert not unit(play, "A/505").has(Marker.IMPROVED)
    mark(play, "B/505", Marker.SUPPRESSED)
    assert "suppressed or in column" in refused(play, work(play, "A/505", "improve", on=on))


def test_an_entrenchment_replaces_an_improved_position_that_stood_as_the_chit_came() -> None:
    play = table("whole")
    changed(play, "A/505", traits=("engineer",))
    order = work(play, "A/505", "dig", 2)
    mark(play, "B/505", Marker.IMPROVED)
    state = under(play, "505")
    with pytest.raises(Refused, match="no improved position in the hex as the activation began"):
        order.decide(state)
    state = replace(state, improved_before=(unit(play, "B/505").id,))
    after = {e.counter.name: e.counter for e in order.decide(state) if hasattr(e, "counter")}
    assert after["B/505"].has(Marker.ENTRENCHED)
    assert not after["B/505"].has(Marker.IMPROVED)


def test_road_blocks_and_rearguards_are_built_up_to_their_limit() -> None:
    play = table("whole")
    changed(play, "A/505", traits=("engineer",))
    state = under(play, "505")
    first = work(play, "A/505", "block", 2, left=1)
    events = first.decide(state)
    for one in events:
        state = one.apply(state)
    assert state.tracks["82nd road blocks"].value == 0
    state = replace(state, actions_taken={})
    with pytest.raises(Refused, match="82nd road blocks: 0 left; it takes 1"):
        work(play, "A/505", "block", 2).decide(state)
    for one in work(play, "A/505", "unblock").decide(state):
        state = one.apply(state)
    assert state.tracks["82nd road blocks"].value == 1
    assert work(play, "B/505", "rearguard", 9, left=1).stock(state) == ("505", "rearguards")


def test_only_engineers_entrench_and_block_roads() -> None:
    play = table()
    for action in ("dig", "block"):
        insisting(play, work(play, "A/505", action, 9), "A/505 is no engineer")


# ------------------------------------------------------------------ the turn


def test_the_weather_of_the_table_is_the_weather_of_the_shots() -> None:
    play = table()
    typed = (
        CellTyped(table="weather", roll=3, cell="Morning mist"),
        CellTyped(table="weather", roll=4, cell="Rain; no air points"),
    )
    play.accept(play.consider(orders.GtsRecord(facts=typed)))
    assert "It is day, fog." in do(play, orders.LookUp(table="weather", numbers=(3,)))
    at_three = shot(play, "A/505", "1/Becker", "direct", range=3)
    assert at_three.why_not(play.state) == "Nothing is seen farther than 2 hexes away now."
    do(play, orders.LookUp(table="weather", numbers=(4,)))
    assert play.state.weather == "rain"
    do(play, orders.LookUp(table="weather", numbers=(5,)))
    do(play, fire_results.TypeResult(cell="clear"))
    assert play.state.weather == "clear"
    assert at_three.why_not(play.state) == ""


def test_the_turns_of_a_day_make_it_night_and_keep_the_weather_for_the_morning() -> None:
    play = entered(turns=4)
    day = [
        CellTyped(table="turns", roll=at, cell=text)
        for at, text in enumerate(("0700", "1500", "night"))
    ]
    play.accept(play.consider(orders.GtsRecord(facts=tuple(day))))
    seen, lights = {}, {}
    while not play.state.ended:
        turn = play.state.position.turn
        seen.setdefault(turn, []).append(play.state.phase_id)
        lights.setdefault(turn, play.state.light)
        do(play, orders.Proceed())
    assert lights == {1: "day", 2: "dusk", 3: "night", 4: "day"}
    assert ["weather" in seen[turn] for turn in (1, 2, 3, 4)] == [True, False, False, True]


def test_the_end_of_a_turn_takes_off_markers_and_leaders_without_a_formation() -> None:
    play = table("whole")
    leaders = [Counter(id=f"l{at}", name=f"Leader {group}", side=side, group=group,
                       traits=("leader",))
               for at, (side, group) in enumerate((("allied", "505"), ("german", "Becker"),
                                                   ("allied", "508")))]  # fmt: skip
    play.accept(play.consider(TakeCounters(counters=tuple(leaders))))
    for name in ("1/Becker", "2/Becker"):
        changed(play, name, steps=0)
    mark(play, "A/505", Marker.LIGHT_BARRAGE, Marker.ACTED, Marker.PARK_FIRED, Marker.SUPPRESSED)
    give(play, "G", "i")
    assert play.state.phase_id == "cleanup"
    text = do(play, orders.Proceed())
    assert "Leader Becker: 1 step lost, eliminated." in text
    assert unit(play, "A/505").flags == (Marker.SUPPRESSED,)
    left = {one.name for one in play.state.units() if "leader" in one.traits}
    assert left == {"Leader 505", "Leader 508"}
    assert play.state.steps_in_hex(unit(play, "Leader 505")) == 0, "a leader is no step"


def test_a_formation_is_for_sale_once_its_leader_has_been_in_play_for_a_turn() -> None:
    play = entered()
    state = replace(play.state, position=replace(play.state.position, turn=3))
    chit = Chit(name="325", kind="formation", side="allied", group="325", division="82nd")
    state = ChitSet(chit=chit).apply(state)
    with pytest.raises(Refused, match="has not been in play for a turn") as found:
        orders.BuyChit(chit="325").decide(state)
    assert not found.value.refusal.firm
    after = replace(state, position=replace(state.position, turn=4))
    assert orders.BuyChit(chit="325").decide(after)


def test_a_chit_that_nobody_entered_does_not_go_into_the_mug() -> None:
    play = entered(chance="program")
    while play.state.phase_id != "mug":
        give(play, "space")
    said = refused(play, orders.FillMug(chits=("82nd", "12th")))
    assert said == "Not among the chits of this game: 12th."


def test_a_chit_that_leaves_the_game_leaves_the_mug() -> None:
    play = entered(chance="program")
    while play.state.phase_id != "mug":
        give(play, "space")
    give(play, "space", "")
    play.accept(play.consider(orders.GtsRecord(
        facts=(ChitSet(chit=play.state.chits["406"], gone=True),))))  # fmt: skip
    assert "406" not in play.state.mug.unseen


# ------------------------------------------------------------------ landings


BEACH = BeachSet(
    name="Utah",
    numbers={"nests": 5, "obstacles": 3, "gap": 4, "sea state": 2, "phone lines": 1},
)


def beach(**answers: Any) -> Any:
    play = table(**answers)
    play.accept(play.consider(orders.GtsRecord(facts=(BEACH,))))
    return play


def test_an_attack_on_beach_defenses_lowers_the_number_that_it_names() -> None:
    play = beach()
    order = orders.LookUp(table="beach", column="tank", beach="Utah", aim="nests", numbers=(1,))
    assert "Utah nests: 5 to 3." in do(play, order)
    do(play, replace(order, aim="gap"))
    assert play.state.tracks["Utah gap"].value == 4, "a tank lowers nests only"
    text = do(play, replace(order, column="engineer", aim="gap"))
    assert "Utah gap: 4 to 2 (place Gap Open markers)." in text
    do(play, replace(order, column="79th Armoured", aim="obstacles", numbers=(5,)))
    assert play.state.tracks["Utah obstacles"].value == 2


def test_a_weak_unit_attacks_beach_defenses_with_its_modifiers() -> None:
    play = beach()
    changed(play, "A/505", steps=1, flags=(Marker.TWO_HITS,))
    order = orders.LookUp(table="beach", column="tank", unit=unit(play, "A/505").id, beach="Utah",
                          aim="nests", numbers=(1,))  # fmt: skip
    text = do(play, order)
    assert "tank, two cohesion hits +2, a single step +1: 1." in text
    assert play.state.tracks["Utah nests"].value == 4, "1 + 3 is a 4"
    mark(play, "A/505", Marker.SUPPRESSED)
    assert refused(play, order) == "A/505 is suppressed."


def test_a_blank_table_of_beach_defenses_is_typed_in_and_then_lowers() -> None:
    play = beach(tables="blank")
    do(play, orders.LookUp(table="beach", column="tank", beach="Utah", aim="nests", numbers=(2,)))
    do(play, fire_results.TypeResult(cell="Nest -1"))
    assert play.state.tracks["Utah nests"].value == 4


def test_the_numbers_of_a_beach_fire_by_themselves() -> None:
    play = beach()
    text = give(play, "f", "e", "0", "-1", "no", "1", "4")
    assert "A rating of 5 in pink fires at its target: 4 or less (5, defense -1)." in text
    text = give(play, "f", "f", "0", "-1", "no", "1", "3")
    assert "A rating of 3 in white fires at its target: 3 or less." in text
    text = give(play, "f", "g", "0", "2", "no", "1", "3")
    assert "A rating of 2 in blue fires at its target: 2 or less. Roll 3: miss" in text


def test_the_naval_chart_offers_what_is_done_at_its_box() -> None:
    play = beach()
    do(play, FollowChart(chart="naval"))
    words = {one.key: one.word for one in GAME.commands(play.state)}
    assert not words["f"]
    do(play, FollowChart(answer="N16"))
    words = {one.key: one.word for one in GAME.commands(play.state)}
    assert (words["f"], words["o"]) == ("direct fire", "")
    do(play, FollowChart(answer="N19"))
    words = {one.key: one.word for one in GAME.commands(play.state)}
    assert (words["f"], words["o"]) == ("", "opportunity fire")


def test_who_lands_may_act_once_more_under_the_naval_chit_but_not_as_an_engineer() -> None:
    play = table("whole")
    play.accept(play.consider(
        orders.GtsRecord(facts=(ChitSet(chit=Chit(name="Naval", kind="naval")),))))  # fmt: skip
    one = unit(play, "A/505")
    state = under(play, "Naval")
    state = (
        Act(unit=one.id, action="land")
        .decide(state)[-1]
        .apply(replace(state, actions_taken={one.id: ("movement",)}))
    )
    assert why_not_act(state, one, "movement").startswith("A second action is of another kind")
    assert "never an engineer's" in why_not_act(state, one, "engineer")
    assert why_not_act(state, one, "rally") == ""


def test_the_first_naval_chit_goes_back_into_the_mug() -> None:
    play = entered(chance="program")
    give(play, "C", "naval", "")
    while play.state.phase_id != "mug":
        give(play, "space")
    give(play, "space", "")
    while play.state.chit != "Naval" and play.state.mug.inside > 1:
        give(play, "space")
    inside, drawn = play.state.mug.inside, play.state.mug.drawn
    assert give(play, "U", "a") == f"{drawn[0]} goes back into the mug."
    assert play.state.mug.inside == inside + 1
    assert drawn[0] in play.state.mug.unseen


def test_what_ships_and_engineers_need_is_asked_for_line_by_line() -> None:
    play = beach()
    changed(play, "A/505", kind="orange", traits=("ship",), ratings={**RATINGS, "range": 12})
    text = give(play, "i", "A/505", "1/Becker", "5", "6", "Utah", "7")
    assert "A/505, spotting: 6 or less. Roll 7: failed." in text
    changed(play, "A/505", kind="pink", traits=())
    changed(play, "B/505", traits=("engineer",))
    text = give(play, "e", "improve", "B/505", "a", "")
    assert "A/505: improved" in text


def test_who_has_how_many_road_blocks_is_asked_once() -> None:
    play = table("whole")
    changed(play, "A/505", traits=("engineer",))
    check = next(one for one in GAME.commands(under(play, "505")) if one.key == "e")
    names = [slot.name for slot in check.slots({"action": "block", "unit": unit(play, "A/505").id})]
    assert names == ["action", "unit", "left", "number"]
    known = BeachSet(name="82nd", numbers={"road blocks": 2}).apply(under(play, "505"))
    check = next(one for one in GAME.commands(known) if one.key == "e")
    names = [slot.name for slot in check.slots({"action": "block", "unit": unit(play, "A/505").id})]
    assert names == ["action", "unit", "number"]
    assert "82nd" not in known.beaches


def test_conditions_set_by_hand_stay() -> None:
    play = table()
    play.accept(
        play.consider(orders.GtsRecord(facts=(ConditionsSet(light="night", weather="rain"),)))
    )
    order = shot(play, "A/505", "1/Becker", "direct")
    assert "night -2, rain -2" in order.weighed(play.state)[0].sum.reasons


def test_what_the_counters_do_not_show_is_in_the_facts_of_a_shot() -> None:
    play = table()
    facts = ShotFacts(mode="direct", color="", rating=0, target=Target(hill=True, terrain="woods"),
                   firer=Firer(bocage=True), mass=9)  # fmt: skip
    reasons = shot(play, "A/505", "1/Becker", "direct", facts=facts).weighed(play.state)[0].sum
    for part in ("firer in bocage +1", "target on a hill -1", "woods -2", "8 or more steps"):
        assert part in reasons.reasons


# ------------------------------------------------------------------ parks and leaders


def battery() -> Any:
    """Two guns of the 82nd in M5 and one in M6, in E of the first turn, with 3 DP."""
    play = entered()
    for name, place in (("319 FA", "M5"), ("320 FA", "M5"), ("376 FA", "M6")):
        give(play, "c", "Allied", "82nd", name, "1", place)
    changed(play, "319 FA", kind="orange")
    changed(play, "320 FA", kind="orange", flags=(Marker.IN_COLUMN,))
    changed(play, "376 FA", kind="orange")
    do(play, JumpTo(phase=4))
    assert play.state.phase_id == "parks"
    return play


def parked(play: Any) -> set[str]:
    return {gun.name for gun in play.state.units(flag=Marker.IN_PARK)}


def test_a_park_is_one_action_with_all_artillery_of_the_division_in_the_hex() -> None:
    play = battery()
    text = give(play, "A", "319 FA")
    assert text.startswith("82nd DP: 3 to 2 (a park).")
    assert parked(play) == {"319 FA", "320 FA"}
    assert not unit(play, "320 FA").has(Marker.IN_COLUMN)
    mark(play, "319 FA", Marker.IN_CONTACT, with_leader("505"), Marker.PARK_FIRED)
    give(play, "A", "320 FA")
    assert play.state.points("dp", "82nd") == 1
    assert not parked(play)
    assert unit(play, "319 FA").flags == (Marker.CONTACT_PENDING,), "contact goes with the park"


def test_a_park_asks_who_else_in_the_hex_is_artillery_where_nobody_has_said_so() -> None:
    play = battery()
    for name in ("319 FA", "320 FA"):
        changed(play, name, kind="")
    give(play, "A", "319 FA", "320 FA")
    assert parked(play) == {"319 FA", "320 FA"}
    assert {unit(play, name).kind for name in parked(play)} == {"orange"}
    give(play, "A", "320 FA")
    assert not parked(play)


def test_a_park_is_not_made_without_a_point_in_an_entry_hex_beside_another_or_of_infantry() -> None:
    play = battery()
    mark(play, "376 FA", Marker.ENTRY_HEX)
    assert "entry hex" in refused(play, orders.Park(unit=unit(play, "376 FA").id))
    infantry = unit(play, "A/505")
    changed(play, "A/505", kind="pink")
    assert "no indirect high explosive" in refused(play, orders.Park(unit=infantry.id))
    give(play, "D", "Allied", "101st", "4", "5", "6", "3")
    give(play, "c", "Allied", "101st", "907 FA", "1", "M5")
    changed(play, "907 FA", kind="orange")
    give(play, "A", "319 FA")
    assert "a park in M5 already" in refused(play, orders.Park(unit=unit(play, "907 FA").id))
    do(play, orders.Pay(points="dp", division="82nd", count=2))
    assert "82nd has no dispatch point" in refused(play, orders.Park(unit=unit(play, "319 FA").id))
    do(play, orders.Proceed())
    late = "Parks are created and disbanded in E"
    changed(play, "376 FA", flags=())
    give(play, "T", "82nd DP", "1")
    insisting(play, orders.Park(unit=unit(play, "376 FA").id), late)


def test_a_gun_joins_the_park_of_its_division_by_moving_into_its_hex() -> None:
    play = battery()
    give(play, "A", "319 FA")
    play.accept(play.consider(orders.Proceed()))
    state = under(play, "82nd", mug_is_filled=True)
    moves = Act(unit=unit(play, "376 FA").id, action="move", place="M5", joins=True)
    events = moves.decide(replace(state, position=replace(state.position, phase=7)))
    after = next(one.counter for one in events if getattr(one, "counter", None))
    assert (after.place, after.has(Marker.IN_PARK)) == ("M5", True)
    wrong = replace(moves, place="M7")
    with pytest.raises(Refused, match="no artillery park there"):
        wrong.decide(replace(state, position=replace(state.position, phase=7)))


def test_a_gun_that_gets_out_of_a_heavy_barrage_joins_the_park_of_its_new_hex() -> None:
    play = battery()
    give(play, "A", "319 FA")
    play.accept(play.consider(orders.Proceed()))
    mark(play, "376 FA", Marker.HEAVY_BARRAGE)
    state = under(play, "82nd", mug_is_filled=True)
    state = replace(state, position=replace(state.position, phase=7))
    gun = unit(play, "376 FA").id
    for event in Act(unit=gun, action="move", place="M5", joins=True).decide(state):
        state = event.apply(state)
    assert not state.counters[gun].has(Marker.IN_PARK), "it is still to make its check"
    check = fire_results.CheckUnderFire(unit=gun, rating=9, numbers=(0,))
    for event in check.decide(state):
        state = event.apply(state)
    assert (state.counters[gun].place, state.counters[gun].has(Marker.IN_PARK)) == ("M5", True)


def test_a_leader_needs_no_steps_is_nobodys_target_and_moves_last() -> None:
    play = entered()
    command = next(one for one in GAME.commands(play.state) if one.key == "c")
    asked = [slot.name for slot in command.slots({"side": "allied", "leader": True})]
    assert asked == ["side", "group", "name", "place"]
    give(play, "c", "L", "Allied", "505", "Ekman", "J7")
    ekman = unit(play, "Ekman")
    assert ("leader" in ekman.traits, play.state.steps_in_hex(unit(play, "A/505"))) == (True, 4)
    assert "Ekman" not in [one.name for one in play.state.idle()]
    state = under(play, "505", mug_is_filled=True)
    assert transferable_leaders(state) == (ekman,)
    fire = next(one for one in shot_commands(state) if one.key == "f")
    by_german = {"unit": unit(play, "1/Becker").id}
    who, at = fire.slots({})[0], fire.slots(by_german)[1]
    assert "A leader does not fire." in [option.why_not for option in who.options]
    assert ekman.id not in [option.value for option in at.options]


def test_a_leader_goes_with_the_last_unit_that_leaves_his_hex() -> None:
    play = entered(scope="fire")
    give(play, "c", "L", "Allied", "Ekman", "J7")
    do(play, Act(unit=unit(play, "A/505").id, action="move", place="K8"))
    assert unit(play, "Ekman").place == "J7", "B/505 is still there"
    text = do(play, Act(unit=unit(play, "B/505").id, action="move", place="K9"))
    assert unit(play, "Ekman").place == "K9"
    assert "Ekman: to K9." in text
    mark(play, "B/505", Marker.HEAVY_BARRAGE)
    changed(play, "B/505", ratings={"tq": 6})
    do(play, Act(unit=unit(play, "B/505").id, action="move", place="L1"))
    assert unit(play, "Ekman").place == "K9"
    do(play, fire_results.CheckUnderFire(unit=unit(play, "B/505").id, numbers=(0,)))
    assert unit(play, "Ekman").place == "L1"


def test_entry_hexes_are_named_first_and_leaders_when_everybody_has_acted() -> None:
    play = entered()
    give(play, "c", "L", "Allied", "505", "Ekman", "J7")
    mark(play, "B/505", Marker.ENTRY_HEX)
    do(play, JumpTo(phase=7))
    play.accept(play.consider(orders.GtsRecord(facts=())))
    do(play, JumpTo(phase=6))
    give(play, "space", "")
    while play.state.chit != "82nd":
        left = [chit for chit in play.state.mug.unseen if chit == "82nd"]
        give(play, "space", *(left or play.state.mug.unseen[:1]))
        if play.state.agenda:
            give(play, "4", "4")
    leads = [block.lead for block in GAME.due(play).blocks]
    assert leads[:2] == ["Move out of their entry hexes first:", "Not acted under this chit:"]
    for name in ("A/505", "B/505"):
        do(play, Act(unit=unit(play, name).id, action="move"))
    due = {block.lead: block.text for block in GAME.due(play).blocks}
    assert due["May change to another unit, with M:"] == "Ekman."


def test_space_does_not_pass_the_points_of_a_division_that_has_none_yet() -> None:
    play = begun(chance="own", tables="community")
    give(play, "D", "Allied", "82nd", "4", "5", "", "")
    do(play, JumpTo(phase=3))
    insisting(play, orders.Proceed(), "82nd has no points yet. O rolls for them, T sets them.")
    assert play.state.phase_id == "parks"
    do(play, JumpTo(phase=3))
    do(play, orders.RollPoints(division="82nd", numbers=(4, 4)))
    do(play, orders.Proceed())
    assert play.state.phase_id == "parks"
    do(play, JumpTo(phase=3))
    give(play, "D", "German", "406", "2", "3", "0", "2")
    do(play, orders.Pay(points="dp", division="406", count=2))
    do(play, orders.Proceed())
    assert play.state.phase_id == "parks", "what was spent was there"


def test_without_a_beach_overlay_the_naval_chart_goes_from_step_3_to_step_7() -> None:
    chart = GAME.rules_file.charts["naval"]
    overlay = chart.after("N12", "no")
    assert "Without one, steps 4, 5 and 6 are skipped." in chart.nodes[overlay].text
    assert chart.after(overlay, "yes") == "N15"
    seventh = chart.nodes[chart.after(overlay, "no")]
    assert seventh.text.startswith("7.")


def test_radio_contact_stands_under_contact_and_not_under_fire() -> None:
    build = next(build for id, _, build in GAME.sheets() if id == "card")
    blocks = build(table().state).blocks
    at = blocks.index(Heading("Contact with a leader"))
    columns = blocks[at + 1]
    assert isinstance(columns, Beside)
    assert [label for fact in columns.left for label, _ in fact.rows] == ["Radio contact"]


def test_a_shot_says_that_its_values_are_those_of_the_community() -> None:
    for tables, said in (("community", True), ("blank", False)):
        play = table(tables=tables)
        fire = next(one for one in shot_commands(play.state) if one.key == "f")
        answers = {"unit": unit(play, "A/505").id, "target": unit(play, "1/Becker").id, "range": 1}
        text = as_text(fire.preview(answers), 200)
        assert ("community values" in text) is said, text


def test_a_command_point_passes_a_check_where_only_fire_is_played_too() -> None:
    """The rules allow it; the points are then on the players' own display."""
    for scope in ("fire", "whole"):
        play = table(scope=scope)
        check = next(one for one in GAME.commands(play.state) if one.key == "t")
        changes = check.toggles({"unit": unit(play, "A/505").id})
        assert "spend" in [one.name for one in changes]
        fire = next(one for one in shot_commands(play.state) if one.key == "f")
        answers = {"unit": unit(play, "A/505").id, "target": unit(play, "1/Becker").id, "range": 1}
        assert "spend" in [one.name for one in fire.toggles(answers)]
    play = table(scope="fire")
    order = checks.CheckQuality(unit=unit(play, "A/505").id, spend=True)
    assert do(play, order) == "A/505, troop quality: passed for 1 CP."
    with pytest.raises(Refused, match="out of command spends no command point"):
        play.consider(replace(order, out=True))
    bought = do(play, shot(play, "A/505", "1/Becker", "direct", spend=True, numbers=(4,)))
    assert "A/505, company bonus: passed for 1 CP. A/505 fires at 1/Becker: " in bought
    assert "company bonus +2" in bought


def test_a_command_point_is_offered_only_for_checks_that_it_passes() -> None:
    """Ruling G2: not for bravery and engineer works; contact is no troop quality check at all."""
    usual = table("whole")
    ask = table("whole", rulings="own", G2="ask")
    given = {"unit": unit(usual, "A/505").id, "theirs": 1, "ours": 0, "action": "dig",
             "leader": "505", "marker": 5}  # fmt: skip
    for key, offered in (("t", True), ("B", False), ("e", False), ("k", False)):
        check = next(one for one in GAME.commands(usual.state) if one.key == key)
        assert ("spend" in [one.name for one in check.toggles(given)]) is offered, key
    bravery = next(one for one in GAME.commands(ask.state) if one.key == "B")
    assert "spend" in [one.name for one in bravery.toggles(given)]


def test_contact_is_made_by_artillery_with_a_leader_of_its_side() -> None:
    play = table("whole")
    changed(play, "A/505", kind="orange")
    changed(play, "1/Becker", kind="orange")
    changed(play, "2/Becker", kind="")
    contact = next(one for one in GAME.commands(play.state) if one.key == "k")
    which = contact.slots({"leader": "505", "marker": 4})[-1]
    able = [option.label for option in which.options if not option.why_not]
    assert able == ["A/505"]
    call = checks.Contact(unit=unit(play, "1/Becker").id, leader="505", marker=4, numbers=(0,))
    assert refused(play, call) == "1/Becker is not of the side of that leader."
    assert "neither indirect high explosive" in refused(
        play, replace(call, unit=unit(play, "B/505").id)
    )


@pytest.mark.parametrize(
    ("marker", "modifier", "roll", "made"),
    [(4, 0, 4, True), (4, 1, 4, False), (4, -1, 5, True), (9, 0, 9, True), (3, 4, 0, False)],
)
def test_the_radio_modifier_is_applied_to_the_roll(
    marker: int, modifier: int, roll: int, made: bool
) -> None:
    """Sequence of play E.II: roll, applying the modifier; no more than the number on the marker."""
    play = table("whole")
    changed(play, "A/505", kind="orange")
    mark(play, "A/505", Marker.IN_PARK)
    call = checks.Contact(unit=unit(play, "A/505").id, leader="505", marker=marker,
                           values={"radio_contact": modifier}, numbers=(roll,))  # fmt: skip
    assert call.chance(play.state, call.sum(play.state)) == Fraction(
        sum(value + modifier <= marker for value in range(10)), 10
    )
    do(play, call)
    assert unit(play, "A/505").has(Marker.IN_CONTACT) is made


def test_bravery_names_the_defenses_that_change_it_and_leaders_get_no_works() -> None:
    play = table("whole")
    bravery = checks.Bravery(unit=unit(play, "A/505").id, theirs=2, ours=1, numbers=(7,))
    assert "bravery: 7 or less (6, the lowest defenses +1)" in do(play, bravery)
    changed(play, "B/505", traits=("leader",), steps=1)
    assert why_no_work(unit(play, "B/505")) == "B/505 is a leader."


def test_column_is_left_with_a_hit_by_those_who_leave_column_alone() -> None:
    play = table("whole")
    act = next(one for one in GAME.commands(play.state) if one.key == "a")
    for action, offered in (("move", False), ("assault", False), ("column", True)):
        changes = act.toggles({"action": action, "unit": unit(play, "A/505").id})
        assert ("hit" in [one.name for one in changes]) is offered
