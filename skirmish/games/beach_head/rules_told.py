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
    "tactical": "Fill your hand to {full} cards. Then you may exchange up to {redraw}, once.",
    "frogman": "Frogmen blow up the traps that bar the landing craft.",
    "lci": "Landing craft put infantry ashore.",
    "lct": "Tanks swim ashore or are landed.",
    "lcs": "Gun and rocket craft fire over the heads of the troops.",
    "gun_tank": "Gun tanks fire at the bunkers and, once the way is open, into the trenches.",
    "defenders": "The defenders fire machine guns, mortars and rifles.",
    "artillery": "Heavy guns fire from behind the dunes.",
    "shore_guns": "The guns in the bunkers fire.",
    "mines": "Whoever crosses the sand may find one.",
    "engineers": "Demolition parties clear whatever hinders most.",
    "flail": "Flail tanks beat a lane with their chains.",
    "petard": "A short mortar throws a very heavy bomb a short way.",
    "bridge": "A bridge is laid, or a fascine is dropped into a ditch.",
    "infantry": "The infantry cuts the wire and storms what lies behind it.",
    "support": "Rocket craft or bombers may come in.",
    "destroyer": "Destroyers come close inshore, late in the day.",
    "end": "Discard down to {keep} cards.",
}
"""What a phase is about."""


def aim() -> str:
    """How the game is won, and what counts."""
    return (
        "The beach is taken when all bunkers and trenches are gone. Your score is the number of "
        "squads lost on the way: the fewer, the better. You cannot lose, and there is no last turn."
    )


def phase_told(manual: Manual, phase: Phase, left_out: Sequence[DefenceId] = ()) -> str:
    """A phase in a few sentences. ``left_out`` are defences that this beach does without."""
    hand = manual.hand
    about = ABOUT[phase.id].format(full=hand.full, redraw=hand.redraw, keep=hand.keep)
    return " ".join([about, *_skips(manual, phase), *_steps(manual, phase, left_out)])


def card_use(manual: Manual, card: Card) -> str:
    """What cards of a rank do, as short as it is shown everywhere: ``die = 4``, ``+2``."""
    if card.sets is not None:
        return f"die = {card.sets}"
    if card.shifts:
        return f"{card.shifts:+d}"
    uses = {"reroll": "re-roll", "repeat": "repeat phase", "draw": f"draw {manual.hand.general}"}
    return uses[str(card.does)]


def row_words(manual: Manual, row: Row) -> str:
    """What a row of a table brings."""
    if row.kill:
        return f"{row.kill} squads killed"
    if row.tank:
        return "a random tank lost" if row.tank == "any" else "a tank without a flail lost"
    if row.craft:
        return "a landing craft hit"
    if row.remove:
        return f"{row.name.lower()}, {row.remove} points off {manual.listed(row.targets)}"
    return "nothing"


def _skips(manual: Manual, phase: Phase) -> Iterator[str]:
    if phase.needs:
        names = " or ".join(manual.tank_of(one).names for one in phase.needs)
        yield f"Skipped without {names}."
    if phase.skipped_without:
        yield f"Skipped once the {manual.listed((phase.skipped_without,))} are gone."
    if phase.from_turn > 1:
        yield f"Skipped before turn {phase.from_turn}."


def _steps(manual: Manual, phase: Phase, left_out: Sequence[DefenceId]) -> Iterator[str]:
    steps = phase.step
    shared = len(steps) > 1 and all(one.modifiers == steps[0].modifiers for one in steps)
    for step in steps:
        if isinstance(step, Remove) and all(one in left_out for one in step.targets):
            yield "There are none on this beach."
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
            when = f", once {manual.listed(once, 'and')} {are} gone" if once else ""
            return f"Remove {step.dice} points of {manual.listed(targets)}{when}."
        case Squads():
            return f"{step.dice} squads land."
        case Tanks():
            return f"{step.dice} tanks land."
        case Table():
            rows = "; ".join(f"{_faces(row.rolls)}: {row_words(manual, row)}" for row in step.row)
            return f"Roll {step.dice}. {rows}."


def _besides(manual: Manual, step: Step, left_out: Sequence[DefenceId]) -> Iterator[str]:
    if isinstance(step, Tanks):
        kinds = "; ".join(f"{_faces(tank.faces)}: {tank.noun}" for tank in manual.tank)
        yield f"Roll {step.type} for the type of each. {kinds}."
    elif isinstance(step, Remove) and "ditches" not in left_out:
        for target, spec in step.craters.items():
            yield f"Fire at {manual.listed((target,))} adds {spec} points of ditches (craters)."


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
