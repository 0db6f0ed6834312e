"""The codes of figures and models: the unit's letter and a number, the same on paper and screen.

A battle gives them out when it opens (``battle.opening``), contingent by contingent, types in the
order of the catalog; paper does it in the same way, before options have been chosen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from skirmish.games.plastic.rules.catalog import Catalog

Codes = tuple[str, ...]


class Muster:
    """Counts one side through, each letter by itself."""

    def __init__(self, catalog: Catalog) -> None:
        self._units = catalog.units
        self._taken: dict[str, int] = {}

    def next(self, counts: Mapping[str, int]) -> dict[str, Codes]:
        given, self._taken = self._numbered(counts)
        return given

    def one_of(self, options: Sequence[Mapping[str, int]]) -> list[dict[str, Codes]]:
        """The codes under each option of a choice. They begin at the same number, for only one
        option comes; what follows is counted as if the larger had come."""
        results = [self._numbered(option) for option in options]
        for _, taken in results:
            for letter, number in taken.items():
                self._taken[letter] = max(number, self._taken.get(letter, 0))
        return [given for given, _ in results]

    def _numbered(self, counts: Mapping[str, int]) -> tuple[dict[str, Codes], dict[str, int]]:
        taken = dict(self._taken)
        given: dict[str, Codes] = {}
        for name, unit in self._units.items():
            if not counts.get(name):
                continue
            letter = unit.letter.upper()
            first = taken.get(letter, 0) + 1
            taken[letter] = first + counts[name] - 1
            given[name] = tuple(f"{letter}{n}" for n in range(first, taken[letter] + 1))
        return {name: given[name] for name in counts if name in given}, taken
