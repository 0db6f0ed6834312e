"""Themes and regions of dealt battles as data (docs/theme-format.md).

A share is a part of the way from the attacker's edge (0) to the defender's (1); percentages are of
a side's points. Ranges are the least and the most, of which the seed chooses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Literal, TypeAlias

import msgspec

from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.scenarios.scenario import LONGEST_TAGLINE, SpecialRule
from skirmish.tabletop.battlefield import Ground
from skirmish.tabletop.data_file import Problem, Refers, Strict, read, resolved

Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Shares: TypeAlias = tuple[Share, Share]
"""From one share of the way to another."""
ALL_THE_WAY: Shares = (0.0, 1.0)
"""From the attacker's edge to the defender's: where a theme leaves the place open."""
Percent = Annotated[int, msgspec.Meta(ge=0, le=100)]
Percents: TypeAlias = tuple[Percent, Percent]
"""The least and the most, in percent."""
Pieces = Annotated[int, msgspec.Meta(ge=1, le=40)]
Numbers: TypeAlias = tuple[Pieces, Pieces]
"""The least and the most of something."""
Lengths: TypeAlias = tuple[float, float]
"""The least and the most, in inches."""
Month = Annotated[str, msgspec.Meta(pattern=r"^19[34]\d-(0[1-9]|1[0-2])\Z")]
"""``1944-06``: months compare as texts do."""
Text = Annotated[str, msgspec.Meta(min_length=1)]
Texts = Annotated[tuple[Text, ...], msgspec.Meta(min_length=1)]
CodeNumber = Annotated[int, msgspec.Meta(ge=1, le=31)]
"""What stands for a theme or a region in the code of a deal; it is never given to another."""
NationId = Annotated[str, Refers("nation")]
UnitId = Annotated[str, Refers("unit")]
KindId = Annotated[str, Refers("kind")]

# ------------------------------------------------------------------ what lies on the table


class ThemeFeature(Strict, frozen=True, kw_only=True, tag_field="kind"):
    """Something that a theme puts on the table. ``share``: where along the attack its middle lies;
    ``count``: how many of it; ``both``: as many in the other half of the table."""

    share: Shares = ALL_THE_WAY
    count: Numbers = (1, 1)
    both: bool = False


class Water(ThemeFeature, frozen=True, kw_only=True, tag="water"):
    """A river from side to side, so many inches ``wide``, with so many ``crossings``."""

    wide: Lengths
    crossings: Numbers


class Sea(ThemeFeature, frozen=True, kw_only=True, tag="sea"):
    """Sea at the attacker's edge, then sand, a seawall, and a slope so many inches deep."""

    water: Lengths
    sand: Lengths
    slope: float


class Road(ThemeFeature, frozen=True, kw_only=True, tag="road"):
    """A road along the attack, or across it."""

    over: Literal["water"] | None = None
    """``water``: it takes a crossing over the water."""
    across: Shares | None = None
    """At which shares of the way it goes across the attack; None: it goes along it."""
    main: bool = False
    """Whether it is the one that entries and exits mean."""
    aside: bool = False
    """Whether it goes round the middle."""
    bends: bool = False
    """Whether it turns twice."""
    track: bool = False
    """Whether it is no road but a track."""


class Village(ThemeFeature, frozen=True, kw_only=True, tag="village"):
    """Houses along the roads. ``numbered``: players count them."""

    where: Literal["crossroads", "beyond_water", "road", "middle"]
    houses: Numbers
    numbered: bool = False


class Hills(ThemeFeature, frozen=True, kw_only=True, tag="hills"):
    """Hills, all lying one way; ``where`` "middle": in the exact middle, and larger."""

    where: Literal["middle"] | None = None


class Woods(ThemeFeature, frozen=True, kw_only=True, tag="woods"):
    """Woods, or what grows instead of them in the region; ``beside``: near the main road."""

    beside: Literal["road"] | None = None


class Orchards(ThemeFeature, frozen=True, kw_only=True, tag="orchards"):
    """Orchards at the village."""


class FieldStrips(ThemeFeature, frozen=True, kw_only=True, tag="fields"):
    """Strips of fields along the roads; some have a hedge."""


class Hedges(ThemeFeature, frozen=True, kw_only=True, tag="hedges"):
    """Hedges across the attack."""


class Marsh(ThemeFeature, frozen=True, kw_only=True, tag="marsh"):
    """Wet ground."""


class Hollows(ThemeFeature, frozen=True, kw_only=True, tag="hollows"):
    """Hollows that lead toward the objective."""


class Targets(ThemeFeature, frozen=True, kw_only=True, tag="targets"):
    """Parked aircraft in two groups, which the attackers want to destroy."""


AnyFeature: TypeAlias = (
    Water
    | Sea
    | Road
    | Village
    | Hills
    | Woods
    | Orchards
    | FieldStrips
    | Hedges
    | Marsh
    | Hollows
    | Targets
)

# ------------------------------------------------------------------ who fights, and for what


class Group(Strict, frozen=True, kw_only=True):
    """A contingent of a theme. It enters on a turn, or stands in a zone from the beginning."""

    id: Text
    name: Text
    share: Percent
    """Its part of its side's points, in percent."""
    entry: Literal["edge", "far_edge", "road", "corners", "sea", "zone"]
    turn: Annotated[int, msgspec.Meta(ge=1, le=20)] | None = None
    """The turn on which it enters."""
    turn_share: Share | None = None
    """When it enters, as a share of the battle, in place of a turn."""
    zone: Shares | None = None
    """Where its zone begins and ends, as shares of the way along the attack."""
    width: Share = 1.0
    """How much of the breadth of the table the zone takes."""
    motor: bool = False
    """Whether all of its men have seats."""
    trucks: Annotated[int, msgspec.Meta(ge=0, le=20)] = 0
    """How many trucks it is to bring through."""
    works: bool = False
    """Whether it is dug in."""
    hidden: Annotated[int, msgspec.Meta(ge=0, le=48)] = 0
    """It hides until an enemy is so many inches near; 0: it does not."""
    alarm: Share = 0.0
    """For each turn reinforcements of this part of the attacker's price are drawn."""

    def turn_in(self, last_turn: int) -> int:
        """The turn on which it enters, in a battle with that last turn; 0 if it is on the table."""
        if self.entry == "zone":
            return 0
        if self.turn_share:
            # A share says that they come later than the others, who come on turn 1.
            return max(2, round(self.turn_share * last_turn))
        return self.turn or 1

    def problems(self, key: str) -> Iterator[Problem]:
        """What its type cannot say."""
        if (self.entry == "zone") != (self.zone is not None):
            yield Problem(f"{key}.zone", 'goes with entry = "zone": needed there, and only there.')
        if self.entry != "zone" and (self.turn is None) == (self.turn_share is None):
            yield Problem(key, "needs either turn or turn_share, and not both.")


class Goal(Strict, frozen=True, kw_only=True):
    """The kind of victory, as in a scenario."""

    kind: Literal["count", "exit", "hold", "clear", "destroy_then_exit"]
    need_percent: Percent = 0
    """How much of what there is to hold, to exit or to destroy."""
    around: Literal["bridge", "middle", "buildings"] | None = None
    """Where guys are counted."""
    within_in: Annotated[int, msgspec.Meta(ge=0, le=48)] = 0
    """How near to that, in inches."""
    trucks: bool = False
    """Whether it is trucks that must exit."""


class Theme(Strict, frozen=True, kw_only=True):
    """What one kind of battle is about."""

    format: Literal[1]
    id: Text
    number: CodeNumber
    name: Text
    tagline: Annotated[str, msgspec.Meta(max_length=LONGEST_TAGLINE)]
    about: Text
    titles: Texts
    situations: Texts
    attack: Literal["long", "short"]
    objective: Literal["bridge", "exit", "village", "middle", "targets"]
    odds: Annotated[float, msgspec.Meta(ge=0.5, le=4)]
    """How many times the defender's points the attacker has, where all defenders have works and
    near cover helps the attack a little."""
    cover_odds: Annotated[int, msgspec.Meta(ge=0, le=10)] = 4
    """How much less the attacker needs where nobody has works, in tenths."""
    slack: Annotated[int, msgspec.Meta(ge=2, le=12)]
    """Turns beyond those of the walk to the objective."""
    there_and_back: bool = msgspec.field(name="return", default=False)
    """``return`` in the file: the way is walked twice."""
    meeting: bool = False
    """Whether neither side defends."""
    from_abroad: bool = False
    """Whether the region's first nation, which holds it, defends."""
    needs: dict[str, Annotated[int, msgspec.Meta(ge=1, le=99)]] = msgspec.field(
        default_factory=dict
    )
    """Pieces of terrain without which there is no such battle, or feet of it."""
    arms: tuple[Text, ...] = ("infantry", "armour", "motor", "guns")
    """What the attack may be made of."""
    night: Annotated[int, msgspec.Meta(ge=0, le=36)] = 0
    """How many inches one sees before dawn; 0: it is day."""
    charges: Percent = 0
    """In so many battles of a hundred the bridge is mined."""
    features: tuple[AnyFeature, ...] = msgspec.field(name="feature")
    attackers: tuple[Group, ...] = msgspec.field(name="attacker")
    defenders: tuple[Group, ...] = msgspec.field(name="defender")
    victory: Goal
    rules: tuple[SpecialRule, ...] = msgspec.field(name="rule", default=())

    def problems(self) -> Iterator[Problem]:
        """What its types cannot say."""
        for name, groups in (("attacker", self.attackers), ("defender", self.defenders)):
            if sum(group.share for group in groups) != 100:
                yield Problem(name, "the shares of a side make 100 percent together.")
            for index, group in enumerate(groups):
                yield from group.problems(f"{name}[{index}]")


class Region(Strict, frozen=True, kw_only=True):
    """Where battles are fought ``from`` one month ``to`` another: the ground, the ``nations`` (the
    first against any other), those that came later with the month ``since`` which they fought, the
    percent of the table that is cover, the themes that it is ``without``, what grows there, and
    names for places."""

    id: Text
    number: CodeNumber
    name: Text
    ground: Ground
    first: Month = msgspec.field(name="from")
    last: Month = msgspec.field(name="to")
    nations: Annotated[tuple[NationId, ...], msgspec.Meta(min_length=2)]
    since: dict[NationId, Month] = msgspec.field(default_factory=dict)
    cover: Percents
    without: tuple[Text, ...] = ()
    woods: Literal["woods", "orchard", "rough"]
    villages: Texts = msgspec.field(name="village")
    waters: Texts = msgspec.field(name="water")
    heights: Texts = msgspec.field(name="height")
    towns: Annotated[tuple[Text, ...], msgspec.Meta(min_length=4)] = msgspec.field(name="town")

    @property
    def is_desert(self) -> bool:
        """Whether its ground is that of a desert."""
        return self.ground == "desert"

    def came(self, nation: str) -> str:
        """The first month in which a nation fights there."""
        return self.since.get(nation, self.first)


class Availability(msgspec.Struct, frozen=True):
    """When there was a unit."""

    unit: str
    since: Mapping[str, str]
    """The month since which a nation had it, by nation."""
    to: str = ""
    """The last month of all; empty: to the end."""
    region: str = ""
    """The only region where it was; empty: everywhere."""

    def was_there(self, nation: str, month: str, region: str) -> bool:
        """Whether the nation had it there, in that month."""
        if self.region and region != self.region:
            return False
        if self.to and month > self.to:
            return False
        since = self.since.get(nation)
        return since is not None and since <= month


class Regions(msgspec.Struct, frozen=True):
    """All regions, and what there was in them."""

    regions: Mapping[str, Region]
    """By id."""
    availability: Mapping[str, Availability]
    """When there was what, by unit; what is not in it was always there."""
    arms: Mapping[str, Mapping[str, int]]
    """By what a force is made of, the percent of its points that each kind of unit takes."""
    kinds: Mapping[str, tuple[str, ...]]
    """The units of each kind."""

    def possible(self, unit: str, nation: str, month: str, region: str) -> bool:
        """Whether a nation had the unit there, in that month."""
        available = self.availability.get(unit)
        return available is None or available.was_there(nation, month, region)


class _RegionFile(Strict, frozen=True, kw_only=True):
    """The file ``regions.toml``. A row of ``had`` says when there was a unit; its keys are
    ``unit``, ``to`` and ``region``, and the nations that had it."""

    format: Literal[1]
    regions: tuple[Region, ...] = msgspec.field(name="region")
    had: tuple[dict[str, str], ...]
    arms: dict[str, dict[KindId, Percent]]
    kinds: dict[str, tuple[UnitId, ...]]


def read_regions(raw: Mapping[str, Any], catalog: Catalog, file: str) -> Regions:
    """The regions of the file, with what there was in them. Raises DataError."""
    table = read(raw, _RegionFile, file)
    resolved(table, file, unit=catalog.units, nation=catalog.nations, kind=table.kinds)
    availability = {}
    for row in table.had:
        # A row has its nations beside the other keys, each with a month: american = "1942-11".
        since = {name: month for name, month in row.items() if name in catalog.nations}
        availability[row["unit"]] = Availability(
            row["unit"], since, to=row.get("to", ""), region=row.get("region", "")
        )
    regions = {region.id: region for region in table.regions}
    return Regions(regions, availability, table.arms, table.kinds)


def read_themes(tables: Iterable[tuple[str, Mapping[str, Any]]]) -> dict[str, Theme]:
    """The themes of files, by their ids. Raises DataError."""
    themes = {}
    for file, raw in tables:
        theme = read(raw, Theme, file, Theme.problems)
        themes[theme.id] = theme
    return themes
