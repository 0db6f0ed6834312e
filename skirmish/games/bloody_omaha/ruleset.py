"""What the playtest rules print (``data/bloody_omaha``), and what follows from it: squares,
modifiers, victory points. Other programs ask for the points."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Annotated, Any

import msgspec

from skirmish.tabletop.companion.result_table import Shift
from skirmish.tabletop.companion.sequence import SequencePhase, TurnSequence
from skirmish.tabletop.companion.typed_lines import TypedLines
from skirmish.tabletop.presets import PresetBook
from skirmish.tabletop.reading import DataError, Problem, read, suggest

CHANNEL, BEACH, RESERVE = "C", "B", "R"
"""A square is C1, B1 or, inland, its number alone; R is the Reinforcements box."""


class Strict(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class Board(Strict, frozen=True, kw_only=True, dict=True):
    """Rows of numbered squares: ``channel`` rows and one of beaches with so many ``columns``, then
    ``inland`` rows of another ``width``. ``landward``: C1 is in the row beside the beach; ``east``:
    1 where numbers rise to the east, else -1."""

    columns: int
    channel: int
    width: int
    inland: int
    landward: bool = True
    east: int = 1

    @cached_property
    def sea(self) -> tuple[tuple[str, ...], ...]:
        """The rows of the Channel by their numbers."""
        names = [f"{CHANNEL}{at + 1}" for at in range(self.columns * self.channel)]
        starts = range(0, len(names), self.columns)
        return tuple(tuple(names[at : at + self.columns]) for at in starts)

    @property
    def first_wave(self) -> tuple[str, ...]:
        return self.sea[0 if self.landward else -1]

    @cached_property
    def beaches(self) -> tuple[str, ...]:
        return tuple(f"{BEACH}{at + 1}" for at in range(self.columns))

    @cached_property
    def numbers(self) -> tuple[str, ...]:
        return tuple(str(at + 1) for at in range(self.width * self.inland))

    def beside(self, square: str) -> tuple[str, ...]:
        """The squares on land of the same kind that share a side with it; none at sea."""
        beach = square in self.beaches
        known, width = (self.beaches, self.columns) if beach else (self.numbers, self.width)
        if square not in known:
            return ()
        at = known.index(square)
        row = at - at % width
        near = (at - width, max(at - 1, row), min(at + 1, row + width - 1), at + width)
        return tuple(known[one] for one in near if one in range(len(known)) and one != at)

    def forward(self, square: str) -> str:
        """The next square towards the beach, or the beach itself."""
        at = int(square.removeprefix(CHANNEL))
        if square in self.first_wave:
            return self.beaches[(at - 1) % self.columns]
        return f"{CHANNEL}{at - self.columns if self.landward else at + self.columns}"

    def drifted(self, square: str, squares: int) -> str:
        """So many squares east; empty off the map."""
        row = next(row for row in self.sea if square in row)
        at = row.index(square) + squares * self.east
        return row[at] if at in range(len(row)) else ""


class Tier(Strict, frozen=True, kw_only=True):
    name: str
    exits: int
    points: int


class ModifierRule(Strict, frozen=True, kw_only=True):
    """``turns``: the first, the last (0: to the end), and the value; ``values`` by reason."""

    turns: tuple[tuple[int, int, int], ...]
    values: dict[str, int]


class TableRule(Strict, frozen=True, kw_only=True):
    """A table that the owner types in: its rows, and the results that a cell may hold with their
    keys; none: any text."""

    title: str
    low: int
    high: int
    keys: dict[str, str] = {}


class BloodyRules(Strict, frozen=True, kw_only=True):
    """``data/bloody_omaha/game.toml`` and the rulings of a game."""

    label: str
    exits: tuple[str, ...]
    southern: int
    reinforced_from: int
    mined: int
    phases: tuple[SequencePhase, ...]
    counts: dict[str, int]
    board: Board
    points: dict[str, int]
    tiers: dict[str, Tier]
    modifiers: dict[str, ModifierRule]
    tables: dict[str, TableRule]
    lines: dict[str, TypedLines]
    rulings: dict[str, str] = {}

    def ruled(self, id: str, answer: str) -> bool:
        return self.rulings.get(id) == answer


def read_rules(raw: Mapping[str, Any], book: PresetBook) -> BloodyRules:
    """The rules with the default rulings; raises DataError."""
    file = "bloody_omaha/game.toml"
    found = read(raw, BloodyRules, file)
    if problems := [*TurnSequence(phases=found.phases).problems()]:
        raise DataError(file, problems)
    return msgspec.structs.replace(found, rulings=book.defaults())


# ------------------------------------------------------------------ modifiers


REASONS = {
    "battalion": "a battalion",
    "strongpoint": "a strongpoint beside it",
    "division": "another division there",
    "assets": "more assets",
}


def modifiers(
    rules: BloodyRules,
    table: str,
    turn: int,
    *,
    battalion: bool = False,
    strongpoint: bool = False,
    division: bool = False,
    assets: int = 1,
) -> tuple[Shift, ...]:
    """The modifiers of a roll with their reasons. ``strongpoint``: an adjacent one is not cleared;
    ``division``: a unit of another one is there."""
    rule, found = rules.modifiers[table], list[Shift]()
    for first, last, value in rule.turns:
        if first <= turn and (turn <= last or not last):
            found.append(Shift(f"turns {first} to {last}" if last else f"turn {first} on", value))
    given = {"battalion": battalion, "strongpoint": strongpoint, "division": division,
             "assets": max(assets, 1) - 1}  # fmt: skip
    found += [Shift(REASONS[id], value * given[id]) for id, value in rule.values.items()]
    return tuple(one for one in found if one.value)


def only_division(found: Iterable[Shift]) -> bool:
    """Whether nothing but another division on the beach makes the roll worse: then nobody is
    eliminated by it."""
    return [one.label for one in found if one.value > 0] == [REASONS["division"]]


# ------------------------------------------------------------------ victory points


class ClearSquare(msgspec.Struct, frozen=True):
    """A cleared square inland that may bring points. ``number`` 0: only its exit is known."""

    number: int
    town: bool = False
    exit: str = ""


class Score(msgspec.Struct, frozen=True):
    """Points by source and in all, the exits that are clear, the result, and what the ``next`` one
    needs: more exits, more points; nothing at the best."""

    sources: tuple[Shift, ...]
    points: int
    exits: tuple[str, ...]
    tier: str
    next: str = ""
    more_exits: int = 0
    more_points: int = 0


def scored(rules: BloodyRules, counts: Mapping[str, int], cleared: Iterable[ClearSquare]) -> Score:
    """What was cleared, flipped and held back, by the names of ``points``. The holes between the
    printed results are marginal or, by ruling O3, still a defeat."""
    squares = tuple(cleared)
    exits = tuple(one.exit for one in squares if one.exit)
    towns = sum(one.town or bool(one.exit) for one in squares)
    south = sum(one.number >= rules.southern for one in squares)
    every = {**counts, "towns_and_exits": towns, "southern_row": south}
    sources = tuple(
        Shift(id.replace("_", " "), value * every[id]) for id, value in rules.points.items()
    )
    points, tier = sum(one.value for one in sources), "defeat"
    for id, needs in rules.tiers.items():
        if id == "marginal" and rules.ruled("O3", "highest"):
            continue
        more = max(needs.exits - len(exits), 0), max(needs.points - points, 0)
        if any(more):
            return Score(sources, points, exits, tier, id, *more)
        tier = id
    return Score(sources, points, exits, tier)


# ------------------------------------------------------------------ other programs

_SQUARE = re.compile(r"[HST]?(\d{1,2})")


class PointsQuestion(Strict, frozen=True, kw_only=True):
    """``cleared``: squares inland, each with what it has: ``T12``, ``H31``, ``S7 D1``, ``S9 town
    E1``; an exit may stand alone."""

    gaps: Annotated[int, msgspec.Meta(ge=0)] = 0
    strongpoints: Annotated[int, msgspec.Meta(ge=0)] = 0
    encounters: Annotated[int, msgspec.Meta(ge=0)] = 0
    cleared: tuple[str, ...] = ()
    reserves: Annotated[int, msgspec.Meta(ge=0)] = 0
    rulings: dict[str, str] = {}


def answer(rules: BloodyRules, book: PresetBook, line: bytes) -> dict[str, Any]:
    """Answers a line of JSON; raises DataError."""
    try:
        asked = read(msgspec.json.decode(line), PointsQuestion, "question")
    except msgspec.DecodeError as error:
        raise DataError("question", [Problem("", f"is not JSON: {error}.")]) from None
    problems = [*book.problems(asked.rulings)]
    for name in ("gaps", "strongpoints", "encounters", "reserves"):
        if getattr(asked, name) > rules.counts[name]:
            problems.append(Problem(name, f"there are {rules.counts[name]} at most."))
    squares = list[ClearSquare]()
    for at, text in enumerate(asked.cleared):
        try:
            squares.append(_clear_square(rules, text, squares))
        except ValueError as error:
            problems.append(Problem(f"cleared[{at}]", str(error)))
    if problems:
        raise DataError("question", problems)
    counts = {"gaps": asked.gaps, "strongpoints": asked.strongpoints,
              "encounters": asked.encounters, "reinforcements": asked.reserves}  # fmt: skip
    ruled = msgspec.structs.replace(rules, rulings=book.answered(asked.rulings))
    found = scored(ruled, counts, squares)
    needs = {"exits": found.more_exits, "points": found.more_points}
    return {
        "points": found.points,
        "by": {one.label.replace(" ", "_"): one.value for one in found.sources},
        "exits": len(found.exits),
        "tier": found.tier,
        **({"next": found.next, "needs": needs} if found.next else {}),
    }


def _clear_square(rules: BloodyRules, text: str, known: Iterable[ClearSquare]) -> ClearSquare:
    """Raises ValueError, a sentence."""
    numbers, exits, town = list[int](), list[str](), False
    for word in text.split():
        whole = _SQUARE.fullmatch(word)
        if word == "town":
            town = True
        elif word in rules.exits:
            exits.append(word)
        elif whole:
            numbers.append(int(whole[1]))
            town |= word[0] == "T"
        else:
            hint = suggest(word, ["town", *rules.exits])
            raise ValueError(f"{word!r} is no square (T12, H31, S7), town or exit; {hint}")
    if not exits and not numbers:
        raise ValueError("names no square, such as T12 or S7, and no exit.")
    if len(numbers) > 1 or len(exits) > 1:
        raise ValueError(f"{text} is more than one square or exit; each is a text of its own.")
    number, exit_ = next(iter(numbers), 0), next(iter(exits), "")
    if numbers and str(number) not in rules.board.numbers:
        raise ValueError(f"the squares inland run from 1 to {len(rules.board.numbers)}.")
    if any((number and one.number == number) or (exit_ and one.exit == exit_) for one in known):
        raise ValueError(f"{text} stands there twice.")
    return ClearSquare(number, town, exit_)
