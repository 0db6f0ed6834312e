"""The state of a game: the beach, the agenda of the phase, and what the rules derive from both.
Nothing here changes anything."""

from __future__ import annotations

from typing import Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from skirmish.games.beach_head.ruleset import (
    NO_STEP,
    BeachSetup,
    Card,
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


class BeachTask(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An item of the agenda; the first one is next. ``step`` is an index into the present phase.

    * ``take`` a step of the phase and ``throw`` its dice at ``target`` (None: at nothing, or it is
      named later, B40); the ``outcome`` of row ``row`` of a table; ``spend`` points rolled before.
    * ``kind``: the die for the type of tank ``number`` (from 1) of ``among`` that are landing;
      ``crater``: the die for new ditches after a hit on ``target``; ``lose_tank`` (``no_flail``: to
      a mine, which no flail tank meets).
    * ``fill`` the hand, or draw ``count`` cards; ``exchange`` cards, once (``done``: they were, and
      one of the new ones may be a General, B25); ``trim`` the hand to its limit.
    """

    what: Literal[
        "take",
        "throw",
        "outcome",
        "spend",
        "kind",
        "crater",
        "lose_tank",
        "fill",
        "exchange",
        "trim",
    ] = msgspec.field(name="task")
    step: int | None = None
    target: DefenceId | None = None
    row: int = 0
    points: int = 0
    number: int = 0
    among: int = 0
    no_flail: bool = False
    count: int | None = None
    done: bool = False


class Modifier(msgspec.Struct, frozen=True):
    """A modifier in force: its name in the rules' ``Modifiers``, and what it adds."""

    code: str
    value: int


class Played(msgspec.Struct, frozen=True):
    """A card played on a die (from 0) of a roll, with the faces of a re-roll."""

    card: Draw
    die: int = 0
    faces: tuple[int, ...] = ()


class Roll(msgspec.Struct, frozen=True, kw_only=True):
    """Dice on the table that do not count yet: cards may still change them.

    ``faces`` as rolled; none where cards come first (B19). ``plus`` is printed with the dice,
    ``modifiers`` come from the beach.
    """

    task: BeachTask
    dice: int
    plus: int = 0
    modifiers: tuple[Modifier, ...] = ()
    faces: tuple[int, ...] = ()
    cards: tuple[Played, ...] = ()


class CountedRoll(msgspec.Struct, frozen=True):
    """The value of a roll: its dice after cards, what cards add, and the total. ``fixed``: a card
    set a die, so neither the printed modifier nor the beach's count (B21)."""

    faces: tuple[int, ...]
    shift: int
    total: int
    fixed: bool = False


class BeachAsk(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A question to the player.

    * ``dice``: what ``count`` of his own show, for the roll on the table or for a ``card`` on it;
      ``lot``: a number up to ``sides``, one for each of the ``tanks``; ``cards``: the ``count``
      that he drew.
    * ``target``: one of ``targets``, or none if he ``may_decline`` (B35); ``points`` are known
      where the die came first (B40). ``tank``: which of ``kinds`` is lost.
    * ``exchange``: up to ``most`` cards (0: they have been, and only a General may be played);
      ``trim``: ``count`` cards to discard.
    """

    what: Literal["dice", "lot", "cards", "target", "tank", "exchange", "trim"] = msgspec.field(
        name="ask"
    )
    count: int = 0
    card: Played | None = None
    sides: int = 0
    tanks: tuple[TankId, ...] = ()
    targets: tuple[DefenceId, ...] = ()
    may_decline: bool = False
    points: int | None = None
    kinds: tuple[TankId, ...] = ()
    most: int = 0


class TurnStart(msgspec.Struct, frozen=True):
    """The beach at the start of the turn, for rulings that refer to it (B17, B34)."""

    defences: dict[DefenceId, int]
    squads: int


class FollowingPhase(NamedTuple):
    """The turn and the index of a phase."""

    turn: int
    place: int


class BeachState(msgspec.Struct, frozen=True, kw_only=True):
    """One game, as it stands."""

    setup: BeachSetup
    defences: dict[DefenceId, int]
    turn: int = 0
    phase: PhaseId | None = None
    """The phase that is played; None before the first."""
    squads: int = 0
    tanks: tuple[TankId, ...] = ()
    casualties: int = 0
    """The squads lost so far, which are the score."""
    tanks_lost: int = 0
    craft_hit: int = 0
    """How many landing craft were hit this turn."""
    craft_hit_before: int = 0
    """How many landing craft were hit in the turn before."""
    at_turn: TurnStart
    at_phase: dict[DefenceId, int]
    """The defences as the phase began."""
    dice: Source
    deck: Source | None = None
    """The deck; None in a game without cards."""
    hand: tuple[Draw, ...] = ()
    discard: tuple[Draw, ...] = ()
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
        """The phase being played; before the first, the one that comes first."""
        return self.ruleset.phase[self.ruleset.place(self.phase or "tactical")]

    @property
    def following(self) -> FollowingPhase:
        """The phase that comes after the present one."""
        if self.phase is None:
            return FollowingPhase(1, 0)
        place = self.ruleset.place(self.phase)
        # An Admiral has the same phase played once more.
        if not self.repeats:
            place += 1
        if place < len(self.ruleset.phase):
            return FollowingPhase(self.turn, place)
        return FollowingPhase(self.turn + 1, 0)

    @property
    def asks(self) -> str:
        """The kind of the open question, empty if there is none."""
        if self.ask is None:
            return ""
        return self.ask.what

    @property
    def cleared(self) -> bool:
        """Whether everything is gone that has to go to win."""
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
        if not phase.step:  # the tactical and the end phase are about cards
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
        """Whether a phase only removes points, and none of its targets stands in the open."""
        begun = self.beginning
        for step in phase.step:
            if step.does != "remove":
                return False
            if begun.is_open(phase, step) and begun.targets_of(phase, step):
                return False
        return True

    @property
    def beginning(self) -> BeachState:
        """The state that a phase beginning now refers back to (B12, B32)."""
        return replace(self, at_phase=self.defences)

    def count_tanks(self, phase: Phase) -> int:
        """The tanks ashore that play a phase."""
        return sum(kind in phase.needs for kind in self.tanks)

    # ------------------------------------------------------------ targets

    def is_open(self, phase: Phase, step: PhaseStep) -> bool:
        """Whether nothing bars the way to the targets of a step."""
        if not step.bars:  # nothing ever bars it, as the destroyers at the trenches
            return True
        if self.is_one_roll(phase):
            return False  # the trenches are a target of the first roll
        defences = self.defences
        if self.looks_back(step):
            defences = self.at_phase
        return not any(defences[name] for name in self.gone_first(phase, step))

    def looks_back(self, step: PhaseStep) -> bool:
        """Whether a step uses the beach as it was when the phase began (B12 for the bunkers behind
        wire, B32 for trenches)."""
        if step.targets == ("trenches",):
            return self.in_force.trenches_open_as_the_phase_began
        return self.in_force.wire_counts_as_the_phase_began

    def targets_of(self, phase: Phase, step: PhaseStep) -> tuple[DefenceId, ...]:
        """The legal targets of a removal or of a table's removing rows; empty if nothing stands."""
        named = _targets_named(step)
        # Of the engineers' one roll (B9) the trenches are a target once the way to them is open.
        if self.is_one_roll(phase) and not step.bars:
            late_step = phase.late_removal
            if not any(self.defences[name] for name in late_step.bars):
                named = (*named, *late_step.targets)
        standing = tuple(name for name in named if self.defences[name] > 0)
        # Points are wasted on what is gone (B11), but not on ditches that Omaha never had (B28).
        if standing and self.in_force.may_fire_at_what_is_gone:
            left_out = self.setup.left_out
            return tuple(name for name in named if name not in left_out)
        return standing

    def gone_first(self, phase: Phase, step: PhaseStep) -> tuple[DefenceId, ...]:
        """The defences that bar the step; for infantry perhaps the wire too (B33)."""
        storms_trenches = phase.id == "infantry" and step.targets == ("trenches",)
        if storms_trenches and self.in_force.wire_bars_the_trenches:
            return (*step.bars, "wire")
        return step.bars

    def is_one_roll(self, phase: Phase) -> bool:
        """Whether the two removals of the phase are one roll: only the engineers' can be (B9)."""
        return phase.id == "engineers" and self.in_force.engineers_roll_once

    def losable(self, task: BeachTask) -> tuple[TankId, ...]:
        """The tanks ashore of which one is lost; a mine never hits one with a flail."""
        if not task.no_flail:
            return self.tanks
        flails = {tank.id for tank in self.ruleset.tank if tank.flail}
        return tuple(kind for kind in self.tanks if kind not in flails)

    # ------------------------------------------------------------ the value of a roll

    def modifiers(self, printed_modifiers: Modifiers) -> tuple[Modifier, ...]:
        """The modifiers in force, without zeros. The simulator adds the same ones up for many games
        at once (``simulate.engine.Batch.roll``)."""
        # When traps and squads are counted is a ruling each (B17, B34), how often a hit too (B6).
        in_force, at_turn = self.in_force, self.at_turn
        traps, squads, craft_hit = self.defences["traps"], self.squads, self.craft_hit_before
        if in_force.traps_count_as_the_turn_began:
            traps = at_turn.defences["traps"]
        if in_force.squads_count_as_the_turn_began:
            squads = at_turn.squads
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
        """The modifiers for half the bunkers and for none; both count once all are gone only if the
        players say so (B3) or the roll has no modifier for none."""
        left, start = self.defences["bunkers"], self.setup.points()["bunkers"]
        for_half = Modifier("half_bunkers", printed_modifiers.half_bunkers)
        for_none = Modifier("no_bunkers", printed_modifiers.no_bunkers)
        # Exactly half is "half of bunkers destroyed" already; twice the rest avoids fractions.
        if 2 * left > start:
            return []
        if left:
            return [for_half]
        if for_none.value and not self.in_force.bunker_modifiers_add_up:
            return [for_none]
        return [for_half, for_none]

    def spec_of(self, step: PhaseStep) -> str:
        """The dice of a step under this game's rulings (B39)."""
        if step.does == "squads":
            return self.in_force.landing_dice
        return step.dice

    def counted(self, roll: Roll) -> CountedRoll:
        """The value of the roll, at least 0 (B1). Cards count in the order played (B23): a new
        value for a single die cancels what was added to it before. On several dice plus and minus
        apply to the sum and stay (B20). Before the dice are thrown (B19) only the cards count."""
        # In games of version 1, plus and minus were lost with their die on several dice as well.
        new_value_cancels_shifts = roll.dice == 1 or self.setup.version == 1
        faces = list(roll.faces) or [0] * roll.dice
        shifts = [0] * len(faces)
        fixed_dice: set[int] = set()
        for played in roll.cards:
            card = self.ruleset.card_of(played.card)
            for die, face in _faces_set(card, played):
                faces[die] = face
                if new_value_cancels_shifts:
                    shifts[die] = 0
                fixed_dice.discard(die)
                if card.sets is not None and self.in_force.set_value_is_final:
                    fixed_dice.add(die)
            shifts[played.die] += card.shifts
        total = sum(faces) + sum(shifts)
        if not fixed_dice:
            total += roll.plus + sum(modifier.value for modifier in roll.modifiers)
        shown: tuple[int, ...] = ()
        if roll.faces:
            shown = tuple(faces)
        return CountedRoll(shown, sum(shifts), max(0, total), fixed=bool(fixed_dice))


def _targets_named(step: PhaseStep) -> tuple[DefenceId, ...]:
    """The printed targets of a removal, or of the removing rows of a table."""
    if step.targets:
        return step.targets
    for row in step.row:
        if row.remove:  # the targets are the same in all of them
            return row.targets
    return ()


def _faces_set(card: Card, played: Played) -> list[tuple[int, int]]:
    """The dice (from 0) that a card gives a new face, each with that face. A Colonel who re-rolls
    all dice (B22) begins with the first; every other card changes the die it lies on."""
    faces = played.faces
    if not faces and card.sets is not None:
        faces = (card.sets,)
    first_die = played.die
    if len(faces) > 1:
        first_die = 0
    return list(enumerate(faces, first_die))
