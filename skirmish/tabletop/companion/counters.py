"""The counters of a board game, and the register that fills during play.

The owner types in a counter's printed numbers when they are first needed. ``counter_rows`` writes
and reads them in files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property

import msgspec
from msgspec.structs import replace

from skirmish.tabletop import slots

LONGEST_NAME = 40
"""The most characters in the name of a counter, a company or a place."""
HIGHEST_RATING = 99
"""The highest rating that may be typed in."""
MOST_STEPS = 20
"""The most steps that a counter may have."""
LONGEST_ABBREVIATION = 2
"""Names of ratings that are no longer are abbreviations, and stand in capitals: HE, AP."""
BACK = "_reduced"
"""How the name of a rating on the back of a counter ends: the back of ``range`` is
``range_reduced``."""
STEPLESS = "stepless"
"""The trait of a counter that is printed without steps."""
LEADER = "leader"
"""The trait of a leader: he has no steps, and nobody fires at him."""


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
    """Its markers in alphabetical order. A marker that adds up has its number behind its name:
    ``rallying 2`` (``count``). No other marker begins with the same word."""
    ratings: dict[str, int | None] = {}
    """Its printed numbers by name, as far as the owner has typed them. None: the counter has no
    such number."""
    traits: tuple[str, ...] = ()
    """What else is printed on it."""
    two_sided: bool = False
    """Whether its back, which shows when only its last step is left, has ratings of its own."""

    @property
    def has_steps(self) -> bool:
        """Whether steps are counted off it. A counter without steps is stored with one step, since
        a counter with none is out of play."""
        return STEPLESS not in self.traits and LEADER not in self.traits

    def rating_key(self, name: str) -> str:
        """The key in ``ratings`` of the rating with this name on the side that is up."""
        # A counter is flipped for a step loss; the last step is that of its back.
        if self.two_sided and self.steps == 1:
            return name + BACK
        return name

    def rating(self, name: str) -> int:
        """The rating on the side that is up; 0 if there is none."""
        return self.ratings.get(self.rating_key(name)) or 0

    def has(self, flag: str) -> bool:
        """Whether it has that marker."""
        return flag in self.flags

    def marked(self, flag: str, on: bool = True) -> Counter:
        """The counter with this marker, or without it."""
        if on:
            return self.remarked(on=[flag])
        return self.remarked(off=[flag])

    def remarked(self, *, on: Iterable[str] = (), off: Iterable[str] = ()) -> Counter:
        """The counter without the markers ``off`` and with those ``on``; a marker in both is on."""
        # Sorted, so that counters with the same markers are equal, whichever was put on first.
        flags = set(self.flags).difference(off).union(on)
        return replace(self, flags=tuple(sorted(flags)))

    def count(self, flag: str) -> int:
        """How many markers it has of a kind that adds up: 2 for ``rallying 2``, as ``counting``
        writes it."""
        for marker in self.flags:
            if marker.startswith(f"{flag} "):
                number = marker.removeprefix(f"{flag} ")
                return int(number)
        return 0

    def counting(self, flag: str, count: int) -> Counter:
        """The counter with so many markers of a kind that adds up, in the place of those that it
        has."""
        former = [marker for marker in self.flags if marker.startswith(f"{flag} ")]
        without_any = self.remarked(off=former)
        if not count:
            return without_any
        return without_any.marked(f"{flag} {count}")

    def missing(self, needed: Iterable[str]) -> tuple[str, ...]:
        """Which of these ratings are not typed in yet."""
        names = [self.rating_key(name) for name in needed]
        return tuple(name for name in names if name not in self.ratings)


class Register(msgspec.Struct, frozen=True, dict=True):
    """All counters of a game by their ids, in the order in which they were entered. Eliminated ones
    stay in it, without steps, so that the letters of the others (``codes``) do not change."""

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
            matches = (
                side in ("", counter.side)
                and kind in ("", counter.kind)
                and group in ("", counter.group)
                and place in ("", counter.place)
                and (not flag or counter.has(flag))
            )
            if matches:
                matching.append(counter)
        return tuple(matching)

    def cleared(self, side: str, flags: Iterable[str]) -> Register:
        """The register without these markers on the counters of a side (empty: of every side)."""
        # The markers are gone through for each counter, and an iterator would be used up at the
        # first one.
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
        # Both sides may have a unit of the same name: the second one is ``1-b-116-2``.
        number = 1
        id = base
        while id in self.counters:
            number += 1
            id = f"{base}-{number}"
        return id

    def why_not_enter(
        self, units: Sequence[Counter], place: str, most: int, counts: Callable[[Counter], bool]
    ) -> str:
        """Why units of one side may not enter ``place``: an enemy is there, or more than ``most``
        units would stand there, not counting those for which ``counts`` is false. Empty if they
        may."""
        if not units or not place:  # nobody enters, or where is not written down
            return ""
        in_place = [counter for counter in self.where(place=place) if counter.steps]
        for counter in in_place:
            if counter.side != units[0].side:
                return f"{counter.name} is in {place}; nobody enters an enemy's hex."
        # By their ids: a unit that is in the place already is counted once.
        stack = {counter.id for counter in (*in_place, *units) if counts(counter)}
        # Units that do not count may enter even a hex that is too full.
        is_too_full = len(stack) > most
        if is_too_full and any(counts(unit) for unit in units):
            return f"{place} would hold {len(stack)} units; at most {most} may stand there."
        return ""


def rating_label(name: str) -> str:
    """What a rating is called in texts: ``range`` and ``HE``, those of the back ``range reduced``
    and ``HE reduced``."""
    first_word, *further_words = name.split("_")
    if len(first_word) <= LONGEST_ABBREVIATION:
        first_word = first_word.upper()
    return " ".join([first_word, *further_words])


def name_taken(name: str) -> str:
    """The sentence that refuses a second counter of this name."""
    return f"{name} is entered already; give it a name of its own."


def named(units: Iterable[Counter]) -> str:
    """The names of units in a sentence: ``1/B/116, 2/B/116 and B/116 HVY``; ``nobody`` for no
    units."""
    names = [unit.name for unit in units]
    if not names:
        return "nobody"
    if len(names) == 1:
        return names[0]
    return f"{', '.join(names[:-1])} and {names[-1]}"
