"""What is known of a shot once it is declared (``Shooting``): what it needs, and how its target
stands."""

from __future__ import annotations

from skirmish.games.plastic.battle.agenda import Shooting
from skirmish.games.plastic.battle.names import piece_side, row_unit
from skirmish.games.plastic.battle.pieces import BROKEN_INTO
from skirmish.games.plastic.battle.rows import fights_as
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.catalog import UnitType
from skirmish.games.plastic.rules.shot import Aim, Circumstances, Shot, aim


def aim_of(state: State, shot: Shooting) -> Aim:
    """All that is known of the shot before its draw."""
    return aim(shot_of(state, shot), state.setup.catalog, state.setup.rulings)


def shot_of(state: State, shot: Shooting) -> Shot:
    """The shot as the rules know it, by the man as he was and at the unit as it is now."""
    return Shot(
        shooter=fights_as(state, unit_firing(state, shot)),
        weapon=state.setup.catalog.weapons[shot.weapon],
        target=fights_as(state, state.setup.unit(row_unit(shot.target))),
        circumstances=shot.at,
        nation=state.nation_of(piece_side(shot.piece)),
    )


def unit_firing(state: State, shot: Shooting) -> UnitType:
    """The unit that had the weapon of the shot. Since then the weapon may have broken down, which
    made him a rifleman; or he fired as a rifleman, and the line of his breakdown was made void."""
    setup, present = state.setup, state.unit(shot.piece)
    bought = setup.unit(state.piece(shot.piece).unit)
    for unit in (present, bought, setup.unit(BROKEN_INTO)):
        carried = setup.catalog.weapons_of(unit, setup.rulings)
        if any(weapon.id == shot.weapon for weapon in carried):
            return unit
    return present


def was_close(state: State, circumstances: Circumstances) -> bool:
    """Whether the target was said to be within 3 in."""
    return (
        not circumstances.touching
        and circumstances.distance <= state.setup.catalog.fire.exact_within
    )


def stands_alone(state: State, shot: Shooting) -> bool:
    """Whether the man aimed at touches none of his friends, as a sniper never does."""
    unit = fights_as(state, state.setup.unit(row_unit(shot.target)))
    return not shot.at.grouped or "sniper" in unit.tags
