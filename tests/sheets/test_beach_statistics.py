"""The page of many games of Beach Head: every figure, and nothing over the edge."""

from __future__ import annotations

from typing import Any

import pytest

from skirmish.games.beach_head.simulate.tally import Spread, Tally
from skirmish.games.beach_head.simulate.told import deviation
from skirmish.library import beach_playtest, beach_rulings
from skirmish.sheets.beach_statistics import statistics_pdf
from skirmish.sheets.beach_statistics_page import Plot, clear_of
from skirmish.sheets.layout.text import SMALLEST


def bell(middle: int, wide: int, games: int = 1_000) -> Spread:
    return Spread(
        tuple(max(0, games - games * abs(n - middle) // wide) for n in range(middle + wide))
    )


TALLIES = {
    "usual": Tally(bell(69, 50), bell(12, 6), bell(41, 40)),
    "one game": Tally(Spread((0,) * 70 + (1,)), Spread((0,) * 11 + (1,)), Spread((1,))),
    "four games": Tally(
        Spread((0,) * 26 + (1, 0, 0, 3)), Spread((0,) * 11 + (2, 2)), Spread((1, 1, 1, 0, 0, 1))
    ),
    "very many": Tally(bell(400, 390, 10**9), bell(300, 290, 10**9), bell(2_000, 1_999, 10**9)),
}


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("use", ["colour", "saver"])
@pytest.mark.parametrize("which", TALLIES)
def test_every_figure_stands_on_one_page(printed: Any, which: str, use: Any, paper: Any) -> None:
    tally, told = TALLIES[which], beach_playtest()
    every = [
        f"{ruling.id} {ruling.title}. {list(ruling.answers.values())[-1]}"
        for ruling in beach_rulings().rulings.values()
        if ruling.mode == "live"
    ]
    readings = " ".join(every[:12]) if which == "usual" else ""
    page = printed(
        statistics_pdf(
            tally, told, facts="What was played", readings=readings, paper=paper, use=use
        ),
        paper,
    )
    assert page.pages == 1
    wanted = ["What was played", "CASUALTIES", "TURNS", "ALIVE AT THE END", readings]
    for name, spread in tally.spreads():
        wanted += [f"mean {spread.mean:.2f}", deviation(spread), str(spread.most)]
        most = getattr(told, name).most
        wanted.append(f"to {most}" if getattr(told, name).least is not None else f"≤ {most}")
    assert not page.holds(*wanted)
    assert not page.outside()
    assert min(page.sizes()) >= SMALLEST
    assert all(page.fonts().values())


def test_what_is_printed_lies_within_the_axis() -> None:
    """Where only a most is printed, and all games came to more."""
    told = beach_playtest().alive
    assert told.least is None
    assert told.most is not None
    first, *_, last = Plot(Spread((0,) * 41 + (1,)), told, 100).bins
    assert first[0] == 0
    assert told.most < 41 <= last[1]


@pytest.mark.parametrize("line", range(60, 141))
def test_a_share_gives_way_to_the_line_of_the_mean(line: int) -> None:
    middle = clear_of(line, 80, 40, 14)
    assert abs(middle - line) >= 8
    assert middle - 7 >= 80
    assert middle + 7 <= 120
    assert clear_of(line, 80, 14, 14) == 87  # no room beside it


def test_ink_is_spared_by_hatching(printed: Any) -> None:
    pages = [
        statistics_pdf(TALLIES["usual"], beach_playtest(), facts="", use=use)
        for use in ("colour", "saver")
    ]
    assert pages[0] != pages[1]


def test_another_paper_is_refused() -> None:
    with pytest.raises(ValueError, match="a3"):
        statistics_pdf(TALLIES["usual"], beach_playtest(), facts="", paper="a3")  # type: ignore[arg-type]
