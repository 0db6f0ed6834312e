"""The ladder of phases, and the rules in our own words: both follow from the same numbers."""

from __future__ import annotations

import re

import msgspec
import pytest
from beach_table import GAME, at, codec, opening

from skirmish import library
from skirmish.games.beach_head.events import BeachOpened
from skirmish.games.beach_head.journal import BeachPlay
from skirmish.games.beach_head.orders import (
    BeachOrder,
    ChooseTarget,
    Discard,
    Go,
    PlayCard,
    ShowDice,
)
from skirmish.games.beach_head.pending import BeachAsk
from skirmish.games.beach_head.phase_words import phase_text
from skirmish.games.beach_head.roll_words import sum_text
from skirmish.games.beach_head.turn_steps import (
    DEFENCES,
    NO_NOUN,
    SQUAD,
    CountedChange,
    Noun,
    summed,
)
from skirmish.games.beach_head.wording import card_use, why_skipped
from skirmish.tabletop.chance import Source, parse_card
from skirmish.tabletop.page import Step

RULESET = library.beach().ruleset
OPENED = BeachOpened(setup=library.beach().setup(dice=Source("die"))).apply(None)


def a_game(cards: bool = False) -> BeachPlay:
    deck = Source("deck", 7) if cards else None
    return codec.play([opening(library.beach().setup(dice=Source("die", 7), cards=deck))])


def step(play: BeachPlay) -> None:
    order: BeachOrder = Go()
    match play.state.ask:
        case BeachAsk(what="target", targets=targets):
            order = ChooseTarget(target=targets[0])
        case BeachAsk(what="trim", count=count):
            order = Discard(cards=play.state.hand[:count])
    play.accept(play.consider(order))


def on_until(play: BeachPlay, phase: str) -> BeachPlay:
    while play.state.phase != phase:
        step(play)
    return play


def ladder(play: BeachPlay) -> tuple[Step, ...]:
    steps = GAME.phases(play)
    assert steps is not None
    return steps.rows


def rung(play: BeachPlay, phase: str) -> Step:
    return ladder(play)[RULESET.place(phase)]


def test_a_ladder_has_a_rung_for_each_phase_before_the_first_step_too() -> None:
    rungs = ladder(a_game())
    assert [one.text.split()[0] for one in rungs] == [str(at) for at in range(1, 19)]
    assert {one.state for one in rungs} == {"next"}


def test_what_was_done_what_is_on_and_what_is_skipped() -> None:
    play = on_until(a_game(), "defenders")
    assert (rung(play, "tactical").state, rung(play, "tactical").note) == (
        "skipped",
        "no cards",
    )
    assert (rung(play, "frogman").state, rung(play, "frogman").note) == ("done", "-6 traps")
    assert rung(play, "lci").note == "+12 squads"
    assert rung(play, "gun_tank").note == "no gun tanks"
    assert rung(play, "defenders").state == "now"
    assert rung(play, "engineers").state == "next"


def test_cards_drawn_are_counted() -> None:
    assert rung(on_until(a_game(cards=True), "frogman"), "tactical").note == "7 cards"


def test_each_turn_has_a_ladder_of_its_own() -> None:
    play = a_game()
    while play.state.turn < 2:
        step(play)
    assert rung(play, "lci").state in ("next", "now")
    assert rung(play, "destroyer").state == "next"


def test_a_phase_played_again_says_what_came_of_both() -> None:
    play = on_until(a_game(cards=True), "frogman")
    play.accept(play.consider(PlayCard(card=parse_card("QC"))))
    step(play)
    again = rung(play, "frogman")
    assert again.text.endswith(" twice")
    assert again.note == "-6 traps"
    step(play)
    assert rung(play, "frogman").note == "-8 traps"


# ------------------------------------------------------------------ the rules in words


@pytest.mark.parametrize("phase", RULESET.phase, ids=lambda phase: phase.id)
def test_every_number_of_a_phase_stands_in_its_words(phase: object) -> None:
    told = phase_text(OPENED, phase)  # type: ignore[arg-type]
    raw = msgspec.to_builtins(phase)
    dice = set(re.findall(r"\dd6(?:[+-]\d)?", str(raw)))
    assert dice <= set(re.findall(r"\dd6(?:[+-]\d)?", told))
    for one in raw["step"]:
        shifts = [value for value in one.get("modifiers", {}).values() if value]
        assert all(f"{value:+d} " in told for value in shifts)


def test_what_a_beach_does_without_is_not_told() -> None:
    engineers = RULESET.phase[RULESET.place("engineers")]
    petard = RULESET.phase[RULESET.place("petard")]
    omaha = library.beach().setup(dice=Source("die"), variant="omaha")
    gun_tank = RULESET.phase[RULESET.place("gun_tank")]
    assert "ditches" in phase_text(OPENED, gun_tank)
    for phase in (engineers, petard, gun_tank):
        assert "ditches" not in phase_text(BeachOpened(setup=omaha).apply(None), phase)


def test_every_card_says_what_it_does() -> None:
    told = {card_use(RULESET, card) for card in RULESET.card}
    assert len(told) == 13
    assert {"die = 1", "-2", "+2", "re-roll"} <= told


def test_a_phase_is_skipped_for_its_true_reason() -> None:
    """Nothing is gone from trenches behind walls: the walls bar the way."""
    table = at("infantry", squads=5, defences={"wire": 0, "bunkers": 0, "walls": 3})
    assert table.skipped()["infantry"] == "nothing_left"
    infantry = RULESET.phase[RULESET.place("infantry")]
    assert why_skipped(table.state, infantry, "nothing_left").words == "walls bar the trenches"
    cleared = at("frogman", defences={"traps": 0}).state
    assert why_skipped(cleared, RULESET.phase[1], "nothing_left").words == "no tank traps left"
    flail = at("flail", defences={"mines": 0, "wire": 0}, tanks=["crab"]).state
    assert (
        why_skipped(flail, RULESET.phase[11], "nothing_left").words
        == "no mines or barbed wire left"
    )


def test_a_sum_below_nothing_says_so_and_no_reason_is_empty() -> None:
    setup = library.beach().setup(dice=Source("die"), cards=Source("deck", 7))
    play = codec.play([opening(setup)])
    rolls = [(1,), (4, 6, 2), (2,)]
    while play.state.phase != "lct" or not (play.state.roll and play.state.roll.faces):
        asked = play.state.asks == "dice"
        play.accept(play.consider(ShowDice(faces=rolls.pop(0)) if asked else Go()))
    state = play.state
    assert state.roll is not None
    assert sum_text(state, state.roll) == "2 - 3 - 1 (tank traps) = -2, so 0"


def test_the_journal_says_nothing_twice() -> None:
    """A number that the dice show is said as what comes of it; a tank is lost once."""
    play = codec.play([opening(library.beach().setup(dice=Source("die")))])
    rolls = [(5,), (4, 6, 2), (6,), (3,), (4,)]
    while play.state.phase != "engineers":
        order: BeachOrder = Go()
        match play.state.ask:
            case BeachAsk(what="target"):
                order = ChooseTarget(target="bunkers")
            case BeachAsk(what="dice", count=count):
                order = ShowDice(faces=rolls.pop(0) if rolls else (5,) * count)
        play.accept(play.consider(order))
    told = {one.text.split(".")[0]: one.text for one in GAME.journal(play)}
    assert told["Frogmen"] == "Frogmen. 5 points off the tank traps, 15 left."
    assert told["Infantry landing"] == (
        "Infantry landing. Rolled 4 + 6 + 2 - 1 (tank traps): 11 squads land."
    )
    assert told["Tank landing"] == (
        "Tank landing. Rolled 6 - 3 - 1 (tank traps): 2 tanks land. Rolled 3: a crab lands. "
        "Rolled 4: a crab lands."
    )
    assert told["Inland artillery"] == "Inland artillery. Rolled 5: a crab is lost."
    assert told["Defender fire"] == (
        "Defender fire. Rolled 5: 1d6 squads killed. 5 squads killed, 6 left ashore."
    )


@pytest.mark.parametrize(
    ("noun", "one", "two"),
    [
        (DEFENCES["traps"], "-1 trap", "-2 traps"),
        (DEFENCES["trenches"], "-1 trench", "-2 trenches"),
        (DEFENCES["wire"], "-1 wire", "-2 wire"),
        (SQUAD, "-1 squad", "-2 squads"),
    ],
)
def test_a_rung_counts_one_and_several(noun: Noun, one: str, two: str) -> None:
    assert [summed([CountedChange("-", n, noun, NO_NOUN)]) for n in (1, 2)] == [[one], [two]]


@pytest.mark.parametrize(("squads", "words"), [
    (11, "1d6"), (13, "1d6 + 1 (a full dozen squads)"), (27, "1d6 + 2 (2 full dozens of squads)"),
])  # fmt: skip
def test_full_dozens_are_counted_in_words(squads: int, words: str) -> None:
    state = at("defenders", squads=squads).state
    assert state.roll is not None
    assert sum_text(state, state.roll) == words
