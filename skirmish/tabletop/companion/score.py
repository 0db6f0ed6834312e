"""The score of a game at the table: points by their source, the result (such as a minor victory)
that points and other marks come to, and what the next better result needs."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from skirmish.tabletop.companion.modifiers import Shift


class Scoring(msgspec.Struct, frozen=True):
    """Points and the result that they come to. ``tier`` is the id of the result and ``name`` what
    it is called; ``next`` is the id of the next better one, and ``needs`` says how many more of
    each mark that takes. Both are empty at the best result."""

    sources: tuple[Shift, ...]
    tier: str
    next: str = ""
    needs: dict[str, int] = {}
    name: str = ""

    @property
    def points(self) -> int:
        """The points of all sources."""
        return sum(source.value for source in self.sources)

    def listed(self) -> str:
        """``3: gaps 1, strongpoints 2``."""
        sources = [f"{source.label} {source.value}" for source in self.sources if source.value]
        if not sources:
            return str(self.points)
        return f"{self.points}: {', '.join(sources)}"

    def summed(self) -> str:
        """``23 points, Historical victory``."""
        if self.points == 1:
            return f"1 point, {self.name}"
        return f"{self.points} points, {self.name}"

    def wanted(self) -> str:
        """``major: 1 more exit and 4 more points``; empty at the best."""
        words = []
        for mark, count in self.needs.items():
            if count == 1:  # marks are called by nouns such as exits and points
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
    """The score with the best result that is reached. ``tiers``: the results from the least on,
    each with the number of every mark (``points``, ``exits``) that it takes; ``marks``: the numbers
    that were reached; ``lowest``: the result that takes nothing; ``names``: what results are called
    that have another name than their id."""
    # Tiers build on one another: whoever misses one mark of a tier does not get a later one.
    tier = lowest
    for id, least in tiers.items():
        needs = {mark: max(count - marks[mark], 0) for mark, count in least.items()}
        if any(needs.values()):
            return Scoring(sources, tier, id, needs, names.get(tier, tier))
        tier = id
    return Scoring(sources, tier, name=names.get(tier, tier))
