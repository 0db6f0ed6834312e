"""Points worth: how many points of the enemy a unit kills for each point of its price, firing once
with each weapon in one phase."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

import msgspec

from skirmish.games.plastic.odds.pack import Firer, firer, fresh
from skirmish.games.plastic.odds.volley import volley
from skirmish.games.plastic.rules.army import price_of
from skirmish.games.plastic.rules.catalog import Catalog, Nation, UnitType, plural
from skirmish.games.plastic.rules.firing_table import NONE
from skirmish.games.plastic.rules.shot import Circumstances, Shot, aim, why_not
from skirmish.tabletop.measure import inches
from skirmish.tabletop.page import Page, Paragraph, Table, table

TARGETS = ("rifle", "truck", "tank")
GROUP = 5

ASSUMED = (
    "Points killed on average for each point of the shooter's price: one phase, each weapon once, "
    "from a fresh deck, at {targets}, in the open and from the front, {group} close together, so "
    "that repeat fire goes on until it misses or has no new target."
)


class DistanceBand(msgspec.Struct, frozen=True):
    """Beyond ``above``, up to ``reach`` inches; both 0 in contact."""

    above: int
    reach: int

    @property
    def at(self) -> Circumstances:
        if not self.reach:
            return Circumstances(touching=True, phase=3)
        return Circumstances(distance=self.reach)


class Worth(msgspec.Struct, frozen=True):
    """By band and target; 0 where it may not fire."""

    unit: UnitType
    price: int
    points: dict[tuple[DistanceBand, str], Fraction]

    def against(self, target: str) -> list[Fraction]:
        return [points for (_, name), points in self.points.items() if name == target]


class WorthTable(msgspec.Struct, frozen=True):
    bands: tuple[DistanceBand, ...]
    targets: tuple[UnitType, ...]
    lines: tuple[Worth, ...]

    @property
    def assumed(self) -> str:
        targets = ", ".join(f"{unit.name}s ({unit.price})" for unit in self.targets)
        return ASSUMED.format(targets=" or ".join(targets.rsplit(", ", 1)), group=GROUP)


def worth(catalog: Catalog, rulings: Mapping[str, str], nation: Nation | None = None) -> WorthTable:
    units = [unit for unit in catalog.units.values() if unit.shelf != "scenario" and unit.price]
    units = [unit for unit in units if catalog.weapons_of(unit, rulings)]
    targets = tuple(catalog.units[name] for name in TARGETS)
    reaches = {
        kill.range or weapon.range
        for unit in units
        for weapon in catalog.weapons_of(unit, rulings)
        for kill in (weapon.guys, weapon.unarmored, weapon.armored)
        if kill
    }
    ends = [0, *sorted(reaches)]
    bands = [DistanceBand(0, 0), *(DistanceBand(*between) for between in pairwise(ends))]

    @cache
    def kills(firing: tuple[Firer, ...]) -> Fraction:
        return volley(firing, [GROUP], fresh(rulings)).expected() if firing else Fraction(0)

    def firing(unit: UnitType, target: UnitType, at: Circumstances) -> Iterator[Firer]:
        for weapon in catalog.weapons_of(unit, rulings):
            shot = Shot(shooter=unit, weapon=weapon, target=target, at=at, nation=nation)
            if why_not(shot, catalog, rulings) is None:
                yield firer(aim(shot, catalog, rulings))

    lines = []
    for unit in units:
        price = price_of(unit, nation, rulings)
        points = {
            (band, target.id): kills((*firing(unit, target, band.at),)) * target.price / price
            for band in bands
            for target in targets
        }
        lines.append(Worth(unit, price, points))
    return WorthTable(tuple(bands), targets, tuple(lines))


def worth_words(points: Fraction, *, narrow: bool = False) -> str:
    """``0.42``, ``<0.01``; ``narrow``: ``.42``, ``6.7``."""
    if not points:
        return NONE
    digits = 1 if narrow and points >= 1 else 2
    least = Fraction(1, 10**digits)
    if points < least / 2:
        return f"<{worth_words(least, narrow=narrow)}"
    whole, rest = divmod((points / least + Fraction(1, 2)) // 1, 10**digits)
    shown = f"{whole}.{rest:0{digits}}"
    return shown.removeprefix("0") if narrow else shown


def worth_table(found: WorthTable, target: str, own: Container[str] = ()) -> Table:
    """Who can never hurt the target is left out; one's ``own`` units are marked."""
    name = next(unit.name for unit in found.targets if unit.id == target)
    titles = (f"At {plural(name)}", "Pts", *(inches(band.reach) for band in found.bands))
    rows = [
        (
            f"{line.unit.short} *" if line.unit.id in own else line.unit.short,
            str(line.price),
            *map(worth_words, line.against(target)),
        )
        for line in found.lines
        if any(line.against(target))
    ]
    return table(titles, rows, numbers=range(1, len(titles)))


def worth_page(found: WorthTable, own: Container[str] = ()) -> Page:
    tables = (worth_table(found, target.id, own) for target in found.targets)
    worth_words = f"{found.assumed} Columns: up to that distance; 0 is contact."
    worth_words += " * is in this army." if own else ""
    return Page("Points worth", (Paragraph(worth_words), *tables))


def worth_data(found: WorthTable) -> dict[str, Any]:
    """Bands in inches, both 0 in contact; what may not fire is 0."""
    bands = [{"above": band.above, "reach": band.reach} for band in found.bands]
    return {
        "assumed": found.assumed,
        "bands": bands,
        "targets": [unit.id for unit in found.targets],
        "units": {
            line.unit.id: {
                "price": line.price,
                **{unit.id: [str(n) for n in line.against(unit.id)] for unit in found.targets},
            }
            for line in found.lines
        },
    }


def worth_records(found: WorthTable) -> list[dict[str, Any]]:
    return [
        {"unit": line.unit.id, "price": line.price, "target": target, "above": band.above,
         "reach": band.reach, "worth": points}
        for line in found.lines
        for (band, target), points in line.points.items()
    ]  # fmt: skip
