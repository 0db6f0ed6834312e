"""``W``: the program's commander. Players appoint it for a side or ask it for advice; in the side's
own turn it asks where groups are and gives its orders one after another. What it does in the
enemy's turn is in ``commanders_fire``."""

from __future__ import annotations

import re
from functools import partial
from typing import NamedTuple, TypeAlias

from skirmish.games.plastic.battle import orders
from skirmish.games.plastic.battle.commanders import (
    TEMPERAMENTS,
    Commander,
    CommandOrder,
    HitchKind,
)
from skirmish.games.plastic.battle.orders import AnyOrder
from skirmish.games.plastic.battle.orders.commanders_order import CommandersOrder, errors_refused
from skirmish.games.plastic.battle.orders.commanding import HOLD
from skirmish.games.plastic.battle.orders.resolution import both_sides
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.commander.weights import TemperamentId
from skirmish.games.plastic.commands.battle_now import BattleNow, numbered_options
from skirmish.games.plastic.commands.commanders_fire import COMMANDER_KEY, in_enemy_turn
from skirmish.games.plastic.commands.declaring import BATTLE, CommandParts, key
from skirmish.games.plastic.commands.group_list import (
    enemies_moved_on,
    group_list,
    sign_of,
    strength,
    where_slot,
)
from skirmish.games.plastic.commands.typed_places import (
    MapSquare,
    Places,
    place_order,
    read_square,
)
from skirmish.games.plastic.rules.catalog import listed
from skirmish.tabletop.commands import Answers, OnOff, Toggle, cycling_toggle, on_off_toggles
from skirmish.tabletop.page import Page, Paragraph
from skirmish.tabletop.refusal import Refused
from skirmish.tabletop.slots import Choose, Confirm, Slot, Words

ALL_ORDERED = "All of its groups have had their orders in this turn; > goes on."
NOT_IN_THIS_PHASE = "The program's commander has nothing to say in this phase."
FIRST_WAYS = 2
"""The number of ways to act that are shown for a group before players ask for all of them. More
would push the question off a small screen."""
ORDER_KEYS = "d5: it is there now; b: blocked; f3: only 3 get there; c: other cover; !2: way 2."
LONGEST_ANSWER = 6
"""Characters: ``d 12 n``."""
# ``f3``: only so many get there.
_FEWER = re.compile(r"f(?P<number>0?[1-9]|[1-9][0-9])")
_WAY = re.compile(r"!(?P<number>\d+)")


class CarriedOut(NamedTuple):
    """An order has been carried out. ``square``: where the group is now, if not where the order
    sent it."""

    square: MapSquare | None = None


class ReportedHitch(NamedTuple):
    """An order cannot be carried out as it is. ``number``: how many get there, if fewer do."""

    kind: HitchKind
    number: int = 0


class OtherWay(NamedTuple):
    """Players have the group act in another way: that of this ``number`` in the list of ways."""

    number: int


CARRIED_OUT = CarriedOut()
"""The answer of Enter alone."""
OrderAnswer: TypeAlias = CarriedOut | ReportedHitch | OtherWay
"""What players say about an order of the commander."""


@key(
    COMMANDER_KEY,
    "commander",
    BATTLE,
    CommandersOrder,
    "What the program's commander says",
    detail="orders, fire, advice",
)
def commander_says(battle: BattleNow) -> CommandParts:
    """What the key does depends on whose turn it is: the mover's groups move in phase 1, and the
    enemy fires at them in phases 1 and 2."""
    state = battle.state
    if battle.why_over:
        return CommandParts(why_not=battle.why_over)
    mover, enemy = state.mover, battle.enemy(state.mover)
    if mover not in state.commanders and enemy not in state.commanders:
        return _appointing(battle)
    if mover in state.commanders and state.clock.phase == 1:
        parts = _in_own_turn(battle, mover)
        # The program may command both sides: once the mover has had all its orders, the other side
        # may fire.
        if not parts.why_not or enemy not in state.commanders:
            return parts
    if enemy in state.commanders and state.clock.phase in (1, 2):
        return in_enemy_turn(battle, enemy)
    return CommandParts(why_not=NOT_IN_THIS_PHASE, on_strip=False)


def who_may_ask(state: State) -> tuple[str, ...]:
    """The sides that may press the key now. If the program commands a side, whoever plays against
    it moves its figures, so both may; what an adviser says is for its own side alone."""
    for side in (state.mover, state.firing_side):
        commander = state.commanders.get(side)
        if commander is not None and not commander.advises:
            return both_sides(state)
    # As in ``commander_says``: in phase 1 the mover's adviser comes first.
    mover_is_advised = state.mover in state.commanders and state.clock.phase == 1
    if state.firing_side in state.commanders and not mover_is_advised:
        return (state.firing_side,)
    return (state.mover,)


# ------------------------------------------------------------------ who commands


def _appointing(battle: BattleNow) -> CommandParts:
    """Nobody commands or advises yet: players choose a character, and whether it advises a side or
    commands it."""
    characters = {name: f"{name}: {meaning}" for name, meaning in TEMPERAMENTS.items()}
    character = Choose(
        name="temperament",
        large="WHAT WOULD IT DO?",
        text="Choose the character of the commander.",
        options=numbered_options(characters),
    )
    given = {"side": battle.mover, "advises": True, "aloud": False}

    # Tab takes the other side, m and p switch what it does.
    def toggles(facts: Answers) -> tuple[Toggle, ...]:
        the_side = battle.state.setup.the(facts["side"])
        duties = {True: f"advises {the_side}", False: f"commands {the_side}"}
        plans = {False: "its plan is sealed", True: "it says its plan aloud"}
        duty = cycling_toggle("advises", "m", facts["advises"], duties)
        aloud = cycling_toggle("aloud", "p", facts["aloud"], plans)
        return (*battle.other_side(facts), duty, aloud)

    def make(
        side: str, temperament: TemperamentId, advises: bool, aloud: bool, seed: int
    ) -> AnyOrder:
        return orders.Appoint(
            side=side,
            temperament=temperament,
            advises=advises,
            aloud=aloud,
            seed=seed,
            weights=battle.commander_weights(),
        )

    return CommandParts(
        slots=(character,),
        toggles=toggles,
        given=given,
        make=make,
        # Most battles are played without it, so the key is only in the list of all keys.
        on_strip=False,
        seeded=True,
        reopens=True,
    )


# ------------------------------------------------------------------ its own turn


def _in_own_turn(battle: BattleNow, side: str) -> CommandParts:
    """The commander asks where groups are, then gives the orders to move one after another, and at
    last those to stay."""
    commander = battle.state.commanders[side]
    if commander.turn != battle.state.clock.turn:
        return _asking_where(battle, side, commander)
    if not commander.orders:
        if _some_without_order(battle, commander):
            return _asking_where(battle, side, commander)
        return CommandParts(why_not=ALL_ORDERED)
    for order in commander.orders:
        if order.verb != HOLD:
            return _order_to_carry_out(battle, side, order)
    return _who_stays(battle, side, commander)


def _some_without_order(battle: BattleNow, commander: Commander) -> bool:
    """Whether a group on the table has had no order in this turn, such as one that entered after
    the orders were given."""
    on_table = set()
    for row in rows(battle.state, battle.mover):
        if row.here:
            on_table.add(row.contingent.id)
    for group in commander.groups:
        if group.id not in commander.ordered and group.known.contingent in on_table:
            return True
    return False


def _asking_where(battle: BattleNow, side: str, commander: Commander) -> CommandParts:
    """Before the commander gives its orders: where is every group?"""
    some_moved_on = bool(enemies_moved_on(battle, side))

    def make(where: Places, seed: int) -> AnyOrder:
        # Places are typed until Enter alone says that all groups stand as listed.
        if where:
            return place_order(side, where, others_as_listed=some_moved_on)
        return orders.AskForOrders(side=side, seed=seed, gone_on=some_moved_on)

    return CommandParts(
        slots=(where_slot(commander, some_moved_on=some_moved_on),),
        make=make,
        preview=partial(group_list, battle, side),
        seeded=True,
        reopens=True,
    )


# ------------------------------------------------------------------ an order


def _order_to_carry_out(battle: BattleNow, side: str, order: CommandOrder) -> CommandParts:
    """An order that players carry out on the table."""
    return CommandParts(
        slots=(_order_slot(battle, battle.state.commanders[side], order),),
        toggles=_toggle_of_all_ways,
        make=partial(_order_of_answer, side, order.group),
        preview=partial(_ways_page, battle, side, order.group),
        reopens=True,
    )


def _toggle_of_all_ways(facts: Answers) -> tuple[Toggle, ...]:
    """Tab shows all the ways in which the group could act."""
    return on_off_toggles([OnOff("all", "tab", "why: all ways")], facts)


def _ways_page(battle: BattleNow, side: str, group: str, facts: Answers) -> Page:
    """The best ways to act that the commander has weighed for a group, or all of them after Tab,
    with their scores in points."""
    try:
        with errors_refused():
            # Only a battle with a commander loads the tables of the map.
            from skirmish.games.plastic.battle.headquarters.ways import ways_in  # noqa: PLC0415

            lines = ways_in(battle.state, side).sentences(group)
    except Refused as refused:
        return Page("", (Paragraph(str(refused)),))
    if not facts.get("all"):
        lines = lines[:FIRST_WAYS]
    blocks = []
    for number, line in enumerate(lines, start=1):
        blocks.append(Paragraph(line, lead=str(number)))
    return Page("", tuple(blocks))


def _order_slot(battle: BattleNow, commander: Commander, order: CommandOrder) -> Slot:
    """The question after an order: has it been carried out?"""
    large = "ORDER"
    if commander.advises:
        large = "ADVICE"
    return Words(
        name="answer",
        large=large,
        text=_order_text(battle, commander, order),
        key_note=ORDER_KEYS,
        default=CARRIED_OUT,
        longest=LONGEST_ANSWER,
        read=_read_answer,
        write=_it_is_done,
    )


def _order_text(battle: BattleNow, commander: Commander, order: CommandOrder) -> str:
    """The words of an order; in brackets the letter and strength of its group, and how many orders
    to move follow."""
    asides = []
    group = commander.group(order.group)
    # A group that was lost meanwhile has neither a letter nor a strength.
    if group is not None:
        asides.append(f"{sign_of(commander, group.id)} {strength(battle, group)}")
    orders_to_move = [other for other in commander.orders if other.verb != HOLD]
    more = len(orders_to_move) - 1  # besides this one
    if more > 0:
        asides.append(f"{more} more")
    if asides:
        return f"{order.words} ({'; '.join(asides)})"
    return order.words


def _read_answer(typed: str) -> OrderAnswer:
    """What was typed after an order, as ``ORDER_KEYS`` shows it. Raises UnfitAnswer."""
    text = typed.strip().lower()
    if not text:
        return CARRIED_OUT
    if text == "b":
        return ReportedHitch("blocked")
    if text == "c":
        return ReportedHitch("cover")
    # Here ``f3`` is not square F3: that only some get there is said far more often.
    fewer = _FEWER.fullmatch(text)
    if fewer is not None:
        return ReportedHitch("fewer", int(fewer["number"]))
    way = _WAY.fullmatch(text)
    if way is not None:
        return OtherWay(int(way["number"]))
    return CarriedOut(read_square(text))


def _order_of_answer(side: str, group: str, answer: OrderAnswer, **toggled: bool) -> AnyOrder:
    """The order of the battle that an answer to the order of a group comes to."""
    del toggled  # to show all ways changes nothing
    match answer:
        case CarriedOut(square=MapSquare(name=name, half=half)):
            return orders.CarryOut(side=side, group=group, square=name, half=half)
        case CarriedOut():
            return orders.CarryOut(side=side, group=group)
        case ReportedHitch(kind=kind, number=number):
            return orders.CannotDo(side=side, group=group, why=kind, number=number)
        case OtherWay(number=number):
            return orders.Overrule(side=side, group=group, number=number)


def _it_is_done(answer: object) -> str:
    """What Enter alone means after an order, for the hint below it."""
    del answer
    return "it is done"


# ------------------------------------------------------------------ the orders to stay


def _who_stays(battle: BattleNow, side: str, commander: Commander) -> CommandParts:
    """All orders to stay at once; after Tab one by one, so that players can answer each."""
    first_order = commander.orders[0]

    def toggles(facts: Answers) -> tuple[Toggle, ...]:
        return on_off_toggles([OnOff("single", "tab", "one by one")], facts)

    def slots(facts: Answers) -> tuple[Slot, ...]:
        if facts.get("single"):
            return (_order_slot(battle, commander, first_order),)
        return (_all_stay_slot(commander),)

    # It gets either ``stay`` or ``answer``, as one of the two slots is asked.
    def make(
        single: bool = False, stay: bool = True, answer: OrderAnswer = CARRIED_OUT
    ) -> AnyOrder:
        del stay  # the confirmation has no other answer
        if single:
            return _order_of_answer(side, first_order.group, answer)
        return orders.AllStay(side=side)

    return CommandParts(
        slots=slots,
        toggles=toggles,
        make=make,
        preview=partial(group_list, battle, side),
        reopens=True,
    )


def _all_stay_slot(commander: Commander) -> Slot:
    """The one question about all orders to stay."""
    first_order = commander.orders[0]
    text = f"{_name_of(commander, first_order.group)} stays where it is."
    if len(commander.orders) > 1:
        # Letters, which the list above explains: a dozen names would not fit on the line.
        letters = [sign_of(commander, order.group) for order in commander.orders]
        text = f"{listed(letters)} stay where they are."
    return Confirm(
        name="stay",
        large="ORDER",
        text=text,
        optional=False,
        default=True,
        answer_label="It is done",
        other_key_note="Enter goes on; Tab takes them one by one; Esc leaves it.",
    )


def _name_of(commander: Commander, id: str) -> str:
    """The name of a group; its id where it is gone."""
    group = commander.group(id)
    if group is None:
        return id
    return group.name
