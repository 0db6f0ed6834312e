"""What is known of a shot once it is declared (``Shooting``): what it needs, and how its target
stands."""

from __future__ import annotations

from skirmish.games.plastic.battle.agenda import Shooting
from skirmish.games.plastic.battle.names import piece_side, row_unit
from skirmish.games.plastic.battle.pieces import RIFLEMAN
from skirmish.games.plastic.battle.rows import fights_as
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.catalog import UnitType
from skirmish.games.plastic.rules.shot import Aim, Circumstances, Shot, aim


def aim_of(state: State, shot: Shooting) -> Aim:
    """All that is known of the shot before its draw."""
    return aim(shot_of(state, shot), state.setup.catalog, state.setup.rulings)


def shot_of(state: State, shot: Shooting) -> Shot:
    """The shot in the terms of the rules, by the unit that the shooter was when he fired."""
    return Shot(
        shooter=fights_as(state, unit_firing(state, shot)),
        weapon=state.setup.catalog.weapons[shot.weapon],
        target=fights_as(state, state.setup.unit(row_unit(shot.target))),
        circumstances=shot.at,
        nation=state.nation_of(piece_side(shot.piece)),
    )


def unit_firing(state: State, shot: Shooting) -> UnitType:
    """The unit that the shooter was when he fired: the first of those he may have been which has
    the weapon of the shot. His weapon may have broken down since, which made him a rifleman; or he
    fired as a rifleman, and the line of his breakdown was made void."""
    setup = state.setup
    unit_now = state.unit(shot.piece)
    unit_at_start = setup.unit(state.piece(shot.piece).unit)
    rifleman = setup.unit(RIFLEMAN)
    for unit in (unit_now, unit_at_start, rifleman):
        weapons = setup.catalog.weapons_of(unit, setup.rulings)
        if any(weapon.id == shot.weapon for weapon in weapons):
            return unit
    return unit_now


def was_close(state: State, circumstances: Circumstances) -> bool:
    """Whether the target was said to be so close (3 in) that the very man aimed at dies, but not in
    contact."""
    return (
        not circumstances.touching
        and circumstances.distance <= state.setup.catalog.fire.exact_within
    )


def stands_alone(state: State, shot: Shooting) -> bool:
    """Whether the man aimed at touches none of his friends, as a sniper never does."""
    unit = fights_as(state, state.setup.unit(row_unit(shot.target)))
    return not shot.at.grouped or "sniper" in unit.tags
