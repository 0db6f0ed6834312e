"""Questions of other programs about victory points, each a line of JSON, and their answers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec.structs import replace

from skirmish.games.bloody_omaha.ruleset import BloodyRules, ClearSquare, scored
from skirmish.tabletop.data_file import DataError, Problem, Strict, read_question, suggest
from skirmish.tabletop.presets import PresetBook

_SQUARE = re.compile(r"[HST]?\d{1,2}")
"""A square inland in a question, with or without the letter of its kind (``ruleset.KINDS``: H
hedgerow, S strongpoint, T town): ``T12``, ``7``."""


class PointsQuestion(Strict, frozen=True, kw_only=True):
    """A question about the victory points for what was taken and held back."""

    gaps: Annotated[int, msgspec.Meta(ge=0)] = 0
    """The obstacles of beaches that were blown."""
    strongpoints: Annotated[int, msgspec.Meta(ge=0)] = 0
    """The strongpoint tokens that were taken."""
    encounters: Annotated[int, msgspec.Meta(ge=0)] = 0
    """The encounter tokens that were taken."""
    cleared: tuple[str, ...] = ()
    """Squares inland, each with what it has: ``T12``, ``H31``, ``S7 D1``, ``S9 town E1``; an exit
    may stand alone."""
    reserves: Annotated[int, msgspec.Meta(ge=0)] = 0
    """The units that are still in the Reinforcements box."""
    rulings: dict[str, str] = msgspec.field(default_factory=dict)


def answer(rules: BloodyRules, book: PresetBook, line: bytes) -> dict[str, Any]:
    """The answer to a line of JSON. Raises DataError."""
    asked = read_question(line, PointsQuestion)
    problems = [*book.problems(asked.rulings)]
    # By the names of the question, which are those of ``rules.counts``.
    asked_counts = {
        "gaps": asked.gaps,
        "strongpoints": asked.strongpoints,
        "encounters": asked.encounters,
        "reserves": asked.reserves,
    }
    for name, count in asked_counts.items():
        if count > rules.counts[name]:
            problems.append(Problem(name, f"there are {rules.counts[name]} at most."))
    read_squares = _clear_squares(rules, asked.cleared)
    squares = read_squares.squares
    problems += read_squares.problems
    if problems:
        raise DataError("question", problems)
    # The same counts by the sources of ``rules.points``.
    counts = {
        "gaps": asked.gaps,
        "strongpoints": asked.strongpoints,
        "encounters": asked.encounters,
        "reinforcements": asked.reserves,
    }
    rules = replace(rules, rulings=book.answered(asked.rulings))
    scoring = scored(rules, counts, squares)
    reply: dict[str, Any] = {
        "points": scoring.points,
        "by": {source.label.replace(" ", "_"): source.value for source in scoring.sources},
        "exits": len([square for square in squares if square.exit]),
        "tier": scoring.tier,
    }
    if scoring.next:
        reply |= {"next": scoring.next, "needs": scoring.needs}
    return reply


class _ClearSquaresRead(NamedTuple):
    """The squares of a question, and what is wrong with their texts."""

    squares: list[ClearSquare]
    problems: list[Problem]


def _clear_squares(rules: BloodyRules, texts: Iterable[str]) -> _ClearSquaresRead:
    """Reads the squares of a question. There are only so many strongpoint squares (3.5.d), and only
    some of them have a town (3.2.d)."""
    squares: list[ClearSquare] = []
    problems: list[Problem] = []
    strongpoints = towns = 0
    most_strongpoints = rules.counts["strongpoints"]
    most_towns = rules.counts["towns"]
    for index, text in enumerate(texts):
        key = f"cleared[{index}]"
        try:
            words = _read_words(rules, text)
            square = _clear_square(rules, words)
            _refuse_twice(text, square, squares)
        except ValueError as error:
            problems.append(Problem(key, str(error)))
            continue
        squares.append(square)
        if not _is_strongpoint(words.letter, square):
            continue
        strongpoints += 1
        if square.town:
            towns += 1
        if strongpoints > most_strongpoints:
            why = f"there are {most_strongpoints} strongpoint squares at most (3.5.d)."
            problems.append(Problem(key, why))
        elif square.town and towns > most_towns:
            why = f"{most_towns} strongpoints at most have a town (3.2.d)."
            problems.append(Problem(key, why))
    return _ClearSquaresRead(squares, problems)


def _is_strongpoint(letter: str, square: ClearSquare) -> bool:
    """Whether a square is a strongpoint: an exit always is in one, and so is a town that is not on
    a T square. ``letter``: that of the kind of the square; empty if it is not typed."""
    if letter == "S" or square.exit:
        return True
    return square.town and letter != "T"


def _clear_square(rules: BloodyRules, words: _SquareWords) -> ClearSquare:
    """The square that is named by these words. Raises ValueError with a sentence."""
    letter = words.letter
    number = 0
    if words.square:
        number = _number_of(rules, words.square)
    has_exit_or_town = bool(words.exit) or words.town
    is_more_than_hedgerow = has_exit_or_town or letter in ("S", "T")
    if number >= rules.southern and is_more_than_hedgerow:
        raise ValueError(f"from {rules.southern} on every square is hedgerow.")
    if has_exit_or_town and letter in ("H", "T"):
        raise ValueError("only a strongpoint has a town or an exit behind its number.")
    return ClearSquare(number, words.town or letter == "T", words.exit)


class _SquareWords(NamedTuple):
    """The words of a square as it is typed."""

    square: str
    """Its letter and number; empty if only its exit is named."""
    exit: str
    """Empty if none is named."""
    town: bool

    @property
    def letter(self) -> str:
        """The letter of its kind; empty if it is not typed."""
        return self.square.rstrip("0123456789")


def _read_words(rules: BloodyRules, text: str) -> _SquareWords:
    """The words of a text such as ``S9 town E1``. Raises ValueError."""
    words = text.split()
    squares = [word for word in words if _SQUARE.fullmatch(word)]
    exits = [word for word in words if word in rules.exits]
    for word in words:
        if word not in (*squares, *exits, "town"):
            hint = suggest(word, ["town", *rules.exits])
            raise ValueError(f"{word!r} is no square (T12, H31, S7), town or exit; {hint}")
    if not exits and not squares:
        raise ValueError("names no square, such as T12 or S7, and no exit.")
    if len(squares) > 1 or len(exits) > 1:
        raise ValueError(f"{text} is more than one square or exit; each is a text of its own.")
    square = exit_name = ""
    if squares:
        square = squares[0]
    if exits:
        exit_name = exits[0]
    return _SquareWords(square, exit_name, "town" in words)


def _number_of(rules: BloodyRules, square: str) -> int:
    """The number of a square, such as 12 of ``T12``. Raises ValueError."""
    number = int(square.lstrip("HST"))
    names = rules.board.land.names
    if str(number) not in names:
        raise ValueError(f"the squares inland run from 1 to {len(names)}.")
    return number


def _refuse_twice(text: str, square: ClearSquare, squares_before: Iterable[ClearSquare]) -> None:
    """Raises ValueError if the number or the exit of a square was named before."""
    for before in squares_before:
        same_number = square.number and before.number == square.number
        same_exit = square.exit and before.exit == square.exit
        if same_number or same_exit:
            raise ValueError(f"{text} stands there twice.")
