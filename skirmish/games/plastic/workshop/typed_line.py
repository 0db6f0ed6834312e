"""A typed line being read: word after word, each as what has to stand in its place. Where the word
is something else, an EditError says what would be right."""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable, Collection, Sequence
from typing import Any

from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.workshop.draft import FARTHEST, EditError, ScenarioRules, map_of
from skirmish.tabletop import map_features
from skirmish.tabletop.battlefield import Battlefield
from skirmish.tabletop.data_file import suggest
from skirmish.tabletop.map_features import PartId
from skirmish.tabletop.plane import Point

COMMAND_WITH_TEXT = "set"
"""The command that takes the rest of its line as one text: ``set title The Mill``."""


def words_of_line(line: str) -> list[str]:
    """The words of a line, of which there is at least one. Raises EditError."""
    verb, _, rest = line.strip().partition(" ")
    if verb.casefold() == COMMAND_WITH_TEXT:
        # The text behind the key needs no quotation marks, and may have some in it.
        key, _, text = rest.strip().partition(" ")
        return [word for word in (verb, key, _unquoted(text.strip())) if word]
    words = split_words(line)
    if not words:
        raise EditError("The line is empty; help lists what can be typed.")
    return words


def split_words(text: str) -> list[str]:
    """The words of a text; several in quotation marks are one. Raises EditError."""
    try:
        return shlex.split(text)
    except ValueError:
        raise EditError("A quotation mark has no partner; type both, or none.") from None


def _unquoted(text: str) -> str:
    """A text without the quotation marks around it."""
    if len(text) > 1 and text[0] == text[-1] == '"':
        return text[1:-1]
    return text


class TypedLine:
    """A typed line being read: the scenario that it changes, and its ``words`` that are not read
    yet. Each method reads and removes those that it needs."""

    def __init__(self, scenario: Scenario, rules: ScenarioRules, words: Sequence[str]) -> None:
        self.scenario = scenario
        self.rules = rules
        self.words = list(words)

    @property
    def field(self) -> Battlefield:
        """The map of the scenario."""
        return map_of(self.scenario)

    def next_is_one_of(self, words: Collection[str]) -> bool:
        """Whether there is a next word and it is one of these, in capitals or not. It is not read
        yet."""
        return bool(self.words) and self.words[0].casefold() in words

    def next(self, meaning: str) -> str:
        """The next word. ``meaning``: what it stands for, for the EditError if there is none."""
        if not self.words:
            raise EditError(f"{meaning} is missing.")
        return self.words.pop(0)

    def point(self) -> Point:
        """The next word as a place. Raises EditError."""
        word = self.next("A place such as 48,30")
        place = _as_point(word)
        if place is None:
            raise EditError(f"{word} is no place; type one such as 48,30.")
        return place

    def points(self, fewest: int) -> tuple[Point, ...]:
        """All places that come next. Raises EditError if they are fewer than ``fewest``."""
        points = []
        while self.words and _as_point(self.words[0]) is not None:
            points.append(self.point())
        if len(points) < fewest:
            raise EditError(f"{fewest} places such as 48,30 are needed here, not {len(points)}.")
        return tuple(points)

    def number(self, meaning: str) -> float:
        """The next word as a number. ``meaning``: what it stands for, for an EditError."""
        word = self.next(meaning)
        try:
            number = float(word)
        except ValueError:
            number = math.nan
        if math.isnan(number) or abs(number) > FARTHEST:
            raise EditError(f"{meaning} is a number up to {FARTHEST}, not {word}.")
        return number

    def whole_number(self, meaning: str) -> int:
        """The next word as a number without a fraction; otherwise as ``number``."""
        number = self.number(meaning)
        if not number.is_integer():
            raise EditError(f"{meaning} is a whole number, not {number:g}.")
        return int(number)

    def side(self) -> str:
        """The next word as the id of a side, which is its nation. Raises EditError."""
        word = self.next("A side").casefold()
        sides = [side.id for side in self.scenario.sides]
        if word not in sides:
            raise EditError(f"There is no side {word}; {suggest(word, sides)}")
        return word

    def part_id(self) -> PartId:
        """The next word as the number of a feature of the map. Raises EditError."""
        word = self.next("The number of a feature")
        ids = map_features.part_ids(self.field)
        is_in_list = word.isdecimal() and 1 <= int(word) <= len(ids)
        if not is_in_list:
            raise EditError(f"There is no feature {word}; list names 1 to {len(ids)}.")
        return ids[int(word) - 1]  # people count features from 1

    def options(self, *flags: str, **readers: Callable[[TypedLine], Any]) -> dict[str, Any]:
        """The rest of the line as options by their words. An option is one of the ``flags``, which
        stand alone (``curve``: True), or has one of the ``readers``, which reads the value behind
        the word (``width 2``: 2.0). Raises EditError for any other word."""
        options: dict[str, Any] = {}
        while self.words:
            word = self.words.pop(0).casefold()
            if word in flags:
                options[word] = True
            elif word in readers:
                options[word] = readers[word](self)
            else:
                raise EditError(f"{word} is not known here; {suggest(word, [*flags, *readers])}")
        return options


def _as_point(word: str) -> Point | None:
    """``48,30`` as a place; None for any other word."""
    across, comma, upward = word.partition(",")
    if not comma:
        return None
    try:
        point = float(across), float(upward)
    except ValueError:
        return None
    if not all(math.isfinite(inches) for inches in point):
        return None
    return point


def number_reader(meaning: str) -> Callable[[TypedLine], float]:
    """A reader of the next word as a number, for ``TypedLine.options``. ``meaning``: what the
    number stands for, for an EditError."""

    def number(line: TypedLine) -> float:
        return line.number(meaning)

    return number


def size_of(word: str) -> tuple[float, float]:
    """The length and the depth that a word such as ``5x3.5`` names. Raises EditError."""
    length, _, depth = word.partition("x")
    try:
        size = float(length), float(depth)
    except ValueError:
        size = math.nan, math.nan
    # Python also reads "nan" and "inf" as numbers.
    if not all(math.isfinite(number) for number in size):
        raise EditError(f"{word} is no size; type one such as 5x3.5.")
    return size
