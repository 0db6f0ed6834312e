"""An order in a sentence with its reason in a second, and all that was weighed, to be unfolded.

``_what`` says what a group does. ``_reason`` finds the kind of the reason, and one of the functions
``_of_...`` after it says it in a sentence.
"""

from __future__ import annotations

from collections.abc import Sequence

from skirmish.games.plastic.commander.actions import (
    Abandon,
    Action,
    Charge,
    CutWire,
    DigIn,
    GetOut,
    GoBack,
    GoTo,
    LeaveTable,
    MountUp,
    Outlook,
    TakeCover,
)
from skirmish.games.plastic.commander.cells import GroundCell, apart
from skirmish.games.plastic.commander.leading import IDLE_TURNS, Considered, GroupOrder
from skirmish.games.plastic.commander.situation import Stand
from skirmish.games.plastic.rules.catalog import listed
from skirmish.tabletop.page import capital

NUMBER_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def said(order: GroupOrder, outlook: Outlook) -> str:
    """``First: to the upper left of D5. It is wanted in E5, with two turns to spare.``"""
    name = outlook.situation.own_stand(order.group).group.name
    together = ""
    if len(order.together) > 1:
        together = ", in one wave"
    draw = ""
    if order.drawn:
        draw = f" {capital(_number(order.drawn))} ways are equal; the draw says so."
    return f"{name}: {_what(order.action, outlook)}{together}. {_why(order, outlook)}{draw}"


def why(order: GroupOrder, outlook: Outlook) -> list[str]:
    """A line for each action that was weighed, the best first: its terms, in points, and its
    score; or why it is out of the question."""
    lines = []
    for option in order.considered:
        what = capital(_what(option.action, outlook))
        kill, ground, danger = option.score.weighed
        terms = f"kills {kill:.1f}, ground {ground:+.1f}, danger {danger:.1f}"
        line = f"{what}: {terms}; score {option.score.value:+.1f}."
        if option.veto:
            line = f"{line} Not done: {option.veto}"
        lines.append(line)
    return lines


# ------------------------------------------------------------------ what


def _what(action: Action, outlook: Outlook) -> str:
    """What a group does, to follow its name: ``charge Second in D4``."""
    cell = action.stand.cell
    square, place = cell.square, _place(action, outlook)
    here = outlook.situation.own_stand(action.group)
    match action:
        case Charge():
            return f"charge {action.enemy.group.name} in {square}"
        case DigIn():
            return f"dig in where it is, in {square}"
        case CutWire():
            return f"clear the wire in {_quarter(action.wire)}"
        case GetOut():
            return f"unload in {square}"
        case MountUp():
            return f"mount {action.carrier.group.name} in {square}"
        case LeaveTable():
            return f"leave the table at {square}"
        case Abandon():
            return f"leave the gun and go to {place} as riflemen"
        # To take cover and to go back are kinds of ``GoTo``: all other ways come after them.
        case TakeCover():
            return f"take cover in {place}"
        case GoBack() if _goes_away(action, outlook):
            return f"back to {place}"
        case GoTo() if square == here.cell.square:
            return f"on to {place}"
        case GoTo():
            return f"to {place}"
        case _:
            return f"stay in {square}"


def _goes_away(action: Action, outlook: Outlook) -> bool:
    """Whether the nearest enemy is no nearer to a group after this than before."""
    here = outlook.situation.own_stand(action.group).cell
    enemies = [enemy.cell for enemy in outlook.situation.enemies]
    if not enemies:
        return True
    before = min(apart(here, enemy) for enemy in enemies)
    return min(apart(action.stand.cell, enemy) for enemy in enemies) >= before


def _place(action: Action, outlook: Outlook) -> str:
    """``house 3 in E1``, ``the hedge in the upper left of E1``: by what players see there. Models
    enter neither woods nor houses ("only guys"): they are sent to the square beside them."""
    ground, cell = outlook.board.ground, action.stand.cell
    units = action.stand.group.units(outlook.board.catalog)
    on_foot = all(unit.is_guy for unit in units)
    building = ground.building(cell)
    if building and on_foot:
        return f"{building} in {cell.square}"
    cover = ground.cover_named(cell)
    may_be_there = on_foot or not ground.share(ground.woods, cell)
    if cover and may_be_there:
        return f"{cover} in {_quarter(cell)}"
    return _quarter(cell)


def _quarter(cell: GroundCell) -> str:
    """``the upper left of E1``: the cell by its quarter of a square of the map."""
    height, side = "upper", "right"
    if cell.in_lower_half:
        height = "lower"
    if cell.in_left_half:
        side = "left"
    return f"the {height} {side} of {cell.square}"


# ------------------------------------------------------------------ why


def _why(order: GroupOrder, outlook: Outlook) -> str:
    """The reason in a sentence; after idle turns with their number before it."""
    task = outlook.tasks[order.group]
    stays = order.action.stays
    reason = _reason(order, outlook, stays=stays)
    goal_counts = task.worth > 0 and not task.ward
    at_goal = order.action.stand.cell == task.goal
    if at_goal and goal_counts and order.reason == "ground":
        reason = "That is the ground that counts."
    if stays and order.idle >= IDLE_TURNS:
        turns = capital(_number(order.idle + 1))
        reason = f"{turns} turns here now: {reason[0].lower()}{reason[1:]}"
    return reason


def _reason(order: GroupOrder, outlook: Outlook, *, stays: bool) -> str:
    """What decided, as a sentence: what is not a matter of scores first, then what is forbidden,
    then the term of the score that speaks for the order."""
    if order.because:
        return order.because
    if isinstance(order.action, Charge):
        return _of_charge(order, order.action, outlook)
    if isinstance(order.action, CutWire):
        return _of_wire(order.action, outlook)
    group = outlook.situation.own_stand(order.group).group
    if group.waiting:
        return "It waits to be served, and neither moves nor fires before that."
    forbidden = _forbidden(order)
    if stays and forbidden:
        return forbidden
    if order.reason is None:
        vetoes = [option.veto for option in order.considered if option.veto]
        if vetoes:
            return vetoes[0]
        return "There is nothing else that it can do."
    return _of_term(order, outlook, stays=stays)


def _of_term(order: GroupOrder, outlook: Outlook, *, stays: bool) -> str:
    """The term of the score that speaks for the order."""
    if order.reason == "kill" and not stays and not order.score.weighed.kill:
        # Nothing speaks for it but that it goes on, or a draw: the way is all there is to say.
        if order.action.brings_nearer(outlook):
            return _of_ground(order, outlook)
        return _of_danger(order, outlook, stays=stays)
    if order.reason == "kill":
        return _of_kills(order, outlook, stays=stays)
    if order.reason == "danger":
        return _of_danger(order, outlook, stays=stays)
    return _of_ground(order, outlook)


def _forbidden(order: GroupOrder) -> str:
    """Why it does not do what would be worth most of all, if that is out of the question."""
    vetoed = [option for option in order.considered if option.veto]
    if not vetoed:
        return ""
    best = max(vetoed, key=_value)
    if best.score.value <= order.score.value:
        return ""
    return best.veto


def _value(option: Considered) -> float:
    return option.score.value


def _of_charge(order: GroupOrder, action: Charge, outlook: Outlook) -> str:
    """How many fight how many, or what the chance against a model is."""
    groups: Sequence[str] = order.together or (order.group,)
    men = 0
    for group in groups:
        men += sum(outlook.situation.own_stand(group).group.counts.values())
    outcome = outlook.board.contact.of(outlook.situation, list(groups), action.enemy)
    if outcome.chance is not None:
        return f"The chance to destroy it is about {round(outcome.chance * 10)} in 10."
    enemies = sum(action.enemy.group.counts.values())
    return f"{capital(_number(men))} against {_number(enemies)}."


def _of_wire(action: CutWire, outlook: Outlook) -> str:
    """The groups for which wire is cleared."""
    waiting = []
    for group in action.held_up(outlook):
        if group != action.group:
            waiting.append(outlook.situation.own_stand(group).group.name)
    if not waiting:
        return "It bars its way."
    return f"It bars the way of {listed(waiting)}."


def _of_kills(order: GroupOrder, outlook: Outlook, *, stays: bool) -> str:
    """Whom it can fire at where it is then."""
    target = _best_target(order.action.stand, outlook)
    if target is None and stays:
        return "Nobody is in its reach, and nothing calls it elsewhere."
    if target is None and outlook.tasks[order.group].worth > 0:
        return _of_ground(order, outlook)  # of ways that are equal, none kills anybody
    if target is None:
        return "Nobody is in its reach yet."
    if stays:
        return f"From here it can fire at {target}."
    return f"From there it can fire at {target}."


def _of_danger(order: GroupOrder, outlook: Outlook, *, stays: bool) -> str:
    """Who can hit it where it is then."""
    seen_by = _seeing(order.action.stand, outlook)
    if len(order.together) > 1:
        return "Alone, each would draw all of their fire."
    if stays and not seen_by:
        return "Nobody can hit it there."
    if stays:
        return "On any way it would lose more."
    if not seen_by:
        return "Nobody can hit it there."
    return f"It is safer there, though {listed(seen_by[:2])} can fire at it."


def _of_ground(order: GroupOrder, outlook: Outlook) -> str:
    """Where it is wanted, and how much time it has."""
    task = outlook.tasks[order.group]
    if task.ward and task.role == "escort":
        return f"It is to stay with {task.ward}."
    if task.ward:
        return f"It is to serve {task.ward} there."
    spare = outlook.spare(order.group)
    if spare < 0:
        return "It is late, but the way is free."
    if spare == 0:
        return "There is no turn to lose."
    turns = "turns"
    if spare == 1:
        turns = "turn"
    if order.action.stand.cell == task.goal:
        return f"{capital(_number(spare))} {turns} to spare."
    return f"It is wanted in {task.goal.square}, with {_number(spare)} {turns} to spare."


def _seeing(stand: Stand, outlook: Outlook) -> list[str]:
    """The enemy groups that can hurt a group where it stands."""
    fire = outlook.board.fire
    seeing = []
    for enemy in outlook.situation.enemies:
        kills = 0.0
        for guns in fire.guns_of([enemy]):
            for shootable in fire.shootables_of(stand.group):
                kills += fire.kills(guns, shootable, stand)
        if kills:
            seeing.append(enemy.group.name)
    return seeing


def _best_target(stand: Stand, outlook: Outlook) -> str | None:
    """The enemy group of which a group kills most by one shot of each weapon."""
    fire = outlook.board.fire
    best_target, most_points = None, 0.0
    for enemy in outlook.situation.enemies:
        for shootable in fire.shootables_of(enemy.group):
            points = 0.0
            for guns in fire.guns_of([stand]):
                kills = fire.kills(guns, shootable, enemy)
                points += kills * guns.number * shootable.mean_price
            if points > most_points:
                best_target, most_points = enemy.group.name, points
    return best_target


def _number(number: int) -> str:
    """A number up to ten in a word, ``two``; a larger one in digits."""
    if number < len(NUMBER_WORDS):
        return NUMBER_WORDS[number]
    return str(number)
