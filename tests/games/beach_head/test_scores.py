"""High scores: what stands before what, and what is not compared at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from beach_table import codec, opening, played
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from skirmish import library, registry
from skirmish.games.beach_head.advice import placed_among_games
from skirmish.games.beach_head.journal import BeachPlay
from skirmish.games.beach_head.orders import Go
from skirmish.games.beach_head.policies import PLAIN
from skirmish.store.database import Store
from skirmish.tabletop.chance import Source
from skirmish.tabletop.scores import FinishedGame, Score, by_table, place_in_words, rank, score_rows

NORMANDY, OMAHA = "Normandy, as printed", "Omaha, as printed"


def an_ended_game(seed: int = 2) -> BeachPlay:
    setup = library.beach().setup(dice=Source("die", seed))
    return played(setup, PLAIN, seed)


def a_score(casualties: int = 40, turns: int = 11, alive: int = 30, **more: Any) -> Score:
    return Score(worth=(casualties, turns, -alive), **({"table": NORMANDY} | more))


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (a_score(39, turns=20), a_score(40, turns=9)),
        (a_score(turns=10, alive=1), a_score(turns=11, alive=40)),
        (a_score(alive=31), a_score(alive=30)),
        (a_score(ended="2026-01-01", game=2), a_score(ended="2026-01-02", game=1)),
    ],
    ids=["fewer lost", "fewer turns", "more alive", "the earlier one"],
)
def test_what_stands_before_what(better: Score, worse: Score) -> None:
    assert by_table([worse, better]) == {NORMANDY: [better, worse]}


def test_a_place_is_counted_in_its_own_table_only() -> None:
    mine = a_score(50, game=9)
    others = [a_score(10, game=1, table=OMAHA), a_score(40, game=2), a_score(60, game=3), mine]
    assert rank(mine, others) == (2, 3)


def test_scores_of_one_worth_share_a_place() -> None:
    assert rank(a_score(game=2), [a_score(game=1), a_score(game=2)]) == (1, 2)


def test_normandy_as_printed_comes_first_and_cards_are_compared_with_cards() -> None:
    game = registry.load("beach_head")
    ends = [an_ended_game().state] * 4
    setups = [replace(ends[0].setup, cards=Source("deck", 1)) for _ in ends]
    setups[0] = replace(setups[0], variant="omaha")
    setups[1] = replace(setups[1], named="B2=rolled", cards=None)
    setups[2] = replace(setups[2], cards=None)
    states = [replace(end, setup=setup) for end, setup in zip(ends, setups, strict=True)]
    scores = game.all_scores(
        FinishedGame(number, "2026-01-01", state) for number, state in enumerate(states)
    )
    assert list(by_table(scores)) == [
        NORMANDY, OMAHA, f"{NORMANDY}, without cards", "Normandy, B2=rolled, without cards",
    ]  # fmt: skip
    assert place_in_words(scores, 0) == f"Your first finished game: {OMAHA}."


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 9)), min_size=1, max_size=12))
def test_the_first_of_a_table_has_the_first_place(results: list[tuple[int, int]]) -> None:
    scores = [a_score(lost, turns, game=n) for n, (lost, turns) in enumerate(results, 1)]
    (table,) = by_table(scores).values()
    places = [rank(score, scores).place for score in table]
    assert places[0] == 1
    assert places == sorted(places)
    assert places[-1] <= len(scores)


def test_a_score_says_what_the_game_came_to() -> None:
    setup = library.beach().setup(
        dice=Source("die", 7),
        player="Ada",
        rulings={"B39": "1d6", "B11": "any"},
    )
    play = codec.play([opening(setup)])
    play.accept(play.consider(Go()))
    won = msgspec.structs.replace(play.state, over=True, casualties=37, squads=12, turn=14)
    scores = registry.load("beach_head").all_scores([FinishedGame(4, "2026-06-02", won)])
    assert score_rows(scores) == [
        {
            "place": 1, "variant": "normandy", "reading": "draft_1d6", "casualties": 37,
            "turns": 14, "alive": 12, "cards": False, "player": "Ada", "ended": "2026-06-02",
            "game": 4,
        }
    ]  # fmt: skip


def test_of_copies_of_a_game_one_counts(tmp_path: Path) -> None:
    """An imported copy is not scored twice; mine is the one that is marked."""
    game = registry.load("beach_head")
    with Store.open(str(tmp_path / "scores.db")) as store:
        for seed in (2, 3, 2):
            entries = [
                replace(codec.written(one), at="2026-05-01T18:30:00")
                for one in an_ended_game(seed).entries
            ]
            store.add_battle(game.id, "", "", entries, over=True, started="2026-05-01T18:30:00")
        assert [one[0] for one in store.finished(game)] == [1, 2]
        assert [one[0] for one in store.finished(game, preferred=3)] == [3, 2]
        rows = score_rows(game.all_scores(store.finished(game)))
    assert [one["place"] for one in rows] == [1, 2]


def test_how_good_a_game_was_is_the_share_of_games_that_lost_more() -> None:
    state = an_ended_game().state
    shares = [placed_among_games(replace(state, casualties=lost))[0] for lost in (0, 60, 500)]
    assert shares[0] == 1.0
    assert 0.2 < shares[1] < 0.8
    assert shares[2] == 0.0
