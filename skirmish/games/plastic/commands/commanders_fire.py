"""What the program's commander does in the enemy's turn: it waits for targets while the enemy moves
(phase 1), and fires at them afterwards (phase 2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from skirmish.games.plastic.battle import orders
from skirmish.games.plastic.battle.agenda import RepeatAsk
from skirmish.games.plastic.battle.commanders import Commander, TableGroup
from skirmish.games.plastic.battle.orders import AnyOrder, why_not
from skirmish.games.plastic.battle.orders.commanders_fire import has_fire_left
from skirmish.games.plastic.battle.orders.commanders_order import errors_refused
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.commands.battle_now import BattleNow, numbered_options
from skirmish.games.plastic.commands.declaring import CommandParts
from skirmish.games.plastic.commands.group_list import (
    enemies_moved_on,
    enemy_turn_of,
    enter_leaves_the_list,
    group_list,
    groups_by_sign,
    where_slot,
)
from skirmish.games.plastic.commands.typed_places import (
    LONGEST_LINE,
    PLACE_KEYS,
    Places,
    place_order,
    read_places,
)
from skirmish.tabletop.commands import Answers, OnOff, Toggle, on_off_toggles
from skirmish.tabletop.page import Page
from skirmish.tabletop.refusal import Refused
from skirmish.tabletop.slots import Choose, Slot, UnfitAnswer, Words

if TYPE_CHECKING:
    from skirmish.games.plastic.commander.defensive_fire import DefensiveShot
    from skirmish.games.plastic.commander.op_fire import FireLine
    from skirmish.games.plastic.commander.situation import GroupKnown

COMMANDER_KEY = "W"
"""The key under which the program's commander gives its orders, in either side's turn."""
WAITS_FOR_NOTHING = (
    "It waits for nothing, if all are where they are listed: its fire is better after the movement."
)
NO_SHOT_LEFT = "It has no shot left that could hit anybody, if all are where they are listed."
WHICH_IS_ELSEWHERE = "Which group is elsewhere?"
FIRE_AGAIN_FIRST = "Fire again, or stop with Esc; then it goes on with its fire."
SHOT_KEYS = "x: not in sight; c: other cover; 2^ 3e4: 2 went up 6 in, 3 to E4."

ShotAnswer: TypeAlias = Literal["fired", "not in sight", "other cover"] | Places
"""What players say about a shot that the commander wants to fire: it is fired (Enter alone); the
target is not in sight; it is in cover and not in the open as listed, or the other way round; or
groups are elsewhere than listed."""
FIRED: Literal["fired"] = "fired"


def key_of_more_fire(state: State, side: str) -> str:
    """The key under which the commander of a side goes on with its list of shots after one of them;
    empty if no shot is left, or if the program does not command the side."""
    if has_fire_left(state, side):
        return COMMANDER_KEY
    return ""


def in_enemy_turn(battle: BattleNow, side: str) -> CommandParts:
    """What the commander of a side has to say in phase 1 or 2 of the enemy's turn."""
    if battle.why_waits:
        return CommandParts(why_not=battle.why_waits)
    if isinstance(battle.state.ask, RepeatAsk):
        return CommandParts(why_not=FIRE_AGAIN_FIRST)
    try:
        with errors_refused():
            if battle.state.clock.phase == 1:
                return _waiting_to_fire(battle, side)
            return _firing_after_the_move(battle, side)
    except Refused as refused:
        return CommandParts(why_not=str(refused))


# ------------------------------------------------------------------ while the enemy moves


def _waiting_to_fire(battle: BattleNow, side: str) -> CommandParts:
    """What the commander waits for while the enemy moves: a few lines, such as "Second is on its
    way to D4". Players choose a line when that has happened.

    No question opens again after its answer. Players who type a place may go on with another one,
    such as 2d5. By then there may be new lines, and the 2 would choose the second of them.
    """
    awaited = list(_allowed_fire(battle.state, side))
    if not awaited:
        if battle.mover in battle.state.commanders:
            # The mover's own orders have told where its groups went, so nothing needs to be asked
            # here, and a question would only delay the next phase.
            return CommandParts(why_not=WAITS_FOR_NOTHING)
        return _nothing_to_fire_at(battle, side, "GO ON", WAITS_FOR_NOTHING, reopens=False)
    waiting = Choose(
        name="line",
        large="STOP WHEN",
        text="Choose what has happened; the first group of the line fires.",
        options=numbered_options({fire.line.number: fire.line.words for fire in awaited}),
        # It is read while figures are moved: an Enter too many must not fire.
        by_key_only=True,
    )
    order_of_line = {fire.line.number: fire.order for fire in awaited}

    def toggles(facts: Answers) -> tuple[Toggle, ...]:
        return on_off_toggles([OnOff("elsewhere", "tab", "a group is elsewhere")], facts)

    def slots(facts: Answers) -> tuple[Slot, ...]:
        if facts.get("elsewhere"):
            return (_elsewhere_slot(battle, side, "STOP WHEN", WHICH_IS_ELSEWHERE),)
        return (waiting,)

    def preview(facts: Answers) -> Page:
        if facts.get("elsewhere"):
            return group_list(battle, side, facts)
        return Page("", ())

    def make(line: int = 0, where: Places = (), elsewhere: bool = False) -> AnyOrder:
        del elsewhere  # the answer to its question is in ``where``
        if where:
            return place_order(side, where)
        return order_of_line[line]

    return CommandParts(slots=slots, toggles=toggles, make=make, preview=preview)


class AwaitedFire(NamedTuple):
    """Something that the commander waits for, and the order to fire when it has happened."""

    line: FireLine
    order: AnyOrder


def _allowed_fire(state: State, side: str) -> Iterator[AwaitedFire]:
    """What the commander waits for, as far as the rules allow the fire."""
    for line in enemy_turn_of(state, side).fire_lines:
        order = _op_fire(side, line)
        if why_not(state, order) is None:
            yield AwaitedFire(line, order)


def _op_fire(side: str, line: FireLine) -> AnyOrder:
    """The fire of the first guns of a line, together with all guns of the same kind in their
    group."""
    first, enemy = line.guns[0], line.enemy.group
    number = 0
    for guns in line.guns:
        is_same_kind = guns.unit == first.unit and guns.weapon == first.weapon
        if is_same_kind and guns.stand == first.stand:
            number += guns.number
    return orders.FireAsSaid(
        side=side,
        group=first.stand.group.id,
        unit=first.unit.id,
        weapon=first.weapon.id,
        enemy=enemy.id,
        aimed_at=_most_numerous_unit(enemy),
        count=number,
    )


def _most_numerous_unit(group: GroupKnown) -> str:
    """The id of the unit of which a group has most."""
    return max(group.counts, key=group.counts.__getitem__)


# ------------------------------------------------------------------ after the enemy's move


def _firing_after_the_move(battle: BattleNow, side: str) -> CommandParts:
    """First the question where the enemy has gone, if some groups are taken to have moved on; then
    the next shot of the commander's list that the rules allow."""
    commander = battle.state.commanders[side]
    if enemies_moved_on(battle, side):
        return _asking_where_they_went(battle, side, commander)
    shot = _next_allowed_shot(battle.state, side)
    if shot is None:
        return _nothing_to_fire_at(battle, side, "ITS FIRE", NO_SHOT_LEFT)
    slot = Words(
        name="answer",
        large="ITS FIRE",
        text=shot.words,
        key_note=SHOT_KEYS,
        default=FIRED,
        longest=LONGEST_LINE,
        read=partial(_read_shot_answer, groups_by_sign(commander)),
        write=_enter_fires,
    )
    return CommandParts(
        slots=(slot,),
        make=partial(_order_of_answer, side, shot),
        preview=partial(group_list, battle, side),
        # After the last shot, too: a group that turns out to be elsewhere may be another target.
        reopens=True,
    )


def _asking_where_they_went(battle: BattleNow, side: str, commander: Commander) -> CommandParts:
    """Before the commander fires, once a turn: the groups that moved in the last turn have probably
    moved on."""
    return CommandParts(
        slots=(where_slot(commander, some_moved_on=True),),
        make=partial(place_order, side, others_as_listed=True),
        preview=partial(group_list, battle, side),
        reopens=True,
    )


def _next_allowed_shot(state: State, side: str) -> DefensiveShot | None:
    """The first shot of the commander's list that the rules allow; None if there is none."""
    for shot in enemy_turn_of(state, side).next_shots:
        if why_not(state, _shot_order(side, shot, in_cover=shot.target.cover)) is None:
            return shot
    return None


def _read_shot_answer(groups: Mapping[str, TableGroup], typed: str) -> ShotAnswer:
    """What was typed after a shot, as ``SHOT_KEYS`` shows it. Raises UnfitAnswer."""
    match typed.strip().lower():
        case "":
            return FIRED
        case "x":
            return "not in sight"
        case "c":
            return "other cover"
    return read_places(groups, typed)


def _order_of_answer(side: str, shot: DefensiveShot, answer: ShotAnswer) -> AnyOrder:
    """The order of the battle that an answer to a shot comes to."""
    if not isinstance(answer, str):
        return place_order(side, answer)
    if answer == "not in sight":
        return orders.DenySight(side=side, group=shot.shooter.group.id, enemy=shot.target.group.id)
    in_cover = shot.target.cover
    if answer == "other cover":
        in_cover = not in_cover
    return _shot_order(side, shot, in_cover=in_cover)


def _shot_order(side: str, shot: DefensiveShot, *, in_cover: bool) -> AnyOrder:
    """The shot as an order of the battle."""
    return orders.FireAsSaid(
        side=side,
        group=shot.shooter.group.id,
        unit=shot.guns.unit.id,
        weapon=shot.guns.weapon.id,
        enemy=shot.target.group.id,
        aimed_at=shot.unit,
        count=shot.number,
        cover=in_cover,
    )


def _enter_fires(answer: object) -> str:
    """What Enter alone means at a shot, for the hint below it."""
    del answer
    return "it fires"


# ------------------------------------------------------------------ nothing to fire at


def _nothing_to_fire_at(
    battle: BattleNow, side: str, large: str, text: str, *, reopens: bool = True
) -> CommandParts:
    """The commander has nothing to fire at, if all groups are where they are listed; players can
    say that one is elsewhere."""
    return CommandParts(
        slots=(_elsewhere_slot(battle, side, large, text),),
        make=partial(place_order, side),
        preview=partial(group_list, battle, side),
        reopens=reopens,
        # Players need not answer, so the question does not open by itself.
        by_key_only=True,
    )


def _elsewhere_slot(battle: BattleNow, side: str, large: str, text: str) -> Slot:
    """Which group is elsewhere than listed. Enter alone is no answer to it."""
    commander = battle.state.commanders[side]
    return Words(
        name="where",
        large=large,
        text=text,
        key_note="2^ 3e4: 2 went up 6 in, 3 to E4; Esc leaves it.",
        longest=LONGEST_LINE,
        read=partial(_read_elsewhere, groups_by_sign(commander)),
        write=enter_leaves_the_list,
    )


def _read_elsewhere(groups: Mapping[str, TableGroup], typed: str) -> Places:
    """The places that were typed, at least one. Raises UnfitAnswer."""
    places = read_places(groups, typed)
    if not places:
        raise UnfitAnswer("Say who is elsewhere.", key_note=PLACE_KEYS)
    return places
