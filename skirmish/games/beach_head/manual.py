"""The numbers of Beach Head, typed: defences, hand, cards, tanks, and the phases step by step.

A phase is data: what it does, with which dice, under which modifiers. The game plays it, the
simulator runs it a million times, the play sheet prints it; none of them knows a number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Annotated, Any, Literal

import msgspec

from skirmish.tabletop.chance import Draw
from skirmish.tabletop.reading import DataError, Problem, read

DefenceId = Literal["mines", "traps", "walls", "ditches", "bunkers", "wire", "trenches"]
TankId = Literal["gun", "crab", "bridge", "fascine"]
PhaseId = Literal[
    "tactical", "frogman", "lci", "lct", "lcs", "gun_tank", "defenders", "artillery", "shore_guns",
    "mines", "engineers", "flail", "petard", "bridge", "infantry", "support", "destroyer", "end",
]  # fmt: skip
Spec = Annotated[
    str, msgspec.Meta(pattern=r"^[1-9]d6([+-][1-9])?$", description="a roll such as 2d6+2")
]
"""Six-sided dice as printed: ``1d6-3``."""
Face = Annotated[int, msgspec.Meta(ge=1, le=6)]
Count = Annotated[int, msgspec.Meta(ge=0)]
Positive = Annotated[int, msgspec.Meta(ge=1)]


class Dice(msgspec.Struct, frozen=True):
    """``count`` six-sided dice, and what is added to their sum."""

    count: int
    plus: int = 0


@lru_cache(maxsize=64)
def dice(spec: str) -> Dice:
    """``"2d6+2"`` as Dice(2, 2)."""
    count, plus = spec.split("d6")
    return Dice(int(count), int(plus or 0))


class Exact(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Whatever is read from the file or kept in a journal: no key that nobody knows."""


class Modifiers(Exact, frozen=True, kw_only=True):
    """What is added to a roll: while tank traps remain, after landing craft were hit, at half the
    bunkers, without bunkers, for each full dozen of squads ashore."""

    traps: int = 0
    craft_hit: int = 0
    half_bunkers: int = 0
    no_bunkers: int = 0
    per_dozen: int = 0


class Remove(Exact, frozen=True, kw_only=True, tag_field="does", tag="remove"):
    """Take points off one of ``targets``, ``once`` all of those are gone. A target in ``craters``
    leaves new ditches."""

    dice: Spec
    targets: tuple[DefenceId, ...] = msgspec.field(name="from")
    modifiers: Modifiers = Modifiers()
    once: tuple[DefenceId, ...] = ()
    craters: dict[DefenceId, Spec] = {}


class Squads(Exact, frozen=True, kw_only=True, tag_field="does", tag="squads"):
    """Infantry lands."""

    dice: Spec
    modifiers: Modifiers = Modifiers()


class Tanks(Exact, frozen=True, kw_only=True, tag_field="does", tag="tanks"):
    """Tanks land, and a die for each says of which kind it is."""

    dice: Spec
    type: Spec
    modifiers: Modifiers = Modifiers()


class Row(Exact, frozen=True, kw_only=True):
    """One row of a table, for results from the first to the second of ``rolls``: squads killed, a
    tank lost, a landing craft hit, points removed, or nothing."""

    rolls: tuple[int, int]
    name: str = ""
    kill: Spec | None = None
    tank: Literal["any", "no_flail"] | None = None
    craft: bool = False
    remove: Spec | None = None
    targets: tuple[DefenceId, ...] = msgspec.field(name="from", default=())


class Table(Exact, frozen=True, kw_only=True, tag_field="does", tag="table"):
    """A roll is looked up. A result off the table counts as the nearest row (B4, B5)."""

    dice: Spec
    row: tuple[Row, ...]
    modifiers: Modifiers = Modifiers()

    def find(self, total: int) -> int:
        """The index of the row for ``total``."""
        for index, row in enumerate(self.row):
            if total <= row.rolls[1]:
                return index
        return len(self.row) - 1


Step = Remove | Squads | Tanks | Table


class Phase(Exact, frozen=True, kw_only=True):
    """One of the eighteen. It is skipped without one of the tanks it ``needs``, without the defence
    in ``skipped_without``, and before ``from_turn``."""

    id: PhaseId
    name: str
    side: Literal["allied", "german"] = "allied"
    needs: tuple[TankId, ...] = ()
    skipped_without: DefenceId | None = None
    from_turn: Positive = 1
    step: tuple[Step, ...] = ()


class Defence(Exact, frozen=True, kw_only=True):
    """One track: its points at the start. Those that ``wins`` must all be gone."""

    id: DefenceId
    name: str
    points: Positive
    wins: bool = False


class Tank(Exact, frozen=True, kw_only=True):
    """One kind of tank, and the faces of the die that bring it."""

    id: TankId
    name: str
    names: str
    about: str
    faces: tuple[int, ...]
    flail: bool = False

    @property
    def noun(self) -> str:
        """Its name inside a sentence: ``gun tank``, ``AVRE bridge``."""
        return self.name if self.name[1:2].isupper() else self.name.lower()


class Card(Exact, frozen=True, kw_only=True):
    """What cards of a rank do: set a die, shift a roll, or one of three other things."""

    rank: int
    name: str
    sets: Face | None = None
    shifts: int = 0
    does: Literal["reroll", "repeat", "draw"] | None = None


def signs(cards: Iterable[Draw]) -> str:
    """Cards by their ranks, ``A 7 10``: suits make no difference."""
    named = {1: "A", 11: "J", 12: "Q", 13: "K"}
    return " ".join(named.get(one.rank, str(one.rank)) for one in cards)


class Hand(Exact, frozen=True, kw_only=True):
    """Cards in hand: filled up to ``full``, of which ``redraw`` may be exchanged once; ``keep`` are
    left at the end of a turn. A General draws ``general``."""

    full: Positive
    keep: Count
    redraw: Count
    general: Positive


class Omaha(Exact, frozen=True, kw_only=True):
    """The variant: defences left out, and the only tanks that land."""

    without: tuple[DefenceId, ...]
    lands: tuple[TankId, ...]


class Manual(Exact, frozen=True, kw_only=True):
    """data/beach_head/game.toml."""

    format: Literal[1]
    dozen: Positive
    hand: Hand
    defence: tuple[Defence, ...]
    omaha: Omaha
    card: tuple[Card, ...]
    tank: tuple[Tank, ...]
    phase: tuple[Phase, ...]

    def defence_of(self, name: str) -> Defence:
        """The defence with that id."""
        return next(one for one in self.defence if one.id == name)

    def tank_of(self, name: str) -> Tank:
        """The kind of tank with that id."""
        return next(one for one in self.tank if one.id == name)

    def card_of(self, rank: int) -> Card:
        """What cards of that rank do."""
        return next(one for one in self.card if one.rank == rank)

    def listed(self, names: Sequence[str], word: str = "or") -> str:
        """Defences inside a sentence: ``mines, walls or barbed wire``."""
        *others, last = [self.defence_of(one).name.lower() for one in names]
        return f"{', '.join(others)} {word} {last}" if others else last

    def place(self, name: str) -> int:
        """The place of the phase with that id in a turn, from 0."""
        return next(index for index, one in enumerate(self.phase) if one.id == name)


def read_manual(raw: Mapping[str, Any]) -> Manual:
    """The numbers, checked: every id once, every card and face of a die told. Raises DataError."""
    file = "beach_head/game.toml"
    manual = read(raw, Manual, file)
    if problems := list(_problems(manual)):
        raise DataError(file, problems)
    return manual


def _problems(manual: Manual) -> Iterator[Problem]:
    for what, ids, wanted in (
        ("defence", [one.id for one in manual.defence], DefenceId.__args__),  # type: ignore[attr-defined]
        ("tank", [one.id for one in manual.tank], TankId.__args__),  # type: ignore[attr-defined]
        ("phase", [one.id for one in manual.phase], PhaseId.__args__),  # type: ignore[attr-defined]
    ):
        for index, name in enumerate(ids):
            if name in ids[:index]:
                yield Problem(f"{what}[{index}].id", f"{name} stands there twice.")
        for name in sorted(set(wanted) - set(ids)):
            yield Problem(what, f"{name} is missing.")
    ranks = sorted(one.rank for one in manual.card)
    if not any(one.wins for one in manual.defence):
        yield Problem("defence", "one of them at least must be marked wins, or no game would end.")
    if ranks != list(range(1, 14)):
        yield Problem("card", f"there must be one for each rank from 1 to 13, not {ranks}.")
    faces = sorted(face for one in manual.tank for face in one.faces)
    if faces != list(range(1, 7)):
        yield Problem("tank", f"their faces must be 1 to 6, each once, not {faces}.")
    for index, card in enumerate(manual.card):
        if (card.sets is not None) + bool(card.shifts) + (card.does is not None) != 1:
            yield Problem(f"card[{index}]", "a card does one thing: sets, shifts or does.")
    yield from _in_phases(manual.phase)


def _in_phases(phases: tuple[Phase, ...]) -> Iterator[Problem]:
    order = [one.id for one in phases]
    if order[:1] != ["tactical"] or order[-1:] != ["end"]:
        yield Problem("phase", "tactical must come first, and end last.")
    for place, phase in enumerate(phases):
        key = f"phase[{place}].step"
        if bool(phase.step) == (phase.id in ("tactical", "end")):
            without = "has no step; it is about cards." if phase.step else "needs a step."
            yield Problem(key, f"{phase.id} {without}")
        for index, step in enumerate(phase.step):
            match step:
                case Remove(targets=()):
                    yield Problem(f"{key}[{index}].from", "needs a defence.")
                case Remove() if strange := sorted(set(step.craters) - set(step.targets)):
                    says = f"{', '.join(strange)} cannot be aimed at; from says what can."
                    yield Problem(f"{key}[{index}].craters", says)
                case Table():
                    yield from _in_table(step, f"{key}[{index}].row")


def _in_table(table: Table, key: str) -> Iterator[Problem]:
    if not table.row:
        yield Problem(key, "needs a row.")
    if not _goes_on(table):
        yield Problem(key, "each row must go on where the one before it ended.")
    for index, row in enumerate(table.row):
        does = [row.kill is not None, row.tank is not None, row.craft, row.remove is not None]
        if sum(does) > 1:
            yield Problem(f"{key}[{index}]", "a row does one thing: kill, tank, craft or remove.")
        if bool(row.targets) != (row.remove is not None):
            yield Problem(f"{key}[{index}]", "remove and from go together.")
    if len({row.targets for row in table.row if row.remove}) > 1:
        yield Problem(key, "rows that remove must have the same from.")


def _goes_on(table: Table) -> bool:
    ends = [row.rolls for row in table.row]
    return all(first <= last for first, last in ends) and all(
        before[1] + 1 == after[0] for before, after in pairwise(ends)
    )
