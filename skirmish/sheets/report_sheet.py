"""The report of a battle on paper. The door; the page itself is made in ``report_page``."""

from __future__ import annotations

from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.view import seen
from skirmish.sheets.paper import InkUse, Paper


def report_pdf(
    play: BattlePlay, date: str, *, paper: Paper = "a4", use: InkUse = "colour"
) -> bytes:
    """What a battle came to as a PDF of a page or two; ``date`` is when it was fought, in words.

    A battle that still goes on is reported as anybody may see it who only looks on. Raises
    ValueError for another paper than A4 or Letter.
    """
    from skirmish.sheets.report_page import pages  # noqa: PLC0415  (loads the PDF library)

    return pages(play if play.state.outcome else seen(play, None), date, paper, use)
