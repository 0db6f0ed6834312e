"""The numbers of Beach Head, and the set-up of a game.

A phase is data: its effect, dice and modifiers. The game plays it, the simulator runs it a million
times, the play sheet prints it; none of them contains a number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Annotated, Any, Literal

import msgspec

from skirmish.tabletop.chance import Draw, Source
from skirmish.tabletop.data_file import Strict, read

DefenceId = Literal["mines", "traps", "walls", "ditches", "bunkers", "wire", "trenches"]
TankId = Literal["gun", "crab", "bridge", "fascine"]
PhaseId = Literal[
    "tactical", "frogman", "lci", "lct", "lcs", "gun_tank", "defenders", "artillery", "shore_guns",
    "mines", "engineers", "flail", "petard", "bridge", "infantry", "support", "destroyer", "end",
]  # fmt: skip
SkipCode = Literal[
    "no_tank", "no_defence", "too_early", "nobody", "nothing_left", "no_cards", "not_here"
]
Variant = Literal["normandy", "omaha"]
Spec = Annotated[
    str, msgspec.Meta(pattern=r"^[1-9]d6([+-][1-9])?$", description="a roll such as 2d6+2")
]
"""Six-sided dice as printed: ``1d6-3``."""
Face = Annotated[int, msgspec.Meta(ge=1, le=6)]
Count = Annotated[int, msgspec.Meta(ge=0)]
Positive = Annotated[int, msgspec.Meta(ge=1)]


@lru_cache(maxsize=64)
def dice(spec: str) -> tuple[int, int]:
    count, plus = spec.split("d6")
    return int(count), int(plus or 0)


class Modifiers(Strict, frozen=True, kw_only=True):
    """Modifiers of a roll: while tank traps remain, after landing craft were hit, at half the
    bunkers, without bunkers, for each full dozen of squads ashore."""

    traps: int = 0
    craft_hit: int = 0
    half_bunkers: int = 0
    no_bunkers: int = 0
    per_dozen: int = 0


class ResultRow(Strict, frozen=True, kw_only=True):
    """One row of a table, for results from the first to the second of ``rolls``: squads killed, a
    tank lost, a landing craft hit, points removed, or nothing."""

    rolls: tuple[int, int]
    name: str = ""
    kill: Spec | None = None
    tank: Literal["any", "no_flail"] | None = None
    craft: bool = False
    remove: Spec | None = None
    targets: tuple[DefenceId, ...] = msgspec.field(name="from", default=())


class PhaseStep(Strict, frozen=True, kw_only=True, omit_defaults=True):
    """Dice and their effect: ``remove`` points from one of ``targets`` after all of ``once`` are
    gone (a target in ``craters`` leaves new ditches); land ``squads``, or ``tanks`` with a die each
    for their ``type``; look up a ``table`` of rows."""

    does: Literal["remove", "squads", "tanks", "table", "nothing"]
    dice: Spec
    modifiers: Modifiers = Modifiers()
    targets: tuple[DefenceId, ...] = msgspec.field(name="from", default=())
    once: tuple[DefenceId, ...] = ()
    craters: dict[DefenceId, Spec] = msgspec.field(default_factory=dict)
    type: Spec = ""
    row: tuple[ResultRow, ...] = ()

    def find(self, total: int) -> int:
        last = len(self.row) - 1
        return next((at for at, row in enumerate(self.row) if total <= row.rolls[1]), last)


NO_STEP = PhaseStep(does="nothing", dice="")


class Phase(Strict, frozen=True, kw_only=True):
    """One of the eighteen phases. It is skipped without one of the tanks it ``needs``, without the
    defence in ``skipped_without``, and before ``from_turn``."""

    id: PhaseId
    name: str
    side: Literal["allied", "german"] = "allied"
    needs: tuple[TankId, ...] = ()
    skipped_without: DefenceId | None = None
    from_turn: Positive = 1
    step: tuple[PhaseStep, ...] = ()

    @property
    def late(self) -> PhaseStep:
        """The one removal that requires others to be gone."""
        return next(one for one in self.step if one.once)


class Defence(Strict, frozen=True, kw_only=True):
    id: DefenceId
    name: str
    points: Positive
    wins: bool = False


class Tank(Strict, frozen=True, kw_only=True):
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


class Card(Strict, frozen=True, kw_only=True):
    """The effect of a rank: sets a die, shifts a roll, or one of three other effects."""

    rank: int
    name: str
    sets: Face | None = None
    shifts: int = 0
    does: Literal["reroll", "repeat", "draw"] | None = None


class Hand(Strict, frozen=True, kw_only=True):
    """The hand: filled up to ``full``, of which ``redraw`` may be exchanged once; ``keep`` remain
    at the end of a turn. A General draws ``general``."""

    full: Positive
    keep: Count
    redraw: Count
    general: Positive


class Omaha(Strict, frozen=True, kw_only=True):
    without: tuple[DefenceId, ...]
    lands: tuple[TankId, ...]


class Ruleset(Strict, frozen=True, kw_only=True, dict=True):
    format: Literal[1]
    dozen: Positive
    hand: Hand
    defence: tuple[Defence, ...]
    omaha: Omaha
    card: tuple[Card, ...]
    tank: tuple[Tank, ...]
    phase: tuple[Phase, ...]

    def defence_of(self, name: str) -> Defence:
        return next(one for one in self.defence if one.id == name)

    def tank_of(self, name: str) -> Tank:
        return next(one for one in self.tank if one.id == name)

    def tank_by_face(self, total: int) -> Tank:
        return next(one for one in self.tank if min(6, max(1, total)) in one.faces)

    def card_of(self, card: Draw) -> Card:
        return next(one for one in self.card if one.rank == card.rank)

    def listed(self, names: Sequence[str], word: str = "or") -> str:
        """Defences inside a sentence: ``mines, walls or barbed wire``."""
        *others, last = [self.defence_of(one).name.lower() for one in names]
        return f"{', '.join(others)} {word} {last}" if others else last

    @cached_property
    def _places(self) -> dict[str, int]:
        return {one.id: at for at, one in enumerate(self.phase)}

    def place(self, name: str) -> int:
        return self._places[name]


def signs(cards: Iterable[Draw]) -> str:
    """Cards by their ranks, ``A 7 10``: suits make no difference."""
    return " ".join(str(Draw(one.rank, "S"))[:-1] for one in cards)


def read_ruleset(raw: Mapping[str, Any]) -> Ruleset:
    """Raises DataError."""
    return read(raw, Ruleset, "beach_head/game.toml")


class BeachSetup(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a game depends on; it never reads the data files again.

    ``rulings`` answers all of them; ``named`` is the name of these answers, a preset's
    if it has one. ``dice`` and ``cards`` are the
    program's (seeded) or the player's own; without ``cards`` the game is played without a hand. In
    games of ``version`` 1 a value set on one of several dice took away a plus or minus that lay on
    it, and own dice always waited for a second key.
    """

    ruleset: Ruleset = msgspec.field(name="manual")
    rulings: dict[str, str]
    variant: Variant = "normandy"
    dice: Source
    cards: Source | None = None
    named: str = msgspec.field(default="printed", name="reading")
    player: str = ""
    revision: str = ""
    version: int = 1  # where a journal names none

    @property
    def title(self) -> str:
        return "Beach Head, Omaha" if self.variant == "omaha" else "Beach Head"

    @property
    def left_out(self) -> tuple[DefenceId, ...]:
        return self.ruleset.omaha.without if self.variant == "omaha" else ()

    @property
    def defences(self) -> tuple[Defence, ...]:
        return tuple(one for one in self.ruleset.defence if one.id not in self.left_out)

    def points(self) -> dict[DefenceId, int]:
        out = self.left_out
        return {one.id: 0 if one.id in out else one.points for one in self.ruleset.defence}

    @property
    def most_ditches(self) -> int | None:
        """The upper limit of ditches: those at the start, or None where craters may add any number
        (B15)."""
        return self.points()["ditches"] if self.rulings["B15"] == "cap" else None

    def landed_as(self, kind: TankId) -> TankId | None:
        """The kind as which a tank of ``kind`` lands (B27); None if it does not."""
        if self.variant != "omaha" or kind in self.ruleset.omaha.lands:
            return kind
        return self.ruleset.omaha.lands[0] if self.all_guns else None

    @property
    def all_guns(self) -> bool:
        return self.variant == "omaha" and self.rulings["B27"] == "all_gun"
