"""The orders of the turn, and ``BloodyOrder``, the base of all orders. Those of the activation
phase are in ``activations``, the answers to questions in ``answers``.

An order does its first step in ``act``; what has to wait for a player or for other steps is a
``Task`` of its ``Run``. ``run.ask`` puts tasks before all others. Those of the kinds in ``steps``
go on by themselves as soon as they are the first; all others are questions, which ``Answer``
answers. ``run.do`` applies an event, ``run.take`` one that the owner has typed in, if it fits, and
``run.say`` records a sentence with what it changes.
Numbers such as 8.1.c are paragraphs of the playtest rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ClassVar

from skirmish.games.bloody_omaha import state as bloody
from skirmish.games.bloody_omaha.entering import enter_square, turn_up_or_ask
from skirmish.games.bloody_omaha.owned import OwnersFile
from skirmish.games.bloody_omaha.rolls import settle
from skirmish.games.bloody_omaha.run import Run
from skirmish.games.bloody_omaha.state import BloodyState, value_of
from skirmish.tabletop.companion import counter_events, events, hand, lines_orders
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.lines_orders import LinesOrder
from skirmish.tabletop.companion.table_state import Task
from skirmish.tabletop.companion.unfolding import refuse_if
from skirmish.tabletop.refusal import nonsense


class BloodyOrder(LinesOrder, frozen=True, kw_only=True):
    """An order of this game. (Orders such as a note, which every companion has, are not.)"""

    def run(self, state: BloodyState) -> Run:
        return Run(state, self.numbers)

    def steps(self) -> dict[str, Callable[[Run, Task], None]]:
        return {"entering": enter_square, "rolling": _roll_next_unit, "draw": hand.draw}


def counter_in_play(state: BloodyState, id: str, *, ashore: bool = True) -> Counter:
    """A unit or a tank that is in play; with ``ashore`` it has to be a unit on land. Raises
    Refused."""
    counter = state.counters.counters.get(id)
    if counter is None or not counter.steps:
        raise nonsense("no_unit", "That is not in play.")
    refuse_if(ashore and counter not in state.ashore(), "at_sea", f"{counter.name} is not ashore.")
    return counter


class BloodyRecord(lines_orders.Record, frozen=True, kw_only=True, tag="record"):
    """Lines that an owner types in, or a whole ``file`` of them."""

    file: OwnersFile | None = None

    def file_events(self, state: BloodyState) -> Iterator[bloody.LinesTyped]:
        if self.file is None:
            return
        lines = {id: self.file.lines(id) for id in state.rules.lines if self.file.lines(id)}
        # The columns belong to the tables: with tables they are taken over, even if there are none.
        if self.file.tables is not None:
            lines["columns"] = self.file.lines("columns")
        yield bloody.LinesTyped(lines=lines, tables=self.file.tables)


# ------------------------------------------------------------------ the turn


class Proceed(BloodyOrder, frozen=True, kw_only=True, tag="proceed"):
    """What Space does: it carries the phase out and ends it. In the drift and landing phases every
    unit rolls."""

    unit: str = ""
    """In these two phases, the only unit that rolls now; empty: the next one with own dice, else
    all."""

    def act(self, run: Run) -> None:
        state = run.state
        refuse_if(state.phase_id == "event", "event", "Choose the square of the random event.")
        if state.phase_id in ("drift", "landing"):
            self._roll_units(run)
            return
        if state.phase_id == "setup":
            # Three cards are drawn, of which one goes back (4.5).
            run.ask(*hand.draw_tasks(state, 3, back=1))
        elif state.phase_id == "draw":
            # The ratings rise by 1, and the points return to them (7.3, 7.4).
            for id in (bloody.INITIATIVE, bloody.ENGINEERS):
                run.renew(id, id + bloody.RATING, 1, "a new turn")
            run.ask(*hand.draw_tasks(state, 1))
        advance(run)

    def _roll_units(self, run: Run) -> None:
        """One unit rolls, or all; the phase ends once nobody is left."""
        state = run.state
        waiting = [unit for unit in pending(state) if self.unit in ("", unit.id)]
        refuse_if(self.unit and not waiting, "no_roll", "That unit does not roll now.")
        one_by_one = bool(self.unit) or state.dice.typed
        if waiting and one_by_one:
            settle(run, roll_task(state, waiting[0], run.roll()))
            if pending(run.state):
                # Others have still to roll, and the phase goes on.
                return
        # Rolls for all who are left, if anybody is, and ends the phase.
        run.tasks.append(Task(kind="rolling"))


class PlayCard(BloodyOrder, frozen=True, kw_only=True, tag="play_card"):
    """A card of the hand with one of its options (9.2); what it says is done by hand."""

    card: str
    option: int = 0
    """The index of the option; it counts only if the owner has typed in what the card says."""

    def act(self, run: Run) -> None:
        hand.card_played(run, self.card, self.option)


class RandomEvent(BloodyOrder, frozen=True, kw_only=True, tag="random_event"):
    """The random event of a turn (5.2)."""

    phase: ClassVar[str] = "event"
    square: str
    """The square of a unit."""
    target: str = ""
    """A square beside it with a German token; empty where there is none, as at sea."""

    def act(self, run: Run) -> None:
        state = run.state
        refuse_if(
            self.square not in state.exposed(), "not_exposed", "No unit there is near a token."
        )
        # Where no German token is beside the square, no target is named.
        targets = state.uncleared_beside(self.square) or ("",)
        is_no_target = self.target not in targets
        refuse_if(is_no_target, "no_target", "Choose a square with German tokens beside it.")
        refuse_unknown(state, self.square)
        event = Task(
            kind="cell",
            table=state.terrain(self.square),
            place=self.square,
            column=self.target,  # for what the event does to its token
            roll=run.roll(),
        )
        settle(run, event)
        advance(run)


def refuse_unknown(state: BloodyState, square: str) -> None:
    """Raises Refused if nobody has typed in what the square is."""
    refuse_if(not state.terrain(square), "unknown", f"Type in first what square {square} is.")


class EndGame(BloodyOrder, frozen=True, kw_only=True, tag="end_game"):
    """The players stop before the last turn is over."""

    def act(self, run: Run) -> None:
        run.do(_game_ended(run.state, "The game is over"))


class FixSquare(BloodyOrder, frozen=True, kw_only=True, tag="fix_square"):
    """A square is changed by hand, as a card or an event says."""

    square: str
    change: str
    """``gap``: a beach gets a gap, or its obstacle again; ``strongpoint``: a token that lies face
    down is turned up; ``encounter 5``: one that lies face up is removed."""

    def act(self, run: Run) -> None:
        square, state = self.square, run.state
        if self.change == bloody.GAP and square in state.rules.board.beaches:
            if state.has_gap(square):
                run.say(f"{square} has its obstacle again.", ground={square: ()})
            else:
                run.say(f"{square} has a gap.", ground={square: (bloody.GAP,)})
            return
        # An order that was not made by our commands may hold a text of any length.
        missing = f"There is no {self.change[:30]} on {square}."
        refuse_if(self.change not in state.tokens(square), "none", missing)
        if value_of(self.change):
            run.take_off(square, self.change)
        else:
            turn_up_or_ask(run, square, self.change)


# ------------------------------------------------------------------ rolls in a phase, and its end


def advance(run: Run) -> None:
    """Begins the next phase, or ends the game after the last one."""
    if run.state.phase_id == "landing":
        run.do(counter_events.MarkersCleared(flags=(bloody.LANDED,), silent=True))
    run.advance(_game_ended(run.state, "The last turn is over"))


def _game_ended(state: BloodyState, why: str) -> events.TableEnded:
    """The event of the end of the game, with its points and its result."""
    score = state.score()
    text = f"{why}: {score.summed()}. Points {score.listed()}."
    return events.TableEnded(text=text, result=score.tier)


def pending(state: BloodyState) -> tuple[Counter, ...]:
    """The units that roll in this phase and have not yet."""
    if state.phase_id == "drift":
        return tuple(unit for unit in state.at_sea() if not unit.has(bloody.DRIFTED))
    if state.phase_id == "landing":
        return tuple(unit for unit in state.ashore() if unit.has(bloody.LANDING))
    return ()


def roll_task(state: BloodyState, unit: Counter, roll: int = 0) -> Task:
    """The roll of a unit in this phase, for drift or for its landing. ``roll`` is 0 until it has
    rolled."""
    table = "disruption"
    if state.phase_id == "drift":
        table = "drift"
    return Task(kind="cell", table=table, units=(unit.id,), roll=roll)


def _roll_next_unit(run: Run, task: Task) -> None:
    """The next unit rolls; once nobody is left, the next phase begins. ``task`` comes back after
    each roll, since a roll may raise a question that is answered first."""
    waiting = pending(run.state)
    if waiting:
        settle(run, roll_task(run.state, waiting[0], run.roll()))
        run.tasks.append(task)
        return
    if run.state.phase_id == "drift":
        run.do(bloody.WaveMoved())
    advance(run)
