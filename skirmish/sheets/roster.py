"""The roster: an army on paper. The doors; the pages themselves are made in ``roster_page`` and
``roster_battle``."""

from __future__ import annotations

from skirmish import library
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.rules.rulings import RulingBook
from skirmish.sheets.ink import InkUse
from skirmish.sheets.paper import Paper


def roster_pdf(
    army: Army,
    *,
    paper: Paper = "a4",
    revision: str = "",
    book: RulingBook | None = None,
    use: InkUse = "colour",
    form: bool = False,
) -> bytes:
    """``army`` as a PDF: units with boxes to tick, limits, breaches, loss track, firing table.

    An illegal or empty army prints, and says so. ``revision`` names the state of the data in the
    footer; ``book`` holds the rulings the army was made under (usually the library's); with
    ``form`` the boxes can be ticked on the screen. Raises ValueError for another paper than A4 or
    Letter.
    """
    from skirmish.sheets.roster_page import pages  # noqa: PLC0415  (loads the PDF library)

    held = book or library.rulings()
    return pages(army, held, paper, revision=revision, use=use, form=form)


def standing_rosters_pdf(state: State, *, paper: Paper = "a4", use: InkUse = "colour") -> bytes:
    """The rosters of both sides of a battle as they stand, losses struck out, in one PDF.

    Whoever is placed in secret is left out of it, since both sides look at it. Raises ValueError
    for another paper than A4 or Letter.
    """
    from skirmish.sheets.roster_battle import pages  # noqa: PLC0415  (loads the PDF library)

    return pages(state, paper, use)
