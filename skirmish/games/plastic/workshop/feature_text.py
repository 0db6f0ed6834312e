"""The features of a map in words: a short description of each, a numbered list of all, and the
values of one as a line of text that an author changes (``kind=mg facing=290``)."""

from __future__ import annotations

import shlex
from typing import Any, TypeVar

import msgspec

from skirmish.games.plastic.scenarios.grid import square_name
from skirmish.games.plastic.scenarios.laying import kind_name
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.workshop.draft import EditError, map_of
from skirmish.games.plastic.workshop.typed_line import split_words
from skirmish.tabletop import map_features, map_motions
from skirmish.tabletop.battlefield import (
    Area,
    Arrow,
    Building,
    Circle,
    Dimension,
    Label,
    Line,
    MapMark,
    MapPart,
    Slope,
    Zone,
)
from skirmish.tabletop.data_file import UNREADABLE, DataError, fields, read, table_of
from skirmish.tabletop.plane import Point

PLACE_FIELDS = ("at", "points", "crest", "foot", "start", "end")
"""Fields that hold the places of a feature: authors change these on the map and not in its line of
values."""
TEXT_FIELDS = ("kind", "side", "mark", "text", "means", "letter", "style", "fill")
"""Fields that hold a text even where it looks like a number: a mark may be called ``1``."""
PartT = TypeVar("PartT", bound=MapPart)


def described(part: MapPart) -> str:
    """A feature of the map in a few words: ``Road from 0,30 to 96,30``."""
    match part:
        case Line():
            start, end = _place(part.points[0]), _place(part.points[-1])
            return f"{kind_name(part.kind)} from {start} to {end}"
        case Area() | MapMark():
            return f"{kind_name(part.kind)} at {_middle_words(part)}"
        case Building():
            number = ""
            if part.number:
                number = f" {part.number}"
            length, depth = part.size
            size = f"{length:g} by {depth:g} in"
            return f"{kind_name(part.kind)}{number} at {_middle_words(part)}, {size}"
        case Slope():
            kind = "Slope"
            if part.ring:
                kind = "Hill"
            return f"{kind} at {_middle_words(part)}"
        case Zone():
            return f"Zone {part.letter} ({part.side}) at {_middle_words(part)}"
        case Arrow():
            return f"Arrow ({part.side}) at {_middle_words(part)}"
        case Dimension():
            meaning = ""
            if part.means:
                meaning = f": {part.means}"
            return f"Distance from {_place(part.start)} to {_place(part.end)}{meaning}"
        case Circle():
            return f"Circle at {_middle_words(part)}, {part.radius:g} in"
        case Label():
            return f"Name “{part.text}” at {_middle_words(part)}"
    raise TypeError(f"unknown part of a map: {type(part).__name__}")


def _middle_words(part: MapPart) -> str:
    """Where the middle of a feature is, with its square."""
    middle = map_motions.middle(part)
    return f"{_place(middle)} ({square_name(middle)})"


def _place(point: Point) -> str:
    """``30,20``, as places are typed."""
    x, y = point
    return f"{x:g},{y:g}"


def listing(scenario: Scenario) -> list[str]:
    """All features of the map with their numbers, a line each."""
    battlefield = map_of(scenario)
    lines = []
    for number, part_id in enumerate(map_features.part_ids(battlefield), 1):
        part = map_features.part_of(battlefield, part_id)
        lines.append(f"{number:>3}  {described(part)}")
    return lines


def values_of(part: MapPart) -> str:
    """The values of a feature besides its places, as a line of text for ``with_values``:
    ``kind=mg facing=290 mark=M``. Values that are the default stand there, too, so that an author
    sees what can be changed."""
    words = []
    for part_field in fields(type(part)):
        name = part_field.encode_name
        if name in PLACE_FIELDS:
            continue
        # As it stands in a file: a text, number, truth, list or table; None where there is none.
        file_value = table_of(getattr(part, part_field.name))
        text = ""
        if isinstance(file_value, str):
            text = file_value
        elif file_value is not None:
            text = msgspec.json.encode(file_value).decode()
        if text:  # an empty text would become two quotation marks
            text = shlex.quote(text)
        words.append(f"{name}={text}")
    return " ".join(words)


def with_values(part: PartT, typed_values: str) -> PartT:
    """A feature with the places that it has and these values besides, which an author typed;
    ``mark=`` without a value means the default. Raises EditError."""
    table = {name: value for name, value in table_of(part).items() if name in PLACE_FIELDS}
    for word in split_words(typed_values):
        name, equals, text = word.partition("=")
        if not equals:
            raise EditError(f"{word} is not clear; type NAME=VALUE, such as facing=290.")
        if not text:
            continue
        if name in TEXT_FIELDS:
            table[name] = text
        else:
            table[name] = _typed_value(text)
    try:
        return read(table, type(part), file="")
    except DataError as error:
        raise EditError.from_problems(error.problems) from None


def _typed_value(text: str) -> Any:
    """A number, true or false, a list or a table, in JSON as ``values_of`` writes them; anything
    else is a text."""
    try:
        return msgspec.json.decode(text)
    except UNREADABLE:
        return text
