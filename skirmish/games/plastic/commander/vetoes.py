"""What a commander does not do, whatever its score: each veto says why, in a sentence.

They come from what players of such engines complain of: an objective given up, a machine gun that
walks out of its cover, a tank among engineers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from skirmish.games.plastic.commander.actions import (
    LAST_CHANCE,
    Abandon,
    Action,
    Charge,
    GetOut,
    LeaveTable,
    Outlook,
    before_machine_gun,
    is_soft,
    is_tank,
    machine_gun_reach,
)
from skirmish.games.plastic.commander.cells import CELL, GroundCell, apart
from skirmish.games.plastic.commander.moves import ActionScore, mover_of
from skirmish.games.plastic.commander.situation import GroupKnown, Stand
from skirmish.games.plastic.commander.terms import duel_odds
from skirmish.games.plastic.rules.catalog import Catalog

TOUCHING = CELL * 1.5
"""Inches between the middles of cells that touch, at a corner too."""
MEN_AT_A_TANK = 2
"""So many enemy men who reach a tank kill it too often."""
CANNON_RANGE = 36
"""Inches within which cannon are taken to decide a duel."""
CANNON_HITS = 5 / 12
"""The chance that a cannon hits, taken as alike for both sides: their numbers decide the duel."""
TURNS_AWAY = 3
"""With so many turns to spare, an objective may be left for cover beside it."""
SOON = 4
"""Ground to which no enemy can come within so many turns may be left for other ground where many
are."""
WORTH_LEAVING_COVER = 2
"""So many times the kills must be had in the open for a machine gun to leave its cover."""
TOO_FEW = "There are too few of us for men in cover."
"""Why one group alone does not charge; several together may be enough."""
ENOUGH = 2
"""So many men to each man in cover make a charge worth while; a single man with grenades does so,
too."""


def veto(
    action: Action,
    score: ActionScore,
    hold: ActionScore,
    outlook: Outlook,
    others: Sequence[Stand] | None = None,
) -> str:
    """Why an action is out of the question; empty if it is not. ``hold``: the score of staying;
    ``others``: where the other groups of the side are then, if they go in one wave."""
    if action.stays or isinstance(action, LeaveTable):
        return ""
    beside = others
    if beside is None:
        beside = [stand for stand in outlook.situation.own if stand.group.id != action.group]
    for reason in _reasons(action, score, hold, outlook, beside):
        return reason
    return ""


def _reasons(
    action: Action,
    score: ActionScore,
    hold: ActionScore,
    outlook: Outlook,
    others: Sequence[Stand],
) -> Iterator[str]:
    """All sentences that say why an action is out of the question."""
    here = outlook.situation.own_stand(action.group)
    if _gives_up_objective(action, here, outlook):
        yield "What it holds would stand empty."
    if _leaves_cover_for_less(action, here, score, hold, outlook):
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
        return  # roles end with the battle: now it counts who stands where
    if _comes_too_near(action, outlook):
        yield "It is to keep off the enemy."
    if _leaves_its_ward(action, here, outlook):
        yield "It is to stay with the tanks."


def _gives_up_objective(action: Action, here: Stand, outlook: Outlook) -> bool:
    """Whether the last men would leave an objective. They may leave it for cover beside it, if
    there is time and no enemy could be there first, or for another one at which they are wanted, if
    no enemy is near."""
    if not action.moves_from(here.cell) or isinstance(action, GetOut):
        return False
    if not _holds_ground(action.group, here, outlook) or _others_hold_it(action, here, outlook):
        return False
    if any(enemy.cell == here.cell for enemy in outlook.situation.enemies):
        return False  # it is not held, but fought for
    if _goes_to_help(action.group, here, outlook):
        return False
    beside = apart(action.stand.cell, here.cell) <= TOUCHING and action.stand.cover
    if beside and outlook.spare(action.group) >= TURNS_AWAY:
        return any(_reaches(enemy, here.cell, outlook) for enemy in outlook.situation.enemies)
    return True


def _goes_to_help(group: str, here: Stand, outlook: Outlook) -> bool:
    """Whether a group is wanted at other ground that decides, can be there in time, and no enemy
    can be here soon."""
    task = outlook.tasks[group]
    wanted = task.goal in outlook.deciding_cells and task.goal != here.cell
    if not wanted or outlook.spare(group) < 1:
        return False
    return not any(_reaches(enemy, here.cell, outlook, SOON) for enemy in outlook.situation.enemies)


def _holds_ground(group: str, here: Stand, outlook: Outlook) -> bool:
    """Whether a group stands on its own objective, or its men on ground that decides."""
    task = outlook.tasks[group]
    if here.cell in outlook.deciding_cells and _men(here.group, outlook.board.catalog):
        return True
    if task.ward:
        return False  # what it goes with will go on
    return here.cell == task.goal and task.worth > 0 and task.role != "raid"


def _others_hold_it(action: Action, here: Stand, outlook: Outlook) -> bool:
    """Whether another group of the side is in the same cell and holds it, too. Models hold no
    ground that decides."""
    for stand in outlook.situation.own:
        if stand.group.id == action.group or stand.cell != here.cell:
            continue
        if here.cell not in outlook.deciding_cells or _men(stand.group, outlook.board.catalog):
            return True
    return False


def too_few(charging: Sequence[Stand], enemy: Stand, outlook: Outlook) -> bool:
    """Whether so few charge men in cover that rifles of both sides would do as well from afar."""
    catalog = outlook.board.catalog
    if not enemy.cover or any("grenade" in stand.group.counts for stand in charging):
        return False
    men = sum(_men(stand.group, catalog) for stand in charging)
    return men < ENOUGH * _men(enemy.group, catalog)


def _reaches(enemy: Stand, cell: GroundCell, outlook: Outlook, turns: int = 1) -> bool:
    """Whether a group of the enemy can be there in so many turns."""
    mover = mover_of(enemy.group, outlook.board.catalog)
    eta = outlook.board.paths.eta(mover, enemy.cell, cell)
    return eta is not None and eta <= turns


def _leaves_cover_for_less(
    action: Action, here: Stand, score: ActionScore, hold: ActionScore, outlook: Outlook
) -> bool:
    """Whether a machine gun with a target would leave its cover for too little: it may for twice
    the kills, or in the last turn in which its objective can be reached."""
    if not here.cover or action.stand.cover or not action.moves_from(here.cell):
        return False
    if isinstance(action, Abandon):
        return False  # it leaves its gun for good, and knows its time
    if not machine_gun_reach(here.group, outlook.board.catalog) or hold.weighed.kill <= 0:
        return False
    if not _men(here.group, outlook.board.catalog):
        return False  # a tank has a machine gun, but no cover: that is for guys and cannon
    if outlook.tasks[action.group].worth > 0 and outlook.spare(action.group) == 0:
        return False
    return score.weighed.kill < WORTH_LEAVING_COVER * hold.weighed.kill


def _is_tank_among_men(action: Action, outlook: Outlook, others: Sequence[Stand]) -> bool:
    """Whether a tank would end its move within reach of two men, without men of its own side
    beside it."""
    catalog = outlook.board.catalog
    if not is_tank(action.stand.group, catalog) or outlook.spare(action.group) == 0:
        return False
    cell, men = action.stand.cell, 0
    for enemy in outlook.situation.enemies:
        if apart(enemy.cell, cell) <= TOUCHING:
            men += _men(enemy.group, catalog)
    if men < MEN_AT_A_TANK:
        return False
    for stand in others:
        if apart(stand.cell, cell) <= TOUCHING and _men(stand.group, catalog):
            return False
    return True


def _loses_the_duel(action: Action, here: Stand, outlook: Outlook, others: Sequence[Stand]) -> bool:
    """Whether models would come into reach of more enemy cannon than before, and be too weak for
    them together with all others of the side that can fire at these cannon then."""
    catalog = outlook.board.catalog
    own = _cannon(action.stand.group, catalog)
    if not own or outlook.spare(action.group) == 0:
        return False
    opposing = _with_cannon_near(outlook.situation.enemies, action.stand.cell, catalog)
    before = _with_cannon_near(outlook.situation.enemies, here.cell, catalog)
    opposed = sum(_cannon(enemy.group, catalog) for enemy in opposing)
    if opposed <= sum(_cannon(enemy.group, catalog) for enemy in before):
        return False
    for stand in others:
        if any(apart(stand.cell, enemy.cell) <= CANNON_RANGE for enemy in opposing):
            own += _cannon(stand.group, catalog)
    odds = duel_odds(own, CANNON_HITS, opposed, CANNON_HITS)
    return odds < outlook.board.temperament.least_odds


def _with_cannon_near(stands: Sequence[Stand], cell: GroundCell, catalog: Catalog) -> list[Stand]:
    """The groups that have cannon within reach of a cell."""
    near = []
    for stand in stands:
        if _cannon(stand.group, catalog) and apart(stand.cell, cell) <= CANNON_RANGE:
            near.append(stand)
    return near


def _exposes_a_load(action: Action, outlook: Outlook) -> bool:
    """Whether a loaded model without armor would end its move in reach and sight of a machine
    gun."""
    catalog = outlook.board.catalog
    group = action.stand.group
    loaded = bool(group.aboard) and is_soft(group, catalog) and not isinstance(action, GetOut)
    if not loaded or outlook.spare(action.group) <= LAST_CHANCE:
        return False
    return before_machine_gun(outlook, action.stand)


def _comes_too_near(action: Action, outlook: Outlook) -> bool:
    """Whether a group whose role keeps off the enemy ends its move too near to him."""
    role = outlook.board.weights.roles[outlook.tasks[action.group].role]
    if not role.keeps_off:
        return False
    if isinstance(action, Charge):
        return True
    for enemy in outlook.situation.enemies:
        if apart(enemy.cell, action.stand.cell) <= role.keeps_off:
            return True
    return False


def _leaves_its_ward(action: Action, here: Stand, outlook: Outlook) -> bool:
    """Whether an escort would be farther from the nearest tank than it may. It may always come
    nearer."""
    role = outlook.board.weights.roles[outlook.tasks[action.group].role]
    if not role.stays_within:
        return False
    tanks = []
    for stand in outlook.situation.own:
        if is_tank(stand.group, outlook.board.catalog):
            tanks.append(stand.cell)
    if not tanks:
        return False
    before = min(apart(here.cell, tank) for tank in tanks)
    after = min(apart(action.stand.cell, tank) for tank in tanks)
    # Half a cell more, since cells are measured from middle to middle.
    return after > max(role.stays_within, before) + CELL / 2


# ------------------------------------------------------------------ of a group


def _men(group: GroupKnown, catalog: Catalog) -> int:
    return sum(count for id, count in group.counts.items() if catalog.units[id].is_guy)


def _cannon(group: GroupKnown, catalog: Catalog) -> int:
    """How many models of a group fight models from afar."""
    number = 0
    for id, count in group.counts.items():
        unit = catalog.units[id]
        if not unit.is_guy and any(_fights_models(weapon, catalog) for weapon in unit.weapons):
            number += count
    return number


def _fights_models(weapon: str, catalog: Catalog) -> bool:
    """Whether a weapon can kill armor without touching it."""
    kill = catalog.weapons[weapon].armored
    return kill is not None and not kill.touch
