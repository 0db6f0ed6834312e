"""The base of orders, and how one is carried out: the agenda is worked through until it is empty or
needs a player's answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Literal, TypeAlias, TypeVar

import msgspec

from skirmish.games.plastic.battle import agenda, events, victory
from skirmish.games.plastic.battle.agenda import Agenda, AnyAsk, AnyTask, Shooting, Why
from skirmish.games.plastic.battle.events import AnyEvent
from skirmish.games.plastic.battle.rows import inside_is_unknown, worth_of
from skirmish.games.plastic.battle.state import Credit, State
from skirmish.games.plastic.rules.catalog import DECK, DIE
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.journal import Execution
from skirmish.tabletop.refusal import Refusal, Refused

A = TypeVar("A")
T = TypeVar("T")

_READ = events.Judged | events.Tested | events.Checked | events.Tabled | events.LotCast
"""Events that use a draw: the state a card toggles changes after them, not before."""


class Order(msgspec.Struct, frozen=True, kw_only=True, gc=False, tag_field="order"):
    """Rows are named ``side/contingent/unit``. A ``piece`` is given only if it matters which model
    is meant; by default the first that fits is taken. ``insist``: give the order against the rules'
    advice."""

    when: ClassVar[Literal["at rest", "answer", "beside", "clock", "always"]] = "at rest"
    """When the order can be given. ``answer``: answers the open question. ``beside``: any time; an
    open question stays open, an open offer is declined. ``clock``: open questions are settled as
    proposed. ``always``: even after the end."""
    after_the_end: ClassVar[bool] = False
    """Whether the order can be given after the battle is over."""
    in_journal: ClassVar[Literal["begins", "goes on", "beside"]] = "begins"
    """Whether the order begins a line of the journal or continues one; ``beside``: it may come
    between an order and its answers, and ends no line."""
    not_void: ClassVar[str] = ""
    """Why the order cannot be made void, and what to use instead; empty if it can."""

    def carry_out(self, run: Resolution) -> None:
        raise NotImplementedError


class Answer(Order, frozen=True):
    """Continues the journal line of the order that asks."""

    when = "answer"
    in_journal = "goes on"


def waiting_for(state: State) -> Refusal | None:
    """The question that blocks new orders; None if only a repeat shot is offered."""
    text = state.ask.waiting(state.setup) if state.ask else ""
    return Refusal("waiting", text, firm=True) if text else None


class Resolution(Execution[State, AnyEvent, AnyTask]):
    """``steps`` maps each kind of task to its function."""

    def __init__(self, state: State, steps: Steps, insist: bool = False) -> None:
        super().__init__(state)
        self._steps, self._insist = steps, insist
        self._toggles: list[str] = []
        self.overruled = ""
        """The first advice that the order insists against."""

    def advise(self, advice: Refusal | None) -> None:
        """Raises Refused, unless the advice can be overruled and the order insists."""
        if advice is None:
            return
        if advice.firm or not self._insist:
            raise Refused(advice)
        self.overruled = self.overruled or advice.message

    def advise_movement(self, side: str) -> None:
        """Units move in phase 1 of their own turn until a command draw has ended it."""
        state = self.state
        if state.clock.phase != 1 or side != state.mover:
            now = state.setup.of(state.mover, f"phase {state.clock.phase}")
            text = f"Units move, load, unload and dig in phase 1 of their own turn; this is {now}."
            self.advise(Refusal("not_now", text, "Sequence of Play"))
        elif state.movement_over:
            text = state.setup.moves_no_more(side)
            self.advise(Refusal("movement_over", text, "Troop Quality"))

    def emit(self, event: AnyEvent) -> None:
        """Adds the event, and the toggle that its card brings."""
        super().emit(event)
        if isinstance(event, _READ):
            toggles, self._toggles = self._toggles, []
            for name in toggles:
                self.emit(events.Toggled(name=name, on=name not in self.state.toggled))

    def go_on(self, then: Agenda | None = None) -> None:
        """Works through the agenda, or through ``then`` in its place. Draws typed ahead are used
        for repeat shots; the rest is returned to the source."""
        if then is not None:
            self.hold(then)
        while self.state.outcome is None:
            if isinstance(self.state.ask, agenda.RepeatAsk) and self.state.hand:
                self._steps[agenda.RepeatAsk](self, self.state.ask, self.rest)
            if self.state.ask is not None or not self.state.agenda:
                break
            task, then = self.head()
            self._steps[type(task)](self, task, then)
        match self.state.ask:
            case None | agenda.DrawAsk(rank=None) if self.state.hand:
                self.emit(events.Unread(draws=self.state.hand))

    def ask(self, ask: AnyAsk) -> None:
        self.emit(events.Asked(ask=ask))

    def hold(self, then: Agenda) -> None:
        """Ends a step that has nothing to do, or declines an offer."""
        self.emit(events.Held(then=then))

    def answered(self, ask: type[A], task: type[T], refusal: Refused) -> tuple[A, T, Agenda]:
        """The open question, its step and the remaining agenda; raises the refusal."""
        asked, steps = self.state.ask, self.state.agenda
        if not isinstance(asked, ask) or not steps or not isinstance(steps[0], task):
            raise refusal
        return asked, steps[0], steps[1:]

    def draw(
        self, side: str, why: Why, suit_matters: Callable[[int], bool], aside: Draw | None = None
    ) -> Draw | None:
        """None if the player has to draw; the question is then open. ``suit_matters(rank)``:
        whether a card of that rank must be typed with its suit. The card ``aside`` is left out of a
        shuffle that comes first (P78)."""
        key = self.state.source_of(side)
        source = self.state.sources[key]
        if source.kind == "deck" and source.left(DECK) <= 0:
            lies_aside = aside is not None and self.state.setup.rulings["P78"] == "aside"
            self.emit(events.Shuffled(source=key, aside=aside if lies_aside else None))
            source = self.state.sources[key]
        is_die = source.kind == "die"
        if not source.typed:
            draw = source.peek(DECK, DIE)
        elif self.state.hand and self.state.hand_of == key:
            draw = self.state.hand[0]
            toggled = any(card.rank == draw.rank for card in self.state.setup.toggling)
            if not is_die and not draw.suit and (toggled or suit_matters(draw.rank)):
                self.ask(agenda.DrawAsk(side=side, die=False, why=why, rank=draw.rank))
                return None
        else:
            self.ask(agenda.DrawAsk(side=side, die=is_die, why=why))
            return None
        nth, aside = source.rolls if is_die else len(source.gone), source.aside
        self.emit(
            events.DrawMade(source=key, draw=draw, shuffle=source.shuffles, aside=aside, nth=nth)
        )
        self.toggle_by(draw)
        return draw

    def toggle_by(self, *draws: Draw) -> None:
        toggling = self.state.setup.toggling
        self._toggles += [toggling[card].state for card in draws if card in toggling]

    def refuse_while_waiting(self) -> None:
        if refusal := waiting_for(self.state):
            raise Refused(refusal)

    def look_for_victory(self) -> None:
        """Ends the battle if losses or exits decide it."""
        if end := victory.after_loss(self.state):
            self.emit(end)

    def lose(
        self, piece: str, shot: Shooting, draw: Draw | None, then: Agenda, breakdown: bool = False
    ) -> None:
        """A piece dies by a shot (or its own breakdown), with everybody aboard ("Loading or
        Unloading"). If its riders were not recorded, they are asked for next."""
        state = self.state
        credit = Credit(
            shot=shot.id,
            piece=shot.piece,
            unit=state.unit_of(shot.piece),
            weapon=shot.weapon,
            turn=state.turn_of(shot.id),
            draw=draw,
            breakdown=breakdown,
        )
        if inside_is_unknown(state, piece):
            sunk = agenda.ToSink(carrier=piece, shot=shot, draw=draw, breakdown=breakdown)
            then = (sunk, *then)
        self.lose_with_riders(piece, credit, then)
        # Of a shot that is judged again: the dead man may have fired meanwhile.
        since = state.fired_since(piece, shot.id)
        if since and not breakdown:
            self.emit(
                events.FiredSince(
                    piece=piece,
                    shots=tuple(one.id for one in since),
                    targets=tuple(one.target for one in since),
                    turns=tuple(state.turn_of(one.id) for one in since),
                )
            )
        self.look_for_victory()

    def lose_aboard(self, riders: list[str], task: agenda.ToSink, then: Agenda) -> None:
        credit = self.state.lost[task.carrier]
        for rider in riders:
            self._lost(rider, credit, aboard=True, then=then)
        self.look_for_victory()

    def lose_with_riders(
        self, piece: str, credit: Credit | None, then: Agenda | None = None
    ) -> None:
        """``credit`` is None if no shot caused the loss."""
        riders = self.state.riders_of(piece)
        self._lost(piece, credit, then=then)
        for rider in riders:
            self._lost(rider, credit, aboard=True)

    def _lost(self, piece: str, credit: Credit | None, **how: Any) -> None:
        unit, worth = self.state.unit_of(piece), worth_of(self.state, piece)
        self.emit(events.Lost(piece=piece, unit=unit, worth=worth, credit=credit, **how))


Steps: TypeAlias = Mapping[type, Callable[[Resolution, Any, Agenda], None]]
