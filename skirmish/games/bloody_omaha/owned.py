"""What the rules do not print and the owner types in: lines about the printed game, and the cells
of its tables. Nothing of it is shipped.

Numbers such as 3.5.d are paragraphs of the playtest rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import msgspec

from skirmish.games.bloody_omaha.ruleset import KINDS, TERRAINS, BloodyRules
from skirmish.tabletop.companion import result_table
from skirmish.tabletop.companion.hand import CardLines, cards_problem
from skirmish.tabletop.companion.result_table import ResultTable
from skirmish.tabletop.companion.typed_tables import TypedTables
from skirmish.tabletop.data_file import Problem


class SquarePrinted(msgspec.Struct, frozen=True):
    """A square inland as it is printed."""

    kind: str = "hedgerow"
    town: bool = False
    """Whether there is a town, in a strongpoint or alone."""
    exit: str = ""
    """The name of its beach exit; empty if it has none."""


class AttackColumns(NamedTuple):
    """The columns of the attack table."""

    chosen_by: str
    """The value that chooses the column, such as ``odds``; ``one`` for a table with a single
    column; empty if nobody has typed it in."""
    least_values: list[str]
    """The least value for each column, as it is typed: ``3-1``; none for a single column."""


class OwnersGame(CardLines, frozen=True, kw_only=True, dict=True, omit_defaults=True):
    """Everything that the owner has typed in, except the cells of tables. Each field has the lines
    of one kind, such as ``Able, 29th, 4/2, C5`` for a unit; ``lines`` of ``BloodyRules`` says what
    the lines of a kind look like."""

    turns: tuple[str, ...] = ()
    squares: tuple[str, ...] = ()
    arrows: tuple[str, ...] = ()
    strongpoints: tuple[str, ...] = ()
    encounters: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    tanks: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()

    @cached_property
    def printed_squares(self) -> dict[str, SquarePrinted]:
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
    def squares_by_beach(self) -> dict[str, tuple[str, ...]]:
        """The squares inland that the arrows of each beach lead to."""
        squares_by_beach = {}
        for line in self.arrows:
            beach, *squares = line.split()
            squares_by_beach[beach] = tuple(squares)
        return squares_by_beach

    @property
    def attack_columns(self) -> AttackColumns:
        """The columns of the attack table, as far as the owner has typed them in."""
        if not self.columns:
            return AttackColumns("", [])
        chosen_by, *least_values = self.columns[0].split()
        return AttackColumns(chosen_by, least_values)


class BloodyTables(TypedTables, frozen=True, kw_only=True):
    """The printed tables that an owner has typed in."""

    TITLES: ClassVar[Mapping[str, str]] = {
        terrain: f"Random events, {terrain}" for terrain in TERRAINS
    }
    """The tables that have a text for each roll: random events, by the kind of square."""
    ROLLS: ClassVar[range] = range(1, 7)
    """A six-sided die."""

    drift: ResultTable
    disruption: ResultTable
    """Beach Disruption: the words D, E, I+, I-, A+ and A- in its cells are carried out."""
    engineers: ResultTable
    attack: ResultTable


def blank_tables(rules: BloodyRules, owned: OwnersGame) -> BloodyTables:
    """The tables without a cell typed in; the attack table has the columns that the owner typed."""
    tables: dict[str, Any] = {}
    for id, rule in rules.tables.items():
        least_values: list[str] = []
        if id == "attack":
            least_values = owned.attack_columns.least_values
        tables[id] = rule.blank(id, least_values)
    return BloodyTables(**tables)


class OwnersFile(OwnersGame, frozen=True, kw_only=True, dict=True, omit_defaults=True):
    """What an owner has typed in, as a file: his lines and the tables."""

    tables: BloodyTables | None = None

    def table_problems(self) -> Iterator[Problem]:
        """What is wrong with the tables, whose attack table has to have the columns of the file."""
        if self.tables is None:
            return
        titles = [column.title for column in self.tables.attack.columns]
        least_values = self.attack_columns.least_values
        # The cells of a file belong to its columns; with others they would mean something else.
        if titles != (least_values or [result_table.ONLY_COLUMN]):
            text = "have to be those after “columns” at the top of the file."
            yield Problem("tables.attack.columns", text)
        # The rules print the modifiers, so the program has them.
        if self.tables.values:
            yield Problem("tables.values", "the printed modifiers cannot be changed.")


# ------------------------------------------------------------------ what may be wrong with lines


def lines_problem(rules: BloodyRules, id: str, lines: tuple[str, ...]) -> str:
    """What is wrong with all lines of a kind together; empty if nothing is."""
    tanks = rules.counts["tanks"]
    # All tanks are typed in at once, so that fewer are a mistake. None at all are not: they are
    # typed in later, or never.
    if id == "tanks" and 0 < len(lines) < tanks:
        return f"There are {tanks}, not {len(lines)}."
    if id == "columns" and lines:
        _, *least_values = lines[0].split()
        return result_table.least_values_problem(least_values)
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
    # Letters are checked before anything is counted: a wrong one would make every count wrong.
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
    """What is wrong with the strongpoints; ``whole``: all squares are typed in."""
    exits = [square["exit"] for square in strongpoints if square["exit"]]
    # An exit that stands twice may hide one that is missing.
    twice = len({*exits}) < len(exits)
    if twice or {*exits} - {*rules.exits}:
        return f"The exits are {', '.join(rules.exits)}, each once."
    # 3.5.d and 3.2.d: 13 strongpoints, five of them with a town.
    towns = [square for square in strongpoints if square["town"]]
    due_strongpoints, due_towns = rules.counts["strongpoints"], rules.counts["towns"]
    if _is_wrong_count(len(strongpoints), due_strongpoints, whole=whole):
        return f"There are {due_strongpoints} strongpoints, not {len(strongpoints)}."
    if _is_wrong_count(len(towns), due_towns, whole=whole):
        return f"There are {due_towns} towns in strongpoints, not {len(towns)}."
    if whole and len(exits) < len(rules.exits):
        return f"The exits are {', '.join(rules.exits)}."
    return ""


def _is_wrong_count(count: int, due: int, *, whole: bool) -> bool:
    """Whether there are too many squares of a kind, or too few although all are typed in."""
    return count > due or (whole and count < due)
