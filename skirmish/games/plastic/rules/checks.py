"""Draws that are no shots: pinned? movement over? dug in?

What stands for black on a die differs by check (7-12 pins, 1-6 digs), so each check reads its own
numbers from the data and none borrows another's.
"""

from __future__ import annotations

from collections.abc import Mapping

from skirmish.games.plastic.rules.catalog import Catalog, Nation, Quality
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.refusal import Refusal


def is_pinned(
    quality: Quality | None, draw: Draw, catalog: Catalog, rulings: Mapping[str, str]
) -> bool:
    """Whether troops under machinegun op fire go to ground ("Pinning"). Cards are read by suit or,
    by P29, by rank like a die. Without force quality the data names the line that holds."""
    line = quality or catalog.qualities[catalog.pin.without_quality]
    if draw.suit is not None and rulings["P29"] == "suits":
        return draw.suit in line.pinned_suits
    return draw.rank >= line.pinned_from


def movement_ends(quality: Quality | None, draw: Draw) -> bool:
    """Whether a side's movement is over after this group ("Troop Quality, Command and Control").
    Elite troops, and those who play without force quality, never draw."""
    return (
        quality is not None
        and quality.movement_ends_from is not None
        and draw.rank >= quality.movement_ends_from
    )


def draws_for_command(quality: Quality | None) -> bool:
    """Whether anything is drawn at all before ``movement_ends`` is known."""
    return quality is not None and quality.movement_ends_from is not None


def digs_as_engineers(engineer: bool, nation: Nation | None) -> bool:
    """An engineer in the group, or a nation whose riflemen dig like engineers."""
    return engineer or (nation is not None and bool(nation.digs_as_engineers))


def why_not_entrench(
    figures: int, engineer: bool, nation: Nation | None, catalog: Catalog
) -> Refusal | None:
    """Too few men for a foxhole: it takes four, or an engineer alone ("Entrenching")."""
    needed = catalog.entrench.group_of
    if figures >= needed or digs_as_engineers(engineer, nation):
        return None
    men = "man" if figures == 1 else "men"
    says = f"{figures} {men} cannot dig in: it takes a group of {needed}, or an engineer."
    return Refusal("too_few", says, "Entrenching")


def is_dug_in(engineer: bool, nation: Nation | None, draw: Draw, catalog: Catalog) -> bool:
    """Whether the digging succeeds ("Entrenching"): a spade, or any black card with engineers."""
    diggers = catalog.entrench
    as_engineers = digs_as_engineers(engineer, nation)
    return (diggers.engineers if as_engineers else diggers.group).succeeds(draw)
