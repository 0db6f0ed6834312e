"""What a television in the room shows of a battle: both strengths, how it stands, who was lost in
which turn. Everything is made from what an onlooker may see."""

from __future__ import annotations

from collections import Counter

from skirmish.games.plastic.battle.events import Judged
from skirmish.games.plastic.battle.progress import last_turn, leader
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.state import PHASES, State
from skirmish.games.plastic.casualties import CasualtyStrip, SideCourse, casualty_strip
from skirmish.games.plastic.rules.unit_shapes import SIGNS, shape_of
from skirmish.games.plastic.scenarios.wording import date_in_words
from skirmish.games.plastic.verdict import last_shot_events
from skirmish.tabletop.page import capital
from skirmish.tabletop.wall import (
    Frame,
    Half,
    KillsByTurn,
    WallBoard,
    WallDraw,
    WallKill,
    WallSide,
    WallStrip,
)

_PILLBOXES = ("small_pillbox", "large_pillbox")
"""Units whose sign has a frame of its own shape."""


def wall_board(play: BattlePlay) -> WallBoard:
    """The wall of a battle; ``play`` is the battle as an onlooker sees it."""
    state = play.state
    setup, scenario = state.setup, state.setup.scenario
    strip = casualty_strip(play)
    number, where, map_name = "", "", ""
    if scenario is not None:
        # The asterisk refers to a footnote, which only the printed sheet has.
        place = scenario.place.rstrip("*")
        number, where = str(scenario.number), f"{date_in_words(scenario.date)} · {place}"
        if scenario.map is not None:
            map_name = f"The table of {scenario.title}"
    mover, winner = None, None
    if state.outcome is None:
        mover = _half(state, state.clock.side)
    else:
        winner = _half(state, state.outcome.winner)
    leading = leader(state)
    return WallBoard(
        number=number,
        where=where,
        turn=state.clock.turn,
        # 0: the battle has no last turn.
        last_turn=last_turn(state) or 0,
        mover=mover,
        phase=f"{state.clock.phase} · {PHASES[state.clock.phase]}",
        sides=(_wall_side(strip, 0), _wall_side(strip, 1)),
        goal=setup.victory,
        counts=_last_counts(state),
        ahead=_half(state, leading.side),
        stands=capital(leading.text),
        strip=_wall_strip(state, strip),
        volley=_last_draws(play),
        winner=winner,
        map_name=map_name,
    )


def _half(state: State, side: str | None) -> Half | None:
    """Which of the two a side is: 0 is the one that moves first; None for no side."""
    if side is None:
        return None
    if side == state.first:
        return 0
    return 1


def _wall_side(strip: CasualtyStrip, half: Half) -> WallSide:
    """A side with the colour and the marks that distinguish it from the other."""
    course, enemy = strip.sides[half], strip.sides[1 - half]
    nation = course.nation or ""
    # As on paper: the marks of Germans are solid; without Germans, or with them on both sides,
    # those of the second mover.
    solid = half == 1
    if "german" in (nation, enemy.nation) and nation != enemy.nation:
        solid = nation == "german"
    # The colour of a nation tells two sides apart only if they are of two nations.
    if nation == enemy.nation:
        nation = ""
    return WallSide(
        people=course.people,
        nation=nation,
        solid=solid,
        strength=course.strength,
        lost=course.lost,
    )


def _last_counts(state: State) -> tuple[int, int] | None:
    """What decides the battle, of each side, as the players last counted it on the table; None if
    they have not."""
    if state.eye_count is None:
        return None
    first = state.eye_count.values.get(state.first)
    second = state.eye_count.values.get(state.second_side)
    if first is None or second is None:
        return None
    return first, second


def _last_draws(play: BattlePlay) -> tuple[WallDraw, ...]:
    """The draws of the last shot or volley."""
    draws = []
    for event in last_shot_events(play):
        if isinstance(event, Judged):
            draws.append(WallDraw(event.draw, event.hit))
    return tuple(draws)


def _wall_strip(state: State, strip: CasualtyStrip) -> WallStrip:
    """The losses turn by turn, as the wall draws them, where a turn of 0 stands for none."""
    first, second = strip.sides
    why = ""
    # The turning point says who took the lead for good. One who led from the beginning took it in
    # no turn (``turning_turn``).
    if strip.marked_turning_point is not None:
        people = state.setup.side_by_id[strip.marked_turning_point.side].people
        why = f"{people} ahead"
        if strip.marked_turning_point.last:
            why = "Open to the very end"
    return WallStrip(
        kills=(
            _kills_by_turn(state, first, strip.turns),
            _kills_by_turn(state, second, strip.turns),
        ),
        last=strip.ends_after or 0,
        turning=strip.turning_turn or 0,
        why=why,
    )


def _kills_by_turn(state: State, course: SideCourse, turns: int) -> KillsByTurn:
    """The losses of a side in each turn, from the first."""
    return tuple(_kills_in_turn(state, course, turn) for turn in range(1, turns + 1))


def _kills_in_turn(state: State, course: SideCourse, turn: int) -> tuple[WallKill, ...]:
    """The losses of a turn, those of one unit together."""
    catalog = state.setup.catalog
    counted = Counter(casualty.unit for casualty in course.in_turn(turn))
    kills = []
    for unit, count in counted.items():
        shape = shape_of(catalog.units[unit])
        frame: Frame = "box"
        if unit in _PILLBOXES:
            frame = "pillbox"
        elif shape.oval:
            frame = "oval"
        kills.append(WallKill(catalog.units[unit].name, frame, SIGNS.get(unit, ""), count))
    return tuple(kills)
