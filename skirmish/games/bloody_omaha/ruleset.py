"""What the playtest rules print (``data/bloody_omaha``), and what follows from it: squares,
modifiers, victory points; and what they do not print, which the owner types in. Nothing of that is
shipped. Other programs ask for the points.

Numbers such as 6.5.a are paragraphs of the playtest rules 2.1, O1 to O33 rulings in
``data/bloody_omaha/rulings.toml``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Annotated, Any, ClassVar, NamedTuple

import msgspec

from skirmish.tabletop.companion import result_table, score
from skirmish.tabletop.companion.hand import CardLines, cards_problem
from skirmish.tabletop.companion.result_table import ResultTable, RollModifiers, Shift, TableRule
from skirmish.tabletop.companion.sequence import SequencePhase, TurnSequence
from skirmish.tabletop.companion.squares import Rows
from skirmish.tabletop.companion.typed_lines import TypedLines
from skirmish.tabletop.companion.typed_tables import TypedTables
from skirmish.tabletop.data_file import DataError, Problem, Strict, read, read_question, suggest
from skirmish.tabletop.presets import PresetBook

CHANNEL, BEACH, RESERVE = "C", "B", "R"
"""A square is C1, B1 or, inland, its number alone; R is the Reinforcements box."""
KINDS = {"H": "hedgerow", "T": "town", "S": "strongpoint"}
"""The kinds of squares inland, by the letter with which each is typed."""
TERRAINS = ("channel", "beach", *KINDS.values())
"""Every kind of square; each has its own table of random events."""
EVENT, MINES, SNIPER, STUG = "event", "mines", "sniper", "stug"
"""What a German token may be that has no number (8.1)."""


class Board(Strict, frozen=True, kw_only=True, dict=True):
    """The rows of numbered squares: those of the channel, one of beaches, those inland."""

    columns: int
    """How many squares a row of the channel has, and that of the beaches."""
    channel: int
    """How many rows the channel has."""
    width: int
    """How many squares a row inland has."""
    inland: int
    """How many rows there are inland."""
    landward: bool = True
    """Whether the numbers of the Channel begin beside the beach (O32): then C1 is in the row there;
    else they end there."""
    east: int = 1
    """1 where the numbers rise to the east, else -1."""

    @cached_property
    def sea(self) -> Rows:
        """The rows of the Channel by their numbers."""
        numbers = range(1, self.columns * self.channel + 1)
        return Rows(tuple(f"{CHANNEL}{number}" for number in numbers), self.columns)

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
    def land(self) -> Rows:
        """The rows inland, by their numbers alone."""
        numbers = range(1, self.width * self.inland + 1)
        return Rows(tuple(map(str, numbers)), self.width)

    def beside(self, square: str) -> tuple[str, ...]:
        """The squares on land of the same kind that share a side with it; none at sea."""
        # Beaches are beside beaches only: which squares inland they lead to is printed as arrows.
        return self.land.beside(square) or Rows(self.beaches, self.columns).beside(square)

    def forward(self, square: str) -> str:
        """The next square towards the beach, or the beach itself."""
        number = int(square.removeprefix(CHANNEL))
        # From the last row at sea straight onto the beach before it.
        if square in self.first_wave:
            column = (number - 1) % self.columns
            return self.beaches[column]
        if self.landward:
            return f"{CHANNEL}{number - self.columns}"
        return f"{CHANNEL}{number + self.columns}"

    def drifted(self, square: str, squares: int) -> str:
        """The square at sea that is ``squares`` to the east of another; empty off the map."""
        # The text speaks of east and west, the printed numbers may run either way (``east``).
        return self.sea.along(square, squares * self.east)


class Tier(Strict, frozen=True, kw_only=True):
    """A result of the game with the exits and points that it takes (2.2)."""

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
        """Whether that is the answer to a gap in this game."""
        return self.rulings.get(id) == answer


def read_rules(raw: Mapping[str, Any], book: PresetBook) -> BloodyRules:
    """The rules with the default rulings; raises DataError."""
    file = "bloody_omaha/game.toml"
    rules = read(raw, BloodyRules, file)
    problems = [*TurnSequence(phases=rules.phases).problems()]
    if problems:
        raise DataError(file, problems)
    return msgspec.structs.replace(rules, rulings=book.defaults())


# ------------------------------------------------------------------ what its owner types in


def problem(rules: BloodyRules, id: str, lines: tuple[str, ...]) -> str:
    """What is wrong with all lines of a kind together; empty if nothing is."""
    due = rules.counts.get(rules.lines[id].count_name, 1)
    # None is no mistake: they are typed in later, or not at all.
    if id == "tanks" and 0 < len(lines) < due:
        return f"There are {due}, not {len(lines)}."
    if id == "columns" and lines:
        return result_table.leasts_problem(lines[0].split()[1:])
    if id == "cards":
        return cards_problem(lines)
    if id == "squares":
        return _squares_problem(rules, lines)
    return ""


def _squares_problem(rules: BloodyRules, lines: tuple[str, ...]) -> str:
    """What is wrong with the squares inland. While some are still to be typed in, too few of a kind
    are no mistake yet."""
    squares = [rules.lines["squares"].matched(line) for line in lines]
    strongpoints = [square for square in squares if square["letter"] == "S"]
    # Reported before anything is counted, since a wrong letter would make every count wrong.
    for square in squares:
        if square["letter"] != "H" and int(square["name"]) >= rules.southern:
            return f"From {rules.southern} on every square is hedgerow."
    for square in squares:
        if square["letter"] != "S" and (square["town"] or square["exit"]):
            return "Only a strongpoint has + or an exit."
    whole = len(lines) == rules.counts["squares"]
    return _strongpoints_problem(rules, strongpoints, whole=whole)


def _strongpoints_problem(
    rules: BloodyRules, strongpoints: Sequence[re.Match[str]], *, whole: bool
) -> str:
    """What is wrong with the strongpoints; ``whole``: there are no others."""
    exits = [square["exit"] for square in strongpoints if square["exit"]]
    # An exit that stands twice may hide one that is missing.
    twice = len({*exits}) < len(exits)
    if twice or {*exits} - {*rules.exits}:
        return f"The exits are {', '.join(rules.exits)}, each once."
    # 3.5.d and 3.2.d: 13 strongpoints, five of them with a town.
    towns = [square for square in strongpoints if square["town"]]
    for name, where, count in (
        ("strongpoints", "", len(strongpoints)),
        ("towns", " in strongpoints", len(towns)),
    ):
        due = rules.counts[name]
        some_are_missing = whole and count < due
        if count > due or some_are_missing:
            return f"There are {due} {name}{where}, not {count}."
    if whole and len(exits) < len(rules.exits):
        return f"The exits are {', '.join(rules.exits)}."
    return ""


class SquarePrinted(msgspec.Struct, frozen=True):
    """A square inland as it is printed. ``town``: there is one, in a strongpoint or alone;
    ``exit``: the name of its beach exit."""

    kind: str = "hedgerow"
    town: bool = False
    exit: str = ""


class AttackColumns(NamedTuple):
    """What chooses the column of the attack table, and the least value for each column, as text."""

    chosen_by: str
    leasts: list[str]


class OwnersGame(CardLines, frozen=True, kw_only=True, dict=True, omit_defaults=True):
    """Everything that the owner has typed in but the cells of tables. Each field has the lines of
    one kind, such as ``Able, 29th, 4/2, C5`` for a unit; ``lines`` of ``BloodyRules`` says what the
    lines of a kind look like."""

    turns: tuple[str, ...] = ()
    squares: tuple[str, ...] = ()
    arrows: tuple[str, ...] = ()
    strongpoints: tuple[str, ...] = ()
    encounters: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    tanks: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()

    @cached_property
    def square(self) -> dict[str, SquarePrinted]:
        """What is printed on squares inland, by their numbers."""
        printed = {}
        for line in self.squares:
            letter = line[0]
            # As it is typed: ``S34+/D1`` is a strongpoint with a town and exit D1.
            number, _, exit_name = line[1:].partition("/")
            town = number.endswith("+") or letter == "T"
            printed[number.rstrip("+")] = SquarePrinted(KINDS[letter], town, exit_name)
        return printed

    @cached_property
    def arrow(self) -> dict[str, tuple[str, ...]]:
        """The squares inland that a beach leads to."""
        leads = {}
        for line in self.arrows:
            beach, *squares = line.split()
            leads[beach] = tuple(squares)
        return leads

    @property
    def attack_columns(self) -> AttackColumns:
        """The columns of the attack table, as the owner typed them; empty if he has not."""
        if not self.columns:
            return AttackColumns("", [])
        chosen_by, *leasts = self.columns[0].split()
        return AttackColumns(chosen_by, leasts)


class BloodyTables(TypedTables, frozen=True, kw_only=True):
    """The printed tables that an owner has typed in."""

    TITLES: ClassVar[Mapping[str, str]] = {
        terrain: f"Random events, {terrain}" for terrain in TERRAINS
    }
    ROLLS: ClassVar[range] = range(1, 7)

    drift: ResultTable
    disruption: ResultTable
    """Beach Disruption: the words D, E, I+, I-, A+ and A- in its cells are carried out."""
    engineers: ResultTable
    attack: ResultTable


def blank_tables(rules: BloodyRules, owned: OwnersGame) -> BloodyTables:
    """The tables without a cell typed in; the attack table has the columns that the owner typed."""
    tables: dict[str, Any] = {}
    for id, rule in rules.tables.items():
        leasts: list[str] = []
        if id == "attack":
            leasts = owned.attack_columns.leasts
        tables[id] = rule.blank(id, leasts)
    return BloodyTables(**tables)


class OwnersFile(OwnersGame, frozen=True, kw_only=True, dict=True, omit_defaults=True):
    """What an owner has typed in, as a file: his lines and the tables."""

    tables: BloodyTables | None = None

    def table_problems(self) -> Iterator[Problem]:
        """What is wrong with the tables, whose attack table has to have the columns of the file."""
        if self.tables is None:
            return
        titles = [column.title for column in self.tables.attack.columns]
        leasts = self.attack_columns.leasts
        # The cells of a file stand below its columns; with others they would mean something else.
        if titles != (leasts or [result_table.ONLY]):
            text = "have to be those after “columns” at the top of the file."
            yield Problem("tables.attack.columns", text)
        # They are printed in the rules and not on the owner's card, so the program has them.
        if self.tables.values:
            yield Problem("tables.values", "the printed modifiers cannot be changed.")


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
    """The modifiers of a roll with their reasons (6.2.a, 6.5.a, 8.5.a): a ``battalion`` rolls, an
    adjacent ``strongpoint`` is not cleared, a unit of another ``division`` is there."""
    # How often each reason counts; of the assets each after the first.
    times = {**dict.fromkeys(REASONS, 0), **given, "assets": max(assets, 1) - 1}
    return rules.modifiers[table].shifts(turn, times, REASONS)


def only_division(shifts: Iterable[Shift]) -> bool:
    """Whether nothing but another division on the beach makes the roll worse: then nobody is
    eliminated by it (6.5.a)."""
    worse = [shift.label for shift in shifts if shift.value > 0]
    return worse == [REASONS["division"]]


# ------------------------------------------------------------------ victory points


class ClearSquare(msgspec.Struct, frozen=True):
    """A cleared square inland that may bring points. ``number`` 0: only its exit is known."""

    number: int
    town: bool = False
    exit: str = ""


def scored(
    rules: BloodyRules, counts: Mapping[str, int], cleared: Iterable[ClearSquare]
) -> score.Scoring:
    """The points and the result of a game. ``counts``: how many gaps and tokens were taken and how
    many reinforcements held back, by the sources of ``rules.points``; those of squares follow from
    ``cleared``. What lies between the printed results is marginal or, by ruling O3, still a
    defeat."""
    squares = tuple(cleared)
    exits = sum(bool(square.exit) for square in squares)
    # 2.3.d: a town that is an exit counts once.
    towns = sum(square.town or bool(square.exit) for square in squares)
    south = sum(square.number >= rules.southern for square in squares)
    all_counts = {**counts, "towns_and_exits": towns, "southern_row": south}
    worth = {id: value * all_counts[id] for id, value in rules.points.items()}
    sources = tuple(Shift(id.replace("_", " "), value) for id, value in worth.items())
    has_marginal_result = not rules.ruled("O3", "highest")
    tiers = {}
    for id, tier in rules.tiers.items():
        if has_marginal_result or id != "marginal":
            tiers[id] = {"exits": tier.exits, "points": tier.points}
    reached = {"exits": exits, "points": sum(worth.values())}
    names = {id: tier.name for id, tier in rules.tiers.items()}
    return score.scored(sources, reached, tiers, "defeat", names)


# ------------------------------------------------------------------ other programs

_SQUARE = re.compile(r"[HST]?\d{1,2}")
"""A square inland in a question, with or without the letter of its kind: ``T12``, ``7``."""


class PointsQuestion(Strict, frozen=True, kw_only=True):
    """What victory points are counted for."""

    gaps: Annotated[int, msgspec.Meta(ge=0)] = 0
    strongpoints: Annotated[int, msgspec.Meta(ge=0)] = 0
    encounters: Annotated[int, msgspec.Meta(ge=0)] = 0
    cleared: tuple[str, ...] = ()
    """Squares inland, each with what it has: ``T12``, ``H31``, ``S7 D1``, ``S9 town E1``; an exit
    may stand alone."""
    reserves: Annotated[int, msgspec.Meta(ge=0)] = 0
    rulings: dict[str, str] = msgspec.field(default_factory=dict)


def answer(rules: BloodyRules, book: PresetBook, line: bytes) -> dict[str, Any]:
    """Answers a line of JSON; raises DataError."""
    asked = read_question(line, PointsQuestion)
    problems = [*book.problems(asked.rulings)]
    for name in ("gaps", "strongpoints", "encounters", "reserves"):
        if getattr(asked, name) > rules.counts[name]:
            problems.append(Problem(name, f"there are {rules.counts[name]} at most."))
    read_squares = _clear_squares(rules, asked.cleared)
    squares = read_squares.squares
    problems += read_squares.problems
    if problems:
        raise DataError("question", problems)
    counts = {
        "gaps": asked.gaps,
        "strongpoints": asked.strongpoints,
        "encounters": asked.encounters,
        "reinforcements": asked.reserves,
    }
    ruled = msgspec.structs.replace(rules, rulings=book.answered(asked.rulings))
    scoring = scored(ruled, counts, squares)
    reply: dict[str, Any] = {
        "points": scoring.points,
        "by": {source.label.replace(" ", "_"): source.value for source in scoring.sources},
        "exits": sum(bool(square.exit) for square in squares),
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
    """Reads the squares of a question. There are 13 strongpoint squares (3.5.d), five of them with
    a town (3.2.d)."""
    squares: list[ClearSquare] = []
    problems: list[Problem] = []
    strongpoints = towns = 0
    most, most_towns = rules.counts["strongpoints"], rules.counts["towns"]
    for index, text in enumerate(texts):
        key = f"cleared[{index}]"
        try:
            square = _clear_square(rules, text)
            _refuse_twice(text, square, squares)
        except ValueError as error:
            problems.append(Problem(key, str(error)))
            continue
        squares.append(square)
        if not _is_strongpoint(text, square):
            continue
        strongpoints += 1
        towns += int(square.town)
        if strongpoints > most:
            problems.append(Problem(key, f"there are {most} strongpoint squares at most (3.5.d)."))
        elif square.town and towns > most_towns:
            why = f"{most_towns} strongpoints at most have a town (3.2.d)."
            problems.append(Problem(key, why))
    return _ClearSquaresRead(squares, problems)


def _is_strongpoint(text: str, square: ClearSquare) -> bool:
    """Exits are in strongpoints; a town that is no T square is in one, too."""
    letters = {word[0] for word in text.split()}
    if "S" in letters or square.exit:
        return True
    return square.town and "T" not in letters


def _clear_square(rules: BloodyRules, text: str) -> ClearSquare:
    """The square of a text such as ``S9 town E1``. Raises ValueError, a sentence."""
    words = _read_words(rules, text)
    letter = words.square.rstrip("0123456789")
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
    """A square as it is typed: its letter and number, its exit, and whether it has a town. One of
    the first two may be empty."""

    square: str
    exit: str
    town: bool


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
