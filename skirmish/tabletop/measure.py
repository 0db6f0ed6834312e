"""Distances in sentences: written in inches, shown in centimetres where a table uses them.

A no-break space separates the number and the unit of every distance. So nothing else is taken for a
distance ("8 in reach"), and a distance is never split at the end of a line.
"""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

Measure: TypeAlias = Literal["inches", "centimetres"]
"""The unit in which a player measures on the table."""
NO_BREAK = "\u00a0"
"""The space between a number and its unit."""
CENTIMETRES_AN_INCH = 2.5
"""As wargamers convert: 12 in are 30 cm."""

INCHES_A_FOOT = 12
_DISTANCE = re.compile(
    r"(?P<first>\d+(?:\.\d+)?)"
    r"(?:(?P<between> by | to |-)(?P<last>\d+(?:\.\d+)?))?"
    rf"{NO_BREAK}"
    r"(?P<unit>in|ft)\b"
)
"""A distance of a sentence, or a range of them: ``12 to 36 in``."""
_AFTER_INCHES = "from|of|off|away|apart|wide|deep|long|high|beyond|or|and|at"
"""Words before which ``in`` behind a number is a unit: ``6 in of the road``."""
_TYPED_SPACE = re.compile(
    rf"""
    (?<=\d)[ ]                          # a space behind a number,
    (?=
        ft\b                           # before "ft",
        | in$                          # or before "in" at the end: "within 6 in",
        | in[.,;:)]                    # before a sign: "6 in, or more",
        | in[ ](?:{_AFTER_INCHES})\b   # or before a word of distances: "6 in of the road",
    )                                  # but not "8 in reach" or "4 in buildings"
    """,
    re.VERBOSE,
)
"""The space between the number and the unit of a distance, as people type it."""


def with_marked_distances(text: str) -> str:
    """A text that a player wrote, with no-break spaces in its distances.

    >>> with_marked_distances("within 6 in of the road").replace(NO_BREAK, "_")
    'within 6_in of the road'
    >>> with_marked_distances("4 in buildings").replace(NO_BREAK, "_")
    '4 in buildings'
    """
    return _TYPED_SPACE.sub(NO_BREAK, text)


def inches(distance: float) -> str:
    """``6 in``, with a space that does not break."""
    return f"{distance:g}{NO_BREAK}in"


def number_in_measure(measure: Measure, distance: float) -> str:
    """A ``distance`` of so many inches as a number without its unit, in that measure.

    >>> number_in_measure("centimetres", 12)
    '30'
    """
    if measure == "centimetres":
        distance *= CENTIMETRES_AN_INCH
    return f"{distance:g}"


def in_centimetres(text: str) -> str:
    """The text with every distance in centimetres, including ``12 to 36 in``.

    >>> in_centimetres(f"within {inches(6)}").replace(NO_BREAK, " ")
    'within 15 cm'
    """
    return _DISTANCE.sub(_converted, text)


def _converted(distance: re.Match[str]) -> str:
    """A distance, or both ends of a range, in centimetres. What stands between two numbers stays:
    ``12 to 36``, ``2-3``."""
    centimetres_a_unit = CENTIMETRES_AN_INCH
    if distance["unit"] == "ft":
        centimetres_a_unit *= INCHES_A_FOOT
    first = _times(distance["first"], centimetres_a_unit)
    if distance["last"] is None:  # a single distance
        return f"{first}{NO_BREAK}cm"
    last = _times(distance["last"], centimetres_a_unit)
    return f"{first}{distance['between']}{last}{NO_BREAK}cm"


def _times(number: str, factor: float) -> str:
    """A written number, multiplied: ``15`` for ``6`` and 2.5."""
    return f"{float(number) * factor:g}"
