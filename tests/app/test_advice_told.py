"""What the program advises, and the ladder of phases, as the screen of Beach Head shows them."""

from __future__ import annotations

from random import Random

import pytest
from beach_table import at

from skirmish import library
from skirmish.app.beach.advice_told import advice_told
from skirmish.app.beach.ladder_words import rungs
from skirmish.app.beach.view import LADDER, WIDE_LADDER
from skirmish.games.beach_head.advice import advise
from skirmish.games.beach_head.ladder import ladder
from skirmish.games.beach_head.policies import Better
from skirmish.games.beach_head.record import opening, scribe
from skirmish.games.beach_head.setup import prepared
from skirmish.tabletop.chance import Source


def test_the_reason_stands_right_below_what_is_advised() -> None:
    """At 80 by 24 a hand of cards makes more choices than the screen has lines."""
    table = at("lci", hand="AS 2C 8C 9H")
    table.do("roll 2 5 3")
    advice = advise(table.state, games=2)
    assert len(advice.options) > 3
    told = [" ".join(line.plain.split()) for line in advice_told(advice, 200)]
    assert told[1] == f"▶ {advice.best.words}"
    assert told[2] == advice.reason
    others = zip(advice.options[1:], told[4:-1], strict=True)
    assert all(option.words in line for option, line in others)
    assert told[-1] == advice.note
    assert "±" not in "".join(told)


@pytest.mark.parametrize("rulings", [{}, {"B7": "tank"}])
def test_no_rung_of_the_ladder_is_cut_in_any_turn(rulings: dict[str, str]) -> None:
    """At 80 and 120 columns."""
    setup = prepared(
        library.beach_manual(),
        library.beach_readings(),
        rulings=rulings,
        dice=Source("die", 3),
        cards=Source("deck", 3),
    )
    play, better = scribe.play([opening(setup)]), Better()
    while not play.state.over:
        play.accept(play.consider(better.order(play.state, Random(0))))
        for width in (LADDER - 2, WIDE_LADDER - 2):
            lines = rungs(ladder(play), width).plain.splitlines()
            assert len(lines) == 18
            assert max(map(len, lines)) <= width, lines
