"""A campaign as a file: its ladder of rungs, and the groups of men of both sides
(``data/plastic/campaigns/*.toml``, docs/campaign-format.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, TypeAlias

import msgspec

from skirmish.games.plastic.rules.army import (
    LONGEST_GROUP,
    MOST_GROUPS,
    ArmyList,
    Count,
    muster,
)
from skirmish.games.plastic.rules.breaches import gauges
from skirmish.games.plastic.rules.catalog import Catalog, NationId, QualityId, UnitId, WorkId
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.games.plastic.scenarios.order_of_battle import Id
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.tabletop.data_file import Problem, doubles, read, suggest

FEWEST_RUNGS, MOST_RUNGS = 5, 7
"""The numbers of rungs that a ladder may have are only these two: with an odd number there is one
in the middle. A ladder of three rungs leaves the loser of the first battle too little hope: he won
24 % of 20,000 simulated campaigns, and 32 % of those on five rungs."""
LONGEST_TEXT = 2000
LONGEST_TITLE = 60
"""The most characters of a text and of a title."""
POOL = 240
"""The points with which a side usually buys its groups."""
USUAL_ALLOWANCE = 200
"""The points that a side may bring to a free battle, by default."""
Side: TypeAlias = str
"""The id of a side of a campaign."""
Line = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_TITLE)]
Text = Annotated[str, msgspec.Meta(max_length=LONGEST_TEXT)]
Points = Annotated[int, msgspec.Meta(ge=0, le=10_000)]
Inches = Annotated[int, msgspec.Meta(ge=24, le=240)]


class GroupFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A named group of men and models at the start."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_GROUP)]
    units: dict[UnitId, Count]
    nation: NationId | None = None
    """None: that of its side."""
    quality: QualityId = "regular"
    front: str = ""
    """The only front on which it fights; empty: it fights on any."""
    enters: Annotated[int, msgspec.Meta(ge=1, le=99)] = 1
    """The number of the first battle to which it can come."""


class SideFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A side; the first one of the file pushes the marker up. ``name`` is needed where its groups
    are of several nations, ``goal`` is a sentence. ``overrides``: purchase limits that its groups
    break, with the reason for each."""

    id: Id
    nation: NationId | None = None
    name: str = ""
    goal: Text = ""
    groups: Annotated[tuple[GroupFile, ...], msgspec.Meta(max_length=MOST_GROUPS)] = msgspec.field(
        default=(), name="group"
    )
    overrides: dict[str, str] = {}

    @property
    def nations(self) -> set[str]:
        """The nations whose lists in scenarios this side fills."""
        nations = {group.nation for group in self.groups} | {self.nation}
        return {nation for nation in nations if nation}


class Rung(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A rung of the ladder: what is fought while the marker stands there."""

    place: int = 0
    """The place of the rung, counted from the middle, upwards for the first side."""
    first: Annotated[int, msgspec.Meta(ge=0, le=9)] = 0
    """The number of a battle that is fought before the ladder; 0 for a rung of the ladder."""
    title: str = ""
    scenario: int | str = 0
    """The scenario that is fought, by number or id; without one it is a free battle."""
    attacker: str = ""
    """The side that sets up and moves first in a free battle; empty, as in the middle: it is drawn
    for."""
    ground: Text = ""
    text: Text = ""
    moves: Annotated[int, msgspec.Meta(ge=0, le=2)] = 1
    """By how many rungs its winner moves the marker; 0 for a raid."""
    points: Points = 0
    """Extra points for the winner."""
    prize: Points = 0
    """Extra points of replacements for the winner."""
    attached: bool = False
    """Whether nobody of the groups fights there, but only men who are attached."""
    front: str = ""
    """The front whose groups fight there, and no others; empty: all groups may fight."""
    works: dict[WorkId, Count] = {}
    allow: Points = 0
    """The allowance of a free battle; 0: that of the campaign."""
    table: tuple[Inches, Inches] | None = None
    """The width and the depth of the table in inches; None: those of the campaign."""


class CampaignFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A campaign, as its file has it."""

    format: Literal[1]
    id: Id
    title: Line
    rungs: tuple[Rung, ...] = msgspec.field(name="rung")
    sides: tuple[SideFile, ...] = msgspec.field(name="side")
    history: Text = ""
    last_battle: Annotated[int, msgspec.Meta(ge=1, le=15)] = 7
    level: str = ""
    """The side that has won where marker and points are level."""
    pool: Points = 0
    """The points for which both sides buy, without groups of their own."""
    preset: str = "usual"
    """The preset of the rulings of campaigns that is proposed: ``usual``, ``kind`` or
    ``bloody``."""
    replacements: Points = 0
    """The points for each side after a battle; 0: as the ruling says."""
    points_to_win: Points = 0
    """The points with which a side wins the campaign at once; 0: no number of points does that."""
    allow: Points = USUAL_ALLOWANCE
    """The points that a side may bring to a free battle."""
    table: tuple[Inches, Inches] = (96, 60)
    """The width and the depth of the table of a free battle."""
    sources: tuple[str, ...] = ()

    @property
    def ladder(self) -> tuple[Rung, ...]:
        """The rungs from the lowest to the highest, without the battles before the ladder."""
        rungs = [rung for rung in self.rungs if not rung.first]
        return tuple(sorted(rungs, key=lambda rung: rung.place))

    @property
    def top(self) -> int:
        """The place of the highest rung; the lowest is as far below the middle."""
        return len(self.ladder) // 2

    def rung_of(self, battle: int, marker: int) -> Rung:
        """What is fought as the battle of that number if the marker stands at that place."""
        for rung in self.rungs:
            if rung.first == battle:
                return rung
        # If an earlier battle is counted again, the marker may be beyond an end of the ladder while
        # another battle is fought.
        place = max(-self.top, min(self.top, marker))
        return next(rung for rung in self.ladder if rung.place == place)

    def allowance(self, rung: Rung) -> int:
        """The points that a side may bring there."""
        return rung.allow or self.allow


def read_campaign(
    raw: Mapping[str, Any],
    catalog: Catalog,
    book: PlasticRulingBook,
    scenarios: Mapping[int, Scenario],
    file: str,
) -> CampaignFile:
    """The campaign of a file. Raises DataError with everything that is wrong."""

    def problems(content: CampaignFile) -> Iterator[Problem]:
        yield from _problems(content, catalog, scenarios)
        for index, side in enumerate(content.sides):
            yield from _limit_problems(f"side[{index}]", side, content, catalog, book)

    return read(raw, CampaignFile, file, problems)


def scenario_of(rung: Rung, scenarios: Mapping[int, Scenario]) -> Scenario | None:
    """The scenario of a rung, by its number or by its id; None if there is none."""
    if not rung.scenario:
        return None
    for number, scenario in scenarios.items():
        if rung.scenario in (number, scenario.id):
            return scenario
    return None


def _problems(
    campaign: CampaignFile, catalog: Catalog, scenarios: Mapping[int, Scenario]
) -> Iterator[Problem]:
    """All that is wrong with a file of the right form, except for broken limits of armies."""
    yield from _ladder_problems(campaign)
    if campaign.last_battle % 2 == 0:
        yield Problem("last_battle", "is even; an odd one cannot end level as often.")
    if len(campaign.sides) != 2:
        yield Problem("side", f"a campaign has two sides; these are {len(campaign.sides)}.")
        return
    side_ids = [side.id for side in campaign.sides]
    yield from doubles("side", side_ids)
    if campaign.level and campaign.level not in side_ids:
        yield Problem("level", f"no side {campaign.level!r}; {suggest(campaign.level, side_ids)}")
    for index, side in enumerate(campaign.sides):
        yield from _side_problems(f"side[{index}]", side, campaign, catalog)
    for index, rung in enumerate(campaign.rungs):
        yield from _rung_problems(f"rung[{index}]", rung, campaign, catalog, scenarios)


def _ladder_problems(campaign: CampaignFile) -> Iterator[Problem]:
    """Wrong numbers and places of rungs: there must be one for each place, as many above the middle
    as below it."""
    places = [rung.place for rung in campaign.ladder]
    if len(places) not in (FEWEST_RUNGS, MOST_RUNGS):
        text = f"a ladder has {FEWEST_RUNGS} or {MOST_RUNGS} rungs; this one has {len(places)}."
        yield Problem("rung", text)
        return
    wanted = list(range(-campaign.top, campaign.top + 1))
    if places != wanted:
        text = f"the places of the rungs are {wanted[0]} to {wanted[-1]}, each once; not {places}."
        yield Problem("rung", text)
    before_ladder = sorted(rung.first for rung in campaign.rungs if rung.first)
    if before_ladder != list(range(1, len(before_ladder) + 1)):
        yield Problem("rung", "the battles before the ladder are numbered from 1 without a gap.")


def _side_problems(
    key: str, side: SideFile, campaign: CampaignFile, catalog: Catalog
) -> Iterator[Problem]:
    """A side with an unknown nation, without groups, or with two groups of the same name."""
    if side.nation is not None and side.nation not in catalog.nations:
        yield _unknown(f"{key}.nation", "nation", side.nation, catalog.nations)
    if not side.groups and not campaign.pool:
        yield Problem(key, "has no group, and the campaign has no pool to buy some with.")
    names = Counter(group.name for group in side.groups)
    for name, count in names.items():
        if count > 1:
            yield Problem(f"{key}.group", f"{count} groups are called {name!r}.")
    for number, group in enumerate(side.groups):
        yield from _group_problems(f"{key}.group[{number}]", group, catalog)


def _group_problems(key: str, group: GroupFile, catalog: Catalog) -> Iterator[Problem]:
    """A group without units, or with an unknown unit, nation or quality."""
    if group.nation is not None and group.nation not in catalog.nations:
        yield _unknown(f"{key}.nation", "nation", group.nation, catalog.nations)
    if group.quality not in catalog.qualities:
        yield _unknown(f"{key}.quality", "force quality", group.quality, catalog.qualities)
    if not any(group.units.values()):
        yield Problem(f"{key}.units", "is empty; a group has men or models.")
    for unit in group.units:
        if unit not in catalog.units:
            yield _unknown(f"{key}.units.{unit}", "unit", unit, catalog.units)
        elif not may_be_in_pool(unit, catalog):
            name = catalog.units[unit].name
            text = f"{name}: works, craft and aircraft are attached to a battle, never owned."
            yield Problem(f"{key}.units.{unit}", text)


def _limit_problems(
    key: str,
    side: SideFile,
    campaign: CampaignFile,
    catalog: Catalog,
    book: PlasticRulingBook,
) -> Iterator[Problem]:
    """Broken limits: the groups of a side together are bought like an army of so many points, so
    they must keep its limits, unless the file says why they do not."""
    units: Counter[str] = Counter()
    for group in side.groups:
        for unit, count in group.units.items():
            # Unknown units are reported with their group.
            if unit in catalog.units:
                units[unit] += count
    if not units or side.nation not in (None, *catalog.nations):
        return
    nation = None
    if side.nation:
        nation = catalog.nations[side.nation]
    if nation is not None and nation.free is not None:
        # Free men are not bought: with one free man for every five, one in six is free.
        free_unit = nation.free.unit
        units[free_unit] -= units[free_unit] // (nation.free.per + 1)
    army_list = ArmyList(
        name=side.id,
        points=campaign.pool or POOL,
        nation=side.nation,
        units=dict(units),
        overrides=side.overrides,
    )
    for gauge in gauges(muster(army_list, catalog, book)):
        if gauge.state == "broken":
            text = f"{gauge.message} Say why under overrides.{gauge.limit.id}, or change a group."
            yield Problem(f"{key}.group", text)


def may_be_in_pool(unit: str, catalog: Catalog) -> bool:
    """Whether a side can own a unit; pillboxes, craft and aircraft can only be attached."""
    piece = catalog.units[unit]
    return piece.is_guy or "cannon" in piece.tags or "vehicle" in piece.tags


def _rung_problems(
    key: str,
    rung: Rung,
    campaign: CampaignFile,
    catalog: Catalog,
    scenarios: Mapping[int, Scenario],
) -> Iterator[Problem]:
    """A rung with an unknown attacker, work, front or scenario, or without a title."""
    side_ids = [side.id for side in campaign.sides]
    if rung.attacker and rung.attacker not in side_ids:
        text = f"no side {rung.attacker!r}; {suggest(rung.attacker, side_ids)}"
        yield Problem(f"{key}.attacker", text)
    for work in rung.works:
        if work not in catalog.works:
            yield _unknown(f"{key}.works.{work}", "work", work, catalog.works)
    fronts: set[str] = set()
    for side in campaign.sides:
        fronts.update(group.front for group in side.groups)
    if rung.front and rung.front not in fronts:
        yield Problem(f"{key}.front", f"no group belongs to the front {rung.front!r}.")
    if rung.scenario:
        yield from _scenario_problems(key, rung, campaign, catalog, scenarios)
    elif not rung.title:
        yield Problem(f"{key}.title", "is missing; a free battle needs one.")


def _scenario_problems(
    key: str,
    rung: Rung,
    campaign: CampaignFile,
    catalog: Catalog,
    scenarios: Mapping[int, Scenario],
) -> Iterator[Problem]:
    """An unknown scenario of a rung, or one whose sides are not both played by a side of the
    campaign."""
    scenario = scenario_of(rung, scenarios)
    if scenario is None:
        yield Problem(f"{key}.scenario", f"there is no scenario {rung.scenario}.")
        return
    for scenario_side in scenario.sides:
        owners = [side.id for side in campaign.sides if scenario_side.id in side.nations]
        if len(owners) != 1:
            people = catalog.nations[scenario_side.id].people
            text = f"in {scenario.title} the {people} fight, and they are not one of the sides."
            yield Problem(f"{key}.scenario", text)


def _unknown(key: str, kind: str, name: str, names: Sequence[str] | Mapping[str, Any]) -> Problem:
    """The problem that there is nothing of that name, with the one that was probably meant."""
    return Problem(key, f"no {kind} {name!r}; {suggest(name, list(names))}")
