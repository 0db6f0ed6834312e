"""The state of a game, and what the rules derive from it: which phases are played, which targets a
step has, which modifiers are in force. Only events make a new state.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from skirmish.games.beach_head.pending import BeachAsk, BeachTask, Modifier, Roll
from skirmish.games.beach_head.ruleset import (
    NO_STEP,
    BeachSetup,
    DefenceId,
    Modifiers,
    Phase,
    PhaseId,
    PhaseStep,
    Ruleset,
    SkipCode,
    TankId,
)
from skirmish.games.beach_head.rulings import RulingsInForce
from skirmish.tabletop.chance import Draw, Source


class TurnStart(msgspec.Struct, frozen=True):
    """The beach at the start of the turn, for rulings that refer to it (B17, B34)."""

    defences: dict[DefenceId, int]
    squads: int


class FollowingPhase(NamedTuple):
    """The turn in which a phase is played, and its index in that turn."""

    turn: int
    place: int


class BeachState(msgspec.Struct, frozen=True, kw_only=True):
    """One game, as it stands."""

    setup: BeachSetup
    defences: dict[DefenceId, int]
    turn: int = 0
    phase: PhaseId | None = None
    """The phase being played; None before the first order."""
    squads: int = 0
    tanks: tuple[TankId, ...] = ()
    casualties: int = 0
    """The squads lost so far, which are the score."""
    tanks_lost: int = 0
    craft_hit: int = 0
    """How many landing craft were hit this turn."""
    craft_hit_before: int = 0
    """How many landing craft were hit in the turn before this one, which hampers this one."""
    turn_start: TurnStart
    defences_at_phase_start: dict[DefenceId, int]
    """The defences as the phase began."""
    dice: Source
    deck: Source | None = None
    """The deck; None in a game without cards."""
    hand: tuple[Draw, ...] = ()
    discard: tuple[Draw, ...] = ()
    """The cards played or given up since the deck was last shuffled."""
    agenda: tuple[BeachTask, ...] = ()
    """What is still to be done in this phase, the next first."""
    roll: Roll | None = None
    """The roll that lies on the table; None if none does."""
    ask: BeachAsk | None = None
    """The open question; None if none is open."""
    repeats: bool = False
    """Whether the phase is played again when it is over."""
    over: bool = False

    @property
    def ruleset(self) -> Ruleset:
        """The rules that the game was opened with."""
        return self.setup.ruleset

    @property
    def in_force(self) -> RulingsInForce:
        """The rulings that the game was opened with."""
        return self.setup.in_force

    # ------------------------------------------------------------ where the game stands

    @property
    def present_phase(self) -> Phase:
        """The phase being played, as the ruleset has it; before the first order, the first one."""
        return self.ruleset.phase[self.ruleset.place(self.phase or "tactical")]

    @property
    def following(self) -> FollowingPhase:
        """The phase that comes after the present one."""
        if self.phase is None:
            return FollowingPhase(turn=1, place=0)
        place = self.ruleset.place(self.phase)
        # An Admiral has the same phase played once more.
        if not self.repeats:
            place += 1
        if place < len(self.ruleset.phase):
            return FollowingPhase(turn=self.turn, place=place)
        return FollowingPhase(turn=self.turn + 1, place=0)

    @property
    def asks(self) -> str:
        """What the open question is about (``BeachAsk.what``); empty if none is open."""
        if self.ask is None:
            return ""
        return self.ask.what

    @property
    def cleared(self) -> bool:
        """Whether all defences are gone that must go to win the game."""
        return not any(
            self.defences[defence.id] for defence in self.ruleset.defence if defence.wins
        )

    def step_of(self, task: BeachTask) -> PhaseStep:
        """The step of the present phase that a task belongs to."""
        if task.step is None:
            return NO_STEP
        return self.present_phase.step[task.step]

    def is_general(self, card: Draw) -> bool:
        """Whether a card draws others, and so is not played on a roll (B25)."""
        return self.ruleset.card_of(card).does == "draw"

    # ------------------------------------------------------------ which phases are played

    def skip_reason(self, phase: Phase, turn: int) -> SkipCode | None:
        """Why a phase is skipped if it comes now, in ``turn``; None if it is played."""
        if not phase.step:  # the tactical and the end phase, which are about cards only
            if self.deck is None:
                return "no_cards"
            return None
        if turn < phase.from_turn:
            return "too_early"
        if phase.needs and not self.count_tanks(phase):
            return "no_tank"
        if phase.skipped_without and not self.defences[phase.skipped_without]:
            return "no_defence"
        if not self.squads and phase.id in self.in_force.phases_that_need_squads:
            return "nobody"
        is_tank_landing = phase.id == "lct"
        if is_tank_landing and self.setup.is_omaha and self.in_force.no_tanks_land_at_omaha:
            return "not_here"
        if self._has_nothing_left(phase):
            return "nothing_left"
        return None

    def _has_nothing_left(self, phase: Phase) -> bool:
        """Whether a phase only removes points, and no target that it could reach is standing."""
        phase_start = self.as_phase_begins
        for step in phase.step:
            if step.does != "remove":
                return False
            if phase_start.is_open(phase, step) and phase_start.targets_of(phase, step):
                return False
        return True

    @property
    def as_phase_begins(self) -> BeachState:
        """This state as it is if a phase begins now: some steps look at the defences with which
        their phase began (B12, B32)."""
        return replace(self, defences_at_phase_start=self.defences)

    def count_tanks(self, phase: Phase) -> int:
        """The tanks ashore that play a phase."""
        return len([kind for kind in self.tanks if kind in phase.needs])

    # ------------------------------------------------------------ targets

    def is_open(self, phase: Phase, step: PhaseStep) -> bool:
        """Whether nothing bars the way to the targets of a step."""
        if not step.bars:  # as for the destroyers, which may always fire even at the trenches
            return True
        if self.removes_in_one_roll(phase):
            return False  # there is no second roll: the trenches are a target of the first
        defences = self.defences
        if self.uses_phase_start(step):
            defences = self.defences_at_phase_start
        return not any(defences[name] for name in self.bars_of(phase, step))

    def uses_phase_start(self, step: PhaseStep) -> bool:
        """Whether the way to the targets of a step must be open when the phase begins (B32 for the
        trenches, B12 for the bunkers behind the wire)."""
        if step.targets == ("trenches",):
            return self.in_force.trenches_open_as_the_phase_began
        return self.in_force.wire_counts_as_the_phase_began

    def targets_of(self, phase: Phase, step: PhaseStep) -> tuple[DefenceId, ...]:
        """The legal targets of a removal or of a table's removing rows; empty if nothing stands."""
        targets = _printed_targets(step)
        # The engineers' only roll (B9) may be at the trenches, too, once the way to them is open.
        if self.removes_in_one_roll(phase) and not step.bars:
            late_step = phase.late_step
            if not any(self.defences[name] for name in late_step.bars):
                targets = (*targets, *late_step.targets)
        standing = tuple(name for name in targets if self.defences[name] > 0)
        # Points may be wasted on what is gone (B11), but not on ditches that Omaha never had (B28).
        if standing and self.in_force.may_fire_at_what_is_gone:
            left_out = self.setup.left_out
            return tuple(name for name in targets if name not in left_out)
        return standing

    def bars_of(self, phase: Phase, step: PhaseStep) -> tuple[DefenceId, ...]:
        """The defences that must be gone before a step; for infantry perhaps the wire, too
        (B33)."""
        storms_trenches = phase.id == "infantry" and step.targets == ("trenches",)
        if storms_trenches and self.in_force.wire_bars_the_trenches:
            return (*step.bars, "wire")
        return step.bars

    def removes_in_one_roll(self, phase: Phase) -> bool:
        """Whether the two removals of the phase are one roll: only the engineers' can be (B9)."""
        return phase.id == "engineers" and self.in_force.engineers_roll_once

    def tanks_to_lose(self, task: BeachTask) -> tuple[TankId, ...]:
        """The tanks ashore of which the task loses one; a mine never hits one with a flail."""
        if not task.no_flail:
            return self.tanks
        flails = {tank.id for tank in self.ruleset.tank if tank.flail}
        return tuple(kind for kind in self.tanks if kind not in flails)

    # ------------------------------------------------------------ the value of a roll

    def modifiers(self, printed_modifiers: Modifiers) -> tuple[Modifier, ...]:
        """The modifiers in force for a roll, without those that are 0.
        ``simulate.engine.Batch.roll`` adds up the same ones for many games at once."""
        # Rulings say when traps (B17) and squads (B34) are counted, and whether every hit is (B6).
        in_force, turn_start = self.in_force, self.turn_start
        traps, squads, craft_hit = self.defences["traps"], self.squads, self.craft_hit_before
        if in_force.traps_count_as_the_turn_began:
            traps = turn_start.defences["traps"]
        if in_force.squads_count_as_the_turn_began:
            squads = turn_start.squads
        if not in_force.every_craft_hit_counts:
            craft_hit = min(1, craft_hit)
        modifiers: list[Modifier] = []
        if traps > 0:
            modifiers.append(Modifier("traps", printed_modifiers.traps))
        modifiers.append(Modifier("craft_hit", printed_modifiers.craft_hit * craft_hit))
        modifiers.extend(self._bunker_modifiers(printed_modifiers))
        dozens = squads // self.ruleset.dozen
        modifiers.append(Modifier("per_dozen", printed_modifiers.per_dozen * dozens))
        return tuple(modifier for modifier in modifiers if modifier.value)

    def _bunker_modifiers(self, printed_modifiers: Modifiers) -> list[Modifier]:
        """The modifiers for half the bunkers and for none. Once all bunkers are gone, the one for
        none replaces that for half, unless it is 0 for this roll or both count by a ruling (B3)."""
        left, start = self.defences["bunkers"], self.setup.points()["bunkers"]
        for_half = Modifier("half_bunkers", printed_modifiers.half_bunkers)
        for_none = Modifier("no_bunkers", printed_modifiers.no_bunkers)
        # With exactly half of them left, "half of bunkers destroyed" is true; doubling avoids
        # fractions.
        if 2 * left > start:
            return []
        if left:
            return [for_half]
        if for_none.value and not self.in_force.bunker_modifiers_add_up:
            return [for_none]
        return [for_half, for_none]

    def dice_of_step(self, step: PhaseStep) -> str:
        """The dice of a step; those of landing squads are a ruling (B39)."""
        if step.does == "squads":
            return self.in_force.landing_dice
        return step.dice


def _printed_targets(step: PhaseStep) -> tuple[DefenceId, ...]:
    """The printed targets of a removal, or of the removing rows of a table."""
    if step.targets:
        return step.targets
    for row in step.row:
        if row.remove:  # the targets are the same in all of them
            return row.targets
    return ()
