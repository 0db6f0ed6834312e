"""A battle as it stands, to be finished on paper. The door; the page is made in
``position_page``."""

from __future__ import annotations

from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.view import seen
from skirmish.sheets.ink import InkUse
from skirmish.sheets.paper import Paper


def position_pdf(play: BattlePlay, *, paper: Paper = "a4", use: InkUse = "colour") -> bytes:
    """Where a battle stands as a PDF: all that eyes cannot read off the table itself.

    It shows what anybody may see who only looks on: nobody placed in secret, nothing that is
    sealed. Raises ValueError for another paper than A4 or Letter.
    """
    from skirmish.sheets.position_page import pages  # noqa: PLC0415  (loads the PDF library)

    return pages(seen(play, None), paper, use)
