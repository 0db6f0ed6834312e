"""From phase to phase: what comes next, what is skipped and why, what is to be done in it."""

from __future__ import annotations

from msgspec.structs import replace

from skirmish.games.beach_head.agenda import AnyTask, Exchange, Fill, Take, Trim
from skirmish.games.beach_head.events import Begun, SkipCode, Skipped, Won
from skirmish.games.beach_head.manual import Phase, Remove
from skirmish.games.beach_head.resolve import Resolution
from skirmish.games.beach_head.state import Before, State
from skirmish.games.beach_head.targets import gone_first, is_one_roll, is_open, targets_of


def next_phase(run: Resolution) -> None:
    """Begin or skip the phase that follows, or the same once more (an Admiral)."""
    state = run.state
    phases = state.setup.manual.phase
    if state.phase is None:
        turn, place = 1, 0
    elif state.repeats:
        turn, place = state.turn, phases.index(state.now)
    else:
        turn, place = state.turn, phases.index(state.now) + 1
        if place == len(phases):
            turn, place = turn + 1, 0
    phase = phases[place]
    if phase.id == "end" and state.cleared:
        run.emit(Begun(turn=turn, phase=phase.id))
        run.emit(Won())
    elif why := skipped(state, phase, turn):
        run.emit(Skipped(turn=turn, phase=phase.id, why=why))
    else:
        then = _agenda(state, phase)
        run.emit(Begun(turn=turn, phase=phase.id, again=state.repeats, then=then))


def skipped(state: State, phase: Phase, turn: int) -> SkipCode | None:
    """Why nothing would happen in ``phase`` if it came now, in ``turn``."""
    if not phase.step:
        return None if state.deck is not None else "no_cards"
    if turn < phase.from_turn:
        return "too_early"
    if phase.needs and not _tanks(state, phase):
        return "no_tank"
    if phase.skipped_without and not state.defences[phase.skipped_without]:
        return "no_defence"
    if not state.squads and phase.id in _WITHOUT_SQUADS[state.setup.rulings["B31"]]:
        return "nobody"
    if phase.id == "lct" and state.setup.variant == "omaha" and state.ruled("B27", "none"):
        return "not_here"
    begun = replace(state, at_phase=Before(state.defences, state.squads))  # B12, B32 look there
    if all(
        isinstance(step, Remove) and not (is_open(begun, phase, step) and _aims(begun, phase, step))
        for step in phase.step
    ):
        return "nothing_left"
    return None


def why_nothing_left(state: State, phase: Phase) -> str:
    """Why every step of ``phase`` would come to nothing, in words: what is gone, or what still bars
    the way to what stands."""
    manual = state.setup.manual
    begun = replace(state, at_phase=Before(state.defences, state.squads))
    removals = [step for step in phase.step if isinstance(step, Remove)]
    for step in removals:
        barring = [one for one in gone_first(begun, phase, step) if begun.defences[one]]
        if barring and targets_of(begun, phase, step) and not is_one_roll(begun, phase):
            return f"{manual.listed(barring, 'and')} bar the {manual.listed(step.targets)}"
    return f"no {manual.listed(removals[0].targets)} left"


_WITHOUT_SQUADS: dict[str, tuple[str, ...]] = {
    "played": (),
    "no_infantry": ("infantry",),
    "neither": ("engineers", "infantry"),
}
"""What is not played while nobody is ashore (B31)."""


def _aims(state: State, phase: Phase, step: Remove) -> bool:
    return bool(targets_of(state, phase, step))


def _tanks(state: State, phase: Phase) -> int:
    return sum(kind in phase.needs for kind in state.tanks)


def _agenda(state: State, phase: Phase) -> tuple[AnyTask, ...]:
    if phase.id == "tactical":
        return (Fill(), Exchange())
    if phase.id == "end":
        return (Trim(),)
    steps: tuple[AnyTask, ...] = tuple(Take(step=index) for index in range(len(phase.step)))
    if phase.needs and state.ruled("B7", "tank"):
        return steps * _tanks(state, phase)
    return steps
