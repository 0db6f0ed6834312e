"""The statistics of many games of Beach Head as a page: every figure, and nothing over the edge."""

from __future__ import annotations

from typing import Any

import pytest

from skirmish import library, resources
from skirmish.games.beach_head.simulate.statistics import Simulated, read_playtest
from skirmish.games.beach_head.simulate.tally import GamesTally, Spread
from skirmish.sheets.layout.styles import SMALLEST
from skirmish.sheets.page_sheet.document import page_pdf
from skirmish.tabletop.chance import Source
from skirmish.tabletop.page import Bars, Page
from skirmish.tabletop.page_text import as_text


def bell(middle: int, wide: int, games: int = 1_000) -> Spread:
    return Spread(
        tuple(max(0, games - games * abs(n - middle) // wide) for n in range(middle + wide))
    )


TALLIES = {
    "usual": GamesTally(bell(69, 50), bell(12, 6), bell(41, 40)),
    "one game": GamesTally(Spread((0,) * 70 + (1,)), Spread((0,) * 11 + (1,)), Spread((1,))),
    "four games": GamesTally(
        Spread((0,) * 26 + (1, 0, 0, 3)), Spread((0,) * 11 + (2, 2)), Spread((1, 1, 1, 0, 0, 1))
    ),
    "very many": GamesTally(
        bell(400, 390, 10**9), bell(300, 290, 10**9), bell(2_000, 1_999, 10**9)
    ),
}
BOOK = library.beach().book
PLAYTEST = read_playtest(resources.table("beach_head/playtest.toml"))
OTHERWISE = {one.id: list(one.answers)[-1] for one in BOOK.rulings.values() if one.mode == "live"}


def page_of(which: str) -> Page:
    rulings = OTHERWISE if which == "usual" else {}
    setup = library.beach().setup(rulings=rulings, dice=Source("die"))
    tally = TALLIES[which]
    found = Simulated(setup, "plan", 7, tally.games, tally)
    return found.page(BOOK, PLAYTEST)


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("which", TALLIES)
def test_every_figure_stands_on_the_page(printed: Any, which: str, paper: Any) -> None:
    tally, page = TALLIES[which], page_of(which)
    sheet = printed(page_pdf(page, paper=paper), paper)
    assert sheet.pages == 1
    wanted = [
        "chosen by the plan. Seed 7.",
        "casualties 9 to 86, mean 42",
        "printed: at most 18.",
    ]
    for spread in tally.spreads().values():
        wanted += [f"Mean {spread.mean:.2f}; printed:", str(spread.most)]
        wanted += [f"{spread.deviation:.2f}" if spread.games > 1 else "–"]
    if which == "usual":
        book = BOOK.rulings
        wanted += [book[name].answers[answer] for name, answer in OTHERWISE.items()]
    assert not sheet.holds(*wanted)
    assert not sheet.outside()
    assert min(sheet.sizes()) >= SMALLEST
    assert all(sheet.fonts().values())
    assert all(text in " ".join(as_text(page).split()) for text in wanted)


@pytest.mark.parametrize("which", TALLIES)
def test_every_game_is_in_a_bar(which: str) -> None:
    bars = [block for block in page_of(which).blocks if isinstance(block, Bars)]
    assert len(bars) == 3
    assert all(sum(bar.value for bar in one.rows) == pytest.approx(1) for one in bars)
