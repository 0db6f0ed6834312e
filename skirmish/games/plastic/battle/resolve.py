"""Runs a battle's agenda until it is empty or only a player can go on.

Each step is an event; the state between two steps can be kept, undone and resumed. What the steps
do stands in the rooms named in ``_STEPS``; here are the loop, the draws and the losses.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from skirmish.games.plastic.battle import casualties, lots, shooting, table_checks, tables, victory
from skirmish.games.plastic.battle.agenda import (
    AnyTask,
    DrawAsk,
    RepeatAsk,
    Shooting,
    ToBury,
    ToCast,
    ToCheck,
    ToJudge,
    ToRepeat,
    ToSink,
    ToTable,
    ToTest,
    ToVolley,
    Why,
)
from skirmish.games.plastic.battle.events import (
    AnyEvent,
    Asked,
    Checked,
    Drawn,
    Judged,
    Lost,
    LotCast,
    Shuffled,
    Tabled,
    Tested,
    Toggled,
    Unread,
    evolve,
)
from skirmish.games.plastic.battle.state import Credit, State
from skirmish.games.plastic.battle.strength import worth_of
from skirmish.games.plastic.rules.catalog import DECK, DIE
from skirmish.games.plastic.scenarios.happening_kinds import ToggleOnCard
from skirmish.tabletop import resolution
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.refusal import nonsense

_READ = Judged | Tested | Checked | Tabled | LotCast
"""Events that have read a draw: what a card toggles changes after them, not before."""


class Resolution(resolution.Resolution[State, AnyEvent, AnyTask]):
    """Draws, losses, and the loop."""

    def __init__(self, state: State) -> None:
        super().__init__(evolve, state)
        self._toggles: list[str] = []

    def emit(self, event: AnyEvent) -> None:
        """``event`` happens, and after it whatever a card that it has read toggles."""
        super().emit(event)
        if isinstance(event, _READ):
            toggles, self._toggles = self._toggles, []
            for name in toggles:
                self.emit(Toggled(name=name, on=name not in self.state.toggled))

    def go_on(self) -> None:
        """Work through the agenda until it is empty or a player must answer. Draws that he has
        typed ahead go into repeat shots at the same row; what is left over then goes back."""
        while self.state.outcome is None:
            if isinstance(self.state.ask, RepeatAsk) and self.state.hand:
                shooting.repeat_with_hand(self)
            if self.state.ask is not None or not self.state.agenda:
                break
            task, then = self.head()
            _STEPS[type(task)](self, task, then)
        idle = self.state.ask is None or isinstance(self.state.ask, DrawAsk)
        if self.state.hand and idle and not self._suit_is_asked():
            self.emit(Unread(draws=self.state.hand))

    def waiting_for_draw(self) -> DrawAsk:
        """The draw that is awaited; raises Refused if none is."""
        if not isinstance(self.state.ask, DrawAsk):
            raise nonsense("no_draw", "No card or roll is needed now.")
        return self.state.ask

    # ------------------------------------------------------------------ draws

    def draw(
        self,
        side: str,
        why: Why,
        suit_matters: Callable[[int], bool],
        aside: Draw | None = None,
    ) -> Draw | None:
        """The draw that is needed now, or None if the player must make it (it is asked for then).

        ``suit_matters(rank)`` says whether a card of that rank must be typed with its suit. An
        empty deck is shuffled first; a card ``aside`` stays out of that shuffle (P78).
        """
        key = self.state.source_of(side)
        source = self.state.sources[key]
        if source.kind == "deck" and not source.left(DECK):
            lies_aside = aside is not None and self.state.setup.rulings["P78"] == "aside"
            self.emit(Shuffled(source=key, aside=aside if lies_aside else None))
            source = self.state.sources[key]
        is_die = source.kind == "die"
        if not source.typed:
            draw = source.peek(DECK, DIE)
        elif self.state.hand and self.state.hand_of == key:
            draw = self.state.hand[0]
            toggled = any(card.rank == draw.rank for card in self._toggling())
            if not is_die and not draw.suit and (toggled or suit_matters(draw.rank)):
                self.emit(Asked(ask=DrawAsk(side=side, die=False, why=why, rank=draw.rank)))
                return None
        else:
            self.emit(Asked(ask=DrawAsk(side=side, die=is_die, why=why)))
            return None
        nth = source.rolls if is_die else len(source.gone)
        aside_now = source.aside
        self.emit(Drawn(source=key, draw=draw, shuffle=source.shuffles, aside=aside_now, nth=nth))
        self.toggle_by(draw)
        return draw

    def toggle_by(self, *draws: Draw) -> None:
        """What cards toggle will change with the next draw that is read."""
        self._toggles += [
            self._toggling()[card].state for card in draws if card in self._toggling()
        ]

    def keeps_ledger(self, side: str) -> bool:
        """Whether a side's draws are none of the program's business."""
        return self.state.levels[side] == "ledger"

    def _toggling(self) -> dict[Draw, ToggleOnCard]:
        return self.state.setup.toggling

    def _suit_is_asked(self) -> bool:
        return isinstance(self.state.ask, DrawAsk) and self.state.ask.rank is not None

    # ------------------------------------------------------------------ losses

    def lose(
        self,
        piece: str,
        shot: Shooting,
        draw: Draw | None,
        then: tuple[AnyTask, ...],
        breakdown: bool = False,
    ) -> None:
        """A piece dies by a shot (or the shooter by its own breakdown), with all it carries
        ("Loading or Unloading"); where nobody recorded who was inside, that is asked next."""
        state = self.state
        credit = Credit(
            shot=shot.id,
            piece=shot.piece,
            unit=state.unit_of(shot.piece),
            weapon=shot.weapon,
            turn=state.clock.turn,
            draw=draw,
            breakdown=breakdown,
        )
        if casualties.inside_is_unknown(state, piece):
            sunk = ToSink(carrier=piece, shot=shot, draw=draw, breakdown=breakdown)
            then = (sunk, *then)
        self._lost(piece, credit, then=then)
        for rider in state.riders_of(piece):
            self._lost(rider, credit, aboard=True)
        victory.after_loss(self)

    def lose_aboard(self, riders: list[str], task: ToSink, then: tuple[AnyTask, ...]) -> None:
        """Riders named after their carrier was lost."""
        credit = self.state.lost[task.carrier]
        for rider in riders:
            self._lost(rider, credit, aboard=True, then=then)
        victory.after_loss(self)

    def write_off(self, piece: str) -> None:
        """A piece is lost and nobody's shot did it, riders included."""
        riders = self.state.riders_of(piece)
        self._lost(piece, None)
        for rider in riders:
            self._lost(rider, None, aboard=True)

    def _lost(
        self,
        piece: str,
        credit: Credit | None,
        aboard: bool = False,
        then: tuple[AnyTask, ...] | None = None,
    ) -> None:
        self.emit(
            Lost(
                piece=piece,
                unit=self.state.unit_of(piece),
                worth=worth_of(self.state, piece),
                credit=credit,
                aboard=aboard,
                then=then,
            )
        )


_STEPS: dict[type, Callable[[Resolution, Any, tuple[AnyTask, ...]], None]] = {
    ToJudge: shooting.judge_shot,
    ToTest: shooting.test_breakdown,
    ToVolley: shooting.volley_on,
    ToRepeat: shooting.offer_repeat,
    ToBury: casualties.bury,
    ToSink: casualties.ask_inside,
    ToCheck: table_checks.check,
    ToTable: tables.draw_on_table,
    ToCast: lots.cast,
}
