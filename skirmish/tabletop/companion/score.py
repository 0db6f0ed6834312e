"""Points by source, the result that they and other marks come to, and what the next one needs."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from skirmish.tabletop.companion.result_table import Shift


class Scoring(msgspec.Struct, frozen=True):
    """``tier``: the result, by its id; ``needs``: how many more of each mark the ``next`` one
    takes; nothing at the best. ``name``: of the result."""

    sources: tuple[Shift, ...]
    tier: str
    next: str = ""
    needs: dict[str, int] = {}
    name: str = ""

    @property
    def points(self) -> int:
        return sum(one.value for one in self.sources)

    def listed(self) -> str:
        """``3: gaps 1, strongpoints 2``."""
        found = ", ".join(f"{one.label} {one.value}" for one in self.sources if one.value)
        return f"{self.points}: {found}" if found else str(self.points)

    def summed(self) -> str:
        """``23 points, Historical victory``."""
        return f"{self.points} {'point' if self.points == 1 else 'points'}, {self.name}"

    def wanted(self) -> str:
        """``major: 1 more exit and 4 more points``; empty at the best."""
        words = [f"{count} more {mark if count > 1 else mark.removesuffix('s')}"
                 for mark, count in self.needs.items() if count]  # fmt: skip
        return f"{self.next}: {' and '.join(words)}" if words else ""


def scored(
    sources: tuple[Shift, ...],
    marks: Mapping[str, int],
    tiers: Mapping[str, Mapping[str, int]],
    none: str,
    names: Mapping[str, str] = {},
) -> Scoring:
    """The last of the ``tiers`` of which, and of all before it, every mark is reached; else
    ``none``. A tier has the least number of each mark; ``names`` are those that are not its id."""
    tier = none
    for id, least in tiers.items():
        needs = {mark: max(count - marks[mark], 0) for mark, count in least.items()}
        if any(needs.values()):
            return Scoring(sources, tier, id, needs, names.get(tier, tier))
        tier = id
    return Scoring(sources, tier, name=names.get(tier, tier))
