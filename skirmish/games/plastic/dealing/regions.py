"""The regions of dealt battles as data (docs/theme-format.md), and which units were there."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Annotated, Any, Literal, TypeAlias

import msgspec

from skirmish.games.plastic.dealing.themes import CodeNumber, Percent, Text, Texts
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.tabletop.battlefield import Ground
from skirmish.tabletop.data_file import (
    DataError,
    Problem,
    Refers,
    Strict,
    key_of_part,
    read,
    resolved,
    suggest,
)

MONTH_FORM = r"^19[34]\d-(0[1-9]|1[0-2])\Z"
Month = Annotated[str, msgspec.Meta(pattern=MONTH_FORM)]
"""``1944-06``: months compare as texts do."""
Percents: TypeAlias = tuple[Percent, Percent]
"""The least and the most, in percent."""
NationId = Annotated[str, Refers("nation")]
UnitId = Annotated[str, Refers("unit")]
KindId = Annotated[str, Refers("kind")]
"""A kind of units, as in ``kinds`` of the file."""


class Region(Strict, frozen=True, kw_only=True):
    """Where battles are fought from a ``first`` month to a ``last`` one."""

    id: Text
    number: CodeNumber
    name: Text
    ground: Ground
    first: Month = msgspec.field(name="from")
    last: Month = msgspec.field(name="to")
    nations: Annotated[tuple[NationId, ...], msgspec.Meta(min_length=2)]
    """Those that fight there, the first against any other."""
    since: dict[NationId, Month] = msgspec.field(default_factory=dict)
    """The first month of each nation that came later than the ``first`` month of all."""
    cover: Percents
    """How much of a table is cover."""
    without: tuple[Text, ...] = ()
    """The themes that are not dealt there."""
    woods: Literal["woods", "orchard", "rough"]
    """What is laid there for woods."""
    villages: Texts = msgspec.field(name="village")
    """The seed chooses the name of the village from these, and those of the water and the height
    from the next two."""
    waters: Texts = msgspec.field(name="water")
    heights: Texts = msgspec.field(name="height")
    towns: Annotated[tuple[Text, ...], msgspec.Meta(min_length=2)] = msgspec.field(name="town")
    """The seed chooses two of these, for where the main road leads at either end."""

    @property
    def is_desert(self) -> bool:
        """Whether its ground is that of a desert."""
        return self.ground == "desert"

    def first_month_of(self, nation: str) -> str:
        """The first month in which a nation fights there."""
        return self.since.get(nation, self.first)


class Availability(msgspec.Struct, frozen=True):
    """When a unit existed, and who had it."""

    unit: str
    since: Mapping[str, str]
    """The first month in which a nation had it, by nation; the others never had it."""
    to: str = ""
    """The last month in which anybody had it; empty: the last of the war."""
    region: str = ""
    """The only region where it was in use; empty: all of them."""

    def was_there(self, nation: str, month: str, region: str) -> bool:
        """Whether the nation had it there, in that month."""
        if self.region and region != self.region:
            return False
        if self.to and month > self.to:
            return False
        since = self.since.get(nation)
        return since is not None and since <= month


class Regions(msgspec.Struct, frozen=True):
    """All regions, and what forces were made of in them."""

    regions: Mapping[str, Region]
    """By id."""
    availability: Mapping[str, Availability]
    """By unit; a unit that is not in it was always there, and everywhere."""
    arms: Mapping[str, Mapping[str, int]]
    """How a force is made up, by its arm such as infantry: the percent of its points for each kind
    of units."""
    kinds: Mapping[str, tuple[str, ...]]
    """The units of each kind."""

    def had(self, unit: str, nation: str, month: str, region: str) -> bool:
        """Whether a nation had the unit in a region, in that month."""
        availability = self.availability.get(unit)
        if availability is None:
            return True
        return availability.was_there(nation, month, region)


class _RegionFile(Strict, frozen=True, kw_only=True):
    """The file ``regions.toml``. A row of ``had`` says when a unit existed, and who had it: its
    keys are ``unit``, ``to`` and ``region``, and the nations that had it."""

    format: Literal[1]
    regions: tuple[Region, ...] = msgspec.field(name="region")
    had: tuple[dict[str, str], ...]
    arms: dict[str, dict[KindId, Percent]]
    kinds: dict[str, tuple[UnitId, ...]]


def read_regions(raw: Mapping[str, Any], catalog: Catalog, file: str) -> Regions:
    """The regions of a file, with what forces were made of in them. Raises DataError."""
    unresolved = read(raw, _RegionFile, file)
    table = resolved(
        unresolved, file, unit=catalog.units, nation=catalog.nations, kind=unresolved.kinds
    )
    regions = {region.id: region for region in table.regions}
    problems = list(_had_problems(table.had, catalog, regions))
    if problems:
        raise DataError(file, problems)
    availability = {}
    for row in table.had:
        # A row has its nations beside the other keys, each with a month: american = "1942-11".
        since = {key: month for key, month in row.items() if key in catalog.nations}
        availability[row["unit"]] = Availability(
            row["unit"], since, to=row.get("to", ""), region=row.get("region", "")
        )
    return Regions(regions, availability, table.arms, table.kinds)


def _had_problems(
    rows: Iterable[Mapping[str, str]], catalog: Catalog, regions: Collection[str]
) -> Iterator[Problem]:
    """The problems of all rows of ``had``: each must be right in itself and have a unit of its
    own."""
    units_before: set[str] = set()
    for index, row in enumerate(rows):
        key = f"had[{index}]"
        yield from _row_problems(key, row, catalog, regions)
        unit = row.get("unit", "")
        if unit in units_before:
            yield Problem(key_of_part(key, "unit"), f"{unit!r} stands there twice.")
        units_before.add(unit)


def _row_problems(
    key: str, row: Mapping[str, str], catalog: Catalog, regions: Collection[str]
) -> Iterator[Problem]:
    """The problems of a row of ``had`` that stands at this key: its unit must exist, and its region
    if it has one; its other keys must be ``to`` or nations, each with a month."""
    unit = row.get("unit", "")
    if unit not in catalog.units:
        hint = suggest(unit, catalog.units)
        yield Problem(key_of_part(key, "unit"), f"{unit!r} is not possible here; {hint}")
    region = row.get("region", "")
    if region and region not in regions:
        hint = suggest(region, regions)
        yield Problem(key_of_part(key, "region"), f"{region!r} is not possible here; {hint}")
    for name, month in row.items():
        if name in ("unit", "region"):
            continue
        if name != "to" and name not in catalog.nations:
            hint = suggest(name, catalog.nations)
            yield Problem(key_of_part(key, name), f"no nation {name!r}; {hint}")
        elif not re.match(MONTH_FORM, month):
            yield Problem(key_of_part(key, name), f"{month!r} is not a month such as 1944-06.")
