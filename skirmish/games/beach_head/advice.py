"""Advice: the open choices, how many more squads each is likely to cost than the best, and why.

Every choice is played to the end many times: with cards by the better of the two automatic players
(``policies.SKILLED``), card by card; without cards by that player's plan, ten thousand games at
once. The dice and cards to come are never looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import hypot
from random import Random
from statistics import fmean, variance
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from skirmish.games.beach_head import orders
from skirmish.games.beach_head.card_values import card_uses
from skirmish.games.beach_head.events import BeachOpened
from skirmish.games.beach_head.pending import BeachAsk, Played
from skirmish.games.beach_head.policies import SKILLED, cards_at_random, play_on, play_out
from skirmish.games.beach_head.roll_words import result
from skirmish.games.beach_head.ruleset import BeachSetup, DefenceId, signs
from skirmish.games.beach_head.simulate.ahead import from_state
from skirmish.games.beach_head.simulate.policy import BETTER
from skirmish.games.beach_head.simulate.tally import GamesTally
from skirmish.games.beach_head.state import BeachState
from skirmish.games.beach_head.wording import card_use, prompt_text
from skirmish.tabletop.chance import Source, full_deck
from skirmish.tabletop.page import Block, Facts, Note, Page, Paragraph, capital
from skirmish.tabletop.refusal import nonsense

GAMES_WITHOUT_CARDS = 10_000
"""Games per choice without cards, which usually take half a second at most."""
GAMES_WITH_CARDS = 120
"""Games per choice with cards, each of which takes some fifteen milliseconds."""
GAMES_BETWEEN_UPDATES = 8
"""Games per choice between two updates of the advice."""
MOST_CARDS = 6
"""The most cards on a roll that are compared: those that save most."""
STANDARD_ERRORS_OF_CHANCE = 3
"""A difference of more standard errors than these counts as real."""
POLICY_CHOICE = 0
"""The index of the choice that the policy would make: it is always the first of the options."""
NOTHING_TO_CHOOSE = "There is nothing to choose here."
"""The reason for the only choice there is, and for one that the policy never makes."""


class AdvisedChoice(msgspec.Struct, frozen=True, kw_only=True):
    """One choice, in words and with a reason."""

    order: orders.BeachOrder | None
    """None where nothing is chosen, since the player's own dice or cards decide."""
    words: str
    why: str
    squads_more: float | None = None
    """The squads that it loses on average beyond those of the advised choice; None until games have
    been played."""
    error: float = 0.0
    """The standard error of that difference."""

    @property
    def differs(self) -> bool:
        """Whether the difference from the advised choice is clearly more than chance."""
        return (
            self.squads_more is not None
            and abs(self.squads_more) > STANDARD_ERRORS_OF_CHANCE * self.error
        )

    @property
    def cost(self) -> str:
        """``+1.3`` squads, ``same``, or empty before any games."""
        if self.squads_more is None:
            return ""
        if self.differs:
            return f"{self.squads_more:+.1f}"
        return "same"


class Trials(NamedTuple):
    """What the games show. The lists have an item for each choice."""

    games: int
    """How many were played for each choice."""
    lost: list[float]
    """The average number of squads lost."""
    turns: list[float]
    """The average turn in which the beach was taken."""
    errors: list[list[float]]
    """``errors[a][b]`` is the standard error of the difference in lost squads between the choices
    with the indices ``a`` and ``b``."""


class Advice(msgspec.Struct, frozen=True, kw_only=True):
    """The choices, of which one is advised: that of the better policy, unless the games clearly
    contradict it."""

    options: tuple[AdvisedChoice, ...]
    """The advised choice, then the others, those that cost least first."""
    reason: str
    """Why that choice is advised."""
    note: str = ""
    """The likely end and the number of games; empty until games have been played."""

    @property
    def uncertainty(self) -> float:
        """The squads by which choices whose cost is ``same`` may still differ; 0 without any."""
        errors = [option.error for option in self.options[1:] if not option.differs]
        return STANDARD_ERRORS_OF_CHANCE * max(errors, default=0.0)

    def page(self) -> Page:
        """The advice as a page, with the cost of every other choice."""
        best, *others = self.options
        if best.order is None:
            # Nothing is advised: the player's own dice or cards decide. The words are the request
            # to roll or draw, a whole sentence.
            advised = Paragraph(capital(best.words))
        else:
            # The words are a few, without a full stop.
            advised = Paragraph(f"{capital(best.words)}.", tone="good")
        blocks: list[Block] = [advised, Paragraph(self.reason)]
        if others:
            blocks.append(Note("The other choices, and how many more squads each costs:"))
            blocks.append(Facts(tuple((option.cost, option.words) for option in others)))
        likely_end = self.note or "Playing it out …"
        if self.uncertainty:
            squads = f"{self.uncertainty:.1f} squads"
            likely_end += f" Choices that they call the same may still differ by {squads}."
        blocks.append(Note(likely_end))
        return Page("What the program would do", tuple(blocks))


def advising(state: BeachState, *, games: int | None = None, seed: int = 0) -> Iterator[Advice]:
    """Yields the advice again and again as it gets better, at first without numbers. When the
    caller stops iterating, no more games are played. ``games``: how many to play for each choice,
    None for the usual number. The same seed gives the same numbers. Raises Refused when the game is
    over."""
    if state.over:
        raise nonsense("over", orders.BEACH_IS_TAKEN)
    options: list[AdvisedChoice] = []
    for order in _choices(state):
        options.append(_explained(state, order))
    yield Advice(options=tuple(options), reason=options[POLICY_CHOICE].why)
    # The simulator plays many games at once, but without cards.
    if state.deck is None:
        if games is None:
            games = GAMES_WITHOUT_CARDS
        trials = _trials_without_cards(state, options, games, seed)
        yield _advice_from(state, options, trials)
    else:
        if games is None:
            games = GAMES_WITH_CARDS
        for trials in _trials_with_cards(state, options, games, seed):
            yield _advice_from(state, options, trials)


def _choices(state: BeachState) -> list[orders.BeachOrder | None]:
    """What can be done now, the better policy's choice first; None alone where the player's own
    dice or cards decide."""
    if state.asks in ("dice", "lot", "cards"):
        return [None]
    # The seed is fixed, so that the same state always gets the same advice.
    policy_choice = SKILLED.order(state, Random(0))
    choices: list[orders.BeachOrder | None] = [policy_choice]
    for order in _possible_orders(state):
        if order != policy_choice:
            choices.append(order)
    return choices


def _possible_orders(state: BeachState) -> Iterator[orders.BeachOrder]:
    """The answers to the open question; without one, going on and playing one of the best cards.
    There are too many ways to discard or exchange cards: the policy's own is the only one, and in
    an exchange it is compared with exchanging nothing."""
    match state.ask:
        case BeachAsk(what="target") as ask:
            for target in ask.targets:
                yield orders.ChooseTarget(target=target)
            if ask.may_decline:
                yield orders.ChooseTarget(target=None)
        case BeachAsk(what="tank", kinds=kinds):
            for kind in kinds:
                yield orders.GiveTank(tank=kind)
        case BeachAsk(what="exchange"):
            yield orders.Go()
        case None:
            yield orders.Go()
            # The best cards only, since each choice is played out many times.
            for use in card_uses(state)[:MOST_CARDS]:
                yield use.order


def _trials_without_cards(
    state: BeachState, options: Sequence[AdvisedChoice], games: int, seed: int
) -> Trials:
    """Plays every choice out without cards, many games at once."""
    tallies: list[GamesTally] = []
    for option in options:
        # The simulator begins by going on, or by throwing the dice that the player is asked for:
        # these choices need no order. The choice of a target or a tank is carried out here, and
        # what follows from it is played by the simulator.
        start = state
        # ``alone``: the order without what follows from it.
        if isinstance(option.order, orders.ChooseTarget | orders.GiveTank):
            start = option.order.alone(state).state
        tallies.append(from_state(start, games, seed, BETTER))
    return Trials(
        games,
        lost=[tally.casualties.mean for tally in tallies],
        turns=[tally.turns.mean for tally in tallies],
        errors=_errors_of_independent([tally.casualties.error for tally in tallies]),
    )


def _errors_of_independent(errors: Sequence[float]) -> list[list[float]]:
    """The standard errors of the differences between the choices, whose ``errors`` these are, if
    each was played with other dice."""
    rows = []
    for row_error in errors:
        rows.append([hypot(error, row_error) for error in errors])
    return rows


def _trials_with_cards(
    state: BeachState, options: Sequence[AdvisedChoice], games: int, seed: int
) -> Iterator[Trials]:
    """Plays a few games per choice at a time, with the same dice and deck for every choice, to
    reduce the variance between them."""
    lost: list[list[int]] = [[] for _ in options]
    turns: list[list[int]] = [[] for _ in options]
    for number in range(games):
        # The same start for all choices: what differs afterwards is the choice, not luck.
        # ``seed * games`` sets the games of one seed apart from those of the next.
        start = _with_unknown_chance(state, seed * games + number)
        for index, option in enumerate(options):
            after_choice = start
            if option.order is not None:
                after_choice = option.order.with_consequences(start).state
            end = play_on(after_choice, SKILLED, seed=number)
            lost[index].append(end.casualties)
            turns[index].append(end.turn)
        played = number + 1
        if played % GAMES_BETWEEN_UPDATES == 0 or played == games:
            yield Trials(
                played,
                lost=[fmean(losses) for losses in lost],
                turns=[fmean(last_turns) for last_turns in turns],
                errors=_errors_of_paired(lost),
            )


def _errors_of_paired(lost: Sequence[list[int]]) -> list[list[float]]:
    """The standard errors of the differences between the choices, whose losses game by game these
    are, if each game was played with the same dice for every choice."""
    rows = []
    for choice, losses in enumerate(lost):
        row = [_paired_error(losses, other_losses) for other_losses in lost]
        row[choice] = 0.0  # a choice does not differ from itself
        rows.append(row)
    return rows


def _with_unknown_chance(state: BeachState, seed: int) -> BeachState:
    """The state with other dice and another deck to come, so that the advice knows no more than
    the player. Dice or cards that the player is asked for are rolled or drawn."""
    chance = Random(seed)
    # The range is so large that hardly two of these games get the same seeds.
    seed_of_deck = int(chance.random() * 2**40)
    seed_of_dice = seed_of_deck + 1
    # In these games the program rolls and draws, even if the player uses his own dice and deck.
    deck = state.deck
    if deck is not None:
        # The cards that were drawn stay drawn; only the order of the rest is unknown.
        deck = Source("deck", seed_of_deck, gone=deck.gone)
    unknown = replace(state, dice=Source("die", seed_of_dice), deck=deck)
    # Several dice may be asked for one after the other.
    while True:
        dice_or_cards = _random_dice_or_cards(unknown, chance)
        if dice_or_cards is None:
            return unknown
        unknown = dice_or_cards.with_consequences(unknown).state


def _random_dice_or_cards(state: BeachState, chance: Random) -> orders.BeachOrder | None:
    """The order that shows random dice or cards, if the player is asked for his own; else None."""
    match state.ask:
        case BeachAsk(what="cards", count=count) if state.deck is not None:
            left = [card for card in full_deck() if card not in state.deck.gone]
            return orders.Draws(cards=cards_at_random(left, count, chance))
        case BeachAsk(what="dice", count=count):
            return orders.ShowDice(faces=_thrown(count, sides=6, chance=chance))
        case BeachAsk(what="lot", sides=sides):
            return orders.ShowDice(faces=_thrown(1, sides, chance))
    return None


def _thrown(count: int, sides: int, chance: Random) -> tuple[int, ...]:
    """The faces of ``count`` random dice with so many ``sides``."""
    # As in ``policies.pick_at_random``: ``random`` is the same in every version of Python.
    return tuple(1 + int(chance.random() * sides) for _ in range(count))


def _paired_error(losses: list[int], other_losses: list[int]) -> float:
    """The standard error of the mean difference between two choices, whose losses game by game
    these are."""
    differences = [lost - other for lost, other in zip(losses, other_losses, strict=True)]
    games = len(differences)
    spread = 0.0
    if games > 1:
        spread = variance(differences)
    # In a few games the spread may be 0 by chance, and any difference would seem real: the second
    # term prevents that, and vanishes with many games.
    return float((spread / games) ** 0.5) + 1 / games


def _advice_from(state: BeachState, options: Sequence[AdvisedChoice], trials: Trials) -> Advice:
    """The advice that follows from the games, with what each choice costs."""
    best = _best_choice(trials)
    # These are not always the fewest: another choice may have lost fewer by chance.
    lost_by_advised = trials.lost[best]
    compared: list[AdvisedChoice] = []
    for option, lost, error in zip(options, trials.lost, trials.errors[best], strict=True):
        compared.append(replace(option, squads_more=lost - lost_by_advised, error=error))
    advised = compared.pop(best)
    if best != POLICY_CHOICE:
        saved = trials.lost[POLICY_CHOICE] - lost_by_advised
        policy_words = options[POLICY_CHOICE].words
        reason = f"The games played lose {saved:.1f} squads fewer than with {policy_words}."
    else:
        reason = _gain_over_going_on(advised, compared) or advised.why
    return Advice(
        options=(advised, *sorted(compared, key=_cost_in_squads)),
        reason=reason,
        note=_note_on_games(state, trials, best, several=bool(compared)),
    )


def _note_on_games(state: BeachState, trials: Trials, best: int, *, several: bool) -> str:
    """Two sentences: how the game is likely to end after the choice with the index ``best``, and
    which games show it. ``several``: there are other choices."""
    games = f"{trials.games:,} games"
    if several:
        games += " for each choice"
    cards = "with cards"
    if state.deck is None:
        cards = "without cards"
    return (
        f"On average {trials.lost[best]:.1f} squads are lost, and the beach is taken in turn "
        f"{trials.turns[best]:.1f}. The program played {games}, {cards}."
    )


def _best_choice(trials: Trials) -> int:
    """The index of the choice to advise: the policy's, unless another lost clearly fewer squads. A
    lower average alone may be chance."""
    fewest = trials.lost.index(min(trials.lost))
    saved = trials.lost[POLICY_CHOICE] - trials.lost[fewest]
    if saved > STANDARD_ERRORS_OF_CHANCE * trials.errors[POLICY_CHOICE][fewest]:
        return fewest
    return POLICY_CHOICE


def _cost_in_squads(option: AdvisedChoice) -> float:
    """The key by which choices are sorted. All of them have been played out by then."""
    return option.squads_more or 0.0


def _gain_over_going_on(advised: AdvisedChoice, others: list[AdvisedChoice]) -> str:
    """A sentence about what the advised card saves; empty if no card is advised, or if what it
    saves may be chance."""
    if not isinstance(advised.order, orders.PlayCard):
        return ""
    for option in others:
        if isinstance(option.order, orders.Go):
            if option.differs:
                return f"It saves {option.squads_more:.1f} squads against letting the roll count."
            return ""
    return ""


class Placing(NamedTuple):
    """How a finished game compares with games that the program played."""

    share: float
    """The share of those games, from 0 to 1, in which the program lost more squads. Ties count
    half."""
    games: int
    """How many the program played."""


def placed_among_games(state: BeachState) -> Placing:
    """How a finished game compares with games that the program plays on the same beach, with the
    same rulings and cards."""
    setup = state.setup
    if setup.cards is None:
        opened = BeachOpened(setup=setup).apply(None)
        seed = 0  # fixed, so that the same end always gets the same place
        tally = from_state(opened, GAMES_WITHOUT_CARDS, seed, BETTER)
    else:
        tally = GamesTally.of(_games_with_cards(setup))
    worse = 0.0
    for lost, count in tally.casualties.pairs():
        if lost > state.casualties:
            worse += count
        elif lost == state.casualties:
            worse += count / 2
    return Placing(worse / tally.games, tally.games)


def _games_with_cards(setup: BeachSetup) -> Iterator[BeachState]:
    """The last states of games that the program plays with this set-up, each with its own dice and
    deck."""
    for number in range(GAMES_WITH_CARDS):
        dice = Source("die", 2 * number)
        cards = Source("deck", 2 * number + 1)
        yield play_out(replace(setup, dice=dice, cards=cards), SKILLED, number)


def _explained(state: BeachState, order: orders.BeachOrder | None) -> AdvisedChoice:
    """A choice in a few words (``the walls``, ``Smoke, -1: 3 squads killed``), with a sentence that
    says why the policy would make it."""
    ruleset = state.ruleset
    match order:
        case None:
            words = prompt_text(state)
            why = "There is nothing to choose: your dice or cards decide."
        case orders.ChooseTarget(target=None):
            words = "remove nothing"
            why = NOTHING_TO_CHOOSE
        case orders.ChooseTarget(target=str(target)):
            words = f"the {ruleset.listed([target])}"
            why = _why_target(state, target)
        case orders.GiveTank(tank=tank):
            words = f"lose the {ruleset.tank_of(tank).noun}"
            why = "AVREs fire petards and bridge ditches; a gun tank only has its gun."
        case orders.Discard(cards=cards) if state.asks == "exchange":
            words = f"exchange {signs(cards)}"
            why = "A card drawn for one of these is likely to save more squads."
        case orders.Discard(cards=cards):
            words = f"discard {signs(cards)}"
            why = "These are likely to save the fewest squads next turn."
        case orders.PlayCard(card=card) if state.is_general(card):
            words = _play_words(state, order)
            why = "A General brings more cards than he costs."
        case orders.PlayCard():
            words = _play_words(state, order)
            why = "It is likely to save more here than later in this turn."
        case orders.Go() if state.asks == "exchange":
            words = "exchange nothing"
            why = "None of these cards is worse than what you can expect to draw."
        case _:
            words = _go_words(state)
            why = _why_go(state)
    return AdvisedChoice(order=order, words=words, why=why)


def _go_words(state: BeachState) -> str:
    """``let it count: 3 squads killed`` after a roll, else ``go on``."""
    if state.roll is not None and state.roll.faces:
        return f"let it count: {result(state, state.roll)}"
    return "go on"


def _why_go(state: BeachState) -> str:
    """Why the policy goes on rather than play a card."""
    if state.hand:
        return "No card is likely to save more here than later in this turn."
    return NOTHING_TO_CHOOSE


def _play_words(state: BeachState, order: orders.PlayCard) -> str:
    """What playing a card does: ``Smoke, -1: 3 squads killed``, ``Sergeant, die = 5, on the 2: 9
    points``."""
    rule = state.ruleset.card_of(order.card)
    roll = state.roll
    words = f"{rule.name}, {card_use(state.ruleset, rule)}"
    # Without dice there is no result to change, and a card that repeats the whole phase lies on no
    # die.
    if roll is None or not roll.faces or rule.does == "repeat":
        return words
    shifts_the_roll = rule.shifts != 0
    if roll.dice > 1 and not shifts_the_roll:
        words += f", on the {roll.faces[order.die]}"
    # A card that ``does`` something rolls again or draws cards: its result is not known yet.
    if rule.does:
        return words
    played = replace(roll, cards=(*roll.cards, Played(order.card, order.die)))
    return f"{words}: {result(state, played)}"


def _why_target(state: BeachState, target: DefenceId) -> str:
    """A sentence that says why the policy would fire at this defence."""
    half_the_bunkers_are_gone = 2 * state.defences["bunkers"] <= state.setup.points()["bunkers"]
    match target:
        case "trenches":
            return "The way to the trenches is open, and clearing them wins the game."
        case "bunkers" if not half_the_bunkers_are_gone:
            return "Once half the bunkers are gone, the defenders' fire is weaker."
        case "bunkers" if state.phase == "petard" and state.defences["walls"]:
            return "Fired at the walls, petards would dig craters."
        case "bunkers":
            return "All bunkers must go, and until then the trenches are out of reach."
        case "walls":
            return "Walls bar the way to the trenches, and bunkers fall to other arms too."
        case "wire" if state.defences["bunkers"]:
            return "Through the wire the infantry reaches the bunkers."
        case "wire" if state.in_force.wire_bars_the_trenches:
            return "Through the wire the infantry reaches the trenches."
        case "ditches":
            return "Without ditches, gun tanks and petards reach the trenches."
        case _:
            # Mines and traps, or wire that bars the way neither to bunkers nor to the trenches.
            return "Nothing that bars the way can be chosen."
