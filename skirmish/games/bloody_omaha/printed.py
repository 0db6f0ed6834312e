"""What the printed game holds and its rules do not tell: tokens, units, tanks, cards, the map, the
tables. The owner types it in, line by line or as a file; nothing of it is shipped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, ClassVar

import msgspec

from skirmish.games.bloody_omaha.ruleset import BloodyRules
from skirmish.tabletop.companion.hand import CardLines, cards_problem
from skirmish.tabletop.companion.result_table import ResultTable, TableColumn, empty_table, least
from skirmish.tabletop.companion.typed_tables import TypedTables
from skirmish.tabletop.reading import Problem

KINDS = {"H": "hedgerow", "T": "town", "S": "strongpoint"}
TERRAINS = ("channel", "beach", *KINDS.values())
EVENT, MINES, SNIPER, STUG = "event", "mines", "sniper", "stug"
RESULT = "result"
"""The column of a table that has no other."""


def problem(rules: BloodyRules, id: str, lines: tuple[str, ...]) -> str:
    """What is wrong with all lines of a kind together; empty if nothing is."""
    most = rules.counts.get(rules.lines[id].most, 1)
    if id == "tanks" and 0 < len(lines) < most:
        return f"There are {most}, not {len(lines)}."
    if id == "columns" and lines:
        return _columns_problem(lines[0])
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


def _columns_problem(line: str) -> str:
    values = line.split()[1:]
    try:
        numbers = [least(one) for one in values]
    except ValueError as error:
        return f"{error}."
    return "" if numbers == sorted({*numbers}) else "The least values rise from left to right."


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
    def by(self) -> str:
        """What chooses the column of the attack table."""
        return self.columns[0].split()[0] if self.columns else ""


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
        least_ = " ".join(owned.columns).split()[1:] if id == "attack" else []
        columns = [TableColumn(one, one) for one in least_] or [TableColumn(RESULT)]
        rolls = range(rule.low, rule.high + 1)
        tables[id] = empty_table(id, rule.title, rolls, columns, rule.keys)
    return BloodyTables(**tables)


class OwnersFile(OwnersGame, frozen=True, kw_only=True, dict=True, omit_defaults=True):
    """The same as a file, with the tables."""

    tables: BloodyTables | None = None

    def table_problems(self) -> Iterator[Problem]:
        if self.tables is None:
            return
        titles = [one.title for one in self.tables.attack.columns]
        if titles != (" ".join(self.columns).split()[1:] or [RESULT]):
            text = "have to be those after “columns” at the top of the file."
            yield Problem("tables.attack.columns", text)
        if self.tables.values:
            yield Problem("tables.values", "the printed modifiers cannot be changed.")
