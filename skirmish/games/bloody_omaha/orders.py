"""The orders of Bloody Omaha, decided into events.

An order does its first step in ``act``; what has to wait for a player or for other steps is a
``Task`` of its ``Run``. ``run.ask`` puts tasks before all others. Those of the kinds in ``steps``
go on by themselves as soon as they are the first; all others are questions, which ``Answer``
answers. ``run.do`` applies an event, and ``run.say`` records a sentence with what it changes.
Numbers such as 8.1.c are paragraphs of the playtest rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ClassVar

from msgspec.structs import replace

from skirmish.games.bloody_omaha import rolls, ruleset
from skirmish.games.bloody_omaha import state as bloody
from skirmish.games.bloody_omaha.rolls import Run, settle
from skirmish.games.bloody_omaha.state import BloodyState, value_of
from skirmish.tabletop.companion import events, hand, typed_lines
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.cup import UNKNOWN
from skirmish.tabletop.companion.events import Task
from skirmish.tabletop.companion.typed_lines import LinesOrder
from skirmish.tabletop.companion.typed_tables import CellTyped
from skirmish.tabletop.companion.unfolding import refuse_if
from skirmish.tabletop.refusal import nonsense, not_asked


class BloodyOrder(LinesOrder, frozen=True, kw_only=True):
    """Every order of the game but those of every table."""

    def run(self, state: BloodyState) -> Run:
        return Run(state, self.numbers)

    def steps(self) -> dict[str, Callable[[Run, Task], None]]:
        return {"entering": _enters, "rolling": _everybody_rolls, "draw": hand.draw}


def counter_in_play(state: BloodyState, id: str, *, ashore: bool = True) -> Counter:
    """A unit or a tank that is still in play; ``ashore``: a unit on land. Raises Refused."""
    counter = state.counters.counters.get(id)
    if counter is None or not counter.steps:
        raise nonsense("no_unit", "That is not in play.")
    refuse_if(ashore and counter not in state.ashore(), "at_sea", f"{counter.name} is not ashore.")
    return counter


# ------------------------------------------------------------------ what the owner types


class BloodyRecord(typed_lines.Record, frozen=True, kw_only=True, tag="record"):
    """Lines that an owner types in, or a whole ``file`` of them."""

    file: ruleset.OwnersFile | None = None

    def filed(self, state: BloodyState) -> Iterator[bloody.LinesTyped]:
        if self.file is None:
            return
        lines = {id: self.file.lines(id) for id in state.rules.lines if self.file.lines(id)}
        # The columns belong to the tables: with tables they are taken over, also if there are none.
        if self.file.tables is not None:
            lines["columns"] = self.file.lines("columns")
        yield bloody.LinesTyped(lines=lines, tables=self.file.tables)


# ------------------------------------------------------------------ answers to questions


def _cell_typed(run: Run, task: Task, text: str) -> None:
    """The cell that a roll waits for; then the roll goes on."""
    blank = rolls.outcome_of(run.state, task)
    run.take(CellTyped(table=task.table, roll=blank.roll or 0, column=blank.column, cell=text))
    settle(run, task)


def _token_named(run: Run, task: Task, text: str) -> None:
    """The owner has said which token lies on a square. If it is one that he has not typed in yet,
    it is remembered."""
    bag = task.table
    cup, lines = run.state.cups[bag], bloody.LINES_OF_BAG[bag]
    # The program asks only for an unknown token that it drew; an owner may have drawn a known one.
    program_draws = not cup.typed
    is_new = text not in cup.unseen or program_draws
    if UNKNOWN in cup.unseen and is_new:
        with_this_one = " ".join((*run.state.owned.lines(lines), text))
        run.do(run.state.typed_event(lines, with_this_one))
    unseen = dict.fromkeys(run.state.cups[bag].unseen)
    missing = f"No {bag} token {text[:20]} is left; still unseen: {', '.join(unseen)}."
    # If by our count the bag is empty, the owner's word counts.
    refuse_if(unseen and text not in unseen, "no_token", missing)
    run.turn_up(task.place, bag, text)


def _mines_faced(run: Run, task: Task, text: str) -> None:
    """A unit goes into a minefield or stays out (8.1.c). A number beside the mines keeps it out
    anyway."""
    id, square = task.units[0], task.place
    enters = text != "no"
    if enters:
        _roll_for_mines(run, id, square)
    else:
        refuse_if(run.state.rules.ruled("O10", "must"), "must", "The unit has to go in (O10).")
    survivor = run.state.counters[id]
    if not survivor.steps:
        return
    if run.state.numbers(square):
        # ``column`` marks that the mines are done; what remains is the number.
        run.ask(replace(task, kind="entering", column=ruleset.MINES))
    elif enters:
        run.move(survivor, square)


def _roll_for_mines(run: Run, id: str, square: str) -> None:
    """A unit has entered a mined square: a low roll disrupts it."""
    unit = run.state.counters[id]
    roll = run.roll()
    hit = roll <= run.state.rules.mined
    result = "unharmed"
    if hit:
        result = "hit"
    run.say(f"Mines on {square}, {unit.name}: roll {roll}, {result}.", result=result)
    if hit:
        run.disrupt(unit)


def _own_roll(run: Run, task: Task, text: str) -> None:
    """The player has rolled his own die for what waits."""
    settle(run, replace(task, kind="cell", roll=run.roll()))


def _removal_chosen(run: Run, task: Task, text: str) -> None:
    """Which tokens success with disruption removes, of several choices (O8)."""
    choices = {}
    for tokens in rolls.removal_choices(run.state, task):
        choices[" and ".join(tokens)] = tokens
    refuse_if(text not in choices, "no_token", f"Choose {' or '.join(choices)}.")
    rolls.finish_attack(run, task, choices[text])


ANSWERS: dict[str, Callable[[Run, Task, str], None]] = {
    "cell": _cell_typed,
    "fill": typed_lines.filled,
    "token": _token_named,
    "mines": _mines_faced,
    "roll": _own_roll,
    "card": hand.card_named,
    "keep": hand.card_put_back,
    "remove": _removal_chosen,
}
"""What an answer does, by the kind of question."""


class Answer(BloodyOrder, frozen=True, kw_only=True, tag="answer"):
    """The answer to any other question: a cell, a token, a card, ``yes`` or ``no``, a roll."""

    answers: ClassVar[tuple[str, ...]] = (*ANSWERS,)
    text: str = ""

    def act(self, run: Run) -> None:
        if not run.tasks:
            raise not_asked()
        task = run.tasks.pop(0)
        ANSWERS[task.kind](run, task, self.text)


# ------------------------------------------------------------------ the turn


class Proceed(BloodyOrder, frozen=True, kw_only=True, tag="proceed"):
    """What Space does: the whole phase, or its end. In the drift and landing phases every unit
    rolls; with own dice, or if one is named, one ``unit``."""

    unit: str = ""

    def act(self, run: Run) -> None:
        state = run.state
        refuse_if(state.phase_id == "event", "event", "Choose the square of the random event.")
        if state.phase_id in ("drift", "landing"):
            self._roll_units(run)
            return
        if state.phase_id == "setup":
            run.ask(*hand.draw_tasks(state, 3, back=1))  # three cards, of which one goes back (4.5)
        elif state.phase_id == "draw":
            for id in (bloody.INITIATIVE, bloody.ENGINEERS):
                run.renew(id, id + bloody.RATING, 1, "a new turn")
            run.ask(*hand.draw_tasks(state, 1))
        advance(run)

    def _roll_units(self, run: Run) -> None:
        """One unit, or everybody; the phase ends once nobody is left."""
        state = run.state
        waiting = [unit for unit in pending(state) if self.unit in ("", unit.id)]
        refuse_if(self.unit and not waiting, "no_roll", "That unit does not roll now.")
        one_by_one = bool(self.unit) or state.dice.typed
        if waiting and one_by_one:
            settle(run, roll_task(state, waiting[0], run.roll()))
        nobody_is_left = not waiting or not pending(run.state)
        if not one_by_one or nobody_is_left:
            # Rolls for all who are left, and ends the phase.
            run.tasks.append(Task(kind="rolling"))


def advance(run: Run) -> None:
    """On to the next phase, or to the end of the game."""
    if run.state.phase_id == "landing":
        run.do(events.MarkersCleared(flags=(bloody.LANDED,), silent=True))
    run.advance(_game_ended(run.state, "The last turn is over"))


def _game_ended(state: BloodyState, why: str) -> events.TableEnded:
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
    """What a unit rolls in this phase; 0: it has not rolled yet."""
    table = "disruption"
    if state.phase_id == "drift":
        table = "drift"
    return Task(kind="cell", table=table, units=(unit.id,), roll=roll)


def _everybody_rolls(run: Run, task: Task) -> None:
    """One of those who still have to roll; the next phase once nobody is left. The task is asked
    again after each roll, as a roll may raise a question that is answered first."""
    waiting = pending(run.state)
    if waiting:
        settle(run, roll_task(run.state, waiting[0], run.roll()))
        run.tasks.append(task)
        return
    if run.state.phase_id == "drift":
        run.do(bloody.WaveMoved())
    advance(run)


class PlayCard(BloodyOrder, frozen=True, kw_only=True, tag="play_card"):
    """A card of the hand with one of its options (9.2); what it says is done by hand."""

    card: str
    option: int = 0

    def act(self, run: Run) -> None:
        hand.card_played(run, self.card, self.option)


class RandomEvent(BloodyOrder, frozen=True, kw_only=True, tag="random_event"):
    """The random event of a turn (5.2). ``square`` is that of a unit, ``target`` one beside it with
    a German token; empty where none is beside it, as at sea."""

    phase: ClassVar[str] = "event"
    square: str
    target: str = ""

    def act(self, run: Run) -> None:
        state = run.state
        refuse_if(
            self.square not in state.exposed(), "not_exposed", "No unit there is near a token."
        )
        # Where no German token is beside the square, no target is named.
        targets = state.beside(self.square) or ("",)
        no_target = self.target not in targets
        refuse_if(no_target, "no_target", "Choose a square with German tokens beside it.")
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


# ------------------------------------------------------------------ activations


class Move(BloodyOrder, frozen=True, kw_only=True, tag="move"):
    """A unit goes to an adjacent square, where it may meet tokens (5.3.a, 8.1)."""

    phase: ClassVar[str] = "activation"
    unit: str
    to: str

    def act(self, run: Run) -> None:
        state, unit, to = run.state, counter_in_play(run.state, self.unit), self.to
        is_adjacent = to in state.near(unit.place)
        refuse_if(not is_adjacent, "not_adjacent", f"{to} is not adjacent to {unit.place}.")
        refuse_unknown(state, to)
        refuse_if(state.numbers(to), "held", state.why_not_entered(to))
        run.pay(bloody.INITIATIVE, f"{unit.name} moves to {to}")
        run.ask(Task(kind="entering", units=(unit.id,), place=to))


def _enters(run: Run, task: Task) -> None:
    """A unit enters a square: its tokens are turned up, and those without a number come first
    (8.2). Each is one step; the task is asked again until none is left."""
    state, square = run.state, task.place
    unit = state.counters[task.units[0]]
    # By their values: that of a token which lies face down is empty.
    tokens = {value_of(token): token for token in state.tokens(square)}
    face_down = tokens.get("")
    if face_down:
        run.ask(task)
        _turn_up(run, square, face_down)
    elif ruleset.SNIPER in tokens:
        _sniper_fires(run, square, tokens[ruleset.SNIPER])
        run.ask(task)
    elif ruleset.STUG in tokens:
        _stug_fires(run, unit, square, tokens[ruleset.STUG])
        run.ask(task)
    elif ruleset.EVENT in tokens and not task.count:
        stays = state.rules.ruled("O2", "stays")
        if not stays:
            run.take_off(square, tokens[ruleset.EVENT])
        # A token that stays happens once: the count marks it as done.
        run.ask(replace(task, count=int(stays)))
        _happens(run, Task(kind="cell", table=state.terrain(square), place=square))
    elif _mines_first(state, task):
        run.ask(replace(task, kind="mines"))
    elif state.numbers(square):
        # 8.1.a: a number, 0 included, disrupts the unit and keeps it out.
        counts_again = state.rules.ruled("O6", "eliminated")
        run.disrupt(unit, f" and stays on {unit.place}", hits_again=counts_again)
    elif ruleset.MINES in tokens:
        run.ask(replace(task, kind="mines"))
    else:
        run.move(unit, square)


def _sniper_fires(run: Run, square: str, token: str) -> None:
    """8.1.d: a point of initiative is lost, by ruling O5 of the rating, too."""
    run.take_off(square, token)
    run.move_track(bloody.INITIATIVE, -1, ruleset.SNIPER)
    if run.state.rules.ruled("O5", "rating"):
        run.move_track(bloody.INITIATIVE + bloody.RATING, -1, ruleset.SNIPER)


def _stug_fires(run: Run, unit: Counter, square: str, token: str) -> None:
    """8.1.e: a tank of the unit is lost; without one it is disrupted."""
    run.take_off(square, token)
    tanks = run.state.tanks(unit)
    if not tanks:
        run.disrupt(unit, hits_again=False)
        return
    lost = replace(tanks[0], steps=0, place="", group="")
    run.say(f"{lost.name} is lost.", lost, effect="lost", about=lost.name)


def _mines_first(state: BloodyState, task: Task) -> bool:
    """Whether mines are still to be resolved before a number that keeps the unit out (O33)."""
    if task.column == ruleset.MINES or not state.rules.ruled("O33", "before"):
        return False
    return bool(state.numbers(task.place)) and bool(state.mines(task.place))


def _happens(run: Run, task: Task) -> None:
    """The random event of a token (8.1.b, O1)."""
    if run.state.rules.ruled("O1", "draw"):
        run.ask(*hand.draw_tasks(run.state, 1, square=task.place))
    elif run.state.dice.typed:
        run.ask(replace(task, kind="roll"))
    else:
        settle(run, replace(task, roll=run.roll()))


def _turn_up(run: Run, square: str, bag: str) -> None:
    """Turn a token up, or ask the owner which one it is."""
    cup = run.state.cups[bag]
    program_draws = bool(cup.unseen) and not cup.typed
    if not program_draws or cup.peek() == UNKNOWN:
        run.ask(Task(kind="token", place=square, table=bag))
    else:
        run.turn_up(square, bag, cup.peek())


class Attack(BloodyOrder, frozen=True, kw_only=True, tag="attack"):
    """Units attack numbers that lie face up (8.4), from these ``squares``, each for 1 initiative;
    the units of the first one advance. ``penalty`` is taken off their strength (O7)."""

    phase: ClassVar[str] = "activation"
    target: str
    squares: tuple[str, ...]
    penalty: int = 0

    def task(self, state: BloodyState) -> Task:
        """The roll of the attack. Raises Refused."""
        refuse_if(not state.numbers(self.target), "no_target", f"No number lies on {self.target}.")
        twice = len({*self.squares}) < len(self.squares)
        refuse_if(
            twice or not self.squares,
            "squares",
            "Choose at least one square, and none of them twice.",
        )
        neighbours = state.near(self.target)
        occupied = {unit.place for unit in state.ashore()}
        for square in self.squares:
            out_of_reach = square not in neighbours or square not in occupied
            refuse_if(
                out_of_reach, "not_adjacent", f"{square} is not beside {self.target} with units."
            )
        blank = "Type in the columns of the attack table first."
        refuse_if(not state.owned.columns, "no_columns", blank)
        # A task has the same few fields for every roll: that of an attack keeps the penalty in its
        # count, and the squares from which it comes in its column.
        task = Task(
            kind="cell",
            table="attack",
            place=self.target,
            count=self.penalty,
            column=" ".join(self.squares),
        )
        forbidden = rolls.of_several_commands(state, task) and state.rules.ruled("O7", "forbid")
        refuse_if(forbidden, "mixed", "Units of several commands do not attack together (O7).")
        return task

    def act(self, run: Run) -> None:
        task = self.task(run.state)
        run.pay(bloody.INITIATIVE, "an attack", len(self.squares))
        settle(run, replace(task, roll=run.roll()))


class UseEngineers(BloodyOrder, frozen=True, kw_only=True, tag="engineers"):
    """An attempt at the obstacle of a beach, or at mines that lie face up (8.5)."""

    phase: ClassVar[str] = "activation"
    place: str
    assets: int = 1

    @property
    def task(self) -> Task:
        """The roll of the attempt, with the assets as its count."""
        return Task(kind="cell", table="engineers", place=self.place, count=self.assets)

    def act(self, run: Run) -> None:
        has_work = self.place in run.state.workplaces()
        refuse_if(not has_work, "nothing", "There is neither an obstacle nor a minefield.")
        run.pay(bloody.INITIATIVE, "engineers")
        run.pay(bloody.ENGINEERS, f"on {self.place}", max(self.assets, 1))
        settle(run, replace(self.task, roll=run.roll()))


class Rally(BloodyOrder, frozen=True, kw_only=True, tag="rally"):
    """A disrupted unit comes back to its full side (5.3.d)."""

    phase: ClassVar[str] = "activation"
    unit: str

    def act(self, run: Run) -> None:
        unit = counter_in_play(run.state, self.unit)
        refuse_if(not unit.has(bloody.DISRUPTED), "rallied", f"{unit.name} is not disrupted.")
        token_is_near = run.state.rules.ruled("O22", "apart") and run.state.beside(unit.place)
        refuse_if(token_is_near, "near", "A German token is adjacent (O22).")
        run.pay(bloody.INITIATIVE, "a rally")
        run.say(f"{unit.name} rallies.", unit.marked(bloody.DISRUPTED, on=False))


class Reinforce(BloodyOrder, frozen=True, kw_only=True, tag="reinforce"):
    """A unit leaves the Reinforcements box for one of the squares C19 to C27 (5.3.f)."""

    phase: ClassVar[str] = "activation"
    unit: str
    to: str

    def act(self, run: Run) -> None:
        rules, unit = run.state.rules, counter_in_play(run.state, self.unit, ashore=False)
        first_turn, row = rules.reinforced_from, rules.board.sea.rows[-1]
        refuse_if(run.state.position.turn < first_turn, "early", f"Not before turn {first_turn}.")
        not_possible = unit.place != ruleset.RESERVE or self.to not in row
        refuse_if(
            not_possible, "row", f"A unit goes from the reserve to one of {row[0]} to {row[-1]}."
        )
        run.pay(bloody.INITIATIVE, "a reinforcement")
        run.move(unit, self.to)


class ShiftTank(BloodyOrder, frozen=True, kw_only=True, tag="shift_tank"):
    """A tank changes to another unit, for a point of initiative (8.3). One that is not on the map
    lands on a beach with a gap, for nothing: a card or an event says when."""

    tank: str
    to: str

    def act(self, run: Run) -> None:
        state, tank = run.state, counter_in_play(run.state, self.tank, ashore=False)
        refuse_if(tank.kind != bloody.TANK, "no_tank", "That is no tank.")
        unit = None
        # ``to`` is a unit, or the beach where a tank lands.
        shifted = replace(tank, place=self.to, group="")
        text = f"to {self.to}"
        if self.to in state.counters.counters:
            unit = counter_in_play(state, self.to)
            shifted = replace(tank, place=unit.place, group=unit.id)
            text = f"to {unit.name} on {unit.place}"
        if tank.place:
            path = self._path_to(unit, tank, state)
            run.pay(bloody.INITIATIVE, "a tank")
            if len(path) > 1:
                text += f" by {', '.join(path)}"
        else:
            has_gap = state.has_gap(shifted.place)
            refuse_if(not has_gap, "no_gap", "A tank lands on a beach with a gap.")
        run.say(f"{tank.name}: {text}.", shifted)

    def _path_to(self, unit: Counter | None, tank: Counter, state: BloodyState) -> tuple[str, ...]:
        """The way of a tank on the map to another unit. Raises Refused."""
        refuse_if(state.phase_id != "activation", "phase", "That belongs to the activation phase.")
        if unit is None or unit.id == tank.group:
            raise nonsense("no_unit", "Choose another unit.")
        path = state.path(tank.place, unit.place)
        refuse_if(not path, "no_path", state.why_no_path(tank.place, unit.place))
        return path


class FixSquare(BloodyOrder, frozen=True, kw_only=True, tag="fix_square"):
    """By hand, as a card or an event says: the ``gap`` of a beach, on or off; a token turned up
    (``strongpoint``), or removed (``encounter 5``)."""

    square: str
    change: str

    def act(self, run: Run) -> None:
        square, state = self.square, run.state
        if self.change == bloody.GAP and square in state.rules.board.beaches:
            if state.has_gap(square):
                run.say(f"{square} has its obstacle again.", ground={square: ()})
            else:
                run.say(f"{square} has a gap.", ground={square: (bloody.GAP,)})
            return
        missing = f"There is no {self.change[:30]} on {square}."
        refuse_if(self.change not in state.tokens(square), "none", missing)
        if value_of(self.change):
            run.take_off(square, self.change)
        else:
            _turn_up(run, square, self.change)
