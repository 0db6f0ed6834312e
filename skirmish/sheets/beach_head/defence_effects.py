"""What a defence does while it stands: the sentence beside its boxes on the play sheet.

Each effect is read off the phases of the ruleset, so that a sentence cannot differ from what is
played."""

from __future__ import annotations

from collections.abc import Iterator

from skirmish.games.beach_head import phase_words
from skirmish.games.beach_head.ruleset import DefenceId, Phase
from skirmish.sheets.beach_head.phases import is_never_played
from skirmish.sheets.beach_head.printed_game import PrintedGame
from skirmish.tabletop.page import capital


def effect_of(game: PrintedGame, defence: DefenceId) -> str:
    """All effects of a defence in one sentence; empty if it has none."""
    effects = []
    if game.ruleset.defence_of(defence).wins:
        effects.append("must be gone to win")
    for phase in game.ruleset.phase:
        if phase.skipped_without == defence:
            effects.append(f"none left: no {phase.name.lower()} phase")
        if defence == "bunkers":
            effects += _modifiers_by_bunkers(game, phase)
    if defence == "traps":
        effects += _modifiers_by_traps(game)
    effects += _barred_targets(game, defence)
    if not effects:
        return ""
    return f"{capital('; '.join(effects))}."


def _modifiers_by_bunkers(game: PrintedGame, phase: Phase) -> Iterator[str]:
    """What the dice of a phase get when half of the bunkers or all of them are gone."""
    for step in phase.step:
        modifiers = phase_words.bunker_modifiers(game.first_state, step.modifiers)
        adds = phase_words.with_signs(modifiers)
        if adds:
            yield f"{phase.name.lower()} {adds}"


def _modifiers_by_traps(game: PrintedGame) -> Iterator[str]:
    """What traps take from the dice of several phases, as one effect."""
    hampered = []
    for phase in _phases_played(game).values():
        for step in phase.step:
            if step.modifiers.traps:
                hampered.append(f"{phase.name.lower()} {step.modifiers.traps:+d}")
    if hampered:
        yield f"while any is left: {', '.join(hampered)}"


def _barred_targets(game: PrintedGame, defence: DefenceId) -> Iterator[str]:
    """The targets that a defence protects, and from which phases; targets that it protects from
    the same phases share an effect."""
    phases_by_target: dict[str, list[str]] = {}
    for number, phase in _phases_played(game).items():
        for step in phase.step:
            if defence in game.first_state.bars_of(phase, step):
                # A step that a defence bars has a single target.
                phases_by_target.setdefault(step.targets[0], []).append(str(number))
    targets_by_phases: dict[tuple[str, ...], list[str]] = {}
    for target, numbers in phases_by_target.items():
        targets_by_phases.setdefault(tuple(numbers), []).append(target)
    for phases, targets in targets_by_phases.items():
        noun = "phase"
        if len(phases) > 1:
            noun = "phases"
        yield f"keeps {noun} {', '.join(phases)} off the {' and '.join(targets)}"


def _phases_played(game: PrintedGame) -> dict[int, Phase]:
    """The phases that this beach has, by their numbers in the rules."""
    phases = {}
    for number, phase in enumerate(game.ruleset.phase, 1):
        if not is_never_played(game, phase):
            phases[number] = phase
    return phases
