"""Units with their numbers, as typed before a battle: ``8 rifle, 2 machinegun``. The limits of a
scenario are checked when the battle is set up."""

from __future__ import annotations

import re
from collections.abc import Mapping

from skirmish.games.plastic.rules.catalog import Catalog, UnitType, plural
from skirmish.tabletop.data_file import nearest_name, suggest
from skirmish.tabletop.slots import UnfitAnswer
from skirmish.tabletop.typed import plain

_ITEM = re.compile(r"(\d+)\s*(?:[x×]\s+)?(.+)")
"""A number and a name: ``8 rifle``, ``8rifle``, ``8 x rifle``. Without the space behind it an x
would be the first letter of a name."""
_GAP = re.compile(r"\s*[,;]\s*|(?<=[^\W\d])\s+(?=\d)|\s+and\s+", re.IGNORECASE)
"""Between two items: a comma, a semicolon, the blank between a letter and a digit, or "and". The
blank of "2 88" is no gap: there 88 is a name, that of a gun."""
MOST_DIGITS = 6
"""The digits of a number that are read, the others are ignored: no battle has a million units."""
LONGEST_QUOTE = 30
"""The characters of a typed name that an error repeats."""
LONGEST_COMPARED = 40
"""The characters of a typed name that are compared with those of units."""
NOBODY = ("", "0", "none", "nobody", "nothing", "-")
"""What is typed for no units at all."""


def units_typed(text: str, catalog: Catalog) -> dict[str, int]:
    """``8 rifle, 2 machinegun`` as numbers by unit id; a unit that is named twice is added up. Any
    name of a unit is accepted, singular or plural. Raises UnfitAnswer."""
    words = plain(text).strip().rstrip(".")
    if words.lower() in NOBODY:
        return {}
    unit_by_name = _unit_by_name(catalog.units)
    numbers: dict[str, int] = {}
    for item in _GAP.split(words):
        if not item:  # a comma at the end, or two in a row
            continue
        match = _ITEM.fullmatch(item.strip())
        if match is None:
            raise UnfitAnswer(f"A number goes before {_quoted(item)}, as in 8 rifle, 2 machinegun.")
        count, name = int(match[1][:MOST_DIGITS]), match[2].strip().lower()
        unit = unit_by_name.get(name)
        if unit is None:
            hint = _nearest(name, unit_by_name)
            raise UnfitAnswer(f"There is no unit {_quoted(name)}; {hint}")
        numbers[unit] = numbers.get(unit, 0) + count
    return numbers


def units_written(units: Mapping[str, int], catalog: Catalog) -> str:
    """The text from which ``units_typed`` reads these units; ``none`` without units."""
    parts = [f"{count} {catalog.units[unit].short.lower()}" for unit, count in units.items()]
    return ", ".join(parts) or "none"


def _unit_by_name(units: Mapping[str, UnitType]) -> dict[str, str]:
    """Every lower-case name of a unit; a name belongs to the first unit that has it."""
    unit_by_name: dict[str, str] = {}
    for unit in units.values():
        for name in (unit.id.replace("_", " "), unit.id, unit.short, unit.name):
            # Some write a plain "s" where the plural is irregular.
            for spelling in (name, plural(name), f"{name}s"):
                unit_by_name.setdefault(spelling.lower(), unit.id)
    return unit_by_name


def _quoted(text: str) -> str:
    """What was typed in quotation marks, cut if it is long."""
    words = plain(text).strip()
    if len(words) > LONGEST_QUOTE:
        words = f"{words[:LONGEST_QUOTE]}…"
    return f"'{words}'"


def _nearest(name: str, names: Mapping[str, str]) -> str:
    """A sentence with the name that was probably meant; where there is none, with an example, since
    there are too many names to list."""
    beginning = name[:LONGEST_COMPARED]
    if nearest_name(beginning, names) is not None:
        return suggest(beginning, names)
    return "write them as in 8 rifle, 2 machinegun, 1 tank."
