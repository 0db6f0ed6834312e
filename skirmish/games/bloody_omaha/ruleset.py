"""What the playtest rules print (``data/bloody_omaha``), and what follows from it: squares,
modifiers, victory points; and what they do not print, which the owner types in. Nothing of that is
shipped. Other programs ask for the points."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Annotated, Any, ClassVar

import msgspec

from skirmish.tabletop.companion import result_table, score
from skirmish.tabletop.companion.hand import CardLines, cards_problem
from skirmish.tabletop.companion.result_table import ResultTable, RollModifiers, Shift, TableRule
from skirmish.tabletop.companion.sequence import SequencePhase, TurnSequence
from skirmish.tabletop.companion.squares import Rows
from skirmish.tabletop.companion.typed_lines import TypedLines
from skirmish.tabletop.companion.typed_tables import TypedTables
from skirmish.tabletop.data_file import DataError, Problem, Strict, read, read_json, suggest
from skirmish.tabletop.presets import PresetBook

CHANNEL, BEACH, RESERVE = "C", "B", "R"
"""A square is C1, B1 or, inland, its number alone; R is the Reinforcements box."""
KINDS = {"H": "hedgerow", "T": "town", "S": "strongpoint"}
TERRAINS = ("channel", "beach", *KINDS.values())
EVENT, MINES, SNIPER, STUG = "event", "mines", "sniper", "stug"


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
    def sea(self) -> Rows:
        """The rows of the Channel by their numbers."""
        squares = range(self.columns * self.channel)
        return Rows(tuple(f"{CHANNEL}{at + 1}" for at in squares), self.columns)

    @property
    def first_wave(self) -> tuple[str, ...]:
        return self.sea.rows[0 if self.landward else -1]

    @cached_property
    def beaches(self) -> tuple[str, ...]:
        return tuple(f"{BEACH}{at + 1}" for at in range(self.columns))

    @cached_property
    def land(self) -> Rows:
        squares = range(self.width * self.inland)
        return Rows(tuple(str(at + 1) for at in squares), self.width)

    def beside(self, square: str) -> tuple[str, ...]:
        """The squares on land of the same kind that share a side with it; none at sea."""
        return self.land.beside(square) or Rows(self.beaches, self.columns).beside(square)

    def forward(self, square: str) -> str:
        """The next square towards the beach, or the beach itself."""
        at = int(square.removeprefix(CHANNEL))
        if square in self.first_wave:
            return self.beaches[(at - 1) % self.columns]
        return f"{CHANNEL}{at - self.columns if self.landward else at + self.columns}"

    def drifted(self, square: str, squares: int) -> str:
        """So many squares east; empty off the map."""
        return self.sea.along(square, squares * self.east)


class Tier(Strict, frozen=True, kw_only=True):
    name: str
    exits: int
    points: int


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
    modifiers: dict[str, RollModifiers]
    tables: dict[str, TableRule]
    lines: dict[str, TypedLines]
    rulings: dict[str, str] = msgspec.field(default_factory=dict)

    def ruled(self, id: str, answer: str) -> bool:
        return self.rulings.get(id) == answer


def read_rules(raw: Mapping[str, Any], book: PresetBook) -> BloodyRules:
    """The rules with the default rulings; raises DataError."""
    file = "bloody_omaha/game.toml"
    found = read(raw, BloodyRules, file)
    if problems := [*TurnSequence(phases=found.phases).problems()]:
        raise DataError(file, problems)
    return msgspec.structs.replace(found, rulings=book.defaults())


# ------------------------------------------------------------------ what its owner types in


def problem(rules: BloodyRules, id: str, lines: tuple[str, ...]) -> str:
    """What is wrong with all lines of a kind together; empty if nothing is."""
    most = rules.counts.get(rules.lines[id].most, 1)
    if id == "tanks" and 0 < len(lines) < most:
        return f"There are {most}, not {len(lines)}."
    if id == "columns" and lines:
        return result_table.leasts_problem(lines[0].split()[1:])
    if id == "cards":
        return cards_problem(lines)
    if id != "squares":
        return ""
    found = [rules.lines[id].matched(one) for one in lines]
    strong = [one for one in found if one["letter"] == "S"]
    if any(one["letter"] != "H" and int(one["name"]) >= rules.southern for one in found):
        return f"From {rules.southern} on every square is hedgerow."
    if any(one["town"] or one["exit"] for one in found if one not in strong):
        return "Only a strongpoint has + or an exit."
    exits = [one["exit"] for one in strong if one["exit"]]
    if len({*exits}) < len(exits) or {*exits} - {*rules.exits}:
        return f"The exits are {', '.join(rules.exits)}, each once."
    there = {"strongpoints": len(strong), "towns": sum(bool(one["town"]) for one in strong)}
    for name, count in there.items():
        if count > rules.counts[name] or (len(lines) == most and count < rules.counts[name]):
            where = " in strongpoints" * (name == "towns")
            return f"There are {rules.counts[name]} {name}{where}, not {count}."
    few = len(lines) == most and len(exits) < len(rules.exits)
    return f"The exits are {', '.join(rules.exits)}." if few else ""


class SquarePrinted(msgspec.Struct, frozen=True):
    """``town``: there is one, in a strongpoint or alone; ``exit``: the name of its beach exit."""

    kind: str = "hedgerow"
    town: bool = False
    exit: str = ""


class OwnersGame(CardLines, frozen=True, kw_only=True, dict=True, omit_defaults=True):
    """Everything that the owner has typed in but the cells of tables, in the lines of the rules."""

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
        found = {}
        for line in self.squares:
            number, _, exit_ = line[1:].partition("/")
            town = number.endswith("+") or line[0] == "T"
            found[number.rstrip("+")] = SquarePrinted(KINDS[line[0]], town, exit_)
        return found

    @cached_property
    def arrow(self) -> dict[str, tuple[str, ...]]:
        """The squares inland that a beach leads to."""
        return {beach: tuple(to) for beach, *to in (line.split() for line in self.arrows)}

    @property
    def attack(self) -> tuple[str, list[str]]:
        """What chooses the column of the attack table, and the least values of its columns."""
        by, *leasts = self.columns[0].split() if self.columns else ("",)
        return by, leasts


class BloodyTables(TypedTables, frozen=True, kw_only=True):
    """``disruption``: the words D, E, I+, I-, A+ and A- in a cell are carried out."""

    TITLES: ClassVar[Mapping[str, str]] = {one: f"Random events, {one}" for one in TERRAINS}
    ROLLS: ClassVar[range] = range(1, 7)

    drift: ResultTable
    disruption: ResultTable
    engineers: ResultTable
    attack: ResultTable


def blank_tables(rules: BloodyRules, owned: OwnersGame) -> BloodyTables:
    """Without a cell; the attack table has the columns that the owner typed."""
    tables: dict[str, Any] = {}
    for id, rule in rules.tables.items():
        tables[id] = rule.blank(id, owned.attack[1] if id == "attack" else ())
    return BloodyTables(**tables)


class OwnersFile(OwnersGame, frozen=True, kw_only=True, dict=True, omit_defaults=True):
    """The same as a file, with the tables."""

    tables: BloodyTables | None = None

    def table_problems(self) -> Iterator[Problem]:
        if self.tables is None:
            return
        titles = [one.title for one in self.tables.attack.columns]
        if titles != (self.attack[1] or [result_table.ONLY]):
            text = "have to be those after “columns” at the top of the file."
            yield Problem("tables.attack.columns", text)
        if self.tables.values:
            yield Problem("tables.values", "the printed modifiers cannot be changed.")


# ------------------------------------------------------------------ modifiers


REASONS = {
    "battalion": "a battalion",
    "strongpoint": "a strongpoint beside it",
    "division": "another division there",
    "assets": "more assets",
}


def modifiers(
    rules: BloodyRules, table: str, turn: int, *, assets: int = 1, **given: bool
) -> tuple[Shift, ...]:
    """The modifiers of a roll with their reasons: a ``battalion`` rolls, an adjacent
    ``strongpoint`` is not cleared, a unit of another ``division`` is there."""
    times = {**dict.fromkeys(REASONS, 0), **given, "assets": max(assets, 1) - 1}
    return rules.modifiers[table].shifts(turn, times, REASONS)


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


def scored(
    rules: BloodyRules, counts: Mapping[str, int], cleared: Iterable[ClearSquare]
) -> score.Scoring:
    """What was cleared, flipped and held back, by the names of ``points``. The holes between the
    printed results are marginal or, by ruling O3, still a defeat."""
    squares = tuple(cleared)
    exits = sum(bool(one.exit) for one in squares)
    towns = sum(one.town or bool(one.exit) for one in squares)
    south = sum(one.number >= rules.southern for one in squares)
    every = {**counts, "towns_and_exits": towns, "southern_row": south}
    worth = {id: value * every[id] for id, value in rules.points.items()}
    sources = tuple(Shift(id.replace("_", " "), value) for id, value in worth.items())
    holes = not rules.ruled("O3", "highest")
    tiers = {id: {"exits": one.exits, "points": one.points}
             for id, one in rules.tiers.items() if holes or id != "marginal"}  # fmt: skip
    marks = {"exits": exits, "points": sum(worth.values())}
    names = {id: one.name for id, one in rules.tiers.items()}
    return score.scored(sources, marks, tiers, "defeat", names)


# ------------------------------------------------------------------ other programs

_SQUARE = re.compile(r"[HST]?\d{1,2}")


class PointsQuestion(Strict, frozen=True, kw_only=True):
    """``cleared``: squares inland, each with what it has: ``T12``, ``H31``, ``S7 D1``, ``S9 town
    E1``; an exit may stand alone."""

    gaps: Annotated[int, msgspec.Meta(ge=0)] = 0
    strongpoints: Annotated[int, msgspec.Meta(ge=0)] = 0
    encounters: Annotated[int, msgspec.Meta(ge=0)] = 0
    cleared: tuple[str, ...] = ()
    reserves: Annotated[int, msgspec.Meta(ge=0)] = 0
    rulings: dict[str, str] = msgspec.field(default_factory=dict)


def answer(rules: BloodyRules, book: PresetBook, line: bytes) -> dict[str, Any]:
    """Answers a line of JSON; raises DataError."""
    asked = read_json(line, PointsQuestion)
    problems = [*book.problems(asked.rulings)]
    for name in ("gaps", "strongpoints", "encounters", "reserves"):
        if getattr(asked, name) > rules.counts[name]:
            problems.append(Problem(name, f"there are {rules.counts[name]} at most."))
    squares = list[ClearSquare]()
    strongpoints = towns = 0
    for at, text in enumerate(asked.cleared):
        key = f"cleared[{at}]"
        try:
            square = _clear_square(rules, text, squares)
        except ValueError as error:
            problems.append(Problem(key, str(error)))
            continue
        squares.append(square)
        strong = _is_strongpoint(text, square)
        strongpoints += strong
        towns += strong and square.town
        if strong and strongpoints > rules.counts["strongpoints"]:
            most = rules.counts["strongpoints"]
            problems.append(Problem(key, f"there are {most} strongpoint squares at most (3.5.d)."))
        elif strong and square.town and towns > rules.counts["towns"]:
            most = rules.counts["towns"]
            problems.append(Problem(key, f"{most} strongpoints at most have a town (3.2.d)."))
    if problems:
        raise DataError("question", problems)
    counts = {"gaps": asked.gaps, "strongpoints": asked.strongpoints,
              "encounters": asked.encounters, "reinforcements": asked.reserves}  # fmt: skip
    ruled = msgspec.structs.replace(rules, rulings=book.answered(asked.rulings))
    found = scored(ruled, counts, squares)
    return {
        "points": found.points,
        "by": {one.label.replace(" ", "_"): one.value for one in found.sources},
        "exits": sum(bool(one.exit) for one in squares),
        "tier": found.tier,
        **({"next": found.next, "needs": found.needs} if found.next else {}),
    }


def _is_strongpoint(text: str, square: ClearSquare) -> bool:
    """Exits are in strongpoints; a town that is no T square is in one, too."""
    letters = {word[0] for word in text.split()}
    if "S" in letters or square.exit:
        return True
    return square.town and "T" not in letters


def _clear_square(rules: BloodyRules, text: str, known: Iterable[ClearSquare]) -> ClearSquare:
    """Raises ValueError, a sentence."""
    words = text.split()
    squares = [*filter(_SQUARE.fullmatch, words)]
    exits = [one for one in words if one in rules.exits]
    if odd := next((one for one in words if one not in (*squares, *exits, "town")), ""):
        hint = suggest(odd, ["town", *rules.exits])
        raise ValueError(f"{odd!r} is no square (T12, H31, S7), town or exit; {hint}")
    if not exits and not squares:
        raise ValueError("names no square, such as T12 or S7, and no exit.")
    if len(squares) > 1 or len(exits) > 1:
        raise ValueError(f"{text} is more than one square or exit; each is a text of its own.")
    number, exit_ = int(squares[0].lstrip("HST")) if squares else 0, "".join(exits)
    if squares and str(number) not in rules.board.land.names:
        raise ValueError(f"the squares inland run from 1 to {len(rules.board.land.names)}.")
    letter, special = squares[0][0] if squares else "", bool(exits) or "town" in words
    if number >= rules.southern and (special or letter in ("S", "T")):
        raise ValueError(f"from {rules.southern} on every square is hedgerow.")
    if special and letter in ("H", "T"):
        raise ValueError("only a strongpoint has a town or an exit behind its number.")
    if any((number and one.number == number) or (exit_ and one.exit == exit_) for one in known):
        raise ValueError(f"{text} stands there twice.")
    return ClearSquare(number, "town" in words or letter == "T", exit_)
