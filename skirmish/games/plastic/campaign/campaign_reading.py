"""Campaign files are read and checked: the ladder, the sides and groups, and the scenarios of the
rungs. A ``key`` says where in the file something stands, such as ``side[0].group[2]``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from skirmish.games.plastic.campaign.campaign_file import (
    USUAL_POOL,
    CampaignFile,
    GroupFile,
    Rung,
    SideFile,
    may_be_in_pool,
    scenario_of,
)
from skirmish.games.plastic.rules.army import ArmyList, muster
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.rules.limits import gauges
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.tabletop.data_file import Problem, doubles, read, suggest

SHORT_LADDER, LONG_LADDER = 5, 7
"""The only two numbers of rungs that a ladder may have: with an odd number, one is in the middle.
On a ladder of three rungs the loser of the first battle would have too little hope: he won 24 % of
20,000 simulated campaigns, and 32 % of those on five rungs."""


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
    if len(places) not in (SHORT_LADDER, LONG_LADDER):
        text = f"a ladder has {SHORT_LADDER} or {LONG_LADDER} rungs; this one has {len(places)}."
        yield Problem("rung", text)
        return
    top = campaign.top
    places_wanted = list(range(-top, top + 1))
    if places != places_wanted:
        text = f"the places of the rungs are {-top} to {top}, each once; not {places}."
        yield Problem("rung", text)
    numbers = [rung.battle_before_ladder for rung in campaign.rungs if rung.battle_before_ladder]
    numbers_wanted = list(range(1, len(numbers) + 1))
    if sorted(numbers) != numbers_wanted:
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
    for index, group in enumerate(side.groups):
        yield from _group_problems(f"{key}.group[{index}]", group, catalog)


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
    if not units:
        return
    if side.nation is not None:
        if side.nation not in catalog.nations:
            # An unknown nation is reported with its side.
            return
        free = catalog.nations[side.nation].free
        if free is not None:
            # Free men are not bought: with one free man for every five, one in six is free.
            units[free.unit] -= units[free.unit] // (free.per + 1)
    army_list = ArmyList(
        name=side.id,
        points=campaign.pool or USUAL_POOL,
        nation=side.nation,
        units=dict(units),
        overrides=side.overrides,
    )
    for gauge in gauges(muster(army_list, catalog, book)):
        if gauge.state == "broken":
            text = f"{gauge.message} Say why under overrides.{gauge.limit.id}, or change a group."
            yield Problem(f"{key}.group", text)


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
    """An unknown scenario of a rung, or one with a side that is not played by exactly one side of
    the campaign."""
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


def _unknown(key: str, kind: str, name: str, names: Iterable[str]) -> Problem:
    """The problem that there is nothing of that name, with the one that was probably meant."""
    return Problem(key, f"no {kind} {name!r}; {suggest(name, list(names))}")
