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
from skirmish.games.beach_head.advice import surpassed
from skirmish.games.beach_head.game import BeachPlay
from skirmish.games.beach_head.orders import Go
from skirmish.games.beach_head.policies import Plain
from skirmish.games.beach_head.ruleset import prepared
from skirmish.games.beach_head.scores import (
    Score,
    ScoreTable,
    by_table,
    rank,
    ranked,
    score_of,
)
from skirmish.store.desk import Store
from skirmish.store.finished import finished
from skirmish.store.records import EntryRecord
from skirmish.tabletop.chance import Source

NORMANDY = ScoreTable("normandy", "printed")
OMAHA = ScoreTable("omaha", "printed")


def an_ended_game(seed: int = 2) -> BeachPlay:
    setup = prepared(library.beach_ruleset(), library.beach_rulings(), dice=Source("die", seed))
    return played(setup, Plain(), seed)


def a_score(casualties: int = 40, turns: int = 11, alive: int = 30, **more: Any) -> Score:
    table = more.pop("table", NORMANDY)
    return Score(casualties=casualties, turns=turns, alive=alive, table=table, **more)


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
    assert ranked([worse, better]) == [better, worse]


def test_a_place_is_counted_in_its_own_table_only() -> None:
    mine = a_score(50, game=9)
    others = [a_score(10, game=1, table=OMAHA), a_score(40, game=2), a_score(60, game=3), mine]
    assert rank(mine, others) == (2, 3)


def test_scores_of_one_worth_share_a_place() -> None:
    assert rank(a_score(game=2), [a_score(game=1), a_score(game=2)]) == (1, 2)


def test_normandy_as_printed_comes_first() -> None:
    own, bare = ScoreTable("normandy", "B2=rolled"), ScoreTable("normandy", "printed", hand=False)
    tables = by_table(a_score(table=one) for one in (OMAHA, own, bare, NORMANDY))
    assert list(tables) == [NORMANDY, OMAHA, bare, own]


def test_a_hand_of_cards_is_compared_with_none_that_had_none() -> None:
    bare = a_score(60, game=1, table=ScoreTable("normandy", "printed", hand=False))
    assert rank(bare, [bare, a_score(3, game=2)]) == (1, 1)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 9)), min_size=1, max_size=12))
def test_the_first_of_a_table_has_the_first_place(results: list[tuple[int, int]]) -> None:
    scores = [a_score(lost, turns, game=n) for n, (lost, turns) in enumerate(results, 1)]
    places = [rank(score, scores)[0] for score in ranked(scores)]
    assert places[0] == 1
    assert places == sorted(places)
    assert places[-1] <= len(scores)


def test_only_a_finished_game_has_a_score() -> None:
    setup = prepared(
        library.beach_ruleset(),
        library.beach_rulings(),
        dice=Source("die", 7),
        player="Ada",
        rulings={"B39": "1d6", "B11": "any"},
    )
    play = codec.play([opening(setup)])
    play.accept(play.consider(Go()))
    assert score_of(play.state) is None
    won = msgspec.structs.replace(play.state, over=True, casualties=37, squads=12, turn=14)
    assert score_of(won, ended="2026-06-02", game=4) == Score(
        casualties=37,
        turns=14,
        alive=12,
        table=ScoreTable("normandy", "draft_1d6", hand=False),
        player="Ada",
        ended="2026-06-02",
        game=4,
    )


def test_of_copies_of_a_game_one_counts(tmp_path: Path) -> None:
    """An imported copy is not scored twice; mine is the one that is marked."""
    game = registry.load("beach_head")
    with Store.open(str(tmp_path / "scores.db")) as store:
        for seed in (2, 3, 2):
            entries = [
                EntryRecord(one.number, one.kind, *codec.written(one), at="2026-05-01T18:30:00")
                for one in an_ended_game(seed).entries
            ]
            store.keep_battle(game.id, "", "", entries, over=True, started="2026-05-01T18:30:00")
        assert [one[0] for one in finished(store, game)] == [1, 2]
        assert [one[0] for one in finished(store, game, mine=3)] == [3, 2]
        rows = game.score_rows(finished(store, game))
    assert [one["place"] for one in rows] == [1, 2]


def test_how_good_a_game_was_is_the_share_of_games_that_lost_more() -> None:
    state = an_ended_game().state
    shares = [surpassed(replace(state, casualties=lost))[0] for lost in (0, 60, 500)]
    assert shares[0] == 1.0
    assert 0.2 < shares[1] < 0.8
    assert shares[2] == 0.0
