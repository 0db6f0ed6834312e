"""The commander's orders in words: what a group is to do and why, in a sentence each, and all the
actions that were weighed for it.

"It" is the group that gets the order. The reason is chosen in ``_reason``, and one of the functions
``_reason_of_...`` below words it.
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
    TakeCover,
)
from skirmish.games.plastic.commander.best_order import IDLE_TURNS
from skirmish.games.plastic.commander.cells import GroundCell, apart
from skirmish.games.plastic.commander.group_order import Considered, GroupOrder
from skirmish.games.plastic.commander.outlook import Outlook
from skirmish.games.plastic.commander.situation import Stand
from skirmish.games.plastic.rules.catalog import listed
from skirmish.tabletop.page import capital

MOST_THREATS = 2
"""The most enemy groups that are named in a reason."""
NUMBER_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def order_in_words(order: GroupOrder, outlook: Outlook) -> str:
    """``First: to the upper left of D5. It is wanted in E5, with two turns to spare.``"""
    name = outlook.situation.own_stand(order.group).group.name
    together = ""
    if len(order.together) > 1:
        together = ", in one wave"
    draw = ""
    # ``drawn`` is the number of equal ways among which a draw decided.
    if order.drawn > 0:
        draw = f" {capital(_number(order.drawn))} ways are equal; a draw chose this one."
    reason = _reason_with_idle_turns(order, outlook)
    return f"{name}: {_action_in_words(order.action, outlook)}{together}. {reason}{draw}"


def sentences_of_ways(order: GroupOrder, outlook: Outlook) -> list[str]:
    """A line for each action that was weighed, the best first: its terms, in points, its score, and
    perhaps why it is out of the question."""
    lines = []
    for option in order.considered:
        what = capital(_action_in_words(option.action, outlook))
        kill, ground, danger = option.score.weighed
        terms = f"kills {kill:.1f}, ground {ground:+.1f}, danger {danger:.1f}"
        line = f"{what}: {terms}; score {option.score.value:+.1f}."
        if option.veto:
            line = f"{line} Not done: {option.veto}"
        lines.append(line)
    return lines


# ------------------------------------------------------------------ the action


def _action_in_words(action: Action, outlook: Outlook) -> str:
    """What a group does, in words that follow its name: ``charge Second in D4``."""
    square = action.stand.cell.square
    square_now = outlook.situation.own_stand(action.group).cell.square
    place = _place(action, outlook)
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
        # These two are kinds of ``GoTo``, so they come before it. A ``GoBack`` that brings the
        # group nearer to the enemy is worded like any other move.
        case TakeCover():
            return f"take cover in {place}"
        case GoBack() if _goes_away(action, outlook):
            return f"back to {place}"
        case GoTo() if square == square_now:
            return f"on to {place}"
        case GoTo():
            return f"to {place}"
        case _:
            return f"stay in {square}"


def _goes_away(action: Action, outlook: Outlook) -> bool:
    """Whether an action brings a group no nearer to the nearest enemy."""
    here = outlook.situation.own_stand(action.group).cell
    enemies = [enemy.cell for enemy in outlook.situation.enemies]
    if not enemies:
        return True
    before = min(apart(here, enemy) for enemy in enemies)
    after = min(apart(action.stand.cell, enemy) for enemy in enemies)
    return after >= before


def _place(action: Action, outlook: Outlook) -> str:
    """``house 3 in E1``, ``the hedge in the upper left of E1``: where a group goes, by what players
    see there. Models enter neither woods nor houses ("only guys"): in a cell with some of these,
    the place of a model is just the quarter of the square."""
    ground, cell = outlook.board.ground, action.stand.cell
    units = action.stand.group.units(outlook.board.catalog)
    on_foot = all(unit.is_guy for unit in units)
    building = ground.building(cell)
    if building and on_foot:
        return f"{building} in {cell.square}"
    cover = ground.cover_named(cell)
    has_woods = ground.share(ground.woods, cell) > 0
    can_use_cover = on_foot or not has_woods
    if cover and can_use_cover:
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


# ------------------------------------------------------------------ the reason


def _reason_with_idle_turns(order: GroupOrder, outlook: Outlook) -> str:
    """The reason in a sentence. If the group has been idle for some turns, their number comes
    first."""
    reason = _reason(order, outlook)
    if order.action.stays and order.idle >= IDLE_TURNS:
        turns = capital(_number(order.idle + 1))  # this turn included
        reason = f"{turns} turns here now: {reason[0].lower()}{reason[1:]}"
    return reason


def _reason(order: GroupOrder, outlook: Outlook) -> str:
    """What decided, in a sentence: the objective that it reaches, else what is not a matter of
    scores, else a veto against something better, else the term of the score that speaks most for
    the order."""
    task = outlook.tasks[order.group]
    at_goal = order.action.stand.cell == task.goal
    # The goal of a group with a ward is only where its ward stands.
    goal_counts = task.worth > 0 and not task.ward
    if at_goal and goal_counts and order.main_term == "ground":
        return "That is the ground that counts."
    if order.because:
        return order.because
    if isinstance(order.action, Charge):
        return _reason_of_charge(order, order.action, outlook)
    if isinstance(order.action, CutWire):
        return _reason_of_wire(order.action, outlook)
    group = outlook.situation.own_stand(order.group).group
    if group.waiting:
        return "It waits to be served, and neither moves nor fires before that."
    veto = _veto_of_better(order)
    if order.action.stays and veto:
        return veto
    if order.main_term is None:  # nothing else was allowed
        vetoes = [option.veto for option in order.considered if option.veto]
        if vetoes:
            return vetoes[0]
        return "There is nothing else that it can do."
    return _reason_of_term(order, outlook)


def _reason_of_term(order: GroupOrder, outlook: Outlook) -> str:
    """The reason in words, by the term of the score that speaks most for the order
    (``order.main_term``)."""
    kills_nobody = order.score.weighed.kill == 0
    # An order that kills nobody is not ahead in kills. If its main term is "kill" nevertheless, no
    # other term is ahead either: it was chosen by habit, by a draw, or whatever the scores. If that
    # is to stay, ``_reason_of_kills`` has the words for it.
    no_term_speaks = order.main_term == "kill" and kills_nobody
    if no_term_speaks and not order.action.stays:
        if order.action.brings_nearer(outlook):
            return _reason_of_ground(order, outlook)
        return _reason_of_danger(order, outlook)
    if order.main_term == "kill":
        return _reason_of_kills(order, outlook)
    if order.main_term == "danger":
        return _reason_of_danger(order, outlook)
    return _reason_of_ground(order, outlook)


def _veto_of_better(order: GroupOrder) -> str:
    """Why the action with the highest score is out of the question, if that is better than the
    order; else empty."""
    vetoed = [option for option in order.considered if option.veto]
    if not vetoed:
        return ""
    best = max(vetoed, key=_points)
    if best.score.value <= order.score.value:
        return ""
    return best.veto


def _points(option: Considered) -> float:
    """The score of an action in points."""
    return option.score.value


def _reason_of_charge(order: GroupOrder, action: Charge, outlook: Outlook) -> str:
    """The chance to destroy a model, or how many men charge how many."""
    # ``together`` is empty if the group charges alone.
    groups: Sequence[str] = order.together or (order.group,)
    men = 0
    for group in groups:
        men += sum(outlook.situation.own_stand(group).group.counts.values())
    outcome = outlook.board.contact.outcome(outlook.situation, list(groups), action.enemy)
    if outcome.chance is not None:  # a model is charged
        return f"The chance to destroy it is about {round(outcome.chance * 10)} in 10."
    enemies = sum(action.enemy.group.counts.values())
    return f"{capital(_number(men))} against {_number(enemies)}."


def _reason_of_wire(action: CutWire, outlook: Outlook) -> str:
    """The other groups for which wire is cleared, or the group itself."""
    others = []
    for group in action.held_up(outlook):
        if group != action.group:
            others.append(outlook.situation.own_stand(group).group.name)
    if not others:
        return "It bars its way."
    return f"It bars the way of {listed(others)}."


def _reason_of_kills(order: GroupOrder, outlook: Outlook) -> str:
    """Whom it can fire at from where it goes or stays; if nobody, where it is wanted."""
    target = _best_target(order.action.stand, outlook)
    if target is None and order.action.stays:
        return "Nobody is in its reach, and nothing calls it elsewhere."
    if target is None and outlook.tasks[order.group].worth > 0:
        return _reason_of_ground(order, outlook)
    if target is None:
        return "Nobody is in its reach yet."
    if order.action.stays:
        return f"From here it can fire at {target}."
    return f"From there it can fire at {target}."


def _reason_of_danger(order: GroupOrder, outlook: Outlook) -> str:
    """Who can hit it where it goes or stays, or why several go at once."""
    if len(order.together) > 1:
        return "Alone, each would draw all of their fire."
    threats = _threats_to(order.action.stand, outlook)
    if not threats:
        return "Nobody can hit it there."
    if order.action.stays:
        return "On any way it would lose more."
    return f"It is safer there, though {listed(threats[:MOST_THREATS])} can fire at it."


def _reason_of_ground(order: GroupOrder, outlook: Outlook) -> str:
    """The group with which it goes or which it serves, or else where it is wanted and how many
    turns it has to spare."""
    task = outlook.tasks[order.group]
    if task.ward and task.role == "escort":
        return f"It is to stay with {task.ward}."
    if task.ward:
        return f"It is to serve {task.ward} there."
    spare = outlook.turns_to_spare(order.group)
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


def _threats_to(stand: Stand, outlook: Outlook) -> list[str]:
    """The names of the enemy groups that can kill something of a group where it stands."""
    fire = outlook.board.fire
    threats = []
    for enemy in outlook.situation.enemies:
        kills = 0.0
        for guns in fire.guns_of([enemy]):
            for shootable in fire.shootables_of(stand.group):
                kills += fire.kills(guns, shootable, stand)
        if kills > 0:
            threats.append(enemy.group.name)
    return threats


def _best_target(stand: Stand, outlook: Outlook) -> str | None:
    """The name of the enemy group of which a group kills most, in points, with a shot of each of
    its weapons; None if it can kill nothing."""
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
