"""Purchase limits as data: each weighs units and sets the sum against what the points allow.

Every limit is linear: a weight for each unit, a most or a least for the sum. Halves (two small
pillboxes are one large) make the weights whole by counting in halves throughout.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Annotated, Any, Literal

import msgspec

from skirmish.tabletop.reading import Problem, suggest

Share = Annotated[str, msgspec.Meta(pattern=r"^\d+(/[1-9]\d*)?$")]
Whole = Annotated[int, msgspec.Meta(ge=0, le=9999)]


Band = Annotated[int, msgspec.Meta(ge=1, le=240)]


class Deployment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How far from its own edge a side may set up, in inches: the side that places ``first``, its
    pillboxes, then the ``second`` side."""

    first: Band
    first_pillboxes: Band
    second: Band


class BasicGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The basic game: points a side, the turn after which it is drawn, the share that breaks.
    Battles begun before the bands were told have no ``deployment``, and those before the way out
    was told no ``exit_width``: inches in the middle of the enemy's edge, by the answer to P32."""

    points: Whole
    last_turn: Whole
    break_share: Share
    deployment: Deployment | None = None
    exit_width: dict[str, Whole] = {}


class Strength(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a figure and a model count for among the potential dead guys."""

    guy: Whole
    model: Whole


class Also(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Further units of a limit, under one answer to a ruling."""

    units: tuple[str, ...]
    ruling: str
    answer: str


class Limit(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    kw_only=True,
    rename={"measure": "in", "without": "except"},
):
    """One purchase limit.

    ``of`` says which units are weighed together: those listed (``units``), each of those listed
    by itself (``each``), every guy type by itself, all guys, or everything bought. Exactly one
    of the ``most_…``/``least_…`` keys sets the bound.
    """

    id: str
    title: str
    measure: Literal["points", "pieces"]
    of: Literal["units", "each", "each_guy_type", "guys", "everything"] = "units"
    units: tuple[str, ...] = ()
    halves: tuple[str, ...] = ()
    also: tuple[Also, ...] = ()
    without: tuple[str, ...] = ()
    with_bonus: bool = False
    only_with_nations: bool = False
    not_for: tuple[str, ...] = ()
    most: Whole | None = None
    most_per_100: Whole | None = None
    most_share: Share | None = None
    least_share: Share | None = None

    @property
    def is_least(self) -> bool:
        """Whether the sum must reach the bound rather than stay under it."""
        return self.least_share is not None

    def bound(self, points: int, per_100: str) -> Fraction:
        """The bound in points or pieces, at its last whole (or half) step on the legal side.

        ``points`` is what the limit is measured by (P47), ``per_100`` the answer to P79.
        """
        if self.most is not None:
            return Fraction(self.most)
        if self.most_per_100 is not None:
            hundreds = Fraction(points, 100) if per_100 == "pro_rata" else Fraction(points // 100)
            step = 2 if self.halves else 1
            return Fraction(self.most_per_100 * hundreds * step // 1, step)
        if self.least_share is not None:
            return Fraction(-(-points * Fraction(self.least_share) // 1))
        return Fraction(points * Fraction(self.most_share or "0") // 1)


class LimitsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """data/plastic/limits.toml."""

    format: Literal[1]
    basic_game: BasicGame
    strength: Strength
    limit: tuple[Limit, ...]

    def problems(self, pieces: Mapping[str, Any], nations: Mapping[str, Any]) -> Iterator[Problem]:
        for index, limit in enumerate(self.limit):
            listed = [*limit.units, *limit.halves, *limit.without]
            listed += [unit for also in limit.also for unit in also.units]
            for unit in listed:
                if unit not in pieces:
                    yield Problem(
                        f"limit[{index}].units",
                        f"no unit or work {unit!r}; {suggest(unit, pieces)}",
                    )
            for nation in limit.not_for:
                if nation not in nations:
                    yield Problem(
                        f"limit[{index}].not_for",
                        f"no nation {nation!r}; {suggest(nation, nations)}",
                    )
        for what, found in (
            ("least_share", [limit for limit in self.limit if limit.is_least]),
            ('of = "everything"', [limit for limit in self.limit if limit.of == "everything"]),
        ):
            if len(found) != 1:
                yield Problem("limit", f"needs exactly one with {what}; has {len(found)}.")
        for index, limit in enumerate(self.limit):
            bounds = ("most", "most_per_100", "most_share", "least_share")
            given = [name for name in bounds if getattr(limit, name) is not None]
            if len(given) != 1:
                yield Problem(
                    f"limit[{index}]",
                    f"needs exactly one of {', '.join(bounds)}; has {len(given)}.",
                )
