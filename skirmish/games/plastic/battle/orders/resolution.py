"""The base of orders, and how one is carried out: the agenda is worked through until it is empty or
needs a player's answer.

A step emits events, and the last of them holds the agenda that follows (``then``). So a battle that
was stored in the middle of a shot goes on from there, whatever the rules have become since."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Generic, Literal, NamedTuple, TypeAlias, TypeVar

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.battle import agenda, ending, events
from skirmish.games.plastic.battle.agenda import Agenda, AnyAsk, AnyTask, DrawPurpose, Shooting
from skirmish.games.plastic.battle.events import AnyEvent
from skirmish.games.plastic.battle.names import row_side
from skirmish.games.plastic.battle.rows import inside_is_unknown
from skirmish.games.plastic.battle.state import Credit, State
from skirmish.games.plastic.battle.strength import worth_of
from skirmish.games.plastic.rules.catalog import DECK, DIE
from skirmish.tabletop.chance import Draw, Source
from skirmish.tabletop.execution import Execution
from skirmish.tabletop.refusal import Refusal, Refused

AskT = TypeVar("AskT")
"""A question (an ask)."""
TaskT = TypeVar("TaskT")
"""The task that asks it."""

_DRAW_USED = (
    events.Judged
    | events.Tested
    | events.Checked
    | events.TableDrawn
    | events.ChargesDrawn
    | events.LotCast
)
"""Events that use a draw. What its card turns on or off (as a sandstorm) changes after them: the
card itself is judged by the state before."""


BegunBy: TypeAlias = Literal["table", "both sides", "mover", "who fires", "who is shot at"]
"""Who begins an order; ``table``: none of the sides by itself."""
WhenGiven: TypeAlias = Literal["at rest", "answer", "any time", "clock", "always"]
"""When an order can be given. ``at rest``: while no question is open. ``answer``: it answers the
open question. ``any time`` until the end: an open question stays open, an open offer is declined.
``clock``: open questions are settled as proposed. ``always``: even after the end."""


# ``gc=False``: an order never refers back to itself, so the garbage collector can leave it alone.
class Order(msgspec.Struct, frozen=True, kw_only=True, gc=False, tag_field="order"):
    """What a player wants to happen, or his answer to a question. In its fields rows are named
    ``side/contingent/unit``. A ``piece`` is named only where it matters which model is meant; else
    it is the first that fits."""

    when: ClassVar[WhenGiven] = "at rest"
    after_the_end: ClassVar[bool] = False
    """Whether the order can be given after the battle is over, though not while a question is
    open."""
    in_journal: ClassVar[Literal["begins", "goes on", "beside"]] = "begins"
    """Whether the order begins a line of the journal or continues the line before. ``beside``: it
    has a line of its own, and may come between an order and its answers, whose line goes on."""
    why_never_void: ClassVar[str] = ""
    """Why the order cannot be made void, and what to use instead; empty if it can."""
    begun_by: ClassVar[BegunBy] = "table"
    """Who may begin to give it, before it is known what it is about."""
    anyway: ClassVar[str] = "does it anyway."
    """What ``!`` does where the rules advise against the order, as the end of a sentence."""

    @property
    def insist(self) -> bool:
        """Whether it is given against the rules' advice. Orders that can be given so have a field
        ``insist``, which takes the place of this answer."""
        return False

    def carry_out(self, run: Resolution) -> None:
        """Emits its events; raises Refused."""
        raise NotImplementedError

    def given_by(self, state: State) -> tuple[str, ...]:
        """The sides whose order it is: each of them may give it; none if only the table may."""
        del state
        return ()

    def orders_if_insisted(self, state: State) -> tuple[Order, ...]:
        """The orders that are given instead if the players insist; none if they cannot."""
        del state
        if "insist" not in self.__struct_fields__:
            return ()
        return (replace(self, insist=True),)

    @property
    def concealed(self) -> Order:
        """The order as others may see it."""
        return self


class Answer(Order, frozen=True):
    """Continues the journal line of the order that asks."""

    when = "answer"
    in_journal = "goes on"

    def given_by(self, state: State) -> tuple[str, ...]:
        return asked_sides(state)


class OrderOfSide(Order, frozen=True):
    """An order that names its side."""

    side: str

    def given_by(self, state: State) -> tuple[str, ...]:
        del state
        return (self.side,)


class OrderOfRow(Order, frozen=True):
    """An order about a row, which is its side's."""

    row: str

    def given_by(self, state: State) -> tuple[str, ...]:
        del state
        return (row_side(self.row),)


def asked_sides(state: State) -> tuple[str, ...]:
    """The sides whose answer the open question or offer wants."""
    if state.ask is None:
        return ()
    return state.ask.sides(state.setup)


def both_sides(state: State) -> tuple[str, ...]:
    """The ids of both sides, in the order of the set-up."""
    return tuple(side.id for side in state.setup.sides)


def waiting_for(state: State) -> Refusal | None:
    """The question that blocks new orders; None if none is open, or if only a repeat shot is
    offered."""
    if state.ask is None:
        return None
    text = state.ask.waiting(state.setup)
    if not text:  # an offer, which any other order declines
        return None
    return Refusal("waiting", text, firm=True)


def draw_waited_for(state: State) -> Refusal | None:
    """The draw without which the clock does not go on, since the shot that waits for it would be
    lost without a word. None if there is none, or if the clock never settles what it is for: then
    the question is still open, and refuses the clock (``waiting_for``)."""
    if not isinstance(state.ask, agenda.DrawAsk) or state.ask.why in STAYS_OPEN:
        return None
    text = state.ask.waiting(state.setup)
    return Refusal("waiting", text, firm=True, key_note="Esc takes the order back.")


class OpenQuestion(NamedTuple, Generic[AskT, TaskT]):
    """A question that is open, the ``task`` that asks it, and the ``rest`` of the agenda."""

    ask: AskT
    task: TaskT
    rest: Agenda


STAYS_OPEN = ("lot", "table", "charges")
"""The purposes of draws that the clock never leaves out: they stay open until somebody draws."""


class Resolution(Execution[State, AnyEvent, AnyTask]):
    """An order while it is carried out: its events so far and the state after them. ``steps`` maps
    each kind of task to its function; with ``insist`` advice that is not firm is set aside."""

    def __init__(self, state: State, steps: Steps, insist: bool = False) -> None:
        super().__init__(state)
        self._steps, self._insist = steps, insist
        self._toggles: list[str] = []
        """The states that cards drawn since the last result turn on or off."""
        self.overruled_advice = ""
        """The first advice that the order insists against."""

    def advise(self, advice: Refusal | None) -> None:
        """Raises Refused, unless the advice can be overruled and the order insists."""
        if advice is None:
            return
        if advice.firm or not self._insist:
            raise Refused(advice)
        if not self.overruled_advice:
            self.overruled_advice = advice.message

    def advise_movement(self, side: str) -> None:
        """Units move in phase 1 of their own turn until a command draw has ended it."""
        state = self.state
        if state.clock.phase != 1 or side != state.mover:
            present = state.setup.owned_by(state.mover, f"phase {state.clock.phase}")
            text = "Units move, load, unload and dig in phase 1 of their own turn; "
            text += f"this is {present}."
            self.advise(Refusal("not_now", text, "Sequence of Play"))
        elif state.movement_over:
            text = state.setup.moves_no_more(side)
            self.advise(Refusal("movement_over", text, "Troop Quality"))

    def emit(self, event: AnyEvent) -> None:
        """Adds the event, and the toggle that its card brings."""
        super().emit(event)
        if isinstance(event, _DRAW_USED):
            toggles, self._toggles = self._toggles, []
            for name in toggles:
                self.emit(events.Toggled(name=name, on=name not in self.state.toggled))

    def go_on(self, *, instead: Agenda | None = None) -> None:
        """Works through the agenda, or through another one ``instead``, which closes an open
        question too. Draws typed ahead are used for repeat shots; the rest is returned to the
        source."""
        if instead is not None:
            self.continue_with(instead)
        while self.state.outcome is None:
            # An offer to fire again is no task: a draw that is typed ahead accepts it.
            if isinstance(self.state.ask, agenda.RepeatAsk) and self.state.hand:
                self._steps[agenda.RepeatAsk](self, self.state.ask, self.rest)
            if self.state.ask is not None or not self.state.agenda:
                break
            task = self.due
            self._steps[type(task)](self, task, self.rest)
        if self.state.hand and self._hand_is_unused():
            self.emit(events.DrawsUnused(draws=self.state.hand))

    def _hand_is_unused(self) -> bool:
        """Whether no task, and no answer to the open question, can use the draws typed ahead."""
        ask = self.state.ask
        if isinstance(ask, agenda.DrawAsk):
            # The draws are of another source than the one that is asked for. Only if the suit of a
            # card is missing does the question have a rank, and that card is the next draw.
            return ask.rank is None
        # Other questions, such as who dies, may be followed by tasks that use them.
        return ask is None

    def ask(self, ask: AnyAsk) -> None:
        """Opens a question; the task that asks stays first on the agenda."""
        self.emit(events.Asked(ask=ask))

    def continue_with(self, then: Agenda) -> None:
        """Makes ``then`` the agenda and closes an open question: where a step has nothing to do, or
        an offer is declined."""
        self.emit(events.StepSkipped(then=then))

    def open_question(
        self, ask_type: type[AskT], task_type: type[TaskT], refusal: Refused
    ) -> OpenQuestion[AskT, TaskT]:
        """The open question, if it is of this type and this type of task asks it; raises the
        refusal if another question is open, or none."""
        ask, tasks = self.state.ask, self.state.agenda
        if not isinstance(ask, ask_type) or not tasks or not isinstance(tasks[0], task_type):
            raise refusal
        return OpenQuestion(ask, tasks[0], tasks[1:])

    def draw(
        self,
        side: str,
        why: DrawPurpose,
        suit_matters: Callable[[int], bool],
        aside: Draw | None = None,
    ) -> Draw | None:
        """The draw of a side, from the source that P23 gives it. None if the player has to draw;
        the question is then open. ``suit_matters(rank)``: whether a card of that rank must be typed
        with its suit. The card ``aside`` is left out of a shuffle that comes first (P78)."""
        key = self.state.source_of(side)
        self._shuffle_if_empty(key, aside)
        source = self.state.sources[key]
        if source.typed:
            typed = self._typed_draw(key, side, why, suit_matters)
            if typed is None:
                return None
            draw = typed
        else:
            draw = source.peek(DECK, DIE)
        self.emit(
            events.DrawMade(
                source=key,
                draw=draw,
                shuffle=source.shuffles,
                aside=source.aside,
                # By this number the entry in which the draw was made can be found later.
                nth=_draws_before(source),
            )
        )
        self.toggle_by(draw)
        return draw

    def _typed_draw(
        self, key: str, side: str, why: DrawPurpose, suit_matters: Callable[[int], bool]
    ) -> Draw | None:
        """The next draw that the player has typed for the source of that key. None if there is
        none, or if its suit is missing; the question for it is then open."""
        is_die = self.state.sources[key].kind == "die"
        if not self.state.hand or self.state.hand_of != key:
            self.ask(agenda.DrawAsk(side=side, die=is_die, why=why))
            return None
        draw = self.state.hand[0]
        # A card of a rank that may start a sandstorm, for example, does so by its suit.
        may_toggle = any(card.rank == draw.rank for card in self.state.setup.toggling)
        wants_suit = may_toggle or suit_matters(draw.rank)
        if wants_suit and not is_die and not draw.suit:
            self.ask(agenda.DrawAsk(side=side, die=False, why=why, rank=draw.rank))
            return None
        return draw

    def _shuffle_if_empty(self, key: str, aside: Draw | None) -> None:
        """Shuffles the deck of that key if no card is left in it."""
        source = self.state.sources[key]
        if source.kind != "deck" or source.cards_left(DECK) > 0:
            return
        # P78: the card whose breakdown is being tested lies on the table, or goes back too.
        if self.state.setup.rulings["P78"] != "aside":
            aside = None
        self.emit(events.Shuffled(source=key, aside=aside))

    def reveal(self, pieces: Iterable[str]) -> None:
        """Shows those of the pieces that hide."""
        hidden = tuple(piece for piece in pieces if piece in self.state.hidden)
        if hidden:
            self.emit(events.Revealed(pieces=hidden))

    def toggle_by(self, *draws: Draw) -> None:
        """Notes what these cards turn on or off; ``emit`` does so once their result is stated."""
        toggling = self.state.setup.toggling
        for card in draws:
            if card in toggling:
                self._toggles.append(toggling[card].state)

    def refuse_while_waiting(self) -> None:
        """Raises Refused while a question is open."""
        refusal = waiting_for(self.state)
        if refusal is not None:
            raise Refused(refusal)

    def look_for_victory(self) -> None:
        """Ends the battle if losses or exits decide it."""
        end = ending.after_loss(self.state)
        if end is not None:
            self.emit(end)

    def lose(
        self, piece: str, shot: Shooting, draw: Draw | None, then: Agenda, breakdown: bool = False
    ) -> None:
        """A piece is lost by a shot (or its own breakdown), with everybody aboard ("Loading or
        Unloading"). If it was not recorded who rode on it, that is asked next (``ToSink``)."""
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
            ask_riders = agenda.ToSink(carrier=piece, shot=shot, draw=draw, breakdown=breakdown)
            then = (ask_riders, *then)
        self.lose_with_riders(piece, credit=credit, then=then)
        # This concerns a victim only, not a shooter who is lost with his weapon.
        if not breakdown:
            self._note_shots_since(piece, shot)
        self.look_for_victory()

    def _note_shots_since(self, piece: str, shot: Shooting) -> None:
        """If the shot was judged again, its victim may have fired in the meantime, which players
        should check."""
        shots_since = self.state.fired_since(piece, shot.id)
        if not shots_since:
            return
        self.emit(
            events.FiredSince(
                piece=piece,
                shots=tuple(fired.id for fired in shots_since),
                targets=tuple(fired.target for fired in shots_since),
                turns=tuple(self.state.turn_of(fired.id) for fired in shots_since),
            )
        )

    def lose_aboard(self, riders: list[str], task: agenda.ToSink, then: Agenda) -> None:
        """Takes off the riders of a lost carrier, once the players have said who was inside."""
        credit = self.state.lost[task.carrier]
        for rider in riders:
            self._emit_loss(rider, credit, aboard=True, then=then)
        self.look_for_victory()

    def lose_with_riders(
        self, piece: str, *, credit: Credit | None, then: Agenda | None = None
    ) -> None:
        """A piece is lost with everybody aboard; ``credit``: the shot that caused it, None if none
        did; ``then``: the agenda after it, None if that does not change."""
        riders = self.state.riders_of(piece)
        self._emit_loss(piece, credit, then=then)
        for rider in riders:
            self._emit_loss(rider, credit, aboard=True)

    def _emit_loss(
        self,
        piece: str,
        credit: Credit | None,
        *,
        aboard: bool = False,
        then: Agenda | None = None,
    ) -> None:
        """States that a piece is lost, with what it was then worth toward the break point."""
        unit, worth = self.state.unit_of(piece), worth_of(self.state, piece)
        lost = events.Lost(
            piece=piece, unit=unit, worth=worth, credit=credit, aboard=aboard, then=then
        )
        self.emit(lost)


def _draws_before(source: Source) -> int:
    """How many draws came before the next one: cards since the shuffle, or rolls in all."""
    if source.kind == "die":
        return source.rolls
    return len(source.gone)


def suit_never_matters(rank: int) -> bool:
    """For ``Resolution.draw``, where the rank alone decides."""
    del rank
    return False


Steps: TypeAlias = Mapping[type, Callable[[Resolution, Any, Agenda], None]]
"""What each kind of task does: called with the task, which is the first of the agenda, and with the
tasks after it. (``Any``, as each function takes its own kind of task only.)"""
