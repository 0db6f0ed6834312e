"""What eyes see of a shot, each as a question; then its chance and the draw, or the book's no."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from skirmish.app.battle.draft import TOGGLE_KEYS, Draft
from skirmish.app.battle.outlook_words import sentence
from skirmish.app.guard import extra
from skirmish.app.questions.answers import Answer, Question, yes_or_no
from skirmish.app.questions.words import chance, what_hits
from skirmish.games.plastic.battle.odds import Knowledge, odds, volley_odds
from skirmish.games.plastic.battle.opening import deployment_words
from skirmish.games.plastic.battle.orders import Again, Fire
from skirmish.games.plastic.battle.orders.firing import Prepared, offered, prepared
from skirmish.games.plastic.battle.rows import find
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.catalog import a_unit
from skirmish.games.plastic.rules.figures import named
from skirmish.games.plastic.setup_fields import FIRST_EVENING
from skirmish.tabletop.measure import inches

SEEN = {
    "cover": ("IN COVER?", "Is there something in front of {target}: a wall, a hedge, trees?"),
    "hull_down": ("HULL DOWN?", "Can only the top of {target} be seen?"),
    "rear": ("FROM BEHIND?", "Does the shot come from behind {target}?"),
    "close": ("CLOSE?", "Is {target} within {near}? Measure it."),
    "grouped": ("ALONE?", "Does the man aimed at stand alone, with no friend touching him?"),
    "apart": ("TOUCHING?", "Do the two touch each other?"),
}
"""Each thing seen: in large letters, and as a question."""
RULES = {
    "cover": "verdict cover",
    "hull_down": "option hull_down",
    "rear": "option rear_armor",
    "close": "ask casualty",
    "grouped": "ask casualty",
    "apart": "refusal not_touching",
}
"""The topic of the reference for each thing seen."""
HINTS = {
    "who 1": "Each side has {army}. {deployment} Then the {mover} move, a guy up to {guy}, a tank "
    "up to {tank}. Choose who fires at a man that moves; press > when everybody has moved.",
    "who 2": "Now all {other} in range and in sight may fire, unless they fired in phase 1. Press "
    "> when nobody else fires.",
    "who 3": "Now the {mover} fight at close quarters. Press > when they have done so.",
    "who 4": "Now the {other} fight back, even those who have fired before. Then press E: it is "
    "their turn to move.",
    "target": "Measure the distance before you choose. The chance of a hit is beside each target.",
    "cover": "Look at the table. Cover turns some hits into misses.",
    "draw": "Space draws a card. The lower its rank, the better.",
    "again": "Some weapons may fire again after a kill. The program says when.",
    "dying": "Take the man off the table. The program counts the losses.",
}
"""What a newcomer is told the first time that each question comes up, of ``who`` in each phase."""
YES_IS_USUAL = ("apart",)
"""Of these questions, yes is the usual answer; of the others, no."""


def telling(state: State, order: Fire | Again) -> Iterator[str]:
    """Of the toggles offered those that change more than the wording: who is hit, or who dies."""
    for name in offered(state, order):
        before, after = prepared(state, order), prepared(state, otherwise(order, name))
        if before.advice != after.advice or _result(before) != _result(after):
            yield name


def otherwise(order: Fire | Again, name: str) -> Fire | Again:
    """The order with that thing seen the other way."""
    return msgspec.structs.replace(order, **{name: not getattr(order, name)})


def _result(shot: Prepared) -> object:
    return msgspec.structs.replace(shot.aim, why=(), exact="yes" if shot.aim.exact else None)


def seen(state: State, draft: Draft, name: str) -> Question:
    """One thing seen, yes or no; what was answered of it before is marked."""
    flips = tuple(key for key, toggle in TOGGLE_KEYS.items() if toggle == name)
    large, asks = SEEN[name]
    row = find(state, draft.target or "")
    near = inches(state.setup.catalog.fire.exact_within)
    usual = "Yes" if name in YES_IS_USUAL else "No"
    flipped = name in draft.changed
    marked = usual if not flipped else ("No" if usual == "Yes" else "Yes")
    answers = yes_or_no(name, flips, usual=marked)
    return Question(
        name=name,
        large=large,
        asks=asks.format(target=f"the {row.unit.name}" if row else "the target", near=near),
        answers=answers,
        usual=next(n for n, answer in enumerate(answers) if answer.words == marked),
    )


def draw(
    state: State, order: Fire | Again, shot: Prepared, knowledge: Knowledge = "full"
) -> Question:
    """The chance, what all may come to, and the one button that matters."""
    does = {"action": "insist"} if shot.advice else {"presses": ("space",)}
    large, likely = extra(
        "The odds are",
        lambda: (
            chance(odds(state, shot.aim, shot.side, knowledge)).removeprefix("about "),
            f"{chance_of(state, shot, knowledge).capitalize()}.",
        ),
        lambda says: ("", says),
    )
    button = Answer(words="Draw", key="space", shown="Space", large=True)
    return Question(
        name="draw",
        large=large,
        asks=f"{a_unit(shot.shot.shooter.name, 'A')} fires at {a_unit(shot.shot.target.name)}.",
        says=(
            f"{likely} {what_hits(shot.aim, _die(state, shot))}",
            *_in_all(state, order, shot, knowledge),
        ),
        answers=(msgspec.structs.replace(button, **does),),
    )


def _in_all(
    state: State, order: Fire | Again, shot: Prepared, knowledge: Knowledge
) -> Iterator[str]:
    """What repeat fire adds up to, and whether it breaks the army, where there is that to tell."""

    def told() -> str:
        found = None if shot.advice else volley_odds(state, order, shot, knowledge)
        return sentence(found) if found else ""

    if said := extra("The odds are", told, str):
        yield said


def chance_of(state: State, shot: Prepared, knowledge: Knowledge = "full") -> str:
    """``about 7 in 10, 67%``, and out of what if that is not the deck as it stands."""
    found = odds(state, shot.aim, shot.side, knowledge)
    noted = f", {found.note}" if found.note else ""
    return f"{chance(found)}, {found.percent}%{noted}"


def _die(state: State, shot: Prepared) -> bool:
    return state.sources[state.source_of(shot.side)].kind == "die"


def advised(says: str, yes: Answer) -> Question:
    """The rules advise against something; the players may do it."""
    return Question(
        name="advice",
        large="NO",
        because=("The rules say no:", says),
        asks="Do it anyway?",
        answers=(
            Answer(words="No", key="n", large=True, action="back"),
            msgspec.structs.replace(yes, large=True),
        ),
    )


def no_way(says: str) -> Question:
    """It cannot be done at all."""
    return Question(
        name="no way",
        large="NO",
        because=(says,),
        asks="That cannot be done.",
        answers=(Answer(words="Back", key="escape", shown="Esc", action="back", large=True),),
    )


def hint(state: State, question: Question) -> tuple[str, str]:
    """Under which name a question is explained in the first evening, and how; empty elsewhere."""
    setup, phase = state.setup, state.clock.phase
    name = f"who {phase}" if question.name == "who" else question.name
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
