"""The codes of pieces, such as ``R7``: those that they get before a battle, and lists of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from skirmish.games.plastic.rules.catalog import Catalog

Codes: TypeAlias = tuple[str, ...]


class CodesToGive:
    """Gives the pieces of one side their codes, as a battle does at its start. A code is the unit's
    letter and a number. Numbers count up for each letter, contingent by contingent, within one in
    the order of the catalog."""

    def __init__(self, catalog: Catalog, last_numbers: Counter[str] | None = None) -> None:
        """``last_numbers``: for each letter the last number that is taken; by default none is."""
        self.catalog, self.last_numbers = catalog, Counter(last_numbers)

    def give(self, counts: Mapping[str, int]) -> dict[str, Codes]:
        """The codes of further units, by the id of the unit, in the order of ``counts``, which says
        how many of each."""
        codes: dict[str, Codes] = {}
        for name, unit in self.catalog.units.items():
            count = counts.get(name)
            if count:
                letter = unit.letter.upper()
                first = self.last_numbers[letter] + 1
                self.last_numbers[letter] += count
                numbers = range(first, first + count)
                codes[name] = tuple(f"{letter}{number}" for number in numbers)
        return {name: codes[name] for name in counts if name in codes}

    def give_options(self, options: Sequence[Mapping[str, int]]) -> list[dict[str, Codes]]:
        """The codes for each option of a choice. All start at the same number, as only one option
        arrives; numbering continues after the larger one."""
        # A copy, since ``last_numbers`` changes below, and every option starts from here.
        before = Counter(self.last_numbers)
        codes = []
        for option in options:
            of_option = CodesToGive(self.catalog, before)
            codes.append(of_option.give(option))
            # For counters, ``|`` takes the larger number of each letter.
            self.last_numbers |= of_option.last_numbers
        return codes


def spans(codes: Iterable[str]) -> str:
    """``K1, R4 to R13``: codes in order, three or more consecutive ones as a span."""
    ordered = sorted(codes, key=letter_and_number)
    runs: list[list[str]] = []
    for code in ordered:
        if runs and letter_and_number(code) == _code_after(runs[-1][-1]):
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


def letter_and_number(code: str) -> tuple[str, int]:
    """``R12`` in two parts: in order of their letters and numbers, R9 comes before R12."""
    return code[:1], int(code[1:])


def _code_after(code: str) -> tuple[str, int]:
    """The code that comes next: ``R13`` after ``R12``."""
    letter, number = letter_and_number(code)
    return letter, number + 1
