"""The eighteen phases in their order: which are skipped, why, and what a turn leaves behind."""

from __future__ import annotations

import pytest
from beach_table import at

from skirmish import library
from skirmish.games.beach_head.events import Begun, Skipped
from skirmish.games.beach_head.pending import BeachAsk

OPEN = {"bunkers": 0, "walls": 0, "ditches": 0}


def test_the_phases_stand_in_the_order_of_the_text() -> None:
    names = (
        "tactical frogman lci lct lcs gun_tank defenders artillery shore_guns mines engineers "
        "flail petard bridge infantry support destroyer end"
    )
    assert [phase.id for phase in library.beach().ruleset.phase] == names.split()


def test_a_turn_comes_to_every_phase_once_and_to_the_next_turn() -> None:
    table = at("tactical")
    rolls = ["roll 1", "roll 1 1 3", "roll 1", "aim walls", "roll 3"]  # frogman to landing craft
    rolls += ["roll 2", "roll 1", "roll 4", "roll 1", "roll 4", "roll 1", "roll 4", "roll 1"]
    rolls += ["aim mines", "roll 2", "roll 3", "roll 1"]  # engineers, infantry, support
    table.done(*rolls)
    phases = [one.phase for one in table.events if isinstance(one, Begun | Skipped)]
    wanted = [phase.id for phase in library.beach().ruleset.phase]
    assert phases[:18] == wanted
    assert (table.state.turn, table.state.phase) == (2, "frogman")
    assert (table["mines"], table["walls"], table["wire"], table["traps"]) == (18, 18, 17, 19)
    assert table.state.squads == 4 - table.state.casualties


SKIPS = [
    ("tactical", {}, "no_cards"),
    ("frogman", {"defences": {"traps": 0}}, "nothing_left"),
    ("lcs", {"defences": {"bunkers": 0, "walls": 0}}, "nothing_left"),
    ("gun_tank", {"tanks": ["crab", "bridge", "fascine"]}, "no_tank"),
    ("gun_tank", {"tanks": ["gun"], "defences": {"bunkers": 0}}, "nothing_left"),
    ("shore_guns", {"defences": {"bunkers": 0}}, "no_defence"),
    ("mines", {"defences": {"mines": 0}}, "no_defence"),
    ("flail", {"tanks": ["gun", "bridge", "fascine"]}, "no_tank"),
    ("flail", {"tanks": ["crab"], "defences": {"mines": 0, "wire": 0}}, "nothing_left"),
    ("petard", {"tanks": ["gun", "crab"]}, "no_tank"),
    ("bridge", {"tanks": ["gun", "crab"]}, "no_tank"),
    ("bridge", {"tanks": ["bridge"], "variant": "omaha"}, "nothing_left"),
    ("destroyer", {"turn": 19}, "too_early"),
    ("end", {}, "no_cards"),
]


@pytest.mark.parametrize(("phase", "given", "why"), SKIPS)
def test_a_phase_is_skipped_and_says_why(phase: str, given: dict[str, object], why: str) -> None:
    assert at(phase, **given).skipped()[phase] == why  # type: ignore[arg-type]


PLAYED = [
    ("defenders", {"defences": OPEN}),
    ("artillery", {"defences": OPEN | {"mines": 0}}),
    ("engineers", {}),
    ("infantry", {}),
    ("support", {"defences": {"bunkers": 0, "walls": 0}}),
    ("destroyer", {"turn": 20}),
    ("lci", {"variant": "omaha"}),
    ("lct", {"variant": "omaha"}),
]


@pytest.mark.parametrize(("phase", "given"), PLAYED)
def test_a_phase_that_the_text_does_not_skip_is_played(
    phase: str, given: dict[str, object]
) -> None:
    table = at(phase, **given)  # type: ignore[arg-type]
    assert table.state.phase == phase
    assert table.state.asks in ("dice", "target")


def test_support_without_a_target_comes_to_nothing() -> None:
    table = at("support", defences={"bunkers": 0, "walls": 0}).done("roll 6")
    assert table.totals == [6]
    assert table["trenches"] == 20


@pytest.mark.parametrize(
    ("phase", "tanks", "targets"),
    [
        ("lcs", [], "bunkers walls"),
        ("engineers", [], "mines traps walls ditches bunkers wire"),
        ("flail", ["crab"], "mines wire"),
        ("petard", ["fascine"], "bunkers walls"),
        ("destroyer", [], "bunkers walls trenches"),
    ],
)
def test_a_target_is_asked_for_where_there_is_a_choice(
    phase: str, tanks: list[str], targets: str
) -> None:
    table = at(phase, tanks=tanks, turn=20)
    assert table.state.ask == BeachAsk(what="target", targets=tuple(targets.split()))  # type: ignore[arg-type]


def test_omaha_has_no_ditches_to_aim_at_and_the_rest_as_elsewhere() -> None:
    table = at("engineers", variant="omaha")
    assert table.state.ask == BeachAsk(
        what="target", targets=("mines", "traps", "walls", "bunkers", "wire")
    )
    assert table["ditches"] == 0
    assert at("engineers")["ditches"] == 20


@pytest.mark.parametrize(("phase", "tanks"), [("gun_tank", ["gun"]), ("petard", ["bridge"])])
@pytest.mark.parametrize("left", ["bunkers", "walls", "ditches"])
def test_tanks_fire_on_trenches_only_once_three_defences_are_gone(
    phase: str, tanks: list[str], left: str
) -> None:
    table = at(phase, tanks=tanks, defences=OPEN | {left: 9})
    if table.state.phase == phase:
        table.done("roll 6", *["roll 3"] * (phase == "petard" and left == "walls"))
    assert table["trenches"] == 20
    assert table.state.phase != phase


@pytest.mark.parametrize(("phase", "steps"), [("engineers", ["aim wire", "roll 1"]),
                                              ("infantry", ["roll 1"])])  # fmt: skip
def test_engineers_and_infantry_storm_trenches_past_any_ditch(phase: str, steps: list[str]) -> None:
    table = at(phase, squads=3, defences={"bunkers": 0, "walls": 0}).done(*steps, "roll 6")
    assert (table["ditches"], table["trenches"]) == (20, 14)


def test_the_dozens_count_for_each_of_the_infantrys_rolls() -> None:
    last = {"wire": 4, "bunkers": 3, "walls": 0}
    table = at("infantry", squads=24, defences=last).done("roll 2", "roll 2", "roll 1")
    assert table.totals == [4, 3, 3]
    assert (table["wire"], table["bunkers"], table["trenches"]) == (0, 0, 17)


def test_a_card_on_the_last_roll_can_still_win_the_game() -> None:
    last = OPEN | {"trenches": 5, "wire": 0}
    table = at("infantry", squads=3, defences=last, hand="10S").do("roll 3", "play 10S")
    assert table.done().state.over


def test_casualties_are_the_infantry_not_the_tanks() -> None:
    table = at("artillery", squads=4, tanks=["gun"]).done("roll 5")
    assert (table.state.casualties, table.state.tanks_lost, table.state.squads) == (0, 1, 4)
