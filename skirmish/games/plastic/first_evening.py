"""What newcomers are told in their first battle, the first time that each question comes up."""

from __future__ import annotations

from skirmish.games.plastic.battle.opening import deployment_words
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.army import named
from skirmish.games.plastic.setup_fields import FIRST_EVENING
from skirmish.tabletop.measure import inches

HINTS = {
    "shooter 1": "Each side has {army}. {deployment} Then the {mover} move, a guy up to {guy}, "
    "a tank up to {tank}. Choose who fires at a man that moves; press > when everybody has moved.",
    "shooter 2": "Now all {other} in range and in sight may fire, unless they fired in phase "
    "1. Press > when nobody else fires.",
    "shooter 3": "Now the {mover} fight at close quarters. Press > when they have done so.",
    "shooter 4": "Now the {other} fight back, even those who have fired before. Then press E: "
    "it is their turn to move.",
    "target": "Measure the distance before you choose. The chance of a hit is beside each target.",
    "cover": "Look at the table. Cover turns some hits into misses.",
    "draw": "Space draws a card. The lower its rank, the better.",
    "again": "Some weapons may fire again after a kill. The program says when.",
    "dying": "Take the man off the table. The program counts the losses.",
}
NAMES = {"row": "dying", "dead": "dying"}


def hint(state: State, asked: str) -> tuple[str, str]:
    """Under which name a question is explained, and how; empty but on the first evening."""
    setup, phase = state.setup, state.clock.phase
    name = f"shooter {phase}" if asked == "shooter" else NAMES.get(asked, asked)
    if setup.title != FIRST_EVENING or name not in HINTS:
        return name, ""
    side = state.mover
    units = setup.catalog.units
    return name, HINTS[name].format(
        army=named(setup.fielded[side], setup.catalog),
        deployment=" ".join(deployment_words(setup).splitlines()),
        mover=setup.side_by_id[side].people,
        other=setup.enemy_of(side).people,
        guy=inches(units["rifle"].move),
        tank=inches(units["tank"].move),
    )
