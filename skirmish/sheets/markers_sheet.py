"""Markers, tags and templates at true scale. The door; they are made in ``markers_page``."""

from __future__ import annotations

from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.sheets.ink import InkUse
from skirmish.sheets.paper import Paper

MARKERS_NAME = "markers.pdf"
"""What the file is called, whoever prints it."""


def markers_pdf(
    catalog: Catalog,
    *,
    army: Army | None = None,
    paper: Paper = "a4",
    revision: str = "",
    use: InkUse = "colour",
) -> bytes:
    """Markers to cut out, tags with the codes of ``army`` (else some of every type), works, range
    sticks and rings.

    The document asks to be printed unscaled, and every page has a ruler to check that by. Raises
    ValueError for another paper than A4 or Letter.
    """
    from skirmish.sheets.markers_page import pages  # noqa: PLC0415  (loads the PDF library)

    return pages(catalog, army, paper, revision, use)
