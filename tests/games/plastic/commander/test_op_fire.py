"""Fire in the enemy's turn: what is waited for, and the list of phase 2."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import pytest

from skirmish import library
from skirmish.games.plastic.commander.aims import slope_limit
from skirmish.games.plastic.commander.board import CommandTable
from skirmish.games.plastic.commander.cells import CellGrid, GroundCell, apart
from skirmish.games.plastic.commander.defensive_fire import DefensiveFire
from skirmish.games.plastic.commander.kills import KillTable
from skirmish.games.plastic.commander.op_fire import (
    OpFirePlanner,
    chance_of_pin,
    expected_move,
)
from skirmish.games.plastic.commander.situation import GroupKnown, Situation, Stand
from skirmish.tabletop.battlefield import Battlefield, Building

CATALOG = library.catalog()
RULINGS = library.rulings().defaults()
WEIGHTS = library.commander_weights()
KILLS = KillTable(CATALOG, RULINGS)
GRID = CellGrid(96, 60)


def table_of(field: Battlefield) -> CommandTable:
    return CommandTable(field, GRID, CATALOG, RULINGS, weights=WEIGHTS, kills=KILLS)


def fire_on(field: Battlefield) -> OpFirePlanner:
    return OpFirePlanner(table_of(field).board())


OPEN = fire_on(Battlefield())
OPEN_DEFENSIVE = DefensiveFire(table_of(Battlefield()).board())
OPEN_FIRE = table_of(Battlefield()).board().fire
HOUSE = GroundCell(6, 5)
WITH_HOUSE = fire_on(Battlefield(buildings=(Building(at=HOUSE.middle, size=(5, 5)),)))


def stand(
    name: str,
    counts: Mapping[str, int],
    column: int,
    *,
    cover: bool = False,
    aboard: Mapping[str, int] | None = None,
) -> Stand:
    return Stand(GroupKnown(name, name, counts, aboard or {}), GroundCell(column, 5), cover)


GUN = stand("Gun", {"machinegun": 1}, 3, cover=True)


def test_a_gun_fires_at_once_at_men_who_will_be_in_cover() -> None:
    men = stand("Second", {"rifle": 8}, 7)
    [line] = WITH_HOUSE.lines(Situation((GUN,), (men,)), [HOUSE])
    assert (line.trigger, line.cell) == ("open", HOUSE)
    assert line.words == (
        "Second is on its way to D3, in the open: fire with Gun, since afterwards it is harder to "
        "hit."
    )


def test_a_gun_waits_where_its_target_stays_in_the_open() -> None:
    """ "op fire at once: wrong: the same in phase 2"."""
    men = stand("Second", {"rifle": 8}, 7)
    assert OPEN.lines(Situation((GUN,), (men,)), [GroundCell(5, 5)]) == []


def test_who_has_dug_in_where_he_is_wanted_stays_in_cover() -> None:
    """He is as hard to hit later as he is now, so that no gun waits for him."""
    dug_in = stand("First", {"rifle": 8}, 5, cover=True)
    men = stand("Second", {"rifle": 3}, 7)
    lines = WITH_HOUSE.lines(Situation((GUN,), (dug_in, men)), [dug_in.cell, HOUSE])
    assert [line.enemy.group.name for line in lines] == ["Second"]


def test_men_about_to_touch_are_fired_at_before_they_do() -> None:
    men = stand("Second", {"rifle": 8}, 4)
    [line] = OPEN.lines(Situation((GUN,), (men,)), [GUN.cell])
    assert line.trigger == "contact"
    assert "in contact nobody fires" in line.words


def test_a_loaded_jeep_is_fired_at_before_it_is_behind_the_house() -> None:
    cannon = stand("Cannon", {"cannon": 1}, 3)
    jeep = stand("Jeep", {"jeep": 1}, 5, aboard={"rifle": 4})
    jeep = jeep._replace(cell=GroundCell(5, 7))
    behind = GroundCell(7, 5)
    [line] = WITH_HOUSE.lines(Situation((cannon,), (jeep,)), [behind])
    assert (line.trigger, line.cell) == ("loaded", GroundCell(6, 6))


def test_no_more_than_three_things_are_waited_for() -> None:
    own = tuple(stand(f"Gun {n}", {"machinegun": 1}, 3, cover=True) for n in range(6))
    enemies = tuple(stand(f"Men {n}", {"rifle": 6}, 4) for n in range(5))
    lines = OPEN.lines(Situation(own, enemies), [GUN.cell])
    assert 1 <= len(lines) <= 3
    assert [line.number for line in lines] == list(range(1, len(lines) + 1))


def test_no_more_guns_are_named_than_are_needed() -> None:
    own = tuple(stand(f"Gun {n}", {"machinegun": 1}, 3, cover=True) for n in range(9))
    men = stand("Pair", {"rifle": 2}, 4)
    [line] = OPEN.lines(Situation(own, (men,)), [GUN.cell])
    assert len(line.guns) < 9


def test_a_gun_is_in_one_line_only() -> None:
    own = tuple(stand(f"Gun {n}", {"machinegun": 1}, 3, cover=True) for n in range(4))
    enemies = tuple(stand(f"Men {n}", {"rifle": 6}, 4) for n in range(3))
    lines = OPEN.lines(Situation(own, enemies), [GUN.cell])
    shooters = [guns.stand.group.id for line in lines for guns in line.guns]
    assert len(shooters) == len(set(shooters))


def test_a_pin_that_is_wanted_makes_it_fire_sooner() -> None:
    """The first after 2 inches: who is pinned does not get on."""
    men = stand("Second", {"rifle": 8}, 7)
    situation = Situation((GUN,), (men,))
    assert OPEN.lines(situation, [GroundCell(5, 5)]) == []
    [line] = OPEN.lines(situation, [GroundCell(5, 5)], {"Second": 20})
    assert line.trigger == "pin"
    assert line.words == ("Second is on its way to D3: fire with Gun, since a pin costs it a turn.")
    rifles = stand("Rifles", {"rifle": 2}, 5, cover=True)
    assert OPEN.lines(Situation((rifles,), (men,)), [GroundCell(5, 5)], {"Second": 20}) == []


@pytest.mark.parametrize(
    ("quality", "chance"), [(None, 0.5), ("elite", 0.25), ("regular", 0.5), ("green", 0.75)]
)
def test_the_chance_of_a_pin_is_that_of_the_suits(quality: str | None, chance: float) -> None:
    of_quality = None
    if quality is not None:
        of_quality = CATALOG.qualities[quality]
    assert chance_of_pin(of_quality, CATALOG) == chance


# ------------------------------------------------------------------ phase 2


def test_the_list_has_each_gun_at_its_best_target() -> None:
    gun, rifles = GUN, stand("Rifles", {"rifle": 4}, 3, cover=True)
    near = stand("Near", {"rifle": 6}, 4)
    far = stand("Far", {"machinegun": 1}, 6)
    shots = OPEN_DEFENSIVE.shots(Situation((gun, rifles), (near, far)))
    by_shooter = {shot.shooter.group.name: shot for shot in shots}
    assert by_shooter["Gun"].target.group.name == "Far"
    assert by_shooter["Rifles"].target.group.name == "Near"
    assert by_shooter["Rifles"].words == "Rifles, 4 × Rifle at Near in C3: kills 1.7 on average."


def test_a_gun_that_is_called_like_its_group_is_named_once() -> None:
    gun = stand("Machinegun", {"machinegun": 1}, 1)
    [shot] = OPEN_DEFENSIVE.shots(Situation((gun,), (stand("Near", {"rifle": 6}, 4),)))
    assert shot.words.startswith("Machinegun at Near in ")


def test_who_has_fired_while_the_enemy_moved_is_not_on_the_list() -> None:
    men = stand("Second", {"rifle": 8}, 4)
    situation = Situation((GUN,), (men,))
    [line] = OPEN.lines(situation, [GUN.cell])
    assert len(OPEN_DEFENSIVE.shots(situation)) == 1
    number_fired = Counter(guns.key for guns in line.guns)
    assert OPEN_DEFENSIVE.shots(situation, number_fired) == []


def test_who_is_touched_fires_at_nobody() -> None:
    touching = stand("Second", {"rifle": 8}, 3)
    others = stand("Third", {"rifle": 8}, 5)
    assert OPEN_DEFENSIVE.shots(Situation((GUN,), (touching, others))) == []


def test_nobody_fires_out_of_range_or_sight() -> None:
    assert OPEN_DEFENSIVE.shots(Situation((GUN,), (stand("Far", {"rifle": 8}, 12),))) == []


def test_the_deadliest_shots_come_first() -> None:
    own = (stand("Rifles", {"rifle": 1}, 3), stand("Gun", {"machinegun": 1}, 3))
    shots = OPEN_DEFENSIVE.shots(Situation(own, (stand("Men", {"rifle": 9}, 4),)))
    assert [shot.shooter.group.name for shot in shots] == ["Gun", "Rifles"]
    assert shots[0].points == pytest.approx(shots[0].kills)


def test_what_has_fired_is_not_counted_again_among_its_targets() -> None:
    """The dead of a shot have left the situation: the next gun finds the others whole."""
    guns = stand("Guns", {"machinegun": 4}, 3)
    riflemen = stand("Riflemen", {"rifle": 2}, 6)
    men = stand("Second", {"rifle": 2}, 5)
    situation = Situation((guns, riflemen), (men,))
    [alone] = OPEN_DEFENSIVE.shots(Situation((riflemen,), (men,)))
    number_fired = {fired.key: fired.number for fired in OPEN_FIRE.guns_of([guns])}
    [shot] = OPEN_DEFENSIVE.shots(situation, number_fired)
    assert shot.shooter.group.id == "Riflemen"
    assert shot.kills == alone.kills > 0


def test_who_does_not_see_the_best_target_fires_at_the_next() -> None:
    gun = stand("Gun", {"machinegun": 1}, 3)
    many, few = stand("Many", {"rifle": 8}, 5), stand("Few", {"rifle": 2}, 6)
    situation = Situation((gun,), (many, few))
    [shot] = OPEN_DEFENSIVE.shots(situation)
    assert shot.target == many
    [shot] = OPEN_DEFENSIVE.shots(situation, unseen={("Gun", "Many")})
    assert shot.target == few


def test_the_enemy_is_expected_to_climb_no_faster_than_the_scenario_lets_him() -> None:
    """Scenario 10, Dog Beach: "a unit that moves on, onto or off the hills moves only 3 in"."""
    scenario = library.published_scenarios()[10]
    assert scenario.map is not None
    grid = CellGrid(scenario.table.width_in, scenario.table.depth_in)
    below_the_crest = Stand(GroupKnown("tanks", "tank", {"tank": 2}), grid.at((45, 35)))
    house = grid.at((45.2, 50.2))

    def inches_climbed(inches_on_slopes: int | None) -> float:
        table = CommandTable(
            scenario.map,
            grid,
            CATALOG,
            RULINGS,
            weights=WEIGHTS,
            kills=KILLS,
            inches_on_slopes=inches_on_slopes,
        )
        situation = Situation((), (below_the_crest,))
        move = expected_move(table.board(), situation, below_the_crest, [house])
        return apart(below_the_crest.cell, move.end.cell)

    assert inches_climbed(slope_limit(scenario)) < inches_climbed(None)
