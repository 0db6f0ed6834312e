"""What players order, and an order being carried out: the agenda is worked through until it is
empty or only a player can go on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Literal, TypeAlias

import msgspec

from skirmish.games.plastic.battle import victory
from skirmish.games.plastic.battle.agenda import (
    AnyTask,
    DrawAsk,
    RepeatAsk,
    Shooting,
    ToSink,
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
)
from skirmish.games.plastic.battle.rows import inside_is_unknown, worth_of
from skirmish.games.plastic.battle.state import Credit, State
from skirmish.games.plastic.rules.catalog import DECK, DIE
from skirmish.games.plastic.scenarios.happening_kinds import ToggleOnCard
from skirmish.tabletop import resolution
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.refusal import Refusal, Refused, nonsense

_READ = Judged | Tested | Checked | Tabled | LotCast
"""Events that have read a draw: what a card toggles changes after them, not before."""


class Order(msgspec.Struct, frozen=True, kw_only=True, gc=False, tag_field="order"):
    """Rows are named ``side/contingent/unit``. A ``piece`` is given only where it matters which
    model is meant; left out, the program takes the first that fits. ``insist``: although the rules
    advise against it."""

    when: ClassVar[Literal["at rest", "answer", "beside", "clock", "always"]] = "at rest"
    """When it can be given. ``answer``: it answers what is asked. ``beside``: whatever is asked,
    which stays asked; an offer it lets go. ``clock``: what is open is settled as proposed.
    ``always``: after the end too."""
    after_the_end: ClassVar[bool] = False
    """Whether it can be given when the battle is over."""
    in_journal: ClassVar[Literal["begins", "goes on", "beside"]] = "begins"
    """Whether it begins a line of the journal or goes on with one; ``beside``: it may stand between
    an order and its answers, and ends no line."""
    not_void: ClassVar[str] = ""
    """Why it cannot be made void, with what does instead; empty if it can."""

    def carry_out(self, run: Resolution) -> None:
        raise NotImplementedError


def waiting_for(state: State) -> Refusal | None:
    """What must be answered before anything new begins; None where a repeat shot is offered."""
    says = state.ask.waiting(state.setup) if state.ask else ""
    return Refusal("waiting", says, firm=True) if says else None


class Resolution(resolution.Resolution[State, AnyEvent, AnyTask]):
    """The state between two steps can be stored, undone and resumed. ``steps`` says what each kind
    of task does, and what draws typed ahead do with an offer of repeat fire."""

    def __init__(self, state: State, steps: Steps) -> None:
        super().__init__(state)
        self._steps = steps
        self._toggles: list[str] = []

    def emit(self, event: AnyEvent) -> None:
        """After an event that has read a card comes what that card toggles."""
        super().emit(event)
        if isinstance(event, _READ):
            toggles, self._toggles = self._toggles, []
            for name in toggles:
                self.emit(Toggled(name=name, on=name not in self.state.toggled))

    def go_on(self) -> None:
        """Draws that were typed ahead go into repeat shots at the same row; what is left over goes
        back."""
        while self.state.outcome is None:
            if isinstance(self.state.ask, RepeatAsk) and self.state.hand:
                self._steps[RepeatAsk](self, self.state.ask, self.rest)
            if self.state.ask is not None or not self.state.agenda:
                break
            task, then = self.head()
            self._steps[type(task)](self, task, then)
        idle = self.state.ask is None or isinstance(self.state.ask, DrawAsk)
        if self.state.hand and idle and not self._suit_is_asked():
            self.emit(Unread(draws=self.state.hand))

    def waiting_for_draw(self) -> DrawAsk:
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
        """None if the player must make it; it is asked for then. ``suit_matters(rank)``: a card of
        that rank must be typed with its suit. A card ``aside`` stays out of a shuffle that comes
        first (P78)."""
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
        self._toggles += [
            self._toggling()[card].state for card in draws if card in self._toggling()
        ]

    def known_side(self, side: str) -> str:
        """``side``; raises Refused for one that is none of the battle."""
        if side not in self.state.setup.side_by_id:
            raise nonsense("unknown_side", f"There is no side called {side!r}.")
        return side

    def refuse_while_waiting(self) -> None:
        """Raises Refused where something must be answered before anything new begins."""
        if refusal := waiting_for(self.state):
            raise Refused(refusal)

    def keeps_ledger(self, side: str) -> bool:
        return self.state.levels[side] == "ledger"

    def _toggling(self) -> dict[Draw, ToggleOnCard]:
        return self.state.setup.toggling

    def _suit_is_asked(self) -> bool:
        return isinstance(self.state.ask, DrawAsk) and self.state.ask.rank is not None

    # ------------------------------------------------------------------ losses, and the end

    def look_for_victory(self) -> None:
        """After losses and exits: the end, if they bring it."""
        if end := victory.after_loss(self.state):
            self.emit(end)

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
        if inside_is_unknown(state, piece):
            sunk = ToSink(carrier=piece, shot=shot, draw=draw, breakdown=breakdown)
            then = (sunk, *then)
        self._lost(piece, credit, then=then)
        for rider in state.riders_of(piece):
            self._lost(rider, credit, aboard=True)
        self.look_for_victory()

    def lose_aboard(self, riders: list[str], task: ToSink, then: tuple[AnyTask, ...]) -> None:
        credit = self.state.lost[task.carrier]
        for rider in riders:
            self._lost(rider, credit, aboard=True, then=then)
        self.look_for_victory()

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


Steps: TypeAlias = Mapping[type, Callable[[Resolution, Any, tuple[AnyTask, ...]], None]]
