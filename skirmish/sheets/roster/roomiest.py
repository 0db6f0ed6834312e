"""Fills what is empty on the last page of a roster: with larger boxes, then with further tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from skirmish.sheets.layout.blocks import OwnNotes
from skirmish.sheets.layout.flow import Flowable, Gap, height_of
from skirmish.sheets.layout.pages import SheetPart
from skirmish.sheets.paper import GAP

GROWTHS = (1.1, 1.2, 1.4, 1.6, 1.8, 2.0)
"""The factors by which boxes grow where a sheet has room, smallest first. The largest makes boxes
of 8.4 mm."""
LayOut: TypeAlias = Callable[[float, Sequence[Flowable]], SheetPart]
"""Lays a sheet out with boxes enlarged by a factor, and with further blocks before the notes."""


def roomiest(lay_out: LayOut, further: Sequence[Flowable] = ()) -> SheetPart:
    """The sheet with the largest boxes with which it takes no more pages than with boxes of the
    usual size, and has room for notes if it has with those. If the last page still has room, as
    many of the ``further`` blocks as fit stand there."""
    usual = lay_out(1.0, [])
    usual_has_notes = _room_for_notes(usual) > 0
    largest_factor = 1.0
    roomiest_part = usual
    # A binary search, since to lay out a roster takes a tenth of a second: where boxes of one size
    # have room, all smaller ones have.
    low, high = 0, len(GROWTHS)
    while low < high:
        middle = (low + high) // 2
        part = lay_out(GROWTHS[middle], [])
        loses_notes = usual_has_notes and _room_for_notes(part) == 0
        if len(part.pages) <= len(usual.pages) and not loses_notes:
            largest_factor = GROWTHS[middle]
            roomiest_part = part
            low = middle + 1
        else:
            high = middle
    if largest_factor == 1.0:
        return usual  # it is nearly full: not even the next larger boxes have room
    fitting = fitting_in(_room_for_notes(roomiest_part), further, usual.leaf.measure)
    if not fitting:
        return roomiest_part
    return lay_out(largest_factor, fitting)


def _room_for_notes(part: SheetPart) -> float:
    """The height of the lines to write on; 0 if there is no room for them. They are the last thing
    on a sheet, and fill what is left of its last page."""
    last_page = part.pages[-1].content
    # This computes the heights of all that stands on the page.
    last_page.wrap(part.leaf.measure, part.leaf.depth)
    lines_to_write_on = last_page.flowables[-1]
    return float(lines_to_write_on.height)


def fitting_in(room: float, further: Sequence[Flowable], width: float) -> list[Flowable]:
    """Those of the ``further`` blocks, in their order and each with a gap after it, that fit into
    ``room`` points and leave enough of it for notes. A block that is too high is left out, and
    lower ones after it may still stand there."""
    room -= OwnNotes().least_height(width)
    fitting: list[Flowable] = []
    for block in further:
        with_gap = height_of(block, width) + GAP
        if with_gap <= room:
            fitting += [block, Gap(GAP)]
            room -= with_gap
    return fitting
