"""One question at a time, without a screen: whatever happens in a battle, there is an answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random

import pytest
from steps import CARDS, DECK, a_scenario

from skirmish.app.battle.draft import Draft
from skirmish.app.battle.mode import BackTo, DraftError, Mode, Void
from skirmish.app.battle.openings import insisted
from skirmish.app.battle.ordering import at_rest
from skirmish.app.battle.prompt_again import Judging
from skirmish.app.battle.prompt_forms import Counting
from skirmish.app.questions.answers import Answer, Question, taken
from skirmish.app.questions.seen import SEEN
from skirmish.app.questions.shot import next_question, still_settled, trail
from skirmish.app.questions.words import chance, what_hits
from skirmish.games.plastic.battle import record
from skirmish.games.plastic.battle.odds import Odds
from skirmish.games.plastic.battle.orders import (
    AnyOrder,
    Count,
    EndPhase,
    EndTurn,
    Finish,
    Fire,
    Load,
    SetClock,
    Show,
)
from skirmish.games.plastic.battle.orders.firing import prepared
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.rows import rows
from skirmish.tabletop.chance import Draw, Source
from skirmish.tabletop.refusal import Refused

DICE = Source("die")
NO_FAULT = ("card_gone", "too_many")
"""Refusals that random answers come to: a card drawn twice, more inside than there is room for."""


class Child:
    """Answers at random, and knows only what is asked."""

    def __init__(self, play: BattlePlay, seed: int) -> None:
        self.play = play
        self.random = Random(seed)
        self.mode: Mode = at_rest(play.state)
        self.settled: tuple[str, ...] = ()
        self.seen: Counter[str] = Counter()

    def answers(self, most: int) -> Iterator[Question]:
        """The questions that were answered, until the battle is over or so many were."""
        for _ in range(most):
            self.settled = still_settled(self.mode, self.settled)
            question = next_question(self.play, self.mode, self.settled)
            yield question
            if question.name == "over":
                return
            open_ = [a for a in question.answers if a.action not in ("undo", "full", "home")]
            assert open_, f"nothing can be answered to {question.asks!r}"
            weights = [1 if answer.aside else 4 for answer in open_]
            self.take(self.random.choices(open_, weights)[0])

    def take(self, answer: Answer) -> None:
        if answer.action:
            self.do(answer.action)
            return
        self.settled += (answer.settles,) if answer.settles else ()
        try:
            step = taken(answer, self.mode, self.play)
        except DraftError:
            if not (answer.why_not or answer.doubtful):
                raise
            return
        if isinstance(step, Mode):
            self.mode = step
        elif step is None:
            self.mode = at_rest(self.play.state)
        else:
            assert not isinstance(step, Void | BackTo)
            self.give(step)

    def do(self, action: str) -> None:
        draft = self.mode
        match action:
            case "end_phase":
                self.give(EndPhase())
            case "end_turn":
                self.give(EndTurn())
            case "finish":
                self.give(Finish(winner=None))
            case "insist":
                assert isinstance(draft, Draft)
                for order in insisted(draft.order, self.play.state):
                    self.give(order)
            case "back":
                self.mode, self.settled = at_rest(self.play.state), ()
            case "judge_again":
                again = isinstance(draft, Judging)
                self.mode = (
                    draft.press("tab", self.play) if again else Judging.opened(self.play.state)
                )
            case _:
                raise AssertionError(f"{action} is no way on")

    def give(self, order: AnyOrder) -> None:
        try:
            self.play.accept(self.play.consider(order))
        except Refused as refused:
            if refused.refusal.code not in NO_FAULT:
                raise
        self.mode, self.settled = at_rest(self.play.state), ()


def battle(number: int, source: Source) -> BattlePlay:
    return record.codec.play([record.opening(a_scenario(number, source))])


@pytest.mark.parametrize(("number", "source"), [(1, CARDS), (4, DICE), (8, CARDS), (2, DECK)])
def test_a_battle_can_be_played_by_answering_what_is_asked(number: int, source: Source) -> None:
    child = Child(battle(number, source), number)
    for question in child.answers(600):
        child.seen[question.name] += 1
        assert question.asks
        assert len({a.key for a in question.answers if a.key}) == sum(
            bool(a.key) for a in question.answers
        ), "two answers with one key"
        if isinstance(child.mode, Draft):
            trail(child.play.state, child.mode, child.settled)
    assert child.seen["draw"] > 20
    if source.seed is None:
        assert child.seen["own draw"] > 20


def done(play: BattlePlay, *orders: AnyOrder) -> BattlePlay:
    for order in orders:
        play.accept(play.consider(order))
    return play


def which(play: BattlePlay) -> None:
    """Two trucks that carry different men, and one of them is hit."""
    own = {row.letter: row.key for row in rows(play.state, "german")}
    cannon = next(row.key for row in rows(play.state, "polish") if row.letter == "c")
    done(
        play,
        Load(carrier=own["k"], riders={own["r"]: 4}, piece="german:K1"),
        Load(carrier=own["k"], riders={own["m"]: 1}, piece="german:K2"),
        Fire(shooter=cannon, target=own["k"]),
        Show((Draw(2, "H"),)),
    )


def the_end(play: BattlePlay) -> None:
    setup = play.state.setup
    assert setup.ends_after is not None
    done(play, SetClock(turn=setup.ends_after.turn, side=setup.ends_after.side, phase=4))
    done(play, EndTurn())


def a_choice(play: BattlePlay) -> None:
    done(play, EndTurn(), EndTurn(), EndTurn(), Show((Draw(5, "H"), Draw(10, "H"))))


@pytest.mark.parametrize(
    ("number", "happens", "name"),
    [(1, which, "which"), (3, a_choice, "choice"), (10, the_end, "count 0"), (1, the_end, "over")],
)
def test_every_answer_to_a_rare_question_is_taken(
    number: int, happens: Callable[[BattlePlay], None], name: str
) -> None:
    play = battle(number, CARDS)
    happens(play)
    mode = at_rest(play.state)
    question = next_question(play, mode, ())
    assert question.name == name
    pressed = [answer for answer in question.answers if answer.presses]
    assert pressed or name == "over"
    for answer in pressed:
        step = taken(answer, mode, play)
        if isinstance(step, Mode):
            assert step != mode, f"{answer.words} changes nothing"
        elif step is not None:
            assert not isinstance(step, Void | BackTo)
            assert play.consider(step).events  # the battle accepts it


def test_a_count_by_arrows_and_enter_alone() -> None:
    play = battle(10, CARDS)
    the_end(play)
    mode = at_rest(play.state)
    for words in ("One more", "One more", "One more", "One less", "Done: 2"):
        question = next_question(play, mode, ())
        step = taken(next(a for a in question.answers if a.words == words), mode, play)
        if not isinstance(step, Mode):
            assert isinstance(step, Count)
            assert next(iter(step.values.values())) == 2
            return
        mode = step
    assert isinstance(mode, Counting)
    assert (mode.at, mode.typed[0]) == (1, "2")


# ------------------------------------------------------------------ words


def test_a_fresh_deck_is_named_wherever_a_chance_is_told() -> None:
    play = battle(1, CARDS)
    shooter, target = (
        next(row for row in rows(play.state, side) if row.letter == "r")
        for side in ("polish", "german")
    )
    for draft in (Draft(shooter=shooter.key), Draft(shooter=shooter.key, target=target.key)):
        settled = tuple(SEEN) if draft.target else ()
        asked = next_question(play, draft, settled, "hidden")
        assert "fresh deck" in " ".join(asked.says), asked
        assert "fresh deck" not in " ".join(next_question(play, draft, settled).says)


@pytest.mark.parametrize(
    ("hits", "of", "words"),
    [
        (0, 48, "no chance"),
        (1, 48, "less than 1 in 10"),
        (24, 48, "5 in 10"),
        (32, 48, "about 7 in 10"),
        (47, 48, "more than 9 in 10"),
        (48, 48, "it always hits"),
    ],
)
def test_a_chance_is_told_in_tenths(hits: int, of: int, words: str) -> None:
    assert chance(Odds(hits, of)) == words


@pytest.mark.parametrize(
    ("source", "cover", "words"),
    [
        (CARDS, False, "Ace to 5 hits."),
        (CARDS, True, "Red: ace to 5 hits. Black never hits."),
        (DICE, False, "1 to 5 hits."),
        (DICE, True, "1, 3, 5 hits."),
    ],
)
def test_the_draws_that_hit_are_told_with_their_colour(
    source: Source, cover: bool, words: str
) -> None:
    state = battle(1, source).state
    rifles = {side.id: rows(state, side.id)[0].key for side in state.setup.sides}
    order = Fire(shooter=rifles["polish"], target=rifles["german"], cover=cover)
    assert what_hits(prepared(state, order).aim, source.kind == "die") == words
