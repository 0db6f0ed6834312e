"""The score of a game at the table: points by their source, the result (``tier``) that points and
other marks come to, such as a minor victory, and what the next better result takes."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from skirmish.tabletop.companion.modifiers import Shift


class Scoring(msgspec.Struct, frozen=True):
    """Points and the result that they come to."""

    sources: tuple[Shift, ...]
    """Where the points come from: the label of each is its source, its value the points."""
    tier: str
    """The id of the result."""
    next: str = ""
    """The id of the next better result; empty if ``tier`` is the best one."""
    needs: dict[str, int] = {}
    """How many more of each mark the next better result takes; 0 for marks that suffice."""
    name: str = ""
    """What the result is called."""

    @property
    def points(self) -> int:
        """The points of all sources."""
        return sum(source.value for source in self.sources)

    def listed(self) -> str:
        """The points and where they come from: ``3: gaps 1, strongpoints 2``."""
        sources = [f"{source.label} {source.value}" for source in self.sources if source.value]
        if not sources:
            return str(self.points)
        return f"{self.points}: {', '.join(sources)}"

    def summed(self) -> str:
        """The points and the result: ``23 points, Historical victory``."""
        if self.points == 1:
            return f"1 point, {self.name}"
        return f"{self.points} points, {self.name}"

    def wanted(self) -> str:
        """What the next better result takes: ``major: 1 more exit and 4 more points``; empty at the
        best one. The ids of results are words short enough to name them here."""
        words = []
        for mark, count in self.needs.items():
            if count == 1:
                # The ids of marks are nouns in the plural: exits, points.
                words.append(f"1 more {mark.removesuffix('s')}")
            elif count:
                words.append(f"{count} more {mark}")
        if not words:
            return ""
        return f"{self.next}: {' and '.join(words)}"


def scored(
    sources: tuple[Shift, ...],
    marks: Mapping[str, int],
    tiers: Mapping[str, Mapping[str, int]],
    lowest: str,
    names: Mapping[str, str] = {},
) -> Scoring:
    """The score with the best result that is reached. ``marks``: how many points, exits and the
    like were reached; ``tiers``: the results from the least to the best, each with the number of
    every mark that it takes; ``lowest``: the result that takes nothing; ``names``: the names of
    results that are not called by their id."""
    tier = lowest
    for id, least_marks in tiers.items():
        needs = {mark: max(least - marks[mark], 0) for mark, least in least_marks.items()}
        is_reached = sum(needs.values()) == 0
        if not is_reached:
            # No better result can be reached either: each takes what the lesser ones take, too.
            return Scoring(
                sources=sources, tier=tier, next=id, needs=needs, name=names.get(tier, tier)
            )
        tier = id
    return Scoring(sources=sources, tier=tier, name=names.get(tier, tier))
