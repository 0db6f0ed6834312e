"""Automatic players: the target that a plan aims at, what a beach is expected to cost (``cost``),
what a card can save (``WORTH``, ``HOPE``), and whole games.

``docs/beach-head.md`` describes how the plan was found and what it saves. The numbers of the beach
were fitted to 370,000 ends of games under the plan (least squares); those of cards were found by
letting every card wait for the best of the rolls to come.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from random import Random
from typing import NamedTuple, TypeVar

from msgspec.structs import replace

from skirmish.games.beach_head import orders
from skirmish.games.beach_head.events import BeachOpened
from skirmish.games.beach_head.ruleset import (
    BeachSetup,
    Card,
    DefenceId,
    PhaseId,
    ResultRow,
    TankId,
    dice_of,
)
from skirmish.games.beach_head.settling import state_after_roll
from skirmish.games.beach_head.simulate.policy import BETTER, MOST, Plan, When
from skirmish.games.beach_head.state import BeachAsk, BeachState, BeachTask, Played, Roll
from skirmish.games.beach_head.wording import prompt_text
from skirmish.tabletop.chance import Draw

T = TypeVar("T")


def aim(plan: Plan, state: BeachState, ask: BeachAsk) -> DefenceId:
    """The target that the plan chooses in one game; ``Plan.choose`` chooses it in many games at
    once. Raises ValueError where nothing stands."""
    standing = [name for name in ask.targets if state.defences[name]]
    for offer in plan.offers(str(state.phase), standing):
        if all(_holds(condition, state, ask) for condition in offer.conditions):
            return standing[offer.option]
    raise ValueError("the plan offers nothing, as nothing stands")


def _holds(condition: When, state: BeachState, ask: BeachAsk) -> bool:
    """Whether a condition of the plan is met in this game."""
    return condition.least <= _counted(condition.quantity, state, ask) <= condition.most


def _counted(quantity: str, state: BeachState, ask: BeachAsk) -> int:
    """What a condition of the plan counts in one game, as ``Situation.counted`` does in many: turn,
    squads, points, a defence, or a tank's kind."""
    match quantity:
        case "turn":
            return state.turn
        case "squads":
            return state.squads
        case "points":
            # Where the die comes after the target, nothing limits the points yet.
            if ask.points is None:
                return MOST
            return ask.points
    for defence in state.ruleset.defence:
        if defence.id == quantity:
            return state.defences[defence.id]
    return sum(kind == quantity for kind in state.tanks)


def give(plan: Plan, kinds: tuple[TankId, ...]) -> TankId:
    """The kind of tank that the plan gives up, of the ``kinds`` ashore (B13)."""
    for kind in plan.gives:
        if kind in kinds:
            return kind
    return kinds[0]


_SQUADS_A_POINT: dict[DefenceId, float] = {"bunkers": 0.53, "walls": 0.47, "trenches": 0.53}
"""Squads lost per remaining point of each defence that must fall or bars the way."""
_WIRE = 0.33
"""Squads lost per remaining point of wire, while it protects bunkers."""
_DITCH = 0.07
"""Squads lost per remaining point of ditches."""
_MINE = 0.02
"""Squads lost per remaining point of mines."""
_TRAPS_A_TURN = 0.03
"""Squads lost per remaining point of traps and turn to come: they hinder the landing."""
_SQUAD_A_TURN = 0.03
"""Squads lost per squad ashore and turn to come: more stand there to be hit."""
_GUN_A_TURN = 0.33
"""Squads saved per turn to come by the first gun tank."""
_AVRE_A_TURN = 0.36
"""Squads saved per turn to come by the first AVRE of either kind."""
_CRAB_A_TURN = 0.1
"""Squads saved per turn to come by the first flail tank."""
_SECOND = 0.3
"""The share of its value that a second tank of a kind adds; a third adds nothing."""
_CRAFT = 1.2
"""Squads lost per landing craft hit: fewer tanks, less fire, but fewer squads too."""
_WITH_CARDS = 0.5
"""The factor for all costs that are still to come in a game with cards, which soften them; of 1,
0.7, 0.5, 0.4 and 0.3 it was 0.5 that had the fewest casualties."""
_POINTS_A_TURN = 10
"""Points that all arms together remove from bunkers, walls and trenches in a turn, about: from it
follows how many turns are to come."""
FACES = range(1, 7)
"""The faces of a die."""


def cost(state: BeachState) -> float:
    """Squads lost so far and expected to be lost, including the agenda; only meant for comparing
    two continuations."""
    if state.over:
        return state.casualties
    left = state.defences
    turns = sum(left[name] for name in _SQUADS_A_POINT) / _POINTS_A_TURN
    to_come = math.fsum(squads * left[name] for name, squads in _SQUADS_A_POINT.items())
    if left["bunkers"]:
        to_come += _WIRE * left["wire"]
    to_come += _DITCH * left["ditches"] + _MINE * left["mines"]
    to_come += _TRAPS_A_TURN * turns * left["traps"] + _SQUAD_A_TURN * turns * state.squads
    to_come += _CRAFT * min(1, state.craft_hit)  # hit is hit, however often (B6)
    to_come -= turns * _tank_savings(state.tanks)
    to_come += math.fsum(_cost_of_task(state, task, turns) for task in state.agenda)
    return state.casualties + _share_to_come(state) * to_come


def _tank_savings(tanks: tuple[TankId, ...]) -> float:
    """Squads saved per turn by the tanks ashore."""
    counts_and_values = (
        (tanks.count("gun"), _GUN_A_TURN),
        (tanks.count("bridge") + tanks.count("fascine"), _AVRE_A_TURN),
        (tanks.count("crab"), _CRAB_A_TURN),
    )
    savings = []
    for count, value in counts_and_values:
        if count == 1:
            savings.append(value)
        elif count > 1:
            savings.append(value * (1 + _SECOND))
    return math.fsum(savings)


def _cost_of_task(state: BeachState, task: BeachTask, turns: float) -> float:
    """The squads that a task of the agenda is expected to cost (below 0: to save), before the
    factor ``_share_to_come``. 0 for a task that both continuations have alike, such as a step whose
    dice are still to be thrown."""
    step = state.step_of(task)
    match task.what:
        case "lose_tank":
            return turns * _average_saving_lost(_tanks_after_loss(state, task), state.tanks)
        case "kind":
            return turns * _average_saving_lost(_tanks_after_landing(state), state.tanks)
        case "crater" if task.target:
            return _DITCH * _mean(step.craters[task.target], MOST)
        case "spend":
            # Their target is not chosen yet: they go where a point is worth most.
            return -max(_SQUADS_A_POINT.values()) * task.points
        case "outcome":
            return _cost_of_row(state, step.row[task.row], turns)
    return 0.0


def _cost_of_row(state: BeachState, row: ResultRow, turns: float) -> float:
    """The squads that a row of a table is expected to cost; below 0 what it saves, as for points
    removed, which are taken to go where a point is worth most."""
    if row.kill:
        # Squads killed now are certain losses: dividing by the share takes back the factor by
        # which ``cost`` multiplies everything to come. The dead cannot be lost again later.
        a_squad = 1 / _share_to_come(state) - _SQUAD_A_TURN * turns
        return a_squad * _mean(row.kill, state.squads)
    if row.remove:
        return -max(_SQUADS_A_POINT.values()) * _mean(row.remove, sum(state.defences.values()))
    return 0.0


def _tanks_after_loss(state: BeachState, task: BeachTask) -> list[tuple[TankId, ...]]:
    """The tanks ashore after each way in which one may be lost."""
    ways = []
    for kind in state.losable(task):
        tanks = list(state.tanks)
        tanks.remove(kind)
        ways.append(tuple(tanks))
    return ways


def _tanks_after_landing(state: BeachState) -> list[tuple[TankId, ...]]:
    """The tanks ashore after each face of the die for a tank's type."""
    ways = []
    for face in FACES:
        kind = state.setup.landed_as(state.ruleset.tank_by_face(face).id)
        if kind is None:
            ways.append(state.tanks)
        else:
            ways.append((*state.tanks, kind))
    return ways


def _average_saving_lost(
    outcomes: Sequence[tuple[TankId, ...]], ashore: tuple[TankId, ...]
) -> float:
    """How many squads a turn the tanks ``ashore`` save more than those afterwards, on average over
    the equally likely ``outcomes``, each the tanks that are ashore then. Below 0 where a tank
    lands; 0 if there is no outcome."""
    if not outcomes:
        return 0.0
    saved = _tank_savings(ashore)
    return sum(saved - _tank_savings(afterwards) for afterwards in outcomes) / len(outcomes)


def _share_to_come(state: BeachState) -> float:
    """The factor for everything to come: cards soften it."""
    if state.deck is None:
        return 1.0
    return _WITH_CARDS


@lru_cache(maxsize=512)
def _mean(spec: str, most: int) -> float:
    """The average of a roll that counts from 0 up to ``most``."""
    count, plus = dice_of(spec)
    totals = [sum(faces) + plus for faces in product(FACES, repeat=count)]
    return sum(min(most, max(0, total)) for total in totals) / len(totals)


class CardUse(NamedTuple):
    """A card played on the roll, and the squads that it is expected to save there (``gain``)."""

    order: orders.PlayCard
    gain: float


def uses(state: BeachState) -> list[CardUse]:
    """Every use of the hand on the current roll, best first, one card per rank."""
    if state.roll is None:
        return []
    cost_as_it_lies = _expected_cost(state)
    # Suits make no difference: of each rank the first card of the hand is tried. Of two cards of a
    # rank the mapping has the one that comes last, hence the reversals.
    by_rank = {card.rank: card for card in reversed(state.hand)}
    gainful: list[CardUse] = []
    for card in reversed(by_rank.values()):
        for use in _uses_of_card(state, state.roll, card, cost_as_it_lies):
            if use.gain > 0 and not use.order.why_not(state):
                gainful.append(use)
    return sorted(gainful, key=_gain, reverse=True)


def _gain(use: CardUse) -> float:
    return use.gain


def _uses_of_card(
    state: BeachState, roll: Roll, card: Draw, cost_as_it_lies: float
) -> Iterator[CardUse]:
    """The ways to play a card on this roll, each with the squads that it is expected to save."""
    rule = state.ruleset.card_of(card)
    if rule.does == "repeat":
        order = orders.PlayCard(card=card)
        gain = 0.0
        if not order.why_not(state):
            gain = gain_of_phase_again(state)
        yield CardUse(order, gain)
    elif rule.does != "draw":  # a General is never played on a roll
        for die in _dice_to_try(roll, rule):
            costs = [_expected_cost(after) for after in _with_card(state, roll, card, die)]
            average = sum(costs) / len(costs)
            yield CardUse(orders.PlayCard(card=card, die=die), cost_as_it_lies - average)


def _dice_to_try(roll: Roll, rule: Card) -> list[int]:
    """The dice (from 0) on which a card makes a difference: one of those that show the same; the
    first where plus and minus count for the sum (B20), or nothing is thrown yet."""
    if rule.shifts or not roll.faces:
        return [0]
    dice = []
    for die, face in enumerate(roll.faces):
        if face not in roll.faces[:die]:
            dice.append(die)
    return dice


def _with_card(state: BeachState, roll: Roll, card: Draw, die: int) -> list[BeachState]:
    """The equally likely states after a card on a roll: six for a Colonel. Draws nothing."""
    hand = tuple(held for held in state.hand if held != card)
    rerolls: list[tuple[int, ...]] = [()]
    if state.ruleset.card_of(card).does == "reroll":
        dice = 1
        if state.in_force.colonel_rerolls_all:
            dice = roll.dice
        rerolls = _six_rolls(dice)
    ways = []
    for faces in rerolls:
        after = replace(roll, cards=(*roll.cards, Played(card, die, faces)))
        ways.append(replace(state, hand=hand, ask=None, roll=after))
    return ways


@lru_cache(maxsize=8)
def _six_rolls(count: int) -> list[tuple[int, ...]]:
    """Six rolls of ``count`` dice in which each die shows each face once.

    They stand for all rolls: the average sum is exact, and as every further die is shifted by two
    faces, sums are spread, too, instead of six times the same face on all dice.
    """
    rolls = []
    for first_face in range(6):
        faces = tuple((first_face + 2 * die) % 6 + 1 for die in range(count))
        rolls.append(faces)
    return rolls


def _expected_cost(state: BeachState) -> float:
    """The expected cost once the roll counts; the average for an announced roll (B19)."""
    roll = state.roll
    assert roll is not None
    rolls = [roll]
    if not roll.faces:
        rolls = [replace(roll, faces=faces) for faces in _six_rolls(roll.dice)]
    costs = [cost(state_after_roll(replace(state, roll=thrown))) for thrown in rolls]
    return sum(costs) / len(costs)


def gain_of_phase_again(state: BeachState) -> float:
    """The squads that an Admiral saves who repeats the present phase: those that all its steps save
    after the roll on the table."""
    after = state_after_roll(state)
    # B24 may allow a German phase, but fire that falls twice saves nobody.
    if after.over or state.present_phase.side == "german":
        return 0.0
    after = replace(after, agenda=())
    return sum(_gain_of_step(after, index) for index in range(len(state.present_phase.step)))


def _gain_of_step(state: BeachState, index: int) -> float:
    """The squads that a step of the present phase saves if it is played now."""
    step = state.present_phase.step[index]
    target: DefenceId | None = None
    if step.does == "remove":
        targets: tuple[DefenceId, ...] = ()
        if state.is_open(state.present_phase, step):
            targets = state.targets_of(state.present_phase, step)
        if not targets:
            return 0.0
        target = aim(BETTER, state, BeachAsk(what="target", targets=targets))
    count, plus = dice_of(state.spec_of(step))
    task = BeachTask(what="throw", step=index, target=target)
    roll = Roll(task=task, dice=count, plus=plus, modifiers=state.modifiers(step.modifiers))
    return cost(state) - _expected_cost(replace(state, roll=roll, agenda=(task,)))


PARTS: tuple[PhaseId, ...] = ("gun_tank", "defenders", "shore_guns", "mines", "bridge")
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
"""By rank, the squads that a card that waits can expect to save in the rest of the turn: one number
for each of ``PARTS``, the part that the turn is in. ``WORTH`` is for the whole turn, so never less.
A General (13) has no row: he is never played on a roll."""
_RIVALS = 0.65
"""The share of its ``HOPE`` that a card can expect, as the others in the hand compete for the same
rolls."""
WORTH: dict[int, float] = {
    1: 2.7, 2: 2.4, 3: 2.1, 4: 1.5, 5: 1.1, 6: 1.3, 7: 1.95, 8: 1.2, 9: 0.5, 10: 0.9, 11: 1.5,
    12: 1.15, 13: 2.4,
}  # fmt: skip
"""Squads that a card of each rank saves in a whole turn, alone and at its best moment; a General
(13) saves them by the cards that he draws."""
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
        """What this player orders now; ``chance`` is for choices made at random. Raises ValueError
        (a sentence) where the answer is what dice or cards on a real table show."""
        if state.asks in ("dice", "lot", "cards"):
            table = "The program cannot play with the dice and cards on your table."
            raise ValueError(f"{table} {prompt_text(state)}")
        if self.plan is None:
            return _order_by_lot(state, chance)
        return _order_by_plan(self.plan, state)


def _order_by_lot(state: BeachState, chance: Random) -> orders.BeachOrder:
    """The order of a player who answers every question by chance."""
    match state.ask:
        case BeachAsk(what="target", targets=targets):
            return orders.ChooseTarget(target=pick(targets, chance))
        case BeachAsk(what="tank", kinds=kinds):
            return orders.GiveTank(tank=pick(kinds, chance))
        case BeachAsk(what="trim", count=count):
            return orders.Discard(cards=taken(state.hand, count, chance))
    return orders.Go()


def _order_by_plan(plan: Plan, state: BeachState) -> orders.BeachOrder:
    """The order of a player who follows a plan."""
    match state.ask:
        case BeachAsk(what="target") as ask:
            return orders.ChooseTarget(target=aim(plan, state, ask))
        case BeachAsk(what="tank", kinds=kinds):
            return orders.GiveTank(tank=give(plan, kinds))
        case BeachAsk(what="exchange", most=most):
            return _exchange(state, most)
        case BeachAsk(what="trim", count=count):
            return orders.Discard(cards=worst_first(state)[:count])
    return _card_worth_playing(state) or orders.Go()


PLAIN = GamePolicy("plain")
SKILLED = GamePolicy("better", BETTER)
"""Plays by the best plan that we found. ``better`` is the name by which players ask for it."""
POLICIES = {"plain": PLAIN, "better": SKILLED}


def pick(choices: Sequence[T], chance: Random) -> T:
    """One of the choices, all equally likely."""
    # ``random`` gives the same numbers in every version of Python; ``choice`` need not.
    return choices[int(chance.random() * len(choices))]


def taken(cards: Iterable[Draw], count: int, chance: Random) -> tuple[Draw, ...]:
    """``count`` of the cards, at random."""
    left = list(cards)
    picked = []
    for _ in range(count):
        picked.append(left.pop(int(chance.random() * len(left))))
    return tuple(picked)


def _exchange(state: BeachState, most: int) -> orders.BeachOrder:
    """A General first, who draws more cards than he costs; else up to ``most`` cards, those that a
    drawn one is likely to beat."""
    general = _first_general(state)
    if general is not None and not general.why_not(state):
        return general
    poor_cards = [card for card in worst_first(state) if WORTH[card.rank] < DRAWN]
    if not poor_cards[:most]:
        return orders.Go()
    return orders.Discard(cards=tuple(poor_cards[:most]))


def _first_general(state: BeachState) -> orders.PlayCard | None:
    """The order that plays a General of the hand; None without one."""
    for card in state.hand:
        if state.is_general(card):
            return orders.PlayCard(card=card)
    return None


def _card_worth_playing(state: BeachState) -> orders.PlayCard | None:
    """The card that gains most beyond what it can expect later; None if none does."""
    best: orders.PlayCard | None = None
    most = 0.0
    for use in uses(state):
        advantage = use.gain - _hope(state, use.order.card.rank)
        if advantage > most:
            best, most = use.order, advantage
    return best


def _hope(state: BeachState, rank: int) -> float:
    """Squads that a card of a rank can expect to save in the rest of this turn."""
    # Before the first phase there is as much to come as in it.
    place = state.ruleset.place(state.phase or "tactical")
    for part, last_phase in enumerate(PARTS):
        if place <= state.ruleset.place(last_phase):
            return _RIVALS * HOPE[rank][part]
    return 0.0


def worst_first(state: BeachState) -> tuple[Draw, ...]:
    """The hand, the cards first that save least."""

    def worth_and_card(card: Draw) -> tuple[float, Draw]:
        return WORTH[card.rank], card

    return tuple(sorted(state.hand, key=worth_and_card))


def play_out(setup: BeachSetup, policy: GamePolicy, seed: int) -> BeachState:
    """The end of a whole game; ``seed`` is for the random choices of the policy only."""
    return play_on(BeachOpened(setup=setup).apply(None), policy, seed)


def play_on(state: BeachState, policy: GamePolicy, seed: int) -> BeachState:
    """The end of a game in progress. Raises ValueError (a sentence) where it cannot be played."""
    chance = Random(seed)
    for _ in range(MOST_ORDERS):
        if state.over:
            return state
        state = policy.order(state, chance).with_consequences(state).state
    raise ValueError(
        f"After {MOST_ORDERS} orders of the policy {policy.name} the game is not over."
    )
