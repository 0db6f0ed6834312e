"""Op fire, while the enemy moves (phase 1): what to wait for.

Each weapon fires once, while the enemy moves or after that (``defensive_fire``). So before he
moves, the commander names at most three things to wait for: where a gun does better at once than
later. All other guns fire in phase 2. Each enemy group is expected to move toward the nearest of
its goals.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

from skirmish.games.plastic.commander.board import Board
from skirmish.games.plastic.commander.cells import GroundCell, apart
from skirmish.games.plastic.commander.defensive_fire import free_to_fire
from skirmish.games.plastic.commander.fire import Guns, Shootable
from skirmish.games.plastic.commander.moves import NEVER
from skirmish.games.plastic.commander.situation import Situation, Stand
from skirmish.games.plastic.rules.catalog import Catalog, Quality, listed
from skirmish.tabletop.chance import SUITS

Trigger: TypeAlias = Literal["loaded", "contact", "open", "pin"]
"""What is waited for: a loaded carrier, men about to touch, men in the open on their way, or any
men on their way whom a pin would hold up."""
FEWEST_TO_FIRE_AT = 1.0
"""With fewer men or models than that expected to be left, no further gun fires at a group."""


class FireLine(NamedTuple):
    """Something to wait for: when ``enemy`` is in ``cell``, these ``guns`` fire one after another
    until hardly anybody of it is left. ``points``: what that is worth on average."""

    number: int
    enemy: Stand
    cell: GroundCell
    trigger: Trigger
    guns: tuple[Guns, ...]
    points: float

    @property
    def words(self) -> str:
        """``Second is on its way to D4, in the open: fire with Gun 2, since afterwards it is harder
        to hit.``"""
        name, square = self.enemy.group.name, self.cell.square
        shooters = sorted({guns.stand.group.name for guns in self.guns})
        match self.trigger:
            case "loaded":
                when = f"{name} is in {square}, still loaded"
                reason = "its load falls with it"
            case "contact":
                when = f"{name} is about to touch us in {square}"
                reason = "in contact nobody fires"
            case "open":
                when = f"{name} is on its way to {square}, in the open"
                reason = "afterwards it is harder to hit"
            case "pin":
                when = f"{name} is on its way to {square}"
                reason = "a pin costs it a turn"
        return f"{when}: fire with {listed(shooters)}, since {reason}."


class _Opportunity(NamedTuple):
    """Guns that had better fire at an enemy group when it is at a ``spot`` of its way.
    ``points_now``: what a shot of one of them is worth there. ``gain``: by how much this exceeds
    the worth from which on it fires at once (``OpFireWeights.now_for``)."""

    gain: float
    points_now: float
    guns: Guns
    enemy: Stand
    spot: Stand
    trigger: Trigger


class _AwaitedEvent(NamedTuple):
    """Something to wait for: a group of the enemy, by its id, in a cell."""

    enemy: str
    cell: GroundCell
    trigger: Trigger


class OpFirePlanner:
    """Plans the op fire of one side."""

    def __init__(self, board: Board) -> None:
        self._board = board

    def lines(
        self,
        situation: Situation,
        goals: Sequence[GroundCell],
        points_of_pins: Mapping[str, float] | None = None,
    ) -> list[FireLine]:
        """What to wait for, the most worth first. ``goals``: where the enemy is likely to want to
        go; ``points_of_pins``: for each enemy group that can be pinned, by its id, what a pin test
        is worth on average: the points of the ground that a pin denies to it, times the chance that
        the test pins it."""
        if points_of_pins is None:
            points_of_pins = {}
        by_event: dict[_AwaitedEvent, list[_Opportunity]] = {}
        for opportunity in self._opportunities(situation, goals, points_of_pins):
            event = _AwaitedEvent(
                opportunity.enemy.group.id, opportunity.spot.cell, opportunity.trigger
            )
            by_event.setdefault(event, []).append(opportunity)
        ranked = sorted(by_event.values(), key=_gain_of_all, reverse=True)
        most_lines = self._board.weights.op_fire.lines
        lines = []
        for number, same_event in enumerate(ranked[:most_lines], start=1):
            lines.append(self._line(number, same_event))
        return lines

    def _opportunities(
        self,
        situation: Situation,
        goals: Sequence[GroundCell],
        points_of_pins: Mapping[str, float],
    ) -> list[_Opportunity]:
        """Where guns had better fire at once: for each kind of guns the best, the greatest gain
        first."""
        moves = []
        for enemy in situation.enemies:
            moves.append(expected_move(self._board, situation, enemy, goals))
        opportunities = []
        for guns in self._board.fire.guns_of(free_to_fire(situation)):
            best = self._best_opportunity(guns, moves, points_of_pins)
            if best is not None:
                opportunities.append(best)
        opportunities.sort(key=_gain, reverse=True)
        return opportunities

    def _line(self, number: int, same_event: Sequence[_Opportunity]) -> FireLine:
        """The line for guns that wait for the same event, with as many of them as are needed until
        hardly anybody is left."""
        first = same_event[0]
        shootable = _dearest(self._board.fire.shootables_of(first.enemy.group))
        left = float(shootable.number)
        guns: list[Guns] = []
        points = 0.0
        for opportunity in same_event:
            kills = self._board.fire.kills(opportunity.guns, shootable, opportunity.spot)
            for _ in range(opportunity.guns.number):
                if left < FEWEST_TO_FIRE_AT:
                    break
                guns.append(opportunity.guns._replace(number=1))
                left -= kills
                points += opportunity.points_now
        return FireLine(number, first.enemy, first.spot.cell, first.trigger, tuple(guns), points)

    def _best_opportunity(
        self, guns: Guns, moves: Sequence[ExpectedMove], points_of_pins: Mapping[str, float]
    ) -> _Opportunity | None:
        """Where these guns had better fire at once; None if they do as well to wait."""
        weights = self._board.weights.op_fire
        worth_at_once = weights.now_for * self._best_after(guns, moves)
        best: _Opportunity | None = None
        for move in moves:
            points_of_pin = 0.0
            if guns.weapon.pins:
                points_of_pin = weights.pin * points_of_pins.get(move.enemy.group.id, 0.0)
            for spot in move.way:
                points_killed = self._board.fire.points_at_best_target(guns, spot)
                points_now = points_killed + points_of_pin
                gain = points_now - worth_at_once
                if points_killed == 0 or gain < 0:
                    continue
                # Where the kills alone would not make them fire at once, they fire for the pin.
                trigger = _trigger(move, for_pin=points_killed < worth_at_once)
                if best is None or gain > best.gain:
                    best = _Opportunity(gain, points_now, guns, move.enemy, spot, trigger)
        return best

    def _best_after(self, guns: Guns, moves: Sequence[ExpectedMove]) -> float:
        """What the best shot of one of these guns is worth once the enemy has moved, in points."""
        best = 0.0
        for move in moves:
            # In contact an enemy is no target any more.
            if not move.touches:
                best = max(best, self._board.fire.points_at_best_target(guns, move.end))
        return best


def _trigger(move: ExpectedMove, *, for_pin: bool) -> Trigger:
    """What is waited for in a move; ``for_pin``: only a pin makes fire at once worth more."""
    if for_pin:
        return "pin"
    if move.enemy.group.aboard:
        return "loaded"
    if move.touches:
        return "contact"
    return "open"


def chance_of_pin(quality: Quality | None, catalog: Catalog) -> float:
    """The chance that one test pins men of this quality, by the suits that pin them; a die pins as
    often ("Pinning"). None: force quality is not played, and all are alike."""
    if quality is None:
        quality = catalog.qualities[catalog.pin.without_quality]
    return len(quality.pinned_suits) / len(SUITS)


def _dearest(shootables: Sequence[Shootable]) -> Shootable:
    """The target of a group of which each that falls is worth most."""
    return max(shootables, key=lambda shootable: shootable.mean_price)


def _gain(opportunity: _Opportunity) -> float:
    return opportunity.gain


def _gain_of_all(opportunities: Sequence[_Opportunity]) -> float:
    return sum(opportunity.gain for opportunity in opportunities)


# ------------------------------------------------------------------ how the enemy moves


class ExpectedMove(NamedTuple):
    """The move of an enemy group: over the stands of its ``way``, all in the open, to its ``end``.
    ``touches``: there it is in contact with a group of this side."""

    enemy: Stand
    way: tuple[Stand, ...]
    end: Stand
    touches: bool


def expected_move(
    board: Board, situation: Situation, enemy: Stand, goals: Sequence[GroundCell]
) -> ExpectedMove:
    """The move of an enemy group that wants to be at one of these cells: as far as it gets on its
    way to the nearest, into cover if there is any as near."""
    mover = board.mover(enemy.group)
    turns_from_goal: Mapping[GroundCell, float] = {}
    if goals:
        goal = min(goals, key=lambda cell: apart(cell, enemy.cell))
        turns_from_goal = board.paths.turns(mover, goal)

    def nearest_to_goal_then_cover(cell: GroundCell) -> tuple[float, bool]:
        # Without a goal all cells are as near, and it is any cell in cover.
        in_the_open = not board.ground.in_cover(cell)
        return turns_from_goal.get(cell, NEVER), in_the_open

    reach = board.paths.cells_to_head_for(mover, enemy.cell)
    end_cell = min(reach, key=nearest_to_goal_then_cover)
    end = enemy  # who stays keeps the cover that he has dug
    if end_cell != enemy.cell:
        end = Stand(enemy.group, end_cell, board.ground.in_cover(end_cell))
    way = []
    for cell in cells_between(enemy.cell, end_cell):
        # Ground that it cannot enter it goes round.
        if cell in reach:
            way.append(Stand(enemy.group, cell))
    own_cells = {stand.cell for stand in situation.own}
    return ExpectedMove(enemy, tuple(way), end, touches=end_cell in own_cells)


def cells_between(start: GroundCell, end: GroundCell) -> Iterator[GroundCell]:
    """The cells on the straight way, without the first. The last is one of them: on the way to its
    cover a group is in the open there, too."""
    steps = max(abs(end.column - start.column), abs(end.row - start.row))
    for step in range(1, steps + 1):
        column = start.column + round((end.column - start.column) * step / steps)
        row = start.row + round((end.row - start.row) * step / steps)
        yield GroundCell(column, row)
