"""What the playtest rules print (``data/bloody_omaha``), and what follows from it: the board,
modifiers, victory points. What they do not print is in ``owned``.

Numbers such as 6.5.a are paragraphs of the playtest rules 2.1, O1 to O33 rulings in
``data/bloody_omaha/rulings.toml``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import msgspec

from skirmish.tabletop.companion import score
from skirmish.tabletop.companion.modifiers import RollModifiers, Shift
from skirmish.tabletop.companion.result_table import TableRule
from skirmish.tabletop.companion.sequence import SequencePhase, TurnSequence
from skirmish.tabletop.companion.squares import SquareRows
from skirmish.tabletop.companion.typed_lines import TypedLines
from skirmish.tabletop.data_file import DataError, Strict, read
from skirmish.tabletop.presets import PresetBook

CHANNEL, BEACH, RESERVE = "C", "B", "R"
"""A square is C1, B1 or, inland, its number alone; R is the Reinforcements box."""
KINDS = {"H": "hedgerow", "T": "town", "S": "strongpoint"}
"""The kinds of squares inland, by the letter with which each is typed."""
TERRAINS = ("channel", "beach", *KINDS.values())
"""Every kind of square; each has its own table of random events."""
EVENT, MINES, SNIPER, STUG = "event", "mines", "sniper", "stug"
"""What a German token may be that has no number (8.1)."""


# ``dict=True``: a struct has no ``__dict__``, in which ``cached_property`` stores its value.
class Board(Strict, frozen=True, kw_only=True, dict=True):
    """The rows of numbered squares: those of the Channel, that of the beaches, those inland."""

    columns: int
    """How many squares each row of the Channel has, and the row of beaches."""
    channel: int
    """How many rows the Channel has."""
    width: int
    """How many squares each row inland has."""
    inland: int
    """How many rows there are inland."""
    landward: bool = True
    """Whether the numbers of the Channel begin in the row beside the beach (O32); otherwise they
    end there."""
    east: int = 1
    """1 where the numbers rise to the east, else -1."""

    @cached_property
    def sea(self) -> SquareRows:
        """The rows of the Channel by their numbers."""
        numbers = range(1, self.columns * self.channel + 1)
        return SquareRows(tuple(f"{CHANNEL}{number}" for number in numbers), self.columns)

    @property
    def first_wave(self) -> tuple[str, ...]:
        """The row of the Channel beside the beach (O32)."""
        if self.landward:
            return self.sea.rows[0]
        return self.sea.rows[-1]

    @cached_property
    def beaches(self) -> tuple[str, ...]:
        """``B1`` to ``B9``."""
        return tuple(f"{BEACH}{number}" for number in range(1, self.columns + 1))

    @cached_property
    def land(self) -> SquareRows:
        """The rows inland, by their numbers alone."""
        numbers = range(1, self.width * self.inland + 1)
        return SquareRows(tuple(map(str, numbers)), self.width)

    def beside(self, square: str) -> tuple[str, ...]:
        """The squares that share a side with a square inland or with a beach; none at sea. Beaches
        are beside beaches only: printed arrows show which squares inland they lead to."""
        return self.land.beside(square) or SquareRows(self.beaches, self.columns).beside(square)

    def forward(self, square: str) -> str:
        """The next square towards the beach, or the beach itself."""
        number = int(square.removeprefix(CHANNEL))
        # From the last row at sea it goes onto the beach of the same column.
        if square in self.first_wave:
            column = (number - 1) % self.columns
            return self.beaches[column]
        if self.landward:
            return f"{CHANNEL}{number - self.columns}"
        return f"{CHANNEL}{number + self.columns}"

    def drifted(self, square: str, squares: int) -> str:
        """The square at sea that is ``squares`` to the east of another; empty off the map."""
        # The printed numbers may rise to the east or to the west (``east``).
        return self.sea.along(square, squares * self.east)


class Tier(Strict, frozen=True, kw_only=True):
    """A result of the game, with the exits and points that are needed for it (2.2)."""

    name: str
    exits: int
    points: int


class BloodyRules(Strict, frozen=True, kw_only=True):
    """``data/bloody_omaha/game.toml`` and the rulings of a game."""

    label: str
    """Whose rules they are."""
    exits: tuple[str, ...]
    """The names of the beach exits."""
    southern: int
    """The first number of the southernmost row."""
    reinforced_from: int
    """The first turn of reinforcements."""
    mined: int
    """The highest roll with which mines hit."""
    phases: tuple[SequencePhase, ...]
    counts: dict[str, int]
    """How many there are of each thing in the printed game."""
    board: Board
    points: dict[str, int]
    """What each source of victory points brings."""
    tiers: dict[str, Tier]
    """The results of a game."""
    modifiers: dict[str, RollModifiers]
    tables: dict[str, TableRule]
    lines: dict[str, TypedLines]
    """The kinds of lines that an owner types in; how many there are of each stands in
    ``counts``."""
    rulings: dict[str, str] = msgspec.field(default_factory=dict)

    def ruled(self, id: str, answer: str) -> bool:
        """Whether that is the answer to a ruling in this game."""
        return self.rulings.get(id) == answer


def read_rules(raw: Mapping[str, Any], book: PresetBook) -> BloodyRules:
    """The rules with the default rulings; raises DataError."""
    file = "bloody_omaha/game.toml"
    rules = read(raw, BloodyRules, file)
    problems = [*TurnSequence(phases=rules.phases).problems()]
    if problems:
        raise DataError(file, problems)
    return msgspec.structs.replace(rules, rulings=book.defaults())


# ------------------------------------------------------------------ modifiers


REASONS = {
    "battalion": "a battalion",
    "strongpoint": "a strongpoint beside it",
    "division": "another division there",
    "assets": "more assets",
}
"""The reasons of modifiers in words, by their ids in the data."""


def modifiers(
    rules: BloodyRules, table: str, turn: int, *, assets: int = 1, **given: bool
) -> tuple[Shift, ...]:
    """The modifiers of a roll with their reasons (6.2.a, 6.5.a, 8.5.a). ``given`` are reasons of
    ``REASONS``: a ``battalion`` rolls, an adjacent ``strongpoint`` is not cleared, a unit of
    another ``division`` is there."""
    # How often each reason counts: each engineer asset after the first, everything else once.
    times = dict.fromkeys(REASONS, 0)
    times["assets"] = max(assets, 1) - 1
    for reason, is_given in given.items():
        if is_given:
            times[reason] = 1
    return rules.modifiers[table].shifts(turn, times, REASONS)


def only_division(shifts: Iterable[Shift]) -> bool:
    """Whether nothing but another division on the beach makes the roll worse: then nobody is
    eliminated by it (6.5.a)."""
    worse = [shift.label for shift in shifts if shift.value > 0]
    return worse == [REASONS["division"]]


# ------------------------------------------------------------------ victory points


class ClearSquare(msgspec.Struct, frozen=True):
    """A cleared square inland that may bring points."""

    number: int
    """0 if only its exit is known."""
    town: bool = False
    exit: str = ""


def scored(
    rules: BloodyRules, counts: Mapping[str, int], cleared: Iterable[ClearSquare]
) -> score.Scoring:
    """The points and the result of a game. ``counts``: how many gaps and tokens were taken and how
    many reinforcements held back, by the sources of ``rules.points``; the other sources follow from
    the ``cleared`` squares. Some numbers of exits and points fall between the printed results.
    They make a marginal result, or by a ruling (O3) the highest result that is met in full."""
    squares = tuple(cleared)
    exits = [square for square in squares if square.exit]
    # 2.3.d: a town that is an exit counts once.
    towns_and_exits = [square for square in squares if square.town or square.exit]
    southern_row = [square for square in squares if square.number >= rules.southern]
    all_counts = {
        **counts,
        "towns_and_exits": len(towns_and_exits),
        "southern_row": len(southern_row),
    }
    worth = {id: value * all_counts[id] for id, value in rules.points.items()}
    # A ``Shift`` serves for a source: it is a label with a number, here of points.
    sources = tuple(Shift(id.replace("_", " "), value) for id, value in worth.items())
    has_marginal_result = not rules.ruled("O3", "highest")
    tiers = {}
    for id, tier in rules.tiers.items():
        if has_marginal_result or id != "marginal":
            tiers[id] = {"exits": tier.exits, "points": tier.points}
    reached = {"exits": len(exits), "points": sum(worth.values())}
    names = {id: tier.name for id, tier in rules.tiers.items()}
    return score.scored(sources, reached, tiers, lowest="defeat", names=names)
