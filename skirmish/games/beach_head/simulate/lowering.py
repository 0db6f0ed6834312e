"""Manual and rulings, lowered to a programme. Each ruling that can matter without cards is read
here, once, for both engines."""

from __future__ import annotations

from collections.abc import Iterable

from skirmish.games.beach_head import ruleset as printed
from skirmish.games.beach_head.ruleset import DefenceId, Modifiers, Phase, Setup, dice
from skirmish.games.beach_head.simulate.programme import (
    NONE,
    Act,
    Programme,
    RemoveAct,
    RollSpec,
    SquadsAct,
    Stage,
    TableAct,
    TableActRow,
    TanksAct,
)


def lowered(setup: Setup) -> Programme:
    return _Lowering(setup).programme()


class _Lowering:
    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.ruleset = setup.ruleset
        self.defences = [one.id for one in self.ruleset.defence]
        self.tanks = [one.id for one in self.ruleset.tank]

    def ruled(self, ruling: str, answer: str) -> bool:
        return self.setup.rulings[ruling] == answer

    def programme(self) -> Programme:
        any_target = self.ruled("B11", "any")
        points = self.setup.points()
        return Programme(
            defences=tuple(self.defences),
            tanks=tuple(self.tanks),
            points=tuple(points[name] for name in self.defences),
            wins=self.columns(one.id for one in self.ruleset.defence if one.wins),
            stages=tuple(map(self.stage, self.ruleset.phase)),
            dozen=self.ruleset.dozen,
            traps=self.defences.index("traps"),
            bunkers=self.defences.index("bunkers"),
            ditches=self.defences.index("ditches"),
            traps_at_turn=self.ruled("B17", "turn_start"),
            squads_at_turn=self.ruled("B34", "turn_start"),
            craft_each=self.ruled("B6", "each"),
            bunkers_add_up=self.ruled("B3", "cumulative"),
            idle=self.columns(
                name for name in self.defences if any_target and name not in self.setup.left_out
            ),
            at_once=self.ruled("B18", "at_once"),
            target_last=self.ruled("B40", "after"),
            craters_first=self.ruled("B38", "craters"),
            craters_capped=self.ruled("B15", "cap"),
            rolls_score=self.ruled("B2", "rolled"),
        )

    def columns(self, names: Iterable[DefenceId]) -> tuple[int, ...]:
        return tuple(map(self.defences.index, names))

    def stage(self, phase: Phase) -> Stage:
        """One phase; without acts where it is never played (B27)."""
        never = (
            phase.id == "lct" and self.setup.variant == "omaha" and self.ruled("B27", "none")
        )  # nothing lands
        nobody = {"no_infantry": ("infantry",), "neither": ("engineers", "infantry")}
        return Stage(
            phase=phase.id,
            acts=() if never else tuple(self.act(phase, step) for step in phase.step),
            from_turn=phase.from_turn,
            needs=tuple(self.tanks.index(kind) for kind in phase.needs),
            without=(self.defences.index(phase.skipped_without) if phase.skipped_without else NONE),
            needs_squads=phase.id in nobody.get(self.setup.rulings["B31"], ()),
            each_tank=bool(phase.needs) and self.ruled("B7", "tank"),
        )

    def act(self, phase: Phase, step: printed.Step) -> Act:
        match step:
            case printed.Remove():
                return self.remove(phase, step)
            case printed.Squads():
                return SquadsAct(throw(self.setup.rulings["B39"], step.modifiers))
            case printed.Tanks():
                return TanksAct(throw(step.dice, step.modifiers), self.kinds())
            case printed.Table():
                rows = tuple(self.row(row) for row in step.row)
                return TableAct(throw(step.dice, step.modifiers), rows)

    def remove(self, phase: Phase, step: printed.Remove) -> RemoveAct:
        """A removal: what must be gone first, and seen when (B9, B12, B32, B33)."""
        trenches = step.targets == ("trenches",)
        once = self.columns(step.once)
        if once and trenches and phase.id == "infantry" and self.ruled("B33", "yes"):
            once = (*once, self.defences.index("wire"))
        also: tuple[int, ...] = ()
        also_once: tuple[int, ...] = ()
        targets = self.columns(step.targets)
        if phase.id == "engineers" and self.ruled("B9", "instead"):
            if once:
                targets = ()  # the trenches are a target of the first roll
            else:
                trench_step = next(
                    one for one in phase.step if isinstance(one, printed.Remove) and one.once
                )
                also = self.columns(trench_step.targets)
                also_once = self.columns(trench_step.once)
        cratered, crater = NONE, None
        if "ditches" not in self.setup.left_out:
            for name, spec in step.craters.items():
                cratered, crater = self.defences.index(name), throw(spec)
        back = self.ruled("B32", "phase_start") if trenches else self.ruled("B12", "next_turn")
        return RemoveAct(
            throw=throw(step.dice, step.modifiers),
            targets=targets,
            once=once,
            looks_back=back and bool(once),
            also=also,
            also_once=also_once,
            cratered=cratered,
            crater=crater,
        )

    def kinds(self) -> tuple[int, ...]:
        """What each face of the type die brings ashore."""
        found = []
        for face in range(1, 7):
            kind = next(one.id for one in self.ruleset.tank if face in one.faces)
            landed = self.setup.landed_as(kind)
            found.append(NONE if landed is None else self.tanks.index(landed))
        return tuple(found)

    def row(self, row: printed.Row) -> TableActRow:
        flails = {one.id for one in self.ruleset.tank if one.flail}
        loses = [
            column
            for column, kind in enumerate(self.tanks)
            if row.tank == "any" or (row.tank == "no_flail" and kind not in flails)
        ]
        remove = None
        if row.remove:
            remove = RemoveAct(throw(row.remove), self.columns(row.targets))
        return TableActRow(
            highest=row.rolls[1],
            kill=throw(row.kill) if row.kill else None,
            loses=tuple(loses),
            given=row.tank == "no_flail" and self.ruled("B13", "player"),
            craft=row.craft,
            remove=remove,
        )


def throw(spec: str, modifiers: Modifiers | None = None) -> RollSpec:
    """``"1d6-3"`` with what the beach adds."""
    modifiers = modifiers or Modifiers()
    told = dice(spec)
    return RollSpec(
        dice=told.count,
        plus=told.plus,
        traps=modifiers.traps,
        craft_hit=modifiers.craft_hit,
        half_bunkers=modifiers.half_bunkers,
        no_bunkers=modifiers.no_bunkers,
        per_dozen=modifiers.per_dozen,
    )
