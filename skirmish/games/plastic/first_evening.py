"""The battle for newcomers, "Your first evening", as it is known by its title, and the explanations
that they read in it."""

from __future__ import annotations

from skirmish.games.plastic.battle.deployment import deployment_words
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.army import counts_in_words
from skirmish.tabletop.game import Hint
from skirmish.tabletop.measure import inches

FIRST_EVENING = "Your first evening"
"""The title of that battle, by which its hints are known to be wanted (``hint``)."""
DEPTH = 36
"""The inches between the edges where the sides set up. On a deeper table turns would pass, and
twenty minutes with them, before a rifle is in range."""
HINTS = {
    "shooter 1": "Each side has {army}. Take a table about {depth} deep; books and boxes are walls "
    "and houses. {deployment} A guy moves up to {guy}, a tank up to {tank}. Press > when everybody "
    "has moved.",
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
"""What to do now, by what is asked; of a shooter by the phase, too."""
HINT_OF = {"row": "dying", "dead": "dying"}
"""The names of hints, by the names of the questions, where the two differ."""


def hint(state: State, asked: str) -> Hint:
    """The explanation of the question by the name ``asked``; empty except on the first evening."""
    setup = state.setup
    name = HINT_OF.get(asked, asked)
    if asked == "shooter":
        # Who fires differs by phase, and so does what is to be explained.
        name = f"shooter {state.clock.phase}"
    if setup.title != FIRST_EVENING or name not in HINTS:
        return Hint(name, "")
    side = state.mover
    # The first explanation is about laying the table. Once a turn has ended that is done, also if
    # the battle was closed meanwhile and is opened again.
    somebodys_turn_has_ended = state.clock.turn > 1 or side != setup.sides[0].id
    if name == "shooter 1" and somebodys_turn_has_ended:
        return Hint(name, "")
    units = setup.catalog.units
    text = HINTS[name].format(
        army=counts_in_words(setup.fielded[side], setup.catalog),
        deployment=" ".join(deployment_words(setup).splitlines()),
        mover=setup.side_by_id[side].people,
        other=setup.enemy_of(side).people,
        depth=inches(DEPTH),
        guy=inches(units["rifle"].move),
        tank=inches(units["tank"].move),
    )
    return Hint(name, text)
