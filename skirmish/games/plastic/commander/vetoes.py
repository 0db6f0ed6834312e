"""What a commander does not do, whatever its score. Each veto gives its reason in a sentence.

The vetoes are against what players complain of in such programs: an objective is given up, a
machine gun walks out of its cover, a tank drives among engineers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from skirmish.games.plastic.commander.actions import (
    LITTLE_TIME,
    Abandon,
    Action,
    Charge,
    GetOut,
    LeaveTable,
)
from skirmish.games.plastic.commander.cells import CELL, TOUCHING, GroundCell, apart
from skirmish.games.plastic.commander.moves import ActionScore
from skirmish.games.plastic.commander.outlook import Outlook
from skirmish.games.plastic.commander.situation import (
    GroupKnown,
    Stand,
    is_soft,
    is_tank,
    reach_of_machine_guns,
)
from skirmish.games.plastic.commander.terms import duel_odds
from skirmish.games.plastic.rules.catalog import Catalog

MEN_AT_A_TANK = 2
"""The number of enemy men within reach of a tank that kill it too often."""
CANNON_RANGE = 36
"""Inches within which cannon are taken to decide a duel."""
CANNON_HITS = 5 / 12
"""The chance that a cannon hits: five of the twelve ranks of a deck. It is taken to be the same for
both sides, so that only the numbers of cannon decide a duel."""
TURNS_AWAY = 3
"""With at least so many turns to spare, an objective may be left for cover beside it."""
TURNS_SOON = 4
"""Turns: if no enemy can come to an objective within so many, its men may go where they are
wanted."""
WORTH_LEAVING_COVER = 2
"""A machine gun leaves its cover for at least so many times the kills that it has there."""
TOO_FEW = "There are too few of us for men in cover."
"""Why a single group does not charge; several together may be enough."""
MEN_FOR_EACH_IN_COVER = 2
"""The number of men who have to charge for each man in cover; with a grenade among them, any number
is enough."""


def veto(
    action: Action,
    score: ActionScore,
    staying: ActionScore,
    outlook: Outlook,
    others: Sequence[Stand] | None = None,
) -> str:
    """Why an action is out of the question; empty if it is not. ``staying``: the score of staying;
    ``others``: where the other groups of the side are after it, if not where they are now: in one
    wave several go at once."""
    # A group may always stay, and to leave the table is what victory asks for.
    if action.stays or isinstance(action, LeaveTable):
        return ""
    if others is None:
        others = [stand for stand in outlook.situation.own if stand.group.id != action.group]
    return next(_reasons(action, score, staying, outlook, others), "")


def _reasons(
    action: Action,
    score: ActionScore,
    staying: ActionScore,
    outlook: Outlook,
    others: Sequence[Stand],
) -> Iterator[str]:
    """Every reason why an action is out of the question."""
    here = outlook.situation.own_stand(action.group)
    if _gives_up_objective(action, here, outlook):
        yield "What it holds would stand empty."
    if _leaves_cover_for_less(action, here, score, staying, outlook):
        yield "Its gun is in cover, and would not kill twice as much elsewhere."
    if isinstance(action, Charge) and too_few([here], action.enemy, outlook):
        yield TOO_FEW
    if _is_tank_among_men(action, outlook, others):
        yield "Men would reach it there, and nobody goes with it."
    if _loses_the_duel(action, here, outlook, others):
        yield "Too few of our guns would meet too many of theirs."
    if _exposes_a_load(action, outlook):
        yield "Loaded, it would be in reach of a machine gun."
    if outlook.tasks[action.group].turns_left == 1:
        return  # in the last turn only the ground counts, and roles no longer do
    if _comes_too_near(action, outlook):
        yield "It is to keep off the enemy."
    if _leaves_its_ward(action, here, outlook):
        yield "It is to stay with the tanks."


def _gives_up_objective(action: Action, here: Stand, outlook: Outlook) -> bool:
    """Whether the last men would leave an objective. They may leave it for another one at which
    they are wanted, or, with time to come back, for cover beside it; in each case only while no
    enemy can take it meanwhile."""
    if not action.moves_from(here.cell) or isinstance(action, GetOut):
        return False  # men who get out are still beside it
    if not _holds_ground(action.group, here, outlook) or _others_hold_it(action, here, outlook):
        return False
    if any(enemy.cell == here.cell for enemy in outlook.situation.enemies):
        return False  # it is not held, but fought for
    if _goes_to_help(action.group, here, outlook):
        return False
    to_cover_beside = apart(action.stand.cell, here.cell) <= TOUCHING and action.stand.cover
    if to_cover_beside and outlook.turns_to_spare(action.group) >= TURNS_AWAY:
        return _enemy_can_reach(here.cell, outlook, turns=1)
    return True


def _goes_to_help(group: str, here: Stand, outlook: Outlook) -> bool:
    """Whether a group is wanted at other ground that decides, can be there in time, and leaves
    ground to which no enemy can come soon."""
    task = outlook.tasks[group]
    wanted_elsewhere = task.goal in outlook.deciding_cells and task.goal != here.cell
    if not wanted_elsewhere or outlook.turns_to_spare(group) < 1:
        return False
    return not _enemy_can_reach(here.cell, outlook, turns=TURNS_SOON)


def _holds_ground(group: str, here: Stand, outlook: Outlook) -> bool:
    """Whether a group stands on its own objective, or its men on ground that decides who wins."""
    task = outlook.tasks[group]
    if here.cell in outlook.deciding_cells and here.group.men_on_foot(outlook.board.catalog):
        return True
    # An escort's goal is where its ward is, which moves on; a raid only passes through its goal.
    if task.ward or task.role == "raid":
        return False
    return here.cell == task.goal and task.worth > 0


def _others_hold_it(action: Action, here: Stand, outlook: Outlook) -> bool:
    """Whether another group of the side holds the same cell. Where men decide who holds the ground,
    models alone do not."""
    men_decide = here.cell in outlook.deciding_cells
    for stand in outlook.situation.own:
        if stand.group.id == action.group or stand.cell != here.cell:
            continue
        if not men_decide or stand.group.men_on_foot(outlook.board.catalog) > 0:
            return True
    return False


def too_few(charging: Sequence[Stand], enemy: Stand, outlook: Outlook) -> bool:
    """Whether so few charge men in cover that they would do as well by firing from afar."""
    catalog = outlook.board.catalog
    if not enemy.cover or any("grenade" in stand.group.counts for stand in charging):
        return False
    men = sum(stand.group.men_on_foot(catalog) for stand in charging)
    return men < MEN_FOR_EACH_IN_COVER * enemy.group.men_on_foot(catalog)


def _enemy_can_reach(cell: GroundCell, outlook: Outlook, *, turns: int) -> bool:
    """Whether any group of the enemy can be in a cell within so many turns."""
    for enemy in outlook.situation.enemies:
        mover = outlook.board.mover(enemy.group)
        eta = outlook.board.paths.eta(mover, enemy.cell, cell)
        if eta is not None and eta <= turns:
            return True
    return False


def _leaves_cover_for_less(
    action: Action, here: Stand, score: ActionScore, staying: ActionScore, outlook: Outlook
) -> bool:
    """Whether a machine gun with a target would leave its cover for too little. It may leave it for
    twice the kills, or in the last turn in which it can still reach its objective."""
    if not here.cover or action.stand.cover or not action.moves_from(here.cell):
        return False
    if isinstance(action, Abandon):
        return False  # the crew leaves its gun for good, which its score weighs
    if not reach_of_machine_guns(here.group, outlook.board.catalog) or staying.weighed.kill <= 0:
        return False
    if not here.group.men_on_foot(outlook.board.catalog):
        return False  # a tank with a machine gun: only guys and cannon are in cover
    if outlook.tasks[action.group].worth > 0 and outlook.turns_to_spare(action.group) == 0:
        return False
    return score.weighed.kill < WORTH_LEAVING_COVER * staying.weighed.kill


def _is_tank_among_men(action: Action, outlook: Outlook, others: Sequence[Stand]) -> bool:
    """Whether a tank would end its move within reach of enemy men (``MEN_AT_A_TANK``), without men
    of its own side beside it. It does so all the same if it has no turn to spare."""
    catalog = outlook.board.catalog
    if not is_tank(action.stand.group, catalog) or outlook.turns_to_spare(action.group) == 0:
        return False
    cell = action.stand.cell
    men = 0
    for enemy in outlook.situation.enemies:
        if apart(enemy.cell, cell) <= TOUCHING:
            men += enemy.group.men_on_foot(catalog)
    if men < MEN_AT_A_TANK:
        return False
    for stand in others:
        if apart(stand.cell, cell) <= TOUCHING and stand.group.men_on_foot(catalog):
            return False
    return True


def _loses_the_duel(action: Action, here: Stand, outlook: Outlook, others: Sequence[Stand]) -> bool:
    """Whether models would come into reach of more enemy cannon than now, and be too weak for
    these even together with all other groups of the side that can fire at them. They go all the
    same if they have no turn to spare."""
    catalog = outlook.board.catalog
    own = _number_of_cannon(action.stand.group, catalog)
    if own == 0 or outlook.turns_to_spare(action.group) == 0:
        return False
    in_range_now = _within_cannon_range(outlook.situation.enemies, here.cell)
    in_range_then = _within_cannon_range(outlook.situation.enemies, action.stand.cell)
    cannon_now = sum(_number_of_cannon(enemy.group, catalog) for enemy in in_range_now)
    cannon_then = sum(_number_of_cannon(enemy.group, catalog) for enemy in in_range_then)
    if cannon_then <= cannon_now:
        return False
    armed = [enemy for enemy in in_range_then if _number_of_cannon(enemy.group, catalog) > 0]
    for stand in others:
        if any(apart(stand.cell, enemy.cell) <= CANNON_RANGE for enemy in armed):
            own += _number_of_cannon(stand.group, catalog)
    odds = duel_odds(own, CANNON_HITS, cannon_then, CANNON_HITS)
    return odds < outlook.board.temperament.least_odds


def _within_cannon_range(stands: Sequence[Stand], cell: GroundCell) -> list[Stand]:
    """Those of the groups that are within the range of cannon of a cell."""
    return [stand for stand in stands if apart(stand.cell, cell) <= CANNON_RANGE]


def _exposes_a_load(action: Action, outlook: Outlook) -> bool:
    """Whether a loaded model without armor would end its move in reach and sight of a machine
    gun, though it has time and could unload."""
    group = action.stand.group
    if not group.aboard or not is_soft(group, outlook.board.catalog):
        return False
    if isinstance(action, GetOut) or outlook.turns_to_spare(action.group) <= LITTLE_TIME:
        return False
    return outlook.is_before_machine_gun(action.stand)


def _comes_too_near(action: Action, outlook: Outlook) -> bool:
    """Whether a group whose role is to keep off the enemy would end its move too near to him."""
    role = outlook.board.weights.roles[outlook.tasks[action.group].role]
    if role.keeps_off == 0:
        return False
    if isinstance(action, Charge):
        return True
    for enemy in outlook.situation.enemies:
        if apart(enemy.cell, action.stand.cell) <= role.keeps_off:
            return True
    return False


def _leaves_its_ward(action: Action, here: Stand, outlook: Outlook) -> bool:
    """Whether an escort would end its move too far from the nearest tank. If it is too far already,
    it only must not go farther away."""
    role = outlook.board.weights.roles[outlook.tasks[action.group].role]
    if role.stays_within == 0:
        return False
    tanks = []
    for stand in outlook.situation.own:
        if is_tank(stand.group, outlook.board.catalog):
            tanks.append(stand.cell)
    if not tanks:
        return False
    before = min(apart(here.cell, tank) for tank in tanks)
    after = min(apart(action.stand.cell, tank) for tank in tanks)
    # Half a cell is allowed for, since distances are measured from middle to middle of cells.
    return after > max(role.stays_within, before) + CELL / 2


# ------------------------------------------------------------------ of a group


def _number_of_cannon(group: GroupKnown, catalog: Catalog) -> int:
    """How many models of a group have a weapon that kills armor from afar."""
    number = 0
    for id, count in group.counts.items():
        unit = catalog.units[id]
        has_cannon = any(_kills_armor_from_afar(weapon, catalog) for weapon in unit.weapons)
        if has_cannon and not unit.is_guy:
            number += count
    return number


def _kills_armor_from_afar(weapon: str, catalog: Catalog) -> bool:
    """Whether a weapon, by its id, can kill armor without touching it."""
    kill = catalog.weapons[weapon].armored
    return kill is not None and not kill.touch
