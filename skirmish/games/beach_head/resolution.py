"""What an order does while it is carried out: tasks come and go, dice are laid, questions asked.

``phase_tasks`` decides which task does what, ``settling`` what a roll comes to; both act through a
``BeachResolution``.
"""

from __future__ import annotations

from msgspec.structs import replace

from skirmish.games.beach_head import events
from skirmish.games.beach_head.pending import BeachAsk, BeachTask, Modifier, Roll
from skirmish.games.beach_head.ruleset import DiceSpec, dice_of
from skirmish.games.beach_head.state import BeachState
from skirmish.tabletop.execution import Execution


class BeachResolution(Execution[BeachState, events.BeachEvent, BeachTask]):
    """One order with all that follows from it.

    ``emit`` adds an event and changes the state by it at once; ``rest`` is the agenda without its
    first task, which is the one being done.
    """

    @property
    def open_question(self) -> BeachAsk:
        """The question that the order answers; only for orders that answer one."""
        assert self.state.ask is not None
        return self.state.ask

    def ask(self, question: BeachAsk) -> None:
        """Puts a question to the player; nothing more happens until he answers."""
        self.emit(events.PlayerAsked(ask=question))

    def finish_task(self) -> None:
        """Takes the first task off the agenda."""
        self.go_on_with()

    def go_on_with(self, *tasks: BeachTask) -> None:
        """Replaces the first task of the agenda by ``tasks``."""
        self.emit(events.AgendaMoved(then=(*tasks, *self.rest)))

    def drop_task(self, why: events.PassCode, about: str = "") -> None:
        """Takes the first task off the agenda because it comes to nothing, and records why. For
        some reasons ``about`` names the defence concerned, or ``nobody``."""
        self.emit(events.Passed(why=why, about=about, then=self.rest))

    def lay_dice(
        self, task: BeachTask, spec: DiceSpec, modifiers: tuple[Modifier, ...] = ()
    ) -> None:
        """Lays the dice of a task on the table, and throws them or has the player throw his own. If
        cards come first (B19), the dice are only announced."""
        dice, plus = dice_of(spec)
        roll = Roll(task=task, dice=dice, plus=plus, modifiers=modifiers)
        cards_come_first = self.state.in_force.cards_come_before_dice and bool(self.state.hand)
        if cards_come_first:
            self.emit(events.DiceRolled(roll=roll))
        elif self.state.dice.typed:
            self.emit(events.DiceRolled(roll=roll))
            self.throw_dice()
        else:
            self.emit(events.DiceRolled(roll=replace(roll, faces=self.next_faces(dice))))

    def throw_dice(self) -> None:
        """Throws the dice that were announced, or asks the player what his own show."""
        assert self.state.roll is not None
        if self.state.dice.typed:
            self.ask(BeachAsk(what="dice", count=self.state.roll.dice))
        else:
            self.emit(events.Shown(faces=self.next_faces(self.state.roll.dice)))

    def next_faces(self, count: int, sides: int = 6) -> tuple[int, ...]:
        """What the next ``count`` dice of the program show. Their source moves on only with the
        event that stores these faces."""
        source = self.state.dice
        faces = []
        for rolled_before in range(count):
            next_die = replace(source, rolls=source.rolls + rolled_before)
            # A die has no cards, and its face is the rank of a draw.
            draw = next_die.peek(cards=(), sides=sides)
            faces.append(draw.rank)
        return tuple(faces)
