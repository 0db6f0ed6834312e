"""The codes of pieces, such as ``R7``: those that they get before a battle, and lists of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from skirmish.games.plastic.rules.catalog import Catalog

Codes: TypeAlias = tuple[str, ...]
"""The codes of all pieces of a unit."""


class CodesToGive:
    """Gives the pieces of one side their codes, as a battle does at its start. A code is the unit's
    letter and a number. Numbers count up for each letter, contingent by contingent, within one in
    the order of the catalog."""

    def __init__(self, catalog: Catalog, last_numbers: Counter[str] | None = None) -> None:
        """``last_numbers``: for each letter the last number that is taken; by default none is."""
        self.catalog, self.last_numbers = catalog, Counter(last_numbers)

    def give(self, counts: Mapping[str, int]) -> dict[str, Codes]:
        """The codes of further units by their ids, in the order of ``counts``, which says how many
        of each there are."""
        codes: dict[str, Codes] = {}
        for unit_id, unit in self.catalog.units.items():
            count = counts.get(unit_id, 0)
            if count:
                letter = unit.letter.upper()
                first = self.last_numbers[letter] + 1
                self.last_numbers[letter] += count
                numbers = range(first, first + count)
                codes[unit_id] = tuple(f"{letter}{number}" for number in numbers)
        # They were given in the order of the catalog.
        return {unit_id: codes[unit_id] for unit_id in counts if unit_id in codes}

    def give_options(self, options: Sequence[Mapping[str, int]]) -> list[dict[str, Codes]]:
        """The codes for each option of a choice. All start at the same numbers, as only one option
        arrives; for each letter numbering continues after the larger option."""
        # A copy, since ``last_numbers`` changes below, and every option starts from here.
        before = Counter(self.last_numbers)
        codes = []
        for option in options:
            option_codes = CodesToGive(self.catalog, before)
            codes.append(option_codes.give(option))
            # For counters, ``|`` takes the larger number of each letter.
            self.last_numbers |= option_codes.last_numbers
        return codes


def spans(codes: Iterable[str]) -> str:
    """``K1, R4 to R13``: codes in order, three or more consecutive ones as a span."""
    runs: list[list[str]] = []
    for code in sorted(codes, key=letter_and_number):
        if runs and _follows(code, runs[-1][-1]):
            runs[-1].append(code)
        else:
            runs.append([code])
    parts = []
    for run in runs:
        # A span of two codes would be no shorter than both.
        if len(run) > 2:
            parts.append(f"{run[0]} to {run[-1]}")
        else:
            parts += run
    return ", ".join(parts)


class CodeParts(NamedTuple):
    """The parts of a code, by which codes are sorted: as texts, R12 would come before R9."""

    letter: str
    number: int


def letter_and_number(code: str) -> CodeParts:
    """``R12`` in its two parts."""
    return CodeParts(letter=code[:1], number=int(code[1:]))


def _follows(code: str, code_before: str) -> bool:
    """Whether a code comes right after another one: ``R13`` after ``R12``."""
    letter, number = letter_and_number(code_before)
    return letter_and_number(code) == CodeParts(letter, number + 1)
