"""The casualty strip on the screen: every loss at its turn, above the axis or below it."""

from __future__ import annotations

from skirmish.app.battle.strip import strip_lines
from skirmish.games.plastic.casualties import Casualty, CasualtyStrip, SideCourse
from skirmish.games.plastic.turning_point import TurningPoint
from skirmish.tabletop.side_colours import looks


def course(side: str, fallen: int, turn: int = 2) -> SideCourse:
    casualties = tuple(
        Casualty(
            piece=f"{side}/{number}", code=f"R{number}", unit="rifle", side=side, turn=turn,
            entry=10 + number, pdg=1, points=1, cause="shot",
        )
        for number in range(fallen)
    )  # fmt: skip
    return SideCourse(
        side=side, people=f"{side.title()}s", nation=side, strength=50, lost=fallen,
        casualties=casualties, passages=(), left=(50, 50 - fallen),
    )  # fmt: skip


def drawn(americans: int, germans: int, width: int = 118) -> list[str]:
    strip = CasualtyStrip(
        turns=2, ends_after=15, over=False, turning_point=None,
        sides=(course("american", americans), course("german", germans)),
    )  # fmt: skip
    signs = dict(zip(("american", "german"), looks("american", "german"), strict=True))
    return [line.plain.rstrip() for line in strip_lines(strip, signs, width)]


def test_losses_stand_at_their_turn_above_the_axis_and_below_it() -> None:
    above, axis, below = drawn(2, 1)
    assert above.startswith("○ AMERICANS -2")
    assert below.startswith("■ GERMANS -1")
    assert above.index("R R") == below.rindex("R") == axis.index("[2]") - 1


def test_more_losses_than_a_turn_has_room_for_are_a_number() -> None:
    lines = drawn(30, 0)
    assert "+28" in lines[0]
    assert max(map(len, lines)) <= 118


def test_a_number_alone_is_no_sum_beside_what_a_side_lost() -> None:
    """Where a turn has no room for a letter: ``-4  +4`` would be nothing."""
    text = "\n".join(drawn(4, 4, width=40))
    assert "-4" in text
    assert "×4" in text
    assert "+4" not in text


def test_a_narrow_strip_shows_the_last_turns() -> None:
    lines = drawn(1, 1, width=40)
    assert max(map(len, lines)) <= 40
    assert "[2]" in lines[1]


def with_turning_point(point: TurningPoint, width: int) -> list[str]:
    strip = CasualtyStrip(
        turns=2, ends_after=15, over=False, turning_point=point,
        sides=(course("american", 9), course("german", 0)),
    )  # fmt: skip
    signs = dict(zip(("american", "german"), looks("american", "german"), strict=True))
    return [line.plain for line in strip_lines(strip, signs, width)]


def test_the_turning_point_takes_the_columns_of_the_names_before_it_is_broken() -> None:
    point = TurningPoint(turn=2, mover="german", side="german", text="Americans lost 9 of 77")
    words = "◄ Turning point: turn 2, Germans ahead: Americans lost 9 of 77"
    for width in (len(words) + 30, len(words) + 3):
        last = with_turning_point(point, width)[-1]
        assert last.strip() == words
        assert len(last) <= width
    *_, first_row, second_row = with_turning_point(point, 50)
    assert f"{first_row} {second_row.strip()}" == words
    assert second_row.startswith("  ")
    assert max(len(first_row), len(second_row)) <= 50


def test_a_side_that_won_without_ever_being_ahead_is_not_called_ahead() -> None:
    lost = "Americans lost 9 of 77"
    point = TurningPoint(turn=2, mover="german", side="american", text=lost, last=True)
    last = with_turning_point(point, 118)[-1]
    assert last.strip() == f"◄ Turning point: turn 2, open to the very end: {lost}"
