"""Where groups are, as players type it: ``2d5 3e4n`` means that group 2 is in square D5 and group 3
in the upper half of E4."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from skirmish.games.plastic.battle import orders
from skirmish.games.plastic.battle.commanders import Half, TableGroup
from skirmish.games.plastic.battle.orders import AnyOrder
from skirmish.tabletop.slots import UnfitAnswer

LONGEST_LINE = 80
"""Characters: enough for two dozen groups with their squares."""
PLACE_KEYS = "A group and its square, as 2d5 or b d5; 2 off: it is not on the table."
"""What can be typed, for the line below a refusal."""
HALVES: Mapping[str, Half] = {"": "", "n": "n", "e": "e", "s": "s", "w": "w"}
"""The halves of a square by the letter that is typed, which is also their id; without a letter, the
whole square."""
# ``d5``, ``d 12n``.
_SQUARE = re.compile(r"(?P<column>[a-z])\s*(?P<row>[1-9]\d?)\s*(?P<half>[nesw]?)")
# One of the places that are typed together: ``2d5n``, ``b off``, ``3c``, ``2-3``, ``4=``, ``1^``,
# ``6^>``; or one for several groups, ``123^``.
_PLACE = re.compile(
    r"""
    [\s,;]*
    (?P<group>\d+|[a-z]) \s*
    (?: (?P<off>off)
      | (?P<stays>=)
      | (?P<steps>[<>^v]+)
      | - \s* (?P<lost>[1-9]\d?)
      # A c before a number is a column of the map.
      | (?P<cover>c) (?!\d)
      # Of "2d13e4" the 3 is a group. Few tables have rows of two digits, and none has more than 20;
      # such a row ends the place, as in "2d13 3e4".
      | (?P<column>[a-z]) \s* (?P<row>(?:1\d|20)(?=[nesw]?(?:[\s,;]|$)) | [1-9])
        # A letter before another one, as the e of "2d5ef4", is a group.
        (?P<half>[nesw] (?! \s*(?:[a-z]\s*\d|off|c|[-=<>^v]) ))?
    )
    """,
    re.VERBOSE,
)


class MapSquare(NamedTuple):
    """A square of the map, or a half of it."""

    name: str
    half: Half


class Whereabouts(NamedTuple):
    """What players type about one group. One field is set besides ``group``, or ``columns`` and
    ``rows`` together."""

    group: str
    """The id of the group."""
    square: MapSquare | None
    """It is there; None: another field says where."""
    off: bool = False
    """It is not on the table."""
    other_cover: bool = False
    """It is in cover and not in the open as listed, or the other way round."""
    lost: int = 0
    """The number of the side's losses that were its own."""
    stays: bool = False
    """It has not moved, even if it is listed as having moved on."""
    columns: int = 0
    """The number of cells (six inches) that it has moved to the right; negative: to the left."""
    rows: int = 0
    """The number of cells that it has moved up the map; negative: down."""


Places: TypeAlias = tuple[Whereabouts, ...]
"""All that is typed at once about where groups are; empty: every group is where it is listed."""


def read_places(groups: Mapping[str, TableGroup], typed: str) -> Places:
    """The places in a line such as ``2d5``, ``b d5n``, ``2 off``, or several of them: ``2d5 3e4``,
    also without the space. ``groups``: by the letter or number that is typed for each. Raises
    UnfitAnswer."""
    text = typed.strip().lower()
    places = []
    position = 0
    while position < len(text):
        match = _PLACE.match(text, position)
        if match is None:
            rest = text[position:].strip()
            raise UnfitAnswer(f"{rest} is no group with its square.", key_note=PLACE_KEYS)
        for sign in _signs_in(match["group"], groups):
            places.append(_whereabouts(groups[sign].id, match))
        position = match.end()
    return tuple(places)


def read_square(text: str) -> MapSquare:
    """The square of a text such as ``d5`` or ``d5n``, in lower case. Raises UnfitAnswer."""
    match = _SQUARE.fullmatch(text)
    if match is None:
        raise UnfitAnswer(f"{text} is no square of the map.", key_note=PLACE_KEYS)
    return _map_square(match)


def place_order(side: str, where: Places, *, others_as_listed: bool = False) -> AnyOrder:
    """The order that tells the commander of a side where groups are. ``others_as_listed``: all
    groups that are not named have moved on as the list proposes."""
    elsewhere = [_order_about(side, place) for place in where if not place.stays]
    # Where the others have not moved on, that a group stays is nothing new.
    if len(elsewhere) == 1 and not others_as_listed:
        return elsewhere[0]
    stay = tuple(place.group for place in where if place.stays)
    return orders.SayPlaces(side=side, places=tuple(elsewhere), gone_on=others_as_listed, stay=stay)


def _signs_in(typed: str, groups: Mapping[str, TableGroup]) -> list[str]:
    """The letters or numbers of the groups that are named before a place: ``12`` is group 12, or 1
    and 2 where there is no group 12. Raises UnfitAnswer."""
    if typed in groups:
        return [typed]
    for sign in typed:
        if sign not in groups:
            raise UnfitAnswer(f"There is no group {sign}; the list has the groups.")
    return list(typed)


def _whereabouts(group: str, match: re.Match[str]) -> Whereabouts:
    """What a match of ``_PLACE`` says about a group."""
    square = None
    if match["column"]:
        square = _map_square(match)
    steps = Counter(match["steps"] or "")
    return Whereabouts(
        group,
        square,
        other_cover=bool(match["cover"]),
        lost=int(match["lost"] or 0),
        off=bool(match["off"]),
        stays=bool(match["stays"]) or _leads_back(steps),
        columns=steps[">"] - steps["<"],
        rows=steps["^"] - steps["v"],
    )


def _leads_back(steps: Counter[str]) -> bool:
    """Whether the steps that were typed end where they begin, as ``<>`` does."""
    return steps.total() > 0 and steps[">"] == steps["<"] and steps["^"] == steps["v"]


def _map_square(match: re.Match[str]) -> MapSquare:
    """The square in a match of ``_PLACE`` or ``_SQUARE``."""
    name = f"{match['column'].upper()}{match['row']}"
    return MapSquare(name, HALVES[match["half"] or ""])


def _order_about(side: str, place: Whereabouts) -> orders.SayWhere:
    """The order about a single group. Without any other field, which is what ``off`` comes to, it
    says that the group is not on the table."""
    if place.square is None:
        return orders.SayWhere(
            side=side,
            group=place.group,
            other_cover=place.other_cover,
            lost=place.lost,
            columns=place.columns,
            rows=place.rows,
        )
    return orders.SayWhere(
        side=side, group=place.group, square=place.square.name, half=place.square.half
    )
