"""The ruleset under one game's rulings as plain numbers, which both engines execute.

Defences and tanks are columns, rulings are resolved, names are gone. Each ruling that matters
without cards is read here, or named where the engines use it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import msgspec
from msgspec.structs import asdict

from skirmish.games.beach_head import ruleset as printed
from skirmish.games.beach_head.events import Opened
from skirmish.games.beach_head.ruleset import DefenceId, Modifiers, Phase, Setup, dice
from skirmish.games.beach_head.state import WITHOUT_SQUADS

NONE = -1
"""No column."""


class RollSpec(Modifiers, frozen=True, kw_only=True):
    """Dice with their printed modifier and the modifiers of the beach."""

    dice: int
    plus: int = 0


class RemoveAct(msgspec.Struct, frozen=True):
    """Removes points from one of ``targets``, if all of ``once`` are gone, now or when the phase
    began (``looks_back``). ``also`` are targets while all of ``also_once`` are gone. A hit on
    ``cratered`` digs ``crater``."""

    throw: RollSpec
    targets: tuple[int, ...]
    once: tuple[int, ...] = ()
    looks_back: bool = False
    also: tuple[int, ...] = ()
    also_once: tuple[int, ...] = ()
    cratered: int = NONE
    crater: RollSpec | None = None

    @property
    def every(self) -> tuple[int, ...]:
        """All possible targets, in the order in which choices are counted."""
        return (*self.targets, *self.also)


class SquadsAct(msgspec.Struct, frozen=True):
    throw: RollSpec


class TanksAct(msgspec.Struct, frozen=True):
    """Lands tanks; ``kinds``: the column for each face from 1, or NONE if it does not land."""

    throw: RollSpec
    kinds: tuple[int, ...]


class TableActRow(msgspec.Struct, frozen=True):
    """The effect of results up to ``highest``: squads killed, one of the tanks in ``loses`` lost, a
    landing craft hit, points removed, or nothing."""

    highest: int
    kill: RollSpec | None = None
    loses: tuple[int, ...] = ()
    given: bool = False
    """Whether the player chooses the kind (B13)."""
    craft: bool = False
    remove: RemoveAct | None = None


class TableAct(msgspec.Struct, frozen=True):
    """Looks a result up; one beyond the last row counts as the last."""

    throw: RollSpec
    rows: tuple[TableActRow, ...]


Act = RemoveAct | SquadsAct | TanksAct | TableAct


class Stage(msgspec.Struct, frozen=True, kw_only=True):
    """One phase. It is skipped before ``from_turn``, without one of the tanks it ``needs``,
    without the defence ``without``, and without squads if it ``needs_squads``. It is played once,
    or by ``each_tank`` that it needs."""

    phase: str
    acts: tuple[Act, ...] = ()
    from_turn: int = 1
    needs: tuple[int, ...] = ()
    without: int = NONE
    needs_squads: bool = False
    each_tank: bool = False


class Programme(msgspec.Struct, frozen=True, kw_only=True):
    """A whole game.

    ``points`` at the start by column; ``wins`` must all be gone. ``idle`` targets, those of this
    variant, may be aimed at while another stands (B11).
    """

    defences: tuple[str, ...]
    tanks: tuple[str, ...]
    points: tuple[int, ...]
    wins: tuple[int, ...]
    stages: tuple[Stage, ...]
    dozen: int
    traps: int
    bunkers: int
    ditches: int
    idle: tuple[int, ...]
    rulings: dict[str, str]

    def ruled(self, ruling: str, answer: str) -> bool:
        return self.rulings[ruling] == answer


class Rows(NamedTuple):
    """The row numbers of a matrix of games; defences come first, in the ruleset's order."""

    tanks: int
    """The first of the tanks, in the ruleset's order."""
    squads: int
    casualties: int
    tanks_lost: int
    craft: int
    """Landing craft hit this turn."""
    craft_before: int
    """Landing craft hit last turn."""
    traps_at_turn: int
    squads_at_turn: int
    turn: int
    """The turn in which the game was won; 0 until then."""
    every: int
    """The number of rows."""


def rows(programme: Programme) -> Rows:
    tanks = len(programme.defences)
    first = tanks + len(programme.tanks)
    return Rows(tanks, *range(first, first + 9))


# ------------------------------------------------------------------ from a set-up


def lowered(setup: Setup) -> Programme:
    lowering, ruleset = _Lowering(setup), setup.ruleset
    idle = [name for name in lowering.defences if name not in setup.left_out]
    return Programme(
        defences=tuple(lowering.defences),
        tanks=tuple(lowering.tanks),
        points=tuple(setup.points()[name] for name in lowering.defences),
        wins=lowering.columns(one.id for one in ruleset.defence if one.wins),
        stages=tuple(map(lowering.stage, ruleset.phase)),
        dozen=ruleset.dozen,
        traps=lowering.defences.index("traps"),
        bunkers=lowering.defences.index("bunkers"),
        ditches=lowering.defences.index("ditches"),
        idle=lowering.columns(idle if lowering.state.ruled("B11", "any") else ()),
        rulings=setup.rulings,
    )


class _Lowering:
    """``state``: the newly opened game, which resolves its rulings."""

    def __init__(self, setup: Setup) -> None:
        self.setup, self.ruleset = setup, setup.ruleset
        self.state = Opened(setup=setup).apply(None)
        self.defences = [one.id for one in self.ruleset.defence]
        self.tanks = [one.id for one in self.ruleset.tank]

    def columns(self, names: Iterable[DefenceId]) -> tuple[int, ...]:
        return tuple(map(self.defences.index, names))

    def stage(self, phase: Phase) -> Stage:
        """One phase; without acts where it is never played (B27)."""
        never = self.state.skip_reason(phase, phase.from_turn) == "not_here"
        return Stage(
            phase=phase.id,
            acts=() if never else tuple(self.act(phase, step) for step in phase.step),
            from_turn=phase.from_turn,
            needs=tuple(self.tanks.index(kind) for kind in phase.needs),
            without=(self.defences.index(phase.skipped_without) if phase.skipped_without else NONE),
            needs_squads=phase.id in WITHOUT_SQUADS[self.setup.rulings["B31"]],
            each_tank=bool(phase.needs) and self.state.ruled("B7", "tank"),
        )

    def act(self, phase: Phase, step: printed.PhaseStep) -> Act:
        roll = throw(self.state.spec_of(step), step.modifiers)
        match step.does:
            case "remove":
                return self.remove(phase, step, roll)
            case "squads":
                return SquadsAct(roll)
            case "tanks":
                return TanksAct(roll, tuple(map(self.landed, range(1, 7))))
            case _:
                return TableAct(roll, tuple(map(self.row, step.row)))

    def remove(self, phase: Phase, step: printed.PhaseStep, roll: RollSpec) -> RemoveAct:
        once = self.columns(self.state.gone_first(phase, step))
        targets = self.columns(step.targets)
        also: tuple[int, ...] = ()
        also_once: tuple[int, ...] = ()
        if self.state.is_one_roll(phase):
            if once:
                targets = ()  # the trenches are a target of the first roll
            else:
                also, also_once = map(self.columns, (phase.late.targets, phase.late.once))
        cratered, crater = NONE, None
        if "ditches" not in self.setup.left_out:
            for name, spec in step.craters.items():
                cratered, crater = self.defences.index(name), throw(spec)
        looks_back = bool(once) and self.state.looks_back(step)
        return RemoveAct(roll, targets, once, looks_back, also, also_once, cratered, crater)

    def landed(self, face: int) -> int:
        kind = self.setup.landed_as(self.ruleset.tank_by_face(face).id)
        return NONE if kind is None else self.tanks.index(kind)

    def row(self, row: printed.Row) -> TableActRow:
        loses = [
            column
            for column, kind in enumerate(self.ruleset.tank)
            if row.tank == "any" or (row.tank == "no_flail" and not kind.flail)
        ]
        return TableActRow(
            highest=row.rolls[1],
            kill=throw(row.kill) if row.kill else None,
            loses=tuple(loses),
            given=row.tank == "no_flail" and self.state.ruled("B13", "player"),
            craft=row.craft,
            remove=RemoveAct(throw(row.remove), self.columns(row.targets)) if row.remove else None,
        )


def throw(spec: str, modifiers: Modifiers | None = None) -> RollSpec:
    """``"1d6-3"`` with what the beach adds."""
    count, plus = dice(spec)
    return RollSpec(dice=count, plus=plus, **asdict(modifiers or Modifiers()))
