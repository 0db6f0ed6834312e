"""What the program advises, as it is told on the screen of Beach Head."""

from __future__ import annotations

from beach_table import at
from skirmish.app.beach.advice_told import advice_told

from skirmish.games.beach_head.advice import advise


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
