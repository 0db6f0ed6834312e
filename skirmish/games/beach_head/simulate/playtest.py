"""The statistics that are printed with the rules, to be held beside ours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from skirmish.tabletop.reading import read

Count = Annotated[int, msgspec.Meta(ge=0)]


class Printed(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What is told of one number: its extremes and its average, or only some of them."""

    least: Count | None = None
    mean: Count | None = None
    most: Count | None = None


class Playtest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """data/beach_head/playtest.toml: so many ``games``."""

    format: Literal[1]
    games: Annotated[int, msgspec.Meta(ge=1)]
    casualties: Printed
    alive: Printed
    turns: Printed


def read_playtest(raw: Mapping[str, Any]) -> Playtest:
    """The file; raises DataError."""
    return read(raw, Playtest, "beach_head/playtest.toml")
