"""What one side may know when it decides: who stands where, as last told. Pure data.

Men of whom the side knows nothing are not in it, nor is anything that players see but never say:
inches, facing, places within a group.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from skirmish.games.plastic.commander.cells import GroundCell
from skirmish.games.plastic.rules.catalog import Catalog, UnitType
from skirmish.tabletop.plane import Point


class GroupKnown(msgspec.Struct, frozen=True):
    """A group that stands together: so many of each unit, by id, and who is ``aboard`` its
    vehicles, without those in hiding. ``name`` is what players call it, ``contingent`` the id of
    the contingent from which it was formed. ``waiting``: how many of its models, by unit, neither
    move nor fire before they are served, such as tanks without fuel."""

    id: str
    name: str
    counts: Mapping[str, int]
    aboard: Mapping[str, int] = {}
    contingent: str = ""
    waiting: Mapping[str, int] = {}

    def units(self, catalog: Catalog) -> list[UnitType]:
        """Each unit that is not aboard, as often as it is there."""
        return _listed(self.counts, catalog)

    def riders(self, catalog: Catalog) -> list[UnitType]:
        """Each unit that is aboard, as often as it is there."""
        return _listed(self.aboard, catalog)

    def price_aboard(self, catalog: Catalog) -> int:
        """The price of its riders, who are lost with its vehicles."""
        return sum(unit.price for unit in self.riders(catalog))


def _listed(counts: Mapping[str, int], catalog: Catalog) -> list[UnitType]:
    units = []
    for id, count in counts.items():
        units += [catalog.units[id]] * count
    return units


class Stand(NamedTuple):
    """A group in a cell, in cover or not: where it is, or where it would be. ``spot``: the exact
    place, known of what stands on a mark of the map."""

    group: GroupKnown
    cell: GroundCell
    cover: bool = False
    spot: Point | None = None

    @property
    def place(self) -> Point:
        """Where the group is, in table inches: its spot, or the middle of its cell where no more is
        known."""
        return self.spot or self.cell.middle

    def beside(self, other: Stand) -> Stand:
        """The same group in the cell of another one, in the open, and no longer on its own mark of
        the map: where the other has a spot, it is there."""
        return self._replace(cell=other.cell, cover=False, spot=other.spot)


class Situation(msgspec.Struct, frozen=True):
    """The stands of both sides, as one side knows them: its ``own`` and the ``enemies``."""

    own: tuple[Stand, ...]
    enemies: tuple[Stand, ...]

    def after(self, *moved: Stand) -> Situation:
        """The situation in which these groups of the side stand elsewhere, all others as now."""
        new_stands = {stand.group.id: stand for stand in moved}
        own = tuple(new_stands.get(stand.group.id, stand) for stand in self.own)
        return msgspec.structs.replace(self, own=own)

    def own_stand(self, group: str) -> Stand:
        """Where a group of the side stands. Raises KeyError for one that it has not."""
        return {stand.group.id: stand for stand in self.own}[group]
