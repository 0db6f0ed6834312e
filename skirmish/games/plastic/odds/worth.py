"""Points worth: the enemy points a unit kills per point of its price, firing once with each weapon
in one phase."""

from __future__ import annotations

from collections.abc import Container, Mapping
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

import msgspec

from skirmish.games.plastic.odds.pack import Firer, firer, fresh
from skirmish.games.plastic.odds.rounding import hundredths
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


class Worth(msgspec.Struct, frozen=True):
    """``points`` by target, for each of the table's distances; 0 for a forbidden shot."""

    unit: UnitType
    price: int
    points: dict[str, list[Fraction]]


class WorthTable(msgspec.Struct, frozen=True):
    """``bands`` in inches: above the first, up to the second; both 0 in contact."""

    bands: list[tuple[int, int]]
    targets: tuple[UnitType, ...]
    lines: tuple[Worth, ...]

    @property
    def assumed(self) -> str:
        targets = ", ".join(f"{unit.name}s ({unit.price})" for unit in self.targets)
        return ASSUMED.format(targets=" or ".join(targets.rsplit(", ", 1)), group=GROUP)


def worth(catalog: Catalog, rulings: Mapping[str, str], nation: Nation | None = None) -> WorthTable:
    units = [unit for unit in catalog.units.values() if unit.source != "scenario" and unit.price]
    units = [unit for unit in units if catalog.weapons_of(unit, rulings)]
    targets = tuple(catalog.units[name] for name in TARGETS)
    reaches = {
        kill.range or weapon.range
        for unit in units
        for weapon in catalog.weapons_of(unit, rulings)
        for kill in (weapon.guys, weapon.unarmored, weapon.armored)
        if kill
    }
    bands = [(0, 0), *pairwise([0, *sorted(reaches)])]

    @cache
    def kills(firing: tuple[Firer, ...]) -> Fraction:
        return volley(firing, [GROUP], fresh(rulings)).expected() if firing else Fraction(0)

    def expected(unit: UnitType, target: UnitType, reach: int) -> Fraction:
        at = Circumstances(distance=reach, touching=not reach, phase=2 if reach else 3)
        shots = [
            Shot(shooter=unit, weapon=weapon, target=target, at=at, nation=nation)
            for weapon in catalog.weapons_of(unit, rulings)
        ]
        fired = (shot for shot in shots if why_not(shot, catalog, rulings) is None)
        return kills(tuple(firer(aim(shot, catalog, rulings)) for shot in fired))

    lines = []
    for unit in units:
        price = price_of(unit, nation, rulings)
        points = {
            target.id: [expected(unit, target, reach) * target.price / price for _, reach in bands]
            for target in targets
        }
        lines.append(Worth(unit, price, points))
    return WorthTable(bands, targets, tuple(lines))


def worth_words(points: Fraction) -> str:
    """``0.42``, ``<0.01``"""
    if not points:
        return NONE
    return hundredths(points) if points >= Fraction(1, 200) else "<0.01"


def worth_table(found: WorthTable, target: str, own: Container[str] = ()) -> Table:
    """Units that can never hurt the target are left out; the player's ``own`` units are marked."""
    name = next(unit.name for unit in found.targets if unit.id == target)
    titles = (f"At {plural(name)}", "Pts", *(inches(reach) for _, reach in found.bands))
    rows = [
        (
            f"{line.unit.short} *" if line.unit.id in own else line.unit.short,
            str(line.price),
            *map(worth_words, line.points[target]),
        )
        for line in found.lines
        if any(line.points[target])
    ]
    return table(titles, rows, numbers=range(1, len(titles)))


def worth_page(found: WorthTable, own: Container[str] = ()) -> Page:
    tables = (worth_table(found, target.id, own) for target in found.targets)
    worth_words = f"{found.assumed} Columns: up to that distance; 0 is contact."
    worth_words += " * is in this army." if own else ""
    return Page("Points worth", (Paragraph(worth_words), *tables))


def worth_data(found: WorthTable) -> dict[str, Any]:
    """Bands in inches, both 0 in contact; forbidden shots are 0."""
    return {
        "assumed": found.assumed,
        "bands": [{"above": above, "reach": reach} for above, reach in found.bands],
        "targets": [unit.id for unit in found.targets],
        "units": {
            line.unit.id: {
                "price": line.price,
                **{target: [*map(str, points)] for target, points in line.points.items()},
            }
            for line in found.lines
        },
    }


def worth_records(found: WorthTable) -> list[dict[str, Any]]:
    return [
        {"unit": line.unit.id, "price": line.price, "target": target.id, "above": above,
         "reach": reach, "worth": line.points[target.id][at]}
        for line in found.lines
        for at, (above, reach) in enumerate(found.bands)
        for target in found.targets
    ]  # fmt: skip
