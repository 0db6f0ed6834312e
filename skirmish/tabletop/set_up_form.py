"""The lines of the form in which players set a game up."""

from __future__ import annotations

import msgspec

from skirmish.tabletop.slots import Slot


class Fold(msgspec.Struct, frozen=True):
    """A line of the set-up form that opens others, closed at first."""

    id: str
    label: str
    help: str = ""


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the set-up form: a slot with its proposed answer, under a heading, or in a fold.
    It is also an option of the command line, by the slot's name. ``notice``: what players must know
    before they begin, whichever line is selected."""

    slot: Slot
    group: str = ""
    fold: Fold | None = None
    help: str = ""
    notice: str = ""
    is_ruling: bool = False
    """Whether it asks for a single ruling, by whose id its slot is named, such as ``P11``."""
