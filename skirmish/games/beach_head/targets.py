"""Which defences a removal may go for, and whether the way to them is open."""

from __future__ import annotations

from collections.abc import Sequence

from skirmish.games.beach_head.manual import DefenceId, Phase, Remove
from skirmish.games.beach_head.state import State


def is_open(state: State, phase: Phase, step: Remove) -> bool:
    """Whether everything is gone that must be gone ``once`` this step is to be taken. Seen now, or
    as the beach was when the phase began (B12 for the bunkers behind wire, B32 for trenches)."""
    if not step.once:
        return True
    if is_one_roll(state, phase):
        return False  # the trenches are a target of the first roll
    ruling, answer = (
        ("B32", "phase_start") if step.targets == ("trenches",) else ("B12", "next_turn")
    )
    looked_at = state.at_phase.defences if state.ruled(ruling, answer) else state.defences
    return not any(looked_at[name] for name in gone_first(state, phase, step))


def targets_of(state: State, phase: Phase, step: Remove) -> tuple[DefenceId, ...]:
    """What the step may be aimed at now; empty where nothing stands."""
    named = step.targets
    if is_one_roll(state, phase) and not step.once:
        trench_step = next(one for one in phase.step if isinstance(one, Remove) and one.once)
        if not any(state.defences[name] for name in trench_step.once):
            named = (*named, *trench_step.targets)
    return standing(state, named)


def standing(state: State, named: Sequence[DefenceId]) -> tuple[DefenceId, ...]:
    """Those of ``named`` that may be aimed at: what stands, or anything while one of them does
    (B11)."""
    stands = tuple(name for name in named if state.defences[name] > 0)
    if stands and state.ruled("B11", "any"):
        return tuple(name for name in named if name not in state.setup.left_out)
    return stands


def gone_first(state: State, phase: Phase, step: Remove) -> tuple[DefenceId, ...]:
    """What must be gone before the step is taken; for infantry perhaps the wire too (B33)."""
    if phase.id == "infantry" and step.targets == ("trenches",) and state.ruled("B33", "yes"):
        return (*step.once, "wire")
    return step.once


def is_one_roll(state: State, phase: Phase) -> bool:
    """Whether the engineers have one roll for everything (B9)."""
    return phase.id == "engineers" and state.ruled("B9", "instead")
