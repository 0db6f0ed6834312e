"""Asks the solo commander what he orders in random situations of all scenarios, and looks for
follies: ``python benchmarks/commander_situations.py --situations 10000``.

Battles are fought on the field simulator, and each turn of a side that he leads is a situation. In
half of the turns the side then does something at random instead, so that he finds himself in places
to which he would never have gone. Each group must have an order; no order may be against the rules,
or be one of the follies that players of such engines report. The exit code is 1 where any is wrong.
"""

from __future__ import annotations

import argparse
import itertools
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from random import Random
from statistics import median_high
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
from skirmish.games.plastic.commander.moves import NEVER, GroupTask, mover_of
from skirmish.games.plastic.commander.outlook import Outlook
from skirmish.games.plastic.commander.plan_maker import PlanMaker
from skirmish.games.plastic.commander.situation import (
    GroupKnown,
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
"""Inches: a cell is six inches wide, so the middles of cells that touch at a corner are 8.5 inches
apart, and those of all others 12 and more."""
ROOM = 24
"""So many men have room in a cell of six inches, as the commander assumes, too."""
ROOM_FOR_A_MODEL = 4
"""A model takes the room of so many men."""
REPORT_EACH = 1000
"""After so many situations a line says how far it is."""
PRINTED_IN_FULL = 5
"""So many findings of each kind are printed in full."""


class Decision(NamedTuple):
    """An order that was given, with the turn, the situation and the aims that led to it."""

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
    def task(self) -> GroupTask:
        """What the plan has the group do."""
        return self.outlook.tasks[self.order.group]

    @property
    def turns_to_spare(self) -> int:
        """Turns that the group has to spare on the way to its objective."""
        return self.outlook.turns_to_spare(self.order.group)

    @property
    def enemies(self) -> Sequence[Stand]:
        return self.outlook.situation.enemies

    @property
    def deciding_cells(self) -> set[GroundCell]:
        """The ground that decides the battle for whoever stands there in the end."""
        return {goal.cell for goal in self.aims.objectives if not goal.way_out}

    @property
    def other_groups(self) -> list[Stand]:
        """Where the other groups of the side are after their orders."""
        stands = []
        for order in self.turn.orders:
            if order.group != self.order.group:
                stands.append(order.action.stand)
        return stands

    def men(self, group: GroupKnown) -> int:
        """How many men of a group are on foot."""
        men = 0
        for unit_id, count in group.counts.items():
            if self.catalog.units[unit_id].is_guy:
                men += count
        return men


Check: TypeAlias = Callable[[Decision], bool]
"""Whether an order is wrong in one way, which the docstring says."""


# ------------------------------------------------------------------ what the rules refuse


def goes_where_it_cannot(decision: Decision) -> bool:
    """It ends a move out of its reach, or where it may not go."""
    if not isinstance(decision.action, GoTo):
        return False
    paths = decision.outlook.board.paths
    allowed = paths.cells_to_head_for(decision.task.mover, decision.here.cell)
    return decision.action.stand.cell not in allowed


def goes_among_the_enemy(decision: Decision) -> bool:
    """It walks into a cell of the enemy without a charge."""
    if isinstance(decision.action, Charge) or not decision.action.moves_from(decision.here.cell):
        return False
    return any(enemy.cell == decision.action.stand.cell for enemy in decision.enemies)


def charges_wrongly(decision: Decision) -> bool:
    """It charges without guys, or whom it cannot reach."""
    action = decision.action
    if not isinstance(action, Charge):
        return False
    paths = decision.outlook.board.paths
    reach = paths.cells_in_reach(decision.task.mover, decision.here.cell)
    has_guys = decision.men(decision.here.group) > 0
    return not has_guys or action.enemy.cell not in reach


def digs_wrongly(decision: Decision) -> bool:
    """It digs in aboard, without men, or where it has cover."""
    if not isinstance(decision.action, DigIn):
        return False
    here = decision.here
    is_aboard = bool(here.group.aboard)
    has_men = decision.men(here.group) > 0
    return here.cover or is_aboard or not has_men


def clears_wire_wrongly(decision: Decision) -> bool:
    """It clears wire without engineers, aboard, from afar, or where there is none."""
    action = decision.action
    if not isinstance(action, CutWire):
        return False
    board, group = decision.outlook.board, decision.here.group
    has_engineers = not board.spadework.cutters.isdisjoint(group.counts)
    is_far = apart(action.wire, decision.here.cell) > BESIDE
    is_wire = action.wire in board.paths.wire
    return not has_engineers or bool(group.aboard) or is_far or not is_wire


def unloads_wrongly(decision: Decision) -> bool:
    """Nobody is aboard, or it lets its men out into the water or far away."""
    action = decision.action
    if not isinstance(action, GetOut):
        return False
    ground = decision.outlook.board.ground
    is_wet = ground.share(ground.water, action.stand.cell) >= 0.5
    is_far = apart(action.stand.cell, decision.here.cell) > BESIDE
    return not decision.here.group.aboard or is_wet or is_far


def mounts_wrongly(decision: Decision) -> bool:
    """It mounts what is full, too small, too far, or drives off; or a model mounts."""
    action = decision.action
    if not isinstance(action, MountUp):
        return False
    carrier = action.carrier.group
    seats = 0
    for unit_id, count in carrier.counts.items():
        seats += decision.catalog.units[unit_id].seats * count
    size = sum(decision.here.group.counts.values())
    only_men = decision.men(decision.here.group) == size
    if carrier.aboard or size > seats or not only_men:
        return True
    if apart(action.carrier.cell, decision.here.cell) > BESIDE:
        return True
    return any(_spoils_mounting(order, action) for order in decision.turn.orders)


def _spoils_mounting(order: GroupOrder, mounting: MountUp) -> bool:
    """Whether the carrier drives off by this order, or another group mounts it as well."""
    if order.group == mounting.carrier.group.id:
        return type(order.action) is not StayPut
    if order.group == mounting.group:
        return False
    return isinstance(order.action, MountUp) and order.action.carrier == mounting.carrier


def leaves_for_nothing(decision: Decision) -> bool:
    """It leaves the table where that does not count, or from where it cannot."""
    if not isinstance(decision.action, LeaveTable):
        return False
    ways_out = {goal.cell for goal in decision.aims.objectives if goal.way_out}
    # Where victory is about leaving the table, only the attacker wins by it.
    leaving_counts = decision.aims.leaves and decision.aims.attacks
    return not leaving_counts or decision.action.stand.cell not in ways_out


def _abandons_as(decision: Decision) -> str | None:
    """The unit that the crew of an emplaced gun becomes once it abandons it; None for a group that
    is no such crew, or has abandoned its gun already."""
    becomes = decision.outlook.board.emplaced.get(decision.order.group)
    has_abandoned = becomes in decision.here.group.counts
    if has_abandoned:
        return None
    return becomes


def moves_an_emplaced_gun(decision: Decision) -> bool:
    """A gun that may only be abandoned goes somewhere."""
    if _abandons_as(decision) is None:
        return False
    return type(decision.action) not in (StayPut, Abandon)


# ------------------------------------------------------------------ what players complain of


def gives_up_an_objective(decision: Decision) -> bool:
    """The last men leave ground that decides, unless for cover beside it while there is time and no
    enemy gets there first, or for other such ground while no enemy is within four turns."""
    if not _leaves_deciding_ground(decision) or _holds_on_without_it(decision):
        return False
    here = decision.here.cell
    is_wanted_elsewhere = decision.task.goal in decision.deciding_cells - {here}
    is_in_time = decision.turns_to_spare >= 1
    if is_wanted_elsewhere and is_in_time and not _enemy_is_there_in(4, here, decision):
        return False
    stand = decision.action.stand
    goes_to_cover_beside = stand.cover and apart(stand.cell, here) <= BESIDE
    if goes_to_cover_beside and decision.turns_to_spare >= 3:
        return _enemy_is_there_in(1, here, decision)
    return True


def _leaves_deciding_ground(decision: Decision) -> bool:
    """Whether men go from ground that decides to elsewhere on the table."""
    here = decision.here
    if isinstance(decision.action, LeaveTable | GetOut) or not decision.men(here.group):
        return False
    return here.cell in decision.deciding_cells and decision.action.moves_from(here.cell)


def _holds_on_without_it(decision: Decision) -> bool:
    """Whether the ground is held by other men of the side, or contested by an enemy, anyway."""
    here = decision.here.cell
    for stand in decision.other_groups:
        if stand.cell == here and decision.men(stand.group):
            return True
    return any(enemy.cell == here for enemy in decision.enemies)


def _enemy_is_there_in(turns: int, cell: GroundCell, decision: Decision) -> bool:
    """Whether an enemy can be in a cell within so many turns."""
    paths = decision.outlook.board.paths
    for enemy in decision.enemies:
        eta = paths.eta(mover_of(enemy.group, decision.catalog), enemy.cell, cell)
        if eta is not None and eta <= turns:
            return True
    return False


def leaves_cover_to_fire_worse(decision: Decision) -> bool:
    """A machine gun with a target steps out of its cover for less than twice the kills. A tank has
    one, too, but cover is for guys and cannon."""
    here, action = decision.here, decision.action
    if not decision.men(here.group) or not _has_machine_gun(here.group, decision.catalog):
        return False
    goes_out = here.cover and not action.stand.cover and action.moves_from(here.cell)
    if not goes_out or isinstance(action, Abandon | Charge):
        return False
    if decision.turns_to_spare == 0:
        return False
    kills_by_staying = _kills_by_staying(decision.order)
    return kills_by_staying > 0 and decision.order.score.weighed.kill < 2 * kills_by_staying


def _has_machine_gun(group: GroupKnown, catalog: Catalog) -> bool:
    """Whether a group has a weapon that pins, as only machine guns do."""
    for unit_id in group.counts:
        if any(catalog.weapons[weapon].pins for weapon in catalog.units[unit_id].weapons):
            return True
    return False


def idles_without_a_word(decision: Decision) -> bool:
    """It stays for a third turn without moving or firing, and does not say why."""
    if type(decision.action) is not StayPut or decision.order.idle < IDLE_TURNS:
        return False
    return "turns here now: " not in order_in_words(decision.order, decision.outlook)


def serves_its_gun_to_the_end(decision: Decision) -> bool:
    """The crew of an emplaced gun stays in the last turn in which it can still set out for
    ground where each man counts, though that is worth more."""
    order, task = decision.order, decision.task
    becomes = _abandons_as(decision)
    if becomes is None or not decision.aims.per_man or isinstance(decision.action, Abandon):
        return False
    on_foot = mover_of(GroupKnown("", "", {becomes: 1}), decision.catalog)
    eta = decision.outlook.board.paths.eta(on_foot, decision.here.cell, task.goal)
    if eta is None or eta == 0 or eta != task.turns_left:
        return False
    for option in order.considered:
        if isinstance(option.action, Abandon):
            return option.score.value > order.score.value
    return False


def drives_a_tank_among_men(decision: Decision) -> bool:
    """A tank ends a move beside two men or more, with none of its own there, while there is
    time."""
    action = decision.action
    if isinstance(action, LeaveTable) or not action.moves_from(decision.here.cell):
        return False
    if not _has_tank(action.stand.group, decision.catalog) or decision.turns_to_spare == 0:
        return False
    # Where its own men stand now or go to: a wave is weighed by the latter, a tank by the former.
    own = [*decision.other_groups, *decision.outlook.situation.own]
    if _men_beside(action.stand.cell, own, decision) > 0:
        return False
    return _men_beside(action.stand.cell, decision.enemies, decision) >= 2


def _has_tank(group: GroupKnown, catalog: Catalog) -> bool:
    """Whether an armored vehicle that fights, and carries nobody, is in the group."""
    for unit_id in group.counts:
        unit = catalog.units[unit_id]
        if unit.kind == "armored" and unit.moves and unit.weapons and not unit.seats:
            return True
    return False


def _men_beside(cell: GroundCell, stands: Sequence[Stand], decision: Decision) -> int:
    """How many men stand in a cell or in those that touch it."""
    men = 0
    for stand in stands:
        if apart(stand.cell, cell) <= BESIDE:
            men += decision.men(stand.group)
    return men


def keeps_a_reserve_idle(decision: Decision) -> bool:
    """A reserve stays where it is though it can just be in time where it is wanted, unless it is a
    carrier for which men wait."""
    if _has_men_coming(decision):
        return False
    task = decision.task
    is_wanted = task.role == "reserve" and task.worth > 0 and decision.here.cell != task.goal
    if not is_wanted or type(decision.action) is not StayPut:
        return False
    return decision.turns_to_spare == 0 and _is_free_to_go(decision)


def stays_at_sea(decision: Decision) -> bool:
    """Men stay in their craft where these could land, or go on toward the shore."""
    group = decision.here.group
    is_at_sea = is_in_craft(group, decision.catalog) and bool(group.aboard)
    if not is_at_sea or type(decision.action) is not StayPut:
        return False
    for option in decision.order.considered:
        if isinstance(option.action, GetOut) and not option.veto:
            return True
    return False


def misses_the_last_turn(decision: Decision) -> bool:
    """In the last turn it does not go to the ground that decides, though it can be there, there is
    room, nobody is in the way, and it would count."""
    task, counted = decision.task, decision.deciding_cells
    men = decision.men(decision.here.group)
    # Whoever stands on ground that decides may stay there.
    is_last_turn = task.turns_left == 1
    is_wanted = task.worth and task.goal in counted and decision.here.cell not in counted
    if not is_last_turn or not is_wanted or not men:
        return False
    own_cells = {stand.cell for stand in decision.outlook.situation.own}
    if task.goal in own_cells and not decision.aims.per_man:
        return False
    if not _can_enter(task.goal, men, decision):
        return False
    return decision.action.stand.cell not in counted


def _can_enter(cell: GroundCell, men: int, decision: Decision) -> bool:
    """Whether the group can be in a cell after this turn: it is in reach, has no enemy in it, and
    has room for its men."""
    paths = decision.outlook.board.paths
    if cell not in paths.cells_in_reach(decision.task.mover, decision.here.cell):
        return False
    if any(enemy.cell == cell for enemy in decision.enemies):
        return False
    return _room_taken_in(cell, decision) + men <= ROOM


def shows_a_load_to_machine_guns(decision: Decision) -> bool:
    """A loaded truck ends its move before a machine gun while there is time."""
    stand = decision.action.stand
    moves = decision.action.moves_from(decision.here.cell)
    is_loaded_truck = bool(stand.group.aboard) and is_soft(stand.group, decision.catalog)
    if not moves or not is_loaded_truck or isinstance(decision.action, GetOut):
        return False
    if decision.turns_to_spare <= 1:
        return False
    return decision.outlook.is_before_machine_gun(stand)


def crowds(decision: Decision) -> bool:
    """It goes where there is no room for it beside those who end the turn there."""
    action = decision.action
    if not isinstance(action, GoTo) or not action.moves_from(decision.here.cell):
        return False
    taken = _room_taken_in(action.stand.cell, decision)
    # A group alone may be larger than the room of a cell.
    return taken > 0 and taken + _room_for(action.stand.group, decision.catalog) > ROOM


def _room_taken_in(cell: GroundCell, decision: Decision) -> int:
    """The room that other groups take which end the turn in a cell."""
    room = 0
    for order in decision.turn.orders:
        goes_elsewhere = isinstance(order.action, Charge | LeaveTable | MountUp)
        ends_there = order.action.stand.cell == cell and not goes_elsewhere
        if ends_there and order.group != decision.order.group:
            room += _room_for(order.action.stand.group, decision.catalog)
    return room


def _room_for(group: GroupKnown, catalog: Catalog) -> int:
    """How much room a group takes: that of so many men."""
    room = 0
    for unit in group.units(catalog):
        if unit.is_guy:
            room += 1
        else:
            room += ROOM_FOR_A_MODEL
    return room


def _has_men_coming(decision: Decision) -> bool:
    """Whether men have the order to mount this group."""
    for order in decision.turn.orders:
        action = order.action
        if isinstance(action, MountUp) and action.carrier.group.id == decision.order.group:
            return True
    return False


def _kills_by_staying(order: GroupOrder) -> float:
    """What it kills where it is, weighed; 0 where it did not consider to stay."""
    for option in order.considered:
        if type(option.action) is StayPut:
            return option.score.weighed.kill
    return 0.0


def _is_free_to_go(decision: Decision) -> bool:
    """Whether a way nearer to its goal is open to it that costs little, and it kills nobody where
    it is."""
    if _kills_by_staying(decision.order) > 0:
        return False
    task = decision.task
    turns_to_goal = decision.outlook.board.paths.turns(task.mover, task.goal)
    from_here = turns_to_goal.get(decision.here.cell, NEVER)
    for option in decision.order.considered:
        is_nearer = turns_to_goal.get(option.action.stand.cell, NEVER) < from_here
        if type(option.action) is GoTo and is_nearer and not option.veto:
            # The first is the best of them: the options stand in the order of their scores.
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
    """An order that is wrong."""

    check: str
    """The name of the check that it fails."""
    where: str
    """The scenario, seed, side and turn."""
    words: str
    """His reasons, and how things stood."""


class Watched(PlannedCommander):
    """The solo commander, whose orders are looked at, and half of the time not followed."""

    def __init__(self, board: Board, plans: PlanMaker) -> None:
        super().__init__(board, plans)
        self.findings: list[Finding] = []
        self.situations = self.orders = 0
        self.milliseconds: list[float] = []
        self._name = ""
        self._at_random = RandomCommander(board, plans)
        self._whim = Random(0)

    def begin(self, name: str, seed: int) -> None:
        """Give him the name that findings have, and the seed of what he does not follow."""
        self._name = name
        self._whim.seed(seed)

    def actions(self, view: FieldView) -> list[Action]:
        began = time.process_time()
        turn = self.decide_turn(view)
        took = 1000 * (time.process_time() - began)
        self.milliseconds.append(took / max(len(turn.orders), 1))
        self.situations += 1
        self.orders += len(turn.orders)
        self.findings += self._wrong_orders(view, turn)
        if self._whim.random() < 0.5:
            return self._at_random.actions(view)
        return [order.action for order in turn.orders]

    def _wrong_orders(self, view: FieldView, turn: PlannedTurn) -> Iterator[Finding]:
        where = f"{self._name}, turn {view.turn}"
        ordered = Counter(order.group for order in turn.orders)
        groups = Counter(stand.group.id for stand in view.situation.own)
        if ordered != groups:
            yield Finding("has_no_order", where, str(groups - ordered))
        outlook = Outlook(self._board, view.situation, turn.tasks)
        for order in turn.orders:
            decision = Decision(order, turn, outlook, self._plans.aims)
            for check in CHECKS:
                if check(decision):
                    yield Finding(check.__name__, where, _reasons(decision))


def _reasons(decision: Decision) -> str:
    """The order and its reasons in his words, and how things stood."""
    task = decision.task
    enemies = [_stand_in_words(enemy) for enemy in decision.enemies]
    best_ways = sentences_of_ways(decision.order, decision.outlook)[:4]
    lines = [
        order_in_words(decision.order, decision.outlook),
        f"{_stand_in_words(decision.here)}, {task.role} for {_pair(task.goal)}, "
        f"worth {task.worth:.0f}, {task.turns_left} turns left, "
        f"to {_pair(decision.action.stand.cell)}",
        "enemies: " + "; ".join(enemies),
        *best_ways,
    ]
    return "\n    ".join(lines)


def _stand_in_words(stand: Stand) -> str:
    """Who is there, who is aboard, and where."""
    cover = ""
    if stand.cover:
        cover = " in cover"
    return f"{dict(stand.group.counts)} {dict(stand.group.aboard)} at {_pair(stand.cell)}{cover}"


def _pair(cell: GroundCell) -> str:
    """Column and row, without the names of the fields, which take much of a line."""
    return str(tuple(cell))


class FieldSeen(NamedTuple):
    """What was seen on one field."""

    situations: int
    orders: int
    findings: tuple[Finding, ...]
    milliseconds: tuple[float, ...]


def field_seen(seed: int) -> FieldSeen:
    """The field with this number, the scenarios in turn; he leads one side or both."""
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
        is_first_side = not watched
        if not is_first_side and chance.random() < 0.5:
            kind = chance.choice(OPPONENTS)
        commander = battle.commander(kind, side.id, temperament)
        commanders[side.id] = commander
        if isinstance(commander, Watched):
            commander.begin(f"scenario {number}, seed {seed}, {temperament} {side.id}", seed)
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
    """Field after field without an end; the caller stops when it has seen enough."""
    if cores == 1:
        for seed in itertools.count(first):
            yield field_seen(seed)
    # A few fields for each core, so that none waits long for the slowest of them.
    batch = 8 * cores
    with ProcessPoolExecutor(cores) as pool:
        for seed in itertools.count(first, batch):
            yield from pool.map(field_seen, range(seed, seed + batch))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--situations", type=int, default=10_000)
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    situations = orders = reported = 0
    wrong: Counter[str] = Counter()
    times: list[float] = []
    for field in fields_seen(arguments.seed, arguments.cores):
        situations += field.situations
        orders += field.orders
        times += field.milliseconds
        for finding in field.findings:
            wrong[finding.check] += 1
            if wrong[finding.check] <= PRINTED_IN_FULL:
                print(f"{finding.check}: {finding.where}\n    {finding.words}", flush=True)
        if situations >= reported + REPORT_EACH:
            print(f"{situations} situations, {orders} orders, {wrong.total()} wrong", flush=True)
            reported = situations - situations % REPORT_EACH
        if situations >= arguments.situations:
            break
    for check, count in wrong.most_common():
        print(f"{check}: {count} of {orders} orders")
    print(
        f"{situations} situations, {orders} orders, {wrong.total()} wrong; an order takes "
        f"{median_high(times):.0f} ms in the median turn, {max(times):.0f} ms at most"
    )
    return int(wrong.total() > 0)


if __name__ == "__main__":
    sys.exit(main())
