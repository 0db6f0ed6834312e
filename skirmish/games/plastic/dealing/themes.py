"""The themes of dealt battles as data (docs/theme-format.md).

A share is a part of the way from the attacker's edge (0) to the defender's (1); percentages are of
a side's points. A range gives the least and the most, and the seed chooses a number from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Literal, TypeAlias

import msgspec

from skirmish.games.plastic.scenarios.scenario import LONGEST_TAGLINE, SpecialRule
from skirmish.tabletop.data_file import Problem, Strict, read

Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Shares: TypeAlias = tuple[Share, Share]
"""From one share of the way to another."""
ALL_THE_WAY: Shares = (0.0, 1.0)
"""From the attacker's edge to the defender's: where a theme leaves the place open."""
Percent = Annotated[int, msgspec.Meta(ge=0, le=100)]
Pieces = Annotated[int, msgspec.Meta(ge=1, le=40)]
Numbers: TypeAlias = tuple[Pieces, Pieces]
"""The least and the most of something."""
Lengths: TypeAlias = tuple[float, float]
"""The least and the most, in inches."""
Text = Annotated[str, msgspec.Meta(min_length=1)]
Texts = Annotated[tuple[Text, ...], msgspec.Meta(min_length=1)]
CodeNumber = Annotated[int, msgspec.Meta(ge=1, le=31)]
"""What stands for a theme or a region in the code of a deal; it is never given to another."""

# ------------------------------------------------------------------ what lies on the table


class ThemeFeature(Strict, frozen=True, kw_only=True, tag_field="kind"):
    """Something that a theme puts on the table."""

    share: Shares = ALL_THE_WAY
    """Between which shares of the way its middle lies."""
    count: Numbers = (1, 1)
    """How many of it there are."""
    in_both_halves: bool = msgspec.field(name="both", default=False)
    """``both`` in the file: there are as many in the other half of the table, mirrored."""


class Water(ThemeFeature, frozen=True, kw_only=True, tag="water"):
    """A river from side to side."""

    wide: Lengths
    """Its width."""
    crossings: Numbers
    """How many places there are where roads may cross it."""


class Sea(ThemeFeature, frozen=True, kw_only=True, tag="sea"):
    """Sea at the attacker's edge, then sand, a seawall, and a slope."""

    water: Lengths
    """How far from the edge the sea reaches."""
    sand: Lengths
    """How far it is from the sea to the wall."""
    slope: float
    """How deep the slope is along the attack, in inches."""


class Road(ThemeFeature, frozen=True, kw_only=True, tag="road"):
    """A road along the attack, or across it."""

    over: Literal["water"] | None = None
    """``water``: it takes a crossing over the water."""
    across: Shares | None = None
    """At which shares of the way it goes across the attack; None: it goes along it."""
    main: bool = False
    """Whether forces enter and exit along it."""
    aside: bool = False
    """Whether it goes round the middle."""
    bends: bool = False
    """Whether it turns twice."""
    track: bool = False
    """Whether it is a track and no road."""


class Village(ThemeFeature, frozen=True, kw_only=True, tag="village"):
    """Houses along the roads."""

    where: Literal["crossroads", "beyond_water", "road", "middle"]
    """Where the first two roads meet; behind the first crossing of the water; on the main road; in
    the middle of the table."""
    houses: Numbers
    """How many houses there are, with the church."""
    numbered: bool = False
    """Whether they have numbers on the map, as players count who holds them."""


class Hills(ThemeFeature, frozen=True, kw_only=True, tag="hills"):
    """Hills, all of which lie in the same direction by and large."""

    where: Literal["middle"] | None = None
    """``middle``: in the exact middle of the table, and larger."""


class Woods(ThemeFeature, frozen=True, kw_only=True, tag="woods"):
    """Woods, or what a region has instead of them."""

    beside: Literal["road"] | None = None
    """``road``: near the main road."""


class Orchards(ThemeFeature, frozen=True, kw_only=True, tag="orchards"):
    """Orchards at the village."""


class FieldStrips(ThemeFeature, frozen=True, kw_only=True, tag="fields"):
    """Strips of fields along the roads; some have a hedge."""


class Hedges(ThemeFeature, frozen=True, kw_only=True, tag="hedges"):
    """Hedges across the attack."""


class Marsh(ThemeFeature, frozen=True, kw_only=True, tag="marsh"):
    """Wet ground; in a desert, rough ground."""


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
    """Over its side's edge of the table; over the edge behind its enemies; along the main road; at
    a corner of the attackers' edge; aboard craft; or ``zone``: it is on the table from the
    beginning."""
    turn: Annotated[int, msgspec.Meta(ge=1, le=20)] | None = None
    """The turn on which it enters; None if it has a ``turn_share`` or is on the table."""
    turn_share: Share | None = None
    """When it enters, as a share of the battle, in place of a turn."""
    zone: Shares | None = None
    """Where its zone begins and ends, as shares of the way along the attack; None if it enters."""
    width: Share = 1.0
    """How much of the breadth of the table the zone takes."""
    motor: bool = False
    """Whether all of its men have seats in vehicles."""
    trucks: bool = False
    """Whether it is to bring a convoy of trucks through."""
    works: bool = False
    """Whether it is dug in."""
    hidden: Annotated[int, msgspec.Meta(ge=0, le=48)] = 0
    """It stays hidden until an enemy is within so many inches; 0: it is never hidden."""
    alarm: Share = 0.0
    """In each turn reinforcements are drawn that cost about this part of the attackers' points; 0:
    none are."""

    def turn_in(self, last_turn: int) -> int:
        """The turn on which it enters, in a battle with that last turn; 0 if it is on the table."""
        if self.entry == "zone":
            return 0
        if self.turn_share is not None:
            # However short the battle, such a group comes after its beginning.
            return max(2, round(self.turn_share * last_turn))
        assert self.turn is not None, "checked when the theme was read"
        return self.turn

    def problems(self, key: str) -> Iterator[Problem]:
        """What is wrong with it, of what its types cannot check."""
        needs_zone = self.entry == "zone"
        has_zone = self.zone is not None
        if needs_zone != has_zone:
            yield Problem(f"{key}.zone", 'goes with entry = "zone": needed there, and only there.')
        has_turn = self.turn is not None
        has_turn_share = self.turn_share is not None
        if not needs_zone and has_turn == has_turn_share:
            yield Problem(key, "needs either turn or turn_share, and not both.")


class Goal(Strict, frozen=True, kw_only=True):
    """The kind of victory, as in a scenario."""

    kind: Literal["count", "exit", "hold", "clear", "destroy_then_exit"]
    need_percent: Percent = 0
    """How much of what there is to hold, to exit or to destroy; 0 where nothing of that counts."""
    around: Literal["bridge", "middle", "buildings"] | None = None
    """Around what guys are counted; None where no place matters."""
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
    """The titles and the situations are sentences with names to fill in; the seed chooses one of
    each."""
    situations: Texts
    attack: Literal["long", "short"]
    """Along which side of the table the attack goes."""
    objective: Literal["bridge", "exit", "village", "middle", "targets"]
    """Where the attackers have to get to."""
    odds: Annotated[float, msgspec.Meta(ge=0.5, le=4)]
    """How many times the defender's points the attacker has, if all defenders have works and the
    ground before them has the usual cover."""
    cover_odds: Annotated[int, msgspec.Meta(ge=0, le=10)] = 4
    """How much lower the odds are if no defender has works, in tenths: 4 makes 2.0 of 2.4. 0: the
    odds depend neither on works nor on the cover of the ground."""
    slack: Annotated[int, msgspec.Meta(ge=2, le=12)]
    """How many turns there are besides those that the walk to the objective takes."""
    there_and_back: bool = msgspec.field(name="return", default=False)
    """``return`` in the file: the way is walked twice."""
    meeting: bool = False
    """Whether neither side defends."""
    from_abroad: bool = False
    """Whether the attackers come from another country: then the region's first nation, which holds
    it, defends. Otherwise the seed decides who does."""
    needs: dict[str, Annotated[int, msgspec.Meta(ge=1, le=99)]] = msgspec.field(
        default_factory=dict
    )
    """The terrain without which there is no such battle: by its kind, how many pieces of it, or how
    many feet of what is laid by length, such as a river."""
    arms: tuple[Text, ...] = ("infantry", "armour", "motor", "guns")
    """What the attack may be made of."""
    night: Annotated[int, msgspec.Meta(ge=0, le=36)] = 0
    """How many inches one sees in the dark before dawn; 0: it is day from the beginning."""
    charges: Percent = 0
    """In how many battles of a hundred the bridge is mined."""
    features: tuple[AnyFeature, ...] = msgspec.field(name="feature")
    attackers: tuple[Group, ...] = msgspec.field(name="attacker")
    defenders: tuple[Group, ...] = msgspec.field(name="defender")
    victory: Goal
    rules: tuple[SpecialRule, ...] = msgspec.field(name="rule", default=())

    def problems(self) -> Iterator[Problem]:
        """What is wrong with it, of what its types cannot check."""
        for name, groups in (("attacker", self.attackers), ("defender", self.defenders)):
            if sum(group.share for group in groups) != 100:
                yield Problem(name, "the shares of a side make 100 percent together.")
            for index, group in enumerate(groups):
                yield from group.problems(f"{name}[{index}]")


def read_themes(tables: Iterable[tuple[str, Mapping[str, Any]]]) -> dict[str, Theme]:
    """The themes by their ids, from the names of their files and the TOML in each. Raises
    DataError."""
    themes = {}
    for file, raw in tables:
        theme = read(raw, Theme, file, Theme.problems)
        themes[theme.id] = theme
    return themes
