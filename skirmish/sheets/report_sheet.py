"""The report of a battle on paper: its page, with the map of the scenario."""

from __future__ import annotations

from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.report import MAP, printed_pages
from skirmish.sheets.paper import InkUse, Paper


def report_pdf(
    play: BattlePlay, date: str, *, paper: Paper = "a4", use: InkUse = "colour"
) -> bytes:
    """What a battle came to as a PDF of a page or two; ``date`` is when it was fought, in words.

    A battle that still goes on is reported as anybody may see it who only looks on. Raises
    ValueError for another paper than A4 or Letter.
    """
    from skirmish.sheets.maps.scenario_map import MapPiece  # noqa: PLC0415  (the PDF library)
    from skirmish.sheets.page_sheet import page_pdf  # noqa: PLC0415

    def drawn(tallest: float) -> MapPiece:
        scenario = play.state.setup.scenario
        assert scenario is not None
        return MapPiece(scenario, tallest=tallest)

    pages = printed_pages(play, date)
    return page_pdf(*pages, paper=paper, use=use, pictures={MAP: drawn}, notes=True)
