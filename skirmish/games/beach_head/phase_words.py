"""The rule of a phase in words: lines of a table on paper, sentences on the screen. They are made
from the numbers that are played, under the variant and the rulings of the game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from skirmish.games.beach_head.ruleset import BeachSetup, Modifiers, Phase, PhaseStep, Ruleset
from skirmish.games.beach_head.state import BeachState
from skirmish.games.beach_head.wording import (
    defence_name,
    is_for_any_avre,
    row_text,
    span,
    verb_after,
)
from skirmish.tabletop.page import capital

WHAT_HAPPENS = {
    "frogman": "Frogmen blow up the traps that bar the landing craft.",
    "lci": "Landing craft put infantry ashore.",
    "lct": "Tanks swim ashore or are landed.",
    "lcs": "Gun and rocket craft fire over the heads of the troops.",
    "gun_tank": "Gun tanks fire at the bunkers and, once the way is open, into the trenches.",
    "defenders": "The defenders fire machine guns, mortars and rifles.",
    "artillery": "Heavy guns fire from behind the dunes.",
    "shore_guns": "The guns in the bunkers fire.",
    "mines": "Men and tanks that cross the sand may set off a mine.",
    "engineers": "Demolition parties clear whatever hinders most.",
    "flail": "Flail tanks beat a lane with their chains.",
    "petard": "A short mortar throws a very heavy bomb a short way.",
    "bridge": "A bridge is laid, or a fascine is dropped into a ditch.",
    "infantry": "The infantry cuts the wire and storms what lies behind it.",
    "support": "Rocket craft or bombers may come in.",
    "destroyer": "Destroyers come close inshore, late in the day.",
}
"""What a phase stands for in the landing, by its id: a sentence that comes before its rule."""
MOST_TARGETS_NAMED = 3
"""With more targets it is shorter to say which defences are not among them."""


class TableLine(NamedTuple):
    """A row of a table: the rolls for which it counts (``2-5``), and their effect."""

    rolls: str
    effect: str


class PhaseLine(NamedTuple):
    """One line about a phase. Its verb, its dice and what they do make a sentence: ``take``
    ``1d6`` ``points off the walls``."""

    dice: str
    does: str
    adds: str = ""
    """The modifiers, each with when it counts."""
    when: str = ""
    """The condition under which the line is played: ``with a crab``; empty if it always is."""
    verb: str = ""
    """For sentences only; the columns of a table do without it."""
    table: tuple[TableLine, ...] = ()
    """The rows in which the roll is looked up."""
    never: bool = False
    """Whether this beach never plays the phase; ``does`` then says why."""


def phase_text(state: BeachState, phase: Phase) -> str:
    """The rule of a phase in sentences."""
    lines = phase_lines(state, phase)
    shared_adds = _shared_adds(lines)
    sentences: list[str] = []
    if phase.id in WHAT_HAPPENS:
        sentences.append(WHAT_HAPPENS[phase.id])
    for line in lines:
        sentences.append(_sentence(line, shared_adds))
    if shared_adds:
        sentences.append(f"To each roll: {shared_adds}.")
    return " ".join(sentences)


def _shared_adds(lines: Sequence[PhaseLine]) -> str:
    """The modifiers of all rolls of a phase, which are named once, after them; empty if the rolls
    have different ones, or if there is only one roll, which they follow in brackets."""
    first_line, *other_lines = lines
    if not other_lines or any(line.adds != first_line.adds for line in other_lines):
        return ""
    return first_line.adds


def _sentence(line: PhaseLine, shared_adds: str) -> str:
    """``Once walls are gone, take 1d6 points off the trenches (+1 while tank traps remain).``"""
    words = [word for word in (line.verb, line.dice, line.does) if word]
    text = " ".join(words)
    if line.when:
        text = f"{line.when}, {text}"
    if line.adds != shared_adds:
        text += f" ({line.adds})"
    rows = "; ".join(f"{row.rolls}: {row.effect}" for row in line.table)
    if rows:
        text += f". {rows}"
    return capital(f"{text}.")


def phase_lines(state: BeachState, phase: Phase) -> list[PhaseLine]:
    """The rule of a phase, line by line (at least one), by the variant and the rulings of a newly
    opened game."""
    why_never = _why_never(state, phase)
    if why_never:
        return [PhaseLine(dice="", does=why_never, never=True)]
    hand = state.ruleset.hand
    # Phases of cards have no steps in the data: they are the game's own.
    if phase.id == "tactical":
        does = f"fill the hand to {hand.full}; exchange up to {hand.redraw}"
        return [PhaseLine(dice="", does=does, when="with cards")]
    if phase.id == "end":
        does = f"discard down to {hand.keep} cards"
        return [PhaseLine(dice="", does=does, when="with cards")]
    return _lines_of_steps(state, phase)


def _lines_of_steps(state: BeachState, phase: Phase) -> list[PhaseLine]:
    """The steps in their order. Craters follow the step that digs them, or all steps (B38)."""
    lines: list[PhaseLine] = []
    crater_lines: list[PhaseLine] = []
    for index, step in enumerate(phase.step):
        is_first_step = index == 0
        # Where the engineers roll once, that roll has the targets of both steps (B9).
        if state.removes_in_one_roll(phase) and not is_first_step:
            continue
        # The first step is played whenever the phase is; a later one waits for defences to go.
        if is_first_step:
            when = _condition_of(state, phase)
        else:
            when = _once_gone(state, phase, step)
        lines.extend(_step_lines(state, phase, step, when))
        if state.in_force.craters_come_first:
            lines.extend(_crater_lines(state.setup, step))
        else:
            crater_lines.extend(_crater_lines(state.setup, step))
    return lines + crater_lines


def _crater_lines(setup: BeachSetup, step: PhaseStep) -> Iterator[PhaseLine]:
    """The lines for the craters of a step: fire at some targets digs new ditches."""
    # On a beach without ditches craters do not count (B28).
    if "ditches" in setup.left_out:
        return
    for target, dice in step.craters.items():
        when = f"if fired at the {defence_name(setup, target)}"
        yield PhaseLine(dice, "points of new ditches", verb="dig", when=when)


def _why_never(state: BeachState, phase: Phase) -> str:
    """Why this beach never plays a phase; empty if it does."""
    if _removes_only_what_is_left_out(state.setup, phase):
        return "not at Omaha: nothing to remove"
    if phase.id == "lct" and not _tanks_land(state):
        return "not at Omaha: no such tank lands"
    # Tanks may land there, but none that plays this phase.
    if phase.needs and not _a_needed_tank_lands(state, phase):
        return "not at Omaha: no such tank lands"
    return ""


def _tanks_land(state: BeachState) -> bool:
    """Whether this beach has a tank landing."""
    ruleset = state.ruleset
    landing = ruleset.phase[ruleset.place("lct")]
    # The question is about the first turn of the phase: before it, every beach skips the phase as
    # too early.
    return state.skip_reason(landing, landing.from_turn) != "not_here"


def _a_needed_tank_lands(state: BeachState, phase: Phase) -> bool:
    """Whether a kind of tank that plays the phase ever comes ashore."""
    if not _tanks_land(state):
        return False
    # A tank that lands as another kind (B27) does not play the phase of its own kind.
    return any(state.setup.landed_as(kind) == kind for kind in phase.needs)


def _removes_only_what_is_left_out(setup: BeachSetup, phase: Phase) -> bool:
    """Whether a phase does nothing but remove defences that this beach does not have."""
    if not phase.step:  # a phase of cards
        return False
    for step in phase.step:
        if step.does != "remove" or not set(step.targets) <= set(setup.left_out):
            return False
    return True


def _step_lines(state: BeachState, phase: Phase, step: PhaseStep, when: str) -> Iterator[PhaseLine]:
    """A step of a phase as lines: its dice, what they do, and what changes them."""
    adds = _modifiers_text(state, step.modifiers)
    match step.does:
        case "remove":
            does = _removal(state, phase, step)
            yield PhaseLine(step.dice, does, adds, when, verb="take")
        case "squads":
            yield PhaseLine(state.dice_of_step(step), "squads land", adds, when)
        case "tanks":
            yield PhaseLine(step.dice, "tanks land", adds, when)
            types = tuple(_tank_rows(state.setup))
            yield PhaseLine(step.type, "for the type of each tank", verb="roll", table=types)
        case "table":
            rows = tuple(_result_rows(state.ruleset, step))
            yield PhaseLine(step.dice, "", adds, when, verb="roll", table=rows)


def _removal(state: BeachState, phase: Phase, step: PhaseStep) -> str:
    """``points off the bunkers or walls``. Where the engineers roll once (B9), the targets of their
    late step are named among the others, and again with their condition: ``…, trenches only once
    bunkers and walls are gone``."""
    if not state.removes_in_one_roll(phase):
        return f"points off {_targets_text(state.setup, step.targets)}"
    late_step = phase.late_step
    targets = _targets_text(state.setup, (*step.targets, *late_step.targets))
    late_targets = state.ruleset.listed(late_step.targets)
    return f"points off {targets}, {late_targets} only {_once_gone(state, phase, late_step)}"


def _result_rows(ruleset: Ruleset, step: PhaseStep) -> Iterator[TableLine]:
    """The rows of the table of a step."""
    for row in step.row:
        yield TableLine(span(row.rolls), row_text(ruleset, row))


def _tank_rows(setup: BeachSetup) -> Iterator[TableLine]:
    """What lands, by the faces of the die for a tank's type."""
    for tank in setup.ruleset.tank:
        landed_as = setup.landed_as(tank.id)
        name = "none lands"
        # A kind may be rolled that this beach does not have; the roll is made all the same.
        if landed_as is not None:
            name = setup.ruleset.tank_of(landed_as).name
        yield TableLine(span(tank.faces), name)


def _condition_of(state: BeachState, phase: Phase) -> str:
    """What a phase depends on; empty if it is always played."""
    if is_for_any_avre(phase):
        return "with any AVRE"
    if phase.needs:  # any other phase of tanks needs one kind only
        return f"with a {state.ruleset.tank_of(phase.needs[0]).noun}"
    if phase.skipped_without:
        return f"while {defence_name(state.setup, phase.skipped_without)} are left"
    if phase.from_turn > 1:
        return f"from turn {phase.from_turn} on"
    return ""


def _once_gone(state: BeachState, phase: Phase, step: PhaseStep) -> str:
    """``once bunkers and walls are gone``; empty if no defence of this beach bars the step."""
    left_out = state.setup.left_out
    bars = [name for name in state.bars_of(phase, step) if name not in left_out]
    if not bars:
        return ""
    return f"once {state.ruleset.listed(bars, 'and')} {verb_after(bars, 'is', 'are')} gone"


def _modifiers_text(state: BeachState, modifiers: Modifiers) -> str:
    """The modifiers of a step, each with when it counts."""
    dozens = f"for each full {state.ruleset.dozen} squads ashore"
    reasons = [
        ModifierReason(modifiers.traps, "while tank traps remain"),
        ModifierReason(modifiers.craft_hit, "if landing craft were hit last turn"),
        *bunker_modifiers(state, modifiers),
        ModifierReason(modifiers.per_dozen, dozens),
    ]
    return modifiers_in_words(reasons)


class ModifierReason(NamedTuple):
    """A modifier, and when it counts."""

    value: int
    when: str


def bunker_modifiers(state: BeachState, modifiers: Modifiers) -> list[ModifierReason]:
    """The modifiers for half the bunkers and for none, each with when it counts (B3)."""
    half = state.ruleset.defence_of("bunkers").points // 2
    with_none = modifiers.no_bunkers
    # No bunkers are also half of them or fewer, so that by a ruling both modifiers count.
    if modifiers.no_bunkers and state.in_force.bunker_modifiers_add_up:
        with_none += modifiers.half_bunkers
    return [
        ModifierReason(modifiers.half_bunkers, f"with {half} bunkers or fewer"),
        ModifierReason(with_none, "with none"),
    ]


def modifiers_in_words(reasons: Iterable[ModifierReason]) -> str:
    """``-1 with 30 bunkers or fewer, -2 with none``; modifiers of 0 are left out."""
    return ", ".join(f"{reason.value:+d} {reason.when}" for reason in reasons if reason.value)


def _targets_text(setup: BeachSetup, printed_targets: Sequence[str]) -> str:
    """The targets that this beach has: ``the bunkers or walls``, or ``any one defence but the
    trenches``."""
    on_this_beach = [defence.id for defence in setup.defences]
    targets = [name for name in printed_targets if name in on_this_beach]
    missing = [name for name in on_this_beach if name not in targets]
    if len(targets) <= MOST_TARGETS_NAMED:
        return f"the {setup.ruleset.listed(targets)}"
    if not missing:
        return "any one defence"
    return f"any one defence but the {setup.ruleset.listed(missing, 'and')}"
