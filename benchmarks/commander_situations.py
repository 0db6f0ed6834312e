"""Asks the solo commander what he orders in random situations of all scenarios, and looks for
follies: ``python benchmarks/commander_situations.py --situations 10000``.

The situations are those of fields on the simulator, each turn of either side one. In half of the
turns the side then does something at random instead, so that he finds himself in places to which he
would never have gone. Each group must have an order; none may be refused by the rules, or be one of
the follies that players of such engines report. The exit code is 1 where anything was found.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from random import Random
from typing import NamedTuple, TypeAlias

from commander import command_table

from skirmish import library
from skirmish.games.plastic.commander.actions import (
    Abandon,
    Action,
    Charge,
    CutWire,
    DigIn,
    GetOut,
    GoTo,
    LeaveTable,
    MountUp,
    StayPut,
)
from skirmish.games.plastic.commander.aims import Aims
from skirmish.games.plastic.commander.best_order import IDLE_TURNS
from skirmish.games.plastic.commander.board import Board
from skirmish.games.plastic.commander.cells import GroundCell, apart
from skirmish.games.plastic.commander.field.battle import FieldBattle
from skirmish.games.plastic.commander.field.commanders import (
    FieldView,
    PlannedCommander,
    PlannedTurn,
    RandomCommander,
    StraightCommander,
)
from skirmish.games.plastic.commander.group_order import GroupOrder
from skirmish.games.plastic.commander.moves import NEVER, mover_of
from skirmish.games.plastic.commander.outlook import Outlook
from skirmish.games.plastic.commander.plan_maker import PlanMaker
from skirmish.games.plastic.commander.situation import (
    GroupKnown,
    Situation,
    Stand,
    is_in_craft,
    is_soft,
)
from skirmish.games.plastic.commander.weights import TemperamentId
from skirmish.games.plastic.commander.words import order_in_words, sentences_of_ways
from skirmish.games.plastic.rules.catalog import Catalog

TEMPERAMENTS: tuple[TemperamentId, ...] = ("bold", "steady", "cautious")
OPPONENTS: tuple[type[PlannedCommander | RandomCommander], ...] = (
    PlannedCommander,
    StraightCommander,
    RandomCommander,
)
BESIDE = 9
"""Inches between the middles of cells that touch."""
ROOM = 24
"""So many figures can stand in six inches."""
EACH = 1000
"""After so many situations it says how far it is."""
SHOWN = 5
"""So many findings of each kind are printed in full."""


class Decision(NamedTuple):
    """An order as it was given, with all that it was given by."""

    order: GroupOrder
    turn: PlannedTurn
    outlook: Outlook
    aims: Aims

    @property
    def here(self) -> Stand:
        """Where the group stands before."""
        return self.outlook.situation.own_stand(self.order.group)

    @property
    def action(self) -> Action:
        return self.order.action

    @property
    def catalog(self) -> Catalog:
        return self.outlook.board.catalog

    @property
    def others(self) -> list[Stand]:
        """Where the other groups of the side are after their orders."""
        stands = []
        for order in self.turn.orders:
            if order.group != self.order.group:
                stands.append(order.action.stand)
        return stands

    def men(self, group: GroupKnown) -> int:
        """On foot."""
        return sum(n for id, n in group.counts.items() if self.catalog.units[id].is_guy)


Check: TypeAlias = Callable[[Decision], bool]
"""Whether an order is wrong in one way."""


# ------------------------------------------------------------------ what the rules refuse


def goes_where_it_cannot(decision: Decision) -> bool:
    """It ends a move out of its reach, or where it may not go."""
    if not isinstance(decision.action, GoTo):
        return False
    task = decision.outlook.tasks[decision.order.group]
    paths = decision.outlook.board.paths
    return decision.action.stand.cell not in paths.cells_to_head_for(task.mover, decision.here.cell)


def goes_among_the_enemy(decision: Decision) -> bool:
    """It walks into a cell of the enemy without a charge."""
    if isinstance(decision.action, Charge) or not decision.action.moves_from(decision.here.cell):
        return False
    enemies = {enemy.cell for enemy in decision.outlook.situation.enemies}
    return decision.action.stand.cell in enemies


def charges_wrongly(decision: Decision) -> bool:
    """It charges without guys, or whom it cannot reach."""
    action = decision.action
    if not isinstance(action, Charge):
        return False
    task = decision.outlook.tasks[decision.order.group]
    reach = decision.outlook.board.paths.cells_in_reach(task.mover, decision.here.cell)
    return not decision.men(decision.here.group) or action.enemy.cell not in reach


def digs_wrongly(decision: Decision) -> bool:
    """It digs in aboard, without men, or where it has cover."""
    if not isinstance(decision.action, DigIn):
        return False
    here = decision.here
    return here.cover or bool(here.group.aboard) or not decision.men(here.group)


def clears_wire_wrongly(decision: Decision) -> bool:
    """It clears wire without engineers, aboard, from afar, or where there is none."""
    action = decision.action
    if not isinstance(action, CutWire):
        return False
    board, group = decision.outlook.board, decision.here.group
    able = board.spadework.cutters & set(group.counts) and not group.aboard
    far = apart(action.wire, decision.here.cell) > BESIDE
    return not able or far or action.wire not in board.paths.wire


def unloads_wrongly(decision: Decision) -> bool:
    """Nobody is aboard, or it lets its men out into the water or far away."""
    action = decision.action
    if not isinstance(action, GetOut):
        return False
    ground = decision.outlook.board.ground
    wet = ground.share(ground.water, action.stand.cell) >= 0.5
    far = apart(action.stand.cell, decision.here.cell) > BESIDE
    return not decision.here.group.aboard or wet or far


def mounts_wrongly(decision: Decision) -> bool:
    """It mounts what is full, too small, too far, or drives off."""
    action = decision.action
    if not isinstance(action, MountUp):
        return False
    seats = 0
    for id, count in action.carrier.group.counts.items():
        seats += decision.catalog.units[id].seats * count
    men = sum(decision.here.group.counts.values())
    if action.carrier.group.aboard or men > seats or decision.men(decision.here.group) < men:
        return True
    if apart(action.carrier.cell, decision.here.cell) > BESIDE:
        return True
    for order in decision.turn.orders:
        if order.group == action.carrier.group.id and type(order.action) is not StayPut:
            return True
        same = isinstance(order.action, MountUp) and order.action.carrier == action.carrier
        if order.group != action.group and same:
            return True
    return False


def leaves_for_nothing(decision: Decision) -> bool:
    """It leaves the table where that does not count, or from where it cannot."""
    if not isinstance(decision.action, LeaveTable):
        return False
    ways_out = {objective.cell for objective in decision.aims.objectives if objective.way_out}
    counts = decision.aims.leaves and decision.aims.attacks
    return not counts or decision.action.stand.cell not in ways_out


def _served_gun(decision: Decision) -> str | None:
    """What the crew of an emplaced gun becomes that still serves it; None for all others."""
    becomes = decision.outlook.board.emplaced.get(decision.order.group)
    if becomes in decision.here.group.counts:
        return None
    return becomes


def moves_an_emplaced_gun(decision: Decision) -> bool:
    """A gun that may only be abandoned goes somewhere."""
    if _served_gun(decision) is None:
        return False
    return type(decision.action) not in (StayPut, Abandon)


# ------------------------------------------------------------------ what players complain of


def gives_up_an_objective(decision: Decision) -> bool:
    """The last men leave ground that decides, unless for cover beside it while there is time and no
    enemy gets there first, or for other such ground while no enemy is within four turns."""
    here, outlook = decision.here, decision.outlook
    leaving = decision.action.moves_from(here.cell) and decision.men(here.group)
    counted = {objective.cell for objective in decision.aims.objectives if not objective.way_out}
    if not leaving or here.cell not in counted or isinstance(decision.action, LeaveTable | GetOut):
        return False
    if any(stand.cell == here.cell and decision.men(stand.group) for stand in decision.others):
        return False
    if any(enemy.cell == here.cell for enemy in outlook.situation.enemies):
        return False
    spare = outlook.turns_to_spare(decision.order.group)
    helps = outlook.tasks[decision.order.group].goal in counted - {here.cell} and spare >= 1
    if helps and not any(
        _is_there_in(4, enemy, here.cell, outlook) for enemy in _enemies(decision)
    ):
        return False
    covered = decision.action.stand.cover and spare >= 3
    if covered and apart(decision.action.stand.cell, here.cell) <= BESIDE:
        return any(_is_there_in(1, enemy, here.cell, outlook) for enemy in _enemies(decision))
    return True


def leaves_cover_to_fire_worse(decision: Decision) -> bool:
    """A machine gun with a target steps out of its cover for less than twice the kills. A tank has
    one, too, but cover is for guys and cannon."""
    here, action = decision.here, decision.action
    if not decision.men(here.group):
        return False
    weapons: list[str] = []
    for id in here.group.counts:
        weapons += decision.catalog.units[id].weapons
    has_gun = any(decision.catalog.weapons[weapon].pins for weapon in weapons)
    goes_out = here.cover and not action.stand.cover and action.moves_from(here.cell)
    if not has_gun or not goes_out or isinstance(action, Abandon | Charge):
        return False
    if decision.outlook.turns_to_spare(decision.order.group) == 0:
        return False
    staying = _score_of_staying(decision.order)
    return staying > 0 and decision.order.score.weighed.kill < 2 * staying


def idles_without_a_word(decision: Decision) -> bool:
    """It stays for a third turn without moving or firing, and does not say why."""
    if type(decision.action) is not StayPut or decision.order.idle < IDLE_TURNS:
        return False
    return "turns here now: " not in order_in_words(decision.order, decision.outlook)


def serves_its_gun_to_the_end(decision: Decision) -> bool:
    """The crew of an emplaced gun stays when it could still be a body in a house, though that is
    worth more."""
    order, outlook = decision.order, decision.outlook
    becomes = _served_gun(decision)
    if becomes is None or not decision.aims.per_man or isinstance(decision.action, Abandon):
        return False
    on_foot = mover_of(GroupKnown("", "", {becomes: 1}), decision.catalog)
    task = outlook.tasks[order.group]
    eta = outlook.board.paths.eta(on_foot, decision.here.cell, task.goal)
    if eta is None or task.turns_left != eta or not eta:
        return False
    for option in order.considered:
        if isinstance(option.action, Abandon):
            return option.score.value > order.score.value
    return False


def drives_a_tank_among_men(decision: Decision) -> bool:
    """A tank ends a move beside two men or more, with none of its own there, while there is
    time."""
    action = decision.action
    units = [decision.catalog.units[id] for id in action.stand.group.counts]
    tank = any(u.kind == "armored" and u.moves and u.weapons and not u.seats for u in units)
    moves = action.moves_from(decision.here.cell) and not isinstance(action, LeaveTable)
    if not tank or not moves:
        return False
    if decision.outlook.turns_to_spare(decision.order.group) == 0:
        return False
    men = 0
    for enemy in _enemies(decision):
        if apart(enemy.cell, action.stand.cell) <= BESIDE:
            men += decision.men(enemy.group)
    # Where its own men stand now or go to: a wave is weighed by the latter, a tank by the former.
    own = [*decision.others, *decision.outlook.situation.own]
    for stand in own:
        if apart(stand.cell, action.stand.cell) <= BESIDE and decision.men(stand.group):
            return False
    return men >= 2


def keeps_a_reserve_idle(decision: Decision) -> bool:
    """A reserve stays where it is though it can just be in time where it is wanted, unless it is a
    carrier for which men wait."""
    if _is_mounted(decision):
        return False
    task = decision.outlook.tasks[decision.order.group]
    wanted = task.role == "reserve" and task.worth > 0 and decision.here.cell != task.goal
    if not wanted or type(decision.action) is not StayPut:
        return False
    return decision.outlook.turns_to_spare(decision.order.group) == 0 and _is_free(decision)


def stays_at_sea(decision: Decision) -> bool:
    """Men stay in their craft where these could land, or go on toward the shore."""
    here = decision.here
    at_sea = is_in_craft(here.group, decision.catalog) and bool(here.group.aboard)
    if not at_sea or type(decision.action) is not StayPut:
        return False
    for option in decision.order.considered:
        if isinstance(option.action, GetOut) and not option.veto:
            return True
    return False


def misses_the_last_turn(decision: Decision) -> bool:
    """In the last turn it does not go to the ground that decides, though it can be there, there is
    room, nobody is in the way, and it would count."""
    outlook = decision.outlook
    task = outlook.tasks[decision.order.group]
    last = decision.turn.tasks[decision.order.group].turns_left == 1
    if not last or not task.worth or decision.here.cell == task.goal:
        return False
    counted = {objective.cell for objective in decision.aims.objectives if not objective.way_out}
    men = decision.men(decision.here.group)
    if task.goal not in counted or not men or decision.here.cell in counted:
        return False
    if not decision.aims.per_man and any(s.cell == task.goal for s in outlook.situation.own):
        return False
    if task.goal not in outlook.board.paths.cells_in_reach(task.mover, decision.here.cell):
        return False
    if any(enemy.cell == task.goal for enemy in outlook.situation.enemies):
        return False
    if _figures_in(decision, task.goal) + men > ROOM:
        return False
    return decision.action.stand.cell not in counted


def shows_a_load_to_machine_guns(decision: Decision) -> bool:
    """A loaded truck ends its move before a machine gun while there is time."""
    stand = decision.action.stand
    moved = decision.action.moves_from(decision.here.cell)
    loaded = bool(stand.group.aboard) and is_soft(stand.group, decision.catalog)
    if not moved or not loaded or isinstance(decision.action, GetOut):
        return False
    if decision.outlook.turns_to_spare(decision.order.group) <= 1:
        return False
    return decision.outlook.is_before_machine_gun(stand)


def _enemies(decision: Decision) -> Sequence[Stand]:
    return decision.outlook.situation.enemies


def _is_there_in(turns: int, enemy: Stand, cell: GroundCell, outlook: Outlook) -> bool:
    mover = mover_of(enemy.group, outlook.board.catalog)
    eta = outlook.board.paths.eta(mover, enemy.cell, cell)
    return eta is not None and eta <= turns


def crowds(decision: Decision) -> bool:
    """It goes where, with it, there are more figures than can stand in six inches."""
    action = decision.action
    if not isinstance(action, GoTo) or not action.moves_from(decision.here.cell):
        return False
    others = _figures_in(decision, action.stand.cell)
    return others > 0 and others + _figures(decision, action.stand.group) > ROOM


def _figures_in(decision: Decision, cell: GroundCell) -> int:
    """How many figures of other groups end the turn in a cell."""
    figures = 0
    for order in decision.turn.orders:
        goes_elsewhere = isinstance(order.action, Charge | LeaveTable | MountUp)
        ends_there = order.action.stand.cell == cell and not goes_elsewhere
        if ends_there and order.group != decision.order.group:
            figures += _figures(decision, order.action.stand.group)
    return figures


def _figures(decision: Decision, group: GroupKnown) -> int:
    """How much room a group takes: a model as much as four figures."""
    figures = 0
    for unit in group.units(decision.catalog):
        figures += 1
        if not unit.is_guy:
            figures += 3
    return figures


def _is_mounted(decision: Decision) -> bool:
    """Whether men have the order to mount this group."""
    for order in decision.turn.orders:
        action = order.action
        if isinstance(action, MountUp) and action.carrier.group.id == decision.order.group:
            return True
    return False


def _score_of_staying(order: GroupOrder) -> float:
    """What it kills where it is."""
    for option in order.considered:
        if type(option.action) is StayPut:
            return option.score.weighed.kill
    return 0.0


def _is_free(decision: Decision) -> bool:
    """Whether a way nearer to its goal is open to it that costs little, and it kills nobody where
    it is."""
    if _score_of_staying(decision.order) > 0:
        return False
    task = decision.outlook.tasks[decision.order.group]
    turns = decision.outlook.board.paths.turns(task.mover, task.goal)
    for option in decision.order.considered:
        nearer = turns.get(option.action.stand.cell, NEVER) < turns.get(decision.here.cell, NEVER)
        if type(option.action) is GoTo and nearer and not option.veto:
            return option.score.value > decision.order.score.value - 1
    return False


CHECKS: tuple[Check, ...] = (
    goes_where_it_cannot,
    goes_among_the_enemy,
    charges_wrongly,
    digs_wrongly,
    clears_wire_wrongly,
    unloads_wrongly,
    mounts_wrongly,
    leaves_for_nothing,
    moves_an_emplaced_gun,
    gives_up_an_objective,
    leaves_cover_to_fire_worse,
    idles_without_a_word,
    serves_its_gun_to_the_end,
    drives_a_tank_among_men,
    keeps_a_reserve_idle,
    stays_at_sea,
    misses_the_last_turn,
    shows_a_load_to_machine_guns,
    crowds,
)


# ------------------------------------------------------------------ fields


class Finding(NamedTuple):
    """An order that is wrong: by which check, where, and what he said."""

    check: str
    where: str
    words: str


class Watched(PlannedCommander):
    """The solo commander, whose orders are looked at, and half of the time not followed."""

    def __init__(self, board: Board, plans: PlanMaker) -> None:
        super().__init__(board, plans)
        self.findings: list[Finding] = []
        self.situations = self.orders = 0
        self.milliseconds: list[float] = []
        self.name = ""
        self._at_random = RandomCommander(board, plans)
        self._whim = Random(0)

    def actions(self, view: FieldView) -> list[Action]:
        began = time.process_time()
        turn = self.decide_turn(view)
        took = 1000 * (time.process_time() - began)
        self.milliseconds.append(took / max(len(turn.orders), 1))
        self.situations += 1
        self.orders += len(turn.orders)
        self.findings += self._found(view, turn)
        if self._whim.random() < 0.5:
            return self._at_random.actions(view)
        return [order.action for order in turn.orders]

    def _found(self, view: FieldView, turn: PlannedTurn) -> Iterator[Finding]:
        where = f"{self.name}, turn {view.turn}"
        ordered = Counter(order.group for order in turn.orders)
        groups = Counter(stand.group.id for stand in view.situation.own)
        if ordered != groups:
            yield Finding("has_no_order", where, str(groups - ordered))
        outlook = Outlook(self._board, view.situation, turn.tasks)
        for order in turn.orders:
            decision = Decision(order, turn, outlook, self._plans.aims)
            for check in CHECKS:
                if check(decision):
                    yield Finding(check.__name__, where, self._told(decision, view.situation))

    def _told(self, decision: Decision, situation: Situation) -> str:
        """What he said, and how things stood."""
        task = decision.outlook.tasks[decision.order.group]
        lines = [
            order_in_words(decision.order, decision.outlook),
            f"{_place(decision.here)}, {task.role} for {task.goal[:]}, worth {task.worth:.0f}, "
            f"{task.turns_left} turns left, to {decision.action.stand.cell[:]}",
            "enemies: " + "; ".join(_place(enemy) for enemy in situation.enemies),
            *sentences_of_ways(decision.order, decision.outlook)[:4],
        ]
        return "\n    ".join(lines)


def _place(stand: Stand) -> str:
    cover = ""
    if stand.cover:
        cover = " in cover"
    return f"{dict(stand.group.counts)} {dict(stand.group.aboard)} at {stand.cell[:]}{cover}"


class FieldSeen(NamedTuple):
    """What was seen on one field."""

    situations: int
    orders: int
    findings: tuple[Finding, ...]
    milliseconds: tuple[float, ...]


def field_seen(seed: int) -> FieldSeen:
    """One field of a scenario, at random: one side or both are led by him."""
    chance = Random(seed)
    scenarios = library.published_scenarios()
    number = list(scenarios)[seed % len(scenarios)]
    scenario = scenarios[number]
    battle = FieldBattle(scenario, command_table(number), library.rulings().defaults(), seed)
    commanders = {}
    watched: list[Watched] = []
    for side in scenario.sides:
        temperament = chance.choice(TEMPERAMENTS)
        kind: type[PlannedCommander | RandomCommander] = Watched
        if watched and chance.random() < 0.5:
            kind = chance.choice(OPPONENTS)
        commander = battle.commander(kind, side.id, temperament)
        commanders[side.id] = commander
        if isinstance(commander, Watched):
            commander.name = f"scenario {number}, seed {seed}, {temperament} {side.id}"
            commander._whim.seed(seed)
            watched.append(commander)
    battle.play(commanders)
    findings: list[Finding] = []
    milliseconds: list[float] = []
    for commander in watched:
        findings += commander.findings
        milliseconds += commander.milliseconds
    situations = sum(commander.situations for commander in watched)
    orders = sum(commander.orders for commander in watched)
    return FieldSeen(situations, orders, tuple(findings), tuple(milliseconds))


def fields_seen(first: int, cores: int) -> Iterator[FieldSeen]:
    """Field after field, for as long as anybody asks."""
    if cores == 1:
        seed = first
        while True:
            yield field_seen(seed)
            seed += 1
    with ProcessPoolExecutor(cores) as pool:
        while True:
            yield from pool.map(field_seen, range(first, first + 8 * cores))
            first += 8 * cores


def shown(finding: Finding, so_far: Mapping[str, int]) -> None:
    """Print the first findings of each kind."""
    if so_far[finding.check] <= SHOWN:
        print(f"{finding.check}: {finding.where}\n    {finding.words}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--situations", type=int, default=10_000)
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    situations = orders = 0
    kinds: Counter[str] = Counter()
    times: list[float] = []
    for field in fields_seen(arguments.seed, arguments.cores):
        situations += field.situations
        orders += field.orders
        times += field.milliseconds
        for finding in field.findings:
            kinds[finding.check] += 1
            shown(finding, kinds)
        if situations // EACH > (situations - field.situations) // EACH:
            print(f"{situations} situations, {orders} orders, {kinds.total()} wrong", flush=True)
        if situations >= arguments.situations:
            break
    for kind, number in kinds.most_common():
        print(f"{kind}: {number} of {orders} orders")
    times.sort()
    print(
        f"{situations} situations, {orders} orders, {kinds.total()} wrong; an order takes "
        f"{times[len(times) // 2]:.0f} ms in the median turn, {times[-1]:.0f} ms at most"
    )
    return int(bool(kinds))


if __name__ == "__main__":
    sys.exit(main())
