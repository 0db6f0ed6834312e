"""The counters of a board game, and the register that fills while one plays.

What a counter's printed numbers are the owner types in, the first time that they are needed; they
are remembered, and go in and out as the rows of a TOML file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any, Literal

import msgspec

from skirmish.tabletop.reading import DataError, Problem, read, suggest

LONGEST_NAME = 40


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
        return flag in self.flags

    def marked(self, flag: str, on: bool = True) -> Counter:
        flags = set(self.flags) | {flag} if on else set(self.flags) - {flag}
        return msgspec.structs.replace(self, flags=tuple(sorted(flags)))

    def missing(self, needed: Iterable[str]) -> tuple[str, ...]:
        """Which of these ratings are still to be typed in."""
        return tuple(name for name in needed if name not in self.ratings)


class Register(msgspec.Struct, frozen=True):
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


class CounterRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A counter in a file; ``"-"`` for a rating that is not printed."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_NAME)]
    side: str
    kind: str = ""
    group: str = ""
    steps: Annotated[int, msgspec.Meta(ge=1, le=20)] = 1
    ratings: dict[str, int | Literal["-"]] = {}


def as_rows(register: Register) -> list[dict[str, Any]]:
    rows = (
        CounterRow(one.name, one.side, one.kind, one.group, one.steps,
                   {name: "-" if value is None else value for name, value in one.ratings.items()})
        for one in register
    )  # fmt: skip
    return [msgspec.to_builtins(row) for row in rows]


def from_rows(
    rows: Sequence[Any], ratings: Sequence[str], sides: Sequence[str], file: str
) -> Register:
    """A register out of such mappings; raises DataError with every problem and its place."""
    register, problems = Register(), list[Problem]()
    for at, row in enumerate(read(list(rows), list[CounterRow], file)):
        if row.side not in sides:
            text = f"{row.side!r} is no side; {suggest(row.side, sides)}"
            problems.append(Problem(f"[{at}].side", text))
        problems += [
            Problem(f"[{at}].ratings.{name}", f"unknown; {suggest(name, ratings)}")
            for name in row.ratings
            if name not in ratings
        ]
        counter = Counter(
            id=register.new_id(row.name), name=row.name, side=row.side, kind=row.kind,
            group=row.group, steps=row.steps,
            ratings={name: None if value == "-" else value for name, value in row.ratings.items()},
        )  # fmt: skip
        register = register.with_counter(counter)
    if problems:
        raise DataError(file, problems)
    return register
