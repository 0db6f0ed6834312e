"""Many games of Beach Head on one page. The door; it is made in ``beach_statistics_page``."""

from __future__ import annotations

from skirmish.games.beach_head.simulate.playtest import Playtest
from skirmish.games.beach_head.simulate.tally import Tally
from skirmish.sheets.paper import InkUse, Paper

STATISTICS_NAME = "beach-head-statistics.pdf"
"""What the file is called, whoever prints it."""


def statistics_pdf(
    tally: Tally,
    playtest: Playtest,
    *,
    facts: str,
    readings: str = "",
    paper: Paper = "a4",
    revision: str = "",
    use: InkUse = "colour",
) -> bytes:
    """How often each number of casualties, turns and squads alive came up, beside what is printed.

    ``facts`` says what was played, ``readings`` which rulings were answered otherwise than usual.
    Raises ValueError for another paper than A4 or Letter.
    """
    from skirmish.sheets.beach_statistics_page import pages  # noqa: PLC0415  (the PDF library)

    said = facts, readings
    return pages(tally, playtest, said, paper=paper, revision=revision, use=use)
