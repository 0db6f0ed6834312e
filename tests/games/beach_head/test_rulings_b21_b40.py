"""Each answer to the live rulings B21 to B40 changes what it says; and none goes without a test."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from beach_table import at
from msgspec.structs import replace

from skirmish import library
from skirmish.games.beach_head import rulings
from skirmish.games.beach_head.pending import BeachAsk
from skirmish.games.beach_head.rulings import RulingsInForce

OPEN = {"bunkers": 0, "walls": 0, "ditches": 0}


@pytest.mark.parametrize(("answer", "total"), [("die", 5), ("result", 6)])
def test_b21_a_set_value_and_its_modifiers(answer: str, total: int) -> None:
    table = at("lcs", hand="6S", rulings={"B21": answer}).do("aim walls", "roll 2")
    assert table.done("play 6S").totals == [total]


@pytest.mark.parametrize(("answer", "total"), [("die", 10), ("result", 11)])
def test_b21_of_several_dice_one_is_set_the_others_count_as_they_lie(
    answer: str, total: int
) -> None:
    table = at("lci", hand="6S", rulings={"B21": answer}).do("roll 2 3 1")
    assert table.done("play 6S on die 3").totals == [total]


def test_b21_result_lasts_until_the_die_is_rolled_again() -> None:
    table = at("lcs", hand="6S JS", rulings={"B21": "result"}).do("aim walls", "roll 2")
    assert table.done("play 6S", "play JS", "roll 4").totals == [3]


@pytest.mark.parametrize(("answer", "again", "squads"), [("one", "4", 12), ("all", "4 4 4", 12)])
def test_b22_what_the_colonel_rerolls(answer: str, again: str, squads: int) -> None:
    table = at("lci", hand="JS", defences={"traps": 0}, rulings={"B22": answer})
    table.do("roll 3 1 5" if answer == "one" else "roll 1 1 1", "play JS on die 2")
    assert table.done(f"roll {again}").state.squads == squads


@pytest.mark.parametrize("answer", ["several", "one"])
def test_b23_several_cards_on_one_die(answer: str) -> None:
    table = at("lci", hand="9S 9H 9C", defences={"traps": 0}, rulings={"B23": answer})
    table.do("roll 1 1 1", "play 9S")
    assert table.refusal("play 9H") == ("" if answer == "several" else "one_card")
    assert table.refusal("play 9H on die 2") == ""


@pytest.mark.parametrize("answer", ["any", "allied"])
def test_b24_what_the_admiral_repeats(answer: str) -> None:
    german = at("artillery", hand="QS", rulings={"B24": answer}, version=1).do("roll 6")
    assert german.refusal("play QS") == ("" if answer == "any" else "no_phase")
    own = at("frogman", hand="QS", rulings={"B24": answer}).do("roll 6")
    assert own.refusal("play QS") == ""


@pytest.mark.parametrize("answer", ["tactical", "any"])
def test_b25_when_the_general_draws(answer: str) -> None:
    table = at("frogman", hand="KS", rulings={"B25": answer}, version=1).do("roll 5")
    assert table.refusal("play KS") == ("not_now" if answer == "tactical" else "")
    if answer == "any":
        table.do("play KS", "draw 9S 9H", "play 9H")
        assert table.done().totals == [6]
        assert table.hand == "9S"


@pytest.mark.parametrize("answer", ["gun_tanks", "none", "all_gun"])
def test_b27_tank_landing_at_omaha(answer: str) -> None:
    table = at("lct", variant="omaha", defences={"traps": 0}, rulings={"B27": answer})
    if answer == "none":
        assert table.skipped()["lct"] == "not_here"
        return
    table.done("roll 6", *(["roll 1", "roll 3", "roll 6"] if answer == "gun_tanks" else []))
    assert table.state.tanks == (("gun",) if answer == "gun_tanks" else ("gun",) * 3)


@pytest.mark.parametrize("answer", ["gun_tanks", "none", "all_gun"])
def test_b27_changes_nothing_elsewhere(answer: str) -> None:
    table = at("lct", defences={"traps": 0}, rulings={"B27": answer}).done("roll 4", "roll 6")
    assert table.state.tanks == ("fascine",)


@pytest.mark.parametrize("answer", ["played", "no_infantry", "neither"])
def test_b31_nobody_ashore(answer: str) -> None:
    rulings = {"B31": answer}
    skipped = at("infantry", rulings=rulings).skipped() | at("engineers", rulings=rulings).skipped()
    told = [phase for phase in ("engineers", "infantry") if skipped.get(phase) == "nobody"]
    wanted = {"played": [], "no_infantry": ["infantry"], "neither": ["engineers", "infantry"]}
    assert told == wanted[answer]
    assert "infantry" not in at("infantry", squads=1, rulings=rulings).skipped()


@pytest.mark.parametrize(("answer", "trenches"), [("now", 15), ("phase_start", 20)])
def test_b32_when_trenches_lie_open(answer: str, trenches: int) -> None:
    last = OPEN | {"bunkers": 2}
    table = at("gun_tank", tanks=["gun"], defences=last, rulings={"B32": answer})
    table.done("roll 6", *["roll 6"] * (answer == "now"))
    assert (table["bunkers"], table["trenches"]) == (0, trenches)
    assert table.state.phase == "defenders"


def test_b32_phase_start_is_the_start_of_this_phase_not_of_the_last() -> None:
    """Landing craft take the last bunker: the gun tanks find the way open when theirs begins."""
    rulings = {"B32": "phase_start"}
    last = OPEN | {"bunkers": 2, "traps": 0}
    table = at("lcs", tanks=["gun"], defences=last, rulings=rulings).done("roll 2", "roll 6")
    assert table["trenches"] == 15


@pytest.mark.parametrize(("answer", "trenches"), [("no", 14), ("yes", 20)])
def test_b33_wire_before_the_trenches(answer: str, trenches: int) -> None:
    table = at("infantry", squads=5, defences=OPEN, rulings={"B33": answer})
    table.done("roll 1", *["roll 6"] * (answer == "no"))
    assert table["trenches"] == trenches
    others = at("engineers", defences=OPEN, rulings={"B33": answer})
    assert others.done("aim wire", "roll 1", "roll 6")["trenches"] == 14


@pytest.mark.parametrize(("answer", "total"), [("at_roll", 3), ("turn_start", 5)])
def test_b34_when_squads_are_counted(answer: str, total: int) -> None:
    began = {"turn_began": {"squads": 24}, "rulings": {"B34": answer}}
    assert at("infantry", squads=3, **began).done("roll 3").totals == [total]
    assert at("defenders", squads=3, **began).done("roll 3").totals == [total]


@pytest.mark.parametrize("answer", ["no", "yes"])
def test_b35_declining_a_removal(answer: str) -> None:
    table = at("petard", tanks=["bridge"], rulings={"B35": answer})
    assert table.refusal("decline") == ("must_remove" if answer == "no" else "")
    alone = at("petard", tanks=["bridge"], defences={"bunkers": 0}, rulings={"B35": answer})
    if answer == "yes":
        alone.done("decline")
        assert (alone["walls"], alone["ditches"]) == (20, 20)
    else:
        assert alone.refusal("decline") == "not_now"


@pytest.mark.parametrize("answer", ["any", "numbers"])
def test_b36_which_dice_a_card_may_touch(answer: str) -> None:
    said = "" if answer == "any" else "looked_up"
    rulings = {"B36": answer}
    looked_up = at("artillery", squads=9, hand="9S", rulings=rulings, version=1)
    looked_up.do("roll 4")
    assert looked_up.refusal("play 9S") == said
    kind = at("lct", hand="9S", rulings=rulings, version=1).do("roll 5", "roll 4")
    assert kind.refusal("play 9S") == said
    assert looked_up.do("roll 4").refusal("play 9S") == "", "killed are a number"
    landing = at("lct", hand="9S", rulings=rulings).do("roll 5")
    assert landing.refusal("play 9S") == ""


@pytest.mark.parametrize(("answer", "trenches"), [("trenches", 15), ("craters", 20)])
def test_b38_craters_or_trenches_first(answer: str, trenches: int) -> None:
    last = OPEN | {"walls": 1}
    table = at("petard", tanks=["bridge"], defences=last, rulings={"B38": answer})
    rolls = ["roll 1", "roll 6", "roll 5"] if answer == "trenches" else ["roll 1", "roll 5"]
    table.done(*rolls)
    assert (table["trenches"], table["ditches"]) == (trenches, 3)


def test_b38_craters_too_shallow_to_be_ditches_keep_nobody_away() -> None:
    last = OPEN | {"walls": 1}
    table = at("petard", tanks=["bridge"], defences=last, rulings={"B38": "craters"})
    assert table.done("roll 1", "roll 2", "roll 6")["trenches"] == 15


@pytest.mark.parametrize(("answer", "dice"), [("3d6", 3), ("2d6", 2), ("1d6", 1)])
def test_b39_squads_in_a_landing(answer: str, dice: int) -> None:
    table = at("lci", defences={"traps": 0}, rulings={"B39": answer})
    assert table.done("roll" + " 4" * dice).state.squads == 4 * dice


def test_b39_is_by_default_what_the_numbers_say() -> None:
    manual = library.beach().ruleset
    (landing,) = manual.phase[manual.place("lci")].step
    assert library.beach().book.rulings["B39"].default == landing.dice


@pytest.mark.parametrize("answer", ["before", "after"])
def test_b40_target_or_die_first(answer: str) -> None:
    table = at("lcs", defences={"traps": 0}, rulings={"B40": answer})
    steps = ["aim walls", "roll 4"] if answer == "before" else ["roll 4", "aim walls"]
    assert (table.state.asks == "target") is (answer == "before")
    assert table.done(*steps)["walls"] == 16
    rockets = at("support", rulings={"B40": answer}).do("roll 5")
    assert rockets.done(*steps)["walls"] == 17


def test_b40_after_tells_the_points_and_may_still_win_or_be_declined() -> None:
    table = at("lcs", defences={"traps": 0}, rulings={"B40": "after", "B35": "yes"})
    ask = table.done("roll 4").state.ask
    assert ask == BeachAsk(what="target", targets=("bunkers", "walls"), may_decline=True, points=4)
    assert table.do("decline")["bunkers"] == 60
    last = {"bunkers": 0, "walls": 5, "trenches": 3}
    won = at("destroyer", turn=20, defences=last, rulings={"B40": "after"})
    assert won.done("roll 4", "aim trenches").state.over


def test_every_answer_of_every_live_ruling_has_its_test() -> None:
    here = Path(__file__).parent
    text = "".join(path.read_text("utf-8") for path in sorted(here.glob("test_rulings_b*.py")))
    tests = re.split(r"^(?=@pytest|def test)", text, flags=re.MULTILINE)
    for name, ruling in library.beach().book.rulings.items():
        own = "".join(test for test in _joined(tests) if f"def test_{name.lower()}_" in test)
        for answer in ruling.answers if ruling.mode == "live" else ():
            assert f'"{answer}"' in own, f"{name}={answer} has no test"


def _joined(parts: list[str]) -> list[str]:
    """A test with the parameters that stand before it."""
    joined: list[str] = []
    for part in parts:
        if joined and joined[-1].startswith("@") and "def test_" not in joined[-1]:
            joined[-1] += part
        else:
            joined.append(part)
    return joined


def test_spoken_rulings_have_one_answer_and_live_ones_a_choice() -> None:
    for name, ruling in library.beach().book.rulings.items():
        assert (len(ruling.answers) > 1) is (ruling.mode == "live"), name


def test_the_rulings_are_those_of_the_analysis_and_four_more() -> None:
    assert list(library.beach().book.rulings) == [f"B{number}" for number in range(1, 43)]


def test_a_game_keeps_its_answers_whatever_the_data_say_later() -> None:
    table = at("lci", defences={"traps": 0}, rulings={"B39": "1d6"})
    setup = replace(table.state.setup, named="printed")
    assert setup.rulings["B39"] == "1d6"
    assert at("lci").state.setup.named == "printed"
    assert at("lci", rulings={"B39": "1d6", "B11": "any"}).state.setup.named == "draft_1d6"
    assert at("lci", rulings={"B39": "1d6"}).state.setup.named == "B39=1d6"


def test_every_answer_of_a_live_ruling_does_something_of_its_own() -> None:
    """What a ruling does stands in one table, which the rules and the simulator ask."""
    book = library.beach().book
    defaults = book.defaults()
    for name, ruling in book.rulings.items():
        if ruling.mode == "live":
            effects = [_effects({**defaults, name: answer}) for answer in ruling.answers]
            assert len(set(effects)) == len(ruling.answers), name


def _effects(answers: dict[str, str]) -> tuple[object, ...]:
    questions = [name for name, kind in vars(RulingsInForce).items() if isinstance(kind, property)]
    return tuple(getattr(RulingsInForce(answers), name) for name in questions)


def test_nothing_but_the_table_of_rulings_reads_an_answer() -> None:
    package = Path(rulings.__file__).parent
    for path in package.rglob("*.py"):
        if path.name != "rulings.py":
            assert not re.search(r"""rulings\[["']B|\bruled\(""", path.read_text("utf-8")), path
