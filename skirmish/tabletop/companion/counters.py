"""The counters of a board game, and the register that fills while one plays.

What a counter's printed numbers are the owner types in, the first time that they are needed; they
are remembered, and go in and out as rows for CSV and TOML.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from skirmish.tabletop.reading import DataError, Problem, suggest

LONGEST_NAME = 40
MOST = 2000
FIXED = ("name", "side", "kind", "group", "steps")
"""Columns of a file before those of the ratings."""


class Counter(msgspec.Struct, frozen=True, kw_only=True):
    """One counter. ``group`` is its company, formation or division; ``place`` a hex, a square or a
    box; ``steps`` those that are left; ``flags`` its markers in alphabetical order. ``ratings`` are
    its printed numbers by name, only those that the owner has typed; None: there is none printed.
    """

    id: str
    name: str
    side: str
    kind: str = ""
    group: str = ""
    place: str = ""
    steps: int = 1
    flags: tuple[str, ...] = ()
    ratings: dict[str, int | None] = {}

    def has(self, flag: str) -> bool:
        """Whether it bears this marker."""
        return flag in self.flags

    def marked(self, flag: str, on: bool = True) -> Counter:
        """The counter with the marker, or without."""
        flags = set(self.flags) | {flag} if on else set(self.flags) - {flag}
        return msgspec.structs.replace(self, flags=tuple(sorted(flags)))

    def missing(self, needed: Iterable[str]) -> tuple[str, ...]:
        """Which of these ratings are still to be typed in."""
        return tuple(name for name in needed if name not in self.ratings)


class Register(msgspec.Struct, frozen=True):
    """All counters by id, in the order in which they came."""

    counters: dict[str, Counter] = {}

    def __getitem__(self, id: str) -> Counter:
        return self.counters[id]

    def __iter__(self) -> Iterator[Counter]:
        return iter(self.counters.values())

    def __len__(self) -> int:
        return len(self.counters)

    def with_counter(self, counter: Counter) -> Register:
        """The register with the counter, new or changed."""
        return Register(self.counters | {counter.id: counter})

    def without(self, id: str) -> Register:
        """The register without it."""
        return Register({name: one for name, one in self.counters.items() if name != id})

    def where(
        self, *, side: str = "", kind: str = "", group: str = "", place: str = "", flag: str = ""
    ) -> tuple[Counter, ...]:
        """Those to which all that is named applies."""
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
        """All counters of a side without these markers."""
        gone = set(flags)
        return Register(
            {
                one.id: msgspec.structs.replace(
                    one, flags=tuple(flag for flag in one.flags if flag not in gone)
                )
                if one.side == side
                else one
                for one in self
            }
        )

    def new_id(self, name: str) -> str:
        """An id for a counter of this name that no other has."""
        base = "-".join("".join(c if c.isalnum() else " " for c in name.lower()).split()) or "unit"
        number, id = 1, base
        while id in self.counters:
            number += 1
            id = f"{base}-{number}"
        return id


# ------------------------------------------------------------------ in and out


def as_rows(register: Register, ratings: Sequence[str]) -> list[dict[str, Any]]:
    """A mapping for each counter, as a TOML file holds them; what is not typed is left out."""
    rows = []
    for one in register:
        row: dict[str, Any] = {key: getattr(one, key) for key in FIXED if getattr(one, key) != ""}
        row |= {
            name: "-" if one.ratings[name] is None else one.ratings[name]
            for name in ratings
            if name in one.ratings
        }
        rows.append(row)
    return rows


def as_csv(register: Register, ratings: Sequence[str]) -> str:
    """The same as CSV with a line of titles."""
    lines = _Lines()
    writer = csv.DictWriter(lines, [*FIXED, *ratings], restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(as_rows(register, ratings))
    return "".join(lines)


class _Lines(list[str]):
    """What a CSV writer writes into."""

    write = list.append


def from_csv(text: str, ratings: Sequence[str], sides: Sequence[str], file: str) -> Register:
    """A register out of CSV; raises DataError with every problem and its line."""
    lines = (f"{line}\n" for line in text.removeprefix("\ufeff").split("\n"))
    reader = csv.DictReader(lines, strict=True)
    try:
        rows = list(reader)
    except csv.Error as error:
        raise DataError(file, [Problem(f"line {reader.line_num}", f"{error}.")]) from None
    titles = [title or "" for title in reader.fieldnames or ()]
    unknown = [title for title in titles if title not in (*FIXED, *ratings)]
    if unknown or "name" not in titles:
        hint = suggest(unknown[0], [*FIXED, *ratings]) if unknown else "a column name is needed."
        what = f"no column is called {unknown[0]!r}; " if unknown else ""
        raise DataError(file, [Problem("line 1", f"{what}{hint}")])
    kept = [{key: cell for key, cell in row.items() if key and cell} for row in rows]
    return from_rows(kept, ratings, sides, file, place=lambda index: f"line {index + 2}")


def from_rows(
    rows: Sequence[Mapping[str, Any]],
    ratings: Sequence[str],
    sides: Sequence[str],
    file: str,
    place: Any = lambda index: f"counter[{index}]",
) -> Register:
    """A register out of mappings; raises DataError with every problem and its place."""
    register, problems = Register(), list[Problem]()
    if len(rows) > MOST:
        raise DataError(
            file, [Problem("", f"at most {MOST} counters are possible, not {len(rows)}.")]
        )
    for index, row in enumerate(rows):
        found, wrong = _counter(row, ratings, sides)
        problems += [Problem(f"{place(index)}, {key}", says) for key, says in wrong]
        if not wrong:
            counter = msgspec.structs.replace(found, id=register.new_id(found.name))
            register = register.with_counter(counter)
    if problems:
        raise DataError(file, problems)
    return register


def _counter(
    row: Mapping[str, Any], ratings: Sequence[str], sides: Sequence[str]
) -> tuple[Counter, list[tuple[str, str]]]:
    wrong: list[tuple[str, str]] = []
    for key in row:
        if key not in (*FIXED, *ratings):
            wrong.append((str(key), f"unknown; {suggest(str(key), [*FIXED, *ratings])}"))
    name = str(row.get("name", "")).strip()
    if not 1 <= len(name) <= LONGEST_NAME:
        wrong.append(("name", f"a name of 1 to {LONGEST_NAME} letters is needed."))
    side = str(row.get("side", sides[0] if len(sides) == 1 else "")).strip()
    if side not in sides:
        wrong.append(("side", f"{side!r} is no side; {suggest(side, sides)}"))
    numbers: dict[str, int | None] = {}
    for key in ("steps", *ratings):
        said = str(row.get(key, "")).strip()
        if not said:
            continue
        if said in ("-", "–") and key != "steps":
            numbers[key] = None
        elif said.lstrip("+-").isdigit() and said.isascii() and len(said) <= 4:
            numbers[key] = int(said)
        else:
            wrong.append((key, f"{said[:20]!r} is no number; a dash stands for none."))
    steps = numbers.pop("steps", 1)
    if steps is None or not 1 <= steps <= 20:
        wrong.append(("steps", "1 to 20 steps are possible."))
    counter = Counter(
        id="",
        name=name,
        side=side,
        kind=str(row.get("kind", "")).strip(),
        group=str(row.get("group", "")).strip(),
        steps=steps or 1,
        ratings=numbers,
    )
    return counter, wrong
