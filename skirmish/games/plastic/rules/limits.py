"""Purchase limits as data: each weighs units and sets the sum against what the points allow. Halves
(two small pillboxes are one large) are counted in halves throughout."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated, Literal

import msgspec

from skirmish.tabletop.reading import Problem, Refers

Share = Annotated[str, msgspec.Meta(pattern=r"^\d+(/[1-9]\d*)?$")]
Whole = Annotated[int, msgspec.Meta(ge=0, le=9999)]
UnitId = Annotated[str, Refers("unit")]
PieceId = Annotated[str, Refers("unit or work")]
NationId = Annotated[str, Refers("nation")]
Band = Annotated[int, msgspec.Meta(ge=1, le=240)]


class Deployment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Inches from its own edge; the second side sets up after the first."""

    first: Band
    first_pillboxes: Band
    second: Band


class BasicGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Battles of before have no ``deployment`` and no ``exit_width`` (inches in the middle of the
    enemy's edge, by the answer to P32)."""

    points: Whole
    last_turn: Whole
    break_share: Share
    deployment: Deployment | None = None
    exit_width: dict[str, Whole] = {}


class Strength(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    guy: Whole
    model: Whole


class Also(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    units: tuple[PieceId, ...]
    ruling: str
    answer: str


class Limit(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    kw_only=True,
    rename={"measure": "in", "without": "except"},
):
    """``of``: which units are weighed together. Exactly one of ``most…`` and ``least_share`` is
    given."""

    id: str
    title: str
    measure: Literal["points", "pieces"]
    of: Literal["units", "each", "each_guy_type", "guys", "everything"] = "units"
    units: tuple[PieceId, ...] = ()
    halves: tuple[PieceId, ...] = ()
    also: tuple[Also, ...] = ()
    without: tuple[PieceId, ...] = ()
    with_bonus: bool = False
    only_with_nations: bool = False
    not_for: tuple[NationId, ...] = ()
    most: Whole | None = None
    most_per_100: Whole | None = None
    most_share: Share | None = None
    least_share: Share | None = None

    @property
    def is_least(self) -> bool:
        return self.least_share is not None

    def bound(self, points: int, per_100: str) -> Fraction:
        """At its last whole (or half) step on the legal side. ``points`` by P47, ``per_100`` the
        answer to P79."""
        if self.most is not None:
            return Fraction(self.most)
        if self.most_per_100 is not None:
            hundreds = Fraction(points, 100) if per_100 == "pro_rata" else Fraction(points // 100)
            step = 2 if self.halves else 1
            return Fraction(self.most_per_100 * hundreds * step // 1, step)
        if self.least_share is not None:
            return Fraction(-(-points * Fraction(self.least_share) // 1))
        return Fraction(points * Fraction(self.most_share or "0") // 1)

    def problems(self, key: str) -> Iterator[Problem]:
        bounds = ("most", "most_per_100", "most_share", "least_share")
        given = [name for name in bounds if getattr(self, name) is not None]
        if len(given) != 1:
            yield Problem(key, f"needs exactly one of {', '.join(bounds)}; has {len(given)}.")


class LimitsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: Literal[1]
    basic_game: BasicGame
    strength: Strength
    limit: tuple[Limit, ...]

    def problems(self, key: str) -> Iterator[Problem]:
        for what, found in (
            ("least_share", [limit for limit in self.limit if limit.is_least]),
            ('of = "everything"', [limit for limit in self.limit if limit.of == "everything"]),
        ):
            if len(found) != 1:
                yield Problem("limit", f"needs exactly one with {what}; has {len(found)}.")
