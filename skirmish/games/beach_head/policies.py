"""Automatic players: the target a plan aims at, the value of a beach and of a card, whole games.
``docs/beach-head.md`` describes how the plan was found and what it saves. The values of the beach
were fitted to 370,000 ends of games under the plan (least squares); the values of cards were found
by letting every card wait for the best of the rolls to come."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from random import Random
from typing import NamedTuple, TypeVar

from msgspec.structs import replace

from skirmish.games.beach_head import orders
from skirmish.games.beach_head import ruleset as printed
from skirmish.games.beach_head.events import BeachOpened
from skirmish.games.beach_head.ruleset import DefenceId, TankId
from skirmish.games.beach_head.simulate.policy import BETTER, MOST, Plan
from skirmish.games.beach_head.state import BeachAsk, BeachState, BeachTask, Played, Roll
from skirmish.games.beach_head.wording import prompt_text
from skirmish.tabletop.chance import Draw

T = TypeVar("T")


def aim(plan: Plan, state: BeachState, ask: BeachAsk) -> DefenceId:
    """The same choice that the plan makes for many games at once."""
    standing = [name for name in ask.targets if state.defences[name]]
    counted: dict[str, int] = {one.id: state.tanks.count(one.id) for one in state.ruleset.tank}
    counted |= {one.id: state.defences[one.id] for one in state.ruleset.defence}
    counted |= {"turn": state.turn, "squads": state.squads}
    counted["points"] = MOST if ask.points is None else ask.points
    return next(
        standing[place]
        for place, when in plan.offers(str(state.phase), standing)
        if all(one.least <= counted[one.what] <= one.most for one in when)
    )


def give(plan: Plan, kinds: tuple[TankId, ...]) -> TankId:
    return next((kind for kind in plan.gives if kind in kinds), kinds[0])


POINT: dict[DefenceId, float] = {"bunkers": 0.53, "walls": 0.47, "trenches": 0.53}
"""Squads lost per remaining point of each defence that must fall or bars the way."""
_WIRE = 0.33
_DITCH = 0.07
_MINE = 0.02
_TRAPS_A_TURN = 0.03
_SQUAD_A_TURN = 0.03
_GUN_A_TURN = 0.33
_AVRE_A_TURN = 0.36
_CRAB_A_TURN = 0.1
_SECOND = 0.3
"""The share of its value that a second tank of a kind adds."""
_CRAFT = 1.2
"""Squads lost per landing craft hit: fewer tanks, less fire, but fewer squads too."""
_WITH_CARDS = 0.5
"""The factor for costs that come with further turns, when played with cards; 0.5 had the fewest
casualties of 1, 0.7, 0.5, 0.4 and 0.3."""
_POINTS_A_TURN = 10
"""Points removed from bunkers, walls and trenches by all arms together."""
FACES = range(1, 7)


def to_come(state: BeachState) -> float:
    """Squads lost so far and expected to be lost, including the agenda; only meant for comparing
    two continuations."""
    if state.over:
        return state.casualties
    left = state.defences
    turns = sum(left[name] for name in POINT) / _POINTS_A_TURN
    total = math.fsum(each * left[name] for name, each in POINT.items())
    total += _WIRE * left["wire"] if left["bunkers"] else 0
    total += (_DITCH * left["ditches"]) + _MINE * left["mines"]
    total += _TRAPS_A_TURN * turns * left["traps"] + _SQUAD_A_TURN * turns * state.squads
    total += _CRAFT * min(1, state.craft_hit)
    total += turns * _without(state.tanks)
    total += math.fsum(_pending(state, task, turns) for task in state.agenda)
    return state.casualties + _share(state) * total


def _without(tanks: tuple[TankId, ...]) -> float:
    """The cost per turn of lacking tanks."""
    sorts = (
        (tanks.count("gun"), _GUN_A_TURN),
        (tanks.count("bridge") + tanks.count("fascine"), _AVRE_A_TURN),
        (tanks.count("crab"), _CRAB_A_TURN),
    )
    return -math.fsum(each * (1 + _SECOND * (count > 1)) for count, each in sorts if count)


def _pending(state: BeachState, task: BeachTask, turns: float) -> float:
    step = state.step_of(task)
    match task.what:
        case "lose_tank":
            places = [state.tanks.index(one) for one in state.losable(task)]
            without = [(*state.tanks[:at], *state.tanks[at + 1 :]) for at in places]
            return turns * _average(without, state.tanks) if without else 0.0
        case "kind":
            kinds = [state.ruleset.tank_by_face(face).id for face in FACES]
            lands = [state.setup.landed_as(kind) for kind in kinds]
            after = [(*state.tanks, one) if one else state.tanks for one in lands]
            return turns * _average(after, state.tanks)
        case "crater" if task.target:
            return _DITCH * _mean(step.craters[task.target], MOST)
        case "spend":
            return -max(POINT.values()) * task.points
        case "outcome":
            row = step.row[task.row]
            if row.kill:  # certain losses are not expected again later
                killed = 1 / _share(state) - _SQUAD_A_TURN * turns
                return killed * _mean(row.kill, state.squads)
            if row.remove:
                return -max(POINT.values()) * _mean(row.remove, sum(state.defences.values()))
    return 0.0


def _average(after: Sequence[tuple[TankId, ...]], now: tuple[TankId, ...]) -> float:
    return sum(_without(one) - _without(now) for one in after) / len(after)


def _share(state: BeachState) -> float:
    return 1.0 if state.deck is None else _WITH_CARDS


@lru_cache(maxsize=512)
def _mean(spec: str, most: int) -> float:
    """The average of a roll that counts from 0 up to ``most``."""
    count, plus = printed.dice(spec)
    totals = [sum(faces) + plus for faces in product(FACES, repeat=count)]
    return sum(min(most, max(0, total)) for total in totals) / len(totals)


class Use(NamedTuple):
    order: orders.PlayCard
    gain: float


def uses(state: BeachState) -> list[Use]:
    """Every use of the hand on the current roll, best first, one card per rank."""
    if state.roll is None:
        return []
    now, found = _expected(state), list[Use]()
    ranks = {card.rank: card for card in reversed(state.hand)}  # suits make no difference
    for card in reversed(ranks.values()):
        tries = _tries(state, state.roll, card, now)
        found += [one for one in tries if one.gain > 0 and not one.order.why_not(state)]
    return sorted(found, key=lambda use: -use.gain)


def _tries(state: BeachState, roll: Roll, card: Draw, now: float) -> Iterator[Use]:
    printed = state.ruleset.card_of(card)
    if printed.does == "repeat":
        order = orders.PlayCard(card=card)
        yield Use(order, 0.0 if order.why_not(state) else phase_again(state))
    elif printed.does != "draw":
        dice = range(1 if printed.shifts or not roll.faces else roll.dice)
        for die in dice:
            if die == 0 or roll.faces[die] not in roll.faces[:die]:
                ways = [_expected(one) for one in _with_card(state, roll, card, die)]
                yield Use(orders.PlayCard(card=card, die=die), now - sum(ways) / len(ways))


def _with_card(state: BeachState, roll: Roll, card: Draw, die: int) -> list[BeachState]:
    """The equally likely states after a card on a roll: six for a Colonel. Draws nothing."""
    hand = tuple(one for one in state.hand if one != card)
    rolls: list[tuple[int, ...]] = [()]
    if state.ruleset.card_of(card).does == "reroll":
        rolls = _six_rolls(roll.dice if state.ruled("B22", "all") else 1)
    plays = [(*roll.cards, Played(card, die, faces)) for faces in rolls]
    return [replace(state, hand=hand, ask=None, roll=replace(roll, cards=one)) for one in plays]


@lru_cache(maxsize=8)
def _six_rolls(count: int) -> list[tuple[int, ...]]:
    """Six rolls of ``count`` dice in which each die shows each face once."""
    return [tuple((face + 2 * die) % 6 + 1 for die in range(count)) for face in range(6)]


def _expected(state: BeachState) -> float:
    """The expected cost once the roll counts; the average for an announced roll (B19)."""
    roll = state.roll
    assert roll is not None
    rolls = [roll] if roll.faces else [replace(roll, faces=one) for one in _six_rolls(roll.dice)]
    ends = [orders.BeachResolution(replace(state, roll=one)).settle().state for one in rolls]
    return sum(map(to_come, ends)) / len(ends)


def phase_again(state: BeachState) -> float:
    after = orders.BeachResolution(state).settle().state
    if after.over or state.now.side == "german":
        return 0.0
    after = replace(after, agenda=())
    return sum(_step_again(after, number) for number in range(len(state.now.step)))


def _step_again(state: BeachState, number: int) -> float:
    step, target = state.now.step[number], None
    if step.does == "remove":
        open_ = state.is_open(state.now, step)
        targets = state.targets_of(state.now, step) if open_ else ()
        if not targets:
            return 0.0
        target = aim(BETTER, state, BeachAsk(what="target", targets=targets))
    count, plus = printed.dice(state.spec_of(step))
    task = BeachTask(what="throw", step=number, target=target)
    roll = Roll(task=task, dice=count, plus=plus, modifiers=state.modifiers(step.modifiers))
    return to_come(state) - _expected(replace(state, roll=roll, agenda=(task,)))


PARTS: tuple[printed.PhaseId, ...] = ("gun_tank", "defenders", "shore_guns", "mines", "bridge")
"""The parts of a turn by their last phase: landing, defenders, guns, mines, assault. After them
nothing is worth waiting for."""
HOPE: dict[int, tuple[float, float, float, float, float]] = {
    1: (2.7, 1.15, 0.7, 0.0, 0.0),
    2: (2.4, 1.2, 0.75, 0.1, 0.05),
    3: (2.1, 1.25, 0.85, 0.3, 0.15),
    4: (1.5, 0.9, 0.7, 0.5, 0.3),
    5: (1.05, 0.85, 0.8, 0.8, 0.6),
    6: (1.1, 1.0, 1.0, 1.0, 0.75),
    7: (1.95, 0.95, 0.6, 0.0, 0.0),
    8: (1.2, 0.6, 0.35, 0.0, 0.0),
    9: (0.4, 0.4, 0.35, 0.3, 0.25),
    10: (0.65, 0.65, 0.6, 0.6, 0.5),
    11: (1.5, 0.85, 0.65, 0.4, 0.3),
    12: (1.15, 1.15, 1.15, 1.15, 0.9),
}
"""Squads that a card of each rank can expect to save in the rest of the turn, after each part."""
_RIVALS = 0.65
"""The share of that which remains, as the other cards compete for the same rolls."""
WORTH: dict[int, float] = {
    1: 2.7, 2: 2.4, 3: 2.1, 4: 1.5, 5: 1.1, 6: 1.3, 7: 1.95, 8: 1.2, 9: 0.5, 10: 0.9, 11: 1.5,
    12: 1.15, 13: 2.4,
}  # fmt: skip
"""Squads that a card of each rank saves in a whole turn, alone and at its best moment."""
DRAWN = sum(WORTH.values()) / len(WORTH)
"""The expected worth of a card not yet drawn."""
MOST_ORDERS = 20_000
"""A game with more orders than this counts as endless."""


class GamePolicy(NamedTuple):
    """Plays one game on the information a player has. With a ``plan`` it chooses targets by it, and
    plays a card wherever that gains more than waiting; without one it chooses targets at random and
    plays no cards."""

    name: str
    plan: Plan | None = None

    def order(self, state: BeachState, chance: Random) -> orders.BeachOrder:
        """Raises ValueError (a sentence) if the answer lies on a real table."""
        plan = self.plan
        match state.ask:
            case BeachAsk(what="target", targets=targets) as ask:
                return orders.ChooseTarget(
                    target=aim(plan, state, ask) if plan else pick(targets, chance)
                )
            case BeachAsk(what="tank", kinds=kinds):
                return orders.GiveTank(tank=give(plan, kinds) if plan else pick(kinds, chance))
            case BeachAsk(what="exchange", most=most) if plan:
                return _exchange(state, most)
            case BeachAsk(what="trim", count=count) if plan:
                return orders.Discard(cards=worst_first(state)[:count])
            case BeachAsk(what="trim", count=count):
                return orders.Discard(cards=taken(state.hand, count, chance))
            case BeachAsk(what="dice" | "lot" | "cards"):
                table = "The program cannot play with the dice and cards on your table."
                raise ValueError(f"{table} {prompt_text(state)}")
        return (_worth_playing(state) if plan else None) or orders.Go()


PLAIN, SKILLED = GamePolicy("plain"), GamePolicy("better", BETTER)
POLICIES = {one.name: one for one in (PLAIN, SKILLED)}


def pick(things: Sequence[T], chance: Random) -> T:
    return things[int(chance.random() * len(things))]


def taken(cards: Iterable[Draw], count: int, chance: Random) -> tuple[Draw, ...]:
    left = list(cards)
    return tuple(left.pop(int(chance.random() * len(left))) for _ in range(count))


def _exchange(state: BeachState, most: int) -> orders.BeachOrder:
    generals = (orders.PlayCard(card=card) for card in state.hand if state.is_general(card))
    if (general := next(generals, None)) and not general.why_not(state):
        return general  # he draws more cards than he costs
    cards = [card for card in worst_first(state) if WORTH[card.rank] < DRAWN][:most]
    return orders.Discard(cards=tuple(cards)) if cards else orders.Go()


def _worth_playing(state: BeachState) -> orders.PlayCard | None:
    found = [(use.gain - _hope(state, use.order.card.rank), use.order) for use in uses(state)]
    more, order = max(found, key=lambda one: one[0], default=(0.0, None))
    return order if more > 0 else None


def _hope(state: BeachState, rank: int) -> float:
    place = state.ruleset.place(state.phase or "tactical")
    part = next((at for at, last in enumerate(PARTS) if place <= state.ruleset.place(last)), None)
    return 0.0 if part is None else _RIVALS * HOPE[rank][part]


def worst_first(state: BeachState) -> tuple[Draw, ...]:
    """The hand, by what its cards save."""
    return tuple(sorted(state.hand, key=lambda card: (WORTH[card.rank], card)))


def play_out(setup: printed.BeachSetup, policy: GamePolicy, seed: int) -> BeachState:
    return play_on(BeachOpened(setup=setup).apply(None), policy, seed)


def play_on(state: BeachState, policy: GamePolicy, seed: int) -> BeachState:
    """The end of a game in progress. Raises ValueError (a sentence) where it cannot be played."""
    chance = Random(seed)
    for _ in range(MOST_ORDERS):
        if state.over:
            return state
        state = policy.order(state, chance).resolved(state).state
    raise ValueError(
        f"After {MOST_ORDERS} orders of the policy {policy.name} the game is not over."
    )
