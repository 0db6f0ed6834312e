"""The counters of a game as the rows of a file of TOML or JSON.

``as_rows`` writes them; ``read_rows`` checks those of a file, and ``merged`` takes them into a
register. ``counter_csv`` has the same rows as a table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from skirmish.tabletop.companion.counters import LONGEST_NAME, MOST_STEPS, Counter, Register
from skirmish.tabletop.data_file import DataError, Problem, read, suggest
from skirmish.tabletop.typed import plain


class CounterRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A counter in a file. A rating of ``"-"`` is none: the counter has no such number. A field
    that is None is not in the file, and leaves the counter as it is."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_NAME)]
    side: str
    kind: str = ""
    group: str = ""
    steps: Annotated[int, msgspec.Meta(ge=0, le=MOST_STEPS)] | None = None
    ratings: dict[str, int | Literal["-"]] = {}
    traits: tuple[str, ...] = ()
    place: Annotated[str, msgspec.Meta(max_length=LONGEST_NAME)] | None = None
    markers: tuple[str, ...] | None = None

    def applied_to(self, counter: Counter) -> Counter:
        """The counter with what the file says of it."""
        ratings = dict(counter.ratings)
        for name, value in self.ratings.items():
            if value == "-":
                ratings[name] = None
            else:
                ratings[name] = value
        # What is printed on a counter is in every file; what has happened to it (steps, place,
        # markers) is only in some.
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
    """The counters in their order, each as a ``CounterRow`` in the form in which a file has it."""
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


class AllowedOnCounters(NamedTuple):
    """What the counters of a game may have. Where ``kinds`` is empty, any kind is allowed. A marker
    is one of the ``markers``, or begins with one of the ``beginnings``, as those that add up do
    (``rallying 2``)."""

    sides: Sequence[str]
    ratings: Sequence[str]
    kinds: Sequence[str] = ()
    traits: Sequence[str] = ()
    markers: Sequence[str] = ()
    beginnings: tuple[str, ...] = ()

    def problems(self, row: CounterRow, key: str) -> Iterator[Problem]:
        """What is wrong with a row; ``key`` is its place in the file."""
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
        """An unknown side or kind, and texts that no screen can show."""
        if row.side not in self.sides:
            hint = suggest(row.side, self.sides)
            yield Problem(f"{key}.side", f"{row.side!r} is no side; {hint}")
        typed_texts = {"name": row.name, "group": row.group, "place": row.place or ""}
        for name, text in typed_texts.items():
            shown_text = plain(text)
            if shown_text != text:
                message = f"{shown_text} has characters that no screen shows; type it again."
                yield Problem(f"{key}.{name}", message)
        if self.kinds and row.kind not in self.kinds:
            yield Problem(f"{key}.kind", f"{row.kind!r}; {suggest(row.kind, self.kinds)}")


def read_rows(rows: Sequence[Any], allowed: AllowedOnCounters, file: str) -> list[CounterRow]:
    """The rows of a file; raises DataError with every problem and its place."""
    counter_rows = read(list(rows), list[CounterRow], file)
    problems: list[Problem] = []
    sides_and_names: set[tuple[str, str]] = set()
    for index, row in enumerate(counter_rows):
        problems += allowed.problems(row, f"[{index}]")
        # A file identifies its counters by side and name (``merged``), so no two may have the same.
        side_and_name = (row.side, row.name)
        if side_and_name in sides_and_names:
            text = f"{row.name} stands there twice; give each unit of a side a name of its own."
            problems.append(Problem(f"[{index}].name", text))
        sides_and_names.add(side_and_name)
    if problems:
        raise DataError(file, problems)
    return counter_rows


def merged(register: Register, rows: Iterable[CounterRow]) -> tuple[Counter, ...]:
    """The counters of a file as they will be in the register. Those that it has already, by side
    and name, change only in what the file says of them; the others are new."""
    by_side_and_name = {(counter.side, counter.name): counter for counter in register}
    counters_after: list[Counter] = []
    for row in rows:
        counter = by_side_and_name.get((row.side, row.name))
        if counter is None:
            counter = Counter(id=register.new_id(row.name), name=row.name, side=row.side)
            # The next new counter of the file must not get the same id.
            register = register.with_counter(counter)
        counters_after.append(row.applied_to(counter))
    return tuple(counters_after)
