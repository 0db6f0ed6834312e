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
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from skirmish.tabletop.data_file import DataError, Problem, read, suggest
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


def name_taken(name: str) -> str:
    return f"{name} is entered already; give it a name of its own."


def named(units: Iterable[Counter]) -> str:
    """``1/B/116, 2/B/116 and B/116 HVY``."""
    *first, last = [one.name for one in units] or ["nobody"]
    return f"{', '.join(first)} and {last}" if first else last


# ------------------------------------------------------------------ in and out


class CounterRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A counter in a file; ``"-"`` for a rating that is not printed. What is None is not in the
    file."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_NAME)]
    side: str
    kind: str = ""
    group: str = ""
    steps: Annotated[int, msgspec.Meta(ge=0, le=20)] | None = None
    ratings: dict[str, int | Literal["-"]] = {}
    traits: tuple[str, ...] = ()
    place: Annotated[str, msgspec.Meta(max_length=LONGEST_NAME)] | None = None
    markers: tuple[str, ...] | None = None

    def on(self, one: Counter) -> Counter:
        """The counter with what the file has of it."""
        read = {name: None if value == "-" else value for name, value in self.ratings.items()}
        one = replace(one, kind=self.kind, group=self.group, traits=self.traits,
                      ratings=one.ratings | read)  # fmt: skip
        flags = None if self.markers is None else tuple(sorted(set(self.markers)))
        given = {"steps": self.steps, "place": self.place, "flags": flags}
        return replace(one, **{name: new for name, new in given.items() if new is not None})


def as_rows(register: Register) -> list[dict[str, Any]]:
    rows = (
        CounterRow(one.name, one.side, one.kind, one.group, one.steps,
                   {name: "-" if value is None else value for name, value in one.ratings.items()},
                   one.traits, one.place or None, one.flags or None)
        for one in register
    )  # fmt: skip
    return [msgspec.to_builtins(row) for row in rows]


class Printed(NamedTuple):
    """What may stand on the counters of a game; without ``kinds`` any kind. Some markers are known
    by their ``beginnings``, such as those that add up."""

    sides: Sequence[str]
    ratings: Sequence[str]
    kinds: Sequence[str] = ()
    traits: Sequence[str] = ()
    markers: Sequence[str] = ()
    beginnings: tuple[str, ...] = ()

    def problems(self, row: CounterRow) -> Iterator[tuple[str, str]]:
        """The key and the sentence of each mistake."""
        if row.side not in self.sides:
            yield "side", f"{row.side!r} is no side; {suggest(row.side, self.sides)}"
        for key in ("name", "group", "place"):
            text = getattr(row, key) or ""
            if plain(text) != text:
                yield key, f"{plain(text)} has characters that no screen shows; type it again."
        if self.kinds and row.kind not in self.kinds:
            yield "kind", f"{row.kind!r}; {suggest(row.kind, self.kinds)}"
        for name in row.ratings:
            if name not in self.ratings:
                yield f"ratings.{name}", f"unknown; {suggest(name, self.ratings)}"
        for trait in row.traits:
            if trait not in self.traits:
                yield "traits", f"{trait!r} is unknown; {suggest(trait, self.traits)}"
        for marker in row.markers or ():
            if marker not in self.markers and not marker.startswith(self.beginnings or "\0"):
                yield "markers", f"{marker!r} is unknown; {suggest(marker, self.markers)}"


def read_rows(rows: Sequence[Any], printed: Printed, file: str) -> list[CounterRow]:
    """The rows of a file; raises DataError with every problem and its place."""
    found, problems, names = read(list(rows), list[CounterRow], file), list[Problem](), set()
    for at, row in enumerate(found):
        problems += [Problem(f"[{at}].{key}", text) for key, text in printed.problems(row)]
        if (row.side, row.name) in names:
            text = f"{row.name} stands there twice; give each unit of a side a name of its own."
            problems.append(Problem(f"[{at}].name", text))
        names.add((row.side, row.name))
    if problems:
        raise DataError(file, problems)
    return found


def merged(register: Register, rows: Iterable[CounterRow]) -> tuple[Counter, ...]:
    """The counters of a file: those that the register knows, by side and name, change only in what
    the file has of them."""
    known = {(one.side, one.name): one for one in register}
    after: list[Counter] = []
    for row in rows:
        one = known.get((row.side, row.name))
        if one is None:
            one = Counter(id=register.new_id(row.name), name=row.name, side=row.side)
            register = register.with_counter(one)
        after.append(row.on(one))
    return tuple(after)


_PLAIN = ("name", "side", "kind", "group", "steps")
_LISTS = {"traits": " ", "markers": "; "}
"""Columns of several words, and what stands between them."""


def as_csv(register: Register, ratings: Sequence[str]) -> str:
    """A line for each counter, with a column for each rating; ``-``: none is printed."""
    lines: list[str] = []
    writer = csv.writer(SimpleNamespace(write=lines.append), lineterminator="\n")
    rows = as_rows(register)
    more = [name for name in ("traits", "place", "markers") if any(name in row for row in rows)]
    writer.writerow((*_PLAIN, *ratings, *more))
    for row in rows:
        printed = [row.get("ratings", {}).get(name, "") for name in ratings]
        rest = (_LISTS[name].join(row.get(name, ())) if name in _LISTS else row.get(name, "")
                for name in more)  # fmt: skip
        writer.writerow((*(row.get(name, "") for name in _PLAIN), *printed, *rest))
    return "".join(lines)


def csv_rows(text: str, ratings: Sequence[str], file: str) -> list[dict[str, Any]]:
    """The rows of such a file, for ``read_rows``; raises DataError with line and column."""
    rows, problems = list[dict[str, Any]](), list[Problem]()
    try:
        table = list(csv.reader(text.splitlines(), strict=True))
    except csv.Error as error:
        raise DataError(file, [Problem("", f"is not a table of CSV: {error}.")]) from None
    titles = [title.strip().lower() for title in table[0]] if table else []
    if not {"name", "side"} <= set(titles) or len(set(titles)) < len(titles):
        text = "the titles of the columns belong here, each once, among them name and side."
        raise DataError(file, [Problem("line 1", text)])
    known = (*_PLAIN, *_LISTS, "place", *ratings)
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
            if title in _LISTS:
                parts = cell.split(_LISTS[title].strip() or None)
                row[title] = [part.strip() for part in parts if part.strip()]
            elif title == "place" or (cell and title in _PLAIN[:-1]):
                row[title] = cell
            elif cell and not (whole or (cell == "-" and title in ratings)):
                text = f"expected a whole number, or - for none; {cell[:40]!r} stands there."
                if title not in known:
                    text = f"is no column; {suggest(title, known)}"
                problems.append(Problem(f"line {at}.{title[:40]}", text))
            elif cell and title == "steps":
                row[title] = number
            elif cell:
                row["ratings"][title] = number
        rows.append(row)
    if problems:
        raise DataError(file, problems)
    return rows
