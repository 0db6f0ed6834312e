"""One question at a time: whatever happens in a battle, what is asked can be answered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest
from fights import CARDS, DECK, GAME, a_play, asked, done, row, said

from skirmish.games.plastic.battle.agenda import DrawAsk
from skirmish.games.plastic.battle.orders import (
    AnyOrder,
    EndPhase,
    EndTurn,
    Fire,
    Load,
    SetClock,
    Show,
)
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.tabletop.chance import Draw, Source
from skirmish.tabletop.commands import Draft, begin_with_key
from skirmish.tabletop.refusal import Refused
from skirmish.tabletop.slots import Choose, Confirm, Option, Picks, keys_of

DICE = Source("die")
NO_FAULT = ("card_gone", "too_many")
"""Refusals that random answers come to: a card drawn twice, more inside than there is room for."""


class Child:
    """Answers at random, and knows only what is asked."""

    def __init__(self, play: BattlePlay, seed: int) -> None:
        self.play = play
        self.random = Random(seed)
        self.seen: Counter[str] = Counter()

    def plays(self, most: int) -> None:
        """So many orders, or until the battle is over."""
        for _ in range(most):
            state = self.play.state
            if state.outcome is not None:
                return
            draft = asked(self.play)
            if draft is None:
                commands = GAME.commands(state)
                (stop,) = [one for one in commands if one.key == "escape"] or [None]
                keyless = next(one for one in commands if not one.key)
                beside = begin_with_key(commands, self.random.choice([">", ">", "E"]))
                stops = Draft(command=stop) if stop else beside
                draft = self.random.choices([Draft(command=keyless), stops], [4, 1])[0]
            self.answers(draft)

    def answers(self, draft: Draft[AnyOrder]) -> None:
        """Each question of an order; then it is given, against the rules if need be."""
        while (slot := draft.question()) is not None:
            self.seen[slot.name] += 1
            assert slot.text
            options: tuple[Option, ...] = getattr(slot, "options", ())
            assert len(keys_of(options)) == sum(not one.by_pointing_only for one in options), (
                "one key each"
            )
            if isinstance(slot, Choose):
                able = [one for one in options if not one.why_not and not one.by_pointing_only]
                if not able:
                    return
                draft = draft.reply(self.random.choice(able).value)
            elif isinstance(slot, Picks | Confirm):
                draft = draft.confirmed()
            else:
                ask = self.play.state.ask
                assert isinstance(ask, DrawAsk)
                rank, suit = self.random.randint(1, 12), self.random.choice("SHDC")
                draw = Draw(rank) if ask.die else Draw(rank, suit)
                draft = draft.reply((draw,))
        assert draft.ready
        if not draft.complete:
            draft = draft.confirmed()
        self.give(draft.order())

    def give(self, order: AnyOrder) -> None:
        refusal = GAME.why_not(self.play.state, order)
        if refusal is None:
            done(self.play, order)
            return
        found = None if refusal.firm else GAME.anyway(self.play.state, order)
        try:
            done(self.play, *(found.orders if found else (order,)))
        except Refused as refused:
            if refused.refusal.code not in NO_FAULT and not refused.refusal.firm:
                raise


@pytest.mark.parametrize(("number", "source"), [(1, CARDS), (4, DICE), (8, CARDS), (2, DECK)])
def test_a_battle_can_be_played_by_answering_what_is_asked(number: int, source: Source) -> None:
    child = Child(a_play(number, source=source), number)
    child.plays(300)
    assert child.seen["target"] > 20
    assert child.seen["cover"] > 1
    if source.seed is None:
        assert child.seen["draws"] > 20


def which(play: BattlePlay) -> None:
    """Two trucks that carry different men, and one of them is hit."""
    own = {letter: row(play, "german", letter) for letter in "krm"}
    done(
        play,
        Load(carrier=own["k"], riders={own["r"]: 4}, piece="german:K1"),
        Load(carrier=own["k"], riders={own["m"]: 1}, piece="german:K2"),
        Fire(shooter=row(play, "polish", "c"), target=own["k"]),
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
    ("number", "happens", "topic"),
    [(1, which, "ask piece"), (3, a_choice, "ask choice"), (10, the_end, "ask outcome")],
)
def test_every_answer_to_a_rare_question_is_taken(
    number: int, happens: Callable[[BattlePlay], None], topic: str
) -> None:
    play = a_play(number)
    happens(play)
    draft = asked(play)
    assert draft is not None
    assert draft.command.topic == topic
    slot = draft.question()
    if isinstance(slot, Choose):
        for option in slot.options:
            assert play.consider(draft.reply(option.value).order()).events
    else:
        while draft.question() is not None:
            draft = draft.reply(2)
        assert play.consider(draft.order()).events


def test_only_what_changes_whether_somebody_is_hit_is_asked() -> None:
    """How near he is and whether he stands alone matter once he is hit, and are asked then."""
    play = a_play(1, EndPhase())
    fire = next(one for one in GAME.commands(play.state) if not one.key)
    draft = Draft(command=fire).reply(row(play, "polish", "r")).reply(row(play, "german", "r"))
    names = []
    while (slot := draft.question()) is not None:
        names.append(slot.name)
        assert isinstance(slot, Choose)
        values = {option.label: option.value for option in slot.options}
        assert slot.proposed == values["No"]
        draft = draft.reply(values["Yes" if slot.name == "grouped" else "No"])
    assert names == ["cover"]
    order = draft.confirmed().order()
    assert (order.cover, order.close, order.grouped) == (False, False, True)
    assert "42%" in said(draft)
