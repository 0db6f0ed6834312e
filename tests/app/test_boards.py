"""Boards of companion games on the screen: squares, counters by their places, tracks, the mug and
the key of their signs. Nothing is told by colour alone, and nothing is wider than its room."""

from __future__ import annotations

from itertools import combinations
from random import Random

import gts_table
import omaha_table
import pytest
from bloody_table import GAME as BLOODY
from bloody_table import played
from deep import deep_after

from skirmish.app.board_view import board_lines
from skirmish.app.page_view import painted
from skirmish.app.plain_signs import plain_signs
from skirmish.games.gts.units import MARKER_SIGNS, Marker
from skirmish.games.omaha.units import MARK_SIGNS, Mark
from skirmish.tabletop.page import (
    BoardKey,
    CounterStack,
    Mug,
    Page,
    Square,
    SquareBoard,
    Stacks,
    Token,
    TokenMarker,
    TrackLine,
    Tracks,
)

SEA, BEACH = Square("C1", "sea", ("~",), ("2u",)), Square("B1", "beach", ("X",), ("3u", "2t"))
BOARD = SquareBoard("The beach", ((SEA, SEA), (BEACH, BEACH, BEACH)))


def rows(
    block: SquareBoard | Stacks | Tracks | Mug | BoardKey, width: int, *, tall: bool = False
) -> list[str]:
    return [row.plain.rstrip() for row in board_lines(block, width, tall=tall)]


def test_a_shorter_row_of_squares_stands_in_the_middle_and_every_square_has_its_ground() -> None:
    low = list(board_lines(BOARD, 33, tall=False))
    assert [row.plain.rstrip() for row in low] == [
        "C1      ~ 2u      ~ 2u",
        "B1 X 3u 2t   X 3u 2t   X 3u 2t",
    ]
    grounds = [{str(span.style) for span in row.spans} for row in low]
    assert any("$ground-sea" in style for style in grounds[0])
    assert any("$ground-beach" in style for style in grounds[1])


def test_where_there_is_room_each_square_has_its_name() -> None:
    assert rows(BOARD, 30, tall=True) == [
        "     C1        C1",
        "     ~ 2u      ~ 2u",
        "B1        B1        B1",
        "X 3u 2t   X 3u 2t   X 3u 2t",
    ]


def test_where_squares_are_narrow_their_signs_stand_closer() -> None:
    assert rows(BOARD, 24) == ["C1    ~ 2u   ~ 2u", "B1 X3u2t  X3u2t  X3u2t"]


def test_counters_stand_behind_one_another_with_the_signs_of_their_markers() -> None:
    fired = TokenMarker("+", "fired")
    tokens = (Token("1/A", "a", "", 2, 3, (fired,)), Token("Norman", "b"), Token("Big", steps=9))
    stacks = Stacks((CounterStack("K1", tokens),))
    assert rows(stacks, 60) == ["K1 ▌a 1/A ▮▮▯ +   ▌b Norman   ▌Big ▮9"]
    assert rows(stacks, 30) == ["K1 ▌a 1/A ▮▮▯ +   ▌b Norman", "   ▌Big ▮9"]


def test_a_track_shows_its_marker_without_colours_and_a_long_one_its_number() -> None:
    tracks = Tracks((TrackLine("Turn", 2, 1, 4), TrackLine("Points", 40, 0, 99)))
    assert rows(tracks, 60) == ["Turn  1 [2] 3  4    Points 40 of 99"]


@pytest.mark.parametrize(("inside", "drawn"), [(0, 0), (3, 3), (40, 14)])
def test_the_mug_has_its_number_and_a_chit_for_each_as_far_as_they_fit(
    inside: int, drawn: int
) -> None:
    mug = Mug(inside, (("Chit", "none in play"),))
    large, small = rows(mug, 50, tall=True), rows(mug, 50)
    assert "".join(large).count("▪") == drawn
    for picture in (large, small):
        assert f" {inside}" in "".join(picture)
        assert "none in play" in picture[0]
    assert len(small) < len(large)


@pytest.mark.parametrize(
    ("signs", "markers"),
    [
        (MARKER_SIGNS, {*Marker.TYPED, Marker.AT_WORK}),
        (MARK_SIGNS, {Mark.FIRED, Mark.DISRUPTED, Mark.WAITING, Mark.LANDED, *Mark.PASSING}),
    ],
    ids=["gts", "omaha"],
)
def test_every_marker_has_a_sign_of_its_own_in_plain_ascii_too(
    signs: dict[str, str], markers: set[str]
) -> None:
    assert set(signs) == markers
    plain = [plain_signs(sign) for sign in (*signs.values(), "▮", "▯")]
    assert all(first != other for first, other in combinations(plain, 2))
    assert "?" not in {sign for sign, own in zip(plain, signs.values(), strict=False) if own != "?"}


@pytest.mark.parametrize("width", [40, 58, 77, 110])
@pytest.mark.parametrize("seed", deep_after(1, range(3)))
def test_no_board_is_wider_than_its_room(width: int, seed: int) -> None:
    states = (
        (BLOODY, played(Random(seed), 40).state),
        (omaha_table.GAME, omaha_table.played(Random(seed), 40).state),
        (gts_table.GAME, gts_table.played(Random(seed), 40).state),
    )
    for game, state in states:
        for tall in (False, True):
            board = painted(game.board(state), width, tall=tall)
            assert max(row.cell_length for row in board.split("\n")) <= width


def test_the_key_explains_each_sign_of_a_board_once() -> None:
    play = gts_table.entered()
    gts_table.mark(play, "A/505", "suppressed", "acted")
    page: Page = gts_table.GAME.board(play.state)
    (key,) = [block for block in page.blocks if isinstance(block, BoardKey)]
    signs = [(row.sign, row.meaning) for row in key.rows]
    assert signs == [("▮", "step"), ("#", "suppressed"), ("✓", "acted")]
    bloody: Page = BLOODY.board(played(Random(1), 40).state)
    (key,) = [block for block in bloody.blocks if isinstance(block, BoardKey)]
    assert len({row.sign for row in key.rows}) == len(key.rows)
    (board,) = [block for block in bloody.blocks if isinstance(block, SquareBoard)]
    explained = {row.sign for row in key.rows}
    for row in board.rows:
        for square in row:
            for sign in square.signs:
                is_value = sign.isdigit() or sign[0] in "DEF"  # of a token, or an exit's name
                assert sign in explained or is_value
