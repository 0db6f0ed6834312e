"""``W``: what the program's commander says. He asks where groups stand, orders them one after
another, and in the enemy's turn names what he fires at.

In the comments of this module "he" is always that commander; to players the program calls itself
"it"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from msgspec.structs import replace

from skirmish.games.plastic.battle import orders
from skirmish.games.plastic.battle.agenda import RepeatAsk
from skirmish.games.plastic.battle.commanders import (
    TEMPERAMENTS,
    Commander,
    CommandOrder,
    Half,
    TableGroup,
)
from skirmish.games.plastic.battle.names import piece_side
from skirmish.games.plastic.battle.orders import AnyOrder, why_not
from skirmish.games.plastic.battle.orders.commanding import (
    HOLD,
    CommandersOrder,
    has_fire_left,
    thinking,
)
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.commands.sides import (
    BATTLE,
    BattleNow,
    CommandParts,
    key,
    numbered_options,
)
from skirmish.games.plastic.rules.catalog import listed
from skirmish.tabletop.commands import Answers, Toggle, cycling, switches
from skirmish.tabletop.page import Page, Paragraph
from skirmish.tabletop.refusal import Refused
from skirmish.tabletop.slots import Choose, Confirm, Slot, UnfitAnswer, Words

if TYPE_CHECKING:
    from skirmish.games.plastic.battle.headquarters import Headquarters
    from skirmish.games.plastic.commander.op_fire import DefensiveShot, FireLine

AS_IT_IS = "as it is"
"""The answer of Enter alone: the order is carried out, the shot fired, all stand as listed."""
ALL_ORDERED = "All of its groups have had their orders in this turn; > goes on."
NOT_IN_THIS_PHASE = "The program's commander has nothing to say in this phase."
WAITS_FOR_NOTHING = (
    "It waits for nothing, if all are where they are listed: its fire is better after the movement."
)
NO_SHOT_LEFT = "It has no shot left that could hit anybody, if all are where they are listed."
WHICH_IS_ELSEWHERE = "Which group is elsewhere?"
FIRE_AGAIN_FIRST = "Fire again, or stop with Esc; then it goes on with its fire."
COMMANDER_KEY = "W"
OFF_TABLE = "off"
"""In place of the square of a group that is not on the table, as it is typed."""
LONGEST_LINE = 80
"""Characters: two dozen groups with their squares."""
HALVES: Mapping[str, Half] = {"": "", "n": "n", "e": "e", "s": "s", "w": "w"}
"""The letters of the halves of a square, as they are typed; none: the whole square."""
# ``d5``, ``d 12n``: column, row, half.
_SQUARE = re.compile(r"([a-z])\s*([1-9]\d?)\s*([nesw]?)")
_PLACE = re.compile(
    r"""
    [\s,;]*
    (?P<group>\d+|[a-z]) \s*
    (?: (?P<off>off)
      | (?P<stays>=)
      | (?P<steps>[<>^v]+)
      | - \s* (?P<lost>[1-9]\d?)
      # A c before a number is a column of the map.
      | (?P<cover>c) (?!\d)
      # Of "2d13e4" the 3 is a group. Few tables have rows of two digits; such a row ends the place,
      # as in "2d13 3e4".
      | (?P<column>[a-z]) \s* (?P<row>(?:1\d|20)(?=[nesw]?(?:[\s,;]|$)) | [1-9])
        # A letter before another one, as the e of "2d5ef4", is a group.
        (?P<half>[nesw] (?! \s*(?:[a-z]\s*\d|off|c|[-=<>^v]) ))?
    )
    """,
    re.VERBOSE,
)
"""One of the places that are typed together: ``2d5n``, ``b off``, ``3c``, ``2-3``, ``4=``, ``1^``,
``6^>``, or of several groups ``123^``."""
# ``f3``: how many get there.
_FEWER = re.compile(r"f(0?[1-9]|[1-9][0-9])")
# The end of the id of a group that was formed when he was appointed.
_FORMED = re.compile(r":group_(?P<number>\d+)$")
FIRST_WAYS = 2
"""So many of the ways that he has weighed for a group are shown without being asked for: more would
push the question away."""
# What can be typed, for the line below a question. ``WENT_ON`` is the question itself where the
# program takes some to have moved on since they were listed.
WHERE_KEYS = "2d5 3e4n: 2 in D5, 3 in upper E4; 2c: other cover; 2-3: lost 3; 2 off."
WENT_ON = "Is a group elsewhere than listed? (+: in cover; →: it goes on)"
WENT_KEYS = "23^ 4d5n: 2 and 3 went up 6 in, 4 to upper D5; 5=: it has not moved."
WHERE_HINT = "A group and its square, as 2d5 or b d5; 2 off: it is not on the table."
ORDER_KEYS = "d5: it is there now; b: blocked; f3: only 3 get there; c: other cover; !2: way 2."
SHOT_KEYS = "x: not in sight; c: other cover; 2^ 3e4: 2 went up 6 in, 3 to E4."


class MapSquare(NamedTuple):
    """A square of the map, or the half of it."""

    name: str
    half: Half


class Whereabouts(NamedTuple):
    """What players say of one group: one of these fields."""

    group: str
    square: MapSquare | None
    """It stands there."""
    off: bool = False
    """It is not on the table."""
    other_cover: bool = False
    """It is in cover and not in the open as the commander thought, or the other way round."""
    lost: int = 0
    """So many of the losses were its own."""
    stays: bool = False
    """It has not moved, whatever is listed."""
    columns: int = 0
    """It has moved so many times six inches to the right."""
    rows: int = 0
    """It has moved so many times six inches up the map."""


Places: TypeAlias = "tuple[Whereabouts, ...]"
"""All that is said at once of where groups stand."""


class Reality(NamedTuple):
    """What players say of an order besides that it is done. ``number``: how many get there, of
    "fewer"; which way they choose, of "way"."""

    kind: Literal["blocked", "cover", "fewer", "way"]
    number: int = 0


OrderAnswer: TypeAlias = "str | MapSquare | Reality"
"""What is said of an order: ``AS_IT_IS``, the square where the group is now, or anything else."""


@key(
    COMMANDER_KEY,
    "commander",
    BATTLE,
    CommandersOrder,
    "What the program's commander says: orders, fire, advice",
)
def commander_says(battle: BattleNow) -> CommandParts:
    """What he says depends on whose turn it is, and on what he has said in it already. In phase 1
    the mover's groups move, and in phase 2 the enemy fires at them."""
    state = battle.state
    if battle.why_over:
        return CommandParts(why_not=battle.why_over)
    mover, firing = state.mover, battle.enemy(state.mover)
    if mover in state.commanders and state.clock.phase == 1:
        parts = _in_own_turn(battle, mover)
        if not parts.why_not or firing not in state.commanders:
            return parts
        # It commands both: who has moved may be fired at by who has waited.
    if firing in state.commanders and state.clock.phase in (1, 2):
        if battle.why_waits:
            return CommandParts(why_not=battle.why_waits)
        if isinstance(state.ask, RepeatAsk):
            return CommandParts(why_not=FIRE_AGAIN_FIRST)
        return _in_enemy_turn(battle, firing)
    if mover in state.commanders or firing in state.commanders:
        return CommandParts(why_not=NOT_IN_THIS_PHASE, on_strip=False)
    return _appointing(battle)


def who_may_ask(state: State) -> tuple[str, ...]:
    """The sides that may ask him now: what an adviser says is for his own side alone."""
    for side in (state.mover, state.firing_side):
        commander = state.commanders.get(side)
        if commander is not None and not commander.advises:
            return tuple(state.setup.side_by_id)
    return (state.mover,)


# ------------------------------------------------------------------ who commands


def _appointing(battle: BattleNow) -> CommandParts:
    """The commander is asked for his advice; or a side is left to him altogether."""
    character = Choose(
        name="temperament",
        large="WHAT WOULD IT DO?",
        text="Choose the character of the commander.",
        options=numbered_options(list(TEMPERAMENTS.items())),
    )
    given = {"side": battle.mover, "advises": True, "aloud": False}

    def toggles(facts: Answers) -> tuple[Toggle, ...]:
        duties: Mapping[Any, str] = {
            True: f"advises {battle.state.setup.the(facts['side'])}",
            False: f"commands {battle.state.setup.the(facts['side'])}",
        }
        duty = cycling("advises", "m", facts["advises"], duties)
        plans: Mapping[Any, str] = {False: "its plan is sealed", True: "it says its plan aloud"}
        aloud = cycling("aloud", "p", facts["aloud"], plans)
        return (*battle.other_side(facts), duty, aloud)

    def make(side: str, temperament: Any, advises: bool, aloud: bool, seed: int) -> AnyOrder:
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
        # In a battle of two players it is found in the list of keys, not on the strip.
        on_strip=False,
        seeded=True,
        reopens=True,
    )


# ------------------------------------------------------------------ his own turn


def _in_own_turn(battle: BattleNow, side: str) -> CommandParts:
    """The commander asks where groups stand, gives his orders one after another, then lets the
    rest stay."""
    commander = battle.state.commanders[side]
    if commander.turn != battle.state.clock.turn:
        return _asking_where(battle, side, commander)
    if not commander.orders:
        if _somebody_without_order(battle, commander):
            return _asking_where(battle, side, commander)
        return CommandParts(why_not=ALL_ORDERED)
    for order in commander.orders:
        if order.verb != HOLD:
            return _order_to_carry_out(battle, side, order)
    return _who_stays(battle, side, commander)


def _somebody_without_order(battle: BattleNow, commander: Commander) -> bool:
    """Whether a group is on the table that has had no order in this turn, as one that has come onto
    it since."""
    on_table = set()
    for row in rows(battle.state, battle.mover):
        if row.here:
            on_table.add(row.contingent.id)
    for group in commander.groups:
        if group.id not in commander.ordered and group.known.contingent in on_table:
            return True
    return False


def _asking_where(battle: BattleNow, side: str, commander: Commander) -> CommandParts:
    """Before the commander gives his orders of a turn: where does everybody stand?"""
    some_have_gone_on = bool(_groups_gone_on(battle, side))

    def make(where: str | Places, seed: int) -> AnyOrder:
        if isinstance(where, str):
            return orders.AskForOrders(side=side, seed=seed, gone_on=some_have_gone_on)
        return _placed(side, where, others_as_listed=some_have_gone_on)

    return CommandParts(
        slots=(_where_slot(commander, some_have_gone_on=some_have_gone_on),),
        make=make,
        preview=partial(_who_is_where, battle, side),
        seeded=True,
        reopens=True,
    )


def _where_slot(commander: Commander, *, some_have_gone_on: bool) -> Slot:
    """Does everybody stand as listed? ``some_have_gone_on``: the list takes some of the enemy's
    groups to have moved on."""
    text, key_note = "Is a group elsewhere than listed? (+: in cover)", WHERE_KEYS
    if some_have_gone_on:
        text, key_note = WENT_ON, WENT_KEYS
    return Words(
        name="where",
        large="WHERE ARE THEY?",
        text=text,
        key_note=key_note,
        default=AS_IT_IS,
        write=_as_listed,
        longest=LONGEST_LINE,
        read=partial(_read_places, dict(_by_sign(commander))),
    )


def _groups_gone_on(battle: BattleNow, side: str) -> Mapping[str, TableGroup]:
    """The enemy's groups that are taken to have moved on; none where working it out fails."""
    with suppress(Refused), thinking():
        return _headquarters_of(battle.state, side).gone_on
    return {}


def _placed(side: str, places: Places, *, others_as_listed: bool = False) -> AnyOrder:
    """The order that says where groups stand. ``others_as_listed``: all that are not named have
    gone on as the list has them."""
    said = [_said_of(side, where) for where in places if not where.stays]
    if len(said) == 1 and not others_as_listed:
        return said[0]
    stay = tuple(where.group for where in places if where.stays)
    return orders.SayPlaces(side=side, places=tuple(said), gone_on=others_as_listed, stay=stay)


def _said_of(side: str, where: Whereabouts) -> orders.SayWhere:
    """What is said of one group."""
    if where.square is None:
        return orders.SayWhere(
            side=side,
            group=where.group,
            other_cover=where.other_cover,
            lost=where.lost,
            columns=where.columns,
            rows=where.rows,
        )
    return orders.SayWhere(
        side=side, group=where.group, square=where.square.name, half=where.square.half
    )


def _by_sign(commander: Commander) -> Iterator[tuple[str, TableGroup]]:
    """Each group by what players type for it: letters for his own, numbers for the enemy's. A group
    keeps its sign when others are lost."""
    for number, group in _numbered(commander.groups):
        if number <= len(ascii_lowercase):
            yield ascii_lowercase[number - 1], group
    for number, group in _numbered(commander.enemies):
        yield str(number), group


def _numbered(groups: Sequence[TableGroup]) -> Iterator[tuple[int, TableGroup]]:
    """Groups by the numbers with which they were formed; who came later counts on from there."""
    formed, later = {}, []
    for group in groups:
        as_formed = _FORMED.search(group.id)
        if as_formed is None:
            later.append(group)
        else:
            formed[int(as_formed["number"])] = group
    yield from formed.items()
    yield from enumerate(later, start=max(formed, default=0) + 1)


def _who_is_where(battle: BattleNow, side: str, facts: Answers) -> Page:
    """Both sides' groups with their squares, the enemy's first: of those the commander knows
    least."""
    del facts
    commander = battle.state.commanders[side]
    with suppress(Refused), thinking():
        # Who was lost since his last orders is not listed.
        commander = _headquarters_of(battle.state, side).after_losses
    gone_on = _groups_gone_on(battle, side)
    signs = {group.id: sign for sign, group in _by_sign(commander)}
    blocks = []
    for groups in (commander.enemies, commander.groups):
        if groups:
            text = _each_in_its_square(battle, signs, groups, gone_on)
            people = battle.people(piece_side(groups[0].id))
            blocks.append(Paragraph(text, lead=people))
    return Page("", tuple(blocks))


def _each_in_its_square(
    battle: BattleNow,
    signs: Mapping[str, str],
    groups: Sequence[TableGroup],
    gone_on: Mapping[str, TableGroup],
) -> str:
    """``a D5+ 8r, b G5 6r 1m.``: the letter or number of each group, its square (``+``: in cover)
    and its strength. A group that is taken to have moved on: ``2 D4→D5s+ 8r.``"""
    listed_groups = []
    for group in groups:
        # Beyond the letters there are, a group is moved by its own order.
        sign = signs.get(group.id, "–")
        place = _place(group)
        if group.id in gone_on:
            place = _way_on(group, gone_on[group.id])
        listed_groups.append(f"{sign} {place} {_strength(battle, group)}")
    return f"{', '.join(listed_groups)}."


def _place(group: TableGroup) -> str:
    """``D5``; ``D5+`` in cover."""
    if group.cell is None:
        return OFF_TABLE
    if group.cover:
        return f"{group.cell.square}+"
    return group.cell.square


def _way_on(group: TableGroup, further: TableGroup) -> str:
    """``D4→D5s``: from D4 into the lower half of D5, written as players type it."""
    start, end = group.cell, further.cell
    if start is None or end is None:
        return _place(further)
    # A square is two cells wide and two high; the even ones are its left and its lower half. A move
    # straight to the side ends in the left or right half, any other in the upper or lower one.
    in_left_half, in_lower_half = end.column % 2 == 0, end.row % 2 == 0
    if end.row == start.row:
        half = "e"
        if in_left_half:
            half = "w"
    else:
        half = "n"
        if in_lower_half:
            half = "s"
    way = f"{start.square}→{end.square}{half}"
    if further.cover:
        return f"{way}+"
    return way


def _strength(battle: BattleNow, group: TableGroup) -> str:
    """``8r 1m``, ``1t (10r aboard)``: how many of each row of the board are in a group."""
    letters = {}
    for row in rows(battle.state, piece_side(group.id)):
        if row.contingent.id == group.known.contingent:
            letters[row.unit.id] = row.letter
    strength = _by_letter(letters, group.known.counts)
    if group.known.aboard:
        strength = f"{strength} ({_by_letter(letters, group.known.aboard)} aboard)"
    return strength


def _by_letter(letters: Mapping[str, str], counts: Mapping[str, int]) -> str:
    """``8r 1m``: the counts of units, each with the letter of its row."""
    parts = [f"{count}{letters.get(unit, '')}" for unit, count in counts.items()]
    return " ".join(parts)


def _read_places(names: Mapping[str, TableGroup], typed: str) -> str | Places:
    """``2d5``, ``b d5n``, ``2 off``, or several of them: ``2d5 3e4``, also without the blank.
    Raises UnfitAnswer."""
    text = typed.strip().lower()
    if not text:
        return AS_IT_IS
    places = []
    begins = 0
    while begins < len(text):
        parts = _PLACE.match(text, begins)
        if parts is None:
            rest = text[begins:].strip()
            raise UnfitAnswer(f"{rest} is no group with its square.", key_note=WHERE_HINT)
        for sign in _signs_in(parts["group"], names):
            places.append(_whereabouts(names[sign].id, parts))
        begins = parts.end()
    return tuple(places)


def _signs_in(typed: str, names: Mapping[str, TableGroup]) -> list[str]:
    """The groups that are named before a place: ``12`` is group 12, or 1 and 2 where there is no
    group 12. Raises UnfitAnswer."""
    if typed in names:
        return [typed]
    for sign in typed:
        if sign not in names:
            raise UnfitAnswer(f"There is no group {sign}; the list has the groups.")
    return list(typed)


def _whereabouts(group: str, parts: re.Match[str]) -> Whereabouts:
    """What is said of a group in one place of ``_PLACE``."""
    square = None
    if parts["column"]:
        name = f"{parts['column'].upper()}{parts['row']}"
        square = MapSquare(name, HALVES[parts["half"] or ""])
    steps = Counter(parts["steps"] or "")
    return Whereabouts(
        group,
        square,
        other_cover=bool(parts["cover"]),
        lost=int(parts["lost"] or 0),
        off=bool(parts["off"]),
        stays=bool(parts["stays"]) or _leads_back(steps),
        columns=steps[">"] - steps["<"],
        rows=steps["^"] - steps["v"],
    )


def _leads_back(steps: Counter[str]) -> bool:
    """Whether steps that were typed end where they begin, as ``<>`` does."""
    return steps.total() > 0 and steps[">"] == steps["<"] and steps["^"] == steps["v"]


def _read_square(text: str) -> MapSquare:
    """``d5``, ``d5n``. Raises UnfitAnswer."""
    parts = _SQUARE.fullmatch(text)
    if parts is None:
        raise UnfitAnswer(f"{text or 'That'} is no square of the map.", key_note=WHERE_HINT)
    return MapSquare(f"{parts[1].upper()}{parts[2]}", HALVES[parts[3]])


def _order_to_carry_out(battle: BattleNow, side: str, order: CommandOrder) -> CommandParts:
    """The next order, which players carry out on the table."""
    return CommandParts(
        slots=(_order_slot(battle, battle.state.commanders[side], order),),
        toggles=_all_ways,
        make=partial(_reply, side, order.group),
        preview=partial(_why, battle, side, order.group),
        reopens=True,
    )


def _all_ways(facts: Answers) -> tuple[Toggle, ...]:
    """Tab unfolds why: all that he could have ordered."""
    return switches([("all", "tab", "why: all ways")], facts)


def _order_slot(battle: BattleNow, commander: Commander, order: CommandOrder) -> Slot:
    """What he orders, with what players may say of it."""
    large = "ORDER"
    if commander.advises:
        large = "ADVICE"
    moving = [waiting for waiting in commander.orders if waiting.verb != HOLD]
    asides = []
    group = commander.group(order.group)
    if group is not None:
        sign = _sign_of(commander, group.id)
        asides.append(f"{sign} {_strength(battle, group)}")
    if len(moving) > 1:
        asides.append(f"{len(moving) - 1} more")
    text = order.words
    # A group that was lost meanwhile has no sign and no strength.
    if asides:
        text = f"{text} ({'; '.join(asides)})"
    return Words(
        name="answer",
        large=large,
        text=text,
        key_note=ORDER_KEYS,
        default=AS_IT_IS,
        longest=6,
        read=_read_answer,
        write=_it_is_done,
    )


def _reply(side: str, group: str, answer: OrderAnswer, **facts: bool) -> AnyOrder:
    """What players say of the order of a group, as an order of theirs."""
    del facts  # what was unfolded changes nothing
    match answer:
        case MapSquare():
            return orders.CarryOut(side=side, group=group, square=answer.name, half=answer.half)
        case Reality(kind="way"):
            return orders.Overrule(side=side, group=group, number=answer.number)
        case Reality(kind="blocked" | "cover" | "fewer" as why):
            return orders.CannotDo(side=side, group=group, why=why, number=answer.number)
    return orders.CarryOut(side=side, group=group)


def _it_is_done(answer: object) -> str:
    """What Enter alone means, for the hint below the question."""
    del answer
    return "it is done"


def _as_listed(answer: object) -> str:
    """What Enter alone means at the question where groups stand, for the hint below it."""
    del answer
    return "they stand as listed"


def _it_fires(answer: object) -> str:
    """What Enter alone means at a shot, for the hint below it."""
    del answer
    return "it fires"


def _who_stays(battle: BattleNow, side: str, commander: Commander) -> CommandParts:
    """All who stay where they are, at once; with Tab one after another, to correct them."""
    first = commander.orders[0]

    def toggles(facts: Answers) -> tuple[Toggle, ...]:
        return switches([("single", "tab", "one by one")], facts)

    def slots(facts: Answers) -> tuple[Slot, ...]:
        if facts.get("single"):
            return (_order_slot(battle, commander, first),)
        text = f"{_name_of(commander, first.group)} stays where it is."
        if len(commander.orders) > 1:
            # The list above says who is which; names would be longer than it.
            staying = [_sign_of(commander, order.group) for order in commander.orders]
            text = f"{listed(staying)} stay where they are."
        all_stay = Confirm(
            name="stay",
            large="ORDER",
            text=text,
            optional=False,
            default=True,
            says="It is done",
            unfit_keys="Enter goes on; Tab takes them one by one; Esc leaves it.",
        )
        return (all_stay,)

    def make(single: bool = False, stay: bool = True, answer: OrderAnswer = AS_IT_IS) -> AnyOrder:
        del stay  # the confirmation has no other answer
        if single:
            return _reply(side, first.group, answer)
        return orders.AllStay(side=side)

    return CommandParts(
        slots=slots,
        toggles=toggles,
        make=make,
        preview=partial(_who_is_where, battle, side),
        reopens=True,
    )


def _sign_of(commander: Commander, id: str) -> str:
    """What players type for a group; a dash beyond the letters there are."""
    for sign, group in _by_sign(commander):
        if group.id == id:
            return sign
    return "–"


def _name_of(commander: Commander, id: str) -> str:
    """The name of a group; its id where it is gone."""
    group = commander.group(id)
    if group is None:
        return id
    return group.name


def _read_answer(typed: str) -> OrderAnswer:
    """What was typed after an order, as ``ORDER_KEYS`` shows it. Raises UnfitAnswer."""
    text = typed.strip().lower()
    if not text:
        return AS_IT_IS
    if text == "b":
        return Reality("blocked")
    if text == "c":
        return Reality("cover")
    # ``f3`` is no square here: how many get there is asked far more often than row F.
    fewer = _FEWER.fullmatch(text)
    if fewer is not None:
        return Reality("fewer", int(fewer[1]))
    if text[0] == "!" and text[1:].isdecimal():
        return Reality("way", int(text[1:]))
    return _read_square(text)


def _why(battle: BattleNow, side: str, group: str, facts: Answers) -> Page:
    """The best ways to move a group that the commander has weighed, or (with the answer ``all``)
    every one of them, with their scores in points."""
    try:
        with thinking():
            lines = _headquarters_of(battle.state, side).why(group)
    except Refused as refused:
        return Page("", (Paragraph(str(refused)),))
    if not facts.get("all"):
        lines = lines[:FIRST_WAYS]
    blocks = []
    for number, line in enumerate(lines, start=1):
        blocks.append(Paragraph(line, lead=str(number)))
    return Page("", tuple(blocks))


def _headquarters_of(state: State, side: str) -> Headquarters:
    """Where the commander of a side thinks. Raises Refused."""
    # Only a battle with a commander loads the tables of the map.
    from skirmish.games.plastic.battle.headquarters import headquarters  # noqa: PLC0415

    return headquarters(state, side)


# ------------------------------------------------------------------ the enemy's turn


def key_of_more_fire(state: State, firing: str) -> str:
    """The key under which the commander of a side goes on with his list, after one of its shots has
    been carried out; empty if nothing is left of it, or if nobody commands the side."""
    if has_fire_left(state, firing):
        return COMMANDER_KEY
    return ""


def _in_enemy_turn(battle: BattleNow, side: str) -> CommandParts:
    """The commander waits for targets while the enemy moves (phase 1), and fires after it
    (phase 2)."""
    try:
        with thinking():
            if battle.state.clock.phase == 1:
                return _waiting_to_fire(battle, side)
            return _defending(battle, side)
    except Refused as refused:
        return CommandParts(why_not=str(refused))


def _waiting_to_fire(battle: BattleNow, side: str) -> CommandParts:
    """What the commander waits for while the enemy moves: at most three things."""
    fire: dict[int, AnyOrder] = {}
    options: list[tuple[int, str]] = []
    for line in _headquarters_of(battle.state, side).fire_lines:
        order = _op_fire(side, line)
        if why_not(battle.state, order) is None:
            fire[line.number] = order
            options.append((line.number, line.words))
    if not options:
        if battle.mover in battle.state.commanders:
            # His orders have said where they went; no question stands in the way of the next phase.
            return CommandParts(why_not=WAITS_FOR_NOTHING)
        told = _elsewhere(battle, side, "STOP WHEN", WAITS_FOR_NOTHING)
        # Not opened again: told where one group is, he may wait for something, and the 2 of a next
        # 2d5 would choose his second line.
        return replace(told, reopens=False)
    waiting = Choose(
        name="line",
        large="STOP WHEN",
        text="Choose what has happened; the first group of the line fires.",
        options=numbered_options(options),
        # It is read while figures are moved: an Enter too many must not fire.
        by_key_only=True,
    )

    def toggles(facts: Answers) -> tuple[Toggle, ...]:
        return switches([("elsewhere", "tab", "a group is elsewhere")], facts)

    def slots(facts: Answers) -> tuple[Slot, ...]:
        if facts.get("elsewhere"):
            return (_elsewhere_slot(battle, side, "STOP WHEN", WHICH_IS_ELSEWHERE),)
        return (waiting,)

    def preview(facts: Answers) -> Page:
        if facts.get("elsewhere"):
            return _who_is_where(battle, side, facts)
        return Page("", ())

    def make(line: int = 0, where: Places = (), elsewhere: bool = False) -> AnyOrder:
        del elsewhere  # it shows in what was answered
        if where:
            return _placed(side, where)
        return fire[line]

    return CommandParts(slots=slots, toggles=toggles, make=make, preview=preview)


def _op_fire(side: str, line: FireLine) -> AnyOrder:
    """The fire of the first group of a line that can: of all its guns of one kind together. A gun
    on its mark is a group of its own."""
    guns, enemy = line.guns[0], line.enemy.group
    shooters = 0
    for other in line.guns:
        if (other.stand, other.unit, other.weapon) == (guns.stand, guns.unit, guns.weapon):
            shooters += other.number
    return orders.FireAsSaid(
        side=side,
        group=guns.stand.group.id,
        unit=guns.unit.id,
        weapon=guns.weapon.id,
        enemy=enemy.id,
        # The unit of which the enemy group has most.
        aimed_at=max(enemy.counts, key=lambda unit: enemy.counts[unit]),
        count=shooters,
    )


def _defending(battle: BattleNow, side: str) -> CommandParts:
    """Where the enemy has gone, as far as that is proposed; then the next shot of the commander's
    list that the rules allow."""
    commander = battle.state.commanders[side]
    if _groups_gone_on(battle, side):
        return _asking_where_they_went(battle, side, commander)
    shot = _next_allowed_shot(battle.state, side)
    if shot is None:
        return _elsewhere(battle, side, "ITS FIRE", NO_SHOT_LEFT)
    slot = Words(
        name="answer",
        large="ITS FIRE",
        text=shot.words,
        key_note=SHOT_KEYS,
        default=AS_IT_IS,
        longest=LONGEST_LINE,
        read=partial(_read_shot_answer, dict(_by_sign(commander))),
        write=_it_fires,
    )
    return CommandParts(
        slots=(slot,),
        make=partial(_shot_or_not, side, shot),
        preview=partial(_who_is_where, battle, side),
        # Also after the last shot, since who is moved instead may bring another one.
        reopens=True,
    )


def _next_allowed_shot(state: State, side: str) -> DefensiveShot | None:
    """The first shot of the commander's list that the rules allow; None if there is none."""
    for shot in _headquarters_of(state, side).next_shots:
        if why_not(state, _shot_order(side, shot, shot.target.cover)) is None:
            return shot
    return None


def _asking_where_they_went(battle: BattleNow, side: str, commander: Commander) -> CommandParts:
    """Before the commander fires, once a turn: who moved last time has probably gone on."""

    def make(where: str | Places) -> AnyOrder:
        named: Places = ()
        if not isinstance(where, str):  # Enter alone names nobody
            named = where
        return _placed(side, named, others_as_listed=True)

    return CommandParts(
        slots=(_where_slot(commander, some_have_gone_on=True),),
        make=make,
        preview=partial(_who_is_where, battle, side),
        reopens=True,
    )


def _elsewhere(battle: BattleNow, side: str, large: str, text: str) -> CommandParts:
    """The commander has nothing to say, if all are where they are listed; perhaps somebody is
    elsewhere."""

    def make(where: Places) -> AnyOrder:
        return _placed(side, where)

    return CommandParts(
        slots=(_elsewhere_slot(battle, side, large, text),),
        make=make,
        preview=partial(_who_is_where, battle, side),
        reopens=True,
        # After the last shot of his list there is nothing that players have to answer.
        by_key_only=True,
    )


def _elsewhere_slot(battle: BattleNow, side: str, large: str, text: str) -> Slot:
    """Which group stands elsewhere; without an answer nothing is said."""
    commander = battle.state.commanders[side]
    return Words(
        name="where",
        large=large,
        text=text,
        key_note="2^ 3e4: 2 went up 6 in, 3 to E4; Esc leaves it.",
        longest=LONGEST_LINE,
        read=partial(_read_elsewhere, dict(_by_sign(commander))),
        write=_as_listed,
    )


def _read_elsewhere(names: Mapping[str, TableGroup], typed: str) -> Places:
    """``2d5``, as ``_read_places``, but not nothing. Raises UnfitAnswer."""
    where = _read_places(names, typed)
    if isinstance(where, str):
        raise UnfitAnswer("Say who is elsewhere.", key_note=WHERE_HINT)
    return where


def _read_shot_answer(names: Mapping[str, TableGroup], typed: str) -> str | Places:
    """What was typed after a shot, as ``SHOT_KEYS`` shows it. Raises UnfitAnswer."""
    text = typed.strip().lower()
    if text in ("x", "c"):
        return text
    return _read_places(names, typed)


def _shot_or_not(side: str, shot: DefensiveShot, answer: str | Places) -> AnyOrder:
    """The order that an answer to a shot comes to. ``x``: the target is not in sight; ``c``: it is
    in cover and not in the open, or the other way round; places: groups are elsewhere; anything
    else: the shot is fired."""
    if not isinstance(answer, str):
        return _placed(side, answer)
    if answer == "x":
        return orders.DenySight(side=side, group=shot.shooter.group.id, enemy=shot.target.group.id)
    cover = shot.target.cover
    if answer == "c":
        cover = not cover
    return _shot_order(side, shot, cover)


def _shot_order(side: str, shot: DefensiveShot, cover: bool) -> AnyOrder:
    """The shot as an order of the battle."""
    return orders.FireAsSaid(
        side=side,
        group=shot.shooter.group.id,
        unit=shot.guns.unit.id,
        weapon=shot.guns.weapon.id,
        enemy=shot.target.group.id,
        aimed_at=shot.unit,
        count=shot.number,
        cover=cover,
    )
