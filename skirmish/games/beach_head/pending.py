"""What is pending in a game: the tasks of the agenda, the roll on the table with the cards that lie
on it, and the open question.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from skirmish.games.beach_head.ruleset import BeachSetup, Card, DefenceId, TankId
from skirmish.tabletop.chance import Draw


class BeachTask(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An item of the agenda, whose first item is done next.

    * ``take``: begin a step of the phase; ``throw``: roll its dice.
    * ``outcome``: roll for what a row of the step's table does.
    * ``spend``: have the player choose where the ``points`` go that were rolled before (B40).
    * ``kind``: roll for the type of a tank that lands; ``crater``: roll for new ditches.
    * ``lose_tank``: one of the tanks ashore is lost.
    * ``fill``: draw cards; ``exchange``: ask for cards to exchange; ``trim``: have the hand cut
      down to its limit.

    Each of the other fields is for the tasks that its note names.
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
    """The index of the step in the present phase; None for tasks that belong to no step."""
    target: DefenceId | None = None
    """``throw``, ``outcome``: the defence that loses points; None if none does or it is named later
    (B40). ``crater``: the defence whose loss makes the craters."""
    row: int = 0
    """``outcome``: the index of the row."""
    points: int = 0
    """``spend``: how many."""
    number: int = 0
    """``kind``: which tank it is, from 1, of those that land."""
    among: int = 0
    """``kind``: how many tanks land."""
    no_flail: bool = False
    """``lose_tank``: it is lost to a mine, which never hits a tank with a flail."""
    count: int | None = None
    """``fill``: how many cards; None: as many as the hand lacks."""
    done: bool = False
    """``exchange``: cards have been exchanged, but a General may still be played (B25)."""


class Modifier(msgspec.Struct, frozen=True):
    """A modifier in force: its name in the rules' ``Modifiers``, and what it adds."""

    code: str
    value: int


class Played(msgspec.Struct, frozen=True):
    """A card played on a roll."""

    card: Draw
    die: int = 0
    """The index of the die on which it lies."""
    faces: tuple[int, ...] = ()
    """What re-rolled dice show; empty for a card that re-rolls none."""

    def new_faces(self, rule: Card) -> dict[int, int]:
        """The new face of each die (by its index) that the card changes by its ``rule``. A Colonel
        who re-rolls all dice (B22) begins with the first; other cards change their own die."""
        faces = self.faces
        if not faces and rule.sets is not None:
            faces = (rule.sets,)
        first_die = self.die
        if len(faces) > 1:
            first_die = 0
        return dict(enumerate(faces, first_die))


class Roll(msgspec.Struct, frozen=True, kw_only=True):
    """Dice on the table that do not count yet: cards may still change them."""

    task: BeachTask
    dice: int
    """How many dice."""
    plus: int = 0
    """What is printed with the dice: 2 for 2d6+2."""
    modifiers: tuple[Modifier, ...] = ()
    """What the beach adds."""
    faces: tuple[int, ...] = ()
    """What the dice show; empty while they are only announced, since cards come first (B19)."""
    cards: tuple[Played, ...] = ()

    def counted(self, setup: BeachSetup) -> CountedRoll:
        """The value of the roll, at least 0 (B1). Cards count in the order played (B23): a new
        value for a single die cancels what was added to it before. On several dice plus and minus
        apply to the sum and stay (B20).

        Dice that are only announced (B19) count as 0 where no card sets them, and the ``total`` is
        then not that of a roll: before the throw, only what the cards do is of use."""
        # In games of version 1, plus and minus were lost with their die on several dice as well.
        new_value_cancels_shifts = self.dice == 1 or setup.version == 1
        faces = list(self.faces)
        if not faces:
            faces = [0] * self.dice
        shift_of_each_die = [0] * len(faces)
        fixed_dice: set[int] = set()
        for played in self.cards:
            card = setup.ruleset.card_of(played.card)
            for die, face in played.new_faces(card).items():
                faces[die] = face
                if new_value_cancels_shifts:
                    shift_of_each_die[die] = 0
                # Whether the die is fixed depends on the last card that gave it a new face.
                fixed_dice.discard(die)
                if card.sets is not None and setup.in_force.set_value_is_final:
                    fixed_dice.add(die)
            shift_of_each_die[played.die] += card.shifts
        shift = sum(shift_of_each_die)
        total = sum(faces) + shift
        is_fixed = len(fixed_dice) > 0
        if not is_fixed:
            total += self.plus + sum(modifier.value for modifier in self.modifiers)
        faces_thrown: tuple[int, ...] = ()
        if self.faces:
            faces_thrown = tuple(faces)
        return CountedRoll(faces=faces_thrown, shift=shift, total=max(0, total), fixed=is_fixed)


class CountedRoll(msgspec.Struct, frozen=True):
    """What a roll comes to with the cards on it."""

    faces: tuple[int, ...]
    """The dice as the cards leave them; empty if none is thrown yet."""
    shift: int
    """What cards add to the sum."""
    total: int
    fixed: bool = False
    """Whether a card set a die, so that neither the printed modifier nor the beach's count
    (B21)."""


class BeachAsk(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A question to the player.

    * ``dice``, ``lot``, ``cards``: what his own dice show, or which cards he has drawn.
    * ``target``: which defence loses points; ``tank``: which kind of tank is lost.
    * ``exchange``: which cards he exchanges; ``trim``: which cards he gives up.

    Each of the other fields is for the questions that its note names.
    """

    what: Literal["dice", "lot", "cards", "target", "tank", "exchange", "trim"] = msgspec.field(
        name="ask"
    )
    count: int = 0
    """``dice``, ``cards``, ``trim``: how many."""
    card: Played | None = None
    """``dice``: the card that has dice re-rolled; None for the roll on the table itself."""
    sides: int = 0
    """``lot``: the number drawn is from 1 to this."""
    tanks: tuple[TankId, ...] = ()
    """``lot``: the tanks of which one is lost, in the order of these numbers."""
    targets: tuple[DefenceId, ...] = ()
    """``target``: the defences to choose from."""
    may_decline: bool = False
    """``target``: no target need be chosen (B35)."""
    points: int | None = None
    """``target``: the points, where the die came first (B40); None if it is still to be rolled."""
    kinds: tuple[TankId, ...] = ()
    """``tank``: the kinds to choose from."""
    most: int = 0
    """``exchange``: how many cards at most; 0 after the exchange, when only a General may be
    played."""
