"""Two armies side by side: what each has of everything, line by line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.rules.catalog import UnitType

Category = Literal["guys", "unarmored", "armored", "works"]


class Share(msgspec.Struct, frozen=True):
    """What one army has of something: pieces on the table (free men included), points paid."""

    count: int = 0
    points: int = 0

    def __add__(self, other: Share) -> Share:
        return Share(self.count + other.count, self.points + other.points)


class Versus(msgspec.Struct, frozen=True):
    """A line: a unit or a work by its id, in both armies. ``name`` is what one of it is called."""

    piece: str
    name: str
    category: Category
    one: Share
    other: Share

    @property
    def alike(self) -> bool:
        """Whether both have as many."""
        return self.one.count == self.other.count


def side_by_side(one: Army, other: Army) -> list[Versus]:
    """Every piece that at least one of the two has, in the order of the catalog."""
    return list(_lines(one, other))


def totals(lines: list[Versus], category: Category) -> tuple[Share, Share]:
    mine = [line for line in lines if line.category == category]
    return (
        sum((line.one for line in mine), Share()),
        sum((line.other for line in mine), Share()),
    )


def _lines(one: Army, other: Army) -> Iterator[Versus]:
    catalog = one.catalog
    for piece in (*catalog.units, *catalog.works):
        first, second = _share(one, piece), _share(other, piece)
        if first.count or second.count:
            known = catalog.units.get(piece) or catalog.works[piece]
            yield Versus(piece, known.name, _category(one, piece), first, second)


def _share(army: Army, piece: str) -> Share:
    bought = army.listed.count(piece)
    return Share(bought + army.free.get(piece, 0), bought * army.price(piece))


def _category(army: Army, piece: str) -> Category:
    known = army.catalog.units.get(piece)
    if not isinstance(known, UnitType):
        return "works"
    return "guys" if known.kind == "guy" else known.kind
