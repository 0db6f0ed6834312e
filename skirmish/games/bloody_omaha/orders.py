"""The orders of Bloody Omaha, decided into events. A roll on a table whose cell is not typed in yet
waits until its owner types the cell."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from msgspec.structs import replace

from skirmish.games.bloody_omaha import state as happened
from skirmish.games.bloody_omaha.printed import (
    EVENT,
    ITEMS,
    MINES,
    SNIPER,
    STUG,
    OwnersFile,
)
from skirmish.games.bloody_omaha.rolls import (
    Run,
    mines_on,
    refuse,
    result_of,
    settle,
    weighed,
)
from skirmish.games.bloody_omaha.ruleset import RESERVE
from skirmish.games.bloody_omaha.state import (
    DECK,
    DISRUPTED,
    DRIFTED,
    ENGINEERS,
    GAP,
    INITIATIVE,
    LANDING,
    RATING,
    TANK,
    UNKNOWN,
    AnyEvent,
    BloodyState,
    Happened,
    LinesTyped,
    value_of,
)
from skirmish.tabletop.companion import events
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.events import Task
from skirmish.tabletop.companion.table_game import AgendaOrder
from skirmish.tabletop.companion.typed_tables import CellTyped, ValuesTyped
from skirmish.tabletop.refusal import nonsense


class BloodyOrder(AgendaOrder, frozen=True, kw_only=True):
    """``typed``: ids of things and what was typed about them on the way; ``numbers``: the owner's
    own rolls."""

    phase: ClassVar[str] = ""
    """The one phase in which it is possible."""

    typed: tuple[tuple[str, str], ...] = ()
    numbers: tuple[int, ...] = ()

    def carry_out(self, state: BloodyState) -> list[AnyEvent]:
        refuse(self.phase and state.now != self.phase, "phase", "That belongs to another phase.")
        refuse(self.answers and not state.agenda, "not_asked", "Nothing of that kind is asked.")
        run = Run(state, self.numbers)
        for item, text in self.typed:
            run.do(lines_of(run.state, item, text))
        self.act(run)
        while run.tasks and run.tasks[0].kind in STEPS:
            task = run.tasks.pop(0)
            STEPS[task.kind](run, task)
        return run.finished()

    def act(self, run: Run) -> None:
        raise NotImplementedError


def lines_of(state: BloodyState, item: str, text: str) -> LinesTyped:
    """Raises Refused."""
    refuse(item not in ITEMS, "no_item", f"There is nothing called {item!r}.")
    try:
        lines = ITEMS[item].read(state.rules, state.owned, text)
    except ValueError as error:
        raise nonsense("unfit", str(error)) from None
    return LinesTyped(lines={item: lines})


def unit_of(state: BloodyState, id: str, *, ashore: bool = True) -> Counter:
    """Raises Refused."""
    one = state.counters.counters.get(id)
    if one is None or not one.steps:
        raise nonsense("no_unit", "That is not in play.")
    refuse(ashore and one not in state.ashore(), "at_sea", f"{one.name} is not ashore.")
    return one


# ------------------------------------------------------------------ what the owner types


class Record(BloodyOrder, frozen=True, kw_only=True, tag="record"):
    """A cell of a table, or everything of a file."""

    cell: CellTyped | ValuesTyped | None = None
    file: OwnersFile | None = None

    def act(self, run: Run) -> None:
        if self.cell is not None:
            refuse(self.cell.why_not(run.state), "unfit", self.cell.why_not(run.state))
            run.do(self.cell)
        if self.file is not None:
            lines = {id: self.file.lines(id) for id in ITEMS if self.file.lines(id)}
            run.do(*([LinesTyped(lines=lines)] if lines else []))
            if self.file.tables is not None:
                run.do(happened.TablesRead(tables=self.file.tables))


class TypeIn(BloodyOrder, frozen=True, kw_only=True, tag="type_in"):
    """The answer to one thing of the guided list: what was ``typed``, with nothing typed a table
    cell by cell; or ``later``, which may be ``all`` that is still to come."""

    answers: ClassVar[tuple[str, ...]] = ("enter",)
    later: str = ""

    def act(self, run: Run) -> None:
        task = run.tasks[0]
        if self.later == "all":
            run.tasks = [one for one in run.tasks if one.kind != "enter"]
        elif self.later or not (item := ITEMS.get(task.place)):
            run.tasks.pop(0)
            cells = run.state.tables.missing(task.place) if not self.later else ()
            run.ask(*(Task(kind="fill", table=task.place, roll=roll, column=column)
                      for roll, column in cells))  # fmt: skip
        elif len(run.state.owned.lines(item.id)) >= item.whole(run.state.rules):
            run.tasks.pop(0)


class Answer(BloodyOrder, frozen=True, kw_only=True, tag="answer"):
    """The answer to any other question: a cell, a token, a card, ``yes`` or ``no``, a roll."""

    text: str = ""

    answers: ClassVar[tuple[str, ...]] = ("cell", "fill", "token", "card", "keep", "mines", "roll")

    def act(self, run: Run) -> None:
        task = run.tasks.pop(0)
        ANSWERS[task.kind](run, task, self.text)


def _cell(run: Run, task: Task, text: str) -> None:
    roll, column = task.roll, task.column
    if task.kind == "cell":
        found = weighed(run.state, task)
        roll, column = found.roll or 0, found.column
    typed = CellTyped(table=task.table, roll=roll, column=column, cell=text)
    refuse(typed.why_not(run.state), "unfit", typed.why_not(run.state))
    run.do(typed)
    if task.kind == "cell":
        settle(run, task)


def _token(run: Run, task: Task, text: str) -> None:
    """A value that is not known yet is remembered."""
    cup, bag, item = run.state.cups[task.table], task.table, f"{task.table}s"
    if UNKNOWN in cup.unseen and (text not in cup.unseen or not cup.typed):
        run.do(lines_of(run.state, item, " ".join((*run.state.owned.lines(item), text))))
    unseen = run.state.cups[bag].unseen
    known = text in unseen or not unseen
    left = ", ".join(dict.fromkeys(unseen))
    refuse(not known, "no_token", f"No {bag} token {text[:20]} is left; still unseen: {left}.")
    run.turned_up(task.place, bag, text)


def _card(run: Run, task: Task, text: str) -> None:
    cup, name = run.state.cups[DECK], text.partition("|")[0].strip()
    if name not in cup.unseen:
        again = name in run.state.owned.card or UNKNOWN not in cup.unseen
        refuse(again, "no_card", f"{name[:40]} is not in the deck.")
        run.do(lines_of(run.state, DECK, text))
    hold(run, name)


def _keep(run: Run, task: Task, text: str) -> None:
    cup = run.state.cups[DECK]
    refuse(text not in cup.aside, "no_card", "That card is not in your hand.")
    run.do(Happened(text=f"The card {text} goes back into the deck.", deck=cup.release(text)))


def _mines(run: Run, task: Task, text: str) -> None:
    refuse(text == "no" and run.state.rules.ruled("O10", "must"), "must", "It has to (O10).")
    if text != "no":
        through_mines(run, task)


def _roll(run: Run, task: Task, text: str) -> None:
    settle(run, replace(task, kind="cell", roll=run.roll()))


ANSWERS: dict[str, Callable[[Run, Task, str], None]] = {
    "cell": _cell, "fill": _cell, "token": _token, "card": _card, "keep": _keep, "mines": _mines,
    "roll": _roll,
}  # fmt: skip


# ------------------------------------------------------------------ the turn


class Proceed(BloodyOrder, frozen=True, kw_only=True, tag="proceed"):
    """What Space does: the whole phase, or its end. In the drift and landing phases every unit
    rolls; with own dice, or if one is named, one ``unit``."""

    unit: str = ""

    def act(self, run: Run) -> None:
        state, turn = run.state, "a new turn"
        refuse(state.now == "event", "event", "Choose the square of the random event.")
        if state.now in ("drift", "landing"):
            waiting = pending(state)
            one = next((one for one in waiting if self.unit in ("", one.id)), None)
            refuse(self.unit and one is None, "no_roll", "That unit does not roll now.")
            if one is not None and (self.unit or state.dice.typed):
                settle(run, roll_task(state, one, run.roll()))
                if pending(run.state):
                    return
            run.tasks.append(Task(kind="rolling"))
            return
        if state.now == "setup":
            run.ask(*deal(state, 3, Task(kind="keep")))
        elif state.now == "draw":
            for id in (INITIATIVE, ENGINEERS):
                run.track(id + RATING, 1, turn)
                rating, left = run.state.tracks[id + RATING].value, run.state.tracks[id].value
                run.track(id, rating - left, turn)
            run.ask(*deal(state, 1))
        run.advance()


def pending(state: BloodyState) -> tuple[Counter, ...]:
    """The units that roll in this phase and have not yet."""
    if state.now == "drift":
        return tuple(one for one in state.at_sea() if not one.has(DRIFTED))
    return tuple(one for one in state.ashore() if one.has(LANDING) and state.now == "landing")


def roll_task(state: BloodyState, unit: Counter, roll: int = 0) -> Task:
    table = "drift" if state.now == "drift" else "disruption"
    return Task(kind="cell", table=table, units=(unit.id,), roll=roll)


def _everybody(run: Run, task: Task) -> None:
    """Everybody who still has to roll, then on to the next phase."""
    if waiting := pending(run.state):
        settle(run, roll_task(run.state, waiting[0], run.roll()))
        run.tasks.append(task)
        return
    if run.state.now == "drift":
        run.do(happened.WaveMoved())
    run.advance()


def deal(state: BloodyState, count: int, *after: Task) -> tuple[Task, ...]:
    """Cards to be drawn, if any card of the deck is known."""
    return (*[Task(kind="deal")] * count, *after) if state.owned.cards else ()


def _deal(run: Run, task: Task) -> None:
    """The next card, or the question which one it is."""
    cup = run.state.cups[DECK]
    if not cup.unseen and cup.drawn:
        run.do(events.CupRefilled(cup=DECK))
        cup = run.state.cups[DECK]
    if not cup.unseen:
        run.say("No card is left to draw.")
    elif cup.typed or cup.peek() == UNKNOWN:
        run.ask(Task(kind="card"))
    else:
        hold(run, cup.peek())


def hold(run: Run, card: str) -> None:
    """Draw a card into the hand."""
    typed = run.state.cups[DECK].typed
    run.do(events.Drawn(cup=DECK, chit=card, own=typed, silent=True))
    cup = run.state.cups[DECK].remove(card)
    held = replace(cup, aside=(*cup.aside, card))
    run.do(Happened(text=f"Drawn: the card {card}.", deck=held))


class PlayCard(BloodyOrder, frozen=True, kw_only=True, tag="play_card"):
    """``option``: its number; its text is carried out by hand."""

    card: str
    option: int = 0

    def act(self, run: Run) -> None:
        cup, options = run.state.cups[DECK], run.state.owned.card.get(self.card, ())
        refuse(self.card not in cup.aside, "no_card", "That card is not in your hand.")
        refuse(
            options and not 0 <= self.option < len(options), "no_option", "It has fewer options."
        )
        late = options[self.option].why_not(run.state.position.turn) if options else ""
        refuse(late, "window", late)
        text = options[self.option].text if options else "as printed"
        aside = tuple(one for one in cup.aside if one != self.card)
        played = replace(cup, aside=aside, drawn=(*cup.drawn, self.card))
        run.do(Happened(text=f"The card {self.card} is played: {text}.", deck=played))


class RandomEvent(BloodyOrder, frozen=True, kw_only=True, tag="random_event"):
    """``square``: of a unit; ``target``: beside it with a German token, empty at sea."""

    phase: ClassVar[str] = "event"
    square: str
    target: str = ""

    def act(self, run: Run) -> None:
        state = run.state
        refuse(self.square not in state.exposed(), "not_exposed", "No unit there is near a token.")
        wrong = self.target not in (state.beside(self.square) or ("",))
        refuse(wrong, "no_target", "Choose a square with German tokens beside it.")
        table, task = state.terrain(self.square), Task(kind="cell", place=self.square)
        settle(run, replace(task, table=table, column=self.target, roll=run.roll()))
        run.advance()


class EndGame(BloodyOrder, frozen=True, kw_only=True, tag="end_game"):
    def act(self, run: Run) -> None:
        run.do(events.TableEnded(text=f"The game is over: {result_of(run.state)}."))


# ------------------------------------------------------------------ activations


class Move(BloodyOrder, frozen=True, kw_only=True, tag="move"):
    phase: ClassVar[str] = "activation"
    unit: str
    to: str

    def act(self, run: Run) -> None:
        state, unit, to = run.state, unit_of(run.state, self.unit), self.to
        far = f"{to} is not adjacent to {unit.place}."
        refuse(to not in state.near(unit.place), "not_adjacent", far)
        unknown = to.isdigit() and state.square(to) is None
        refuse(unknown, "unknown", f"Type in first what square {to} is.")
        refuse(state.numbers(to), "held", f"The tokens on {to} have to be attacked.")
        run.pay(f"{unit.name} moves")
        run.ask(Task(kind="entering", units=(unit.id,), place=to))


def _enters(run: Run, task: Task) -> None:
    """A unit enters a square: its tokens are turned up, and those without a number come first."""
    state, to = run.state, task.place
    unit = state.counters[task.units[0]]
    tokens = {value_of(one): one for one in state.tokens(to)}
    if "" in tokens:
        run.ask(task)
        reveal(run, to, tokens[""])
    elif SNIPER in tokens:
        run.take_off(to, tokens[SNIPER])
        run.track(INITIATIVE, -1, SNIPER)
        run.track(INITIATIVE + RATING, -int(state.rules.ruled("O5", "rating")), SNIPER)
        run.ask(task)
    elif STUG in tokens:
        run.take_off(to, tokens[STUG])
        if tanks := state.tanks(unit):
            run.say(f"{tanks[0].name} is lost.", replace(tanks[0], steps=0, place="", group=""))
        else:
            run.disrupt(unit, "", again=False)
        run.ask(task)
    elif EVENT in tokens and not task.count:
        if state.rules.ruled("O2", "removed"):
            run.take_off(to, tokens[EVENT])
        run.ask(*event_in(state, to), replace(task, count=1))
    elif state.numbers(to):
        run.disrupt(unit, " and stays out", again=state.rules.ruled("O6", "eliminated"))
    elif MINES in tokens and (state.dice.typed or state.rules.ruled("O10", "may")):
        run.ask(replace(task, kind="mines"))
    elif MINES in tokens:
        through_mines(run, task)
    else:
        run.move(unit, to)


def event_in(state: BloodyState, square: str) -> tuple[Task, ...]:
    """What follows a random event token."""
    if state.rules.ruled("O1", "draw"):
        return deal(state, 1)
    roll = Task(kind="roll", table=state.terrain(square), place=square)
    return (roll if state.dice.typed else replace(roll, kind="event"),)


def through_mines(run: Run, task: Task) -> None:
    roll, unit = run.roll(), run.state.counters[task.units[0]]
    hit = roll <= run.state.rules.mined
    text = f"Mines on {task.place}, {unit.name}: roll {roll}"
    run.do(
        Happened(text=f"{text}, {'hit' if hit else 'unharmed'}.", result="hit" * hit or "unharmed")
    )
    if hit:
        run.disrupt(unit, "")
    if run.state.counters[unit.id].steps:
        run.move(run.state.counters[unit.id], task.place)


def reveal(run: Run, square: str, bag: str) -> None:
    """Turn up a token, or ask the owner which one it is."""
    cup = run.state.cups[bag]
    if not cup.unseen or cup.typed or cup.peek() == UNKNOWN:
        run.ask(Task(kind="token", place=square, table=bag))
    else:
        run.turned_up(square, bag, cup.peek())


class Attack(BloodyOrder, frozen=True, kw_only=True, tag="attack"):
    """From these ``squares``; the units of the first one advance. ``penalty``: ruling O7."""

    phase: ClassVar[str] = "activation"
    target: str
    squares: tuple[str, ...]
    penalty: int = 0

    def task(self, state: BloodyState) -> Task:
        """Raises Refused."""
        ashore = {one.place for one in state.ashore()}
        refuse(not state.numbers(self.target), "no_target", f"No number lies on {self.target}.")
        refuse(len({*self.squares}) < max(len(self.squares), 1), "squares", "Choose squares, once.")
        for one in self.squares:
            far = one not in state.near(self.target) or one not in ashore
            refuse(far, "not_adjacent", f"{one} is not beside {self.target} with units.")
        forbidden = mixed_in(state, self.squares) and state.rules.ruled("O7", "forbid")
        refuse(forbidden, "mixed", "Units of several commands do not attack together (O7).")
        refuse(not state.owned.by, "no_columns", "Type in the columns of the attack table first.")
        return Task(kind="cell", table="attack", place=self.target, count=self.penalty,
                    column=" ".join(self.squares))  # fmt: skip

    def act(self, run: Run) -> None:
        task = self.task(run.state)
        run.pay("an attack", len(self.squares))
        settle(run, replace(task, roll=run.roll()))


def mixed_in(state: BloodyState, squares: Sequence[str]) -> bool:
    return len({one.group for square in squares for one in state.units(square)}) > 1


class UseEngineers(BloodyOrder, frozen=True, kw_only=True, tag="engineers"):
    """An attempt at the obstacle of a beach, or at mines that lie face up."""

    phase: ClassVar[str] = "activation"
    place: str
    assets: int = 1

    @property
    def task(self) -> Task:
        return Task(kind="cell", table="engineers", place=self.place, count=self.assets)

    def act(self, run: Run) -> None:
        here = self.place in workplaces(run.state)
        refuse(not here, "nothing", "There is neither an obstacle nor a minefield.")
        run.pay("engineers")
        run.pay(self.place, max(self.assets, 1), ENGINEERS)
        settle(run, replace(self.task, roll=run.roll()))


def workplaces(state: BloodyState) -> tuple[str, ...]:
    beaches = [one for one in state.rules.board.beaches if not state.has_gap(one)]
    return (*beaches, *(one for one in state.ground if mines_on(state, one)))


class Rally(BloodyOrder, frozen=True, kw_only=True, tag="rally"):
    phase: ClassVar[str] = "activation"
    unit: str

    def act(self, run: Run) -> None:
        unit = unit_of(run.state, self.unit)
        refuse(not unit.has(DISRUPTED), "not_disrupted", f"{unit.name} is not disrupted.")
        near = run.state.rules.ruled("O22", "apart") and run.state.beside(unit.place)
        refuse(near, "near", "A German token is adjacent (O22).")
        run.pay("a rally")
        run.say(f"{unit.name} rallies.", unit.marked(DISRUPTED, False))


class Reinforce(BloodyOrder, frozen=True, kw_only=True, tag="reinforce"):
    phase: ClassVar[str] = "activation"
    unit: str
    to: str

    def act(self, run: Run) -> None:
        rules, unit = run.state.rules, unit_of(run.state, self.unit, ashore=False)
        first, row = rules.reinforced_from, rules.board.sea[-1]
        refuse(run.state.position.turn < first, "early", f"Not before turn {first}.")
        refuse(unit.place != RESERVE, "not_there", f"{unit.name} is not in the reserve.")
        refuse(self.to not in row, "row", f"It goes to one of {row[0]} to {row[-1]}.")
        run.pay("a reinforcement")
        run.move(unit, self.to)


class ShiftTank(BloodyOrder, frozen=True, kw_only=True, tag="shift_tank"):
    """To a unit; a tank that is not on the map comes to a beach with a gap, for nothing."""

    tank: str
    to: str

    def act(self, run: Run) -> None:
        state, tank = run.state, unit_of(run.state, self.tank, ashore=False)
        unit = state.counters.counters.get(self.to)
        refuse(tank.kind != TANK, "no_tank", "That is no tank.")
        refuse(
            unit is not None and unit not in state.ashore(), "at_sea", "That unit is not ashore."
        )
        place = unit.place if unit else self.to
        text = f"{tank.name}: to {unit.name} on {place}" if unit else f"{tank.name}: to {place}"
        if not tank.place:
            refuse(not state.has_gap(place), "no_gap", "A tank lands on a beach with a gap.")
        else:
            refuse(state.now != "activation", "phase", "That belongs to the activation phase.")
            refuse(unit is None or unit.id == tank.group, "no_unit", "Choose another unit.")
            path = state.path(tank.place, place)
            refuse(not path, "no_path", "No path of cleared squares leads there; from a beach it "
                                        "has to go through a cleared exit.")  # fmt: skip
            run.pay("a tank")
            text += f" by {', '.join(path)}" if len(path) > 1 else ""
        run.say(f"{text}.", replace(tank, place=place, group=unit.id if unit else ""))


class FixSquare(BloodyOrder, frozen=True, kw_only=True, tag="fix_square"):
    """By hand, as a card or an event says: the ``gap`` of a beach, on or off; a token turned up
    (``strongpoint``), or removed (``encounter 5``)."""

    square: str
    change: str

    def act(self, run: Run) -> None:
        if self.change == GAP and self.square in run.state.rules.board.beaches:
            gap = not run.state.has_gap(self.square)
            text = f"{self.square} has {'a gap' if gap else 'its obstacle again'}."
            run.do(Happened(text=text, ground={self.square: (GAP,) * gap}))
            return
        there = self.change in run.state.tokens(self.square)
        refuse(not there, "none", f"There is no {self.change[:30]} on {self.square}.")
        if value_of(self.change):
            run.take_off(self.square, self.change)
        else:
            reveal(run, self.square, self.change)


def _happens(run: Run, task: Task) -> None:
    settle(run, replace(task, kind="cell", roll=run.roll()))


STEPS: dict[str, Callable[[Run, Task], None]] = {
    "entering": _enters, "rolling": _everybody, "deal": _deal, "event": _happens,
}  # fmt: skip
"""Tasks that go on by themselves as soon as no question stands before them."""
