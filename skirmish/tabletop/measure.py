"""Distances in sentences: written in inches, shown in centimetres where a table uses them.

A no-break space separates the number and the unit of every distance. So nothing else is taken for a
distance ("8 in reach"), and a distance is never split at the end of a line.
"""

from __future__ import annotations

import re

NO_BREAK = "\u00a0"
CENTIMETRES = 2.5
"""To the inch, as wargamers convert: 12 in are 30 cm."""

_FEET = 12
_DISTANCE = re.compile(
    rf"(?P<first>\d+(?:\.\d+)?)(?P<to>(?: by | to |-)(?P<last>\d+(?:\.\d+)?))?{NO_BREAK}"
    r"(?P<unit>in|ft)\b"
)


def inches(distance: float) -> str:
    return f"{distance:g}{NO_BREAK}in"


def in_centimetres(text: str) -> str:
    """The text with every distance in centimetres, including ``12 to 36 in``."""
    return _DISTANCE.sub(_converted, text)


def _converted(found: re.Match[str]) -> str:
    per_unit = CENTIMETRES * (_FEET if found["unit"] == "ft" else 1)
    first = f"{float(found['first']) * per_unit:g}"
    if not found["to"]:
        return f"{first}{NO_BREAK}cm"
    between = found["to"][: -len(found["last"])]
    return f"{first}{between}{float(found['last']) * per_unit:g}{NO_BREAK}cm"
