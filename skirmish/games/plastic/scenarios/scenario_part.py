"""What every part of a scenario file is made of: its base class, and the types of its fields, which
say what a file may hold there and what a name in it refers to."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from skirmish.tabletop.data_file import Refers

Count = Annotated[int, msgspec.Meta(ge=1, le=999)]
"""How many there are of something that is there."""
Turn = Annotated[int, msgspec.Meta(ge=1, le=99)]
PlayedTurn = Annotated[Turn, Refers("turn")]
"""A turn that must be played: one after the end of the battle is a mistake."""
StartTurn = Annotated[int, msgspec.Meta(ge=0, le=99), Refers("turn")]
"""The turn in which something comes into battle; 0: it is on the table before play."""
Reach = Annotated[int, msgspec.Meta(ge=1, le=240)]
"""A distance in inches; the longest is that of a table of 20 feet."""
Text = Annotated[str, msgspec.Meta(min_length=1)]
"""A text that is not empty."""
Edge = Literal["N", "E", "S", "W"]
"""An edge of the table, by its compass point."""
Corner = Literal["NE", "SE", "SW", "NW"]
"""A corner of the table, by its compass point."""
Id = Annotated[
    str,
    msgspec.Meta(
        # Ids stand in journals and in the names of files: they have no sign that means something
        # in either. (``$`` in place of ``\\Z`` would let a line break follow.)
        pattern=r"^[a-z][a-z0-9_]*\Z",
        description="an id in small letters, digits and _, a letter first,",
    ),
]
ZoneLetter = Annotated[
    str,
    msgspec.Meta(pattern=r"^[A-Z]\Z", description="one capital letter, A to Z,"),
    # ``problems`` checks it against the letters on the map, if the scenario has one.
    Refers("zone"),
]
MarkId = Annotated[
    str,
    msgspec.Meta(pattern=r"^[A-Za-z0-9]{1,3}\Z", description="a mark of 1 to 3 letters or digits"),
    Refers("mark"),
]
ContingentId = Annotated[str, Refers("contingent")]
"""The id of a contingent of the side that the part belongs to."""
SideId = Annotated[str, Refers("side")]
"""The id of a side of the scenario."""
OwnUnit = Annotated[str, Refers("own unit")]
"""The id of a unit of the side that the part belongs to; where the part names a contingent, of that
contingent."""
EnemyUnit = Annotated[str, Refers("enemy unit")]
"""The id of a unit of the enemy of the side that the part belongs to."""
OwnUnits = Annotated[tuple[OwnUnit, ...], msgspec.Meta(min_length=1)]
EnemyUnits = Annotated[tuple[EnemyUnit, ...], msgspec.Meta(min_length=1)]
NationId = Annotated[str, Refers("nation")]
RulingId = Annotated[str, Refers("ruling")]


class ScenarioPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a scenario file. A key that it does not have is an error: it may be a misspelt
    one."""


class Moment(ScenarioPart, frozen=True):
    """The end of the player turn of ``side`` in game turn ``turn``."""

    side: SideId
    turn: Turn

    def __str__(self) -> str:
        return f"{self.side} turn {self.turn}"
