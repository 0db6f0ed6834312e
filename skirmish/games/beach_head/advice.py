"""Advice: the open choices, how many more squads each is likely to cost than the best, and why.

Every choice is played to the end many times: with cards by the better policy, card by card; without
cards by its plan, ten thousand games at once. Dice and cards to come are never looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import hypot
from random import Random
from statistics import fmean, variance
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from skirmish.games.beach_head import orders
from skirmish.games.beach_head.events import BeachOpened
from skirmish.games.beach_head.policies import SKILLED, play_on, play_out, taken, uses
from skirmish.games.beach_head.ruleset import DefenceId, signs
from skirmish.games.beach_head.simulate.ahead import from_state
from skirmish.games.beach_head.simulate.policy import BETTER
from skirmish.games.beach_head.simulate.statistics import GamesTally
from skirmish.games.beach_head.state import BeachAsk, BeachState, Played
from skirmish.games.beach_head.wording import card_use, prompt_text, result
from skirmish.tabletop.chance import Source, pack
from skirmish.tabletop.page import Block, Facts, Note, Page, Paragraph, capital
from skirmish.tabletop.refusal import nonsense

GAMES = 10_000
"""Per choice without cards; takes half a second at most in the usual case."""
CARD_GAMES = 120
"""Per choice with cards; a game takes some fifteen milliseconds."""
ROUND = 8
"""Games per choice between two updates of the advice."""
MOST_CARDS = 6
CLEARLY = 3
"""Standard errors from which a difference counts as real."""


class Advised(msgspec.Struct, frozen=True, kw_only=True):
    """One choice, in words and with a reason; ``order`` is None while the table has to be read
    first. ``more``: the squads it loses on average beyond the advised choice, with the standard
    error of that difference; None until games have been played."""

    order: orders.BeachOrder | None
    words: str
    why: str
    more: float | None = None
    error: float = 0.0

    @property
    def differs(self) -> bool:
        return self.more is not None and abs(self.more) > CLEARLY * self.error

    @property
    def cost(self) -> str:
        return f"{self.more:+.1f}" if self.differs else "" if self.more is None else "same"


Trials: TypeAlias = tuple[int, list[float], list[float], list[list[float]]]
"""Games per choice, average squads lost and turns, and the standard error of the difference between
any two choices."""


class Advice(msgspec.Struct, frozen=True, kw_only=True):
    """The choices, the advised one first: that of the better policy, unless the games clearly
    contradict it. ``note``: the likely end and the number of games; empty until games have been
    played."""

    options: tuple[Advised, ...]
    reason: str
    note: str = ""

    @property
    def coarse(self) -> float:
        """The squads by which choices that are called the same may still differ; 0 if none is."""
        errors = [one.error for one in self.options[1:] if one.cost == "same"]
        return CLEARLY * max(errors, default=0.0)

    def page(self) -> Page:
        best, *others = self.options
        words = f"{capital(best.words.removesuffix('.'))}."
        advised = Paragraph(words, tone="good" if best.order else "")
        blocks: list[Block] = [advised, Paragraph(self.reason)]
        if others:
            blocks.append(Note("The other choices, and how many more squads each costs:"))
            blocks.append(Facts(tuple((one.cost, one.words) for one in others)))
        ends = self.note or "Playing it out …"
        if self.coarse:
            ends += f" What they call the same may still differ by {self.coarse:.1f} squads."
        return Page("What the program would do", (*blocks, Note(ends)))


def advising(state: BeachState, *, games: int | None = None, seed: int = 0) -> Iterator[Advice]:
    """Yields the advice again and again as it gets better, at first without numbers; the games
    stop with the iteration. The same seed gives the same numbers. Raises Refused when the game
    is over."""
    if state.over:
        raise nonsense("over", orders.TAKEN)
    options = [
        Advised(order=order, words=words, why=why)
        for order in _choices(state)
        for words, why in [_explained(state, order)]
    ]
    yield Advice(options=tuple(options), reason=options[0].why)
    if state.deck is None:
        yield _advice(state, options, _by_plan(state, options, games or GAMES, seed))
    else:
        for trials in _with_cards(state, options, games or CARD_GAMES, seed):
            yield _advice(state, options, trials)


def _choices(state: BeachState) -> list[orders.BeachOrder | None]:
    found: list[orders.BeachOrder] = []
    match state.ask:
        case BeachAsk(what="dice" | "lot" | "cards"):
            return [None]
        case BeachAsk(what="target", targets=targets, may_decline=may_decline):
            found += [orders.ChooseTarget(target=one) for one in targets]
            found += [orders.ChooseTarget(target=None)] if may_decline else []
        case BeachAsk(what="tank", kinds=kinds):
            found += [orders.GiveTank(tank=one) for one in kinds]
        case BeachAsk(what="exchange"):
            found.append(orders.Go())
        case None:
            found += [orders.Go(), *(use.order for use in uses(state)[:MOST_CARDS])]
    mine = SKILLED.order(state, Random(0))
    return [mine, *(one for one in found if one != mine)]


def _by_plan(state: BeachState, options: Sequence[Advised], games: int, seed: int) -> Trials:
    starts = [
        one.order.carried_out(state).state
        if isinstance(one.order, orders.ChooseTarget | orders.GiveTank)
        else state
        for one in options
    ]
    ends = [from_state(start, games, seed, BETTER) for start in starts]
    lost = [one.casualties for one in ends]
    errors = [[hypot(one.error, other.error) for one in lost] for other in lost]
    return games, [one.mean for one in lost], [one.turns.mean for one in ends], errors


def _with_cards(
    state: BeachState, options: Sequence[Advised], games: int, seed: int
) -> Iterator[Trials]:
    """Plays a few games per choice at a time, with the same dice and deck for every choice, to
    reduce the variance between them."""
    lost: list[list[int]] = [[] for _ in options]
    turns: list[list[int]] = [[] for _ in options]
    for number in range(games):
        start = _unknown(state, seed * games + number)
        for at, option in enumerate(options):
            begun = option.order.resolved(start).state if option.order else start
            end = play_on(begun, SKILLED, number)
            lost[at].append(end.casualties)
            turns[at].append(end.turn)
        if (number + 1) % ROUND == 0 or number + 1 == games:
            errors = [[_error(one, other) for one in lost] for other in lost]
            yield number + 1, [*map(fmean, lost)], [*map(fmean, turns)], errors


def _unknown(state: BeachState, seed: int) -> BeachState:
    chance = Random(seed)
    number = int(chance.random() * 2**40)
    deck = state.deck and Source("deck", number, gone=state.deck.gone)
    known = replace(state, dice=Source("die", number + 1), deck=deck)
    answer: orders.BeachOrder
    while True:
        match known.ask:
            case BeachAsk(what="cards", count=count) if known.deck is not None:
                left = [card for card in pack() if card not in known.deck.gone]
                answer = orders.Draws(cards=taken(left, count, chance))
            case BeachAsk(what="dice" | "lot", count=count, sides=sides):
                faces = (1 + int(chance.random() * (sides or 6)) for _ in range(count or 1))
                answer = orders.ShowDice(faces=tuple(faces))
            case _:
                return known
        known = answer.resolved(known).state


def _error(one: list[int], other: list[int]) -> float:
    """The standard error of the mean difference, game by game; inflated for few games."""
    pairs = [a - b for a, b in zip(one, other, strict=True)]
    spread = variance(pairs) if len(pairs) > 1 else 0.0
    return float((spread / len(pairs)) ** 0.5) + (1 / len(pairs) if one is not other else 0)


def _advice(state: BeachState, options: Sequence[Advised], trials: Trials) -> Advice:
    games, lost, turns, errors = trials
    best = min(range(len(lost)), key=lost.__getitem__)
    saved = lost[0] - lost[best]
    best = best if saved > CLEARLY * errors[0][best] else 0
    others = [
        replace(option, more=each - lost[best], error=error)
        for option, each, error in zip(options, lost, errors[best], strict=True)
    ]
    mine = others.pop(best)
    why = f"The games played lose {saved:.1f} squads fewer than with {options[0].words}."
    each, cards = " for each choice" if others else "", "out" if state.deck is None else ""
    return Advice(
        options=(mine, *sorted(others, key=lambda one: one.more or 0.0)),
        reason=why if best else _gains(mine, others) or mine.why,
        note=f"On average {lost[best]:.1f} squads are lost, and the beach is taken in turn "
        f"{turns[best]:.1f}. The program played {games:,} games{each}, with{cards} cards.",
    )


def _gains(mine: Advised, others: list[Advised]) -> str:
    going = next((one for one in others if isinstance(one.order, orders.Go)), None)
    if not isinstance(mine.order, orders.PlayCard) or going is None or not going.differs:
        return ""
    return f"It saves {going.more:.1f} squads against letting the roll count."


def surpassed(state: BeachState) -> tuple[float, int]:
    """The share of games (0 to 1, ties count half) in which the program lost more squads than were
    lost here, and the number of games: same beach, same rulings and cards."""
    setup = state.setup
    if setup.cards is None:
        tally = from_state(BeachOpened(setup=setup).apply(None), GAMES, 0, BETTER)
    else:
        sources = ((Source("die", 2 * at), Source("deck", 2 * at + 1)) for at in range(CARD_GAMES))
        tally = GamesTally.of(
            play_out(replace(setup, dice=dice, cards=cards), SKILLED, at)
            for at, (dice, cards) in enumerate(sources)
        )
    mine = state.casualties
    worse = sum(
        count * (1.0 if lost > mine else 0.5 if lost == mine else 0.0)
        for lost, count in tally.casualties.pairs()
    )
    return worse / tally.games, tally.games


def _explained(state: BeachState, order: orders.BeachOrder | None) -> tuple[str, str]:
    """A choice in a few words (``the walls``, ``Smoke, -1: 3 squads killed``), and a sentence with
    the policy's reason for it."""
    ruleset, nothing = state.ruleset, "There is nothing to choose here."
    match order:
        case None:
            return prompt_text(state), "There is nothing to choose: your dice or cards decide."
        case orders.ChooseTarget(target=None):
            return "remove nothing", nothing
        case orders.ChooseTarget(target=str(target)):
            return f"the {ruleset.listed([target])}", _why_target(state, target)
        case orders.GiveTank(tank=tank):
            why = "AVREs fire petards and bridge ditches; a gun tank only has its gun."
            return f"lose the {ruleset.tank_of(tank).noun}", why
        case orders.Discard(cards=cards) if state.asks == "exchange":
            why = "A card drawn for one of these is likely to save more squads."
            return f"exchange {signs(cards)}", why
        case orders.Discard(cards=cards):
            return (
                f"discard {signs(cards)}",
                "These are likely to save the fewest squads next turn.",
            )
        case orders.PlayCard(card=card):
            why = "It is likely to save more here than later in this turn."
            general = "A General brings more cards than he costs."
            return _play_words(state, order), general if state.is_general(card) else why
        case orders.Go() if state.asks == "exchange":
            why = "None of these cards is worse than what you can expect to draw."
            return "exchange nothing", why
    words = "go on"
    if state.roll is not None and state.roll.faces:
        words = f"let it count: {result(state, state.roll)}"
    why = "No card is likely to save more here than later in this turn."
    return words, why if state.hand else nothing


def _play_words(state: BeachState, order: orders.PlayCard) -> str:
    printed, roll = state.ruleset.card_of(order.card), state.roll
    words = f"{printed.name}, {card_use(state.ruleset, printed)}"
    if roll is None or not roll.faces or printed.does == "repeat":
        return words
    on = f", on the {roll.faces[order.die]}" if roll.dice > 1 and not printed.shifts else ""
    if printed.does:
        return f"{words}{on}"
    played = replace(roll, cards=(*roll.cards, Played(order.card, order.die)))
    return f"{words}{on}: {result(state, played)}"


def _why_target(state: BeachState, target: DefenceId) -> str:
    half = 2 * state.defences["bunkers"] <= state.setup.points()["bunkers"]
    match target:
        case "trenches":
            return "The way to the trenches is open, and clearing them wins the game."
        case "bunkers" if not half:
            return "Once half the bunkers are gone, the defenders' fire is weaker."
        case "bunkers" if state.phase == "petard" and state.defences["walls"]:
            return "Fired at the walls, petards would dig craters."
        case "bunkers":
            return "All bunkers must go, and until then the trenches are out of reach."
        case "walls":
            return "Walls bar the way to the trenches, and bunkers fall to other arms too."
        case "wire" if state.defences["bunkers"]:
            return "Through the wire the infantry reaches the bunkers."
        case "ditches":
            return "Without ditches, gun tanks and petards reach the trenches."
    return "Nothing that bars the way can be chosen."
