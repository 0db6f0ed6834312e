"""A unit enters a square: what the German tokens there do to it (8.1, 8.2).

Each token is one step of an order. The square is entered once no token is left that acts.
"""

from __future__ import annotations

from msgspec.structs import replace

from skirmish.games.bloody_omaha import ruleset
from skirmish.games.bloody_omaha import state as bloody
from skirmish.games.bloody_omaha.rolls import settle
from skirmish.games.bloody_omaha.run import Run
from skirmish.games.bloody_omaha.state import BloodyState, value_of
from skirmish.tabletop.companion import hand
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.cup import UNKNOWN
from skirmish.tabletop.companion.table_state import Task

EVENT_IS_DONE = 1
"""The ``count`` of the task of a unit that enters a square whose event has happened, though its
token stays (O2)."""
MINES_ARE_DONE = ruleset.MINES
"""The ``column`` of the task of a unit that enters a square whose mines are resolved; what is left
there is a number."""


def enter_square(run: Run, task: Task) -> None:
    """The next step of a unit that enters a square (8.2): its tokens are turned up, then those
    without a number are resolved, then those with one. Mines alone come after a number, which keeps
    the unit away from them, unless a ruling has them first (O33). ``task`` is asked again until
    none is left."""
    state, square = run.state, task.place
    unit = state.counters[task.units[0]]
    # Tokens by their values. Of several with the same value one is here, and the others when
    # ``task`` is asked again.
    tokens = {value_of(token): token for token in state.tokens(square)}
    # Face down a token has no value: it is written as the bag from which its value is drawn.
    bag_of_face_down = tokens.get("")
    if bag_of_face_down:
        # A task that is asked later comes first: the question which token it is, if there is one,
        # has to come before this task.
        run.ask(task)
        turn_up_or_ask(run, square, bag_of_face_down)
    elif ruleset.SNIPER in tokens:
        _sniper_fires(run, square, tokens[ruleset.SNIPER])
        run.ask(task)
    elif ruleset.STUG in tokens:
        _stug_fires(run, unit, square, tokens[ruleset.STUG])
        run.ask(task)
    elif ruleset.EVENT in tokens and task.count != EVENT_IS_DONE:
        _event_happens(run, task, tokens[ruleset.EVENT])
    elif _mines_first(state, task):
        run.ask(replace(task, kind="mines"))
    elif state.numbered_tokens(square):
        # 8.1.a: a number, 0 included, disrupts the unit and keeps it out.
        hits_again = state.rules.ruled("O6", "eliminated")
        run.disrupt(unit, f" and stays on {unit.place}", hits_again=hits_again)
    elif ruleset.MINES in tokens:
        run.ask(replace(task, kind="mines"))
    else:
        run.move(unit, square)


def _sniper_fires(run: Run, square: str, token: str) -> None:
    """A sniper costs a point of initiative (8.1.d), by ruling O5 also one of the rating."""
    run.take_off(square, token)
    run.move_track(bloody.INITIATIVE, -1, ruleset.SNIPER)
    if run.state.rules.ruled("O5", "rating"):
        run.move_track(bloody.INITIATIVE + bloody.RATING, -1, ruleset.SNIPER)


def _stug_fires(run: Run, unit: Counter, square: str, token: str) -> None:
    """A StuG costs the unit a tank; a unit without tanks is disrupted, if it is not disrupted
    already (8.1.e)."""
    run.take_off(square, token)
    tanks = run.state.tanks(unit)
    if not tanks:
        run.disrupt(unit, hits_again=False)
        return
    run.lose_tank(tanks[0])


def _mines_first(state: BloodyState, task: Task) -> bool:
    """Whether mines are still to be resolved before a number that keeps the unit out (O33)."""
    mines_are_done = task.column == MINES_ARE_DONE
    if mines_are_done or not state.rules.ruled("O33", "before"):
        return False
    return bool(state.numbered_tokens(task.place)) and bool(state.mines(task.place))


def _event_happens(run: Run, task: Task, token: str) -> None:
    """The random event of a token (8.1.b): a card, or a roll on the table of the square (O1)."""
    state, square = run.state, task.place
    stays = state.rules.ruled("O2", "stays")
    if stays:
        run.ask(replace(task, count=EVENT_IS_DONE))
    else:
        run.take_off(square, token)
        run.ask(task)
    event = Task(kind="cell", table=state.terrain(square), place=square)
    if state.rules.ruled("O1", "draw"):
        run.ask(*hand.draw_tasks(run.state, count=1, square=square))
    elif state.dice.typed:
        run.ask(replace(event, kind="roll"))
    else:
        settle(run, replace(event, roll=run.roll()))


def turn_up_or_ask(run: Run, square: str, bag: str) -> None:
    """Turns up a token of a ``bag`` that lies face down, or asks the owner which one it is."""
    cup = run.state.cups[bag]
    # Only the owner knows it if he draws himself, if no token that he has typed in is left, or if
    # one is drawn that he has not typed in.
    if cup.typed or not cup.unseen or cup.peek() == UNKNOWN:
        run.ask(Task(kind="token", place=square, table=bag))
    else:
        run.turn_up(square, bag, cup.peek())


def roll_for_mines(run: Run, id: str, square: str) -> None:
    """A unit has entered a mined square: a low roll disrupts it (8.1.c)."""
    unit = run.state.counters[id]
    roll = run.roll()
    hit = roll <= run.state.rules.mined
    result = "unharmed"
    if hit:
        result = "hit"
    run.say(f"Mines on {square}, {unit.name}: roll {roll}, {result}.", result=result)
    if hit:
        run.disrupt(unit)
