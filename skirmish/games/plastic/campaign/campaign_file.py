"""A campaign as a file: its ladder of rungs, and the groups of men of both sides
(``data/plastic/campaigns/*.toml``, docs/campaign-format.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec

from skirmish.games.plastic.rules.army import LONGEST_GROUP, MOST_GROUPS, Count
from skirmish.games.plastic.rules.catalog import Catalog, NationId, QualityId, UnitId, WorkId
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.scenarios.scenario_part import Id

LONGEST_TEXT = 2000
"""The most characters of a text."""
LONGEST_TITLE = 60
"""The most characters of the title of a campaign."""
USUAL_POOL = 240
"""The points with which a side buys its groups, by default."""
USUAL_ALLOWANCE = 200
"""The points that a side may bring to a free battle, by default."""
CampaignTitle = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_TITLE)]
Text = Annotated[str, msgspec.Meta(max_length=LONGEST_TEXT)]
Points = Annotated[int, msgspec.Meta(ge=0, le=10_000)]
Inches = Annotated[int, msgspec.Meta(ge=24, le=240)]
"""The length of a side of a table, which is 2 to 20 feet."""


class GroupFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A named group of men and models at the start."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_GROUP)]
    units: dict[UnitId, Count]
    nation: NationId | None = None
    """None: that of its side."""
    quality: QualityId = "regular"
    front: str = ""
    """The front to which it belongs; empty: to none. On a rung with a front only groups of that
    front fight; on any other rung every group does (``Rung.front``)."""
    enters: Annotated[int, msgspec.Meta(ge=1, le=99)] = 1
    """The number of the first battle to which it can come."""


class SideFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A side; the first one of the file pushes the marker up."""

    id: Id
    nation: NationId | None = None
    """None: its groups are of several nations, or it brings an army."""
    name: str = ""
    """What it is called; empty: as the people of its nation are."""
    goal: Text = ""
    """What it wants, as a sentence."""
    groups: Annotated[tuple[GroupFile, ...], msgspec.Meta(max_length=MOST_GROUPS)] = msgspec.field(
        default=(), name="group"
    )
    overrides: dict[str, str] = {}
    """The purchase limits that its groups break, by their ids, with the reason for each."""

    @property
    def nations(self) -> set[str]:
        """The nations whose lists in scenarios this side fills."""
        nations = {group.nation for group in self.groups} | {self.nation}
        return {nation for nation in nations if nation}


class Rung(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A rung of the ladder: what is fought while the marker stands there."""

    place: int = 0
    """The place of the rung, counted from the middle, upwards for the first side."""
    battle_before_ladder: Annotated[int, msgspec.Meta(ge=0, le=9)] = msgspec.field(
        default=0, name="first"
    )
    """The number of the battle if it is fought before the ladder; 0 for a rung of the ladder."""
    title: str = ""
    scenario: int | str = 0
    """The number or the id of the scenario that is fought; 0: it is a free battle."""
    attacker: str = ""
    """The side that sets up and moves first in a free battle; empty, as in the middle: it is drawn
    for."""
    ground: Text = ""
    """What the table of a free battle looks like, as a sentence without its full stop."""
    text: Text = ""
    """What the players read before the battle."""
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
    """The works of the defender of a free battle; empty: he buys some (C6)."""
    allow: Points = 0
    """The allowance of a free battle; 0: that of the campaign."""
    table: tuple[Inches, Inches] | None = None
    """The width and the depth of the table in inches; None: those of the campaign."""


class CampaignFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A campaign, as its file has it."""

    format: Literal[1]
    id: Id
    title: CampaignTitle
    rungs: tuple[Rung, ...] = msgspec.field(name="rung")
    sides: tuple[SideFile, ...] = msgspec.field(name="side")
    history: Text = ""
    last_battle: Annotated[int, msgspec.Meta(ge=1, le=15)] = 7
    """The number of the battle after which the campaign ends in any case."""
    level: str = ""
    """The side that has won where marker and points are level; empty: the losses decide."""
    pool: Points = 0
    """The points for which both sides buy, if the file has no groups for them; 0: it has groups."""
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
        rungs = [rung for rung in self.rungs if not rung.battle_before_ladder]
        return tuple(sorted(rungs, key=lambda rung: rung.place))

    @property
    def top(self) -> int:
        """The place of the highest rung; the lowest is as far below the middle."""
        return len(self.ladder) // 2

    def rung_of(self, battle: int, marker: int) -> Rung:
        """What is fought as the battle of that number if the marker stands at that place."""
        # Battles before the ladder are fought wherever the marker stands.
        for rung in self.rungs:
            if rung.battle_before_ladder == battle:
                return rung
        # If an earlier battle is counted again, the marker may be beyond an end of the ladder while
        # another battle is fought.
        place = max(-self.top, min(self.top, marker))
        return next(rung for rung in self.ladder if rung.place == place)

    def allowance(self, rung: Rung) -> int:
        """The points that a side may bring there."""
        return rung.allow or self.allow


def scenario_of(rung: Rung, scenarios: Mapping[int, Scenario]) -> Scenario | None:
    """The scenario of a rung, by its number or by its id; None if there is none."""
    if not rung.scenario:
        return None
    for number, scenario in scenarios.items():
        if rung.scenario in (number, scenario.id):
            return scenario
    return None


def may_be_in_pool(unit: str, catalog: Catalog) -> bool:
    """Whether a side can own a unit; pillboxes, craft and aircraft can only be attached."""
    unit_type = catalog.units[unit]
    return unit_type.is_guy or "cannon" in unit_type.tags or "vehicle" in unit_type.tags
