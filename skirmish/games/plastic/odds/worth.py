"""Points worth: how many enemy points a unit kills for each point of its price, firing once with
each weapon in one phase."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

import msgspec

from skirmish.games.plastic.odds.pack import Firer, firer_of, fresh
from skirmish.games.plastic.odds.rounding import hundredths
from skirmish.games.plastic.odds.volley import volley
from skirmish.games.plastic.rules.army import price_of
from skirmish.games.plastic.rules.catalog import Catalog, Nation, UnitType, plural
from skirmish.games.plastic.rules.firing_table import NONE
from skirmish.games.plastic.rules.shot import Circumstances, Shot, aim, why_not
from skirmish.tabletop.measure import inches
from skirmish.tabletop.page import Page, Paragraph, Table, table

GUY, UNARMORED, ARMORED = "rifle", "truck", "tank"
TARGETS = (GUY, UNARMORED, ARMORED)
"""The ids of one target of each kind: a guy, an unarmored and an armored model."""
GROUP_SIZE = 5
"""How many targets stand close together, in reach of repeat fire."""

ASSUMED = (
    "Points killed on average for each point of the shooter's price: one phase, each weapon once, "
    "from a fresh deck, at {targets}, in the open and from the front, {group} close together, so "
    "that repeat fire goes on until it misses or has no new target."
)
"""The circumstances that the numbers hold for."""


class Worth(msgspec.Struct, frozen=True):
    """What the fire of a unit is worth."""

    unit: UnitType
    price: int
    points: dict[str, list[Fraction]]
    """The points worth at each of the table's bands of distance, by the id of the target; 0 for a
    forbidden shot."""


class DistanceBand(NamedTuple):
    """Distances over which the worth of fire does not change: those of more than ``above`` inches,
    up to ``reach`` inches. Both are 0 in contact."""

    above: int
    reach: int


class WorthTable(msgspec.Struct, frozen=True):
    """What the fire of units is worth, by distance."""

    bands: list[DistanceBand]
    targets: tuple[UnitType, ...]
    lines: tuple[Worth, ...]
    """One line for each unit."""

    @property
    def assumed(self) -> str:
        """The circumstances that the numbers hold for, as a sentence."""
        *first, last = [f"{plural(unit.name)} ({unit.price})" for unit in self.targets]
        return ASSUMED.format(targets=f"{', '.join(first)} or {last}", group=GROUP_SIZE)


def worth(catalog: Catalog, rulings: Mapping[str, str], nation: Nation | None = None) -> WorthTable:
    """The worth of all units that can be bought and fire, at the prices of this nation."""
    kills = _KillsOnAverage(catalog, rulings, nation)
    units = _buyable_shooters(catalog, rulings, nation)
    targets = tuple(catalog.units[name] for name in TARGETS)
    bands = _bands(units, catalog, rulings)
    lines = []
    for unit in units:
        price = price_of(unit, nation, rulings)
        points: dict[str, list[Fraction]] = {}
        for target in targets:
            killed = [kills.expected(unit, target, band.reach) for band in bands]
            points[target.id] = [count * target.price / price for count in killed]
        lines.append(Worth(unit, price, points))
    return WorthTable(bands, targets, tuple(lines))


def _buyable_shooters(
    catalog: Catalog, rulings: Mapping[str, str], nation: Nation | None
) -> list[UnitType]:
    """The units that this nation can buy for points and that fire."""
    shooters = []
    for unit in catalog.units.values():
        has_price = price_of(unit, nation, rulings) > 0
        buyable = unit.source != "scenario" and has_price
        if buyable and catalog.weapons_of(unit, rulings):
            shooters.append(unit)
    return shooters


def _bands(
    units: Iterable[UnitType], catalog: Catalog, rulings: Mapping[str, str]
) -> list[DistanceBand]:
    """The bands of distances: contact, then from each range of a weapon to the next."""
    reaches = set()
    for unit in units:
        for weapon in catalog.weapons_of(unit, rulings):
            for kill in (weapon.guys, weapon.unarmored, weapon.armored):
                if kill is None:
                    continue
                # A weapon may have another reach at one kind of target.
                reach = weapon.range
                if kill.range:
                    reach = kill.range
                reaches.add(reach)
    bands = [DistanceBand(0, 0)]
    for above, reach in pairwise([0, *sorted(reaches)]):
        bands.append(DistanceBand(above, reach))
    return bands


class _KillsOnAverage:
    """How many a unit kills on average in a group of ``GROUP_SIZE``, from a fresh deck. Those of
    equal volleys are worked out once."""

    def __init__(self, catalog: Catalog, rulings: Mapping[str, str], nation: Nation | None) -> None:
        self.catalog = catalog
        self.rulings = rulings
        self.nation = nation
        self._kills: dict[tuple[Firer, ...], Fraction] = {}

    def expected(self, unit: UnitType, target: UnitType, reach: int) -> Fraction:
        """How many of the target a unit kills on average with all of its weapons that may fire at
        it; ``reach`` is the distance in inches, 0 in contact."""
        # In contact a unit fights in phase 3; from farther away it fires in phase 2.
        is_contact = reach == 0
        phase = 2
        if is_contact:
            phase = 3
        in_the_open = Circumstances(distance=reach, touching=is_contact, phase=phase)
        firers = []
        for weapon in self.catalog.weapons_of(unit, self.rulings):
            shot = Shot(
                shooter=unit,
                weapon=weapon,
                target=target,
                circumstances=in_the_open,
                nation=self.nation,
            )
            if why_not(shot, self.catalog, self.rulings) is None:
                firers.append(firer_of(aim(shot, self.catalog, self.rulings)))
        return self._of_volley(tuple(firers))

    def _of_volley(self, firers: tuple[Firer, ...]) -> Fraction:
        """How many such a volley kills on average."""
        if not firers:
            return Fraction(0)
        if firers not in self._kills:
            outcome = volley(firers, [GROUP_SIZE], fresh(self.rulings))
            self._kills[firers] = outcome.expected()
        return self._kills[firers]


def worth_words(points: Fraction) -> str:
    """``0.42``, ``<0.01`` for next to nothing, or the sign for nothing at all."""
    if not points:
        return NONE
    # Half a hundredth is the least that is rounded up to ``0.01``.
    if points < Fraction(1, 200):
        return "<0.01"
    return hundredths(points)


def worth_table(worths: WorthTable, target: str, own: Collection[str] = ()) -> Table:
    """The table for one target, by its id. Units that can never hurt it are left out; the ``own``
    units of the player are marked."""
    name = next(unit.name for unit in worths.targets if unit.id == target)
    titles = (f"At {plural(name)}", "Pts", *(inches(band.reach) for band in worths.bands))
    rows = []
    for line in worths.lines:
        if not any(line.points[target]):
            continue
        shooter = line.unit.short
        if line.unit.id in own:
            shooter = f"{shooter} *"
        rows.append((shooter, str(line.price), *map(worth_words, line.points[target])))
    return table(titles, rows, numbers=range(1, len(titles)))


def worth_page(worths: WorthTable, own: Collection[str] = ()) -> Page:
    """A table for each target, below what is assumed."""
    tables = [worth_table(worths, target.id, own) for target in worths.targets]
    text = f"{worths.assumed} Columns: up to that distance; 0 is contact."
    if own:
        text += " * is in this army."
    return Page("Points worth", (Paragraph(text), *tables))


def worth_data(worths: WorthTable) -> dict[str, Any]:
    """The table as data for other programs. Bands are in inches, points worth are fractions as
    text."""
    units: dict[str, dict[str, Any]] = {}
    for line in worths.lines:
        units[line.unit.id] = {"price": line.price}
        for target, points in line.points.items():
            units[line.unit.id][target] = [str(number) for number in points]
    return {
        "assumed": worths.assumed,
        "bands": [{"above": band.above, "reach": band.reach} for band in worths.bands],
        "targets": [unit.id for unit in worths.targets],
        "units": units,
    }


def worth_records(worths: WorthTable) -> list[dict[str, Any]]:
    """The table as rows of a spreadsheet, one for each unit, band and target, with the same
    fractions as text as in ``worth_data``. People's spreadsheets rely on the keys."""
    records = []
    for line in worths.lines:
        for index, band in enumerate(worths.bands):
            for target in worths.targets:
                record = {
                    "unit": line.unit.id,
                    "price": line.price,
                    "target": target.id,
                    "above": band.above,
                    "reach": band.reach,
                    "worth": str(line.points[target.id][index]),
                }
                records.append(record)
    return records
