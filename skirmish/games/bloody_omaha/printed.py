"""What the printed game holds and its rules do not tell: tokens, units, tanks, cards, the map, the
tables. The owner types it in, line by line or as a file; nothing of it is shipped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, ClassVar, Self

import msgspec
from msgspec.structs import replace

from skirmish.games.bloody_omaha.ruleset import BloodyRules, Strict
from skirmish.tabletop.companion.result_table import ResultTable, least
from skirmish.tabletop.companion.typed_tables import TypedTables
from skirmish.tabletop.reading import DataError, Problem, read

DIVISIONS = ("1st", "29th", "rangers")
KINDS = {"H": "hedgerow", "T": "town", "S": "strongpoint"}
EVENT, MINES, SNIPER, STUG = "event", "mines", "sniper", "stug"
RESULT = "result"
"""The column of a table that has no other."""
TERRAINS = ("channel", "beach", *KINDS.values())
INLAND, NAME = r"(?:[1-9]|[123]\d|40)", r"(?P<name>[^|,;]{1,40}?)"
CHANNEL_SQUARE, BEACH_SQUARE = r"(?:C(?:[1-9]|1\d|2[0-7]))", r"(?:B[1-9])"
TOKEN_VALUE = rf"\d\d?|{EVENT}|{MINES}|{SNIPER}|{STUG}"


class Item(msgspec.Struct, frozen=True):
    """One thing that the printed game holds: a list of words, or of lines between ``sep``, each as
    the ``pattern``. If it is ``named``, a later line of the same name counts instead. The
    pattern also reads the lines of old journals: it may be widened and not narrowed."""

    id: str
    name: str
    how: str
    pattern: str
    most: str = ""
    """What of the rules' counts there are; else one."""
    sep: str = " "
    named: bool = False

    def whole(self, rules: BloodyRules) -> int:
        return {"squares": len(rules.board.numbers), "arrows": rules.board.columns}.get(
            self.id, rules.counts.get(self.most, 1)
        )

    def matched(self, line: str) -> re.Match[str]:
        """Raises ValueError, a sentence."""
        found = re.fullmatch(self.pattern, line)
        if found is None:
            raise ValueError(f"{line[:40]!r} is not understood. {self.how}")
        return found

    def read(self, rules: BloodyRules, owned: OwnersGame, text: str) -> tuple[str, ...]:
        """All lines of this kind after the typed ones. Raises ValueError."""
        sep = None if self.sep == " " else self.sep
        typed = [one.strip() for one in text.split(sep) if one.strip()]
        matched = [self.matched(one) for one in typed]
        lines = {one["name"] if self.named else str(at): one[0] for at, one in enumerate(matched)}
        if self.named:
            lines = {self.matched(one)["name"]: one for one in owned.lines(self.id)} | lines
        if self.id == "squares" and len(typed) > 1:  # the list of all that are not hedgerow
            lines = {at: lines.get(at, f"H{at}") for at in rules.board.numbers}
        if problem := self.problem(rules, tuple(lines.values())):
            raise ValueError(problem)
        return tuple(lines.values())

    def problem(self, rules: BloodyRules, lines: tuple[str, ...]) -> str:
        """What is wrong with all of them together; empty if nothing is."""
        whole = self.whole(rules)
        if len(lines) > whole or (self.id == "tanks" and 0 < len(lines) < whole):
            return f"There are {whole}, not {len(lines)}."
        if odd := next((one for one in lines if not one.isprintable()), ""):
            return f"{odd[:40]!r} has a sign that cannot be printed."
        found = [self.matched(one) for one in lines]
        names = [one["name"] for one in found if self.named]
        if again := next((one for at, one in enumerate(names) if one in names[:at]), ""):
            return f"{again} is there twice."
        if self.id == "columns":
            return _columns_problem(lines[0]) if lines else ""
        if self.id == "cards":
            return _cards_problem(lines)
        if self.id != "squares":
            return ""
        if any(one["letter"] != "H" and int(one["name"]) >= rules.southern for one in found):
            return f"From {rules.southern} on every square is hedgerow."
        if any(one["letter"] != "S" and (one["town"] or one["exit"]) for one in found):
            return "Only a strongpoint has + or an exit."
        strong = [one for one in found if one["letter"] == "S"]
        towns, exits = sum(bool(one["town"]) for one in strong), [one["exit"] for one in strong]
        exits = [one for one in exits if one]
        if len(set(exits)) < len(exits) or set(exits) - set(rules.exits):
            return f"The exits are {', '.join(rules.exits)}, each once."
        counts = (("strongpoints", len(strong)), ("towns", towns), ("exits", len(exits)))
        wanted = {**rules.counts, "exits": len(rules.exits)}
        for name, count in counts:
            if count > wanted[name] or (len(lines) == whole and count < wanted[name]):
                where = "" if name == "strongpoints" else " in strongpoints"
                return f"There are {wanted[name]} {name}{where}, not {count}."
        return ""


def _columns_problem(line: str) -> str:
    by, *values = line.split()
    try:
        numbers = [least(one) for one in values]
    except ValueError as error:
        return f"{error}."
    if bool(values) == (by == "one"):
        return "The least value of each column is needed, or “one” alone."
    return "" if numbers == sorted(set(numbers)) else "The least values rise from left to right."


def _cards_problem(lines: Iterable[str]) -> str:
    options = (_option(part.strip()) for line in lines for part in line.split("|")[1:])
    wrong = next((one for one in options if not one.first or 0 < one.last < one.first), None)
    return f"{wrong.window}: no such turns; they are as in 2, 3-4 or 1+." if wrong else ""


TOKEN = "A number, event, mines, sniper or stug"
ITEMS = {
    one.id: one
    for one in (
        Item("turns", "the turn track", "The number of its last turn, 1 to 99.", r"([1-9]\d?)"),
        Item(
            "squares",
            "the squares inland",
            "Every strongpoint and town: S3 S5/D1 S7+ T14, with + for a town and /D1 for its exit.",
            rf"(?P<letter>[HST])(?P<name>{INLAND})(?P<town>\+)?(?:/(?P<exit>\w\d))?",
            named=True,
        ),
        Item(
            "arrows",
            "the arrows from the beaches",
            "A beach and the squares its arrows lead to; several: B1 1 2; B2 2 3.",
            rf"(?P<name>{BEACH_SQUARE})((?: {INLAND})*)",
            sep=";",
            named=True,
        ),
        Item("strongpoints", "the strongpoint tokens", f"{TOKEN} for each: 4 2 0 mines.",
             f"({TOKEN_VALUE})", "strongpoints"),
        Item("encounters", "the encounter tokens", f"{TOKEN} for each: 4 2 0 mines.",
             f"({TOKEN_VALUE})", "encounters"),
        Item(
            "units",
            "the units",
            "Name, division (1st, 29th, rangers), strengths, square: A/116, 29th, 4/2, C5. "
            "A battalion: bn 6/3. R is the reserve, ; stands between units.",
            rf"{NAME}, *(1st|29th|rangers), *(bn )?(\d\d?)/(\d\d?), *({CHANNEL_SQUARE}|R)",
            "units",
            sep=";",
            named=True,
        ),
        Item("tanks", "the tanks", "Both strengths of each: 2/1 2/1 3/2.", r"(\d\d?)/(\d\d?)",
             "tanks"),
        Item(
            "cards",
            "the cards",
            "A name and its options with their turns: Its name | 1+ an option | 3-4 another; ; "
            "stands between cards.",
            rf"{NAME} *((?:\| *\d\d?(?:\+|-\d\d?)? [^|;]{{1,200}})*)",
            "cards",
            sep=";",
            named=True,
        ),
        Item(
            "columns",
            "the columns of the attack table",
            "What chooses the column (difference, odds, strength, defense) and the least value of "
            "each: difference -2 0 3. Or: one.",
            r"((?:difference|odds|strength|defense)(?: -?\d+(?:-\d+)?)+|one)",
            sep=";",
        ),
    )
}  # fmt: skip


class SquarePrinted(msgspec.Struct, frozen=True):
    """``town``: there is one, in a strongpoint or alone; ``exit``: the name of its beach exit."""

    kind: str = "hedgerow"
    town: bool = False
    exit: str = ""


class CardOption(msgspec.Struct, frozen=True):
    """``window``: as typed; ``last`` 0: to the end."""

    window: str
    text: str
    first: int
    last: int

    def why_not(self, turn: int) -> str:
        now = self.first <= turn and (turn <= self.last or not self.last)
        return "" if now else f"That is for turn {self.window}."


class OwnersGame(Strict, frozen=True, kw_only=True, dict=True, omit_defaults=True):
    """Everything that the owner has typed in but the cells of tables, as ``ITEMS`` describes it."""

    turns: tuple[str, ...] = ()
    squares: tuple[str, ...] = ()
    arrows: tuple[str, ...] = ()
    strongpoints: tuple[str, ...] = ()
    encounters: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    tanks: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()

    def lines(self, item: str) -> tuple[str, ...]:
        found: tuple[str, ...] = getattr(self, item)
        return found

    def with_lines(self, found: Mapping[str, tuple[str, ...]]) -> Self:
        changes: dict[str, Any] = dict(found)
        return replace(self, **changes)

    @cached_property
    def square(self) -> dict[str, SquarePrinted]:
        found = {}
        for line in self.squares:
            one = ITEMS["squares"].matched(line)
            kind, town = KINDS[one["letter"]], bool(one["town"]) or one["letter"] == "T"
            found[one["name"]] = SquarePrinted(kind, town, one["exit"] or "")
        return found

    @cached_property
    def arrow(self) -> dict[str, tuple[str, ...]]:
        """The squares inland that a beach leads to."""
        return {beach: tuple(to) for beach, *to in (line.split() for line in self.arrows)}

    @cached_property
    def card(self) -> dict[str, tuple[CardOption, ...]]:
        found = {}
        for line in self.cards:
            name, *options = (part.strip() for part in line.split("|"))
            found[name] = tuple(map(_option, options))
        return found

    @property
    def by(self) -> str:
        """What chooses the column of the attack table."""
        return self.columns[0].split()[0] if self.columns else ""


def _option(text: str) -> CardOption:
    window, what = text.split(" ", 1)
    first, dash, last = window.rstrip("+").partition("-")
    end = int(last) if dash else 0 if window.endswith("+") else int(first)
    return CardOption(window, what, int(first), end)


class BloodyTables(TypedTables, frozen=True, kw_only=True):
    """``disruption``: the words D, E, I+, I-, A+ and A- in a cell are carried out."""

    TITLES: ClassVar[Mapping[str, str]] = {one: f"Random events, {one}" for one in TERRAINS}
    ROLLS: ClassVar[range] = range(1, 7)

    drift: ResultTable
    disruption: ResultTable
    engineers: ResultTable
    attack: ResultTable

    def missing(self, id: str) -> Iterator[tuple[int, str]]:
        """The roll and the column of every cell that is not typed in."""
        table = next((one for one in self.results if one.id == id), None)
        columns = [one.title for one in table.columns] if table else [""]
        for column in columns:
            yield from ((roll, column) for roll in self.rolls(id)
                        if not self.cell(id, roll, column))  # fmt: skip


def blank_tables(rules: BloodyRules, owned: OwnersGame) -> BloodyTables:
    """Without a cell; the attack table has the columns that the owner typed."""
    columns = owned.columns[0].split()[1:] if owned.columns else []
    tables = {id: rule.blank(id) for id, rule in rules.tables.items()}
    attack = rules.tables["attack"].blank("attack", columns or [RESULT])
    return BloodyTables(drift=tables["drift"], disruption=tables["disruption"],
                        engineers=tables["engineers"], attack=attack)  # fmt: skip


class OwnersFile(OwnersGame, frozen=True, kw_only=True, dict=True, omit_defaults=True):
    """The same as a file, with the tables."""

    tables: BloodyTables | None = None


def read_owned(rules: BloodyRules, raw: Mapping[str, Any], file: str) -> OwnersFile:
    """Raises DataError with everything that is wrong."""
    found, problems = read(raw, OwnersFile, file), list[Problem]()
    for item in ITEMS.values():
        try:
            for at, line in enumerate(found.lines(item.id)):
                key = f"{item.id}[{at}]"
                item.matched(line)
            key = item.id
            if problem := item.problem(rules, found.lines(item.id)):
                raise ValueError(problem)
        except ValueError as error:
            problems.append(Problem(key, str(error)))
    if found.tables is not None:
        titles = [one.title for one in found.tables.attack.columns]
        if titles != (" ".join(found.columns).split()[1:] or [RESULT]):
            text = "have to be those after “columns” at the top of the file."
            problems.append(Problem("tables.attack.columns", text))
        if found.tables.values:
            problems.append(Problem("tables.values", "the printed modifiers cannot be changed."))
    if problems:
        raise DataError(file, problems)
    checked = found.tables and found.tables.checked(lambda id: rules.tables[id].keys, file)
    return replace(found, tables=checked)
