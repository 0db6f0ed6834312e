"""The counters of a board game, and the register that fills during play.

The owner types in a counter's printed numbers when they are first needed; they are stored, and
imported and exported as the rows of a TOML file.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from types import SimpleNamespace
from typing import Annotated, Any, Literal

import msgspec
from msgspec.structs import replace

from skirmish.tabletop.reading import DataError, Problem, read, suggest
from skirmish.tabletop.slots import codes
from skirmish.tabletop.typed import plain

LONGEST_NAME = 40
HIGHEST = 99
"""No rating is greater."""
BACK = "_reduced"
"""What the ratings on the back of a counter are called, behind the name of those on its front."""


class Counter(msgspec.Struct, frozen=True, kw_only=True):
    """One counter. ``group`` is its company, formation or division; ``place`` a hex, a square or a
    box; ``steps`` the remaining ones; ``flags`` its markers in alphabetical order. ``ratings`` are
    its printed numbers by name, as far as the owner has typed them; None: there is none printed.
    ``traits`` are what else is printed on it."""

    id: str
    name: str
    side: str
    kind: str = ""
    group: str = ""
    place: str = ""
    steps: int = 1
    flags: tuple[str, ...] = ()
    ratings: dict[str, int | None] = {}
    traits: tuple[str, ...] = ()
    two_sided: bool = False
    """Its back, which shows when its last step is left, has ratings of its own."""

    def printed(self, name: str) -> str:
        """The name of that rating on the side that is up, as in ``ratings``."""
        return name + BACK if self.two_sided and self.steps == 1 else name

    def rating(self, name: str) -> int:
        """The rating on the side that is up; 0 if there is none."""
        return self.ratings.get(self.printed(name)) or 0

    def has(self, flag: str) -> bool:
        return flag in self.flags

    def marked(self, flag: str, on: bool = True) -> Counter:
        return self.remarked(on=[flag]) if on else self.remarked(off=[flag])

    def remarked(self, *, on: Iterable[str] = (), off: Iterable[str] = ()) -> Counter:
        return replace(self, flags=tuple(sorted({*self.flags} - {*off} | {*on})))

    def count(self, flag: str) -> int:
        """How many markers of a kind that add up: ``rallying 2``."""
        found = next((one for one in self.flags if one.startswith(f"{flag} ")), "")
        return int(found.rpartition(" ")[2]) if found else 0

    def counting(self, flag: str, count: int) -> Counter:
        """The counter with so many of them instead of all whose names begin so; 0: with none."""
        bare = self.remarked(off=[one for one in self.flags if one.startswith(f"{flag} ")])
        return bare.marked(f"{flag} {count}") if count else bare

    def missing(self, needed: Iterable[str]) -> tuple[str, ...]:
        """Which of these ratings are not typed in yet."""
        return tuple(name for name in map(self.printed, needed) if name not in self.ratings)


class Register(msgspec.Struct, frozen=True, dict=True):
    counters: dict[str, Counter] = {}

    def __getitem__(self, id: str) -> Counter:
        return self.counters[id]

    def __iter__(self) -> Iterator[Counter]:
        return iter(self.counters.values())

    def __len__(self) -> int:
        return len(self.counters)

    def with_counter(self, counter: Counter) -> Register:
        return Register(self.counters | {counter.id: counter})

    def without(self, id: str) -> Register:
        return Register({name: one for name, one in self.counters.items() if name != id})

    @cached_property
    def codes(self) -> dict[str, str]:
        """The letters by which each counter is called."""
        return dict(zip(self.counters, codes(len(self.counters)), strict=True))

    def where(
        self, *, side: str = "", kind: str = "", group: str = "", place: str = "", flag: str = ""
    ) -> tuple[Counter, ...]:
        return tuple(
            one
            for one in self
            if side in ("", one.side)
            and kind in ("", one.kind)
            and group in ("", one.group)
            and place in ("", one.place)
            and (not flag or flag in one.flags)
        )

    def cleared(self, side: str, flags: Iterable[str]) -> Register:
        """The register without these markers on the counters of a side (empty: of every side)."""
        gone = tuple(flags)
        return Register(
            {one.id: one.remarked(off=gone) if side in ("", one.side) else one for one in self}
        )

    def new_id(self, name: str) -> str:
        """An unused id for a counter of this name."""
        base = "-".join("".join(c if c.isalnum() else " " for c in name.lower()).split()) or "unit"
        number, id = 1, base
        while id in self.counters:
            number += 1
            id = f"{base}-{number}"
        return id

    def why_not_enter(
        self, units: Sequence[Counter], place: str, most: int, counts: Callable[[Counter], bool]
    ) -> str:
        """Why units of one side may not stand in ``place``: an enemy is there, or more than
        ``most`` of those that count would stack. Empty if they may."""
        there = [one for one in self.where(place=place) if one.steps] if place else []
        enemy = next((one for one in there if units and one.side != units[0].side), None)
        if enemy is not None:
            return f"{enemy.name} is in {place}; nobody enters an enemy's hex."
        stack = {one.id for one in (*there, *units) if counts(one)}
        if place and len(stack) > most and any(map(counts, units)):
            return f"{place} would hold {len(stack)} units; at most {most} may stand there."
        return ""


def named(units: Iterable[Counter]) -> str:
    """``1/B/116, 2/B/116 and B/116 HVY``."""
    *first, last = [one.name for one in units] or ["nobody"]
    return f"{', '.join(first)} and {last}" if first else last


# ------------------------------------------------------------------ in and out


class CounterRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A counter in a file; ``"-"`` for a rating that is not printed."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_NAME)]
    side: str
    kind: str = ""
    group: str = ""
    steps: Annotated[int, msgspec.Meta(ge=1, le=20)] = 1
    ratings: dict[str, int | Literal["-"]] = {}
    traits: tuple[str, ...] = ()


def as_rows(register: Register) -> list[dict[str, Any]]:
    rows = (
        CounterRow(one.name, one.side, one.kind, one.group, one.steps,
                   {name: "-" if value is None else value for name, value in one.ratings.items()},
                   one.traits)
        for one in register
    )  # fmt: skip
    return [msgspec.to_builtins(row) for row in rows]


def from_rows(
    rows: Sequence[Any],
    ratings: Sequence[str],
    sides: Sequence[str],
    file: str,
    kinds: Sequence[str] = (),
    *,
    traits: Sequence[str] = (),
) -> Register:
    """A register from such mappings; raises DataError with every problem and its place."""
    register, problems = Register(), list[Problem]()
    for at, row in enumerate(read(list(rows), list[CounterRow], file)):
        if row.side not in sides:
            text = f"{row.side!r} is no side; {suggest(row.side, sides)}"
            problems.append(Problem(f"[{at}].side", text))
        if plain(row.name + row.group) != row.name + row.group:
            text = f"{plain(row.name)} holds signs that no screen shows; type it anew."
            problems.append(Problem(f"[{at}].name", text))
        if any((one.side, one.name) == (row.side, row.name) for one in register):
            text = f"{row.name} stands there twice; give each unit of a side a name of its own."
            problems.append(Problem(f"[{at}].name", text))
        if kinds and row.kind not in kinds:
            problems.append(Problem(f"[{at}].kind", f"{row.kind!r}; {suggest(row.kind, kinds)}"))
        problems += [
            Problem(f"[{at}].ratings.{name}", f"unknown; {suggest(name, ratings)}")
            for name in row.ratings
            if name not in ratings
        ]
        problems += [
            Problem(f"[{at}].traits", f"{trait!r} is unknown; {suggest(trait, traits)}")
            for trait in row.traits
            if trait not in traits
        ]
        counter = Counter(
            id=register.new_id(row.name), name=row.name, side=row.side, kind=row.kind,
            group=row.group, steps=row.steps, traits=row.traits,
            ratings={name: None if value == "-" else value for name, value in row.ratings.items()},
        )  # fmt: skip
        register = register.with_counter(counter)
    if problems:
        raise DataError(file, problems)
    return register


def merged(register: Register, found: Iterable[Counter]) -> tuple[Counter, ...]:
    """The register with the counters of a file: those that it knows, by side and name, stay
    unchanged but for the ratings of the file."""
    known = {(one.side, one.name): one for one in register}
    after: list[Counter] = []
    for new in found:
        one = known.get((new.side, new.name))
        if one is None:
            one = replace(new, id=register.new_id(new.name))
            register = register.with_counter(one)
        ratings = one.ratings | new.ratings
        same = {"kind": new.kind, "group": new.group, "traits": new.traits}
        after.append(replace(one, ratings=ratings, **same))
    return tuple(after)


_PLAIN = ("name", "side", "kind", "group", "steps")


def as_csv(register: Register, ratings: Sequence[str]) -> str:
    """A line for each counter, with a column for each rating; ``-``: none is printed."""
    lines: list[str] = []
    writer = csv.writer(SimpleNamespace(write=lines.append), lineterminator="\n")
    rows = as_rows(register)
    traits = any("traits" in row for row in rows)
    writer.writerow((*_PLAIN, *ratings, *["traits"] * traits))
    for row in rows:
        plain = [row.get(name, 1 if name == "steps" else "") for name in _PLAIN]
        printed = [row.get("ratings", {}).get(name, "") for name in ratings]
        writer.writerow((*plain, *printed, *[" ".join(row.get("traits", ()))] * traits))
    return "".join(lines)


def csv_rows(text: str, file: str) -> list[dict[str, Any]]:
    """The rows of such a file, for ``from_rows``; raises DataError with line and column."""
    rows, problems = list[dict[str, Any]](), list[Problem]()
    try:
        table = list(csv.reader(text.splitlines(), strict=True))
    except csv.Error as error:
        raise DataError(file, [Problem("", f"is not a table of CSV: {error}.")]) from None
    titles = [title.strip().lower() for title in table[0]] if table else []
    if not {"name", "side"} <= set(titles) or len(set(titles)) < len(titles):
        text = "the titles of the columns belong here, each once, among them name and side."
        raise DataError(file, [Problem("line 1", text)])
    for at, cells in enumerate(table[1:], 2):
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) != len(titles):
            text = f"has {len(cells)} cells; the first line has {len(titles)} titles."
            problems.append(Problem(f"line {at}", text))
            continue
        row: dict[str, Any] = {"ratings": {}}
        for title, cell in zip(titles, map(str.strip, cells), strict=True):
            whole = re.fullmatch("-?[0-9]{1,9}", cell) is not None
            number = int(cell) if whole else cell
            if title == "traits":
                row[title] = cell.split()
            elif cell and title not in _PLAIN[:-1] and not (whole or cell == "-"):
                text = f"expected a whole number, or - for none; {cell[:40]!r} stands there."
                problems.append(Problem(f"line {at}.{title[:40]}", text))
            elif title in _PLAIN and cell:
                row[title] = number if title == "steps" else cell
            elif cell:
                row["ratings"][title] = number
        rows.append(row)
    if problems:
        raise DataError(file, problems)
    return rows
