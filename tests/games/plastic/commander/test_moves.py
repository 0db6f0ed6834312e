"""Who stays and who goes: the design's examples on the real table of Dog Beach."""

from __future__ import annotations

import pytest

from skirmish import library
from skirmish.games.plastic.commander.cells import CellGrid, GroundCell
from skirmish.games.plastic.commander.danger import Danger
from skirmish.games.plastic.commander.fire import FireTable
from skirmish.games.plastic.commander.firepower import Firepower
from skirmish.games.plastic.commander.ground import TableGround
from skirmish.games.plastic.commander.kills import KillTable
from skirmish.games.plastic.commander.moves import (
    ActionScore,
    GroupTask,
    Moves,
    ScoredStand,
)
from skirmish.games.plastic.commander.paths import Mover, Paths
from skirmish.games.plastic.commander.sight import Sight
from skirmish.games.plastic.commander.situation import GroupKnown, Situation, Stand
from skirmish.games.plastic.commander.terms import ScoreTerms
from skirmish.games.plastic.commander.weights import TemperamentId
from skirmish.tabletop.battlefield import Battlefield
from skirmish.tabletop.plane import Point

CATALOG = library.catalog()
RULINGS = library.rulings().defaults()
KILLS = KillTable(CATALOG, RULINGS)
WEIGHTS = library.commander_weights()
GRID = CellGrid(96, 60)
CLIMBING = Mover.of(CATALOG.units["rifle"], on_slope=3)


class Table:
    """A map with all that is worked out from it."""

    def __init__(self, field: Battlefield) -> None:
        self.ground = TableGround(field, GRID)
        sight = Sight(self.ground, WEIGHTS.sight)
        fire = FireTable(CATALOG, RULINGS, sight, KILLS)
        self.danger = Danger(fire, choosing_exponent=WEIGHTS.fire.choosing)
        self.firepower = Firepower(fire)
        self.paths = Paths(self.ground)

    def moves(self, temperament: TemperamentId = "steady") -> Moves:
        return Moves(
            self.ground,
            self.paths,
            self.danger,
            self.firepower,
            weights=WEIGHTS,
            temperament=WEIGHTS.temperaments[temperament],
        )


def beach() -> Table:
    field = library.published_scenarios()[10].map
    assert field is not None
    return Table(field)


BEACH, EMPTY = beach(), Table(Battlefield())
HOUSE_2 = GRID.at((45.2, 50.2))


def stand(name: str, cell: GroundCell, unit: str, count: int, *, cover: bool = False) -> Stand:
    return Stand(GroupKnown(name, name, {unit: count}), cell, cover)


def alone(moves: Moves, situation: Situation, group: str, its_task: GroupTask) -> list[ScoredStand]:
    """Where a group can be if all others stay where they are, the best first."""
    scored = []
    for place in moves.places(situation, group, its_task):
        score = moves.scores(situation, [place], {group: its_task})[group]
        scored.append(ScoredStand(place, score))
    return sorted(scored, key=lambda place: -place.score.value)


AT_THE_WALL = tuple(
    stand(f"group {number}", GroundCell(column, 4), "rifle", 4, cover=True)
    for number, column in enumerate((6, 6, 7, 8, 8), start=1)
)


def on_the_bluffs(name: str, spot: Point, unit: str, *, cover: bool = False) -> Stand:
    """On a mark of the map, so that its exact place is known."""
    return stand(name, GRID.at(spot), unit, 1, cover=cover)._replace(spot=spot)


ON_THE_BLUFFS = (
    on_the_bluffs("C4", (35, 40.6), "machinegun", cover=True),
    on_the_bluffs("D4", (40, 40.6), "machinegun", cover=True),
    on_the_bluffs("E4", (49.6, 40.5), "machinegun", cover=True),
    on_the_bluffs("small pillbox", (54.4, 38.2), "small_pillbox"),
    on_the_bluffs("F4", (66, 38), "cannon"),
)
TURN_2 = Situation(AT_THE_WALL, ON_THE_BLUFFS)
TO_HOUSE_2 = GroupTask("assault", CLIMBING, HOUSE_2, worth=8, turns_left=14)
TASKS = {group.group.id: TO_HOUSE_2 for group in AT_THE_WALL}


@pytest.mark.parametrize(
    ("temperament", "reason"), [("steady", "kill"), ("cautious", "kill"), ("bold", "danger")]
)
def test_over_the_wall_all_go_together(temperament: TemperamentId, reason: str) -> None:
    """Steady and cautious would rather stay than go alone, and go for the guns; bold would go alone
    too, and is safer with the others."""
    moves = BEACH.moves(temperament)
    best_alone = {group: alone(moves, TURN_2, group, TASKS[group])[0] for group in TASKS}
    wave = moves.wave(TURN_2, TASKS)
    assert set(wave) == set(TASKS)
    value_alone = sum(choice.score.value for choice in best_alone.values())
    assert sum(choice.score.value for choice in wave.values()) > value_alone
    assert all(choice.stand.cell.row == 5 for choice in wave.values())
    for group, choice in wave.items():
        assert choice.score.main_reason_against(best_alone[group].score) == reason


def test_from_the_wall_nobody_reaches_the_crest_with_his_rifle() -> None:
    """ "Rifles at the wall (12 in) do not reach the crest": the guns stand on marks of the map, so
    that their distance is known better than by cells."""
    scores = BEACH.moves().scores(TURN_2, AT_THE_WALL, TASKS)
    assert {score.weighed.kill for score in scores.values()} == {0}


@pytest.mark.parametrize("group", list(TASKS))
def test_nobody_goes_over_the_wall_alone(group: str) -> None:
    """ "Alone each draws four guns." """
    assert alone(BEACH.moves(), TURN_2, group, TO_HOUSE_2)[0].stand.cover


def test_staying_at_the_wall_has_the_score_of_the_design() -> None:
    at_the_wall = TURN_2.own_stand("group 3")
    score = BEACH.moves().scores(TURN_2, [at_the_wall], TASKS)["group 3"]
    assert score.value == pytest.approx(-0.44, abs=0.01)
    assert (score.weighed.kill, score.weighed.ground) == (0, 0)


# ------------------------------------------------------------------ on an empty table

AHEAD = GroundCell(9, 5)


def task(turns_left: int, *, worth: float = 16) -> GroupTask:
    return GroupTask("assault", Mover.of(CATALOG.units["rifle"]), AHEAD, worth, turns_left)


LONELY = Situation((stand("men", GroundCell(1, 5), "rifle", 8),), ())


def test_nobody_lingers_where_the_way_is_free() -> None:
    """Eight turns away with nine left: each turn counts."""
    best, second, *_ = alone(EMPTY.moves(), LONELY, "men", task(9))
    assert best.stand.cell == GroundCell(2, 5)
    assert best.score.main_reason_against(second.score) == "ground"


def test_whoever_cannot_be_in_time_stays() -> None:
    best, *_ = alone(EMPTY.moves(), LONELY, "men", task(5))
    assert best.stand.cell == GroundCell(1, 5)


def test_falling_back_costs_as_much_as_the_turn_it_loses() -> None:
    back = stand("men", GroundCell(0, 5), "rifle", 8)
    score = EMPTY.moves().scores(LONELY, [back], {"men": task(9)})["men"]
    # From one turn to spare, of which staying leaves none, it is late.
    assert score.weighed.ground == pytest.approx(1.3 * 16 * (0 - 0.35))


def test_near_the_end_men_take_risks_for_which_it_was_too_early_before() -> None:
    """A covered gun 12 in ahead: urgency halves the danger, and the last turns count most."""
    gun = (stand("gun", GroundCell(5, 5), "machinegun", 1, cover=True),)
    under_fire = Situation(LONELY.own, gun)
    ahead = stand("men", GroundCell(2, 5), "rifle", 8)
    moves = EMPTY.moves()
    early = moves.scores(under_fire, [ahead], {"men": task(20)})["men"]
    late = moves.scores(under_fire, [ahead], {"men": task(8)})["men"]
    assert early.value < 0 < late.value


def test_the_reason_is_the_term_that_speaks_most_against_the_next_best() -> None:
    first = ActionScore(3.0, ScoreTerms(kill=2.0, ground=3.0, danger=2.0))
    second = ActionScore(1.0, ScoreTerms(kill=2.5, ground=2.5, danger=4.0))
    assert first.main_reason_against(second) == "danger"
