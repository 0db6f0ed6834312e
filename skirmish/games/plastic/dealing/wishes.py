"""What players wish for before a deal, and the data that it is made from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, NamedTuple, TypeAlias

import msgspec

from skirmish.games.plastic.dealing.regions import Month, Regions
from skirmish.games.plastic.dealing.themes import Theme
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.tabletop.data_file import Strict

VERSION = 2
"""The version of the dealer, which is part of each code. A change by which the same seeds would
deal other battles needs another version; codes of earlier versions must still deal what they did.
Version 2 added charges, and darkness that the program knows of."""
SEED_PREFIX = 1
"""Each source of chance is seeded with a text that begins with this number, ``1:table:2045``. It
does not follow ``VERSION``: tables and forces of version 2 are those of version 1. Its charges
have a source of their own, and its darkness needs none."""
FORCE_SEEDS = 64
"""How many seeds of forces there are. The seed of a deal holds two, that of its table and that of
its forces, so that either may be dealt again without the other:
``seed == table_seed * FORCE_SEEDS + force_seed``."""
LEAST_FEET, MOST_FEET = 4, 12
"""The shortest and the longest edge of a table."""
LEAST_POINTS, MOST_POINTS = 50, 1000
"""The fewest and the most points of the larger side."""
Length: TypeAlias = Literal["short", "evening", "long"]
"""How long a battle is to last."""
EdgeFeet = Annotated[int, msgspec.Meta(ge=LEAST_FEET, le=MOST_FEET)]


class Wishes(Strict, frozen=True, kw_only=True):
    """What players wish for in a battle. Together with a seed it is all that a deal depends on."""

    theme: str
    region: str
    month: Month
    attacker: str
    """The id of a nation, as ``defender``."""
    defender: str
    width: EdgeFeet = 8
    """The width of the table in feet."""
    depth: EdgeFeet = 5
    """The depth of the table in feet."""
    points: Annotated[int, msgspec.Meta(ge=LEAST_POINTS, le=MOST_POINTS)] = 150
    """The points of the larger side."""
    length: Length = "evening"
    figures: Mapping[str, int] | None = None
    """How many figures the players own, by the ids of units and works; None: any number."""
    terrain: Mapping[str, int] | None = None
    """How much terrain the players own, by kind, roads and the like in feet; None: any amount."""
    version: Annotated[int, msgspec.Meta(ge=1, le=VERSION)] = VERSION
    """The version of the dealer that deals the battle: in a code, the one that wrote it."""


class Books(NamedTuple):
    """The data that a deal is made from."""

    catalog: Catalog
    themes: Mapping[str, Theme]
    regions: Regions


class NoSuchBattleError(ValueError):
    """Nothing can be dealt for what is asked for; the text is a sentence that says why."""
