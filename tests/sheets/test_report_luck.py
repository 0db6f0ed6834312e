"""Luck in the report of a battle: the chart, the figures, the least likely shots."""

from __future__ import annotations

from typing import Any

import pytest
from battles import armies, called, scenario

from skirmish.games.plastic.luck import luck
from skirmish.games.plastic.luck_words import moments_of, sentence, signed
from skirmish.sheets.report_luck import LuckChart, luck_block
from skirmish.sheets.report_sheet import report_pdf

DATE = "1 May 2026"


@pytest.mark.parametrize("use", ["colour", "saver"])
def test_each_sides_luck_stands_there_with_its_least_likely_shots(printed: Any, use: Any) -> None:
    table = armies(200)
    found = luck(table.play)
    page = printed(report_pdf(table.play, DATE, use=use))
    for side in found.sides:
        told = [f"{one.name}: {one.says}." for one in moments_of(table.state.setup, side)]
        assert len(told) == 2
        assert not page.holds(sentence(side), *told, signed(side.difference))
    assert not page.outside()


def test_the_chart_is_drawn_to_the_end_of_either_course() -> None:
    table = scenario(1, 160)
    found = luck(table.play)
    (chart,) = [piece for piece in luck_block(table.play, found) if isinstance(piece, LuckChart)]
    for course, side in zip(chart.courses, found.sides, strict=True):
        assert course.values[-1] == pytest.approx(float(side.difference))
        assert chart.lowest <= min(course.values) <= max(course.values) <= chart.highest
    along = [at for at, _ in chart.turns]
    assert along == sorted(along)
    assert along[0] == 0
    assert [turn for _, turn in chart.turns] == sorted({shot.turn for shot in found.shots})


def test_before_the_first_shot_there_is_nothing_of_it() -> None:
    play = called("Reds", "Blues").play
    assert luck_block(play, luck(play)) == []
