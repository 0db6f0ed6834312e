"""The state of a game: the beach, the agenda of the phase, and what the rules derive from both.
Nothing here changes anything."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec.structs import replace

from skirmish.games.beach_head import ruleset as printed
from skirmish.games.beach_head.ruleset import DefenceId, TankId
from skirmish.tabletop.chance import Draw, Source

WITHOUT_SQUADS: dict[str, tuple[str, ...]] = {
    "played": (),
    "no_infantry": ("infantry",),
    "neither": ("engineers", "infantry"),
}
"""Skipped while nobody is ashore (B31)."""


class BeachTask(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An item of the agenda; the first one is next.

    * ``take`` a step of the phase and ``throw`` its dice at ``target`` (None: at nothing, or it is
      named later, B40); the ``outcome`` of row ``row`` of a table; ``spend`` points rolled before.
    * ``kind``: the die for tank ``number`` (from 1) of ``among`` that are landing; ``crater``: of a
      hit on ``target``; ``lose_tank``.
    * ``fill`` the hand, or draw ``count`` cards; ``exchange`` cards, once (``done``: they were, and
      one of the new ones may be a General, B25); ``trim`` the hand to its limit.
    """

    what: Literal[
        "take", "throw", "outcome", "spend", "kind", "crater", "lose_tank", "fill", "exchange",
        "trim",
    ] = msgspec.field(name="task")  # fmt: skip
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
      ``lot``: a number up to ``sides``; ``cards``: the ``count`` that he drew.
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


class Before(msgspec.Struct, frozen=True):
    """The beach at the start of the turn, for rulings that refer to it (B17, B34)."""

    defences: dict[DefenceId, int]
    squads: int


class BeachState(msgspec.Struct, frozen=True, kw_only=True):
    """One game. ``phase`` is None before the first; ``casualties`` are the score.

    ``craft_hit`` counts landing craft hit this turn, ``craft_hit_before`` in the last. ``deck`` is
    None without cards. ``roll`` lies on the table, ``ask`` is open, ``agenda`` is still to be done
    in this phase, which is played again if ``repeats``. ``at_phase``: the defences as it began.
    """

    setup: printed.BeachSetup
    defences: dict[DefenceId, int]
    turn: int = 0
    phase: printed.PhaseId | None = None
    squads: int = 0
    tanks: tuple[TankId, ...] = ()
    casualties: int = 0
    tanks_lost: int = 0
    craft_hit: int = 0
    craft_hit_before: int = 0
    at_turn: Before
    at_phase: dict[DefenceId, int]
    dice: Source
    deck: Source | None = None
    hand: tuple[Draw, ...] = ()
    discard: tuple[Draw, ...] = ()
    agenda: tuple[BeachTask, ...] = ()
    roll: Roll | None = None
    ask: BeachAsk | None = None
    repeats: bool = False
    over: bool = False

    @property
    def ruleset(self) -> printed.Ruleset:
        return self.setup.ruleset

    @property
    def now(self) -> printed.Phase:
        return self.ruleset.phase[self.ruleset.place(self.phase or "tactical")]

    @property
    def following(self) -> tuple[int, int]:
        if self.phase is None:
            return 1, 0
        place = self.ruleset.place(self.phase) + (not self.repeats)
        return (self.turn, place) if place < len(self.ruleset.phase) else (self.turn + 1, 0)

    @property
    def asks(self) -> str:
        return self.ask.what if self.ask else ""

    @property
    def cleared(self) -> bool:
        return not any(self.defences[one.id] for one in self.ruleset.defence if one.wins)

    def ruled(self, ruling: str, answer: str) -> bool:
        return self.setup.rulings[ruling] == answer

    def step_of(self, task: BeachTask) -> printed.PhaseStep:
        return printed.NO_STEP if task.step is None else self.now.step[task.step]

    def is_general(self, card: Draw) -> bool:
        return self.ruleset.card_of(card).does == "draw"

    def skip_reason(self, phase: printed.Phase, turn: int) -> printed.SkipCode | None:
        if not phase.step:
            return None if self.deck is not None else "no_cards"
        if turn < phase.from_turn:
            return "too_early"
        if phase.needs and not self.count_tanks(phase):
            return "no_tank"
        if phase.skipped_without and not self.defences[phase.skipped_without]:
            return "no_defence"
        if not self.squads and phase.id in WITHOUT_SQUADS[self.setup.rulings["B31"]]:
            return "nobody"
        if phase.id == "lct" and self.setup.variant == "omaha" and self.ruled("B27", "none"):
            return "not_here"
        begun = self.beginning
        if all(
            step.does == "remove"
            and not (begun.is_open(phase, step) and begun.targets_of(phase, step))
            for step in phase.step
        ):
            return "nothing_left"
        return None

    @property
    def beginning(self) -> BeachState:
        """The state that a phase beginning now refers back to (B12, B32)."""
        return replace(self, at_phase=self.defences)

    def count_tanks(self, phase: printed.Phase) -> int:
        return sum(kind in phase.needs for kind in self.tanks)

    def is_open(self, phase: printed.Phase, step: printed.PhaseStep) -> bool:
        if not step.once:
            return True
        if self.is_one_roll(phase):
            return False  # the trenches are a target of the first roll
        looked_at = self.at_phase if self.looks_back(step) else self.defences
        return not any(looked_at[name] for name in self.gone_first(phase, step))

    def looks_back(self, step: printed.PhaseStep) -> bool:
        """Whether a step uses the beach as it was when the phase began (B12 for the bunkers behind
        wire, B32 for trenches)."""
        if step.targets == ("trenches",):
            return self.ruled("B32", "phase_start")
        return self.ruled("B12", "next_turn")

    def targets_of(self, phase: printed.Phase, step: printed.PhaseStep) -> tuple[DefenceId, ...]:
        """The legal targets of a removal or of a table's removing rows; empty if nothing stands."""
        removing = (row.targets for row in step.row if row.remove)  # the same in all of them
        named = step.targets or next(removing, ())
        if self.is_one_roll(phase) and not step.once:
            late = phase.late
            barred = any(self.defences[name] for name in late.once)
            named = named if barred else (*named, *late.targets)
        stands = tuple(name for name in named if self.defences[name] > 0)
        if stands and self.ruled("B11", "any"):
            return tuple(name for name in named if name not in self.setup.left_out)
        return stands

    def gone_first(self, phase: printed.Phase, step: printed.PhaseStep) -> tuple[DefenceId, ...]:
        """The defences that bar the step; for infantry perhaps the wire too (B33)."""
        if phase.id == "infantry" and step.targets == ("trenches",) and self.ruled("B33", "yes"):
            return (*step.once, "wire")
        return step.once

    def is_one_roll(self, phase: printed.Phase) -> bool:
        return phase.id == "engineers" and self.ruled("B9", "instead")

    def losable(self, task: BeachTask) -> tuple[TankId, ...]:
        flails = {one.id for one in self.ruleset.tank if one.flail}
        return tuple(kind for kind in self.tanks if not (task.no_flail and kind in flails))

    def modifiers(self, adds: printed.Modifiers) -> tuple[Modifier, ...]:
        """The modifiers in force, without zeros."""
        at_turn = self.at_turn
        traps = at_turn.defences if self.ruled("B17", "turn_start") else self.defences
        hits = self.craft_hit_before if self.ruled("B6", "each") else min(1, self.craft_hit_before)
        squads = at_turn.squads if self.ruled("B34", "turn_start") else self.squads
        bunkers, start = self.defences["bunkers"], self.setup.points()["bunkers"]
        half = adds.half_bunkers if 2 * bunkers <= start else 0
        gone = 0 if bunkers else adds.no_bunkers
        found = (
            Modifier("traps", adds.traps if traps["traps"] > 0 else 0),
            Modifier("craft_hit", adds.craft_hit * hits),
            Modifier("half_bunkers", 0 if gone and not self.ruled("B3", "cumulative") else half),
            Modifier("no_bunkers", gone),
            Modifier("per_dozen", adds.per_dozen * (squads // self.ruleset.dozen)),
        )
        return tuple(one for one in found if one.value)

    def spec_of(self, step: printed.PhaseStep) -> str:
        """The dice of a step under this game's rulings (B39)."""
        return self.setup.rulings["B39"] if step.does == "squads" else step.dice

    def counted(self, roll: Roll) -> CountedRoll:
        """The value of the roll, at least 0 (B1). Cards count in the order played (B23): a new
        value for a single die cancels what was added to it before. On several dice plus and minus
        apply to the sum and stay (B20). Before the dice are thrown (B19) only the cards count."""
        sweeps = roll.dice == 1 or self.setup.version == 1  # whose games lost them with their die
        faces = list(roll.faces) or [0] * roll.dice
        shifts = [0] * len(faces)
        fixed: set[int] = set()
        for played in roll.cards:
            card = self.ruleset.card_of(played.card)
            new = played.faces or (() if card.sets is None else (card.sets,))
            for die, face in enumerate(new, 0 if len(new) > 1 else played.die):
                faces[die], shifts[die] = face, 0 if sweeps else shifts[die]
                fixed.discard(die)
                if card.sets is not None and self.ruled("B21", "result"):
                    fixed.add(die)
            shifts[played.die] += card.shifts
        total = sum(faces) + sum(shifts)
        if not fixed:
            total += roll.plus + sum(one.value for one in roll.modifiers)
        shown = tuple(faces) if roll.faces else ()
        return CountedRoll(shown, sum(shifts), max(0, total), fixed=bool(fixed))
