"""A journal from before a ruling existed: it opens, and the gap is filled as it was played then."""

from __future__ import annotations

import json
from functools import cache
from itertools import count
from typing import Any

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from skirmish import library, registry
from skirmish.games.plastic.battle.orders import EndPhase, EndTurn
from skirmish.tabletop.form import SetupForm
from skirmish.tabletop.game import Game
from skirmish.tabletop.journal_codec import EntryRecord
from skirmish.tabletop.presets import read_presets
from skirmish.tabletop.rulings import RulingBook

SCENARIOS = ("2", "3", "7", "10")


@cache
def game_of(name: str) -> Game[Any, Any, Any]:
    return registry.load(name)


def book_of(name: str) -> RulingBook[Any]:
    if name == "plastic":
        return library.rulings()
    book: RulingBook[Any] = game_of(name).book  # type: ignore[attr-defined]
    return book


@cache
def opening(name: str, **chosen: str) -> EntryRecord:
    game = game_of(name)
    answers = SetupForm(game, dict(chosen)).answers
    numbers = count(1)
    return game.codec.written(game.opening(answers, lambda: next(numbers)))


def without(record: EntryRecord, ruling: str) -> EntryRecord:
    """The opening as a version wrote it that did not know the ruling."""
    events = json.loads(record.events)
    rulings = rulings_in(events[0])
    assert rulings is not None
    del rulings[ruling]
    return replace(record, events=json.dumps(events))


def rulings_in(data: Any) -> dict[str, str] | None:
    """The answers that an opening holds, wherever its game has them: in the event, its set-up, its
    rules."""
    if not isinstance(data, dict):
        return None
    if "rulings" in data:
        answers: dict[str, str] = data["rulings"]
        return answers
    for value in data.values():
        answers_inside = rulings_in(value)
        if answers_inside is not None:
            return answers_inside
    return None


def live(name: str) -> list[str]:
    return [ruling.id for ruling in book_of(name).rulings.values() if ruling.mode == "live"]


def with_rulings() -> list[str]:
    """The games that have a book of rulings; one without gaps in its rules needs none."""
    ids = [listed.id for listed in registry.all_games()]
    return [id for id in ids if id == "plastic" or hasattr(game_of(id), "book")]


@pytest.mark.parametrize("name", with_rulings())
def test_a_game_from_before_each_ruling_opens_with_the_answer_it_was_played_by(name: str) -> None:
    game, book = game_of(name), book_of(name)
    assert live(name)
    for ruling in live(name):
        play = game.codec.replay([without(opening(name), ruling)])
        state = play.state
        answers = rulings_in(to_builtins(play.entries[0].events[0]))
        assert answers is not None
        assert answers[ruling] == book.rulings[ruling].before
        assert answers.keys() == book.rulings.keys()
        # Whatever is shown of it does not miss the ruling.
        game.check_screens(state)
        game.page(state)
        game.rules(state)
        for command in game.commands(state):
            assert command.label


@pytest.mark.parametrize("battle", SCENARIOS)
def test_a_battle_from_before_each_ruling_is_played_on(battle: str) -> None:
    game = game_of("plastic")
    for ruling in live("plastic"):
        play = game.codec.replay([without(opening("plastic", battle=battle), ruling)])
        for order in (EndPhase(), EndPhase(), EndTurn()):
            play.accept(play.consider(order))


def test_a_ruling_says_what_a_game_from_before_it_gets() -> None:
    """Its ``before``, or its default."""
    raw = {
        "format": 1,
        "preset": [{"id": "printed", "name": "As printed", "about": "All by default."}],
        "ruling": [
            {
                "id": "X1",
                "title": "One",
                "question": "Which?",
                "before": "old",
                "answers": {"new": "So.", "old": "As ever."},
            },
            {
                "id": "X2",
                "title": "Two",
                "question": "Which?",
                "answers": {"a": "So.", "b": "Not."},
            },
        ],
    }
    book = read_presets(raw, "x/rulings.toml")
    assert book.completed({}) == {"X1": "old", "X2": "a"}
    assert book.completed({"X1": "new", "X9": "gone"}) == {"X1": "new", "X2": "a", "X9": "gone"}
    assert book.defaults() == {"X1": "new", "X2": "a"}
