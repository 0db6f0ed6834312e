"""The counters of a board game, and the register that fills during play.

The owner types in a counter's printed numbers when they are first needed; they are stored, and
imported and exported as the rows of a TOML file.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from skirmish.tabletop import slots
from skirmish.tabletop.data_file import DataError, Problem, read, suggest
from skirmish.tabletop.typed import plain

LONGEST_NAME = 40
"""The most characters in the name of a counter, a company or a place."""
HIGHEST = 99
"""The highest rating that may be typed in."""
BACK = "_reduced"
"""How the name of a rating on the back of a counter ends: the back of ``range`` is
``range_reduced``."""


class Counter(msgspec.Struct, frozen=True, kw_only=True):
    """One counter: a unit, a leader or the like, as it is on the table."""

    id: str
    name: str
    side: str
    kind: str = ""
    group: str = ""
    """Its company, formation or division."""
    place: str = ""
    """A hex, a square or a box."""
    steps: int = 1
    """The steps that are left."""
    flags: tuple[str, ...] = ()
    """Its markers in alphabetical order. One that adds up has its number behind its name, as
    ``rallying 2``; no other marker begins with the same word (``count``)."""
    ratings: dict[str, int | None] = {}
    """Its printed numbers by name, as far as the owner has typed them; None: there is none
    printed."""
    traits: tuple[str, ...] = ()
    """What else is printed on it."""
    two_sided: bool = False
    """Its back, which shows when its last step is left, has ratings of its own."""

    def printed(self, name: str) -> str:
        """The key in ``ratings`` of the rating with this name on the side that is up."""
        # A counter is flipped for a step loss; the last step is that of its back.
        if self.two_sided and self.steps == 1:
            return name + BACK
        return name

    def rating(self, name: str) -> int:
        """The rating on the side that is up; 0 if there is none."""
        return self.ratings.get(self.printed(name)) or 0

    def has(self, flag: str) -> bool:
        """Whether it has that marker."""
        return flag in self.flags

    def marked(self, flag: str, on: bool = True) -> Counter:
        """The counter with this marker, or without it."""
        if on:
            return self.remarked(on=[flag])
        return self.remarked(off=[flag])

    def remarked(self, *, on: Iterable[str] = (), off: Iterable[str] = ()) -> Counter:
        """The counter without the markers ``off``, then with those ``on``."""
        # Sorted, so that counters with the same markers are equal, whatever came first.
        flags = set(self.flags).difference(off).union(on)
        return replace(self, flags=tuple(sorted(flags)))

    def count(self, flag: str) -> int:
        """How many markers of a kind that add up. They are one marker with their number,
        ``rallying 2``, as ``counting`` writes it."""
        for marker in self.flags:
            if marker.startswith(f"{flag} "):
                return int(marker.rpartition(" ")[2])
        return 0

    def counting(self, flag: str, count: int) -> Counter:
        """The counter with so many markers of a kind that add up, instead of those that it has; 0:
        with none."""
        bare = self.remarked(off=[marker for marker in self.flags if marker.startswith(f"{flag} ")])
        if not count:
            return bare
        return bare.marked(f"{flag} {count}")

    def missing(self, needed: Iterable[str]) -> tuple[str, ...]:
        """Which of these ratings are not typed in yet."""
        return tuple(name for name in map(self.printed, needed) if name not in self.ratings)


class Register(msgspec.Struct, frozen=True, dict=True):
    """All counters of a game by their ids, in the order in which they were entered. Eliminated ones
    stay in it, without steps, so that the letters of the others do not change."""

    counters: dict[str, Counter] = {}

    def __getitem__(self, id: str) -> Counter:
        return self.counters[id]

    def __iter__(self) -> Iterator[Counter]:
        return iter(self.counters.values())

    def __len__(self) -> int:
        return len(self.counters)

    def with_counter(self, counter: Counter) -> Register:
        """The register with a new counter, or with a changed one in its place."""
        return Register(self.counters | {counter.id: counter})

    @cached_property
    def codes(self) -> dict[str, str]:
        """The letters by which each counter is called, by its id."""
        letters = slots.codes(len(self.counters))
        return dict(zip(self.counters, letters, strict=True))

    def where(
        self, *, side: str = "", kind: str = "", group: str = "", place: str = "", flag: str = ""
    ) -> tuple[Counter, ...]:
        """The counters that match all the arguments given, in their order."""
        # An empty argument matches every counter.
        matching = []
        for counter in self:
            is_of_kind = side in ("", counter.side) and kind in ("", counter.kind)
            is_there = group in ("", counter.group) and place in ("", counter.place)
            has_flag = not flag or flag in counter.flags
            if is_of_kind and is_there and has_flag:
                matching.append(counter)
        return tuple(matching)

    def cleared(self, side: str, flags: Iterable[str]) -> Register:
        """The register without these markers on the counters of a side (empty: of every side)."""
        # The markers may be an iterator, and each counter needs them all.
        removed = tuple(flags)
        after = dict(self.counters)
        for counter in self.where(side=side):
            after[counter.id] = counter.remarked(off=removed)
        return Register(after)

    def new_id(self, name: str) -> str:
        """An unused id for a counter of this name: ``1-b-116`` of 1/B/116."""
        # Letters and digits, with a hyphen for whatever stands between them.
        signs = ""
        for sign in name.lower():
            if sign.isalnum():
                signs += sign
            else:
                signs += " "
        base = "-".join(signs.split()) or "unit"
        # The sides may have units of the same name.
        number, id = 1, base
        while id in self.counters:
            number += 1
            id = f"{base}-{number}"
        return id

    def why_not_enter(
        self, units: Sequence[Counter], place: str, most: int, counts: Callable[[Counter], bool]
    ) -> str:
        """Why units of one side may not enter ``place``: an enemy is there, or more than ``most``
        units would stand there, of those for which ``counts`` is true. Empty if they may."""
        if not units or not place:  # nobody enters, or where is not written down
            return ""
        in_place = [counter for counter in self.where(place=place) if counter.steps]
        for counter in in_place:
            if counter.side != units[0].side:
                return f"{counter.name} is in {place}; nobody enters an enemy's hex."
        stack = {counter.id for counter in (*in_place, *units) if counts(counter)}
        # Units that do not count may enter even a hex that is too full.
        if len(stack) > most and any(map(counts, units)):
            return f"{place} would hold {len(stack)} units; at most {most} may stand there."
        return ""


def name_taken(name: str) -> str:
    """The refusal of a second counter of this name."""
    return f"{name} is entered already; give it a name of its own."


def named(units: Iterable[Counter]) -> str:
    """``1/B/116, 2/B/116 and B/116 HVY``."""
    names = [unit.name for unit in units]
    if not names:
        return "nobody"
    if len(names) == 1:
        return names[0]
    return f"{', '.join(names[:-1])} and {names[-1]}"


# ------------------------------------------------------------------ in and out


class CounterRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A counter in a file. A rating of ``"-"``: none is printed. A field that is None does not
    stand in the file, and changes nothing of the counter."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_NAME)]
    side: str
    kind: str = ""
    group: str = ""
    steps: Annotated[int, msgspec.Meta(ge=0, le=20)] | None = None
    ratings: dict[str, int | Literal["-"]] = {}
    traits: tuple[str, ...] = ()
    place: Annotated[str, msgspec.Meta(max_length=LONGEST_NAME)] | None = None
    markers: tuple[str, ...] | None = None

    def applied_to(self, counter: Counter) -> Counter:
        """The counter with what the file has of it."""
        ratings = dict(counter.ratings)
        for name, value in self.ratings.items():
            if value == "-":
                ratings[name] = None
            else:
                ratings[name] = value
        # What is printed on a counter stands in every file; what happened to it (steps, place,
        # markers) only in some.
        after = replace(
            counter, kind=self.kind, group=self.group, traits=self.traits, ratings=ratings
        )
        if self.steps is not None:
            after = replace(after, steps=self.steps)
        if self.place is not None:
            after = replace(after, place=self.place)
        if self.markers is not None:
            after = replace(after, flags=tuple(sorted(set(self.markers))))
        return after


def as_rows(register: Register) -> list[dict[str, Any]]:
    """The counters as the rows of a file, in their order."""
    rows = []
    for counter in register:
        ratings: dict[str, int | Literal["-"]] = {}
        for name, value in counter.ratings.items():
            if value is None:
                ratings[name] = "-"
            else:
                ratings[name] = value
        row = CounterRow(
            name=counter.name,
            side=counter.side,
            kind=counter.kind,
            group=counter.group,
            steps=counter.steps,
            ratings=ratings,
            traits=counter.traits,
            place=counter.place or None,
            markers=counter.flags or None,
        )
        rows.append(msgspec.to_builtins(row))
    return rows


class Printed(NamedTuple):
    """What may stand on the counters of a game; without ``kinds`` any kind. A marker may be one of
    the ``markers``, or begin with one of the ``beginnings``, as those that add up (``rallying
    2``)."""

    sides: Sequence[str]
    ratings: Sequence[str]
    kinds: Sequence[str] = ()
    traits: Sequence[str] = ()
    markers: Sequence[str] = ()
    beginnings: tuple[str, ...] = ()

    def problems(self, row: CounterRow, key: str) -> Iterator[Problem]:
        """What is wrong with a row, which stands at that key."""
        yield from self._text_problems(row, key)
        for name in row.ratings:
            if name not in self.ratings:
                hint = suggest(name, self.ratings)
                yield Problem(f"{key}.ratings.{name}", f"unknown; {hint}")
        for trait in row.traits:
            if trait not in self.traits:
                hint = suggest(trait, self.traits)
                yield Problem(f"{key}.traits", f"{trait!r} is unknown; {hint}")
        for marker in row.markers or ():
            if marker not in self.markers and not marker.startswith(self.beginnings):
                hint = suggest(marker, self.markers)
                yield Problem(f"{key}.markers", f"{marker!r} is unknown; {hint}")

    def _text_problems(self, row: CounterRow, key: str) -> Iterator[Problem]:
        """An unknown side or kind, and texts that no screen shows."""
        if row.side not in self.sides:
            yield Problem(
                f"{key}.side", f"{row.side!r} is no side; {suggest(row.side, self.sides)}"
            )
        for name in ("name", "group", "place"):
            text = getattr(row, name) or ""
            if plain(text) != text:
                message = f"{plain(text)} has characters that no screen shows; type it again."
                yield Problem(f"{key}.{name}", message)
        if self.kinds and row.kind not in self.kinds:
            yield Problem(f"{key}.kind", f"{row.kind!r}; {suggest(row.kind, self.kinds)}")


def read_rows(rows: Sequence[Any], printed: Printed, file: str) -> list[CounterRow]:
    """The rows of a file; raises DataError with every problem and its place."""
    table = read(list(rows), list[CounterRow], file)
    problems: list[Problem] = []
    names: set[tuple[str, str]] = set()
    for index, row in enumerate(table):
        problems += printed.problems(row, f"[{index}]")
        # A file knows its counters by side and name (``merged``), so that these must differ.
        if (row.side, row.name) in names:
            text = f"{row.name} stands there twice; give each unit of a side a name of its own."
            problems.append(Problem(f"[{index}].name", text))
        names.add((row.side, row.name))
    if problems:
        raise DataError(file, problems)
    return table


def merged(register: Register, rows: Iterable[CounterRow]) -> tuple[Counter, ...]:
    """The counters of a file as they are once it is taken in. Those that the register has already,
    by side and name, change only in what the file has of them; the others are new."""
    by_side_and_name = {(counter.side, counter.name): counter for counter in register}
    after: list[Counter] = []
    for row in rows:
        counter = by_side_and_name.get((row.side, row.name))
        if counter is None:
            counter = Counter(id=register.new_id(row.name), name=row.name, side=row.side)
            # The next new counter of the file must not get the same id.
            register = register.with_counter(counter)
        after.append(row.applied_to(counter))
    return tuple(after)


# ------------------------------------------------------------------ as a table of CSV


_TEXTS = ("name", "side", "kind", "group")
"""Columns whose cells are taken as they are."""
_STEPS = "steps"
"""The column of a number that is no rating."""
_PLACE = "place"
"""A column of text in which, unlike in ``_TEXTS``, an empty cell says something: nowhere."""
_LISTS = {"traits": " ", "markers": "; "}
"""Columns of several words, and what stands between them."""
_WHOLE_NUMBER = re.compile("-?[0-9]{1,9}")


def as_csv(register: Register, ratings: Sequence[str]) -> str:
    """A line for each counter, with a column for each rating; ``-``: none is printed. What no
    counter has, of traits, places and markers, has no column."""
    rows = as_rows(register)
    columns_if_any = []
    for name in ("traits", "place", "markers"):
        if any(name in row for row in rows):
            columns_if_any.append(name)
    lines = _Lines()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow((*_TEXTS, _STEPS, *ratings, *columns_if_any))
    for row in rows:
        cells = [row.get(name, "") for name in (*_TEXTS, _STEPS)]
        printed = row.get("ratings", {})
        cells += [printed.get(name, "") for name in ratings]
        for name in columns_if_any:
            if name in _LISTS:
                cells.append(_LISTS[name].join(row.get(name, ())))
            else:
                cells.append(row.get(name, ""))
        writer.writerow(cells)
    return "".join(lines.written)


class _Lines:
    """What the writer of the standard library writes to. It is no ``io.StringIO``: ``io`` is what
    opens files, and the rules may not import it."""

    def __init__(self) -> None:
        self.written: list[str] = []

    def write(self, line: str) -> None:
        self.written.append(line)


def csv_rows(text: str, ratings: Sequence[str], file: str) -> list[dict[str, Any]]:
    """The rows of such a file, for ``read_rows``; raises DataError with line and column."""
    try:
        table = list(csv.reader(text.splitlines(), strict=True))
    except csv.Error as error:
        raise DataError(file, [Problem("", f"is not a table of CSV: {error}.")]) from None
    titles: list[str] = []
    if table:
        titles = [title.strip().lower() for title in table[0]]
    # Without titles in the first line nobody can tell which column is which.
    if not {"name", "side"} <= set(titles) or len(set(titles)) < len(titles):
        need = "the titles of the columns belong here, each once, among them name and side."
        raise DataError(file, [Problem("line 1", need)])

    reader = _CsvReader(titles, ratings)
    rows = []
    # The line of the titles is the first, as an editor counts them.
    for number, cells in enumerate(table[1:], 2):
        if any(cell.strip() for cell in cells):
            rows.append(reader.row(number, [cell.strip() for cell in cells]))
    if reader.problems:
        raise DataError(file, reader.problems)
    return rows


class _CsvReader:
    """Reads lines of a table of counters, and collects what is wrong with them."""

    def __init__(self, titles: Sequence[str], ratings: Sequence[str]) -> None:
        self._titles, self._ratings = titles, ratings
        self.problems: list[Problem] = []

    def row(self, number: int, cells: Sequence[str]) -> dict[str, Any]:
        """The row of a line; without what is wrong in it."""
        row: dict[str, Any] = {"ratings": {}}
        if len(cells) != len(self._titles):
            text = f"has {len(cells)} cells; the first line has {len(self._titles)} titles."
            self.problems.append(Problem(f"line {number}", text))
            return row
        for title, cell in zip(self._titles, cells, strict=True):
            why = self._why_not(title, cell)
            if why:
                self.problems.append(Problem(f"line {number}.{title[:40]}", why))
            else:
                self._read(row, title, cell)
        return row

    def _why_not(self, title: str, cell: str) -> str:
        """What is wrong with a cell; empty if nothing is. An empty one is never wrong, not even in
        a column that nobody knows."""
        if not cell or title in (*_TEXTS, _PLACE, *_LISTS):
            return ""
        if _WHOLE_NUMBER.fullmatch(cell) or (cell == "-" and title in self._ratings):
            # A column of numbers that nobody knows is refused by ``read_rows``, as a rating.
            return ""
        columns = (*_TEXTS, _STEPS, *_LISTS, _PLACE, *self._ratings)
        if title not in columns:
            return f"is no column; {suggest(title, columns)}"
        return f"expected a whole number, or - for none; {cell[:40]!r} stands there."

    def _read(self, row: dict[str, Any], title: str, cell: str) -> None:
        """Puts a cell into the row. An empty one leaves out what it stands for, except that
        nothing is no trait, no marker and no place."""
        if title in _LISTS:
            between = _LISTS[title].strip() or None  # None: any white space
            words = [word.strip() for word in cell.split(between)]
            row[title] = [word for word in words if word]
        elif title == _PLACE:
            row[title] = cell
        elif not cell:
            return
        elif title in _TEXTS:
            row[title] = cell
        elif title == _STEPS:
            row[title] = int(cell)
        elif cell == "-":
            row["ratings"][title] = "-"
        else:
            row["ratings"][title] = int(cell)
