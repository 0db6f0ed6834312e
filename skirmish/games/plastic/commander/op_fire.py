"""Fire in the enemy's turn: what to wait for while he moves, and whom to fire at afterwards.

Each weapon fires once in all, while the enemy moves (op fire, phase 1) or after that (defensive
fire, phase 2). So before he moves, the commander names at most three things that he waits for:
where a gun does better at once than later. All other guns are on one list for phase 2.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

from skirmish.games.plastic.commander.board import Board
from skirmish.games.plastic.commander.cells import GroundCell, apart
from skirmish.games.plastic.commander.fire import Guns, Shootable
from skirmish.games.plastic.commander.firepower import AimedShot
from skirmish.games.plastic.commander.moves import NEVER, mover_of
from skirmish.games.plastic.commander.situation import Situation, Stand
from skirmish.games.plastic.rules.catalog import Catalog, Quality, listed
from skirmish.tabletop.chance import SUITS

Trigger: TypeAlias = Literal["loaded", "contact", "open", "pin"]
"""What is waited for: a loaded carrier, men about to touch, men in the open on their way, or any
men on their way who had better be held up."""
GONE = 1.0
"""With fewer men than that expected to be left, no further gun fires at a group."""


class _Move(NamedTuple):
    """How a group of the enemy is expected to move: over ``way``, in the open, to ``end``, where it
    ``touches`` somebody or not."""

    enemy: Stand
    way: tuple[Stand, ...]
    end: Stand
    touches: bool


class _Opportunity(NamedTuple):
    """Guns that had better fire at a group on its way, at a ``spot`` of it, than wait. Of one of
    them: ``points_now`` is what its shot is worth there, and ``gain`` how much more than
    waiting."""

    gain: float
    points_now: float
    guns: Guns
    enemy: Stand
    spot: Stand
    trigger: Trigger


class _Event(NamedTuple):
    """Something to wait for: a group of the enemy, by its id, in a cell."""

    enemy: str
    cell: GroundCell
    trigger: Trigger


class FireLine(NamedTuple):
    """Something to wait for: when ``enemy`` is in ``cell``, these ``guns`` fire one after another
    until hardly anybody of it is left. ``points``: what they kill on average."""

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


class DefensiveShot(NamedTuple):
    """Shots of one weapon of a group at one target, with what they kill on average; ``unit`` is
    the id of whom they are aimed at."""

    guns: Guns
    target: Stand
    unit: str
    kills: float
    points: float

    @property
    def shooter(self) -> Stand:
        """The group that fires."""
        return self.guns.stand

    @property
    def number(self) -> int:
        """How many fire."""
        return self.guns.number

    @property
    def weapon(self) -> str:
        """The name of what they fire with."""
        return self.guns.weapon.name

    @property
    def words(self) -> str:
        """``Gun 2, Machinegun at Second in D4: 1.2 on average.``"""
        weapon = self.weapon
        if self.number > 1:
            weapon = f"{self.number} × {self.weapon}"
        target = f"{self.target.group.name} in {self.target.cell.square}"
        return f"{self.shooter.group.name}, {weapon} at {target}: {self.kills:.1f} on average."


class EnemyTurnFire:
    """The fire of one side while and after the other moves."""

    def __init__(self, board: Board) -> None:
        self._board = board

    # ------------------------------------------------------------------ before he moves

    def lines(
        self,
        situation: Situation,
        goals: Sequence[GroundCell],
        pins: Mapping[str, float] | None = None,
    ) -> list[FireLine]:
        """What to wait for, the most worth first. ``goals``: where the enemy is likely to want to
        go; ``pins``: what a pin test is worth on average against each of his groups that can be
        pinned, in points: the ground denied to it, by the chance."""
        opportunities: list[_Opportunity] = []
        moves = [self._expected(situation, enemy, goals) for enemy in situation.enemies]
        for guns in self._board.fire.guns_of(self._free(situation)):
            best = self._best_opportunity(guns, moves, pins or {})
            if best is not None:
                opportunities.append(best)
        bundles: dict[_Event, list[_Opportunity]] = {}
        for opportunity in sorted(opportunities, key=_gain, reverse=True):
            enemy, cell = opportunity.enemy.group.id, opportunity.spot.cell
            event = _Event(enemy, cell, opportunity.trigger)
            bundles.setdefault(event, []).append(opportunity)
        ranked = sorted(bundles.values(), key=_gains, reverse=True)
        lines = []
        for number, bundle in enumerate(ranked[: self._board.weights.op_fire.lines], start=1):
            lines.append(self._line(number, bundle))
        return lines

    def _line(self, number: int, bundle: Sequence[_Opportunity]) -> FireLine:
        """The line for a ``bundle``: guns that wait for one event, with as many of them as are
        needed until hardly anybody is left."""
        first = bundle[0]
        shootable = _dearest(self._board.fire.shootables_of(first.enemy.group))
        left = float(shootable.number)
        guns: list[Guns] = []
        points = 0.0
        for opportunity in bundle:
            kills = self._board.fire.kills(opportunity.guns, shootable, opportunity.spot)
            for _ in range(opportunity.guns.number):
                if left < GONE:
                    break
                guns.append(opportunity.guns._replace(number=1))
                left -= kills
                points += opportunity.points_now
        return FireLine(number, first.enemy, first.spot.cell, first.trigger, tuple(guns), points)

    def _best_opportunity(
        self, guns: Guns, moves: Sequence[_Move], pins: Mapping[str, float]
    ) -> _Opportunity | None:
        """Where a gun should fire at once; None where it does as well to wait."""
        weights = self._board.weights.op_fire
        # Who touches somebody at the end of his move is no target afterwards.
        best_after = 0.0
        for move in moves:
            if not move.touches:
                best_after = max(best_after, self._points(guns, move.end))
        waiting = weights.now_for * best_after
        best: _Opportunity | None = None
        for move in moves:
            pinned = 0.0  # what the pin is worth, in points
            if guns.weapon.pins:
                pinned = weights.pin * pins.get(move.enemy.group.id, 0.0)
            for spot in move.way:
                points_killed = self._points(guns, spot)
                points_now = points_killed + pinned
                gain = points_now - waiting
                if not points_killed or gain < 0:
                    continue
                # Where the kills alone are worth less than waiting, it fires for the pin.
                trigger = _trigger(move, for_pin=points_killed < waiting)
                if best is None or gain > best.gain:
                    best = _Opportunity(gain, points_now, guns, move.enemy, spot, trigger)
        return best

    def _points(self, guns: Guns, stand: Stand) -> float:
        """What one of these guns kills on average of the best of a group, in points."""
        points = 0.0
        for shootable in self._board.fire.shootables_of(stand.group):
            kills = self._board.fire.kills(guns, shootable, stand)
            points = max(points, kills * shootable.mean_price)
        return points

    def _expected(self, situation: Situation, enemy: Stand, goals: Sequence[GroundCell]) -> _Move:
        """The move that is expected of a group of the enemy: as far as it gets on its way to the
        nearest of its goals, into cover if there is any as near."""
        board = self._board
        mover = mover_of(enemy.group, board.catalog)
        turns_from: Mapping[GroundCell, float] = {}
        if goals:
            goal = min(goals, key=lambda cell: apart(cell, enemy.cell))
            turns_from = board.paths.turns(mover, goal)

        def turns_left_and_open(cell: GroundCell) -> tuple[float, bool]:
            # The nearest to the goal comes first, of equals one in cover. Without a goal it is any
            # cell in cover.
            return turns_from.get(cell, NEVER), not board.ground.in_cover(cell)

        reach = board.paths.ahead(mover, enemy.cell)
        end_cell = min(reach, key=turns_left_and_open)
        end = enemy  # who stays keeps the cover that he has dug
        if end_cell != enemy.cell:
            end = Stand(enemy.group, end_cell, board.ground.in_cover(end_cell))
        # Where the straight way leads over ground that it cannot reach, it goes round that.
        way = [
            Stand(enemy.group, cell)
            for cell in cells_between(enemy.cell, end_cell)
            if cell in reach
        ]
        own_cells = {stand.cell for stand in situation.own}
        return _Move(enemy, tuple(way), end, end_cell in own_cells)

    def _free(self, situation: Situation) -> list[Stand]:
        """Who may fire at range: nobody who shares a cell with an enemy."""
        enemy_cells = {enemy.cell for enemy in situation.enemies}
        return [stand for stand in situation.own if stand.cell not in enemy_cells]

    # ------------------------------------------------------------------ after he has moved

    def defensive(
        self,
        situation: Situation,
        fired: Collection[Guns] = (),
        unseen: Collection[tuple[str, str]] = (),
    ) -> list[DefensiveShot]:
        """The list of phase 2: each weapon that has not ``fired``, at the target of which it kills
        most after those before it; what kills most first. Who can hit nobody is not on it.
        ``unseen``: own groups with enemy groups which they do not see."""
        groups = [stand.group.id for stand in self._free(situation)]
        bundled: dict[_Volley, list[AimedShot]] = {}
        aimed = self._board.firepower.aimed(situation, groups, fired=fired, unseen=unseen)
        for shot in aimed:
            volley = _Volley(shot.guns.stand.group.id, shot.guns.weapon.id, shot.stand.group.id)
            bundled.setdefault(volley, []).append(shot)
        shots = [_bundled(bundle) for bundle in bundled.values()]
        shots.sort(key=_worth, reverse=True)
        return shots


class _Volley(NamedTuple):
    """Shots that are one line of the list, by the ids of who fires what at whom."""

    group: str
    weapon: str
    target: str


def _bundled(shots: Sequence[AimedShot]) -> DefensiveShot:
    """All shots of one volley."""
    first = shots[0]
    return DefensiveShot(
        first.guns._replace(number=len(shots)),
        first.stand,
        first.shootable.unit.id,
        kills=sum(shot.kills for shot in shots),
        points=sum(shot.points for shot in shots),
    )


def _trigger(move: _Move, *, for_pin: bool) -> Trigger:
    """What is to be said of a move; ``for_pin``: only a pin makes fire at once worth more."""
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
    line = quality or catalog.qualities[catalog.pin.without_quality]
    return len(line.pinned_suits) / len(SUITS)


def cells_between(start: GroundCell, end: GroundCell) -> Iterator[GroundCell]:
    """The cells on the straight way, without the first. The last is one of them: on the way to its
    cover a group is in the open there, too."""
    steps = max(abs(end.column - start.column), abs(end.row - start.row))
    for step in range(1, steps + 1):
        column = start.column + round((end.column - start.column) * step / steps)
        row = start.row + round((end.row - start.row) * step / steps)
        yield GroundCell(column, row)


def _dearest(shootables: Sequence[Shootable]) -> Shootable:
    """The target of a group of which each that falls is worth most."""
    return max(shootables, key=lambda shootable: shootable.mean_price)


def _gain(opportunity: _Opportunity) -> float:
    return opportunity.gain


def _gains(bundle: Sequence[_Opportunity]) -> float:
    return sum(opportunity.gain for opportunity in bundle)


def _worth(shot: DefensiveShot) -> float:
    return shot.points
