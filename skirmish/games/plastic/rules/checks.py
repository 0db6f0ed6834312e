"""Draws that are no shots: pinned? movement over? dug in? What is black on a die differs by check
(7-12 pins, 1-6 digs)."""

from __future__ import annotations

from collections.abc import Mapping

from skirmish.games.plastic.rules.catalog import Catalog, Nation, Quality
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.refusal import Refusal


def is_pinned(
    quality: Quality | None, draw: Draw, catalog: Catalog, rulings: Mapping[str, str]
) -> bool:
    """Under machinegun op fire ("Pinning"); by P29 cards are read by suit or by rank. Without force
    quality the data names the line that holds."""
    line = quality or catalog.qualities[catalog.pin.without_quality]
    if draw.suit is not None and rulings["P29"] == "suits":
        return draw.suit in line.pinned_suits
    return draw.rank >= line.pinned_from


def movement_ends(quality: Quality | None, draw: Draw) -> bool:
    """ "Troop Quality, Command and Control"."""
    return (
        quality is not None
        and quality.movement_ends_from is not None
        and draw.rank >= quality.movement_ends_from
    )


def draws_for_command(quality: Quality | None) -> bool:
    return quality is not None and quality.movement_ends_from is not None


def digs_as_engineers(engineer: bool, nation: Nation | None) -> bool:
    return engineer or (nation is not None and bool(nation.digs_as_engineers))


def why_not_entrench(
    figures: int, engineer: bool, nation: Nation | None, catalog: Catalog
) -> Refusal | None:
    """ "Entrenching"."""
    needed = catalog.entrench.group_of
    if figures >= needed or digs_as_engineers(engineer, nation):
        return None
    men = "man" if figures == 1 else "men"
    says = f"{figures} {men} cannot dig in: it takes a group of {needed}, or an engineer."
    return Refusal("too_few", says, "Entrenching")


def is_dug_in(engineer: bool, nation: Nation | None, draw: Draw, catalog: Catalog) -> bool:
    """ "Entrenching"."""
    diggers = catalog.entrench
    as_engineers = digs_as_engineers(engineer, nation)
    return (diggers.engineers if as_engineers else diggers.group).succeeds(draw)
