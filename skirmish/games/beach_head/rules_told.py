"""The rules in sentences of our own, made of the same numbers that the game plays by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from skirmish.games.beach_head.manual import (
    Card,
    DefenceId,
    Manual,
    Modifiers,
    Phase,
    Remove,
    Row,
    Squads,
    Step,
    Table,
    Tanks,
)

WHEN = {
    "traps": "while tank traps remain",
    "craft_hit": "if landing craft were hit last turn",
    "half_bunkers": "with half the bunkers or fewer left",
    "no_bunkers": "with no bunkers left",
}
"""When a modifier counts, by its name."""

ABOUT: Mapping[str, str] = {
    "tactical": "Fill your hand to {full} cards. Then, once, you may exchange up to {redraw}.",
    "frogman": "Swimmers blow up what bars the landing craft.",
    "lci": "Landing craft put infantry ashore.",
    "lct": "Tanks swim ashore or are set down.",
    "lcs": "Gun and rocket craft fire over the heads of the others.",
    "gun_tank": "Tanks with guns fire at slits and, when the way is open, into the trenches.",
    "defenders": "Machine guns, mortars and rifles.",
    "artillery": "Heavy guns from behind the dunes.",
    "shore_guns": "Guns in the bunkers themselves.",
    "mines": "Who crosses the sand finds them.",
    "engineers": "Demolition parties take whatever hinders most.",
    "flail": "Chains beat a lane.",
    "petard": "A short mortar throws a very heavy bomb a short way.",
    "bridge": "A bridge laid or a bundle dropped closes a ditch.",
    "infantry": "On foot through the wire, and on.",
    "support": "Rockets or bombers, if any come.",
    "destroyer": "Destroyers come in close, late in the day.",
    "end": "Keep at most {keep} cards in your hand.",
}
"""What a phase is about."""


def aim() -> str:
    """How the game is won, and what counts."""
    return (
        "The beach is taken when bunkers and trenches are gone. What counts is how many squads "
        "were lost on the way: the fewer, the better. Nobody can lose, and there is no last turn."
    )


def phase_told(manual: Manual, phase: Phase, left_out: Sequence[DefenceId] = ()) -> str:
    """A phase in a few sentences. ``left_out`` are defences that this beach does without."""
    hand = manual.hand
    about = ABOUT[phase.id].format(full=hand.full, redraw=hand.redraw, keep=hand.keep)
    return " ".join([about, *_skips(manual, phase), *_steps(manual, phase, left_out)])


def card_told(manual: Manual, card: Card) -> str:
    """What cards of a rank do, in a sentence."""
    if card.sets is not None:
        return f"A die shows {card.sets}."
    if card.shifts:
        return f"{card.shifts:+d} to a roll."
    return {
        "reroll": "Roll a die again.",
        "repeat": "The phase that was just played is played once more.",
        "draw": f"Draw {manual.hand.general} more cards.",
    }[str(card.does)]


def _skips(manual: Manual, phase: Phase) -> Iterator[str]:
    if phase.needs:
        names = " or ".join(manual.tank_of(one).names for one in phase.needs)
        yield f"Skipped without {names}."
    if phase.skipped_without:
        yield f"Skipped once the {_names(manual, (phase.skipped_without,))} are gone."
    if phase.from_turn > 1:
        yield f"Only from turn {phase.from_turn} on."


def _steps(manual: Manual, phase: Phase, left_out: Sequence[DefenceId]) -> Iterator[str]:
    steps = phase.step
    shared = len(steps) > 1 and all(one.modifiers == steps[0].modifiers for one in steps)
    for step in steps:
        if isinstance(step, Remove) and all(one in left_out for one in step.targets):
            yield "There is nothing of that kind on this beach."
            continue
        yield _step(manual, step, left_out)
        if not shared:
            yield from _modifiers(manual, step.modifiers)
        yield from _besides(manual, step, left_out)
    if shared and (said := "".join(_modifiers(manual, steps[0].modifiers))):
        yield f"To each roll: {said}"


def _step(manual: Manual, step: Step, left_out: Sequence[DefenceId]) -> str:
    match step:
        case Remove():
            once = [one for one in step.once if one not in left_out]
            targets = [one for one in step.targets if one not in left_out]
            are = "is" if once == ["wire"] else "are"
            when = f", once {_names(manual, once, 'and')} {are} gone" if once else ""
            return f"{step.dice} points off {_names(manual, targets)}{when}."
        case Squads():
            return f"{step.dice} squads land."
        case Tanks():
            return f"{step.dice} tanks land."
        case Table():
            rows = "; ".join(_row(manual, row) for row in step.row)
            return f"{step.dice} says what happens. {rows}."


def _besides(manual: Manual, step: Step, left_out: Sequence[DefenceId]) -> Iterator[str]:
    if isinstance(step, Tanks):
        kinds = "; ".join(f"{_faces(tank.faces)}: {tank.noun}" for tank in manual.tank)
        yield f"{step.type} for each of them says of which kind it is. {kinds}."
    elif isinstance(step, Remove) and "ditches" not in left_out:
        for target, spec in step.craters.items():
            yield f"Fire at {_names(manual, (target,))} leaves {spec} points of new ditches."


def _row(manual: Manual, row: Row) -> str:
    if row.kill:
        says = f"{row.kill} squads killed"
    elif row.tank:
        says = "a tank lost, by chance" if row.tank == "any" else "a tank without flail lost"
    elif row.craft:
        says = "a landing craft hit"
    elif row.remove:
        says = f"{row.name.lower()}, {row.remove} points off {_names(manual, row.targets)}"
    else:
        says = "nothing"
    return f"{_faces(row.rolls)}: {says}"


def _modifiers(manual: Manual, modifiers: Modifiers) -> Iterator[str]:
    said = [
        f"{value:+d} {words}" for name, words in WHEN.items() if (value := getattr(modifiers, name))
    ]
    if modifiers.per_dozen:
        said.append(f"{modifiers.per_dozen:+d} for each full {manual.dozen} squads ashore")
    if said:
        yield f"{'; '.join(said)}."


def _faces(faces: Sequence[int]) -> str:
    return str(faces[0]) if faces[0] == faces[-1] else f"{faces[0]}-{faces[-1]}"


def _names(manual: Manual, names: Sequence[DefenceId], word: str = "or") -> str:
    *others, last = [manual.defence_of(one).name.lower() for one in names]
    return f"{', '.join(others)} {word} {last}" if others else last
