"""One order being carried out: dice laid on the table, and asks."""

from __future__ import annotations

from msgspec.structs import replace

from skirmish.games.beach_head.agenda import AnyAsk, AnyTask, DiceAsk, Modifier, Roll
from skirmish.games.beach_head.events import AnyEvent, Asked, Rolled, Shown, Won
from skirmish.games.beach_head.evolve import evolve
from skirmish.games.beach_head.manual import dice
from skirmish.games.beach_head.state import State
from skirmish.tabletop import resolution


class Resolution(resolution.Resolution[State, AnyEvent, AnyTask]):
    """Lays dice on the table, and asks."""

    def __init__(self, state: State) -> None:
        super().__init__(evolve, state)

    def ask(self, ask: AnyAsk) -> None:
        """Wait for the player."""
        self.emit(Asked(ask=ask))

    def lay(self, task: AnyTask, spec: str, modifiers: tuple[Modifier, ...] = ()) -> None:
        """Dice on the table: rolled, announced (cards go first, B19), or asked for."""
        printed = dice(spec)
        roll = Roll(task=task, dice=printed.count, plus=printed.plus, modifiers=modifiers)
        first_cards = self.state.ruled("B19", "before") and bool(self.state.hand)
        if first_cards or self.state.dice.typed:
            self.emit(Rolled(roll=roll))
            if not first_cards:
                self.throw()
            return
        self.emit(Rolled(roll=replace(roll, faces=self.faces(printed.count))))

    def throw(self) -> None:
        """Roll the dice that were announced."""
        assert self.state.roll is not None
        if self.state.dice.typed:
            self.ask(DiceAsk(count=self.state.roll.dice))
        else:
            self.emit(Shown(faces=self.faces(self.state.roll.dice)))

    def faces(self, count: int, sides: int = 6) -> tuple[int, ...]:
        """The next faces of the program's dice; the event they stand in counts them."""
        source = self.state.dice
        return tuple(
            replace(source, rolls=source.rolls + number).peek((), sides).rank
            for number in range(count)
        )

    def won_at_once(self) -> bool:
        """Whether the game has just been won (B18)."""
        if self.state.cleared and self.state.ruled("B18", "at_once"):
            self.emit(Won())
        return self.state.over
