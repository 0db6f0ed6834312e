"""The orders of the activation phase, each for initiative: move, attack, engineers, rally,
reinforcements, tanks (5.3).
"""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from skirmish.games.bloody_omaha import ruleset
from skirmish.games.bloody_omaha import state as bloody
from skirmish.games.bloody_omaha.attacks import of_several_commands
from skirmish.games.bloody_omaha.orders import BloodyOrder, counter_in_play, refuse_unknown
from skirmish.games.bloody_omaha.rolls import settle
from skirmish.games.bloody_omaha.run import Run
from skirmish.games.bloody_omaha.state import BloodyState
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.table_state import Task
from skirmish.tabletop.companion.unfolding import refuse_if
from skirmish.tabletop.refusal import nonsense


class Move(BloodyOrder, frozen=True, kw_only=True, tag="move"):
    """A unit goes to an adjacent square, where it may meet tokens (5.3.a, 8.1)."""

    phase: ClassVar[str] = "activation"
    unit: str
    to: str

    def act(self, run: Run) -> None:
        state, to = run.state, self.to
        unit = counter_in_play(state, self.unit)
        is_adjacent = to in state.near(unit.place)
        refuse_if(not is_adjacent, "not_adjacent", f"{to} is not adjacent to {unit.place}.")
        refuse_unknown(state, to)
        refuse_if(state.numbered_tokens(to), "held", state.why_not_entered(to))
        run.pay(bloody.INITIATIVE, f"{unit.name} moves to {to}")
        run.ask(Task(kind="entering", units=(unit.id,), place=to))


class Attack(BloodyOrder, frozen=True, kw_only=True, tag="attack"):
    """Units attack numbers that lie face up (8.4)."""

    phase: ClassVar[str] = "activation"
    target: str
    """The square that is attacked."""
    squares: tuple[str, ...]
    """The squares from which they attack, each for 1 initiative; the units of the first one
    advance."""
    penalty: int = 0
    """What the players take off their strength (O7)."""

    def task(self, state: BloodyState) -> Task:
        """The roll of the attack. Raises Refused."""
        has_number = bool(state.numbered_tokens(self.target))
        refuse_if(not has_number, "no_target", f"No number lies on {self.target}.")
        names_a_square_twice = len({*self.squares}) < len(self.squares)
        refuse_if(
            names_a_square_twice or not self.squares,
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
        why = "Type in the columns of the attack table first."
        refuse_if(not state.owned.columns, "no_columns", why)
        # ``attacked_from`` and ``penalty_of`` read the last two fields.
        task = Task(
            kind="cell",
            table="attack",
            place=self.target,
            count=self.penalty,
            column=" ".join(self.squares),
        )
        forbidden = of_several_commands(state, task) and state.rules.ruled("O7", "forbid")
        refuse_if(forbidden, "mixed", "Units of several commands do not attack together (O7).")
        return task

    def act(self, run: Run) -> None:
        task = self.task(run.state)
        run.pay(bloody.INITIATIVE, "an attack", len(self.squares))
        settle(run, replace(task, roll=run.roll()))


class UseEngineers(BloodyOrder, frozen=True, kw_only=True, tag="engineers"):
    """Engineers try to blow a gap in the obstacle of a beach, or to clear mines that lie face up
    (8.5)."""

    phase: ClassVar[str] = "activation"
    place: str
    assets: int = 1
    """The engineer assets that they spend."""

    def task(self) -> Task:
        """The roll of the attempt; ``assets_of`` reads its count."""
        return Task(kind="cell", table="engineers", place=self.place, count=self.assets)

    def act(self, run: Run) -> None:
        has_work = self.place in run.state.workplaces()
        refuse_if(not has_work, "nothing", "There is neither an obstacle nor a minefield.")
        run.pay(bloody.INITIATIVE, "engineers")
        # An attempt takes at least one asset (8.5).
        run.pay(bloody.ENGINEERS, f"on {self.place}", max(self.assets, 1))
        settle(run, replace(self.task(), roll=run.roll()))


class Rally(BloodyOrder, frozen=True, kw_only=True, tag="rally"):
    """A disrupted unit comes back to its full side (5.3.d)."""

    phase: ClassVar[str] = "activation"
    unit: str

    def act(self, run: Run) -> None:
        unit = counter_in_play(run.state, self.unit)
        refuse_if(not unit.has(bloody.DISRUPTED), "rallied", f"{unit.name} is not disrupted.")
        must_be_apart = run.state.rules.ruled("O22", "apart")
        token_is_near = bool(run.state.uncleared_beside(unit.place))
        refuse_if(must_be_apart and token_is_near, "near", "A German token is adjacent (O22).")
        run.pay(bloody.INITIATIVE, "a rally")
        run.say(f"{unit.name} rallies.", unit.marked(bloody.DISRUPTED, on=False))


class Reinforce(BloodyOrder, frozen=True, kw_only=True, tag="reinforce"):
    """A unit leaves the Reinforcements box for one of the squares C19 to C27 (5.3.f)."""

    phase: ClassVar[str] = "activation"
    unit: str
    to: str

    def act(self, run: Run) -> None:
        unit = counter_in_play(run.state, self.unit, ashore=False)
        first_turn = run.state.rules.reinforced_from
        # C19 to C27: the rules name these squares, wherever ruling O32 has them lie.
        row = run.state.rules.board.sea.rows[-1]
        refuse_if(run.state.position.turn < first_turn, "early", f"Not before turn {first_turn}.")
        goes_otherwise = unit.place != ruleset.RESERVE or self.to not in row
        refuse_if(
            goes_otherwise, "row", f"A unit goes from the reserve to one of {row[0]} to {row[-1]}."
        )
        run.pay(bloody.INITIATIVE, "a reinforcement")
        run.move(unit, self.to)


class ShiftTank(BloodyOrder, frozen=True, kw_only=True, tag="shift_tank"):
    """A tank changes to another unit, for a point of initiative (8.3). One that is not on the map
    lands on a beach with a gap, at no cost: a card or an event says when."""

    tank: str
    to: str
    """The id of a unit, or the beach where a tank lands."""

    def act(self, run: Run) -> None:
        state = run.state
        tank = counter_in_play(state, self.tank, ashore=False)
        refuse_if(tank.kind != bloody.TANK, "no_tank", "That is no tank.")
        # ``to`` is the beach where it lands, unless there is a unit with that id.
        unit = None
        shifted = replace(tank, place=self.to, group="")
        where_to = f"to {self.to}"
        if self.to in state.counters.counters:
            unit = counter_in_play(state, self.to)
            shifted = replace(tank, place=unit.place, group=unit.id)
            where_to = f"to {unit.name} on {unit.place}"
        is_on_map = bool(tank.place)
        if is_on_map:
            path = self._path_to(unit, tank, state)
            run.pay(bloody.INITIATIVE, "a tank")
            # A path of one square stays where the tank is.
            if len(path) > 1:
                where_to += f" by {', '.join(path)}"
        else:
            has_gap = state.has_gap(shifted.place)
            refuse_if(not has_gap, "no_gap", "A tank lands on a beach with a gap.")
        run.say(f"{tank.name}: {where_to}.", shifted)

    def _path_to(self, unit: Counter | None, tank: Counter, state: BloodyState) -> tuple[str, ...]:
        """The way of a tank on the map to another unit. Raises Refused."""
        refuse_if(state.phase_id != "activation", "phase", "That belongs to the activation phase.")
        if unit is None or unit.id == tank.group:
            raise nonsense("no_unit", "Choose another unit.")
        path = state.path(tank.place, unit.place)
        refuse_if(not path, "no_path", state.why_no_path(tank.place, unit.place))
        return path
