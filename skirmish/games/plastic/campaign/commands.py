"""The commands of a campaign, step by step: choose forces, count the battle, draw for the lost, buy
replacements; and those that can be given at any time.

A command that belongs to one side has the id of that side (``SIDE``) among the answers that are
``given`` with it. ``sides_of`` reads it there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial

from skirmish.games.plastic.battle.orders.agreements import LONGEST_NAME
from skirmish.games.plastic.campaign import orders
from skirmish.games.plastic.campaign.battle_facts import BattleFacts
from skirmish.games.plastic.campaign.evening import listed_or_proposed, price_of
from skirmish.games.plastic.campaign.fielding import chosen_or_proposed
from skirmish.games.plastic.campaign.groups import CampaignGroup, UnitsByGroup
from skirmish.games.plastic.campaign.orders import CampaignOrder
from skirmish.games.plastic.campaign.position import (
    FOR_POSITION,
    points_for_position,
    position_of,
    price_in_position,
)
from skirmish.games.plastic.campaign.recount import changed_battles
from skirmish.games.plastic.campaign.returns import needs_card
from skirmish.games.plastic.campaign.state import CampaignState, LostParty
from skirmish.games.plastic.campaign.terms import CATCH_UP, HIGHEST_RANK
from skirmish.games.plastic.rules.army import LONGEST_GROUP
from skirmish.tabletop.commands import Answers, Command
from skirmish.tabletop.slots import Choose, Confirm, Number, Option, Slot, UnfitAnswer, Words

AnyCommand = Command[CampaignOrder]
"""A command of a campaign: what a key or a word begins, and the questions that lead to its
order."""
NEXT = "space"
"""The key of what is to be done next."""
SIDE = "side"
"""The name of the given answer that says to which side a command belongs."""
NEW_END_KEY = "a"
"""The key that takes the new end of a battle that has changed since it was counted."""
RANKS = {"a": 1, "j": 11, "q": 12}
"""The ranks that are typed as letters."""
_TYPED_RANK = re.compile(r"1[0-2](?!\d)|[0-9]|[a-z]|\S")
"""One rank, or a character that is none. 10, 11 and 12 are ranks only if no digit follows: 100 is
read as an ace and two tens."""
LONGEST_RANKS = 400
"""The most characters that are typed for the cards of one order; the rest can be typed in the
next."""
LONGEST_HONOUR = 120
"""The most characters of what a group is honoured for."""
NO_CARD = "Type ranks: a, 2 to 10, j or q; 0 is a ten. Kings are not in the deck."


def commands(
    state: CampaignState, ended_battles: Mapping[int, BattleFacts]
) -> Iterator[AnyCommand]:
    """The commands that can be given now. ``ended_battles``: the facts of battles that are over, by
    number, as they are stored now."""
    yield from _count_oldest_again(state, ended_battles)
    if state.due:
        yield _draw_returns(state)
    elif state.outcome is None:
        # At the step "catch_up" there is a ``prompt`` instead.
        if state.step == "forces":
            yield from _forces(state)
        elif state.step == "battle":
            yield from _battle(state, ended_battles)
        elif state.step == "replacements":
            yield from _replacements(state)
    yield from _always(state)


def prompt(state: CampaignState) -> AnyCommand | None:
    """The question of what the loser of the battle takes (C13); None at another step."""
    if state.step != "catch_up" or state.due or state.outcome is not None:
        return None
    side = state.catching_up
    options = (
        Option(value=False, label=f"{CATCH_UP} more points of replacements", key="p"),
        Option(
            value=True,
            label="the choice of ground",
            key="g",
            note="the high draw in the next free battle without an attacker",
        ),
    )
    slot = Choose(
        name="ground",
        text=f"The {state.people(side)} lost. What do they take?",
        options=options,
        default=False,
    )
    return Command(label="Catch up", make=orders.CatchUp, slots=(slot,))


# ------------------------------------------------------------------ before a battle


def _forces(state: CampaignState) -> Iterator[AnyCommand]:
    """Before a battle: each side brings what is proposed or changes it; then the battle begins."""
    open_sides = [side for side in state.setup.ids if side not in state.fielding]
    if open_sides:
        side = open_sides[0]
        label = f"{state.name(side)}: bring what is proposed"
        yield Command(
            label=label, key=NEXT, word=label, make=orders.BringForces, given={SIDE: side}
        )
    else:
        label = f"Begin battle {state.battle}"
        yield Command(label=label, key=NEXT, word=label, make=orders.BeginBattle, seeded=True)
    yield _change_forces(state)
    for side in state.setup.ids:
        if points_for_position(state, side):
            yield _choose_position(state, side)
    yield _concede(state)


def _choose_position(state: CampaignState, side: str) -> AnyCommand:
    """Another number of a work or a pillbox for the defender of a free battle (C6). Either of them
    is a ``piece`` here."""
    fielding = chosen_or_proposed(state, side)
    position = position_of(state, fielding)
    points = points_for_position(state, side)

    def slots(answers: Answers) -> tuple[Slot, ...]:
        which_work = Choose(
            name="piece",
            text=f"The position has {points} points. Which work?",
            options=_works_to_choose(state, position),
        )
        if answers.get("piece") not in FOR_POSITION:
            return (which_work,)
        most = points // price_in_position(state, answers["piece"])
        number = Number(
            name="count",
            text=f"How many (at most {most})?",
            high=most,
            # The number that was typed is filled in at the braces.
            too_many=f"{{}} is too many: {points} points are enough for {most}.",
        )
        return (which_work, number)

    def make(side: str, piece: str, count: int) -> CampaignOrder:
        changed = {**position, piece: count}
        return orders.BringForces(side=side, groups=fielding.groups, position=changed)

    return Command(
        label=f"{state.name(side)}: choose the works of the position",
        key="p",
        word="choose the works",
        make=make,
        given={SIDE: side},
        slots=slots,
        reopens=True,
        help="Choose a work or a pillbox and how many of it the position has. To have more of one, "
        "take fewer of another first.",
    )


def _works_to_choose(state: CampaignState, position: Mapping[str, int]) -> tuple[Option, ...]:
    """The works and pillboxes that a position may have, each with its price and with how many of it
    the position has."""
    # A pillbox is a unit of the rules.
    units_and_works = {**state.setup.units, **state.setup.works}
    options = []
    for piece in FOR_POSITION:
        price = price_in_position(state, piece)
        points_each = f"{price} points"
        if price == 1:
            points_each = "1 point"
        note = f"{points_each}, {position.get(piece, 0)} taken"
        options.append(Option(value=piece, label=units_and_works[piece].name, note=note))
    return tuple(options)


def _change_forces(state: CampaignState) -> AnyCommand:
    """Another number of a unit of a group for the next battle."""
    groups: list[CampaignGroup] = []
    for side in state.setup.ids:
        groups += state.may_fight(side)

    def how_many(group: CampaignGroup, most: int) -> Number:
        return Number(
            name="count",
            text=f"How many of {group.name} come ({most} are ready)?",
            high=most,
            too_many=f"{{}} is too many: {most} are ready.",
        )

    def slots(answers: Answers) -> tuple[Slot, ...]:
        return _group_unit_and_count(state, groups, _ready, how_many, answers)

    def make(group: str, unit: str, count: int) -> CampaignOrder:
        side = state.groups[group].side
        fielding = chosen_or_proposed(state, side)
        brought = _with_count(fielding.groups, group, unit, count)
        return orders.BringForces(side=side, groups=brought, position=position_of(state, fielding))

    return Command(
        label="Bring more or fewer of a group",
        key="t",
        word="change the forces",
        make=make,
        slots=slots,
        reopens=True,
        help="Choose a group, a unit and how many of it come to the battle.",
    )


def _ready(group: CampaignGroup) -> Mapping[str, int]:
    """How many of each unit of a group are ready."""
    return group.ready


def _group_unit_and_count(
    state: CampaignState,
    groups: list[CampaignGroup],
    counts_of: Callable[[CampaignGroup], Mapping[str, int]],
    how_many: Callable[[CampaignGroup, int], Number],
    answers: Answers,
) -> tuple[Slot, ...]:
    """The questions for a group, for one of its units and for a number, each as soon as those
    before it are answered. ``counts_of`` returns the units of a group to choose from, each with the
    highest number. ``how_many`` makes the last question, from the group and that number."""
    which_group = _which_group(state, groups)
    group = state.groups.get(answers.get("group", ""))
    if group is None:
        return (which_group,)
    counts = counts_of(group)
    which_unit = _which_unit(state, group, counts)
    if answers.get("unit") not in counts:
        return (which_group, which_unit)
    return (which_group, which_unit, how_many(group, counts[answers["unit"]]))


def _with_count(units: UnitsByGroup, group: str, unit: str, count: int) -> UnitsByGroup:
    """The same numbers, but ``count`` of this unit of this group."""
    return {**units, group: {**units.get(group, {}), unit: count}}


def _which_group(state: CampaignState, groups: list[CampaignGroup]) -> Choose:
    """The question for one of these groups; its answer is called ``group``."""
    options = []
    for group in groups:
        label = f"{state.name(group.side)}: {group.name}"
        options.append(Option(value=group.id, label=label))
    return Choose(name="group", text="Which group?", options=tuple(options))


def _which_unit(state: CampaignState, group: CampaignGroup, counts: Mapping[str, int]) -> Choose:
    """The question for one of these units; its answer is called ``unit``. The counts are shown
    beside the units."""
    options = []
    for unit, count in counts.items():
        label = state.setup.units[unit].name
        options.append(Option(value=unit, label=label, note=str(count)))
    return Choose(name="unit", text=f"Which unit of {group.name}?", options=tuple(options))


def _concede(state: CampaignState) -> AnyCommand:
    """A side gives up the battle before it is counted."""
    side = Choose(
        name="side",
        text=f"Who concedes battle {state.battle}?",
        options=_side_options(state),
    )
    sure = Confirm(name="sure", text="The enemy wins it, and nobody is lost. Concede?")

    # Answers are passed by the names of their slots. The order comes only after a yes, so ``sure``
    # is always true here.
    def make(side: str, sure: bool = True) -> CampaignOrder:
        del sure
        return orders.Concede(side=side)

    return Command(
        label="Concede the battle",
        key="c",
        word="concede",
        make=make,
        slots=(side, sure),
        help="Concede the battle: the enemy wins it, nobody is lost, and no group gains a mark.",
    )


def _side_options(state: CampaignState) -> tuple[Option, ...]:
    """Both sides as answers to a question."""
    return tuple(Option(value=side, label=state.name(side)) for side in state.setup.ids)


# ------------------------------------------------------------------ the battle


def _battle(state: CampaignState, ended_battles: Mapping[int, BattleFacts]) -> Iterator[AnyCommand]:
    """While a battle is fought it can be conceded, and counted when it is over."""
    facts = ended_battles.get(state.battle)
    label = f"Count battle {state.battle}"
    if facts is None:
        why_not = f"Battle {state.battle} is not over yet."
        yield Command(label=label, key=NEXT, word=label, make=_nothing, why_not=why_not)
    else:
        yield Command(
            label=label, key=NEXT, word=label, make=orders.CountBattle, given={"facts": facts}
        )
        yield _count_otherwise(state, facts)
    yield _concede(state)


def _nothing() -> CampaignOrder:
    """In place of an order, for commands that cannot be given now; never called."""
    raise AssertionError("a command that cannot be given makes no order")


def _count_otherwise(state: CampaignState, facts: BattleFacts) -> AnyCommand:
    """Counts the battle, but players say which sides hold the field, instead of the rules."""
    first, second = state.setup.ids
    options = (
        Option(value=(first,), label=state.name(first), key="1"),
        Option(value=(second,), label=state.name(second), key="2"),
        Option(value=(first, second), label="both", key="b"),
        Option(value=(), label="nobody", key="n"),
    )
    slot = Choose(name="holds", text="Who holds the field after the battle?", options=options)
    return Command(
        label="Count it, and say who holds the field",
        key="h",
        word="who holds the field",
        make=orders.CountBattle,
        given={"facts": facts},
        slots=(slot,),
    )


def _count_oldest_again(
    state: CampaignState, ended_battles: Mapping[int, BattleFacts]
) -> Iterator[AnyCommand]:
    """Counts the oldest battle again that has changed since it was counted. If there are others,
    they follow one by one."""
    oldest = next(changed_battles(state, ended_battles), None)
    if oldest is None:
        return
    label = f"Take the new end of battle {oldest.now.battle}"
    given = {"facts": oldest.now}
    yield Command(label=label, key=NEW_END_KEY, word=label, make=orders.CountAgain, given=given)


# ------------------------------------------------------------------ the evening


def _draw_returns(state: CampaignState) -> AnyCommand:
    """Draws the cards that are due, or asks for those that players drew."""
    parties = [party for party in state.due if needs_card(state, party)]
    cards = f"{len(parties)} cards"
    if len(parties) == 1:
        cards = "1 card"
    label = f"Draw {cards} for the lost"
    if not state.source.typed:
        return Command(label=label, key=NEXT, word=label, make=orders.DrawReturns)
    for_whom = _for_whom(state, parties[0])
    slot = Words(
        name="ranks",
        text=f"Which cards do you draw? {len(parties)} are due, the first {for_whom}.",
        read=partial(ranks_typed, most=len(parties)),
        write=_ranks_written,
        longest=LONGEST_RANKS,
    )
    # Without a key the command begins with its first answer: the ranks are typed at once.
    return Command(label=label, make=orders.DrawReturns, slots=(slot,), word=label)


def _ranks_written(ranks: tuple[int, ...]) -> str:
    """Ranks as a text that can be typed."""
    return " ".join(map(str, ranks))


def _for_whom(state: CampaignState, party: LostParty) -> str:
    """``for 3 Rifle Guys of 1st Platoon``."""
    unit = state.setup.units[party.unit].named(party.count)
    return f"for {unit} of {state.groups[party.group].name}"


def ranks_typed(typed: str, most: int) -> tuple[int, ...]:
    """The ranks of cards or of a d12, with or without spaces between them. Raises UnfitAnswer.

    >>> ranks_typed("7 q 3 0 a", most=5)
    (7, 12, 3, 10, 1)
    >>> ranks_typed("10 11 12", most=5)
    (10, 11, 12)
    """
    ranks = []
    for word in _TYPED_RANK.findall(typed.lower()):
        rank = RANKS.get(word)
        if rank is None and word.isdigit():
            rank = int(word)
            if rank == 0:  # short for a ten
                rank = 10
        if rank is None or not 1 <= rank <= HIGHEST_RANK:
            raise UnfitAnswer(f"{word!r} is no card here. {NO_CARD}")
        ranks.append(rank)
    if not ranks:
        raise UnfitAnswer(NO_CARD)
    if len(ranks) > most:
        raise UnfitAnswer(f"{most} cards are due, and these are {len(ranks)}.")
    return tuple(ranks)


def _replacements(state: CampaignState) -> Iterator[AnyCommand]:
    """Each side that has not bought yet buys what is listed, one after the other, or lists
    something else."""
    # At this step there is at least one: when both have bought, the evening is over.
    open_sides = [side for side in state.setup.ids if side not in state.settled]
    side = open_sides[0]
    bought = listed_or_proposed(state, side)
    label = f"{state.name(side)}: buy for {price_of(state, bought)} points"
    yield Command(
        label=label, key=NEXT, word=label, make=orders.BuyReplacements, given={SIDE: side}
    )
    for open_side in open_sides:
        # While both sides may still buy, the second one has the capital letter.
        key = "r"
        if len(open_sides) > 1 and open_side == state.setup.ids[1]:
            key = "R"
        yield _list_replacements(state, open_side, key)


def _missing(group: CampaignGroup) -> dict[str, int]:
    """How many of each unit a group may buy."""
    missing = {}
    for unit in group.strength:
        count = group.missing(unit)
        if count:
            missing[unit] = count
    return missing


def _list_replacements(state: CampaignState, side: str, key: str) -> AnyCommand:
    """Another number of a unit of a group among the replacements of a side."""
    groups_to_fill = [group for group in state.of_side(side) if _missing(group)]

    def how_many(group: CampaignGroup, most: int) -> Number:
        del group
        return Number(
            name="count",
            text=f"How many ({most} are missing)?",
            high=most,
            too_many=f"{{}} is too many: {most} are missing.",
        )

    def slots(answers: Answers) -> tuple[Slot, ...]:
        return _group_unit_and_count(state, groups_to_fill, _missing, how_many, answers)

    def make(side: str, group: str, unit: str, count: int) -> CampaignOrder:
        bought = _with_count(listed_or_proposed(state, side), group, unit, count)
        return orders.ListReplacements(side=side, bought=bought)

    label = f"{state.name(side)}: buy something else"
    why_not = ""
    if not groups_to_fill:
        why_not = f"The {state.people(side)} lack nobody."
    return Command(
        label=label,
        key=key,
        word=label,
        make=make,
        given={SIDE: side},
        slots=slots,
        why_not=why_not,
        reopens=True,
        help="Choose a group, a unit and how many of it are bought.",
    )


# ------------------------------------------------------------------ at any time


def _always(state: CampaignState) -> Iterator[AnyCommand]:
    """What can be done at any step: rename and honour groups, change who commands a side, and end
    the campaign."""
    which_group = _which_group(state, list(state.groups.values()))
    yield Command(
        label="Rename a group",
        key="n",
        word="rename a group",
        make=orders.Rename,
        slots=(which_group, Words(name="name", text="What is it called?", longest=LONGEST_GROUP)),
    )
    yield Command(
        label="Honour a group",
        key="o",
        word="honour a group",
        make=orders.GiveHonour,
        slots=(
            which_group,
            Words(name="text", text="What is it honoured for?", longest=LONGEST_HONOUR),
        ),
    )
    if state.outcome is not None:
        return
    side = Choose(name="side", text="Which side?", options=_side_options(state))
    yield Command(
        label="Change who commands a side",
        key="g",
        word="change a commander",
        make=orders.HandOver,
        slots=(
            side,
            Words(
                name="player",
                text="Who commands it? Leave it empty for nobody.",
                longest=LONGEST_NAME,
                read=str.strip,
            ),
        ),
    )
    yield _end_campaign(state)


def _end_campaign(state: CampaignState) -> AnyCommand:
    """The campaign ends now, decided as it stands."""
    sure = Confirm(name="sure", text="The campaign is decided as it stands. End it?")

    # As in ``_concede``.
    def make(sure: bool = True) -> CampaignOrder:
        del sure
        return orders.EndCampaign()

    return Command(
        label="End the campaign now",
        key="x",
        word="end the campaign",
        make=make,
        slots=(sure,),
        why_not=orders.why_not_end(state),
        help="End the campaign now: it is decided as after its last battle.",
    )


def sides_of(state: CampaignState, command_or_order: AnyCommand | CampaignOrder) -> tuple[str, ...]:
    """The sides to which a command or an order belongs: the side that it names, since each side
    chooses alone what it brings and buys; both if it names none."""
    side = None
    if isinstance(command_or_order, orders.SideOrder):
        side = command_or_order.side
    elif isinstance(command_or_order, Command):
        side = command_or_order.given.get(SIDE)
    # An order from elsewhere may name a side that the campaign does not have.
    if side in state.setup.ids:
        return (side,)
    return state.setup.ids
